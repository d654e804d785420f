/* guard.c: the fence around the BDD library (BuDDy); no other file includes its header.
 *
 * BuDDy keeps one node table for the whole process. All spaces share it: it is set up with
 * the first space and torn down with the last, and its variable k is, in every space, the
 * switch tested k-th. What that library asks for, and how it is met here:
 *
 * - A node that nobody references may vanish in any later operation, even while it is an
 *   argument. So every node handed out is referenced at once and stays so until the last space
 *   closes, or until its scope is left (jn_guards_enter). Counts saturate, which is harmless.
 * - An operation that runs out of nodes calls the error hook and goes on with wrong nodes. The
 *   hook raises a flag, the caller finds it up and the space has failed. The limit is per
 *   space, but counts the nodes of all: they share the memory.
 * - Its collector reports to standard output unless told not to. Its table sizes are found
 *   prime with numbers from rand(), which nothing in this library uses. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <bdd.h>

#include "guard_internal.h"

enum {
    FIRST_NODES = 16000, /* small: starting up takes a fraction of a millisecond */
    CACHE_RATIO = 4,     /* nodes per cache entry; the caches grow with the table */
    LARGEST_STEP = 1 << 23,
    DEFAULT_LIMIT = 64000000
};

static struct {
    jn_guards *spaces; /* those alive */
    bool overflow;     /* raised by the error hook */
} fence;

struct jn_guards {
    jn_guards *next;
    int n;
    int *order;    /* position → switch; order[n] = n */
    int *position; /* switch → position; position[n] = n */
    int limit;
    bool failed;
    int scopes; /* how many are open */
    int nmade, capmade;
    int *made; /* the nodes referenced since the outermost scope was entered */
};

/* ---- spaces ------------------------------------------------------------------------------ */

static void on_error(int code)
{
    if (code == BDD_NODENUM) {
        fence.overflow = true;
        return;
    }
    fputs(code == BDD_MEMORY ? "junct: out of memory\n" : "junct: misuse of the BDD library\n",
          stderr);
    abort();
}

static void open_fence(void)
{
    bdd_init(FIRST_NODES, FIRST_NODES / CACHE_RATIO);
    bdd_gbc_hook(NULL);
    bdd_error_hook(on_error);
    bdd_setmaxincrease(LARGEST_STEP);
    bdd_setcacheratio(CACHE_RATIO);
    bdd_setvarnum(1); /* or bdd_done would free tables that were never allocated */
    fence.overflow = false;
}

/* After every operation: has the space outgrown its limit? A collection that frees only little
 * counts as failure, or there would soon be a collection in every operation. */
static void check_limit(jn_guards *g)
{
    if (fence.overflow) {
        fence.overflow = false;
        bdd_clear_error(); /* also empties the caches, which hold wrong results now */
        g->failed = true;
    } else if (bdd_getnodenum() > g->limit) {
        bdd_gbc();
        g->failed = bdd_getnodenum() > g->limit - g->limit / 16;
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
    check_limit(g);
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

int jn_guards_position(const jn_guards *g, int s)
{
    return g->position[s];
}

/* ---- ownership --------------------------------------------------------------------------- */

/* Every result of the library passes here. */
static jn_guard handed_out(jn_guards *g, BDD node)
{
    bdd_addref(node);
    check_limit(g);
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

/* ---- building ---------------------------------------------------------------------------- */

jn_guard jn_guard_true(void)
{
    return (jn_guard){1};
}

jn_guard jn_guard_false(void)
{
    return (jn_guard){0};
}

static bool constant(jn_guard a)
{
    return a.node < 2;
}

/* Variables belong to the library and need no reference. */
jn_guard jn_guard_literal(jn_guards *g, int s, bool on)
{
    int k = g->position[s];
    if (g->failed)
        return jn_guard_false(); /* the variable may not even exist */
    return (jn_guard){on ? bdd_ithvar(k) : bdd_nithvar(k)};
}

jn_guard jn_guard_switch(jn_guards *g, int s)
{
    return jn_guard_literal(g, s, true);
}

jn_guard jn_guard_not(jn_guards *g, jn_guard a)
{
    if (constant(a))
        return (jn_guard){!a.node};
    if (g->failed)
        return jn_guard_false();
    return handed_out(g, bdd_not(a.node));
}

static jn_guard apply(jn_guards *g, jn_guard a, jn_guard b, int op)
{
    if (g->failed)
        return jn_guard_false();
    return handed_out(g, bdd_apply(a.node, b.node, op));
}

jn_guard jn_guard_and(jn_guards *g, jn_guard a, jn_guard b)
{
    if (constant(a))
        return a.node ? b : a;
    if (constant(b) || a.node == b.node)
        return b.node ? a : b;
    return apply(g, a, b, bddop_and);
}

jn_guard jn_guard_or(jn_guards *g, jn_guard a, jn_guard b)
{
    if (constant(a))
        return a.node ? a : b;
    if (constant(b) || a.node == b.node)
        return b.node == 1 ? b : a;
    return apply(g, a, b, bddop_or);
}

jn_guard jn_guard_xor(jn_guards *g, jn_guard a, jn_guard b)
{
    if (a.node == b.node)
        return jn_guard_false();
    if (constant(a))
        return a.node ? jn_guard_not(g, b) : b;
    if (constant(b))
        return b.node ? jn_guard_not(g, a) : a;
    return apply(g, a, b, bddop_xor);
}

jn_guard jn_guard_minus(jn_guards *g, jn_guard a, jn_guard b)
{
    if (a.node == 0 || b.node == 1 || a.node == b.node)
        return jn_guard_false();
    if (b.node == 0)
        return a;
    return apply(g, a, b, bddop_diff);
}

jn_guard jn_guard_ite(jn_guards *g, jn_guard c, jn_guard t, jn_guard e)
{
    if (constant(c))
        return c.node ? t : e;
    if (t.node == e.node)
        return t;
    if (g->failed)
        return jn_guard_false();
    return handed_out(g, bdd_ite(c.node, t.node, e.node));
}

jn_guard jn_guard_cofactor(jn_guards *g, jn_guard a, int s, bool on)
{
    int k = g->position[s], top = g->position[jn_guard_top(g, a)];
    if (k < top)
        return a;
    if (k == top)
        return on ? jn_guard_high(a) : jn_guard_low(a);
    if (g->failed)
        return jn_guard_false();
    return handed_out(g, bdd_restrict(a.node, jn_guard_literal(g, s, on).node));
}

static jn_guard quantify(jn_guards *g, jn_guard a, const bool *member, BDD (*quantifier)(BDD, BDD))
{
    if (constant(a) || g->failed)
        return a;
    /* The set as a product of its switches, built from the last tested up. */
    int mark = jn_guards_enter(g);
    jn_guard set = jn_guard_true();
    for (int k = g->n - 1; k >= 0; k--)
        if (member[g->order[k]])
            set = jn_guard_and(g, jn_guard_switch(g, g->order[k]), set);
    jn_guard r = constant(set) ? a : handed_out(g, quantifier(a.node, set.node));
    return jn_guards_leave(g, mark, r);
}

jn_guard jn_guard_exists(jn_guards *g, jn_guard a, const bool *member)
{
    return quantify(g, a, member, bdd_exist);
}

jn_guard jn_guard_forall(jn_guards *g, jn_guard a, const bool *member)
{
    return quantify(g, a, member, bdd_forall);
}

jn_guard jn_guard_mode(jn_guards *g, const jn_onoff *m)
{
    int mark = jn_guards_enter(g);
    jn_guard r = jn_guard_true();
    for (int k = g->n - 1; k >= 0; k--)
        r = jn_guard_and(g, jn_guard_literal(g, g->order[k], m[g->order[k]]), r);
    return jn_guards_leave(g, mark, r);
}

jn_guard jn_guard_simplify(jn_guards *g, jn_guard a, jn_guard care)
{
    if (constant(a) || constant(care) || g->failed)
        return a;
    return handed_out(g, bdd_simplify(a.node, care.node));
}

/* ---- asking ------------------------------------------------------------------------------ */

bool jn_guard_equal(jn_guard a, jn_guard b)
{
    return a.node == b.node;
}

bool jn_guard_is_true(jn_guard a)
{
    return a.node == 1;
}

bool jn_guard_is_false(jn_guard a)
{
    return a.node == 0;
}

/* Is a op b false? The difference itself is not kept. */
static bool vanishes(jn_guards *g, jn_guard a, jn_guard b, int op)
{
    if (g->failed)
        return true;
    BDD r = bdd_apply(a.node, b.node, op);
    check_limit(g);
    return r == bddfalse;
}

bool jn_guard_implies(jn_guards *g, jn_guard a, jn_guard b)
{
    if (a.node == 0 || b.node == 1 || a.node == b.node)
        return true;
    if (a.node == 1 || b.node == 0)
        return false;
    return vanishes(g, a, b, bddop_diff);
}

bool jn_guard_disjoint(jn_guards *g, jn_guard a, jn_guard b)
{
    if (a.node == 0 || b.node == 0)
        return true;
    if (a.node == 1 || b.node == 1 || a.node == b.node)
        return false;
    return vanishes(g, a, b, bddop_and);
}

int jn_guard_top(const jn_guards *g, jn_guard a)
{
    return constant(a) ? g->n : g->order[bdd_var(a.node)];
}

jn_guard jn_guard_low(jn_guard a)
{
    return (jn_guard){bdd_low(a.node)};
}

jn_guard jn_guard_high(jn_guard a)
{
    return (jn_guard){bdd_high(a.node)};
}

bool jn_guard_at(jn_guards *g, jn_guard a, const jn_onoff *m)
{
    while (!constant(a))
        a = m[jn_guard_top(g, a)] ? jn_guard_high(a) : jn_guard_low(a);
    return a.node == 1;
}

void jn_guard_support(bool *member, jn_guards *g, jn_guard a)
{
    memset(member, 0, (size_t)g->n * sizeof *member);
    if (constant(a))
        return;
    int *uses = bdd_varprofile(a.node);
    for (int k = 0; k < g->n; k++)
        member[g->order[k]] = uses[k] > 0;
    free(uses);
}

int jn_guard_nodes(jn_guards *g, jn_guard a)
{
    (void)g;
    return constant(a) ? 0 : bdd_nodecount(a.node);
}
