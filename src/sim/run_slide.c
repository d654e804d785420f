/* run_slide.c: sliding along surfaces on which neither side can go on.
 *
 * Where the solutions on both sides of a surface g = 0 point at it, a switch would change for ever
 * faster, dry friction would act to and fro. Filippov's solution stays on the surface: with the
 * share α of one side such that ġ = 0. Several surfaces that are slid on at once have a share each;
 * where g depends on the share itself, with no storage in between, g = 0 is the equation. The slide
 * ends on a surface when its share leaves [0, 1].
 *
 * Automata and branches that the same surface moves go together; that they came to stand as they
 * stood before, at one point of the solution, has shown that there is a slide (run.c), and says how
 * they stand on either side. Which of the surfaces that meet there are slid on, and on which side
 * of the others the run is, is found by trying: all at once, then all combinations.
 *
 * y = (x, integrals, energy supplied, energy dissipated) is followed by Radau's method on the mean
 * of the modes (run_slide_mix.c). A point z of a slide is the shares, weights, and points of the
 * modes that are mixed. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "instant.h"
#include "slide.h"

static bool slides_on(slide *d);

/* ---- life ---------------------------------------------------------------------------------- */

static slide *slide_new(jn_sim *s)
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
    double **each[] = {&d->dx, &d->ds, &d->x_after, &d->rate_x, &d->rate_s};
    for (size_t i = 0; i < sizeof each / sizeof *each; i++)
        *each[i] = jni_doubles(k->nx + k->ns);
    d->obs = jni_doubles(obs);
    d->dobs = jni_doubles(obs);
    d->wanted = jn_alloc((size_t)obs * sizeof *d->wanted);
    d->col = jn_alloc(2 * (size_t)k->g->nbonds * sizeof *d->col);
    d->dual_x = jn_alloc((size_t)k->nx * sizeof *d->dual_x);
    d->dual_s = jn_alloc((size_t)k->ns * sizeof *d->dual_s);
    d->state = jn_alloc((size_t)k->g->nswitches * sizeof *d->state);
    d->ny = k->nx + k->ns + 2;
    d->y = jni_doubles(d->ny);
    d->yp = jni_doubles(d->ny);
    d->rhs = jni_doubles(d->ny);
    d->peak = jni_doubles(d->ny);
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
    free(d->dx);
    free(d->ds);
    free(d->x_after);
    free(d->rate_x);
    free(d->rate_s);
    free(d->obs);
    free(d->dobs);
    free(d->wanted);
    free(d->col);
    free(d->dual_x);
    free(d->dual_s);
    free(d->state);
    free(d->y);
    free(d->yp);
    free(d->rhs);
    free(d->peak);
    free(d->sample);
    jni_collocation_free(d->collocation);
    free(d->pattern.start);
    free(d->pattern.row);
    free(d);
}

void jni_slide_free(jn_sim *s)
{
    if (s->slide)
        slide_free(s->slide);
    s->slide = NULL;
}

mode *jni_slide_carry(jn_sim *to, const jn_sim *from)
{
    const slide *old = from->slide;
    slide *d = to->slide = slide_new(to);
    d->n = old->n;
    for (int i = 0; i < d->n; i++) {
        const slid *p = &old->on[i];
        d->on[i] = *p;
        d->on[i].flip = jn_alloc((size_t)p->nflips * sizeof *p->flip);
        d->on[i].turn = jn_alloc((size_t)p->nturns * sizeof *p->turn);
        for (int k = 0; k < p->nflips; k++)
            d->on[i].flip[k] = p->flip[k];
        for (int k = 0; k < p->nturns; k++)
            d->on[i].turn[k] = p->turn[k];
        d->on[i].cap_flips = p->nflips;
        d->on[i].cap_turns = p->nturns;
    }
    memcpy(d->peak, old->peak, (size_t)d->ny * sizeof *d->peak);
    jni_collocation_free(from->slide->collocation); /* steps are found anew in both */
    from->slide->collocation = NULL;
    from->slide->is_running = false;
    slides_on(d);
    return &d->own;
}

/* ---- which surfaces, and what they move ---------------------------------------------------- */

static slid *find_slid(slide *d, int number)
{
    for (int i = 0; i < d->n; i++)
        if (d->on[i].surface == number)
            return &d->on[i];
    if (d->n == SLIDE_MOST)
        return NULL;
    slid *p = &d->on[d->n++];
    p->surface = number;
    p->fixed = -1;
    p->share = 0.5;
    return p;
}

static void add_flip(slid *p, int automaton, int before, int after, int side)
{
    for (int i = 0; i < p->nflips; i++)
        if (p->flip[i].automaton == automaton) {
            p->flip[i].state[side] = after;
            return;
        }
    JN_GROW(p->flip, p->nflips, p->cap_flips);
    struct slide_flip *f = &p->flip[p->nflips++];
    f->automaton = automaton;
    f->state[side] = after;
    f->state[1 - side] = before;
}

static void add_turn(slid *p, int branch, double before, double after, int side)
{
    for (int i = 0; i < p->nturns; i++)
        if (p->turn[i].branch == branch) {
            p->turn[i].share[side] = after;
            return;
        }
    JN_GROW(p->turn, p->nturns, p->cap_turns);
    struct slide_turn *t = &p->turn[p->nturns++];
    t->branch = branch;
    t->share[side] = after;
    t->share[1 - side] = before;
}

static bool is_in(const int_list *list, int number)
{
    for (int i = 0; i < list->n; i++)
        if (list->item[i] == number)
            return true;
    return false;
}

/* Whether a condition has a comparison on the surface. */
static bool lies_on(const jn_sim *s, const jn_expr *c, int number)
{
    const comparison *k = jni_watched(s, c);
    if (k)
        return k->surface == number || k->other == number;
    for (int i = 0; i < c->nargs; i++)
        if (lies_on(s, c->arg[i], number))
            return true;
    return false;
}

/* The surface among those crossed that moved an automaton out of a state; −1: none. */
static int mover(const jn_sim *s, const signed char *crossed, int automaton, int state)
{
    for (int g = 0; g < s->watch.nsurfaces; g++)
        if (crossed[g] && crossed[g] != ON_SURFACE &&
            is_in(&s->watch.of_state[automaton][state], g))
            return g;
    return -1;
}

static int turner(const jn_sim *s, const signed char *crossed, int branch)
{
    for (int g = 0; g < s->watch.nsurfaces; g++)
        if (crossed[g] && crossed[g] != ON_SURFACE &&
            lies_on(s, jni_branch_condition(s->branches, branch), g))
            return g;
    return -1;
}

/* What one instant of the trail changed; the next entry, or the present, is how it ended. */
static bool read_change(slide *d, const struct trail *t, const int *state, const double *share)
{
    jn_sim *s = d->s;
    bool ok = true;
    for (int k = 0; k < s->model.g->nswitches; k++) {
        if (t->state[k] == state[k])
            continue;
        int g = mover(s, t->crossed, k, t->state[k]);
        slid *p = g >= 0 ? find_slid(d, g) : NULL;
        ok = ok && p;
        if (p)
            add_flip(p, k, t->state[k], state[k], t->crossed[g] > 0);
    }
    for (int k = 0; k < jni_branches_count(s->branches); k++) {
        if (t->share[k] == share[k])
            continue;
        int g = turner(s, t->crossed, k);
        slid *p = g >= 0 ? find_slid(d, g) : NULL;
        ok = ok && p;
        if (p)
            add_turn(p, k, t->share[k], share[k], t->crossed[g] > 0);
    }
    return ok;
}

static bool read_trail(slide *d, int since)
{
    jn_sim *s = d->s;
    course *c = &s->course;
    int b = jni_branches_count(s->branches);
    double *now = jni_doubles(b);
    bool ok = true;
    for (int k = 0; k < b; k++)
        now[k] = jni_branch_share(s->branches, k);
    for (int e = since; e < c->ntrail; e++) {
        bool last = e + 1 == c->ntrail;
        ok = read_change(d, &c->trail[e], last ? s->now.state : c->trail[e + 1].state,
                         last ? now : c->trail[e + 1].share) &&
             ok;
    }
    free(now);
    return ok && d->n;
}

/* ---- which of them are slid on ------------------------------------------------------------- */

/* Whether all that is fixed is on its side to stay, and all shares are shares. */
static bool is_consistent(slide *d)
{
    for (int i = 0; i < d->n; i++) {
        slid *p = &d->on[i];
        double scale = 1e-9 * fabs(d->g[i]);
        if (p->fixed < 0 && !(p->share >= -SHARE_SLACK && p->share <= 1 + SHARE_SLACK))
            return false;
        if (p->fixed == 0 && d->g[i] > scale)
            return false;
        if (p->fixed == 1 && d->g[i] < -scale)
            return false;
    }
    return true;
}

static bool try_pattern(slide *d)
{
    jn_sim *s = d->s;
    for (int i = 0; i < d->n; i++)
        if (d->on[i].fixed < 0)
            d->on[i].share = 0.5;
    jni_mix_prepare(d);
    return jni_mix_solve(d, s->clock.t, s->now.x, s->now.integral) && is_consistent(d);
}

/* All at once; then those whose share is none on the side it points to; then all combinations. */
static bool find_pattern(slide *d)
{
    long combinations = 1;
    for (int i = 0; i < d->n; i++)
        d->on[i].fixed = -1;
    for (int tries = 0; tries <= d->n; tries++) {
        bool changed = false;
        if (try_pattern(d))
            return true;
        for (int i = 0; i < d->n; i++)
            if (d->on[i].fixed < 0 &&
                (d->on[i].share < -SHARE_SLACK || d->on[i].share > 1 + SHARE_SLACK)) {
                d->on[i].fixed = d->on[i].share > 0.5;
                changed = true;
            }
        if (!changed)
            break;
    }
    for (int i = 0; i < d->n; i++)
        combinations *= 3;
    for (long c = 0; c < combinations; c++) {
        long rest = c;
        for (int i = 0; i < d->n; i++, rest /= 3)
            d->on[i].fixed = (int)(rest % 3) - 1;
        if (try_pattern(d))
            return true;
    }
    return false;
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

/* Whether a slide only goes on that was broken off at this instant. */
static bool goes_on(const slide *d)
{
    const jn_sim *s = d->s;
    for (int i = 0; i < d->n; i++) {
        const surface *g = &s->watch.surface[d->on[i].surface];
        if (g->slid_until != s->clock.t || g->slid_with != d->n)
            return false;
    }
    return true;
}

static void set_onoff(jn_sim *s)
{
    const jn_graph *g = s->model.g;
    for (int k = 0; k < g->nswitches; k++)
        s->now.onoff[k] = g->automaton[k].state[s->now.state[k]].on;
}

/* z: the shares, the weights, the points. */
static int point_size(const slide *d)
{
    int n = SLIDE_MOST + d->nvertices;
    for (int v = 0; v < d->nvertices; v++)
        n += d->vertex[v]->nz;
    return n;
}

static void write_point(double *z, const slide *d)
{
    for (int i = 0; i < SLIDE_MOST; i++)
        z[i] = i < d->n ? d->on[i].share : 0;
    z += SLIDE_MOST;
    memcpy(z, d->weight, (size_t)d->nvertices * sizeof *z);
    z += d->nvertices;
    for (int v = 0; v < d->nvertices; v++) {
        memcpy(z, d->z[v], (size_t)d->vertex[v]->nz * sizeof *z);
        z += d->vertex[v]->nz;
    }
}

static void tell(jn_sim *s, const jn_onoff *from, const char *what, const slide *d)
{
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

static bool slides_on(slide *d)
{
    jn_sim *s = d->s;
    d->is_running = false;
    jni_mix_prepare(d);
    if (!jni_mix_solve(d, s->clock.t, s->now.x, s->now.integral))
        return false;
    d->own.nz = point_size(d);
    jni_reserve_z(s, d->own.nz);
    write_point(s->now.z, d);
    set_sides(d, false);
    set_onoff(s);
    s->now.m = &d->own;
    for (int v = 0; v < d->nvertices; v++)
        d->vertex[v]->entered = true;
    s->course.following = false;
    return true;
}

/* ---- beginning ----------------------------------------------------------------------------- */

static jn_status stop_meeting(slide *d, const char *why, jn_stopped *stop)
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
    for (int v = 0; v < d->nvertices; v++) {
        mode *m = d->vertex[v];
        view at = jni_present(s);
        at.m = m;
        if (!m->engine->enter(d->z[v], d->x_after, s, m, &(entry){s->now.x, s->now.integral, &at}))
            return false;
        for (int i = 0; i < s->model.nx; i++) {
            double e = d->x_after[i] - s->now.x[i], unit = fabs(m->storage[i]);
            change += e * e / unit;
            size += s->now.x[i] * s->now.x[i] / unit;
        }
    }
    return change <= 1e-18 * size;
}

static jn_status begin(slide *d, const jn_onoff *from, jn_stopped *stop)
{
    jn_sim *s = d->s;
    if (!find_pattern(d))
        return stop_meeting(d, "no way leads along the surfaces that meet, nor off them", stop);
    if (!fits(d))
        return stop_meeting(d, "the state would jump without end to and fro across", stop);
    drop_fixed(d);
    if (!count_open(d)) { /* rounding made it look like one */
        set_onoff(s);
        jni_slide_free(s);
        return jni_instant_settle(s, stop);
    }
    if (!slides_on(d))
        return stop_meeting(d, "no share of both sides keeps to the surface", stop);
    if (!goes_on(d))
        tell(s, from, "neither side can go on", d);
    return JN_OK;
}

/* What led to a slide is told as that. */
static void drop_pending(jn_sim *s)
{
    for (int k = 0; k <= s->npending; k++) {
        instant_log *l = &s->instants[k]->log;
        if (l->kind != JN_EVENT_STATE)
            continue;
        s->events -= l->is_pending;
        l->is_pending = false;
    }
    jni_instants_tell(s);
}

jn_status jni_slide_begin(jn_sim *s, int since, jn_stopped *stop)
{
    jni_slide_free(s);
    drop_pending(s);
    slide *d = s->slide = slide_new(s);
    jn_onoff *from = jn_alloc((size_t)s->model.g->nswitches);
    memcpy(from, s->now.onoff, (size_t)s->model.g->nswitches);
    bool ok = read_trail(d, since);
    s->course.ntrail = 0;
    jn_status st = ok ? begin(d, from, stop)
                      : stop_meeting(d, "switches and branches change to and fro across", stop);
    free(from);
    return st;
}

/* ---- branches whose own way decides their condition ---------------------------------------- */

/* g of a branch's condition, and whether it says that the condition holds. */
static double gap_of(jn_sim *s, mode *m, const entry *from, double *z, double *x, int branch)
{
    const jn_expr *c = jni_branch_condition(s->branches, branch);
    view v = *from->at;
    v.m = m;
    v.z = z;
    v.jump = (jump){NULL, NULL};
    if (!m->engine->enter(z, x, s, m, from))
        return NAN;
    double gap = jni_evaluate(&v, c->arg[0]) - jni_evaluate(&v, c->arg[1]);
    return c->op == JN_X_GT || c->op == JN_X_GE ? gap : -gap;
}

static double gap_at(jn_sim *s, mode *m, const entry *from, double *z, double *x, int k,
                     double share)
{
    jni_branch_set(s->branches, k, share);
    return gap_of(s, m, from, z, x, k);
}

/* The share at which the sides of a condition meet, if neither way agrees with it. */
static bool balance(jn_sim *s, mode *m, const entry *from, double *z, double *x, int k, bool *found)
{
    double keep = jni_branch_share(s->branches, k), low = 0, high = 1;
    double g0 = gap_at(s, m, from, z, x, k, 0), g1 = gap_at(s, m, from, z, x, k, 1);
    *found = g0 > 0 && g1 < 0;
    if (!*found) {
        jni_branch_set(s->branches, k, g0 <= 0 ? 0 : g1 >= 0 ? 1 : keep);
        return true;
    }
    if (!s->engine->is_exact) { /* its equations find the share */
        jni_branch_set(s->branches, k, 0.5);
        jni_branch_free(s->branches, k, true);
        return true;
    }
    for (int i = 0; i < 200 && high - low > 1e-15; i++) {
        double mid = i % 3 == 2 ? 0.5 * (low + high) : low + (high - low) * g0 / (g0 - g1);
        if (!(mid > low && mid < high))
            mid = 0.5 * (low + high);
        double g = gap_at(s, m, from, z, x, k, mid);
        if (isnan(g))
            return false;
        if (g == 0)
            break;
        if (g > 0) {
            low = mid;
            g0 = g;
        } else {
            high = mid;
            g1 = g;
        }
    }
    return true;
}

bool jni_slide_between(jn_sim *s, mode *m, const entry *from)
{
    double *z = jni_doubles(m->nz), *x = jni_doubles(s->model.nx);
    bool ok = true, any = false;
    for (int round = 0; round < 8 && ok; round++)
        for (int k = 0; k < jni_branches_count(s->branches) && ok; k++) {
            bool found = false;
            if (jni_branch_is_simple(s->branches, k) && !jni_branch_is_free(s->branches, k))
                ok = balance(s, m, from, z, x, k, &found);
            any |= found;
        }
    free(z);
    free(x);
    if (!any)
        jni_mode_fail(m, "an expression takes one way and the other in turn");
    return ok && any;
}

/* Branches that an instant left between their ways. */
jn_status jni_slide_adopt(jn_sim *s, jn_stopped *stop)
{
    const branches *b = s->branches;
    slide *d = NULL;
    for (int k = 0; k < jni_branches_count(b); k++) {
        double share = jni_branch_share(b, k);
        if (share == 0 || share == 1 || jni_branch_is_free(b, k))
            continue;
        const comparison *c = jni_watched(s, jni_branch_condition(b, k));
        if (!d)
            d = s->slide = slide_new(s);
        slid *p = c ? find_slid(d, c->surface) : NULL;
        if (!p)
            return stop_meeting(d, "too many expressions are between two ways", stop);
        jn_expr_op op = jni_branch_condition(b, k)->op;
        int holds = ((op == JN_X_GT || op == JN_X_GE) == (c->sign > 0));
        p->is_algebraic = true;
        p->share = holds ? share : 1 - share;
        add_turn(p, k, 0, 1, holds);
    }
    if (!d)
        return JN_OK;
    if (!slides_on(d))
        return stop_meeting(d, "no share of both ways keeps to the surface", stop);
    tell(s, s->now.onoff, "neither way can be taken", d);
    return JN_OK;
}

/* ---- leaving ------------------------------------------------------------------------------- */

bool jni_slide_ignores(const jn_sim *s, int number)
{
    for (int i = 0; s->slide && i < s->slide->n; i++)
        if (s->slide->on[i].surface == number)
            return true;
    return false;
}

double jni_slide_exit(jn_sim *s, double end)
{
    const slide *d = s->slide;
    double first = -1, values[SLIDE_POINTS], a[SLIDE_POINTS];
    for (int i = 0; i < d->n; i++)
        for (int bound = 0; bound < 2; bound++) { /* below 0, above 1 */
            for (int k = 0; k < SLIDE_POINTS; k++) {
                double share = d->share_at[k][i];
                values[k] = bound ? share - 1 : -share;
            }
            jni_series_fit(a, values, SLIDE_POINTS);
            crossing c = {.a = a,
                          .n = SLIDE_POINTS,
                          .length = s->course.stretch.length,
                          .end = first < 0 ? end : first,
                          .start = -1,
                          .noise = 1e-12,
                          .t0 = s->clock.t};
            double tau = jni_series_crossing(&c);
            if (tau >= 0)
                first = tau;
        }
    return first;
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
    if (d->n && !slides_on(d))
        st = stop_meeting(d, "no share of both sides keeps to the surface", stop);
    if (st == JN_OK && d->n) {
        tell(s, from, "goes on along", d);
    } else if (st == JN_OK) {
        jni_slide_free(s);
        set_onoff(s);
        st = jni_instant_settle(s, stop);
        slide none = {.n = 0};
        if (st == JN_OK)
            tell(s, from, "the slide ends", &none);
    }
    free(from);
    return st;
}

jn_status jni_leave_between(jn_sim *s, jn_stopped *stop)
{
    branches *b = s->branches;
    int worst = -1;
    for (int k = 0; k < jni_branches_count(b); k++) {
        double off = jni_branch_is_free(b, k) ? fabs(jni_branch_share(b, k) - 0.5) : -1;
        if (off >= 0 && (worst < 0 || off > fabs(jni_branch_share(b, worst) - 0.5)))
            worst = k;
    }
    if (worst >= 0) {
        const jn_expr *c = jni_branch_condition(b, worst);
        const comparison *w = jni_watched(s, c);
        bool holds = jni_branch_share(b, worst) > 0.5;
        jni_branch_free(b, worst, false);
        jni_branch_set(b, worst, holds);
        if (w) {
            bool above = (c->op == JN_X_GT || c->op == JN_X_GE) == holds;
            s->watch.crossed[w->surface] = (signed char)((above ? 1 : -1) * w->sign);
            s->watch.ncrossed++;
        }
    }
    return jni_instant_settle(s, stop);
}

/* ---- the engine ---------------------------------------------------------------------------- */

static slide *slide_of(const mode *m)
{
    return m->own;
}

/* The rates of y; false: there are none. */
static bool rates_at(slide *d, double t, const double *y, double *rate)
{
    const model *k = &d->s->model;
    if (!jni_mix_solve(d, t, y, y + k->nx))
        return false;
    memcpy(rate, d->dx, (size_t)k->nx * sizeof *rate);
    memcpy(rate + k->nx, d->ds, (size_t)k->ns * sizeof *rate);
    jni_mix_powers(d, &rate[d->ny - 2], &rate[d->ny - 1]);
    return true;
}

static bool residual(void *ctx, double t, const double *y, const double *yp, double *F)
{
    slide *d = ctx;
    if (!rates_at(d, t, y, F))
        return false;
    for (int i = 0; i < d->ny; i++) {
        F[i] = yp[i] - F[i];
        if (!isfinite(F[i]))
            return false;
    }
    return true;
}

/* Difference quotients: they only have to lead Newton's method the right way. */
static bool jacobian(void *ctx, double t, const double *y, const double *yp, double *by_y,
                     double *by_yp)
{
    slide *d = ctx;
    int n = d->ny;
    double *at = jni_doubles(n), *base = jni_doubles(n), *there = jni_doubles(n);
    (void)yp;
    memcpy(at, y, (size_t)n * sizeof *at);
    bool ok = rates_at(d, t, at, base);
    for (int j = 0; j < n && ok; j++) {
        double h = 1e-7 * fmax(fabs(y[j]), fmax(1e-3 * d->peak[j], 1e-12));
        bool matters = j < n - 2;
        at[j] = y[j] + h;
        ok = !matters || rates_at(d, t, at, there);
        for (int i = 0; i < n; i++) {
            by_y[j * n + i] = matters ? -(there[i] - base[i]) / h : 0;
            by_yp[j * n + i] = i == j;
        }
        at[j] = y[j];
    }
    free(at);
    free(base);
    free(there);
    return ok;
}

static void tolerance(void *ctx, const double *y, double *tol)
{
    slide *d = ctx;
    double highest = 0;
    for (int i = 0; i < d->ny; i++) {
        d->peak[i] = fmax(d->peak[i], fabs(y[i]));
        highest = fmax(highest, d->peak[i]);
    }
    double least = highest > 0 ? 1e-6 * highest : 1;
    for (int i = 0; i < d->ny; i++)
        tol[i] = STEP_RTOL * fmax(fabs(y[i]), STEP_FLOOR * fmax(d->peak[i], least));
}

static void dense_pattern(sparse_pattern *p, int n)
{
    p->n = n;
    p->start = jn_alloc((size_t)(n + 1) * sizeof *p->start);
    p->row = jn_alloc((size_t)n * (size_t)n * sizeof *p->row);
    for (int j = 0; j < n; j++) {
        p->start[j] = j * n;
        for (int i = 0; i < n; i++)
            p->row[j * n + i] = i;
    }
    p->start[n] = n * n;
}

/* How large things would become off the surface: what is small beside it is rounding. */
static void raise_peaks(slide *d, double wanted)
{
    jn_sim *s = d->s;
    const model *k = &s->model;
    double keep[SLIDE_MOST];
    for (int side = 0; side < 2; side++) {
        for (int i = 0; i < d->n; i++) {
            keep[i] = side ? keep[i] : d->on[i].share;
            d->on[i].share = side;
        }
        if (!jni_mix(d, s->clock.t, s->now.x, s->now.integral))
            continue;
        for (int i = 0; i < k->nx + k->ns; i++) {
            double rate = i < k->nx ? d->dx[i] : d->ds[i - k->nx];
            d->peak[i] = fmax(d->peak[i], 1e-2 * wanted * fabs(rate));
        }
    }
    for (int i = 0; i < d->n; i++)
        d->on[i].share = keep[i];
    for (int i = 0; i < k->nx; i++) {
        double root = sqrt(2 * fmax(s->ledger.most_stored, 0) * fabs(k->storage[i]));
        d->peak[i] = fmax(d->peak[i], root);
        double energy = 0.5 * d->peak[i] * d->peak[i] / fabs(k->storage[i]);
        for (int e = d->ny - 2; e < d->ny; e++)
            d->peak[e] = fmax(d->peak[e], energy);
    }
}

static bool start(slide *d, double wanted)
{
    jn_sim *s = d->s;
    const model *k = &s->model;
    if (!d->collocation) {
        collocation_problem q = {d, d->ny, residual, jacobian, tolerance, s};
        d->collocation = jni_collocation_new(&q);
    }
    if (!d->pattern.start) {
        dense_pattern(&d->pattern, d->ny);
    }
    memcpy(d->y, s->now.x, (size_t)k->nx * sizeof *d->y);
    memcpy(d->y + k->nx, s->now.integral, (size_t)k->ns * sizeof *d->y);
    d->y[d->ny - 2] = d->y[d->ny - 1] = 0;
    raise_peaks(d, wanted);
    if (!d->collocation || !rates_at(d, s->clock.t, d->y, d->yp))
        return false;
    for (int i = 0; i < d->ny; i++)
        d->peak[i] = fmax(d->peak[i], fmax(fabs(d->y[i]), 1e-2 * wanted * fabs(d->yp[i])));
    jni_collocation_start(d->collocation, &d->pattern, s->clock.t, d->y, d->yp, wanted);
    d->from = d->to = s->clock.t;
    return d->is_running = true;
}

/* The points of the modes at the nodes of an interpolation. */
static bool take_samples(slide *d, double from, double length)
{
    const model *k = &d->s->model;
    d->sample = jn_realloc(d->sample, SLIDE_POINTS * (size_t)d->own.nz * sizeof *d->sample);
    for (int i = SLIDE_POINTS - 1; i >= 0; i--) {
        double t = from + 0.5 * length * (1 + cos(PI * i / (SLIDE_POINTS - 1)));
        jni_collocation_at(d->collocation, t, d->y, NULL);
        if (!jni_mix_solve(d, t, d->y, d->y + k->nx))
            return false;
        write_point(d->sample + (size_t)i * (size_t)d->own.nz, d);
        for (int l = 0; l < d->n; l++)
            d->share_at[i][l] = d->on[l].share;
    }
    return true;
}

static bool follow(stretch *p, jn_sim *s, mode *m, double wanted)
{
    slide *d = slide_of(m);
    p->n = SLIDE_POINTS;
    p->length = 0;
    s->why = "no share of both sides keeps to the surface";
    if (!d->is_running && !start(d, fmax(wanted, 1e-12)))
        return false;
    if (d->to <= nextafter(s->clock.t, INFINITY)) {
        d->from = d->to;
        if (!jni_collocation_step(d->collocation, &d->to, s->course.until))
            return false;
    }
    p->length = d->to - s->clock.t;
    return p->length > 0 && take_samples(d, s->clock.t, p->length);
}

static bool mix_at(slide *d, double t)
{
    jni_collocation_at(d->collocation, t, d->y, NULL);
    return jni_mix_solve(d, t, d->y, d->y + d->s->model.nx);
}

static void at(double *z, double *x, double *integral, jn_sim *s, mode *m, double tau)
{
    slide *d = slide_of(m);
    const model *k = &s->model;
    if (!mix_at(d, s->course.t0 + tau))
        d->y[0] = NAN;
    write_point(z, d);
    memcpy(x, d->y, (size_t)k->nx * sizeof *x);
    memcpy(integral, d->y + k->nx, (size_t)k->ns * sizeof *x);
}

static void glance(double *z, jn_sim *s, mode *m, double tau)
{
    slide *d = slide_of(m);
    mix_at(d, s->course.t0 + tau);
    write_point(z, d);
}

/* The mean over the modes of a point. */
static double form(double *noise, jn_sim *s, mode *m, const double *z, const linear_form *f)
{
    const slide *d = slide_of(m);
    const double *weight = z + SLIDE_MOST, *at_ = weight + d->nvertices;
    double sum = 0;
    *noise = 0;
    for (int v = 0; v < d->nvertices; v++) {
        double one;
        sum += weight[v] * d->vertex[v]->engine->form(&one, s, d->vertex[v], at_, f);
        *noise += fabs(weight[v]) * one;
        at_ += d->vertex[v]->nz;
    }
    *noise += NOISE_OF_STEP * STEP_RTOL * fabs(sum);
    return sum;
}

static double value(double *noise, jn_sim *s, mode *m, const double *z, int obs)
{
    const slide *d = slide_of(m);
    const double *weight = z + SLIDE_MOST, *at_ = weight + d->nvertices;
    double sum = 0;
    *noise = 0;
    for (int v = 0; v < d->nvertices; v++) {
        double one;
        sum += weight[v] * d->vertex[v]->engine->value(&one, s, d->vertex[v], at_, obs);
        *noise += fabs(weight[v]) * one;
        at_ += d->vertex[v]->nz;
    }
    *noise += NOISE_OF_STEP * STEP_RTOL * fabs(sum);
    return sum;
}

static void inputs(double *u, jn_sim *s, mode *m, const double *z)
{
    const slide *d = slide_of(m);
    const double *weight = z + SLIDE_MOST, *at_ = weight + d->nvertices;
    int nu = s->model.nu;
    double *one = jni_doubles(INPUT_ORDERS * nu);
    memset(u, 0, (size_t)nu * sizeof *u);
    for (int v = 0; v < d->nvertices; v++) {
        d->vertex[v]->engine->inputs(one, s, d->vertex[v], at_);
        for (int k = 0; k < nu; k++)
            u[k] += weight[v] * one[k];
        at_ += d->vertex[v]->nz;
    }
    free(one);
}

static bool series(double *a, double *noise, jn_sim *s, mode *m, const linear_form *f)
{
    slide *d = slide_of(m);
    double values[SLIDE_POINTS], one;
    *noise = 0;
    for (int i = 0; i < SLIDE_POINTS; i++) {
        values[i] = form(&one, s, m, d->sample + (size_t)i * (size_t)d->own.nz, f);
        *noise = fmax(*noise, one);
    }
    jni_series_fit(a, values, SLIDE_POINTS);
    return !isnan(values[0]);
}

static energies energies_of(jn_sim *s, mode *m, double tau)
{
    slide *d = slide_of(m);
    double *y = jni_doubles(d->ny);
    jni_collocation_at(d->collocation, s->course.t0, y, NULL);
    double supplied = y[d->ny - 2], dissipated = y[d->ny - 1];
    jni_collocation_at(d->collocation, s->course.t0 + tau, y, NULL);
    energies e = {y[d->ny - 2] - supplied, y[d->ny - 1] - dissipated, 0};
    free(y);
    return e;
}

static double stored(jn_sim *s, mode *m, const double *x)
{
    const slide *d = slide_of(m);
    return d->vertex[0]->engine->stored(s, d->vertex[0], x);
}

static double no_impulse(double *noise, jn_sim *s, mode *m, int obs, const jump *j)
{
    (void)s;
    (void)m;
    (void)obs;
    (void)j;
    return *noise = 0;
}

static double no_conflict(double *noise, jn_sim *s, mode *m, int obs, const double *u)
{
    (void)s;
    (void)m;
    (void)obs;
    (void)u;
    return *noise = 0;
}

const engine jni_slide_engine = {
    .name = "slide",
    .inputs = inputs,
    .value = value,
    .form = form,
    .impulse = no_impulse,
    .conflict = no_conflict,
    .follow = follow,
    .at = at,
    .series = series,
    .glance = glance,
    .energies = energies_of,
    .stored = stored,
};
