/* run_shown.c: a run for what is written of a model whether it can be run or not: a report, a page. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "run.h"

int run_shown_plan(run_plan *p, char **why_not, cli_model *m, const cli_args *args)
{
    int code = run_plan_read(p, args);
    bool asked = p->has_to || p->has_every || cli_value(args, "sequence") || m->graph->to;
    if (code == CLI_DONE && asked)
        return run_plan_complete(p, m, args);
    if (code == CLI_DONE)
        *why_not = jn_strdup("the model does not say for how long ('simulate to T every DT')");
    return code;
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

int run_shown_new(run *x, char **why_not, run_plan *p, cli_model *m)
{
    jn_diags *d = jn_diags_new();
    cli_stage_begin();
    bool good = jn_sim_new(&x->sim, m->graph, &p->sim, d) == JN_OK;
    cli_stage_end();
    for (int i = 0; !good && !*why_not && i < jn_diags_count(d); i++)
        if (jn_diags_get(d, i)->severity == JN_ERROR)
            *why_not = jn_strdup(jn_diags_get(d, i)->message);
    if (!good && !*why_not)
        *why_not = jn_strdup("it is beyond what can be computed");
    int code = good ? CLI_DONE : report_tables(m, d);
    jn_diags_free(d);
    if (!good)
        return code;
    code = run_plan_finish_times(p, x->sim, m->graph);
    if (code == CLI_DONE && run_make_probes(x) != JN_OK)
        code = CLI_WRONG_MODEL;
    x->times = p->times;
    return code;
}

char *run_reason(const char *message, double t)
{
    char *reason = jn_strdup(message), *end;
    static const char at[] = "at t = ";
    char *where = strstr(reason, at);
    double told = where ? jn_strtod(where + strlen(at), &end) : NAN;
    if (!(fabs(told - t) <= 1e-14 * fabs(t)))
        return reason;
    if (where > reason) /* the blank before it goes as well */
        where--;
    else
        end += strspn(end, " ,:");
    memmove(where, end, strlen(end) + 1);
    return reason;
}

void run_say_stopped(const run *x)
{
    if (x->reason)
        cli_complain("%s: the run stopped at t = %.15g: %s", x->graph->name, jn_sim_time(x->sim),
                     x->reason);
}
