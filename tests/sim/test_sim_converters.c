/* test_sim_converters.c: switched circuits whose diodes know only their own voltage and current,
 * against references that follow them event by event in long double. */
#include "rig.h"
#include "reference.h"

#include <math.h>

/* ---- one switch and one diode ---------------------------------------------------------------- */

/* States in the order of the model's storages: momenta p, then charges q. In every period the
 * switch is on for the first half; then the diode conducts until its current has gone. */
typedef struct {
    const char *name;
    real period;
    ref_mode on, off, dry;
    ref_condition current;  /* of the conducting diode */
    ref_condition blocking; /* minus the voltage of the blocking diode, while the switch is off */
} converter;

static const real L = 1e-4L, C = 1e-4L;

static real first(const real *x)
{
    return x[0];
}

static real buck_blocking(const real *x) /* e(n) is the output's */
{
    return x[1] / C;
}

static real boost_blocking(const real *x)
{
    return x[1] / C - 12;
}

static real cuk_current(const real *x)
{
    return (x[0] - x[1]) / L;
}

/* e(b) = L2·di/dt + v2 with (L1 + L2)·di/dt = V − v1 − v2. */
static real cuk_blocking(const real *x)
{
    real v1 = x[2] / 1e-5L, v2 = x[3] / 5e-5L;
    return -((12 - v1 - v2) / 2 + v2);
}

static converter buck(real load)
{
    converter c = {.name = "buck", .period = 20e-6L, .current = first, .blocking = buck_blocking};
    c.off = (ref_mode){2, {{0, -1 / C}, {1 / L, -1 / (load * C)}}, {0}};
    c.on = c.off;
    c.on.b[0] = 24;
    c.dry = (ref_mode){2, {{0}, {0, -1 / (load * C)}}, {0}};
    return c;
}

static converter boost(real load)
{
    converter c = {.name = "boost", .period = 50e-6L, .current = first, .blocking = boost_blocking};
    c.on = (ref_mode){2, {{0}, {0, -1 / (load * C)}}, {12}};
    c.off = (ref_mode){2, {{0, -1 / C}, {1 / L, -1 / (load * C)}}, {12}};
    c.dry = (ref_mode){2, {{0}, {0, -1 / (load * C)}}, {0}};
    return c;
}

/* States p1, p2, q1, q2. */
static converter cuk(void)
{
    converter c = {.name = "cuk", .period = 20e-6L, .current = cuk_current,
                   .blocking = cuk_blocking};
    const real C1 = 1e-5L, C2 = 5e-5L, leak = 1 / (80 * C2);
    c.on = (ref_mode){4,
                      {{0},
                       {0, 0, -1 / C1, -1 / C2},
                       {0, 1 / L},
                       {0, 1 / L, 0, -leak}},
                      {12}};
    c.off = (ref_mode){4,
                       {{0, 0, -1 / C1},
                        {0, 0, 0, -1 / C2},
                        {1 / L},
                        {0, 1 / L, 0, -leak}},
                       {12}};
    /* both coils carry one current; each takes half of the voltage */
    c.dry = (ref_mode){4,
                       {{0, 0, -0.5L / C1, -0.5L / C2},
                        {0, 0, -0.5L / C1, -0.5L / C2},
                        {0.5L / L, 0.5L / L},
                        {0.5L / L, 0.5L / L, 0, -leak}},
                       {6, 6}};
    return c;
}

/* The second half of a period; the times of the diode's events go to when[]. */
static int freewheel(real *x, const converter *c, real t, real *when)
{
    real left = c->period / 2, used;
    int n = 0;
    if (c->current(x) <= 0) /* nothing to carry on with */
        goto dry;
    for (;;) {
        if (!ref_until(&used, x, &c->off, c->current, left, 8))
            return n;
        left -= used;
        when[n++] = t += used;
dry:
        if (!ref_until(&used, x, &c->dry, c->blocking, left, 8))
            return n;
        left -= used;
        when[n++] = t += used;
    }
}

/* To 1e-12 of the most there has been. */
static void compare_states(const rig *r, const real *x, real *most, int n)
{
    for (int i = 0; i < n; i++) {
        most[i] = fmaxl(most[i], fabsl(x[i]));
        CLOSE(jn_sim_state(r->sim)[i], x[i], (double)most[i], 1e-12);
    }
}

/* Event number *e of the run is at time t, to 1e-12 of a period. */
static void expect_event(const rig *r, int *e, real t, const converter *c)
{
    if (*e < r->nevents)
        CLOSE(r->event[*e].t - (double)t, 0, (double)c->period, 1e-12);
    ++*e;
}

static void follow(const char *text, const converter *c, int periods)
{
    rig r;
    if (!rig_new(&r, text, NULL)) {
        CU_ASSERT(!"the converter can be run");
        rig_clear(&r);
        return;
    }
    real x[REF_STATES] = {0}, most[REF_STATES] = {0}, when[16];
    int n = c->on.n, e = 1;
    for (int k = 0; k < periods; k++) {
        if (k > 0)
            expect_event(&r, &e, k * c->period, c);
        ref_flow(x, &c->on, c->period / 2);
        real t = k * c->period + c->period / 2;
        rig_to(&r, (double)t);
        compare_states(&r, x, most, n);
        expect_event(&r, &e, t, c);
        int found = freewheel(x, c, t, when);
        rig_to(&r, (double)((k + 1) * c->period));
        for (int i = 0; i < found; i++)
            expect_event(&r, &e, when[i], c);
        compare_states(&r, x, most, n);
    }
    CU_ASSERT_EQUAL(r.nevents, e + 1); /* and the one at the end itself */
    LEDGER(&r);
    rig_clear(&r);
}

static const char buck_text[] = "model buck\n"
                                "Se V = 24\nSe G = 0\nI L = 1e-4\nC C1 = 1e-4\nR load = %d\n"
                                "0 n\n0 out\n1 coil\nX1 s\nX1 d\n"
                                "V -> s -> n\nG -> d -> n\nn -> coil -> L\n"
                                "coil -> out -> C1\nout -> load\n"
                                "switch s pwm(20e-6, 1/2)\n"
                                "switch d off, on when e(n) < 0, off when f(d) < 0\n";

static const char boost_text[] = "model boost\n"
                                 "Se V = 12\nI L = 1e-4\nC C1 = 1e-4\nR load = %d\n"
                                 "0 n\n0 out\n1 coil\nX1 s\nX1 d\n"
                                 "V -> coil -> L\ncoil -> n -> s\nn -> d -> out -> C1\n"
                                 "out -> load\n"
                                 "switch s pwm(50e-6, 1/2)\n"
                                 "switch d off, on when e(n) > e(out), off when f(d) < 0\n";

static const char cuk_text[] = "model cuk\n"
                               "Se V = 12\nI L1 = 1e-4\nI L2 = 1e-4\nC C1 = 1e-5\nC C2 = 5e-5\n"
                               "R load = 80\n0 a\n0 b\n0 out\n1 input\n1 bridge\n1 coil\n"
                               "X1 s\nX1 d\n"
                               "V -> input -> L1\ninput -> a -> bridge -> C1\n"
                               "bridge -> b -> coil -> L2\ncoil -> out -> C2\nout -> load\n"
                               "a -> s\nb -> d\n"
                               "switch s pwm(20e-6, 1/2)\n"
                               "switch d off, on when e(b) > 0, off when f(d) < 0\n";

static void follow_loaded(const char *format, int load, const converter *c, int periods)
{
    char text[800];
    snprintf(text, sizeof text, format, load);
    follow(text, c, periods);
}

static void test_buck(void)
{
    converter c = buck(4); /* the coil never runs dry once it has settled */
    follow_loaded(buck_text, 4, &c, 1000);
}

static void test_buck_dry(void)
{
    converter c = buck(40);
    follow_loaded(buck_text, 40, &c, 1000);
}

static void test_boost(void)
{
    converter c = boost(5);
    follow_loaded(boost_text, 5, &c, 500);
}

static void test_boost_dry(void)
{
    converter c = boost(200);
    follow_loaded(boost_text, 200, &c, 500);
}

static void test_cuk(void)
{
    converter c = cuk();
    follow(cuk_text, &c, 1000);
}

/* ---- a bridge with a capacitor --------------------------------------------------------------- */

#define PI 3.141592653589793238462643383279502884L

/* The source sets the capacitor's voltage until its own falls faster than the load takes it down:
 * tan(wt) = −w·R·C. Then it decays, until the other half-wave has risen above it. */
typedef struct {
    real let_go, voltage; /* when the bridge let go, and the voltage there */
} half_wave;

static const real w = 100 * PI, RC = 0.1L;

static real behind(real t, const void *arg)
{
    const half_wave *h = arg;
    return h->voltage * expl(-(t - h->let_go) / RC) - 20 * fabsl(sinl(w * t));
}

/* The capacitor's voltage at t in half-wave k, of which the bridge conducts from `on`. */
static real voltage_at(real t, real on, const half_wave *before, const half_wave *now)
{
    if (t < on)
        return before->voltage * expl(-(t - before->let_go) / RC);
    if (t < now->let_go)
        return 20 * fabsl(sinl(w * t));
    return now->voltage * expl(-(t - now->let_go) / RC);
}

static void test_rectifier(void)
{
    rig r;
    if (!rig_example(&r, "rectifier")) {
        rig_clear(&r);
        return;
    }
    half_wave before = {0}, now;
    int e = 1;
    for (int k = 0; k < 10; k++) {
        bool even = k % 2 == 0;
        now.let_go = (PI - atanl(w * RC)) / w + 0.01L * k;
        now.voltage = 20 * fabsl(sinl(w * now.let_go));
        real on = k ? ref_zero(behind, &before, 0.01L * k, 0.01L * k + 0.005L) : 0;
        for (int i = 1; i <= (k < 9 ? 20 : 19); i++) { /* at the very end the source is zero again */
            real t = (20 * k + i) * 0.0005L;
            rig_to(&r, (double)t);
            CLOSE(rig_output(&r, "v"), voltage_at(t, on, &before, &now), 20, 1e-12);
        }
        if (k) { /* the pair that blocked hands over as the source changes sign */
            CLOSE(rig_at(&r, e)->t, 0.01L * k, 0.01, 1e-12);
            TEST_TEXT(even ? "0001" : "0010", rig_at(&r, e++)->to);
        }
        CLOSE(rig_at(&r, e)->t, on, 0.01, 1e-12);
        TEST_TEXT(even ? "1001" : "0110", rig_at(&r, e++)->to);
        CLOSE(rig_at(&r, e)->t, now.let_go, 0.01, 1e-12);
        TEST_TEXT(even ? "0001" : "0010", rig_at(&r, e++)->to);
        before = now;
    }
    CU_ASSERT_EQUAL(r.nevents, e);
    LEDGER(&r);
    rig_clear(&r);
}

void suite_sim_converters(void)
{
    TEST_SUITE("sim_converters");
    TEST_ADD(test_buck);
    TEST_ADD(test_buck_dry);
    TEST_ADD(test_boost);
    TEST_ADD(test_boost_dry);
    TEST_ADD(test_cuk);
    TEST_ADD(test_rectifier);
}
