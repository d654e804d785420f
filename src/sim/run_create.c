/* create.c: from a graph to a run at its start. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "numeric.h"

/* ---- what the model must have ---------------------------------------------------------------- */

/* Every value that the run needs is a number. */
static jn_status check_values(const jn_graph *g, jn_diags *d)
{
    int before = jn_diags_errors(d);
    for (int i = 0; i < g->nparams; i++) {
        const jn_param *p = &g->param[i];
        bool has_law = p->element >= 0 &&
                       (g->element[p->element].modulated || g->element[p->element].nonlinear);
        if (p->value.id < 0 && p->used && !has_law)
            jn_diag_add(d, JN_D_VALUE_MISSING, p->place, p->name, p->name);
    }
    for (int i = 0; i < g->nsources; i++) {
        const jn_element *x = &g->element[g->source[i]];
        if (!x->input)
            jn_diag_add(d, JN_D_VALUE_MISSING, x->place, x->name, x->name);
    }
    return jn_diags_errors(d) > before ? JN_INVALID : JN_OK;
}

static void warn_unswitched(const jn_graph *g, jn_diags *d)
{
    for (int i = 0; i < g->nswitches; i++) {
        const jn_element *x = &g->element[g->automaton[i].element];
        if (!g->automaton[i].given)
            jn_diag_add(d, JN_D_RUN_UNSWITCHED, x->place, x->name, x->name);
    }
}

static jn_status element_number(double *out, jn_sim *s, int element, jn_diags *d)
{
    jn_ratfun r;
    const jn_element *x = &s->g->element[element];
    if (jn_graph_number(&r, s->g, element) != JN_OK) {
        jn_diag_add(d, JN_D_VALUE_DIVIDES, x->place, x->name);
        return JN_INVALID;
    }
    *out = jn_number_of(s, r);
    return JN_OK;
}

static jn_status read_values(jn_sim *s, jn_diags *d)
{
    jn_status st = JN_OK;
    s->storage = jn_alloc((size_t)s->N * sizeof *s->storage);
    s->resistor = jn_alloc((size_t)s->nr * sizeof *s->resistor);
    for (int i = 0; i < s->N && st == JN_OK; i++)
        st = element_number(&s->storage[i], s, s->g->storage[i], d);
    for (int i = 0; i < s->nr && st == JN_OK; i++) {
        st = element_number(&s->resistor[i], s, s->g->resistor[i], d);
        s->has_active |= s->resistor[i] < 0;
    }
    return st;
}

/* ---- linear or not --------------------------------------------------------------------------- */

/* Finds the int(…) nodes of an expression: their integrands and starts. False: one of them is not
 * linear. */
static bool read_integrals(jn_sim *s, const jn_expr *e)
{
    bool ok = true;
    if (e->op == JN_X_INT && !s->integral_known[e->index]) {
        s->integral_known[e->index] = true;
        s->integral[e->index] = e->arg[0];
        s->s[e->index] = jn_evaluate(&(view){.s = s}, e->arg[1]);
        ok = jn_form_of(&s->integrand[e->index], s, e->arg[0]);
    }
    for (int i = 0; i < e->nargs; i++)
        ok = read_integrals(s, e->arg[i]) && ok;
    return ok;
}

static bool all_integrals(jn_sim *s)
{
    const jn_graph *g = s->g;
    bool ok = true;
    s->integrand = jn_alloc((size_t)s->ni * sizeof *s->integrand);
    s->integral_known = jn_alloc((size_t)s->ni * sizeof *s->integral_known);
    s->integral = jn_alloc((size_t)s->ni * sizeof *s->integral);
    for (int i = 0; i < g->nsignals; i++)
        ok = read_integrals(s, g->signal[i].expr) && ok;
    for (int i = 0; i < g->noutputs; i++)
        ok = read_integrals(s, g->output[i].expr) && ok;
    for (int i = 0; i < g->nelements; i++) {
        const jn_element *x = &g->element[i];
        const jn_expr *each[] = {x->input, x->modulation, x->law};
        for (size_t k = 0; k < sizeof each / sizeof *each; k++)
            ok = (!each[k] || read_integrals(s, each[k])) && ok;
    }
    for (int i = 0; i < g->nswitches; i++) {
        const jn_automaton *a = &g->automaton[i];
        ok = (!a->pwm_duty || read_integrals(s, a->pwm_duty)) && ok;
        for (int k = 0; k < a->ntransitions; k++)
            ok = read_integrals(s, a->transition[k].when) && ok;
    }
    return ok;
}

static const jn_element *first_nonlinear(const jn_graph *g)
{
    for (int i = 0; i < g->nelements; i++)
        if (g->element[i].modulated || g->element[i].nonlinear)
            return &g->element[i];
    return NULL;
}

/* An element, or an integral (with none), that the exact way cannot follow. */
static bool is_exact(const jn_element **x, jn_sim *s)
{
    int which = -1;
    bool integrals = all_integrals(s);
    *x = first_nonlinear(s->g);
    if (*x || !integrals)
        return false;
    s->gen = jn_generator_new(s, s->ni > 0, &which);
    if (!s->gen)
        *x = &s->g->element[which];
    return s->gen;
}

static jn_status choose_method(jn_sim *s, jn_diags *d)
{
    const jn_element *x;
    bool exact = is_exact(&x, s);
    jn_method method = s->o.method;
    if ((method == JN_METHOD_RK4 || method == JN_METHOD_EULER) && !(s->o.step > 0)) {
        jn_diag_add(d, JN_D_RUN_START, (jn_place){0}, "a method of fixed step needs a step");
        return JN_INVALID;
    }
    if (exact && method <= JN_METHOD_EXACT)
        return JN_OK;
    if (method == JN_METHOD_EXACT) {
        if (x)
            jn_diag_add(d, JN_D_RUN_NONLINEAR, x->place, x->name);
        else
            jn_diag_add(d, JN_D_RUN_INTEGRAL, (jn_place){0});
        return JN_INVALID;
    }
    jn_generator_free(s->gen);
    s->gen = NULL;
    s->gen = jn_generator_of_branches(s);
    s->numeric = jn_numeric_new(s);
    return JN_OK;
}

/* ---- the start ------------------------------------------------------------------------------- */

static void set_initial_state(jn_sim *s)
{
    view constants = {.s = s};
    for (int i = 0; i < s->N; i++) {
        const jn_element *x = &s->g->element[s->g->storage[i]];
        double v = x->initial ? jn_evaluate(&constants, x->initial) : 0;
        if (s->numeric && !x->initial_is_state)
            s->x[i] = jn_numeric_initial(s, i, v);
        else
            s->x[i] = x->initial_is_state ? v : v * s->storage[i];
    }
}

static jn_status start(jn_sim *s, jn_diags *d)
{
    const jn_graph *g = s->g;
    jn_stopped stop;
    for (int i = 0; i < g->nswitches; i++)
        s->state[i] = g->automaton[i].initial;
    const branches *b = jn_generator_branches(s->gen);
    for (int i = 0; i < jn_branches_count(b); i++) {
        const jn_expr *condition = jn_branch_condition(b, i);
        if (!jn_reads_model(s, condition)) /* the others are settled in the first mode */
            jn_generator_settle(s->gen, i, jn_holds(&(view){.s = s}, condition));
    }
    set_initial_state(s);
    if (s->numeric)
        jn_numeric_begin(s);
    jn_timing_init(s);
    s->stored_at_start = jn_stored_energy(s, s->x);
    if (jn_iterate(s, JN_EVENT_START, NULL, &stop) == JN_OK)
        return JN_OK;
    jn_diag_add(d, JN_D_RUN_START, (jn_place){0}, stop.message);
    return JN_INVALID;
}

static void allocate(jn_sim *s)
{
    const jn_graph *g = s->g;
    s->N = g->nstorages;
    s->m = g->nsources;
    s->nr = g->nresistors;
    s->ni = g->nintegrals;
    s->x = jn_alloc((size_t)s->N * sizeof *s->x);
    s->s = jn_alloc((size_t)s->ni * sizeof *s->s);
    s->mode = jn_alloc((size_t)g->nswitches);
    s->state = jn_alloc((size_t)g->nswitches * sizeof *s->state);
    s->old_state = jn_alloc((size_t)g->nswitches * sizeof *s->old_state);
    s->chatter_state = jn_alloc((size_t)g->nswitches * sizeof *s->chatter_state);
    s->schedule = jn_alloc((size_t)g->nswitches * sizeof *s->schedule);
}

jn_status jn_sim_new(jn_sim **out, const jn_graph *g, const jn_sim_options *o, jn_diags *d)
{
    jn_sim *s = jn_alloc(sizeof *s);
    *out = NULL;
    s->g = g;
    s->o = *o;
    s->arena = jn_arena_new();
    allocate(s);
    jn_status st = check_values(g, d);
    if (st == JN_OK)
        st = jn_junction_build(&s->j, g, true, d);
    if (st == JN_OK && jn_guard_is_false(s->j->allowed))
        st = JN_INVALID;
    if (st == JN_OK)
        st = read_values(s, d);
    if (st == JN_OK)
        st = jn_tables_read(s, d);
    if (st == JN_OK)
        st = choose_method(s, d);
    if (st == JN_OK) {
        s->nv = jn_generator_size(s->gen);
        s->v = jn_alloc((size_t)s->nv * sizeof *s->v);
        s->instant = jn_instant_new(s);
        jn_conditions_init(s);
        st = start(s, d);
    }
    if (st == JN_OK && !o->nsequence)
        warn_unswitched(g, d);
    if (st == JN_OK)
        *out = s;
    else
        jn_sim_free(s);
    return st;
}

void jn_sim_free(jn_sim *s)
{
    if (!s)
        return;
    jn_conditions_clear(s);
    jn_mode_tables_clear(s);
    free(s->column_port);
    free(s->table_data);
    jn_generator_free(s->gen);
    jn_numeric_free(s->numeric);
    free(s->integral);
    for (int i = 0; i < s->ni && s->integrand; i++)
        jn_form_clear(&s->integrand[i]);
    free(s->integrand);
    free(s->integral_known);
    for (int i = 0; i <= PANEL_POINTS; i++)
        free(s->rules[i]);
    for (int i = 0; i < s->nprobes; i++)
        jn_probe_free(s->probe[i]);
    free(s->probe);
    jn_stretch_clear(&s->stretch);
    free(s->powers);
    jn_instant_free(s->instant);
    jn_slide_free(s);
    free(s->storage);
    free(s->resistor);
    free(s->number);
    free(s->x);
    free(s->s);
    free(s->v);
    free(s->z);
    free(s->mode);
    free(s->state);
    free(s->old_state);
    free(s->chatter_state);
    free(s->schedule);
    jn_str_clear(&s->message);
    jn_str_clear(&s->cause);
    jn_junction_free(s->j);
    jn_arena_free(s->arena);
    free(s);
}
