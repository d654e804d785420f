/* number.c: decimal numbers, exactly in and correctly rounded out. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "junct/ratfun.h"

/* ---- reading: a literal is an integer without trailing zeros, times a power of ten --------- */

enum { EXPONENT_MAX = 1000000000 }; /* larger ones are out of range with any mantissa */

typedef struct {
    const char *s, *end;
} cursor;

static bool is_digit(const cursor *c)
{
    return c->s < c->end && *c->s >= '0' && *c->s <= '9';
}

static bool take(cursor *c, const char *any)
{
    bool found = c->s < c->end && *c->s && strchr(any, *c->s);
    c->s += found;
    return found;
}

/* Appends the digits that stand here; returns how many. */
static size_t take_digits(jn_str *digits, cursor *c)
{
    const char *start = c->s;
    while (is_digit(c))
        c->s++;
    jn_str_addn(digits, start, (size_t)(c->s - start));
    return (size_t)(c->s - start);
}

/* e+12, or nothing. False when digits are missing. */
static bool take_exponent(long *exponent, cursor *c)
{
    *exponent = 0;
    if (!take(c, "eE"))
        return true;
    bool negative = c->s < c->end && *c->s == '-';
    take(c, "+-");
    if (!is_digit(c))
        return false;
    for (; is_digit(c); c->s++) {
        *exponent = 10 * *exponent + (*c->s - '0');
        if (*exponent > EXPONENT_MAX)
            *exponent = EXPONENT_MAX;
    }
    if (negative)
        *exponent = -*exponent;
    return true;
}

/* digits · 10^exponent, where the text has neither leading nor trailing zeros. */
static jn_status scaled(fmpq_t c, const char *digits, long exponent)
{
    long ndigits = (long)strlen(digits);
    if (ndigits == 0) {
        fmpq_zero(c);
        return JN_OK;
    }
    long numerator = exponent > 0 ? ndigits + exponent : ndigits;
    if (numerator > JN_NUMBER_DIGITS || -exponent > JN_NUMBER_DIGITS)
        return JN_INVALID;
    fmpz_t scale;
    fmpz_init(scale);
    fmpz_set_ui(scale, 10);
    fmpz_pow_ui(scale, scale, (ulong)labs(exponent));
    fmpz_one(fmpq_denref(c));
    fmpz_set_str(fmpq_numref(c), digits, 10);
    if (exponent >= 0)
        fmpz_mul(fmpq_numref(c), fmpq_numref(c), scale);
    else
        fmpz_set(fmpq_denref(c), scale);
    fmpq_canonicalise(c);
    fmpz_clear(scale);
    return JN_OK;
}

jn_status jn_number_parse(fmpq_t c, const char *s, size_t len)
{
    cursor at = {s, s + len};
    jn_str digits;
    jn_str_init(&digits);
    size_t places = 0;
    long exponent;
    take_digits(&digits, &at);
    if (take(&at, "."))
        places = take_digits(&digits, &at);
    jn_status status = JN_INVALID;
    if (digits.len > 0 && take_exponent(&exponent, &at) && at.s == at.end) {
        exponent -= (long)places;
        while (digits.len > 0 && digits.s[digits.len - 1] == '0') {
            digits.s[--digits.len] = 0;
            exponent++;
        }
        status = scaled(c, digits.s + strspn(digits.s, "0"), exponent);
    }
    jn_str_clear(&digits);
    return status;
}

/* ---- rounding ------------------------------------------------------------------------------ */

enum { DIGITS = 53, LEAST = -1074, TOO_LARGE = 1025, TOO_SMALL = -1076 }; /* powers of two */

/* n·2^shift / d: the integer part, and −1, 0, 1 as the rest is below, at or above one half. */
static int divide(fmpz_t quotient, const fmpz_t n, const fmpz_t d, long shift)
{
    fmpz_t a, b, rest;
    fmpz_init_set(a, n);
    fmpz_init_set(b, d);
    fmpz_init(rest);
    if (shift >= 0)
        fmpz_mul_2exp(a, a, (ulong)shift);
    else
        fmpz_mul_2exp(b, b, (ulong)-shift);
    fmpz_fdiv_qr(quotient, rest, a, b);
    fmpz_mul_2exp(rest, rest, 1);
    int half = fmpz_cmp(rest, b);
    fmpz_clear(rest);
    fmpz_clear(b);
    fmpz_clear(a);
    return (half > 0) - (half < 0);
}

double jn_number_get_d(const fmpq_t c)
{
    const fmpz *d = fmpq_denref(c);
    double sign = fmpq_sgn(c) < 0 ? -1 : 1;
    /* 2^(power−1) < |c| < 2^(power+1) */
    long power = (long)fmpz_bits(fmpq_numref(c)) - (long)fmpz_bits(d);
    if (fmpq_is_zero(c) || power < TOO_SMALL)
        return sign * 0.0;
    if (power > TOO_LARGE)
        return sign * HUGE_VAL;
    fmpz_t n, quotient;
    fmpz_init(n);
    fmpz_init(quotient);
    fmpz_abs(n, fmpq_numref(c));
    /* As many bits as a double has at this size, then one rounding. */
    long shift = DIGITS - 1 - power < -LEAST ? DIGITS - 1 - power : -LEAST;
    int half = divide(quotient, n, d, shift);
    if (fmpz_bits(quotient) < DIGITS && shift < -LEAST)
        half = divide(quotient, n, d, ++shift);
    if (half > 0 || (half == 0 && fmpz_is_odd(quotient)))
        fmpz_add_ui(quotient, quotient, 1);
    double r = sign * ldexp((double)fmpz_get_ui(quotient), (int)-shift);
    fmpz_clear(quotient);
    fmpz_clear(n);
    return r;
}
