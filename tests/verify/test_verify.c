/* test_verify.c: proofs about switching whose answers are known by hand. */
#include <math.h>

#include "bench_of_proofs.h"

static jn_proof settling_of(const char *name, const char *set, int *changes)
{
    proof_rig r;
    proof_example(&r, name, set);
    jn_proof verdict = r.v ? r.v->settling.verdict : JN_OPEN;
    if (changes)
        *changes = r.v ? r.v->changes : -1;
    if (verdict == JN_REFUTED)
        CU_ASSERT(r.v->settling.witness->is_replayed);
    proof_clear(&r);
    return verdict;
}

/* ---- converters ---------------------------------------------------------------------------- */

static void converters_settle(void)
{
    static const struct {
        const char *name;
        int changes;
    } model[] = {{"buck", 2}, {"chopper", 2}, {"cuk", 2}, {"diode_inductor", 1}, {"bitank", 1}};
    for (size_t i = 0; i < sizeof model / sizeof *model; i++) {
        int changes;
        CU_ASSERT_EQUAL(settling_of(model[i].name, NULL, &changes), JN_PROVED);
        CU_ASSERT_EQUAL(changes, model[i].changes);
    }
}

/* ---- a relay in an algebraic loop ---------------------------------------------------------- */

/* Off e(n) = 10/12·V, on 10/22·V: it buzzes for V in (10.8, 11). */
static void relay_buzzes(void)
{
    proof_rig r;
    proof_example(&r, "relay", NULL);
    const jn_witness *w = r.v->settling.witness;
    CU_ASSERT_EQUAL(r.v->settling.verdict, JN_REFUTED);
    CU_ASSERT_PTR_NOT_NULL_FATAL(w);
    double V = jn_number_get_d(w->input + 0);
    CU_ASSERT(V > 10.8 && V < 11);
    CU_ASSERT(w->is_replayed);
    CU_ASSERT(w->cycle >= 0);
    proof_clear(&r);
}

/* ---- claims -------------------------------------------------------------------------------- */

static void gating_patterns_are_kept(void)
{
    proof_rig r;
    proof_example(&r, "halfbridge", NULL);
    CU_ASSERT_EQUAL(r.v->dead_ends.verdict, JN_PROVED);
    CU_ASSERT_EQUAL(r.v->assertion[0].verdict, JN_PROVED);
    CU_ASSERT_EQUAL(jn_verification_verdict(r.v), JN_PROVED);
    proof_clear(&r);
    proof_example(&r, "halfbridge", "dead=0");
    CU_ASSERT_EQUAL(r.v->dead_ends.verdict, JN_REFUTED);
    CU_ASSERT_EQUAL(r.v->assertion[0].verdict, JN_REFUTED);
    CU_ASSERT_EQUAL(jn_verification_verdict(r.v), JN_REFUTED);
    proof_clear(&r);
}

#define DIODE                                                                                      \
    "model m\nSe V = 10\nI L = 1\nR r = 1\n1 loop\nX1 d\nV -> d -> loop -> L\nloop -> r\n"         \
    "switch d diode\n"

static void asserts_hold_within_bounds(void)
{
    proof_rig r;
    proof_new(&r, DIODE "assert f(L) >= 0\nassert f(L) <= 10\n", NULL);
    CU_ASSERT_EQUAL(r.v->assertion[0].verdict, JN_PROVED);
    CU_ASSERT_EQUAL(r.v->assertion[1].verdict, JN_REFUTED);
    CU_ASSERT(r.v->assertion[1].witness && r.v->assertion[1].witness->is_replayed);
    proof_clear(&r);
    proof_new(&r, DIODE "assert f(L) <= 10\nbound 0 <= p(L) <= 10\n", NULL);
    CU_ASSERT_EQUAL(r.v->assertion[0].verdict, JN_PROVED);
    proof_clear(&r);
    proof_new(&r, DIODE "bound p(L) <= 1\nbound p(L) >= 2\n", NULL);
    CU_ASSERT_PTR_NULL(r.v);
    CU_ASSERT(proof_has_error(&r, "bound-contradiction"));
    proof_clear(&r);
}

/* What is not linear is said, and the rest is still answered. */
static void what_is_not_linear_is_open(void)
{
    proof_rig r;
    proof_new(&r,
              "model m\nSe V = 10\nI L = 1\nR r = 1\n1 loop\nX1 s\nV -> s -> loop -> L\nloop -> r\n"
              "switch s on, off when f(L)*f(L) > 4, on when f(L)*f(L) < 0\n"
              "assert not on(s) or f(L) < 100\nassert on(s) or not on(s)\n",
              NULL);
    CU_ASSERT(r.v->nvague > 0);
    CU_ASSERT_EQUAL(r.v->settling.verdict, JN_OPEN);
    CU_ASSERT(r.v->settling.why != NULL);
    CU_ASSERT_EQUAL(r.v->assertion[1].verdict, JN_PROVED);
    proof_clear(&r);
}

/* No dead end where equal drops meet: their sources say the same. With others the lower one conducts alone. */
static void equal_sources_are_in_no_conflict(void)
{
    proof_rig r;
    proof_new(&r,
              "model m\nSe V = 5\nR r = 1\n1 in\n0 n\n0 out\nX1 a\nX1 b\nR load = 1\n"
              "V -> in -> n\nin -> r\nn -> a -> out\nn -> b -> out\nout -> load\n"
              "switch a diode(0.7)\nswitch b diode(0.7)\n"
              "assert not on(a) or not on(b) or abs(f(a) - 1.075) <= 0\n",
              NULL);
    CU_ASSERT_EQUAL(r.v->settling.verdict, JN_PROVED);
    CU_ASSERT_EQUAL(r.v->dead_ends.verdict, JN_PROVED);
    CU_ASSERT_EQUAL(r.v->assertion[0].verdict, JN_PROVED); /* (5 − 0.7)/2, shared evenly */
    CU_ASSERT(r.v->never_known);
    proof_clear(&r);
}

/* On, the node falls to half of what it is off. */
#define DIODE_LOOP                                                                                 \
    "Se V = 4\nR in = 1\nR out = 1\nR always = 9\nI L = 1\nR coil = 1\n1 feed\n0 n\n1 side\nX1 "   \
    "s\n"                                                                                          \
    "V -> feed -> n\nfeed -> in\nn -> s -> out\nn -> always\nn -> side\nside -> L\nside -> coil\n"

#define CUT "X1 s\n0 n\nR r = 1\nV -> s -> n -> r\nswitch s on, off at 1\n"

/* A flow of 0 may be cut off. One within bounds is in conflict where it is another, and nowhere else. */
static void a_conflict_takes_values_that_differ(void)
{
    proof_rig r;
    proof_new(&r, "model m\nSf V = 0\n" CUT, NULL);
    CU_ASSERT_EQUAL(r.v->dead_ends.verdict, JN_PROVED);
    proof_clear(&r);
    proof_new(&r, "model m\nSf V = 0\nbound -7 <= f(V) <= 0\n" CUT, NULL);
    CU_ASSERT_EQUAL_FATAL(r.v->dead_ends.verdict, JN_REFUTED);
    CU_ASSERT(fmpq_sgn(r.v->dead_ends.witness->input) < 0);
    proof_clear(&r);
    proof_new(&r, "model m\nSf V = 0\nbound 0 <= f(V) <= 0\n" CUT, NULL);
    CU_ASSERT_EQUAL(r.v->dead_ends.verdict, JN_OPEN);
    proof_clear(&r);
}

/* A sine has no kinks, and passes 0 without a stop: no two diodes of the bridge let go together. */
static void a_bridge_on_a_sine_is_decided(void)
{
    proof_rig r;
    proof_example(&r, "rectifier", NULL);
    CU_ASSERT_EQUAL(r.v->settling.verdict, JN_PROVED);
    CU_ASSERT_EQUAL(r.v->dead_ends.verdict, JN_PROVED);
    CU_ASSERT_EQUAL(r.v->races.verdict, JN_PROVED);
    proof_clear(&r);
}

#define PHASES                                                                                     \
    "model m\nfor k in 1..3 {\nSe V[k] = sin(100*pi*t - (k - 1)*2*pi/3)\nX1 s[k]\nR r[k] = 1\n"    \
    "V[k] -> s[k] -> r[k]\nswitch s[k] diode\n}\n"

/* The phases add up to 0, so that they are never all positive; but any two of them are. */
static void phases_belong_together(void)
{
    proof_rig r;
    proof_new(&r,
              PHASES "assert abs(e(V[1]) + e(V[2]) + e(V[3])) < 1/1000000\n"
                     "assert e(V[1]) < 1/100 or e(V[2]) < 1/100 or e(V[3]) < 1/100\n"
                     "assert e(V[1]) < 1/10 or e(V[2]) < 1/10\n"
                     "assert e(V[1]) > -1/100 or e(V[1]) < -9/10\n",
              NULL);
    CU_ASSERT_EQUAL(r.v->assertion[0].verdict, JN_PROVED);
    CU_ASSERT_EQUAL(r.v->assertion[1].verdict, JN_PROVED);
    CU_ASSERT_EQUAL(r.v->assertion[2].verdict, JN_REFUTED);
    CU_ASSERT_EQUAL(r.v->assertion[3].verdict, JN_REFUTED);
    proof_clear(&r);
}

static bool is_within(const struct jn_witness_range *r, const fmpq *x)
{
    int low = r->has_low ? fmpq_cmp(x, r->low) : 1, high = r->has_high ? fmpq_cmp(r->high, x) : 1;
    return low >= !r->low_included && high >= !r->high_included;
}

/* What is said of a range holds at the state that was found, too. */
static void a_witness_lies_within_its_ranges(void)
{
    static const char *const model[] = {
        "bound -8 <= e(V) <= 8\n" DIODE_LOOP "switch s off, on when e(n) > 3, off when e(n) < 2\n",
        "bound -8 <= e(V) <= 8\n" DIODE_LOOP "switch s off, on when p(L) > 1, off when e(n) < 2\n"};
    for (size_t m = 0; m < sizeof model / sizeof *model; m++) {
        proof_rig r;
        jn_str text;
        jn_str_init(&text);
        jn_str_addf(&text, "model m\n%s", model[m]);
        proof_new(&r, jn_str_c(&text), NULL);
        CU_ASSERT_EQUAL_FATAL(r.v->settling.verdict, JN_REFUTED);
        const jn_witness *w = r.v->settling.witness;
        for (int i = 0; i < w->nranges; i++) {
            int k = w->range[i].number;
            CU_ASSERT(is_within(&w->range[i], k < w->nx ? w->x + k : w->input + k - w->nx));
        }
        CU_ASSERT(w->nranges > 0);
        proof_clear(&r);
        jn_str_clear(&text);
    }
}

static void what_never_happens_is_told(void)
{
    proof_rig r;
    proof_new(&r,
              DIODE "0 n\nSe G = 0\nX1 k\nG -> k -> n -> q\nR q = 1\n"
                    "switch k off, on when f(q) > 1\n",
              NULL);
    CU_ASSERT(r.v->never_known);
    int conditions = 0, switches = 0;
    for (int i = 0; i < r.v->nnever; i++) {
        conditions += r.v->never[i].kind == JN_NEVER_CONDITION;
        switches += r.v->never[i].kind == JN_NEVER_SWITCH;
    }
    CU_ASSERT_EQUAL(conditions, 1);
    CU_ASSERT_EQUAL(switches, 1);
    proof_clear(&r);
}

static void time_is_limited(void)
{
    proof_rig r;
    jn_verify_options o = {.seconds = 0.001};
    char *text = test_read_file("examples/rectifier.hbg");
    proof_new(&r, text, &o);
    CU_ASSERT_EQUAL(r.v->settling.verdict, JN_OPEN);
    CU_ASSERT_EQUAL(jn_verification_verdict(r.v), JN_OPEN);
    proof_clear(&r);
    free(text);
}

void suite_verify(void)
{
    TEST_SUITE("verify");
    TEST_ADD(converters_settle);
    TEST_ADD(relay_buzzes);
    TEST_ADD(gating_patterns_are_kept);
    TEST_ADD(asserts_hold_within_bounds);
    TEST_ADD(what_is_not_linear_is_open);
    TEST_ADD(equal_sources_are_in_no_conflict);
    TEST_ADD(a_conflict_takes_values_that_differ);
    TEST_ADD(a_bridge_on_a_sine_is_decided);
    TEST_ADD(phases_belong_together);
    TEST_ADD(a_witness_lies_within_its_ranges);
    TEST_ADD(what_never_happens_is_told);
    TEST_ADD(time_is_limited);
}
