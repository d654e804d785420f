/* decimals.c: doubles in decimal, with the fewest digits that read back exactly.
 *
 * The method is Giulietti's Schubfach (2020). A double v = c·2^q is what every decimal between the
 * middles to its neighbours reads back as. With k = ⌊log10 2^q⌋ that interval is between one and
 * ten units of 10^k wide, so that it holds one or two multiples of 10^(k+1), or else some of 10^k,
 * and only the two next to v of either kind need to be compared with its ends. For that v and the
 * ends, in quarters of 10^k, are wanted as integers only, with a last bit that is set when
 * something was cut off: a product with 128 bits of 10^−k, rounded up, is enough for all doubles.
 *
 * The powers of ten are not a table in this file but computed, exactly, when the printer is made.
 */
#include <flint/fmpz.h>
#include <stdlib.h>
#include <string.h>

#include "junct/trace.h"

__extension__ typedef unsigned __int128 uint128;

enum {
    POWER_MIN = -292,
    POWER_MAX = 324,
    FRACTION_BITS = 52,
    EXPONENT_MASK = 0x7FF,
    LEAST_EXPONENT = -1074, /* of two, as are subnormal numbers' */
    FIXED_MIN = -5,         /* 0.00001 … */
    FIXED_MAX = 17          /* … 10^17: else with an exponent */
};

struct jn_decimals {
    /* 10^e = g·2^r with 2^127 <= g < 2^128, g rounded up to a whole number */
    struct power {
        uint64_t high, low;
    } power[POWER_MAX - POWER_MIN + 1];
};

typedef struct {
    uint64_t digits;
    int exponent; /* of ten */
} decimal;

/* ---- powers of ten ------------------------------------------------------------------------- */

static void set_power(struct power *p, const fmpz_t g)
{
    fmpz_t part;
    fmpz_init(part);
    fmpz_fdiv_q_2exp(part, g, 64);
    p->high = fmpz_get_ui(part);
    fmpz_fdiv_r_2exp(part, g, 64);
    p->low = fmpz_get_ui(part);
    fmpz_clear(part);
}

/* 10^n and 10^−n from t = 10^n, which has b bits: t·2^(128−b), and 2^(127+b)/t since 2^(b−1) < t.
 */
static void set_powers(jn_decimals *p, int n, const fmpz_t t)
{
    fmpz_t g;
    fmpz_init(g);
    ulong b = fmpz_bits(t);
    if (b <= 128)
        fmpz_mul_2exp(g, t, 128 - b);
    else
        fmpz_cdiv_q_2exp(g, t, b - 128);
    set_power(&p->power[n - POWER_MIN], g);
    if (n > 0 && -n >= POWER_MIN) {
        fmpz_one(g);
        fmpz_mul_2exp(g, g, 127 + b);
        fmpz_cdiv_q(g, g, t);
        set_power(&p->power[-n - POWER_MIN], g);
    }
    fmpz_clear(g);
}

jn_decimals *jn_decimals_new(void)
{
    jn_decimals *p = jn_alloc(sizeof *p);
    fmpz_t t;
    fmpz_init_set_ui(t, 1);
    for (int n = 0; n <= POWER_MAX; n++) {
        set_powers(p, n, t);
        fmpz_mul_ui(t, t, 10);
    }
    fmpz_clear(t);
    return p;
}

void jn_decimals_free(jn_decimals *p)
{
    free(p);
}

/* ---- the shortest decimal ------------------------------------------------------------------ */

/* ⌊n·factor/2^shift⌋; the factors below are exact in this sense for all exponents of doubles. */
static int scale(int n, int64_t factor, int64_t offset, int shift)
{
    int64_t product = n * factor + offset, unit = (int64_t)1 << shift;
    return (int)(product >= 0 ? product / unit : -((-product + unit - 1) / unit));
}

static int floor_log10_pow2(int q)
{
    return scale(q, 1262611, 0, 22);
}

static int floor_log10_three_quarters_pow2(int q)
{
    return scale(q, 1262611, -524031, 22);
}

static int floor_log2_pow10(int e)
{
    return scale(e, 1741647, 0, 19);
}

/* ⌊g·c/2^128⌋, its last bit set when the rest is not zero. */
static uint64_t multiply(const struct power *g, uint64_t c)
{
    uint128 low = (uint128)g->low * c;
    uint128 sum = (uint128)g->high * c + (uint64_t)(low >> 64);
    return (uint64_t)(sum >> 64) | ((uint64_t)sum > 1);
}

static decimal shortest(const jn_decimals *p, uint64_t fraction, int biased)
{
    uint64_t c = biased ? fraction | (uint64_t)1 << FRACTION_BITS : fraction;
    int q = LEAST_EXPONENT + (biased ? biased - 1 : 0);
    /* At a power of two the neighbour below is only half as far away. */
    bool closer = fraction == 0 && biased > 1;
    int k = closer ? floor_log10_three_quarters_pow2(q) : floor_log10_pow2(q);
    int h = q + floor_log2_pow10(-k) + 1;
    const struct power *g = &p->power[-k - POWER_MIN];
    uint64_t v = multiply(g, 4 * c << h);
    /* The ends read back as v only when c is even: ties go there. */
    uint64_t low = multiply(g, (4 * c - 2 + closer) << h) + (c & 1);
    uint64_t high = multiply(g, (4 * c + 2) << h) - (c & 1);

    uint64_t s = v / 4;
    if (s >= 10) {
        uint64_t tens = s / 10;
        bool below = low <= 40 * tens, above = 40 * tens + 40 <= high;
        if (below != above)
            return (decimal){tens + above, k + 1};
    }
    bool below = low <= 4 * s, above = 4 * s + 4 <= high;
    if (below != above)
        return (decimal){s + above, k};
    /* Both, or none: the nearer one. */
    uint64_t middle = 4 * s + 2;
    return (decimal){s + (v > middle || (v == middle && (s & 1))), k};
}

/* ---- printing ------------------------------------------------------------------------------ */

static decimal strip_zeros(decimal d)
{
    while (d.digits % 10000 == 0) {
        d.digits /= 10000;
        d.exponent += 4;
    }
    while (d.digits % 10 == 0) {
        d.digits /= 10;
        d.exponent++;
    }
    return d;
}

static const char pairs[] = "00010203040506070809101112131415161718192021222324"
                            "25262728293031323334353637383940414243444546474849"
                            "50515253545556575859606162636465666768697071727374"
                            "75767778798081828384858687888990919293949596979899";

enum { DIGITS_MAX = 20 };

/* Eight digits: the pairs do not wait for each other. */
static void write_eight(char *out, uint32_t n)
{
    uint32_t high = n / 10000, low = n % 10000;
    memcpy(out, pairs + 2 * (high / 100), 2);
    memcpy(out + 2, pairs + 2 * (high % 100), 2);
    memcpy(out + 4, pairs + 2 * (low / 100), 2);
    memcpy(out + 6, pairs + 2 * (low % 100), 2);
}

/* The digits of n, up to `end`; returns where they begin. */
static char *write_digits(char *end, uint64_t n)
{
    char *at = end;
    for (; n >= 100000000; n /= 100000000)
        write_eight(at -= 8, (uint32_t)(n % 100000000));
    uint32_t rest = (uint32_t)n;
    for (; rest >= 100; rest /= 100)
        memcpy(at -= 2, pairs + 2 * (rest % 100), 2);
    if (rest >= 10)
        return memcpy(at - 2, pairs + 2 * rest, 2);
    *--at = (char)('0' + rest);
    return at;
}

/* digit[0].digit[1]… · 10^e */
static char *write_exponent(char *out, const char *digit, int n, int e)
{
    *out++ = digit[0];
    if (n > 1) {
        *out++ = '.';
        memcpy(out, digit + 1, (size_t)n - 1);
        out += n - 1;
    }
    *out++ = 'e';
    if (e < 0)
        *out++ = '-';
    char buffer[DIGITS_MAX], *end = buffer + DIGITS_MAX;
    const char *at = write_digits(end, (uint64_t)abs(e));
    size_t length = (size_t)(end - at);
    memcpy(out, at, length);
    return out + length;
}

static char *write_fixed(char *out, const char *digit, int n, int e)
{
    int before = e + 1; /* digits before the point */
    if (before <= 0) {
        memset(out, '0', 2 - FIXED_MIN);
        out[1] = '.';
        out += 2 - before;
        before = 0;
    } else if (before >= n) {
        memcpy(out, digit, (size_t)n);
        memset(out + n, '0', (size_t)(before - n));
        return out + before;
    } else {
        memcpy(out, digit, (size_t)before);
        out += before;
        *out++ = '.';
    }
    memcpy(out, digit + before, (size_t)(n - before));
    return out + (n - before);
}

static char *write_decimal(char *out, decimal d)
{
    char buffer[DIGITS_MAX], *end = buffer + DIGITS_MAX;
    const char *digit = write_digits(end, d.digits);
    int n = (int)(end - digit);
    int e = d.exponent + n - 1;
    bool fixed = e >= FIXED_MIN && e < FIXED_MAX;
    return (fixed ? write_fixed : write_exponent)(out, digit, n, e);
}

int jn_decimals_print(char *out, const jn_decimals *p, double x)
{
    uint64_t bits, fraction;
    memcpy(&bits, &x, sizeof bits);
    fraction = bits & (((uint64_t)1 << FRACTION_BITS) - 1);
    int biased = (int)(bits >> FRACTION_BITS) & EXPONENT_MASK;
    char *at = out;
    if (bits >> 63 && !(biased == EXPONENT_MASK && fraction)) /* nan has no sign */
        *at++ = '-';
    if (biased == EXPONENT_MASK) {
        for (const char *word = fraction ? "nan" : "inf"; *word; word++)
            *at++ = *word;
    } else if (biased == 0 && fraction == 0) {
        *at++ = '0';
    } else {
        at = write_decimal(at, strip_zeros(shortest(p, fraction, biased)));
    }
    return (int)(at - out);
}
