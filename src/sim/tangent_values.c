/* tangent_values.c: the links of a chain, as a run with other values would have them.
 *
 * What a value does to an orbit is the derivative of every link by it: of the matrices of a stretch, of the jump, the
 * surface and the edge of an event, each at the state at which the chain met it. A link has no past, so that this
 * knows nothing of how the run would go on with other values; that is put together from the links. */
#include <stdlib.h>
#include <string.h>

#include "tangent.h"

/* ---- where it stands ----------------------------------------------------------------------- */

typedef struct {
    double *numbers; /* NULL: they are only counted */
    int at;
} place;

static double *take(place *p, int n)
{
    double *here = p->numbers ? p->numbers + p->at : NULL;
    p->at += n;
    return here;
}

static jn_local layout(place *p, const jn_chain *c, const jn_link *l)
{
    const jn_sim *s = jni_chain_run(c);
    const model *k = &s->model;
    jn_local x = {.nx = k->nx, .nintegrals = k->ns, .nswitches = k->g->nswitches};
    if (!l->mode) {
        x.after = take(p, x.nx + x.nintegrals);
        x.surface = take(p, 1);
        x.edge = take(p, x.nswitches);
        return x;
    }
    int nv = jni_generator_size(s->gen);
    x.nw = l->mode->n - x.nintegrals;
    x.nz = l->mode->n + nv;
    x.nvalues = l->mode->nvalues;
    x.A = take(p, x.nz * x.nz);
    x.in = take(p, x.nw * x.nx);
    x.out = take(p, x.nx * x.nz);
    x.C = take(p, x.nvalues * x.nz);
    x.c = take(p, 2 * x.nvalues);
    x.v = take(p, nv);
    return x;
}

jn_local jn_chain_local_of(double *numbers, const jn_chain *c, int i)
{
    place p = {numbers, 0};
    jn_local x = {0};
    for (int k = 0; k <= i; k++)
        x = layout(&p, c, jn_chain_link(c, k));
    return x;
}

int jn_chain_local_size(const jn_chain *c)
{
    place p = {NULL, 0};
    for (int i = 0; i < jn_chain_links(c); i++)
        (void)layout(&p, c, jn_chain_link(c, i));
    return p.at;
}

/* ---- a stretch ----------------------------------------------------------------------------- */

static void put_sparse(double *to, const sparse *a, int n, int columns)
{
    memset(to, 0, (size_t)(n * columns) * sizeof *to);
    for (int i = 0; i < n; i++)
        for (int k = a->start[i]; k < a->start[i + 1]; k++)
            to[i * columns + a->col[k]] += a->a[k];
}

/* The mode in the other run; NULL: it is not the same there. */
static mode *same_mode(jn_sim *other, const void *id)
{
    const mode *of = id;
    mode *m = jni_mode_get(other, of->onoff, of->flows);
    return m->status == JN_MODE_OK ? m : NULL;
}

static bool put_values(jn_local *x, jn_sim *s, mode *m, const jn_probe *const *value)
{
    memset(x->C, 0, (size_t)(x->nvalues * x->nz) * sizeof *x->C);
    for (int i = 0; i < x->nvalues; i++) {
        const linear_form *f = jni_probe_form(value[i]);
        const srow *r = f ? jni_exact_form(s, m, f) : NULL;
        if (!r)
            return false;
        for (int k = 0; k < r->n; k++)
            x->C[i * x->nz + r->col[k]] += r->a[k];
        x->c[2 * i] = f->c0;
        x->c[2 * i + 1] = f->ct;
    }
    return true;
}

static bool put_stretch(jn_local *x, const jn_link *l, jn_sim *s, const jn_probe *const *value)
{
    mode *m = same_mode(s, l->id);
    if (!m || m->nz != x->nz || jni_exact(m)->n != x->nw)
        return false;
    const exact_mode *e = jni_exact(m);
    put_sparse(x->A, &e->A, x->nz, x->nz);
    put_sparse(x->in, &e->w_of_x, x->nw, x->nx);
    put_sparse(x->out, &e->x_of_z, x->nx, x->nz);
    jni_generator_at(x->v, s->gen, l->t);
    return put_values(x, s, m, value);
}

/* ---- an event ------------------------------------------------------------------------------ */

/* The point of a mode at a state: z and what the state becomes in it. */
static double *point_at(double *after, jn_sim *s, mode *m, const double *x, double t)
{
    const exact_mode *e = jni_exact(m);
    double *z = jni_doubles(m->nz);
    jni_sparse_mul(z, &e->w_of_x, x);
    memcpy(z + e->n, x + s->model.nx, (size_t)s->model.ns * sizeof *z);
    jni_generator_at(z + e->n + s->model.ns, s->gen, t);
    jni_sparse_mul(after, &e->x_of_z, z);
    memcpy(after + s->model.nx, x + s->model.nx, (size_t)s->model.ns * sizeof *after);
    return z;
}

static bool put_jumps(jn_local *x, const jn_link *l, jn_sim *s)
{
    size_t bytes = (size_t)(x->nx + x->nintegrals) * sizeof *x->after;
    double *from = jni_doubles(x->nx + x->nintegrals);
    bool known = true;
    memcpy(x->after, l->x, bytes);
    for (int i = 0; i < l->nentered && known; i++) {
        mode *m = same_mode(s, l->entered[i]);
        known = m != NULL;
        if (!known)
            break;
        memcpy(from, x->after, bytes);
        free(point_at(x->after, s, m, from, l->t));
        if (l->jumps[i])
            jni_add_impulses(x->after, s, m, from);
    }
    free(from);
    return known;
}

static bool put_surface(jn_local *x, const jn_link *l, jn_sim *s)
{
    *x->surface = 0;
    if (l->surface < 0)
        return true;
    mode *m = same_mode(s, l->id);
    if (!m || l->is_shared || l->surface >= s->watch.nsurfaces)
        return false;
    double *after = jni_doubles(x->nx + x->nintegrals), *z = point_at(after, s, m, l->x, l->t);
    view v = jni_present(s);
    v.m = m;
    v.z = z;
    v.t = l->t;
    *x->surface = jni_surface_value(&v, &s->watch.surface[l->surface]).part[FINITE];
    free(z);
    free(after);
    return true;
}

static bool put_event(jn_local *x, const jn_link *l, jn_sim *s)
{
    for (int i = 0; i < x->nswitches; i++) {
        x->edge[i] = l->moved[i] ? jni_clock_edge(s, i, l->moved[i] > 0) : 0;
        if (l->moved[i] && jni_clock_varies(s, i))
            return false;
    }
    return put_jumps(x, l, s) && put_surface(x, l, s);
}

/* ---- all of them --------------------------------------------------------------------------- */

bool jn_chain_local(double *out, const jn_chain *c, jn_sim *other, const jn_probe *const *value)
{
    const jn_sim *s = jni_chain_run(c);
    bool known = !jn_chain_missing(c) && other->engine->is_exact &&
                 jni_branches_count(other->branches) == 0 && !jni_generator_changes(other->gen) &&
                 jni_generator_size(other->gen) == jni_generator_size(s->gen) &&
                 other->watch.nsurfaces == s->watch.nsurfaces;
    place p = {out, 0};
    for (int i = 0; i < jn_chain_links(c) && known; i++) {
        const jn_link *l = jn_chain_link(c, i);
        jn_local x = layout(&p, c, l);
        known = l->mode ? put_stretch(&x, l, other, value) : put_event(&x, l, other);
    }
    return known;
}
