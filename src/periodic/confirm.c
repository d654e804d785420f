/* confirm.c: whether what closes is an orbit of the run.
 *
 * Newton's method finds numbers that one period brings back, from a mark whose automata stay as they are. The run
 * itself need not stay there:
 *
 *  - An automaton may end in another state than it began in: the mark was made where the run is not yet on the
 *    orbit (a diode that will be ON is still OFF), or a divider of the clock needs more than one period. The run
 *    is followed to where it ends, and the mark is made there.
 *  - An integral that something reads may grow without being felt: the controller is at a bound. If it grows
 *    away from the bound that goes on for ever, and all else is an orbit. If not, it is felt in the end; the run
 *    is followed to where that happens. Periods until then are all the same, so that they need not be run:
 *    the map is asked for after 1, 2, 4, … of them. That holds only where all that reads it turns once at the most as it
 *    grows, as a comparison does; what is read through mod, floor, sin or a table has to come back.
 *  - A period that the model does not show may close by chance. */
#include <stdlib.h>
#include <string.h>

#include "periodic_internal.h"

enum { MOST_MOVES = 6, RUN_ON = 28, DOUBLINGS = 40 };

typedef enum { STAYS, MOVED, NO_ORBIT } finding;

double jni_search_after(const search *q, int orbits)
{
    const orbit_map *m = &q->map;
    if (q->o->is_free)
        return m->t0 + orbits * (m->t1 - m->t0);
    if (q->aside > 0)
        return m->t0 + orbits * q->times * q->clock.period;
    long k = lround((m->t0 - q->clock.start) / q->clock.period);
    return jni_clock_time(&q->clock, k + (long)orbits * q->times);
}

double jni_accuracy(const search *q)
{
    return jn_sim_is_linear(q->sim) ? CLOSED : 1e-6;
}

/* Where the run stands. */
static finding mark_here(search *q)
{
    orbit_map *m = &q->map;
    double length = m->t1 - m->t0;
    if (jn_sim_slides(q->sim))
        return NO_ORBIT;
    jni_map_mark(m, length);
    m->t1 = jni_search_after(q, 1);
    jn_sim_read(q->y, q->sim);
    return MOVED;
}

/* ---- what closes once ---------------------------------------------------------------------- */

bool jni_run_over(search *q, int orbits)
{
    orbit_map *m = &q->map;
    double t1 = m->t1;
    m->t1 = jni_search_after(q, orbits);
    bool ok = jni_map_run(m, q->y, q->y1) == JN_OK;
    m->t1 = t1;
    return ok;
}

/* ∫ y² of everything that is measured, over k periods. */
static bool squares_over(search *q, double *square, int k)
{
    orbit_map *m = &q->map;
    m->measure = &q->measure;
    bool closes = jni_run_over(q, k) && jni_map_distance(m, q->y, q->y1) <= CLOSED;
    m->measure = NULL;
    for (int i = 0; i < q->measure.nprobes && closes; i++)
        square[i] = jni_measure_product(&q->measure, i, i);
    return closes;
}

/* It must do so again and again, and what is measured must be the same each time. */
static bool closes_again(search *q)
{
    enum { MORE = 4 };
    int n = q->measure.nprobes;
    double *once = jni_room(2 * n), *more = once + n;
    bool closes = squares_over(q, once, 1);
    for (int k = 2; k <= MORE && closes; k++) {
        closes = squares_over(q, more, k);
        for (int i = 0; i < n && closes; i++)
            closes = fabs(more[i] - k * once[i]) <= 1e-8 * (fabs(more[i]) + k * fabs(once[i]));
    }
    free(once);
    q->closes_once = !closes;
    return closes;
}

/* ---- where it ends ------------------------------------------------------------------------- */

/* How much larger a deviation may be after one period. */
static double gain(const search *q)
{
    const orbit_map *m = &q->map;
    int n = m->c.n;
    double largest = 1;
    for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int k = 0; k < n; k++)
            if (m->counts[i] && m->counts[k])
                sum += fabs(q->J[i * n + k]) * m->scale[k] / m->scale[i];
        largest = fmax(largest, sum);
    }
    return largest;
}

static bool automata_are(const search *q, const int *state)
{
    return !memcmp(state, jn_sim_automata(q->sim), (size_t)q->g->nswitches * sizeof *state);
}

/* Where the orbit begins; NULL: it cannot be gone back to. */
static int *automata_at_start(search *q)
{
    size_t bytes = (size_t)q->g->nswitches * sizeof(int);
    if (jn_sim_return(q->sim, q->map.mark, q->y, &q->map.stop) != JN_OK)
        return NULL;
    int *state = jn_alloc(bytes + 1);
    memcpy(state, jn_sim_automata(q->sim), bytes);
    return state;
}

/* Whether some automaton ends in another state than it began in; its switch may still be the same, and so
 * may all numbers. Or whether the second period is another one: what the run remembers is not all in
 * the numbers. The run is left where it ends. */
static bool ends_elsewhere(search *q)
{
    int *at = automata_at_start(q);
    bool same = at && jni_run_over(q, 1) && automata_are(q, at) && jni_run_over(q, 2) &&
                jni_map_distance(&q->map, q->y, q->y1) <= jni_accuracy(q) * gain(q);
    free(at);
    return !same;
}

/* Whether the orbit has come back to its start, automata and all, after that part of it already. */
static bool closes_after_part(search *q, int parts)
{
    double t1 = q->map.t1;
    int *at = automata_at_start(q);
    q->map.t1 = q->map.t0 + (t1 - q->map.t0) / parts;
    bool same = at && jni_run_over(q, 1) && automata_are(q, at) &&
                jni_map_distance(&q->map, q->y, q->y1) <= jni_accuracy(q);
    q->map.t1 = t1;
    free(at);
    return same;
}

void jni_shorten_free(search *q)
{
    static const int prime[] = {2, 3, 5, 7, 11, 13};
    orbit_map *m = &q->map;
    for (size_t i = 0; i < sizeof prime / sizeof *prime; i++)
        while (closes_after_part(q, prime[i]))
            m->t1 = m->t0 + (m->t1 - m->t0) / prime[i];
}

/* ---- what grows ---------------------------------------------------------------------------- */

static bool is_unfelt(const orbit_map *m, int i)
{
    return m->is_read[i] && !m->counts[i];
}

/* Of each number that is read but not felt, by how much it grows in one period; false: none does. */
static bool find_growth(double *grows, search *q)
{
    const orbit_map *m = &q->map;
    bool any = false;
    for (int i = 0; i < m->c.n; i++)
        any |= is_unfelt(m, i);
    if (!any || !jni_run_over(q, 1))
        return false;
    any = false;
    for (int i = 0; i < m->c.n; i++) {
        grows[i] = is_unfelt(m, i) ? q->y1[i] - q->y[i] : 0;
        if (fabs(grows[i]) <= 1e-12 * m->scale[i])
            grows[i] = 0;
        any |= grows[i] != 0;
    }
    return any;
}

/* Whether a period is the same after so many of them; state: where automata begin and end. */
static bool is_same_after(search *q, const double *grows, const int *state, double periods)
{
    orbit_map *m = &q->map;
    double *y = jni_room(m->c.n);
    for (int i = 0; i < m->c.n; i++)
        y[i] = q->y[i] + periods * grows[i];
    bool same = jni_map_run(m, y, q->y1) == JN_OK && automata_are(q, state) &&
                jni_map_distance(m, q->y, q->y1) <= jni_accuracy(q);
    for (int i = 0; i < m->c.n && same; i++)
        same = grows[i] == 0 ||
               fabs(q->y1[i] - y[i] - grows[i]) <= 1e-4 * fabs(grows[i]) + 1e-14 * fabs(y[i]);
    free(y);
    return same;
}

/* For so many periods nothing changes. */
static double lasts(search *q, const double *grows, const int *state)
{
    int doublings = 0;
    while (doublings <= DOUBLINGS && is_same_after(q, grows, state, ldexp(1, doublings)))
        doublings++;
    if (doublings > DOUBLINGS)
        return INFINITY;
    double far = doublings > 0 ? ldexp(1, doublings - 1) : 0;
    for (int i = doublings - 2; i >= 0; i--)
        if (is_same_after(q, grows, state, far + ldexp(1, i)))
            far += ldexp(1, i);
    return far;
}

/* A number that grows and is read by what may turn again and again never comes to a bound for good. */
static bool may_go_on(search *q, const double *grows)
{
    const jn_numbers *c = &q->map.c;
    for (int i = 0; i < c->n; i++)
        if (grows[i] != 0 && !jni_reads_turn_once(q->g, c, i)) {
            q->never_back = i + 1;
            return false;
        }
    return true;
}

static finding follow_growth(search *q)
{
    orbit_map *m = &q->map;
    double *grows = jni_room(m->c.n);
    int *state = NULL;
    finding f = STAYS;
    if (find_growth(grows, q))
        f = may_go_on(q, grows) && (state = automata_at_start(q)) ? MOVED : NO_ORBIT;
    if (f == MOVED) {
        double far = lasts(q, grows, state);
        for (int i = 0; i < m->c.n && isfinite(far); i++)
            q->y[i] += far * grows[i];
        f = isinf(far) ? STAYS : jni_run_over(q, RUN_ON) ? mark_here(q) : NO_ORBIT;
    }
    free(state);
    free(grows);
    return f;
}

/* ---- all of it ----------------------------------------------------------------------------- */

/* may_move: else what ends elsewhere is asked to close again. */
static finding confirm(search *q, bool may_move)
{
    bool elsewhere = ends_elsewhere(q);
    if (q->map.stop.why != JN_STOP_NONE)
        return NO_ORBIT;
    if (elsewhere && may_move)
        return mark_here(q);
    if ((elsewhere || q->clock.is_doubtful) && !closes_again(q))
        return NO_ORBIT;
    return follow_growth(q);
}

bool jni_newton_confirmed(search *q, double *T)
{
    q->closes_once = false;
    for (int i = 0; i <= MOST_MOVES; i++) {
        if (!jni_newton(q, T))
            return false;
        finding f = confirm(q, i < MOST_MOVES);
        if (f != MOVED)
            return f == STAYS;
    }
    return false;
}

bool jni_family_confirmed(search *q, double *T)
{
    q->is_one_of_many = jni_closes_in_family(q, T) && confirm(q, false) == STAYS;
    return q->is_one_of_many;
}

bool jni_kink_confirmed(search *q)
{
    q->kinked = jni_closes_at_kink(q) && confirm(q, false) == STAYS;
    return q->kinked;
}
