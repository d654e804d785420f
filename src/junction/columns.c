/* columns.c: the columns of the junction structure, and its ports in the order of service. */
#include <stdlib.h>

#include "junction_internal.h"

static bool shares_bond(const jn_graph *g, const jn_bond *bond)
{
    return jn_kind_is_port(g->element[bond->tail].kind) &&
           jn_kind_is_port(g->element[bond->head].kind);
}

static void place_port(columns *c, const jn_graph *g, const bool *shorted, int element)
{
    const jn_element *x = &g->element[element];
    const jn_bond *bond = &g->bond[x->bond[0]];
    port *p = &c->port[c->nports];
    p->element = element;
    p->effort = effort_col(x->bond[0]);
    p->flow = flow_col(x->bond[0]);
    bool second = shares_bond(g, bond) && bond->head == element;
    if (!second && bond->tail == element && !jn_kind_is_source(x->kind))
        c->flow_sign[x->bond[0]] = -1;
    if (second || (shorted && shorted[element])) {
        p->effort = c->ncols++;
        p->flow = c->ncols++;
    }
    c->port_effort[element] = p->effort;
    c->port_flow[element] = p->flow;
    c->port_at[p->effort] = c->port_at[p->flow] = c->nports++;
}

typedef struct {
    int element, priority;
} ranked;

/* Higher priority first; equal ones stay in file order. */
static int by_priority(const void *a, const void *b)
{
    const ranked *x = a, *y = b;
    if (x->priority != y->priority)
        return x->priority > y->priority ? -1 : 1;
    return x->element - y->element;
}

static void place_storages(columns *c, const jn_graph *g)
{
    ranked *r = jn_alloc((size_t)g->nstorages * sizeof *r);
    for (int i = 0; i < g->nstorages; i++)
        r[i] = (ranked){g->storage[i], g->element[g->storage[i]].priority};
    qsort(r, (size_t)g->nstorages, sizeof *r, by_priority);
    for (int i = 0; i < g->nstorages; i++)
        place_port(c, g, NULL, r[i].element);
    free(r);
}

static void place_sources(columns *c, const jn_graph *g, const bool *late, bool when)
{
    for (int i = 0; i < g->nsources; i++)
        if ((late && late[i]) == when)
            place_port(c, g, NULL, g->source[i]);
}

static int *filled(int n, int value)
{
    int *a = jn_alloc((size_t)n * sizeof *a);
    for (int i = 0; i < n; i++)
        a[i] = value;
    return a;
}

static void place_resistors(columns *c, const jn_graph *g, const bool *early, bool when,
                            const signed char *first, const bool *shorted)
{
    for (int turn = first ? 4 : 0; turn >= 0; turn--)
        for (int i = 0; i < g->nresistors; i++)
            if ((early && early[i]) == when && (first ? first[i] : 0) == turn)
                place_port(c, g, shorted, g->resistor[i]);
}

void jni_place_columns(columns *c, const jn_graph *g, const bool *late, const bool *early,
                       const signed char *first, const bool *shorted)
{
    int n = g->nsources + g->nstorages + g->nresistors;
    *c = (columns){.ncols = 2 * g->nbonds};
    c->port = jn_alloc((size_t)n * sizeof *c->port);
    c->port_at = filled(2 * g->nbonds + 2 * n, -1);
    c->flow_sign = filled(g->nbonds, 1);
    c->port_effort = filled(g->nelements, -1);
    c->port_flow = filled(g->nelements, -1);
    place_sources(c, g, late, false);
    place_resistors(c, g, early, true, first, shorted);
    place_storages(c, g);
    place_sources(c, g, late, true);
    place_resistors(c, g, early, false, first, shorted);
}

void jni_columns_clear(columns *c)
{
    free(c->port);
    free(c->port_at);
    free(c->flow_sign);
    free(c->port_effort);
    free(c->port_flow);
}
