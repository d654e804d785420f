/* charpoly.c: characteristic polynomials.
 *
 * J is taken apart into the blocks of storages that influence each other both ways (the strongly
 * connected components of its graph): with these in order J is block triangular, and its
 * polynomial is the product of theirs. A block with numbers goes to FLINT; a symbolic one to
 * Berkowitz's algorithm, which never divides, so that denominators stay those of J. */
#include <stdlib.h>

#include <flint/fmpz_poly.h>

#include "analyse_internal.h"

/* ---- polynomials ----------------------------------------------------------------------------- */

void jn_poly_clear(jn_poly *p)
{
    free(p->c);
    *p = (jn_poly){-1, NULL};
}

bool jn_poly_get(fmpq_poly_t q, jn_field *k, const jn_poly *p)
{
    fmpq_t c;
    fmpq_init(c);
    fmpq_poly_zero(q);
    bool numbers = p->degree >= 0;
    for (int i = 0; i <= p->degree && numbers; i++) {
        numbers = jn_ratfun_get_fmpq(c, k, p->c[i]);
        fmpq_poly_set_coeff_fmpq(q, i, c);
    }
    fmpq_clear(c);
    return numbers;
}

void jn_poly_set(jn_poly *p, jn_field *k, const fmpq_poly_t q)
{
    fmpq_t c;
    fmpq_init(c);
    p->degree = (int)fmpq_poly_degree(q);
    p->c = jn_alloc((size_t)(p->degree + 1) * sizeof *p->c);
    for (int i = 0; i <= p->degree; i++) {
        fmpq_poly_get_coeff_fmpq(c, q, i);
        p->c[i] = jn_ratfun_fmpq(k, c);
    }
    fmpq_clear(c);
}

/* p := p·q */
static void multiply(jn_poly *p, const jn_poly *q, jn_algebra *k)
{
    jn_poly r = {p->degree + q->degree, NULL};
    r.c = jn_alloc((size_t)(r.degree + 1) * sizeof *r.c);
    for (int i = 0; i <= p->degree; i++)
        for (int j = 0; j <= q->degree; j++)
            r.c[i + j] = jn_algebra_add(k, r.c[i + j], jn_algebra_mul(k, p->c[i], q->c[j]));
    free(p->c);
    *p = r;
}

/* ---- blocks: Tarjan's algorithm -------------------------------------------------------------- */

typedef struct {
    const jn_dense *J;
    int *number, *low, *stack, *block;
    int count, depth, nblocks;
} tarjan;

static void visit(tarjan *t, int v)
{
    t->number[v] = t->low[v] = ++t->count;
    t->stack[t->depth++] = v;
    for (int w = 0; w < t->J->ncols; w++) {
        if (w == v || jn_dense_is_zero_at(t->J, v, w))
            continue;
        if (!t->number[w]) {
            visit(t, w);
            t->low[v] = t->low[w] < t->low[v] ? t->low[w] : t->low[v];
        } else if (t->block[w] < 0 && t->number[w] < t->low[v]) {
            t->low[v] = t->number[w];
        }
    }
    if (t->low[v] != t->number[v])
        return;
    int w;
    do {
        w = t->stack[--t->depth];
        t->block[w] = t->nblocks;
    } while (w != v);
    t->nblocks++;
}

/* block[i]: the block that i is in; returns how many there are. */
static int find_blocks(int *block, const jn_dense *J)
{
    size_t n = (size_t)J->nrows;
    tarjan t = {.J = J, .block = block};
    t.number = jn_alloc(n * sizeof *t.number);
    t.low = jn_alloc(n * sizeof *t.low);
    t.stack = jn_alloc(n * sizeof *t.stack);
    for (size_t v = 0; v < n; v++)
        block[v] = -1;
    for (size_t v = 0; v < n; v++)
        if (!t.number[v])
            visit(&t, (int)v);
    free(t.number);
    free(t.low);
    free(t.stack);
    return t.nblocks;
}

/* ---- one block ------------------------------------------------------------------------------- */

static void numeric_charpoly(jn_poly *p, const jn_dense *J)
{
    fmpq_poly_t q;
    fmpq_poly_init(q);
    fmpq_mat_charpoly(q, J->q);
    fmpq_poly_make_monic(q, q);
    jn_poly_set(p, J->k->field, q);
    fmpq_poly_clear(q);
}

/* The first column of Berkowitz's Toeplitz matrix of the trailing k+1 rows: 1, −a, −R C, −R M C,
 * … where a, R, C, M are the corner, row, column and rest. */
static void toeplitz_column(jn_ratfun *t, const jn_dense *J, int first)
{
    int n = J->nrows - first - 1; /* the size of M */
    jn_algebra *k = J->k;
    jn_ratfun *v = jn_alloc((size_t)n * sizeof *v), *next = jn_alloc((size_t)n * sizeof *next);
    for (int i = 0; i < n; i++)
        v[i] = jn_dense_get(J, first + 1 + i, first);
    t[0] = JN_RATFUN_ONE;
    t[1] = jn_ratfun_neg(k->field, jn_dense_get(J, first, first));
    for (int step = 0; step < n; step++) {
        jn_ratfun sum = JN_RATFUN_ZERO;
        for (int i = 0; i < n; i++)
            sum = jn_algebra_add(k, sum,
                                 jn_algebra_mul(k, jn_dense_get(J, first, first + 1 + i), v[i]));
        t[step + 2] = jn_ratfun_neg(k->field, sum);
        for (int i = 0; i < n; i++) {
            next[i] = JN_RATFUN_ZERO;
            for (int j = 0; j < n; j++)
                next[i] = jn_algebra_add(
                    k, next[i],
                    jn_algebra_mul(k, jn_dense_get(J, first + 1 + i, first + 1 + j), v[j]));
        }
        jn_ratfun *swap = v;
        v = next;
        next = swap;
    }
    free(v);
    free(next);
}

/* c[0] … c[n], highest power first, grows by one row and column of J at a time, from the end. */
static void symbolic_charpoly(jn_poly *p, const jn_dense *J)
{
    int n = J->nrows;
    size_t bytes = (size_t)(n + 2) * sizeof(jn_ratfun);
    jn_ratfun *c = jn_alloc(bytes), *t = jn_alloc(bytes), *next = jn_alloc(bytes);
    c[0] = JN_RATFUN_ONE;
    for (int first = n - 1; first >= 0 && !J->k->spent; first--) {
        int size = n - first; /* of the trailing block */
        toeplitz_column(t, J, first);
        for (int i = 0; i <= size; i++) {
            next[i] = JN_RATFUN_ZERO;
            for (int j = 0; j < size && j <= i; j++)
                next[i] = jn_algebra_add(J->k, next[i], jn_algebra_mul(J->k, t[i - j], c[j]));
        }
        for (int i = 0; i <= size; i++)
            c[i] = next[i];
    }
    p->degree = n;
    p->c = jn_alloc(bytes);
    for (int i = 0; i <= n; i++)
        p->c[i] = c[n - i];
    free(c);
    free(t);
    free(next);
}

static void block_charpoly(jn_poly *p, const jn_dense *J, const int *block, int b)
{
    int n = 0;
    int *member = jn_alloc((size_t)J->nrows * sizeof *member);
    jn_dense rows, part;
    for (int i = 0; i < J->nrows; i++)
        if (block[i] == b)
            member[n++] = i;
    jn_dense_init(&rows, n, J->ncols, J->k);
    jn_dense_init(&part, n, n, J->k);
    jn_dense_rows(&rows, J, member);
    jn_dense_cols(&part, &rows, member);
    if (J->k->numeric)
        numeric_charpoly(p, &part);
    else
        symbolic_charpoly(p, &part);
    jn_dense_clear(&rows);
    jn_dense_clear(&part);
    free(member);
}

void jn_charpoly(jn_poly *p, const jn_dense *J)
{
    int *block = jn_alloc((size_t)J->nrows * sizeof *block);
    int nblocks = find_blocks(block, J);
    *p = (jn_poly){0, jn_alloc(sizeof *p->c)};
    p->c[0] = JN_RATFUN_ONE;
    for (int b = 0; b < nblocks; b++) {
        jn_poly factor;
        block_charpoly(&factor, J, block, b);
        multiply(p, &factor, J->k);
        jn_poly_clear(&factor);
    }
    if (J->k->spent)
        jn_poly_clear(p);
    free(block);
}
