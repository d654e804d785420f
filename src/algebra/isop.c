/* isop.c: irredundant sums of products, after Minato and Morreale.
 *
 * Between least and most, with x the first switch they depend on: products that need ¬x must
 * cover what is in least at x = 0 and may not be at x = 1, and so with x; what is left over
 * is covered by products without x. The covers are shared and only counted; they are written
 * out when they are short. Switches are taken in the order of declaration, so that the result
 * does not depend on the order of the diagram. */
#include <stdlib.h>

#include "formula_internal.h"

enum {
    MOST_LITERALS = 100, /* in a cover */
    MOST_SWITCHES = 60,  /* a product for each would already be long */
    MOST_NODES = 250     /* in the diagrams */
};

/* ---- finding ------------------------------------------------------------------------------- */

static const jn_cover none = {.s = -1};
static const jn_cover whole = {.function = {1}, .products = 1, .s = -1};
static const jn_cover too_long = {.s = -1}; /* a mark in the map */

typedef struct {
    jn_formulas *F;
    int n;
    int s[MOST_SWITCHES]; /* the switches in question, ascending */
} task;

static const jn_cover *cover(const task *t, jn_guard least, jn_guard most, int from);

static const jn_cover *cover_by(const task *t, int i, const jn_guard l[2], const jn_guard m[2])
{
    jn_guards *g = t->F->g;
    const jn_cover *off = cover(t, jn_guard_minus(g, l[0], m[1]), m[0], i + 1);
    const jn_cover *on = off ? cover(t, jn_guard_minus(g, l[1], m[0]), m[1], i + 1) : NULL;
    if (!on)
        return NULL;
    jn_guard left = jn_guard_or(g, jn_guard_minus(g, l[0], off->function),
                                jn_guard_minus(g, l[1], on->function));
    const jn_cover *without = cover(t, left, jn_guard_and(g, m[0], m[1]), i + 1);
    if (!without)
        return NULL;
    int products = off->products + on->products;
    int literals = off->literals + on->literals + products + without->literals;
    if (literals > MOST_LITERALS)
        return NULL;
    jn_guard f = jn_guard_ite(g, jn_guard_switch(g, t->s[i]), on->function, off->function);
    jn_cover *c = jn_arena_alloc(t->F->arena, sizeof *c);
    *c = (jn_cover){jn_guard_or(g, f, without->function),
                    products + without->products,
                    literals,
                    t->s[i],
                    off,
                    on,
                    without};
    return c;
}

static const jn_cover *cover(const task *t, jn_guard least, jn_guard most, int from)
{
    if (jn_guard_is_false(least))
        return &none;
    if (jn_guard_is_true(most))
        return &whole;
    uint64_t key = (uint64_t)least.node << 32 | (uint64_t)most.node;
    const jn_cover *c = jni_keymap_get(&t->F->covers, key);
    if (c)
        return c == &too_long ? NULL : c;
    jn_guards *g = t->F->g;
    for (int i = from; i < t->n && !c; i++) {
        int s = t->s[i];
        jn_guard l[2] = {jn_guard_cofactor(g, least, s, false),
                         jn_guard_cofactor(g, least, s, true)};
        jn_guard m[2] = {jn_guard_cofactor(g, most, s, false), jn_guard_cofactor(g, most, s, true)};
        if (jn_guard_equal(l[0], l[1]) && jn_guard_equal(m[0], m[1]))
            continue;
        c = cover_by(t, i, l, m);
        break;
    }
    jni_keymap_put(&t->F->covers, key, (void *)(c ? c : &too_long));
    return c;
}

const jn_cover *jni_cover_between(jn_formulas *F, jn_guard least, jn_guard most)
{
    jn_guards *g = F->g;
    if (jn_guard_nodes(g, least) + jn_guard_nodes(g, most) > 2 * MOST_NODES)
        return NULL;
    int n = jn_guards_size(g);
    bool *in_least = jn_alloc((size_t)n + 1), *in_most = jn_alloc((size_t)n + 1);
    jn_guard_support(in_least, g, least);
    jn_guard_support(in_most, g, most);
    task t = {.F = F};
    bool fits = true;
    for (int s = 0; s < n && fits; s++) {
        if (!in_least[s] && !in_most[s])
            continue;
        fits = t.n < MOST_SWITCHES;
        if (fits)
            t.s[t.n++] = s;
    }
    free(in_least);
    free(in_most);
    return fits ? cover(&t, least, most, 0) : NULL;
}

/* ---- writing out --------------------------------------------------------------------------- */

/* A product: its literals (2s: λs, 2s + 1: ¬λs) in the order of the switches, and perhaps
 * two switches under an XOR. */
typedef struct {
    int n;
    int *literal;
    int u, v; /* λu ⊕ λv, or its negation; −1: no such factor */
    bool same;
} product;

typedef struct {
    jn_formulas *F;
    int n;
    product *p;
    int depth;
    int path[MOST_SWITCHES];
} listing;

static void list_products(listing *l, const jn_cover *c)
{
    if (c->products == 0)
        return;
    if (c->s < 0) {
        product *p = &l->p[l->n++];
        *p = (product){.n = l->depth, .u = -1, .v = -1};
        p->literal = jn_arena_dup(l->F->arena, l->path, (size_t)l->depth * sizeof *l->path);
        return;
    }
    l->path[l->depth++] = 2 * c->s;
    list_products(l, c->on);
    l->path[l->depth - 1] = 2 * c->s + 1;
    list_products(l, c->off);
    l->depth--;
    list_products(l, c->without);
}

/* Merges b into a if they are the same but for the sense of exactly two switches. */
static bool merge_products(product *a, const product *b)
{
    int differ[2], n = 0;
    if (a->n != b->n || a->u >= 0 || b->u >= 0)
        return false;
    for (int i = 0; i < a->n; i++) {
        if (a->literal[i] == b->literal[i])
            continue;
        if (a->literal[i] / 2 != b->literal[i] / 2 || n == 2)
            return false;
        differ[n++] = i;
    }
    if (n != 2)
        return false;
    int u = a->literal[differ[0]], v = a->literal[differ[1]];
    a->u = u / 2;
    a->v = v / 2;
    a->same = u % 2 == v % 2;
    int kept = 0;
    for (int i = 0; i < a->n; i++)
        if (i != differ[0] && i != differ[1])
            a->literal[kept++] = a->literal[i];
    a->n = kept;
    return true;
}

static void merge_pairs(listing *l)
{
    for (int i = 0; i < l->n; i++)
        for (int j = i + 1; j < l->n; j++)
            if (merge_products(&l->p[i], &l->p[j])) {
                l->p[j] = l->p[--l->n];
                break;
            }
}

static jn_item *product_formula(jn_formulas *F, const product *p, bool negated)
{
    jn_item *part[MOST_SWITCHES + 1];
    int n = 0;
    for (; n < p->n; n++)
        part[n] = jni_item_literal(F, p->literal[n] / 2, (p->literal[n] % 2 == 0) != negated);
    if (p->u >= 0) {
        jn_item *differ = jni_item_join2(F, JN_FORMULA_XOR, jni_item_literal(F, p->u, true),
                                         jni_item_literal(F, p->v, true));
        part[n++] = p->same != negated ? jni_item_not(F, differ) : differ;
    }
    return jni_item_join(F, negated ? JN_FORMULA_OR : JN_FORMULA_AND, part, n);
}

jn_item *jni_cover_formula(jn_formulas *F, const jn_cover *c, bool negated)
{
    listing l = {.F = F, .p = jn_alloc((size_t)(c->products + 1) * sizeof *l.p)};
    list_products(&l, c);
    merge_pairs(&l);
    jn_item **term = jn_alloc((size_t)(l.n + 1) * sizeof *term);
    for (int i = 0; i < l.n; i++)
        term[i] = product_formula(F, &l.p[i], negated);
    jn_item *r = jni_item_join(F, negated ? JN_FORMULA_AND : JN_FORMULA_OR, term, l.n);
    free(term);
    free(l.p);
    return r;
}
