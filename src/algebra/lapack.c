/* lapack.c: the fence around LAPACK.
 *
 * The library is large, and many commands have no matrix in doubles: it is loaded when first
 * needed, under the name that the build found. It is called as Fortran is: arguments by address,
 * matrices by columns. OpenBLAS takes 128 MiB for its first product, and asks for ever when it does
 * not get them: so that is tried before. Small systems, nearly all there are, are solved without
 * it. */
#include <dlfcn.h>
#include <math.h>
#include <stdlib.h>

#include "junct/lapack.h"
#include "libraries.h"

typedef void solver(const int *n, const int *nrhs, double *A, const int *lda, int *pivot, double *B,
                    const int *ldb, int *info);
typedef void eigenvalues(const char *jobvl, const char *jobvr, const int *n, double *A,
                         const int *lda, double *re, double *im, double *vl, const int *ldvl,
                         double *vr, const int *ldvr, double *work, const int *lwork, int *info,
                         size_t jobvl_length, size_t jobvr_length);

enum {
    SMALL = 24,        /* rows of a system that is solved here */
    THEIR_BUFFER = 136 /* MiB, with some room */
};

static struct {
    bool tried;
    solver *dgesv;
    eigenvalues *dgeev;
} lapack;

/* A pointer to a function from dlsym, in the way POSIX asks for. */
static void find(void *function, void *library, const char *name)
{
    *(void **)function = library ? dlsym(library, name) : NULL;
}

/* OpenBLAS starts as many threads as there are cores; for matrices of our size that only costs. */
static jn_status load(void)
{
    if (!lapack.tried) {
        free(jn_alloc((size_t)THEIR_BUFFER << 20)); /* never touched: it costs nothing */
        void (*set_threads)(int) = NULL;
        void *library = dlopen(JN_LAPACK_LIBRARY, RTLD_NOW | RTLD_LOCAL);
        find(&lapack.dgesv, library, "dgesv_");
        find(&lapack.dgeev, library, "dgeev_");
        find(&set_threads, library, "openblas_set_num_threads");
        if (set_threads)
            set_threads(1);
    }
    lapack.tried = true;
    return lapack.dgesv && lapack.dgeev ? JN_OK : JN_UNABLE;
}

static jn_status status_of(int info)
{
    return info == 0 ? JN_OK : info > 0 ? JN_UNABLE : JN_BUG;
}

/* From rows to columns, or back: B (m×n) becomes A (n×m). */
static void transpose(double *A, const double *B, int m, int n)
{
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++)
            A[(size_t)j * (size_t)m + (size_t)i] = B[(size_t)i * (size_t)n + (size_t)j];
}

static double *columns_of(const double *B, int m, int n)
{
    double *A = jn_alloc((size_t)m * (size_t)n * sizeof *A);
    transpose(A, B, m, n);
    return A;
}

static void swap_rows(double *a, double *b, int n)
{
    for (int j = 0; j < n && a != b; j++) {
        double x = a[j];
        a[j] = b[j];
        b[j] = x;
    }
}

static void subtract(double *a, const double *b, double factor, int n)
{
    for (int j = 0; j < n && factor != 0; j++)
        a[j] -= factor * b[j];
}

/* Elimination with the largest pivot of each column, by rows. */
static jn_status solve_small(double *A, double *B, int n, int nrhs)
{
    for (int k = 0; k < n; k++) {
        int pivot = k;
        for (int i = k + 1; i < n; i++)
            if (fabs(A[i * n + k]) > fabs(A[pivot * n + k]))
                pivot = i;
        if (A[pivot * n + k] == 0)
            return JN_UNABLE;
        swap_rows(A + k * n, A + pivot * n, n);
        swap_rows(B + k * nrhs, B + pivot * nrhs, nrhs);
        for (int i = k + 1; i < n; i++) {
            double factor = A[i * n + k] /= A[k * n + k];
            subtract(A + i * n + k + 1, A + k * n + k + 1, factor, n - k - 1);
            subtract(B + i * nrhs, B + k * nrhs, factor, nrhs);
        }
    }
    for (int k = n - 1; k >= 0; k--) {
        for (int j = 0; j < nrhs; j++)
            B[k * nrhs + j] /= A[k * n + k];
        for (int i = 0; i < k; i++)
            subtract(B + i * nrhs, B + k * nrhs, A[i * n + k], nrhs);
    }
    return JN_OK;
}

jn_status jn_lapack_solve(double *A, double *B, int n, int nrhs)
{
    if (n == 0 || nrhs == 0)
        return JN_OK;
    if (n <= SMALL)
        return solve_small(A, B, n, nrhs);
    if (load() != JN_OK)
        return JN_UNABLE;
    int info = 0, *pivot = jn_alloc((size_t)n * sizeof *pivot);
    double *a = columns_of(A, n, n), *b = columns_of(B, n, nrhs);
    lapack.dgesv(&n, &nrhs, a, &n, pivot, b, &n, &info);
    transpose(A, a, n, n);
    transpose(B, b, nrhs, n);
    free(a);
    free(b);
    free(pivot);
    return status_of(info);
}

jn_status jn_lapack_eig(jn_complex *value, double *A, int n)
{
    if (n == 0)
        return JN_OK;
    if (load() != JN_OK)
        return JN_UNABLE;
    int info = 0, one = 1, room = -1;
    double best = 0, *a = columns_of(A, n, n);
    double *re = jn_alloc((size_t)n * sizeof *re), *im = jn_alloc((size_t)n * sizeof *im);
    lapack.dgeev("N", "N", &n, a, &n, re, im, NULL, &one, NULL, &one, &best, &room, &info, 1, 1);
    room = (int)best;
    double *work = jn_alloc((size_t)room * sizeof *work);
    if (info == 0)
        lapack.dgeev("N", "N", &n, a, &n, re, im, NULL, &one, NULL, &one, work, &room, &info, 1, 1);
    for (int i = 0; i < n; i++)
        value[i] = (jn_complex){re[i], im[i]};
    free(work);
    free(a);
    free(re);
    free(im);
    return status_of(info);
}
