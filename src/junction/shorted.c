/* shorted.c: resistors that are 0 in some modes.
 *
 * R r = if(on(s), 0, 5) has no law left where s is ON: e = 0 is imposed on its bond, as an OFF
 * X0 would. So it belongs to the junction structure there, and sources and storages meet it as they
 * meet any junction: in conflict, or dependent. Such a port has columns of its own, tied to those
 * of its bond where it is not 0; where it is, e = 0 on the bond, and the port is handed the flow 0.
 *
 * The port of a field is 0 where all of its row and its column are. */
#include <stdlib.h>

#include "junction_internal.h"

static bool is_zero(const jn_graph *g, jn_ratfun v, bool numeric)
{
    jn_ratfun r;
    if (numeric && jn_ratfun_put(&r, g->field, v, g->param_value, g->nparams) == JN_OK)
        v = r;
    return jn_ratfun_is_zero(v);
}

static bool may_be_zero(const jn_graph *g, jn_value v, bool numeric)
{
    bool may = !v.ncases && is_zero(g, v.one, numeric);
    for (int i = 0; i < v.ncases && !may; i++)
        may = is_zero(g, v.cases[i].value, numeric);
    return may;
}

static bool may_be_shorted(const jn_graph *g, int element, bool numeric)
{
    const jn_multiport *f = g->element[element].multiport;
    bool may = may_be_zero(g, jn_graph_value(g, element), numeric);
    for (int k = 0; f && k < f->nports && may; k++)
        may = may_be_zero(g, jn_graph_between(g, element, f->element[k]), numeric) &&
              may_be_zero(g, jn_graph_between(g, f->element[k], element), numeric);
    return may;
}

bool *jni_shorted_somewhere(const jn_graph *g, bool numeric, const bool *switched)
{
    bool *found = NULL;
    for (int i = 0; i < g->nresistors; i++) {
        int element = g->resistor[i];
        const jn_element *x = &g->element[element];
        bool known = x->ncases || x->multiport, may = known && may_be_shorted(g, element, numeric);
        if (!may && !(switched && switched[element] && !known))
            continue;
        if (!found)
            found = jn_alloc((size_t)g->nelements * sizeof *found);
        found[element] = true;
    }
    return found;
}

static jn_guard zero_guard(const jn_junction *j, jn_value v)
{
    jn_guarded value;
    jn_guard zero = jn_guard_false();
    jn_guarded_init(&value);
    if (jn_junction_value(&value, j, v) == JN_OK)
        zero = jn_guard_not(j->ring.guards, jn_guarded_support(&value, j->ring));
    jn_guarded_clear(&value);
    return zero;
}

jn_guard jni_shorted_guard(const jn_junction *j, int element)
{
    const jn_graph *g = j->graph;
    const jn_multiport *f = g->element[element].multiport;
    jn_guard zero = zero_guard(j, jn_graph_value(g, element));
    for (int k = 0; f && k < f->nports; k++) {
        jn_guard row = zero_guard(j, jn_graph_between(g, element, f->element[k]));
        jn_guard col = zero_guard(j, jn_graph_between(g, f->element[k], element));
        zero = jn_guard_and(j->ring.guards, zero, jn_guard_and(j->ring.guards, row, col));
    }
    return zero;
}

bool jni_shorted_in(const jn_graph *g, int element, bool numeric, const jn_onoff *m)
{
    const jn_multiport *f = g->element[element].multiport;
    bool zero = is_zero(g, jn_graph_value_in(g, jn_graph_value(g, element), m), numeric);
    for (int k = 0; f && k < f->nports && zero; k++) {
        jn_value row = jn_graph_between(g, element, f->element[k]);
        jn_value col = jn_graph_between(g, f->element[k], element);
        zero = is_zero(g, jn_graph_value_in(g, row, m), numeric) &&
               is_zero(g, jn_graph_value_in(g, col, m), numeric);
    }
    return zero;
}
