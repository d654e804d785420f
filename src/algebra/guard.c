/* guard.c: spaces of guards, their limits, and who holds which node.
 *
 * A space has a table of nodes of its own (guard_nodes.c); guard_ops.c has the operators. Every
 * guard handed out is held until the space closes, or until its scope is left (jni_guards_enter). */
#include <stdlib.h>
#include <string.h>

#include "guard_internal.h"

enum { DEFAULT_LIMIT = 64000000 };

struct jn_guards {
    int n;
    int *order;    /* position → switch; order[n] = n */
    int *position; /* switch → position; position[n] = n */
    bool failed;
    jn_spent spent; /* failed: which limit */
    int scopes;     /* how many are open */
    int nmade, capmade;
    int *made; /* the nodes handed out since the outermost scope was entered */
    jni_nodes nodes;
};

/* ---- spaces -------------------------------------------------------------------------------- */

jn_guards *jn_guards_new(int nswitches, const int *order)
{
    jn_guards *g = jn_alloc(sizeof *g);
    g->n = nswitches;
    g->order = jn_alloc((size_t)(nswitches + 1) * sizeof *g->order);
    g->position = jn_alloc((size_t)(nswitches + 1) * sizeof *g->position);
    for (int k = 0; k <= nswitches; k++) {
        g->order[k] = order && k < nswitches ? order[k] : k;
        g->position[g->order[k]] = k;
    }
    jni_nodes_init(&g->nodes, DEFAULT_LIMIT);
    return g;
}

void jn_guards_free(jn_guards *g)
{
    if (!g)
        return;
    free(g->order);
    free(g->position);
    free(g->made);
    jni_nodes_clear(&g->nodes);
    free(g);
}

int jn_guards_size(const jn_guards *g)
{
    return g->n;
}

bool jn_guards_failed(const jn_guards *g)
{
    return g->failed;
}

void jn_guards_limit(jn_guards *g, int nodes)
{
    g->nodes.limit = nodes;
}

void jn_guards_within(jn_guards *g, const jn_limits *l)
{
    jn_budget_start(&g->nodes.budget, l);
}

void jni_guards_share_budget(jn_guards *g, const jn_guards *with)
{
    g->nodes.budget = with->nodes.budget;
}

jn_spent jn_guards_spent(const jn_guards *g)
{
    return g->failed ? g->spent : JN_WITHIN;
}

long jn_guards_made(const jn_guards *g)
{
    return g->nodes.made_ever;
}

int jni_guards_at(const jn_guards *g, int k)
{
    return g->order[k];
}

int jni_guards_position(const jn_guards *g, int s)
{
    return g->position[s];
}

jni_nodes *jni_guards_nodes(jn_guards *g)
{
    return &g->nodes;
}

/* ---- ownership ----------------------------------------------------------------------------- */

/* A collection near the limit that frees only little counts as failure, or there would soon be one
 * in every operation. */
static void check_limit(jn_guards *g)
{
    jni_nodes *t = &g->nodes;
    if (++t->operations >= JNI_OPERATIONS_BETWEEN)
        jni_nodes_look_at_clock(t);
    if (jni_nodes_ran_out(t)) {
        g->failed = true;
        g->spent = t->spent;
        t->spent = JN_WITHIN;
        jni_cache_forget(&t->cache); /* it may hold wrong results */
        return;
    }
    bool near = t->used > t->limit - t->limit / 16;
    if (near || (t->released && t->used > t->collect_at))
        jni_nodes_collect(t);
    if (near && t->used > t->limit - t->limit / 16) {
        g->failed = true;
        g->spent = JN_NODES_SPENT;
    }
}

static void hold(jn_guards *g, int node)
{
    g->nodes.held[node]++;
    if (g->scopes) {
        JN_GROW(g->made, g->nmade, g->capmade);
        g->made[g->nmade++] = node;
    }
}

jn_guard jni_guards_hand_out(jn_guards *g, int node)
{
    if (g->nodes.held[node] == 0 || g->scopes)
        hold(g, node);
    check_limit(g);
    return g->failed ? jn_guard_false() : (jn_guard){node};
}

int jni_guards_enter(jn_guards *g)
{
    g->scopes++;
    return g->nmade;
}

jn_guard jni_guards_leave(jn_guards *g, int mark, jn_guard kept)
{
    g->nodes.released |= g->nmade > mark;
    while (g->nmade > mark)
        g->nodes.held[g->made[--g->nmade]]--;
    g->scopes--;
    hold(g, kept.node);
    return kept;
}

/* ---- nodes --------------------------------------------------------------------------------- */

jn_guard jni_guard_literal(jn_guards *g, int s, bool on)
{
    if (g->failed)
        return jn_guard_false();
    return jni_guards_hand_out(g, jni_node_make(&g->nodes, g->position[s], !on, on));
}

int jni_guard_top(const jn_guards *g, jn_guard a)
{
    return a.node < 2 ? g->n : g->order[g->nodes.node[a.node].at];
}

jn_guard jni_guard_low(const jn_guards *g, jn_guard a)
{
    return (jn_guard){g->nodes.node[a.node].low};
}

jn_guard jni_guard_high(const jn_guards *g, jn_guard a)
{
    return (jn_guard){g->nodes.node[a.node].high};
}

void jn_guard_support(bool *member, jn_guards *g, jn_guard a)
{
    bool *tested = jn_alloc((size_t)g->n * sizeof *tested);
    jni_nodes_walk(&g->nodes, a.node, tested);
    for (int k = 0; k < g->n; k++)
        member[g->order[k]] = tested[k];
    free(tested);
}

int jn_guard_nodes(jn_guards *g, jn_guard a)
{
    return jni_nodes_walk(&g->nodes, a.node, NULL);
}

typedef struct {
    int at;
    jn_guard guard;
} placed;

static int late_first(const void *a, const void *b)
{
    const placed *x = a, *y = b;
    if (x->at != y->at)
        return x->at > y->at ? -1 : 1;
    return (x->guard.node > y->guard.node) - (x->guard.node < y->guard.node);
}

void jn_guards_sort(jn_guard *list, int n, const jn_guards *g)
{
    placed *p = jn_alloc((size_t)n * sizeof *p);
    for (int i = 0; i < n; i++)
        p[i] = (placed){g->nodes.node[list[i].node].at, list[i]};
    qsort(p, (size_t)n, sizeof *p, late_first);
    for (int i = 0; i < n; i++)
        list[i] = p[i].guard;
    free(p);
}
