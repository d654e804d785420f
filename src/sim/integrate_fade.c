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
 * and their signs are not known, so sizes are taken of every entry. Only what becomes less is believed.
 *
 * A stretch is known no better than at its start. While errors still fade stretches are short, each some times as
 * long as all before it. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "integrate.h"

enum { FADE_GROWS = 4, FADE_BEGINS = 64 };

/* Whether an error that was brought along counts for more than what the state is known to anyway. */
static bool counts(const integrate *n, int i)
{
    double own = NOISE_OF_STEP * jni_integrate_tolerance(n) * NOISE_OF_PEAK * n->peak[i];
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

/* to: what is left of the errors after a while. */
static void fade(double *to, integrate *n, mode *m, double h)
{
    int size = n->k.n, nx = n->s->model.nx;
    double *a = jni_doubles(size * size), *b = jni_doubles(size * nx);
    const double *off = n->came.off;
    bool ok = fill(a, b, n, m, h) && jni_dense_solve(a, b, size, nx);
    for (int i = 0; i < nx; i++) {
        double sum = 0;
        for (int j = 0; j < nx; j++)
            sum += off[j] > 0 ? fabs(b[i * nx + j]) * off[j] : 0;
        to[i] = ok && sum < off[i] ? sum : off[i];
    }
    free(a);
    free(b);
}

void jni_fade(integrate *n, mode *m, double t)
{
    double h = t - n->came.faded;
    n->came.faded = t;
    if (!(h > 0) || !jni_program(m)->structure || !any_counts(n))
        return;
    double *left = jni_doubles(n->s->model.nx);
    fade(left, n, m, h);
    jni_copy(n->came.off, left, n->s->model.nx);
    free(left);
}

double jni_fade_length(integrate *n, mode *m, double length)
{
    double t = n->s->clock.t, least = nextafter(t, INFINITY) - t;
    double brief = fmax(FADE_GROWS * (t - n->came.t), FADE_BEGINS * least);
    if (brief >= length || !any_counts(n))
        return length;
    double *left = jni_doubles(n->s->model.nx);
    bool fades = false;
    fade(left, n, m, length);
    for (int i = 0; i < n->s->model.nx; i++)
        fades |= counts(n, i) && FADE_GROWS * left[i] < n->came.off[i];
    free(left);
    return fades ? brief : length;
}
