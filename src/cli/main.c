/* main.c: the program junct. */
#include <string.h>

#include "cli.h"

/* --help and --version instead of a command. */
static const cli_command *stands_for_command(const char *arg)
{
    if (strcmp(arg, "--help") == 0 || strcmp(arg, "-h") == 0)
        return &cmd_help;
    if (strcmp(arg, "--version") == 0 || strcmp(arg, "-V") == 0)
        return &cmd_version;
    return NULL;
}

int main(int argc, char *argv[])
{
    if (argc < 2) {
        cli_print_help(stderr);
        return CLI_WRONG_USAGE;
    }
    const cli_command *command = stands_for_command(argv[1]);
    if (!command && argv[1][0] == '-')
        return cli_wrong_usage(NULL, "options follow a command, but '%s' comes first", argv[1]);
    if (!command)
        command = cli_find_command(argv[1]);
    cli_args args;
    if (!command || !cli_parse(&args, command, argc - 2, argv + 2))
        return CLI_WRONG_USAGE;
    if (args.help) {
        cli_print_command_help(stdout, command);
        return fflush(stdout) == 0 ? CLI_DONE : CLI_STOPPED;
    }
    return command->run(&args);
}
