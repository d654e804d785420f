/* parse_switch.c: what controls a junction.
 *
 *     switch NAME pwm(period, duty [, phase])
 *     switch NAME LAW [(values)] [reverse diode]
 *     switch NAME on|off {, on|off when CONDITION | on|off at TIME}
 *     automaton NAME {
 *       STATE on|off [initial]
 *       STATE -> STATE when CONDITION [{ NAME = value {; NAME = value} }]
 *     } */
#include <string.h>

#include "syntax_internal.h"

static bool at_on_off(const parser *p)
{
    return jni_at_word(p, "on") || jni_at_word(p, "off");
}

/* ---- switch -------------------------------------------------------------------------------- */

static bool parse_pwm(parser *p, jn_ast *s)
{
    size_t start = p->tok.offset;
    s->u.sw.is_pwm = true;
    jni_advance(p);
    if (p->tok.type != T_OPEN)
        return jni_fail_expected(p, "'('", "write pwm(50e-6, 1/2), for example");
    if (!jni_parse_arguments(p, &s->u.sw.pwm, &s->u.sw.npwm))
        return false;
    if (s->u.sw.npwm == 2 || s->u.sw.npwm == 3)
        return true;
    jn_diag_add(p->diags, JN_D_PWM_ARGUMENTS, jni_place_from(p, start), s->u.sw.npwm);
    return false;
}

/* "diode(0.7)", "transistor(on(g)) reverse diode" */
static bool parse_ready_made(parser *p, jn_ast *s)
{
    s->u.sw.law = p->tok.text;
    jni_advance(p);
    if (p->tok.type == T_OPEN && !jni_parse_arguments(p, &s->u.sw.law_arg, &s->u.sw.nlaw))
        return false;
    if (!jni_accept_word(p, "reverse"))
        return true;
    s->u.sw.reverse = true;
    return jni_accept_word(p, "diode") ||
           jni_fail_expected(p, "'diode'", "write 'switch q transistor(on(g)) reverse diode'");
}

static bool parse_clause(parser *p, jn_ast_clause *c)
{
    size_t start = p->tok.offset;
    *c = (jn_ast_clause){.on = jni_at_word(p, "on")};
    if (!at_on_off(p))
        return jni_fail_expected(p, "'on' or 'off'",
                                 "clauses are 'on when …', 'off when …', 'on at …', 'off at …'");
    jni_advance(p);
    c->at = jni_at_word(p, "at");
    if (!jni_accept_word(p, "at") && !jni_accept_word(p, "when"))
        return jni_fail_expected(p, "'when' or 'at'",
                                 "only the first 'on' or 'off' stands alone: it is the start");
    c->expr = jni_parse_expr(p);
    c->place = jni_place_from(p, start);
    return c->expr;
}

static bool parse_start(parser *p, jn_ast *s, const char *name)
{
    if (!at_on_off(p)) {
        const char *near =
            p->tok.type == T_NAME ? jni_nearest(p, p->tok.text, jni_law_words) : NULL;
        return jni_fail_expected(
            p, "'on', 'off', 'pwm' or a law",
            near ? jn_arena_printf(p->arena, "did you mean '%s'?", near)
                 : "write 'switch s off, on when …', 'switch s pwm(50e-6, 1/2)' "
                   "or 'switch s diode'");
    }
    token start = p->tok;
    s->u.sw.on = jni_at_word(p, "on");
    jni_advance(p);
    if (!jni_at_word(p, "when") && !jni_at_word(p, "at"))
        return true;
    jn_diag_add(p->diags, JN_D_SWITCH_START, jni_token_place(p, &start), name,
                s->u.sw.on ? "off" : "on", start.text, p->tok.text);
    return false;
}

bool jni_parse_switch(parser *p, jn_ast *s)
{
    s->kind = JN_AST_SWITCH;
    jni_advance(p);
    const char *name = p->tok.text;
    if (!jni_parse_name(p, &s->u.sw.name, "the name of a controlled junction"))
        return false;
    if (jni_at_word(p, "pwm"))
        return parse_pwm(p, s);
    if (p->tok.type == T_NAME && jni_word_in(jni_law_words, p->tok.text))
        return parse_ready_made(p, s);
    if (!parse_start(p, s, name))
        return false;
    while (jni_accept(p, T_COMMA)) {
        jn_ast_clause c;
        if (!parse_clause(p, &c))
            return false;
        PUSH(p, s->u.sw.clause, s->u.sw.nclauses);
        s->u.sw.clause[s->u.sw.nclauses++] = c;
    }
    if (p->tok.type == T_OPEN_BLOCK)
        return jni_fail_expected(p, "the end of the statement",
                                 "only the transitions of an automaton set discrete variables");
    return !at_on_off(p) || jni_fail_expected(p, "','", "a comma stands before each clause");
}

/* ---- automaton ----------------------------------------------------------------------------- */

static bool given_twice(parser *p)
{
    jn_diag_add(p->diags, JN_D_CLAUSE_TWICE, jni_token_place(p, &p->tok), p->tok.text);
    return false;
}

/* "open off initial"; the words after the name in any order */
static bool parse_state(parser *p, jn_ast *s, jn_ast_remarks before)
{
    jn_ast_state state = {.before = before};
    if (!jni_parse_word(p, &state.name, &state.place, "a state or a transition"))
        return false;
    bool given = false;
    for (;; jni_advance(p)) {
        if (at_on_off(p)) {
            if (given)
                return given_twice(p);
            given = true;
            state.on = jni_at_word(p, "on");
        } else if (jni_at_word(p, "initial")) {
            if (state.initial)
                return given_twice(p);
            state.initial = true;
        } else {
            break;
        }
    }
    if (!given)
        return jni_fail_expected(p, "'on', 'off' or '->'",
                                 "a state is written 'NAME on' or 'NAME off', a transition "
                                 "'NAME -> NAME when CONDITION'");
    if (!jni_end_statement(p, &state.comment))
        return false;
    PUSH(p, s->u.automaton.state, s->u.automaton.nstates);
    s->u.automaton.state[s->u.automaton.nstates++] = state;
    return true;
}

static const char *const set_advice =
    "what a transition sets is written '{ n = n + 1; m = 2 }', on its line";

/* "n = n + 1" */
static bool parse_set(parser *p, jn_ast_transition *t)
{
    size_t start = p->tok.offset;
    jn_ast_set set = {0};
    if (p->tok.type != T_NAME)
        return jni_fail_expected(p, "the name of a discrete variable", set_advice);
    if (!jni_parse_name(p, &set.name, "the name of a discrete variable") ||
        !jni_expect(p, T_EQ, "'='", set_advice))
        return false;
    set.value = jni_parse_expr(p);
    if (!set.value)
        return false;
    set.place = jni_place_from(p, start);
    PUSH(p, t->set, t->nsets);
    t->set[t->nsets++] = set;
    return true;
}

/* "{ n = n + 1; m = 2 }", if there is one */
static bool parse_sets(parser *p, jn_ast_transition *t)
{
    if (!jni_accept(p, T_OPEN_BLOCK))
        return true;
    bool good = true, more = true;
    while (good && more) {
        good = parse_set(p, t);
        more = good && jni_accept(p, T_SEMICOLON) && p->tok.type != T_CLOSE_BLOCK;
    }
    good = good && jni_expect(p, T_CLOSE_BLOCK, "an operator, ';' or '}'", set_advice);
    if (!good)
        jni_leave_braces(p);
    return good;
}

/* "open -> closed when C { n = n + 1 }" */
static bool parse_transition(parser *p, jn_ast *s, jn_ast_remarks before)
{
    size_t start = p->tok.offset;
    jn_ast_transition t = {.before = before};
    if (!jni_parse_word(p, &t.from, &t.from_place, "a state") || !jni_accept(p, T_ARROW) ||
        !jni_parse_word(p, &t.to, &t.to_place, "a state"))
        return false;
    if (!jni_accept_word(p, "when"))
        return jni_fail_expected(p, "'when'", "a transition needs a condition: 'when t > 1'");
    t.when = jni_parse_expr(p);
    t.place = jni_place_from(p, start);
    if (!t.when || !parse_sets(p, &t) || !jni_end_statement(p, &t.comment))
        return false;
    PUSH(p, s->u.automaton.transition, s->u.automaton.ntransitions);
    s->u.automaton.transition[s->u.automaton.ntransitions++] = t;
    return true;
}

static void add_remark(parser *p, jn_ast_remarks *r, const char *line)
{
    if (!line && r->n > 0 && !r->line[r->n - 1])
        return; /* of several blank lines one is kept */
    PUSH(p, r->line, r->n);
    r->line[r->n++] = line;
}

static bool parse_lines(parser *p, jn_ast *s)
{
    jn_ast_remarks before = {0};
    while (p->tok.type != T_END && p->tok.type != T_CLOSE_BLOCK) {
        size_t start = p->tok.offset;
        if (p->tok.type == T_NEWLINE) {
            add_remark(p, &before, p->tok.text);
            jni_advance(p);
            continue;
        }
        if (jni_accept(p, T_SEMICOLON))
            continue;
        if (p->tok.type == T_NAME && jni_word_in(jni_statement_words, p->tok.text))
            break; /* a statement of the model: the '}' was forgotten */
        bool arrow = p->tok.type == T_NAME && p->ahead.type == T_ARROW;
        if (!(arrow ? parse_transition : parse_state)(p, s, before))
            jni_recover(p, start);
        before = (jn_ast_remarks){0};
    }
    if (before.n > 0 && !before.line[before.n - 1])
        before.n--;
    s->u.automaton.end = before;
    return true;
}

bool jni_parse_automaton(parser *p, jn_ast *s)
{
    s->kind = JN_AST_AUTOMATON;
    jni_advance(p);
    bool good = jni_parse_name(p, &s->u.automaton.name, "the name of a controlled junction");
    jn_place brace;
    return jni_find_block(p, s, good, &brace) && parse_lines(p, s) &&
           jni_close_block(p, brace, "the automaton") && good;
}
