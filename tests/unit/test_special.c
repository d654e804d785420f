/* test_special.c: models whose values are special; the answers are derived by hand.
 *
 * gear, both clutches on, n = 1: w1 = w2 = w and (J1 + J2) ẇ = T − b w, hence det = s + 1/3, from
 *   T to w 1/(3s + 1); the torques of the clutches are not determined. For n ≠ 1: w = n w = 0.
 * source, x on, n = 1: e = A on both nodes, q̇ = (A − q/c)/r, det = s + 1. For n ≠ 1: A = 0.
 * ring, x on, n = 1: the efforts around the ring give r f + q/c = 0, q̇ = f: det = s + 12/35. For
 *   n ≠ 1: f = 0, det = s.
 * conflict, n = 1: J = 0, forbidden. For n ≠ 1 the mode is allowed. */
#include "analysed.h"

static void check_warning(const analysed *x, const char *message)
{
    CU_ASSERT_EQUAL_FATAL(jn_diags_count(x->diags), 1);
    const jn_diag *d = jn_diags_get(x->diags, 0);
    CU_ASSERT_EQUAL(d->code, JN_D_VALUE_SPECIAL);
    CU_ASSERT_EQUAL(d->severity, JN_WARNING);
    TEST_TEXT(message, d->message);
}

static void a_gear_may_fit(void)
{
    analysed x;
    analysed_init(&x, "tests/models/special_gear.hbg", false);
    check_warning(&x, "n - 1 is 0 with the values given: where c1 & c2, symbolic results hold for "
                      "other values");
    const jn_mode_analysis *m = analysed_mode(&x, "11");
    CU_ASSERT_EQUAL_FATAL(m->equation.status, JN_MODE_OK);
    CU_ASSERT_FATAL(m->generic.regular && m->valued.regular);
    CU_ASSERT_EQUAL(m->generic.order, 0);
    CU_ASSERT_EQUAL(m->valued.order, 1);
    TEST_TEXT("1", text_of_poly(&x, &m->generic.charpoly));
    TEST_TEXT("1/3; 1", text_of_poly(&x, &m->valued.charpoly));
    CU_ASSERT_EQUAL(m->stable, JN_YES);
    CU_ASSERT_EQUAL_FATAL(m->npoles, 1);
    CU_ASSERT(m->pole[0].re == -1.0 / 3 && m->pole[0].im == 0);
    CU_ASSERT_EQUAL_FATAL(m->noutputs, 2);
    CU_ASSERT_EQUAL_FATAL(m->nopen, 1);
    CU_ASSERT_EQUAL(m->open[0], 2);
    CU_ASSERT_FATAL(m->valued.transfer_known);
    TEST_TEXT("1/(3*s + 1)", text_of_value(&x, m->valued.transfer[0]));
    TEST_TEXT("1/(3*s + 1)", text_of_value(&x, m->valued.transfer[1]));
    m = analysed_mode(&x, "10"); /* here n plays no part */
    TEST_TEXT("b/(J1 + J2); 1", text_of_poly(&x, &m->generic.charpoly));
    TEST_TEXT("1/3; 1", text_of_poly(&x, &m->valued.charpoly));
    CU_ASSERT_EQUAL(m->nopen, 0);
    analysed_clear(&x);
}

static void a_source_may_fit(void)
{
    analysed x;
    analysed_init(&x, "tests/models/special_source.hbg", false);
    check_warning(&x, "n - 1 is 0 with the values given: where x, symbolic results hold for other "
                      "values");
    jn_onoff on = 1;
    CU_ASSERT(jn_junction_is_forbidden(x.junction, &on));
    const jn_mode_analysis *m = analysed_mode(&x, "1");
    CU_ASSERT_EQUAL(m->equation.status, JN_MODE_OK);
    CU_ASSERT(!m->generic.known);
    TEST_TEXT("1; 1", text_of_poly(&x, &m->valued.charpoly));
    analysed_clear(&x);
}

static void a_ring_may_fit(void)
{
    analysed x;
    jn_across *c;
    analysed_init(&x, "tests/models/special_ring.hbg", false);
    check_warning(&x, "n - 1 is 0 with the values given: where x, symbolic results hold for other "
                      "values");
    const jn_mode_analysis *m = analysed_mode(&x, "1");
    TEST_TEXT("0; 1", text_of_poly(&x, &m->generic.charpoly));
    TEST_TEXT("12/35; 1", text_of_poly(&x, &m->valued.charpoly));
    CU_ASSERT_EQUAL(m->stable, JN_YES);
    CU_ASSERT_EQUAL(analysed_mode(&x, "0")->stable, JN_NO);
    CU_ASSERT_EQUAL_FATAL(jn_analyse_across(&c, x.analysis), JN_OK);
    jn_onoff on = 1, off = 0;
    CU_ASSERT(!jn_guard_at(x.junction->ring.guards, c->unstable, &on));
    CU_ASSERT(!jn_guard_at(x.junction->ring.guards, c->stable, &on));
    CU_ASSERT(jn_guard_at(x.junction->ring.guards, c->unstable, &off));
    jn_across_free(c);
    analysed_clear(&x);
}

static void a_conflict_keeps_its_reason(void)
{
    analysed x;
    analysed_init(&x, "tests/models/special_conflict.hbg", false);
    check_warning(&x, "n - 1 is 0 with the values given: symbolic results hold for other values");
    const jn_mode_analysis *m = analysed_mode(&x, "");
    CU_ASSERT_EQUAL(m->equation.status, JN_MODE_OK);
    CU_ASSERT_EQUAL(m->status_at_values, JN_MODE_FORBIDDEN);
    CU_ASSERT(m->generic.regular);
    CU_ASSERT(!m->valued.known);
    CU_ASSERT_EQUAL(m->stable, JN_UNKNOWN);
    analysed_clear(&x);
}

/* No mode is allowed for other values; that is no error, for one is with these. */
static void allowed_modes_keep_their_values(void)
{
    analysed x;
    analysed_init(&x, "tests/models/special_allowed.hbg", false);
    check_warning(&x, "n - 1 is 0 with the values given: symbolic results hold for other values");
    CU_ASSERT(jn_guard_is_false(x.junction->allowed));
    TEST_TEXT("1; 1", text_of_poly(&x, &analysed_mode(&x, "")->valued.charpoly));
    analysed_clear(&x);
}

/* With numbers nothing is left to be special. */
static void numbers_are_put_in(void)
{
    analysed x;
    analysed_init(&x, "tests/models/special_ring.hbg", true);
    CU_ASSERT(jn_guard_is_false(x.implicit->special));
    TEST_TEXT("12/35; 1", text_of_poly(&x, &analysed_mode(&x, "1")->valued.charpoly));
    analysed_clear(&x);
}

/* ---- the question itself ------------------------------------------------------------------- */

/* (p0 − 2)(p0 + 3 p1)/p1 at p0 = 2, at p0 = −3 p1 and elsewhere. */
static void what_vanishes_is_known(void)
{
    static const char *const names[] = {"x", "y"};
    jn_field *k = jn_field_new();
    jn_ratfun x = jn_ratfun_param(k, 0), y = jn_ratfun_param(k, 1), a;
    jn_ratfun first = jn_ratfun_sub(k, x, jn_ratfun_int(k, 2));
    jn_ratfun second = jn_ratfun_add(k, x, jn_ratfun_mul(k, jn_ratfun_int(k, 3), y));
    CU_ASSERT_EQUAL_FATAL(jn_ratfun_div(&a, k, jn_ratfun_mul(k, first, second), y), JN_OK);
    static const struct {
        long x, y; /* 0: none */
        const char *factor;
    } cases[] = {{2, 0, "x - 2"}, {2, 5, "x - 2"}, {-3, 1, "x + 3*y"}, {3, 1, NULL}, {3, 0, NULL}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        jn_ratfun value[] = {jn_ratfun_int(k, cases[i].x), jn_ratfun_int(k, cases[i].y)};
        if (!cases[i].y)
            value[1].id = -1;
        CU_ASSERT_EQUAL(jn_ratfun_vanishes(k, a, value, 2), cases[i].factor != NULL);
        if (!cases[i].factor)
            continue;
        jn_str text;
        jn_str_init(&text);
        jn_ratfun_print(&text, k, jn_ratfun_vanishing_factor(k, a, value, 2), names,
                        JN_RATFUN_TEXT);
        TEST_TEXT(cases[i].factor, jn_str_c(&text));
        jn_str_clear(&text);
    }
    jn_field_free(k);
}

void suite_special(void)
{
    TEST_SUITE("special");
    TEST_ADD(a_gear_may_fit);
    TEST_ADD(a_source_may_fit);
    TEST_ADD(a_ring_may_fit);
    TEST_ADD(a_conflict_keeps_its_reason);
    TEST_ADD(allowed_modes_keep_their_values);
    TEST_ADD(numbers_are_put_in);
    TEST_ADD(what_vanishes_is_known);
}
