/* number_inverse.c: how large A⁻¹·v can be where of v only sizes are known.
 *
 * That is |A⁻¹|·v, and small matrices are inverted for it. Of large ones the inverse would be dense. They
 * are factored, and v is sent through with signs mixed in several ways: where one term is the largest that is
 * its size, and of many that are alike what they come to when each is off for itself. Bounds that follow from
 * the factors alone, |L⁻¹| and |U⁻¹| by their entries' sizes, are of no use: in a grid of resistors they
 * are 10¹⁸ times too large, and with them nothing could be told from noise. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "junct/base.h"
#include "number.h"

enum {
    INVERSE_DENSE = 64, /* equations */
    INVERSE_MIXTURES = 16
};

struct inverse_size {
    int n;
    double *dense; /* |A⁻¹|, or: */
    sparse_lu *lu; /* of a large one */
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
    if (p->n <= INVERSE_DENSE) {
        ok = invert(k, p, value);
    } else {
        k->lu = jni_lu_new(p, 1);
        ok = jni_lu_factor_real(k->lu, value);
    }
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
    jni_lu_free(k->lu);
    free(k);
}

size_t jni_inverse_size_bytes(const inverse_size *k)
{
    if (!k)
        return 0;
    size_t n = (size_t)k->n;
    return n * sizeof *k->work + (k->dense ? n * n * sizeof *k->dense : jni_lu_bytes(k->lu));
}

static void by_mixtures(double *to, const inverse_size *k, const double *v)
{
    uint32_t random = 1;
    memset(to, 0, (size_t)k->n * sizeof *to);
    for (int times = 0; times < INVERSE_MIXTURES; times++) {
        for (int i = 0; i < k->n; i++) {
            random = random * 1664525u + 1013904223u;
            double part =
                random >> 30 & 1 ? v[i] : 0.5 * v[i]; /* or those alike cancel too often */
            k->work[i] = random >> 31 ? part : -part;
        }
        jni_lu_solve_real(k->lu, k->work, 1);
        for (int i = 0; i < k->n; i++)
            to[i] = fmax(to[i], 2 * fabs(k->work[i])); /* one term counts half at least */
    }
}

void jni_inverse_size_of(double *to, const inverse_size *k, const double *v)
{
    if (k->lu) {
        by_mixtures(to, k, v);
        return;
    }
    for (int i = 0; i < k->n; i++)
        to[i] = jni_dot(k->dense + i * k->n, v, k->n);
}
