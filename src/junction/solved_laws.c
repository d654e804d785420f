/* solved_laws.c: the laws of junctions, transformers and gyrators as rows of one mode.
 *
 * As in laws.c, with λ = 1 or 0 put in:
 *
 *     ON    common_b − common_0 = 0,  Σ ±summed_b = 0
 *     OFF   common_b = 0, and for a detachable source that is let go summed_b = 0
 *
 * For all modes at once, with one more bond of the junction, the gate G, in place of λ:
 *
 *     common_b − common_G = 0,  Σ ±summed_b − summed_G = 0
 *     ON summed_G = 0,  OFF common_G = 0
 *
 * and for a source that is let go a gate D of its own, common_b − common_G − common_D = 0 and
 * summed_D = summed_b, where ON common_D = 0, OFF summed_D = 0. */
#include "solved_internal.h"

/* Adds ±(the bond's effort or flow). */
static void add_variable(const jn_solver *k, jn_plain *p, int row, int bond, bool effort,
                         jn_ratfun c)
{
    if (!effort && k->c.flow_sign[bond] < 0)
        c = jn_ratfun_neg(k->g->field, c);
    jn_plain_add(p, row, effort ? effort_col(bond) : flow_col(bond), c);
}

static void write_on(const jn_solver *k, jn_plain *p, int element, bool efforts_common)
{
    const jn_element *x = &k->g->element[element];
    jn_ratfun one = JN_RATFUN_ONE, minus = jn_ratfun_neg(k->g->field, one);
    int first = jn_graph_leading_bond(k->g, element);
    int sum = jn_plain_row(p, false);
    for (int i = 0; i < x->nbonds; i++) {
        int bond = x->bond[i];
        bool in = k->g->bond[bond].head == element;
        add_variable(k, p, sum, bond, !efforts_common, in ? one : minus);
        if (bond == first)
            continue;
        int equal = jn_plain_row(p, false);
        add_variable(k, p, equal, first, efforts_common, minus);
        add_variable(k, p, equal, bond, efforts_common, one);
    }
}

static void write_off(const jn_solver *k, jn_plain *p, int element, bool efforts_common)
{
    const jn_element *x = &k->g->element[element];
    for (int i = 0; i < x->nbonds; i++) {
        bool let_go = jn_graph_lets_go(k->g, element, x->bond[i]);
        add_variable(k, p, jn_plain_row(p, false), x->bond[i], efforts_common != let_go,
                     JN_RATFUN_ONE);
    }
}

static gate make_gate(int sw, bool efforts_common, bool let_go, int *ncols)
{
    int effort = (*ncols)++, flow = (*ncols)++;
    int common = efforts_common ? effort : flow, summed = efforts_common ? flow : effort;
    return let_go ? (gate){sw, common, summed} : (gate){sw, summed, common};
}

int jni_solver_make_gates(gate *g, const jn_graph *graph, int sw, int *ncols)
{
    int element = graph->sw[sw], n = 0;
    const jn_element *x = &graph->element[element];
    bool efforts_common = x->kind == JN_X0;
    g[n++] = make_gate(sw, efforts_common, false, ncols);
    for (int i = 0; i < x->nbonds; i++)
        if (jn_graph_lets_go(graph, element, x->bond[i]))
            g[n++] = make_gate(sw, efforts_common, true, ncols);
    return n;
}

int jni_solver_write_gates(jn_solver *k, jn_plain *p, const gate *g)
{
    int element = k->g->sw[g->sw], n = 1;
    const jn_element *x = &k->g->element[element];
    bool efforts_common = x->kind == JN_X0;
    jn_ratfun one = JN_RATFUN_ONE, minus = jn_ratfun_neg(k->g->field, one);
    int sum = jn_plain_row(p, false);
    jn_plain_add(p, sum, g->when_on, minus);
    for (int i = 0; i < x->nbonds; i++) {
        int bond = x->bond[i], equal = jn_plain_row(p, false);
        bool in = k->g->bond[bond].head == element;
        add_variable(k, p, sum, bond, !efforts_common, in ? one : minus);
        add_variable(k, p, equal, bond, efforts_common, one);
        jn_plain_add(p, equal, g->when_off, minus);
        if (!jn_graph_lets_go(k->g, element, bond))
            continue;
        const gate *own = &g[n++];
        int same = jn_plain_row(p, false);
        jn_plain_add(p, equal, own->when_on, minus);
        add_variable(k, p, same, bond, !efforts_common, one);
        jn_plain_add(p, same, own->when_off, minus);
    }
    return n;
}

/* left = value·right between two bond variables */
static void write_ratio(const jn_solver *k, jn_plain *p, int left, bool left_effort,
                        jn_ratfun value, int right, bool right_effort)
{
    int row = jn_plain_row(p, false);
    add_variable(k, p, row, left, left_effort, JN_RATFUN_ONE);
    add_variable(k, p, row, right, right_effort, jn_ratfun_neg(k->g->field, value));
}

void jni_solver_write_law(jn_solver *k, jn_plain *p, int element, bool on, jn_ratfun ratio)
{
    const jn_element *x = &k->g->element[element];
    switch (x->kind) {
    case JN_0:
    case JN_1:
    case JN_X0:
    case JN_X1: {
        bool efforts_common = x->kind == JN_0 || x->kind == JN_X0;
        if (on)
            write_on(k, p, element, efforts_common);
        else
            write_off(k, p, element, efforts_common);
        break;
    }
    case JN_TF:
        write_ratio(k, p, x->bond[0], true, ratio, x->bond[1], true);
        write_ratio(k, p, x->bond[1], false, ratio, x->bond[0], false);
        break;
    case JN_GY:
        write_ratio(k, p, x->bond[0], true, ratio, x->bond[1], false);
        write_ratio(k, p, x->bond[1], true, ratio, x->bond[0], false);
        break;
    default: /* 1-port elements have no law here */
        break;
    }
}

/* As write_own_columns of laws.c. */
void jni_solver_write_own(jn_solver *k, jn_plain *p, const port *x, bool zero)
{
    jn_ratfun minus = jn_ratfun_int(k->g->field, -1);
    int bond = k->g->element[x->element].bond[0], effort = jn_plain_row(p, false);
    if (!zero)
        jn_plain_add(p, effort, x->effort, JN_RATFUN_ONE);
    add_variable(k, p, effort, bond, true, minus);
    int flow = jn_plain_row(p, false);
    jn_plain_add(p, flow, x->flow, JN_RATFUN_ONE);
    if (zero)
        return;
    if (k->g->bond[bond].head == x->element)
        add_variable(k, p, flow, bond, false, minus);
    else
        jn_plain_add(p, flow, flow_col(bond), minus);
}
