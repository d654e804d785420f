/* test_periodic_controlled.c: orbits of models that control themselves, against long plain runs. */
#include <math.h>

#include "orbits.h"

static bool says(const orbit *b, const char *what)
{
    return b->orbit && b->orbit->message && strstr(b->orbit->message, what);
}

/* The orbit is found, is stable, and a plain run is on it from `settled` on. */
static void stays_on(orbit *b, const char *text, double settled, double bound)
{
    rig r;
    orbit_find(b, text, NULL);
    CU_ASSERT_EQUAL_FATAL(b->status, JN_OK);
    const jn_steady *x = b->orbit;
    CU_ASSERT_EQUAL(x->verdict, JN_ORBIT_STABLE);
    CU_ASSERT_FATAL(rig_new(&r, text, NULL));
    double ahead = ceil((settled - x->start_time) / x->period);
    rig_to(&r, x->start_time + ahead * x->period);
    for (int i = 0; i < x->nstates; i++)
        CLOSE(jn_sim_state(r.sim)[i], x->start[i], fabs(x->start[i]), bound);
    rig_clear(&r);
}

/* ---- an integral in the loop --------------------------------------------------------------- */

static void pi_buck(jn_str *text, double ki, double reference, const char *duty)
{
    jn_str_reset(text);
    jn_str_addf(text,
                "model pibuck\nparam ref = %g\nSe V = 12\nSe G = 0\nI L = 47uH\nC Co = 100uF\n"
                "R load = 2\n0 n\n0 out\n1 coil\nX1 s\nX1 d\nV -> s -> n\nG -> d -> n\n"
                "n -> coil -> out -> Co\ncoil -> L\nout -> load\nsignal err = ref - e(out)\n"
                "signal raw = 0.02*err + int(%g*err, 0)\nswitch s pwm(10u, %s)\nswitch d diode\n"
                "output u = e(out)\n",
                reference, ki, duty);
}

#define BOUNDED "min(max(raw, 0), 0.95)"

/* Newton's method goes by way of states where the duty is at its bound and the integral is not felt. */
static void an_integral_at_a_bound_is_no_orbit(void)
{
    static const double gain[] = {3, 10, 30, 100, 300}, reference[] = {3, 5, 9};
    jn_str text;
    orbit b;
    jn_str_init(&text);
    for (int i = 0; i < 5; i++)
        for (int k = 0; k < 3; k++)
            for (int bounded = 0; bounded < 2; bounded++) {
                pi_buck(&text, gain[i], reference[k], bounded ? BOUNDED : "raw");
                stays_on(&b, jn_str_c(&text), fmax(2 / gain[i], 0.05), 1e-7);
                CLOSE_REL(orbit_value(&b, "u")->mean, reference[k], 1e-9);
                CLOSE_REL(b.orbit->mode[0].to, 1e-5 * reference[k] / 12, 1e-9);
                CU_ASSERT_EQUAL(b.orbit->nmultipliers, 3);
                orbit_clear(&b);
            }
    jn_str_clear(&text);
}

/* 20 V cannot be had from 12 V: the duty stays at its bound while the integral grows. */
static void an_integral_that_grows_for_ever_is_told(void)
{
    jn_str text;
    orbit b;
    jn_str_init(&text);
    for (int bounded = 0; bounded < 2; bounded++) {
        double duty = bounded ? 0.95 : 1;
        pi_buck(&text, 30, 20, bounded ? BOUNDED : "raw");
        stays_on(&b, jn_str_c(&text), 0.05, 1e-9);
        CU_ASSERT(says(&b, "never comes back"));
        CLOSE_REL(orbit_value(&b, "u")->mean, 12 * duty, 1e-10);
        CLOSE_REL(b.orbit->mode[0].to, 1e-5 * duty, 1e-12);
        CU_ASSERT_EQUAL(b.orbit->nmultipliers, 2);
        orbit_clear(&b);
    }
    jn_str_clear(&text);
}

/* Less than nothing is asked for: all is at rest, where the diode's law has a kink. */
static void an_orbit_may_lie_on_a_kink(void)
{
    jn_str text;
    orbit b;
    jn_str_init(&text);
    pi_buck(&text, 30, -5, BOUNDED);
    orbit_find(&b, jn_str_c(&text), NULL);
    CU_ASSERT_EQUAL_FATAL(b.status, JN_OK);
    CU_ASSERT_EQUAL(b.orbit->verdict, JN_ORBIT_UNKNOWN);
    CU_ASSERT(says(&b, "multipliers are not known") && says(&b, "never comes back"));
    CU_ASSERT_EQUAL(orbit_value(&b, "u")->max, 0);
    orbit_clear(&b);
    jn_str_clear(&text);
}

/* A controller that does not wind up: its signal reads its own integral. What cannot be reached leaves that
 * where it is, or at a balance. */
static void controllers_that_do_not_wind_up_have_orbits(void)
{
    static const char *const way[] = {"if(raw > 0.95 and err > 0, 0, 60*err)",
                                      "60*err - 2000*(raw - duty)"};
    static const double reference[] = {5, 15};
    char text[800];
    orbit b;
    for (int i = 0; i < 4; i++) {
        double expected = fmin(reference[i % 2], 12 * 0.95);
        snprintf(text, sizeof text,
                 "model m\nSe V = 12\nSe G = 0\nI L = 47uH\nC Co = 100uF\nR load = 2\n0 n\n0 out\n"
                 "1 coil\nX1 s\nX1 d\nV -> s -> n\nG -> d -> n\nn -> coil -> out -> Co\ncoil -> L\n"
                 "out -> load\nsignal err = %g - e(out)\nsignal raw = 0.03*err + int(%s, 0)\n"
                 "signal duty = min(max(raw, 0), 0.95)\nswitch s pwm(10u, duty)\nswitch d diode\n"
                 "output u = e(out)\n",
                 reference[i % 2], way[i / 2]);
        stays_on(&b, text, 0.1, 1e-9);
        CLOSE_REL(orbit_value(&b, "u")->mean, expected, 1e-9);
        CU_ASSERT_EQUAL(says(&b, "stands still"), i == 1);
        orbit_clear(&b);
    }
}

/* A drive of at most ±5 against friction 0.1 and a load: 48 is all it can do. */
static void drive(jn_str *text, double reference)
{
    jn_str_reset(text);
    jn_str_addf(text,
                "model ms\nparam ref = %g\n"
                "Se drive = min(max(0.5*(ref - f(J)) + int(2*(ref - f(J)), 0), -5), 5)\n"
                "Se load = -0.2 - 0.1*sin(10*t)\nI J = 0.5\nR b = 0.1\n1 w\ndrive -> w -> J\n"
                "w -> b\nload -> w\noutput w = f(J)\n",
                reference);
}

static void a_drive_reaches_what_it_can(void)
{
    static const double reference[] = {40, 47, 49, 60, -40, -60};
    jn_str text;
    orbit b;
    jn_str_init(&text);
    for (int i = 0; i < 6; i++) {
        double reached = fmin(fmax(reference[i], -52), 48);
        drive(&text, reference[i]);
        stays_on(&b, jn_str_c(&text), 300, 1e-7);
        CLOSE_REL(orbit_value(&b, "w")->mean, reached, 1e-8);
        CU_ASSERT_EQUAL(says(&b, "never comes back"), reached != reference[i]);
        orbit_clear(&b);
    }
    jn_str_clear(&text);
}

/* What counts is told by the expressions: a condition that reads the counter is met in the end. */
static void a_counter_that_a_condition_reads_is_no_meter(void)
{
    orbit b;
    orbit_find(&b,
               "model m\ndiscrete n = 0\nSe V = 1\nI L = 1\nR r = 1\n1 j\nX1 s\nV -> s -> j -> L\n"
               "j -> r\nswitch clk pwm(1, 1/2)\nautomaton c {\na off initial\nb on\n"
               "a -> b when on(clk) { n = n + 1 }\nb -> a when not on(clk)\n}\n"
               "switch s on, off when n > 1000\noutput i = f(L)\n",
               NULL);
    CU_ASSERT_EQUAL_FATAL(b.status, JN_OK);
    CLOSE(orbit_value(&b, "i")->mean, 0, 1, 1e-9);
    CU_ASSERT(says(&b, "'n' never comes back"));
    orbit_clear(&b);
}

/* ---- where the mark is made ---------------------------------------------------------------- */

/* A flyback converter with a clamp: when the search begins, the diode is OFF at the start of a period; on the
 * orbit it is ON. */
static void diodes_may_start_otherwise_than_the_run_does(void)
{
    orbit b;
    stays_on(&b,
             "model flyback\nSe V = 24\nI M(a, b) = [100uH, 49uH; 49uH, 25uH]\nC Co = 220uF\n"
             "R load = 5\n0 out\n0 drain\n0 gnd\nSe G = 0\nX1 s\nX1 d\nX1 dz\n1 prim\n"
             "Se clamp = 60\n1 zen\nV -> prim -> drain\nprim -> M.a\ndrain -> s -> gnd\nG -> gnd\n"
             "drain -> dz -> zen -> clamp\nd -> M.b\nd -> out\nout -> Co\nout -> load\n"
             "switch s pwm(20u, 0.4)\nswitch d diode\nswitch dz diode\noutput u = e(out)\n",
             0.03, 1e-9);
    CLOSE_REL(orbit_value(&b, "u")->mean, 7.7678428, 1e-6); /* scipy */
    CU_ASSERT_EQUAL(b.orbit->nmodes, 4);
    orbit_clear(&b);
}

/* Two relays, each with a capacitor, joined by a resistor: by 0.2 ohm they keep step, by 1 ohm they do not, and
 * what nearly comes back once does not come back again. */
static void coupled_relays_may_keep_step(void)
{
    jn_steady_options free_run = {.is_free = true, .settle = 50};
    for (int k = 0; k < 2; k++) {
        char text[600];
        orbit b;
        rig r;
        snprintf(
            text, sizeof text,
            "model m\nSf i1 = if(on(r1), 3, 0)\nSf i2 = if(on(r2), 3.1, 0)\nC c1 = 1\nC c2 = 1.2\n"
            "R ra = 1\nR rb = 1\nR rc = %s\n0 n1\n0 n2\n1 l\ni1 -> n1 -> c1\ni2 -> n2 -> c2\n"
            "n1 -> ra\nn2 -> rb\nn1 -> l -> n2\nl -> rc\n"
            "switch r1 on, off when e(c1) > 1.6, on when e(c1) < 1.2\n"
            "switch r2 off, off when e(c2) > 1.5, on when e(c2) < 1.1\noutput a = q(c1)\n",
            k ? "1" : "0.2");
        orbit_find(&b, text, &free_run);
        CU_ASSERT_EQUAL(b.status, k ? JN_UNABLE : JN_OK);
        CU_ASSERT_FATAL(rig_new(&r, text, NULL));
        rig_to(&r, 200);
        double before = rig_output(&r, "a");
        if (b.status == JN_OK) {
            rig_to(&r, 200 + b.orbit->period);
            CLOSE_REL(rig_output(&r, "a"), before, 1e-8);
        }
        rig_clear(&r);
        orbit_clear(&b);
    }
}

/* A filter that only an output reads comes to its own value too, however slow it is: 1e4 periods here. What it reads is
 * 10 + 10·sin, so that it stands at 10 with a ripple of 10/(w·10). */
static void a_filter_of_an_output_has_settled(void)
{
    orbit b;
    orbit_find(&b,
               "model m\nSe V = 10 + 10*sin(2*pi*1000*t)\nR r = 1\nV -> r\n"
               "signal avg = int((e(r) - avg)/10, 0)\noutput avg\n",
               NULL);
    CU_ASSERT_EQUAL_FATAL(b.status, JN_OK);
    const jn_steady_value *v = orbit_value(&b, "avg");
    CLOSE_REL(v->mean, 10, 1e-12);
    CLOSE_REL(v->max - v->min, 2 / hypot(1, 2000 * acos(-1) * 10) * 10, 1e-8);
    CU_ASSERT_EQUAL(b.orbit->nmultipliers, 1);
    CLOSE_REL(b.orbit->multiplier[0].re, exp(-1e-4), 1e-12);
    orbit_clear(&b);
}

/* ---- timers and angles --------------------------------------------------------------------- */

/* A capacitor is charged for a fixed time whenever it has fallen to 1/2. */
#define MONOSTABLE(TIMER)                                                                          \
    "model m\nSe V = if(on(s), 1, 0)\nR r = 1\nC c = 1, e0 = 1/2\n1 l\nV -> l -> r\nl -> c\n"      \
    "discrete began = 0\nautomaton s {\n charge on initial\n rest off\n" TIMER                     \
    "}\noutput u = e(c)\nsimulate to 20 every 0.1\n"

/* What holds a time is later by the period when all else has come back. */
static void a_timer_has_its_orbit(void)
{
    const jn_steady_options free_run = {.is_free = true};
    const double top = 1 - 0.5 * exp(-0.75), T = 0.75 + log(top / 0.5);
    const char *text =
        MONOSTABLE(" charge -> rest when t - began >= 3/4\n"
                   " rest -> charge when e(c) < 1/2 and t > began + 4/5 { began = t }\n");
    orbit b;
    orbit_find(&b, text, &free_run);
    CU_ASSERT_EQUAL_FATAL(b.status, JN_OK);
    CLOSE_REL(b.orbit->period, T, 1e-12);
    CLOSE_REL(orbit_value(&b, "u")->max, top, 1e-12);
    CLOSE_REL(orbit_value(&b, "u")->mean, 0.75 / T, 1e-12);
    CU_ASSERT_EQUAL(b.orbit->verdict, JN_ORBIT_STABLE); /* the capacitor forgets all each time */
    for (int i = 0; i < b.orbit->nmultipliers; i++)
        CU_ASSERT(hypot(b.orbit->multiplier[i].re, b.orbit->multiplier[i].im) < 1e-6);
    orbit_clear(&b);
    /* The same as a deadline; and what reads more of the time than how long ago it was. */
    orbit_find(
        &b,
        MONOSTABLE(" charge -> rest when t >= began\n"
                   " rest -> charge when e(c) < 1/2 and t > began + 1/20 { began = t + 3/4 }\n"),
        &free_run);
    CU_ASSERT_EQUAL_FATAL(b.status, JN_OK);
    CLOSE_REL(b.orbit->period, T, 1e-12);
    orbit_clear(&b);
    orbit_find(&b,
               MONOSTABLE(" charge -> rest when t - began/2 >= 3/4\n"
                          " rest -> charge when e(c) < 1/2 { began = t }\n"),
               &free_run);
    CU_ASSERT_EQUAL(b.status, JN_INVALID);
    orbit_clear(&b);
}

/* A buck converter with a constant time ON, turned on where its output falls to the reference. */
static void constant_on_time_has_its_orbit(void)
{
    const char *text =
        "model m\nSe V = 12\nSe G = 0\nI L = 10u\nC C1 = 100u\nR esr = 20m\nR load = 1\n"
        "0 n\n0 out\n1 coil\n1 cap\nX1 s\nX1 d\nV -> s -> n\nG -> d -> n\nn -> coil -> L\n"
        "coil -> out -> load\nout -> cap -> C1\ncap -> esr\ndiscrete began = 0\nautomaton s {\n"
        " run on initial\n rest off\n run -> rest when t >= began + 1u\n"
        " rest -> run when e(out) < 3.3 and t > began + 1.2u { began = t }\n}\nswitch d diode\n"
        "output v = e(out), i = f(L)\nsimulate to 1m every 1u\n";
    const jn_steady_options free_run = {.is_free = true};
    orbit b;
    rig r;
    orbit_find(&b, text, &free_run);
    CU_ASSERT_EQUAL_FATAL(b.status, JN_OK);
    CU_ASSERT_EQUAL(b.orbit->verdict, JN_ORBIT_STABLE);
    CLOSE_REL(orbit_value(&b, "v")->min, 3.3, 1e-12);
    CLOSE_REL(b.orbit->mode[0].to - b.orbit->mode[0].from, 1e-6, 1e-9);
    /* No loss but in the resistor beside the capacitor: mean of the coil's voltage 0. */
    CLOSE_REL(orbit_value(&b, "v")->mean, 12e-6 / b.orbit->period, 1e-9);
    CU_ASSERT_FATAL(rig_new(&r, text, NULL));
    rig_to(&r, 2e-3);
    double i = rig_output(&r, "i"), v = rig_output(&r, "v");
    rig_to(&r, 2e-3 + 200 * b.orbit->period);
    CLOSE_REL(rig_output(&r, "i"), i, 1e-8);
    CLOSE_REL(rig_output(&r, "v"), v, 1e-8);
    rig_clear(&r);
    orbit_clear(&b);
}

/* An angle that is read through sin and cos comes back but for whole turns. */
static void a_rotor_has_its_orbit(void)
{
    const jn_steady_options free_run = {.is_free = true};
    orbit b;
    /* A motor at 10 rad/s whose imbalance, 0.1·w², shakes a mass of 2 on a spring of 50 and a damper of 4. */
    orbit_find(&b,
               "model m\nI m = 2\nC k = 1/50\nR d = 4\nI J = 1/10\nR fric = 1/20\nSe torque = 1/2\n"
               "1 x\n1 w\nSe force = 1/10*f(w)^2*cos(angle)\nsignal angle = int(f(w), 0)\n"
               "torque -> w -> J\nw -> fric\nforce -> x -> m\nx -> k\nx -> d\n"
               "output x = q(k)\nsimulate to 60 every 0.01\n",
               &free_run);
    CU_ASSERT_EQUAL_FATAL(b.status, JN_OK);
    CLOSE_REL(b.orbit->period, 2 * acos(-1) / 10, 1e-9);
    CLOSE_REL(orbit_value(&b, "x")->max, 10 / hypot(50 - 200, 40), 1e-8);
    CU_ASSERT(says(&b, "is an angle: it goes round 1 time"));
    orbit_clear(&b);
    /* Gravity on an imbalance: the divergence of the flow is all along -fric/J, and so is known what the only
     * multiplier beside 1 is. The period was found by integrating over the angle. */
    orbit_find(&b,
               "model m\nI J = 1/10, f0 = 20\nR fric = 1/20\nSe torque = 1 - sin(angle)/5\n1 w\n"
               "signal angle = int(f(w), 0)\ntorque -> w -> J\nw -> fric\noutput w = f(w)\n"
               "simulate to 40 every 0.01\n",
               &free_run);
    CU_ASSERT_EQUAL_FATAL(b.status, JN_OK);
    CLOSE_REL(b.orbit->period, 0.31416319, 1e-8);
    CU_ASSERT_EQUAL_FATAL(b.orbit->nmultipliers, 1);
    CLOSE_REL(b.orbit->multiplier[0].re, exp(-0.5 * b.orbit->period), 1e-8);
    orbit_clear(&b);
}

void suite_periodic_controlled(void)
{
    TEST_SUITE("periodic_controlled");
    TEST_ADD(an_integral_at_a_bound_is_no_orbit);
    TEST_ADD(an_integral_that_grows_for_ever_is_told);
    TEST_ADD(an_orbit_may_lie_on_a_kink);
    TEST_ADD(controllers_that_do_not_wind_up_have_orbits);
    TEST_ADD(a_drive_reaches_what_it_can);
    TEST_ADD(a_counter_that_a_condition_reads_is_no_meter);
    TEST_ADD(coupled_relays_may_keep_step);
    TEST_ADD(a_filter_of_an_output_has_settled);
    TEST_ADD(a_timer_has_its_orbit);
    TEST_ADD(constant_on_time_has_its_orbit);
    TEST_ADD(a_rotor_has_its_orbit);
    TEST_ADD(diodes_may_start_otherwise_than_the_run_does);
}
