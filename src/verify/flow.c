/* flow.c: where the state goes, as the flow of its mode takes it.
 *
 * A hair away from an instant values are v + ε·v'. Whether a proof holds for every v' is asked first. But where sines go as their
 * circle turns (circle.c), a state that goes where no flow takes it would cross surfaces that a run never crosses. By the flow
 * of the mode that lasts, x' is ẋ, in the time in which the first circle turns by 1; but for a hair: a run that goes on for
 * some ε is at x + ε·x', with x' as near to ẋ as one likes. So where x' = ẋ decides nothing, how it bends does. */
#include "question.h"

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

term jni_follows_flow(question *q)
{
    logic *l = q->l;
    const unrolled *u = q->instant;
    term all = jni_true(l);
    if (!u || !q->is_near || !q->ncircles || !u->n)
        return all;
    jn_ratfun on = jni_of_double(q, 1 / q->circle[0].speed);
    jn_ratfun back = jni_of_double(q, -1 / q->circle[0].speed);
    term goes = goes_on(u);
    for (int i = 0; i < q->g->nstorages; i++) {
        term free = jni_guard_term(q, q->j->integral[i], u->start.lambda);
        term rate = jni_rate_of(q, u->start.value, i);
        term before = is_near(q, u->start.slow->x[i], jni_times(q, back, rate));
        term after = is_near(q, u->begun.slow->x[i], jni_times(q, on, rate));
        all = jni_and(l, all, jni_implies(l, free, before));
        all = jni_and(l, all, jni_implies(l, jni_and(l, free, goes), after));
    }
    return all;
}
