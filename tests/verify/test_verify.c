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

/* ---- the rod ------------------------------------------------------------------------------- */

static void a_threshold_of_the_rod_is_refuted(void)
{
    static const char *const vth[] = {"vth=0.01", "vth=1", "vth=50"};
    for (size_t i = 0; i < sizeof vth / sizeof *vth; i++)
        CU_ASSERT_EQUAL(settling_of("rod_threshold", vth[i], NULL), JN_REFUTED);
    CU_ASSERT_EQUAL(settling_of("rod_threshold", "vth=0", NULL), JN_PROVED);
}

/* Whether the rod loops from (p_x, p_y, L) in free fall at the floor, by hand. With s = 1/√2, m = 1,
 * J = 1/3: fall = p_y + 3·s·L, slip = p_x + 3·s·L. Sticking stops both: the impulses (X, Y) solve
 *     5/2·X + 3/2·Y = slip,   3/2·X + 5/2·Y = fall
 * so X = (5·slip − 3·fall)/8, Y = (5·fall − 3·slip)/8. If friction can hold X, the tip sticks, and
 * then its weight, with 0.6 of the normal force sideways, drives it off again; it has no speed, so it
 * sticks again. If not, it slides on with slip − 3/5·fall, and sticks again if that is below vth.
 * Where Y < 0 sticking would pull: the floor lets go, and only the speed before counts. 0: on the
 * line between these. */
static int loops_by_hand(double px, double py, double L, double vth, double mu)
{
    double s = 0.7071067811865476, fall = py + 3 * s * L, slip = px + 3 * s * L;
    double X = (5 * slip - 3 * fall) / 8, Y = (5 * fall - 3 * slip) / 8;
    bool holds = fabs(X) <= mu * Y, slow_after = fabs(slip - 0.6 * fall) < vth;
    if (fabs(Y) < 1e-12)
        return 0;
    return fall > 0 && (Y > 0 ? holds || slow_after : fabs(slip) < vth) ? 1 : -1;
}

/* On a grid of the plane through the witness: the drawn region is the inequality. */
static void rod_region_is_the_inequality(void)
{
    proof_rig r;
    jn_plane *p = NULL;
    proof_example(&r, "rod_threshold", NULL);
    CU_ASSERT_PTR_NOT_NULL_FATAL(r.v->settling.witness);
    const jn_witness *w = r.v->settling.witness;
    int mx = r.graph->element[jn_graph_find(r.graph, "mx")].number;
    int my = r.graph->element[jn_graph_find(r.graph, "my")].number;
    int J = r.graph->element[jn_graph_find(r.graph, "J")].number;
    CU_ASSERT_EQUAL(loops_by_hand(jn_number_get_d(w->x + mx), jn_number_get_d(w->x + my),
                                  jn_number_get_d(w->x + J), 0.01, 0.1),
                    1);
    CU_ASSERT_EQUAL(jn_plane_new(&p, r.graph, w, mx, my, NULL, r.diags), JN_OK);
    int loops = 0, wrong = 0;
    for (int k = 0; p && k < p->nx * p->ny; k++) {
        double x = p->x_low + (p->x_high - p->x_low) * (k % p->nx + 0.5) / p->nx;
        double y = p->y_low + (p->y_high - p->y_low) * (k / p->nx + 0.5) / p->ny;
        int hand = loops_by_hand(x, y, jn_number_get_d(w->x + J), 0.01, 0.1);
        loops += hand > 0;
        wrong += hand && (hand > 0) != (p->cell[k] == JN_PLANE_LOOP);
    }
    CU_ASSERT(loops > 1000);
    CU_ASSERT_EQUAL(wrong, 0);
    jn_plane_free(p);
    proof_clear(&r);
}

static void second_repair_does_not_hold(void)
{
    CU_ASSERT_EQUAL(settling_of("rod_repaired", NULL, NULL), JN_REFUTED);
    CU_ASSERT_EQUAL(settling_of("rod_repaired", "vth=0", NULL), JN_PROVED);
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
              "switch s on, off when f(L)*f(L) > 4, on when f(L)*f(L) < 1\n"
              "assert not on(s) or f(L) < 100\nassert on(s) or not on(s)\n",
              NULL);
    CU_ASSERT(r.v->nvague > 0);
    CU_ASSERT_EQUAL(r.v->settling.verdict, JN_OPEN);
    CU_ASSERT(r.v->settling.why != NULL);
    CU_ASSERT_EQUAL(r.v->assertion[1].verdict, JN_PROVED);
    proof_clear(&r);
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
    TEST_ADD(a_threshold_of_the_rod_is_refuted);
    TEST_ADD(rod_region_is_the_inequality);
    TEST_ADD(second_repair_does_not_hold);
    TEST_ADD(converters_settle);
    TEST_ADD(relay_buzzes);
    TEST_ADD(gating_patterns_are_kept);
    TEST_ADD(asserts_hold_within_bounds);
    TEST_ADD(what_is_not_linear_is_open);
    TEST_ADD(what_never_happens_is_told);
    TEST_ADD(time_is_limited);
}
