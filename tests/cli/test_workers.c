/* test_workers.c: every mode by several processes. */
#include <glob.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "junct/base.h"
#include "run.h"

/* Eight sections, each with a breaker: 256 modes. */
static void write_ladder(const char *name)
{
    static const char text[] = "model ladder\n"
                               "Se V = 10\n"
                               "0 node[0]\n"
                               "V -> node[0]\n"
                               "for k in 1..8 {\n"
                               "  X1 s[k]\n"
                               "  0 node[k]\n"
                               "  I L[k] = k/1000\n"
                               "  R r[k] = 1/10\n"
                               "  C c[k] = 1/(k + 1)\n"
                               "  node[k - 1] -> s[k] -> node[k] -> c[k]\n"
                               "  s[k] -> L[k]\n"
                               "  s[k] -> r[k]\n"
                               "}\n";
    run_write_file(name, text, sizeof text - 1);
}

static void any_number_writes_the_same(void)
{
    static const char *const what[] = {"matrices",
                                       "matrices --json",
                                       "matrices --csv",
                                       "matrices --octave",
                                       "matrices --latex",
                                       "analyse --numeric --json",
                                       "analyse --csv --numeric"};
    write_ladder("ladder.hbg");
    for (size_t i = 0; i < sizeof what / sizeof what[0]; i++) {
        outcome one = run("%s --all %s/ladder.hbg", what[i], run_folder());
        outcome three = run("%s --all -j 3 %s/ladder.hbg", what[i], run_folder());
        CU_ASSERT_EQUAL(one.code, 0);
        CU_ASSERT_EQUAL(three.code, 0);
        CU_ASSERT(strlen(one.out) > 100000);
        CU_ASSERT(strcmp(one.out, three.out) == 0);
        outcome_clear(&one);
        outcome_clear(&three);
    }
}

/* Rows of tables: the last table must not be cut in two. */
static void tables_are_the_same(void)
{
    static const char *const forms[] = {"", "--json", "--csv", "--latex"};
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        outcome one = run("modes %s --all %s/ladder.hbg", forms[i], run_folder());
        outcome three = run("modes %s --all -j 3 %s/ladder.hbg", forms[i], run_folder());
        CU_ASSERT_EQUAL(three.code, 0);
        CU_ASSERT(strstr(one.out, "11111110") && strstr(one.out, "11111111"));
        CU_ASSERT(strcmp(one.out, three.out) == 0);
        outcome_clear(&one);
        outcome_clear(&three);
    }
}

static void few_modes_need_no_workers(void)
{
    outcome one = run("matrices --all examples/chopper.hbg");
    outcome many = run("matrices --all --jobs 200 examples/chopper.hbg");
    CU_ASSERT_EQUAL(many.code, 0);
    TEST_TEXT(one.out, many.out);
    outcome_clear(&one);
    outcome_clear(&many);
}

static void a_reader_may_go_away(void)
{
    outcome o = run("matrices --csv --all -j 2 %s/ladder.hbg | head -n 1", run_folder());
    TEST_TEXT("", o.err);
    CU_ASSERT(strncmp(o.out, "mode,", 5) == 0);
    outcome_clear(&o);
}

/* Whether the program named there was started with this word. */
static bool was_started_with(const char *cmdline, const char *word)
{
    char text[4096];
    FILE *f = fopen(cmdline, "r");
    size_t n = f ? fread(text, 1, sizeof text - 1, f) : 0;
    for (size_t i = 0; i < n; i++)
        text[i] = text[i] ? text[i] : ' ';
    text[n] = 0;
    if (f)
        fclose(f);
    return strstr(text, word) != NULL;
}

static int count_processes(const char *word)
{
    glob_t all;
    int n = 0;
    if (glob("/proc/[0-9]*/cmdline", 0, NULL, &all) == 0)
        for (size_t i = 0; i < all.gl_pathc; i++)
            n += was_started_with(all.gl_pathv[i], word);
    globfree(&all);
    return n;
}

/* Those modes that are done are written, and the file is complete. */
static void signals_leave_no_worker(void)
{
    static const int signals[] = {SIGTERM, 0};
    char name[512];
    snprintf(name, sizeof name, "%s/cut.json", run_folder());
    outcome o = run_and_signal("cut.json.*", signals, 0,
                               "matrices --all --force -j 2 --json examples/arm.hbg -o '%s'", name);
    CU_ASSERT_EQUAL(o.code, 3);
    CU_ASSERT(strstr(o.err, "asked to end (SIGTERM): only ") != NULL);
    char *text = test_read_file(name);
    CU_ASSERT(strlen(text) > 100 && strcmp(text + strlen(text) - 2, "}\n") == 0);
    CU_ASSERT_EQUAL(count_processes(name), 0);
    free(text);
    outcome_clear(&o);
}

static void numbers_of_workers_are_checked(void)
{
    REFUSED(2, "'--jobs 0': a number from 1 to 256", "matrices --all -j 0 examples/chopper.hbg");
    REFUSED(2, "'--jobs' belongs to '--all'", "analyse -j 2 examples/chopper.hbg");
}

static int clean_up(void)
{
    run_remove_folder();
    return 0;
}

void suite_workers(void)
{
    CU_pSuite suite_ = CU_add_suite("workers", NULL, clean_up);
    TEST_ADD(any_number_writes_the_same);
    TEST_ADD(tables_are_the_same);
    TEST_ADD(few_modes_need_no_workers);
    TEST_ADD(a_reader_may_go_away);
    TEST_ADD(signals_leave_no_worker);
    TEST_ADD(numbers_of_workers_are_checked);
}
