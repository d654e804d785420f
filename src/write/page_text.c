/* page_text.c: a page as text for a terminal: headings, paragraphs and tables. */
#include <stdlib.h>
#include <string.h>

#include "page_span.h"
#include "page_text.h"

/* ---- spans --------------------------------------------------------------------------------- */

/* A title is the user's: what would steer a terminal is not passed on. */
static void add_text(jn_str *out, const char *s)
{
    for (; *s; s++) {
        unsigned char c = (unsigned char)*s;
        jn_str_addc(out, c < 0x20 || c == 0x7F ? '?' : *s);
    }
}

static void add_symbol(jn_str *out, jn_symbol s)
{
    if (s.letter) {
        if (s.dot && s.letter == 'p')
            jn_str_add(out, "\u1e57"); /* p with a dot above: there is one for p, not for q */
        else
            jn_str_addf(out, "%c%s", s.letter, s.dot ? "\u0307" : "");
        jn_str_addc(out, '_');
    }
    jn_str_add(out, s.name);
    if (s.pseudo)
        jn_str_add(out, " (d)");
}

static void add_words(jn_str *out, const jn_span *s)
{
    add_text(out, s->text);
}

static void add_condition(jn_str *out, const jn_page *p, const jn_formula *guard, bool has_factor)
{
    jn_str_add(out, has_factor ? " [" : "[");
    jn_formula_print(out, guard, p->switches, JN_FORMULA_TEXT);
    jn_str_addc(out, ']');
}

static const jni_notation notation = {.ratfun = JN_RATFUN_TEXT,
                                      .formula = JN_FORMULA_TEXT,
                                      .minus = " - ",
                                      .plus = " + ",
                                      .times = "*",
                                      .text = add_words,
                                      .symbol = add_symbol,
                                      .condition = add_condition};

static bool only_ascii;

void jn_page_text_ascii(bool only)
{
    only_ascii = only;
}

/* Every span comes by here before it is measured. */
static void add_spelled(jn_str *out, const jn_page *p, const jn_span *s)
{
    jn_str text;
    jn_str_init(&text);
    jni_span(&text, p, s, &notation);
    jn_str_add_ascii(out, jn_str_c(&text));
    jn_str_clear(&text);
}

void jni_text_line(jn_str *out, const jn_page *p, const jn_line *l)
{
    for (const jn_span *s = l->first; s; s = s->next)
        if (only_ascii)
            add_spelled(out, p, s);
        else
            jni_span(out, p, s, &notation);
}

void jni_text_stacked(jn_str *out, const jn_page *p, const jn_line *l)
{
    const jn_span *s = l->first;
    if (!s || s != l->last || s->kind != JN_SPAN_VALUE || s->ncases < 2) {
        jni_text_line(out, p, l);
        return;
    }
    for (int i = 0; i < s->ncases; i++) {
        jn_str_add(out, i ? "\n" : "");
        jni_span_case(out, p, s->cases[i], i == 0, false, &notation);
    }
}

/* ---- layout -------------------------------------------------------------------------------- */

void jni_text_pad(jn_str *out, const char *s, int width)
{
    jn_str_add(out, s);
    jn_str_fill(out, ' ', width - jn_utf8_width(s));
}

void jni_text_pad_left(jn_str *out, const char *s, int width)
{
    jn_str_fill(out, ' ', width - jn_utf8_width(s));
    jn_str_add(out, s);
}

void jni_text_wrap(jn_str *out, const char *s, int at, int indent, int width)
{
    jn_str word;
    jn_str_init(&word);
    int column = at;
    for (bool first = true; *s; first = false) {
        size_t len = strcspn(s, " ");
        jn_str_reset(&word);
        jn_str_addn(&word, s, len);
        int columns = jn_utf8_width(jn_str_c(&word));
        if (!first && column + 1 + columns > width) {
            jn_str_addc(out, '\n');
            jn_str_fill(out, ' ', indent);
            column = indent;
        } else if (!first) {
            jn_str_addc(out, ' ');
            column++;
        }
        jn_str_add(out, jn_str_c(&word));
        column += columns;
        s += len + (s[len] == ' ');
    }
    jn_str_addc(out, '\n');
    jn_str_clear(&word);
}

static char *line_text(const jn_page *p, const jn_line *l)
{
    jn_str text;
    jn_str_init(&text);
    jni_text_line(&text, p, l);
    return text.s ? text.s : jn_alloc(1);
}

static void write_heading(jn_str *out, const jn_page *p, const jn_item *item)
{
    char *text = line_text(p, &item->line);
    jn_str_addf(out, "%s\n", text);
    if (item->level == 1) {
        jn_str_fill(out, '=', jn_utf8_width(text));
        jn_str_addc(out, '\n');
    }
    free(text);
}

static void write_paragraph(jn_str *out, const jn_page *p, const jn_item *item, int width)
{
    char *text = line_text(p, &item->line);
    jni_text_wrap(out, text, 0, 0, width);
    free(text);
}

/* ---- tables: the last column takes what room is left, and wraps ---------------------------- */

enum { INDENT = 2, GAP = 2, LAST_COLUMN_MIN = 30 };

static void measure(int *widths, char *const *text, const jn_table_item *t)
{
    for (int j = 0; j < t->ncols; j++) {
        widths[j] = t->widths ? t->widths[j] : 0;
        for (int i = 0; i < t->nrows; i++) {
            int w = jn_utf8_width(text[i * t->ncols + j]);
            widths[j] = w > widths[j] ? w : widths[j];
        }
    }
}

static void write_row(jn_str *out, char *const *cell, const int *widths, int ncols, int width)
{
    int column = INDENT, last = ncols - 1;
    jn_str_fill(out, ' ', INDENT);
    while (last > 0 && !*cell[last])
        last--;
    for (int j = 0; j < last; j++) {
        jni_text_pad(out, cell[j], widths[j] + GAP);
        column += widths[j] + GAP;
    }
    int right = column + LAST_COLUMN_MIN > width ? column + LAST_COLUMN_MIN : width;
    jni_text_wrap(out, cell[last], column, column + 2, right);
}

static void write_rule(jn_str *out, const int *widths, int ncols)
{
    while (ncols > 1 && widths[ncols - 1] == 0)
        ncols--;
    for (int j = 0; j < ncols; j++) {
        bool wraps = j == ncols - 1 && widths[j] > LAST_COLUMN_MIN;
        jn_str_fill(out, ' ', j ? GAP : INDENT);
        jn_str_fill(out, '-', wraps ? LAST_COLUMN_MIN : widths[j]);
    }
    jn_str_addc(out, '\n');
}

static void write_table(jn_str *out, const jn_page *p, const jn_table_item *t, int width)
{
    int ncells = t->nrows * t->ncols;
    char **text = jn_alloc((size_t)ncells * sizeof *text);
    int *widths = jn_alloc((size_t)t->ncols * sizeof *widths);
    for (int i = 0; i < ncells; i++)
        text[i] = line_text(p, &t->row[i / t->ncols][i % t->ncols]);
    measure(widths, text, t);
    for (int i = t->headed && t->continues; i < t->nrows; i++) {
        write_row(out, &text[i * t->ncols], widths, t->ncols, width);
        if (i == 0 && t->headed)
            write_rule(out, widths, t->ncols);
    }
    for (int i = 0; i < ncells; i++)
        free(text[i]);
    free(text);
    free(widths);
}

/* ---- the page ------------------------------------------------------------------------------ */

/* A blank line between items; none below a heading of the second level or inside a table. */
static bool is_spaced(const jn_item *before, const jn_item *item)
{
    if (!before || (item->kind == JN_ITEM_TABLE && item->table.continues))
        return false;
    return before->kind != JN_ITEM_HEADING || before->level == 1;
}

void jn_page_text(jn_str *out, const jn_page *p, int width)
{
    const jn_item *before = NULL;
    for (const jn_item *item = p->first; item; item = item->next) {
        if (item->who == JN_FOR_LATEX)
            continue;
        if (is_spaced(before, item))
            jn_str_addc(out, '\n');
        switch (item->kind) {
        case JN_ITEM_HEADING:
            write_heading(out, p, item);
            break;
        case JN_ITEM_PARAGRAPH:
            write_paragraph(out, p, item, width);
            break;
        case JN_ITEM_TABLE:
            write_table(out, p, &item->table, width);
            break;
        case JN_ITEM_MATRIX:
            jni_text_matrix(out, p, &item->matrix, width);
            break;
        }
        before = item;
    }
}
