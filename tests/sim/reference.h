/* reference.h: a second opinion on hybrid models with few states, in long double.
 *
 * The equations of every mode are written down by hand, ẋ = A·x + b, and followed by Taylor's
 * series over short pieces; a condition is watched on a fine grid and its zero found by bisection.
 * Slow, plain, and with nothing in common with the simulator. A sinusoidal source is two more
 * states. */
#ifndef REFERENCE_H
#define REFERENCE_H

#include <stdbool.h>

enum { REF_STATES = 6 };

typedef long double real;

typedef struct {
    int n;
    real a[REF_STATES][REF_STATES], b[REF_STATES];
} ref_mode;

typedef real (*ref_condition)(const real *x);

/* x after time h. */
void ref_flow(real *x, const ref_mode *m, real h);
/* The first time in (0, h] at which g falls below zero, looking at `pieces` equal pieces; x is
 * moved there. Else false, and x is moved to h. *t is the time taken. */
bool ref_until(real *t, real *x, const ref_mode *m, ref_condition g, real h, int pieces);

/* A zero of a function of time between two times at which its signs differ. */
real ref_zero(real (*g)(real t, const void *arg), const void *arg, real lo, real hi);

#endif
