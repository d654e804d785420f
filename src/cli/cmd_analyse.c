/* cmd_analyse.c: junct analyse */
#include <stdlib.h>

#include "cli.h"
#include "junct/write_analyse.h"

enum { PROGRESS_EVERY = 16, BATCH = 8 };

static const cli_option options[] = {
    CLI_OPTION_MODE,
    CLI_OPTION_ALL,
    CLI_OPTION_FORCE,
    CLI_OPTION_JOBS,
    {"from", 0, "M", "with --to: does the change from mode M need impulses?"},
    {"to", 0, "M", "the mode after the change"},
    {"graph", 0, "FILE", "draw the modes and the moves between them: .svg, .png or .pdf"},
    {"numeric", 0, NULL, "put in the values of parameters and elements"},
    CLI_OPTION_JSON,
    CLI_OPTION_CSV,
    CLI_OPTION_LATEX,
    CLI_OPTION_SET,
    CLI_OPTION_SECONDS,
    CLI_OPTION_MEMORY,
    CLI_OPTION_OUTPUT,
    CLI_OPTION_END,
};

/* ---- the steps ----------------------------------------------------------------------------- */

typedef struct {
    const jn_analysis_writer *writer;
    const jn_analysis *analysis;
    jn_listing listing;
    cli_output output;
    jn_mode_analysis result;
} session;

static void write_mode(const jn_onoff *m, void *context)
{
    session *s = context;
    jn_analyse_mode(&s->result, s->analysis, m);
    s->writer->mode(&s->listing, s->analysis, m, &s->result);
}

static int write_modes(session *s, int jobs)
{
    jn_listing *l = &s->listing;
    cli_modes all = {l->junction, PROGRESS_EVERY, BATCH, write_mode, s, &l->out, &l->written};
    return cli_modes_write(&all, jobs, &s->output);
}

static jn_status write_across(session *s)
{
    jn_across *c;
    cli_stage_begin();
    jn_status status = jn_analyse_across(&c, s->analysis);
    cli_stage_end();
    if (status == JN_OK)
        s->writer->across(&s->listing, c);
    jn_across_free(c);
    return status;
}

static void write_passage(session *s, const jn_onoff *from, const jn_onoff *to)
{
    jn_passage t;
    jn_analyse_passage(&t, s->analysis, from, to);
    s->writer->passage(&s->listing, s->analysis, from, to, &t);
    jn_passage_clear(&t);
}

/* ---- the command --------------------------------------------------------------------------- */

static int check_options(const cli_args *args)
{
    bool from = cli_value(args, "from"), to = cli_value(args, "to");
    if (from != to)
        return cli_wrong_usage(args->command, "'--from' and '--to' belong together");
    if (from && (cli_value(args, "mode") || cli_value(args, "all")))
        return cli_wrong_usage(args->command, "choose one of '--from', '--mode' and '--all'");
    return cli_check_write_options(args);
}

typedef struct {
    jn_onoff *mode, *from, *to;
    int jobs;
} choice;

static int choose(choice *c, const cli_args *args, const jn_graph *g)
{
    int code = cli_jobs_option(&c->jobs, args);
    if (code == CLI_DONE)
        code = cli_mode_choose(&c->mode, args, g);
    if (code == CLI_DONE)
        code = cli_mode_option(&c->from, args, "from", g);
    if (code == CLI_DONE)
        code = cli_mode_option(&c->to, args, "to", g);
    return code;
}

static int write_results(const cli_args *args, cli_model *m, const jn_analysis *a, const choice *c)
{
    const char *path = cli_value(args, "output");
    session s = {.writer = jn_analysis_writer_find(cli_form(args)), .analysis = a};
    jn_status status = JN_OK;
    int walked = CLI_DONE;
    jn_listing_init(&s.listing, m->junction, m->implicit);
    s.listing.width = cli_width(path);
    jn_mode_analysis_init(&s.result);
    if (cli_output_open(&s.output, path) == CLI_DONE) {
        s.writer->begin(&s.listing, a);
        if (c->from)
            write_passage(&s, c->from, c->to);
        else if (c->mode)
            write_mode(c->mode, &s);
        else if (cli_value(args, "all"))
            walked = write_modes(&s, c->jobs);
        else
            status = write_across(&s);
        s.writer->end(&s.listing);
        if (status == JN_OK)
            cli_output_put(&s.output, &s.listing.out);
    }
    int code = cli_output_close(&s.output);
    jn_mode_analysis_clear(&s.result);
    jn_listing_clear(&s.listing);
    if (status != JN_OK)
        return cli_model_report(m, status);
    return walked != CLI_DONE ? walked : code;
}

static int write_graph(const char *path, const jn_analysis *a)
{
    jn_str text;
    jn_str_init(&text);
    int code = CLI_WRONG_USAGE;
    if (jn_write_mode_graph(&text, a) == JN_OK)
        code = cli_picture_write(path, &text);
    else
        cli_complain("--graph: a picture has at most %d modes, this model has 2^%d",
                     JN_MODE_GRAPH_MAX, a->graph->nswitches);
    jn_str_clear(&text);
    return code;
}

/* The modes whose equations are asked for. */
static jn_guard wanted_modes(const choice *c, const cli_args *args, jn_guards *g)
{
    if (cli_value(args, "graph") || !(c->mode || c->from))
        return jn_guard_true();
    if (c->mode)
        return jn_guard_mode(g, c->mode);
    return jn_guard_or(g, jn_guard_mode(g, c->from), jn_guard_mode(g, c->to));
}

/* JSON says which modes are forbidden, of all. */
static bool concerns_all_modes(const choice *c, const cli_args *args)
{
    return !(c->mode || c->from) || cli_value(args, "graph") || cli_value(args, "json");
}

static int take_stages(const choice *c, const cli_args *args, cli_model *m)
{
    bool numeric = cli_value(args, "numeric"), all = concerns_all_modes(c, args);
    int code = all       ? cli_model_advance(m, CLI_JUNCTION, numeric)
               : c->mode ? cli_model_take_mode(m, c->mode, numeric)
                         : cli_model_take_modes(m, c->from, c->to, numeric);
    if (code == CLI_DONE)
        code = cli_model_derive(m, wanted_modes(c, args, m->junction->ring.guards));
    if (code == CLI_DONE || !all || cli_value(args, "graph"))
        return code;
    code = cli_model_settle(m, code, c->mode, numeric);
    return code == CLI_DONE ? cli_model_derive(m, jn_guard_true()) : code;
}

static int analyse(const cli_args *args, cli_model *m)
{
    const char *graph = cli_value(args, "graph");
    jn_analysis *a = NULL;
    choice c = {0};
    int code = choose(&c, args, m->graph);
    cli_model_feedback(m);
    if (code == CLI_DONE)
        code = take_stages(&c, args, m);
    if (code == CLI_DONE) {
        jn_junction_unlimited(m->junction);
        a = jn_analysis_new(m->implicit);
    }
    if (code == CLI_DONE && graph)
        code = write_graph(graph, a);
    if (code == CLI_DONE)
        code = write_results(args, m, a, &c);
    jn_analysis_free(a);
    free(c.mode);
    free(c.from);
    free(c.to);
    return code == CLI_DONE && m->alone ? CLI_STOPPED : code;
}

static int run(const cli_args *args)
{
    int code = check_options(args);
    if (code == CLI_DONE)
        code = cli_picture_check(args, "graph");
    if (code != CLI_DONE)
        return code;
    cli_model m;
    code = cli_model_open_within(&m, args);
    if (code == CLI_DONE)
        code = analyse(args, &m);
    if (cli_model_is_beyond(&m, args, code))
        code = cli_model_bounds(&m, cli_value(args, "output"));
    cli_model_clear(&m);
    return code;
}

const cli_command cmd_analyse = {
    .name = "analyse",
    .operand = "FILE",
    .summary = "Analyse order, poles, stability, controllability, jumps",
    .details =
        "What all modes have in common, as formulas of the switches; with --mode or --all what\n"
        "each mode can do: order, index, characteristic polynomial, poles, stability,\n"
        "controllability, observability, transfer functions, the jump into it. All of it is\n"
        "exact but for the poles and zeros, which are rounded.",
    .options = options,
    .run = run,
};
