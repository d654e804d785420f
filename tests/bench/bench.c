/* bench.c: runs the benchmarks; exits with 1 when one fails or misses its limit. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "bench.h"

enum { MAX_REPEATS = 7 };
#define ENOUGH_SECONDS 1.0 /* no further repetition after this */

static int failures;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double seconds_of(struct timeval t)
{
    return (double)t.tv_sec + 1e-6 * (double)t.tv_usec;
}

/* Processor time and peak memory so far, of this process and of those it has waited for. */
static void read_usage(double *seconds, long *peak_kib)
{
    static const int whose[] = {RUSAGE_SELF, RUSAGE_CHILDREN};
    *seconds = 0;
    *peak_kib = 0;
    for (int i = 0; i < 2; i++) {
        struct rusage u;
        getrusage(whose[i], &u);
        *seconds += seconds_of(u.ru_utime) + seconds_of(u.ru_stime);
        if (u.ru_maxrss > *peak_kib)
            *peak_kib = u.ru_maxrss;
    }
}

/* In the child: what was measured goes into the pipe. */
static void work_and_tell(int pipe_end, bench_work work, const void *arg)
{
    bench_result r = {0};
    double before, start = now();
    read_usage(&before, &r.peak_kib);
    r.ok = work(arg, &r.count);
    read_usage(&r.seconds, &r.peak_kib);
    r.seconds -= before;
    r.wall = now() - start;
    bool told = write(pipe_end, &r, sizeof r) == (ssize_t)sizeof r;
    _exit(told ? 0 : 1);
}

static bench_result run_once(bench_work work, const void *arg)
{
    bench_result r = {0};
    int ends[2];
    fflush(stdout);
    if (pipe(ends) != 0)
        return r;
    pid_t child = fork();
    if (child == 0)
        work_and_tell(ends[1], work, arg);
    close(ends[1]);
    if (child < 0 || read(ends[0], &r, sizeof r) != (ssize_t)sizeof r)
        r = (bench_result){0};
    close(ends[0]);
    if (child > 0)
        waitpid(child, NULL, 0);
    return r;
}

bench_result bench_run(bench_work work, const void *arg)
{
    bench_result best = run_once(work, arg);
    double spent = best.wall;
    for (int i = 1; best.ok && i < MAX_REPEATS && spent < ENOUGH_SECONDS; i++) {
        bench_result r = run_once(work, arg);
        spent += r.wall;
        if (!r.ok || r.seconds < best.seconds)
            best = r;
    }
    return best;
}

/* ---- the loop of fixed work ---------------------------------------------------------------- */

enum { TABLE = 1 << 20, STEPS = 1 << 22 };

/* Looks at random places of a table of 8 MB: much like looking for nodes. */
static bool calibrate(const void *arg, double *count)
{
    (void)arg;
    uint64_t *table = jn_alloc(TABLE * sizeof *table), x = 1, sum = 0;
    for (long i = 0; i < STEPS; i++) {
        x = x * 6364136223846793005u + 1442695040888963407u;
        sum ^= table[x >> 44];
        table[x >> 44] += x;
    }
    *count = sum ? STEPS : 0;
    free(table);
    return true;
}

double bench_loops(double seconds)
{
    static double loop;
    if (loop == 0) {
        bench_result r = bench_run(calibrate, NULL);
        bench_report("calibration loop", "", &r, 0);
        loop = r.seconds;
    }
    return seconds / loop;
}

/* ---- reports ------------------------------------------------------------------------------- */

static void begin_line(const char *name, const char *fields)
{
    printf("{\"bench\": \"%s\"%s%s", name, *fields ? ", " : "", fields);
}

void bench_report(const char *name, const char *fields, const bench_result *r, double limit)
{
    begin_line(name, fields);
    if (!r->ok) {
        printf(", \"failed\": true}\n");
        failures++;
        return;
    }
    printf(", \"seconds\": %.6f, \"wall\": %.6f, \"peak_kib\": %ld", r->seconds, r->wall,
           r->peak_kib);
    if (r->count > 0)
        printf(", \"count\": %.0f, \"per_second\": %.0f", r->count, r->count / r->seconds);
    if (limit > 0) {
        bool met = r->seconds < limit;
        printf(", \"limit\": %g, \"met\": %s", limit, met ? "true" : "false");
        failures += !met;
    }
    printf("}\n");
}

void bench_report_ratio(const char *name, const char *fields, double ratio)
{
    begin_line(name, fields);
    if (isfinite(ratio))
        printf(", \"ratio\": %.2f}\n", ratio);
    else
        printf(", \"ratio\": null}\n");
}

void bench_report_guard(const char *name, const char *fields, const char *what, double value,
                        double limit)
{
    begin_line(name, fields);
    printf(", \"%s\": %.2f", what, value);
    if (limit > 0) {
        bool met = value < limit;
        printf(", \"limit\": %g, \"met\": %s", limit, met ? "true" : "false");
        failures += !met;
    }
    printf("}\n");
}

void bench_report_missing(const char *name, const char *fields)
{
    begin_line(name, fields);
    printf(", \"available\": false}\n");
}

/* The program stands beside this one. */
static char *program_beside(const char *self)
{
    const char *slash = strrchr(self, '/');
    int folder = slash ? (int)(slash - self) + 1 : 0;
    size_t size = (size_t)folder + sizeof "junct";
    char *path = malloc(size);
    if (path)
        snprintf(path, size, "%.*sjunct", folder, self);
    return path;
}

/* With arguments, only the parts they name: core, modes, families, questions, sim, analyse, large, long,
 * sweep, periodic, verify. */
static bool is_asked(const char *part, int argc, char *argv[])
{
    bool any = false;
    for (int i = 1; i < argc; i++) {
        any |= !strchr(argv[i], '=');
        if (strcmp(argv[i], part) == 0)
            return true;
    }
    return !any;
}

/* pictures=FOLDER: where the curves are drawn. */
static const char *folder_of_pictures(int argc, char *argv[])
{
    static const char name[] = "pictures=";
    for (int i = 1; i < argc; i++)
        if (strncmp(argv[i], name, sizeof name - 1) == 0)
            return argv[i] + sizeof name - 1;
    return NULL;
}

int main(int argc, char *argv[])
{
    char *program = program_beside(argv[0]);
    if (!program)
        return 1;
    if (is_asked("core", argc, argv))
        bench_core(program);
    if (is_asked("modes", argc, argv))
        bench_modes();
    if (is_asked("families", argc, argv))
        bench_by_family();
    if (is_asked("questions", argc, argv))
        bench_questions(program);
    if (is_asked("sim", argc, argv))
        bench_sim();
    if (is_asked("analyse", argc, argv))
        bench_analyse();
    if (is_asked("large", argc, argv))
        bench_large();
    if (is_asked("long", argc, argv))
        bench_long(program);
    if (folder_of_pictures(argc, argv))
        bench_pictures(folder_of_pictures(argc, argv));
    if (is_asked("sweep", argc, argv))
        bench_sweep(program);
    if (is_asked("periodic", argc, argv))
        bench_periodic();
    if (is_asked("verify", argc, argv))
        bench_verify();
    free(program);
    return failures ? 1 : 0;
}
