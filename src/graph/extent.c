/* extent.c: how large expressions are with their signals written out.
 *
 * A signal is computed where it is read. Twenty signals of which each reads the one before twice
 * are a million operations; a long chain is as deep as it is long. Both have a limit, so that one
 * may follow signals by recursion, and in time. An integral is a state: what reads int(…) does not
 * compute what is integrated, which therefore counts as an expression of its own. */
#include <stdlib.h>

#include "graph_internal.h"

typedef struct {
    long size;
    int depth;
} extent;

typedef struct {
    builder *b;
    extent *signal;
    bool failed; /* said so once */
} extents;

/* Cannot overflow: no signal is above the limit, nor has a tree that many leaves. */
static extent extent_of(const extents *x, const jn_expr *e)
{
    if (e->op == JN_X_SIGNAL)
        return x->signal[e->index];
    extent all = {1, 0};
    for (int i = 0; i < e->nargs && e->op != JN_X_INT; i++) {
        extent part = extent_of(x, e->arg[i]);
        all.size += part.size;
        all.depth = part.depth > all.depth ? part.depth : all.depth;
    }
    all.depth++;
    return all;
}

static extent limited(extents *x, const jn_expr *e)
{
    extent all = extent_of(x, e);
    if (all.size > JN_SIGNALS_MAX_SIZE || all.depth > JN_EXPR_MAX_DEPTH) {
        REPORT(x->b, JN_D_SIGNALS_LARGE, e->place, JN_SIGNALS_MAX_SIZE, JN_EXPR_MAX_DEPTH);
        x->failed = true;
    }
    return all;
}

static void check_integrands(extents *x, const jn_expr *e)
{
    if (e->op == JN_X_INT && !x->failed)
        limited(x, e->arg[0]);
    for (int i = 0; i < e->nargs; i++)
        check_integrands(x, e->arg[i]);
}

static void check(extents *x, const jn_expr *e)
{
    if (!e || x->failed)
        return;
    limited(x, e);
    check_integrands(x, e);
}

static void check_automaton(extents *x, const jn_automaton *a)
{
    for (int i = 0; i < a->ntransitions; i++) {
        const jn_transition *t = &a->transition[i];
        check(x, t->when);
        for (int j = 0; j < t->nsets; j++)
            check(x, t->set[j].value);
    }
    check(x, a->pwm_duty);
}

void jni_build_extents(builder *b)
{
    const jn_graph *g = b->g;
    extents x = {.b = b, .signal = jn_alloc((size_t)g->nsignals * sizeof *x.signal)};
    for (int i = 0; i < g->nsignals && !x.failed; i++) {
        int at = g->signal_order[i];
        x.signal[at] = limited(&x, g->signal[at].expr);
    }
    for (int i = 0; i < g->nsignals && !x.failed; i++)
        check_integrands(&x, g->signal[i].expr);
    for (int i = 0; i < g->noutputs; i++)
        check(&x, g->output[i].expr);
    for (int i = 0; i < g->nelements; i++) {
        check(&x, g->element[i].input);
        check(&x, g->element[i].modulation);
        check(&x, g->element[i].law);
    }
    for (int i = 0; i < g->nswitches; i++)
        check_automaton(&x, &g->automaton[i]);
    for (int i = 0; i < g->nasserts; i++)
        check(&x, g->assertion[i].condition);
    for (int i = 0; i < g->nbounds; i++)
        check(&x, g->bound[i].x);
    free(x.signal);
}
