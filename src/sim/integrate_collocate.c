/* integrate_collocate.c: Radau's method IIA of nine stages, of order 17.
 *
 * Over a step of length h the solution of F(t, y, y') = 0 is a polynomial of degree 9 through y at
 * its start that satisfies the equations at nine points c_i·h, the last of which is the end:
 *
 *     F(t_i, Y_i, Σ_j D_ij·(Y_j − y_0)/h) = 0,     D_ij: slope at c_i of what is 1 at c_j, 0
 * elsewhere
 *
 * Newton's method on all of it with one Jacobian splits into systems of size n, since with
 * D = T·diag(μ)·T⁻¹ the stages separate: (F_y + μ_k/h·F_y')·V_k = (T⁻¹·F)_k, one real and four
 * pairs of complex ones.
 *
 * A method of one step, because a hybrid model begins anew at every event: it starts with its full
 * order. Of high order, because what is asked for is accurate. Stiff and algebraic equations do it
 * no harm. The error is that of the polynomial anywhere in the step, seen from how its coefficients
 * fall off; the end of the step, from where the next one goes on, is known far better than that. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "integrate_collocation.h"
#include "integrate.h"

/* ---- life ---------------------------------------------------------------------------------- */

collocation *jni_collocation_new(const collocation_problem *p)
{
    collocation *c = jn_alloc(sizeof *c);
    int n = p->n;
    c->p = *p;
    if (!jni_radau_rule_find(&c->r)) {
        free(c);
        return NULL;
    }
    c->rhs = jn_alloc((size_t)n * sizeof *c->rhs);
    c->tol = jni_doubles(n);
    c->Y = jni_doubles(NODES * n);
    c->moved = jni_doubles(NODES * n);
    c->F = jni_doubles(STAGES * n);
    c->change = jni_doubles(STAGES * n);
    c->yp = jni_doubles(n);
    c->off.known = jni_doubles(n);
    c->off.in_middle = jni_doubles(n);
    c->off.held = jni_doubles(n);
    c->off.settled = jni_doubles(n);
    for (int i = 0; i < 2; i++) {
        struct slopes *at = i ? &c->middle : &c->start;
        at->own = jni_doubles(n);
        at->drift = jni_doubles(n);
        at->rounding = jni_doubles(n);
        at->rate = jni_doubles(n);
        at->all = jni_doubles(n);
    }
    c->rate = jni_doubles(n);
    c->last.a = jni_doubles(NODES * n);
    c->trial = jni_doubles(NODES * n);
    return c;
}

static void forget_pattern(collocation *c)
{
    jni_lu_free(c->lu);
    for (int i = 0; i < 2; i++) {
        struct slopes *at = i ? &c->middle : &c->start;
        free(at->by_y);
        free(at->by_yp);
        at->by_y = at->by_yp = NULL;
    }
    free(c->matrix);
    c->lu = NULL;
    c->matrix = NULL;
    c->pattern = NULL;
}

void jni_collocation_leave(collocation *c, const sparse_pattern *p)
{
    if (c->pattern == p)
        forget_pattern(c);
}

void jni_collocation_free(collocation *c)
{
    if (!c)
        return;
    forget_pattern(c);
    double *each[] = {c->tol,           c->Y,
                      c->moved,         c->F,
                      c->change,        c->yp,
                      c->rate,          c->last.a,
                      c->trial,         c->off.known,
                      c->off.in_middle, c->off.held,
                      c->start.drift,   c->middle.drift,
                      c->start.own,     c->start.rounding,
                      c->start.rate,    c->start.all,
                      c->middle.own,    c->middle.rounding,
                      c->middle.rate,   c->middle.all,
                      c->off.settled};
    for (size_t i = 0; i < sizeof each / sizeof *each; i++)
        free(each[i]);
    free(c->rhs);
    free(c);
}

static void use_pattern(collocation *c, const sparse_pattern *p)
{
    if (c->pattern == p || !p->n)
        return;
    forget_pattern(c);
    c->pattern = p;
    c->lu = jni_lu_new(p, SYSTEMS);
    for (int i = 0; i < 2; i++) {
        struct slopes *at = i ? &c->middle : &c->start;
        at->by_y = jni_doubles(p->start[p->n]);
        at->by_yp = jni_doubles(p->start[p->n]);
    }
    c->matrix = jn_alloc((size_t)p->start[p->n] * sizeof *c->matrix);
}

void jni_collocation_start(collocation *c, const sparse_pattern *p, double t, const double *y,
                           const double *yp, double ahead)
{
    use_pattern(c, p);
    c->t = t;
    c->last.is_there = false;
    c->factored = 0;
    c->is_lax = c->is_unsettled = false;
    c->crept = 0;
    memcpy(c->Y, y, (size_t)c->p.n * sizeof *y);
    memcpy(c->rate, yp, (size_t)c->p.n * sizeof *yp);
    c->next = c->next > 0 ? fmax(fmin(c->next, ahead), 1e-6 * ahead) : ahead;
}

/* ---- Newton's method ----------------------------------------------------------------------- */

/* The polynomial of the step before, beyond it: terms that are rounding would only grow there. */
static void extrapolate(const collocation *c, double t, double *y)
{
    int n = c->p.n;
    double u = 2 * (t - c->last.from) / c->last.h - 1, T0 = 1, T1 = u;
    memcpy(y, c->last.a, (size_t)n * sizeof *y);
    for (int k = 1; k < NODES; k++) {
        const double *a = c->last.a + k * n;
        for (int i = 0; i < n; i++)
            if (fabs(a[i]) > 8 * DBL_EPSILON * fabs(c->last.a[i]))
                y[i] += T1 * a[i];
        double T2 = 2 * u * T1 - T0;
        T0 = T1;
        T1 = T2;
    }
}

/* Stages from the polynomial of the step before, if that is not too far away, or straight on. */
static void predict(collocation *c, double h)
{
    int n = c->p.n;
    bool extrapolates = c->last.is_there && h < 3 * c->last.h;
    for (int i = 1; i < NODES; i++) {
        double *y = c->Y + i * n, tau = c->r.c[i] * h;
        if (extrapolates) {
            extrapolate(c, c->t + tau, y);
            for (int k = 0; k < n; k++) /* rounding is not to be drawn out */
                if (c->off.known[k] > c->tol[k])
                    y[k] = c->Y[k];
        } else {
            for (int k = 0; k < n; k++)
                y[k] = c->Y[k] + (c->last.is_there ? 0 : tau * c->rate[k]);
        }
    }
}

/* y' at stage i, 1 … */
static void slope_at(double *yp, const collocation *c, int i, double h)
{
    int n = c->p.n;
    memset(yp, 0, (size_t)n * sizeof *yp);
    for (int j = 1; j < NODES; j++) {
        double d = c->r.D[i - 1][j - 1] / h;
        const double *Y = c->Y + j * n;
        for (int k = 0; k < n; k++)
            yp[k] += d * (Y[k] - c->Y[k]);
    }
}

static bool note_bad_row(collocation *c, const double *F)
{
    for (int k = 0; k < c->p.n; k++)
        if (!isfinite(F[k]))
            c->suspect = k;
    return false;
}

static bool residuals(collocation *c, double h)
{
    int n = c->p.n;
    for (int i = 1; i < NODES; i++) {
        slope_at(c->yp, c, i, h);
        if (!c->p.residual(c->p.ctx, c->t + c->r.c[i] * h, c->Y + i * n, c->yp, c->F + (i - 1) * n))
            return note_bad_row(c, c->F + (i - 1) * n);
    }
    return true;
}

/* What the step before has come to satisfies the equations as well as it was asked to, which may be
 * less than what is asked now. */
static bool starts_well(collocation *c)
{
    double *F = c->change; /* a stage of it */
    if (!c->p.residual(c->p.ctx, c->t, c->Y, c->yp, F))
        return true;
    for (int k = 0; k < c->p.n; k++)
        if (c->start.own[k] > 0 && fabs(F[k]) > PART_OF_ASKED * c->tol[k] * c->start.own[k])
            return false;
    return true;
}

static bool find_jacobian(collocation *c, double h)
{
    int n = c->p.n;
    slope_at(c->yp, c, MIDDLE, h);
    for (int k = 0; k < n; k++)
        c->off.held[k] = c->off.settled[k] = INFINITY;
    if (c->p.bends) {
        if (!jni_slopes_at(&c->start, c, c->t, c->Y))
            return false;
        jni_slopes_weigh(&c->start, c, c->Y, h);
        if (c->is_unsettled || !starts_well(c))
            c->p.settle(c->p.ctx, c->t, c->Y);
        c->is_unsettled = false;
    }
    if (!jni_slopes_at(&c->middle, c, c->t + c->r.c[MIDDLE] * h, c->Y + MIDDLE * n))
        return false;
    jni_slopes_weigh(&c->middle, c, c->Y + MIDDLE * n, h);
    return true;
}

/* The Jacobian in the middle of what is predicted, and the factors for it. */
static bool factor(collocation *c, double h, bool renew)
{
    if (renew ? !find_jacobian(c, h) : c->factored == h)
        return !renew;
    c->factored = 0;
    for (int s = 0; s < SYSTEMS; s++) {
        double complex mu = c->r.mu[s] / h;
        for (int e = 0; e < c->pattern->start[c->p.n]; e++)
            c->matrix[e] = c->middle.by_y[e] + mu * c->middle.by_yp[e];
        if (!jni_lu_factor(c->lu, s, c->matrix))
            return false;
    }
    c->factored = h;
    jni_known_find(c, h, renew);
    return true;
}

/* Whether the residuals are what rounding of the unknowns makes of them: a rate is known as well as
 * that, divided by h, lets it be, and so is what rates give. */
static bool is_rounding(collocation *c, double h)
{
    const sparse_pattern *p = c->pattern;
    int n = c->p.n;
    for (int i = 0; i < STAGES; i++) {
        const double *Y = c->Y + (i + 1) * n, *F = c->F + i * n;
        double *most = c->yp;
        memset(most, 0, (size_t)n * sizeof *most);
        for (int k = 0; k < n; k++)
            for (int e = p->start[k]; e < p->start[k + 1]; e++)
                most[p->row[e]] +=
                    (fabs(c->middle.by_y[e]) + 100 / h * fabs(c->middle.by_yp[e])) * fabs(Y[k]);
        for (int k = 0; k < n; k++)
            if (fabs(F[k]) > 4 * DBL_EPSILON * most[k])
                return false;
    }
    return true;
}

/* Improves the stages; *size: by how much, beside the tolerance. */
static bool improve(collocation *c, double *size)
{
    int n = c->p.n;
    double *change = c->change;
    memset(change, 0, (size_t)(STAGES * n) * sizeof *change);
    for (int s = 0; s < SYSTEMS; s++) {
        for (int k = 0; k < n; k++) {
            double complex sum = 0;
            for (int i = 0; i < STAGES; i++)
                sum += c->r.to[s][i] * c->F[i * n + k];
            c->rhs[k] = sum;
        }
        if (!jni_lu_solve(c->lu, s, c->rhs))
            return false;
        for (int i = 0; i < STAGES; i++) {
            double re = creal(c->r.from[i][s]), im = cimag(c->r.from[i][s]);
            for (int k = 0; k < n; k++)
                change[i * n + k] += re * creal(c->rhs[k]) - im * cimag(c->rhs[k]);
        }
    }
    *size = 0;
    for (int i = 0; i < STAGES; i++)
        for (int k = 0; k < n; k++) {
            c->Y[(i + 1) * n + k] -= change[i * n + k];
            double part = fabs(change[i * n + k]) / (c->tol[k] + jni_known_at(c, i + 1, k));
            if (!(part <= *size)) {
                *size = part;
                c->suspect = k;
            }
            if (!isfinite(part))
                return false;
        }
    return true;
}

typedef enum { FOUND, SLOW, LOST } outcome;

/* The stages of a step of length h, from what they are now. SLOW: they come closer, but by little. */
static outcome solve(collocation *c, double h)
{
    enum { MOST = 20, PATIENCE = 3 };
    double last = 0;
    for (int k = 0; k < MOST; k++) {
        double size;
        if (!residuals(c, h) || !improve(c, &size))
            return LOST;
        double theta = k ? size / last : 1;
        last = size;
        if (k == 1)
            c->contraction = theta;
        /* the largest of all may have fallen at once, and others not */
        double rest = size * fmax(theta, 1e-3);
        if (size == 0 || (k && theta < 1 && rest / (1 - theta) < 1e-3))
            return FOUND;
        if (k && theta > 0.5 && (size < 1 || is_rounding(c, h))) /* it gets no better */
            return FOUND;
        if (k && theta > 2)
            return LOST;
        if (k >= PATIENCE && theta > 0.5 && c->p.bends)
            return SLOW;
    }
    return last < 1 ? FOUND : SLOW;
}

/* Where slopes differ a lot from those that were predicted, as when a step begins where a law is
 * infinitely steep: those of where the stages have come to. */
static bool solve_on(collocation *c, double h)
{
    enum { MOST = 12 };
    outcome out = solve(c, h);
    for (int k = 0; k < MOST && out == SLOW && c->p.bends; k++)
        out = factor(c, h, true) ? solve(c, h) : LOST;
    return out == FOUND;
}

/* ---- before the first step ----------------------------------------------------------------- */

/* One step of Euler's implicit method: (F_y + F_y'/h)·Δ = F_y'·y'. */
bool jni_collocation_ahead(double *moved, collocation *c, const sparse_pattern *p, double t,
                           const double *y, const double *yp, double h)
{
    int n = c->p.n;
    use_pattern(c, p);
    if (!n)
        return true;
    c->factored = 0;
    memcpy(c->yp, yp, (size_t)n * sizeof *yp);
    if (!jni_slopes_at(&c->start, c, t, y))
        return false;
    memset(c->rhs, 0, (size_t)n * sizeof *c->rhs);
    for (int k = 0; k < n; k++)
        for (int e = p->start[k]; e < p->start[k + 1]; e++) {
            c->matrix[e] = c->start.by_y[e] + c->start.by_yp[e] / h;
            c->rhs[p->row[e]] += c->start.by_yp[e] != 0 ? c->start.by_yp[e] * yp[k] : 0;
        }
    if (!jni_lu_factor(c->lu, 0, c->matrix) || !jni_lu_solve(c->lu, 0, c->rhs))
        return false;
    for (int k = 0; k < n; k++)
        moved[k] = fabs(creal(c->rhs[k]));
    return true;
}

/* ---- steps --------------------------------------------------------------------------------- */

/* What a polynomial leaves out: less than its last terms. */
static double left_out(const double *a, int n, int k)
{
    double last = a[STAGES * n + k], before = a[(STAGES - 1) * n + k];
    return 0.1 * fmax(fabs(last), 0.03 * fabs(before));
}

/* Whether the equations read the rate of an unknown. */
static bool has_rate(const collocation *c, int k)
{
    for (int e = c->pattern->start[k]; e < c->pattern->start[k + 1]; e++)
        if (c->middle.by_yp[e] != 0)
            return true;
    return false;
}

/* What happens to all that is not a state within times that doubles can hardly tell apart is a jump of it: where a
 * coil's current has come to what its diodes let back, their voltage falls in 10⁻²⁰ s. */
static bool jumps_within(const collocation *c, double h)
{
    return h <= CREEPING * (nextafter(c->t, INFINITY) - c->t);
}

/* ... beside the tolerance. */
static double error_of(collocation *c, double h)
{
    int n = c->p.n;
    double worst = 0, counts = 0;
    bool is_jump = jumps_within(c, h);
    for (int k = 0; k < n; k++) {
        double rounding = c->off.known[k];
        for (int i = 0; i < STAGES; i++)
            rounding = fmax(rounding, fabs(c->change[i * n + k]));
        double part = left_out(c->trial, n, k) / (c->tol[k] + rounding);
        if (part > worst) {
            worst = part;
            c->suspect = k;
        }
        if (!is_jump || has_rate(c, k))
            counts = fmax(counts, part);
    }
    return counts;
}

/* Of what has changed since the start: what stays does so to the bit. */
static void make_polynomial(collocation *c)
{
    int n = c->p.n;
    for (int i = 0; i < NODES; i++)
        for (int k = 0; k < n; k++)
            c->moved[i * n + k] = c->Y[i * n + k] - c->Y[k];
    jni_dense_mul(c->trial, c->r.fit, c->moved, NODES, NODES, n);
    for (int k = 0; k < n; k++)
        c->trial[k] += c->Y[k];
}

/* The stages of a step and its polynomial; once more with a Jacobian of its own where an old one
 * did not do. */
static bool try_step(collocation *c, double h)
{
    bool is_new = !c->factored || c->contraction > 0.02 || c->p.bends;
    if (!c->p.n)
        return true;
    for (;; is_new = true) {
        predict(c, h);
        if (factor(c, h, is_new) && solve_on(c, h))
            break;
        if (is_new)
            return false;
    }
    make_polynomial(c);
    return true;
}

static void accept(collocation *c, double h, double next)
{
    double *a = c->last.a;
    c->last.a = c->trial;
    c->trial = a;
    c->last.from = c->t;
    c->last.h = h;
    c->next = next;
    c->last.is_there = true;
    memcpy(c->Y, c->Y + STAGES * c->p.n, (size_t)c->p.n * sizeof *c->Y);
}

/* A step as short as times can be told apart. */
static void stand_still(collocation *c, double h)
{
    int n = c->p.n;
    memset(c->trial, 0, (size_t)(NODES * n) * sizeof *c->trial);
    memcpy(c->trial, c->Y, (size_t)n * sizeof *c->Y);
    memcpy(c->Y + STAGES * n, c->Y, (size_t)n * sizeof *c->Y);
    accept(c, fmax(h, 1e-300), c->next); /* its polynomial is constant, but has a slope */
}

/* The length of a step to the double next to its end; one that has failed is not taken again. */
static double told_apart(double t, double h, double failed)
{
    double end = t + h;
    return (end - t >= failed ? nextafter(end, t) : end) - t;
}

/* Whether steps have become so short that the run would never end, as before a pole. */
static bool creeps(collocation *c, double h)
{
    double least = nextafter(c->t, INFINITY) - c->t;
    c->crept = h <= CREEPING * least ? c->crept + 1 : 0;
    return c->crept > CREEPING_STEPS;
}

/* Tries once more with what tolerances are of all unknowns together; false: that has been tried. */
static bool relax(collocation *c)
{
    if (c->is_lax || !c->p.bends)
        return false;
    c->is_lax = true;
    c->factored = 0;
    c->crept = 0;
    return true;
}

/* Whether the equations have the pole of a function of time: what they say there has little to do with what they say
 * just before it. */
static bool feels_pole(collocation *c, double pole)
{
    int n = c->p.n;
    double *here = c->change, *there = c->change + n, most = 0, moved = 0;
    memset(c->yp, 0, (size_t)n * sizeof *c->yp);
    if (!c->p.residual(c->p.ctx, fmax(c->t, pole - NEAR_POLE * fabs(pole)), c->Y, c->yp, here) ||
        !c->p.residual(c->p.ctx, pole, c->Y, c->yp, there))
        return true;
    for (int k = 0; k < n; k++) {
        most = fmax(most, fmax(fabs(c->Y[k]), fabs(here[k])));
        moved = fmax(moved, fabs(there[k] - here[k]));
    }
    return moved > most;
}

/* Before a pole a step goes half the way at most; false: it is there. The nodes of one that is longer may lie on both
 * sides of it as if it were not there. */
static bool keeps_off_poles(collocation *c, double *h)
{
    int element;
    double pole = jni_brief_pole(&element, c->p.s, c->t, *h);
    if (isinf(pole) || !feels_pole(c, pole))
        return true;
    *h = 0.5 * (pole - c->t);
    return *h > CREEPING * (nextafter(c->t, INFINITY) - c->t);
}

/* How long a step may be that would be h long: not beyond what is left, nor into what its nodes would not see.
 * *is_last: it takes all that is left. */
static double length_of(const collocation *c, double h, double left, double failed, bool *is_last)
{
    *is_last = h >= 0.99 * left;
    h = *is_last ? left : fmin(h, fmax(0.5 * left, 0.5 * h));
    double clear = jni_brief_limit(c->p.s, c->t, h, c->r.c);
    if (clear < h) {
        *is_last = false;
        h = clear;
    }
    /* it ends at a time that a double can tell: else something happens twice */
    return *is_last ? h : told_apart(c->t, h, failed);
}

/* Factors are worth keeping. */
static double next_length(double h, double wanted)
{
    return wanted > h && wanted < 1.2 * h ? h : wanted;
}

bool jni_collocation_step(collocation *c, double *t, double stop)
{
    double h = c->next, most = INFINITY, failed = INFINITY;
    c->p.tolerance(c->p.ctx, c->Y, c->tol);
    for (;;) {
        bool is_last;
        if (!keeps_off_poles(c, &h))
            return false;
        h = length_of(c, h, stop - c->t, failed, &is_last);
        if (is_last && c->t + h <= c->t + 8 * (nextafter(c->t, INFINITY) - c->t)) {
            stand_still(c, h);
            *t = c->t = stop;
            return true;
        }
        bool is_stuck = c->t + h <= nextafter(c->t, INFINITY) || creeps(c, h);
        if (jni_interrupted(c->p.s) || (is_stuck && !relax(c)))
            return false;
        if (is_stuck) {
            h = c->next;
            most = failed = INFINITY;
            continue;
        }
        if (!try_step(c, h)) {
            c->factored = 0;
            failed = h;
            most = h *= 0.25;
            continue;
        }
        double factor = 0.9 * pow(fmax(error_of(c, h), 1e-30), -1.0 / STAGES);
        if (!(factor >= 0.9)) {
            failed = h;
            most = h *= fmax(0.1, factor);
            continue;
        }
        double next = next_length(h, fmin(most, h * fmin(4, factor)));
        accept(c, h, is_last ? fmax(next, c->next) : next);
        *t = c->t = is_last ? stop : c->t + h;
        return true;
    }
}

void jni_collocation_unsettle(collocation *c)
{
    c->is_unsettled = true;
}

int jni_collocation_suspect(const collocation *c)
{
    return c->suspect;
}

double jni_collocation_blame(const collocation *c, int unknown)
{
    double most = 0;
    for (int i = 0; i < STAGES; i++) {
        double part =
            fabs(c->change[i * c->p.n + unknown]) / (c->tol[unknown] + c->off.known[unknown]);
        most = isfinite(part) ? fmax(most, part) : INFINITY;
    }
    return most;
}

double jni_collocation_error(const collocation *c, int unknown)
{
    if (!c->last.is_there)
        return 0;
    return fmax(left_out(c->last.a, c->p.n, unknown),
                NOISE_OF_STEP * (c->tol[unknown] + c->off.known[unknown]));
}

void jni_collocation_at(const collocation *c, double t, double *y, double *yp)
{
    int n = c->p.n;
    double u = 2 * (t - c->last.from) / c->last.h - 1;
    double T0 = 1, T1 = u, U0 = 0, U1 = 2 / c->last.h; /* and their derivatives in time */
    memcpy(y, c->last.a, (size_t)n * sizeof *y);
    if (yp)
        memset(yp, 0, (size_t)n * sizeof *yp);
    for (int k = 1; k < NODES; k++) {
        const double *a = c->last.a + k * n;
        for (int i = 0; i < n; i++)
            y[i] += T1 * a[i];
        for (int i = 0; i < n && yp; i++)
            yp[i] += U1 * a[i];
        double T2 = 2 * u * T1 - T0, U2 = 4 / c->last.h * T1 + 2 * u * U1 - U0;
        T0 = T1;
        T1 = T2;
        U0 = U1;
        U1 = U2;
    }
}
