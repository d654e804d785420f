/* html_internal.h: shared by the files that write a page for a browser. */
#ifndef WRITE_HTML_INTERNAL_H
#define WRITE_HTML_INTERNAL_H

#include "../algebra/guard_internal.h"
#include "junct/formula.h"
#include "junct/html.h"

/* ---- guards -------------------------------------------------------------------------------- */

/* The diagrams of all guards on a page as one table: a node is a switch and its two branches, which
 * come before it; 0 and 1 are the constants. A guard is the number of its node. */
typedef struct {
    jn_guards *guards;
    jn_formulas *formulas;
    jn_keymap number; /* of a node, as a pointer */
    int n, cap;
    int *node; /* switch, low, high; from node 2 on */
    int nshown, shown_cap;
    jn_guard *shown; /* those that are printed as formulas */
    jn_keymap is_shown;
} html_guards;

void jni_html_guards_init(html_guards *t, jn_guards *g);
void jni_html_guards_clear(html_guards *t);
int jni_html_guard(html_guards *t, jn_guard g);       /* its number */
int jni_html_guard_shown(html_guards *t, jn_guard g); /* the same; its formula is wanted too */
/* "nodes": […], "formulas": {…}, "lets": […] */
void jni_html_guards_write(jn_str *out, html_guards *t);

/* ---- parts of JSON ------------------------------------------------------------------------- */

/* A string inside a script element: nothing in it can end the element. NULL: null. */
void jni_html_string(jn_str *out, const char *s);
/* Bytes in base64; numbers as bytes, least significant first. */
void jni_html_bytes(jn_str *out, const unsigned char *p, size_t n);
void jni_html_doubles(jn_str *out, const double *x, int n);
void jni_html_floats(jn_str *out, const float *x, int n);

void jni_html_model(jn_str *out, const jn_html *h); /* the members of the model, no brackets */
void jni_html_run_write(jn_str *out, const jn_html_run *r, const jn_graph *g);

/* The page around its data; see the Makefile. */
extern const char jni_page_head[], jni_page_tail[];

#endif
