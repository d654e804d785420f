/* run_create.c: from a graph to a run at its start. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "instant.h"

static void warn_unswitched(const jn_graph *g, jn_diags *d)
{
    for (int i = 0; i < g->nswitches; i++) {
        const jn_element *x = &g->element[g->automaton[i].element];
        if (!g->automaton[i].given)
            jn_diag_add(d, JN_D_RUN_UNSWITCHED, x->place, x->name, x->name);
    }
}

/* ---- which engine -------------------------------------------------------------------------- */

static const jn_element *first_nonlinear(const model *m)
{
    const jn_graph *g = m->g;
    for (int i = 0; i < g->nelements; i++)
        if ((g->element[i].modulated && !jni_is_switched_element(m, i)) || g->element[i].nonlinear)
            return &g->element[i];
    return NULL;
}

/* What is integrated, and not linear. NULL: all are. */
static const jn_expr *nonlinear_integrand(const model *m)
{
    for (int i = 0; i < m->ns; i++)
        if (m->integral[i].of && !m->integral[i].is_linear)
            return m->integral[i].of;
    return NULL;
}

/* An element, or an integral (with none), that cannot be followed exactly. */
static bool is_exact(const jn_element **x, jn_sim *s)
{
    int which = -1;
    *x = first_nonlinear(&s->model);
    if (*x || nonlinear_integrand(&s->model))
        return false;
    s->gen = jni_generator_new(s, s->model.ns > 0, &which);
    if (!s->gen)
        *x = &s->model.g->element[which];
    return s->gen;
}

static jn_status choose_engine(jn_sim *s, jn_diags *d)
{
    const jn_element *x;
    bool exact = is_exact(&x, s);
    if (exact && s->o.method != JN_METHOD_RADAU) {
        s->engine = &jni_exact_engine;
        return JN_OK;
    }
    if (s->o.method == JN_METHOD_EXACT) {
        if (x)
            jn_diag_add(d, JN_D_RUN_NONLINEAR, x->place, x->name);
        else
            jn_diag_add(d, JN_D_RUN_INTEGRAL, nonlinear_integrand(&s->model)->place);
        return JN_INVALID;
    }
    jni_generator_free(s->gen);
    s->gen = NULL;
    s->gen = jni_generator_plain(s);
    s->engine = &jni_integrate_engine;
    jni_integrate_begin(s);
    return JN_OK;
}

/* Those of all expressions that move the model. */
static void collect_branches(jn_sim *s)
{
    const jn_graph *g = s->model.g;
    s->branches = jni_branches_new(&s->model);
    for (int i = 0; i < g->nelements; i++) {
        const jn_element *x = &g->element[i];
        const jn_expr *each[] = {
            x->input, jni_is_switched_element(&s->model, i) ? NULL : x->modulation, x->law};
        for (size_t k = 0; k < sizeof each / sizeof *each; k++)
            if (each[k])
                jni_branches_collect(s->branches, each[k]);
    }
    for (int i = 0; i < s->model.ns; i++)
        if (s->model.integral[i].of)
            jni_branches_collect(s->branches, s->model.integral[i].of);
    jni_seams_find(s->branches);
    jni_pieces_branch(s->branches);
}

/* ---- the start ----------------------------------------------------------------------------- */

/* Efforts or flows of the ports of a field set their states together, in the mode that is first. */
static void set_initial_fields(jn_sim *s, const mode *m)
{
    model *k = &s->model;
    for (int i = 0; i < k->nx; i++) {
        const jn_element *x = &k->g->element[k->g->storage[i]];
        if (!x->multiport || !x->initial || x->initial_is_state)
            continue;
        s->now.x[i] = 0;
        for (int e = 0; e < m->M[i].n; e++) {
            int other = k->g->storage[m->M[i].col[e]];
            s->now.x[i] += m->M[i].a[e] * jni_constant(k, k->g->element[other].initial);
        }
    }
}

/* As given in place of the model. */
static void set_given(jn_sim *s, const jn_sim_start *from)
{
    const model *m = &s->model;
    if (from->state)
        memcpy(s->now.x, from->state, (size_t)m->nx * sizeof *s->now.x);
    if (from->integral)
        memcpy(s->now.integral, from->integral, (size_t)m->ns * sizeof *s->now.integral);
    if (from->discrete)
        memcpy(s->now.discrete, from->discrete, (size_t)m->nd * sizeof *s->now.discrete);
}

/* Without an initial value a storage is empty. */
static void set_initial_state(jn_sim *s)
{
    model *m = &s->model;
    for (int i = 0; i < m->nx; i++) {
        const jn_element *x = &m->g->element[m->g->storage[i]];
        s->now.x[i] = x->initial ? jni_constant(m, x->initial) : 0;
        if (x->initial && !x->initial_is_state)
            s->now.x[i] *= s->engine->is_exact ? m->storage[i] : 0; /* see find_initial_state */
    }
    for (int i = 0; i < m->ns; i++)
        s->now.integral[i] = m->integral[i].start;
    for (int i = 0; i < m->g->ndiscretes; i++)
        s->now.discrete[i] = jni_constant(m, m->g->discrete[i].initial);
}

/* Those that turn together begin on one side, whichever: 2·max(f, 0) + min(f, 0)/2 is nothing at all where neither is
 * taken. */
static void start_together(jn_sim *s)
{
    for (int g = 0; g < s->watch.nsurfaces; g++) {
        const surface *x = &s->watch.surface[g];
        bool moves = x->kind == SURFACE_LINEAR || x->kind == SURFACE_SAMPLED;
        if (moves && x->turns.n > 1 && !jni_ways_side(s, x))
            jni_ways_turn(s, g, -1);
    }
}

/* Branches on what time, switches and discrete variables say are known before the first mode. */
static void start_branches(jn_sim *s)
{
    start_together(s);
    view v = {.s = s, .state = s->now.state, .discrete = s->now.discrete, .t = s->clock.t};
    for (int i = 0; i < jni_branches_count(s->branches); i++) {
        const jn_expr *c = jni_branch_condition(s->branches, i);
        if (!jni_reads_model(&s->model, c))
            jni_branch_set(s->branches, i, jni_holds(&v, c));
    }
    for (int i = 0; i < s->model.steps.n; i++) {
        const jn_expr *e = s->model.steps.item[i].argument;
        if (!jni_reads_model(&s->model, e))
            s->now.discrete[jni_step_discrete(&s->model, i)] = floor(jni_evaluate(&v, e));
    }
}

/* Values of storages that switches change set the state of an initial effort or flow. */
static void scale_initial(jn_sim *s, const mode *m)
{
    const model *k = &s->model;
    for (int i = 0; i < k->nx && m->own_values; i++) {
        const jn_element *x = &k->g->element[k->g->storage[i]];
        if (x->initial && !x->initial_is_state && !x->multiport && s->engine->is_exact)
            s->now.x[i] *= m->storage[i] / k->storage[i];
    }
}

/* Where efforts and flows are given in place of states. False: some give none. */
static bool find_initial_state(jn_sim *s, mode *m, jn_diags *d)
{
    const jn_graph *g = s->model.g;
    scale_initial(s, m);
    set_initial_fields(s, m);
    int element = s->engine->is_exact ? -1 : jni_integrate_initial(s, m);
    if (element < 0)
        return true;
    const jn_element *x = &g->element[element];
    jn_str why;
    jn_str_init(&why);
    jn_str_addf(&why, "%s0 of '%s' is that of no state", x->kind == JN_I ? "f" : "e", x->name);
    jn_diag_add(d, JN_D_RUN_START, x->place, jn_str_c(&why),
                x->kind == JN_I ? "give p0 in its place, or let the law have that value somewhere"
                                : "give q0 in its place, or let the law have that value somewhere");
    jn_str_clear(&why);
    return false;
}

/* What may help where a run cannot begin. */
static const char *start_advice(jn_stop why, const jn_graph *g)
{
    bool switches = false;
    for (int i = 0; i < g->nswitches; i++)
        switches |= g->automaton[i].given;
    switch (why) {
    case JN_STOP_FORBIDDEN:
        return switches
                   ? "let the switches start in states that do not join these sources, or put a "
                     "resistor between them"
               : g->nswitches ? "no 'switch' statement says when the controlled junctions are on, "
                                "so that all of "
                                "them are: give each one, or put a resistor between these sources"
                              : "put a resistor between these sources, or take one of them away";
    case JN_STOP_LOOP:
        return "check the states in which these switches start and what their conditions read in "
               "each of the "
               "modes (diodes: also which way they point)";
    case JN_STOP_SINGULAR:
        return "check the initial values and the laws in this mode; what nothing determines is "
               "settled by a "
               "resistor or a storage beside it";
    case JN_STOP_UNDETERMINED:
        return "let the condition read what this mode determines and gives a value, or add an "
               "element that "
               "determines it";
    case JN_STOP_ASSERT:
        return "change the initial values, or what is claimed of them";
    case JN_STOP_SURFACES:
    case JN_STOP_ZENO:
        return "begin a little beside these surfaces, or give the conditions a hysteresis";
    default:
        return "check what is named, with the initial values and at t = 0: each value must be "
               "finite, and each law "
               "have one";
    }
}

/* There is no run yet to look at: none is given back to those who would, at a pinnacle or before an event. */
static jn_status first_instant(jn_sim *s, jn_stopped *stop)
{
    const jn_sim_options o = s->o;
    s->o.on_pinnacle = s->o.before_event = NULL;
    jn_status st = jni_instant_run(s, JN_EVENT_START, NULL, stop);
    if (st == JN_OK)
        st = jni_check_promises(s, stop);
    if (st == JN_OK)
        st = jni_settle_on(s, stop);
    s->o.on_pinnacle = o.on_pinnacle;
    s->o.before_event = o.before_event;
    return st;
}

static jn_status start(jn_sim *s, const jn_sim_start *from, jn_diags *d)
{
    const jn_graph *g = s->model.g;
    jn_stopped stop;
    for (int i = 0; i < g->nswitches; i++)
        s->now.state[i] = from->automaton ? from->automaton[i] : g->automaton[i].initial;
    s->course.span = s->o.span > 0 ? s->o.span : g->to ? jni_constant(&s->model, g->to) : 0;
    if (!(s->course.span > 0 && isfinite(s->course.span)))
        s->course.span = 0;
    set_initial_state(s);
    set_given(s, from);
    if (!s->engine->is_exact)
        jni_integrate_start(s);
    jni_clock_start(s);
    start_branches(s);
    jni_set_onoff(s);
    mode *m = jni_mode_get(s, s->now.onoff, false);
    if (!from->state && !find_initial_state(s, m, d))
        return JN_INVALID;
    if (!s->engine->is_exact)
        jni_integrate_start(s);
    if (s->o.idle || first_instant(s, &stop) == JN_OK)
        return JN_OK;
    if (stop.why == JN_STOP_INTERRUPTED) {
        jn_diag_add(d, JN_D_INTERRUPTED, (jn_place){0}, "the start of the run was");
        return JN_UNABLE;
    }
    jn_diag_add(d, JN_D_RUN_START, jni_blamed(s), stop.message, start_advice(stop.why, g));
    return JN_INVALID;
}

static void allocate(jn_sim *s)
{
    const model *m = &s->model;
    size_t n = (size_t)m->g->nswitches;
    s->now.x = jni_doubles(m->nx);
    s->now.integral = jni_doubles(m->ns);
    s->now.discrete = jni_doubles(m->nd);
    s->now.onoff = jn_alloc(n);
    s->now.state = jn_alloc(n * sizeof *s->now.state);
    s->clock.old_state = jn_alloc(n * sizeof *s->clock.old_state);
    s->clock.schedule = jn_alloc(n * sizeof *s->clock.schedule);
}

/* The element that the mode which could not be entered is about; the first switch, or nothing. */
jn_place jni_blamed(const jn_sim *s)
{
    const jn_graph *g = s->model.g;
    const mode *m = s->modes.last;
    if (s->trouble.broken >= 0)
        return g->element[s->trouble.broken].place;
    if (m && m->solved && m->solved->nreasons)
        return g->element[m->solved->reason[0].source].place;
    return g->nswitches   ? g->element[g->sw[0]].place
           : g->nelements ? g->element[0].place
                          : (jn_place){0};
}

jn_status jni_run_prepare(jn_sim *s, const jn_graph *g, table_data *tables, jn_diags *d)
{
    s->trouble.lost = s->trouble.broken = s->trouble.lawless = -1;
    s->instants.left_out_at = s->course.hidden_since = -1;
    jn_sim_nudge(s, NULL);
    jn_status st = jni_model_init(&s->model, g, s->o.folder, tables, d);
    allocate(s);
    if (st == JN_OK) {
        s->structures = jni_structures_fit(s->structures, &s->model);
        collect_branches(s);
        st = choose_engine(s, d);
    }
    if (st == JN_OK) {
        JN_GROW(s->instants.item, s->instants.n, s->instants.cap);
        s->instants.last = s->instants.item[s->instants.n++] = jni_instant_new(s);
        jni_watch_init(s);
        jni_asserts_init(s);
    }
    return st;
}

jn_status jn_sim_new(jn_sim **out, const jn_graph *g, const jn_sim_options *o, jn_diags *d)
{
    jn_sim *s = jn_alloc(sizeof *s);
    const jn_sim_start as_the_model = {0};
    *out = NULL;
    s->o = *o;
    s->structures = jni_structures_new();
    jn_status st = jni_run_prepare(s, g, NULL, d);
    if (st == JN_OK)
        st = start(s, &as_the_model, d);
    if (st == JN_OK && !o->nsequence)
        warn_unswitched(g, d);
    if (st == JN_OK)
        *out = s;
    else
        jn_sim_free(s);
    return st;
}

static void free_trail(course *c)
{
    for (int i = 0; i < c->cap_trail; i++) {
        free(c->trail[i].state);
        free(c->trail[i].share);
        free(c->trail[i].discrete);
        free(c->trail[i].crossed);
    }
    free(c->trail);
    jni_stretch_clear(&c->stretch);
}

static void clear_state(run_state *p)
{
    free(p->x);
    free(p->integral);
    free(p->discrete);
    free(p->z);
    free(p->onoff);
    free(p->state);
}

/* All but what outlives a restart. */
static void clear(jn_sim *s)
{
    jni_slide_free(s);
    s->now.m = NULL;
    jni_slides_forget(s);
    jni_shared_clear(s);
    jni_watch_clear(s);
    jni_asserts_clear(s);
    jni_modes_clear(s);
    if (s->engine)
        s->engine->clear(s);
    jni_generator_free(s->gen);
    jni_branches_free(s->branches);
    for (int i = 0; i < s->instants.n; i++)
        jni_instant_free(s->instants.item[i]);
    free(s->instants.item);
    free_trail(&s->course);
    for (int i = 0; i < ZENO_KEPT; i++) {
        free(s->zeno.x[i]);
        free(s->zeno.state[i]);
    }
    clear_state(&s->now);
    clear_state(&s->instants.before);
    free(s->clock.old_state);
    free(s->clock.schedule);
    jn_str_clear(&s->trouble.message);
    jn_str_clear(&s->cause);
    free(s->jump_work);
    jni_model_clear(&s->model);
}

void jn_sim_free(jn_sim *s)
{
    if (!s)
        return;
    clear(s);
    jni_structures_release(s->structures);
    for (int i = 0; i < s->probes.n; i++)
        jni_probe_free(s->probes.item[i]);
    free(s->probes.item);
    jni_meters_clear(s);
    free(s);
}

jn_status jn_sim_restart(jn_sim *s, const jn_sim_start *from, jn_diags *d)
{
    const jn_sim_start as_the_model = {0};
    const jn_graph *g = s->model.g;
    table_data *tables = s->model.table;
    s->model.table = NULL;
    clear(s);
    *s = (jn_sim){.o = s->o, .structures = s->structures, .probes = s->probes, .meters = s->meters};
    jn_status st = jni_run_prepare(s, g, tables, d);
    if (st == JN_OK) {
        jni_probes_renew(s);
        jni_meters_renew(s);
    }
    if (st == JN_OK)
        st = start(s, from ? from : &as_the_model, d);
    return st;
}
