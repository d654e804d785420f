/* unroll.c: an instant in logic: what src/sim/run_instant.c does, for all states at once.
 *
 * In its exact form (is_near) it begins in a mode that lasts: the state obeys its algebraic laws, and nothing fires. Then time
 * moves automata, inputs that are not given jump, or the state comes to be on the other side of some
 * surface. For this all values are v + ε·v' with ε as small as you like: until then the state is
 * somewhere a hair before, from then on a hair beyond; the laws are linear, so v' obeys the same
 * ones, and comparisons look at v' where v is equal. In its wide form it begins in any state that
 * fits a mode, and conditions on values may hold there by however much: half as many variables, and
 * what is proved for these holds for the others. From there one candidate follows the other, and
 * each has
 *
 *     x⁺        the jump of x_s into it, with its impulses and conflicts
 *     mythical  some transition fires on its values: the next candidate starts from x_s again
 *     dead      none does, and its sources are in conflict
 *     pinnacle  x_s := x⁺ and prior values are renewed, and then some transition fires
 *     settles   none does.
 *
 * First things first: of what fires in a candidate, what a conflict decides goes alone, then what an
 * impulse decides. An automaton that has moved at this instant does not move on by a comparison of
 * equal sides. */
#include "question.h"

#include <stdlib.h>

/* A name for a formula that is used again and again. */
static term named(question *q, term a)
{
    if (jni_is_true(q->l, a) || jni_is_false(q->l, a))
        return a;
    term b = jni_bool(q->l);
    jni_assert(q->l, jni_iff(q->l, b, a));
    return b;
}

static term *copied(question *q, term *a, int n)
{
    term *to = jni_terms(q, n);
    for (int i = 0; i < n; i++)
        to[i] = a[i];
    return to;
}

unrolled *jni_unroll(question *q, const jn_sim *sim)
{
    unrolled *u = jn_alloc(sizeof *u);
    u->q = q;
    q->instant = u;
    jni_begin(u, sim);
    return u;
}

void jni_unrolled_free(unrolled *u)
{
    if (!u)
        return;
    free(u->pass);
    free(u);
}

/* ---- what fires ---------------------------------------------------------------------------- */

static holding new_holding(question *q)
{
    holding h = {jni_table(q), jni_table(q), jni_table(q)};
    for (int k = 0; k < q->g->nswitches; k++) {
        int n = q->g->automaton[k].ntransitions;
        h.may[k] = jni_terms(q, n);
        h.conflict[k] = jni_terms(q, n);
        h.impulse[k] = jni_terms(q, n);
    }
    return h;
}

static holding judge(const pass *p, view *v, bool renewed)
{
    question *q = v->q;
    logic *l = q->l;
    holding h = new_holding(q);
    for (int k = 0; k < q->g->nswitches; k++) {
        v->fresh = p->fresh[k];
        for (int t = 0; t < q->g->automaton[k].ntransitions; t++) {
            const jn_transition *one = &q->g->automaton[k].transition[t];
            bool waits = !renewed && jni_expr_reads_only_past(q, one->when);
            truth holds = {jni_false(l), jni_true(l), jni_false(l), jni_false(l)};
            if (!waits)
                holds = jni_truth_of(v, one->when);
            term may = jni_and(l, v->state[k][one->from], holds.yes);
            if (one->to == one->from)
                may = jni_and(l, may, jni_not(l, p->once[k]));
            h.may[k][t] = named(q, may);
            h.conflict[k][t] = jni_and(l, h.may[k][t], holds.conflict);
            h.impulse[k][t] = jni_and(l, h.may[k][t], holds.impulse);
        }
    }
    v->fresh = jni_false(l);
    return h;
}

static term any_of(question *q, term **a, int k)
{
    term some = jni_false(q->l);
    for (int t = 0; t < q->g->automaton[k].ntransitions; t++)
        some = jni_or(q->l, some, a[k][t]);
    return some;
}

static term any(question *q, term **a)
{
    term some = jni_false(q->l);
    for (int k = 0; k < q->g->nswitches; k++)
        some = jni_or(q->l, some, any_of(q, a, k));
    return some;
}

/* Two automata at least. */
static term two_of(question *q, term **a)
{
    term one = jni_false(q->l), two = jni_false(q->l);
    for (int k = 0; k < q->g->nswitches; k++) {
        term here = any_of(q, a, k);
        two = jni_or(q->l, two, jni_and(q->l, one, here));
        one = jni_or(q->l, one, here);
    }
    return two;
}

/* Those that go first, of each automaton the first one. */
static term **taken(question *q, const holding *h, bool renewed)
{
    logic *l = q->l;
    term **fires = jni_table(q);
    term conflict = renewed ? jni_false(l) : named(q, any(q, h->conflict));
    term impulse = renewed ? jni_false(l) : named(q, any(q, h->impulse));
    for (int k = 0; k < q->g->nswitches; k++) {
        int n = q->g->automaton[k].ntransitions;
        term own = renewed ? any_of(q, h->impulse, k) : impulse, earlier = jni_false(l);
        fires[k] = jni_terms(q, n);
        for (int t = 0; t < n; t++) {
            term first = jni_and(l, jni_or(l, jni_not(l, conflict), h->conflict[k][t]),
                                 jni_or(l, jni_not(l, own), h->impulse[k][t]));
            term due = jni_and(l, h->may[k][t], first);
            fires[k][t] = jni_and(l, due, jni_not(l, earlier));
            earlier = jni_or(l, earlier, due);
        }
    }
    return fires;
}

/* Only one automaton of those that could; which one is left open. */
static void take_one(question *q, term **fires)
{
    logic *l = q->l;
    term before = jni_false(l), some = any(q, fires), moved = jni_false(l);
    for (int k = 0; k < q->g->nswitches; k++) {
        term pick = jni_bool(l), due = any_of(q, fires, k);
        jni_assert(l, jni_implies(l, pick, jni_and(l, due, jni_not(l, before))));
        before = jni_or(l, before, pick);
        moved = jni_or(l, moved, pick);
        for (int t = 0; t < q->g->automaton[k].ntransitions; t++)
            fires[k][t] = jni_and(l, fires[k][t], pick);
    }
    jni_assert(l, jni_implies(l, some, moved));
}

static void name_all(question *q, term **a)
{
    for (int k = 0; k < q->g->nswitches; k++)
        for (int t = 0; t < q->g->automaton[k].ntransitions; t++)
            a[k][t] = named(q, a[k][t]);
}

/* ---- a candidate --------------------------------------------------------------------------- */

static term **all_states_after(const pass *p)
{
    question *q = p->at.q;
    logic *l = q->l;
    term **to = jni_table(q);
    for (int k = 0; k < q->g->nswitches; k++) {
        const jn_automaton *a = &q->g->automaton[k];
        term stays = jni_true(l);
        to[k] = jni_terms(q, a->nstates);
        for (int t = 0; t < a->ntransitions; t++)
            stays = jni_and(l, stays, jni_not(l, jni_or(l, p->fires[k][t], p->fires_after[k][t])));
        for (int s = 0; s < a->nstates; s++) {
            term there = jni_and(l, stays, p->at.state[k][s]);
            for (int t = 0; t < a->ntransitions; t++)
                if (a->transition[t].to == s)
                    there = jni_or(l, there, jni_or(l, p->fires[k][t], p->fires_after[k][t]));
            to[k][s] = a->nstates == 2 && s == 1 ? jni_not(l, to[k][0]) : named(q, there);
        }
    }
    return to;
}

/* a where `when`, else b, under names of their own. */
static term *joined(question *q, term when, term *a, term *b, int n)
{
    term *to = jni_terms(q, n);
    for (int i = 0; i < n; i++) {
        if (a[i] == b[i]) {
            to[i] = a[i];
            continue;
        }
        to[i] = jni_real(q->l);
        jni_assert(q->l, jni_implies(q->l, when, jni_equal(q->l, to[i], a[i])));
        jni_assert(q->l, jni_or(q->l, when, jni_equal(q->l, to[i], b[i])));
    }
    return to;
}

static term *discretes_after(const pass *p, bool slow)
{
    question *q = p->at.q;
    const jn_graph *g = q->g;
    term *to = jni_terms(q, g->ndiscretes);
    for (int d = 0; d < g->ndiscretes; d++)
        to[d] = slow ? p->at.slow->discrete[d] : p->at.discrete[d];
    for (int k = 0; k < g->nswitches; k++)
        for (int t = 0; t < g->automaton[k].ntransitions; t++) {
            const jn_transition *one = &g->automaton[k].transition[t];
            for (int s = 0; s < one->nsets; s++) {
                int d = one->set[s].discrete;
                value in = jni_value_of(&p->at, one->set[s].value);
                value then = jni_value_of(&p->after, one->set[s].value);
                term a = slow ? jni_finite_slow(&p->at, &in) : jni_finite(&p->at, &in);
                term b = slow ? jni_finite_slow(&p->after, &then) : jni_finite(&p->after, &then);
                to[d] = jni_choose(q->l, p->fires[k][t], a, to[d]);
                to[d] = jni_choose(q->l, p->fires_after[k][t], b, to[d]);
            }
        }
    return to;
}

static term *moved(const pass *p, term *old, bool only_self)
{
    question *q = p->at.q;
    term *to = jni_terms(q, q->g->nswitches);
    for (int k = 0; k < q->g->nswitches; k++) {
        const jn_automaton *a = &q->g->automaton[k];
        to[k] = old[k];
        for (int t = 0; t < a->ntransitions; t++)
            if (!only_self || a->transition[t].to == a->transition[t].from)
                to[k] = jni_or(q->l, to[k], jni_or(q->l, p->fires[k][t], p->fires_after[k][t]));
        to[k] = named(q, to[k]);
    }
    return to;
}

static const jn_expr *find_integral(const jn_expr *e, int k)
{
    if (e->op == JN_X_INT && e->index == k)
        return e;
    for (int i = 0; i < e->nargs; i++) {
        const jn_expr *found = find_integral(e->arg[i], k);
        if (found)
            return found;
    }
    return NULL;
}

/* The expression int(x, x0) of that number, wherever it stands. */
const jn_expr *jni_integral(const jn_graph *g, int k)
{
    const jn_expr *found = NULL;
    for (int i = 0; i < g->nsignals && !found; i++)
        found = find_integral(g->signal[i].expr, k);
    for (int i = 0; i < g->nelements && !found; i++)
        found = g->element[i].input ? find_integral(g->element[i].input, k) : NULL;
    for (int i = 0; i < g->nswitches && !found; i++)
        for (int t = 0; t < g->automaton[i].ntransitions && !found; t++)
            found = find_integral(g->automaton[i].transition[t].when, k);
    return found;
}

const jn_expr *jni_integral_start(const jn_graph *g, int k)
{
    const jn_expr *e = jni_integral(g, k);
    return e && e->nargs > 1 ? e->arg[1] : NULL;
}

/* An integral grows by the impulse's area of what it integrates. */
static void jump_integrals(pass *p)
{
    question *q = p->at.q;
    for (int k = 0; k < q->g->nintegrals && q->jumps; k++) {
        const jn_expr *e = jni_integral(q->g, k);
        if (!e || !jni_expr_reads_model(q, e->arg[0]))
            continue;
        jn_expr area = {.op = JN_X_IMPULSE, .place = e->place, .nargs = 1, .arg = e->arg};
        value by = jni_value_of(&p->at, &area);
        p->after.integral[k] = jni_add(q->l, p->at.integral[k], jni_finite(&p->at, &by));
        if (q->is_near)
            p->after.slow->integral[k] =
                jni_add(q->l, p->at.slow->integral[k], jni_finite_slow(&p->at, &by));
    }
}

/* What a view is once its jump counts. */
static void commit(view *to, const view *v)
{
    question *q = v->q;
    *to = *v;
    to->area = v->impulse;
    to->impulse = to->conflict = NULL;
    to->prior = NULL;
    to->integral = copied(q, v->integral, q->g->nintegrals);
    if (v->slow) {
        to->slow = jni_room(q, sizeof *to->slow);
        commit(to->slow, v->slow);
    }
}

/* Enters a candidate from x_s. */
static void enter(pass *p)
{
    question *q = p->at.q;
    view *v = &p->at;
    v->lambda = jni_lambda_of(q, v->state);
    v->x = q->jumps ? jni_reals(q, q->g->nstorages) : p->from;
    if (v->slow) {
        v->slow->lambda = v->lambda;
        v->slow->x = q->jumps ? jni_reals(q, q->g->nstorages) : p->slow_from;
    }
    jni_laws_finite(v);
    if (q->jumps)
        v->impulse = jni_laws_impulse(v, p->from, v->x);
    if (q->jumps && v->slow)
        v->slow->impulse = jni_laws_impulse(v, p->slow_from, v->slow->x);
    if (q->conflicts)
        v->conflict = jni_laws_conflict(v);
    if (q->conflicts && v->slow)
        v->slow->conflict = jni_laws_conflict(v->slow);
    jni_laws_end(q);
    commit(&p->after, v);
    jump_integrals(p);
}

/* What comes of a candidate whose conditions have been judged. */
static void decide(pass *p, bool one_by_one)
{
    question *q = p->at.q;
    logic *l = q->l;
    term forbidden = jni_not(l, jni_guard_term(q, q->allowed, p->at.lambda));
    p->fires = taken(q, &p->in, false);
    p->fires_after = taken(q, &p->then, true);
    if (one_by_one) {
        take_one(q, p->fires);
        take_one(q, p->fires_after);
    }
    p->mythical = named(q, any(q, p->fires));
    term stuck = jni_and(l, jni_not(l, p->mythical), forbidden);
    p->dead = named(q, stuck);
    term counts = jni_and(l, jni_not(l, p->mythical), jni_not(l, forbidden));
    p->holds = jni_table(q);
    for (int k = 0; k < q->g->nswitches; k++) {
        p->holds[k] = jni_terms(q, q->g->automaton[k].ntransitions);
        for (int t = 0; t < q->g->automaton[k].ntransitions; t++) {
            p->fires_after[k][t] = jni_and(l, p->fires_after[k][t], counts);
            p->holds[k][t] = jni_or(l, p->in.may[k][t], jni_and(l, counts, p->then.may[k][t]));
        }
    }
    name_all(q, p->fires);
    name_all(q, p->fires_after);
    p->pinnacle = named(q, any(q, p->fires_after));
    p->changes = named(q, jni_or(l, p->mythical, p->pinnacle));
    p->settles = named(q, jni_not(l, jni_or(l, p->changes, stuck)));
    p->together = named(q, jni_or(l, two_of(q, p->fires), two_of(q, p->fires_after)));
}

static pass *first_pass(unrolled *u)
{
    question *q = u->q;
    pass *p = jni_room(q, sizeof *p);
    p->at = (view){.q = q, .state = u->left, .fresh = jni_false(q->l)};
    p->at.integral = u->start.integral;
    p->at.discrete = q->is_within ? jni_reals(q, q->g->ndiscretes) : u->start.discrete;
    p->at.input = u->input;
    p->at.phase = PHASE_AFTER;
    p->at.slow_t = u->begun.slow_t;
    p->at.rate = u->rate;
    if (q->is_near) {
        p->at.slow = jni_new_slow(&p->at);
        p->at.slow->rate = u->slow_rate;
        p->at.slow->integral = u->begun.slow->integral;
        p->at.slow->input = u->slow_input;
    }
    p->before = &u->begun;
    p->at.prior = p->before;
    p->fresh = u->fresh;
    p->once = u->once;
    return p;
}

static pass *next_pass(const pass *last)
{
    question *q = last->at.q;
    pass *p = jni_room(q, sizeof *p);
    p->at = (view){.q = q, .fresh = jni_false(q->l)};
    p->at.state = all_states_after(last);
    p->at.integral =
        joined(q, last->mythical, last->at.integral, last->after.integral, q->g->nintegrals);
    p->at.discrete = discretes_after(last, false);
    p->at.phase = PHASE_AFTER;
    p->at.slow_t = last->at.slow_t;
    p->at.input = copied(q, last->at.input, q->g->nsources);
    p->at.rate = last->at.rate;
    if (q->is_near) {
        p->at.slow = jni_new_slow(&p->at);
        p->at.slow->rate = last->at.slow->rate;
        p->at.slow->input = copied(q, last->at.slow->input, q->g->nsources);
        p->at.slow->integral = joined(q, last->mythical, last->at.slow->integral,
                                      last->after.slow->integral, q->g->nintegrals);
        p->at.slow->discrete = discretes_after(last, true);
    }
    p->fresh = moved(last, last->fresh, false);
    p->once = moved(last, last->once, true);
    p->before = jni_room(q, sizeof *p->before);
    *p->before = (view){.q = q, .when = last->mythical, .yes = last->before, .no = &last->after};
    p->before->fresh = jni_false(q->l);
    p->at.prior = p->before;
    return p;
}

void jni_unroll_more(unrolled *u)
{
    question *q = u->q;
    pass *last = u->n ? u->pass[u->n - 1] : NULL;
    pass *p = last ? next_pass(last) : first_pass(u);
    p->from =
        last ? joined(q, last->mythical, last->from, last->at.x, q->g->nstorages) : u->start.x;
    if (q->is_near)
        p->slow_from =
            last ? joined(q, last->mythical, last->slow_from, last->at.slow->x, q->g->nstorages)
                 : u->begun.slow->x;
    JN_GROW(u->pass, u->n, u->cap);
    u->pass[u->n++] = p;
    enter(p);
    p->in = judge(p, &p->at, false);
    p->then = judge(p, &p->after, true);
    decide(p, u->one_by_one);
}

unrolled *jni_unroll_again(const unrolled *from, bool one_by_one)
{
    unrolled *u = jn_alloc(sizeof *u);
    *u = *from;
    u->one_by_one = one_by_one;
    u->n = u->cap = 0;
    u->pass = NULL;
    pass *first = jni_room(u->q, sizeof *first);
    *first = *from->pass[0];
    decide(first, one_by_one);
    JN_GROW(u->pass, u->n, u->cap);
    u->pass[u->n++] = first;
    return u;
}

term jni_same_pass(const unrolled *u, int a, int b)
{
    question *q = u->q;
    logic *l = q->l;
    const pass *x = u->pass[a], *y = u->pass[b];
    term same = jni_true(l);
    for (int k = 0; k < q->g->nswitches; k++) {
        same = jni_and(l, same, jni_iff(l, x->fresh[k], y->fresh[k]));
        for (int s = 0; s < q->g->automaton[k].nstates; s++)
            same = jni_and(l, same, jni_iff(l, x->at.state[k][s], y->at.state[k][s]));
    }
    for (int i = 0; i < q->g->nstorages; i++)
        same = jni_and(l, same, jni_equal(l, x->from[i], y->from[i]));
    for (int i = 0; i < q->g->nstorages && q->is_near; i++)
        same = jni_and(l, same, jni_equal(l, x->slow_from[i], y->slow_from[i]));
    for (int i = 0; i < q->g->ndiscretes; i++)
        same = jni_and(l, same, jni_equal(l, x->at.discrete[i], y->at.discrete[i]));
    return same;
}
