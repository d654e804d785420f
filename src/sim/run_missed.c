/* run_missed.c: what comes true without being crossed.
 *
 * An automaton that has just moved is not moved on by sides that are equal to rounding, and a side is
 * crossed only by what was clear of it before. So a ball that leaves the floor by less than its height
 * is known has left it nowhere that can be seen, and would fall through: both of its comparisons
 * hold from then on, and none is crossed. Here such a condition is asked once a stretch, and fires
 * where it is certain. Exact runs know their values so well that accumulation is seen before; they ask
 * where rounding had to be left out to settle an instant. */
#include <stdlib.h>

#include "instant.h"

/* What reads the instant itself has no meaning between two of them. */
static bool is_of_instants(const model *m, const jn_expr *when)
{
    return jni_mentions(m, when, JN_X_PRIOR) || jni_mentions(m, when, JN_X_WITHIN) ||
           jni_mentions(m, when, JN_X_IMPULSE);
}

/* Whether something that has just moved would move on, for certain. */
static bool fires_at(jn_sim *s, double *z, double tau)
{
    const jn_graph *g = s->model.g;
    view v = jni_present(s);
    s->now.m->engine->glance(z, s, s->now.m, tau);
    v.z = z;
    v.t = s->course.t0 + tau;
    for (int k = 0; k < g->nswitches; k++) {
        const jn_automaton *a = &g->automaton[k];
        for (int i = 0; s->instants.last->firing.fresh[k] && i < a->ntransitions; i++) {
            const jn_transition *t = &a->transition[i];
            if (t->from == s->now.state[k] && t->to != t->from && t->when &&
                !is_of_instants(&s->model, t->when) && jni_holds(&v, t->when))
                return true;
        }
    }
    return false;
}

double jni_missed(jn_sim *s, double end)
{
    enum { HALVINGS = 60 };
    if (!s->instants.last || !(s->now.m->engine == &jni_integrate_engine ||
                               (s->now.m->engine->glance && s->instants.last->firing.side_once)))
        return -1;
    double *z = jni_doubles(s->now.m->nz), low = 0, high = end;
    bool fires = fires_at(s, z, end);
    for (int i = 0; fires && i < HALVINGS; i++) {
        double middle = 0.5 * (low + high);
        *(fires_at(s, z, middle) ? &high : &low) = middle;
    }
    free(z);
    return fires ? high : -1;
}
