/* number_dense.c: matrices of doubles, row by row. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "junct/base.h"
#include "junct/lapack.h"
#include "number.h"

void jni_dense_mul(double *c, const double *a, const double *b, int n, int k, int m)
{
    memset(c, 0, (size_t)n * (size_t)m * sizeof *c);
    for (int i = 0; i < n; i++)
        for (int l = 0; l < k; l++) {
            double x = a[i * k + l];
            if (x == 0)
                continue;
            const double *row = b + (size_t)l * (size_t)m;
            double *to = c + (size_t)i * (size_t)m;
            for (int j = 0; j < m; j++)
                to[j] += x * row[j];
        }
}

bool jni_dense_solve(double *a, double *b, int n, int m)
{
    if (!n || !m)
        return true;
    return jn_lapack_solve(a, b, n, m) == JN_OK;
}

/* ---- more digits --------------------------------------------------------------------------- */

/* What rounding takes from the product and from the sum is known exactly, and kept beside it. */
void jni_long_add(long_sum *s, double a, double b)
{
    double product = a * b, sum = s->high + product, part = sum - s->high;
    s->low += fma(a, b, -product) + ((s->high - (sum - part)) + (product - part));
    s->high = sum;
}

/* Where the values are near each other a solution has all the digits that matter; where they are beyond what
 * twice the digits can tell apart, more would not help. */
static bool is_wide(const double *a, int n)
{
    const double near = 1e3, far = 1e30;
    double least = INFINITY, most = 0;
    for (int i = 0; i < n * n; i++)
        if (a[i] != 0) {
            least = fmin(least, fabs(a[i]));
            most = fmax(most, fabs(a[i]));
        }
    return most > near * least && most < far * least;
}

/* b − A·x */
static void find_rest(double *rest, const double *a, const double *b, const double *x, int n, int m)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            long_sum sum = {b[i * m + j], 0};
            for (int k = 0; k < n; k++)
                if (a[i * n + k] != 0 && x[k * m + j] != 0)
                    jni_long_add(&sum, -a[i * n + k], x[k * m + j]);
            rest[i * m + j] = sum.high + sum.low;
        }
}

static double *copy_of(const double *a, int n)
{
    double *to = jn_alloc((size_t)n * sizeof *to);
    return memcpy(to, a, (size_t)n * sizeof *to);
}

bool jni_dense_solve_well(double *a, double *b, int n, int m)
{
    enum { TIMES = 2 };
    if (!n || !m || !is_wide(a, n))
        return jni_dense_solve(a, b, n, m);
    double *matrix = copy_of(a, n * n), *right = copy_of(b, n * m);
    double *rest = jn_alloc((size_t)(n * m) * sizeof *rest);
    bool ok = jni_dense_solve(a, b, n, m);
    for (int times = 0; times < TIMES && ok; times++) {
        find_rest(rest, matrix, right, b, n, m);
        memcpy(a, matrix, (size_t)(n * n) * sizeof *a);
        ok = jni_dense_solve(a, rest, n, m);
        for (int i = 0; i < n * m; i++)
            b[i] += rest[i];
    }
    free(matrix);
    free(right);
    free(rest);
    return ok;
}
