/* impulse.c: the impulses on all bonds at the jump into a mode.
 *
 * While the states jump by Δx = (Π − 1) x⁻ + U_0 u, the inputs Zi, Din and U of the junction
 * structure stay finite and have no area; those of the storages in derivative causality, Ẋd, have
 * the area Δxd. So the area of a bond's effort or flow is what the junction structure makes of
 * Δxd alone. */
#include <stdlib.h>

#include "analyse_internal.h"

void jni_impulses_clear(jn_impulses *p)
{
    for (int i = 0; i < p->n; i++)
        jn_combination_clear(&p->impulse[i].area);
    free(p->impulse);
    *p = (jn_impulses){0};
}

/* Initialises D = [Π − 1, U_0], the rows of the storages in derivative causality alone. */
static void find_change(jn_dense *D, const jn_dynamics *d, const int *derivative, int n)
{
    jn_dense rows;
    int storages = d->jump.ncols;
    jn_dense_init(D, n, storages + d->Bz.ncols, d->V.k);
    jn_dense_init(&rows, n, storages, d->V.k);
    jn_dense_rows(&rows, &d->jump, derivative);
    jn_dense_put(D, 0, 0, &rows);
    jn_dense_clear(&rows);
    if (d->index > 0) {
        jn_dense_init(&rows, n, d->Bz.ncols, d->V.k);
        jn_dense_rows(&rows, &d->U[0], derivative);
        jn_dense_put(D, 0, storages, &rows);
        jn_dense_clear(&rows);
    }
    for (int i = 0; i < n; i++)
        jn_dense_set(
            D, i, derivative[i],
            jn_ratfun_sub(d->V.k->field, jn_dense_get(D, i, derivative[i]), JN_RATFUN_ONE));
}

/* Fills S: a row for each bond variable, along the bond, that a column of derivative[] reaches;
 * its number, 2b or 2b + 1, goes to var[]. Returns how many, −1 where a value divides by zero. */
static int find_structure(jn_dense *S, int *var, const jn_analysis *a, const jn_ports *ports,
                          const int *derivative, const jn_ratfun *value)
{
    const jn_junction *j = a->implicit->junction;
    int count = 0;
    for (int c = 0; c < 2 * a->graph->nbonds; c++) {
        bool determined = !jni_ports_is_open(ports, ports->of[c]), reached = false;
        for (int i = 0; i < S->ncols && determined; i++) {
            jn_ratfun v = ports->of[c][derivative[i]];
            if (c % 2 && j->flow_sign[c / 2] < 0)
                v = jn_ratfun_neg(a->field, v);
            if (value && jn_ratfun_put(&v, a->field, v, value, a->graph->nparams) != JN_OK)
                return -1;
            if (S->k->numeric && !jn_ratfun_is_const(a->field, v))
                return -1;
            reached = reached || !jn_ratfun_is_zero(v);
            jn_dense_set(S, count, i, v);
        }
        if (reached)
            var[count++] = c;
    }
    return count;
}

static bool row_is_zero(const jn_dense *m, int row)
{
    for (int j = 0; j < m->ncols; j++)
        if (!jn_dense_is_zero_at(m, row, j))
            return false;
    return true;
}

static void list_impulses(jn_impulses *out, const jn_dense *area, const int *var, int n,
                          const jn_graph *g)
{
    out->impulse = jn_alloc((size_t)n * sizeof *out->impulse);
    for (int i = 0; i < n; i++) {
        if (row_is_zero(area, i))
            continue;
        jn_impulse *p = &out->impulse[out->n++];
        *p = (jn_impulse){.bond = var[i] / 2, .effort = var[i] % 2 == 0};
        p->area.x = jn_alloc((size_t)g->nstorages * sizeof *p->area.x);
        p->area.u = jn_alloc((size_t)g->nsources * sizeof *p->area.u);
        for (int j = 0; j < g->nstorages; j++)
            p->area.x[j] = jn_dense_get(area, i, j);
        for (int j = 0; j < g->nsources; j++)
            p->area.u[j] = jn_dense_get(area, i, g->nstorages + j);
    }
}

static int list_derivative(int *derivative, const jn_mode *mode)
{
    int n = 0;
    for (int i = 0; i < mode->n; i++)
        if (!mode->integral[i])
            derivative[n++] = i;
    return n;
}

/* All bonds in terms of the inputs of the ports. */
static void solve_bonds(jn_ports *p, const jn_analysis *a, const jn_onoff *m)
{
    int n = 2 * a->graph->nbonds;
    bool *wanted = jn_alloc((size_t)n * sizeof *wanted);
    for (int c = 0; c < n; c++)
        wanted[c] = true;
    jni_ports_solve(p, a->implicit->junction, m, wanted);
    free(wanted);
}

void jni_impulses_of(jn_impulses *out, const jn_dynamics *d, const jn_mode *mode,
                     const jn_analysis *a, const jn_onoff *m, const jn_ratfun *value)
{
    const jn_graph *g = a->graph;
    *out = (jn_impulses){0};
    if (d->index > 1 || !d->jump.k || a->implicit->binds)
        return;
    int *derivative = jn_alloc((size_t)mode->n * sizeof *derivative);
    int nd = list_derivative(derivative, mode);
    out->known = nd == 0;
    if (nd > 0) {
        int *var = jn_alloc(2 * (size_t)g->nbonds * sizeof *var);
        jn_ports ports;
        jn_dense S, change, area;
        solve_bonds(&ports, a, m);
        jn_algebra_renew(d->V.k, JN_ALGEBRA_BUDGET);
        jn_dense_init(&S, 2 * g->nbonds, nd, d->V.k);
        find_change(&change, d, derivative, nd);
        jn_dense_init(&area, 2 * g->nbonds, change.ncols, d->V.k);
        int n = find_structure(&S, var, a, &ports, derivative, value);
        jn_dense_mul(&area, &S, &change);
        out->known = n >= 0 && !d->V.k->spent;
        if (out->known)
            list_impulses(out, &area, var, n, g);
        jn_algebra_renew(d->V.k, JN_ALGEBRA_BUDGET);
        jn_dense_clear(&S);
        jn_dense_clear(&change);
        jn_dense_clear(&area);
        jni_ports_clear(&ports);
        free(var);
    }
    free(derivative);
}
