/* jump.c: the jump into a mode, and what it costs.
 *
 * x⁺ = Π x⁻ + U_0 u with Π = V P: the differential rows conserve E x, the algebraic ones hold
 * after the jump. Δx = G (x⁻, u) with G = [Π − 1, U_0] are the areas of the impulses: of the effort
 * on an I, of the flow on a C.
 *
 * The energy lost is what the sources gave less what the storages gained. During the impulse
 * Δxi = S12 Δxd, the sources give uᵀ S24ᵀ Δxd, and zd⁺ = −S12ᵀ zi⁺ + S24 u; hence the sources
 * give z⁺ᵀ Δx, and with the stored energy ½ xᵀ F x
 *
 *     lost = z⁺ᵀ Δx − ½ x⁺ᵀ F x⁺ + ½ x⁻ᵀ F x⁻ = ½ Δxᵀ F Δx,
 *
 * which is never negative for positive I and C. For a higher index the inputs' derivatives take
 * part, the flows of I and the efforts of C have impulses too, and what a source gives is no longer
 * defined. Without inputs it gives nothing: what is lost is what the storages had, less what they
 * have, ½ x⁻ᵀ (F − Πᵀ F Π) x⁻. */
#include <stdlib.h>

#include "analyse_internal.h"

/* Initialises G = [Π − 1, U_0]. */
static void find_change(jn_dense *G, const jn_dynamics *d)
{
    int n = d->V.nrows;
    jn_dense one, change;
    jn_dense_init(&one, n, n, d->V.k);
    jn_dense_init(&change, n, n, d->V.k);
    jn_dense_identity(&one);
    jn_dense_sub(&change, &d->jump, &one);
    jn_dense_init(G, n, n + d->Bz.ncols, d->V.k);
    jn_dense_put(G, 0, 0, &change);
    if (d->index > 0)
        jn_dense_put(G, 0, n, &d->U[0]);
    jn_dense_clear(&one);
    jn_dense_clear(&change);
}

/* Initialises Q = Gᵀ F G. */
static void quadratic(jn_dense *Q, const jn_dense *F, const jn_dense *G)
{
    jn_dense FG, Gt;
    jn_dense_init(&FG, G->nrows, G->ncols, G->k);
    jn_dense_init(&Gt, G->ncols, G->nrows, G->k);
    jn_dense_init(Q, G->ncols, G->ncols, G->k);
    jn_dense_mul(&FG, F, G);
    jn_dense_transpose(&Gt, G);
    jn_dense_mul(Q, &Gt, &FG);
    jn_dense_clear(&FG);
    jn_dense_clear(&Gt);
}

static void find_loss(jn_dynamics *d, const jn_dense *F)
{
    jn_dense G;
    if (d->index <= 1) {
        find_change(&G, d);
        quadratic(&d->loss, F, &G);
        jn_dense_clear(&G);
    } else {
        quadratic(&d->loss, F, &d->jump);
        jn_dense_sub(&d->loss, F, &d->loss);
    }
    d->loss_known = !d->V.k->spent;
}

void jni_dynamics_jump(jn_dynamics *d, const jn_dense *F)
{
    int n = d->V.nrows;
    jn_algebra_renew(d->V.k, JN_ALGEBRA_BUDGET);
    jn_dense_init(&d->jump, n, n, d->V.k);
    jn_dense_mul(&d->jump, &d->V, &d->P);
    if (d->V.k->spent)
        jn_dense_clear(&d->jump);
    else if (F)
        find_loss(d, F);
    jn_algebra_renew(d->V.k, JN_ALGEBRA_BUDGET);
}
