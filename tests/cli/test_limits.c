/* test_limits.c: models whose form of all modes does not fit into the limits. */
#include "junct/base.h"
#include "run.h"

/* Sources on one side, loads on the other, a switch from each to each: all open at the start. load:
 * what else each load has. */
enum { WIDTH = 8 };

static void write_converter(const char *name, const char *load)
{
    jn_str text;
    jn_str_init(&text);
    jn_str_addf(&text,
                "model matrix\nfor i in 1..%d {\n  Se u[i] = i\n  0 in[i]\n  u[i] -> in[i]\n",
                WIDTH);
    jn_str_add(&text, "  0 out[i]\n  1 load[i]\n  R r[i] = 1\n  I L[i] = 1/100\n");
    jn_str_addf(&text, "  out[i] -> load[i] -> L[i]\n  load[i] -> r[i]\n%s}\n", load);
    for (int i = 1; i <= WIDTH; i++)
        for (int k = 1; k <= WIDTH; k++)
            jn_str_addf(&text, "X1 s%d_%d\nin[%d] -> s%d_%d -> out[%d]\nswitch s%d_%d off\n", i, k,
                        i, i, k, k, i, k);
    run_write_file(name, text.s, text.len);
    jn_str_clear(&text);
}

/* A mode is forbidden when two sources are joined: source i and load k are one where the switch
 * between them, number WIDTH·i + k, is on. */
static int root(const int *up, int x)
{
    while (up[x] != x)
        x = up[x];
    return x;
}

static bool joins_sources(unsigned long mode, int switches)
{
    int up[2 * WIDTH];
    for (int i = 0; i < 2 * WIDTH; i++)
        up[i] = i;
    for (int s = 0; s < switches; s++)
        if (mode >> s & 1)
            up[root(up, WIDTH + s % WIDTH)] = root(up, s / WIDTH);
    for (int i = 0; i < WIDTH; i++)
        for (int k = 0; k < i; k++)
            if (root(up, i) == root(up, k))
                return true;
    return false;
}

static void bounds_are_counted_modes(void)
{
    int n = -1;
    long forbidden = -1, allowed = -1, counted = 0;
    write_converter("matrix.hbg", "");
    outcome o = run("check --max-seconds 0.8 %s/matrix.hbg", run_folder());
    CU_ASSERT_EQUAL(o.code, 3);
    CU_ASSERT(strstr(o.err, "[seconds-limit]") != NULL);
    CU_ASSERT(strstr(o.out, "modes       2^64, not all examined") != NULL);
    const char *said = strstr(o.out, "examined    2^");
    CU_ASSERT_PTR_NOT_NULL_FATAL(said);
    CU_ASSERT_EQUAL(sscanf(said, "examined 2^%d", &n), 1);
    said = strstr(o.out, "forbidden   at least ");
    CU_ASSERT_EQUAL(
        sscanf(said, "forbidden at least %ld allowed at least %ld", &forbidden, &allowed), 2);
    CU_ASSERT_FATAL(n >= 0 && n <= 20);
    for (unsigned long m = 0; m < 1ul << n; m++)
        counted += joins_sources(m, n);
    CU_ASSERT_EQUAL(forbidden, counted);
    CU_ASSERT_EQUAL(allowed, (1l << n) - counted);
    outcome_clear(&o);
}

static void memory_is_limited(void)
{
    outcome o = run("modes --max-memory 60 %s/matrix.hbg", run_folder());
    CU_ASSERT_EQUAL(o.code, 3);
    CU_ASSERT(strstr(o.err, "more than 60 MB of memory [megabytes-limit]") != NULL);
    CU_ASSERT(strstr(o.out, "not all examined") != NULL);
    outcome_clear(&o);
    /* a form for programs has no place for bounds */
    o = run("analyse --csv --max-memory 60 %s/matrix.hbg", run_folder());
    CU_ASSERT_EQUAL(o.code, 3);
    TEST_TEXT("", o.out);
    outcome_clear(&o);
}

/* One mode takes no time, unless a resistor may have either causality: then it has that of the
 * reference mode, which only all modes can tell. */
static void one_mode_keeps_the_limits(void)
{
    static const char two_resistors[] =
        "  0 x[i]\n  R a[i] = 2\n  R b[i] = 3\n  load[i] -> x[i] -> a[i]\n  x[i] -> b[i]\n";
    char mode[WIDTH * WIDTH + 1] = "";
    memset(mode, '0', sizeof mode - 1);
    outcome o = run("matrices --max-seconds 0.2 --mode %s %s/matrix.hbg", mode, run_folder());
    CU_ASSERT_EQUAL(o.code, 0);
    outcome_clear(&o);
    write_converter("choice.hbg", two_resistors);
    o = run("matrices --max-seconds 0.2 --mode %s %s/choice.hbg", mode, run_folder());
    CU_ASSERT_EQUAL(o.code, 3);
    CU_ASSERT(strstr(o.err, "[seconds-limit]") != NULL);
    CU_ASSERT(strstr(o.err, "1 error, ") != NULL);
    TEST_TEXT("", o.out);
    outcome_clear(&o);
}

/* Asks for the mode in which each source feeds a load of its own, within a fifth of a second; of all
 * modes nothing can be known. */
static outcome ask_for_mode(const char *what)
{
    char mode[WIDTH * WIDTH + 1] = "";
    for (int i = 0; i < WIDTH * WIDTH; i++)
        mode[i] = i / WIDTH == i % WIDTH ? '1' : '0';
    return run("%s --max-seconds 0.2 --mode %s %s/matrix.hbg", what, mode, run_folder());
}

/* JSON has the formulas of all modes beside a mode: where they are not to be had, the mode is
 * written all the same. */
static void json_has_the_mode(void)
{
    static const char *const what[] = {"modes --json", "matrices --json", "analyse --json"};
    static const char *const has[] = {"\"L[8]\": \"integral\"", "\"E\": [[\"1\", \"0\"",
                                      "\"order\": 8"};
    for (int i = 0; i < 3; i++) {
        outcome o = ask_for_mode(what[i]);
        CU_ASSERT_EQUAL(o.code, 3);
        CU_ASSERT(strstr(o.err, "[seconds-limit]") != NULL);
        CU_ASSERT(strstr(o.err, "the mode asked for follows") != NULL);
        CU_ASSERT(strstr(o.out, "\"forbidden\": null") != NULL);
        CU_ASSERT(strstr(o.out, "\"status\": \"ok\"") != NULL);
        CU_ASSERT(strstr(o.out, has[i]) != NULL);
        outcome_clear(&o);
    }
}

/* What is asked of two modes is not asked of all. */
static void passages_take_two_modes(void)
{
    char from[WIDTH * WIDTH + 1] = "", to[WIDTH * WIDTH + 1] = "";
    memset(from, '0', sizeof from - 1);
    memset(to, '0', sizeof to - 1);
    to[0] = '1';
    outcome o =
        run("analyse --max-seconds 0.2 --from %s --to %s %s/matrix.hbg", from, to, run_folder());
    CU_ASSERT_EQUAL(o.code, 0);
    CU_ASSERT(strstr(o.out, "impulse") != NULL);
    outcome_clear(&o);
}

static void reports_are_of_the_mode(void)
{
    char name[300];
    snprintf(name, sizeof name, "report --no-run -o %s/x.md", run_folder());
    outcome o = ask_for_mode(name);
    CU_ASSERT_EQUAL(o.code, 3);
    snprintf(name, sizeof name, "%s/x.md", run_folder());
    char *text = test_read_file(name);
    CU_ASSERT(strstr(text, "of which one was examined") != NULL);
    CU_ASSERT(strstr(text, "Equations of all modes") == NULL);
    CU_ASSERT(strstr(text, "Single modes") != NULL);
    free(text);
    outcome_clear(&o);
}

/* Pictures and pages are of all modes. */
static void drawings_keep_the_limits(void)
{
    static const char *const what[] = {"draw", "page", "report"};
    for (int i = 0; i < 3; i++) {
        outcome o = run("%s --max-seconds 0.2 %s/matrix.hbg", what[i], run_folder());
        CU_ASSERT_EQUAL(o.code, 3);
        CU_ASSERT(strstr(o.err, "[seconds-limit]") != NULL);
        TEST_TEXT("", o.out);
        outcome_clear(&o);
    }
}

static void limits_are_numbers(void)
{
    REFUSED(2, "'--max-seconds soon': a number, 0 or more",
            "check --max-seconds soon examples/chopper.hbg");
    REFUSED(2, "'--max-memory -1': a number, 0 or more",
            "modes --max-memory=-1 examples/chopper.hbg");
}

static int clean_up(void)
{
    run_remove_folder();
    return 0;
}

void suite_limits(void)
{
    CU_pSuite suite_ = CU_add_suite("limits", NULL, clean_up);
    TEST_ADD(bounds_are_counted_modes);
    TEST_ADD(memory_is_limited);
    TEST_ADD(one_mode_keeps_the_limits);
    TEST_ADD(json_has_the_mode);
    TEST_ADD(passages_take_two_modes);
    TEST_ADD(reports_are_of_the_mode);
    TEST_ADD(drawings_keep_the_limits);
    TEST_ADD(limits_are_numbers);
}
