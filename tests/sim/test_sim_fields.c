/* test_sim_fields.c: runs with fields, with values that switches choose, and with units, against
 * answers worked out by hand; each with both engines. */
#include "testing.h"

#include <math.h>

#include "cases.h"

static const real pi = 3.14159265358979323846264338327950288L;

/* ---- examples ------------------------------------------------------------------------------ */

static bool open_example(rig *r, const char *name, jn_method method)
{
    char path[100];
    snprintf(path, sizeof path, "examples/%s.hbg", name);
    char *text = test_read_file(path);
    bool good = rig_new(r, text, &(jn_sim_options){.method = method});
    free(text);
    CU_ASSERT(good);
    return good;
}

/* The current of the secondary turns while all four diodes conduct: cos(wt) = 1 - wL·i/V. */
BOTH(example_transformer)
{
    rig r;
    real w = 100 * pi, first = acosl(1 - pi / 30) / w, later = acosl(1 - 2 * pi / 30) / w;
    if (open_example(&r, "transformer", method)) {
        double bound = case_bound(&r);
        rig_to(&r, 0.012);
        CLOSE(rig_output(&r, "i"), 2 - 30 / (pi / 2) * (1 - cosl(w * 0.002L)), 2, bound);
        double area[2];
        for (int k = 0; k < 2; k++) {
            rig_to(&r, 0.02 + 0.01 * k);
            area[k] = rig_output(&r, "area");
        }
        CLOSE((area[1] - area[0]) / 0.01, 2 / pi * (30 - pi), 17, bound);
        rig_to(&r, 0.04);
        for (int k = 0; k < 4; k++) {
            CLOSE(rig_at(&r, 1 + 2 * k)->t, 0.01L * k + (k ? later : first), 0.01, bound);
            TEST_TEXT(k % 2 ? "1001" : "0110", rig_at(&r, 1 + 2 * k)->to);
        }
        for (int k = 0; k < 3; k++) {
            CLOSE(rig_at(&r, 2 + 2 * k)->t, 0.01L * (k + 1), 0.01, bound);
            TEST_TEXT("1111", rig_at(&r, 2 + 2 * k)->to);
        }
        CU_ASSERT_EQUAL(r.nevents, 8);
        CLOSE(rig_output(&r, "i"), -2, 2, bound);
        CU_ASSERT(jn_sim_ledger(r.sim).lost == 0);
    }
    rig_clear(&r);
}

/* Two modes of vibration until the clamp closes at π/2, one of them after it. */
BOTH(example_tool)
{
    rig r;
    if (open_example(&r, "tool", method)) {
        double bound = case_bound(&r);
        for (double t = 0.25; t < 5; t += 0.25) {
            rig_to(&r, t);
            bool held = t > (double)(pi / 2);
            real x = (cosl(2 * t) + cosl(4 * t)) / 2, y = (cosl(2 * t) - cosl(4 * t)) / 2;
            real after = -0.6L + 0.6L * cosl(sqrtl(10) * (t - pi / 2));
            CLOSE(rig_output(&r, "x"), held ? after : x, 1, bound);
            CLOSE(rig_output(&r, "y"), held ? -1 : y, 1, bound);
            CLOSE(rig_output(&r, "force"), held ? -10 - 6 * after : -6 * x + 10 * y, 10, bound);
            CLOSE(rig_output(&r, "energy"), 5, 5, bound);
        }
        CLOSE(rig_at(&r, 1)->t, pi / 2, 1, bound);
        CU_ASSERT_EQUAL(r.nevents, 2);
        CU_ASSERT(fabs(jn_sim_ledger(r.sim).lost) < bound);
    }
    rig_clear(&r);
}

BOTH(example_heater)
{
    rig r;
    if (open_example(&r, "heater", method)) {
        double bound = case_bound(&r);
        real t = 1000 * logl(30 / 8.0L), cools = 5000 / 3.0L * logl(1.5L),
             warms = 1000 * logl(1.5L);
        rig_to(&r, 500);
        CLOSE(rig_output(&r, "temperature"), 30 * (1 - expl(-0.5L)), 30, bound);
        CLOSE(rig_output(&r, "heating"), (60 - 30 * (1 - expl(-0.5L))) / 0.02L, 3000, bound);
        rig_to(&r, 1500);
        CLOSE(rig_output(&r, "temperature"), 10 + 12 * expl(-(1500 - t) * 3 / 5000), 30, bound);
        CLOSE(rig_output(&r, "heating"), (50 - 12 * expl(-(1500 - t) * 3 / 5000)) / 0.1L, 500,
              bound);
        rig_to(&r, 6000);
        for (int k = 1; k < 10; k++) {
            CLOSE(rig_at(&r, k)->t, t, 1000, bound);
            TEST_TEXT(k % 2 ? "1" : "0", rig_at(&r, k)->to);
            t += k % 2 ? cools : warms;
        }
        CU_ASSERT_EQUAL(r.nevents, 10);
    }
    rig_clear(&r);
}

BOTH(example_car)
{
    rig r;
    if (open_example(&r, "car", method)) {
        double bound = case_bound(&r);
        real shift = 0.6L * pi, joined = 420 / 13.0L * pi;
        rig_to(&r, 1);
        CLOSE(rig_output(&r, "engine"), 100, 100, bound);
        CLOSE(rig_output(&r, "speed"), 2.5, 2.5, bound);
        rig_to(&r, 2);
        TEST_TEXT("01", rig_mode(&r));
        CLOSE(rig_output(&r, "engine"), 60 * pi, 100, bound);
        CLOSE(rig_output(&r, "speed"), 1.5L * pi, 5, bound);
        rig_to(&r, 5);
        CLOSE(rig_at(&r, 1)->t, shift, 1, bound);
        CLOSE(rig_at(&r, 2)->t, shift + 0.3L, 1, bound);
        CLOSE(rig_at(&r, 2)->lost, 1350 / 13.0L * pi * pi, 1000, bound);
        CLOSE(rig_output(&r, "engine"), joined + 100 / 3.25L * (5 - shift - 0.3L), 100, bound);
        CLOSE(rig_output(&r, "speed"), (joined + 100 / 3.25L * (5 - shift - 0.3L)) / 20, 5, bound);
        CU_ASSERT_EQUAL(r.nevents, 3);
        TEST_TEXT("m/s", r.graph->output[0].unit);
        TEST_TEXT("rad/s", r.graph->output[1].unit);
    }
    rig_clear(&r);
}

void suite_sim_fields(void)
{
    TEST_SUITE("sim_fields");
    TEST_ADD(example_transformer);
    TEST_ADD(example_tool);
    TEST_ADD(example_heater);
    TEST_ADD(example_car);
}
