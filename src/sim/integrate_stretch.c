/* integrate_stretch.c: what a step of the integrator gives to the rest of the run.
 *
 * Only what is looked at along a step becomes a polynomial: the observables that comparisons read,
 * and the powers of the ledger, sampled at the points of an interpolation. All else is observed
 * where the run comes to stand: at the times of rows and events. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "integrate.h"

/* The solution is of degree 9 at most; what laws and powers make of it is smooth. */
enum { DEGREE = 12, POINTS = DEGREE + 1 };

enum { MOST_HALVED = 12 }; /* beyond that it is a kink */

/* Powers: of the sources and of modulation, of the resistors, and into some of the storages, which the
 * others may give. */
enum { SUPPLIED, DISSIPATED, EXCHANGED, POWERS };

struct sampler {
    integrate *n;
    bool is_ready; /* the lists below are there */
    int nwatched;
    int *watched;   /* observables, one column of the stretch each; the powers follow */
    int *place;     /* per observable: its column; −1: not watched */
    int nbranches;  /* their shares follow */
    int columns;    /* the watched ones, the powers, the shares */
    double *z;      /* all observables at a point */
    double *start;  /* likewise, at the start */
    double *noise;  /* per observable: the most on the stretch */
    double *sample; /* points × columns */
    double fit[POINTS * POINTS]; /* from samples to coefficients */
};

/* What a single sample of 1 does to the coefficients. */
static void make_fit(sampler *p)
{
    for (int i = 0; i < POINTS; i++) {
        double sample[POINTS] = {0}, a[POINTS];
        sample[i] = 1;
        jni_series_fit(a, sample, POINTS);
        for (int k = 0; k < POINTS; k++)
            p->fit[k * POINTS + i] = a[k];
    }
}

sampler *jni_sampler_new(integrate *n)
{
    sampler *p = jn_alloc(sizeof *p);
    int count = jni_obs_count(&n->s->model);
    p->n = n;
    p->watched = jn_alloc((size_t)count * sizeof *p->watched);
    p->place = jn_alloc((size_t)count * sizeof *p->place);
    p->z = jni_doubles(2 * count);
    p->start = jni_doubles(2 * count);
    p->noise = jni_doubles(count);
    p->nbranches = jni_branches_count(n->s->branches);
    p->sample = jni_doubles(POINTS * (count + POWERS + p->nbranches));
    make_fit(p);
    return p;
}

void jni_sampler_free(sampler *p)
{
    if (!p)
        return;
    free(p->watched);
    free(p->place);
    free(p->z);
    free(p->start);
    free(p->noise);
    free(p->sample);
    free(p);
}

/* The comparisons are known once the run has begun. */
static void prepare(sampler *p)
{
    const jn_sim *s = p->n->s;
    const model *k = &s->model;
    int count = jni_obs_count(k);
    bool *is_read = jn_alloc((size_t)(count + k->nd) * sizeof *is_read);
    for (int i = 0; i < s->watch.ncomparisons; i++)
        jni_mark_read(is_read, k, s->watch.comparison[i].e);
    jni_meters_mark_read(is_read, s);
    p->nwatched = 0;
    for (int i = 0; i < count; i++) {
        p->place[i] = is_read[i] ? p->nwatched : -1;
        if (is_read[i])
            p->watched[p->nwatched++] = i;
    }
    free(is_read);
    p->columns = p->nwatched + POWERS + p->nbranches;
    p->is_ready = true;
}

/* ---- a stretch ----------------------------------------------------------------------------- */

/* Power into an element of one port. */
static double power(const jn_graph *g, int element, const double *z)
{
    int bond = g->element[element].bond[0];
    double p = z[2 * bond] * z[2 * bond + 1];
    return g->bond[bond].head == element ? p : -p;
}

static void add_powers(double *to, integrate *n, const double *z, double t)
{
    const model *k = &n->s->model;
    double sum[POWERS] = {0};
    for (int i = 0; i < k->nu; i++)
        sum[SUPPLIED] -= power(k->g, k->g->source[i], z);
    for (int r = 0; r < k->nr; r++)
        sum[DISSIPATED] += power(k->g, k->g->resistor[r], z);
    for (int i = 0; i < k->nx; i++) {
        double into = power(k->g, k->g->storage[i], z);
        double damping = n->energy.is_damped[i] ? jni_damping(n, i, z, t) : 0;
        if (n->energy.is_partner[i])
            sum[EXCHANGED] += into;
        sum[DISSIPATED] += damping;
        if (n->energy.is_driven[i]) /* what else it gains is found from what it holds */
            sum[SUPPLIED] -= into - damping;
    }
    memcpy(to, sum, sizeof sum);
}

/* A bond variable may begin at nothing: it counts beside those that meet it. */
static void look_around(integrate *n)
{
    const jn_graph *g = n->s->model.g;
    for (int part = 0; part < 2; part++) { /* efforts, flows */
        for (int i = 0; i < g->nelements; i++) {
            double most = 0;
            for (int k = 0; k < g->element[i].nbonds; k++)
                most = fmax(most, n->size.largest[2 * g->element[i].bond[k] + part]);
            n->size.at_element[i] = most;
        }
        for (int b = 0; b < g->nbonds; b++)
            n->size.beside[2 * b + part] =
                fmax(n->size.at_element[g->bond[b].tail], n->size.at_element[g->bond[b].head]);
    }
}

static void raise_noise(sampler *p)
{
    const double *noise = p->z + jni_obs_count(&p->n->s->model);
    for (int k = 0; k < p->nwatched; k++)
        p->noise[p->watched[k]] = fmax(p->noise[p->watched[k]], noise[p->watched[k]]);
}

/* Whether something that is watched is made of the rate of a dependent storage: the current into a
 * capacitor that a source charges. */
static bool watches_rates(const sampler *p, mode *m)
{
    integrate *n = p->n;
    program *of = jni_program(m);
    const model *k = &n->s->model;
    if (!of->is_dependent || of->rates != NOT_KNOWN)
        return of->rates == WATCHES_RATES;
    size_t bytes = (size_t)m->solved->ncols * sizeof(double);
    memset(n->w.sum, 0, bytes);
    memset(n->w.size, 0, bytes);
    for (int i = 0; i < k->nx; i++)
        n->w.size[of->in[i]] = !m->integral[i];
    jni_program_sums(of, n->w.sum, n->w.size);
    of->rates = NO_RATES;
    for (int w = 0; w < p->nwatched; w++)
        if (p->watched[w] < 2 * k->g->nbonds && n->w.size[p->watched[w]] > 0)
            of->rates = WATCHES_RATES;
    return of->rates == WATCHES_RATES;
}

static void take_samples(sampler *p, double from, double length)
{
    integrate *n = p->n;
    int columns = p->columns, count = jni_obs_count(&n->s->model);
    bool with_rates = watches_rates(p, n->follower->m);
    memset(p->noise, 0, (size_t)count * sizeof *p->noise);
    for (int i = 0; i < POINTS; i++) {
        double *to = p->sample + i * columns;
        bool with_noise = p->nwatched && i % 4 == 0;
        double t = from + length * 0.5 * (1 + cos(PI * i / DEGREE));
        jni_follower_observe(p->z, n->follower, t, with_noise, with_rates);
        for (int k = 0; k < p->nwatched; k++)
            to[k] = p->z[p->watched[k]];
        for (int k = 0; k < p->nbranches; k++)
            to[p->nwatched + POWERS + k] = n->k.share[k] >= 0 ? n->w.Y[n->k.share[k]].v : 0;
        add_powers(to + p->nwatched, n, p->z, t);
        for (int c = 0; c < 2 * n->s->model.g->nbonds && i == DEGREE; c++) /* the start */
            n->size.largest[c] = fmax(n->size.largest[c], fabs(p->z[c]));
        if (i == DEGREE)
            look_around(n);
        if (with_noise)
            raise_noise(p);
    }
    memcpy(p->start, p->z, (size_t)count * sizeof *p->z);
}

/* What an interpolation leaves out of a column: about its last terms. */
static double left_out(const stretch *p, int column)
{
    double tail = 0;
    for (int k = DEGREE - 1; k <= DEGREE; k++)
        tail = fmax(tail, fabs(p->q[k * p->nz + column]));
    return tail;
}

/* What rounding of the times of samples makes of them: 10⁶ V that decay in 10⁻⁹ s at t = 1 are known to 0.2 V. A
 * shorter stretch is no better. */
static double rounded_times(const stretch *p, int column, double t)
{
    double slope = 0;
    for (int k = 1; k <= DEGREE; k++)
        slope += k * k * fabs(p->q[k * p->nz + column]);
    return (nextafter(t, INFINITY) - t) * 2 * slope / p->length;
}

/* How much of what is watched is no polynomial of that degree, as far as it is known: the largest part of a value
 * there has been; 0: none. A source of time alone may be much faster than the states, whose steps do not know of it. */
static double unresolved(const stretch *p, const sampler *of, double t)
{
    double most = 0;
    for (int c = 0; c < of->nwatched; c++) {
        int obs = of->watched[c];
        double left = left_out(p, c), size = fabs(p->q[c]);
        if (obs < 2 * of->n->s->model.g->nbonds)
            size = fmax(size, of->n->size.largest[obs]);
        if (left > of->noise[obs] && left > rounded_times(p, c, t))
            most = fmax(most, left < size ? left / size : 1);
    }
    return most;
}

/* What is found on the stretch is no better than the interpolation. */
static void add_left_out(sampler *of, const stretch *p)
{
    for (int c = 0; c < of->nwatched; c++)
        of->noise[of->watched[c]] += left_out(p, c);
}

static double sample_stretch(stretch *to, sampler *p, double length)
{
    double t = p->n->s->clock.t;
    to->length = length;
    to->n = POINTS;
    take_samples(p, t, length);
    jni_dense_mul(to->q, p->fit, p->sample, POINTS, POINTS, p->columns);
    return unresolved(to, p, t);
}

/* As long as values are smooth. What equations give that are solved at each point scatters, beside leaks and coils
 * more than is known of it: where halving the length makes that no better, it is as long as it was. */
static void interpolate(stretch *to, sampler *p)
{
    double length = to->length, first = sample_stretch(to, p, length), left = first;
    mode *m = p->n->follower->m;
    bool scatters = jni_program(m)->is_dependent && (p->n->reads_rates || watches_rates(p, m));
    for (int halved = 1; left > 0 && halved <= MOST_HALVED; halved++) {
        left = sample_stretch(to, p, 0.5 * to->length);
        if (scatters && halved >= 2 && left > 0.5 * first && first <= SCATTER_OF_SOLVED) {
            sample_stretch(to, p, length);
            break;
        }
    }
    add_left_out(p, to);
}

bool jni_integrate_follow(stretch *to, jn_sim *s, mode *m, double wanted)
{
    sampler *p = jni_integrate(s)->sampler;
    if (!p->is_ready)
        prepare(p);
    to->length = jni_follower_step(jni_integrate(s)->follower, m, wanted) - s->clock.t;
    if (!(to->length > 0))
        return false;
    jni_fade(jni_integrate(s), m, s->clock.t);
    double brief = jni_fade_length(jni_integrate(s), m, to->length);
    s->course.is_brief = brief < to->length;
    to->length = brief;
    jni_stretch_reserve(to, p->columns);
    interpolate(to, p);
    s->course.is_vague = jni_noise_is_vague(p->n, p->noise, p->watched, p->nwatched);
    return true;
}

/* ---- reading it ---------------------------------------------------------------------------- */

bool jni_integrate_series(double *a, double *noise, jn_sim *s, mode *m, const linear_form *f)
{
    const sampler *p = jni_integrate(s)->sampler;
    int count = jni_obs_count(&s->model);
    double part[SERIES_TERMS];
    *noise = 0;
    memset(a, 0, POINTS * sizeof *a);
    if (jni_mode_leaves_open(s, m, f))
        return false;
    for (int i = 0; i < f->n && f->term[i].obs < count; i++) {
        int obs = f->term[i].obs;
        jni_stretch_series(part, &s->course.stretch, p->place[obs]);
        for (int k = 0; k < POINTS; k++)
            a[k] += f->term[i].c * part[k];
        *noise += fabs(f->term[i].c) * p->noise[obs];
    }
    return true;
}

void jni_integrate_renew(jn_sim *s)
{
    jni_integrate(s)->sampler->is_ready = false;
}

void jni_integrate_glance(double *z, jn_sim *s, mode *m, double tau)
{
    const sampler *p = jni_integrate(s)->sampler;
    double a[SERIES_TERMS], u = 2 * tau / s->course.stretch.length - 1;
    int count = jni_obs_count(&s->model);
    (void)m;
    for (int k = 0; k < p->nwatched; k++) {
        jni_stretch_series(a, &s->course.stretch, k);
        z[p->watched[k]] = jni_series_at(a, POINTS, u);
        z[count + p->watched[k]] = p->noise[p->watched[k]];
    }
}

double jni_integrate_exit(jn_sim *s, mode *m, double end)
{
    const sampler *p = jni_integrate(s)->sampler;
    double first = -1, a[SERIES_TERMS];
    (void)m;
    for (int k = 0; k < p->nbranches; k++) {
        if (!jni_branch_is_free(s->branches, k))
            continue;
        jni_stretch_series(a, &s->course.stretch, p->nwatched + POWERS + k);
        crossing c = {.a = a,
                      .n = POINTS,
                      .length = s->course.stretch.length,
                      .end = first < 0 ? end : first,
                      .noise = NOISE_OF_SHARE,
                      .t0 = s->clock.t};
        double tau = jni_series_exit(&c);
        if (tau >= 0)
            first = tau;
    }
    return first;
}

/* Over the first short part of a stretch: of its series little more than rounding would be left there, where two
 * sources that meet in 1e-9 Ohm drive 1e8 A at its end. By Gauss's rule of two points. */
static energies first_energies(jn_sim *s, sampler *p, double tau)
{
    double sum[POWERS] = {0}, power[POWERS];
    for (int side = -1; side <= 1; side += 2) {
        double t = s->course.t0 + tau * 0.5 * (1 + side / sqrt(3));
        jni_follower_see(p->z, p->n->follower, t);
        add_powers(power, p->n, p->z, t);
        for (int k = 0; k < POWERS; k++)
            sum[k] += 0.5 * tau * power[k];
    }
    return (energies){sum[SUPPLIED], sum[DISSIPATED], sum[EXCHANGED]};
}

static double power_integral(const jn_sim *s, int which, double tau)
{
    double a[SERIES_TERMS], length = s->course.stretch.length;
    jni_stretch_series(a, &s->course.stretch, jni_integrate(s)->sampler->nwatched + which);
    return 0.5 * length * jni_series_integral(a, POINTS, 2 * tau / length - 1);
}

energies jni_integrate_energies(jn_sim *s, mode *m, double tau)
{
    integrate *n = jni_integrate(s);
    sampler *p = n->sampler;
    energies e = {power_integral(s, SUPPLIED, tau), power_integral(s, DISSIPATED, tau),
                  power_integral(s, EXCHANGED, tau)};
    (void)m;
    if (tau < FIRST_OF_STRETCH * s->course.stretch.length)
        e = first_energies(s, p, tau);
    for (int i = 0; i < s->model.nx; i++)
        if (n->energy.is_driven[i]) {
            jni_follower_observe(p->z, n->follower, s->course.t0 + tau, false, false);
            e.supplied += jni_driven_energy(n, p->z, s->course.t0 + tau) -
                          jni_driven_energy(n, p->start, s->course.t0);
            break;
        }
    return e;
}
