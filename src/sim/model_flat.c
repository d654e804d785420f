/* model_flat.c: laws that have no slope at 0.
 *
 * e = f·|f|, f = max(e, 0), f = k·√max(e − 1, 0): where the junction structure gives such a resistor
 * the variable that its law is written for, all is well. Where it gives the other one, the law has to
 * be inverted, and at 0 its inverse is infinitely steep, or has no value at all: nothing
 * determines the effort at a check valve that passes nothing. integrate_flat.c says what is done. */
#include <math.h>
#include <stdlib.h>

#include "limits.h"
#include "value.h"

/* The slope of a law, all else that it reads being 1. */
static double slope_at(moment *at, dual *col, const jn_element *x, double value)
{
    int own = jni_law_reads(x);
    col[own] = (dual){value, 1};
    double slope = jni_tangent(at, x->law).d;
    col[own] = (dual){1, 0};
    return fabs(slope);
}

/* A law that jumps at 0, as that of dry friction does, is not flat there but steep. */
static bool jumps(moment *at, dual *col, const jn_element *x, double most)
{
    int own = jni_law_reads(x);
    double at_side[2];
    for (int side = 0; side < 2; side++) {
        col[own] = (dual){side ? FLAT_NEAR : -FLAT_NEAR, 0};
        at_side[side] = jni_tangent(at, x->law).v;
    }
    col[own] = (dual){1, 0};
    return !(fabs(at_side[1] - at_side[0]) <= most);
}

/* An exponential law, whose slope at 1 V is that at 0 times 1e17, is straight near 0: it has a slope there. */
static bool bends_near(moment *at, dual *col, const jn_element *x, double least)
{
    double most = fmax(slope_at(at, col, x, FLAT_WITHIN), slope_at(at, col, x, -FLAT_WITHIN));
    return least <= FLAT_WITHIN * most;
}

static bool is_flat(moment *at, dual *col, const jn_element *x)
{
    double most = fmax(slope_at(at, col, x, 1), slope_at(at, col, x, -1));
    double least = fmin(slope_at(at, col, x, FLAT_NEAR), slope_at(at, col, x, -FLAT_NEAR));
    return least <= FLAT_SLOPE * most && bends_near(at, col, x, least) &&
           !jumps(at, col, x, sqrt(FLAT_NEAR));
}

/* An exponential law has a slope at 0, and on one side none that counts beside it: what it gives there. */
static double faint_at(moment *at, dual *col, const jn_element *x)
{
    double middle = slope_at(at, col, x, 0), least = 0;
    for (int side = -1; side <= 1 && !jumps(at, col, x, sqrt(FLAT_NEAR)); side += 2)
        if (slope_at(at, col, x, side) <= FLAT_SLOPE * middle) {
            col[jni_law_reads(x)] = (dual){side, 0};
            least = fabs(jni_tangent(at, x->law).v);
        }
    col[jni_law_reads(x)] = (dual){1, 0};
    return isfinite(least) ? least : 0;
}

/* k·√e on both sides of 0: its inverse is flat there. */
static bool is_steep(moment *at, dual *col, const jn_element *x)
{
    double up = slope_at(at, col, x, FLAT_NEAR), down = slope_at(at, col, x, -FLAT_NEAR);
    double most = fmax(slope_at(at, col, x, 1), slope_at(at, col, x, -1));
    return isfinite(up) && isfinite(down) && fmin(up, down) * FLAT_SLOPE > most &&
           !jumps(at, col, x, sqrt(sqrt(FLAT_NEAR)));
}

static dual *ones(int n)
{
    dual *a = jn_alloc((size_t)n * sizeof *a);
    for (int i = 0; i < n; i++)
        a[i] = (dual){1, 0};
    return a;
}

void jni_flat_find(model *m)
{
    dual *col = ones(2 * m->g->nbonds), *x = ones(m->nx), *integral = ones(m->ns);
    moment at = {.model = m, .col = col, .x = x, .integral = integral, .t = {1, 0}};
    m->is_flat = jn_alloc((size_t)m->nr * sizeof *m->is_flat);
    m->faint = jn_alloc((size_t)m->nr * sizeof *m->faint);
    m->is_steep = jn_alloc((size_t)m->nr * sizeof *m->is_steep);
    for (int r = 0; r < m->nr; r++) {
        const jn_element *e = &m->g->element[m->g->resistor[r]];
        m->is_flat[r] = e->nonlinear && is_flat(&at, col, e);
        m->is_steep[r] = e->nonlinear && is_steep(&at, col, e);
        m->faint[r] = e->nonlinear && !m->is_flat[r] ? faint_at(&at, col, e) : 0;
    }
    free(col);
    free(x);
    free(integral);
}
