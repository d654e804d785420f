/* begin.c: where an instant begins.
 *
 * In a mode that lasts: the state obeys its algebraic laws, and nothing fires (is_near); or in any state
 * that fits a mode, whatever fires there. Or as the model starts, with its own initial values: then
 * nothing was before, and the state need not fit. */
#include <math.h>
#include <stdlib.h>

#include "question.h"

term *jni_reals(question *q, int n)
{
    term *a = jni_terms(q, n);
    for (int i = 0; i < n; i++)
        a[i] = jni_real(q->l);
    return a;
}

static term *zeros(question *q, int n)
{
    term *a = jni_terms(q, n);
    for (int i = 0; i < n; i++)
        a[i] = jni_zero(q->l);
    return a;
}

term **jni_table(question *q)
{
    return jni_room(q, (size_t)q->g->nswitches * sizeof(term *));
}

/* ---- automata ------------------------------------------------------------------------------ */

/* Nothing moves it. */
static bool is_idle(const jn_automaton *a)
{
    return !a->ntransitions && !a->ntimes && !a->pwm_period;
}

static term *one_state(question *q, int k, int state)
{
    int n = q->g->automaton[k].nstates;
    term *to = jni_terms(q, n);
    for (int s = 0; s < n; s++)
        to[s] = s == state ? jni_true(q->l) : jni_false(q->l);
    return to;
}

/* New states: each automaton is in one of its own. */
static term **new_states(question *q)
{
    const jn_graph *g = q->g;
    logic *l = q->l;
    term **to = jni_table(q);
    for (int k = 0; k < g->nswitches; k++) {
        int n = g->automaton[k].nstates;
        if (is_idle(&g->automaton[k])) {
            to[k] = one_state(q, k, g->automaton[k].initial);
            continue;
        }
        to[k] = jni_terms(q, n);
        term some = jni_false(l);
        for (int s = 0; s < n; s++) {
            to[k][s] = n == 1 ? jni_true(l) : n == 2 && s == 1 ? jni_not(l, to[k][0]) : jni_bool(l);
            some = jni_or(l, some, to[k][s]);
            for (int other = 0; other < s && n > 2; other++)
                jni_assert(l, jni_not(l, jni_and(l, to[k][s], to[k][other])));
        }
        if (n > 2)
            jni_assert(l, some);
    }
    return to;
}

static term **given_states(question *q, const int *state)
{
    term **to = jni_table(q);
    for (int k = 0; k < q->g->nswitches; k++)
        to[k] = one_state(q, k, state[k]);
    return to;
}

term *jni_lambda_of(question *q, term **state)
{
    const jn_graph *g = q->g;
    term *to = jni_terms(q, g->nswitches);
    for (int k = 0; k < g->nswitches; k++) {
        term off = jni_true(q->l);
        for (int s = 0; s < g->automaton[k].nstates; s++)
            if (g->automaton[k].state[s].on)
                off = jni_and(q->l, off, jni_not(q->l, state[k][s]));
        to[k] = jni_not(q->l, off);
    }
    return to;
}

/* Nothing fires; or only nothing of what switches alone decide. */
static void nothing_fires(view *v, bool only_logic)
{
    question *q = v->q;
    for (int k = 0; k < q->g->nswitches; k++)
        for (int t = 0; t < q->g->automaton[k].ntransitions; t++) {
            const jn_transition *one = &q->g->automaton[k].transition[t];
            if (one->to == one->from) /* it sets something, once in an instant */
                continue;
            if (only_logic && !jni_expr_is_logic(q, one->when))
                continue;
            truth holds = jni_truth_of(v, one->when);
            jni_assert(q->l, jni_not(q->l, jni_and(q->l, v->state[k][one->from], holds.yes)));
        }
}

/* ---- a mode that lasts --------------------------------------------------------------------- */

/* Whether a source is a wave, a·sin(b·t + c) + d or the like: then the sine. */
static const jn_expr *wave_of(question *q, int source)
{
    const jn_expr *e = q->g->element[q->g->source[source]].input;
    const jn_expr *wave = q->is_free[source] || !e ? NULL : jni_only_part(q, e);
    return wave && jni_is_wave(q, wave) ? wave : NULL;
}

/* What the only part of a linear expression is multiplied with. */
static jn_ratfun factor_of(question *q, const jn_expr *e)
{
    jn_field *k = q->g->field;
    jn_ratfun r = JN_RATFUN_ONE;
    if (e->op == JN_X_SIGNAL)
        return factor_of(q, q->g->signal[e->index].expr);
    if (e->op == JN_X_NEG)
        return jn_ratfun_neg(k, factor_of(q, e->arg[0]));
    if (e->op != JN_X_ADD && e->op != JN_X_SUB && e->op != JN_X_MUL && e->op != JN_X_DIV)
        return r;
    jn_ratfun left = jni_expr_constant(q, e->arg[0]);
    jn_ratfun c = left.id >= 0 ? left : jni_expr_constant(q, e->arg[1]);
    r = factor_of(q, e->arg[left.id >= 0]);
    if (e->op == JN_X_MUL)
        return jn_ratfun_mul(k, c, r);
    if (e->op == JN_X_DIV && jn_ratfun_div(&r, k, r, c) != JN_OK)
        return JN_RATFUN_ZERO;
    return e->op == JN_X_SUB && left.id >= 0 ? jn_ratfun_neg(k, r) : r;
}

/* A wave has no kinks, and stands still at its crests only. */
static term wave_rate(question *q, int source)
{
    logic *l = q->l;
    const jn_expr *wave = wave_of(q, source);
    if (!wave || q->wave_rate[source])
        return q->wave_rate[source];
    view now = {.q = q, .fresh = jni_false(l), .phase = PHASE_AFTER};
    value s = jni_value_of(&now, wave);
    term height = jni_finite(&now, &s), one = jni_constant_term(q, JN_RATFUN_ONE);
    term rate = q->wave_rate[source] = jni_real(l), least = jni_minus(q, jni_zero(l), one);
    term crest = jni_or(l, jni_equal(l, height, one), jni_equal(l, height, least));
    const jn_expr *e = q->g->element[q->g->source[source]].input;
    jni_assert(l, jni_iff(l, crest, jni_equal(l, rate, jni_zero(l))));
    q->turning[source] = jni_times(q, factor_of(q, e), jni_wave_rate(q, wave));
    return rate;
}

/* How fast what a source says changes: NULL where the model decides it. */
static term *new_rates(question *q)
{
    term *to = jni_terms(q, q->g->nsources);
    for (int k = 0; k < q->g->nsources; k++) {
        const jn_expr *e = q->g->element[q->g->source[k]].input;
        if (q->is_free[k])
            to[k] = jni_real(q->l);
        else if (jni_expr_constant(q, e).id >= 0)
            to[k] = jni_zero(q->l);
        else
            to[k] = jni_expr_is_of_time(q, e) ? jni_real(q->l) : NULL;
    }
    return to;
}

/* The rates themselves; above, what they do a hair away. */
static term *new_first_rates(question *q)
{
    term *to = new_rates(q);
    for (int k = 0; k < q->g->nsources && q->jumps; k++) {
        term rate = q->is_first ? NULL : wave_rate(q, k);
        to[k] = rate ? rate : to[k];
    }
    return to;
}

view *jni_new_slow(const view *v)
{
    view *slow = jni_room(v->q, sizeof *slow);
    *slow = (view){.q = v->q, .state = v->state, .lambda = v->lambda, .fresh = v->fresh};
    slow->discrete = zeros(v->q, v->q->g->ndiscretes);
    return slow;
}

/* It goes somewhere that fits its mode. Time goes on. */
static void go(view *v, phase when)
{
    question *q = v->q;
    v->phase = when;
    v->slow_t = jni_real(q->l);
    v->slow = jni_new_slow(v);
    v->slow->x = jni_reals(q, q->g->nstorages);
    v->slow->integral = jni_reals(q, q->g->nintegrals);
    v->slow->input = jni_reals(q, q->g->nsources);
    v->slow->rate = new_rates(q);
    term on = jni_less(q->l, jni_zero(q->l), v->slow_t);
    term back = jni_less(q->l, v->slow_t, jni_zero(q->l));
    jni_assert(q->l, when == PHASE_AFTER ? on : back);
}

/* Any point of any mode; `goes`: and where it comes from, or goes to. */
static void fit(view *v, bool goes, phase when)
{
    question *q = v->q;
    v->fresh = jni_false(q->l);
    v->state = new_states(q);
    v->lambda = jni_lambda_of(q, v->state);
    v->x = jni_reals(q, q->g->nstorages);
    v->integral = jni_reals(q, q->g->nintegrals);
    v->discrete = jni_reals(q, q->g->ndiscretes);
    v->input = jni_reals(q, q->g->nsources);
    v->rate = new_first_rates(q);
    if (goes)
        go(v, when);
    jni_laws_finite(v);
    jni_laws_end(q);
    if (!q->is_within)
        jni_bounds_of(v);
}

view jni_going_nowhere(const view *v)
{
    view now = *v;
    now.slow = NULL;
    now.slow_t = NULL;
    return now;
}

static view *lasting(question *q, bool goes, phase when)
{
    view *v = jni_room(q, sizeof *v);
    v->q = q;
    fit(v, goes, when);
    if (q->conflicts) { /* where sources are in conflict, it decides first */
        v->conflict = jni_laws_conflict(v);
        if (goes)
            v->slow->conflict = jni_laws_conflict(v->slow);
        jni_laws_end(q);
    }
    nothing_fires(v, false);
    if (goes) { /* nor at the moment itself */
        view now = jni_going_nowhere(v);
        nothing_fires(&now, false);
    }
    jni_clock(q, v->state, v->state);
    return v;
}

view *jni_lasting(question *q)
{
    return lasting(q, false, PHASE_BEFORE);
}

view *jni_lasting_while(question *q, phase when)
{
    view *v = lasting(q, true, when);
    jni_assert(q->l, jni_goes_with_flow(v));
    return v;
}

static void begin_lasting(unrolled *u)
{
    question *q = u->q;
    view *v = &u->start;
    fit(v, q->is_near, PHASE_BEFORE);
    if (!q->is_within)
        nothing_fires(v, !q->is_near);
    jni_assert(q->l, jni_guard_term(q, q->allowed, v->lambda));
    u->left = new_states(q);
    if (!q->is_within)
        jni_clock(q, v->state, u->left);
    u->begun = *v;
    if (q->is_within) /* what was committed last, and what has been set since */
        u->begun.area = jni_any_bonds(q);
    if (!q->is_near)
        return;
    go(&u->begun, PHASE_AFTER);
    jni_laws_slow(&u->begun);
    jni_laws_end(q);
    jni_bounds_of(&u->begun);
}

/* ---- the start of the model ---------------------------------------------------------------- */

static term exact(question *q, const jn_expr *e, double nearly)
{
    jn_ratfun c = e ? jni_expr_constant(q, e) : JN_RATFUN_ZERO;
    return jni_constant_term(q, c.id >= 0 ? c : jni_of_double(q, nearly));
}

/* p0 and q0 as they are written; f0 and e0 times the value, where that is one number. */
static term initial_state(question *q, int storage, double nearly)
{
    int element = q->g->storage[storage];
    const jn_element *x = &q->g->element[element];
    if (!x->initial || x->initial_is_state)
        return exact(q, x->initial, nearly);
    jn_value worth = jn_graph_value(q->g, element);
    bool is_one = !worth.ncases && !x->multiport && !x->modulated && !x->nonlinear;
    jn_ratfun M = jni_known_number(q, worth.one), z = jni_expr_constant(q, x->initial);
    if (!is_one || M.id < 0 || z.id < 0)
        return jni_constant_term(q, jni_of_double(q, nearly));
    return jni_constant_term(q, jn_ratfun_mul(q->g->field, M, z));
}

static void begin_first(unrolled *u, const jn_sim *sim)
{
    question *q = u->q;
    const jn_graph *g = q->g;
    view *v = &u->start;
    v->fresh = jni_false(q->l);
    v->state = given_states(q, jn_sim_automata(sim));
    v->lambda = jni_lambda_of(q, v->state);
    v->x = jni_terms(q, g->nstorages);
    v->integral = jni_terms(q, g->nintegrals);
    v->discrete = jni_terms(q, g->ndiscretes);
    for (int i = 0; i < g->nstorages; i++)
        v->x[i] = initial_state(q, i, jn_sim_state(sim)[i]);
    for (int i = 0; i < g->nintegrals; i++)
        v->integral[i] = exact(q, jni_integral_start(g, i), jn_sim_integrals(sim)[i]);
    for (int i = 0; i < g->ndiscretes; i++)
        v->discrete[i] = exact(q, g->discrete[i].initial, jn_sim_discretes(sim)[i]);
    v->input = zeros(q, g->nsources);
    v->is_own = true;
    u->left = v->state;
    u->begun = *v;
}

/* Per switch: no; within an instant, yes or no. */
static term *booleans(question *q)
{
    term *a = jni_terms(q, q->g->nswitches);
    for (int k = 0; k < q->g->nswitches; k++)
        a[k] = q->is_within ? jni_bool(q->l) : jni_false(q->l);
    return a;
}

void jni_begin(unrolled *u, const jn_sim *sim)
{
    question *q = u->q;
    u->start = (view){.q = q};
    u->input = jni_reals(q, q->g->nsources);
    u->slow_input = jni_reals(q, q->g->nsources);
    u->rate = new_first_rates(q);
    u->slow_rate = new_rates(q);
    u->fresh = booleans(q);
    u->once = booleans(q);
    if (q->is_first)
        begin_first(u, sim);
    else
        begin_lasting(u);
    jni_bounds_of_inputs(q, u->input, q->is_near ? u->slow_input : NULL);
}
