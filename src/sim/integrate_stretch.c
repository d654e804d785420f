/* numeric_stretch.c: what a step of an integrator gives to the rest of the run.
 *
 * Only what is looked at along a step becomes a polynomial: the observables that comparisons read,
 * and the powers of the ledger, sampled at the points of an interpolation. All else is observed
 * where the run comes to stand: at the times of rows and events. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "numeric.h"

/* The solution is of degree 9 at most; what laws and powers make of it is smooth. */
enum { DEGREE = 12, POINTS = DEGREE + 1 };

/* Powers: of the sources and of modulation, of the resistors, and what storages exchange. */
enum { SUPPLIED, DISSIPATED, EXCHANGED, POWERS };

struct sampler {
    numeric *n;
    bool is_ready; /* the lists below are there */
    int nwatched;
    int *watched;   /* observables, one column of the stretch each; the powers follow */
    int *place;     /* per observable: its column; −1: not watched */
    int columns;    /* the watched ones, the powers, the shares of branches */
    double *z;      /* all observables at a point */
    double *start;  /* likewise, at the start */
    double *grain;  /* likewise: the largest grains on the stretch */
    double *sample; /* points × columns */
    double fit[POINTS * POINTS]; /* from samples to coefficients */
};

/* What a single sample of 1 does to the coefficients. */
static void make_fit(sampler *p)
{
    for (int i = 0; i < POINTS; i++) {
        double sample[POINTS] = {0}, a[POINTS];
        sample[i] = 1;
        jn_series_fit(a, sample, POINTS);
        for (int k = 0; k < POINTS; k++)
            p->fit[k * POINTS + i] = a[k];
    }
}

sampler *jn_sampler_new(numeric *n)
{
    sampler *p = jn_alloc(sizeof *p);
    size_t count = (size_t)jn_obs_count(n->s);
    p->n = n;
    p->watched = jn_alloc(count * sizeof *p->watched);
    p->place = jn_alloc(count * sizeof *p->place);
    p->z = jn_alloc(count * sizeof *p->z);
    p->start = jn_alloc(count * sizeof *p->start);
    p->grain = jn_alloc(count * sizeof *p->grain);
    p->sample = jn_alloc(POINTS * (count + POWERS + (size_t)n->nbranches) * sizeof *p->sample);
    make_fit(p);
    return p;
}

void jn_sampler_free(sampler *p)
{
    if (!p)
        return;
    free(p->watched);
    free(p->place);
    free(p->z);
    free(p->start);
    free(p->grain);
    free(p->sample);
    free(p);
}

/* The comparisons are known once the run has begun. */
static void prepare(sampler *p)
{
    const jn_sim *s = p->n->s;
    int count = jn_obs_count(s);
    bool *is_read = jn_alloc((size_t)count * sizeof *is_read);
    for (int i = 0; i < s->natoms; i++)
        jn_mark_read(is_read, s, s->atom[i].e);
    for (int i = 0; i < count; i++) {
        p->place[i] = is_read[i] ? p->nwatched : -1;
        if (is_read[i])
            p->watched[p->nwatched++] = i;
    }
    free(is_read);
    p->columns = p->nwatched + POWERS + p->n->nbranches;
    p->is_ready = true;
}

/* ---- a stretch ------------------------------------------------------------------------------- */

/* Power into an element of one port. */
static double power(const jn_sim *s, int element, const double *z)
{
    int bond = s->g->element[element].bond[0];
    double p = z[2 * bond] * z[2 * bond + 1];
    return s->g->bond[bond].head == element ? p : -p;
}

static void add_powers(double *to, const numeric *n, const double *z)
{
    const jn_sim *s = n->s;
    double sum[POWERS] = {0};
    for (int k = 0; k < s->m; k++)
        sum[SUPPLIED] -= power(s, s->g->source[k], z);
    for (int r = 0; r < s->nr; r++)
        sum[DISSIPATED] += power(s, s->g->resistor[r], z);
    for (int i = 0; i < s->N; i++) {
        double into = power(s, s->g->storage[i], z);
        sum[EXCHANGED] += fabs(into);
        if (n->is_driven[i]) /* what else it gains is found from what it holds */
            sum[SUPPLIED] -= into;
    }
    memcpy(to, sum, sizeof sum);
}

static void take_samples(sampler *p, const mode_table *m, double from, double length)
{
    const double pi = 3.14159265358979323846;
    numeric *n = p->n;
    int columns = p->columns, count = jn_obs_count(n->s);
    memset(n->grain, 0, (size_t)count * sizeof *n->grain);
    for (int i = 0; i < POINTS; i++) {
        double *to = p->sample + i * columns;
        jn_follower_observe(p->z, n->follower, from + length * 0.5 * (1 + cos(pi * i / DEGREE)));
        for (int k = 0; k < p->nwatched; k++)
            to[k] = p->z[p->watched[k]];
        add_powers(to + p->nwatched, n, p->z);
        for (int k = 0; k < n->nbranches; k++)
            to[p->nwatched + POWERS + k] = n->share[k] >= 0 ? n->Y[n->share[k]].v : 0;
        for (int c = 0; c < 2 * n->s->g->nbonds && i == DEGREE; c++) /* the start */
            n->largest[c] = fmax(n->largest[c], fabs(p->z[c]));
        if (p->nwatched && i % 4 == 0)
            jn_numeric_raise_grains(n, m, 1);
    }
    memcpy(p->grain, n->grain, (size_t)count * sizeof *p->grain);
    memcpy(p->start, p->z, (size_t)count * sizeof *p->z);
}

void jn_numeric_stretch(stretch *to, jn_sim *s, mode_table *m, double wanted)
{
    sampler *p = s->numeric->sampler;
    if (!p->is_ready)
        prepare(p);
    int columns = p->columns;
    to->length = jn_follower_step(s->numeric->follower, m, wanted) - s->t;
    if (!(to->length > 0))
        return;
    take_samples(p, m, s->t, to->length);
    jn_stretch_reserve(to, columns);
    to->n = POINTS;
    jn_reals_mul(to->q, p->fit, p->sample, POINTS, POINTS, columns);
}

/* ---- reading it ------------------------------------------------------------------------------ */

static void column_series(double *a, const stretch *from, int column)
{
    for (int k = 0; k < POINTS; k++)
        a[k] = from->q[k * from->nz + column];
}

/* Here the run comes to stand: all laws must have values. */
void jn_numeric_at(double *z, jn_sim *s, double tau)
{
    follower *f = s->numeric->follower;
    jn_follower_observe(z, f, s->t0 + tau);
    jn_follower_at(f, s->t0 + tau, true);
    if (!jn_numeric_has_values(s->numeric, f->m, s->t0 + tau, f->y, f->yp))
        for (int i = 0; i < s->N; i++)
            z[jn_obs_state(s, i)] = NAN;
}

void jn_numeric_grains_at(jn_sim *s, double tau)
{
    numeric *n = s->numeric;
    jn_follower_observe(n->sampler->z, n->follower, s->t0 + tau);
    memset(n->grain, 0, (size_t)jn_obs_count(s) * sizeof *n->grain);
    jn_numeric_raise_grains(n, s->now, 1);
}

void jn_numeric_grains_anywhere(jn_sim *s)
{
    memcpy(s->numeric->grain, s->numeric->sampler->grain,
           (size_t)jn_obs_count(s) * sizeof *s->numeric->grain);
}

void jn_numeric_series(double *a, const jn_sim *s, int obs)
{
    column_series(a, &s->stretch, s->numeric->sampler->place[obs]);
}

void jn_numeric_glance(double *z, const jn_sim *s, double tau)
{
    const sampler *p = s->numeric->sampler;
    double a[POINTS], u = 2 * tau / s->stretch.length - 1;
    for (int k = 0; k < p->nwatched; k++) {
        column_series(a, &s->stretch, k);
        z[p->watched[k]] = jn_series_at(a, POINTS, u);
    }
}

/* ∫ Σ a_k T_k from −1 to u: ∫T_k = T_{k+1}/2(k + 1) − T_{k−1}/2(k − 1). */
static double series_integral(const double *a, int n, double u)
{
    double b[POINTS + 1] = {0};
    for (int k = 0; k < n; k++) {
        b[k + 1] += k == 0 ? a[0] : a[k] / (2 * (k + 1));
        if (k > 1)
            b[k - 1] -= a[k] / (2 * (k - 1));
    }
    return jn_series_at(b, n + 1, u) - jn_series_at(b, n + 1, -1);
}

static double power_integral(const jn_sim *s, int power, double tau)
{
    double a[POINTS], length = s->stretch.length;
    column_series(a, &s->stretch, s->numeric->sampler->nwatched + power);
    return 0.5 * length * series_integral(a, POINTS, 2 * tau / length - 1);
}

void jn_numeric_energies(double *supplied, double *dissipated, double *exchanged, jn_sim *s,
                         double tau)
{
    numeric *n = s->numeric;
    sampler *p = n->sampler;
    *supplied = power_integral(s, SUPPLIED, tau);
    *dissipated = power_integral(s, DISSIPATED, tau);
    *exchanged = power_integral(s, EXCHANGED, tau);
    for (int i = 0; i < s->N; i++)
        if (n->is_driven[i]) {
            jn_numeric_at(p->z, s, tau);
            *supplied += jn_numeric_driven_energy(n, p->z, s->t0 + tau) -
                         jn_numeric_driven_energy(n, p->start, s->t0);
            break;
        }
}

double jn_numeric_exit(const jn_sim *s, double end)
{
    const numeric *n = s->numeric;
    double first = -1, a[POINTS] = {0};
    for (int k = 0; k < n->nbranches; k++)
        for (int bound = 0; bound < 2 && n->slide[k]; bound++) { /* below 0, above 1 */
            column_series(a, &s->stretch, n->sampler->nwatched + POWERS + k);
            a[0] -= bound + (bound ? 2 : -2) * SHARE_SLACK;
            for (int i = 0; i < POINTS && !bound; i++)
                a[i] = -a[i];
            crossing c = {.a = a,
                          .n = POINTS,
                          .length = s->stretch.length,
                          .end = first < 0 ? end : first,
                          .strict = true,
                          .t0 = s->t};
            double tau = jn_series_crossing(&c);
            if (tau >= 0)
                first = tau;
        }
    return first;
}
