/* cmd_check.c: junct check */
#include "cli.h"

static const cli_option options[] = {
    {"format", 0, NULL, "print the model in the usual layout instead"},
    {"numeric", 0, NULL, "put in the values of parameters and elements"},
    CLI_OPTION_OUTPUT,
    CLI_OPTION_END,
};

static int format_model(const cli_args *args)
{
    cli_model m;
    jn_ast_block model;
    int code = cli_model_load(&m, args->operand, CLI_SOURCE, false);
    if (code == CLI_DONE)
        code = cli_model_report(&m, jn_syntax_parse(&model, m.arena, m.source, m.diags));
    if (code == CLI_DONE) {
        jn_str text;
        jn_str_init(&text);
        jn_syntax_format(&text, &model);
        code = cli_output_text(cli_value(args, "output"), &text);
    }
    cli_model_clear(&m);
    return code;
}

static int check_model(const cli_args *args)
{
    cli_model m;
    const char *path = cli_value(args, "output");
    int code = cli_model_load(&m, args->operand, CLI_JUNCTION, cli_value(args, "numeric"));
    if (code == CLI_DONE || (code == CLI_STOPPED && m.graph)) { /* without the modes, then */
        jn_str text;
        jn_str_init(&text);
        jn_write_summary(&text, m.graph, m.junction, cli_width(path));
        int written = cli_output_text(path, &text);
        code = code == CLI_DONE ? written : code;
    }
    cli_model_clear(&m);
    return code;
}

static int run(const cli_args *args)
{
    return cli_value(args, "format") ? format_model(args) : check_model(args);
}

const cli_command cmd_check = {
    .name = "check",
    .operand = "FILE",
    .summary = "Report errors and warnings, count elements and modes",
    .details =
        "All errors that can be found are reported at once, each with its place in the file.",
    .options = options,
    .run = run,
};
