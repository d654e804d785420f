/* terms.c: numbers as terms, and equalities that hold in some modes. */
#include "question.h"

#include <string.h>

void *jni_room(question *q, size_t bytes)
{
    return jn_arena_alloc(q->arena, bytes);
}

term *jni_terms(question *q, int n)
{
    return jni_room(q, (size_t)n * sizeof(term));
}

void jni_vague(question *q, jn_place place, const char *why)
{
    q->vague_values++;
    for (int i = 0; i < q->nvague; i++)
        if (q->vague[i].place.offset == place.offset && !strcmp(q->vague[i].why, why))
            return;
    JN_GROW(q->vague, q->nvague, q->cap_vague);
    q->vague[q->nvague++] = (vague){place, why};
}

jn_ratfun jni_known_number(question *q, jn_ratfun c)
{
    jn_ratfun r;
    if (c.id < 0 || jn_ratfun_put(&r, q->g->field, c, q->g->param_value, q->g->nparams) != JN_OK ||
        !jn_ratfun_is_const(q->g->field, r))
        r.id = -1;
    return r;
}

term jni_constant_term(question *q, jn_ratfun c)
{
    fmpq_t v;
    fmpq_init(v);
    term a = jn_ratfun_get_fmpq(v, q->g->field, c) ? jni_number(q->l, v) : jni_zero(q->l);
    fmpq_clear(v);
    return a;
}

term jni_times(question *q, jn_ratfun c, term a)
{
    fmpq_t v;
    fmpq_init(v);
    if (jn_ratfun_get_fmpq(v, q->g->field, c))
        a = jni_scale(q->l, v, a);
    fmpq_clear(v);
    return a;
}

term jni_minus(question *q, term a, term b)
{
    return b == jni_zero(q->l) ? a
                               : jni_add(q->l, a, jni_times(q, jn_ratfun_int(q->g->field, -1), b));
}

term jni_sum_terms(question *q, term *a, int n)
{
    term sum = jni_zero(q->l);
    for (int i = 0; i < n; i++)
        sum = jni_add(q->l, sum, a[i]);
    return sum;
}

/* a = b, always or under a condition. What holds always is solved at once; the rest waits for it. */
void jni_equal_if(question *q, term when, term a, term b)
{
    if (jni_is_true(q->l, when))
        jni_assert_equal(q->l, a, b);
    if (jni_is_true(q->l, when) || jni_is_false(q->l, when))
        return;
    JN_GROW(q->waiting, q->nwaiting, q->cap_waiting);
    q->waiting[q->nwaiting++] = (struct waiting_law){when, a, b};
}

void jni_laws_end(question *q)
{
    for (int i = 0; i < q->nwaiting; i++) {
        const struct waiting_law *w = &q->waiting[i];
        jni_assert(q->l, jni_implies(q->l, w->when, jni_equal(q->l, w->a, w->b)));
    }
    q->nwaiting = 0;
}

/* a or b, as a number of its own. */
term jni_either(question *q, term when, term a, term b)
{
    term one = jni_real(q->l);
    jni_equal_if(q, when, one, a);
    jni_equal_if(q, jni_not(q->l, when), one, b);
    return one;
}

void jni_zero_if(question *q, term when, term a)
{
    jni_equal_if(q, when, a, jni_zero(q->l));
}

/* The same number in all modes; id < 0: it is not one. */
jn_ratfun jni_only_number(question *q, jn_value v)
{
    jn_ratfun none = {-1};
    return v.ncases ? none : jni_known_number(q, v.one);
}
