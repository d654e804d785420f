/* wave.c: sines and cosines of time.
 *
 * What depends on time alone is an input that may have any value. But the phases of a three-phase source are
 * never all positive: those of one frequency are two numbers, s = sin(a·t) and c = cos(a·t),
 *
 *     sin(a·t + b) = s·cos(b) + c·sin(b)
 *
 * which stand on a circle. In linear arithmetic that is a ring: |s|, |c| ≤ 1 ≤ |s| + |c| ≤ 3/2. */
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

static void keep_on_circle(question *q, term s, term c)
{
    logic *l = q->l;
    term one = jni_constant_term(q, JN_RATFUN_ONE), sum;
    term most = jni_constant_term(q, jni_of_double(q, 1.5));
    s = magnitude(q, s);
    c = magnitude(q, c);
    sum = jni_add(l, s, c);
    jni_assert(l, jni_not(l, jni_less(l, one, s)));
    jni_assert(l, jni_not(l, jni_less(l, one, c)));
    jni_assert(l, jni_not(l, jni_less(l, sum, one)));
    jni_assert(l, jni_not(l, jni_less(l, most, sum)));
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
    keep_on_circle(q, anew.sine, anew.cosine);
    JN_GROW(q->circle, q->ncircles, q->cap_circles);
    q->circle[q->ncircles] = anew;
    return &q->circle[q->ncircles++];
}

/* The nearest double; but what is 0, 1/2 or 1 is that. */
static jn_ratfun share(question *q, double v)
{
    double halves = round(2 * v) / 2;
    return jni_of_double(q, fabs(v - halves) < 1e-14 ? halves : v);
}

static term mix(question *q, jn_ratfun of_sine, term sine, jn_ratfun of_cosine, term cosine)
{
    return jni_add(q->l, jni_times(q, of_sine, sine), jni_times(q, of_cosine, cosine));
}

void jni_wave_of(struct time_term *out, question *q, const jn_expr *e)
{
    double b = at_time(q, e->arg[0], 0), a = at_time(q, e->arg[0], 1) - b;
    double sign = a < 0 ? -1 : 1;
    b = sign * (e->op == JN_X_COS ? b + JN_PI / 2 : b);
    const struct circle c = *circle_of(q, fabs(a), out->sample);
    jn_ratfun sine = share(q, sign * cos(b)), cosine = share(q, sign * sin(b));
    for (int i = 0; i < 2; i++) {
        out->is[i] = mix(q, sine, c.sine, cosine, c.cosine);
        out->slow[i] = mix(q, sine, c.slow_sine[i], cosine, c.slow_cosine[i]);
    }
}
