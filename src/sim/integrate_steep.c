/* integrate_steep.c: roots and powers that are infinitely steep at 0.
 *
 * They are rounded off there (value_tangent.c), where their argument is as good as 0: within what it
 * may be off by. That is a part of what it has been, or the rounding of what it is a difference of,
 * since levels that are far from 0 meet, or what the states it is made of are asked to be known
 * to: at a start from nothing there is nothing else. */
#include <math.h>

#include "integrate.h"

static void widen(model *k, int i, double near)
{
    if (near > k->steep.item[i].near && isfinite(near))
        k->steep.item[i].near = near;
}

static void by_values(integrate *n, mode *m, double t, const double *y, const double *yp)
{
    jn_sim *s = n->s;
    model *k = &s->model;
    jni_integrate_observe(n->look, n, m, t, y, yp, BY_ITSELF);
    view v = {
        .s = s, .m = m, .z = n->look, .state = s->now.state, .discrete = s->now.discrete, .t = t};
    for (int i = 0; i < k->steep.n; i++) {
        triple x = jni_evaluate_triple(&v, k->steep.item[i].e->arg[0]);
        widen(k, i, STEEP_PART * fabs(x.part[FINITE]));
        widen(k, i, STEEP_NOISE * x.noise[FINITE]);
    }
}

static void by_tolerance(integrate *n, mode *m, double t, const double *y, const double *yp,
                         const double *tol)
{
    model *k = &n->s->model;
    jni_residual_at(n, y, yp);
    for (int times = 0; times < MIXTURES; times++) {
        jni_residual_disturb(n, tol, times);
        moment at = jni_carry(n, m, (dual){t, 0});
        at.every_way = true; /* what is 0 on one side of a kink is not on the other */
        for (int i = 0; i < k->steep.n; i++)
            widen(k, i, STEEP_TOLERANCE * fabs(jni_tangent(&at, k->steep.item[i].e->arg[0]).d));
    }
}

void jni_note_steep(integrate *n, mode *m, double t, const double *y, const double *yp,
                    const double *tol)
{
    if (!n->s->model.steep.n)
        return;
    by_values(n, m, t, y, yp);
    by_tolerance(n, m, t, y, yp, tol);
}
