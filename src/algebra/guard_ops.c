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
static int branch(const jni_nodes *t, int node, int at, bool on)
{
    const jni_node *x = &t->node[node];
    if (x->at != at)
        return node;
    return on ? x->high : x->low;
}

/* ---- if-then-else and XOR ------------------------------------------------------------------ */

static int ite(jni_nodes *t, int f, int g, int h)
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
        return ite(t, g, f, 0);
    if (g == 1 && h < f && h > 1)
        return ite(t, h, 1, f);
    int r = jni_cache_get(&t->cache, f, g, h);
    if (r >= 0 || jni_nodes_ran_out(t))
        return r >= 0 ? r : 0;
    int at = least(t->node[f].at, least(t->node[g].at, t->node[h].at));
    int low = ite(t, branch(t, f, at, 0), branch(t, g, at, 0), branch(t, h, at, 0));
    int high = ite(t, branch(t, f, at, 1), branch(t, g, at, 1), branch(t, h, at, 1));
    r = jni_node_make(t, at, low, high);
    jni_cache_put(&t->cache, f, g, h, r);
    return r;
}

static int exclusive_or(jni_nodes *t, int f, int g)
{
    if (f == g)
        return 0;
    if (f < 2 || g < 2) {
        int other = f < 2 ? g : f;
        return f == 0 || g == 0 ? f | g : ite(t, other, 0, 1);
    }
    if (f > g)
        return exclusive_or(t, g, f);
    int r = jni_cache_get(&t->cache, f, g, XOR);
    if (r >= 0 || jni_nodes_ran_out(t))
        return r >= 0 ? r : 0;
    int at = least(t->node[f].at, t->node[g].at);
    int low = exclusive_or(t, branch(t, f, at, 0), branch(t, g, at, 0));
    int high = exclusive_or(t, branch(t, f, at, 1), branch(t, g, at, 1));
    r = jni_node_make(t, at, low, high);
    jni_cache_put(&t->cache, f, g, XOR, r);
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
    return jni_guard_literal(g, s, true);
}

jn_guard jn_guard_ite(jn_guards *g, jn_guard c, jn_guard t, jn_guard e)
{
    if (jn_guards_failed(g))
        return jn_guard_false();
    return jni_guards_hand_out(g, ite(jni_guards_nodes(g), c.node, t.node, e.node));
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
    return jni_guards_hand_out(g, exclusive_or(jni_guards_nodes(g), a.node, b.node));
}

/* ---- cofactors ----------------------------------------------------------------------------- */

static int cofactor(jni_nodes *t, int f, int at, bool on)
{
    int top = t->node[f].at;
    if (top >= at)
        return branch(t, f, at, on);
    int key = 2 * at + on, r = jni_cache_get(&t->cache, f, key, COFACTOR);
    if (r >= 0 || jni_nodes_ran_out(t))
        return r >= 0 ? r : 0;
    int low = cofactor(t, t->node[f].low, at, on);
    int high = cofactor(t, t->node[f].high, at, on);
    r = jni_node_make(t, top, low, high);
    jni_cache_put(&t->cache, f, key, COFACTOR, r);
    return r;
}

jn_guard jn_guard_cofactor(jn_guards *g, jn_guard a, int s, bool on)
{
    if (jn_guards_failed(g))
        return jn_guard_false();
    int at = jni_guards_position(g, s);
    return jni_guards_hand_out(g, cofactor(jni_guards_nodes(g), a.node, at, on));
}

/* ---- quantifiers --------------------------------------------------------------------------- */

/* The set is the product of its switches. */
static int quantify(jni_nodes *t, int f, int set, int quantifier)
{
    int at = t->node[f].at;
    while (t->node[set].at < at)
        set = t->node[set].high;
    if (f < 2 || set < 2)
        return f;
    int r = jni_cache_get(&t->cache, f, set, quantifier);
    if (r >= 0 || jni_nodes_ran_out(t))
        return r >= 0 ? r : 0;
    int low = quantify(t, t->node[f].low, set, quantifier);
    int high = quantify(t, t->node[f].high, set, quantifier);
    if (t->node[set].at > at)
        r = jni_node_make(t, at, low, high);
    else
        r = quantifier == EXISTS ? ite(t, low, 1, high) : ite(t, low, high, 0);
    jni_cache_put(&t->cache, f, set, quantifier, r);
    return r;
}

static jn_guard quantified(jn_guards *g, jn_guard a, const bool *member, int quantifier)
{
    if (jn_guards_failed(g))
        return jn_guard_false();
    jni_nodes *t = jni_guards_nodes(g);
    int set = 1;
    for (int k = jn_guards_size(g) - 1; k >= 0; k--)
        if (member[jni_guards_at(g, k)])
            set = jni_node_make(t, k, 0, set);
    return jni_guards_hand_out(g, quantify(t, a.node, set, quantifier));
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
    int r = 1;
    for (int k = jn_guards_size(g) - 1; k >= 0; k--) {
        bool on = m[jni_guards_at(g, k)];
        r = jni_node_make(jni_guards_nodes(g), k, on ? 0 : r, on ? r : 0);
    }
    return jni_guards_hand_out(g, r);
}

/* Where only one branch is cared for, f is what it is there (Coudert and Madre). */
static int simplify(jni_nodes *t, int f, int care)
{
    if (f < 2 || care < 2)
        return f;
    int r = jni_cache_get(&t->cache, f, care, SIMPLIFY);
    if (r >= 0 || jni_nodes_ran_out(t))
        return r >= 0 ? r : 0;
    int at = least(t->node[f].at, t->node[care].at);
    int care0 = branch(t, care, at, 0), care1 = branch(t, care, at, 1);
    if (care0 == 0 || care1 == 0) {
        r = simplify(t, branch(t, f, at, care0 == 0), care0 | care1);
    } else if (t->node[f].at > at) {
        int either = ite(t, care0, 1, care1);
        r = simplify(t, f, either);
    } else {
        int low = simplify(t, t->node[f].low, care0);
        int high = simplify(t, t->node[f].high, care1);
        r = jni_node_make(t, at, low, high);
    }
    jni_cache_put(&t->cache, f, care, SIMPLIFY, r);
    return r;
}

jn_guard jn_guard_simplify(jn_guards *g, jn_guard a, jn_guard care)
{
    if (jn_guards_failed(g))
        return jn_guard_false();
    return jni_guards_hand_out(g, simplify(jni_guards_nodes(g), a.node, care.node));
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
static bool relation(jni_nodes *t, int f, int g, int code)
{
    if (f == 0 || (code == IMPLIES ? g == 1 || f == g : g == 0))
        return true;
    if (f == 1 || g < 2 || f == g)
        return false;
    int r = jni_cache_get(&t->cache, f, g, code);
    if (r >= 0)
        return r;
    int at = least(t->node[f].at, t->node[g].at);
    r = relation(t, branch(t, f, at, 0), branch(t, g, at, 0), code) &&
        relation(t, branch(t, f, at, 1), branch(t, g, at, 1), code);
    jni_cache_put(&t->cache, f, g, code, r);
    return r;
}

bool jn_guard_implies(jn_guards *g, jn_guard a, jn_guard b)
{
    return relation(jni_guards_nodes(g), a.node, b.node, IMPLIES);
}

bool jn_guard_disjoint(jn_guards *g, jn_guard a, jn_guard b)
{
    return relation(jni_guards_nodes(g), a.node, b.node, DISJOINT);
}

bool jn_guard_at(jn_guards *g, jn_guard a, const jn_onoff *m)
{
    const jni_nodes *t = jni_guards_nodes(g);
    int node = a.node;
    while (node > 1)
        node = branch(t, node, t->node[node].at, m[jni_guards_at(g, t->node[node].at)]);
    return node == 1;
}
