/* number_inverse.c: how large A⁻¹·v can be where of v only sizes are known.
 *
 * That is |A⁻¹|·v, and small matrices are inverted for it. Large ones are factored, A = L·U in blocks, and
 * a triangular matrix T is bounded by |T⁻¹| ≤ M⁻¹, M with |T| on its diagonal and −|T| beside it: what is
 * solved with these is no less, and takes no more time than to solve with L and U themselves. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "junct/base.h"
#include "number.h"

enum { INVERSE_DENSE = 64 }; /* equations */

struct inverse_size {
    int n;
    double *dense;           /* |A⁻¹|, or: */
    sparse_factors *factors; /* of large ones */
    double *work;
};

static bool invert(inverse_size *k, const sparse_pattern *p, const double *value)
{
    int n = p->n;
    double *a = jni_doubles(n * n);
    k->dense = jni_doubles(n * n);
    for (int j = 0; j < n; j++) {
        k->dense[j * n + j] = 1;
        for (int e = p->start[j]; e < p->start[j + 1]; e++)
            a[p->row[e] * n + j] = value[e];
    }
    bool ok = jni_dense_solve(a, k->dense, n, n);
    for (int i = 0; i < n * n; i++)
        k->dense[i] = fabs(k->dense[i]);
    free(a);
    return ok;
}

inverse_size *jni_inverse_size_new(const sparse_pattern *p, double *value)
{
    inverse_size *k = jn_alloc(sizeof *k);
    k->n = p->n;
    bool ok = true;
    if (p->n <= INVERSE_DENSE)
        ok = invert(k, p, value);
    else
        ok = (k->factors = jni_factors_new(p, value)) != NULL;
    k->work = jni_doubles(p->n);
    if (ok)
        return k;
    jni_inverse_size_free(k);
    return NULL;
}

void jni_inverse_size_free(inverse_size *k)
{
    if (!k)
        return;
    free(k->dense);
    free(k->work);
    jni_factors_free(k->factors);
    free(k);
}

size_t jni_inverse_size_bytes(const inverse_size *k)
{
    size_t n = k ? (size_t)k->n : 0;
    return n * sizeof(double) + (!k         ? 0
                                 : k->dense ? n * n * sizeof *k->dense
                                            : jni_factors_bytes(k->factors));
}

/* ---- through the factors ------------------------------------------------------------------- */

/* x := M(L)⁻¹·x, then M(U)⁻¹·x, in the rows of one block. */
static void solve_block(const sparse_factors *f, double *x, int first, int end)
{
    for (int j = first; j < end; j++)
        for (int e = f->L.start[j]; e < f->L.start[j + 1]; e++)
            if (f->L.row[e] != j)
                x[f->L.row[e]] += fabs(f->lower[e]) * x[j];
    for (int j = end - 1; j >= first; j--) {
        double pivot = 0;
        for (int e = f->U.start[j]; e < f->U.start[j + 1]; e++)
            if (f->U.row[e] == j)
                pivot = fabs(f->upper[e]);
        x[j] /= pivot;
        for (int e = f->U.start[j]; e < f->U.start[j + 1]; e++)
            if (f->U.row[e] != j)
                x[f->U.row[e]] += fabs(f->upper[e]) * x[j];
    }
}

static void bound(const sparse_factors *f, double *x)
{
    for (int b = f->nblocks - 1; b >= 0; b--) {
        solve_block(f, x, f->block[b], f->block[b + 1]);
        for (int j = f->block[b]; j < f->block[b + 1]; j++)
            for (int e = f->F.start[j]; e < f->F.start[j + 1]; e++)
                x[f->F.row[e]] += fabs(f->beside[e]) * x[j];
    }
}

void jni_inverse_size_of(double *to, const inverse_size *k, const double *v)
{
    if (k->dense) {
        for (int i = 0; i < k->n; i++)
            to[i] = jni_dot(k->dense + i * k->n, v, k->n);
        return;
    }
    const sparse_factors *f = k->factors;
    for (int i = 0; i < k->n; i++)
        k->work[i] = v[f->row[i]];
    bound(f, k->work);
    for (int j = 0; j < k->n; j++)
        to[f->col[j]] = k->work[j];
}
