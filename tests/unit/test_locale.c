/* test_locale.c: a program may write 0,5 for a half; the library writes and reads 0.5 all the same.
 * And its texts in ASCII. */
#include <locale.h>

#include "cli/run.h"
#include "junct.h"
#include "junct/csv.h"
#include "junct/draw.h"

/* A locale with a decimal comma, made for the occasion. False: it cannot be made here. */
static bool enter_comma_locale(void)
{
    char command[512];
    snprintf(command, sizeof command,
             "localedef -i de_DE -f UTF-8 '%s/de_DE.UTF-8' >/dev/null 2>&1", run_folder());
    if (system(command) < 0)
        return false;
    setenv("LOCPATH", run_folder(), 1);
    bool there = setlocale(LC_ALL, "de_DE.UTF-8") != NULL;
    unsetenv("LOCPATH");
    return there && strcmp(localeconv()->decimal_point, ",") == 0;
}

static char *draw(void)
{
    jn_arena *a = jn_arena_new();
    jn_diags *d = jn_diags_new();
    const jn_source *s;
    const char *why;
    jn_graph *g = NULL;
    jn_junction *j = NULL;
    jn_drawing *drawing = NULL;
    jn_str text;
    jn_str_init(&text);
    CU_ASSERT_EQUAL_FATAL(jn_source_read(&s, a, "examples/chopper.hbg", &why), JN_OK);
    CU_ASSERT_EQUAL_FATAL(jn_graph_read(&g, s, d), JN_OK);
    CU_ASSERT_EQUAL_FATAL(jn_junction_build(&j, g, false, d), JN_OK);
    CU_ASSERT_EQUAL_FATAL(jn_drawing_new(&drawing, j, NULL), JN_OK);
    jn_drawing_svg(&text, drawing);
    jn_drawing_free(drawing);
    jn_junction_free(j);
    jn_graph_free(g);
    jn_diags_free(d);
    jn_arena_free(a);
    return text.s;
}

static double read_table(void)
{
    char path[256];
    jn_arena *a = jn_arena_new();
    jn_diags *d = jn_diags_new();
    const jn_csv *csv = NULL;
    const double *v = NULL;
    run_write_file("v.csv", "t,v\n0,1.5\n", 10);
    snprintf(path, sizeof path, "%s/v.csv", run_folder());
    bool good =
        jn_csv_read(&csv, a, path, d) == JN_OK && jn_csv_numbers(&v, a, csv, "v", d) == JN_OK;
    double x = good ? v[0] : -1;
    jn_diags_free(d);
    jn_arena_free(a);
    return x;
}

static void decimals_have_a_point(void)
{
    char text[32];
    char *before = draw();
    if (!enter_comma_locale()) {
        printf("SKIPPED: localedef makes no locale here; ");
        free(before);
        return;
    }
    snprintf(text, sizeof text, "%g", 0.5);
    TEST_TEXT("0,5", text); /* the program's own */
    jn_format(text, sizeof text, "%g", 0.5);
    TEST_TEXT("0.5", text);
    CU_ASSERT_EQUAL(jn_strtod("2.25", NULL), 2.25);
    CU_ASSERT_EQUAL(read_table(), 1.5);
    char *after = draw();
    TEST_TEXT(before, after);
    setlocale(LC_ALL, "C");
    free(before);
    free(after);
}

static void ascii_has_spellings(void)
{
    jn_str t;
    jn_str_init(&t);
    jn_str_add_ascii(&t, "E ẋ = Λ: ṗ_L + q\u0307_C … Grüße\n\x80");
    TEST_TEXT("E dx = Lambda: dp_L + dq_C ... Gr??e\n?", jn_str_c(&t));
    jn_str_clear(&t);
    outcome o =
        run("version >/dev/null; LC_ALL=C '%s' matrices examples/hydraulic.hbg", getenv("JUNCT"));
    CU_ASSERT_EQUAL(o.code, 0);
    CU_ASSERT(strstr(o.out, "dp_") != NULL);
    for (const char *s = o.out; *s; s++)
        CU_ASSERT((unsigned char)*s < 0x80);
    outcome_clear(&o);
}

static int clean_up(void)
{
    run_remove_folder();
    return 0;
}

void suite_locale(void)
{
    CU_pSuite suite_ = CU_add_suite("locale", NULL, clean_up);
    TEST_ADD(decimals_have_a_point);
    TEST_ADD(ascii_has_spellings);
}
