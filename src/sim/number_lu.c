/* number_lu.c: the fence around KLU, which factors sparse matrices, real and complex.
 *
 * One pattern, several matrices that have it: what KLU finds out about the pattern (blocks, order
 * of elimination) is shared by them. */
#include <stdlib.h>

#include <suitesparse/klu.h>

#include "number.h"

struct sparse_lu {
    int n, count;
    int *start, *row;
    bool is_real;
    klu_common common;
    klu_symbolic *symbolic;
    klu_numeric **numeric;
};

sparse_lu *jni_lu_new(const sparse_pattern *p, int count)
{
    sparse_lu *lu = jn_alloc(sizeof *lu);
    lu->n = p->n;
    lu->count = count;
    lu->start = p->start;
    lu->row = p->row;
    lu->numeric = jn_alloc((size_t)count * sizeof(klu_numeric *));
    klu_defaults(&lu->common);
    lu->symbolic = klu_analyze(p->n, lu->start, lu->row, &lu->common);
    return lu;
}

void jni_lu_free(sparse_lu *lu)
{
    if (!lu)
        return;
    for (int i = 0; i < lu->count; i++)
        if (lu->is_real)
            klu_free_numeric(&lu->numeric[i], &lu->common);
        else
            klu_z_free_numeric(&lu->numeric[i], &lu->common);
    klu_free_symbolic(&lu->symbolic, &lu->common);
    free(lu->numeric);
    free(lu);
}

bool jni_lu_factor(sparse_lu *lu, int which, double complex *value)
{
    if (!lu->symbolic)
        return false;
    klu_z_free_numeric(&lu->numeric[which], &lu->common);
    lu->numeric[which] =
        klu_z_factor(lu->start, lu->row, (double *)value, lu->symbolic, &lu->common);
    return lu->numeric[which] && lu->common.status == KLU_OK;
}

bool jni_lu_solve(sparse_lu *lu, int which, double complex *b)
{
    return klu_z_solve(lu->symbolic, lu->numeric[which], lu->n, 1, (double *)b, &lu->common);
}

bool jni_lu_factor_real(sparse_lu *lu, double *value)
{
    if (!lu->symbolic)
        return false;
    klu_free_numeric(&lu->numeric[0], &lu->common);
    lu->numeric[0] = klu_factor(lu->start, lu->row, value, lu->symbolic, &lu->common);
    lu->is_real = true;
    return lu->numeric[0] && lu->common.status == KLU_OK;
}

bool jni_lu_solve_real(sparse_lu *lu, double *b, int count)
{
    return klu_solve(lu->symbolic, lu->numeric[0], lu->n, count, b, &lu->common);
}

/* ---- the factors themselves ---------------------------------------------------------------- */

static sparse_pattern make_pattern(int n, int entries)
{
    sparse_pattern p = {.n = n};
    p.start = jn_alloc((size_t)(n + 1) * sizeof *p.start);
    p.row = jn_alloc((size_t)entries * sizeof *p.row);
    return p;
}

static bool extract(sparse_factors *f, sparse_lu *lu)
{
    klu_numeric *N = lu->numeric[0];
    size_t n = (size_t)lu->n;
    f->n = lu->n;
    f->nblocks = lu->symbolic->nblocks;
    f->row = jn_alloc(n * sizeof *f->row);
    f->col = jn_alloc(n * sizeof *f->col);
    f->block = jn_alloc((n + 1) * sizeof *f->block);
    f->L = make_pattern(lu->n, N->lnz);
    f->U = make_pattern(lu->n, N->unz);
    f->F = make_pattern(lu->n, N->nzoff);
    f->lower = jn_alloc((size_t)N->lnz * sizeof *f->lower);
    f->upper = jn_alloc((size_t)N->unz * sizeof *f->upper);
    f->beside = jn_alloc((size_t)N->nzoff * sizeof *f->beside);
    return klu_extract(N, lu->symbolic, f->L.start, f->L.row, f->lower, f->U.start, f->U.row,
                       f->upper, f->F.start, f->F.row, f->beside, f->row, f->col, NULL, f->block,
                       &lu->common);
}

sparse_factors *jni_factors_new(const sparse_pattern *p, double *value)
{
    sparse_lu *lu = jni_lu_new(p, 1);
    sparse_factors *f = jn_alloc(sizeof *f);
    lu->common.scale = 0; /* rows as they are */
    if (!jni_lu_factor_real(lu, value) || !extract(f, lu)) {
        jni_factors_free(f);
        f = NULL;
    }
    jni_lu_free(lu);
    return f;
}

static void free_pattern(sparse_pattern *p)
{
    free(p->start);
    free(p->row);
}

void jni_factors_free(sparse_factors *f)
{
    if (!f)
        return;
    free(f->row);
    free(f->col);
    free(f->block);
    free_pattern(&f->L);
    free_pattern(&f->U);
    free_pattern(&f->F);
    free(f->lower);
    free(f->upper);
    free(f->beside);
    free(f);
}

size_t jni_factors_bytes(const sparse_factors *f)
{
    size_t entries = (size_t)f->L.start[f->n] + (size_t)f->U.start[f->n] + (size_t)f->F.start[f->n];
    return entries * (sizeof(int) + sizeof(double)) + 6 * (size_t)f->n * sizeof(int);
}
