/* junction.c: causality, Λ(λ), S(λ) and forbidden modes by one guarded elimination.
 *
 * In every mode the junction structure (junctions, TF, GY) is a linear relation between the
 * efforts and flows of its ports. Causality is the choice, for each port, of the variable that is
 * the junction structure's output. So both are read off one Gaussian elimination:
 *
 *   1. Write the laws as rows over all bond variables; a controlled junction puts λ and ¬λ into
 *      the coefficients (laws.c). A junction with many bonds is a tree of small ones (spread.c).
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

/* ---- setting up ---------------------------------------------------------------------------- */

static void place_ports(builder *b)
{
    columns c;
    b->shorted = jni_shorted_somewhere(b->j->graph, b->options->numeric, NULL);
    jni_place_columns(&c, b->g, NULL, NULL, NULL, b->shorted);
    b->ncols = c.ncols;
    b->nports = c.nports;
    b->port = c.port;
    b->port_at = c.port_at;
    b->j->flow_sign = c.flow_sign;
    b->j->port_effort = c.port_effort;
    b->j->port_flow = c.port_flow;
}

void jni_junction_start(jn_junction *j, const jn_graph *g, bool numeric, const int *order)
{
    j->graph = g;
    j->numeric = numeric;
    j->ring = (jn_ring){jn_guards_new(g->nswitches, order), g->field};
    j->allowed = jn_guard_true();
    j->forbidden = jn_guard_false();
    j->special = jn_guard_false();
    j->integral = jn_alloc((size_t)g->nstorages * sizeof *j->integral);
    j->resistance = jn_alloc((size_t)g->nresistors * sizeof *j->resistance);
    j->imposed = jn_alloc((size_t)g->nsources * sizeof *j->imposed);
    j->reference = jn_alloc((size_t)g->nswitches * sizeof *j->reference);
}

static void start(builder *b, const jn_graph *model)
{
    b->spread = jni_spread(model);
    const jn_graph *g = b->g = b->spread ? b->spread : model;
    int *order = jni_switch_order(g);
    jni_junction_start(b->j, g, b->options->numeric, order);
    free(order);
    b->j->graph = model;
    b->j->limits = b->options->limits;
    if (b->options->setting) {
        b->j->setting = jn_alloc((size_t)g->nswitches);
        memcpy(b->j->setting, b->options->setting, (size_t)g->nswitches);
    }
    jn_guards_within(b->j->ring.guards, &b->j->limits);
    b->ring = b->j->ring;
    b->unsolved = jn_alloc(2 * (size_t)g->nbonds * sizeof *b->unsolved);
    for (int c = 0; c < 2 * g->nbonds; c++)
        b->unsolved[c] = jn_guard_false();
    place_ports(b);
    b->elim = b->j->elimination = jn_elimination_new(b->ring, b->ncols);
    if (!b->j->numeric)
        jn_elimination_values(b->elim, g->param_value, g->nparams);
}

static void finish(builder *b)
{
    free(b->unsolved);
    free(b->port);
    free(b->port_at);
    free(b->shorted);
    jni_spread_free(b->spread);
}

/* Of loops that are in all modes is told in any case. */
static void look_at_bonds(builder *b)
{
    if (b->options->no_bonds && !jni_may_have_loops(b))
        return;
    jni_find_undetermined(b);
    if (!b->options->no_bonds)
        jni_assign_strokes(b);
}

/* ---- what the user is told ----------------------------------------------------------------- */

static void report_failure(jn_status s, const builder *b, jn_diags *d)
{
    const char *what = "the causality of all modes was";
    if (jn_junction_check_limits(b->j, what, d) == JN_OK && s == JN_BUG)
        jn_diag_add(d, JN_D_INTERNAL, (jn_place){0}, "a port has neither its effort nor its flow");
}

enum { LOOP_NAMED = 8 }; /* bonds */

/* One warning for all of them: a circuit without a ground is full of them. A bond that floats in some
 * modes only (all its switches open, say) is no cause for concern. */
void jni_warn_loops(const jn_junction *j, jn_diags *d)
{
    const jn_graph *g = j->graph;
    int n = 0, first = 0;
    jn_str names;
    jn_str_init(&names);
    bool asked = j->undetermined && !jn_guard_is_false(j->allowed);
    for (int i = 0; i < g->nbonds && asked; i++) {
        if (!jn_guard_implies(j->ring.guards, j->allowed, j->undetermined[i]))
            continue;
        first = n ? first : i;
        if (n++ < LOOP_NAMED)
            jn_str_addf(&names, "%s%s", n > 1 ? ", " : "", g->bond[i].name);
    }
    if (n > LOOP_NAMED)
        jn_str_addf(&names, " and %d more", n - LOOP_NAMED);
    if (n) {
        jn_str text;
        jn_str_init(&text);
        jn_str_addf(&text, n > 1 ? "bonds %s lie" : "bond %s lies", jn_str_c(&names));
        jn_diag_add(d, JN_D_LOOP_REDUNDANT, g->bond[first].place, jn_str_c(&text),
                    n > 1 ? "their" : "its");
        jn_str_clear(&text);
    }
    jn_str_clear(&names);
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
void jni_complain_of_reasons(const jn_junction *j, jn_diags *d)
{
    jn_str why;
    jn_str_init(&why);
    for (int i = 0; i < j->nreasons && i < REASONS_SHOWN; i++) {
        const jn_reason *r = &j->reason[i];
        jn_place place = j->graph->element[r->source].place;
        jn_str_reset(&why);
        jn_reason_print(&why, j, r);
        if (i == 0)
            jn_diag_add(d, JN_D_ALL_FORBIDDEN, place, jn_str_c(&why));
        else
            jn_diag_note(d, place, "and %s", jn_str_c(&why));
    }
    if (j->nreasons > REASONS_SHOWN)
        jn_diag_note(d, j->graph->element[j->reason[0].source].place, "and %d more reasons",
                     j->nreasons - REASONS_SHOWN);
    jn_str_clear(&why);
}

bool jni_junction_keep_values(jn_junction *j, jn_junction *with_values, jn_diags *said)
{
    bool allow = with_values && !jn_guard_is_false(with_values->allowed);
    if (!allow) {
        jn_junction_free(with_values);
        jn_diags_free(said);
        return false;
    }
    j->with_values = with_values;
    j->of_values = said;
    return true;
}

/* Whether some mode is allowed with the values given, though none is for others. */
static bool values_allow(const builder *b)
{
    jn_junction *j = NULL;
    jn_junction_options numeric = *b->options;
    numeric.numeric = true;
    if (jn_guard_is_false(b->j->special))
        return false;
    jn_diags *said = jn_diags_new();
    if (jn_junction_build_with(&j, b->j->graph, &numeric, said) != JN_OK)
        j = NULL;
    return jni_junction_keep_values(b->j, j, said);
}

static void report(const builder *b, jn_diags *d)
{
    b->j->special = jn_guard_or(b->ring.guards, jn_junction_special(b->j, b->elim, d),
                                jni_special_resistors(b->j, d));
    jni_warn_loops(b->j, d);
    if (!jn_guard_is_false(b->j->allowed)) {
        if (!b->options->setting)
            warn_idle(b, d);
    } else if (!values_allow(b)) {
        jni_complain_of_reasons(b->j, d);
    }
}

/* What has been computed is said, whatever that takes. */
static void report_at_leisure(const builder *b, jn_diags *d)
{
    jn_junction_unlimited(b->j);
    report(b, d);
    jn_guards_within(b->ring.guards, &b->options->limits);
}

/* ---- the stage ----------------------------------------------------------------------------- */

jn_status jn_junction_build(jn_junction **out, const jn_graph *g, bool numeric, jn_diags *d)
{
    return jn_junction_build_with(out, g, &(jn_junction_options){.numeric = numeric}, d);
}

jn_status jn_junction_build_with(jn_junction **out, const jn_graph *g,
                                 const jn_junction_options *options, jn_diags *d)
{
    builder b = {.j = jn_alloc(sizeof(jn_junction)), .options = options};
    *out = NULL;
    start(&b, g);
    jn_status s = jni_write_laws(&b, d);
    if (s == JN_OK) {
        jni_solve_internal(&b);
        s = jni_solve_ports(&b);
    }
    if (s == JN_OK) {
        jni_find_reasons(&b);
        jni_assemble(&b);
        look_at_bonds(&b);
        if (!jn_guards_failed(b.ring.guards))
            report_at_leisure(&b, d);
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

void jn_junction_unlimited(jn_junction *j)
{
    jn_guards_within(j->ring.guards, NULL);
}

jn_status jn_junction_check_limits(const jn_junction *j, const char *what, jn_diags *d)
{
    jn_place nowhere = {0};
    int n = j->graph->nswitches;
    jn_spent spent = jn_guards_spent(j->ring.guards);
    if (spent == JN_STOP_ASKED || jn_interrupted())
        jn_diag_add(d, JN_D_INTERRUPTED, nowhere, what);
    else if (spent == JN_SECONDS_SPENT)
        jn_diag_add(d, JN_D_SECONDS_LIMIT, nowhere, n, j->limits.seconds);
    else if (spent == JN_MEGABYTES_SPENT)
        jn_diag_add(d, JN_D_MEGABYTES_LIMIT, nowhere, n, j->limits.megabytes);
    else if (spent == JN_NODES_SPENT)
        jn_diag_add(d, JN_D_GUARDS_LIMIT, nowhere, n);
    else if (jn_field_failed(j->ring.field))
        jn_diag_add(d, JN_D_TERMS_LIMIT, nowhere);
    else
        return JN_OK;
    return JN_UNABLE;
}

void jn_junction_free(jn_junction *j)
{
    if (!j)
        return;
    for (int i = 0; i < j->nreasons; i++)
        free(j->reason[i].term);
    free(j->reason);
    jn_junction_free(j->with_values);
    jn_diags_free(j->of_values);
    jn_matrix_clear(&j->S);
    free(j->row);
    free(j->Lambda);
    free(j->col);
    free(j->integral);
    free(j->resistance);
    free(j->imposed);
    free(j->reference);
    free(j->setting);
    free(j->stroke);
    free(j->undetermined);
    free(j->flow_sign);
    free(j->port_effort);
    free(j->port_flow);
    jn_elimination_free(j->elimination);
    jn_guards_free(j->ring.guards);
    free(j);
}
