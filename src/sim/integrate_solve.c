/* integrate_solve.c: values that satisfy a mode's equations, and their rates.
 *
 * A jump into the mode keeps E·x and satisfies the algebraic rows: Newton's method on the rows of
 * the jump. The rates then follow linearly: the differential rows as they are, the algebraic rows
 * differentiated in time. Where an expression reads what depends on the rate of a dependent
 * storage (the force in a contact, say), that rate is found by Newton's method around both. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "integrate.h"

/* ---- linear systems ------------------------------------------------------------------------ */

/* Rows in different units are brought to one scale first. */
static bool solve_scaled(double *matrix, double *rhs, int n)
{
    for (int i = 0; i < n; i++) {
        double most = 0;
        for (int k = 0; k < n; k++)
            most = fmax(most, fabs(matrix[i * n + k]));
        if (!(most > 0 && isfinite(most)))
            return false;
        for (int k = 0; k < n; k++)
            matrix[i * n + k] /= most;
        rhs[i] /= most;
    }
    if (!jni_dense_solve(matrix, rhs, n, 1))
        return false;
    for (int i = 0; i < n; i++)
        if (!isfinite(rhs[i]))
            return false;
    return true;
}

/* ---- the jump ------------------------------------------------------------------------------ */

/* The largest row of F beside what its terms amount to. */
static double mismatch(const integrate *n, const double *matrix)
{
    double worst = 0;
    for (int i = 0; i < n->k.n; i++) {
        double size = 0;
        for (int k = 0; k < n->k.n; k++)
            size += fabs(matrix[i * n->k.n + k]) * (fabs(n->y[k]) + n->size.peak[k]);
        double f = fabs(n->w.F[i].v);
        if (f > 0)
            worst = fmax(worst, size > 0 ? f / size : 1);
    }
    return worst;
}

static double *copied(const double *a, int n)
{
    double *b = jni_doubles(n);
    memcpy(b, a, (size_t)n * sizeof *b);
    return b;
}

static void jump_matrix(integrate *n, mode *m, double t, const double *x)
{
    int size = n->k.n * n->k.n;
    program *p = jni_program(m);
    if (p->of_jump) {
        memcpy(n->matrix, p->of_jump, (size_t)size * sizeof *n->matrix);
        return;
    }
    for (int j = 0; j < n->k.n; j++) {
        n->w.Y[j].d = 1;
        jni_residual(n, m, (dual){t, 0}, x);
        n->w.Y[j].d = 0;
        for (int i = 0; i < n->k.n; i++)
            n->matrix[i * n->k.n + j] = n->w.F[i].d;
    }
    if (!n->k.bends)
        p->of_jump = copied(n->matrix, size);
}

/* How much of the step to take: half as often as values are not finite or the rows grow a lot.
 * Later they must shrink: at a root (√|e| = 0) whole steps go to and fro without end. */
static bool take_step(integrate *n, mode *m, double t, const double *x, bool shrinks)
{
    double before = 0, part = 1, most = shrinks ? 0.9 : 4;
    memcpy(n->trial, n->y, (size_t)n->k.n * sizeof *n->y);
    for (int i = 0; i < n->k.n; i++)
        before = fmax(before, fabs(n->w.F[i].v));
    for (int tries = 0; tries < 30; tries++, part *= 0.5) {
        double after = 0;
        for (int i = 0; i < n->k.n; i++)
            n->y[i] = n->trial[i] - part * n->rhs[i];
        jni_residual_at(n, n->y, n->yp);
        jni_residual(n, m, (dual){t, 0}, x);
        for (int i = 0; i < n->k.n; i++) /* fmax would hide what is not a number */
            after = isfinite(n->w.F[i].v) ? fmax(after, fabs(n->w.F[i].v)) : INFINITY;
        if (isfinite(after) && (after <= most * before || tries >= 8))
            return true;
    }
    return false;
}

/* Where a law has no slope (k·f·|f| at f = 0) the start is moved off that point. */
static void move_off(integrate *n, int times)
{
    for (int i = n->k.first_r; i < n->k.first_s; i++)
        n->y[i] += (times + 1) * fmax(1e-3 * n->size.peak[i], 1e-3);
}

static bool step_is_small(const integrate *n)
{
    for (int i = 0; i < n->k.n; i++)
        if (fabs(n->rhs[i]) > 1e-10 * (fabs(n->y[i]) + 1e-6 * n->size.peak[i]))
            return false;
    return true;
}

/* n->y from x, with the rates in n->yp held. */
static bool solve_jump(integrate *n, mode *m, double t, const double *x, const double *integrals,
                       enum branching branching)
{
    enum { MOST = 100 };
    n->w.branching = branching;
    memcpy(n->y, x, (size_t)n->s->model.nx * sizeof *n->y);
    memcpy(n->y + n->k.first_s, integrals, (size_t)n->s->model.ns * sizeof *n->y);
    int moved = 0;
    for (int k = 0; k < MOST; k++) {
        jni_residual_at(n, n->y, n->yp);
        jump_matrix(n, m, t, x);
        jni_residual(n, m, (dual){t, 0}, x);
        double rest = mismatch(n, n->matrix);
        for (int i = 0; i < n->k.n; i++)
            n->rhs[i] = n->w.F[i].v;
        if (rest == 0)
            return true;
        if (!solve_scaled(n->matrix, n->rhs, n->k.n)) {
            if (moved >= 20)
                return false;
            move_off(n, moved++);
            continue;
        }
        if (!take_step(n, m, t, x, k > 8))
            return false;
        if (step_is_small(n) || rest < 1e-15 || (k > 20 && rest < 1e-12))
            return true;
    }
    return false;
}

/* ---- the rates ----------------------------------------------------------------------------- */

static bool is_differential(const integrate *n, const mode *m, int i)
{
    return (i < n->s->model.nx && m->integral[i]) || i >= n->k.first_s;
}

/* One column: what a change of unknown j does, and of its rate where it is a dependent storage. */
static void rate_column(integrate *n, mode *m, double t, int j)
{
    int w = n->k.first_s; /* the rates of integrals are known by then */
    bool dependent = j < n->s->model.nx && !m->integral[j];
    n->w.Y[j].d = 1;
    jni_residual(n, m, (dual){t, 0}, NULL);
    n->w.Y[j].d = 0;
    for (int i = 0; i < w; i++)
        n->matrix[i * w + j] = is_differential(n, m, i) ? i == j : n->w.F[i].d;
    if (!dependent)
        return;
    n->w.Yp[j].d = 1;
    jni_residual(n, m, (dual){t, 0}, NULL);
    n->w.Yp[j].d = 0;
    for (int i = 0; i < w; i++)
        if (is_differential(n, m, i))
            n->matrix[i * w + j] = n->w.F[i].d;
        else if (n->w.F[i].d != 0)
            n->reads_rates = true;
}

static void rate_matrix(integrate *n, mode *m, double t)
{
    int w = n->k.first_s;
    program *p = jni_program(m);
    n->reads_rates = p->reads_rates;
    if (p->of_rates) {
        memcpy(n->matrix, p->of_rates, (size_t)(w * w) * sizeof *n->matrix);
        return;
    }
    n->reads_rates = false;
    for (int j = 0; j < w; j++)
        rate_column(n, m, t, j);
    if (!n->k.bends) {
        p->of_rates = copied(n->matrix, w * w);
        p->reads_rates = n->reads_rates;
    }
}

/* Where a law is infinitely steep (√e at 0) a rate cannot be told: the integrator begins with 0. */
static void forget_steep_rates(integrate *n, int w)
{
    for (int i = 0; i < w; i++) {
        bool steep = !isfinite(n->rhs[i]);
        for (int k = 0; k < w; k++)
            steep |= !isfinite(n->matrix[i * w + k]);
        if (!steep)
            continue;
        memset(n->matrix + i * w, 0, (size_t)w * sizeof *n->matrix);
        n->matrix[i * w + i] = 1;
        n->rhs[i] = 0;
    }
}

/* n->yp from n->y; expressions read the rates that are there now. */
static bool rates(integrate *n, mode *m, double t, enum branching branching)
{
    int w = n->k.first_s;
    n->w.branching = branching;
    jni_residual_at(n, n->y, n->yp);
    jni_residual(n, m, (dual){t, 0}, NULL);
    for (int k = n->k.first_s; k < n->k.n; k++) {
        double rate = n->yp[k] - n->w.F[k].v;
        n->yp[k] = n->w.Yp[k].v = rate;
    }
    rate_matrix(n, m, t);
    for (int k = n->k.first_s; k < n->k.n; k++)
        n->w.Y[k].d = n->yp[k];
    jni_residual(n, m, (dual){t, 1}, NULL);
    for (int i = 0; i < w; i++)
        n->rhs[i] = -n->w.F[i].d;
    jni_residual_at(n, n->y, n->yp);
    for (int i = 0; i < n->s->model.nx; i++)
        n->w.Yp[i].v = 0;
    jni_residual(n, m, (dual){t, 0}, NULL);
    for (int i = 0; i < w; i++)
        if (is_differential(n, m, i))
            n->rhs[i] = -n->w.F[i].v;
    forget_steep_rates(n, w);
    if (!solve_scaled(n->matrix, n->rhs, w))
        return false;
    memcpy(n->yp, n->rhs, (size_t)w * sizeof *n->yp);
    return true;
}

/* ---- both ---------------------------------------------------------------------------------- */

typedef struct {
    integrate *n;
    mode *m;
    double t;
    const double *x, *integrals;
    enum branching branching;
    /* what is assumed: the rates of the dependent storages */
    int count, *which;
    double *assumed, *gap, *slope;
} problem;

/* Where ways have not been settled yet those that are held may have no slope, as min(e, 2) beyond 2. */
static bool find_rates(problem *p)
{
    return rates(p->n, p->m, p->t, BRANCH_HELD) ||
           (p->branching != BRANCH_HELD && rates(p->n, p->m, p->t, p->branching));
}

/* gap: what comes out − what was assumed. */
static bool find_gap(problem *p)
{
    integrate *n = p->n;
    for (int i = 0; i < p->count; i++)
        n->yp[p->which[i]] = p->assumed[i];
    if (!solve_jump(n, p->m, p->t, p->x, p->integrals, p->branching) || !find_rates(p))
        return false;
    for (int i = 0; i < p->count; i++)
        p->gap[i] = n->yp[p->which[i]] - p->assumed[i];
    return true;
}

/* The gap is mostly affine in what is assumed, so that whole steps give its exact slope. */
static bool improve(problem *p)
{
    int c = p->count;
    size_t bytes = (size_t)c * sizeof(double);
    double *gap = jn_alloc(bytes);
    bool ok = true;
    memcpy(gap, p->gap, bytes);
    for (int j = 0; j < c && ok; j++) {
        double keep = p->assumed[j], h = fmax(fabs(keep), fabs(gap[j]));
        if (!(h > 0))
            h = 1;
        p->assumed[j] += h;
        h = p->assumed[j] - keep;
        ok = find_gap(p);
        p->assumed[j] = keep;
        for (int i = 0; i < c; i++)
            p->slope[i * c + j] = (p->gap[i] - gap[i]) / h;
    }
    ok = ok && solve_scaled(p->slope, gap, c);
    for (int i = 0; i < c && ok; i++)
        p->assumed[i] -= gap[i];
    memcpy(p->gap, gap, bytes); /* the step, beside what is assumed */
    free(gap);
    return ok;
}

static bool step_was_small(const problem *p)
{
    for (int i = 0; i < p->count; i++)
        if (fabs(p->gap[i]) > 1e-12 * fabs(p->assumed[i]))
            return false;
    return true;
}

static bool gap_is_small(const problem *p)
{
    for (int i = 0; i < p->count; i++)
        if (fabs(p->gap[i]) > 1e-12 * fabs(p->assumed[i]))
            return false;
    return true;
}

static bool solve_both(problem *p)
{
    bool ok = find_gap(p);
    bool iterates = p->n->reads_rates;
    for (int k = 0; k < 10 && ok && iterates && !gap_is_small(p); k++) {
        ok = improve(p);
        bool is_last = ok && step_was_small(p);
        ok = ok && find_gap(p);
        if (is_last)
            break;
    }
    return ok;
}

static void raise_peaks(integrate *n)
{
    for (int i = 0; i < n->k.n; i++)
        n->size.peak[i] = fmax(n->size.peak[i], fabs(n->y[i]));
}

static void list_assumed(problem *p)
{
    const integrate *n = p->n;
    int most = n->s->model.nx;
    size_t bytes = (size_t)most * sizeof(double);
    p->which = jn_alloc((size_t)most * sizeof *p->which);
    p->assumed = jn_alloc(bytes);
    p->gap = jn_alloc(bytes);
    for (int i = 0; i < n->s->model.nx; i++)
        if (!p->m->integral[i]) {
            p->assumed[p->count] = n->yp[i];
            p->which[p->count++] = i;
        }
    p->slope = jn_alloc((size_t)p->count * (size_t)p->count * sizeof *p->slope);
}

bool jni_integrate_rates(integrate *n, mode *m, double t)
{
    return rates(n, m, t, BRANCH_HELD);
}

bool jni_integrate_jump(integrate *n, mode *m, double t, const double *x, const double *integrals,
                        const double *guess)
{
    memcpy(n->y, guess, (size_t)n->k.n * sizeof *n->y);
    bool ok = solve_jump(n, m, t, x, integrals, BRANCH_HELD);
    n->w.branching = BRANCH_HELD;
    return ok;
}

bool jni_integrate_solve(integrate *n, mode *m, double t, const double *x, const double *integrals,
                         enum branching branching)
{
    problem p = {.n = n, .m = m, .t = t, .x = x, .integrals = integrals, .branching = branching};
    for (int i = 0; i < n->k.n; i++)
        if (!isfinite(n->yp[i]))
            n->yp[i] = 0;
    list_assumed(&p);
    bool ok = solve_both(&p);
    n->w.branching = BRANCH_HELD;
    free(p.which);
    free(p.assumed);
    free(p.gap);
    free(p.slope);
    if (ok)
        raise_peaks(n);
    return ok;
}
