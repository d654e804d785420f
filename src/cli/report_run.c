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
    p->sim.before_event = before_event;
    p->sim.on_event = on_event;
    p->sim.ctx = r;
    int code = run_shown_new(x, &r->why_not, p, m);
    if (code != CLI_DONE || r->why_not)
        return code;
    run_all(x);
    run_say_stopped(x);
    tell(r);
    return CLI_DONE;
}

/* ---- whether there is one ------------------------------------------------------------------ */

int report_run_new(report_run **out, cli_model *m, const cli_args *args)
{
    run_plan p;
    report_run *r = jn_alloc(sizeof *r);
    *out = r;
    r->sequence = cli_value(args, "sequence");
    int code = run_shown_plan(&p, &r->why_not, m, args);
    if (code == CLI_DONE && !r->why_not)
        code = simulate(r, &p, m);
    run_plan_clear(&p);
    return code;
}
