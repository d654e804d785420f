/* bench_periodic.c: orbits beside runs that settle, and responses beside sweeps in time.
 *
 * A synchronous buck converter that is hardly loaded rings for thousands of periods before a run has
 * settled; Newton's method finds the orbit at once. A response by a sweep in time is one run for each
 * frequency, until it has settled and through some turns of the disturbance: by this simulator, and by
 * ngspice where it is installed, a few frequencies of each, taken as so many of all. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench.h"
#include "junct.h"

enum { FREQUENCIES = 200 };
#define PERIOD 1e-4
/* Until 1e-9 is left of the start: it decays like exp(−t/(2·R·C)), with R = 10 kohm, C = 100 uF. */
#define SETTLED (2.0 * 20.7)

/* %g: how much the duty cycle swings, and with which frequency. */
static const char converter[] =
    "model light\nSe V = 24\nSe G = 0\nI L = 100u\nC C1 = 100u\nR load = %d\n0 n\n0 out\n1 "
    "coil\nX1 s\n"
    "X1 d\nV -> s -> n\nG -> d -> n\nn -> coil -> L\ncoil -> out -> C1\nout -> load\n"
    "switch s pwm(100u, %s)\nswitch d off, on when not on(s), off when on(s)\n"
    "output v = e(out)\nsimulate to 1 every 1\n";

typedef struct {
    jn_arena *arena;
    jn_diags *diags;
    jn_graph *graph;
} reading;

static bool read_model(reading *r, int load, const char *duty)
{
    jn_str text;
    jn_str_init(&text);
    jn_str_addf(&text, converter, load, duty);
    *r = (reading){.arena = jn_arena_new(), .diags = jn_diags_new()};
    const jn_source *source = jn_source_of(r->arena, "bench", jn_str_c(&text), text.len);
    bool ok = jn_graph_read(&r->graph, source, r->diags) == JN_OK;
    jn_str_clear(&text);
    return ok;
}

static void forget_model(reading *r)
{
    jn_graph_free(r->graph);
    jn_diags_free(r->diags);
    jn_arena_free(r->arena);
}

/* ---- orbits -------------------------------------------------------------------------------- */

static bool find_orbit(const void *arg, double *count)
{
    reading r;
    jn_steady *o = NULL;
    jn_steady_options none = {0};
    (void)arg;
    bool ok = read_model(&r, 10000, "1/2") && jn_steady_find(&o, r.graph, &none, r.diags) == JN_OK;
    if (ok)
        *count = o->start[1];
    jn_steady_free(o);
    forget_model(&r);
    return ok;
}

static bool run_to(const char *duty, int load, double to, double *end)
{
    reading r;
    jn_sim *s = NULL;
    jn_stopped stop;
    jn_sim_options none = {0};
    bool ok = read_model(&r, load, duty) && jn_sim_new(&s, r.graph, &none, r.diags) == JN_OK &&
              jn_sim_advance(s, to, &stop) == JN_OK;
    if (ok)
        *end = jn_sim_state(s)[1];
    jn_sim_free(s);
    forget_model(&r);
    return ok;
}

static bool settle(const void *arg, double *count)
{
    (void)arg;
    return run_to("1/2", 10000, SETTLED, count);
}

static void compare_orbits(void)
{
    char fields[120];
    bench_result newton = bench_run(find_orbit, NULL), run = bench_run(settle, NULL);
    bench_report("steady", "\"way\": \"Newton\"", &newton, 0);
    snprintf(fields, sizeof fields, "\"way\": \"run of %.0f periods\", \"apart\": %.1e",
             SETTLED / PERIOD, fabs(run.count / newton.count - 1));
    bench_report("steady", fields, &run, 0);
    bench_report_ratio("steady", "\"of\": \"seconds, run/Newton\"", run.seconds / newton.seconds);
    bench_report_guard("steady", "\"of\": \"seconds, Newton/run\"", "part",
                       newton.seconds / run.seconds, 0.01);
}

/* ---- responses ----------------------------------------------------------------------------- */

static double frequency_of(int i, int n)
{
    return 10 * pow(1000, (double)i / (n - 1));
}

static bool respond(const void *arg, double *count)
{
    reading r;
    jn_bode *b = NULL;
    double f[FREQUENCIES];
    (void)arg;
    for (int i = 0; i < FREQUENCIES; i++)
        f[i] = frequency_of(i, FREQUENCIES);
    jn_bode_options o = {.source = -1, .nfrequencies = FREQUENCIES, .frequency = f};
    bool ok = read_model(&r, 10, "1/2") && jn_bode_find(&b, r.graph, &o, r.diags) == JN_OK;
    *count = FREQUENCIES;
    jn_bode_free(b);
    forget_model(&r);
    return ok;
}

/* How long a run is for one frequency: twenty time constants, and five turns. */
static double length_of(double f)
{
    return 20 * 2e-3 + 5 / f;
}

static bool sweep_in_time(const void *arg, double *count)
{
    const int *n = arg;
    bool ok = true;
    for (int i = 0; i < *n && ok; i++) {
        double f = frequency_of(i, *n), end;
        char duty[80];
        snprintf(duty, sizeof duty, "1/2 + 1/1000*sin(2*pi*%.9g*t)", f);
        ok = run_to(duty, 10, length_of(f), &end);
    }
    *count = *n;
    return ok;
}

static const char circuit[] =
    "buck\nV1 in 0 24\nVr r 0 pulse(0 1 0 99.9u 50n 1n 100u)\n"
    "Vd d 0 sin(0.5 1m %.9g)\nBg g 0 v=u(v(d)-v(r))\nBh h 0 v=u(v(r)-v(d))\n"
    "S1 in n g 0 ideal\nS2 0 n h 0 ideal\nL1 n out 100u ic=0\nC1 out 0 100u ic=0\nR1 out 0 10\n"
    ".model ideal sw(vt=0.5 ron=1m roff=1meg)\n.options reltol=1e-4\n.tran 1u %.9g uic\n"
    ".meas tran vend find v(out) at=%.9g\n.end\n";

static bool spice_at(double f)
{
    char path[] = "/tmp/junct-bench-XXXXXX", command[200], line[400];
    int file = mkstemp(path);
    FILE *to = file >= 0 ? fdopen(file, "w") : NULL;
    if (!to)
        return false;
    fprintf(to, circuit, f, length_of(f), length_of(f));
    fclose(to);
    snprintf(command, sizeof command, "ngspice -b '%s' 2>/dev/null", path);
    FILE *from = popen(command, "r");
    bool found = false;
    while (from && fgets(line, sizeof line, from))
        found |= strncmp(line, "vend", 4) == 0;
    bool ok = from && pclose(from) == 0 && found;
    unlink(path);
    return ok;
}

static bool sweep_by_spice(const void *arg, double *count)
{
    const int *n = arg;
    bool ok = true;
    for (int i = 0; i < *n && ok; i++)
        ok = spice_at(frequency_of(i, *n));
    *count = *n;
    return ok;
}

static void compare_responses(void)
{
    int ours = 10, spice = 3;
    bench_result exact = bench_run(respond, NULL), run = bench_run(sweep_in_time, &ours);
    bench_report("bode", "\"way\": \"exact\", \"frequencies\": 200", &exact, 0);
    bench_report("bode", "\"way\": \"runs\", \"frequencies\": 10", &run, 0);
    bench_report_ratio("bode", "\"of\": \"seconds a frequency, runs/exact\"",
                       run.seconds / ours / (exact.seconds / FREQUENCIES));
    if (system("command -v ngspice >/dev/null 2>&1") != 0) {
        bench_report_missing("bode", "\"way\": \"ngspice\"");
        return;
    }
    bench_result other = bench_run(sweep_by_spice, &spice);
    bench_report("bode", "\"way\": \"ngspice\", \"frequencies\": 3", &other, 0);
    bench_report_ratio("bode", "\"of\": \"seconds a frequency, ngspice/exact\"",
                       other.seconds / spice / (exact.seconds / FREQUENCIES));
}

void bench_periodic(void)
{
    compare_orbits();
    compare_responses();
}
