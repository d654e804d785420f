/* instant_log.c: what is told of an instant: the modes passed through, what fired, and why the run
 * cannot go on. */
#include <stdlib.h>

#include "instant.h"

void jn_instant_fired(instant *i, int at, const jn_transition *t)
{
    int cap = i->cap_fired;
    JN_GROW(i->fired, i->nfired, i->cap_fired);
    JN_GROW(i->fired_at, i->nfired, cap);
    i->fired_at[i->nfired] = at;
    i->fired[i->nfired++] = t;
}

static void print_fired(jn_str *out, const instant *i, int from)
{
    const jn_graph *g = i->s->g;
    for (int k = from; k < i->nfired; k++) {
        const jn_automaton *a = &g->automaton[i->fired_at[k]];
        if (k > from)
            jn_str_add(out, "; ");
        jn_str_addf(out, "%s %s: ", g->element[a->element].name, a->state[i->fired[k]->to].name);
        jn_expr_print(out, g, i->fired[k]->when);
    }
}

void jn_instant_via(instant *i, jn_via_kind kind)
{
    if (!i->s->o.on_event)
        return;
    JN_GROW(i->via, i->nvia, i->cap_via);
    i->via[i->nvia++] = (struct jn_via){kind, i->m->status == JN_MODE_FORBIDDEN, i->m->onoff};
}

/* Why the automata stand as they do: what time did, then what fired. */
static void print_cause(jn_str *out, const instant *i, const int *old_state)
{
    const jn_sim *s = i->s;
    const jn_graph *g = s->g;
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
    if (out->len && i->nfired)
        jn_str_add(out, "; ");
    print_fired(out, i, 0);
}

void jn_instant_tell(instant *i, jn_event_kind kind, const jn_onoff *from, const int *old_state)
{
    jn_sim *s = i->s;
    if (!s->o.on_event)
        return;
    print_cause(&s->cause, i, old_state);
    jn_event e = {.t = s->t,
                  .kind = kind,
                  .from = from,
                  .to = s->mode,
                  .nvia = i->nvia,
                  .via = i->via,
                  .cause = jn_str_c(&s->cause),
                  .impulse = i->jumped ? i->area : NULL,
                  .energy_lost = i->lost};
    s->o.on_event(&e, s->o.ctx);
}

jn_status jn_instant_loop(instant *i, jn_stopped *stop)
{
    jn_str cycle;
    jn_str_init(&cycle);
    int from = i->nfired > 8 ? i->nfired - 8 : 0;
    print_fired(&cycle, i, from);
    jn_status st =
        jn_stop_run(stop, i->s, JN_STOP_LOOP, "the switches change for ever at t = %.17g: %s",
                    i->s->t, jn_str_c(&cycle));
    jn_str_clear(&cycle);
    return st;
}

jn_status jn_instant_unknown(const instant *i, jn_stopped *stop)
{
    const jn_graph *g = i->s->g;
    const jn_expr *e = jn_without_value(&i->here, i->unknown->when);
    jn_str condition, value, mode;
    jn_str_init(&condition);
    jn_str_init(&value);
    jn_str_init(&mode);
    jn_expr_print(&condition, g, i->unknown->when);
    jn_expr_print(&value, g, e);
    jn_mode_print(&mode, g, i->onoff);
    jn_status st = jn_stop_run(
        stop, i->s, JN_STOP_UNDETERMINED, "'%s' of %s cannot be decided: %s %s in mode %s",
        jn_str_c(&condition), g->element[g->automaton[i->unknown_at].element].name,
        jn_str_c(&value),
        e->nargs ? "is not a number"
                 : "is undetermined (a node that nothing holds? closed switches in parallel?)",
        jn_str_c(&mode));
    jn_str_clear(&condition);
    jn_str_clear(&value);
    jn_str_clear(&mode);
    return st;
}
