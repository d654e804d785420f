/* run_setup.c: what the options of `junct simulate` ask for. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "junct/unit.h"
#include "run.h"

/* ---- numbers ------------------------------------------------------------------------------- */

/* "5m", "1/50"; a time may have its unit, as in a model: "5ms", "20 us". */
static bool read_number(fmpq_t x, const char *text, bool is_time)
{
    jn_unit unit, second;
    bool has_unit;
    if (jn_ratio_parse(x, text, strlen(text)) == JN_OK)
        return true;
    return is_time && jn_unit_scan(&second, "s", 1) == 1 &&
           jn_quantity_parse(x, &unit, &has_unit, text, strlen(text)) == JN_OK && has_unit &&
           unit.pi == 0 && jn_unit_same(&unit, &second);
}

/* A positive number; *given tells whether the option is there. */
static int parse_positive(fmpq_t x, bool *given, const cli_args *args, const char *option)
{
    const char *text = cli_value(args, option);
    bool is_time = !strstr(option, "tol"); /* all but the tolerances are */
    *given = text != NULL;
    if (!text)
        return CLI_DONE;
    if (!read_number(x, text, is_time))
        return cli_wrong_usage(args->command, "--%s %s: this is not a number%s", option, text,
                               is_time ? "; a time is written 5m, 1/200 or 5ms" : "");
    if (fmpq_sgn(x) <= 0)
        return cli_wrong_usage(args->command, "--%s %s: it must be positive", option, text);
    return CLI_DONE;
}

int run_positive_option(double *x, const cli_args *args, const char *option)
{
    bool given;
    fmpq_t exact;
    fmpq_init(exact);
    int code = parse_positive(exact, &given, args, option);
    if (code == CLI_DONE && given)
        *x = jn_number_get_d(exact);
    fmpq_clear(exact);
    return code;
}

/* ---- times --------------------------------------------------------------------------------- */

enum {
    EXACT_BITS = 53, /* of integers that a double holds */
    ROWS = 1000      /* about as many as a picture has columns */
};

void run_times_every(run_times *t, const fmpq_t every)
{
    t->every = jn_number_get_d(every);
    t->q = 0;
    if (fmpz_bits(fmpq_numref(every)) > EXACT_BITS || fmpz_bits(fmpq_denref(every)) > EXACT_BITS)
        return;
    t->p = fmpz_get_d(fmpq_numref(every));
    t->q = fmpz_get_d(fmpq_denref(every));
}

double run_time(const run_times *t, uint64_t k)
{
    double product = (double)k * t->p;
    bool exact = t->q > 0 && product <= ldexp(1, EXACT_BITS);
    double time = exact ? product / t->q : (double)k * t->every;
    return time < t->to ? time : t->to;
}

/* Where nobody says how many rows there are to be. */
static void share_among_rows(run_times *t, const fmpq_t to)
{
    fmpq_t step;
    fmpq_init(step);
    fmpq_set_si(step, 1, ROWS);
    fmpq_mul(step, step, to);
    run_times_every(t, step);
    fmpq_clear(step);
}

static int read_times(run_plan *p, const cli_args *args)
{
    fmpq_t x;
    fmpq_init(x);
    int code = parse_positive(x, &p->has_to, args, "to");
    if (code == CLI_DONE && p->has_to) {
        p->times.to = jn_number_get_d(x);
        share_among_rows(&p->times, x);
    }
    if (code == CLI_DONE)
        code = parse_positive(x, &p->has_every, args, "every");
    if (code == CLI_DONE && p->has_every)
        run_times_every(&p->times, x);
    fmpq_clear(x);
    return code;
}

/* ---- method -------------------------------------------------------------------------------- */

static int read_method(run_plan *p, const cli_args *args)
{
    static const char *const names[] = {"auto", "exact", "radau"};
    enum { COUNT = sizeof names / sizeof names[0] };
    const char *text = cli_value(args, "method");
    if (!text)
        return CLI_DONE;
    for (int i = 0; i < COUNT; i++)
        if (strcmp(text, names[i]) == 0) {
            p->sim.method = (jn_method)i;
            return CLI_DONE;
        }
    const char *closest = jn_closest(text, names, COUNT);
    return cli_wrong_usage(args->command, "--method %s: %s%s%s", text,
                           closest ? "did you mean '" : "the methods are auto, exact, radau",
                           closest ? closest : "", closest ? "'?" : "");
}

/* Standard output is for one of them. */
static int check_outputs(const cli_args *args)
{
    const char *trace = cli_value(args, "output"), *events = cli_value(args, "events");
    bool trace_standard = !trace || strcmp(trace, "-") == 0;
    if (events && strcmp(events, "-") == 0 && trace_standard)
        return cli_wrong_usage(args->command,
                               "the trace and the events cannot both go to standard output");
    return CLI_DONE;
}

/* Where the tables of a model are looked for. */
char *run_folder(const char *path)
{
    const char *slash = strrchr(path, '/');
    if (!slash)
        return NULL;
    size_t length = slash > path ? (size_t)(slash - path) : 1;
    char *folder = jn_alloc(length + 1);
    memcpy(folder, path, length);
    return folder;
}

int run_plan_read_method(run_plan *p, const cli_args *args)
{
    *p = (run_plan){.folder = run_folder(args->operand)};
    p->sim.folder = p->folder;
    int code = read_method(p, args);
    if (code == CLI_DONE)
        code = run_positive_option(&p->sim.rtol, args, "rtol");
    return code == CLI_DONE ? run_positive_option(&p->sim.atol, args, "atol") : code;
}

int run_plan_read(run_plan *p, const cli_args *args)
{
    int code = run_plan_read_method(p, args);
    if (code == CLI_DONE)
        code = read_times(p, args);
    return code == CLI_DONE ? check_outputs(args) : code;
}

void run_plan_clear(run_plan *p)
{
    free(p->folder);
    free(p->sequence_t);
    free(p->sequence_mode);
}

/* ---- the times the model gives ------------------------------------------------------------- */

/* False when it has no rational value. */
static bool number_of(fmpq_t x, const jn_graph *g, const jn_expr *e)
{
    jn_ratfun r;
    return jn_expr_ratfun(&r, g->field, e) == JN_OK &&
           jn_ratfun_put(&r, g->field, r, g->param_value, g->nparams) == JN_OK &&
           jn_ratfun_get_fmpq(x, g->field, r);
}

static int complete_times(run_plan *p, const jn_graph *g, const cli_command *command)
{
    run_times *t = &p->times;
    if (!p->has_to && !g->to)
        return cli_wrong_usage(command, "the end of the run is not known: give --to, or write "
                                        "'simulate to T every DT' in the model");
    fmpq_t x;
    fmpq_init(x);
    if (!p->has_to && number_of(x, g, g->to)) {
        t->to = jn_number_get_d(x);
        if (!p->has_every)
            share_among_rows(t, x);
    }
    if (!p->has_every && g->every) {
        t->every = 0;
        if (number_of(x, g, g->every))
            run_times_every(t, x);
    }
    fmpq_clear(x);
    p->sim.span = t->to;
    return CLI_DONE;
}

int run_plan_complete(run_plan *p, cli_model *m, const cli_args *args)
{
    const char *sequence = cli_value(args, "sequence");
    int code = complete_times(p, m->graph, args->command);
    return code == CLI_DONE && sequence ? run_plan_sequence(p, m, sequence) : code;
}

static jn_status evaluate(double *value, jn_sim *s, const jn_expr *e)
{
    const jn_probe *probe;
    jn_status status = jn_sim_probe(&probe, s, e);
    if (status == JN_OK)
        *value = jn_sim_value(s, probe);
    return status;
}

int run_plan_finish_times(run_plan *p, jn_sim *s, const jn_graph *g)
{
    run_times *t = &p->times;
    jn_status status = JN_OK;
    if (t->to == 0 && !p->has_to)
        status = evaluate(&t->to, s, g->to);
    if (status == JN_OK && t->every == 0 && g->every)
        status = evaluate(&t->every, s, g->every);
    else if (t->every == 0)
        t->every = t->to / ROWS;
    if (status == JN_OK && t->to > 0 && t->every > 0 && isfinite(t->to))
        return CLI_DONE;
    cli_complain("%s: the end of the run and the time between rows must be positive numbers",
                 g->name);
    return CLI_WRONG_USAGE;
}

/* ---- --set --------------------------------------------------------------------------------- */

static int set_value(jn_graph *g, const cli_command *command, const char *text)
{
    const char *equals = strchr(text, '='), *why;
    if (!equals || equals == text)
        return cli_wrong_usage(command, "--set %s: write NAME=VALUE", text);
    char *name = jn_arena_strndup(g->arena, text, (size_t)(equals - text));
    if (jn_graph_set_text(g, name, equals + 1, &why) == JN_OK)
        return CLI_DONE;
    const char *closest = jn_graph_find(g, name) >= 0 ? NULL : jn_graph_closest_value(g, name);
    if (closest && !strcmp(closest, name)) /* it is the value that is wrong */
        closest = NULL;
    return cli_wrong_usage(command, "--set %s: %s%s%s%s", text, why,
                           closest ? "; did you mean '" : "", closest ? closest : "",
                           closest ? "'?" : "");
}

/* A matrix that the file has so was warned of as it was read. */
int run_set_values(jn_graph *g, const cli_args *args)
{
    int code = CLI_DONE, at = 0;
    bool is_singular, was_bad = jn_graph_bad_field(g, &is_singular) != NULL;
    for (const char *text; code == CLI_DONE && (text = cli_next(args, "set", &at));)
        code = set_value(g, args->command, text);
    const char *bad =
        code == CLI_DONE && at > 0 && !was_bad ? jn_graph_bad_field(g, &is_singular) : NULL;
    if (bad && is_singular)
        return cli_wrong_usage(args->command, "--set: then the matrix of '%s' is singular", bad);
    if (bad)
        cli_complain("--set: then the matrix of '%s' is not positive definite: it may give energy",
                     bad);
    return code;
}
