/* transfer.c: what the outputs make of a mode.
 *
 * With x = V z + Σ U_k u^(k) and ż = J z + Bz u, an output Cx x + Cd ẋ + Du u is
 *
 *     y = C z + Σ D_k u^(k),    C = Cx V + Cd V J,
 *     D_0 = Cx U_0 + Cd V Bz + Du,   D_k = Cx U_k + Cd U_{k−1}.
 *
 * G(s) = C (sI − J)⁻¹ Bz + Σ D_k s^k needs no inverse: with the Markov parameters h_k = C J^k Bz
 * and the characteristic polynomial Σ c_i s^i, the numerator's coefficient of s^j is
 * Σ_k c_{j+k+1} h_k. */
#include <stdlib.h>

#include "analyse_internal.h"

enum { TRANSFER_MAX = 64 }; /* states */

/* Initialises C, and D with index + 1 entries, both in terms of z. */
static void read_states(jn_dense *C, jn_dense *D, const jn_dynamics *d, const jn_readout *y)
{
    int n = y->Cx.nrows, m = d->Bz.ncols;
    jn_dense CdV;
    jn_dense_init(&CdV, n, d->order, d->V.k);
    jn_dense_mul(&CdV, &y->Cd, &d->V);
    jn_dense_init(C, n, d->order, d->V.k);
    jn_dense_mul(C, &y->Cx, &d->V);
    jn_dense_addmul(C, &CdV, &d->J);
    for (int k = 0; k <= d->index; k++) {
        jn_dense_init(&D[k], n, m, d->V.k);
        if (k == 0) {
            jn_dense_put(&D[0], 0, 0, &y->Du);
            jn_dense_addmul(&D[0], &CdV, &d->Bz);
        } else {
            jn_dense_addmul(&D[k], &y->Cd, &d->U[k - 1]);
        }
        if (k < d->index)
            jn_dense_addmul(&D[k], &y->Cx, &d->U[k]);
    }
    jn_dense_clear(&CdV);
}

/* From z to xs = z + Σ Us_k u^(k): D_k − C Us_k. */
static void shift_inputs(jn_dynamics *d)
{
    for (int k = 0; k < d->index; k++) {
        jn_dense Us, t;
        jn_dense_init(&Us, d->order, d->Bz.ncols, d->V.k);
        jn_dense_init(&t, d->C.nrows, d->Bz.ncols, d->V.k);
        jn_dense_rows(&Us, &d->U[k], d->state);
        jn_dense_mul(&t, &d->C, &Us);
        jn_dense_sub(&d->D[k], &d->D[k], &t);
        jn_dense_clear(&Us);
        jn_dense_clear(&t);
    }
}

/* ---- G(s) ---------------------------------------------------------------------------------- */

/* numerator[i·m + j]: its coefficients, order + index + 1 of them; zeroed before. */
static void find_numerators(jn_ratfun **numerator, const jn_dynamics *d, const jn_dense *C,
                            const jn_dense *D)
{
    int n = C->nrows, m = d->Bz.ncols, r = d->order;
    const jn_ratfun *c = d->charpoly.c;
    jn_algebra *k = d->V.k;
    jn_dense power, next, h;
    jn_dense_init(&power, r, m, k);
    jn_dense_init(&next, r, m, k);
    jn_dense_init(&h, n, m, k);
    jn_dense_put(&power, 0, 0, &d->Bz);
    for (int step = 0; step < r && !k->spent; step++) {
        jn_dense_mul(&h, C, &power);
        for (int e = 0; e < n * m; e++)
            for (int j = 0; j + step + 1 <= r && !jn_dense_is_zero_at(&h, e / m, e % m); j++)
                numerator[e][j] = jn_algebra_add(
                    k, numerator[e][j],
                    jn_algebra_mul(k, c[j + step + 1], jn_dense_get(&h, e / m, e % m)));
        jn_dense_mul(&next, &d->J, &power);
        jn_dense_swap(&power, &next);
    }
    for (int q = 0; q <= d->index; q++)
        for (int e = 0; e < n * m; e++)
            for (int j = 0; j <= r && !jn_dense_is_zero_at(&D[q], e / m, e % m); j++)
                numerator[e][j + q] =
                    jn_algebra_add(k, numerator[e][j + q],
                                   jn_algebra_mul(k, c[j], jn_dense_get(&D[q], e / m, e % m)));
    jn_dense_clear(&power);
    jn_dense_clear(&next);
    jn_dense_clear(&h);
}

static jn_ratfun in_s(const jn_analysis *a, jn_algebra *k, const jn_ratfun *c, int degree)
{
    jn_ratfun s = jn_ratfun_param(a->field, a->s), sum = JN_RATFUN_ZERO;
    for (int i = degree; i >= 0; i--)
        sum = jn_algebra_add(k, jn_algebra_mul(k, sum, s), c[i]);
    return sum;
}

static jn_ratfun gain_of(const jn_analysis *a, jn_ratfun transfer)
{
    jn_ratfun *value = jn_alloc((size_t)(a->s + 1) * sizeof *value), gain = {-1};
    for (int i = 0; i < a->s; i++)
        value[i].id = -1;
    if (jn_ratfun_put(&gain, a->field, transfer, value, a->s + 1) != JN_OK)
        gain.id = -1;
    free(value);
    return gain;
}

/* The numerator of a transfer function at values, in lowest terms. */
static void reduce_numerator(jn_poly *out, const jn_dynamics *d, jn_field *k, const jn_ratfun *c,
                             int degree)
{
    fmpq_poly_t p, q, g;
    fmpq_poly_init(p);
    fmpq_poly_init(q);
    fmpq_poly_init(g);
    const jn_poly all = {degree, (jn_ratfun *)c};
    if (jni_poly_get(p, k, &all) && jni_poly_get(q, k, &d->charpoly)) {
        fmpq_poly_gcd(g, p, q);
        if (!fmpq_poly_is_zero(p))
            fmpq_poly_div(p, p, g);
        jni_poly_set(out, k, p);
    }
    fmpq_poly_clear(p);
    fmpq_poly_clear(q);
    fmpq_poly_clear(g);
}

static void find_transfer(jn_dynamics *d, const jn_dense *C, const jn_dense *D,
                          const jn_analysis *a)
{
    int entries = C->nrows * d->Bz.ncols, degree = d->order + d->index;
    jn_algebra k = {.field = a->field};
    jn_algebra_renew(&k, JN_ALGEBRA_BUDGET);
    jn_ratfun **numerator = jn_alloc((size_t)entries * sizeof *numerator);
    for (int e = 0; e < entries; e++)
        numerator[e] = jn_alloc((size_t)(degree + 1) * sizeof *numerator[e]);
    find_numerators(numerator, d, C, D);
    d->transfer = jn_alloc((size_t)entries * sizeof *d->transfer);
    d->gain = jn_alloc((size_t)entries * sizeof *d->gain);
    d->numerator = jn_alloc((size_t)entries * sizeof *d->numerator);
    jn_ratfun den = in_s(a, &k, d->charpoly.c, d->order);
    bool good = !d->V.k->spent;
    for (int e = 0; e < entries; e++) {
        jn_ratfun num = in_s(a, &k, numerator[e], degree);
        d->numerator[e] = (jn_poly){-1, NULL};
        good = good && !k.spent && jn_ratfun_div(&d->transfer[e], a->field, num, den) == JN_OK;
        if (good)
            d->gain[e] = gain_of(a, d->transfer[e]);
        if (good && d->V.k->numeric)
            reduce_numerator(&d->numerator[e], d, a->field, numerator[e], degree);
        free(numerator[e]);
    }
    d->transfer_known = good;
    free(numerator);
}

void jni_dynamics_outputs(jn_dynamics *d, const jn_readout *y, const jn_analysis *a)
{
    d->D = jn_alloc((size_t)(d->index + 1) * sizeof *d->D);
    jn_algebra_renew(d->V.k, JN_ALGEBRA_BUDGET);
    read_states(&d->C, d->D, d, y);
    d->outputs = !d->V.k->spent;
    if (d->outputs && d->order <= TRANSFER_MAX && d->charpoly.degree >= 0)
        find_transfer(d, &d->C, d->D, a);
    jn_algebra_renew(d->V.k, JN_ALGEBRA_BUDGET);
    shift_inputs(d);
    d->outputs = d->outputs && !d->V.k->spent;
    jn_algebra_renew(d->V.k, JN_ALGEBRA_BUDGET);
}
