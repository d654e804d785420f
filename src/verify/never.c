/* never.c: what never happens, and what can follow what. */
#include "question.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_MODES_EXPONENT = 8, MOST_SUCCESSORS = 8192 };

/* ---- where instants end -------------------------------------------------------------------- */

/* Asserts that the instant ends; its mode under names of their own. */
static term *end_of(session *s)
{
    question *q = s->q;
    logic *l = q->l;
    term *end = jni_terms(q, q->g->nswitches), before = jni_true(l), ends = jni_false(l);
    for (int k = 0; k < q->g->nswitches; k++)
        end[k] = jni_bool(l);
    for (int i = 0; i < s->u->n; i++) {
        const pass *p = s->u->pass[i];
        term here = jni_and(l, before, p->settles);
        ends = jni_or(l, ends, here);
        for (int k = 0; k < q->g->nswitches; k++)
            jni_assert(l, jni_implies(l, here, jni_iff(l, end[k], p->at.lambda[k])));
        before = jni_and(l, before, p->changes);
    }
    jni_assert(l, ends);
    return end;
}

static term is_mode(question *q, term *lambda, const jn_onoff *m)
{
    term same = jni_true(q->l);
    for (int k = 0; k < q->g->nswitches; k++)
        same = jni_and(q->l, same, m[k] ? lambda[k] : jni_not(q->l, lambda[k]));
    return same;
}

static void read_mode(jn_onoff *m, question *q, term *lambda)
{
    for (int k = 0; k < q->g->nswitches; k++)
        m[k] = jni_told(q->l, lambda[k]);
}

static void add_never(jn_verification *v, int *cap, jn_never n)
{
    JN_GROW(v->never, v->nnever, *cap);
    v->never[v->nnever++] = n;
}

/* ---- conditions and switches --------------------------------------------------------------- */

/* Whether something happens in some candidate of an instant. */
typedef term happening(const unrolled *u, const pass *p, int k, int t);

static term condition_holds(const unrolled *u, const pass *p, int k, int t)
{
    (void)u;
    return p->holds[k][t];
}

/* Also where it counts for no time. */
static term switch_differs(const unrolled *u, const pass *p, int k, int t)
{
    logic *l = u->q->l;
    (void)t;
    return jni_not(l, jni_iff(l, p->at.lambda[k], u->start.lambda[k]));
}

static answer ask_happens(session *s, happening *what, int k, int t)
{
    logic *l = s->q->l;
    term some = jni_false(l), before = jni_true(l);
    for (int i = 0; i < s->u->n; i++) {
        some = jni_or(l, some, jni_and(l, before, what(s->u, s->u->pass[i], k, t)));
        before = jni_and(l, before, s->u->pass[i]->changes);
    }
    jni_push(l);
    jni_assert(l, some);
    answer a = jni_ask(l);
    jni_pop(l);
    return a;
}

/* In an instant from a mode that lasts, or as the model starts. */
static answer ask_both(session *s, session *first, happening *what, int k, int t)
{
    answer a = ask_happens(first, what, k, t);
    return a == LOGIC_NO ? ask_happens(s, what, k, t) : a;
}

static bool conditions(session *s, session *first, int *cap)
{
    const jn_graph *g = s->q->g;
    for (int k = 0; k < g->nswitches; k++)
        for (int t = 0; t < g->automaton[k].ntransitions; t++) {
            answer a = ask_both(s, first, condition_holds, k, t);
            if (a == LOGIC_UNKNOWN)
                return false;
            jn_place at = g->automaton[k].transition[t].place;
            if (a == LOGIC_NO)
                add_never(s->v, cap, (jn_never){JN_NEVER_CONDITION, k, t, NULL, at});
        }
    return true;
}

static bool switches(session *s, session *first, int *cap)
{
    const jn_graph *g = s->q->g;
    for (int k = 0; k < g->nswitches; k++) {
        answer a = ask_both(s, first, switch_differs, k, -1);
        if (a == LOGIC_UNKNOWN)
            return false;
        if (a == LOGIC_NO)
            add_never(s->v, cap, (jn_never){JN_NEVER_SWITCH, k, -1, NULL, g->automaton[k].place});
    }
    return true;
}

/* ---- modes --------------------------------------------------------------------------------- */

typedef struct {
    session *s;
    int *cap;
    jn_onoff *reached; /* per mode, as a number with the first switch its highest digit */
} modes_left;

static int number_of(const jn_onoff *m, int n)
{
    int number = 0;
    for (int k = 0; k < n; k++)
        number = 2 * number + m[k];
    return number;
}

static bool list_unreached(const jn_onoff *m, void *context)
{
    modes_left *c = context;
    int n = c->s->q->g->nswitches;
    if (c->reached[number_of(m, n)])
        return true;
    jn_onoff *copy = jn_alloc((size_t)n + 1);
    memcpy(copy, m, (size_t)n);
    add_never(c->s->v, c->cap, (jn_never){JN_NEVER_MODE, -1, -1, copy, {0}});
    return true;
}

/* Marks the modes in which instants end. False: not all of them are known. */
static bool mark_reached(session *s, jn_onoff *reached)
{
    question *q = s->q;
    int n = q->g->nswitches;
    jn_onoff *m = jn_alloc((size_t)n + 1);
    jni_push(q->l);
    term *end = end_of(s);
    answer a;
    while ((a = jni_ask(q->l)) == LOGIC_YES) {
        read_mode(m, q, end);
        reached[number_of(m, n)] = 1;
        jni_assert(q->l, jni_not(q->l, is_mode(q, end, m)));
    }
    jni_pop(q->l);
    free(m);
    return a == LOGIC_NO;
}

static bool modes(session *s, session *first, int *cap)
{
    question *q = s->q;
    int n = q->g->nswitches;
    if (n > MOST_MODES_EXPONENT)
        return true;
    modes_left c = {s, cap, jn_alloc((size_t)1 << n)};
    bool known = mark_reached(first, c.reached) && mark_reached(s, c.reached);
    if (known)
        jn_guard_each_mode(q->j->ring.guards, q->allowed, list_unreached, &c);
    free(c.reached);
    return known;
}

void jni_verify_never(session *s, session *first)
{
    int cap = 0;
    jn_verification *v = s->v;
    if (v->is_vacuous)
        v->never_why = jni_text("no mode lasts");
    else if (!s->is_complete || !first->is_complete)
        v->never_why = jni_text("the changes of an instant are not known to end");
    else if (!conditions(s, first, &cap) || !switches(s, first, &cap) || !modes(s, first, &cap))
        v->never_why = jni_text("%s", jni_unknown(s));
    else
        v->never_known = true;
}

/* ---- what follows what --------------------------------------------------------------------- */

static void add_successor(session *s, int *cap, const jn_onoff *from, const jn_onoff *to)
{
    jn_verification *v = s->v;
    size_t n = (size_t)s->q->g->nswitches;
    JN_GROW(v->successor, v->nsuccessors, *cap);
    struct jn_successor *one = &v->successor[v->nsuccessors++];
    one->from = jn_alloc(n + 1);
    one->to = jn_alloc(n + 1);
    memcpy(one->from, from, n);
    memcpy(one->to, to, n);
}

void jni_verify_successors(session *s)
{
    question *q = s->q;
    jn_verification *v = s->v;
    int n = q->g->nswitches, cap = 0;
    answer a = LOGIC_YES;
    if (n > MOST_MODES_EXPONENT || !s->is_complete) {
        v->successors_why =
            !s->is_complete ? jni_text("the changes of an instant are not known to end")
                            : jni_text("there are more than %d modes", 1 << MOST_MODES_EXPONENT);
        return;
    }
    v->has_successors = true;
    jni_logic_take_time(q->l, s->until); /* they are asked for */
    jn_onoff *from = jn_alloc((size_t)n + 1), *to = jn_alloc((size_t)n + 1);
    jni_push(q->l);
    term *end = end_of(s), *start = s->u->start.lambda, same = jni_true(q->l);
    for (int k = 0; k < n; k++)
        same = jni_and(q->l, same, jni_iff(q->l, start[k], end[k]));
    jni_assert(q->l, jni_not(q->l, same));
    while (v->nsuccessors < MOST_SUCCESSORS && (a = jni_ask_true(q)) == LOGIC_YES) {
        read_mode(from, q, start);
        read_mode(to, q, end);
        add_successor(s, &cap, from, to);
        term both = jni_and(q->l, is_mode(q, start, from), is_mode(q, end, to));
        jni_assert(q->l, jni_not(q->l, both));
    }
    jni_pop(q->l);
    if (a != LOGIC_NO)
        v->successors_why = jni_text("%s", jni_unknown(s));
    free(from);
    free(to);
}
