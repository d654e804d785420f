/* page_latex.h: shared by the files that write pages as LaTeX. */
#ifndef WRITE_PAGE_LATEX_H
#define WRITE_PAGE_LATEX_H

#include "junct/page.h"

/* A line in running text; spans of mathematics that touch share their dollars. */
void jn_latex_line(jn_str *out, const jn_page *p, const jn_line *l);
/* A line, and a span, inside mathematics. */
void jn_latex_math_line(jn_str *out, const jn_page *p, const jn_line *l);
void jn_latex_span(jn_str *out, const jn_page *p, const jn_span *s);
/* How wide a line is, in columns of text: LaTeX alone knows better. */
int jn_latex_width(const jn_page *p, const jn_line *l);

#endif
