/* formula_build.c: making formula objects. */
#include <limits.h>
#include <stdlib.h>

#include "formula_internal.h"

jn_item *jni_item_of(const jn_formula *f)
{
    return (jn_item *)f; /* f is the first member; objects are made here only */
}

static jn_item *new_item(jn_formulas *F, jn_formula_op op, int value, int nparts)
{
    jn_item *a = jn_arena_alloc(F->arena, sizeof *a);
    a->f.op = op;
    a->f.value = value;
    a->f.nparts = nparts;
    a->f.part = jn_arena_alloc(F->arena, (size_t)nparts * sizeof *a->f.part);
    a->first = INT_MAX;
    return a;
}

static void set_part(jn_item *a, int i, const jn_item *part)
{
    a->f.part[i] = &part->f;
    a->literals += part->literals;
    if (a->literals > JN_MANY_LITERALS)
        a->literals = JN_MANY_LITERALS;
    if (part->first < a->first)
        a->first = part->first;
}

/* ---- single ones --------------------------------------------------------------------------- */

jn_item *jni_item_constant(jn_formulas *F, bool value)
{
    if (!F->constant[value])
        F->constant[value] = new_item(F, JN_FORMULA_CONST, value, 0);
    return F->constant[value];
}

static jn_item *new_not(jn_formulas *F, jn_item *a)
{
    jn_item *r = new_item(F, JN_FORMULA_NOT, 0, 1);
    set_part(r, 0, a);
    r->negation = a;
    return r;
}

jn_item *jni_item_literal(jn_formulas *F, int s, bool on)
{
    jn_item **pair = F->literal + 2 * s;
    if (!pair[0]) {
        pair[0] = new_item(F, JN_FORMULA_SWITCH, s, 0);
        pair[0]->literals = 1;
        pair[0]->first = s;
        pair[0]->negation = pair[1] = new_not(F, pair[0]);
    }
    return pair[!on];
}

jn_item *jni_item_name(jn_formulas *F, int let)
{
    jn_item *a = new_item(F, JN_FORMULA_NAME, let, 0);
    a->literals = 1;
    return a;
}

bool jni_item_is_literal(const jn_item *a)
{
    const jn_formula *f = a->f.op == JN_FORMULA_NOT ? a->f.part[0] : &a->f;
    return f->op == JN_FORMULA_SWITCH || f->op == JN_FORMULA_NAME;
}

static jn_item *part_of(const jn_item *a, int i)
{
    return jni_item_of(a->f.part[i]);
}

static jn_item *negation_of(jn_formulas *F, jn_item *a)
{
    bool is_and = a->f.op == JN_FORMULA_AND;
    switch (a->f.op) {
    case JN_FORMULA_CONST:
        return jni_item_constant(F, !a->f.value);
    case JN_FORMULA_AND:
    case JN_FORMULA_OR: {
        jn_item *r = new_item(F, is_and ? JN_FORMULA_OR : JN_FORMULA_AND, 0, a->f.nparts);
        for (int i = 0; i < a->f.nparts; i++)
            set_part(r, i, jni_item_not(F, part_of(a, i)));
        r->split = a->split;
        return r;
    }
    default:
        return new_not(F, a);
    }
}

jn_item *jni_item_not(jn_formulas *F, jn_item *a)
{
    if (!a->negation) {
        a->negation = negation_of(F, a);
        a->negation->negation = a;
    }
    return a->negation;
}

const jn_formula *jn_formula_not(jn_formulas *F, const jn_formula *a)
{
    if (a->op == JN_FORMULA_AND || a->op == JN_FORMULA_OR)
        return &new_not(F, jni_item_of(a))->f;
    return &jni_item_not(F, jni_item_of(a))->f;
}

/* ---- joining ------------------------------------------------------------------------------- */

/* The order in which parts are written: by switches as they come, λs before ¬λs. A single
 * literal compares as a list of one. */
static int compare(const jn_item *a, const jn_item *b)
{
    if (a == b)
        return 0;
    if (a->first != b->first)
        return a->first < b->first ? -1 : 1;
    bool single_a = jni_item_is_literal(a), single_b = jni_item_is_literal(b);
    if (single_a && single_b)
        return a->f.op == JN_FORMULA_NOT ? 1 : -1;
    int na = single_a ? 1 : a->f.nparts, nb = single_b ? 1 : b->f.nparts;
    for (int i = 0; i < na && i < nb; i++) {
        int c = compare(single_a ? a : part_of(a, i), single_b ? b : part_of(b, i));
        if (c)
            return c;
    }
    return na != nb ? na - nb : (int)a->f.op - (int)b->f.op;
}

static int compare_pointers(const void *a, const void *b)
{
    return compare(*(jn_item *const *)a, *(jn_item *const *)b);
}

typedef struct {
    jn_item **part;
    int n, cap;
    bool inverted; /* for XOR */
} part_list;

static void add_part(part_list *l, jn_formula_op op, jn_item *a)
{
    if (a->f.op == JN_FORMULA_CONST) {
        l->inverted ^= op == JN_FORMULA_XOR && a->f.value;
        return; /* in AND and OR it is the neutral one: nobody joins the other */
    }
    if (op == JN_FORMULA_XOR && a->f.op == JN_FORMULA_NOT) {
        l->inverted = !l->inverted;
        a = part_of(a, 0);
    }
    if (a->f.op == op) {
        for (int i = 0; i < a->f.nparts; i++)
            add_part(l, op, part_of(a, i));
        return;
    }
    JN_GROW(l->part, l->n, l->cap);
    l->part[l->n++] = a;
}

static jn_item *join_list(jn_formulas *F, jn_formula_op op, const part_list *l)
{
    if (l->n == 0)
        return jni_item_constant(F, op == JN_FORMULA_AND);
    if (l->n == 1)
        return l->part[0];
    qsort(l->part, (size_t)l->n, sizeof *l->part, compare_pointers);
    jn_item *r = new_item(F, op, 0, l->n);
    for (int i = 0; i < l->n; i++)
        set_part(r, i, l->part[i]);
    return r;
}

jn_item *jni_item_join(jn_formulas *F, jn_formula_op op, jn_item *const *part, int n)
{
    part_list l = {0};
    for (int i = 0; i < n; i++)
        add_part(&l, op, part[i]);
    jn_item *r = join_list(F, op, &l);
    free(l.part);
    return l.inverted ? jni_item_not(F, r) : r;
}

jn_item *jni_item_join2(jn_formulas *F, jn_formula_op op, jn_item *a, jn_item *b)
{
    jn_item *part[2] = {a, b};
    return jni_item_join(F, op, part, 2);
}

jn_item *jni_item_with_parts(jn_formulas *F, const jn_item *a, jn_item *const *part)
{
    jn_item *r = new_item(F, a->f.op, a->f.value, a->f.nparts);
    for (int i = 0; i < a->f.nparts; i++)
        set_part(r, i, part[i]);
    return r;
}

/* ---- substituting -------------------------------------------------------------------------- */

typedef struct {
    jn_formulas *F;
    jn_item *const *by;
    jn_keymap done; /* what each object became */
} substitution;

static jn_item *substituted(substitution *s, jn_item *a);

static jn_item *with_parts_substituted(substitution *s, jn_item *a)
{
    jn_item **part = jn_alloc((size_t)(a->f.nparts + 1) * sizeof *part);
    bool changed = false;
    for (int i = 0; i < a->f.nparts; i++) {
        part[i] = substituted(s, part_of(a, i));
        changed |= part[i] != part_of(a, i);
    }
    jn_item *r = a;
    if (changed && a->f.op == JN_FORMULA_NOT) {
        r = jni_item_not(s->F, part[0]);
    } else if (changed) {
        r = jni_item_join(s->F, a->f.op, part, a->f.nparts);
        r->split = a->split;
    }
    free(part);
    return r;
}

static jn_item *substituted(substitution *s, jn_item *a)
{
    if (a->f.op == JN_FORMULA_SWITCH)
        return s->by[a->f.value] ? s->by[a->f.value] : a;
    jn_item *r = jni_keymap_get(&s->done, (uint64_t)(uintptr_t)a);
    if (!r) {
        r = with_parts_substituted(s, a);
        jni_keymap_put(&s->done, (uint64_t)(uintptr_t)a, r);
    }
    return r;
}

jn_item *jni_item_substitute(jn_formulas *F, jn_item *a, jn_item *const *by)
{
    substitution s = {.F = F, .by = by};
    jn_item *r = substituted(&s, a);
    jni_keymap_clear(&s.done);
    return r;
}
