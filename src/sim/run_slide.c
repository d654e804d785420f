/* slide.c: sliding along the surface between two modes.
 *
 * Where the solutions of two modes both point at the surface g = 0 that separates them, neither
 * can go on, and the switch would change for ever faster. Filippov's solution stays on the surface:
 *
 *     ẏ = α·f0(y) + (1 − α)·f1(y),     α = ġ1/(ġ1 − ġ0),     0 <= α <= 1
 *
 * with ġ0, ġ1 the slopes of g that the two modes would give. It is what a hysteresis tends to when
 * it becomes small, α being the share of time spent in the first mode; every variable, and every
 * power, is the mean of the two by that share. The slide ends when α leaves [0, 1]: the mode it
 * has come to then goes on alone.
 *
 * y = (x, integrals, energy supplied, energy dissipated) is followed by the classical Runge–Kutta
 * method, with steps so short that its error is lost in that of the exact stretches around it. A
 * stretch of a slide holds the polynomials of all observables, of α and of the two energies. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim_internal.h"

enum { SLIDE_SUPPLIED, SLIDE_DISSIPATED, SLIDE_SHARE, SLIDE_EXTRAS };

struct slide {
    mode_table *side[2];
    int *state[2]; /* of the automata on either side */
    const atom *surface;
    mode_table *table; /* stands for the slide as the present mode */
    int leaves_to;     /* the side that goes on when the present stretch is over, −1: none */
    int ny;
    double *y, *at, *k[4]; /* Runge–Kutta */
    double *z[2], *dz[2], *x, *v;
    double *values; /* PANEL_POINTS × (observables and extras) */
};

/* z of a slide: observables, generator, extras; so that v stands where it always does. */
static int extras_at(const jn_sim *s)
{
    return jn_obs_count(s) + s->nv;
}

static int width(const jn_sim *s)
{
    return extras_at(s) + SLIDE_EXTRAS;
}

/* ---- the two modes at a point ---------------------------------------------------------------- */

static void enter_side(slide *d, jn_sim *s, int k, double t, const double *y)
{
    mode_table *m = d->side[k];
    jn_generator_at(d->v, s->gen, t);
    jn_mode_table_enter(d->z[k], d->x, s, m, y, y + s->N, d->v);
    jn_sparse_mul(d->dz[k], &m->A, d->z[k]);
}

static double surface_slope(slide *d, jn_sim *s, int k)
{
    const linear_form *g = &d->surface->form;
    double slope = g->ct;
    for (int i = 0; i < g->n; i++)
        slope += g->term[i].c * jn_reals_dot(jn_mode_table_row(s, d->side[k], g->term[i].obs),
                                             d->dz[k], d->side[k]->nz);
    return slope;
}

/* Power along the arrows of the bonds of some elements, towards them or away from them. */
static double power(slide *d, jn_sim *s, int k, const int *element, int n, bool into)
{
    double sum = 0;
    mode_table *m = d->side[k];
    for (int i = 0; i < n; i++) {
        int b = s->g->element[element[i]].bond[0];
        double p = jn_reals_dot(jn_mode_table_row(s, m, jn_obs_effort(s, b)), d->z[k], m->nz) *
                   jn_reals_dot(jn_mode_table_row(s, m, jn_obs_flow(s, b)), d->z[k], m->nz);
        sum += (s->g->bond[b].head == element[i]) == into ? p : -p;
    }
    return sum;
}

/* dy += share·(the slopes that side k gives) */
static void add_slopes(double *dy, slide *d, jn_sim *s, int k, double share)
{
    const mode_table *m = d->side[k];
    const double *dz = d->dz[k];
    jn_sparse_mul(d->x, &m->x_of_z, dz);
    for (int i = 0; i < s->N; i++)
        dy[i] += share * d->x[i];
    for (int i = 0; i < s->ni; i++)
        dy[s->N + i] += share * dz[m->n + i];
    double *energy = dy + s->N + s->ni;
    energy[SLIDE_SUPPLIED] += share * power(d, s, k, s->g->source, s->m, false);
    energy[SLIDE_DISSIPATED] += share * power(d, s, k, s->g->resistor, s->nr, true);
}

/* The slopes of y, and α. */
static double slopes(double *dy, slide *d, jn_sim *s, double t, const double *y)
{
    double g[2];
    for (int k = 0; k < 2; k++) {
        enter_side(d, s, k, t, y);
        g[k] = surface_slope(d, s, k);
    }
    double share = g[1] == g[0] ? 0.5 : g[1] / (g[1] - g[0]);
    memset(dy, 0, (size_t)d->ny * sizeof *dy);
    add_slopes(dy, d, s, 0, share);
    add_slopes(dy, d, s, 1, 1 - share);
    return share;
}

/* ---- stretches ------------------------------------------------------------------------------- */

static void runge_kutta(slide *d, jn_sim *s, double t, double h)
{
    static const double step[4] = {0, 0.5, 0.5, 1};
    for (int k = 0; k < 4; k++) {
        for (int i = 0; i < d->ny; i++)
            d->at[i] = d->y[i] + (k ? step[k] * h * d->k[k - 1][i] : 0);
        slopes(d->k[k], d, s, t + step[k] * h, d->at);
    }
    for (int i = 0; i < d->ny; i++)
        d->y[i] += h / 6 * (d->k[0][i] + 2 * d->k[1][i] + 2 * d->k[2][i] + d->k[3][i]);
}

/* All observables at a point, and the extras. */
static void observe_all(double *out, slide *d, jn_sim *s, double t)
{
    double share = slopes(d->k[0], d, s, t, d->y);
    int n = jn_obs_count(s);
    for (int o = 0; o < n; o++)
        out[o] =
            share * jn_reals_dot(jn_mode_table_row(s, d->side[0], o), d->z[0], d->side[0]->nz) +
            (1 - share) *
                jn_reals_dot(jn_mode_table_row(s, d->side[1], o), d->z[1], d->side[1]->nz);
    for (int i = 0; i < s->N; i++)
        out[jn_obs_state(s, i)] = d->y[i];
    for (int i = 0; i < s->ni; i++)
        out[jn_obs_integral(s, i)] = d->y[s->N + i];
    memcpy(out + n, d->v, (size_t)s->nv * sizeof *out);
    double *extra = out + extras_at(s);
    extra[SLIDE_SUPPLIED] = d->y[s->N + s->ni + SLIDE_SUPPLIED];
    extra[SLIDE_DISSIPATED] = d->y[s->N + s->ni + SLIDE_DISSIPATED];
    extra[SLIDE_SHARE] = share;
}

static double length_of(const slide *d, double wanted)
{
    double norm = 0;
    for (int k = 0; k < 2; k++)
        norm = fmax(norm, jn_sparse_norm1(&d->side[k]->A));
    return norm > 0 ? fmin(wanted, 0.2 / norm) : wanted;
}

/* y at the present. */
static void start_y(slide *d, const jn_sim *s)
{
    memcpy(d->y, s->x, (size_t)s->N * sizeof *d->y);
    memcpy(d->y + s->N, s->s, (size_t)s->ni * sizeof *d->y);
    memset(d->y + s->N + s->ni, 0, 2 * sizeof *d->y);
}

void jn_slide_stretch(stretch *p, jn_sim *s, double wanted)
{
    slide *d = s->slide;
    int n = width(s);
    double h = length_of(d, wanted), tau = 0, column[PANEL_POINTS], series[PANEL_POINTS];
    start_y(d, s);
    /* the last point of the interpolation is the first in time */
    for (int i = PANEL_DEGREE; i >= 0; i--) {
        double next = 0.5 * h * (1 + cos(3.14159265358979323846 * i / PANEL_DEGREE));
        runge_kutta(d, s, s->t + tau, 0.5 * (next - tau));
        runge_kutta(d, s, s->t + 0.5 * (tau + next), 0.5 * (next - tau));
        tau = next;
        observe_all(d->values + (size_t)i * (size_t)n, d, s, s->t + tau);
    }
    jn_stretch_reserve(p, n);
    p->length = h;
    for (int o = 0; o < n; o++) {
        for (int i = 0; i < PANEL_POINTS; i++)
            column[i] = d->values[(size_t)i * (size_t)n + (size_t)o];
        jn_series_fit(series, column, PANEL_POINTS);
        for (int k = 0; k < PANEL_POINTS; k++)
            p->q[k * n + o] = series[k];
    }
}

/* ---- leaving --------------------------------------------------------------------------------- */

/* The first point at which α leaves [0, 1], −1: none; and which side then goes on. */
double jn_slide_exit(jn_sim *s, double end)
{
    slide *d = s->slide;
    const stretch *p = &s->stretch;
    double a[PANEL_POINTS] = {0}, first = -1;
    int place = extras_at(s) + SLIDE_SHARE;
    d->leaves_to = -1;
    for (int k = 0; k < 2; k++) { /* α > 1: side 0 alone; α < 0: side 1 alone */
        for (int i = 0; i < p->n; i++)
            a[i] = (k ? -1 : 1) * p->q[i * p->nz + place];
        a[0] -= k ? 0 : 1;
        crossing c = {.a = a,
                      .n = p->n,
                      .length = p->length,
                      .end = end,
                      .strict = true,
                      .noise = 1e-12,
                      .t0 = s->t};
        double tau = jn_series_crossing(&c);
        if (tau >= 0 && (first < 0 || tau < first)) {
            first = tau;
            d->leaves_to = k;
        }
    }
    return first;
}

bool jn_slide_is_over(const jn_sim *s)
{
    return s->slide->leaves_to >= 0;
}

static void tell(jn_sim *s, const jn_onoff *from, const jn_onoff *to, const char *cause)
{
    jn_event e = {.t = s->t, .kind = JN_EVENT_SLIDING, .from = from, .to = to, .cause = cause};
    if (s->o.on_event)
        s->o.on_event(&e, s->o.ctx);
}

/* Goes on in the mode that α has come to. */
void jn_slide_leave(jn_sim *s)
{
    slide *d = s->slide;
    int k = d->leaves_to;
    mode_table *m = d->side[k];
    if (s->o.before_event)
        s->o.before_event(s->o.ctx);
    memcpy(s->state, d->state[k], (size_t)s->g->nswitches * sizeof *s->state);
    memcpy(s->mode, m->onoff, (size_t)s->g->nswitches);
    s->now = m;
    m->entered = true;
    jn_reserve_z(s, m->nz);
    jn_generator_at(s->v, s->gen, s->t);
    memcpy(d->y, s->x, (size_t)s->N * sizeof *d->y);
    jn_mode_table_enter(s->z, s->x, s, m, d->y, s->s, s->v);
    s->following = false;
    s->events++;
    tell(s, d->side[1 - k]->onoff, m->onoff, "the slide ends");
    jn_slide_free(s);
}

void jn_slide_free(jn_sim *s)
{
    slide *d = s->slide;
    if (!d)
        return;
    for (int k = 0; k < 2; k++) {
        free(d->state[k]);
        free(d->z[k]);
        free(d->dz[k]);
    }
    for (int k = 0; k < 4; k++)
        free(d->k[k]);
    free(d->y);
    free(d->at);
    free(d->x);
    free(d->v);
    free(d->values);
    jn_mode_table_free(d->table, s);
    free(d);
    s->slide = NULL;
}

/* ---- beginning ------------------------------------------------------------------------------- */

static mode_table *make_table(const jn_sim *s, const jn_onoff *onoff)
{
    mode_table *m = jn_alloc(sizeof *m);
    m->direct = true;
    m->onoff = jn_alloc((size_t)s->g->nswitches);
    memcpy(m->onoff, onoff, (size_t)s->g->nswitches);
    m->n = jn_obs_count(s) - s->ni;
    m->nz = width(s);
    m->obs_row = jn_alloc((size_t)jn_obs_count(s) * sizeof *m->obs_row);
    return m;
}

static slide *make_slide(jn_sim *s, mode_table *other, const int *other_state, const atom *surface)
{
    slide *d = jn_alloc(sizeof *d);
    const int *state[2] = {other_state, s->state};
    d->side[0] = other;
    d->side[1] = s->now;
    d->surface = surface;
    d->leaves_to = -1;
    d->ny = s->N + s->ni + 2;
    for (int k = 0; k < 2; k++) {
        size_t n = (size_t)s->g->nswitches * sizeof **d->state;
        d->state[k] = jn_alloc(n);
        memcpy(d->state[k], state[k], n);
        d->z[k] = jn_alloc((size_t)d->side[k]->nz * sizeof(double));
        d->dz[k] = jn_alloc((size_t)d->side[k]->nz * sizeof(double));
    }
    for (int k = 0; k < 4; k++)
        d->k[k] = jn_alloc((size_t)d->ny * sizeof(double));
    d->y = jn_alloc((size_t)d->ny * sizeof(double));
    d->at = jn_alloc((size_t)d->ny * sizeof(double));
    d->x = jn_alloc((size_t)s->N * sizeof(double));
    d->v = jn_alloc((size_t)s->nv * sizeof(double));
    d->values = jn_alloc(PANEL_POINTS * (size_t)width(s) * sizeof(double));
    d->table = make_table(s, s->now->onoff);
    return d;
}

/* Neither mode would make the state jump. */
static bool fits_both(slide *d, jn_sim *s)
{
    for (int k = 0; k < 2; k++) {
        double change = 0, size = 0;
        enter_side(d, s, k, s->t, d->y);
        for (int i = 0; i < s->N; i++) {
            double e = d->x[i] - d->y[i];
            change += e * e / fabs(s->storage[i]);
            size += d->y[i] * d->y[i] / fabs(s->storage[i]);
        }
        if (change > 1e-18 * (size + s->most_stored))
            return false;
    }
    return true;
}

bool jn_slide_begin(jn_sim *s, mode_table *other, const int *other_state)
{
    enum { MOST_OBSERVABLES = 4000 }; /* their polynomials are made one by one */
    const atom *surface = s->crossed;
    if (s->numeric || !surface || surface->kind != ATOM_LINEAR ||
        jn_obs_count(s) > MOST_OBSERVABLES)
        return false;
    slide *d = make_slide(s, other, other_state, surface);
    s->slide = d;
    start_y(d, s);
    double share = fits_both(d, s) ? slopes(d->k[0], d, s, s->t, d->y) : -1;
    if (!(share > 0 && share < 1)) {
        jn_slide_free(s);
        return false;
    }
    s->now = d->table;
    jn_reserve_z(s, d->table->nz);
    observe_all(s->z, d, s, s->t);
    s->following = false;
    tell(s, other->onoff, d->side[1]->onoff, "both modes point at the surface between them");
    return true;
}

/* Whether a comparison is that of the surface, perhaps the other way round. */
bool jn_slide_ignores(const jn_sim *s, const atom *a)
{
    if (!s->slide || a->kind != ATOM_LINEAR)
        return false;
    const linear_form *f = &a->form, *g = &s->slide->surface->form;
    if (f->n != g->n || f->n == 0)
        return false;
    double ratio = f->term[0].c / g->term[0].c;
    for (int i = 0; i < f->n; i++)
        if (f->term[i].obs != g->term[i].obs || f->term[i].c != ratio * g->term[i].c)
            return false;
    return true;
}

/* What an energy has grown by since the start of the stretch. */
static double gained(const jn_sim *s, int energy, double tau)
{
    const stretch *p = &s->stretch;
    double a[PANEL_POINTS];
    for (int i = 0; i < p->n; i++)
        a[i] = p->q[i * p->nz + extras_at(s) + energy];
    return jn_series_at(a, p->n, 2 * tau / p->length - 1) - jn_series_at(a, p->n, -1);
}

void jn_slide_energies(double *supplied, double *dissipated, const jn_sim *s, double tau)
{
    *supplied = gained(s, SLIDE_SUPPLIED, tau);
    *dissipated = gained(s, SLIDE_DISSIPATED, tau);
}
