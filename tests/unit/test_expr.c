/* test_expr.c: resolved expressions: what they are, what they are worth, how they are written. */
#include <flint/fmpq_vec.h>

#include "junct/graph.h"
#include "testing.h"

enum { NPARAMS = 3 };

/* A signal of a small model, with all there is to mention. */
typedef struct {
    jn_arena *arena;
    jn_diags *diags;
    jn_graph *g;
    const jn_expr *e;
} subject;

static subject read_when_or_value(const char *value, const char *when)
{
    subject x = {.arena = jn_arena_new(), .diags = jn_diags_new()};
    const char *text =
        jn_arena_printf(x.arena,
                        "param k0\nparam k1\nparam k2\nsignal s = %s\nsignal o = t\n"
                        "discrete d = k0/2\n"
                        "Se V = k0 + k1 + k2\nI L = 1\nC c = 1\nX1 x\n0 n\n1 j\nR r = 1\n"
                        "V -> x -> n -> c\nb1: n -> j\nj -> L\nr -> j\nswitch x on, off when %s\n",
                        value, when);
    const jn_source *source = jn_source_of(x.arena, "expr.hbg", text, strlen(text));
    jn_status status = jn_graph_read(&x.g, source, x.diags);
    CU_ASSERT_EQUAL(status, JN_OK);
    if (status) {
        jn_str said;
        jn_str_init(&said);
        jn_diags_render(&said, x.diags, false);
        printf("\n%s", jn_str_c(&said));
        jn_str_clear(&said);
    }
    CU_ASSERT_PTR_NOT_NULL_FATAL(x.g);
    return x;
}

static subject read_value(const char *text)
{
    subject x = read_when_or_value(text, "t > 1");
    x.e = x.g->signal[0].expr;
    return x;
}

static subject read_condition(const char *text)
{
    subject x = read_when_or_value("0", text);
    x.e = x.g->automaton[0].transition[0].when;
    return x;
}

static void forget(subject *x)
{
    jn_graph_free(x->g);
    jn_diags_free(x->diags);
    jn_arena_free(x->arena);
}

/* ---- conditions, and what varies ----------------------------------------------------------- */

static void conditions_are_told_from_values(void)
{
    static const char *const values[] = {"1", "k0", "t + 1", "if(t > 1, 2, 3)", "-e(L)"};
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        subject x = read_value(values[i]);
        CU_ASSERT_FALSE(jn_expr_is_condition(x.e));
        forget(&x);
    }
    static const char *const conditions[] = {"t > 1", "not t > 1", "1 < 2 and 2 <= 3",
                                             "1 = 2 or t >= 3"};
    for (size_t i = 0; i < sizeof conditions / sizeof conditions[0]; i++) {
        subject x = read_condition(conditions[i]);
        CU_ASSERT_TRUE(jn_expr_is_condition(x.e));
        forget(&x);
    }
}

static void what_varies_is_known(void)
{
    static const struct {
        const char *text;
        bool varies;
    } cases[] = {{"1 + 2*k0", false},
                 {"sqrt(2)*pi^k1", false},
                 {"if(k0 > 1, 2, 3)", false},
                 {"t", true},
                 {"2 + sin(3*o)", true},
                 {"e(L)", true},
                 {"f(b1)", true},
                 {"e(n)", true},
                 {"f(x)", true},
                 {"p(L)", true},
                 {"q(c)", true},
                 {"int(1)", true},
                 {"prior(1)", true},
                 {"d + 1", true},
                 {"if(in(x, on), 1, 2)", true},
                 {"mod(atan2(k0, k1), floor(tanh(atan(k2))))", false},
                 {"table(\"a\", \"b\", 1)", true},
                 {"max(1, 2, t)", true}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        subject x = read_value(cases[i].text);
        CU_ASSERT_EQUAL(jn_expr_varies(x.e), cases[i].varies);
        forget(&x);
    }
}

/* Which variable e(x) and f(x) are. */
static void variables_are_found(void)
{
    subject x = read_value("e(L) + f(r) + e(n) + f(j) + e(x) + f(x) + f(b1) + f(V)");
    static const struct {
        jn_expr_op op;
        const char *of;
    } leaves[] = {{JN_X_FLOW, "V"},          {JN_X_FLOW, "b1"},       {JN_X_COMMON_FLOW, "x"},
                  {JN_X_COMMON_EFFORT, "x"}, {JN_X_COMMON_FLOW, "j"}, {JN_X_COMMON_EFFORT, "n"},
                  {JN_X_FLOW, "r"},          {JN_X_EFFORT, "L"}};
    const jn_expr *e = x.e;
    for (size_t i = 0; i < sizeof leaves / sizeof leaves[0]; i++) {
        const jn_expr *leaf = e->op == JN_X_ADD ? e->arg[1] : e;
        /* r's bond leaves it: its flow is counted the other way. */
        CU_ASSERT_EQUAL(leaf->op == JN_X_NEG, strcmp(leaves[i].of, "r") == 0);
        if (leaf->op == JN_X_NEG)
            leaf = leaf->arg[0];
        int element = jn_graph_find(x.g, leaves[i].of);
        bool common = leaf->op == JN_X_COMMON_EFFORT || leaf->op == JN_X_COMMON_FLOW;
        int index = common         ? element
                    : element >= 0 ? x.g->element[element].bond[0]
                                   : jn_graph_find_bond(x.g, leaves[i].of);
        CU_ASSERT_EQUAL(leaf->op, leaves[i].op);
        CU_ASSERT_EQUAL(leaf->index, index);
        e = e->arg ? e->arg[0] : e;
    }
    forget(&x);
}

/* ---- exact values -------------------------------------------------------------------------- */

static void check_ratfun(const char *text, jn_status expected, const char *value)
{
    subject x = read_value(text);
    jn_ratfun r = JN_RATFUN_ZERO;
    jn_str got;
    jn_str_init(&got);
    jn_status status = jn_expr_ratfun(&r, x.g->field, x.e);
    CU_ASSERT_EQUAL(status, expected);
    if (status == JN_OK)
        jn_ratfun_print(&got, x.g->field, r, x.g->param_name, JN_RATFUN_TEXT);
    TEST_TEXT(value, jn_str_c(&got));
    jn_str_clear(&got);
    forget(&x);
}

static void expressions_become_fractions(void)
{
    check_ratfun("1/3 + 0.1", JN_OK, "13/30");
    check_ratfun("k0/(2*k1)", JN_OK, "k0/(2*k1)");
    check_ratfun("(k0^2 - k1^2)/(k0 - k1)", JN_OK, "k0 + k1");
    check_ratfun("2^-2", JN_OK, "1/4");
    check_ratfun("-k2^2", JN_OK, "-k2^2");
    check_ratfun("k0^(4/2)", JN_OK, "k0^2");
    check_ratfun("1/(k0 - k0)", JN_INVALID, "");
    check_ratfun("0^-1", JN_INVALID, "");
    check_ratfun("4^(1/2)", JN_UNABLE, "");
    check_ratfun("2^k0", JN_UNABLE, "");
    check_ratfun("sqrt(4)", JN_UNABLE, "");
    check_ratfun("1 + t", JN_UNABLE, "");
    check_ratfun("pi", JN_UNABLE, "");
    check_ratfun("10^(10^9)", JN_UNABLE, "");
}

/* The place that is at fault, not the whole. */
static void what_is_no_fraction_has_a_place(void)
{
    subject x = read_value("1 + 2*(3 + k0/(1 - 1))");
    jn_ratfun r;
    const jn_expr *where;
    CU_ASSERT_EQUAL(jn_expr_ratfun_at(&r, x.g->field, x.e, &where), JN_INVALID);
    CU_ASSERT_EQUAL(where->op, JN_X_DIV);
    forget(&x);
}

/* A random expression as text, and its value at a point; false: it divides by zero there. */
static bool random_expr(jn_str *out, fmpq_t value, const fmpq *point, test_rng *r, int depth)
{
    if (depth == 0 || test_rng_chance(r, 20)) {
        int p = test_rng_int(r, 0, NPARAMS - 1), c = test_rng_int(r, 0, 5);
        if (test_rng_chance(r, 50)) {
            jn_str_addf(out, "k%d", p);
            fmpq_set(value, point + p);
        } else {
            jn_str_addf(out, c ? "%d" : "(2 - 2)", c); /* a plain 0 may not divide */
            fmpq_set_si(value, c, 1);
        }
        return true;
    }
    fmpq_t y;
    fmpq_init(y);
    char op = "+-*/^"[test_rng_int(r, 0, 4)];
    int exponent = test_rng_int(r, -2, 3);
    jn_str_addc(out, '(');
    bool ok = random_expr(out, value, point, r, depth - 1);
    jn_str_addc(out, op);
    if (op == '^')
        jn_str_addf(out, "%d", exponent);
    else
        ok = random_expr(out, y, point, r, depth - 1) && ok;
    jn_str_addc(out, ')');
    if (op == '+')
        fmpq_add(value, value, y);
    else if (op == '-')
        fmpq_sub(value, value, y);
    else if (op == '*')
        fmpq_mul(value, value, y);
    else if (op == '/' && (ok = ok && !fmpq_is_zero(y)))
        fmpq_div(value, value, y);
    else if (op == '^' && (ok = ok && !(exponent < 0 && fmpq_is_zero(value))))
        fmpq_pow_si(value, value, exponent);
    fmpq_clear(y);
    return ok;
}

/* The value over the parameters, at a point, is the value computed there directly. */
static void random_expressions_become_fractions(void)
{
    test_rng rng = test_rng_new(72);
    int compared = 0;
    fmpq *point = _fmpq_vec_init(NPARAMS);
    fmpq_t direct, got;
    fmpq_init(direct);
    fmpq_init(got);
    jn_str text;
    jn_str_init(&text);
    for (int turn = 0; turn < 200; turn++) {
        for (int i = 0; i < NPARAMS; i++)
            fmpq_set_si(point + i, test_rng_int(&rng, -30, 30), (ulong)test_rng_int(&rng, 1, 12));
        jn_str_reset(&text);
        bool finite = random_expr(&text, direct, point, &rng, 4);
        subject x = read_value(jn_str_c(&text));
        jn_ratfun r, value[NPARAMS];
        for (int i = 0; i < NPARAMS; i++)
            value[i] = jn_ratfun_fmpq(x.g->field, point + i);
        jn_status status = jn_expr_ratfun(&r, x.g->field, x.e);
        CU_ASSERT_NOT_EQUAL(status, JN_UNABLE);
        if (finite) {
            CU_ASSERT_EQUAL(status, JN_OK);
            CU_ASSERT_EQUAL(jn_ratfun_put(&r, x.g->field, r, value, NPARAMS), JN_OK);
            CU_ASSERT(jn_ratfun_get_fmpq(got, x.g->field, r) && fmpq_equal(got, direct));
            compared++;
        }
        forget(&x);
    }
    CU_ASSERT(compared > 100);
    jn_str_clear(&text);
    fmpq_clear(direct);
    fmpq_clear(got);
    _fmpq_vec_clear(point, NPARAMS);
}

/* ---- printing ------------------------------------------------------------------------------ */

static void check_print(const char *text, const char *expected, bool condition)
{
    subject x = condition ? read_condition(text) : read_value(text);
    jn_str once, twice;
    jn_str_init(&once);
    jn_str_init(&twice);
    jn_expr_print(&once, x.g, x.e);
    TEST_TEXT(expected, jn_str_c(&once));
    /* What is printed reads the same. */
    subject y = condition ? read_condition(jn_str_c(&once)) : read_value(jn_str_c(&once));
    jn_expr_print(&twice, y.g, y.e);
    TEST_TEXT(expected, jn_str_c(&twice));
    forget(&x);
    forget(&y);
    jn_str_clear(&once);
    jn_str_clear(&twice);
}

static void values_print_as_written(void)
{
    check_print("1+2*3", "1 + 2*3", false);
    check_print("(1+2)*3 - (4 - 5)", "(1 + 2)*3 - (4 - 5)", false);
    check_print("1 - 2 - 3", "1 - 2 - 3", false);
    check_print("k0/(k1/k2)", "k0/(k1/k2)", false);
    check_print("(k0/k1)/k2", "k0/k1/k2", false);
    check_print("-k0^2", "-k0^2", false);
    check_print("(-k0)^2", "(-k0)^2", false);
    check_print("2^3^2", "2^3^2", false);
    check_print("(2^3)^2", "(2^3)^2", false);
    check_print("0.25*t", "0.25*t", false);
    check_print("t*0.25", "t*0.25", false);
    check_print("1/3.5 + 2200e-6*t - 100u", "1/3.5 + 2200e-6*t - 100u", false);
    check_print("-0.7^2 - 4.7uF", "-0.7^2 - 4.7uF", false);
    check_print("(24 V)/k0 + 3*24 V*k1", "24 V / k0 + 3*24 V * k1", false);
    check_print("(24 V)^2 - 1500 rpm*t", "24 V ^ 2 - 1500 rpm * t", false);
    check_print("min(1, 2, t)", "min(min(1, 2), t)", false);
    check_print("int(t)", "int(t, 0)", false);
    check_print("if(t > 1, e(b1), f(L))", "if(t > 1, e(b1), f(L))", false);
    check_print("e(n) + f(x) + p(L)*q(c) - o", "e(n) + f(x) + p(L)*q(c) - o", false);
    check_print("f(r)^2 - e(r)", "f(r)^2 - e(r)", false);
    check_print("prior(e(V)) + pi", "prior(e(V)) + pi", false);
    check_print("mod(atan2(k0, 1 - t), floor(tanh(atan(d))))",
                "mod(atan2(k0, 1 - t), floor(tanh(atan(d))))", false);
    check_print("if(in(x, off), d, -d)", "if(in(x, off), d, -d)", false);
    check_print("table(\"a.csv\", \"b\")", "table(\"a.csv\", \"b\")", false);
    check_print("table(\"a.csv\", \"b\", 2*t)", "table(\"a.csv\", \"b\", 2*t)", false);
}

static void conditions_print_as_written(void)
{
    check_print("t>1 and (t<2 or t>=3)", "t > 1 and (t < 2 or t >= 3)", true);
    check_print("not (t > 1 and t < 2)", "not (t > 1 and t < 2)", true);
    check_print("not t > 1", "not t > 1", true);
    check_print("not in(x, on) and d > 1", "not in(x, on) and d > 1", true);
    check_print("within(f(L)) <= impulse(e(L))", "within(f(L)) <= impulse(e(L))", true);
    check_print("t = 1 or t = 2 or t = 3", "t = 1 or t = 2 or t = 3", true);
}

/* ---- size ---------------------------------------------------------------------------------- */

static void sizes_are_counted(void)
{
    subject x = read_value("1 + 2*sin(3)");
    CU_ASSERT_EQUAL(x.e->size, 6);
    CU_ASSERT_EQUAL(x.e->depth, 4);
    forget(&x);
}

void suite_expr(void)
{
    TEST_SUITE("expr");
    TEST_ADD(conditions_are_told_from_values);
    TEST_ADD(what_varies_is_known);
    TEST_ADD(variables_are_found);
    TEST_ADD(expressions_become_fractions);
    TEST_ADD(what_is_no_fraction_has_a_place);
    TEST_ADD(random_expressions_become_fractions);
    TEST_ADD(values_print_as_written);
    TEST_ADD(conditions_print_as_written);
    TEST_ADD(sizes_are_counted);
}
