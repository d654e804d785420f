/* test_graph.c: from a model's text to its graph. What is said about wrong models is tested in
 * tests/errors. */

#include "junct/graph.h"
#include "testing.h"

/* A model that is read, and what must outlive it. */
typedef struct {
    jn_arena *arena;
    jn_diags *diags;
    jn_graph *g;
    jn_status status;
} model;

static model read_named(const char *name, const char *text)
{
    model m = {.arena = jn_arena_new(), .diags = jn_diags_new()};
    const jn_source *s = jn_source_of(m.arena, name, text, strlen(text));
    m.status = jn_graph_read(&m.g, s, m.diags);
    CU_ASSERT_EQUAL(m.status == JN_OK, m.g != NULL);
    CU_ASSERT_EQUAL(m.status == JN_OK, jn_diags_errors(m.diags) == 0);
    return m;
}

static model read_model(const char *text)
{
    model m = read_named("test.hbg", text);
    if (!m.g) {
        jn_str said;
        jn_str_init(&said);
        jn_diags_render(&said, m.diags, false);
        printf("\n%s", jn_str_c(&said));
        jn_str_clear(&said);
    }
    CU_ASSERT_PTR_NOT_NULL_FATAL(m.g);
    return m;
}

static void forget(model *m)
{
    jn_graph_free(m->g);
    jn_diags_free(m->diags);
    jn_arena_free(m->arena);
}

/* ---- a graph as text: everything a later stage sees ---------------------------------------- */

static void show_ratfun(jn_str *out, const jn_graph *g, jn_ratfun r)
{
    jn_ratfun_print(out, g->field, r, jn_graph_param_names(g), JN_RATFUN_TEXT);
}

static void show_expr(jn_str *out, const jn_graph *g, const char *before, const jn_expr *e)
{
    if (!e)
        return;
    jn_str_add(out, before);
    jn_expr_print(out, g, e);
}

static void show_element(jn_str *out, const jn_graph *g, int i)
{
    const jn_element *e = &g->element[i];
    bool valued = e->kind <= JN_GY && !jn_kind_is_source(e->kind);
    jn_str_addf(out, "%s %s", jn_kind_name(e->kind), e->name);
    if (valued) {
        jn_str_add(out, " = ");
        show_ratfun(out, g, e->value);
    }
    show_expr(out, g, " = ", e->input);
    show_expr(out, g, " modulated ", e->modulation);
    if (e->nonlinear)
        jn_str_addf(out, " law %c", e->law_of);
    show_expr(out, g, " = ", e->law);
    show_expr(out, g, e->initial_is_state ? " from state " : " from ", e->initial);
    if (e->priority)
        jn_str_addf(out, " priority %d", e->priority);
    if (e->detachable)
        jn_str_add(out, " detachable");
    for (int b = 0; b < e->nbonds; b++)
        jn_str_addf(out, "%s%s", b ? " " : " : ", g->bond[e->bond[b]].name);
    jn_str_addc(out, '\n');
}

static void show_params(jn_str *out, const jn_graph *g)
{
    for (int i = 0; i < g->nparams; i++) {
        CU_ASSERT_EQUAL(g->param[i].value.id, g->param_value[i].id);
        jn_str_addf(out, "param %s", g->param[i].name);
        if (g->param[i].value.id >= 0) {
            jn_str_add(out, " = ");
            show_ratfun(out, g, g->param[i].value);
        }
        jn_str_addc(out, '\n');
    }
}

static void show_graph(jn_str *out, const jn_graph *g)
{
    for (int i = 0; i < g->nelements; i++)
        show_element(out, g, i);
    for (int i = 0; i < g->nbonds; i++)
        jn_str_addf(out, "%s: %s -> %s\n", g->bond[i].name, g->element[g->bond[i].tail].name,
                    g->element[g->bond[i].head].name);
    show_params(out, g);
}

static void check_graph(const char *text, const char *expected)
{
    model m = read_model(text);
    jn_str got;
    jn_str_init(&got);
    show_graph(&got, m.g);
    TEST_TEXT(expected, jn_str_c(&got));
    jn_str_clear(&got);
    forget(&m);
}

/* ---- elements and bonds -------------------------------------------------------------------- */

/* A plain number makes a symbol; an expression of parameters stands as it is; what changes in
 * time or follows a law has a symbol without a number. */
static void values_are_exact(void)
{
    check_graph("param k = 3/2\n"
                "param twice = 2*k\n"
                "signal s = t\n"
                "Se V = 12*sin(t), detachable\n"
                "Sf J\n"
                "I L1 = 1/1000, f0 = 20, priority 2\n"
                "I L2, p0 = k\n"
                "C c = 1/(2*k), e0 = sqrt(2)\n"
                "C one = twice/twice\n"
                "R m = 5 + s\n"
                "R root = sqrt(2)*k\n"
                "R v : e = k*f*abs(f)\n"
                "C tank : e = q^2\n"
                "1 n\n"
                "V -> n -> L1\nn -> L2\nn -> c\nn -> one\nJ -> n -> m\nn -> root\nn -> v\n"
                "n -> tank\n",
                "Se V = 12*sin(t) detachable : b1\n"
                "Sf J : b6\n"
                "I L1 = L1 from 20 priority 2 : b2\n"
                "I L2 = L2 from state k : b3\n"
                "C c = 1/(2*k) from sqrt(2) : b4\n"
                "C one = one : b5\n"
                "R m = m modulated 5 + s : b7\n"
                "R root = root modulated sqrt(2)*k : b8\n"
                "R v = v law e = k*f(v)*abs(f(v)) : b9\n"
                "C tank = tank law e = q(tank)^2 : b10\n"
                "1 n : b1 b2 b3 b4 b5 b6 b7 b8 b9 b10\n"
                "b1: V -> n\nb2: n -> L1\nb3: n -> L2\nb4: n -> c\nb5: n -> one\nb6: J -> n\n"
                "b7: n -> m\nb8: n -> root\nb9: n -> v\nb10: n -> tank\n"
                "param k = 3/2\nparam twice = 3\nparam L1 = 1/1000\nparam L2\nparam one = 1\n"
                "param m\nparam root\nparam v\nparam tank\n");
}

/* The bond that arrives at a TF or GY is its first, in whatever order they are written. */
static void two_ports_have_directions(void)
{
    check_graph("Se V = 1\nTF n = 2\nGY g = 3\n1 a\n0 b\n1 c\nR r = 4\n"
                "g -> c -> r\nb -> g\nn -> b\na -> n\nV -> a\n",
                "Se V = 1 : b6\nTF n = n : b5 b4\nGY g = g : b3 b1\n1 a : b5 b6\n0 b : b3 b4\n"
                "1 c : b1 b2\nR r = r : b2\n"
                "b1: g -> c\nb2: c -> r\nb3: b -> g\nb4: n -> b\nb5: a -> n\nb6: V -> a\n"
                "param n = 2\nparam g = 3\nparam r = 4\n");
}

/* Names for bonds never clash with names that are given. */
static void names_of_bonds_do_not_clash(void)
{
    check_graph("Se V = 1\n1 b1\nR r = 1\nR s = 1\nV -> b1\nb1 -> r\nb2: b1 -> s\n",
                "Se V = 1 : b4\n1 b1 : b4 b5 b2\nR r = r : b5\nR s = s : b2\n"
                "b4: V -> b1\nb5: b1 -> r\nb2: b1 -> s\nparam r = 1\nparam s = 1\n");
}

static void unconnected_parts_are_left_out(void)
{
    model m = read_model("R a = 1\nSe V = 1\nX1 x\n0 y\nI L = 1\nV -> L\nswitch x off\n");
    CU_ASSERT_EQUAL(m.g->nelements, 2);
    CU_ASSERT_EQUAL(m.g->nswitches, 0);
    CU_ASSERT_EQUAL(jn_diags_warnings(m.diags), 3);
    CU_ASSERT_EQUAL(jn_graph_find(m.g, "a"), -1);
    CU_ASSERT_EQUAL(jn_graph_find(m.g, "L"), 1);
    CU_ASSERT_EQUAL(jn_graph_find_bond(m.g, "b1"), 0);
    CU_ASSERT_EQUAL(jn_graph_find_bond(m.g, "b2"), -1);
    forget(&m);
}

static void elements_have_classes(void)
{
    model m = read_model("X0 x\nR r = 1\nC c = 1\nSe V = 1\nI L = 1\nX1 y\nSf J = 1\n"
                         "V -> y -> x -> r\nx -> c\ny -> L\nJ -> x\n");
    const jn_graph *g = m.g;
    CU_ASSERT_EQUAL(g->nstorages, 2);
    CU_ASSERT_EQUAL(g->nresistors, 1);
    CU_ASSERT_EQUAL(g->nsources, 2);
    CU_ASSERT_EQUAL(g->nswitches, 2);
    CU_ASSERT_EQUAL(g->storage[1], jn_graph_find(g, "L"));
    CU_ASSERT_EQUAL(g->source[0], jn_graph_find(g, "V"));
    CU_ASSERT_EQUAL(g->sw[1], jn_graph_find(g, "y"));
    TEST_TEXT("x", jn_graph_switch_names(g)[0]);
    for (int i = 0; i < g->nstorages; i++)
        CU_ASSERT_EQUAL(g->element[g->storage[i]].number, i);
    CU_ASSERT_EQUAL(g->automaton[0].given, false);
    CU_ASSERT_EQUAL(g->automaton[0].element, g->sw[0]);
    CU_ASSERT(g->automaton[0].state[g->automaton[0].initial].on);
    forget(&m);
}

static void models_have_names(void)
{
    static const struct {
        const char *file, *text, *name;
    } cases[] = {{"a/b/boost.v2.hbg", "", "boost.v2"},
                 {"boost", "", "boost"},
                 {".hbg", "", ".hbg"},
                 {"<stdin>", "", "model"},
                 {"boost.hbg", "model other \"A title\"\n", "other"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[100];
        snprintf(text, sizeof text, "%sSe V = 1\nR r = 1\nV -> r\n", cases[i].text);
        model m = read_named(cases[i].file, text);
        CU_ASSERT_PTR_NOT_NULL_FATAL(m.g);
        TEST_TEXT(cases[i].name, m.g->name);
        TEST_TEXT(cases[i].text[0] ? "A title" : "none", m.g->title ? m.g->title : "none");
        forget(&m);
    }
}

/* ---- submodels and loops ------------------------------------------------------------------- */

/* A number that comes through arguments is a plain number; parameters stand as expressions. */
static void submodels_are_flattened(void)
{
    check_graph("param k = 2\n"
                "submodel Pair(Cap, n) {\n"
                "  ports a\n"
                "  0 a\n"
                "  param own = n + 1\n"
                "  C C0 = Cap\n"
                "  R R0 = own*k\n"
                "  for j in 1..n {\n"
                "    Leaf leaf[j](Cap + j)\n"
                "    a -> leaf[j].r\n"
                "  }\n"
                "  a -> C0\n"
                "  a -> R0\n"
                "}\n"
                "submodel Leaf(x) {\n"
                "  ports r\n"
                "  R r = x\n"
                "}\n"
                "Se V = 1\n"
                "0 n\n"
                "V -> n -> p.a\n"
                "Pair p(1e-3, 2)\n"
                "Pair q(1/k, 0 + 1)\n"
                "n -> q.a\n",
                "Se V = 1 : b1\n"
                "0 n : b1 b2 b10\n"
                "0 p.a : b2 b3 b4 b5 b6\n"
                "C p.C0 = p.C0 : b5\n"
                "R p.R0 = k*p.own : b6\n"
                "R p.leaf[1].r = p.leaf[1].r : b3\n"
                "R p.leaf[2].r = p.leaf[2].r : b4\n"
                "0 q.a : b7 b8 b9 b10\n"
                "C q.C0 = 1/k : b8\n"
                "R q.R0 = k*q.own : b9\n"
                "R q.leaf[1].r = (k + 1)/k : b7\n"
                "b1: V -> n\nb2: n -> p.a\nb3: p.a -> p.leaf[1].r\nb4: p.a -> p.leaf[2].r\n"
                "b5: p.a -> p.C0\nb6: p.a -> p.R0\nb7: q.a -> q.leaf[1].r\nb8: q.a -> q.C0\n"
                "b9: q.a -> q.R0\nb10: n -> q.a\n"
                "param k = 2\nparam p.own = 3\nparam q.own = 2\nparam p.C0 = 1/1000\n"
                "param p.leaf[1].r = 1001/1000\nparam p.leaf[2].r = 2001/1000\n");
}

/* Inside a submodel its own names come first, then parameters and signals of the file; the
 * variables of a loop around the instance are not seen. */
static void scopes_hide_names(void)
{
    model m = read_model("param x = 1\nparam y = 2\nsignal s = t\n"
                         "submodel A(x) {\n"
                         "  ports r\n"
                         "  R r = x + y\n"
                         "  signal z = x*y + s + e(r) + e(in)\n"
                         "  in: n -> r2\n"
                         "  0 n\n"
                         "  R r2 = 1\n"
                         "  output z, w = f(r)\n"
                         "}\n"
                         "Se V = 1\n0 n\nV -> n\n"
                         "for y in 5..6 {\n"
                         "  A a[y](y + x)\n"
                         "  n -> a[y].r\n"
                         "}\n"
                         "output last = a[6].z, e(a[5].in)\n");
    jn_str got;
    jn_str_init(&got);
    for (int i = 0; i < m.g->noutputs; i++) {
        jn_str_addf(&got, "%s is ", m.g->output[i].name);
        jn_expr_print(&got, m.g, m.g->output[i].expr);
        jn_str_addc(&got, '\n');
    }
    for (int i = 0; i < m.g->nsignals; i++) {
        jn_str_addf(&got, "%s = ", m.g->signal[i].name);
        jn_expr_print(&got, m.g, m.g->signal[i].expr);
        jn_str_addc(&got, '\n');
    }
    TEST_TEXT("a[5].z is a[5].z\n"
              "a[5].w is f(a[5].r)\n"
              "a[6].z is a[6].z\n"
              "a[6].w is f(a[6].r)\n"
              "last is a[6].z\n"
              "e(a[5].in) is e(a[5].in)\n"
              "s = t\n"
              "a[5].z = (5 + x)*y + s + e(a[5].r) + e(a[5].in)\n"
              "a[6].z = (6 + x)*y + s + e(a[6].r) + e(a[6].in)\n",
              jn_str_c(&got));
    jn_str_clear(&got);
    forget(&m);
}

/* A ladder once with a submodel in a loop, once written out. */
static void write_ladder(jn_str *looped, jn_str *flat, test_rng *r)
{
    int n = test_rng_int(r, 1, 8), from = test_rng_int(r, -3, 3);
    int num = test_rng_int(r, 1, 9), den = test_rng_int(r, 1, 9);
    bool by_param = test_rng_chance(r, 50);
    const char *start = "param k = 7\nSe V = k\n1 start\nV -> start\n";
    jn_str_addf(looped,
                "%ssubmodel Cell(res, cap) {\n ports in, out\n 0 in\n 1 out\n R r = res\n"
                " C c = cap, q0 = cap*2\n in -> out -> r\n in -> c\n}\n"
                "for i in %d..%d {\n Cell c[i](%d*%s, i + 10/%d)\n 0 n[i]\n"
                " c[i].out -> n[i]\n}\n"
                "for i in %d + 1..%d {\n n[i - 1] -> c[i].in\n}\nstart -> c[%d].in\n",
                start, from, from + n - 1, num, by_param ? "k" : "3", den, from, from + n - 1,
                from);
    jn_str_add(flat, start);
    for (int i = from; i < from + n; i++) {
        jn_str_addf(flat, "0 c_%d_in\n1 c_%d_out\nR c_%d_r = %d*%s\n", i - from, i - from, i - from,
                    num, by_param ? "k" : "3");
        jn_str_addf(flat, "C c_%d_c = (%d + 10/%d), q0 = (%d + 10/%d)*2\n0 n_%d\n", i - from, i,
                    den, i, den, i - from);
    }
    for (int i = from; i < from + n; i++)
        jn_str_addf(flat, "c_%d_out -> n_%d\n", i - from, i - from);
    for (int i = from + 1; i < from + n; i++)
        jn_str_addf(flat, "n_%d -> c_%d_in\n", i - 1 - from, i - from);
    jn_str_addf(flat, "start -> c_0_in\n");
    for (int i = from; i < from + n; i++)
        jn_str_addf(flat, "c_%d_in -> c_%d_out -> c_%d_r\nc_%d_in -> c_%d_c\n", i - from, i - from,
                    i - from, i - from, i - from);
}

/* Numbers of bonds depend on where they are written: compare sets by their ends. */
static int count_bonds(const jn_graph *g, int tail, int head)
{
    int n = 0;
    for (int i = 0; i < g->nbonds; i++)
        n += g->bond[i].tail == tail && g->bond[i].head == head;
    return n;
}

static void check_same(const jn_graph *a, const jn_graph *b)
{
    CU_ASSERT_EQUAL_FATAL(a->nelements, b->nelements);
    CU_ASSERT_EQUAL_FATAL(a->nbonds, b->nbonds);
    CU_ASSERT_EQUAL_FATAL(a->nparams, b->nparams);
    jn_str x, y;
    jn_str_init(&x);
    jn_str_init(&y);
    for (int i = 0; i < a->nelements; i++) {
        CU_ASSERT_EQUAL(a->element[i].kind, b->element[i].kind);
        CU_ASSERT_EQUAL(a->element[i].nbonds, b->element[i].nbonds);
        /* The parameters have the same numbers, so the names of one serve for both. */
        jn_ratfun_print(&x, a->field, a->element[i].value, a->param_name, JN_RATFUN_TEXT);
        jn_ratfun_print(&y, b->field, b->element[i].value, a->param_name, JN_RATFUN_TEXT);
        show_expr(&x, a, " from ", a->element[i].initial);
        show_expr(&y, b, " from ", b->element[i].initial);
        jn_str_addc(&x, '\n');
        jn_str_addc(&y, '\n');
    }
    TEST_TEXT(jn_str_c(&x), jn_str_c(&y));
    for (int i = 0; i < a->nbonds; i++)
        CU_ASSERT_EQUAL(count_bonds(a, a->bond[i].tail, a->bond[i].head),
                        count_bonds(b, a->bond[i].tail, a->bond[i].head));
    for (int i = 0; i < a->nparams; i++)
        CU_ASSERT_EQUAL(jn_ratfun_get_d(a->field, a->param[i].value),
                        jn_ratfun_get_d(b->field, b->param[i].value));
    jn_str_clear(&x);
    jn_str_clear(&y);
}

static void loops_equal_what_is_written_out(void)
{
    test_rng r = test_rng_new(71);
    for (int turn = 0; turn < 60; turn++) {
        jn_str looped, flat;
        jn_str_init(&looped);
        jn_str_init(&flat);
        write_ladder(&looped, &flat, &r);
        model a = read_named("looped.hbg", jn_str_c(&looped));
        model b = read_named("flat.hbg", jn_str_c(&flat));
        CU_ASSERT_EQUAL(a.status, b.status); /* a capacity may come out negative */
        if (a.g && b.g)
            check_same(a.g, b.g);
        forget(&a);
        forget(&b);
        jn_str_clear(&looped);
        jn_str_clear(&flat);
    }
}

/* ---- parameters and their numbers ---------------------------------------------------------- */

static double number_of(const jn_graph *g, const char *element)
{
    jn_ratfun r = JN_RATFUN_ZERO;
    jn_status status = jn_graph_number(&r, g, jn_graph_find(g, element));
    CU_ASSERT_EQUAL(status, JN_OK);
    return jn_ratfun_get_d(g->field, r);
}

static void missing_values_are_known(void)
{
    model m = read_model("param k\nparam half = k/2\nparam idle = 1\nSe V = k\nI L = half\n"
                         "R r = 5\nR s = sin(t)\nC c\n1 n\nV -> n -> L\nn -> r\nn -> s\n"
                         "n -> c\noutput idle\n");
    int missing = -1;
    CU_ASSERT_EQUAL(jn_graph_missing_values(&missing, m.g), 2);
    CU_ASSERT_EQUAL(missing, 1);
    TEST_TEXT("half", jn_graph_param_names(m.g)[missing]);
    CU_ASSERT_EQUAL(number_of(m.g, "r"), 5.0);
    CU_ASSERT_EQUAL(jn_graph_missing_values(NULL, m.g), 2);
    forget(&m);
}

static jn_status set(jn_graph *g, const char *name, long num, unsigned long den, const char **why)
{
    fmpq_t c;
    fmpq_init(c);
    fmpq_set_si(c, num, den);
    jn_status status = jn_graph_set(g, name, c, why);
    fmpq_clear(c);
    return status;
}

static void values_can_be_set(void)
{
    model m = read_model("param c = 2*b\nparam b = a + 1\nparam a = 1\n"
                         "I L = c\nR r = 5\nC s\nSe V = 3\nR m = t\nTF n = 1/(a - 4)\n1 x\n1 y\n"
                         "V -> x -> L\nx -> r\nx -> s\nx -> m\nx -> n -> y\n y -> z\n R z = 1\n");
    jn_graph *g = m.g;
    const char *why = "";
    CU_ASSERT_EQUAL(number_of(g, "L"), 4.0);
    CU_ASSERT_EQUAL(set(g, "a", 2, 1, &why), JN_OK);
    CU_ASSERT_EQUAL(number_of(g, "L"), 6.0); /* what depends on it follows */
    CU_ASSERT_EQUAL(set(g, "b", 1, 2, &why), JN_OK);
    CU_ASSERT_EQUAL(number_of(g, "L"), 1.0);
    CU_ASSERT_EQUAL(set(g, "r", 7, 1, &why), JN_OK);
    CU_ASSERT_EQUAL(number_of(g, "r"), 7.0);
    CU_ASSERT_EQUAL(set(g, "s", 1, 3, &why), JN_OK);
    CU_ASSERT_EQUAL(number_of(g, "s"), 1.0 / 3);
    CU_ASSERT_EQUAL(set(g, "V", 4, 1, &why), JN_OK);
    const jn_expr *input = g->element[jn_graph_find(g, "V")].input;
    CU_ASSERT_EQUAL(jn_ratfun_get_d(g->field, input->number), 4.0);

    CU_ASSERT_EQUAL(set(g, "c", -1, 1, &why), JN_INVALID);
    TEST_TEXT("then I L is negative", why);
    CU_ASSERT_EQUAL(number_of(g, "L"), 1.0); /* as before */
    CU_ASSERT_EQUAL(set(g, "a", 4, 1, &why), JN_INVALID);
    TEST_TEXT("then n divides by zero", why);
    CU_ASSERT_EQUAL(number_of(g, "n"), -0.5);
    CU_ASSERT_EQUAL(set(g, "m", 1, 1, &why), JN_INVALID);
    TEST_TEXT("m has no number of its own that could be set", why);
    CU_ASSERT_EQUAL(set(g, "L", 1, 1, &why), JN_INVALID);
    CU_ASSERT_EQUAL(set(g, "nobody", 1, 1, &why), JN_INVALID);
    TEST_TEXT("the model has no parameter or element nobody", why);
    CU_ASSERT_EQUAL(set(g, "r", 0, 1, &why), JN_INVALID);
    CU_ASSERT_EQUAL(number_of(g, "r"), 7.0);
    forget(&m);
}

/* ---- signals and automata ------------------------------------------------------------------ */

static void signals_are_ordered(void)
{
    model m = read_model("signal a = b + c\nsignal b = int(a) + d\nsignal c = 2*d\n"
                         "signal d = prior(f(r))\nSe V = a\nR r = 1\nV -> r\n");
    int at[4];
    for (int i = 0; i < 4; i++)
        at[m.g->signal_order[i]] = i;
    enum { A, B, C, D };
    CU_ASSERT(at[D] < at[B] && at[D] < at[C] && at[B] < at[A] && at[C] < at[A]);
    CU_ASSERT_EQUAL(m.g->nintegrals, 1);
    forget(&m);
}

static void switches_become_automata(void)
{
    model m = read_model("Se V = 1\nR r = 1\nX1 s\nX1 p\nX1 z\nV -> s -> p -> z -> r\n"
                         "switch s off, on when t > 1, off when f(r) < 2, on at 5, off at 6\n"
                         "switch p pwm(1/2, if(t > 1, 1/2, 1/4), 1/8)\n"
                         "automaton z {\n low off\n high on initial\n top on\n"
                         " high -> low when prior(f(r)) < within(e(s))\n"
                         " low -> top when impulse(e(r)) > 0 or e(z) < 0\n}\n");
    const jn_automaton *a = m.g->automaton;
    CU_ASSERT(a[0].given && a[0].nstates == 2 && !a[0].state[a[0].initial].on);
    CU_ASSERT_EQUAL(a[0].ntransitions, 2);
    CU_ASSERT(!a[0].state[a[0].transition[0].from].on && a[0].state[a[0].transition[0].to].on);
    CU_ASSERT(a[0].state[a[0].transition[1].from].on && !a[0].state[a[0].transition[1].to].on);
    CU_ASSERT_EQUAL(a[0].ntimes, 2);
    CU_ASSERT(a[0].state[a[0].timed[0].to].on && !a[0].state[a[0].timed[1].to].on);
    CU_ASSERT(a[1].pwm_period && a[1].pwm_duty->op == JN_X_IF && a[1].pwm_phase);
    CU_ASSERT(!a[0].pwm_period);
    CU_ASSERT_EQUAL(a[2].nstates, 3);
    CU_ASSERT_EQUAL(a[2].initial, 1);
    TEST_TEXT("top", a[2].state[a[2].transition[1].to].name);
    CU_ASSERT_EQUAL(a[2].transition[0].to, 0);
    const jn_expr *when = a[2].transition[1].when;
    CU_ASSERT_EQUAL(when->op, JN_X_OR);
    CU_ASSERT_EQUAL(when->arg[1]->arg[0]->op, JN_X_COMMON_EFFORT);
    CU_ASSERT_EQUAL(when->arg[1]->arg[0]->index, jn_graph_find(m.g, "z"));
    forget(&m);
}

/* Discrete variables, what sets them, and states as conditions: of the file and of submodels. */
static void discrete_variables_are_set(void)
{
    model m =
        read_model("param k = 2\nsignal late = if(in(z, high) and in(s, on), n, 1)\n"
                   "discrete n = k + 1\n"
                   "Se V = n\nR r = 1\nX1 s\nX1 z\nV -> s -> z -> r\n"
                   "submodel Clock(period) {\n discrete ticks = 0\n X1 c\n R r = 1\n"
                   " ports c\n c -> r\n"
                   " automaton c {\n  run on initial\n"
                   "  run -> run when t > ticks*period { ticks = ticks + 1; n = ticks }\n }\n}\n"
                   "Clock a(1/2)\nz -> a.c\n"
                   "automaton z {\n low off initial\n high on\n"
                   " low -> high when a.ticks > 3 { n = n - 1 }\n"
                   " high -> low when in(a.c, run)\n}\noutput n, late\n");
    const jn_graph *g = m.g;
    CU_ASSERT_EQUAL_FATAL(g->ndiscretes, 2);
    TEST_TEXT("n", g->discrete[0].name);
    TEST_TEXT("a.ticks", g->discrete[1].name);
    CU_ASSERT_EQUAL(g->discrete[0].initial->op, JN_X_ADD);
    TEST_TEXT("n", g->output[0].name);
    const jn_expr *both = g->signal[0].expr->arg[0];
    CU_ASSERT(both->arg[0]->op == JN_X_IN && both->arg[0]->index == 1 && both->arg[0]->state == 1);
    CU_ASSERT(both->arg[1]->op == JN_X_IN && both->arg[1]->index == 0);
    TEST_TEXT("on", g->automaton[0].state[both->arg[1]->state].name);
    const jn_transition *tick = &g->automaton[2].transition[0];
    CU_ASSERT(tick->from == tick->to && tick->nsets == 2);
    CU_ASSERT(tick->set[0].discrete == 1 && tick->set[1].discrete == 0);
    CU_ASSERT(tick->set[1].value->op == JN_X_DISCRETE && tick->set[1].value->index == 1);
    CU_ASSERT_EQUAL(g->automaton[1].transition[0].nsets, 1);
    CU_ASSERT_EQUAL(g->automaton[1].transition[1].nsets, 0);
    CU_ASSERT_EQUAL(g->automaton[1].transition[1].when->index, 2);
    forget(&m);
}

/* The rate of a storage goes by its letter where the law may read it, unless something else is
 * declared by it. */
static void laws_read_rates(void)
{
    check_graph("param f = 3\nparam k = 2\nSe V = 1\n1 j\nI m : f = p/k + e\n"
                "C c : e = k*q + f\nC s : e = k*q + f(s)\nV -> j -> m\nj -> c\nj -> s\n",
                "Se V = 1 : b1\n1 j : b1 b2 b3 b4\n"
                "I m = m law f = p(m)/k + e(m) : b2\n"
                "C c = c law e = k*q(c) + f : b3\n"
                "C s = s law e = k*q(s) + f(s) : b4\n"
                "b1: V -> j\nb2: j -> m\nb3: j -> c\nb4: j -> s\n"
                "param f = 3\nparam k = 2\nparam m\nparam c\nparam s\n");
    check_graph("Se V = 1\n1 j\nC c : e = 2*q + 3*f\nV -> j -> c\n",
                "Se V = 1 : b1\n1 j : b1 b2\nC c = c law e = 2*q(c) + 3*f(c) : b2\n"
                "b1: V -> j\nb2: j -> c\nparam c\n");
}

/* A switch that belongs to no junction: after the others, without bonds. */
static void booleans_come_after_junctions(void)
{
    model m = read_model("switch hot off, on when e(c) > 1\n"
                         "Se V = 1\nC c = 1\nX1 s\nX1 z\nV -> s -> z -> c\n"
                         "automaton cold {\n a off initial\n b on\n a -> b when on(hot)\n}\n"
                         "switch s off, on when on(hot) or in(cold, b)\n");
    const jn_graph *g = m.g;
    CU_ASSERT_EQUAL_FATAL(g->nswitches, 4);
    static const char *const names[] = {"s", "z", "hot", "cold"};
    for (int i = 0; i < 4; i++) {
        const jn_element *e = &g->element[g->automaton[i].element];
        TEST_TEXT(names[i], g->switch_name[i]);
        TEST_TEXT(names[i], e->name);
        CU_ASSERT_EQUAL(e->number, i);
        CU_ASSERT_EQUAL(e->kind == JN_BOOLEAN, i >= 2);
        CU_ASSERT_EQUAL(e->nbonds == 0, i >= 2);
    }
    CU_ASSERT_EQUAL(g->automaton[0].transition[0].when->arg[1]->index, 3);
    CU_ASSERT_EQUAL(jn_diags_count(m.diags), 0);
    forget(&m);
}

static void show_automata(jn_str *out, const jn_graph *g)
{
    for (int i = 0; i < g->nswitches; i++) {
        const jn_automaton *a = &g->automaton[i];
        jn_str_addf(out, "%s %s", g->switch_name[i], a->state[a->initial].name);
        for (int k = 0; k < a->ntransitions; k++) {
            const jn_transition *t = &a->transition[k];
            jn_str_addf(out, ", %s", a->state[t->to].name);
            show_expr(out, g, " when ", t->when);
        }
        show_expr(out, g, " pwm ", a->pwm_period);
        show_expr(out, g, " ", a->pwm_duty);
        jn_str_addc(out, '\n');
    }
}

/* What a model's laws stand for, read as a model of its own, is the same graph. */
static void ready_made_laws_stand_for_conditions(void)
{
    static const char text[] =
        "submodel Leg(v) {\n ports a\n 0 a\n X1 d\n R r = 2\n a -> d -> r\n"
        " switch d diode(v) # body\n}\n"
        "Se V = 24\nC c = 1\nX1 q\nX1 th[1]\nX1 th[2]\nX0 fw\nX0 br\nX1 k\n0 n\nI J = 1\n"
        "R d_drop = 1\nLeg leg(0.7)\nV -> q -> n -> leg.a\nn -> c\nn -> d_drop\n"
        "n -> fw -> J\nfor i in 1..2 {\n n -> th[i] -> R1[i]\n R R1[i] = 1\n"
        " switch th[i] thyristor(pwm(i, 1/3))\n}\n"
        "n -> br -> R2\nR R2 = 3\nn -> k -> R3\nR R3 = 3\n"
        "switch q transistor(pwm(1m, 1/2)) reverse diode\nswitch fw diode\n"
        "switch br brake(3)\nswitch k stop(q(c) - 1)\n"
        "switch hot off, on when on(q) or on(th[1])\n";
    model m = read_model(text);
    jn_ast_block tree, expanded;
    const jn_source *s = jn_source_of(m.arena, "test.hbg", text, strlen(text));
    CU_ASSERT_EQUAL_FATAL(jn_syntax_parse(&tree, m.arena, s, m.diags), JN_OK);
    CU_ASSERT_EQUAL_FATAL(jn_graph_expand(&expanded, m.arena, &tree, s, m.diags), JN_OK);
    jn_str spelt, first, second;
    jn_str_init(&spelt);
    jn_str_init(&first);
    jn_str_init(&second);
    jn_syntax_format(&spelt, &expanded);
    CU_ASSERT_PTR_NOT_NULL(strstr(jn_str_c(&spelt), "# diode: body"));
    CU_ASSERT_PTR_NULL(strstr(jn_str_c(&spelt), "switch d diode"));
    model other = read_model(jn_str_c(&spelt));
    show_automata(&first, m.g);
    show_automata(&second, other.g);
    TEST_TEXT(jn_str_c(&first), jn_str_c(&second));
    CU_ASSERT_EQUAL(m.g->nbonds, other.g->nbonds);
    CU_ASSERT_EQUAL(m.g->nsources, other.g->nsources);
    jn_str_clear(&spelt);
    jn_str_clear(&first);
    jn_str_clear(&second);
    forget(&other);
    forget(&m);
}

static void check_text(const char *expected, const char *got)
{
    TEST_TEXT(expected, got ? got : "(none)");
}

/* Domains spread along bonds and end at TF and GY; units follow, also into outputs. */
static void domains_spread_along_bonds(void)
{
    model m =
        read_model("domain electrical\ndomain rotational : J\ndomain none : w\n"
                   "Se V = 24 V\nI L = 1mH, f0 = 2 A\nGY k = 0.1 N*m/A\nI J = 20 g*m^2\n"
                   "TF n = 3\nI load = 1\nTF out = 2\n1 w\nI tool = 3 V\nX1 s\n"
                   "1 loop\n1 shaft\n1 slow\nparam e0 = 5 V\nSe extra = e0\n"
                   "V -> loop -> L\nloop -> k -> shaft -> J\nshaft -> n -> slow -> load\n"
                   "extra -> s -> loop\nslow -> out -> w -> tool\n"
                   "domain rotational : slow\nswitch s off, on when e(s) > 3 mV and t < 2 ms\n"
                   "signal power = e(V)*f(V)\ndiscrete d = 1\n"
                   "output f(L), f(J), p(load), power, x = 2*q0 [m/s], e(tool), "
                   "int(f(J)), d, d/2 [kg], f(L)^2\nsignal q0 = d\n");
    const jn_graph *g = m.g;
    static const char *const element[] = {"V",    "L",    "loop",  "s",    "J",
                                          "load", "slow", "shaft", "tool", "k"};
    static const jn_domain domain[] = {
        JN_DOMAIN_ELECTRICAL, JN_DOMAIN_ELECTRICAL, JN_DOMAIN_ELECTRICAL, JN_DOMAIN_ELECTRICAL,
        JN_DOMAIN_ROTATIONAL, JN_DOMAIN_ROTATIONAL, JN_DOMAIN_ROTATIONAL, JN_DOMAIN_ROTATIONAL,
        JN_DOMAIN_NONE,       JN_DOMAIN_UNKNOWN};
    for (int i = 0; i < 10; i++)
        CU_ASSERT_EQUAL(g->element[jn_graph_find(g, element[i])].domain, domain[i]);
    check_text("H", jn_graph_value_unit(g, jn_graph_find(g, "L")));
    check_text("kg*m^2", jn_graph_value_unit(g, jn_graph_find(g, "J")));
    check_text("Wb", jn_graph_value_unit(g, jn_graph_find(g, "k"))); /* V*s = N*m/A */
    check_text("(none)", jn_graph_value_unit(g, jn_graph_find(g, "n")));
    check_text("(none)", jn_graph_value_unit(g, jn_graph_find(g, "tool")));
    static const char *const unit[] = {"A",      "rad/s",  "N*m*s",  "W",  "m/s",
                                       "(none)", "(none)", "(none)", "kg", "A^2"};
    CU_ASSERT_EQUAL_FATAL(g->noutputs, 10);
    for (int i = 0; i < 10; i++)
        check_text(unit[i], g->output[i].unit);
    forget(&m);
}

static void show_cases(jn_str *out, const jn_graph *g, const char *name)
{
    const jn_element *e = &g->element[jn_graph_find(g, name)];
    for (int i = 0; i < e->ncases; i++) {
        show_expr(out, g, i ? ", " : "", e->cases[i].when);
        jn_str_add(out, ": ");
        show_ratfun(out, g, e->cases[i].value);
    }
    jn_str_addf(out, "%s\n", e->ncases ? "" : "none");
}

/* Values that switches choose: exact, through signals, in every combination. */
static void cases_are_guarded(void)
{
    model m = read_model("param k = 3\nsignal choice = if(on(hot) and not on(s), 1/2, k)\n"
                         "Se V = 1\nX1 s\n1 j\nV -> s -> j\nj -> a\nj -> b\nj -> c\nj -> d\n"
                         "j -> n -> last\nR last = same\nsignal same = 2*k\n"
                         "R a = if(on(hot), 2, 1)\nC b = 2*choice + k\n"
                         "R c = if(on(s), if(on(hot), 1, 2), 3)*if(on(hot), k, 1)\n"
                         "R d = if(e(V) > 1, 2, 1)\nTF n = -if(on(s) or on(hot), 0, k)^2\n"
                         "switch hot off, on when e(b) > 1\n");
    jn_str got;
    jn_str_init(&got);
    static const char *const names[] = {"a", "b", "c", "d", "n", "last"};
    for (int i = 0; i < 6; i++)
        show_cases(&got, m.g, names[i]);
    TEST_TEXT("on(hot): 2, not on(hot): 1\n"
              "on(hot) and not on(s): k + 1, not (on(hot) and not on(s)): 3*k\n"
              "on(s) and on(hot) and on(hot): k, on(s) and not on(hot) and not on(hot): 2, "
              "not on(s) and on(hot): 3*k, not on(s) and not on(hot): 3\n"
              "none\n"
              "on(s) or on(hot): 0, not (on(s) or on(hot)): -k^2\n"
              ": 2*k\n",
              jn_str_c(&got));
    CU_ASSERT(m.g->element[jn_graph_find(m.g, "a")].modulated);
    jn_str_clear(&got);
    forget(&m);
}

/* A random condition of three switches, and in which of the eight modes it holds. */
static unsigned random_choice(jn_str *out, test_rng *r, int depth)
{
    static const unsigned on[] = {0xAA, 0xCC, 0xF0};
    int s = test_rng_int(r, 0, 2), what = depth ? test_rng_int(r, 0, 3) : 0;
    if (what == 0) {
        jn_str_addf(out, "on(s%d)", s);
        return on[s];
    }
    jn_str_add(out, what == 1 ? "not (" : "(");
    unsigned a = random_choice(out, r, depth - 1);
    if (what == 1) {
        jn_str_addc(out, ')');
        return ~a & 0xFF;
    }
    jn_str_add(out, what == 2 ? " and " : " or ");
    unsigned b = random_choice(out, r, depth - 1);
    jn_str_addc(out, ')');
    return what == 2 ? a & b : a | b;
}

/* A random value that they choose, and what it is in each mode. */
static void random_value(jn_str *out, long value[8], test_rng *r, int depth)
{
    long other[8];
    int what = depth ? test_rng_int(r, 0, 3) : 0, number = test_rng_int(r, 1, 9);
    if (what == 0) {
        jn_str_addf(out, "%d", number);
        for (int m = 0; m < 8; m++)
            value[m] = number;
        return;
    }
    unsigned holds = 0;
    jn_str_add(out, what == 1 ? "if(" : "(");
    if (what == 1) {
        holds = random_choice(out, r, 2);
        jn_str_add(out, ", ");
    }
    random_value(out, value, r, depth - 1);
    jn_str_add(out, what == 1 ? ", " : what == 2 ? " + " : "*");
    random_value(out, other, r, depth - 1);
    jn_str_addc(out, ')');
    for (int m = 0; m < 8; m++)
        value[m] = what == 1   ? (holds >> m & 1 ? value[m] : other[m])
                   : what == 2 ? value[m] + other[m]
                               : value[m] * other[m];
}

static bool holds_in(const jn_graph *g, const jn_expr *c, int mode)
{
    if (c->op == JN_X_ON)
        return mode >> g->element[c->index].number & 1;
    bool first = holds_in(g, c->arg[0], mode);
    if (c->op == JN_X_NOT)
        return !first;
    bool second = holds_in(g, c->arg[1], mode);
    return c->op == JN_X_AND ? first && second : first || second;
}

/* In every mode exactly one case holds, and has the value computed directly. */
static void random_cases_are_guarded(void)
{
    test_rng r = test_rng_new(11);
    int compared = 0;
    for (int turn = 0; turn < 300; turn++) {
        long value[8];
        jn_str text;
        jn_str_init(&text);
        jn_str_add(&text, "Se V = 1\nX1 s0\nX1 s1\nX1 s2\nV -> s0 -> s1 -> s2 -> r\nR r = ");
        random_value(&text, value, &r, 3);
        jn_str_addc(&text, '\n');
        model m = read_model(jn_str_c(&text));
        const jn_element *e = &m.g->element[jn_graph_find(m.g, "r")];
        for (int mode = 0; mode < 8 && e->ncases; mode++) {
            int found = 0;
            for (int i = 0; i < e->ncases; i++) {
                if (e->cases[i].when && !holds_in(m.g, e->cases[i].when, mode))
                    continue;
                found++;
                CU_ASSERT_EQUAL(jn_ratfun_get_d(m.g->field, e->cases[i].value),
                                (double)value[mode]);
            }
            CU_ASSERT_EQUAL(found, 1);
            compared++;
        }
        jn_str_clear(&text);
        forget(&m);
    }
    CU_ASSERT(compared > 500);
}

/* Whatever is derived from effort and flow is what the table says. */
static void domains_give_units(void)
{
    static const char *const table[][7] = {
        {"V", "A", "V*s", "A*s", "H", "F", "Ohm"},
        {"N", "m/s", "N*s", "m", "kg", "m/N", "N*s/m"},
        {"N*m", "s^-1", "N*m*s", "rad", "kg*m^2", "s^2/kg/m^2", "N*m*s"},
        {"Pa", "m^3/s", "Pa*s", "m^3", "kg/m^4", "m^3/Pa", "Pa*s/m^3"},
        {"K", "J/s", "K*s", "J", "K*s/W", "J/K", "K/W"}};
    for (int d = JN_DOMAIN_ELECTRICAL; d <= JN_DOMAIN_THERMAL; d++) {
        for (int k = 0; k < 7; k++) {
            const char *text = table[d - JN_DOMAIN_ELECTRICAL][k];
            jn_unit got, wanted;
            CU_ASSERT_PTR_NOT_NULL(jn_domain_unit(&got, (jn_domain)d, "efpqICR"[k]));
            CU_ASSERT_EQUAL(jn_unit_scan(&wanted, text, strlen(text)), strlen(text));
            CU_ASSERT(jn_unit_same(&got, &wanted));
        }
    }
    jn_unit u;
    CU_ASSERT_PTR_NULL(jn_domain_unit(&u, JN_DOMAIN_NONE, 'e'));
}

static void tables_are_read(void)
{
    model m = read_model("Se V = table(\"a b.csv\", \"c\") + table(\"a\", \"b.csv c\")\n"
                         "R r = table(\"a b.csv\", \"c\", 2*t)\nV -> r\n"
                         "output table(\"a\", \"b.csv c\")\nsimulate to 2 every 1/8\n");
    CU_ASSERT_EQUAL_FATAL(m.g->ntables, 3);
    CU_ASSERT(m.g->table[0].over_time && m.g->table[1].over_time && !m.g->table[2].over_time);
    TEST_TEXT("b.csv c", m.g->table[1].column);
    CU_ASSERT_EQUAL(m.g->element[1].modulation->index, 2);
    TEST_TEXT("table(\"a\", \"b.csv c\")", m.g->output[0].name);
    CU_ASSERT_EQUAL(jn_ratfun_get_d(m.g->field, m.g->to->number), 2.0);
    CU_ASSERT_EQUAL(m.g->every->op, JN_X_DIV);
    forget(&m);
}

/* ---- size ---------------------------------------------------------------------------------- */

/* Anything quadratic would never end. */
static void large_models_are_built(void)
{
    model m = read_model("submodel Cell(Cap) {\n ports a\n 0 a\n C c = Cap\n R r = 2\n X1 s\n"
                         " a -> s -> c\n a -> r\n switch s on, off when e(c) > 1\n}\n"
                         "Se V = 1\n0 n\nV -> n\n"
                         "for k in 1..49999 {\n Cell cell[k](k/1000)\n n -> cell[k].a\n}\n");
    CU_ASSERT_EQUAL(m.g->nelements, 199998);
    CU_ASSERT_EQUAL(m.g->nswitches, 49999);
    forget(&m);
}

static void check_endless(const char *text)
{
    model m = read_named("endless.hbg", text);
    CU_ASSERT_EQUAL(m.status, JN_INVALID);
    CU_ASSERT_EQUAL(jn_diags_errors(m.diags), 1);
    CU_ASSERT_EQUAL(jn_diags_get(m.diags, 0)->code, JN_D_TOO_LARGE);
    forget(&m);
}

static void endless_models_fail_at_once(void)
{
    check_endless("0 n\nfor k in 1..1000000000 {\n 0 x[k]\n}\n");
    check_endless("0 n\nfor k in 1..100000 {\n for j in 1..100000 {\n }\n}\n");
    check_endless("0 n\n0 m\nfor k in 1..150000 {\n n -> m -> n -> m -> n -> m -> n -> m\n}\n");
    jn_str doubling; /* 2^40 parts */
    jn_str_init(&doubling);
    jn_str_add(&doubling, "D0 x\n");
    for (int i = 0; i < 40; i++)
        jn_str_addf(&doubling, "submodel D%d {\n D%d x\n D%d y\n}\n", i, i + 1, i + 1);
    jn_str_add(&doubling, "submodel D40 {\n}\n");
    check_endless(jn_str_c(&doubling));
    jn_str_clear(&doubling);
}

void suite_graph(void)
{
    TEST_SUITE("graph");
    TEST_ADD(values_are_exact);
    TEST_ADD(two_ports_have_directions);
    TEST_ADD(names_of_bonds_do_not_clash);
    TEST_ADD(unconnected_parts_are_left_out);
    TEST_ADD(elements_have_classes);
    TEST_ADD(models_have_names);
    TEST_ADD(submodels_are_flattened);
    TEST_ADD(scopes_hide_names);
    TEST_ADD(loops_equal_what_is_written_out);
    TEST_ADD(missing_values_are_known);
    TEST_ADD(values_can_be_set);
    TEST_ADD(signals_are_ordered);
    TEST_ADD(switches_become_automata);
    TEST_ADD(discrete_variables_are_set);
    TEST_ADD(laws_read_rates);
    TEST_ADD(booleans_come_after_junctions);
    TEST_ADD(ready_made_laws_stand_for_conditions);
    TEST_ADD(domains_spread_along_bonds);
    TEST_ADD(domains_give_units);
    TEST_ADD(cases_are_guarded);
    TEST_ADD(random_cases_are_guarded);
    TEST_ADD(tables_are_read);
    TEST_ADD(large_models_are_built);
    TEST_ADD(endless_models_fail_at_once);
}
