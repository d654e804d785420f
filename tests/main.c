/* main.c: the test runner.
 *
 *     run-tests [-jN] [WORD ...]
 *
 * runs every suite, or those whose name contains one of the words (=WORD: is the word), from the
 * top of the source tree, N at a time (one, if it is not said). The suites come from the files'
 * names (see testing.h); the suite "checks" has one test for each script that matches the pattern
 * $CHECKS, tests/<folder>/check_<name>.sh if it is not set; a script passes when it exits with 0,
 * and says so with 77 when this machine lacks what it needs. $JUNCT names the program under test. */
#include "testing.h"

#include <CUnit/TestRun.h>
#include <glob.h>
#include <sys/wait.h>

#include "jobs.h"

#define SUITE(name) void suite_##name(void);
#include "suites.def"
#undef SUITE

static const struct {
    const char *name;
    void (*add)(void);
} suites[] = {
#define SUITE(name) {#name, suite_##name},
#include "suites.def"
#undef SUITE
    {NULL, NULL},
};

/* ---- scripts ------------------------------------------------------------------------------- */

enum { SKIPPED = 77 };

/* A CUnit test has no argument: the script's path is the name of the test. Its output is shown
 * unless it passes. CUnit cannot count what was skipped, so that is said aloud. */
static void run_script(void)
{
    const char *path = CU_get_current_test()->pName;
    char *command = malloc(strlen(path) + 64), *output = NULL;
    size_t len = 0, n;
    if (!command)
        abort();
    sprintf(command, "bash '%s' 2>&1 </dev/null", path);
    FILE *pipe = popen(command, "r");
    FILE *text = open_memstream(&output, &len);
    if (!pipe || !text)
        abort();
    char chunk[4096];
    while ((n = fread(chunk, 1, sizeof chunk, pipe)) > 0)
        fwrite(chunk, 1, n, text);
    int code = pclose(pipe);
    bool skipped = WIFEXITED(code) && WEXITSTATUS(code) == SKIPPED;
    fclose(text);
    if (code != 0)
        printf("%s\n%s", skipped ? "SKIPPED" : "", output);
    CU_assertImplementation(code == 0 || skipped, 0, "the script exits with 0", path, "", CU_FALSE);
    free(output);
    free(command);
}

static void suite_checks(void)
{
    const char *pattern = getenv("CHECKS");
    glob_t found;
    TEST_SUITE("checks");
    if (glob(pattern ? pattern : "tests/*/check_*.sh", 0, NULL, &found) != 0)
        return;
    for (size_t i = 0; i < found.gl_pathc; i++)
        CU_add_test(suite_, found.gl_pathv[i], run_script);
    globfree(&found);
}

/* ---- choosing and running ------------------------------------------------------------------ */

static bool wanted(const char *name, int count, char *words[])
{
    for (int i = 0; i < count; i++)
        if (words[i][0] == '=' ? strcmp(name, words[i] + 1) == 0 : strstr(name, words[i]) != NULL)
            return true;
    return count == 0;
}

/* Scripts may call make: they must not think themselves part of the make that runs the tests. */
static void prepare_environment(void)
{
    setenv("JUNCT", "build/junct", 0);
    setenv("LC_ALL", "C.UTF-8", 1); /* the texts that are expected have λ and ṗ */
    unsetenv("MAKEFLAGS");
    unsetenv("MFLAGS");
    unsetenv("MAKELEVEL");
}

int main(int argc, char *argv[])
{
    /* Unbuffered: after a crash one sees in which test it was. */
    setvbuf(stdout, NULL, _IONBF, 0);
    prepare_environment();
    printf("JUNCT_SEED=%llu\n", (unsigned long long)test_seed());

    int workers = 1, first = 1;
    if (argc > 1 && sscanf(argv[1], "-j%d", &workers) == 1)
        first = 2;
    if (CU_initialize_registry() != CUE_SUCCESS)
        return EXIT_FAILURE;
    if (wanted("checks", argc - first, argv + first))
        suite_checks();
    for (int i = 0; suites[i].name; i++)
        if (wanted(suites[i].name, argc - first, argv + first))
            suites[i].add();

    bool passed = test_run_jobs(workers > 1 ? workers : 1);
    CU_cleanup_registry();
    return passed ? EXIT_SUCCESS : EXIT_FAILURE;
}
