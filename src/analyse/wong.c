/* wong.c: the finite part of any regular pencil, by Wong sequences.
 *
 *     V0 = everything, V_{k+1} = A⁻¹(E V_k);    W0 = 0, W_{k+1} = E⁻¹(A W_k)
 *
 * end in the consistent states V and the directions W of the infinite eigenvalues. The pencil is
 * regular when T = [V W] and [EV AW] are square and invertible; then [EV AW]⁻¹ (sE − A) T is
 * diag(sI − J, sN − I) with N nilpotent: the quasi-Weierstrass form. The index is the number of
 * steps in which W grows. Only ranks and kernels are needed, so all of it is exact. */
#include <stdlib.h>

#include "analyse_internal.h"

/* Initialises r: a basis of {x : A x is in the span of B's columns}. row: see jn_dense_image. */
static void preimage(jn_dense *r, const jn_dense *A, const jn_dense *B, int *row)
{
    int n = A->ncols;
    jn_dense both, kernel, top;
    jn_dense_init(&both, A->nrows, n + B->ncols, A->k);
    jn_dense_put(&both, 0, 0, A);
    jn_dense_put(&both, 0, n, B);
    jn_dense_kernel(&kernel, &both);
    jn_dense_init(&top, n, kernel.ncols, A->k);
    jn_dense_take(&top, &kernel, 0, 0);
    jn_dense_image(r, &top, row);
    jn_dense_clear(&both);
    jn_dense_clear(&kernel);
    jn_dense_clear(&top);
}

static void multiply(jn_dense *r, const jn_dense *a, const jn_dense *b)
{
    jn_dense_init(r, a->nrows, b->ncols, a->k);
    jn_dense_mul(r, a, b);
}

int jni_wong_limit(jn_dense *space, const jn_dense *outer, const jn_dense *inner, int *row)
{
    for (int steps = 0;; steps++) {
        jn_dense image, next;
        multiply(&image, inner, space);
        preimage(&next, outer, &image, row);
        bool same = next.ncols == space->ncols;
        jn_dense_swap(space, &next);
        jn_dense_clear(&image);
        jn_dense_clear(&next);
        if (same || outer->k->spent)
            return steps;
    }
}

/* The sizes of the blocks of a nilpotent matrix: the number of those larger than k is the fall
 * of the rank from N^k to N^(k+1). */
static void find_blocks(jn_dynamics *d, const jn_dense *N)
{
    int n = N->nrows, before = n;
    int *larger = jn_alloc((size_t)(n + 1) * sizeof *larger);
    jn_dense power, next;
    jn_dense_init(&power, n, n, N->k);
    jn_dense_identity(&power);
    for (int k = 0; before > 0 && k < n; k++) {
        multiply(&next, &power, N);
        jn_dense_swap(&power, &next);
        jn_dense_put(&next, 0, 0, &power);
        int rank = jn_dense_rref(&next, NULL);
        jn_dense_clear(&next);
        larger[k] = before - rank;
        before = rank;
    }
    d->nblocks = larger[0];
    d->block = jn_alloc((size_t)d->nblocks * sizeof *d->block);
    for (int b = 0; b < d->nblocks; b++)
        while (d->block[b] < n && larger[d->block[b]] > b)
            d->block[b]++;
    jn_dense_clear(&power);
    free(larger);
}

/* U_k = −W N^k b2 */
static void find_responses(jn_dynamics *d, const jn_dense *W, const jn_dense *N, jn_dense *b2)
{
    d->U = jn_alloc((size_t)d->index * sizeof *d->U);
    for (int k = 0; k < d->index; k++) {
        jn_dense next;
        multiply(&d->U[k], W, b2);
        jn_dense_neg(&d->U[k], &d->U[k]);
        multiply(&next, N, b2);
        jn_dense_swap(b2, &next);
        jn_dense_clear(&next);
    }
}

/* With T = [V W] and R = [EV AW]: everything else. */
static void fill(jn_dynamics *d, const jn_pencil *p, const jn_dense *W, const jn_dense *R,
                 const jn_dense *T)
{
    jn_algebra *k = p->E.k;
    int n = p->E.nrows, m = p->B.ncols, r = d->V.ncols, q = n - r;
    jn_dense rhs, all, AV, EW, one, inverse, N, b2;
    multiply(&AV, &p->A, &d->V);
    multiply(&EW, &p->E, W);
    jn_dense_init(&rhs, n, n + m, k);
    jn_dense_init(&all, n, n + m, k);
    jn_dense_put(&rhs, 0, 0, &AV);
    jn_dense_put(&rhs, 0, r, &EW);
    jn_dense_put(&rhs, 0, n, &p->B);
    jn_dense_init(&one, n, n, k);
    jn_dense_init(&inverse, n, n, k);
    jn_dense_identity(&one);
    d->regular = jn_dense_solve(&all, R, &rhs) && jn_dense_solve(&inverse, T, &one);
    jn_dense_init(&N, q, q, k);
    jn_dense_init(&b2, q, m, k);
    if (d->regular) {
        d->order = r;
        jn_dense_init(&d->J, r, r, k);
        jn_dense_init(&d->Bz, r, m, k);
        jn_dense_init(&d->P, r, n, k);
        jn_dense_take(&d->J, &all, 0, 0);
        jn_dense_take(&d->Bz, &all, 0, n);
        jn_dense_take(&d->P, &inverse, 0, 0);
        jn_dense_take(&N, &all, r, r);
        jn_dense_take(&b2, &all, r, n);
        find_blocks(d, &N);
        find_responses(d, W, &N, &b2);
    }
    jn_dense *const done[] = {&rhs, &all, &AV, &EW, &one, &inverse, &N, &b2};
    for (size_t i = 0; i < sizeof done / sizeof done[0]; i++)
        jn_dense_clear(done[i]);
}

void jni_pencil_wong(jn_dynamics *d, const jn_pencil *p)
{
    jn_algebra *k = p->E.k;
    int n = p->E.nrows;
    jn_dense W, EV, AW, R, T;
    d->state = jn_alloc((size_t)n * sizeof *d->state);
    jn_dense_init(&d->V, n, n, k);
    jn_dense_identity(&d->V);
    jn_dense_init(&W, n, 0, k);
    jni_wong_limit(&d->V, &p->A, &p->E, d->state);
    d->index = jni_wong_limit(&W, &p->E, &p->A, NULL);
    if (d->V.ncols + W.ncols == n && !k->spent) {
        multiply(&EV, &p->E, &d->V);
        multiply(&AW, &p->A, &W);
        jn_dense_init(&R, n, n, k);
        jn_dense_init(&T, n, n, k);
        jn_dense_put(&R, 0, 0, &EV);
        jn_dense_put(&R, 0, EV.ncols, &AW);
        jn_dense_put(&T, 0, 0, &d->V);
        jn_dense_put(&T, 0, EV.ncols, &W);
        fill(d, p, &W, &R, &T);
        jn_dense_clear(&EV);
        jn_dense_clear(&AW);
        jn_dense_clear(&R);
        jn_dense_clear(&T);
    }
    jn_dense_clear(&W);
}
