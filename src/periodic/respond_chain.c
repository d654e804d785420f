/* respond_chain.c: the response around an orbit, by the chain of its stretches and events.
 *
 * A disturbance û·exp(iω(t − t0)) makes a deviation ζ of the orbit that after one period is
 * exp(iωT) times what it was. Seen in the frame that turns with the disturbance, ξ = ζ·exp(−iω(t − t0)),
 * it comes back to itself. On a stretch
 *
 *     ξ̇ = (A − iω)·ξ + (B + iω·B′)·û,      response = 1/T·∫ (C·ξ + (D + iω·D′)·û) dt
 *
 * are linear equations with constant coefficients: one exponential of a matrix that holds them all. */
#include <stdlib.h>
#include <string.h>

#include "periodic_internal.h"

/* All columns of ξ at the start, and behind them what the disturbance does by itself. */
typedef struct {
    int n, columns, nvalues;
    double complex *xi;  /* n × columns */
    double complex *sum; /* nvalues × columns: ∫ y dt */
    double omega, t0;
    bool is_source;
} walker;

/* [w; 1; ∫y]′ */
static double complex *stretch_matrix(const walker *k, const jn_linearised *m, double length)
{
    int size = m->n + 1 + k->nvalues;
    double complex *G = jn_alloc((size_t)(size * size) * sizeof *G), iw = I * k->omega;
    double u = k->is_source;
    for (int i = 0; i < m->n; i++) {
        for (int c = 0; c < m->n; c++)
            G[i * size + c] = m->A[i * m->n + c] * length;
        G[i * size + i] -= iw * length;
        G[i * size + m->n] = u * (m->B[2 * i] + iw * m->B[2 * i + 1]) * length;
    }
    for (int v = 0; v < k->nvalues; v++) {
        double complex *row = G + (m->n + 1 + v) * size;
        for (int c = 0; c < m->n; c++)
            row[c] = m->C[v * m->n + c] * length;
        row[m->n] = u * (m->D[2 * v] + iw * m->D[2 * v + 1]) * length;
    }
    jni_expm(G, size);
    return G;
}

static void walk_stretch(walker *k, const jn_link *l)
{
    const jn_linearised *m = l->mode;
    int size = m->n + 1 + k->nvalues, columns = k->columns, last = columns - 1;
    double complex *G = stretch_matrix(k, m, l->length);
    double complex *w = jn_alloc((size_t)(2 * m->n + 1) * sizeof *w), *end = w + m->n;
    for (int c = 0; c < columns; c++) {
        double forced = c == last;
        for (int i = 0; i < m->n; i++) {
            w[i] = 0;
            for (int z = 0; z < k->n; z++)
                w[i] += m->in[i * k->n + z] * k->xi[z * columns + c];
        }
        for (int i = 0; i < m->n; i++) {
            end[i] = forced * G[i * size + m->n];
            for (int j = 0; j < m->n; j++)
                end[i] += G[i * size + j] * w[j];
        }
        for (int v = 0; v < k->nvalues; v++) {
            const double complex *row = G + (m->n + 1 + v) * size;
            double complex add = forced * row[m->n];
            for (int j = 0; j < m->n; j++)
                add += row[j] * w[j];
            k->sum[v * columns + c] += add;
        }
        for (int z = 0; z < k->n; z++) {
            double complex x =
                forced * k->is_source * (m->out_u[2 * z] + I * k->omega * m->out_u[2 * z + 1]);
            for (int i = 0; i < m->n; i++)
                x += m->out[z * m->n + i] * end[i];
            k->xi[z * columns + c] = x;
        }
    }
    free(G);
    free(w);
}

/* later: how much later the disturbance itself makes it, in the turning frame. */
static void walk_event(walker *k, const jn_link *l, double complex later)
{
    int columns = k->columns, last = columns - 1;
    double complex *before = jn_alloc((size_t)k->n * sizeof *before), iw = I * k->omega;
    for (int c = 0; c < columns; c++) {
        double forced = c == last, u = forced * k->is_source;
        double complex dt = forced * later;
        for (int z = 0; z < k->n; z++)
            before[z] = k->xi[z * columns + c];
        for (int z = 0; z < k->n && l->normal; z++)
            dt -= l->normal[z] * before[z];
        if (l->normal)
            dt -= u * (l->normal_u[0] + iw * l->normal_u[1]);
        for (int z = 0; z < k->n; z++) {
            double complex x = u * (l->J_u[2 * z] + iw * l->J_u[2 * z + 1]) + l->shift[z] * dt;
            for (int i = 0; i < k->n; i++)
                x += l->J[z * k->n + i] * before[i];
            k->xi[z * columns + c] = x;
        }
        for (int v = 0; v < k->nvalues; v++)
            k->sum[v * columns + c] -= l->step[v] * dt;
    }
    free(before);
}

static double complex edge_of_duty(const response *r, const walker *k, const jn_link *l)
{
    if (r->o->pwm < 0 || l->edge != r->o->pwm)
        return 0;
    double since = l->t - jni_period_start(r, l->t);
    return jni_period_of(r) * cexp(-I * k->omega * since);
}

static double largest(const double complex *x, const double *scale, int n)
{
    double most = 0;
    for (int i = 0; i < n; i++)
        most = fmax(most, cabs(x[i]) / scale[i]);
    return most;
}

/* ξ comes back to itself: (1 − X)·ξ0 = what the disturbance adds. False: at a frequency of its own, without losses,
 * it does not; what would be found is rounding. */
static bool close_period(walker *k, double complex *xi0, const double *scale)
{
    int n = k->n, last = k->columns - 1;
    double complex *A = jn_alloc((size_t)(n * n) * sizeof *A);
    for (int i = 0; i < n; i++) {
        for (int c = 0; c < n; c++)
            A[i * n + c] = (i == c) - k->xi[i * k->columns + c];
        xi0[i] = k->xi[i * k->columns + last];
    }
    double added = largest(xi0, scale, n);
    bool ok = jni_solve_complex(A, xi0, n) && largest(xi0, scale, n) <= 1e12 * added;
    free(A);
    return ok;
}

static void respond_at(jn_complex *to, response *r, const jn_chain *c, walker *k, double frequency)
{
    double period = r->q.map.t1 - r->q.map.t0;
    double complex *xi0 = jn_alloc((size_t)k->n * sizeof *xi0);
    k->omega = 2 * PI * frequency;
    memset(k->xi, 0, (size_t)(k->n * k->columns) * sizeof *k->xi);
    memset(k->sum, 0, (size_t)(k->nvalues * k->columns) * sizeof *k->sum);
    for (int i = 0; i < k->n; i++)
        k->xi[i * k->columns + i] = 1;
    for (int i = 0; i < jn_chain_links(c); i++) {
        const jn_link *l = jn_chain_link(c, i);
        if (l->mode)
            walk_stretch(k, l);
        else
            walk_event(k, l, edge_of_duty(r, k, l));
    }
    bool ok = close_period(k, xi0, r->q.map.scale);
    for (int v = 0; v < k->nvalues; v++) {
        double complex y = k->sum[v * k->columns + k->n];
        for (int i = 0; i < k->n; i++)
            y += k->sum[v * k->columns + i] * xi0[i];
        y = ok ? y / period : NAN;
        to[v] = (jn_complex){creal(y), cimag(y)};
    }
    free(xi0);
}

static const char *what_is_missing(const response *r, const jn_chain *c)
{
    if (jn_chain_missing(c))
        return jn_chain_missing(c);
    for (int i = 0; i < r->to->nvalues; i++)
        if (!jn_probe_is_linear(r->q.measure.probe[i]))
            return "an output is not linear";
    for (int i = 0; i < jn_chain_links(c) && r->o->pwm >= 0; i++)
        if (jn_chain_link(c, i)->edge == -2)
            return "several switches follow the clock at one edge";
    return NULL;
}

bool jni_chain_tells(response *r, const char **why)
{
    search *q = &r->q;
    jn_disturbance what = {jni_disturbed_source(r), r->to->nvalues, q->measure.probe};
    jn_chain_free(q->map.chain);
    q->map.chain = jn_sim_chain(q->sim, &what);
    *why = jni_map_run(&q->map, q->y, q->y1) == JN_OK ? what_is_missing(r, q->map.chain)
                                                      : "the run stops";
    return !*why;
}

/* At frequency 0 all is real. */
static void take_column(double *map, double *means, const walker *k, int c)
{
    for (int i = 0; i < k->n; i++)
        map[i] = creal(k->xi[i * k->columns + c]);
    for (int v = 0; v < k->nvalues; v++)
        means[v] = creal(k->sum[v * k->columns + c]);
}

bool jni_chain_slopes(slopes *to, search *q, int source)
{
    int n = q->map.c.n;
    jn_disturbance what = {source, q->nvalues, q->measure.probe};
    jn_chain_free(q->map.chain);
    jn_chain *c = q->map.chain = jn_sim_chain(q->sim, &what);
    bool known = jni_map_run(&q->map, q->y, q->y1) == JN_OK && !jn_chain_missing(c);
    for (int i = 0; i < q->nvalues; i++)
        known = known && jn_probe_is_linear(q->measure.probe[i]);
    if (!known)
        return false;
    walker k = {.n = n, .columns = n + 1, .nvalues = q->nvalues, .is_source = source >= 0};
    k.xi = jn_alloc((size_t)(n * k.columns) * sizeof *k.xi);
    k.sum = jn_alloc((size_t)(k.nvalues * k.columns) * sizeof *k.sum);
    for (int i = 0; i < n; i++)
        k.xi[i * k.columns + i] = 1;
    for (int i = 0; i < jn_chain_links(c); i++) {
        const jn_link *l = jn_chain_link(c, i);
        if (l->mode)
            walk_stretch(&k, l);
        else
            walk_event(&k, l, 0);
    }
    double *map = jni_room(n);
    for (int i = 0; i < n; i++)
        take_column(map, to->by_y + i * q->nvalues, &k, i);
    take_column(to->map, to->integral, &k, n);
    free(map);
    free(k.xi);
    free(k.sum);
    return true;
}

bool jni_respond_chain(jn_complex *to, response *r, const double *frequency, int n)
{
    const search *q = &r->q;
    walker k = {.n = q->map.c.n,
                .columns = q->map.c.n + 1,
                .nvalues = r->to->nvalues,
                .t0 = q->map.t0,
                .is_source = r->o->pwm < 0};
    k.xi = jn_alloc((size_t)(k.n * k.columns) * sizeof *k.xi);
    k.sum = jn_alloc((size_t)(k.nvalues * k.columns) * sizeof *k.sum);
    for (int f = 0; f < n; f++)
        respond_at(to + f * k.nvalues, r, q->map.chain, &k, frequency[f]);
    free(k.xi);
    free(k.sum);
    return true;
}
