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

/* ---- the jump ------------------------------------------------------------------------------ */

/* What the terms of each row amount to. tied: a state that nothing is left of is known no better than those that it was
 * joined with, as three charges that add up to 0. */
static void find_terms(double *size, integrate *n, const mode *m, const sparse_pattern *p,
                       const double *by_y, bool tied)
{
    double *largest = jni_doubles(p->n), *own = jni_doubles(p->n);
    for (int j = 0; j < p->n; j++)
        largest[j] = fabs(n->y[j]) + n->size.peak[j];
    for (int times = 0; times <= tied; times++) {
        memset(size, 0, (size_t)p->n * sizeof *size);
        for (int j = 0; j < p->n; j++)
            for (int e = p->start[j]; e < p->start[j + 1]; e++) {
                size[p->row[e]] += fabs(by_y[e]) * largest[j];
                own[j] = p->row[e] == j ? fabs(by_y[e]) : own[j];
            }
        for (int j = 0; j < n->s->model.nx; j++)
            if (own[j] > 0)
                largest[j] = fmax(largest[j], size[j] / own[j]);
    }
    jni_add_sources(size, n, m, false);
    free(largest);
    free(own);
}

/* The largest row of F beside what its terms amount to. */
static double mismatch(integrate *n, const mode *m, const sparse_pattern *p, const double *by_y,
                       bool tied)
{
    double worst = 0, *size = n->trial;
    find_terms(size, n, m, p, by_y, tied);
    for (int i = 0; i < n->k.n; i++) {
        double f = fabs(n->w.F[i].v);
        if (!isfinite(f)) /* a law without a value: fmax would hide it */
            return INFINITY;
        if (f > 0)
            worst = fmax(worst, size[i] > 0 ? f / size[i] : 1);
    }
    return worst;
}

/* Whether all rows are no more than what rounding within them makes: where nothing has flowed yet the flow through a law
 * that begins at 1 V is found to the rounding of that, beside which it has no size. */
static bool is_rounding(integrate *n, mode *m, double t, const double *x)
{
    bool all = true;
    jni_residual_at(n, n->y, n->yp);
    n->w.rounds = true;
    jni_residual(n, m, (dual){t, 0}, x);
    n->w.rounds = false;
    for (int i = 0; i < n->k.n && all; i++)
        all = fabs(n->w.F[i].v) <= fabs(n->w.F[i].d);
    return all;
}

/* How much of the step to take: half as often as values are not finite or the rows grow a lot.
 * Later they must shrink: at a root (√|e| = 0) whole steps go to and fro without end. Where they do not for long they
 * may grow, but not as an exponential does, down which there are hundreds of steps. */
static bool take_step(integrate *n, mode *m, double t, const double *x, bool shrinks)
{
    enum { TRIES = 60, PATIENT = 8, MOST_GROWTH = 100 };
    double before = 0, part = 1, most = shrinks ? 0.9 : 4;
    memcpy(n->trial, n->y, (size_t)n->k.n * sizeof *n->y);
    for (int i = 0; i < n->k.n; i++)
        before = fmax(before, fabs(n->w.F[i].v));
    for (int tries = 0; tries < TRIES; tries++, part *= 0.5) {
        double after = 0;
        for (int i = 0; i < n->k.n; i++)
            n->y[i] = n->trial[i] - part * n->rhs[i];
        jni_residual_at(n, n->y, n->yp);
        jni_residual(n, m, (dual){t, 0}, x);
        for (int i = 0; i < n->k.n; i++) /* fmax would hide what is not a number */
            after = isfinite(n->w.F[i].v) ? fmax(after, fabs(n->w.F[i].v)) : INFINITY;
        if (isfinite(after) && after <= (tries < PATIENT ? most : MOST_GROWTH) * before)
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

/* One step of Newton's method, at most: n->y, and how far it was off before, beside its terms and in its largest row. */
typedef enum { STEP_TAKEN, STEP_SINGULAR, STEP_HAS_NO_VALUE } step_result;

static step_result improve_jump(double *rest, double *largest, integrate *n, mode *m, double t,
                                const double *x, bool shrinks, bool is_patient)
{
    structure *k = jni_slopes_of(n, m, t);
    const sparse_pattern *p = jni_structure_pattern(k);
    double *by_y = jni_doubles(p->start[p->n]);
    step_result result = STEP_TAKEN;
    jni_residual_at(n, n->y, n->yp);
    jni_structure_jump(k, n, m, t, x, by_y);
    jni_residual(n, m, (dual){t, 0}, x);
    *rest = mismatch(n, m, p, by_y, is_patient);
    *largest = 0;
    for (int i = 0; i < n->k.n; i++) {
        n->rhs[i] = n->w.F[i].v;
        *largest = fmax(*largest, fabs(n->rhs[i]));
    }
    if (*rest != 0 && !jni_system_solve(jni_structure_system(k), by_y, n->rhs))
        result = STEP_SINGULAR;
    else if (*rest != 0 && !take_step(n, m, t, x, shrinks))
        result = STEP_HAS_NO_VALUE;
    free(by_y);
    return result;
}

/* n->y from x, with the rates in n->yp held. A diode that is given 10 V too much comes closer by 26 mV each time, while its row
 * falls by a factor of e: as long as rows fall like that it may go on. */
static bool solve_jump(integrate *n, mode *m, double t, const double *x, const double *integrals,
                       enum branching branching)
{
    enum { MOST = 100, MOST_FALLING = 2000, PATIENT = 20 };
    n->w.branching = branching;
    memcpy(n->y, x, (size_t)n->s->model.nx * sizeof *n->y);
    memcpy(n->y + n->k.first_s, integrals, (size_t)n->s->model.ns * sizeof *n->y);
    double before = INFINITY;
    for (int k = 0, moved = 0, falling = 0; k - falling < MOST; k++) {
        double rest, largest;
        switch (improve_jump(&rest, &largest, n, m, t, x, k > 8, k - falling > PATIENT)) {
        case STEP_SINGULAR:
            if (moved >= 20)
                return false;
            move_off(n, moved++);
            continue;
        case STEP_HAS_NO_VALUE:
            return false;
        default:
            break;
        }
        if (rest == 0 || step_is_small(n) || rest < 1e-15 ||
            (k - falling > PATIENT && (rest < 1e-12 || is_rounding(n, m, t, x))))
            return true;
        falling += largest < 0.5 * before && falling < MOST_FALLING;
        before = largest;
    }
    return false;
}

/* ---- the rates ----------------------------------------------------------------------------- */

static bool is_differential(const integrate *n, const mode *m, int i)
{
    return (i < n->s->model.nx && m->integral[i]) || i >= n->k.first_s;
}

/* What a change of an unknown does, and of its rate where it is a dependent storage. The rates of integrals are
 * known by then. */
static void rate_matrix(double *a, integrate *n, mode *m, double t)
{
    structure *k = jni_slopes_of(n, m, t);
    const sparse_pattern *p = jni_structure_pattern(k);
    double *by_yp = jni_doubles(p->start[p->n]);
    jni_structure_slopes(k, n, m, t, a, by_yp);
    n->reads_rates = false;
    for (int j = 0; j < p->n; j++) {
        bool dependent = jni_is_dependent(n, m, j), is_read = false;
        for (int e = p->start[j]; e < p->start[j + 1]; e++) {
            int i = p->row[e];
            if (is_differential(n, m, i))
                a[e] = i == j ? 1 : dependent ? by_yp[e] : 0;
            else if (j >= n->k.first_s)
                a[e] = 0;
            else
                is_read |= dependent && by_yp[e] != 0;
        }
        if (j < n->s->model.nx)
            n->is_read[j] = is_read;
        n->reads_rates |= is_read;
    }
    free(by_yp);
}

/* Where a law is infinitely steep (√e at 0) a rate cannot be told: the integrator begins with 0. */
static void forget_steep_rates(const sparse_pattern *p, double *a, double *rhs)
{
    bool *steep = jn_alloc((size_t)p->n * sizeof *steep);
    for (int i = 0; i < p->n; i++)
        steep[i] = !isfinite(rhs[i]);
    for (int e = 0; e < p->start[p->n]; e++)
        steep[p->row[e]] |= !isfinite(a[e]);
    for (int j = 0; j < p->n; j++)
        for (int e = p->start[j]; e < p->start[j + 1]; e++)
            if (steep[p->row[e]])
                a[e] = p->row[e] == j;
    for (int i = 0; i < p->n; i++)
        if (steep[i])
            rhs[i] = 0;
    free(steep);
}

/* n->rhs: the rates of integrals, what independent storages are given, and how algebraic rows move with time
 * and integrals. */
static void rate_sides(integrate *n, mode *m, double t)
{
    for (int k = n->k.first_s; k < n->k.n; k++)
        n->w.Y[k].d = n->yp[k];
    jni_residual(n, m, (dual){t, 1}, NULL);
    for (int i = 0; i < n->k.first_s; i++)
        n->rhs[i] = -n->w.F[i].d;
    jni_residual_at(n, n->y, n->yp);
    for (int i = 0; i < n->s->model.nx; i++)
        n->w.Yp[i].v = 0;
    jni_residual(n, m, (dual){t, 0}, NULL);
    for (int i = 0; i < n->k.first_s; i++)
        if (is_differential(n, m, i))
            n->rhs[i] = -n->w.F[i].v;
    for (int k = n->k.first_s; k < n->k.n; k++)
        n->rhs[k] = n->yp[k];
}

/* n->yp from n->y; expressions read the rates that are there now. */
static bool rates(integrate *n, mode *m, double t, enum branching branching)
{
    structure *k = jni_slopes_of(n, m, t);
    const sparse_pattern *p = jni_structure_pattern(k);
    double *a = jni_doubles(p->start[p->n]);
    n->w.branching = branching;
    jni_residual_at(n, n->y, n->yp);
    jni_residual(n, m, (dual){t, 0}, NULL);
    for (int i = n->k.first_s; i < n->k.n; i++) {
        double rate = n->yp[i] - n->w.F[i].v;
        n->yp[i] = n->w.Yp[i].v = rate;
    }
    rate_matrix(a, n, m, t);
    rate_sides(n, m, t);
    forget_steep_rates(p, a, n->rhs);
    bool ok = jni_system_solve(jni_structure_system(k), a, n->rhs);
    if (ok)
        memcpy(n->yp, n->rhs, (size_t)n->k.n * sizeof *n->yp);
    free(a);
    return ok;
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
    double *assumed, *gap;
    bool *is_read; /* of those: what comes out depends on it */
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
    for (int i = 0; i < p->count; i++) {
        p->gap[i] = n->yp[p->which[i]] - p->assumed[i];
        p->is_read[i] |= n->is_read[p->which[i]];
    }
    return true;
}

/* A few equations; rows in different units are brought to one scale first. */
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

static int list_read(int *list, const problem *p)
{
    int count = 0;
    for (int i = 0; i < p->count; i++)
        if (p->is_read[i])
            list[count++] = i;
    return count;
}

/* How the gaps move with one of what is assumed: they are mostly affine, so that whole steps are exact. */
static bool find_slope(double *slope, problem *p, const double *gap, int of)
{
    double keep = p->assumed[of], h = fmax(fabs(keep), fabs(gap[of]));
    p->assumed[of] += h > 0 ? h : 1;
    h = p->assumed[of] - keep;
    bool ok = find_gap(p);
    p->assumed[of] = keep;
    for (int i = 0; i < p->count; i++)
        slope[i] = (p->gap[i] - gap[i]) / h;
    return ok;
}

/* Newton's step for those that are read; what comes out for the others follows. */
static void step_of_all(double *step, const problem *p, const double *slope, const double *of_read,
                        const int *list, int count)
{
    for (int i = 0; i < p->count; i++) {
        step[i] = -step[i];
        for (int k = 0; k < count; k++)
            step[i] += slope[k * p->count + i] * of_read[k];
    }
    for (int k = 0; k < count; k++)
        step[list[k]] = of_read[k];
}

static bool improve(problem *p)
{
    int c = p->count, *list = jn_alloc((size_t)c * sizeof *list), count = list_read(list, p);
    double *step = jni_doubles(c), *of_read = jni_doubles(count);
    double *slope = jni_doubles(count * c), *square = jni_doubles(count * count);
    bool ok = true;
    jni_copy(step, p->gap, c);
    for (int k = 0; k < count && ok; k++)
        ok = find_slope(slope + k * c, p, step, list[k]);
    for (int i = 0; i < count; i++) {
        of_read[i] = step[list[i]];
        for (int k = 0; k < count; k++)
            square[i * count + k] = slope[k * c + list[i]];
    }
    ok = ok && solve_scaled(square, of_read, count);
    if (ok)
        step_of_all(step, p, slope, of_read, list, count);
    for (int i = 0; i < c && ok; i++)
        p->assumed[i] -= step[i];
    jni_copy(p->gap, step, c); /* the step, beside what is assumed */
    free(list);
    free(step);
    free(of_read);
    free(slope);
    free(square);
    return ok;
}

/* Or the step that improve has left there. */
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
        bool is_last = ok && gap_is_small(p);
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
    p->is_read = jn_alloc((size_t)most * sizeof *p->is_read);
    for (int i = 0; i < n->s->model.nx; i++)
        if (!p->m->integral[i]) {
            p->assumed[p->count] = n->yp[i];
            p->which[p->count++] = i;
        }
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
    free(p.is_read);
    if (ok)
        raise_peaks(n);
    return ok;
}
