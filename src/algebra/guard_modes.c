/* guard_modes.c: the modes of a guard: how many, the best, each.
 *
 * The first two go once over the diagram, laid out as arrays with every node after its two
 * branches. An edge that jumps over positions stands for every setting of their switches. */
#include <stdlib.h>

#include "guard_internal.h"

typedef struct {
    int n;                /* nodes; 0 and 1 are the constants, n − 1 is the root */
    int *at, *low, *high; /* position tested (nswitches for a constant), and the branches */
    int cap;
    jn_keymap index; /* while it is built: BDD node → number */
} diagram;

static int add_node(diagram *d, int at, int low, int high)
{
    if (d->n == d->cap) {
        d->cap = d->cap ? 2 * d->cap : 64;
        d->at = jn_realloc(d->at, (size_t)d->cap * sizeof *d->at);
        d->low = jn_realloc(d->low, (size_t)d->cap * sizeof *d->low);
        d->high = jn_realloc(d->high, (size_t)d->cap * sizeof *d->high);
    }
    d->at[d->n] = at;
    d->low[d->n] = low;
    d->high[d->n] = high;
    return d->n++;
}

static int lay_out(diagram *d, const jn_guards *g, jn_guard a)
{
    if (jn_guard_is_false(a) || jn_guard_is_true(a))
        return jn_guard_is_true(a);
    void *known = jni_keymap_get(&d->index, (uint64_t)a.node);
    if (known)
        return (int)(intptr_t)known;
    int low = lay_out(d, g, jni_guard_low(g, a));
    int high = lay_out(d, g, jni_guard_high(g, a));
    int i = add_node(d, jni_guards_position(g, jni_guard_top(g, a)), low, high);
    jni_keymap_put(&d->index, (uint64_t)a.node, (void *)(intptr_t)i);
    return i;
}

/* a is not a constant. */
static void diagram_init(diagram *d, const jn_guards *g, jn_guard a)
{
    *d = (diagram){0};
    add_node(d, jn_guards_size(g), 0, 0);
    add_node(d, jn_guards_size(g), 1, 1);
    lay_out(d, g, a);
    jni_keymap_clear(&d->index);
}

static void diagram_clear(diagram *d)
{
    free(d->at);
    free(d->low);
    free(d->high);
}

/* ---- how many ------------------------------------------------------------------------------ */

void jn_guard_count(fmpz_t count, jn_guards *g, jn_guard a)
{
    int nswitches = jn_guards_size(g);
    if (jn_guard_is_false(a) || jn_guard_is_true(a)) {
        fmpz_set_ui(count, (ulong)jn_guard_is_true(a));
        fmpz_mul_2exp(count, count, (ulong)nswitches);
        return;
    }
    diagram d;
    diagram_init(&d, g, a);
    /* below[i]: the settings of the switches from at[i] on that lead from i to true. */
    fmpz *below = jn_alloc((size_t)d.n * sizeof *below);
    fmpz_one(&below[1]);
    fmpz_t high;
    fmpz_init(high);
    for (int i = 2; i < d.n; i++) {
        int lo = d.low[i], hi = d.high[i];
        fmpz_mul_2exp(&below[i], &below[lo], (ulong)(d.at[lo] - d.at[i] - 1));
        fmpz_mul_2exp(high, &below[hi], (ulong)(d.at[hi] - d.at[i] - 1));
        fmpz_add(&below[i], &below[i], high);
    }
    fmpz_mul_2exp(count, &below[d.n - 1], (ulong)d.at[d.n - 1]);
    fmpz_clear(high);
    for (int i = 0; i < d.n; i++)
        fmpz_clear(&below[i]);
    free(below);
    diagram_clear(&d);
}

/* ---- the best ------------------------------------------------------------------------------ */

typedef struct {
    diagram d;
    int nswitches;
    bool *must_on, *must_off; /* by position: what is settled already */
    int *on_before;           /* positions below k that may be ON */
    int *most;                /* by node: the most ON from its position to the end; −1: none */
} search;

static int most_by(const search *s, int node, int branch, bool on)
{
    int at = s->d.at[node];
    if (s->most[branch] < 0 || (on ? s->must_off[at] : s->must_on[at]))
        return -1;
    return on + s->on_before[s->d.at[branch]] - s->on_before[at + 1] + s->most[branch];
}

/* The most switches ON in a mode that keeps to what is settled; −1 when there is none. */
static int most_on(search *s)
{
    for (int k = 0; k < s->nswitches; k++)
        s->on_before[k + 1] = s->on_before[k] + !s->must_off[k];
    s->most[0] = -1;
    s->most[1] = 0;
    for (int i = 2; i < s->d.n; i++) {
        int off = most_by(s, i, s->d.low[i], false), on = most_by(s, i, s->d.high[i], true);
        s->most[i] = on > off ? on : off;
    }
    int root = s->d.n - 1;
    return s->most[root] < 0 ? -1 : s->on_before[s->d.at[root]] + s->most[root];
}

bool jn_guard_best_mode(jn_onoff *m, jn_guards *g, jn_guard a)
{
    int n = jn_guards_size(g);
    if (jn_guard_is_false(a))
        return false;
    for (int s = 0; s < n; s++)
        m[s] = 1;
    if (jn_guard_is_true(a))
        return true;
    size_t places = (size_t)n + 1;
    search s = {.nswitches = n};
    diagram_init(&s.d, g, a);
    s.must_on = jn_alloc(places * sizeof *s.must_on);
    s.must_off = jn_alloc(places * sizeof *s.must_off);
    s.on_before = jn_alloc(places * sizeof *s.on_before);
    s.most = jn_alloc((size_t)s.d.n * sizeof *s.most);
    bool *matters = jn_alloc(places * sizeof *matters);
    jn_guard_support(matters, g, a);
    /* Settle one switch after another: ON wherever that keeps the greatest number. */
    int best = most_on(&s);
    for (int i = 0; i < n; i++) {
        int k = jni_guards_position(g, i);
        if (!matters[i])
            continue;
        s.must_on[k] = true;
        if (most_on(&s) == best)
            continue;
        s.must_on[k] = false;
        s.must_off[k] = true;
        m[i] = 0;
    }
    free(matters);
    free(s.must_on);
    free(s.must_off);
    free(s.on_before);
    free(s.most);
    diagram_clear(&s.d);
    return true;
}

/* ---- each ---------------------------------------------------------------------------------- */

typedef struct {
    jn_guards *g;
    jn_onoff *m;
    bool (*visit)(const jn_onoff *m, void *ctx);
    void *ctx;
} walk;

/* a: what is left of the guard with the switches before s set as in m. */
static bool walk_from(walk *w, jn_guard a, int s)
{
    if (jn_guard_is_false(a))
        return true;
    if (s == jn_guards_size(w->g))
        return w->visit(w->m, w->ctx);
    for (int on = 0; on <= 1; on++) {
        int mark = jni_guards_enter(w->g);
        w->m[s] = (jn_onoff)on;
        bool more = walk_from(w, jn_guard_cofactor(w->g, a, s, on), s + 1);
        jni_guards_leave(w->g, mark, jn_guard_false());
        if (!more)
            return false;
    }
    return true;
}

void jn_guard_each_mode(jn_guards *g, jn_guard a, bool (*visit)(const jn_onoff *m, void *ctx),
                        void *ctx)
{
    walk w = {g, jn_alloc((size_t)jn_guards_size(g) + 1), visit, ctx};
    walk_from(&w, a, 0);
    free(w.m);
}
