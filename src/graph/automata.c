/* automata.c: what controls the controlled junctions: when they leave a state, and what is set
 * then. A switch statement is an automaton with the states off and on. */
#include <stdlib.h>
#include <string.h>

#include "graph_internal.h"

static const jn_expr *read_when(builder *b, const scope *s, const jn_ast_expr *e)
{
    context c = {.scope = s, .in_when = true, .law = -1};
    return jni_build_condition(b, &c, e);
}

/* ---- switch -------------------------------------------------------------------------------- */

enum { PHASE_PERIODS = 1000000000 }; /* beyond that, rounding would eat up the period */

/* Longer than so many periods. */
static bool phase_exceeds(builder *b, const jn_automaton *a, long periods)
{
    fmpq_t phase, period;
    fmpq_init(phase);
    fmpq_init(period);
    bool large = a->pwm_period && jni_build_known(phase, b, a->pwm_phase) &&
                 jni_build_known(period, b, a->pwm_period);
    if (large) {
        fmpq_abs(phase, phase);
        fmpq_mul_si(period, period, periods);
        large = fmpq_sgn(period) > 0 && fmpq_cmp(phase, period) > 0;
    }
    fmpq_clear(phase);
    fmpq_clear(period);
    return large;
}

/* x := x mod period, in (0, period]: when it first comes after 0. */
static void first_after_start(fmpq_t x, const fmpq_t period)
{
    fmpz_t n;
    fmpq_t whole;
    fmpz_init(n);
    fmpq_init(whole);
    fmpq_div(whole, x, period);
    fmpz_cdiv_q(n, fmpq_numref(whole), fmpq_denref(whole));
    fmpz_sub_ui(n, n, 1);
    fmpq_mul_fmpz(whole, period, n);
    fmpq_sub(x, x, whole);
    fmpz_clear(n);
    fmpq_clear(whole);
}

/* Whether no edge that is known comes within the run. A duty of 0 or 1 is meant to have none. */
static bool never_changes(builder *b, const jn_automaton *a, const fmpq_t period, const fmpq_t to)
{
    fmpq_t on, off;
    fmpq_init(on);
    fmpq_init(off);
    bool never =
        fmpq_cmp(period, to) > 0 && (!a->pwm_phase || jni_build_known(on, b, a->pwm_phase));
    if (never && !jn_expr_varies(a->pwm_duty)) {
        never =
            jni_build_known(off, b, a->pwm_duty) && fmpq_sgn(off) > 0 && fmpq_cmp_si(off, 1) < 0;
        fmpq_mul(off, off, period);
        fmpq_add(off, off, on);
        first_after_start(off, period);
        never = never && fmpq_cmp(off, to) >= 0;
    }
    first_after_start(on, period);
    never = never && fmpq_cmp(on, to) >= 0;
    fmpq_clear(on);
    fmpq_clear(off);
    return never;
}

static void check_length(builder *b, const jn_automaton *a, jn_place place)
{
    fmpq_t period, to;
    fmpq_init(period);
    fmpq_init(to);
    if (b->g->to && a->pwm_period && a->pwm_duty && jni_build_known(period, b, a->pwm_period) &&
        jni_build_known(to, b, b->g->to) && fmpq_sgn(period) > 0 && never_changes(b, a, period, to))
        REPORT(b, JN_D_PWM_LONG, place, jn_number_get_d(period), jn_number_get_d(to));
    fmpq_clear(period);
    fmpq_clear(to);
}

static void check_pwm(builder *b, const jn_automaton *a, const jn_ast_expr *const *arg)
{
    fmpq_t c;
    fmpq_init(c);
    if (a->pwm_period && jni_build_known(c, b, a->pwm_period) && fmpq_sgn(c) <= 0)
        REPORT(b, JN_D_NOT_POSITIVE, arg[0]->place, "the period");
    if (a->pwm_duty && jni_build_known(c, b, a->pwm_duty) &&
        (fmpq_sgn(c) < 0 || fmpz_cmp(fmpq_numref(c), fmpq_denref(c)) > 0))
        REPORT(b, JN_D_PWM_DUTY, arg[1]->place);
    if (a->pwm_phase && phase_exceeds(b, a, PHASE_PERIODS))
        REPORT(b, JN_D_PWM_PHASE, arg[2]->place, PHASE_PERIODS);
    else if (a->pwm_phase && phase_exceeds(b, a, 1))
        REPORT(b, JN_D_PWM_LATE, arg[2]->place);
    else
        check_length(b, a, arg[0]->place);
    fmpq_clear(c);
}

/* The duty cycle may be a signal: that is how a converter is controlled. */
static void read_pwm(builder *b, jn_automaton *a, const statement *st)
{
    const jn_ast_expr *const *arg = st->ast->u.sw.pwm;
    context c = {.scope = st->scope, .law = -1};
    a->pwm_period = jni_build_constant(b, st->scope, arg[0], "the period");
    a->pwm_duty = jni_build_value(b, &c, arg[1]);
    if (a->pwm_duty && !jn_expr_varies(a->pwm_duty))
        a->pwm_duty = jni_build_constant(b, st->scope, arg[1], "the duty cycle");
    if (st->ast->u.sw.npwm > 2)
        a->pwm_phase = jni_build_constant(b, st->scope, arg[2], "the phase");
    check_pwm(b, a, arg);
}

static void read_clauses(builder *b, jn_automaton *a, const statement *st)
{
    int n = st->ast->u.sw.nclauses;
    jn_transition *transition = jn_arena_alloc(b->g->arena, (size_t)n * sizeof *transition);
    struct jn_timed *timed = jn_arena_alloc(b->g->arena, (size_t)n * sizeof *timed);
    for (int i = 0; i < n; i++) {
        const jn_ast_clause *c = &st->ast->u.sw.clause[i];
        if (c->at)
            timed[a->ntimes++] = (struct jn_timed){
                jni_build_constant(b, st->scope, c->expr, "the time of switching"),
                c->on ? ON : OFF, c->place};
        else
            transition[a->ntransitions++] =
                (jn_transition){.from = c->on ? OFF : ON,
                                .to = c->on ? ON : OFF,
                                .when = read_when(b, st->scope, c->expr),
                                .place = c->place};
    }
    a->transition = transition;
    a->timed = timed;
}

static void read_switch(builder *b, const statement *st)
{
    if (st->sw < 0)
        return;
    jn_automaton *a = &b->g->automaton[st->sw];
    a->is_stop = st->ast->u.sw.is_stop;
    if (st->ast->u.sw.is_pwm)
        read_pwm(b, a, st);
    else
        read_clauses(b, a, st);
}

/* ---- automaton ----------------------------------------------------------------------------- */

static int find_state(builder *b, const jn_automaton *a, const name_table *names, const char *name,
                      jn_place place)
{
    const name_entry *e = jni_names_find(names, name);
    return e ? e->index : jni_build_state(b, a, name, place);
}

/* "{ n = n + 1; m = 2 }" */
static void read_sets(builder *b, jn_transition *out, const scope *s, const jn_ast_transition *t)
{
    jn_set *set = jn_arena_alloc(b->g->arena, (size_t)t->nsets * sizeof *set);
    name_table seen = {0};
    out->set = set;
    for (int i = 0; i < t->nsets; i++) {
        const jn_ast_set *x = &t->set[i];
        context c = {.scope = s, .law = -1};
        const jn_expr *value = jni_build_value(b, &c, x->value);
        const name_entry *e = jni_build_find(b, s, &x->name, NAME_DISCRETE, "discrete variable");
        if (!e)
            continue;
        b->discrete_set[e->index] = true;
        const name_entry *first = jni_names_find(&seen, e->text);
        if (!first)
            jni_names_add(&seen, e->text, NAME_DISCRETE, 0, x->place);
        else if (REPORT(b, JN_D_SET_TWICE, x->place, e->text))
            jn_diag_note(b->diags, first->place, "the first is here");
        set[out->nsets++] = (jn_set){e->index, value, x->place};
    }
    jni_names_clear(&seen);
}

static void read_transitions(builder *b, jn_automaton *a, const statement *st)
{
    int n = st->ast->u.automaton.ntransitions;
    jn_transition *transition = jn_arena_alloc(b->g->arena, (size_t)n * sizeof *transition);
    name_table names = {0};
    jni_build_state_names(&names, a);
    a->transition = transition;
    a->ntransitions = n;
    for (int i = 0; i < n; i++) {
        const jn_ast_transition *t = &st->ast->u.automaton.transition[i];
        int from = find_state(b, a, &names, t->from, t->from_place);
        int to = find_state(b, a, &names, t->to, t->to_place);
        if (from >= 0 && from == to && t->nsets == 0)
            REPORT(b, JN_D_TRANSITION_SELF, t->place, t->from);
        transition[i] = (jn_transition){
            .from = from, .to = to, .when = read_when(b, st->scope, t->when), .place = t->place};
        read_sets(b, &transition[i], st->scope, t);
    }
    jni_names_clear(&names);
}

/* Whether all of it could be read. The number of errors does not tell: in a second turn of a loop
 * they are not reported again. */
static bool is_whole(const jn_automaton *a, const jn_ast *ast)
{
    bool whole = a->initial >= 0 && a->nstates == ast->u.automaton.nstates;
    for (int i = 0; i < a->ntransitions && whole; i++)
        whole = a->transition[i].from >= 0 && a->transition[i].to >= 0;
    return whole;
}

/* By passes over the transitions until nothing new is found; each finds at least one state. */
static void check_reachable(builder *b, const jn_automaton *a, const jn_ast *ast)
{
    bool *reached = jn_alloc((size_t)a->nstates);
    reached[a->initial] = true;
    for (bool more = true; more;) {
        more = false;
        for (int i = 0; i < a->ntransitions; i++) {
            const jn_transition *t = &a->transition[i];
            if (reached[t->from] && !reached[t->to])
                more = reached[t->to] = true;
        }
    }
    for (int i = 0; i < a->nstates; i++)
        if (!reached[i])
            REPORT(b, JN_D_STATE_UNREACHABLE, ast->u.automaton.state[i].place, a->state[i].name,
                   a->state[a->initial].name);
    free(reached);
}

static void read_automaton(builder *b, const statement *st)
{
    if (st->sw < 0)
        return;
    jn_automaton *a = &b->g->automaton[st->sw];
    read_transitions(b, a, st);
    if (is_whole(a, st->ast))
        check_reachable(b, a, st->ast);
}

void jni_build_automata(builder *b)
{
    for (int i = 0; i < b->list[JN_AST_SWITCH].n; i++)
        read_switch(b, &b->list[JN_AST_SWITCH].item[i]);
    for (int i = 0; i < b->list[JN_AST_AUTOMATON].n; i++)
        read_automaton(b, &b->list[JN_AST_AUTOMATON].item[i]);
}
