/* lapack.c: the fence around LAPACK. */
#include <stdlib.h>

#include <lapacke.h>

#include "junct/lapack.h"

/* OpenBLAS starts as many threads as there are cores; for matrices of our size that only costs. */
void openblas_set_num_threads(int n);

jn_status jn_lapack_solve(double *A, double *B, int n, int nrhs)
{
    if (n == 0 || nrhs == 0)
        return JN_OK;
    openblas_set_num_threads(1);
    lapack_int *pivot = jn_alloc((size_t)n * sizeof *pivot);
    lapack_int info = LAPACKE_dgesv(LAPACK_ROW_MAJOR, n, nrhs, A, n, pivot, B, nrhs);
    free(pivot);
    return info == 0 ? JN_OK : info > 0 ? JN_UNABLE : JN_BUG;
}

jn_status jn_lapack_eig(jn_complex *value, double *A, int n)
{
    if (n == 0)
        return JN_OK;
    openblas_set_num_threads(1);
    double *re = jn_alloc((size_t)n * sizeof *re), *im = jn_alloc((size_t)n * sizeof *im);
    lapack_int info = LAPACKE_dgeev(LAPACK_ROW_MAJOR, 'N', 'N', n, A, n, re, im, NULL, n, NULL, n);
    for (int i = 0; i < n; i++)
        value[i] = (jn_complex){re[i], im[i]};
    free(re);
    free(im);
    return info == 0 ? JN_OK : info > 0 ? JN_UNABLE : JN_BUG;
}

jn_status jn_lapack_geneig(jn_complex *alpha, double *beta, double *A, double *E, int n)
{
    if (n == 0)
        return JN_OK;
    openblas_set_num_threads(1);
    double *re = jn_alloc((size_t)n * sizeof *re), *im = jn_alloc((size_t)n * sizeof *im);
    lapack_int info =
        LAPACKE_dggev(LAPACK_ROW_MAJOR, 'N', 'N', n, A, n, E, n, re, im, beta, NULL, n, NULL, n);
    for (int i = 0; i < n; i++)
        alpha[i] = (jn_complex){re[i], im[i]};
    free(re);
    free(im);
    return info == 0 ? JN_OK : info > 0 ? JN_UNABLE : JN_BUG;
}
