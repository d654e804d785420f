/* formula.c: from a guard to the formula that is shown.
 *
 * First the formula as a graph, without names. An AND, OR or XOR over disjoint switches is
 * that of its parts. A prime function is freed of its gates; what is then left is the shorter
 * of a sum of products and a product of sums; and if both are long, a distinction of the two
 * cases of the switch at the root of the diagram,
 *
 *     f = x & f1 | !x & f0,
 *
 * and so on along the diagram, once for each node, down to where the functions are simple. So
 * the graph is about as large as the diagram, though written out it could be of any length.
 * Only then, if it is long, the parts that occur more than once and those that are case
 * distinctions themselves get names. */
#include <stdlib.h>

#include "formula_internal.h"

enum {
    LONG_FORMULA = 100, /* literals; only longer ones get names */
    SHORT_PART = 4,     /* literals; shorter ones are not worth a name */
    LONG_BRANCH = 200,  /* literals in a branch of a case distinction */
    FEW_NODES = 24
};

jn_formulas *jn_formulas_new(jn_guards *g)
{
    jn_formulas *F = jn_alloc(sizeof *F);
    F->g = g;
    F->arena = jn_arena_new();
    F->literal = jn_alloc((size_t)(2 * jn_guards_size(g) + 1) * sizeof *F->literal);
    return F;
}

void jn_formulas_free(jn_formulas *F)
{
    if (!F)
        return;
    jn_arena_free(F->arena);
    free(F->literal);
    free(F->let);
    jni_keymap_clear(&F->decs);
    jni_keymap_clear(&F->items);
    jni_keymap_clear(&F->branches);
    jni_keymap_clear(&F->covers);
    jni_keymap_clear(&F->shown);
    jni_keymap_clear(&F->names);
    free(F);
}

/* ---- the formula as a graph ---------------------------------------------------------------- */

static jn_item *item_of(jn_formulas *F, jn_guard f);

/* Lists the nodes of f, as long as they are few. */
static bool list_nodes(const jn_formulas *F, int *node, int *n, jn_guard f)
{
    if (jn_guard_is_false(f) || jn_guard_is_true(f))
        return true;
    for (int i = 0; i < *n; i++)
        if (node[i] == f.node)
            return true;
    if (*n == FEW_NODES)
        return false;
    node[(*n)++] = f.node;
    return list_nodes(F, node, n, jni_guard_low(F->g, f)) &&
           list_nodes(F, node, n, jni_guard_high(F->g, f));
}

static bool has_few_nodes(const jn_formulas *F, jn_guard f)
{
    int node[FEW_NODES], n = 0;
    return list_nodes(F, node, &n, f);
}

static jn_item *join_parts(jn_formulas *F, const jn_dec *d)
{
    jn_formula_op op = d->kind == JN_DEC_AND  ? JN_FORMULA_AND
                       : d->kind == JN_DEC_OR ? JN_FORMULA_OR
                                              : JN_FORMULA_XOR;
    jn_item **part = jn_alloc((size_t)d->n * sizeof *part);
    for (int i = 0; i < d->n; i++)
        part[i] = item_of(F, d->part[i]);
    jn_item *a = jni_item_join(F, op, part, d->n);
    free(part);
    return d->inverted ? jni_item_not(F, a) : a;
}

/* NULL: no gate in f. */
static jn_item *by_gates(jn_formulas *F, jn_guard f)
{
    jn_item **by = jn_alloc((size_t)(jn_guards_size(F->g) + 1) * sizeof *by);
    jn_guard merged;
    jn_item *a = NULL;
    if (jni_gates_merge(&merged, by, F, f))
        a = jni_item_substitute(F, item_of(F, merged), by);
    free(by);
    return a;
}

/* NULL: both the sum and the product are long. */
static jn_item *by_covers(jn_formulas *F, jn_guard f)
{
    jn_guard not_f = jn_guard_not(F->g, f);
    const jn_cover *on = jni_cover_between(F, f, f), *off = jni_cover_between(F, not_f, not_f);
    jn_item *sum = on ? jni_cover_formula(F, on, false) : NULL;
    jn_item *product = off ? jni_cover_formula(F, off, true) : NULL;
    if (!sum || !product)
        return sum ? sum : product;
    return product->literals < sum->literals ? product : sum;
}

/* Whether f decomposes into small parts all the way down. */
static bool is_simple(jn_formulas *F, jn_guard f)
{
    const jn_dec *d = jni_decompose(F, f);
    if (d->kind == JN_DEC_PRIME)
        return has_few_nodes(F, f);
    for (int i = 0; i < d->n; i++)
        if (!is_simple(F, d->part[i]))
            return false;
    return true;
}

static jn_item *by_cases(jn_formulas *F, jn_guard f);

/* A branch of a case distinction: its own formula where that is simple, or else a distinction
 * again. So the nodes gone through are those of the one diagram. */
static jn_item *branch_item(jn_formulas *F, jn_guard f)
{
    jn_item *a = jni_keymap_get(&F->branches, (uint64_t)f.node);
    if (a)
        return a;
    if (is_simple(F, f))
        a = item_of(F, f);
    if (!a || a->literals > LONG_BRANCH)
        a = by_cases(F, f);
    jni_keymap_put(&F->branches, (uint64_t)f.node, a);
    return a;
}

static jn_item *by_cases(jn_formulas *F, jn_guard f)
{
    jn_guard f0 = jni_guard_low(F->g, f), f1 = jni_guard_high(F->g, f);
    jn_item *x = jni_item_literal(F, jni_guard_top(F->g, f), true);
    jn_item *off = branch_item(F, f0), *on = branch_item(F, f1), *a;
    if (jn_guard_equal(f1, jn_guard_not(F->g, f0))) {
        a = jni_item_join2(F, JN_FORMULA_XOR, x, off);
    } else {
        /* Where one case implies the other, that one needs no condition. */
        if (!jn_guard_implies(F->g, f1, f0))
            on = jni_item_join2(F, JN_FORMULA_AND, x, on);
        if (!jn_guard_implies(F->g, f0, f1))
            off = jni_item_join2(F, JN_FORMULA_AND, jni_item_not(F, x), off);
        a = jni_item_join2(F, JN_FORMULA_OR, on, off);
    }
    a->split = true;
    return a;
}

static jn_item *prime_item(jn_formulas *F, jn_guard f)
{
    jn_item *a = by_gates(F, f);
    if (!a)
        a = by_covers(F, f);
    return a ? a : by_cases(F, f);
}

static jn_item *item_of(jn_formulas *F, jn_guard f)
{
    jn_item *a = jni_keymap_get(&F->items, (uint64_t)f.node);
    if (a)
        return a;
    const jn_dec *d = jni_decompose(F, f);
    switch (d->kind) {
    case JN_DEC_CONST:
        a = jni_item_constant(F, jn_guard_is_true(f));
        break;
    case JN_DEC_LITERAL:
        a = jni_item_literal(F, jni_guard_top(F->g, f), jn_guard_is_true(jni_guard_high(F->g, f)));
        break;
    case JN_DEC_AND:
    case JN_DEC_OR:
    case JN_DEC_XOR:
        a = join_parts(F, d);
        break;
    case JN_DEC_PRIME:
        a = prime_item(F, f);
        break;
    }
    jni_keymap_put(&F->items, (uint64_t)f.node, a);
    return a;
}

/* ---- names --------------------------------------------------------------------------------- */

typedef struct {
    jn_formulas *F;
    jn_keymap uses;    /* object → how often it is a part */
    jn_keymap written; /* object → the object with names in it */
} naming;

static uint64_t key_of(const jn_item *a)
{
    return (uint64_t)(uintptr_t)a;
}

static void count_uses(naming *n, const jn_item *a)
{
    intptr_t before = (intptr_t)jni_keymap_get(&n->uses, key_of(a));
    jni_keymap_put(&n->uses, key_of(a), (void *)(before + 1));
    for (int i = 0; i < a->f.nparts && before == 0; i++)
        count_uses(n, jni_item_of(a->f.part[i]));
}

static jn_item *written(naming *n, jn_item *a);

static jn_item *named_part(naming *n, jn_item *a)
{
    jn_item *name = jni_keymap_get(&n->F->names, key_of(a));
    if (name)
        return name;
    jn_item *w = written(n, a);
    bool shared = (intptr_t)jni_keymap_get(&n->uses, key_of(a)) > 1;
    if (!(shared || a->split) || w->literals < SHORT_PART)
        return w;
    JN_GROW(n->F->let, n->F->nlets, n->F->caplets);
    n->F->let[n->F->nlets] = &w->f;
    name = jni_item_name(n->F, n->F->nlets++);
    jni_keymap_put(&n->F->names, key_of(a), name);
    return name;
}

static jn_item *written(naming *n, jn_item *a)
{
    jn_item *w = jni_keymap_get(&n->written, key_of(a));
    if (w)
        return w;
    w = a;
    bool changed = false;
    jn_item **part = jn_alloc((size_t)(a->f.nparts + 1) * sizeof *part);
    for (int i = 0; i < a->f.nparts; i++) {
        part[i] = named_part(n, jni_item_of(a->f.part[i]));
        changed |= &part[i]->f != a->f.part[i];
    }
    if (changed)
        w = jni_item_with_parts(n->F, a, part);
    free(part);
    jni_keymap_put(&n->written, key_of(a), w);
    return w;
}

static const jn_formula *with_names(jn_formulas *F, jn_item *a)
{
    jn_item *name = jni_keymap_get(&F->names, key_of(a));
    if (name)
        return &name->f;
    if (a->literals <= LONG_FORMULA)
        return &a->f;
    naming n = {.F = F};
    count_uses(&n, a);
    a = written(&n, a);
    jni_keymap_clear(&n.uses);
    jni_keymap_clear(&n.written);
    return &a->f;
}

/* ---- the interface ------------------------------------------------------------------------- */

const jn_formula *jn_formula_of(jn_formulas *F, jn_guard a)
{
    const jn_formula *f = jni_keymap_get(&F->shown, (uint64_t)a.node);
    if (!f) {
        f = with_names(F, item_of(F, a));
        jni_keymap_put(&F->shown, (uint64_t)a.node, (void *)f);
    }
    return f;
}

const jn_formula *jn_formula_of_care(jn_formulas *F, jn_guard a, jn_guard care)
{
    jn_guards *g = F->g;
    jn_guard choice[4] = {a, jn_guard_simplify(g, a, care),
                          jn_guard_tidy(g, a, care, jn_guard_false())};
    int n = 3;
    const jn_cover *c =
        jni_cover_between(F, jn_guard_and(g, a, care), jn_guard_or(g, a, jn_guard_not(g, care)));
    if (c)
        choice[n++] = c->function;
    jn_guard best = a;
    for (int i = 1; i < n; i++)
        if (item_of(F, choice[i])->literals < item_of(F, best)->literals)
            best = choice[i];
    return jn_formula_of(F, best);
}

int jn_formulas_lets(const jn_formulas *F)
{
    return F->nlets;
}

const jn_formula *jn_formulas_let(const jn_formulas *F, int i)
{
    return F->let[i];
}

int jn_formula_literals(const jn_formula *a)
{
    return jni_item_of(a)->literals;
}
