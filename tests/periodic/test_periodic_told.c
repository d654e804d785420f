/* test_periodic_told.c: what is told of orbits with jumps, and of those that are one of many. */
#include <math.h>

#include "orbits.h"

#define PI 3.14159265358979323846

static bool says(const orbit *b, const char *what)
{
    return b->orbit && b->orbit->message && strstr(b->orbit->message, what);
}

/* ---- jumps --------------------------------------------------------------------------------- */

/* A capacitor of 1u is charged to 10 at once, and lets 10u have of it at once. With a and b the shares that
 * the load leaves of a voltage in the two halves, that at the end is v = b·(10 + 10·a·v)/11. */
static void sources_give_power_in_jumps(void)
{
    orbit b;
    orbit_find(&b,
               "model m\nSe V = 10\nC Cf = 1u\nC Co = 10u\nR load = 50\nR bleed = 100\n0 in\n0 a\n"
               "0 out\nX1 s1\nX1 s2\nV -> in -> bleed\nin -> s1 -> a -> s2 -> out -> Co\n"
               "a -> Cf\nout -> load\nswitch s1 pwm(10u, 1/2)\nswitch s2 pwm(10u, 1/2, 5u)\n"
               "output v = e(out), iin = f(V), sq = f(V)^2\n",
               NULL);
    CU_ASSERT_EQUAL_FATAL(b.status, JN_OK);
    double half = exp(-0.01), shared = exp(-1 / 110.0);
    double v = 10 * shared / (11 - 10 * half * shared), charge = 1e-6 * (10 - v);
    CLOSE_REL(b.orbit->power[0].power, 1 + 10 * charge / 1e-5, 1e-12);
    CLOSE_REL(b.orbit->power[0].power, b.orbit->energy.supplied / 1e-5, 1e-12);
    CLOSE_REL(orbit_value(&b, "iin")->mean, 0.1, 1e-12);
    CLOSE_REL(orbit_value(&b, "iin")->impulse, charge, 1e-12);
    CU_ASSERT(says(&b, "'iin' has impulses, of area 1.66"));
    CU_ASSERT(says(&b, "with them its mean is 0.26663"));
    CU_ASSERT(isnan(orbit_value(&b, "sq")->impulse));
    CU_ASSERT(says(&b, "'sq' has impulses: "));
    CU_ASSERT_EQUAL(orbit_value(&b, "v")->impulse, 0);
    CU_ASSERT(!says(&b, "'v'"));
    orbit_clear(&b);
}

/* ---- what is nothing ----------------------------------------------------------------------- */

/* The ball stays on the table: what is left of its distance is rounding, and is measured as such. */
static void what_cancels_is_measured(void)
{
    orbit b;
    orbit_find(&b,
               "model m\nSf tab = cos(20*t)\nSe weight = -10\nI ball = 1\n1 w\n1 v\nX0 c\n"
               "tab -> w\nw -> c -> v -> ball\nweight -> v\nsignal y = int(f(ball), 0)\n"
               "switch c on\noutput y, g = y - sin(20*t)/20\n",
               NULL);
    CU_ASSERT_EQUAL_FATAL(b.status, JN_OK);
    CLOSE(orbit_value(&b, "g")->mean, 0, 1, 1e-13);
    CLOSE(orbit_value(&b, "g")->rms, 0, 1, 1e-13);
    CLOSE_REL(orbit_value(&b, "y")->rms, 0.05 / sqrt(2), 1e-12);
    orbit_clear(&b);
}

/* What is no number for some time is named. */
static void what_is_no_number_is_told(void)
{
    orbit b;
    orbit_find(&b,
               "model m\nSe V = cos(t)\nI L = 1\nR r = 1\n1 a\nV -> a -> L\na -> r\n"
               "output i = f(L), root = sqrt(f(L))\n",
               NULL);
    CU_ASSERT_EQUAL_FATAL(b.status, JN_OK);
    CU_ASSERT(says(&b, "'root' is not measured"));
    CU_ASSERT(!says(&b, "'i'"));
    orbit_clear(&b);
}

/* A sampled controller: what follows the clock's edge within its rounding is no mode of its own. */
static void no_mode_lasts_less_than_rounding(void)
{
    orbit b;
    orbit_find(
        &b,
        "model m\ndiscrete D = 0.4\ndiscrete Dn = 0.4\nSe V = 24\nSe G = 0\nI L = 47u\n"
        "R rl = 1/10\nC C1 = 47u\nR load = 4\n0 n\n0 out\n1 coil\nX1 s\nX1 z\n"
        "V -> s -> n\nG -> z -> n\nn -> coil -> L\ncoil -> rl\ncoil -> out -> C1\n"
        "out -> load\nswitch clk pwm(20u, 1/2)\nautomaton smp {\nlo off initial\nhi on\n"
        "lo -> hi when on(clk) { D = Dn; Dn = min(max(0.5 + (12 - e(out))/60, 0.02), 0.98) }\n"
        "hi -> lo when not on(clk)\n}\nsignal ramp = mod(t, 20u)/20u\n"
        "switch s on, off when ramp >= D, on when ramp < D\n"
        "switch z off, on when not on(s), off when on(s)\noutput v = e(out)\n",
        NULL);
    CU_ASSERT_EQUAL_FATAL(b.status, JN_OK);
    CU_ASSERT_EQUAL(b.orbit->nmodes, 3);
    for (int i = 0; i < b.orbit->nmodes; i++)
        CU_ASSERT(b.orbit->mode[i].to - b.orbit->mode[i].from > 1e-9);
    orbit_clear(&b);
}

/* ---- being asked to end -------------------------------------------------------------------- */

static bool asked_enough(void *ctx)
{
    int *left = ctx;
    *left -= *left > 0;
    return *left == 0;
}

/* Wherever it is, nothing is told as found. */
static void an_end_before_time_is_no_orbit(void)
{
    bool found = false;
    for (int most = 20; most < 2000000 && !found; most += most / 8) {
        int left = most;
        const jn_steady_options o = {
            .is_free = true, .settle = 20, .interrupted = asked_enough, .ctx = &left};
        orbit b;
        orbit_find(&b,
                   "model m\nI m = 1, f0 = 2\nC k = 1\nR v : e = (q(k)^2 - 1)*f\n1 a\n"
                   "a -> m\na -> k\na -> v\noutput x = q(k)\n",
                   &o);
        found = b.status == JN_OK;
        if (b.orbit)
            CU_ASSERT_EQUAL(b.orbit->status == JN_STEADY_FOUND, found);
        orbit_clear(&b);
    }
    CU_ASSERT(found);
}

/* An output that jumps where nothing switches: sin above one half, a third of the time. Its extrema are its two
 * values, its harmonics 2/(pi h) sin(pi h/3). */
static void outputs_may_jump(void)
{
    static const char text[] =
        "model m\nSe V = sin(2*pi*t)\nR r = 1\nI L = 1\n1 a\nV -> a -> r\na -> L\n"
        "output y = if(e(V) > 1/2, 1, 0), z = if(e(V) > 1/2, 3 - e(V), e(V))\n";
    orbit b;
    orbit_find(&b, text, NULL);
    CU_ASSERT_EQUAL_FATAL(b.status, JN_OK);
    const jn_steady_value *y = orbit_value(&b, "y"), *z = orbit_value(&b, "z");
    CLOSE(y->min, 0, 1, 1e-14);
    CLOSE(y->max, 1, 1, 1e-14);
    CLOSE(y->mean, 1.0 / 3, 1, 1e-12);
    CLOSE(y->rms, sqrt(1.0 / 3), 1, 1e-12);
    for (int h = 1; h <= 10; h++)
        CLOSE(y->amplitude[h - 1], fabs(2 / (PI * h) * sin(PI * h / 3)), 1, 1e-10);
    CLOSE(z->min, -1, 1, 1e-12);
    CLOSE(z->max, 2.5, 1, 1e-11); /* just beside the jump */
    orbit_clear(&b);
}

/* Outputs may read time, or what does not come back: then they have another period than the states, or none. */
static void outputs_may_have_other_periods(void)
{
    static const char text[] =
        "model m\nSe V = sin(2*pi*t)\nR r = 1\nC c = 1\n1 a\nV -> a -> r\na -> c\n"
        "signal s = int(1 + e(c))\noutput x = e(c)*sin(4*pi*t), y = e(c)*sin(pi*t/5), "
        "z = t*e(c), w = sin(s), v = e(c)\n";
    orbit b;
    orbit_find(&b, text, NULL);
    CU_ASSERT_EQUAL_FATAL(b.status, JN_OK);
    for (int i = 0; i < b.orbit->nvalues; i++) {
        bool drifts = strchr("yzw", b.orbit->value[i].name[0]) != NULL;
        CU_ASSERT_EQUAL(b.orbit->value[i].drifts, drifts);
        CU_ASSERT_EQUAL(isnan(b.orbit->value[i].mean) != 0, drifts);
    }
    CU_ASSERT(strstr(b.orbit->message, "'y' does not have the period of the orbit") != NULL);
    orbit_clear(&b);
}

/* A counter that is read through what turns again and again comes to no bound: with mod, one period of 50 is another
 * one, and so is one of a burst of three pulses, after which the automaton is elsewhere. */
static void counters_are_no_bounds(void)
{
    static const char skips[] =
        "model m\ndiscrete n = 0\nSe V = 10\nR r = 1\nC c = 1\nR l1 = 3\n0 n1\n1 in\nX1 a\nV -> in "
        "-> n1 -> c\n"
        "in -> r\nn1 -> a -> l1\nswitch clk pwm(1, 1/2)\nautomaton cn {\n  x off initial\n  y on\n"
        "  x -> y when on(clk) { n = n + 1 }\n  y -> x when not on(clk)\n}\n"
        "switch a transistor(on(clk) and mod(n, 50) < 48.5)\noutput v = e(n1)\n";
    static const char burst[] =
        "model m\ndiscrete k = 0\nSe V = 12\nSe G = 0\nI L = 22u\nC C1 = 47u, e0 = 5\nR load = "
        "50\n0 n\n0 out\n"
        "1 coil\nX1 s\nX1 d\nV -> s -> n\nG -> d -> n\nn -> coil -> L\ncoil -> out -> C1\nout -> "
        "load\n"
        "switch clk pwm(10u, 0.3)\nautomaton s {\nidle off initial\non1 on\nwait off\n"
        "idle -> on1 when on(clk) and e(out) < 4.9 and k < 1 { k = 3 }\non1 -> wait when not "
        "on(clk) { k = k - 1 }\n"
        "wait -> on1 when on(clk) and k > 0\nwait -> idle when on(clk) and k < 1\n}\nswitch d "
        "diode\n"
        "output v = e(out)\n";
    orbit b;
    orbit_find(&b, skips, NULL);
    CU_ASSERT_EQUAL(b.status, JN_UNABLE);
    CU_ASSERT(b.orbit && strstr(b.orbit->message, "'n' changes from period to period") != NULL);
    orbit_clear(&b);
    orbit_find(&b, burst, NULL);
    CU_ASSERT_EQUAL(b.status, JN_UNABLE);
    orbit_clear(&b);
}

/* Every third pulse is left out: there is no orbit of one period, and the advice is the right one. */
static void other_periods_are_advised(void)
{
    static const char text[] =
        "model burst\ndiscrete n = 0\nSe V = 10\nR r = 1k\nC c = 1u\n0 nn\n1 l\nX1 s\nV -> s -> l "
        "-> nn -> c\n"
        "l -> r\nR load = 10k\nnn -> load\nswitch clk pwm(1m, 2/5)\nautomaton s {\n  lo off "
        "initial\n  skip off\n"
        "  hi on\n  lo -> hi when on(clk) and n < 2 { n = n + 1 }\n"
        "  lo -> skip when on(clk) and n >= 2 { n = 0 }\n  hi -> lo when not on(clk)\n"
        "  skip -> lo when not on(clk)\n}\noutput v = e(c)\n";
    orbit b;
    orbit_find(&b, text, NULL);
    CU_ASSERT_EQUAL(b.status, JN_UNABLE);
    CU_ASSERT(b.orbit && strstr(b.orbit->message, "try --times 3") != NULL);
    orbit_clear(&b);
    orbit_find(&b, text, &(jn_steady_options){.times = 3});
    CU_ASSERT_EQUAL(b.status, JN_OK);
    orbit_clear(&b);
}

/* ---- families ------------------------------------------------------------------------------ */

/* Where energy is conserved the run is on one of many orbits; that one is told, and nothing draws it back. */
static void check_family(const char *text, double period, const char *name, double low, double high)
{
    const jn_steady_options free_run = {.is_free = true};
    orbit b;
    orbit_find(&b, text, &free_run);
    CU_ASSERT_EQUAL_FATAL(b.status, JN_OK);
    const jn_steady *o = b.orbit;
    CLOSE_REL(o->period, period, 1e-8);
    CLOSE(orbit_value(&b, name)->min, low, high, 1e-8);
    CLOSE_REL(orbit_value(&b, name)->max, high, 1e-8);
    CU_ASSERT_EQUAL(o->verdict, JN_ORBIT_NEUTRAL);
    for (int i = 0; i < o->nmultipliers; i++) {
        double size = hypot(o->multiplier[i].re, o->multiplier[i].im);
        bool is_one = size > 0.5;
        CU_ASSERT_EQUAL(o->multiplier[i].im, 0);
        CU_ASSERT(!is_one || fabs(size - 1) <= fmax(1e-9, o->multiplier_error));
    }
    CU_ASSERT(o->multiplier_error < 1e-6);
    CU_ASSERT(says(&b, "one of a family of orbits, the one that the run is on"));
    orbit_clear(&b);
}

static double agm(double a, double b)
{
    for (int i = 0; i < 10; i++) {
        double mean = 0.5 * (a + b);
        b = sqrt(a * b);
        a = mean;
    }
    return a;
}

/* The pendulum's period by the arithmetic-geometric mean; that of the cubic spring is
 * Γ(1/4)²/√π; the ball falls for √(2·h/g) and is below the floor for half a turn of a spring and a little more. */
static void the_run_is_on_one_of_a_family(void)
{
    check_family("model m\nI J = 1\nSe w = -sin(th)\n1 a\nw -> a -> J\n"
                 "signal th = int(f(J), 2)\noutput th\nsimulate to 60 every 1\n",
                 2 * PI / agm(1, cos(1)), "th", -2, 2);
    double gamma = tgamma(0.25);
    check_family("model m\nI m = 1\nC k : e = q^3, q0 = 1\n1 v\nv -> m\nv -> k\n"
                 "output x = q(k)\nsimulate to 60 every 1\n",
                 gamma * gamma / sqrt(PI), "x", -1, 1);
    check_family("model m\nI m = 2\nC k = 1/8\nSe F = 3/2\n1 v\nF -> v -> m\nv -> k\n"
                 "output x = e(k)\nsimulate to 60 every 1\n",
                 PI, "x", 0, 3);
    double g = 9.81, w = 100, v = sqrt(2 * g);
    check_family("model m\nSe weight = -9.81\nI ball = 1\nC floor = 1/10000\n1 v\nX0 below\n"
                 "weight -> v -> ball\nbelow -> v\nbelow -> floor\n"
                 "signal y = int(f(ball), 1)\nswitch below stop(y)\noutput y\n"
                 "simulate to 20 every 1\n",
                 2 * v / g + 2 / w * (PI - atan(v * w / g)), "y",
                 -g / w / w - hypot(g / w / w, v / w), 1);
}

/* Two of them together never come back. */
static void no_other_one_of_a_family_is_told(void)
{
    const jn_steady_options free_run = {.is_free = true};
    orbit b;
    orbit_find(&b,
               "model m\nI m = 1, f0 = 1\nC k = 1\n1 v\nv -> m\nv -> k\nI m2 = 1, f0 = 1/2\n"
               "C k2 = 1/2\n1 w\nw -> m2\nw -> k2\nsimulate to 60 every 1\n",
               &free_run);
    CU_ASSERT_EQUAL(b.status, JN_UNABLE);
    CU_ASSERT(says(&b, "they are a family: nothing draws the run to one of them"));
    orbit_clear(&b);
}

/* What is weakly drawn is drawn: of van der Pol's oscillator, by e^(−2π·mu) in the first order. */
static void a_weakly_attracting_orbit_is_stable(void)
{
    const jn_steady_options free_run = {.is_free = true};
    orbit b;
    orbit_find(&b,
               "model m\nI m = 1, f0 = 2\nC k = 1\nR v : e = (q(k)^2 - 1)*f/10000\n1 a\n"
               "a -> m\na -> k\na -> v\noutput x = q(k)\nsimulate to 60 every 1\n",
               &free_run);
    CU_ASSERT_EQUAL_FATAL(b.status, JN_OK);
    CU_ASSERT_EQUAL(b.orbit->verdict, JN_ORBIT_STABLE);
    CLOSE_REL(b.orbit->multiplier[0].re, exp(-2e-4 * PI), 1e-7);
    CLOSE_REL(orbit_value(&b, "x")->max, 2, 1e-6);
    orbit_clear(&b);
}

/* ---- corners ------------------------------------------------------------------------------- */

/* The mass comes to the belt exactly where the brake can just hold it: rounding decides whether it does. Whatever
 * is told of its slopes must be what symmetry says, mean x = Fk. */
static void nothing_false_is_told_on_a_corner(void)
{
    const jn_steady_options free_run = {.is_free = true};
    orbit b;
    jn_sensitivity *s = NULL;
    orbit_read(&b, "model m\nparam vb = 1/2\nparam Fs = 4\nparam Fk = 3/2\nI m = 2, f0 = 1/2\n"
                   "C k = 1/8\nSf belt = vb\n1 b\n1 v\nX0 grip\nbelt -> b\nb -> grip -> v\n"
                   "v -> m\nv -> k\nSe fk = Fk\nfk -> v\nswitch grip brake(Fs - Fk)\n"
                   "output x = e(k)\nsimulate to 60 every 1\n");
    jn_status st = jn_sensitivity_find(&s, b.graph, &free_run, b.diags);
    CU_ASSERT(st == JN_OK || (st == JN_UNABLE && s && s->orbit->message));
    for (int i = 0; st == JN_OK && i < s->n; i++)
        if (s->way[i] != JN_SLOPE_NONE)
            CLOSE(s->slope[i], strcmp(s->name[i], "Fk") == 0 ? 1 : 0, 1, 1e-9);
    if (st == JN_OK)
        CLOSE_REL(s->orbit->value[0].mean, 1.5, 1e-9);
    jn_sensitivity_free(s);
    orbit_clear(&b);
}

void suite_periodic_told(void)
{
    TEST_SUITE("periodic_told");
    TEST_ADD(sources_give_power_in_jumps);
    TEST_ADD(what_cancels_is_measured);
    TEST_ADD(what_is_no_number_is_told);
    TEST_ADD(no_mode_lasts_less_than_rounding);
    TEST_ADD(an_end_before_time_is_no_orbit);
    TEST_ADD(outputs_may_jump);
    TEST_ADD(outputs_may_have_other_periods);
    TEST_ADD(counters_are_no_bounds);
    TEST_ADD(other_periods_are_advised);
    TEST_ADD(the_run_is_on_one_of_a_family);
    TEST_ADD(no_other_one_of_a_family_is_told);
    TEST_ADD(a_weakly_attracting_orbit_is_stable);
    TEST_ADD(nothing_false_is_told_on_a_corner);
}
