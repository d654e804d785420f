/* lapack.h: the numerical linear algebra that is done in double precision.
 *
 * The only place that knows LAPACK, which is loaded with the first call: UNABLE where it is not
 * installed. Matrices are dense, row by row. Small matrices are the rule,
 * so every call here uses one thread. */
#ifndef JUNCT_LAPACK_H
#define JUNCT_LAPACK_H

#include "junct/base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    double re, im;
} jn_complex;

/* Solves A·X = B for nrhs right hand sides; A (n×n) is overwritten by its factors, B (n×nrhs) by
 * the solution. UNABLE when A is singular to working precision. */
jn_status jn_lapack_solve(double *A, double *B, int n, int nrhs) JN_CHECKED;

/* The eigenvalues of A (n×n, overwritten). UNABLE when the iteration does not converge. */
jn_status jn_lapack_eig(jn_complex *value, double *A, int n) JN_CHECKED;

#ifdef __cplusplus
}
#endif

#endif
