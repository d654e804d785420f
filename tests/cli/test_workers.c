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

static void few_modes_need_no_workers(void)
{
    outcome one = run("matrices --all examples/boost.hbg");
    outcome many = run("matrices --all --jobs 200 examples/boost.hbg");
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

static void signals_leave_no_file_and_no_worker(void)
{
    static const int signals[] = {SIGTERM, 0};
    char pattern[512];
    glob_t found;
    outcome o = run_and_signal("cut.txt.*", signals, 0,
                               "matrices --all --force -j 2 examples/arm.hbg -o '%s/cut.txt'",
                               run_folder());
    CU_ASSERT_EQUAL(o.code, -1); /* ended by the signal */
    outcome_clear(&o);
    snprintf(pattern, sizeof pattern, "%s/cut.txt*", run_folder());
    CU_ASSERT_EQUAL(glob(pattern, 0, NULL, &found), GLOB_NOMATCH);
    globfree(&found);
}

static void numbers_of_workers(void)
{
    REFUSED(2, "'--jobs 0': a number from 1 to 256", "matrices --all -j 0 examples/boost.hbg");
    REFUSED(2, "'--jobs' belongs to '--all'", "analyse -j 2 examples/boost.hbg");
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
    TEST_ADD(few_modes_need_no_workers);
    TEST_ADD(a_reader_may_go_away);
    TEST_ADD(signals_leave_no_file_and_no_worker);
    TEST_ADD(numbers_of_workers);
}
