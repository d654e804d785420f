/* analyse_parts.c: what the writers of the analysis have in common. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyse_internal.h"

const jn_analysis_writer *jn_analysis_writer_find(const char *form)
{
    static const struct {
        const char *form;
        const jn_analysis_writer *writer;
    } table[] = {
        {"text", &jni_analysis_text},
        {"latex", &jni_analysis_latex},
        {"json", &jni_analysis_json},
        {"csv", &jni_analysis_csv},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        if (strcmp(table[i].form, form) == 0)
            return table[i].writer;
    return NULL;
}

/* ---- strings for programs ------------------------------------------------------------------ */

void jni_print_value(jn_str *out, const jn_analysis *a, jn_ratfun v)
{
    jn_ratfun_print(out, a->field, v, a->names, JN_RATFUN_TEXT);
}

static void print_term(jn_str *out, const jn_analysis *a, jn_ratfun v, const char *name,
                       const char *suffix, bool *first)
{
    if (jn_ratfun_is_zero(v))
        return;
    bool negative = jn_ratfun_is_negative(a->field, v);
    jn_str_add(out, *first ? negative ? "-" : "" : negative ? " - " : " + ");
    if (negative)
        v = jn_ratfun_neg(a->field, v);
    if (!jn_ratfun_is_one(v)) {
        jn_ratfun_print_factor(out, a->field, v, a->names, JN_RATFUN_TEXT);
        jn_str_addc(out, '*');
    }
    jn_str_addf(out, "%s%s", name, suffix);
    *first = false;
}

void jni_print_combination(jn_str *out, const jn_analysis *a, const jn_combination *c)
{
    const jn_graph *g = a->graph;
    bool first = true;
    for (int i = 0; i < g->nstorages; i++) {
        const jn_element *e = &g->element[g->storage[i]];
        print_term(out, a, c->x[i], e->name, e->kind == JN_I ? ".p" : ".q", &first);
    }
    for (int i = 0; i < g->nsources; i++)
        print_term(out, a, c->u[i], g->element[g->source[i]].name, "", &first);
    if (first)
        jn_str_addc(out, '0');
}

const char *jni_answer_json(jn_answer a)
{
    return a == JN_UNKNOWN ? "null" : a == JN_YES ? "true" : "false";
}

const char *jni_answer_word(jn_answer a)
{
    return a == JN_UNKNOWN ? "not known" : a == JN_YES ? "yes" : "no";
}

void jni_print_double(jn_str *out, double v)
{
    char text[40];
    if (!isfinite(v)) {
        jn_str_add(out, "null");
        return;
    }
    for (int digits = 15; digits <= 17; digits++) {
        jn_format(text, sizeof text, "%.*g", digits, v);
        if (jn_strtod(text, NULL) == v)
            break;
    }
    jn_str_add(out, text);
}

/* ---- parts of pages ------------------------------------------------------------------------ */

jn_page *jni_analysis_page(const jn_listing *l, const jn_analysis *a)
{
    return jn_page_new(a->field, a->names, jn_graph_switch_names(jni_listing_graph(l)));
}

jn_symbol jni_storage_symbol(const jn_graph *g, int storage, bool dot)
{
    return jn_symbol_state(g, (jn_variable){g->storage[storage], JN_STATE}, dot);
}

/* The sign of a term, and the value without it. */
static jn_ratfun add_sign(jn_page *p, jn_line *line, jn_ratfun v, bool first)
{
    bool negative = jn_ratfun_is_negative(p->field, v);
    const char *sign = first ? negative ? "-" : "" : negative ? " - " : " + ";
    jn_line_math(p, line, sign, sign);
    return negative ? jn_ratfun_neg(p->field, v) : v;
}

/* value·what as a term of a sum, where what is any mathematics. */
static void add_term(jn_page *p, jn_line *line, jn_ratfun v, const char *text, const char *latex,
                     bool *first)
{
    if (jn_ratfun_is_zero(v))
        return;
    jn_str t, x;
    jn_str_init(&t);
    jn_str_init(&x);
    v = add_sign(p, line, v, *first);
    *first = false;
    if (!*text) {
        jn_line_value(p, line, v);
    } else {
        if (!jn_ratfun_is_one(v)) {
            jn_ratfun_print_factor(&t, p->field, v, p->params, JN_RATFUN_TEXT);
            jn_ratfun_print_factor(&x, p->field, v, p->params, JN_RATFUN_LATEX);
            jn_str_addc(&t, '*');
            jn_str_add(&x, "\\,");
        }
        jn_str_add(&t, text);
        jn_str_add(&x, latex);
        jn_line_math(p, line, jn_str_c(&t), jn_str_c(&x));
    }
    jn_str_clear(&t);
    jn_str_clear(&x);
}

void jni_line_poly(jn_page *p, jn_line *line, const jn_analysis *a, const jn_poly *q)
{
    const char *s = a->names[a->s];
    bool first = true;
    for (int i = q->degree; i >= 0; i--) {
        const char *power = i == 0 ? "" : i == 1 ? s : jn_arena_printf(p->arena, "%s^%d", s, i);
        const char *latex = i > 1 ? jn_arena_printf(p->arena, "%s^{%d}", s, i) : power;
        add_term(p, line, q->c[i], power, latex, &first);
    }
    if (first)
        jn_line_math(p, line, q->degree < 0 ? "not known" : "0",
                     q->degree < 0 ? "\\text{not known}" : "0");
}

static void add_input(jn_page *p, jn_line *line, const jn_graph *g, int source, int derivative,
                      jn_ratfun v, bool *first)
{
    const char *name = g->element[g->source[source]].name;
    jn_str x;
    jn_str_init(&x);
    jn_latex_symbol(&x, name);
    const char *latex = jn_str_c(&x);
    if (derivative == 0)
        add_term(p, line, v, name, latex, first);
    else if (derivative == 1)
        add_term(p, line, v, jn_arena_printf(p->arena, "d%s/dt", name),
                 jn_arena_printf(p->arena, "\\dot{%s}", latex), first);
    else
        add_term(p, line, v,
                 jn_arena_printf(p->arena, "d^%d%s/dt^%d", derivative, name, derivative),
                 jn_arena_printf(p->arena, "%s^{(%d)}", latex, derivative), first);
    jn_str_clear(&x);
}

void jni_line_combination(jn_page *p, jn_line *line, const jn_analysis *a, const jn_combination *c)
{
    const jn_graph *g = a->graph;
    bool first = true;
    for (int i = 0; i < g->nstorages; i++)
        if (!jn_ratfun_is_zero(c->x[i])) {
            jn_line_term(p, line, c->x[i], jni_storage_symbol(g, i, false), first);
            first = false;
        }
    for (int i = 0; i < g->nsources; i++)
        add_input(p, line, g, i, 0, c->u[i], &first);
    if (first)
        jn_line_math(p, line, "0", "0");
}

void jni_line_sum(jn_page *p, jn_line *line, const jn_analysis *a, const jn_dense *x,
                  const int *state, const jn_dense *u, int nu, int row)
{
    const jn_graph *g = a->graph;
    bool first = true;
    for (int i = 0; i < x->ncols; i++)
        if (!jn_dense_is_zero_at(x, row, i)) {
            jn_line_term(p, line, jn_dense_get(x, row, i),
                         jni_storage_symbol(g, state ? state[i] : i, false), first);
            first = false;
        }
    for (int k = 0; k < nu; k++)
        for (int i = 0; i < u[k].ncols; i++)
            add_input(p, line, g, i, k, jn_dense_get(&u[k], row, i), &first);
    if (first)
        jn_line_math(p, line, "0", "0");
}
