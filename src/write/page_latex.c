/* page_latex.c: the walk over a page in LaTeX, and the form of listings, which stand in any
 * document that uses amsmath.
 *
 * In a listing a matrix that fits on the page stands in brackets, as in a paper; the page says
 * which vectors it belongs to. */
#include <limits.h>
#include <string.h>

#include "page_latex.h"

void jni_latex_page(jn_str *out, const jn_page *p, const jni_latex_form *form)
{
    for (const jn_item *item = p->first; item; item = item->next) {
        if (item->who != JN_FOR_ALL && item->who != form->who)
            continue;
        switch (item->kind) {
        case JN_ITEM_HEADING:
            form->begin_heading(out, item);
            jni_latex_line(out, p, &item->line, form);
            jn_str_add(out, form->end_heading);
            break;
        case JN_ITEM_PARAGRAPH:
            jni_latex_line(out, p, &item->line, form);
            jn_str_add(out, "\n\n");
            break;
        case JN_ITEM_TABLE:
            form->table(out, p, &item->table);
            break;
        case JN_ITEM_MATRIX:
            if (item->matrix.nrows && item->matrix.ncols)
                item = form->matrices(out, p, item);
            break;
        }
    }
}

void jni_latex_row(jn_str *out, const jn_page *p, const jn_table_item *t, int i,
                   const jni_latex_form *form)
{
    size_t start = out->len;
    for (int j = 0; j < t->ncols; j++) {
        jn_str_add(out, j ? " & " : "");
        jni_latex_line(out, p, &t->row[i][j], form);
    }
    bool tall = strstr(jn_str_c(out) + start, "\\frac");
    jn_str_add(out, tall ? " \\\\[3pt]\n" : " \\\\\n");
}

void jn_page_latex(jn_str *out, const jn_page *p)
{
    jni_latex_page(out, p, &jni_latex_listing);
}

/* ---- listings ------------------------------------------------------------------------------ */

/* Lengths as columns of text. */
enum {
    LINE = 68,       /* what about fills a line */
    SMALL_LINE = 88, /* the same in \footnotesize */
    LONG_CELL = 35,  /* a table's last column that must be broken into lines */
    LONG_ROW = 300,  /* a table that would not fit on a page */
    TABLE_ROWS = 40  /* on one page */
};

static void begin_heading(jn_str *out, const jn_item *item)
{
    jn_str_add(out, item->level == 1 ? "\\subsection*{" : "\\subsubsection*{");
}

static int last_column_width(const jn_page *p, const jn_table_item *t)
{
    int widest = 0;
    for (int i = 0; i < t->nrows; i++) {
        int w = jni_latex_width(p, &t->row[i][t->ncols - 1]);
        widest = w > widest ? w : widest;
    }
    return widest;
}

/* The rows as paragraphs. */
static void write_long_rows(jn_str *out, const jn_page *p, const jn_table_item *t)
{
    for (int i = 0; i < t->nrows; i++) {
        jn_str_add(out, "\\par\\noindent\\hangindent=2em ");
        for (int j = 0; j < t->ncols; j++) {
            jn_str_add(out, j ? "\\quad " : "");
            jni_latex_line(out, p, &t->row[i][j], &jni_latex_listing);
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
        jn_str_add(out, "\\begin{center}\n\\begin{tabular}{");
        jn_str_fill(out, 'l', t->ncols - 1);
        jn_str_add(out, widest > LONG_CELL ? "p{0.55\\linewidth}}\n" : "l}\n");
        if (t->headed) {
            jni_latex_row(out, p, t, 0, &jni_latex_listing);
            jn_str_add(out, "\\hline\n");
        }
        for (int i = from; i < t->nrows && i < from + TABLE_ROWS; i++)
            jni_latex_row(out, p, t, i, &jni_latex_listing);
        jn_str_add(out, "\\end{tabular}\n\\end{center}\n");
    }
}

static void begin_display(jn_str *out, const jn_page *p, const jn_matrix_item *m, bool small)
{
    jn_str_add(out, small ? "{\\footnotesize" : "{");
    jn_str_add(out, "\\setlength{\\arraycolsep}{3pt}\\renewcommand{\\arraystretch}{1.3}\n\\[\n");
    jni_latex_math(out, p, &m->label);
}

static void write_whole(jn_str *out, const jn_page *p, const jn_matrix_item *m, bool small)
{
    begin_display(out, p, m, small);
    jn_str_add(out, " =\n");
    jni_latex_bare_array(out, p, m);
    jn_str_add(out, "\n\\]}\n");
}

static void write_block(jn_str *out, const jn_page *p, const jn_matrix_item *m, int from, int to)
{
    begin_display(out, p, m, true);
    jn_str_addf(out, "_{\\,%d\\ldots %d}:\\quad\n", from + 1, to);
    jni_latex_array(out, p, m, from, to, &jni_latex_listing.room);
    jn_str_add(out, "\n\\]}\n");
}

static void write_list(jn_str *out, const jn_page *p, const jn_matrix_item *m)
{
    jn_str_add(out, "\\noindent $");
    jni_latex_math(out, p, &m->label);
    jn_str_addf(out, "$, %d by %d, row, column: value; the other entries are zero.\\par\n",
                m->nrows, m->ncols);
    jni_latex_entries(out, p, m, &jni_latex_listing);
}

static const jn_item *write_matrix(jn_str *out, const jn_page *p, const jn_item *item)
{
    const jn_matrix_item *m = &item->matrix;
    const jni_latex_room *room = &jni_latex_listing.room;
    int width = m->ncols <= room->cols ? jni_latex_bare_width(p, m, room) : INT_MAX;
    if (width <= SMALL_LINE) {
        write_whole(out, p, m, width > LINE);
        return item;
    }
    jni_latex_split s = jni_latex_split_matrix(p, m, room);
    for (int i = 0; i < s.n; i++)
        write_block(out, p, m, i ? s.end[i - 1] : 0, s.end[i]);
    if (s.n == 0)
        write_list(out, p, m);
    return item;
}

const jni_latex_form jni_latex_listing = {
    .who = JN_FOR_LATEX,
    .math_on = "$",
    .math_off = "$",
    .text = jn_latex_text,
    .room = {.line = SMALL_LINE,
             .separation = 1,
             .label_percent = 100,
             .rows = INT_MAX,
             .cols = 40,
             .blocks = 3,
             .entry = INT_MAX},
    .entry = {"\\noindent ", ", ", ": ", "\\par\n"},
    .entries = INT_MAX,
    .begin_heading = begin_heading,
    .end_heading = "}\n",
    .table = write_table,
    .matrices = write_matrix,
};
