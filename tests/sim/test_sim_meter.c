/* test_sim_meter.c: integrals and extrema of values, against closed forms and against sums over
 * many points between the events of a second run. */
#include "rig.h"

#include <math.h>
#include <string.h>

enum { ALL = JN_METER_INTEGRAL | JN_METER_SQUARE | JN_METER_RANGE };

static const jn_expr *output_of(const rig *r, const char *name)
{
    for (int i = 0; i < r->graph->noutputs; i++)
        if (!strcmp(r->graph->output[i].name, name))
            return r->graph->output[i].expr;
    CU_FAIL("no such output");
    return NULL;
}

static jn_meter *meter(rig *r, const char *output, unsigned what)
{
    jn_meter *m = NULL;
    jn_status status = jn_sim_meter(&m, r->sim, output_of(r, output), what);
    CU_ASSERT_EQUAL(status, JN_OK);
    return m;
}

/* ---- closed forms -------------------------------------------------------------------------- */

static const char charging[] = "model rc\nSe V = 5\nR r = 1\nC c = 1\n1 loop\nV -> loop -> r\n"
                               "loop -> c\noutput v = e(c), p = e(r)*f(r), b = abs(e(c) - 2)\n";

static void means_of_charging_are_exact(void)
{
    rig r;
    if (!rig_new(&r, charging, NULL))
        return;
    jn_meter *v = meter(&r, "v", ALL), *p = meter(&r, "p", ALL), *b = meter(&r, "b", ALL);
    rig_to(&r, 0.4);
    rig_to(&r, 1.3);
    jn_reading x = jn_sim_meter_read(r.sim, v), y = jn_sim_meter_read(r.sim, p);
    jn_reading z = jn_sim_meter_read(r.sim, b);
    long double e = expl(-1.3L), cross = -logl(0.6L);
    CU_ASSERT_EQUAL(x.to - x.from, 1.3);
    CLOSE_REL(x.integral, 5 * (1.3L - (1 - e)), 1e-13);
    CLOSE_REL(x.square, 25 * (1.3L - 2 * (1 - e) + (1 - e * e) / 2), 1e-13);
    CLOSE(x.min, 0, 1, 1e-14);
    CLOSE_REL(x.max, 5 * (1 - e), 1e-13);
    CU_ASSERT_EQUAL(x.max_at, 1.3);
    CLOSE_REL(y.integral, 25 * (1 - e * e) / 2, 1e-12);
    CLOSE_REL(y.max, 25, 1e-12);
    /* |5(1 − e^−t) − 2| turns at 3 = 5e^−t */
    CLOSE(z.min, 0, 1, 1e-12);
    CLOSE_REL(z.min_at, cross, 1e-12);
    CLOSE_REL(z.integral, -(3 * cross - 2) + (3 * (1.3L - cross) - (3 - 5 * e)), 1e-11);
    jn_sim_meter_begin(r.sim, v);
    rig_to(&r, 2);
    x = jn_sim_meter_read(r.sim, v);
    CU_ASSERT_EQUAL(x.from, 1.3);
    CLOSE_REL(x.integral, 5 * (0.7L - (e - expl(-2))), 1e-13);
    rig_clear(&r);
}

/* A sine over many periods: nothing is sampled, whatever the advances are. */
static void means_of_a_sine_are_exact(void)
{
    static const char *const laws[] = {"R r = 2", "R r : e = 2*f + 1e-30*f*abs(f)"};
    for (int i = 0; i < 2; i++) {
        char text[300];
        rig r;
        snprintf(text, sizeof text,
                 "model sine\nSe V = 1 + 3*sin(7*t)\n%s\nV -> r\noutput u = e(r), a = abs(f(r)), "
                 "q = e(r)^2\n",
                 laws[i]);
        if (!rig_new(&r, text, NULL))
            continue;
        jn_meter *u = meter(&r, "u", ALL), *q = meter(&r, "q", ALL), *a = meter(&r, "a", ALL);
        rig_to(&r, 10);
        jn_reading x = jn_sim_meter_read(r.sim, u), y = jn_sim_meter_read(r.sim, q);
        long double c = cosl(70), s = sinl(140);
        CLOSE_REL(x.integral, 10 + 3 * (1 - c) / 7, 1e-10);
        CLOSE_REL(x.square, 10 + 6 * (1 - c) / 7 + 9 * (5 - s / 28), 1e-10);
        CLOSE_REL(y.integral, x.square, 1e-10);
        CLOSE_REL(x.max, 4, 1e-10);
        CLOSE_REL(x.min, -2, 1e-10);
        CLOSE(sin(7 * x.max_at), 1, 1, 1e-10);
        CLOSE_REL(jn_sim_meter_read(r.sim, a).max, 2, 1e-9);
        CLOSE(jn_sim_meter_read(r.sim, a).min, 0, 1, 1e-9);
        rig_clear(&r);
    }
}

static const char ramp[] =
    "model ramp\nSe V = t\nR r = 1\nV -> r\noutput late = if(e(r) > 3 or e(r) < 1, 1, 0)\n";
static const char *const conditions[] = {"e(r) > 2.5", "e(r) < 1 or (e(r) > 3 and not e(r) >= 5)",
                                         "e(r) = 2", "e(r) > 9"};

static jn_status meter_condition(jn_meter **m, rig *r, const char *text)
{
    const jn_source *source = jn_source_of(r->arena, "condition", text, strlen(text));
    const jn_ast_expr *tree;
    const jn_expr *e;
    jn_status status = jn_syntax_parse_expr(&tree, r->arena, source, r->diags);
    if (status == JN_OK)
        status = jn_graph_resolve(&e, r->graph, tree, source, r->diags);
    if (status == JN_OK)
        status = jn_sim_meter(m, r->sim, e, JN_METER_INTEGRAL | JN_METER_FIRST);
    return status;
}

static void conditions_are_measured(void)
{
    rig r;
    jn_meter *m[4];
    if (!rig_new(&r, ramp, NULL))
        return;
    for (int i = 0; i < 4; i++) {
        jn_status status = meter_condition(&m[i], &r, conditions[i]);
        CU_ASSERT_EQUAL(status, JN_OK);
    }
    jn_meter *late = meter(&r, "late", ALL), *wrong;
    jn_status status = jn_sim_meter(&wrong, r.sim, output_of(&r, "late"), JN_METER_FIRST);
    CU_ASSERT_EQUAL(status, JN_INVALID);
    rig_to(&r, 6);
    CLOSE_REL(jn_sim_meter_read(r.sim, m[0]).integral, 3.5L, 1e-12);
    CLOSE_REL(jn_sim_meter_read(r.sim, m[0]).first, 2.5L, 1e-12);
    CLOSE_REL(jn_sim_meter_read(r.sim, m[1]).integral, 3, 1e-12);
    CU_ASSERT_EQUAL(jn_sim_meter_read(r.sim, m[1]).first, 0);
    CLOSE_REL(jn_sim_meter_read(r.sim, m[2]).first, 2, 1e-12);
    CLOSE(jn_sim_meter_read(r.sim, m[2]).integral, 0, 1, 1e-9);
    CU_ASSERT(isnan(jn_sim_meter_read(r.sim, m[3]).first));
    CLOSE_REL(jn_sim_meter_read(r.sim, late).integral, 4, 1e-12);
    rig_clear(&r);
}

/* The ball comes to rest at the limit of its bounces: height is 0 from there on. */
static void measures_go_on_beyond_bounces(void)
{
    rig r;
    if (!rig_example(&r, "ball")) {
        CU_FAIL("no ball");
        rig_clear(&r);
        return;
    }
    jn_meter *m = NULL;
    jn_status status = jn_sim_meter(&m, r.sim, r.graph->output[0].expr, ALL);
    CU_ASSERT_EQUAL(status, JN_OK);
    rig_try(&r, 20);
    jn_reading x = jn_sim_meter_read(r.sim, m);
    CU_ASSERT(isfinite(x.integral) && x.to > x.from);
    rig_clear(&r);
}

/* ---- against sums over points between events ----------------------------------------------- */

typedef struct {
    long double integral, square, size;
    double min, max;
} sums;

/* Gauss's rule of five points on each of so many parts of a span without events. */
static void add_span(sums *to, rig *r, const jn_probe *p, double from, double until, int parts)
{
    static const double x[] = {0.046910077030668, 0.230765344947158, 0.5, 0.769234655052842,
                               0.953089922969332};
    static const double w[] = {0.118463442528095, 0.239314335249683, 0.284444444444444,
                               0.239314335249683, 0.118463442528095};
    double h = (until - from) / parts;
    for (int k = 0; k < parts; k++)
        for (int i = 0; i < 5; i++) {
            if (jn_sim_advance(r->sim, from + h * (k + x[i]), &r->stop) != JN_OK)
                return;
            double v = jn_sim_value(r->sim, p);
            to->integral += h * w[i] * v;
            to->square += h * w[i] * v * v;
            to->size += h * w[i] * fabs(v);
            to->min = fmin(to->min, v);
            to->max = fmax(to->max, v);
        }
}

/* The same model, metered without looking, and looked at everywhere. */
static void compare(const char *example, double end, double bound)
{
    rig metered;
    if (!rig_example(&metered, example)) {
        CU_FAIL("the example does not run");
        return;
    }
    int n = metered.graph->noutputs;
    jn_meter *m[64];
    for (int i = 0; i < n && i < 64; i++) {
        jn_status status = jn_sim_meter(&m[i], metered.sim, metered.graph->output[i].expr, ALL);
        CU_ASSERT_EQUAL(status, JN_OK);
    }
    rig_try(&metered, end);
    for (int i = 0; i < n && i < 64; i++) {
        rig again;
        const jn_probe *p;
        sums sum = {.min = INFINITY, .max = -INFINITY};
        if (!rig_example(&again, example) ||
            jn_sim_probe(&p, again.sim, again.graph->output[i].expr) != JN_OK) {
            rig_clear(&again);
            continue;
        }
        double at = 0;
        for (int k = 0; k <= metered.nevents; k++) {
            double next = k < metered.nevents ? metered.event[k].t : jn_sim_time(metered.sim);
            if (next > at)
                add_span(&sum, &again, p, at, next, metered.nevents > 50 ? 2 : 20);
            at = next;
        }
        jn_reading x = jn_sim_meter_read(metered.sim, m[i]);
        double range = sum.max - sum.min + 1e-9 * (fabs(sum.max) + fabs(sum.min));
        CLOSE(x.integral, sum.integral, (double)sum.size + 1e-300, bound);
        CLOSE(x.square, sum.square, (double)sum.square + 1e-300, bound);
        CU_ASSERT(x.min <= sum.min + 1e-9 * range && x.max >= sum.max - 1e-9 * range);
        CU_ASSERT(x.min >= sum.min - 0.1 * range && x.max <= sum.max + 0.1 * range);
        rig_clear(&again);
    }
    rig_clear(&metered);
}

static void examples_are_measured(void)
{
    static const struct {
        const char *name;
        double end, bound;
    } each[] = {{"buck", 0.002, 1e-9},   {"cuk", 0.001, 1e-9},   {"diode_inductor", 4e-4, 1e-9},
                {"clutch", 2, 1e-9},     {"collision", 1, 1e-9}, {"rectifier", 0.03, 1e-9},
                {"stickslip", 8, 1e-8},  {"hoist", 3, 1e-8},     {"cistern", 20, 1e-7},
                {"hydraulic", 5, 1e-8},  {"spwm", 0.002, 1e-9},  {"inertias", 2, 1e-9},
                {"capacitors", 2, 1e-9}, {"pinnacle", 2, 1e-8}};
    for (size_t i = 0; i < sizeof each / sizeof *each; i++)
        compare(each[i].name, each[i].end, each[i].bound);
}

void suite_sim_meter(void)
{
    TEST_SUITE("sim_meter");
    TEST_ADD(means_of_charging_are_exact);
    TEST_ADD(means_of_a_sine_are_exact);
    TEST_ADD(conditions_are_measured);
    TEST_ADD(measures_go_on_beyond_bounces);
    TEST_ADD(examples_are_measured);
}
