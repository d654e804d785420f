/* cmd_matrices.c: junct matrices */
#include "cli.h"

static const cli_option options[] = {
    CLI_OPTION_MODE,
    CLI_OPTION_ALL,
    CLI_OPTION_FORCE,
    CLI_OPTION_JOBS,
    {"numeric", 0, NULL, "put in the values of parameters and elements"}, /* as far as known */
    CLI_OPTION_JSON,
    CLI_OPTION_CSV,
    CLI_OPTION_LATEX,
    CLI_OPTION_OCTAVE,
    CLI_OPTION_SET,
    CLI_OPTION_SECONDS,
    CLI_OPTION_MEMORY,
    CLI_OPTION_OUTPUT,
    CLI_OPTION_END,
};

static int run(const cli_args *args)
{
    return cli_list(args, JN_WRITE_MATRICES);
}

const cli_command cmd_matrices = {
    .name = "matrices",
    .operand = "FILE",
    .summary = "Print Lambda, S, E, A and B over the switches, or of single modes",
    .details =
        "In text, [g] stands for 1 in the modes where the formula g of the switches holds, and\n"
        "for 0 in the others; a dot is zero; (d) marks derivative causality. With --mode or\n"
        "--all, E, A and B of single modes instead.",
    .options = options,
    .run = run,
};
