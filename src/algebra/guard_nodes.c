/* guard_nodes.c: the nodes of decision diagrams.
 *
 * A node tests one switch and has two branches. Every node is in the table once, so that equal
 * functions are equal numbers: a node is looked for, by switch and branches, in the list of its
 * place in a hash table, and made only if it is not there.
 *
 * What is handed out is held, and what it reaches stays with it. Nodes that nobody holds are
 * collected between operations, never within one: so an operation may keep node numbers in its
 * variables without holding them. A collection pays only where much has been given up since the
 * last, so the table has to have doubled before the next one is tried. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "guard_internal.h"

enum { FIRST_NODES = 1 << 10 }; /* small: most models need few */

static unsigned place_of(const jni_nodes *t, int at, int low, int high)
{
    uint64_t key = (uint64_t)(uint32_t)low * 0x9E3779B97F4A7C15u;
    key = (key ^ key >> 32 ^ (uint64_t)(uint32_t)high) * 0xBF58476D1CE4E5B9u;
    key = (key ^ key >> 29 ^ (uint64_t)(uint32_t)at) * 0x94D049BB133111EBu;
    return (unsigned)(key >> 32) & (unsigned)(t->cap - 1);
}

static void link_node(jni_nodes *t, int i)
{
    jni_node *x = &t->node[i];
    int *first = &t->first[place_of(t, x->at, x->low, x->high)];
    x->next = *first;
    *first = i;
}

/* Twice the room, and as many lists as there is room for nodes. */
static void enlarge(jni_nodes *t)
{
    t->cap = t->cap ? 2 * t->cap : FIRST_NODES;
    t->node = jn_realloc(t->node, (size_t)t->cap * sizeof *t->node);
    t->held = jn_realloc(t->held, (size_t)t->cap * sizeof *t->held);
    t->seen = jn_realloc(t->seen, (size_t)t->cap * sizeof *t->seen);
    free(t->first);
    t->first = jn_alloc((size_t)t->cap * sizeof *t->first);
    for (int i = 2; i < t->n; i++)
        if (t->node[i].at != INT_MAX)
            link_node(t, i);
}

void jni_nodes_init(jni_nodes *t, int limit)
{
    *t = (jni_nodes){.n = 2, .limit = limit, .collect_at = FIRST_NODES};
    enlarge(t);
    for (int i = 0; i < 2; i++) {
        t->node[i] = (jni_node){INT_MAX, i, i, 0};
        t->held[i] = 1;
        t->seen[i] = 0;
    }
}

void jni_nodes_clear(jni_nodes *t)
{
    free(t->node);
    free(t->held);
    free(t->seen);
    free(t->first);
    jni_cache_clear(&t->cache);
    *t = (jni_nodes){0};
}

static int new_node(jni_nodes *t)
{
    int i = t->free;
    if (i) {
        t->free = t->node[i].next;
    } else {
        if (t->n == t->cap)
            enlarge(t);
        i = t->n++;
    }
    t->used++;
    t->held[i] = 0;
    t->seen[i] = 0;
    return i;
}

int jni_node_make(jni_nodes *t, int at, int low, int high)
{
    if (low == high || t->spent != JN_WITHIN)
        return low;
    for (int i = t->first[place_of(t, at, low, high)]; i; i = t->node[i].next)
        if (t->node[i].low == low && t->node[i].high == high && t->node[i].at == at)
            return i;
    if (t->used >= t->limit) {
        t->spent = JN_NODES_SPENT;
        return low;
    }
    if (++t->made >= JNI_NODES_BETWEEN)
        jni_nodes_look_at_clock(t);
    t->made_ever++;
    int i = new_node(t);
    t->node[i] = (jni_node){at, low, high, 0};
    link_node(t, i);
    return i;
}

void jni_nodes_look_at_clock(jni_nodes *t)
{
    t->made = t->operations = 0;
    if (t->spent == JN_WITHIN)
        t->spent = jn_budget_check(&t->budget);
}

/* ---- going through a diagram --------------------------------------------------------------- */

/* Diagrams are no deeper than there are switches. */
static int walk_below(jni_nodes *t, int i, bool *tested)
{
    if (i < 2 || t->seen[i] == t->walk)
        return 0;
    t->seen[i] = t->walk;
    if (tested)
        tested[t->node[i].at] = true;
    return 1 + walk_below(t, t->node[i].low, tested) + walk_below(t, t->node[i].high, tested);
}

int jni_nodes_walk(jni_nodes *t, int root, bool *tested)
{
    t->walk++;
    return walk_below(t, root, tested);
}

/* ---- collecting ---------------------------------------------------------------------------- */

static void give_up(jni_nodes *t, int i)
{
    t->node[i] = (jni_node){INT_MAX, 0, 0, t->free};
    t->free = i;
    t->used--;
}

void jni_nodes_collect(jni_nodes *t)
{
    t->walk++;
    for (int i = 2; i < t->n; i++)
        if (t->node[i].at != INT_MAX && t->held[i])
            walk_below(t, i, NULL);
    memset(t->first, 0, (size_t)t->cap * sizeof *t->first);
    for (int i = 2; i < t->n; i++) {
        if (t->node[i].at == INT_MAX)
            continue;
        if (t->seen[i] == t->walk)
            link_node(t, i);
        else
            give_up(t, i);
    }
    jni_cache_forget(&t->cache); /* nodes that are gone may be results there */
    t->collect_at = 2 * t->used > FIRST_NODES ? 2 * t->used : FIRST_NODES;
    t->released = false;
}
