/* order.c: the order in which guards test the switches.
 *
 * The size of a diagram depends on it: switches that act together should stand together. Three
 * orders are on offer: as declared, and along the graph depth first and breadth first. Every
 * element counts as a neighbour of the switch nearest to it, and of those that its value depends
 * on; an order is good when, at each point of it, few of the switches before have neighbours among
 * those after. */
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

typedef void on_switch(void *ctx, int element, int sw);

/* Calls f for every switch that a condition asks for, as often as it does. */
static void each_asked(const jn_expr *c, on_switch *f, void *ctx, int element)
{
    if (c->op == JN_X_ON)
        f(ctx, element, c->index);
    for (int i = 0; i < c->nargs; i++)
        each_asked(c->arg[i], f, ctx, element);
}

static void each_switch_of(const jn_graph *g, int element, on_switch *f, void *ctx)
{
    const jn_element *x = &g->element[element];
    for (int i = 0; i < x->ncases; i++)
        if (x->cases[i].when)
            each_asked(x->cases[i].when, f, ctx, element);
}

/* A switch of no junction comes with the first element whose value depends on it. */
static void visit_boolean(void *ctx, int element, int sw)
{
    walk *w = ctx;
    (void)element;
    if (w->g->element[sw].kind == JN_BOOLEAN && !w->seen[sw]) {
        w->seen[sw] = true;
        w->order[w->n++] = w->g->element[sw].number;
    }
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
        each_switch_of(w->g, x, visit_boolean, w);
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

typedef struct {
    const jn_graph *g;
    const int *nearest;
    int *rank, *last; /* of each switch, and of the last that it has to do with */
} span;

static void join(span *s, int a, int b)
{
    if (a < 0 || b < 0)
        return;
    if (s->rank[b] > s->last[a])
        s->last[a] = s->rank[b];
    if (s->rank[a] > s->last[b])
        s->last[b] = s->rank[a];
}

static void join_value(void *ctx, int element, int sw)
{
    span *s = ctx;
    join(s, s->nearest[element], s->g->element[sw].number);
}

/* The frontier of an order, added up over all its points. */
static long frontier(const jn_graph *g, const int *nearest, const int *order)
{
    span s = {g, nearest, jn_alloc((size_t)g->nswitches * sizeof *s.rank),
              jn_alloc((size_t)g->nswitches * sizeof *s.last)};
    long sum = 0;
    for (int i = 0; i < g->nswitches; i++)
        s.rank[order[i]] = s.last[order[i]] = i;
    for (int i = 0; i < g->nbonds; i++)
        join(&s, nearest[g->bond[i].tail], nearest[g->bond[i].head]);
    for (int i = 0; i < g->nelements; i++)
        each_switch_of(g, i, join_value, &s);
    for (int i = 0; i < g->nswitches; i++)
        sum += s.last[i] - s.rank[i];
    free(s.rank);
    free(s.last);
    return sum;
}

int *jni_switch_order(const jn_graph *g)
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

/* ---- elements ------------------------------------------------------------------------------ */

/* One step of a depth-first walk: the next neighbour of the element on top, or its end. */
typedef struct {
    int element, next;
} step;

int *jni_elements_ends_first(const jn_graph *g)
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
