/* report_run.c: a run of the model for its report: what `junct simulate` does, with pictures and
 * tables for files. Memory does not grow with the run. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "report_run.h"

enum {
    TRACES_MAX = 8,     /* that a reader can tell apart */
    MANY_CHANGES = 200, /* of the mode: a picture of the whole run does not show them one by one, */
    DETAIL = 12         /* one of the last of them does */
};

struct report_run {
    run run;
    report_events *events;
    jn_plot plot, detail;
    jn_report_run told;
    const char *sequence; /* its file; NULL: none */
    char *why_not;        /* NULL: it was run */
};

void report_run_free(report_run *r)
{
    if (!r)
        return;
    report_events_free(r->events);
    run_record_free(r->run.record);
    run_tail_free(r->run.tail);
    jn_sim_free(r->run.sim);
    run_clear(&r->run);
    free(r->why_not);
    free(r);
}

void report_run_give(jn_report *report, const report_run *r)
{
    report->run = r->why_not ? NULL : &r->told;
    report->not_run = r->why_not;
}

/* ---- the run ------------------------------------------------------------------------------- */

static void before_event(void *ctx)
{
    report_run *r = ctx;
    run_before_event(&r->run);
}

static void on_event(const jn_event *e, void *ctx)
{
    report_run *r = ctx;
    report_events_add(r->events, e);
}

/* Tables that are missing or wrong: told as `simulate` does. */
static int report_tables(cli_model *m, const jn_diags *d)
{
    int n = 0;
    for (int i = 0; i < jn_diags_count(d); i++)
        if (strncmp(jn_code_slug(jn_diags_get(d, i)->code), "csv-", 4) == 0) {
            jn_diag_copy(m->diags, jn_diags_get(d, i));
            n++;
        }
    return n ? cli_model_report(m, JN_INVALID) : CLI_DONE;
}

/* A model that cannot be run may still be reported on: the first error is the reason. */
static int make_simulation(report_run *r, run_plan *p, cli_model *m)
{
    const jn_graph *g = m->graph;
    jn_diags *d = jn_diags_new();
    p->sim.before_event = before_event;
    p->sim.on_event = on_event;
    p->sim.ctx = r;
    cli_stage_begin();
    bool good = jn_sim_new(&r->run.sim, g, &p->sim, d) == JN_OK;
    cli_stage_end();
    for (int i = 0; !good && !r->why_not && i < jn_diags_count(d); i++)
        if (jn_diags_get(d, i)->severity == JN_ERROR)
            r->why_not = jn_strdup(jn_diags_get(d, i)->message);
    if (!good && !r->why_not)
        r->why_not = jn_strdup("it is beyond what can be computed");
    int code = good ? CLI_DONE : report_tables(m, d);
    jn_diags_free(d);
    return code;
}

static void tell(report_run *r)
{
    run *x = &r->run;
    r->plot = run_record_plot(x->record);
    r->plot.title = NULL;
    r->detail = run_tail_plot(x->tail, DETAIL);
    r->told = (jn_report_run){.reached = jn_sim_time(x->sim),
                              .modes = jn_sim_modes_seen(x->sim),
                              .linear = jn_sim_is_linear(x->sim),
                              .ledger = jn_sim_ledger(x->sim),
                              .sequence = r->sequence,
                              .stopped = x->reason,
                              .plot = &r->plot,
                              .traces = x->nvalues};
    if (run_record_changes(x->record) > MANY_CHANGES)
        r->told.detail = &r->detail;
    report_events_give(&r->told, r->events);
}

static int simulate(report_run *r, run_plan *p, cli_model *m)
{
    const jn_graph *g = m->graph;
    run *x = &r->run;
    run_init(x, g);
    x->progress = isatty(STDERR_FILENO);
    int ntraces = x->nvalues < TRACES_MAX ? x->nvalues : TRACES_MAX;
    r->events = report_events_new(g);
    x->record = run_record_new(g, ntraces, x->name, NULL);
    x->tail = run_tail_new(g, ntraces, x->name);
    int code = make_simulation(r, p, m);
    if (code != CLI_DONE || r->why_not)
        return code;
    code = run_plan_finish_times(p, x->sim, g);
    if (code == CLI_DONE && run_make_probes(x) != JN_OK)
        code = CLI_WRONG_MODEL;
    if (code != CLI_DONE)
        return code;
    x->times = p->times;
    run_all(x);
    if (x->reason)
        cli_complain("%s: the run stopped at t = %.15g: %s", g->name, jn_sim_time(x->sim),
                     x->reason);
    tell(r);
    return CLI_DONE;
}

/* ---- whether there is one ------------------------------------------------------------------ */

int report_run_new(report_run **out, cli_model *m, const cli_args *args)
{
    const jn_graph *g = m->graph;
    run_plan p;
    report_run *r = jn_alloc(sizeof *r);
    *out = r;
    r->sequence = cli_value(args, "sequence");
    int code = run_plan_read(&p, args);
    bool asked = p.has_to || p.has_every || r->sequence || g->to;
    if (code == CLI_DONE && !asked)
        r->why_not = jn_strdup("the model does not say for how long ('simulate to T every DT')");
    else if (code == CLI_DONE)
        code = run_plan_complete(&p, m, args);
    if (code == CLI_DONE && !r->why_not)
        code = simulate(r, &p, m);
    run_plan_clear(&p);
    return code;
}
