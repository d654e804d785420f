/* run_missed.c: what comes true without being crossed.
 *
 * An automaton that has just moved is not moved on by sides that are equal to rounding, and a side is
 * crossed only by what was clear of it before. So a ball that leaves the floor by less than its height
 * is known has left it nowhere that can be seen, and would fall through: both of its comparisons
 * hold from then on, and none is crossed. Here such a condition is asked once a stretch, and fires
 * where it is certain.
 *
 * That is asked of automata that have just moved, and of all where a stretch begins on no side of something and leaves
 * it to where it was; of what is linear in exact runs only then: these see accumulation before, unless the floor is
 * at 300. All runs ask where they are on the side of a comparison on which its transition should have fired: rounding
 * has misled an instant. */
#include <math.h>
#include <stdlib.h>

#include "instant.h"

/* What reads the instant itself has no meaning between two of them. */
static bool is_of_instants(const model *m, const jn_expr *when)
{
    return jni_mentions(m, when, JN_X_PRIOR) || jni_mentions(m, when, JN_X_WITHIN) ||
           jni_mentions(m, when, JN_X_IMPULSE);
}

/* A condition that is one comparison, and holds on the side of it on which the run is. */
static bool holds_by_side(const jn_sim *s, const jn_expr *when)
{
    const comparison *c = when->nargs == 2 ? jni_watched(s, when) : NULL;
    if (!c || c->reads_past || c->other >= 0 || s->watch.surface[c->surface].kind != SURFACE_LINEAR)
        return false;
    int side = c->sign * s->watch.surface[c->surface].side;
    return when->op == JN_X_LT || when->op == JN_X_LE   ? side < 0
           : when->op == JN_X_GT || when->op == JN_X_GE ? side > 0
                                                        : false;
}

/* Whether some comparison in it is sampled: it is known no better than in runs that are integrated. */
static bool is_sampled(const jn_sim *s, const jn_expr *when)
{
    const comparison *c = jni_watched(s, when);
    bool found = c && s->watch.surface[c->surface].kind == SURFACE_SAMPLED;
    for (int i = 0; i < when->nargs && jn_expr_is_condition(when) && !found; i++)
        found = is_sampled(s, when->arg[i]);
    return found;
}

static bool may_fire(const jn_sim *s, int k, const jn_transition *t)
{
    if (t->from != s->now.state[k] || t->to == t->from || !t->when)
        return false;
    if (holds_by_side(s, t->when))
        return true;
    if (s->watch.is_doubtful)
        return !is_of_instants(&s->model, t->when);
    if (s->engine->is_exact && !(s->watch.has.sampled && is_sampled(s, t->when)))
        return false;
    return s->instants.last->firing.fresh[k] && !is_of_instants(&s->model, t->when);
}

/* Whether something that may fire does, for certain; with a view of NULL: whether there is anything. */
static bool fires_in(const jn_sim *s, const view *v)
{
    const jn_graph *g = s->model.g;
    for (int k = 0; k < g->nswitches; k++)
        for (int i = 0; i < g->automaton[k].ntransitions; i++) {
            const jn_transition *t = &g->automaton[k].transition[i];
            if (may_fire(s, k, t) && (!v || jni_holds(v, t->when)))
                return true;
        }
    return false;
}

/* As an instant would see it, which is to fire it. */
static bool fires_at(jn_sim *s, double *z, double tau)
{
    const engine *e = s->now.m->engine;
    view v = jni_present(s);
    (e->see ? e->see : e->glance)(z, s, s->now.m, tau);
    v.z = z;
    v.t = s->course.t0 + tau;
    return fires_in(s, &v);
}

double jni_missed(jn_sim *s, double end)
{
    enum { HALVINGS = 60 };
    if (s->slide || s->o.nsequence || !s->instants.last || !fires_in(s, NULL))
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
