/* cmd_new.c: junct new: a small model to begin with. */
#include <ctype.h>
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"

static const cli_option options[] = {CLI_OPTION_END};

/* Right as it stands: `junct check` finds nothing, and it runs. %s is the model's name. */
static const char model[] =
    "# A battery charges a capacitor through a coil; a transistor chops the current, a diode\n"
    "# carries it on. Change it to your own: 'junct check' tells what is wrong.\n"
    "model %s \"A step-down converter\"\n"
    "\n"
    "domain electrical         # efforts are volts, flows amperes\n"
    "\n"
    "# Elements: a kind, a name, a value. The names are the symbols of the equations.\n"
    "Se V = 12                 # effort source; Sf is a flow source\n"
    "Se G = 0                  # the ground\n"
    "I  L = 1m                 # a coil: 1/1000\n"
    "C  Co = 100u, e0 = 0      # a capacitor, empty at the start\n"
    "R  load = 5\n"
    "0  n                      # a node: one voltage, the currents sum to zero\n"
    "0  out\n"
    "1  coil                   # in series: one current, the voltages sum to zero\n"
    "X1 s                      # controlled junctions: ON a 1, OFF no current\n"
    "X1 d\n"
    "\n"
    "# Bonds: power is counted along the arrow.\n"
    "V -> s -> n\n"
    "G -> d -> n\n"
    "n -> coil -> out -> Co\n"
    "coil -> L\n"
    "out -> load\n"
    "\n"
    "# What switches, and when. 'junct check --expand' spells a ready-made law out.\n"
    "switch s pwm(50u, 1/2)\n"
    "switch d diode\n"
    "\n"
    "output i = f(L), u = e(out)\n"
    "simulate to 5m every 5u\n";

static bool is_name(const char *s, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!isalnum((unsigned char)s[i]) && s[i] != '_')
            return false;
    return n > 0 && !isdigit((unsigned char)s[0]);
}

/* The name of the model in "folder/pump.hbg", "pump.hbg" or "pump". */
static size_t find_name(const char **name, const char *path)
{
    const char *slash = strrchr(path, '/');
    *name = slash ? slash + 1 : path;
    size_t n = strlen(*name);
    return n > 4 && strcmp(*name + n - 4, ".hbg") == 0 ? n - 4 : n;
}

static int write_model(const char *path, const char *name)
{
    jn_str text;
    jn_str_init(&text);
    jn_str_addf(&text, model, name);
    int code = cli_output_text(path, &text);
    if (code == CLI_DONE)
        printf("%s is written. Now try\n\n  junct check %s\n  junct simulate %s\n"
               "  junct page %s -o %s.html\n",
               path, path, path, path, name);
    return code;
}

static int run(const cli_args *args)
{
    const char *name;
    size_t n = find_name(&name, args->operand);
    if (!is_name(name, n))
        return cli_wrong_usage(args->command,
                               "'%s': a model's name is letters, digits and '_', a letter first",
                               args->operand);
    jn_str path, word;
    jn_str_init(&path);
    jn_str_init(&word);
    jn_str_addn(&word, name, n);
    jn_str_addf(&path, "%.*s%s.hbg", (int)(name - args->operand), args->operand, word.s);
    int code = CLI_WRONG_USAGE;
    if (access(path.s, F_OK) == 0)
        cli_complain("%s is there already: choose another name", path.s);
    else
        code = write_model(path.s, word.s);
    jn_str_clear(&word);
    jn_str_clear(&path);
    return code;
}

const cli_command cmd_new = {
    .name = "new",
    .operand = "NAME",
    .summary = "Write a small model to begin with",
    .details = "The model goes to NAME.hbg; a file that is there already is left alone.",
    .options = options,
    .run = run,
};
