/* functions.c: the functions of the language, in one table: what each takes, what it makes. */
#include <stdlib.h>
#include <string.h>

#include "graph_internal.h"

typedef struct function function;
typedef const jn_expr *make_fn(builder *b, const context *c, const jn_ast_expr *e,
                               const function *f);

struct function {
    const char *name;
    int least, most; /* arguments; most < 0: any number */
    const char *takes;
    make_fn *make;
    jn_expr_op op;
};

/* ---- plain functions ----------------------------------------------------------------------- */

static const jn_expr *make_plain(builder *b, const context *c, const jn_ast_expr *e,
                                 const function *f)
{
    const jn_expr *arg = jni_build_value(b, c, e->arg[0]);
    return jni_build_node(b, f->op, e->place, 0, 1, &arg);
}

/* min(a, b, c) is min(min(a, b), c). */
static const jn_expr *make_fold(builder *b, const context *c, const jn_ast_expr *e,
                                const function *f)
{
    const jn_expr *left = jni_build_value(b, c, e->arg[0]);
    for (int i = 1; i < e->nargs; i++) {
        const jn_expr *pair[2] = {left, jni_build_value(b, c, e->arg[i])};
        left = jni_build_node(b, f->op, e->place, 0, 2, pair);
    }
    return left;
}

static const jn_expr *make_if(builder *b, const context *c, const jn_ast_expr *e, const function *f)
{
    const jn_expr *arg[3] = {jni_build_condition(b, c, e->arg[0]), jni_build_value(b, c, e->arg[1]),
                             jni_build_value(b, c, e->arg[2])};
    return jni_build_node(b, f->op, e->place, 0, 3, arg);
}

static const jn_expr *make_integral(builder *b, const context *c, const jn_ast_expr *e,
                                    const function *f)
{
    const jn_expr *arg[2] = {jni_build_value(b, c, e->arg[0])};
    arg[1] = e->nargs > 1 ? jni_build_constant(b, c->scope, e->arg[1], "the start of an integral")
                          : jni_build_number(b, e->place, JN_RATFUN_ZERO);
    return jni_build_node(b, f->op, e->place, b->g->nintegrals++, 2, arg);
}

/* ---- tables -------------------------------------------------------------------------------- */

/* The same column of the same file is one table. */
static int table_number(builder *b, jn_place place, const char *file, const char *column,
                        bool over_time)
{
    jn_arena *a = b->g->arena;
    /* The length of the file's name tells where the column's begins. */
    const char *key =
        jn_arena_printf(b->scratch, "table %d %zu %s %s", over_time, strlen(file), file, column);
    const name_entry *known = jni_names_find(&b->reported, key);
    if (known)
        return known->index;
    JN_GROW(b->table, b->g->ntables, b->tables_cap);
    b->table[b->g->ntables] =
        (jn_table){jn_arena_strndup(a, file, strlen(file)),
                   jn_arena_strndup(a, column, strlen(column)), over_time, place};
    jni_names_add(&b->reported, key, 0, b->g->ntables, place);
    return b->g->ntables++;
}

static const jn_expr *make_table(builder *b, const context *c, const jn_ast_expr *e,
                                 const function *f)
{
    for (int i = 0; i < 2; i++) {
        if (e->arg[i]->op != JN_AST_STRING) {
            REPORT(b, JN_D_TEXT_EXPECTED, e->arg[i]->place, i == 0 ? "the file" : "the column");
            return NULL;
        }
    }
    const jn_expr *at = e->nargs > 2 ? jni_build_value(b, c, e->arg[2])
                                     : jni_build_node(b, JN_X_TIME, e->place, 0, 0, NULL);
    int number = table_number(b, e->place, e->arg[0]->text, e->arg[1]->text, e->nargs < 3);
    return jni_build_node(b, f->op, e->place, number, 1, &at);
}

/* ---- variables of elements and bonds ------------------------------------------------------- */

/* The element or bond named by the argument of e, f, p, q; NULL when there is none. */
static const name_entry *subject(builder *b, const context *c, const jn_ast_expr *e, unsigned kinds,
                                 const char *wanted)
{
    const jn_ast_expr *arg = e->arg[0];
    if (arg->op == JN_AST_NAME)
        return jni_build_find(b, c->scope, &arg->name, kinds, wanted);
    REPORT(b, JN_D_NAME_EXPECTED, arg->place, e->text, wanted[0] == 'e' ? "an" : "a", wanted);
    return NULL;
}

/* −1, and a report, for one that is left out because nothing is bonded to it. */
static int connected(builder *b, const jn_ast_expr *e, const name_entry *found)
{
    int i = b->element_of[found->index];
    if (i < 0)
        REPORT(b, JN_D_VARIABLE_UNCONNECTED, e->place, e->text, found->text);
    return i;
}

/* The variables of its bond; but the flow counts into I, C and R, whatever the bond's arrow. */
static const jn_expr *variable_of_port(builder *b, jn_expr_op op, jn_place place, int i)
{
    const jn_element *x = &b->g->element[i];
    const jn_expr *v = jni_build_node(b, op, place, x->bond[0], 0, NULL);
    bool away = b->g->bond[x->bond[0]].tail == i && !jn_kind_is_source(x->kind);
    return away && op == JN_X_FLOW ? jni_build_node(b, JN_X_NEG, place, 0, 1, &v) : v;
}

/* Junctions have a common variable; an X1 also has the effort across it, an X0 the flow. */
static const jn_expr *make_variable(builder *b, const context *c, const jn_ast_expr *e,
                                    const function *f)
{
    const name_entry *found = subject(b, c, e, NAME_ELEMENT | NAME_BOND, "element or bond");
    if (!found)
        return NULL;
    if (found->kind == NAME_BOND)
        return jni_build_node(b, f->op, e->place, found->index, 0, NULL);
    int i = connected(b, e, found);
    if (i < 0)
        return NULL;
    const jn_element *x = &b->g->element[i];
    if (x->kind == JN_BOOLEAN)
        REPORT(b, JN_D_VARIABLE_BOOLEAN, e->place, found->text, e->text, found->text, found->text);
    if (x->nbonds == 0) /* because of an error */
        return NULL;
    if (jn_kind_is_port(x->kind))
        return variable_of_port(b, f->op, e->place, i);
    bool effort = f->op == JN_X_EFFORT;
    if (jn_kind_is_switch(x->kind) || x->kind == (effort ? JN_0 : JN_1))
        return jni_build_node(b, effort ? JN_X_COMMON_EFFORT : JN_X_COMMON_FLOW, e->place, i, 0,
                              NULL);
    REPORT(b, JN_D_VARIABLE_AMBIGUOUS, e->place, x->name, jni_build_kind_text(b, found),
           effort ? "effort" : "flow", e->text);
    return NULL;
}

static const jn_expr *make_state(builder *b, const context *c, const jn_ast_expr *e,
                                 const function *f)
{
    const name_entry *found = subject(b, c, e, NAME_ELEMENT, "element");
    int i = found ? connected(b, e, found) : -1;
    if (i < 0)
        return NULL;
    jn_kind kind = f->op == JN_X_MOMENTUM ? JN_I : JN_C;
    if (b->g->element[i].kind == kind)
        return jni_build_node(b, f->op, e->place, i, 0, NULL);
    REPORT(b, JN_D_VARIABLE_KIND, e->place, found->text, jni_build_kind_text(b, found), e->text,
           jn_kind_name(kind));
    return NULL;
}

/* The controlled junction named by the first argument; −1: none, reported. */
static int controlled(builder *b, const context *c, const jn_ast_expr *e)
{
    const name_entry *found = subject(b, c, e, NAME_ELEMENT, "controlled junction");
    int i = found ? connected(b, e, found) : -1;
    if (i < 0)
        return i;
    if (jn_kind_is_switch(b->g->element[i].kind)) {
        b->switch_read[b->g->element[i].number] = true;
        return i;
    }
    REPORT(b, JN_D_SWITCH_KIND, e->place, found->text, jni_build_kind_text(b, found), found->text);
    return -1;
}

/* on(s): whether a controlled junction is ON; how one switch follows another. */
static const jn_expr *make_on(builder *b, const context *c, const jn_ast_expr *e, const function *f)
{
    int i = controlled(b, c, e);
    return i < 0 ? NULL : jni_build_node(b, f->op, e->place, i, 0, NULL);
}

/* in(s, closed): whether its automaton is in that state. */
static const jn_expr *make_in(builder *b, const context *c, const jn_ast_expr *e, const function *f)
{
    const jn_ast_expr *state = e->arg[1];
    if (state->op != JN_AST_NAME || state->name.nparts > 1 || state->name.part[0].index) {
        REPORT(b, JN_D_STATE_EXPECTED, state->place);
        return NULL;
    }
    int i = controlled(b, c, e);
    if (i < 0)
        return NULL;
    int sw = b->g->element[i].number;
    int number =
        jni_build_state(b, &b->g->automaton[sw], state->name.part[0].text, state->name.place);
    if (number < 0)
        return NULL;
    jn_expr *in = (jn_expr *)jni_build_node(b, f->op, e->place, sw, 0, NULL);
    in->state = number;
    return in;
}

/* ---- ways to read a value at an event ------------------------------------------------------ */

static bool contains_reading(const jn_expr *e)
{
    if (e->op == JN_X_PRIOR || e->op == JN_X_WITHIN || e->op == JN_X_IMPULSE)
        return true;
    for (int i = 0; i < e->nargs; i++)
        if (contains_reading(e->arg[i]))
            return true;
    return false;
}

static bool is_power_variable(const jn_expr *e)
{
    return e->op == JN_X_EFFORT || e->op == JN_X_FLOW || e->op == JN_X_COMMON_EFFORT ||
           e->op == JN_X_COMMON_FLOW;
}

static const jn_expr *impulse_of(builder *b, jn_place place, const jn_expr *arg)
{
    bool negated = arg->op == JN_X_NEG && is_power_variable(arg->arg[0]);
    const jn_expr *variable = negated ? arg->arg[0] : arg;
    if (!is_power_variable(variable)) {
        REPORT(b, JN_D_IMPULSE_OF, place);
        return NULL;
    }
    const jn_expr *impulse = jni_build_node(b, JN_X_IMPULSE, place, 0, 1, &variable);
    return negated ? jni_build_node(b, JN_X_NEG, place, 0, 1, &impulse) : impulse;
}

static const jn_expr *make_reading(builder *b, const context *c, const jn_ast_expr *e,
                                   const function *f)
{
    if (f->op != JN_X_PRIOR && !c->in_when) {
        REPORT(b, JN_D_READING_OUTSIDE, e->place, e->text);
        return NULL;
    }
    const jn_expr *arg = jni_build_value(b, c, e->arg[0]);
    if (!arg)
        return NULL;
    bool of_impulse =
        f->op == JN_X_PRIOR && arg->op == JN_X_IMPULSE; /* of the last jump that counts */
    if (contains_reading(arg) && !of_impulse) {
        REPORT(b, JN_D_READING_NESTED, e->place);
        return NULL;
    }
    if (f->op == JN_X_IMPULSE)
        return impulse_of(b, e->place, arg);
    return jni_build_node(b, f->op, e->place, 0, 1, &arg);
}

/* ---- the table ----------------------------------------------------------------------------- */

static const function functions[] = {
    {"sin", 1, 1, "one value", make_plain, JN_X_SIN},
    {"cos", 1, 1, "one value", make_plain, JN_X_COS},
    {"tan", 1, 1, "one value", make_plain, JN_X_TAN},
    {"exp", 1, 1, "one value", make_plain, JN_X_EXP},
    {"log", 1, 1, "one value", make_plain, JN_X_LOG},
    {"sqrt", 1, 1, "one value", make_plain, JN_X_SQRT},
    {"abs", 1, 1, "one value", make_plain, JN_X_ABS},
    {"sign", 1, 1, "one value", make_plain, JN_X_SIGN},
    {"atan", 1, 1, "one value", make_plain, JN_X_ATAN},
    {"tanh", 1, 1, "one value", make_plain, JN_X_TANH},
    {"floor", 1, 1, "one value", make_plain, JN_X_FLOOR},
    {"atan2", 2, 2, "two values", make_fold, JN_X_ATAN2},
    {"mod", 2, 2, "two values", make_fold, JN_X_MOD},
    {"min", 2, -1, "two or more values", make_fold, JN_X_MIN},
    {"max", 2, -1, "two or more values", make_fold, JN_X_MAX},
    {"if", 3, 3, "a condition and two values", make_if, JN_X_IF},
    {"int", 1, 2, "a value and perhaps its start", make_integral, JN_X_INT},
    {"table", 2, 3, "a file, a column and perhaps where to read", make_table, JN_X_TABLE},
    {"e", 1, 1, "one element or bond", make_variable, JN_X_EFFORT},
    {"f", 1, 1, "one element or bond", make_variable, JN_X_FLOW},
    {"p", 1, 1, "one element I", make_state, JN_X_MOMENTUM},
    {"q", 1, 1, "one element C", make_state, JN_X_DISPLACEMENT},
    {"on", 1, 1, "one X0 or X1", make_on, JN_X_ON},
    {"in", 2, 2, "one X0 or X1 and one of its states", make_in, JN_X_IN},
    {"prior", 1, 1, "one value", make_reading, JN_X_PRIOR},
    {"within", 1, 1, "one value", make_reading, JN_X_WITHIN},
    {"impulse", 1, 1, "one effort or flow", make_reading, JN_X_IMPULSE},
};

enum { NFUNCTIONS = sizeof functions / sizeof functions[0] };

/* What other languages have; NULL: none of these. */
static const char *usual_name(const char *name)
{
    static const struct {
        const char *name, *advice;
    } usual[] = {{"ln", "the natural logarithm is log(x)"},
                 {"log10", "write log(x)/log(10)"},
                 {"pow", "a power is written x^y"},
                 {"sqr", "a square is written x^2"},
                 {"step", "write if(t > 1, 1, 0)"},
                 {"heaviside", "write if(x > 0, 1, 0)"},
                 {"integral", "did you mean 'int'? int(x, x0) is the integral over time"},
                 {"avg", "a mean over a run is a measure, mean(x), of 'junct sweep'"},
                 {"average", "a mean over a run is a measure, mean(x), of 'junct sweep'"}};
    for (size_t i = 0; i < sizeof usual / sizeof usual[0]; i++)
        if (strcmp(name, usual[i].name) == 0)
            return usual[i].advice;
    return NULL;
}

static void report_unknown(builder *b, const jn_ast_expr *e)
{
    const char *names[NFUNCTIONS], *usual = usual_name(e->text);
    for (int i = 0; i < NFUNCTIONS; i++)
        names[i] = functions[i].name;
    const char *closest = jn_closest(e->text, names, NFUNCTIONS), *advice = "";
    if (usual)
        advice = usual;
    else if (closest)
        advice = jn_arena_printf(b->scratch, "did you mean '%s'?", closest);
    else if (strlen(e->text) == 1)
        advice = "f(x) is the flow of x (current, velocity), e(x) its effort (voltage, force)";
    REPORT(b, JN_D_FUNCTION_UNKNOWN, e->place, e->text, advice);
}

const jn_expr *jni_build_call(builder *b, const context *c, const jn_ast_expr *e)
{
    const function *f = NULL;
    for (int i = 0; i < NFUNCTIONS && !f; i++)
        if (strcmp(functions[i].name, e->text) == 0)
            f = &functions[i];
    if (!f) {
        report_unknown(b, e);
        return NULL;
    }
    if (e->nargs < f->least || (f->most >= 0 && e->nargs > f->most)) {
        REPORT(b, JN_D_FUNCTION_ARGUMENTS, e->place, f->name, f->takes, e->nargs);
        return NULL;
    }
    return f->make(b, c, e, f);
}

const char *jni_function_name(jn_expr_op op)
{
    for (int i = 0; i < NFUNCTIONS; i++)
        if (functions[i].op == op)
            return functions[i].name;
    return NULL;
}
