/* cmd_version.c: junct version */
#include <flint/flint.h>
#include <gmp.h>

#include "cli.h"

static const cli_option options[] = {CLI_OPTION_END};

static int run(const cli_args *args)
{
    (void)args;
    jn_str text;
    jn_str_init(&text);
    jn_str_addf(&text, "junct %s\nFLINT %s, GMP %s\n", JN_VERSION, FLINT_VERSION, gmp_version);
    return cli_output_text(NULL, &text);
}

const cli_command cmd_version = {
    .name = "version",
    .operand = NULL,
    .summary = "Print the versions of the program and of its libraries",
    .options = options,
    .run = run,
};
