/* integrate_fade.c: how errors of states fade.
 *
 * What a state was off by where the run came to an instant (see integrate_noise.c) is no longer so once
 * the mode has taken it away. A coil that a diode cuts off keeps no more than the current of a leak, after
 * L/R: beside a leak of 10¹² that is 10⁻¹⁵ s, and 10⁻⁷ A that were an error before would be 10⁵ V for ever,
 * in which no diode could be seen to conduct again.
 *
 * Errors d obey the equations without their sources, F_y·d + F_y'·d' = 0. One step of Euler's implicit method
 * fades them no faster than the mode does,
 *
 *     d(t + h) = (h·F_y + F_y')⁻¹·F_y'·d(t)
 *
 * and their signs are not known, so sizes are taken of every entry. Only what becomes less is believed. What a
 * state was off by because it was large long ago fades likewise, but not below the floor of the tolerance of steps.
 * All this is looked at only where noise is so large beside what there is that events depend on it.
 *
 * A stretch is known no better than at its start. While errors still fade stretches are short, each some times as
 * long as all before it. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "integrate.h"

enum {
    FADE_GROWS =
        4, /* less than this part of an error is left: it fades; stretches grow by as much */
    FADE_BEGINS = 64, /* the first one, in what tells two times apart */
    FADE_MOST = 200   /* unknowns: a dense system per stretch */
};
/* A mode is fast that takes errors away in this part of a short while. */
#define FADE_FAST 1e-6

/* Whether an error that was brought along counts for more than what the state is known to anyway. */
static bool counts(const integrate *n, int i)
{
    double own =
        NOISE_OF_STEP * jni_integrate_tolerance(n) * NOISE_OF_PEAK * jni_lasting_peak(n, i);
    return n->came.off[i] > own && fabs(n->s->now.x[i] - n->came.x[i]) <= n->came.off[i];
}

static bool any_counts(const integrate *n)
{
    for (int i = 0; i < n->s->model.nx; i++)
        if (counts(n, i))
            return true;
    return false;
}

/* Rows in different units are brought to one scale. */
static bool scale_rows(double *a, double *b, int size, int nx)
{
    for (int i = 0; i < size; i++) {
        double most = 0;
        for (int j = 0; j < size; j++)
            most = fmax(most, fabs(a[i * size + j]));
        if (!(most > 0 && isfinite(most)))
            return false;
        for (int j = 0; j < size; j++)
            a[i * size + j] /= most;
        for (int j = 0; j < nx; j++)
            b[i * nx + j] /= most;
    }
    return true;
}

/* a := h·F_y + F_y', b := the columns of F_y' of the storages. */
static bool fill(double *a, double *b, integrate *n, mode *m, double h)
{
    structure *k = jni_program(m)->structure;
    const sparse_pattern *p = jni_structure_pattern(k);
    const follower *f = n->follower;
    int size = n->k.n, nx = n->s->model.nx;
    double *by_y = jni_doubles(p->start[size]), *by_yp = jni_doubles(p->start[size]);
    jni_follower_at(n->follower, n->s->clock.t, true);
    bool ok = jni_structure_jacobian(k, n, m, n->s->clock.t, f->y, f->yp, by_y, by_yp);
    for (int j = 0; j < size && ok; j++)
        for (int e = p->start[j]; e < p->start[j + 1]; e++) {
            a[p->row[e] * size + j] = h * by_y[e] + by_yp[e];
            if (j < nx)
                b[p->row[e] * nx + j] = by_yp[e];
        }
    free(by_y);
    free(by_yp);
    return ok && scale_rows(a, b, size, nx);
}

/* How much of an error in each storage is left in each after a while; false: that is not known. */
static bool find_left(double *left, integrate *n, mode *m, double h)
{
    int size = n->k.n, nx = n->s->model.nx;
    double *a = jni_doubles(size * size), *b = jni_doubles(size * nx);
    bool ok = fill(a, b, n, m, h) && jni_dense_solve(a, b, size, nx);
    for (int i = 0; i < nx * nx; i++)
        left[i] = fabs(b[i]);
    free(a);
    free(b);
    return ok;
}

/* What is left of the error in one of them. */
static double left_of(const double *left, const double *off, int i, int nx)
{
    return fmin(jni_dot(left + i * nx, off, nx), off[i]);
}

/* Whether a mode takes errors away in much less than a step: that does not depend on where it is. */
static bool is_fast(integrate *n, mode *m)
{
    program *p = jni_program(m);
    int nx = n->s->model.nx;
    if (p->fades != FADES_OR_NOT || !p->is_followed)
        return p->fades == FADES_FAST;
    double *left = jni_doubles(nx * nx);
    p->fades = FADES_SLOWLY;
    if (find_left(left, n, m, FADE_FAST * n->follower->longest))
        for (int i = 0; i < nx; i++)
            if (n->came.peak[i] > 0 &&
                FADE_GROWS * left_of(left, n->came.peak, i, nx) < n->came.peak[i])
                p->fades = FADES_FAST;
    free(left);
    return p->fades == FADES_FAST;
}

double jni_lasting_peak(const integrate *n, int storage)
{
    bool grows = n->size.peak[storage] > n->came.seen[storage];
    return grows ? n->size.peak[storage]
                 : fmax(n->came.peak[storage], STEP_FLOOR * n->size.peak[storage]);
}

static void raise_peaks(integrate *n)
{
    for (int i = 0; i < n->s->model.nx; i++) {
        n->came.peak[i] = fmax(jni_lasting_peak(n, i), fabs(n->s->now.x[i]));
        n->came.seen[i] = n->size.peak[i];
    }
}

/* Whether a peak of long ago counts for more than what there is. */
static bool any_past(const integrate *n)
{
    for (int i = 0; i < n->s->model.nx; i++)
        if (n->came.peak[i] >
            fmax(FADE_GROWS * fabs(n->s->now.x[i]), FADE_GROWS * STEP_FLOOR * n->size.peak[i]))
            return true;
    return false;
}

bool jni_has_just_begun(const integrate *n)
{
    return fabs(n->s->clock.t) <= FADE_FAST * n->follower->longest;
}

bool jni_noise_matters(const integrate *n)
{
    const jn_sim *s = n->s;
    const double *noise = s->now.z + jni_obs_count(&s->model);
    int bonds = 2 * s->model.g->nbonds;
    double most[2] = {0, 0};
    if (jni_has_just_begun(n))
        return false;
    for (int c = 0; c < bonds; c++)
        most[c % 2] = fmax(most[c % 2], n->size.largest[c]);
    for (int c = 0; c < bonds; c++)
        if (noise[c] > EARLY_IN_NOISE * most[c % 2])
            return true;
    return false;
}

static bool is_worth(integrate *n, mode *m)
{
    return jni_program(m)->is_followed && n->k.n <= FADE_MOST && jni_noise_matters(n) &&
           (any_counts(n) || (is_fast(n, m) && any_past(n)));
}

void jni_fade(integrate *n, mode *m, double t)
{
    int nx = n->s->model.nx;
    double h = t - n->came.faded;
    n->came.faded = t;
    if (h > 0 && is_worth(n, m)) {
        double *left = jni_doubles(nx * nx), *next = jni_doubles(2 * nx);
        if (find_left(left, n, m, h)) {
            for (int i = 0; i < nx; i++) {
                next[i] = left_of(left, n->came.off, i, nx);
                next[nx + i] = left_of(left, n->came.peak, i, nx);
            }
            jni_copy(n->came.off, next, nx);
            jni_copy(n->came.peak, next + nx, nx);
        }
        free(left);
        free(next);
    }
    raise_peaks(n);
}

double jni_fade_length(integrate *n, mode *m, double length)
{
    int nx = n->s->model.nx;
    double t = n->s->clock.t, least = nextafter(t, INFINITY) - t;
    double brief = fmax(FADE_GROWS * (t - n->came.t), FADE_BEGINS * least);
    if (brief >= length || !is_worth(n, m))
        return length;
    double *left = jni_doubles(nx * nx);
    bool fades = false;
    if (find_left(left, n, m, length))
        for (int i = 0; i < nx; i++) {
            double past = fmax(fabs(n->s->now.x[i]), STEP_FLOOR * n->size.peak[i]);
            fades |=
                counts(n, i) && FADE_GROWS * left_of(left, n->came.off, i, nx) < n->came.off[i];
            fades |= n->came.peak[i] > FADE_GROWS * past &&
                     FADE_GROWS * left_of(left, n->came.peak, i, nx) < n->came.peak[i];
        }
    free(left);
    return fades ? brief : length;
}
