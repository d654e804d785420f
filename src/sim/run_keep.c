/* run_keep.c: coming back to where a run was, and looking at what it has passed. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "instant.h"
#include "tangent.h"

/* ---- its numbers --------------------------------------------------------------------------- */

jn_numbers jn_sim_numbers(const jn_sim *s)
{
    const model *k = &s->model;
    jn_numbers c = {.nstates = k->nx, .nintegrals = k->ns, .ndiscretes = k->g->ndiscretes};
    for (int i = 0; i < k->g->nswitches; i++)
        c.nwidths += jni_clock_carries(s, i);
    c.n = c.nstates + c.nintegrals + c.ndiscretes + c.nwidths;
    return c;
}

void jn_sim_read(double *y, const jn_sim *s)
{
    const model *k = &s->model;
    memcpy(y, s->now.x, (size_t)k->nx * sizeof *y);
    memcpy(y += k->nx, s->now.integral, (size_t)k->ns * sizeof *y);
    memcpy(y += k->ns, s->now.discrete, (size_t)k->g->ndiscretes * sizeof *y);
    y += k->g->ndiscretes;
    for (int i = 0; i < k->g->nswitches; i++)
        if (jni_clock_carries(s, i))
            *y++ = jni_clock_width(s, i);
}

void jn_sim_limits(double *low, double *high, const jn_sim *s)
{
    jn_numbers c = jn_sim_numbers(s);
    for (int i = 0; i < c.n; i++) {
        low[i] = -INFINITY;
        high[i] = INFINITY;
    }
    for (int i = 0, k = c.n - c.nwidths; i < s->model.g->nswitches; i++) {
        const schedule *m = &s->clock.schedule[i];
        if (!jni_clock_carries(s, i))
            continue;
        low[k] = 0;
        high[k++] = m->period / m->scale;
    }
}

void jn_sim_sizes(double *y, const jn_sim *s)
{
    jn_numbers c = jn_sim_numbers(s);
    for (int i = 0; i < c.n; i++)
        y[i] = i < c.nstates ? sqrt(2 * fmax(s->ledger.most_stored, 0) * fabs(s->model.storage[i]))
                             : 0;
}

/* ---- marks --------------------------------------------------------------------------------- */

struct jn_mark {
    double t, *y, *share;
    double *level; /* of floor and mod: behind the discrete variables */
    schedule *schedule;
    int next_in_sequence, *state;
    signed char *side; /* of the surfaces */
};

static double *levels(const jn_sim *s)
{
    return s->now.discrete + s->model.g->ndiscretes;
}

jn_mark *jn_sim_mark(const jn_sim *s)
{
    jn_mark *m = jn_alloc(sizeof *m);
    size_t n = (size_t)s->model.g->nswitches;
    int nbranches = jni_branches_count(s->branches);
    m->t = s->clock.t;
    m->next_in_sequence = s->clock.next_in_sequence;
    m->y = jni_doubles(jn_sim_numbers(s).n);
    m->share = jni_doubles(nbranches);
    m->level = jni_doubles(s->model.steps.n);
    m->schedule = jn_alloc(n * sizeof *m->schedule);
    m->state = jn_alloc(n * sizeof *m->state);
    m->side = jn_alloc((size_t)s->watch.nsurfaces);
    jn_sim_read(m->y, s);
    memcpy(m->level, levels(s), (size_t)s->model.steps.n * sizeof *m->level);
    memcpy(m->schedule, s->clock.schedule, n * sizeof *m->schedule);
    memcpy(m->state, s->now.state, n * sizeof *m->state);
    for (int i = 0; i < nbranches; i++)
        m->share[i] = jni_branch_share(s->branches, i);
    for (int i = 0; i < s->watch.nsurfaces; i++)
        m->side[i] = s->watch.surface[i].side;
    return m;
}

void jn_mark_free(jn_mark *m)
{
    if (!m)
        return;
    free(m->y);
    free(m->share);
    free(m->level);
    free(m->schedule);
    free(m->state);
    free(m->side);
    free(m);
}

static void set_numbers(jn_sim *s, const double *y)
{
    const model *k = &s->model;
    memcpy(s->now.x, y, (size_t)k->nx * sizeof *y);
    memcpy(s->now.integral, y += k->nx, (size_t)k->ns * sizeof *y);
    memcpy(s->now.discrete, y += k->ns, (size_t)k->g->ndiscretes * sizeof *y);
    y += k->g->ndiscretes;
    for (int i = 0; i < k->g->nswitches; i++)
        if (jni_clock_carries(s, i))
            jni_clock_set_width(s, i, *y++);
}

/* What it remembers of its past. */
static void forget_past(jn_sim *s, const jn_mark *m)
{
    jni_slide_free(s);
    s->zeno.n = 0;
    s->course.following = false;
    s->course.ntrail = s->course.crowd = 0;
    s->course.crowd_t = s->course.trail_t = m->t;
    for (int i = 0; i < s->watch.nsurfaces; i++) {
        surface *g = &s->watch.surface[i];
        g->side = m->side[i];
        g->crossed_at = -1;
        g->passing = (passing){0};
    }
    for (int i = 0; i < jni_branches_count(s->branches); i++)
        jni_branch_set(s->branches, i, m->share[i]);
    memcpy(levels(s), m->level, (size_t)s->model.steps.n * sizeof *m->level);
    jni_watch_forget(s);
}

/* The present mode, and its point, such that an instant can begin from there. States that are not
 * independent follow the others: they must not make the jump that would bring them there. */
static bool stand(jn_sim *s)
{
    const jn_graph *g = s->model.g;
    for (int i = 0; i < g->nswitches; i++)
        s->now.onoff[i] = g->automaton[i].state[s->now.state[i]].on;
    mode *m = jni_mode_get(s, s->now.onoff, false);
    if (m->status == JN_MODE_SINGULAR)
        return false;
    double *x = jni_doubles(s->model.nx);
    s->now.m = m;
    jni_reserve_z(s, m->nz);
    view v = jni_present(s);
    bool ok = m->engine->enter(s->now.z, x, s, m, &(entry){s->now.x, s->now.integral, &v});
    memcpy(s->now.x, x, (size_t)s->model.nx * sizeof *x);
    free(x);
    return ok;
}

jn_status jn_sim_return(jn_sim *s, const jn_mark *m, const double *y, jn_stopped *stop)
{
    size_t n = (size_t)s->model.g->nswitches;
    *stop = (jn_stopped){.t = m->t};
    double before = jni_stored(s, s->now.x);
    s->clock.t = m->t;
    s->clock.next_in_sequence = m->next_in_sequence;
    jni_clock_return(s, m->schedule);
    memcpy(s->now.state, m->state, n * sizeof *m->state);
    forget_past(s, m);
    set_numbers(s, y ? y : m->y);
    if (!stand(s))
        return jni_stop(stop, s, JN_STOP_SINGULAR, "at t = %.17g the mode has no solution", m->t);
    s->ledger.sum.supplied += jni_stored(s, s->now.x) - before; /* from outside */
    if (y)
        jni_clock_turn(s);
    jn_status st = jni_instant_run(s, JN_EVENT_TIME, m->state, stop);
    return st == JN_OK ? jni_settle_on(s, stop) : st;
}

/* ---- looking ------------------------------------------------------------------------------- */

void jn_sim_listen(jn_sim *s, const jn_listener *l)
{
    s->aside.listener = l;
}

bool jn_sim_slides(const jn_sim *s)
{
    return s->slide != NULL;
}

/* Those of a slide are the slope of the stretch that ends here. */
static void rates_of_slide(double *rate, jn_sim *s)
{
    const model *k = &s->model;
    double h = 1e-4 * (s->clock.t - s->course.t0);
    int n = k->nx + k->ns;
    double *y = jni_doubles(2 * n);
    jn_sim_peek_state(y, s, s->clock.t);
    jn_sim_peek_state(y + n, s, s->clock.t - h);
    for (int i = 0; i < n && h > 0; i++)
        rate[i] = (y[i] - y[n + i]) / h;
    free(y);
}

void jn_sim_rates(double *rate, jn_sim *s)
{
    const model *k = &s->model;
    memset(rate, 0, (size_t)jn_sim_numbers(s).n * sizeof *rate);
    if (s->slide) {
        rates_of_slide(rate, s);
        return;
    }
    mode *m = s->now.m;
    double *z = jni_doubles(m->nz), *x = jni_doubles(k->nx);
    view v = jni_present(s);
    if (m->engine->enter(z, x, s, m, &(entry){s->now.x, s->now.integral, &v}))
        m->engine->rates(rate, rate + k->nx, NULL, NULL, s, m, z);
    free(z);
    free(x);
}

int jn_sim_order(const jn_sim *s)
{
    const mode *m = s->now.m;
    int count = 0;
    for (int i = 0; i < s->model.nx; i++)
        count += !m->integral || m->integral[i];
    return count;
}

/* Whoever looked around has left the engine elsewhere: it is brought back to the end. */
void jni_keep_passed(jn_sim *s, double tau)
{
    if (s->aside.chain)
        jni_chain_stretch(s, tau);
    if (!s->aside.listener)
        return;
    s->aside.listener->passed(s->aside.listener->ctx, s->course.t0, s->clock.t);
    s->now.m->engine->at(s->now.z, s->now.x, s->now.integral, s, s->now.m, tau);
}

void jn_sim_flush(jn_sim *s)
{
    jni_close_stretch(s);
}

void jn_sim_peek(double *value, jn_sim *s, const jn_probe *const *probe, int nprobes, double t)
{
    const model *k = &s->model;
    mode *m = s->now.m;
    int nz = s->now.cap_z > m->nz ? s->now.cap_z : m->nz;
    double *room = jni_doubles(nz + k->nx + k->ns), *x = room + nz;
    m->engine->at(room, x, x + k->nx, s, m, t - s->course.t0);
    view v = jni_present(s);
    v.z = room;
    v.t = t;
    for (int i = 0; i < nprobes; i++)
        value[i] = jni_probe_value(&v, probe[i]);
    free(room);
}

void jn_sim_peek_state(double *y, jn_sim *s, double t)
{
    mode *m = s->now.m;
    double *z = jni_doubles(s->now.cap_z > m->nz ? s->now.cap_z : m->nz);
    m->engine->at(z, y, y + s->model.nx, s, m, t - s->course.t0);
    free(z);
}

/* ---- disturbances -------------------------------------------------------------------------- */

void jn_sim_nudge(jn_sim *s, const jn_nudge *n)
{
    s->aside.nudge = n ? *n : (jn_nudge){.pwm = -1, .source = -1};
    if (s->aside.nudge.pwm < 0 || s->clock.schedule[s->aside.nudge.pwm].k % 2 == 0)
        return;
    s->clock.schedule[s->aside.nudge.pwm].t += jni_nudge_edge(s, s->aside.nudge.pwm);
}

double jni_nudge_edge(jn_sim *s, int number)
{
    jn_nudge *n = &s->aside.nudge;
    return number == n->pwm && n->edge-- == 0 ? n->later : 0;
}

dual jni_nudge_source(const jn_sim *s, int number, dual t)
{
    const jn_nudge *n = &s->aside.nudge;
    if (number != n->source)
        return (dual){0, 0};
    double angle = n->omega * t.v + n->phase;
    return (dual){n->amplitude * cos(angle), -n->amplitude * n->omega * sin(angle) * t.d};
}
