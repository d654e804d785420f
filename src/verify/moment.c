/* moment.c: a time at which what depends on time is worth what a solution says.
 *
 * To linear arithmetic an expression of time may be anything (value.c), the sines of one frequency are two numbers (wave.c),
 * and t is one more. What is proved so holds. But a solution is a state of the model only if all of them belong to one time:
 * exp(-t) is never 2, and sin(t) + sin(2*t) never 1.9. So times are tried, those first at which the expressions come
 * nearest to what was told. At each a value is one that the expression takes within a moment: between two of its values if it
 * has no jumps, else that of a run. */
#include <math.h>
#include <stdlib.h>

#include "question.h"

enum { SAMPLES = 2000, MOST_TIMES = 120, NEAREST = 6, EVENLY = 16, BETWEEN = 61, SECONDS = 4 };

static const double moment = 1e-9; /* before and after a time, in parts of it or of a second */

static bool is_opaque(question *q, const struct time_term *x)
{
    return !x->sample && !jni_is_wave(q, x->e);
}

/* What sines are of has its place on their circles. */
static jn_look look_for_time(const jn_expr *e, void *with)
{
    (void)with;
    return e->op == JN_X_SIN || e->op == JN_X_COS ? JN_LOOK_NOT_BELOW
           : e->op == JN_X_TIME                   ? JN_LOOK_FOUND
                                                  : JN_LOOK_ON;
}

static bool reads_time(const question *q, const jn_expr *e)
{
    return e && jn_expr_find(q->g, e, look_for_time, NULL);
}

bool jni_reads_clock(const question *q)
{
    const jn_graph *g = q->g;
    bool some = false;
    for (int i = 0; i < g->nelements; i++)
        some |= reads_time(q, g->element[i].input);
    for (int k = 0; k < g->nswitches; k++)
        for (int t = 0; t < g->automaton[k].ntransitions; t++)
            some |= reads_time(q, g->automaton[k].transition[t].when);
    for (int i = 0; i < g->nasserts; i++)
        some |= reads_time(q, g->assertion[i].condition);
    for (int i = 0; i < g->nbounds; i++)
        some |= reads_time(q, g->bound[i].x) || reads_time(q, g->bound[i].low) ||
                reads_time(q, g->bound[i].high);
    return some;
}

/* Numbers that time ties to each other, and the solver does not know how. */
bool jni_is_loose(question *q)
{
    int loose = 0, circles = 0;
    for (int i = 0; i < q->ntimes; i++)
        loose += is_opaque(q, &q->times[i]);
    for (int i = 0; i < q->ncircles; i++)
        circles += !q->circle[i].sample;
    return loose || circles > 1 || (circles && jni_reads_clock(q));
}

/* ---- times to try -------------------------------------------------------------------------- */

typedef struct {
    question *q;
    double span;
    double *told[2]; /* per expression: until the instant, and from then on */
    int n;
    double time[MOST_TIMES];
} moments;

static double told_double(question *q, term a)
{
    fmpq_t v;
    fmpq_init(v);
    jni_told_number(v, q->l, a);
    double d = jn_number_get_d(v);
    fmpq_clear(v);
    return d;
}

static void add_time(moments *m, double t)
{
    if (m->n < MOST_TIMES && t >= 0 && isfinite(t))
        m->time[m->n++] = t;
}

/* A run of the model, or some turns of its slowest circle. */
static double span_of(question *q)
{
    enum { TURNS = 4, SECONDS_ELSE = 10 };
    jn_ratfun to = q->g->to ? jni_expr_constant(q, q->g->to) : (jn_ratfun){-1};
    double slowest = HUGE_VAL;
    for (int i = 0; i < q->ncircles; i++)
        slowest = fmin(slowest, q->circle[i].speed);
    if (isfinite(slowest) && slowest > 0)
        return TURNS * 2 * JN_PI / slowest;
    return to.id >= 0 ? jn_ratfun_get_d(q->g->field, to) : SECONDS_ELSE;
}

static double off_at(const moments *m, double t)
{
    double sum = 0;
    for (int i = 0; i < m->q->ntimes; i++)
        if (!m->q->times[i].sample)
            sum += fabs(jni_expr_at(m->q, m->q->times[i].e, t) - m->told[1][i]);
    return sum;
}

/* The least between two times. */
static double nearest_within(const moments *m, double from, double to)
{
    enum { STEPS = 80 };
    for (int i = 0; i < STEPS; i++) {
        double a = from + (to - from) / 3, b = to - (to - from) / 3;
        if (off_at(m, a) <= off_at(m, b))
            to = b;
        else
            from = a;
    }
    return from;
}

static void add_nearest(moments *m)
{
    double step = m->span / SAMPLES, *off = jn_alloc((SAMPLES + 1) * sizeof *off);
    for (int i = 0; i <= SAMPLES; i++)
        off[i] = off_at(m, i * step);
    for (int n = 0; n < NEAREST; n++) {
        int best = -1;
        for (int i = 0; i <= SAMPLES; i++) {
            bool least = (i == 0 || off[i] <= off[i - 1]) && (i == SAMPLES || off[i] <= off[i + 1]);
            if (least && isfinite(off[i]) && (best < 0 || off[i] < off[best]))
                best = i;
        }
        if (best < 0)
            break;
        add_time(m, best * step);
        add_time(m, nearest_within(m, fmax(0, (best - 1) * step), (best + 1) * step));
        off[best] = HUGE_VAL;
    }
    free(off);
}

/* Where an expression comes to be above a level, or below: also by a jump. */
static double crossing(question *q, const jn_expr *e, double level, double from, double to)
{
    enum { STEPS = 200 };
    bool above = jni_expr_at(q, e, from) >= level;
    for (int i = 0; i < STEPS; i++) {
        double mid = from + (to - from) / 2;
        if (mid <= from || mid >= to)
            break;
        if ((jni_expr_at(q, e, mid) >= level) == above)
            from = mid;
        else
            to = mid;
    }
    return to;
}

static void add_crossings(moments *m, int which)
{
    enum { EACH = 2 };
    const jn_expr *e = m->q->times[which].e;
    double a = m->told[0][which], b = m->told[1][which], step = m->span / SAMPLES;
    const double level[] = {b, a, (a + b) / 2};
    for (size_t k = 0; k < sizeof level / sizeof *level; k++)
        for (int i = 0, found = 0; i < SAMPLES && found < EACH; i++)
            if ((jni_expr_at(m->q, e, i * step) >= level[k]) !=
                (jni_expr_at(m->q, e, (i + 1) * step) >= level[k])) {
                add_time(m, crossing(m->q, e, level[k], i * step, (i + 1) * step));
                found++;
            }
}

/* The first times from the one that was told on, and the last before, at which a circle is where it was told. */
static void add_turns(moments *m, const struct circle *o)
{
    double angle = atan2(told_double(m->q, o->sine), told_double(m->q, o->cosine));
    double turns = ceil((told_double(m->q, m->q->t) * o->speed - angle) / (2 * JN_PI));
    for (int i = 0; i < 2; i++)
        add_time(m, (angle + 2 * JN_PI * (turns - i)) / o->speed);
}

static void find_times(moments *m)
{
    question *q = m->q;
    add_time(m, told_double(q, q->t));
    for (int i = 0; i < q->ncircles; i++)
        if (!q->circle[i].sample)
            add_turns(m, &q->circle[i]);
    for (int i = 0; i < q->ntimes; i++)
        if (is_opaque(q, &q->times[i]))
            add_crossings(m, i);
    add_nearest(m);
    for (int i = 0; i <= EVENLY; i++)
        add_time(m, m->span * i / EVENLY);
    for (int i = 0; i < BETWEEN; i++) /* where no sine has a round number */
        add_time(m, m->span * (i + 0.382) / BETWEEN);
}

/* ---- one of them --------------------------------------------------------------------------- */

typedef struct {
    double low, high;
} between;

static between among(const double *v, int n)
{
    between b = {v[0], v[0]};
    for (int i = 1; i < n; i++) {
        b.low = fmin(b.low, v[i]);
        b.high = fmax(b.high, v[i]);
    }
    return b;
}

/* A claim fails at a time itself; an instant is where something comes to a limit, and that may be between two doubles. */
static between about(const question *q, const double *v)
{
    return q->instant ? among(v, 3) : among(v + 1, 1);
}

static term is_between(question *q, term a, between b)
{
    logic *l = q->l;
    if (!isfinite(b.low) || !isfinite(b.high)) /* it has no number there */
        return jni_false(l);
    term low = jni_constant_term(q, jni_of_double(q, b.low));
    term high = jni_constant_term(q, jni_of_double(q, b.high));
    return jni_not(l, jni_or(l, jni_less(l, a, low), jni_less(l, high, a)));
}

/* An expression goes up where it does, by its values a moment away. */
static term goes(question *q, term slow, double by)
{
    logic *l = q->l;
    term zero = jni_zero(l);
    return by > 0 ? jni_less(l, zero, slow) : by < 0 ? jni_less(l, slow, zero) : jni_true(l);
}

/* It does not change at all from t on: also not where its bend would be seen. */
static bool is_flat(question *q, const jn_expr *e, double t, double by)
{
    const double farther = 1e3;
    double v = jni_expr_at(q, e, t);
    return t + farther * by >= 0 && jni_expr_at(q, e, t + by) == v &&
           jni_expr_at(q, e, t + farther * by) == v;
}

/* It jumps: until then it was what a run knows of the time before. */
static term jumps_then(question *q, const struct time_term *x, double before, double after)
{
    return jni_and(q->l, is_between(q, x->is[0], among(&before, 1)),
                   is_between(q, x->is[1], among(&after, 1)));
}

static bool is_same(double a, double b, double part)
{
    return fabs(a - b) <= part * (1 + fabs(b));
}

static const double steep = 1e-4; /* what is steeper within a moment is a jump */

/* On one side of a time it goes as its values do. */
static term goes_then(question *q, const struct time_term *x, phase when, double t, double by)
{
    logic *l = q->l;
    double v = jni_expr_at(q, x->e, t), next = jni_expr_at(q, x->e, t + by);
    term to = goes(q, x->slow[when], is_same(next, v, steep) ? next - v : 0);
    bool still = is_flat(q, x->e, t, by);
    return still ? jni_and(l, to, jni_equal(l, x->slow[when], jni_zero(l))) : to;
}

static term expression_then(question *q, const struct time_term *x, const double *t)
{
    const double rounding = 1e-12;
    logic *l = q->l;
    double v[3], before = jni_expr_at(q, x->e, nextafter(t[1], 0));
    bool jumps = q->instant && x->is[0] != x->is[1] &&
                 !is_same(before, jni_expr_at(q, x->e, t[1]), rounding);
    for (int i = 0; i < 3; i++)
        v[i] = jni_expr_at(q, x->e, t[i]);
    for (int i = 0; i < 3; i++)
        if (!is_same(v[i], v[1], steep))
            v[i] = v[1];
    term all =
        jumps ? jumps_then(q, x, before, v[1])
              : jni_and(l, is_between(q, x->is[1], about(q, v)), jni_equal(l, x->is[0], x->is[1]));
    if (!q->is_near)
        return all;
    double until = jumps ? nextafter(t[1], 0) : t[1];
    all = jni_and(l, all, goes_then(q, x, PHASE_BEFORE, until, t[0] - t[1]));
    return jni_and(l, all, goes_then(q, x, PHASE_AFTER, t[1], t[2] - t[1]));
}

/* The moment ends where something jumps: floor(t) is 1 from 1 on, and not before. */
static void cut_moment(question *q, double *t)
{
    for (int i = 0; i < q->ntimes; i++) {
        const struct time_term *x = &q->times[i];
        if (!is_opaque(q, x))
            continue;
        double at = jni_expr_at(q, x->e, t[1]);
        if (!is_same(jni_expr_at(q, x->e, t[0]), at, steep))
            t[0] = t[1];
        if (!is_same(jni_expr_at(q, x->e, t[2]), at, steep))
            t[2] = t[1];
    }
}

static term circle_then(question *q, const struct circle *o, const double *t)
{
    double s[3], c[3];
    if (!q->instant)
        return jni_circle_at(q, o, t[1]);
    for (int i = 0; i < 3; i++) {
        s[i] = sin(o->speed * t[i]);
        c[i] = cos(o->speed * t[i]);
    }
    return jni_and(q->l, is_between(q, o->sine, among(s, 3)),
                   is_between(q, o->cosine, among(c, 3)));
}

static term all_then(question *q, double time)
{
    double by = moment * (1 + time), t[] = {fmax(0, time - by), time, time + by};
    double when[] = {t[0], t[1], t[2]};
    cut_moment(q, when);
    term all = jni_and(q->l, is_between(q, q->t, about(q, when)), jni_turning(q));
    for (int i = 0; i < q->ntimes; i++)
        if (is_opaque(q, &q->times[i]))
            all = jni_and(q->l, all, expression_then(q, &q->times[i], t));
    for (int i = 0; i < q->ncircles; i++)
        if (!q->circle[i].sample)
            all = jni_and(q->l, all, circle_then(q, &q->circle[i], t));
    return all;
}

bool jni_pin_moment(question *q, int *scopes)
{
    size_t n = (size_t)q->ntimes + 1;
    double until = jn_processor_seconds() + SECONDS;
    moments m = {.q = q, .span = span_of(q)};
    bool found = false;
    for (int k = 0; k < 2; k++) {
        m.told[k] = jn_alloc(n * sizeof *m.told[k]);
        for (int i = 0; i < q->ntimes; i++)
            m.told[k][i] = told_double(q, q->times[i].is[k]);
    }
    find_times(&m);
    for (int i = 0; i < m.n && !found && jn_processor_seconds() < until; i++)
        found = jni_also(q->l, all_then(q, m.time[i]));
    *scopes += found;
    free(m.told[0]);
    free(m.told[1]);
    return found;
}
