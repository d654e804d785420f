/* test_write.c: the writers of pages and the parts of JSON and CSV, on pages made by hand. */
#include "testing.h"

#include "junct/write.h"

/* ---- a page to write ----------------------------------------------------------------------- */

typedef struct {
    jn_field *field;
    jn_guards *guards;
    jn_formulas *formulas;
    jn_page *page;
    jn_str text;
} fixture;

static const char *const params[] = {"R1", "L1", "a"};
static const char *const switches[] = {"s1", "s2", "clutch"};

static void begin(fixture *f)
{
    f->field = jn_field_new();
    f->guards = jn_guards_new(3, NULL);
    f->formulas = jn_formulas_new(f->guards);
    f->page = jn_page_new(f->field, params, switches);
    jn_str_init(&f->text);
}

static void end(fixture *f)
{
    jn_str_clear(&f->text);
    jn_page_free(f->page);
    jn_formulas_free(f->formulas);
    jn_guards_free(f->guards);
    jn_field_free(f->field);
}

static const char *as_text(fixture *f, int width)
{
    jn_str_reset(&f->text);
    jn_page_text(&f->text, f->page, width);
    return jn_str_c(&f->text);
}

static const char *as_latex(fixture *f)
{
    jn_str_reset(&f->text);
    jn_page_latex(&f->text, f->page);
    return jn_str_c(&f->text);
}

/* -R1/L1 */
static jn_ratfun minus_ratio(fixture *f)
{
    jn_ratfun r;
    jn_status s =
        jn_ratfun_div(&r, f->field, jn_ratfun_param(f->field, 0), jn_ratfun_param(f->field, 1));
    CU_ASSERT_EQUAL(s, JN_OK);
    return jn_ratfun_neg(f->field, r);
}

static jn_guard xor_guard(fixture *f)
{
    return jn_guard_xor(f->guards, jn_guard_switch(f->guards, 0), jn_guard_switch(f->guards, 1));
}

static jn_symbol flow(const char *name)
{
    return (jn_symbol){.letter = 'f', .name = name};
}

/* A matrix of n columns with the same value under s1 ^ s2 on the diagonal of its two rows. */
static void add_matrix(fixture *f, int ncols, jn_ratfun value)
{
    jn_matrix_item *m = jn_page_matrix(f->page, 2, ncols);
    jn_guarded v;
    jn_guarded_init(&v);
    jn_guarded_set_case(&v, xor_guard(f), value);
    jn_line_math(f->page, &m->label, "A", "A");
    for (int i = 0; i < 2; i++) {
        jn_symbol state = {.letter = 'p', .dot = true, .pseudo = i == 1, .name = "L1"};
        jn_line_symbol(f->page, &m->row_label[i], state);
        if (i < ncols)
            jn_line_cases(f->page, jn_matrix_cell(f->page, m, i, i), &v, f->formulas);
    }
    m->rule_above[1] = true;
    for (int j = 0; j < ncols; j++) {
        char name[16];
        sprintf(name, "R%d", j + 1);
        jn_line_symbol(f->page, &m->col_label[j], flow(name));
        m->rule_before[j] = j == 1;
    }
    jn_guarded_clear(&v);
}

/* ---- text ---------------------------------------------------------------------------------- */

static void text_sets_a_matrix_in_columns(void)
{
    fixture f;
    begin(&f);
    add_matrix(&f, 2, minus_ratio(&f));
    TEST_TEXT("A\n"
              "                        f_R1 |              f_R2\n"
              "  ṗ_L1      -R1/L1 [s1 ^ s2] |                 .\n"
              "  ---------------------------+------------------\n"
              "  ṗ_L1 (d)                 . |  -R1/L1 [s1 ^ s2]\n",
              as_text(&f, 80));
    end(&f);
}

static void text_splits_a_wide_matrix(void)
{
    fixture f;
    begin(&f);
    add_matrix(&f, 3, JN_RATFUN_ONE);
    TEST_TEXT("A\n"
              "  columns 1 to 2 of 3\n"
              "                 f_R1 |       f_R2\n"
              "  ṗ_L1      [s1 ^ s2] |          .\n"
              "  --------------------+-----------\n"
              "  ṗ_L1 (d)          . |  [s1 ^ s2]\n"
              "\n"
              "  column 3 of 3\n"
              "            f_R3\n"
              "  ṗ_L1         .\n"
              "  --------------\n"
              "  ṗ_L1 (d)     .\n",
              as_text(&f, 36));
    end(&f);
}

static void text_lists_a_very_wide_matrix(void)
{
    fixture f;
    begin(&f);
    add_matrix(&f, 1000, JN_RATFUN_ONE);
    TEST_TEXT("A (2 x 1000): row, column, value of the 2 entries that are not zero\n"
              "  ṗ_L1      f_R1     [s1 ^ s2]\n"
              "  ṗ_L1 (d)  f_R2     [s1 ^ s2]\n",
              as_text(&f, 80));
    end(&f);
}

static void text_says_that_a_matrix_is_zero(void)
{
    fixture f;
    begin(&f);
    jn_line_math(f.page, &jn_page_matrix(f.page, 2, 3)->label, "B", "B");
    jn_line_math(f.page, &jn_page_matrix(f.page, 2, 0)->label, "C", "C");
    TEST_TEXT("B = 0 (2 x 3)\n\nC (2 x 0, empty)\n", as_text(&f, 80));
    end(&f);
}

static void text_adds_the_cases_of_a_value(void)
{
    fixture f;
    begin(&f);
    jn_guarded a, b;
    jn_guarded_init(&a);
    jn_guarded_init(&b);
    jn_ring ring = {f.guards, f.field};
    jn_guarded_set_case(&a, xor_guard(&f), jn_ratfun_param(f.field, 2));
    jn_guarded_set_case(&b, jn_guard_switch(f.guards, 2), jn_ratfun_int(f.field, -1));
    jn_guarded_restrict(&b, &b, jn_guard_not(f.guards, xor_guard(&f)), ring);
    jn_guarded_add(&a, &a, &b, ring);
    jn_line_cases(f.page, jn_page_paragraph(f.page), &a, f.formulas);
    jn_line_cases(f.page, jn_page_paragraph(f.page), &(jn_guarded){0}, f.formulas);
    const char *text = as_text(&f, 80);
    CU_ASSERT(strstr(text, "a [s1 ^ s2]") && strstr(text, "[!(s1 ^ s2) & clutch]"));
    CU_ASSERT(strstr(text, "\n\n0\n") != NULL);
    jn_guarded_clear(&a);
    jn_guarded_clear(&b);
    end(&f);
}

static void text_names_long_guards(void)
{
    static const char *const names[] = {"first_long_name", "second_long_name", "third_long_name"};
    fixture f;
    begin(&f);
    jn_page *p = jn_page_new(f.field, params, names);
    jn_guard all = jn_guard_and(f.guards, xor_guard(&f), jn_guard_switch(f.guards, 2));
    jn_guarded v;
    jn_guarded_init(&v);
    for (int i = 0; i < 2; i++) {
        jn_guarded_set_case(&v, all, jn_ratfun_int(f.field, i + 2));
        jn_line_cases(p, jn_page_paragraph(p), &v, f.formulas);
    }
    jn_page_lets(p, f.formulas);
    jn_page_text(&f.text, p, 100);
    TEST_TEXT("2 [_1]\n\n3 [_1]\n\nwhere\n"
              "  _1  =  (first_long_name ^ second_long_name) & third_long_name\n",
              jn_str_c(&f.text));
    jn_guarded_clear(&v);
    jn_page_free(p);
    end(&f);
}

static void text_wraps_paragraphs_and_tables(void)
{
    fixture f;
    begin(&f);
    jn_line_text(f.page, jn_page_heading(f.page, 1), "%s", "Größe\033[31m");
    jn_line_text(f.page, jn_page_paragraph(f.page), "one two three four five six seven");
    jn_table_item *t = jn_page_table(f.page, 2, true);
    for (int i = 0; i < 2; i++) {
        jn_line *row = jn_table_row(f.page, t);
        jn_line_text(f.page, &row[0], "%s", i ? "x" : "head");
        jn_line_text(f.page, &row[1], "%s",
                     i ? "words that are too many for what is left of the line" : "tail");
    }
    TEST_TEXT("Größe?[31m\n"
              "==========\n"
              "\n"
              "one two three four five\n"
              "six seven\n"
              "\n"
              "  head  tail\n"
              "  ----  ------------------------------\n"
              "  x     words that are too many for\n"
              "          what is left of the line\n",
              as_text(&f, 24));
    end(&f);
}

static void text_writes_sums_and_symbols(void)
{
    fixture f;
    begin(&f);
    jn_line *l = jn_page_paragraph(f.page);
    jn_symbol q = {.letter = 'q', .dot = true, .name = "C"}, V = {.name = "V"};
    jn_line_term(f.page, l, minus_ratio(&f), flow("L1"), true);
    jn_line_term(f.page, l, JN_RATFUN_ONE, q, false);
    jn_line_term(f.page, l, jn_ratfun_int(f.field, -2), V, false);
    TEST_TEXT("-R1/L1*f_L1 + q\u0307_C - 2*V\n", as_text(&f, 80));
    TEST_TEXT("$-\\frac{R_{1}}{L_{1}}\\,f_{L_{1}}+\\dot{q}_{C}-2\\,V$\n\n", as_latex(&f));
    end(&f);
}

/* ---- LaTeX --------------------------------------------------------------------------------- */

static void latex_sets_a_matrix_in_brackets(void)
{
    fixture f;
    begin(&f);
    add_matrix(&f, 2, minus_ratio(&f));
    const char *text = as_latex(&f);
    CU_ASSERT(strstr(text, "A =\n\\left(\\begin{array}{c|c}\n") != NULL);
    CU_ASSERT(strstr(text,
                     "-\\frac{R_{1}}{L_{1}}\\,(\\lambda_{s1} \\oplus \\lambda_{s2}) & 0 \\\\\n"
                     "\\hline\n0 & ") != NULL);
    end(&f);
}

static void latex_escapes_text(void)
{
    fixture f;
    begin(&f);
    jn_line *l = jn_page_paragraph(f.page);
    jn_line_text(f.page, l, "%s", "50% of a_b: ");
    jn_line_name(f.page, l, "a_b");
    TEST_TEXT("50\\% of a\\_b: $a_{b}$\n\n", as_latex(&f));
    end(&f);
}

static void remarks_are_for_one_writer(void)
{
    fixture f;
    begin(&f);
    jn_line_text(f.page, jn_page_remark(f.page, JN_FOR_TEXT), "T");
    jn_line_text(f.page, jn_page_remark(f.page, JN_FOR_LATEX), "L");
    TEST_TEXT("T\n", as_text(&f, 80));
    TEST_TEXT("L\n\n", as_latex(&f));
    end(&f);
}

/* ---- JSON and CSV -------------------------------------------------------------------------- */

static void json_strings_are_escaped(void)
{
    jn_str out;
    jn_str_init(&out);
    jn_json_string(&out, "a\"b\\c\n\t\x01 \xC3\xA4 \xE2\x82\xAC \xF0\x9F\x98\x80");
    TEST_TEXT("\"a\\\"b\\\\c\\n\\t\\u0001 \xC3\xA4 \xE2\x82\xAC \xF0\x9F\x98\x80\"",
              jn_str_c(&out));
    /* what turns the direction, ends a line, or is no character, and what is none of it */
    jn_str_reset(&out);
    jn_json_string(&out,
                   "\x7F|\xC2\x9B|\xD8\x9C|\xE2\x80\xA7|\xE2\x80\xA8|\xE2\x80\xAE|\xEF\xBF\xBE");
    TEST_TEXT("\"\\u007f|\\u009b|\\u061c|\xE2\x80\xA7|\\u2028|\\u202e|\\ufffe\"", jn_str_c(&out));
    /* a lone continuation byte, an overlong form, a surrogate, a cut-off sequence */
    jn_str_reset(&out);
    jn_json_string(&out, "\x80|\xC0\xAF|\xED\xA0\x80|\xE2\x82");
#define BAD "\xEF\xBF\xBD"
    TEST_TEXT("\"" BAD "|" BAD BAD "|" BAD BAD BAD "|" BAD BAD "\"", jn_str_c(&out));
    jn_str_clear(&out);
}

static void csv_fields_are_quoted_where_needed(void)
{
    jn_str out;
    jn_str_init(&out);
    jn_csv_field(&out, "plain [1]");
    jn_csv_field(&out, "a,b");
    jn_csv_field(&out, "say \"x\"");
    TEST_TEXT("plain [1]\"a,b\"\"say \"\"x\"\"\"", jn_str_c(&out));
    jn_str_clear(&out);
}

static void writers_are_found_by_form(void)
{
    CU_ASSERT_PTR_NOT_NULL(jn_writer_find(JN_WRITE_MATRICES, "octave"));
    CU_ASSERT_PTR_NOT_NULL(jn_writer_find(JN_WRITE_MODES, "text"));
    CU_ASSERT_PTR_NULL(jn_writer_find(JN_WRITE_MODES, "octave"));
    CU_ASSERT_PTR_NULL(jn_writer_find(JN_WRITE_MATRICES, "xml"));
}

void suite_write(void)
{
    TEST_SUITE("write");
    TEST_ADD(text_sets_a_matrix_in_columns);
    TEST_ADD(text_splits_a_wide_matrix);
    TEST_ADD(text_lists_a_very_wide_matrix);
    TEST_ADD(text_says_that_a_matrix_is_zero);
    TEST_ADD(text_adds_the_cases_of_a_value);
    TEST_ADD(text_names_long_guards);
    TEST_ADD(text_wraps_paragraphs_and_tables);
    TEST_ADD(text_writes_sums_and_symbols);
    TEST_ADD(latex_sets_a_matrix_in_brackets);
    TEST_ADD(latex_escapes_text);
    TEST_ADD(remarks_are_for_one_writer);
    TEST_ADD(json_strings_are_escaped);
    TEST_ADD(csv_fields_are_quoted_where_needed);
    TEST_ADD(writers_are_found_by_form);
}
