/* run_ledger.c: where the energy goes: supplied = stored + dissipated + lost in jumps. */
#include <math.h>

#include "run.h"

double jni_stored(jn_sim *s, const double *x)
{
    return s->now.m->engine->stored(s, s->now.m, x);
}

void jni_ledger_stretch(jn_ledger *l, jn_sim *s, double tau)
{
    energies e = s->now.m->engine->energies(s, s->now.m, tau);
    l->supplied += e.supplied;
    l->dissipated += e.dissipated;
    l->moved += fabs(e.supplied) + fabs(e.dissipated) + e.exchanged;
}

/* Roots of Legendre's polynomial by Newton's method. */
void jni_gauss_rule(double *at, double *w, int n)
{
    for (int i = 0; i < n; i++) {
        double x = cos(PI * (i + 0.75) / (n + 0.5)), slope = 1;
        for (int k = 0; k < 100; k++) {
            double p0 = 1, p1 = x;
            for (int j = 2; j <= n; j++) {
                double p2 = ((2 * j - 1) * x * p1 - (j - 1) * p0) / j;
                p0 = p1;
                p1 = p2;
            }
            slope = n * (x * p1 - p0) / (x * x - 1);
            double step = p1 / slope;
            x -= step;
            if (fabs(step) < 1e-16)
                break;
        }
        at[i] = 0.5 * (1 - x);
        w[i] = 1 / ((1 - x * x) * slope * slope);
    }
}

jn_ledger jn_sim_ledger(const jn_sim *cs)
{
    jn_sim *s = (jn_sim *)cs;
    jn_ledger l = s->ledger.sum;
    if (s->course.following && s->clock.t > s->course.t0)
        jni_ledger_stretch(&l, s, s->clock.t - s->course.t0);
    double stored = jni_stored(s, s->now.x);
    l.stored = stored - s->ledger.stored_at_start;
    l.moved += fmax(s->ledger.most_stored, stored);
    return l;
}
