/* Rational functions in doubles, with their derivative along a direction. */
#include <math.h>

#include "junct/ratfun.h"
#include "testing.h"

static void check(double expected, double got)
{
    CU_ASSERT_DOUBLE_EQUAL(got, expected, 1e-14 * (1 + fabs(expected)));
}

static void constants_are_evaluated(void)
{
    jn_field *k = jn_field_new();
    double slope = 7, unused = 0;
    check(-3, jn_ratfun_eval_d(&slope, k, jn_ratfun_int(k, -3), &unused, &unused));
    check(0, slope);
    jn_field_free(k);
}

/* (2·a²·b − 5)/(a + b) at a = 3, b = 1/2, changing at the rates 2 and −1. */
static void fractions_are_evaluated(void)
{
    jn_field *k = jn_field_new();
    jn_ratfun a = jn_ratfun_param(k, 4), b = jn_ratfun_param(k, 1), f;
    jn_ratfun top =
        jn_ratfun_mul(k, jn_ratfun_int(k, 2), jn_ratfun_mul(k, a, jn_ratfun_mul(k, a, b)));
    top = jn_ratfun_sub(k, top, jn_ratfun_int(k, 5));
    CU_ASSERT_EQUAL_FATAL(jn_ratfun_div(&f, k, top, jn_ratfun_add(k, a, b)), JN_OK);
    double value[] = {0, 0.5, 0, 0, 3}, change[] = {0, -1, 0, 0, 2}, slope;
    double p = 2 * 9 * 0.5 - 5, dp = 4 * 3 * 0.5 * 2 + 2 * 9 * -1, q = 3.5, dq = 1;
    check(p / q, jn_ratfun_eval_d(&slope, k, f, value, change));
    check((dp * q - p * dq) / (q * q), slope);
    jn_field_free(k);
}

/* The same as putting the numbers in exactly. */
static void evaluating_agrees_with_putting_in(void)
{
    test_rng r = test_rng_new(1);
    for (int trial = 0; trial < 200; trial++) {
        jn_field *k = jn_field_new();
        jn_ratfun f = jn_ratfun_int(k, 1), put[3], number;
        double value[3], change[3] = {0}, slope;
        for (int i = 0; i < 3; i++) {
            int c = test_rng_int(&r, 1, 9);
            put[i] = jn_ratfun_int(k, c);
            value[i] = c;
        }
        for (int step = 0; step < 6; step++) {
            jn_ratfun x = jn_ratfun_param(k, test_rng_int(&r, 0, 2));
            if (test_rng_chance(&r, 50))
                f = jn_ratfun_add(k, jn_ratfun_mul(k, f, x), jn_ratfun_int(k, 2));
            else if (jn_ratfun_div(&f, k, f, x) != JN_OK)
                CU_FAIL("a parameter is not zero");
        }
        CU_ASSERT_EQUAL_FATAL(jn_ratfun_put(&number, k, f, put, 3), JN_OK);
        check(jn_ratfun_get_d(k, number), jn_ratfun_eval_d(&slope, k, f, value, change));
        check(0, slope);
        jn_field_free(k);
    }
}

void suite_ratfun_eval(void)
{
    TEST_SUITE("ratfun_eval");
    TEST_ADD(constants_are_evaluated);
    TEST_ADD(fractions_are_evaluated);
    TEST_ADD(evaluating_agrees_with_putting_in);
}
