/* guarded.c: values that depend on the mode.
 *
 * Every operation collects (guard, value) pairs whose guards are disjoint, then puts them in
 * order: zeros and empty guards fall away, equal values are united. Most values of a junction
 * structure have one case, and most of those hold in every mode: these paths come first. */
#include <stdlib.h>
#include <string.h>

#include "junct/guarded.h"

/* ---- collecting cases ---------------------------------------------------------------------- */

typedef struct {
    int n, cap;
    jn_case *c;
} cases;

static void put(cases *s, jn_guard g, jn_ratfun v)
{
    if (jn_guard_is_false(g) || jn_ratfun_is_zero(v))
        return;
    JN_GROW(s->c, s->n, s->cap);
    s->c[s->n++] = (jn_case){g, v};
}

static int by_value(const void *a, const void *b)
{
    int x = ((const jn_case *)a)->value.id, y = ((const jn_case *)b)->value.id;
    return (x > y) - (x < y);
}

/* Makes the collected cases the value of r. */
static void settle(jn_guarded *r, cases *s, jn_guards *guards)
{
    if (s->n > 1)
        qsort(s->c, (size_t)s->n, sizeof *s->c, by_value);
    int n = 0;
    for (int i = 0; i < s->n; i++) {
        if (n && jn_ratfun_equal(s->c[n - 1].value, s->c[i].value))
            s->c[n - 1].guard = jn_guard_or(guards, s->c[n - 1].guard, s->c[i].guard);
        else
            s->c[n++] = s->c[i];
    }
    free(r->c);
    r->n = n;
    r->c = s->c;
    if (!n) {
        free(r->c);
        r->c = NULL;
    }
}

/* ---- plain handling ------------------------------------------------------------------------ */

void jn_guarded_init(jn_guarded *v)
{
    *v = (jn_guarded){0};
}

void jn_guarded_clear(jn_guarded *v)
{
    free(v->c);
    *v = (jn_guarded){0};
}

void jn_guarded_set(jn_guarded *r, const jn_guarded *a)
{
    if (r == a)
        return;
    if (a->n) {
        r->c = jn_realloc(r->c, (size_t)a->n * sizeof *a->c);
        memcpy(r->c, a->c, (size_t)a->n * sizeof *a->c);
        r->n = a->n;
    } else {
        jn_guarded_clear(r);
    }
}

void jn_guarded_set_case(jn_guarded *r, jn_guard g, jn_ratfun value)
{
    jn_guarded_clear(r);
    if (jn_guard_is_false(g) || jn_ratfun_is_zero(value))
        return;
    r->c = jn_alloc(sizeof *r->c);
    r->c[0] = (jn_case){g, value};
    r->n = 1;
}

/* ---- arithmetic ---------------------------------------------------------------------------- */

static bool same_single_guard(const jn_guarded *a, const jn_guarded *b)
{
    return a->n == 1 && b->n == 1 && jn_guard_equal(a->c[0].guard, b->c[0].guard);
}

void jn_guarded_neg(jn_guarded *r, const jn_guarded *a, jn_ring ring)
{
    jn_guarded_scale(r, a, jn_ratfun_int(ring.field, -1), ring);
}

void jn_guarded_scale(jn_guarded *r, const jn_guarded *a, jn_ratfun c, jn_ring ring)
{
    if (jn_ratfun_is_one(c)) {
        jn_guarded_set(r, a);
        return;
    }
    cases s = {0};
    for (int i = 0; i < a->n; i++)
        put(&s, a->c[i].guard, jn_ratfun_mul(ring.field, a->c[i].value, c));
    settle(r, &s, ring.guards);
}

void jn_guarded_add(jn_guarded *r, const jn_guarded *a, const jn_guarded *b, jn_ring ring)
{
    if (!a->n || !b->n) {
        jn_guarded_set(r, a->n ? a : b);
        return;
    }
    if (same_single_guard(a, b)) {
        jn_guarded_set_case(r, a->c[0].guard,
                            jn_ratfun_add(ring.field, a->c[0].value, b->c[0].value));
        return;
    }
    cases s = {0};
    jn_guard *only_b = jn_alloc((size_t)b->n * sizeof *only_b);
    for (int j = 0; j < b->n; j++)
        only_b[j] = b->c[j].guard;
    for (int i = 0; i < a->n; i++) {
        jn_guard only_a = a->c[i].guard;
        for (int j = 0; j < b->n && !jn_guard_is_false(only_a); j++) {
            jn_guard both = jn_guard_and(ring.guards, only_a, only_b[j]);
            if (jn_guard_is_false(both))
                continue;
            put(&s, both, jn_ratfun_add(ring.field, a->c[i].value, b->c[j].value));
            only_a = jn_guard_minus(ring.guards, only_a, both);
            only_b[j] = jn_guard_minus(ring.guards, only_b[j], both);
        }
        put(&s, only_a, a->c[i].value);
    }
    for (int j = 0; j < b->n; j++)
        put(&s, only_b[j], b->c[j].value);
    free(only_b);
    settle(r, &s, ring.guards);
}

void jn_guarded_mul(jn_guarded *r, const jn_guarded *a, const jn_guarded *b, jn_ring ring)
{
    if (same_single_guard(a, b)) {
        jn_guarded_set_case(r, a->c[0].guard,
                            jn_ratfun_mul(ring.field, a->c[0].value, b->c[0].value));
        return;
    }
    cases s = {0};
    for (int i = 0; i < a->n; i++)
        for (int j = 0; j < b->n; j++) {
            jn_guard both = jn_guard_and(ring.guards, a->c[i].guard, b->c[j].guard);
            if (!jn_guard_is_false(both))
                put(&s, both, jn_ratfun_mul(ring.field, a->c[i].value, b->c[j].value));
        }
    settle(r, &s, ring.guards);
}

void jn_guarded_inv(jn_guarded *r, const jn_guarded *a, jn_ring ring)
{
    cases s = {0};
    for (int i = 0; i < a->n; i++) {
        jn_ratfun inverse = JN_RATFUN_ZERO;
        /* A case is never zero; after the field has failed it may be, and then stays so. */
        if (jn_ratfun_inv(&inverse, ring.field, a->c[i].value) == JN_OK)
            put(&s, a->c[i].guard, inverse);
    }
    settle(r, &s, ring.guards);
}

void jn_guarded_restrict(jn_guarded *r, const jn_guarded *a, jn_guard g, jn_ring ring)
{
    if (jn_guard_is_true(g)) {
        jn_guarded_set(r, a);
        return;
    }
    cases s = {0};
    for (int i = 0; i < a->n; i++)
        put(&s, jn_guard_and(ring.guards, a->c[i].guard, g), a->c[i].value);
    settle(r, &s, ring.guards);
}

void jn_guarded_confine(jn_guarded *v, jn_guard g, jn_ring ring)
{
    int n = 0;
    for (int i = 0; i < v->n; i++)
        if (!jn_guard_disjoint(ring.guards, v->c[i].guard, g))
            v->c[n++] = v->c[i];
    v->n = n;
    if (!n)
        jn_guarded_clear(v);
}

static jn_guard tidy_guard(jn_guard a, jn_guard care, jn_guard prefer, jn_guard taken, jn_guards *g)
{
    jn_guard differs = jn_guard_and(g, care, jn_guard_xor(g, a, prefer));
    if (jn_guard_is_false(differs) && jn_guard_disjoint(g, prefer, taken))
        return prefer;
    return jn_guard_tidy(g, a, care, taken);
}

void jn_guarded_tidy(jn_guarded *r, const jn_guarded *a, jn_guard care, jn_guard prefer,
                     jn_ring ring)
{
    if (jn_guard_is_true(care)) {
        jn_guarded_set(r, a);
        return;
    }
    cases s = {0};
    jn_guard taken = jn_guard_false();
    for (int i = 0; i < a->n; i++) {
        if (jn_guard_disjoint(ring.guards, a->c[i].guard, care))
            continue;
        jn_guard g = tidy_guard(a->c[i].guard, care, prefer, taken, ring.guards);
        taken = jn_guard_or(ring.guards, taken, g);
        put(&s, g, a->c[i].value);
    }
    settle(r, &s, ring.guards);
}

/* ---- asking -------------------------------------------------------------------------------- */

bool jn_guarded_is_zero(const jn_guarded *a)
{
    return a->n == 0;
}

jn_guard jn_guarded_support(const jn_guarded *a, jn_ring ring)
{
    jn_guard g = jn_guard_false();
    for (int i = 0; i < a->n; i++)
        g = jn_guard_or(ring.guards, g, a->c[i].guard);
    return g;
}

jn_ratfun jn_guarded_at(const jn_guarded *a, const jn_onoff *m, jn_ring ring)
{
    for (int i = 0; i < a->n; i++)
        if (jn_guard_at(ring.guards, a->c[i].guard, m))
            return a->c[i].value;
    return JN_RATFUN_ZERO;
}
