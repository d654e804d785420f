/* cmd_steady.c: junct steady */
#include <string.h>

#include "orbit.h"

/* clang-format off */
static const cli_option options[] = {
    ORBIT_OPTIONS,
    {"harmonics", 0, "N", "how many harmonics of each output, default 10"},
    {"load", 0, "R", "the efficiency with the resistor R as the load"},
    {"plot", 0, "FILE", "draw the outputs over the orbit: .svg, .png or .pdf"},
    {"periods", 0, "N", "with --plot: how many periods are drawn, default 2"},
    CLI_OPTION_JSON,
    CLI_OPTION_CSV,
    CLI_OPTION_OCTAVE,
    CLI_OPTION_OUTPUT,
    CLI_OPTION_END,
};
/* clang-format on */

static int read_load(int *load, const cli_args *args, const jn_graph *g)
{
    const char *name = cli_value(args, "load");
    *load = name ? jn_graph_find(g, name) : -1;
    if (name && (*load < 0 || g->element[*load].kind != JN_R))
        return cli_wrong_usage(args->command, "--load %s: there is no resistor of that name", name);
    return CLI_DONE;
}

static int read_periods(int *periods, const cli_args *args)
{
    const char *text = cli_value(args, "periods");
    *periods = 2;
    if (!text)
        return CLI_DONE;
    *periods = strlen(text) == 1 ? *text - '0' : 0;
    if (!cli_value(args, "plot"))
        return cli_wrong_usage(args->command, "'--periods' belongs to '--plot'");
    return *periods >= 1 && *periods <= 9
               ? CLI_DONE
               : cli_wrong_usage(args->command, "--periods %s: a number from 1 to 9 is meant",
                                 text);
}

static int write_result(const jn_steady *o, const cli_args *args, const jn_steady_style *style,
                        int periods)
{
    jn_str text;
    jn_str_init(&text);
    jn_write_steady(&text, o, cli_form(args), style);
    int code = cli_output_text(cli_value(args, "output"), &text);
    const char *plot = cli_value(args, "plot");
    if (code == CLI_DONE && plot && o->status == JN_STEADY_FOUND) {
        jn_str_init(&text);
        jn_plot_steady(&text, o, periods);
        code = cli_picture_write(plot, &text);
    }
    return code;
}

static int find(orbit_plan *p, cli_model *m, const cli_args *args)
{
    jn_steady_style style;
    jn_steady *o = NULL;
    int periods, code = run_set_values(m->graph, args);
    if (code == CLI_DONE)
        code = read_load(&style.load, args, m->graph);
    if (code == CLI_DONE)
        code = read_periods(&periods, args);
    if (code != CLI_DONE)
        return code;
    cli_stage_begin();
    jn_status status = jn_steady_find(&o, m->graph, &p->o, m->diags);
    cli_stage_end();
    code = cli_model_report(m, o ? JN_OK : status);
    if (code == CLI_DONE && o && (status == JN_OK || strcmp(cli_form(args), "json") == 0))
        code = write_result(o, args, &style, periods);
    if (code == CLI_DONE)
        code = orbit_told(o, status);
    jn_steady_free(o);
    return code;
}

static int run_command(const cli_args *args)
{
    orbit_plan p;
    cli_model m;
    int code = orbit_plan_read(&p, args);
    if (code == CLI_DONE)
        code = cli_check_write_options(args);
    if (code == CLI_DONE)
        code = cli_picture_check(args, "plot");
    if (code == CLI_DONE) {
        code = cli_model_load(&m, args->operand, CLI_GRAPH, false);
        if (code == CLI_DONE)
            code = find(&p, &m, args);
        cli_model_clear(&m);
    }
    orbit_plan_clear(&p);
    return code;
}

const cli_command cmd_steady = {
    .name = "steady",
    .operand = "FILE",
    .summary = "Find the periodic orbit, its stability and its means",
    .details =
        "The orbit of a model with a clock (pulse-width modulation, periodic sources), over one\n"
        "or K of its periods, or with --free that of a free oscillation: modes and durations,\n"
        "the state at its start, multipliers with a verdict, and for each output mean, rms,\n"
        "extrema, harmonics and THD; energies and powers. All integrals are exact, not sampled.\n"
        "An orbit is reported only if one period closes to 1e-9.",
    .options = options,
    .run = run_command,
};
