/* dense.c: small dense matrices over ℚ(params): entries, blocks and products. */
#include <stdlib.h>
#include <string.h>

#include "junct/dense.h"

static size_t at(const jn_dense *m, int i, int j)
{
    return (size_t)i * (size_t)m->ncols + (size_t)j;
}

void jn_dense_init(jn_dense *m, int nrows, int ncols, jn_algebra *k)
{
    *m = (jn_dense){.nrows = nrows, .ncols = ncols, .k = k};
    if (k->numeric)
        fmpq_mat_init(m->q, nrows, ncols);
    else
        m->a = jn_alloc((size_t)nrows * (size_t)ncols * sizeof *m->a); /* the number 0 is zero */
}

void jn_dense_clear(jn_dense *m)
{
    if (m->k && m->k->numeric)
        fmpq_mat_clear(m->q);
    free(m->a);
    *m = (jn_dense){0};
}

void jn_dense_swap(jn_dense *a, jn_dense *b)
{
    jn_dense t = *a;
    *a = *b;
    *b = t;
}

/* ---- work ---------------------------------------------------------------------------------- */

enum { ONE_OPERATION = 100000 }; /* terms; the field itself must never fail on our account */

static bool pay(jn_algebra *k, long terms)
{
    if (k->numeric)
        return true;
    k->budget -= terms;
    if (k->budget < 0 || terms > ONE_OPERATION || jn_field_failed(k->field))
        k->spent = true;
    return !k->spent;
}

void jn_algebra_renew(jn_algebra *k, long budget)
{
    k->budget = budget;
    k->spent = jn_field_failed(k->field);
}

jn_ratfun jn_algebra_mul(jn_algebra *k, jn_ratfun a, jn_ratfun b)
{
    if (jn_ratfun_is_zero(a) || jn_ratfun_is_zero(b))
        return JN_RATFUN_ZERO;
    long cost = jn_ratfun_terms(k->field, a) * jn_ratfun_terms(k->field, b);
    return pay(k, cost) ? jn_ratfun_mul(k->field, a, b) : JN_RATFUN_ZERO;
}

jn_ratfun jn_algebra_add(jn_algebra *k, jn_ratfun a, jn_ratfun b)
{
    if (jn_ratfun_is_zero(a))
        return b;
    if (jn_ratfun_is_zero(b))
        return a;
    /* over a common denominator */
    long cost = jn_ratfun_terms(k->field, a) * jn_ratfun_terms(k->field, b);
    return pay(k, cost) ? jn_ratfun_add(k->field, a, b) : JN_RATFUN_ZERO;
}

/* ---- entries ------------------------------------------------------------------------------- */

jn_ratfun jn_dense_get(const jn_dense *m, int i, int j)
{
    if (m->k->numeric)
        return jn_ratfun_fmpq(m->k->field, fmpq_mat_entry(m->q, i, j));
    return m->a[at(m, i, j)];
}

void jn_dense_set(jn_dense *m, int i, int j, jn_ratfun v)
{
    if (m->k->numeric)
        jn_ratfun_get_fmpq(fmpq_mat_entry(m->q, i, j), m->k->field, v);
    else
        m->a[at(m, i, j)] = v;
}

bool jn_dense_is_zero_at(const jn_dense *m, int i, int j)
{
    if (m->k->numeric)
        return fmpq_is_zero(fmpq_mat_entry(m->q, i, j));
    return jn_ratfun_is_zero(m->a[at(m, i, j)]);
}

bool jn_dense_is_zero(const jn_dense *m)
{
    for (int i = 0; i < m->nrows; i++)
        for (int j = 0; j < m->ncols; j++)
            if (!jn_dense_is_zero_at(m, i, j))
                return false;
    return true;
}

static void copy_entry(jn_dense *r, int i, int j, const jn_dense *a, int p, int q)
{
    if (r->k->numeric)
        fmpq_set(fmpq_mat_entry(r->q, i, j), fmpq_mat_entry(a->q, p, q));
    else
        r->a[at(r, i, j)] = a->a[at(a, p, q)];
}

void jn_dense_identity(jn_dense *m)
{
    for (int i = 0; i < m->nrows; i++)
        for (int j = 0; j < m->ncols; j++)
            jn_dense_set(m, i, j, i == j ? JN_RATFUN_ONE : JN_RATFUN_ZERO);
}

/* ---- blocks -------------------------------------------------------------------------------- */

void jn_dense_put(jn_dense *m, int i0, int j0, const jn_dense *a)
{
    for (int i = 0; i < a->nrows; i++)
        for (int j = 0; j < a->ncols; j++)
            copy_entry(m, i0 + i, j0 + j, a, i, j);
}

void jn_dense_take(jn_dense *r, const jn_dense *a, int i0, int j0)
{
    for (int i = 0; i < r->nrows; i++)
        for (int j = 0; j < r->ncols; j++)
            copy_entry(r, i, j, a, i0 + i, j0 + j);
}

void jn_dense_rows(jn_dense *r, const jn_dense *a, const int *row)
{
    for (int i = 0; i < r->nrows; i++)
        for (int j = 0; j < r->ncols; j++)
            copy_entry(r, i, j, a, row[i], j);
}

void jn_dense_cols(jn_dense *r, const jn_dense *a, const int *col)
{
    for (int i = 0; i < r->nrows; i++)
        for (int j = 0; j < r->ncols; j++)
            copy_entry(r, i, j, a, i, col[j]);
}

void jn_dense_addmul(jn_dense *r, const jn_dense *a, const jn_dense *b)
{
    jn_dense t;
    jn_dense_init(&t, r->nrows, r->ncols, r->k);
    jn_dense_mul(&t, a, b);
    jn_dense_add(r, r, &t);
    jn_dense_clear(&t);
}

void jn_dense_transpose(jn_dense *r, const jn_dense *a)
{
    for (int i = 0; i < r->nrows; i++)
        for (int j = 0; j < r->ncols; j++)
            copy_entry(r, i, j, a, j, i);
}

/* ---- sums and products --------------------------------------------------------------------- */

void jn_dense_add(jn_dense *r, const jn_dense *a, const jn_dense *b)
{
    if (r->k->numeric) {
        fmpq_mat_add(r->q, a->q, b->q);
        return;
    }
    for (int i = 0; i < r->nrows * r->ncols; i++)
        r->a[i] = jn_algebra_add(r->k, a->a[i], b->a[i]);
}

void jn_dense_neg(jn_dense *r, const jn_dense *a)
{
    if (r->k->numeric) {
        fmpq_mat_neg(r->q, a->q);
        return;
    }
    for (int i = 0; i < r->nrows * r->ncols; i++)
        r->a[i] = jn_ratfun_neg(r->k->field, a->a[i]);
}

void jn_dense_sub(jn_dense *r, const jn_dense *a, const jn_dense *b)
{
    if (r->k->numeric) {
        fmpq_mat_sub(r->q, a->q, b->q);
        return;
    }
    for (int i = 0; i < r->nrows * r->ncols; i++)
        r->a[i] = jn_algebra_add(r->k, a->a[i], jn_ratfun_neg(r->k->field, b->a[i]));
}

void jn_dense_mul(jn_dense *r, const jn_dense *a, const jn_dense *b)
{
    if (r->k->numeric) {
        fmpq_mat_mul(r->q, a->q, b->q);
        return;
    }
    memset(r->a, 0, (size_t)r->nrows * (size_t)r->ncols * sizeof *r->a);
    for (int i = 0; i < a->nrows; i++)
        for (int k = 0; k < a->ncols; k++) {
            jn_ratfun f = a->a[at(a, i, k)];
            if (jn_ratfun_is_zero(f))
                continue;
            for (int j = 0; j < b->ncols; j++) {
                jn_ratfun *to = &r->a[at(r, i, j)];
                *to = jn_algebra_add(r->k, *to, jn_algebra_mul(r->k, f, b->a[at(b, k, j)]));
            }
        }
}
