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

double jni_series_at(const double *a, int n, double u)
{
    double b1 = 0, b2 = 0;
    for (int k = n - 1; k > 0; k--) {
        double b0 = a[k] + 2 * u * b1 - b2;
        b2 = b1;
        b1 = b0;
    }
    return a[0] + u * b1 - b2;
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

/* lo is on the near side, hi on the far side: brings hi as close as doubles allow. Secants, aimed
 * a hair beyond the zero so that both ends close in, and every third time a halving. */
static double refine(const search *s, double lo, double hi)
{
    double glo = at_tau(s, lo), ghi = at_tau(s, hi);
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
    if (fabs(g) > spread && !is_beyond(s, g))
        return -1;
    if (fabs(g) + spread <= s->c->noise) /* nothing there can be told from zero */
        return -1;
    double tlo = tau_of(s, lo), thi = tau_of(s, hi);
    if (fabs(slope) > s->bound * r ||
        r * s->c->length <= s->resolution) { /* monotone, or a point */
        if (is_beyond(s, at_tau(s, tlo)))
            return tlo;
        return is_beyond(s, at_tau(s, thi)) ? refine(s, tlo, thi) : -1;
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

/* The first point after `from` that is clear of rounding; −1: none. */
static double next_clear(const search *s, double from)
{
    double tau = from;
    for (double step = s->resolution; fabs(at_tau(s, tau)) <= s->c->noise; step *= 4) {
        if (tau >= s->c->end)
            return -1;
        tau = fmin(from + step, s->c->end);
    }
    return tau;
}

double jni_series_leave(const crossing *c, int *side)
{
    search s = make_search(c);
    double tau = next_clear(&s, c->from);
    if (tau >= 0)
        *side = at_tau(&s, tau) > 0 ? 1 : -1;
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
        double sure = next_clear(&s, tau);
        if (sure < 0) /* what is to come will tell */
            return -1;
        if (clear)
            *clear = sure;
        if (is_beyond(&s, at_tau(&s, sure)))
            return tau > 0 ? tau : s.resolution;
        from = sure;
    }
}

double jni_series_exit(const crossing *share)
{
    double first = -1, a[SERIES_TERMS];
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
