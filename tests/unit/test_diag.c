/* test_diag.c: the list of diagnostics, how one is shown, and the nearest word. */
#include "junct/diag.h"
#include "testing.h"

typedef struct {
    jn_arena *arena;
    jn_diags *diags;
    const jn_source *source;
    jn_str text;
} fixture;

static void setup(fixture *f, const char *text)
{
    f->arena = jn_arena_new();
    f->diags = jn_diags_new();
    f->source = jn_source_of(f->arena, "m.hbg", text, strlen(text));
    jn_str_init(&f->text);
}

static void teardown(fixture *f)
{
    jn_str_clear(&f->text);
    jn_diags_free(f->diags);
    jn_arena_free(f->arena);
}

/* The place of the first occurrence of a word. */
static jn_place place_of(const fixture *f, const char *word)
{
    const char *at = strstr(f->source->text, word);
    return (jn_place){f->source, (size_t)(at - f->source->text), strlen(word)};
}

static void expect_text(fixture *f, const char *expected)
{
    jn_str_reset(&f->text);
    jn_diags_render(&f->text, f->diags, false);
    TEST_TEXT(expected, jn_str_c(&f->text));
}

/* ---- the list ------------------------------------------------------------------------------ */

static void arguments_fill_message_then_advice(void)
{
    fixture f;
    setup(&f, "R when = 3\n");
    jn_diag_add(f.diags, JN_D_NAME_RESERVED, place_of(&f, "when"), "when", "WHEN", "When");
    const jn_diag *g = jn_diags_get(f.diags, 0);
    TEST_TEXT("'when' is a word of the language and cannot be a name", g->message);
    TEST_TEXT("call it 'WHEN1' or 'When_', for example", g->advice);
    CU_ASSERT_EQUAL(g->code, JN_D_NAME_RESERVED);
    CU_ASSERT_EQUAL(g->severity, JN_ERROR);
    jn_diag_add(f.diags, JN_D_EXPECTED, place_of(&f, "3"), "a name", "'3'", "");
    CU_ASSERT_PTR_NULL(jn_diags_get(f.diags, 1)->advice);
    teardown(&f);
}

static void only_the_first_hundred_are_kept(void)
{
    fixture f;
    setup(&f, "x");
    for (int i = 0; i < JN_DIAGS_MAX + 20; i++) {
        jn_diag_add(f.diags, JN_D_BLOCK_STRAY, place_of(&f, "x"));
        jn_diag_note(f.diags, place_of(&f, "x"), "note %d", i);
    }
    CU_ASSERT_EQUAL(jn_diags_count(f.diags), JN_DIAGS_MAX);
    CU_ASSERT_EQUAL(jn_diags_errors(f.diags), JN_DIAGS_MAX + 20);
    CU_ASSERT_EQUAL(jn_diags_warnings(f.diags), 0);
    /* the notes on those that were dropped are dropped with them */
    const jn_diag *last = jn_diags_get(f.diags, JN_DIAGS_MAX - 1);
    CU_ASSERT_EQUAL(last->nnotes, 1);
    TEST_TEXT("note 99", last->notes[0].message);
    teardown(&f);
}

static void sorting_is_by_place_and_stable(void)
{
    fixture f;
    setup(&f, "a b c");
    jn_diag_add(f.diags, JN_D_LAW_VARIABLE, place_of(&f, "c"), "1");
    jn_diag_add(f.diags, JN_D_LAW_VARIABLE, (jn_place){0}, "2");
    jn_diag_add(f.diags, JN_D_LAW_VARIABLE, place_of(&f, "a"), "3");
    jn_diag_add(f.diags, JN_D_LAW_VARIABLE, place_of(&f, "c"), "4");
    jn_diag_add(f.diags, JN_D_LAW_VARIABLE, place_of(&f, "b"), "5");
    jn_diags_sort(f.diags);
    char order[6] = "";
    for (int i = 0; i < 5; i++) {
        const char *message = jn_diags_get(f.diags, i)->message;
        order[i] = message[strlen(message) - 2];
    }
    TEST_TEXT("35142", order);
    teardown(&f);
}

static void codes_are_complete(void)
{
    for (int i = 0; i < JN_D_COUNT; i++) {
        const char *slug = jn_code_slug(i);
        CU_ASSERT(strspn(slug, "abcdefghijklmnopqrstuvwxyz-") == strlen(slug) && *slug);
        CU_ASSERT(*jn_code_message(i) != 0);
        CU_ASSERT_PTR_NULL(strchr(jn_code_message(i), '\n'));
        for (int j = 0; j < i; j++)
            CU_ASSERT_STRING_NOT_EQUAL(slug, jn_code_slug(j));
    }
}

/* ---- how it is shown ----------------------------------------------------------------------- */

static void a_caret_stands_below_its_word(void)
{
    fixture f;
    setup(&f, "model m\nR  R1 = 5\r\n\nR  R1 = 6  \n");
    jn_place second = place_of(&f, "R1 = 6");
    second.length = 2;
    jn_diag_add(f.diags, JN_D_KIND_UNKNOWN, second, "Q", "did you mean …?");
    jn_diag_note(f.diags, place_of(&f, "R1 = 5"), "first declared here");
    jn_diag_note(f.diags, (jn_place){0}, "without a place");
    expect_text(&f, "m.hbg:4:4: error: unknown element kind 'Q' [kind-unknown]\n"
                    "    4 | R  R1 = 6\n"
                    "      |    ^~\n"
                    "      = help: did you mean …?\n"
                    "m.hbg:2:4: note: first declared here\n"
                    "    2 | R  R1 = 5\n"
                    "      |    ^~~~~~\n"
                    "note: without a place\n");
    teardown(&f);
}

static void no_place_no_line(void)
{
    fixture f;
    setup(&f, "");
    jn_diag_add(f.diags, JN_D_BLOCK_STRAY, (jn_place){0});
    expect_text(&f, "error: this '}' closes nothing [block-stray]\n"
                    "      = help: remove it\n");
    teardown(&f);
}

static void places_at_the_ends_of_the_text(void)
{
    fixture f;
    setup(&f, "");
    jn_diag_add(f.diags, JN_D_BLOCK_STRAY, (jn_place){f.source, 0, 0});
    expect_text(&f, "m.hbg:1:1: error: this '}' closes nothing [block-stray]\n"
                    "    1 | \n"
                    "      | ^\n"
                    "      = help: remove it\n");
    teardown(&f);
    setup(&f, "a\nbc");
    jn_diag_add(f.diags, JN_D_BLOCK_STRAY, (jn_place){f.source, 4, 100});
    expect_text(&f, "m.hbg:2:3: error: this '}' closes nothing [block-stray]\n"
                    "    2 | bc\n"
                    "      |   ^\n"
                    "      = help: remove it\n");
    teardown(&f);
}

static void tabs_bytes_and_accents_keep_the_caret_in_place(void)
{
    fixture f;
    setup(&f, "\tä\t\x01\xFF e\xCC\x81 QQ\n");
    jn_diag_add(f.diags, JN_D_KIND_UNKNOWN, place_of(&f, "QQ"), "Q\x1B[2J\xFF", "");
    expect_text(&f, "m.hbg:1:10: error: unknown element kind 'Q?[2J?' [kind-unknown]\n"
                    "    1 |     ä   ?? e\xCC\x81 QQ\n"
                    "      |              ^~\n");
    teardown(&f);
}

static void a_place_over_lines_is_marked_to_the_end_of_the_first(void)
{
    fixture f;
    setup(&f, "R r = 1 \\\n+ 2\n");
    jn_diag_add(f.diags, JN_D_BLOCK_STRAY, place_of(&f, "1 \\\n+ 2"));
    expect_text(&f, "m.hbg:1:7: error: this '}' closes nothing [block-stray]\n"
                    "    1 | R r = 1 \\\n"
                    "      |       ^~~\n"
                    "      = help: remove it\n");
    teardown(&f);
}

/* However long the line, what is shown has a bound, and the caret points at its word. */
static void long_lines_are_cut_around_the_caret(void)
{
    for (int before = 0; before < 300; before += 7) {
        fixture f;
        jn_str line;
        setup(&f, "");
        jn_str_init(&line);
        for (int i = 0; i < before; i++)
            jn_str_add(&line, i % 3 ? "-" : "é");
        jn_str_add(&line, "Q");
        for (int i = 0; i < 150; i++)
            jn_str_add(&line, "ü");
        f.source = jn_source_of(f.arena, "m", line.s, line.len);
        jn_diag_add(f.diags, JN_D_BLOCK_STRAY, place_of(&f, "Q"));
        jn_diags_render(&f.text, f.diags, false);
        char *row = strtok(strchr(f.text.s, '\n'), "\n"), *caret = strtok(NULL, "\n");
        CU_ASSERT(jn_utf8_width(row) <= 8 + 102);
        char *q = strchr(row, 'Q');
        CU_ASSERT_PTR_NOT_NULL_FATAL(q);
        *q = 0;
        CU_ASSERT_EQUAL(jn_utf8_width(row), (int)strlen(caret) - 1);
        jn_str_clear(&line);
        teardown(&f);
    }
}

static void colours_are_escape_sequences_around_the_same_text(void)
{
    fixture f;
    setup(&f, "R  R1 = 5\n");
    jn_diag_add(f.diags, JN_D_BLOCK_STRAY, place_of(&f, "R1"));
    jn_diag_note(f.diags, place_of(&f, "5"), "five");
    jn_str coloured, stripped;
    jn_str_init(&coloured);
    jn_str_init(&stripped);
    jn_diags_render(&coloured, f.diags, true);
    CU_ASSERT_PTR_NOT_NULL(strstr(coloured.s, "\033[1;31merror:\033[0m"));
    for (const char *p = coloured.s; *p; p++) {
        if (*p == '\033')
            p = strchr(p, 'm');
        else
            jn_str_addc(&stripped, *p);
    }
    expect_text(&f, stripped.s);
    jn_str_clear(&stripped);
    jn_str_clear(&coloured);
    teardown(&f);
}

/* ---- words and characters ------------------------------------------------------------------ */

static void the_nearest_word_is_found(void)
{
    static const char *const list[] = {"Se",    "Sf",       "X0",  "model",
                                       "param", "simulate", "min", "max"};
    static const struct {
        const char *word, *nearest;
    } cases[] = {
        {"SE", "Se"},       {"x0", "X0"},
        {"se", "Se"},       {"Sg", NULL},
        {"modle", "model"}, {"parm", "param"},
        {"Param", "param"}, {"PARAM", "param"},
        {"mix", "min"},     {"simulation", "simulate"},
        {"signal", NULL},   {"", NULL},
        {"m", NULL},        {"maxi", "max"},
        {"zzzzzzzz", NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *got = jn_closest(cases[i].word, list, 8);
        TEST_TEXT(cases[i].nearest ? cases[i].nearest : "(none)", got ? got : "(none)");
    }
    char longest[1000] = "";
    memset(longest, 'x', sizeof longest - 1);
    CU_ASSERT_PTR_NULL(jn_closest(longest, list, 8));
    CU_ASSERT_PTR_NULL(jn_closest("x", NULL, 0));
}

static void utf8_is_told_from_other_bytes(void)
{
    static const struct {
        const char *bytes;
        int length;
    } cases[] = {
        {"a", 1},
        {"é", 2},
        {"→", 3},
        {"😀", 4},
        {"\t", 0},
        {"\x7F", 0},
        {"\x80", 0},
        {"\xC3", 0},
        {"\xC3(", 0},
        {"\xC0\x80", 0},
        {"\xC1\xBF", 0},
        {"\xE0\x80\x80", 0},
        {"\xED\xA0\x80", 0},
        {"\xF0\x80\x80\x80", 0},
        {"\xF4\x90\x80\x80", 0},
        {"\xF5\x80\x80\x80", 0},
        {"\xFF", 0},
        {"\xC2\x85", 0},
        {"\xF4\x8F\xBF\xBF", 4},
        {"\xE2\x86", 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *s = cases[i].bytes;
        CU_ASSERT_EQUAL(jn_utf8_length(s, s + strlen(s)), cases[i].length);
    }
}

void suite_diag(void)
{
    TEST_SUITE("diag");
    TEST_ADD(arguments_fill_message_then_advice);
    TEST_ADD(only_the_first_hundred_are_kept);
    TEST_ADD(sorting_is_by_place_and_stable);
    TEST_ADD(codes_are_complete);
    TEST_ADD(a_caret_stands_below_its_word);
    TEST_ADD(no_place_no_line);
    TEST_ADD(places_at_the_ends_of_the_text);
    TEST_ADD(tabs_bytes_and_accents_keep_the_caret_in_place);
    TEST_ADD(a_place_over_lines_is_marked_to_the_end_of_the_first);
    TEST_ADD(long_lines_are_cut_around_the_caret);
    TEST_ADD(colours_are_escape_sequences_around_the_same_text);
    TEST_ADD(the_nearest_word_is_found);
    TEST_ADD(utf8_is_told_from_other_bytes);
}
