/* run_slide_engine.c: following a slide.
 *
 * y = (x, integrals, energy supplied, energy dissipated) is followed by Radau's method on the mean
 * of the modes (run_slide_mix.c). A point z of a slide is the shares, weights, and points of the
 * modes that are mixed. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "instant.h"
#include "slide.h"

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
    memcpy(rate, d->mix.dx, (size_t)k->nx * sizeof *rate);
    memcpy(rate + k->nx, d->mix.ds, (size_t)k->ns * sizeof *rate);
    jni_mix_powers(d, t, &rate[d->path.n - 2], &rate[d->path.n - 1]);
    return true;
}

static bool residual(void *ctx, double t, const double *y, const double *yp, double *F)
{
    slide *d = ctx;
    if (!rates_at(d, t, y, F))
        return false;
    for (int i = 0; i < d->path.n; i++) {
        F[i] = yp[i] - F[i];
        if (!isfinite(F[i]))
            return false;
    }
    return true;
}

/* Slopes of the rates by one of y, from a difference of h. False: there are none. */
static bool slopes_by(double *slope, slide *d, double t, double *y, const double *base, int j,
                      double h)
{
    double keep = y[j];
    y[j] += h;
    bool ok = rates_at(d, t, y, slope);
    y[j] = keep;
    for (int i = 0; i < d->path.n && ok; i++)
        slope[i] = (slope[i] - base[i]) / h;
    return ok;
}

static double largest(const double *a, int n)
{
    double most = 0;
    for (int i = 0; i < n; i++)
        most = fmax(most, fabs(a[i]));
    return most;
}

/* What is rounded off within its tolerance, as the root of a difference of levels, is a line there, and far less steep
 * a bit further away; elsewhere a larger difference leaves more digits. */
static bool find_slopes(double *slope, double *near, slide *d, double t, double *y,
                        const double *base, int j)
{
    double h = 1e-7 * fmax(fabs(y[j]), fmax(1e-3 * d->path.peak[j], 1e-12));
    if (d->s->engine->is_exact) {
        bool known = false; /* too far away there may be no shares */
        for (int tries = 0; tries < 4 && !known; tries++, h *= 1e-2)
            known = slopes_by(slope, d, t, y, base, j, h);
        return known;
    }
    double tol = d->path.tol[j];
    bool ok = slopes_by(near, d, t, y, base, j, tol);
    ok = ok && slopes_by(slope, d, t, y, base, j, fmax(1e-7 * fabs(y[j]), tol));
    if (ok && largest(near, d->path.n) > 2 * largest(slope, d->path.n))
        memcpy(slope, near, (size_t)d->path.n * sizeof *slope);
    return ok;
}

/* Difference quotients: they only have to lead Newton's method the right way. */
static bool jacobian(void *ctx, double t, const double *y, const double *yp, double *by_y,
                     double *by_yp)
{
    slide *d = ctx;
    int n = d->path.n;
    double *at = jni_doubles(n), *base = jni_doubles(n), *slope = jni_doubles(n);
    double *near = jni_doubles(n);
    (void)yp;
    memcpy(at, y, (size_t)n * sizeof *at);
    bool ok = rates_at(d, t, at, base);
    for (int j = 0; j < n && ok; j++) {
        bool matters = j < n - 2;
        ok = !matters || find_slopes(slope, near, d, t, at, base, j);
        for (int i = 0; i < n; i++) {
            by_y[j * n + i] = matters ? -slope[i] : 0;
            by_yp[j * n + i] = i == j;
            d->path.spread[i] =
                (j ? d->path.spread[i] : 0) + fabs(by_y[j * n + i]) * d->path.tol[j];
        }
    }
    free(at);
    free(base);
    free(slope);
    free(near);
    return ok;
}

static void tolerance(void *ctx, const double *y, double *tol)
{
    slide *d = ctx;
    const model *k = &d->s->model;
    double highest = 0;
    for (int i = 0; i < d->path.n; i++) {
        d->path.peak[i] = fmax(d->path.peak[i], fabs(y[i]));
        highest = fmax(highest, d->path.peak[i]);
    }
    double least = highest > 0 ? 1e-6 * highest : 1;
    double lasts = NOISE_OF_MIX * d->path.lasted;
    for (int i = 0; i < d->path.n; i++)
        tol[i] = fmax(STEP_RTOL * fmax(fabs(y[i]), STEP_FLOOR * fmax(d->path.peak[i], least)),
                      lasts * d->path.off[i]);
    for (int i = 0; i < k->nx; i++) { /* what states are off by is off in energies */
        double energy = tol[i] / fabs(k->storage[i]) * fmax(d->path.peak[i], tol[i]);
        tol[d->path.n - 2] += energy;
        tol[d->path.n - 1] += energy;
    }
    for (int i = k->nx; i < d->path.n; i++) /* and in whatever is summed up from them */
        tol[i] = fmax(tol[i], d->path.lasted * d->path.spread[i]);
    memcpy(d->path.tol, tol, (size_t)d->path.n * sizeof *tol);
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

/* How large things may become, by an energy. */
static void raise_to_energy(slide *d, double most)
{
    const model *k = &d->s->model;
    for (int i = 0; i < k->nx; i++) {
        double root = sqrt(2 * most * fabs(k->storage[i]));
        d->path.peak[i] = fmax(d->path.peak[i], root);
        double energy = 0.5 * d->path.peak[i] * d->path.peak[i] / fabs(k->storage[i]);
        for (int e = d->path.n - 2; e < d->path.n; e++)
            d->path.peak[e] = fmax(d->path.peak[e], energy);
    }
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
            double rate = i < k->nx ? d->mix.dx[i] : d->mix.ds[i - k->nx];
            d->path.peak[i] = fmax(d->path.peak[i], 1e-2 * wanted * fabs(rate));
            d->path.off[i] = fmax(d->path.off[i], fabs(rate));
        }
    }
    for (int i = 0; i < d->n; i++)
        d->on[i].share = keep[i];
}

/* What the states would store if they were as large as their peaks. */
static double energy_of_peaks(const slide *d)
{
    const model *k = &d->s->model;
    double most = 0;
    for (int i = 0; i < k->nx; i++)
        most = fmax(most, 0.5 * d->path.peak[i] * d->path.peak[i] / fabs(k->storage[i]));
    return isfinite(most) ? most : 0;
}

/* By what there was, by the energy there is, and by what would become of it off the surface: also
 * what hardly moves there, as a spring between two that are held, is known no better than that. */
static void find_sizes(slide *d, double wanted)
{
    for (int i = 0; i < d->path.n; i++)
        d->path.peak[i] = fmax(d->path.peak[i], fabs(d->path.y[i]));
    raise_to_energy(d, fmax(d->s->ledger.most_stored, 0));
    raise_peaks(d, wanted);
    raise_to_energy(d, energy_of_peaks(d));
}

/* What was held at rest is known to the rounding of what it would have become meanwhile; so is what it is tied to. */
void jni_slide_let_off(slide *d)
{
    jn_sim *s = d->s;
    const model *k = &s->model;
    double lasted = SCALE_OF_WHILE * (s->clock.t - d->path.began), energy = 0;
    if (!d->path.is_running || !(lasted > 0))
        return;
    jni_ledger_held(s, d->path.off, s->clock.t - d->path.began);
    if (!s->engine->was_held)
        return;
    for (int i = 0; i < k->nx; i++) {
        double size = lasted * d->path.off[i];
        energy = fmax(energy, 0.5 * size * size / fabs(k->storage[i]));
    }
    for (int i = 0; i < k->nx; i++)
        d->path.trial[i] = sqrt(2 * energy * fabs(k->storage[i]));
    s->engine->was_held(s, d->path.trial);
}

/* The engine that makes the modes asks no more of states than the slide does. */
static void soften(slide *d, double t)
{
    if (d->s->engine->was_held)
        d->s->engine->was_held(d->s, d->path.peak);
    jni_mix_soften(d, t, d->path.y, d->path.y + d->s->model.nx, d->path.tol);
}

/* However closely events have come one after the other: what is held at rest has not become smaller by that. */
static bool start(slide *d, double wanted)
{
    jn_sim *s = d->s;
    const model *k = &s->model;
    double ahead = fmax(wanted, jni_short_while(s, s->course.until - s->clock.t));
    if (!d->path.collocation) {
        collocation_problem q = {d,    d->path.n, residual, jacobian, tolerance, false, 0,
                                 NULL, NULL,      NULL,     NULL,     NULL,      s};
        d->path.collocation = jni_collocation_new(&q);
    }
    if (!d->path.pattern.start)
        dense_pattern(&d->path.pattern, d->path.n);
    memcpy(d->path.y, s->now.x, (size_t)k->nx * sizeof *d->path.y);
    memcpy(d->path.y + k->nx, s->now.integral, (size_t)k->ns * sizeof *d->path.y);
    d->path.y[d->path.n - 2] = d->path.y[d->path.n - 1] = 0;
    memset(d->path.off, 0, (size_t)d->path.n * sizeof *d->path.off);
    memset(d->path.spread, 0, (size_t)d->path.n * sizeof *d->path.spread);
    d->path.lasted = 0;
    d->path.began = s->clock.t;
    find_sizes(d, ahead);
    if (!d->path.collocation || !rates_at(d, s->clock.t, d->path.y, d->path.yp))
        return false;
    for (int i = 0; i < d->path.n - 2; i++) /* what a power lasts for is not known */
        d->path.peak[i] = fmax(d->path.peak[i], 1e-2 * ahead * fabs(d->path.yp[i]));
    tolerance(d, d->path.y, d->path.trial);
    soften(d, s->clock.t);
    jni_collocation_start(d->path.collocation, &d->path.pattern, s->clock.t, d->path.y, d->path.yp,
                          wanted);
    d->path.from = d->path.to = s->clock.t;
    return d->path.is_running = true;
}

/* A share; SLIDE_MOST: the outermost of all, at least; beyond: one that an engine keeps. */
static double share_of(const slide *d, int i)
{
    return i < SLIDE_MOST    ? d->on[i].share
           : i == SLIDE_MOST ? 0.5 * (1 + d->mix.shares.most)
                             : d->free[i - SLIDE_MOST - 1].share;
}

/* The shares that are watched. Where surfaces depend on each other a share may stay at its bound, as long as
 * others take over what it does not hold. */
static int list_shares(int *item, const slide *d)
{
    int n = 0;
    for (int i = 0; i < d->n && !d->mix.shares.nnull; i++)
        item[n++] = i;
    if (d->mix.shares.nnull)
        item[n++] = SLIDE_MOST;
    for (int i = 0; i < d->nfree; i++)
        item[n++] = SLIDE_MOST + 1 + i;
    return n;
}

/* The points of the modes at the nodes of an interpolation. */
static bool take_samples(slide *d, double from, double length)
{
    const model *k = &d->s->model;
    d->path.sample =
        jn_realloc(d->path.sample, SLIDE_POINTS * (size_t)d->own.nz * sizeof *d->path.sample);
    for (int i = SLIDE_POINTS - 1; i >= 0; i--) {
        double t = from + 0.5 * length * (1 + cos(PI * i / (SLIDE_POINTS - 1)));
        jni_collocation_at(d->path.collocation, t, d->path.y, NULL);
        if (!jni_mix_solve(d, t, d->path.y, d->path.y + k->nx))
            return false;
        jni_slide_point(d->path.sample + (size_t)i * (size_t)d->own.nz, d);
        for (int l = 0; l <= SLIDE_MOST + d->nfree; l++)
            d->path.share_at[i][l] = share_of(d, l);
    }
    return true;
}

static void share_series(double *a, const slide *d, int i)
{
    double values[SLIDE_POINTS];
    for (int k = 0; k < SLIDE_POINTS; k++)
        values[k] = d->path.share_at[k][i];
    jni_series_fit(a, values, SLIDE_POINTS);
}

/* Whether the shares are what their series say. The states may go on smoothly where a share has a
 * pole, beyond [0, 1]. */
static bool shares_are_smooth(const slide *d)
{
    double a[SLIDE_POINTS];
    int item[SLIDE_MOST + MOST_FREE], n = list_shares(item, d);
    for (int i = 0; i < n; i++) {
        share_series(a, d, item[i]);
        if (!(fabs(a[SLIDE_POINTS - 1]) + fabs(a[SLIDE_POINTS - 2]) <=
              SMOOTH_SHARE * fmax(1, fabs(a[0]))))
            return false;
    }
    return true;
}

static bool mix_at(slide *d, double t)
{
    jni_collocation_at(d->path.collocation, t, d->path.y, NULL);
    return jni_mix_solve(d, t, d->path.y, d->path.y + d->s->model.nx);
}

static bool is_held_as(const share_set *a, const share_set *b)
{
    return !memcmp(a->held, b->held, sizeof a->held) &&
           !memcmp(a->leaving, b->leaving, sizeof a->leaving);
}

/* How far a stretch goes until shares that are open come to be held by other bounds: there they have
 * a kink, though the motion has none. */
static double next_bound(slide *d, double from, double length)
{
    const double least = 1e-9; /* of the length: what is closer is where it begins */
    double low = least * length, high = low;
    if (!mix_at(d, from + low))
        return length;
    share_set here = d->mix.shares;
    bool same = true;
    for (int i = 1; i < SLIDE_POINTS && same; i++) {
        low = high;
        high = i * length / (SLIDE_POINTS - 1);
        same = mix_at(d, from + high) && is_held_as(&here, &d->mix.shares);
    }
    while (!same && high - low > nextafter(from + high, INFINITY) - (from + high)) {
        double mid = 0.5 * (low + high);
        if (mid <= low || mid >= high)
            break;
        bool as_here = mix_at(d, from + mid) && is_held_as(&here, &d->mix.shares);
        *(as_here ? &low : &high) = mid;
    }
    return high;
}

static bool follow(stretch *p, jn_sim *s, mode *m, double wanted)
{
    slide *d = slide_of(m);
    const double shortest = 1e-3; /* of the step: what is not smooth by then never will be */
    p->n = SLIDE_POINTS;
    p->length = 0;
    d->path.last = nextafter(s->course.until, -INFINITY);
    s->trouble.why = jni_slide_trouble(d);
    if (!d->path.is_running && !start(d, fmax(jni_short_while(s, wanted), 1e-12)))
        return false;
    bool is_due = d->path.to >= s->course.until;
    if (d->path.to <= (is_due ? s->clock.t : nextafter(s->clock.t, INFINITY))) {
        d->path.lasted = d->path.to - d->path.from;
        d->path.from = d->path.to;
        jni_collocation_at(d->path.collocation, d->path.to, d->path.y, NULL);
        soften(d, d->path.to);
        if (!jni_collocation_step(d->path.collocation, &d->path.to, s->course.until))
            return false;
    }
    double whole = p->length = d->path.to - s->clock.t;
    bool ok = p->length > 0 && take_samples(d, s->clock.t, p->length);
    if (ok && d->mix.shares.nnull && !shares_are_smooth(d)) {
        whole = p->length = next_bound(d, s->clock.t, p->length);
        ok = take_samples(d, s->clock.t, p->length);
    }
    while (p->length > shortest * whole && (!ok || !shares_are_smooth(d))) {
        p->length *= 0.5;
        ok = take_samples(d, s->clock.t, p->length);
    }
    return ok;
}

/* From where the series of a share leaves [0, 1] to where the share itself does, to rounding. */
static double sharpen(slide *d, int i, const crossing *c, double tau)
{
    double at = tau;
    for (int tries = 0; tries < 4 && mix_at(d, c->t0 + at); tries++) {
        double slope = jni_series_slope(c->a, c->n, 2 * at / c->length - 1) * 2 / c->length;
        double share = share_of(d, i), beyond = share > 0.5 ? share - 1 : share;
        double next = at - beyond / slope;
        if (!(next > 0 && next < c->end && fabs(next - tau) < 1e-3 * c->length))
            break;
        if (fabs(beyond) <= c->noise) /* it is known better than the series */
            return next;
        at = next;
    }
    return tau;
}

static double exit_of(jn_sim *s, mode *m, double end)
{
    slide *d = slide_of(m);
    double first = -1, a[SLIDE_POINTS];
    int item[SLIDE_MOST + MOST_FREE], n = list_shares(item, d);
    for (int i = 0; i < n; i++) {
        share_series(a, d, item[i]);
        crossing c = {.a = a,
                      .n = SLIDE_POINTS,
                      .length = s->course.stretch.length,
                      .end = first < 0 ? end : first,
                      .noise = NOISE_OF_SHARE,
                      .t0 = s->clock.t};
        double tau = jni_series_exit(&c);
        if (tau < 0)
            continue;
        first = sharpen(d, item[i], &c, tau);
        d->path.leaver = item[i];
    }
    return first;
}

static void keep(jn_sim *s)
{
    s->engine->keep(s);
}

static void put_back(jn_sim *s)
{
    s->engine->put_back(s);
}

/* The shares are looked for from those of the sample nearby, whatever was read before. */
static void guess_shares(slide *d, double tau)
{
    double u = 2 * tau / d->s->course.stretch.length - 1;
    int i = (int)lround(acos(fmin(fmax(u, -1), 1)) / PI * (SLIDE_POINTS - 1));
    for (int l = 0; l < d->n; l++)
        d->on[l].share = d->path.share_at[i][l];
}

static void at(double *z, double *x, double *integral, jn_sim *s, mode *m, double tau)
{
    slide *d = slide_of(m);
    const model *k = &s->model;
    guess_shares(d, tau);
    if (!mix_at(d, s->course.t0 + tau))
        d->path.y[0] = NAN;
    jni_slide_point(z, d);
    memcpy(x, d->path.y, (size_t)k->nx * sizeof *x);
    memcpy(integral, d->path.y + k->nx, (size_t)k->ns * sizeof *x);
}

static void glance(double *z, jn_sim *s, mode *m, double tau)
{
    slide *d = slide_of(m);
    mix_at(d, s->course.t0 + tau);
    jni_slide_point(z, d);
}

/* ---- points -------------------------------------------------------------------------------- */

static bool are_shares(const slide *d)
{
    for (int i = 0; i < d->n; i++)
        if (!(d->on[i].share >= -SHARE_SLACK && d->on[i].share <= 1 + SHARE_SLACK))
            return false;
    for (int i = 0; i < d->nfree; i++)
        if (!(d->free[i].share >= -SHARE_SLACK && d->free[i].share <= 1 + SHARE_SLACK))
            return false;
    return true;
}

/* Into all modes at once, where they jump alike and there are shares. */
static bool enter(double *z, double *x_after, jn_sim *s, mode *m, const entry *from)
{
    slide *d = slide_of(m);
    (void)s;
    d->path.last = INFINITY;
    if (!jni_mix_jump(d, x_after, from->x, from->integral) ||
        !jni_mix_solve(d, from->at->t, x_after, from->integral) || !are_shares(d))
        return false;
    jni_slide_mark_shared(d, from->at->t, x_after, from->integral);
    jni_slide_point(z, d);
    return true;
}

/* The mean over the modes of a point: of a form, or of one observable. */
static double mean(double *noise, const slide *d, const double *z, const linear_form *f, int obs)
{
    const double *weight = z + SLIDE_MOST, *at_ = weight + d->mix.n;
    double sum = 0;
    *noise = 0;
    for (int v = 0; v < d->mix.n; v++) {
        mode *m = d->mix.vertex[v];
        double one, value = f ? m->engine->form(&one, d->s, m, at_, f)
                              : jni_value_at(&one, d->s, m, at_, obs);
        sum += weight[v] * value;
        *noise += fabs(weight[v]) * one;
        at_ += m->nz;
    }
    *noise += NOISE_OF_STEP * STEP_RTOL * fabs(sum);
    return sum;
}

/* Levels count as constants, as they are said to be: what they are on the mean beyond that. */
static double of_levels(const slide *d, const double *z, const linear_form *f)
{
    int first = jni_obs_count(&d->s->model);
    double sum = 0;
    for (int i = 0; i < d->n; i++)
        for (int k = 0; k < d->on[i].nlevels; k++) {
            const struct slide_level *l = &d->on[i].level[k];
            double beyond = (z[i] - d->on[i].side) * (l->level[1] - l->level[0]);
            for (int n = f->n - 1; n >= 0 && f->term[n].obs >= first; n--)
                if (f->term[n].obs == first + l->discrete)
                    sum += f->term[n].c * beyond;
        }
    return sum;
}

static double form(double *noise, jn_sim *s, mode *m, const double *z, const linear_form *f)
{
    double off;
    (void)s;
    return mean(noise ? noise : &off, slide_of(m), z, f, -1) + of_levels(slide_of(m), z, f);
}

static double value(double *noise, jn_sim *s, mode *m, const double *z, int obs)
{
    (void)s;
    return mean(noise, slide_of(m), z, NULL, obs);
}

/* All bond variables, with shares that are off by so much of an open direction (−1: none). */
static bool look_along(double *to, slide *d, double t, const double *x, const double *integral,
                       int direction, double far)
{
    double noise, *z = jni_doubles(d->own.nz);
    for (int i = 0; i < d->n && direction >= 0; i++)
        d->on[i].share += far * d->mix.shares.null[direction][i];
    bool ok = jni_mix(d, t, x, integral);
    jni_slide_point(z, d);
    for (int o = 0; o < 2 * d->s->model.g->nbonds && ok; o++)
        to[o] = value(&noise, d->s, &d->own, z, o);
    for (int i = 0; i < d->n && direction >= 0; i++)
        d->on[i].share -= far * d->mix.shares.null[direction][i];
    free(z);
    return ok;
}

void jni_slide_mark_shared(slide *d, double t, const double *x, const double *integral)
{
    const double far = 0.25, clear = 1e-9; /* of a share; of what there is */
    int n = 2 * d->s->model.g->nbonds;
    if (!d->mix.shares.nnull || d->own.floating.is_shared)
        return;
    double *here = jni_doubles(n), *there = jni_doubles(n), most = 0;
    bool ok = look_along(here, d, t, x, integral, -1, 0);
    d->own.floating.is_shared = jn_alloc((size_t)n * sizeof *d->own.floating.is_shared);
    for (int o = 0; o < n; o++)
        most = fmax(most, fabs(here[o]));
    for (int k = 0; k < d->mix.shares.nnull && ok; k++) {
        ok = look_along(there, d, t, x, integral, k, far);
        for (int o = 0; o < n; o++)
            d->own.floating.is_shared[o] |=
                fabs(there[o] - here[o]) > clear * fmax(most, fabs(there[o]));
    }
    free(here);
    free(there);
    jni_mix(d, t, x, integral);
}

bool jni_slide_shares(const slide *d, int obs)
{
    return d->own.floating.is_shared && d->own.floating.is_shared[obs];
}

/* That all of them jump alike does not mean that they do so by the same impulses. */
static double impulse(double *noise, jn_sim *s, mode *m, const linear_form *f, const jump *j)
{
    const slide *d = slide_of(m);
    double sum = 0;
    *noise = 0;
    for (int v = 0; v < d->mix.n; v++) {
        double one, weight = d->mix.weight[v];
        sum += weight * d->mix.vertex[v]->engine->impulse(&one, s, d->mix.vertex[v], f, j);
        *noise += fabs(weight) * one;
    }
    return sum;
}

static void inputs(double *u, jn_sim *s, mode *m, const double *z)
{
    const jn_graph *g = s->model.g;
    double noise;
    memset(u, 0, (size_t)(INPUT_ORDERS * s->model.nu) * sizeof *u);
    for (int k = 0; k < s->model.nu; k++) {
        const jn_element *x = &g->element[g->source[k]];
        int b = x->bond[0];
        u[k] = value(&noise, s, m, z, x->kind == JN_SE ? jni_obs_effort(b) : jni_obs_flow(b));
    }
}

static void rates(double *x, double *integral, double *obs, const bool *wanted, jn_sim *s, mode *m,
                  const double *z)
{
    const slide *d = slide_of(m);
    (void)obs;
    (void)wanted;
    (void)z;
    memcpy(x, d->mix.dx, (size_t)s->model.nx * sizeof *x);
    memcpy(integral, d->mix.ds, (size_t)s->model.ns * sizeof *x);
}

static bool series(double *a, double *noise, jn_sim *s, mode *m, const linear_form *f)
{
    slide *d = slide_of(m);
    double values[SLIDE_POINTS], one;
    *noise = 0;
    for (int i = 0; i < SLIDE_POINTS; i++) {
        values[i] = form(&one, s, m, d->path.sample + (size_t)i * (size_t)d->own.nz, f);
        *noise = fmax(*noise, one);
    }
    jni_series_fit(a, values, SLIDE_POINTS);
    return !isnan(values[0]);
}

static energies energies_of(jn_sim *s, mode *m, double tau)
{
    slide *d = slide_of(m);
    double *y = jni_doubles(d->path.n);
    jni_collocation_at(d->path.collocation, s->course.t0, y, NULL);
    double supplied = y[d->path.n - 2], dissipated = y[d->path.n - 1];
    jni_collocation_at(d->path.collocation, s->course.t0 + tau, y, NULL);
    energies e = {y[d->path.n - 2] - supplied, y[d->path.n - 1] - dissipated, 0};
    free(y);
    double known_to = STEP_RTOL * STEP_FLOOR * d->path.peak[d->path.n - 1];
    if (e.dissipated < 0 && e.dissipated > -known_to) /* at rest */
        e.dissipated = 0;
    return e;
}

static double stored(jn_sim *s, mode *m, const double *x)
{
    const slide *d = slide_of(m);
    return d->mix.vertex[0]->engine->stored(s, d->mix.vertex[0], x);
}

/* Of the mode on one side, for all. */
mode *jni_one_mode(mode *m)
{
    return m && m->engine == &jni_slide_engine ? slide_of(m)->mix.vertex[0] : m;
}

static double shift(jn_sim *s, mode *from, mode *m, const double *x)
{
    mode *one = jni_one_mode(m);
    return one->engine->shift(s, from, one, x);
}

static double no_conflict(double *noise, jn_sim *s, mode *m, const linear_form *f, const double *u)
{
    (void)s;
    (void)m;
    (void)f;
    (void)u;
    return *noise = 0;
}

const engine jni_slide_engine = {
    .name = "slide",
    .enter = enter,
    .inputs = inputs,
    .value = value,
    .form = form,
    .mean = jni_slide_mean,
    .impulse = impulse,
    .conflict = no_conflict,
    .rates = rates,
    .follow = follow,
    .exit = exit_of,
    .keep = keep,
    .put_back = put_back,
    .at = at,
    .series = series,
    .glance = glance,
    .energies = energies_of,
    .stored = stored,
    .shift = shift,
};
