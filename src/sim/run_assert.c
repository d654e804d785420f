/* run_assert.c: claims of the model that are watched while it runs.
 *
 * What a claim compares is watched like any condition, so that its violation is found where it
 * happens. It is judged where a mode goes on, not in one that is left at once; what is within
 * rounding of a surface there is on the side to which the mode goes on. A violation counts once each
 * time it begins. */
#include <stdlib.h>

#include "instant.h"

void jni_asserts_init(jn_sim *s)
{
    size_t n = (size_t)s->model.g->nasserts;
    s->claims.is_broken = jn_alloc(n * sizeof *s->claims.is_broken);
    s->claims.times = jn_alloc(n * sizeof *s->claims.times);
}

void jni_asserts_clear(jn_sim *s)
{
    free(s->claims.is_broken);
    free(s->claims.times);
}

static void tell(jn_sim *s, int which)
{
    jn_event e = {.t = s->clock.t,
                  .kind = JN_EVENT_ASSERT,
                  .from = s->now.onoff,
                  .to = s->now.onoff,
                  .cause = s->model.g->assertion[which].text};
    jni_instants_tell(s);
    if (s->o.on_event)
        s->o.on_event(&e, s->o.ctx);
}

static jn_status broken(jn_sim *s, int which, jn_stopped *stop)
{
    s->claims.times[which]++;
    tell(s, which);
    if (s->o.keep_going)
        return JN_OK;
    return jni_stop(stop, s, JN_STOP_ASSERT, "at t = %.17g the assert \"%s\" does not hold",
                    s->clock.t, s->model.g->assertion[which].text);
}

jn_status jni_asserts_check(jn_sim *s, jn_stopped *stop)
{
    const jn_graph *g = s->model.g;
    jn_status st = JN_OK;
    if (!g->nasserts || !s->now.m)
        return JN_OK;
    view v = jni_present(s);
    signed char *side = jn_alloc((size_t)s->watch.nsurfaces);
    for (int i = 0; i < s->watch.nsurfaces; i++)
        side[i] = s->watch.surface[i].side;
    v.side = side;
    for (int i = 0; i < g->nasserts && st == JN_OK; i++) {
        int rank;
        bool was = s->claims.is_broken[i];
        s->claims.is_broken[i] =
            jni_truth_somewhere(&v, g->assertion[i].condition, NO, &rank) == NO;
        if (s->claims.is_broken[i] && !was)
            st = broken(s, i, stop);
    }
    free(side);
    return st;
}

long jn_sim_broken(const jn_sim *s, int assertion)
{
    return s->claims.times[assertion];
}
