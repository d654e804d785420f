/* family.c: free oscillations that nothing draws anywhere.
 *
 * Where energy is conserved (a pendulum without friction), each amplitude has an orbit of its own, mostly with a
 * period of its own. Newton's matrix is singular there: a step may lead to any of them. What can be told is the one
 * that the run is on, and that by the run alone: it is followed until it comes back through the plane on which it
 * began, and only the time that takes is an unknown. */
#include <stdlib.h>
#include <string.h>

#include "periodic_internal.h"

enum { MOST_TURNS = 12 };

/* How far the run ends beyond the plane through its start, in time. */
static double beyond_plane(const search *q, const double *across, const double *rate)
{
    double gap = 0, speed = 0;
    for (int i = 0; i < q->map.c.n; i++) {
        if (!q->map.counts[i])
            continue;
        gap += across[i] * jni_map_change(&q->map, q->y, q->y1, i);
        speed += across[i] * rate[i];
    }
    return gap / speed;
}

/* Newton's method for the time alone. */
static bool come_back(search *q, double *T)
{
    orbit_map *m = &q->map;
    int n = m->c.n;
    double *rate = jni_room(2 * n), *across = rate + n;
    q->residue = INFINITY;
    for (int i = 0; i < MOST_TURNS; i++) {
        m->t1 = m->t0 + *T;
        if (jni_map_run(m, q->y, q->y1) != JN_OK)
            break;
        jni_map_scale(m);
        jni_map_rates(rate, m);
        for (int k = 0; k < n && i == 0; k++)
            across[k] = rate[k] / (m->scale[k] * m->scale[k]);
        q->residue = jni_map_distance(m, q->y, q->y1);
        double late = beyond_plane(q, across, rate);
        if (!(fabs(late) < 0.25 * *T) || fabs(late) <= 1e-15 * *T)
            break;
        *T -= late;
    }
    free(rate);
    m->t1 = m->t0 + *T;
    return q->residue <= CLOSED;
}

bool jni_closes_in_family(search *q, double *T)
{
    double length = *T;
    if (!come_back(q, &length) || jni_map_jacobian(&q->map, q->y, q->y1, q->J, &q->error) != JN_OK)
        return false;
    q->residue = jni_map_distance(&q->map, q->y, q->y1);
    q->unsure = 0;
    q->open = 0;
    *T = length;
    return q->residue <= CLOSED && jni_is_one_of_many(q);
}
