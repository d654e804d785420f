/* test_sim_promises.c: what a run keeps an eye on, and what it may not leave out.
 *
 * Steps of floor and mod are located, in sources, laws and conditions; values of storages stay
 * above 0; energies add up; what happens while the run slides is told. */
#include <math.h>

#include "rig.h"

static const jn_method methods[] = {JN_METHOD_EXACT, JN_METHOD_RADAU};

static void open_with(rig *r, const char *text, jn_method method)
{
    CU_ASSERT_FATAL(rig_new(r, text, &(jn_sim_options){.method = method}));
}

/* ---- steps --------------------------------------------------------------------------------- */

/* p = ∫ floor(2 t) + mod(t, 3/10) dt, by hand. */
static void steps_of_time_are_exact(void)
{
    for (int k = 0; k < 2; k++) {
        rig r;
        open_with(&r, "Se V = floor(2*t) + mod(t, 3/10)\nI L = 1\n1 x\nV -> x -> L\noutput p(L)\n",
                  methods[k]);
        rig_to(&r, 1.75);
        CLOSE(rig_output(&r, "p(L)"), 2.25L + 5 * 0.045L + 0.25L * 0.25L / 2, 1, 1e-13);
        LEDGER(&r);
        rig_clear(&r);
    }
}

/* Sampled conditions would miss the jump back to 0; here every period has its two events. */
static void steps_are_located_in_conditions(void)
{
    for (int k = 0; k < 2; k++) {
        rig r;
        open_with(
            &r,
            "Se V = 1\nI L = 1\nR r = 1\n1 x\nX1 s\nR q = 1\nV -> x -> L\nx -> r\nx -> s -> q\n"
            "switch s off, on when mod(t, 1) > 1/4, off when mod(t, 1) < 1/4\noutput f(L)\n",
            methods[k]);
        rig_to(&r, 9.9);
        CU_ASSERT_EQUAL(r.nevents, 1 + 19);
        for (int i = 1; i < r.nevents; i++)
            CLOSE(r.event[i].t, (i - 1) / 2 + (i % 2 ? 0.25L : 1), 10, 1e-15);
        rig_clear(&r);
    }
}

/* q = t goes up, then down: with a level of q the flow into L follows. p = Σ of the steps. */
static void steps_of_a_state_are_located(void)
{
    for (int k = 0; k < 2; k++) {
        rig r;
        open_with(&r,
                  "Sf u = if(t < 5/2, 1, -1)\nC c = 1\nu -> c\nSe V = floor(q(c))\nI L = 1\n"
                  "V -> L\noutput p(L), q(c)\n",
                  methods[k]);
        rig_to(&r, 4.75);
        CLOSE(rig_output(&r, "q(c)"), 0.25L, 1, 1e-12);
        CLOSE(rig_output(&r, "p(L)"), 1 + 2 * 1 + 1, 1, 1e-11);
        rig_clear(&r);
    }
}

/* An integral of what is held between events. */
static void the_integral_of_a_counter_is_exact(void)
{
    rig r;
    open_with(&r,
              "discrete n = 0\nSe V = 1\nI L = 1\nX1 s\nV -> s -> L\n"
              "automaton s {\na on initial\nb on\na -> b when t > 1 { n = 3 }\n}\n"
              "output area = int(n, 0)\n",
              JN_METHOD_AUTO);
    rig_to(&r, 2);
    CLOSE(rig_output(&r, "area"), 3, 1, 1e-12);
    rig_clear(&r);
}

/* ---- promises ------------------------------------------------------------------------------ */

#define COIL(value) "Se V = 1\nR r = 1\nI L = " value "\n1 x\nV -> x -> L\nx -> r\noutput p(L)\n"

static void storages_must_stay_above_zero(void)
{
    rig r;
    CU_ASSERT_FALSE(rig_new(&r, COIL("t - 2"), NULL));
    CU_ASSERT(rig_has_error(&r, "run-start"));
    CU_ASSERT(jn_diags_get(r.diags, 0)->place.source != NULL);
    rig_clear(&r);
    CU_ASSERT(rig_new(&r, COIL("if(t < 1, 1, -1)"), NULL));
    CU_ASSERT_EQUAL(rig_try(&r, 3), JN_STOP_NUMERICS);
    CU_ASSERT(r.stop.t >= 1 && r.stop.t < 3 && strstr(r.message, "'L'"));
    rig_clear(&r);
}

/* Also where all is at rest, and nothing but rounding moves. */
static void residues_are_small(void)
{
    rig r;
    CU_ASSERT(rig_new(&r, COIL("1 + t/2"), NULL));
    rig_to(&r, 3);
    CU_ASSERT(jn_sim_residue(r.sim) < 1e-11);
    rig_clear(&r);
    CU_ASSERT(
        rig_new(&r, "Se F = 4\nI m = 1\nR b : e = 5*sign(f)\n1 v\nF -> v -> m\nv -> b\n", NULL));
    rig_to(&r, 3);
    CU_ASSERT(jn_sim_residue(r.sim) < 1e-6);
    rig_clear(&r);
}

/* f = 1 − exp(−t). An integral that nothing else reads, and one in a bound, which no run needs. */
static void asserts_may_read_steps_and_integrals(void)
{
    static const struct {
        const char *claim;
        double broken;
    } each[] = {{"floor(3*f(L)) < 1", 0.40546510810816438}, /* log(3/2) */
                {"int(t) < 1/2", 1},
                {"mod(t, 1/2) < 2/5", 0.4},
                {"floor(t) < 1", 1},
                {"int(f(L)) < 1/2", 1.1982904373156640}}; /* t − 1 + exp(−t) = 1/2 */
    for (size_t i = 0; i < sizeof each / sizeof *each; i++)
        for (int law = 0; law < 2; law++) {
            rig r;
            char text[300];
            snprintf(text, sizeof text,
                     "Se V = 1\nI L = 1\nR r %s\n1 x\nV -> x -> L\nx -> r\nassert %s\n"
                     "bound int(2*f(L)) <= 9\noutput p(L)\n",
                     law ? ": e = f" : "= 1", each[i].claim);
            CU_ASSERT(rig_new(&r, text, NULL));
            CU_ASSERT_EQUAL(rig_try(&r, 3), JN_STOP_ASSERT);
            CLOSE(r.stop.t, each[i].broken, 1, 1e-9);
            rig_clear(&r);
        }
}

/* Wherever there is no way on, before a pole, where a law comes to its end, or as a mode is entered, the
 * run stays where it was, and can still be read. */
static void a_run_that_stops_can_be_read(void)
{
    static const char *const text[] = {
        "Se V = tan(t)\nI L = 1\nR r = 1\n1 n\nV -> n -> L\nn -> r\n",
        "Sf v = 1 - t\nR s : f = max(e - 1, 0)\n1 j\nv -> j -> s\n",
        "Se V = 1\nSe W = 2\nR r : e = f + f^3\n0 n\nX1 a\nX1 b\nV -> a -> n\nW -> b -> n\nn -> r\n"
        "switch a on\nswitch b off, on at 1\n"};
    for (int k = 0; k < 3; k++) {
        rig r;
        CU_ASSERT_FATAL(rig_new(&r, text[k], &(jn_sim_options){.span = 3}));
        CU_ASSERT_NOT_EQUAL(rig_try(&r, 3), JN_STOP_NONE);
        CU_ASSERT(isfinite(jn_sim_ledger(r.sim).stored));
        CU_ASSERT(isfinite(jn_sim_residue(r.sim)));
        rig_clear(&r);
    }
}

/* A heavy brake on a mass that hardly moves ends at once. */
static void a_heavy_brake_holds_at_once(void)
{
    static const char text[] = "Se W = 20\nI m = 2, f0 = 1/1000\nR b : e = 50*sign(f)\n1 v\n"
                               "W -> v -> m\nv -> b\noutput f(m), e(b)\n";
    if (rig_ends(text, NULL, 1)) {
        rig r;
        CU_ASSERT(rig_new(&r, text, NULL));
        rig_to(&r, 1);
        CU_ASSERT(fabs(rig_output(&r, "f(m)")) < 1e-12);
        CLOSE(rig_output(&r, "e(b)"), 20, 20, 1e-9);
        rig_clear(&r);
    }
}

/* ---- told ---------------------------------------------------------------------------------- */

/* A relay slides; another switch moves meanwhile: it is no part of the slide. */
static void events_are_seen_while_sliding(void)
{
    for (int k = 0; k < 2; k++) {
        rig r;
        open_with(&r,
                  "Se V = 3\nR r = 1\nC c = 1\nR leak = 4\nX1 s\n1 x\n0 n\nV -> s -> x -> n -> c\n"
                  "x -> r\nn -> leak\nswitch s on, off when e(n) > 2, on when e(n) < 2\n"
                  "R load = 8\nX1 q\nn -> q -> load\nC d = 1\nSf one = 1\none -> d\n"
                  "automaton q {\na off initial\nb on\nc off\na -> b when q(d) > 3\n"
                  "b -> c when q(d) > 4\n}\noutput e(n)\n",
                  methods[k]);
        rig_to(&r, 5);
        int turns = 0;
        for (int i = 1; i < r.nevents; i++)
            turns += r.event[i].kind == JN_EVENT_STATE && strstr(r.event[i].cause, "q ") != NULL;
        CU_ASSERT_EQUAL(turns, 2);
        CLOSE(rig_output(&r, "e(n)"), 2, 2, 1e-9);
        rig_clear(&r);
    }
}

/* An oscillator of energy 1/2, followed badly, beside a heater that takes up to a million until t = 1. */
static double residue_beside(double *whole, const char *volts)
{
    rig r;
    char text[400];
    double share = NAN;
    snprintf(text, sizeof text,
             "model late\nI m = 1, f0 = 1\nC k = 1\n1 j\nj -> m\nj -> k\nSe V = if(t < 1, %s, 0)\n"
             "R heater = 1\nV -> heater\nswitch bell off, on at 39\nsimulate to 40 every 1\n",
             volts);
    if (rig_new(&r, text, &(jn_sim_options){.method = JN_METHOD_RADAU, .rtol = 1e-3})) {
        rig_to(&r, 40);
        jn_ledger l = jn_sim_ledger(r.sim);
        *whole = fabs(l.supplied - l.stored - l.dissipated - l.lost) / l.moved;
        share = jn_sim_residue(r.sim);
    }
    rig_clear(&r);
    return share;
}

/* What is wrong between two instants is not made small by what went on before them. */
static void a_late_residue_counts_beside_its_own_time(void)
{
    double whole, diluted;
    double alone = residue_beside(&whole, "0"), beside = residue_beside(&diluted, "1000");
    CU_ASSERT(alone > 1e-6);
    CU_ASSERT(fabs(alone - whole) < 0.01 * whole);
    CU_ASSERT(diluted < 1e-5 * alone);
    CU_ASSERT(beside > 0.9 * alone && beside < 1.1 * alone);
}

void suite_sim_promises(void)
{
    TEST_SUITE("sim_promises");
    TEST_ADD(steps_of_time_are_exact);
    TEST_ADD(steps_are_located_in_conditions);
    TEST_ADD(steps_of_a_state_are_located);
    TEST_ADD(the_integral_of_a_counter_is_exact);
    TEST_ADD(storages_must_stay_above_zero);
    TEST_ADD(residues_are_small);
    TEST_ADD(asserts_may_read_steps_and_integrals);
    TEST_ADD(a_run_that_stops_can_be_read);
    TEST_ADD(a_heavy_brake_holds_at_once);
    TEST_ADD(events_are_seen_while_sliding);
    TEST_ADD(a_late_residue_counts_beside_its_own_time);
}
