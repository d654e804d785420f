/* set.c: other numbers for a graph that is built: of parameters, elements, sources, initial values. */
#include <string.h>

#include "graph_internal.h"

static int find_param(const jn_graph *g, const char *name)
{
    for (int i = 0; i < g->nparams; i++)
        if (strcmp(g->param[i].name, name) == 0)
            return i;
    return -1;
}

/* A number and, where it was given with one, its unit. */
typedef struct {
    const fmpq *value;
    const char *text; /* as it was written; NULL: without a unit */
    const jn_unit *unit;
} quantity;

static const jn_expr *new_number(jn_graph *g, jn_place place, quantity q)
{
    jn_expr *e = jn_arena_alloc(g->arena, sizeof *e);
    *e = (jn_expr){.op = JN_X_NUMBER,
                   .place = place,
                   .size = 1,
                   .depth = 1,
                   .text = q.text,
                   .unit = q.unit,
                   .number = jn_ratfun_fmpq(g->field, q.value)};
    return e;
}

/* Why a value could not be computed. */
static const char *no_value(jn_graph *g, jn_status status, const char *name)
{
    return jn_arena_printf(g->arena,
                           status == JN_INVALID ? "then %s divides by zero"
                           : jn_interrupted()   ? "asked to stop before %s was known"
                                                : "then %s has too many terms",
                           name);
}

/* Every parameter that follows from others, anew. */
static const char *evaluate_params(jn_graph *g)
{
    for (int i = 0; g->param_order && i < g->nparams && g->param[i].element < 0; i++) {
        int p = g->param_order[i];
        const jn_expr *where;
        jn_status status = g->param[p].given ? jni_param_evaluate(g, p, &where) : JN_OK;
        if (status != JN_OK)
            return no_value(g, status, g->param[p].name);
    }
    return NULL;
}

static const char *check_elements(jn_graph *g)
{
    const char *why = NULL;
    fmpq_t c;
    fmpq_init(c);
    for (int i = 0; i < g->nelements && !why; i++) {
        const jn_element *e = &g->element[i];
        jn_ratfun r;
        if (jn_kind_is_source(e->kind) || jn_ratfun_is_zero(e->value))
            continue;
        jn_status status = jn_graph_number(&r, g, i);
        if (status != JN_OK) {
            why = no_value(g, status, e->name);
        } else if (jn_ratfun_get_fmpq(c, g->field, r)) {
            jn_code objection = jni_value_objection(e->kind, fmpq_sgn(c));
            if (objection != JN_D_COUNT && jn_code_severity(objection) == JN_ERROR)
                why = jn_arena_printf(g->arena, "then %s %s is %s", jn_kind_name(e->kind), e->name,
                                      fmpq_sgn(c) ? "negative" : "zero");
        }
    }
    fmpq_clear(c);
    return why;
}

static bool is_known(fmpq_t out, const jn_graph *g, const jn_expr *e)
{
    jn_ratfun r;
    return e && jn_expr_ratfun(&r, g->field, e) == JN_OK &&
           jn_ratfun_put(&r, g->field, r, g->param_value, g->nparams) == JN_OK &&
           jn_ratfun_get_fmpq(out, g->field, r);
}

/* What a file would be told of its modulations. */
static const char *check_modulations(jn_graph *g)
{
    const char *why = NULL;
    fmpq_t c;
    fmpq_init(c);
    for (int i = 0; i < g->nswitches && !why; i++) {
        const jn_automaton *a = &g->automaton[i];
        const char *what = NULL;
        if (is_known(c, g, a->pwm_period) && fmpq_sgn(c) <= 0)
            what = "the period of %s is not positive";
        else if (is_known(c, g, a->pwm_duty) && (fmpq_sgn(c) < 0 || fmpq_cmp_si(c, 1) > 0))
            what = "the duty cycle of %s is not between 0 and 1";
        if (what)
            why = jn_arena_printf(g->arena, what, g->switch_name[i]);
    }
    fmpq_clear(c);
    return why;
}

static void put_param(jn_graph *g, int i, const jn_expr *given, jn_ratfun value)
{
    g->param[i].given = given;
    g->param_value[i] = g->param[i].value = value;
}

static const char *set_param(jn_graph *g, int i, quantity q)
{
    const jn_expr *before = g->param[i].given;
    jn_ratfun old = g->param[i].value;
    const jn_expr *number = new_number(g, g->param[i].place, q);
    put_param(g, i, number, number->number);
    const char *why = evaluate_params(g);
    if (!why)
        why = check_elements(g);
    if (!why)
        why = check_modulations(g);
    if (why) {
        put_param(g, i, before, old);
        evaluate_params(g);
    }
    return why;
}

static jn_status set_quantity(jn_graph *g, const char *name, quantity q, const char **why)
{
    int element = jn_graph_find(g, name), param = find_param(g, name);
    const char *reason = NULL;
    if (element >= 0 && jn_kind_is_source(g->element[element].kind))
        g->element[element].input = new_number(g, g->element[element].place, q);
    else if (param >= 0 && (g->param[param].element < 0 || jni_param_is_missing(g, param) ||
                            g->param[param].value.id >= 0))
        reason = set_param(g, param, q);
    else
        reason = jn_arena_printf(g->arena,
                                 element < 0 ? "the model has no parameter or element %s"
                                             : "%s has no number of its own that could be set",
                                 name);
    if (reason)
        *why = reason;
    return reason ? JN_INVALID : JN_OK;
}

jn_status jn_graph_set(jn_graph *g, const char *name, const fmpq_t value, const char **why)
{
    return set_quantity(g, name, (quantity){.value = value}, why);
}

/* ---- from text ----------------------------------------------------------------------------- */

/* The unit that a value has by its domain, or as it stands in the file; NULL: none is known. */
static const char *unit_of(const jn_graph *g, const char *name)
{
    int element = jn_graph_find(g, name), param = find_param(g, name);
    if (element >= 0 && jn_kind_is_source(g->element[element].kind))
        return jn_graph_value_unit(g, element);
    return param < 0 ? NULL : jn_graph_param_unit(g, param);
}

/* As a file would be told: NULL if the unit fits. */
static const char *unit_objection(jn_graph *g, const char *name, const char *text, const jn_unit *u)
{
    const char *wanted = unit_of(g, name);
    jn_unit w = jn_unit_none();
    if (wanted)
        jn_unit_scan(&w, wanted, strlen(wanted));
    if (wanted && !jn_unit_same(&w, u))
        return jn_arena_printf(g->arena, "the value of %s is in %s", name, wanted);
    return u->pi ? jn_arena_printf(g->arena, "%s is not rational: give it in rad or rad/s", text)
                 : NULL;
}

jn_status jn_graph_set_text(jn_graph *g, const char *name, const char *text, const char **why)
{
    const char *number = text + (*text == '-' || *text == '+');
    jn_unit u;
    bool has_unit = false;
    fmpq_t value;
    fmpq_init(value);
    jn_status s = JN_OK;
    bool good = jn_ratio_parse(value, text, strlen(text)) == JN_OK;
    if (!good) {
        good = jn_quantity_parse(value, &u, &has_unit, number, strlen(number)) == JN_OK;
        if (good && *text == '-')
            fmpq_neg(value, value);
    }
    if (!good)
        *why = jn_arena_printf(g->arena,
                               "'%s' is not a number (a unit stands after a space or a prefix: "
                               "'24 V', '10kOhm')",
                               text);
    else if (has_unit)
        *why = unit_objection(g, name, text, &u);
    if (!good || (has_unit && *why))
        s = JN_INVALID;
    quantity q = {.value = value};
    if (has_unit && *text != '-') {
        q.text = jn_arena_strndup(g->arena, number, strlen(number));
        q.unit = jn_arena_dup(g->arena, &u, sizeof u);
    }
    if (s == JN_OK)
        s = set_quantity(g, name, q, why);
    fmpq_clear(value);
    return s;
}

const char *jn_graph_closest_value(const jn_graph *g, const char *name)
{
    const char **list = jn_alloc((size_t)(g->nparams + g->nsources) * sizeof *list);
    int n = 0;
    for (int i = 0; i < g->nparams; i++)
        list[n++] = g->param[i].name;
    for (int i = 0; i < g->nsources; i++)
        list[n++] = g->element[g->source[i]].name;
    const char *closest = jn_closest(name, list, n);
    free(list);
    return closest;
}

/* ---- where storages begin ------------------------------------------------------------------ */

jn_status jn_graph_set_initial(jn_graph *g, const char *name, bool is_state, const fmpq_t value,
                               const char **why)
{
    int element = jn_graph_find(g, name);
    if (element < 0 || !jn_kind_is_storage(g->element[element].kind)) {
        *why = jn_arena_printf(g->arena,
                               element < 0 ? "the model has no element %s"
                                           : "%s is no I or C, and has no initial value",
                               name);
        return JN_INVALID;
    }
    g->element[element].initial =
        new_number(g, g->element[element].place, (quantity){.value = value});
    g->element[element].initial_is_state = is_state;
    return JN_OK;
}
