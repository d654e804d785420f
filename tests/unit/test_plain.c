/* test_plain.c: plain elimination, against dense matrices over ℚ. */
#include "testing.h"

#include <flint/fmpq_mat.h>

#include "junct/plain.h"

static jn_ratfun value_at(const jn_plain *p, int row, int col)
{
    for (int i = 0; i < jn_plain_entries(p, row); i++)
        if (jn_plain_entry(p, row, i).col == col)
            return jn_plain_entry(p, row, i).c;
    return JN_RATFUN_ZERO;
}

/* ---- random systems ------------------------------------------------------------------------ */

enum { ROWS = 14, COLS = 18 };

/* Sparse, but for one long row and one long column. */
static void fill(fmpq_mat_t m, jn_plain *p, jn_field *k, test_rng *r)
{
    for (int i = 0; i < ROWS; i++) {
        int row = jn_plain_row(p, false);
        for (int j = 0; j < COLS; j++) {
            int c = test_rng_chance(r, i == 3 || j == 5 ? 80 : 15) ? test_rng_int(r, -2, 2) : 0;
            fmpq_set_si(fmpq_mat_entry(m, i, j), c, 1);
            jn_plain_add(p, row, j, jn_ratfun_int(k, c));
        }
    }
}

static bool same_row(const fmpq_mat_t m, slong i, const jn_plain *p, int row, jn_field *k)
{
    bool same = true;
    fmpq_t c;
    fmpq_init(c);
    for (int j = 0; j < COLS; j++) {
        jn_ratfun_get_fmpq(c, k, value_at(p, row, j));
        same = same && fmpq_equal(c, fmpq_mat_entry(m, i, j));
    }
    fmpq_clear(c);
    return same;
}

/* Column by column with all pivots kept solved: the reduced echelon form. */
static void elimination_gives_the_reduced_echelon_form(void)
{
    jn_field *k = jn_field_new();
    test_rng r = test_rng_new(5);
    for (int i = 0; i < 200; i++) {
        fmpq_mat_t m;
        fmpq_mat_init(m, ROWS, COLS);
        jn_plain *from = jn_plain_new(k, COLS, NULL), *p = jn_plain_new(k, COLS, NULL);
        fill(m, from, k, &r);
        jn_plain_copy(p, from);
        slong rank = fmpq_mat_rref(m, m), found = 0;
        for (int j = 0; j < COLS; j++)
            found += jn_plain_solve(p, j, true);
        CU_ASSERT_EQUAL(found, rank);
        for (int n = 0; n < jn_plain_pivots(p); n++) {
            int row, col = jn_plain_pivot(p, n, &row);
            CU_ASSERT(fmpq_is_one(fmpq_mat_entry(m, n, col)) && same_row(m, n, p, row, k));
        }
        jn_plain_free(p);
        jn_plain_free(from);
        fmpq_mat_clear(m);
    }
    jn_field_free(k);
}

/* In any order the columns of a set leave as many free as the rank lacks, and those stand in no row
 * that is left; a passive row holds what follows of the others. */
static void columns_may_have_an_order_of_their_own(void)
{
    jn_field *k = jn_field_new();
    test_rng r = test_rng_new(6);
    for (int i = 0; i < 200; i++) {
        int cols[COLS], nfree = 0;
        bool solved[COLS];
        fmpq_mat_t m;
        fmpq_mat_init(m, ROWS, COLS);
        jn_plain *p = jn_plain_new(k, COLS, NULL);
        fill(m, p, k, &r);
        int passive = jn_plain_row(p, true);
        for (int j = 0; j < COLS; j++) {
            cols[j] = j;
            jn_plain_add(p, passive, j, JN_RATFUN_ONE);
        }
        jn_plain_solve_all(p, cols, COLS, false, solved);
        for (int j = 0; j < COLS; j++)
            nfree += !solved[j];
        CU_ASSERT_EQUAL(COLS - nfree, fmpq_mat_rref(m, m));
        for (int j = 0; j < COLS; j++)
            CU_ASSERT(!solved[j] || jn_ratfun_is_zero(value_at(p, passive, j)));
        jn_plain_free(p);
        fmpq_mat_clear(m);
    }
    jn_field_free(k);
}

/* ---- what vanishes ------------------------------------------------------------------------- */

/* x stands in a short row with n, which is 0, and in a long one with 1: the long one is its pivot.
 */
static void what_vanishes_comes_last(void)
{
    jn_field *k = jn_field_new();
    jn_ratfun zero = JN_RATFUN_ZERO, n = jn_ratfun_param(k, 0);
    jn_vanishing *v = jn_vanishing_new(k, &zero, 1);
    jn_plain *p = jn_plain_new(k, 6, v);
    const jn_ratfun *divisor;
    int row, shorter = jn_plain_row(p, false), longer = jn_plain_row(p, false);
    jn_plain_add(p, shorter, 0, n);
    jn_plain_add(p, shorter, 1, JN_RATFUN_ONE);
    for (int j = 0; j < 6; j++)
        jn_plain_add(p, longer, j, JN_RATFUN_ONE);
    CU_ASSERT(jn_plain_solve(p, 0, true));
    CU_ASSERT(jn_plain_pivot(p, 0, &row) == 0 && row == longer);
    CU_ASSERT_EQUAL(jn_plain_vanishing(&divisor, p), 0);
    CU_ASSERT(jn_ratfun_equal(value_at(p, shorter, 2), jn_ratfun_neg(k, n)));
    CU_ASSERT(jn_plain_solve(p, 2, true)); /* there is no other */
    CU_ASSERT_EQUAL(jn_plain_vanishing(&divisor, p), 1);
    jn_plain_free(p);
    jn_vanishing_free(v);
    jn_field_free(k);
}

/* n·x + y = 0 in whichever order they are asked for: y goes first, or x waits. */
static void elimination_can_be_stopped(void)
{
    jn_field *k = jn_field_new();
    jn_ratfun zero = JN_RATFUN_ZERO;
    jn_vanishing *v = jn_vanishing_new(k, &zero, 1);
    jn_plain *p = jn_plain_new(k, 2, v), *q = jn_plain_new(k, 2, v);
    const jn_ratfun *divisor;
    int both[] = {0, 1}, row = jn_plain_row(p, false);
    bool solved[2];
    jn_plain_add(p, row, 0, jn_ratfun_param(k, 0));
    jn_plain_add(p, row, 1, JN_RATFUN_ONE);
    jn_plain_copy(q, p);
    jn_plain_solve_all(q, both, 1, true, solved);
    CU_ASSERT(!solved[0] && jn_plain_pivots(q) == 0);
    jn_plain_solve_all(p, both, 2, false, solved);
    CU_ASSERT(!solved[0] && solved[1] && jn_plain_vanishing(&divisor, p) == 0);
    jn_plain_free(p);
    jn_plain_free(q);
    jn_vanishing_free(v);
    jn_field_free(k);
}

void suite_plain(void)
{
    TEST_SUITE("plain");
    TEST_ADD(elimination_gives_the_reduced_echelon_form);
    TEST_ADD(columns_may_have_an_order_of_their_own);
    TEST_ADD(what_vanishes_comes_last);
    TEST_ADD(elimination_can_be_stopped);
}
