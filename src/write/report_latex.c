/* report_latex.c: a report as a LaTeX document. */
#include <stdlib.h>
#include <string.h>

#include "junct/write_verify.h"
#include "page_latex.h"
#include "report_internal.h"
#include "report_parts.h"

/* Lengths in columns of text. */
enum {
    LINE = 84,
    SMALL_LINE = 104, /* the same in \\footnotesize */
    NARROWEST = 14,   /* column that breaks its lines */
    NARROW_ROWS = 25, /* a table that need not be broken between pages */
    PACKED = 88,      /* matrices side by side */
    WHOLE = 125,      /* that may turn out to fit on a line: LaTeX measures it */
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
        jni_latex_row(out, p, t, 0, &jni_latex_report);
        jn_str_add(out, shrunk ? "\\midrule\n" : "\\midrule\n\\endhead\n");
    }
    for (int i = t->headed; i < t->nrows; i++)
        jni_latex_row(out, p, t, i, &jni_latex_report);
    jn_str_add(out, t->headed ? "\\bottomrule\n" : "");
    jn_str_add(out, shrunk ? "\\end{tabular}}\\par\\vspace{4pt}\n" : "\\end{longtable}\n");
    jn_str_add(out, f.line > LINE ? "}\n" : "");
    free(width);
}

/* ---- matrices ------------------------------------------------------------------------------ */

static void write_entries(jn_str *out, const jn_page *p, const jn_matrix_item *m)
{
    jn_str_add(out, "\\room{6}$");
    jni_latex_math(out, p, &m->label);
    jn_str_add(out, "$");
    jni_report_count_entries(out, m);
    jn_str_add(out,
               "\\begin{longtable}{@{}ll>{\\raggedright\\arraybackslash}p{0.5\\linewidth}@{}}\n"
               "\\toprule\nrow & column & value \\\\\n\\midrule\n\\endhead\n");
    jni_latex_entries(out, p, m, &jni_latex_report);
    jn_str_add(out, "\\bottomrule\n\\end{longtable}\n");
}

static void add_array(jn_str *out, const jn_page *p, const jn_matrix_item *m, int from, int to)
{
    jni_latex_math(out, p, &m->label);
    if (from > 0 || to < m->ncols)
        jn_str_addf(out, "_{\\cdot,\\,%d\\ldots%d}", from + 1, to);
    jn_str_add(out, " = ");
    jni_latex_array(out, p, m, from, to, &jni_latex_report.room);
}

/* Blocks of columns, below each other; in one piece if LaTeX finds that it fits after all. */
static void write_blocks(jn_str *out, const jn_page *p, const jn_matrix_item *m,
                         const jni_latex_split *s)
{
    bool measured = s->whole <= WHOLE;
    if (measured) {
        jn_str_add(out, "\\wholematrix{");
        add_array(out, p, m, 0, m->ncols);
        jn_str_add(out, "}{%\n");
    }
    for (int i = 0; i < s->n; i++) {
        jn_str_add(out, i ? "}\n\\fitmatrix{" : "\\fitmatrix{");
        add_array(out, p, m, i ? s->end[i - 1] : 0, s->end[i]);
    }
    jn_str_add(out, measured ? "}}\n" : "}\n");
}

/* A matrix, and those after it that fit on the same line; returns the last one written. */
static const jn_item *write_beside(jn_str *out, const jn_page *p, const jn_item *item, int used)
{
    jn_str_add(out, "\\fitmatrix{");
    add_array(out, p, &item->matrix, 0, item->matrix.ncols);
    for (const jn_item *next = item->next; next && next->kind == JN_ITEM_MATRIX;
         next = next->next) {
        const jn_matrix_item *m = &next->matrix;
        if (m->ncols == 0)
            break;
        jni_latex_split s = jni_latex_split_matrix(p, m, &jni_latex_report.room);
        used += s.width + LABEL;
        if (s.n != 1 || used > PACKED)
            break;
        item = next;
        jn_str_add(out, "\\qquad ");
        add_array(out, p, m, 0, m->ncols);
    }
    jn_str_add(out, "}\n");
    return item;
}

static const jn_item *write_matrices(jn_str *out, const jn_page *p, const jn_item *item)
{
    const jn_item *last = item;
    jni_latex_split s = jni_latex_split_matrix(p, &item->matrix, &jni_latex_report.room);
    if (s.n == 0 || (s.n > 2 && jni_latex_is_sparse(&item->matrix))) {
        write_entries(out, p, &item->matrix);
        return item;
    }
    if (s.n > 1)
        write_blocks(out, p, &item->matrix, &s);
    else
        last = write_beside(out, p, item, s.width);
    for (const jn_item *i = item; i != last->next; i = i->next)
        jni_latex_named(out, p, &i->matrix, &jni_latex_report);
    return last;
}

/* ---- headings and text --------------------------------------------------------------------- */

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

static void begin_heading(jn_str *out, const jn_item *item)
{
    static const char *const heading[] = {"section{", "subsection{", "subsubsection*{"};
    jn_str_addf(out, "\\room{%d}\\%s", lines_wanted(item), heading[item->level]);
}

enum { LONG_WORD = 24, BREAK_EVERY = 8 };

/* Words too long for a line, as the digits of a mode, may be broken anywhere. */
static void add_text(jn_str *out, const char *s)
{
    jn_str word;
    jn_str_init(&word);
    while (*s) {
        size_t n = strcspn(s, " "), blanks = strspn(s + n, " ");
        size_t step = n > LONG_WORD ? BREAK_EVERY : n + blanks;
        for (size_t i = 0; i < n + blanks; i += step) {
            size_t left = n + blanks - i;
            while (step < left && (s[i + step] & 0xC0) == 0x80)
                step++; /* not inside of a character */
            jn_str_reset(&word);
            jn_str_addn(&word, s + i, step < left ? step : left);
            jn_latex_text(out, jn_str_c(&word));
            jn_str_add(out, step < left ? "\\allowbreak{}" : "");
        }
        s += n + blanks;
    }
    jn_str_clear(&word);
}

const jni_latex_form jni_latex_report = {
    .who = JN_FOR_ALL,
    .math_on = "$",
    .math_off = "$",
    .text = add_text,
    .shortens = true,
    .fits = true,
    .room = JN_REPORT_ROOM,
    .entry = {"\\squeeze{", "} & \\squeeze{", "} & ", " \\\\\n"},
    .entries = JN_REPORT_ENTRIES,
    .begin_heading = begin_heading,
    .end_heading = "}\n",
    .table = write_table,
    .matrices = write_matrices,
};

static void write_page(jn_str *out, const jn_page *p)
{
    jni_latex_page(out, p, &jni_latex_report);
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

static void write_switching(jn_str *out, const jn_report *r)
{
    jn_str_add(out, "Modes that can follow each other at an instant:\n\\begin{center}\n");
    jn_verify_graph_tikz(out, r->switching);
    jn_str_add(out, "\\end{center}\n");
}

static void write_plane(jn_str *out, const jn_report *r)
{
    jn_str_add(out, "\\begin{center}\n");
    jn_verify_plane_tikz(out, r->plane->is);
    jn_str_add(out, "\\end{center}\n");
}

const jn_report_writer jni_report_latex = {begin,      write_page, write_listing,   write_drawing,
                                           write_plot, end,        write_switching, write_plane};
