/* test_sim_nonlinear.c: laws that kink and jump, dry friction that holds, comparisons that are not
 * linear; against closed forms, or against Runge and Kutta's method on equations derived by hand.
 */
#include "rig.h"

#include <math.h>

#define PI 3.141592653589793238462643383279502884L

typedef long double real;

/* ---- references ---------------------------------------------------------------------------- */

typedef void (*equations)(real *dy, real t, const real *y);

enum { MOST = 4 };

static void runge_kutta(equations f, real *y, int n, real from, real to, int steps)
{
    static const real share[] = {0, 0.5L, 0.5L, 1};
    real h = (to - from) / steps, k[4][MOST], at[MOST];
    for (int i = 0; i < steps; i++) {
        for (int s = 0; s < 4; s++) {
            for (int c = 0; c < n; c++)
                at[c] = y[c] + (s ? share[s] * h * k[s - 1][c] : 0);
            f(k[s], from + (i + share[s]) * h, at);
        }
        for (int c = 0; c < n; c++)
            y[c] += h / 6 * (k[0][c] + 2 * k[1][c] + 2 * k[2][c] + k[3][c]);
    }
}

/* The ledger adds up; what storages with laws of their own hold is checked by it, not by ½x²/value.
 */
static void check_ledger(rig *r)
{
    jn_ledger l = jn_sim_ledger(r->sim);
    double residue = l.supplied - l.stored - l.dissipated - l.lost;
    CU_ASSERT(fabs(residue) <= 1e-11 * l.moved);
}

static bool start(rig *r, const char *text, bool exact)
{
    bool ok = rig_new(r, text, NULL);
    CU_ASSERT_FATAL(ok);
    CU_ASSERT_EQUAL(jn_sim_is_linear(r->sim), exact);
    return ok;
}

/* ---- dry friction -------------------------------------------------------------------------- */

#define BLOCK(force, mass, rest)                                                                   \
    "model block\nSe F = " force "\nI m = " mass "\nR fr : e = 5*sign(f)\n1 v\nF -> v -> m\n"      \
    "v -> fr\noutput v = f(m), e = e(fr)\n" rest

static void a_block_comes_to_rest(void)
{
    rig r;
    if (start(&r, BLOCK("0", "2, f0 = 3", "output x = int(f(m), 0)\n"), false)) {
        for (int k = 0; k < 12; k++) {
            real t = 0.1L * k;
            rig_to(&r, 0.1 * k);
            CLOSE(rig_output(&r, "v"), 3 - 2.5L * t, 3, 1e-12);
            CLOSE(rig_output(&r, "x"), 3 * t - 1.25L * t * t, 2, 1e-12);
            CLOSE(rig_output(&r, "e"), 5, 5, 1e-12);
        }
        for (int k = 1; k <= 5; k++) {
            rig_to(&r, 1.2 + 10 * k);
            CLOSE(rig_output(&r, "v"), 0, 3, 1e-12);
            CLOSE(rig_output(&r, "x"), 1.8L, 2, 1e-11);
            CLOSE(rig_output(&r, "e"), 0, 5, 1e-12);
        }
        CLOSE(jn_sim_ledger(r.sim).dissipated, 9, 9, 1e-12);
        check_ledger(&r);
    }
    rig_clear(&r);
}

/* Held up to 5 N. With 8·sin t it lets go at asin 5/8, slides until its speed is zero again, is
 * held for a while, goes the other way. */
static real slip(real t, real from)
{
    return 8 * (cosl(from) - cosl(t)) - 5 * (t - from);
}

static void a_driven_block_sticks_and_slips(void)
{
    rig r;
    real go = asinl(0.625L), stop = 3, t;
    for (int k = 0; k < 50; k++)
        stop -= slip(stop, go) / (8 * sinl(stop) - 5);
    CU_ASSERT_FATAL(stop > 3 && stop < PI + go);
    if (start(&r, BLOCK("8*sin(t)", "1", ""), false)) {
        for (int k = 1; k <= 60; k++) {
            double at = 0.1 * k;
            t = at;
            rig_to(&r, at);
            bool forth = t > go && t<stop, back = t> PI + go;
            CLOSE(rig_output(&r, "v"),
                  forth  ? slip(t, go)
                  : back ? -slip(t - PI, go)
                         : 0,
                  4, 1e-11);
            CLOSE(rig_output(&r, "e"), forth ? 5 : back ? -5 : 8 * sinl(t), 5, 1e-9);
        }
        check_ledger(&r);
    }
    rig_clear(&r);
}

/* On a spring, each half swing ends 0.1 nearer to the middle; within 0.05 of it, it is held. */
static void a_block_on_a_spring_is_held_off_centre(void)
{
    rig r;
    if (start(&r,
              "model spring\nI m = 1\nC k = 1/100, q0 = 0.47\nR fr : e = 5*sign(f)\n1 v\n"
              "v -> m\nv -> k\nv -> fr\noutput x = q(k), v = f(m), e = e(fr)\n",
              false)) {
        for (int k = 1; k <= 5; k++) {
            real end = (k % 2 ? -1 : 1) * (0.47L - 0.1L * k);
            rig_to(&r, (double)(k * PI / 10));
            CLOSE(rig_output(&r, "x"), end, 0.5, 1e-11);
            CLOSE(rig_output(&r, "v"), 0, 5, 1e-11);
        }
        rig_to(&r, 10);
        CLOSE(rig_output(&r, "x"), 0.03L, 0.5, 1e-11);
        CLOSE(rig_output(&r, "e"), -3, 5, 1e-9);
        check_ledger(&r);
    }
    rig_clear(&r);
}

/* Without inertia nothing but the law itself decides. */
static void friction_in_an_algebraic_loop(void)
{
    rig r;
    if (start(&r,
              "model loop\nSe F = 8*sin(t)\nR d = 2\nR fr : e = 5*sign(f)\n1 v\nF -> v -> d\n"
              "v -> fr\noutput v = f(d), e = e(fr)\n",
              false)) {
        for (int k = 1; k <= 40; k++) {
            double t = 0.2 * k;
            real force = 8 * sinl((real)t), held = fmaxl(-5, fminl(5, force));
            rig_to(&r, t);
            CLOSE(rig_output(&r, "v"), (force - held) / 2, 4, 1e-11);
            CLOSE(rig_output(&r, "e"), held, 5, 1e-11);
        }
        check_ledger(&r);
    }
    rig_clear(&r);
}

/* Pulled with t, b hangs on a spring behind a: a goes at t = 3, b when the spring pulls with 2.
 * Then both move; a stands on ground that holds it with 3. */
static void two_blocks_hold_each_for_itself(void)
{
    rig r;
    if (start(&r,
              "model two\nSe F = min(t, 4)\nI a = 1\nI b = 1\nC k = 1/2\n"
              "R fa : e = 3*sign(f)\nR fb : e = 2*sign(f)\n1 va\n1 vb\n0 n\n"
              "F -> va -> a\nva -> fa\nva -> n -> vb -> b\nn -> k\nvb -> fb\n"
              "output va = f(a), vb = f(b), q = q(k), ea = e(fa), eb = e(fb)\n",
              false)) {
        rig_to(&r, 2);
        CLOSE(rig_output(&r, "ea"), 2, 1, 1e-10);
        CLOSE(rig_output(&r, "eb"), 0, 1, 1e-10);
        /* q'' = (t − 3) − 2q from rest at t = 3, up to t = 4; then q'' = 1 − 2q */
        real w = sqrtl(2), q = 0.5L - sinl(w) / (2 * w), v = 0.5L - cosl(w) / 2, s = 0.6L;
        rig_to(&r, 4);
        CLOSE(rig_output(&r, "q"), q, 1, 1e-11);
        CLOSE(rig_output(&r, "va"), v, 1, 1e-11);
        rig_to(&r, 4.6);
        CLOSE(rig_output(&r, "q"), 0.5L + (q - 0.5L) * cosl(w * s) + v / w * sinl(w * s), 1, 1e-11);
        rig_to(&r, 30); /* a has come to rest; the spring pulls with less than 2 at b */
        CLOSE(rig_output(&r, "vb"), 0, 1, 1e-11);
        CLOSE(rig_output(&r, "va"), 0, 1, 1e-11);
        CLOSE(rig_output(&r, "ea") + 2 * rig_output(&r, "q"), 4, 1, 1e-10);
        check_ledger(&r);
    }
    rig_clear(&r);
}

static void a_brake_catches_and_holds(void)
{
    rig r;
    if (rig_example(&r, "hoist")) {
        rig_to(&r, 0.4);
        CLOSE_REL(rig_at(&r, 1)->t, 0.3L, 1e-11);
        CLOSE_REL(rig_output(&r, "v"), 1.5L, 1e-10);
        CLOSE_REL(rig_output(&r, "friction"), 50, 1e-12);
        rig_to(&r, 1.7);
        CLOSE_REL(rig_output(&r, "x"), 0.75L, 1e-10);
        CLOSE(rig_output(&r, "v"), 0, 3, 1e-12);
        CLOSE_REL(rig_output(&r, "friction"), 20, 1e-10);
        rig_to(&r, 2.05);
        CLOSE_REL(rig_output(&r, "v"), 0.5L, 1e-10);
        CLOSE(rig_output(&r, "friction"), 0, 50, 1e-12);
        rig_to(&r, 3);
        CLOSE_REL(rig_output(&r, "x"), 0.8L + 1 / 30.0L, 1e-10);
        CU_ASSERT_EQUAL(r.nevents, 6); /* twice it comes to rest */
        check_ledger(&r);
    }
    rig_clear(&r);
}

/* ---- relays -------------------------------------------------------------------------------- */

/* v = 5(1 − exp(−2t)) up to 3 V. There the source would go to and fro without end; on the mean it
 * gives 6 V. Where it falls below that, it stays on. */
static void a_source_slides(void)
{
    rig r;
    real reached = 0.5L * logl(2.5L);
    if (start(&r,
              "model relay\nSe V = if(e(c) < 3, if(t < 2, 10, 4), 0)\nC c = 1\nR r = 1\n"
              "R leak = 1\n1 feed\n0 n\nV -> feed -> n -> c\nfeed -> r\nn -> leak\n"
              "output v = e(n), u = e(V)\n",
              true)) {
        rig_to(&r, 0.4);
        CLOSE_REL(rig_output(&r, "v"), 5 * (1 - expl(-0.8L)), 1e-13);
        for (int k = 1; k <= 10; k++) {
            rig_to(&r, (double)(reached + 0.15L * k));
            CLOSE_REL(rig_output(&r, "v"), 3, 1e-11);
            CLOSE_REL(rig_output(&r, "u"), 6, 1e-9);
        }
        rig_to(&r, 2.5);
        CLOSE_REL(rig_output(&r, "v"), 2 + expl(-1), 1e-11);
        CLOSE_REL(rig_output(&r, "u"), 4, 1e-12);
        LEDGER(&r);
    }
    rig_clear(&r);
}

/* ---- kinks --------------------------------------------------------------------------------- */

/* A spring four times as stiff on one side: half periods π/2 and π. */
static void a_spring_with_two_sides(const char *law)
{
    rig r;
    jn_str text;
    jn_str_init(&text);
    jn_str_addf(&text,
                "model sides\nI m = 1\nC k : e = %s, q0 = 1\n1 v\nv -> m\nv -> k\n"
                "output q = q(k), v = f(m)\n",
                law);
    if (start(&r, jn_str_c(&text), false))
        for (int k = 0; k < 10; k++) {
            real begin = k * 1.5L * PI;
            rig_to(&r, (double)(begin + PI / 4));
            CLOSE(rig_output(&r, "v"), -2, 2, 1e-11);
            rig_to(&r, (double)(begin + 3 * PI / 4));
            CLOSE(rig_output(&r, "q"), -2, 2, 1e-11);
            rig_to(&r, (double)(begin + 1.5L * PI));
            CLOSE(rig_output(&r, "q"), 1, 2, 1e-11);
            check_ledger(&r);
        }
    rig_clear(&r);
    jn_str_clear(&text);
}

static void laws_may_have_kinks(void)
{
    a_spring_with_two_sides("q + max(0, 3*q)");
    a_spring_with_two_sides("4*q - min(0, 3*q)");
    a_spring_with_two_sides("5*q/2 + 3*abs(q)/2");
    a_spring_with_two_sides("if(q > 0, 4*q, q)");
}

/* Hertz's contact: over after (4·√π·Γ(2/5)/(5·Γ(9/10)))·d/v, d = (5·m·v²/(4·k))^(2/5) being the
 * deepest. */
static void a_ball_bounces_off(const char *law)
{
    rig r;
    jn_str text;
    real depth = powl(5 / 4000.0L, 0.4L);
    real contact = 4 * sqrtl(PI) * tgammal(0.4L) / (5 * tgammal(0.9L)) * depth;
    jn_str_init(&text);
    jn_str_addf(&text,
                "model hertz\nI m = 1, f0 = 1\nC c : e = %s, q0 = -1\n1 v\nv -> m\nv -> c\n"
                "output q = q(c), v = f(m)\n",
                law);
    if (start(&r, jn_str_c(&text), false)) {
        rig_to(&r, (double)(1 + contact / 2));
        CLOSE_REL(rig_output(&r, "q"), depth, 1e-10);
        CLOSE(rig_output(&r, "v"), 0, 1, 1e-9);
        rig_to(&r, 3);
        CLOSE(rig_output(&r, "v"), -1, 1, 1e-11);
        CLOSE(rig_output(&r, "q"), -(2 - contact), 1, 1e-10);
        check_ledger(&r);
    }
    rig_clear(&r);
    jn_str_clear(&text);
}

static void contacts_push_and_do_not_pull(void)
{
    a_ball_bounces_off("if(q > 0, 1000*q^(3/2), 0)");
    a_ball_bounces_off("1000*max(q, 0)^(3/2)");
}

/* Torricelli's tank is empty at t = 8, and stays so. */
static void a_tank_runs_dry(void)
{
    rig r;
    if (start(&r,
              "model tank\nC h = 2, e0 = 4\nR v : f = sign(e)*sqrt(abs(e))\n0 n\n"
              "n -> h\nn -> v\noutput h = e(n), f = f(v)\n",
              false)) {
        for (int t = 1; t < 16; t++) {
            real root = t < 8 ? 2 - 0.25L * t : 0;
            rig_to(&r, t);
            CLOSE(rig_output(&r, "h"), root * root, 4, 1e-11);
            CLOSE(rig_output(&r, "f"), root, 2, t == 8 ? 1e-5 : 1e-9);
        }
        check_ledger(&r);
    }
    rig_clear(&r);
}

/* While the valve is closed the law is asked at 0, where it is infinitely steep. */
static void a_valve_opens_and_closes(void)
{
    rig r;
    if (start(&r,
              "model valve\nC h = 2, e0 = 4\nR v : f = sign(e)*sqrt(abs(e))\n0 n\nX1 s\n"
              "n -> h\nn -> s -> v\nswitch s off, on at 1, off at 5, on at 6\n"
              "output h = e(n), f = f(v)\n",
              false)) {
        for (int k = 1; k < 36; k++) {
            real t = k / 4.0L, open = t < 1 ? 0 : t < 5 ? t - 1 : t < 6 ? 4 : t - 2;
            real root = 2 - open / 4;
            rig_to(&r, (double)t);
            CLOSE(rig_output(&r, "h"), root * root, 4, 1e-11);
            CLOSE(rig_output(&r, "f"), t < 1 || (t >= 5 && t < 6) ? 0 : root, 2, 1e-9);
        }
        check_ledger(&r);
    }
    rig_clear(&r);
}

static void a_cistern_is_filled_again_and_again(void)
{
    rig r;
    if (rig_example(&r, "cistern")) {
        real t = 4, fill = 8 * logl(2) - 2;
        rig_to(&r, 20);
        CU_ASSERT_EQUAL(r.nevents, 7);
        for (int i = 1; i < r.nevents; i++) {
            CLOSE_REL(rig_at(&r, i)->t, t, 1e-11);
            t += i % 2 ? fill : 2;
        }
        real root = 1.5L - (20 - 4 - 3 * fill - 2 * 2) / 4;
        CLOSE_REL(rig_output(&r, "level"), root * root, 1e-10);
        check_ledger(&r);
    }
    rig_clear(&r);
}

/* A model without unknowns, times an instant apart, and a level that is only reached. */
static void steps_as_short_as_a_tick(void)
{
    rig r;
    if (rig_new(&r,
                "model ticks\nSe u = 2\nSf i = 1, detachable\nX1 s\ni -> s -> u\n"
                "switch s off, on when t > 2\n",
                &(jn_sim_options){.method = JN_METHOD_RADAU})) {
        rig_to(&r, 3);
        CU_ASSERT_EQUAL(rig_at(&r, 1)->t, nextafter(2, 3));
    }
    rig_clear(&r);
    if (rig_new(&r,
                "model ticks\nSf i = 1\nC c = 1\n0 n\ni -> n -> c\nSe u = 1\nR r = 1\nX1 s\n"
                "X1 q\nu -> s -> q -> r\nswitch s off, on when t > 2\n"
                "switch q off, on when e(c) > 2\n",
                &(jn_sim_options){.method = JN_METHOD_RADAU})) {
        rig_to(&r, 3);
        TEST_TEXT("11", rig_mode(&r));
        CLOSE_REL(rig_at(&r, 1)->t, 2, 1e-11);
        CLOSE_REL(rig_state(&r, "c"), 3, 1e-12);
    }
    rig_clear(&r);
}

/* ---- smooth laws --------------------------------------------------------------------------- */

static real diode_current(real e) /* e = 10·i + ln(1 + 1000·i)/20, by Newton's method */
{
    real i = e > 0 ? e / 10 : 0;
    for (int k = 0; k < 60; k++) {
        real step = (10 * i + logl(1 + 1000 * i) / 20 - e) / (10 + 50 / (1 + 1000 * i));
        while (1 + 1000 * (i - step) <= 0)
            step /= 2;
        i -= step;
    }
    return i;
}

static void rectifier(real *dy, real t, const real *y)
{
    dy[0] = (diode_current(5 * sinl(4 * t) - y[0]) - y[0] / 100) / 0.01L;
}

static void charger(real *dy, real t, const real *y)
{
    dy[0] = (diode_current(2 * t - y[0]) - y[0] / 100) / 0.01L;
}

static bool start_diode(rig *r, const char *source, const char *law)
{
    jn_str text;
    jn_str_init(&text);
    jn_str_addf(&text,
                "model diode\nSe u = %s\nR r = 10\nR d : %s\nC c = 1/100\nR load = 100\n"
                "1 s\n0 n\nu -> s -> n -> c\ns -> r\ns -> d\nn -> load\noutput v = e(n)\n",
                source, law);
    bool ok = start(r, jn_str_c(&text), false);
    jn_str_clear(&text);
    return ok;
}

static void follow_diode(const char *source, const char *law, equations f)
{
    rig r;
    real y[] = {0};
    if (start_diode(&r, source, law)) {
        for (int k = 1; k <= 4; k++) {
            runge_kutta(f, y, 1, 0.5L * (k - 1), 0.5L * k, 10000);
            rig_to(&r, 0.5 * k);
            CLOSE(rig_output(&r, "v"), y[0], 5, 1e-10);
        }
        check_ledger(&r);
    }
    rig_clear(&r);
}

static void diodes_with_laws_conduct(void)
{
    follow_diode("5*sin(4*t)", "f = (exp(20*e) - 1)/1000", rectifier);
    follow_diode("2*t", "e = log(1 + 1000*f)/20", charger);
}

/* Backwards the current is −1/1000 but for exp(20·e) of it: no double can say how much voltage that
 * is. */
static void a_law_for_the_wrong_variable(void)
{
    rig r;
    if (start_diode(&r, "5*sin(4*t)", "e = log(1 + 1000*f)/20")) {
        CU_ASSERT_EQUAL(rig_try(&r, 2), JN_STOP_NUMERICS);
        CU_ASSERT_PTR_NOT_NULL(strstr(r.message, "look at 'd'"));
        CU_ASSERT(jn_sim_time(r.sim) > 0.4);
    }
    rig_clear(&r);
}

/* ---- comparisons that are not linear ------------------------------------------------------- */

/* A pendulum that goes over the top: v² = 9 − 2·(1 − cos q), and dt = dq/v. */
static void clock_of_the_pendulum(real *dt, real q, const real *t)
{
    (void)t;
    *dt = 1 / sqrtl(9 - 2 * (1 - cosl(q)));
}

static void a_sine_of_the_state(void)
{
    rig r;
    if (start(&r,
              "model over\nI m = 1, f0 = 3\nC g : e = sin(q)\n1 v\nv -> m\nv -> g\n"
              "Se one = 1\nR lamp = 1\nX1 s\none -> s -> lamp\n"
              "switch s off, on when sin(q(g)) > 1/2, off when sin(q(g)) < 1/2\n"
              "output q = q(g)\n",
              false)) {
        real t = 0, at = 0;
        rig_to(&r, 30);
        CU_ASSERT(r.nevents > 20);
        for (int i = 1; i < r.nevents; i++) {
            real q = ((i - 1) / 2) * 2 * PI + (i % 2 ? PI / 6 : 5 * PI / 6);
            runge_kutta(clock_of_the_pendulum, &t, 1, at, q, 2000);
            at = q;
            CLOSE(rig_at(&r, i)->t, t, 10, 1e-11);
            TEST_TEXT(i % 2 ? "1" : "0", rig_at(&r, i)->to);
        }
        runge_kutta(clock_of_the_pendulum, &t, 1, at,
                    ((r.nevents - 1) / 2) * 2 * PI + (r.nevents % 2 ? PI / 6 : 5 * PI / 6), 2000);
        CU_ASSERT(t > 30); /* none is missing */
        check_ledger(&r);
    }
    rig_clear(&r);
}

/* i = 10·(1 − exp(−t)) in a coil whose square is compared; the spring beside it makes the run one
 * that is integrated. */
static void a_square_of_a_flow(void)
{
    rig r;
    if (start(&r,
              "model square\nSe V = 10\nI L = 1\nR r = 1\n1 s\nV -> s -> L\ns -> r\n"
              "I m = 1, f0 = 1\nC k : e = q^3\n1 v\nv -> m\nv -> k\n"
              "Se one = 1\nR lamp = 1\nX1 x\none -> x -> lamp\n"
              "switch x off, on when f(L)*f(L) > 4 and f(L)*f(L) < 49, off when f(L)*f(L) >= "
              "49\noutput i = f(L)\n",
              false)) {
        rig_to(&r, 5);
        CU_ASSERT_EQUAL(r.nevents, 3);
        CLOSE_REL(rig_at(&r, 1)->t, -logl(0.8L), 1e-10);
        CLOSE_REL(rig_at(&r, 2)->t, -logl(0.3L), 1e-10);
        check_ledger(&r);
    }
    rig_clear(&r);
}

/* Flux p = f/(1 + |f|/2): at most 2. Driven to and fro. */
static void saturated(real *dy, real t, const real *y)
{
    real i = y[0] / (1 - fabsl(y[0]) / 2), w = y[1];
    dy[0] = 6 * sinl(2 * t) - i - w / 2;
    dy[1] = (i / 2 - w / 10) * 4;
}

static void a_motor_that_saturates(void)
{
    rig r;
    real y[] = {0, 0};
    if (start(&r,
              "model motor\nSe V = 6*sin(2*t)\nI L : p = f/(1 + abs(f)/2)\nR r = 1\nGY k = 1/2\n"
              "I J = 1/4\nR b = 1/10\n1 a\n1 w\nV -> a -> L\na -> r\na -> k -> w -> J\nw -> b\n"
              "output p = p(L), w = f(J), i = f(L)\n",
              false)) {
        for (int k = 1; k <= 8; k++) {
            runge_kutta(saturated, y, 2, 0.5L * (k - 1), 0.5L * k, 20000);
            rig_to(&r, 0.5 * k);
            CLOSE(rig_output(&r, "p"), y[0], 2, 1e-10);
            CLOSE(rig_output(&r, "w"), y[1], 5, 1e-10);
            CLOSE(rig_output(&r, "i"), y[0] / (1 - fabsl(y[0]) / 2), 5, 1e-9);
        }
        check_ledger(&r);
    }
    rig_clear(&r);
}

/* ---- tolerances ---------------------------------------------------------------------------- */

static void duffing(real *dy, real t, const real *y)
{
    (void)t;
    dy[0] = y[1];
    dy[1] = -y[0] * y[0] * y[0];
}

static void tolerances_are_kept(void)
{
    static const double rtol[] = {1e-5, 1e-7, 1e-9, 1e-12};
    for (int k = 0; k < 4; k++) {
        rig r;
        real y[] = {1, 0};
        runge_kutta(duffing, y, 2, 0, 20, 40000);
        if (rig_new(&r,
                    "model duffing\nI m = 1\nC k : e = q^3, q0 = 1\n1 v\nv -> m\nv -> k\n"
                    "output q = q(k), v = f(m)\n",
                    &(jn_sim_options){.rtol = rtol[k]})) {
            rig_to(&r, 20);
            CLOSE(rig_output(&r, "q"), y[0], 1, fmax(10 * rtol[k], 1e-11));
            CLOSE(rig_output(&r, "v"), y[1], 1, fmax(10 * rtol[k], 1e-11));
        }
        rig_clear(&r);
    }
}

/* ---- laws that read the rate of their state ------------------------------------------------ */

/* A storage with damping in its law, and the same in two elements. */
static void dissipates_like(const char *one, const char *two, double until)
{
    jn_sim_options radau = {.method = JN_METHOD_RADAU};
    rig a, b;
    CU_ASSERT_FATAL(rig_new(&a, one, &radau));
    CU_ASSERT_FATAL(rig_new(&b, two, &radau));
    rig_to(&a, until);
    rig_to(&b, until);
    jn_ledger x = jn_sim_ledger(a.sim), y = jn_sim_ledger(b.sim);
    CU_ASSERT(jn_sim_residue(a.sim) < 1e-9);
    CLOSE_REL(rig_output(&a, "v"), rig_output(&b, "v"), 1e-6);
    CLOSE_REL(x.dissipated, y.dissipated, 1e-7);
    CLOSE(x.supplied, y.supplied, y.moved, 1e-7);
    CLOSE(x.stored, y.stored, y.moved, 1e-7);
    rig_clear(&a);
    rig_clear(&b);
}

static void damping_in_a_law_is_dissipated(void)
{
#define BODY "I m = 1, f0 = 1\n1 v\nv -> m\nv -> pad\noutput v = f(m)\n"
#define BESIDE "v -> r\n"
    dissipates_like("model a\nC pad : e = 100*q + 5*f + 3*f*abs(f)\n" BODY,
                    "model b\nC pad = 1/100\nR r : e = 5*f + 3*f*abs(f)\n" BODY BESIDE, 0.3);
    dissipates_like("model a\nC pad : e = 100*q - f\n" BODY,
                    "model b\nC pad = 1/100\nR r = -1\n" BODY BESIDE, 2);
    /* what time does to it is supplied */
    dissipates_like("model a\nC pad : e = (100 + 50*t)*q + f\n" BODY,
                    "model b\nC pad : e = (100 + 50*t)*q\nR r = 1\n" BODY BESIDE, 2);
    dissipates_like("model a\nC c = 1, e0 = 1\nI L : f = p/2 + e/10\n0 n\nn -> c\nn -> L\n"
                    "output v = e(c)\n",
                    "model b\nC c = 1, e0 = 1\nI L = 2\nR r = 10\n0 n\nn -> c\nn -> L\nn -> r\n"
                    "output v = e(c)\n",
                    3);
    /* sticking to a belt, that is sliding, for part of the time */
#define BELT                                                                                       \
    "Sf belt = 0.1\nI m = 1\nR slide : e = (3 + 2*exp(-abs(f)/0.05))*sign(f)\n1 b\n1 v\n0 slip\n"  \
    "belt -> b\nb -> slip -> v\nslip -> slide\nv -> m\nv -> pad\noutput v = f(m)\n"
    dissipates_like("model a\nC pad : e = 100*q + f/2\n" BELT,
                    "model b\nC pad = 1/100\nR r = 1/2\n" BELT BESIDE, 2);
}

/* ---- laws that are differences of larger terms ---------------------------------------------- */

static void gas_spring(real *dy, real t, const real *y)
{
    (void)t;
    dy[0] = y[1];
    dy[1] = 10 - 1e5L * (powl(1 / (1 - y[0]), 1.4L) - 1);
}

static void squared_slowly(real *dy, real t, const real *y)
{
    dy[0] = y[1];
    dy[1] = t - ((1 + y[0]) * (1 + y[0]) - 1);
}

static void squared_at_once(real *dy, real t, const real *y)
{
    (void)t;
    dy[0] = y[1];
    dy[1] = 1000 - ((1 + y[0]) * (1 + y[0]) - 1);
}

static void diode_and_ramp(real *dy, real t, const real *y)
{
    real v = 5 * fmaxl(0, t - 0.3L);
    dy[0] = 1000 * (v - y[0] - (expl(10 * y[0]) - 1));
}

static void exponential(real *dy, real t, const real *y)
{
    (void)t;
    dy[0] = y[1];
    dy[1] = 10 - (expl(y[0]) - 1);
}

/* At 0 such a law is known to the rounding of its terms only, beside which all that there is may be small at first. */
static void laws_may_be_differences(void)
{
    static const struct {
        const char *text;
        equations f;
        double from, to; /* at rest until then; until when */
        real start[2];
        int states;
    } of[] = {
        {"Se F = 10\nI m = 1\nC k : e = 1e5*((1/(1-q))^1.4 - 1)\n1 v\nF -> v -> m\nv -> k\n"
         "output x = q(k)\n",
         gas_spring,
         0,
         0.05,
         {0, 0},
         2},
        {"Se F = t\nI m = 1\nC k : e = (1+q)^2 - 1\n1 v\nF -> v -> m\nv -> k\noutput x = q(k)\n",
         squared_slowly,
         0,
         1,
         {0, 0},
         2},
        {"Se F = 1000\nI m = 1, f0 = 1\nC k : e = (1+q)^2 - 1\n1 v\nF -> v -> m\nv -> k\n"
         "output x = q(k)\n",
         squared_at_once,
         0,
         1,
         {0, 1},
         2},
        {"Se F = 10\nI m = 1\nC k : e = exp(q) - 1\n1 v\nF -> v -> m\nv -> k\noutput x = q(k)\n",
         exponential,
         0,
         1,
         {0, 0},
         2},
        {"Se V = 5*max(0, t-0.3)\nC c = 1m\nR r = 1\nR m : f = exp(e/0.1) - 1\n0 n\n1 s\n"
         "V -> s -> n\ns -> r\nn -> c\nn -> m\noutput x = e(c)\n",
         diode_and_ramp,
         0.3,
         0.35,
         {0},
         1}};
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        rig r;
        real y[2] = {of[i].start[0], of[i].start[1]};
        if (!rig_ends(of[i].text, NULL, of[i].to) || !start(&r, of[i].text, false))
            continue;
        runge_kutta(of[i].f, y, of[i].states, of[i].from, of[i].to, 20000);
        rig_to(&r, of[i].to);
        CLOSE_REL(rig_output(&r, "x"), y[0], 1e-9);
        check_ledger(&r);
        rig_clear(&r);
    }
}

/* A capacitor that was emptied to 1e-37 V is filled again: what is added to the law of a diode that blocks must not have
 * grown with the ratio of the current to that. */
static void a_diode_keeps_its_law_from_nothing_on(void)
{
    rig r;
    if (!start(&r,
               "Sf J = 2m + 1m*sin(2000*t), detachable\nR d : f = 1e-12*(exp(e/0.02585) - 1)\n"
               "C c = 100n\nR r = 10k\n0 n\nX1 s\nX1 q\nJ -> s -> n -> c\nn -> d\nn -> r\n"
               "n -> q -> r2\nR r2 = 100\nswitch s pwm(1m, 0.6)\n"
               "switch q off, on when e(c) > 0.55 and not on(s), off when e(c) < 0.1\n"
               "output e = e(d), f = f(d)\n",
               false))
        return;
    for (int k = 1; k <= 200; k++) {
        rig_to(&r, k * 50e-6);
        double e = rig_output(&r, "e"), f = rig_output(&r, "f");
        CLOSE(f, 1e-12L * expm1l(e / 0.02585L), 3e-3, 1e-9);
    }
    rig_clear(&r);
}

void suite_sim_nonlinear(void)
{
    TEST_SUITE("sim_nonlinear");
    TEST_ADD(a_block_comes_to_rest);
    TEST_ADD(a_driven_block_sticks_and_slips);
    TEST_ADD(a_block_on_a_spring_is_held_off_centre);
    TEST_ADD(friction_in_an_algebraic_loop);
    TEST_ADD(two_blocks_hold_each_for_itself);
    TEST_ADD(a_brake_catches_and_holds);
    TEST_ADD(a_source_slides);
    TEST_ADD(laws_may_have_kinks);
    TEST_ADD(contacts_push_and_do_not_pull);
    TEST_ADD(a_tank_runs_dry);
    TEST_ADD(a_valve_opens_and_closes);
    TEST_ADD(a_cistern_is_filled_again_and_again);
    TEST_ADD(steps_as_short_as_a_tick);
    TEST_ADD(diodes_with_laws_conduct);
    TEST_ADD(a_law_for_the_wrong_variable);
    TEST_ADD(a_sine_of_the_state);
    TEST_ADD(a_square_of_a_flow);
    TEST_ADD(a_motor_that_saturates);
    TEST_ADD(tolerances_are_kept);
    TEST_ADD(damping_in_a_law_is_dissipated);
    TEST_ADD(laws_may_be_differences);
    TEST_ADD(a_diode_keeps_its_law_from_nothing_on);
}
