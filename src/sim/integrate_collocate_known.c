/* integrate_collocate_known.c: how well the unknowns of a step can be known.
 *
 * What rounding leaves of the rows F is divided by their slopes: where a law is steep, or flat for its other variable,
 * its unknown is known less well than it is asked for, and Newton's method must not ask for more. What one unknown is
 * off by it passes on to the others, as the factors of the Jacobian say. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "integrate_collocation.h"
#include "integrate.h"

/* What rounding does to the rows at a point, and to rates, beside that of unknowns: just after t = 3, little is known
 * of (t − 3)². */
static void find_drift(struct slopes *s, const collocation *c, double t, const double *Y)
{
    const sparse_pattern *p = c->pattern;
    int n = c->p.n;
    memset(s->drift, 0, (size_t)n * sizeof *s->drift);
    memset(s->rate, 0, (size_t)n * sizeof *s->rate);
    if (c->p.drift)
        c->p.drift(c->p.ctx, t, Y, c->yp, s->drift);
    for (int k = 0; k < n; k++)
        s->drift[k] = isfinite(s->drift[k]) ? s->drift[k] : 0;
    for (int k = 0; k < n; k++)
        for (int e = p->start[k]; e < p->start[k + 1]; e++)
            if (p->row[e] == k && s->by_yp[e] != 0)
                s->rate[k] = s->drift[k] / fabs(s->by_yp[e]);
}

/* At the nodes. */
static double largest_of(const collocation *c, int unknown)
{
    double most = 0;
    for (int i = 0; i < NODES; i++)
        most = fmax(most, fabs(c->Y[i * c->p.n + unknown]));
    return most;
}

/* The tolerance of an unknown as far as its own values have made it: others may be far larger, in other units. Where
 * no step leads on with that, as where empty tanks begin to fill, it is what it is. */
static double asked_of(const collocation *c, int unknown)
{
    if (c->is_lax)
        return c->tol[unknown];
    double own = c->p.rtol * fmax(largest_of(c, unknown), c->p.floor[unknown]);
    return fmin(c->tol[unknown], own);
}

/* Of the rows that no rate stands in: how far rounding of the unknowns moves them, and their slopes by their own
 * unknowns. Both are 0 for the others. What moves fast settles, however wrong its rate: at L/R = 10⁻¹⁵ s. */
void jni_slopes_weigh(struct slopes *s, const collocation *c, const double *Y, double h)
{
    const sparse_pattern *p = c->pattern;
    int n = c->p.n;
    memset(s->own, 0, (size_t)n * sizeof *s->own);
    memcpy(s->rounding, s->drift, (size_t)n * sizeof *s->rounding);
    memcpy(s->all, s->drift, (size_t)n * sizeof *s->all);
    for (int k = 0; k < n; k++)
        for (int e = p->start[k]; e < p->start[k + 1]; e++) {
            double part = 8 * DBL_EPSILON * fabs(Y[k]), late = fmin(h * s->rate[k], c->off.held[k]);
            double asked = c->p.bends ? PART_OF_ASKED * asked_of(c, k) : 0;
            double off = fmax(part, fmin(asked, c->off.settled[k]));
            s->all[p->row[e]] += part * fabs(s->by_y[e]);
            s->rounding[p->row[e]] += fmax(off, late) * fabs(s->by_y[e]);
            if (p->row[e] == k)
                s->own[k] = fabs(s->by_y[e]);
        }
    for (int k = 0; k < n; k++)
        for (int e = p->start[k]; e < p->start[k + 1]; e++)
            if (s->by_yp[e] != 0)
                s->own[p->row[e]] = s->rounding[p->row[e]] = 0;
    for (int k = 0; k < n && c->p.is_of_others; k++)
        if (c->p.is_of_others[k])
            s->own[k] = s->rounding[k] = 0;
}

/* The x at which slope·x + bend·x²/2 is as large as the rounding. */
static double moved_by(double rounding, double slope, double bend)
{
    double sum = slope + sqrt(slope * slope + 2 * bend * rounding);
    return sum > 0 ? 2 * rounding / sum : 0;
}

/* How well unknowns can be known: where a law is steep, or flat for its other variable, less well
 * than is asked for. The step may begin there: what it is like in its middle says little of that. */
static void find_known(collocation *c, double h)
{
    int n = c->p.n;
    const double *middle = c->Y + MIDDLE * n;
    jni_slopes_weigh(&c->middle, c, middle, h);
    if (c->p.bends)
        jni_slopes_weigh(&c->start, c, c->Y, h);
    for (int k = 0; k < n; k++) {
        double own = c->middle.own[k], first = c->start.own[k];
        c->off.known[k] = own > 0 ? c->middle.rounding[k] / own : 0;
        if (!c->p.bends)
            continue;
        if (own == 0 && first == 0) {
            double late = h * fmax(c->middle.rate[k], c->start.rate[k]);
            c->off.known[k] = c->off.in_middle[k] = fmin(late, c->off.held[k]);
            continue;
        }
        double apart = fabs(middle[k] - c->Y[k]);
        double bend = apart > 0 ? fabs(own - first) / apart : 0;
        c->off.in_middle[k] = moved_by(c->middle.rounding[k], own, bend);
        c->off.known[k] = fmax(c->off.in_middle[k], moved_by(c->start.rounding[k], first, bend));
    }
}

bool jni_slopes_at(struct slopes *s, collocation *c, double t, const double *Y)
{
    if (!c->p.jacobian(c->p.ctx, t, Y, c->yp, s->by_y, s->by_yp))
        return false;
    find_drift(s, c, t, Y);
    return true;
}

static int real_system(const collocation *c)
{
    int real = 0;
    while (cimag(c->r.mu[real]) != 0)
        real++;
    return real;
}

/* One unknown passes what it is off by on to others: with leaks of 1e9 at two ends of a wire, the flow of
 * one is known no better than the effort that the other makes of a small difference of flows; and coils
 * whose flows add up to nothing share the rounding of the largest. It is what Newton's method makes of the
 * rounding of rows, with signs mixed in several ways: two in one solution, since the matrix is real. */
static bool spread(double *off, collocation *c, const double *row_off)
{
    int n = c->p.n, real = real_system(c);
    uint32_t random = 1;
    memset(off, 0, (size_t)n * sizeof *off);
    for (int times = 0; times < 2; times++) {
        for (int k = 0; k < n; k++) {
            random = random * 1664525u + 1013904223u;
            c->rhs[k] = (random >> 31 ? row_off[k] : -row_off[k]) +
                        I * (random >> 30 & 1 ? row_off[k] : -row_off[k]);
        }
        if (!jni_lu_solve(c->lu, real, c->rhs))
            return false;
        for (int k = 0; k < n; k++)
            off[k] = fmax(off[k], fmax(fabs(creal(c->rhs[k])), fabs(cimag(c->rhs[k]))));
    }
    return true;
}

/* What rows are off by where each unknown is known as well as is asked for. */
static void find_asked(double *row_off, const collocation *c, double h)
{
    const sparse_pattern *p = c->pattern;
    double mu = cabs(c->r.mu[real_system(c)]) / h;
    for (int k = 0; k < p->n; k++)
        row_off[k] = c->middle.all[k] + c->middle.own[k] * PART_OF_ASKED * asked_of(c, k);
    for (int k = 0; k < p->n; k++)
        for (int e = p->start[k]; e < p->start[k + 1]; e++)
            row_off[p->row[e]] += mu * fabs(c->middle.by_yp[e]) * PART_OF_ASKED * asked_of(c, k);
}

/* A state that settles at once is held by what depends on it: where a capacitor has e = 2 + 10⁻⁶·f, f is what is driven
 * through it, and e better known than is asked for. */
static void find_settled(collocation *c, double h)
{
    find_asked(c->yp, c, h);
    if (!c->p.may_settle(c->p.ctx) || !spread(c->off.settled, c, c->yp))
        for (int k = 0; k < c->p.n; k++)
            c->off.settled[k] = INFINITY;
}

/* row_off: 0 for those whose slopes are the same at the start of the step and in its middle. */
static void find_bent(double *row_off, const collocation *c)
{
    const sparse_pattern *p = c->pattern;
    memset(row_off, 0, (size_t)p->n * sizeof *row_off);
    for (int e = 0; e < p->start[p->n]; e++) {
        double a = c->start.by_y[e], b = c->middle.by_y[e];
        if (!(fabs(a - b) <= SAME_RATE * fabs(b)))
            row_off[p->row[e]] = 1;
    }
}

/* Of a row that is the same all along the step the factors say all. */
static void trim_known(collocation *c)
{
    double *is_bent = c->yp;
    find_bent(is_bent, c);
    for (int k = 0; k < c->p.n; k++)
        if (c->middle.own[k] > 0 && is_bent[k] == 0) {
            c->off.known[k] = fmin(c->off.known[k], c->off.settled[k]);
            c->off.in_middle[k] = fmin(c->off.in_middle[k], c->off.settled[k]);
        }
}

/* From the factors. */
void jni_known_find(collocation *c, double h, bool is_new)
{
    double *off = c->off.held;
    bool ok = spread(off, c, c->middle.all);
    for (int k = 0; k < c->p.n && !ok; k++)
        off[k] = INFINITY;
    if (is_new && c->p.bends)
        find_settled(c, h);
    if (is_new)
        find_known(c, h);
    if (is_new && c->p.bends)
        trim_known(c);
    for (int k = 0; k < c->p.n && ok; k++) {
        double more = off[k];
        if (c->p.bends) /* where a law happens to have no slope that is known no worse */
            more = fmin(more, MOST_SPREAD * largest_of(c, k));
        c->off.known[k] = fmax(c->off.known[k], more);
        c->off.in_middle[k] = fmax(c->off.in_middle[k], more);
    }
}

/* At a stage. */
double jni_known_at(const collocation *c, int stage, int k)
{
    return stage == 1 || !c->p.bends ? c->off.known[k]
                                     : c->off.in_middle[k] * c->r.c[MIDDLE] / c->r.c[stage];
}
