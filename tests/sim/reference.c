/* reference.c: Taylor's series and bisection. */
#include "reference.h"

#include <math.h>
#include <string.h>

static void derive(real *dx, const ref_mode *m, const real *x, bool constant)
{
    for (int i = 0; i < m->n; i++) {
        dx[i] = constant ? m->b[i] : 0;
        for (int j = 0; j < m->n; j++)
            dx[i] += m->a[i][j] * x[j];
    }
}

/* One piece, short enough for the series to need some thirty terms. */
static void flow_piece(real *x, const ref_mode *m, real h)
{
    real term[REF_STATES], next[REF_STATES];
    memcpy(term, x, sizeof(real) * (size_t)m->n);
    for (int k = 1; k <= 40; k++) {
        derive(next, m, term, k == 1);
        for (int i = 0; i < m->n; i++) {
            term[i] = next[i] * h / k;
            x[i] += term[i];
        }
    }
}

static real norm(const ref_mode *m)
{
    real most = 0;
    for (int i = 0; i < m->n; i++) {
        real row = 0;
        for (int j = 0; j < m->n; j++)
            row += fabsl(m->a[i][j]);
        most = fmaxl(most, row);
    }
    return most;
}

/* The norm is that of a badly scaled matrix, but squaring is not at stake here: the pieces only
 * have to be short. */
void ref_flow(real *x, const ref_mode *m, real h)
{
    int pieces = 1 + (int)(norm(m) * fabsl(h) / 2);
    for (int i = 0; i < pieces; i++)
        flow_piece(x, m, h / pieces);
}

bool ref_until(real *t, real *x, const ref_mode *m, ref_condition g, real h, int pieces)
{
    size_t size = sizeof(real) * (size_t)m->n;
    for (int i = 0; i < pieces; i++) {
        real from[REF_STATES], lo = 0, hi = h / pieces;
        memcpy(from, x, size);
        ref_flow(x, m, hi);
        if (g(x) >= 0)
            continue;
        for (int k = 0; k < 70; k++) {
            real mid = (lo + hi) / 2;
            memcpy(x, from, size);
            ref_flow(x, m, mid);
            if (g(x) < 0)
                hi = mid;
            else
                lo = mid;
        }
        *t = h * i / pieces + hi;
        return true;
    }
    *t = h;
    return false;
}

real ref_zero(real (*g)(real t, const void *arg), const void *arg, real lo, real hi)
{
    bool below = g(lo, arg) < 0;
    for (int k = 0; k < 200; k++) {
        real mid = lo + (hi - lo) / 2;
        if ((g(mid, arg) < 0) == below)
            lo = mid;
        else
            hi = mid;
    }
    return hi;
}
