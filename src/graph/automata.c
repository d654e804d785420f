/* automata.c: what controls the controlled junctions. A switch statement is an automaton with
 * the states off and on. */
#include <stdlib.h>
#include <string.h>

#include "graph_internal.h"

/* The automaton of the junction that a statement names; NULL: none, reported. */
static jn_automaton *automaton_of(builder *b, const statement *st, const jn_ast_name *name)
{
    const name_entry *e = jn_build_find(b, st->scope, name, NAME_ELEMENT, "controlled junction");
    if (!e)
        return NULL;
    jn_kind kind = b->list[JN_AST_ELEMENT].item[e->index].ast->u.element.kind;
    if (!jn_kind_is_switch(kind)) {
        REPORT(b, JN_D_SWITCH_KIND, name->place, e->text, jn_build_kind_text(b, e), e->text);
        return NULL;
    }
    int element = b->element_of[e->index];
    if (element < 0) /* left out, with a warning */
        return NULL;
    jn_automaton *a = &b->g->automaton[b->g->element[element].number];
    if (!a->given) {
        a->given = true;
        a->place = name->place;
        return a;
    }
    if (REPORT(b, JN_D_SWITCH_TWICE, name->place, e->text) && a->place.offset != name->place.offset)
        jn_diag_note(b->diags, a->place, "the first is here");
    return NULL;
}

static const jn_expr *read_when(builder *b, const scope *s, const jn_ast_expr *e)
{
    context c = {.scope = s, .in_when = true, .law = -1};
    return jn_build_condition(b, &c, e);
}

/* ---- switch ---------------------------------------------------------------------------------- */

enum { OFF, ON };
static const jn_state on_off[] = {[OFF] = {"off", false}, [ON] = {"on", true}};

enum { PHASE_PERIODS = 1000000000 }; /* beyond that, rounding would eat up the period */

static bool phase_too_large(builder *b, const jn_automaton *a)
{
    fmpq_t phase, period;
    fmpq_init(phase);
    fmpq_init(period);
    bool large = a->pwm_period && jn_build_known(phase, b, a->pwm_phase) &&
                 jn_build_known(period, b, a->pwm_period);
    if (large) {
        fmpq_abs(phase, phase);
        fmpq_mul_si(period, period, PHASE_PERIODS);
        large = fmpq_sgn(period) > 0 && fmpq_cmp(phase, period) > 0;
    }
    fmpq_clear(phase);
    fmpq_clear(period);
    return large;
}

static void check_pwm(builder *b, const jn_automaton *a, const jn_ast_expr *const *arg)
{
    fmpq_t c;
    fmpq_init(c);
    if (a->pwm_period && jn_build_known(c, b, a->pwm_period) && fmpq_sgn(c) <= 0)
        REPORT(b, JN_D_NOT_POSITIVE, arg[0]->place, "the period");
    if (a->pwm_duty && jn_build_known(c, b, a->pwm_duty) &&
        (fmpq_sgn(c) < 0 || fmpz_cmp(fmpq_numref(c), fmpq_denref(c)) > 0))
        REPORT(b, JN_D_PWM_DUTY, arg[1]->place);
    if (a->pwm_phase && phase_too_large(b, a))
        REPORT(b, JN_D_PWM_PHASE, arg[2]->place, PHASE_PERIODS);
    fmpq_clear(c);
}

/* The duty cycle may be a signal: that is how a converter is controlled. */
static void read_pwm(builder *b, jn_automaton *a, const statement *st)
{
    const jn_ast_expr *const *arg = st->ast->u.sw.pwm;
    context c = {.scope = st->scope, .law = -1};
    a->initial = ON;
    a->pwm_period = jn_build_constant(b, st->scope, arg[0], "the period");
    a->pwm_duty = jn_build_value(b, &c, arg[1]);
    if (a->pwm_duty && !jn_expr_varies(a->pwm_duty))
        a->pwm_duty = jn_build_constant(b, st->scope, arg[1], "the duty cycle");
    if (st->ast->u.sw.npwm > 2)
        a->pwm_phase = jn_build_constant(b, st->scope, arg[2], "the phase");
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
            timed[a->ntimes++] =
                (struct jn_timed){jn_build_constant(b, st->scope, c->expr, "the time of switching"),
                                  c->on ? ON : OFF, c->place};
        else
            transition[a->ntransitions++] = (jn_transition){
                c->on ? OFF : ON, c->on ? ON : OFF, read_when(b, st->scope, c->expr), c->place};
    }
    a->transition = transition;
    a->timed = timed;
}

static void read_switch(builder *b, const statement *st)
{
    jn_automaton *a = automaton_of(b, st, &st->ast->u.sw.name);
    if (!a)
        return;
    a->nstates = 2;
    a->state = on_off;
    a->initial = st->ast->u.sw.on ? ON : OFF;
    if (st->ast->u.sw.is_pwm)
        read_pwm(b, a, st);
    else
        read_clauses(b, a, st);
}

/* ---- automaton ------------------------------------------------------------------------------- */

static void read_states(builder *b, name_table *names, jn_automaton *a, const jn_ast *ast)
{
    int n = ast->u.automaton.nstates;
    if (n > JN_GRAPH_MAX_STATES) {
        REPORT(b, JN_D_TOO_LARGE, a->place, JN_GRAPH_MAX_STATES, "states of an automaton");
        n = JN_GRAPH_MAX_STATES;
    }
    jn_state *state = jn_arena_alloc(b->g->arena, (size_t)n * sizeof *state);
    a->state = state;
    a->nstates = 0;
    a->initial = -1;
    for (int i = 0; i < n; i++) {
        const jn_ast_state *s = &ast->u.automaton.state[i];
        const name_entry *first = jn_names_find(names, s->name);
        if (first) {
            if (REPORT(b, JN_D_STATE_TWICE, s->place, s->name))
                jn_diag_note(b->diags, first->place, "first declared here");
            continue;
        }
        if (s->initial && a->initial >= 0)
            REPORT(b, JN_D_STATE_INITIALS, s->place, s->name, state[a->initial].name);
        else if (s->initial)
            a->initial = a->nstates;
        jn_names_add(names, s->name, NAME_STATE, a->nstates, s->place);
        state[a->nstates++] =
            (jn_state){jn_arena_strndup(b->g->arena, s->name, strlen(s->name)), s->on};
    }
    if (n == 0)
        REPORT(b, JN_D_STATES_NONE, a->place, b->g->element[a->element].name);
    else if (a->initial < 0)
        REPORT(b, JN_D_STATE_INITIAL, a->place, state[0].name, state[0].on ? "on" : "off");
}

static int find_state(builder *b, const name_table *names, const char *name, jn_place place)
{
    const name_entry *e = jn_names_find(names, name);
    if (e)
        return e->index;
    const char *closest = NULL;
    if (jn_diags_errors(b->diags) < JN_DIAGS_MAX) /* further errors are only counted */
        closest = jn_names_closest(names, "", name, NAME_STATE);
    REPORT(b, JN_D_STATE_UNKNOWN, place, name,
           closest ? jn_arena_printf(b->scratch, "did you mean '%s'?", closest)
                   : "declare it in the automaton: 'NAME on' or 'NAME off'");
    return -1;
}

static void read_transitions(builder *b, const name_table *names, jn_automaton *a,
                             const statement *st)
{
    int n = st->ast->u.automaton.ntransitions;
    jn_transition *transition = jn_arena_alloc(b->g->arena, (size_t)n * sizeof *transition);
    a->transition = transition;
    a->ntransitions = n;
    for (int i = 0; i < n; i++) {
        const jn_ast_transition *t = &st->ast->u.automaton.transition[i];
        int from = find_state(b, names, t->from, t->from_place);
        int to = find_state(b, names, t->to, t->to_place);
        if (from >= 0 && from == to)
            REPORT(b, JN_D_TRANSITION_SELF, t->place, t->from);
        transition[i] = (jn_transition){from, to, read_when(b, st->scope, t->when), t->place};
    }
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
    jn_automaton *a = automaton_of(b, st, &st->ast->u.automaton.name);
    if (!a)
        return;
    name_table names = {0};
    read_states(b, &names, a, st->ast);
    read_transitions(b, &names, a, st);
    if (is_whole(a, st->ast))
        check_reachable(b, a, st->ast);
    jn_names_clear(&names);
}

void jn_build_automata(builder *b)
{
    jn_graph *g = b->g;
    g->automaton = jn_arena_alloc(g->arena, (size_t)g->nswitches * sizeof *g->automaton);
    for (int i = 0; i < g->nswitches; i++) {
        /* Without a statement: always ON. */
        g->automaton[i] = (jn_automaton){.element = g->sw[i],
                                         .nstates = 2,
                                         .initial = ON,
                                         .state = on_off,
                                         .place = g->element[g->sw[i]].place};
    }
    for (int i = 0; i < b->list[JN_AST_SWITCH].n; i++)
        read_switch(b, &b->list[JN_AST_SWITCH].item[i]);
    for (int i = 0; i < b->list[JN_AST_AUTOMATON].n; i++)
        read_automaton(b, &b->list[JN_AST_AUTOMATON].item[i]);
}
