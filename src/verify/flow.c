/* flow.c: where the state goes, as the flow of its mode takes it.
 *
 * A hair away from an instant values are v + ε·v'. Whether a proof holds for every v' is asked first. But where sines go as their
 * circle turns (circle.c), a state that goes where no flow takes it would cross surfaces that a run never crosses. By the flow
 * of the mode that lasts, x' is ẋ, in the time in which the first circle turns by 1; but for a hair: a run that goes on for
 * some ε is at x + ε·x', with x' as near to ẋ as one likes. So where x' = ẋ decides nothing, how it bends does.
 *
 * Without sines a state may leave in any direction. But of those that refute something one is shown that goes with the
 * flow, where there is one; and where there is none, that is said. */
#include "question.h"

#include <math.h>

/* The clock moves nothing, no input jumps or changes how fast it goes: the flow goes on beyond the instant. */
static term goes_on(const unrolled *u)
{
    question *q = u->q;
    logic *l = q->l;
    term same = jni_true(l);
    for (int k = 0; k < q->g->nswitches; k++)
        for (int s = 0; s < q->g->automaton[k].nstates; s++)
            same = jni_and(l, same, jni_iff(l, u->left[k][s], u->start.state[k][s]));
    for (int k = 0; k < q->g->nsources; k++) {
        same = jni_and(l, same, jni_equal(l, u->input[k], u->start.input[k]));
        if (!q->jumps) /* no value depends on a rate */
            continue;
        same = u->rate[k] && u->start.rate[k]
                   ? jni_and(l, same, jni_equal(l, u->rate[k], u->start.rate[k]))
                   : jni_false(l);
    }
    return same;
}

/* |a − b| ≤ hair·(1 + |b|); or equal */
static term is_near(question *q, term a, term b)
{
    logic *l = q->l;
    if (q->flows_straight)
        return jni_equal(l, a, b);
    jn_ratfun hair = jni_of_double(q, JNI_HAIR);
    term zero = jni_zero(l), apart = jni_minus(q, a, b);
    term size = jni_choose(l, jni_less(l, b, zero), jni_minus(q, zero, b), b);
    term most = jni_add(l, jni_constant_term(q, hair), jni_times(q, hair, size));
    return jni_not(
        l, jni_or(l, jni_less(l, most, apart), jni_less(l, apart, jni_minus(q, zero, most))));
}

/* In what unit of time x' is ẋ. */
static jn_ratfun unit_of_time(question *q)
{
    jn_ratfun unit = JN_RATFUN_ONE, ten = jn_ratfun_int(q->g->field, 10);
    if (q->ncircles)
        return jni_of_double(q, 1 / q->circle[0].speed);
    for (int i = 0; i < q->flow_scale; i++)
        if (jn_ratfun_div(&unit, q->g->field, unit, ten) != JN_OK)
            return JN_RATFUN_ONE;
    return unit;
}

/* Where something goes that changes at a rate. */
static term goes_at(const view *v, term rate, term slow)
{
    question *q = v->q;
    term on = jni_times(q, unit_of_time(q), rate);
    return is_near(q, slow, v->phase == PHASE_AFTER ? on : jni_minus(q, jni_zero(q->l), on));
}

static term storages_flow(const view *v)
{
    question *q = v->q;
    term all = jni_true(q->l);
    for (int i = 0; i < q->g->nstorages; i++) {
        term free = jni_guard_term(q, q->j->integral[i], v->lambda);
        term at = goes_at(v, jni_rate_of(q, v->value, i), v->slow->x[i]);
        all = jni_and(q->l, all, jni_implies(q->l, free, at));
    }
    return all;
}

/* t, and what int(x) sums up, where x is linear. */
static term sums_flow(const view *v)
{
    question *q = v->q;
    term all = goes_at(v, jni_constant_term(q, JN_RATFUN_ONE), v->slow_t);
    for (int k = 0; k < q->g->nintegrals; k++) {
        const jn_expr *e = jni_integral(q->g, k);
        int before = q->vague_values;
        value x = e ? jni_value_of(v, e->arg[0]) : (value){0};
        if (e && q->vague_values == before)
            all = jni_and(q->l, all, goes_at(v, jni_finite(v, &x), v->slow->integral[k]));
    }
    return all;
}

term jni_goes_with_flow(const view *v)
{
    term all = storages_flow(v);
    return v->q->ncircles ? all : jni_and(v->q->l, all, sums_flow(v));
}

/* Until the instant, and where that goes on, beyond. */
static term flows(question *q)
{
    const unrolled *u = q->instant;
    return jni_and(q->l, jni_goes_with_flow(&u->start),
                   jni_implies(q->l, goes_on(u), jni_goes_with_flow(&u->begun)));
}

term jni_follows_flow(question *q)
{
    if (!q->instant || !q->is_near || !q->ncircles || !q->instant->n)
        return jni_true(q->l);
    return flows(q);
}

/* ---- without sines ------------------------------------------------------------------------- */

/* So that what changes fastest in the solution told does so by some 1. */
static void choose_unit(question *q)
{
    enum { MOST = 18 };
    double most = 1;
    fmpq_t rate;
    fmpq_init(rate);
    for (int i = 0; i < q->g->nstorages; i++) {
        jni_told_number(rate, q->l, jni_rate_of(q, q->instant->start.value, i));
        most = fmax(most, fabs(jn_number_get_d(rate)));
    }
    fmpq_clear(rate);
    q->flow_scale = (int)fmin(MOST, ceil(log10(most)));
}

bool jni_prefer_flow(question *q)
{
    if (!q->is_near || q->ncircles || !q->instant || !q->instant->n)
        return false;
    choose_unit(q);
    for (int straight = 1; straight >= 0; straight--) { /* first in numbers that can be read */
        q->flows_straight = straight;
        term all = flows(q);
        q->flows_straight = false;
        if (jni_also(q->l, all))
            return true;
    }
    return false;
}

bool jni_is_against_flow(question *q)
{
    return q->is_near && !q->ncircles && !jni_told(q->l, flows(q));
}
