/* cmd_help.c: junct help, junct help COMMAND */
#include "cli.h"

static const cli_option options[] = {CLI_OPTION_END};

static int run(const cli_args *args)
{
    const cli_command *command = args->operand ? cli_find_command(args->operand) : NULL;
    if (args->operand && !command)
        return CLI_WRONG_USAGE;
    if (command)
        cli_print_command_help(stdout, command);
    else
        cli_print_help(stdout);
    return fflush(stdout) == 0 ? CLI_DONE : CLI_STOPPED;
}

const cli_command cmd_help = {
    .name = "help",
    .operand = "[COMMAND]",
    .summary = "Print a summary, or that of a command",
    .options = options,
    .run = run,
};
