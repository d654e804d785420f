/* run.c: following a model through its modes.
 *
 * Between events the solution is a chain of stretches. Each is searched for the first crossing
 * once, up to the next time event; moving within it costs no more than looking at a polynomial. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim_internal.h"

const char *jn_event_kind_name(jn_event_kind k)
{
    static const char *const name[] = {"start", "time", "state", "sliding", "zeno"};
    return name[k];
}

void jn_reserve_z(jn_sim *s, int nz)
{
    if (!s->z || nz > s->cap_z) {
        s->cap_z = nz;
        s->z = jn_realloc(s->z, (size_t)nz * sizeof *s->z);
    }
}

view jn_present(jn_sim *s)
{
    return (view){.s = s, .m = s->now, .z = s->z, .t = s->t};
}

jn_status jn_stop_run(jn_stopped *stop, jn_sim *s, jn_stop why, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    jn_str_reset(&s->message);
    jn_str_vaddf(&s->message, fmt, args);
    va_end(args);
    *stop = (jn_stopped){why, s->t, jn_str_c(&s->message)};
    return JN_UNABLE;
}

/* ---- moving ---------------------------------------------------------------------------------- */

/* Books what the stretch did up to tau; its start is then given up. */
static void close_stretch(jn_sim *s, double tau)
{
    if (s->following && tau > 0)
        jn_ledger_add(&s->ledger, s, tau);
}

/* How far it is worth looking: about as long as it has been going on like this. What lies far
 * beyond the next event would only add to the rounding before it. */
static double worth_following(const jn_sim *s, double wanted)
{
    enum { KEPT = sizeof s->recent / sizeof *s->recent };
    if (s->events < 2)
        return wanted;
    double last = s->recent[KEPT - 1], interval = last - s->recent[KEPT - 2];
    double reach = 2 * fmax(interval, s->t - last);
    return fmin(wanted, fmax(reach, 1e-6 * s->stretch.length));
}

/* Begins a stretch at the present state, for some steps of the length that is asked for. */
static void follow(jn_sim *s, double until, double step)
{
    double limit = until - s->t, wanted = worth_following(s, fmin(limit, 8 * step));
    s->until = until;
    if (s->caution > 0) {
        wanted = fmin(wanted, s->caution);
        s->caution = s->caution < limit ? 64 * s->caution : 0;
    }
    jn_stretch_make(&s->stretch, s, s->now, s->z, wanted);
    if (!(s->stretch.length > 0))
        return;
    s->t0 = s->t;
    s->end = fmin(limit, s->stretch.length);
    s->cross = jn_first_crossing(s, &s->end);
    s->following = true;
}

/* Puts the state at a point of the stretch. */
static void move(jn_sim *s, double t, double tau)
{
    if (s->numeric)
        jn_numeric_at(s->z, s, tau);
    else
        jn_stretch_at(s->z, &s->stretch, tau);
    s->t = t;
    jn_generator_at(s->v, s->gen, t);
    memcpy(s->z + s->now->n + s->ni, s->v, (size_t)s->nv * sizeof *s->v);
    memcpy(s->s, s->z + s->now->n, (size_t)s->ni * sizeof *s->s);
    jn_mode_table_state(s->x, s, s->now, s->z);
}

static bool is_finite_state(const jn_sim *s)
{
    for (int i = 0; i < s->N; i++)
        if (!isfinite(s->x[i]))
            return false;
    return true;
}

/* ---- accumulating events --------------------------------------------------------------------- */

/* Two modes that hand over to each other at once, again and again: both point at the surface
 * between them. The run slides along it. */
static jn_status check_chattering(jn_sim *s, mode_table *before, jn_stopped *stop)
{
    enum { PATIENCE = 20 };
    double least = 1e-11 * fmax(fabs(s->t), s->stretch.length);
    bool back = s->now == s->chatter_from && s->t - s->chatter_t <= least;
    s->chatter = back ? s->chatter + 1 : 0;
    s->chatter_from = before;
    s->chatter_t = s->t;
    if (s->chatter < PATIENCE || jn_slide_begin(s, before, s->chatter_state))
        return JN_OK;
    jn_str a, b;
    jn_str_init(&a);
    jn_str_init(&b);
    jn_mode_print(&a, s->g, before->onoff);
    jn_mode_print(&b, s->g, s->now->onoff);
    jn_status st = jn_stop_run(stop, s, JN_STOP_LOOP,
                               "the modes %s and %s alternate without end at t = %.15g: give the "
                               "condition that separates them a hysteresis",
                               jn_str_c(&a), jn_str_c(&b), s->t);
    jn_str_clear(&a);
    jn_str_clear(&b);
    return st;
}

/* Intervals between events that shrink like a geometric series end at a time that can be named. */
static jn_status check_zeno(jn_sim *s, jn_stopped *stop)
{
    enum { KEPT = sizeof s->recent / sizeof *s->recent };
    memmove(s->recent, s->recent + 1, (KEPT - 1) * sizeof *s->recent);
    s->recent[KEPT - 1] = s->t;
    if (s->events < KEPT)
        return JN_OK;
    double last = s->recent[KEPT - 1] - s->recent[KEPT - 2];
    if (last > 1e-12 * fabs(s->t))
        return JN_OK;
    double ratio = 0;
    for (int i = KEPT - 1; i >= 2; i--) {
        double now = s->recent[i] - s->recent[i - 1], before = s->recent[i - 1] - s->recent[i - 2];
        if (!(now < before))
            return JN_OK;
        ratio = fmax(ratio, now / before);
    }
    double limit = s->t + last * ratio / (1 - ratio);
    if (s->o.on_event) {
        jn_event e = {.t = s->t,
                      .kind = JN_EVENT_ZENO,
                      .from = s->mode,
                      .to = s->mode,
                      .cause = "event times accumulate",
                      .nlimits = 1,
                      .limit = limit};
        s->o.on_event(&e, s->o.ctx);
    }
    return jn_stop_run(stop, s, JN_STOP_ZENO,
                       "event times accumulate (Zeno): after %ld events the limit is t = %.15g",
                       s->events, limit);
}

/* ---- advancing ------------------------------------------------------------------------------- */

static jn_status time_event(jn_sim *s, jn_stopped *stop)
{
    memcpy(s->old_state, s->state, (size_t)s->g->nswitches * sizeof *s->state);
    int bad = jn_apply_schedule(s);
    if (bad >= 0)
        return jn_stop_run(stop, s, JN_STOP_NUMERICS,
                           "the duty cycle of '%s' is not a number at t = %.17g",
                           s->g->element[s->g->automaton[bad].element].name, s->t);
    return jn_iterate(s, JN_EVENT_TIME, s->old_state, stop);
}

/* The clock at the end of the present stretch: at a crossing, not before it. */
static double end_time(const jn_sim *s, double next_time)
{
    double tau = s->cross >= 0 ? s->cross : s->end;
    if (s->cross < 0 && tau >= next_time - s->t0)
        return next_time;
    double t = s->t0 + tau;
    if (t <= s->t || (s->cross >= 0 && t - s->t0 < tau))
        t = nextafter(fmax(t, s->t), INFINITY);
    return t;
}

/* To the end of the present stretch, or to t if that is earlier; tells what waits there. The state
 * is always that of the time on the clock: the rounding of long times must not add up. */
static void go(jn_sim *s, double t, double next_time, bool *state_event, bool *time_due)
{
    double reach = end_time(s, next_time);
    *state_event = *time_due = false;
    if (t < reach) {
        move(s, t, t - s->t0);
        return;
    }
    move(s, reach, reach - s->t0);
    close_stretch(s, reach - s->t0);
    s->following = false;
    *state_event = s->cross >= 0 || s->unsure;
    *time_due = reach >= next_time;
}

/* A source that follows prior values while the mode goes on is not of the exact kind. */
static jn_status follow_prior(jn_sim *s, jn_stopped *stop)
{
    if (s->o.method == JN_METHOD_AUTO)
        return jn_numeric_take_over(s, stop);
    return jn_stop_run(stop, s, JN_STOP_NUMERICS,
                       "source '%s' follows prior values while the mode goes on",
                       s->g->element[jn_generator_held(s->gen, s->now)].name);
}

/* A source that takes one way and the other in turn without end: where the run is integrated it can
 * slide between both. */
static jn_status follow_turns(jn_sim *s, jn_stopped *stop)
{
    s->turns = 0;
    s->caution = 0;
    if (s->o.method != JN_METHOD_AUTO)
        return jn_stop_run(stop, s, JN_STOP_LOOP,
                           "at t = %.17g a source goes to and fro between two branches without "
                           "end: leave the method to choose, or give it a hysteresis",
                           s->t);
    jn_status st = jn_numeric_take_over(s, stop);
    return st == JN_OK ? jn_iterate(s, JN_EVENT_STATE, NULL, stop) : st;
}

static jn_status advance(jn_sim *s, double t, bool to_event, jn_stopped *stop)
{
    enum { PATIENCE = 20 };
    jn_status st = JN_OK;
    *stop = (jn_stopped){.t = s->t};
    for (;;) {
        bool state_event, time_due;
        double next =
            fmin(fmin(jn_next_scheduled(s), jn_next_atom_time(s)), jn_generator_next(s->gen, s->t));
        if (next <= s->t) {
            state_event = false;
            time_due = true;
        } else {
            if (s->t >= t)
                return JN_OK;
            if (!s->following && jn_generator_held(s->gen, s->now) >= 0) {
                st = follow_prior(s, stop);
                if (st != JN_OK)
                    return st;
            }
            if (!s->following && !s->numeric && s->turns > PATIENCE) {
                st = follow_turns(s, stop);
                if (st != JN_OK)
                    return st;
            }
            if (!s->following)
                follow(s, next, t - s->t);
            if (!(s->stretch.length > 0))
                return jn_stop_run(stop, s, JN_STOP_NUMERICS, "at t = %.17g %s", s->t,
                                   jn_numeric_why(s));
            go(s, t, next, &state_event, &time_due);
        }
        if (!is_finite_state(s))
            return jn_stop_run(stop, s, JN_STOP_NUMERICS, "the state is not finite at t = %.17g",
                               s->t);
        if (!state_event && !time_due)
            continue;
        long before = s->events;
        if (state_event && s->slide && !s->crossed && jn_slide_is_over(s)) {
            jn_slide_leave(s);
            continue;
        }
        mode_table *mode_before = s->now;
        bool mode_before_slides = s->slide;
        if (!s->slide)
            memcpy(s->chatter_state, s->state, (size_t)s->g->nswitches * sizeof *s->state);
        st = time_due ? time_event(s, stop) : jn_iterate(s, JN_EVENT_STATE, NULL, stop);
        /* a crossing that nothing came of: look at it closely, where rounding is finer */
        if (state_event && s->cross >= 0 && s->events == before)
            s->caution = 1e-6 * s->stretch.length;
        if (st == JN_OK && s->events > before)
            st = check_zeno(s, stop);
        if (st == JN_OK && s->now != mode_before && !mode_before_slides)
            st = check_chattering(s, mode_before, stop);
        if (st != JN_OK)
            return st;
        if (to_event && s->events > before) {
            stop->why = JN_STOP_EVENT;
            stop->t = s->t;
            return JN_OK;
        }
    }
}

jn_status jn_sim_advance(jn_sim *s, double t, jn_stopped *stop)
{
    return advance(s, t, false, stop);
}

jn_status jn_sim_advance_event(jn_sim *s, double t, jn_stopped *stop)
{
    return advance(s, t, true, stop);
}

jn_status jn_sim_set_input(jn_sim *s, int source, double value, jn_stopped *stop)
{
    *stop = (jn_stopped){.t = s->t};
    if (s->following) {
        close_stretch(s, s->t - s->t0);
        s->following = false;
    }
    jn_generator_set(s->gen, s->g->element[source].number, value);
    return jn_iterate(s, JN_EVENT_TIME, NULL, stop);
}

/* ---- reading --------------------------------------------------------------------------------- */

double jn_sim_time(const jn_sim *s)
{
    return s->t;
}

const jn_onoff *jn_sim_mode(const jn_sim *s)
{
    return s->mode;
}

const double *jn_sim_state(const jn_sim *s)
{
    return s->x;
}

long jn_sim_events(const jn_sim *s)
{
    return s->events;
}

int jn_sim_modes_seen(const jn_sim *s)
{
    int count = 0;
    for (int i = 0; i < s->ntables; i++)
        count += s->table[i]->entered;
    return count;
}

bool jn_sim_is_linear(const jn_sim *s)
{
    return !s->numeric;
}

jn_ledger jn_sim_ledger(const jn_sim *cs)
{
    jn_sim *s = (jn_sim *)cs;
    jn_ledger l = s->ledger;
    if (s->following && s->t > s->t0)
        jn_ledger_add(&l, s, s->t - s->t0);
    double stored = jn_stored_energy(s, s->x);
    l.stored = stored - s->stored_at_start;
    l.moved += fmax(s->most_stored, stored);
    return l;
}
