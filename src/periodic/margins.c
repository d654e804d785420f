/* margins.c: what is read off a response. */
#include <stdlib.h>

#include "periodic_internal.h"

static double complex at(const jn_bode *b, int value, int f)
{
    const jn_complex *x = &b->response[f * b->nvalues + value];
    return x->re + I * x->im;
}

void jn_bode_phase(double *degrees, const jn_bode *b, int value)
{
    for (int f = 0; f < b->nfrequencies; f++) {
        double phase = carg(at(b, value, f)) * 180 / PI;
        if (f)
            phase += 360 * round((degrees[f - 1] - phase) / 360);
        degrees[f] = phase;
    }
}

/* Where y is 0 first, between two neighbours: its place on the logarithm of the frequency. */
static double crossing(const jn_bode *b, const double *y, int *before, double *share)
{
    for (int f = 1; f < b->nfrequencies; f++)
        if ((y[f - 1] > 0) != (y[f] > 0)) {
            *before = f - 1;
            *share = y[f - 1] / (y[f - 1] - y[f]);
            return b->frequency[f - 1] * pow(b->frequency[f] / b->frequency[f - 1], *share);
        }
    return NAN;
}

static double between(const double *y, int before, double share)
{
    return y[before] + share * (y[before + 1] - y[before]);
}

void jn_bode_margins(jn_margins *m, const jn_bode *b, int value)
{
    double *size = jni_room(3 * b->nfrequencies), *phase = size + b->nfrequencies;
    double *beyond = phase + b->nfrequencies, share;
    int before;
    jn_bode_phase(phase, b, value);
    for (int f = 0; f < b->nfrequencies; f++) {
        size[f] = 20 * log10(cabs(at(b, value, f)));
        beyond[f] = phase[f] + 180;
    }
    *m = (jn_margins){NAN, NAN, NAN, NAN};
    m->gain_crossover = crossing(b, size, &before, &share);
    if (!isnan(m->gain_crossover))
        m->phase_margin = 180 + between(phase, before, share);
    m->phase_crossover = crossing(b, beyond, &before, &share);
    if (!isnan(m->phase_crossover))
        m->gain_margin = -between(size, before, share);
    free(size);
}
