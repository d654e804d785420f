/* test_ratfun.c: the field ℚ(params), computed two ways.
 *
 * Random expressions are built in the field and then evaluated at random rationals, and
 * evaluated directly, node by node, in plain fractions. */
#include "testing.h"

#include <junct/ratfun.h>
#include <math.h>

enum { NPARAMS = 6, LEAVES = 14, NODES = 2 * LEAVES - 1 };

static const char *const names[] = {"a", "b", "L1", "R1", "R2", "R_load"};

static jn_ratfun divide(jn_field *k, jn_ratfun a, jn_ratfun b)
{
    jn_ratfun r = {-1};
    CU_ASSERT_EQUAL(jn_ratfun_div(&r, k, a, b), JN_OK);
    return r;
}

static jn_ratfun power(jn_field *k, jn_ratfun a, long n)
{
    jn_ratfun r = {-1};
    CU_ASSERT_EQUAL(jn_ratfun_pow(&r, k, a, n), JN_OK);
    return r;
}

/* ---- reading an expression: the small evaluator behind the tests of printing --------------- */

typedef struct {
    const char *s;
    jn_field *k;
} reader;

static jn_ratfun read_sum(reader *in);

static void skip_blanks(reader *in)
{
    while (*in->s == ' ')
        in->s++;
}

static jn_ratfun read_atom(reader *in)
{
    skip_blanks(in);
    if (*in->s == '(') {
        in->s++;
        jn_ratfun r = read_sum(in);
        skip_blanks(in);
        CU_ASSERT_EQUAL_FATAL(*in->s, ')');
        in->s++;
        return r;
    }
    if (*in->s >= '0' && *in->s <= '9') {
        size_t len = strspn(in->s, "0123456789");
        fmpq_t c;
        fmpq_init(c);
        CU_ASSERT_EQUAL(jn_number_parse(c, in->s, len), JN_OK);
        in->s += len;
        jn_ratfun r = jn_ratfun_fmpq(in->k, c);
        fmpq_clear(c);
        return r;
    }
    size_t len = strcspn(in->s, " +-*/^()");
    for (int p = 0; p < NPARAMS; p++)
        if (strlen(names[p]) == len && strncmp(names[p], in->s, len) == 0) {
            in->s += len;
            return jn_ratfun_param(in->k, p);
        }
    printf("\nno such name: %s\n", in->s);
    CU_FAIL_FATAL("unknown name");
    return JN_RATFUN_ZERO;
}

static jn_ratfun read_power(reader *in)
{
    jn_ratfun r = read_atom(in);
    if (*in->s == '^') {
        char *end;
        r = power(in->k, r, strtol(in->s + 1, &end, 10));
        in->s = end;
    }
    return r;
}

static jn_ratfun read_product(reader *in)
{
    jn_ratfun r = read_power(in);
    while (*in->s == '*' || *in->s == '/') {
        char op = *in->s++;
        jn_ratfun b = read_power(in);
        r = op == '*' ? jn_ratfun_mul(in->k, r, b) : divide(in->k, r, b);
    }
    return r;
}

static jn_ratfun read_sum(reader *in)
{
    skip_blanks(in);
    bool negative = *in->s == '-';
    in->s += negative;
    jn_ratfun r = read_product(in);
    if (negative)
        r = jn_ratfun_neg(in->k, r);
    for (skip_blanks(in); *in->s == '+' || *in->s == '-'; skip_blanks(in)) {
        char op = *in->s++;
        jn_ratfun b = read_product(in);
        r = op == '+' ? jn_ratfun_add(in->k, r, b) : jn_ratfun_sub(in->k, r, b);
    }
    return r;
}

static jn_ratfun read_text(jn_field *k, const char *s)
{
    reader in = {s, k};
    jn_ratfun r = read_sum(&in);
    if (*in.s)
        printf("\nleft over: %s\n", in.s);
    CU_ASSERT_EQUAL(*in.s, 0);
    return r;
}

/* ---- random expressions -------------------------------------------------------------------- */

typedef enum { LEAF_CONST, LEAF_PARAM, ADD, SUB, MUL, DIV, NEG, POW } node_op;

typedef struct {
    node_op op;
    int a, b; /* earlier nodes; or the constant a/b, the parameter a, the exponent b */
} node;

/* A balanced tree: the leaves first, then every two nodes under one. Returns its size. */
static int random_expression(node *e, int leaves, test_rng *r)
{
    static const node_op ops[] = {ADD, ADD, ADD, ADD, SUB, SUB, SUB, MUL,
                                  MUL, MUL, DIV, DIV, DIV, NEG, POW};
    int n = 2 * leaves - 1;
    for (int i = 0; i < leaves; i++)
        e[i] = test_rng_chance(r, 15)
                   ? (node){LEAF_CONST, test_rng_int(r, -4, 4), test_rng_int(r, 1, 4)}
                   : (node){LEAF_PARAM, test_rng_int(r, 0, NPARAMS - 1), 0};
    for (int i = leaves; i < n; i++) {
        int a = 2 * (i - leaves);
        node_op op = ops[test_rng_int(r, 0, sizeof ops / sizeof ops[0] - 1)];
        e[i] = (node){op, a, op == POW ? test_rng_int(r, -2, 3) : a + 1};
    }
    return n;
}

/* The last node in the field, put[p] for the parameter p (or the parameter itself where put is
 * NULL). False when it divides by zero. */
static bool build(jn_ratfun *result, jn_field *k, const node *e, int n, const jn_ratfun *put)
{
    jn_ratfun v[NODES];
    for (int i = 0; i < n; i++) {
        jn_ratfun a = e[i].op > LEAF_PARAM ? v[e[i].a] : JN_RATFUN_ZERO;
        jn_ratfun b = e[i].op > LEAF_PARAM && e[i].op != POW ? v[e[i].b] : JN_RATFUN_ZERO;
        jn_status status = JN_OK;
        switch (e[i].op) {
        case LEAF_CONST:
            v[i] = divide(k, jn_ratfun_int(k, e[i].a), jn_ratfun_int(k, e[i].b));
            break;
        case LEAF_PARAM:
            v[i] = put ? put[e[i].a] : jn_ratfun_param(k, e[i].a);
            break;
        case ADD:
            v[i] = jn_ratfun_add(k, a, b);
            break;
        case SUB:
            v[i] = jn_ratfun_sub(k, a, b);
            break;
        case MUL:
            v[i] = jn_ratfun_mul(k, a, b);
            break;
        case DIV:
            status = jn_ratfun_div(&v[i], k, a, b);
            break;
        case NEG:
            v[i] = jn_ratfun_neg(k, a);
            break;
        case POW:
            status = jn_ratfun_pow(&v[i], k, a, e[i].b);
            break;
        }
        if (status != JN_OK) {
            CU_ASSERT_EQUAL(status, JN_INVALID);
            return false;
        }
    }
    *result = v[n - 1];
    return true;
}

/* The same in plain fractions, at the point x. */
static bool evaluate(fmpq_t result, const node *e, int n, fmpq *x)
{
    fmpq v[NODES];
    bool fine = true;
    for (int i = 0; i < n; i++)
        fmpq_init(v + i);
    for (int i = 0; i < n && fine; i++) {
        fmpq *a = v + (e[i].op > LEAF_PARAM ? e[i].a : 0);
        fmpq *b = v + (e[i].op > LEAF_PARAM && e[i].op != POW ? e[i].b : 0);
        bool divides = e[i].op == DIV || (e[i].op == POW && e[i].b < 0);
        fine = !divides || !fmpq_is_zero(e[i].op == DIV ? b : a);
        if (!fine)
            break;
        if (e[i].op == LEAF_CONST)
            fmpq_set_si(v + i, e[i].a, (ulong)e[i].b);
        else if (e[i].op == LEAF_PARAM)
            fmpq_set(v + i, x + e[i].a);
        else if (e[i].op == ADD)
            fmpq_add(v + i, a, b);
        else if (e[i].op == SUB)
            fmpq_sub(v + i, a, b);
        else if (e[i].op == MUL)
            fmpq_mul(v + i, a, b);
        else if (e[i].op == DIV)
            fmpq_div(v + i, a, b);
        else if (e[i].op == NEG)
            fmpq_neg(v + i, a);
        else
            fmpq_pow_si(v + i, a, e[i].b);
    }
    if (fine)
        fmpq_set(result, v + n - 1);
    for (int i = 0; i < n; i++)
        fmpq_clear(v + i);
    return fine;
}

static void random_point(fmpq *x, jn_ratfun *at, jn_field *k, test_rng *r)
{
    for (int p = 0; p < NPARAMS; p++) {
        fmpq_set_si(x + p, test_rng_int(r, -20, 20), (ulong)test_rng_int(r, 1, 9));
        at[p] = jn_ratfun_fmpq(k, x + p);
    }
}

static void show(const char *what, jn_field *k, jn_ratfun f)
{
    jn_str s;
    jn_str_init(&s);
    jn_ratfun_print(&s, k, f, names, JN_RATFUN_TEXT);
    printf("\nseed %llu: %s: %s\n", (unsigned long long)test_seed(), what, jn_str_c(&s));
    jn_str_clear(&s);
}

static void operations_agree_with_numbers(void)
{
    test_rng r = test_rng_new(21);
    jn_field *k = jn_field_new();
    node e[NODES];
    fmpq x[NPARAMS];
    jn_ratfun at[NPARAMS], f, got = {-1};
    fmpq_t direct, c;
    int compared = 0, large = 0;
    fmpq_init(direct);
    fmpq_init(c);
    for (int p = 0; p < NPARAMS; p++)
        fmpq_init(x + p);
    for (int i = 0; i < 1000; i++) {
        int n = random_expression(e, test_rng_int(&r, 3, LEAVES), &r);
        random_point(x, at, k, &r);
        if (!build(&f, k, e, n, NULL)) {
            CU_ASSERT_FALSE(evaluate(direct, e, n, x)); /* zero everywhere is zero here */
            continue;
        }
        if (!evaluate(direct, e, n, x))
            continue; /* the reduced fraction may still have a value */
        bool same = jn_ratfun_put(&got, k, f, at, NPARAMS) == JN_OK &&
                    jn_ratfun_get_fmpq(c, k, got) && fmpq_equal(c, direct);
        if (!same)
            show("put", k, f);
        CU_ASSERT(same);
        compared++;
        large += jn_ratfun_terms(k, f) > 8;
    }
    CU_ASSERT(compared > 700 && large > 100);
    CU_ASSERT_FALSE(jn_field_failed(k));
    for (int p = 0; p < NPARAMS; p++)
        fmpq_clear(x + p);
    fmpq_clear(c);
    fmpq_clear(direct);
    jn_field_free(k);
}

/* Putting functions in afterwards, or building with them from the start: the same number. */
static void functions_may_be_put_in(void)
{
    test_rng r = test_rng_new(22);
    jn_field *k = jn_field_new();
    node e[NODES];
    jn_ratfun value[NPARAMS], whole[NPARAMS], f, got = {-1}, expected;
    int compared = 0, large = 0;
    for (int i = 0; i < 400; i++) {
        for (int p = 0; p < NPARAMS; p++) {
            int n = random_expression(e, 2, &r);
            bool stays = test_rng_chance(&r, 40) || !build(&value[p], k, e, n, NULL);
            whole[p] = stays ? jn_ratfun_param(k, p) : value[p];
            if (stays)
                value[p].id = -1;
        }
        int n = random_expression(e, test_rng_int(&r, 4, 10), &r);
        if (!build(&f, k, e, n, NULL) || !build(&expected, k, e, n, whole))
            continue;
        bool same =
            jn_ratfun_put(&got, k, f, value, NPARAMS) == JN_OK && jn_ratfun_equal(got, expected);
        if (!same)
            show("put functions", k, f);
        CU_ASSERT(same);
        compared++;
        large += jn_ratfun_terms(k, f) > 8;
    }
    CU_ASSERT(compared > 150 && large > 20);
    jn_field_free(k);
}

/* The axioms of a field, and the ways in which one value can be written. */
static void the_axioms_of_a_field_hold(void)
{
    test_rng r = test_rng_new(23);
    jn_field *k = jn_field_new();
    node e[NODES];
    jn_ratfun v[3], inverse = {-1};
    for (int i = 0; i < 400; i++) {
        for (int j = 0; j < 3; j++) {
            int n = random_expression(e, 3, &r);
            if (!build(&v[j], k, e, n, NULL))
                v[j] = JN_RATFUN_ONE;
        }
        jn_ratfun a = v[0], b = v[1], c = v[2];
        jn_ratfun ab = jn_ratfun_mul(k, a, b), ac = jn_ratfun_mul(k, a, c);
        jn_ratfun sum = jn_ratfun_add(k, b, c);
        CU_ASSERT(jn_ratfun_equal(jn_ratfun_add(k, c, b), sum));
        CU_ASSERT(jn_ratfun_equal(jn_ratfun_mul(k, a, sum), jn_ratfun_add(k, ab, ac)));
        CU_ASSERT(
            jn_ratfun_equal(jn_ratfun_add(k, jn_ratfun_add(k, a, b), c), jn_ratfun_add(k, a, sum)));
        CU_ASSERT(jn_ratfun_equal(jn_ratfun_mul(k, ab, c), jn_ratfun_mul(k, b, ac)));
        CU_ASSERT(jn_ratfun_is_zero(jn_ratfun_add(k, a, jn_ratfun_neg(k, a))));
        CU_ASSERT(jn_ratfun_equal(jn_ratfun_sub(k, sum, c), b));
        CU_ASSERT(jn_ratfun_equal(jn_ratfun_mul(k, jn_ratfun_int(k, -1), a), jn_ratfun_neg(k, a)));
        if (jn_ratfun_is_zero(a))
            continue;
        CU_ASSERT_EQUAL(jn_ratfun_inv(&inverse, k, a), JN_OK);
        CU_ASSERT(jn_ratfun_is_one(jn_ratfun_mul(k, a, inverse)));
        CU_ASSERT(jn_ratfun_equal(divide(k, ab, a), b));
        CU_ASSERT(jn_ratfun_equal(power(k, a, -3),
                                  jn_ratfun_mul(k, inverse, jn_ratfun_mul(k, inverse, inverse))));
    }
    jn_field_free(k);
}

static void same_value(jn_field *k, const char *a, const char *b)
{
    bool same = jn_ratfun_equal(read_text(k, a), read_text(k, b));
    if (!same)
        printf("\n%s and %s differ\n", a, b);
    CU_ASSERT(same);
}

static void equal_functions_are_one(void)
{
    jn_field *k = jn_field_new();
    same_value(k, "(a^2 - b^2)/(a - b)", "a + b");
    same_value(k, "(a - b)/(b - a)", "-1");
    same_value(k, "a/b + L1/R1", "(a*R1 + L1*b)/(b*R1)");
    same_value(k, "a/(0 - b)", "-(a/b)");
    same_value(k, "2*a/(4*b + 6*L1)", "a/(2*b + 3*L1)");
    same_value(k, "a/(1/2*b)", "2*a/b");
    same_value(k, "(a + b)/(0 - 3)", "-a/3 - b/3");
    same_value(k, "1/(1/R1 + 1/R2)", "R1*R2/(R1 + R2)");
    same_value(k, "a*b/b - a", "0");
    same_value(k, "(a + 1)*(R1 - L1)/((R1 - L1)*(1 + a))", "1");
    same_value(k, "1/(b - a)", "(0 - 1)/(a - b)");
    same_value(k, "(a + b)^3 - (b + a)*(a + b)*(a + b)", "0");
    jn_field_free(k);
}

/* ---- asking -------------------------------------------------------------------------------- */

static void questions_are_answered(void)
{
    jn_field *k = jn_field_new();
    const int *p;
    fmpq_t c;
    fmpq_init(c);
    CU_ASSERT(jn_ratfun_is_zero(jn_ratfun_int(k, 0)) && jn_ratfun_is_one(jn_ratfun_int(k, 1)));
    jn_ratfun f = read_text(k, "(a*R2 + a*R1*L1)/(a*(R2 + R_load))");
    CU_ASSERT_FALSE(jn_ratfun_is_const(k, f));
    CU_ASSERT_FALSE(jn_ratfun_get_fmpq(c, k, f));
    CU_ASSERT(isnan(jn_ratfun_get_d(k, f)));
    CU_ASSERT_EQUAL(jn_ratfun_terms(k, f), 4);
    CU_ASSERT_EQUAL_FATAL(jn_ratfun_params(&p, k, f), 4);
    CU_ASSERT(p[0] == 2 && p[1] == 3 && p[2] == 4 && p[3] == 5);
    for (int i = 0; i < 1000; i++) /* the list stays where it is */
        jn_ratfun_param(k, i);
    CU_ASSERT(p[0] == 2 && p[3] == 5);
    jn_ratfun third = read_text(k, "2*a/(0 - 6*a)");
    CU_ASSERT(jn_ratfun_is_const(k, third) && jn_ratfun_get_fmpq(c, k, third));
    CU_ASSERT(fmpz_equal_si(fmpq_numref(c), -1) && fmpz_equal_si(fmpq_denref(c), 3));
    CU_ASSERT_EQUAL(jn_ratfun_get_d(k, third), -1.0 / 3);
    CU_ASSERT_EQUAL(jn_ratfun_params(&p, k, third), 0);
    fmpq_clear(c);
    jn_field_free(k);
}

static void division_by_zero_fails(void)
{
    jn_field *k = jn_field_new();
    jn_ratfun a = jn_ratfun_param(k, 0), r = {42};
    CU_ASSERT_EQUAL(jn_ratfun_inv(&r, k, JN_RATFUN_ZERO), JN_INVALID);
    CU_ASSERT_EQUAL(jn_ratfun_div(&r, k, a, JN_RATFUN_ZERO), JN_INVALID);
    CU_ASSERT_EQUAL(jn_ratfun_div(&r, k, JN_RATFUN_ZERO, jn_ratfun_sub(k, a, a)), JN_INVALID);
    CU_ASSERT_EQUAL(jn_ratfun_pow(&r, k, JN_RATFUN_ZERO, -1), JN_INVALID);
    /* 1/(a - b) with b for a; and with numbers. */
    jn_ratfun f = read_text(k, "1/(a - b)");
    jn_ratfun put[2] = {jn_ratfun_param(k, 1), {-1}};
    CU_ASSERT_EQUAL(jn_ratfun_put(&r, k, f, put, 2), JN_INVALID);
    put[0] = put[1] = jn_ratfun_int(k, 3);
    CU_ASSERT_EQUAL(jn_ratfun_put(&r, k, f, put, 2), JN_INVALID);
    CU_ASSERT_EQUAL(r.id, 42);
    CU_ASSERT_EQUAL(jn_ratfun_pow(&r, k, JN_RATFUN_ZERO, 0), JN_OK);
    CU_ASSERT(jn_ratfun_is_one(r));
    /* Only parameters below n are replaced. */
    CU_ASSERT_EQUAL(jn_ratfun_put(&r, k, f, put, 1), JN_OK);
    CU_ASSERT(jn_ratfun_equal(r, read_text(k, "1/(3 - b)")));
    CU_ASSERT_FALSE(jn_field_failed(k));
    jn_field_free(k);
}

/* ---- limits -------------------------------------------------------------------------------- */

static void expect_failure(jn_field *k)
{
    jn_ratfun r = {42};
    CU_ASSERT(jn_field_failed(k));
    CU_ASSERT(jn_ratfun_is_zero(jn_ratfun_add(k, JN_RATFUN_ONE, JN_RATFUN_ONE)));
    CU_ASSERT(jn_ratfun_is_zero(jn_ratfun_neg(k, JN_RATFUN_ONE)));
    CU_ASSERT(jn_ratfun_is_zero(jn_ratfun_param(k, 3)));
    CU_ASSERT_EQUAL(jn_ratfun_inv(&r, k, JN_RATFUN_ZERO), JN_UNABLE);
    CU_ASSERT(jn_ratfun_is_zero(r));
    CU_ASSERT_EQUAL(jn_ratfun_put(&r, k, JN_RATFUN_ONE, NULL, 0), JN_UNABLE);
    jn_field_free(k);
}

static void limits_are_kept(void)
{
    jn_ratfun r;
    jn_field *k = jn_field_new();
    jn_field_limit(k, 7);
    CU_ASSERT_EQUAL(jn_ratfun_pow(&r, k, read_text(k, "a + b"), 5), JN_OK); /* 6 terms over 1 */
    CU_ASSERT_FALSE(jn_field_failed(k));
    CU_ASSERT_EQUAL(jn_ratfun_pow(&r, k, read_text(k, "a + b"), 6), JN_UNABLE);
    expect_failure(k);

    k = jn_field_new();
    CU_ASSERT_EQUAL(jn_ratfun_pow(&r, k, jn_ratfun_int(k, -1), 2000000001), JN_OK);
    CU_ASSERT(jn_ratfun_equal(r, jn_ratfun_int(k, -1)));
    CU_ASSERT_EQUAL(jn_ratfun_pow(&r, k, jn_ratfun_int(k, 2), -2000000000), JN_UNABLE);
    expect_failure(k);

    k = jn_field_new();
    CU_ASSERT_EQUAL(jn_ratfun_pow(&r, k, jn_ratfun_param(k, 0), 1000000000000), JN_UNABLE);
    expect_failure(k);

    k = jn_field_new(); /* a tower of squares */
    r = jn_ratfun_int(k, 3);
    for (int i = 0; i < 60; i++)
        r = jn_ratfun_mul(k, r, r);
    expect_failure(k);

    k = jn_field_new(); /* and with all sums of it, which has very many terms */
    r = jn_ratfun_int(k, 1);
    for (int p = 0; p < NPARAMS; p++)
        r = jn_ratfun_add(k, r, jn_ratfun_param(k, p));
    CU_ASSERT_EQUAL(jn_ratfun_pow(&r, k, r, 1000), JN_UNABLE);
    expect_failure(k);

    k = jn_field_new(); /* a^100000 is small; at 3/2^1000 it is not */
    CU_ASSERT_EQUAL(jn_ratfun_pow(&r, k, jn_ratfun_param(k, 0), 100000), JN_OK);
    jn_ratfun x = divide(k, jn_ratfun_int(k, 3), power(k, jn_ratfun_int(k, 2), 1000));
    CU_ASSERT_EQUAL(jn_ratfun_put(&r, k, r, &x, 1), JN_UNABLE);
    expect_failure(k);
}

/* Thousands of parameters cost what the few in each value cost. */
static void many_params_cost_only_those_used(void)
{
    enum { N = 3000 };
    jn_field *k = jn_field_new();
    jn_ratfun *f = malloc(N * sizeof *f);
    for (int i = 0; i < N; i++)
        f[i] = divide(k, jn_ratfun_param(k, 2 * i), jn_ratfun_param(k, 2 * i + 1));
    for (int i = 0; i + 1 < N; i++) {
        jn_ratfun g = jn_ratfun_add(k, f[i], f[i + 1]);
        CU_ASSERT(jn_ratfun_equal(jn_ratfun_sub(k, g, f[i]), f[i + 1]));
    }
    free(f);
    jn_field_free(k);
}

/* A long sum of ±1 and −3 that comes back to zero. */
static void small_numbers_are_exact(void)
{
    for (int i = 0; i < 1000; i++)
        jn_field_free(jn_field_new());
    jn_field *k = jn_field_new();
    jn_ratfun minus = jn_ratfun_int(k, -1), r = JN_RATFUN_ZERO;
    for (int i = 0; i < 1000000; i++) {
        r = jn_ratfun_add(k, r, jn_ratfun_mul(k, minus, minus));
        r = jn_ratfun_add(k, r, i % 4 == 3 ? jn_ratfun_int(k, -3) : JN_RATFUN_ZERO);
        r = i % 4 == 3 ? jn_ratfun_sub(k, r, JN_RATFUN_ONE) : r;
    }
    CU_ASSERT(jn_ratfun_is_zero(r));
    jn_field_free(k);
}

/* ---- printing ------------------------------------------------------------------------------ */

static void check_print(jn_field *k, const char *in, const char *text, const char *latex)
{
    jn_str s;
    jn_str_init(&s);
    jn_ratfun f = read_text(k, in);
    jn_ratfun_print(&s, k, f, names, JN_RATFUN_TEXT);
    TEST_TEXT(text, jn_str_c(&s));
    CU_ASSERT_EQUAL(jn_ratfun_is_negative(k, f), text[0] == '-');
    jn_str_reset(&s);
    jn_ratfun_print(&s, k, f, names, JN_RATFUN_OCTAVE);
    TEST_TEXT(text, jn_str_c(&s));
    jn_str_reset(&s);
    jn_ratfun_print(&s, k, f, names, JN_RATFUN_LATEX);
    TEST_TEXT(latex, jn_str_c(&s));
    jn_str_clear(&s);
}

static void known_functions_print_as_known(void)
{
    jn_field *k = jn_field_new();
    check_print(k, "0", "0", "0");
    check_print(k, "0 - 5", "-5", "-5");
    check_print(k, "3/2", "3/2", "\\frac{3}{2}");
    check_print(k, "0 - 3/2", "-3/2", "-\\frac{3}{2}");
    check_print(k, "a", "a", "a");
    check_print(k, "-R1/L1", "-R1/L1", "-\\frac{R_{1}}{L_{1}}");
    check_print(k, "1/L1", "1/L1", "\\frac{1}{L_{1}}");
    check_print(k, "1/(1/R1 + 1/R2)", "R1*R2/(R1 + R2)", "\\frac{R_{1} R_{2}}{R_{1} + R_{2}}");
    check_print(k, "a^2/(L1*R2) + R1/L1", "(a^2 + R1*R2)/(L1*R2)",
                "\\frac{a^{2} + R_{1} R_{2}}{L_{1} R_{2}}");
    check_print(k, "0 - R1/L1 - R2/L1", "-(R1 + R2)/L1", "-\\frac{R_{1} + R_{2}}{L_{1}}");
    check_print(k, "2/3*a + 2/3*b", "2*(a + b)/3", "\\frac{2 (a + b)}{3}");
    check_print(k, "3/2*a", "3*a/2", "\\frac{3 a}{2}");
    check_print(k, "a*R1/L1 + b*R1/L1", "R1*(a + b)/L1", "\\frac{R_{1} (a + b)}{L_{1}}");
    check_print(k, "0 - a - b", "-(a + b)", "-(a + b)");
    check_print(k, "1 - a", "1 - a", "1 - a");
    check_print(k, "b - a + b^2", "b^2 - a + b", "b^{2} - a + b");
    check_print(k, "(b - a)/2", "(b - a)/2", "\\frac{b - a}{2}");
    check_print(k, "(a + b)^2", "a^2 + 2*a*b + b^2", "a^{2} + 2 a b + b^{2}");
    check_print(k, "1/(2*a^2)", "1/(2*a^2)", "\\frac{1}{2 a^{2}}");
    check_print(k, "1/a^2", "1/a^2", "\\frac{1}{a^{2}}");
    check_print(k, "1/(a^2 + a)", "1/(a*(a + 1))", "\\frac{1}{a (a + 1)}");
    check_print(k, "(a + 1)/(a - b)", "(a + 1)/(a - b)", "\\frac{a + 1}{a - b}");
    check_print(k, "R_load*b", "b*R_load", "b R_{\\mathrm{load}}");
    jn_field_free(k);
}

static void check_factor(jn_field *k, const char *in, const char *text)
{
    jn_str s;
    jn_str_init(&s);
    jn_ratfun_print_factor(&s, k, read_text(k, in), names, JN_RATFUN_TEXT);
    TEST_TEXT(text, jn_str_c(&s));
    jn_str_clear(&s);
}

static void factors_are_printed(void)
{
    jn_field *k = jn_field_new();
    check_factor(k, "a + b", "(a + b)");
    check_factor(k, "0 - a - b", "-(a + b)");
    check_factor(k, "a*b", "a*b");
    check_factor(k, "(a + b)/R1", "(a + b)/R1");
    check_factor(k, "2*a + 2*b", "2*(a + b)");
    check_factor(k, "7/2", "7/2");
    jn_field_free(k);
}

/* What is printed reads back as the same value. */
static void what_is_printed_reads_back(void)
{
    test_rng r = test_rng_new(24);
    jn_field *k = jn_field_new();
    node e[NODES];
    jn_str s;
    jn_str_init(&s);
    for (int i = 0; i < 500; i++) {
        jn_ratfun f;
        int n = random_expression(e, test_rng_int(&r, 2, 7), &r);
        if (!build(&f, k, e, n, NULL))
            continue;
        jn_str_reset(&s);
        jn_ratfun_print(&s, k, f, names, JN_RATFUN_TEXT);
        bool same = jn_ratfun_equal(read_text(k, jn_str_c(&s)), f);
        if (!same)
            show("reads back differently", k, f);
        CU_ASSERT(same);
        CU_ASSERT_EQUAL(jn_ratfun_is_negative(k, f), jn_str_c(&s)[0] == '-');
    }
    jn_str_clear(&s);
    jn_field_free(k);
}

void suite_ratfun(void)
{
    TEST_SUITE("ratfun");
    TEST_ADD(operations_agree_with_numbers);
    TEST_ADD(functions_may_be_put_in);
    TEST_ADD(the_axioms_of_a_field_hold);
    TEST_ADD(equal_functions_are_one);
    TEST_ADD(questions_are_answered);
    TEST_ADD(division_by_zero_fails);
    TEST_ADD(limits_are_kept);
    TEST_ADD(many_params_cost_only_those_used);
    TEST_ADD(small_numbers_are_exact);
    TEST_ADD(known_functions_print_as_known);
    TEST_ADD(factors_are_printed);
    TEST_ADD(what_is_printed_reads_back);
}
