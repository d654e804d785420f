/* test_formula.c: formulas read back.
 *
 * What is printed is evaluated by a small reader of its own, mode by mode, and compared with
 * the guard; short formulas must be exactly as expected, and no literal in them superfluous. */
#include "testing.h"

#include <ctype.h>

#include "junct/formula.h"

enum { MOST_SWITCHES = 8, MOST_MODES = 1 << MOST_SWITCHES };

static const char *const names[] = {"s1", "s2", "s3", "s4", "s5", "s6", "s7", "s8", "s9", "s10"};

/* ---- reading text back --------------------------------------------------------------------- */

typedef struct {
    const char *at;
    const jn_onoff *m; /* s1 is m[0], … */
    const bool *let;
    bool bad;
} reader;

static bool read_or(reader *r);

static void skip_space(reader *r)
{
    while (*r->at == ' ')
        r->at++;
}

static bool read_atom(reader *r)
{
    skip_space(r);
    char c = *r->at++;
    if (c == '!')
        return !read_atom(r);
    if (c == '0' || c == '1')
        return c == '1';
    if (c == '(') {
        bool value = read_or(r);
        r->bad |= *r->at != ')';
        r->at += *r->at == ')';
        return value;
    }
    if ((c != 's' && c != '_') || !isdigit((unsigned char)*r->at)) {
        r->bad = true;
        r->at--;
        return false;
    }
    long number = strtol(r->at, (char **)&r->at, 10);
    return c == 's' ? r->m[number - 1] : r->let[number - 1];
}

static bool more(reader *r, char sign)
{
    skip_space(r);
    bool there = *r->at == sign;
    r->at += there;
    return there;
}

static bool read_and(reader *r)
{
    bool value = read_atom(r);
    while (more(r, '&'))
        value &= read_atom(r);
    return value;
}

static bool read_xor(reader *r)
{
    bool value = read_and(r);
    while (more(r, '^'))
        value ^= read_and(r);
    return value;
}

static bool read_or(reader *r)
{
    bool value = read_xor(r);
    while (more(r, '|'))
        value |= read_xor(r);
    return value;
}

static bool value_of(const char *text, const jn_onoff *m, const bool *let)
{
    reader r = {text, m, let, false};
    bool value = read_or(&r);
    skip_space(&r);
    if (r.bad || *r.at) {
        printf("\nnot a formula: %s\n", text);
        CU_FAIL("not a formula");
    }
    return value;
}

/* ---- spaces and texts ---------------------------------------------------------------------- */

typedef struct {
    int n;
    jn_guards *g;
    jn_formulas *F;
} lab;

static lab open_lab(int n, const int *order)
{
    lab l = {.n = n, .g = jn_guards_new(n, order)};
    l.F = jn_formulas_new(l.g);
    return l;
}

static void close_lab(lab *l)
{
    CU_ASSERT(!jn_guards_failed(l->g));
    jn_formulas_free(l->F);
    jn_guards_free(l->g);
}

static void shuffle(int *order, int n, test_rng *rng)
{
    for (int i = 0; i < n; i++)
        order[i] = i;
    for (int i = n - 1; i > 0; i--) {
        int j = test_rng_int(rng, 0, i), keep = order[i];
        order[i] = order[j];
        order[j] = keep;
    }
}

static void set_mode(jn_onoff *m, int n, int mode)
{
    for (int s = 0; s < n; s++)
        m[s] = mode >> (n - 1 - s) & 1;
}

static jn_guard from_table(lab *l, const uint8_t *t)
{
    jn_onoff m[MOST_SWITCHES];
    jn_guard a = jn_guard_false();
    for (int mode = 0; mode < 1 << l->n; mode++) {
        set_mode(m, l->n, mode);
        if (t[mode])
            a = jn_guard_or(l->g, a, jn_guard_mode(l->g, m));
    }
    return a;
}

/* The text of a formula; free() it. */
static char *text_of(const jn_formula *f, const char *const *switches, jn_formula_style style)
{
    jn_str s;
    jn_str_init(&s);
    jn_formula_print(&s, f, switches, style);
    char *text = strdup(jn_str_c(&s));
    jn_str_clear(&s);
    return text;
}

/* All lets and, last, the formula, as texts. */
typedef struct {
    int nlets;
    char **let;
    char *formula;
} texts;

static texts texts_of(const lab *l, const jn_formula *f, const char *const *switches)
{
    texts t = {.nlets = jn_formulas_lets(l->F)};
    t.let = calloc((size_t)t.nlets + 1, sizeof *t.let);
    for (int i = 0; i < t.nlets; i++)
        t.let[i] = text_of(jn_formulas_let(l->F, i), switches, JN_FORMULA_TEXT);
    t.formula = text_of(f, switches, JN_FORMULA_TEXT);
    return t;
}

static void clear_texts(texts *t)
{
    for (int i = 0; i < t->nlets; i++)
        free(t->let[i]);
    free(t->let);
    free(t->formula);
}

static bool texts_at(const texts *t, const jn_onoff *m)
{
    bool *let = calloc((size_t)t->nlets + 1, sizeof *let);
    for (int i = 0; i < t->nlets; i++)
        let[i] = value_of(t->let[i], m, let);
    bool value = value_of(t->formula, m, let);
    free(let);
    return value;
}

/* Does the printed formula agree with the table wherever care holds (NULL: everywhere)? */
static void check_value(const lab *l, const jn_formula *f, const uint8_t *t, const uint8_t *care)
{
    texts printed = texts_of(l, f, names);
    for (int mode = 0; mode < 1 << l->n; mode++) {
        jn_onoff m[MOST_SWITCHES];
        set_mode(m, l->n, mode);
        bool same = (care && !care[mode]) || texts_at(&printed, m) == t[mode];
        CU_ASSERT(same);
        if (!same) {
            printf("\nwrong in mode %d: %s\n", mode, printed.formula);
            break;
        }
    }
    clear_texts(&printed);
}

/* ---- random functions ---------------------------------------------------------------------- */

static void random_table(uint8_t *t, int n, test_rng *rng)
{
    int percent = test_rng_int(rng, 5, 95);
    int ignored = 0;
    for (int bit = 1; bit < 1 << n; bit <<= 1)
        ignored |= test_rng_chance(rng, 12) ? bit : 0;
    for (int mode = 0; mode < 1 << n; mode++)
        t[mode] = test_rng_chance(rng, percent);
    for (int mode = 0; mode < 1 << n; mode++)
        t[mode] = t[mode & ~ignored];
}

/* Literals that make no difference: the value of a formula where the literal number `at`, in
 * the order of writing, is replaced by a constant. */
static bool value_with(const jn_formula *f, const jn_onoff *m, int *at, bool constant)
{
    bool value = f->op == JN_FORMULA_AND;
    switch (f->op) {
    case JN_FORMULA_CONST:
        return f->value;
    case JN_FORMULA_SWITCH:
        return (*at)-- == 0 ? constant : m[f->value];
    case JN_FORMULA_NOT:
        return !value_with(f->part[0], m, at, constant);
    default:
        break;
    }
    for (int i = 0; i < f->nparts; i++) {
        bool part = value_with(f->part[i], m, at, constant);
        value = f->op == JN_FORMULA_AND  ? value && part
                : f->op == JN_FORMULA_OR ? value || part
                                         : value != part;
    }
    return value;
}

static void check_irredundant(int n, const jn_formula *f, const uint8_t *t)
{
    for (int literal = 0; literal < jn_formula_literals(f); literal++)
        for (int constant = 0; constant < 2; constant++) {
            bool differs = false;
            for (int mode = 0; mode < 1 << n; mode++) {
                jn_onoff m[MOST_SWITCHES];
                set_mode(m, n, mode);
                int at = literal;
                differs |= value_with(f, m, &at, constant) != t[mode];
            }
            CU_ASSERT(differs);
        }
}

/* Up to 5 switches a formula has no case distinctions: it does not depend on the order of the
 * diagram, and no literal can go. */
static void check_small(int n, const uint8_t *t, test_rng *rng)
{
    int order[MOST_SWITCHES];
    shuffle(order, n, rng);
    lab a = open_lab(n, NULL), b = open_lab(n, order);
    const jn_formula *f = jn_formula_of(a.F, from_table(&a, t));
    char *one = text_of(f, names, JN_FORMULA_TEXT);
    char *other = text_of(jn_formula_of(b.F, from_table(&b, t)), names, JN_FORMULA_TEXT);
    TEST_TEXT(one, other);
    check_irredundant(n, f, t);
    free(one);
    free(other);
    close_lab(&a);
    close_lab(&b);
}

static void random_functions_print_as_themselves(void)
{
    test_rng rng = test_rng_new(1);
    for (int round = 0; round < 300; round++) {
        int n = round % (MOST_SWITCHES + 1), order[MOST_SWITCHES];
        uint8_t t[MOST_MODES] = {0};
        random_table(t, n, &rng);
        shuffle(order, n, &rng);
        lab l = open_lab(n, order);
        jn_guard a = from_table(&l, t);
        const jn_formula *f = jn_formula_of(l.F, a);
        check_value(&l, f, t, NULL);
        CU_ASSERT(jn_formula_of(l.F, a) == f);
        close_lab(&l);
        if (n <= 5)
            check_small(n, t, &rng);
    }
}

/* Every function of three switches. */
static void all_functions_of_three_print_as_themselves(void)
{
    test_rng rng = test_rng_new(2);
    for (int code = 0; code < 256; code++) {
        uint8_t t[MOST_MODES] = {0};
        for (int mode = 0; mode < 8; mode++)
            t[mode] = code >> mode & 1;
        lab l = open_lab(3, NULL);
        check_value(&l, jn_formula_of(l.F, from_table(&l, t)), t, NULL);
        close_lab(&l);
        check_small(3, t, &rng);
    }
}

static void random_cares_are_kept(void)
{
    test_rng rng = test_rng_new(3);
    for (int round = 0; round < 200; round++) {
        int n = round % (MOST_SWITCHES + 1), order[MOST_SWITCHES];
        uint8_t t[MOST_MODES] = {0}, care[MOST_MODES] = {0};
        random_table(t, n, &rng);
        random_table(care, n, &rng);
        shuffle(order, n, &rng);
        lab l = open_lab(n, order), plain = open_lab(n, order);
        const jn_formula *f = jn_formula_of_care(l.F, from_table(&l, t), from_table(&l, care));
        check_value(&l, f, t, care);
        const jn_formula *p = jn_formula_of(plain.F, from_table(&plain, t));
        if (jn_formulas_lets(l.F) == 0)
            CU_ASSERT(jn_formulas_lets(plain.F) > 0 ||
                      jn_formula_literals(f) <= jn_formula_literals(p));
        close_lab(&l);
        close_lab(&plain);
    }
}

/* A function in which each switch occurs once, of AND, OR, XOR and NOT: it must come out with
 * each switch once, whatever the order. */
static jn_guard random_tree(lab *l, const int *s, int n, test_rng *rng)
{
    jn_guard a;
    if (n == 1) {
        a = jn_guard_switch(l->g, s[0]);
    } else {
        int left = test_rng_int(rng, 1, n - 1), op = test_rng_int(rng, 0, 2);
        jn_guard x = random_tree(l, s, left, rng), y = random_tree(l, s + left, n - left, rng);
        a = op == 0   ? jn_guard_and(l->g, x, y)
            : op == 1 ? jn_guard_or(l->g, x, y)
                      : jn_guard_xor(l->g, x, y);
    }
    return test_rng_chance(rng, 30) ? jn_guard_not(l->g, a) : a;
}

static void each_switch_is_named_once(void)
{
    test_rng rng = test_rng_new(4);
    for (int round = 0; round < 300; round++) {
        int n = 1 + round % 16, order[16], s[16];
        shuffle(order, n, &rng);
        shuffle(s, n, &rng);
        lab l = open_lab(n, order);
        jn_guard a = random_tree(&l, s, n, &rng);
        CU_ASSERT(jn_formula_literals(jn_formula_of(l.F, a)) == n);
        close_lab(&l);
    }
}

/* A choice between two such functions has no AND, OR or XOR at its top, and mentions twice only
 * the switch that chooses. */
static void a_choice_of_two_is_short(void)
{
    test_rng rng = test_rng_new(5);
    for (int round = 0; round < 200; round++) {
        int n = 3 + round % 14, order[16], s[16], left = test_rng_int(&rng, 1, n - 2);
        shuffle(order, n, &rng);
        shuffle(s, n, &rng);
        lab l = open_lab(n, order);
        jn_guard a =
            jn_guard_ite(l.g, jn_guard_switch(l.g, s[0]), random_tree(&l, s + 1, left, &rng),
                         random_tree(&l, s + 1 + left, n - 1 - left, &rng));
        CU_ASSERT(jn_formula_literals(jn_formula_of(l.F, a)) == n + 1);
        close_lab(&l);
    }
}

/* ---- examples ------------------------------------------------------------------------------ */

/* A guard from text such as "ab|!c": letters are switches, ! binds most tightly, then nothing
 * (AND), then ^, then |; brackets as usual. */
static jn_guard parse(lab *l, const char **at, int level)
{
    if (level == 3) {
        char c = *(*at)++;
        if (c == '!')
            return jn_guard_not(l->g, parse(l, at, 3));
        if (c != '(')
            return jn_guard_switch(l->g, c - 'a');
        jn_guard inside = parse(l, at, 0);
        ++*at;
        return inside;
    }
    jn_guard a = parse(l, at, level + 1);
    for (;;) {
        char c = **at;
        if (level == 0 && c == '|') {
            ++*at;
            a = jn_guard_or(l->g, a, parse(l, at, 1));
        } else if (level == 1 && c == '^') {
            ++*at;
            a = jn_guard_xor(l->g, a, parse(l, at, 2));
        } else if (level == 2 && c && !strchr("|^)", c)) {
            a = jn_guard_and(l->g, a, parse(l, at, 3));
        } else {
            return a;
        }
    }
}

static jn_guard guard_of(lab *l, const char *text)
{
    return parse(l, &text, 0);
}

static void check_text(const char *text, const char *expected)
{
    static const char *const letters[] = {"a", "b", "c", "d", "e", "f", "g", "h"};
    int backward[] = {7, 6, 5, 4, 3, 2, 1, 0};
    for (int order = 0; order < 2; order++) {
        lab l = open_lab(8, order ? backward : NULL);
        const jn_formula *f = jn_formula_of(l.F, guard_of(&l, text));
        char *got = text_of(f, letters, JN_FORMULA_TEXT);
        TEST_TEXT(expected, got);
        free(got);
        close_lab(&l);
    }
}

static void known_formulas_print_as_known(void)
{
    check_text("a", "a");
    check_text("!a", "!a");
    check_text("a!a", "0");
    check_text("a|!a", "1");
    check_text("b|a", "a | b");
    check_text("a!b|!ab", "a ^ b");
    check_text("ab|!a!b", "!(a ^ b)");
    check_text("!(ab)", "!a | !b");
    check_text("!(ab)c", "(!a | !b) & c");
    check_text("ab|c", "a & b | c");
    check_text("(a^b)c", "(a ^ b) & c");
    check_text("(a^b)|c", "(a ^ b) | c");
    check_text("ab^c", "(a & b) ^ c");
    check_text("(a|b)^c^d", "(a | b) ^ c ^ d");
    check_text("!c|!(a^b)", "!(a ^ b) | !c");
    check_text("(a|b)(c|d)(e|f)", "(a | b) & (c | d) & (e | f)");
    check_text("ce|cf|de|df", "(c | d) & (e | f)");
    check_text("ab|bc|ca", "a & b | a & c | b & c");
    check_text("ca|!cb", "a & c | b & !c");
    check_text("(a|b)(a|c)(b|c)(a|d)", "a & b | a & c | b & c & d"); /* the shorter of the two */
    check_text("abc|!(ab)d", "a & b & c | (!a | !b) & d");
    check_text("(a^b)c|(a^b)d|!(a^b)e", "(a ^ b) & (c | d) | !(a ^ b) & e");
    check_text("(a|b|c)(!a|!b|!c)", "(a ^ c) | (b ^ c)");
    check_text("ab|cd|ad", "a & b | a & d | c & d");
    check_text("(a|b|c)(!a|d)(b|e)", "(a | b | c) & (!a | d) & (b | e)");
    check_text("a!b|!ab|ac", "(a ^ b) | b & c");
}

static void formulas_have_latex(void)
{
    static const char *const switches[] = {"s1", "main_valve", "c[3].t", "K"};
    lab l = open_lab(4, NULL);
    const struct {
        const char *guard, *expected;
    } cases[] = {
        {"a^d", "\\lambda_{s1} \\oplus \\lambda_{K}"},
        {"!a|bc", "\\overline{\\lambda_{s1}} \\vee \\lambda_{\\mathrm{main\\_valve}} \\wedge "
                  "\\lambda_{\\mathrm{c[3].t}}"},
        {"!(a^d)", "\\overline{\\lambda_{s1} \\oplus \\lambda_{K}}"},
        {"(a|d)(b|c)", "(\\lambda_{s1} \\vee \\lambda_{K}) \\wedge "
                       "(\\lambda_{\\mathrm{main\\_valve}} \\vee \\lambda_{\\mathrm{c[3].t}})"},
        {"a!a", "0"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const jn_formula *f = jn_formula_of(l.F, guard_of(&l, cases[i].guard));
        char *got = text_of(f, switches, JN_FORMULA_LATEX);
        TEST_TEXT(cases[i].expected, got);
        free(got);
    }
    close_lab(&l);
}

static void factors_and_negations_are_found(void)
{
    lab l = open_lab(3, NULL);
    const struct {
        const char *guard, *factor, *negation;
    } cases[] = {
        {"a", "s1", "!s1"},
        {"!a", "!s1", "s1"},
        {"ab", "s1 & s2", "!(s1 & s2)"},
        {"a|bc", "(s1 | s2 & s3)", "!(s1 | s2 & s3)"},
        {"a^b", "(s1 ^ s2)", "!(s1 ^ s2)"},
        {"!(a^b)", "!(s1 ^ s2)", "s1 ^ s2"},
        {"a!a", "0", "1"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const jn_formula *f = jn_formula_of(l.F, guard_of(&l, cases[i].guard));
        const jn_formula *not_f = jn_formula_not(l.F, f);
        jn_str s;
        jn_str_init(&s);
        jn_formula_print_factor(&s, f, names, JN_FORMULA_TEXT);
        TEST_TEXT(cases[i].factor, jn_str_c(&s));
        jn_str_clear(&s);
        char *got = text_of(not_f, names, JN_FORMULA_TEXT);
        TEST_TEXT(cases[i].negation, got);
        free(got);
        CU_ASSERT(jn_formula_literals(not_f) == jn_formula_literals(f));
        got = text_of(jn_formula_not(l.F, not_f), names, JN_FORMULA_TEXT);
        char *plain = text_of(f, names, JN_FORMULA_TEXT);
        TEST_TEXT(plain, got);
        free(plain);
        free(got);
    }
    close_lab(&l);
}

static void cares_shorten_formulas(void)
{
    lab l = open_lab(4, NULL);
    const struct {
        const char *guard, *care, *expected;
    } cases[] = {
        {"a!b", "!(ab)", "s1"},      {"!(ab)", "!(ab)", "1"},          {"!(ab)!c", "!(ab)", "!s3"},
        {"a|b", "!(ab)", "s1 | s2"}, /* s1 ^ s2 would be no shorter */
        {"a(b|c)", "!a|b", "s1"},    {"ab|!a!b", "a|b", "!(s1 ^ s2)"}, /* s1 & s2 would be no
                                                                          shorter */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const jn_formula *f =
            jn_formula_of_care(l.F, guard_of(&l, cases[i].guard), guard_of(&l, cases[i].care));
        char *got = text_of(f, names, JN_FORMULA_TEXT);
        TEST_TEXT(cases[i].expected, got);
        free(got);
    }
    close_lab(&l);
}

/* ---- large ones ---------------------------------------------------------------------------- */

enum { MANY = 900 };
static char many_text[MANY][8];
static const char *many_names[MANY];

static void name_many(void)
{
    for (int i = 0; i < MANY; i++) {
        sprintf(many_text[i], "s%d", i + 1);
        many_names[i] = many_text[i];
    }
}

/* 64 pairs of switches under one operator, the pairs under another. */
static jn_guard pairs(lab *l, jn_guard (*outer)(jn_guards *, jn_guard, jn_guard),
                      jn_guard (*inner)(jn_guards *, jn_guard, jn_guard))
{
    jn_guard a = inner(l->g, jn_guard_switch(l->g, 0), jn_guard_switch(l->g, 1));
    for (int s = 2; s < 128; s += 2)
        a = outer(l->g, a, inner(l->g, jn_guard_switch(l->g, s), jn_guard_switch(l->g, s + 1)));
    return a;
}

static void check_pairs(const jn_formula *f, const char *outer, const char *inner)
{
    name_many();
    jn_str expected;
    jn_str_init(&expected);
    for (int s = 1; s < 128; s += 2)
        jn_str_addf(&expected, "%s(s%d %s s%d)", s > 1 ? outer : "", s, inner, s + 1);
    char *got = text_of(f, many_names, JN_FORMULA_TEXT);
    TEST_TEXT(jn_str_c(&expected), got);
    free(got);
    jn_str_clear(&expected);
}

/* A converter arm, for one: 64 cells of two switches, 2^64 products. */
static void many_pairs_stay_short(void)
{
    lab l = open_lab(130, NULL);
    jn_guard arm = pairs(&l, jn_guard_and, jn_guard_or);
    check_pairs(jn_formula_of(l.F, arm), " & ", "|");
    check_pairs(jn_formula_of(l.F, pairs(&l, jn_guard_xor, jn_guard_and)), " ^ ", "&");
    check_pairs(jn_formula_of(l.F, pairs(&l, jn_guard_or, jn_guard_xor)), " | ", "^");
    /* Too large for a cover, and still freed of what care implies. */
    jn_guard s129 = jn_guard_switch(l.g, 128), s130 = jn_guard_switch(l.g, 129);
    jn_guard care = jn_guard_not(l.g, jn_guard_and(l.g, s129, s130));
    check_pairs(jn_formula_of_care(l.F, jn_guard_and(l.g, arm, care), care), " & ", "|");
    CU_ASSERT(jn_formulas_lets(l.F) == 0);
    close_lab(&l);
}

static void parities_stay_short(void)
{
    name_many();
    lab l = open_lab(200, NULL);
    jn_guard a = jn_guard_false();
    jn_str expected;
    jn_str_init(&expected);
    for (int i = 0; i < 200; i++) {
        a = jn_guard_xor(l.g, a, jn_guard_switch(l.g, i));
        jn_str_addf(&expected, "%ss%d", i ? " ^ " : "", i + 1);
    }
    char *got = text_of(jn_formula_of(l.F, a), many_names, JN_FORMULA_TEXT);
    TEST_TEXT(jn_str_c(&expected), got);
    free(got);
    jn_str_clear(&expected);
    close_lab(&l);
}

/* Exactly k of the switches from s on. */
static jn_guard exactly(lab *l, int k)
{
    jn_guard *count = calloc((size_t)k + 1, sizeof *count);
    count[0] = jn_guard_true();
    for (int s = l->n - 1; s >= 0; s--)
        for (int j = k; j >= 0; j--)
            count[j] = jn_guard_ite(l->g, jn_guard_switch(l->g, s),
                                    j ? count[j - 1] : jn_guard_false(), count[j]);
    jn_guard a = count[k];
    free(count);
    return a;
}

/* The written length of a formula with all its lets stays near the size of the diagram, and its
 * value is right in random modes, as many where the guard holds as where it does not. */
static void check_large(lab *l, jn_guard a, void (*draw)(jn_onoff *m, int n, test_rng *rng))
{
    name_many();
    const jn_formula *f = jn_formula_of(l->F, a);
    int literals = jn_formula_literals(f);
    for (int i = 0; i < jn_formulas_lets(l->F); i++)
        literals += jn_formula_literals(jn_formulas_let(l->F, i));
    CU_ASSERT(literals <= 10 * jn_guard_nodes(l->g, a));
    texts printed = texts_of(l, f, many_names);
    test_rng rng = test_rng_new(6);
    for (int i = 0; i < 40; i++) {
        jn_onoff m[MANY];
        bool wanted = i % 2;
        int tries = 0;
        do
            draw(m, l->n, &rng);
        while (jn_guard_at(l->g, a, m) != wanted && ++tries < 1000);
        CU_ASSERT(tries < 1000);
        CU_ASSERT(texts_at(&printed, m) == jn_guard_at(l->g, a, m));
    }
    clear_texts(&printed);
}

static void draw_half(jn_onoff *m, int n, test_rng *rng)
{
    int order[MANY], count = n / 2 + test_rng_int(rng, -1, 1);
    shuffle(order, n, rng);
    for (int i = 0; i < n; i++)
        m[order[i]] = i < count;
}

static void counts_are_named_once(void)
{
    lab l = open_lab(40, NULL);
    check_large(&l, exactly(&l, 20), draw_half);
    close_lab(&l);
}

static void draw_mostly_on(jn_onoff *m, int n, test_rng *rng)
{
    int percent_off = test_rng_int(rng, 1, 12);
    for (int s = 0; s < n; s++)
        m[s] = !test_rng_chance(rng, percent_off);
}

/* Rails with rungs between neighbours in each column: is the end of the last rail reached from
 * the start of the first? */
static void check_grid(int rails, int columns)
{
    int each = 2 * rails - 1;
    lab l = open_lab(each * columns, NULL);
    jn_guard reached[3] = {jn_guard_false(), jn_guard_false(), jn_guard_false()};
    reached[rails - 1] = jn_guard_true();
    for (int s = each * (columns - 1); s >= 0; s -= each) {
        for (int i = 0; i < rails; i++)
            reached[i] = jn_guard_and(l.g, jn_guard_switch(l.g, s + i), reached[i]);
        for (int step = 0; step < rails * (rails - 1); step++) {
            int i = step % (rails - 1);
            jn_guard both = jn_guard_and(l.g, jn_guard_switch(l.g, s + rails + i),
                                         jn_guard_or(l.g, reached[i], reached[i + 1]));
            reached[i] = jn_guard_or(l.g, reached[i], both);
            reached[i + 1] = jn_guard_or(l.g, reached[i + 1], both);
        }
    }
    check_large(&l, reached[0], draw_mostly_on);
    close_lab(&l);
}

static void grids_end_in_time(void)
{
    check_grid(2, MANY / 3);
    check_grid(3, 30);
}

/* Formulas of a space that has failed mean nothing, but they end. */
static void formulas_of_a_failed_space_end(void)
{
    lab l = open_lab(40, NULL);
    jn_guard a = exactly(&l, 20);
    jn_guards_limit(l.g, 1000);
    jn_formula_of(l.F, a);
    CU_ASSERT(jn_guards_failed(l.g));
    jn_formulas_free(l.F);
    jn_guards_free(l.g);
    jn_formulas_free(NULL);
}

void suite_formula(void)
{
    TEST_SUITE("formula");
    TEST_ADD(random_functions_print_as_themselves);
    TEST_ADD(all_functions_of_three_print_as_themselves);
    TEST_ADD(random_cares_are_kept);
    TEST_ADD(each_switch_is_named_once);
    TEST_ADD(a_choice_of_two_is_short);
    TEST_ADD(known_formulas_print_as_known);
    TEST_ADD(formulas_have_latex);
    TEST_ADD(factors_and_negations_are_found);
    TEST_ADD(cares_shorten_formulas);
    TEST_ADD(many_pairs_stay_short);
    TEST_ADD(parities_stay_short);
    TEST_ADD(counts_are_named_once);
    TEST_ADD(grids_end_in_time);
    TEST_ADD(formulas_of_a_failed_space_end);
}
