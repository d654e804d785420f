/* order.c: does it matter that what becomes true together is taken together?
 *
 * The same instant is gone through twice: once as a run does it, once taking one change at a time, in
 * any order. If both end, they should end in the same states of the automata, with the same values. */
#include "question.h"

#include <stdlib.h>
#include <string.h>

/* Where a way through the instant ends: automata, discrete variables, and the state, where it can jump. */
typedef struct {
    term ends;
    term **state;
    term *discrete, *x;
    int nx;
} ending;

static void equal_where(question *q, term here, term *a, term *b, int n)
{
    for (int i = 0; i < n; i++)
        jni_assert(q->l, jni_implies(q->l, here, jni_equal(q->l, a[i], b[i])));
}

static ending new_ending(question *q)
{
    int nx = q->jumps ? q->g->nstorages : 0;
    ending e = {jni_false(q->l), jni_table(q), jni_reals(q, q->g->ndiscretes), jni_reals(q, nx),
                nx};
    for (int k = 0; k < q->g->nswitches; k++) {
        e.state[k] = jni_terms(q, q->g->automaton[k].nstates);
        for (int s = 0; s < q->g->automaton[k].nstates; s++)
            e.state[k][s] = jni_bool(q->l);
    }
    return e;
}

static ending ending_of(session *s, const unrolled *u)
{
    question *q = s->q;
    logic *l = q->l;
    ending e = new_ending(q);
    term before = jni_true(l);
    for (int i = 0; i < u->n; i++) {
        const view *v = &u->pass[i]->at;
        term here = jni_and(l, before, u->pass[i]->settles);
        e.ends = jni_or(l, e.ends, here);
        for (int k = 0; k < q->g->nswitches; k++)
            for (int t = 0; t < q->g->automaton[k].nstates; t++)
                jni_assert(l, jni_implies(l, here, jni_iff(l, e.state[k][t], v->state[k][t])));
        equal_where(q, here, e.discrete, v->discrete, q->g->ndiscretes);
        equal_where(q, here, e.x, v->x, e.nx);
        before = jni_and(l, before, u->pass[i]->changes);
    }
    return e;
}

static term differ_in(question *q, term *a, term *b, int n)
{
    term some = jni_false(q->l);
    for (int i = 0; i < n; i++)
        some = jni_or(q->l, some, jni_not(q->l, jni_equal(q->l, a[i], b[i])));
    return some;
}

static term differ(question *q, const ending *a, const ending *b)
{
    term some = jni_or(q->l, differ_in(q, a->discrete, b->discrete, q->g->ndiscretes),
                       differ_in(q, a->x, b->x, a->nx));
    for (int k = 0; k < q->g->nswitches; k++)
        for (int s = 0; s < q->g->automaton[k].nstates; s++)
            some = jni_or(q->l, some, jni_not(q->l, jni_iff(q->l, a->state[k][s], b->state[k][s])));
    return some;
}

/* ---- what differs, in words ------------------------------------------------------------------ */

static void tell_number(jn_str *out, question *q, const char *form, const char *name, term is,
                        term was)
{
    fmpq_t a, b;
    fmpq_init(a);
    fmpq_init(b);
    jni_told_number(a, q->l, is);
    jni_told_number(b, q->l, was);
    if (!fmpq_equal(a, b)) {
        char *now = fmpq_get_str(NULL, 10, a), *then = fmpq_get_str(NULL, 10, b);
        jn_str_add(out, out->len ? ", " : "");
        jn_str_addf(out, form, name);
        jn_str_addf(out, " = %s instead of %s", now, then);
        flint_free(now);
        flint_free(then);
    }
    fmpq_clear(a);
    fmpq_clear(b);
}

static const char *told_state(question *q, const ending *e, int k)
{
    const jn_automaton *a = &q->g->automaton[k];
    int s = 0;
    while (s < a->nstates - 1 && !jni_told(q->l, e->state[k][s]))
        s++;
    return a->state[s].name;
}

static char *tell_difference(question *q, const ending *is, const ending *was)
{
    const jn_graph *g = q->g;
    jn_str out;
    jn_str_init(&out);
    for (int k = 0; k < g->nswitches; k++) {
        const char *now = told_state(q, is, k), *then = told_state(q, was, k);
        if (strcmp(now, then) != 0)
            jn_str_addf(&out, "%s%s in %s instead of %s", out.len ? ", " : "",
                        g->element[g->automaton[k].element].name, now, then);
    }
    for (int i = 0; i < g->ndiscretes; i++)
        tell_number(&out, q, "%s", g->discrete[i].name, is->discrete[i], was->discrete[i]);
    for (int i = 0; i < is->nx; i++) {
        const jn_element *x = &g->element[g->storage[i]];
        tell_number(&out, q, x->kind == JN_I ? "p(%s)" : "q(%s)", x->name, is->x[i], was->x[i]);
    }
    return out.s;
}

static jn_onoff *told_mode(question *q, const ending *e)
{
    const jn_graph *g = q->g;
    jn_onoff *mode = jn_alloc((size_t)g->nswitches + 1);
    for (int k = 0; k < g->nswitches; k++)
        for (int s = 0; s < g->automaton[k].nstates; s++)
            if (jni_told(q->l, e->state[k][s]))
                mode[k] = g->automaton[k].state[s].on;
    return mode;
}

/* ---- the question ---------------------------------------------------------------------------- */

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

/* By the solution told. */
static void refute(session *s, const ending *together, const ending *apart)
{
    free(s->v->race_end);
    free(s->v->race_differs);
    s->v->race_end = told_mode(s->q, apart);
    s->v->race_differs = tell_difference(s->q, apart, together);
    jni_refute_told(&s->v->races, s, 0, -1, ENDS);
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
        refute(s, together, &apart);
        if (jni_again_anywhere(f, s))
            refute(s, together, &apart);
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
