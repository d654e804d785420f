/* commands.c: the table of commands. */
#include <string.h>

#include "cli.h"

const cli_command *const cli_commands[] = {
    &cmd_new,    &cmd_check, &cmd_modes,   &cmd_matrices, &cmd_analyse, &cmd_simulate,
    &cmd_steady, &cmd_bode,  &cmd_sweep,   &cmd_verify,   &cmd_draw,    &cmd_report,
    &cmd_page,   &cmd_help,  &cmd_version, NULL,
};

enum { NCOMMANDS = sizeof cli_commands / sizeof cli_commands[0] - 1 };

/* The only command that begins so, if it is one; NULL: none. */
static const char *beginning_with(const char *name)
{
    const char *found = NULL;
    int n = 0;
    for (int i = 0; i < NCOMMANDS && *name; i++)
        if (strncmp(cli_commands[i]->name, name, strlen(name)) == 0) {
            found = cli_commands[i]->name;
            n++;
        }
    return n == 1 ? found : NULL;
}

static void complain_unknown(const char *name)
{
    const char *names[NCOMMANDS];
    jn_str list;
    jn_str_init(&list);
    for (int i = 0; i < NCOMMANDS; i++) {
        names[i] = cli_commands[i]->name;
        jn_str_addf(&list, "%s%s", i ? ", " : "", names[i]);
    }
    const char *closest = beginning_with(name);
    if (!closest)
        closest = jn_closest(name, names, NCOMMANDS);
    if (closest)
        cli_complain("there is no command '%s'; did you mean '%s'?", name, closest);
    else
        cli_complain("this version has no command '%s'; it has %s", name, jn_str_c(&list));
    jn_str_clear(&list);
}

const cli_command *cli_find_command(const char *name)
{
    for (int i = 0; i < NCOMMANDS; i++)
        if (strcmp(cli_commands[i]->name, name) == 0)
            return cli_commands[i];
    complain_unknown(name);
    return NULL;
}
