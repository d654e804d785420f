/* unreduced.h: E·ẋ = A·x + B·u(t) of one mode, solved as it stands, in long double.
 *
 * Between events by Radau's collocation of order 9 on the differential-algebraic equations
 * themselves; into a mode by implicit Euler steps so short (2^-200 s, in balls of 1000 bits) that
 * only the jump is left of them. No state is eliminated, no exponential taken. */
#ifndef UNREDUCED_H
#define UNREDUCED_H

#include "junct.h"

enum { UR_STATES = 16, UR_INPUTS = 8, UR_STAGES = 5 };

typedef long double ur_real;
typedef void (*ur_inputs)(ur_real *u, ur_real t, const void *context);

typedef struct {
    jn_mode_status status;
    int n, ninputs;
    fmpq *E, *A, *B;    /* row by row, as jn_implicit_mode gives them */
    ur_real *e, *a, *b; /* the same, rounded */
    /* the factors of the last step size used */
    ur_real h;
    ur_real *lu;
    int *pivot;
} ur_mode;

/* The junction must have been built with numbers. */
void ur_mode_init(ur_mode *m, const jn_implicit *f, const jn_onoff *onoff);
void ur_mode_clear(ur_mode *m);

/* x(t) becomes x(t + h) in one step. stage, if not NULL, gets x at its UR_STAGES nodes. */
void ur_step(ur_real *x, ur_mode *m, ur_real t, ur_real h, ur_inputs inputs, const void *context,
             ur_real (*stage)[UR_STATES]);
/* x⁻ becomes x⁺ at time t. False when the mode has no unique one. */
bool ur_jump(ur_real *x, const ur_mode *m, ur_real t, ur_inputs inputs, const void *context);

#endif
