/* analyse_internal.h: shared by the writers of the analysis. */
#ifndef WRITE_ANALYSE_INTERNAL_H
#define WRITE_ANALYSE_INTERNAL_H

#include "junct/write_analyse.h"
#include "write_internal.h"

extern const jn_analysis_writer jn_analysis_text, jn_analysis_latex, jn_analysis_json,
    jn_analysis_csv;

void jn_json_across(jn_listing *l, const jn_across *c);

/* ---- strings for programs ------------------------------------------------------------------ */

/* "L3/L2*L2.p + V"; 0 for nothing. */
void jn_print_combination(jn_str *out, const jn_analysis *a, const jn_combination *c);
/* A value with the Laplace variable in it. */
void jn_print_value(jn_str *out, const jn_analysis *a, jn_ratfun v);
const char *jn_answer_json(jn_answer a); /* "true", "false", "null" */
const char *jn_answer_word(jn_answer a); /* "yes", "no", "not known" */
/* The shortest decimal that reads back as the same double. */
void jn_print_double(jn_str *out, double v);

/* ---- parts of pages ------------------------------------------------------------------------ */

jn_page *jn_analysis_page(const jn_listing *l, const jn_analysis *a);
/* s^2 + 3*s + 2 */
void jn_line_poly(jn_page *p, jn_line *line, const jn_analysis *a, const jn_poly *q);
/* Σ value·x + Σ value·u; "0" for nothing. */
void jn_line_combination(jn_page *p, jn_line *line, const jn_analysis *a, const jn_combination *c);
/* One row of matrices of the states and of the inputs' derivatives, as a sum. */
void jn_line_sum(jn_page *p, jn_line *line, const jn_analysis *a, const jn_dense *x,
                 const int *state, const jn_dense *u, int nu, int row);
jn_symbol jn_storage_symbol(const jn_graph *g, int storage, bool dot);
void jn_page_mode_analysis(jn_page *p, const jn_listing *l, const jn_analysis *a, const jn_onoff *m,
                           const jn_mode_analysis *r);
void jn_page_jump(jn_page *p, const jn_analysis *a, const jn_mode_analysis *r);
void jn_page_across(jn_page *p, jn_listing *l, const jn_across *c);
void jn_page_passage(jn_page *p, const jn_listing *l, const jn_analysis *a, const jn_onoff *from,
                     const jn_onoff *to, const jn_passage *t);

#endif
