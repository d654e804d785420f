/* dense_solve.c: echelon form, and what follows from it: solutions, kernels, images. */
#include <stdlib.h>

#include "junct/dense.h"

/* ---- echelon form -------------------------------------------------------------------------- */

static jn_ratfun *row_of(const jn_dense *m, int i)
{
    return m->a + (size_t)i * (size_t)m->ncols;
}

/* What a row costs as a pivot: the terms it spreads into other rows. */
static long row_cost(const jn_dense *m, int i, int col)
{
    long cost = 0;
    for (int j = col; j < m->ncols; j++)
        if (!jn_ratfun_is_zero(row_of(m, i)[j]))
            cost += jn_ratfun_terms(m->k->field, row_of(m, i)[j]);
    return cost;
}

/* The cheapest row from `from` on with something in the column; −1: none. */
static int choose_row(const jn_dense *m, int from, int col)
{
    int best = -1;
    long least = 0;
    for (int i = from; i < m->nrows; i++) {
        if (jn_ratfun_is_zero(row_of(m, i)[col]))
            continue;
        long cost = row_cost(m, i, col);
        if (best < 0 || cost < least) {
            best = i;
            least = cost;
        }
    }
    return best;
}

static void swap_rows(jn_dense *m, int i, int j)
{
    for (int c = 0; c < m->ncols && i != j; c++) {
        jn_ratfun t = row_of(m, i)[c];
        row_of(m, i)[c] = row_of(m, j)[c];
        row_of(m, j)[c] = t;
    }
}

static void divide_row(jn_dense *m, int i, int col)
{
    jn_ratfun inverse = JN_RATFUN_ZERO;
    if (jn_ratfun_inv(&inverse, m->k->field, row_of(m, i)[col]) != JN_OK)
        m->k->spent = true;
    for (int j = col; j < m->ncols; j++)
        row_of(m, i)[j] = jn_algebra_mul(m->k, row_of(m, i)[j], inverse);
}

static void remove_column(jn_dense *m, int pivot, int col)
{
    for (int i = 0; i < m->nrows; i++) {
        jn_ratfun f = row_of(m, i)[col];
        if (i == pivot || jn_ratfun_is_zero(f))
            continue;
        f = jn_ratfun_neg(m->k->field, f);
        for (int j = col; j < m->ncols; j++)
            row_of(m, i)[j] =
                jn_algebra_add(m->k, row_of(m, i)[j], jn_algebra_mul(m->k, f, row_of(m, pivot)[j]));
    }
}

static int rref_symbolic(jn_dense *m, int *pivot)
{
    int rank = 0;
    for (int col = 0; col < m->ncols && rank < m->nrows && !m->k->spent; col++) {
        int i = choose_row(m, rank, col);
        if (i < 0)
            continue;
        swap_rows(m, rank, i);
        divide_row(m, rank, col);
        remove_column(m, rank, col);
        if (pivot)
            pivot[rank] = col;
        rank++;
    }
    return rank;
}

int jn_dense_rref(jn_dense *m, int *pivot)
{
    if (!m->k->numeric)
        return rref_symbolic(m, pivot);
    int rank = (int)fmpq_mat_rref(m->q, m->q);
    for (int i = 0, j = 0; i < rank && pivot; i++) {
        while (fmpq_is_zero(fmpq_mat_entry(m->q, i, j)))
            j++;
        pivot[i] = j;
    }
    return rank;
}

/* ---- solving ------------------------------------------------------------------------------- */

bool jn_dense_solve(jn_dense *x, const jn_dense *a, const jn_dense *b)
{
    if (a->k->numeric)
        return fmpq_mat_solve(x->q, a->q, b->q);
    jn_dense both;
    int *pivot = jn_alloc((size_t)a->nrows * sizeof *pivot);
    jn_dense_init(&both, a->nrows, a->ncols + b->ncols, a->k);
    jn_dense_put(&both, 0, 0, a);
    jn_dense_put(&both, 0, a->ncols, b);
    int rank = jn_dense_rref(&both, pivot);
    bool regular = rank == a->nrows && (rank == 0 || pivot[rank - 1] == a->ncols - 1);
    if (regular)
        jn_dense_take(x, &both, 0, a->ncols);
    jn_dense_clear(&both);
    free(pivot);
    return regular;
}

static void kernel_from_rref(jn_dense *r, const jn_dense *e, const int *pivot, int rank)
{
    int n = 0, p = 0;
    for (int j = 0; j < e->ncols; j++) {
        if (p < rank && pivot[p] == j) {
            p++;
            continue;
        }
        for (int i = 0; i < rank; i++)
            jn_dense_set(r, pivot[i], n, jn_ratfun_neg(e->k->field, jn_dense_get(e, i, j)));
        jn_dense_set(r, j, n++, JN_RATFUN_ONE);
    }
}

void jn_dense_kernel(jn_dense *r, const jn_dense *a)
{
    jn_dense e;
    int *pivot = jn_alloc((size_t)a->ncols * sizeof *pivot);
    jn_dense_init(&e, a->nrows, a->ncols, a->k);
    jn_dense_put(&e, 0, 0, a);
    int rank = jn_dense_rref(&e, pivot);
    jn_dense_init(r, a->ncols, a->ncols - rank, a->k);
    kernel_from_rref(r, &e, pivot, rank);
    jn_dense_clear(&e);
    free(pivot);
}

void jn_dense_image(jn_dense *r, const jn_dense *a, int *row)
{
    jn_dense t;
    int most = a->nrows < a->ncols ? a->nrows : a->ncols;
    int *pivot = row ? row : jn_alloc((size_t)most * sizeof *pivot);
    jn_dense_init(&t, a->ncols, a->nrows, a->k);
    jn_dense_transpose(&t, a);
    int rank = jn_dense_rref(&t, pivot);
    jn_dense_init(r, a->nrows, rank, a->k);
    jn_dense_transpose(r, &t); /* its first rows */
    jn_dense_clear(&t);
    if (!row)
        free(pivot);
}
