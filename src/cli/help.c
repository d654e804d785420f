/* help.c: help texts, made from the table of commands. */
#include "cli.h"

void cli_help(jn_str *out)
{
    jn_str_add(out, "junct: exact equations of hybrid bond graphs, for all modes at once\n\n"
                    "usage: junct COMMAND [OPTIONS] FILE\n       junct --help | --version\n\n");
    for (int i = 0; cli_commands[i]; i++)
        jn_str_addf(out, "  %-10s %s\n", cli_commands[i]->name, cli_commands[i]->summary);
    jn_str_add(
        out,
        "\nFILE is a model (.hbg); '-' is standard input. Results go to standard output, "
        "messages\nto standard error. 'junct help COMMAND' tells more about a command.\n\n"
        "exit code: 0 done, 1 the model is wrong, 2 wrong usage, 3 stopped early, 4 refuted\n");
}

static void add_option(jn_str *out, const cli_option *o)
{
    size_t start = out->len;
    if (o->letter)
        jn_str_addf(out, "  -%c, --%s", o->letter, o->name);
    else
        jn_str_addf(out, "      --%s", o->name);
    if (o->argument)
        jn_str_addf(out, " %s", o->argument);
    jn_str_fill(out, ' ', 25 - (int)(out->len - start));
    jn_str_addf(out, " %s\n", o->help);
}

void cli_command_help(jn_str *out, const cli_command *command)
{
    static const cli_option help = {"help", 'h', NULL, "print this"};
    jn_str_addf(out, "usage: junct %s [OPTIONS]%s%s\n\n%s.\n", command->name,
                command->operand ? " " : "", command->operand ? command->operand : "",
                command->summary);
    if (command->details)
        jn_str_addf(out, "\n%s\n", command->details);
    jn_str_add(out, "\noptions:\n");
    for (int i = 0; command->options[i].name; i++)
        add_option(out, &command->options[i]);
    add_option(out, &help);
}
