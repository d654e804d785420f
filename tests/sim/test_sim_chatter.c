/* test_sim_chatter.c: runs that might chatter, creep or never end; against closed forms, or Runge and Kutta's
 * method on equations derived by hand. */
#include "rig.h"

#include <math.h>

#define PI 3.141592653589793238462643383279502884L

typedef long double real;

static bool begin(rig *r, const char *text, double end)
{
    bool ok = rig_ends(text, NULL, end) && rig_new(r, text, NULL);
    CU_ASSERT(ok);
    return ok;
}

/* ---- friction beside a pipe ---------------------------------------------------------------- */

/* Two tanks of 1 and 2, from levels 1 and 1/2: the root of their difference falls by 3/4/√k a second. What holds the
 * block and what is level by then are followed together. */
static void check_pipe(const char *force, const char *law, double k)
{
    rig r;
    char text[500];
    snprintf(text, sizeof text,
             "model m\nSe F = %s\nI m = 1\nR fr : e = %s\n1 a\nF -> a -> m\na -> fr\n"
             "C t1 = 1, q0 = 1\nC t2 = 2, q0 = 1\nR p : e = %g*f*abs(f)\n0 n1\n0 n2\n1 j\n"
             "n1 -> t1\nn1 -> j -> n2 -> t2\nj -> p\noutput v = f(m), h = e(t1)\n",
             force, law, k);
    if (!begin(&r, text, 10))
        return;
    for (int t = 1; t <= 10; t++) {
        real root = fmaxl(sqrtl(0.5L) - 0.75L / sqrtl(k) * t, 0);
        rig_to(&r, t);
        CLOSE(rig_output(&r, "h"), (1 + root * root) / 1.5L, 1, 1e-10);
    }
    LEDGER(&r);
    rig_clear(&r);
}

static void a_block_is_held_beside_a_pipe_at_rest(void)
{
    static const char *const force[] = {"1", "if(t > 1, 3, 0)", "2.5*sin(5*t)"};
    for (size_t i = 0; i < sizeof force / sizeof *force; i++) {
        check_pipe(force[i], "2*sign(f)", 0.5);
        check_pipe(force[i], "2*sign(f)", 2);
        check_pipe(force[i], "sign(f)*(2 + exp(-abs(f)))", 0.5);
    }
}

/* ---- bridges of exponentials --------------------------------------------------------------- */

#define BRIDGE                                                                                     \
    "0 a\n0 b\n0 plus\n0 minus\n1 s\n1 j1\n1 j2\n1 j3\n1 j4\n1 ld\n0 o\nR rs = 1\nV -> s -> rs\n"  \
    "s -> a\nb -> s\na -> j1 -> plus\nj1 -> d1\nminus -> j2 -> a\nj2 -> d2\nb -> j3 -> plus\n"     \
    "j3 -> d3\nminus -> j4 -> b\nj4 -> d4\nplus -> ld -> minus\nld -> o -> rl\nR rl = 100\n"

typedef struct {
    real amplitude, f, Is, C;
} bridge;

/* The current from the source: i = 2·Is·exp(−v/2Vt)·sinh((V − i)/2Vt). */
static real bridge_current(const bridge *b, real V, real v)
{
    real Vt = 0.026L, low = fminl(V, 0), high = fmaxl(V, 0);
    for (int k = 0; k < 100; k++) {
        real i = 0.5L * (low + high), u = V - i;
        real gives = b->Is * (expl((u - v) / 2 / Vt) - expl((-u - v) / 2 / Vt));
        *(gives > i ? &low : &high) = i;
    }
    return low;
}

static real voltage_at(const bridge *b, real t)
{
    return b->amplitude * sinl(2 * PI * b->f * t);
}

/* v' */
static real charges(const bridge *b, real t, real v)
{
    real V = voltage_at(b, t), u = V - bridge_current(b, V, v), Vt = 0.026L;
    real into = b->Is * (expm1l((u - v) / 2 / Vt) + expm1l((-u - v) / 2 / Vt));
    return (into - v / 100) / b->C;
}

static real rectified(const bridge *b, real v, real from, real to, int steps)
{
    real h = (to - from) / steps;
    for (int i = 0; i < steps; i++) {
        real t = from + i * h, k1 = charges(b, t, v), k2 = charges(b, t + h / 2, v + h / 2 * k1);
        real k3 = charges(b, t + h / 2, v + h / 2 * k2), k4 = charges(b, t + h, v + h * k3);
        v += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
    }
    return v;
}

static void check_bridge(double amplitude, double f, double Is, bool has_capacitor)
{
    enum { PARTS = 15, STEPS = 800 };
    bridge b = {amplitude, f, Is, 1 / (10 * (real)f)};
    rig r;
    char text[1000], capacitor[60];
    snprintf(capacitor, sizeof capacitor, "C c = 1/%.0f\no -> c\n", 10 * f);
    snprintf(text, sizeof text,
             "model m\nSe V = %g*sin(2*pi*%g*t)\n%s%s"
             "R d1 : f = %g*(exp(e/0.026) - 1)\nR d2 : f = %g*(exp(e/0.026) - 1)\n"
             "R d3 : f = %g*(exp(e/0.026) - 1)\nR d4 : f = %g*(exp(e/0.026) - 1)\n"
             "output v = e(rl), i = f(rs)\n",
             amplitude, f, BRIDGE, has_capacitor ? capacitor : "", Is, Is, Is, Is);
    if (!begin(&r, text, 1.5 / f))
        return;
    real v = 0;
    for (int k = 0; k < PARTS; k++) {
        real from = 0.1L * k / f, to = 0.1L * (k + 1) / f;
        rig_to(&r, (double)to);
        if (has_capacitor) {
            v = rectified(&b, v, from, to, STEPS);
            CLOSE(rig_output(&r, "v"), v, amplitude, 1e-8);
            CLOSE(rig_output(&r, "i"), bridge_current(&b, voltage_at(&b, to), v), amplitude, 1e-7);
        } else { /* two drops and two resistors in series */
            real V = fabsl(voltage_at(&b, to)), i = rig_output(&r, "v") / 100;
            CLOSE(2 * 0.026L * log1pl(i / b.Is) + 101 * i, V, amplitude, 1e-7);
        }
    }
    LEDGER(&r);
    rig_clear(&r);
}

static void diodes_by_exponentials_make_a_bridge(void)
{
    check_bridge(10, 50, 1e-9, true);
    check_bridge(10, 50, 1e-14, true);
    check_bridge(325, 50, 1e-12, true);
    check_bridge(10, 10000, 1e-12, true);
    check_bridge(10, 50, 1e-12, false);
    check_bridge(325, 1000, 1e-9, false);
}

/* ---- poles --------------------------------------------------------------------------------- */

static void check_pole(const char *source, real at, bool is_linear)
{
    rig r;
    char text[300];
    snprintf(text, sizeof text,
             "model m\nSe V = %s\nI c = 1\nR r : e = f + %s\n1 n\nV -> n -> c\nn -> r\n"
             "output v = f(c)\n",
             source, is_linear ? "0" : "0.1*f^3");
    if (!begin(&r, text, 3))
        return;
    CU_ASSERT_EQUAL(rig_try(&r, 3), JN_STOP_NUMERICS);
    CLOSE(r.stop.t, at, 1, 1e-11);
    CU_ASSERT(strstr(r.message, "'V' grows without bound: it has a pole at t = ") != NULL);
    rig_clear(&r);
}

static void a_run_stops_before_a_pole(void)
{
    for (int is_linear = 0; is_linear < 2; is_linear++) {
        check_pole("tan(t)", PI / 2, is_linear);
        check_pole("3 - tan(t)", PI / 2, is_linear);
        check_pole("1/(1.3 - t)^2", 1.3L, is_linear);
        check_pole("1/cos(t)", PI / 2, is_linear);
        check_pole("if(t < 2, 1/(t - 1), 0)", 1, is_linear);
    }
}

/* What grows less than 1/t has an integral; and a branch that is not taken has no pole. */
static void what_is_no_pole_is_passed(void)
{
    rig r;
    const char *taken =
        "model m\nSe V = if(f(c) > 5, tan(t), 1)\nI c = 1\nR r : e = f + f^3/10\n1 n\n"
        "V -> n -> c\nn -> r\noutput v = f(c)\n";
    const char *even = "model m\nSe V = tan(t)*cos(t)\nI c = 1\nR r : e = f + 0*f^3\n1 n\n"
                       "V -> n -> c\nn -> r\noutput v = f(c)\n";
    if (begin(&r, taken, 20)) {
        rig_to(&r, 20); /* f + f³/10 = 1 */
        real f = rig_output(&r, "v");
        CLOSE(f + f * f * f / 10, 1, 1, 1e-10);
        rig_clear(&r);
    }
    if (begin(&r, even, 3)) {
        rig_to(&r, 3);
        CLOSE(rig_output(&r, "v"), (sinl(3) - cosl(3) + expl(-3)) / 2, 1, 1e-9);
        rig_clear(&r);
    }
}

/* ---- relays on plants of second degree ----------------------------------------------------- */

static int slides(const rig *r)
{
    int n = 0;
    for (int i = 0; i < r->nevents; i++)
        n += r->event[i].kind == JN_EVENT_SLIDING;
    return n;
}

/* A relay of ±2 V before a coil and resistors, at the voltage of the capacitor behind it; a resistor e = f³/10 or f/10. */
static void relay_text(char *text, size_t size, const char *reference, bool is_linear)
{
    snprintf(text, size,
             "model m\nSe V = if(e(C) > %s, -2, 2)\nI L = 1\nC C = 1\nR r = 3\nR z : e = %s/10\n"
             "1 loop\nV -> loop -> L\nloop -> C\nloop -> r\nloop -> z\n"
             "output v = e(C), i = f(L), u = e(V)\n",
             reference, is_linear ? "f" : "f^3");
}

static real of_flow(real i, bool is_linear)
{
    return is_linear ? i / 10 : i * i * i / 10;
}

/* Its swings are down to a thousandth at 20 s; then v is the reference, and what the relay gives on the mean is what
 * that takes. */
static void a_relay_follows_what_it_compares(void)
{
    for (int is_linear = 0; is_linear < 2; is_linear++) {
        rig r;
        char text[500];
        relay_text(text, sizeof text, "1/2 + sin(t)/5", is_linear);
        if (!begin(&r, text, 40))
            continue;
        rig_to(&r, 20);
        for (int t = 21; t <= 40; t++) {
            real v = 0.5L + sinl(t) / 5, i = cosl(t) / 5;
            rig_to(&r, t);
            CLOSE(rig_output(&r, "v"), v, 1, 1e-10);
            CLOSE(rig_output(&r, "i"), i, 1, 1e-10);
            CLOSE(rig_output(&r, "u"), -sinl(t) / 5 + v + 3 * i + of_flow(i, is_linear), 1, 1e-8);
        }
        CU_ASSERT_EQUAL(slides(&r), 1);
        LEDGER(&r);
        rig_clear(&r);
    }
}

static bool after_is_linear;

static void after(real *dy, const real *y)
{
    dy[0] = y[1];
    dy[1] = 2 - y[0] - 3 * y[1] - of_flow(y[1], after_is_linear);
}

static void run_on(real *y, real time, int steps)
{
    real h = time / steps, k[4][2], at[2];
    for (int i = 0; i < steps; i++) {
        for (int s = 0; s < 4; s++) {
            for (int c = 0; c < 2; c++)
                at[c] = y[c] + (s == 0 ? 0 : (s == 3 ? h : h / 2) * k[s - 1][c]);
            after(k[s], at);
        }
        for (int c = 0; c < 2; c++)
            y[c] += h / 6 * (k[0][c] + 2 * k[1][c] + 2 * k[2][c] + k[3][c]);
    }
}

/* It follows 1/2 + t²/1000 until that takes 2 V, and lags behind from there. */
static void a_relay_follows_as_long_as_it_can(void)
{
    for (int is_linear = 0; is_linear < 2; is_linear++) {
        rig r;
        char text[500];
        relay_text(text, sizeof text, "1/2 + t^2/1000", is_linear);
        real low = 0, high = 60;
        for (int k = 0; k < 100; k++) {
            real t = (low + high) / 2, i = t / 500;
            real takes = 0.002L + 0.5L + t * t / 1000 + 3 * i + of_flow(i, is_linear);
            *(takes < 2 ? &low : &high) = t;
        }
        if (!begin(&r, text, 60))
            continue;
        rig_to(&r, 60);
        CU_ASSERT_EQUAL_FATAL(slides(&r), 2);
        CLOSE(rig_at(&r, r.nevents - 1)->t, low, 1, 1e-8);
        real y[] = {0.5L + low * low / 1000, low / 500};
        after_is_linear = is_linear;
        run_on(y, 60 - low, 20000);
        CLOSE(rig_output(&r, "v"), y[0], 1, 1e-10);
        CLOSE(rig_output(&r, "i"), y[1], 1, 1e-10);
        rig_clear(&r);
    }
}

/* The same by switches, between 2 V and the ground: half a volt at 1 Ω. */
static void switches_before_a_coil_hold_a_voltage(void)
{
    static const char *const law[] = {"f^3", "f"};
    for (int i = 0; i < 2; i++) {
        rig r;
        char text[700];
        snprintf(text, sizeof text,
                 "model m\nSe V = 2\nSe G = 0\nI L = 1\nC C = 1\nR r = 2\nR rl = 1\n"
                 "R z : e = %s/10\nX1 s\nX1 d\n0 a\n1 loop\n0 n\nV -> s -> a\nG -> d -> a\n"
                 "a -> loop -> L\nloop -> r\nloop -> z\nloop -> n -> C\nn -> rl\n"
                 "switch s on, on when e(C) < 1/2, off when e(C) > 1/2\n"
                 "switch d off, off when e(C) < 1/2, on when e(C) > 1/2\n"
                 "output v = e(C), i = f(L), s = f(s)\n",
                 law[i]);
        if (!begin(&r, text, 30))
            continue;
        rig_to(&r, 30);
        real u = 0.5L + 1 + (i ? 0.05L : 0.0125L); /* on the mean */
        CLOSE(rig_output(&r, "v"), 0.5L, 1, 1e-11);
        CLOSE(rig_output(&r, "i"), 0.5L, 1, 1e-11);
        CLOSE(rig_output(&r, "s"), 0.5L * u / 2, 1, 1e-8);
        CU_ASSERT_EQUAL(slides(&r), 1);
        LEDGER(&r);
        rig_clear(&r);
    }
}

/* A wall at 2 gives e⁴/10 + e/5 = 2, through 1/10: what heats it stands at 2.2, and takes 2 of 60. */
static void a_thermostat_feels_the_heat_late(void)
{
    rig r;
    if (begin(&r,
              "model m\nSf H = if(e(wall) < 2, 60, 0)\nC oven = 1, e0 = 1\nC wall = 0.1, e0 = 1\n"
              "R w = 0.1\nR rad : f = 0.1*e^4\nR loss = 5\n0 n\n0 m\n1 j\nH -> n -> oven\n"
              "n -> j -> m -> wall\nj -> w\nm -> rad\nm -> loss\n"
              "output T = e(wall), oven = e(oven), h = f(H)\n",
              10)) {
        rig_to(&r, 10);
        CLOSE(rig_output(&r, "T"), 2, 1, 1e-11);
        CLOSE(rig_output(&r, "oven"), 2.2L, 1, 1e-11);
        CLOSE(rig_output(&r, "h"), 2, 1, 1e-8);
        LEDGER(&r);
        rig_clear(&r);
    }
}

/* Without damping nothing dies down: q swings about 0 with |v|²/2 + |q| and q²/2 as it began. With a lag the relay comes to
 * a cycle, and stays in it. */
static void swings_that_do_not_die_down_are_followed(void)
{
    rig r;
    const char *lossless = "model m\nSe V = if(e(C) > 0, -1, 1)\nI L = 1, f0 = 1/10\nC C = 1\n"
                           "R z : e = 0*f^3\n1 j\nV -> j -> L\nj -> C\nj -> z\n"
                           "output v = e(C), i = f(L)\n";
    const char *lagging =
        "model m\nSe V = if(e(C) > 0, -1, 1)\nR lag = 1/5\nC late = 1/10\nI L = 1, f0 = 1\n"
        "C C = 1\nR r = 1\nR z : e = f^3/10\n1 in\n0 m\n1 j\nV -> in -> lag\nin -> m -> late\n"
        "m -> j -> L\nj -> C\nj -> r\nj -> z\noutput v = e(C), i = f(L)\n";
    if (begin(&r, lossless, 60)) {
        for (int t = 1; t <= 60; t++) {
            rig_to(&r, t);
            real v = rig_output(&r, "v"), i = rig_output(&r, "i");
            CLOSE(i * i / 2 + v * v / 2 + fabsl(v), 0.005L, 0.005, 1e-7);
        }
        CU_ASSERT_EQUAL(slides(&r), 0);
        rig_clear(&r);
    }
    if (begin(&r, lagging, 200)) {
        double most = 0;
        rig_to(&r, 190);
        for (int k = 0; k < 1000; k++) {
            rig_to(&r, 190 + 0.01 * k);
            most = fmax(most, fabs(rig_output(&r, "v")));
        }
        CU_ASSERT(most > 1e-4);
        CU_ASSERT_EQUAL(slides(&r), 0);
        rig_clear(&r);
    }
}

void suite_sim_chatter(void)
{
    TEST_SUITE("sim_chatter");
    TEST_ADD(a_block_is_held_beside_a_pipe_at_rest);
    TEST_ADD(diodes_by_exponentials_make_a_bridge);
    TEST_ADD(a_run_stops_before_a_pole);
    TEST_ADD(what_is_no_pole_is_passed);
    TEST_ADD(a_relay_follows_what_it_compares);
    TEST_ADD(a_relay_follows_as_long_as_it_can);
    TEST_ADD(switches_before_a_coil_hold_a_voltage);
    TEST_ADD(a_thermostat_feels_the_heat_late);
    TEST_ADD(swings_that_do_not_die_down_are_followed);
}
