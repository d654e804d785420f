/* analysed.h: a model carried up to its analysis, for tests of known answers. */
#ifndef ANALYSED_H
#define ANALYSED_H

#include "junct.h"
#include "junct/analyse.h"
#include "testing.h"

typedef struct {
    jn_arena *arena;
    jn_diags *diags;
    jn_graph *graph;
    jn_junction *junction;
    jn_implicit *implicit;
    jn_analysis *analysis;
    jn_mode_analysis mode;
    jn_str text;
} analysed;

/* From a file; aborts when the library refuses it. */
static inline void analysed_init(analysed *x, const char *path, bool numeric)
{
    const jn_source *source;
    const char *why;
    *x = (analysed){.arena = jn_arena_new(), .diags = jn_diags_new()};
    jn_str_init(&x->text);
    jn_mode_analysis_init(&x->mode);
    if (jn_source_read(&source, x->arena, path, &why) != JN_OK ||
        jn_graph_read(&x->graph, source, x->diags) != JN_OK ||
        jn_junction_build(&x->junction, x->graph, numeric, x->diags) != JN_OK ||
        jn_implicit_derive(&x->implicit, x->junction, x->diags) != JN_OK) {
        jn_diags_render(&x->text, x->diags, false);
        fprintf(stderr, "%s: %s\n", path, jn_str_c(&x->text));
        abort();
    }
    x->analysis = jn_analysis_new(x->implicit);
}

static inline void analysed_clear(analysed *x)
{
    jn_mode_analysis_clear(&x->mode);
    jn_analysis_free(x->analysis);
    jn_implicit_free(x->implicit);
    jn_junction_free(x->junction);
    jn_graph_free(x->graph);
    jn_diags_free(x->diags);
    jn_arena_free(x->arena);
    jn_str_clear(&x->text);
}

static inline void analysed_parse(jn_onoff *m, const analysed *x, const char *text)
{
    char *why;
    if (jn_mode_parse(m, x->graph, text, &why) != JN_OK)
        abort();
}

static inline const jn_mode_analysis *analysed_mode(analysed *x, const char *text)
{
    jn_onoff m[64];
    analysed_parse(m, x, text);
    jn_analyse_mode(&x->mode, x->analysis, m);
    return &x->mode;
}

/* ---- as text, to compare with -------------------------------------------------------------- */

static inline const char *text_of_value(analysed *x, jn_ratfun v)
{
    jn_str_reset(&x->text);
    jn_ratfun_print(&x->text, x->analysis->field, v, x->analysis->names, JN_RATFUN_TEXT);
    return jn_str_c(&x->text);
}

/* "c0; c1; …" */
static inline const char *text_of_poly(analysed *x, const jn_poly *p)
{
    jn_str_reset(&x->text);
    for (int i = 0; i <= p->degree; i++) {
        jn_str_add(&x->text, i ? "; " : "");
        jn_ratfun_print(&x->text, x->analysis->field, p->c[i], x->analysis->names, JN_RATFUN_TEXT);
    }
    return jn_str_c(&x->text);
}

/* "a b; c d" */
static inline const char *text_of_matrix(analysed *x, const jn_dense *m)
{
    jn_str_reset(&x->text);
    for (int i = 0; i < m->nrows; i++)
        for (int j = 0; j < m->ncols; j++) {
            jn_str_add(&x->text, j ? "  " : i ? "; " : "");
            jn_ratfun_print(&x->text, x->analysis->field, jn_dense_get(m, i, j), x->analysis->names,
                            JN_RATFUN_TEXT);
        }
    return jn_str_c(&x->text);
}

/* "L1: 2, V: -1/3", what is not zero */
static inline const char *text_of_combination(analysed *x, const jn_combination *c)
{
    const jn_graph *g = x->graph;
    jn_str_reset(&x->text);
    for (int i = 0; i < g->nstorages + g->nsources; i++) {
        jn_ratfun v = i < g->nstorages ? c->x[i] : c->u[i - g->nstorages];
        int e = i < g->nstorages ? g->storage[i] : g->source[i - g->nstorages];
        if (jn_ratfun_is_zero(v))
            continue;
        jn_str_addf(&x->text, "%s%s: ", x->text.len ? ", " : "", g->element[e].name);
        jn_ratfun_print(&x->text, x->analysis->field, v, x->analysis->names, JN_RATFUN_TEXT);
    }
    return jn_str_c(&x->text);
}

#endif
