/* answer_analyse.c: what is asked of a mode: its poles, and whether it is stable.
 *
 * Stability is the exact answer of the analysis; only the poles are rounded. */
#include <math.h>
#include <stdlib.h>

#include "sweep_internal.h"

#include "junct/analyse.h"

typedef struct {
    jn_onoff *mode;
} analysed;

static jn_status begin(jn_sweep *s, jn_diags *d)
{
    const jn_graph *g = s->g;
    analysed *a = s->own = jn_alloc(sizeof *a);
    (void)d;
    a->mode = jn_arena_alloc(s->arena, (size_t)g->nswitches * sizeof *a->mode);
    for (int i = 0; i < g->nswitches; i++) {
        const jn_automaton *x = &g->automaton[i];
        a->mode[i] = s->q.mode ? s->q.mode[i] : x->state[x->initial].on;
    }
    return JN_OK;
}

static void end(jn_sweep *s)
{
    free(s->own);
}

static double abscissa(const jn_mode_analysis *m)
{
    double most = -INFINITY;
    for (int i = 0; i < m->npoles; i++)
        most = fmax(most, m->pole[i].re);
    return m->npoles ? most : NAN;
}

static double leaf_value(const jn_mode_analysis *m, leaf_kind kind)
{
    const jn_dynamics *x = jn_mode_dynamics(m);
    switch (kind) {
    case LEAF_STABLE:
        return m->stable == JN_UNKNOWN ? NAN : m->stable == JN_YES;
    case LEAF_ORDER:
        return x->order;
    default:
        return abscissa(m);
    }
}

static void fill(answer *to, const jn_sweep *s, const jn_mode_analysis *m)
{
    for (int i = 0; i < s->measures.nleaves; i++) {
        const leaf *l = &s->measures.leaf[i];
        for (int k = 0; k < m->npoles && k < to->nlist && l->kind == LEAF_POLES; k++) {
            to->list[2 * k] = m->pole[k].re;
            to->list[2 * k + 1] = m->pole[k].im;
        }
        if (l->kind != LEAF_CONSTANT && l->kind != LEAF_POLES)
            to->leaf[i] = leaf_value(m, l->kind);
    }
}

static void analyse(answer *to, const jn_sweep *s, const jn_implicit *f)
{
    const analysed *a = s->own;
    jn_analysis *all = jn_analysis_new(f);
    jn_mode_analysis m;
    jn_mode_analysis_init(&m);
    jn_analyse_mode(&m, all, a->mode);
    const jn_dynamics *x = jn_mode_dynamics(&m);
    if (m.status_at_values != JN_MODE_OK)
        jn_str_add(&to->status, m.status_at_values == JN_MODE_FORBIDDEN
                                    ? "the mode is forbidden"
                                    : "the mode has no unique solution");
    else if (!x->known || !x->regular)
        jn_str_add(&to->status, x->why ? x->why : "the mode has no unique solution");
    else
        fill(to, s, &m);
    jn_mode_analysis_clear(&m);
    jn_analysis_free(all);
}

static void row(answer *to, jn_sweep *s)
{
    const analysed *a = s->own;
    jn_diags *d = jn_diags_new();
    jn_junction *j = NULL;
    jn_implicit *f = NULL;
    jn_junction_options o = {.numeric = true};
    jn_status st = jn_junction_build_mode_with(&j, s->g, &o, a->mode, d);
    if (st == JN_OK)
        st = jn_implicit_derive(&f, j, d);
    if (st == JN_OK)
        analyse(to, s, f);
    else
        jni_sweep_why(&to->status, d);
    if (st != JN_OK && !to->status.len)
        jn_str_add(&to->status, "the mode cannot be derived");
    to->interrupted = jn_interrupted();
    jn_implicit_free(f);
    jn_junction_free(j);
    jn_diags_free(d);
}

const answerer jni_answer_analyse = {begin, row, end};
