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
 *     run_slide_complement.c  which of many surfaces are left
 *     run_slide_shares.c   which shares are taken, where there are many
 *     run_slide_engine.c   following it
 *     run_slide_rest.c     kinks on which it keeps the run as well
 *     run_slide_kinks.c    surfaces that are not smooth */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "instant.h"
#include "slide.h"

/* ---- life ---------------------------------------------------------------------------------- */

static void allocate_mix(slide_mix *mix, const jn_sim *s)
{
    const model *k = &s->model;
    int obs = jni_obs_count(k) + k->nd;
    double **each[] = {&mix->dx, &mix->ds, &mix->x_after};
    for (size_t i = 0; i < sizeof each / sizeof *each; i++)
        *each[i] = jni_doubles(k->nx + k->ns);
    mix->obs = jni_doubles(obs);
    mix->dobs = jni_doubles(obs);
    mix->wanted = jn_alloc((size_t)obs * sizeof *mix->wanted);
    mix->col = jn_alloc(2 * (size_t)k->g->nbonds * sizeof *mix->col);
    mix->dual_x = jn_alloc((size_t)k->nx * sizeof *mix->dual_x);
    mix->dual_s = jn_alloc((size_t)k->ns * sizeof *mix->dual_s);
    mix->state = jn_alloc((size_t)k->g->nswitches * sizeof *mix->state);
    mix->onoff = jn_alloc((size_t)k->g->nswitches);
    mix->discrete = jni_doubles(k->nd);
}

/* In the present, as it goes on. */
static void stand(slide *d)
{
    jn_sim *s = d->s;
    d->state = s->now.state;
    d->discrete = s->now.discrete;
    d->prior = NULL;
    d->path.last = INFINITY;
    d->flows = s->engine->is_exact && jni_generator_has_prior(s->gen);
}

slide *jni_slide_new(jn_sim *s)
{
    const model *k = &s->model;
    slide *d = jn_alloc(sizeof *d);
    d->s = s;
    d->own.engine = &jni_slide_engine;
    d->own.onoff = jn_alloc((size_t)k->g->nswitches);
    d->own.own = d;
    d->own.storage = k->storage;
    d->own.resistor = k->resistor;
    stand(d);
    allocate_mix(&d->mix, s);
    d->path.n = k->nx + k->ns + 2;
    d->path.y = jni_doubles(d->path.n);
    d->path.yp = jni_doubles(d->path.n);
    d->path.peak = jni_doubles(d->path.n);
    d->path.off = jni_doubles(d->path.n);
    d->path.tol = jni_doubles(d->path.n);
    d->path.spread = jni_doubles(d->path.n);
    d->path.trial = jni_doubles(d->path.n);
    return d;
}

static void copy_surface(slid *to, const slid *from)
{
    *to = *from;
    to->flip = jn_alloc((size_t)from->nflips * sizeof *to->flip);
    to->turn = jn_alloc((size_t)from->nturns * sizeof *to->turn);
    to->level = jn_alloc((size_t)from->nlevels * sizeof *to->level);
    to->cap_flips = from->nflips;
    to->cap_turns = from->nturns;
    to->cap_levels = from->nlevels;
    for (int k = 0; k < from->nflips; k++)
        to->flip[k] = from->flip[k];
    for (int k = 0; k < from->nturns; k++)
        to->turn[k] = from->turn[k];
    for (int k = 0; k < from->nlevels; k++)
        to->level[k] = from->level[k];
}

slide *jni_slide_copy(jn_sim *s, const slide *from)
{
    slide *d = jni_slide_new(s);
    d->n = from->n;
    for (int i = 0; i < d->n; i++)
        copy_surface(&d->on[i], &from->on[i]);
    d->nfree = from->nfree;
    memcpy(d->free, from->free, sizeof d->free);
    memcpy(d->path.peak, from->path.peak, (size_t)d->path.n * sizeof *d->path.peak);
    return d;
}

static void free_surface(slid *p)
{
    free(p->flip);
    free(p->turn);
    free(p->level);
    *p = (slid){0};
}

void jni_slide_drop(slide *d)
{
    if (!d)
        return;
    jni_mix_clear(d);
    for (int i = 0; i < SLIDE_MOST; i++)
        free_surface(&d->on[i]);
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
    free(d->mix.onoff);
    free(d->mix.discrete);
    free(d->path.y);
    free(d->path.yp);
    free(d->path.peak);
    free(d->path.off);
    free(d->path.tol);
    free(d->path.spread);
    free(d->path.trial);
    free(d->path.sample);
    jni_collocation_free(d->path.collocation);
    free(d->path.pattern.start);
    free(d->path.pattern.row);
    free(d);
}

/* Until all is told, its values may be asked for. */
void jni_slide_free(jn_sim *s)
{
    if (!s->slide)
        return;
    jni_slide_let_off(s->slide);
    s->slide->next = s->instants.retired;
    s->instants.retired = s->slide;
    s->slide = NULL;
}

/* Where the run has stopped it may still stand in one of them, and is read there. */
void jni_slides_forget(jn_sim *s)
{
    slide *kept = NULL;
    while (s->instants.retired) {
        slide *d = s->instants.retired;
        s->instants.retired = d->next;
        if (&d->own == s->now.m && s->slide != d)
            kept = d;
        else
            jni_slide_drop(d);
    }
    if (kept)
        kept->next = NULL;
    s->instants.retired = kept;
}

/* ---- the present --------------------------------------------------------------------------- */

static void put_on_side(slide *d, const slid *p, int side)
{
    for (int k = 0; k < p->nflips; k++)
        d->state[p->flip[k].automaton] = p->flip[k].state[side];
    for (int k = 0; k < p->nlevels; k++)
        d->discrete[p->level[k].discrete] = p->level[k].level[side];
    for (int k = 0; k < p->nturns; k++) {
        jni_branch_set(d->s->branches, p->turn[k].branch, p->turn[k].share[side]);
        jni_branch_free(d->s->branches, p->turn[k].branch, false);
    }
}

void jni_slide_quit(jn_sim *s)
{
    if (!s->slide)
        return;
    for (int i = 0; i < s->slide->n; i++)
        put_on_side(s->slide, &s->slide->on[i], s->slide->on[i].side);
    jni_slide_free(s);
    jni_set_onoff(s);
    s->now.m = jni_mode_get(s, s->now.onoff, false);
    jni_reserve_z(s, s->now.m->nz);
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

/* The edge of a step by what has steps: its level has no name. */
static void print_surface(jn_str *out, const jn_sim *s, int number)
{
    const jn_expr *e = s->watch.surface[number].e;
    for (int i = 0; i < s->model.steps.n; i++)
        if (e == s->model.steps.item[i].reaches_own || e == s->model.steps.item[i].reaches_next)
            e = s->model.steps.item[i].node;
    jn_expr_print(out, s->model.g, e);
}

void jni_surfaces_print(jn_str *out, const jn_sim *s, double since)
{
    const watch *w = &s->watch;
    bool any = false;
    for (int i = 0; i < w->nsurfaces; i++) {
        if (w->surface[i].kind == SURFACE_TIME || !(w->surface[i].crossed_at >= since))
            continue;
        jn_str_add(out, any ? ", " : "");
        print_surface(out, s, i);
        any = true;
    }
}

static bool same_surfaces(const slide *a, const slide *b)
{
    bool same = a && b && a->n == b->n;
    for (int i = 0; same && i < a->n; i++)
        same = jni_slide_has(b, a->on[i].surface);
    return same;
}

static void tell(jn_sim *s, const slide *d, const jn_onoff *from, const char *what)
{
    jni_tell_before(s);
    jn_str_reset(&s->cause);
    jn_str_add(&s->cause, what);
    for (int i = 0; d && i < d->n; i++) {
        jn_str_add(&s->cause, ": ");
        print_surface(&s->cause, s, d->on[i].surface);
    }
    jn_event e = {.t = s->clock.t,
                  .kind = JN_EVENT_SLIDING,
                  .from = from,
                  .to = s->now.onoff,
                  .cause = jn_str_c(&s->cause)};
    s->events++;
    jni_tell_event(s, &e, &s->now);
}

/* One that only goes on is no event. */
void jni_slide_tell(const slide *d, const jn_onoff *from, const char *what)
{
    if (!same_surfaces(d, d->s->instants.slid))
        tell(d->s, d, from, what);
}

void jni_slide_tell_end(jn_sim *s)
{
    const slide *was = s->instants.slid;
    if (was && !same_surfaces(s->slide, was))
        tell(s, s->slide, was->own.onoff, s->slide ? "goes on along" : "the slide ends");
}

void jni_slide_drop_fixed(slide *d)
{
    for (int i = 0; i < d->n;) {
        slid *p = &d->on[i];
        if (p->fixed < 0) {
            i++;
            continue;
        }
        put_on_side(d, p, p->fixed);
        if (d->mix.g[i] != 0 || !p->is_tried) {
            d->s->watch.crossed[p->surface] = p->fixed ? 1 : -1;
            d->s->watch.ncrossed++;
        }
        free_surface(p);
        *p = d->on[--d->n];
        d->mix.g[i] = d->mix.g[d->n];
        d->on[d->n] = (slid){0};
    }
}

void jni_slide_take(slide *d)
{
    jn_sim *s = d->s;
    stand(d);
    d->path.is_running = false;
    s->slide = d;
    for (int v = 0; v < d->mix.n; v++)
        d->mix.vertex[v]->entered = true;
}

/* The automata are said to be on the side on which they mostly are as it begins. */
bool jni_slide_go(slide *d)
{
    jn_sim *s = d->s;
    view now = jni_present(s);
    stand(d);
    jni_kinks_settle(d, &now);
    bool ok = jni_mix_prepare(d) && jni_mix_solve(d, s->clock.t, s->now.x, s->now.integral);
    while (ok && jni_slide_release_free(d))
        ok = jni_mix_solve(d, s->clock.t, s->now.x, s->now.integral);
    if (!ok)
        return false;
    jni_slide_mark_shared(d, s->clock.t, s->now.x, s->now.integral);
    jni_reserve_z(s, d->own.nz);
    jni_slide_point(s->now.z, d);
    for (int i = 0; i < d->n; i++) {
        slid *p = &d->on[i];
        if (p->side < 0)
            p->side = p->share > 0.5;
        put_on_side(d, p, p->side);
    }
    jni_set_onoff(s);
    memcpy(d->own.onoff, s->now.onoff, (size_t)s->model.g->nswitches);
    s->now.m = &d->own;
    jni_slide_take(d);
    s->course.following = false;
    return true;
}

const char *jni_slide_trouble(const slide *d)
{
    return d->n > 1 ? "no shares of both sides keep to the surfaces that meet"
                    : "no share of both sides keeps to the surface";
}

jn_status jni_slide_stay(slide *d, jn_stopped *stop)
{
    if (jni_slide_go(d))
        return JN_OK;
    d->s->slide = d;
    return jni_slide_stop(d, jni_slide_trouble(d), stop);
}

/* ---- beginning ----------------------------------------------------------------------------- */

jn_status jni_slide_stop(slide *d, const char *why, jn_stopped *stop)
{
    jn_sim *s = d->s;
    jn_str names;
    jn_str_init(&names);
    for (int i = 0; i < d->n; i++) {
        jn_str_add(&names, i ? ", " : "");
        print_surface(&names, s, d->on[i].surface);
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
    double *x = jni_doubles(s->model.nx);
    bool ok = jni_mix_jump(d, x, s->now.x, s->now.integral) && jni_same_state(s, x, s->now.x);
    free(x);
    return ok;
}

/* A relay that acts on what it compares by way of two storages may be at rest on its surface. */
static void find_bends(slide *d)
{
    jn_sim *s = d->s;
    double swing = SWING_OF_WHILE * jni_short_while(s, INFINITY);
    for (int i = 0; i < d->n; i++)
        jni_mix_bends(d, i, swing, s->clock.t, s->now.x, s->now.integral);
}

static const char *find_shares(slide *d)
{
    jn_sim *s = d->s;
    view now = jni_present(s);
    jni_kinks_settle(d, &now);
    if (!jni_slide_pattern(d, s->now.x, s->now.integral))
        return "no way leads along the surfaces that meet, nor off them";
    if (!fits(d))
        return "the state would jump without end to and fro across";
    return jni_mix_knows_drawn(d) ? NULL : "switches and branches change to and fro across";
}

/* What one of two modes makes 0 anyway is not slid on: it is that mode, as the current of a diode that is OFF,
 * or its voltage when it is ON. Rounding made it look like a slide; no share would ever end it. */
static bool drop_held(slide *d)
{
    jn_sim *s = d->s;
    int side[SLIDE_MOST];
    bool any = false;
    for (int i = 0; i < d->n; i++)
        d->on[i].fixed = -1;
    bool ok = jni_mix_prepare(d) && jni_mix(d, s->clock.t, s->now.x, s->now.integral);
    for (int i = 0; i < d->n; i++)
        side[i] = ok ? jni_mix_held_side(d, i) : -1;
    for (int i = 0; i < d->n; i++) {
        d->on[i].fixed = side[i];
        any |= side[i] >= 0;
    }
    if (any)
        jni_slide_drop_fixed(d);
    return any;
}

/* What is the same on both sides is not slid on either: where a drag of f·|f| begins, or a spring that is softer one
 * way, the solution goes to one side, if rounding does not say to which. */
static bool drop_kinks(slide *d)
{
    jn_sim *s = d->s;
    bool any = false, ok = true;
    for (int i = 0; i < d->n; i++)
        d->on[i].fixed = -1;
    for (int i = 0; i < d->n && ok; i++) {
        int side = jni_ways_side(s, &s->watch.surface[d->on[i].surface]);
        ok = jni_mix_prepare(d);
        if (!ok || !jni_mix_is_same(d, i, s->clock.t, s->now.x, s->now.integral))
            continue;
        d->on[i].fixed = d->mix.g[i] > 0 ? 1 : d->mix.g[i] < 0 ? 0 : side > 0;
        any = true;
    }
    if (any)
        jni_slide_drop_fixed(d);
    return any;
}

/* Takes over the slide. */
static jn_status begin(slide *d, const jn_onoff *from, jn_stopped *stop)
{
    jn_sim *s = d->s;
    while (d->n && drop_held(d)) {
    }
    if (d->n)
        drop_kinks(d);
    if (d->n)
        find_bends(d);
    const char *why = d->n ? find_shares(d) : NULL;
    if (!why)
        jni_slide_drop_fixed(d);
    jni_slide_free(s);
    if (!why && !d->n) { /* rounding made it look like one */
        jni_slide_drop(d);
        jni_set_onoff(s);
        return jni_instant_settle(s, stop);
    }
    if (!why && !jni_slide_go(d))
        why = jni_slide_trouble(d);
    if (!why) {
        jni_slide_tell(d, from,
                       d->n == 1 && s->watch.surface[d->on[0].surface].swing > 0
                           ? "swings ever faster across"
                           : "neither side can go on");
        return JN_OK;
    }
    jn_status st = jni_slide_stop(d, why, stop);
    jni_slide_drop(d);
    return st;
}

/* Whether an instant did nothing but what the slide stands for. */
static bool is_part(slide *d, const instant_log *l)
{
    struct slide_flip *flip;
    for (int k = 0; k < l->nfired; k++)
        if (!jni_slide_flips(d, l->fired_at[k], &flip))
            return false;
    return l->kind == JN_EVENT_STATE;
}

/* What led to a slide is told as that. */
static void drop_pending(slide *d, bool all)
{
    jn_sim *s = d->s;
    for (int k = 0; k <= s->instants.pending; k++) {
        instant_log *l = &s->instants.item[k]->log;
        if (!(all && l->kind == JN_EVENT_STATE) && !is_part(d, l))
            continue;
        s->events -= l->is_pending;
        l->is_pending = false;
    }
    jni_instants_tell(s);
}

/* ---- what the others have seen ------------------------------------------------------------- */

/* Before it is known that a run slides, instants have seen the modes on its sides, and others may
 * have acted on what they read there. They are put back to where they stood when the run came to the
 * surface, and read the mean. */

static struct trail keep(const jn_sim *s)
{
    const model *k = &s->model;
    size_t n = (size_t)k->g->nswitches;
    int b = jni_branches_count(s->branches);
    struct trail to = {.state = jn_alloc(n * sizeof *to.state),
                       .share = jni_doubles(b),
                       .discrete = jni_doubles(k->nd)};
    memcpy(to.state, s->now.state, n * sizeof *to.state);
    memcpy(to.discrete, s->now.discrete, (size_t)k->nd * sizeof *to.discrete);
    for (int i = 0; i < b; i++)
        to.share[i] = jni_branch_share(s->branches, i);
    return to;
}

/* All that the slide does not move. */
static void put_back(slide *d, const struct trail *to)
{
    jn_sim *s = d->s;
    const model *k = &s->model;
    struct slide_flip *flip;
    for (int i = 0; i < k->g->nswitches; i++)
        if (!jni_slide_flips(d, i, &flip))
            s->now.state[i] = to->state[i];
    for (int i = 0; i < k->nd; i++)
        if (!jni_slide_has_level(d, i))
            s->now.discrete[i] = to->discrete[i];
    for (int i = 0; i < jni_branches_count(s->branches); i++)
        if (!jni_slide_turns(d, i))
            jni_branch_set(s->branches, i, to->share[i]);
}

static bool has_acted(slide *d, const struct trail *since)
{
    const jn_sim *s = d->s;
    struct slide_flip *flip;
    for (int i = 0; i < s->model.g->nswitches; i++)
        if (!jni_slide_flips(d, i, &flip) && s->now.state[i] != since->state[i])
            return true;
    for (int i = 0; i < s->model.g->ndiscretes; i++)
        if (!s->watch.is_tally[i] && s->now.discrete[i] != since->discrete[i])
            return true;
    return false;
}

/* However often a switch would change: a slide is one event, and counts as one. */
static void count_once(jn_sim *s, const struct trail *after_first)
{
    for (int i = 0; i < s->model.g->ndiscretes; i++)
        if (s->watch.is_tally[i])
            s->now.discrete[i] = after_first->discrete[i];
}

/* Whether there is a slide with the others as they stood; then they stand so. */
static bool rewind_others(slide *d, const struct trail *since)
{
    if (!has_acted(d, since))
        return false;
    struct trail now = keep(d->s);
    put_back(d, since);
    bool ok = !find_shares(d);
    for (int i = 0; i < d->n; i++)
        ok = ok && d->on[i].fixed < 0;
    if (!ok)
        put_back(d, &now);
    free(now.state);
    free(now.share);
    free(now.discrete);
    return ok;
}

/* One that only goes on is no event: it stays on the side on which it was told to be. */
static void keep_sides(slide *d, const int *told)
{
    if (!same_surfaces(d, d->s->instants.slid))
        return;
    for (int i = 0; i < d->n; i++)
        for (int side = 0; side < 2 && d->on[i].nflips; side++)
            if (d->on[i].flip[0].state[side] == told[d->on[i].flip[0].automaton])
                d->on[i].side = side;
}

/* On which sides the run came to be, first of all. */
static void cross_again(jn_sim *s, int ntrail)
{
    for (int k = ntrail - 1; k >= 0; k--)
        for (int g = 0; g < s->watch.nsurfaces; g++)
            if (s->course.trail[k].crossed[g])
                s->watch.crossed[g] = s->course.trail[k].crossed[g];
    s->watch.ncrossed++;
}

jn_status jni_slide_begin(jn_sim *s, int since, jn_stopped *stop)
{
    slide *d = s->slide ? jni_slide_copy(s, s->slide) : jni_slide_new(s);
    int ntrail = s->course.ntrail;
    jn_status st;
    s->course.ntrail = 0;
    if (!jni_slide_read(d, since, ntrail)) {
        drop_pending(d, false);
        st = jni_slide_stop(d,
                            d->is_full ? "more surfaces meet than a run can slide on"
                                       : "switches and branches change to and fro across",
                            stop);
        jni_slide_drop(d);
        return st;
    }
    const struct trail *first = &s->course.trail[0];
    bool rewound = rewind_others(d, first), came = rewound || !has_acted(d, first);
    if (ntrail > 1)
        count_once(s, &s->course.trail[1]);
    const jn_graph *g = s->model.g;
    int untold = jni_first_untold(s, 0, ntrail);
    const int *left = came && untold < ntrail ? s->course.trail[untold].state : s->now.state;
    jn_onoff *from = jn_alloc((size_t)g->nswitches);
    for (int k = 0; k < g->nswitches; k++)
        from[k] = g->automaton[k].state[left[k]].on;
    keep_sides(d, left);
    drop_pending(d, rewound);
    st = begin(d, from, stop);
    free(from);
    if (st != JN_OK || !rewound)
        return st;
    cross_again(s, ntrail);
    return jni_instant_run(s, JN_EVENT_STATE, NULL, stop);
}

/* ---- leaving ------------------------------------------------------------------------------- */

/* What does not hold any more, all of it together. */
static void let_go(slide *d, const share_set *q)
{
    for (int i = 0; i < d->n; i++) {
        d->on[i].fixed = q->leaving[i] ? q->leaving[i] > 0 : -1;
        d->on[i].is_tried = q->leaving[i] == 0;
    }
}

jn_status jni_slide_leave(jn_sim *s, jn_stopped *stop)
{
    slide *d = jni_slide_copy(s, s->slide);
    jn_onoff *from = jn_alloc((size_t)s->model.g->nswitches);
    memcpy(from, s->now.onoff, (size_t)s->model.g->nswitches);
    if (s->slide->path.leaver > SLIDE_MOST)
        jni_slide_release(d, s->slide->path.leaver - SLIDE_MOST - 1);
    else
        let_go(d, &s->slide->mix.shares);
    jn_status st = JN_OK;
    jni_slide_free(s);
    jni_slide_drop_fixed(d);
    if (d->n && jni_slide_go(d)) {
        jni_slide_tell(d, from, "goes on along");
    } else if (d->n) {
        st = jni_slide_stop(d, jni_slide_trouble(d), stop);
        jni_slide_drop(d);
    } else {
        jni_set_onoff(s);
        st = jni_instant_settle(s, stop);
        if (st == JN_OK && !s->slide)
            jni_slide_tell(d, from, "the slide ends");
        jni_slide_drop(d);
    }
    free(from);
    return st;
}
