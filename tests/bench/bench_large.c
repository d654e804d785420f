/* bench_large.c: runs of models with hundreds to thousands of states, linear and not, switched and stiff.
 *
 * Nothing in them may grow like the square of the states: time is guarded by the exponent between the
 * smallest and the largest, memory as it is. */
#include <math.h>
#include <stdio.h>

#include "bench.h"
#include "junct.h"
#include "junct/sim.h"

/* ---- models -------------------------------------------------------------------------------- */

/* n capacitors in a row, joined by resistors with some law or value; `before` is what comes before the first. */
static void write_chain(jn_str *out, int n, const char *before, const char *law)
{
    jn_str_addf(
        out,
        "model chain\n%s\n0 n[1]\nj -> n[1]\n"
        "for k in 2..%d {\n0 n[k]\n1 m[k]\nR g[k] %s\nm[k] -> g[k]\nn[k - 1] -> m[k] -> n[k]\n}\n"
        "for k in 1..%d {\nC c[k] = 1\nn[k] -> c[k]\n}\noutput u = e(c[1])\n",
        before, n, law, n);
}

#define SOURCE "R r = 1\n1 j\nj -> r\n"

static void write_cubic(jn_str *out, int n)
{
    write_chain(out, n, "Se V = 1\n" SOURCE "V -> j\n", ": e = f + f^3");
}

static void write_chopped(jn_str *out, int n)
{
    write_chain(out, n, "Se V = 1\nX1 s\n" SOURCE "V -> s -> j\nswitch s pwm(1, 1/2)\n", "= 1");
}

static void write_diode(jn_str *out, int n)
{
    write_chain(out, n,
                "Se V = sin(t)\nX1 s\nR q : e = f^3\n" SOURCE
                "V -> s -> j\nj -> q\nswitch s diode\n",
                "= 1");
}

static void write_stiff(jn_str *out, int n)
{
    write_chain(out, n, "Se V = 1\n" SOURCE "V -> j\n", "= 1/1000");
}

/* About n nodes in a square, one resistor of which is not linear. */
static void write_mesh(jn_str *out, int n)
{
    int w = (int)lround(sqrt(n));
    jn_str_addf(out,
                "model mesh\nSe V = 1\nR r : e = f + f^3\n1 j\nV -> j\nj -> r\nj -> n[1]\n"
                "for i in 1..%d {\n0 n[i]\nC c[i] = 1\nn[i] -> c[i]\n}\n"
                "for i in 1..%d {\nfor k in 1..%d {\nR h[(i - 1)*%d + k] = 1\n1 x[(i - 1)*%d + k]\n"
                "n[(i - 1)*%d + k] -> x[(i - 1)*%d + k] -> n[(i - 1)*%d + k + 1]\n"
                "x[(i - 1)*%d + k] -> h[(i - 1)*%d + k]\n"
                "R v[(i - 1)*%d + k] = 1\n1 y[(i - 1)*%d + k]\n"
                "n[(k - 1)*%d + i] -> y[(i - 1)*%d + k] -> n[k*%d + i]\n"
                "y[(i - 1)*%d + k] -> v[(i - 1)*%d + k]\n}\n}\noutput u = e(c[1])\n",
                w * w, w, w - 1, w, w, w, w, w, w, w, w, w, w, w, w, w, w);
}

enum { SIZES = 4 };

static const struct family {
    const char *name;
    void (*write)(jn_str *out, int n);
    double to;
    int size[SIZES];
    double exponent, megabytes; /* at most; of the largest */
} families[] = {
    {"chain of cubic resistors", write_cubic, 10, {500, 1000, 2000, 4000}, 1.6, 90},
    {"mesh with a cubic resistor", write_mesh, 10, {400, 1600, 4900, 10000}, 1.7, 350},
    {"chopped chain", write_chopped, 10, {500, 1000, 2000, 10000}, 1.6, 150},
    {"chain behind a diode", write_diode, 10, {500, 1000, 2000, 4000}, 1.6, 120},
    {"stiff chain", write_stiff, 300, {250, 500, 1000, 2000}, 1.6, 60},
};

/* ---- runs ---------------------------------------------------------------------------------- */

typedef struct {
    jn_str text;
    double to;
} run;

static bool simulate(const void *arg, double *count)
{
    const run *r = arg;
    jn_arena *arena = jn_arena_new();
    jn_diags *diags = jn_diags_new();
    jn_graph *graph = NULL;
    jn_sim *sim = NULL;
    jn_sim_options o = {0};
    jn_stopped stop;
    const jn_source *text = jn_source_of(arena, "bench", jn_str_c(&r->text), r->text.len);
    bool ok =
        jn_graph_read(&graph, text, diags) == JN_OK && jn_sim_new(&sim, graph, &o, diags) == JN_OK;
    for (int k = 1; k <= 10 && ok; k++)
        ok = jn_sim_advance(sim, r->to * k / 10, &stop) == JN_OK;
    *count = ok ? (double)jn_sim_events(sim) : 0;
    jn_sim_free(sim);
    jn_graph_free(graph);
    jn_diags_free(diags);
    jn_arena_free(arena);
    return ok;
}

static void measure(const struct family *f)
{
    double seconds[SIZES] = {0};
    char fields[80];
    for (int i = 0; i < SIZES; i++) {
        run r = {.to = f->to};
        jn_str_init(&r.text);
        f->write(&r.text, f->size[i]);
        bench_result result = bench_run(simulate, &r);
        snprintf(fields, sizeof fields, "\"states\": %d", f->size[i]);
        bench_report(f->name, fields, &result, 0);
        jn_str_clear(&r.text);
        seconds[i] = result.ok ? result.seconds : NAN;
        bench_point("large-runs", f->name, f->size[i], seconds[i]);
        if (i == SIZES - 1)
            bench_report_guard(f->name, fields, "megabytes", (double)result.peak_kib / 1024,
                               f->megabytes);
    }
    double growth =
        log(seconds[SIZES - 1] / seconds[0]) / log((double)f->size[SIZES - 1] / f->size[0]);
    bench_report_guard(f->name, "\"of\": \"states\"", "exponent", growth, f->exponent);
}

void bench_large(void)
{
    bench_axes("large-runs", "states of the model", "seconds of a run");
    for (size_t i = 0; i < sizeof families / sizeof *families; i++)
        measure(&families[i]);
}
