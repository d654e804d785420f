/* page_latex.c: a page as LaTeX, to be put into a document that uses amsmath.
 *
 * A matrix that fits on the page stands in brackets, as in a paper; the page says which vectors
 * it belongs to. A wider one is split into arrays of some columns, with labels; one that would
 * need many of them becomes a list of its entries. LaTeX alone knows how wide a formula is: what
 * fits is judged by its length as text. */
#include <string.h>

#include "page_latex.h"
#include "page_text.h"

/* Lengths as columns of text. */
enum {
    LINE = 68,        /* what about fills a line */
    SMALL_LINE = 88,  /* the same in \footnotesize */
    LONG_CELL = 35,   /* a table's last column that must be broken into lines */
    LONG_ROW = 300,   /* a table that would not fit on a page */
    TABLE_ROWS = 40,  /* on one page */
    COLUMNS_MAX = 40, /* of a matrix; more: a list */
    BLOCKS_MAX = 3    /* of columns; more: a list */
};

/* ---- spans --------------------------------------------------------------------------------- */

static void add_symbol(jn_str *out, jn_symbol s)
{
    if (s.letter)
        jn_str_addf(out, s.dot ? "\\dot{%c}_{" : "%c_{", s.letter);
    jn_latex_symbol(out, s.name);
    if (s.letter)
        jn_str_add(out, s.pseudo ? ",\\mathrm{d}}" : "}");
    else if (s.pseudo)
        jn_str_add(out, "\\,(\\mathrm{d})");
}

static jn_ratfun add_sign(jn_str *out, jn_field *k, jn_ratfun value, bool first)
{
    bool negative = jn_ratfun_is_negative(k, value);
    if (negative)
        jn_str_addc(out, '-');
    else if (!first)
        jn_str_addc(out, '+');
    return negative ? jn_ratfun_neg(k, value) : value;
}

static void add_case(jn_str *out, const jn_page *p, jn_page_case c, bool first, bool alone)
{
    bool always = c.guard->op == JN_FORMULA_CONST && c.guard->value;
    if (always && first) {
        jn_ratfun_print(out, p->field, c.value, p->params, JN_RATFUN_LATEX);
        return;
    }
    if (alone && jn_ratfun_is_one(c.value)) {
        jn_formula_print(out, c.guard, p->switches, JN_FORMULA_LATEX);
        return;
    }
    jn_ratfun size = add_sign(out, p->field, c.value, first);
    if (!jn_ratfun_is_one(size) || always)
        jn_ratfun_print_factor(out, p->field, size, p->params, JN_RATFUN_LATEX);
    if (always)
        return;
    if (!jn_ratfun_is_one(size))
        jn_str_add(out, "\\,");
    jn_formula_print_factor(out, c.guard, p->switches, JN_FORMULA_LATEX);
}

static void add_term(jn_str *out, const jn_page *p, const jn_span *s)
{
    jn_ratfun size = add_sign(out, p->field, s->value, s->first);
    if (!jn_ratfun_is_one(size)) {
        jn_ratfun_print_factor(out, p->field, size, p->params, JN_RATFUN_LATEX);
        jn_str_add(out, "\\,");
    }
    add_symbol(out, s->symbol);
}

void jni_latex_span(jn_str *out, const jn_page *p, const jn_span *s)
{
    switch (s->kind) {
    case JN_SPAN_TEXT:
        jn_str_add(out, "\\text{");
        jn_latex_text(out, s->text);
        jn_str_addc(out, '}');
        break;
    case JN_SPAN_MATH:
        jn_str_add(out, s->latex);
        break;
    case JN_SPAN_SYMBOL:
        add_symbol(out, s->symbol);
        break;
    case JN_SPAN_FORMULA:
        jn_formula_print(out, s->formula, p->switches, JN_FORMULA_LATEX);
        break;
    case JN_SPAN_VALUE:
        for (int i = 0; i < s->ncases; i++)
            add_case(out, p, s->cases[i], i == 0, s->ncases == 1);
        if (s->ncases == 0)
            jn_str_addc(out, '0');
        break;
    case JN_SPAN_TERM:
        add_term(out, p, s);
        break;
    }
}

/* The line inside mathematics. */
void jni_latex_math_line(jn_str *out, const jn_page *p, const jn_line *l)
{
    for (const jn_span *s = l->first; s; s = s->next)
        jni_latex_span(out, p, s);
}

/* The line in running text; spans of mathematics that touch share their dollars. */
void jni_latex_line(jn_str *out, const jn_page *p, const jn_line *l)
{
    bool math = false;
    for (const jn_span *s = l->first; s; s = s->next) {
        bool wanted = s->kind != JN_SPAN_TEXT;
        if (math != wanted)
            jn_str_addc(out, '$');
        math = wanted;
        if (math)
            jni_latex_span(out, p, s);
        else
            jn_latex_text(out, s->text);
    }
    jn_str_add(out, math ? "$" : "");
}

int jni_latex_width(const jn_page *p, const jn_line *l)
{
    jn_str text;
    jn_str_init(&text);
    jni_text_line(&text, p, l);
    int width = jn_utf8_width(jn_str_c(&text));
    jn_str_clear(&text);
    return width;
}

/* ---- tables -------------------------------------------------------------------------------- */

static int last_column_width(const jn_page *p, const jn_table_item *t)
{
    int widest = 0;
    for (int i = 0; i < t->nrows; i++) {
        int w = jni_latex_width(p, &t->row[i][t->ncols - 1]);
        widest = w > widest ? w : widest;
    }
    return widest;
}

static void begin_table(jn_str *out, const jn_table_item *t, bool broken)
{
    jn_str_add(out, "\\begin{center}\n\\begin{tabular}{");
    jn_str_fill(out, 'l', t->ncols - 1);
    jn_str_add(out, broken ? "p{0.55\\linewidth}" : "l");
    jn_str_add(out, "}\n");
}

void jni_latex_row(jn_str *out, const jn_page *p, const jn_table_item *t, int i,
                   jn_latex_line_writer *write_line)
{
    size_t start = out->len;
    for (int j = 0; j < t->ncols; j++) {
        jn_str_add(out, j ? " & " : "");
        write_line(out, p, &t->row[i][j]);
    }
    bool tall = strstr(jn_str_c(out) + start, "\\frac");
    jn_str_add(out, tall ? " \\\\[3pt]\n" : " \\\\\n");
}

/* The rows as paragraphs. */
static void write_long_rows(jn_str *out, const jn_page *p, const jn_table_item *t)
{
    for (int i = 0; i < t->nrows; i++) {
        jn_str_add(out, "\\par\\noindent\\hangindent=2em ");
        for (int j = 0; j < t->ncols; j++) {
            jn_str_add(out, j ? "\\quad " : "");
            jni_latex_line(out, p, &t->row[i][j]);
        }
        jn_str_addc(out, '\n');
    }
    jn_str_add(out, "\\par\n");
}

static void write_table(jn_str *out, const jn_page *p, const jn_table_item *t)
{
    int widest = last_column_width(p, t);
    if (widest > LONG_ROW) {
        write_long_rows(out, p, t);
        return;
    }
    for (int from = t->headed; from < t->nrows; from += TABLE_ROWS) {
        begin_table(out, t, widest > LONG_CELL);
        if (t->headed) {
            jni_latex_row(out, p, t, 0, jni_latex_line);
            jn_str_add(out, "\\hline\n");
        }
        for (int i = from; i < t->nrows && i < from + TABLE_ROWS; i++)
            jni_latex_row(out, p, t, i, jni_latex_line);
        jn_str_add(out, "\\end{tabular}\n\\end{center}\n");
    }
}

/* ---- matrices ------------------------------------------------------------------------------ */

static const jn_line *cell_at(const jn_matrix_item *m, int i, int j)
{
    for (int k = 0; k < m->row[i].n; k++)
        if (m->row[i].cell[k].col == j)
            return &m->row[i].cell[k].line;
    return NULL;
}

/* Columns of text, the space between columns included. */
static int column_width(const jn_page *p, const jn_matrix_item *m, int j, bool labelled)
{
    int widest = labelled ? jni_latex_width(p, &m->col_label[j]) : 1;
    for (int i = 0; i < m->nrows; i++) {
        const jn_line *l = cell_at(m, i, j);
        int w = l ? jni_latex_width(p, l) : 1;
        widest = w > widest ? w : widest;
    }
    return widest + 1;
}

static int label_width(const jn_page *p, const jn_matrix_item *m)
{
    int widest = 0;
    for (int i = 0; i < m->nrows; i++) {
        int w = jni_latex_width(p, &m->row_label[i]);
        widest = w > widest ? w : widest;
    }
    return widest + 1;
}

static void begin_array(jn_str *out, const jn_matrix_item *m, int from, int to, bool labelled)
{
    jn_str_add(out, labelled ? "\\begin{array}{r|" : "\\left(\\begin{array}{");
    for (int j = from; j < to; j++)
        jn_str_add(out, m->rule_before[j] && j > from ? "|c" : "c");
    jn_str_add(out, "}\n");
}

static void write_array(jn_str *out, const jn_page *p, const jn_matrix_item *m, int from, int to,
                        bool labelled)
{
    begin_array(out, m, from, to, labelled);
    for (int j = from; j < to && labelled; j++) {
        jn_str_add(out, " & ");
        jni_latex_math_line(out, p, &m->col_label[j]);
    }
    jn_str_add(out, labelled ? " \\\\ \\hline\n" : "");
    for (int i = 0; i < m->nrows; i++) {
        jn_str_add(out, m->rule_above[i] ? "\\hline\n" : "");
        if (labelled)
            jni_latex_math_line(out, p, &m->row_label[i]);
        for (int j = from; j < to; j++) {
            const jn_line *cell = cell_at(m, i, j);
            jn_str_add(out, labelled || j > from ? " & " : "");
            if (cell)
                jni_latex_math_line(out, p, cell);
            else
                jn_str_addc(out, '0');
        }
        jn_str_add(out, i + 1 < m->nrows ? " \\\\\n" : "\n");
    }
    jn_str_add(out, labelled ? "\\end{array}\n" : "\\end{array}\\right)\n");
}

static void write_display(jn_str *out, const jn_page *p, const jn_matrix_item *m, int from, int to,
                          bool small)
{
    bool whole = from == 0 && to == m->ncols;
    jn_str_add(out, small ? "{\\footnotesize" : "{");
    jn_str_add(out, "\\setlength{\\arraycolsep}{3pt}\\renewcommand{\\arraystretch}{1.3}\n\\[\n");
    jni_latex_math_line(out, p, &m->label);
    if (whole)
        jn_str_add(out, " =\n");
    else
        jn_str_addf(out, "_{\\,%d\\ldots %d}:\\quad\n", from + 1, to);
    write_array(out, p, m, from, to, !whole);
    jn_str_add(out, "\\]}\n");
}

static void write_list(jn_str *out, const jn_page *p, const jn_matrix_item *m)
{
    jn_str_add(out, "\\noindent $");
    jni_latex_math_line(out, p, &m->label);
    jn_str_addf(out, "$, %d by %d, row, column: value; the other entries are zero.\\par\n",
                m->nrows, m->ncols);
    for (int i = 0; i < m->nrows; i++)
        for (int k = 0; k < m->row[i].n; k++) {
            const jn_cell *c = &m->row[i].cell[k];
            jn_str_add(out, "\\noindent ");
            jni_latex_line(out, p, &m->row_label[i]);
            jn_str_add(out, ", ");
            jni_latex_line(out, p, &m->col_label[c->col]);
            jn_str_add(out, ": ");
            jni_latex_line(out, p, &c->line);
            jn_str_add(out, "\\par\n");
        }
}

/* The first column that no longer fits on the line with those from `from` on. */
static int block_end(const jn_page *p, const jn_matrix_item *m, int from)
{
    int used = label_width(p, m) + column_width(p, m, from, true), to = from + 1;
    while (to < m->ncols && (used += column_width(p, m, to, true)) <= SMALL_LINE)
        to++;
    return to;
}

static void write_blocks(jn_str *out, const jn_page *p, const jn_matrix_item *m)
{
    int nblocks = 0, end[COLUMNS_MAX];
    for (int from = 0; from < m->ncols; from = end[nblocks++])
        end[nblocks] = block_end(p, m, from);
    if (nblocks > BLOCKS_MAX) {
        write_list(out, p, m);
        return;
    }
    for (int i = 0; i < nblocks; i++)
        write_display(out, p, m, i ? end[i - 1] : 0, end[i], true);
}

static void write_matrix(jn_str *out, const jn_page *p, const jn_matrix_item *m)
{
    if (m->nrows == 0 || m->ncols == 0)
        return;
    if (m->ncols > COLUMNS_MAX) {
        write_list(out, p, m);
        return;
    }
    int width = 0;
    for (int j = 0; j < m->ncols; j++)
        width += column_width(p, m, j, false);
    if (width <= SMALL_LINE)
        write_display(out, p, m, 0, m->ncols, width > LINE);
    else
        write_blocks(out, p, m);
}

/* ---- the page ------------------------------------------------------------------------------ */

static void write_item(jn_str *out, const jn_page *p, const jn_item *item)
{
    switch (item->kind) {
    case JN_ITEM_HEADING:
        jn_str_add(out, item->level == 1 ? "\\subsection*{" : "\\subsubsection*{");
        jni_latex_line(out, p, &item->line);
        jn_str_add(out, "}\n");
        break;
    case JN_ITEM_PARAGRAPH:
        jni_latex_line(out, p, &item->line);
        jn_str_add(out, "\n\n");
        break;
    case JN_ITEM_TABLE:
        write_table(out, p, &item->table);
        break;
    case JN_ITEM_MATRIX:
        write_matrix(out, p, &item->matrix);
        break;
    }
}

void jn_page_latex(jn_str *out, const jn_page *p)
{
    for (const jn_item *item = p->first; item; item = item->next)
        if (item->who != JN_FOR_TEXT)
            write_item(out, p, item);
}
