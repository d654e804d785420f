/* csv.c: reading comma-separated values; the only file that knows libcsv.
 *
 * libcsv calls back with the text of a field but not with its place, so it is fed one byte at a
 * time: the byte that completes a field is then known, and where the next one begins. Without
 * CSV_STRICT_FINI an unterminated quote would pass as a field that holds the rest of the file. */
#include <csv.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "junct/csv.h"

typedef struct jn_csv_cell field;

typedef struct {
    const jn_source *source;
    jn_diags *diags;
    size_t at;       /* the byte libcsv is looking at */
    size_t start;    /* of the field that is being read */
    int row, column; /* of that field */
    int ncolumns;
    int nfields, cap;
    field *field;
    jn_str texts; /* one after the other, each terminated */
    bool failed, full;
} reader;

/* ---- places -------------------------------------------------------------------------------- */

static jn_place place_at(const jn_source *s, size_t offset, size_t length)
{
    return (jn_place){s, offset, length};
}

/* Over spaces, and over empty lines before the first field of a row. */
static size_t skip_blanks(const jn_source *s, size_t from)
{
    return from + strspn(s->text + from, " \t\r\n");
}

/* Up to the end of the field as it stands in the file. */
static size_t length_at(const jn_source *s, size_t offset)
{
    const char *p = s->text + offset;
    if (*p != '"')
        return strcspn(p, ",\r\n");
    const char *end = p + 1;
    while (*end && !(end[0] == '"' && end[1] != '"'))
        end += end[0] == '"' ? 2 : 1;
    return (size_t)(end - p) + (*end == '"');
}

int jn_csv_find(const jn_csv *c, const char *name)
{
    for (int i = 0; i < c->ncolumns; i++)
        if (strcmp(c->name[i], name) == 0)
            return i;
    return -1;
}

static const field *field_of(const jn_csv *c, int row, int column)
{
    return &c->field[((size_t)row + 1) * (size_t)c->ncolumns + (size_t)column];
}

const char *jn_csv_text(const jn_csv *c, int row, int column)
{
    return c->texts + field_of(c, row, column)->text;
}

jn_place jn_csv_place(const jn_csv *c, int row, int column)
{
    size_t offset = field_of(c, row, column)->offset;
    return place_at(c->source, offset, length_at(c->source, offset));
}

/* ---- reading ------------------------------------------------------------------------------- */

/* Fields beyond those of the header are only counted: the row is refused when it ends. */
static void take_field(void *text, size_t length, void *ctx)
{
    reader *r = ctx;
    size_t offset = skip_blanks(r->source, r->start);
    offset = offset < r->at ? offset : r->at;
    r->start = r->at + 1;
    if (r->row > 0 && r->column >= r->ncolumns) {
        r->column++;
        return;
    }
    int most = r->row == 0 ? JN_CSV_MAX_COLUMNS : JN_CSV_MAX_FIELDS;
    r->full = r->full || r->nfields == most;
    if (r->full)
        return;
    JN_GROW(r->field, r->nfields, r->cap);
    r->field[r->nfields++] = (field){(uint32_t)offset, (uint32_t)r->texts.len};
    if (length)
        jn_str_addn(&r->texts, text, length);
    jn_str_addc(&r->texts, 0);
    r->column++;
}

static void end_row(int end_byte, void *ctx)
{
    reader *r = ctx;
    (void)end_byte;
    if (r->full)
        return;
    if (r->row == 0)
        r->ncolumns = r->column;
    int kept = r->column < r->ncolumns ? r->column : r->ncolumns;
    if (r->column != r->ncolumns) {
        r->failed = true;
        size_t offset = r->field[r->nfields - kept].offset;
        jn_diag_add(r->diags, JN_D_CSV_RAGGED,
                    place_at(r->source, offset, strcspn(r->source->text + offset, "\r\n")),
                    r->column, r->column == 1 ? "" : "s", r->ncolumns);
    }
    /* So that every row has its place. */
    for (; kept < r->ncolumns; kept++) {
        JN_GROW(r->field, r->nfields, r->cap);
        r->field[r->nfields] = r->field[r->nfields - 1];
        r->nfields++;
    }
    r->row++;
    r->column = 0;
}

static void report_quote(reader *r, jn_code code, size_t offset)
{
    r->failed = true;
    jn_diag_add(r->diags, code, place_at(r->source, offset, 1));
}

static void parse(reader *r)
{
    static const char mark[] = "\xEF\xBB\xBF";
    const jn_source *s = r->source;
    struct csv_parser p;
    if (csv_init(&p, CSV_STRICT | CSV_STRICT_FINI) != 0)
        abort();
    r->start = strncmp(s->text, mark, 3) == 0 ? 3 : 0;
    bool stray = false;
    for (r->at = r->start; r->at < s->len && !r->full && !stray; r->at++)
        stray = csv_parse(&p, s->text + r->at, 1, take_field, end_row, r) != 1;
    if (stray)
        report_quote(r, JN_D_CSV_QUOTE_STRAY, r->at - 1);
    else if (!r->full && csv_fini(&p, take_field, end_row, r) != 0)
        report_quote(r, JN_D_CSV_QUOTE_OPEN, skip_blanks(s, r->start));
    csv_free(&p);
}

/* ---- the header ---------------------------------------------------------------------------- */

static bool check_names(const jn_csv *c, jn_diags *d)
{
    bool good = true;
    for (int i = 0; i < c->ncolumns; i++)
        if (jn_csv_find(c, c->name[i]) < i) {
            jn_diag_add(d, JN_D_CSV_NAME_TWICE, jn_csv_place(c, -1, i), c->name[i]);
            good = false;
        }
    return good;
}

static const jn_csv *finish(const reader *r, jn_arena *a)
{
    jn_csv *c = jn_arena_alloc(a, sizeof *c);
    c->source = r->source;
    c->ncolumns = r->ncolumns;
    c->nrows = r->row - 1;
    c->field = jn_arena_dup(a, r->field, (size_t)r->nfields * sizeof *r->field);
    c->texts = jn_arena_dup(a, r->texts.s, r->texts.len);
    const char **name = jn_arena_alloc(a, (size_t)r->ncolumns * sizeof *name);
    for (int i = 0; i < r->ncolumns; i++)
        name[i] = c->texts + c->field[i].text;
    c->name = name;
    return c;
}

static const jn_csv *check_reader(reader *r, jn_arena *a)
{
    const char *file = r->source->name;
    jn_place nowhere = {0};
    if (r->full)
        jn_diag_add(r->diags, JN_D_CSV_LARGE, nowhere, file,
                    r->row == 0 ? JN_CSV_MAX_COLUMNS : JN_CSV_MAX_FIELDS,
                    r->row == 0 ? "columns" : "fields");
    else if (r->row == 0 && !r->failed)
        jn_diag_add(r->diags, JN_D_CSV_EMPTY, nowhere, file, "the file is empty");
    else if (r->row == 1 && !r->failed)
        jn_diag_add(r->diags, JN_D_CSV_EMPTY, nowhere, file, "there are no rows below the header");
    else if (!r->failed) {
        const jn_csv *c = finish(r, a);
        return check_names(c, r->diags) ? c : NULL;
    }
    return NULL;
}

jn_status jn_csv_read(const jn_csv **out, jn_arena *a, const char *path, jn_diags *d)
{
    const char *why;
    reader r = {.diags = d};
    *out = NULL;
    jn_status status = jn_source_read(&r.source, a, path, &why);
    if (status != JN_OK) {
        jn_diag_add(d, JN_D_CSV_UNREADABLE, (jn_place){0}, why);
        return status;
    }
    jn_str_init(&r.texts);
    parse(&r);
    *out = check_reader(&r, a);
    free(r.field);
    jn_str_clear(&r.texts);
    return *out ? JN_OK : JN_INVALID;
}

/* ---- columns ------------------------------------------------------------------------------- */

enum { NAMES_SHOWN = 12 };

static void advise_column(jn_str *out, const jn_csv *c, const char *name)
{
    const char *closest = jn_closest(name, c->name, c->ncolumns);
    if (closest) {
        jn_str_addf(out, "did you mean '%s'?", closest);
        return;
    }
    if (c->ncolumns == 1 && strchr(c->name[0], ';')) {
        jn_str_add(out, "separate the fields with commas");
        return;
    }
    jn_str_add(out, "the columns are ");
    for (int i = 0; i < c->ncolumns && i < NAMES_SHOWN; i++)
        jn_str_addf(out, "%s%s", i ? ", " : "", c->name[i]);
    jn_str_add(out, c->ncolumns > NAMES_SHOWN ? ", …" : "");
}

jn_status jn_csv_column(int *column, const jn_csv *c, const char *name, jn_diags *d)
{
    *column = jn_csv_find(c, name);
    if (*column >= 0)
        return JN_OK;
    jn_str advice;
    jn_str_init(&advice);
    advise_column(&advice, c, name);
    jn_diag_add(d, JN_D_CSV_COLUMN, jn_csv_place(c, -1, 0), name, advice.s);
    jn_str_clear(&advice);
    return JN_INVALID;
}

/* strtod also takes hexadecimal numbers: no table means those. */
static bool read_number(double *x, const char *text)
{
    char *end;
    *x = jn_strtod(text, &end);
    return end > text && *end == 0 && !strpbrk(text, "xX");
}

static bool take_number(double *x, const jn_csv *c, int row, int column, jn_diags *d)
{
    const char *text = jn_csv_text(c, row, column);
    bool number = read_number(x, text);
    if (!number)
        jn_diag_add(d, JN_D_CSV_NUMBER, jn_csv_place(c, row, column), text,
                    *text == 0          ? "fill in the field"
                    : strchr(text, ',') ? "write a point before the decimals"
                    : strchr(text, ';') ? "separate the fields with commas"
                                        : "");
    else if (!isfinite(*x))
        jn_diag_add(d, JN_D_CSV_RANGE, jn_csv_place(c, row, column), text);
    return number && isfinite(*x);
}

jn_status jn_csv_numbers(const double **out, jn_arena *a, const jn_csv *c, const char *name,
                         jn_diags *d)
{
    int column;
    jn_status status = jn_csv_column(&column, c, name, d);
    if (status != JN_OK)
        return status;
    double *x = jn_arena_alloc(a, (size_t)c->nrows * sizeof *x);
    for (int i = 0; i < c->nrows; i++)
        if (!take_number(&x[i], c, i, column, d))
            status = JN_INVALID;
    *out = x;
    return status;
}

jn_status jn_csv_ascending(const double **out, jn_arena *a, const jn_csv *c, const char *name,
                           jn_diags *d)
{
    jn_status status = jn_csv_numbers(out, a, c, name, d);
    if (status != JN_OK)
        return status;
    int column = jn_csv_find(c, name);
    for (int i = 1; i < c->nrows; i++)
        if (!((*out)[i] > (*out)[i - 1])) {
            jn_diag_add(d, JN_D_CSV_ORDER, jn_csv_place(c, i, column), jn_csv_text(c, i, column),
                        jn_csv_text(c, i - 1, column), name);
            status = JN_INVALID;
        }
    return status;
}
