/* spread.c: junctions with many bonds as balanced trees of small ones.
 *
 * Where many cells meet at one junction, its row of summed variables has an entry for each of
 * them, and every cell that is served restricts all those entries to the modes that are left: n
 * cells, n entries, guards of length n. A tree of junctions of the same kind says the same. A
 * branch of it sums the cells below it, whose guards know those cells only, and what is done at
 * the top is done once. So the work falls from n³ to n².
 *
 *       a b c d e f                    a b   c d   e f
 *       | | | | | |                     \|    |    |/
 *       ─────1─────         →            1────1────1
 *
 * The root is the junction itself: a controlled one stays controlled there and needs no other
 * (where its flow is zero, so is that of the whole tree). Detachable sources stay at the root,
 * which lets them go.
 *
 * The bonds between the parts come after those of the model and are in nobody's results. */
#include <stdlib.h>

#include "junction_internal.h"

enum { MANY = 4 }; /* bonds from which a junction is spread */

static bool is_junction(jn_kind kind)
{
    return kind == JN_0 || kind == JN_1 || jn_kind_is_switch(kind);
}

/* The bonds that move into the tree: all but those of sources that are let go. */
static int movable(int *bond, const jn_graph *g, int element)
{
    const jn_element *x = &g->element[element];
    int n = 0;
    for (int i = 0; i < x->nbonds; i++)
        if (!jn_graph_lets_go(g, element, x->bond[i]))
            bond[n++] = x->bond[i];
    return n;
}

/* How many bonds the tree of a junction adds; 0: it stays as it is. */
static int added_by(const jn_graph *g, int element)
{
    const jn_element *x = &g->element[element];
    if (!is_junction(x->kind) || x->nbonds <= MANY)
        return 0;
    int *bond = jn_alloc((size_t)x->nbonds * sizeof *bond);
    int n = movable(bond, g, element);
    free(bond);
    return n > MANY ? n - 3 : 0;
}

/* ---- growing a tree ------------------------------------------------------------------------ */

typedef struct {
    jn_graph *g;
    jn_kind kind; /* of the inner junctions */
} tree;

static int new_junction(const tree *t)
{
    int element = t->g->nelements++;
    t->g->element[element] = (jn_element){.kind = t->kind, .name = "", .number = -1};
    return element;
}

static int new_bond(const tree *t, int tail)
{
    int bond = t->g->nbonds++;
    t->g->bond[bond] = (jn_bond){.name = "", .tail = tail};
    return bond;
}

static void move_end(jn_graph *g, int bond, int from, int to)
{
    jn_bond *b = &g->bond[bond];
    *(b->tail == from ? &b->tail : &b->head) = to;
}

/* Hangs n bonds of the root below an element; returns the bond they hang on there. */
static int hang(const tree *t, int root, int below, const int *bond, int n)
{
    if (n == 1) {
        move_end(t->g, bond[0], root, below);
        return bond[0];
    }
    int joint = new_bond(t, below), inner = new_junction(t);
    int *list = jn_arena_alloc(t->g->arena, 3 * sizeof *list);
    t->g->bond[joint].head = inner;
    list[0] = joint;
    list[1] = hang(t, root, inner, bond, n / 2);
    list[2] = hang(t, root, inner, bond + n / 2, n - n / 2);
    t->g->element[inner].bond = list;
    t->g->element[inner].nbonds = 3;
    return joint;
}

static void spread_junction(jn_graph *g, int root)
{
    jn_element *x = &g->element[root];
    tree t = {g, x->kind == JN_0 || x->kind == JN_X0 ? JN_0 : JN_1};
    int *bond = jn_alloc((size_t)x->nbonds * sizeof *bond), n = movable(bond, g, root);
    int *list = jn_arena_alloc(g->arena, (size_t)(x->nbonds - n + 3) * sizeof *list), k = 3;
    for (int i = 0; i < x->nbonds; i++)
        if (jn_graph_lets_go(g, root, x->bond[i]))
            list[k++] = x->bond[i];
    for (int i = 0; i < 3; i++) {
        int from = n * i / 3, to = n * (i + 1) / 3;
        list[i] = hang(&t, root, root, bond + from, to - from);
    }
    x->bond = list;
    x->nbonds = k;
    free(bond);
}

/* ---- the graph ----------------------------------------------------------------------------- */

/* The same graph in memory of its own, with room for more junctions and bonds. */
static jn_graph *copy_with_room(const jn_graph *g, int room)
{
    jn_arena *arena = jn_arena_new();
    jn_graph *copy = jn_arena_alloc(arena, sizeof *copy);
    *copy = *g;
    copy->arena = arena;
    copy->element = jn_arena_alloc(arena, (size_t)(g->nelements + room) * sizeof *g->element);
    copy->bond = jn_arena_alloc(arena, (size_t)(g->nbonds + room) * sizeof *g->bond);
    for (int i = 0; i < g->nelements; i++)
        copy->element[i] = g->element[i];
    for (int i = 0; i < g->nbonds; i++)
        copy->bond[i] = g->bond[i];
    return copy;
}

jn_graph *jni_spread(const jn_graph *g)
{
    int room = 0;
    for (int i = 0; i < g->nelements; i++)
        room += added_by(g, i);
    if (room == 0)
        return NULL;
    jn_graph *spread = copy_with_room(g, room);
    for (int i = 0; i < g->nelements; i++)
        if (added_by(g, i))
            spread_junction(spread, i);
    return spread;
}

void jni_spread_free(jn_graph *g)
{
    if (g)
        jn_arena_free(g->arena);
}
