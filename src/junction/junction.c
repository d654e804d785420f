/* junction.c: causality, Λ(λ), S(λ) and forbidden modes by one guarded elimination.
 *
 * In every mode the junction structure (junctions, TF, GY) is a linear relation between the
 * efforts and flows of its ports. Causality is the choice, for each port, of the variable that is
 * the junction structure's output. So both are read off one Gaussian elimination:
 *
 *   1. Write the laws as rows over all bond variables; a controlled junction puts λ and ¬λ into
 *      the coefficients (laws.c).
 *   2. Eliminate the variables of internal bonds. What is left relates the ports (ports.c).
 *   3. Serve the ports: sources, then I and C by priority, then R. Each pivots on the variable it
 *      wants as output (Se: f, Sf: e, I: e = ṗ, C: f = q̇, R: as in the reference mode), and on
 *      the conjugate in the modes where that is impossible.
 *
 * The guard under which a port got what it wants is its causality. It is constant for static
 * causality; otherwise it and its negation are the port's two entries of Λ. The solved rows are S
 * (structure.c). A mode is forbidden where a source did not get its variable; the row says why
 * (forbidden.c). Serving the ports greedily is optimal: as many storages as possible are in
 * integral causality in every mode, for the sets of possible outputs form a matroid. */
#include <stdlib.h>
#include <string.h>

#include "junction_internal.h"

/* ---- setting up ------------------------------------------------------------------------------ */

static void place_port(builder *b, int element, int *extra)
{
    const jn_element *x = &b->g->element[element];
    const jn_bond *bond = &b->g->bond[x->bond[0]];
    bool shared = jn_kind_is_port(b->g->element[bond->tail].kind) &&
                  jn_kind_is_port(b->g->element[bond->head].kind);
    port *p = &b->port[b->nports];
    p->element = element;
    p->effort = effort_col(x->bond[0]);
    p->flow = flow_col(x->bond[0]);
    if (shared && bond->head == element) {
        p->effort = (*extra)++;
        p->flow = (*extra)++;
    } else if (bond->tail == element && !jn_kind_is_source(x->kind)) {
        b->j->flow_sign[x->bond[0]] = -1;
    }
    b->j->port_effort[element] = p->effort;
    b->j->port_flow[element] = p->flow;
    b->port_at[p->effort] = b->port_at[p->flow] = b->nports++;
}

typedef struct {
    int element, priority;
} ranked;

/* Higher priority first; equal ones stay in file order. */
static int by_priority(const void *a, const void *b)
{
    const ranked *x = a, *y = b;
    if (x->priority != y->priority)
        return x->priority > y->priority ? -1 : 1;
    return x->element - y->element;
}

static void place_storages(builder *b, int *extra)
{
    const jn_graph *g = b->g;
    ranked *r = jn_alloc((size_t)g->nstorages * sizeof *r);
    for (int i = 0; i < g->nstorages; i++)
        r[i] = (ranked){g->storage[i], g->element[g->storage[i]].priority};
    qsort(r, (size_t)g->nstorages, sizeof *r, by_priority);
    for (int i = 0; i < g->nstorages; i++)
        place_port(b, r[i].element, extra);
    free(r);
}

static void place_ports(builder *b)
{
    const jn_graph *g = b->g;
    int n = g->nsources + g->nstorages + g->nresistors, extra = 2 * g->nbonds;
    b->ncols = 2 * g->nbonds + 2 * n;
    b->port = jn_alloc((size_t)n * sizeof *b->port);
    b->port_at = jn_alloc((size_t)b->ncols * sizeof *b->port_at);
    for (int c = 0; c < b->ncols; c++)
        b->port_at[c] = -1;
    for (int i = 0; i < g->nsources; i++)
        place_port(b, g->source[i], &extra);
    place_storages(b, &extra);
    for (int i = 0; i < g->nresistors; i++)
        place_port(b, g->resistor[i], &extra);
}

static void start(builder *b, const jn_graph *g, bool numeric)
{
    jn_junction *j = b->j;
    int *order = jn_switch_order(g);
    j->graph = g;
    j->numeric = numeric;
    j->ring = (jn_ring){jn_guards_new(g->nswitches, order), g->field};
    free(order);
    j->allowed = jn_guard_true();
    j->forbidden = jn_guard_false();
    j->special = jn_guard_false();
    j->integral = jn_alloc((size_t)g->nstorages * sizeof *j->integral);
    j->resistance = jn_alloc((size_t)g->nresistors * sizeof *j->resistance);
    j->imposed = jn_alloc((size_t)g->nsources * sizeof *j->imposed);
    j->reference = jn_alloc((size_t)g->nswitches * sizeof *j->reference);
    j->stroke = jn_alloc((size_t)g->nbonds * sizeof *j->stroke);
    j->undetermined = jn_alloc((size_t)g->nbonds * sizeof *j->undetermined);
    j->flow_sign = jn_alloc((size_t)g->nbonds * sizeof *j->flow_sign);
    j->port_effort = jn_alloc((size_t)g->nelements * sizeof *j->port_effort);
    j->port_flow = jn_alloc((size_t)g->nelements * sizeof *j->port_flow);
    for (int i = 0; i < g->nbonds; i++)
        j->flow_sign[i] = 1;
    for (int i = 0; i < g->nelements; i++)
        j->port_effort[i] = j->port_flow[i] = -1;
    b->g = g;
    b->ring = j->ring;
    b->unsolved = jn_alloc(2 * (size_t)g->nbonds * sizeof *b->unsolved);
    for (int c = 0; c < 2 * g->nbonds; c++)
        b->unsolved[c] = jn_guard_false();
    place_ports(b);
    b->elim = j->elimination = jn_elimination_new(b->ring, b->ncols);
    if (!numeric)
        jn_elimination_values(b->elim, g->param_value, g->nparams);
}

static void finish(builder *b)
{
    free(b->unsolved);
    free(b->port);
    free(b->port_at);
}

/* ---- what the user is told ------------------------------------------------------------------- */

static void report_failure(jn_status s, const builder *b, jn_diags *d)
{
    jn_place nowhere = {0};
    if (jn_interrupted())
        jn_diag_add(d, JN_D_INTERRUPTED, nowhere, "the causality of all modes was");
    else if (jn_guards_failed(b->ring.guards))
        jn_diag_add(d, JN_D_GUARDS_LIMIT, nowhere, b->g->nswitches);
    else if (jn_field_failed(b->ring.field))
        jn_diag_add(d, JN_D_TERMS_LIMIT, nowhere);
    else if (s == JN_BUG)
        jn_diag_add(d, JN_D_INTERNAL, nowhere, "a port has neither its effort nor its flow");
}

/* A bond that floats in some modes only (all its switches open, say) is no cause for concern. */
static void warn_loops(const builder *b, jn_diags *d)
{
    for (int i = 0; i < b->g->nbonds; i++)
        if (!jn_guard_is_false(b->j->allowed) &&
            jn_guard_implies(b->ring.guards, b->j->allowed, b->j->undetermined[i]))
            jn_diag_add(d, JN_D_LOOP_REDUNDANT, b->g->bond[i].place, b->g->bond[i].name);
}

/* A switch that makes a difference with the values given only is not idle. */
static void warn_idle(const builder *b, jn_diags *d)
{
    bool *idle = jn_alloc((size_t)b->g->nswitches * sizeof *idle);
    bool *special = jn_alloc((size_t)b->g->nswitches * sizeof *special);
    jn_junction_idle_switches(idle, b->j);
    jn_guard_support(special, b->ring.guards, b->j->special);
    for (int i = 0; i < b->g->nswitches; i++) {
        const jn_element *x = &b->g->element[b->g->sw[i]];
        if (idle[i] && !special[i])
            jn_diag_add(d, JN_D_SWITCH_IDLE, x->place, x->name, x->name);
    }
    free(idle);
    free(special);
}

enum { REASONS_SHOWN = 10 };

/* No mode is allowed: the first reason, the others as notes. */
static void complain_of_reasons(const builder *b, jn_diags *d)
{
    jn_str why;
    jn_str_init(&why);
    for (int i = 0; i < b->j->nreasons && i < REASONS_SHOWN; i++) {
        const jn_reason *r = &b->j->reason[i];
        jn_place place = b->g->element[r->source].place;
        jn_str_reset(&why);
        jn_reason_print(&why, b->j, r);
        if (i == 0)
            jn_diag_add(d, JN_D_ALL_FORBIDDEN, place, jn_str_c(&why));
        else
            jn_diag_note(d, place, "and %s", jn_str_c(&why));
    }
    if (b->j->nreasons > REASONS_SHOWN)
        jn_diag_note(d, b->g->element[b->j->reason[0].source].place, "and %d more reasons",
                     b->j->nreasons - REASONS_SHOWN);
    jn_str_clear(&why);
}

/* Whether some mode is allowed with the values given, though none is for others. */
static bool values_allow(const builder *b)
{
    jn_junction *j = NULL;
    jn_diags *unsaid = jn_diags_new();
    bool allow = !jn_guard_is_false(b->j->special) &&
                 jn_junction_build(&j, b->g, true, unsaid) == JN_OK &&
                 !jn_guard_is_false(j->allowed);
    jn_junction_free(j);
    jn_diags_free(unsaid);
    return allow;
}

static void report(const builder *b, jn_diags *d)
{
    b->j->special = jn_junction_special(b->j, b->elim, d);
    warn_loops(b, d);
    if (!jn_guard_is_false(b->j->allowed))
        warn_idle(b, d);
    else if (!values_allow(b))
        complain_of_reasons(b, d);
}

/* ---- the stage ------------------------------------------------------------------------------- */

jn_status jn_junction_build(jn_junction **out, const jn_graph *g, bool numeric, jn_diags *d)
{
    builder b = {.j = jn_alloc(sizeof(jn_junction))};
    *out = NULL;
    start(&b, g, numeric);
    jn_status s = jn_write_laws(&b, d);
    if (s == JN_OK) {
        jn_solve_internal(&b);
        s = jn_solve_ports(&b);
    }
    if (s == JN_OK) {
        jn_find_reasons(&b);
        jn_assemble(&b);
        jn_find_undetermined(&b);
        jn_assign_strokes(&b);
        if (!jn_guards_failed(b.ring.guards))
            report(&b, d);
        if (jn_guards_failed(b.ring.guards))
            s = JN_UNABLE;
    }
    if (s == JN_OK) {
        *out = b.j;
    } else {
        report_failure(s, &b, d);
        jn_junction_free(b.j);
    }
    finish(&b);
    return s;
}

void jn_junction_free(jn_junction *j)
{
    if (!j)
        return;
    for (int i = 0; i < j->nreasons; i++)
        free(j->reason[i].term);
    free(j->reason);
    jn_matrix_clear(&j->S);
    free(j->row);
    free(j->Lambda);
    free(j->col);
    free(j->integral);
    free(j->resistance);
    free(j->imposed);
    free(j->reference);
    free(j->stroke);
    free(j->undetermined);
    free(j->flow_sign);
    free(j->port_effort);
    free(j->port_flow);
    jn_elimination_free(j->elimination);
    jn_guards_free(j->ring.guards);
    free(j);
}
