/* bench_sweep.c: rows of sweeps: what one costs beside a bare run, and how workers share them. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <sys/resource.h>

#include "bench.h"
#include "junct.h"

static const char buck[] =
    "model buck\nSe V = 24\nSe G = 0\nI L = 100u\nC C1 = 100u\nR load = 4\n0 n\n"
    "0 out\n1 coil\nX1 s\nX1 d\nV -> s -> n\nG -> d -> n\nn -> coil -> L\n"
    "coil -> out -> C1\nout -> load\nswitch s pwm(20u, 1/2)\nswitch d diode\n"
    "output v = e(out)\nsimulate to 10m every 1m\n";

enum { ROWS = 100 };

typedef struct {
    jn_arena *arena;
    jn_diags *diags;
    jn_graph *graph;
} model;

static bool open_model(model *m)
{
    *m = (model){.arena = jn_arena_new(), .diags = jn_diags_new()};
    const jn_source *text = jn_source_of(m->arena, "buck", buck, sizeof buck - 1);
    return jn_graph_read(&m->graph, text, m->diags) == JN_OK;
}

static void close_model(model *m)
{
    jn_graph_free(m->graph);
    jn_diags_free(m->diags);
    jn_arena_free(m->arena);
}

/* A program that runs the model again and again, with another load each time. */
static bool bare_runs(const void *arg, double *count)
{
    model m;
    jn_sim *s = NULL;
    jn_stopped stop;
    const char *why;
    fmpq_t load;
    (void)arg;
    fmpq_init(load);
    bool good = open_model(&m) && jn_sim_new(&s, m.graph, &(jn_sim_options){0}, m.diags) == JN_OK;
    for (int i = 0; i < ROWS && good; i++) {
        fmpq_set_si(load, 100 + i, 50);
        good = jn_graph_set(m.graph, "load", load, &why) == JN_OK &&
               jn_sim_restart(s, NULL, m.diags) == JN_OK && jn_sim_advance(s, 0.01, &stop) == JN_OK;
        *count += good;
    }
    fmpq_clear(load);
    jn_sim_free(s);
    close_model(&m);
    return good;
}

static bool sweep_rows(const void *arg, double *count)
{
    static const char *const vary[] = {"load=2:3.98:100"}, *const measure[] = {"mean(v)"};
    jn_sweep_question q = {.nvary = 1, .vary = vary, .nmeasures = 1, .measure = measure};
    model m;
    jn_sweep *s = NULL;
    jn_str text;
    (void)arg;
    jn_str_init(&text);
    bool good = open_model(&m) && jn_sweep_new(&s, m.graph, &q, m.diags) == JN_OK;
    for (uint64_t i = 0; i < ROWS && good; i++) {
        good = jn_sweep_row_text(&text, s, i);
        *count += good;
    }
    jn_str_clear(&text);
    jn_sweep_free(s);
    close_model(&m);
    return good;
}

/* ---- workers ------------------------------------------------------------------------------- */

static double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Of all processes that have ended. */
static double processor_seconds(void)
{
    struct rusage r;
    getrusage(RUSAGE_CHILDREN, &r);
    return (double)(r.ru_utime.tv_sec + r.ru_stime.tv_sec) +
           1e-6 * (double)(r.ru_utime.tv_usec + r.ru_stime.tv_usec);
}

/* Rows in a second of the clock on the wall; 0: it failed. The best of three. *work: the least processor time
 * of all its processes together. */
static double rows_per_second(const char *program, const char *path, int jobs, int rows,
                              double *work)
{
    char command[1000];
    double best = 0;
    snprintf(command, sizeof command,
             "'%s' sweep '%s' --vary load=2:4:%d --measure 'mean(v)' -q -j %d >/dev/null", program,
             path, rows, jobs);
    *work = INFINITY;
    for (int i = 0; i < 3; i++) {
        double from = seconds_now(), before = processor_seconds();
        if (system(command) != 0)
            return 0;
        *work = fmin(*work, processor_seconds() - before);
        double rate = rows / (seconds_now() - from);
        best = rate > best ? rate : best;
    }
    return best;
}

void bench_sweep(const char *program)
{
    bench_result bare = bench_run(bare_runs, NULL), swept = bench_run(sweep_rows, NULL);
    bench_report("sweep", "\"of\": \"bare runs\", \"runs\": 100", &bare, 0);
    bench_report("sweep", "\"of\": \"rows\", \"runs\": 100", &swept, 0);
    if (bare.ok && swept.ok)
        bench_report_guard("sweep", "\"of\": \"seconds, rows/bare runs\"", "ratio",
                           swept.seconds / bare.seconds, 1.2);
    char path[] = "/tmp/junct_bench_XXXXXX";
    int fd = mkstemp(path);
    FILE *f = fd < 0 ? NULL : fdopen(fd, "w");
    if (!f)
        return;
    fputs(buck, f);
    fclose(f);
    double work_of_one, work_of_two;
    double one = rows_per_second(program, path, 1, 400, &work_of_one),
           two = rows_per_second(program, path, 2, 400, &work_of_two);
    remove(path);
    bench_report_guard("sweep", "\"jobs\": 1", "rows per second", one, 0);
    bench_report_guard("sweep", "\"jobs\": 2", "rows per second", two, 0);
    /* only means something where nothing else runs */
    bench_report_ratio("sweep", "\"of\": \"efficiency of two workers\"", two / (2 * one));
    /* what sharing costs, whatever else runs */
    bench_report_guard("sweep", "\"of\": \"processor seconds, two workers/one\"", "ratio",
                       work_of_two / work_of_one, 1 / 0.85);
}
