/* jobs.c: the registry run as jobs, each in a process of its own (see jobs.h). */
#include "jobs.h"

#include "testing.h"

#include <CUnit/TestRun.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { LONG_SECONDS = 5 }; /* the time of a job that took at least this is shown */

typedef struct {
    CU_pSuite suite;
    CU_pTest test; /* NULL: all of the suite */
    pid_t process;
    FILE *output; /* NULL: it prints by itself */
    int summary;  /* the end of a pipe that brings its CU_RunSummary */
} job;

typedef struct {
    job *jobs;
    int count, next, running, workers;
    CU_RunSummary total;
} job_list;

/* ---- in the job's process ------------------------------------------------------------------ */

static void show_suite(const CU_pSuite suite)
{
    printf("\nSuite: %s\n", suite->pName);
}

static void show_test(const CU_pTest test, const CU_pSuite suite)
{
    (void)suite;
    printf("  Test: %s ...", test->pName);
}

static void show_result(const CU_pTest test, const CU_pSuite suite, const CU_pFailureRecord first)
{
    int k = 0;
    (void)test;
    (void)suite;
    printf("%s\n", first ? "FAILED" : "passed");
    for (CU_pFailureRecord f = first; f; f = f->pNext)
        printf("    %d. %s:%u  - %s\n", ++k, f->strFileName, f->uiLineNumber, f->strCondition);
}

static void work(const job *j)
{
    CU_set_suite_start_handler(show_suite);
    CU_set_test_start_handler(show_test);
    CU_set_test_complete_handler(show_result);
    if (j->test)
        CU_run_test(j->suite, j->test);
    else
        CU_run_suite(j->suite);
}

/* Leaves by exit, not _exit: the leak checker and coverage look at the end of a process. */
static void work_and_leave(const job *j, int pipe_end)
{
    if (j->output)
        dup2(fileno(j->output), STDOUT_FILENO);
    work(j);
    const CU_RunSummary *s = CU_get_run_summary();
    bool told = write(pipe_end, s, sizeof *s) == (ssize_t)sizeof *s;
    CU_cleanup_registry();
    exit(told ? EXIT_SUCCESS : EXIT_FAILURE);
}

/* ---- in the runner ------------------------------------------------------------------------- */

static void start_next(job_list *l)
{
    job *j = &l->jobs[l->next++];
    int ends[2];
    j->output = l->workers > 1 ? tmpfile() : NULL;
    if (pipe(ends) != 0 || (l->workers > 1 && !j->output))
        abort();
    fflush(stdout);
    j->process = fork();
    if (j->process < 0)
        abort();
    if (j->process == 0) {
        close(ends[0]);
        work_and_leave(j, ends[1]);
    }
    close(ends[1]);
    j->summary = ends[0];
    l->running++;
}

static void show_output(FILE *output)
{
    char chunk[4096];
    size_t n;
    rewind(output);
    while ((n = fread(chunk, 1, sizeof chunk, output)) > 0)
        fwrite(chunk, 1, n, stdout);
    fclose(output);
}

static const char *name_of(const job *j)
{
    return j->test ? j->test->pName : j->suite->pName;
}

/* Processor time of all jobs that have ended, and of what they waited for. */
static double seconds_spent(void)
{
    struct rusage u;
    getrusage(RUSAGE_CHILDREN, &u);
    return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
           1e-6 * (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec);
}

/* A process that died without a word, or at its end, counts as one test that failed. */
static void add_failure(CU_RunSummary *total, const job *j, int status)
{
    if (WIFSIGNALED(status))
        printf("\n%s was ended by signal %d\n", name_of(j), WTERMSIG(status));
    else
        printf("\n%s left with exit code %d\n", name_of(j), WEXITSTATUS(status));
    total->nTestsRun++;
    total->nTestsFailed++;
    total->nFailureRecords++;
}

static void add_summary(CU_RunSummary *total, const CU_RunSummary *s)
{
    total->nSuitesRun += s->nSuitesRun;
    total->nSuitesFailed += s->nSuitesFailed;
    total->nTestsRun += s->nTestsRun;
    total->nTestsFailed += s->nTestsFailed;
    total->nAsserts += s->nAsserts;
    total->nAssertsFailed += s->nAssertsFailed;
    total->nFailureRecords += s->nFailureRecords;
}

static job *job_of(job_list *l, pid_t process)
{
    for (int i = 0; i < l->next; i++)
        if (l->jobs[i].process == process)
            return &l->jobs[i];
    return NULL;
}

static void finish_one(job_list *l)
{
    int status;
    double before = seconds_spent();
    job *j = job_of(l, wait(&status));
    if (!j)
        abort();
    CU_RunSummary s = {0};
    if (j->output)
        show_output(j->output);
    if (seconds_spent() - before >= LONG_SECONDS)
        printf("  %s: %.0f s of processor time\n", name_of(j), seconds_spent() - before);
    if (read(j->summary, &s, sizeof s) == (ssize_t)sizeof s)
        add_summary(&l->total, &s);
    if (status != 0)
        add_failure(&l->total, j, status);
    close(j->summary);
    l->running--;
}

/* ---- the list and the summary -------------------------------------------------------------- */

static int collect(job *jobs)
{
    int n = 0;
    for (CU_pSuite s = CU_get_registry()->pSuite; s; s = s->pNext) {
        bool apart = strcmp(s->pName, "checks") == 0;
        if (!apart && jobs)
            jobs[n] = (job){.suite = s};
        n += !apart;
        for (CU_pTest t = apart ? s->pTest : NULL; t; t = t->pNext, n++)
            if (jobs)
                jobs[n] = (job){.suite = s, .test = t};
    }
    return n;
}

/* In CUnit's words, and in a line of its own that any tool can read. */
static void show_total(const CU_RunSummary *t, double seconds)
{
    unsigned passed = t->nTestsRun - t->nTestsFailed;
    printf("\nRun Summary:    Type  Total    Ran Passed Failed Inactive\n");
    printf("              suites %6u %6u    n/a %6u        0\n", t->nSuitesRun + t->nSuitesFailed,
           t->nSuitesRun, t->nSuitesFailed);
    printf("               tests %6u %6u %6u %6u        0\n", t->nTestsRun, t->nTestsRun, passed,
           t->nTestsFailed);
    printf("             asserts %6u %6u %6u %6u      n/a\n", t->nAsserts, t->nAsserts,
           t->nAsserts - t->nAssertsFailed, t->nAssertsFailed);
    printf("\nElapsed time = %8.3f seconds\n%u passed, %u failed\n", seconds, passed,
           t->nTestsFailed + t->nSuitesFailed);
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

bool test_run_jobs(int workers)
{
    double start = now();
    int count = collect(NULL);
    job_list l = {.jobs = calloc((size_t)count + 1, sizeof(job)),
                  .count = count,
                  .workers = workers < count ? workers : count};
    if (!l.jobs)
        abort();
    collect(l.jobs);
    while (l.next < l.count || l.running > 0) {
        if (l.next < l.count && l.running < l.workers)
            start_next(&l);
        else
            finish_one(&l);
    }
    show_total(&l.total, now() - start);
    free(l.jobs);
    return l.total.nTestsRun > 0 && l.total.nFailureRecords == 0 && l.total.nSuitesFailed == 0;
}
