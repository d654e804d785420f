/* page_latex.h: shared by the files that write pages as LaTeX. */
#ifndef WRITE_PAGE_LATEX_H
#define WRITE_PAGE_LATEX_H

#include "junct/page.h"

/* A line in running text; spans of mathematics that touch share their dollars. */
void jni_latex_line(jn_str *out, const jn_page *p, const jn_line *l);
/* A line, and a span, inside mathematics. */
void jni_latex_math_line(jn_str *out, const jn_page *p, const jn_line *l);
void jni_latex_span(jn_str *out, const jn_page *p, const jn_span *s);
/* A row of a table, its cells written by that; fractions get some room below them. */
typedef void jn_latex_line_writer(jn_str *out, const jn_page *p, const jn_line *l);
void jni_latex_row(jn_str *out, const jn_page *p, const jn_table_item *t, int i,
                  jn_latex_line_writer *write_line);
/* How wide a line is, in columns of text: LaTeX alone knows better. */
int jni_latex_width(const jn_page *p, const jn_line *l);

#endif
