/* graph.c: questions to a graph. */
#include <stdlib.h>
#include <string.h>

#include "graph_internal.h"

bool jn_kind_is_storage(jn_kind k)
{
    return k == JN_I || k == JN_C;
}

bool jn_kind_is_source(jn_kind k)
{
    return k == JN_SE || k == JN_SF;
}

bool jn_kind_is_switch(jn_kind k)
{
    return k == JN_X0 || k == JN_X1 || k == JN_BOOLEAN;
}

bool jn_kind_is_port(jn_kind k)
{
    return jn_kind_is_source(k) || jn_kind_is_storage(k) || k == JN_R;
}

int jn_graph_find(const jn_graph *g, const char *element)
{
    for (int i = 0; i < g->nelements; i++)
        if (strcmp(g->element[i].name, element) == 0)
            return i;
    return -1;
}

int jn_graph_find_bond(const jn_graph *g, const char *name)
{
    for (int i = 0; i < g->nbonds; i++)
        if (strcmp(g->bond[i].name, name) == 0)
            return i;
    return -1;
}

bool jn_graph_lets_go(const jn_graph *g, int junction, int bond)
{
    const jn_bond *b = &g->bond[bond];
    const jn_element *other = &g->element[b->tail == junction ? b->head : b->tail];
    bool efforts_common = g->element[junction].kind == JN_0 || g->element[junction].kind == JN_X0;
    return other->detachable && other->kind == (efforts_common ? JN_SE : JN_SF);
}

int jn_graph_leading_bond(const jn_graph *g, int junction)
{
    const jn_element *x = &g->element[junction];
    for (int i = 0; i < x->nbonds; i++)
        if (!jn_graph_lets_go(g, junction, x->bond[i]))
            return x->bond[i];
    return x->bond[0];
}

const char *const *jn_graph_param_names(const jn_graph *g)
{
    return g->param_name;
}

const char *const *jn_graph_switch_names(const jn_graph *g)
{
    return g->switch_name;
}

/* ---- numbers ------------------------------------------------------------------------------- */

jn_status jn_graph_number(jn_ratfun *r, const jn_graph *g, int element)
{
    return jn_ratfun_put(r, g->field, g->element[element].value, g->param_value, g->nparams);
}

bool jn_graph_holds(const jn_graph *g, const jn_expr *c, const jn_onoff *m)
{
    switch (c->op) {
    case JN_X_ON:
        return m[g->element[c->index].number];
    case JN_X_NOT:
        return !jn_graph_holds(g, c->arg[0], m);
    case JN_X_AND:
        return jn_graph_holds(g, c->arg[0], m) && jn_graph_holds(g, c->arg[1], m);
    default: /* JN_X_OR */
        return jn_graph_holds(g, c->arg[0], m) || jn_graph_holds(g, c->arg[1], m);
    }
}

jn_value jn_graph_value(const jn_graph *g, int element)
{
    const jn_element *e = &g->element[element];
    return (jn_value){e->value, e->ncases, e->cases};
}

jn_value jn_graph_between(const jn_graph *g, int a, int b)
{
    const jn_element *x = &g->element[a], *y = &g->element[b];
    if (a == b)
        return jn_graph_value(g, a);
    if (!x->multiport || x->multiport != y->multiport)
        return (jn_value){JN_RATFUN_ZERO, 0, NULL};
    return x->multiport->entry[x->port * x->multiport->nports + y->port];
}

jn_ratfun jn_graph_value_in(const jn_graph *g, jn_value v, const jn_onoff *m)
{
    for (int i = 0; i < v.ncases; i++)
        if (!v.cases[i].when || jn_graph_holds(g, v.cases[i].when, m))
            return v.cases[i].value;
    return v.one;
}

/* A symbol that stands for a law or for a value that changes is not missing: it is computed. */
static bool is_missing(const jn_graph *g, int param)
{
    const jn_param *p = &g->param[param];
    if (p->value.id >= 0)
        return false;
    const jn_element *e = p->element >= 0 ? &g->element[p->element] : NULL;
    return !e || !(e->modulated || e->nonlinear);
}

static void mark_params(bool *stands, const jn_graph *g, jn_ratfun value)
{
    const int *p;
    int n = jn_ratfun_params(&p, g->field, value);
    for (int j = 0; j < n; j++)
        stands[p[j]] = true;
}

int jn_graph_missing_values(int *missing, const jn_graph *g)
{
    bool *stands = jn_alloc((size_t)g->nparams);
    for (int i = 0; i < g->nelements; i++) {
        const jn_element *e = &g->element[i];
        mark_params(stands, g, e->value);
        for (int c = 0; c < e->ncases; c++)
            mark_params(stands, g, e->cases[c].value);
    }
    int count = 0;
    for (int i = 0; i < g->nparams; i++) {
        if (!stands[i] || !is_missing(g, i))
            continue;
        if (count++ == 0 && missing)
            *missing = i;
    }
    free(stands);
    return count;
}

/* ---- other numbers ------------------------------------------------------------------------- */

static int find_param(const jn_graph *g, const char *name)
{
    for (int i = 0; i < g->nparams; i++)
        if (strcmp(g->param[i].name, name) == 0)
            return i;
    return -1;
}

static const jn_expr *new_number(jn_graph *g, jn_place place, const fmpq_t value)
{
    jn_expr *e = jn_arena_alloc(g->arena, sizeof *e);
    *e = (jn_expr){.op = JN_X_NUMBER,
                   .place = place,
                   .size = 1,
                   .depth = 1,
                   .number = jn_ratfun_fmpq(g->field, value)};
    return e;
}

/* Every parameter that follows from others, anew. */
static const char *evaluate_params(jn_graph *g)
{
    for (int i = 0; g->param_order && i < g->nparams && g->param[i].element < 0; i++) {
        int p = g->param_order[i];
        const jn_expr *where;
        if (g->param[p].given && jni_param_evaluate(g, p, &where) != JN_OK)
            return jn_arena_printf(g->arena, "then %s divides by zero", g->param[p].name);
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
        if (jn_graph_number(&r, g, i) != JN_OK) {
            why = jn_arena_printf(g->arena, "then %s divides by zero", e->name);
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

static void put_param(jn_graph *g, int i, const jn_expr *given, jn_ratfun value)
{
    g->param[i].given = given;
    g->param_value[i] = g->param[i].value = value;
}

static const char *set_param(jn_graph *g, int i, const fmpq_t value)
{
    const jn_expr *before = g->param[i].given;
    jn_ratfun old = g->param[i].value;
    const jn_expr *number = new_number(g, g->param[i].place, value);
    put_param(g, i, number, number->number);
    const char *why = evaluate_params(g);
    if (!why)
        why = check_elements(g);
    if (why) {
        put_param(g, i, before, old);
        evaluate_params(g);
    }
    return why;
}

jn_status jn_graph_set(jn_graph *g, const char *name, const fmpq_t value, const char **why)
{
    int element = jn_graph_find(g, name), param = find_param(g, name);
    const char *reason = NULL;
    if (element >= 0 && jn_kind_is_source(g->element[element].kind))
        g->element[element].input = new_number(g, g->element[element].place, value);
    else if (param >= 0 &&
             (g->param[param].element < 0 || is_missing(g, param) || g->param[param].value.id >= 0))
        reason = set_param(g, param, value);
    else
        reason = jn_arena_printf(g->arena,
                                 element < 0 ? "the model has no parameter or element %s"
                                             : "%s has no number of its own that could be set",
                                 name);
    if (reason)
        *why = reason;
    return reason ? JN_INVALID : JN_OK;
}

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
    g->element[element].initial = new_number(g, g->element[element].place, value);
    g->element[element].initial_is_state = is_state;
    return JN_OK;
}
