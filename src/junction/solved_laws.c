/* solved_laws.c: the laws of junctions, transformers and gyrators as rows of one mode.
 *
 * As in laws.c, with λ = 1 or 0 put in:
 *
 *     ON    common_b − common_0 = 0,  Σ ±summed_b = 0
 *     OFF   common_b = 0, and for a detachable source that is let go summed_b = 0 */
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
