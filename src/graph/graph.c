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

jn_status jn_graph_report_number(jn_status s, const jn_graph *g, int element, jn_diags *d)
{
    const jn_element *x = &g->element[element];
    if (s == JN_INVALID)
        jn_diag_add(d, JN_D_VALUE_DIVIDES, x->place, x->name);
    else if (s != JN_OK && jn_interrupted())
        jn_diag_add(d, JN_D_INTERRUPTED, (jn_place){0}, "all values were");
    else if (s != JN_OK)
        jn_diag_add(d, JN_D_TERMS_LIMIT, (jn_place){0});
    return s;
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
bool jni_param_is_missing(const jn_graph *g, int param)
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
        if (!stands[i] || !jni_param_is_missing(g, i))
            continue;
        if (count++ == 0 && missing)
            *missing = i;
    }
    free(stands);
    return count;
}
