/* states.c: which states the switches have, and in which they begin. Any expression may ask for
 * one, so they are known before expressions are read. */
#include <string.h>

#include "graph_internal.h"

static const jn_state on_off[] = {[OFF] = {"off", false}, [ON] = {"on", true}};

/* ---- which switch a statement controls ----------------------------------------------------- */

/* The automaton of the junction that a statement names; NULL: none, reported. */
static jn_automaton *automaton_of(builder *b, const statement *st, const jn_ast_name *name)
{
    const name_entry *e = jni_build_find(b, st->scope, name, NAME_ELEMENT, "controlled junction");
    if (!e)
        return NULL;
    jn_kind kind = b->list[JN_AST_ELEMENT].item[e->index].ast->u.element.kind;
    if (!jn_kind_is_switch(kind)) {
        REPORT(b, JN_D_SWITCH_KIND, name->place, e->text, jni_build_kind_text(b, e), e->text);
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

/* ---- their states -------------------------------------------------------------------------- */

static void read_states(builder *b, jn_automaton *a, const jn_ast *ast)
{
    name_table names = {0};
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
        const name_entry *first = jni_names_find(&names, s->name);
        if (first) {
            if (REPORT(b, JN_D_STATE_TWICE, s->place, s->name))
                jn_diag_note(b->diags, first->place, "first declared here");
            continue;
        }
        if (s->initial && a->initial >= 0)
            REPORT(b, JN_D_STATE_INITIALS, s->place, s->name, state[a->initial].name);
        else if (s->initial)
            a->initial = a->nstates;
        jni_names_add(&names, s->name, NAME_STATE, a->nstates, s->place);
        state[a->nstates++] =
            (jn_state){jn_arena_strndup(b->g->arena, s->name, strlen(s->name)), s->on};
    }
    if (n == 0)
        REPORT(b, JN_D_STATES_NONE, a->place, b->g->element[a->element].name);
    else if (a->initial < 0)
        REPORT(b, JN_D_STATE_INITIAL, a->place, state[0].name, state[0].on ? "on" : "off");
    jni_names_clear(&names);
}

static void begin_switch(builder *b, statement *st)
{
    jn_automaton *a = automaton_of(b, st, &st->ast->u.sw.name);
    if (!a)
        return;
    st->sw = (int)(a - b->g->automaton);
    a->initial = st->ast->u.sw.on || st->ast->u.sw.is_pwm ? ON : OFF;
}

static void begin_automaton(builder *b, statement *st)
{
    jn_automaton *a = automaton_of(b, st, &st->ast->u.automaton.name);
    if (!a)
        return;
    st->sw = (int)(a - b->g->automaton);
    read_states(b, a, st->ast);
}

void jni_build_states(builder *b)
{
    jn_graph *g = b->g;
    g->automaton = jn_arena_alloc(g->arena, (size_t)g->nswitches * sizeof *g->automaton);
    b->switch_read = jn_arena_alloc(b->scratch, (size_t)g->nswitches * sizeof *b->switch_read);
    for (int i = 0; i < g->nswitches; i++) {
        /* Without a statement: always ON. */
        g->automaton[i] = (jn_automaton){.element = g->sw[i],
                                         .nstates = 2,
                                         .initial = ON,
                                         .state = on_off,
                                         .place = g->element[g->sw[i]].place};
    }
    for (int i = 0; i < b->list[JN_AST_SWITCH].n; i++)
        begin_switch(b, &b->list[JN_AST_SWITCH].item[i]);
    for (int i = 0; i < b->list[JN_AST_AUTOMATON].n; i++)
        begin_automaton(b, &b->list[JN_AST_AUTOMATON].item[i]);
}

/* ---- finding one --------------------------------------------------------------------------- */

void jni_build_state_names(name_table *names, const jn_automaton *a)
{
    for (int i = 0; i < a->nstates; i++)
        jni_names_add(names, a->state[i].name, NAME_STATE, i, a->place);
}

/* "the states are open, closed": a few of them. */
static const char *list_states(builder *b, const jn_automaton *a)
{
    enum { SHOWN = 8 };
    const char *list = "";
    for (int i = 0; i < a->nstates && i < SHOWN; i++)
        list = jn_arena_printf(b->scratch, "%s%s%s", list, i ? ", " : "", a->state[i].name);
    return jn_arena_printf(b->scratch, "its states are %s%s", list,
                           a->nstates > SHOWN ? ", …" : "");
}

static const char *advice_on_state(builder *b, const jn_automaton *a, const char *name)
{
    name_table names = {0};
    jni_build_state_names(&names, a);
    const char *closest = jni_names_closest(&names, "", name, NAME_STATE);
    jni_names_clear(&names);
    if (closest)
        return jn_arena_printf(b->scratch, "did you mean '%s'?", closest);
    return a->nstates ? list_states(b, a) : "declare it in the automaton: 'NAME on' or 'NAME off'";
}

int jni_build_state(builder *b, const jn_automaton *a, const char *name, jn_place place)
{
    for (int i = 0; i < a->nstates; i++)
        if (strcmp(a->state[i].name, name) == 0)
            return i;
    bool shown = jn_diags_errors(b->diags) < JN_DIAGS_MAX; /* further errors are only counted */
    REPORT(b, JN_D_STATE_UNKNOWN, place, name, shown ? advice_on_state(b, a, name) : "");
    return -1;
}
