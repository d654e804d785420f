/* write_internal.h: shared by the writers. */
#ifndef WRITE_INTERNAL_H
#define WRITE_INTERNAL_H

#include "junct/write.h"

/* The formula of the modes of `yes`, and the word for the causality in one mode. */
const jn_formula *jni_causality_formula(jn_listing *l, const jn_causality *c);
const char *jni_causality_in(const jn_listing *l, const jn_causality *c, const jn_onoff *m);

const jn_graph *jni_listing_graph(const jn_listing *l);
/* Text: a formula, a guard as one, a value, a mode. */
void jni_listing_formula(jn_str *out, const jn_listing *l, const jn_formula *f);
void jni_listing_guard(jn_str *out, jn_listing *l, jn_guard g);
void jni_listing_value(jn_str *out, const jn_listing *l, jn_ratfun v);
void jni_listing_mode(jn_str *out, const jn_listing *l, const jn_onoff *m);

jn_page *jni_listing_page(const jn_listing *l);
void jni_page_title(jn_page *p, const jn_graph *g);
void jni_page_feedback(jn_page *p, const jn_graph *g); /* a paragraph for each source that reads the model */
/* "source = Σ coefficient·source" */
void jni_line_reason(jn_page *p, jn_line *line, const jn_graph *g, const jn_reason *r);
/* The number of modes of a guard. */
void jni_line_count(jn_page *p, jn_line *line, const jn_junction *j, jn_guard g);
/* A rounded number; a complex one, or with its conjugate as a pair. */
void jni_line_number(jn_page *p, jn_line *line, int digits, double x);
void jni_line_complex(jn_page *p, jn_line *line, int digits, double re, double im, bool pair);
/* A row of a table of names and what they stand for; returns its second cell. */
jn_line *jni_table_field(jn_page *p, jn_table_item *t, const char *name);
/* Elements, bonds, states, inputs and parameters, as such rows. */
void jni_page_add_graph(jn_page *p, jn_table_item *t, const jn_graph *g);
/* Switches, counts of modes, forbidden modes and reference mode, as such rows. */
void jni_page_add_modes(jn_page *p, jn_table_item *t, jn_listing *l);
/* Parts of the pages of modes and matrices, also of a report. */
void jni_page_add_reasons(jn_page *p, jn_listing *l);
void jni_page_add_causality(jn_page *p, jn_listing *l);
void jni_page_add_structure(jn_page *p, jn_listing *l);
void jni_page_add_equation(jn_page *p, jn_listing *l);
void jni_page_add_exceptions(jn_page *p, jn_listing *l);
void jni_page_add_mode(jn_page *p, jn_listing *l, const jn_onoff *m); /* without a heading */
/* Names of elements with commas; of very many only the first. */
void jni_line_names(jn_page *p, jn_line *line, const jn_graph *g, const int *element, int n);
/* How many, then their names. */
void jni_line_counted(jn_page *p, jn_line *line, const jn_graph *g, const int *element, int n);
/* Whether two neighbours are in the same block of S: states, pseudo-states, resistors, inputs. */
bool jni_same_block(jn_variable a, jn_variable b);

extern const jn_writer jni_modes_text, jni_modes_latex, jni_modes_json, jni_modes_csv;
extern const jn_writer jni_matrices_text, jni_matrices_latex, jni_matrices_json, jni_matrices_csv,
    jni_matrices_octave;

/* Parts of JSON that both kinds of results have. */
void jni_json_guard(jn_listing *l, jn_guard g);
void jni_json_head(jn_listing *l);      /* schema, model, switches */
void jni_json_unit(jn_listing *l, const char *unit); /* , "unit": "V"; nothing for NULL */
void jni_json_feedback(jn_listing *l); /* , "feedback": {…}: what sources that read the model are */
/* Only one mode is known of many: what would be said of all of them is null. */
bool jni_json_is_alone(const jn_listing *l);
void jni_json_forbidden(jn_listing *l); /* "forbidden": {…}, or null */
void jni_json_lets(jn_listing *l);      /* , "let": […], if there are any */
void jni_json_names(jn_listing *l, const int *element, int n);
void jni_json_causality(jn_listing *l, const jn_onoff *m);

#endif
