/* run_clock.c: what happens at given times.
 *
 * Every switch has at most one next change of its own: of its pulse-width modulation, or the
 * earliest of its "on at T". Times of a modulation are computed as phase + k·period, never added
 * up. A duty that varies is read at the start of each period, just before the switch turns on, and
 * holds for that period. A sequence takes the place of all of them. */
#include <math.h>

#include "run.h"

static double constant(jn_sim *s, const jn_expr *e, double otherwise)
{
    return e ? jni_constant(&s->model, e) : otherwise;
}

/* ---- modulation: edge 2k turns on, edge 2k + 1 off ----------------------------------------- */

/* All in one division, so that it is the double nearest to the exact time. */
static double edge_time(const schedule *m, long edge)
{
    double k = (double)(edge >= 0 ? edge / 2 : (edge - 1) / 2);
    return (m->phase + k * m->period + (edge % 2 ? m->width : 0)) / m->scale;
}

/* The exact value of an expression of constants; false when it is not rational. */
static bool rational(fmpq_t out, const jn_sim *s, const jn_expr *e)
{
    const jn_graph *g = s->model.g;
    jn_ratfun r;
    return jn_expr_ratfun(&r, g->field, e) == JN_OK &&
           jn_ratfun_put(&r, g->field, r, g->param_value, g->nparams) == JN_OK &&
           jn_ratfun_get_fmpq(out, g->field, r);
}

/* Brings period, phase and the time ON (where it is always the same) to whole numbers over one
 * denominator, where they are small enough for doubles to hold them. */
static void make_exact(schedule *m, const jn_sim *s, const jn_automaton *a)
{
    fmpq_t period, width, phase;
    fmpz_t scale, n;
    fmpq_init(period);
    fmpq_init(width);
    fmpq_init(phase);
    fmpz_init(scale);
    fmpz_init(n);
    if (rational(period, s, a->pwm_period) && (m->varies || rational(width, s, a->pwm_duty)) &&
        (!a->pwm_phase || rational(phase, s, a->pwm_phase))) {
        double *to[] = {&m->period, &m->width, &m->phase};
        const fmpq *from[] = {period, width, phase};
        fmpq_mul(width, width, period);
        fmpz_lcm(scale, fmpq_denref(period), fmpq_denref(width));
        fmpz_lcm(scale, scale, fmpq_denref(phase));
        if (fmpz_bits(scale) < 50) {
            m->scale = fmpz_get_d(scale);
            for (int i = 0; i < 3; i++) {
                fmpz_divexact(n, scale, fmpq_denref(from[i]));
                fmpz_mul(n, n, fmpq_numref(from[i]));
                *to[i] = fmpz_get_d(n);
            }
        }
    }
    fmpq_clear(period);
    fmpq_clear(width);
    fmpq_clear(phase);
    fmpz_clear(scale);
    fmpz_clear(n);
}

static int state_named(const jn_automaton *a, bool on)
{
    for (int i = 0; i < a->nstates; i++)
        if (a->state[i].on == on)
            return i;
    return a->initial;
}

/* Sets the duty for the period that begins with this edge; returns whether the switch is ON now. In
 * a period without a change ahead the next one counts. */
static bool begin_period(schedule *m, jn_sim *s, double duty)
{
    double share = fmin(fmax(duty, 0), 1);
    m->width = share * m->period;
    bool on = edge_time(m, m->k + 1) > s->clock.t;
    m->k += on && share < 1 ? 1 : 2;
    m->t = edge_time(m, m->k);
    return on;
}

bool jni_clock_carries(const jn_sim *s, int number)
{
    static const jn_expr_op of_run[] = {JN_X_DISCRETE, JN_X_ON, JN_X_IN};
    const jn_automaton *a = &s->model.g->automaton[number];
    bool reads = a->pwm_period && jni_reads_model(&s->model, a->pwm_duty);
    for (size_t i = 0; a->pwm_period && i < sizeof of_run / sizeof *of_run; i++)
        reads = reads || jni_mentions(&s->model, a->pwm_duty, of_run[i]);
    return reads;
}

/* A duty that reads the run has nothing to read yet: its first period begins with an event at once. One of
 * time alone is known even where the period began before the run. */
static void start_varying(jn_sim *s, int i)
{
    const jn_automaton *a = &s->model.g->automaton[i];
    schedule *m = &s->clock.schedule[i];
    m->k = 2 * (long)floor((s->clock.t * m->scale - m->phase) / m->period);
    if (jni_clock_carries(s, i)) {
        s->now.state[i] = state_named(a, false);
        m->t = s->clock.t;
        return;
    }
    view v = {.s = s, .t = edge_time(m, m->k)};
    bool on = begin_period(m, s, jni_evaluate(&v, a->pwm_duty));
    s->now.state[i] = state_named(a, on);
}

/* A constant duty of 0 or 1 (or beyond) never changes. */
static void start_modulation(jn_sim *s, int i)
{
    const jn_automaton *a = &s->model.g->automaton[i];
    schedule *m = &s->clock.schedule[i];
    m->varies = !jni_is_constant(&s->model, a->pwm_duty);
    double duty = m->varies ? 0 : constant(s, a->pwm_duty, 0);
    m->period = constant(s, a->pwm_period, 1);
    m->width = duty * m->period;
    m->phase = constant(s, a->pwm_phase, 0);
    m->scale = 1;
    if (!m->varies && (duty <= 0 || duty >= 1)) {
        s->now.state[i] = state_named(a, duty >= 1);
        return;
    }
    make_exact(m, s, a);
    if (m->varies) {
        start_varying(s, i);
        return;
    }
    long edge = 2 * (long)floor((s->clock.t * m->scale - m->phase) / m->period) - 2;
    while (edge_time(m, edge + 1) <= s->clock.t)
        edge++;
    s->now.state[i] = state_named(a, edge % 2 == 0);
    m->k = edge + 1;
    m->t = edge_time(m, m->k);
}

/* False: the duty is not a number. */
static bool next_edge(jn_sim *s, int i)
{
    const jn_automaton *a = &s->model.g->automaton[i];
    schedule *m = &s->clock.schedule[i];
    bool on = m->k % 2 == 0;
    if (m->varies && on) {
        view v = jni_present(s);
        double duty = jni_evaluate(&v, a->pwm_duty);
        if (isnan(duty))
            return false;
        on = begin_period(m, s, duty);
    } else {
        m->t = edge_time(m, ++m->k);
    }
    if (m->k % 2)
        m->t += jni_nudge_edge(s, i);
    s->now.state[i] = state_named(a, on);
    return true;
}

double jni_clock_width(const jn_sim *s, int number)
{
    const schedule *m = &s->clock.schedule[number];
    return m->width / m->scale;
}

double jni_clock_edge(const jn_sim *s, int number, bool on)
{
    const schedule *m = &s->clock.schedule[number];
    return edge_time(m, on ? 0 : 1);
}

bool jni_clock_varies(const jn_sim *s, int number)
{
    return s->clock.schedule[number].varies;
}

/* The modulation is between edges 2n and 2n + 2; the one between them moves, or is none any more. */
void jni_clock_set_width(jn_sim *s, int number, double width)
{
    schedule *m = &s->clock.schedule[number];
    if (m->t <= s->clock.t) /* a period is about to begin */
        return;
    m->width = fmin(fmax(width * m->scale, 0), m->period);
    long off = m->k % 2 ? m->k : m->k - 1;
    bool on = edge_time(m, off) > s->clock.t;
    m->k = on && m->width < m->period ? off : off + 1;
    m->t = edge_time(m, m->k);
}

void jni_clock_turn(jn_sim *s)
{
    for (int i = 0; i < s->model.g->nswitches; i++) {
        const schedule *m = &s->clock.schedule[i];
        if (!jni_clock_carries(s, i) || m->t <= s->clock.t)
            continue;
        long off = m->k % 2 ? m->k : m->k - 1;
        s->now.state[i] = state_named(&s->model.g->automaton[i], edge_time(m, off) > s->clock.t);
    }
}

void jni_clock_return(jn_sim *s, const schedule *to)
{
    for (int i = 0; i < s->model.g->nswitches; i++) {
        schedule *m = &s->clock.schedule[i], own = *m;
        *m = to[i];
        if (!s->model.g->automaton[i].pwm_period || isinf(m->t))
            continue;
        bool same = own.period == m->period && own.phase == m->phase && own.scale == m->scale &&
                    (m->varies || own.width == m->width);
        if (same)
            continue;
        double width = m->width / m->scale * own.scale;
        m->period = own.period;
        m->phase = own.phase;
        m->scale = own.scale;
        m->width = m->varies ? width : own.width;
        m->t = edge_time(m, m->k);
    }
}

/* ---- given times --------------------------------------------------------------------------- */

/* The earliest time of a switch that is later than `after`; the state it leads to. */
static double next_timed(jn_sim *s, const jn_automaton *a, double after, int *to)
{
    double first = INFINITY;
    for (int k = 0; k < a->ntimes; k++) {
        double t = constant(s, a->timed[k].at, 0);
        if (t > after && t < first) {
            first = t;
            *to = a->timed[k].to;
        }
    }
    return first;
}

/* What was due up to now decides where a switch starts. */
static void start_timed(jn_sim *s, int i)
{
    const jn_automaton *a = &s->model.g->automaton[i];
    double latest = -INFINITY;
    int to = 0;
    for (int k = 0; k < a->ntimes; k++) {
        double t = constant(s, a->timed[k].at, 0);
        if (t <= s->clock.t && t >= latest) {
            latest = t;
            s->now.state[i] = a->timed[k].to;
        }
    }
    s->clock.schedule[i].t = next_timed(s, a, s->clock.t, &to);
}

/* ---- all switches -------------------------------------------------------------------------- */

static void play(jn_sim *s)
{
    int n = s->model.g->nswitches;
    while (s->clock.next_in_sequence < s->o.nsequence &&
           s->o.sequence_t[s->clock.next_in_sequence] <= s->clock.t) {
        const jn_onoff *m = s->o.sequence_mode + (size_t)s->clock.next_in_sequence * (size_t)n;
        for (int i = 0; i < n; i++)
            s->now.state[i] = state_named(&s->model.g->automaton[i], m[i]);
        s->clock.next_in_sequence++;
    }
}

void jni_clock_start(jn_sim *s)
{
    for (int i = 0; i < s->model.g->nswitches; i++) {
        s->clock.schedule[i].t = INFINITY;
        if (s->model.g->automaton[i].pwm_period)
            start_modulation(s, i);
        else
            start_timed(s, i);
    }
    play(s);
}

static double next_scheduled(const jn_sim *s)
{
    double first = INFINITY;
    if (s->o.nsequence)
        return s->clock.next_in_sequence < s->o.nsequence
                   ? s->o.sequence_t[s->clock.next_in_sequence]
                   : INFINITY;
    for (int i = 0; i < s->model.g->nswitches; i++)
        if (s->clock.schedule[i].t < first)
            first = s->clock.schedule[i].t;
    return first;
}

static bool apply_one(jn_sim *s, int i)
{
    const jn_automaton *a = &s->model.g->automaton[i];
    schedule *next = &s->clock.schedule[i];
    if (a->pwm_period)
        return next_edge(s, i);
    int to = s->now.state[i];
    next_timed(s, a, nextafter(next->t, -INFINITY), &to);
    s->now.state[i] = to;
    next->t = next_timed(s, a, next->t, &to);
    return true;
}

int jni_clock_apply(jn_sim *s)
{
    if (s->o.nsequence) {
        play(s);
        return -1;
    }
    for (int i = 0; i < s->model.g->nswitches; i++)
        if (s->clock.schedule[i].t <= s->clock.t && !apply_one(s, i))
            return i;
    return -1;
}

/* `t >= n*T` computes a time with rounding that the schedule has exactly: what ought to happen
 * together does so at the scheduled one. */
static double together(double time, double scheduled)
{
    if (!(time < scheduled))
        return time;
    double last = time + 4 * (nextafter(time, INFINITY) - time);
    return scheduled <= last ? scheduled : time;
}

double jni_clock_next(const jn_sim *s)
{
    double scheduled = next_scheduled(s);
    double first = fmin(scheduled, jni_generator_next(s->gen, s->clock.t));
    if (s->slide)
        first = fmin(first, jni_slide_next_time(s->slide, s->clock.t));
    if (s->watch.has.time)
        first = fmin(first, together(jni_watch_next_time(s), scheduled));
    return first;
}
