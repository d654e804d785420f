/* run.c: a run of `junct simulate`: rows at the output times, and both sides of every event. */
#include <math.h>
#include <stdlib.h>
#include <time.h>
#include <string.h>

#include "run.h"

/* ---- columns ------------------------------------------------------------------------------- */

void run_init(run *r, const jn_graph *g)
{
    *r = (run){.graph = g};
    r->nvalues = g->noutputs ? g->noutputs : g->nstorages;
    r->name = jn_alloc((size_t)r->nvalues * sizeof *r->name);
    r->value = jn_alloc((size_t)r->nvalues * sizeof *r->value);
    r->said = jn_alloc((size_t)r->nvalues * sizeof *r->said);
    for (int i = 0; i < r->nvalues; i++) {
        const jn_element *e = g->noutputs ? NULL : &g->element[g->storage[i]];
        r->name[i] = e ? jn_arena_printf(g->arena, "%c(%s)", e->kind == JN_I ? 'p' : 'q', e->name)
                       : g->output[i].name;
    }
}

const char *run_unit(const jn_graph *g, int column)
{
    if (g->noutputs)
        return g->output[column].unit;
    const jn_element *e = &g->element[g->storage[column]];
    return jn_graph_variable_unit(g, g->storage[column], e->kind == JN_I ? 'p' : 'q');
}

void run_clear(run *r)
{
    free(r->name);
    free(r->value);
    free(r->said);
    free(r->probe);
    free(r->reason);
    run_looks_free(r->looks);
}

jn_status run_make_probes(run *r)
{
    const jn_graph *g = r->graph;
    jn_status status = JN_OK;
    if (g->noutputs == 0)
        return JN_OK;
    r->probe = jn_alloc((size_t)g->noutputs * sizeof *r->probe);
    for (int i = 0; i < g->noutputs && status == JN_OK; i++) {
        status = jn_sim_probe(&r->probe[i], r->sim, g->output[i].expr);
        if (status != JN_OK)
            cli_complain("the output '%s' cannot be computed", g->output[i].name);
    }
    return status;
}

/* ---- rows ---------------------------------------------------------------------------------- */

static void stop(run *r, const char *reason)
{
    if (!r->reason)
        r->reason = jn_strdup(reason);
    r->stopped = true;
}

/* Once for each output: its values are `nan` wherever that is so. */
static void say_undetermined(run *r, int i)
{
    jn_str mode;
    jn_str_init(&mode);
    jn_mode_print(&mode, r->graph, jn_sim_mode(r->sim));
    cli_complain("the output '%s' has no value at t = %.9g%s%s: nothing determines it there, or "
                 "one of its functions is not defined",
                 r->name[i], jn_sim_time(r->sim), mode.len ? " in mode " : "", jn_str_c(&mode));
    jn_str_clear(&mode);
    r->said[i] = true;
    if (!r->strict)
        return;
    jn_str why; /* which switches leave it open is for the person to see */
    jn_str_init(&why);
    jn_str_addf(&why, "nothing determines the output '%s' (--strict)%s", r->name[i],
                r->graph->nswitches ? "; the switches are" : "");
    for (int k = 0; k < r->graph->nswitches; k++)
        jn_str_addf(&why, " %s=%d", r->graph->switch_name[k], jn_sim_mode(r->sim)[k]);
    stop(r, jn_str_c(&why));
    jn_str_clear(&why);
}

static const double *read_values(run *r)
{
    if (!r->probe)
        return jn_sim_state(r->sim);
    for (int i = 0; i < r->nvalues; i++)
        r->value[i] = jn_sim_value(r->sim, r->probe[i]);
    return r->value;
}

static const double *read_row(run *r)
{
    const double *value = read_values(r);
    for (int i = 0; i < r->nvalues; i++)
        if (r->probe && isnan(value[i]) && !r->said[i])
            say_undetermined(r, i);
    return value;
}

static void write_trace(run *r, const double *value)
{
    if (r->trace && !jn_trace_row(r->trace, jn_sim_time(r->sim), jn_sim_mode(r->sim), value))
        r->stopped = true; /* why is known when the trace is closed */
}

static void picture_row(run *r, double t, const double *value, bool of_all)
{
    const jn_onoff *mode = jn_sim_mode(r->sim);
    if (r->record && of_all)
        run_record_row(r->record, t, mode, value);
    if (r->tail)
        run_tail_row(r->tail, t, mode, value);
}

/* The picture of the end has all looks: it shows what is no more than a hair in that of the whole. */
static void picture_rows(run *r, double t, const double *value)
{
    bool bent = false;
    double at;
    int n = r->looks ? run_looks_row(&bent, r->looks, t, value) : 0;
    for (int i = 0; i < n; i++) {
        const double *seen = run_looks_get(r->looks, i, &at);
        picture_row(r, at, seen, bent);
    }
    picture_row(r, t, value, true);
}

static void write_row(run *r, bool of_event)
{
    double t = jn_sim_time(r->sim);
    const double *value = read_row(r);
    if (!(of_event && r->uniform))
        write_trace(r, value);
    picture_rows(r, t, value);
    r->any_row = true;
    r->last_row = t;
}

/* After an event at an output time its second row is the one that is due. */
static void write_row_once(run *r)
{
    if (r->uniform && r->stopped)
        return;
    if (!r->any_row || jn_sim_time(r->sim) > r->last_row)
        write_row(r, false);
    else if (r->uniform)
        write_trace(r, read_row(r));
}

void run_before_event(void *ctx)
{
    run *r = ctx;
    write_row(r, true);
    r->at_event = true;
}

void run_on_event(const jn_event *e, void *ctx)
{
    run *r = ctx;
    if (!jn_event_log_add(r->log, e))
        r->stopped = true;
}

void run_on_pinnacle(void *ctx)
{
    write_row(ctx, true);
}

static bool is_over(const run *r)
{
    return r->seconds > 0 && (double)clock() / CLOCKS_PER_SEC > r->seconds;
}

bool run_interrupted(void *ctx)
{
    enum { SELDOM = 16 }; /* a step of a stiff model takes some 0.1 ms */
    run *r = ctx;
    r->is_late = r->is_late || (r->asked++ % SELDOM == 0 && is_over(r));
    return cli_signal() || r->is_late;
}

int run_read_seconds(run *r, const cli_args *args)
{
    const char *text = cli_value(args, "max-seconds");
    char *end = NULL;
    if (!text)
        return CLI_DONE;
    r->seconds = strtod(text, &end);
    if (end == text || *end || !(r->seconds > 0))
        return cli_wrong_usage(args->command, "--max-seconds %s: not a number of seconds", text);
    return CLI_DONE;
}

/* The other side of the event, which the run may end with. */
static void finish_event(run *r)
{
    if (r->at_event)
        write_row(r, true);
    r->at_event = false;
}

/* ---- the run ------------------------------------------------------------------------------- */

static void explain(run *r, jn_status status, const jn_stopped *why)
{
    if (status == JN_BUG) {
        jn_str text;
        jn_str_init(&text);
        jn_str_addf(&text, "an invariant of the method failed: %s; please report this model",
                    why->message ? why->message : "");
        stop(r, text.s);
        jn_str_clear(&text);
    } else {
        char *message =
            run_reason(why->message ? why->message : "the run cannot go on", jn_sim_time(r->sim));
        bool over = why->why == JN_STOP_INTERRUPTED && is_over(r);
        stop(r, cli_signal() ? cli_signal()
                : over       ? "the time it may take is over (--max-seconds)"
                             : message);
        free(message);
    }
}

/* From event to event, so that a signal is noticed between two of them. */
static void advance(run *r, double t)
{
    jn_stopped why;
    do {
        why = (jn_stopped){0};
        jn_status status = jn_sim_advance_event(r->sim, t, &why);
        finish_event(r);
        if (status != JN_OK)
            explain(r, status, &why);
        else if (cli_signal())
            stop(r, cli_signal());
        if (r->progress)
            run_show_progress(r);
    } while (!r->stopped && why.why == JN_STOP_EVENT);
}

static void look_before(run *r, double to)
{
    double from = jn_sim_time(r->sim);
    for (int i = 0; i < run_looks_count(r->looks) && !r->stopped; i++) {
        double t = run_looks_time(r->looks, from, to, i);
        if (t < to && t > jn_sim_time(r->sim))
            advance(r, t);
        if (!r->stopped && jn_sim_time(r->sim) == t && t > r->last_row)
            run_looks_take(r->looks, t, read_values(r));
    }
}

void run_all(run *r)
{
    if (r->record || r->tail)
        r->looks = run_looks_new(&r->times, r->graph->nstorages, r->nvalues);
    write_row_once(r);
    for (uint64_t k = 1; !r->stopped && jn_sim_time(r->sim) < r->times.to; k++) {
        look_before(r, run_time(&r->times, k));
        if (!r->stopped)
            advance(r, run_time(&r->times, k));
        write_row_once(r);
    }
    if (r->progress)
        run_hide_progress();
}
