/* integrate_jacobian.c: the derivatives of a mode's equations, as few as there are.
 *
 * Most equations read few unknowns. Which ones is found by sending a derivative that is not a
 * number through them: it arrives wherever a path leads, even where the slope is zero at the
 * moment. Unknowns that no equation reads together then share one pass through the equations. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "integrate.h"

struct structure {
    sparse_pattern pattern;
    int ngroups;
    int *group;      /* per unknown */
    bool *has_rates; /* per group: a dependent storage is in it, whose rate is read elsewhere */
    double *by_y, *by_yp; /* where nothing in the equations bends, once found; else NULL */
};

static bool is_dependent(const integrate *n, const mode *m, int j)
{
    return j < n->s->model.nx && !m->integral[j];
}

/* ---- the pattern --------------------------------------------------------------------------- */

static void mark_column(bool *column, integrate *n, mode *m, double t, dual *unknown)
{
    unknown->d = NAN;
    jni_residual(n, m, (dual){t, 0}, NULL);
    unknown->d = 0;
    for (int i = 0; i < n->k.n; i++)
        column[i] |= n->w.F[i].d != 0;
}

static void find_pattern(structure *k, integrate *n, mode *m, double t)
{
    bool *column = jn_alloc((size_t)n->k.n * sizeof *column);
    int cap = 0, count = 0;
    k->pattern.n = n->k.n;
    k->pattern.start = jn_alloc((size_t)(n->k.n + 1) * sizeof *k->pattern.start);
    n->w.every_way = true;
    jni_residual_at(n, n->y, n->yp);
    for (int j = 0; j < n->k.n; j++) {
        for (int i = 0; i < n->k.n; i++)
            column[i] = i == j;
        mark_column(column, n, m, t, &n->w.Y[j]);
        if (is_dependent(n, m, j))
            mark_column(column, n, m, t, &n->w.Yp[j]);
        k->pattern.start[j] = count;
        for (int i = 0; i < n->k.n; i++)
            if (column[i]) {
                JN_GROW(k->pattern.row, count, cap);
                k->pattern.row[count++] = i;
            }
    }
    k->pattern.start[n->k.n] = count;
    n->w.every_way = false;
    free(column);
}

/* ---- groups -------------------------------------------------------------------------------- */

/* Takes into the group what meets none of its rows. */
static void fill_group(structure *k, const integrate *n, const mode *m, int g, bool *taken)
{
    const sparse_pattern *p = &k->pattern;
    for (int i = 0; i < p->n; i++)
        taken[i] = false;
    for (int j = 0; j < p->n; j++) {
        bool fits = k->group[j] < 0;
        for (int e = p->start[j]; e < p->start[j + 1] && fits; e++)
            fits = !taken[p->row[e]];
        if (!fits)
            continue;
        k->group[j] = g;
        k->has_rates[g] |= is_dependent(n, m, j);
        for (int e = p->start[j]; e < p->start[j + 1]; e++)
            taken[p->row[e]] = true;
    }
}

static void find_groups(structure *k, const integrate *n, const mode *m)
{
    bool *taken = jn_alloc((size_t)n->k.n * sizeof *taken), is_left = true;
    k->group = jn_alloc((size_t)n->k.n * sizeof *k->group);
    k->has_rates = jn_alloc((size_t)n->k.n * sizeof *k->has_rates);
    for (int j = 0; j < n->k.n; j++)
        k->group[j] = -1;
    while (is_left) {
        fill_group(k, n, m, k->ngroups++, taken);
        is_left = false;
        for (int j = 0; j < n->k.n; j++)
            is_left |= k->group[j] < 0;
    }
    free(taken);
}

structure *jni_structure_new(integrate *n, mode *m, double t)
{
    structure *k = jn_alloc(sizeof *k);
    find_pattern(k, n, m, t);
    find_groups(k, n, m);
    return k;
}

void jni_structure_free(structure *k)
{
    if (!k)
        return;
    free(k->pattern.start);
    free(k->pattern.row);
    free(k->group);
    free(k->has_rates);
    free(k->by_y);
    free(k->by_yp);
    free(k);
}

const sparse_pattern *jni_structure_pattern(const structure *k)
{
    return &k->pattern;
}

size_t jni_structure_bytes(const structure *k)
{
    size_t n = (size_t)k->pattern.n, entries = (size_t)k->pattern.start[k->pattern.n];
    return sizeof *k + n * (2 * sizeof(int) + sizeof(bool)) + entries * sizeof(int) +
           (k->by_y ? 2 * entries * sizeof *k->by_y : 0);
}

/* ---- derivatives --------------------------------------------------------------------------- */

#define STEEPEST 1e100

/* The entries of one group from the derivatives in F. */
static bool collect(double *to, const structure *k, const integrate *n, const mode *m, int g,
                    bool only_dependent)
{
    const sparse_pattern *p = &k->pattern;
    for (int j = 0; j < p->n; j++) {
        if (k->group[j] != g || (only_dependent && !is_dependent(n, m, j)))
            continue;
        for (int e = p->start[j]; e < p->start[j + 1]; e++) {
            to[e] = n->w.F[p->row[e]].d;
            if (isnan(to[e]))
                return false;
            if (isinf(to[e])) /* of √e at 0: so steep that nothing else counts in its row */
                to[e] = copysign(STEEPEST, to[e]);
        }
    }
    return true;
}

/* Rates of independent storages and of integrals stand in their own rows only. */
static void set_own_rates(double *to, const structure *k, const integrate *n, const mode *m)
{
    const sparse_pattern *p = &k->pattern;
    for (int j = 0; j < p->n; j++) {
        bool is_state = j < n->s->model.nx || j >= n->k.first_s;
        for (int e = p->start[j]; e < p->start[j + 1]; e++)
            to[e] = is_state && !is_dependent(n, m, j) && p->row[e] == j;
    }
}

static void keep(structure *k, const double *by_y, const double *by_yp)
{
    size_t bytes = (size_t)k->pattern.start[k->pattern.n] * sizeof *by_y;
    k->by_y = jn_alloc(bytes);
    k->by_yp = jn_alloc(bytes);
    memcpy(k->by_y, by_y, bytes);
    memcpy(k->by_yp, by_yp, bytes);
}

static bool find_jacobian(const structure *k, integrate *n, mode *m, double t, const double *y,
                          const double *yp, double *by_y, double *by_yp)
{
    set_own_rates(by_yp, k, n, m);
    jni_residual_at(n, y, yp);
    for (int g = 0; g < k->ngroups; g++) {
        for (int j = 0; j < n->k.n; j++)
            n->w.Y[j].d = k->group[j] == g;
        jni_residual(n, m, (dual){t, 0}, NULL);
        if (!collect(by_y, k, n, m, g, false))
            return false;
        for (int j = 0; j < n->k.n; j++)
            n->w.Y[j].d = 0;
        if (!k->has_rates[g])
            continue;
        for (int j = 0; j < n->k.n; j++)
            n->w.Yp[j].d = k->group[j] == g && is_dependent(n, m, j);
        jni_residual(n, m, (dual){t, 0}, NULL);
        if (!collect(by_yp, k, n, m, g, true))
            return false;
        for (int j = 0; j < n->k.n; j++)
            n->w.Yp[j].d = 0;
    }
    return true;
}

bool jni_structure_jacobian(structure *k, integrate *n, mode *m, double t, const double *y,
                            const double *yp, double *by_y, double *by_yp)
{
    if (k->by_y) {
        size_t bytes = (size_t)k->pattern.start[k->pattern.n] * sizeof *by_y;
        memcpy(by_y, k->by_y, bytes);
        memcpy(by_yp, k->by_yp, bytes);
        return true;
    }
    bool ok = find_jacobian(k, n, m, t, y, yp, by_y, by_yp);
    if (ok && !n->k.bends)
        keep(k, by_y, by_yp);
    return ok;
}
