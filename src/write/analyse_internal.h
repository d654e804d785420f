/* analyse_internal.h: shared by the writers of the analysis. */
#ifndef WRITE_ANALYSE_INTERNAL_H
#define WRITE_ANALYSE_INTERNAL_H

#include "junct/write_analyse.h"
#include "write_internal.h"

extern const jn_analysis_writer jni_analysis_text, jni_analysis_latex, jni_analysis_json,
    jni_analysis_csv;

void jni_json_across(jn_listing *l, const jn_across *c);

/* ---- strings for programs ------------------------------------------------------------------ */

/* "L3/L2*L2.p + V"; 0 for nothing. */
void jni_print_combination(jn_str *out, const jn_analysis *a, const jn_combination *c);
/* A value with the Laplace variable in it. */
void jni_print_value(jn_str *out, const jn_analysis *a, jn_ratfun v);
const char *jni_answer_json(jn_answer a); /* "true", "false", "null" */
const char *jni_answer_word(jn_answer a); /* "yes", "no", "not known" */
/* The shortest decimal that reads back as the same double. */
void jni_print_double(jn_str *out, double v);

/* ---- parts of pages ------------------------------------------------------------------------ */

jn_page *jni_analysis_page(const jn_listing *l, const jn_analysis *a);
/* s^2 + 3*s + 2 */
void jni_line_poly(jn_page *p, jn_line *line, const jn_analysis *a, const jn_poly *q);
/* Σ value·x + Σ value·u; "0" for nothing. */
void jni_line_combination(jn_page *p, jn_line *line, const jn_analysis *a, const jn_combination *c);
/* One row of matrices of the states and of the inputs' derivatives, as a sum. */
void jni_line_sum(jn_page *p, jn_line *line, const jn_analysis *a, const jn_dense *x,
                 const int *state, const jn_dense *u, int nu, int row);
jn_symbol jni_storage_symbol(const jn_graph *g, int storage, bool dot);
void jni_page_mode_analysis(jn_page *p, const jn_listing *l, const jn_analysis *a, const jn_onoff *m,
                           const jn_mode_analysis *r);
void jni_page_jump(jn_page *p, const jn_analysis *a, const jn_mode_analysis *r);
void jni_page_across(jn_page *p, jn_listing *l, const jn_across *c);
void jni_page_passage(jn_page *p, const jn_listing *l, const jn_analysis *a, const jn_onoff *from,
                     const jn_onoff *to, const jn_passage *t);

#endif
