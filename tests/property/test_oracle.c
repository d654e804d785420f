/* test_oracle.c: the oracle itself, on a converter whose six allowed modes were worked out by hand:
 * two switched sources, an inductor and a motor, and a clutch. No library code is involved. */
#include "oracle.h"

enum { L1 = 2, L2 = 3, L3 = 5, R1 = 7, R2 = 11, RATIO = 13 };

static void give(model *m, int element, int value)
{
    model_symbol *s = &m->symbol[m->element[element].symbol];
    s->given = true;
    fmpq_set_si(s->value, value, 1);
    fmpq_set_si(s->generic, value, 1);
}

static void converter(model *m)
{
    int v = model_add_element(m, JN_SE, "V"), g = model_add_element(m, JN_SE, "G");
    int l1 = model_add_element(m, JN_I, "L1"), l2 = model_add_element(m, JN_I, "L2");
    int l3 = model_add_element(m, JN_I, "L3"), r1 = model_add_element(m, JN_R, "R1");
    int r2 = model_add_element(m, JN_R, "R2"), a = model_add_element(m, JN_GY, "a");
    int n = model_add_element(m, JN_0, "n"), loop = model_add_element(m, JN_1, "loop");
    int shaft = model_add_element(m, JN_1, "shaft"), load = model_add_element(m, JN_1, "load");
    int s1 = model_add_element(m, JN_X1, "s1"), s2 = model_add_element(m, JN_X1, "s2");
    int clutch = model_add_element(m, JN_X0, "clutch");
    const int bonds[][2] = {{v, s1},         {s1, n},        {n, loop},  {loop, l1}, {g, s2},
                            {s2, n},         {loop, r1},     {loop, a},  {a, shaft}, {shaft, l2},
                            {shaft, clutch}, {clutch, load}, {load, l3}, {load, r2}};
    for (size_t i = 0; i < sizeof bonds / sizeof *bonds; i++)
        model_add_bond(m, bonds[i][0], bonds[i][1]);
    give(m, l1, L1);
    give(m, l2, L2);
    give(m, l3, L3);
    give(m, r1, R1);
    give(m, r2, R2);
    give(m, a, RATIO);
}

/* expected: num/den pairs, row by row. */
static void same(const fmpq_mat_t got, const int (*expected)[2])
{
    for (slong i = 0; i < fmpq_mat_nrows(got); i++)
        for (slong j = 0; j < fmpq_mat_ncols(got); j++) {
            const int *x = expected[i * fmpq_mat_ncols(got) + j];
            fmpq_t v;
            fmpq_init(v);
            fmpq_set_si(v, x[0], (ulong)x[1]);
            CU_ASSERT(fmpq_equal(v, fmpq_mat_entry(got, i, j)));
            fmpq_clear(v);
        }
}

#define O                                                                                          \
    {                                                                                              \
        0, 1                                                                                       \
    }
#define ONE                                                                                        \
    {                                                                                              \
        1, 1                                                                                       \
    }

static const struct {
    jn_onoff mode[3];
    int E[9][2], A[9][2], B[6][2];
} table[] = {
    {{1, 0, 0},
     {ONE, O, O, O, ONE, O, O, O, ONE},
     {{-R1, L1}, {-RATIO, L2}, O, {RATIO, L1}, O, O, O, O, {-R2, L3}},
     {ONE, O, O, O, O, O}},
    {{0, 1, 0},
     {ONE, O, O, O, ONE, O, O, O, ONE},
     {{-R1, L1}, {-RATIO, L2}, O, {RATIO, L1}, O, O, O, O, {-R2, L3}},
     {O, ONE, O, O, O, O}},
    {{1, 0, 1},
     {ONE, O, O, O, ONE, ONE, O, O, O},
     {{-R1, L1}, {-RATIO, L2}, O, {RATIO, L1}, {-R2, L2}, O, O, {1, L2}, {-1, L3}},
     {ONE, O, O, O, O, O}},
    {{0, 1, 1},
     {ONE, O, O, O, ONE, ONE, O, O, O},
     {{-R1, L1}, {-RATIO, L2}, O, {RATIO, L1}, {-R2, L2}, O, O, {1, L2}, {-1, L3}},
     {O, ONE, O, O, O, O}},
    {{0, 0, 0},
     {O, O, O, O, ONE, O, O, O, ONE},
     {{-1, L1}, O, O, O, O, O, O, O, {-R2, L3}},
     {O, O, O, O, O, O}},
    {{0, 0, 1},
     {O, O, O, O, ONE, ONE, O, O, O},
     {{-1, L1}, O, O, O, {-R2, L2}, O, O, {1, L2}, {-1, L3}},
     {O, O, O, O, O, O}},
};

static void allowed_modes_of_the_paper_are_found(void)
{
    model m;
    model_init(&m);
    converter(&m);
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        oracle o;
        fmpq_mat_t E, A, B;
        oracle_init(&o, &m, true, table[i].mode, NULL);
        CU_ASSERT_FALSE(o.forbidden);
        CU_ASSERT_EQUAL(oracle_integral(&o, &m), oracle_most_integral(&o, &m));
        CU_ASSERT(oracle_equations(E, A, B, &o, &m, true, table[i].mode));
        same(E, table[i].E);
        same(A, table[i].A);
        same(B, table[i].B);
        fmpq_mat_clear(E);
        fmpq_mat_clear(A);
        fmpq_mat_clear(B);
        oracle_clear(&o);
    }
    model_clear(&m);
}

/* With both transistors on, G = V: the second source loses. */
static void forbidden_modes_of_the_paper_are_found(void)
{
    model m;
    model_init(&m);
    converter(&m);
    for (jn_onoff clutch = 0; clutch < 2; clutch++) {
        const jn_onoff mode[3] = {1, 1, clutch};
        oracle o;
        oracle_init(&o, &m, true, mode, NULL);
        CU_ASSERT(o.forbidden);
        CU_ASSERT(oracle_as_wished(&o, &m, 0) && !oracle_as_wished(&o, &m, 1));
        for (int k = 0; k < o.nports; k++)
            CU_ASSERT(fmpq_equal_si(fmpq_mat_entry(o.S, 1, k), k == 0));
        oracle_clear(&o);
    }
    model_clear(&m);
}

void suite_oracle(void)
{
    TEST_SUITE("oracle");
    TEST_ADD(allowed_modes_of_the_paper_are_found);
    TEST_ADD(forbidden_modes_of_the_paper_are_found);
}
