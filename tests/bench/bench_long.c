/* bench_long.c: big models and long runs, by the program itself.
 *
 * Each row is a run of junct from its start to its end: what a user waits for, and the memory it
 * takes. Times are guarded as ratios to a loop of fixed work, memory as it is. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bench.h"

/* ---- models -------------------------------------------------------------------------------- */

/* 100 × 100 nodes with a capacitor, joined by resistors. */
static const char mesh[] =
    "model mesh\nSe V = 10\nR rs = 1\n1 in\n"
    "for i in 1..100 { for j in 1..100 {\n"
    "  0 node[i*101 + j]\n  C c[i*101 + j] = 1/100\n  node[i*101 + j] -> c[i*101 + j]\n} }\n"
    "V -> in -> node[102]\nin -> rs\n"
    "for i in 1..100 { for j in 1..99 {\n"
    "  1 a[i*101 + j]\n  R ra[i*101 + j] = 1\n  a[i*101 + j] -> ra[i*101 + j]\n"
    "  node[i*101 + j] -> a[i*101 + j] -> node[i*101 + j + 1]\n} }\n"
    "for i in 1..99 { for j in 1..100 {\n"
    "  1 d[i*101 + j]\n  R rd[i*101 + j] = 1\n  d[i*101 + j] -> rd[i*101 + j]\n"
    "  node[i*101 + j] -> d[i*101 + j] -> node[i*101 + j + 101]\n} }\n"
    "output u = e(node[102]), v = e(node[5000])\nsimulate to 1 every 1/10\n";

static const char hub[] = "model hub\nSe V = 10\nR rs = 1\n1 in\n0 hub\nC c = 1\n"
                          "V -> in -> hub -> c\nin -> rs\n"
                          "for k in 1..50000 {\n  R r[k] = k\n  hub -> r[k]\n}\n"
                          "output u = e(c)\nsimulate to 1 every 1/10\n";

/* 200 states behind a switch. */
static const char line[] =
    "model line\nSe V = 10\nX1 s\n0 node[0]\nV -> s -> node[0]\n"
    "for k in 1..100 {\n"
    "  1 branch[k]\n  0 node[k]\n  I L[k] = k/1000\n  R r[k] = 1/10\n  C c[k] = 1/(k + 1)\n"
    "  node[k - 1] -> branch[k] -> node[k] -> c[k]\n  branch[k] -> L[k]\n  branch[k] -> r[k]\n"
    "}\noutput u = e(c[100])\n";

static const char buck[] =
    "model buck\nSe V = 24\nSe G = 0\nI L = 100u\nC C1 = 100u\nR load = 5\n"
    "X1 s\nX1 d\n0 n\n1 l\n0 o\nV -> s -> n\nG -> d -> n\nn -> l -> L\nl -> o -> C1\n"
    "o -> load\nswitch s pwm(50u, 1/2)\nswitch d on, on when not on(s), off when on(s)\n"
    "output u = e(C1), i = f(L)\n";

/* 64 cells whose carriers are shifted against each other; the modulation's frequency has no
 * simple ratio to theirs, so that new modes come up to the end. */
static const char modular[] =
    "model modular\nparam T = 1/1000\nsignal duty = 1/2 + 2/5*sin(314*t)\n"
    "Se V = 400\nI L = 1/100\nR r = 5\n1 current\nV -> current -> L\ncurrent -> r\n"
    "for k in 1..64 {\n"
    "  C c[k] = 1/100, e0 = 10\n  0 p[k]\n  X1 insert[k]\n  X1 bypass[k]\n"
    "  p[k] -> insert[k] -> c[k]\n  p[k] -> bypass[k]\n  current -> p[k]\n"
    "  switch insert[k] pwm(T, duty, k*T/64)\n"
    "  switch bypass[k] on, on when not on(insert[k]), off when on(insert[k])\n"
    "}\noutput i = f(L)\n";

/* ---- the program --------------------------------------------------------------------------- */

typedef struct {
    const char *name, *text, *arguments; /* "analyse %s --mode 1": of the program */
    double count;                        /* of rows or events, as known beforehand; 0: none */
    double loops, megabytes;             /* what it may take; 0: any */
} row;

static const row rows[] = {
    {"simulate, 10,000 states", mesh, "simulate -q %s -o /dev/null", 0, 300, 200},
    {"simulate, 50,000 elements at a junction", hub, "simulate -q %s -o /dev/null", 0, 40, 200},
    {"analyse --mode, 200 states", line, "analyse %s --mode 1 -o /dev/null", 0, 60, 60},
    {"a million events", buck, "simulate -q %s --to 25 --every 25 -o /dev/null", 1e6, 120, 20},
    {"ten million rows of CSV", buck, "simulate -q %s --to 10 --every 1u -o /dev/null", 1e7, 300,
     20},
    {"64 cells, 100,000 events", modular, "simulate -q %s --to 0.79 --every 1 -o /dev/null", 1e5,
     400, 400},
};

typedef struct {
    const row *row;
    const char *program, *path;
} job;

static bool run_program(const void *arg, double *count)
{
    const job *j = arg;
    jn_str command;
    jn_str_init(&command);
    jn_str_addf(&command, "exec %s ", j->program);
    jn_str_addf(&command, j->row->arguments, j->path);
    int status = system(jn_str_c(&command));
    jn_str_clear(&command);
    *count = j->row->count;
    return status == 0;
}

static void measure(const row *r, const char *program, const char *path)
{
    job j = {r, program, path};
    FILE *f = fopen(path, "w");
    if (!f)
        return;
    fputs(r->text, f);
    fclose(f);
    bench_result result = bench_run(run_program, &j);
    bench_report(r->name, "", &result, 0);
    if (!result.ok)
        return;
    bench_report_guard(r->name, "", "loops", bench_loops(result.seconds), r->loops);
    bench_report_guard(r->name, "", "megabytes", (double)result.peak_kib / 1024, r->megabytes);
}

/* ---- rows as text -------------------------------------------------------------------------- */

/* How many megabytes of CSV a second the program writes, all its work included. */
static void measure_rate(const char *program, const char *path, const char *output)
{
    static const row csv = {"CSV", buck, NULL, 0, 0, 0};
    char arguments[200];
    struct stat s;
    snprintf(arguments, sizeof arguments, "simulate -q %%s --to 2 --every 1u -o %s", output);
    row r = csv;
    r.arguments = arguments;
    job j = {&r, program, path};
    FILE *f = fopen(path, "w");
    if (!f)
        return;
    fputs(r.text, f);
    fclose(f);
    bench_result result = bench_run(run_program, &j);
    if (stat(output, &s) == 0 && result.ok)
        bench_report_ratio("CSV", "\"of\": \"megabytes a second\"",
                           (double)s.st_size / 1e6 / result.seconds);
    unlink(output);
}

void bench_long(const char *program)
{
    char folder[] = "/tmp/junct-bench-XXXXXX", path[80], output[80];
    if (!mkdtemp(folder))
        return;
    snprintf(path, sizeof path, "%s/model.hbg", folder);
    snprintf(output, sizeof output, "%s/trace.csv", folder);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        measure(&rows[i], program, path);
    measure_rate(program, path, output);
    unlink(path);
    rmdir(folder);
}
