/* bench_sim.c: running hybrid models: events and output points per second, and how exact.
 *
 * Ideal converters with local diode laws for one second at 20 kHz, by the exact solution and by the
 * integrator, beside ngspice and IDA on the same circuit; then a ladder of coils and capacitors behind a
 * switch, to see how the cost of an event and of an output point grows with the states. Errors are
 * against the event-by-event reference of tests/sim, relative to the output voltage. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench.h"
#include "bench_ida.h"
#include "junct.h"
#include "junct/sim.h"
#include "sim/converter.h"

/* ---- a run --------------------------------------------------------------------------------- */

typedef struct {
    jn_str text;
    jn_sim_options options;
    double to;
    int points;        /* output points on the way */
    bool count_points; /* rather than events */
} run;

typedef struct {
    jn_arena *arena;
    jn_diags *diags;
    jn_graph *graph;
    jn_sim *sim;
} simulation;

static bool begin(simulation *s, const run *r)
{
    *s = (simulation){.arena = jn_arena_new(), .diags = jn_diags_new()};
    const jn_source *text = jn_source_of(s->arena, "bench", jn_str_c(&r->text), r->text.len);
    return jn_graph_read(&s->graph, text, s->diags) == JN_OK &&
           jn_sim_new(&s->sim, s->graph, &r->options, s->diags) == JN_OK;
}

static void end(simulation *s)
{
    jn_sim_free(s->sim);
    jn_graph_free(s->graph);
    jn_diags_free(s->diags);
    jn_arena_free(s->arena);
}

static bool advance(simulation *s, const run *r)
{
    jn_stopped stop;
    for (int k = 1; k <= r->points; k++)
        if (jn_sim_advance(s->sim, r->to * k / r->points, &stop) != JN_OK)
            return false;
    return true;
}

/* The model's text to the end of the run. */
static bool simulate(const void *arg, double *count)
{
    const run *r = arg;
    simulation s;
    bool ok = begin(&s, r) && advance(&s, r);
    if (ok)
        *count = r->count_points ? r->points : (double)jn_sim_events(s.sim);
    end(&s);
    return ok;
}

/* Whether the method can be had for this model at all. */
static bool is_available(const run *r)
{
    simulation s;
    bool available = begin(&s, r);
    end(&s);
    return available;
}

/* The last state at the end of the run: the output capacitor's charge. */
static double last_state(const run *r)
{
    simulation s;
    double charge = NAN;
    if (begin(&s, r) && advance(&s, r))
        charge = jn_sim_state(s.sim)[s.graph->nstorages - 1];
    end(&s);
    return charge;
}

/* ---- converters ---------------------------------------------------------------------------- */

enum { PERIOD_US = 50, COMPARED = 400 }; /* periods over which errors are taken */

static double reference_charge(const converter *c)
{
    real x[REF_STATES] = {0}, when[CONVERTER_EVENTS];
    for (int k = 0; k < COMPARED; k++) {
        converter_charge(x, c);
        converter_freewheel(x, c, 0, when);
    }
    return (double)x[c->on.n - 1];
}

/* Returns events a second, and the seconds that a simulated one takes. */
static double report_run(const char *name, const char *method, run *r, const converter *c,
                         double limit, double *cost)
{
    char fields[160];
    double to = r->to;
    r->to = (double)(COMPARED * c->period);
    double exact = reference_charge(c), error = fabs(last_state(r) / exact - 1);
    r->to = to;
    snprintf(fields, sizeof fields, "\"method\": \"%s\", \"simulated\": %g, \"error\": %.2e",
             method, to, error);
    bench_result result = bench_run(simulate, r);
    bench_report(name, fields, &result, 0);
    if (limit > 0)
        bench_report_guard(name, "", "loops", bench_loops(result.seconds), limit);
    *cost = result.seconds / to;
    return result.ok ? result.count / result.seconds : NAN;
}

/* Returns the seconds that a simulated one takes. */
static double bench_converter(const char *name, const converter *c, double limit)
{
    run r = {.to = 1, .points = 1};
    jn_str_init(&r.text);
    converter_model(&r.text, c);
    double cost, cost_radau;
    double exact = report_run(name, "exact", &r, c, limit, &cost);
    r.options = (jn_sim_options){.method = JN_METHOD_RADAU, .rtol = 1e-6, .atol = 1e-9};
    r.to = (double)(COMPARED * c->period);
    if (is_available(&r)) {
        double radau = report_run(name, "radau", &r, c, 0, &cost_radau);
        bench_report_ratio(name, "\"of\": \"events a second, exact/radau\"", exact / radau);
    } else {
        bench_report_missing(name, "\"method\": \"radau\"");
    }
    jn_str_clear(&r.text);
    return cost;
}

/* ---- ngspice ------------------------------------------------------------------------------- */

/* As near to ideal as its switch and diode models come. */
static const char circuit[] = "buck\n"
                              "V1 in 0 24\nVg g 0 pulse(0 1 0 1n 1n %gu %du)\n"
                              "S1 in n g 0 ideal\nD1 0 n ideald\nL1 n out 100u ic=0\n"
                              "C1 out 0 100u ic=0\nR1 out 0 %d\n"
                              ".model ideal sw(vt=0.5 ron=1m roff=1meg)\n"
                              ".model ideald d(n=0.01 rs=1m)\n"
                              ".options reltol=1e-6\n"
                              ".tran 1u %.9g uic\n"
                              ".meas tran vend find v(out) at=%.9g\n"
                              ".end\n";

/* The voltage at the end, from a run on the file named by arg; NaN when there is none. */
static double spice_voltage(const char *path)
{
    char command[200], line[400];
    double v = NAN;
    snprintf(command, sizeof command, "ngspice -b '%s' 2>/dev/null", path);
    FILE *f = popen(command, "r");
    while (f && fgets(line, sizeof line, f))
        if (strncmp(line, "vend", 4) == 0 && strchr(line, '='))
            v = strtod(strchr(line, '=') + 1, NULL);
    return f && pclose(f) == 0 ? v : NAN;
}

static bool run_spice(const void *arg, double *count)
{
    (void)count;
    return isfinite(spice_voltage(arg));
}

/* cost: of the exact way. */
static void bench_spice(const converter *c, double cost)
{
    char path[] = "/tmp/junct-bench-XXXXXX", fields[160];
    double to = (double)(COMPARED * c->period);
    int file = mkstemp(path);
    FILE *f = file >= 0 ? fdopen(file, "w") : NULL;
    if (!f)
        return;
    fprintf(f, circuit, c->period_us / 2.0, c->period_us, c->load, to, to);
    fclose(f);
    double v = spice_voltage(path);
    if (isfinite(v)) {
        double error = fabs(v * 1e-4 / reference_charge(c) - 1);
        snprintf(fields, sizeof fields,
                 "\"method\": \"ngspice\", \"simulated\": %g, \"error\": %.2e", to, error);
        bench_result r = bench_run(run_spice, path);
        bench_report("buck", fields, &r, 0);
        bench_report_ratio("buck", "\"of\": \"seconds, ngspice/exact\"", r.seconds / to / cost);
    } else {
        bench_report_missing("buck", "\"method\": \"ngspice\"");
    }
    unlink(path);
}

/* ---- IDA ------------------------------------------------------------------------------------ */

#define PEER_RTOL 1e-6

static bool run_ida(const void *arg, double *count)
{
    (void)count;
    return isfinite(bench_ida_charge(arg, COMPARED, PEER_RTOL));
}

/* cost: of the exact way. */
static void bench_ida(const converter *c, double cost)
{
    if (!bench_has_ida()) {
        bench_report_missing("buck", "\"method\": \"ida\"");
        return;
    }
    char fields[160];
    double to = (double)(COMPARED * c->period);
    double error = fabs(bench_ida_charge(c, COMPARED, PEER_RTOL) / reference_charge(c) - 1);
    snprintf(fields, sizeof fields, "\"method\": \"ida\", \"simulated\": %g, \"error\": %.2e", to,
             error);
    bench_result r = bench_run(run_ida, c);
    bench_report("buck", fields, &r, 0);
    bench_report_ratio("buck", "\"of\": \"seconds, ida/exact\"", r.seconds / to / cost);
}

/* ---- growth with the number of states ------------------------------------------------------ */

/* n coils and n capacitors behind a switch that chops a source. */
static void write_ladder(jn_str *out, int n, bool chopped)
{
    jn_str_addf(out,
                "model ladder\n"
                "Se V = 10\n"
                "R ri = 1\n"
                "X1 s\n"
                "0 node[0]\n"
                "R r0 = 1\n"
                "V -> s -> node[0] -> r0\n"
                "s -> ri\n"
                "for k in 1..%d {\n"
                "  1 branch[k]\n"
                "  0 node[k]\n"
                "  I L[k] = 1/100\n"
                "  R r[k] = 1/10\n"
                "  C c[k] = 1/100\n"
                "  node[k - 1] -> branch[k] -> node[k] -> c[k]\n"
                "  branch[k] -> L[k]\n"
                "  branch[k] -> r[k]\n"
                "}\n"
                "switch s %s\n",
                n, chopped ? "pwm(1/100, 1/2)" : "on");
}

static void bench_growth(const char *name, bool chopped, double to, int points)
{
    static const int states[] = {2, 4, 10, 20, 40, 100, 200};
    char fields[80];
    for (int i = 0; i < 7; i++) {
        run r = {.to = to, .points = points, .count_points = !chopped};
        jn_str_init(&r.text);
        write_ladder(&r.text, states[i] / 2, chopped);
        bench_result result = bench_run(simulate, &r);
        snprintf(fields, sizeof fields, "\"states\": %d, \"microseconds_each\": %.3f", states[i],
                 result.count > 0 ? 1e6 * result.seconds / result.count : NAN);
        bench_report(name, fields, &result, 0);
        if (result.count > 0)
            bench_point("states", name, states[i], result.seconds / result.count);
        jn_str_clear(&r.text);
    }
}

void bench_sim(void)
{
    converter buck = converter_buck(PERIOD_US, 40), heavy = converter_buck(PERIOD_US, 4),
              boost = converter_boost(PERIOD_US, 200);
    double cost =
        bench_converter("buck", &buck, 5); /* three events a period: about a million a second */
    bench_converter("buck without pause", &heavy, 0);
    bench_converter("boost", &boost, 0);
    bench_spice(&buck, cost);
    bench_ida(&buck, cost);
    bench_axes("states", "states of the model", "seconds each");
    bench_growth("event", true, 5, 1);
    bench_growth("output point", false, 10, 10000);
}
