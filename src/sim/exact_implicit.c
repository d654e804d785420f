/* exact_implicit.c: long stretches of a mode with many states.
 *
 * Squaring propagators makes dense matrices of them. With many states a long stretch is one step of Radau's
 * method instead, by the nodes of integrate_collocate.c: what moves is z(τ) = z + w(τ), and
 *
 *     D·W/H = A·(z + W)     at nine nodes; with D = T·diag(μ)·T⁻¹, a rest R of that takes (μ/H − A)·V = T⁻¹·R
 *
 * for each eigenvalue μ of D, five sparse systems. They are factored once for a length. As with a doubled panel
 * the last coefficients tell whether a polynomial follows the solution, once its fast parts have died out.
 *
 * T has lost some digits, and what is slow is a small difference in A·z beside what is fast: so the equations
 * themselves are summed with twice the digits, and W is improved by what it leaves of them. */
#include <stdlib.h>

#include "exact.h"
#include "number_rule.h"

enum { TIMES = 3 }; /* W is improved */

struct implicit {
    radau_rule rule;
    sparse_pattern pattern; /* of what moves, by column */
    double *a;              /* A's entries in it */
    double complex *matrix, *V;
    double *W, *rest; /* stage by stage */
    double length;    /* of the factors; 0: none */
    sparse_lu *lu;
};

/* ---- life ---------------------------------------------------------------------------------- */

/* By column, with its diagonal. */
static void find_pattern(struct implicit *k, const exact_mode *m)
{
    int n = m->moving, *at = jn_alloc((size_t)(n + 1) * sizeof *at);
    sparse_pattern *p = &k->pattern;
    *p = (sparse_pattern){.n = n, .start = jn_alloc((size_t)(n + 2) * sizeof *p->start)};
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < n; i++) {
            bool has_own = false;
            for (int e = m->A.start[i]; e <= m->A.start[i + 1]; e++) {
                bool is_over = e == m->A.start[i + 1];
                int col = is_over ? i : m->A.col[e];
                if (col >= n || (is_over && has_own))
                    continue;
                has_own |= col == i;
                if (!pass) {
                    p->start[col + 1]++;
                    continue;
                }
                p->row[at[col]] = i;
                k->a[at[col]++] = is_over ? 0 : m->A.a[e];
            }
        }
        for (int j = 0; j < n && !pass; j++)
            at[j + 1] = p->start[j + 1] += p->start[j];
        if (!pass) {
            p->row = jn_alloc((size_t)p->start[n] * sizeof *p->row);
            k->a = jni_doubles(p->start[n]);
        }
    }
    free(at);
}

static struct implicit *implicit_new(const exact_mode *m)
{
    struct implicit *k = jn_alloc(sizeof *k);
    size_t n = (size_t)m->moving;
    if (!jni_radau_rule_find(&k->rule)) {
        free(k);
        return NULL;
    }
    find_pattern(k, m);
    k->matrix = jn_alloc((size_t)k->pattern.start[n] * sizeof *k->matrix);
    k->V = jn_alloc(n * sizeof *k->V);
    k->W = jn_alloc(n * STAGES * sizeof *k->W);
    k->rest = jn_alloc(n * STAGES * sizeof *k->rest);
    k->lu = jni_lu_new(&k->pattern, SYSTEMS);
    return k;
}

void jni_implicit_free(struct implicit *k)
{
    if (!k)
        return;
    jni_lu_free(k->lu);
    free(k->pattern.start);
    free(k->pattern.row);
    free(k->a);
    free(k->matrix);
    free(k->V);
    free(k->W);
    free(k->rest);
    free(k);
}

size_t jni_implicit_size(const struct implicit *k)
{
    if (!k)
        return 0;
    size_t n = (size_t)k->pattern.n, entries = (size_t)k->pattern.start[n];
    return sizeof *k + jni_lu_bytes(k->lu) +
           n * (sizeof *k->V + 2 * STAGES * sizeof *k->W + sizeof(int)) +
           entries * (sizeof(int) + sizeof *k->a + sizeof *k->matrix);
}

double jni_implicit_flops(double *factors, exact_mode *m)
{
    enum { COMPLEX = 4, LONG = 20 }; /* times as many for a product */
    if (!m->implicit)
        m->implicit = implicit_new(m);
    *factors = m->implicit ? COMPLEX * SYSTEMS * jni_lu_flops(m->implicit->lu) : 0;
    double rest = LONG * STAGES * (jni_sparse_count(&m->A) + (double)STAGES * m->moving);
    double solve = m->implicit ? COMPLEX * SYSTEMS * jni_lu_solve_flops(m->implicit->lu) : 0;
    return TIMES * (rest + solve);
}

/* ---- systems ------------------------------------------------------------------------------- */

static bool factor(struct implicit *k, double length)
{
    const sparse_pattern *p = &k->pattern;
    if (k->length == length)
        return true;
    k->length = 0;
    for (int s = 0; s < SYSTEMS; s++) {
        for (int j = 0; j < p->n; j++)
            for (int e = p->start[j]; e < p->start[j + 1]; e++)
                k->matrix[e] = (p->row[e] == j ? k->rule.mu[s] / length : 0) - k->a[e];
        if (!jni_lu_factor(k->lu, s, k->matrix))
            return false;
    }
    k->length = length;
    return true;
}

/* Node i of A·(z + W) − D·W/H, at what moves. */
static void find_rest(struct implicit *k, const exact_mode *m, const double *z, int i)
{
    int n = m->moving;
    const double *W = k->W, *own = k->W + (size_t)i * (size_t)n;
    for (int r = 0; r < n; r++) {
        long_sum sum = {0, 0};
        for (int e = m->A.start[r]; e < m->A.start[r + 1]; e++) {
            int col = m->A.col[e];
            jni_long_add(&sum, m->A.a[e], z[col]);
            if (col < n)
                jni_long_add(&sum, m->A.a[e], own[col]);
        }
        for (int j = 0; j < STAGES; j++)
            jni_long_add(&sum, -k->rule.D[i][j] / k->length, W[(size_t)j * (size_t)n + (size_t)r]);
        k->rest[(size_t)i * (size_t)n + (size_t)r] = sum.high + sum.low;
    }
}

/* W += what the rest makes of it, by the systems apart. */
static bool improve(struct implicit *k, int n)
{
    size_t wide = (size_t)n;
    for (int s = 0; s < SYSTEMS; s++) {
        for (int r = 0; r < n; r++) {
            k->V[r] = 0;
            for (int i = 0; i < STAGES; i++)
                k->V[r] += k->rule.to[s][i] * k->rest[(size_t)i * wide + (size_t)r];
        }
        if (!jni_lu_solve(k->lu, s, k->V))
            return false;
        for (int i = 0; i < STAGES; i++)
            for (int r = 0; r < n; r++)
                k->W[(size_t)i * wide + (size_t)r] += creal(k->rule.from[i][s] * k->V[r]);
    }
    return true;
}

/* ---- the stretch --------------------------------------------------------------------------- */

/* Coefficients of z + W, from W at the nodes. */
static void fit(stretch *p, const struct implicit *k, const double *z)
{
    for (int i = 0; i < p->moving; i++) {
        double W[NODES] = {0};
        for (int j = 0; j < STAGES; j++)
            W[j + 1] = k->W[j * p->moving + i];
        for (int c = 0; c < NODES; c++)
            p->q[c * p->nz + i] = jni_dot(k->rule.fit + c * NODES, W, NODES);
    }
    for (int i = 0; i < p->nz; i++)
        p->q[i] += z[i];
}

bool jni_implicit_stretch(stretch *p, exact_mode *m, double length, const double *z)
{
    if (!m->implicit)
        m->implicit = implicit_new(m);
    struct implicit *k = m->implicit;
    if (!k || !factor(k, length))
        return false;
    memset(k->W, 0, (size_t)STAGES * (size_t)m->moving * sizeof *k->W);
    for (int times = 0; times < TIMES; times++) {
        for (int i = 0; i < STAGES; i++)
            find_rest(k, m, z, i);
        if (!improve(k, m->moving))
            return false;
    }
    p->length = length;
    p->n = NODES;
    memset(p->q, 0, (size_t)SERIES_TERMS * (size_t)p->nz * sizeof *p->q);
    fit(p, k, z);
    return true;
}
