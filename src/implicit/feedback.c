/* feedback.c: sources that read the model linearly.
 *
 * Se u = 3*e(c) + sin(t) closes a loop: its value is a row over the variables of bonds and the
 * states, and a part of its own, u°. The junction structure gives these variables in terms of the
 * inputs (Zi, Ẋd, Din, U) of S, so that
 *
 *     U = K·(Zi, Ẋd, Din, U) + U°
 *
 * is one more law, by which U is eliminated as Din is by those of the resistors. What is left of the
 * source is u°, if it has such a part. Where the loop has no unique solution, or reads what nothing
 * determines, the mode is singular. */
#include <stdlib.h>

#include "implicit_internal.h"
#include "junct/solved.h"

jn_role jn_source_role(const jn_graph *g, int source)
{
    const jn_expr *e = g->element[g->source[source]].input;
    jn_linear l;
    if (!e || !jn_expr_reads_model(g, e))
        return JN_ROLE_INPUT;
    bool linear = jn_expr_linear(&l, g, e), reads = false;
    for (int i = 0; i < l.n; i++)
        reads |= !jn_ratfun_is_zero(l.term[i].c);
    jn_role role = !linear                  ? JN_ROLE_UNFOLLOWED
                   : !reads                 ? JN_ROLE_INPUT
                   : l.rest == JN_REST_NONE ? JN_ROLE_FEEDBACK
                                            : JN_ROLE_BOTH;
    jn_linear_clear(&l);
    return role;
}

bool jn_source_is_fed(const jn_graph *g, int source)
{
    jn_role role = jn_source_role(g, source);
    return role == JN_ROLE_FEEDBACK || role == JN_ROLE_BOTH;
}

bool jn_graph_has_feedback(const jn_graph *g)
{
    for (int k = 0; k < g->nsources; k++)
        if (jn_source_role(g, k) != JN_ROLE_INPUT)
            return true;
    return false;
}

/* ---- what a source reads ------------------------------------------------------------------- */

/* The column of a storage's z, or of its rate. */
static int column_of(const jn_junction *j, int storage, bool rate)
{
    int e = j->graph->storage[storage];
    bool inertia = j->graph->element[e].kind == JN_I;
    return inertia != rate ? j->port_flow[e] : j->port_effort[e];
}

static void add_number(jn_row *row, int col, const jn_junction *j, jn_ratfun c)
{
    jn_guarded v;
    jn_ratfun number;
    const jn_graph *g = j->graph;
    if (j->numeric && jn_ratfun_put(&number, g->field, c, g->param_value, g->nparams) == JN_OK)
        c = number;
    jn_guarded_init(&v);
    jn_guarded_set_case(&v, jn_guard_true(), c);
    jn_row_add(row, col, &v, j->ring);
    jn_guarded_clear(&v);
}

/* p or q of a storage as it reads in z: x = M·z. */
static void add_state(jn_row *row, const jn_junction *j, int storage, jn_ratfun c)
{
    const jn_graph *g = j->graph;
    int element = g->storage[storage];
    const jn_multiport *f = g->element[element].multiport;
    jn_guarded v;
    jn_guarded_init(&v);
    for (int k = 0; k < (f ? f->nports : 1); k++) {
        int other = f ? f->element[k] : element;
        if (jn_junction_value(&v, j, jn_graph_between(g, element, other)) != JN_OK)
            continue; /* has been said of the law */
        jn_guarded_scale(&v, &v, c, j->ring);
        jn_row_add(row, column_of(j, g->element[other].number, false), &v, j->ring);
    }
    jn_guarded_clear(&v);
}

static void add_terms(jn_row *row, const jn_junction *j, const jn_linear *l)
{
    jn_field *k = j->ring.field;
    for (int i = 0; i < l->n; i++) {
        const struct jn_linear_term *t = &l->term[i];
        bool turned = t->bond >= 0 && !t->effort && j->flow_sign[t->bond] < 0;
        jn_ratfun c = turned ? jn_ratfun_neg(k, t->c) : t->c;
        if (t->storage >= 0)
            add_state(row, j, t->storage, c);
        else
            add_number(row, 2 * t->bond + !t->effort, j, c);
    }
}

/* ---- in terms of the ports' inputs --------------------------------------------------------- */

/* Every pivot replaces the variable that it solves for, in the modes where it holds, by later ones. */
static void resolve_guarded(jn_row *row, const jn_junction *j)
{
    const jn_elimination *e = j->elimination;
    jn_guarded factor;
    jn_guarded_init(&factor);
    for (int i = 0; i < jn_elimination_pivots(e); i++) {
        const jn_pivot *p = jn_elimination_pivot(e, i);
        const jn_guarded *found = jn_row_get(row, p->col);
        if (!found)
            continue;
        jn_guarded_restrict(&factor, found, p->guard, j->ring);
        jn_row_submul(row, &factor, jn_elimination_row(e, p->row), j->ring);
    }
    jn_guarded_clear(&factor);
}

/* The same with the steps of one mode, from the last to the first. */
static jn_status resolve_single(jn_row *row, const jn_junction *j, jn_diags *d)
{
    jn_solver *k = NULL;
    jn_solved *s = NULL;
    jn_status st = jn_solver_of(&k, j, d);
    if (st == JN_OK)
        st = jn_solver_mode(&s, k, j->reference);
    for (int i = s ? s->nsteps - 1 : -1; i >= 0; i--) {
        const jn_guarded *found = jn_row_get(row, s->step[i].col);
        if (!found)
            continue;
        jn_ratfun c = found->c[0].value;
        add_number(row, s->step[i].col, j, jn_ratfun_neg(j->ring.field, c));
        for (int t = s->step[i].first; t < s->step[i].end; t++)
            add_number(row, s->term[t].col, j, jn_ratfun_mul(j->ring.field, c, s->term[t].c));
    }
    jn_solved_free(s);
    jn_solver_free(k);
    return st;
}

/* Per column of the elimination: that of S of which it is the input; −1: none. */
static int *structure_columns(int *n, const jn_implicit *f)
{
    const jn_junction *j = f->junction;
    const jn_graph *g = j->graph;
    *n = 0;
    for (int e = 0; e < g->nelements; e++) {
        *n = j->port_effort[e] >= *n ? j->port_effort[e] + 1 : *n;
        *n = j->port_flow[e] >= *n ? j->port_flow[e] + 1 : *n;
    }
    int *to = jn_alloc((size_t)*n * sizeof *to);
    for (int i = 0; i < *n; i++)
        to[i] = -1;
    for (int i = 0; i < j->ncols; i++) {
        int e = j->col[i].element;
        bool inertia = g->element[e].kind == JN_I;
        bool effort = j->col[i].form == JN_STATE    ? !inertia
                      : j->col[i].form == JN_PSEUDO ? inertia
                      : j->col[i].form == JN_INPUT  ? g->element[e].kind == JN_SE
                                                    : j->col[i].form == JN_FLOW_IN;
        to[effort ? j->port_effort[e] : j->port_flow[e]] = i;
    }
    return to;
}

/* From the columns of the elimination to those of S; returns where something open is left. */
static jn_guard to_structure(jn_row *out, const jn_row *row, const jn_implicit *f, jn_guard where)
{
    const jn_junction *j = f->junction;
    jn_guard open = jn_guard_false();
    jn_guarded v;
    int n, *to = structure_columns(&n, f);
    jn_guarded_init(&v);
    for (int k = 0; k < row->n; k++) {
        int col = row->e[k].col < n ? to[row->e[k].col] : -1;
        jn_guarded_restrict(&v, &row->e[k].value, where, j->ring);
        if (col >= 0)
            jn_row_add(out, col, &v, j->ring);
        else
            open = jn_guard_or(j->ring.guards, open, jn_guarded_support(&v, j->ring));
    }
    jn_guarded_clear(&v);
    free(to);
    return open;
}

bool jni_feedback_binds(const jn_row *row, const jn_implicit *f, int source)
{
    const jn_junction *j = f->junction;
    for (int k = 0; k < row->n; k++)
        if (j->col[row->e[k].col].form == JN_PSEUDO)
            return true;
    for (int i = 0; i < f->n; i++)
        if (j->row[i].form == JN_PSEUDO && jn_row_get(&j->S.row[i], j->nrows + source))
            return true;
    return false;
}

jn_status jni_feedback_row(jn_row *out, jn_guard *open, const jn_implicit *f, int source,
                           jn_guard where, jn_diags *d)
{
    const jn_junction *j = f->junction;
    const jn_graph *g = j->graph;
    jn_status st = JN_OK;
    jn_linear l;
    jn_row row;
    jn_row_init(&row);
    if (jn_expr_linear(&l, g, g->element[g->source[source]].input))
        add_terms(&row, j, &l);
    jn_linear_clear(&l);
    if (j->single)
        st = resolve_single(&row, j, d);
    else
        resolve_guarded(&row, j);
    *open = to_structure(out, &row, f, where);
    jn_row_clear(&row);
    return st;
}
