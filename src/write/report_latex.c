/* report_latex.c: a report as a LaTeX document. */
#include <stdlib.h>
#include <string.h>

#include "page_latex.h"
#include "report_internal.h"
#include "report_matrix.h"
#include "report_parts.h"

/* Lengths in columns of text. */
enum {
    LINE = 84,
    SMALL_LINE = 104, /* the same in \\footnotesize */
    NARROWEST = 14,   /* column that breaks its lines */
    NARROW_ROWS = 25, /* a table that need not be broken between pages */
    PACKED = 88,      /* matrices side by side */
    LABEL = 6,        /* of a matrix: "A = " */
    LEGIBLE = 30      /* per cent of natural size: a smaller drawing stands beside the report */
};

/* ---- tables -------------------------------------------------------------------------------- */

/* The natural widths of the columns; returns their sum. */
static int find_widths(int *width, const jn_page *p, const jn_table_item *t)
{
    int sum = 0;
    for (int j = 0; j < t->ncols; j++) {
        width[j] = 0;
        for (int i = 0; i < t->nrows; i++) {
            int w = jni_latex_width(p, &t->row[i][j]);
            width[j] = w > width[j] ? w : width[j];
        }
        sum += width[j] + 2;
    }
    return sum;
}

/* How a table that is too wide is made to fit. */
typedef struct {
    int line;  /* columns of text that fit beside each other: more in small type */
    int limit; /* at which wider columns break their lines; 0: none does */
} fitting;

/* The largest limit that makes the table fit; 0: it would be too narrow to be read. The space
 * between columns does not shrink with the type. */
static int broken_at(const int *width, int n, int line)
{
    int between = line > LINE ? 3 : 2;
    for (int limit = line; limit >= NARROWEST; limit--) {
        int sum = 0;
        for (int j = 0; j < n; j++)
            sum += (width[j] < limit ? width[j] : limit) + between;
        if (sum <= line)
            return limit;
    }
    return 0;
}

/* Several columns with broken lines want small type. */
static fitting fit_columns(const int *width, int n, int sum)
{
    fitting f = {LINE, sum > LINE ? broken_at(width, n, LINE) : 0};
    int broken = 0;
    for (int j = 0; j < n; j++)
        broken += f.limit && width[j] > f.limit;
    if (sum > LINE && broken != 1)
        f = (fitting){SMALL_LINE, broken_at(width, n, SMALL_LINE)};
    return f;
}

static void add_columns(jn_str *out, const int *width, int n, fitting f)
{
    for (int j = 0; j < n; j++)
        if (f.limit && width[j] > f.limit)
            jn_str_addf(out, ">{\\raggedright\\arraybackslash}p{%.2f\\linewidth}",
                        (double)(f.limit + 2) / (f.line + 6));
        else
            jn_str_addc(out, 'l');
}

static void write_table(jn_str *out, const jn_page *p, const jn_table_item *t)
{
    if (t->nrows <= t->headed) /* nothing below the heads */
        return;
    int *width = jn_alloc((size_t)t->ncols * sizeof *width);
    int sum = find_widths(width, p, t);
    fitting f = fit_columns(width, t->ncols, sum);
    bool shrunk = f.limit == 0 && (sum > LINE || t->nrows <= NARROW_ROWS);
    jn_str_add(out, f.line > LINE ? "{\\footnotesize\n" : "");
    jn_str_add(out,
               shrunk ? "\\par\\vspace{4pt}\\fit{\\begin{tabular}{@{}" : "\\begin{longtable}{@{}");
    add_columns(out, width, t->ncols, f);
    jn_str_add(out, "@{}}\n");
    if (t->headed) {
        jn_str_add(out, "\\toprule\n");
        jni_latex_row(out, p, t, 0, jni_report_line);
        jn_str_add(out, shrunk ? "\\midrule\n" : "\\midrule\n\\endhead\n");
    }
    for (int i = t->headed; i < t->nrows; i++)
        jni_latex_row(out, p, t, i, jni_report_line);
    jn_str_add(out, t->headed ? "\\bottomrule\n" : "");
    jn_str_add(out, shrunk ? "\\end{tabular}}\\par\\vspace{4pt}\n" : "\\end{longtable}\n");
    jn_str_add(out, f.line > LINE ? "}\n" : "");
    free(width);
}

/* ---- matrices ------------------------------------------------------------------------------ */

static void write_entries(jn_str *out, const jn_page *p, const jn_matrix_item *m)
{
    int shown = 0;
    jn_str_add(out, "\\room{6}$");
    jni_latex_math_line(out, p, &m->label);
    jn_str_add(out, "$");
    jni_report_count_entries(out, m);
    jn_str_add(out,
               "\\begin{longtable}{@{}ll>{\\raggedright\\arraybackslash}p{0.5\\linewidth}@{}}\n"
               "\\toprule\nrow & column & value \\\\\n\\midrule\n\\endhead\n");
    for (int i = 0; i < m->nrows; i++)
        for (int k = 0; k < m->row[i].n && shown < JN_REPORT_ENTRIES; k++, shown++) {
            const jn_cell *c = &m->row[i].cell[k];
            jn_str_add(out, "\\squeeze{");
            jni_report_line(out, p, &m->row_label[i]);
            jn_str_add(out, "} & \\squeeze{");
            jni_report_line(out, p, &m->col_label[c->col]);
            jn_str_add(out, "} & ");
            jni_report_line(out, p, &c->line);
            jn_str_add(out, " \\\\\n");
        }
    jn_str_add(out, "\\bottomrule\n\\end{longtable}\n");
}

static void add_array(jn_str *out, const jn_page *p, const jn_matrix_item *m, int from, int to)
{
    jni_latex_math_line(out, p, &m->label);
    if (from > 0 || to < m->ncols)
        jn_str_addf(out, "_{\\cdot,\\,%d\\ldots%d}", from + 1, to);
    jn_str_add(out, " = ");
    jni_report_array(out, p, m, from, to);
}

static bool is_matrix(const jn_item *item)
{
    return item && item->kind == JN_ITEM_MATRIX && item->who == JN_FOR_ALL;
}

/* A matrix, and those after it that fit on the same line; returns the last one written. */
static const jn_item *write_matrices(jn_str *out, const jn_page *p, const jn_item *item)
{
    const jn_matrix_item *m = &item->matrix;
    const jn_item *first = item;
    if (m->nrows == 0 || m->ncols == 0)
        return item;
    jn_report_split s = jni_report_split_matrix(p, m);
    if (s.n == 0) {
        write_entries(out, p, m);
        return item;
    }
    bool measured = s.n > 1 && s.whole;
    if (measured) {
        jn_str_add(out, "\\wholematrix{");
        add_array(out, p, m, 0, m->ncols);
        jn_str_add(out, "}{%\n");
    }
    for (int i = 0; i < s.n; i++) {
        jn_str_add(out, i ? "}\n\\fitmatrix{" : "\\fitmatrix{");
        add_array(out, p, m, i ? s.end[i - 1] : 0, s.end[i]);
    }
    int used = s.width;
    while (s.n == 1 && is_matrix(item->next) && item->next->matrix.ncols) {
        s = jni_report_split_matrix(p, &item->next->matrix);
        used += s.width + LABEL;
        if (s.n != 1 || used > PACKED)
            break;
        item = item->next;
        jn_str_add(out, "\\qquad ");
        add_array(out, p, &item->matrix, 0, item->matrix.ncols);
    }
    jn_str_add(out, measured ? "}}\n" : "}\n");
    for (const jn_item *i = first; i != item->next; i = i->next)
        jni_report_named(out, p, &i->matrix);
    return item;
}

/* ---- pages --------------------------------------------------------------------------------- */

/* Below a heading, so that it does not stand alone at the foot of a page: for the headings and
 * paragraphs that follow, and for the beginning of a table or a matrix. */
static int lines_wanted(const jn_item *heading)
{
    int lines = 4;
    for (const jn_item *i = heading->next; i; i = i->next) {
        if (i->kind == JN_ITEM_TABLE || i->kind == JN_ITEM_MATRIX)
            return lines + 6;
        lines += i->kind == JN_ITEM_HEADING ? 3 : 2;
        if (lines > 12)
            break;
    }
    return lines;
}

static void write_item(jn_str *out, const jn_page *p, const jn_item *item)
{
    static const char *const heading[] = {"section{", "subsection{", "subsubsection*{"};
    switch (item->kind) {
    case JN_ITEM_HEADING:
        jn_str_addf(out, "\\room{%d}\\%s", lines_wanted(item), heading[item->level]);
        jni_report_line(out, p, &item->line);
        jn_str_add(out, "}\n");
        break;
    case JN_ITEM_PARAGRAPH:
        jni_report_line(out, p, &item->line);
        jn_str_add(out, "\n\n");
        break;
    case JN_ITEM_TABLE:
        write_table(out, p, &item->table);
        break;
    case JN_ITEM_MATRIX:
        break; /* see write_page */
    }
}

static void write_page(jn_str *out, const jn_page *p)
{
    for (const jn_item *item = p->first; item; item = item->next)
        if (is_matrix(item))
            item = write_matrices(out, p, item);
        else if (item->who == JN_FOR_ALL)
            write_item(out, p, item);
}

/* ---- the other parts ----------------------------------------------------------------------- */

/* What a reader of PDF shows as the document's properties. */
static void add_properties(jn_str *out, const jn_graph *g)
{
    jn_str_add(out, "\\hypersetup{pdftitle={");
    jn_latex_text(out, g->title ? g->title : g->name);
    jn_str_add(out, "},pdfsubject={Hybrid bond graph ");
    jn_latex_text(out, g->name);
    jn_str_add(out,
               ": causality and equations of all modes},pdfauthor={junct},pdfcreator={junct}}\n");
}

static void begin(jn_str *out, const jn_report *r)
{
    const jn_graph *g = r->junction->graph;
    jn_str_add(out, "\\documentclass[11pt]{article}\n");
    jn_str_add(out, jni_part_fonts);
    jn_str_add(out, jni_part_drawing);
    jn_str_add(out, jni_part_preamble);
    add_properties(out, g);
    jn_str_add(out, "\n\\begin{document}\n\\begin{center}\n{\\LARGE\\bfseries ");
    jn_latex_text(out, g->title ? g->title : g->name);
    jn_str_add(out, "\\par}\n\\vspace{6pt}Hybrid bond graph \\texttt{");
    jn_latex_text(out, g->name);
    jn_str_add(out, "}: causality and equations of all modes\n\\end{center}\n\n");
    jn_str_add(out, "\\setcounter{tocdepth}{1}\\tableofcontents\n\n");
}

static void end(jn_str *out)
{
    jn_str_add(out, "\\end{document}\n");
}

/* Blanks count: those at the beginning, and of several all but one, which may break the line. */
static void add_model_line(jn_str *out, const char *line, size_t length)
{
    jn_str word;
    jn_str_init(&word);
    jn_str_add(out, "\\modelline{");
    for (size_t i = 0; i < length;) {
        size_t blanks = 0;
        while (i + blanks < length && (line[i + blanks] == ' ' || line[i + blanks] == '\t'))
            blanks++;
        for (size_t k = i == 0 ? 0 : 1; k < blanks; k++)
            jn_str_add(out, "\\ ");
        if (i > 0 && blanks)
            jn_str_addc(out, ' ');
        i += blanks;
        size_t n = 0;
        while (i + n < length && line[i + n] != ' ' && line[i + n] != '\t')
            n++;
        jn_str_reset(&word);
        jn_str_addn(&word, line + i, n);
        jn_latex_text(out, jn_str_c(&word));
        i += n;
    }
    jn_str_add(out, "}\n");
    jn_str_clear(&word);
}

static void write_listing(jn_str *out, const jn_source *s)
{
    const char *line, *at = s->text, *stop = s->text + s->len;
    size_t length;
    int n = 0;
    jn_str_add(out, "\\begin{modelfile}\n");
    while (n < JN_REPORT_LINES && jni_report_next_line(&line, &length, &at, stop)) {
        add_model_line(out, line, length);
        n++;
    }
    jn_str_add(out, "\\end{modelfile}\n");
    if (at < stop)
        jn_str_addf(out, "The first %d lines.\n\n", n);
}

bool jn_report_has_room(const jn_drawing *d)
{
    return jn_drawing_tikz_scale(d) * 100 >= LEGIBLE;
}

static void write_drawing(jn_str *out, const jn_report *r)
{
    if (!jn_report_has_room(r->drawing)) {
        jn_str_addf(out, "The drawing is too large for a page%s",
                    r->picture ? ": see \\texttt{" : "");
        if (r->picture) {
            jn_latex_text(out, r->picture);
            jn_str_addc(out, '}');
        }
        jn_str_add(out, ".\n\n");
        return;
    }
    jn_str_add(out, "\\begin{center}\n");
    jn_drawing_tikz(out, r->drawing, false);
    jn_str_add(out, "\\end{center}\n");
}

static void write_plot(jn_str *out, const jn_plot *p, const char *picture)
{
    (void)picture;
    jn_plot_latex(out, p);
}

const jn_report_writer jni_report_latex = {begin,         write_page, write_listing,
                                           write_drawing, write_plot, end};
