/* bench.h: measuring one piece of work.
 *
 * Every measurement is one line of JSON on standard output: a name, what was varied, the seconds
 * taken and the peak memory of the process. A line with a "limit" says whether it was met; one
 * with a "ratio" compares two measurements.
 *
 * Seconds are processor time: all work here is done by one thread, and other work on the machine
 * disturbs it less than the clock on the wall, which is given as well. */
#ifndef BENCH_H
#define BENCH_H

#include <stdbool.h>

#include "junct/base.h"

/* Does the work; a count (of modes, say) may go to *count. False when it failed. */
typedef bool (*bench_work)(const void *arg, double *count);

typedef struct {
    bool ok;
    double seconds; /* the best of several times, with its wall clock and memory */
    double wall;
    long peak_kib; /* of a process that does only this */
    double count;
} bench_result;

/* Does the work in a child process, several times while that is quick. */
bench_result bench_run(bench_work work, const void *arg);

/* {"bench": NAME, FIELDS, "seconds": …, …}, where the fields are JSON ("\"n\": 32"), "" for none;
 * limit: the seconds it may take, 0 for none. */
void bench_report(const char *name, const char *fields, const bench_result *r, double limit);
/* {"bench": NAME, FIELDS, "ratio": …}. */
void bench_report_ratio(const char *name, const char *fields, double ratio);
/* {"bench": NAME, FIELDS, WHAT: …}, where the value may not be above the limit; 0: any. */
void bench_report_guard(const char *name, const char *fields, const char *what, double value,
                        double limit);
/* {"bench": NAME, FIELDS, "available": false}: what this machine or build lacks. */
void bench_report_missing(const char *name, const char *fields);

/* How many times as long as a loop of fixed work, measured in the same run, something took: a slow or
 * busy machine changes little of it. */
double bench_loops(double seconds);

/* A point of a curve: in the picture `chart`, of the curve `name`, at size x. Both axes are
 * logarithmic. bench_pictures writes FOLDER/CHART.svg for every chart that has points. */
void bench_point(const char *chart, const char *name, double x, double y);
void bench_axes(const char *chart, const char *x, const char *y);
void bench_pictures(const char *folder);

/* What is measured, by file. `program` is the path of junct. */
void bench_core(const char *program);
void bench_modes(void);
void bench_sim(void);
void bench_analyse(void);
void bench_periodic(void);
void bench_verify(void);
void bench_by_family(void);
void bench_large(void);
void bench_long(const char *program);
void bench_questions(const char *program);
void bench_sweep(const char *program);

/* Models that several of them use. */
void bench_write_ladder(jn_str *out, int sections);

#endif
