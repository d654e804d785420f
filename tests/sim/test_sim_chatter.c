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

void suite_sim_chatter(void)
{
    TEST_SUITE("sim_chatter");
    TEST_ADD(a_block_is_held_beside_a_pipe_at_rest);
    TEST_ADD(diodes_by_exponentials_make_a_bridge);
    TEST_ADD(a_run_stops_before_a_pole);
    TEST_ADD(what_is_no_pole_is_passed);
}
