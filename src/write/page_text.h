/* page_text.h: shared by the files that write a page as text. */
#ifndef WRITE_PAGE_TEXT_H
#define WRITE_PAGE_TEXT_H

#include "junct/page.h"

/* A line of spans on one line of text. */
void jni_text_line(jn_str *out, const jn_page *p, const jn_line *l);
/* A value that is the line's only span, each of its cases on a line of its own. */
void jni_text_stacked(jn_str *out, const jn_page *p, const jn_line *l);
/* s in a field of so many columns; longer text is not cut. */
void jni_text_pad(jn_str *out, const char *s, int width);
void jni_text_pad_left(jn_str *out, const char *s, int width);
/* s broken at spaces into lines of at most `width` columns, those after the first indented. The
 * first begins at column `at`; a newline ends the last. */
void jni_text_wrap(jn_str *out, const char *s, int at, int indent, int width);
void jni_text_matrix(jn_str *out, const jn_page *p, const jn_matrix_item *m, int width);

#endif
