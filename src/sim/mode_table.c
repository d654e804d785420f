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

static void base_rows(mode_table *m, jn_sim *s, const equations *q)
{
    int wide = q->ni + q->nu, full = wide + q->nu;
    m->finite = jn_rows_new(s, full);
    m->impulse = jn_rows_new(s, s->N);
    double *f = m->finite->base;
    for (int i = 0; i < q->ni; i++)
        for (int k = 0; k < wide; k++)
            f[q->integral[i] * full + k] = q->Xi[i * wide + k] / s->storage[q->integral[i]];
    for (int d = 0; d < q->nd; d++) {
        memcpy(f + q->derivative[d] * full, q->dXd + d * full, (size_t)full * sizeof *f);
        m->impulse->base[q->derivative[d] * s->N + q->derivative[d]] = 1;
    }
    for (int r = 0; r < q->nr; r++)
        memcpy(f + (s->N + r) * full, q->Din + r * wide, (size_t)wide * sizeof *f);
    for (int k = 0; k < q->nu; k++)
        if (!m->is_lost[k])
            f[(s->N + s->nr + k) * full + q->ni + k] = 1;
    if (m->status != JN_MODE_FORBIDDEN)
        return;
    m->infinite = jn_rows_new(s, s->m);
    for (int k = 0; k < q->nu; k++)
        if (m->is_lost[k])
            m->infinite->base[(s->N + s->nr + k) * s->m + k] = 1;
}

/* The sources that lost their input, and what the others make of their values. */
static void find_lost(mode_table *m, jn_sim *s, equations *q)
{
    m->is_lost = jn_alloc((size_t)s->m * sizeof *m->is_lost);
    m->lost = jn_alloc((size_t)s->m * (size_t)s->m * sizeof *m->lost);
    for (int k = 0; k < s->m; k++) {
        int p = s->N + s->nr + k;
        bool effort_out = jn_port_gives_effort(s, m, p);
        m->is_lost[k] = effort_out == (s->g->element[jn_port_element(s, p)].kind == JN_SE);
        for (int i = 0; i < s->m && m->is_lost[k]; i++)
            m->lost[k * s->m + i] = jn_equations_S(q, p, s->N + s->nr + i);
    }
    /* what a source that lost its input gives now is its conjugate, taken as zero */
    for (int p = 0; p < q->np; p++)
        for (int k = 0; k < s->m; k++)
            if (m->is_lost[k])
                q->S[(size_t)p * (size_t)q->np + (size_t)(s->N + s->nr + k)] = 0;
}

/* ---- over z ---------------------------------------------------------------------------------- */

/* A row over (w, u, u̇) becomes one over z. */
static void to_z(double *out, const double *row, int width, const mode_table *m, const jn_sim *s)
{
    const double *G = jn_generator_G(s->gen), *V = jn_generator_V(s->gen);
    int nv = s->nv, v0 = m->n + s->ni;
    memcpy(out, row, (size_t)m->n * sizeof *out);
    for (int k = 0; k < s->m; k++) {
        double cu = row[m->n + k], cd = width > m->n + s->m ? row[m->n + s->m + k] : 0;
        for (int i = 0; i < nv; i++) {
            out[v0 + i] += cu * G[k * nv + i];
            for (int l = 0; l < nv && cd != 0; l++)
                out[v0 + l] += cd * G[k * nv + i] * V[i * nv + l];
        }
    }
}

static void make_state_maps(mode_table *m, const jn_sim *s, const equations *q)
{
    int wide = q->ni + q->nu;
    double *w = jn_alloc((size_t)m->n * (size_t)s->N * sizeof *w);
    double *x = jn_alloc((size_t)s->N * (size_t)m->nz * sizeof *x);
    for (int i = 0; i < q->ni; i++) {
        w[i * s->N + q->integral[i]] = 1;
        for (int d = 0; d < q->nd; d++)
            w[i * s->N + q->derivative[d]] = -jn_equations_S(q, q->integral[i], q->derivative[d]);
        to_z(x + q->integral[i] * m->nz, q->Xi + i * wide, wide, m, s);
    }
    for (int d = 0; d < q->nd; d++)
        to_z(x + q->derivative[d] * m->nz, q->Xd + d * wide, wide, m, s);
    jn_sparse_of(&m->w_of_x, w, m->n, s->N);
    jn_sparse_of(&m->x_of_z, x, s->N, m->nz);
    free(w);
    free(x);
}

/* ż = A·z */
static void make_dynamics(mode_table *m, jn_sim *s, const equations *q)
{
    int wide = q->ni + q->nu, nz = m->nz, v0 = m->n + s->ni;
    const double *V = jn_generator_V(s->gen);
    m->A = jn_alloc((size_t)nz * (size_t)nz * sizeof *m->A);
    for (int i = 0; i < m->n; i++)
        to_z(m->A + i * nz, q->dw + i * wide, wide, m, s);
    for (int i = 0; i < s->nv; i++)
        memcpy(m->A + (v0 + i) * nz + v0, V + i * s->nv, (size_t)s->nv * sizeof *V);
    for (int k = 0; k < s->ni; k++) {
        const linear_form *f = &s->integrand[k];
        double *to = m->A + (m->n + k) * nz;
        for (int i = 0; i < f->n; i++) {
            const double *row = jn_mode_table_row(s, m, f->term[i].obs);
            for (int l = 0; l < nz; l++)
                to[l] += f->term[i].c * row[l];
        }
        to[v0 + jn_generator_one(s->gen)] += f->c0;
        to[v0 + jn_generator_time(s->gen)] += f->ct;
    }
    m->moving = nz;
    while (m->moving > 0 && jn_reals_is_zero(m->A + (m->moving - 1) * nz, nz))
        m->moving--;
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
        base_rows(m, s, &q);
        make_state_maps(m, s, &q);
        make_dynamics(m, s, &q);
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
    free(m->A);
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
    } else if (obs < 2 * nb) {
        to_z(row, jn_rows_of(s, m, m->finite, obs), m->n + 2 * s->m, m, s);
        if (obs % 2 && s->j->flow_sign[obs / 2] < 0)
            for (int i = 0; i < m->nz; i++)
                row[i] = -row[i];
    } else if (obs < 2 * nb + s->N) {
        jn_sparse_row(row, &m->x_of_z, obs - 2 * nb);
    } else {
        row[m->n + obs - 2 * nb - s->N] = 1;
    }
    return row;
}

static double bond_sign(const jn_sim *s, int obs)
{
    return obs % 2 && s->j->flow_sign[obs / 2] < 0 ? -1 : 1;
}

double jn_mode_table_impulse(jn_sim *s, mode_table *m, int obs, const double *from,
                             const double *to)
{
    if (obs >= 2 * s->g->nbonds)
        return 0;
    if (s->numeric)
        return jn_numeric_impulse(s, m, obs, from, to);
    const double *row = jn_rows_of(s, m, m->impulse, obs);
    double area = 0, scale = 0;
    for (int i = 0; i < s->N; i++) {
        area += row[i] * (to[i] - from[i]);
        if (row[i] != 0) /* what is small beside the largest state there was is rounding */
            scale += fabs(row[i]) * (fabs(to[i]) + fabs(from[i]) +
                                     1e-2 * sqrt(2 * s->most_stored * fabs(s->storage[i])));
    }
    return fabs(area) > 1e-11 * scale ? bond_sign(s, obs) * area : 0;
}

/* What the sources that lost their input are off by, carried to a variable; exactly zero where it
 * is only rounding. */
static double drive(const jn_sim *s, const mode_table *m, const double *row, const double *u)
{
    double sum = 0, scale = 0;
    for (int k = 0; k < s->m; k++) {
        if (!m->is_lost[k] || row[k] == 0)
            continue;
        double delta = u[k], size = fabs(u[k]);
        for (int i = 0; i < s->m; i++) {
            delta -= m->lost[k * s->m + i] * u[i];
            size += fabs(m->lost[k * s->m + i] * u[i]);
        }
        /* positive along the bond's arrow where the source is its tail */
        int element = s->g->source[k];
        if (s->g->bond[s->g->element[element].bond[0]].head == element)
            delta = -delta;
        sum += row[k] * delta;
        scale += fabs(row[k]) * size;
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
    const double *row = jn_rows_of(s, m, m->infinite, obs);
    double direction = 0;
    for (int order = 0; order < INPUT_ORDERS && direction == 0; order++)
        direction = drive(s, m, row, u + order * s->m);
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
