/* test_sim_initial.c: what storages hold at the start where an effort or a flow is given, and what they hold
 * more when their values change. */
#include "rig.h"

#include <math.h>

static void adds_up(const rig *r)
{
    jn_ledger l = jn_sim_ledger(r->sim);
    CLOSE(l.supplied - l.stored - l.dissipated - l.lost, 0, l.dissipated, 1e-12);
}

/* e0·C at t = 0, whatever C reads there. */
static void an_effort_is_that_of_the_value_at_the_start(void)
{
    static const struct {
        const char *c;
        double q;
    } of[] = {{"C c = 1 + n, e0 = 10", 20},
              {"C c = int(1, 2), e0 = 10", 20},
              {"C c = 1 + e(V), e0 = 10", 30},
              {"C c = 1 + p(L), e0 = 10", 30},
              {"C c = if(in(count, b), 1, 3), e0 = 10", 30},
              {"C c = 1 + floor(1.5), e0 = 10", 20},
              {"C c = prior(n) + 2, e0 = 10", 30},
              {"C c : e = q*(2 + n), e0 = 12", 4},
              {"C c : e = 2*sqrt(q), e0 = 6", 9},
              {"C c : e = q^2*n, e0 = 25", 5},
              {"C c : q = e^3 + n, e0 = 2", 9}};
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        rig r;
        char text[400];
        snprintf(text, sizeof text,
                 "Se V = 2\nI L = 1, f0 = 2\nR r = 1\nR s = 1\n1 l\n1 k\nl -> c\nl -> r\nV -> k\n"
                 "k -> L\nk -> s\ndiscrete n = 1\nautomaton count {\na off initial\nb on\n"
                 "a -> b when t >= 5 { n = 2 }\n}\n%s\n",
                 of[i].c);
        bool made = rig_new(&r, text, NULL);
        CU_ASSERT(made);
        if (made) {
            CLOSE_REL(rig_state(&r, "c"), of[i].q, 1e-14);
            rig_to(&r, 0.5);
            adds_up(&r);
        }
        rig_clear(&r);
    }
}

/* f = 2·√p at 6: the law is steep where the search begins, and ends there. p = (3 − t)². */
static void a_flow_is_found_on_a_law_that_ends(void)
{
    rig r;
    CU_ASSERT_FATAL(
        rig_new(&r, "I J : f = 2*sqrt(p), f0 = 6\nR r = 1\n1 l\nl -> J\nl -> r\n", NULL));
    CLOSE_REL(rig_state(&r, "J"), 9, 1e-14);
    rig_to(&r, 0.5);
    CLOSE_REL(rig_state(&r, "J"), 6.25L, 1e-10);
    adds_up(&r);
    rig_clear(&r);
}

/* No q gives it: the law ends below, or jumps over it. */
static void a_flow_that_no_state_has_is_named(void)
{
    static const char *const law[] = {"f = atan(p), f0 = 2", "f = p + sign(p), f0 = 1/2"};
    for (size_t i = 0; i < sizeof law / sizeof *law; i++) {
        rig r;
        char text[200];
        snprintf(text, sizeof text, "I J : %s\nR r = 1\n1 l\nl -> J\nl -> r\n", law[i]);
        CU_ASSERT_FALSE(rig_new(&r, text, NULL));
        CU_ASSERT(rig_has_error(&r, "run-start"));
        rig_clear(&r);
    }
}

/* A storage whose value jumps from 2 to 1 at q = 10·exp(−1/4): what it then holds more came from outside. */
static void a_value_that_jumps_brings_energy(void)
{
    static const char *const value[] = {
        "2 - n",        "if(in(count, b), 1, 2)", "2 - floor(t + 0.5)",
        "2 - prior(n)", "if(t >= 1/2, 1, 2)",     "if(on(count), 1, 2)"};
    long double q = 10 * expl(-0.25L);
    for (size_t i = 0; i < sizeof value / sizeof *value; i++) {
        rig r;
        char text[300];
        snprintf(text, sizeof text,
                 "C c = %s, q0 = 10\nR r = 1\n1 l\nl -> c\nl -> r\ndiscrete n = 0\n"
                 "automaton count {\na off initial\nb on\na -> b when t >= 1/2 { n = 1 }\n}\n"
                 "output x = if(on(count), n, 0)\n",
                 value[i]);
        bool made = rig_new(&r, text, NULL);
        CU_ASSERT(made);
        if (made) {
            rig_to(&r, 1);
            CLOSE_REL(rig_state(&r, "c"), q * expl(-0.5L), 1e-10);
            CLOSE_REL(jn_sim_ledger(r.sim).supplied, q * q / 2 * (1 - 0.5L), 1e-10);
            adds_up(&r);
        }
        rig_clear(&r);
    }
}

/* What a value reads of the model counts from the start on: the ledger would else be off by what it holds less. */
static void energy_at_the_start_is_that_of_the_values_there(void)
{
    static const char *const text[] = {
        "C c = 1 + abs(e(r))/10, q0 = 10\nR r = 1\nR s : e = 0.5*f\n1 l\nl -> c\nl -> r\nl -> s\n",
        "C c = 1 + e(V), q0 = 10\nSe V = 2\nR r = 1\nR s = 1\n1 l\nl -> c\nl -> r\nV -> s\n"};
    for (size_t i = 0; i < sizeof text / sizeof *text; i++) {
        rig r;
        CU_ASSERT_FATAL(rig_new(&r, text[i], NULL));
        rig_to(&r, 1);
        adds_up(&r);
        rig_clear(&r);
    }
}

void suite_sim_initial(void)
{
    TEST_SUITE("sim_initial");
    TEST_ADD(an_effort_is_that_of_the_value_at_the_start);
    TEST_ADD(a_flow_is_found_on_a_law_that_ends);
    TEST_ADD(a_flow_that_no_state_has_is_named);
    TEST_ADD(a_value_that_jumps_brings_energy);
    TEST_ADD(energy_at_the_start_is_that_of_the_values_there);
}
