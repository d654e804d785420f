/* orbit.c: the search for a periodic orbit.
 *
 * With a clock: some periods are run, then Newton's method (newton.c) is tried from where the run is,
 * and from the mean of where its last periods began: what is attracted by an orbit of two periods turns
 * around one of a single period that does not attract. Where neither converges, the run goes on, and
 * it is tried again: an orbit that attracts is found in the end. Without a clock the period is guessed
 * from where the run comes back to (recur.c).
 *
 * Whatever is found counts only if the run closes. */
#include <stdlib.h>
#include <string.h>

#include "periodic_internal.h"

enum { SETTLE_PERIODS = 20, KEPT = 8 };
#define PERIODS_MAX 9007199254740992.0 /* no run gets so far, and doubles count no further */

/* ---- the beginning ------------------------------------------------------------------------- */

/* p(L1), q(C1) */
static jn_status add_states(search *q)
{
    const jn_graph *g = q->g;
    jn_status st = JN_OK;
    q->own = jn_alloc((size_t)g->nstorages * sizeof *q->own);
    q->own_name = jn_alloc((size_t)g->nstorages * sizeof *q->own_name);
    for (int i = 0; i < g->nstorages && st == JN_OK; i++) {
        const jn_element *x = &g->element[g->storage[i]];
        bool is_i = x->kind == JN_I;
        q->own[i] = (jn_expr){.op = is_i ? JN_X_MOMENTUM : JN_X_DISPLACEMENT,
                              .index = g->storage[i],
                              .size = 1,
                              .depth = 1};
        jn_str name;
        jn_str_init(&name);
        jn_str_addf(&name, "%c(%s)", is_i ? 'p' : 'q', x->name);
        q->own_name[i] = jn_arena_strndup(g->arena, name.s, name.len);
        jn_str_clear(&name);
        st = jni_measure_probe(&q->measure, &q->own[i]);
    }
    return st;
}

static jn_status add_values(search *q)
{
    const jn_steady_options *o = q->o;
    jn_status st = JN_OK;
    for (int i = 0; i < o->nvalues && st == JN_OK; i++)
        st = jni_measure_probe(&q->measure, o->value[i]);
    for (int i = 0; !o->nvalues && i < q->g->noutputs && st == JN_OK; i++)
        st = jni_measure_probe(&q->measure, q->g->output[i].expr);
    if (!o->nvalues && !q->g->noutputs)
        st = add_states(q);
    q->nvalues = q->measure.nprobes;
    return st;
}

const jn_expr *jni_search_value(const search *q, int i)
{
    return q->own ? &q->own[i] : q->o->nvalues ? q->o->value[i] : q->g->output[i].expr;
}

jn_status jni_measure_like(measure *m, const search *q)
{
    jn_status st = JN_OK;
    for (int i = 0; i < q->nvalues && st == JN_OK; i++)
        st = jni_measure_probe(m, jni_search_value(q, i));
    return st;
}

jn_status jni_search_add_meters(search *q)
{
    jn_status st = JN_OK;
    for (int i = q->measure.nmeters; i < q->nvalues && st == JN_OK; i++)
        st = jni_measure_meter(&q->measure, jni_search_value(q, i));
    return st;
}

static jn_status add_powers(search *q)
{
    const jn_graph *g = q->g;
    jn_status st = JN_OK;
    for (int i = 0; i < g->nsources + g->nresistors && st == JN_OK; i++) {
        int e = i < g->nsources ? g->source[i] : g->resistor[i - g->nsources];
        st = jni_measure_bond(&q->measure, g->element[e].bond[0], true);
        if (st == JN_OK)
            st = jni_measure_bond(&q->measure, g->element[e].bond[0], false);
    }
    return st;
}

static jn_status check_clock(search *q, jn_diags *d)
{
    const jn_steady_options *o = q->o;
    clock_of_model *c = &q->clock;
    jn_place nowhere = {0};
    jn_str text;
    if (o->is_free && c->period > 0) {
        jn_diag_add(d, JN_D_STEADY_CLOCKED, c->from->place, c->period);
        return JN_INVALID;
    }
    if (o->period > 0)
        jni_clock_give(c, o->period);
    if (c->has_conflict) {
        jn_diag_add(d, JN_D_STEADY_PERIODS, c->against->place, c->conflict[0], c->conflict[1]);
        jn_diag_note(d, c->from->place, "the first of them comes from here");
        return JN_INVALID;
    }
    if (c->aperiodic) {
        jn_str_init(&text);
        jn_expr_print(&text, q->g, c->aperiodic);
        jn_diag_add(d, JN_D_STEADY_APERIODIC, c->aperiodic->place, jn_str_c(&text));
        jn_str_clear(&text);
        return JN_INVALID;
    }
    if (!o->is_free && c->period == 0) {
        jn_diag_add(d, JN_D_STEADY_TIMELESS, nowhere);
        return JN_INVALID;
    }
    return JN_OK;
}

jn_status jni_period_begin(jn_sim **s, orbit_map *map, measure *m, const jn_graph *g,
                           const jn_steady_options *o, jn_diags *d)
{
    jn_sim_options run = {.method = o->method,
                          .rtol = o->rtol,
                          .atol = o->atol,
                          .folder = o->folder,
                          .interrupted = o->interrupted,
                          .ctx = o->ctx};
    jn_status st = jn_sim_new(s, g, &run, d);
    if (st != JN_OK)
        return st;
    jni_measure_init(m, *s, g);
    jni_map_init(map, *s, g);
    return JN_OK;
}

void jni_period_end(jn_sim *s, orbit_map *map, measure *m)
{
    if (s) {
        jni_map_clear(map);
        jni_measure_clear(m);
    }
    jn_sim_free(s);
}

jn_status jni_search_begin(search *q, const jn_graph *g, const jn_steady_options *o, bool in_mode,
                           jn_diags *d)
{
    *q = (search){.g = g, .o = o, .times = o->times > 0 ? o->times : 1};
    fmpq_init(q->clock.exact);
    fmpq_init(q->clock.exact_start);
    jn_str_init(&q->message);
    jn_status st = jni_period_begin(&q->sim, &q->map, &q->measure, g, o, d);
    if (st != JN_OK)
        return st;
    jni_clock_clear(&q->clock);
    jni_clock_find(&q->clock, q->sim, g);
    q->y = jni_room(q->map.c.n);
    q->y1 = jni_room(q->map.c.n);
    q->J = jni_room(q->map.c.n * q->map.c.n);
    if (!in_mode)
        st = check_clock(q, d);
    if (st == JN_OK)
        st = add_values(q);
    if (st == JN_OK)
        st = add_powers(q);
    return st;
}

void jni_search_end(search *q)
{
    jni_period_end(q->sim, &q->map, &q->measure);
    jni_clock_clear(&q->clock);
    free(q->own);
    free(q->own_name);
    free(q->y);
    free(q->y1);
    free(q->J);
    free(q->drifts);
    jn_str_clear(&q->message);
}

/* ---- with a clock -------------------------------------------------------------------------- */

static jn_status run_to_period(search *q, long k)
{
    return jn_sim_advance(q->sim, jni_clock_time(&q->clock, k), &q->map.stop);
}

/* The longest piece of the coming period on which the run does not slide. */
typedef struct {
    const jn_sim *s;
    double from, to;
} clear_piece;

static void note_clear(void *ctx, double from, double to)
{
    clear_piece *c = ctx;
    if (jn_sim_slides(c->s) || to - from <= c->to - c->from)
        return;
    c->from = from;
    c->to = to;
}

/* A slide cannot be begun in the middle: the period is taken from a time at which there is none. */
static bool step_aside(search *q)
{
    clear_piece c = {q->sim, 0, 0};
    jn_listener l = {note_clear, &c};
    double t0 = jn_sim_time(q->sim), T = q->clock.period;
    jn_sim_listen(q->sim, &l);
    jn_status st = jn_sim_advance(q->sim, t0 + T, &q->map.stop);
    jn_sim_flush(q->sim);
    jn_sim_listen(q->sim, NULL);
    if (st != JN_OK || !(c.to > c.from))
        return false;
    q->aside = 0.5 * (c.from + c.to) - t0;
    return jn_sim_advance(q->sim, t0 + T + q->aside, &q->map.stop) == JN_OK &&
           !jn_sim_slides(q->sim);
}

/* False: it slides all the time, and a period was passed. */
static bool mark_period(search *q, long *k)
{
    double t = jni_clock_time(&q->clock, *k + q->times);
    q->aside = 0;
    q->slides = false;
    if (jn_sim_slides(q->sim)) {
        if (!step_aside(q)) {
            ++*k;
            return false;
        }
        t = jn_sim_time(q->sim) + q->clock.period * q->times;
    }
    jni_map_mark(&q->map, 0);
    q->map.t1 = t;
    return true;
}

/* What slides all the time is an orbit if it comes back by itself. */
static bool closes_by_itself(search *q, long *k)
{
    orbit_map *m = &q->map;
    q->slides = true;
    m->t0 = jn_sim_time(q->sim);
    m->t1 = jni_clock_time(&q->clock, *k += q->times);
    m->measure = &q->measure;
    jn_status st = jni_search_add_meters(q);
    if (st == JN_OK)
        st = jni_map_go_on(m, q->y, q->y1);
    m->measure = NULL;
    q->residue = st == JN_OK ? jni_map_distance(m, q->y, q->y1) : INFINITY;
    return q->residue <= CLOSED;
}

/* Between what periods begin with: near an orbit that does not attract, since what is attracted
 * turns around it. */
static jn_status run_and_average(search *q, long from, double *mean)
{
    jn_status st = JN_OK;
    int n = q->map.c.n;
    double *y = jni_room(n);
    memset(mean, 0, (size_t)n * sizeof *mean);
    for (int i = 0; i < KEPT && st == JN_OK; i++) {
        st = run_to_period(q, from + (long)(i + 1) * q->times);
        jn_sim_read(y, q->sim);
        for (int k = 0; k < n; k++)
            mean[k] += y[k] / KEPT;
    }
    free(y);
    return st;
}

/* Newton's method from where the run is after k periods, and from the mean. */
static bool attempt(search *q, long *k, const double *mean)
{
    int steps = q->steps;
    if (!mark_period(q, k))
        return q->map.stop.why == JN_STOP_NONE && closes_by_itself(q, k);
    jn_sim_read(q->y, q->sim);
    if (jni_newton_confirmed(q, NULL))
        return true;
    if (q->map.stop.why == JN_STOP_INTERRUPTED)
        return false;
    double residue = q->residue;
    memcpy(q->y, mean, (size_t)q->map.c.n * sizeof *q->y);
    if (jni_newton_confirmed(q, NULL)) {
        jn_str_addf(&q->message,
                    "Newton's method did not converge from the state after %ld periods "
                    "(it came to %.1e in %d steps), but it did from the mean of the %d before. ",
                    *k, residue, q->steps - steps, KEPT);
        return true;
    }
    return q->map.stop.why != JN_STOP_INTERRUPTED && jni_kink_confirmed(q);
}

/* Where a run has no orbit of the periods asked for, it may have one of others: after how many it is, nearly, where it
 * was. A guess for the message, no orbit. */
static void guess_times(search *q)
{
    enum { MOST_TIMES = 16 };
    orbit_map *m = &q->map;
    long k = lround((m->t0 - q->clock.start) / q->clock.period);
    int found = 0;
    if (jn_sim_return(q->sim, m->mark, NULL, &m->stop) != JN_OK ||
        run_to_period(q, k += MOST_TIMES) != JN_OK)
        return;
    jn_sim_read(q->y, q->sim);
    for (int i = 1; i <= MOST_TIMES && !found && run_to_period(q, k + i) == JN_OK; i++) {
        jn_sim_read(q->y1, q->sim);
        found = jni_map_distance(m, q->y, q->y1) < 1e-6 ? i : 0;
    }
    if (found && found != q->times)
        jn_str_addf(&q->message, "The run itself comes back after %d periods: try --times %d. ",
                    found, found);
}

/* Whether a run of so many more periods would be one of a million events or more, by what there were up to now. */
static bool would_take_long(search *q, long periods, long so_far)
{
    long events = jn_sim_events(q->sim);
    if ((double)events * (double)periods < 1e6 * (double)so_far)
        return false;
    jn_str_addf(&q->message, "A period has about %ld events, and the run did not go on. ",
                events / so_far);
    return true;
}

static jn_status find_clocked(search *q)
{
    static const long more[] = {0, 200, 2000};
    const clock_of_model *c = &q->clock;
    double settle = q->o->settle > 0 ? q->o->settle : SETTLE_PERIODS * c->period * q->times;
    double first = ceil((c->after + settle - c->start) / c->period - 1e-9);
    long k = (long)fmin(fmax(first, 0), PERIODS_MAX), before = 0;
    double *mean = jni_room(q->map.c.n);
    jn_status st = JN_OK;
    for (size_t i = 0; i < sizeof more / sizeof *more && st == JN_OK && !q->found; i++) {
        if (i > 0 && would_take_long(q, more[i] * q->times, k))
            break;
        if (i > 0) {
            jn_str_addf(&q->message,
                        q->slides ? "It did not close after %ld periods; the run went on. "
                                  : "Newton's method did not converge after %ld periods; the run "
                                    "went on. ",
                        before);
            if (!q->slides)
                st = jn_sim_return(q->sim, q->map.mark, NULL, &q->map.stop);
        }
        k += more[i] * q->times;
        if (st == JN_OK)
            st = run_to_period(q, k);
        if (st == JN_OK)
            st = run_and_average(q, k, mean);
        if (st != JN_OK)
            break;
        k += KEPT * q->times;
        before = k;
        q->found = attempt(q, &k, mean);
        if (q->map.stop.why == JN_STOP_INTERRUPTED || (q->slides && q->map.stop.why))
            st = JN_UNABLE;
    }
    free(mean);
    if (st == JN_OK && !q->found && !q->slides)
        guess_times(q);
    return st;
}

/* ---- without one --------------------------------------------------------------------------- */

static double settling_time(search *q)
{
    const jn_probe *p;
    if (q->o->settle > 0)
        return q->o->settle;
    if (q->g->to && jn_sim_probe(&p, q->sim, q->g->to) == JN_OK)
        return jn_sim_value(q->sim, p);
    return 0;
}

/* A slide cannot be begun in the middle: goes on to where there is none. */
static jn_status leave_slide(search *q, double span)
{
    enum { PARTS = 1000 };
    double t0 = jn_sim_time(q->sim);
    jn_status st = JN_OK;
    for (int i = 1; i <= PARTS && st == JN_OK && jn_sim_slides(q->sim); i++)
        st = jn_sim_advance(q->sim, t0 + span * i / PARTS, &q->map.stop);
    if (st == JN_OK && jn_sim_slides(q->sim)) {
        jn_str_add(&q->message, "The run does not leave the surface that it slides along. ");
        st = JN_UNABLE;
    }
    return st;
}

/* Where a slide has just ended, or is about to begin, a small deviation may land on the other side: goes to the
 * middle between the slide before and the next one. */
static jn_status stand_clear(search *q, double span)
{
    enum { PARTS = 1000 };
    bool slid = jn_sim_slides(q->sim);
    jn_status st = leave_slide(q, span);
    if (st != JN_OK)
        return st;
    double t0 = jn_sim_time(q->sim), t = t0;
    jn_mark *here = jn_sim_mark(q->sim);
    for (int i = 1; i <= PARTS && st == JN_OK && !jn_sim_slides(q->sim); i++)
        st = jn_sim_advance(q->sim, t = t0 + span * i / PARTS, &q->map.stop);
    slid |= st == JN_OK && jn_sim_slides(q->sim);
    if (st == JN_OK)
        st = jn_sim_return(q->sim, here, NULL, &q->map.stop);
    if (st == JN_OK && slid)
        st = jn_sim_advance(q->sim, 0.5 * (t0 + t), &q->map.stop);
    jn_mark_free(here);
    return st;
}

/* Goes on over a span and then to where the run does not slide; that is marked. */
static jn_status mark_free(search *q, double span)
{
    orbit_map *m = &q->map;
    jn_status st = leave_slide(q, span);
    if (st != JN_OK)
        return st;
    jni_map_mark(m, span);
    jn_sim_read(q->y, q->sim);
    st = jni_map_run(m, q->y, q->y1); /* what it moves through */
    if (st == JN_OK)
        st = stand_clear(q, span);
    if (st != JN_OK)
        return st;
    jni_map_scale(m);
    jni_map_mark(m, 0);
    jn_sim_read(q->y, q->sim);
    return JN_OK;
}

/* One of many counts only where the run is on it. */
static bool attempt_free(search *q, double *T)
{
    double guess = *T;
    if (jni_family_confirmed(q, &guess))
        return true;
    if (q->map.stop.why == JN_STOP_INTERRUPTED ||
        jn_sim_return(q->sim, q->map.mark, NULL, &q->map.stop) != JN_OK)
        return false;
    jn_sim_read(q->y, q->sim);
    if (!jni_newton_confirmed(q, T))
        return false;
    if (jni_map_jacobian(&q->map, q->y, q->y1, q->J, &q->error) != JN_OK || !jni_is_one_of_many(q))
        return true;
    q->is_not_drawn = true;
    return false;
}

static jn_status find_free(search *q)
{
    orbit_map *m = &q->map;
    double settle = settling_time(q), guess = 0;
    if (!(settle > 0)) {
        jn_str_add(&q->message, "How long to run before an oscillation is looked for is not known: "
                                "give --settle, or write 'simulate to T every DT' in the model. ");
        return JN_OK;
    }
    settle = fmax(settle, q->clock.after);
    jn_status st = jn_sim_advance(q->sim, 0.5 * settle, &m->stop);
    for (int turn = 0; turn < 3 && st == JN_OK && !q->found; turn++) {
        st = mark_free(q, 0.5 * settle * (turn + 1));
        if (st != JN_OK)
            break;
        guess = jni_recurrence(m, settle * (turn + 1));
        if (guess > 0)
            q->found = attempt_free(q, &guess);
        if (q->found)
            jni_shorten_free(q);
        if (!q->found && guess > 0 && !q->is_not_drawn)
            jn_str_addf(&q->message, "Newton's method did not converge from t = %.6g. ", m->t0);
        if (!q->found)
            st = jn_sim_return(q->sim, m->mark, NULL, &m->stop);
        if (guess < 0)
            break;
    }
    if (!q->found && q->is_not_drawn)
        jn_str_add(
            &q->message,
            "There are oscillations, but they are a family: nothing draws the run to one of them, "
            "and the run itself does not come back to where it was. ");
    else if (!q->found && st == JN_OK)
        jn_str_add(&q->message, guess < 0 ? "The model comes to rest: there is no oscillation. "
                                : guess == 0
                                    ? "Nothing that comes again was seen; run longer (--settle). "
                                    : "");
    return st;
}

jn_status jni_search_run(search *q)
{
    q->map.chain = jn_sim_chain(q->sim, NULL);
    jn_status st = q->o->is_free ? find_free(q) : find_clocked(q);
    if (st == JN_OK && q->found)
        st = jni_tell_orbit(q);
    else if (st == JN_OK)
        jni_tell_singular(q);
    q->found = q->found && st == JN_OK;
    if (!q->found)
        jni_tell_failure(q);
    return st != JN_OK ? st : q->found ? JN_OK : JN_UNABLE;
}
