/* test_lapack.c: linear systems in doubles, by the elimination here and by LAPACK, whose border
 * they cross; eigenvalues of companion matrices, whose polynomials are known. */
#include <math.h>

#include "junct/lapack.h"
#include "testing.h"

/* A·X = B with X known: whole numbers, so that B is exact. Small pivots come first. */
static void check_system(test_rng *r, int n, int nrhs)
{
    double *A = jn_alloc((size_t)(n * n) * sizeof *A),
           *X = jn_alloc((size_t)(n * nrhs) * sizeof *X);
    double *B = jn_alloc((size_t)(n * nrhs) * sizeof *B), worst = 0;
    for (int i = 0; i < n * n; i++)
        A[i] = test_rng_int(r, -9, 9) + (i / n == (i % n + 1) % n ? 40 : 0);
    A[0] = ldexp(1, -40);
    for (int i = 0; i < n * nrhs; i++)
        X[i] = test_rng_int(r, -99, 99);
    for (int i = 0; i < n; i++)
        for (int k = 0; k < nrhs; k++)
            for (int j = 0; j < n; j++)
                B[i * nrhs + k] += A[i * n + j] * X[j * nrhs + k];
    CU_ASSERT_EQUAL(jn_lapack_solve(A, B, n, nrhs), JN_OK);
    for (int i = 0; i < n * nrhs; i++)
        worst = fmax(worst, fabs(B[i] - X[i]));
    CU_ASSERT(worst < 1e-9);
    free(A);
    free(X);
    free(B);
}

static void systems_are_solved(void)
{
    test_rng r = test_rng_new(771);
    for (int n = 2; n <= 60; n++)
        check_system(&r, n, 1 + n % 4);
}

static void singular_systems_are_refused(void)
{
    for (int n = 2; n <= 40; n += 19) {
        double *A = jn_alloc((size_t)(n * n) * sizeof *A), *b = jn_alloc((size_t)n * sizeof *b);
        for (int i = 0; i < n; i++)
            A[i * n] = A[i * n + n - 1] = i + 1;
        CU_ASSERT_EQUAL(jn_lapack_solve(A, b, n, 1), JN_UNABLE);
        free(A);
        free(b);
    }
}

/* (s - 1)(s + 2)(s² + 4): the sum of s^k over its roots is known. */
static void eigenvalues_are_roots(void)
{
    double A[] = {-1, -2, -4, 8, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
    static const double root[][2] = {{1, 0}, {-2, 0}, {0, 2}, {0, -2}};
    jn_complex value[4];
    CU_ASSERT_EQUAL(jn_lapack_eig(value, A, 4), JN_OK);
    for (int k = 0; k < 4; k++) {
        double nearest = INFINITY;
        for (int i = 0; i < 4; i++)
            nearest = fmin(nearest, hypot(value[i].re - root[k][0], value[i].im - root[k][1]));
        CU_ASSERT(nearest < 1e-12);
    }
}

void suite_lapack(void)
{
    TEST_SUITE("lapack");
    TEST_ADD(systems_are_solved);
    TEST_ADD(singular_systems_are_refused);
    TEST_ADD(eigenvalues_are_roots);
}
