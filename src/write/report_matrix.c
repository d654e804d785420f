/* report_matrix.c: how the matrices of a report are laid out, and their arrays.
 *
 * A long entry is named, A_{1,2}, and told below. A matrix may shrink a little to fit on the line; a
 * wider one is split into blocks of columns. One that would need many of them, or is higher than a
 * page, is listed by its entries. Widths are judged by the length of the text; LaTeX sees to the
 * rest. */
#include "page_latex.h"
#include "report_matrix.h"

enum {
    LINE = 88,   /* columns of text on a line, after shrinking */
    HEIGHT = 40, /* rows on a page */
    WHOLE = 125, /* columns of text that may turn out to fit on a line */
    BLOCKS_MAX = 4,
    ENTRY = 44,        /* columns of the longest entry that is not named, */
    NAME = 5,          /* and those of a name */
    SEPARATION = 2,    /* of columns */
    LABEL_PERCENT = 70 /* names stand in subscripts */
};

static const jn_line *cell_at(const jn_matrix_item *m, int i, int j)
{
    for (int k = 0; k < m->row[i].n; k++)
        if (m->row[i].cell[k].col == j)
            return &m->row[i].cell[k].line;
    return NULL;
}

/* ---- splitting ----------------------------------------------------------------------------- */

static int widest_label(const jn_page *p, const jn_matrix_item *m)
{
    int widest = 0;
    for (int i = 0; i < m->nrows; i++) {
        int w = jni_latex_width(p, &m->row_label[i]);
        widest = w > widest ? w : widest;
    }
    return widest + SEPARATION;
}

static bool is_named(const jn_page *p, const jn_line *entry)
{
    return jni_latex_width(p, entry) > ENTRY;
}

/* The widths of all columns, in one walk over the entries. */
static void find_widths(int *width, const jn_page *p, const jn_matrix_item *m)
{
    for (int j = 0; j < m->ncols; j++)
        width[j] = jni_latex_width(p, &m->col_label[j]) * LABEL_PERCENT / 100;
    for (int i = 0; i < m->nrows; i++)
        for (int k = 0; k < m->row[i].n; k++) {
            const jn_cell *c = &m->row[i].cell[k];
            int w = jni_latex_width(p, &c->line);
            w = w > ENTRY ? NAME : w;
            if (w > width[c->col])
                width[c->col] = w;
        }
}

/* Mostly zeros: a list says more than several arrays. */
static bool is_sparse(const jn_matrix_item *m)
{
    int entries = 0;
    for (int i = 0; i < m->nrows; i++)
        entries += m->row[i].n;
    return 5 * entries < m->nrows * m->ncols;
}

jn_report_split jni_report_split_matrix(const jn_page *p, const jn_matrix_item *m)
{
    jn_report_split s = {0};
    if (m->nrows > HEIGHT || m->ncols > LINE / SEPARATION * BLOCKS_MAX)
        return s;
    int *width = jn_arena_alloc(p->arena, (size_t)m->ncols * sizeof *width);
    int label = widest_label(p, m), used = label, all = label;
    find_widths(width, p, m);
    for (int j = 0; j < m->ncols; j++) {
        all += width[j] + SEPARATION;
        used += width[j] + SEPARATION;
        if (used > LINE && used > label + width[j] + SEPARATION) {
            if (s.n + 1 == BLOCKS_MAX)
                return (jn_report_split){0};
            s.end[s.n++] = j;
            used = label + width[j] + SEPARATION;
        }
    }
    s.end[s.n++] = m->ncols;
    s.width = used;
    s.whole = all <= WHOLE;
    if (s.n > 2 && is_sparse(m))
        s.n = 0;
    return s;
}

/* ---- arrays -------------------------------------------------------------------------------- */

/* Where columns of blocks begin: a rule before them. */
static bool has_rule(const jn_matrix_item *m, int j, int from)
{
    return j > from && m->rule_before[j];
}

static void add_columns(jn_str *out, const jn_matrix_item *m, int from, int to)
{
    jn_str_add(out, m->row_block ? "{lr|" : "{r|");
    for (int j = from; j < to; j++)
        jn_str_add(out, has_rule(m, j, from) ? "|c" : "c");
    jn_str_add(out, "}\n");
}

/* The names of the blocks of columns, above their labels. */
static void add_column_blocks(jn_str *out, const jn_matrix_item *m, int from, int to)
{
    jn_str_add(out, m->row_block ? " & " : "");
    for (int j = from, next; j < to; j = next) {
        int first = j;
        for (next = j + 1; next < to && !m->col_block[next]; next++)
            ;
        while (first > 0 && !m->col_block[first])
            first--;
        jn_str_addf(out, " & \\multicolumn{%d}{c%s}{%s}", next - j, next < to ? "|" : "",
                    m->col_block[first]);
    }
    jn_str_add(out, " \\\\\n");
}

static void add_name(jn_str *out, const jn_page *p, const jn_matrix_item *m, int i, int j)
{
    jni_latex_math_line(out, p, &m->label);
    jn_str_addf(out, "_{%d,%d}", i + 1, j + 1);
}

static void add_row(jn_str *out, const jn_page *p, const jn_matrix_item *m, int i, int from, int to)
{
    jn_str_add(out, i > 0 && m->rule_above[i] ? "\\hline\n" : "");
    if (m->row_block) {
        jn_str_add(out, m->row_block[i] ? m->row_block[i] : "");
        jn_str_add(out, " & ");
    }
    jni_latex_math_line(out, p, &m->row_label[i]);
    for (int j = from; j < to; j++) {
        const jn_line *cell = cell_at(m, i, j);
        jn_str_add(out, " & ");
        if (cell && is_named(p, cell))
            add_name(out, p, m, i, j);
        else if (cell)
            jni_latex_math_line(out, p, cell);
        else
            jn_str_addc(out, '0');
    }
    jn_str_add(out, i + 1 < m->nrows ? " \\\\\n" : "\n");
}

void jni_report_array(jn_str *out, const jn_page *p, const jn_matrix_item *m, int from, int to)
{
    jn_str_add(out, "\\begin{array}");
    add_columns(out, m, from, to);
    if (m->col_block)
        add_column_blocks(out, m, from, to);
    jn_str_add(out, m->row_block ? " & " : "");
    for (int j = from; j < to; j++) {
        jn_str_add(out, " & ");
        jni_latex_math_line(out, p, &m->col_label[j]);
    }
    jn_str_add(out, " \\\\ \\hline\n");
    for (int i = 0; i < m->nrows; i++)
        add_row(out, p, m, i, from, to);
    jn_str_add(out, "\\end{array}");
}

void jni_report_named(jn_str *out, const jn_page *p, const jn_matrix_item *m)
{
    for (int i = 0; i < m->nrows; i++)
        for (int k = 0; k < m->row[i].n; k++) {
            const jn_cell *c = &m->row[i].cell[k];
            if (!is_named(p, &c->line))
                continue;
            jn_str_addc(out, '$');
            add_name(out, p, m, i, c->col);
            jn_str_add(out, " = ");
            jni_latex_math_line(out, p, &c->line);
            jn_str_add(out, "$\n\n");
        }
}
