/* test_sim_closed.c: runs whose answer one can write down.
 *
 * Linear circuits and mechanisms against their textbook solutions, evaluated in long double. The
 * bounds are those of rounding, not of a step size; none is larger than 1e-9. */
#include "rig.h"

#include <math.h>

#define PI 3.141592653589793238462643383279502884L

/* ---- circuits ------------------------------------------------------------------------------ */

static void a_capacitor_charges(void)
{
    rig r;
    if (rig_new(&r,
                "model rc\n"
                "Se V = 5\nR r = 2\nC c = 3, e0 = -1\n1 loop\n"
                "V -> loop -> r\nloop -> c\n"
                "output v = e(c), i = f(r)\n",
                NULL)) {
        for (int k = 1; k <= 400; k++) {
            double t = k < 300 ? 0.01 * k : 3 * (k - 299);
            rig_to(&r, t);
            long double fall = expl(-(long double)t / 6);
            CLOSE(rig_output(&r, "v"), 5 - 6 * fall, 5, 1e-14);
            CLOSE(rig_output(&r, "i"), 3 * fall, 3, 1e-14);
        }
        LEDGER(&r);
    }
    rig_clear(&r);
}

/* Without a source every digit of a state that has all but gone can still be asked for. */
static void a_capacitor_discharges(void)
{
    rig r;
    if (rig_new(&r, "model decay\nR r = 1\nC c = 1, q0 = 1\n0 n\nn -> r\nn -> c\n", NULL)) {
        for (int k = 1; k <= 600; k++)
            rig_to(&r, k);
        CLOSE_REL(rig_state(&r, "c"), expl(-600), 1e-12);
        LEDGER(&r);
    }
    rig_clear(&r);
}

/* q'' + 2a·q' + w²·q = V/L with V = 3, L = 1/2, w = 4. */
static long double rlc(long double *current, long double a, long double t)
{
    long double w = 4, end = 3.0L / 8, fall = expl(-a * t), d = sqrtl(fabsl(w * w - a * a));
    long double c = a < w ? cosl(d * t) : a > w ? coshl(d * t) : 1;
    long double s = a < w ? sinl(d * t) / d : a > w ? sinhl(d * t) / d : t;
    *current = end * fall * w * w * s;
    return end * (1 - fall * (c + a * s));
}

static void run_rlc(const char *resistance, long double a)
{
    rig r;
    char text[300];
    snprintf(text, sizeof text,
             "model rlc\nSe V = 3\nR r = %s\nI L = 1/2\nC c = 1/8\n1 loop\n"
             "V -> loop -> r\nloop -> L\nloop -> c\noutput i = f(L)\n",
             resistance);
    if (rig_new(&r, text, NULL)) {
        for (int k = 1; k <= 200; k++) {
            double t = 0.037 * k;
            long double current, charge = rlc(&current, a, t);
            rig_to(&r, t);
            CLOSE(rig_state(&r, "c"), charge, 3.0 / 8, 1e-13);
            CLOSE(rig_output(&r, "i"), current, 1, 1e-13);
        }
        LEDGER(&r);
    }
    rig_clear(&r);
}

static void a_damped_circuit_rings(void)
{
    run_rlc("1", 1);
    run_rlc("1/1000", 1.0L / 1000);
    run_rlc("4", 4); /* critically damped: the matrix is defective */
    run_rlc("5", 5);
}

/* A hundred thousand periods, one step each, and in one step. */
static void run_lc(int steps)
{
    rig r;
    if (rig_new(&r, "model lc\nI L = 2/3\nC c = 3/5, e0 = 2\n1 loop\nloop -> L\nloop -> c\n",
                NULL)) {
        long double period = 2 * PI * sqrtl(2.0L / 5), start = 0.5L * 3 / 5 * 4;
        double t = 0;
        for (int k = 1; k <= steps; k++)
            rig_to(&r, t = (double)(period * 100000 * k / steps));
        double p = rig_state(&r, "L"), q = rig_state(&r, "c");
        long double phase = (long double)t / sqrtl(2.0L / 5);
        CLOSE(q, 3.0L / 5 * 2 * cosl(phase), 1.2, 1e-9);
        CLOSE(p, -2.0L * sqrtl(2.0L / 5) * sinl(phase), 1.2, 1e-9);
        CLOSE_REL(p * p / (4.0 / 3) + q * q / (6.0 / 5), start, 1e-9);
        LEDGER(&r);
    }
    rig_clear(&r);
}

static void an_undamped_circuit_keeps_its_energy(void)
{
    run_lc(100000);
    run_lc(1);
}

/* A small capacitor in front of a large one: time constants of 0.5 µs and 2e6 s. */
static void stiff_circuits_are_followed(void)
{
    static const double times[] = {1e-7, 1e-6, 1e-5, 1, 30, 1e3, 1e6, 1e7};
    rig r;
    if (rig_new(&r,
                "model stiff\nSe V = 1\nR r1 = 1\nR r2 = 1\nC fast = 1e-6\nC slow = 1e6\n"
                "1 first\n1 second\n0 a\n0 b\n"
                "V -> first -> a -> fast\nfirst -> r1\na -> second -> b -> slow\nsecond -> r2\n"
                "output a = e(a), b = e(b)\n",
                NULL)) {
        long double s = 2e6L + 1e-6L, l1 = (s + sqrtl(s * s - 4)) / 2, l2 = 1 / l1;
        long double w2 = l1 / (l1 - l2), w1 = -l2 / (l1 - l2);
        unsigned failed = CU_get_number_of_failures();
        /* no further than the first failure: who steps by the fast one would be long on the way */
        for (int i = 0; i < 8 && CU_get_number_of_failures() == failed; i++) {
            long double t = times[i];
            long double b = -w1 * expm1l(-l1 * t) - w2 * expm1l(-l2 * t);
            long double db = w1 * l1 * expl(-l1 * t) + w2 * l2 * expl(-l2 * t);
            rig_to(&r, times[i]);
            CLOSE_REL(rig_output(&r, "b"), b, 1e-9);
            CLOSE_REL(rig_output(&r, "a"), b + 1e6L * db, 1e-9);
        }
        LEDGER(&r);
    }
    rig_clear(&r);
}

/* Twelve equal lags in a row behind a capacitor that stays charged: one Jordan block, and the
 * answer is one minus a sum of Poisson's. */
static void a_defective_matrix_is_followed(void)
{
    enum { STAGES = 12 };
    jn_str text;
    rig r;
    jn_str_init(&text);
    jn_str_add(&text, "model chain\nC c = 1, q0 = 1\n0 n\nn -> c\nsignal y0 = e(c)\n");
    for (int k = 1; k <= STAGES; k++)
        jn_str_addf(&text, "signal y%d = int(y%d - y%d, 0)\noutput y%d\n", k, k - 1, k, k);
    if (rig_new(&r, jn_str_c(&text), NULL)) {
        CU_ASSERT(jn_sim_is_linear(r.sim));
        for (int step = 1; step <= 30; step++) {
            rig_to(&r, step);
            long double term = expl(-step), sum = 0;
            for (int k = 1; k <= STAGES; k++) {
                char name[16];
                snprintf(name, sizeof name, "y%d", k);
                sum += term;
                term *= (long double)step / k;
                CLOSE(rig_output(&r, name), 1 - sum, 1, 1e-13);
            }
        }
    } else {
        CU_ASSERT(!"lags can be run");
    }
    rig_clear(&r);
    jn_str_clear(&text);
}

/* Nothing but integrals: a matrix whose powers vanish. */
/* ---- many states --------------------------------------------------------------------------- */

enum { WAGONS = 30, STATES = 2 * WAGONS - 1, FREED = 11 }; /* speeds, then springs */

/* Slopes of a train that 3 N pull: 2 kg, couplings of 50 N/m and 0.2 Ns/m, drag 0.1 Ns/m. The
 * coupling FREED may be open: then its spring relaxes against its damper alone. `pull` is the
 * number 1 before the first derivative and 0 after. */
static void train_slopes(long double *dx, const long double *x, bool open, long double pull)
{
    const long double *q = x + WAGONS;
    for (int k = 0; k < WAGONS; k++)
        dx[k] = ((k ? 0 : 3 * pull) - x[k] / 10) / 2;
    for (int k = 0; k + 1 < WAGONS; k++) {
        bool free = open && k == FREED;
        long double slide = free ? -250 * q[k] : x[k] - x[k + 1];
        long double force = free ? 0 : 50 * q[k] + slide / 5;
        dx[WAGONS + k] = slide;
        dx[k] -= force / 2;
        dx[k + 1] += force / 2;
    }
}

/* One step by the Taylor series. */
static void train_step(long double *x, bool open, long double h)
{
    long double term[STATES], next[STATES];
    memcpy(term, x, sizeof term);
    for (int j = 1; j <= 60; j++) {
        train_slopes(next, term, open, j == 1);
        for (int i = 0; i < STATES; i++) {
            term[i] = next[i] * h / j;
            x[i] += term[i];
        }
    }
}

static void many_states_are_followed(void)
{
    jn_str text;
    rig r;
    jn_str_init(&text);
    jn_str_addf(&text,
                "model train\nSe F = 3\n1 v[1]\nF -> v[1]\n"
                "for k in 1..%d {\n I m[k] = 2\n R b[k] = 1/10\n v[k] -> m[k]\n v[k] -> b[k]\n}\n"
                "for k in 2..%d {\n 1 v[k]\n 1 w[k]\n C s[k] = 1/50\n R d[k] = 1/5\n"
                " v[k - 1] -> c[k] -> v[k]\n c[k] -> w[k] -> s[k]\n w[k] -> d[k]\n}\n"
                "for k in 2..%d {\n 0 c[k]\n}\nX0 c[%d]\nfor k in %d..%d {\n 0 c[k]\n}\n"
                "switch c[%d] pwm(8, 1/2)\n",
                WAGONS, WAGONS, FREED + 1, FREED + 2, FREED + 3, WAGONS, FREED + 2);
    if (rig_new(&r, jn_str_c(&text), NULL)) {
        long double x[STATES] = {0};
        for (int k = 1; k <= 160; k++) {
            bool open = (k - 1) / 16 % 2;
            for (int i = 0; i < 25; i++)
                train_step(x, open, 0.01L);
            rig_to(&r, 0.25 * k);
            for (int i = 0; i < STATES; i++) {
                char name[16];
                bool mass = i < WAGONS;
                snprintf(name, sizeof name, "%s[%d]", mass ? "m" : "s",
                         mass ? i + 1 : i - WAGONS + 2);
                CLOSE(rig_state(&r, name), mass ? 2 * x[i] : x[i], mass ? 5 : 0.1, 1e-13);
            }
        }
        CU_ASSERT_EQUAL(r.nevents, 11);
        LEDGER(&r);
    } else {
        CU_FAIL("it starts");
    }
    rig_clear(&r);
    jn_str_clear(&text);
}

/* ---- short and empty ----------------------------------------------------------------------- */

static void a_nilpotent_matrix_is_followed(void)
{
    rig r;
    if (rig_new(&r,
                "model fall\nSe force = 3\nI m = 2, f0 = -5\nforce -> m\n"
                "signal x = int(f(m), 7)\nsignal y = int(x, 0)\nsignal z = int(y, -1)\n"
                "output x, y, z\n",
                NULL)) {
        for (int k = 1; k <= 50; k++) {
            long double t = 0.5L * k;
            rig_to(&r, (double)t);
            CLOSE_REL(rig_state(&r, "m"), -10 + 3 * t, 1e-12);
            CLOSE(rig_output(&r, "x"), 7 - 5 * t + 0.75L * t * t, 7 + 5 * k, 1e-14);
            CLOSE(rig_output(&r, "y"), 7 * t - 2.5L * t * t + 0.25L * t * t * t, 7 + k * k * k,
                  1e-14);
            CLOSE(rig_output(&r, "z"),
                  -1 + 3.5L * t * t - 2.5L / 3 * t * t * t + 0.0625L * t * t * t * t, 7 + pow(k, 4),
                  1e-14);
        }
        LEDGER(&r);
    }
    rig_clear(&r);
}

/* An integral of itself, read by a source and by a condition. */
static void feedback_is_followed(void)
{
    rig r;
    if (rig_new(&r,
                "model lag\nSe u = a\nI m = 1\nR r = 2\n1 j\nu -> j -> m\nj -> r\n"
                "X1 s\nR load = 1\n0 n\nSf g = 1\ng -> n -> s -> load\nR side = 1\nn -> side\n"
                "signal a = int(-a, 1)\noutput a\nswitch s off, on when a < 1/2\n",
                NULL)) {
        rig_to(&r, 1);
        CLOSE(rig_output(&r, "a"), expl(-1), 1, 1e-9);
        CLOSE(rig_state(&r, "m"), expl(-1) - expl(-2), 1, 1e-9);
        CLOSE(rig_at(&r, 1)->t, logl(2), 1, 1e-9);
        LEDGER(&r);
    } else {
        CU_ASSERT(!"feedback can be run");
    }
    rig_clear(&r);
}

/* A constant force and nothing to set a time scale: the answer is as good after 0.1 ns as after a
 * second. */
static void short_times_are_followed(void)
{
    rig r;
    if (rig_new(&r,
                "model brake\nSe force = -0.7\nI m = 1/200, p0 = 1.5e-10\nX1 v\n"
                "force -> v -> m\nswitch v on, off when p(m) < 0\n",
                NULL)) {
        rig_to(&r, 1e-10);
        CLOSE_REL(rig_state(&r, "m"), 0.8e-10L, 1e-12);
        rig_to(&r, 1);
        CLOSE_REL(rig_at(&r, 1)->t, 1.5e-9L / 7, 1e-12);
        LEDGER(&r);
    }
    rig_clear(&r);
}

/* No storage at all: values follow the source, and a breaker opens and closes on them. */
static void a_model_without_states_is_followed(void)
{
    rig r;
    if (rig_new(&r,
                "model plain\nSe V = 10*sin(t)\nR r = 5\nR q = 2\n1 loop\nX1 s\n0 n\n"
                "V -> loop -> n -> r\nn -> s -> q\nloop -> k\nR k = 1\n"
                "switch s off, on when e(V) > 5, off when e(V) < 5\n"
                "output e = e(r), i = f(q)\n",
                NULL)) {
        rig_to(&r, 0.25);
        CLOSE_REL(rig_output(&r, "e"), 10 * sinl(0.25L) * 5 / 6, 1e-14);
        rig_to(&r, 1);
        long double both = 10.0L / 7; /* 5 and 2 side by side */
        CLOSE_REL(rig_output(&r, "e"), 10 * sinl(1) * both / (both + 1), 1e-14);
        CLOSE_REL(rig_output(&r, "i"), 5 * sinl(1) * both / (both + 1), 1e-14);
        rig_to(&r, 9);
        CU_ASSERT_EQUAL(r.nevents, 5);
        CLOSE_REL(rig_at(&r, 1)->t, PI / 6, 1e-14);
        CLOSE_REL(rig_at(&r, 2)->t, 5 * PI / 6, 1e-14);
        CLOSE_REL(rig_at(&r, 3)->t, 13 * PI / 6, 1e-14);
        CLOSE_REL(rig_at(&r, 4)->t, 17 * PI / 6, 1e-14);
        LEDGER(&r);
    }
    rig_clear(&r);
}

/* ---- jumps --------------------------------------------------------------------------------- */

static void a_clutch_conserves_momentum(void)
{
    rig r;
    if (rig_new(&r,
                "model clutch\nI J1 = 2, f0 = 100\nI J2 = 3, f0 = 20\n1 motor\n1 wheel\nX0 c\n"
                "one: motor -> J1\nin: motor -> c\nout: c -> wheel\ntwo: wheel -> J2\n"
                "switch c off, on at 1\n",
                NULL)) {
        rig_to(&r, 2);
        CU_ASSERT_EQUAL(r.nevents, 2);
        CU_ASSERT_EQUAL(rig_at(&r, 1)->t, 1);
        CLOSE_REL(rig_state(&r, "J1"), 104, 1e-14);
        CLOSE_REL(rig_state(&r, "J2"), 156, 1e-14);
        CLOSE_REL(rig_at(&r, 1)->lost, 3840, 1e-14);
        CLOSE_REL(rig_impulse(&r, 1, "one", true), -96, 1e-14);
        CLOSE_REL(rig_impulse(&r, 1, "in", true), 96, 1e-14);
        CLOSE_REL(rig_impulse(&r, 1, "out", true), 96, 1e-14);
        CLOSE_REL(rig_impulse(&r, 1, "two", true), 96, 1e-14);
        CU_ASSERT_EQUAL(rig_impulse(&r, 1, "in", false), 0);
        LEDGER(&r);
    }
    rig_clear(&r);
}

static void joined_capacitors_conserve_charge(void)
{
    rig r;
    if (rig_new(&r,
                "model join\nC C1 = 1, e0 = 10\nC C2 = 3, e0 = 2\n0 a\n0 b\nX1 s\n"
                "a -> C1\nin: a -> s\nout: s -> b\nb -> C2\nswitch s off, on at 1\n",
                NULL)) {
        rig_to(&r, 2);
        CLOSE_REL(rig_state(&r, "C1"), 4, 1e-14);
        CLOSE_REL(rig_state(&r, "C2"), 12, 1e-14);
        CLOSE_REL(rig_at(&r, 1)->lost, 24, 1e-14);
        CLOSE_REL(rig_impulse(&r, 1, "in", false), 6, 1e-14);
        CLOSE_REL(rig_impulse(&r, 1, "out", false), 6, 1e-14);
        CU_ASSERT_EQUAL(rig_impulse(&r, 1, "in", true), 0);
        LEDGER(&r);
    }
    rig_clear(&r);
}

/* ---- mechanisms ---------------------------------------------------------------------------- */

/* Dropped from 5 m at 10 m/s²: bounces at 1, then after 2·0.9^k each; the limit is 19 s. */
static void a_ball_bounces(void)
{
    rig r;
    if (rig_new(&r,
                "model ball\nparam eps = 9/10\nSe weight = -10\nSf rebound = -eps*prior(f(v))\n"
                "I m = 1\n1 v\nX0 floor\nweight -> v -> m\nrebound -> floor -> v\n"
                "signal height = int(f(v), 5)\n"
                "switch floor off, on when height <= 0 and f(v) < 0, off when prior(f(v)) > 0\n"
                "output height\n",
                NULL)) {
        rig_to(&r, 18.8);
        CU_ASSERT(r.nevents > 40);
        long double t = 1, speed = 10;
        for (int k = 1; k <= 40 && k < r.nevents; k++) {
            const rig_event *e = rig_at(&r, k);
            CLOSE_REL(e->t, t, 1e-12);
            speed *= 0.9L;
            CLOSE_REL(e->state[0], speed, 1e-11);
            TEST_TEXT("pinnacle 1", e->via);
            t += speed / 5;
        }
        LEDGER(&r);
    }
    rig_clear(&r);
}

/* Sticks for ten seconds, slips for 2π − 2·atan 5, and again; the first time it sticks for 15. */
static void a_block_sticks_and_slips(void)
{
    rig r;
    if (rig_example(&r, "stickslip")) {
        rig_to(&r, 1000);
        long double t = 15, slip = 2 * PI - 2 * atanl(5);
        CU_ASSERT_EQUAL(r.nevents, 1 + 2 * (int)((1000 - 5) / (10 + slip)));
        for (int k = 1; k < r.nevents; k++) {
            const rig_event *e = rig_at(&r, k);
            bool slips = k % 2;
            CLOSE_REL(e->t, t, 1e-11);
            CLOSE_REL(e->state[1], slips ? 1.5L : 0.5L, 1e-11);
            CLOSE_REL(e->state[0], 0.1L, 1e-10);
            TEST_TEXT(slips ? "0" : "1", e->to);
            t += slips ? slip : 10;
        }
        LEDGER(&r);
    }
    rig_clear(&r);
}

/* ---- beside an integrator ------------------------------------------------------------------ */

static bool run_example(double *x, const char *name, double to, const jn_sim_options *o)
{
    char path[100];
    rig r;
    snprintf(path, sizeof path, "examples/%s.hbg", name);
    char *text = test_read_file(path);
    bool good = rig_new(&r, text, o) && rig_try(&r, to) == JN_STOP_NONE;
    if (!good)
        printf("\n  %s, method %d: %s at %g", name, o->method, r.message, r.stop.t);
    if (good)
        memcpy(x, jn_sim_state(r.sim), (size_t)r.graph->nstorages * sizeof *x);
    rig_clear(&r);
    free(text);
    return good;
}

/* The exact solution and the integrator's, on the same models. */
static void both_engines_agree(void)
{
    static const struct {
        const char *name;
        double to;
    } runs[] = {{"clutch", 2},     {"capacitors", 2}, {"inertias", 0.9}, {"collision", 1},
                {"hydraulic", 3},  {"stutter", 0.02}, {"bitank", 0.1},   {"diode_inductor", 3e-4},
                {"stickslip", 20}, {"buck", 1e-3},    {"cuk", 1e-3},     {"planetary", 0.01},
                {"ladder", 0.01},  {"rectifier", 0.1}};
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
        double exact[64] = {0}, other[64] = {0}, most = 0;
        jn_sim_options radau = {.method = JN_METHOD_RADAU};
        bool good = run_example(exact, runs[i].name, runs[i].to,
                                &(jn_sim_options){.method = JN_METHOD_EXACT}) &&
                    run_example(other, runs[i].name, runs[i].to, &radau);
        CU_ASSERT(good);
        for (int k = 0; k < 64; k++)
            most = fmax(most, fabs(exact[k]));
        for (int k = 0; k < 64 && good; k++)
            good = fabs(exact[k] - other[k]) <= 1e-8 * most;
        if (!good)
            printf("\n  %s differs", runs[i].name);
        CU_ASSERT(good);
    }
}

void suite_sim_closed(void)
{
    TEST_SUITE("sim_closed");
    TEST_ADD(a_capacitor_charges);
    TEST_ADD(a_capacitor_discharges);
    TEST_ADD(a_damped_circuit_rings);
    TEST_ADD(an_undamped_circuit_keeps_its_energy);
    TEST_ADD(stiff_circuits_are_followed);
    TEST_ADD(a_defective_matrix_is_followed);
    TEST_ADD(many_states_are_followed);
    TEST_ADD(a_nilpotent_matrix_is_followed);
    TEST_ADD(feedback_is_followed);
    TEST_ADD(short_times_are_followed);
    TEST_ADD(a_model_without_states_is_followed);
    TEST_ADD(a_clutch_conserves_momentum);
    TEST_ADD(joined_capacitors_conserve_charge);
    TEST_ADD(a_ball_bounces);
    TEST_ADD(a_block_sticks_and_slips);
    TEST_ADD(both_engines_agree);
}
