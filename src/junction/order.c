/* order.c: the order in which guards test the switches.
 *
 * The size of a diagram depends on it: switches that act together should stand together. Three
 * orders are on offer: as declared, and along the graph depth first and breadth first. Every
 * element counts as a neighbour of the switch nearest to it; an order is good when, at each point
 * of it, few of the switches before have neighbours among those after. */
#include <stdlib.h>
#include <string.h>

#include "junction_internal.h"

/* Elements by visit, from the given start; breadth or depth first. */
typedef struct {
    const jn_graph *g;
    bool depth_first;
    bool *seen;
    int *pending; /* a queue or a stack */
    int head, tail;
    int *order; /* switches found so far */
    int n;
} walk;

static int neighbour(const jn_graph *g, int element, int k)
{
    const jn_bond *b = &g->bond[g->element[element].bond[k]];
    return b->tail == element ? b->head : b->tail;
}

static void visit_from(walk *w, int start)
{
    w->head = w->tail = 0;
    w->pending[w->tail++] = start;
    while (w->head < w->tail) {
        int x = w->depth_first ? w->pending[--w->tail] : w->pending[w->head++];
        if (w->seen[x])
            continue;
        w->seen[x] = true;
        if (jn_kind_is_switch(w->g->element[x].kind))
            w->order[w->n++] = w->g->element[x].number;
        int n = w->g->element[x].nbonds;
        for (int k = 0; k < n; k++) {
            /* a stack gives back the last one first */
            int y = neighbour(w->g, x, w->depth_first ? n - 1 - k : k);
            if (!w->seen[y])
                w->pending[w->tail++] = y;
        }
    }
}

static int *walk_order(const jn_graph *g, bool depth_first)
{
    walk w = {.g = g, .depth_first = depth_first};
    w.seen = jn_alloc((size_t)g->nelements * sizeof *w.seen);
    w.pending = jn_alloc((size_t)(2 * g->nbonds + 1) * sizeof *w.pending);
    w.order = jn_alloc((size_t)g->nswitches * sizeof *w.order);
    for (int i = 0; i < g->nsources; i++)
        if (!w.seen[g->source[i]])
            visit_from(&w, g->source[i]);
    for (int i = 0; i < g->nelements; i++)
        if (!w.seen[i])
            visit_from(&w, i);
    free(w.seen);
    free(w.pending);
    return w.order;
}

/* nearest[element]: the switch next to it, −1 where there is none. */
static int *nearest_switches(const jn_graph *g)
{
    int *nearest = jn_alloc((size_t)g->nelements * sizeof *nearest);
    int *queue = jn_alloc((size_t)g->nelements * sizeof *queue), head = 0, tail = 0;
    for (int i = 0; i < g->nelements; i++)
        nearest[i] = -1;
    for (int i = 0; i < g->nswitches; i++) {
        nearest[g->sw[i]] = i;
        queue[tail++] = g->sw[i];
    }
    while (head < tail) {
        int x = queue[head++];
        for (int k = 0; k < g->element[x].nbonds; k++) {
            int y = neighbour(g, x, k);
            if (nearest[y] < 0) {
                nearest[y] = nearest[x];
                queue[tail++] = y;
            }
        }
    }
    free(queue);
    return nearest;
}

/* The frontier of an order, added up over all its points. */
static long frontier(const jn_graph *g, const int *nearest, const int *order)
{
    int *rank = jn_alloc((size_t)g->nswitches * sizeof *rank);
    int *last = jn_alloc((size_t)g->nswitches * sizeof *last);
    long sum = 0;
    for (int i = 0; i < g->nswitches; i++)
        rank[order[i]] = last[order[i]] = i;
    for (int i = 0; i < g->nbonds; i++) {
        int a = nearest[g->bond[i].tail], b = nearest[g->bond[i].head];
        if (a < 0 || b < 0)
            continue;
        if (rank[b] > last[a])
            last[a] = rank[b];
        if (rank[a] > last[b])
            last[b] = rank[a];
    }
    for (int i = 0; i < g->nswitches; i++)
        sum += last[i] - rank[i];
    free(rank);
    free(last);
    return sum;
}

int *jn_switch_order(const jn_graph *g)
{
    if (!g->nswitches)
        return NULL;
    int *declared = jn_alloc((size_t)g->nswitches * sizeof *declared);
    for (int i = 0; i < g->nswitches; i++)
        declared[i] = i;
    int *offer[] = {declared, walk_order(g, true), walk_order(g, false)};
    int *nearest = nearest_switches(g);
    int best = 0;
    long least = frontier(g, nearest, offer[0]);
    for (int i = 1; i < 3; i++) {
        long f = frontier(g, nearest, offer[i]);
        if (f < least) {
            least = f;
            best = i;
        }
    }
    free(nearest);
    for (int i = 0; i < 3; i++)
        if (i != best)
            free(offer[i]);
    return offer[best];
}

/* ---- elements -------------------------------------------------------------------------------- */

/* One step of a depth-first walk: the next neighbour of the element on top, or its end. */
typedef struct {
    int element, next;
} step;

int *jn_elements_ends_first(const jn_graph *g)
{
    int *order = jn_alloc((size_t)g->nelements * sizeof *order), n = 0;
    bool *seen = jn_alloc((size_t)g->nelements * sizeof *seen);
    step *path = jn_alloc((size_t)(g->nelements + 1) * sizeof *path);
    for (int start = 0; start < g->nelements; start++) {
        int depth = 0;
        if (!seen[start])
            path[depth++] = (step){start, 0};
        seen[start] = true;
        while (depth) {
            step *top = &path[depth - 1];
            if (top->next == g->element[top->element].nbonds) {
                order[n++] = top->element;
                depth--;
                continue;
            }
            int y = neighbour(g, top->element, top->next++);
            if (!seen[y])
                path[depth++] = (step){y, 0};
            seen[y] = true;
        }
    }
    free(seen);
    free(path);
    return order;
}
