/* print.c: a resolved expression as one would write it in a model file. */
#include <string.h>

#include "graph_internal.h"

/* How tightly an operator binds; an argument that binds less is put in brackets. */
enum {
    LEVEL_OR,
    LEVEL_AND,
    LEVEL_NOT,
    LEVEL_COMPARE,
    LEVEL_SUM,
    LEVEL_PRODUCT,
    LEVEL_SIGN,
    LEVEL_POWER,
    LEVEL_ATOM
};

static const struct {
    const char *text;
    int level;
} operators[] = {
    [JN_X_ADD] = {" + ", LEVEL_SUM},     [JN_X_SUB] = {" - ", LEVEL_SUM},
    [JN_X_MUL] = {"*", LEVEL_PRODUCT},   [JN_X_DIV] = {"/", LEVEL_PRODUCT},
    [JN_X_POW] = {"^", LEVEL_POWER},     [JN_X_LT] = {" < ", LEVEL_COMPARE},
    [JN_X_LE] = {" <= ", LEVEL_COMPARE}, [JN_X_EQ] = {" = ", LEVEL_COMPARE},
    [JN_X_GE] = {" >= ", LEVEL_COMPARE}, [JN_X_GT] = {" > ", LEVEL_COMPARE},
    [JN_X_AND] = {" and ", LEVEL_AND},   [JN_X_OR] = {" or ", LEVEL_OR},
};

enum { NOPERATORS = sizeof operators / sizeof operators[0] };

static bool is_operator(jn_expr_op op)
{
    return (int)op < NOPERATORS && operators[op].text;
}

static void print(jn_str *out, const jn_graph *g, const jn_expr *e, int level);

/* A bond's variable goes by the name of the 1-port at its end, unless the bond was named; not
 * the flow of an I, C, R that it leaves, which is counted the other way. */
static const char *variable_owner(const jn_graph *g, const jn_expr *e)
{
    const jn_bond *b = &g->bond[e->index];
    const jn_element *head = &g->element[b->head], *tail = &g->element[b->tail];
    if (b->named)
        return b->name;
    if (jn_kind_is_port(head->kind))
        return head->name;
    bool same = e->op == JN_X_EFFORT || jn_kind_is_source(tail->kind);
    return jn_kind_is_port(tail->kind) && same ? tail->name : b->name;
}

/* The I, C or R whose flow this is: −f of the bond that leaves it; else NULL. */
static const jn_element *counted_in(const jn_graph *g, const jn_expr *e)
{
    if (e->op != JN_X_NEG || e->arg[0]->op != JN_X_FLOW)
        return NULL;
    const jn_element *tail = &g->element[g->bond[e->arg[0]->index].tail];
    return jn_kind_is_port(tail->kind) && !jn_kind_is_source(tail->kind) ? tail : NULL;
}

/* -3 is a sign and 3, 1/2 a quotient. */
static int level_of_number(const jn_graph *g, jn_ratfun number)
{
    fmpq_t c;
    fmpq_init(c);
    int level = LEVEL_ATOM;
    if (jn_ratfun_get_fmpq(c, g->field, number)) {
        if (!fmpz_is_one(fmpq_denref(c)))
            level = LEVEL_PRODUCT;
        else if (fmpq_sgn(c) < 0)
            level = LEVEL_SIGN;
    }
    fmpq_clear(c);
    return level;
}

/* -7/10 is that of 7/10: a quotient, whatever the sign belongs to. */
static bool is_negated_number(const jn_expr *e)
{
    return e->op == JN_X_NEG && e->arg[0]->op == JN_X_NUMBER && !e->arg[0]->text;
}

static int level_of(const jn_graph *g, const jn_expr *e)
{
    if (e->text)
        return LEVEL_ATOM;
    if (is_negated_number(e) && level_of_number(g, e->arg[0]->number) == LEVEL_PRODUCT)
        return LEVEL_PRODUCT;

    if (e->op == JN_X_NUMBER)
        return level_of_number(g, e->number);
    if (e->op == JN_X_NEG)
        return counted_in(g, e) ? LEVEL_ATOM : LEVEL_SIGN;
    if (e->op == JN_X_NOT)
        return LEVEL_NOT;
    return is_operator(e->op) ? operators[e->op].level : LEVEL_ATOM;
}

static void print_text(jn_str *out, const char *text)
{
    jn_str_addc(out, '"');
    jn_str_add_shown(out, text, strlen(text));
    jn_str_addc(out, '"');
}

static void print_call(jn_str *out, const jn_graph *g, const jn_expr *e)
{
    jn_str_addf(out, "%s(", jni_function_name(e->op));
    if (e->op == JN_X_TABLE) {
        print_text(out, g->table[e->index].file);
        jn_str_add(out, ", ");
        print_text(out, g->table[e->index].column);
    }
    bool plain_table = e->op == JN_X_TABLE && e->arg[0]->op == JN_X_TIME;
    for (int i = 0; i < e->nargs && !plain_table; i++) {
        if (i > 0 || e->op == JN_X_TABLE)
            jn_str_add(out, ", ");
        print(out, g, e->arg[i], LEVEL_OR);
    }
    jn_str_addc(out, ')');
}

/* A unit would go on with an operator right behind it: 24 V / s. */
static bool ends_in_unit(const jn_expr *e)
{
    while (!e->text && (is_operator(e->op) || e->op == JN_X_NEG || e->op == JN_X_NOT))
        e = e->arg[e->nargs - 1];
    return e->unit;
}

static void print_operator(jn_str *out, const jn_expr *e)
{
    const char *sign = operators[e->op].text;
    bool apart = sign[0] != ' ' && ends_in_unit(e->arg[0]);
    jn_str_addf(out, "%s%s%s", apart ? " " : "", sign, apart ? " " : "");
}

static const char *name_of(const jn_graph *g, const jn_expr *e)
{
    return e->op == JN_X_PARAM    ? g->param[e->index].name
           : e->op == JN_X_SIGNAL ? g->signal[e->index].name
                                  : g->discrete[e->index].name;
}

/* What has no operands; false: it has. */
static bool print_leaf(jn_str *out, const jn_graph *g, const jn_expr *e)
{
    switch (e->op) {
    case JN_X_NUMBER:
        jn_ratfun_print(out, g->field, e->number, g->param_name, JN_RATFUN_TEXT);
        return true;
    case JN_X_PARAM:
    case JN_X_SIGNAL:
    case JN_X_DISCRETE:
        jn_str_add(out, name_of(g, e));
        return true;
    case JN_X_TIME:
    case JN_X_PI:
        jn_str_add(out, e->op == JN_X_TIME ? "t" : "pi");
        return true;
    case JN_X_EFFORT:
    case JN_X_FLOW:
        jn_str_addf(out, "%c(%s)", e->op == JN_X_EFFORT ? 'e' : 'f', variable_owner(g, e));
        return true;
    case JN_X_COMMON_EFFORT:
    case JN_X_COMMON_FLOW:
        jn_str_addf(out, "%c(%s)", e->op == JN_X_COMMON_EFFORT ? 'e' : 'f',
                    g->element[e->index].name);
        return true;
    case JN_X_MOMENTUM:
    case JN_X_DISPLACEMENT:
        jn_str_addf(out, "%c(%s)", e->op == JN_X_MOMENTUM ? 'p' : 'q', g->element[e->index].name);
        return true;
    case JN_X_ON:
        jn_str_addf(out, "on(%s)", g->element[e->index].name);
        return true;
    case JN_X_IN:
        jn_str_addf(out, "in(%s, %s)", g->switch_name[e->index],
                    g->automaton[e->index].state[e->state].name);
        return true;
    default:
        return false;
    }
}

static void print_bare(jn_str *out, const jn_graph *g, const jn_expr *e)
{
    int level = level_of(g, e);
    if (e->text) {
        jn_str_add(out, e->text);
    } else if (print_leaf(out, g, e)) {
        return;
    } else if (e->op == JN_X_NEG && counted_in(g, e)) {
        jn_str_addf(out, "f(%s)", counted_in(g, e)->name);
    } else if (e->op == JN_X_NEG || e->op == JN_X_NOT) {
        jn_str_add(out, e->op == JN_X_NEG ? "-" : "not ");
        print(out, g, e->arg[0], level);
    } else if (level == LEVEL_ATOM) {
        print_call(out, g, e);
    } else { /* To the left, but powers to the right: a - b - c, a^b^c. */
        print(out, g, e->arg[0], level + (e->op == JN_X_POW || level == LEVEL_COMPARE));
        print_operator(out, e);
        print(out, g, e->arg[1], level + (e->op != JN_X_POW));
    }
}

static void print(jn_str *out, const jn_graph *g, const jn_expr *e, int level)
{
    bool brackets = level_of(g, e) < level;
    if (brackets)
        jn_str_addc(out, '(');
    print_bare(out, g, e);
    if (brackets)
        jn_str_addc(out, ')');
}

void jn_expr_print(jn_str *out, const jn_graph *g, const jn_expr *e)
{
    print(out, g, e, LEVEL_OR);
}

/* ---- matrices of fields -------------------------------------------------------------------- */

/* The unit of plain numbers, where all entries are such numbers and have the same. */
static const char *common_unit(const jn_graph *g, const jn_multiport *f)
{
    const char *unit = jn_graph_value_unit(g, f->element[0]);
    for (int i = 0; i < f->nports * f->nports && unit; i++) {
        const char *of_port = jn_graph_value_unit(g, f->element[i % f->nports]);
        if (!f->given[i] || !jn_expr_is_plain(f->given[i]) || !of_port ||
            strcmp(unit, of_port) != 0)
            return NULL;
    }
    return unit;
}

void jn_graph_print_matrix(jn_str *out, const jn_graph *g, const jn_multiport *f)
{
    if (!f->given[0])
        return;
    for (int i = 0; i < f->nports * f->nports; i++) {
        jn_str_add(out, !i ? "[" : i % f->nports ? ", " : "; ");
        jn_expr_print(out, g, f->given[i]);
    }
    jn_str_addc(out, ']');
    const char *unit = common_unit(g, f);
    if (unit)
        jn_str_addf(out, " %s", unit);
}
