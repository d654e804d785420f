/* passage.c: from one mode into another.
 *
 * Before the switch the state is consistent with the old mode, x⁻ = V z + U_0 u; the new mode
 * changes it by Δx = (Π − 1) x⁻ + U_0' u. No impulse occurs where Δx = 0: linear conditions on z
 * and u, in echelon form. The inputs are the same before and after; where an index is above 1 their
 * derivatives would enter as well, and are taken to be zero. */
#include <stdlib.h>

#include "analyse_internal.h"

#define TOO_LONG "the coefficients grow too long to be written out"

void jn_passage_clear(jn_passage *t)
{
    for (int i = 0; i < t->nconditions; i++)
        jn_combination_clear(&t->condition[i]);
    free(t->condition);
    *t = (jn_passage){0};
}

/* Initialises m: Δx as a matrix of (z, u). */
static void find_change(jn_dense *m, const jn_dynamics *from, const jn_dynamics *to)
{
    int n = from->V.nrows, r = from->order, nu = from->Bz.ncols;
    jn_algebra *k = to->V.k;
    jn_dense before, one, change;
    jn_dense_init(&before, n, r + nu, k);
    jn_dense_put(&before, 0, 0, &from->V);
    if (from->index > 0)
        jn_dense_put(&before, 0, r, &from->U[0]);
    jn_dense_init(&one, n, n, k);
    jn_dense_init(&change, n, n, k);
    jn_dense_identity(&one);
    jn_dense_sub(&change, &to->jump, &one);
    jn_dense_init(m, n, r + nu, k);
    jn_dense_mul(m, &change, &before);
    if (to->index > 0) {
        jn_dense shifted;
        jn_dense_init(&shifted, n, r + nu, k);
        jn_dense_put(&shifted, 0, r, &to->U[0]);
        jn_dense_add(m, m, &shifted);
        jn_dense_clear(&shifted);
    }
    jn_dense_clear(&before);
    jn_dense_clear(&one);
    jn_dense_clear(&change);
}

/* z = xs − Us u in a condition on (z, u). */
static void write_condition(jn_combination *c, const jn_dynamics *from, const jn_dense *m, int row)
{
    int r = from->order, nu = from->Bz.ncols;
    jn_field *k = from->V.k->field;
    c->x = jn_alloc((size_t)from->V.nrows * sizeof *c->x);
    c->u = jn_alloc((size_t)nu * sizeof *c->u);
    for (int j = 0; j < nu; j++)
        c->u[j] = jn_dense_get(m, row, r + j);
    for (int i = 0; i < r; i++) {
        jn_ratfun f = jn_dense_get(m, row, i);
        c->x[from->state[i]] = f;
        for (int j = 0; j < nu && from->index > 0; j++)
            c->u[j] = jn_ratfun_sub(
                k, c->u[j], jn_ratfun_mul(k, f, jn_dense_get(&from->U[0], from->state[i], j)));
    }
}

/* The conditions over the generic dynamics where both have it, else over that of the values. */
static void find_conditions(jn_passage *out, const jn_mode_analysis *from,
                            const jn_mode_analysis *to)
{
    bool generic = from->generic.regular && to->generic.regular;
    const jn_dynamics *f = generic ? &from->generic : &from->valued;
    const jn_dynamics *t = generic ? &to->generic : &to->valued;
    if (!f->regular || !t->regular) {
        const jn_dynamics *bad = f->regular ? t : f;
        out->why = bad->known ? "the pencil sE - A of a mode is not regular" : bad->why;
        return;
    }
    out->steady = f->index > 1 || t->index > 1;
    if (!t->jump.k) {
        out->why = TOO_LONG;
        return;
    }
    jn_dense m;
    jn_algebra_renew(t->V.k, JN_ALGEBRA_BUDGET);
    find_change(&m, f, t);
    int rank = jn_dense_rref(&m, NULL);
    out->known = !t->V.k->spent;
    jn_algebra_renew(t->V.k, JN_ALGEBRA_BUDGET);
    if (!out->known) {
        out->why = TOO_LONG;
    } else {
        out->impulse_free = rank == 0;
        out->nconditions = rank;
        out->condition = jn_alloc((size_t)rank * sizeof *out->condition);
        for (int i = 0; i < rank; i++)
            write_condition(&out->condition[i], f, &m, i);
    }
    jn_dense_clear(&m);
}

void jn_passage_between(jn_passage *out, const jn_mode_analysis *from, const jn_mode_analysis *to)
{
    *out = (jn_passage){.from = from->equation.status, .to = to->equation.status};
    if (out->from == JN_MODE_OK && out->to == JN_MODE_OK)
        find_conditions(out, from, to);
}

void jn_analyse_passage(jn_passage *out, const jn_analysis *a, const jn_onoff *from,
                        const jn_onoff *to)
{
    jn_mode_analysis f, t;
    jn_mode_analysis_init(&f);
    jn_mode_analysis_init(&t);
    jn_analyse_mode(&f, a, from);
    jn_analyse_mode(&t, a, to);
    jn_passage_between(out, &f, &t);
    jn_mode_analysis_clear(&f);
    jn_mode_analysis_clear(&t);
}
