/* halves.c: how many roots of a polynomial lie left of, on and right of the imaginary axis, exact.
 *
 * Let g = gcd(p(s), p(−s)). It holds the roots that come in pairs ±s, with it all those on the
 * axis: g = s^m h(s²), and the roots on the axis are s = 0 and those with s² < 0, counted by
 * Sturm's theorem. Of the others as many lie left as right.
 *
 * f = p/g has no such pairs. On the axis, f(iω) = R(ω) + i·I(ω) with real R and I that have no
 * common root; by Hermite and Hurwitz the difference between left and right is the Cauchy index
 * of I/R or R/I, and that is the change of the number of sign variations along the Sturm chain
 * that Euclid's algorithm makes of the two. Routh's array is this chain, and is tried first in
 * numbers of limited length (routh.c); in the exact chain no zero in its first column needs special
 * care. */
#include <stdlib.h>

#include <flint/fmpq_poly.h>
#include <flint/fmpz_poly_factor.h>

#include "analyse_internal.h"

static int sign_at_infinity(const fmpq_poly_t p, bool minus)
{
    slong degree = fmpq_poly_degree(p);
    if (degree < 0)
        return 0;
    int sign = fmpz_sgn(fmpq_poly_numref(p) + degree);
    return minus && degree % 2 ? -sign : sign;
}

static int sign_at_zero(const fmpq_poly_t p)
{
    return fmpq_poly_is_zero(p) ? 0 : fmpz_sgn(fmpq_poly_numref(p));
}

typedef struct {
    int last, count;
} variations;

static void note_sign(variations *v, int sign)
{
    if (sign == 0)
        return;
    v->count += v->last && sign != v->last;
    v->last = sign;
}

/* Walks the chain p, q, −(p mod q), …; gives its sign variations at −∞, 0 and +∞. */
static void sturm(variations at[3], const fmpq_poly_t p, const fmpq_poly_t q)
{
    fmpq_poly_t a, b, r;
    fmpq_poly_init(a);
    fmpq_poly_init(b);
    fmpq_poly_init(r);
    fmpq_poly_set(a, p);
    fmpq_poly_set(b, q);
    for (int i = 0; i < 3; i++)
        at[i] = (variations){0, 0};
    while (!fmpq_poly_is_zero(a)) {
        note_sign(&at[0], sign_at_infinity(a, true));
        note_sign(&at[1], sign_at_zero(a));
        note_sign(&at[2], sign_at_infinity(a, false));
        if (fmpq_poly_is_zero(b))
            break;
        fmpq_poly_rem(r, a, b);
        fmpq_poly_neg(r, r);
        fmpq_poly_swap(a, b);
        fmpq_poly_swap(b, r);
    }
    fmpq_poly_clear(a);
    fmpq_poly_clear(b);
    fmpq_poly_clear(r);
}

/* The real roots below zero of a polynomial without multiple roots and without the root 0. */
static int negative_roots(const fmpq_poly_t p)
{
    variations at[3];
    fmpq_poly_t derivative;
    fmpq_poly_init(derivative);
    fmpq_poly_derivative(derivative, p);
    sturm(at, p, derivative);
    fmpq_poly_clear(derivative);
    return at[0].count - at[1].count;
}

/* The same, each as often as it is one; any p but zero. */
static int negative_roots_counted(const fmpq_poly_t p)
{
    int count = 0;
    fmpz_poly_t integral;
    fmpz_poly_factor_t factors;
    fmpq_poly_t f;
    fmpz_poly_init(integral);
    fmpz_poly_factor_init(factors);
    fmpq_poly_init(f);
    fmpq_poly_get_numerator(integral, p);
    fmpz_poly_factor_squarefree(factors, integral);
    for (slong i = 0; i < factors->num; i++) {
        fmpq_poly_set_fmpz_poly(f, factors->p + i);
        count += negative_roots(f) * (int)factors->exp[i];
    }
    fmpz_poly_clear(integral);
    fmpz_poly_factor_clear(factors);
    fmpq_poly_clear(f);
    return count;
}

/* Every second coefficient, from `first` on. */
static void every_second(fmpq_poly_t r, const fmpq_poly_t p, slong first)
{
    fmpq_t c;
    fmpq_init(c);
    fmpq_poly_zero(r);
    for (slong i = first; i <= fmpq_poly_degree(p); i += 2) {
        fmpq_poly_get_coeff_fmpq(c, p, i);
        fmpq_poly_set_coeff_fmpq(r, (i - first) / 2, c);
    }
    fmpq_clear(c);
}

/* g = s^m h(s²): roots on the axis. */
static int axis_roots(const fmpq_poly_t g)
{
    int at_zero = 0;
    fmpq_poly_t rest, h;
    fmpq_poly_init(rest);
    fmpq_poly_init(h);
    while (fmpz_is_zero(fmpq_poly_numref(g) + at_zero))
        at_zero++;
    fmpq_poly_shift_right(rest, g, at_zero);
    every_second(h, rest, 0);
    int pairs = negative_roots_counted(h);
    fmpq_poly_clear(rest);
    fmpq_poly_clear(h);
    return at_zero + 2 * pairs;
}

/* Left minus right for f without roots in pairs ±s. With f(iω) = i^n Σ …: the real polynomials
 * of the powers n, n−2, … and n−1, n−3, …, with alternating signs. */
static int left_minus_right_exactly(const fmpq_poly_t f)
{
    slong n = fmpq_poly_degree(f);
    variations at[3];
    fmpq_poly_t a, b;
    fmpq_t c;
    fmpq_poly_init(a);
    fmpq_poly_init(b);
    fmpq_init(c);
    for (slong i = n; i >= 0; i--) {
        fmpq_poly_get_coeff_fmpq(c, f, i);
        if ((n - i) / 2 % 2)
            fmpq_neg(c, c);
        fmpq_poly_set_coeff_fmpq((n - i) % 2 ? b : a, i, c);
    }
    sturm(at, a, b);
    fmpq_poly_clear(a);
    fmpq_poly_clear(b);
    fmpq_clear(c);
    return at[0].count - at[2].count;
}

static int left_minus_right(const fmpq_poly_t f)
{
    fmpz_poly_t whole;
    fmpz_poly_init(whole);
    fmpq_poly_get_numerator(whole, f);
    int right = jni_routh(whole);
    fmpz_poly_clear(whole);
    return right < 0 ? left_minus_right_exactly(f) : (int)fmpq_poly_degree(f) - 2 * right;
}

bool jn_poly_halves(jn_halves *h, jn_field *k, const jn_poly *p)
{
    fmpq_poly_t q, mirror, g, f;
    fmpq_poly_init(q);
    fmpq_poly_init(mirror);
    fmpq_poly_init(g);
    fmpq_poly_init(f);
    bool numbers = jni_poly_get(q, k, p) && !fmpq_poly_is_zero(q);
    if (numbers) {
        fmpq_t minus;
        fmpq_init(minus);
        fmpq_set_si(minus, -1, 1);
        fmpq_poly_rescale(mirror, q, minus);
        fmpq_clear(minus);
        fmpq_poly_gcd(g, q, mirror);
        fmpq_poly_div(f, q, g);
        int paired = (int)fmpq_poly_degree(g), rest = (int)fmpq_poly_degree(f);
        h->axis = axis_roots(g);
        int difference = left_minus_right(f);
        h->left = (paired - h->axis) / 2 + (rest + difference) / 2;
        h->right = (paired - h->axis) / 2 + (rest - difference) / 2;
    }
    fmpq_poly_clear(q);
    fmpq_poly_clear(mirror);
    fmpq_poly_clear(g);
    fmpq_poly_clear(f);
    return numbers;
}
