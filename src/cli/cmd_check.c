/* cmd_check.c: junct check */
#include <stdlib.h>

#include "run.h"

static const cli_option options[] = {
    {"format", 0, NULL, "print the model in the usual layout instead"},
    {"expand", 0, NULL, "print the model with its ready-made laws spelt out instead"},
    {"numeric", 0, NULL, "put in the values of parameters and elements"},
    CLI_OPTION_SECONDS,
    CLI_OPTION_MEMORY,
    CLI_OPTION_OUTPUT,
    CLI_OPTION_END,
};

/* With its laws spelt out, the model must be a right one. */
static int format_model(const cli_args *args, bool expand)
{
    cli_model m;
    jn_ast_block model;
    int code = cli_model_load(&m, args->operand, CLI_SOURCE, false);
    if (code == CLI_DONE)
        code = cli_model_report(&m, jn_syntax_parse(&model, m.arena, m.source, m.diags));
    if (code == CLI_DONE && expand)
        code = cli_model_report(&m, jn_graph_expand(&model, m.arena, &model, m.source, m.diags));
    if (code == CLI_DONE) {
        jn_str text;
        jn_str_init(&text);
        jn_syntax_format(&text, &model);
        code = cli_output_text(cli_value(args, "output"), &text);
    }
    cli_model_clear(&m);
    return code;
}

/* What is wrong with its tables is said together with the rest. */
static int check_all(cli_model *m, const cli_args *args)
{
    char *folder = run_folder(args->operand);
    int code = cli_model_open_within(m, args);
    if (code == CLI_DONE) {
        jn_status tables = jn_sim_check_tables(m->graph, folder, m->diags);
        code = cli_model_advance(m, CLI_CHECK, cli_value(args, "numeric"));
        code = code == CLI_DONE ? cli_model_report(m, tables) : code;
    }
    free(folder);
    return code;
}

static int check_model(const cli_args *args)
{
    cli_model m;
    const char *path = cli_value(args, "output");
    int code = check_all(&m, args);
    if (code == CLI_DONE) {
        jn_str text;
        jn_str_init(&text);
        jn_junction_unlimited(m.junction);
        jn_write_summary(&text, m.graph, m.junction, cli_width(path));
        code = cli_output_text(path, &text);
    } else if (code == CLI_STOPPED && m.graph) {
        code = cli_model_bounds(&m, path);
    }
    cli_model_clear(&m);
    return code;
}

static int run_command(const cli_args *args)
{
    bool expand = cli_value(args, "expand");
    return expand || cli_value(args, "format") ? format_model(args, expand) : check_model(args);
}

const cli_command cmd_check = {
    .name = "check",
    .operand = "FILE",
    .summary = "Report errors and warnings, count elements and modes",
    .details = "All errors that can be found are reported at once, each with its place in the "
               "file, those\n"
               "in the tables that the model reads as well. Where the limits do not allow all "
               "modes to be\n"
               "examined, bounds are printed and the exit code is 3.",
    .options = options,
    .run = run_command,
};
