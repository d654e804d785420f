/* cmd_sweep.c: junct sweep */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "run.h"
#include "sweep.h"

/* clang-format off */
static const cli_option options[] = {
    {"vary", 0, "V...", "NAME=FROM:TO:COUNT, log:FROM:TO:COUNT, 1,2,5, normal(M,D) or uniform(A,B)"},
    {"measure", 0, "M...", "what is asked of each run: 'mean(uC)', 'ripple = max(uC) - min(uC)'"},
    {"samples", 0, "N", "how many random samples are drawn"},
    {"seed", 0, "S", "a whole number that the draws depend on, default 1"},
    {"to", 0, "T", "the end of the runs, instead of the model's"},
    {"from", 0, "T", "measure from T on, default 0"},
    CLI_OPTION_SET,
    {"sequence", 0, "FILE", "play the modes of a CSV file: t, and 0 or 1 for each switch"},
    {"each-period", 0, "X", "the value of X at the start of each of the last periods of a run"},
    {"periods", 0, "K", "how many periods, default 32"},
    {"period", 0, "T", "their length, instead of that of the model's pwm"},
    {"steady", 0, NULL, "measure the periodic orbit instead of a run"},
    {"times", 0, "K", "with --steady: the orbit closes after K periods, default 1"},
    {"free", 0, NULL, "with --steady: an oscillation without a clock"},
    {"analyse", 0, NULL, "measure a mode instead of a run: poles, abscissa, stable, order"},
    {"mode", 0, "M", "with --analyse: which mode, default that of the start"},
    {"method", 0, "M", "auto, exact or radau"},
    {"rtol", 0, "X", "relative tolerance of radau"},
    {"atol", 0, "X", "absolute tolerance of radau"},
    {"max-seconds", 0, "S", "give up a run after S seconds of processor time"},
    {"jobs", 'j', "N", "share the runs among N processes, default 1"},
    {"output", 'o', "FILE", "write the table to FILE, or go on with one that was begun"},
    {"restart", 0, NULL, "with -o: begin anew, even if the table was begun before"},
    {"plot", 0, "FILE", "draw the table: .svg, .png or .pdf"},
    {"plot-kind", 0, "K", "curve, map, scatter or histogram, instead of the usual one"},
    {"quiet", 'q', NULL, "no progress, no summary"},
    CLI_OPTION_END,
};
/* clang-format on */

/* ---- options ------------------------------------------------------------------------------- */

static int count_option(uint64_t *n, const cli_args *args, const char *option, uint64_t least,
                        uint64_t most)
{
    const char *text = cli_value(args, option);
    char *end;
    if (!text)
        return CLI_DONE;
    errno = 0;
    unsigned long long x = strtoull(text, &end, 10);
    if (end == text || *end || *text == '-' || errno || x < least || x > most)
        return cli_wrong_usage(args->command, "'--%s %s': a whole number from %llu to %llu", option,
                               text, (unsigned long long)least, (unsigned long long)most);
    *n = x;
    return CLI_DONE;
}

static int size_option(double *x, const cli_args *args, const char *option, bool zero)
{
    const char *text = cli_value(args, option);
    fmpq_t exact;
    if (!text)
        return CLI_DONE;
    fmpq_init(exact);
    bool good = jn_ratio_parse(exact, text, strlen(text)) == JN_OK;
    int sign = good ? fmpq_sgn(exact) : -1;
    if (good)
        *x = jn_number_get_d(exact);
    fmpq_clear(exact);
    if (!good)
        return cli_wrong_usage(args->command, "--%s %s: this is not a number", option, text);
    if (sign < 0 || (sign == 0 && !zero))
        return cli_wrong_usage(args->command, "--%s %s: it must %s", option, text,
                               zero ? "not be negative" : "be positive");
    return CLI_DONE;
}

/* Options that belong to others. */
static int check_options(const cli_args *args)
{
    static const struct {
        const char *option, *needs;
    } belong[] = {{"times", "steady"},        {"free", "steady"},    {"mode", "analyse"},
                  {"periods", "each-period"}, {"plot-kind", "plot"}, {"restart", "output"},
                  {"seed", "samples"}};
    static const char *const of_runs[] = {"to", "from", "sequence", "each-period"};
    const char *instead = cli_value(args, "steady")    ? "steady"
                          : cli_value(args, "analyse") ? "analyse"
                                                       : NULL;
    if (cli_value(args, "steady") && cli_value(args, "analyse"))
        return cli_wrong_usage(args->command, "'--steady' and '--analyse' exclude each other");
    for (size_t i = 0; i < sizeof belong / sizeof *belong; i++)
        if (cli_value(args, belong[i].option) && !cli_value(args, belong[i].needs))
            return cli_wrong_usage(args->command, "'--%s' belongs to '--%s'", belong[i].option,
                                   belong[i].needs);
    for (size_t i = 0; i < sizeof of_runs / sizeof *of_runs && instead; i++)
        if (cli_value(args, of_runs[i]))
            return cli_wrong_usage(args->command, "'--%s' is for runs, not for '--%s'", of_runs[i],
                                   instead);
    if (cli_value(args, "period") && !cli_value(args, "each-period") && !cli_value(args, "steady"))
        return cli_wrong_usage(args->command,
                               "'--period' belongs to '--each-period' or '--steady'");
    return CLI_DONE;
}

static const char **texts_of(const cli_args *args, const char *option, int *n)
{
    const char **text = jn_alloc((size_t)(args->nrepeated + 1) * sizeof *text), *next;
    int at = 0;
    *n = 0;
    while ((next = cli_next(args, option, &at)))
        text[(*n)++] = next;
    return text;
}

static int read_numbers(jn_sweep_question *q, const cli_args *args)
{
    uint64_t periods = 0, times = 0;
    q->seed = 1;
    int code = count_option(&q->samples, args, "samples", 1, JN_SWEEP_MAX_ROWS);
    code = code ? code : count_option(&q->seed, args, "seed", 0, UINT64_MAX);
    code = code ? code : count_option(&periods, args, "periods", 1, 10000);
    code = code ? code : count_option(&times, args, "times", 1, 1000);
    code = code ? code : size_option(&q->from, args, "from", true);
    code = code ? code : size_option(&q->period, args, "period", false);
    code = code ? code : size_option(&q->seconds, args, "max-seconds", false);
    q->periods = (int)periods;
    q->times = (int)times;
    q->is_free = cli_value(args, "free");
    q->kind = cli_value(args, "steady")    ? JN_SWEEP_STEADY
              : cli_value(args, "analyse") ? JN_SWEEP_ANALYSE
                                           : JN_SWEEP_RUN;
    q->each_period = cli_value(args, "each-period");
    return code;
}

/* ---- progress ------------------------------------------------------------------------------ */

static double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

typedef struct {
    sweep_table *table;
    sweep_plot *plot;
    uint64_t first, rows;
    double started, shown; /* when */
    bool progress;
    int ncolumns, nvaried;
    uint64_t
        answered; /* rows that have a value, or are ok without one: first(…) of what never holds */
    uint64_t not_ok; /* whose status says more */
} taker;

static void show_progress(taker *t, uint64_t done)
{
    enum { WIDTH = 30 };
    double now = seconds_now();
    if (!t->progress || now - t->shown < 0.1)
        return;
    t->shown = now;
    double share = (double)done / (double)t->rows,
           rate = (double)(done - t->first) / (now - t->started);
    char bar[WIDTH + 1];
    memset(bar, '.', WIDTH);
    memset(bar, '#', (size_t)(share * WIDTH));
    bar[WIDTH] = 0;
    fprintf(stderr, "\r[%s] %3d %%  %llu of %llu rows, %.3g/s", bar, (int)(100 * share),
            (unsigned long long)done, (unsigned long long)t->rows, rate);
    double left = (double)(t->rows - done) / rate;
    if (rate > 0 && left < 120)
        fprintf(stderr, ", %.0f s left", left);
    else if (rate > 0)
        fprintf(stderr, left < 7200 ? ", %.0f min left" : ", %.1f h left",
                left < 7200 ? left / 60 : left / 3600);
    fputs("\033[K", stderr);
}

static bool is_ok(const char *line)
{
    size_t n = strlen(line);
    return n >= 3 && !strcmp(line + n - 3, ",ok");
}

/* "12,1.5,,3,'x' has impulses": whether one of the measures is there. */
static bool has_value(const char *line, const taker *t)
{
    const char *at = strchr(line, ',');
    for (int i = 0; i < t->ncolumns && at; i++) {
        if (i >= t->nvaried && at[1] != ',')
            return true;
        at = strchr(at + 1, ',');
    }
    return false;
}

static void take_line(const char *line, void *ctx)
{
    taker *t = ctx;
    bool ok = is_ok(line);
    t->answered += ok || has_value(line, t);
    t->not_ok += !ok;
    if (t->plot)
        sweep_plot_line(line, t->plot);
}

static bool take_rows(jn_str *text, uint64_t done, void *ctx)
{
    taker *t = ctx;
    char *line = text->len ? text->s : NULL;
    for (char *end; line && (end = strchr(line, '\n')); line = end + 1) {
        *end = 0;
        take_line(line, t);
        *end = '\n';
    }
    show_progress(t, done);
    return !text->len || sweep_table_put(t->table, text);
}

/* ---- the sweep ----------------------------------------------------------------------------- */

static int finish(taker *t, const jn_sweep *s, sweep_end end, const cli_args *args)
{
    if (t->shown > t->started)
        fputs("\r\033[K", stderr);
    if (end == SWEEP_STOPPED && cli_signal())
        cli_complain("%s", cli_signal());
    if (end == SWEEP_NO_WORKERS)
        cli_complain("no worker process can be started, or none lives");
    uint64_t rows = jn_sweep_rows(s), had = t->first;
    double seconds = seconds_now() - t->started;
    int code = sweep_table_close(t->table, end == SWEEP_DONE, rows);
    if (code == CLI_DONE && t->plot)
        code = sweep_plot_write(t->plot, cli_value(args, "plot"));
    if (code == CLI_DONE && !cli_value(args, "quiet") && cli_value(args, "output"))
        fprintf(stderr, "%llu row%s in %.3g s\n", (unsigned long long)(rows - had),
                rows - had == 1 ? "" : "s", seconds);
    if (t->not_ok && !cli_value(args, "quiet"))
        cli_complain("%llu row%s no full answer: the status says why",
                     (unsigned long long)t->not_ok, t->not_ok == 1 ? " has" : "s have");
    return code == CLI_DONE && t->not_ok && !t->answered ? CLI_STOPPED : code;
}

static int compute(jn_sweep *s, const jn_graph *g, const cli_args *args, const sweep_crew *crew)
{
    const char *title = g->title ? g->title : g->name;
    int code = CLI_DONE;
    taker t = {.rows = jn_sweep_rows(s),
               .started = seconds_now(),
               .ncolumns = jn_sweep_columns(s),
               .nvaried = jn_sweep_nvaried(s)};
    const char *picture = cli_value(args, "plot");
    if (picture && !(t.plot = sweep_plot_new(s, title, cli_value(args, "plot-kind"))))
        return CLI_WRONG_USAGE;
    t.table = sweep_table_open(&code, cli_value(args, "output"), s, cli_value(args, "restart"));
    if (t.table) {
        t.first = sweep_table_rows(t.table);
        t.progress = isatty(STDERR_FILENO) && !cli_value(args, "quiet") &&
                     (cli_value(args, "output") || !isatty(STDOUT_FILENO));
        if (t.first && !cli_value(args, "quiet"))
            cli_complain("%llu of %llu rows are there already", (unsigned long long)t.first,
                         (unsigned long long)t.rows);
        sweep_table_each(t.table, take_line, &t);
        code = finish(&t, s, crew->work(crew, s, t.first, take_rows, &t), args);
    }
    sweep_plot_free(t.plot);
    return code;
}

static bool was_signalled(void *ctx)
{
    (void)ctx;
    return cli_signal();
}

/* Whether what is wrong stands in an option, not in the model. */
static bool is_of_question(const jn_diags *d)
{
    for (int i = 0; i < jn_diags_count(d); i++) {
        const jn_diag *x = jn_diags_get(d, i);
        bool in_option = x->place.source && !strncmp(x->place.source->name, "--", 2);
        if (in_option || (x->code >= JN_D_SWEEP_VARY && x->code <= JN_D_SWEEP_QUESTION))
            return true;
    }
    return false;
}

static int sweep(jn_sweep_question *q, run_plan *p, cli_model *m, const cli_args *args,
                 sweep_crew *crew)
{
    jn_onoff *mode = NULL;
    jn_sweep *s = NULL;
    int code = run_set_values(m->graph, args);
    if (code == CLI_DONE)
        code = cli_mode_option(&mode, args, "mode", m->graph);
    if (code == CLI_DONE && cli_value(args, "sequence"))
        code = run_plan_sequence(p, m, cli_value(args, "sequence"));
    q->mode = mode;
    q->sim = p->sim;
    q->sim.interrupted = was_signalled;
    q->to = p->has_to ? p->times.to : 0;
    if (code == CLI_DONE) {
        cli_stage_begin();
        jn_status status = jn_sweep_new(&s, m->graph, q, m->diags);
        cli_stage_end();
        bool asked_wrong = status == JN_INVALID && is_of_question(m->diags);
        code = cli_model_report(m, status);
        code = asked_wrong ? CLI_WRONG_USAGE : code;
    }
    if (code == CLI_DONE && crew->is_boss)
        code = compute(s, m->graph, args, crew);
    else if (code == CLI_DONE)
        crew->work(crew, s, 0, NULL, NULL);
    jn_sweep_free(s);
    free(mode);
    return code;
}

int sweep_command(const cli_args *args, sweep_crew crew)
{
    run_plan p;
    cli_model m;
    jn_sweep_question q = {0};
    q.vary = texts_of(args, "vary", &q.nvary);
    q.measure = texts_of(args, "measure", &q.nmeasures);
    int code = run_plan_read(&p, args);
    if (code == CLI_DONE && !q.nvary)
        code = cli_wrong_usage(args->command, "nothing is varied: give --vary NAME=FROM:TO:COUNT");
    code = code ? code : check_options(args);
    code = code ? code : read_numbers(&q, args);
    code = code ? code : cli_picture_check(args, "plot");
    if (code == CLI_DONE) {
        code = cli_model_load(&m, args->operand, CLI_GRAPH, false);
        if (code == CLI_DONE)
            code = sweep(&q, &p, &m, args, &crew);
        cli_model_clear(&m);
    }
    run_plan_clear(&p);
    free((void *)q.vary);
    free((void *)q.measure);
    return code;
}

static int run_command(const cli_args *args)
{
    sweep_crew crew = {.work = sweep_by_processes, .is_boss = true};
    int code = cli_jobs_option(&crew.jobs, args);
    return code == CLI_DONE ? sweep_command(args, crew) : code;
}

const cli_command cmd_sweep = {
    .name = "sweep",
    .operand = "FILE",
    .summary = "Run the model for many values, and measure each run",
    .details =
        "Every --vary is one axis of a grid; those with normal(...) or uniform(...) are drawn\n"
        "together, --samples times. A row of the table has the number of the run, what was "
        "varied,\n"
        "the measures and the status: 'ok', or why there is no answer for these values.\n"
        "Measures are mean, rms, min, max, final of an expression of the model, first of a\n"
        "condition, count(events), count(SWITCH), energy(supplied), and arithmetic with them;\n"
        "docs/sweep.md has all of them. Without --measure: mean, min and max of each output.\n"
        "A sweep that was interrupted is continued by the same command.",
    .options = options,
    .run = run_command,
};
