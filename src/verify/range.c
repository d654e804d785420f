/* range.c: how far the same happens.
 *
 * With the automata going the same way, the states in which they do are a convex set, whose section along
 * one number, the others as they are, is an interval. Its ends are found by halving; the simplest number
 * in what is left is told if it is the end, else one shortly before it. */
#include "question.h"

#include <stdlib.h>

enum {
    FAR = 60,    /* 2^60 is without end */
    CLOSE = 400, /* 2^−400 is nothing */
    HALVINGS = 26,
    SHORTLY = 10, /* before an end that is no simple number: by 2^−10 of the way */
    SECONDS = 4
};

/* The same conditions fire in all candidates. */
static term same_way(const unrolled *u, int n)
{
    question *q = u->q;
    logic *l = q->l;
    term same = jni_true(l);
    for (int k = 0; k < q->g->nswitches; k++)
        for (int s = 0; s < q->g->automaton[k].nstates; s++) {
            term now[] = {u->start.state[k][s], u->left[k][s]};
            for (int i = 0; i < 2; i++)
                same = jni_and(l, same, jni_told(l, now[i]) ? now[i] : jni_not(l, now[i]));
        }
    for (int i = 0; i < n; i++)
        for (int k = 0; k < q->g->nswitches; k++)
            for (int t = 0; t < q->g->automaton[k].ntransitions; t++) {
                term fires = jni_or(l, u->pass[i]->fires[k][t], u->pass[i]->fires_after[k][t]);
                same = jni_and(l, same, jni_told(l, fires) ? fires : jni_not(l, fires));
            }
    return same;
}

/* A number is as it was told; NULL: nothing is asked of it. */
static term as_told(question *q, term a)
{
    if (!a)
        return jni_true(q->l);
    fmpq_t c;
    fmpq_init(c);
    jni_told_number(c, q->l, a);
    term same = jni_equal(q->l, a, jni_number(q->l, c));
    fmpq_clear(c);
    return same;
}

/* Where the state and the inputs go, and what inputs were before, is as it was told. */
static term same_direction(const unrolled *u)
{
    question *q = u->q;
    logic *l = q->l;
    term same = jni_true(l);
    for (int i = 0; i < q->ncircles; i++)
        same = jni_and(l, same,
                       jni_and(l, as_told(q, q->circle[i].sine), as_told(q, q->circle[i].cosine)));
    for (int i = 0; i < q->g->nstorages && q->is_near; i++)
        same = jni_and(l, same, as_told(q, u->begun.slow->x[i]));
    for (int k = 0; k < q->g->nsources; k++) {
        if (q->is_near)
            same = jni_and(l, same, as_told(q, u->slow_input[k]));
        if (q->is_free[k])
            same = jni_and(l, same, as_told(q, u->start.input[k]));
        if (q->jumps)
            same =
                jni_and(l, same, jni_and(l, as_told(q, u->rate[k]), as_told(q, u->start.rate[k])));
        if (q->jumps && q->is_near)
            same = jni_and(
                l, same,
                jni_and(l, as_told(q, u->slow_rate[k]), as_told(q, u->start.slow->rate[k])));
    }
    return same;
}

static bool can(logic *l, term a)
{
    jni_push(l);
    jni_assert(l, a);
    bool yes = jni_ask(l) == LOGIC_YES;
    jni_pop(l);
    return yes;
}

/* sign·(x − c) > 0 */
static term beyond(question *q, term x, int sign, const fmpq_t c)
{
    term at = jni_number(q->l, c);
    return sign > 0 ? jni_less(q->l, at, x) : jni_less(q->l, x, at);
}

/* Between in, where it happens, and out, where it does not any more. False: it goes on without end. */
static bool bracket(fmpq_t in, fmpq_t out, question *q, term x, int sign)
{
    fmpq_t step;
    bool found = false;
    fmpq_init(step);
    fmpq_set_si(step, sign, 1);
    fmpq_mul_2exp(step, step, FAR);
    if (can(q->l, beyond(q, x, sign, step))) {
        fmpq_clear(step);
        return false;
    }
    fmpq_set_si(step, sign, 1);
    while (!found) {
        fmpq_add(out, in, step);
        found = !can(q->l, beyond(q, x, sign, out));
        fmpq_mul_2exp(step, step, 1);
    }
    for (int i = 0; i < HALVINGS; i++) {
        fmpq_add(step, in, out);
        fmpq_div_2exp(step, step, 1);
        fmpq_set(can(q->l, beyond(q, x, sign, step)) ? in : out, step);
    }
    fmpq_clear(step);
    return true;
}

static void simplest(fmpq_t out, const fmpq_t a, const fmpq_t b)
{
    if (fmpq_cmp(a, b) < 0)
        fmpq_simplest_between(out, a, b);
    else
        fmpq_simplest_between(out, b, a);
}

/* Whether it happens up to there and not beyond: closer to it than any two ends can be. */
static bool is_end(question *q, term x, int sign, const fmpq_t end)
{
    fmpq_t before;
    fmpq_init(before);
    fmpq_set_si(before, sign, 1);
    fmpq_div_2exp(before, before, CLOSE);
    fmpq_sub(before, end, before);
    bool yes = !can(q->l, beyond(q, x, sign, end)) && can(q->l, beyond(q, x, sign, before));
    fmpq_clear(before);
    return yes;
}

/* The end of the interval on one side of what the solver told, or a simple number shortly before it;
 * false: there is none. */
static bool find_end(fmpq_t end, bool *included, question *q, term x, const fmpq_t at, int sign)
{
    fmpq_t in, out;
    fmpq_init(in);
    fmpq_init(out);
    fmpq_set(in, at);
    bool found = bracket(in, out, q, x, sign);
    if (found) {
        simplest(end, in, out);
        *included = can(q->l, jni_equal(q->l, x, jni_number(q->l, end)));
        if (!*included && !is_end(q, x, sign, end)) {
            fmpq_sub(out, at, in);
            fmpq_div_2exp(out, out, SHORTLY);
            fmpq_add(out, out, in);
            simplest(end, in, out);
        }
    }
    fmpq_clear(in);
    fmpq_clear(out);
    return found;
}

/* What may vary: the states, and then inputs that are only bounded. */
static term varied(const unrolled *u, int i)
{
    const question *q = u->q;
    if (i < q->g->nstorages)
        return u->start.x[i];
    return q->is_free[i - q->g->nstorages] ? u->input[i - q->g->nstorages] : NULL;
}

static void find_range(jn_witness *w, const unrolled *u, int i, const fmpq *at, int n)
{
    question *q = u->q;
    struct jn_witness_range r = {.number = i};
    fmpq_init(r.low);
    fmpq_init(r.high);
    for (int k = 0; k < n; k++)
        if (k != i && varied(u, k))
            jni_assert(q->l, jni_equal(q->l, varied(u, k), jni_number(q->l, at + k)));
    if (!can(q->l, jni_equal(q->l, varied(u, i),
                             jni_number(q->l, at + i)))) { /* it begins beyond a surface */
        fmpq_clear(r.low);
        fmpq_clear(r.high);
        return;
    }
    r.has_low = find_end(r.low, &r.low_included, q, varied(u, i), at + i, -1);
    r.has_high = find_end(r.high, &r.high_included, q, varied(u, i), at + i, 1);
    bool is_point = r.has_low && r.has_high && fmpq_equal(r.low, r.high);
    if ((r.has_low || r.has_high) && !is_point) {
        w->range = jn_realloc(w->range, (size_t)(w->nranges + 1) * sizeof *w->range);
        w->range[w->nranges++] = r;
    } else {
        fmpq_clear(r.low);
        fmpq_clear(r.high);
    }
}

void jni_find_ranges(jn_witness *w, session *s, int steps)
{
    const unrolled *u = s->u;
    question *q = s->q;
    int n = q->g->nstorages + q->g->nsources;
    double until = jn_processor_seconds() + SECONDS;
    if (q->is_first)
        return;
    term same = jni_and(q->l, same_way(u, steps), same_direction(u));
    fmpq *at = jn_alloc((size_t)n * sizeof *at + 1);
    for (int i = 0; i < n; i++) {
        fmpq_init(at + i);
        fmpq_set(at + i, i < q->g->nstorages ? w->x + i : w->input + i - q->g->nstorages);
    }
    for (int i = 0; i < n && jn_processor_seconds() < until; i++) {
        if (!varied(u, i))
            continue;
        jni_push(q->l);
        jni_assert(q->l, same);
        find_range(w, u, i, at, n);
        jni_pop(q->l);
    }
    for (int i = 0; i < n; i++)
        fmpq_clear(at + i);
    free(at);
}
