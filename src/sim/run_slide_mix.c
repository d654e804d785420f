/* run_slide_mix.c: the mean of several modes.
 *
 * A surface that moves automata has a mode on either side; k of them have 2^k, and with the shares
 * α_i each counts with the product of α_i or 1 − α_i: what a hysteresis tends to when it becomes
 * small. Every rate, value and power is the mean. A surface that only turns branches gives them
 * their share, so that algebraic loops through them are part of the equations. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "slide.h"

static bool has_vertices(const slid *p)
{
    return p->fixed < 0 && p->nflips;
}

/* ---- room ---------------------------------------------------------------------------------- */

static void free_vertices(slide *d)
{
    for (int v = 0; v < d->mix.n; v++)
        free(d->mix.z[v]);
    free(d->mix.z);
    free(d->mix.vertex);
    free(d->mix.weight);
    free(d->mix.rate);
}

/* Puts automata, branches and levels on the sides of vertex v. */
static void take_sides(slide *d, int v)
{
    jn_sim *s = d->s;
    memcpy(d->mix.state, d->state, (size_t)s->model.g->nswitches * sizeof *d->mix.state);
    memcpy(d->mix.discrete, d->discrete, (size_t)s->model.nd * sizeof *d->mix.discrete);
    for (int i = 0; i < d->n; i++) {
        const slid *p = &d->on[i];
        double share = p->fixed >= 0 ? p->fixed : p->share;
        if (has_vertices(p)) {
            share = v % 2;
            v /= 2;
        }
        for (int k = 0; k < p->nflips; k++)
            d->mix.state[p->flip[k].automaton] = p->flip[k].state[share > 0.5];
        for (int k = 0; k < p->nturns; k++)
            jni_branch_set(s->branches, p->turn[k].branch,
                           share * p->turn[k].share[1] + (1 - share) * p->turn[k].share[0]);
        for (int k = 0; k < p->nlevels; k++)
            d->mix.discrete[p->level[k].discrete] =
                share * p->level[k].level[1] + (1 - share) * p->level[k].level[0];
    }
}

static mode *mode_of(slide *d, int v)
{
    const jn_graph *g = d->s->model.g;
    take_sides(d, v);
    for (int k = 0; k < g->nswitches; k++)
        d->mix.onoff[k] = g->automaton[k].state[d->mix.state[k]].on;
    return jni_mode_get(d->s, d->mix.onoff, d->flows);
}

static void mark_wanted(slide *d)
{
    const model *k = &d->s->model;
    memset(d->mix.wanted, 0, (size_t)(jni_obs_count(k) + k->nd) * sizeof *d->mix.wanted);
    for (int i = 0; i < d->n; i++)
        jni_mark_read(d->mix.wanted, k, d->s->watch.surface[d->on[i].surface].e);
}

bool jni_mix_prepare(slide *d)
{
    const model *k = &d->s->model;
    bool ok = true;
    free_vertices(d);
    free(d->own.floating.is_shared);
    d->own.floating.is_shared = NULL;
    d->mix.last.n = 0;
    d->mix.n = 1;
    for (int i = 0; i < d->n; i++)
        d->on[i].is_let = false;
    for (int i = 0; i < d->n; i++)
        d->mix.n *= has_vertices(&d->on[i]) ? 2 : 1;
    d->mix.vertex = jn_alloc((size_t)d->mix.n * sizeof(mode *));
    d->mix.weight = jni_doubles(d->mix.n);
    d->mix.z = jn_alloc((size_t)d->mix.n * sizeof *d->mix.z);
    d->mix.rate = jni_doubles(d->mix.n * (k->nx + k->ns + 2 * SLIDE_MOST));
    mark_wanted(d);
    d->own.nz = SLIDE_MOST + d->mix.n;
    for (int v = 0; v < d->mix.n; v++) {
        mode *m = d->mix.vertex[v] = mode_of(d, v);
        d->mix.z[v] = jni_doubles(m->nz);
        d->own.nz += m->nz;
        ok = ok && m->status == JN_MODE_OK;
    }
    return ok;
}

bool jni_slide_reads(const slide *d, int branch)
{
    for (int v = 0; v < d->mix.n; v++)
        if (jni_branch_matters_in(d->s, d->mix.vertex[v], branch))
            return true;
    return d->mix.n == 0;
}

void jni_mix_clear(slide *d)
{
    free_vertices(d);
    free(d->own.floating.is_shared);
    d->own.floating.is_shared = NULL;
    d->mix.n = 0;
}

/* ---- one mode ------------------------------------------------------------------------------ */

static view stand(slide *d, int v, double t)
{
    return (view){.s = d->s,
                  .m = d->mix.vertex[v],
                  .z = d->mix.z[v],
                  .state = d->mix.state,
                  .discrete = d->mix.discrete,
                  .t = t,
                  .prior = d->prior,
                  .keeps_free = true,
                  .is_followed = isfinite(d->path.last)};
}

static bool enter_vertex(slide *d, int v, double t, const double *x, const double *integral)
{
    mode *m = d->mix.vertex[v];
    take_sides(d, v);
    view at = stand(d, v, t);
    jni_slide_keep_free(d);
    return m->engine->enter(d->mix.z[v], d->mix.x_after, d->s, m, &(entry){x, integral, &at});
}

/* The outermost in all modes. */
static void note_shares(slide *d, int v)
{
    for (int i = 0; i < d->nfree; i++) {
        double *share = &d->free[i].share,
               one = jni_branch_share(d->s->branches, d->free[i].branch);
        if (v == 0 || fabs(one - 0.5) > fabs(*share - 0.5))
            *share = one;
    }
}

void jni_mix_soften(slide *d, double t, const double *x, const double *integral, const double *off)
{
    for (int v = 0; v < d->mix.n; v++) {
        mode *m = d->mix.vertex[v];
        if (m->engine->soften && enter_vertex(d, v, t, x, integral))
            m->engine->soften(d->s, m, t, off);
    }
}

bool jni_same_state(const jn_sim *s, const double *a, const double *b)
{
    double change = 0, size = s->ledger.most_stored;
    for (int i = 0; i < s->model.nx; i++) {
        double e = a[i] - b[i], unit = fabs(s->model.storage[i]);
        change += e * e / unit;
        size += b[i] * b[i] / unit;
    }
    return change <= SAME_STATE * size;
}

bool jni_mix_jump(slide *d, double *x_after, const double *x, const double *integral)
{
    for (int v = 0; v < d->mix.n; v++) {
        if (!enter_vertex(d, v, d->s->clock.t, x, integral))
            return false;
        if (v == 0)
            memcpy(x_after, d->mix.x_after, (size_t)d->s->model.nx * sizeof *x_after);
        else if (!jni_same_state(d->s, d->mix.x_after, x_after))
            return false;
    }
    return true;
}

/* Whether what an automaton compares in a state is 0 in a mode. */
static bool reads_nothing(slide *d, int v, int automaton, int state)
{
    const jn_sim *s = d->s;
    const int_list *of = &s->watch.of_state[automaton][state];
    view at = stand(d, v, s->clock.t);
    for (int i = 0; i < of->n; i++) {
        const surface *g = &s->watch.surface[of->item[i]];
        int part;
        if (g->kind == SURFACE_INSTANT || g->kind == SURFACE_TIME)
            continue;
        triple x = jni_surface_value(&at, g);
        if (jni_triple_sign(&x, &part))
            return false;
    }
    return true;
}

bool jni_mix_knows_drawn(slide *d)
{
    int bit = 1;
    for (int i = 0; i < d->n; i++) {
        const slid *p = &d->on[i];
        for (int v = 0; v < d->mix.n && has_vertices(p); v++) {
            int side = (v & bit) != 0;
            take_sides(d, v);
            for (int k = 0; k < p->nflips; k++)
                if (p->flip[k].is_drawn &&
                    !reads_nothing(d, v, p->flip[k].automaton, p->flip[k].state[1 - side]))
                    return false;
        }
        bit *= has_vertices(p) ? 2 : 1;
    }
    return true;
}

/* ---- surfaces ------------------------------------------------------------------------------ */

/* g and ġ of a surface in the mode that was entered last. */
static dual surface_rate(slide *d, const surface *g, double t, mode *m)
{
    jn_sim *s = d->s;
    const model *k = &s->model;
    int bonds = 2 * k->g->nbonds;
    for (int o = 0; o < jni_obs_count(k); o++) {
        if (!d->mix.wanted[o])
            continue;
        dual *to = o < bonds           ? &d->mix.col[o]
                   : o < bonds + k->nx ? &d->mix.dual_x[o - bonds]
                                       : &d->mix.dual_s[o - bonds - k->nx];
        *to = (dual){d->mix.obs[o], d->mix.dobs[o]};
    }
    moment at = {.model = &s->model,
                 .branches = s->watch.kinks,
                 .onoff = m->onoff,
                 .state = d->mix.state,
                 .discrete = d->mix.discrete,
                 .col = d->mix.col,
                 .x = d->mix.dual_x,
                 .integral = d->mix.dual_s,
                 .t = {fmin(t, d->path.last), 1},
                 .branching = g->kinks.n ? BRANCH_HELD : BRANCH_FREE};
    return jni_minus(jni_tangent(&at, g->e->arg[0]), jni_tangent(&at, g->e->arg[1]));
}

static void observe_wanted(slide *d, mode *m, const double *z)
{
    double noise;
    for (int o = 0; o < jni_obs_count(&d->s->model); o++)
        if (d->mix.wanted[o])
            d->mix.obs[o] = m->engine->value(&noise, d->s, m, z, o);
}

/* ---- the mean ------------------------------------------------------------------------------ */

/* Where mode v keeps its rates: of states, of integrals, of the surfaces; then the values of these. */
static double *rates_of(const slide *d, int v)
{
    const model *k = &d->s->model;
    return d->mix.rate + (size_t)v * (size_t)(k->nx + k->ns + 2 * SLIDE_MOST);
}

/* ġ of a surface in one mode, at a point on its way. */
static bool rate_along(double *to, slide *d, int number, int v, double t, const double *x,
                       const double *rate, double after)
{
    const model *k = &d->s->model;
    int n = k->nx + k->ns;
    double *at = jni_doubles(2 * n);
    mode *m = d->mix.vertex[v];
    for (int i = 0; i < n; i++)
        at[i] = x[i] + after * rate[i];
    bool ok = enter_vertex(d, v, t + after, at, at + k->nx);
    if (ok) {
        m->engine->rates(at + n, at + n + k->nx, d->mix.dobs, d->mix.wanted, d->s, m, d->mix.z[v]);
        observe_wanted(d, m, d->mix.z[v]);
        *to = surface_rate(d, &d->s->watch.surface[d->on[number].surface], t + after, m).d;
    }
    free(at);
    return ok;
}

/* g̈ in one mode, from ġ on the way there: with what brings it back, as swings would come to it, since g and ġ are not
 * 0 to begin with. */
static bool bend(slide *d, int number, int v, double t, const double *x, const double *integral)
{
    static const double at[] = {-2, -1, 1, 2}, weight[] = {1, -8, 8, -1};
    const model *k = &d->s->model;
    double *rate = rates_of(d, v), *g = rate + k->nx + k->ns, sum = 0, one = 0;
    double h = SWING_STEP * d->on[number].swing;
    double back = d->on[number].is_let ? 0 : SWING_BACK / d->on[number].swing;
    double *y = jni_doubles(k->nx + k->ns);
    memcpy(y, x, (size_t)k->nx * sizeof *y);
    memcpy(y + k->nx, integral, (size_t)k->ns * sizeof *y);
    bool ok = true;
    for (int i = 0; i < 4 && ok; i++) {
        ok = rate_along(&one, d, number, v, t, y, rate, at[i] * h);
        sum += weight[i] * one;
    }
    free(y);
    g[number] = sum / (12 * h) + back * (g[number] + d->on[number].fades * g[SLIDE_MOST + number]);
    return ok && enter_vertex(d, v, t, x, integral);
}

static bool bend_all(slide *d, double t, const double *x, const double *integral)
{
    for (int i = 0; i < d->n; i++)
        for (int v = 0; v < d->mix.n && d->on[i].swing > 0; v++)
            if (!bend(d, i, v, t, x, integral))
                return false;
    return true;
}

/* Every mode at a point. */
static bool enter_all(slide *d, double t, const double *x, const double *integral)
{
    const model *k = &d->s->model;
    for (int v = 0; v < d->mix.n; v++) {
        double *rate = rates_of(d, v), *g = rate + k->nx + k->ns;
        if (!enter_vertex(d, v, t, x, integral))
            return false;
        note_shares(d, v);
        mode *m = d->mix.vertex[v];
        m->engine->rates(rate, rate + k->nx, d->mix.dobs, d->mix.wanted, d->s, m, d->mix.z[v]);
        observe_wanted(d, m, d->mix.z[v]);
        for (int i = 0; i < d->n; i++) {
            dual r = surface_rate(d, &d->s->watch.surface[d->on[i].surface], t, m);
            g[i] = d->on[i].is_algebraic ? r.v : r.d;
            g[SLIDE_MOST + i] = r.v;
        }
    }
    return bend_all(d, t, x, integral);
}

/* Whether every mode on a side of a surface keeps it at 0: to the bit, and likewise its rate. */
static bool is_held(const slide *d, int number, int bit, int side)
{
    const model *k = &d->s->model;
    for (int v = 0; v < d->mix.n; v++) {
        const double *g = rates_of(d, v) + k->nx + k->ns;
        if (((v & bit) != 0) == side && (g[number] != 0 || g[SLIDE_MOST + number] != 0))
            return false;
    }
    return true;
}

int jni_mix_held_side(const slide *d, int number)
{
    const slid *p = &d->on[number];
    int bit = 1;
    if (!has_vertices(p) || p->nturns || p->nlevels || p->twin >= 0 || p->is_algebraic ||
        d->s->watch.surface[p->surface].kind != SURFACE_LINEAR)
        return -1;
    for (int i = 0; i < number; i++)
        bit *= has_vertices(&d->on[i]) ? 2 : 1;
    bool low = is_held(d, number, bit, 0), high = is_held(d, number, bit, 1);
    return low == high ? -1 : high;
}

static double weight_of(const slide *d, int v)
{
    double weight = 1;
    for (int i = 0; i < d->n; i++)
        if (has_vertices(&d->on[i])) {
            weight *= v % 2 ? d->on[i].share : 1 - d->on[i].share;
            v /= 2;
        }
    return weight;
}

/* By the shares as they stand. */
static void average(slide *d)
{
    const model *k = &d->s->model;
    memset(d->mix.dx, 0, (size_t)k->nx * sizeof *d->mix.dx);
    memset(d->mix.ds, 0, (size_t)k->ns * sizeof *d->mix.ds);
    memset(d->mix.g, 0, sizeof d->mix.g);
    memset(d->mix.gap, 0, sizeof d->mix.gap);
    for (int v = 0; v < d->mix.n; v++) {
        const double *rate = rates_of(d, v);
        double weight = d->mix.weight[v] = weight_of(d, v);
        for (int i = 0; i < k->nx; i++)
            d->mix.dx[i] += weight * rate[i];
        for (int i = 0; i < k->ns; i++)
            d->mix.ds[i] += weight * rate[k->nx + i];
        for (int i = 0; i < d->n; i++) {
            d->mix.g[i] += weight * rate[k->nx + k->ns + i];
            d->mix.gap[i] += weight * rate[k->nx + k->ns + SLIDE_MOST + i];
        }
    }
}

bool jni_mix(slide *d, double t, const double *x, const double *integral)
{
    if (!enter_all(d, t, x, integral))
        return false;
    average(d);
    return true;
}

/* Rates with a surface on one side, and all others on one side or between both. */
static bool rates_at(double *rate, slide *d, int number, const double share[2], double t,
                     const double *x, const double *integral)
{
    const model *k = &d->s->model;
    for (int i = 0; i < d->n; i++)
        d->on[i].share = share[i == number];
    if (!jni_mix(d, t, x, integral))
        return false;
    memcpy(rate, d->mix.dx, (size_t)k->nx * sizeof *rate);
    memcpy(rate + k->nx, d->mix.ds, (size_t)k->ns * sizeof *rate);
    return true;
}

/* The rates of 2·TRIES corners: those of every second one are with the surface on its other side. */
enum { TRIES = 3 };

static bool are_same(const double *rate, int n)
{
    for (int i = 0; i < n; i++) {
        double most = 0;
        for (int c = 0; c < 2 * TRIES; c++)
            most = fmax(most, fabs(rate[c * n + i]));
        for (int c = 0; c < 2 * TRIES; c += 2)
            if (!(fabs(rate[c * n + i] - rate[(c + 1) * n + i]) <= SAME_RATE * most))
                return false;
    }
    return true;
}

bool jni_mix_is_same(slide *d, int number, double t, const double *x, const double *integral)
{
    static const double others[TRIES] = {0, 1, 0.5};
    const model *k = &d->s->model;
    const slid *p = &d->on[number];
    int n = k->nx + k->ns;
    if (p->nflips || p->nlevels || p->twin >= 0 || p->is_algebraic)
        return false;
    double *rate = jni_doubles(2 * TRIES * n);
    bool ok = true;
    for (int c = 0; c < 2 * TRIES && ok; c++) {
        const double share[] = {others[c / 2], c % 2};
        ok = rates_at(rate + (size_t)c * (size_t)n, d, number, share, t, x, integral);
    }
    ok = ok && are_same(rate, n);
    free(rate);
    for (int i = 0; i < d->n; i++)
        d->on[i].share = 0.5;
    return ok && jni_mix(d, t, x, integral);
}

/* The least and the largest that ġ of a surface is, with each of them on either side in turn. */
static bool range_of_rate(double ends[2], slide *d, int number, double t, const double *x,
                          const double *integral)
{
    bool ok = true;
    ends[0] = INFINITY;
    ends[1] = -INFINITY;
    for (int c = 0; c < 2 * d->n && ok; c++) {
        slid *p = &d->on[c / 2];
        p->share = c % 2;
        ok = jni_mix_prepare(d) && jni_mix(d, t, x, integral);
        p->share = 0.5;
        ends[0] = fmin(ends[0], d->mix.g[number]);
        ends[1] = fmax(ends[1], d->mix.g[number]);
    }
    return ok;
}

bool jni_mix_bends(slide *d, int number, double swing, double t, const double *x,
                   const double *integral)
{
    slid *p = &d->on[number];
    double first[2], second[2];
    if (p->swing > 0 || p->is_algebraic || p->nlevels ||
        !range_of_rate(first, d, number, t, x, integral))
        return false;
    p->swing = swing;
    p->fades = SWING_AT_REST / swing;
    double most = fmax(-first[0], first[1]);
    bool ok = range_of_rate(second, d, number, t, x, integral) &&
              first[1] - first[0] <= SAME_SWING * (second[1] - second[0]) * swing &&
              most <= (second[1] - second[0]) * swing;
    if (!ok)
        p->swing = 0;
    return ok;
}

/* After a change of the shares alone: branches that have one change the modes themselves. */
static bool mix_again(slide *d, double t, const double *x, const double *integral)
{
    for (int i = 0; i < d->n; i++)
        if (d->on[i].fixed < 0 && (d->on[i].nturns || d->on[i].nlevels))
            return jni_mix(d, t, x, integral);
    average(d);
    return true;
}

static double power_at(slide *d, int v, int element)
{
    mode *m = d->mix.vertex[v];
    const jn_graph *g = d->s->model.g;
    int b = g->element[element].bond[0];
    double noise, p = m->engine->value(&noise, d->s, m, d->mix.z[v], jni_obs_effort(b)) *
                      m->engine->value(&noise, d->s, m, d->mix.z[v], jni_obs_flow(b));
    return isfinite(p) ? (g->bond[b].head == element ? p : -p) : 0;
}

void jni_mix_powers(slide *d, double t, double *supplied, double *dissipated)
{
    const model *k = &d->s->model;
    *supplied = *dissipated = 0;
    for (int v = 0; v < d->mix.n; v++) {
        mode *m = d->mix.vertex[v];
        for (int i = 0; i < k->nu; i++)
            *supplied -= d->mix.weight[v] * power_at(d, v, k->g->source[i]);
        for (int i = 0; i < k->nr; i++)
            *dissipated += d->mix.weight[v] * power_at(d, v, k->g->resistor[i]);
        if (m->engine->damping)
            *dissipated += d->mix.weight[v] * m->engine->damping(d->s, m, d->mix.z[v], t);
    }
}

/* ---- shares -------------------------------------------------------------------------------- */

/* Those that are looked for. */
static int list_open(const slide *d, int *open)
{
    int n = 0;
    for (int i = 0; i < d->n; i++)
        if (d->on[i].fixed < 0)
            open[n++] = i;
    return n;
}

bool jni_mix_straighten(straight *q, slide *d, double t, const double *x, const double *integral,
                        double width)
{
    double g[SLIDE_MOST];
    int n = q->n = list_open(d, q->open);
    memcpy(g, d->mix.g, sizeof g);
    for (int j = 0; j < n; j++) {
        slid *p = &d->on[q->open[j]];
        double keep = p->share, h = keep > 0.5 ? -width : width;
        p->share += h;
        if (!mix_again(d, t, x, integral))
            return false;
        p->share = keep;
        for (int i = 0; i < n; i++)
            q->slope[i * n + j] = (d->mix.g[q->open[i]] - g[q->open[i]]) / h;
    }
    memcpy(d->mix.g, g, sizeof g);
    for (int i = 0; i < n; i++) {
        q->size[i] = 0;
        for (int j = 0; j < n; j++)
            q->size[i] = fmax(q->size[i], fabs(q->slope[i * n + j]));
        if (!(q->size[i] > 0))
            return false;
        for (int j = 0; j < n; j++)
            q->slope[i * n + j] /= q->size[i];
    }
    return true;
}

void jni_mix_right_side(double *rhs, const slide *d, const straight *q)
{
    for (int i = 0; i < q->n; i++) {
        rhs[i] = -d->mix.g[q->open[i]] / q->size[i];
        for (int j = 0; j < q->n; j++)
            rhs[i] += q->slope[i * q->n + j] * d->on[q->open[j]].share;
    }
}

/* Newton's step; how far it goes. NaN: nowhere. */
static double improve(slide *d, const straight *q)
{
    double rhs[SLIDE_MOST] = {0}, next[SLIDE_MOST], change = 0;
    jni_mix_right_side(rhs, d, q);
    jni_shares_solve(next, &d->mix.shares, q->slope, rhs, q->n);
    for (int i = 0; i < q->n; i++) {
        slid *p = &d->on[q->open[i]];
        if (!isfinite(next[i]))
            return NAN;
        change = fmax(change, fabs(next[i] - p->share));
        p->share = fmin(fmax(next[i], -4), 5);
    }
    return change;
}

/* Where surfaces depend on each other, not every equation decides on a share. */
static bool holds_all(const slide *d, const straight *q)
{
    for (int i = 0; i < q->n; i++)
        if (!(fabs(d->mix.g[q->open[i]]) <= REGULAR_SHARES * q->size[i]))
            return false;
    return true;
}

/* Where surfaces depend on each other, what would bring one back is at odds with those that hold it. */
static bool let_swings(slide *d)
{
    bool any = false;
    for (int i = 0; i < d->n; i++) {
        any |= d->on[i].swing > 0 && !d->on[i].is_let;
        d->on[i].is_let = d->on[i].swing > 0;
    }
    return any;
}

/* By the slopes of the last point: mostly they are still the same, and it takes n points to find them anew. */
static bool solve_as_last(slide *d, const straight *q, double t, const double *x,
                          const double *integral)
{
    const straight *last = &d->mix.last;
    double keep[SLIDE_MOST], change = INFINITY;
    if (last->n != q->n || memcmp(last->open, q->open, (size_t)q->n * sizeof *q->open) != 0)
        return false;
    for (int i = 0; i < d->n; i++)
        keep[i] = d->on[i].share;
    for (int k = 0; k < 4; k++) {
        double before = change;
        change = improve(d, last);
        if (!(change <= 0.1 * before) || !mix_again(d, t, x, integral))
            break;
        if (change <= SAME_SHARE)
            return true;
    }
    for (int i = 0; i < d->n; i++)
        d->on[i].share = keep[i];
    d->mix.last.n = 0;
    return false;
}

/* Whole steps first, later short ones. Each is made twice: the second mostly shows that the first
 * was all there is to it. */
static bool solve_anew(slide *d, straight *q, double t, const double *x, const double *integral)
{
    double change = 1;
    for (int k = 0; k < 12 && change > SAME_SHARE; k++) {
        if (!jni_mix_straighten(q, d, t, x, integral, k < 2 ? 0.5 : 1e-4))
            return false;
        for (int again = 0; again < 2 && change > SAME_SHARE; again++) {
            change = improve(d, q);
            bool is_there = again && change <= SAME_SHARE;
            if (isnan(change) || (!is_there && !mix_again(d, t, x, integral)))
                return false;
        }
    }
    return change < 1e-6;
}

bool jni_mix_solve(slide *d, double t, const double *x, const double *integral)
{
    straight q = {0};
    q.n = list_open(d, q.open);
    if (!jni_mix(d, t, x, integral))
        return false;
    if (!q.n || solve_as_last(d, &q, t, x, integral))
        return true;
    if (!jni_mix(d, t, x, integral) || !solve_anew(d, &q, t, x, integral))
        return false;
    if (d->mix.shares.nnull) /* how they are open is asked anew each time */
        return holds_all(d, &q) || (let_swings(d) && jni_mix(d, t, x, integral) &&
                                    solve_anew(d, &q, t, x, integral) && holds_all(d, &q));
    d->mix.last = q;
    return true;
}
