/* resolve.c: expressions of the tree become expressions of the graph: names are numbers of
 * things, arguments of submodels are put in, and values and conditions are told apart. */
#include <string.h>

#include "graph_internal.h"

/* ---- nodes --------------------------------------------------------------------------------- */

const jn_expr *jni_build_node(builder *b, jn_expr_op op, jn_place place, int index, int nargs,
                              const jn_expr *const *arg)
{
    int size = 1, depth = 0;
    for (int i = 0; i < nargs; i++) {
        if (!arg[i])
            return NULL;
        size += arg[i]->size; /* cannot overflow: every size is below the limit, nargs below 4 */
        depth = arg[i]->depth > depth ? arg[i]->depth : depth;
    }
    if (size > JN_EXPR_MAX_SIZE || depth >= JN_EXPR_MAX_DEPTH) {
        REPORT(b, JN_D_EXPRESSION_LARGE, place, JN_EXPR_MAX_SIZE, JN_EXPR_MAX_DEPTH);
        return NULL;
    }
    jn_expr *e = jn_arena_alloc(b->g->arena, sizeof *e);
    *e = (jn_expr){.op = op,
                   .place = place,
                   .index = index,
                   .number = JN_RATFUN_ZERO,
                   .nargs = nargs,
                   .size = size,
                   .depth = depth + 1};
    if (nargs)
        e->arg = jn_arena_dup(b->g->arena, arg, (size_t)nargs * sizeof *arg);
    return e;
}

const jn_expr *jni_build_number(builder *b, jn_place place, jn_ratfun value)
{
    jn_expr *e = jn_arena_alloc(b->g->arena, sizeof *e);
    *e = (jn_expr){.op = JN_X_NUMBER, .place = place, .number = value, .size = 1, .depth = 1};
    return e;
}

/* ---- numbers and names --------------------------------------------------------------------- */

static bool is_declared(builder *b, const context *c, const jn_ast_name *word)
{
    return jni_names_find(&b->names, jni_build_full_name(b, c->scope, word)) ||
           jni_names_find(&b->names, word->part[0].text);
}

static bool is_value(builder *b, const context *c, const jn_ast_name *word)
{
    long ignored;
    const name_entry *here = jni_names_find(&b->names, jni_build_full_name(b, c->scope, word));
    const name_entry *e = here ? here : jni_names_find(&b->names, word->part[0].text);
    return jni_build_loop_value(&ignored, c->scope, word) || jni_build_binding(c->scope, word) ||
           (e && (e->kind & NAME_VALUE));
}

/* "rad/s" of "3 rad/s" could also be the unit and a parameter s. */
static void check_unit_words(builder *b, const context *c, const jn_ast_expr *e)
{
    for (const char *at = strpbrk(e->text, "*/"); at; at = strpbrk(at + 1, "*/")) {
        size_t n = strcspn(at + 1, "*/^");
        struct jn_ast_name_part part = {jn_arena_strndup(b->scratch, at + 1, n), NULL};
        jn_ast_name word = {e->place, 1, &part};
        if (is_value(b, c, &word))
            REPORT(b, JN_D_UNIT_AMBIGUOUS, e->place, part.text, *at, part.text);
    }
}

/* The number times the power of pi in its unit, which none has but 1 or −1. */
static const jn_expr *times_pi(builder *b, jn_place place, const jn_expr *number, int power)
{
    const jn_expr *x = number, *pi = jni_build_node(b, JN_X_PI, place, 0, 0, NULL);
    for (int i = 0; i < (power < 0 ? -power : power); i++) {
        const jn_expr *pair[2] = {x, pi};
        x = jni_build_node(b, power > 0 ? JN_X_MUL : JN_X_DIV, place, 0, 2, pair);
    }
    return x;
}

/* The syntax has checked that it is a number of a size that can be read. */
static const jn_expr *literal(builder *b, const context *c, const jn_ast_expr *e)
{
    jn_unit u;
    bool has_unit;
    fmpq_t value;
    fmpq_init(value);
    jn_expr *result = NULL;
    if (jn_quantity_parse(value, &u, &has_unit, e->text, strlen(e->text)) == JN_OK) {
        const jn_expr *number = jni_build_number(b, e->place, jn_ratfun_fmpq(b->g->field, value));
        result = (jn_expr *)times_pi(b, e->place, number, u.pi);
        result->text = jn_arena_strndup(b->g->arena, e->text, strlen(e->text));
        result->unit = has_unit ? jn_arena_dup(b->g->arena, &u, sizeof u) : NULL;
        if (has_unit)
            check_unit_words(b, c, e);
    } else {
        REPORT(b, JN_D_EXPRESSION_LARGE, e->place, JN_EXPR_MAX_SIZE, JN_EXPR_MAX_DEPTH);
    }
    fmpq_clear(value);
    return result;
}

static const jn_expr *argument(builder *b, binding *arg)
{
    if (!arg->resolved) {
        context c = {.scope = arg->caller, .law = -1};
        arg->resolved = true;
        arg->expr = jni_build_expr(b, &c, arg->arg);
    }
    return arg->expr;
}

void jni_build_arguments(builder *b)
{
    for (int i = 0; i < b->ninstances; i++) {
        const scope *s = b->instance[i].scope;
        for (int j = 0; s && j < s->nbindings; j++)
            argument(b, &s->binding[j]);
    }
}

/* The variable of the element whose law this is. */
static const jn_expr *variable_in_law(builder *b, const context *c, jn_place place, char letter)
{
    const jn_element *own = &b->g->element[c->law];
    if (own->nbonds == 0) /* because of an error */
        return NULL;
    jn_expr_op op = letter == 'e'   ? JN_X_EFFORT
                    : letter == 'f' ? JN_X_FLOW
                    : letter == 'p' ? JN_X_MOMENTUM
                                    : JN_X_DISPLACEMENT;
    bool of_bond = op == JN_X_EFFORT || op == JN_X_FLOW;
    return jni_build_node(b, op, place, of_bond ? own->bond[0] : c->law, 0, NULL);
}

/* In a law, the element's own variables go by their letters; what is declared by such a letter
 * comes before the rate, which a law need not read. */
static bool own_variable(builder *b, const jn_expr **out, const context *c, const jn_ast_expr *e)
{
    const char *word = e->name.part[0].text;
    if (c->law < 0 || word[0] == 0 || word[1] != 0)
        return false;
    bool may_be_own = strchr("efpq", word[0]) && !is_declared(b, c, &e->name);
    if (word[0] == c->law_in || (word[0] == c->law_rate && may_be_own)) {
        *out = variable_in_law(b, c, e->place, word[0]);
        return true;
    }
    bool wrong = word[0] == c->law_of || may_be_own;
    if (wrong)
        REPORT(b, JN_D_LAW_USES, e->place, c->law_of, c->law_in, word);
    return wrong;
}

/* Words that mean something without being declared. */
static bool local_name(builder *b, const jn_expr **out, const context *c, const jn_ast_expr *e)
{
    long value;
    if (jni_build_loop_value(&value, c->scope, &e->name)) {
        *out = jni_build_number(b, e->place, jn_ratfun_int(b->g->field, value));
        return true;
    }
    binding *arg = jni_build_binding(c->scope, &e->name);
    if (arg) {
        *out = argument(b, arg);
        return true;
    }
    if (e->name.nparts > 1 || e->name.part[0].index)
        return false;
    if (own_variable(b, out, c, e))
        return true;
    const char *word = e->name.part[0].text;
    bool is_time = strcmp(word, "t") == 0;
    if (is_time || strcmp(word, "pi") == 0)
        *out = jni_build_node(b, is_time ? JN_X_TIME : JN_X_PI, e->place, 0, 0, NULL);
    return is_time || strcmp(word, "pi") == 0;
}

static const jn_expr *name(builder *b, const context *c, const jn_ast_expr *e)
{
    const jn_expr *local = NULL;
    if (local_name(b, &local, c, e))
        return local;
    const name_entry *found =
        jni_build_find(b, c->scope, &e->name, NAME_VALUE, "parameter or signal");
    if (!found)
        return NULL;
    if (found->kind != NAME_PARAM)
        return jni_build_node(b, found->kind == NAME_SIGNAL ? JN_X_SIGNAL : JN_X_DISCRETE, e->place,
                              found->index, 0, NULL);
    b->g->param[found->index].used = true;
    return jni_build_node(b, JN_X_PARAM, e->place, found->index, 0, NULL);
}

/* ---- operators ----------------------------------------------------------------------------- */

static const jn_expr *operation(builder *b, const context *c, const jn_ast_expr *e)
{
    static const struct {
        jn_expr_op op;
        bool of_conditions;
    } meaning[] = {
        [JN_AST_NEG] = {JN_X_NEG, false}, [JN_AST_ADD] = {JN_X_ADD, false},
        [JN_AST_SUB] = {JN_X_SUB, false}, [JN_AST_MUL] = {JN_X_MUL, false},
        [JN_AST_DIV] = {JN_X_DIV, false}, [JN_AST_POW] = {JN_X_POW, false},
        [JN_AST_LT] = {JN_X_LT, false},   [JN_AST_LE] = {JN_X_LE, false},
        [JN_AST_EQ] = {JN_X_EQ, false},   [JN_AST_GE] = {JN_X_GE, false},
        [JN_AST_GT] = {JN_X_GT, false},   [JN_AST_NOT] = {JN_X_NOT, true},
        [JN_AST_AND] = {JN_X_AND, true},  [JN_AST_OR] = {JN_X_OR, true},
    };
    const jn_expr *arg[2] = {NULL, NULL};
    int n = e->nargs < 2 ? e->nargs : 2;
    for (int i = 0; i < n; i++)
        arg[i] = meaning[e->op].of_conditions ? jni_build_condition(b, c, e->arg[i])
                                              : jni_build_value(b, c, e->arg[i]);
    bool by_zero = e->op == JN_AST_DIV && arg[1] && arg[1]->op == JN_X_NUMBER &&
                   jn_ratfun_is_zero(arg[1]->number) && !jn_field_failed(b->g->field);
    if (by_zero) {
        REPORT(b, JN_D_DIVISION_BY_ZERO, e->place);
        return NULL;
    }
    return jni_build_node(b, meaning[e->op].op, e->place, 0, n, arg);
}

const jn_expr *jni_build_expr(builder *b, const context *c, const jn_ast_expr *e)
{
    switch (e->op) {
    case JN_AST_NUMBER:
        return literal(b, c, e);
    case JN_AST_STRING:
        REPORT(b, JN_D_TEXT_MISPLACED, e->place);
        return NULL;
    case JN_AST_NAME:
        return name(b, c, e);
    case JN_AST_CALL:
        return jni_build_call(b, c, e);
    default:
        return operation(b, c, e);
    }
}

/* ---- values and conditions ----------------------------------------------------------------- */

/* Reported at the place of use: an argument of a submodel stands elsewhere. */
const jn_expr *jni_build_value(builder *b, const context *c, const jn_ast_expr *e)
{
    const jn_expr *x = jni_build_expr(b, c, e);
    if (!x || !jn_expr_is_condition(x))
        return x;
    REPORT(b, JN_D_VALUE_EXPECTED, e->place);
    return NULL;
}

const jn_expr *jni_build_condition(builder *b, const context *c, const jn_ast_expr *e)
{
    const jn_expr *x = jni_build_expr(b, c, e);
    if (!x || jn_expr_is_condition(x))
        return x;
    REPORT(b, JN_D_CONDITION_EXPECTED, e->place);
    return NULL;
}

const jn_expr *jni_build_constant(builder *b, const scope *s, const jn_ast_expr *e,
                                  const char *what)
{
    context c = {.scope = s, .law = -1};
    const jn_expr *x = jni_build_value(b, &c, e);
    if (!x || !jn_expr_varies(x))
        return x;
    REPORT(b, JN_D_CONSTANT_EXPECTED, e->place, what);
    return NULL;
}

bool jni_build_known(fmpq_t out, builder *b, const jn_expr *e)
{
    jn_graph *g = b->g;
    jn_ratfun r;
    return jn_expr_ratfun(&r, g->field, e) == JN_OK &&
           jn_ratfun_put(&r, g->field, r, g->param_value, g->nparams) == JN_OK &&
           jn_ratfun_get_fmpq(out, g->field, r);
}
