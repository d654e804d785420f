/* number_row.c: rows and matrices of numbers of which most are 0. */
#include "number_row.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- rows ---------------------------------------------------------------------------------- */

void jni_srow_alloc(srow *r, int n)
{
    *r = (srow){0};
    if (n == 0)
        return;
    r->a = jn_realloc(NULL, (size_t)n * (sizeof *r->a + sizeof *r->col));
    r->col = (void *)(r->a + n);
}

void jni_srow_clear(srow *r)
{
    free(r->a);
    *r = (srow){0};
}

/* ---- sums ---------------------------------------------------------------------------------- */

void jni_gather_init(gather *g, int width)
{
    *g = (gather){.width = width};
    g->sum = jn_alloc((size_t)width * sizeof *g->sum);
    g->size = jn_alloc((size_t)width * sizeof *g->size);
    g->touched = jn_alloc((size_t)width * sizeof *g->touched);
    g->is_touched = jn_alloc((size_t)width * sizeof *g->is_touched);
}

void jni_gather_clear(gather *g)
{
    free(g->sum);
    free(g->size);
    free(g->touched);
    free(g->is_touched);
}

void jni_gather_put(gather *g, int col, double a)
{
    if (!g->is_touched[col]) {
        g->is_touched[col] = true;
        g->touched[g->n++] = col;
    }
    g->sum[col] += a;
    g->size[col] += fabs(a);
}

void jni_gather_add(gather *g, double c, const srow *r)
{
    for (int i = 0; i < r->n; i++)
        jni_gather_put(g, r->col[i], c * r->a[i]);
}

static int by_number(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

/* Mostly there are few, and in order already. */
static void sort(int *number, int n)
{
    enum { FEW = 16 };
    if (n > FEW) {
        qsort(number, (size_t)n, sizeof *number, by_number);
        return;
    }
    for (int i = 1; i < n; i++) {
        int x = number[i], k = i;
        for (; k > 0 && number[k - 1] > x; k--)
            number[k] = number[k - 1];
        number[k] = x;
    }
}

/* Terms that cancel leave their rounding, where nothing is left: no current flows on account of it. */
static bool is_nothing(const gather *g, int col)
{
    return fabs(g->sum[col]) <= 4 * DBL_EPSILON * g->size[col];
}

void jni_gather_take(srow *r, gather *g)
{
    sort(g->touched, g->n);
    jni_srow_alloc(r, g->n);
    for (int i = 0; i < g->n; i++) {
        int col = g->touched[i];
        if (!is_nothing(g, col)) {
            r->col[r->n] = col;
            r->a[r->n++] = g->sum[col];
        }
        g->sum[col] = g->size[col] = 0;
        g->is_touched[col] = false;
    }
    g->n = 0;
}

/* ---- matrices ------------------------------------------------------------------------------ */

void jni_sparse_of(sparse *m, const srow *r, int nrows, int ncols)
{
    int count = 0;
    for (int i = 0; i < nrows; i++)
        count += r[i].n;
    *m = (sparse){.nrows = nrows, .ncols = ncols};
    m->start = jn_alloc(((size_t)nrows + 1) * sizeof *m->start);
    m->col = jn_alloc((size_t)count * sizeof *m->col);
    m->a = jn_alloc((size_t)count * sizeof *m->a);
    for (int i = 0; i < nrows; i++) {
        int from = m->start[i];
        m->start[i + 1] = from + r[i].n;
        for (int k = 0; k < r[i].n; k++) {
            m->col[from + k] = r[i].col[k];
            m->a[from + k] = r[i].a[k];
        }
    }
}

void jni_sparse_clear(sparse *m)
{
    free(m->start);
    free(m->col);
    free(m->a);
    *m = (sparse){0};
}

int jni_sparse_count(const sparse *m)
{
    return m->start[m->nrows];
}

double jni_sparse_norm1(const sparse *m)
{
    double most = 0, *sum = jn_alloc((size_t)m->ncols * sizeof *sum);
    for (int k = 0; k < jni_sparse_count(m); k++) {
        sum[m->col[k]] += fabs(m->a[k]);
        most = fmax(most, sum[m->col[k]]);
    }
    free(sum);
    return most;
}

void jni_sparse_mul(double *y, const sparse *m, const double *x)
{
    for (int i = 0; i < m->nrows; i++) {
        double sum = 0;
        for (int k = m->start[i]; k < m->start[i + 1]; k++)
            sum += m->a[k] * x[m->col[k]];
        y[i] = sum;
    }
}

void jni_sparse_mul_dense(double *y, const sparse *m, const double *x, int ncols)
{
    size_t n = (size_t)ncols;
    memset(y, 0, (size_t)m->nrows * n * sizeof *y);
    for (int i = 0; i < m->nrows; i++, y += n)
        for (int k = m->start[i]; k < m->start[i + 1]; k++) {
            const double *from = x + (size_t)m->col[k] * n;
            for (size_t l = 0; l < n; l++)
                y[l] += m->a[k] * from[l];
        }
}

void jni_sparse_row(double *out, const sparse *m, int i)
{
    memset(out, 0, (size_t)m->ncols * sizeof *out);
    for (int k = m->start[i]; k < m->start[i + 1]; k++)
        out[m->col[k]] = m->a[k];
}
