/* answer_run.c: what is asked of a run.
 *
 * The values over time come from meters of the run (junct/sim.h), which begin at q.from; energies and
 * counts are differences between there and the end. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sweep_internal.h"

typedef struct {
    jn_sim *sim; /* NULL: none yet, or it could not start */
    jn_meter **meter;
    const jn_probe **probe; /* per leaf: of LEAF_FINAL; else NULL */
    const jn_probe *to, *period, *each;
    const jn_expr *each_expr;
    /* Changes of switches, per switch; NULL: nobody asks. */
    long *changes;
    jn_onoff *before;
    bool counting;
} run;

/* ---- changes of switches ------------------------------------------------------------------- */

/* Between two events the mode stays: it is enough to look at it before each. */
static void count_changes(run *r, int nswitches)
{
    const jn_onoff *now = jn_sim_mode(r->sim);
    for (int i = 0; i < nswitches; i++)
        r->changes[i] += now[i] != r->before[i];
    memcpy(r->before, now, (size_t)nswitches * sizeof *now);
}

static void before_event(void *ctx)
{
    jn_sweep *s = ctx;
    run *r = s->own;
    if (r->counting)
        count_changes(r, s->g->nswitches);
}

static bool counts_switches(const jn_sweep *s)
{
    for (int i = 0; i < s->measures.nleaves; i++)
        if (s->measures.leaf[i].kind == LEAF_COUNT_SWITCH)
            return true;
    return false;
}

/* ---- making it ----------------------------------------------------------------------------- */

static jn_status read_probes(jn_sweep *s, run *r)
{
    jn_status st = JN_OK;
    for (int i = 0; i < s->measures.nmetered && st == JN_OK; i++) {
        const metered *m = &s->measures.metered[i];
        st = jn_sim_meter(&r->meter[i], r->sim, m->e, m->what);
    }
    for (int i = 0; i < s->measures.nleaves && st == JN_OK; i++)
        if (s->measures.leaf[i].kind == LEAF_FINAL)
            st = jn_sim_probe(&r->probe[i], r->sim, s->measures.leaf[i].e);
    if (st == JN_OK && !(s->q.to > 0))
        st = jn_sim_probe(&r->to, r->sim, s->g->to);
    if (st == JN_OK && r->each_expr)
        st = jn_sim_probe(&r->each, r->sim, r->each_expr);
    for (int i = 0; i < s->g->nswitches && st == JN_OK && r->each && !r->period; i++)
        if (s->g->automaton[i].pwm_period)
            st = jn_sim_probe(&r->period, r->sim, s->g->automaton[i].pwm_period);
    return st;
}

/* At t = 0 with the values that the graph has. */
static jn_status start(jn_sweep *s, jn_diags *d)
{
    run *r = s->own;
    r->counting = false;
    if (r->sim)
        return jn_sim_restart(r->sim, NULL, d);
    jn_sim_options o = s->q.sim;
    o.before_event = r->changes ? before_event : NULL;
    o.on_event = NULL;
    o.on_pinnacle = NULL;
    o.interrupted = jni_sweep_interrupted;
    o.ctx = s;
    jn_status st = jn_sim_new(&r->sim, s->g, &o, d);
    return st == JN_OK ? read_probes(s, r) : st;
}

/* ---- the question -------------------------------------------------------------------------- */

static bool read_each_period(jn_sweep *s, run *r, jn_diags *d)
{
    const char *text = s->q.each_period;
    if (!text)
        return true;
    const jn_source *source = jn_source_of(s->g->arena, "--each-period", text, strlen(text));
    if (jn_graph_expr(&r->each_expr, s->g, source, d) != JN_OK)
        return false;
    bool has_clock = s->q.period > 0;
    for (int i = 0; i < s->g->nswitches; i++)
        has_clock = has_clock || s->g->automaton[i].pwm_period;
    if (!has_clock)
        jn_diag_add(d, JN_D_SWEEP_QUESTION, (jn_place){0}, "the model has no pwm that has a period",
                    "give --period T");
    return has_clock;
}

static jn_status begin(jn_sweep *s, jn_diags *d)
{
    run *r = s->own = jn_alloc(sizeof *r);
    r->meter = jn_arena_alloc(s->arena, (size_t)s->measures.nmetered * sizeof *r->meter);
    r->probe = jn_arena_alloc(s->arena, (size_t)s->measures.nleaves * sizeof *r->probe);
    if (counts_switches(s)) {
        size_t n = (size_t)s->g->nswitches;
        r->changes = jn_arena_alloc(s->arena, n * sizeof *r->changes);
        r->before = jn_arena_alloc(s->arena, n * sizeof *r->before);
    }
    if (!(s->q.to > 0) && !s->g->to) {
        jn_diag_add(d, JN_D_SWEEP_QUESTION, (jn_place){0}, "the end of the runs is not known",
                    "give --to T, or write 'simulate to T every DT' in the model");
        return JN_INVALID;
    }
    return read_each_period(s, r, d) ? jni_sweep_try(s, start, d) : JN_INVALID;
}

static void end(jn_sweep *s)
{
    run *r = s->own;
    if (r)
        jn_sim_free(r->sim);
    free(r);
}

/* ---- a row --------------------------------------------------------------------------------- */

typedef struct {
    jn_ledger energy;
    long events;
} mark;

static mark mark_now(const run *r)
{
    return (mark){jn_sim_ledger(r->sim), jn_sim_events(r->sim)};
}

static double reading(const leaf *l, const run *r)
{
    jn_reading x = jn_sim_meter_read(r->sim, r->meter[l->metered]);
    double span = x.to - x.from;
    switch (l->kind) {
    case LEAF_MEAN:
        return x.integral / span;
    case LEAF_RMS:
        return sqrt(x.square / span);
    case LEAF_MIN:
        return x.min;
    case LEAF_MAX:
        return x.max;
    default:
        return x.first;
    }
}

static double leaf_value(jn_sweep *s, const run *r, int i, const mark *from, const mark *to)
{
    const leaf *l = &s->measures.leaf[i];
    switch (l->kind) {
    case LEAF_FINAL:
        return jn_sim_value(r->sim, r->probe[i]);
    case LEAF_COUNT_EVENTS:
        return (double)(to->events - from->events);
    case LEAF_COUNT_MODES:
        return jn_sim_modes_seen(r->sim);
    case LEAF_COUNT_SWITCH:
        return (double)r->changes[l->sw];
    case LEAF_SUPPLIED:
        return to->energy.supplied - from->energy.supplied;
    case LEAF_STORED:
        return to->energy.stored - from->energy.stored;
    case LEAF_DISSIPATED:
        return to->energy.dissipated - from->energy.dissipated;
    case LEAF_LOST:
        return to->energy.lost - from->energy.lost;
    default:
        return reading(l, r);
    }
}

static void fill(answer *to, jn_sweep *s, run *r, const mark *from)
{
    mark last = mark_now(r);
    if (r->changes)
        count_changes(r, s->g->nswitches);
    for (int i = 0; i < s->measures.nleaves; i++) {
        const leaf *l = &s->measures.leaf[i];
        if (l->kind == LEAF_CONSTANT)
            continue;
        to->leaf[i] = leaf_value(s, r, i, from, &last);
        if (isnan(to->leaf[i]) && l->kind != LEAF_FIRST && !to->status.len) {
            to->is_partial = true;
            jn_str_add(&to->status,
                       "nothing determines a value that is measured, or it is no number");
        }
    }
}

static void tell_impulses(answer *to, jn_sweep *s, run *r)
{
    for (int i = 0; i < s->measures.nmetered; i++) {
        jn_reading x = jn_sim_meter_read(r->sim, r->meter[i]);
        if (x.impulses != 0)
            jni_sweep_tell_impulses(to, &s->measures.metered[i], x.impulse, x.integral,
                                    x.to - x.from);
    }
}

/* Meters begin where the window does. */
static void begin_window(jn_sweep *s, run *r)
{
    for (int i = 0; i < s->measures.nmetered; i++)
        jn_sim_meter_begin(r->sim, r->meter[i]);
    if (r->changes) {
        size_t n = (size_t)s->g->nswitches;
        memset(r->changes, 0, n * sizeof *r->changes);
        memcpy(r->before, jn_sim_mode(r->sim), n * sizeof *r->before);
        r->counting = true;
    }
}

/* At the start of each of the last periods, the end not counted. */
static jn_status read_each(answer *to, jn_sweep *s, run *r, double end, jn_stopped *stop)
{
    double period = s->q.period > 0 ? s->q.period : jn_sim_value(r->sim, r->period);
    double last = floor(end / period + 1e-9);
    jn_status st = JN_OK;
    if (!(period > 0) || last < s->q.periods) {
        jn_str_addf(&to->status, "the run has fewer than %d periods", s->q.periods);
        return JN_INVALID;
    }
    for (int i = 0; i < s->q.periods && st == JN_OK; i++) {
        st = jn_sim_advance(r->sim, (last - s->q.periods + i) * period, stop);
        if (st == JN_OK)
            to->each[i] = jn_sim_value(r->sim, r->each);
    }
    return st;
}

static jn_status follow(answer *to, jn_sweep *s, run *r, mark *from, jn_stopped *stop)
{
    double end = r->to ? jn_sim_value(r->sim, r->to) : s->q.to;
    if (!(end > s->q.from) || !isfinite(end)) {
        jn_str_addf(&to->status, "the run ends at %.6g, before what is measured begins", end);
        return JN_INVALID;
    }
    jn_status st = jn_sim_advance(r->sim, s->q.from, stop);
    if (st != JN_OK)
        return st;
    begin_window(s, r);
    *from = mark_now(r);
    if (r->each)
        st = read_each(to, s, r, end, stop);
    return st == JN_OK ? jn_sim_advance(r->sim, end, stop) : st;
}

static void row(answer *to, jn_sweep *s)
{
    run *r = s->own;
    jn_diags *d = jn_diags_new();
    jn_stopped stop = {0};
    mark from = {0};
    jn_status st = start(s, d);
    bool started = st == JN_OK;
    if (started)
        st = follow(to, s, r, &from, &stop);
    if (st == JN_OK) {
        fill(to, s, r, &from);
        tell_impulses(to, s, r);
    } else if (jni_sweep_is_late(s))
        jn_str_addf(&to->status, "it took longer than %g s, and was at t = %.6g", s->q.seconds,
                    stop.t);
    else if (!started)
        jni_sweep_why(&to->status, d);
    else if (!to->status.len && strstr(stop.message, "t = "))
        jn_str_addf(&to->status, "stopped: %s", stop.message);
    else if (!to->status.len)
        jn_str_addf(&to->status, "stopped at t = %.10g: %s", stop.t, stop.message);
    if (st != JN_OK && !to->status.len)
        jn_str_add(&to->status, "the run cannot be made");
    jn_diags_free(d);
}

const answerer jni_answer_run = {begin, row, end};
