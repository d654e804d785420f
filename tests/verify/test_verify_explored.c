/* test_verify_explored.c: the longest cascade that is proved is the longest one that there is.
 *
 * Converters with ideal diodes, verified, and searched exhaustively (exhaustive.h): from every mode that
 * lasts, every state and input that fits it, every way the clock can turn its switches and the source can
 * jump. The search is exact and has no grid: it goes through all cells in which the conditions have the
 * same signs. Expected lengths are by hand where they are small. */
#include "bench_of_proofs.h"
#include "exhaustive.h"

#define HEAD "model m\nSe V = 4\nSe G = 0\nI L = 1\nC C1 = 1\nR load = 2\nX1 s\nX1 d\n"
#define CLOCK "switch s off, on at 1, off at 2\n"
#define BUCK                                                                                       \
    HEAD "0 n\n0 out\n1 coil\nV -> s -> n\nG -> d -> n\nn -> coil -> L\ncoil -> out -> C1\n"       \
         "out -> load\nswitch d diode\n" CLOCK
#define BOOST                                                                                      \
    HEAD "0 n\n0 out\n1 coil\nV -> coil -> L\ncoil -> n\nn -> s -> G\nn -> d -> out -> C1\n"       \
         "out -> load\nswitch d diode\n" CLOCK
#define BUCK_BOOST                                                                                 \
    HEAD "0 n\n0 out\nV -> s -> n -> L\nout -> d -> n\nout -> C1\nout -> load\nswitch d "          \
         "diode\n" CLOCK
#define CUK                                                                                        \
    HEAD                                                                                           \
        "I L2 = 2\nC Ct = 1\n0 a\n0 b\n0 ground\nSe G2 = 0\n1 in\n1 between\n1 out\n0 o\n"         \
        "V -> in -> L\nin -> a\na -> s -> G\na -> between -> b\nbetween -> Ct\nb -> d -> ground\n" \
        "G2 -> ground\nb -> out -> L2\nout -> o\no -> C1\no -> load\nswitch d diode\n" CLOCK
#define HALF_WAVE                                                                                  \
    "model m\nSe V = 4\nC C1 = 1\nR load = 2\n0 n\nX1 d\nV -> d -> n -> C1\nn -> load\n"           \
    "switch d diode\nbound -8 <= e(V) <= 8\n"
#define BRIDGE                                                                                     \
    "model m\nSe V = 4\nSe G = 0\nC C1 = 1\nR load = 2\nR Ra = 64\nR Rb = 64\n1 source\n0 a\n"     \
    "0 b\n0 plus\n0 minus\nX1 d1\nX1 d2\nX1 d3\nX1 d4\nV -> source -> a\nb -> source\n"            \
    "G -> minus\na -> d1 -> plus\nb -> d2 -> plus\nminus -> d3 -> a\nminus -> d4 -> b\n"           \
    "plus -> C1\nplus -> load\na -> Ra\nb -> Rb\nswitch d1 diode\nswitch d2 diode\n"               \
    "switch d3 diode\nswitch d4 diode\nbound -8 <= e(V) <= 8\n"
/* One leg has two transistors, the other two diodes: all four quadrants of its current. */
#define H_BRIDGE                                                                                   \
    "model m\nSe V = 4\nSe G = 0\nI L = 1\nR load = 2\n0 rail\n0 ground\n0 a\n0 b\n1 line\nX1 "    \
    "s1\n"                                                                                         \
    "X1 s2\nX1 d1\nX1 d2\nV -> rail\nG -> ground\nrail -> s1 -> a\na -> s2 -> ground\n"            \
    "b -> d1 -> rail\nground -> d2 -> b\na -> line -> b\nline -> L\nline -> load\n"                \
    "switch s1 pwm(2, 1/2)\nswitch s2 pwm(2, 1/2, 1)\nswitch d1 diode\nswitch d2 diode\n"

/* Three legs, each with two transistors and their ideal diodes, and a star of coils: 2^12 modes. */
#define INVERTER(UP, LOW)                                                                          \
    "model m\nSe V = 4\nSe G = 0\n0 rail\n0 ground\n0 star\nV -> rail\nG -> ground\n"              \
    "for k in 1..3 {\nI L[k] = 1\nR r[k] = 1\n0 leg[k]\n1 phase[k]\nX1 up[k]\nX1 low[k]\n"         \
    "X1 dup[k]\nX1 dlow[k]\nrail -> up[k] -> leg[k] -> phase[k] -> star\n"                         \
    "leg[k] -> low[k] -> ground\nleg[k] -> dup[k] -> rail\nground -> dlow[k] -> leg[k]\n"          \
    "phase[k] -> L[k]\nphase[k] -> r[k]\nswitch up[k] pwm(" UP ")\nswitch low[k] pwm(" LOW ")\n"   \
    "switch dup[k] diode\nswitch dlow[k] diode\n}\n"
/* Six-step: a third of a period from leg to leg, with dead times. */
#define IN_STEP INVERTER("6, 5/12, 2*(k - 1)", "6, 5/12, 2*k + 1 - 3*(k - 1)*(k - 2)")
/* Periods of 4, 5 and 7 ticks, one of them on above and one below: as no two have a common divisor, every
 * gating of the three legs without a short comes, and every combination of edges at one instant. */
#define PERIOD "(3 + k + (k - 1)*(k - 2)/2)"
#define FREELY INVERTER(PERIOD ", 1/" PERIOD, PERIOD ", 1/" PERIOD ", 2")

static void proved_is_explored(const char *text, int changes, exhaustive_verdict dead_ends)
{
    proof_rig r;
    exhaustive_answer all;
    jn_verify_options o = {.seconds = 300, .only_settling = true};
    exhaustive_options search = {20, 100000000, false};
    proof_new(&r, text, &o);
    exhaustive_ask(&all, r.graph, &search);
    CU_ASSERT_FATAL(all.is_able);
    CU_ASSERT_EQUAL(all.settling, EXHAUSTIVE_HOLDS);
    CU_ASSERT_EQUAL(r.v->settling.verdict, JN_PROVED);
    CU_ASSERT_EQUAL(all.changes, changes);
    CU_ASSERT_EQUAL(r.v->changes, changes);
    CU_ASSERT_EQUAL(all.dead_ends, dead_ends);
    CU_ASSERT_EQUAL(r.v->dead_ends.verdict, dead_ends == EXHAUSTIVE_HOLDS ? JN_PROVED : JN_REFUTED);
    exhaustive_clear(&all);
    proof_clear(&r);
}

static void choppers(void)
{
    proved_is_explored(BUCK, 2, EXHAUSTIVE_HOLDS);
    proved_is_explored(BOOST, 2, EXHAUSTIVE_HOLDS);
    proved_is_explored(BUCK_BOOST, 2, EXHAUSTIVE_HOLDS);
    proved_is_explored(CUK, 2, EXHAUSTIVE_HOLDS);
}

static void half_wave(void)
{
    proved_is_explored(HALF_WAVE, 2, EXHAUSTIVE_HOLDS);
}

/* As the current turns one diode lets go and the other takes over. */
static void h_bridge(void)
{
    proved_is_explored(H_BRIDGE, 2, EXHAUSTIVE_HOLDS);
}

/* An edge: a diode lets go, or takes over and then another one. */
static void inverter_in_step(void)
{
    proved_is_explored(IN_STEP, 2, EXHAUSTIVE_HOLDS);
}

/* Two legs without any transistor on, and an edge in the third: diodes take over until currents fit. */
static void inverter_gated_freely(void)
{
    proved_is_explored(FREELY, 5, EXHAUSTIVE_HOLDS);
}

/* A capacitor below 0 while the source is at 0 would make both upper diodes conduct, which short it: a dead
 * end, were the capacitor not known to stay above. The longest cascades are those of a source that jumps
 * from one end to the other. */
static void bridge(void)
{
    proved_is_explored(BRIDGE "bound q(C1) >= 0\n", 5, EXHAUSTIVE_HOLDS);
}

/* Where the source comes to 0 and turns, two diodes let go at once; were it one of them, the other would
 * stay. That depends on how fast the source changes, and a run is tried with that. */
static void races_of_a_bridge(void)
{
    proof_rig r;
    exhaustive_answer all;
    exhaustive_options search = {20, 100000000, true};
    proof_new(&r, BRIDGE "bound q(C1) >= 0\n", NULL);
    exhaustive_ask(&all, r.graph, &search);
    CU_ASSERT_FATAL(all.is_able);
    CU_ASSERT_EQUAL(all.races, EXHAUSTIVE_FAILS);
    CU_ASSERT_EQUAL_FATAL(r.v->races.verdict, JN_REFUTED);
    const jn_witness *w = r.v->races.witness;
    CU_ASSERT(w->is_replayed);
    CU_ASSERT(!fmpq_equal(w->rate, w->rate_before) || !fmpq_equal(w->input, w->before));
    size_t n = (size_t)r.graph->nswitches;
    CU_ASSERT(memcmp(r.v->race_end, w->step[w->nsteps - 1].mode, n) != 0);
    exhaustive_clear(&all);
    proof_clear(&r);
}

void suite_verify_explored(void)
{
    TEST_SUITE("verify_explored");
    TEST_ADD(choppers);
    TEST_ADD(half_wave);
    TEST_ADD(h_bridge);
    TEST_ADD(inverter_in_step);
    TEST_ADD(inverter_gated_freely);
    TEST_ADD(bridge);
    TEST_ADD(races_of_a_bridge);
}
