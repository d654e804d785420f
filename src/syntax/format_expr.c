/* format_expr.c: expressions and names as text, with as few brackets as the grammar allows. */
#include <string.h>

#include "format_internal.h"
#include "junct/unit.h"

/* How tightly an operator binds; the order of the grammar in parse_expr.c. */
enum { P_OR, P_AND, P_NOT, P_COMPARE, P_SUM, P_PRODUCT, P_SIGN, P_POWER, P_PRIMARY };

/* An operator: what it binds like, what its operands must at least bind like, its sign. */
static const struct {
    int own, left, right;
    const char *sign;
} operators[] = {
    [JN_AST_NEG] = {P_SIGN, 0, P_SIGN, "-"},
    [JN_AST_ADD] = {P_SUM, P_SUM, P_PRODUCT, " + "},
    [JN_AST_SUB] = {P_SUM, P_SUM, P_PRODUCT, " - "},
    [JN_AST_MUL] = {P_PRODUCT, P_PRODUCT, P_SIGN, "*"},
    [JN_AST_DIV] = {P_PRODUCT, P_PRODUCT, P_SIGN, "/"},
    [JN_AST_POW] = {P_POWER, P_PRIMARY, P_SIGN, "^"},
    [JN_AST_LT] = {P_COMPARE, P_SUM, P_SUM, " < "},
    [JN_AST_LE] = {P_COMPARE, P_SUM, P_SUM, " <= "},
    [JN_AST_EQ] = {P_COMPARE, P_SUM, P_SUM, " = "},
    [JN_AST_GE] = {P_COMPARE, P_SUM, P_SUM, " >= "},
    [JN_AST_GT] = {P_COMPARE, P_SUM, P_SUM, " > "},
    [JN_AST_NOT] = {P_NOT, 0, P_NOT, "not "},
    [JN_AST_AND] = {P_AND, P_AND, P_NOT, " and "},
    [JN_AST_OR] = {P_OR, P_OR, P_AND, " or "},
};

static int precedence(const jn_ast_expr *e)
{
    return e->op < JN_AST_NEG ? P_PRIMARY : operators[e->op].own;
}

void jni_format_text(jn_str *out, const char *s)
{
    jn_str_addc(out, '"');
    for (; *s; s++) {
        if (*s == '"' || *s == '\\')
            jn_str_addc(out, '\\');
        jn_str_addc(out, *s);
    }
    jn_str_addc(out, '"');
}

void jni_format_name(jn_str *out, const jn_ast_name *name)
{
    for (int i = 0; i < name->nparts; i++) {
        if (i)
            jn_str_addc(out, '.');
        jn_str_add(out, name->part[i].text);
        if (name->part[i].index) {
            jn_str_addc(out, '[');
            jn_syntax_format_expr(out, name->part[i].index);
            jn_str_addc(out, ']');
        }
    }
}

void jni_format_arguments(jn_str *out, const jn_ast_expr *const *arg, int n)
{
    jn_str_addc(out, '(');
    for (int i = 0; i < n; i++) {
        if (i)
            jn_str_add(out, ", ");
        jn_syntax_format_expr(out, arg[i]);
    }
    jn_str_addc(out, ')');
}

/* In brackets when it binds less tightly than its place asks for. */
static void format_operand(jn_str *out, const jn_ast_expr *e, int wanted)
{
    bool brackets = precedence(e) < wanted;
    if (brackets)
        jn_str_addc(out, '(');
    jn_syntax_format_expr(out, e);
    if (brackets)
        jn_str_addc(out, ')');
}

/* Whether its text ends in a unit, which would go on with an operator right behind it: 24 V / s. */
static bool ends_in_unit(const jn_ast_expr *e)
{
    while (e->op >= JN_AST_NEG)
        e = e->arg[e->nargs - 1];
    if (e->op != JN_AST_NUMBER || !e->text[strspn(e->text, "0123456789.eE+-")])
        return false;
    jn_unit u;
    bool has_unit = false;
    fmpq_t value;
    fmpq_init(value);
    bool good = jn_quantity_parse(value, &u, &has_unit, e->text, strlen(e->text)) == JN_OK;
    fmpq_clear(value);
    return good && has_unit;
}

static void format_operator(jn_str *out, const jn_ast_expr *e)
{
    const char *sign = operators[e->op].sign;
    bool apart = e->nargs == 2 && sign[0] != ' ' && ends_in_unit(e->arg[0]);
    if (apart)
        jn_str_addc(out, ' ');
    jn_str_add(out, sign);
    if (apart)
        jn_str_addc(out, ' ');
}

void jni_format_sum(jn_str *out, const jn_ast_expr *e)
{
    format_operand(out, e, P_SUM);
}

void jn_syntax_format_expr(jn_str *out, const jn_ast_expr *e)
{
    switch (e->op) {
    case JN_AST_NUMBER:
        jn_str_add(out, e->text);
        break;
    case JN_AST_STRING:
        jni_format_text(out, e->text);
        break;
    case JN_AST_NAME:
        jni_format_name(out, &e->name);
        break;
    case JN_AST_CALL:
        jn_str_add(out, e->text);
        jni_format_arguments(out, e->arg, e->nargs);
        break;
    default:
        if (e->nargs == 2)
            format_operand(out, e->arg[0], operators[e->op].left);
        format_operator(out, e);
        format_operand(out, e->arg[e->nargs - 1], operators[e->op].right);
    }
}
