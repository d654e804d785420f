/* run_replay.c: one instant from anywhere.
 *
 * For who has found a state by other means, and wants to see what the run's own iteration makes of
 * it. The mode that lasts until the instant is taken as it is, with its inputs; then these become
 * what they are at the instant, the automata are where time leaves them, and the instant is
 * settled. */
#include <stdlib.h>
#include <string.h>

#include "instant.h"

static void give_inputs(jn_sim *s, const jn_instant_from *from, const double *u, const double *rate)
{
    bool is_new = false;
    for (int k = 0; k < s->model.nu; k++) {
        double old;
        if (!from->given[k])
            continue;
        is_new |= !jni_generator_fixed(&old, s->gen, k);
        jni_generator_set_line(s->gen, k, u[k], rate ? rate[k] : 0, from->t);
    }
    if (is_new && jni_sources_meet(s)) /* by what the model says, not by what is given */
        jni_forget_modes(s, s->engine);
}

/* The point of the mode that lasts. False: it has none. Where none does, nothing was before. */
static bool stand(jn_sim *s, const jn_instant_from *from)
{
    const model *k = &s->model;
    const int *lasting = from->lasting ? from->lasting : from->left;
    memcpy(s->now.state, lasting, (size_t)k->g->nswitches * sizeof *s->now.state);
    memcpy(s->now.x, from->x, (size_t)k->nx * sizeof *s->now.x);
    memcpy(s->now.integral, from->integral, (size_t)k->ns * sizeof *s->now.integral);
    memcpy(s->now.discrete, from->discrete, (size_t)k->g->ndiscretes * sizeof *s->now.discrete);
    s->clock.t = from->t;
    jni_set_onoff(s);
    s->now.m = NULL;
    if (!from->lasting)
        return true;
    bool flows = s->engine->is_exact && jni_generator_has_prior(s->gen);
    s->now.m = jni_mode_get(s, s->now.onoff, flows);
    if (s->now.m->status == JN_MODE_SINGULAR)
        return false;
    jni_reserve_z(s, s->now.m->nz);
    view v = jni_present(s);
    double *x = jni_doubles(k->nx);
    bool ok =
        s->now.m->engine->enter(s->now.z, x, s, s->now.m, &(entry){s->now.x, s->now.integral, &v});
    free(x);
    return ok;
}

const double *jni_known(const jn_sim *s, const jn_expr *e)
{
    for (int i = 0; i < s->given.n; i++)
        if (jn_expr_same(s->given.item[i].e, e))
            return &s->given.item[i].value;
    return NULL;
}

jn_status jn_sim_instant(jn_sim *s, const jn_instant_from *from, jn_stopped *stop)
{
    *stop = (jn_stopped){.t = from->t};
    s->given.item = from->known;
    s->given.n = from->nknown;
    jni_slide_free(s);
    jni_close_stretch(s);
    s->ledger.most_stored = 0;
    give_inputs(s, from, from->before, from->rate_before);
    if (!stand(s, from))
        return jni_stop(stop, s, JN_STOP_SINGULAR, "the mode that lasts has no solution");
    give_inputs(s, from, from->input, from->rate);
    memcpy(s->now.state, from->left, (size_t)s->model.g->nswitches * sizeof *s->now.state);
    jni_watch_forget(s);
    s->instants.as_written = true;
    jn_status st = jni_instant_settle(s, stop);
    s->instants.as_written = false;
    jni_watch_forget(s);
    s->given.n = 0;
    return st;
}

int jn_sim_instant_changes(const jn_sim *s)
{
    return s->instants.last->seen.changes;
}
