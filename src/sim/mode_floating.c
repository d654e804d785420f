/* mode_floating.c: what nothing determines.
 *
 * Closed switches in parallel leave open how the current divides, a bridge that blocks leaves open
 * where it floats. Taken as the limit of equal small resistances in all closed controlled junctions
 * and all resistors that are 0, and of equal small conductances across all open junctions, both are determined: what is free, φ, is such
 * that the norm of the flows (efforts) of those junctions is least,
 *
 *     J·φ + J0·inputs → min,     JᵀJ·φ = −JᵀJ0·inputs
 *
 * one projection per mode, linear in the inputs of the ports. What does not even show there, as the
 * flow around a loop of plain bonds, stays open; differences that do not depend on it are known. */
#include <stdlib.h>
#include <string.h>

#include "run.h"

typedef struct {
    jn_sim *s;
    mode *m;
    int np, nf, nj;
    int *free_col; /* nf columns */
    srow *phi;     /* per column, over the free ones */
    srow *J, *J0;  /* per controlled junction and resistor that is 0 */
    double *G;     /* JᵀJ, nf × nf */
    bool *is_pivot;
    int nnull;
    double *null; /* nnull × nf */
} work;

static int count_free(const mode *m)
{
    int n = 0;
    for (int c = 0; c < m->solved->ncols; c++)
        n += m->is_free[c];
    return n;
}

/* ---- rows over what is free ---------------------------------------------------------------- */

/* How every column depends on the free ones: steps come after what they read. */
static void find_phi(work *w)
{
    const jn_solved *d = w->m->solved;
    gather sum;
    jni_gather_init(&sum, w->nf);
    w->phi = jn_alloc((size_t)d->ncols * sizeof *w->phi);
    for (int c = 0, k = 0; c < d->ncols; c++)
        if (w->m->is_free[c]) {
            w->free_col[k] = c;
            jni_gather_put(&sum, k++, 1);
            jni_gather_take(&w->phi[c], &sum);
        }
    for (int i = 0; i < d->nsteps; i++) {
        const jn_step *step = &d->step[i];
        for (int t = step->first; t < step->end; t++)
            jni_gather_add(&sum, jni_number_of(&w->s->model, d->term[t].c),
                           &w->phi[d->term[t].col]);
        jni_gather_take(&w->phi[step->col], &sum);
    }
    jni_gather_clear(&sum);
}

/* The variable of a controlled junction whose norm is to be small. */
static jn_expr junction_variable(const mode *m, const jn_graph *g, int k)
{
    bool is_x1 = g->element[g->sw[k]].kind == JN_X1, flow = is_x1 == (m->onoff[k] != 0);
    return (jn_expr){.op = flow ? JN_X_COMMON_FLOW : JN_X_COMMON_EFFORT, .index = g->sw[k]};
}

static void find_junctions(work *w)
{
    const jn_graph *g = w->s->model.g;
    mode *m = w->m;
    rows *unit = jni_rows_new(m, &w->s->model, w->np);
    gather phi, inputs;
    jni_gather_init(&phi, w->nf);
    jni_gather_init(&inputs, w->np + 1);
    for (int p = 0; p < w->np; p++)
        jni_rows_unit(unit, p, p);
    for (int k = 0; k < g->nswitches; k++) {
        if (g->element[g->sw[k]].kind != JN_X0 && g->element[g->sw[k]].kind != JN_X1)
            continue;
        jn_expr e = junction_variable(m, g, k);
        int bond, sign;
        for (int i = 0; jn_expr_term(&bond, &sign, g, &e, i); i++) {
            int col = e.op == JN_X_COMMON_FLOW ? 2 * bond + 1 : 2 * bond;
            double c = sign * jni_bond_sign(m, col);
            jni_gather_add(&phi, c, &w->phi[col]);
            jni_gather_add(&inputs, c, jni_rows_of(w->s, m, unit, col));
        }
        jni_gather_take(&w->J[k], &phi);
        jni_gather_take(&w->J0[k], &inputs);
    }
    for (int i = 0; i < m->solved->nshorted; i++) {
        int col = 2 * g->element[m->solved->shorted[i]].bond[0] + 1;
        jni_gather_add(&phi, 1, &w->phi[col]);
        jni_gather_add(&inputs, 1, jni_rows_of(w->s, m, unit, col));
        jni_gather_take(&w->J[g->nswitches + i], &phi);
        jni_gather_take(&w->J0[g->nswitches + i], &inputs);
    }
    jni_gather_clear(&phi);
    jni_gather_clear(&inputs);
    jni_rows_free(unit, m, &w->s->model);
}

/* ---- least norm ---------------------------------------------------------------------------- */

static void find_normal(work *w)
{
    for (int k = 0; k < w->nj; k++)
        for (int a = 0; a < w->J[k].n; a++)
            for (int b = 0; b < w->J[k].n; b++)
                w->G[w->J[k].col[a] * w->nf + w->J[k].col[b]] += w->J[k].a[a] * w->J[k].a[b];
}

/* Gauss–Jordan with the largest diagonal first. On the pivots G becomes 1, and inverse·(what was
 * there) elsewhere; `inverse` collects the row operations. */
static void reduce(work *w, double *inverse)
{
    int n = w->nf;
    for (int i = 0; i < n; i++)
        inverse[i * n + i] = 1;
    double most = 0;
    for (int i = 0; i < n; i++)
        most = fmax(most, w->G[i * n + i]);
    for (;;) {
        int p = -1;
        for (int i = 0; i < n; i++)
            if (!w->is_pivot[i] && (p < 0 || w->G[i * n + i] > w->G[p * n + p]))
                p = i;
        if (p < 0 || w->G[p * n + p] <= OPEN_PART * most)
            return;
        w->is_pivot[p] = true;
        double d = w->G[p * n + p];
        for (int k = 0; k < n; k++) {
            w->G[p * n + k] /= d;
            inverse[p * n + k] /= d;
        }
        for (int i = 0; i < n; i++) {
            double c = i == p ? 0 : w->G[i * n + p];
            for (int k = 0; k < n && c != 0; k++) {
                w->G[i * n + k] -= c * w->G[p * n + k];
                inverse[i * n + k] -= c * inverse[p * n + k];
            }
        }
    }
}

/* Directions that do not show in any controlled junction. */
static void find_null(work *w)
{
    int n = w->nf;
    for (int j = 0; j < n; j++) {
        if (w->is_pivot[j])
            continue;
        double *v = w->null + w->nnull++ * n;
        v[j] = 1;
        for (int p = 0; p < n; p++)
            if (w->is_pivot[p])
                v[p] = -w->G[p * n + j];
    }
}

/* φ over the inputs, and behind these its part of every open direction. */
static void write_floating(work *w, const double *inverse)
{
    int n = w->nf;
    gather sum, *part = jn_alloc((size_t)n * sizeof *part);
    srow *rhs = jn_alloc((size_t)n * sizeof *rhs); /* −JᵀJ0 */
    jni_gather_init(&sum, w->np + w->nnull + 1);
    for (int f = 0; f < n; f++) {
        jni_gather_init(&part[f], w->np + 1);
        for (int k = 0; k < w->nj; k++)
            for (int a = 0; a < w->J[k].n; a++)
                if (w->J[k].col[a] == f)
                    jni_gather_add(&part[f], -w->J[k].a[a], &w->J0[k]);
        jni_gather_take(&rhs[f], &part[f]);
        jni_gather_clear(&part[f]);
    }
    for (int f = 0; f < n; f++) {
        for (int k = 0; k < n && w->is_pivot[f]; k++)
            if (w->is_pivot[k] && inverse[f * n + k] != 0)
                jni_gather_add(&sum, inverse[f * n + k], &rhs[k]);
        for (int j = 0; j < w->nnull; j++)
            if (w->null[j * n + f] != 0)
                jni_gather_put(&sum, w->np + j, w->null[j * n + f]);
        jni_gather_take(&w->m->floating.row[w->free_col[f]], &sum);
    }
    for (int f = 0; f < n; f++)
        jni_srow_clear(&rhs[f]);
    free(rhs);
    free(part);
    jni_gather_clear(&sum);
}

static void mark_columns(work *w)
{
    gather along;
    jni_gather_init(&along, w->nnull + 1);
    for (int c = 0; c < w->m->solved->ncols; c++) {
        const srow *r = &w->phi[c];
        bool is_open = false;
        for (int j = 0; j < w->nnull; j++)
            for (int i = 0; i < r->n; i++)
                jni_gather_put(&along, j, r->a[i] * w->null[j * w->nf + r->col[i]]);
        for (int j = 0; j < w->nnull; j++)
            is_open |= fabs(along.sum[j]) > OPEN_PART * along.size[j];
        jni_gather_take(&w->m->floating.open[c], &along);
        w->m->floating.is_open[c] = is_open;
        w->m->floating.is_shared[c] = r->n && !is_open;
    }
    jni_gather_clear(&along);
}

static void work_clear(work *w)
{
    for (int c = 0; c < w->m->solved->ncols; c++)
        jni_srow_clear(&w->phi[c]);
    for (int i = 0; i < w->nj; i++) {
        jni_srow_clear(&w->J[i]);
        jni_srow_clear(&w->J0[i]);
    }
    free(w->phi);
    free(w->J);
    free(w->J0);
    free(w->G);
    free(w->null);
    free(w->is_pivot);
    free(w->free_col);
}

void jni_mode_float(jn_sim *s, mode *m)
{
    const model *k = &s->model;
    work w = {.s = s, .m = m, .np = jni_port_count(k), .nf = count_free(m)};
    if (!w.nf)
        return;
    size_t ncols = (size_t)m->solved->ncols, nf = (size_t)w.nf;
    w.nj = k->g->nswitches + m->solved->nshorted;
    w.free_col = jn_alloc(nf * sizeof *w.free_col);
    w.J = jn_alloc((size_t)w.nj * sizeof *w.J);
    w.J0 = jn_alloc((size_t)w.nj * sizeof *w.J0);
    w.G = jni_doubles(w.nf * w.nf);
    w.null = jni_doubles(w.nf * w.nf);
    w.is_pivot = jn_alloc(nf * sizeof *w.is_pivot);
    double *inverse = jni_doubles(w.nf * w.nf);
    m->floating.open = jn_alloc(ncols * sizeof *m->floating.open);
    m->floating.is_open = jn_alloc(ncols * sizeof *m->floating.is_open);
    m->floating.is_shared = jn_alloc(ncols * sizeof *m->floating.is_shared);
    m->floating.row = jn_alloc(ncols * sizeof *m->floating.row); /* all 0 for now */
    find_phi(&w);
    find_junctions(&w);
    find_normal(&w);
    reduce(&w, inverse);
    find_null(&w);
    m->floating.nnull = w.nnull;
    write_floating(&w, inverse);
    mark_columns(&w);
    work_clear(&w);
    free(inverse);
}

void jni_mode_float_clear(mode *m)
{
    for (int c = 0; m->floating.row && c < m->solved->ncols; c++) {
        jni_srow_clear(&m->floating.row[c]);
        jni_srow_clear(&m->floating.open[c]);
    }
    free(m->floating.row);
    free(m->floating.open);
    free(m->floating.is_open);
    free(m->floating.is_shared);
}

bool jni_mode_leaves_open(const jn_sim *s, const mode *m, const linear_form *f)
{
    int bonds = 2 * s->model.g->nbonds;
    for (int j = 0; j < m->floating.nnull; j++) {
        double sum = 0, size = 0;
        for (int i = 0; i < f->n && f->term[i].obs < bonds; i++) {
            const srow *r = &m->floating.open[f->term[i].obs];
            double c = f->term[i].c * jni_bond_sign(m, f->term[i].obs);
            for (int k = 0; k < r->n; k++)
                if (r->col[k] == j) {
                    sum += c * r->a[k];
                    size += fabs(c * r->a[k]);
                }
        }
        if (fabs(sum) > OPEN_PART * size)
            return true;
    }
    return false;
}

/* ---- who reads what stays open -------------------------------------------------------------- */

/* As one sum, of a comparison the difference of its sides. False: it is none. */
static bool sum_of(linear_form *f, model *k, const jn_expr *e)
{
    bool compares = e->op >= JN_X_LT && e->op <= JN_X_GT;
    if (!compares)
        return jni_form_of(f, k, e);
    linear_form right;
    if (!jni_form_of(f, k, e->arg[0]))
        return false;
    bool ok = jni_form_of(&right, k, e->arg[1]);
    if (ok)
        jni_form_add(f, -1, &right);
    else
        jni_form_clear(f);
    jni_form_clear(&right);
    return ok;
}

/* The part of an expression that stays open; NULL: it is known. */
static const jn_expr *open_part(jn_sim *s, const mode *m, const jn_expr *e)
{
    linear_form f;
    const jn_expr *part = NULL;
    if (sum_of(&f, &s->model, e)) {
        part = jni_mode_leaves_open(s, m, &f) ? e : NULL;
        jni_form_clear(&f);
        return part;
    }
    if (e->op == JN_X_SIGNAL)
        return open_part(s, m, s->model.g->signal[e->index].expr);
    for (int i = 0; i < e->nargs && !part; i++)
        part = open_part(s, m, e->arg[i]);
    return part;
}

static bool reads_known(jn_sim *s, mode *m, const char *who, const jn_expr *e)
{
    const jn_expr *part = e ? open_part(s, m, e) : NULL;
    if (!part)
        return true;
    jn_str text;
    jn_str_init(&text);
    jn_expr_print(&text, s->model.g, part);
    jni_mode_fail(m, "%s reads %s, which nothing determines there", who, jn_str_c(&text));
    jn_str_clear(&text);
    return false;
}

bool jni_mode_reads_known(jn_sim *s, mode *m)
{
    const jn_graph *g = s->model.g;
    bool known = true;
    char who[100];
    if (!m->floating.nnull)
        return true;
    for (int i = 0; i < g->nelements && known; i++) {
        const jn_element *x = &g->element[i];
        snprintf(who, sizeof who, "'%s'", x->name);
        known = reads_known(s, m, who, x->input) &&
                reads_known(s, m, who, x->modulated ? x->modulation : NULL) &&
                reads_known(s, m, who, x->nonlinear ? x->law : NULL);
    }
    for (int i = 0; i < s->model.ns && known; i++)
        known = reads_known(s, m, "an integral", s->model.integral[i].of);
    return known;
}
