/* page_text_matrix.c: a labelled matrix as text.
 *
 * Columns are as wide as what stands in them. A matrix too wide for the line is split into
 * blocks of columns; one that would need many of them is a list of its entries. A cell too long
 * to stand in a column is written below, where a number in its place points to. */
#include <stdlib.h>
#include <string.h>

#include "page_text.h"

enum {
    INDENT = 2,
    GAP = 2,
    COLUMNS_MAX = 40, /* more: a list */
    BLOCKS_MAX = 3,
    STACKED_FROM = 32 /* columns of text: from here on the cases of a value are stacked */
};

typedef struct {
    jn_str *out;
    const jn_page *page;
    const jn_matrix_item *m;
    int width;
    jn_arena *arena;
    int label_width;
    const char **row_label, **col_label;
    const char **cell; /* lines separated by '\n'; NULL: zero */
    int *col_width;
    int nnotes, notes_cap;
    const char **note; /* cells written below */
} layout;

static const char *keep(layout *l, jn_str *text)
{
    const char *s = jn_arena_strndup(l->arena, jn_str_c(text), text->len);
    jn_str_clear(text);
    return s;
}

static const char *line_text(layout *l, const jn_line *line)
{
    jn_str text;
    jn_str_init(&text);
    jni_text_line(&text, l->page, line);
    return keep(l, &text);
}

/* ---- cells --------------------------------------------------------------------------------- */

/* The n-th line of a text of several; NULL when there are fewer. */
static const char *nth_line(layout *l, const char *s, int n)
{
    for (; n > 0 && s; n--) {
        s = strchr(s, '\n');
        s = s ? s + 1 : NULL;
    }
    return s ? jn_arena_strndup(l->arena, s, strcspn(s, "\n")) : NULL;
}

static int widest_line(layout *l, const char *s)
{
    int widest = 0;
    const char *line;
    for (int n = 0; (line = nth_line(l, s, n)); n++) {
        int w = jn_utf8_width(line);
        widest = w > widest ? w : widest;
    }
    return widest;
}

static const char *note(layout *l, const char *text)
{
    JN_GROW(l->note, l->nnotes, l->notes_cap);
    l->note[l->nnotes++] = text;
    return jn_arena_printf(l->arena, "(%d)", l->nnotes);
}

static const char *cell_text(layout *l, const jn_line *line)
{
    int room = l->width - l->label_width - INDENT - GAP;
    const char *whole = line_text(l, line);
    if (jn_utf8_width(whole) < STACKED_FROM && jn_utf8_width(whole) <= room)
        return whole;
    jn_str text;
    jn_str_init(&text);
    jni_text_stacked(&text, l->page, line);
    const char *stacked = keep(l, &text);
    return widest_line(l, stacked) <= room * 2 / 3 ? stacked : note(l, whole);
}

static void measure_labels(layout *l)
{
    const jn_matrix_item *m = l->m;
    l->row_label = jn_arena_alloc(l->arena, (size_t)m->nrows * sizeof *l->row_label);
    l->col_label = jn_arena_alloc(l->arena, (size_t)m->ncols * sizeof *l->col_label);
    for (int i = 0; i < m->nrows; i++) {
        l->row_label[i] = line_text(l, &m->row_label[i]);
        int w = jn_utf8_width(l->row_label[i]);
        l->label_width = w > l->label_width ? w : l->label_width;
    }
    for (int j = 0; j < m->ncols; j++)
        l->col_label[j] = line_text(l, &m->col_label[j]);
}

static void measure_cells(layout *l)
{
    const jn_matrix_item *m = l->m;
    l->cell = jn_arena_alloc(l->arena, (size_t)m->nrows * (size_t)m->ncols * sizeof *l->cell);
    l->col_width = jn_arena_alloc(l->arena, (size_t)m->ncols * sizeof *l->col_width);
    for (int j = 0; j < m->ncols; j++)
        l->col_width[j] = jn_utf8_width(l->col_label[j]);
    for (int i = 0; i < m->nrows; i++)
        for (int k = 0; k < m->row[i].n; k++) {
            const jn_cell *c = &m->row[i].cell[k];
            const char *text = cell_text(l, &c->line);
            l->cell[i * m->ncols + c->col] = text;
            int w = widest_line(l, text);
            l->col_width[c->col] = w > l->col_width[c->col] ? w : l->col_width[c->col];
        }
}

/* ---- blocks of columns --------------------------------------------------------------------- */

static int columns_of(const layout *l, int j)
{
    return GAP + l->col_width[j] + (l->m->rule_before[j] ? 2 : 0);
}

/* The first column that no longer fits on the line with those from `from` on. */
static int block_end(const layout *l, int from)
{
    int used = INDENT + l->label_width, j = from;
    while (j < l->m->ncols && (j == from || used + columns_of(l, j) <= l->width))
        used += columns_of(l, j++);
    return j;
}

static int count_blocks(const layout *l)
{
    int n = 0;
    for (int j = 0; j < l->m->ncols; j = block_end(l, j))
        n++;
    return n;
}

static void add_gap(layout *l, int j, int from, char rule)
{
    if (l->m->rule_before[j] && j > from)
        jn_str_addf(l->out, rule == '-' ? "-+" : " |");
    jn_str_fill(l->out, rule, GAP);
}

static void end_line(layout *l)
{
    jn_str *out = l->out;
    while (out->len && out->s[out->len - 1] == ' ')
        out->s[--out->len] = 0;
    jn_str_addc(out, '\n');
}

static void write_heads(layout *l, int from, int to)
{
    jn_str_fill(l->out, ' ', INDENT + l->label_width);
    for (int j = from; j < to; j++) {
        add_gap(l, j, from, ' ');
        jni_text_pad_left(l->out, l->col_label[j], l->col_width[j]);
    }
    end_line(l);
}

static void write_rule(layout *l, int from, int to)
{
    jn_str_fill(l->out, ' ', INDENT);
    jn_str_fill(l->out, '-', l->label_width);
    for (int j = from; j < to; j++) {
        add_gap(l, j, from, '-');
        jn_str_fill(l->out, '-', l->col_width[j]);
    }
    end_line(l);
}

/* The n-th line of a row of cells; zeros and labels stand on the first. False: there is none. */
static bool write_row_line(layout *l, int i, int n, int from, int to)
{
    size_t start = l->out->len;
    bool some = n == 0;
    jn_str_fill(l->out, ' ', INDENT);
    jni_text_pad(l->out, n == 0 ? l->row_label[i] : "", l->label_width);
    for (int j = from; j < to; j++) {
        const char *cell = l->cell[i * l->m->ncols + j];
        const char *line = cell ? nth_line(l, cell, n) : n == 0 ? "." : NULL;
        some = some || line;
        add_gap(l, j, from, ' ');
        jni_text_pad_left(l->out, line ? line : "", l->col_width[j]);
    }
    if (some)
        end_line(l);
    else
        l->out->s[l->out->len = start] = 0;
    return some;
}

static void write_block(layout *l, int from, int to)
{
    write_heads(l, from, to);
    for (int i = 0; i < l->m->nrows; i++) {
        if (l->m->rule_above[i])
            write_rule(l, from, to);
        for (int n = 0; write_row_line(l, i, n, from, to); n++)
            continue;
    }
}

static void write_blocks(layout *l)
{
    for (int from = 0, to; from < l->m->ncols; from = to) {
        to = block_end(l, from);
        jn_str_add(l->out, from ? "\n" : "");
        if (to - from == 1 && l->m->ncols > 1)
            jn_str_addf(l->out, "  column %d of %d\n", to, l->m->ncols);
        else if (to - from < l->m->ncols)
            jn_str_addf(l->out, "  columns %d to %d of %d\n", from + 1, to, l->m->ncols);
        write_block(l, from, to);
    }
    for (int i = 0; i < l->nnotes; i++) {
        char *head = jn_arena_printf(l->arena, "  (%d) = ", i + 1);
        int at = jn_utf8_width(head);
        jn_str_add(l->out, head);
        jni_text_wrap(l->out, l->note[i], at, at, l->width);
    }
}

/* ---- lists of entries ---------------------------------------------------------------------- */

static int widest_column_label(const layout *l)
{
    int widest = 0;
    for (int j = 0; j < l->m->ncols; j++) {
        int w = jn_utf8_width(l->col_label[j]);
        widest = w > widest ? w : widest;
    }
    return widest;
}

static void write_list(layout *l, int entries)
{
    int heads = widest_column_label(l);
    int at = INDENT + l->label_width + GAP + heads + GAP;
    jn_str_addf(l->out, " (%d x %d): row, column, value of the %d entries that are not zero\n",
                l->m->nrows, l->m->ncols, entries);
    for (int i = 0; i < l->m->nrows; i++)
        for (int k = 0; k < l->m->row[i].n; k++) {
            const jn_cell *c = &l->m->row[i].cell[k];
            jn_str_fill(l->out, ' ', INDENT);
            jni_text_pad(l->out, l->row_label[i], l->label_width + GAP);
            jni_text_pad(l->out, l->col_label[c->col], heads + GAP);
            jni_text_wrap(l->out, line_text(l, &c->line), at, at + INDENT, l->width);
        }
}

static int count_entries(const jn_matrix_item *m)
{
    int n = 0;
    for (int i = 0; i < m->nrows; i++)
        n += m->row[i].n;
    return n;
}

void jni_text_matrix(jn_str *out, const jn_page *p, const jn_matrix_item *m, int width)
{
    layout l = {.out = out, .page = p, .m = m, .width = width, .arena = jn_arena_new()};
    int entries = count_entries(m);
    jni_text_line(out, p, &m->label);
    measure_labels(&l);
    if (m->nrows == 0 || m->ncols == 0) {
        jn_str_addf(out, " (%d x %d, empty)\n", m->nrows, m->ncols);
    } else if (entries == 0) {
        jn_str_addf(out, " = 0 (%d x %d)\n", m->nrows, m->ncols);
    } else if (m->ncols > COLUMNS_MAX) {
        write_list(&l, entries);
    } else {
        measure_cells(&l);
        if (count_blocks(&l) > BLOCKS_MAX) {
            write_list(&l, entries);
        } else {
            jn_str_addc(out, '\n');
            write_blocks(&l);
        }
    }
    free(l.note);
    jn_arena_free(l.arena);
}
