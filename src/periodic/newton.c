/* newton.c: Newton's method on the map of one period.
 *
 * y = P(y), where P is the run over one period of the clock, or over some of them. The numbers y are all
 * p and q of the storages, also the dependent ones: P(y) fits the mode whatever y is, so that its
 * Jacobian J has a kernel there and J − 1 does not; the steps stay among the independent states by
 * themselves.
 *
 * Where a multiplier is 1, J − 1 is singular: the clock drives the model at a frequency of its own, and
 * there is no orbit; or something is conserved, and orbits lie side by side. No step goes that way. Where
 * it is nearly singular a small residue says little of how far the orbit is: both together count.
 *
 * Of a free oscillation the period T is an unknown as well. The condition that y stays on the plane
 * through the first guess, across the direction in which the run goes there, fixes the phase. */
#include <stdlib.h>
#include <string.h>

#include "periodic_internal.h"

enum { MOST_STEPS = 25 };
#define ROUNDING 1e-14 /* closer is no better */

/* An integral that nothing feels here, not even its own rate, is none of the unknowns: a controller that has
 * come to a bound. Whether it is ever felt again is not told by one point. */
static void find_unfelt(search *q)
{
    orbit_map *m = &q->map;
    int n = m->c.n;
    for (int k = m->c.nstates; k < n - m->c.nwidths; k++) {
        bool alone = fabs(q->J[k * n + k] - 1) < 1e-12;
        for (int i = 0; i < n && alone; i++)
            alone = i == k || fabs(q->J[i * n + k]) * m->scale[k] < 1e-12 * m->scale[i];
        m->counts[k] = m->is_read[k] && !alone;
    }
}

/* Entries of J − 1 below this are none. */
static double rounding_of(const search *q)
{
    const orbit_map *m = &q->map;
    int n = m->c.n;
    double largest = 1;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++)
            if (m->counts[i] && m->counts[k])
                largest = fmax(largest, fabs(q->J[i * n + k]) * m->scale[k] / m->scale[i]);
    return fmax(1e-12 * largest, 10 * q->error);
}

/* (J − 1)·δ = y − P(y), in parts of the scales; with a free period one unknown more, and the phase. */
static void find_step(search *q, double *step, const double *T, const double *rate,
                      const double *across)
{
    orbit_map *m = &q->map;
    int n = m->c.n, size = n + (T != NULL);
    double *A = jni_room(size * size);
    memset(step, 0, (size_t)(n + 1) * sizeof *step);
    for (int i = 0; i < n; i++) {
        if (!m->counts[i]) {
            A[i * size + i] = 1;
            continue;
        }
        for (int k = 0; k < n; k++)
            if (m->counts[k])
                A[i * size + k] = (q->J[i * n + k] - (i == k)) * m->scale[k] / m->scale[i];
        step[i] = -jni_map_change(m, q->y, q->y1, i) / m->scale[i];
        if (T) {
            A[i * size + n] = rate[i] * *T / m->scale[i];
            A[n * size + i] = across[i] * m->scale[i];
        }
    }
    basic_solution x = jni_solve_basic(A, step, size, rounding_of(q));
    q->open = x.open;
    q->unsure = fmax(q->residue, 1e-15) / x.smallest;
    q->pivot = x.smallest;
    free(A);
}

static void take_step(search *q, double *T, const double *step)
{
    orbit_map *m = &q->map;
    for (int i = 0; i < m->c.n; i++)
        q->y[i] += step[i] * m->scale[i];
    if (T)
        *T *= 1 + fmax(-0.5, fmin(0.5, step[m->c.n]));
}

typedef struct {
    double residue, unsure, length, *y;
    double apart; /* the residue in parts of what the numbers were at first */
    int open;
} best_so_far;

static void keep_best(best_so_far *b, const search *q, const double *first_scale)
{
    if (!(q->residue < b->residue))
        return;
    b->apart = 0;
    for (int i = 0; i < q->map.c.n; i++)
        if (q->map.counts[i])
            b->apart =
                fmax(b->apart, fabs(jni_map_change(&q->map, q->y, q->y1, i)) / first_scale[i]);
    b->residue = q->residue;
    b->unsure = q->unsure;
    b->open = q->open;
    b->length = q->map.t1 - q->map.t0;
    memcpy(b->y, q->y, (size_t)q->map.c.n * sizeof *b->y);
}

static void take_best(search *q, const best_so_far *b)
{
    memcpy(q->y, b->y, (size_t)q->map.c.n * sizeof *q->y);
    q->residue = b->residue;
    q->unsure = b->unsure;
    q->open = b->open;
    if (isfinite(b->residue))
        q->map.t1 = q->map.t0 + b->length;
}

static bool is_worth_going_on(double residue, double last, double first)
{
    if (residue <= ROUNDING || !isfinite(residue) || residue > 1e6 * (first + 1e-3))
        return false;
    return residue > CLOSED || residue < 0.5 * last;
}

/* The direction in which the run goes; the first one fixes the phase. */
static void find_direction(const search *q, double *rate, double *across, bool is_first)
{
    jni_map_rates(rate, &q->map);
    for (int i = 0; i < q->map.c.n && is_first; i++)
        across[i] = rate[i] / (q->map.scale[i] * q->map.scale[i]);
}

bool jni_newton(search *q, double *T)
{
    orbit_map *m = &q->map;
    int n = m->c.n;
    best_so_far best = {.residue = INFINITY, .y = jni_room(n)};
    double last = INFINITY, first = INFINITY;
    double *rate = jni_room(n), *across = jni_room(n), *step = jni_room(n + 1);
    double *first_scale = jni_room(n);
    for (int turn = 0; turn <= MOST_STEPS; turn++) {
        if (T)
            m->t1 = m->t0 + *T;
        if (jni_map_jacobian(m, q->y, q->y1, q->J, &q->error) != JN_OK)
            break;
        find_unfelt(q);
        q->residue = jni_map_distance(m, q->y, q->y1);
        if (T)
            find_direction(q, rate, across, turn == 0);
        find_step(q, step, T, rate, across);
        if (turn == 0)
            memcpy(first_scale, m->scale, (size_t)n * sizeof *first_scale);
        keep_best(&best, q, first_scale);
        first = turn ? first : q->residue;
        if (!is_worth_going_on(q->residue, last, first))
            break;
        last = q->residue;
        q->steps++;
        take_step(q, T, step);
    }
    take_best(q, &best);
    free(best.y);
    free(rate);
    free(across);
    free(step);
    free(first_scale);
    /* A step that rounding made in an open direction leads far away, where all residues look small. */
    return best.residue <= CLOSED && best.unsure <= SURE && (!best.open || best.apart <= CLOSED);
}

bool jni_closes_at_kink(search *q)
{
    orbit_map *m = &q->map;
    if (jn_sim_return(q->sim, m->mark, NULL, &m->stop) != JN_OK)
        return false;
    jn_sim_read(q->y, q->sim);
    if (jni_map_jacobian(m, q->y, q->y1, q->J, &q->error) == JN_OK || !m->has_kink)
        return false;
    find_unfelt(q);
    q->residue = jni_map_distance(m, q->y, q->y1);
    q->unsure = 0;
    q->open = 0;
    return q->residue <= CLOSED;
}
