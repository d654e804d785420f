/* cmd_simulate.c: junct simulate */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "run.h"

/* clang-format off */
static const cli_option options[] = {
    RUN_OPTIONS,
    {"output", 'o', "FILE", "write the trace to FILE: .csv, .npy or .mat"},
    {"uniform", 0, NULL, "only rows every DT, without those on both sides of an event"},
    {"mode-columns", 0, NULL, "CSV: a column of 0 and 1 for each switch instead of the mode"},
    {"events", 0, "FILE", "write the events to FILE as CSV"},
    {"plot", 0, "FILE", "draw the outputs over time: .svg, .png or .pdf"},
    {"plot-only", 0, "NAMES", "with --plot: only these outputs, with commas between them"},
    {"method", 0, "M", "auto, exact or radau"},
    {"rtol", 0, "X", "relative tolerance of radau"},
    {"atol", 0, "X", "absolute tolerance of radau"},
    {"strict", 0, NULL, "stop where a condition reads what nothing determines"},
    {"keep-going", 0, NULL, "count asserts that do not hold instead of stopping there"},
    {"pinnacles", 0, NULL, "a row for each mode that lasts no time but whose jump counts"},
    {"max-seconds", 0, "S", "end the run after S seconds of processor time"},
    {"quiet", 'q', NULL, "no progress, no summary"},
    CLI_OPTION_END,
};
/* clang-format on */

/* ---- the end ------------------------------------------------------------------------------- */

/* A bond's variable by the name of the junction that it is common to, if there is one. */
static void print_variable(jn_str *out, const jn_graph *g, const struct jn_shared_value *x)
{
    const jn_bond *b = &g->bond[x->bond];
    jn_expr e = {.op = x->effort ? JN_X_EFFORT : JN_X_FLOW, .index = x->bond};
    for (int end = 0; end < 2; end++) {
        int i = end ? b->tail : b->head;
        jn_kind kind = g->element[i].kind;
        if (x->effort ? kind == JN_0 || kind == JN_X0 : kind == JN_1 || kind == JN_X1)
            e = (jn_expr){.op = x->effort ? JN_X_COMMON_EFFORT : JN_X_COMMON_FLOW, .index = i};
    }
    jn_expr_print(out, g, &e);
}

/* Those that bear the same name are one. */
static void print_shared(const run *r)
{
    enum { MOST = 4 };
    const jn_shared *x = jn_sim_shared(r->sim);
    jn_str names, one;
    int n = 0, more = 0;
    if (!x)
        return;
    jn_str_init(&names);
    jn_str_init(&one);
    for (int i = 0; i < x->n; i++) {
        jn_str_reset(&one);
        jn_str_add(&one, n ? ", " : " ");
        print_variable(&one, r->graph, &x->value[i]);
        bool is_new = !strstr(jn_str_c(&names), jn_str_c(&one) + (n ? 1 : 0));
        if (is_new && n < MOST)
            jn_str_add(&names, jn_str_c(&one));
        more += is_new && n >= MOST;
        n += is_new;
    }
    fprintf(stderr, "  Nothing determines%s", jn_str_c(&names));
    if (more)
        fprintf(stderr, " and %d more", more);
    fputs(": taken as shared evenly, first ", stderr);
    if (r->graph->nswitches > 0) {
        fputs("in mode ", stderr);
        for (int i = 0; i < r->graph->nswitches; i++)
            fputc(x->mode[i] ? '1' : '0', stderr);
        fputc(' ', stderr);
    }
    fprintf(stderr, "at t = %.10g (--strict stops there).\n", x->t);
    jn_str_clear(&names);
    jn_str_clear(&one);
}

static double residue_of(const jn_ledger *l)
{
    return l->supplied - l->stored - l->dissipated - l->lost;
}

static void print_energies(const jn_ledger *l, const char *unit)
{
    static const char *const names[] = {"supplied", "stored", "dissipated", "lost in jumps"};
    const double energy[] = {l->supplied, l->stored, l->dissipated, l->lost};
    double residue = residue_of(l);
    for (int i = 0; i < 4; i++)
        fprintf(stderr, "  %-14s %17.10g%s%s%s\n", names[i], energy[i], unit ? " " : "",
                unit ? unit : "",
                i == 2 && energy[i] < 0 ? "  (resistors gave more than they took)" : "");
    fprintf(stderr, "  %-14s %17.3g%s%s", "residue", residue, unit ? " " : "", unit ? unit : "");
    if (l->moved > 0)
        fprintf(stderr, "  (%.2g of the energy moved)", fabs(residue) / l->moved);
    fputc('\n', stderr);
}

static void print_summary(const run *r, uint64_t rows)
{
    jn_ledger l = jn_sim_ledger(r->sim);
    double residue = residue_of(&l);
    long events = jn_sim_events(r->sim);
    int modes = jn_sim_modes_seen(r->sim);
    fprintf(stderr, "%s: t = %.10g, ", r->graph->name, jn_sim_time(r->sim));
    if (rows > 0)
        fprintf(stderr, "%llu row%s, ", (unsigned long long)rows, rows == 1 ? "" : "s");
    fprintf(stderr, "%ld event%s, %d mode%s, %s\n", events, events == 1 ? "" : "s", modes,
            modes == 1 ? "" : "s", jn_sim_is_linear(r->sim) ? "followed exactly" : "integrated");
    if (isfinite(residue))
        print_energies(&l, jn_graph_energy_unit(r->graph));
    else
        fputs("  energies are larger than any number of the machine\n", stderr);
    print_shared(r);
}

/* A run that makes or loses energy is not right. */
static int check_energies(const run *r)
{
    const double told = 1e-6, wrong = 1e-3;
    double share = jn_sim_residue(r->sim);
    if (isnan(share)) {
        cli_complain("%s: whether the energies add up is not known: they are too large for numbers",
                     r->graph->name);
        return CLI_STOPPED;
    }
    if (share <= told)
        return CLI_DONE;
    cli_complain("%s: the energies do not add up: the residue is %.2g of the energy moved",
                 r->graph->name, share);
    return share <= wrong ? CLI_DONE : CLI_STOPPED;
}

static int write_plot(run *r, const char *path)
{
    jn_plot p = run_record_plot(r->record);
    jn_str svg;
    jn_str_init(&svg);
    jn_plot_svg(&svg, &p);
    return cli_picture_write(path, &svg);
}

/* All files are closed whatever happens to one of them. */
static int close_files(run *r, const char *plot)
{
    jn_str why;
    jn_str_init(&why);
    int trace = CLI_DONE, log = CLI_DONE, picture = CLI_DONE;
    if (r->trace)
        cli_unwatch(jn_trace_sink(r->trace));
    if (r->log)
        cli_unwatch(jn_event_log_sink(r->log));
    if (r->trace)
        trace = cli_output_told(jn_trace_close(r->trace, &why), &why);
    r->trace = NULL;
    if (r->log)
        log = cli_output_told(jn_event_log_close(r->log, &why), &why);
    r->log = NULL;
    if (plot)
        picture = write_plot(r, plot);
    return trace != CLI_DONE ? trace : log != CLI_DONE ? log : picture;
}

/* Thousands of rows are nothing to look at: on a terminal that nothing else was asked for, a plot
 * is. */
static bool for_the_eye(const cli_args *args)
{
    return !cli_value(args, "output") && isatty(STDOUT_FILENO);
}

static void show_plot(const run *r)
{
    jn_plot p = run_record_plot(r->record);
    jn_str text;
    jn_str_init(&text);
    jn_plot_text(&text, &p, cli_width(NULL));
    fputs(jn_str_c(&text), stdout);
    fflush(stdout);
    jn_str_clear(&text);
}

static void tell_asserts(const run *r)
{
    for (int i = 0; i < r->graph->nasserts; i++) {
        long times = jn_sim_broken(r->sim, i);
        if (times && !r->reason)
            cli_complain("%s: the assert \"%s\" did not hold, %ld time%s", r->graph->name,
                         r->graph->assertion[i].text, times, times == 1 ? "" : "s");
    }
}

/* The trace first: both may go to one screen. */
static int finish(run *r, const cli_args *args)
{
    uint64_t rows = r->trace ? jn_trace_rows(r->trace) : 0;
    if (!r->trace)
        show_plot(r);
    int code = close_files(r, cli_value(args, "plot"));
    if (!cli_value(args, "quiet"))
        print_summary(r, rows);
    if (r->reason)
        cli_complain("%s: stopped at t = %.15g: %s", r->graph->name, jn_sim_time(r->sim),
                     r->reason);
    tell_asserts(r);
    int energies = check_energies(r);
    return r->reason ? CLI_STOPPED : code != CLI_DONE ? code : energies;
}

/* ---- the beginning ------------------------------------------------------------------------- */

/* Those that take part from the first event on. */
static int open_events(run *r, const cli_args *args)
{
    const char *events = cli_value(args, "events"), *only = cli_value(args, "plot-only");
    jn_str why;
    jn_str_init(&why);
    int code = CLI_DONE;
    if (events)
        code = cli_output_told(jn_event_log_open(&r->log, events, r->graph, &why), &why);
    if (r->log)
        cli_watch(jn_event_log_sink(r->log));
    if (code == CLI_DONE && (cli_value(args, "plot") || for_the_eye(args))) {
        r->record = run_record_new(r->graph, r->nvalues, r->name, only);
        if (!r->record)
            return CLI_WRONG_USAGE;
    }
    return code;
}

static int open_trace(run *r, const cli_args *args)
{
    const char *path = cli_value(args, "output");
    jn_columns c = {.nswitches = r->graph->nswitches,
                    .switch_name = r->graph->switch_name,
                    .nvalues = r->nvalues,
                    .value_name = r->name,
                    .mode_columns = cli_value(args, "mode-columns")};
    jn_str why;
    jn_str_init(&why);
    int code = cli_output_told(jn_trace_open(&r->trace, path ? path : "-", &c, &why), &why);
    if (r->trace)
        cli_watch(jn_trace_sink(r->trace));
    return code;
}

static int make_simulation(run *r, run_plan *p, cli_model *m)
{
    p->sim.before_event = run_before_event;
    p->sim.on_event = r->log ? run_on_event : NULL;
    p->sim.on_pinnacle = r->pinnacles ? run_on_pinnacle : NULL;
    p->sim.interrupted = run_interrupted;
    p->sim.ctx = r;
    jn_sim *sim = NULL;
    cli_stage_begin();
    jn_status status = jn_sim_new(&sim, m->graph, &p->sim, m->diags);
    cli_stage_end();
    int code = cli_model_report(m, status);
    r->sim = sim;
    if (code == CLI_DONE)
        code = run_plan_finish_times(p, sim, m->graph);
    if (code == CLI_DONE && run_make_probes(r) != JN_OK)
        code = CLI_WRONG_MODEL;
    r->times = p->times;
    return code;
}

static void say_idle_options(const jn_sim *s, const cli_args *args)
{
    static const char *const numeric[] = {"rtol", "atol"};
    for (size_t i = 0; i < sizeof numeric / sizeof *numeric && jn_sim_is_linear(s); i++)
        if (cli_value(args, numeric[i]))
            cli_complain("--%s changes nothing: the model is followed exactly", numeric[i]);
}

static int simulate(run_plan *p, cli_model *m, const cli_args *args)
{
    run r;
    int code = run_set_values(m->graph, args);
    if (code == CLI_DONE)
        code = run_plan_complete(p, m, args);
    run_init(&r, m->graph);
    r.uniform = cli_value(args, "uniform");
    r.progress = isatty(STDERR_FILENO) && !cli_value(args, "quiet");
    r.pinnacles = cli_value(args, "pinnacles");
    r.strict = p->sim.strict = cli_value(args, "strict");
    p->sim.keep_going = cli_value(args, "keep-going");
    if (code == CLI_DONE)
        code = run_read_seconds(&r, args);
    if (code == CLI_DONE)
        code = open_events(&r, args);
    if (code == CLI_DONE)
        code = make_simulation(&r, p, m);
    if (code == CLI_DONE && !for_the_eye(args))
        code = open_trace(&r, args);
    if (code == CLI_DONE) {
        say_idle_options(r.sim, args);
        run_all(&r);
        code = finish(&r, args);
    }
    if (r.log)
        cli_unwatch(jn_event_log_sink(r.log));
    jn_trace_discard(r.trace);
    jn_event_log_discard(r.log);
    run_record_free(r.record);
    jn_sim_free(r.sim);
    run_clear(&r);
    return code;
}

static int run_command(const cli_args *args)
{
    run_plan p;
    cli_model m;
    int code = run_plan_read(&p, args);
    if (code == CLI_DONE)
        code = cli_picture_check(args, "plot");
    if (code == CLI_DONE && cli_value(args, "plot-only") && !cli_value(args, "plot"))
        code = cli_wrong_usage(args->command, "'--plot-only' belongs to '--plot'");
    if (code == CLI_DONE) {
        code = cli_model_load(&m, args->operand, CLI_GRAPH, false);
        if (code == CLI_DONE)
            code = simulate(&p, &m, args);
        cli_model_clear(&m);
    }
    run_plan_clear(&p);
    return code;
}

const cli_command cmd_simulate = {
    .name = "simulate",
    .operand = "FILE",
    .summary = "Run the model through its modes",
    .details =
        "The trace has the columns t, mode and the outputs (without outputs the states): a row\n"
        "every DT, and two rows with the same t at an event, before and after it. The energies\n"
        "supplied, stored, dissipated and lost in jumps are summed up at the end.\n"
        "On a terminal, without -o, they are plotted instead; '-o -' prints the rows there.\n"
        "Ctrl-C ends a run early: what has been computed is written.",
    .options = options,
    .run = run_command,
};
