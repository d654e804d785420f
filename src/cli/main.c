/* main.c: the program junct. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include <flint/flint.h>

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

/* Without any argument: how it is used, as an error. */
static int explain_usage(void)
{
    jn_str text;
    jn_str_init(&text);
    cli_help(&text);
    fputs(jn_str_c(&text), stderr);
    jn_str_clear(&text);
    return CLI_WRONG_USAGE;
}

static int print_command_help(const cli_command *command)
{
    jn_str text;
    jn_str_init(&text);
    cli_command_help(&text, command);
    return cli_output_text(NULL, &text);
}

/* A stream that was closed (2>&-) would lend its number to the next file that is opened, and
 * messages would end up there. What is written to standard output fails as it should. */
static void open_missing_streams(void)
{
    static const int how[] = {O_RDONLY, O_RDONLY, O_WRONLY};
    for (int fd = 0; fd < 3; fd++)
        if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", how[fd]) != fd)
            abort();
}

int main(int argc, char *argv[])
{
    open_missing_streams();
    cli_catch_signals();
    cli_choose_characters();
    if (argc < 2)
        return explain_usage();
    const cli_command *command = stands_for_command(argv[1]);
    if (!command && argv[1][0] == '-')
        return cli_wrong_usage(NULL, "options follow a command, but '%s' comes first", argv[1]);
    if (!command)
        command = cli_find_command(argv[1]);
    cli_args args;
    if (!command || !cli_parse(&args, command, argc - 2, argv + 2))
        return CLI_WRONG_USAGE;
    int code = args.help ? CLI_DONE : cli_files_of_options(&args);
    if (code == CLI_DONE)
        code = args.help ? print_command_help(command) : command->run(&args);
    cli_files_clear();
    flint_cleanup_master(); /* FLINT keeps freed integers for its next ones */
    return code;
}
