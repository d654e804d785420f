/* cmd_bode.c: junct bode */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "orbit.h"

/* clang-format off */
static const cli_option options[] = {
    {"from", 0, "X", "what is disturbed: a source, V, or a duty cycle, 'duty(s)'"},
    {"to", 0, "NAMES", "outputs or signals, with commas between them; default all outputs"},
    {"freq", 0, "F", "frequencies: 10:100k:200 (ends and count) or a list 100,1k,3k"},
    {"mode", 0, "M", "in this mode instead of around the orbit: 100, or s1=1,s2=0,..."},
    {"margins", 0, NULL, "phase and gain margins, the response being the gain of a loop"},
    {"sensitivity", 0, NULL, "instead: how the means of the orbit change with each value"},
    ORBIT_OPTIONS,
    {"plot", 0, "FILE", "draw magnitude and phase: .svg, .png or .pdf"},
    CLI_OPTION_JSON,
    CLI_OPTION_CSV,
    CLI_OPTION_OCTAVE,
    CLI_OPTION_OUTPUT,
    CLI_OPTION_END,
};
/* clang-format on */

typedef struct {
    orbit_plan orbit;
    jn_bode_options o;
    double *frequency;
    const jn_expr **value;
    const char **name;
    jn_onoff *mode;
} bode_plan;

/* ---- frequencies --------------------------------------------------------------------------- */

enum { MOST_FREQUENCIES = 100000 };

static bool read_number(double *x, const char *text, size_t length)
{
    char copy[64];
    fmpq_t q;
    if (length == 0 || length >= sizeof copy)
        return false;
    memcpy(copy, text, length);
    copy[length] = 0;
    fmpq_init(q);
    bool ok = jn_ratio_parse(q, copy, strlen(copy)) == JN_OK && fmpq_sgn(q) > 0;
    *x = ok ? jn_number_get_d(q) : 0;
    fmpq_clear(q);
    return ok;
}

static int wrong_frequencies(const cli_args *args, const char *text)
{
    return cli_wrong_usage(args->command,
                           "--freq %s: write 10:100k:200 (the ends, and how many), or a list of "
                           "positive numbers 100,1k,3k that ascend",
                           text);
}

/* Evenly in the logarithm; both ends are what was written. */
static int read_range(bode_plan *p, const cli_args *args, const char *text)
{
    const char *first = strchr(text, ':'), *second = strchr(first + 1, ':');
    double low, high, count;
    if (!second || !read_number(&low, text, (size_t)(first - text)) ||
        !read_number(&high, first + 1, (size_t)(second - first - 1)) ||
        !read_number(&count, second + 1, strlen(second + 1)) || count != floor(count) ||
        count < 2 || count > MOST_FREQUENCIES || !(high > low))
        return wrong_frequencies(args, text);
    int n = p->o.nfrequencies = (int)count;
    p->frequency = jn_alloc((size_t)n * sizeof *p->frequency);
    for (int i = 0; i < n; i++)
        p->frequency[i] = i == n - 1 ? high : low * pow(high / low, (double)i / (n - 1));
    return CLI_DONE;
}

static int read_list(bode_plan *p, const cli_args *args, const char *text)
{
    int n = 1;
    for (const char *s = text; *s; s++)
        n += *s == ',';
    p->frequency = jn_alloc((size_t)n * sizeof *p->frequency);
    for (const char *s = text;; s++) {
        size_t length = strcspn(s, ",");
        double *x = &p->frequency[p->o.nfrequencies++];
        if (!read_number(x, s, length) || (x > p->frequency && !(x[0] > x[-1])))
            return wrong_frequencies(args, text);
        s += length;
        if (!*s)
            return CLI_DONE;
    }
}

static int read_frequencies(bode_plan *p, const cli_args *args)
{
    const char *text = cli_value(args, "freq");
    if (!text)
        return cli_wrong_usage(args->command, "which frequencies? Give --freq 10:100k:200");
    int code = strchr(text, ':') ? read_range(p, args, text) : read_list(p, args, text);
    p->o.frequency = p->frequency;
    return code;
}

/* ---- from and to --------------------------------------------------------------------------- */

static int find_pwm(bode_plan *p, const cli_args *args, const jn_graph *g, const char *text)
{
    size_t length = strcspn(text, ")");
    for (int i = 0; i < g->nswitches && text[length] == ')' && !text[length + 1]; i++) {
        const char *name = g->switch_name[i];
        if (strlen(name) == length && !strncmp(name, text, length)) {
            p->o.pwm = i;
            if (g->automaton[i].pwm_period)
                return CLI_DONE;
            return cli_wrong_usage(args->command, "--from duty(%s: '%s' has no pwm(...)", text,
                                   name);
        }
    }
    return cli_wrong_usage(args->command, "--from duty(%s: there is no switch of that name", text);
}

static int find_source(bode_plan *p, const cli_args *args, const jn_graph *g, const char *name)
{
    const char **list = jn_alloc((size_t)g->nsources * sizeof *list);
    for (int i = 0; i < g->nsources; i++)
        list[i] = g->element[g->source[i]].name;
    const char *closest = jn_closest(name, list, g->nsources);
    bool duty = strcmp(name, "duty") == 0;
    int e = p->o.source = jn_graph_find(g, name);
    free(list);
    if (e >= 0 && jn_kind_is_source(g->element[e].kind))
        return CLI_DONE;
    return cli_wrong_usage(args->command, "--from %s: there is no source of that name%s%s%s", name,
                           duty      ? "; the duty cycle of a switch s is '"
                           : closest ? "; did you mean '"
                                     : "",
                           duty      ? "duty(s)"
                           : closest ? closest
                                     : "",
                           duty      ? "'"
                           : closest ? "'?"
                                     : "");
}

static int read_from(bode_plan *p, const cli_args *args, const jn_graph *g)
{
    const char *text = cli_value(args, "from");
    p->o.source = p->o.pwm = -1;
    if (!text)
        return cli_wrong_usage(args->command,
                               "what is disturbed? Give --from with a source or 'duty(switch)'");
    if (strncmp(text, "duty(", 5) != 0)
        return find_source(p, args, g, text);
    if (p->mode)
        return cli_wrong_usage(args->command, "a duty cycle means nothing in one mode: leave out "
                                              "'--mode'");
    return find_pwm(p, args, g, text + 5);
}

static const jn_signal *find_value(const jn_graph *g, const char *name, size_t length)
{
    const jn_signal *list[] = {g->output, g->signal};
    const int count[] = {g->noutputs, g->nsignals};
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < count[k]; i++)
            if (strlen(list[k][i].name) == length && !strncmp(list[k][i].name, name, length))
                return &list[k][i];
    return NULL;
}

static int unknown_value(const cli_args *args, const jn_graph *g, const char *name, size_t length)
{
    jn_str list;
    jn_str_init(&list);
    for (int i = 0; i < g->noutputs; i++)
        jn_str_addf(&list, "%s%s", i ? ", " : "", g->output[i].name);
    int code =
        cli_wrong_usage(args->command, "--to: there is no output or signal '%.*s'%s%s", (int)length,
                        name, g->noutputs ? "; there are " : "", jn_str_c(&list));
    jn_str_clear(&list);
    return code;
}

static int read_to(bode_plan *p, const cli_args *args, const jn_graph *g)
{
    const char *text = cli_value(args, "to");
    jn_steady_options *o = &p->orbit.o;
    if (!text)
        return CLI_DONE;
    size_t room = strlen(text) + 1;
    p->value = jn_alloc(room * sizeof *p->value);
    p->name = jn_alloc(room * sizeof *p->name);
    for (const char *s = text;; s++) {
        size_t length = strcspn(s, ",");
        const jn_signal *x = find_value(g, s, length);
        if (!x)
            return unknown_value(args, g, s, length);
        p->value[o->nvalues] = x->expr;
        p->name[o->nvalues++] = x->name;
        s += length;
        if (!*s)
            break;
    }
    o->value = p->value;
    o->name = p->name;
    return CLI_DONE;
}

/* ---- the command --------------------------------------------------------------------------- */

static int write_response(const jn_bode *b, const cli_args *args)
{
    jn_bode_style style = {cli_value(args, "from")};
    const char *plot = cli_value(args, "plot");
    jn_str text;
    jn_str_init(&text);
    jn_write_bode(&text, b, cli_form(args), &style);
    int code = cli_output_text(cli_value(args, "output"), &text);
    if (code == CLI_DONE && plot) {
        jn_str_init(&text);
        jn_plot_bode(&text, b, &style);
        code = cli_picture_write(plot, &text);
    }
    return code;
}

/* Of an orbit that was found. Whoever ended the search knows why. */
static int not_found(const cli_model *m, const char *what, const char *why)
{
    cli_complain("%s: no %s was found: %s", m->graph->name, what,
                 cli_signal() ? cli_signal()
                 : why        ? why
                              : "the run stopped");
    return CLI_STOPPED;
}

/* A model without switches or a clock has no orbit to speak of: its responses are those of its only
 * mode. */
static jn_status find_response(jn_bode **b, bode_plan *p, cli_model *m)
{
    static const jn_onoff no_switches[1];
    jn_diags *d = jn_diags_new();
    jn_status status = jn_bode_find(b, m->graph, &p->o, d);
    bool timeless = false;
    for (int i = 0; i < jn_diags_count(d) && !*b; i++)
        timeless = timeless || jn_diags_get(d, i)->code == JN_D_STEADY_TIMELESS;
    if (timeless && m->graph->nswitches == 0) {
        p->o.mode = no_switches;
        status = jn_bode_find(b, m->graph, &p->o, m->diags);
    } else {
        for (int i = 0; i < jn_diags_count(d); i++)
            jn_diag_copy(m->diags, jn_diags_get(d, i));
    }
    jn_diags_free(d);
    return status;
}

static int respond(bode_plan *p, cli_model *m, const cli_args *args)
{
    jn_bode *b = NULL;
    int code = cli_mode_option(&p->mode, args, "mode", m->graph);
    if (code == CLI_DONE)
        code = read_from(p, args, m->graph);
    if (code != CLI_DONE)
        return code;
    p->o.mode = p->mode;
    p->o.orbit = p->orbit.o;
    p->o.margins = cli_value(args, "margins");
    cli_stage_begin();
    jn_status status = find_response(&b, p, m);
    cli_stage_end();
    code = cli_model_report(m, b ? JN_OK : status);
    if (code == CLI_DONE && status == JN_OK)
        code = write_response(b, args);
    else if (code == CLI_DONE && b && b->orbit && b->orbit->status != JN_STEADY_FOUND)
        code = orbit_told(b->orbit, status);
    else if (code == CLI_DONE)
        code = not_found(m, "response", b ? b->message : NULL);
    jn_bode_free(b);
    return code;
}

static int be_sensitive(bode_plan *p, cli_model *m, const cli_args *args)
{
    jn_sensitivity *s = NULL;
    cli_stage_begin();
    jn_status status = jn_sensitivity_find(&s, m->graph, &p->orbit.o, m->diags);
    cli_stage_end();
    bool said = !s || jn_diags_errors(m->diags) > 0; /* its time may be over in the middle */
    int code = cli_model_report(m, said ? status : JN_OK);
    if (code != CLI_DONE || !s) {
        jn_sensitivity_free(s);
        return code;
    }
    code = s->message ? not_found(m, "slope", s->message) : orbit_told(s->orbit, status);
    if (code == CLI_DONE) {
        jn_str text;
        jn_str_init(&text);
        jn_write_sensitivity(&text, s, cli_form(args));
        code = cli_output_text(cli_value(args, "output"), &text);
    }
    jn_sensitivity_free(s);
    return code;
}

static int check_options(const cli_args *args)
{
    static const char *const other[] = {"from", "freq", "mode", "margins", "plot", "octave"};
    for (size_t i = 0; i < sizeof other / sizeof *other && cli_value(args, "sensitivity"); i++)
        if (cli_value(args, other[i]))
            return cli_wrong_usage(args->command, "'--sensitivity' goes without '--%s'", other[i]);
    int code = cli_check_write_options(args);
    return code == CLI_DONE ? cli_picture_check(args, "plot") : code;
}

static int run_with(bode_plan *p, const cli_args *args)
{
    cli_model m;
    bool sensitive = cli_value(args, "sensitivity");
    int code = check_options(args);
    if (code == CLI_DONE && !sensitive)
        code = read_frequencies(p, args);
    if (code != CLI_DONE)
        return code;
    code = cli_model_load(&m, args->operand, CLI_GRAPH, false);
    if (code == CLI_DONE)
        code = run_set_values(m.graph, args);
    if (code == CLI_DONE)
        code = read_to(p, args, m.graph);
    if (code == CLI_DONE)
        code = sensitive ? be_sensitive(p, &m, args) : respond(p, &m, args);
    cli_model_clear(&m);
    return code;
}

static int run_command(const cli_args *args)
{
    bode_plan p = {0};
    int code = orbit_plan_read(&p.orbit, args);
    if (code == CLI_DONE)
        code = run_with(&p, args);
    orbit_plan_clear(&p.orbit);
    free(p.frequency);
    free(p.value);
    free(p.name);
    free(p.mode);
    return code;
}

const cli_command cmd_bode = {
    .name = "bode",
    .operand = "FILE",
    .summary = "Frequency responses around the orbit, or in a mode",
    .details =
        "How outputs respond to a small sine in a source, or in a duty cycle, which is read as\n"
        "each of its periods begins: exactly, with all effects of switching, and beside it the\n"
        "averaged model where there is one. Frequencies are in cycles per unit of time.\n"
        "With --sensitivity: the slopes of the means by every parameter, value and source.",
    .options = options,
    .run = run_command,
};
