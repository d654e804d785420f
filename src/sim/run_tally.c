/* run_tally.c: discrete variables that only note what happens.
 *
 * A counter that an output shows, but that nothing which moves the run reads, is a tally: a run is where
 * it was before although its count is another, and a slide counts once (run_slide.c). */
#include "run.h"

/* Whether an expression reads a discrete variable; signals that integrate themselves end at some depth. */
static bool reads_discrete(const jn_graph *g, const jn_expr *e, int discrete, int depth)
{
    if (!e || depth > 100)
        return e;
    if (e->op == JN_X_DISCRETE)
        return e->index == discrete;
    if (e->op == JN_X_SIGNAL)
        return reads_discrete(g, g->signal[e->index].expr, discrete, depth + 1);
    for (int i = 0; i < e->nargs; i++)
        if (reads_discrete(g, e->arg[i], discrete, depth + 1))
            return true;
    return false;
}

/* Also what another variable is set to. */
static bool moves_automata(const jn_graph *g, int discrete)
{
    for (int i = 0; i < g->nswitches; i++) {
        const jn_automaton *a = &g->automaton[i];
        if (reads_discrete(g, a->pwm_duty, discrete, 0))
            return true;
        for (int t = 0; t < a->ntransitions; t++) {
            const jn_transition *one = &a->transition[t];
            if (reads_discrete(g, one->when, discrete, 0))
                return true;
            for (int n = 0; n < one->nsets; n++)
                if (one->set[n].discrete != discrete &&
                    reads_discrete(g, one->set[n].value, discrete, 0))
                    return true;
        }
    }
    return false;
}

static bool moves_elements(const jn_graph *g, int discrete)
{
    for (int i = 0; i < g->nelements; i++) {
        const jn_element *x = &g->element[i];
        if (reads_discrete(g, x->input, discrete, 0) ||
            reads_discrete(g, x->modulation, discrete, 0) || reads_discrete(g, x->law, discrete, 0))
            return true;
    }
    return false;
}

void jni_tallies_find(jn_sim *s)
{
    const jn_graph *g = s->model.g;
    s->watch.is_tally = jn_alloc((size_t)s->model.nd * sizeof *s->watch.is_tally);
    for (int d = 0; d < g->ndiscretes; d++)
        s->watch.is_tally[d] = !moves_automata(g, d) && !moves_elements(g, d);
}
