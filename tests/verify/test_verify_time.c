/* test_verify_time.c: what depends on time is that of one time. Answers by hand. */
#include "bench_of_proofs.h"

static const jn_verify_options usual = {.seconds = 60};

/* A source over a resistor, a switch that watches it, and claims. */
#define WATCHED(source, claims)                                                                    \
    "model m\nSe V = " source "\nR r = 1\n1 l\nX1 s\nV -> l -> r\nl -> s\n"                        \
    "switch s on, off at 9\n" claims

static void claims_are(const char *text, const jn_proof *expected, int n)
{
    proof_rig r;
    proof_new(&r, text, &usual);
    CU_ASSERT_EQUAL_FATAL(r.v->nasserts, n);
    for (int i = 0; i < n; i++)
        CU_ASSERT_EQUAL(r.v->assertion[i].verdict, expected[i]);
    proof_clear(&r);
}

/* 5 until t = 1, then 7: nothing else. */
static void steps_have_two_values(void)
{
    const jn_proof are[] = {JN_PROVED, JN_PROVED, JN_PROVED, JN_REFUTED};
    claims_are(WATCHED("if(t < 1, 5, 7)", "assert e(V) >= 5\nassert e(V) = 5 or e(V) = 7\n"
                                          "assert e(V) = 5 or t >= 1\nassert e(V) = 5 or t >= 2\n"),
               are, 4);
}

/* |t - 2| and max(5, t) have no value below 0 and 5. */
static void kinks_have_their_values(void)
{
    const jn_proof are[] = {JN_PROVED, JN_REFUTED};
    claims_are(WATCHED("abs(t - 2)", "assert e(V) >= 0\nassert e(V) > 0\n"), are, 2);
    claims_are(WATCHED("max(5, t)", "assert e(V) >= 5\nassert e(V) <= 6\n"), are, 2);
}

/* Claims that are true, though the solver knows too little to prove all of them, are not refuted; and
 * those that are false are, with a time at which they are. */
static void functions_have_their_values(void)
{
    const jn_proof falling[] = {JN_PROVED, JN_OPEN, JN_REFUTED};
    claims_are(WATCHED("exp(-t)", "assert e(V) > 0\nassert e(V) <= 1\nassert e(V) <= 1/2\n"),
               falling, 3);
    const jn_proof saw[] = {JN_PROVED, JN_PROVED, JN_REFUTED};
    claims_are(WATCHED("mod(t, 4)", "assert e(V) >= 0\nassert e(V) <= 4\nassert e(V) <= 3\n"), saw,
               3);
    const jn_proof square[] = {JN_OPEN, JN_OPEN, JN_REFUTED};
    claims_are(WATCHED("sin(t)^2", "assert e(V) >= 0\nassert e(V) <= 1\nassert e(V) <= 1/2\n"),
               square, 3);
    const jn_proof stairs[] = {JN_OPEN, JN_OPEN, JN_REFUTED};
    claims_are(WATCHED("floor(t)", "assert e(V) <= t\nassert e(V) >= 0\nassert e(V) < 3\n"), stairs,
               3);
}

/* The greatest value of sin(t) + sin(2*t) is 1.7602. */
static void frequencies_belong_together(void)
{
    const jn_proof are[] = {JN_PROVED, JN_OPEN, JN_REFUTED};
    claims_are(WATCHED("sin(t) + sin(2*t)",
                       "assert e(V) <= 2\nassert e(V) <= 1.77\nassert e(V) <= 1.75\n"),
               are, 3);
}

/* A relay at exp(-t): on e(n) = V/3, off V. It would buzz where 4 < V < 5, but V is 1 at most; with 8*exp(-t) it does. */
#define RELAY(source)                                                                              \
    "model m\nSe V = " source "\nR a = 2\nR b = 1\n1 l\n0 n\nX1 s\nV -> l -> n\nl -> a\n"          \
    "n -> s -> b\nswitch s off, on when e(n) > 4 and e(V) < 5, off when e(n) < 2\n"

static void an_instant_is_at_some_time(void)
{
    proof_rig r;
    proof_new(&r, RELAY("exp(-t)"), &usual);
    CU_ASSERT_NOT_EQUAL(r.v->settling.verdict, JN_REFUTED);
    proof_clear(&r);
    proof_new(&r, RELAY("8*exp(-t)"), &usual);
    CU_ASSERT_EQUAL(r.v->settling.verdict, JN_REFUTED);
    proof_clear(&r);
}

/* On from 1 to 2, as t says. */
static void switches_go_by_the_clock(void)
{
    const jn_proof are[] = {JN_PROVED, JN_PROVED, JN_PROVED, JN_REFUTED};
    claims_are(
        "model m\nSe V = 1\nR r = 1\n1 l\nX1 s\nV -> l -> r\nl -> s\n"
        "switch s off, on at 1, off at 2\nassert not on(s) or t >= 1\nassert not on(s) or t <= 2\n"
        "assert on(s) or t < 1 or t >= 2\nassert not on(s) or t >= 3/2\n",
        are, 4);
}

/* sin(t) is below 0.85 until t = 1, and comes to 0.9 later. */
static void a_sine_is_that_of_t(void)
{
    const jn_proof are[] = {JN_OPEN, JN_REFUTED};
    claims_are(WATCHED("sin(t)", "assert t >= 1 or e(V) < 9/10\nassert t >= 2 or e(V) < 9/10\n"),
               are, 2);
}

/* On until 1/2, from 1 to 3/2, and so on. */
static void a_modulation_is_that_of_t(void)
{
    const jn_proof are[] = {JN_PROVED, JN_PROVED, JN_REFUTED};
    claims_are("model m\nSe V = 1\nR r = 1\n1 l\nX1 s\nV -> l -> r\nl -> s\nswitch s pwm(1, 1/2)\n"
               "assert on(s) or t >= 1/2\nassert not on(s) or t < 1/2 or t >= 1\nassert on(s) or t "
               ">= 3/4\n",
               are, 3);
}

/* To a hair beside each other: what holds with equal sides is not refuted by the width of a moment. */
static void moments_have_no_width(void)
{
    const jn_proof saw[] = {JN_OPEN, JN_REFUTED, JN_REFUTED};
    claims_are(WATCHED("mod(t, 4)", "assert e(V) <= t\nassert e(V) >= t\nassert e(V) < t\n"), saw,
               3);
    const jn_proof stairs[] = {JN_OPEN, JN_OPEN, JN_REFUTED};
    claims_are(WATCHED("floor(2*t)",
                       "assert e(V) <= 2*t\nassert e(V) > 2*t - 1\nassert e(V) > 2*t - 1/2\n"),
               stairs, 3);
    const jn_proof sine[] = {JN_OPEN, JN_REFUTED};
    claims_are(WATCHED("sin(t)", "assert e(V) <= t\nassert e(V) <= t/2\n"), sine, 2);
}

/* It would buzz where floor(t) is above t. */
static void a_step_is_where_it_is(void)
{
    proof_rig r;
    proof_new(&r,
              "model m\nSe V = floor(t)\nR r = 1\n1 l\nX1 s\nV -> l -> r\nl -> s\n"
              "switch s off, on when e(V) > t, off when e(V) > t\n",
              &usual);
    CU_ASSERT_NOT_EQUAL(r.v->settling.verdict, JN_REFUTED);
    proof_clear(&r);
}

/* At most 4·t, and 1.54; above 3·t where t is small. */
static void times_are_found_where_claims_fail(void)
{
    const jn_proof are[] = {JN_OPEN, JN_REFUTED, JN_OPEN, JN_REFUTED};
    claims_are(WATCHED("sin(t) + sin(3*t)", "assert e(V) <= 4*t\nassert e(V) <= 3*t\n"
                                            "assert e(V) < 8/5\nassert e(V) < 1\n"),
               are, 4);
}

void suite_verify_time(void)
{
    TEST_SUITE("verify_time");
    TEST_ADD(steps_have_two_values);
    TEST_ADD(kinks_have_their_values);
    TEST_ADD(functions_have_their_values);
    TEST_ADD(frequencies_belong_together);
    TEST_ADD(an_instant_is_at_some_time);
    TEST_ADD(switches_go_by_the_clock);
    TEST_ADD(a_sine_is_that_of_t);
    TEST_ADD(a_modulation_is_that_of_t);
    TEST_ADD(moments_have_no_width);
    TEST_ADD(a_step_is_where_it_is);
    TEST_ADD(times_are_found_where_claims_fail);
}
