/* options.c: what the user wrote after the command. */
#include <langinfo.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

static bool only_ascii;

/* Figures keep their point: only the characters are the reader's. */
void cli_choose_characters(void)
{
    only_ascii = !setlocale(LC_CTYPE, "") || strcmp(nl_langinfo(CODESET), "UTF-8") != 0;
    jn_page_text_ascii(only_ascii);
}

void cli_print_error(const char *s)
{
    jn_str text;
    jn_str_init(&text);
    if (only_ascii)
        jn_str_add_ascii(&text, s);
    fputs(only_ascii ? jn_str_c(&text) : s, stderr);
    jn_str_clear(&text);
}

static void complain(const char *fmt, va_list args)
{
    jn_str text, shown;
    jn_str_init(&text);
    jn_str_init(&shown);
    jn_str_vaddf(&text, fmt, args);
    jn_str_add_shown(&shown, jn_str_c(&text), text.len);
    cli_print_error("junct: ");
    cli_print_error(jn_str_c(&shown));
    cli_print_error("\n");
    jn_str_clear(&shown);
    jn_str_clear(&text);
}

void cli_complain(const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    complain(fmt, args);
    va_end(args);
}

int cli_wrong_usage(const cli_command *command, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    complain(fmt, args);
    va_end(args);
    fprintf(stderr, "See 'junct %s%s--help'.\n", command ? command->name : "", command ? " " : "");
    return CLI_WRONG_USAGE;
}

/* ---- looking up ---------------------------------------------------------------------------- */

static int find_name(const cli_command *c, const char *name, size_t len)
{
    for (int i = 0; c->options[i].name; i++)
        if (strlen(c->options[i].name) == len && memcmp(c->options[i].name, name, len) == 0)
            return i;
    return -1;
}

static int find_letter(const cli_command *c, char letter)
{
    for (int i = 0; c->options[i].name; i++)
        if (c->options[i].letter == letter)
            return i;
    return -1;
}

const char *cli_value(const cli_args *args, const char *option)
{
    int i = find_name(args->command, option, strlen(option));
    return i < 0 ? NULL : args->value[i];
}

const char *cli_next(const cli_args *args, const char *option, int *at)
{
    int i = find_name(args->command, option, strlen(option));
    while (*at < args->nrepeated && args->repeated_of[*at] != i)
        ++*at;
    return *at < args->nrepeated ? args->repeated[(*at)++] : NULL;
}

static bool unknown_option(const cli_command *c, const char *arg, size_t len)
{
    const char *names[CLI_OPTIONS_MAX + 1];
    int n = 0;
    for (; c->options[n].name; n++)
        names[n] = c->options[n].name;
    names[n++] = "help";
    char *word = jn_alloc(len + 1);
    memcpy(word, arg, len);
    const char *name = word + strspn(word, "-");
    const char *closest = strlen(name) > 1 ? jn_closest(name, names, n) : NULL;
    if (closest)
        cli_wrong_usage(c, "'%s' has no option '%s'; did you mean '--%s'?", c->name, word, closest);
    else
        cli_wrong_usage(c, "'%s' has no option '%s'", c->name, word);
    free(word);
    return false;
}

/* ---- parsing ------------------------------------------------------------------------------- */

typedef struct {
    cli_args *args;
    int argc, next;
    char *const *argv;
} reader;

/* Takes the option number i; attached is what stood behind it in the same word, or NULL. */
static bool take_option(reader *r, int i, const char *attached)
{
    const cli_command *c = r->args->command;
    const cli_option *o = &c->options[i];
    bool repeats = o->argument && strstr(o->argument, "...");
    if (r->args->value[i] && o->argument && !repeats) {
        cli_wrong_usage(c, "option '--%s' is given twice", o->name);
        return false;
    }
    if (!o->argument && attached) {
        cli_wrong_usage(c, "option '--%s' takes no argument", o->name);
        return false;
    }
    if (o->argument && !attached) {
        if (r->next == r->argc) {
            cli_wrong_usage(c, "option '--%s' needs %s behind it", o->name, o->argument);
            return false;
        }
        attached = r->argv[r->next++];
    }
    r->args->value[i] = attached ? attached : "";
    if (repeats && r->args->nrepeated == CLI_REPEATED_MAX) {
        cli_wrong_usage(c, "option '--%s' is given too often", o->name);
        return false;
    }
    if (repeats) {
        r->args->repeated_of[r->args->nrepeated] = i;
        r->args->repeated[r->args->nrepeated++] = attached;
    }
    return true;
}

static bool take_long(reader *r, const char *arg)
{
    const char *name = arg + 2;
    size_t len = strcspn(name, "=");
    if (strcmp(name, "help") == 0) {
        r->args->help = true;
        return true;
    }
    int i = find_name(r->args->command, name, len);
    if (i < 0)
        return unknown_option(r->args->command, arg, len + 2);
    return take_option(r, i, name[len] ? name + len + 1 : NULL);
}

static bool take_short(reader *r, const char *arg)
{
    if (strcmp(arg, "-h") == 0) {
        r->args->help = true;
        return true;
    }
    int i = find_letter(r->args->command, arg[1]);
    if (i < 0)
        return unknown_option(r->args->command, arg, strlen(arg));
    return take_option(r, i, arg[2] ? arg + 2 : NULL);
}

static bool take_operand(reader *r, const char *arg)
{
    const cli_command *c = r->args->command;
    if (!c->operand)
        cli_wrong_usage(c, "'%s' takes no argument, but there is '%s'", c->name, arg);
    else if (r->args->operand)
        cli_wrong_usage(c, "'%s' takes one %s, but there are '%s' and '%s'", c->name, c->operand,
                        r->args->operand, arg);
    else
        r->args->operand = arg;
    return r->args->operand == arg;
}

bool cli_parse(cli_args *args, const cli_command *command, int argc, char *const *argv)
{
    *args = (cli_args){.command = command};
    reader r = {args, argc, 0, argv};
    bool options = true, good = true;
    while (good && r.next < argc) {
        const char *arg = argv[r.next++];
        if (options && strcmp(arg, "--") == 0)
            options = false;
        else if (options && arg[0] == '-' && arg[1] == '-')
            good = take_long(&r, arg);
        else if (options && arg[0] == '-' && arg[1])
            good = take_short(&r, arg);
        else
            good = take_operand(&r, arg);
    }
    bool needed = command->operand && command->operand[0] != '[';
    if (good && needed && !args->operand && !args->help) {
        cli_wrong_usage(command, "'%s' needs a %s; '-' is standard input", command->name,
                        command->operand);
        good = false;
    }
    return good;
}
