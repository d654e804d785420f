/* guard.c: the fence around the BDD library (BuDDy); no other file includes its header.
 *
 * BuDDy keeps one node table for the whole process. All spaces share it: it is set up with
 * the first space and torn down with the last, and its variable k is, in every space, the
 * switch tested k-th. What that library asks for, and how it is met here:
 *
 * - A node that nobody references may vanish whenever another is made, even while it is an
 *   argument. So every node handed out is referenced at once and stays so until the last space
 *   closes, or until its scope is left (jn_guards_enter). Counts saturate, which is harmless.
 * - Its operators remember results in small tables of fixed size, and recompute what has been
 *   overwritten there, and what that needs, and so on: on large diagrams they practically do
 *   not end. So only its node table and its collector are used; guard_ops.c has the operators.
 * - When the nodes run out it calls the error hook and goes on with wrong ones. The hook raises
 *   a flag, the operation ends early and the space has failed. The limit is per space, but
 *   counts the nodes of all: they share the memory.
 * - Its collector reports to standard output unless told not to. Its table sizes are found
 *   prime with numbers from rand(), which nothing in this library uses. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <bdd.h>

#include "guard_internal.h"

enum {
    FIRST_NODES = 4000, /* small: most models need few, and a larger table costs at every start */
    THEIR_CACHE = 100,  /* entries in tables that are not used here */
    LARGEST_STEP = 1 << 23,
    DEFAULT_LIMIT = 64000000
};

/* A look at the clock is taken after so many operations, and nodes made within one. */
enum { OPERATIONS_BETWEEN = 1024, NODES_BETWEEN = 1 << 16 };

static struct {
    jn_guards *spaces; /* those alive */
    bool overflow;     /* raised by the error hook, or when a limit of time or memory is spent */
    jn_spent why;      /* overflow: what is spent */
    int operations, nodes; /* since the last look at the clock */
} fence;

struct jn_guards {
    jn_guards *next;
    int n;
    int *order;    /* position → switch; order[n] = n */
    int *position; /* switch → position; position[n] = n */
    int limit;
    jn_budget budget;
    bool failed;
    jn_spent spent; /* failed: which limit */
    int scopes;     /* how many are open */
    int nmade, capmade;
    int *made; /* the nodes referenced since the outermost scope was entered */
    jn_cache cache;
};

/* ---- spaces -------------------------------------------------------------------------------- */

static void on_error(int code)
{
    if (code == BDD_NODENUM) {
        fence.overflow = true;
        fence.why = JN_NODES_SPENT;
        return;
    }
    if (code == BDD_MEMORY)
        jn_memory_exhausted(0);
    fputs("junct: misuse of the BDD library\n", stderr);
    abort();
}

/* Nodes that vanish may be results in a cache. */
static void on_collection(int before, bddGbcStat *stat)
{
    (void)stat;
    for (jn_guards *g = fence.spaces; g && before; g = g->next)
        jn_cache_forget(&g->cache);
}

static void open_fence(void)
{
    if (bdd_init(FIRST_NODES, THEIR_CACHE) == BDD_MEMORY)
        jn_memory_exhausted(0);
    bdd_gbc_hook(on_collection);
    bdd_error_hook(on_error);
    bdd_setmaxincrease(LARGEST_STEP);
    bdd_setvarnum(1); /* or bdd_done would free tables that were never allocated */
    fence.overflow = false;
}

/* Nested operations of any space count: they all take the same time and memory. */
static void look_at_clock(void)
{
    fence.operations = fence.nodes = 0;
    for (const jn_guards *g = fence.spaces; g && !fence.overflow; g = g->next) {
        fence.why = jn_budget_check(&g->budget);
        fence.overflow = fence.why != JN_WITHIN;
    }
}

/* After every operation: has the space outgrown its limit? A collection that frees only little
 * counts as failure, or there would soon be a collection in every operation. */
void jn_guards_check_limit(jn_guards *g)
{
    if (++fence.operations >= OPERATIONS_BETWEEN)
        look_at_clock();
    if (jn_nodes_ran_out()) {
        fence.overflow = false;
        bdd_clear_error();
        jn_cache_forget(&g->cache); /* it may hold wrong results */
        g->failed = true;
        g->spent = fence.why;
    } else if (bdd_getnodenum() > g->limit) {
        bdd_gbc();
        g->failed = bdd_getnodenum() > g->limit - g->limit / 16;
        g->spent = JN_NODES_SPENT;
    }
}

jn_guards *jn_guards_new(int nswitches, const int *order)
{
    if (!fence.spaces)
        open_fence();
    jn_guards *g = jn_alloc(sizeof *g);
    g->next = fence.spaces;
    fence.spaces = g;
    g->n = nswitches;
    g->order = jn_alloc((size_t)(nswitches + 1) * sizeof *g->order);
    g->position = jn_alloc((size_t)(nswitches + 1) * sizeof *g->position);
    for (int k = 0; k <= nswitches; k++) {
        g->order[k] = order && k < nswitches ? order[k] : k;
        g->position[g->order[k]] = k;
    }
    jn_guards_limit(g, DEFAULT_LIMIT);
    if (nswitches > bdd_varnum())
        bdd_setvarnum(nswitches);
    jn_guards_check_limit(g);
    return g;
}

void jn_guards_free(jn_guards *g)
{
    if (!g)
        return;
    jn_guards **link = &fence.spaces;
    while (*link != g)
        link = &(*link)->next;
    *link = g->next;
    free(g->order);
    free(g->position);
    free(g->made);
    jn_cache_clear(&g->cache);
    free(g);
    if (!fence.spaces)
        bdd_done();
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
    g->limit = nodes;
    /* The table may grow to the largest limit of all; it never shrinks. */
    int most = bdd_getallocnum() + 1;
    for (const jn_guards *space = fence.spaces; space; space = space->next)
        if (space->limit > most)
            most = space->limit;
    bdd_setmaxnodenum(most);
}

void jn_guards_within(jn_guards *g, const jn_limits *l)
{
    jn_budget_start(&g->budget, l);
}

jn_spent jn_guards_spent(const jn_guards *g)
{
    return g->failed ? g->spent : JN_WITHIN;
}

int jn_guards_at(const jn_guards *g, int k)
{
    return g->order[k];
}

int jn_guards_position(const jn_guards *g, int s)
{
    return g->position[s];
}

/* ---- ownership ----------------------------------------------------------------------------- */

jn_guard jn_guards_hand_out(jn_guards *g, int node)
{
    bdd_addref(node);
    jn_guards_check_limit(g);
    if (g->failed) {
        bdd_delref(node);
        return jn_guard_false();
    }
    if (g->scopes) {
        JN_GROW(g->made, g->nmade, g->capmade);
        g->made[g->nmade++] = node;
    }
    return (jn_guard){node};
}

int jn_guards_enter(jn_guards *g)
{
    g->scopes++;
    return g->nmade;
}

jn_guard jn_guards_leave(jn_guards *g, int mark, jn_guard kept)
{
    bdd_addref(kept.node);
    while (g->nmade > mark)
        bdd_delref(g->made[--g->nmade]);
    if (--g->scopes) {
        JN_GROW(g->made, g->nmade, g->capmade);
        g->made[g->nmade++] = kept.node;
    }
    return kept;
}

/* ---- nodes --------------------------------------------------------------------------------- */

jn_cache *jn_guards_cache(jn_guards *g)
{
    return &g->cache;
}

int jn_node_at(int node)
{
    return node < 2 ? INT_MAX : bdd_var(node);
}

int jn_node_low(int node)
{
    return bdd_low(node);
}

int jn_node_high(int node)
{
    return bdd_high(node);
}

/* With a variable above both branches, their if-then-else is no more than a look in the table. */
int jn_node_make(int at, int low, int high)
{
    if (++fence.nodes >= NODES_BETWEEN)
        look_at_clock();
    if (low == high || fence.overflow)
        return low;
    return bdd_ite(bdd_ithvar(at), high, low);
}

void jn_node_hold(int node)
{
    bdd_addref(node);
}

void jn_node_release(int node)
{
    bdd_delref(node);
}

/* Somebody who wants it to end is a limit like any other. */
bool jn_nodes_ran_out(void)
{
    if (!fence.overflow && jn_interrupted()) {
        fence.overflow = true;
        fence.why = JN_STOP_ASKED;
    }
    return fence.overflow;
}

/* Variables belong to the library and need no reference. */
jn_guard jn_guard_literal(jn_guards *g, int s, bool on)
{
    int k = g->position[s];
    if (g->failed)
        return jn_guard_false(); /* the variable may not even exist */
    return (jn_guard){on ? bdd_ithvar(k) : bdd_nithvar(k)};
}

int jn_guard_top(const jn_guards *g, jn_guard a)
{
    return a.node < 2 ? g->n : g->order[bdd_var(a.node)];
}

jn_guard jn_guard_low(jn_guard a)
{
    return (jn_guard){bdd_low(a.node)};
}

jn_guard jn_guard_high(jn_guard a)
{
    return (jn_guard){bdd_high(a.node)};
}

void jn_guard_support(bool *member, jn_guards *g, jn_guard a)
{
    memset(member, 0, (size_t)g->n * sizeof *member);
    if (a.node < 2)
        return;
    int *uses = bdd_varprofile(a.node);
    for (int k = 0; k < g->n; k++)
        member[g->order[k]] = uses[k] > 0;
    free(uses);
}

int jn_guard_nodes(jn_guards *g, jn_guard a)
{
    (void)g;
    return a.node < 2 ? 0 : bdd_nodecount(a.node);
}
