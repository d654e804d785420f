/* settle.c: does every instant end, and never in a dead end?
 *
 * "Is there a state from which the k-th change still happens?" for k = 1, 2, …: if there is none, no
 * cascade is longer, and that is a proof. Else it may be that the same automata meet the same state
 * again: then the changes go on for ever. */
#include "question.h"

/* Once it is known that some instants never end, how long to look at those that do. */
enum { SECONDS_FOR_THE_REST = 5 };

answer jni_ask_at(session *s, int n, term assumption)
{
    logic *l = s->q->l;
    for (int i = 0; i < n; i++)
        jni_assert(l, s->u->pass[i]->changes);
    jni_assert(l, assumption);
    return jni_ask(l);
}

/* A candidate n is one that was there before. */
static term returns(const unrolled *u, int n)
{
    logic *l = u->q->l;
    term some = jni_false(l);
    for (int i = 0; i < n; i++)
        some = jni_or(l, some, jni_same_pass(u, i, n));
    return some;
}

int jni_returns_to(const unrolled *u, int n)
{
    for (int i = n - 1; i >= 0; i--)
        if (jni_told(u->q->l, jni_same_pass(u, i, n)))
            return i;
    return 0;
}

/* Whether candidate n can be a dead end; until one is found. */
static void ask_dead(session *s, int n)
{
    jn_finding *f = &s->v->dead_ends;
    logic *l = s->q->l;
    if (s->never_dead || f->witness || f->why || jni_is_false(l, s->u->pass[n]->dead))
        return;
    jni_push(l);
    answer a = jni_ask_at(s, n, jni_and(l, s->ends, s->u->pass[n]->dead));
    if (a == LOGIC_YES && s->only_proofs)
        f->verdict = JN_OPEN;
    else if (a == LOGIC_YES)
        a = jni_ask_true(s->q);
    if (a == LOGIC_YES && !s->only_proofs) {
        jni_assert(l, jni_apart(&s->u->pass[n]->at));
        a = jni_ask_true(s->q);
        if (a == LOGIC_YES)
            jni_refute(f, s, n + 1, -1, ENDS_DEAD);
        else if (a == LOGIC_NO)
            s->meets = true;
    }
    if (a == LOGIC_UNKNOWN)
        jni_open(f, s);
    jni_pop(l);
}

bool jni_is_never_dead(session *s)
{
    logic *l = s->q->l;
    jni_push(l);
    answer a = jni_ask_at(s, 0, s->u->pass[0]->dead);
    jni_pop(l);
    return a == LOGIC_NO;
}

/* Whether the changes before candidate n lead back to one that was there. From there on cascades that do
 * are left aside: the others have their answers as well. False: it cannot be told. */
static bool ask_cycle(session *s, int n)
{
    logic *l = s->q->l;
    if (!n || s->is_finite)
        return true;
    term back = returns(s->u, n), before = jni_true(l);
    for (int i = 0; i < n; i++)
        before = jni_and(l, before, s->u->pass[i]->changes);
    jni_push(l);
    answer a = jni_ask_at(s, n, jni_and(l, s->ends, back));
    if (a == LOGIC_YES && !s->only_proofs)
        a = jni_ask_true(s->q);
    if (a == LOGIC_YES && s->only_proofs)
        s->v->settling.verdict = JN_OPEN;
    else if (a == LOGIC_YES && s->v->settling.verdict != JN_REFUTED)
        jni_refute(&s->v->settling, s, n, RETURNS, NEVER_ENDS);
    jni_pop(l);
    if (a == LOGIC_YES && !s->is_endless)
        jni_logic_hurry(l, SECONDS_FOR_THE_REST);
    s->is_endless |= a == LOGIC_YES;
    if (a == LOGIC_YES)
        s->ends = jni_and(l, s->ends, jni_not(l, jni_and(l, before, back)));
    return a != LOGIC_UNKNOWN;
}

/* A cascade that goes on changing the state: does some part of it come back, smaller? */
static void look_at_longest(session *s, int n)
{
    jn_finding *f = &s->v->settling;
    if (s->is_endless)
        return;
    jni_refute(f, s, n, SHRINKS, NEVER_ENDS);
    if (f->verdict != JN_REFUTED && !f->why) {
        f->verdict = JN_OPEN;
        f->why =
            jni_text("a cascade of %d change%s was found, and no end of it", n, n == 1 ? "" : "s");
    }
}

static answer ask_change(session *s, int n, bool is_last)
{
    logic *l = s->q->l;
    jni_push(l);
    answer a = jni_ask_at(s, n + 1, s->ends);
    bool is_shown = is_last && !s->is_finite;
    if (a == LOGIC_YES && is_shown)
        a = jni_ask_true(s->q);
    if (a == LOGIC_YES && is_shown)
        look_at_longest(s, n + 1);
    jni_pop(l);
    return a;
}

/* One candidate after the other, until none changes any more. */
static answer follow(session *s)
{
    int most = s->o->most_changes ? s->o->most_changes : 40;
    answer a = LOGIC_YES;
    s->ends = jni_true(s->q->l);
    for (int n = 0; a == LOGIC_YES; n++) {
        jni_unroll_more(s->u);
        jni_assume_order(s->u, s->order, n);
        ask_dead(s, n);
        if (!ask_cycle(s, n))
            return LOGIC_UNKNOWN;
        if (s->only_proofs && (s->is_endless || s->v->dead_ends.verdict == JN_OPEN))
            return LOGIC_UNKNOWN;
        a = s->known_changes && n == s->known_changes ? LOGIC_NO : ask_change(s, n, n + 1 >= most);
        s->v->changes = n;
        s->is_complete = a == LOGIC_NO;
        if (n + 1 >= most)
            break;
    }
    return a;
}

void jni_verify_settling(session *s)
{
    jn_finding *f = &s->v->settling, *dead = &s->v->dead_ends;
    answer a = follow(s);
    if (s->only_proofs && a != LOGIC_NO)
        f->verdict = dead->verdict = JN_OPEN;
    else if (a == LOGIC_NO && !s->is_endless)
        jni_prove(f, s);
    else if (a == LOGIC_UNKNOWN && f->verdict != JN_REFUTED)
        jni_open(f, s);
    if (dead->witness || dead->why || (s->only_proofs && a != LOGIC_NO))
        return;
    if (s->meets) { /* what comes of it once they move depends on how they do */
        dead->verdict = JN_OPEN;
        dead->why = jni_text("sources that may change are tied to each other where they are equal");
    } else if (s->is_complete || !s->q->conflicts) {
        jni_prove(dead, s);
    } else {
        dead->verdict = JN_OPEN;
        dead->why = jni_text("there was none among the first %d changes, but there may be more",
                             s->v->changes);
    }
}
