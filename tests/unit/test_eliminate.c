/* test_eliminate.c: guarded elimination, mode by mode against dense matrices over ℚ. Rows hold in some
 * modes only: what their entries are elsewhere must not matter. */
#include "testing.h"

#include <flint/fmpq_mat.h>

#include "junct/eliminate.h"

enum { SWITCHES = 4, MODES = 1 << SWITCHES, ROWS = 7, COLS = 6 };

typedef struct {
    jn_ring ring;
    test_rng rng;
    int value[MODES][ROWS][COLS]; /* 0 in a row that does not hold there */
} lab;

static void set_mode(jn_onoff *m, int mode)
{
    for (int s = 0; s < SWITCHES; s++)
        m[s] = mode >> s & 1;
}

/* A function of two or three switches. */
static jn_guard random_guard(lab *l)
{
    jn_guards *g = l->ring.guards;
    jn_guard a = jn_guard_switch(g, test_rng_int(&l->rng, 0, SWITCHES - 1));
    for (int i = test_rng_int(&l->rng, 0, 2); i > 0; i--) {
        jn_guard b = jn_guard_switch(g, test_rng_int(&l->rng, 0, SWITCHES - 1));
        if (test_rng_chance(&l->rng, 50))
            b = jn_guard_not(g, b);
        a = test_rng_chance(&l->rng, 50) ? jn_guard_and(g, a, b) : jn_guard_or(g, a, b);
    }
    return a;
}

static void random_value(jn_guarded *v, lab *l)
{
    jn_guarded more;
    jn_guarded_init(&more);
    jn_guarded_set_case(v, test_rng_chance(&l->rng, 40) ? jn_guard_true() : random_guard(l),
                        jn_ratfun_int(l->ring.field, test_rng_int(&l->rng, -2, 2)));
    if (test_rng_chance(&l->rng, 30)) {
        jn_guarded_set_case(&more, random_guard(l),
                            jn_ratfun_int(l->ring.field, test_rng_int(&l->rng, 1, 3)));
        jn_guarded_add(v, v, &more, l->ring);
    }
    jn_guarded_clear(&more);
}

/* Adds a row that holds where `where` does, and notes what it is in every mode. Some have one entry:
 * they say that a column is 0. */
static void add_row(lab *l, jn_elimination *e, int i)
{
    jn_guard where = test_rng_chance(&l->rng, 30) ? jn_guard_true() : random_guard(l);
    int only = test_rng_chance(&l->rng, 30) ? test_rng_int(&l->rng, 0, COLS - 1) : -1;
    jn_row row;
    jn_row_init(&row);
    for (int j = 0; j < COLS; j++) {
        jn_guarded v;
        jn_guarded_init(&v);
        if (j == only || (only < 0 && test_rng_chance(&l->rng, 50)))
            random_value(&v, l);
        for (int k = 0; k < MODES; k++) {
            jn_onoff m[SWITCHES];
            set_mode(m, k);
            double c = jn_ratfun_get_d(l->ring.field, jn_guarded_at(&v, m, l->ring));
            l->value[k][i][j] = jn_guard_at(l->ring.guards, where, m) ? (int)c : 0;
        }
        jn_row_add(&row, j, &v, l->ring);
        jn_guarded_clear(&v);
    }
    jn_elimination_add_where(e, &row, where);
}

/* The row that solves for a column in a mode, from whichever pivot holds there. */
static const jn_pivot *pivot_in(const jn_elimination *e, jn_ring ring, int col, const jn_onoff *m)
{
    const jn_pivot *found = NULL;
    for (int i = 0; i < jn_elimination_pivots(e); i++) {
        const jn_pivot *p = jn_elimination_pivot(e, i);
        if (p->col != col || !jn_guard_at(ring.guards, p->guard, m))
            continue;
        CU_ASSERT_PTR_NULL(found); /* their guards are disjoint */
        found = p;
    }
    return found;
}

static bool same_row(const fmpq_mat_t a, slong i, const jn_row *row, lab *l, const jn_onoff *m)
{
    bool same = true;
    fmpq_t c;
    fmpq_init(c);
    for (int j = 0; j < COLS; j++) {
        const jn_guarded *v = jn_row_get(row, j);
        jn_ratfun_get_fmpq(c, l->ring.field, v ? jn_guarded_at(v, m, l->ring) : JN_RATFUN_ZERO);
        same = same && fmpq_equal(c, fmpq_mat_entry(a, i, j));
    }
    fmpq_clear(c);
    return same;
}

/* All columns in their order, all pivots kept solved: in every mode the reduced echelon form. */
static void check_mode(lab *l, const jn_elimination *e, const jn_guard *got, int k)
{
    jn_onoff m[SWITCHES];
    fmpq_mat_t a;
    slong next = 0;
    set_mode(m, k);
    fmpq_mat_init(a, ROWS, COLS);
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLS; j++)
            fmpq_set_si(fmpq_mat_entry(a, i, j), l->value[k][i][j], 1);
    slong rank = fmpq_mat_rref(a, a);
    for (int j = 0; j < COLS; j++) {
        bool leads = next < rank && !fmpq_is_zero(fmpq_mat_entry(a, next, j));
        const jn_pivot *p = pivot_in(e, l->ring, j, m);
        CU_ASSERT_EQUAL(jn_guard_at(l->ring.guards, got[j], m), leads);
        CU_ASSERT_EQUAL(p != NULL, leads);
        if (!p || !leads)
            continue;
        jn_row row;
        jn_row_init(&row);
        jn_elimination_pivot_row(&row, e, p);
        CU_ASSERT(same_row(a, next++, &row, l, m));
        CU_ASSERT(same_row(a, next - 1, jn_elimination_row(e, p->row), l, m));
        jn_row_clear(&row);
    }
    fmpq_mat_clear(a);
}

/* One random system, eliminated with room for so many nodes of guards more than its rows have. */
static bool check_system(lab *l, int room)
{
    jn_guard got[COLS];
    l->ring = (jn_ring){.guards = jn_guards_new(SWITCHES, NULL), .field = jn_field_new()};
    jn_elimination *e = jn_elimination_new(l->ring, COLS);
    for (int i = 0; i < ROWS; i++)
        add_row(l, e, i);
    jn_guards_limit(l->ring.guards, (int)jn_guards_made(l->ring.guards) + room);
    for (int j = 0; j < COLS; j++)
        got[j] = jn_eliminate(e, j, jn_guard_true(), true);
    bool failed = jn_guards_failed(l->ring.guards);
    jn_guards_limit(l->ring.guards, 1000000); /* for what the check makes */
    for (int k = 0; k < MODES && !failed; k++)
        check_mode(l, e, got, k);
    jn_elimination_free(e);
    jn_guards_free(l->ring.guards);
    jn_field_free(l->ring.field);
    return !failed;
}

static void every_mode_has_its_reduced_echelon_form(void)
{
    lab l = {.rng = test_rng_new(11)};
    for (int trial = 0; trial < 300; trial++)
        CU_ASSERT(check_system(&l, 1000000));
}

/* Wherever the guards fail on the way, elimination ends, and reads nothing that is not there. */
static void guards_may_fail_anywhere(void)
{
    for (int trial = 0; trial < 60; trial++)
        for (int room = 0;; room++) {
            lab l = {.rng = test_rng_new(100 + trial)};
            if (check_system(&l, room))
                break;
            CU_ASSERT_FATAL(room < 10000);
        }
}

/* x = 0 where a, and where b: one pivot, that holds where either does. */
static void rows_of_one_entry_are_one(void)
{
    jn_ring ring = {.guards = jn_guards_new(2, NULL), .field = jn_field_new()};
    jn_elimination *e = jn_elimination_new(ring, 1);
    jn_guard a = jn_guard_switch(ring.guards, 0), b = jn_guard_switch(ring.guards, 1);
    for (int i = 0; i < 2; i++) {
        jn_row row;
        jn_guarded v;
        jn_row_init(&row);
        jn_guarded_init(&v);
        jn_guarded_set_case(&v, jn_guard_true(), jn_ratfun_int(ring.field, i + 2));
        jn_row_add(&row, 0, &v, ring);
        jn_elimination_add_where(e, &row, i ? b : a);
        jn_guarded_clear(&v);
    }
    CU_ASSERT(
        jn_guard_equal(jn_eliminate(e, 0, jn_guard_true(), true), jn_guard_or(ring.guards, a, b)));
    CU_ASSERT_EQUAL(jn_elimination_pivots(e), 1);
    jn_elimination_free(e);
    jn_guards_free(ring.guards);
    jn_field_free(ring.field);
}

void suite_eliminate(void)
{
    TEST_SUITE("eliminate");
    TEST_ADD(every_mode_has_its_reduced_echelon_form);
    TEST_ADD(guards_may_fail_anywhere);
    TEST_ADD(rows_of_one_entry_are_one);
}
