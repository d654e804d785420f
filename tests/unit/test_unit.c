/* test_unit.c: prefixes, units, and numbers that carry them. The expected values are those of the
 * SI brochure, written out as fractions. */
#include "junct/unit.h"
#include "testing.h"

static void numbers_are_exact(void)
{
    static const struct {
        const char *text, *value;
        int pi;
        signed char power[JN_UNIT_BASES]; /* m kg s A K */
    } cases[] = {
        {"12", "12", 0, {0}},
        {"100u", "1/10000", 0, {0}},
        {"2.2n", "11/5000000000", 0, {0}},
        {"10k", "10000", 0, {0}},
        {"4M", "4000000", 0, {0}},
        {"1f", "1/1000000000000000", 0, {0}},
        {"3p", "3/1000000000000", 0, {0}},
        {"5m", "1/200", 0, {0}},
        {"7G", "7000000000", 0, {0}},
        {".5T", "500000000000", 0, {0}},
        {"1e3k", "1000000", 0, {0}},
        {"4.7\xC2\xB5", "47/10000000", 0, {0}},
        {"4.7\xCE\xBC"
         "F",
         "47/10000000",
         0,
         {-2, -1, 4, 2, 0}},
        {"100uH", "1/10000", 0, {2, 1, -2, -2, 0}},
        {"100u H", "1/10000", 0, {2, 1, -2, -2, 0}},
        {"10 kOhm", "10000", 0, {2, 1, -3, -2, 0}},
        {"10k\xCE\xA9", "10000", 0, {2, 1, -3, -2, 0}},
        {"24 V", "24", 0, {2, 1, -3, -1, 0}},
        {"5 m", "5", 0, {1, 0, 0, 0, 0}},
        {"5mm", "1/200", 0, {1, 0, 0, 0, 0}},
        {"3 cm^2", "3/10000", 0, {2, 0, 0, 0, 0}},
        {"3 cm\xC2\xB3", "3/1000000", 0, {3, 0, 0, 0, 0}},
        {"2 kg", "2", 0, {0, 1, 0, 0, 0}},
        {"2kg", "2", 0, {0, 1, 0, 0, 0}},
        {"2 mg", "1/500000", 0, {0, 1, 0, 0, 0}},
        {"1 bar", "100000", 0, {-1, 1, -2, 0, 0}},
        {"1 mbar", "100", 0, {-1, 1, -2, 0, 0}},
        {"6 l/min", "1/10000", 0, {3, 0, -1, 0, 0}},
        {"36 km/h", "10", 0, {1, 0, -1, 0, 0}},
        {"2 Ah", "7200", 0, {0, 0, 1, 1, 0}},
        {"1 kWh", "3600000", 0, {2, 1, -2, 0, 0}},
        {"9.81 m/s^2", "981/100", 0, {1, 0, -2, 0, 0}},
        {"1500 rpm", "50", 1, {0, 0, -1, 0, 0}},
        {"1.5e3 rpm", "50", 1, {0, 0, -1, 0, 0}},
        {"2 rev", "4", 1, {0}},
        {"90 deg", "1/2", 1, {0}},
        {"3 rad/s", "3", 0, {0, 0, -1, 0, 0}},
        {"3 N*m*s/rad", "3", 0, {2, 1, -1, 0, 0}},
        {"3 N\xC2\xB7m", "3", 0, {2, 1, -2, 0, 0}},
        {"4 s^-1", "4", 0, {0, 0, -1, 0, 0}},
        {"1 1", NULL, 0, {0}},
        {"24V", NULL, 0, {0}},
        {"5min", NULL, 0, {0}},
        {"5 k", NULL, 0, {0}},
        {"5 krpm", NULL, 0, {0}},
        {"5 m/x", NULL, 0, {0}},
        {"5 m^0", NULL, 0, {0}},
        {"5 ", NULL, 0, {0}},
        {"k", NULL, 0, {0}},
    };
    fmpq_t got, wanted;
    fmpq_init(got);
    fmpq_init(wanted);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        jn_unit u;
        bool has_unit;
        jn_status status =
            jn_quantity_parse(got, &u, &has_unit, cases[i].text, strlen(cases[i].text));
        CU_ASSERT_EQUAL(status, cases[i].value ? JN_OK : JN_INVALID);
        if (status != (cases[i].value ? JN_OK : JN_INVALID))
            printf("\n%s", cases[i].text);
        if (status)
            continue;
        fmpq_set_str(wanted, cases[i].value, 10);
        CU_ASSERT(fmpq_equal(got, wanted) && u.pi == cases[i].pi);
        CU_ASSERT(memcmp(u.power, cases[i].power, sizeof u.power) == 0);
        if (!fmpq_equal(got, wanted) || memcmp(u.power, cases[i].power, sizeof u.power) != 0)
            printf("\n%s", cases[i].text);
    }
    fmpq_clear(got);
    fmpq_clear(wanted);
}

/* What follows a unit is left alone. */
static void units_end_where_they_should(void)
{
    static const struct {
        const char *text;
        size_t length;
    } cases[] = {{"V", 1},      {"V + 2", 1}, {"V/x", 1},      {"V*R1", 1},  {"m/s", 3},
                 {"m/s/s", 5},  {"m/s*k", 3}, {"Vx", 0},       {"V2", 0},    {"V(3)", 0},
                 {"V.a", 0},    {"m^2", 3},   {"m^x", 1},      {"every", 0}, {"m^2/s", 5},
                 {"m/f(x)", 1}, {"s)", 1},    {"kOhm, p0", 4}, {"", 0},      {"m/s(x)", 1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        jn_unit u;
        size_t n = jn_unit_scan(&u, cases[i].text, strlen(cases[i].text));
        CU_ASSERT_EQUAL(n, cases[i].length);
        if (n != cases[i].length)
            printf("\n%s: %zu", cases[i].text, n);
    }
}

static void check_print(const char *text, const char *expected)
{
    jn_unit u, again;
    jn_str out;
    jn_str_init(&out);
    CU_ASSERT_EQUAL(jn_unit_scan(&u, text, strlen(text)), strlen(text));
    jn_unit_print(&out, &u);
    TEST_TEXT(expected, jn_str_c(&out));
    /* What is printed reads the same, but for "1/s". */
    if (expected[0] != '1') {
        CU_ASSERT_EQUAL(jn_unit_scan(&again, out.s, out.len), out.len);
        CU_ASSERT(jn_unit_same(&u, &again));
    }
    jn_str_clear(&out);
}

static void units_have_their_usual_names(void)
{
    check_print("kg*m^2/s^3/A", "V");
    check_print("V/A", "Ohm");
    check_print("A*s", "C");
    check_print("m/s", "m/s");
    check_print("rad/s", "1/s");
    check_print("m^3/s", "m^3/s");
    check_print("bar", "Pa");
    check_print("kg*m^2", "kg*m^2");
    check_print("rad", "1");
}

static void dimensions_multiply(void)
{
    jn_unit v, a, ohm;
    jn_unit_scan(&v, "mV", 2);
    jn_unit_scan(&a, "A", 1);
    jn_unit_scan(&ohm, "Ohm", 3);
    jn_unit quotient = jn_unit_times(&v, &a, -1);
    CU_ASSERT(jn_unit_same(&quotient, &ohm));
    CU_ASSERT_FALSE(jn_unit_same(&v, &a));
}

void suite_unit(void)
{
    TEST_SUITE("unit");
    TEST_ADD(numbers_are_exact);
    TEST_ADD(units_end_where_they_should);
    TEST_ADD(units_have_their_usual_names);
    TEST_ADD(dimensions_multiply);
}
