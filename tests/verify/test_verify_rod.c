/* test_verify_rod.c: the falling rod, whose region that never settles is known by hand. */
#include <math.h>

#include "bench_of_proofs.h"

static jn_proof settling_of(const char *name, const char *set)
{
    proof_rig r;
    proof_example(&r, name, set);
    jn_proof verdict = r.v ? r.v->settling.verdict : JN_OPEN;
    if (verdict == JN_REFUTED)
        CU_ASSERT(r.v->settling.witness->is_replayed);
    proof_clear(&r);
    return verdict;
}

/* ---- the region ------------------------------------------------------------------------------- */

static void a_threshold_of_the_rod_is_refuted(void)
{
    static const char *const vth[] = {"vth=0.01", "vth=1", "vth=50"};
    for (size_t i = 0; i < sizeof vth / sizeof *vth; i++)
        CU_ASSERT_EQUAL(settling_of("rod_threshold", vth[i]), JN_REFUTED);
    CU_ASSERT_EQUAL(settling_of("rod_threshold", "vth=0"), JN_PROVED);
}

/* Whether the instant of the impact never ends, by hand: see docs/method.md. In exact numbers, with
 * a = J⁻¹·s², the tip's speeds X = p_x + s·L/J sideways and Y = p_y + s·L/J down, and
 *     S = X − a/(1 + a)·Y             the speed sideways if the tip slides through the impact,
 *     Q = (1 + a)/(1 + 2a)·S          the impulses that it would take to stop it
 *     P = ((1 + a)·Y − a·X)/(1 + 2a)  sideways and upwards. */
typedef struct {
    fmpq_t s, X, Y, S, Q, P, limit, c;
} impact;

static void impact_init(impact *i)
{
    fmpq *all[] = {i->s, i->X, i->Y, i->S, i->Q, i->P, i->limit, i->c};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        fmpq_init(all[k]);
}

static void impact_clear(impact *i)
{
    fmpq *all[] = {i->s, i->X, i->Y, i->S, i->Q, i->P, i->limit, i->c};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        fmpq_clear(all[k]);
}

/* A multiple of 2⁻⁴⁰, exactly. */
static void set_double(fmpq_t out, double v)
{
    fmpz_set_d(fmpq_numref(out), v * 0x1p40);
    fmpz_one(fmpq_denref(out));
    fmpz_mul_2exp(fmpq_denref(out), fmpq_denref(out), 40);
    fmpq_canonicalise(out);
}

static bool never_ends_by_hand(double px, double py, double L)
{
    impact i;
    impact_init(&i);
    fmpq_t a, b, one;
    fmpq_init(a);
    fmpq_init(b);
    fmpq_init(one);
    fmpq_one(one);
    fmpq_set_str(i.s, "7071067811865476/10000000000000000", 10);
    fmpq_canonicalise(i.s);
    set_double(b, L);
    fmpq_mul(b, b, i.s);
    fmpq_mul_si(b, b, 3);
    set_double(i.X, px);
    set_double(i.Y, py);
    fmpq_add(i.X, i.X, b);
    fmpq_add(i.Y, i.Y, b);
    fmpq_mul(a, i.s, i.s);
    fmpq_mul_si(a, a, 3);
    fmpq_add(b, one, a); /* 1 + a */
    fmpq_div(i.S, a, b);
    fmpq_mul(i.S, i.S, i.Y);
    fmpq_sub(i.S, i.X, i.S);
    fmpq_add(i.c, b, a); /* 1 + 2a */
    fmpq_mul(i.Q, b, i.S);
    fmpq_div(i.Q, i.Q, i.c);
    fmpq_mul(i.P, b, i.Y);
    fmpq_submul(i.P, a, i.X);
    fmpq_div(i.P, i.P, i.c);
    fmpq_div_fmpz(i.P, i.P, (fmpz[]){10}); /* mu·P */
    fmpq_set_si(i.limit, 1, 100);          /* vth */
    fmpq_abs(a, i.S);
    bool slow = fmpq_cmp(a, i.limit) < 0;
    fmpq_neg(b, i.P);
    bool held = fmpq_cmp(b, i.Q) < 0 && fmpq_cmp(i.Q, i.P) <= 0;
    bool falls = fmpq_sgn(i.Y) > 0;
    impact_clear(&i);
    fmpq_clear(a);
    fmpq_clear(b);
    fmpq_clear(one);
    return falls && (slow || held);
}

/* What the run's own iteration makes of an impact in free fall, the tip a hair in the floor. */
typedef struct {
    jn_sim *sim;
    double x[3], gap;
    int mx, my, J;
} rod;

static bool never_ends_in_a_run(rod *r)
{
    static const int free_fall[] = {0, 0};
    static const bool given[] = {false, false};
    static const double none[] = {10, 0};
    jn_stopped stop;
    jn_instant_from from = {.lasting = free_fall,
                            .left = free_fall,
                            .x = r->x,
                            .integral = &r->gap,
                            .before = none,
                            .input = none,
                            .given = given};
    return jn_sim_instant(r->sim, &from, &stop) != JN_OK && stop.why == JN_STOP_LOOP;
}

/* On a dense grid of exact numbers, the line on which the tip does not fall and its neighbours
 * included, and on both sides of the ends of the region. */
static void rod_region_is_the_inequality(void)
{
    static const double vth = 0.01, hair = 0x1p-30;
    proof_rig r;
    rod of = {.gap = -0x1p-10};
    jn_sim_options o = {.idle = true};
    int loops = 0, still = 0, wrong = 0, all = 0;
    char *text = test_read_file("examples/rod_threshold.hbg");
    proof_read(&r, text);
    CU_ASSERT_EQUAL_FATAL(jn_sim_new(&of.sim, r.graph, &o, r.diags), JN_OK);
    of.mx = r.graph->element[jn_graph_find(r.graph, "mx")].number;
    of.my = r.graph->element[jn_graph_find(r.graph, "my")].number;
    of.J = r.graph->element[jn_graph_find(r.graph, "J")].number;
    for (int l = -2; l <= 2; l++)
        for (int i = -24; i <= 24; i++)
            for (int k = -24; k <= 24; k++)
                for (int side = -1; side <= 1; side++) {
                    of.x[of.J] = l * 0x1p-8;
                    of.x[of.mx] = i * 0x1p-10;
                    of.x[of.my] = k * 0x1p-10 + side * (l ? 0x1p-12 : hair);
                    bool hand = never_ends_by_hand(of.x[of.mx], of.x[of.my], of.x[of.J]);
                    wrong += hand != never_ends_in_a_run(&of);
                    loops += hand;
                    still += !l && !k && !side; /* Y = 0 */
                    all++;
                }
    CU_ASSERT_EQUAL(still, 49);
    CU_ASSERT_EQUAL(wrong, 0);
    CU_ASSERT(loops > 2000 && loops < all - 2000);
    of.x[of.J] = 0; /* Y = 0 itself: nothing happens; right above it: |X| < vth */
    for (int i = -3; i <= 3; i++)
        for (int up = 0; up <= 1; up++) {
            of.x[of.mx] = (i < 0 ? -1 : 1) * vth + (i % 2 ? i : 0) * 0x1p-20;
            of.x[of.my] = up * 0x1p-40;
            double slide = of.x[of.mx] - 0.6 * of.x[of.my];
            CU_ASSERT_EQUAL(never_ends_in_a_run(&of), up && fabs(slide) < vth);
        }
    jn_sim_free(of.sim);
    proof_clear(&r);
    free(text);
}

static void second_repair_does_not_hold(void)
{
    CU_ASSERT_EQUAL(settling_of("rod_repaired", NULL), JN_REFUTED);
    CU_ASSERT_EQUAL(settling_of("rod_repaired", "vth=0"), JN_PROVED);
}

void suite_verify_rod(void)
{
    TEST_SUITE("verify_rod");
    TEST_ADD(rod_region_is_the_inequality);
    TEST_ADD(a_threshold_of_the_rod_is_refuted);
    TEST_ADD(second_repair_does_not_hold);
}
