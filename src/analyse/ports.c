/* ports.c: the efforts and flows of bonds in one mode.
 *
 * The junction's elimination keeps, for every variable it solved for, the row that gives it in
 * terms of variables solved for later or not at all. So one pass forwards finds what a wanted
 * variable rests on, and one pass backwards puts the values in. What is never solved for is the
 * input of a port, or left open by a redundant loop; the open ones are carried along as unknowns,
 * for they may cancel: around such a loop a flow is open, but not what the loop as a whole takes.
 */
#include <stdlib.h>

#include "analyse_internal.h"

/* The place of a port's input among all inputs; −1 where the element is no port. */
static int place_of(const jn_graph *g, int element)
{
    const jn_element *e = &g->element[element];
    if (jn_kind_is_storage(e->kind))
        return e->number;
    if (e->kind == JN_R)
        return g->nstorages + e->number;
    return jn_kind_is_source(e->kind) ? g->nstorages + g->nresistors + e->number : -1;
}

/* Marks what wanted columns need. */
static void mark(bool *needed, const jn_junction *j, const jn_onoff *m)
{
    const jn_elimination *e = j->elimination;
    for (int i = 0; i < jn_elimination_pivots(e); i++) {
        const jn_pivot *p = jn_elimination_pivot(e, i);
        if (!needed[p->col] || !jn_guard_at(j->ring.guards, p->guard, m))
            continue;
        const jn_row *row = jn_elimination_row(e, p->row);
        for (int k = 0; k < row->n; k++)
            if (!jn_ratfun_is_zero(jn_guarded_at(&row->e[k].value, m, j->ring)))
                needed[row->e[k].col] = true;
    }
}

/* value of the pivot's column = −Σ coefficient·value */
static jn_ratfun *evaluate(const jn_ports *p, const jn_junction *j, const jn_pivot *pivot,
                           const jn_onoff *m)
{
    jn_field *k = j->ring.field;
    const jn_row *row = jn_elimination_row(j->elimination, pivot->row);
    jn_ratfun *sum = jn_alloc((size_t)p->width * sizeof *sum);
    for (int i = 0; i < row->n; i++) {
        jn_ratfun c = jn_guarded_at(&row->e[i].value, m, j->ring);
        if (row->e[i].col == pivot->col || jn_ratfun_is_zero(c))
            continue;
        const jn_ratfun *v = p->of[row->e[i].col];
        for (int x = 0; x < p->width; x++)
            if (!jn_ratfun_is_zero(v[x]))
                sum[x] = jn_ratfun_sub(k, sum[x], jn_ratfun_mul(k, c, v[x]));
    }
    return sum;
}

/* The place of each needed column that nothing solves for, else −1: the inputs of the ports, then
 * the open ones. Returns how many places there are. */
static int place_columns(int *place, const jn_ports *p, const jn_junction *j, const bool *needed,
                         const bool *solved)
{
    int width = p->size;
    for (int c = 0; c < p->ncols; c++)
        place[c] = -1;
    for (int e = 0; e < j->graph->nelements; e++) {
        const int cols[] = {j->port_effort[e], j->port_flow[e]};
        for (int i = 0; i < 2; i++)
            if (cols[i] >= 0 && needed[cols[i]] && !solved[cols[i]])
                place[cols[i]] = place_of(j->graph, e);
    }
    for (int c = 0; c < p->ncols; c++)
        if (needed[c] && !solved[c] && place[c] < 0)
            place[c] = width++;
    return width;
}

bool jn_ports_is_open(const jn_ports *p, const jn_ratfun *row)
{
    for (int x = p->size; x < p->width; x++)
        if (!jn_ratfun_is_zero(row[x]))
            return true;
    return false;
}

void jn_ports_solve(jn_ports *p, const jn_junction *j, const jn_onoff *m, const bool *wanted)
{
    const jn_graph *g = j->graph;
    const jn_elimination *e = j->elimination;
    *p = (jn_ports){0};
    p->size = g->nstorages + g->nresistors + g->nsources;
    p->ncols = 2 * g->nbonds + 2 * p->size;
    p->of = jn_alloc((size_t)p->ncols * sizeof *p->of);
    bool *needed = jn_alloc((size_t)p->ncols * sizeof *needed);
    bool *solved = jn_alloc((size_t)p->ncols * sizeof *solved);
    int *place = jn_alloc((size_t)p->ncols * sizeof *place);
    for (int c = 0; c < 2 * g->nbonds; c++)
        needed[c] = wanted[c];
    mark(needed, j, m);
    for (int i = 0; i < jn_elimination_pivots(e); i++)
        if (jn_guard_at(j->ring.guards, jn_elimination_pivot(e, i)->guard, m))
            solved[jn_elimination_pivot(e, i)->col] = true;
    p->width = place_columns(place, p, j, needed, solved);
    for (int c = 0; c < p->ncols; c++)
        if (place[c] >= 0) {
            p->of[c] = jn_alloc((size_t)p->width * sizeof *p->of[c]);
            p->of[c][place[c]] = JN_RATFUN_ONE;
        }
    for (int i = jn_elimination_pivots(e) - 1; i >= 0; i--) {
        const jn_pivot *pivot = jn_elimination_pivot(e, i);
        if (needed[pivot->col] && jn_guard_at(j->ring.guards, pivot->guard, m))
            p->of[pivot->col] = evaluate(p, j, pivot, m);
    }
    free(needed);
    free(solved);
    free(place);
}

void jn_ports_clear(jn_ports *p)
{
    for (int c = 0; c < p->ncols; c++)
        free(p->of[c]);
    free(p->of);
}

/* ---- S in a mode ----------------------------------------------------------------------------- */

int jn_structure_row(const jn_junction *j, const jn_mode *mode, int element)
{
    const jn_element *e = &j->graph->element[element];
    for (int i = 0; i < j->nrows; i++) {
        if (j->row[i].element != element)
            continue;
        bool first = j->row[i].form == JN_STATE || j->row[i].form == JN_FLOW_IN;
        if (first == (e->kind == JN_R ? mode->resistance : mode->integral)[e->number])
            return i;
    }
    return -1;
}

jn_ratfun jn_structure_at(const jn_junction *j, const jn_onoff *m, int row, int col)
{
    const jn_guarded *v = row >= 0 && col >= 0 ? jn_matrix_get(&j->S, row, col) : NULL;
    return v ? jn_guarded_at(v, m, j->ring) : JN_RATFUN_ZERO;
}
