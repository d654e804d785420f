/* elements.c: values, laws and options of the elements.
 *
 * What stands for an element in the matrices: its own symbol when it has a plain number, nothing,
 * a law or a value that changes; else the expression of the parameters that it was given. */
#include <string.h>

#include "graph_internal.h"

/* ---- values -------------------------------------------------------------------------------- */

jn_ratfun jni_build_symbol(jn_graph *g, int element, const char *name, const jn_expr *given,
                           int value_id)
{
    int i = g->nparams++;
    g->param[i] = (jn_param){.name = name,
                             .place = g->element[element].place,
                             .element = element,
                             .given = given,
                             .value = {value_id},
                             .used = true};
    g->param_value[i] = g->param[i].value;
    return jn_ratfun_param(g->field, i);
}

static jn_ratfun own_symbol(jn_graph *g, int element, const jn_expr *given, int value_id)
{
    return jni_build_symbol(g, element, g->element[element].name, given, value_id);
}

/* The law divides by I and C; a TF, GY or R of 0 is no element at all. */
jn_code jni_value_objection(jn_kind kind, int sign)
{
    bool storage = jn_kind_is_storage(kind);
    if (sign == 0)
        return kind == JN_R ? JN_D_VALUE_ZERO_R : storage ? JN_D_VALUE_SIGN : JN_D_VALUE_ZERO;
    if (sign < 0 && storage)
        return JN_D_VALUE_SIGN;
    return sign < 0 && kind == JN_R ? JN_D_VALUE_NEGATIVE : JN_D_COUNT;
}

static void check_value(builder *b, int element, jn_place place)
{
    jn_graph *g = b->g;
    const jn_element *e = &g->element[element];
    jn_ratfun number;
    fmpq_t c;
    fmpq_init(c);
    jn_status status = jn_graph_number(&number, g, element);
    if (status) {
        jni_build_report_value(b, status, place);
    } else if (jn_ratfun_get_fmpq(c, g->field, number)) {
        jn_code objection = jni_value_objection(e->kind, fmpq_sgn(c));
        if (objection != JN_D_COUNT)
            REPORT(b, objection, place, jn_kind_name(e->kind), e->name);
    }
    fmpq_clear(c);
}

static void set_value(builder *b, int element, const jn_expr *x)
{
    jn_graph *g = b->g;
    jn_element *e = &g->element[element];
    const jn_expr *where;
    jn_ratfun r;
    e->given = x;
    jn_status status = jn_expr_ratfun_at(&r, g->field, x, &where);
    if (status == JN_OK) {
        e->value = jn_ratfun_is_const(g->field, r) ? own_symbol(g, element, x, r.id) : r;
        check_value(b, element, x->place);
    } else if (!jni_build_report_value(b, status, where->place)) {
        e->modulated = true;
        e->modulation = x;
        e->value = own_symbol(g, element, NULL, -1);
    }
}

static void read_value(builder *b, int element, const statement *st)
{
    jn_element *e = &b->g->element[element];
    const jn_ast_expr *value = st->ast->u.element.value;
    if (!value && !st->ast->u.element.law && !jn_kind_is_source(e->kind)) {
        e->value = own_symbol(b->g, element, NULL, -1);
        return;
    }
    context c = {.scope = st->scope, .law = -1};
    const jn_expr *x = value ? jni_build_value(b, &c, value) : NULL;
    if (jn_kind_is_source(e->kind))
        e->input = x;
    else if (x)
        set_value(b, element, x);
}

/* ---- laws ---------------------------------------------------------------------------------- */

/* The two variables that the law of an element relates. */
static const char *law_pair(jn_kind kind)
{
    return kind == JN_R ? "ef" : kind == JN_I ? "fp" : kind == JN_C ? "eq" : NULL;
}

/* e = k*q + d*f of a C, f = p/m + e/d of an I: the rate of the state, q̇ = f and ṗ = e, where the
 * law gives the other power variable; a law that gives the state itself would have to be solved
 * for how it changes. */
static char law_rate(jn_kind kind, char of)
{
    if (kind == JN_C && of == 'e')
        return 'f';
    return kind == JN_I && of == 'f' ? 'e' : 0;
}

static void read_law(builder *b, int element, const statement *st)
{
    jn_element *e = &b->g->element[element];
    const jn_ast_expr *law = st->ast->u.element.law;
    const char *pair = law_pair(e->kind);
    char of = st->ast->u.element.law_of;
    if (!pair) {
        REPORT(b, JN_D_LAW_KIND, law->place, jn_kind_name(e->kind), e->name);
        return;
    }
    if (!strchr(pair, of)) {
        REPORT(b, JN_D_LAW_OF, law->place, jn_kind_name(e->kind), pair[0], pair[1], of);
        return;
    }
    if (e->nbonds > 0 && b->g->bond[e->bond[0]].head != element)
        REPORT(b, JN_D_LAW_DIRECTION, e->place, e->name);
    context c = {.scope = st->scope,
                 .law = element,
                 .law_of = of,
                 .law_in = of == pair[0] ? pair[1] : pair[0],
                 .law_rate = law_rate(e->kind, of)};
    e->nonlinear = true;
    e->law_of = of;
    e->law = jni_build_value(b, &c, law);
    e->value = own_symbol(b->g, element, NULL, -1);
}

/* ---- options ------------------------------------------------------------------------------- */

typedef struct {
    const char *key;
    bool (*fits)(jn_kind kind);
    const char *fits_text;
} option_kind;

static bool is_i(jn_kind kind)
{
    return kind == JN_I;
}

static bool is_c(jn_kind kind)
{
    return kind == JN_C;
}

static const option_kind option_kinds[] = {
    {"p0", is_i, "I"},
    {"f0", is_i, "I"},
    {"q0", is_c, "C"},
    {"e0", is_c, "C"},
    {"priority", jn_kind_is_storage, "I and C"},
    {"detachable", jn_kind_is_source, "Se and Sf"},
};

static bool option_fits(builder *b, const jn_element *e, const jn_ast_option *o)
{
    for (size_t i = 0; i < sizeof option_kinds / sizeof option_kinds[0]; i++) {
        const option_kind *k = &option_kinds[i];
        if (strcmp(k->key, o->key) != 0)
            continue;
        if (!k->fits(e->kind))
            REPORT(b, JN_D_OPTION_KIND, o->place, o->key, k->fits_text, e->name,
                   jn_kind_name(e->kind));
        return k->fits(e->kind);
    }
    return false; /* the syntax knows no others */
}

static void read_priority(builder *b, jn_element *e, const scope *s, const jn_ast_expr *value)
{
    long n;
    if (!jni_build_integer(b, &n, s, value))
        return;
    e->priority = (int)n; /* such integers fit */
}

/* Of a port of a field its place in the list; NULL: there is none, reported. */
static const jn_ast_expr *initial_of(builder *b, const jn_element *e, const statement *st,
                                     const jn_ast_option *o)
{
    const jn_ast_matrix *l = o->list;
    int nports = st->ast->u.element.nports;
    if (nports && (!l || l->nrows != 1 || l->row[0].n != nports)) {
        REPORT(b, JN_D_FIELD_INITIAL, o->place, nports, nports, o->key);
        return NULL;
    }
    if (nports)
        return l->row[0].item[st->port];
    if (l)
        REPORT(b, JN_D_INITIAL_LIST, o->place, o->key, e->name);
    return o->value;
}

static void read_option(builder *b, jn_element *e, const statement *st, const jn_ast_option *o)
{
    const scope *s = st->scope;
    if (strcmp(o->key, "detachable") == 0) {
        e->detachable = true;
    } else if (strcmp(o->key, "priority") == 0) {
        if (o->value)
            read_priority(b, e, s, o->value);
        else
            REPORT(b, JN_D_INITIAL_LIST, o->place, o->key, e->name);
    } else {
        const jn_ast_expr *x = initial_of(b, e, st, o);
        if (x)
            e->initial = jni_build_constant(b, s, x, "an initial value");
        e->initial_is_state = o->key[0] == 'p' || o->key[0] == 'q';
    }
}

static bool is_initial(const jn_ast_option *o)
{
    return o->key[1] == '0';
}

static void read_options(builder *b, int element, const statement *st)
{
    jn_element *e = &b->g->element[element];
    const jn_ast_option *option = st->ast->u.element.option;
    for (int i = 0; i < st->ast->u.element.noptions; i++) {
        const jn_ast_option *o = &option[i], *before = NULL;
        for (int j = 0; j < i && !before; j++)
            if (strcmp(option[j].key, o->key) == 0 || (is_initial(o) && is_initial(&option[j])))
                before = &option[j];
        if (!option_fits(b, e, o))
            continue;
        if (!before)
            read_option(b, e, st, o);
        else if (strcmp(before->key, o->key) == 0)
            REPORT(b, JN_D_OPTION_TWICE, o->place, o->key);
        else
            REPORT(b, JN_D_OPTION_BOTH, o->place, before->key, o->key);
    }
}

/* ---- all of it ----------------------------------------------------------------------------- */

static void read_element(builder *b, int element, const statement *st)
{
    const jn_element *e = &b->g->element[element];
    const jn_ast_expr *value = st->ast->u.element.value, *law = st->ast->u.element.law;
    bool has_value = jn_kind_is_port(e->kind) || e->kind == JN_TF || e->kind == JN_GY;
    const jn_ast_matrix *matrix = st->ast->u.element.matrix;
    if (st->field >= 0 && st->port == 0)
        jni_build_field(b, &b->field[st->field]);
    if (st->field >= 0)
        ; /* its value is a row of a matrix */
    else if (matrix)
        REPORT(b, JN_D_MATRIX_PLAIN, matrix->place, e->name, e->name);
    else if (!has_value && value)
        REPORT(b, JN_D_VALUE_OF_JUNCTION, value->place, e->name);
    else if (value && law)
        REPORT(b, JN_D_VALUE_AND_LAW, law->place, e->name);
    else if (law)
        read_law(b, element, st);
    else if (has_value)
        read_value(b, element, st);
    read_options(b, element, st);
}

void jni_build_elements(builder *b)
{
    jn_graph *g = b->g;
    const statement_list *l = &b->list[JN_AST_ELEMENT];
    for (int i = 0; i < l->n; i++)
        if (b->element_of[i] >= 0)
            read_element(b, b->element_of[i], &l->item[i]);
    jni_build_fields(b);
    const char **name = jn_arena_alloc(g->arena, (size_t)g->nparams * sizeof *name);
    for (int i = 0; i < g->nparams; i++)
        name[i] = g->param[i].name;
    g->param_name = name;
}
