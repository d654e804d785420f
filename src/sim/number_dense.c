/* number_dense.c: matrices of doubles, row by row. */
#include <string.h>

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
