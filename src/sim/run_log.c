/* run_log.c: what is told of an instant: the modes passed through, what fired, and why the run
 * cannot go on. */
#include <stdlib.h>
#include <string.h>

#include "instant.h"
#include "slide.h"

void jni_log_begin(instant_log *l)
{
    l->nvia = l->nfired = 0;
    l->jumped = l->is_pending = l->is_begun = false;
    l->lost = 0;
}

void jni_log_clear(instant_log *l)
{
    for (int k = 0; k < l->cap_via; k++) {
        free(l->via_state[k]);
        free(l->via_mode[k]);
    }
    free(l->via_state);
    free(l->via_mode);
    free(l->via);
    free(l->fired);
    free(l->fired_at);
    free(l->area);
}

void jni_log_fired(instant *i, int at, const jn_transition *t)
{
    instant_log *l = &i->log;
    int cap = l->cap_fired;
    JN_GROW(l->fired, l->nfired, l->cap_fired);
    JN_GROW(l->fired_at, l->nfired, cap);
    l->fired_at[l->nfired] = at;
    l->fired[l->nfired++] = t;
}

static void print_fired(jn_str *out, const instant *i, int from)
{
    const jn_graph *g = i->s->model.g;
    for (int k = from; k < i->log.nfired; k++) {
        const jn_automaton *a = &g->automaton[i->log.fired_at[k]];
        if (k > from)
            jn_str_add(out, "; ");
        jn_str_addf(out, "%s %s: ", g->element[a->element].name,
                    a->state[i->log.fired[k]->to].name);
        jn_expr_print(out, g, i->log.fired[k]->when);
    }
}

void jni_log_via(instant *i, jn_via_kind kind)
{
    instant_log *l = &i->log;
    int nx = i->s->model.nx;
    size_t n = (size_t)i->s->model.g->nswitches;
    if (!i->s->o.on_event)
        return;
    if (l->nvia == l->cap_via) {
        int cap = l->cap_via ? 2 * l->cap_via : 8;
        l->via = jn_realloc(l->via, (size_t)cap * sizeof *l->via);
        l->via_state = jn_realloc(l->via_state, (size_t)cap * sizeof *l->via_state);
        l->via_mode = jn_realloc(l->via_mode, (size_t)cap * sizeof *l->via_mode);
        for (int k = l->cap_via; k < cap; k++) {
            l->via_state[k] = jni_doubles(nx);
            l->via_mode[k] = jn_alloc(n);
        }
        l->cap_via = cap;
    }
    double *x = l->via_state[l->nvia];
    jn_onoff *onoff = l->via_mode[l->nvia]; /* its own: another engine forgets all modes */
    memcpy(x, i->x_after, (size_t)nx * sizeof *x);
    memcpy(onoff, i->m->onoff, n);
    l->via[l->nvia++] = (struct jn_via){kind, i->m->status == JN_MODE_FORBIDDEN, onoff, x};
}

/* Why the automata stand as they do: what time did, then what fired. */
static void print_cause(jn_str *out, const instant *i, const int *old_state)
{
    const jn_sim *s = i->s;
    const jn_graph *g = s->model.g;
    jn_str_reset(out);
    for (int k = 0; k < g->nswitches && old_state; k++) {
        const jn_automaton *a = &g->automaton[k];
        if (old_state[k] != i->forced[k])
            jn_str_addf(out, "%s%s %s: %s", out->len ? "; " : "", g->element[a->element].name,
                        a->state[i->forced[k]].name,
                        s->o.nsequence  ? "sequence"
                        : a->pwm_period ? "pwm"
                                        : "time");
    }
    if (out->len && i->log.nfired)
        jn_str_add(out, "; ");
    print_fired(out, i, 0);
}

/* ---- telling ------------------------------------------------------------------------------- */

run_state jni_instant_outcome(const instant *i)
{
    return (run_state){i->x, i->integral, i->discrete, i->state, i->onoff, i->m, i->z, 0};
}

/* What the next event is told to have come from. */
static void keep_before(jn_sim *s, const run_state *from)
{
    const model *k = &s->model;
    run_state *to = &s->instants.before;
    size_t n = (size_t)k->g->nswitches;
    if (!s->o.before_event)
        return;
    if (!to->x) {
        to->x = jni_doubles(k->nx);
        to->integral = jni_doubles(k->ns);
        to->discrete = jni_doubles(k->nd);
        to->state = jn_alloc(n * sizeof *to->state);
        to->onoff = jn_alloc(n);
    }
    if (!to->z || to->cap_z < from->m->nz) {
        to->cap_z = from->m->nz;
        to->z = jn_realloc(to->z, (size_t)to->cap_z * sizeof *to->z);
    }
    jni_copy(to->x, from->x, k->nx);
    jni_copy(to->integral, from->integral, k->ns);
    jni_copy(to->discrete, from->discrete, k->nd);
    memcpy(to->state, from->state, n * sizeof *to->state);
    memcpy(to->onoff, from->onoff, n);
    jni_copy(to->z, from->z, from->m->nz);
    to->m = from->m;
}

void jni_arrive(jn_sim *s)
{
    keep_before(s, &s->now);
    s->instants.is_arrived = true;
    s->instants.slid = s->slide;
}

void jni_depart(jn_sim *s)
{
    s->instants.is_departing = true;
    jni_instants_tell(s);
    s->instants.is_departing = s->instants.is_arrived = false;
    s->instants.slid = NULL;
    jni_slides_forget(s);
}

/* Calls back with another present. */
static void show(jn_sim *s, const run_state *as, void (*back)(void *ctx))
{
    run_state now = s->now;
    slide *slides = s->slide;
    s->now = *as;
    s->slide = as->m->engine->mean ? as->m->own : NULL;
    back(s->o.ctx);
    s->now = now;
    s->slide = slides;
}

void jni_tell_before(jn_sim *s)
{
    if (s->o.before_event && s->instants.is_arrived)
        show(s, &s->instants.before, s->o.before_event);
}

void jni_tell_event(jn_sim *s, const jn_event *e, const run_state *after)
{
    if (s->o.on_event)
        s->o.on_event(e, s->o.ctx);
    if (s->instants.is_arrived && after)
        keep_before(s, after);
}

static void tell(instant *i, const run_state *after)
{
    jn_sim *s = i->s;
    i->log.is_pending = false;
    if (!i->log.is_begun)
        jni_tell_before(s);
    if (s->o.on_event)
        print_cause(&s->cause, i, i->log.has_old ? s->clock.old_state : NULL);
    jn_event e = {.t = s->clock.t,
                  .kind = i->log.kind,
                  .from = i->left,
                  .to = i->onoff,
                  .nvia = i->log.nvia,
                  .via = i->log.via,
                  .cause = jn_str_c(&s->cause),
                  .impulse = i->log.jumped ? i->log.area : NULL,
                  .energy_lost = i->log.lost};
    jni_tell_event(s, &e, after);
}

/* All but the last have been left again at once. */
void jni_instants_tell(jn_sim *s)
{
    instant_queue *q = &s->instants;
    if (q->pending == 0 && !q->last->log.is_pending)
        return;
    for (int k = 0; k <= q->pending; k++) {
        if (!q->item[k]->log.is_pending)
            continue;
        run_state after = k < q->pending ? jni_instant_outcome(q->item[k]) : s->now;
        bool is_last = k == q->pending && q->is_departing; /* no event comes from there */
        tell(q->item[k], is_last ? NULL : &after);
    }
    q->told = s->events;
    instant *last = q->item[q->pending];
    q->item[q->pending] = q->item[0];
    q->last = q->item[0] = last;
    q->pending = 0;
}

int jni_first_untold(const jn_sim *s, int since, int n)
{
    while (since < n && s->course.trail[since].events < s->instants.told)
        since++;
    return since;
}

/* ---- why it cannot go on ------------------------------------------------------------------- */

jn_status jni_log_loop(instant *i, jn_stopped *stop)
{
    jn_str cycle;
    jn_str_init(&cycle);
    int from = i->log.nfired > 8 ? i->log.nfired - 8 : 0;
    print_fired(&cycle, i, from);
    jn_status st =
        jni_stop(stop, i->s, JN_STOP_LOOP,
                 "the switches change for ever at t = %.17g: %s (conditions are read in modes that "
                 "are only asked, too; prior(x) reads what was before)",
                 i->s->clock.t, jn_str_c(&cycle));
    jn_str_clear(&cycle);
    return st;
}

jn_status jni_log_unknown(const instant *i, jn_stopped *stop)
{
    const jn_graph *g = i->s->model.g;
    const jn_expr *e = jni_without_value(&i->here, i->firing.unknown->when);
    jn_str condition, value, name;
    jn_str_init(&condition);
    jn_str_init(&value);
    jn_str_init(&name);
    jn_expr_print(&condition, g, i->firing.unknown->when);
    if (e)
        jn_expr_print(&value, g, e);
    jn_mode_print(&name, g, i->onoff);
    jn_status st = jni_stop(
        stop, i->s, JN_STOP_UNDETERMINED, "'%s' of %s cannot be decided: %s %s in mode %s",
        jn_str_c(&condition), g->element[g->automaton[i->firing.unknown_at].element].name,
        jn_str_c(&value),
        e && e->nargs ? "is not a number"
                      : "is undetermined (a node that nothing holds? closed switches in parallel?)",
        jn_str_c(&name));
    jn_str_clear(&condition);
    jn_str_clear(&value);
    jn_str_clear(&name);
    return st;
}
