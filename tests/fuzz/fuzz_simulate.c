/* fuzz_simulate.c: any bytes as a model file, run for a while, and out of the report of its run.
 *
 * A run goes through a few events and rows only. Its ledger must add up to numbers wherever its
 * state is one, and its clock may not go back. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "junct/report.h"
#include "patience.h"

enum {
    MAX_SIZE = 2000,
    MAX_ELEMENTS = 16,
    MAX_SWITCHES = 4,
    MAX_TERMS = 200,
    MAX_TRACES = 8,
    ROWS = 16,
    ADVANCES = 40
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef struct {
    jn_sim *sim;
    int ntraces, npoints;
    const jn_probe *probe[MAX_TRACES];
    const char *name[MAX_TRACES];
    double t[ADVANCES], value[MAX_TRACES][ADVANCES];
    const double *trace[MAX_TRACES];
    bool stopped;
} run;

static void require(bool holds)
{
    if (!holds)
        abort();
}

static void make_probes(run *r, const jn_graph *g)
{
    for (int i = 0; i < g->noutputs && r->ntraces < MAX_TRACES; i++)
        if (jn_sim_probe(&r->probe[r->ntraces], r->sim, g->output[i].expr) == JN_OK) {
            r->trace[r->ntraces] = r->value[r->ntraces];
            r->name[r->ntraces++] = g->output[i].name;
        }
}

/* From row to row, stopping at each event on the way. */
static void advance(run *r, double end, jn_stopped *stop)
{
    int row = 1;
    while (row <= ROWS && r->npoints < ADVANCES && !r->stopped) {
        double before = jn_sim_time(r->sim), to = end * row / ROWS;
        r->stopped = jn_sim_advance_event(r->sim, to, stop) != JN_OK;
        double now = jn_sim_time(r->sim);
        require(now >= before && now <= to);
        row += now >= to;
        r->t[r->npoints] = now;
        for (int i = 0; i < r->ntraces; i++)
            r->value[i][r->npoints] = jn_sim_value(r->sim, r->probe[i]);
        r->npoints++;
    }
}

static void write_report(run *r, const jn_graph *g, const jn_source *s, const char *why)
{
    jn_diags *d = jn_diags_new();
    jn_junction *j = NULL;
    jn_implicit *f = NULL;
    jn_str out;
    jn_str_init(&out);
    jn_plot plot = {.npoints = r->npoints,
                    .t = r->t,
                    .ntraces = r->ntraces,
                    .name = r->name,
                    .value = r->trace};
    jn_report_run told = {.reached = jn_sim_time(r->sim),
                          .events = jn_sim_events(r->sim),
                          .modes = jn_sim_modes_seen(r->sim),
                          .linear = jn_sim_is_linear(r->sim),
                          .ledger = jn_sim_ledger(r->sim),
                          .stopped = r->stopped ? why : NULL,
                          .plot = &plot,
                          .traces = r->ntraces};
    if (jn_junction_build(&j, g, false, d) == JN_OK && jn_implicit_derive(&f, j, d) == JN_OK) {
        jn_report report = {.junction = j, .implicit = f, .source = s, .run = &told};
        jn_report_write(&out, &report, JN_REPORT_LATEX);
        jn_report_write(&out, &report, JN_REPORT_MARKDOWN);
        jn_plot_svg(&out, &plot);
    }
    jn_str_clear(&out);
    jn_implicit_free(f);
    jn_junction_free(j);
    jn_diags_free(d);
}

static bool is_asked_to_end(void *ctx)
{
    (void)ctx;
    return jn_interrupted();
}

static void simulate(const jn_graph *g, const jn_source *s, jn_method method, double end)
{
    run r = {0};
    jn_diags *d = jn_diags_new();
    jn_stopped stop = {0};
    jn_sim_options o = {.method = method, .folder = "tests/models", .interrupted = is_asked_to_end};
    jn_status status = jn_sim_new(&r.sim, g, &o, d);
    require(status != JN_BUG && (status == JN_OK || jn_diags_errors(d) > 0));
    if (status == JN_OK) {
        make_probes(&r, g);
        advance(&r, end, &stop);
        write_report(&r, g, s, stop.message);
    }
    jn_sim_free(r.sim);
    jn_diags_free(d);
}

/* The model's own end, if it has a sensible one. */
static double end_of(const jn_graph *g)
{
    double end = g->to ? jn_ratfun_get_d(g->field, g->to->number) : 1;
    return end > 0 && isfinite(end) ? end : 1;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size > MAX_SIZE || memchr(data, 0, size))
        return 0;
    begin_patience();
    jn_arena *a = jn_arena_new();
    jn_diags *d = jn_diags_new();
    jn_graph *g = NULL;
    const jn_source *s = jn_source_of(a, "fuzz", (const char *)data, size);
    if (jn_graph_read(&g, s, d) == JN_OK && g->nelements <= MAX_ELEMENTS &&
        g->nswitches <= MAX_SWITCHES) {
        jn_field_limit(g->field, MAX_TERMS);
        simulate(g, s, JN_METHOD_AUTO, end_of(g));
        simulate(g, s, JN_METHOD_RADAU, end_of(g));
    }
    jn_graph_free(g);
    jn_diags_free(d);
    jn_arena_free(a);
    return 0;
}
