/* order.c: does it matter that what becomes true together is taken together?
 *
 * The same instant is gone through twice: once as a run does it, once taking one change at a time, in
 * any order. If both end, they should end in the same mode. */
#include "question.h"

#include <stdlib.h>
#include <string.h>

/* The automata where a way through the instant ends. */
typedef struct {
    term ends;
    term *lambda;
} ending;

static ending ending_of(session *s, const unrolled *u)
{
    question *q = s->q;
    logic *l = q->l;
    ending e = {jni_false(l), jni_terms(q, q->g->nswitches)};
    for (int k = 0; k < q->g->nswitches; k++)
        e.lambda[k] = jni_bool(l);
    term before = jni_true(l);
    for (int i = 0; i < u->n; i++) {
        term here = jni_and(l, before, u->pass[i]->settles);
        e.ends = jni_or(l, e.ends, here);
        for (int k = 0; k < q->g->nswitches; k++)
            jni_assert(l, jni_implies(l, here, jni_iff(l, e.lambda[k], u->pass[i]->at.lambda[k])));
        before = jni_and(l, before, u->pass[i]->changes);
    }
    return e;
}

static term differ(question *q, const ending *a, const ending *b)
{
    term some = jni_false(q->l);
    for (int k = 0; k < q->g->nswitches; k++)
        some = jni_or(q->l, some, jni_not(q->l, jni_iff(q->l, a->lambda[k], b->lambda[k])));
    return some;
}

static term any_together(const unrolled *u)
{
    logic *l = u->q->l;
    term some = jni_false(l), before = jni_true(l);
    for (int i = 0; i < u->n; i++) {
        some = jni_or(l, some, jni_and(l, before, u->pass[i]->together));
        before = jni_and(l, before, u->pass[i]->changes);
    }
    return some;
}

/* One change at a time, for as long as it takes. False: no end was found. */
static bool unroll_all(session *s, unrolled *u)
{
    logic *l = s->q->l;
    int most = 2 * s->u->n + s->q->g->nswitches;
    for (; u->n <= most; jni_unroll_more(u)) {
        jni_push(l);
        for (int i = 0; i < u->n; i++)
            jni_assert(l, u->pass[i]->changes);
        answer a = jni_ask_true(s->q);
        jni_pop(l);
        if (a != LOGIC_YES)
            return a == LOGIC_NO;
    }
    return false;
}

static void ask(session *s, const ending *together, unrolled *other, bool is_all)
{
    question *q = s->q;
    jn_finding *f = &s->v->races;
    ending apart = ending_of(s, other);
    jni_assert(q->l, jni_and(q->l, apart.ends, differ(q, together, &apart)));
    answer a = jni_ask_true(q);
    if (a == LOGIC_YES && !jni_simplify(s)) {
        jni_open_off_circle(f);
    } else if (a == LOGIC_YES) {
        s->v->race_end = jn_alloc((size_t)q->g->nswitches + 1);
        for (int k = 0; k < q->g->nswitches; k++)
            s->v->race_end[k] = jni_told(q->l, apart.lambda[k]);
        jni_refute_told(f, s, 0, -1, ENDS);
    } else if (a == LOGIC_NO && is_all) {
        jni_prove(f, s);
    } else if (a == LOGIC_NO) {
        f->verdict = JN_OPEN;
        f->why = jni_text("taken one after the other, the changes were not seen to end");
    } else {
        jni_open(f, s);
    }
}

void jni_verify_order(session *s)
{
    if (s->q->g->nswitches < 2) {
        s->v->races.verdict = JN_PROVED;
        return;
    }
    if (!s->is_complete) {
        s->v->races.verdict = JN_OPEN;
        s->v->races.why = jni_text("the changes of an instant are not known to end");
        return;
    }
    jni_push(s->q->l);
    jni_assert(s->q->l, s->ends);
    /* Only instants count that end, and in which changes come together. */
    ending together = ending_of(s, s->u);
    jni_assert(s->q->l, jni_and(s->q->l, together.ends, any_together(s->u)));
    unrolled *other = jni_unroll_again(s->u, true);
    bool is_all = unroll_all(s, other);
    ask(s, &together, other, is_all);
    jni_unrolled_free(other);
    jni_pop(s->q->l);
}
