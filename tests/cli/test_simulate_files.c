/* test_simulate_files.c: what runs read and draw: tables, pictures. */
#include "run.h"

static const char *write_model(const char *text)
{
    static char path[256];
    run_write_file("m.hbg", text, strlen(text));
    snprintf(path, sizeof path, "%s/m.hbg", run_folder());
    return path;
}

static char *read_result(const char *name)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", run_folder(), name);
    return test_read_file(path);
}

/* ---- tables -------------------------------------------------------------------------------- */

/* All of them, each fault once, together with what is wrong with the model. */
static void check_reads_tables(void)
{
    static const char text[] =
        "model m\nSe V = table(\"none.csv\", \"v\")\nI m = 1\nV -> m\nR r = 1\n"
        "output x = table(\"w.csv\", \"w\"), y = table(\"w.csv\", \"u\")\n"
        "output z = table(\"w.csv\", \"w\", f(m)), v = table(\"o.csv\", \"b\")\n";
    static const char *const said[] = {"/none.csv: No such file or directory [csv-unreadable]",
                                       "m.hbg:2:8: note: the table is read here: its file is "
                                       "looked for in the folder of the model",
                                       "/w.csv:3:1: error: 1 after 2: the column 't' must ascend",
                                       "/w.csv:3:3: error: 'x' is not a number",
                                       "/w.csv:1:1: error: there is no column 'u'",
                                       "= help: the columns are t, w",
                                       "m.hbg:6:37: note: the table is read here",
                                       "m.hbg:5:3: warning: 'r' is not bonded to anything",
                                       "\n4 errors, 1 warning\n"};
    run_write_file("w.csv", "t,w\n2,1\n1,x\n", 12);
    run_write_file("o.csv", "a,t,b\n1,0,2\n", 12);
    outcome o = run("check %s", write_model(text));
    CU_ASSERT_EQUAL(o.code, 1);
    TEST_TEXT("", o.out);
    for (size_t i = 0; i < sizeof said / sizeof *said; i++)
        if (!strstr(o.err, said[i]))
            TEST_TEXT(said[i], o.err);
    outcome_clear(&o);
}

static void check_takes_right_tables(void)
{
    static const char text[] = "Se V = table(\"v.csv\", \"v\")\nI m = 1\nV -> m\n";
    char path[256];
    snprintf(path, sizeof path, "%s/v.csv", run_folder());
    remove(path);
    outcome o = run("check %s", write_model(text));
    CU_ASSERT_EQUAL(o.code, 2); /* a file that cannot be opened is no fault of the model */
    outcome_clear(&o);
    run_write_file("v.csv", "t,v\n0,1\n1,3\n", 12);
    o = run("check %s", write_model(text));
    CU_ASSERT_EQUAL(o.code, 0);
    TEST_TEXT("", o.err);
    outcome_clear(&o);
    o = run("check --format %s", write_model(text));
    CU_ASSERT_EQUAL(o.code, 0);
    outcome_clear(&o);
}

/* ---- pictures ------------------------------------------------------------------------------ */

/* A ripple of which every row has the same phase: the rows say nothing of it, the picture does. The
 * trace is the same with and without a picture. */
static void pictures_show_what_is_between_rows(void)
{
    static const char text[] = "Se V = 7*sin(2*pi*10k*t)\nR r = 1\nV -> r\noutput v = e(V)\n"
                               "simulate to 100m\n";
    outcome o = run("simulate %s -q", write_model(text));
    outcome p = run("simulate %s -q --plot %s/p.svg", write_model(text), run_folder());
    char *svg = read_result("p.svg");
    TEST_TEXT(o.out, p.out);
    CU_ASSERT_EQUAL(p.code, 0);
    CU_ASSERT(strstr(svg, ">5</text>") && strstr(svg, ">-5</text>"));
    outcome_clear(&o);
    outcome_clear(&p);
    free(svg);
}

/* ---- the suite ----------------------------------------------------------------------------- */

static int finish(void)
{
    run_remove_folder();
    return 0;
}

void suite_simulate_files(void)
{
    CU_pSuite suite_ = CU_add_suite("simulate_files", NULL, finish);
    TEST_ADD(check_reads_tables);
    TEST_ADD(check_takes_right_tables);
    TEST_ADD(pictures_show_what_is_between_rows);
}
