/* value_chain.c: what a value does within one period, along the chain of an orbit.
 *
 * On a stretch ż = A·z. Where a value changes by ε of itself, A becomes A + ε·A′, and the deviation δz obeys
 *
 *     δż = A·δz + A′·z,      ∫ δy dt = ∫ (C·δz + C′·z) dt
 *
 * beside the solution itself: one exponential holds all three. At an event the value moves the surface, the edge and
 * what is jumped to; the rest is the saltation that deviations have anyway. Only the entries of the links are
 * differentiated numerically: plain fractions of the values, which differences of the sixth order know to nearly all digits. */
#include <stdlib.h>
#include <string.h>

#include "periodic_internal.h"

typedef struct {
    int n, nvalues;
    double *zeta; /* the deviation of all p, q and integrals */
    double *sum;  /* ∫ δy dt */
} walker;

/* to += a·x */
static void add_product(double *to, const double *a, const double *x, int rows, int columns)
{
    for (int i = 0; i < rows; i++)
        for (int k = 0; k < columns; k++)
            to[i] += a[i * columns + k] * x[k];
}

/* ---- a stretch ----------------------------------------------------------------------------- */

static void put_block(double complex *G, int size, int row, int column, const double *a, int rows,
                      int columns, double length)
{
    for (int i = 0; i < rows; i++)
        for (int k = 0; k < columns; k++)
            G[(row + i) * size + column + k] = a[i * columns + k] * length;
}

/* exp of [z; δz; ∫ δy]′ over its length, times a start. */
static void follow(double *to, const jn_local *x, const jn_local *d, const double *from,
                   double length)
{
    int nz = x->nz, size = 2 * nz + x->nvalues;
    double complex *G = jn_alloc((size_t)(size * size) * sizeof *G);
    put_block(G, size, 0, 0, x->A, nz, nz, length);
    put_block(G, size, nz, 0, d->A, nz, nz, length);
    put_block(G, size, nz, nz, x->A, nz, nz, length);
    put_block(G, size, 2 * nz, 0, d->C, x->nvalues, nz, length);
    put_block(G, size, 2 * nz, nz, x->C, x->nvalues, nz, length);
    jni_expm(G, size);
    for (int i = 0; i < size; i++)
        for (int k = 0; k < 2 * nz; k++)
            to[i] += creal(G[i * size + k]) * from[k];
    free(G);
}

static void walk_stretch(walker *k, const jn_link *l, const jn_local *x, const jn_local *d)
{
    int nz = x->nz, size = 2 * nz + x->nvalues, nv = nz - x->nw - x->nintegrals;
    double *from = jni_room(2 * size), *to = from + size, *delta = from + nz;
    size_t integrals = (size_t)x->nintegrals * sizeof *from;
    add_product(from, x->in, l->x, x->nw, x->nx);
    memcpy(from + x->nw, l->x + x->nx, integrals);
    memcpy(from + nz - nv, x->v, (size_t)nv * sizeof *from);
    add_product(delta, x->in, k->zeta, x->nw, x->nx);
    add_product(delta, d->in, l->x, x->nw, x->nx);
    memcpy(delta + x->nw, k->zeta + x->nx, integrals);
    memcpy(delta + nz - nv, d->v, (size_t)nv * sizeof *from);
    follow(to, x, d, from, l->length);
    memset(k->zeta, 0, (size_t)x->nx * sizeof *k->zeta);
    add_product(k->zeta, x->out, to + nz, x->nx, nz);
    add_product(k->zeta, d->out, to, x->nx, nz);
    memcpy(k->zeta + x->nx, to + nz + x->nw, integrals);
    for (int v = 0; v < x->nvalues; v++)
        k->sum[v] += to[2 * nz + v] + d->c[2 * v] * l->length +
                     d->c[2 * v + 1] * l->length * (l->t + 0.5 * l->length);
    free(from);
}

/* ---- an event ------------------------------------------------------------------------------ */

/* How much later it comes; false: the edges of several modulations part. */
static bool find_later(double *later, const walker *k, const jn_link *l, const jn_local *d)
{
    double edge = 0;
    bool any = false, same = true;
    for (int i = 0; i < d->nswitches; i++) {
        if (!l->moved[i])
            continue;
        same = same && (!any || fabs(d->edge[i] - edge) <= 1e-9 * (fabs(edge) + fabs(d->edge[i])));
        edge = d->edge[i];
        any = true;
    }
    *later = edge - (l->surface >= 0 ? *d->surface / l->rate : 0);
    for (int i = 0; i < k->n && l->normal; i++)
        *later -= l->normal[i] * k->zeta[i];
    return same;
}

static bool walk_event(walker *k, const jn_link *l, const jn_local *d)
{
    double later, *before = jni_room(k->n);
    bool known = find_later(&later, k, l, d);
    memcpy(before, k->zeta, (size_t)k->n * sizeof *before);
    for (int i = 0; i < k->n; i++)
        k->zeta[i] = d->after[i] + l->shift[i] * later;
    add_product(k->zeta, l->J, before, k->n, k->n);
    for (int v = 0; v < k->nvalues; v++)
        k->sum[v] -= l->step[v] * later;
    free(before);
    return known;
}

/* ---- all of it ----------------------------------------------------------------------------- */

static bool walk(walker *k, const jn_chain *c, double *numbers, double *derivative)
{
    bool known = true;
    for (int i = 0; i < jn_chain_links(c) && known; i++) {
        const jn_link *l = jn_chain_link(c, i);
        const jn_local x = jn_chain_local_of(numbers, c, i);
        const jn_local d = jn_chain_local_of(derivative, c, i);
        if (l->mode)
            walk_stretch(k, l, &x, &d);
        else
            known = walk_event(k, l, &d);
    }
    return known;
}

bool jni_value_slopes(slopes *to, search *q, double step, jni_vary eval, void *ctx)
{
    const jn_chain *c = q->map.chain;
    int size = jn_chain_local_size(c);
    double *numbers = jni_room(3 * size), *derivative = numbers + size, *off = derivative + size;
    walker k = {.n = q->map.c.n, .nvalues = q->nvalues, .zeta = to->map, .sum = to->integral};
    memset(to->map, 0, (size_t)k.n * sizeof *to->map);
    memset(to->integral, 0, (size_t)k.nvalues * sizeof *to->integral);
    bool known = jn_chain_local(numbers, c, q->sim, q->measure.probe) &&
                 jni_differentiate_by(derivative, off, size, eval, ctx, step) &&
                 walk(&k, c, numbers, derivative);
    for (int i = 0; i < k.n; i++)
        known = known && isfinite(to->map[i]);
    free(numbers);
    return known;
}
