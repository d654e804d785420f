/* decompose.c: a function as AND, OR or XOR of functions of disjoint sets of switches.
 *
 * Built from the bottom of the diagram. Let x be the switch at the root, f0 and f1 the
 * branches, each with its finest parts known. If f is an AND, OR or XOR, x lies in one of its
 * parts and every other part is a part of both f0 and f1. So: take out what the two have in
 * common, and put x before what is left,
 *
 *     f = OR(common, if x then OR(rest of f1) else OR(rest of f0)),
 *
 * which is again such a question, with fewer switches. Where nothing is common for any of the
 * three, and no branch is a constant or the negation of the other, f is prime. The partition
 * is unique, so it does not depend on the order of the diagram.
 *
 * A set of parts is an array of nodes in ascending order. For XOR each part is taken in the
 * sense that is 0 when all switches are OFF, so that equal sets mean equal functions up to
 * negation. */
#include <stdlib.h>
#include <string.h>

#include "formula_internal.h"

typedef struct {
    int n;
    jn_guard *part;
} set;

/* A function seen as one operator's parts; for XOR also whether to negate. */
typedef struct {
    set s;
    bool inverted;
} view;

static const jn_dec *combine(jn_formulas *F, int x, jn_guard f0, jn_guard f1);

/* ---- sets ---------------------------------------------------------------------------------- */

static set new_set(jn_formulas *F, int room)
{
    return (set){0, jn_arena_alloc(F->arena, (size_t)room * sizeof(jn_guard))};
}

static set union_of(jn_formulas *F, set a, set b)
{
    set r = new_set(F, a.n + b.n);
    for (int i = 0, j = 0; i < a.n || j < b.n;) {
        bool from_a = j == b.n || (i < a.n && a.part[i].node < b.part[j].node);
        r.part[r.n++] = from_a ? a.part[i++] : b.part[j++];
    }
    return r;
}

/* Splits two sets in what is common and what is not. */
static void split(set *common, set *only_a, set *only_b, set a, set b)
{
    common->n = only_a->n = only_b->n = 0;
    for (int i = 0, j = 0; i < a.n || j < b.n;) {
        if (i < a.n && j < b.n && a.part[i].node == b.part[j].node) {
            common->part[common->n++] = a.part[i++];
            j++;
        } else if (j == b.n || (i < a.n && a.part[i].node < b.part[j].node)) {
            only_a->part[only_a->n++] = a.part[i++];
        } else {
            only_b->part[only_b->n++] = b.part[j++];
        }
    }
}

static bool have_common(set a, set b)
{
    for (int i = 0, j = 0; i < a.n && j < b.n;) {
        if (a.part[i].node == b.part[j].node)
            return true;
        if (a.part[i].node < b.part[j].node)
            i++;
        else
            j++;
    }
    return false;
}

/* ---- parts --------------------------------------------------------------------------------- */

static const jn_dec *put(jn_formulas *F, jn_guard f, jn_dec_kind kind, set parts, bool inverted)
{
    jn_dec *d = jn_arena_alloc(F->arena, sizeof *d);
    *d = (jn_dec){kind, f, inverted, parts.n, parts.part};
    jni_keymap_put(&F->decs, (uint64_t)f.node, d);
    return d;
}

static bool when_all_off(const jn_formulas *F, jn_guard f)
{
    while (!jn_guard_is_false(f) && !jn_guard_is_true(f))
        f = jni_guard_low(F->g, f);
    return jn_guard_is_true(f);
}

/* f as parts of the given operator: its own, or itself as the only one, or, for the operator's
 * neutral element, none. */
static view view_as(jn_formulas *F, const jn_dec *d, jn_dec_kind kind)
{
    view v = {{d->n, (jn_guard *)d->part}, d->inverted};
    if (d->kind == kind)
        return v;
    bool value = when_all_off(F, d->f);
    v = (view){new_set(F, 1), kind == JN_DEC_XOR && value};
    if (d->kind != JN_DEC_CONST)
        v.s.part[v.s.n++] = v.inverted ? jn_guard_not(F->g, d->f) : d->f;
    return v;
}

/* The function that has these parts, and its decomposition. */
static jn_guard function_of(jn_formulas *F, jn_dec_kind kind, view v)
{
    jn_guard f = kind == JN_DEC_AND || v.inverted ? jn_guard_true() : jn_guard_false();
    for (int i = 0; i < v.s.n; i++)
        f = kind == JN_DEC_AND  ? jn_guard_and(F->g, f, v.s.part[i])
            : kind == JN_DEC_OR ? jn_guard_or(F->g, f, v.s.part[i])
                                : jn_guard_xor(F->g, f, v.s.part[i]);
    if (v.s.n >= 2 && !jni_keymap_get(&F->decs, (uint64_t)f.node)) {
        set copy = new_set(F, v.s.n);
        copy.n = v.s.n;
        memcpy(copy.part, v.s.part, (size_t)v.s.n * sizeof *copy.part);
        put(F, f, kind, copy, v.inverted);
    }
    return f;
}

/* f has the parts of g and one more set of parts. */
static const jn_dec *put_with(jn_formulas *F, jn_guard f, jn_dec_kind kind, set more,
                              const jn_dec *g)
{
    view v = view_as(F, g, kind);
    return put(F, f, kind, union_of(F, more, v.s), v.inverted);
}

/* f = x op g, or ¬x op g. */
static const jn_dec *put_with_switch(jn_formulas *F, jn_guard f, jn_dec_kind kind, int x, bool on,
                                     const jn_dec *g)
{
    jn_guard literal = jni_guard_literal(F->g, x, on);
    return put_with(F, f, kind, (set){1, &literal}, g);
}

/* Takes out what the branches have in common under one operator. NULL when that is nothing. */
static const jn_dec *take_common(jn_formulas *F, jn_guard f, jn_dec_kind kind, int x,
                                 const jn_dec *d0, const jn_dec *d1)
{
    view v0 = view_as(F, d0, kind), v1 = view_as(F, d1, kind);
    if (!have_common(v0.s, v1.s))
        return NULL;
    int room = v0.s.n + v1.s.n;
    jn_guard *buffer = jn_alloc(3 * (size_t)room * sizeof *buffer);
    set common = {0, buffer};
    view rest0 = {{0, buffer + room}, v0.inverted}, rest1 = {{0, buffer + 2 * room}, v1.inverted};
    split(&common, &rest0.s, &rest1.s, v0.s, v1.s);
    const jn_dec *rest = combine(F, x, function_of(F, kind, rest0), function_of(F, kind, rest1));
    const jn_dec *d = put_with(F, f, kind, common, rest);
    free(buffer);
    return d;
}

/* Decomposes f = if x then f1 else f0, where neither branch depends on x. */
static const jn_dec *combine(jn_formulas *F, int x, jn_guard f0, jn_guard f1)
{
    jn_guards *g = F->g;
    jn_guard f = jn_guard_ite(g, jn_guard_switch(g, x), f1, f0);
    const jn_dec *d = jni_keymap_get(&F->decs, (uint64_t)f.node);
    if (d)
        return d;
    bool constant0 = jn_guard_is_false(f0) || jn_guard_is_true(f0);
    bool constant1 = jn_guard_is_false(f1) || jn_guard_is_true(f1);
    if (constant0 && constant1)
        return put(F, f, jn_guard_equal(f0, f1) ? JN_DEC_CONST : JN_DEC_LITERAL, (set){0}, false);
    const jn_dec *d0 = jni_decompose(F, f0), *d1 = jni_decompose(F, f1);
    if (constant0)
        return jn_guard_is_false(f0) ? put_with_switch(F, f, JN_DEC_AND, x, true, d1)
                                     : put_with_switch(F, f, JN_DEC_OR, x, false, d1);
    if (constant1)
        return jn_guard_is_false(f1) ? put_with_switch(F, f, JN_DEC_AND, x, false, d0)
                                     : put_with_switch(F, f, JN_DEC_OR, x, true, d0);
    if (jn_guard_equal(f1, jn_guard_not(g, f0)))
        return put_with_switch(F, f, JN_DEC_XOR, x, true, d0);
    for (jn_dec_kind kind = JN_DEC_AND; kind <= JN_DEC_XOR; kind++)
        if ((d = take_common(F, f, kind, x, d0, d1)))
            return d;
    return put(F, f, JN_DEC_PRIME, (set){0}, false);
}

const jn_dec *jni_decompose(jn_formulas *F, jn_guard f)
{
    const jn_dec *d = jni_keymap_get(&F->decs, (uint64_t)f.node);
    if (d)
        return d;
    if (jn_guard_is_false(f) || jn_guard_is_true(f))
        return put(F, f, JN_DEC_CONST, (set){0}, false);
    return combine(F, jni_guard_top(F->g, f), jni_guard_low(F->g, f), jni_guard_high(F->g, f));
}
