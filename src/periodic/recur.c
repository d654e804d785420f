/* recur.c: where an oscillation without a clock comes back to.
 *
 * The run is followed from a point until it has gone away from it and comes near again, in the same
 * mode and in the same direction: the first time that it is as near as it gets is a guess of the
 * period, good enough for Newton's method. Distances are in parts of what each state moves through. */
#include <stdlib.h>
#include <string.h>

#include "periodic_internal.h"

enum { LOOKS = 24 };
#define NEAR 0.12
#define AWAY 0.3

typedef struct {
    orbit_map *m;
    int n;
    double *start, *range, *y;
    jn_onoff *mode;
    double t0, last, before; /* distances at the last two looks, and when */
    double t_last;
    bool away;
    double best, found;
} hunt;

static double distance(const hunt *h)
{
    double largest = 0;
    for (int i = 0; i < h->n; i++)
        if (h->range[i] > 0)
            largest = fmax(largest, fabs(h->y[i] - h->start[i]) / h->range[i]);
    return largest;
}

static void look(hunt *h, double t)
{
    jn_sim_peek_state(h->y, h->m->s, t);
    double d = distance(h);
    h->away |= d > AWAY;
    bool same = !memcmp(h->mode, jn_sim_mode(h->m->s), (size_t)h->m->g->nswitches);
    bool lowest = h->last < h->before && d >= h->last && h->last < NEAR;
    if (h->away && lowest && same && !h->found)
        h->found = h->t_last - h->t0;
    h->before = h->last;
    h->last = d;
    h->t_last = t;
}

static void passed(void *ctx, double from, double to)
{
    hunt *h = ctx;
    for (int i = 1; i <= LOOKS && !h->found; i++)
        look(h, from + (to - from) * i / LOOKS);
}

static bool moves(const orbit_map *m, int n)
{
    for (int i = 0; i < n; i++)
        if (m->high[i] - m->low[i] > 1e-6 * m->scale[i])
            return true;
    return false;
}

double jni_recurrence(orbit_map *m, double most)
{
    hunt h = {.m = m, .n = m->c.nstates, .t0 = jn_sim_time(m->s), .last = 0, .before = 0};
    if (!moves(m, h.n))
        return -1;
    h.start = jni_room(m->c.n);
    h.range = jni_room(h.n);
    h.y = jni_room(m->c.n);
    h.mode = jn_alloc((size_t)m->g->nswitches);
    jn_sim_read(h.start, m->s);
    memcpy(h.mode, jn_sim_mode(m->s), (size_t)m->g->nswitches);
    for (int i = 0; i < h.n; i++)
        h.range[i] = m->high[i] - m->low[i] > 1e-6 * m->scale[i] ? m->high[i] - m->low[i] : 0;
    jn_listener l = {passed, &h};
    jn_status st = JN_OK;
    jn_sim_listen(m->s, &l);
    for (int i = 1; i <= 64 && st == JN_OK && !h.found; i++) {
        st = jn_sim_advance(m->s, h.t0 + most * i / 64, &m->stop);
        jn_sim_flush(m->s);
    }
    jn_sim_listen(m->s, NULL);
    free(h.start);
    free(h.range);
    free(h.y);
    free(h.mode);
    return h.found;
}
