/* routh.c: Routh's array in ball arithmetic.
 *
 * The roots right of the imaginary axis are as many as the changes of sign in the first column of
 * the array. Exact numbers grow in it row by row; balls (Arb) keep their size and know how far they
 * are off. Where every ball of the column is clear of zero, its signs are certain, and the answer
 * is exact. Where one is not, more digits are taken; where it does not help, since the entry is
 * zero or nearly so, the caller has to do without. */
#include <stdlib.h>

#if __FLINT_RELEASE >= 30000
#include <flint/arb.h>
#else
#include <arb.h>
#endif

#include "analyse_internal.h"

enum { FEWEST_BITS = 256, MOST_BITS = 16384 };

/* next[i] = above[i + 1] − above[0]/row[0]·row[i + 1] */
static void next_row(arb_ptr next, arb_srcptr above, arb_srcptr row, slong n, slong bits)
{
    arb_t ratio;
    arb_init(ratio);
    arb_div(ratio, above, row, bits);
    for (slong i = 0; i < n; i++) {
        arb_set(next + i, above + i + 1);
        arb_submul(next + i, ratio, row + i + 1, bits);
    }
    arb_clear(ratio);
}

/* Sets the row of the coefficients first, first − 2, … */
static void set_row(arb_ptr row, const fmpz_poly_t p, slong first, slong bits)
{
    for (slong i = 0; first >= 0; i++, first -= 2)
        arb_set_round_fmpz(row + i, fmpz_poly_get_coeff_ptr(p, first), bits);
}

/* The changes of sign, −1 where a sign is not certain. */
static int walk_array(arb_ptr row[3], slong degree, slong length, slong bits)
{
    int changes = 0, sign = arb_sgn_nonzero(row[0]);
    for (slong k = 1; k <= degree && sign; k++) {
        int now = arb_sgn_nonzero(row[1]);
        changes += now != sign;
        sign = now;
        if (!now || k == degree)
            break;
        next_row(row[2], row[0], row[1], length - 1, bits);
        arb_zero(row[2] + length - 1);
        arb_ptr done = row[0];
        row[0] = row[1];
        row[1] = row[2];
        row[2] = done;
    }
    return sign ? changes : -1;
}

int jni_routh(const fmpz_poly_t p)
{
    slong n = fmpz_poly_degree(p), length = n / 2 + 2;
    int right = n > 0 ? -1 : 0;
    arb_ptr row[3];
    for (int i = 0; i < 3; i++)
        row[i] = _arb_vec_init(length);
    for (slong bits = FEWEST_BITS; right < 0 && bits <= MOST_BITS; bits *= 2) {
        for (int i = 0; i < 3; i++)
            _arb_vec_zero(row[i], length);
        set_row(row[0], p, n, bits);
        set_row(row[1], p, n - 1, bits);
        if (arb_is_zero(row[1]))
            break;
        right = walk_array(row, n, length, bits);
    }
    for (int i = 0; i < 3; i++)
        _arb_vec_clear(row[i], length);
    return right;
}
