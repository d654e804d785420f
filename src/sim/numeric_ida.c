/* numeric_ida.c: a mode's equations as IDA is given them.
 *
 * IDA chooses order and length of its steps itself; a step is a polynomial of its own. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "numeric.h"

/* Where an expression reads the rate of a dependent storage, the equations as they stand are of
 * index 2: IDA is then given the reduced ones, each unknown against its consistent value. */
static bool reduced_residual(follower *f, double t, const double *y, const double *yp, double *F)
{
    numeric *n = f->n;
    if (!jn_numeric_solve(n, f->m, t, y, y + n->first_s))
        return false;
    for (int i = 0; i < n->n; i++)
        F[i] = f->differential[i] ? yp[i] - n->yp[i] : y[i] - n->y[i];
    return true;
}

static bool residual(void *ctx, double t, const double *y, const double *yp, double *F)
{
    follower *f = ctx;
    numeric *n = f->n;
    if (f->is_reduced)
        return reduced_residual(f, t, y, yp, F);
    jn_residual_at(n, y, yp);
    jn_residual(n, f->m, (dual){t, 0}, NULL);
    for (int i = 0; i < n->n; i++) {
        F[i] = n->F[i].v;
        if (!isfinite(F[i]))
            return false;
    }
    return true;
}

/* By differences in x and s, on which alone the consistent values depend. */
static bool reduced_jacobian(follower *f, double t, double c, const double *y, const double *yp,
                             double *J)
{
    const numeric *n = f->n;
    memcpy(f->y, y, (size_t)n->n * sizeof *y);
    if (!reduced_residual(f, t, y, yp, f->y1))
        return false;
    for (int j = 0; j < n->n; j++) {
        double *column = J + (size_t)j * (size_t)n->n;
        bool is_state = j < n->s->N || j >= n->first_s;
        double h = 1e-7 * fmax(fabs(y[j]), fmax(1e-3 * n->peak[j], 1e-30));
        f->y[j] += is_state ? h : 0;
        if (is_state && !reduced_residual(f, t, f->y, yp, column))
            return false;
        for (int i = 0; i < n->n; i++)
            column[i] = is_state ? (column[i] - f->y1[i]) / (f->y[j] - y[j]) : i == j;
        f->y[j] = y[j];
        column[j] += f->differential[j] ? c : 0;
    }
    return true;
}

static bool jacobian(void *ctx, double t, double c, const double *y, const double *yp, double *J)
{
    follower *f = ctx;
    numeric *n = f->n;
    if (f->is_reduced)
        return reduced_jacobian(f, t, c, y, yp, J);
    jn_residual_at(n, y, yp);
    for (int j = 0; j < n->n; j++) {
        n->Y[j].d = 1;
        n->Yp[j].d = c;
        jn_residual(n, f->m, (dual){t, 0}, NULL);
        n->Y[j].d = n->Yp[j].d = 0;
        for (int i = 0; i < n->n; i++) {
            J[(size_t)j * (size_t)n->n + (size_t)i] = n->F[i].d;
            if (!isfinite(n->F[i].d))
                return false;
        }
    }
    return true;
}

bool jn_ida_start(follower *f)
{
    numeric *n = f->n;
    const jn_sim *s = n->s;
    f->is_reduced = n->reads_rates;
    for (int k = 0; k < n->nbranches; k++)
        f->is_reduced |= n->slide[k] == SLIDES_BY_RATE;
    double ahead = s->t + f->longest;
    if (!f->dae) {
        dae_problem p = {f, n->n, residual, jacobian, jn_follower_tolerance};
        f->dae = jn_dae_new(&p);
    }
    for (int i = 0; i < n->n; i++) {
        f->differential[i] = i >= n->first_s || (i < s->N && f->m->program->integral[i]);
        n->peak[i] = fmax(n->peak[i], 1e-2 * f->longest * fabs(n->yp[i]));
    }
    return f->dae && jn_dae_start(f->dae, s->t, n->y, n->yp, f->differential, s->until, ahead);
}
