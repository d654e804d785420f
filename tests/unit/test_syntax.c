/* test_syntax.c: what the parser makes of a text, and the text that the formatter makes of it. */
#include <glob.h>

#include "unit/ast_equal.h"
#include "junct/syntax.h"
#include "testing.h"

/* ---- helpers ------------------------------------------------------------------------------- */

typedef struct {
    jn_arena *arena;
    jn_diags *diags;
    jn_ast_block block;
    jn_status status;
} parsed;

static parsed parse(const char *text)
{
    parsed p = {.arena = jn_arena_new(), .diags = jn_diags_new()};
    const jn_source *s = jn_source_of(p.arena, "m", text, strlen(text));
    p.status = jn_syntax_parse(&p.block, p.arena, s, p.diags);
    if (p.status != JN_OK)
        CU_ASSERT(jn_diags_errors(p.diags) > 0);
    return p;
}

static parsed parse_good(const char *text)
{
    parsed p = parse(text);
    jn_str message;
    jn_str_init(&message);
    jn_diags_render(&message, p.diags, false);
    TEST_TEXT("", jn_str_c(&message));
    CU_ASSERT_EQUAL(p.status, JN_OK);
    jn_str_clear(&message);
    return p;
}

static void release(parsed *p)
{
    jn_diags_free(p->diags);
    jn_arena_free(p->arena);
}

static void expect_formatted(const char *text, const char *expected)
{
    parsed p = parse_good(text);
    jn_str out;
    jn_str_init(&out);
    jn_syntax_format(&out, &p.block);
    TEST_TEXT(expected, jn_str_c(&out));
    parsed again = parse_good(jn_str_c(&out));
    CU_ASSERT(ast_equal(&p.block, &again.block));
    jn_str_reset(&out);
    jn_syntax_format(&out, &again.block);
    TEST_TEXT(expected, jn_str_c(&out));
    jn_str_clear(&out);
    release(&again);
    release(&p);
}

/* The tree in prefix notation, written independently of the formatter. */
static void dump(jn_str *out, const jn_ast_expr *e)
{
    static const char *const names[] = {
        [JN_AST_NEG] = "neg", [JN_AST_ADD] = "+", [JN_AST_SUB] = "-", [JN_AST_MUL] = "*",
        [JN_AST_DIV] = "/",   [JN_AST_POW] = "^", [JN_AST_LT] = "<",  [JN_AST_LE] = "<=",
        [JN_AST_EQ] = "=",    [JN_AST_GE] = ">=", [JN_AST_GT] = ">",  [JN_AST_NOT] = "not",
        [JN_AST_AND] = "and", [JN_AST_OR] = "or"};
    if (e->op == JN_AST_NUMBER || e->op == JN_AST_STRING) {
        jn_str_add(out, e->text);
        return;
    }
    if (e->op == JN_AST_NAME) {
        for (int i = 0; i < e->name.nparts; i++) {
            jn_str_addf(out, "%s%s", i ? "." : "", e->name.part[i].text);
            if (e->name.part[i].index) {
                jn_str_addc(out, '[');
                dump(out, e->name.part[i].index);
                jn_str_addc(out, ']');
            }
        }
        return;
    }
    jn_str_addf(out, "(%s", e->op == JN_AST_CALL ? e->text : names[e->op]);
    for (int i = 0; i < e->nargs; i++) {
        jn_str_addc(out, ' ');
        dump(out, e->arg[i]);
    }
    jn_str_addc(out, ')');
}

/* ---- expressions --------------------------------------------------------------------------- */

static const struct {
    const char *text, *tree, *formatted;
} expressions[] = {
    {"1/10", "(/ 1 10)", "1/10"},
    {"1-2-3", "(- (- 1 2) 3)", "1 - 2 - 3"},
    {"1-(2-3)", "(- 1 (- 2 3))", "1 - (2 - 3)"},
    {"(1-2)-3", "(- (- 1 2) 3)", "1 - 2 - 3"},
    {"a*b/c", "(/ (* a b) c)", "a*b/c"},
    {"a*(b/c)", "(* a (/ b c))", "a*(b/c)"},
    {"a/b*c", "(* (/ a b) c)", "a/b*c"},
    {"1+2*3", "(+ 1 (* 2 3))", "1 + 2*3"},
    {"(1+2)*3", "(* (+ 1 2) 3)", "(1 + 2)*3"},
    {"2^3^2", "(^ 2 (^ 3 2))", "2^3^2"},
    {"(2^3)^2", "(^ (^ 2 3) 2)", "(2^3)^2"},
    {"-a^2", "(neg (^ a 2))", "-a^2"},
    {"(-a)^2", "(^ (neg a) 2)", "(-a)^2"},
    {"2^-a^2", "(^ 2 (neg (^ a 2)))", "2^-a^2"},
    {"-a*b", "(* (neg a) b)", "-a*b"},
    {"-(a*b)", "(neg (* a b))", "-(a*b)"},
    {"a*-b", "(* a (neg b))", "a*-b"},
    {"a - -b", "(- a (neg b))", "a - -b"},
    {"+a", "a", "a"},
    {"- -a", "(neg (neg a))", "--a"},
    {"a<b and c>=d or e=f", "(or (and (< a b) (>= c d)) (= e f))", "a < b and c >= d or e = f"},
    {"a<b and (c>d or e<=f)", "(and (< a b) (or (> c d) (<= e f)))", "a < b and (c > d or e <= f)"},
    {"not a<b and c>d", "(and (not (< a b)) (> c d))", "not a < b and c > d"},
    {"not (a<b and c>d)", "(not (and (< a b) (> c d)))", "not (a < b and c > d)"},
    {"not not a<b", "(not (not (< a b)))", "not not a < b"},
    {"(a<b)=(c<d)", "(= (< a b) (< c d))", "(a < b) = (c < d)"},
    {"a or (b or c)", "(or a (or b c))", "a or (b or c)"},
    {"a+1<b*2", "(< (+ a 1) (* b 2))", "a + 1 < b*2"},
    {"e(b9)*f ( x )", "(* (e b9) (f x))", "e(b9)*f(x)"},
    {"if(t>1, 2 , min( a,b ))", "(if (> t 1) 2 (min a b))", "if(t > 1, 2, min(a, b))"},
    {"table(\"a b.csv\", \"q\\\"\\\\\")", "(table a b.csv q\"\\)",
     "table(\"a b.csv\", \"q\\\"\\\\\")"},
    {"c[k+1].a[2].b", "c[(+ k 1)].a[2].b", "c[k + 1].a[2].b"},
    {".5+2.+1e-3*1.5E+2", "(+ (+ .5 2.) (* 1e-3 1.5E+2))", ".5 + 2. + 1e-3*1.5E+2"},
    {"sin()", "(sin)", "sin()"},
    {"(((pi)))", "pi", "pi"},
    {"a <-b", "(< a (neg b))", "a < -b"},
};

static void expressions_have_the_right_tree(void)
{
    for (size_t i = 0; i < sizeof expressions / sizeof *expressions; i++) {
        char text[200];
        snprintf(text, sizeof text, "signal x = %s\n", expressions[i].text);
        parsed p = parse_good(text);
        if (p.block.n == 1) {
            jn_str out;
            jn_str_init(&out);
            dump(&out, p.block.item[0]->u.signal.value);
            TEST_TEXT(expressions[i].tree, jn_str_c(&out));
            jn_str_reset(&out);
            jn_syntax_format_expr(&out, p.block.item[0]->u.signal.value);
            TEST_TEXT(expressions[i].formatted, jn_str_c(&out));
            jn_str_clear(&out);
        }
        release(&p);
    }
}

/* ---- statements ---------------------------------------------------------------------------- */

static void elements_are_read_whole(void)
{
    parsed p = parse_good("I L1 = 1/1000, f0 = 20, priority 3, detachable\nR v : e = k*f\n0 n\n");
    CU_ASSERT_EQUAL_FATAL(p.block.n, 3);
    const jn_ast *s = p.block.item[0];
    CU_ASSERT_EQUAL(s->kind, JN_AST_ELEMENT);
    CU_ASSERT_EQUAL(s->u.element.kind, JN_I);
    TEST_TEXT("L1", s->u.element.name.part[0].text);
    CU_ASSERT_EQUAL(s->u.element.noptions, 3);
    TEST_TEXT("f0", s->u.element.option[0].key);
    TEST_TEXT("20", s->u.element.option[0].value->text);
    TEST_TEXT("3", s->u.element.option[1].value->text);
    CU_ASSERT_PTR_NULL(s->u.element.option[2].value);
    s = p.block.item[1];
    CU_ASSERT_EQUAL(s->u.element.law_of, 'e');
    CU_ASSERT_PTR_NULL(s->u.element.value);
    CU_ASSERT_EQUAL(s->u.element.law->op, JN_AST_MUL);
    CU_ASSERT_EQUAL(p.block.item[2]->u.element.kind, JN_0);
    release(&p);
}

static void every_kind_has_its_name(void)
{
    for (jn_kind k = JN_SE; k <= JN_X1; k++) {
        char text[20];
        snprintf(text, sizeof text, "%s x", jn_kind_name(k));
        parsed p = parse_good(text);
        CU_ASSERT_EQUAL_FATAL(p.block.n, 1);
        CU_ASSERT_EQUAL(p.block.item[0]->u.element.kind, k);
        release(&p);
    }
}

static void places_cover_what_they_name(void)
{
    const char *text = "b9: load -> c[2].a\nsignal x = (a + b)*2\n";
    parsed p = parse_good(text);
    CU_ASSERT_EQUAL_FATAL(p.block.n, 2);
    const jn_ast *s = p.block.item[0];
    CU_ASSERT_EQUAL(s->place.offset, 0);
    CU_ASSERT_EQUAL(s->place.length, strlen("b9: load -> c[2].a"));
    CU_ASSERT_EQUAL(s->u.bonds.label_place.length, 2);
    CU_ASSERT_EQUAL(s->u.bonds.name[1].place.offset, 12);
    CU_ASSERT_EQUAL(s->u.bonds.name[1].place.length, strlen("c[2].a"));
    const jn_ast_expr *e = p.block.item[1]->u.signal.value;
    CU_ASSERT_EQUAL(e->place.offset, 30);
    CU_ASSERT_EQUAL(e->place.length, strlen("(a + b)*2"));
    CU_ASSERT_EQUAL(e->arg[0]->place.length, strlen("(a + b)"));
    release(&p);
}

static void words_of_a_place_may_be_names_elsewhere(void)
{
    /* kinds, and words that mean something only in their place, are free as names */
    expect_formatted("I I = 3\n0 in\n0 to\nI -> in -> to\n"
                     "signal at = f(I)\noutput on = at, C\n"
                     "automaton s {\non on initial\noff off\non -> off when at > 1\n}\n",
                     "I I = 3\n0 in\n0 to\nI -> in -> to\n"
                     "signal at = f(I)\noutput on = at, C\n"
                     "automaton s {\n  on  on initial\n  off off\n  on -> off when at > 1\n}\n");
}

static void an_instance_needs_brackets_or_its_submodel(void)
{
    expect_formatted("Tank T\nsubmodel Tank { ports a }\nOther o()\nThird p(1,2)\n",
                     "Tank T()\nsubmodel Tank() {\n  ports a\n}\nOther o()\nThird p(1, 2)\n");
    parsed p = parse("Other o\n");
    CU_ASSERT_EQUAL(p.status, JN_INVALID);
    CU_ASSERT_EQUAL(jn_diags_get(p.diags, 0)->code, JN_D_KIND_UNKNOWN);
    release(&p);
}

static void lines_may_be_laid_out_in_many_ways(void)
{
    expect_formatted("", "");
    expect_formatted("\n\n \t\n", "");
    expect_formatted("\xEF\xBB\xBFmodel m", "model m\n");
    expect_formatted("model m\r\n0 n\r\n", "model m\n0 n\n");
    expect_formatted("a -> \\\n  b \\  \n-> c\n", "a -> b -> c\n");
    expect_formatted("a -> b \\", "a -> b\n");
    expect_formatted("a->b;c->d;\n\n\n;e->f", "a -> b\nc -> d\n\ne -> f\n");
    expect_formatted("for k in 1..3 { C c[k]=k }", "for k in 1..3 {\n  C c[k] = k\n}\n");
    expect_formatted("for k in 1. .. .5\n{\n}\n", "for k in 1. .. .5 {\n}\n");
    expect_formatted("for k in n..n+1 {\n\n}\n", "for k in n..n + 1 {\n}\n");
    expect_formatted("simulate every 1 to 2\n", "simulate to 2 every 1\n");
    expect_formatted("output (a = b), (a = b or c), d = (a = b), c[1] = d\n",
                     "output (a = b), (a = b or c), d = a = b, c[1] = d\n");
    expect_formatted("output i[k+1]=f(L[k])[A], (j[2] = 3), (a.b[2] = 3 or x), j[1]+2 [A], j[1]\n",
                     "output i[k + 1] = f(L[k]) [A], (j[2] = 3), (a.b[2] = 3 or x), "
                     "j[1] + 2 [A], j[1]\n");
}

static void what_transitions_set_stays_on_their_line(void)
{
    expect_formatted("discrete n=0\nautomaton s {\na on initial\n"
                     "a->a when t>n { n=n+1 ;m[2]=f( L ); } # c\n}\n",
                     "discrete n = 0\nautomaton s {\n  a on initial\n"
                     "  a -> a when t > n { n = n + 1; m[2] = f(L) }  # c\n}\n");
}

static void elements_are_aligned_in_runs(void)
{
    expect_formatted("Se V=12\nI  L1=1/1000,p0=2\n0 n\nR long_name:e=f\n\nC c=1\nX1 s\n",
                     "Se V  = 12\nI  L1 = 1/1000, p0 = 2\n0  n\nR  long_name : e = f\n\n"
                     "C  c = 1\nX1 s\n");
}

static void comments_stay(void)
{
    expect_formatted(
        "#!junct\n#no space\n##\n#\n#   deep  \t\n\n\nR r = 1#r\n"
        "for k in 1..2 {#head\n#inside\n\n\n} # end\n#last",
        "#!junct\n# no space\n##\n#\n#   deep\n\nR r = 1                          # r\n"
        "for k in 1..2 {                  # head\n  # inside\n"
        "}                                # end\n# last\n");
    expect_formatted(
        "automaton s { # head\n\n# first\n\n\na on initial # a\n# then\na -> b when t > 1\n"
        "\nb off\n# last\n}\n",
        "automaton s {                    # head\n  # first\n\n"
        "  a on initial                   # a\n\n  b off\n  # then\n"
        "  a -> b when t > 1\n  # last\n}\n");
}

static void trees_that_differ_are_told_apart(void)
{
    static const char *const texts[] = {
        "R r = 1",
        "R r = 2",
        "R r = 1 # c",
        "R r",
        "R q = 1",
        "C r = 1",
        "R r = 1, p0 = 1",
        "R r = 1, p0 = 2",
        "R r = 1, q0 = 1",
        "R r : e = 1",
        "R r : f = 1",
        "# c",
        "# d",
        "a -> b",
        "a -> b -> c",
        "x: a -> b",
        "a -> b[1]",
        "a -> b[2]",
        "a -> b.c",
        "model m",
        "model m \"t\"",
        "param m",
        "param m = 1",
        "signal m = 1",
        "param m = a + b",
        "param m = a - b",
        "param m = b + a",
        "param m = f(a)",
        "param m = g(a)",
        "param m = f(a, a)",
        "switch s on",
        "switch s off",
        "switch s on, on at 1",
        "switch s on, off at 1",
        "switch s on, on when 1",
        "switch s pwm(1, 2)",
        "switch s pwm(1, 2, 3)",
        "output a",
        "output a = a",
        "output a, a",
        "simulate to 1",
        "simulate every 1",
        "simulate to 1 every 1",
        "submodel S { }",
        "submodel S(a) { }",
        "submodel S(b) { }",
        "submodel S {\n ports a\n}",
        "ports a",
        "ports b",
        "ports a, b",
        "S s()",
        "S s(1)",
        "T s()",
        "S u()",
        "for k in 1..2 { }",
        "for j in 1..2 { }",
        "for k in 0..2 { }",
        "for k in 1..3 { }",
        "for k in 1..2 { } # c",
        "for k in 1..2 { # c\n}",
        "automaton a { }",
        "automaton b { }",
        "automaton a { s on }",
        "automaton a { s off }",
        "automaton a { s on initial }",
        "automaton a { r on }",
        "automaton a {\n s on # c\n}",
        "automaton a {\n# c\n s on\n}",
        "automaton a {\n# c\n}",
        "automaton a { s -> s when 1 }",
        "automaton a { s -> r when 1 }",
        "automaton a { s -> s when 2 }",
        "automaton a { s -> s when 2 { n = 1 } }",
        "automaton a { s -> s when 2 { m = 1 } }",
        "automaton a { s -> s when 2 { n = 2 } }",
        "automaton a { s -> s when 2 { n = 2; m = 1 } }",
        "switch s diode",
        "switch s stop",
        "switch s diode(1)",
        "switch s diode(2)",
        "switch s diode reverse diode",
        "domain s",
        "domain r",
        "domain s : a",
        "domain s : b",
        "domain s : a, b",
        "output s [V]",
        "output s [A]",
        "assert s",
        "assert r",
        "assert s \"a\"",
        "assert s \"b\"",
        "bound s <= 1",
        "bound 1 >= s",
        "bound s >= 1",
        "bound 1 <= s <= 2",
        "bound 2 >= s >= 1",
        "discrete s = 1",
        "discrete s = 2",
        "discrete r = 1",
    };
    enum { N = sizeof texts / sizeof *texts };
    static parsed p[N];
    for (int i = 0; i < N; i++)
        p[i] = parse_good(texts[i]);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            if (ast_equal(&p[i].block, &p[j].block) != (i == j))
                CU_FAIL("two different trees are equal, or one is not equal to itself");
    for (int i = 0; i < N; i++)
        release(&p[i]);
}

static void blank_lines_do_not_count(void)
{
    parsed a = parse_good("a -> b\n\nc -> d\nautomaton s {\nx on\n\n# c\ny off\n}\n");
    parsed b = parse_good("a -> b\nc -> d\n\nautomaton s {\n\nx on\n# c\n\ny off\n\n}\n");
    CU_ASSERT(ast_equal(&a.block, &b.block));
    release(&a);
    release(&b);
}

/* ---- limits, and the examples -------------------------------------------------------------- */

static void long_input_is_read(void)
{
    jn_str text;
    jn_str_init(&text);
    jn_str_add(&text, "signal s = 1");
    for (int i = 0; i < 1999; i++)
        jn_str_add(&text, " + 1");
    jn_str_add(&text, "\nsignal r = ");
    jn_str_fill(&text, '(', 198);
    jn_str_addc(&text, '1');
    jn_str_fill(&text, ')', 198);
    jn_str_add(&text, "\nn0");
    for (int i = 1; i < 20000; i++)
        jn_str_addf(&text, " -> n%d", i);
    jn_str_add(&text, "\nsignal v = e(n0)"); /* an operation itself, inside 1,999 others */
    for (int i = 0; i < 1999; i++)
        jn_str_add(&text, " + e(n0)");
    parsed p = parse_good(text.s);
    CU_ASSERT_EQUAL_FATAL(p.block.n, 4);
    CU_ASSERT_EQUAL(p.block.item[2]->u.bonds.nnames, 20000);
    TEST_TEXT("n19999", p.block.item[2]->u.bonds.name[19999].part[0].text);
    release(&p);
    jn_str_clear(&text);
}

/* The lexer meets the second error before the parser reports the first. */
static void errors_come_in_order(void)
{
    parsed p = parse("signal s = ) \xC2\xA7\n");
    CU_ASSERT_EQUAL(p.status, JN_INVALID);
    CU_ASSERT_EQUAL_FATAL(jn_diags_count(p.diags), 2);
    CU_ASSERT_EQUAL(jn_diags_get(p.diags, 0)->code, JN_D_EXPECTED);
    CU_ASSERT_EQUAL(jn_diags_get(p.diags, 1)->code, JN_D_CHARACTER_UNEXPECTED);
    release(&p);
}

static void a_nul_byte_is_an_error(void)
{
    static const char text[] = "model m\n# a\0b\n";
    jn_arena *a = jn_arena_new();
    jn_diags *d = jn_diags_new();
    jn_ast_block block;
    const jn_source *s = jn_source_of(a, "m", text, sizeof text - 1);
    CU_ASSERT_EQUAL(jn_syntax_parse(&block, a, s, d), JN_INVALID);
    CU_ASSERT_EQUAL(jn_diags_get(d, 0)->place.offset, 11);
    jn_diags_free(d);
    jn_arena_free(a);
}

static void the_examples_come_back(void)
{
    glob_t found;
    CU_ASSERT_EQUAL_FATAL(glob("examples/*.hbg", 0, NULL, &found), 0);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        char *text = test_read_file(found.gl_pathv[i]);
        parsed p = parse_good(text);
        jn_str first, second;
        jn_str_init(&first);
        jn_str_init(&second);
        jn_syntax_format(&first, &p.block);
        parsed again = parse_good(jn_str_c(&first));
        CU_ASSERT(ast_equal(&p.block, &again.block));
        jn_syntax_format(&second, &again.block);
        TEST_TEXT(jn_str_c(&first), jn_str_c(&second));
        jn_str_clear(&first);
        jn_str_clear(&second);
        release(&again);
        release(&p);
        free(text);
    }
    globfree(&found);
}

void suite_syntax(void)
{
    TEST_SUITE("syntax");
    TEST_ADD(expressions_have_the_right_tree);
    TEST_ADD(elements_are_read_whole);
    TEST_ADD(every_kind_has_its_name);
    TEST_ADD(places_cover_what_they_name);
    TEST_ADD(words_of_a_place_may_be_names_elsewhere);
    TEST_ADD(an_instance_needs_brackets_or_its_submodel);
    TEST_ADD(lines_may_be_laid_out_in_many_ways);
    TEST_ADD(what_transitions_set_stays_on_their_line);
    TEST_ADD(elements_are_aligned_in_runs);
    TEST_ADD(comments_stay);
    TEST_ADD(trees_that_differ_are_told_apart);
    TEST_ADD(blank_lines_do_not_count);
    TEST_ADD(long_input_is_read);
    TEST_ADD(errors_come_in_order);
    TEST_ADD(a_nul_byte_is_an_error);
    TEST_ADD(the_examples_come_back);
}
