/* test_sim_meet.c: small models in which two features meet: how switches settle at one instant.
 *
 * Each model of tests/sim/cases carries its right answer and where it comes from; here it is
 * computed and compared. What is slid on, and laws that are steep or flat, are in
 * test_sim_laws.c; bridges in test_sim_bridges.c. */
#include "cases.h"

#include <math.h>

/* ---- impulses and readings ----------------------------------------------------------------- */

static void check_cut(const char *name, jn_method method)
{
    rig r;
    if (case_open(&r, name, method)) {
        rig_to(&r, 2);
        CU_ASSERT_EQUAL(r.nevents, 2);
        case_event(&r, 1, 1, "110", "001", "mythical 000");
        CLOSE_REL(rig_at(&r, 1)->lost, 6.25L, case_bound(&r));
        CLOSE_REL(rig_output(&r, "fa"), 1.5L, case_bound(&r));
        CLOSE_REL(rig_output(&r, "fb"), -1.5L, case_bound(&r));
        LEDGER(&r);
    }
    rig_clear(&r);
}

BOTH(two_impulses_are_compared)
{
    check_cut("cut", method);
}

BOTH(across_an_open_switch_two_impulses_differ)
{
    check_cut("cut_across", method);
}

BOTH(readings_of_two_times_in_one_condition)
{
    rig r;
    if (case_open(&r, "relief", method)) {
        rig_to(&r, 2);
        CU_ASSERT_EQUAL(r.nevents, 2);
        case_event(&r, 1, 1, "10", "01", "mythical 00");
        CU_ASSERT_EQUAL(rig_at(&r, 1)->lost, 0);
        CLOSE_REL(rig_output(&r, "v"), 4, case_bound(&r));
        LEDGER(&r);
    }
    rig_clear(&r);
}

static void check_hysteresis(const char *name, jn_method method)
{
    rig r;
    if (case_open(&r, name, method)) {
        rig_to(&r, 3);
        real t = logl(10 / 8.0L), ups = logl(9 / 8.0L), downs = logl(2);
        int i = 1;
        for (bool up = true; t < 3; up = !up) {
            case_event(&r, i++, t, up ? "10" : "01", up ? "01" : "10",
                       up ? "mythical 00" : "forbidden 11");
            t += up ? downs : ups;
        }
        CU_ASSERT_EQUAL(r.nevents, i);
        CLOSE_REL(rig_output(&r, "i"), expl(t - 3), case_bound(&r)); /* it is falling to 1 */
        LEDGER(&r);
    }
    rig_clear(&r);
}

BOTH(a_controller_beside_a_diode)
{
    check_hysteresis("hysteresis", method);
}

BOTH(a_controller_of_settled_values_beside_a_diode)
{
    check_hysteresis("hysteresis_prior", method);
}

/* The modes that pinnacle.hbg and fig8.hbg pass through at t = 1. */
static void put_bounces(jn_str *via)
{
    real speed = 4;
    while (speed > 0.25L) {
        jn_str_addf(via, "%smythical 000, pinnacle 001", via->len ? ", " : "");
        real taken = 0.4L * speed;
        speed *= 0.6L;
        if (taken > 0.25L) {
            jn_str_add(via, ", pinnacle 010");
            speed /= 1.01L;
        }
    }
}

BOTH(the_impulse_of_the_last_jump_that_counted)
{
    rig r;
    if (case_open(&r, "fig8", method)) {
        rig_to(&r, 2);
        jn_str via;
        jn_str_init(&via);
        put_bounces(&via);
        CU_ASSERT_EQUAL(r.nevents, 2);
        case_event(&r, 1, 1, "100", "000", jn_str_c(&via));
        CU_ASSERT_EQUAL(rig_output(&r, "velocity"), 0);
        LEDGER(&r);
        jn_str_clear(&via);
    }
    rig_clear(&r);
}

BOTH(a_jump_that_is_cut_short_before_it_begins)
{
    rig r;
    if (case_open(&r, "within_below", method)) {
        rig_to(&r, 2);
        CLOSE_REL(rig_output(&r, "va"), 4, case_bound(&r));
        CU_ASSERT_EQUAL(rig_output(&r, "vb"), 0);
        TEST_TEXT("0", rig_mode(&r));
        LEDGER(&r);
    }
    rig_clear(&r);
}

/* ---- what a collision costs ---------------------------------------------------------------- */

/* The ledger adds up, so that the source of the rebound gives nothing. With eps = 0 both stay
 * together. */
static void check_impact(const char *text, real eps, jn_method method)
{
    rig r;
    if (case_open_with(&r, "impact", "eps = 1/2", text, method)) {
        rig_to(&r, 1);
        CU_ASSERT_EQUAL(r.nevents, 2);
        case_event(&r, 1, 1 / 3.0L, "0", eps > 0 ? "0" : "1", eps > 0 ? "pinnacle 1" : "");
        CLOSE(rig_at(&r, 1)->lost, 3 * (1 - eps * eps), 9, case_bound(&r));
        CLOSE_REL(rig_output(&r, "v1"), 2 - eps, case_bound(&r));
        CLOSE_REL(rig_output(&r, "v2"), 2 * (1 + eps), case_bound(&r));
        LEDGER(&r);
    }
    rig_clear(&r);
}

BOTH(a_collision_loses_energy_of_the_relative_motion)
{
    check_impact("eps = 1", 1, method);
    check_impact("eps = 1/2", 0.5L, method);
    check_impact("eps = 0", 0, method);
}

/* ---- states of switches in expressions ----------------------------------------------------- */

/* p tends to `rest` at a rate, from p(1) = 1 − 1/e on. */
static void check_on(const char *name, real rest, real rate, jn_method method)
{
    rig r;
    if (case_open(&r, name, method)) {
        real p = -expm1l(-1);
        rig_to(&r, 0.5);
        CLOSE_REL(rig_output(&r, "p"), -expm1l(-0.5L), case_bound(&r));
        rig_to(&r, 1);
        CLOSE_REL(rig_output(&r, "p"), p, case_bound(&r));
        rig_to(&r, 2);
        CU_ASSERT_EQUAL(r.nevents, 2);
        CLOSE_REL(rig_output(&r, "p"), rest + (p - rest) * expl(-rate), case_bound(&r));
    }
    rig_clear(&r);
}

BOTH(a_resistance_by_the_state_of_a_switch)
{
    check_on("on_value", 0.5L, 2, method);
}

BOTH(a_law_by_the_state_of_a_switch)
{
    check_on("on_law", 0.5L, 2, method);
}

BOTH(a_ratio_by_the_state_of_a_switch)
{
    check_on("on_ratio", 0.5L, 1, method);
}

BOTH(a_source_by_the_state_of_a_switch)
{
    check_on("on_source", 2, 1, method);
}

static void cubic_rates(real *dx, real t, const real *x, const void *drive)
{
    (void)t;
    dx[0] = *(const real *)drive - x[0] - x[0] * x[0] * x[0] / 2;
}

ALONE(a_source_by_the_state_of_a_switch_not_linear)
{
    rig r;
    if (case_open(&r, "on_cubic", method)) {
        real p = 0, drive = 1;
        case_follow(&p, 1, cubic_rates, &drive, 0, 1, 4000);
        rig_to(&r, 1);
        CLOSE_REL(rig_output(&r, "p"), p, 1e-9);
        drive = 2;
        case_follow(&p, 1, cubic_rates, &drive, 1, 2, 4000);
        rig_to(&r, 2);
        CLOSE_REL(rig_output(&r, "p"), p, 1e-9);
    }
    rig_clear(&r);
}

BOTH(not_before_a_condition_of_time)
{
    rig r;
    if (case_open(&r, "not_time", method)) {
        real p = -expm1l(-0.2L);
        rig_to(&r, 0.2);
        CLOSE_REL(rig_output(&r, "p"), p, case_bound(&r));
        rig_to(&r, 1);
        CLOSE_REL(rig_output(&r, "p"), 0.5L + (p - 0.5L) * expl(-1.6L), case_bound(&r));
    }
    rig_clear(&r);
}

/* ---- automata ------------------------------------------------------------------------------ */

BOTH(an_automaton_goes_on_at_once)
{
    rig r;
    if (case_open(&r, "chain", method)) {
        rig_to(&r, 2);
        CU_ASSERT_EQUAL(r.nevents, 2);
        case_event(&r, 1, 0.5L, "0", "1", "mythical 1, mythical 0");
        CLOSE_REL(rig_output(&r, "q"), -expm1l(-3) / 2, case_bound(&r));
    }
    rig_clear(&r);
}

BOTH(a_discrete_variable_counts)
{
    rig r;
    if (case_open(&r, "counter", method)) {
        real up = logl(2) / 2, down = logl(2), t = logl(3) / 2;
        rig_to(&r, 4);
        for (int i = 1; i < 5; i++) {
            case_event(&r, i, t, i % 2 ? "1" : "0", i % 2 ? "0" : "1", "");
            t += i % 2 ? down : up;
        }
        CLOSE_REL(rig_at(&r, 5)->t, t, case_bound(&r));
        TEST_TEXT("0", rig_mode(&r));
        CU_ASSERT_EQUAL(rig_output(&r, "n"), 3);
        CLOSE_REL(rig_output(&r, "v"), 2 * expl(t - 4), 10 * case_bound(&r));
    }
    rig_clear(&r);
}

BOTH(a_discrete_variable_holds_a_sample)
{
    rig r;
    if (case_open(&r, "hold", method)) {
        real q = 4 - 3 * expl(-1);
        rig_to(&r, 0.5);
        CLOSE_REL(rig_output(&r, "q"), 4 - 3 * expl(-0.5L), case_bound(&r));
        rig_to(&r, 3);
        CLOSE_REL(rig_output(&r, "q"), q, case_bound(&r));
        CLOSE_REL(rig_output(&r, "h"), q, case_bound(&r));
    }
    rig_clear(&r);
}

BOTH(the_state_of_an_automaton_is_a_condition)
{
    rig r;
    if (case_open(&r, "state_of", method)) {
        rig_to(&r, 3);
        CLOSE_REL(rig_output(&r, "p"), 2, case_bound(&r));
        CLOSE_REL(rig_output(&r, "quarter"), acosl(-1) / 4, 1e-15);
        CLOSE_REL(rig_output(&r, "half"), acosl(-1) / 2, 1e-15);
        CU_ASSERT_EQUAL(rig_output(&r, "below"), -2);
        CU_ASSERT_EQUAL(rig_output(&r, "rest"), 1.5);
        CLOSE_REL(rig_output(&r, "th"), tanhl(1), 1e-15);
    }
    rig_clear(&r);
}

/* ---- what nothing determines, and noise ---------------------------------------------------- */

BOTH(parallel_switches_share_evenly)
{
    rig r;
    if (case_open(&r, "share", method)) {
        rig_to(&r, 0.5);
        CLOSE_REL(rig_output(&r, "i1"), 5, case_bound(&r));
        CLOSE_REL(rig_output(&r, "i2"), 5, case_bound(&r));
        rig_to(&r, 2);
        CLOSE_REL(rig_output(&r, "i1"), 10, case_bound(&r));
        CU_ASSERT_EQUAL(rig_output(&r, "i2"), 0);
    }
    rig_clear(&r);
}

BOTH(a_blocked_bridge_floats_midway)
{
    rig r;
    if (case_open(&r, "blocked", method)) {
        rig_to(&r, 1);
        CU_ASSERT_EQUAL(rig_output(&r, "across"), 10);
        CLOSE_REL(rig_output(&r, "va"), 8, case_bound(&r));
        CLOSE_REL(rig_output(&r, "vb"), -2, case_bound(&r));
    }
    rig_clear(&r);
}

static void wheel_rates(real *dx, real t, const real *x, const void *unused)
{
    (void)unused;
    dx[0] = (sinl(7 * t) - (1 / 7.0L + 1 / 11.0L + 1 / 13.0L) * x[0]) /
            (1 / 3.0L + 7 / 10.0L + 11 / 10.0L);
}

static void first_wheel_rates(real *dx, real t, const real *x, const void *unused)
{
    (void)unused;
    dx[0] = 3 * (sinl(7 * t) - x[0] / 7);
}

BOTH(an_open_junction_has_effort_zero_to_the_bit)
{
    rig r;
    if (case_open(&r, "lock", method)) {
        real w1 = 5, w2 = -2 * expl(-0.1L / (11 * 0.7L)), w3 = expl(-0.1L / (13 * 1.1L)) / 3, w;
        case_follow(&w1, 1, first_wheel_rates, NULL, 0, 0.1L, 1000);
        w = (w1 / 3 + 0.7L * w2 + 1.1L * w3) / (1 / 3.0L + 0.7L + 1.1L);
        case_follow(&w, 1, wheel_rates, NULL, 0.1L, 20, 200000);
        for (int k = 1; k <= 200; k++) {
            rig_to(&r, k / 10.0);
            CU_ASSERT_EQUAL(rig_output(&r, "e"), 0);
        }
        CU_ASSERT_EQUAL(r.nevents, 2);
        TEST_TEXT("110", rig_mode(&r));
        CU_ASSERT_EQUAL(rig_output(&r, "p4"), 1);
        CLOSE(rig_output(&r, "w"), w, 1, 10 * case_bound(&r));
    }
    rig_clear(&r);
}

BOTH(a_fast_coil_beside_a_slow_sine)
{
    rig r;
    if (case_open(&r, "slow_coil", method)) {
        rig_to(&r, 0.005);
        CLOSE_REL(rig_output(&r, "p"), 1e-7L, case_bound(&r));
        rig_to(&r, 0.1);
        CU_ASSERT_EQUAL(r.nevents, 2);
        CLOSE_REL(rig_at(&r, 1)->t, 0.01L, 1e-12);
        CLOSE_REL(rig_at(&r, 1)->lost, 5e-15L, 1e-9);
        CU_ASSERT_EQUAL(rig_output(&r, "p"), 0);
    }
    rig_clear(&r);
}

/* ---- feedback through sources -------------------------------------------------------------- */

BOTH(a_source_reads_the_rate_of_what_it_determines)
{
    rig r;
    if (case_open(&r, "own_rate", method)) {
        CU_ASSERT_EQUAL(rig_output(&r, "q"), 0);
        CLOSE_REL(rig_output(&r, "i"), 5, case_bound(&r));
        rig_to(&r, 3);
        CLOSE_REL(rig_output(&r, "q"), -10 * expm1l(-1.5L), case_bound(&r));
        LEDGER(&r);
    }
    rig_clear(&r);
}

BOTH(a_source_reads_the_rate_of_what_it_determines_and_time)
{
    rig r;
    if (case_open(&r, "own_rate_sine", method)) {
        rig_to(&r, 3);
        real q = -10 * expm1l(-1.5L) + (sinl(9) - 6 * cosl(9) + 6 * expl(-1.5L)) / 37;
        CLOSE_REL(rig_output(&r, "q"), q, case_bound(&r));
        LEDGER(&r);
    }
    rig_clear(&r);
}

void suite_sim_meet(void)
{
    TEST_SUITE("sim_meet");
    TEST_ADD(two_impulses_are_compared);
    TEST_ADD(across_an_open_switch_two_impulses_differ);
    TEST_ADD(readings_of_two_times_in_one_condition);
    TEST_ADD(a_controller_beside_a_diode);
    TEST_ADD(a_controller_of_settled_values_beside_a_diode);
    TEST_ADD(the_impulse_of_the_last_jump_that_counted);
    TEST_ADD(a_jump_that_is_cut_short_before_it_begins);
    TEST_ADD(a_collision_loses_energy_of_the_relative_motion);
    TEST_ADD(a_resistance_by_the_state_of_a_switch);
    TEST_ADD(a_law_by_the_state_of_a_switch);
    TEST_ADD(a_ratio_by_the_state_of_a_switch);
    TEST_ADD(a_source_by_the_state_of_a_switch);
    TEST_ADD(a_source_by_the_state_of_a_switch_not_linear);
    TEST_ADD(not_before_a_condition_of_time);
    TEST_ADD(an_automaton_goes_on_at_once);
    TEST_ADD(a_discrete_variable_counts);
    TEST_ADD(a_discrete_variable_holds_a_sample);
    TEST_ADD(the_state_of_an_automaton_is_a_condition);
    TEST_ADD(parallel_switches_share_evenly);
    TEST_ADD(a_blocked_bridge_floats_midway);
    TEST_ADD(an_open_junction_has_effort_zero_to_the_bit);
    TEST_ADD(a_fast_coil_beside_a_slow_sine);
    TEST_ADD(a_source_reads_the_rate_of_what_it_determines);
    TEST_ADD(a_source_reads_the_rate_of_what_it_determines_and_time);
}
