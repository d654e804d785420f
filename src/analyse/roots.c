/* roots.c: poles and zeros as rounded numbers.
 *
 * Of polynomials of moderate degree Arb isolates the roots with certainty, however close or
 * multiple they are; beyond, poles are the eigenvalues of J in double precision. In either case
 * exactly as many roots lie on the imaginary axis as halves.c has counted: these come out with
 * real part zero. */
#include <math.h>
#include <stdlib.h>

#include <flint/fmpz_poly_factor.h>
#if __FLINT_RELEASE >= 30000
#include <flint/arb_fmpz_poly.h>
#else
#include <arb_fmpz_poly.h>
#endif

#include "analyse_internal.h"

static jn_pole pole_at(double re, double im)
{
    double size = hypot(re, im);
    return (jn_pole){re, im, size, size > 0 ? -re / size + 0.0 : 0};
}

/* By real part, then by imaginary part, the conjugate with im > 0 first. */
static int compare(const void *a, const void *b)
{
    const jn_pole *p = a, *q = b;
    if (p->re != q->re)
        return p->re < q->re ? -1 : 1;
    if (fabs(p->im) != fabs(q->im))
        return fabs(p->im) < fabs(q->im) ? -1 : 1;
    return p->im == q->im ? 0 : p->im > q->im ? -1 : 1;
}

static int compare_by_axis(const void *a, const void *b)
{
    const jn_pole *p = a, *q = b;
    double d = fabs(p->damping) - fabs(q->damping);
    return d < 0 ? -1 : d > 0;
}

static int compare_by_size(const void *a, const void *b)
{
    const jn_pole *p = a, *q = b;
    return p->frequency < q->frequency ? -1 : p->frequency > q->frequency;
}

/* The `zeros` smallest roots are zero, and so are the real parts of the `axis` others nearest to
 * the axis. */
static void settle(jn_pole *root, int n, int zeros, int axis)
{
    qsort(root, (size_t)n, sizeof *root, compare_by_size);
    for (int i = 0; i < zeros; i++)
        root[i] = pole_at(0, 0);
    qsort(root + zeros, (size_t)(n - zeros), sizeof *root, compare_by_axis);
    for (int i = zeros; i < axis; i++)
        root[i] = pole_at(0, root[i].im);
    qsort(root, (size_t)n, sizeof *root, compare);
}

static int zero_roots(const jn_poly *p)
{
    int n = 0;
    while (n < p->degree && jn_ratfun_is_zero(p->c[n]))
        n++;
    return n;
}

enum { ROOT_BITS = 80 };

static int isolate(jn_pole *root, const fmpz_poly_t p, int times)
{
    slong n = fmpz_poly_degree(p);
    acb_ptr found = _acb_vec_init(n);
    arb_fmpz_poly_complex_roots(found, p, 0, ROOT_BITS);
    int count = 0;
    for (slong i = 0; i < n; i++)
        for (int k = 0; k < times; k++)
            root[count++] = pole_at(arf_get_d(arb_midref(acb_realref(found + i)), ARF_RND_NEAR),
                                    arf_get_d(arb_midref(acb_imagref(found + i)), ARF_RND_NEAR));
    _acb_vec_clear(found, n);
    return count;
}

jn_status jni_roots_counted(jn_pole *root, jn_field *k, const jn_poly *p, const jn_halves *halves)
{
    fmpq_poly_t q;
    fmpz_poly_t integral;
    fmpz_poly_factor_t factors;
    fmpq_poly_init(q);
    fmpz_poly_init(integral);
    fmpz_poly_factor_init(factors);
    jni_poly_get(q, k, p);
    fmpq_poly_get_numerator(integral, q);
    fmpz_poly_factor_squarefree(factors, integral);
    int n = 0;
    for (slong i = 0; i < factors->num; i++)
        n += isolate(root + n, factors->p + i, (int)factors->exp[i]);
    fmpq_poly_clear(q);
    fmpz_poly_clear(integral);
    fmpz_poly_factor_clear(factors);
    if (n != p->degree)
        return JN_BUG;
    settle(root, n, zero_roots(p), halves->axis);
    return JN_OK;
}

jn_status jn_poly_roots(jn_pole *root, jn_field *k, const jn_poly *p)
{
    jn_halves halves;
    if (!jn_poly_halves(&halves, k, p))
        return JN_INVALID;
    return jni_roots_counted(root, k, p, &halves);
}

jn_status jni_poles(jn_pole *root, const jn_dense *J, const jn_poly *charpoly,
                    const jn_halves *halves)
{
    int n = J->nrows;
    double *a = jn_alloc((size_t)n * (size_t)n * sizeof *a);
    jn_complex *value = jn_alloc((size_t)n * sizeof *value);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            a[i * n + j] = jn_number_get_d(fmpq_mat_entry(J->q, i, j));
    jn_status s = jn_lapack_eig(value, a, n);
    for (int i = 0; i < n; i++)
        root[i] = pole_at(value[i].re, value[i].im);
    settle(root, n, zero_roots(charpoly), halves->axis);
    free(a);
    free(value);
    return s;
}
