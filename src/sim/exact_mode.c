/* exact_mode.c: what an exact run needs to know of one mode, in numbers: everything over z.
 *
 * Three families of rows follow the steps of the mode: finite values over (w, s, u, u̇); impulses,
 * where all inputs are 0 but Ẋd = ΔXd; and in a forbidden mode the unbounded inputs of the sources
 * that lost theirs. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "exact.h"

/* ---- the three families' base rows --------------------------------------------------------- */

static void copy_row(srow *to, gather *sum, const srow *from)
{
    jni_gather_add(sum, 1, from);
    jni_gather_take(to, sum);
}

static void finite_base(exact_mode *x, jn_sim *s, const mode *m, const equations *q)
{
    const model *k = &s->model;
    rows *f = x->finite = jni_rows_new(m, k, q->ni + q->ns + 2 * q->nu);
    int resistors = k->nx, sources = k->nx + k->nr;
    for (int i = 0; i < q->ni; i++)
        copy_row(&f->base[q->integral[i]], &f->sum, &q->Zi[i]);
    for (int d = 0; d < q->nd; d++)
        copy_row(&f->base[q->derivative[d]], &f->sum, &q->dXd[d]);
    for (int r = 0; r < q->nr; r++)
        copy_row(&f->base[resistors + r], &f->sum, &q->D[r]);
    for (int i = 0; i < q->nu; i++)
        if (q->fb_of[i] >= 0)
            copy_row(&f->base[sources + i], &f->sum, &q->D[q->nr + q->fb_of[i]]);
        else if (!m->is_lost[i])
            jni_rows_unit(f, sources + i, q->ni + q->ns + i);
}

static void other_bases(exact_mode *x, jn_sim *s, const mode *m, const equations *q)
{
    const model *k = &s->model;
    int sources = k->nx + k->nr;
    x->impulse = jni_rows_new(m, k, k->nx);
    for (int d = 0; d < q->nd; d++)
        jni_rows_unit(x->impulse, q->derivative[d], q->derivative[d]);
    if (m->status != JN_MODE_FORBIDDEN)
        return;
    x->infinite = jni_rows_new(m, k, k->nu);
    for (int i = 0; i < q->nu; i++)
        if (m->is_lost[i])
            jni_rows_unit(x->infinite, sources + i, i);
}

/* What the others make of the sources that lost their input. */
static void find_lost(exact_mode *x, const model *k, const mode *m, const equations *q)
{
    int sources = k->nx + k->nr;
    gather sum;
    x->lost = jn_alloc((size_t)k->nu * sizeof *x->lost);
    jni_gather_init(&sum, k->nu + 1);
    for (int i = 0; i < k->nu; i++) {
        const srow *S = &q->S[sources + i];
        for (int l = 0; l < S->n && m->is_lost[i]; l++)
            if (S->col[l] >= sources)
                jni_gather_put(&sum, S->col[l] - sources, S->a[l]);
        jni_gather_take(&x->lost[i], &sum);
    }
    jni_gather_clear(&sum);
}

/* ---- over z -------------------------------------------------------------------------------- */

/* sum += c·u_k as a function of z, or of u̇_k. */
static void put_input(gather *sum, double c, int k, bool derivative, int v0, const generator *g)
{
    int nv = jni_generator_size(g);
    const double *G = jni_generator_G(g) + k * nv, *V = jni_generator_V(g);
    for (int i = 0; i < nv; i++) {
        if (G[i] == 0)
            continue;
        if (!derivative)
            jni_gather_put(sum, v0 + i, c * G[i]);
        for (int l = 0; l < nv && derivative; l++)
            if (V[i * nv + l] != 0)
                jni_gather_put(sum, v0 + l, c * G[i] * V[i * nv + l]);
    }
}

/* sum += c·row, which is over (w, s, u, u̇), as a function of z. Column nz: nothing determines it.
 */
static void put_over_z(gather *sum, double c, const srow *r, const exact_mode *x, const jn_sim *s,
                       int nz)
{
    const model *k = &s->model;
    int inputs = x->n + k->ns;
    for (int i = 0; i < r->n; i++) {
        int u = r->col[i] - inputs;
        if (u < 0)
            jni_gather_put(sum, r->col[i], c * r->a[i]);
        else if (u >= 2 * k->nu)
            jni_gather_put(sum, nz + u - 2 * k->nu, c * r->a[i]);
        else
            put_input(sum, c * r->a[i], u % k->nu, u >= k->nu, inputs, s->gen);
    }
}

/* sum += c·(an observable). */
static void put_observable(gather *sum, double c, jn_sim *s, mode *m, int obs)
{
    exact_mode *x = jni_exact(m);
    const model *k = &s->model;
    int bonds = 2 * k->g->nbonds;
    if (obs < bonds) {
        put_over_z(sum, c * jni_bond_sign(m, obs), jni_rows_of(s, m, x->finite, obs), x, s, m->nz);
    } else if (obs < bonds + k->nx) {
        const sparse *of = &x->x_of_z;
        for (int l = of->start[obs - bonds]; l < of->start[obs - bonds + 1]; l++)
            jni_gather_put(sum, of->col[l], c * of->a[l]);
    } else {
        jni_gather_put(sum, x->n + obs - bonds - k->nx, c);
    }
}

static void take_sparse(sparse *to, srow *r, int nrows, int ncols)
{
    jni_sparse_of(to, r, nrows, ncols);
    for (int i = 0; i < nrows; i++)
        jni_srow_clear(&r[i]);
    free(r);
}

static void make_state_maps(exact_mode *x, const mode *m, const jn_sim *s, const equations *q,
                            gather *sum)
{
    const model *k = &s->model;
    srow *w = jn_alloc((size_t)x->n * sizeof *w), *to = jn_alloc((size_t)k->nx * sizeof *to);
    gather storages;
    jni_gather_init(&storages, k->nx + 1);
    for (int i = 0; i < q->ni; i++) {
        const srow *S = &q->S[q->integral[i]];
        jni_gather_put(&storages, q->integral[i], 1);
        for (int l = 0; l < S->n; l++) /* − S12 */
            if (S->col[l] < k->nx && !jni_equations_integral(q, S->col[l]))
                jni_gather_put(&storages, S->col[l], -S->a[l]);
        jni_gather_take(&w[i], &storages);
        put_over_z(sum, 1, &q->Xi[i], x, s, m->nz);
        jni_gather_take(&to[q->integral[i]], sum);
    }
    for (int d = 0; d < q->nd; d++) {
        put_over_z(sum, 1, &q->Xd[d], x, s, m->nz);
        jni_gather_take(&to[q->derivative[d]], sum);
    }
    jni_gather_clear(&storages);
    take_sparse(&x->w_of_x, w, x->n, k->nx);
    take_sparse(&x->x_of_z, to, k->nx, m->nz);
}

/* ż = A·z */
static void make_dynamics(exact_mode *x, mode *m, jn_sim *s, const equations *q, gather *sum)
{
    const model *k = &s->model;
    int nz = m->nz, v0 = x->n + k->ns, nv = jni_generator_size(s->gen);
    const double *V = jni_generator_V(s->gen);
    srow *A = jn_alloc((size_t)nz * sizeof *A);
    for (int i = 0; i < x->n; i++) {
        put_over_z(sum, 1, &q->dw[i], x, s, nz);
        jni_gather_take(&A[i], sum);
    }
    for (int i = 0; i < k->ns; i++) {
        const linear_form *f = &k->integral[i].form;
        put_over_z(sum, 1, &q->ds[i], x, s, nz);
        jni_gather_put(sum, v0 + jni_generator_one(s->gen), f->c0);
        jni_gather_put(sum, v0 + jni_generator_time(s->gen), f->ct);
        jni_gather_take(&A[x->n + i], sum);
    }
    for (int i = 0; i < nv; i++) {
        for (int l = 0; l < nv; l++)
            if (V[i * nv + l] != 0)
                jni_gather_put(sum, v0 + l, V[i * nv + l]);
        jni_gather_take(&A[v0 + i], sum);
    }
    x->moving = nz;
    while (x->moving > 0 && A[x->moving - 1].n == 0)
        x->moving--;
    take_sparse(&x->A, A, nz, nz);
}

void jni_exact_make(jn_sim *s, mode *m)
{
    equations q;
    exact_mode *x = m->own = jn_alloc(sizeof *x);
    jni_equations_read(&q, s, m);
    find_lost(x, &s->model, m, &q);
    x->n = q.ni;
    m->nz = q.ni + s->model.ns + jni_generator_size(s->gen);
    x->unit = jni_doubles(q.ni);
    for (int i = 0; i < q.ni; i++)
        x->unit[i] = 1 / sqrt(fabs(m->storage[q.integral[i]]));
    if (jni_equations_close(&q, s, m)) {
        gather sum;
        jni_gather_init(&sum, m->nz + m->floating.nnull + 1);
        finite_base(x, s, m, &q);
        other_bases(x, s, m, &q);
        make_state_maps(x, m, s, &q, &sum);
        make_dynamics(x, m, s, &q, &sum);
        jni_gather_clear(&sum);
    }
    jni_equations_clear(&q, s, m);
}

void jni_exact_drop(jn_sim *s, mode *m)
{
    exact_mode *x = jni_exact(m);
    jni_panels_free(x);
    jni_implicit_free(x->implicit);
    jni_rows_free(x->finite, m, &s->model);
    jni_rows_free(x->impulse, m, &s->model);
    jni_rows_free(x->infinite, m, &s->model);
    for (int i = 0; i < x->nforms; i++)
        jni_srow_clear(&x->form[i].row);
    free(x->form);
    free(x->form_slot);
    free(x->unit);
    jni_sparse_clear(&x->w_of_x);
    jni_sparse_clear(&x->x_of_z);
    jni_sparse_clear(&x->effort);
    jni_sparse_clear(&x->flow);
    jni_sparse_clear(&x->A);
    for (int k = 0; k < s->model.nu && x->lost; k++)
        jni_srow_clear(&x->lost[k]);
    free(x->lost);
    free(x);
}

/* A block of memory a little larger than what is in it. */
static size_t size_of_row(const srow *r)
{
    return r->n ? (size_t)r->n * (sizeof *r->col + sizeof *r->a) + 16 : 0;
}

static size_t size_of_rows(const rows *r, int ports, int ncols)
{
    if (!r)
        return 0;
    size_t n = (size_t)ports * sizeof *r->base + (size_t)r->sum.width * 13;
    for (int p = 0; p < ports; p++)
        n += size_of_row(&r->base[p]);
    for (int c = 0; r->made && c < ncols; c++)
        n += sizeof *r->made + sizeof *r->is_made + size_of_row(&r->made[c]);
    return n;
}

static size_t size_of_sparse(const sparse *a)
{
    return a->start ? (size_t)jni_sparse_count(a) * (sizeof(int) + sizeof(double)) : 0;
}

size_t jni_exact_size(const jn_sim *s, const mode *m)
{
    const exact_mode *x = jni_exact(m);
    int ports = jni_port_count(&s->model), ncols = m->solved->ncols;
    size_t n = sizeof *x + (size_t)x->form_slots * sizeof *x->form_slot + jni_panels_size(x) +
               jni_implicit_size(x->implicit);
    n += (size_t)(s->model.nx + s->model.nu) * sizeof(srow);
    n += size_of_rows(x->finite, ports, ncols) + size_of_rows(x->impulse, ports, ncols) +
         size_of_rows(x->infinite, ports, ncols);
    n += size_of_sparse(&x->w_of_x) + size_of_sparse(&x->x_of_z) + size_of_sparse(&x->A) +
         size_of_sparse(&x->effort) + size_of_sparse(&x->flow);
    for (int i = 0; i < x->nforms; i++)
        n += sizeof x->form[i] + size_of_row(&x->form[i].row);
    return n;
}

/* ---- forms --------------------------------------------------------------------------------- */

void jni_exact_observable(srow *r, jn_sim *s, mode *m, int obs)
{
    gather sum;
    jni_gather_init(&sum, m->nz + m->floating.nnull + 1);
    put_observable(&sum, 1, s, m, obs);
    jni_gather_take(r, &sum);
    jni_gather_clear(&sum);
}

static void make_form(struct exact_form *to, jn_sim *s, mode *m, const linear_form *f)
{
    gather sum;
    int count = jni_obs_count(&s->model);
    jni_gather_init(&sum, m->nz + m->floating.nnull + 1);
    for (int i = 0; i < f->n; i++)
        if (f->term[i].obs < count)
            put_observable(&sum, f->term[i].c, s, m, f->term[i].obs);
    to->f = f;
    jni_gather_take(&to->row, &sum);
    jni_gather_clear(&sum);
    int n = 0;
    to->is_open = jni_mode_leaves_open(s, m, f);
    while (n < to->row.n && to->row.col[n] < m->nz)
        n++;
    to->row.n = n; /* what stays open comes last */
    for (int i = 0; i < n && to->row.col[i] < jni_exact(m)->n; i++)
        to->past += fabs(to->row.a[i]) / jni_exact(m)->unit[to->row.col[i]];
}

static int *slot_of(const exact_mode *x, const linear_form *f)
{
    uint64_t h = (uint64_t)(uintptr_t)f * 0x9E3779B97F4A7C15u >> 20;
    int *slot;
    while (*(slot = &x->form_slot[h & (uint64_t)(x->form_slots - 1)]) && x->form[*slot - 1].f != f)
        h++;
    return slot;
}

static void rehash(exact_mode *x)
{
    x->form_slots = x->form_slots ? 2 * x->form_slots : 16;
    free(x->form_slot);
    x->form_slot = jn_alloc((size_t)x->form_slots * sizeof *x->form_slot);
    for (int i = 0; i < x->nforms; i++)
        *slot_of(x, x->form[i].f) = i + 1;
}

/* It is made when it is first asked for. */
static const struct exact_form *find_form(jn_sim *s, mode *m, const linear_form *f)
{
    exact_mode *x = jni_exact(m);
    if (2 * (x->nforms + 1) > x->form_slots)
        rehash(x);
    int *slot = slot_of(x, f);
    if (!*slot) {
        JN_GROW(x->form, x->nforms, x->cap_forms);
        x->form[x->nforms] = (struct exact_form){0};
        make_form(&x->form[x->nforms++], s, m, f);
        *slot = x->nforms;
    }
    return &x->form[*slot - 1];
}

const struct exact_form *jni_exact_known(jn_sim *s, mode *m, const linear_form *f)
{
    exact_mode *x = jni_exact(m);
    const struct exact_form *to = x->last_form;
    if (!to || to->f != f)
        x->last_form = to = find_form(s, m, f);
    return to->is_open ? NULL : to;
}

const srow *jni_exact_form(jn_sim *s, mode *m, const linear_form *f)
{
    const struct exact_form *known = jni_exact_known(s, m, f);
    return known ? &known->row : NULL;
}
