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

/* |a − b| ≤ hair·(1 + |b|) */
static term is_near(question *q, term a, term b)
{
    logic *l = q->l;
    jn_ratfun hair = jni_of_double(q, JNI_HAIR);
    term zero = jni_zero(l), apart = jni_minus(q, a, b);
    term size = jni_choose(l, jni_less(l, b, zero), jni_minus(q, zero, b), b);
    term most = jni_add(l, jni_constant_term(q, hair), jni_times(q, hair, size));
    return jni_not(
        l, jni_or(l, jni_less(l, most, apart), jni_less(l, apart, jni_minus(q, zero, most))));
}

/* In what unit of time x' is ẋ. */
static double unit_of_time(const question *q)
{
    return q->ncircles ? 1 / q->circle[0].speed : q->flow_time > 0 ? q->flow_time : 1;
}

/* Where something goes that changes at a rate: until the instant, and beyond. */
static term goes_at(const unrolled *u, term rate, term before, term after, term goes)
{
    question *q = u->q;
    double unit = unit_of_time(q);
    term back = jni_times(q, jni_of_double(q, -unit), rate);
    term on = jni_times(q, jni_of_double(q, unit), rate);
    return jni_and(q->l, is_near(q, before, back), jni_implies(q->l, goes, is_near(q, after, on)));
}

static term storages_flow(const unrolled *u, term goes)
{
    question *q = u->q;
    term all = jni_true(q->l);
    for (int i = 0; i < q->g->nstorages; i++) {
        term free = jni_guard_term(q, q->j->integral[i], u->start.lambda);
        term at = goes_at(u, jni_rate_of(q, u->start.value, i), u->start.slow->x[i],
                          u->begun.slow->x[i], goes);
        all = jni_and(q->l, all, jni_implies(q->l, free, at));
    }
    return all;
}

/* t, and what int(x) sums up, where x is linear. */
static term sums_flow(const unrolled *u, term goes)
{
    question *q = u->q;
    term one = jni_constant_term(q, JN_RATFUN_ONE);
    term all = goes_at(u, one, u->start.slow_t, u->begun.slow_t, goes);
    for (int k = 0; k < q->g->nintegrals; k++) {
        const jn_expr *e = jni_integral(q->g, k);
        int before = q->vague_values;
        value x = e ? jni_value_of(&u->start, e->arg[0]) : (value){0};
        if (!e || q->vague_values > before)
            continue;
        all = jni_and(q->l, all,
                      goes_at(u, jni_finite(&u->start, &x), u->start.slow->integral[k],
                              u->begun.slow->integral[k], goes));
    }
    return all;
}

term jni_follows_flow(question *q)
{
    const unrolled *u = q->instant;
    if (!u || !q->is_near || !q->ncircles || !u->n)
        return jni_true(q->l);
    return storages_flow(u, goes_on(u));
}

/* ---- without sines ------------------------------------------------------------------------- */

/* The time in which what changes fastest in the solution told does so by 1. */
static void choose_unit(question *q)
{
    double most = 0;
    fmpq_t rate;
    fmpq_init(rate);
    for (int i = 0; i < q->g->nstorages; i++) {
        jni_told_number(rate, q->l, jni_rate_of(q, q->instant->start.value, i));
        most = fmax(most, fabs(jn_number_get_d(rate)));
    }
    fmpq_clear(rate);
    q->flow_time = most > 0 ? exp2(-ceil(log2(most))) : 1;
}

static term flows(question *q)
{
    const unrolled *u = q->instant;
    term goes = goes_on(u);
    return jni_and(q->l, storages_flow(u, goes), sums_flow(u, goes));
}

bool jni_prefer_flow(question *q)
{
    if (!q->is_near || q->ncircles || !q->instant || !q->instant->n)
        return false;
    choose_unit(q);
    return jni_also(q->l, flows(q));
}

bool jni_is_against_flow(question *q)
{
    return q->is_near && !q->ncircles && q->flow_time > 0 && !jni_told(q->l, flows(q));
}
