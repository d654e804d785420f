/* mode_table.c: what the run needs to know of one mode, in numbers: everything over z.
 *
 * Three families of rows follow the pivots of the mode: finite values over (w, u, u̇); impulses,
 * where all inputs are 0 but Ẋd = ΔXd; and in a forbidden mode the unbounded inputs of the sources
 * that lost theirs. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mode.h"
#include "numeric.h"

/* ---- the three families' base rows ----------------------------------------------------------- */

static void put_unit(srow *r, gather *sum, int col)
{
    jn_gather_put(sum, col, 1);
    jn_gather_take(r, sum);
}

static void copy_row(srow *to, gather *sum, const srow *from)
{
    jn_gather_add(sum, 1, from);
    jn_gather_take(to, sum);
}

static void base_rows(mode_table *m, jn_sim *s, const equations *q)
{
    int resistors = s->N, sources = s->N + s->nr;
    m->finite = jn_rows_new(s, q->ni + 2 * q->nu);
    m->impulse = jn_rows_new(s, s->N);
    gather *sum = &m->finite->sum;
    srow *base = m->finite->base;
    for (int i = 0; i < q->ni; i++)
        copy_row(&base[q->integral[i]], sum, &q->Zi[i]);
    for (int d = 0; d < q->nd; d++) {
        copy_row(&base[q->derivative[d]], sum, &q->dXd[d]);
        put_unit(&m->impulse->base[q->derivative[d]], &m->impulse->sum, q->derivative[d]);
    }
    for (int r = 0; r < q->nr; r++)
        copy_row(&base[resistors + r], sum, &q->Din[r]);
    for (int k = 0; k < q->nu; k++)
        if (!m->is_lost[k])
            put_unit(&base[sources + k], sum, q->ni + k);
    if (m->status != JN_MODE_FORBIDDEN)
        return;
    m->infinite = jn_rows_new(s, s->m);
    for (int k = 0; k < q->nu; k++)
        if (m->is_lost[k])
            put_unit(&m->infinite->base[sources + k], &m->infinite->sum, k);
}

/* What a source that lost its input gives now is its conjugate, taken as zero. */
static void drop_lost(srow *r, const mode_table *m, int sources)
{
    int n = 0;
    for (int i = 0; i < r->n; i++) {
        if (r->col[i] >= sources && m->is_lost[r->col[i] - sources])
            continue;
        r->col[n] = r->col[i];
        r->a[n++] = r->a[i];
    }
    r->n = n;
}

/* The sources that lost their input, and what the others make of their values. */
static void find_lost(mode_table *m, jn_sim *s, equations *q)
{
    int sources = s->N + s->nr;
    m->is_lost = jn_alloc((size_t)s->m * sizeof *m->is_lost);
    m->lost = jn_alloc((size_t)s->m * sizeof *m->lost);
    gather sum;
    jn_gather_init(&sum, s->m);
    for (int k = 0; k < s->m; k++) {
        bool effort = jn_port_gives_effort(s, m, sources + k);
        m->is_lost[k] = effort == (s->g->element[s->g->source[k]].kind == JN_SE);
        const srow *S = &q->S[sources + k];
        for (int i = 0; i < S->n && m->is_lost[k]; i++)
            if (S->col[i] >= sources)
                jn_gather_put(&sum, S->col[i] - sources, S->a[i]);
        jn_gather_take(&m->lost[k], &sum);
    }
    jn_gather_clear(&sum);
    for (int p = 0; p < q->np; p++)
        drop_lost(&q->S[p], m, sources);
}

/* ---- over z ---------------------------------------------------------------------------------- */

/* sum += c·u_k as a function of z, or of u̇_k. */
static void put_input(gather *sum, double c, int k, bool derivative, const mode_table *m,
                      const jn_sim *s)
{
    const double *G = jn_generator_G(s->gen) + k * s->nv, *V = jn_generator_V(s->gen);
    int nv = s->nv, v0 = m->n + s->ni;
    for (int i = 0; i < nv; i++) {
        if (G[i] == 0)
            continue;
        if (!derivative)
            jn_gather_put(sum, v0 + i, c * G[i]);
        for (int l = 0; l < nv && derivative; l++)
            if (V[i * nv + l] != 0)
                jn_gather_put(sum, v0 + l, c * G[i] * V[i * nv + l]);
    }
}

/* sum += c·row, which is over (w, u, u̇), as a function of z. What depends on anything else has no
 * value. */
static void put_over_z(gather *sum, double c, const srow *r, const mode_table *m, const jn_sim *s)
{
    for (int i = 0; i < r->n; i++) {
        int k = r->col[i] - m->n;
        if (k < 0)
            jn_gather_put(sum, r->col[i], c * r->a[i]);
        else if (k >= 2 * s->m && sum->width)
            jn_gather_put(sum, 0, NAN);
        else if (k < 2 * s->m)
            put_input(sum, c * r->a[i], k % s->m, k >= s->m, m, s);
    }
}

static double bond_sign(const jn_sim *s, int obs)
{
    return obs % 2 && s->j->flow_sign[obs / 2] < 0 ? -1 : 1;
}

/* sum += c·(an observable). */
static void put_observable(gather *sum, double c, jn_sim *s, mode_table *m, int obs)
{
    int nb = s->g->nbonds;
    if (obs < 2 * nb) {
        put_over_z(sum, c * bond_sign(s, obs), jn_rows_of(s, m, m->finite, obs), m, s);
    } else if (obs < 2 * nb + s->N) {
        const sparse *x = &m->x_of_z;
        for (int k = x->start[obs - 2 * nb]; k < x->start[obs - 2 * nb + 1]; k++)
            jn_gather_put(sum, x->col[k], c * x->a[k]);
    } else {
        jn_gather_put(sum, m->n + obs - 2 * nb - s->N, c);
    }
}

static void take_sparse(sparse *to, srow *r, int nrows, int ncols)
{
    jn_sparse_of(to, r, nrows, ncols);
    for (int i = 0; i < nrows; i++)
        jn_srow_clear(&r[i]);
    free(r);
}

static void make_state_maps(mode_table *m, const jn_sim *s, const equations *q, gather *sum)
{
    srow *w = jn_alloc((size_t)m->n * sizeof *w), *x = jn_alloc((size_t)s->N * sizeof *x);
    gather storages;
    jn_gather_init(&storages, s->N);
    for (int i = 0; i < q->ni; i++) {
        const srow *S = &q->S[q->integral[i]];
        jn_gather_put(&storages, q->integral[i], 1);
        for (int l = 0; l < S->n; l++) /* − S12 */
            if (S->col[l] < s->N && !jn_equations_integral(q, S->col[l]))
                jn_gather_put(&storages, S->col[l], -S->a[l]);
        jn_gather_take(&w[i], &storages);
        put_over_z(sum, 1, &q->Xi[i], m, s);
        jn_gather_take(&x[q->integral[i]], sum);
    }
    for (int d = 0; d < q->nd; d++) {
        put_over_z(sum, 1, &q->Xd[d], m, s);
        jn_gather_take(&x[q->derivative[d]], sum);
    }
    jn_gather_clear(&storages);
    take_sparse(&m->w_of_x, w, m->n, s->N);
    take_sparse(&m->x_of_z, x, s->N, m->nz);
}

/* ż = A·z */
static void make_dynamics(mode_table *m, jn_sim *s, const equations *q, gather *sum)
{
    int nz = m->nz, v0 = m->n + s->ni;
    const double *V = jn_generator_V(s->gen);
    srow *A = jn_alloc((size_t)nz * sizeof *A);
    for (int i = 0; i < m->n; i++) {
        put_over_z(sum, 1, &q->dw[i], m, s);
        jn_gather_take(&A[i], sum);
    }
    for (int k = 0; k < s->ni; k++) {
        const linear_form *f = &s->integrand[k];
        for (int i = 0; i < f->n; i++)
            put_observable(sum, f->term[i].c, s, m, f->term[i].obs);
        jn_gather_put(sum, v0 + jn_generator_one(s->gen), f->c0);
        jn_gather_put(sum, v0 + jn_generator_time(s->gen), f->ct);
        jn_gather_take(&A[m->n + k], sum);
    }
    for (int i = 0; i < s->nv; i++) {
        for (int l = 0; l < s->nv; l++)
            if (V[i * s->nv + l] != 0)
                jn_gather_put(sum, v0 + l, V[i * s->nv + l]);
        jn_gather_take(&A[v0 + i], sum);
    }
    m->moving = nz;
    while (m->moving > 0 && A[m->moving - 1].n == 0)
        m->moving--;
    take_sparse(&m->A, A, nz, nz);
}

/* ---- making and finding tables --------------------------------------------------------------- */

static void set_status(mode_table *m, const jn_sim *s)
{
    jn_str why;
    jn_str_init(&why);
    if (jn_junction_is_forbidden(s->j, m->onoff)) {
        m->status = JN_MODE_FORBIDDEN;
        jn_reason_print(&why, s->j, jn_junction_reason(s->j, m->onoff));
        m->reason = why.s;
    }
}

/* All observables are z: see numeric.c. */
static void make_numeric(mode_table *m, jn_sim *s)
{
    m->n = jn_obs_count(s) - s->ni;
    m->nz = jn_obs_count(s);
    m->program = jn_program_new(s, m);
    m->is_lost = jn_alloc((size_t)s->m * sizeof *m->is_lost);
    for (int k = 0; k < s->m; k++)
        m->is_lost[k] = jn_port_gives_effort(s, m, s->N + s->nr + k) ==
                        (s->g->element[s->g->source[k]].kind == JN_SE);
}

static void make_linear(mode_table *m, jn_sim *s)
{
    equations q;
    jn_equations_read(&q, s, m);
    find_lost(m, s, &q);
    m->n = q.ni;
    m->nz = q.ni + s->ni + s->nv;
    m->unit = jn_alloc((size_t)q.ni * sizeof *m->unit);
    for (int i = 0; i < q.ni; i++)
        m->unit[i] = 1 / sqrt(fabs(s->storage[q.integral[i]]));
    if (jn_equations_close(&q, s, m)) {
        gather sum;
        jn_gather_init(&sum, m->nz);
        base_rows(m, s, &q);
        make_state_maps(m, s, &q, &sum);
        make_dynamics(m, s, &q, &sum);
        jn_gather_clear(&sum);
    } else {
        jn_str why;
        jn_str_init(&why);
        jn_str_add(&why, "its equations have no unique solution with these values");
        free(m->reason);
        m->reason = why.s;
        m->status = JN_MODE_SINGULAR;
    }
    jn_equations_clear(&q);
}

static mode_table *mode_new(jn_sim *s, const jn_onoff *onoff)
{
    mode_table *m = jn_alloc(sizeof *m);
    m->onoff = jn_alloc((size_t)s->g->nswitches);
    memcpy(m->onoff, onoff, (size_t)s->g->nswitches);
    m->obs_row = jn_alloc((size_t)jn_obs_count(s) * sizeof *m->obs_row);
    set_status(m, s);
    jn_mode_pivots(s, m);
    if (s->numeric)
        make_numeric(m, s);
    else
        make_linear(m, s);
    return m;
}

void jn_mode_table_free(mode_table *m, const jn_sim *s)
{
    if (!m)
        return;
    jn_panels_free(m);
    jn_program_free(m->program);
    jn_rows_free(m->finite, s);
    jn_rows_free(m->impulse, s);
    jn_rows_free(m->infinite, s);
    for (int i = 0; i < jn_obs_count(s); i++)
        free(m->obs_row[i]);
    free(m->obs_row);
    free(m->unit);
    jn_sparse_clear(&m->w_of_x);
    jn_sparse_clear(&m->x_of_z);
    jn_sparse_clear(&m->effort);
    jn_sparse_clear(&m->flow);
    jn_sparse_clear(&m->A);
    for (int k = 0; k < s->m && m->lost; k++)
        jn_srow_clear(&m->lost[k]);
    free(m->lost);
    free(m->is_lost);
    free(m->pivot_at);
    free(m->reason);
    free(m->onoff);
    free(m);
}

void jn_mode_tables_clear(jn_sim *s)
{
    for (int i = 0; i < s->ntables; i++)
        jn_mode_table_free(s->table[i], s);
    free(s->table);
    free(s->bucket);
    s->table = NULL;
    s->bucket = NULL;
    s->ntables = s->cap_tables = s->nbuckets = 0;
}

static uint64_t hash_mode(const jn_onoff *m, int n)
{
    uint64_t h = 14695981039346656037u;
    for (int i = 0; i < n; i++)
        h = (h ^ m[i]) * 1099511628211u;
    return h ^ (h >> 29);
}

static void rehash(jn_sim *s)
{
    s->nbuckets = s->nbuckets ? 2 * s->nbuckets : 64;
    free(s->bucket);
    s->bucket = jn_alloc((size_t)s->nbuckets * sizeof *s->bucket);
    for (int i = 0; i < s->ntables; i++) {
        uint64_t h = hash_mode(s->table[i]->onoff, s->g->nswitches);
        while (s->bucket[h & (uint64_t)(s->nbuckets - 1)])
            h++;
        s->bucket[h & (uint64_t)(s->nbuckets - 1)] = i + 1;
    }
}

mode_table *jn_mode_table_get(jn_sim *s, const jn_onoff *onoff)
{
    if (2 * (s->ntables + 1) > s->nbuckets)
        rehash(s);
    uint64_t h = hash_mode(onoff, s->g->nswitches);
    int *slot;
    while (*(slot = &s->bucket[h & (uint64_t)(s->nbuckets - 1)])) {
        mode_table *m = s->table[*slot - 1];
        if (!memcmp(m->onoff, onoff, (size_t)s->g->nswitches))
            return m;
        h++;
    }
    JN_GROW(s->table, s->ntables, s->cap_tables);
    s->table[s->ntables++] = mode_new(s, onoff);
    *slot = s->ntables;
    return s->table[s->ntables - 1];
}

/* ---- reading --------------------------------------------------------------------------------- */

const double *jn_mode_table_row(jn_sim *s, mode_table *m, int obs)
{
    if (m->obs_row[obs])
        return m->obs_row[obs];
    double *row = m->obs_row[obs] = jn_alloc((size_t)m->nz * sizeof *row);
    int nb = s->g->nbonds;
    if (m->direct) {
        row[obs] = 1;
    } else if (s->numeric) {
        row[obs] = obs < 2 * nb && m->program->open[obs] ? NAN : 1;
    } else {
        srow r;
        jn_mode_table_srow(&r, s, m, obs);
        for (int i = 0; i < r.n; i++)
            row[r.col[i]] = r.a[i];
        jn_srow_clear(&r);
    }
    return row;
}

void jn_mode_table_srow(srow *r, jn_sim *s, mode_table *m, int obs)
{
    gather sum;
    jn_gather_init(&sum, m->nz);
    put_observable(&sum, 1, s, m, obs);
    jn_gather_take(r, &sum);
    jn_gather_clear(&sum);
}

double jn_mode_table_impulse(jn_sim *s, mode_table *m, int obs, const double *from,
                             const double *to)
{
    if (obs >= 2 * s->g->nbonds)
        return 0;
    if (s->numeric)
        return jn_numeric_impulse(s, m, obs, from, to);
    const srow *r = jn_rows_of(s, m, m->impulse, obs);
    double area = 0, scale = 0;
    for (int l = 0; l < r->n;
         l++) { /* what is small beside the largest state there was is rounding */
        int i = r->col[l];
        if (i >= s->N) /* nothing determines it */
            return 0;
        area += r->a[l] * (to[i] - from[i]);
        scale += fabs(r->a[l]) * (fabs(to[i]) + fabs(from[i]) +
                                  1e-2 * sqrt(2 * s->most_stored * fabs(s->storage[i])));
    }
    return fabs(area) > 1e-11 * scale ? bond_sign(s, obs) * area : 0;
}

/* What the sources that lost their input are off by, carried to a variable; exactly zero where it
 * is only rounding. */
static double drive(const jn_sim *s, const mode_table *m, const srow *r, const double *u)
{
    double sum = 0, scale = 0;
    for (int l = 0; l < r->n; l++) {
        int k = r->col[l];
        if (k >= s->m) /* nothing determines it */
            return 0;
        if (!m->is_lost[k])
            continue;
        double delta = u[k], size = fabs(u[k]);
        for (int i = 0; i < m->lost[k].n; i++) {
            double other = m->lost[k].a[i] * u[m->lost[k].col[i]];
            delta -= other;
            size += fabs(other);
        }
        /* positive along the bond's arrow where the source is its tail */
        int element = s->g->source[k];
        if (s->g->bond[s->g->element[element].bond[0]].head == element)
            delta = -delta;
        sum += r->a[l] * delta;
        scale += fabs(r->a[l]) * size;
    }
    return fabs(sum) > 1e-12 * scale ? sum : 0;
}

/* Where sources agree at this very instant, as when one overtakes another, the first derivative in
 * which they differ tells what drives them apart. */
double jn_mode_table_infinite(jn_sim *s, mode_table *m, int obs, const double *u)
{
    if (m->status != JN_MODE_FORBIDDEN || obs >= 2 * s->g->nbonds)
        return 0;
    if (s->numeric)
        return jn_numeric_infinite(s, m, obs, u);
    const srow *r = jn_rows_of(s, m, m->infinite, obs);
    double direction = 0;
    for (int order = 0; order < INPUT_ORDERS && direction == 0; order++)
        direction = drive(s, m, r, u + order * s->m);
    return bond_sign(s, obs) * direction;
}

void jn_mode_table_state(double *x, const jn_sim *s, mode_table *m, const double *z)
{
    if (m->direct) {
        memcpy(x, z + jn_obs_state(s, 0), (size_t)s->N * sizeof *x);
        return;
    }
    if (s->numeric) {
        jn_numeric_state(x, s, m, z);
        return;
    }
    jn_sparse_mul(x, &m->x_of_z, z);
}

void jn_mode_table_enter(double *z, double *x_after, const jn_sim *s, mode_table *m,
                         const double *x, const double *integrals, const double *v)
{
    if (s->numeric) {
        jn_numeric_enter(z, x_after, s, m, x, integrals);
        return;
    }
    jn_sparse_mul(z, &m->w_of_x, x);
    memcpy(z + m->n, integrals, (size_t)s->ni * sizeof *z);
    memcpy(z + m->n + s->ni, v, (size_t)s->nv * sizeof *z);
    jn_mode_table_state(x_after, s, m, z);
}
