/* run_probe.c: reading and setting a run from outside. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "instant.h"

/* ---- reading ------------------------------------------------------------------------------- */

double jn_sim_time(const jn_sim *s)
{
    return s->clock.t;
}

const jn_onoff *jn_sim_mode(const jn_sim *s)
{
    return s->now.onoff;
}

const double *jn_sim_state(const jn_sim *s)
{
    return s->now.x;
}

long jn_sim_events(const jn_sim *s)
{
    return s->events;
}

const double *jn_sim_integrals(const jn_sim *s)
{
    return s->now.integral;
}

const double *jn_sim_discretes(const jn_sim *s)
{
    return s->now.discrete;
}

const int *jn_sim_automata(const jn_sim *s)
{
    return s->now.state;
}

static bool is_known(const jn_sim *s, const mode *m, int before)
{
    for (int i = 0; i < before; i++) {
        const mode *other = s->modes.mode[i];
        if (other->entered && !memcmp(other->onoff, m->onoff, (size_t)s->model.g->nswitches))
            return true;
    }
    return false;
}

int jn_sim_modes_kept(const jn_sim *s)
{
    int count = 0;
    for (int i = 0; i < s->modes.n; i++)
        count += s->modes.mode[i]->cached.is_made;
    return count;
}

int jn_sim_modes_seen(const jn_sim *s)
{
    int count = 0;
    bool doubles = s->engine->is_exact && jni_generator_has_prior(s->gen);
    for (int i = 0; i < s->modes.n; i++)
        count += s->modes.mode[i]->entered && !(doubles && is_known(s, s->modes.mode[i], i));
    return count;
}

bool jn_sim_is_linear(const jn_sim *s)
{
    return s->engine->is_exact;
}

/* ---- what is shared ------------------------------------------------------------------------ */

const jn_shared *jn_sim_shared(const jn_sim *s)
{
    return s->shared.told.n ? &s->shared.told : NULL;
}

void jni_shared_note(const view *v, int obs)
{
    jn_sim *s = v->s;
    shared_values *x = &s->shared;
    size_t nswitches = (size_t)s->model.g->nswitches;
    if (!x->is_noted) {
        x->is_noted = jn_alloc(2 * (size_t)s->model.g->nbonds * sizeof *x->is_noted);
        x->mode = jn_alloc(nswitches * sizeof *x->mode + 1);
        memcpy(x->mode, v->m->onoff, nswitches * sizeof *x->mode);
        x->told.mode = x->mode;
        x->told.t = v->t;
    }
    if (x->is_noted[obs])
        return;
    x->is_noted[obs] = true;
    JN_GROW(x->value, x->told.n, x->cap);
    x->value[x->told.n++] = (struct jn_shared_value){obs / 2, obs % 2 == 0};
    x->told.value = x->value;
}

void jni_shared_copy(jn_sim *to, const jn_sim *from)
{
    const shared_values *old = &from->shared;
    jni_shared_clear(to);
    if (!old->is_noted)
        return;
    view v = {.s = to, .m = from->now.m, .t = old->told.t};
    for (int i = 0; i < old->told.n; i++)
        jni_shared_note(&v, 2 * old->value[i].bond + !old->value[i].effort);
    memcpy(to->shared.mode, old->mode, (size_t)to->model.g->nswitches * sizeof *old->mode);
}

void jni_shared_clear(jn_sim *s)
{
    free(s->shared.value);
    free(s->shared.mode);
    free(s->shared.is_noted);
    s->shared = (shared_values){0};
}

/* ---- probes -------------------------------------------------------------------------------- */

struct jn_probe {
    const jn_expr *e; /* NULL: a linear form alone */
    bool linear;
    linear_form form;
};

static jn_probe *add_probe(jn_sim *s)
{
    s->probes.item = jn_realloc(s->probes.item, (size_t)(s->probes.n + 1) * sizeof *s->probes.item);
    return s->probes.item[s->probes.n++] = jn_alloc(sizeof(jn_probe));
}

void jni_probe_free(jn_probe *p)
{
    jni_form_clear(&p->form);
    free(p);
}

jn_status jn_sim_probe(const jn_probe **out, jn_sim *s, const jn_expr *e)
{
    if (jn_expr_is_condition(e))
        return JN_INVALID;
    jn_probe *p = add_probe(s);
    p->e = e;
    p->linear = jni_form_of(&p->form, &s->model, e);
    *out = p;
    return JN_OK;
}

jn_status jn_sim_probe_bond(const jn_probe **out, jn_sim *s, int bond, bool effort)
{
    if (bond < 0 || bond >= s->model.g->nbonds)
        return JN_INVALID;
    jn_probe *p = add_probe(s);
    p->linear = true;
    p->form.term = jn_alloc(sizeof *p->form.term);
    p->form.term[0] = (struct form_term){effort ? jni_obs_effort(bond) : jni_obs_flow(bond), 1};
    p->form.n = p->form.cap = 1;
    *out = p;
    return JN_OK;
}

jn_status jn_sim_probe_text(const jn_probe **out, jn_sim *s, const char *text, jn_diags *d)
{
    const jn_graph *g = s->model.g;
    const jn_expr *e;
    for (int i = 0; i < g->noutputs; i++)
        if (!strcmp(g->output[i].name, text))
            return jn_sim_probe(out, s, g->output[i].expr);
    const jn_source *source = jn_source_of(g->arena, "expression", text, strlen(text));
    jn_status st = jn_graph_expr(&e, g, source, d);
    return st == JN_OK ? jn_sim_probe(out, s, e) : st;
}

void jni_probes_renew(jn_sim *s)
{
    for (int i = 0; i < s->probes.n; i++) {
        jn_probe *p = s->probes.item[i];
        if (!p->e)
            continue;
        jni_form_clear(&p->form);
        p->linear = jni_form_of(&p->form, &s->model, p->e);
    }
}

double jni_probe_value(const view *v, const jn_probe *p)
{
    return p->linear ? jni_form_number(v, &p->form) : jni_evaluate(v, p->e);
}

const linear_form *jni_probe_form(const jn_probe *p)
{
    return p->linear ? &p->form : NULL;
}

bool jn_probe_is_linear(const jn_probe *p)
{
    return p->linear;
}

double jn_sim_value(jn_sim *s, const jn_probe *p)
{
    view v = jni_present(s);
    return jni_probe_value(&v, p);
}

jn_status jn_sim_matrices(jn_mode_numbers *out, const jn_sim *s, const jn_onoff *m, jn_diags *d)
{
    return jn_graph_mode_numbers(out, s->model.g, m ? m : s->now.onoff, d);
}

/* ---- setting ------------------------------------------------------------------------------- */

static void begin_setting(jn_sim *s, jn_stopped *stop)
{
    *stop = (jn_stopped){.t = s->clock.t};
    jni_close_stretch(s);
    jni_arrive(s);
    memcpy(s->clock.old_state, s->now.state,
           (size_t)s->model.g->nswitches * sizeof *s->clock.old_state);
}

/* Whatever was set, an instant settles what comes of it. */
static jn_status settle(jn_sim *s, jn_stopped *stop)
{
    jni_watch_forget(s);
    jn_status st = jni_instant_run(s, JN_EVENT_TIME, s->clock.old_state, stop);
    return st == JN_OK ? jni_settle_on(s, stop) : st;
}

bool jni_sources_meet(const jn_sim *s)
{
    for (int i = 0; i < s->modes.n; i++)
        if (s->modes.mode[i]->own_free)
            return true;
    return false;
}

jn_status jn_sim_set_input(jn_sim *s, int source, double value, jn_stopped *stop)
{
    int number = s->model.g->element[source].number;
    begin_setting(s, stop);
    bool has_feedback = s->engine->is_exact && jni_generator_feedback(s->gen, number, false);
    bool holds = jni_source_holds(s, number);
    jni_generator_set(s->gen, number, value);
    if (has_feedback || holds != jni_source_holds(s, number) ||
        jni_sources_meet(s)) /* it is gone */
        jni_forget_modes(s, s->engine);
    return settle(s, stop);
}

jn_status jn_sim_set_switch(jn_sim *s, int number, bool on, jn_stopped *stop)
{
    const jn_automaton *a = &s->model.g->automaton[number];
    begin_setting(s, stop);
    for (int k = a->nstates - 1; k >= 0; k--)
        if (a->state[k].on == on && a->state[s->now.state[number]].on != on)
            s->now.state[number] = k;
    return settle(s, stop);
}

jn_status jn_sim_set_state(jn_sim *s, const double *x, jn_stopped *stop)
{
    begin_setting(s, stop);
    double before = jni_stored(s, s->now.x);
    memcpy(s->now.x, x, (size_t)s->model.nx * sizeof *x);
    s->ledger.sum.supplied += jni_stored(s, s->now.x) - before; /* from outside */
    return settle(s, stop);
}
