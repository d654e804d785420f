/* run_slide.c: sliding along surfaces on which neither side can go on.
 *
 * Where the solutions on both sides of a surface g = 0 point at it, a switch would change for ever
 * faster, dry friction would act to and fro. Filippov's solution stays on the surface: with the
 * share α of one side such that ġ = 0. Several surfaces that are slid on at once have a share each;
 * where g depends on the share itself, with no storage in between, g = 0 is the equation. The slide
 * ends on a surface when its share leaves [0, 1].
 *
 *     run_slide_pattern.c  which surfaces are slid on, and what they move
 *     run_slide_between.c  expressions whose own way decides their condition
 *     run_slide_mix.c      the mean of the modes on all sides
 *     run_slide_engine.c   following it */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "instant.h"
#include "slide.h"

/* ---- life ---------------------------------------------------------------------------------- */

slide *jni_slide_new(jn_sim *s)
{
    const model *k = &s->model;
    slide *d = jn_alloc(sizeof *d);
    int obs = jni_obs_count(k) + k->nd;
    d->s = s;
    d->own.engine = &jni_slide_engine;
    d->own.onoff = jn_alloc((size_t)k->g->nswitches);
    d->own.own = d;
    d->own.storage = k->storage;
    d->own.resistor = k->resistor;
    double **each[] = {&d->mix.dx, &d->mix.ds, &d->mix.x_after};
    for (size_t i = 0; i < sizeof each / sizeof *each; i++)
        *each[i] = jni_doubles(k->nx + k->ns);
    d->mix.obs = jni_doubles(obs);
    d->mix.dobs = jni_doubles(obs);
    d->mix.wanted = jn_alloc((size_t)obs * sizeof *d->mix.wanted);
    d->mix.col = jn_alloc(2 * (size_t)k->g->nbonds * sizeof *d->mix.col);
    d->mix.dual_x = jn_alloc((size_t)k->nx * sizeof *d->mix.dual_x);
    d->mix.dual_s = jn_alloc((size_t)k->ns * sizeof *d->mix.dual_s);
    d->mix.state = jn_alloc((size_t)k->g->nswitches * sizeof *d->mix.state);
    d->path.n = k->nx + k->ns + 2;
    d->path.y = jni_doubles(d->path.n);
    d->path.yp = jni_doubles(d->path.n);
    d->path.peak = jni_doubles(d->path.n);
    return d;
}

static void slide_free(slide *d)
{
    jni_mix_clear(d);
    for (int i = 0; i < SLIDE_MOST; i++) {
        free(d->on[i].flip);
        free(d->on[i].turn);
    }
    free(d->own.onoff);
    free(d->mix.dx);
    free(d->mix.ds);
    free(d->mix.x_after);
    free(d->mix.obs);
    free(d->mix.dobs);
    free(d->mix.wanted);
    free(d->mix.col);
    free(d->mix.dual_x);
    free(d->mix.dual_s);
    free(d->mix.state);
    free(d->path.y);
    free(d->path.yp);
    free(d->path.peak);
    free(d->path.sample);
    jni_collocation_free(d->path.collocation);
    free(d->path.pattern.start);
    free(d->path.pattern.row);
    free(d);
}

void jni_slide_free(jn_sim *s)
{
    if (s->slide)
        slide_free(s->slide);
    s->slide = NULL;
}

/* ---- the present --------------------------------------------------------------------------- */

static void set_sides(slide *d, bool only_fixed)
{
    jn_sim *s = d->s;
    for (int i = 0; i < d->n; i++) {
        slid *p = &d->on[i];
        int side = p->fixed >= 0 ? p->fixed : p->share > 0.5;
        if (only_fixed && p->fixed < 0)
            continue;
        for (int k = 0; k < p->nflips; k++)
            s->now.state[p->flip[k].automaton] = p->flip[k].state[side];
        for (int k = 0; k < p->nturns; k++)
            jni_branch_set(s->branches, p->turn[k].branch, p->turn[k].share[side]);
    }
}

/* The run is on neither side of what was slid on. */
void jni_slide_nominal(jn_sim *s)
{
    set_sides(s->slide, false);
    for (int i = 0; i < s->slide->n; i++) {
        surface *g = &s->watch.surface[s->slide->on[i].surface];
        g->side = 0;
        g->slid_until = s->clock.t;
        g->slid_with = s->slide->n;
    }
}

/* Whether a slide only goes on that was broken off at this point of the solution. */
static bool goes_on(const slide *d)
{
    const jn_sim *s = d->s;
    for (int i = 0; i < d->n; i++) {
        const surface *g = &s->watch.surface[d->on[i].surface];
        if (!jni_is_same_point(s, g->slid_until) || g->slid_with != d->n)
            return false;
    }
    return true;
}

static int point_size(const slide *d)
{
    int n = SLIDE_MOST + d->mix.n;
    for (int v = 0; v < d->mix.n; v++)
        n += d->mix.vertex[v]->nz;
    return n;
}

void jni_slide_point(double *z, const slide *d)
{
    for (int i = 0; i < SLIDE_MOST; i++)
        z[i] = i < d->n ? d->on[i].share : 0;
    z += SLIDE_MOST;
    memcpy(z, d->mix.weight, (size_t)d->mix.n * sizeof *z);
    z += d->mix.n;
    for (int v = 0; v < d->mix.n; v++) {
        memcpy(z, d->mix.z[v], (size_t)d->mix.vertex[v]->nz * sizeof *z);
        z += d->mix.vertex[v]->nz;
    }
}

void jni_slide_tell(const slide *d, const jn_onoff *from, const char *what)
{
    jn_sim *s = d->s;
    jn_str_reset(&s->cause);
    jn_str_add(&s->cause, what);
    for (int i = 0; i < d->n; i++) {
        if (d->on[i].fixed >= 0)
            continue;
        jn_str_add(&s->cause, ": ");
        jn_expr_print(&s->cause, s->model.g, s->watch.surface[d->on[i].surface].e);
    }
    jn_event e = {.t = s->clock.t,
                  .kind = JN_EVENT_SLIDING,
                  .from = from,
                  .to = s->now.onoff,
                  .cause = jn_str_c(&s->cause)};
    s->events++;
    if (s->o.on_event)
        s->o.on_event(&e, s->o.ctx);
}

static int count_open(const slide *d)
{
    int n = 0;
    for (int i = 0; i < d->n; i++)
        n += d->on[i].fixed < 0;
    return n;
}

/* Those that are not slid on are on a side of their own. */
static void drop_fixed(slide *d)
{
    set_sides(d, true);
    for (int i = 0; i < d->n;) {
        slid *p = &d->on[i];
        if (p->fixed < 0) {
            i++;
            continue;
        }
        d->s->watch.crossed[p->surface] = p->fixed ? 1 : -1;
        d->s->watch.ncrossed++;
        free(p->flip);
        free(p->turn);
        *p = d->on[--d->n];
        d->on[d->n] = (slid){0};
    }
}

bool jni_slide_go(slide *d)
{
    jn_sim *s = d->s;
    d->path.is_running = false;
    jni_mix_prepare(d);
    if (!jni_mix_solve(d, s->clock.t, s->now.x, s->now.integral))
        return false;
    d->own.nz = point_size(d);
    jni_reserve_z(s, d->own.nz);
    jni_slide_point(s->now.z, d);
    set_sides(d, false);
    jni_set_onoff(s);
    s->now.m = &d->own;
    for (int v = 0; v < d->mix.n; v++)
        d->mix.vertex[v]->entered = true;
    s->course.following = false;
    return true;
}

/* ---- beginning ----------------------------------------------------------------------------- */

jn_status jni_slide_stop(slide *d, const char *why, jn_stopped *stop)
{
    jn_sim *s = d->s;
    jn_str names;
    jn_str_init(&names);
    for (int i = 0; i < d->n; i++) {
        jn_str_add(&names, i ? ", " : "");
        jn_expr_print(&names, s->model.g, s->watch.surface[d->on[i].surface].e);
    }
    jn_status st = jni_stop(stop, s, JN_STOP_SURFACES, "at t = %.17g %s: %s", s->clock.t, why,
                            jn_str_c(&names));
    jn_str_clear(&names);
    return st;
}

/* Neither mode would make the state jump. */
static bool fits(slide *d)
{
    jn_sim *s = d->s;
    double change = 0, size = s->ledger.most_stored;
    for (int v = 0; v < d->mix.n; v++) {
        mode *m = d->mix.vertex[v];
        view at = jni_present(s);
        at.m = m;
        if (!m->engine->enter(d->mix.z[v], d->mix.x_after, s, m,
                              &(entry){s->now.x, s->now.integral, &at}))
            return false;
        for (int i = 0; i < s->model.nx; i++) {
            double e = d->mix.x_after[i] - s->now.x[i], unit = fabs(m->storage[i]);
            change += e * e / unit;
            size += s->now.x[i] * s->now.x[i] / unit;
        }
    }
    return change <= 1e-18 * size;
}

static jn_status begin(slide *d, const jn_onoff *from, jn_stopped *stop)
{
    jn_sim *s = d->s;
    if (!jni_slide_pattern(d))
        return jni_slide_stop(d, "no way leads along the surfaces that meet, nor off them", stop);
    if (!fits(d))
        return jni_slide_stop(d, "the state would jump without end to and fro across", stop);
    drop_fixed(d);
    if (!count_open(d)) { /* rounding made it look like one */
        jni_set_onoff(s);
        jni_slide_free(s);
        return jni_instant_settle(s, stop);
    }
    if (!jni_slide_go(d))
        return jni_slide_stop(d, "no share of both sides keeps to the surface", stop);
    if (!goes_on(d))
        jni_slide_tell(d, from, "neither side can go on");
    return JN_OK;
}

static bool flips(const slide *d, int automaton)
{
    for (int i = 0; i < d->n; i++)
        for (int k = 0; k < d->on[i].nflips; k++)
            if (d->on[i].flip[k].automaton == automaton)
                return true;
    return false;
}

/* Whether an instant did nothing but what the slide stands for. */
static bool is_part(const slide *d, const instant_log *l)
{
    for (int k = 0; k < l->nfired; k++)
        if (!flips(d, l->fired_at[k]))
            return false;
    return l->kind == JN_EVENT_STATE;
}

/* What led to a slide is told as that. */
static void drop_pending(const slide *d)
{
    jn_sim *s = d->s;
    for (int k = 0; k <= s->instants.pending; k++) {
        instant_log *l = &s->instants.item[k]->log;
        if (!is_part(d, l))
            continue;
        s->events -= l->is_pending;
        l->is_pending = false;
    }
    jni_instants_tell(s);
}

jn_status jni_slide_begin(jn_sim *s, int since, jn_stopped *stop)
{
    jni_slide_free(s);
    slide *d = s->slide = jni_slide_new(s);
    jn_onoff *from = jn_alloc((size_t)s->model.g->nswitches);
    memcpy(from, s->now.onoff, (size_t)s->model.g->nswitches);
    bool ok = jni_slide_read(d, since);
    drop_pending(d);
    s->course.ntrail = 0;
    jn_status st = ok ? begin(d, from, stop)
                      : jni_slide_stop(d, "switches and branches change to and fro across", stop);
    free(from);
    return st;
}

/* ---- leaving ------------------------------------------------------------------------------- */

bool jni_slide_ignores(const jn_sim *s, int number)
{
    for (int i = 0; s->slide && i < s->slide->n; i++)
        if (s->slide->on[i].surface == number)
            return true;
    return false;
}

jn_status jni_slide_leave(jn_sim *s, jn_stopped *stop)
{
    slide *d = s->slide;
    jn_onoff *from = jn_alloc((size_t)s->model.g->nswitches);
    memcpy(from, s->now.onoff, (size_t)s->model.g->nswitches);
    if (s->o.before_event)
        s->o.before_event(s->o.ctx);
    int worst = 0;
    for (int i = 0; i < d->n; i++) {
        if (fabs(d->on[i].share - 0.5) > fabs(d->on[worst].share - 0.5))
            worst = i;
        d->on[i].fixed = -1;
    }
    d->on[worst].fixed = d->on[worst].share > 0.5;
    jn_status st = JN_OK;
    drop_fixed(d);
    if (d->n && !jni_slide_go(d))
        st = jni_slide_stop(d, "no share of both sides keeps to the surface", stop);
    if (st == JN_OK && d->n) {
        jni_slide_tell(d, from, "goes on along");
    } else if (st == JN_OK) {
        jni_slide_free(s);
        jni_set_onoff(s);
        st = jni_instant_settle(s, stop);
        slide none = {.s = s};
        if (st == JN_OK)
            jni_slide_tell(&none, from, "the slide ends");
    }
    free(from);
    return st;
}
