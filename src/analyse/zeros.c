/* zeros.c: the invariant zeros of a mode with its outputs.
 *
 * They are the finite s at which Rosenbrock's matrix
 *
 *     sF − G = [sE − A, −B; Cx + sCd, Du]
 *
 * has less than its normal rank. It need be neither square nor regular. Wong sequences, as for
 * the poles, end in spaces V and W whose intersection K belongs to the part with more columns than
 * rows; on V modulo K both F and G are defined, F is invertible, and F⁻¹G has the zeros for
 * eigenvalues, each as often as the invariant factors of sF − G have it (Berger and Trenn's
 * quasi-Kronecker form). What K loses under F are the columns without rank. */
#include <stdlib.h>

#include "analyse_internal.h"

enum { ZEROS_MAX = 40 };           /* states */
enum { SYMBOLIC_BUDGET = 100000 }; /* terms; zeros over the parameters are rarely short */

/* Initialises F and G. */
static void rosenbrock(jn_dense *F, jn_dense *G, const jn_pencil *p, const jn_readout *y)
{
    int n = p->E.nrows, rows = n + y->Cx.nrows, cols = n + p->B.ncols;
    jn_dense_init(F, rows, cols, p->E.k);
    jn_dense_init(G, rows, cols, p->E.k);
    jn_dense_put(F, 0, 0, &p->E);
    jn_dense_put(F, n, 0, &y->Cd);
    jn_dense_put(G, n, 0, &y->Cx);
    jn_dense_put(G, n, n, &y->Du);
    jn_dense_neg(G, G);
    jn_dense_put(G, 0, 0, &p->A);
    jn_dense_put(G, 0, n, &p->B);
}

/* Initialises K: V ∩ W in terms of V's columns. */
static void intersect(jn_dense *K, const jn_dense *V, const jn_dense *W)
{
    jn_dense both, kernel;
    jn_dense_init(&both, V->nrows, V->ncols + W->ncols, V->k);
    jn_dense_put(&both, 0, 0, V);
    jn_dense_put(&both, 0, V->ncols, W);
    jn_dense_kernel(&kernel, &both);
    jn_dense_init(K, V->ncols, kernel.ncols, V->k);
    jn_dense_take(K, &kernel, 0, 0);
    jn_dense_clear(&both);
    jn_dense_clear(&kernel);
}

/* Initialises r: m times the columns of V that complete K to a basis of V. */
static void apply_to_rest(jn_dense *r, const jn_dense *m, const jn_dense *V, const jn_dense *K)
{
    int *row = jn_alloc((size_t)K->nrows * sizeof *row), n = 0;
    int *rest = jn_alloc((size_t)K->nrows * sizeof *rest);
    jn_dense basis, columns;
    jn_dense_image(&basis, K, row);
    for (int i = 0; i < K->nrows; i++) {
        bool taken = false;
        for (int k = 0; k < basis.ncols; k++)
            taken = taken || row[k] == i;
        if (!taken)
            rest[n++] = i;
    }
    jn_dense_init(&columns, V->nrows, n, V->k);
    jn_dense_cols(&columns, V, rest);
    jn_dense_init(r, m->nrows, n, V->k);
    jn_dense_mul(r, m, &columns);
    jn_dense_clear(&basis);
    jn_dense_clear(&columns);
    free(row);
    free(rest);
}

/* Initialises J with G V' = F V' J + F K Y, where V' completes K; returns the rank of F K. */
static int divide(jn_dense *J, const jn_dense *F, const jn_dense *G, const jn_dense *V,
                  const jn_dense *K)
{
    jn_dense FV, FK, left, right, all;
    jn_dense_init(&FV, F->nrows, V->ncols, F->k);
    jn_dense_init(&FK, F->nrows, K->ncols, F->k);
    jn_dense_mul(&FV, F, V);
    jn_dense_mul(&FK, &FV, K);
    apply_to_rest(&left, F, V, K);
    apply_to_rest(&right, G, V, K);
    int n = left.ncols;
    jn_dense_init(&all, F->nrows, 2 * n + K->ncols, F->k);
    jn_dense_put(&all, 0, 0, &left);
    jn_dense_put(&all, 0, n, &FK);
    jn_dense_put(&all, 0, n + K->ncols, &right);
    int rank = jn_dense_rref(&all, NULL) - n;
    jn_dense_init(J, n, n, F->k);
    jn_dense_take(J, &all, 0, n + K->ncols);
    jn_dense *const done[] = {&FV, &FK, &left, &right, &all};
    for (size_t i = 0; i < sizeof done / sizeof done[0]; i++)
        jn_dense_clear(done[i]);
    return rank;
}

static void find_zeros(jn_dynamics *d, const jn_dense *F, const jn_dense *G)
{
    jn_dense V, W, K, J;
    jn_dense_init(&V, F->ncols, F->ncols, F->k);
    jn_dense_identity(&V);
    jn_dense_init(&W, F->ncols, 0, F->k);
    jni_wong_limit(&V, G, F, NULL);
    jni_wong_limit(&W, F, G, NULL);
    intersect(&K, &V, &W);
    if (!F->k->spent) {
        int lost = K.ncols - divide(&J, F, G, &V, &K);
        d->rank = d->Bz.ncols - lost;
        jni_charpoly(&d->zeros, &J);
        jn_dense_clear(&J);
    }
    jn_dense_clear(&V);
    jn_dense_clear(&W);
    jn_dense_clear(&K);
}

void jni_dynamics_zeros(jn_dynamics *d, const jn_pencil *p, const jn_readout *y)
{
    jn_dense F, G;
    if (d->order > ZEROS_MAX)
        return;
    jn_algebra_renew(d->V.k, SYMBOLIC_BUDGET);
    rosenbrock(&F, &G, p, y);
    find_zeros(d, &F, &G);
    d->zeros_known = !d->V.k->spent;
    jn_algebra_renew(d->V.k, JN_ALGEBRA_BUDGET);
    jn_dense_clear(&F);
    jn_dense_clear(&G);
}
