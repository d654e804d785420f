/* params.c: the parameters that are declared, and their numbers. */
#include "graph_internal.h"

/* All parameters there can be get room at once: every element may have a symbol of its own. */
static void make_room(builder *b)
{
    jn_graph *g = b->g;
    size_t n =
        (size_t)b->list[JN_AST_PARAM].n + (size_t)g->nelements + (size_t)jni_build_field_symbols(b);
    g->param = jn_arena_alloc(g->arena, n * sizeof *g->param);
    g->param_value = jn_arena_alloc(g->arena, n * sizeof *g->param_value);
}

static void declare_params(builder *b)
{
    const statement_list *l = &b->list[JN_AST_PARAM];
    for (int i = 0; i < l->n; i++) {
        b->g->param[i] = (jn_param){.name = l->item[i].name,
                                    .place = l->item[i].ast->u.param.name.place,
                                    .element = -1,
                                    .value = {-1}};
        b->g->param_value[i].id = -1;
    }
    b->g->nparams = l->n;
}

static void read_params(builder *b)
{
    const statement_list *l = &b->list[JN_AST_PARAM];
    for (int i = 0; i < l->n; i++) {
        const jn_ast_expr *value = l->item[i].ast->u.param.value;
        if (value)
            b->g->param[i].given = jni_build_constant(b, l->item[i].scope, value, "a parameter");
    }
}

static void report_cycle(builder *b, const int *cycle, int n)
{
    const jn_param *p = b->g->param;
    if (!REPORT(b, JN_D_PARAM_CYCLE, p[cycle[0]].place, p[cycle[0]].name))
        return;
    for (int i = 0; i < n && n > 1; i++)
        jn_diag_note(b->diags, p[cycle[i]].given->place, "%s needs %s here", p[cycle[i]].name,
                     p[cycle[(i + 1) % n]].name);
}

/* After one value that is too long the field computes nothing: the rest means nothing. */
bool jni_build_report_value(builder *b, jn_status status, jn_place place)
{
    if (jn_field_failed(b->g->field)) {
        if (!b->field_failed)
            REPORT(b, JN_D_NUMBER_LARGE, place);
        b->field_failed = true;
    } else if (status == JN_INVALID) {
        REPORT(b, JN_D_DIVISION_BY_ZERO, place);
    } else {
        return false;
    }
    return true;
}

/* A parameter that needs one without a number has none either. */
jn_status jni_param_evaluate(jn_graph *g, int i, const jn_expr **where)
{
    jn_param *p = &g->param[i];
    jn_ratfun r;
    jn_status status = jn_expr_ratfun_at(&r, g->field, p->given, where);
    if (status)
        return status;
    *where = p->given;
    status = jn_ratfun_put(&r, g->field, r, g->param_value, g->nparams);
    if (status)
        return status;
    p->value.id = jn_ratfun_is_const(g->field, r) ? r.id : -1;
    g->param_value[i] = p->value;
    return JN_OK;
}

void jni_build_params(builder *b)
{
    jn_graph *g = b->g;
    make_room(b);
    declare_params(b);
    /* From the outermost instance inwards, before anything uses them. */
    jni_build_arguments(b);
    read_params(b);
    const jn_expr **given = jn_arena_alloc(b->scratch, (size_t)g->nparams * sizeof *given);
    for (int i = 0; i < g->nparams; i++)
        given[i] = g->param[i].given;
    g->param_order = jni_build_order(b, g->nparams, given, JN_X_PARAM, report_cycle);
    for (int i = 0; i < g->nparams; i++) {
        const jn_expr *where;
        jn_param *p = &g->param[g->param_order[i]];
        if (!p->given)
            continue;
        jn_status status = jni_param_evaluate(g, g->param_order[i], &where);
        if (status && !jni_build_report_value(b, status, where->place))
            REPORT(b, JN_D_PARAM_IRRATIONAL, where->place);
    }
}
