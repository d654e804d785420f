/* test_new.c: the first minutes: `junct new`, and what it writes. */
#include "run.h"

#include <math.h>

static void a_new_model_is_written(void)
{
    outcome o = run("new %s/first", run_folder());
    CU_ASSERT_EQUAL(o.code, 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(o.out, "junct simulate"));
    outcome_clear(&o);
    o = run("check %s/first.hbg", run_folder());
    CU_ASSERT_EQUAL(o.code, 0);
    TEST_TEXT("", o.err);
    CU_ASSERT_PTR_NOT_NULL(strstr(o.out, "first: A step-down converter"));
    outcome_clear(&o);
}

/* In the steady state of continuous current the voltage is the duty cycle times the battery's: 6.
 */
static void a_new_model_runs(void)
{
    outcome o = run("simulate %s/first.hbg -q --to 20m", run_folder());
    double t = 0, u = 0, sum = 0, last = 0;
    int n = 0;
    CU_ASSERT_EQUAL(o.code, 0);
    for (char *line = strchr(o.out, '\n'); line && line[1]; line = strchr(line + 1, '\n')) {
        CU_ASSERT_EQUAL_FATAL(sscanf(line + 1, "%lf,%*[^,],%*[^,],%lf", &t, &u), 2);
        if (t > 19e-3 && t > last) {
            sum += u;
            n++;
        }
        last = t;
    }
    CU_ASSERT(n > 100);
    CU_ASSERT(fabs(sum / n - 6) < 0.02);
    outcome_clear(&o);
}

static void files_that_are_there_stay(void)
{
    outcome o = run("new %s/first.hbg", run_folder());
    CU_ASSERT_EQUAL(o.code, 2);
    CU_ASSERT_PTR_NOT_NULL(strstr(o.err, "is there already"));
    outcome_clear(&o);
    REFUSED(2, "letters, digits and '_'", "new 3a");
    REFUSED(2, "letters, digits and '_'", "new 'a b'");
    REFUSED(2, "needs a NAME", "new");
}

static int finish(void)
{
    run_remove_folder();
    return 0;
}

void suite_new(void)
{
    CU_pSuite suite_ = CU_add_suite("new", NULL, finish);
    TEST_ADD(a_new_model_is_written);
    TEST_ADD(a_new_model_runs);
    TEST_ADD(files_that_are_there_stay);
}
