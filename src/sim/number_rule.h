/* number_rule.h: the numbers of Radau's method IIA of nine stages; see integrate_collocate.c. */
#ifndef NUMBER_RULE_H
#define NUMBER_RULE_H

#include <complex.h>

#include "number.h"

enum { STAGES = 9, NODES = STAGES + 1, SYSTEMS = (STAGES + 1) / 2 };

typedef struct {
    double c[NODES]; /* c[0] = 0: the start */
    double D[STAGES][STAGES];
    double complex mu[SYSTEMS];           /* one of each pair */
    double complex to[SYSTEMS][STAGES];   /* rows of T⁻¹ */
    double complex from[STAGES][SYSTEMS]; /* columns of T, doubled for a pair */
    double fit[NODES * NODES];            /* from values at the nodes to Chebyshev coefficients */
} radau_rule;

bool jni_radau_rule_find(radau_rule *r); /* false: the eigenvalues of D were not found */

#endif
