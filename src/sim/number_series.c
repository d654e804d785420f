/* number_series.c: Chebyshev series, and where one changes sign first.
 *
 * Nothing is missed between two points: on an interval of half-width r around c,
 *
 *     |g(u) − g(c) − g'(c)(u − c)| ≤ B·r²/2,     B = max |g''| ≤ Σ |a_k|·k²(k² − 1)/3
 *
 * so an interval is free of zeros when |g(c)| exceeds |g'(c)|·r + B·r²/2, and g is monotone on it
 * when |g'(c)| exceeds B·r. Intervals that are neither are halved, the earlier half first. */
#include <math.h>

#include "number.h"

/* Clenshaw's recurrence, two terms at a time: what was the one before is then the one that comes. */
double jni_series_at(const double *a, int n, double u)
{
    double even = 0, odd = 0, twice = 2 * u;
    int k = n - 1;
    for (; k > 1; k -= 2) {
        even = a[k] + twice * odd - even;
        odd = a[k - 1] + twice * even - odd;
    }
    if (k == 1) {
        even = a[1] + twice * odd - even;
        return a[0] + u * even - odd;
    }
    return a[0] + u * odd - even;
}

/* Σ k·a_k·U_{k−1}(u), by Clenshaw's recurrence for U. */
double jni_series_slope(const double *a, int n, double u)
{
    double b1 = 0, b2 = 0;
    for (int k = n - 1; k > 1; k--) {
        double b0 = k * a[k] + 2 * u * b1 - b2;
        b2 = b1;
        b1 = b0;
    }
    return (n > 1 ? a[1] : 0) + 2 * u * b1 - b2;
}

/* ∫ Σ a_k T_k from −1 to u: ∫T_k = T_{k+1}/2(k + 1) − T_{k−1}/2(k − 1). */
double jni_series_integral(const double *a, int n, double u)
{
    double b[SERIES_TERMS + 1] = {0};
    for (int k = 0; k < n; k++) {
        b[k + 1] += k == 0 ? a[0] : a[k] / (2 * (k + 1));
        if (k > 1)
            b[k - 1] -= a[k] / (2 * (k - 1));
    }
    return jni_series_at(b, n + 1, u) - jni_series_at(b, n + 1, -1);
}

void jni_series_fit(double *a, const double *values, int n)
{

    double wave[2 * SERIES_DEGREE] = {0}; /* cos(π·j/d), of period 2d in j */
    int d = n - 1;
    for (int j = 0; j < 2 * d; j++)
        wave[j] = cos(PI * j / d);
    for (int k = 0; k < n; k++) {
        double sum = 0;
        for (int i = 0; i < n; i++) {
            double w = i == 0 || i == d ? 0.5 : 1;
            sum += w * values[i] * wave[i * k % (2 * d)];
        }
        a[k] = sum * (k == 0 || k == d ? 1 : 2) / d;
    }
}

typedef struct {
    const crossing *c;
    int start;         /* the side it comes from */
    double bound;      /* of |g''| */
    double resolution; /* in τ */
} search;

static double tau_of(const search *s, double u)
{
    return 0.5 * s->c->length * (1 + u);
}

static double u_of(const search *s, double tau)
{
    return 2 * tau / s->c->length - 1;
}

static double at_tau(const search *s, double tau)
{
    return jni_series_at(s->c->a, s->c->n, u_of(s, tau));
}

static bool is_beyond(const search *s, double g)
{
    return s->start > 0 ? g < 0 : g > 0;
}

/* lo, where it is glo, is on the near side, hi on the far side: brings hi as close as doubles allow. Secants, aimed
 * a hair beyond the zero so that both ends close in, and every third time a halving. */
static double refine(const search *s, double lo, double glo, double hi, double ghi)
{
    for (int i = 0; i < 200 && hi - lo > s->resolution; i++) {
        double mid = 0.5 * (lo + hi);
        if (i % 3 != 2 && glo != ghi) {
            double guess = lo + (hi - lo) * glo / (glo - ghi);
            guess += (i % 3 ? -0.5 : 0.5) * s->resolution;
            if (guess > lo && guess < hi)
                mid = guess;
        }
        if (mid <= lo || mid >= hi)
            break;
        double g = at_tau(s, mid);
        if (is_beyond(s, g)) {
            hi = mid;
            ghi = g;
        } else {
            lo = mid;
            glo = g;
        }
    }
    return hi;
}

/* The first point beyond zero in [lo, hi] (in u); −1: none. */
static double first(const search *s, double lo, double hi)
{
    double c = 0.5 * (lo + hi), r = 0.5 * (hi - lo);
    double g = jni_series_at(s->c->a, s->c->n, c), slope = jni_series_slope(s->c->a, s->c->n, c);
    double spread = fabs(slope) * r + 0.5 * s->bound * r * r;
    if (!isfinite(g + spread +
                  s->c->noise)) /* beyond what doubles hold: whoever gets there stops */
        return -1;
    if (fabs(g) > spread && !is_beyond(s, g))
        return -1;
    if (fabs(g) + spread <= s->c->noise) /* nothing there can be told from zero */
        return -1;
    double tlo = tau_of(s, lo), thi = tau_of(s, hi);
    if (fabs(slope) > s->bound * r ||
        r * s->c->length <= s->resolution) { /* monotone, or a point */
        double glo = at_tau(s, tlo);
        if (is_beyond(s, glo))
            return tlo;
        double ghi = at_tau(s, thi);
        return is_beyond(s, ghi) ? refine(s, tlo, glo, thi, ghi) : -1;
    }
    double early = first(s, lo, c);
    return early >= 0 ? early : first(s, c, hi);
}

static search make_search(const crossing *c)
{
    double bound = 0, late = c->t0 + c->end;
    for (int k = c->n - 1; k > 0; k--) {
        double kk = (double)k * k;
        bound += fabs(c->a[k]) * kk * (kk - 1) / 3;
    }
    return (search){c, c->start, bound, nextafter(late, INFINITY) - late};
}

/* The first point after `from` that is clear of rounding, and the value there; −1: none. */
static double next_clear(double *value, const search *s, double from)
{
    double tau = from;
    for (double step = s->resolution; fabs(*value = at_tau(s, tau)) <= s->c->noise; step *= 4) {
        if (tau >= s->c->end)
            return -1;
        tau = fmin(from + step, s->c->end);
    }
    return tau;
}

double jni_series_leave(const crossing *c, int *side)
{
    search s = make_search(c);
    double value, tau = next_clear(&value, &s, c->from);
    if (tau >= 0)
        *side = value > 0 ? 1 : -1;
    return tau;
}

double jni_series_crossing(const crossing *c, double *clear)
{
    double rest = 0, from = c->from;
    for (int k = c->n - 1; k > 0; k--)
        rest += fabs(c->a[k]);
    if (fabs(c->a[0]) > rest && (c->a[0] > 0) == (c->start > 0))
        return -1;
    search s = make_search(c);
    double end = fmin(1, u_of(&s, c->end));
    for (;;) { /* what only touches the surface, as far as can be told, does not cross it */
        double tau = first(&s, u_of(&s, from), end);
        if (tau < 0)
            return -1;
        double value, sure = next_clear(&value, &s, tau);
        if (sure < 0) /* what is to come will tell */
            return -1;
        if (clear)
            *clear = sure;
        if (is_beyond(&s, value))
            return tau > 0 ? tau : s.resolution;
        from = sure;
    }
}

double jni_series_exit(const crossing *share)
{
    double first = -1, a[SERIES_TERMS] = {0};
    for (int bound = 0; bound < 2; bound++) { /* −share above 0, then share − 1 */
        for (int i = 0; i < share->n; i++)
            a[i] = bound ? share->a[i] : -share->a[i];
        a[0] -= bound;
        crossing c = *share;
        c.a = a;
        c.start = -1;
        c.end = first < 0 ? share->end : first;
        double tau = jni_series_crossing(&c, NULL);
        if (tau >= 0)
            first = tau;
    }
    return first;
}

/* ---- all zeros ----------------------------------------------------------------------------- */

/* a'_{k−1} = a'_{k+1} + 2k·a_k, the first halved. */
void jni_series_derivative(double *d, const double *a, int n)
{
    double up = 0, here = 0; /* a'_{k+1}, a'_k */
    for (int k = n - 1; k > 0; k--) {
        double below = up + 2 * k * a[k];
        d[k - 1] = k == 1 ? 0.5 * below : below;
        up = here;
        here = below;
    }
}

/* The series on the half from −1 to 0, or from 0 to 1, stretched to [−1, 1]: T_k(½(u ∓ 1)) over T_j(u),
 * made once. With coefficients of their own, bounds on a part are as tight as on the whole. */
static const double *half_of(bool right)
{
    static double half[2][SERIES_TERMS * SERIES_TERMS];
    if (half[0][0] == 0)
        for (int side = 0; side < 2; side++)
            for (int k = 0; k < SERIES_TERMS; k++) {
                double unit[SERIES_TERMS] = {0}, value[SERIES_TERMS], a[SERIES_TERMS];
                unit[k] = 1;
                for (int i = 0; i < SERIES_TERMS; i++)
                    value[i] = jni_series_at(unit, SERIES_TERMS,
                                             0.5 * (cos(PI * i / SERIES_DEGREE) + (side ? 1 : -1)));
                jni_series_fit(a, value, SERIES_TERMS);
                for (int j = 0; j <= k; j++)
                    half[side][j * SERIES_TERMS + k] = a[j];
            }
    return half[right];
}

typedef struct {
    double from, to, rounding;
    int n, count;
    double *zero;
} zeros;

/* g, given on [−1, 1], changes sign once there. */
static double only_zero(const double *a, int n)
{
    double lo = -1, hi = 1, glo = jni_series_at(a, n, lo), ghi = jni_series_at(a, n, hi);
    for (int i = 0; i < 100 && hi - lo > 1e-15; i++) {
        double mid = i % 3 == 2 ? 0.5 * (lo + hi) : lo + (hi - lo) * glo / (glo - ghi);
        if (!(mid > lo && mid < hi))
            break;
        double g = jni_series_at(a, n, mid);
        bool near = (g > 0) == (glo > 0);
        *(near ? &lo : &hi) = mid;
        *(near ? &glo : &ghi) = g;
    }
    return fabs(glo) < fabs(ghi) ? lo : hi;
}

static void add_zero(zeros *z, double u)
{
    if (u > z->from && u < z->to && z->count < z->n - 1 && (!z->count || u > z->zero[z->count - 1]))
        z->zero[z->count++] = u;
}

/* On lo ≤ u ≤ hi, where it has the coefficients a. */
static void find_zeros(zeros *z, const double *a, double lo, double hi)
{
    const double touching = 1e-6;
    double rest = 0, bend = 0;
    if (hi <= z->from || lo >= z->to)
        return;
    for (int k = 1; k < z->n; k++) {
        rest += fabs(a[k]);
        bend += k > 1 ? k * k * fabs(a[k]) : 0;
    }
    if (fabs(a[0]) > rest)
        return;
    if (fabs(a[0]) + rest <= z->rounding) { /* nothing but that: unless it is one point */
        if (hi - lo < touching)
            add_zero(z, 0.5 * (lo + hi));
        return;
    }
    if (fabs(a[1]) > bend) {
        if ((jni_series_at(a, z->n, -1) > 0) != (jni_series_at(a, z->n, 1) > 0))
            add_zero(z, lo + 0.5 * (hi - lo) * (1 + only_zero(a, z->n)));
        return;
    }
    double mid = 0.5 * (lo + hi), part[SERIES_TERMS];
    for (int right = 0; right < 2; right++) {
        const double *half = half_of(right);
        for (int j = 0; j < z->n; j++)
            part[j] = jni_dot(half + j * SERIES_TERMS + j, a + j, z->n - j);
        find_zeros(z, part, right ? mid : lo, right ? hi : mid);
    }
}

int jni_series_zeros(double *zero, const double *a, int n, double from, double to)
{
    zeros z = {.from = from, .to = to, .n = n, .zero = zero};
    for (int k = 0; k < n; k++)
        z.rounding += 1e-15 * fabs(a[k]);
    if (n > 1 && to > from && z.rounding > 0)
        find_zeros(&z, a, -1, 1);
    return z.count;
}
