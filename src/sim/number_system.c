/* number_system.c: systems of equations whose matrices have one pattern.
 *
 * Small ones are solved densely, which takes less time than to look for entries; large ones by KLU. Its
 * pivots are not the largest there are, so a solution is improved once by what it leaves. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "junct/base.h"
#include "number.h"

enum { SYSTEM_DENSE = 64 }; /* equations */

struct linear_system {
    const sparse_pattern *pattern;
    sparse_lu *lu; /* NULL: none was needed yet, or ever */
};

linear_system *jni_system_new(const sparse_pattern *p)
{
    linear_system *k = jn_alloc(sizeof *k);
    k->pattern = p;
    return k;
}

void jni_system_free(linear_system *k)
{
    if (!k)
        return;
    jni_lu_free(k->lu);
    free(k);
}

/* Rows in different units are brought to one scale. */
static bool scale_rows(const sparse_pattern *p, double *value, double *b)
{
    double *most = jni_doubles(p->n);
    bool ok = true;
    for (int e = 0; e < p->start[p->n]; e++) /* fmax would hide what is not a number */
        most[p->row[e]] = isfinite(value[e]) ? fmax(most[p->row[e]], fabs(value[e])) : INFINITY;
    for (int i = 0; i < p->n && ok; i++)
        ok = most[i] > 0 && isfinite(most[i]);
    for (int e = 0; e < p->start[p->n] && ok; e++)
        value[e] /= most[p->row[e]];
    for (int i = 0; i < p->n && ok; i++)
        b[i] /= most[i];
    free(most);
    return ok;
}

static bool solve_dense(const sparse_pattern *p, const double *value, double *b)
{
    double *a = jni_doubles(p->n * p->n);
    for (int j = 0; j < p->n; j++)
        for (int e = p->start[j]; e < p->start[j + 1]; e++)
            a[p->row[e] * p->n + j] = value[e];
    bool ok = jni_dense_solve(a, b, p->n, 1);
    free(a);
    return ok;
}

/* b := b − A·x */
static void subtract(const sparse_pattern *p, const double *value, const double *x, double *b)
{
    for (int j = 0; j < p->n; j++)
        for (int e = p->start[j]; e < p->start[j + 1]; e++)
            b[p->row[e]] -= value[e] * x[j];
}

static bool solve_sparse(linear_system *k, double *value, double *b)
{
    const sparse_pattern *p = k->pattern;
    if (!k->lu)
        k->lu = jni_lu_new(p, 1);
    double *rest = jni_doubles(p->n);
    jni_copy(rest, b, p->n);
    bool ok = jni_lu_factor_real(k->lu, value) && jni_lu_solve_real(k->lu, b, 1);
    if (ok)
        subtract(p, value, b, rest);
    ok = ok && jni_lu_solve_real(k->lu, rest, 1);
    for (int i = 0; i < p->n && ok; i++)
        b[i] += rest[i];
    free(rest);
    return ok;
}

bool jni_system_solve(linear_system *k, double *value, double *b)
{
    const sparse_pattern *p = k->pattern;
    bool ok = scale_rows(p, value, b);
    ok = ok && (p->n <= SYSTEM_DENSE ? solve_dense(p, value, b) : solve_sparse(k, value, b));
    for (int i = 0; i < p->n && ok; i++)
        ok = isfinite(b[i]);
    return ok;
}

size_t jni_system_bytes(const linear_system *k)
{
    return sizeof *k + jni_lu_bytes(k->lu);
}
