/* numeric_fixed.c: methods of fixed step, to compare with.
 *
 * Runge and Kutta's of order 4, and Euler's, on the reduced equations: before each look at the
 * rates, dependent storages are made to agree with the others. In between, a step is a cubic
 * through both ends and their rates, or Euler's straight line. */
#include <math.h>
#include <string.h>

#include "numeric.h"

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

bool jn_fixed_step(follower *f)
{
    numeric *n = f->n;
    size_t bytes = (size_t)n->n * sizeof(double);
    double left = n->s->until - f->to, h = n->s->o.step;
    bool is_last = left <= h * (1 + 1e-9);
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
void jn_fixed_at(follower *f, double t)
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
