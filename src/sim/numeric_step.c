/* numeric_step.c: one step of an integrator as a stretch of solution.
 *
 * IDA chooses order and length of its steps itself. The methods of fixed step are there to compare
 * with: Runge and Kutta's of order 4, and Euler's, on the reduced equations: before each look at
 * the rates, dependent storages are made to agree with the others. In between, a step is a
 * polynomial: IDA's own, a cubic through both ends and their rates, or Euler's straight line.
 *
 * A stretch that is given up halfway (something is too wild to be followed that far) leaves the
 * rest of the step to the next one; only an event begins anew. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "numeric.h"

struct follower {
    numeric *n;
    struct dae *dae;
    mode_table *m;
    bool is_running;
    bool is_reduced; /* what IDA is given */
    double from, to; /* the last step */
    double longest;  /* time that was asked for at once */
    /* both ends of it, for the methods of fixed step */
    double *y0, *yp0, *y1, *yp1;
    double *y, *yp;     /* somewhere in it */
    double *x, *s;      /* of a stage */
    bool *differential; /* per unknown */
};

follower *jn_follower_new(numeric *n)
{
    follower *f = jn_alloc(sizeof *f);
    size_t bytes = (size_t)n->n * sizeof(double);
    double **each[] = {&f->y0, &f->yp0, &f->y1, &f->yp1, &f->y, &f->yp, &f->x, &f->s};
    for (size_t i = 0; i < sizeof each / sizeof *each; i++)
        *each[i] = jn_alloc(bytes);
    f->differential = jn_alloc((size_t)n->n * sizeof *f->differential);
    f->n = n;
    return f;
}

void jn_follower_free(follower *f)
{
    if (!f)
        return;
    double *each[] = {f->y0, f->yp0, f->y1, f->yp1, f->y, f->yp, f->x, f->s};
    for (size_t i = 0; i < sizeof each / sizeof *each; i++)
        free(each[i]);
    free(f->differential);
    jn_dae_free(f->dae);
    free(f);
}

void jn_follower_restart(follower *f)
{
    f->is_running = false;
}

/* ---- IDA ------------------------------------------------------------------------------------- */

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

/* Relative to each unknown, but not to less than a thousandth of the largest it has been. */
static void tolerance(void *ctx, const double *y, double *tol)
{
    const numeric *n = ((follower *)ctx)->n;
    const jn_sim_options *o = &n->s->o;
    double rtol = jn_numeric_tolerance(n), highest = 0;
    for (int i = 0; i < n->n; i++)
        highest = fmax(highest, n->peak[i]);
    double least = highest > 0 ? 1e-6 * highest : 1;
    for (int i = 0; i < n->n; i++) {
        double floor = 1e-3 * fmax(n->peak[i], least);
        tol[i] = rtol * fmax(fabs(y[i]), o->atol > 0 ? 0 : floor) + o->atol;
    }
}

static bool start_ida(follower *f, double wanted)
{
    numeric *n = f->n;
    const jn_sim *s = n->s;
    f->longest = fmax(f->longest, wanted);
    f->is_reduced = n->reads_rates;
    double ahead = s->t + fmax(f->longest, 1e-9 * fabs(s->t));
    if (!f->dae) {
        dae_problem p = {f, n->n, residual, jacobian, tolerance};
        f->dae = jn_dae_new(&p);
    }
    for (int i = 0; i < n->n; i++) {
        f->differential[i] = i >= n->first_s || (i < s->N && f->m->program->integral[i]);
        n->peak[i] = fmax(n->peak[i], 1e-2 * f->longest * fabs(n->yp[i]));
    }
    return f->dae && jn_dae_start(f->dae, s->t, n->y, n->yp, f->differential, s->until, ahead);
}

static bool step_ida(follower *f)
{
    numeric *n = f->n;
    f->from = f->to;
    if (!jn_dae_step(f->dae, &f->to))
        return false;
    jn_dae_at(f->dae, f->to, f->y, f->yp);
    for (int i = 0; i < n->n; i++)
        n->peak[i] = fmax(n->peak[i], fabs(f->y[i]));
    return true;
}

/* ---- fixed steps ----------------------------------------------------------------------------- */

/* The rates at (x, s) + h·rates of y', in n->yp. */
static bool stage(follower *f, const double *yp, double h)
{
    numeric *n = f->n;
    for (int i = 0; i < n->s->N; i++)
        f->x[i] = f->y0[i] + h * yp[i];
    for (int k = 0; k < n->s->ni; k++)
        f->s[k] = f->y0[n->first_s + k] + h * yp[n->first_s + k];
    return jn_numeric_solve(n, f->m, f->from + h, f->x, f->s);
}

/* y' of the whole step by the rule, in f->yp. */
static bool runge_kutta(follower *f, double h)
{
    static const double at[] = {0.5, 0.5, 1}, weight[] = {1.0 / 3, 1.0 / 3, 1.0 / 6};
    const numeric *n = f->n;
    for (int i = 0; i < n->n; i++)
        f->yp[i] = f->yp0[i] / 6;
    const double *last = f->yp0;
    for (int k = 0; k < 3; k++, last = n->yp) {
        if (!stage(f, last, at[k] * h))
            return false;
        for (int i = 0; i < n->n; i++)
            f->yp[i] += weight[k] * n->yp[i];
    }
    return true;
}

static bool step_fixed(follower *f)
{
    numeric *n = f->n;
    size_t bytes = (size_t)n->n * sizeof(double);
    double left = n->s->until - f->to, h = n->s->o.step;
    bool is_last = left <= h * (1 + 1e-9);
    f->from = f->to;
    if (is_last)
        h = left;
    memcpy(f->y0, f->y1, bytes);
    memcpy(f->yp0, f->yp1, bytes);
    memcpy(f->yp, f->yp1, bytes);
    if ((n->s->o.method == JN_METHOD_RK4 && !runge_kutta(f, h)) || !stage(f, f->yp, h))
        return false;
    memcpy(f->y1, n->y, bytes);
    memcpy(f->yp1, n->yp, bytes);
    f->to = is_last ? n->s->until : f->from + h;
    return f->to > f->from;
}

/* In Euler's way states go on as they began; what depends on them is drawn straight. */
static void between_fixed(follower *f, double t)
{
    const numeric *n = f->n;
    double h = f->to - f->from, a = (t - f->from) / h, b = 1 - a;
    bool straight = n->s->o.method == JN_METHOD_EULER;
    for (int i = 0; i < n->n; i++) {
        double y0 = f->y0[i], y1 = f->y1[i], r0 = h * f->yp0[i], r1 = h * f->yp1[i], rise = y1 - y0;
        f->y[i] =
            straight ? y0 + a * rise : y0 + a * rise + a * b * (b * (r0 - rise) - a * (r1 - rise));
        f->yp[i] = straight ? f->yp0[i]
                            : (rise + (b - a) * (b * (r0 - rise) - a * (r1 - rise)) -
                               a * b * (r0 + r1 - 2 * rise)) /
                                  h;
    }
}

/* ---- all of them ----------------------------------------------------------------------------- */

static bool is_ida(const follower *f)
{
    jn_method method = f->n->s->o.method;
    return method != JN_METHOD_RK4 && method != JN_METHOD_EULER;
}

/* Values for which prior(x) is x. They may not move the state. */
static bool start(follower *f, mode_table *m, double wanted)
{
    numeric *n = f->n;
    jn_sim *s = n->s;
    f->m = m;
    n->prior = NULL;
    if (!jn_numeric_solve(n, m, s->t, s->x, s->s)) {
        n->why = "the equations of the mode have no solution that could be found";
        return false;
    }
    for (int i = 0; i < s->N; i++)
        if (fabs(n->y[i] - s->x[i]) > 1e-9 * n->peak[i]) {
            n->why = "a source that follows prior values moves the state while the mode goes on";
            return false;
        }
    jn_numeric_observe(s->z, n, m, s->t, n->y, n->yp);
    memcpy(f->y1, n->y, (size_t)n->n * sizeof *n->y);
    memcpy(f->yp1, n->yp, (size_t)n->n * sizeof *n->yp);
    f->from = f->to = s->t;
    f->is_running = !is_ida(f) || start_ida(f, wanted);
    n->why = "the integrator could not be started";
    return f->is_running;
}

static bool step(follower *f)
{
    f->n->why = is_ida(f) ? "the integrator (IDA) finds no way on (does a law jump there?)"
                          : "a step of the method failed";
    return is_ida(f) ? step_ida(f) : step_fixed(f);
}

/* The rate of a dependent storage is that of the polynomial. Through points that are very close
 * together that is mostly rounding: there, and where expressions read it, it is taken from the
 * equations. */
static bool needs_rates(const follower *f)
{
    bool is_short = f->to - f->from < 1e-5 * f->longest;
    return is_ida(f) && (f->is_reduced || (f->m->program->is_dependent && is_short));
}

void jn_follower_observe(double *z, follower *f, double t)
{
    numeric *n = f->n;
    if (is_ida(f))
        jn_dae_at(f->dae, t, f->y, f->m->program->is_dependent ? f->yp : NULL);
    else
        between_fixed(f, t);
    if (needs_rates(f) && jn_numeric_solve(n, f->m, t, f->y, f->y + n->first_s))
        jn_numeric_observe(z, n, f->m, t, n->y, n->yp);
    else
        jn_numeric_observe(z, n, f->m, t, f->y, f->yp);
}

double jn_follower_step(follower *f, mode_table *m, double wanted)
{
    double now = f->n->s->t;
    if (!f->is_running && !start(f, m, wanted))
        return now;
    /* what is left of the last step may be nothing but rounding */
    bool is_over = f->to - now <= 1e-9 * (f->to - f->from) || f->to <= nextafter(now, INFINITY);
    if (is_over && !step(f)) {
        f->is_running = false;
        return now;
    }
    return f->to;
}
