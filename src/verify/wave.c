/* wave.c: sines and cosines of time.
 *
 * What depends on time alone is an input that may have any value. But the phases of a three-phase source are
 * never all positive: those of one frequency are two numbers, s = sin(a·t) and c = cos(a·t),
 *
 *     sin(a·t + b) = s·cos(b) + c·sin(b)
 *
 * which stand on a circle. In linear arithmetic that is a ring: |s|, |c| ≤ 1 ≤ |s| + |c| ≤ √2; solutions off the
 * circle, or that move otherwise than it turns, are cut off when they are met (circle.c).
 *
 * No coefficient is exact but 0, 1/2 and 1. Where all that c is multiplied with are ±√3/2, the nearest double r stands
 * for it, and c for c·√3/(2·r): that is a hair off the circle, and all relations between the waves are exact. Where
 * coefficients differ, the wave is off by a hair itself. So what is proved holds for the sines themselves. */
#include <math.h>

#include "question.h"

/* Of an expression that is linear in t. */
static double at_time(question *q, const jn_expr *e, double t)
{
    jn_ratfun c = jni_expr_constant(q, e);
    if (c.id >= 0)
        return jn_ratfun_get_d(q->g->field, c);
    double a, b;
    switch (e->op) {
    case JN_X_TIME:
        return t;
    case JN_X_SIGNAL:
        return at_time(q, q->g->signal[e->index].expr, t);
    case JN_X_NEG:
        return -at_time(q, e->arg[0], t);
    default:
        a = at_time(q, e->arg[0], t);
        b = at_time(q, e->arg[1], t);
        return e->op == JN_X_ADD   ? a + b
               : e->op == JN_X_SUB ? a - b
               : e->op == JN_X_MUL ? a * b
                                   : a / b;
    }
}

static term magnitude(question *q, term a)
{
    logic *l = q->l;
    return jni_choose(l, jni_less(l, a, jni_zero(l)), jni_minus(q, jni_zero(l), a), a);
}

/* |a − b| ≤ most */
static void keep_near(question *q, term a, term b, double most)
{
    logic *l = q->l;
    term apart = magnitude(q, jni_minus(q, a, b));
    jni_assert(l, jni_not(l, jni_less(l, jni_constant_term(q, jni_of_double(q, most)), apart)));
}

/* A number that is a hair off another. */
static term nearly(question *q, term a)
{
    term off = jni_real(q->l);
    keep_near(q, off, jni_zero(q->l), JNI_HAIR);
    JN_GROW(q->hair, q->nhairs, q->cap_hairs);
    q->hair[q->nhairs++] = off;
    return jni_add(q->l, a, off);
}

static void keep_on_ring(question *q, term s, term c)
{
    logic *l = q->l;
    term sum = jni_add(l, magnitude(q, s), magnitude(q, c)), zero = jni_zero(l);
    keep_near(q, s, zero, 1 + JNI_HAIR);
    keep_near(q, c, zero, 1 + JNI_HAIR);
    keep_near(q, sum, zero, sqrt(2) + JNI_HAIR);
    jni_assert(l,
               jni_not(l, jni_less(l, sum, jni_constant_term(q, jni_of_double(q, 1 - JNI_HAIR)))));
}

static struct circle *circle_of(question *q, double speed, int sample)
{
    for (int i = 0; i < q->ncircles; i++)
        if (q->circle[i].speed == speed && q->circle[i].sample == sample)
            return &q->circle[i];
    struct circle anew = {.speed = speed, .sample = sample};
    anew.sine = jni_real(q->l);
    anew.cosine = jni_real(q->l);
    for (int i = 0; i < 2; i++) {
        anew.slow_sine[i] = jni_real(q->l);
        anew.slow_cosine[i] = jni_real(q->l);
    }
    keep_on_ring(q, anew.sine, anew.cosine);
    JN_GROW(q->circle, q->ncircles, q->cap_circles);
    q->circle[q->ncircles] = anew;
    return &q->circle[q->ncircles++];
}

/* A wave as a combination of s and c. */
typedef struct {
    struct circle *of;
    jn_ratfun share[2];
    bool is_exact;
} combination;

/* A coefficient: 0, 1/2 and 1 are that, others the double that stands for the unit of its axis. */
static void set_share(combination *w, question *q, int axis, double v)
{
    enum { HALVES = 2 };
    const double same = 1e-14; /* some rounding errors of sin(2*pi/3) */
    double halves = round(HALVES * v) / HALVES, *unit = &w->of->unit[axis];
    bool rational = fabs(v - halves) < same;
    double size = rational ? 1 : fabs(v);
    v = rational ? halves : v;
    if (v != 0 && *unit == 0)
        *unit = size;
    if (v != 0 && fabs(size - *unit) < same)
        v = rational ? v : copysign(*unit, v);
    else if (v != 0)
        w->is_exact = false;
    w->share[axis] = jni_of_double(q, v);
}

static combination combination_of(question *q, const jn_expr *e, int sample)
{
    double b = at_time(q, e->arg[0], 0), a = at_time(q, e->arg[0], 1) - b;
    double sign = a < 0 ? -1 : 1;
    b = sign * (e->op == JN_X_COS ? b + JN_PI / 2 : b);
    combination w = {.of = circle_of(q, fabs(a), sample), .is_exact = true};
    set_share(&w, q, 0, sign * cos(b));
    set_share(&w, q, 1, sign * sin(b));
    return w;
}

static term mix(question *q, const combination *w, term sine, term cosine)
{
    term sum = jni_add(q->l, jni_times(q, w->share[0], sine), jni_times(q, w->share[1], cosine));
    return w->is_exact ? sum : nearly(q, sum);
}

void jni_wave_of(struct time_term *out, question *q, const jn_expr *e)
{
    combination w = combination_of(q, e, out->sample);
    out->is[0] = out->is[1] = mix(q, &w, w.of->sine, w.of->cosine);
    for (int i = 0; i < 2; i++)
        out->slow[i] = mix(q, &w, w.of->slow_sine[i], w.of->slow_cosine[i]);
}

/* As the circle turns by one radian, (s, c) goes where (c, −s) is. */
term jni_wave_rate(question *q, const jn_expr *e)
{
    combination w = combination_of(q, e, 0);
    term back = jni_minus(q, jni_zero(q->l), w.of->sine);
    w.is_exact = true;
    return jni_times(q, jni_of_double(q, w.of->speed), mix(q, &w, w.of->cosine, back));
}

/* ---- all of them --------------------------------------------------------------------------- */

static void meet(question *q, const jn_expr *e)
{
    view now = {.q = q, .fresh = jni_false(q->l), .phase = PHASE_AFTER};
    if (!e || e->op == JN_X_INT) /* where a signal may read itself */
        return;
    if (e->op == JN_X_SIGNAL)
        meet(q, q->g->signal[e->index].expr);
    else if ((e->op == JN_X_SIN || e->op == JN_X_COS) && jni_expr_is_of_time(q, e))
        (void)jni_value_of(&now, e);
    else
        for (int i = 0; i < e->nargs; i++)
            meet(q, e->arg[i]);
}

void jni_meet_waves(question *q)
{
    const jn_graph *g = q->g;
    for (int i = 0; i < g->nelements && !q->is_first; i++)
        meet(q, g->element[i].input);
    for (int k = 0; k < g->nswitches && !q->is_first; k++)
        for (int t = 0; t < g->automaton[k].ntransitions; t++)
            meet(q, g->automaton[k].transition[t].when);
    for (int i = 0; i < g->nasserts && !q->is_first; i++)
        meet(q, g->assertion[i].condition);
    for (int i = 0; i < g->nbounds && !q->is_first; i++) {
        meet(q, g->bound[i].low);
        meet(q, g->bound[i].x);
        meet(q, g->bound[i].high);
    }
}
