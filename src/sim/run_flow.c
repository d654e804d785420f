/* run_flow.c: the engine of a run, and the mode in which it goes on.
 *
 * A run may change from the exact engine to the other, and modes that were entered with other values are
 * forgotten. In exact runs a mode whose sources read prior values is another one while it goes on: they follow
 * what they read then. */
#include <stdlib.h>
#include <string.h>

#include "exact.h"
#include "instant.h"
#include "integrate.h"

/* The modes entered so far stay known. */
static void remember_modes(jn_sim *s, const jn_onoff *entered, int n)
{
    size_t width = (size_t)s->model.g->nswitches;
    for (int i = 0; i < n; i++)
        jni_mode_get(s, entered + (size_t)i * width, false)->entered = true;
}

/* From the exact engine to the other, which begins with the values that storages have in this mode. */
static void change_engine(jn_sim *s, const engine *e)
{
    generator *old = s->gen;
    s->engine->clear(s);
    s->engine = e;
    s->gen = jni_generator_plain(s);
    jni_generator_free(old);
    jni_integrate_begin(s);
    s->now.m = jni_mode_get(s, s->now.onoff, false);
    jni_integrate_start(s);
}

void jni_forget_modes(jn_sim *s, const engine *e)
{
    size_t width = (size_t)s->model.g->nswitches;
    jn_onoff *entered = jn_alloc((size_t)s->modes.n * width);
    int n = 0;
    if (s->now.m)
        jni_instants_tell(s); /* in modes that are there */
    s->instants.is_arrived = false;
    for (int i = 0; i < s->modes.n; i++)
        if (s->modes.mode[i]->entered && !s->modes.mode[i]->flows)
            memcpy(entered + (size_t)n++ * width, s->modes.mode[i]->onoff, width);
    jni_slide_free(s);
    jni_modes_clear(s);
    s->now.m = NULL;
    if (e != s->engine)
        change_engine(s, e);
    remember_modes(s, entered, n);
    s->now.m = NULL;
    free(entered);
}

/* A source of prior values that is not linear cannot be followed exactly. */
static int unfollowed_source(const jn_sim *s)
{
    for (int k = 0; k < s->model.nu; k++)
        if (!jni_generator_can_flow(s->gen, k) && jni_exact_depends(s, s->now.m, k))
            return s->model.g->source[k];
    return -1;
}

jn_status jni_flow(jn_sim *s, jn_stopped *stop)
{
    if (!s->engine->is_exact || !jni_generator_has_prior(s->gen))
        return JN_OK;
    int source = unfollowed_source(s);
    if (source >= 0 && s->o.method == JN_METHOD_AUTO) {
        jni_forget_modes(s, &jni_integrate_engine);
        return jni_instant_settle(s, stop);
    }
    if (source >= 0)
        return jni_stop(stop, s, JN_STOP_NUMERICS,
                        "source '%s' follows prior values while the mode goes on",
                        s->model.g->element[source].name);
    mode *m = jni_mode_get(s, s->now.onoff, true);
    if (m->status == JN_MODE_SINGULAR)
        return jni_stop(stop, s, JN_STOP_SINGULAR, "as it goes on at t = %.17g: %s", s->clock.t,
                        m->reason);
    view v = jni_present(s);
    v.m = m;
    double *x = jni_doubles(s->model.nx), moved = 0, size = s->ledger.most_stored;
    jni_reserve_z(s, m->nz);
    m->engine->enter(s->now.z, x, s, m, &(entry){s->now.x, s->now.integral, &v});
    for (int i = 0; i < s->model.nx; i++) {
        double d = x[i] - s->now.x[i], unit = fabs(m->storage[i]);
        moved += d * d / unit;
        size += x[i] * x[i] / unit;
    }
    memcpy(s->now.x, x, (size_t)s->model.nx * sizeof *x);
    free(x);
    s->now.m = m;
    jni_watch_move(&s->watch);
    m->entered = true;
    if (moved > 1e-18 * size)
        return jni_stop(stop, s, JN_STOP_NUMERICS,
                        "at t = %.17g a source that follows prior values moves the state while the "
                        "mode goes on",
                        s->clock.t);
    return JN_OK;
}
