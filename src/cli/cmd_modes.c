/* cmd_modes.c: junct modes */
#include "cli.h"

static const cli_option options[] = {
    CLI_OPTION_MODE,
    CLI_OPTION_ALL,
    CLI_OPTION_FORCE,
    CLI_OPTION_JOBS,
    {"numeric", 0, NULL, "put in the values of parameters and elements"},
    {"assume-allowed", 0, NULL, "shorter formulas, right in the allowed modes only"},
    CLI_OPTION_JSON,
    CLI_OPTION_CSV,
    CLI_OPTION_LATEX,
    CLI_OPTION_SECONDS,
    CLI_OPTION_MEMORY,
    CLI_OPTION_OUTPUT,
    CLI_OPTION_END,
};

static int run(const cli_args *args)
{
    return cli_list(args, JN_WRITE_MODES);
}

const cli_command cmd_modes = {
    .name = "modes",
    .operand = "FILE",
    .summary = "Print forbidden modes and why, causality, truth tables",
    .details =
        "The forbidden modes are one formula of the switches, with the reason; likewise the\n"
        "causality of each element. With --mode the causality of each element in that mode, with\n"
        "--all a row for each mode instead.",
    .options = options,
    .run = run,
};
