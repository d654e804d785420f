/* help.c: help texts, made from the table of commands. */
#include <string.h>

#include "cli.h"

void cli_print_help(FILE *out)
{
    fputs("junct: exact equations of hybrid bond graphs, for all modes at once\n\n"
          "usage: junct COMMAND [OPTIONS] FILE\n\n",
          out);
    for (int i = 0; cli_commands[i]; i++)
        fprintf(out, "  %-10s %s\n", cli_commands[i]->name, cli_commands[i]->summary);
    fputs("\nFILE is a model (.hbg); '-' is standard input. Results go to standard output, messages\n"
          "to standard error. 'junct help COMMAND' tells more about a command.\n\n"
          "exit code: 0 done, 1 the model is wrong, 2 wrong usage, 3 stopped early\n",
          out);
}

static void print_option(FILE *out, const cli_option *o)
{
    char left[64];
    snprintf(left, sizeof left, "%s%c%s--%s%s%s", o->letter ? "-" : "", o->letter ? o->letter : ' ',
             o->letter ? ", " : "   ", o->name, o->argument ? " " : "",
             o->argument ? o->argument : "");
    fprintf(out, "  %-22s %s\n", left, o->help);
}

void cli_print_command_help(FILE *out, const cli_command *command)
{
    static const cli_option help = {"help", 'h', NULL, "print this"};
    fprintf(out, "usage: junct %s [OPTIONS]%s%s\n\n%s.\n", command->name,
            command->operand ? " " : "", command->operand ? command->operand : "",
            command->summary);
    if (command->details)
        fprintf(out, "\n%s\n", command->details);
    fputs("\noptions:\n", out);
    for (int i = 0; command->options[i].name; i++)
        print_option(out, &command->options[i]);
    print_option(out, &help);
}
