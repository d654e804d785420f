/* observe.c: in which modes does a causal path lead from a state to an output?
 *
 * The dual of the paths from the sources: an output is a row over the variables of bonds; every
 * pivot of the junction's elimination replaces the variable it solves for, in the modes where it
 * holds, by later ones, so that one pass leaves the inputs of ports, and what a redundant loop
 * leaves open. From the storages and resistors that the outputs read one goes on against the
 * couplings: of resistors by S, of storages by E and A. */
#include <stdlib.h>

#include "reach.h"

enum { WORK_MAX = 2000000 }; /* cases handled in one output's row */

static bool resolve(jn_row *row, const jn_junction *j)
{
    const jn_elimination *e = j->elimination;
    long work = 0;
    jn_guarded factor;
    jn_guarded_init(&factor);
    for (int i = 0; i < jn_elimination_pivots(e) && work < WORK_MAX; i++) {
        const jn_pivot *p = jn_elimination_pivot(e, i);
        const jn_guarded *found = jn_row_get(row, p->col);
        if (!found)
            continue;
        const jn_row *by = jn_elimination_row(e, p->row);
        jn_guarded_restrict(&factor, found, p->guard, j->ring);
        work += (long)factor.n * by->n + row->n;
        jn_row_submul(row, &factor, by, j->ring);
    }
    jn_guarded_clear(&factor);
    return work < WORK_MAX;
}

/* ---- what an output reads ------------------------------------------------------------------ */

typedef struct {
    jn_across *c;
    const jn_junction *j;
    jn_reach reach; /* storages, then resistors */
    jn_guard some;  /* where an output is determined */
} observer;

static jn_guard support_at(const jn_row *row, int col, jn_ring ring)
{
    const jn_guarded *v = col >= 0 ? jn_row_get(row, col) : NULL;
    return v ? jn_guarded_support(v, ring) : jn_guard_false();
}

/* Where a variable is left that is no port's. */
static jn_guard where_open(const jn_row *row, const jn_junction *j)
{
    jn_guard open = jn_guard_false();
    for (int k = 0; k < row->n; k++) {
        bool port = false;
        for (int e = 0; e < j->graph->nelements && !port; e++)
            port = j->port_effort[e] == row->e[k].col || j->port_flow[e] == row->e[k].col;
        if (!port)
            open = jn_guard_or(j->ring.guards, open, jn_guarded_support(&row->e[k].value, j->ring));
    }
    return open;
}

/* The variable of a storage that is z, or its rate: its column. */
static int column_of(const jn_junction *j, int storage, bool rate)
{
    int e = j->graph->storage[storage];
    bool inertia = j->graph->element[e].kind == JN_I;
    return inertia != rate ? j->port_flow[e] : j->port_effort[e];
}

/* What the output reads of the states: by z = F·x in integral causality, and as p and q. They may
 * cancel. */
static void add_states(jn_row *x, const jn_row *row, const observer *o, const jn_ratfun *state)
{
    const jn_junction *j = o->j;
    jn_guarded v, w;
    jn_guarded_init(&v);
    jn_guarded_init(&w);
    for (int i = 0; i < j->graph->nstorages; i++) {
        const jn_guarded *z = jn_row_get(row, column_of(j, i, false));
        const jn_row *law = &o->c->analysis->implicit->F.row[i];
        jn_guarded_set_case(&v, jn_guard_true(), state[i]);
        jn_row_add(x, i, &v, j->ring);
        for (int k = 0; z && k < law->n; k++) {
            jn_guarded_restrict(&v, z, j->integral[i], j->ring);
            jn_guarded_mul(&w, &v, &law->e[k].value, j->ring);
            jn_row_add(x, law->e[k].col, &w, j->ring);
        }
    }
    jn_guarded_clear(&v);
    jn_guarded_clear(&w);
}

/* In derivative causality the rate is read as well. */
static jn_guard reads_storage(const jn_row *x, const jn_row *row, const jn_junction *j, int storage)
{
    jn_guards *g = j->ring.guards;
    jn_guard state = support_at(x, storage, j->ring);
    jn_guard rate = support_at(row, column_of(j, storage, true), j->ring);
    return jn_guard_or(g, state, jn_guard_minus(g, rate, j->integral[storage]));
}

static bool seed_output(observer *o, int output)
{
    const jn_graph *graph = o->j->graph;
    jn_guards *g = o->j->ring.guards;
    jn_ratfun *state = jn_alloc((size_t)graph->nstorages * sizeof *state);
    jn_row row, x;
    jn_row_init(&row);
    jn_row_init(&x);
    jni_output_row(&row, state, o->c->analysis, output);
    bool good = resolve(&row, o->j);
    jn_row_restrict(&row, o->c->good, o->j->ring);
    jn_guard open = where_open(&row, o->j);
    add_states(&x, &row, o, state);
    for (int i = 0; i < graph->nstorages && good; i++)
        jni_reach_seed(&o->reach, i, jn_guard_minus(g, reads_storage(&x, &row, o->j, i), open));
    for (int i = 0; i < graph->nresistors && good; i++) {
        int e = graph->resistor[i];
        jn_guard reads = jn_guard_or(g, support_at(&row, o->j->port_effort[e], o->j->ring),
                                     support_at(&row, o->j->port_flow[e], o->j->ring));
        jni_reach_seed(&o->reach, graph->nstorages + i, jn_guard_minus(g, reads, open));
    }
    o->some = jn_guard_or(g, o->some, jn_guard_minus(g, o->c->good, open));
    jn_row_clear(&row);
    jn_row_clear(&x);
    free(state);
    return good;
}

/* ---- against the couplings ----------------------------------------------------------------- */

/* The node of a storage or resistor; −1: a source. */
static int node_of(const jn_graph *g, int element)
{
    const jn_element *e = &g->element[element];
    return jn_kind_is_storage(e->kind) ? e->number
           : e->kind == JN_R           ? g->nstorages + e->number
                                       : -1;
}

/* From a resistor, through what its row of S reads, to a resistor or, by z = F·x, to states. */
static void couple_column(observer *o, int from, int element, jn_guard where)
{
    const jn_junction *j = o->j;
    int to = node_of(j->graph, element);
    if (to >= j->graph->nstorages) {
        jni_reach_couple(&o->reach, from, to, where);
        return;
    }
    const jn_row *law = to < 0 ? NULL : &o->c->analysis->implicit->F.row[to];
    for (int k = 0; law && k < law->n; k++) {
        jn_guard reads = jn_guarded_support(&law->e[k].value, j->ring);
        jni_reach_couple(&o->reach, from, law->e[k].col,
                         jn_guard_and(j->ring.guards, where, reads));
    }
}

/* Ports of a field of resistors read each other. */
static void couple_fields(observer *o)
{
    const jn_graph *g = o->j->graph;
    for (int i = 0; i < g->nresistors; i++) {
        const jn_multiport *f = g->element[g->resistor[i]].multiport;
        for (int k = 0; f && k < f->nports; k++)
            jni_reach_couple(&o->reach, g->nstorages + i, node_of(g, f->element[k]),
                             jn_guard_true());
    }
}

static void couple_resistors(observer *o)
{
    const jn_junction *j = o->j;
    for (int i = 0; i < j->nrows; i++) {
        int from = node_of(j->graph, j->row[i].element);
        for (int k = 0; k < j->S.row[i].n && from >= j->graph->nstorages; k++)
            couple_column(o, from, j->col[j->S.row[i].e[k].col].element,
                          jn_guarded_support(&j->S.row[i].e[k].value, j->ring));
    }
    couple_fields(o);
}

static void couple_states(observer *o, const jn_matrix *m)
{
    const jn_implicit *f = o->c->analysis->implicit;
    for (int i = 0; i < m->nrows; i++)
        for (int k = 0; k < m->row[i].n; k++)
            jni_reach_couple(&o->reach, node_of(o->j->graph, f->x[i].element),
                             node_of(o->j->graph, f->x[m->row[i].e[k].col].element),
                             jn_guarded_support(&m->row[i].e[k].value, o->j->ring));
}

void jni_across_observed(jn_across *c)
{
    const jn_analysis *a = c->analysis;
    const jn_junction *j = a->implicit->junction;
    jn_guards *g = j->ring.guards;
    int n = a->graph->nstorages;
    observer o = {.c = c, .j = j, .some = jn_guard_false()};
    c->outputs_known = a->noutputs > 0 && !a->nfed;
    c->unobserved = jn_alloc((size_t)n * sizeof *c->unobserved);
    c->some_unobserved = jn_guard_false();
    jni_reach_init(&o.reach, j->ring, n + a->graph->nresistors);
    for (int i = 0; i < a->noutputs && c->outputs_known; i++)
        c->outputs_known = seed_output(&o, a->output[i]);
    if (c->outputs_known) {
        couple_resistors(&o);
        couple_states(&o, &a->implicit->E);
        couple_states(&o, &a->implicit->A);
        jni_reach_solve(&o.reach);
    }
    for (int i = 0; i < n && c->outputs_known; i++) {
        jn_guard state = jn_guard_and(g, o.some, j->integral[i]);
        c->unobserved[i] = jn_guard_minus(g, state, o.reach.reached[i]);
        c->some_unobserved = jn_guard_or(g, c->some_unobserved, c->unobserved[i]);
    }
    jni_reach_clear(&o.reach);
}
