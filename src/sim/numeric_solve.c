/* numeric_solve.c: values that satisfy a mode's equations, and their rates.
 *
 * A jump into the mode keeps E·x and satisfies the algebraic rows: Newton's method on the rows of
 * the jump. The rates then follow linearly: the differential rows as they are, the algebraic rows
 * differentiated in time. Where an expression reads what depends on the rate of a dependent
 * storage (the force in a contact, say), that rate is found by Newton's method around both. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "numeric.h"

/* ---- linear systems -------------------------------------------------------------------------- */

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
    if (!jn_reals_solve(matrix, rhs, n, 1))
        return false;
    for (int i = 0; i < n; i++)
        if (!isfinite(rhs[i]))
            return false;
    return true;
}

/* ---- the jump -------------------------------------------------------------------------------- */

/* The largest row of F beside what its terms amount to. */
static double mismatch(const numeric *n, const double *matrix)
{
    double worst = 0;
    for (int i = 0; i < n->n; i++) {
        double size = 0;
        for (int k = 0; k < n->n; k++)
            size += fabs(matrix[i * n->n + k]) * (fabs(n->y[k]) + n->peak[k]);
        double f = fabs(n->F[i].v);
        if (f > 0)
            worst = fmax(worst, size > 0 ? f / size : 1);
    }
    return worst;
}

static void jump_matrix(numeric *n, mode_table *m, double t, const double *x)
{
    for (int j = 0; j < n->n; j++) {
        n->Y[j].d = 1;
        jn_residual(n, m, (dual){t, 0}, x);
        n->Y[j].d = 0;
        for (int i = 0; i < n->n; i++)
            n->matrix[i * n->n + j] = n->F[i].d;
    }
}

/* How much of the step to take: half as often as values are not finite or the rows grow a lot. */
static bool take_step(numeric *n, mode_table *m, double t, const double *x)
{
    double before = 0, part = 1;
    memcpy(n->trial, n->y, (size_t)n->n * sizeof *n->y);
    for (int i = 0; i < n->n; i++)
        before = fmax(before, fabs(n->F[i].v));
    for (int tries = 0; tries < 30; tries++, part *= 0.5) {
        double after = 0;
        for (int i = 0; i < n->n; i++)
            n->y[i] = n->trial[i] - part * n->rhs[i];
        jn_residual_at(n, n->y, n->yp);
        jn_residual(n, m, (dual){t, 0}, x);
        for (int i = 0; i < n->n; i++) /* fmax would hide what is not a number */
            after = isfinite(n->F[i].v) ? fmax(after, fabs(n->F[i].v)) : INFINITY;
        if (isfinite(after) && (after <= 4 * before || tries >= 8))
            return true;
    }
    return false;
}

/* Where a law has no slope (k·f·|f| at f = 0) the start is moved off that point. */
static void move_off(numeric *n, int times)
{
    for (int i = n->first_r; i < n->first_s; i++)
        n->y[i] += (times + 1) * fmax(1e-3 * n->peak[i], 1e-3);
}

static bool step_is_small(const numeric *n)
{
    for (int i = 0; i < n->n; i++)
        if (fabs(n->rhs[i]) > 1e-10 * (fabs(n->y[i]) + 1e-6 * n->peak[i]))
            return false;
    return true;
}

/* n->y from x, with the rates in n->yp held. */
static bool jump(numeric *n, mode_table *m, double t, const double *x, const double *integrals)
{
    enum { MOST = 100 };
    memcpy(n->y, x, (size_t)n->s->N * sizeof *n->y);
    memcpy(n->y + n->first_s, integrals, (size_t)n->s->ni * sizeof *n->y);
    int moved = 0;
    for (int k = 0; k < MOST; k++) {
        jn_residual_at(n, n->y, n->yp);
        jump_matrix(n, m, t, x);
        jn_residual(n, m, (dual){t, 0}, x);
        double rest = mismatch(n, n->matrix);
        for (int i = 0; i < n->n; i++)
            n->rhs[i] = n->F[i].v;
        if (rest == 0)
            return true;
        if (!solve_scaled(n->matrix, n->rhs, n->n)) {
            if (moved >= 20)
                return false;
            move_off(n, moved++);
            continue;
        }
        if (!take_step(n, m, t, x))
            return false;
        if (step_is_small(n) || rest < 1e-15 || (k > 20 && rest < 1e-12))
            return true;
    }
    return false;
}

/* ---- the rates ------------------------------------------------------------------------------- */

static bool is_differential(const numeric *n, const mode_table *m, int i)
{
    return (i < n->s->N && m->program->integral[i]) || i >= n->first_s;
}

/* One column: what a change of unknown j does, and of its rate where it is a dependent storage. */
static void rate_column(numeric *n, mode_table *m, double t, int j)
{
    int w = n->first_s; /* the rates of integrals are known by then */
    bool dependent = j < n->s->N && !m->program->integral[j];
    n->Y[j].d = 1;
    jn_residual(n, m, (dual){t, 0}, NULL);
    n->Y[j].d = 0;
    for (int i = 0; i < w; i++)
        n->matrix[i * w + j] = is_differential(n, m, i) ? i == j : n->F[i].d;
    if (!dependent)
        return;
    n->Yp[j].d = 1;
    jn_residual(n, m, (dual){t, 0}, NULL);
    n->Yp[j].d = 0;
    for (int i = 0; i < w; i++)
        if (is_differential(n, m, i))
            n->matrix[i * w + j] = n->F[i].d;
        else if (n->F[i].d != 0)
            n->reads_rates = true;
}

/* n->yp from n->y; expressions read the rates that are there now. */
static bool rates(numeric *n, mode_table *m, double t)
{
    int w = n->first_s;
    n->reads_rates = false;
    jn_residual_at(n, n->y, n->yp);
    jn_residual(n, m, (dual){t, 0}, NULL);
    for (int k = n->first_s; k < n->n; k++) {
        double rate = n->yp[k] - n->F[k].v;
        n->yp[k] = n->Yp[k].v = rate;
    }
    for (int j = 0; j < w; j++)
        rate_column(n, m, t, j);
    for (int k = n->first_s; k < n->n; k++)
        n->Y[k].d = n->yp[k];
    jn_residual(n, m, (dual){t, 1}, NULL);
    for (int i = 0; i < w; i++)
        n->rhs[i] = -n->F[i].d;
    jn_residual_at(n, n->y, n->yp);
    for (int i = 0; i < n->s->N; i++)
        n->Yp[i].v = 0;
    jn_residual(n, m, (dual){t, 0}, NULL);
    for (int i = 0; i < w; i++)
        if (is_differential(n, m, i))
            n->rhs[i] = -n->F[i].v;
    if (!solve_scaled(n->matrix, n->rhs, w))
        return false;
    memcpy(n->yp, n->rhs, (size_t)w * sizeof *n->yp);
    return true;
}

/* ---- both ------------------------------------------------------------------------------------ */

typedef struct {
    numeric *n;
    mode_table *m;
    double t;
    const double *x, *integrals;
    int count, *storage; /* the dependent ones */
} problem;

/* gap = what their rates come out as − what was assumed. */
static bool rate_gap(double *gap, problem *p, const double *assumed)
{
    numeric *n = p->n;
    for (int i = 0; i < p->count; i++)
        n->yp[p->storage[i]] = assumed[i];
    if (!jump(n, p->m, p->t, p->x, p->integrals) || !rates(n, p->m, p->t))
        return false;
    for (int i = 0; i < p->count; i++)
        gap[i] = n->yp[p->storage[i]] - assumed[i];
    return true;
}

/* The gap is mostly affine in the rates, so that whole steps give its exact slope. */
static bool improve(problem *p, double *rate, double *gap)
{
    int c = p->count;
    size_t bytes = (size_t)c * sizeof(double);
    double *slope = jn_alloc((size_t)c * bytes), *other = jn_alloc(bytes), *step = jn_alloc(bytes);
    bool ok = true;
    for (int j = 0; j < c && ok; j++) {
        double keep = rate[j], h = fmax(fabs(keep), fabs(gap[j]));
        rate[j] += h > 0 ? h : 1;
        h = rate[j] - keep;
        ok = rate_gap(other, p, rate);
        rate[j] = keep;
        for (int i = 0; i < c; i++)
            slope[i * c + j] = (other[i] - gap[i]) / h;
    }
    memcpy(step, gap, bytes);
    ok = ok && solve_scaled(slope, step, c);
    for (int i = 0; i < c && ok; i++)
        rate[i] -= step[i];
    ok = ok && rate_gap(gap, p, rate);
    free(slope);
    free(other);
    free(step);
    return ok;
}

static bool gap_is_small(const problem *p, const double *rate, const double *gap)
{
    for (int i = 0; i < p->count; i++)
        if (fabs(gap[i]) > 1e-12 * fabs(rate[i]))
            return false;
    return true;
}

static bool solve_both(problem *p)
{
    size_t room = (size_t)p->n->s->N * sizeof(double);
    double *rate = jn_alloc(room), *gap = jn_alloc(room);
    for (int i = 0; i < p->count; i++)
        rate[i] = p->n->yp[p->storage[i]];
    bool ok = rate_gap(gap, p, rate);
    for (int k = 0; k < 10 && ok && p->n->reads_rates && !gap_is_small(p, rate, gap); k++)
        ok = improve(p, rate, gap);
    free(rate);
    free(gap);
    return ok;
}

static void raise_peaks(numeric *n)
{
    for (int i = 0; i < n->n; i++)
        n->peak[i] = fmax(n->peak[i], fabs(n->y[i]));
}

bool jn_numeric_solve(numeric *n, mode_table *m, double t, const double *x, const double *integrals)
{
    const jn_sim *s = n->s;
    problem p = {n, m, t, x, integrals, 0, jn_alloc((size_t)s->N * sizeof(int))};
    for (int i = 0; i < s->N; i++)
        if (!m->program->integral[i])
            p.storage[p.count++] = i;
    for (int i = 0; i < n->n; i++)
        if (!isfinite(n->yp[i]))
            n->yp[i] = 0;
    bool ok = solve_both(&p);
    free(p.storage);
    if (ok)
        raise_peaks(n);
    return ok;
}
