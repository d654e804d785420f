/* loops.c: bonds that redundant loops leave undetermined.
 *
 * Two 0-junctions joined by two bonds fix the sum of the two flows, not each of them. Such a
 * variable shows as an internal column that no row can solve for. The pivots of other internal
 * columns may depend on it: going back through them, each is expressed in the free columns alone
 * (what the ports contribute does not matter here), and is undetermined where anything is left. */
#include <stdlib.h>

#include "solved_internal.h"

static bool any_unsolved(const builder *b)
{
    for (int c = 0; c < 2 * b->g->nbonds; c++)
        if (!jn_guard_is_false(b->unsolved[c]))
            return true;
    return false;
}

/* Adds to `sum` what pivot i says of its column, in free columns only: the later columns have
 * been expressed so already. */
static void express(builder *b, jn_row *sum, const jn_pivot *pv, const jn_row *in_free)
{
    const jn_row *row = jn_elimination_row(b->elim, pv->row);
    jn_guarded v;
    jn_guarded_init(&v);
    for (int k = 0; k < row->n; k++) {
        int c = row->e[k].col;
        if (c == pv->col || b->port_at[c] >= 0 || !in_free[c].n)
            continue;
        jn_guarded_restrict(&v, &row->e[k].value, pv->guard, b->ring);
        jn_row_submul(sum, &v, &in_free[c], b->ring);
    }
    jn_guarded_clear(&v);
}

/* The last columns are those deepest in a tree, with the shortest guards: they come first. */
static jn_guard where_nonzero(builder *b, const jn_row *r)
{
    jn_guard g = jn_guard_false();
    for (int k = r->n - 1; k >= 0; k--)
        g = jn_guard_or(b->ring.guards, g, jn_guarded_support(&r->e[k].value, b->ring));
    return g;
}

void jni_find_undetermined(builder *b)
{
    jn_guards *guards = b->ring.guards;
    int nbonds = b->j->graph->nbonds;
    b->j->undetermined = jn_alloc((size_t)nbonds * sizeof *b->j->undetermined);
    for (int i = 0; i < nbonds; i++)
        b->j->undetermined[i] = jn_guard_false();
    if (!any_unsolved(b))
        return;
    jn_row *in_free = jn_alloc((size_t)b->ncols * sizeof *in_free);
    jn_guarded one;
    jn_guarded_init(&one);
    for (int c = 0; c < 2 * b->g->nbonds; c++) {
        jn_guarded_set_case(&one, b->unsolved[c], JN_RATFUN_ONE);
        jn_row_add(&in_free[c], c, &one, b->ring);
    }
    jn_guarded_clear(&one);
    for (int i = b->j->first_port_pivot - 1; i >= 0; i--) {
        const jn_pivot *pv = jn_elimination_pivot(b->elim, i);
        express(b, &in_free[pv->col], pv, in_free);
    }
    for (int i = 0; i < nbonds; i++)
        b->j->undetermined[i] = jn_guard_or(guards, where_nonzero(b, &in_free[effort_col(i)]),
                                            where_nonzero(b, &in_free[flow_col(i)]));
    for (int c = 0; c < b->ncols; c++)
        jn_row_clear(&in_free[c]);
    free(in_free);
}

bool jni_may_have_loops(const builder *b)
{
    const jn_junction *j = b->j;
    jn_solver *k = NULL;
    jn_solved *m = NULL;
    jn_diags *unsaid = jn_diags_new();
    bool any = true, *bond = jn_alloc((size_t)j->graph->nbonds * sizeof *bond);
    if (jn_guard_is_false(j->allowed) || !any_unsolved(b)) {
        any = false;
    } else if (jn_solver_of(&k, j, unsaid) == JN_OK &&
               jn_solver_mode(&m, k, j->reference) == JN_OK) {
        jni_solved_undetermined(bond, m);
        any = false;
        for (int i = 0; i < j->graph->nbonds; i++)
            any |= bond[i];
    }
    free(bond);
    jn_solved_free(m);
    jn_solver_free(k);
    jn_diags_free(unsaid);
    return any;
}
