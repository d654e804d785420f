/* cmd_page.c: junct page */
#include <string.h>

#include "page_run.h"

static const cli_option options[] = {
    CLI_OPTION_OUTPUT,
    RUN_OPTIONS,
    {"no-run", 0, NULL, "do not run the model"},
    {"unfold", 0, NULL, "draw every part, also those that a loop or submodel repeats"},
    CLI_OPTION_SECONDS,
    CLI_OPTION_MEMORY,
    CLI_OPTION_END,
};

static int write_page(const cli_model *m, page_run *simulation, const cli_args *args)
{
    jn_drawing *drawing = NULL;
    jn_draw_options o = {.unfold = cli_value(args, "unfold")};
    if (jn_drawing_make(&drawing, m->junction, NULL, &o) != JN_OK) {
        cli_complain("Graphviz cannot lay out this graph");
        return CLI_STOPPED;
    }
    jn_html page = {.implicit = m->implicit, .source = m->source, .drawing = drawing};
    if (simulation)
        page_run_give(&page, simulation);
    jn_str text;
    jn_str_init(&text);
    jn_html_write(&text, &page);
    jn_drawing_free(drawing);
    return cli_output_text(cli_value(args, "output"), &text);
}

static int make_page(const cli_args *args, cli_model *m)
{
    page_run *simulation = NULL;
    m->bonds = true;
    int code = cli_model_advance(m, CLI_IMPLICIT, false);
    if (code == CLI_DONE)
        jn_junction_unlimited(m->junction);
    if (code == CLI_DONE && !cli_value(args, "no-run"))
        code = page_run_new(&simulation, m, args);
    if (code == CLI_DONE)
        code = write_page(m, simulation, args);
    if (code == CLI_DONE && page_run_stopped(simulation))
        code = CLI_STOPPED;
    page_run_free(simulation);
    return code;
}

/* What would be opened by another program than a browser. */
static int check_name(const cli_args *args)
{
    const char *path = cli_value(args, "output"), *slash = path ? strrchr(path, '/') : NULL;
    const char *dot = path ? strrchr(slash ? slash : path, '.') : NULL;
    if (!dot || dot == path || strcmp(dot, ".html") == 0 || strcmp(dot, ".htm") == 0 ||
        strcmp(path, "/dev/null") == 0)
        return CLI_DONE;
    return cli_wrong_usage(args->command, "'-o %s': a page is a file for browsers, x.html", path);
}

static int run_command(const cli_args *args)
{
    static const char *const of_run[] = {"to", "every", "sequence"};
    if (check_name(args) != CLI_DONE)
        return CLI_WRONG_USAGE;
    for (size_t i = 0; i < sizeof of_run / sizeof of_run[0]; i++)
        if (cli_value(args, "no-run") && cli_value(args, of_run[i]))
            return cli_wrong_usage(args->command, "choose one of '--no-run' and '--%s'", of_run[i]);
    cli_model m;
    int code = cli_model_open_within(&m, args);
    if (code == CLI_DONE)
        code = make_page(args, &m);
    cli_model_clear(&m);
    return code;
}

const cli_command cmd_page = {
    .name = "page",
    .operand = "FILE",
    .summary = "Write a page to play with in a browser",
    .details =
        "One HTML file that needs nothing else: the bond graph with switches to be clicked,\n"
        "the matrices of all modes and of the one chosen, and the run with its plots, events\n"
        "and powers, to be played. Of parts that are repeated four times or more one is drawn;\n"
        "the page offers a choice of which.",
    .options = options,
    .run = run_command,
};
