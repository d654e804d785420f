/* guard_ops.c: the operators on guards.
 *
 * All of them go down their diagrams together, one switch at a time:
 *
 *     op(f, g) = if λ then op(f at λ = 1, g at λ = 1) else op(f at λ = 0, g at λ = 0),
 *
 * where λ is the switch tested first in any of them, and remember what they have found. AND,
 * OR, NOT and "and not" are cases of if-then-else. In the cache, if-then-else has the nodes
 * of its three arguments as key; the others have a code in place of the third. */
#include "guard_internal.h"

enum {
    XOR = -1,
    IMPLIES = -2,
    DISJOINT = -3,
    COFACTOR = -4,
    EXISTS = -5,
    FORALL = -6,
    SIMPLIFY = -7
};

static int least(int a, int b)
{
    return a < b ? a : b;
}

/* A branch of the node where it tests the switch at this position. */
static int branch(int node, int at, bool on)
{
    if (jn_node_at(node) != at)
        return node;
    return on ? jn_node_high(node) : jn_node_low(node);
}

/* ---- if-then-else and XOR ------------------------------------------------------------------ */

static int ite(jn_cache *c, int f, int g, int h)
{
    g = f == g ? 1 : g;
    h = f == h ? 0 : h;
    if (f == 1 || g == h)
        return g;
    if (f == 0)
        return h;
    if (g == 1 && h == 0)
        return f;
    /* AND and OR: f may change places with the other. */
    if (h == 0 && g < f && g > 1)
        return ite(c, g, f, 0);
    if (g == 1 && h < f && h > 1)
        return ite(c, h, 1, f);
    int r = jn_cache_get(c, f, g, h);
    if (r >= 0 || jn_nodes_ran_out())
        return r >= 0 ? r : 0;
    int at = least(jn_node_at(f), least(jn_node_at(g), jn_node_at(h)));
    int low = ite(c, branch(f, at, 0), branch(g, at, 0), branch(h, at, 0));
    jn_node_hold(low);
    int high = ite(c, branch(f, at, 1), branch(g, at, 1), branch(h, at, 1));
    jn_node_release(low);
    r = jn_node_make(at, low, high);
    jn_cache_put(c, f, g, h, r);
    return r;
}

static int exclusive_or(jn_cache *c, int f, int g)
{
    if (f == g)
        return 0;
    if (f < 2 || g < 2) {
        int other = f < 2 ? g : f;
        return f == 0 || g == 0 ? f | g : ite(c, other, 0, 1);
    }
    if (f > g)
        return exclusive_or(c, g, f);
    int r = jn_cache_get(c, f, g, XOR);
    if (r >= 0 || jn_nodes_ran_out())
        return r >= 0 ? r : 0;
    int at = least(jn_node_at(f), jn_node_at(g));
    int low = exclusive_or(c, branch(f, at, 0), branch(g, at, 0));
    jn_node_hold(low);
    int high = exclusive_or(c, branch(f, at, 1), branch(g, at, 1));
    jn_node_release(low);
    r = jn_node_make(at, low, high);
    jn_cache_put(c, f, g, XOR, r);
    return r;
}

jn_guard jn_guard_true(void)
{
    return (jn_guard){1};
}

jn_guard jn_guard_false(void)
{
    return (jn_guard){0};
}

jn_guard jn_guard_switch(jn_guards *g, int s)
{
    return jn_guard_literal(g, s, true);
}

jn_guard jn_guard_ite(jn_guards *g, jn_guard c, jn_guard t, jn_guard e)
{
    if (jn_guards_failed(g))
        return jn_guard_false();
    return jn_guards_hand_out(g, ite(jn_guards_cache(g), c.node, t.node, e.node));
}

jn_guard jn_guard_not(jn_guards *g, jn_guard a)
{
    return jn_guard_ite(g, a, jn_guard_false(), jn_guard_true());
}

jn_guard jn_guard_and(jn_guards *g, jn_guard a, jn_guard b)
{
    return jn_guard_ite(g, a, b, jn_guard_false());
}

jn_guard jn_guard_or(jn_guards *g, jn_guard a, jn_guard b)
{
    return jn_guard_ite(g, a, jn_guard_true(), b);
}

jn_guard jn_guard_minus(jn_guards *g, jn_guard a, jn_guard b)
{
    return jn_guard_ite(g, b, jn_guard_false(), a);
}

jn_guard jn_guard_xor(jn_guards *g, jn_guard a, jn_guard b)
{
    if (jn_guards_failed(g))
        return jn_guard_false();
    return jn_guards_hand_out(g, exclusive_or(jn_guards_cache(g), a.node, b.node));
}

/* ---- cofactors ----------------------------------------------------------------------------- */

static int cofactor(jn_cache *c, int f, int at, bool on)
{
    int top = jn_node_at(f);
    if (top >= at)
        return branch(f, at, on);
    int key = 2 * at + on, r = jn_cache_get(c, f, key, COFACTOR);
    if (r >= 0 || jn_nodes_ran_out())
        return r >= 0 ? r : 0;
    int low = cofactor(c, jn_node_low(f), at, on);
    jn_node_hold(low);
    int high = cofactor(c, jn_node_high(f), at, on);
    jn_node_release(low);
    r = jn_node_make(top, low, high);
    jn_cache_put(c, f, key, COFACTOR, r);
    return r;
}

jn_guard jn_guard_cofactor(jn_guards *g, jn_guard a, int s, bool on)
{
    if (jn_guards_failed(g))
        return jn_guard_false();
    int at = jn_guards_position(g, s);
    return jn_guards_hand_out(g, cofactor(jn_guards_cache(g), a.node, at, on));
}

/* ---- quantifiers --------------------------------------------------------------------------- */

/* The set is the product of its switches. */
static int quantify(jn_cache *c, int f, int set, int quantifier)
{
    int at = jn_node_at(f);
    while (jn_node_at(set) < at)
        set = jn_node_high(set);
    if (f < 2 || set < 2)
        return f;
    int r = jn_cache_get(c, f, set, quantifier);
    if (r >= 0 || jn_nodes_ran_out())
        return r >= 0 ? r : 0;
    int low = quantify(c, jn_node_low(f), set, quantifier);
    jn_node_hold(low);
    int high = quantify(c, jn_node_high(f), set, quantifier);
    jn_node_hold(high);
    if (jn_node_at(set) > at)
        r = jn_node_make(at, low, high);
    else
        r = quantifier == EXISTS ? ite(c, low, 1, high) : ite(c, low, high, 0);
    jn_node_release(low);
    jn_node_release(high);
    jn_cache_put(c, f, set, quantifier, r);
    return r;
}

static jn_guard quantified(jn_guards *g, jn_guard a, const bool *member, int quantifier)
{
    if (jn_guards_failed(g))
        return jn_guard_false();
    int mark = jn_guards_enter(g);
    jn_guard set = jn_guard_true();
    for (int k = jn_guards_size(g) - 1; k >= 0; k--)
        if (member[jn_guards_at(g, k)])
            set = jn_guards_hand_out(g, jn_node_make(k, 0, set.node));
    int r = quantify(jn_guards_cache(g), a.node, set.node, quantifier);
    return jn_guards_leave(g, mark, jn_guards_hand_out(g, r));
}

jn_guard jn_guard_exists(jn_guards *g, jn_guard a, const bool *member)
{
    return quantified(g, a, member, EXISTS);
}

jn_guard jn_guard_forall(jn_guards *g, jn_guard a, const bool *member)
{
    return quantified(g, a, member, FORALL);
}

/* ---- modes and simplifying ----------------------------------------------------------------- */

jn_guard jn_guard_mode(jn_guards *g, const jn_onoff *m)
{
    if (jn_guards_failed(g))
        return jn_guard_false();
    int mark = jn_guards_enter(g);
    jn_guard r = jn_guard_true();
    for (int k = jn_guards_size(g) - 1; k >= 0; k--) {
        bool on = m[jn_guards_at(g, k)];
        r = jn_guards_hand_out(g, jn_node_make(k, on ? 0 : r.node, on ? r.node : 0));
    }
    return jn_guards_leave(g, mark, r);
}

/* Where only one branch is cared for, f is what it is there (Coudert and Madre). */
static int simplify(jn_cache *c, int f, int care)
{
    if (f < 2 || care < 2)
        return f;
    int r = jn_cache_get(c, f, care, SIMPLIFY);
    if (r >= 0 || jn_nodes_ran_out())
        return r >= 0 ? r : 0;
    int at = least(jn_node_at(f), jn_node_at(care));
    int care0 = branch(care, at, 0), care1 = branch(care, at, 1);
    if (care0 == 0 || care1 == 0) {
        r = simplify(c, branch(f, at, care0 == 0), care0 | care1);
    } else if (jn_node_at(f) > at) {
        int either = ite(c, care0, 1, care1);
        jn_node_hold(either);
        r = simplify(c, f, either);
        jn_node_release(either);
    } else {
        int low = simplify(c, jn_node_low(f), care0);
        jn_node_hold(low);
        int high = simplify(c, jn_node_high(f), care1);
        jn_node_release(low);
        r = jn_node_make(at, low, high);
    }
    jn_cache_put(c, f, care, SIMPLIFY, r);
    return r;
}

jn_guard jn_guard_simplify(jn_guards *g, jn_guard a, jn_guard care)
{
    if (jn_guards_failed(g))
        return jn_guard_false();
    return jn_guards_hand_out(g, simplify(jn_guards_cache(g), a.node, care.node));
}

/* ---- asking -------------------------------------------------------------------------------- */

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

/* These two make no nodes. */
static bool relation(jn_cache *c, int f, int g, int code)
{
    if (f == 0 || (code == IMPLIES ? g == 1 || f == g : g == 0))
        return true;
    if (f == 1 || g < 2 || f == g)
        return false;
    int r = jn_cache_get(c, f, g, code);
    if (r >= 0)
        return r;
    int at = least(jn_node_at(f), jn_node_at(g));
    r = relation(c, branch(f, at, 0), branch(g, at, 0), code) &&
        relation(c, branch(f, at, 1), branch(g, at, 1), code);
    jn_cache_put(c, f, g, code, r);
    return r;
}

bool jn_guard_implies(jn_guards *g, jn_guard a, jn_guard b)
{
    return relation(jn_guards_cache(g), a.node, b.node, IMPLIES);
}

bool jn_guard_disjoint(jn_guards *g, jn_guard a, jn_guard b)
{
    return relation(jn_guards_cache(g), a.node, b.node, DISJOINT);
}

bool jn_guard_at(jn_guards *g, jn_guard a, const jn_onoff *m)
{
    int node = a.node;
    while (node > 1)
        node = branch(node, jn_node_at(node), m[jn_guards_at(g, jn_node_at(node))]);
    return node == 1;
}
