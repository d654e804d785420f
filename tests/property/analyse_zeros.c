/* analyse_zeros.c: invariant zeros by brute force.
 *
 * All laws of a mode at once, with the outputs set to zero, are a matrix M(s) of the ports' efforts
 * and flows and of the inputs. Its normal rank r is what it has at nearly all s. det(L M(s) R) with
 * L and R random and of r rows and columns is a sum of minors of order r: the common factor of a
 * few of these polynomials is that of all minors, and its roots are the zeros. */
#include <flint/fmpq_poly.h>

#include "analyse_subject.h"

/* Initialises M at one s: relation of the ports, laws of the elements, outputs. */
static void laws_at(fmpq_mat_t M, const subject *x, const oracle *o, slong s)
{
    int n = o->nports, source = 0;
    fmpq_t v;
    fmpq_init(v);
    fmpq_mat_init(M, 2 * n + x->noutputs, 2 * n + x->graph->nsources);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 2 * n; j++)
            fmpq_set(fmpq_mat_entry(M, i, j), fmpq_mat_entry(o->relation, i, j));
    for (int k = 0; k < n; k++) {
        jn_kind kind = x->m.element[o->port[k]].kind;
        if (kind == JN_SE || kind == JN_SF) {
            fmpq_one(fmpq_mat_entry(M, n + k, 2 * k + (kind == JN_SF)));
            fmpq_set_si(fmpq_mat_entry(M, n + k, 2 * n + source++), -1, 1);
            continue;
        }
        /* e = R f, e = s I f, f = s C e */
        model_value(v, &x->m, o->port[k], x->numeric, x->mode);
        if (kind != JN_R)
            fmpq_mul_si(v, v, s);
        fmpq_one(fmpq_mat_entry(M, n + k, 2 * k + (kind == JN_C)));
        fmpq_neg(fmpq_mat_entry(M, n + k, 2 * k + (kind != JN_C)), v);
        subject_links(M, n + k, x, o, o->port[k], kind == JN_R ? 1 : s);
    }
    for (int i = 0; i < x->noutputs; i++) {
        int e = x->output[i].element;
        bool flow = x->states_read ? x->m.element[e].kind == JN_I : !x->output[i].effort;
        fmpq_one(fmpq_mat_entry(M, 2 * n + i, 2 * o->port_of[e] + flow));
    }
    fmpq_clear(v);
}

static int rank_at(const subject *x, const oracle *o, slong s)
{
    fmpq_mat_t M;
    laws_at(M, x, o, s);
    int rank = (int)fmpq_mat_rref(M, M);
    fmpq_mat_clear(M);
    return rank;
}

/* Where all rows or columns are taken there is nothing to choose. */
static void random_matrix(fmpq_mat_t m, slong rows, slong cols, test_rng *r)
{
    fmpq_mat_init(m, rows, cols);
    if (rows == cols) {
        fmpq_mat_one(m);
        return;
    }
    for (slong i = 0; i < rows; i++)
        for (slong j = 0; j < cols; j++)
            fmpq_set_si(fmpq_mat_entry(m, i, j), test_rng_int(r, -1000, 1000), 1);
}

/* det(L M(s) R) */
static void minor_at(fmpq_t v, const subject *x, const oracle *o, const fmpq_mat_t L,
                     const fmpq_mat_t R, slong s)
{
    fmpq_mat_t M, LM, all;
    laws_at(M, x, o, s);
    fmpq_mat_init(LM, fmpq_mat_nrows(L), fmpq_mat_ncols(M));
    fmpq_mat_init(all, fmpq_mat_nrows(L), fmpq_mat_ncols(R));
    fmpq_mat_mul(LM, L, M);
    fmpq_mat_mul(all, LM, R);
    fmpq_mat_det(v, all);
    fmpq_mat_clear(M);
    fmpq_mat_clear(LM);
    fmpq_mat_clear(all);
}

/* The polynomial in s that a random sum of minors is; its degree is at most the number of
 * storages. */
static void random_minor(fmpq_poly_t p, const subject *x, const oracle *o, int rank, test_rng *r)
{
    int points = x->graph->nstorages + 1, n = o->nports;
    fmpq_mat_t L, R, powers, value;
    random_matrix(L, rank, 2 * n + x->noutputs, r);
    random_matrix(R, 2 * n + x->graph->nsources, rank, r);
    fmpq_mat_init(powers, points, points);
    fmpq_mat_init(value, points, 1);
    for (int i = 0; i < points; i++) {
        fmpq_one(fmpq_mat_entry(powers, i, 0));
        for (int k = 1; k < points; k++)
            fmpq_mul_si(fmpq_mat_entry(powers, i, k), fmpq_mat_entry(powers, i, k - 1), i - 3);
        minor_at(fmpq_mat_entry(value, i, 0), x, o, L, R, i - 3);
    }
    if (!fmpq_mat_solve(value, powers, value))
        abort();
    fmpq_poly_zero(p);
    for (int k = 0; k < points; k++)
        fmpq_poly_set_coeff_fmpq(p, k, fmpq_mat_entry(value, k, 0));
    fmpq_mat_clear(L);
    fmpq_mat_clear(R);
    fmpq_mat_clear(powers);
    fmpq_mat_clear(value);
}

static bool same_polynomial(const subject *x, const fmpq_poly_t p, const jn_poly *q)
{
    fmpq_t c, expected;
    bool good = fmpq_poly_degree(p) == q->degree;
    fmpq_init(c);
    fmpq_init(expected);
    for (int k = 0; k <= q->degree && good; k++) {
        fmpq_poly_get_coeff_fmpq(expected, p, k);
        good = subject_number(c, x, q->c[k]) && fmpq_equal(c, expected);
    }
    fmpq_clear(c);
    fmpq_clear(expected);
    return good;
}

bool check_zeros(const subject *x, const oracle *o, const jn_dynamics *d)
{
    test_rng r = test_rng_new(9700000 + (uint64_t)x->index);
    fmpq_poly_t common, p;
    int rank = rank_at(x, o, 1000003);
    if (d->rank != rank - 2 * o->nports)
        return subject_fails(x, "the rank of the transfer matrix");
    fmpq_poly_init(common);
    fmpq_poly_init(p);
    for (int k = 0; k < 2; k++) {
        random_minor(p, x, o, rank, &r);
        fmpq_poly_gcd(common, common, p);
    }
    bool good = same_polynomial(x, common, &d->zeros);
    fmpq_poly_clear(common);
    fmpq_poly_clear(p);
    return good || subject_fails(x, "the invariant zeros");
}
