/* cmd_help.c: junct help, junct help COMMAND */
#include "cli.h"

static const cli_option options[] = {CLI_OPTION_END};

static int run(const cli_args *args)
{
    const cli_command *command = args->operand ? cli_find_command(args->operand) : NULL;
    if (args->operand && !command)
        return CLI_WRONG_USAGE;
    jn_str text;
    jn_str_init(&text);
    if (command)
        cli_command_help(&text, command);
    else
        cli_help(&text);
    return cli_output_text(NULL, &text);
}

const cli_command cmd_help = {
    .name = "help",
    .operand = "[COMMAND]",
    .summary = "Print a summary of the program or of a command",
    .options = options,
    .run = run,
};
