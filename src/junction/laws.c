/* laws.c: the laws of junctions, transformers and gyrators as rows.
 *
 * A 0-junction has a common effort and flows that add up to zero; a 1-junction is the same with
 * the two exchanged, so one function writes both: `common` and `summed` name the variables. The
 * rows of a controlled junction hold under λ or under ¬λ:
 *
 *     λ     common_b − common_0 = 0             for every further bond b
 *           Σ ±summed_b = 0
 *     ¬λ    common_b = 0                        for every bond
 *
 * A detachable source that touches it is let go instead of held at zero: summed_b = 0. The guards
 * are the rows', and not in the coefficients: so what is said in one mode does not mix with what is
 * said in another. */
#include "junction_internal.h"

typedef struct {
    builder *b;
    const jn_element *at;
    int element;
    bool efforts_common; /* 0 and X0 */
    jn_guard on, off;
} law;

static void add_guarded(builder *b, jn_row *row, int bond, bool effort, const jn_guarded *v)
{
    jn_guarded w;
    jn_guarded_init(&w);
    jn_guarded_set(&w, v);
    if (!effort && b->j->flow_sign[bond] < 0)
        jn_guarded_neg(&w, &w, b->ring);
    jn_row_add(row, effort ? effort_col(bond) : flow_col(bond), &w, b->ring);
    jn_guarded_clear(&w);
}

static void add_term(jn_row *row, int col, jn_ratfun c, jn_ring ring)
{
    jn_guarded v;
    jn_guarded_init(&v);
    jn_guarded_set_case(&v, jn_guard_true(), c);
    jn_row_add(row, col, &v, ring);
    jn_guarded_clear(&v);
}

/* Adds c·(the bond's effort or flow). */
static void add_variable(builder *b, jn_row *row, int bond, bool effort, jn_ratfun c)
{
    if (!effort && b->j->flow_sign[bond] < 0)
        c = jn_ratfun_neg(b->ring.field, c);
    add_term(row, effort ? effort_col(bond) : flow_col(bond), c, b->ring);
}

static void add_common(const law *l, jn_row *row, int bond, long sign)
{
    add_variable(l->b, row, bond, l->efforts_common, jn_ratfun_int(l->b->ring.field, sign));
}

static void add_summed(const law *l, jn_row *row, int bond, long sign)
{
    add_variable(l->b, row, bond, !l->efforts_common, jn_ratfun_int(l->b->ring.field, sign));
}

jn_guard jni_switch_on(const builder *b, int number)
{
    if (b->only)
        return b->only[number] ? jn_guard_true() : jn_guard_false();
    int set = b->options->setting ? b->options->setting[number] : -1;
    if (set == 0 || set == 1)
        return set ? jn_guard_true() : jn_guard_false();
    return jn_guard_switch(b->ring.guards, number);
}

static void finish(builder *b, jn_row *row, jn_guard where)
{
    jn_elimination_add_where(b->elim, row, where);
}

static void write_off(const law *l, int bond)
{
    jn_row row;
    jn_row_init(&row);
    if (jn_graph_lets_go(l->b->g, l->element, bond))
        add_summed(l, &row, bond, 1);
    else
        add_common(l, &row, bond, 1);
    finish(l->b, &row, l->off);
}

static void write_junction(const law *l)
{
    int first = jn_graph_leading_bond(l->b->g, l->element);
    jn_row sum;
    jn_row_init(&sum);
    for (int i = 0; i < l->at->nbonds; i++) {
        int bond = l->at->bond[i];
        add_summed(l, &sum, bond, l->b->g->bond[bond].head == l->element ? 1 : -1);
        write_off(l, bond);
        if (bond == first)
            continue;
        jn_row equal;
        jn_row_init(&equal);
        add_common(l, &equal, first, -1);
        add_common(l, &equal, bond, 1);
        finish(l->b, &equal, l->on);
    }
    finish(l->b, &sum, l->on);
}

/* left + minus·right = 0 between two bond variables */
static void write_ratio(builder *b, int left, bool left_effort, const jn_guarded *minus, int right,
                        bool right_effort)
{
    jn_row row;
    jn_row_init(&row);
    add_variable(b, &row, left, left_effort, JN_RATFUN_ONE);
    add_guarded(b, &row, right, right_effort, minus);
    finish(b, &row, jn_guard_true());
}

static jn_status write_two_port(builder *b, int element, jn_diags *d)
{
    const jn_element *x = &b->g->element[element];
    int in = x->bond[0], out = x->bond[1];
    jn_guarded v;
    jn_guarded_init(&v);
    jn_status s = jn_junction_value(&v, b->j, jn_graph_value(b->g, element));
    if (s == JN_INVALID) /* limits are told by whoever asked */
        s = jn_graph_report_number(s, b->g, element, d);
    jn_guarded_neg(&v, &v, b->ring);
    if (x->kind == JN_TF && s == JN_OK) {
        write_ratio(b, in, true, &v, out, true);
        write_ratio(b, out, false, &v, in, false);
    } else if (s == JN_OK) {
        write_ratio(b, in, true, &v, out, false);
        write_ratio(b, out, true, &v, in, false);
    }
    jn_guarded_clear(&v);
    return s;
}

/* A port with columns of its own, the head of a bond between two ports or a resistor that is 0 in
 * some modes: tied to the bond's; where it is 0, e = 0 on the bond and the port has no flow. The
 * bond's flow is counted into its tail where that is no source. */
static void write_own_columns(builder *b, const port *p)
{
    int bond = b->g->element[p->element].bond[0];
    bool is_head = b->g->bond[bond].head == p->element;
    bool shorted = b->shorted && b->shorted[p->element];
    jn_ratfun minus = jn_ratfun_int(b->ring.field, -1);
    jn_guard zero = shorted ? jni_shorted_guard(b->j, p->element) : jn_guard_false();
    jn_guard tied = jn_guard_not(b->ring.guards, zero);
    jn_row row;
    jn_row_init(&row);
    add_term(&row, p->effort, JN_RATFUN_ONE, b->ring);
    add_variable(b, &row, bond, true, minus);
    finish(b, &row, tied);
    add_variable(b, &row, bond, true, minus);
    finish(b, &row, zero);
    add_term(&row, p->flow, JN_RATFUN_ONE, b->ring);
    if (is_head)
        add_variable(b, &row, bond, false, minus);
    else
        add_term(&row, flow_col(bond), minus, b->ring);
    finish(b, &row, tied);
    add_term(&row, p->flow, JN_RATFUN_ONE, b->ring);
    finish(b, &row, zero);
}

jn_status jni_write_laws(builder *b, jn_diags *d)
{
    jn_status s = JN_OK;
    for (int i = 0; i < b->g->nelements && s == JN_OK; i++) {
        const jn_element *x = &b->g->element[i];
        law l = {b, x, i, x->kind == JN_0 || x->kind == JN_X0, jn_guard_true(), jn_guard_false()};
        switch (x->kind) {
        case JN_X0:
        case JN_X1:
            l.on = jni_switch_on(b, x->number);
            l.off = jn_guard_not(b->ring.guards, l.on);
            write_junction(&l);
            break;
        case JN_0:
        case JN_1:
            write_junction(&l);
            break;
        case JN_TF:
        case JN_GY:
            s = write_two_port(b, i, d);
            break;
        default: /* 1-port elements have no law here */
            break;
        }
    }
    for (int k = 0; k < b->nports; k++)
        if (b->port[k].effort >= 2 * b->g->nbonds)
            write_own_columns(b, &b->port[k]);
    return s;
}
