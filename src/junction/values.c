/* values.c: the values of elements as functions of λ.
 *
 * R r = if(on(hot), 2, k) is 2·[hot] + k·[¬hot]: each case of a value is one of a guarded value. In
 * a structure of one mode only the case that holds there is left. */
#include "junct/junction.h"

static jn_guard switch_on(const jn_junction *j, int number)
{
    if (j->setting && (j->setting[number] == 0 || j->setting[number] == 1))
        return j->setting[number] ? jn_guard_true() : jn_guard_false();
    return jn_guard_switch(j->ring.guards, number);
}

jn_guard jn_junction_condition(const jn_junction *j, const jn_expr *c)
{
    jn_guards *g = j->ring.guards;
    if (j->single)
        return jn_graph_holds(j->graph, c, j->reference) ? jn_guard_true() : jn_guard_false();
    switch (c->op) {
    case JN_X_ON:
        return switch_on(j, j->graph->element[c->index].number);
    case JN_X_NOT:
        return jn_guard_not(g, jn_junction_condition(j, c->arg[0]));
    case JN_X_AND:
        return jn_guard_and(g, jn_junction_condition(j, c->arg[0]),
                            jn_junction_condition(j, c->arg[1]));
    default: /* JN_X_OR */
        return jn_guard_or(g, jn_junction_condition(j, c->arg[0]),
                           jn_junction_condition(j, c->arg[1]));
    }
}

static jn_status number(jn_ratfun *r, const jn_junction *j, jn_ratfun value)
{
    const jn_graph *g = j->graph;
    *r = value;
    return j->numeric ? jn_ratfun_put(r, g->field, value, g->param_value, g->nparams) : JN_OK;
}

jn_status jn_junction_value(jn_guarded *out, const jn_junction *j, jn_value v)
{
    jn_ratfun r;
    jn_status s = v.ncases ? JN_OK : number(&r, j, v.one);
    jn_guarded part;
    jn_guarded_init(&part);
    jn_guarded_set(out, &part);
    if (!v.ncases && s == JN_OK)
        jn_guarded_set_case(out, jn_guard_true(), r);
    for (int i = 0; i < v.ncases && s == JN_OK; i++) {
        const jn_expr *when = v.cases[i].when;
        s = number(&r, j, v.cases[i].value);
        if (s == JN_OK) {
            jn_guarded_set_case(&part, when ? jn_junction_condition(j, when) : jn_guard_true(), r);
            jn_guarded_add(out, out, &part, j->ring);
        }
    }
    jn_guarded_clear(&part);
    return s;
}

jn_guard jn_junction_zero(const jn_junction *j, int element)
{
    jn_value v = jn_graph_value(j->graph, element);
    jn_guarded value;
    if (!v.ncases)
        return jn_guard_false(); /* the reader refuses it */
    jn_guarded_init(&value);
    jn_guard zero = jn_guard_false();
    if (jn_junction_value(&value, j, v) == JN_OK)
        zero = jn_guard_not(j->ring.guards, jn_guarded_support(&value, j->ring));
    jn_guarded_clear(&value);
    return zero;
}
