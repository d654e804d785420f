/* test_sim_walls.c: laws that jump, or stay the same for a while, where the model gives what they give.
 *
 * Closed forms, or constants of Runge and Kutta's method of order 8 at a tolerance of 1e-13 in programs of their own,
 * which find events by bisection and invert laws by halving. */
#include "cases.h"

#include <math.h>
#include <string.h>

typedef struct {
    const char *text;
    double t;
    const char *output;
    double value, bound;
} walled;

static void check(const walled *c, int n, jn_method method)
{
    jn_sim_options o = {.method = method};
    for (int i = 0; i < n; i++) {
        rig r;
        bool runs = rig_new(&r, c[i].text, &o);
        CHECK(runs);
        if (runs) {
            unsigned before = CU_get_number_of_failure_records();
            rig_to(&r, c[i].t);
            CLOSE(rig_output(&r, c[i].output), c[i].value, 1 + fabs(c[i].value), c[i].bound);
            LEDGER(&r);
            if (CU_get_number_of_failure_records() > before)
                printf("\n%s", c[i].text);
        }
        rig_clear(&r);
    }
}

#define COUNT(list) ((int)(sizeof(list) / sizeof *(list)))

/* Two runs that have to agree at each of n times. */
static void compare(const char *text, const char *other, const char *output, double end, int n,
                    double bound, jn_method method)
{
    jn_sim_options o = {.method = method};
    rig a, b;
    bool runs = rig_new(&a, text, &o);
    runs = rig_new(&b, other, &o) && runs;
    CHECK(runs);
    for (int k = 1; k <= n && runs; k++) {
        rig_to(&a, end * k / n);
        rig_to(&b, end * k / n);
        double value = rig_output(&b, output);
        CLOSE(rig_output(&a, output), value, 1 + fabs(value), bound);
    }
    rig_clear(&a);
    rig_clear(&b);
}

/* ---- walls --------------------------------------------------------------------------------- */

#define TANKS                                                                                      \
    "C a = 1, q0 = 5\nC b = 1, q0 = 1\n0 na\n0 nb\n1 l\nna -> a\nnb -> b\nna -> l -> nb\n"         \
    "l -> pipe\noutput a = e(a), f = f(pipe)\n"
#define MASSES                                                                                     \
    "I a = 1, p0 = 5\nI b = 1, p0 = 1\n1 na\n1 nb\n0 l\nna -> a\nnb -> b\nna -> l -> nb\n"         \
    "l -> pipe\noutput a = f(a), f = e(pipe)\n"

/* d = 0.3·f² + 0.4 and d' = −2·f: f' = −10/3, and where it is 0 the levels stay 0.4 apart. */
BOTH(a_pipe_with_a_yield_stress_comes_to_rest)
{
    double f0 = sqrt(12), f1 = f0 - 5 / 3.0, rest = 0.3 * f0;
    const walled each[] = {
        {"R pipe : e = 0.3*f*abs(f) + 0.4*sign(f)\n" TANKS, 0.5, "f", f1, 1e-9},
        {"R pipe : e = 0.3*f*abs(f) + 0.4*sign(f)\n" TANKS, 0.5, "a",
         3 + 0.5 * (0.3 * f1 * f1 + 0.4), 1e-9},
        {"R pipe : e = 0.3*f*abs(f) + 0.4*sign(f)\n" TANKS, rest + 0.1, "a", 3.2, 1e-9},
        {"R pipe : e = if(f > 0, 0.3*f^2 + 0.4, -0.3*f^2 - 0.4)\n" TANKS, 4, "a", 3.2, 1e-9},
        {"R pipe : e = 0.3*f*abs(f) + 0.4*sign(f)\n" TANKS, 4, "f", 0, 1e-9},
        {"R pipe : f = 0.3*e*abs(e) + 0.4*sign(e)\n" MASSES, 0.5, "f", f1, 1e-9},
        {"R pipe : f = 0.3*e*abs(e) + 0.4*sign(e)\n" MASSES, 4, "a", 3.2, 1e-9},
    };
    check(each, COUNT(each), method);
}

#define DRIVEN(laws, bonds, q0)                                                                    \
    "Se V = 3*sin(2*t)\nC c = 1, q0 = " q0 "\n" laws "0 n\n1 x\nV -> x -> n\nn -> c\n" bonds       \
    "output q = q(c)\n"
#define ONE "x -> a\n"
#define TWO "x -> a\nx -> b\n"

BOTH(walls_in_series_with_laws_that_bend)
{
    const walled each[] = {
        {DRIVEN("R a : f = 0.56*e + 0.58*sign(e)\nR b : e = 1.41*f*abs(f)\n", TWO, "1/2"), 2, "q",
         0.8495788735333892, 1e-9},
        {DRIVEN("R b : e = 1.41*f*abs(f)\nR a : f = 0.56*e + 0.58*sign(e)\n", TWO, "1/2"), 3, "q",
         -0.24833432228841074, 1e-9},
        {DRIVEN("R a : e = 0.86*f*abs(f)\nR b : e = 0.22*f*abs(f) + 0.75*sign(f)\n", TWO, "1/10"),
         2, "q", 0.6286451317622938, 1e-9},
        {DRIVEN("R a : e = 0.86*f*abs(f)\nR b : e = 0.22*f*abs(f) + 0.75*sign(f)\n", TWO, "1/10"),
         3, "q", -0.5119529349338255, 1e-9},
        /* nothing is there when the flow begins, as steep as a root */
        {DRIVEN("R a : e = 0.86*f*abs(f)\nR b : e = 0.22*f*abs(f) + 0.75*sign(f)\n", TWO, "0"), 3,
         "q", -0.536792712615045, 1e-10},
    };
    check(each, COUNT(each), method);
}

#define PUMPED(law)                                                                                \
    "C c = 0.66, q0 = -1.66\nSf F = 2.6*sin(5.3*t)\nSe V = 5*sin(6.1*t)\n0 n\n1 x\nn -> c\n"       \
    "F -> n -> x\nV -> x\nx -> a\nx -> b\nR a : " law                                              \
    "\nR b : e = 2.64*f*abs(f) + 0.6*sign(f)\noutput q = q(c)\n"

/* The root is infinitely steep where the flow begins, and what it is given is not known well there. */
BOTH(a_root_in_series_with_a_wall)
{
    const walled each[] = {
        {PUMPED("f = 2.57*e*abs(e)"), 3, "q", 0.16408234089546792, 1e-9},
        {PUMPED("e = sign(f)*sqrt(abs(f)/2.57)"), 3, "q", 0.16408234089546792, 1e-9}};
    check(each, COUNT(each), method);
}

/* Two laws in series are one that is their sum. */
BOTH(laws_in_series_are_their_sum)
{
    static const char *const both[][2] = {
        {DRIVEN("R a : e = 1.43*f*abs(f)\nR b : f = 2*sign(e)*sqrt(abs(e))\n", TWO, "0"),
         DRIVEN("R a : e = 1.68*f*abs(f)\n", ONE, "0")},
        {DRIVEN("R a : e = f*abs(f)\nR b = 2\n", TWO, "0"),
         DRIVEN("R a : e = f*abs(f) + 2*f\n", ONE, "0")},
    };
    for (int i = 0; i < COUNT(both); i++)
        compare(both[i][0], both[i][1], "q", 3, 12, 1e-9, method);
}

/* ---- steps --------------------------------------------------------------------------------- */

#define COIL(source, inductance, law)                                                              \
    "Se V = " source "\nI coil = " inductance "\nR z : " law "\n1 n\nV -> n -> coil\nn -> z\n"     \
    "output i = f(coil), u = e(z)\n"
#define TORQUE(source, capacity, law)                                                              \
    "Sf V = " source "\nC coil = " capacity "\nR z : " law "\n0 n\nV -> n -> coil\nn -> z\n"       \
    "output i = e(coil), u = f(z)\n"

/* The current stays at 0 while the voltage is in the dead zone; so does the effort, in the dual. */
BOTH(a_dead_zone_holds_the_current)
{
    const walled each[] = {
        {COIL("24*sin(314*t)", "3m", "f = max(e - 0.5, 0) + min(e + 0.5, 0)"), 0.05, "i",
         11.654678299048216, 1e-9},
        {COIL("2*sin(3*t)", "0.31", "f = 0.93*(max(e - 0.31, 0) + min(e + 0.8, 0))"), 2, "i",
         -0.5048414172029954, 1e-9},
        {COIL("2*sin(3*t)", "0.31", "f = 0.93*(max(e - 0.31, 0) + min(e + 0.8, 0))"), 4, "i",
         -0.6977253800143938, 1e-9},
        {COIL("2*sin(3*t)", "0.31",
              "f = if(e > 0.31, 0.93*(e - 0.31), if(e < -0.8, 0.93*(e + 0.8), 0))"),
         4, "i", -0.6977253800143938, 1e-9},
        {TORQUE("2*sin(3*t)", "0.31", "e = 0.93*(max(f - 0.31, 0) + min(f + 0.8, 0))"), 4, "i",
         -0.6977253800143938, 1e-9},
        {COIL("6*sin(3*t) - 2.9", "0.31", "f = 0.93*max(e - 0.31, 0)"), 3, "i", 1.1455009335994917,
         1e-9},
        {COIL("6*sin(3*t) - 2.9", "0.31", "f = 0.93*max(e - 0.31, 0)"), 2, "i", 0, 1e-9},
        {COIL("6*sin(3*t) - 2.9", "0.31", "f = 0.93*max(e - 0.31, 0)"), 2, "u", 6 * sin(6) - 2.9,
         1e-7},
        {TORQUE("6*sin(3*t) - 2.9", "0.31", "e = 0.93*max(f - 0.31, 0)"), 3, "i",
         1.1455009335994917, 1e-9},
    };
    check(each, COUNT(each), method);
}

/* e = f + b·sign(f) is the same law, and is given what it reads. */
BOTH(a_dead_zone_is_a_friction)
{
    for (int k = 0; k < 10; k++) {
        double amplitude = 0.3 + 2.1 * k, omega = 1 + 37 * (k % 5), L = 0.02 * (1 + k % 7) / omega;
        double b = 0.1 + 0.2 * (k % 6);
        char one[400], other[400];
        snprintf(one, sizeof one,
                 "Se V = %.17g*sin(%g*t) + %g\nI coil = %.17g\nR z : f = max(e - "
                 "%g, 0) + min(e + %g, 0)\n1 n\nV -> n -> coil\nn -> z\n"
                 "output i = f(coil)\n",
                 amplitude, omega, 0.1 * (k % 3), L, b, b);
        snprintf(other, sizeof other,
                 "Se V = %.17g*sin(%g*t) + %g\nI coil = %.17g\nR z : e = f + %g*sign(f)\n1 n\n"
                 "V -> n -> coil\nn -> z\noutput i = f(coil)\n",
                 amplitude, omega, 0.1 * (k % 3), L, b);
        compare(one, other, "i", 20 / omega, 40, 1e-10, method);
    }
}

/* A slider in series with a spring gives way at 2, and turns back with the spring's own stiffness. */
BOTH(a_slider_beside_a_spring_gives_way)
{
    static const char *const law[] = {"e = 2*sign(f)", "e = if(f > 0, 2, -2)"};
    for (int i = 0; i < 2; i++) {
        char text[300];
        snprintf(text, sizeof text,
                 "Sf v = if(t < 1, 1, -1)\nC k = 1/10\nR s : %s\n0 j\nv -> j -> k\nj -> s\n"
                 "output F = e(k), w = f(s)\n",
                 law[i]);
        const walled each[] = {{text, 0.15, "F", 1.5, 1e-10}, {text, 0.7, "F", 2, 1e-10},
                               {text, 0.7, "w", 1, 1e-9},     {text, 1.1, "F", 1, 1e-10},
                               {text, 1.1, "w", 0, 1e-9},     {text, 1.3, "F", -1, 1e-10},
                               {text, 2, "F", -2, 1e-10},     {text, 2, "w", -1, 1e-9}};
        check(each, COUNT(each), method);
    }
}

/* Filled with 2 a tank comes to 1 at ln 2, and the rest flows off; filled with 1/2 it falls again. */
BOTH(a_law_that_saturates_holds_what_it_is_given)
{
    static const char text[] = "Sf in = if(t < 2, 2, 1/2)\nC c = 1\n0 n\nin -> n -> c\nn -> s\n"
                               "R s : e = min(max(f, -1), 1)\noutput e = e(c), f = f(s)\n";
    static const char dual[] = "Se in = if(t < 2, 2, 1/2)\nI c = 1\n1 n\nin -> n -> c\nn -> s\n"
                               "R s : f = min(max(e, -1), 1)\noutput e = f(c), f = e(s)\n";
    const walled each[] = {{text, 0.5, "e", 2 * (1 - exp(-0.5)), 1e-10},
                           {text, 1.5, "e", 1, 1e-10},
                           {text, 1.5, "f", 2, 1e-9},
                           {text, 3, "e", 0.5 + 0.5 * exp(-1), 1e-10},
                           {dual, 1.5, "f", 2, 1e-9},
                           {dual, 3, "e", 0.5 + 0.5 * exp(-1), 1e-10}};
    check(each, COUNT(each), method);
}

/* The valve holds the empty tank at 0 with any flow below 0.84, but the diode lets none come back. */
BOTH(a_diode_reads_what_holds_on_a_step)
{
    static const char text[] = "C c = 0.71, q0 = 2.44\nSf F = 1.3*sin(1.8*t)\n0 n\nX1 d\n1 w\n"
                               "n -> c\nF -> n\nn -> d -> w\nw -> r\nswitch d diode\n"
                               "R r : e = 2.41*max(f - 0.84, 0)\noutput q = q(c), f = f(r)\n";
    const walled each[] = {{text, 3, "q", -0.8950503101335867, 1e-9}, {text, 3, "f", 0, 1e-9}};
    check(each, COUNT(each), method);
}

/* No tank can stay below another one that may only be above it: that is said, with the law. */
ALONE(a_law_that_has_come_to_its_end_is_named)
{
    rig r;
    jn_sim_options o = {.method = method};
    bool runs = rig_new(&r,
                        "Sf q = 1 - t\nR cv : f = max(e - 1/2, 0)\n1 j\nq -> j -> cv\n"
                        "output e = e(cv)\n",
                        &o);
    CHECK(runs);
    if (runs) {
        CHECK(rig_try(&r, 2) == JN_STOP_NUMERICS);
        CLOSE(r.stop.t, 1, 1, 1e-6);
        CHECK(strstr(r.message, "'cv'") != NULL);
    }
    rig_clear(&r);
}

#define STIFF(slope)                                                                               \
    "Sf v = 2 + sin(t)\nC k = 1\nR s : e = 2*sign(f) + " slope "*f\n0 j\nv -> j -> k\nj -> s\n"    \
    "output f = f(s)\n"

/* The steps ask e = 2 + k*f for no more than their tolerance, beside which f is anything; but f is what is driven through
 * it: k*f' + f = 2 + sin(t). */
ALONE(what_is_driven_through_a_steep_inverse_is_known)
{
    double k = 1e-6, t = 9;
    const walled each[] = {
        {STIFF("1e-6"), t, "f", 2 + (sin(t) - k * cos(t)) / (1 + k * k), 1e-10},
        {STIFF("1e-4"), t, "f", 2 + (sin(t) - 1e-4 * cos(t)) / (1 + 1e-8), 1e-10},
        {STIFF("1e-8"), 5, "f", 2 + (sin(5) - 1e-8 * cos(5)), 1e-10},
    };
    check(each, COUNT(each), method);
}

/* The voltage comes back to the wall while the diode is off, and its current is within the wall or beyond it. Off it is
 * q = q1 + (cos(4.3*t1) - cos(4.3*t))*1.1/4.3. */
BOTH(a_diode_lets_a_law_out_of_its_wall)
{
    static const char text[] =
        "C c = 1.86, q0 = 2.34\nSf F = 1.1*sin(4.3*t)\nR r : f = 1.83*e + 0.66*sign(e)\n0 n\nX1 x\n"
        "1 w\nn -> c\nF -> n -> x -> w -> r\nswitch x diode\noutput q = q(c)\n";
    static const double at[] = {1.3090491010164778, 1.6133626697647252, 2.2440040106549475};
    const walled each[] = {{text, 3, "q", -0.49110627910770355, 1e-10}};
    check(each, COUNT(each), method);
    rig r;
    jn_sim_options o = {.method = method};
    bool runs = rig_new(&r, text, &o);
    CHECK(runs);
    if (runs)
        rig_to(&r, 3);
    int n = 0;
    for (int k = 0; k < r.nevents; k++)
        if (r.event[k].kind == JN_EVENT_STATE && n < COUNT(at))
            CLOSE(r.event[k].t, at[n++], 1, 1e-11);
    CHECK(n == COUNT(at));
    rig_clear(&r);
}

#define TWO_WALLS                                                                                  \
    "C c = 1.15, q0 = 3/2\nR a : f = if(e > 0.76, 0.76 + 2.75*(e - 0.76), e)\n"                    \
    "R b : f = 2.51*e*abs(e) + 0.19*sign(e)\nR d : f = 2.91*e*abs(e) + 0.19*sign(e)\n"             \
    "R g : e = 2.2*f + 0.8*sign(f)\n0 n\n1 x\n1 y\nn -> c\nn -> x\nx -> a\nx -> b\nn -> y\ny -> "  \
    "d\n"                                                                                          \
    "y -> g\noutput q = q(c)\n"

/* What a square law is given hardly moves where it comes to its wall: f - 0.19 = 2.91*e^2. */
BOTH(a_square_law_comes_to_its_wall)
{
    const walled each[] = {{TWO_WALLS, 0.3, "q", 1.2313959083012054, 1e-11},
                           {TWO_WALLS, 1, "q", 0.837858834367424, 1e-11},
                           {TWO_WALLS, 2, "q", 0.5032116560632856, 1e-11}};
    check(each, COUNT(each), method);
}

#define KINKED                                                                                     \
    "C a = 1, q0 = -0.18\nC b = 0.92, q0 = -0.95\nSf F = 2.5*sin(2*t)\n0 na\n0 nb\nX1 x\n1 w\n1 "  \
    "y\n"                                                                                          \
    "na -> a\nnb -> b\nF -> nb\nna -> x -> w -> nb\nna -> y -> nb\nswitch x diode\n"               \
    "R r : f = 0.91*e^3 + 0.39*e\nw -> r\nR p : e = 1.76*max(f, 0) + 0.29*min(f, 0)\n"             \
    "R s : f = 1.07*e*abs(e) + 0.17*sign(e)\ny -> p\ny -> s\noutput q = q(a)\n"

/* On one side of a kink an inverse is six times as steep as on the other, and its rounding as large. */
BOTH(a_kink_is_crossed_where_it_is_inverted)
{
    const walled each[] = {{KINKED, 3, "q", -0.24709488582603706, 1e-10}};
    check(each, COUNT(each), method);
}

/* e = max(f - 0.13, 0)*1.48 is given -1.9: it has no such value, and no others are to blame. */
static void a_law_that_has_no_such_value_is_named(void)
{
    rig r;
    CU_ASSERT_FALSE(rig_new(&r,
                            "C a = 0.7, q0 = 2.35\nSf F = 2.9*sin(3.3*t)\nC b = 1.47, q0 = 2.14\n"
                            "R one : e = 1.48*max(f - 0.13, 0)\nR two = 1\n0 na\n0 nb\n1 x\n"
                            "na -> a\nnb -> b\nF -> na\nna -> two\nnb -> x -> na\nx -> one\n",
                            NULL));
    CU_ASSERT(rig_has_error(&r, "run-start"));
    bool named = false;
    for (int i = 0; i < jn_diags_count(r.diags); i++)
        named |= strstr(jn_diags_get(r.diags, i)->message, "look at the law of 'one'") != NULL;
    CU_ASSERT(named);
    rig_clear(&r);
}

#define DEAD_ZONES                                                                                 \
    "C a = 0.31, q0 = 3.65\nC b = 1.79, q0 = 3.59\n0 na\n0 nb\n1 x\n1 y\n1 z\nna -> a\nnb -> b\n"  \
    "na -> x -> p\nR p : e = 0.53*f + 0.71*sign(f)\nna -> y\ny -> r\ny -> s\ny -> i\nI i = 0.11\n" \
    "R r : f = if(e > 0.17, 0.17 + 0.38*(e - 0.17), e)\nR s : e = 2.97*f^3\nna -> z -> nb\n"       \
    "z -> u\nz -> v\nR u : f = 2.27*(max(e - 0.36, 0) + min(e + 0.99, 0))\n"                       \
    "R v : e = 1.91*f + 0.41*sign(f)\noutput q = q(b)\n"

/* While the flow rests in the dead zone another law comes to its wall: a stretch holds to its own side of that. */
BOTH(a_slide_goes_on_past_the_end_of_a_wall)
{
    const walled each[] = {{DEAD_ZONES, 0.25, "q", 3.891403314795833, 1e-11},
                           {DEAD_ZONES, 1, "q", 3.8559130942926254, 1e-11},
                           {DEAD_ZONES, 3, "q", 3.5273359691205948, 1e-11}};
    check(each, COUNT(each), method);
}

void suite_sim_walls(void)
{
    TEST_SUITE("sim_walls");
    TEST_ADD(a_pipe_with_a_yield_stress_comes_to_rest);
    TEST_ADD(walls_in_series_with_laws_that_bend);
    TEST_ADD(a_root_in_series_with_a_wall);
    TEST_ADD(laws_in_series_are_their_sum);
    TEST_ADD(a_dead_zone_holds_the_current);
    TEST_ADD(a_dead_zone_is_a_friction);
    TEST_ADD(a_slider_beside_a_spring_gives_way);
    TEST_ADD(a_law_that_saturates_holds_what_it_is_given);
    TEST_ADD(a_diode_reads_what_holds_on_a_step);
    TEST_ADD(a_law_that_has_come_to_its_end_is_named);
    TEST_ADD(what_is_driven_through_a_steep_inverse_is_known);
    TEST_ADD(a_diode_lets_a_law_out_of_its_wall);
    TEST_ADD(a_square_law_comes_to_its_wall);
    TEST_ADD(a_kink_is_crossed_where_it_is_inverted);
    TEST_ADD(a_law_that_has_no_such_value_is_named);
    TEST_ADD(a_slide_goes_on_past_the_end_of_a_wall);
}
