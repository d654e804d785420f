/* feedback.c: sources that read the model, in what is said of outputs.
 *
 * E, A and B have them eliminated (implicit/feedback.c). An output may read them too, by what it
 * reads of bonds: y = Cx x + Cd ẋ + Du u. With
 *
 *     u = Kx x + Kd ẋ + Ku u + u°,     (1 − Ku)·(Ux | Ud | Uu) = (Kx | Kd | 1)
 *
 * where a source that is an input only has a row of zeros in K, they become
 * y = (Cx + Du·Ux) x + (Cd + Du·Ud) ẋ + Du·Uu u°. */
#include <stdlib.h>
#include <string.h>

#include "analyse_internal.h"

void jn_analyse_feedback(const jn_graph *g, jn_diags *d)
{
    for (int k = 0; k < g->nsources; k++) {
        const jn_element *x = &g->element[g->source[k]];
        if (jn_source_role(g, k) == JN_ROLE_UNFOLLOWED)
            jn_diag_add(d, JN_D_FEEDBACK, x->place, x->name);
    }
}

/* (1 − Ku | Kx | Kd | 1), the rows of the sources being those behind the outputs. */
static void fill_laws(jn_dense *left, jn_dense *right, const jn_outputs *o, const jn_analysis *a)
{
    int ns = a->graph->nstorages, nu = a->graph->nsources, first = o->n - a->nfed;
    jn_dense_identity(left);
    for (int k = 0; k < nu; k++)
        jn_dense_set(right, k, 2 * ns + k, JN_RATFUN_ONE);
    for (int f = 0; f < a->nfed; f++) {
        int k = a->fed[f], row = first + f;
        for (int i = 0; i < nu; i++)
            jn_dense_set(left, k, i,
                         jn_ratfun_sub(a->field, jn_dense_get(left, k, i), o->u[row * nu + i]));
        for (int i = 0; i < ns; i++) {
            jn_dense_set(right, k, i, o->x[row * ns + i]);
            jn_dense_set(right, k, ns + i, o->dx[row * ns + i]);
        }
        if (jn_source_role(a->graph, k) == JN_ROLE_FEEDBACK)
            jn_dense_set(right, k, 2 * ns + k, JN_RATFUN_ZERO);
    }
}

/* One output; u: its row, which becomes that of u°. */
static void close_one(jn_outputs *o, int row, const jn_analysis *a, const jn_dense *U)
{
    int ns = a->graph->nstorages, nu = a->graph->nsources;
    jn_ratfun *u = jn_alloc((size_t)nu * sizeof *u);
    memcpy(u, o->u + row * nu, (size_t)nu * sizeof *u);
    memset(o->u + row * nu, 0, (size_t)nu * sizeof *u);
    for (int k = 0; k < nu; k++)
        for (int i = 0; i < 2 * ns + nu && !jn_ratfun_is_zero(u[k]); i++) {
            jn_ratfun *to = i < ns       ? &o->x[row * ns + i]
                            : i < 2 * ns ? &o->dx[row * ns + i - ns]
                                         : &o->u[row * nu + i - 2 * ns];
            jn_ratfun part = jn_algebra_mul(U->k, u[k], jn_dense_get(U, k, i));
            *to = jn_algebra_add(U->k, *to, part);
        }
    free(u);
}

bool jni_close_outputs(jn_outputs *o, const jn_analysis *a, jn_algebra *k)
{
    int ns = a->graph->nstorages, nu = a->graph->nsources;
    jn_dense left, right, U;
    jn_dense_init(&left, nu, nu, k);
    jn_dense_init(&right, nu, 2 * ns + nu, k);
    jn_dense_init(&U, nu, 2 * ns + nu, k);
    fill_laws(&left, &right, o, a);
    bool good = jn_dense_solve(&U, &left, &right) && !k->spent;
    o->n -= a->nfed;
    for (int i = 0; i < o->n && good; i++)
        close_one(o, i, a, &U);
    jn_dense_clear(&left);
    jn_dense_clear(&right);
    jn_dense_clear(&U);
    return good && !k->spent;
}
