/* test_analyse.c: modes whose properties were derived by hand.
 *
 * The converter, x = (p_L1, p_L2, p_L3). The rotor L2 and the coil L1 exchange energy through the
 * gyrator a; R1 damps L1, R2 damps L3.
 *
 * 100, 010: the clutch is open, so L3 is on its own with R2, and L1, L2 form a loop:
 *     det = (s² + R1/L1 s + a²/(L1 L2)) (s + R2/L3).
 *   Neither source reaches L3: rank 2 of 3, although R2 makes it stable.
 * 101, 011: the clutch makes L2 and L3 turn together, p_L3/L3 = p_L2/L2; their momenta add:
 *     (1 + L3/L2) ṗ_L2 = a/L1 p_L1 − R2/L2 p_L2,
 *     det = s² + (R1/L1 + R2/(L2 + L3)) s + (a² + R1 R2)/(L1 (L2 + L3)).
 *   It is driven through L1. The algebraic row holds no source: not completely controllable.
 * 000: the coil is cut off, p_L1 = 0. L2 keeps its momentum for ever: det = s (s + R2/L3).
 * 001: L2 and L3 together slow down by R2: det = s + R2/(L2 + L3).
 *   In both no source is connected: nothing is controllable. */
#include <flint/fmpq_poly.h>

#include "analysed.h"

static void check_converter(analysed *x, const char *mode, int order, int index,
                            const char *charpoly, jn_answer stable, int rank, bool structural)
{
    const jn_mode_analysis *m = analysed_mode(x, mode);
    CU_ASSERT_EQUAL_FATAL(m->equation.status, JN_MODE_OK);
    CU_ASSERT_FATAL(m->generic.regular && m->valued.regular);
    CU_ASSERT_EQUAL(m->generic.order, order);
    CU_ASSERT_EQUAL(m->generic.index, index);
    CU_ASSERT_EQUAL(m->valued.order, order);
    CU_ASSERT_EQUAL(m->valued.index, index);
    TEST_TEXT(charpoly, text_of_poly(x, &m->generic.charpoly));
    CU_ASSERT_EQUAL(m->stable, stable);
    CU_ASSERT_EQUAL(m->generic.control.rank, rank);
    CU_ASSERT_EQUAL(m->generic.control.exact, rank == order ? JN_YES : JN_NO);
    CU_ASSERT_EQUAL(m->valued.control.rank, rank);
    CU_ASSERT(m->generic.control.certified);
    CU_ASSERT_EQUAL(m->control.holds, structural ? JN_YES : JN_NO);
    CU_ASSERT_PTR_NULL(jn_reachability_differs(m, true));
    CU_ASSERT_EQUAL(m->generic.nblocks, 3 - order);
}

static void converter_has_its_known_orders(void)
{
    static const char loop[] = "R2*a^2/(L1*L2*L3); (L2*R1*R2 + L3*a^2)/(L1*L2*L3); "
                               "(L1*R2 + L3*R1)/(L1*L3); 1";
    static const char joined[] = "(R1*R2 + a^2)/(L1*(L2 + L3)); "
                                 "(L1*R2 + L2*R1 + L3*R1)/(L1*(L2 + L3)); 1";
    analysed x;
    analysed_init(&x, "examples/chopper.hbg", false);
    check_converter(&x, "100", 3, 0, loop, JN_YES, 2, false);
    TEST_TEXT("L3: 1", text_of_combination(&x, &x.mode.generic.control.combination[0]));
    check_converter(&x, "010", 3, 0, loop, JN_YES, 2, false);
    check_converter(&x, "101", 2, 1, joined, JN_YES, 2, true);
    CU_ASSERT_EQUAL(x.mode.generic.control.complete, JN_NO);
    check_converter(&x, "011", 2, 1, joined, JN_YES, 2, true);
    check_converter(&x, "000", 2, 1, "0; R2/L3; 1", JN_NO, 0, false);
    CU_ASSERT_EQUAL(x.mode.halves.left, 1);
    CU_ASSERT_EQUAL(x.mode.halves.axis, 1);
    CU_ASSERT(x.mode.pole[1].re == 0 && x.mode.pole[1].im == 0);
    check_converter(&x, "001", 1, 1, "R2/(L2 + L3); 1", JN_YES, 0, false);
    CU_ASSERT_EQUAL(analysed_mode(&x, "110")->equation.status, JN_MODE_FORBIDDEN);
    analysed_clear(&x);
}

static void dependent_storages_are_told(void)
{
    analysed x;
    jn_combination c;
    analysed_init(&x, "examples/chopper.hbg", false);
    const jn_mode_analysis *m = analysed_mode(&x, "001");
    CU_ASSERT_FALSE(jn_mode_dependence(&c, m, x.analysis, 1));
    CU_ASSERT_FATAL(jn_mode_dependence(&c, m, x.analysis, 2));
    TEST_TEXT("L2: L3/L2", text_of_combination(&x, &c)); /* p_L3 = L3/L2·p_L2 */
    jn_combination_clear(&c);
    CU_ASSERT_FATAL(jn_mode_dependence(&c, m, x.analysis, 0));
    TEST_TEXT("", text_of_combination(&x, &c)); /* p_L1 = 0 */
    jn_combination_clear(&c);
    TEST_TEXT("-R2/(L2 + L3)", text_of_matrix(&x, &m->generic.J));
    analysed_clear(&x);

    /* A source imposes the charge; the current is the charge's derivative. */
    analysed_init(&x, "tests/models/analyse_zero.hbg", false);
    m = analysed_mode(&x, "1");
    CU_ASSERT_FATAL(jn_mode_dependence(&c, m, x.analysis, 0));
    TEST_TEXT("V: C1", text_of_combination(&x, &c));
    jn_combination_clear(&c);
    TEST_TEXT("1; 0", text_of_matrix(&x, &m->generic.D[0]));
    TEST_TEXT("0; C1", text_of_matrix(&x, &m->generic.D[1]));
    TEST_TEXT("C1*s", text_of_value(&x, m->generic.transfer[1]));
    analysed_clear(&x);
}

/* ---- outputs ------------------------------------------------------------------------------- */

/* From 101 above: G from V to f(L1) is p_L1/L1 with p_L2 eliminated,
 * (s + R2/(L2 + L3))/L1 over det; at s = 0 it is R2/(a² + R1 R2). Its zero is −R2/(L2 + L3), at the
 * values −0.1/0.12 = −5/6. */
static void transfer_functions_are_right(void)
{
    analysed x;
    analysed_init(&x, "examples/chopper.hbg", false);
    const jn_mode_analysis *m = analysed_mode(&x, "101");
    CU_ASSERT_FATAL(m->generic.transfer_known && m->valued.transfer_known);
    TEST_TEXT("(L2*s + L3*s + R2)/(L1*L2*s^2 + L1*L3*s^2 + L1*R2*s + L2*R1*s + L3*R1*s + R1*R2 + "
              "a^2)",
              text_of_value(&x, m->generic.transfer[0]));
    TEST_TEXT("R2/(R1*R2 + a^2)", text_of_value(&x, m->generic.gain[0]));
    TEST_TEXT("0", text_of_value(&x, m->generic.transfer[1])); /* G is not connected */
    TEST_TEXT("1/L1  0; 0  1/L2; 0  R2/L2", text_of_matrix(&x, &m->generic.C));
    CU_ASSERT_EQUAL_FATAL(m->nzeros[0], 1);
    CU_ASSERT_DOUBLE_EQUAL(m->zero[0][0].re, -5.0 / 6, 1e-15);
    CU_ASSERT_EQUAL(m->generic.observe.exact, JN_YES);
    CU_ASSERT_EQUAL(m->observe.holds, JN_YES);
    /* 000: i sees nothing, speed sees L2, torque L3; a pole at zero, but no input: gain 0. */
    m = analysed_mode(&x, "000");
    CU_ASSERT_EQUAL(m->generic.observe.rank, 2);
    TEST_TEXT("0", text_of_value(&x, m->generic.gain[2]));
    analysed_clear(&x);
}

/* With p_L = L·s·q: L s² q = (k − 1)·q/c − (r + 2)·s·q + V + u°, and v = k·q/c − 2·s·q + u°. In the
 * second model 2·q̇ = −q/c + V, in the third e(u) = 3·e(u); in the last q̇ = 3q − q. */
static void feedback_is_included(void)
{
    analysed x;
    analysed_init(&x, "tests/models/analyse_feedback.hbg", false);
    const jn_mode_analysis *m = analysed_mode(&x, "1");
    TEST_TEXT("(1 - k)/(c*L); (r + 2)/L; 1", text_of_poly(&x, &m->generic.charpoly));
    TEST_TEXT("(k - 2*c*s)/(c*L*s^2 + r*c*s + 2*c*s - k + 1)",
              text_of_value(&x, m->generic.transfer[0]));
    TEST_TEXT("(c*L*s^2 + r*c*s + 1)/(c*L*s^2 + r*c*s + 2*c*s - k + 1)",
              text_of_value(&x, m->generic.transfer[1]));
    CU_ASSERT_EQUAL(m->generic.control.exact, JN_YES);
    CU_ASSERT_EQUAL(m->control.holds, JN_UNKNOWN);
    CU_ASSERT_EQUAL(jn_source_role(x.graph, 0), JN_ROLE_INPUT);
    CU_ASSERT_EQUAL(jn_source_role(x.graph, 1), JN_ROLE_BOTH);
    CU_ASSERT_EQUAL(jn_source_role(x.graph, 2), JN_ROLE_UNFOLLOWED);
    jn_analyse_feedback(x.graph, x.diags);
    jn_str_reset(&x.text);
    jn_diags_render(&x.text, x.diags, false);
    CU_ASSERT(strstr(jn_str_c(&x.text), "'i' does not read the model linearly") != NULL);
    CU_ASSERT(strstr(jn_str_c(&x.text), "'u'") == NULL);
    analysed_clear(&x);

    analysed_init(&x, "tests/sim/cases/own_rate.hbg", false);
    m = analysed_mode(&x, "");
    CU_ASSERT_EQUAL(m->generic.order, 1);
    CU_ASSERT(x.implicit->binds);
    CU_ASSERT_FALSE(m->impulses.known);
    CU_ASSERT_EQUAL_FATAL(m->npoles, 1);
    CU_ASSERT_DOUBLE_EQUAL(m->pole[0].re, -0.5, 1e-15);
    analysed_clear(&x);

    analysed_init(&x, "tests/models/analyse_follow.hbg", false);
    m = analysed_mode(&x, "");
    TEST_TEXT("(L*s + r + 3)/(3*(L*s + r))", text_of_value(&x, m->generic.transfer[0]));
    analysed_clear(&x);

    analysed_init(&x, "tests/models/analyse_loop.hbg", false);
    m = analysed_mode(&x, "");
    CU_ASSERT_EQUAL(m->equation.status, JN_MODE_SINGULAR);
    TEST_TEXT("the feedback through u has no unique solution", m->equation.reason);
    analysed_clear(&x);

    analysed_init(&x, "tests/models/analyse_pole.hbg", false);
    m = analysed_mode(&x, "");
    CU_ASSERT_EQUAL_FATAL(m->npoles, 1);
    CU_ASSERT_DOUBLE_EQUAL(m->pole[0].re, 2, 1e-15);
    CU_ASSERT_DOUBLE_EQUAL(m->pole[0].im, 0, 0);
    CU_ASSERT_EQUAL(m->stable, JN_NO);
    analysed_clear(&x);
}

/* k/2·f(L) + e(c)/2; 2p − f(L); 2/3·(V − r f(L) − e(c)). The fourth is no sum. */
static void outputs_have_their_factors(void)
{
    analysed x;
    analysed_init(&x, "tests/models/analyse_outputs.hbg", false);
    CU_ASSERT_EQUAL(x.analysis->noutputs, 3);
    CU_ASSERT_EQUAL(x.analysis->nskipped, 1);
    const jn_mode_analysis *m = analysed_mode(&x, "");
    TEST_TEXT("k/(2*L)  1/(2*c); (2*L - 1)/L  0; -2*r/(3*L)  -2/(3*c)",
              text_of_matrix(&x, &m->generic.C));
    TEST_TEXT("0; 0; 2/3", text_of_matrix(&x, &m->generic.D[0]));
    TEST_TEXT("1  3/2; 3/2  0; -1/3  -2", text_of_matrix(&x, &m->valued.C));
    analysed_clear(&x);
}

/* With f(L) = 0 and e(C2) = 0 the charge of C1 can only leave through R2: q̇ = −q/(R2 C1), a zero at
 * −1/(R2 C1) = −2 of the system with both inputs and both outputs. It is none of the entries': f(L)
 * by V alone has two, at s = 0 and where C1 and C2 settle through R2. */
static void zeros_are_right(void)
{
    analysed x;
    analysed_init(&x, "tests/models/analyse_zeros.hbg", false);
    const jn_mode_analysis *m = analysed_mode(&x, "");
    CU_ASSERT_FATAL(m->generic.zeros_known && m->valued.zeros_known);
    CU_ASSERT_EQUAL(m->generic.rank, 2);
    TEST_TEXT("1/(C1*R2); 1", text_of_poly(&x, &m->generic.zeros));
    TEST_TEXT("2; 1", text_of_poly(&x, &m->valued.zeros));
    CU_ASSERT_EQUAL_FATAL(m->ninvariant, 1);
    CU_ASSERT(m->invariant[0].re == -2 && m->invariant[0].im == 0);
    CU_ASSERT_EQUAL(m->nzeros[0], 2);
    analysed_clear(&x);

    /* The zero of i at −R2/(L2 + L3) is none of speed, and so none of all three outputs. The input
     * G is not connected. */
    analysed_init(&x, "examples/chopper.hbg", false);
    m = analysed_mode(&x, "101");
    CU_ASSERT_FATAL(m->generic.zeros_known);
    CU_ASSERT_EQUAL(m->generic.rank, 1);
    CU_ASSERT_EQUAL(m->generic.zeros.degree, 0);
    analysed_clear(&x);

    /* i = C1 V̇: a zero at 0; v = V has none, both together neither. */
    analysed_init(&x, "tests/models/analyse_zero.hbg", false);
    m = analysed_mode(&x, "1");
    CU_ASSERT_EQUAL(m->generic.zeros.degree, 0);
    /* Open: V does nothing, and the charge that v shows is no zero. */
    m = analysed_mode(&x, "0");
    CU_ASSERT_EQUAL(m->generic.rank, 0);
    CU_ASSERT_EQUAL(m->generic.zeros.degree, 0);
    analysed_clear(&x);
}

/* How the flow divides between two parallel bonds is open: one output is left out, the others are
 * what they are without it. */
static void open_circuit_is_right(void)
{
    analysed x;
    analysed_init(&x, "tests/models/analyse_open.hbg", false);
    const jn_mode_analysis *m = analysed_mode(&x, "");
    CU_ASSERT_EQUAL_FATAL(m->noutputs, 3);
    CU_ASSERT_EQUAL_FATAL(m->nopen, 1);
    TEST_TEXT("half", x.graph->output[m->open[0]].name);
    TEST_TEXT("i", x.graph->output[m->output[0]].name);
    TEST_TEXT("v", x.graph->output[m->output[1]].name);
    TEST_TEXT("1/L  0; 0  1/C1; 1/L  0", text_of_matrix(&x, &m->generic.C));
    TEST_TEXT("C1*s/(L*C1*s^2 + R1*C1*s + 1)", text_of_value(&x, m->generic.transfer[0]));
    TEST_TEXT("1", text_of_value(&x, m->generic.gain[1]));
    CU_ASSERT_EQUAL(m->generic.observe.exact, JN_YES);
    analysed_clear(&x);
}

/* ---- values that cancel -------------------------------------------------------------------- */

/* q̇_k = −q_k/(R_k C_k) + V/R_k with equal time constants: R1 q1 − R2 q2 is autonomous. With
 * C1 = R1 = 1, C2 = 1/2, R2 = 2 that is q1 − 2 q2. */
static void common_factors_cancel(void)
{
    analysed x;
    analysed_init(&x, "tests/models/analyse_cancel.hbg", false);
    const jn_mode_analysis *m = analysed_mode(&x, "");
    CU_ASSERT_EQUAL(m->generic.control.exact, JN_YES);
    CU_ASSERT_EQUAL(m->valued.control.exact, JN_NO);
    CU_ASSERT_EQUAL(m->valued.control.rank, 1);
    CU_ASSERT_EQUAL_FATAL(m->valued.control.ncombinations, 1);
    CU_ASSERT_EQUAL_FATAL(m->valued.observe.ncombinations, 1);
    CU_ASSERT_EQUAL(m->control.holds, JN_YES);
    TEST_TEXT("C1: -1/2, C2: 1", text_of_combination(&x, &m->valued.control.combination[0]));
    CU_ASSERT_PTR_NOT_NULL(jn_reachability_differs(m, true));
    /* total = q1 + q2 and i do not see q1 = −q2. */
    CU_ASSERT_EQUAL(m->valued.observe.rank, 1);
    TEST_TEXT("C1: -1, C2: 1", text_of_combination(&x, &m->valued.observe.combination[0]));
    /* (s + 1)² in two invariant factors s + 1: J = −1. */
    CU_ASSERT_EQUAL_FATAL(m->smith.nfactors, 2);
    TEST_TEXT("1; 1", text_of_poly(&x, &m->smith.factor[0]));
    TEST_TEXT("1; 1", text_of_poly(&x, &m->smith.factor[1]));
    analysed_clear(&x);

    analysed_init(&x, "tests/models/analyse_shared.hbg", false);
    m = analysed_mode(&x, "");
    CU_ASSERT_EQUAL(m->generic.control.exact, JN_NO);
    CU_ASSERT(m->generic.control.certified);
    CU_ASSERT_EQUAL_FATAL(m->generic.control.ncombinations, 1);
    CU_ASSERT_EQUAL(m->control.holds, JN_YES);
    CU_ASSERT_FALSE(m->valued.known);
    CU_ASSERT_EQUAL(m->stable, JN_UNKNOWN);
    TEST_TEXT("C1: -1, C2: 1", text_of_combination(&x, &m->generic.control.combination[0]));
    CU_ASSERT_PTR_NOT_NULL(jn_reachability_differs(m, true));
    analysed_clear(&x);
}

/* I1 = m, I2 = −m on one shaft: 0 = ṗ1 + ṗ2 = V − R1 f, p1 = m f, p2 = −m f. det(sE − A) is a
 * constant, both eigenvalues are infinite and form one block. f = V/R1 follows V at once, and
 * p1 = m/R1 V; no derivative of V appears in f. */
static void index_is_right(void)
{
    analysed x;
    analysed_init(&x, "tests/models/analyse_index.hbg", false);
    const jn_mode_analysis *m = analysed_mode(&x, "");
    CU_ASSERT_FATAL(m->generic.regular);
    CU_ASSERT_EQUAL(m->generic.order, 0);
    CU_ASSERT_EQUAL(m->generic.index, 2);
    CU_ASSERT_EQUAL_FATAL(m->generic.nblocks, 1);
    CU_ASSERT_EQUAL(m->generic.block[0], 2);
    TEST_TEXT("m/R1; -m/R1", text_of_matrix(&x, &m->generic.U[0]));
    TEST_TEXT("1/R1", text_of_value(&x, m->generic.transfer[0]));
    analysed_clear(&x);
}

/* ---- jumps --------------------------------------------------------------------------------- */

/* The clutch of the method's checks: I = 2, 3 at 100, 20: both 52 after; 3840 lost. */
static void jump_is_right(void)
{
    analysed x;
    jn_field *k;
    analysed_init(&x, "examples/clutch.hbg", true);
    k = x.analysis->field;
    const jn_mode_analysis *m = analysed_mode(&x, "1");
    CU_ASSERT_FATAL(m->valued.regular && m->valued.loss_known && m->equation.n == 2);
    const long before[] = {200, 60}, after[] = {104, 156};
    jn_ratfun loss = JN_RATFUN_ZERO;
    for (int i = 0; i < 2; i++) {
        jn_ratfun sum = JN_RATFUN_ZERO;
        for (int j = 0; j < 2; j++) {
            jn_ratfun xj = jn_ratfun_int(k, before[j]);
            sum = jn_ratfun_add(k, sum, jn_ratfun_mul(k, jn_dense_get(&m->valued.jump, i, j), xj));
            loss = jn_ratfun_add(
                k, loss,
                jn_ratfun_mul(k, jn_ratfun_int(k, before[i]),
                              jn_ratfun_mul(k, jn_dense_get(&m->valued.loss, i, j), xj)));
        }
        CU_ASSERT(jn_ratfun_equal(sum, jn_ratfun_int(k, after[i])));
    }
    CU_ASSERT(jn_ratfun_equal(loss, jn_ratfun_int(k, 2 * 3840)));
    analysed_clear(&x);
}

/* The area on a bond, by its ends; "" where there is none. */
static const char *text_of_area(analysed *x, const char *tail, const char *head, bool effort)
{
    const jn_impulses *p = &x->mode.impulses;
    for (int i = 0; i < p->n; i++) {
        const jn_bond *b = &x->graph->bond[p->impulse[i].bond];
        if (p->impulse[i].effort == effort && strcmp(x->graph->element[b->tail].name, tail) == 0 &&
            strcmp(x->graph->element[b->head].name, head) == 0)
            return text_of_combination(x, &p->impulse[i].area);
    }
    return "";
}

/* Closing the clutch moves momentum from the rotor through the clutch to the load:
 * Δp_L3 = L3 (p_L2 + p_L3)/(L2 + L3) − p_L3. Nothing else feels it: the coil's bond has no impulse,
 * nor has any flow. Where both switches are open too, the coil's flow is cut off: −p_L1 on its bond
 * and on those that hold the voltage. */
static void impulses_are_right(void)
{
    analysed x;
    analysed_init(&x, "examples/chopper.hbg", false);
    const jn_mode_analysis *m = analysed_mode(&x, "101");
    CU_ASSERT(m->impulses.known);
    CU_ASSERT_EQUAL(m->impulses.n, 4);
    TEST_TEXT("L2: L3/(L2 + L3), L3: -L2/(L2 + L3)", text_of_area(&x, "load", "L3", true));
    TEST_TEXT("L2: L3/(L2 + L3), L3: -L2/(L2 + L3)", text_of_area(&x, "shaft", "clutch", true));
    TEST_TEXT("L2: -L3/(L2 + L3), L3: L2/(L2 + L3)", text_of_area(&x, "shaft", "L2", true));
    TEST_TEXT("", text_of_area(&x, "loop", "L1", true));
    m = analysed_mode(&x, "001");
    CU_ASSERT_EQUAL(m->impulses.n, 8);
    TEST_TEXT("L1: -1", text_of_area(&x, "loop", "L1", true));
    TEST_TEXT("L1: -1", text_of_area(&x, "s1", "n", true));
    TEST_TEXT("", text_of_area(&x, "V", "s1", true));
    CU_ASSERT(analysed_mode(&x, "100")->impulses.known);
    CU_ASSERT_EQUAL(x.mode.impulses.n, 0);
    analysed_clear(&x);

    /* The source loads the capacitor at once; its bond points to the switch. */
    analysed_init(&x, "tests/models/analyse_zero.hbg", false);
    analysed_mode(&x, "1");
    CU_ASSERT_EQUAL(x.mode.impulses.n, 3);
    TEST_TEXT("C1: -1, V: C1", text_of_area(&x, "V", "s", false));
    analysed_clear(&x);

    /* Index 2: no areas. */
    analysed_init(&x, "tests/models/analyse_index.hbg", false);
    CU_ASSERT_FALSE(analysed_mode(&x, "")->impulses.known);
    analysed_clear(&x);
}

static void passages_need_impulses_or_not(void)
{
    analysed x;
    jn_passage t;
    jn_onoff from[3], to[3];
    analysed_init(&x, "examples/chopper.hbg", false);
    analysed_parse(from, &x, "100");
    analysed_parse(to, &x, "010"); /* the coil's current goes on through the other switch */
    jn_analyse_passage(&t, x.analysis, from, to);
    CU_ASSERT(t.known && t.impulse_free);
    jn_passage_clear(&t);
    analysed_parse(to, &x, "000"); /* the coil is cut off */
    jn_analyse_passage(&t, x.analysis, from, to);
    CU_ASSERT_FATAL(t.known && !t.impulse_free && t.nconditions == 1);
    TEST_TEXT("L1: 1", text_of_combination(&x, &t.condition[0]));
    jn_passage_clear(&t);
    analysed_parse(to, &x, "101"); /* the clutch closes: equal speeds */
    jn_analyse_passage(&t, x.analysis, from, to);
    CU_ASSERT_FATAL(t.known && t.nconditions == 1);
    TEST_TEXT("L2: 1, L3: -L2/L3", text_of_combination(&x, &t.condition[0]));
    jn_passage_clear(&t);
    analysed_parse(to, &x, "110");
    jn_analyse_passage(&t, x.analysis, from, to);
    CU_ASSERT(!t.known && t.to == JN_MODE_FORBIDDEN);
    jn_passage_clear(&t);
    analysed_clear(&x);
}

/* Values that only the energy needs may be missing. */
static void passages_are_told_without_values(void)
{
    analysed x;
    jn_passage t;
    analysed_init(&x, "tests/models/analyse_valueless.hbg", true);
    jn_analyse_passage(&t, x.analysis, (jn_onoff[]){1, 0}, (jn_onoff[]){0, 1});
    CU_ASSERT(t.known && t.impulse_free);
    jn_passage_clear(&t);
    CU_ASSERT_FALSE(analysed_mode(&x, "10")->valued.loss_known);
    analysed_clear(&x);
}

/* Apart, p1 and p2 are free; meshed, p1 = m V/R1 = −p2 whatever they were. Without V all of
 * p1²/(2m) − p2²/(2m) is lost. */
static void meshes_are_analysed(void)
{
    analysed x;
    jn_passage t;
    jn_onoff from[1], to[1];
    analysed_init(&x, "tests/models/analyse_meshed.hbg", false);
    const jn_mode_analysis *m = analysed_mode(&x, "1");
    CU_ASSERT_EQUAL(m->generic.index, 2);
    CU_ASSERT_FATAL(m->generic.loss_known);
    TEST_TEXT("1/m  0; 0  -1/m", text_of_matrix(&x, &m->generic.loss));
    analysed_parse(from, &x, "0");
    analysed_parse(to, &x, "1");
    jn_analyse_passage(&t, x.analysis, from, to);
    CU_ASSERT_FATAL(t.known && t.steady && t.nconditions == 2);
    TEST_TEXT("I1: 1, V: -m/R1", text_of_combination(&x, &t.condition[0]));
    TEST_TEXT("I2: 1, V: m/R1", text_of_combination(&x, &t.condition[1]));
    jn_passage_clear(&t);
    jn_analyse_passage(&t, x.analysis, to, from);
    CU_ASSERT(t.known && t.impulse_free);
    jn_passage_clear(&t);
    analysed_clear(&x);
}

/* ---- polynomials --------------------------------------------------------------------------- */

static jn_poly poly_of(jn_field *k, const long *c, int degree)
{
    jn_poly p = {degree, jn_alloc((size_t)(degree + 1) * sizeof *p.c)};
    for (int i = 0; i <= degree; i++)
        p.c[i] = jn_ratfun_int(k, c[i]);
    return p;
}

/* Roots left of, on and right of the axis; degenerate rows of Routh's array among them. */
static void halves_are_right(void)
{
    static const struct {
        int degree;
        long c[8];
        int left, axis, right;
    } cases[] = {
        {0, {7}, 0, 0, 0},
        {1, {1, 1}, 1, 0, 0},
        {1, {-1, 1}, 0, 0, 1},
        {2, {1, 0, 1}, 0, 2, 0},                /* ±i */
        {2, {-1, 0, 1}, 1, 0, 1},               /* ±1 */
        {4, {1, 0, 2, 0, 1}, 0, 4, 0},          /* (s² + 1)² */
        {4, {1, 0, 0, 0, 1}, 2, 0, 2},          /* s⁴ + 1 */
        {3, {0, 0, 1, 1}, 1, 2, 0},             /* s² (s + 1) */
        {3, {-1, -1, 1, 1}, 2, 0, 1},           /* (s + 1)² (s − 1) */
        {5, {10, 11, 4, 2, 2, 1}, 3, 0, 2},     /* a textbook example of Routh's array */
        {4, {3, 2, 2, 1, 1}, 2, 0, 2},          /* a zero in the first column */
        {5, {-50, -25, 48, 24, 2, 1}, 2, 2, 1}, /* ±5i, ±1, −2: a row of zeros */
    };
    jn_field *k = jn_field_new();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        jn_poly p = poly_of(k, cases[i].c, cases[i].degree);
        jn_halves h = {0};
        CU_ASSERT(jn_poly_halves(&h, k, &p));
        CU_ASSERT_EQUAL(h.left, cases[i].left);
        CU_ASSERT_EQUAL(h.axis, cases[i].axis);
        CU_ASSERT_EQUAL(h.right, cases[i].right);
        free(p.c);
    }
    jn_field_free(k);
}

static jn_poly copy_poly(jn_field *k, const fmpq_poly_t q)
{
    int degree = (int)fmpq_poly_degree(q);
    jn_poly p = {degree, jn_alloc((size_t)(degree + 1) * sizeof *p.c)};
    fmpq_t c;
    fmpq_init(c);
    for (int i = 0; i <= degree; i++) {
        fmpq_poly_get_coeff_fmpq(c, q, i);
        p.c[i] = jn_ratfun_fmpq(k, c);
    }
    fmpq_clear(c);
    return p;
}

/* Multiplies by s − a, or by (s − a)² + b², and counts where the roots lie. */
static void multiply_by_roots(fmpq_poly_t q, jn_halves *h, test_rng *r)
{
    fmpq_poly_t factor;
    long a = test_rng_int(r, -9, 9), b = test_rng_int(r, 0, 9);
    int roots = b ? 2 : 1;
    fmpq_poly_init(factor);
    fmpq_poly_set_coeff_si(factor, roots, 1);
    fmpq_poly_set_coeff_si(factor, roots - 1, b ? -2 * a : -a);
    if (b)
        fmpq_poly_set_coeff_si(factor, 0, a * a + b * b);
    fmpq_poly_mul(q, q, factor);
    *(a < 0 ? &h->left : a > 0 ? &h->right : &h->axis) += roots;
    fmpq_poly_clear(factor);
}

/* Polynomials of known roots, of high degree too; opposite ones and those on the axis among them.
 */
static void halves_of_products_are_right(void)
{
    jn_field *k = jn_field_new();
    test_rng r = test_rng_new(77);
    for (int i = 0; i < 60; i++) {
        jn_halves known = {0}, h = {0};
        fmpq_poly_t q;
        fmpq_poly_init(q);
        fmpq_poly_set_si(q, 1 + i);
        for (int n = test_rng_int(&r, 1, 1 + i); n > 0; n--)
            multiply_by_roots(q, &known, &r);
        jn_poly p = copy_poly(k, q);
        CU_ASSERT(jn_poly_halves(&h, k, &p));
        CU_ASSERT(h.left == known.left && h.axis == known.axis && h.right == known.right);
        fmpq_poly_clear(q);
        free(p.c);
    }
    jn_field_free(k);
}

/* (s + 1)² (s² + 4) s: a double root, a pair on the axis and zero, each exactly. */
static void roots_are_enclosed(void)
{
    const long c[] = {0, 4, 8, 5, 2, 1};
    jn_field *k = jn_field_new();
    jn_poly p = poly_of(k, c, 5);
    jn_pole root[5];
    CU_ASSERT_EQUAL_FATAL(jn_poly_roots(root, k, &p), JN_OK);
    CU_ASSERT(root[0].re == -1 && root[0].im == 0 && root[1].re == -1 && root[1].im == 0);
    CU_ASSERT(root[2].re == 0 && root[2].im == 0);
    CU_ASSERT(root[3].re == 0 && root[3].im == 2 && root[4].im == -2);
    CU_ASSERT(root[3].damping == 0 && root[3].frequency == 2 && root[0].damping == 1);
    free(p.c);
    jn_field_free(k);
}

/* Factors that are no rational numbers are symbols; in numbers they are the nearest double. */
static void check_pi(bool numeric, const char *rpm, const char *mixed)
{
    analysed x;
    analysed_init(&x, "tests/models/analyse_pi.hbg", numeric);
    const jn_mode_analysis *m = analysed_mode(&x, "");
    const jn_dynamics *d = jn_mode_dynamics(m);
    CU_ASSERT_EQUAL(x.analysis->noutputs, 2);
    CU_ASSERT_EQUAL(x.analysis->nskipped, 1);
    TEST_TEXT(rpm, text_of_value(&x, d->transfer[0]));
    TEST_TEXT(mixed, text_of_value(&x, d->transfer[1]));
    CU_ASSERT_EQUAL(m->observe.holds, JN_YES);
    analysed_clear(&x);
}

static void constants_stay_as_written(void)
{
    check_pi(false, "30/(pi*(J*s + b))", "sqrt(3)*(1 - b*pi)/(J*s + b)");
    check_pi(true, "120/(pi*(2*s + 1))", "sqrt(3)*(4 - pi)/(2*s + 1)");
}

void suite_analyse(void)
{
    TEST_SUITE("analyse");
    TEST_ADD(converter_has_its_known_orders);
    TEST_ADD(dependent_storages_are_told);
    TEST_ADD(transfer_functions_are_right);
    TEST_ADD(feedback_is_included);
    TEST_ADD(outputs_have_their_factors);
    TEST_ADD(zeros_are_right);
    TEST_ADD(open_circuit_is_right);
    TEST_ADD(common_factors_cancel);
    TEST_ADD(index_is_right);
    TEST_ADD(jump_is_right);
    TEST_ADD(impulses_are_right);
    TEST_ADD(passages_need_impulses_or_not);
    TEST_ADD(passages_are_told_without_values);
    TEST_ADD(meshes_are_analysed);
    TEST_ADD(halves_are_right);
    TEST_ADD(halves_of_products_are_right);
    TEST_ADD(roots_are_enclosed);
    TEST_ADD(constants_stay_as_written);
}
