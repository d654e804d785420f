/* test_sim_converters.c: switched circuits whose diodes know only their own voltage and current,
 * against references that follow them event by event in long double. */
#include "rig.h"
#include "converter.h"

#include <math.h>

/* ---- one switch and one diode -------------------------------------------------------------- */

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

static void follow(const converter *c, int periods)
{
    rig r;
    jn_str text;
    jn_str_init(&text);
    converter_model(&text, c);
    bool made = rig_new(&r, jn_str_c(&text), NULL);
    jn_str_clear(&text);
    CU_ASSERT(made);
    real x[REF_STATES] = {0}, most[REF_STATES] = {0}, when[CONVERTER_EVENTS];
    int e = 1;
    for (int k = 0; k < periods && made; k++) {
        real t = k * c->period + c->period / 2;
        if (k > 0)
            expect_event(&r, &e, k * c->period, c);
        converter_charge(x, c);
        rig_to(&r, (double)t);
        compare_states(&r, x, most, c->on.n);
        expect_event(&r, &e, t, c);
        int found = converter_freewheel(x, c, t, when);
        rig_to(&r, (double)((k + 1) * c->period));
        for (int i = 0; i < found; i++)
            expect_event(&r, &e, when[i], c);
        compare_states(&r, x, most, c->on.n);
    }
    CU_ASSERT_EQUAL(r.nevents, e + 1); /* and the one at the end itself */
    if (made)
        LEDGER(&r);
    rig_clear(&r);
}

/* With the smaller resistor the coil never runs dry once it has settled. */
static void a_buck_agrees_with_the_reference(void)
{
    converter heavy = converter_buck(20, 4), light = converter_buck(20, 40);
    follow(&heavy, 1000);
    follow(&light, 1000);
}

static void a_boost_agrees_with_the_reference(void)
{
    converter heavy = converter_boost(50, 5), light = converter_boost(50, 200);
    follow(&heavy, 500);
    follow(&light, 500);
}

static void a_cuk_agrees_with_the_reference(void)
{
    converter c = converter_cuk(20, 80);
    follow(&c, 1000);
}

/* ---- a bridge with a capacitor ------------------------------------------------------------- */

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

static void a_rectifier_agrees_with_the_reference(void)
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
        for (int i = 1; i <= (k < 9 ? 20 : 19);
             i++) { /* at the very end the source is zero again */
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
    TEST_ADD(a_buck_agrees_with_the_reference);
    TEST_ADD(a_boost_agrees_with_the_reference);
    TEST_ADD(a_cuk_agrees_with_the_reference);
    TEST_ADD(a_rectifier_agrees_with_the_reference);
}
