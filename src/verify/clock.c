/* clock.c: what time alone does to switches.
 *
 * A pulse-width modulation is ON from the start of its period for a share of it. Modulations with
 * rational periods repeat together: an instant stands at one point of their common period, with the
 * pattern that ends there before and the one that begins there after it, so that only patterns count
 * that there are. Where the common period is too long, one goes by a clock of its own, at any point of
 * it: more than there is, never less.
 *
 * A duty that varies was read as the period began, and holds for it. One of time alone has the value of
 * some time, the same for all that read it then; what reads the model or discrete variables may have
 * been anything. "on at T" may come at any time, unless something reads t and nothing else moves the switch. */
#include "question.h"

enum { MOST_PULSES = 240 };  /* in a common period, of one modulation */
enum { FIRST_PERIODS = 16 }; /* that t is told apart in */

typedef struct {
    int sw;
    fmpq period, shift; /* 0 ≤ shift < period */
    term width[2];      /* of the pulse before and after the instant */
    int clock;
} modulation;

typedef struct {
    fmpq period;
    term tau; /* where in it */
} common_clock;

typedef struct {
    question *q;
    int n, nclocks;
    modulation *modulation;
    common_clock *clock;
} clocks;

static term number(question *q, const fmpq_t c)
{
    return jni_number(q->l, c);
}

static term at_most(question *q, term a, term b)
{
    return jni_not(q->l, jni_less(q->l, b, a));
}

/* ---- common periods ------------------------------------------------------------------------ */

static void lcm(fmpq_t out, const fmpq_t a, const fmpq_t b)
{
    fmpz_lcm(fmpq_numref(out), fmpq_numref(a), fmpq_numref(b));
    fmpz_gcd(fmpq_denref(out), fmpq_denref(a), fmpq_denref(b));
    fmpq_canonicalise(out);
}

static slong pulses(const fmpq_t whole, const fmpq_t period)
{
    fmpq_t n;
    fmpq_init(n);
    fmpq_div(n, whole, period);
    slong count = fmpz_cmp_si(fmpq_numref(n), MOST_PULSES) > 0 ? MOST_PULSES + 1
                                                               : fmpz_get_si(fmpq_numref(n));
    fmpq_clear(n);
    return count;
}

/* Whether a modulation can go by a clock that others go by already. */
static bool joins(clocks *c, modulation *m, int clock)
{
    fmpq_t whole;
    fmpq_init(whole);
    lcm(whole, &c->clock[clock].period, &m->period);
    bool ok = pulses(whole, &m->period) <= MOST_PULSES;
    for (int i = 0; &c->modulation[i] < m; i++)
        if (c->modulation[i].clock == clock)
            ok = ok && pulses(whole, &c->modulation[i].period) <= MOST_PULSES;
    if (ok)
        fmpq_set(&c->clock[clock].period, whole);
    fmpq_clear(whole);
    return ok;
}

static void find_clock(clocks *c, modulation *m)
{
    m->clock = 0;
    while (m->clock < c->nclocks && !joins(c, m, m->clock))
        m->clock++;
    if (m->clock < c->nclocks)
        return;
    fmpq_init(&c->clock[c->nclocks].period);
    fmpq_set(&c->clock[c->nclocks].period, &m->period);
    c->clock[c->nclocks++].tau = jni_real(c->q->l);
}

/* ---- modulations --------------------------------------------------------------------------- */

static bool constant(fmpq_t out, question *q, const jn_expr *e)
{
    jn_ratfun c = e ? jni_expr_constant(q, e) : JN_RATFUN_ZERO;
    return c.id >= 0 && jn_ratfun_get_fmpq(out, q->g->field, c);
}

static void wrap(fmpq_t shift, const fmpq_t period)
{
    fmpq_t turns;
    fmpq_init(turns);
    fmpq_div(turns, shift, period);
    fmpz_fdiv_q(fmpq_numref(turns), fmpq_numref(turns), fmpq_denref(turns));
    fmpz_one(fmpq_denref(turns));
    fmpq_submul(shift, turns, period);
    fmpq_clear(turns);
}

/* The periods of those with the same period and shift begin together: they read at the same times. */
static int sample_of(const clocks *c, const modulation *m, int side)
{
    int first = 0;
    while (!fmpq_equal(&c->modulation[first].period, &m->period) ||
           !fmpq_equal(&c->modulation[first].shift, &m->shift))
        first++;
    return 2 * first + side + 1;
}

/* period·duty, the duty between 0 and 1. */
static term width_of(const clocks *c, const modulation *m, int side)
{
    question *q = c->q;
    const jn_expr *duty = q->g->automaton[m->sw].pwm_duty;
    logic *l = q->l;
    term most = number(q, &m->period), zero = jni_zero(l), asked = jni_real(l);
    if (jni_expr_constant(q, duty).id >= 0 || jni_expr_is_of_time(q, duty)) {
        view then = {.q = q, .fresh = jni_false(l), .sample = sample_of(c, m, side)};
        value share = jni_value_of(&then, duty);
        asked = jni_scale(l, &m->period, jni_finite(&then, &share));
    }
    term low = jni_less(l, asked, zero), high = jni_less(l, most, asked);
    term w = jni_real(l);
    jni_assert(l, jni_equal(l, w, jni_choose(l, low, zero, jni_choose(l, high, most, asked))));
    return w;
}

/* ON at tau, as the instant ends what was (before) or begins what comes (after). */
static term is_on(const clocks *c, const modulation *m, int side)
{
    question *q = c->q;
    logic *l = q->l;
    const common_clock *k = &c->clock[m->clock];
    slong n = pulses(&k->period, &m->period);
    term on = jni_false(l);
    fmpq_t from, to;
    fmpq_init(from);
    fmpq_init(to);
    fmpq_set(from, &m->shift);
    fmpq_sub(from, from, &m->period);
    for (slong i = -1; i < n; i++) { /* the period before the first reaches into it */
        fmpq_add(to, from, &m->period);
        term begin = number(q, from), end = number(q, to);
        term off = jni_add(l, begin, m->width[side]);
        term here = side ? jni_and(l, at_most(q, begin, k->tau), jni_less(l, k->tau, end))
                         : jni_and(l, jni_less(l, begin, k->tau), at_most(q, k->tau, end));
        on = jni_or(l, on,
                    jni_and(l, here, side ? jni_less(l, k->tau, off) : at_most(q, k->tau, off)));
        fmpq_set(from, to);
    }
    fmpq_clear(from);
    fmpq_clear(to);
    return on;
}

/* Within a period the pulse before the instant is the one after it. */
static void one_pulse(const clocks *c, const modulation *m)
{
    question *q = c->q;
    logic *l = q->l;
    term begins = jni_false(l);
    fmpq_t from;
    fmpq_init(from);
    fmpq_set(from, &m->shift);
    for (slong i = pulses(&c->clock[m->clock].period, &m->period); i > 0; i--) {
        begins = jni_or(l, begins, jni_equal(l, c->clock[m->clock].tau, number(q, from)));
        fmpq_add(from, from, &m->period);
    }
    jni_assert(l, jni_or(l, begins, jni_equal(l, m->width[0], m->width[1])));
    fmpq_clear(from);
}

static term is_off_state(question *q, const jn_automaton *a, term *state)
{
    term off = jni_false(q->l);
    for (int s = 0; s < a->nstates; s++)
        if (!a->state[s].on)
            off = jni_or(q->l, off, state[s]);
    return off;
}

static void modulate(clocks *c, modulation *m, term **before, term **after)
{
    question *q = c->q;
    for (int side = 0; side < 2; side++)
        m->width[side] = width_of(c, m, side);
    one_pulse(c, m);
    for (int side = 0; side < 2; side++) {
        term off = is_off_state(q, &q->g->automaton[m->sw], (side ? after : before)[m->sw]);
        jni_assert(q->l, jni_iff(q->l, is_on(c, m, side), jni_not(q->l, off)));
    }
}

/* One whose period or phase is not known may do anything at any time. */
static void add_modulation(clocks *c, int k)
{
    const jn_automaton *a = &c->q->g->automaton[k];
    fmpq_t period, shift;
    fmpq_init(period);
    fmpq_init(shift);
    if (constant(period, c->q, a->pwm_period) && fmpq_sgn(period) > 0 &&
        constant(shift, c->q, a->pwm_phase)) {
        modulation *m = &c->modulation[c->n++];
        wrap(shift, period);
        m->sw = k;
        fmpq_init(&m->period);
        fmpq_init(&m->shift);
        fmpq_swap(&m->period, period);
        fmpq_swap(&m->shift, shift);
        find_clock(c, m);
    }
    fmpq_clear(period);
    fmpq_clear(shift);
}

/* Where something reads t, it says where in the first periods the instant is; it is not known to be later than these. */
static void by_the_clock(question *q, const common_clock *k)
{
    logic *l = q->l;
    fmpq_t from;
    fmpq_init(from);
    for (int i = 0; i < FIRST_PERIODS; i++) {
        term begin = number(q, from), at = jni_minus(q, q->t, begin);
        fmpq_add(from, from, &k->period);
        term here = jni_and(l, at_most(q, begin, q->t), jni_less(l, q->t, number(q, from)));
        jni_assert(l, jni_implies(l, here, jni_equal(l, k->tau, at)));
    }
    q->early = jni_and(l, q->early, jni_less(l, q->t, number(q, from)));
    fmpq_clear(from);
}

static void all_modulations(clocks *c, term **before, term **after)
{
    question *q = c->q;
    for (int k = 0; k < q->g->nswitches; k++)
        if (q->g->automaton[k].pwm_period)
            add_modulation(c, k);
    for (int i = 0; i < c->nclocks; i++) {
        jni_assert(q->l, at_most(q, jni_zero(q->l), c->clock[i].tau));
        jni_assert(q->l, jni_less(q->l, c->clock[i].tau, number(q, &c->clock[i].period)));
        if (jni_reads_clock(q))
            by_the_clock(q, &c->clock[i]);
    }
    for (int i = 0; i < c->n; i++)
        modulate(c, &c->modulation[i], before, after);
}

/* ---- all of them --------------------------------------------------------------------------- */

/* An automaton without a modulation stays where it is, or goes where a time sends it. */
static void stay_or_go(question *q, int k, term **before, term **after)
{
    const jn_automaton *a = &q->g->automaton[k];
    logic *l = q->l;
    term same = jni_true(l);
    for (int s = 0; s < a->nstates; s++)
        same = jni_and(l, same, jni_iff(l, before[k][s], after[k][s]));
    for (int i = 0; i < a->ntimes; i++)
        same = jni_or(l, same, after[k][a->timed[i].to]);
    jni_assert(l, same);
}

/* The time of the i-th "on at T"; NULL: it is not a number. */
static term time_of(question *q, const jn_automaton *a, int i)
{
    jn_ratfun c = jni_expr_constant(q, a->timed[i].at);
    return c.id >= 0 ? jni_constant_term(q, c) : NULL;
}

/* An entry is the last one that has come until the instant (side 0: not at it), or none is: `which` < 0. */
static term is_last(question *q, const jn_automaton *a, int which, int side)
{
    logic *l = q->l;
    term all = jni_true(l), own = which < 0 ? NULL : time_of(q, a, which);
    for (int i = 0; i < a->ntimes; i++) {
        term at = time_of(q, a, i);
        term come = side ? at_most(q, at, q->t) : jni_less(l, at, q->t);
        term later = !own ? jni_true(l) : i > which ? at_most(q, own, at) : jni_less(l, own, at);
        all = jni_and(l, all, i == which ? come : jni_not(l, jni_and(l, come, later)));
    }
    return all;
}

/* Where nothing but times move an automaton, and something reads t, the two belong together. */
static void go_by_time(question *q, int k, term **before, term **after)
{
    const jn_automaton *a = &q->g->automaton[k];
    for (int i = 0; i < a->ntimes; i++)
        if (!time_of(q, a, i))
            return;
    for (int side = before == after; side < 2; side++)
        for (int i = -1; i < a->ntimes; i++)
            jni_assert(
                q->l, jni_implies(q->l, is_last(q, a, i, side),
                                  (side ? after : before)[k][i < 0 ? a->initial : a->timed[i].to]));
}

void jni_clock(question *q, term **before, term **after)
{
    size_t n = (size_t)q->g->nswitches;
    bool reads_clock = jni_reads_clock(q);
    clocks c = {.q = q};
    c.modulation = jni_room(q, n * sizeof *c.modulation);
    c.clock = jni_room(q, n * sizeof *c.clock);
    for (int k = 0; k < q->g->nswitches; k++) {
        const jn_automaton *a = &q->g->automaton[k];
        if (!a->pwm_period)
            stay_or_go(q, k, before, after);
        if (reads_clock && a->ntimes && !a->ntransitions && !a->pwm_period)
            go_by_time(q, k, before, after);
    }
    all_modulations(&c, before, after);
    for (int i = 0; i < c.n; i++) {
        fmpq_clear(&c.modulation[i].period);
        fmpq_clear(&c.modulation[i].shift);
    }
    for (int i = 0; i < c.nclocks; i++)
        fmpq_clear(&c.clock[i].period);
}
