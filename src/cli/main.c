/* main.c: the program junct. */
#include <string.h>
#include <sys/stat.h>

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

/* An output that is the model itself. Only `check --format` means to write it anew. */
static const char *overwriting(const cli_args *args)
{
    static const char *const written[] = {"output", "events", "plot", "graph"};
    struct stat model, file;
    if (!args->operand || args->command == &cmd_check || stat(args->operand, &model) != 0)
        return NULL;
    for (size_t i = 0; i < sizeof written / sizeof *written; i++) {
        const char *path = cli_value(args, written[i]);
        if (path && stat(path, &file) == 0 && S_ISREG(file.st_mode) &&
            file.st_dev == model.st_dev && file.st_ino == model.st_ino)
            return path;
    }
    return NULL;
}

int main(int argc, char *argv[])
{
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
    const char *lost = args.help ? NULL : overwriting(&args);
    if (lost)
        return cli_wrong_usage(command, "'%s' is the model itself: choose another output", lost);
    int code = args.help ? print_command_help(command) : command->run(&args);
    flint_cleanup_master(); /* FLINT keeps freed integers for its next ones */
    return code;
}
