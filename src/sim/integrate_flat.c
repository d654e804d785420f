/* integrate_flat.c: laws without slope at 0 that have to be inverted.
 *
 * y = L(x) with y given. The unknown x is then found here, law by law, and not by the Newton's method
 * around it: that would work with slopes that vanish, or hold e = f·|f| on one side as e = f², which
 * has a second solution or none. A little is added to the law,
 *
 *     y = L(x) + ρ(x),     ρ(x) = δ·(x/x₀/√(1 + (x/x₀)²) + x/X) / (1 + (L(x)/4δ)²),     L(x₀) ≈ δ
 *
 * where y is not known better than δ, and X is as large as x gets. So there is one x: where nothing
 * determines it, it is 0. Where the law gives more than that, what is added fades: it would move the
 * solution by δ all the way. (It fades more slowly than L grows, so their sum grows.) What L does not give,
 * a flow against a check valve, is not to be had from ρ: where δ·x/X would make up for it there is no x. */
#include <math.h>

#include "integrate.h"

dual jni_law_at(integrate *n, const mode *m, const moment *at, const jn_element *x, dual value)
{
    int own = jni_law_reads(x);
    dual keep = n->w.col[own];
    moment stands = *at;
    stands.branching = BRANCH_ROUNDED;
    stands.rounds = false;
    n->w.col[own] = jni_scaled(value, own % 2 ? m->solved->flow_sign[own / 2] : 1);
    dual y = jni_tangent(&stands, x->law);
    n->w.col[own] = keep;
    return y;
}

/* ---- what is added to a law ---------------------------------------------------------------- */

static double law_size(integrate *n, const mode *m, const moment *at, const jn_element *x,
                       double value)
{
    double up = fabs(jni_law_at(n, m, at, x, (dual){value, 0}).v);
    double down = fabs(jni_law_at(n, m, at, x, (dual){-value, 0}).v);
    return isfinite(up) && isfinite(down) ? fmax(up, down) : INFINITY;
}

/* The x for which a law is about as large as y. */
static double reach(integrate *n, const mode *m, const moment *at, const jn_element *x, double y)
{
    double size = 1;
    for (int k = 0; k < 500 && law_size(n, m, at, x, size) < y; k++)
        size *= 2;
    for (int k = 0; k < 1000 && law_size(n, m, at, x, size / 2) > y; k++)
        size /= 2;
    return size;
}

static void find_size(struct flat *to, integrate *n, const mode *m, const moment *at,
                      const jn_element *x, double off)
{
    int own = jni_law_reads(x), given = own ^ 1;
    double y = fmax(fabs(n->w.col[given].v), fmax(n->size.largest[given], n->size.beside[given]));
    double size = fmax(n->size.largest[own], n->size.beside[own]);
    to->is_inverted = true;
    to->part = fmax(FLAT_PART * (y > 0 ? y : 1), STEEP_TOLERANCE * off);
    to->near = reach(n, m, at, x, to->part);
    to->size = fmax(size > 0 ? size : reach(n, m, at, x, to->part / FLAT_PART), 1e3 * to->near);
}

/* What tolerances of the unknowns make of what a law is given. */
static double how_far_off(integrate *n, mode *m, double t, const double *y, int given)
{
    double most = 0;
    jni_follower_tolerance(n->follower, y, n->trial);
    for (int k = 0; k < MIXTURES; k++) {
        jni_residual_disturb(n, n->trial, k);
        jni_carry(n, m, (dual){t, 0});
        most = fmax(most, fabs(n->w.col[given].d));
    }
    jni_residual_disturb(n, NULL, 0);
    return most;
}

void jni_flat_enter(integrate *n, mode *m, double t, const double *x_before)
{
    const model *k = &n->s->model;
    for (int r = 0; r < k->nr; r++) {
        const jn_element *x = &k->g->element[k->g->resistor[r]];
        n->flat[r].is_inverted = false;
        if (!jni_mode_inverts(m, k, r))
            continue;
        jni_residual_at(n, n->y, n->yp);
        for (int i = 0; i < k->nx; i++)
            n->w.Y[i].v = x_before[i];
        double off = how_far_off(n, m, t, n->y, jni_law_reads(x) ^ 1);
        moment at = jni_carry(n, m, (dual){t, 0});
        find_size(&n->flat[r], n, m, &at, x, off);
    }
}

/* A law that was entered with small values meets larger ones: levels of 1.5 are known less well than those of
 * tanks that were empty. */
void jni_flat_widen(integrate *n, mode *m, double t, const double *y, const double *yp)
{
    const model *k = &n->s->model;
    for (int r = 0; r < k->nr; r++) {
        const jn_element *x = &k->g->element[k->g->resistor[r]];
        struct flat *f = &n->flat[r];
        if (!f->is_inverted)
            continue;
        jni_residual_at(n, y, yp);
        double part = STEEP_TOLERANCE * how_far_off(n, m, t, y, jni_law_reads(x) ^ 1);
        if (!(part > f->part && isfinite(part)))
            continue;
        moment at = jni_carry(n, m, (dual){t, 0});
        f->part = part;
        f->near = reach(n, m, &at, x, part);
        f->size = fmax(f->size, 1e3 * f->near);
    }
}

typedef struct {
    double v, by_x, by_law;
} addition;

/* What is added at x, where the law itself gives so much. */
static addition added(const struct flat *f, double x, double law)
{
    enum { FADES = 4 };
    double part = x / f->near, root = sqrt(1 + part * part);
    double share = fmax(fmin(law / (FADES * f->part), 1e100), -1e100);
    double left = 1 / (1 + share * share), whole = f->part * (x / f->size + part / root);
    return (addition){.v = left * whole,
                      .by_x = left * f->part * (1 / f->size + 1 / (f->near * root * root * root)),
                      .by_law = -2 * share / (FADES * f->part) * left * left * whole};
}

/* ---- inverting it -------------------------------------------------------------------------- */

typedef struct {
    integrate *n;
    const mode *m;
    const moment *at; /* with nothing that changes */
    const jn_element *x;
    const struct flat *flat;
    double y;
} inversion;

static double gap_at(const inversion *v, double x, double *slope)
{
    dual L = jni_law_at(v->n, v->m, v->at, v->x, (dual){x, 1});
    addition rho = added(v->flat, x, L.v);
    *slope = L.d * (1 + rho.by_law) + rho.by_x;
    return L.v + rho.v - v->y;
}

/* Another end beyond which the gap has the other sign. */
static bool find_other_end(const inversion *v, double from, double gap, double *to)
{
    double slope, step = fmax(fabs(from), v->flat->near);
    for (int k = 0; k < 1000; k++, step *= 2) {
        *to = gap > 0 ? from - step : from + step;
        double other = gap_at(v, *to, &slope);
        if (!isfinite(other))
            return false;
        if ((other > 0) != (gap > 0))
            return true;
    }
    return false;
}

/* From a guess, by Newton's method between two ends that come closer. */
static double invert(const inversion *v, double x)
{
    double slope, gap = gap_at(v, x, &slope), end;
    if (gap == 0)
        return x;
    if (!isfinite(gap) || !find_other_end(v, x, gap, &end))
        return NAN;
    double low = gap > 0 ? end : x, high = gap > 0 ? x : end;
    for (int k = 0; k < 2000 && gap != 0; k++) {
        double next = x - gap / slope;
        if (!(next > low && next < high) || k > 50)
            next = 0.5 * (low + high);
        if (next == x || next <= low || next >= high)
            break;
        bool is_close = fabs(next - x) <= 2 * DBL_EPSILON * fabs(next);
        x = next;
        if (is_close)
            break;
        gap = gap_at(v, x, &slope);
        if (gap > 0)
            high = x;
        else
            low = x;
    }
    return x;
}

/* Whether what was added makes up for what the law does not give. */
static bool is_overdone(const struct flat *f, double x, double y)
{
    return f->part * fabs(x) / f->size > FLAT_MOST * fmax(fabs(y), f->part / FLAT_PART);
}

dual jni_flat_row(integrate *n, const mode *m, int r, const moment *at, dual given)
{
    const jn_element *x = &n->s->model.g->element[n->s->model.g->resistor[r]];
    dual unknown = n->w.Y[n->k.first_r + r];
    inversion v = {n, m, at, x, &n->flat[r], given.v};
    double slope, root = invert(&v, unknown.v);
    if (is_overdone(v.flat, root, given.v))
        return (dual){NAN, 0};
    gap_at(&v, root, &slope);
    dual L = jni_law_at(n, m, at, x, (dual){root, 0});
    double others = L.d * (1 + added(v.flat, root, L.v).by_law);
    slope -= others;
    return (dual){unknown.v - root, unknown.d - (given.d - others) / slope};
}
