/* respond_differences.c: the response around an orbit by differences of runs of one period, where the
 * chain does not tell all: of a model that is integrated, slides, or has discrete variables.
 *
 * What one period makes of its numbers, P, and the integrals I of the outputs over it (with the factor
 * exp(−iω(t − t0)) of each frequency) are smooth in the numbers at its start and in a disturbance; their
 * derivatives are differences of the sixth order. Then
 *
 *     exp(iωT)·ŷ0 = ∂P/∂y·ŷ0 + ∂P/∂û,      response = (∂I/∂y·ŷ0 + ∂I/∂û)/T. */
#include <stdlib.h>
#include <string.h>

#include "periodic_internal.h"

typedef struct {
    response *r;
    int n, nf, nv, size; /* numbers, frequencies, values; n + 2·nf·nv: all that one run says */
    char *modes;
    double *sizes;  /* of all that one run says */
    int which;      /* the number that is varied; −1: none */
    jn_nudge nudge; /* or what is disturbed, for ε = 1 */
    double scale;
    const double *frequency;
    int first, last; /* those that are wanted */
} varying;

static bool run_varied(double *out, double epsilon, void *ctx)
{
    varying *k = ctx;
    orbit_map *m = &k->r->q.map;
    double *y = jni_room(k->n);
    memcpy(y, k->r->q.y, (size_t)k->n * sizeof *y);
    if (k->which >= 0)
        y[k->which] += epsilon * m->scale[k->which];
    jn_nudge nudge = k->nudge;
    nudge.later *= epsilon;
    nudge.amplitude *= epsilon;
    m->nudge = k->which < 0 ? &nudge : NULL;
    bool ok = jni_map_run(m, y, out) == JN_OK && !strcmp(jn_str_c(&m->modes), k->modes);
    m->nudge = NULL;
    for (int f = k->first; f <= k->last && ok; f++)
        for (int v = 0; v < k->nv; v++) {
            double complex x =
                jni_measure_wave(&k->r->q.measure, v, 2 * PI * k->frequency[f], m->t0);
            out[k->n + 2 * (f * k->nv + v)] = creal(x);
            out[k->n + 2 * (f * k->nv + v) + 1] = cimag(x);
        }
    free(y);
    return ok;
}

static bool differentiate(varying *k, double *to, double *error)
{
    double off;
    bool ok = jni_differentiate(to, &off, k->size, k->sizes, run_varied, k);
    *error = fmax(*error, off);
    return ok;
}

/* Waves count beside the rms of their values, over one period. */
static void find_sizes(varying *k)
{
    const search *q = &k->r->q;
    double T = q->map.t1 - q->map.t0;
    k->sizes = jni_room(k->size);
    for (int i = 0; i < k->n; i++)
        k->sizes[i] = q->map.counts[i] ? q->map.scale[i] : 0;
    for (int v = 0; v < k->nv; v++) {
        double size = T * sqrt(jni_measure_product(&q->measure, v, v) / T);
        for (int f = 0; f < k->nf; f++)
            for (int part = 0; part < 2; part++)
                k->sizes[k->n + 2 * (f * k->nv + v) + part] = size;
    }
}

/* What the disturbance does by itself, for one frequency. */
typedef struct {
    double complex *map, *wave;
} forced;

static void add_forced(const varying *k, forced *to, int f, double complex factor,
                       const double *column)
{
    for (int i = 0; i < k->n; i++)
        to->map[f * k->n + i] += factor * column[i];
    for (int v = 0; v < k->nv; v++) {
        const double *x = column + k->n + 2 * (f * k->nv + v);
        to->wave[f * k->nv + v] += factor * (x[0] + I * x[1]);
    }
}

static bool force_source(varying *k, forced *to, double *column, double *error)
{
    response *r = k->r;
    bool ok = true;
    for (int f = 0; f < k->nf && ok; f++)
        for (int part = 0; part < 2 && ok; part++) { /* cos, then i·sin */
            double omega = 2 * PI * k->frequency[f];
            k->nudge = (jn_nudge){.pwm = -1,
                                  .source = jni_disturbed_source(r),
                                  .amplitude = k->scale,
                                  .omega = omega,
                                  .phase = -omega * r->q.map.t0 - (part ? PI / 2 : 0)};
            k->first = k->last = f;
            ok = differentiate(k, column, error);
            if (ok)
                add_forced(k, to, f, (part ? I : 1) / k->scale, column);
        }
    return ok;
}

/* Every edge OFF within the orbit, each by the duty that was read as its period began. */
static bool force_duty(varying *k, forced *to, double *column, double *error)
{
    response *r = k->r;
    const orbit_map *m = &r->q.map;
    double period = jni_period_of(r);
    int count = (int)lround((m->t1 - m->t0) / period);
    bool ok = true;
    bool is_on = r->q.measure.piece[0].mode[r->o->pwm]; /* else its edge is in the next period */
    double first = jni_period_start(r, m->t0 + 1e-6 * period) + (is_on ? 0 : period);
    k->first = 0;
    k->last = k->nf - 1;
    for (int e = 0; e < count && ok; e++) {
        k->nudge = (jn_nudge){.pwm = r->o->pwm, .edge = e, .later = period, .source = -1};
        ok = differentiate(k, column, error);
        double start = first + e * period;
        for (int f = 0; f < k->nf && ok; f++)
            add_forced(k, to, f, cexp(I * 2 * PI * k->frequency[f] * (start - m->t0)), column);
    }
    return ok;
}

static void close_period(jn_complex *to, varying *k, const double *by_y, const forced *by_u, int f)
{
    const search *q = &k->r->q;
    int n = k->n;
    double T = q->map.t1 - q->map.t0, omega = 2 * PI * k->frequency[f];
    double complex *A = jn_alloc((size_t)(n * n + n) * sizeof *A), *x = A + n * n;
    for (int i = 0; i < n; i++) {
        x[i] = q->map.counts[i] ? by_u->map[f * n + i] / q->map.scale[i] : 0;
        for (int c = 0; c < n; c++)
            A[i * n + c] = (i == c) * cexp(I * omega * T) -
                           (q->map.counts[i] ? by_y[c * k->size + i] / q->map.scale[i] : 0);
    }
    bool ok = jni_solve_complex(A, x, n); /* of numbers in their scales */
    for (int v = 0; v < k->nv; v++) {
        double complex y = by_u->wave[f * k->nv + v];
        for (int c = 0; c < n; c++) {
            const double *d = by_y + c * k->size + n + 2 * (f * k->nv + v);
            y += (d[0] + I * d[1]) * x[c];
        }
        y = ok ? y / T : NAN;
        to[f * k->nv + v] = (jn_complex){creal(y), cimag(y)};
    }
    free(A);
}

static double source_scale(response *r)
{
    const search *q = &r->q;
    int number = jni_disturbed_source(r);
    double power = 0;
    if (number < 0)
        return 1;
    bool effort = q->g->element[r->o->source].kind == JN_SE;
    int probe = q->nvalues + 2 * number + !effort;
    power = jni_measure_product(&q->measure, probe, probe);
    double size = sqrt(power / (q->map.t1 - q->map.t0));
    return size > 0 ? size : 1;
}

bool jni_respond_differences(jn_complex *to, response *r, const double *frequency, int n)
{
    search *q = &r->q;
    varying k = {.r = r, .n = q->map.c.n, .nf = n, .nv = r->to->nvalues, .frequency = frequency};
    double error = 0;
    k.size = k.n + 2 * k.nf * k.nv;
    q->map.measure = &q->measure;
    if (jni_map_run(&q->map, q->y, q->y1) != JN_OK) {
        q->map.measure = NULL;
        return false;
    }
    k.scale = source_scale(r);
    find_sizes(&k);
    k.modes = jn_strdup(jn_str_c(&q->map.modes));
    double *by_y = jni_room(k.n * k.size), *column = jni_room(k.size);
    forced by_u = {jn_alloc((size_t)(k.nf * k.n) * sizeof *by_u.map),
                   jn_alloc((size_t)(k.nf * k.nv) * sizeof *by_u.wave)};
    bool ok = true;
    k.last = k.nf - 1;
    for (k.which = 0; k.which < k.n && ok; k.which++)
        ok = differentiate(&k, by_y + k.which * k.size, &error);
    k.which = -1;
    if (ok)
        ok = r->o->pwm >= 0 ? force_duty(&k, &by_u, column, &error)
                            : force_source(&k, &by_u, column, &error);
    for (int f = 0; f < k.nf && ok; f++)
        close_period(to, &k, by_y, &by_u, f);
    r->to->error = fmax(r->to->error, error);
    q->map.measure = NULL;
    free(k.modes);
    free(k.sizes);
    free(by_y);
    free(column);
    free(by_u.map);
    free(by_u.wave);
    return ok;
}
