/* report_run.h: the run of a model for `junct report`.
 *
 *     report_run.c     the run, and what is told of it
 *     report_events.c  the events that are kept */
#ifndef CLI_REPORT_RUN_H
#define CLI_REPORT_RUN_H

#include "junct/report.h"
#include "run.h"

/* ---- events -------------------------------------------------------------------------------- */

typedef struct report_events report_events;
report_events *report_events_new(const jn_graph *g);
void report_events_free(report_events *r); /* NULL-safe */
void report_events_add(report_events *r, const jn_event *e);
/* Puts them into a run; they live as long as r. */
void report_events_give(jn_report_run *told, const report_events *r);

/* ---- the run ------------------------------------------------------------------------------- */

typedef struct report_run report_run;
/* Runs the model if it says for how long, or the options do. Returns the exit code; that it cannot
 * be run, or stops early, is part of the report. */
int report_run_new(report_run **out, cli_model *m, const cli_args *args);
void report_run_free(report_run *r); /* NULL-safe */
/* Puts it into a report; it lives as long as r. */
void report_run_give(jn_report *report, const report_run *r);

#endif
