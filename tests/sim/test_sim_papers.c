/* test_sim_papers.c: the examples of the papers: which modes are passed through, and when.
 *
 * The sources are named in examples/README.md; the answers are computed here from the models'
 * own equations. */
#include "rig.h"
#include "reference.h"

#include <math.h>

/* ---- diode and inductor -------------------------------------------------------------------- */

static void the_diode_lets_go_of_the_inductor(void)
{
    rig r;
    if (rig_example(&r, "diode_inductor")) {
        rig_to(&r, 400e-6);
        long double current = 10.0L / 330 * -expm1l(-330 * 90e-6L / 5e-3L);
        long double let_go = 100e-6L + current * 5e-3L / 0.7L;
        CU_ASSERT_EQUAL(r.nevents, 4);
        CU_ASSERT_EQUAL(rig_at(&r, 1)->t, 10e-6);
        CU_ASSERT_EQUAL(rig_at(&r, 2)->t, 100e-6);
        TEST_TEXT("10", rig_at(&r, 2)->from);
        TEST_TEXT("01", rig_at(&r, 2)->to);
        TEST_TEXT("mythical 00", rig_at(&r, 2)->via);
        CU_ASSERT_EQUAL(rig_at(&r, 2)->lost, 0); /* what is mythical leaves no trace */
        CLOSE_REL(rig_at(&r, 2)->state[0], current * 5e-3L, 1e-12);
        CLOSE_REL(rig_at(&r, 3)->t, let_go, 1e-12);
        TEST_TEXT("00", rig_at(&r, 3)->to);
        CU_ASSERT_EQUAL(rig_output(&r, "i"), 0);
        LEDGER(&r);
    }
    rig_clear(&r);
}

/* ---- tanks --------------------------------------------------------------------------------- */

static real right_above_left(const real *x)
{
    return x[0] / 5e-7L - x[1] / 3e-6L;
}

static real left_above_right(const real *x)
{
    return -right_above_left(x);
}

static const real tank1 = 5e-7L, tank2 = 3e-6L;

static ref_mode tanks(real inflow, bool open)
{
    ref_mode m = {2, {{-1 / (2e3L * tank1)}, {0, -1 / (7e3L * tank2)}}, {inflow}};
    if (open) {
        m.a[0][0] -= 1 / tank1;
        m.a[0][1] += 1 / tank2;
        m.a[1][0] += 1 / tank1;
        m.a[1][1] -= 1 / tank2;
    }
    return m;
}

static void compare_tanks(rig *r, const real *x)
{
    CLOSE_REL(rig_state(r, "C1"), x[0], 1e-12);
    CLOSE_REL(rig_state(r, "C2"), x[1], 1e-12);
}

/* Through the three levels of the source. */
static void the_tanks_latch(void)
{
    rig r;
    if (rig_example(&r, "bitank")) {
        real opens = 1e-3L * logl(1600.0L / 600), x[2] = {tank1 * 1000, 0}, used, t;
        ref_mode low = tanks(0.8L, true), high = tanks(8, true), half = tanks(4, true),
                 shut = tanks(4, false);
        rig_to(&r, 0.04);
        ref_flow(x, &low, 0.04L - opens);
        compare_tanks(&r, x);
        rig_to(&r, 0.08);
        ref_flow(x, &high, 0.04L);
        compare_tanks(&r, x);
        CU_ASSERT(ref_until(&used, x, &half, right_above_left, 1e-6L, 100));
        t = 0.08L + used;
        rig_to(&r, 0.12);
        CU_ASSERT_EQUAL(r.nevents, 4);
        CLOSE_REL(rig_at(&r, 1)->t, opens, 1e-13);
        CLOSE_REL(rig_at(&r, 2)->t, t, 1e-13);
        TEST_TEXT("0", rig_at(&r, 2)->to);
        CU_ASSERT(ref_until(&used, x, &shut, left_above_right, 0.04L, 1000));
        t += used;
        CLOSE_REL(rig_at(&r, 3)->t, t, 1e-12);
        TEST_TEXT("1", rig_at(&r, 3)->to);
        ref_flow(x, &half, 0.12L - t);
        compare_tanks(&r, x);
        LEDGER(&r);
    }
    rig_clear(&r);
}

/* ---- bodies -------------------------------------------------------------------------------- */

/* Table 3: 2 and 1 become 1.5 and 1.5; then 2·p' = 1 − 5p. */
static void inertias_share_their_momentum(void)
{
    rig r;
    if (rig_example(&r, "inertias")) {
        CLOSE_REL(rig_state(&r, "I1"), 1.5L, 1e-15);
        CLOSE_REL(rig_state(&r, "I2"), 1.5L, 1e-15);
        CLOSE_REL(rig_at(&r, 0)->lost, 0.25L, 1e-14);
        CLOSE_REL(rig_impulse(&r, 0, "b2", true), -0.5L, 1e-14);
        CLOSE_REL(rig_impulse(&r, 0, "b3", true), 0.5L, 1e-14);
        rig_to(&r, 0.6);
        CLOSE_REL(rig_state(&r, "I1"), 0.2L + 1.3L * expl(-1.5L), 1e-14);
        rig_to(&r, 2);
        long double p = 0.2L + 1.3L * expl(-2.5L);
        CLOSE_REL(rig_at(&r, 1)->lost, p * p, 1e-13);
        CU_ASSERT_EQUAL(rig_state(&r, "I1"), 0);
        CU_ASSERT_EQUAL(rig_state(&r, "I2"), 0);
        LEDGER(&r);
    }
    rig_clear(&r);
}

static void a_collision_keeps_its_momentum(void)
{
    rig r;
    if (rig_example(&r, "collision")) {
        rig_to(&r, 1);
        CU_ASSERT_EQUAL(r.nevents, 2);
        CLOSE_REL(rig_at(&r, 1)->t, 1.0L / 3, 1e-14);
        TEST_TEXT("pinnacle 1", rig_at(&r, 1)->via);
        CLOSE_REL(rig_state(&r, "m1"), 3, 1e-13);
        CLOSE_REL(rig_state(&r, "m2"), 3, 1e-13);
        CLOSE_REL(rig_output(&r, "dx"), -1, 1e-13);
        LEDGER(&r);
    }
    rig_clear(&r);
}

/* The rod of mass 1 and half-length 1 falls by 0.45 at 10 m/s²: 3 m/s; the impulses follow from
 * a tip that no longer moves down, or not at all. */
static const char rod[] =
    "model rod\nparam mu = %s\nI J = 1/3\nI mx = 1\nI my = 1\nSe weight = 10\n"
    "TF tx = 0.70710678118654752\nTF ty = 0.70710678118654752\n"
    "1 spin\n1 vx\n1 vy\n0 tip\nX0 contact\nX1 slide\n"
    "spin -> J\nvx -> mx\nweight -> vy\nvy -> my\ndown: vy -> contact\nspin -> ty\n"
    "turn: ty -> contact\nvx -> tip\nspin -> tx -> tip\ngrip: tip -> slide\n"
    "signal fall = f(down) + f(turn)\nsignal gap = int(-fall, 0.45)\n"
    "switch contact off, on when gap <= 0 and fall > 0\n"
    "automaton slide {\nfree on initial\nstuck off\nsliding on\n"
    "free -> stuck when gap <= 0 and fall > 0\n"
    "stuck -> sliding when abs(impulse(e(tip))) > mu*impulse(e(contact))\n}\n";

static void run_rod(const char *mu, const char *to, const char *via, long double normal,
                    long double spin)
{
    rig r;
    char text[1200];
    snprintf(text, sizeof text, rod, mu);
    if (rig_new(&r, text, NULL)) {
        rig_to(&r, 0.31);
        CU_ASSERT_EQUAL(r.nevents, 2);
        const rig_event *e = rig_at(&r, 1);
        CLOSE_REL(e->t, 0.3L, 1e-12);
        TEST_TEXT(to, e->to);
        TEST_TEXT(via, e->via);
        CLOSE_REL(rig_impulse(&r, 1, "down", true), normal, 1e-13);
        if (e->state) {
            CLOSE_REL(e->state[0], spin / 3, 1e-13);
            CLOSE_REL(e->state[2], 3 - normal, 1e-13);
        }
        LEDGER(&r);
    } else {
        CU_ASSERT(!"the rod can be run");
    }
    rig_clear(&r);
}

static void the_rod_slides_or_sticks(void)
{
    long double c = sqrtl(0.5L);
    run_rod("1/2", "11", "mythical 10", 1.2L, -3.6L * c);
    run_rod("7/10", "10", "", 1.875L, -2.25L * c);
}

/* ---- the rod that turns (fig. 11 of the paper) --------------------------------------------- */

/* y = (angle, omega, vx). On the tip act the normal force N up and mu·N against its speed; that it
 * does not move down, vy = −cos(angle)·omega, gives N. */
static void sliding_rates(long double *dy, const long double *y)
{
    long double s = sinl(y[0]), c = cosl(y[0]);
    long double mu = y[2] + s * y[1] > 0 ? 0.3L : -0.3L, k = c + mu * s;
    long double turn = -(10 - s * y[1] * y[1]) * k / (1 / 3.0L + c * k);
    long double normal = 10 - (s * y[1] * y[1] - c * turn);
    dy[0] = y[1];
    dy[1] = turn;
    dy[2] = -mu * normal;
}

/* About a tip at rest: 4/3·angle'' = −10·cos(angle). */
static void stuck_rates(long double *dy, const long double *y)
{
    dy[0] = y[1];
    dy[1] = -7.5L * cosl(y[0]);
    dy[2] = 0;
}

static void runge_kutta(void (*rates)(long double *, const long double *), long double *y,
                        long double h)
{
    static const long double at[] = {0, 0.5L, 0.5L, 1}, weight[] = {1, 2, 2, 1};
    long double k[3] = {0}, sum[3] = {0}, z[3];
    for (int n = 0; n < 4; n++) {
        for (int i = 0; i < 3; i++)
            z[i] = y[i] + at[n] * h * k[i];
        rates(k, z);
        for (int i = 0; i < 3; i++)
            sum[i] += weight[n] * k[i];
    }
    for (int i = 0; i < 3; i++)
        y[i] += h / 6 * sum[i];
}

static long double tip_speed(const long double *y)
{
    return fabsl(y[2] + sinl(y[0]) * y[1]);
}

/* Slides until its tip is slower than 1/100; the time this takes. */
static long double slide_rod(long double *y)
{
    long double t = 0;
    for (long double h = 1e-5L; h > 1e-19L;) {
        long double next[3] = {y[0], y[1], y[2]};
        runge_kutta(sliding_rates, next, h);
        if (tip_speed(next) < 0.01L) {
            h /= 2;
            continue;
        }
        memcpy(y, next, sizeof next);
        t += h;
    }
    return t;
}

static void the_block_topples(void)
{
    enum { STEPS = 20000 };
    rig r;
    bool made = rig_example(&r, "topple");
    CU_ASSERT_FATAL(made);
    rig_to(&r, 0.48);
    CU_ASSERT_EQUAL_FATAL(r.nevents, 3);
    TEST_TEXT("mythical 01", rig_at(&r, 1)->via);
    TEST_TEXT("11", rig_at(&r, 1)->to);
    TEST_TEXT("01", rig_at(&r, 2)->to);
    long double t = sqrtl(0.02L), angle = atanl(1);
    CLOSE_REL(rig_at(&r, 1)->t, t, 1e-12);
    long double y[3] = {angle, -3 * cosl(angle) * (10 * t / 2.5L), 0.2L};
    CLOSE_REL(rig_at(&r, 1)->state[0], y[1] / 3, 1e-10);
    t += slide_rod(y);
    CLOSE_REL(rig_at(&r, 2)->t, t, 1e-9);
    /* the tip stops: what turns about it stays */
    long double s = sinl(y[0]), c = cosl(y[0]);
    y[1] = (y[1] / 3 - s * y[2] + c * c * y[1]) / (4 / 3.0L);
    CLOSE_REL(rig_at(&r, 2)->state[0], y[1] / 3, 1e-9);
    for (int i = 0; i < STEPS; i++)
        runge_kutta(stuck_rates, y, (0.48L - t) / STEPS);
    CLOSE_REL(rig_output(&r, "angle"), y[0], 1e-8);
    CLOSE_REL(rig_output(&r, "omega"), y[1], 1e-9);
    rig_clear(&r);
}

/* The example itself, whose friction follows the normal force that was. */
static void the_rod_goes_on_under_friction(void)
{
    rig r;
    char *text = test_read_file("examples/rod.hbg");
    bool ends = rig_ends(text, NULL, 0.31);
    free(text);
    if (!ends)
        return;
    if (rig_example(&r, "rod")) {
        rig_to(&r, 0.31);
        CLOSE_REL(rig_at(&r, 1)->t, 0.3L, 1e-9);
        TEST_TEXT("00", rig_at(&r, 1)->from);
        TEST_TEXT("11", rig_at(&r, 1)->to);
        TEST_TEXT("mythical 01", rig_at(&r, 1)->via);
        if (rig_at(&r, 1)->state)
            CLOSE_REL(rig_at(&r, 1)->state[0], -1.2L * sqrtl(0.5L), 1e-9);
    }
    rig_clear(&r);
}

/* ---- hydraulic actuator -------------------------------------------------------------------- */

static void the_actuator_shares_its_flow(void)
{
    rig r;
    if (rig_example(&r, "hydraulic")) {
        rig_to(&r, 1);
        CU_ASSERT_EQUAL(r.nevents, 2);
        TEST_TEXT("10", rig_at(&r, 1)->from);
        TEST_TEXT("01", rig_at(&r, 1)->to);
        TEST_TEXT("mythical 00", rig_at(&r, 1)->via);
        CLOSE_REL(rig_output(&r, "velocity"), 400.0L / 101, 1e-14);
        CLOSE_REL(rig_at(&r, 1)->lost, 8 - 1.01L / 2 * powl(400.0L / 101, 2), 1e-13);
        rig_to(&r, 2);
        CLOSE_REL(rig_output(&r, "relief"), 400.0L / 101 * expl(-1 / 1.01L), 1e-13);
        rig_to(&r, 5);
        CU_ASSERT_EQUAL(r.nevents, 3);
        CLOSE_REL(rig_at(&r, 2)->t, 1 + 1.01L * logl(2000.0L / 101), 1e-13);
        TEST_TEXT("00", rig_at(&r, 2)->to);
        CLOSE_REL(rig_at(&r, 2)->lost, 0.0202L, 1e-12);
        CU_ASSERT_EQUAL(rig_output(&r, "velocity"), 0);
        LEDGER(&r);
    }
    rig_clear(&r);
}

/* An impulse of area 4 is compared with thresholds on either side of it. */
static void run_threshold(const char *threshold, bool opens)
{
    rig r;
    char text[600];
    snprintf(text, sizeof text,
             "model relief\nI I1 = 1, f0 = 4\nI I2 = 1/100\nR R1 = 1/100\nR R3 = 1\n1 piston\n"
             "0 cylinder\nX1 control\nX1 relief\nSe Pin = -1/25\npiston -> I1\n"
             "in: piston -> cylinder\ncylinder -> control -> R1\ncontrol -> Pin\n"
             "cylinder -> relief -> R3\nrelief -> I2\n"
             "switch control on, off at 1\n"
             "switch relief off, on when impulse(e(in)) > %s\n",
             threshold);
    if (rig_new(&r, text, NULL)) {
        rig_to(&r, 1);
        TEST_TEXT(opens ? "01" : "00", rig_at(&r, 1)->to);
        TEST_TEXT(opens ? "mythical 00" : "", rig_at(&r, 1)->via);
        CLOSE_REL(rig_impulse(&r, 1, "in", true), opens ? 4 - 400.0L / 101 : 4, 1e-13);
        LEDGER(&r);
    }
    rig_clear(&r);
}

static void thresholds_are_sharp(void)
{
    run_threshold("3.999999", true);
    run_threshold("4.000001", false);
}

/* Six bounces at one instant. */
static void six_bounces_make_one_instant(void)
{
    rig r;
    if (rig_example(&r, "pinnacle")) {
        rig_to(&r, 2);
        CU_ASSERT_EQUAL(r.nevents, 2);
        jn_str via;
        long double speed = 4;
        jn_str_init(&via);
        do {
            jn_str_addf(&via, "%smythical 000, pinnacle 001", via.len ? ", " : "");
            speed *= 0.6L;
            if (speed > 3 / 8.0L) {
                jn_str_add(&via, ", pinnacle 010");
                speed /= 1.01L;
            }
        } while (speed > 0.25L);
        TEST_TEXT(jn_str_c(&via), rig_at(&r, 1)->via);
        TEST_TEXT("000", rig_at(&r, 1)->to);
        CU_ASSERT_EQUAL(rig_output(&r, "velocity"), 0);
        CLOSE_REL(rig_impulse(&r, 1, "b1", true), -4, 1e-13); /* the piston's momentum, all of it */
        LEDGER(&r);
        jn_str_clear(&via);
    }
    rig_clear(&r);
}

/* With the oil in, states (piston, relief, oil); the pressure is q/C + R2·(f1 − f2). */
static const real oil = 5e-6L, R2 = 100, R3 = 0.01L, I2 = 0.01L;

static real pressure(const real *x)
{
    return x[2] / oil + R2 * (x[0] - x[1] / I2);
}

static real below_opening(const real *x)
{
    return 1000 - pressure(x);
}

static real above_closing(const real *x)
{
    return pressure(x) - 100;
}

static void the_valve_stutters(void)
{
    const ref_mode shut = {3, {{-R2, 0, -1 / oil}, {0}, {1}}, {0}};
    const ref_mode open = {
        3, {{-R2, R2 / I2, -1 / oil}, {R2, -(R2 + R3) / I2, 1 / oil}, {1, -1 / I2}}, {0}};
    rig r;
    if (rig_example(&r, "stutter")) {
        rig_to(&r, 0.06);
        real x[REF_STATES] = {4}, t = 0.01L, used;
        int e = 2;
        while (ref_until(&used, x, &shut, below_opening, 0.06L - t, 500)) {
            CLOSE_REL(rig_at(&r, e)->t, t += used, 1e-12);
            TEST_TEXT("01", rig_at(&r, e++)->to);
            CU_ASSERT(ref_until(&used, x, &open, above_closing, 0.001L, 100));
            CLOSE_REL(rig_at(&r, e)->t, t += used, 1e-12);
            CLOSE_REL(rig_at(&r, e)->lost, x[1] * x[1] / (2 * I2), 1e-9);
            TEST_TEXT("00", rig_at(&r, e++)->to);
            x[1] = 0;
        }
        CU_ASSERT_EQUAL(r.nevents, e);
        CU_ASSERT_EQUAL(e, 16);
        CLOSE(rig_state(&r, "I1"), x[0], 1, 1e-12);
        CLOSE(rig_output(&r, "pressure"), pressure(x), 100, 1e-11);
        LEDGER(&r);
    }
    rig_clear(&r);
}

void suite_sim_papers(void)
{
    TEST_SUITE("sim_papers");
    TEST_ADD(the_diode_lets_go_of_the_inductor);
    TEST_ADD(the_tanks_latch);
    TEST_ADD(inertias_share_their_momentum);
    TEST_ADD(a_collision_keeps_its_momentum);
    TEST_ADD(the_rod_slides_or_sticks);
    TEST_ADD(the_rod_goes_on_under_friction);
    TEST_ADD(the_block_topples);
    TEST_ADD(the_actuator_shares_its_flow);
    TEST_ADD(thresholds_are_sharp);
    TEST_ADD(six_bounces_make_one_instant);
    TEST_ADD(the_valve_stutters);
}
