/* integrate_brief.c: what lasts but a short while.
 *
 * A step knows the sources of a model at its nodes only. Where all is at rest steps grow, and a pulse of
 * 30 ms would lie between two nodes of a step of 50 s as if it were not there. So before a step is taken,
 * each term of time alone (model_brief.c) is looked at as a whole (value_range.c): if it leaves what the nodes see of it,
 * the step ends where that begins. And a step that is short enough would pass a pole as if it were not there. */
#include <math.h>

#include "integrate.h"

/* ---- steps --------------------------------------------------------------------------------- */

static double value_at(view *v, const jn_expr *e, double t)
{
    v->t = t;
    return jni_evaluate(v, e);
}

/* What the nodes see, and half as much again: between them it may go a bit further. What is rounding of the
 * whole of it does not count. */
static range seen_at(view *v, const struct brief *b, double t, double h, const double *node)
{
    range whole = jni_range(v, t, t + h, b->whole), seen = {INFINITY, -INFINITY};
    for (int i = 0; i < NODES; i++) {
        double x = value_at(v, b->e, t + node[i] * h);
        seen.low = fmin(seen.low, x);
        seen.high = fmax(seen.high, x);
    }
    double most = fmax(fabs(whole.low), fabs(whole.high));
    if (!isfinite(most))
        most = fmax(fabs(seen.low), fabs(seen.high));
    double more = BRIEF_BEYOND * (seen.high - seen.low) + BRIEF_LEAST * most;
    return (range){seen.low - more, seen.high + more};
}

/* How far one term lets a step go. */
static double limit_of(view *v, const struct brief *b, double t, double h, const double *node)
{
    range seen = seen_at(v, b, t, h, node);
    if (!(seen.low <= seen.high)) /* it has no value somewhere: the equations will say so */
        return h;
    return jni_range_leaves(v, t, t + h, b->e, seen) - t;
}

double jni_brief_pole(int *element, jn_sim *s, double t, double h)
{
    const model *m = &s->model;
    double first = INFINITY;
    view v = jni_present(s);
    v.m = NULL;
    for (int i = 0; i < m->brief.n; i++) {
        range all = jni_range(&v, t, t + h, m->brief.item[i].e);
        if (isfinite(all.low) && isfinite(all.high))
            continue;
        double pole = jni_range_pole(&v, t, fmin(t + h, first), m->brief.item[i].e);
        if (pole < first) {
            first = pole;
            *element = m->brief.item[i].element;
        }
    }
    return first;
}

double jni_brief_limit(jn_sim *s, double t, double h, const double *node)
{
    enum { SHORTER = 8, MOST = 40 };
    const model *m = &s->model;
    if (!m->brief.n)
        return h;
    view v = jni_present(s);
    v.m = NULL;
    for (int turn = 0, i = 0; i < m->brief.n && turn < MOST * m->brief.n;) {
        double limit = limit_of(&v, &m->brief.item[i], t, h, node);
        if (limit >= h)
            i++;
        else {
            h = fmax(limit, h / SHORTER);
            turn++;
        }
    }
    return h;
}
