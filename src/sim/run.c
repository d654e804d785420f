/* run.c: following a model through its modes.
 *
 * Between events the solution is a chain of stretches. Each is searched for the first crossing
 * once, up to the next time event; moving within it costs no more than looking at a polynomial.
 *
 * An instant may be followed at once by another, when the solution leaves a surface that it has
 * just come to, or begins on. If automata and branches come to stand as they stood before, neither
 * side of the surface can go on: the run slides along it. */
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "instant.h"

const char *jn_event_kind_name(jn_event_kind k)
{
    static const char *const name[] = {"start", "time", "state", "sliding", "zeno", "assert"};
    return name[k];
}

void jni_reserve_z(jn_sim *s, int nz)
{
    if (!s->now.z || nz > s->now.cap_z) {
        s->now.cap_z = nz;
        s->now.z = jn_realloc(s->now.z, (size_t)nz * sizeof *s->now.z);
    }
}

void jni_set_onoff(jn_sim *s)
{
    const jn_graph *g = s->model.g;
    for (int k = 0; k < g->nswitches; k++)
        s->now.onoff[k] = g->automaton[k].state[s->now.state[k]].on;
}

view jni_present(jn_sim *s)
{
    view v;
    jni_view_begin(&v, s, s->now.m, s->now.z, s->clock.t);
    v.state = s->now.state;
    v.discrete = s->now.discrete;
    v.slid = s->slide;
    return v;
}

jn_status jni_stop(jn_stopped *stop, jn_sim *s, jn_stop why, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    jn_str_reset(&s->trouble.message);
    jn_str_vaddf(&s->trouble.message, fmt, args);
    va_end(args);
    *stop = (jn_stopped){why, s->clock.t, jn_str_c(&s->trouble.message)};
    return JN_UNABLE;
}

bool jni_interrupted(jn_sim *s)
{
    return s->o.interrupted && s->o.interrupted(s->o.ctx);
}

/* ---- moving -------------------------------------------------------------------------------- */

void jni_close_stretch(jn_sim *s)
{
    double tau = s->clock.t - s->course.t0;
    if (s->course.following && tau > 0) {
        jni_ledger_close(&s->ledger, s, tau);
        jni_meters_stretch(s, tau);
        jni_keep_passed(s, tau);
    }
    s->course.following = false;
}

/* How far it is worth looking: about as long as it has been going on like this. What lies far
 * beyond the next event would only add to the rounding before it. */
static double worth_following(const jn_sim *s, double limit)
{
    double interval = jni_zeno_interval(s), span = s->course.span > 0 ? s->course.span : 1;
    double wanted = fmin(limit, fmax(span, s->clock.t));
    if (!isfinite(interval))
        return wanted;
    double reach = 2 * fmax(interval, s->clock.t - s->zeno.t[ZENO_KEPT - 1]);
    return fmin(wanted, fmax(reach, 1e-6 * s->course.stretch.length));
}

/* A leak of 1e12 beside resistances of 1: its effort is a small difference of large flows, times
 * that. With the leak's flow as a variable of its own, and one of the large ones from the others, as if
 * there were no leak, nothing is lost. */
static bool serve_early(jn_sim *s)
{
    model *k = &s->model;
    int element = s->trouble.lost, r = element >= 0 ? k->g->element[element].number : -1;
    if (r < 0 || k->early[r] || s->slide)
        return false;
    k->early[r] = s->now.m->solved->gives_effort[element] ? -1 : 1;
    k->is_flat[r] &= !s->trouble.is_leak;
    jni_serve_alike(s, s->now.m, r);
    s->trouble.lost = -1;
    jni_forget_modes(s, s->engine);
    return true;
}

static void explain_lost(jn_sim *s)
{
    jn_str_reset(&s->cause);
    jn_str_addf(&s->cause,
                "conditions cannot be watched: what passes '%s' is lost in rounding, and all that "
                "depends on it; its value is too far from those around it",
                s->model.g->element[s->trouble.lost].name);
    s->trouble.why = jn_str_c(&s->cause);
}

/* What happens first on the stretch. */
static void look_ahead(course *c, jn_sim *s)
{
    const engine *e = s->now.m->engine;
    double exit = e->exit ? e->exit(s, s->now.m, c->end) : -1;
    double look = exit >= 0 ? exit : c->end;
    c->cross = jni_watch_search(s, &look, NULL);
    if (s->trouble.lost >= 0)
        return;
    double missed = exit < 0 && (c->cross < 0 || (c->cross > 0 && s->watch.is_doubtful))
                        ? jni_missed(s, c->cross < 0 ? look : c->cross)
                        : -1;
    if (missed >= 0 && (c->cross < 0 || missed < CLEARLY_BEFORE * c->cross)) {
        jni_watch_forget(s);
        c->cross = missed;
        c->is_missed = true;
    }
    c->leaves = exit >= 0 && c->cross < 0 && look >= exit;
    c->end = look;
    if (c->leaves)
        c->cross = exit;
    c->is_hidden = c->cross != 0 && jni_is_hidden(s, c->cross > 0 ? c->cross : look);
}

/* To where events accumulate: those on the way are passed over. */
static void coast(course *c, jn_sim *s)
{
    if (!jni_zeno_may_coast(s, &c->end)) {
        look_ahead(c, s);
        return;
    }
    c->cross = -1;
    c->leaves = false;
}

/* Begins a stretch at the present state. How far the caller wants to go is of no matter. */
static bool follow(jn_sim *s, double until)
{
    course *c = &s->course;
    double limit = until - s->clock.t;
    jni_modes_trim(s);
    c->until = until;
    c->t0 = s->clock.t;
    c->is_brief = c->is_vague = c->is_hidden = false;
    if (!s->now.m->engine->follow(&c->stretch, s, s->now.m, worth_following(s, limit)))
        return false;
    c->end = fmin(limit, c->stretch.length);
    if (isinf(jni_zeno_limit(s)))
        look_ahead(c, s);
    else
        coast(c, s);
    c->following = s->trouble.lost < 0 && !c->is_hidden;
    if (c->following && s->now.m->engine->keep)
        s->now.m->engine->keep(s);
    return c->following;
}

jn_status jni_check_promises(jn_sim *s, jn_stopped *stop)
{
    const jn_graph *g = s->model.g;
    int gainer = jni_ledger_gainer(s);
    if (s->trouble.broken >= 0)
        return jni_stop(stop, s, JN_STOP_NUMERICS,
                        "at t = %.17g the value of '%s' is %g; that of a storage has to be above 0",
                        s->clock.t, g->element[s->trouble.broken].name, s->trouble.value);
    if (gainer >= 0)
        return jni_stop(stop, s, JN_STOP_NUMERICS,
                        "up to t = %.17g the passive laws have given %g of energy; look at '%s'",
                        s->clock.t, -s->ledger.sum.dissipated, g->element[gainer].name);
    return JN_OK;
}

double jni_short_while(const jn_sim *s, double wanted)
{
    double span = s->course.span > 0 ? s->course.span : 1;
    return fmin(wanted, fmax(SHORT_WHILE * span, SAME_TIME * fabs(s->clock.t)));
}

static void move(jn_sim *s, double t, double tau)
{
    const engine *e = s->now.m->engine;
    if (e->put_back)
        e->put_back(s);
    e->at(s->now.z, s->now.x, s->now.integral, s, s->now.m, tau);
    s->clock.t = t;
}

static bool is_finite_state(const jn_sim *s)
{
    for (int i = 0; i < s->model.nx; i++)
        if (!(fabs(s->now.x[i]) <= MOST_STATE))
            return false;
    return true;
}

/* The clock at the end of the present stretch: at a crossing, not before it. */
static double end_time(const jn_sim *s, double next_time)
{
    const course *c = &s->course;
    double tau = c->cross >= 0 ? c->cross : c->end;
    if (c->cross < 0 && tau >= next_time - c->t0)
        return next_time;
    double t = c->t0 + tau;
    if (t <= s->clock.t || (c->cross >= 0 && t - c->t0 < tau))
        t = nextafter(fmax(t, s->clock.t), INFINITY);
    return t;
}

typedef enum { ARRIVED, AT_END, AT_CROSSING, AT_TIME, AT_LIMIT } arrival;

/* To the end of the present stretch, or to t if that is earlier; tells what waits there. The state
 * is always that of the time on the clock: the rounding of long times must not add up. */
static arrival go(jn_sim *s, double t, double next_time)
{
    if (s->course.cross == 0) {
        jni_close_stretch(s);
        return AT_CROSSING;
    }
    double reach = end_time(s, next_time);
    if (t < reach) {
        move(s, t, t - s->course.t0);
        return ARRIVED;
    }
    move(s, reach, reach - s->course.t0);
    bool crosses = s->course.cross >= 0;
    jni_close_stretch(s);
    return reach >= next_time ? AT_TIME : crosses ? AT_CROSSING : AT_END;
}

/* ---- advancing ----------------------------------------------------------------------------- */

static jn_status time_event(jn_sim *s, jn_stopped *stop)
{
    jni_copy_ints(s->clock.old_state, s->now.state, s->model.g->nswitches);
    jni_trail_forget(s);
    int bad = jni_clock_apply(s);
    if (bad >= 0)
        return jni_stop(stop, s, JN_STOP_NUMERICS,
                        "the duty cycle of '%s' is not a number at t = %.17g",
                        s->model.g->element[s->model.g->automaton[bad].element].name, s->clock.t);
    return jni_instant_run(s, JN_EVENT_TIME, s->clock.old_state, stop);
}

bool jni_is_same_point(const jn_sim *s, double t)
{
    double same = fmax(SAME_POINT * s->course.trail_span, SAME_TIME * fabs(s->clock.t));
    return s->clock.t - t <= same;
}

/* Whether the run has gone on since the instants of the trail. */
static bool has_moved(jn_sim *s)
{
    course *c = &s->course;
    if (c->ntrail && jni_is_same_point(s, c->trail_t))
        return false;
    if (s->clock.t > c->trail_t)
        c->trail_span = s->clock.t - c->trail_t;
    c->trail_t = s->clock.t;
    return true;
}

static jn_status state_event(jn_sim *s, jn_stopped *stop)
{
    if (has_moved(s))
        jni_trail_forget(s);
    if (s->course.leaves) {
        jni_trail_forget(s);
        return s->slide ? jni_slide_leave(s, stop) : jni_leave_between(s, stop);
    }
    jni_trail_add(s);
    jn_status st = jni_instant_run(s, JN_EVENT_STATE, NULL, stop);
    st = st == JN_OK ? jni_trail_check(s, stop) : st;
    return st == JN_OK ? jni_chatter_check(s, stop) : st;
}

/* After an instant. */
static void look_around(jn_sim *s, long before)
{
    jni_watch_note(s);
    jni_watch_forget(s);
    if (s->events == before)
        return;
    jni_zeno_note(s);
    jni_zeno_check(s);
}

/* Where there is no way on: with the other engine, if this one is not made for it. */
static jn_status stop_following(jn_sim *s, jn_stopped *stop)
{
    bool changes = s->trouble.is_too_stiff && s->engine->is_exact && s->o.method == JN_METHOD_AUTO;
    if (changes)
        jni_forget_modes(s, &jni_integrate_engine);
    if (changes || serve_early(s)) {
        jn_status st = jni_instant_settle_anew(s, stop);
        if (st == JN_OK)
            jni_watch_note(s);
        return st;
    }
    if (s->trouble.lost >= 0)
        explain_lost(s);
    return jni_stop(stop, s, jni_interrupted(s) ? JN_STOP_INTERRUPTED : JN_STOP_NUMERICS,
                    "at t = %.17g %s", s->clock.t,
                    s->trouble.why ? s->trouble.why : "the solution goes no further");
}

/* An instant and what is to be seen after it. */
static jn_status happen_once(jn_sim *s, arrival what, jn_stopped *stop)
{
    long before = s->events;
    jn_status st = what == AT_TIME ? time_event(s, stop) : state_event(s, stop);
    if (st != JN_OK)
        return st;
    look_around(s, before);
    return jni_crowd_check(s, before, stop);
}

/* What has waited for it, now that a stretch leads away from there or a slide along it. */
static jn_status decide(jn_sim *s, jn_stopped *stop)
{
    watch *w = &s->watch;
    view v = jni_present(s);
    jni_close_stretch(s);
    jni_watch_forget(s);
    for (int g = 0; g < w->nsurfaces; g++) {
        int part;
        if (w->surface[g].crossed_at != s->clock.t || w->surface[g].kind == SURFACE_TIME)
            continue;
        triple x = jni_surface_value(&v, &w->surface[g]);
        if (jni_triple_sign(&x, &part) || (s->slide && jni_slide_has(s->slide, g)))
            continue;
        w->crossed[g] = w->surface[g].side;
        w->ncrossed++;
    }
    s->course.waits = false;
    s->course.is_decided = true;
    jn_status st = happen_once(s, AT_CROSSING, stop);
    s->course.is_decided = false;
    return st;
}

/* What comes of an instant at once; it is over when a stretch leads away from there. */
static jn_status happen_at_once(jn_sim *s, jn_stopped *stop)
{
    jn_status st = JN_OK;
    for (double next;
         st == JN_OK && (next = jni_clock_next(s)) > s->clock.t && isinf(jni_zeno_limit(s));) {
        if (!s->course.following && !follow(s, next)) {
            st = stop_following(s, stop);
            continue;
        }
        bool rests = false;
        if (s->course.cross != 0)
            st = jni_slide_rest(s, &rests, stop);
        if (rests || st != JN_OK)
            continue;
        bool leaves_first = s->course.cross > 0 && s->course.waits && s->watch.passes;
        if (s->course.cross != 0 && !s->course.waits)
            return jni_asserts_check(s, stop);
        if (s->course.cross != 0 && !leaves_first) {
            st = decide(s, stop);
            continue;
        }
        jni_close_stretch(s);
        st = happen_once(s, AT_CROSSING, stop);
    }
    return st;
}

/* Whatever waits at a point of the solution, and what comes of it at once. */
static jn_status happen(jn_sim *s, arrival what, jn_stopped *stop)
{
    long before = s->events;
    jni_arrive(s);
    jn_status st = what == AT_LIMIT ? jni_zeno_pass(s, stop) : happen_once(s, what, stop);
    if (st == JN_OK)
        st = happen_at_once(s, stop);
    if (s->events == before) {
        jni_instants_tell(s);
        jni_slide_tell_end(s);
    }
    jni_depart(s);
    return st;
}

/* Whether something is on no side of what it is compared with, so that it may leave it at once. */
static bool is_on_surface(const jn_sim *s)
{
    for (int i = 0; i < s->watch.nsurfaces; i++)
        if (s->watch.surface[i].side == 0 && s->watch.surface[i].kind != SURFACE_TIME)
            return true;
    return false;
}

jn_status jni_settle_on(jn_sim *s, jn_stopped *stop)
{
    jni_instants_tell(s);
    jni_watch_note(s);
    jni_watch_forget(s);
    s->zeno.due.turn = 0;
    jn_status st = is_on_surface(s) ? happen_at_once(s, stop) : JN_OK;
    if (s->course.span == 0)
        s->course.following = false; /* the caller will say how far it is worth looking */
    jni_depart(s);
    return st;
}

static jn_status stop_lawless(jn_sim *s, jn_stopped *stop)
{
    const jn_graph *g = s->model.g;
    for (int i = 0; i < s->model.nx; i++)
        if (isfinite(s->now.x[i]) && fabs(s->now.x[i]) > MOST_STATE)
            return jni_stop(stop, s, JN_STOP_NUMERICS,
                            "the state of '%s' is %g at t = %.17g, and a run holds none beyond %g: "
                            "choose larger "
                            "units if it does not grow without bound",
                            g->element[g->storage[i]].name, s->now.x[i], s->clock.t, MOST_STATE);
    if (s->trouble.lawless < 0)
        return jni_stop(stop, s, JN_STOP_NUMERICS, "the state grows beyond all bounds at t = %.17g",
                        s->clock.t);
    return jni_stop(stop, s, JN_STOP_NUMERICS, "a law has no value at t = %.17g; look at '%s'",
                    s->clock.t, g->element[s->trouble.lawless].name);
}

/* To what waits next, or to t. */
static jn_status approach(jn_sim *s, double t, double next, arrival *what, jn_stopped *stop)
{
    double clock = next;
    next = fmin(clock, jni_zeno_limit(s));
    bool begins = next > s->clock.t && !s->course.following;
    if (begins)
        jni_watch_move(&s->watch); /* on, since the last instant */
    if (begins && !follow(s, next)) {
        *what = AT_END;
        return stop_following(s, stop);
    }
    bool accumulates = isfinite(jni_zeno_limit(s)); /* still */
    next = fmin(clock, jni_zeno_limit(s));
    *what = next > s->clock.t ? go(s, t, next) : AT_TIME;
    if (*what == AT_TIME && accumulates)
        *what = AT_LIMIT;
    if (!is_finite_state(s) || s->trouble.lawless >= 0)
        return stop_lawless(s, stop);
    return *what == ARRIVED ? JN_OK : jni_check_promises(s, stop);
}

static jn_status advance(jn_sim *s, double t, bool to_event, jn_stopped *stop)
{
    *stop = (jn_stopped){.t = s->clock.t};
    if (s->course.span == 0)
        s->course.span = t - s->clock.t;
    if (s->clock.t == 0) { /* of the start */
        jn_status at_start = jni_asserts_check(s, stop);
        if (at_start != JN_OK)
            return at_start;
    }
    for (;;) {
        double next = jni_clock_next(s);
        arrival what;
        if (jni_interrupted(s))
            return jni_stop(stop, s, JN_STOP_INTERRUPTED, "interrupted");
        if (next > s->clock.t && s->clock.t >= t)
            return JN_OK;
        jn_status st = approach(s, t, next, &what, stop);
        if (st != JN_OK)
            return st;
        if (what == ARRIVED || what == AT_END)
            continue;
        long before = s->events;
        st = happen(s, what, stop);
        if (st != JN_OK)
            return st;
        if (to_event && s->events > before) {
            stop->why = JN_STOP_EVENT;
            stop->t = s->clock.t;
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
