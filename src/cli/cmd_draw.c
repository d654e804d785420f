/* cmd_draw.c: junct draw */
#include <stdlib.h>
#include <string.h>

#include "junct/draw.h"
#include "latex.h"

static const cli_option options[] = {
    {"output", 'o', "FILE", "write to FILE; its ending chooses .svg, .png, .pdf, .tex or .dot"},
    CLI_OPTION_MODE,
    {"bond-names", 0, NULL, "label all bonds, not only those that were given a name"},
    {"values", 0, "V", "below elements: their values as written, as symbols, or none"},
    {"unfold", 0, NULL, "draw every part, also those that a loop or submodel repeats"},
    CLI_OPTION_SECONDS,
    CLI_OPTION_MEMORY,
    CLI_OPTION_END,
};

typedef enum { SVG, TEX, DOT, PDF, PNG, NFORMS } form;

/* The form that a file name asks for; NFORMS when there is none. SVG on standard output. */
static form form_of(const char *path)
{
    static const char *const endings[NFORMS] = {".svg", ".tex", ".dot", ".pdf", ".png"};
    const char *dot = path ? strrchr(path, '.') : NULL;
    if (!path || strcmp(path, "-") == 0)
        return SVG;
    for (int i = 0; dot && i < NFORMS; i++)
        if (strcmp(dot, endings[i]) == 0)
            return (form)i;
    return NFORMS;
}

/* ---- the command --------------------------------------------------------------------------- */

static int write_drawing(const jn_drawing *d, form f, const char *path)
{
    jn_str text;
    jn_str_init(&text);
    if (f == SVG || f == PNG)
        jn_drawing_svg(&text, d);
    else if (f == DOT)
        jn_drawing_dot(&text, d);
    else
        jn_drawing_tikz(&text, d, true);
    int code = f == PDF   ? cli_latex(path, &text)
               : f == PNG ? cli_picture_write(path, &text)
                          : cli_output_text(path, &text);
    jn_str_clear(&text);
    return code;
}

static int read_options(jn_draw_options *o, const cli_args *args)
{
    static const char *const names[] = {"written", "symbols", "none"};
    const char *values = cli_value(args, "values");
    *o = (jn_draw_options){.bond_names = cli_value(args, "bond-names"),
                           .unfold = cli_value(args, "unfold")};
    for (int i = 0; values && i < 3; i++)
        if (strcmp(values, names[i]) == 0) {
            o->values = (jn_draw_values)i;
            return CLI_DONE;
        }
    return !values
               ? CLI_DONE
               : cli_wrong_usage(args->command, "'--values %s': written, symbols or none", values);
}

static int draw(const cli_args *args, cli_model *m, form f, const jn_draw_options *o)
{
    jn_onoff *mode = NULL;
    jn_drawing *d = NULL;
    m->bonds = true;
    int code = cli_mode_option(&mode, args, "mode", m->graph);
    if (code == CLI_DONE)
        code =
            mode ? cli_model_take_mode(m, mode, false) : cli_model_advance(m, CLI_JUNCTION, false);
    if (code == CLI_DONE)
        jn_junction_unlimited(m->junction);
    if (code == CLI_DONE && jn_drawing_make(&d, m->junction, mode, o) != JN_OK) {
        cli_complain("Graphviz cannot lay out this graph");
        code = CLI_STOPPED;
    }
    if (code == CLI_DONE && d->forbidden)
        cli_complain("mode %s is forbidden: it has no causal strokes", d->mode);
    if (code == CLI_DONE)
        code = write_drawing(d, f, cli_value(args, "output"));
    jn_drawing_free(d);
    free(mode);
    return code;
}

static int run(const cli_args *args)
{
    const char *path = cli_value(args, "output");
    form f = form_of(path);
    if (f == NFORMS)
        return cli_wrong_usage(args->command,
                               "'%s': the name must end in .svg, .png, .pdf, .tex or .dot", path);
    jn_draw_options o;
    int code = read_options(&o, args);
    if (code != CLI_DONE)
        return code;
    cli_model m;
    code = cli_model_open_within(&m, args);
    if (code == CLI_DONE)
        code = draw(args, &m, f, &o);
    cli_model_clear(&m);
    return code;
}

const cli_command cmd_draw = {
    .name = "draw",
    .operand = "FILE",
    .summary = "Draw the causal bond graph",
    .details =
        "A solid stroke is that of the reference mode; a dashed one at the other end says that\n"
        "the stroke is there in some mode. With --mode the strokes are those of that mode, and\n"
        "OFF junctions are grey, drawn as null sources. Parts that are repeated four times or\n"
        "more are drawn once, in a frame that says how many there are; --unfold draws them\n"
        "all, and then all modes of a model have the same layout.",
    .options = options,
    .run = run,
};
