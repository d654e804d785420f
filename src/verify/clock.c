/* clock.c: what time alone does to switches.
 *
 * A pulse-width modulation is ON from the start of its period for a share of it. Modulations whose
 * periods fit a whole number of times into a common one share one clock, so that only those of
 * their patterns count that there are; an instant stands at one point of it, with the pattern that
 * ends there before and the one that begins there after it. A duty that varies is any value that its
 * expression can have. "on at T" may come at any time. */
#include "question.h"

#include <stdlib.h>

enum { MOST_PERIODS = 64 };

typedef struct {
    question *q;
    int n;
    int *sw; /* the switches that are modulated */
    jn_ratfun *period;
    term tau; /* where in the common period */
    jn_ratfun whole;
} train;

static bool is_modulated(const jn_automaton *a)
{
    return a->pwm_period;
}

static term at_most(question *q, term a, term b)
{
    return jni_not(q->l, jni_less(q->l, b, a));
}

/* From `from` for `width`: as it begins, or as it ends. */
static term within(question *q, term tau, term from, term to, bool after)
{
    logic *l = q->l;
    return after ? jni_and(l, at_most(q, from, tau), jni_less(l, tau, to))
                 : jni_and(l, jni_less(l, from, tau), at_most(q, tau, to));
}

static int ratio_of(question *q, jn_ratfun whole, jn_ratfun part)
{
    jn_ratfun r;
    fmpq_t v;
    int n = 0;
    fmpq_init(v);
    if (jn_ratfun_div(&r, q->g->field, whole, part) == JN_OK &&
        jn_ratfun_get_fmpq(v, q->g->field, r) && fmpz_is_one(fmpq_denref(v)) &&
        fmpz_cmp_si(fmpq_numref(v), MOST_PERIODS) <= 0 && fmpq_sgn(v) > 0)
        n = (int)fmpz_get_si(fmpq_numref(v));
    fmpq_clear(v);
    return n;
}

/* ON somewhere in [0, whole): the pulses of all periods that reach into it. */
static term is_on(question *q, const jn_automaton *a, jn_ratfun period, jn_ratfun whole, term tau,
                  term width, bool after)
{
    jn_field *k = q->g->field;
    jn_ratfun shift = a->pwm_phase ? jni_expr_constant(q, a->pwm_phase) : JN_RATFUN_ZERO, turns;
    int n = ratio_of(q, whole, period);
    term on = jni_false(q->l);
    fmpq_t back;
    fmpq_init(back);
    if (jn_ratfun_div(&turns, k, shift, period) == JN_OK && jn_ratfun_get_fmpq(back, k, turns)) {
        fmpz_t whole_turns;
        fmpz_init(whole_turns);
        fmpz_fdiv_q(whole_turns, fmpq_numref(back), fmpq_denref(back));
        shift = jn_ratfun_sub(k, shift,
                              jn_ratfun_mul(k, period, jn_ratfun_int(k, fmpz_get_si(whole_turns))));
        fmpz_clear(whole_turns);
    }
    fmpq_clear(back);
    for (int i = -1; i <= n; i++) {
        jn_ratfun from = jn_ratfun_add(k, shift, jn_ratfun_mul(k, period, jn_ratfun_int(k, i)));
        term begin = jni_constant_term(q, from);
        on = jni_or(q->l, on, within(q, tau, begin, jni_add(q->l, begin, width), after));
    }
    return on;
}

/* period·duty, the duty between 0 and 1. */
static term width_of(question *q, const jn_automaton *a, jn_ratfun period, const view *at)
{
    jn_ratfun c = jni_expr_constant(q, a->pwm_duty), width;
    if (c.id >= 0)
        return jni_constant_term(q, jn_ratfun_mul(q->g->field, period, c));
    width = period;
    term w = jni_real(q->l), most = jni_constant_term(q, width);
    value duty = jni_value_of(at, a->pwm_duty);
    term asked = jni_times(q, period, jni_finite(at, &duty));
    term low = jni_less(q->l, asked, jni_zero(q->l)), high = jni_less(q->l, most, asked);
    jni_assert(q->l, jni_equal(q->l, w,
                               jni_choose(q->l, low, jni_zero(q->l),
                                          jni_choose(q->l, high, most, asked))));
    return w;
}

/* The longest of the periods that all others divide, if it does so for this one. */
static jn_ratfun common_period(question *q, jn_ratfun period)
{
    jn_ratfun whole = period;
    for (int k = 0; k < q->g->nswitches; k++) {
        const jn_automaton *a = &q->g->automaton[k];
        jn_ratfun other = is_modulated(a) ? jni_expr_constant(q, a->pwm_period) : (jn_ratfun){-1};
        if (other.id >= 0 && ratio_of(q, other, whole) > 1)
            whole = other;
    }
    return whole;
}

typedef struct {
    jn_ratfun whole;
    term tau;
} common_clock;

/* One point of time for all modulations of one common period. */
static term clock_of(question *q, common_clock *known, int *n, jn_ratfun whole)
{
    for (int i = 0; i < *n; i++)
        if (jn_ratfun_equal(known[i].whole, whole))
            return known[i].tau;
    term tau = jni_real(q->l);
    jni_assert(q->l, at_most(q, jni_zero(q->l), tau));
    jni_assert(q->l, jni_less(q->l, tau, jni_constant_term(q, whole)));
    known[*n] = (common_clock){whole, tau};
    (*n)++;
    return tau;
}

static term is_off_state(question *q, const jn_automaton *a, term *state)
{
    term off = jni_false(q->l);
    for (int s = 0; s < a->nstates; s++)
        if (!a->state[s].on)
            off = jni_or(q->l, off, state[s]);
    return off;
}

static void modulate(question *q, int k, term **before, term **after, const view *at,
                     common_clock *known, int *n)
{
    const jn_automaton *a = &q->g->automaton[k];
    jn_ratfun period = jni_expr_constant(q, a->pwm_period);
    if (period.id < 0)
        return;
    jn_ratfun whole = common_period(q, period);
    term tau = clock_of(q, known, n, whole), width = width_of(q, a, period, at);
    for (int side = 0; side < 2; side++) {
        term on = is_on(q, a, period, whole, tau, width, side);
        term off = is_off_state(q, a, side ? after[k] : before[k]);
        jni_assert(q->l, jni_iff(q->l, on, jni_not(q->l, off)));
    }
}

void jni_clock(question *q, term **before, term **after, const view *at)
{
    logic *l = q->l;
    common_clock *known = jn_alloc((size_t)q->g->nswitches * sizeof *known + 1);
    int n = 0;
    for (int k = 0; k < q->g->nswitches; k++) {
        const jn_automaton *a = &q->g->automaton[k];
        if (is_modulated(a)) {
            modulate(q, k, before, after, at, known, &n);
            continue;
        }
        term same = jni_true(l);
        for (int s = 0; s < a->nstates; s++)
            same = jni_and(l, same, jni_iff(l, before[k][s], after[k][s]));
        for (int i = 0; i < a->ntimes; i++)
            same = jni_or(l, same, after[k][a->timed[i].to]);
        jni_assert(l, same);
    }
    free(known);
}
