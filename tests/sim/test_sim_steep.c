/* test_sim_steep.c: laws that are steep or flat at 0, or have a kink there, as engineers write them:
 * orifices, weirs, check valves, tanks, friction, diodes, ratios that pass through 0.
 *
 * Each model is followed with one row, with a few and with many: the rows that are asked for must not
 * matter. Right answers are in closed form, by bisection of an integral, or by Runge and Kutta in
 * variables in which the solution is smooth. */
#include "cases.h"

#include <math.h>
#include <stdlib.h>

#define BOUND 1e-9

typedef struct {
    const char *output;
    real value;
} answer;

static void residue_is_small(rig *r)
{
    jn_ledger l = jn_sim_ledger(r->sim);
    double moved = fabs(l.supplied) + fabs(l.stored) + fabs(l.dissipated) + fabs(l.lost);
    CLOSE(l.supplied - l.stored - l.dissipated - l.lost, 0, fmax(moved, 1e-12), 1e-10);
}

/* At the end of the run; names end with NULL. */
static void expect(const char *text, double to, const answer *right, jn_method method)
{
    static const int rows[] = {1, 7, 50, 333};
    for (int k = 0; k < 4; k++) {
        rig r;
        bool ok = rig_new(&r, text, &(jn_sim_options){.method = method});
        CHECK(ok);
        for (int i = 1; ok && i <= rows[k]; i++)
            rig_to(&r, to * i / rows[k]);
        for (int i = 0; ok && right[i].output; i++)
            CLOSE(rig_output(&r, right[i].output), right[i].value, fmaxl(1, fabsl(right[i].value)),
                  BOUND);
        if (ok)
            residue_is_small(&r);
        rig_clear(&r);
    }
}

#define EXPECT(text, to, ...) expect(text, to, (const answer[]){__VA_ARGS__, {NULL, 0}}, method)

static real bisect(real (*f)(real), real low, real high)
{
    bool sign = f(low) > 0;
    for (int k = 0; k < 200; k++) {
        real mid = (low + high) / 2;
        *((f(mid) > 0) == sign ? &low : &high) = mid;
    }
    return (low + high) / 2;
}

/* ---- orifices and weirs -------------------------------------------------------------------- */

/* w = √(h − 1) from t = 5 on: 2w·ẇ = 1/5 − w/2. */
static real weir_at_10(real w)
{
    return -4 * w - 8 * log1pl(-5 * w / 2) / 5 - 5;
}

BOTH(a_tank_fills_to_its_weir_and_over_it)
{
    real w = bisect(weir_at_10, 0.1L, 0.3999L);
    EXPECT("Sf in = 1/5\nC tank = 1\nR w : f = sqrt(max(e - 1, 0))/2\n0 n\nin -> n -> tank\n"
           "n -> w\noutput h = e(tank), q = f(w)\n",
           10, {"h", 1 + w * w}, {"q", w / 2});
}

/* A law with ^1.5 is never steep, but the crest is a kink of its slope's slope. */
static void crest_rates(real *dx, real t, const real *x, const void *unused)
{
    (void)t;
    (void)unused;
    dx[0] = 0.4L - 1.7L * powl(fmaxl(x[0] - 0.5L, 0), 1.5L);
}

BOTH(a_weir_with_a_power_of_3_2)
{
    real h = 0.5L;
    case_follow(&h, 1, crest_rates, NULL, 1.25L, 6, 200000);
    EXPECT("Sf in = 4/10\nC tank = 1\nR w : f = 17/10*max(e - 1/2, 0)^1.5\n0 n\nin -> n -> tank\n"
           "n -> w\noutput h = e(tank), q = f(w)\n",
           6, {"h", h}, {"q", 1.7L * powl(h - 0.5L, 1.5L)});
}

BOTH(a_tank_empties_down_to_its_weir)
{
    EXPECT("C tank = 1, e0 = 2\nR w : f = sqrt(max(e - 1, 0))/2\n0 n\nn -> tank\nn -> w\n"
           "output h = e(tank), q = f(w)\n",
           3, {"h", 1.0625L}, {"q", 0.125L});
    EXPECT("C tank = 1, e0 = 2\nR w : f = sqrt(max(e - 1, 0))/2\n0 n\nn -> tank\nn -> w\n"
           "output h = e(tank)\n",
           9, {"h", 1});
}

/* Levels 5 and 1 meet at t = 4; from 6 to 8 one of them is fed, w = √(h1 − h2): 2w·ẇ = 3/10 − w. */
static real fed_for_2(real w)
{
    return -2 * w - 6 * log1pl(-10 * w / 3) / 10 - 2;
}

BOTH(levels_that_have_met_are_disturbed)
{
    static const char text[] =
        "Sf in = if(t > 6 and t < 8, 3/10, 0)\nC a = 1, e0 = 5\n"
        "C b = 1, e0 = 1\nR o : f = sign(e)*sqrt(abs(e))/2\n0 na\n0 nb\n1 j\n"
        "in -> na -> a\nnb -> b\nna -> j -> nb\nj -> o\n"
        "output h1 = e(a), h2 = e(b)\n";
    real w = bisect(fed_for_2, 0.1L, 0.29999L), apart = w * w;
    EXPECT(text, 5, {"h1", 3}, {"h2", 3});
    EXPECT(text, 8, {"h1", 3.3L + apart / 2}, {"h2", 3.3L - apart / 2});
    EXPECT(text, 12, {"h1", 3.3L}, {"h2", 3.3L});
}

/* Three tanks in a row, the outer ones alike: d = h − m falls by 3/2·√d and is 0 at t = 4/√3. From 6 to 8
 * the middle one is fed, w = √(m − h): 2w·ẇ = 3/10 − 3w/2. The same orifice is written in two ways, of which
 * one has to be inverted: in any mixture of them, and in the dual, with flows for levels. */
static real middle_fed_for_2(real w)
{
    return -4 * w / 3 - 6 * log1pl(-5 * w) / 22.5L - 2;
}

#define TANKS                                                                                      \
    "0 na\n0 nb\n0 nc\n1 j\n1 k\nSf in = if(t > 6 and t < 8, 3/10, 0)\nC a = 1, e0 = 5\n"          \
    "C b = 1, e0 = 2\nC c = 1, e0 = 5\noutput h = e(a), m = e(b), l = e(c)\n"
#define MASSES                                                                                     \
    "1 na\n1 nb\n1 nc\n0 j\n0 k\nSe in = if(t > 6 and t < 8, 3/10, 0)\nI a = 1, f0 = 5\n"          \
    "I b = 1, f0 = 2\nI c = 1, f0 = 5\noutput h = f(a), m = f(b), l = f(c)\n"
#define IN_A_ROW "na -> a\nnb -> b\nnc -> c\nin -> nb\nna -> j -> nb -> k -> nc\nj -> o\nk -> p\n"

BOTH(three_levels_meet)
{
    static const char *const text[] = {
        TANKS IN_A_ROW "R o : f = sign(e)*sqrt(abs(e))/2\nR p : f = sign(e)*sqrt(abs(e))/2\n",
        TANKS IN_A_ROW "R o : f = sign(e)*sqrt(abs(e))/2\nR p : e = 4*f*abs(f)\n",
        TANKS IN_A_ROW "R o : e = 4*f*abs(f)\nR p : e = 4*f*abs(f)\n",
        MASSES IN_A_ROW "R o : e = sign(f)*sqrt(abs(f))/2\nR p : f = 4*e*abs(e)\n",
        MASSES IN_A_ROW "R o : f = 4*e*abs(e)\nR p : f = if(e > 0, 4*e^2, -4*e^2)\n"};
    real w = bisect(middle_fed_for_2, 0.01L, 0.19999999L), d = w * w, early = sqrtl(3) - 0.75L;
    const struct {
        real t, h, m;
    } right[] = {{1, 4 + early * early / 3, 4 - 2 * early * early / 3},
                 {5, 4, 4},
                 {8, 4.2L - d / 3, 4.2L + 2 * d / 3},
                 {12, 4.2L, 4.2L}};
    for (size_t i = 0; i < sizeof text / sizeof *text; i++) {
        rig r;
        bool ok = rig_new(&r, text[i], &(jn_sim_options){.method = method});
        CHECK(ok);
        for (size_t k = 0; ok && k < sizeof right / sizeof *right; k++) {
            rig_to(&r, (double)right[k].t);
            CLOSE(rig_output(&r, "h"), right[k].h, 1, BOUND);
            CLOSE(rig_output(&r, "m"), right[k].m, 1, BOUND);
            CLOSE(rig_output(&r, "l"), right[k].h, 1, BOUND);
        }
        if (ok)
            residue_is_small(&r);
        rig_clear(&r);
    }
}

/* What is shared alike when all is over does not depend on the way there: 5 + 1 in tanks of 1, 2 and 1. */
BOTH(levels_of_any_tanks_meet)
{
    static const char three[] = "C a = 1, q0 = 5\nC b = 2, q0 = 1\nC c = 1\n0 na\n0 nb\n0 nc\n"
                                "1 j\n1 k\nna -> a\nnb -> b\nnc -> c\nna -> j -> nb -> k -> nc\n"
                                "j -> o\nk -> p\noutput h = e(a), m = e(b), l = e(c)\n";
    static const char *const law[] = {"R o : f = 0.5*sign(e)*sqrt(abs(e))\nR p : e = 3*f*abs(f)\n",
                                      "R o : e = 0.1*f*abs(f)\nR p : e = 7*f*abs(f)\n"};
    for (size_t i = 0; i < sizeof law / sizeof *law; i++) {
        rig r;
        char text[800];
        snprintf(text, sizeof text, "%s%s", three, law[i]);
        bool ok = rig_new(&r, text, &(jn_sim_options){.method = method});
        CHECK(ok);
        if (ok) {
            rig_to(&r, 30);
            CLOSE(rig_output(&r, "h"), 1.5, 1, BOUND);
            CLOSE(rig_output(&r, "m"), 1.5, 1, BOUND);
            CLOSE(rig_output(&r, "l"), 1.5, 1, BOUND);
            residue_is_small(&r);
        }
        rig_clear(&r);
    }
}

static long
    asked; /* how often the integrator has asked whether to go on: once for each step that it tries */

static bool count_steps(void *context)
{
    (void)context;
    asked++;
    return false;
}

/* Once level they stay so, and nothing is left to follow: steps are as long as the run lets them be. */
BOTH(tanks_at_rest_take_few_steps)
{
    static const char *const law[] = {
        "R o : f = 0.5*sign(e)*sqrt(abs(e))\nR p : e = 3*f*abs(f)\n",
        "R o : e = 0.1*f*abs(f)\nR p : e = 7*f*abs(f)\n",
        "R o : e = 4*f*abs(f)\nR p : e = 4*f*abs(f)\n",
        "R o : f = 0.5*sign(e)*sqrt(abs(e))\nR p : f = sign(e)*sqrt(abs(e))/3\n"};
    static const char *const levels[] = {"C a = 1, q0 = 5\nC b = 2, q0 = 1\nC c = 1\n",
                                         "C a = 1, e0 = 5\nC b = 1, e0 = 2\nC c = 1, e0 = 5\n"};
    for (int i = 0; i < 8; i++) {
        rig r;
        char text[500];
        snprintf(text, sizeof text,
                 "%s%s0 na\n0 nb\n0 nc\n1 j\n1 k\nna -> a\nnb -> b\nnc -> c\n"
                 "na -> j -> nb -> k -> nc\nj -> o\nk -> p\noutput h = e(a), l = e(c)\n",
                 levels[i / 4], law[i % 4]);
        jn_sim_options o = {.method = method, .span = 200, .interrupted = count_steps};
        asked = 0;
        CHECK(rig_new(&r, text, &o));
        if (r.sim) {
            rig_to(&r, 200);
            CLOSE(rig_output(&r, "h"), i < 4 ? 1.5 : 4, 1, BOUND);
            CLOSE(rig_output(&r, "l"), i < 4 ? 1.5 : 4, 1, BOUND);
            CHECK(asked < 300);
        }
        rig_clear(&r);
    }
}

/* The levels pass each other again and again: between two meetings the root is smooth but for its
 * ends, where w = √|d| is; in s, t = from + s², all is smooth there. */
static void passing_rates(real *dx, real s, const real *x, const void *from)
{
    real t = *(const real *)from + s * s;
    real d = x[0] - x[1], q = copysignl(sqrtl(fabsl(d)), d) / 2;
    dx[0] = 2 * s * (0.3L * sinl(t) - q);
    dx[1] = 2 * s * q;
}

BOTH(levels_that_pass_each_other)
{
    real x[2] = {3, 3}, from = 0;
    case_follow(x, 2, passing_rates, &from, 0, sqrtl(3), 100000);
    EXPECT("Sf in = 3/10*sin(t)\nC a = 1, e0 = 3\nC b = 1, e0 = 3\n"
           "R o : f = sign(e)*sqrt(abs(e))/2\n0 na\n0 nb\n1 j\nin -> na -> a\nnb -> b\n"
           "na -> j -> nb\nj -> o\noutput h1 = e(a), h2 = e(b)\n",
           3, {"h1", x[0]}, {"h2", x[1]});
}

/* ---- laws that have to be inverted --------------------------------------------------------- */

/* w = √h: 2w·ẇ = 1 − w. */
static real filled_for_3(real w)
{
    return -2 * (w + log1pl(-w)) - 3;
}

BOTH(an_empty_tank_behind_a_square_law)
{
    static const char *const law[] = {"f*abs(f)", "sign(f)*f^2", "if(f > 0, f^2, -f^2)",
                                      "sign(f)*abs(f)^2"};
    real w = bisect(filled_for_3, 0.1L, 1 - 1e-15L);
    for (int k = 0; k < 4; k++) {
        char text[300];
        snprintf(text, sizeof text,
                 "Sf in = 1\nC tank = 1\nR o : e = %s\n0 n\nin -> n -> tank\nn -> o\n"
                 "output h = e(tank), q = f(o)\n",
                 law[k]);
        EXPECT(text, 3, {"h", w * w}, {"q", w});
    }
}

BOTH(a_tank_runs_empty_through_a_square_law)
{
    static const char text[] = "C tank = 1, e0 = 2\nR o : e = 3*f*abs(f)\n0 n\nn -> tank\nn -> o\n"
                               "output h = e(tank), q = f(o)\n";
    real root = sqrtl(2) - 0.5L * sqrtl(3);
    EXPECT(text, 3, {"h", root * root}, {"q", root / sqrtl(3)});
    EXPECT(text, 7, {"h", 0}, {"q", 0});
}

/* Two of them in series between nothing and nothing, both tanks empty at first. */
static void series_rates(real *dx, real s, const real *x, const void *unused)
{
    real t = s * s * s * s, a = x[0] - x[1];
    (void)unused;
    real q1 = copysignl(sqrtl(fabsl(a)), a), q2 = sqrtl(fabsl(x[1]) / 2);
    dx[0] = 4 * s * s * s * (t * (3 - t) - q1);
    dx[1] = 4 * s * s * s * (q1 - q2) / 2;
}

BOTH(two_square_laws_from_nothing)
{
    real x[2] = {0};
    case_follow(x, 2, series_rates, NULL, 0, powl(2, 0.25L), 200000);
    EXPECT("Sf in = t*(3 - t)\nC a = 1\nC b = 2\nR o : e = f*abs(f)\nR p : e = 2*f*abs(f)\n0 n\n"
           "1 j\n0 m\nin -> n -> a\nn -> j -> m -> b\nj -> o\nm -> p\n"
           "output h1 = e(a), h2 = e(b)\n",
           2, {"h1", x[0]}, {"h2", x[1]});
}

/* ---- check valves -------------------------------------------------------------------------- */

/* Filled through the valve for a second, w = √(1 − h): −2w·ẇ = w − (1 − w²)/2. */
static void valve_rates(real *dx, real t, const real *x, const void *unused)
{
    (void)t;
    (void)unused;
    dx[0] = sqrtl(1 - x[0]) - x[0] / 2;
}

BOTH(a_check_valve_in_series_with_an_open_switch)
{
    static const char text[] = "Se P = 1\nX1 s\nR cv : f = sqrt(max(e, 0))\nC tank = 1\nR out = 2\n"
                               "1 j\n0 n\nP -> s -> j -> n -> tank\nj -> cv\nn -> out\n"
                               "switch s off, on at 1, off at 2\noutput h = e(tank), q = f(cv)\n";
    real h = 0;
    case_follow(&h, 1, valve_rates, NULL, 1, 2, 20000);
    EXPECT(text, 0.5, {"h", 0}, {"q", 0});
    EXPECT(text, 4, {"h", h * expl(-1)}, {"q", 0});
}

/* What a check valve does not let through is not to be had: the run says so and names it. */
ALONE(a_flow_against_a_check_valve)
{
    rig r;
    bool ok =
        rig_new(&r, "Sf q = 1 - t\nR cv : f = max(e, 0)\n1 j\nq -> j -> cv\noutput e = e(cv)\n",
                &(jn_sim_options){.method = method});
    CHECK(ok);
    if (ok) {
        rig_to(&r, 0.5);
        CLOSE_REL(rig_output(&r, "e"), 0.5L, 1e-9);
        CU_ASSERT_EQUAL(rig_try(&r, 2), JN_STOP_NUMERICS);
        CHECK(strstr(r.message, "'cv'") != NULL);
        CLOSE(jn_sim_time(r.sim), 1, 1, 1e-6);
    }
    rig_clear(&r);
}

/* The valve shuts where 3·sin(2t) falls below h, and opens again: t = a + s² after it opens, and
 * before it shuts the root is followed in steps that grow fine. */
static void shut_rates(real *dx, real t, const real *x, const void *unused)
{
    (void)unused;
    dx[0] = sqrtl(fmaxl(3 * sinl(2 * t) - x[0], 0)) / 2 - x[0] / 8;
}

static void opening_rates(real *dx, real s, const real *x, const void *unused)
{
    shut_rates(dx, s * s, x, unused);
    dx[0] *= 2 * s;
}

BOTH(a_turbulent_check_valve_shuts)
{
    real h = 0, low = 1, high = 1.5L, at = 0;
    case_follow(&h, 1, opening_rates, NULL, 0, 1, 20000);
    for (real step = 0; high - low > 1e-15L; at = low) { /* where 3·sin(2t) = h */
        step = (high - low) / 4;
        real next = h;
        case_follow(&next, 1, shut_rates, NULL, low, low + step, 400);
        if (3 * sinl(2 * (low + step)) <= next) {
            high = low + step;
        } else {
            low += step;
            h = next;
        }
    }
    EXPECT("Se P = 3*sin(2*t)\nC a = 1\nR cv : f = sqrt(max(e, 0))/2\nR l = 8\n1 j\n0 n\n"
           "P -> j -> n -> a\nj -> cv\nn -> l\noutput h = e(a), q = f(cv)\n",
           3, {"h", h * expl((at - 3) / 8)}, {"q", 0});
}

/* ---- friction ------------------------------------------------------------------------------ */

static void slipping_rates(real *dx, real t, const real *x, const void *unused)
{
    (void)unused;
    dx[0] = (3 * sinl(t) - 1 - expl(-3 * x[0]) / 2 - x[0] / 5) / 2;
}

/* Two laws with a kink at one speed: the second is read at another bond of the junction. */
BOTH(dry_friction_beside_one_that_falls_with_speed)
{
    real v = 0, slips = asinl(0.5L);
    case_follow(&v, 1, slipping_rates, NULL, slips, 2, 20000);
    EXPECT("Se F = 3*sin(t)\nI m = 2\nR c : e = sign(f)*(7/10 + exp(-3*abs(f))/2)\n"
           "R d : e = 3/10*sign(f)\nR w = 1/5\n1 v\nF -> v -> m\nv -> c\nv -> d\nv -> w\n"
           "output v = f(m)\n",
           2, {"v", v});
}

/* ---- ratios that pass through 0 ------------------------------------------------------------ */

static void crank_rates(real *dx, real t, const real *x, const void *unused)
{
    (void)unused;
    dx[0] = 5 - cosl(t) * 2 * x[1];
    dx[1] = cosl(t) * x[0];
}

BOTH(a_transformer_passes_through_0)
{
    real x[2] = {0};
    case_follow(x, 2, crank_rates, NULL, 0, 6, 60000);
    EXPECT("Se T = 5\nI J = 1\nTF n = cos(t)\nC k = 1/2\n1 s\nT -> s -> J\ns -> n -> k\n"
           "output w = f(J), q = q(k)\n",
           6, {"w", x[0]}, {"q", x[1]});
}

/* ---- other laws ---------------------------------------------------------------------------- */

static void clipped_rates(real *dx, real t, const real *x, const void *unused)
{
    (void)unused;
    dx[0] = (1e-3L * sinl(1000 * t) - 2e-12L * sinhl(x[0] / 0.026L)) / 1e-6L;
}

BOTH(two_diodes_by_their_exponentials)
{
    real v = 0;
    case_follow(&v, 1, clipped_rates, NULL, 0, 0.01L, 2000000);
    EXPECT("Sf J = 1m*sin(1000*t)\nC c = 1u\nR d : f = 1e-12*(exp(e/0.026) - 1)\n"
           "R u : f = 1e-12*(1 - exp(-e/0.026))\n0 n\nJ -> n -> c\nn -> d\nn -> u\n"
           "output v = e(c)\n",
           0.01, {"v", v});
}

static void core_rates(real *dx, real t, const real *x, const void *unused)
{
    (void)unused;
    dx[0] = 10 * sinl(50 * t) - 3 * (2 * x[0] + 30 * x[0] * x[0] * x[0]);
}

BOTH(a_coil_that_saturates)
{
    real p = 0;
    case_follow(&p, 1, core_rates, NULL, 0, 0.5L, 50000);
    EXPECT("Se V = 10*sin(50*t)\nI L : f = 2*p + 30*p^3\nR r = 3\n1 j\nV -> j -> L\nj -> r\n"
           "output p = p(L), i = f(L)\n",
           0.5, {"p", p}, {"i", 2 * p + 30 * p * p * p});
}

/* Volume h³/3, so that h²·ḣ = −√h/5. */
BOTH(a_tank_of_varying_area)
{
    EXPECT("C tank : q = e^3/3, e0 = 1\nR o : f = sqrt(max(e, 0))/5\n0 n\nn -> tank\nn -> o\n"
           "output h = e(tank)\n",
           1, {"h", powl(0.5L, 0.4L)});
}

/* ---- what is fast beside what is slow ------------------------------------------------------ */

/* From 1 s on a coil empties itself into a leak of 10⁹ Ω within 10⁻⁹ s, 4·10⁸ W at first, while a mass
 * is held by its friction. Times near 1 s are 2·10⁻¹⁶ s apart. */
BOTH(a_coil_gives_all_it_has_to_a_leak)
{
    static const char text[] =
        "Se V = 1\nI L = 1\nR r = 1\nR leak = 1e9\nX1 s\n0 a\n1 j\n0 b\n1 k\n"
        "V -> a\na -> s -> b\na -> k -> b\nk -> leak\nb -> j -> L\nj -> r\n"
        "switch s on, off at 1\nSe F = 1/2\nI m = 1\nR c : e = sign(f)\n1 v\n"
        "F -> v -> m\nv -> c\noutput i = f(L), v = f(m)\n";
    static const int rows[] = {1, 3, 20};
    for (int k = 0; k < 3; k++) {
        rig r;
        bool ok = rig_new(&r, text, &(jn_sim_options){.method = method});
        CHECK(ok);
        for (int i = 1; ok && i <= rows[k]; i++)
            rig_to(&r, 2.0 * i / rows[k]);
        if (ok) {
            jn_ledger l = jn_sim_ledger(r.sim);
            CLOSE(l.dissipated, expl(-1) + (2 - expl(-1)) * 1e-9L, 1, 1e-12);
            CLOSE(l.supplied - l.stored - l.dissipated, 0, 1, 1e-13);
            CLOSE(rig_output(&r, "i"), 1e-9L, 1, 1e-15);
        }
        rig_clear(&r);
    }
}

/* ---- tanks that are empty when something begins to flow ------------------------------------- */

/* With v = √e of the tank: v' = (inflow − v)/(2v). */
static void filled_rates(real *dx, real t, const real *x, const void *context)
{
    (void)context;
    dx[0] = (t * t - x[0]) / (2 * x[0]);
}

/* The level of the first tank above the crest, and v of the second. */
static void weir_rates(real *dx, real t, const real *x, const void *context)
{
    real over = x[0] * sqrtl(x[0]);
    (void)t;
    (void)context;
    dx[0] = 1 - over;
    dx[1] = (over - x[1]) / (2 * x[1]);
}

static const char *const outlets[] = {"sqrt(e)", "sqrt(max(e,0))"};

BOTH(an_empty_tank_begins_to_fill)
{
    real v = 0.02L * 0.02L - 4 * 0.02L * 0.02L * 0.02L;
    case_follow(&v, 1, filled_rates, NULL, 0.02L, 0.2L, 20000);
    case_follow(&v, 1, filled_rates, NULL, 0.2L, 7, 100000);
    for (int i = 0; i < 2; i++) {
        char text[300];
        rig r;
        snprintf(text, sizeof text,
                 "model empty\nSf pump = max(t-3,0)^2\nC c = 1\nR out : f = %s\n0 n\n"
                 "pump -> n -> c\nn -> out\nsimulate to 10 every 1/2\n",
                 outlets[i]);
        CHECK(rig_new(&r, text, &(jn_sim_options){.method = method}));
        if (r.sim) {
            rig_to(&r, 10);
            CLOSE_REL(rig_state(&r, "c"), v * v, 1e-9);
            LEDGER(&r);
        }
        rig_clear(&r);
    }
}

/* A row of n empty tanks, each with an outlet k·√e into the next, and a pump a·τ² into the first. In
 * s = 2a/k²·τ and w = 4a/k³·√e all are alike: w·w' = inflow − w, the first inflow being s². */
typedef struct {
    int n;
    real a, k;
} cascade;

static void cascade_rates(real *dx, real s, const real *w, const void *context)
{
    const cascade *c = context;
    for (int i = 0; i < c->n; i++)
        dx[i] = ((i ? w[i - 1] : s * s) - w[i]) / w[i];
}

/* The last w while s is small: coefficients follow one after the other from w = inflow − w·w'. */
enum { TERMS = 16 };

static void cascade_series(real *w, int n, real s)
{
    real inflow[TERMS] = {0, 0, 1}, b[TERMS];
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < TERMS; j++) {
            b[j] = inflow[j];
            for (int m = 2; m < j; m++)
                b[j] -= (real)m * b[m] * b[j + 1 - m];
        }
        w[i] = 0;
        for (int j = TERMS - 1; j >= 0; j--)
            w[i] = w[i] * s + b[j];
        memcpy(inflow, b, sizeof b);
    }
}

/* √e of the last tank. */
static real cascade_after(const cascade *c, real tau)
{
    real w[3], scale = 2 * c->a / (c->k * c->k), s = scale * tau, from = fminl(s, 0.01L);
    cascade_series(w, c->n, from);
    if (s > from) {
        real middle = fminl(s, 0.2L);
        case_follow(w, c->n, cascade_rates, c, from, middle, 20000);
        case_follow(w, c->n, cascade_rates, c, middle, s, 20000);
    }
    return c->a / (c->k * scale * scale) * w[c->n - 1];
}

/* dual: inertias for tanks. The root is written in one of three ways. */
static void cascade_text(char *to, size_t size, const cascade *c, double start, bool dual, int law)
{
    static const char *const laws[] = {"sqrt(%c(c%d))", "sqrt(max(%c(c%d),0))",
                                       "max(%c(c%d),0)^0.5"};
    int n = snprintf(to, size, "%s pump = %Lg*max(t-%.10g,0)^2\npump -> n0\n", dual ? "Se" : "Sf",
                     c->a, start);
    for (int i = 0; i < c->n; i++) {
        char root[50];
        snprintf(root, sizeof root, laws[law], dual ? 'f' : 'e', i);
        n += snprintf(to + n, size - (size_t)n,
                      "%c c%d = 1\n%c n%d\n%c j%d\nR r%d : %c = %Lg*%s\nn%d -> c%d\n"
                      "n%d -> j%d -> r%d\n",
                      dual ? 'I' : 'C', i, dual ? '1' : '0', i, dual ? '0' : '1', i, i,
                      dual ? 'e' : 'f', c->k, root, i, i, i, i, i);
        if (i + 1 < c->n)
            n += snprintf(to + n, size - (size_t)n, "j%d -> n%d\n", i, i + 1);
    }
    snprintf(to + n, size - (size_t)n, "simulate to 10 every 1/2\n");
}

static void check_cascade(const cascade *c, double start, jn_method method)
{
    real v = cascade_after(c, 10 - start);
    for (int way = 0; way < 6; way++) {
        char text[900], last[16];
        rig r;
        snprintf(last, sizeof last, "c%d", c->n - 1);
        cascade_text(text, sizeof text, c, start, way % 2, way / 2);
        CHECK(rig_new(&r, text, &(jn_sim_options){.method = method, .span = 10}));
        if (r.sim) {
            rig_to(&r, 10);
            CLOSE_REL(rig_state(&r, last), v * v, 1e-9);
            LEDGER(&r);
            CHECK(jn_sim_residue(r.sim) < 1e-9);
        }
        rig_clear(&r);
    }
}

ALONE(empty_tanks_begin_to_fill)
{
    static const double starts[] = {3, 2.9997, 0.1, 0, 7.123};
    static const struct {
        real a, k;
    } sizes[] = {{1, 1}, {1e-3L, 1}, {1, 0.1L}, {5, 2}};
    for (int n = 1; n <= 3; n++)
        for (int size = 0; size < 4; size++)
            for (int i = 0; i < 5; i++)
                check_cascade(&(cascade){n, sizes[size].a, sizes[size].k}, starts[i], method);
}

BOTH(a_weir_begins_to_fill_an_empty_tank)
{
    real s = 1e-3L, x[2] = {s - 0.4L * s * s * sqrtl(s), s * sqrtl(s) - 3 * s * s};
    case_follow(x, 2, weir_rates, NULL, s, 0.1L, 20000);
    case_follow(x, 2, weir_rates, NULL, 0.1L, 7, 100000);
    for (int i = 0; i < 2; i++) {
        char text[400];
        rig r;
        snprintf(text, sizeof text,
                 "model weir\nSf pump = 1\nC a = 1\nC b = 1\nR over : f = max(e(a)-3,0)^1.5\n"
                 "R out : f = %s\n0 na\n0 nb\n1 n\npump -> na -> a\nna -> n -> nb\nn -> over\n"
                 "nb -> b\nnb -> out\nsimulate to 10 every 1/2\n",
                 outlets[i]);
        CHECK(rig_new(&r, text, &(jn_sim_options){.method = method}));
        if (r.sim) {
            rig_to(&r, 10);
            CLOSE_REL(rig_state(&r, "a"), 3 + x[0], 1e-9);
            CLOSE_REL(rig_state(&r, "b"), x[1] * x[1], 1e-9);
            LEDGER(&r);
        }
        rig_clear(&r);
    }
}

/* ---- a flat law beside what is linear ------------------------------------------------------- */

/* x, or its dual: the rate r is in series with a linear part, r + k·r³ = 3·sin(4t) − x. */
static void cubic_rates(real *dx, real t, const real *x, const void *context)
{
    real k = *(const real *)context, u = 3 * sinl(4 * t) - x[0], r = u;
    for (int i = 0; i < 60; i++)
        r -= (r + k * r * r * r - u) / (1 + 3 * k * r * r);
    dx[0] = r;
}

/* The law is written for what the linear resistor could take as well, and comes after it. */
BOTH(a_flat_law_beside_a_resistor)
{
    static const struct {
        const char *text, *state;
    } models[] = {{"model series\nSe V = 3*sin(4*t)\nSe G = 0\nC c = 1\nR r = 1\n"
                   "R z : e = %s*f^3\n1 n\nV -> n -> c\nn -> r\nn -> z\nn -> G\n",
                   "c"},
                  {"model parallel\nSf J = 3*sin(4*t)\nSf G = 0\nI l = 1\nR r = 1\n"
                   "R z : f = %s*e^3\n0 n\nJ -> n -> l\nn -> r\nn -> z\nn -> G\n",
                   "l"}};
    static const struct {
        const char *text;
        real k;
    } sizes[] = {{"0", 0}, {"1e-6", 1e-6L}, {"2", 2}};
    for (int i = 0; i < 6; i++) {
        char text[300];
        rig r;
        real x = 0;
        snprintf(text, sizeof text, models[i / 3].text, sizes[i % 3].text);
        case_follow(&x, 1, cubic_rates, &sizes[i % 3].k, 0, 5, 20000);
        CHECK(rig_new(&r, text, &(jn_sim_options){.method = method}));
        if (r.sim) {
            rig_to(&r, 5);
            CLOSE(rig_state(&r, models[i / 3].state), x, 1, BOUND);
            LEDGER(&r);
        }
        rig_clear(&r);
    }
}

/* ∫tan(t) has no bound at π/2: a run ends there, and soon (the case has twenty seconds). */
BOTH(a_source_with_a_pole)
{
    rig r;
    CHECK(rig_new(&r, "model pole\nSe V = tan(t)\nR r = 1\nI l = 1\n1 n\nV -> n -> r\nn -> l\n",
                  &(jn_sim_options){.method = method}));
    if (r.sim) {
        CHECK(rig_try(&r, 3) != JN_STOP_NONE);
        CLOSE(jn_sim_time(r.sim), acosl(0), 1, 1e-9);
    }
    rig_clear(&r);
}

/* w = √q after a second of w·w' = (n − w)/2 from `from` on, w < n: by bisection of its integral. */
static real root_after(real from, int n)
{
    real low = from, high = n;
    for (int k = 0; k < 200; k++) {
        real w = (low + high) / 2;
        real t = -2 * (w - from) - 2 * n * logl((n - w) / (n - from));
        *(t < 1 ? &low : &high) = w;
    }
    return low;
}

/* The inflow takes a step each second; in the first there is none, and the tank is empty. */
BOTH(a_tank_is_filled_by_steps)
{
    real w = 0;
    for (int n = 1; n < 5; n++)
        w = root_after(w, n);
    expect("Sf u = floor(t)\nC c : e = q + 0*q^3\nR r : e = f*abs(f)\n0 j\nu -> j\nj -> c\nj -> r\n"
           "output v = e(c)\n",
           5, (answer[]){{"v", w * w}, {NULL, 0}}, method);
}

/* The outlet of an empty tank has a slope without end, which holds back nothing of what a pump gives it. */
ALONE(a_tank_begins_late)
{
    static const double right[] = {0.52703696374414, 0.18052904854542, 0.52753195841849,
                                   0.57563921893147, 0.5123625578869735};
    rig r;
    (void)method;
    if (case_open(&r, "tank_begins_late", JN_METHOD_AUTO)) {
        rig_to(&r, 8);
        for (int k = 0; k < 5; k++)
            CLOSE(rig_output(&r, (const char *[]){"h0", "h1", "h2", "h3", "h4"}[k]), right[k], 1,
                  1e-9);
        LEDGER(&r);
    }
    rig_clear(&r);
}

void suite_sim_steep(void)
{
    TEST_SUITE("sim_steep");
    TEST_ADD(a_tank_fills_to_its_weir_and_over_it);
    TEST_ADD(a_weir_with_a_power_of_3_2);
    TEST_ADD(a_tank_empties_down_to_its_weir);
    TEST_ADD(levels_that_have_met_are_disturbed);
    TEST_ADD(three_levels_meet);
    TEST_ADD(levels_of_any_tanks_meet);
    TEST_ADD(tanks_at_rest_take_few_steps);
    TEST_ADD(levels_that_pass_each_other);
    TEST_ADD(an_empty_tank_behind_a_square_law);
    TEST_ADD(a_tank_runs_empty_through_a_square_law);
    TEST_ADD(two_square_laws_from_nothing);
    TEST_ADD(a_check_valve_in_series_with_an_open_switch);
    TEST_ADD(a_flow_against_a_check_valve);
    TEST_ADD(a_turbulent_check_valve_shuts);
    TEST_ADD(dry_friction_beside_one_that_falls_with_speed);
    TEST_ADD(a_transformer_passes_through_0);
    TEST_ADD(two_diodes_by_their_exponentials);
    TEST_ADD(a_coil_that_saturates);
    TEST_ADD(a_tank_of_varying_area);
    TEST_ADD(a_coil_gives_all_it_has_to_a_leak);
    TEST_ADD(an_empty_tank_begins_to_fill);
    TEST_ADD(empty_tanks_begin_to_fill);
    TEST_ADD(a_weir_begins_to_fill_an_empty_tank);
    TEST_ADD(a_flat_law_beside_a_resistor);
    TEST_ADD(a_source_with_a_pole);
    TEST_ADD(a_tank_is_filled_by_steps);
    TEST_ADD(a_tank_begins_late);
}
