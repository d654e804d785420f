/* test_verify_logic.c: the solver that is stopped, and what it then tells. */
#include "testing.h"
#include "verify/logic.h"

/* x > 1 can hold, but the solver is stopped before anybody has read how: x = 0 must not be taken for it. */
static void what_was_lost_is_known_to_be(void)
{
    int lost = 0;
    for (int i = 0; i < 20; i++) {
        logic *l = jni_logic_new(0);
        CU_ASSERT_PTR_NOT_NULL_FATAL(l);
        fmpq_t one, is;
        fmpq_init(one);
        fmpq_init(is);
        fmpq_one(one);
        term x = jni_real(l);
        jni_assert(l, jni_less(l, jni_number(l, one), x));
        CU_ASSERT_EQUAL(jni_ask(l), LOGIC_YES);
        if (i % 2)
            jni_logic_interrupt(l);
        bool told = jni_hold(l);
        jni_told_number(is, l, x);
        CU_ASSERT(!told || fmpq_cmp(is, one) > 0);
        CU_ASSERT(told || i % 2);
        lost += !told;
        fmpq_clear(one);
        fmpq_clear(is);
        jni_logic_free(l);
    }
    CU_ASSERT_EQUAL(lost, 10);
}

/* y = (b ? 5 : 7) leaves no other value for y, also where equalities are solved beforehand. */
static void a_choice_stays_one_of_both(void)
{
    logic *l = jni_logic_new(0);
    CU_ASSERT_PTR_NOT_NULL_FATAL(l);
    fmpq_t c;
    fmpq_init(c);
    fmpq_set_si(c, 5, 1);
    term five = jni_number(l, c);
    fmpq_set_si(c, 7, 1);
    term seven = jni_number(l, c);
    term y = jni_real(l), chosen = jni_choose(l, jni_bool(l), five, seven);
    jni_assert_equal(l, y, chosen);
    CU_ASSERT_EQUAL(jni_ask(l), LOGIC_YES);
    jni_assert(l, jni_not(l, jni_or(l, jni_equal(l, y, five), jni_equal(l, y, seven))));
    CU_ASSERT_EQUAL(jni_ask(l), LOGIC_NO);
    fmpq_clear(c);
    jni_logic_free(l);
}

void suite_verify_logic(void)
{
    TEST_SUITE("verify_logic");
    TEST_ADD(a_choice_stays_one_of_both);
    TEST_ADD(what_was_lost_is_known_to_be);
}
