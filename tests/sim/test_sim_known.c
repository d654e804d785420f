/* test_sim_known.c: hybrid models that everybody knows, with values at some time.
 *
 * The models are tests/sim/cases/known_*.hbg. Each says at its head which equations it stands for;
 * the values were computed from those, in closed form or by Runge and Kutta with bisection for
 * events, in a program that knows no bond graph. */
#include "cases.h"

#include <math.h>

typedef struct {
    const char *model;
    double t;
    const char *output;
    double value;
} known;

static const known values[] = {
    {"cradle", 2, "v1", 0},
    {"cradle", 2, "v2", 0},
    {"cradle", 2, "v3", 1},
    {"clutch_locks", 0.4, "w1", 6.8},
    {"clutch_locks", 2, "w1", 4},
    {"clutch_locks", 2, "w2", 4},
    {"clutch_locks", 2, "torque", 5 / 3.0},
    {"bridge_rc", 3, "v", 8.679145609025},
    {"sc_integrator", 5, "vm", 0.00249376434381521},
    {"sc_integrator", 5, "vout", -2.49376434381521},
    {"relay_feedback", 8, "x", -0.88225099390856},
    {"relay_feedback", 8, "v", -0.48528137423857},
    {"sliding_mode", 4, "x", 0.02872916576871},
    {"sliding_mode", 4, "v", -0.02872916576871},
    {"sliding_mode", 4, "u", 0.25576991436109},
    {"relief_valve", 10, "p", 9.37331396436068},
    {"cascade", 2, "h1", 1},
    {"cascade", 2, "h2", 2.09097271304801},
    {"cascade", 8, "h1", 0},
    {"cascade", 8, "h2", 0.08459307394542},
    {"cascade", 16, "h2", 0},
    {"thyristor", 2, "i", 0.59214168755124},
    {"thyristor", 8, "i", 0.47374410958048},
    {"thyristor", 12, "i", 0},
    {"doubler", 6, "u1", -4.7310432329505},
    {"doubler", 6, "u2", 7.8992632376605},
    {"boost_dcm", 2.1, "i", 1},
    {"boost_dcm", 2.25, "i", 1},
    {"boost_dcm", 2.25, "v", 30},
    {"boost_dcm", 2.5, "i", 0},
    {"boost_dcm", 2.5, "v", 10},
    {"pendulum_stop", 4, "a", 0.3632089592395},
    {"pendulum_stop", 4, "w", 0.4829122793502},
    {"ball_drag", 2.38293, "v", NAN}, /* only that it gets there */
    {"ball_drag", 4, "height", 0},
    {"ball_drag", 4, "v", 0},
    {"flyback", 0.002, "i", 9.0213636823097},
    {"flyback", 0.002, "v", 2.7462601187766},
    {"two_tank", 8, "h1", 0.8179935713807637},
    {"two_tank", 8, "h2", 0.5368682571642914},
    {"opamp_limiter", 0.5, "vout", -2.397101324906441},
    {"opamp_limiter", 1.5, "vout", -2.999997000003},
    {"opamp_limiter", 4.7, "vout", 2.999997000003},
    {"zero_sign", 2, "p", 0.8646647167633873},
    {"step_and_switch", 1, "p", 0.6321205588285577},
    {"step_and_switch", 2, "p", 0.9816843611112658},
    {"crank", 3, "w", 0.20807558527423448},
    {"crank", 7, "w", 0.038683266560291224},
    {"turbulent_rest", 1, "v", 0},
    {"turbulent_rest", 3, "v", 0.9640275800758169},
    {"check_valve", 1, "h1", 4.138847239681296},
    {"check_valve", 8, "h1", 3.3040841890880652},
    {"check_valve", 8, "h2", 4.295915810911935},
    {"weir", 1, "h", 0.5},
    {"weir", 5, "h", 1.605434245202045},
    {"weir_behind_diode", 3, "a", 0.14240364982489132},
    {"weir_behind_diode", 3, "b", 0.12726215266137924},
    {"starts_empty", 1, "h", 0.48760953484650127},
    {"starts_empty", 2, "h", 0.03931909753083727},
    {"starts_empty", 4, "h", 0},
};

enum { VALUES = sizeof values / sizeof *values };

static const known *current;

static void check_model(jn_method method)
{
    rig r;
    char name[60];
    snprintf(name, sizeof name, "known_%s", current->model);
    if (case_open(&r, name, method)) {
        for (const known *k = current; k < values + VALUES && strcmp(k->model, current->model) == 0;
             k++) {
            if (jn_sim_time(r.sim) < k->t)
                rig_to(&r, k->t);
            if (!isnan(k->value))
                CLOSE(rig_output(&r, k->output), k->value, 1 + fabs(k->value), 2e-9);
        }
    }
    rig_clear(&r);
}

static void known_values_are_met(void)
{
    for (int i = 0; i < VALUES; i++) {
        unsigned before = CU_get_number_of_failure_records();
        current = &values[i];
        if (i > 0 && strcmp(values[i - 1].model, values[i].model) == 0)
            continue;
        case_both(check_model);
        if (CU_get_number_of_failure_records() > before)
            printf("\n  ^^ known_%s.hbg", values[i].model);
    }
}

/* A source that reads the model linearly leaves it linear. */
ALONE(amplifiers_are_followed_exactly)
{
    static const char *const models[] = {"known_sc_integrator", "known_opamp_limiter", "own_rate"};
    for (int i = 0; i < 3; i++) {
        rig r;
        if (case_open(&r, models[i], method))
            CHECK(jn_sim_is_linear(r.sim));
        rig_clear(&r);
    }
}

/* A rigid block rocks from one edge to the other and loses a tenth of its speed at each impact: Housner, "The behavior of
 * inverted pendulum structures during earthquakes", 1963. From |angle| = a0 at rest, half a swing with n impacts
 * behind it takes 2/p·acosh(1/(1 − a_n/al)), with 1 − (1 − a_n/al)² = r^(2n)·(1 − (1 − a_0/al)²). */
BOTH(a_block_rocks_as_housner_says)
{
    rig r;
    CHECK(rig_new(
        &r,
        "param al = 1/5\ndiscrete side = 1\nsignal angle = int(f(J), 1/10)\n"
        "Se tq = 4*(angle - al*side)\nSf back = 0.9*prior(f(J))\nI J = 1\n1 w\nX0 hit\n"
        "tq -> w -> J\nw -> hit\nhit -> back\n"
        "automaton hit {\n free off initial\n hold on\n"
        " free -> hold when angle*side < 0 { side = -side }\n hold -> free when prior(t) > -1\n}\n",
        &(jn_sim_options){.method = method}));
    rig_to(&r, 8);
    double t = acosh(2) / 2;
    CU_ASSERT_EQUAL(r.nevents, 19);
    for (int n = 1; n < r.nevents; n++) {
        CLOSE_REL(rig_at(&r, n)->t, t, 1e-9);
        t += acosh(1 / sqrt(1 - pow(0.9, 2 * n) * 0.75));
    }
    rig_clear(&r);
}

void suite_sim_known(void)
{
    TEST_SUITE("sim_known");
    TEST_ADD(known_values_are_met);
    TEST_ADD(amplifiers_are_followed_exactly);
    TEST_ADD(a_block_rocks_as_housner_says);
}
