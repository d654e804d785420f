/* circle.c: solutions in which sines and cosines are those of an angle.
 *
 * To linear arithmetic the circle of s = sin(a·t) and c = cos(a·t) is a ring (wave.c). A solution on the ring that is
 * not on the circle is no state of the model. It is cut off: one that is too far out by a tangent; one that is too far in
 * by the chord of an arc before which it lies, which holds within the cone of that arc only. Both hold for the whole circle, so
 * that no proof is lost, and after some cuts there is a solution on the circle to more digits than a double
 * has, or none. */
#include <math.h>
#include <stdlib.h>

#include "question.h"

enum { MOST_CUTS = 80, DIGITS = 30 };

static const double on_circle = 0x1p-44; /* a solution is: near to rounding errors of doubles */
static const double spare = 0x1p-48; /* cuts leave room for what stands for √3/2, see wave.c */

/* A point of the circle in rational numbers, about at some angle: by the tangent of half of it. */
static void point_at(fmpq *sine, fmpq *cosine, double angle, int digits)
{
    double s = sin(angle), c = cos(angle), half = tan(atan2(fabs(s), fabs(c)) / 2);
    fmpq_t t, one, sum;
    fmpq_init(t);
    fmpq_init(one);
    fmpq_init(sum);
    fmpq_one(one);
    fmpz_set_d(fmpq_numref(t), round(ldexp(half, digits)));
    fmpq_div_2exp(t, t, (flint_bitcnt_t)digits);
    fmpq_mul(sum, t, t);
    fmpq_sub(cosine, one, sum);
    fmpq_add(sum, one, sum);
    fmpq_div(cosine, cosine, sum);
    fmpq_add(sine, t, t);
    fmpq_div(sine, sine, sum);
    if (s < 0)
        fmpq_neg(sine, sine);
    if (c < 0)
        fmpq_neg(cosine, cosine);
    fmpq_clear(t);
    fmpq_clear(one);
    fmpq_clear(sum);
}

/* a·s + b·c */
static term along(question *q, const fmpq *a, term s, const fmpq *b, term c)
{
    return jni_add(q->l, jni_scale(q->l, a, s), jni_scale(q->l, b, c));
}

static term number_of(question *q, double v)
{
    return jni_constant_term(q, jni_of_double(q, v));
}

/* Nothing is beyond the tangent. */
static void cut_outside(question *q, const struct circle *o, double angle, int digits)
{
    fmpq n[2];
    fmpq_init(n);
    fmpq_init(n + 1);
    point_at(n, n + 1, angle, digits);
    term out = along(q, n, o->sine, n + 1, o->cosine);
    jni_assert(q->l, jni_not(q->l, jni_less(q->l, number_of(q, 1 + spare), out)));
    fmpq_clear(n);
    fmpq_clear(n + 1);
}

/* Within the cone of an arc nothing is before its chord: with n and m at its ends, (n + m)·p ≥ 1 + n·m. */
static void cut_inside(question *q, const struct circle *o, double angle, double half)
{
    logic *l = q->l;
    fmpq n[2], m[2], one[1];
    for (int i = 0; i < 2; i++) {
        fmpq_init(n + i);
        fmpq_init(m + i);
    }
    fmpq_init(one);
    point_at(n, n + 1, angle - half, DIGITS);
    point_at(m, m + 1, angle + half, DIGITS);
    fmpq_neg(n, n);
    term after_n = along(q, n + 1, o->sine, n, o->cosine); /* n × p, angles being those of (c, s) */
    fmpq_neg(n, n);
    fmpq_neg(m + 1, m + 1);
    term before_m = along(q, m + 1, o->sine, m, o->cosine);
    fmpq_neg(m + 1, m + 1);
    fmpq_one(one);
    fmpq_addmul(one, n, m);
    fmpq_addmul(one, n + 1, m + 1);
    fmpq_add(n, n, m);
    fmpq_add(n + 1, n + 1, m + 1);
    term far = along(q, n, o->sine, n + 1, o->cosine);
    term least = jni_minus(q, jni_number(l, one), number_of(q, 2 * spare));
    term zero = jni_zero(l);
    term outside = jni_or(l, jni_less(l, after_n, zero), jni_less(l, before_m, zero));
    jni_assert(l, jni_or(l, outside, jni_not(l, jni_less(l, far, least))));
    for (int i = 0; i < 2; i++) {
        fmpq_clear(n + i);
        fmpq_clear(m + i);
    }
    fmpq_clear(one);
}

static void told_point(fmpq *out, question *q, const struct circle *o)
{
    jni_told_number(out, q->l, o->sine);
    jni_told_number(out + 1, q->l, o->cosine);
}

/* How far the solution is from the centre, less 1, and in which direction. */
static double told_distance(double *angle, question *q, const struct circle *o)
{
    fmpq p[2], square[1], one[1];
    fmpq_init(p);
    fmpq_init(p + 1);
    fmpq_init(square);
    fmpq_init(one);
    told_point(p, q, o);
    *angle = atan2(jn_number_get_d(p), jn_number_get_d(p + 1));
    fmpq_one(one);
    fmpq_neg(square, one);
    fmpq_addmul(square, p, p);
    fmpq_addmul(square, p + 1, p + 1);
    double gap = jn_number_get_d(square);
    fmpq_clear(p);
    fmpq_clear(p + 1);
    fmpq_clear(square);
    fmpq_clear(one);
    return gap / (1 + sqrt(1 + gap)); /* √(1 + gap) − 1 */
}

/* Cuts off what was told where it is off a circle; false: it is on all of them. */
static bool cut(question *q)
{
    bool off = false;
    for (int i = 0; i < q->ncircles; i++) {
        double angle, far = told_distance(&angle, q, &q->circle[i]);
        if (fabs(far) <= on_circle)
            continue;
        off = true;
        if (far > 0)
            cut_outside(q, &q->circle[i], angle, DIGITS);
        else /* the chord must be farther out */
            cut_inside(q, &q->circle[i], angle, 0.7 * acos(1 + far));
    }
    return off;
}

/* ---- how it moves -------------------------------------------------------------------------- */

/* |a − b| is a hair at most. */
static term is_near(question *q, term a, term b)
{
    logic *l = q->l;
    term most = number_of(q, JNI_HAIR), apart = jni_minus(q, a, b);
    return jni_not(l, jni_or(l, jni_less(l, most, apart),
                             jni_less(l, apart, jni_minus(q, jni_zero(l), most))));
}

/* Where a circle goes from (s, c), as the first one turns by 1: to (c, −s), until then back. */
static void direction_of(term *sine, term *cosine, question *q, const struct circle *o, int i,
                         term s, term c)
{
    double speed = o->speed / q->circle[0].speed;
    jn_ratfun by = jni_of_double(q, i == PHASE_AFTER ? speed : -speed);
    *sine = jni_times(q, by, c);
    *cosine = jni_minus(q, jni_zero(q->l), jni_times(q, by, s));
}

/* All of them turn, and the state goes with them, but for a hair: where that is nothing, how they bend decides. */
term jni_turning(question *q)
{
    logic *l = q->l;
    term all = jni_follows_flow(q), to[2];
    for (int i = 0; i < q->ncircles && q->is_near; i++)
        for (int k = 0; k < 2; k++) {
            const struct circle *o = &q->circle[i];
            direction_of(to, to + 1, q, o, k, o->sine, o->cosine);
            all = jni_and(l, all, is_near(q, o->slow_sine[k], to[0]));
            all = jni_and(l, all, is_near(q, o->slow_cosine[k], to[1]));
        }
    for (int k = 0; k < q->g->nsources; k++)
        if (q->turning[k])
            all = jni_and(l, all, is_near(q, q->wave_rate[k], q->turning[k]));
    return all;
}

/* At a point that is known, one bends towards the centre: by any part of a hair. */
static term turns_at(question *q, const struct circle *o, const fmpq *p)
{
    logic *l = q->l;
    term all = jni_true(l), to[2], zero = jni_zero(l);
    term s = jni_number(l, p), c = jni_number(l, p + 1);
    for (int k = 0; k < 2 && q->is_near; k++) {
        term bend = jni_real(l);
        direction_of(to, to + 1, q, o, k, s, c);
        to[0] = jni_minus(q, to[0], jni_scale(l, p, bend));
        to[1] = jni_minus(q, to[1], jni_scale(l, p + 1, bend));
        all = jni_and(l, all, jni_not(l, jni_less(l, bend, zero)));
        all = jni_and(l, all, is_near(q, bend, zero));
        all = jni_and(l, all, jni_equal(l, o->slow_sine[k], to[0]));
        all = jni_and(l, all, jni_equal(l, o->slow_cosine[k], to[1]));
    }
    return all;
}

/* ---- asking -------------------------------------------------------------------------------- */

/* At a point, and going as it does there. */
static term is_at(question *q, const struct circle *o, const fmpq *p)
{
    logic *l = q->l;
    term there = jni_and(l, jni_equal(l, o->sine, jni_number(l, p)),
                         jni_equal(l, o->cosine, jni_number(l, p + 1)));
    return jni_and(l, there, turns_at(q, o, p));
}

term jni_circle_at(question *q, const struct circle *o, double t)
{
    enum { ALL = 52 };
    fmpq p[2];
    fmpq_init(p);
    fmpq_init(p + 1);
    point_at(p, p + 1, o->speed * t, ALL);
    term there = is_at(q, o, p);
    fmpq_clear(p);
    fmpq_clear(p + 1);
    return there;
}

/* Waves are what they are, and go as fast as they do. */
static term without_hairs(question *q)
{
    logic *l = q->l;
    term all = jni_follows_flow(q);
    for (int i = 0; i < q->nhairs; i++)
        all = jni_and(l, all, jni_equal(l, q->hair[i], jni_zero(l)));
    for (int k = 0; k < q->g->nsources; k++)
        if (q->turning[k])
            all = jni_and(l, all, is_near(q, q->wave_rate[k], q->turning[k]));
    return all;
}

/* Whether there is a solution with all circles at points near to what was told; then that is told. */
static bool is_near_true(question *q)
{
    enum { FEW = 4, MANY = 16 };
    bool done = false;
    fmpq p[2];
    fmpq_init(p);
    fmpq_init(p + 1);
    for (int digits = FEW; digits <= MANY && !done; digits += MANY - FEW) {
        term all = without_hairs(q);
        for (int i = 0; i < q->ncircles; i++) {
            double angle;
            (void)told_distance(&angle, q, &q->circle[i]);
            point_at(p, p + 1, angle, digits);
            all = jni_and(q->l, all, is_at(q, &q->circle[i], p));
        }
        done = jni_also(q->l, all);
    }
    fmpq_clear(p);
    fmpq_clear(p + 1);
    jni_hold(q->l);
    if (done)
        jni_pop(q->l);
    return done;
}

answer jni_ask_true(question *q)
{
    answer a = jni_ask(q->l);
    term turning = q->ncircles && a == LOGIC_YES ? jni_turning(q) : NULL;
    for (int i = 0; i < MOST_CUTS && a == LOGIC_YES && q->ncircles; i++) {
        bool goes = jni_told(q->l, turning);
        if (is_near_true(q) || (!cut(q) && goes))
            return a;
        if (!goes)
            jni_assert(q->l, turning);
        a = i + 1 < MOST_CUTS ? jni_ask(q->l) : LOGIC_UNKNOWN;
    }
    return a;
}

/* One of both is as it was told, and between two numbers for the other there is the point of the circle: what happens for
 * both happens there. */
static bool pin_between(question *q, const struct circle *o, const fmpq *told, int kept)
{
    const double apart = 0x1p-46; /* rounding errors of the root are smaller */
    double is = jn_number_get_d(told + kept), was = jn_number_get_d(told + 1 - kept);
    double root = copysign(sqrt(fmax(0, (1 - is) * (1 + is))), was);
    bool both = true;
    fmpq p[2];
    fmpq_init(p);
    fmpq_init(p + 1);
    fmpq_set(p + kept, told + kept);
    for (int i = -1; i <= 1 && both; i += 2) {
        jn_ratfun c = jni_of_double(q, root + i * apart);
        both = jn_ratfun_get_fmpq(p + 1 - kept, q->g->field, c) && jni_also(q->l, is_at(q, o, p));
        if (both && i < 0)
            jni_pop(q->l);
    }
    fmpq_clear(p);
    fmpq_clear(p + 1);
    return both;
}

/* Near to where it was told, in numbers that are as short as can be. */
static bool pin(question *q, const struct circle *o, const fmpq *told)
{
    static const int digits[] = {1, 2, 4, 8, 16, 26};
    bool done = false;
    double angle = atan2(jn_number_get_d(told), jn_number_get_d(told + 1));
    fmpq p[2];
    fmpq_init(p);
    fmpq_init(p + 1);
    for (size_t i = 0; i < sizeof digits / sizeof *digits && !done; i++) {
        point_at(p, p + 1, angle, digits[i]);
        done = jni_also(q->l, is_at(q, o, p));
    }
    fmpq_clear(p);
    fmpq_clear(p + 1);
    return done || pin_between(q, o, told, 0) || pin_between(q, o, told, 1);
}

bool jni_pin_circles(question *q, int *scopes)
{
    if (!jni_is_true(q->l, q->early)) {
        if (!jni_also(q->l, q->early))
            return false;
        ++*scopes;
    }
    if (jni_is_loose(q))
        return jni_pin_moment(q, scopes);
    if (!q->ncircles)
        return true;
    fmpq *told = jn_alloc(2 * (size_t)q->ncircles * sizeof *told);
    for (int i = 0; i < q->ncircles; i++) {
        fmpq_init(told + 2 * i);
        fmpq_init(told + 2 * i + 1);
        told_point(told + 2 * i, q, &q->circle[i]);
    }
    bool all = jni_also(q->l, without_hairs(q));
    *scopes += all;
    for (int i = 0; i < q->ncircles && all; i++) {
        all = pin(q, &q->circle[i], told + 2 * i);
        *scopes += all;
    }
    for (int i = 0; i < 2 * q->ncircles; i++)
        fmpq_clear(told + i);
    free(told);
    return all;
}
