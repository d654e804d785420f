/* integrate_jacobian.c: the derivatives of a mode's equations, as few as there are.
 *
 * Most equations read few unknowns. Those that no equation reads together share one pass through the
 * equations. Where nothing in the equations bends the derivatives are found once. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "integrate.h"

struct structure {
    sparse_pattern pattern;
    int ngroups;
    int *group;      /* per unknown */
    bool *has_rates; /* per group: a dependent storage is in it, whose rate is read elsewhere */
    linear_system *system;
    double *by_y, *by_yp,
        *of_jump; /* where nothing in the equations bends, once found; else NULL */
};

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
        k->has_rates[g] |= jni_is_dependent(n, m, j);
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

structure *jni_slopes_of(integrate *n, mode *m, double t)
{
    program *p = jni_program(m);
    if (!p->structure) {
        structure *k = p->structure = jn_alloc(sizeof *k);
        jni_find_pattern(&k->pattern, n, m, t);
        find_groups(k, n, m);
        k->system = jni_system_new(&k->pattern);
    }
    return p->structure;
}

void jni_structure_free(structure *k)
{
    if (!k)
        return;
    jni_system_free(k->system);
    free(k->pattern.start);
    free(k->pattern.row);
    free(k->group);
    free(k->has_rates);
    free(k->by_y);
    free(k->by_yp);
    free(k->of_jump);
    free(k);
}

const sparse_pattern *jni_structure_pattern(const structure *k)
{
    return &k->pattern;
}

linear_system *jni_structure_system(structure *k)
{
    return k->system;
}

int jni_structure_groups(const structure *k)
{
    return k->ngroups;
}

int jni_structure_group(const structure *k, int unknown)
{
    return k->group[unknown];
}

static size_t bytes_of(const structure *k)
{
    return (size_t)k->pattern.start[k->pattern.n] * sizeof(double);
}

size_t jni_structure_bytes(const structure *k)
{
    size_t n = (size_t)k->pattern.n, entries = (size_t)k->pattern.start[k->pattern.n];
    return sizeof *k + jni_system_bytes(k->system) + n * (2 * sizeof(int) + sizeof(bool)) +
           entries * sizeof(int) + (k->by_y ? 2 * bytes_of(k) : 0) + (k->of_jump ? bytes_of(k) : 0);
}

/* ---- derivatives --------------------------------------------------------------------------- */

/* The entries of one group from the derivatives in F. */
static void collect(double *to, const structure *k, const integrate *n, const mode *m, int g,
                    bool only_dependent)
{
    const sparse_pattern *p = &k->pattern;
    for (int j = 0; j < p->n; j++) {
        if (k->group[j] != g || (only_dependent && !jni_is_dependent(n, m, j)))
            continue;
        for (int e = p->start[j]; e < p->start[j + 1]; e++)
            to[e] = n->w.F[p->row[e]].d;
    }
}

/* d/dy of the rows of motion, or of the jump from x_before. */
static void find_by_y(double *by_y, const structure *k, integrate *n, mode *m, double t,
                      const double *x_before)
{
    for (int g = 0; g < k->ngroups; g++) {
        for (int j = 0; j < n->k.n; j++)
            n->w.Y[j].d = k->group[j] == g;
        jni_residual(n, m, (dual){t, 0}, x_before);
        collect(by_y, k, n, m, g, false);
    }
    for (int j = 0; j < n->k.n; j++)
        n->w.Y[j].d = 0;
}

static void send_rates(const structure *k, integrate *n, const mode *m, int g, double change)
{
    for (int j = 0; j < n->s->model.nx; j++)
        if (k->group[j] == g && jni_is_dependent(n, m, j))
            n->w.Yp[j].d = change;
}

/* d/dy' of the rows of motion. Rates of independent storages and of integrals stand in their own rows
 * only. */
static void find_by_yp(double *by_yp, const structure *k, integrate *n, mode *m, double t)
{
    const sparse_pattern *p = &k->pattern;
    for (int j = 0; j < p->n; j++) {
        bool is_state = j < n->s->model.nx || j >= n->k.first_s;
        for (int e = p->start[j]; e < p->start[j + 1]; e++)
            by_yp[e] = is_state && !jni_is_dependent(n, m, j) && p->row[e] == j;
    }
    for (int g = 0; g < k->ngroups; g++) {
        if (!k->has_rates[g])
            continue;
        send_rates(k, n, m, g, 1);
        jni_residual(n, m, (dual){t, 0}, NULL);
        collect(by_yp, k, n, m, g, true);
        send_rates(k, n, m, g, 0);
    }
}

static double *kept(const double *a, const structure *k)
{
    double *b = jn_alloc(bytes_of(k));
    return memcpy(b, a, bytes_of(k));
}

void jni_structure_slopes(structure *k, integrate *n, mode *m, double t, double *by_y,
                          double *by_yp)
{
    if (k->by_y) {
        memcpy(by_y, k->by_y, bytes_of(k));
        memcpy(by_yp, k->by_yp, bytes_of(k));
        return;
    }
    find_by_y(by_y, k, n, m, t, NULL);
    find_by_yp(by_yp, k, n, m, t);
    if (!n->k.bends) {
        k->by_y = kept(by_y, k);
        k->by_yp = kept(by_yp, k);
    }
}

void jni_structure_jump(structure *k, integrate *n, mode *m, double t, const double *x_before,
                        double *by_y)
{
    if (k->of_jump) {
        memcpy(by_y, k->of_jump, bytes_of(k));
        return;
    }
    find_by_y(by_y, k, n, m, t, x_before);
    if (!n->k.bends)
        k->of_jump = kept(by_y, k);
}

#define STEEPEST 1e100

bool jni_structure_jacobian(structure *k, integrate *n, mode *m, double t, const double *y,
                            const double *yp, double *by_y, double *by_yp)
{
    jni_residual_at(n, y, yp);
    jni_structure_slopes(k, n, m, t, by_y, by_yp);
    for (int e = 0; e < k->pattern.start[k->pattern.n]; e++) {
        if (isnan(by_y[e]) || isnan(by_yp[e]))
            return false;
        if (isinf(by_y[e])) /* of √e at 0: so steep that nothing else counts in its row */
            by_y[e] = copysign(STEEPEST, by_y[e]);
        if (isinf(by_yp[e]))
            by_yp[e] = copysign(STEEPEST, by_yp[e]);
    }
    return true;
}
