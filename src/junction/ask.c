/* ask.c: questions about a finished junction structure. */
#include <stdlib.h>

#include "junct/junction.h"

const char *jn_form_name(jn_form f)
{
    static const char *const name[] = {"state", "pseudo", "flow-in", "effort-in", "input"};
    return name[f];
}

bool jn_junction_is_forbidden(const jn_junction *j, const jn_onoff *m)
{
    return jn_guard_at(j->ring.guards, j->forbidden, m);
}

const jn_reason *jn_junction_reason(const jn_junction *j, const jn_onoff *m)
{
    for (int i = 0; i < j->nreasons; i++)
        if (jn_guard_at(j->ring.guards, j->reason[i].guard, m))
            return &j->reason[i];
    return NULL;
}

void jn_reason_print(jn_str *out, const jn_junction *j, const jn_reason *r)
{
    jn_reason_text(out, j->graph, r);
}

void jn_reason_text(jn_str *out, const jn_graph *g, const jn_reason *r)
{
    jn_field *k = g->field;
    jn_str_addf(out, "%s = ", g->element[r->source].name);
    for (int i = 0; i < r->nterms; i++) {
        jn_ratfun c = r->term[i].coefficient;
        bool negative = jn_ratfun_is_negative(k, c);
        if (i)
            jn_str_add(out, negative ? " - " : " + ");
        else if (negative)
            jn_str_addc(out, '-');
        if (negative)
            c = jn_ratfun_neg(k, c);
        if (!jn_ratfun_is_one(c)) {
            jn_ratfun_print_factor(out, k, c, jn_graph_param_names(g), JN_RATFUN_TEXT);
            jn_str_addc(out, '*');
        }
        jn_str_add(out, g->element[r->term[i].source].name);
    }
    if (!r->nterms)
        jn_str_addc(out, '0');
}

bool jn_junction_is_static(const jn_junction *j, int element)
{
    const jn_element *x = &j->graph->element[element];
    if (j->single || (!jn_kind_is_storage(x->kind) && x->kind != JN_R))
        return true;
    jn_guard usual =
        jn_kind_is_storage(x->kind) ? j->integral[x->number] : j->resistance[x->number];
    return jn_guard_disjoint(j->ring.guards, j->allowed, usual) ||
           jn_guard_implies(j->ring.guards, j->allowed, usual);
}

static void add_support(bool *used, bool *member, jn_guards *g, jn_guard a)
{
    jn_guard_support(member, g, a);
    for (int s = 0; s < jn_guards_size(g); s++)
        used[s] |= member[s];
}

/* The switches that some value depends on. */
static void add_values(bool *used, bool *member, const jn_junction *j)
{
    for (int i = 0; i < j->graph->nelements; i++) {
        const jn_element *x = &j->graph->element[i];
        for (int c = 0; c < x->ncases && !j->single; c++)
            if (x->cases[c].when)
                add_support(used, member, j->ring.guards,
                            jn_junction_condition(j, x->cases[c].when));
    }
}

void jn_junction_idle_switches(bool *idle, const jn_junction *j)
{
    jn_guards *g = j->ring.guards;
    int n = jn_guards_size(g);
    bool *member = jn_alloc((size_t)n * sizeof *member);
    bool *used = jn_alloc((size_t)n * sizeof *used);
    add_support(used, member, g, j->forbidden);
    add_values(used, member, j);
    for (int i = 0; i < j->nrows; i++) {
        add_support(used, member, g, j->Lambda[i]);
        for (int k = 0; k < j->S.row[i].n; k++)
            for (int c = 0; c < j->S.row[i].e[k].value.n; c++)
                add_support(used, member, g, j->S.row[i].e[k].value.c[c].guard);
    }
    /* A switch that belongs to no junction is there for conditions. */
    for (int s = 0; s < n; s++)
        idle[s] = !used[s] && j->graph->element[j->graph->sw[s]].kind != JN_BOOLEAN;
    free(member);
    free(used);
}
