/* test_number.c: exact decimals in, correctly rounded doubles out. */
#include "testing.h"

#include <junct/ratfun.h>
#include <math.h>

/* ---- reading ------------------------------------------------------------------------------- */

static jn_status parse(fmpq_t c, const char *s)
{
    return jn_number_parse(c, s, strlen(s));
}

static void check_value(const char *literal, const char *expected)
{
    fmpq_t c;
    fmpq_init(c);
    jn_status status = parse(c, literal);
    CU_ASSERT_EQUAL(status, JN_OK);
    char *got = fmpq_get_str(NULL, 10, c);
    TEST_TEXT(expected, got);
    flint_free(got);
    fmpq_clear(c);
}

static void numbers_are_exact(void)
{
    check_value("12", "12");
    check_value("0", "0");
    check_value("000", "0");
    check_value("0.0e99999999999999999999", "0");
    check_value("0.1", "1/10");
    check_value(".5", "1/2");
    check_value("2.", "2");
    check_value("1e-3", "1/1000");
    check_value("1.5E+2", "150");
    check_value("0012.500", "25/2");
    check_value("100e-2", "1");
    check_value("5e0", "5");
    check_value("1e-00000000000000000000000001", "1/10");
}

static void what_is_no_number_is_refused(void)
{
    static const char *const bad[] = {
        "",
        ".",
        "e5",
        ".e5",
        "1e",
        "1e+",
        "1e-",
        "1..2",
        "1.2.",
        "0x10",
        "1_0",
        " 1",
        "1 ",
        "+1",
        "-1",
        "inf",
        "nan",
        "1e5x",
        "1,5",
        "1e999999999",
        "1e-999999999",
        "1/2",
        "1e5.",
        "1d3",
        "1e99999999999999999999",
        "1e-99999999999999999999",
    };
    fmpq_t c;
    fmpq_init(c);
    fmpq_set_si(c, 7, 3);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        jn_status status = parse(c, bad[i]);
        if (status != JN_INVALID)
            printf("\naccepted: %s\n", bad[i]);
        CU_ASSERT_EQUAL(status, JN_INVALID);
    }
    CU_ASSERT(fmpz_equal_si(fmpq_numref(c), 7) && fmpz_equal_si(fmpq_denref(c), 3));
    CU_ASSERT_EQUAL(jn_number_parse(c, "1\0002", 3), JN_INVALID);
    /* Only len bytes count. */
    CU_ASSERT_EQUAL(jn_number_parse(c, "123x", 2), JN_OK);
    CU_ASSERT_EQUAL(fmpq_cmp_si(c, 12), 0);
    fmpq_clear(c);
}

/* The limit is on what is needed, not on what is written. */
static void long_numbers_are_refused(void)
{
    enum { LONG = 20000 };
    char *s = malloc(LONG + 8);
    fmpq_t c;
    fmpq_init(c);
    memset(s, '7', LONG);
    CU_ASSERT_EQUAL(jn_number_parse(c, s, LONG), JN_INVALID);
    CU_ASSERT_EQUAL(jn_number_parse(c, s, JN_NUMBER_DIGITS + 1), JN_INVALID);
    CU_ASSERT_EQUAL(jn_number_parse(c, s, JN_NUMBER_DIGITS), JN_OK);
    memset(s, '0', LONG);
    memcpy(s + LONG, "1.50", 5);
    CU_ASSERT_EQUAL(parse(c, s), JN_OK);
    CU_ASSERT(fmpz_equal_si(fmpq_numref(c), 3) && fmpz_equal_si(fmpq_denref(c), 2));
    s[0] = '.'; /* .000…01.50 */
    CU_ASSERT_EQUAL(parse(c, s), JN_INVALID);
    memcpy(s + LONG, "1e19999", 8); /* .000…01e19999, with 19999 zeros */
    CU_ASSERT_EQUAL(parse(c, s), JN_OK);
    CU_ASSERT(fmpz_equal_si(fmpq_numref(c), 1) && fmpz_equal_si(fmpq_denref(c), 10));
    CU_ASSERT_EQUAL(parse(c, "1e9999"), JN_OK);
    CU_ASSERT_EQUAL(parse(c, "1e10000"), JN_INVALID);
    CU_ASSERT_EQUAL(parse(c, "1e-10000"), JN_OK);
    CU_ASSERT_EQUAL(parse(c, "1e-10001"), JN_INVALID);
    fmpq_clear(c);
    free(s);
}

/* Random digits with a point somewhere and an exponent, beside the same number built up digit
 * by digit. */
static int random_literal(char *s, fmpq_t value, test_rng *r)
{
    int before = test_rng_int(r, 0, 20), after = test_rng_int(r, before ? 0 : 1, 20);
    int exponent = test_rng_int(r, -30, 30), n = 0, places = 0;
    fmpz_t m, ten;
    fmpz_init(m);
    fmpz_init_set_ui(ten, 10);
    for (int i = 0; i < before + after; i++) {
        if (i == before)
            s[n++] = '.';
        int digit = test_rng_chance(r, 40) ? 0 : test_rng_int(r, 0, 9);
        s[n++] = (char)('0' + digit);
        fmpz_mul(m, m, ten);
        fmpz_add_ui(m, m, (ulong)digit);
        places += i >= before;
    }
    if (test_rng_chance(r, 70))
        n += sprintf(s + n, "%c%s%d", test_rng_chance(r, 50) ? 'e' : 'E',
                     exponent >= 0 && test_rng_chance(r, 50) ? "+" : "", exponent);
    else
        exponent = 0;
    s[n] = 0;
    fmpq_set_fmpz(value, m);
    for (int i = exponent - places; i > 0; i--)
        fmpq_mul_fmpz(value, value, ten);
    for (int i = exponent - places; i < 0; i++)
        fmpq_div_fmpz(value, value, ten);
    fmpz_clear(ten);
    fmpz_clear(m);
    return n;
}

static void random_numbers_read_back(void)
{
    test_rng r = test_rng_new(11);
    char s[80];
    fmpq_t expected, got;
    fmpq_init(expected);
    fmpq_init(got);
    for (int i = 0; i < 3000; i++) {
        int n = random_literal(s, expected, &r);
        bool same = jn_number_parse(got, s, (size_t)n) == JN_OK && fmpq_equal(got, expected) &&
                    fmpq_is_canonical(got);
        if (!same)
            printf("\nseed %llu: %s\n", (unsigned long long)test_seed(), s);
        CU_ASSERT(same);
    }
    fmpq_clear(got);
    fmpq_clear(expected);
}

/* ---- rounding: the C library's strtod is correctly rounded --------------------------------- */

static void check_double(const char *literal)
{
    fmpq_t c;
    fmpq_init(c);
    CU_ASSERT_EQUAL(parse(c, literal), JN_OK);
    double expected = strtod(literal, NULL), got = jn_number_get_d(c);
    fmpq_neg(c, c);
    bool same = got == expected && jn_number_get_d(c) == -expected;
    if (!same)
        printf("\n%s: expected %a, got %a\n", literal, expected, got);
    CU_ASSERT(same);
    fmpq_clear(c);
}

static void doubles_are_nearest_at_the_edges(void)
{
    static const char *const literal[] = {
        "0",
        "1",
        "0.1",
        "1e-3",
        "1e22",
        "1e23",
        "9007199254740993",
        "9007199254740992",
        "9007199254740995",
        "18014398509481985",
        "18014398509481986",
        "36028797018963971",
        "1e308",
        "1.7976931348623157e308",
        "1.797693134862315807e308", /* just below the middle of the largest and 2^1024 */
        "1.7976931348623159e308",
        "1e309",
        "1e400",
        "1e9999",
        "2.2250738585072014e-308",
        "2.2250738585072011e-308", /* subnormal */
        "4.9406564584124654e-324",
        "2.4703282292062327e-324",
        "2.4703282292062328e-324",
        "7.4e-324",
        "1e-323",
        "1e-324",
        "1e-400",
        "1e-9999",
        "0.500000000000000166533453693773481063544750213623046875",
    };
    for (size_t i = 0; i < sizeof literal / sizeof literal[0]; i++)
        check_double(literal[i]);
}

static void random_doubles_are_nearest(void)
{
    test_rng r = test_rng_new(12);
    char s[80];
    for (int i = 0; i < 3000; i++) {
        sprintf(s, "%llu%sE%d", (unsigned long long)test_rng_next(&r),
                test_rng_chance(&r, 50) ? "5" : "", test_rng_int(&r, -350, 310));
        check_double(s);
        /* Halfway between two doubles, and a little beside it. */
        uint64_t half = (test_rng_next(&r) >> 10) | 1u << 0 | (uint64_t)1 << 53;
        sprintf(s, "%llu%s", (unsigned long long)half, test_rng_chance(&r, 50) ? ".0000001" : "");
        check_double(s);
    }
}

void suite_number(void)
{
    TEST_SUITE("number");
    TEST_ADD(numbers_are_exact);
    TEST_ADD(what_is_no_number_is_refused);
    TEST_ADD(long_numbers_are_refused);
    TEST_ADD(random_numbers_read_back);
    TEST_ADD(doubles_are_nearest_at_the_edges);
    TEST_ADD(random_doubles_are_nearest);
}
