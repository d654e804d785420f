/* smith.c: the Smith form of sE − A over ℚ[s].
 *
 * The part at infinity, sN − I, has determinant ±1, so that the form is that of sI − J: ones, and
 * the invariant factors of J, each a divisor of the next. Nearly always there is just one, the
 * characteristic polynomial: then J is cyclic. Otherwise sI − J is diagonalised by Euclid's
 * algorithm on rows and columns. */
#include <stdlib.h>

#include "analyse_internal.h"

enum { EUCLID_MAX = 24 };

typedef struct {
    int n;
    fmpq_poly_struct *p;
} table;

static fmpq_poly_struct *entry(const table *t, int i, int j)
{
    return t->p + (size_t)i * (size_t)t->n + j;
}

static void load(table *t, const jn_dense *J)
{
    t->n = J->nrows;
    t->p = jn_alloc((size_t)t->n * (size_t)t->n * sizeof *t->p);
    for (int i = 0; i < t->n; i++)
        for (int j = 0; j < t->n; j++) {
            fmpq_poly_struct *p = entry(t, i, j);
            fmpq_poly_init(p);
            fmpq_poly_set_fmpq(p, fmpq_mat_entry(J->q, i, j));
            fmpq_poly_neg(p, p);
            if (i == j)
                fmpq_poly_set_coeff_si(p, 1, 1);
        }
}

static void unload(table *t)
{
    for (int i = 0; i < t->n * t->n; i++)
        fmpq_poly_clear(t->p + i);
    free(t->p);
}

/* The entry of least degree from (k, k) on goes there; false when all are zero. */
static bool bring_pivot(table *t, int k)
{
    int row = -1, col = -1;
    for (int i = k; i < t->n; i++)
        for (int j = k; j < t->n; j++)
            if (!fmpq_poly_is_zero(entry(t, i, j)) &&
                (row < 0 ||
                 fmpq_poly_degree(entry(t, i, j)) < fmpq_poly_degree(entry(t, row, col)))) {
                row = i;
                col = j;
            }
    if (row < 0)
        return false;
    for (int j = 0; j < t->n; j++)
        fmpq_poly_swap(entry(t, k, j), entry(t, row, j));
    for (int i = 0; i < t->n; i++)
        fmpq_poly_swap(entry(t, i, k), entry(t, i, col));
    fmpq_t lead;
    fmpq_init(lead);
    fmpq_poly_get_coeff_fmpq(lead, entry(t, k, k), fmpq_poly_degree(entry(t, k, k)));
    for (int j = k; j < t->n; j++)
        fmpq_poly_scalar_div_fmpq(entry(t, k, j), entry(t, k, j), lead);
    fmpq_clear(lead);
    return true;
}

/* Removes what it can from row and column k; false when a remainder is left, which is then of
 * lower degree than the pivot. */
static bool reduce(table *t, int k)
{
    bool clean = true;
    fmpq_poly_t q, r;
    fmpq_poly_init(q);
    fmpq_poly_init(r);
    for (int i = k + 1; i < t->n; i++) {
        fmpq_poly_div(q, entry(t, i, k), entry(t, k, k));
        for (int j = k; j < t->n && !fmpq_poly_is_zero(q); j++) {
            fmpq_poly_mul(r, q, entry(t, k, j));
            fmpq_poly_sub(entry(t, i, j), entry(t, i, j), r);
        }
        clean = clean && fmpq_poly_is_zero(entry(t, i, k));
    }
    for (int j = k + 1; j < t->n; j++) {
        fmpq_poly_div(q, entry(t, k, j), entry(t, k, k));
        for (int i = k; i < t->n && !fmpq_poly_is_zero(q); i++) {
            fmpq_poly_mul(r, q, entry(t, i, k));
            fmpq_poly_sub(entry(t, i, j), entry(t, i, j), r);
        }
        clean = clean && fmpq_poly_is_zero(entry(t, k, j));
    }
    fmpq_poly_clear(q);
    fmpq_poly_clear(r);
    return clean;
}

/* The pivot must divide all that is left; a row in which it does not is added to its own. */
static bool divides_rest(table *t, int k)
{
    bool divides = true;
    fmpq_poly_t r;
    fmpq_poly_init(r);
    for (int i = k + 1; i < t->n && divides; i++)
        for (int j = k + 1; j < t->n && divides; j++) {
            fmpq_poly_rem(r, entry(t, i, j), entry(t, k, k));
            divides = fmpq_poly_is_zero(r);
            for (int c = k; c < t->n && !divides; c++)
                fmpq_poly_add(entry(t, k, c), entry(t, k, c), entry(t, i, c));
        }
    fmpq_poly_clear(r);
    return divides;
}

static void diagonalise(table *t)
{
    for (int k = 0; k < t->n && bring_pivot(t, k); k++)
        while (!reduce(t, k) || !divides_rest(t, k))
            bring_pivot(t, k);
}

/* Some vector generates everything under J: one that does so modulo a prime does so over ℚ. */
static bool is_cyclic(const jn_dense *J)
{
    jn_dense v;
    jn_dense_init(&v, J->nrows, 1, J->k);
    for (int i = 0; i < J->nrows; i++)
        fmpq_set_si(fmpq_mat_entry(v.q, i, 0), 1 + (long)i * i * 7919 % 1000003, 1);
    bool cyclic = jni_krylov_rank(J, &v, NULL) == J->nrows;
    jn_dense_clear(&v);
    return cyclic;
}

static void add_factor(jn_smith *f, jn_field *k, const fmpq_poly_t p)
{
    f->factor = jn_realloc(f->factor, (size_t)(f->nfactors + 1) * sizeof *f->factor);
    jni_poly_set(&f->factor[f->nfactors++], k, p);
}

bool jni_smith_of(jn_smith *f, const jn_dense *J, const jn_poly *charpoly)
{
    bool known = true;
    *f = (jn_smith){0};
    if (J->nrows == 0)
        return true;
    if (is_cyclic(J)) {
        fmpq_poly_t p;
        fmpq_poly_init(p);
        jni_poly_get(p, J->k->field, charpoly);
        add_factor(f, J->k->field, p);
        fmpq_poly_clear(p);
    } else if (J->nrows <= EUCLID_MAX) {
        table t;
        load(&t, J);
        diagonalise(&t);
        for (int i = 0; i < t.n; i++)
            if (fmpq_poly_degree(entry(&t, i, i)) > 0)
                add_factor(f, J->k->field, entry(&t, i, i));
        unload(&t);
    } else {
        known = false;
    }
    return known;
}
