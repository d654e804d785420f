/* test_periodic_told.c: what is told of orbits with jumps, and of those that are one of many. */
#include <math.h>

#include "orbits.h"

static bool says(const orbit *b, const char *what)
{
    return b->orbit && b->orbit->message && strstr(b->orbit->message, what);
}

/* ---- jumps --------------------------------------------------------------------------------- */

/* A capacitor of 1u is charged to 10 at once, and lets 10u have of it at once. With a and b the shares that
 * the load leaves of a voltage in the two halves, that at the end is v = b·(10 + 10·a·v)/11. */
static void sources_give_power_in_jumps(void)
{
    orbit b;
    orbit_find(&b,
               "model m\nSe V = 10\nC Cf = 1u\nC Co = 10u\nR load = 50\nR bleed = 100\n0 in\n0 a\n"
               "0 out\nX1 s1\nX1 s2\nV -> in -> bleed\nin -> s1 -> a -> s2 -> out -> Co\n"
               "a -> Cf\nout -> load\nswitch s1 pwm(10u, 1/2)\nswitch s2 pwm(10u, 1/2, 5u)\n"
               "output v = e(out), iin = f(V), sq = f(V)^2\n",
               NULL);
    CU_ASSERT_EQUAL_FATAL(b.status, JN_OK);
    double half = exp(-0.01), shared = exp(-1 / 110.0);
    double v = 10 * shared / (11 - 10 * half * shared), charge = 1e-6 * (10 - v);
    CLOSE_REL(b.orbit->power[0].power, 1 + 10 * charge / 1e-5, 1e-12);
    CLOSE_REL(b.orbit->power[0].power, b.orbit->energy.supplied / 1e-5, 1e-12);
    CLOSE_REL(orbit_value(&b, "iin")->mean, 0.1, 1e-12);
    CLOSE_REL(orbit_value(&b, "iin")->impulse, charge, 1e-12);
    CU_ASSERT(says(&b, "'iin' has impulses, of area 1.66"));
    CU_ASSERT(says(&b, "with them its mean is 0.26663"));
    CU_ASSERT(isnan(orbit_value(&b, "sq")->impulse));
    CU_ASSERT(says(&b, "'sq' has impulses: "));
    CU_ASSERT_EQUAL(orbit_value(&b, "v")->impulse, 0);
    CU_ASSERT(!says(&b, "'v'"));
    orbit_clear(&b);
}

void suite_periodic_told(void)
{
    TEST_SUITE("periodic_told");
    TEST_ADD(sources_give_power_in_jumps);
}
