/* ready_made.c: ready-made laws of switches, spelt out.
 *
 * What is through a junction and what is across it: through an X1 goes the flow f, and while it is
 * OFF the effort e is across it; of an X0 it is the other way round. Both are counted along the
 * bonds, e(x) as what leaves less what arrives, so that a junction that conducts along its arrows
 * has a positive f, and is held back by a negative e. The same line is then right for every
 * direction of the bonds:
 *
 *     diode          off, on when across < 0, off when through < 0
 *     diode(v)       the same, with a source of the effort v in series
 *     transistor(g)  off, on when g, off when not g; with its reverse diode also
 *                    on when across > 0, and off only when through > 0
 *     thyristor(g)   off, on when g and across < 0, off when through < 0
 *     stop(gap)      the law of a diode: what touches pushes only; it begins free
 *     brake(limit)   holds until what it would have to hold exceeds the limit, then slips either
 * way until the speed is zero again. An X0 holds while it is ON, an X1 while it is OFF.
 *
 * A gate that is a pwm becomes a switch of its own. All of it is written as statements of the
 * language, which the rest of this stage reads like any other. */
#include <stdlib.h>
#include <string.h>

#include "graph_internal.h"

typedef struct {
    builder *b;
    const jn_ast *ast;
    const scope *scope;
    int junction;      /* which statement declares it */
    bool flow_through; /* X1 */
    jn_ast_block to;
} law;

/* ---- pieces of statements ------------------------------------------------------------------ */

static void *room(const law *w, size_t size)
{
    return jn_arena_alloc(w->b->spelt_out, size);
}

static const jn_ast_expr *expr_of(const law *w, jn_ast_op op, const jn_ast_expr *x,
                                  const jn_ast_expr *y)
{
    jn_ast_expr *e = room(w, sizeof *e);
    e->op = op;
    e->place = w->ast->place;
    e->nargs = y ? 2 : 1;
    e->arg = room(w, 2 * sizeof *e->arg);
    e->arg[0] = x;
    e->arg[1] = y;
    return e;
}

static const jn_ast_expr *zero(const law *w)
{
    jn_ast_expr *e = room(w, sizeof *e);
    e->op = JN_AST_NUMBER;
    e->place = w->ast->place;
    e->text = "0";
    return e;
}

/* e(x), f(x), on(x) */
static const jn_ast_expr *call_of(const law *w, const char *function, const jn_ast_name *x)
{
    jn_ast_expr *name = room(w, sizeof *name);
    name->op = JN_AST_NAME;
    name->place = w->ast->place;
    name->name = *x;
    jn_ast_expr *e = (jn_ast_expr *)expr_of(w, JN_AST_CALL, name, NULL);
    e->text = function;
    return e;
}

static const jn_ast_expr *through(const law *w)
{
    return call_of(w, w->flow_through ? "f" : "e", &w->ast->u.sw.name);
}

static const jn_ast_expr *across(const law *w)
{
    return call_of(w, w->flow_through ? "e" : "f", &w->ast->u.sw.name);
}

static const jn_ast_expr *below_zero(const law *w, const jn_ast_expr *e)
{
    return expr_of(w, JN_AST_LT, e, zero(w));
}

static const jn_ast_expr *above_zero(const law *w, const jn_ast_expr *e)
{
    return expr_of(w, JN_AST_GT, e, zero(w));
}

/* ---- statements ---------------------------------------------------------------------------- */

static jn_ast *new_statement(law *w, jn_ast_kind kind)
{
    jn_ast *s = room(w, sizeof *s);
    s->kind = kind;
    s->place = w->ast->place;
    jn_ast **item = room(w, (size_t)(w->to.n + 1) * sizeof *item);
    if (w->to.n)
        memcpy(item, w->to.item, (size_t)w->to.n * sizeof *item);
    item[w->to.n++] = s;
    w->to.item = item;
    return s;
}

/* "switch x off, on when …, off when …" */
static void write_switch(law *w, bool starts_on, const jn_ast_expr *on, const jn_ast_expr *off)
{
    jn_ast *s = new_statement(w, JN_AST_SWITCH);
    s->u.sw.name = w->ast->u.sw.name;
    s->u.sw.on = starts_on;
    s->u.sw.nclauses = 2;
    s->u.sw.clause = room(w, 2 * sizeof *s->u.sw.clause);
    s->u.sw.clause[0] =
        (jn_ast_clause){.place = s->place, .on = !starts_on, .expr = starts_on ? off : on};
    s->u.sw.clause[1] =
        (jn_ast_clause){.place = s->place, .on = starts_on, .expr = starts_on ? on : off};
}

/* A name that goes with that of the junction: d_drop, or d_drop[k]. NULL: there can be none. */
static const jn_ast_name *name_beside(law *w, const char *what)
{
    builder *b = w->b;
    const jn_ast_name *name = &w->ast->u.sw.name;
    if (name->nparts > 1) {
        REPORT(b, JN_D_LAW_OUTSIDE, w->ast->place, w->ast->u.sw.law);
        return NULL;
    }
    jn_ast_name *beside = room(w, sizeof *beside);
    *beside = (jn_ast_name){name->place, 1, room(w, sizeof *beside->part)};
    beside->part[0].index = name->part[0].index;
    beside->part[0].text = jn_arena_printf(b->spelt_out, "%s_%s", name->part[0].text, what);
    const char *full = jni_build_full_name(b, w->scope, beside);
    while (full && jni_names_find(&b->names, full)) {
        beside->part[0].text = jn_arena_printf(b->spelt_out, "%s_", beside->part[0].text);
        full = jni_build_full_name(b, w->scope, beside);
    }
    return full ? beside : NULL;
}

/* ---- the laws ------------------------------------------------------------------------------ */

/* "Se d_drop = 0.7" and "d -> d_drop" */
static void write_drop(law *w, const jn_ast_expr *drop)
{
    if (!w->flow_through) {
        REPORT(w->b, JN_D_LAW_DROP, w->ast->place);
        return;
    }
    const jn_ast_name *name = name_beside(w, "drop");
    if (!name)
        return;
    jn_ast *source = new_statement(w, JN_AST_ELEMENT);
    source->u.element.kind = JN_SE;
    source->u.element.name = *name;
    source->u.element.value = drop;
    jn_ast *bond = new_statement(w, JN_AST_BONDS);
    bond->u.bonds.nnames = 2;
    bond->u.bonds.name = room(w, 2 * sizeof *bond->u.bonds.name);
    bond->u.bonds.name[0] = w->ast->u.sw.name;
    bond->u.bonds.name[1] = *name;
}

static void write_diode(law *w)
{
    if (w->ast->u.sw.nlaw)
        write_drop(w, w->ast->u.sw.law_arg[0]);
    write_switch(w, false, below_zero(w, across(w)), below_zero(w, through(w)));
}

/* The condition a gate is; a pwm becomes a switch of its own. */
static const jn_ast_expr *gate_of(law *w)
{
    const jn_ast_expr *gate = w->ast->u.sw.law_arg[0];
    if (gate->op != JN_AST_CALL || strcmp(gate->text, "pwm") != 0)
        return gate;
    if (gate->nargs < 2 || gate->nargs > 3) {
        REPORT(w->b, JN_D_PWM_ARGUMENTS, gate->place, gate->nargs);
        return NULL;
    }
    const jn_ast_name *name = name_beside(w, "gate");
    if (!name)
        return NULL;
    jn_ast *s = new_statement(w, JN_AST_SWITCH);
    s->u.sw.name = *name;
    s->u.sw.is_pwm = true;
    s->u.sw.npwm = gate->nargs;
    s->u.sw.pwm = gate->arg;
    return call_of(w, "on", name);
}

/* Without its diode a transistor does what its gate does. */
static bool write_plain_pwm(law *w)
{
    const jn_ast_expr *gate = w->ast->u.sw.law_arg[0];
    bool pwm = gate->op == JN_AST_CALL && strcmp(gate->text, "pwm") == 0 && gate->nargs >= 2 &&
               gate->nargs <= 3;
    if (!pwm || w->ast->u.sw.reverse)
        return false;
    jn_ast *s = new_statement(w, JN_AST_SWITCH);
    s->u.sw.name = w->ast->u.sw.name;
    s->u.sw.is_pwm = true;
    s->u.sw.npwm = gate->nargs;
    s->u.sw.pwm = gate->arg;
    return true;
}

static void write_transistor(law *w)
{
    if (write_plain_pwm(w))
        return;
    const jn_ast_expr *gate = gate_of(w);
    if (!gate)
        return;
    const jn_ast_expr *closed =
        gate->op == JN_AST_NOT ? gate->arg[0] : expr_of(w, JN_AST_NOT, gate, NULL);
    if (w->ast->u.sw.reverse)
        write_switch(w, false, expr_of(w, JN_AST_OR, gate, above_zero(w, across(w))),
                     expr_of(w, JN_AST_AND, closed, above_zero(w, through(w))));
    else
        write_switch(w, false, gate, closed);
}

static void write_thyristor(law *w)
{
    const jn_ast_expr *gate = gate_of(w);
    if (gate)
        write_switch(w, false, expr_of(w, JN_AST_AND, gate, below_zero(w, across(w))),
                     below_zero(w, through(w)));
}

/* An X1 that is ON moves freely, so does what an X0 that is OFF joins. */
static void write_stop(law *w)
{
    const jn_ast_expr *meets = below_zero(w, call_of(w, "f", &w->ast->u.sw.name));
    const jn_ast_expr *parts = below_zero(w, call_of(w, "e", &w->ast->u.sw.name));
    if (w->ast->u.sw.nlaw)
        meets =
            expr_of(w, JN_AST_AND, meets, expr_of(w, JN_AST_LE, w->ast->u.sw.law_arg[0], zero(w)));
    if (w->flow_through)
        write_switch(w, true, parts, meets);
    else
        write_switch(w, false, meets, parts);
    w->to.item[w->to.n - 1]->u.sw.is_stop = true;
}

static void add_state(law *w, jn_ast *s, const char *name, bool on)
{
    jn_ast_state *state = &s->u.automaton.state[s->u.automaton.nstates++];
    *state = (jn_ast_state){.place = w->ast->place, .name = name, .on = on};
    state->initial = s->u.automaton.nstates == 1;
}

static void add_transition(law *w, jn_ast *s, const char *from, const char *to,
                           const jn_ast_expr *when)
{
    jn_place p = w->ast->place;
    s->u.automaton.transition[s->u.automaton.ntransitions++] = (jn_ast_transition){
        .place = p, .from_place = p, .to_place = p, .from = from, .to = to, .when = when};
}

/* What is let go moves a little later, one way or the other, or not at all where another friction holds it. What has moved
 * comes to rest at 0 as well as beyond it: that friction may keep it there. */
static void write_brake(law *w)
{
    enum { NSTATES = 4, NTRANSITIONS = 5 };
    bool x0 = !w->flow_through;
    const jn_ast_expr *limit = w->ast->u.sw.law_arg[0];
    const jn_ast_expr *effort = call_of(w, "e", &w->ast->u.sw.name);
    const jn_ast_expr *speed = call_of(w, "f", &w->ast->u.sw.name);
    const jn_ast_expr *above = expr_of(w, JN_AST_GT, effort, limit);
    const jn_ast_expr *below = expr_of(w, JN_AST_LT, effort, expr_of(w, JN_AST_NEG, limit, NULL));
    jn_ast *s = new_statement(w, JN_AST_AUTOMATON);
    s->u.automaton.name = w->ast->u.sw.name;
    s->u.automaton.state = room(w, NSTATES * sizeof *s->u.automaton.state);
    s->u.automaton.transition = room(w, NTRANSITIONS * sizeof *s->u.automaton.transition);
    add_state(w, s, "held", x0);
    add_state(w, s, "loose", !x0);
    add_state(w, s, "forward", !x0);
    add_state(w, s, "backward", !x0);
    add_transition(w, s, "held", "loose", expr_of(w, JN_AST_OR, above, below));
    add_transition(w, s, "loose", "forward", above_zero(w, speed));
    add_transition(w, s, "loose", "backward", below_zero(w, speed));
    add_transition(w, s, "forward", "held", expr_of(w, JN_AST_LE, speed, zero(w)));
    add_transition(w, s, "backward", "held", expr_of(w, JN_AST_GE, speed, zero(w)));
}

static const struct {
    const char *name;
    int least, most;
    const char *takes;
    bool may_reverse, positive;
    void (*write)(law *w);
} laws[] = {
    {"diode", 0, 1, "nothing, or the forward drop", false, true, write_diode},
    {"transistor", 1, 1, "its gate, a condition or a pwm", true, false, write_transistor},
    {"thyristor", 1, 1, "its gate, a condition or a pwm", false, false, write_thyristor},
    {"brake", 1, 1, "the limit that it holds", false, true, write_brake},
    {"stop", 0, 1, "nothing, or the gap that is left", false, false, write_stop},
};

enum { NLAWS = sizeof laws / sizeof *laws };

/* ---- all of them --------------------------------------------------------------------------- */

static int find_law(const char *name)
{
    for (int i = 0; i < NLAWS; i++)
        if (strcmp(laws[i].name, name) == 0)
            return i;
    return 0; /* the syntax knows no others */
}

static bool law_fits(builder *b, const jn_ast *ast, int i)
{
    int n = ast->u.sw.nlaw;
    if (n < laws[i].least || n > laws[i].most)
        REPORT(b, JN_D_FUNCTION_ARGUMENTS, ast->place, laws[i].name, laws[i].takes, n);
    else if (ast->u.sw.reverse && !laws[i].may_reverse)
        REPORT(b, JN_D_LAW_REVERSE, ast->place, laws[i].name);
    else if (laws[i].positive && n && ast->u.sw.law_arg[0]->op == JN_AST_NEG)
        REPORT(b, JN_D_NOT_POSITIVE, ast->u.sw.law_arg[0]->place,
               laws[i].write == write_brake ? "the limit" : "the drop");
    else
        return true;
    return false;
}

/* X0 or X1; false: it is neither, reported. */
static bool find_junction(law *w)
{
    const jn_ast_name *name = &w->ast->u.sw.name;
    const name_entry *e = jni_build_find(w->b, w->scope, name, NAME_ELEMENT, "controlled junction");
    if (!e)
        return false;
    jn_kind kind = w->b->list[JN_AST_ELEMENT].item[e->index].ast->u.element.kind;
    w->junction = e->index;
    w->flow_through = kind == JN_X1;
    if (kind == JN_X0 || kind == JN_X1)
        return true;
    REPORT(w->b, JN_D_SWITCH_KIND, name->place, e->text, jni_build_kind_text(w->b, e), e->text);
    return false;
}

static void record(law *w)
{
    builder *b = w->b;
    jn_str text;
    jn_str_init(&text);
    jn_str_add(&text, w->ast->u.sw.law);
    if (w->ast->comment)
        jn_str_addf(&text, ": %s", w->ast->comment);
    w->to.item[0]->comment = jn_arena_strndup(b->spelt_out, jn_str_c(&text), text.len);
    jn_str_clear(&text);
    for (int i = 0; i < b->nexpansions; i++)
        if (b->expansion[i].from == w->ast)
            return; /* another turn of a loop, another instance */
    JN_GROW(b->expansion, b->nexpansions, b->expansions_cap);
    b->expansion[b->nexpansions++] = (expansion){w->ast, w->to};
}

/* A second law for one junction is an error, which the switch statement alone brings about: what goes with a law would
 * need names of its own, without end where a loop writes it. */
static void spell_out(builder *b, statement st, bool *has_law)
{
    law w = {.b = b, .ast = st.ast, .scope = st.scope};
    int i = find_law(st.ast->u.sw.law);
    if (!law_fits(b, st.ast, i) || !find_junction(&w))
        return;
    if (has_law[w.junction])
        new_statement(&w, JN_AST_SWITCH)->u.sw.name = st.ast->u.sw.name;
    else
        laws[i].write(&w);
    has_law[w.junction] = true;
    for (int k = 0; k < w.to.n && !b->stopped; k++)
        jni_build_statement(b, w.to.item[k], st.scope);
    if (w.to.n && b->spelt_out != b->scratch)
        record(&w);
}

/* In the order of the file, as they stand when they are spelt out there. */
void jni_build_laws(builder *b)
{
    statement_list *l = &b->list[JN_AST_SWITCH];
    const statement_list written = *l;
    bool *has_law = jn_alloc((size_t)b->list[JN_AST_ELEMENT].n * sizeof *has_law);
    *l = (statement_list){0};
    for (int i = 0; i < written.n && !b->stopped; i++) {
        if (written.item[i].ast->u.sw.law)
            spell_out(b, written.item[i], has_law);
        else
            jni_build_statement(b, written.item[i].ast, written.item[i].scope);
    }
    free(has_law);
    free(written.item);
}
