/* charpoly.c: characteristic polynomials.
 *
 * J is taken apart into the blocks of storages that influence each other both ways (the strongly
 * connected components of its graph): with these in order J is block triangular, and its
 * polynomial is the product of theirs. A block with numbers is done modulo primes; a symbolic one
 * by Berkowitz's algorithm, which never divides, so that denominators stay those of J. */
#include <stdlib.h>

#include <flint/fmpz_mat.h>
#include <flint/fmpz_poly.h>
#include <flint/fmpz_vec.h>
#include <flint/nmod_mat.h>
#include <flint/nmod_poly.h>
#include <flint/ulong_extras.h>

#include "analyse_internal.h"

/* States of a block. The polynomial and what is asked of it take time as the fourth power or more;
 * with so many states a few seconds. */
enum { BLOCK_MAX = 256 };

/* ---- polynomials --------------------------------------------------------------------------- */

void jni_poly_clear(jn_poly *p)
{
    free(p->c);
    *p = (jn_poly){-1, NULL};
}

bool jni_poly_get(fmpq_poly_t q, jn_field *k, const jn_poly *p)
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

void jni_poly_set(jn_poly *p, jn_field *k, const fmpq_poly_t q)
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
    int degree = p->degree + q->degree;
    jn_ratfun *c = jn_alloc((size_t)(degree + 1) * sizeof *c);
    for (int i = 0; i <= p->degree; i++)
        for (int j = 0; j <= q->degree; j++)
            c[i + j] = jn_algebra_add(k, c[i + j], jn_algebra_mul(k, p->c[i], q->c[j]));
    free(p->c);
    p->degree = degree;
    p->c = c;
}

/* ---- blocks: Tarjan's algorithm ------------------------------------------------------------ */

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

/* ---- one block ----------------------------------------------------------------------------- */

/* With d_j the common denominator of column j, D = diag(d_j) and N = J·D, the polynomial
 * det(sD − N) = Π d_j · det(sI − J) has whole coefficients, and none is larger than the product of
 * the columns' sums of absolute values. It is found modulo as many primes as that takes. Columns
 * are where physics puts denominators: those of 1/I and 1/C. */
typedef struct {
    fmpz_mat_t N;
    fmpz *d;
    fmpz_t product, bound; /* of the d_j; of the coefficients */
} cleared;

static void clear_denominators(cleared *c, const jn_dense *J)
{
    slong n = J->nrows;
    fmpz_t sum;
    fmpz_init(sum);
    fmpz_mat_init(c->N, n, n);
    c->d = _fmpz_vec_init(n);
    fmpz_init_set_ui(c->product, 1);
    fmpz_init_set_ui(c->bound, 1);
    for (slong j = 0; j < n; j++) {
        fmpz_one(c->d + j);
        for (slong i = 0; i < n; i++)
            fmpz_lcm(c->d + j, c->d + j, fmpq_denref(fmpq_mat_entry(J->q, i, j)));
        fmpz_set(sum, c->d + j);
        for (slong i = 0; i < n; i++) {
            fmpz *to = fmpz_mat_entry(c->N, i, j);
            fmpz_divexact(to, c->d + j, fmpq_denref(fmpq_mat_entry(J->q, i, j)));
            fmpz_mul(to, to, fmpq_numref(fmpq_mat_entry(J->q, i, j)));
            if (fmpz_sgn(to) < 0)
                fmpz_sub(sum, sum, to);
            else
                fmpz_add(sum, sum, to);
        }
        fmpz_mul(c->product, c->product, c->d + j);
        fmpz_mul(c->bound, c->bound, sum);
    }
    fmpz_clear(sum);
}

static void cleared_clear(cleared *c, slong n)
{
    fmpz_mat_clear(c->N);
    _fmpz_vec_clear(c->d, n);
    fmpz_clear(c->product);
    fmpz_clear(c->bound);
}

/* det(sD − N) modulo a prime; false when it divides a denominator. */
static bool modular_charpoly(nmod_poly_t r, const cleared *c, slong n)
{
    mp_limb_t prime = r->mod.n, scale = fmpz_fdiv_ui(c->product, prime);
    if (scale == 0)
        return false;
    nmod_mat_t J;
    nmod_mat_init(J, n, n, prime);
    for (slong j = 0; j < n; j++) {
        mp_limb_t inverse = n_invmod(fmpz_fdiv_ui(c->d + j, prime), prime);
        for (slong i = 0; i < n; i++)
            nmod_mat_entry(J, i, j) =
                nmod_mul(fmpz_fdiv_ui(fmpz_mat_entry(c->N, i, j), prime), inverse, r->mod);
    }
    nmod_mat_charpoly(r, J);
    nmod_poly_scalar_mul_nmod(r, r, scale);
    nmod_mat_clear(J);
    return true;
}

static void numeric_charpoly(jn_poly *p, const jn_dense *J)
{
    slong n = J->nrows;
    cleared c;
    fmpz_poly_t whole;
    fmpq_poly_t q;
    fmpz_t modulus;
    mp_limb_t prime = UWORD(1) << (FLINT_BITS - 3);
    clear_denominators(&c, J);
    fmpz_poly_init(whole);
    fmpq_poly_init(q);
    fmpz_init_set_ui(modulus, 1);
    while (fmpz_bits(modulus) < fmpz_bits(c.bound) + 2) {
        nmod_poly_t r;
        prime = n_nextprime(prime, 1);
        nmod_poly_init(r, prime);
        if (modular_charpoly(r, &c, n)) {
            fmpz_poly_CRT_ui(whole, whole, modulus, r, 1);
            fmpz_mul_ui(modulus, modulus, prime);
        }
        nmod_poly_clear(r);
    }
    fmpq_poly_set_fmpz_poly(q, whole);
    fmpq_poly_scalar_div_fmpz(q, q, c.product);
    jni_poly_set(p, J->k->field, q);
    fmpz_clear(modulus);
    fmpz_poly_clear(whole);
    fmpq_poly_clear(q);
    cleared_clear(&c, n);
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

static void product_of_blocks(jn_poly *p, const jn_dense *J, const int *block, int nblocks)
{
    *p = (jn_poly){0, jn_alloc(sizeof *p->c)};
    p->c[0] = JN_RATFUN_ONE;
    for (int b = 0; b < nblocks; b++) {
        jn_poly factor;
        block_charpoly(&factor, J, block, b);
        multiply(p, &factor, J->k);
        jni_poly_clear(&factor);
    }
    if (J->k->spent)
        jni_poly_clear(p);
}

void jni_charpoly(jn_poly *p, const jn_dense *J)
{
    int *block = jn_alloc((size_t)J->nrows * sizeof *block);
    int *size = jn_alloc((size_t)J->nrows * sizeof *size);
    int nblocks = find_blocks(block, J), largest = 0;
    for (int i = 0; i < J->nrows; i++)
        largest = ++size[block[i]] > largest ? size[block[i]] : largest;
    if (largest <= BLOCK_MAX)
        product_of_blocks(p, J, block, nblocks);
    else
        *p = (jn_poly){-1, NULL};
    free(size);
    free(block);
}
