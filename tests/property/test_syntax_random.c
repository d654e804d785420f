/* test_syntax_random.c: random trees survive being written and read; brackets are as few as
 * can be; any bytes give a tree or errors, nothing else. */
#include <glob.h>

#include "unit/ast_equal.h"
#include "junct/syntax.h"
#include "testing.h"

/* ---- random trees -------------------------------------------------------------------------- */

typedef struct {
    test_rng rng;
    jn_arena *arena;
} maker;

static bool chance(maker *m, int percent)
{
    return test_rng_chance(&m->rng, percent);
}

static int below(maker *m, int n)
{
    return test_rng_int(&m->rng, 0, n - 1);
}

static void *array(maker *m, int n, size_t size)
{
    return jn_arena_alloc(m->arena, (size_t)n * size);
}

#define PICK(m, list) ((list)[below((m), (int)(sizeof(list) / sizeof *(list)))])

static const char *random_word(maker *m)
{
    static const char *const words[] = {"a",
                                        "b",
                                        "L1",
                                        "I",
                                        "C",
                                        "X0",
                                        "in",
                                        "to",
                                        "on",
                                        "k",
                                        "at",
                                        "_",
                                        "e",
                                        "pwm",
                                        "f",
                                        "off",
                                        "every",
                                        "initial",
                                        "a_name_that_is_too_long_to_be_aligned"};
    return PICK(m, words);
}

static const char *random_comment(maker *m)
{
    static const char *const texts[] = {"", "x", " indented", "#", "## é \\", "!", "\"", "a; b {"};
    return chance(m, 80) ? NULL : PICK(m, texts);
}

static const char *random_text(maker *m)
{
    static const char *const texts[] = {"", "a b", "\"", "\\", "é → #", "\\\"\t"};
    return PICK(m, texts);
}

static const jn_ast_expr *random_expr(maker *m, int size);

static jn_ast_name random_name(maker *m)
{
    jn_ast_name n = {.nparts = chance(m, 80) ? 1 : 2};
    n.part = array(m, n.nparts, sizeof *n.part);
    for (int i = 0; i < n.nparts; i++) {
        n.part[i].text = random_word(m);
        n.part[i].index = chance(m, 80) ? NULL : random_expr(m, 2);
    }
    return n;
}

static const jn_ast_expr **random_exprs(maker *m, int n, int size)
{
    const jn_ast_expr **list = array(m, n, sizeof *list);
    for (int i = 0; i < n; i++)
        list[i] = random_expr(m, size);
    return list;
}

static void random_call(maker *m, jn_ast_expr *e, int size)
{
    e->op = JN_AST_CALL;
    e->text = random_word(m);
    e->nargs = below(m, 4);
    e->arg = random_exprs(m, e->nargs, size - 1);
    if (e->nargs && chance(m, 10)) {
        jn_ast_expr *text = array(m, 1, sizeof *text);
        text->op = JN_AST_STRING;
        text->text = random_text(m);
        e->arg[0] = text;
    }
}

static const jn_ast_expr *random_expr(maker *m, int size)
{
    static const char *const numbers[] = {"0",    "1",       "12",      "0.1",  ".5",
                                          "2.",   "1e-3",    "1.5E+2",  "100u", "4.7uF",
                                          "24 V", "3 rad/s", "1500 rpm"};
    jn_ast_expr *e = array(m, 1, sizeof *e);
    int what = size > 0 ? below(m, 10) : below(m, 2);
    if (what == 0) {
        e->op = JN_AST_NUMBER;
        e->text = PICK(m, numbers);
    } else if (what == 1) {
        e->op = JN_AST_NAME;
        e->name = random_name(m);
    } else if (what == 2) {
        random_call(m, e, size);
    } else {
        e->op = test_rng_int(&m->rng, JN_AST_NEG, JN_AST_OR);
        e->nargs = e->op == JN_AST_NEG || e->op == JN_AST_NOT ? 1 : 2;
        e->arg = random_exprs(m, e->nargs, size - 1);
    }
    return e;
}

static const jn_ast_expr *maybe_expr(maker *m)
{
    return chance(m, 50) ? random_expr(m, 3) : NULL;
}

static const char **random_words(maker *m, int n);

static const jn_ast_matrix *random_matrix(maker *m, int rows)
{
    jn_ast_matrix *x = array(m, 1, sizeof *x);
    x->nrows = rows;
    x->row = array(m, rows, sizeof *x->row);
    for (int i = 0; i < rows; i++) {
        x->row[i].n = test_rng_int(&m->rng, 1, 3);
        x->row[i].item = array(m, x->row[i].n, sizeof *x->row[i].item);
        for (int k = 0; k < x->row[i].n; k++)
            x->row[i].item[k] = random_expr(m, 2);
    }
    return x;
}

static void random_element(maker *m, jn_ast *s)
{
    static const char *const keys[] = {"p0", "q0", "e0", "f0", "priority", "detachable"};
    s->u.element.kind = below(m, JN_X1 + 1);
    s->u.element.name = random_name(m);
    s->u.element.nports = chance(m, 20) ? test_rng_int(&m->rng, 1, 3) : 0;
    s->u.element.port = random_words(m, s->u.element.nports);
    if (chance(m, 15))
        s->u.element.matrix = random_matrix(m, test_rng_int(&m->rng, 1, 3));
    else
        s->u.element.value = maybe_expr(m);
    if (chance(m, 20)) {
        s->u.element.law_of = "efpq"[below(m, 4)];
        s->u.element.law = random_expr(m, 3);
    }
    s->u.element.noptions = chance(m, 70) ? 0 : below(m, 4);
    s->u.element.option = array(m, s->u.element.noptions, sizeof *s->u.element.option);
    for (int i = 0; i < s->u.element.noptions; i++) {
        jn_ast_option *o = &s->u.element.option[i];
        o->key = PICK(m, keys);
        if (strcmp(o->key, "detachable") == 0)
            continue;
        if (chance(m, 20))
            o->list = random_matrix(m, 1);
        else
            o->value = random_expr(m, 2);
    }
}

static void random_bonds(maker *m, jn_ast *s)
{
    bool labelled = chance(m, 30);
    s->u.bonds.label = labelled ? random_word(m) : NULL;
    s->u.bonds.nnames = labelled ? 2 : test_rng_int(&m->rng, 2, 5);
    s->u.bonds.name = array(m, s->u.bonds.nnames, sizeof *s->u.bonds.name);
    for (int i = 0; i < s->u.bonds.nnames; i++)
        s->u.bonds.name[i] = random_name(m);
}

static void random_switch(maker *m, jn_ast *s)
{
    s->u.sw.name = random_name(m);
    s->u.sw.is_pwm = chance(m, 30);
    if (s->u.sw.is_pwm) {
        s->u.sw.npwm = test_rng_int(&m->rng, 2, 3);
        s->u.sw.pwm = random_exprs(m, s->u.sw.npwm, 2);
        return;
    }
    if (chance(m, 40)) {
        static const char *const laws[] = {"diode", "transistor", "thyristor", "brake", "stop"};
        s->u.sw.law = PICK(m, laws);
        s->u.sw.nlaw = below(m, 3);
        s->u.sw.law_arg = random_exprs(m, s->u.sw.nlaw, 2);
        s->u.sw.reverse = chance(m, 30);
        return;
    }
    s->u.sw.on = chance(m, 50);
    s->u.sw.nclauses = below(m, 4);
    s->u.sw.clause = array(m, s->u.sw.nclauses, sizeof *s->u.sw.clause);
    for (int i = 0; i < s->u.sw.nclauses; i++)
        s->u.sw.clause[i] =
            (jn_ast_clause){.on = chance(m, 50), .at = chance(m, 50), .expr = random_expr(m, 3)};
}

static jn_ast_remarks random_remarks(maker *m)
{
    jn_ast_remarks r = {.n = chance(m, 70) ? 0 : below(m, 4)};
    r.line = array(m, r.n, sizeof *r.line);
    for (int i = 0; i < r.n; i++)
        r.line[i] = random_comment(m);
    return r;
}

static void random_sets(maker *m, jn_ast_transition *t)
{
    t->nsets = chance(m, 60) ? 0 : below(m, 4);
    t->set = array(m, t->nsets, sizeof *t->set);
    for (int i = 0; i < t->nsets; i++)
        t->set[i] = (jn_ast_set){.name = random_name(m), .value = random_expr(m, 2)};
}

static void random_automaton(maker *m, jn_ast *s)
{
    s->u.automaton.name = random_name(m);
    s->u.automaton.nstates = below(m, 4);
    s->u.automaton.state = array(m, s->u.automaton.nstates, sizeof(jn_ast_state));
    for (int i = 0; i < s->u.automaton.nstates; i++)
        s->u.automaton.state[i] = (jn_ast_state){.name = random_word(m),
                                                 .on = chance(m, 50),
                                                 .initial = chance(m, 50),
                                                 .comment = random_comment(m),
                                                 .before = random_remarks(m)};
    s->u.automaton.ntransitions = below(m, 4);
    s->u.automaton.transition = array(m, s->u.automaton.ntransitions, sizeof(jn_ast_transition));
    for (int i = 0; i < s->u.automaton.ntransitions; i++) {
        s->u.automaton.transition[i] = (jn_ast_transition){.from = random_word(m),
                                                           .to = random_word(m),
                                                           .when = random_expr(m, 3),
                                                           .comment = random_comment(m),
                                                           .before = random_remarks(m)};
        random_sets(m, &s->u.automaton.transition[i]);
    }
    s->u.automaton.end = random_remarks(m);
}

static void random_output(maker *m, jn_ast *s)
{
    s->u.output.n = test_rng_int(&m->rng, 1, 3);
    s->u.output.item = array(m, s->u.output.n, sizeof *s->u.output.item);
    for (int i = 0; i < s->u.output.n; i++) {
        if (chance(m, 50))
            s->u.output.item[i].name = random_name(m);
        s->u.output.item[i].expr = random_expr(m, 3);
        s->u.output.item[i].unit = chance(m, 20) ? "m/s^2" : NULL;
    }
}

static const char **random_words(maker *m, int n)
{
    const char **list = array(m, n, sizeof *list);
    for (int i = 0; i < n; i++)
        list[i] = random_word(m);
    return list;
}

static jn_ast_block random_block(maker *m, int depth);

static void random_loop(maker *m, jn_ast *s, int depth)
{
    s->u.loop.var = random_word(m);
    s->u.loop.from = random_expr(m, 1);
    s->u.loop.to = random_expr(m, 1);
    s->u.loop.body = random_block(m, depth - 1);
}

static jn_ast *random_statement(maker *m, int depth)
{
    jn_ast *s = array(m, 1, sizeof *s);
    s->kind = below(m, JN_AST_COMMENT + 1);
    bool nests = s->kind == JN_AST_SUBMODEL || s->kind == JN_AST_FOR;
    if (nests && depth == 0)
        s->kind = JN_AST_ELEMENT;
    bool block = s->kind == JN_AST_SUBMODEL || s->kind == JN_AST_FOR || s->kind == JN_AST_AUTOMATON;
    s->comment = s->kind == JN_AST_COMMENT ? NULL : random_comment(m);
    s->end_comment = block ? random_comment(m) : NULL;
    switch (s->kind) {
    case JN_AST_MODEL:
        s->u.model.name = random_word(m);
        s->u.model.title = chance(m, 50) ? random_text(m) : NULL;
        break;
    case JN_AST_PARAM:
        s->u.param.name = random_name(m);
        s->u.param.value = maybe_expr(m);
        break;
    case JN_AST_ELEMENT:
        random_element(m, s);
        break;
    case JN_AST_BONDS:
        random_bonds(m, s);
        break;
    case JN_AST_SWITCH:
        random_switch(m, s);
        break;
    case JN_AST_AUTOMATON:
        random_automaton(m, s);
        break;
    case JN_AST_SIGNAL:
        s->u.signal.name = random_name(m);
        s->u.signal.value = random_expr(m, 5);
        break;
    case JN_AST_DISCRETE:
        s->u.discrete.name = random_name(m);
        s->u.discrete.value = random_expr(m, 2);
        break;
    case JN_AST_ASSERT:
        s->u.assertion.condition = random_expr(m, 3);
        s->u.assertion.text = chance(m, 50) ? random_text(m) : NULL;
        break;
    case JN_AST_DOMAIN:
        s->u.domain.domain = random_word(m);
        s->u.domain.nnames = below(m, 3);
        s->u.domain.name = array(m, s->u.domain.nnames, sizeof *s->u.domain.name);
        for (int i = 0; i < s->u.domain.nnames; i++)
            s->u.domain.name[i] = random_name(m);
        break;
    case JN_AST_BOUND:
        s->u.bound.n = test_rng_int(&m->rng, 2, 3);
        s->u.bound.falling = chance(m, 50);
        for (int i = 0; i < s->u.bound.n; i++)
            s->u.bound.part[i] = random_expr(m, 2);
        break;
    case JN_AST_OUTPUT:
        random_output(m, s);
        break;
    case JN_AST_SIMULATE:
        s->u.simulate.to = maybe_expr(m);
        s->u.simulate.every = s->u.simulate.to ? maybe_expr(m) : random_expr(m, 2);
        break;
    case JN_AST_SUBMODEL:
        s->u.submodel.name = chance(m, 50) ? "Cell" : "Tank";
        s->u.submodel.nparams = below(m, 3);
        s->u.submodel.param = random_words(m, s->u.submodel.nparams);
        s->u.submodel.body = random_block(m, depth - 1);
        break;
    case JN_AST_PORTS:
        s->u.ports.n = test_rng_int(&m->rng, 1, 3);
        s->u.ports.name = random_words(m, s->u.ports.n);
        break;
    case JN_AST_INSTANCE:
        s->u.instance.submodel = chance(m, 50) ? "Cell" : "Tank";
        s->u.instance.name = random_name(m);
        s->u.instance.nargs = below(m, 3);
        s->u.instance.arg = random_exprs(m, s->u.instance.nargs, 2);
        break;
    case JN_AST_FOR:
        random_loop(m, s, depth);
        break;
    case JN_AST_COMMENT:
        s->u.comment_line.text = random_comment(m);
        break;
    }
    return s;
}

static jn_ast_block random_block(maker *m, int depth)
{
    jn_ast_block b = {.n = below(m, 8)};
    b.item = array(m, b.n, sizeof *b.item);
    for (int i = 0; i < b.n; i++)
        b.item[i] = random_statement(m, depth);
    return b;
}

/* ---- written and read ---------------------------------------------------------------------- */

static jn_status parse(jn_ast_block *out, jn_arena *a, const char *text, size_t len)
{
    jn_diags *d = jn_diags_new();
    jn_str shown;
    jn_str_init(&shown);
    jn_status status = jn_syntax_parse(out, a, jn_source_of(a, "m", text, len), d);
    jn_diags_render(&shown, d, false);
    CU_ASSERT((status == JN_OK) == (jn_diags_errors(d) == 0));
    CU_ASSERT((status == JN_OK) == (shown.len == 0));
    for (int i = 0; i < jn_diags_count(d); i++)
        CU_ASSERT(jn_diags_get(d, i)->place.offset <= len);
    jn_str_clear(&shown);
    jn_diags_free(d);
    return status;
}

/* format, parse, format: the same tree, the same text. Blank lines at the ends of blocks are in
 * random trees but not in parsed ones: hence the first text may have more of them. */
static void check_round(jn_arena *a, const jn_ast_block *tree)
{
    jn_str first, second, third;
    jn_str_init(&first);
    jn_str_init(&second);
    jn_str_init(&third);
    jn_ast_block again = {0}, once_more = {0};
    jn_syntax_format(&first, tree);
    bool good = parse(&again, a, jn_str_c(&first), first.len) == JN_OK && ast_equal(tree, &again);
    CU_ASSERT(good);
    if (!good)
        printf("\nJUNCT_SEED=%llu, not read back:\n%s\n", (unsigned long long)test_seed(),
               jn_str_c(&first));
    jn_syntax_format(&second, &again);
    CU_ASSERT(parse(&once_more, a, jn_str_c(&second), second.len) == JN_OK);
    jn_syntax_format(&third, &once_more);
    TEST_TEXT(jn_str_c(&second), jn_str_c(&third));
    jn_str_clear(&first);
    jn_str_clear(&second);
    jn_str_clear(&third);
}

static void random_trees_come_back(void)
{
    test_rng rng = test_rng_new(1);
    for (int i = 0; i < 1500; i++) {
        maker m = {rng, jn_arena_new()};
        jn_ast_block tree = random_block(&m, 2);
        check_round(m.arena, &tree);
        rng = m.rng;
        jn_arena_free(m.arena);
    }
}

/* ---- brackets ------------------------------------------------------------------------------ */

static size_t matching(const char *s, size_t open)
{
    int depth = 0;
    for (size_t i = open;; i++) {
        depth += (s[i] == '(') - (s[i] == ')');
        if (depth == 0)
            return i;
    }
}

/* Whatever pair of brackets is left away, another tree comes out, or none. */
static void no_bracket_is_idle(void)
{
    test_rng rng = test_rng_new(2);
    int tried = 0;
    for (int i = 0; i < 1000; i++) {
        maker m = {rng, jn_arena_new()};
        jn_ast s = {.kind = JN_AST_SIGNAL}, *item = &s;
        jn_ast_block tree = {1, &item}, other;
        s.u.signal.name = random_name(&m);
        do
            s.u.signal.value = random_expr(&m, 4);
        while (s.u.signal.value->op == JN_AST_CALL);
        jn_str text;
        jn_str_init(&text);
        jn_syntax_format(&text, &tree);
        for (size_t k = 1; k < text.len && !strchr(text.s, '"'); k++) {
            if (text.s[k] != '(' || !strchr(" (-*/^[", text.s[k - 1]))
                continue; /* not a bracket, or a call's */
            size_t end = matching(text.s, k);
            text.s[k] = text.s[end] = ' ';
            tried++;
            bool same =
                parse(&other, m.arena, text.s, text.len) == JN_OK && ast_equal(&tree, &other);
            CU_ASSERT(!same);
            if (same)
                printf("\nJUNCT_SEED=%llu, brackets not needed: %s",
                       (unsigned long long)test_seed(), text.s);
            text.s[k] = '(';
            text.s[end] = ')';
        }
        jn_str_clear(&text);
        rng = m.rng;
        jn_arena_free(m.arena);
    }
    CU_ASSERT(tried > 500);
}

/* ---- any bytes ----------------------------------------------------------------------------- */

static void mutate(test_rng *rng, char *text, size_t len)
{
    static const char bytes[] = "(){}[].,:;=<>-+*/^\\\"#\n \t01eX_\r\xC3\xFF\x01";
    for (int n = test_rng_int(rng, 1, 6); n > 0; n--) {
        size_t at = (size_t)test_rng_int(rng, 0, (int)len - 1);
        size_t from = (size_t)test_rng_int(rng, 0, (int)len - 1);
        if (test_rng_chance(rng, 60))
            text[at] = bytes[test_rng_int(rng, 0, (int)sizeof bytes - 2)];
        else
            text[at] = text[from];
    }
}

static void damaged_texts_give_errors_or_trees(void)
{
    test_rng rng = test_rng_new(3);
    glob_t found;
    CU_ASSERT_EQUAL_FATAL(glob("examples/*.hbg", 0, NULL, &found), 0);
    int good = 0, bad = 0;
    for (int i = 0; i < 1500; i++) {
        char *text = test_read_file(found.gl_pathv[(size_t)i % found.gl_pathc]);
        size_t len = strlen(text);
        mutate(&rng, text, len);
        jn_arena *a = jn_arena_new();
        jn_ast_block tree;
        if (parse(&tree, a, text, len) == JN_OK) {
            check_round(a, &tree);
            good++;
        } else {
            bad++;
        }
        jn_arena_free(a);
        free(text);
    }
    globfree(&found);
    CU_ASSERT(good > 20 && bad > 20);
}

static void noise_gives_errors(void)
{
    static const char *const pieces[] = {
        "automaton ", "for ",      "k in 1..2 ", "{",          "}",
        "{\n",        "}\n",       "\n",         "submodel S", "(",
        ")",          "[",         "]",          "\\",         "\\\n",
        "\"",         "#",         " = ",        "->",         "when",
        " not ",      "-",         "..",         "1e999",      "\xE2\x88\x92",
        "\xFF",       "R r",       "0",          " x",         ".",
        ";",          ",",         ":",          "switch",     "on",
        "\t",         "{ n = 1; ", "discrete n "};
    test_rng rng = test_rng_new(4);
    for (int i = 0; i < 3000; i++) {
        jn_str text;
        jn_str_init(&text);
        for (int n = test_rng_int(&rng, 1, 60); n > 0; n--)
            jn_str_add(&text, pieces[test_rng_int(&rng, 0, sizeof pieces / sizeof *pieces - 1)]);
        jn_arena *a = jn_arena_new();
        jn_ast_block tree;
        if (parse(&tree, a, text.s, text.len) == JN_OK)
            check_round(a, &tree);
        jn_arena_free(a);
        jn_str_clear(&text);
    }
}

void suite_syntax_random(void)
{
    TEST_SUITE("syntax_random");
    TEST_ADD(random_trees_come_back);
    TEST_ADD(no_bracket_is_idle);
    TEST_ADD(damaged_texts_give_errors_or_trees);
    TEST_ADD(noise_gives_errors);
}
