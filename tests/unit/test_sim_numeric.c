/* Runs of models that are not linear, against closed forms or against Runge and Kutta's method on
 * equations derived by hand; and linear ones in both ways. */
#include <math.h>
#include <string.h>

#include "junct.h"
#include "junct/sim.h"
#include "testing.h"

/* ---- a run --------------------------------------------------------------------------------- */

typedef struct {
    jn_arena *arena;
    jn_diags *diags;
    jn_graph *g;
    jn_sim *s;
    const char *folder;
    const jn_probe *probe[8]; /* of the outputs */
} run;

static run read_model(const char *path)
{
    run r = {.arena = jn_arena_new(), .diags = jn_diags_new()};
    const jn_source *source;
    const char *why;
    r.folder = jn_arena_strndup(r.arena, path, (size_t)(strrchr(path, '/') - path));
    CU_ASSERT_EQUAL_FATAL(jn_source_read(&source, r.arena, path, &why), JN_OK);
    CU_ASSERT_EQUAL_FATAL(jn_graph_read(&r.g, source, r.diags), JN_OK);
    return r;
}

static jn_status start_run(run *r, jn_method method)
{
    jn_sim_options o = {.method = method, .folder = r->folder};
    jn_status st = jn_sim_new(&r->s, r->g, &o, r->diags);
    for (int i = 0; i < r->g->noutputs && i < 8 && st == JN_OK; i++)
        CU_ASSERT_EQUAL(jn_sim_probe(&r->probe[i], r->s, r->g->output[i].expr), JN_OK);
    return st;
}

static jn_status open_run(run *r, const char *path, jn_method method)
{
    *r = read_model(path);
    return start_run(r, method);
}

static void close_run(run *r)
{
    jn_sim_free(r->s);
    jn_graph_free(r->g);
    jn_diags_free(r->diags);
    jn_arena_free(r->arena);
}

static double output(run *r, int i)
{
    return jn_sim_value(r->s, r->probe[i]);
}

static void advance(run *r, double t)
{
    jn_stopped stop;
    jn_status st = jn_sim_advance(r->s, t, &stop);
    CU_ASSERT_EQUAL(st, JN_OK);
    if (st != JN_OK)
        fprintf(stderr, "stopped: %s\n", stop.message);
}

/* supplied = stored + dissipated + lost */
static void check_ledger(run *r, double scale)
{
    jn_ledger l = jn_sim_ledger(r->s);
    double residue = l.supplied - l.stored - l.dissipated - l.lost;
    CU_ASSERT_DOUBLE_EQUAL(residue, 0, 1e-9 * (l.moved + scale));
}

static void close_to(double got, double expected, double tolerance)
{
    CU_ASSERT_DOUBLE_EQUAL(got, expected, tolerance);
    if (!(fabs(got - expected) <= tolerance))
        fprintf(stderr, "got %.15g, expected %.15g\n", got, expected);
}

/* ---- references ---------------------------------------------------------------------------- */

typedef void (*equations)(double *dy, double t, const double *y);

enum { MOST = 4 };

static void runge_kutta(equations f, double *y, int n, double from, double to, int steps)
{
    double h = (to - from) / steps, k[4][MOST], at[MOST];
    static const double share[] = {0, 0.5, 0.5, 1};
    for (int i = 0; i < steps; i++) {
        double t = from + i * h;
        for (int s = 0; s < 4; s++) {
            for (int c = 0; c < n; c++)
                at[c] = y[c] + (s ? share[s] * h * k[s - 1][c] : 0);
            f(k[s], t + share[s] * h, at);
        }
        for (int c = 0; c < n; c++)
            y[c] += h / 6 * (k[0][c] + 2 * k[1][c] + 2 * k[2][c] + k[3][c]);
    }
}

/* Compares the first outputs with a reference at several times. */
static void compare(const char *path, equations f, double *y, int n, double step, int points,
                    double tolerance)
{
    run r;
    CU_ASSERT_EQUAL_FATAL(open_run(&r, path, JN_METHOD_AUTO), JN_OK);
    CU_ASSERT_FALSE(jn_sim_is_linear(r.s));
    for (int k = 0; k < points; k++) {
        runge_kutta(f, y, n, k * step, (k + 1) * step, 20000);
        advance(&r, (k + 1) * step);
        for (int i = 0; i < n; i++)
            close_to(output(&r, i), y[i], tolerance);
    }
    check_ledger(&r, 0);
    close_run(&r);
}

/* ---- laws ---------------------------------------------------------------------------------- */

/* From a level above the orifice, or below it: then the tank fills. */
static void drain(double fill)
{
    run r = read_model("tests/models/numeric_orifice.hbg");
    double sign = fill < 0 ? -1 : 1;
    fmpq_t value;
    const char *why;
    fmpq_init(value);
    fmpq_set_si(value, (slong)fill, 1);
    CU_ASSERT_EQUAL(jn_graph_set(r.g, "fill", value, &why), JN_OK);
    fmpq_clear(value);
    CU_ASSERT_EQUAL_FATAL(start_run(&r, JN_METHOD_AUTO), JN_OK);
    for (int t = 0; t <= 13; t++) { /* level at 13.9 */
        double root = sqrt(fabs(fill)) - t / (2 * sqrt(6));
        advance(&r, t);
        close_to(output(&r, 0), sign * root * root, 1e-9);
        close_to(output(&r, 1), sign * root / sqrt(6), 1e-9);
    }
    check_ledger(&r, 0);
    close_run(&r);
}

static void an_orifice_empties_a_tank(void)
{
    drain(8);
    drain(-8);
}

static void duffing(double *dy, double t, const double *y)
{
    (void)t;
    dy[0] = y[1];
    dy[1] = -(3 * y[0] + 5 * y[0] * y[0] * y[0]) / 2;
}

static void a_nonlinear_capacitor_oscillates(void)
{
    run r;
    double y[] = {0.5, 1};
    CU_ASSERT_EQUAL_FATAL(open_run(&r, "tests/models/numeric_duffing.hbg", JN_METHOD_AUTO), JN_OK);
    runge_kutta(duffing, y, 2, 0, 10, 50000);
    advance(&r, 10);
    close_to(output(&r, 0), y[0], 1e-8);
    close_to(output(&r, 1), y[1], 1e-8);
    /* p²/2m + 3q²/2 + 5q⁴/4 stays */
    close_to(jn_sim_ledger(r.s).stored, 0, 1e-9 * 1.453125);
    /* what goes to and fro counts once */
    close_to(jn_sim_ledger(r.s).moved, 1.453125, 1e-2 * 1.453125);
    check_ledger(&r, 0);
    close_run(&r);
}

/* Charge q = e + e³; from t = 1 on with 3·e of a second capacitor beside it; R = 2. */
static void discharge(double *dy, double t, const double *y)
{
    double c = 1 + 3 * y[0] * y[0] + (t >= 1 ? 3 : 0);
    dy[0] = -y[0] / (2 * c);
}

static double energy(double e) /* q·e − ∫q */
{
    return e * e / 2 + 3 * e * e * e * e / 4;
}

static void a_law_may_give_the_charge(void)
{
    run r;
    double e = 2, joined, charge;
    CU_ASSERT_EQUAL_FATAL(open_run(&r, "tests/models/numeric_coenergy.hbg", JN_METHOD_AUTO), JN_OK);
    close_to(output(&r, 0), 2, 1e-12);
    close_to(output(&r, 2), 10, 1e-12);
    runge_kutta(discharge, &e, 1, 0, 0.99999999999, 20000); /* the switch is closed at 1 */
    charge = e + e * e * e;
    joined = e;
    for (int k = 0; k < 100; k++) /* 4e + e³ = charge */
        joined -= (4 * joined + joined * joined * joined - charge) / (4 + 3 * joined * joined);
    advance(&r, 1);
    close_to(output(&r, 0), joined, 1e-9);
    close_to(output(&r, 1), joined, 1e-9);
    close_to(output(&r, 2) + output(&r, 3), charge, 1e-9);
    close_to(jn_sim_ledger(r.s).lost, energy(e) - energy(joined) - 1.5 * joined * joined, 1e-9);
    runge_kutta(discharge, &joined, 1, 1, 2, 20000);
    advance(&r, 2);
    close_to(output(&r, 0), joined, 1e-9);
    check_ledger(&r, 0);
    close_run(&r);
}

static void van_der_pol(double *dy, double t, const double *y)
{
    (void)t;
    dy[0] = -y[1] - 4 * (y[0] * y[0] * y[0] / 3 - y[0]);
    dy[1] = y[0];
}

static void van_der_pol_is_followed(void)
{
    double y[] = {0.1, 0};
    compare("tests/models/numeric_vanderpol.hbg", van_der_pol, y, 2, 2.5, 6, 1e-8);
}

/* Free flight, half an oscillation against the stop, free flight back. */
static void branches_are_located(void)
{
    const double pi = 3.14159265358979323846;
    run r;
    CU_ASSERT_EQUAL_FATAL(open_run(&r, "tests/models/numeric_branch.hbg", JN_METHOD_AUTO), JN_OK);
    advance(&r, 0.6);
    close_to(output(&r, 0), 1 + 0.2 * sin(1), 1e-9);
    close_to(output(&r, 1), 2 * cos(1), 1e-9);
    advance(&r, 2);
    close_to(output(&r, 0), 1 - 2 * (1.5 - pi / 10), 1e-8);
    close_to(output(&r, 1), -2, 1e-9);
    close_to(output(&r, 2), 4 * 0.5 + 2 * pi / 10 + 4 * (1.5 - pi / 10), 1e-8);
    check_ledger(&r, 2);
    close_run(&r);
}

/* ---- modulation ---------------------------------------------------------------------------- */

static void pendulum(double *dy, double t, const double *y)
{
    (void)t;
    dy[0] = y[1];
    dy[1] = -19.62 * 1.5 * sin(y[0]) / (0.5 + 2 * 1.5 * 1.5);
}

/* The force that moves the mass sideways: m·d(l·cos θ·ω)/dt. */
static double sideways(const double *y)
{
    double dy[2];
    pendulum(dy, 0, y);
    return 2 * 1.5 * (cos(y[0]) * dy[1] - sin(y[0]) * y[1] * y[1]);
}

/* The wheel's momentum alone is given: the start shares it out. */
static void a_pendulum_starts_from_a_momentum(void)
{
    run r;
    double y[] = {1, 0.5 / 5};
    CU_ASSERT_EQUAL_FATAL(open_run(&r, "tests/models/numeric_pendulum.hbg", JN_METHOD_AUTO), JN_OK);
    close_to(output(&r, 2), sideways(y), 1e-12);
    for (int k = 1; k <= 5; k++) {
        runge_kutta(pendulum, y, 2, k - 1, k, 20000);
        advance(&r, k);
        close_to(output(&r, 0), y[0], 1e-8);
        close_to(output(&r, 1), y[1], 1e-8);
        close_to(output(&r, 2), sideways(y), 1e-6);
    }
    check_ledger(&r, 0);
    close_run(&r);
}

static void chirp(double *dy, double t, const double *y)
{
    double flow =
        (sin(t * t) / (1 + t) - (2 + cos(t)) * y[1] - y[0] / (1 + t / 4)) / (1 + 0.5 * sin(3 * t));
    dy[0] = flow;
    dy[1] = (2 + cos(t)) * flow;
}

static void values_may_vary_in_time(void)
{
    double y[] = {1, 0};
    compare("tests/models/numeric_chirp.hbg", chirp, y, 2, 1, 4, 1e-9);
}

/* The charge stays when the value jumps; the energy that this takes is supplied from outside. */
static void values_may_jump(void)
{
    run r;
    double q = 4 * exp(-0.1), after = q * exp(-0.05);
    CU_ASSERT_EQUAL_FATAL(open_run(&r, "tests/models/numeric_plates.hbg", JN_METHOD_AUTO), JN_OK);
    advance(&r, 1);
    close_to(output(&r, 0), q, 1e-9);
    advance(&r, 2);
    close_to(output(&r, 0), after, 1e-9);
    close_to(output(&r, 1), after / 2, 1e-9);
    close_to(jn_sim_ledger(r.s).supplied, -q * q / 4, 1e-9);
    check_ledger(&r, 0);
    close_run(&r);
}

/* (1 + 1 − 3/10)·dv = cos 3t − 5v */
static void feedback(double *dy, double t, const double *y)
{
    dy[0] = (cos(3 * t) - 5 * y[0]) / 1.7;
}

static void a_source_may_read_a_rate(void)
{
    double y[] = {0}, force;
    run r;
    CU_ASSERT_EQUAL_FATAL(open_run(&r, "tests/models/numeric_feedback.hbg", JN_METHOD_AUTO), JN_OK);
    close_to(output(&r, 1), 1 / 1.7, 1e-12);
    for (int k = 0; k < 4; k++) {
        runge_kutta(feedback, y, 1, 0.5 * k, 0.5 * (k + 1), 10000);
        feedback(&force, 0.5 * (k + 1), y);
        advance(&r, 0.5 * (k + 1));
        close_to(output(&r, 0), y[0], 1e-9);
        close_to(output(&r, 1), force, 1e-8);
    }
    check_ledger(&r, 0);
    close_run(&r);
}

static double table_at(double t)
{
    static const double at[] = {0, 0.5, 1.25, 2}, value[] = {0, 2, -1, 0.5};
    for (int i = 0; i < 3; i++)
        if (t <= at[i + 1])
            return value[i] + (t - at[i]) / (at[i + 1] - at[i]) * (value[i + 1] - value[i]);
    return value[3];
}

static void driven(double *dy, double t, const double *y)
{
    dy[0] = 2 * (table_at(t) * (1 - y[0] * y[0] / 4) - y[0]);
}

static void a_table_may_drive_a_law(void)
{
    double y[] = {0};
    compare("tests/models/numeric_table.hbg", driven, y, 1, 0.25, 12, 1e-9);
}

/* A source set by hand no longer follows its expression. */
static void inputs_can_be_set(void)
{
    run r;
    jn_stopped stop;
    CU_ASSERT_EQUAL_FATAL(open_run(&r, "tests/models/numeric_table.hbg", JN_METHOD_AUTO), JN_OK);
    advance(&r, 0.5);
    double v = output(&r, 0);
    CU_ASSERT_EQUAL(jn_sim_set_input(r.s, jn_graph_find(r.g, "V"), 3, &stop), JN_OK);
    advance(&r, 1.5);
    close_to(output(&r, 0), 3 + (v - 3) * exp(-2), 1e-9);
    check_ledger(&r, 0);
    close_run(&r);
}

/* ---- sources that follow prior values ------------------------------------------------------ */

/* On impact the tip slides; then it goes on under friction mu·N. */
static void the_rod_is_followed(void)
{
    const double c = 0.7071067811865476, mu = 0.1, J = 1.0 / 3;
    run r;
    jn_stopped stop;
    CU_ASSERT_EQUAL_FATAL(open_run(&r, "examples/rod.hbg", JN_METHOD_AUTO), JN_OK);
    CU_ASSERT_EQUAL(jn_sim_advance_event(r.s, 1, &stop), JN_OK);
    close_to(jn_sim_time(r.s), 0.3, 1e-12);
    close_to(jn_sim_ledger(r.s).lost, 1.8, 1e-12); /* half the impulse 1.2 times the speed 3 */
    close_to(output(&r, 1), 0, 1e-12);
    close_to(output(&r, 2), 1.8, 1e-12);
    close_to(output(&r, 3), -2.545584412271571, 1e-12);
    /* my·dvy = weight − N; J·dω = −c·N·(1 − mu); dvy = −c·dω; mx·dvx = mu·N */
    double normal = 10 / (1 + c * c * (1 - mu) / J);
    advance(&r, 0.4);
    close_to(output(&r, 1), 0.1 * mu * normal, 1e-10);
    close_to(output(&r, 2), 1.8 + 0.1 * (10 - normal), 1e-10);
    close_to(output(&r, 3), -2.545584412271571 - 0.1 * c * normal * (1 - mu) / J, 1e-10);
    CU_ASSERT_FALSE(jn_sim_is_linear(r.s));
    check_ledger(&r, 0);
    close_run(&r);
}

/* ---- methods ------------------------------------------------------------------------------- */

/* Linear examples with switches, dependent storages and impulses: integrated, and exactly. */
static void follow_both_ways(const char *path, double to, double size, jn_method method)
{
    run exact, other;
    CU_ASSERT_EQUAL_FATAL(open_run(&exact, path, JN_METHOD_EXACT), JN_OK);
    CU_ASSERT_EQUAL_FATAL(open_run(&other, path, method), JN_OK);
    CU_ASSERT_TRUE(jn_sim_is_linear(exact.s) && !jn_sim_is_linear(other.s));
    for (int k = 1; k <= 4; k++) {
        double t = to * k / 4 * (1 + 1e-9); /* not where an event may be due */
        advance(&exact, t);
        advance(&other, t);
        CU_ASSERT_EQUAL(jn_sim_events(exact.s), jn_sim_events(other.s));
        for (int c = 0; c < exact.g->noutputs; c++)
            close_to(output(&other, c), output(&exact, c), 1e-9 * size);
    }
    check_ledger(&other, 0);
    close_run(&exact);
    close_run(&other);
}

static void linear_models_agree_in_both_engines(void)
{
    static const struct {
        const char *path;
        double to, size; /* of the outputs */
    } example[] = {
        {"examples/inertias.hbg", 2, 2},      {"examples/clutch.hbg", 2, 100},
        {"examples/capacitors.hbg", 2, 10},   {"examples/collision.hbg", 1, 3},
        {"examples/hydraulic.hbg", 2, 4},     {"examples/pinnacle.hbg", 2, 4},
        {"examples/planetary.hbg", 2, 30},    {"examples/diode_inductor.hbg", 4e-4, 10},
        {"examples/rectifier.hbg", 0.04, 20}, {"examples/stickslip.hbg", 28, 2},
        {"examples/bitank.hbg", 0.1, 6000},   {"examples/cuk.hbg", 2e-4, 30},
        {"examples/buck.hbg", 2e-4, 30},      {"examples/chopper.hbg", 2e-4, 10},
        {"examples/inverter.hbg", 0.02, 30},  {"examples/hbridge.hbg", 1, 300},
    };
    for (size_t i = 0; i < sizeof example / sizeof *example; i++) {
        follow_both_ways(example[i].path, example[i].to, example[i].size, JN_METHOD_RADAU);
    }
}

static void what_cannot_be_run_is_refused(void)
{
    run r;
    CU_ASSERT_EQUAL(open_run(&r, "tests/models/numeric_orifice.hbg", JN_METHOD_EXACT), JN_INVALID);
    TEST_TEXT("run-nonlinear", jn_code_slug(jn_diags_get(r.diags, 0)->code));
    close_run(&r);
}

void suite_sim_numeric(void)
{
    TEST_SUITE("sim_numeric");
    TEST_ADD(an_orifice_empties_a_tank);
    TEST_ADD(a_nonlinear_capacitor_oscillates);
    TEST_ADD(a_law_may_give_the_charge);
    TEST_ADD(van_der_pol_is_followed);
    TEST_ADD(branches_are_located);
    TEST_ADD(a_pendulum_starts_from_a_momentum);
    TEST_ADD(values_may_vary_in_time);
    TEST_ADD(values_may_jump);
    TEST_ADD(a_source_may_read_a_rate);
    TEST_ADD(a_table_may_drive_a_law);
    TEST_ADD(inputs_can_be_set);
    TEST_ADD(the_rod_is_followed);
    TEST_ADD(linear_models_agree_in_both_engines);
    TEST_ADD(what_cannot_be_run_is_refused);
}
