/* ports.c: solving the junction structure for one variable of every port.
 *
 * Internal bonds go first. What is left relates the ports' variables alone, as many equations as
 * ports in every mode. The ports are then served in order: sources, storages by priority,
 * resistors. Each gets the variable it wants as the junction structure's output where the earlier
 * choices allow it, its conjugate elsewhere; that one of the two is always possible is a property
 * of power-conserving (Dirac) structures, and is checked. */
#include <stdlib.h>

#include "junction_internal.h"

bool jni_wants_effort(jn_kind kind)
{
    return kind == JN_SF || kind == JN_I;
}

jn_form jni_form_of_output(jn_kind kind, bool effort)
{
    switch (kind) {
    case JN_I:
        return effort ? JN_STATE : JN_PSEUDO;
    case JN_C:
        return effort ? JN_PSEUDO : JN_STATE;
    case JN_R:
        return effort ? JN_EFFORT_IN : JN_FLOW_IN;
    default:
        return JN_INPUT;
    }
}

/* Bonds between the parts of a tree have ranks, those below others the lower ones. */
static int *rank_columns(const builder *b)
{
    int *rank = jn_alloc((size_t)b->ncols * sizeof *rank);
    for (int bond = b->j->graph->nbonds; bond < b->g->nbonds; bond++)
        rank[effort_col(bond)] = rank[flow_col(bond)] = b->g->nbonds - bond;
    return rank;
}

/* Those below others first: then what hangs on a bond is settled when its turn comes, and knows only
 * the modes of its own part. */
static void solve_trees(builder *b)
{
    for (int bond = b->g->nbonds - 1; bond >= b->j->graph->nbonds; bond--) {
        const int cols[] = {effort_col(bond), flow_col(bond)};
        for (int i = 0; i < 2; i++) {
            jn_guard got = jn_eliminate(b->elim, cols[i], jn_guard_true(), false);
            b->unsolved[cols[i]] = jn_guard_not(b->ring.guards, got);
        }
    }
}

void jni_solve_internal(builder *b)
{
    int n = 0, *rank = rank_columns(b);
    int *cols = jn_alloc((size_t)b->ncols * sizeof *cols);
    jn_guard *unsolved = jn_alloc((size_t)b->ncols * sizeof *unsolved);
    for (int c = 0; c < 2 * b->j->graph->nbonds; c++)
        if (b->port_at[c] < 0)
            cols[n++] = c;
    jn_elimination_ranks(b->elim, rank);
    jn_eliminate_all(b->elim, cols, n, unsolved);
    for (int i = 0; i < n; i++)
        b->unsolved[cols[i]] = unsolved[i];
    free(cols);
    free(unsolved);
    solve_trees(b);
    jn_elimination_ranks(b->elim, NULL);
    free(rank);
}

/* Serves one port; returns the modes in which it got the variable it wants. */
static jn_status serve(jn_guard *got, builder *b, const port *p, bool effort)
{
    int wanted = effort ? p->effort : p->flow, conjugate = effort ? p->flow : p->effort;
    *got = jn_eliminate(b->elim, wanted, jn_guard_true(), true);
    jn_guard rest = jn_guard_not(b->ring.guards, *got);
    jn_guard also = jn_eliminate(b->elim, conjugate, rest, true);
    if (jn_guards_failed(b->ring.guards) || jn_field_failed(b->ring.field))
        return JN_UNABLE;
    return jn_guard_equal(also, rest) ? JN_OK : JN_BUG;
}

/* The guards of storages that differ between modes, those that test late switches first: what is
 * put on top of a diagram leaves the rest of it as it is. */
static int list_differing(jn_guard *list, const builder *b)
{
    const jn_guard *g = b->j->integral;
    int n = 0;
    for (int i = 0; i < b->g->nstorages; i++)
        if (!jn_guard_is_true(g[i]) && !jn_guard_is_false(g[i]))
            list[n++] = g[i];
    jn_guards_sort(list, n, b->ring.guards);
    return n;
}

/* The modes of `among` in which the fewest of the guards fail to hold: count failures up to a
 * depth, and go deeper only when every mode has more. */
static jn_guard fewest_failures(jn_guards *guards, jn_guard among, const jn_guard *g, int n)
{
    for (int depth = 1;; depth = 2 * depth + 1) {
        jn_guard *failing = jn_alloc((size_t)depth * sizeof *failing); /* [k]: exactly k */
        for (int k = 0; k < depth; k++)
            failing[k] = k ? jn_guard_false() : among;
        for (int i = 0; i < n; i++) {
            for (int k = depth - 1; k >= 0; k--) {
                jn_guard here = jn_guard_and(guards, failing[k], g[i]);
                jn_guard below =
                    k ? jn_guard_minus(guards, failing[k - 1], g[i]) : jn_guard_false();
                failing[k] = jn_guard_or(guards, here, below);
            }
        }
        jn_guard best = jn_guard_false();
        for (int k = 0; k < depth && jn_guard_is_false(best); k++)
            best = failing[k];
        free(failing);
        if (!jn_guard_is_false(best) || depth > n || jn_guards_failed(guards))
            return best;
    }
}

static void choose_reference(builder *b)
{
    jn_junction *j = b->j;
    jn_guard among = jn_guard_is_false(j->allowed) ? jn_guard_true() : j->allowed;
    jn_guard *differing = jn_alloc((size_t)b->g->nstorages * sizeof *differing);
    int n = list_differing(differing, b);
    jn_guard best = fewest_failures(b->ring.guards, among, differing, n);
    jn_guard_best_mode(j->reference, b->ring.guards, best);
    free(differing);
}

/* A resistor wants the causality it has in the reference mode: its flow where that is open. */
static bool resistor_wants_effort(const builder *b, const port *p)
{
    return !jn_eliminate_possible(b->elim, p->flow, b->j->reference);
}

jn_status jni_solve_ports(builder *b)
{
    jn_junction *j = b->j;
    bool reference_known = false;
    jn_guard got;
    j->first_port_pivot = jn_elimination_pivots(b->elim);
    for (int i = 0; i < b->nports; i++) {
        const port *p = &b->port[i];
        const jn_element *x = &b->g->element[p->element];
        if (!jn_kind_is_source(x->kind) && !jn_kind_is_storage(x->kind) && !reference_known) {
            choose_reference(b);
            reference_known = true;
        }
        bool effort = x->kind == JN_R ? resistor_wants_effort(b, p) : jni_wants_effort(x->kind);
        jn_status s = serve(&got, b, p, effort);
        if (s != JN_OK)
            return s;
        if (jn_kind_is_source(x->kind)) {
            j->imposed[x->number] = got;
            j->allowed = jn_guard_and(b->ring.guards, j->allowed, got);
        } else if (jn_kind_is_storage(x->kind)) {
            j->integral[x->number] = got;
        } else {
            j->resistance[x->number] = effort ? jn_guard_not(b->ring.guards, got) : got;
        }
    }
    if (!reference_known)
        choose_reference(b);
    j->forbidden = jn_guard_not(b->ring.guards, j->allowed);
    return JN_OK;
}
