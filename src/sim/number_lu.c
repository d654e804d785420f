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

double jni_lu_flops(const sparse_lu *lu)
{
    return lu->symbolic && lu->symbolic->est_flops > 0 ? lu->symbolic->est_flops : 0;
}

double jni_lu_solve_flops(const sparse_lu *lu)
{
    double entries = lu->symbolic ? lu->symbolic->lnz + lu->symbolic->unz : 0;
    return entries > 0 ? 2 * entries : 0;
}

size_t jni_lu_bytes(const sparse_lu *lu)
{
    return lu ? sizeof *lu + lu->common.memusage : 0;
}
