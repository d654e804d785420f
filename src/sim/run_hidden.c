/* run_hidden.c: what noise hides.
 *
 * A comparison that is within its noise decides nothing. That is right while noise is rounding; but where a bound is as
 * large as the values themselves it says that these are not known at all, and an automaton that waits for such a
 * comparison would wait for ever, or move by nothing. So where a bound is more than HIDDEN_IN_NOISE of the largest value of
 * its kind, conditions are asked at the end of a stretch with no more noise than that as well. One that says something else
 * then holds, or does not, by far: which of the two cannot be known.
 *
 * Beside leaks that is so for a short while after each event, until what is off has faded. If it lasts, the run stops and
 * says so. */
#include <math.h>
#include <stdlib.h>

#include "instant.h"

/* What reads the instant itself has no meaning between two of them. */
static bool is_asked(const jn_sim *s, int k, const jn_transition *t)
{
    const model *m = &s->model;
    return t->from == s->now.state[k] && t->to != t->from && t->when &&
           !jni_mentions(m, t->when, JN_X_PRIOR) && !jni_mentions(m, t->when, JN_X_WITHIN) &&
           !jni_mentions(m, t->when, JN_X_IMPULSE);
}

/* The first that is decided by what is left out of the noise, and its automaton; NULL: none is. */
static const jn_transition *first_hidden(const jn_sim *s, const view *all, const view *less,
                                         int *at)
{
    const jn_graph *g = s->model.g;
    for (int k = 0; k < g->nswitches; k++)
        for (int i = 0; i < g->automaton[k].ntransitions; i++) {
            const jn_transition *t = &g->automaton[k].transition[i];
            if (is_asked(s, k, t) && jni_holds(all, t->when) != jni_holds(less, t->when)) {
                *at = k;
                return t;
            }
        }
    return NULL;
}

static void explain(jn_sim *s, const jn_transition *t, int at)
{
    const jn_graph *g = s->model.g;
    jn_str_reset(&s->cause);
    jn_str_add(&s->cause, "conditions cannot be watched: whether '");
    jn_expr_print(&s->cause, g, t->when);
    jn_str_addf(&s->cause,
                "' of %s holds is lost in rounding; some value is too far from those around it",
                g->element[g->automaton[at].element].name);
    s->trouble.why = jn_str_c(&s->cause);
}

/* Whether something is hidden there; explained. */
static bool hides(jn_sim *s, double tau)
{
    const engine *e = s->now.m->engine;
    int nz = s->now.m->nz, at;
    double *z = jni_doubles(2 * nz), *clear = z + nz;
    view all = jni_present(s);
    all.t = s->course.t0 + tau;
    all.z = z;
    e->glance(z, s, s->now.m, tau);
    jni_copy(clear, z, nz);
    e->clear_up(clear, s);
    view less = all;
    less.z = clear;
    const jn_transition *hidden = first_hidden(s, &all, &less, &at);
    if (hidden)
        explain(s, hidden, at);
    free(z);
    return hidden;
}

bool jni_is_hidden(jn_sim *s, double tau)
{
    course *c = &s->course;
    if (!c->is_vague || s->slide || s->o.nsequence || !hides(s, tau)) {
        c->hidden_since = -1;
        return false;
    }
    if (c->hidden_since < 0)
        c->hidden_since = c->t0;
    bool is_long = c->t0 + tau - c->hidden_since > HIDDEN_WHILE * fmax(c->span, s->clock.t);
    return is_long && c->span > 0; /* at the start it may not be known yet what is long */
}
