/* page_latex_matrix.c: how the matrices of a page are laid out, and their arrays.
 *
 * A matrix that does not fit on the line is split into blocks of columns. One that would need many
 * of them, or is higher than a page, is listed by its entries. Where a form wants it, a long entry is
 * named, A_{1,2}, and told below. Widths are judged by the length of the text; LaTeX sees to the
 * rest. */
#include "page_latex.h"

static const jn_line *cell_at(const jn_matrix_item *m, int i, int j)
{
    for (int k = 0; k < m->row[i].n; k++)
        if (m->row[i].cell[k].col == j)
            return &m->row[i].cell[k].line;
    return NULL;
}

/* ---- splitting ----------------------------------------------------------------------------- */

enum { NAME = 5 }; /* columns of "A_1,2" */

static int widest_label(const jn_page *p, const jn_matrix_item *m)
{
    int widest = 0;
    for (int i = 0; i < m->nrows; i++) {
        int w = jni_latex_width(p, &m->row_label[i]);
        widest = w > widest ? w : widest;
    }
    return widest;
}

static bool is_named(const jn_page *p, const jn_line *entry, const jni_latex_room *room)
{
    return jni_latex_width(p, entry) > room->entry;
}

/* The widths of all columns and what separates them, in one walk over the entries. */
static void find_widths(int *width, const jn_page *p, const jn_matrix_item *m,
                        const jni_latex_room *room, int label_percent)
{
    for (int j = 0; j < m->ncols; j++) {
        int w = label_percent ? jni_latex_width(p, &m->col_label[j]) * label_percent / 100 : 0;
        width[j] = (w > 1 ? w : 1) + room->separation;
    }
    for (int i = 0; i < m->nrows; i++)
        for (int k = 0; k < m->row[i].n; k++) {
            const jn_cell *c = &m->row[i].cell[k];
            int w = jni_latex_width(p, &c->line);
            w = (w > room->entry ? NAME : w) + room->separation;
            if (w > width[c->col])
                width[c->col] = w;
        }
}

int jni_latex_bare_width(const jn_page *p, const jn_matrix_item *m, const jni_latex_room *room)
{
    int *width = jn_arena_alloc(p->arena, (size_t)m->ncols * sizeof *width), sum = 0;
    find_widths(width, p, m, room, 0);
    for (int j = 0; j < m->ncols; j++)
        sum += width[j];
    return sum;
}

bool jni_latex_is_sparse(const jn_matrix_item *m)
{
    int entries = 0;
    for (int i = 0; i < m->nrows; i++)
        entries += m->row[i].n;
    return 5 * entries < m->nrows * m->ncols;
}

jni_latex_split jni_latex_split_matrix(const jn_page *p, const jn_matrix_item *m,
                                       const jni_latex_room *room)
{
    jni_latex_split s = {0};
    if (m->nrows > room->rows || m->ncols > room->cols)
        return s;
    int *width = jn_arena_alloc(p->arena, (size_t)m->ncols * sizeof *width);
    int label = widest_label(p, m) + room->separation, used = label;
    find_widths(width, p, m, room, room->label_percent);
    s.whole = label;
    for (int j = 0; j < m->ncols; j++) {
        s.whole += width[j];
        used += width[j];
        if (used > room->line && used > label + width[j]) {
            if (s.n + 1 == room->blocks)
                return (jni_latex_split){0};
            s.end[s.n++] = j;
            used = label + width[j];
        }
    }
    s.end[s.n++] = m->ncols;
    s.width = used;
    return s;
}

/* ---- arrays -------------------------------------------------------------------------------- */

/* Where columns of blocks begin: a rule before them. */
static void add_columns(jn_str *out, const jn_matrix_item *m, int from, int to)
{
    for (int j = from; j < to; j++)
        jn_str_add(out, j > from && m->rule_before[j] ? "|c" : "c");
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

static void add_head(jn_str *out, const jn_page *p, const jn_matrix_item *m, int from, int to)
{
    if (m->col_block)
        add_column_blocks(out, m, from, to);
    jn_str_add(out, m->row_block ? " & " : "");
    for (int j = from; j < to; j++) {
        jn_str_add(out, " & ");
        jni_latex_math(out, p, &m->col_label[j]);
    }
    jn_str_add(out, " \\\\ \\hline\n");
}

static void add_name(jn_str *out, const jn_page *p, const jn_matrix_item *m, int i, int j)
{
    jni_latex_math(out, p, &m->label);
    jn_str_addf(out, "_{%d,%d}", i + 1, j + 1);
}

/* room: NULL if no entry is named. */
static void add_cells(jn_str *out, const jn_page *p, const jn_matrix_item *m, int i, int from,
                      int to, const jni_latex_room *room)
{
    for (int j = from; j < to; j++) {
        const jn_line *cell = cell_at(m, i, j);
        jn_str_add(out, j > from ? " & " : "");
        if (cell && room && is_named(p, cell, room))
            add_name(out, p, m, i, j);
        else if (cell)
            jni_latex_math(out, p, cell);
        else
            jn_str_addc(out, '0');
    }
    jn_str_add(out, i + 1 < m->nrows ? " \\\\\n" : "\n");
}

void jni_latex_array(jn_str *out, const jn_page *p, const jn_matrix_item *m, int from, int to,
                     const jni_latex_room *room)
{
    jn_str_add(out, m->row_block ? "\\begin{array}{lr|" : "\\begin{array}{r|");
    add_columns(out, m, from, to);
    add_head(out, p, m, from, to);
    for (int i = 0; i < m->nrows; i++) {
        jn_str_add(out, i > 0 && m->rule_above[i] ? "\\hline\n" : "");
        if (m->row_block) {
            jn_str_add(out, m->row_block[i] ? m->row_block[i] : "");
            jn_str_add(out, " & ");
        }
        jni_latex_math(out, p, &m->row_label[i]);
        jn_str_add(out, " & ");
        add_cells(out, p, m, i, from, to, room);
    }
    jn_str_add(out, "\\end{array}");
}

void jni_latex_bare_array(jn_str *out, const jn_page *p, const jn_matrix_item *m)
{
    jn_str_add(out, "\\left(\\begin{array}{");
    add_columns(out, m, 0, m->ncols);
    for (int i = 0; i < m->nrows; i++) {
        jn_str_add(out, i > 0 && m->rule_above[i] ? "\\hline\n" : "");
        add_cells(out, p, m, i, 0, m->ncols, NULL);
    }
    jn_str_add(out, "\\end{array}\\right)");
}

void jni_latex_named(jn_str *out, const jn_page *p, const jn_matrix_item *m,
                     const jni_latex_form *form)
{
    for (int i = 0; i < m->nrows; i++)
        for (int k = 0; k < m->row[i].n; k++) {
            const jn_cell *c = &m->row[i].cell[k];
            if (!is_named(p, &c->line, &form->room))
                continue;
            jn_str_add(out, form->math_on);
            add_name(out, p, m, i, c->col);
            jn_str_add(out, " = ");
            jni_latex_math(out, p, &c->line);
            jn_str_add(out, form->math_off);
            jn_str_add(out, "\n\n");
        }
}

/* ---- lists --------------------------------------------------------------------------------- */

void jni_latex_entries(jn_str *out, const jn_page *p, const jn_matrix_item *m,
                       const jni_latex_form *form)
{
    int shown = 0;
    for (int i = 0; i < m->nrows; i++)
        for (int k = 0; k < m->row[i].n && shown < form->entries; k++, shown++) {
            const jn_cell *c = &m->row[i].cell[k];
            const jn_line *part[] = {&m->row_label[i], &m->col_label[c->col], &c->line};
            for (int j = 0; j < 3; j++) {
                jn_str_add(out, form->entry[j]);
                jni_latex_line(out, p, part[j], form);
            }
            jn_str_add(out, form->entry[3]);
        }
}
