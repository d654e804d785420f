/* classes.c: modes with the same equations.
 *
 * Few modes are looked at one by one. Of many only the number of classes is found, exactly: two
 * modes λ and λ' have the same equations where all entry guards agree,
 *
 *     same(λ, λ') = ⋀ (g(λ) ⟺ g(λ')),
 *
 * a function of twice as many switches; and each class has one smallest member, so that the
 * classes are as many as the modes λ with no smaller λ' that is the same. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../algebra/guard_internal.h"
#include "analyse_internal.h"

#define LISTED_MAX 1e8 /* entries of matrices, in all modes */

/* ---- one by one ---------------------------------------------------------------------------- */

typedef struct {
    const jn_implicit *f;
    jn_classes *out;
    jn_mode mode;
    int mode_number;
    size_t entries; /* of E, A and perhaps B */
    int nclasses, cap;
    uint64_t *hash;     /* per class: of its values */
    jn_ratfun **values; /* per class: E, A, B */
} listing;

static void copy_values(jn_ratfun *to, const jn_mode *m, size_t entries)
{
    size_t n = (size_t)m->n * (size_t)m->n;
    memcpy(to, m->E, n * sizeof *to);
    memcpy(to + n, m->A, n * sizeof *to);
    memcpy(to + 2 * n, m->B, (entries - 2 * n) * sizeof *to);
}

static uint64_t hash_values(const jn_ratfun *v, size_t n)
{
    uint64_t h = 1469598103934665603u;
    for (size_t i = 0; i < n; i++)
        h = (h ^ (uint64_t)(unsigned)v[i].id) * 1099511628211u;
    return h;
}

/* The class of the mode's equation, old or new. */
static int find_class(listing *l)
{
    jn_ratfun *v = jn_alloc(l->entries * sizeof *v);
    copy_values(v, &l->mode, l->entries);
    uint64_t h = hash_values(v, l->entries);
    for (int k = 0; k < l->nclasses; k++)
        if (l->hash[k] == h && memcmp(l->values[k], v, l->entries * sizeof *v) == 0) {
            free(v);
            return k;
        }
    int room = l->cap;
    JN_GROW(l->values, l->nclasses, l->cap);
    if (room != l->cap)
        l->hash = jn_realloc(l->hash, (size_t)l->cap * sizeof *l->hash);
    l->values[l->nclasses] = v;
    l->hash[l->nclasses] = h;
    return l->nclasses++;
}

static bool visit(const jn_onoff *m, void *context)
{
    listing *l = context;
    jn_implicit_mode(&l->mode, l->f, m);
    l->out->of[l->mode_number++] = l->mode.status == JN_MODE_OK ? find_class(l) : -1;
    return true;
}

static void list_classes(jn_classes *out, const jn_implicit *f, bool inputs)
{
    const jn_graph *g = f->junction->graph;
    size_t n = (size_t)g->nstorages;
    listing l = {.f = f, .out = out};
    l.entries = n * (2 * n + (inputs ? (size_t)g->nsources : 0));
    out->nlisted = 1 << g->nswitches;
    out->of = jn_alloc((size_t)out->nlisted * sizeof *out->of);
    jn_mode_init(&l.mode);
    jn_guard_each_mode(f->junction->ring.guards, jn_guard_true(), visit, &l);
    fmpz_set_si(out->count, l.nclasses);
    out->known = true;
    for (int k = 0; k < l.nclasses; k++)
        free(l.values[k]);
    free(l.values);
    free(l.hash);
    jn_mode_clear(&l.mode);
}

/* ---- all at once --------------------------------------------------------------------------- */

/* Switch s of λ is switch 2s of the doubled space, that of λ' is 2s + 1. */
typedef struct {
    const jn_guards *from;
    jn_guards *to;
    jn_keymap copied; /* by node and side */
    jn_arena *arena;
} doubling;

static jn_guard copy(doubling *d, jn_guard a, int side)
{
    if (jn_guard_is_true(a) || jn_guard_is_false(a))
        return a;
    uint64_t key = (uint64_t)a.node * 2 + (uint64_t)side + 1;
    const jn_guard *known = jni_keymap_get(&d->copied, key);
    if (known)
        return *known;
    jn_guard s = jn_guard_switch(d->to, 2 * jni_guard_top(d->from, a) + side);
    jn_guard r = jn_guard_ite(d->to, s, copy(d, jni_guard_high(d->from, a), side),
                              copy(d, jni_guard_low(d->from, a), side));
    jni_keymap_put(&d->copied, key, jn_arena_dup(d->arena, &r, sizeof r));
    return r;
}

static jn_guards *double_space(const jn_guards *g)
{
    int n = jn_guards_size(g);
    int *order = jn_alloc(2 * (size_t)n * sizeof *order);
    for (int s = 0; s < n; s++) {
        int k = jni_guards_position(g, s);
        order[2 * k] = 2 * s;
        order[2 * k + 1] = 2 * s + 1;
    }
    jn_guards *to = jn_guards_new(2 * n, order);
    free(order);
    return to;
}

/* λ' comes before λ, the switch tested first counting most. */
static jn_guard is_smaller(const doubling *d)
{
    int n = jn_guards_size(d->from);
    int *at = jn_alloc((size_t)n * sizeof *at);
    jn_guard smaller = jn_guard_false();
    for (int s = 0; s < n; s++)
        at[jni_guards_position(d->from, s)] = s;
    for (int k = n - 1; k >= 0; k--) {
        jn_guard on = jn_guard_switch(d->to, 2 * at[k]);
        jn_guard other = jn_guard_switch(d->to, 2 * at[k] + 1);
        smaller = jn_guard_ite(d->to, jn_guard_xor(d->to, on, other), on, smaller);
    }
    free(at);
    return smaller;
}

typedef struct {
    jn_guard guard;
    int position; /* of the switch tested first */
} entry_guard;

typedef struct {
    int n, cap;
    entry_guard *g;
} guard_list;

static int compare_guards(const void *a, const void *b)
{
    const entry_guard *p = a, *q = b;
    if (p->position != q->position)
        return p->position > q->position ? -1 : 1;
    return (p->guard.node > q->guard.node) - (p->guard.node < q->guard.node);
}

static void list_entries(guard_list *l, const jn_guards *g, const jn_matrix *m)
{
    for (int i = 0; i < m->nrows; i++)
        for (int k = 0; k < m->row[i].n; k++)
            for (int c = 0; c < m->row[i].e[k].value.n; c++) {
                jn_guard a = m->row[i].e[k].value.c[c].guard;
                JN_GROW(l->g, l->n, l->cap);
                l->g[l->n++] = (entry_guard){a, jni_guards_position(g, jni_guard_top(g, a))};
            }
}

/* λ and λ' have the same equations: from the guards tested last to those tested first. */
static jn_guard same_equations(doubling *d, const jn_implicit *f, bool inputs)
{
    guard_list l = {0};
    jn_guard same = jn_guard_true();
    list_entries(&l, d->from, &f->E);
    list_entries(&l, d->from, &f->A);
    if (inputs)
        list_entries(&l, d->from, &f->B);
    if (l.n)
        qsort(l.g, (size_t)l.n, sizeof *l.g, compare_guards);
    for (int i = 0; i < l.n && !jn_guards_failed(d->to); i++) {
        if (i && jn_guard_equal(l.g[i].guard, l.g[i - 1].guard))
            continue;
        jn_guard differ = jn_guard_xor(d->to, copy(d, l.g[i].guard, 0), copy(d, l.g[i].guard, 1));
        same = jn_guard_minus(d->to, same, differ);
    }
    free(l.g);
    return same;
}

enum { DOUBLED_NODES = 4000000 };

static void count_classes(jn_classes *out, const jn_implicit *f, jn_guard good, bool inputs)
{
    doubling d = {.from = f->junction->ring.guards, .arena = jn_arena_new()};
    int n = jn_guards_size(d.from);
    d.to = double_space(d.from);
    jn_guards_limit(d.to, DOUBLED_NODES);
    jni_guards_share_budget(d.to, d.from);
    bool *primed = jn_alloc(2 * (size_t)n * sizeof *primed);
    for (int s = 0; s < n; s++)
        primed[2 * s + 1] = true;
    jn_guard earlier = jn_guard_and(d.to, same_equations(&d, f, inputs), copy(&d, good, 1));
    earlier = jn_guard_exists(d.to, jn_guard_and(d.to, earlier, is_smaller(&d)), primed);
    jn_guard first = jn_guard_minus(d.to, copy(&d, good, 0), earlier);
    out->known = !jn_guards_failed(d.to);
    if (out->known) {
        jn_guard_count(out->count, d.to, first);
        fmpz_fdiv_q_2exp(out->count, out->count, (ulong)n); /* λ' is not in it */
    }
    jni_keymap_clear(&d.copied);
    jn_guards_free(d.to);
    jn_arena_free(d.arena);
    free(primed);
}

/* Listing holds the matrices of a mode, and at worst those of all modes. */
static bool is_listable(const jn_graph *g)
{
    double modes = ldexp(1, g->nswitches), n = g->nstorages;
    return modes <= JN_CLASSES_MODES && modes * n * (2 * n + g->nsources) <= LISTED_MAX;
}

static void find_classes(jn_classes *out, const jn_across *c, bool inputs)
{
    if (is_listable(c->analysis->graph))
        list_classes(out, c->analysis->implicit, inputs);
    else
        count_classes(out, c->analysis->implicit, c->good, inputs);
}

void jni_across_classes(jn_across *c)
{
    find_classes(&c->equations, c, true);
    find_classes(&c->dynamics, c, false);
}
