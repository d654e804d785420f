/* mode_fields.c: the laws of fields in a mode, as rows of numbers.
 *
 * x = M·z and z = F·x of storages, e = R·f of resistors. Without fields all of them are diagonal,
 * and storage[] and resistor[] of the mode are all there is. */
#include <math.h>
#include <stdlib.h>

#include "run.h"

static double coupling(const mode *to, model *m, int a, int b)
{
    const jn_graph *g = m->g;
    jn_ratfun r = jn_graph_value_in(g, jn_graph_between(g, a, b), to->onoff), number;
    if (jn_ratfun_put(&number, g->field, r, g->param_value, g->nparams) != JN_OK)
        return NAN;
    return jni_number_of(m, number);
}

static void put_row(srow *row, const jn_multiport *f, const jn_graph *g, const double *a)
{
    gather sum;
    int n = f->nports, width = 0;
    for (int k = 0; k < n; k++)
        width = g->element[f->element[k]].number >= width ? g->element[f->element[k]].number + 1
                                                          : width;
    jni_gather_init(&sum, width);
    for (int k = 0; k < n; k++)
        if (a[k] != 0)
            jni_gather_put(&sum, g->element[f->element[k]].number, a[k]);
    jni_gather_take(row, &sum);
    jni_gather_clear(&sum);
}

static void put_single(srow *row, int col, double a)
{
    jni_srow_alloc(row, 1);
    row->n = 1;
    row->col[0] = col;
    row->a[0] = a;
}

/* ---- inverting ----------------------------------------------------------------------------- */

static void swap_rows(double *a, int n, int i, int k)
{
    for (int c = 0; c < n && i != k; c++) {
        double t = a[i * n + c];
        a[i * n + c] = a[k * n + c];
        a[k * n + c] = t;
    }
}

static void subtract(double *a, int n, int from, int row, double c)
{
    for (int k = 0; k < n; k++)
        a[from * n + k] -= c * a[row * n + k];
}

/* inverse := a⁻¹; a is spent. What is singular becomes infinite. */
static void invert(double *inverse, double *a, int n)
{
    for (int i = 0; i < n * n; i++)
        inverse[i] = i % (n + 1) == 0;
    for (int c = 0; c < n; c++) {
        int best = c;
        for (int i = c + 1; i < n; i++)
            if (fabs(a[i * n + c]) > fabs(a[best * n + c]))
                best = i;
        swap_rows(a, n, best, c);
        swap_rows(inverse, n, best, c);
        double pivot = a[c * n + c];
        for (int k = 0; k < n; k++) {
            a[c * n + k] /= pivot;
            inverse[c * n + k] /= pivot;
        }
        for (int i = 0; i < n; i++) {
            double factor = a[i * n + c];
            if (i != c && factor != 0) {
                subtract(a, n, i, c, factor);
                subtract(inverse, n, i, c, factor);
            }
        }
    }
}

/* ---- fields -------------------------------------------------------------------------------- */

static void read_field(mode *to, model *m, const jn_multiport *f)
{
    int n = f->nports;
    double *a = jni_doubles(n * n), *inverse = jni_doubles(n * n);
    for (int i = 0; i < n * n; i++)
        a[i] = coupling(to, m, f->element[i / n], f->element[i % n]);
    srow *law = f->kind == JN_R ? to->R : to->M;
    for (int i = 0; i < n; i++)
        put_row(&law[m->g->element[f->element[i]].number], f, m->g, a + i * n);
    if (f->kind != JN_R) {
        invert(inverse, a, n);
        for (int i = 0; i < n; i++)
            put_row(&to->F[m->g->element[f->element[i]].number], f, m->g, inverse + i * n);
    }
    free(a);
    free(inverse);
}

void jni_mode_fields(mode *to, model *m)
{
    const jn_graph *g = m->g;
    if (!g->nmultiports)
        return;
    to->M = jn_alloc((size_t)m->nx * sizeof *to->M);
    to->F = jn_alloc((size_t)m->nx * sizeof *to->F);
    to->R = jn_alloc((size_t)m->nr * sizeof *to->R);
    for (int i = 0; i < g->nmultiports; i++)
        read_field(to, m, &g->multiport[i]);
    for (int i = 0; i < m->nx; i++)
        if (!g->element[g->storage[i]].multiport) {
            put_single(&to->M[i], i, to->storage[i]);
            put_single(&to->F[i], i, 1 / to->storage[i]);
        }
    for (int i = 0; i < m->nr; i++)
        if (!g->element[g->resistor[i]].multiport)
            put_single(&to->R[i], i, to->resistor[i]);
}

static void clear_rows(srow *row, int n)
{
    for (int i = 0; row && i < n; i++)
        jni_srow_clear(&row[i]);
    free(row);
}

void jni_mode_fields_clear(mode *m, const model *k)
{
    clear_rows(m->M, k->nx);
    clear_rows(m->F, k->nx);
    clear_rows(m->R, k->nr);
}

double jni_field_output(const mode *m, int storage, const double *x)
{
    const srow *F = &m->F[storage];
    double z = 0;
    for (int k = 0; k < F->n; k++)
        z += F->a[k] * x[F->col[k]];
    return z;
}
