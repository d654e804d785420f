/* model.c: a model file through the stages, and what is said about it. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "run.h"

/* A file that cannot be opened is wrong usage; one whose content is no text, a wrong model. */
static int read_source(cli_model *m, const char *path)
{
    const char *why = NULL;
    struct stat s;
    if (jn_source_read(&m->source, m->arena, path, &why) == JN_OK)
        return CLI_DONE;
    cli_complain("%s", why);
    bool content = strcmp(path, "-") == 0 ||
                   (stat(path, &s) == 0 && !S_ISDIR(s.st_mode) && access(path, R_OK) == 0);
    return content ? CLI_WRONG_MODEL : CLI_WRONG_USAGE;
}

/* Which modes a structure is of: one, or those with some switches set, or all. */
typedef struct {
    const jn_onoff *mode;       /* NULL: not only one */
    const signed char *setting; /* as of a structure's options */
} extent;

static jn_status build_unsaid(cli_model *m, bool numeric, extent of, jn_diags *d)
{
    jn_junction_options options = {
        .numeric = numeric, .limits = m->limits, .setting = of.setting, .no_bonds = !m->bonds};
    if (of.mode)
        return jn_junction_build_mode_with(&m->junction, m->graph, &options, of.mode, d);
    return jn_junction_build_with(&m->junction, m->graph, &options, d);
}

static jn_status build_structure(cli_model *m, bool numeric, const jn_onoff *mode)
{
    return build_unsaid(m, numeric, (extent){.mode = mode}, m->diags);
}

/* A model that only the values given allow to run is taken with them. */
static jn_status build_junction(cli_model *m, bool numeric, const jn_onoff *mode)
{
    jn_status status = build_structure(m, numeric, mode);
    jn_junction *symbolic = m->junction, *valued = status == JN_OK ? symbolic->with_values : NULL;
    if (!valued)
        return status;
    jn_diag_note(m->diags, (jn_place){0},
                 "no mode is allowed for others: the results are those with the values given");
    for (int i = 0; i < jn_diags_count(symbolic->of_values); i++)
        jn_diag_copy(m->diags, jn_diags_get(symbolic->of_values, i));
    symbolic->with_values = NULL;
    jn_junction_free(symbolic);
    m->junction = valued;
    return JN_OK;
}

/* A forbidden mode whose values are special: whether any mode is allowed for others decides how the
 * model is taken, and that is a matter of all modes. */
static bool needs_all_modes(const cli_model *m, bool numeric)
{
    return m->graph->nswitches > 0 && !numeric && !jn_guard_is_false(m->junction->forbidden) &&
           !jn_guard_is_false(m->junction->special);
}

/* In most models there is nothing to say about a mode, and one attempt is all. What failed is not
 * tried again: it may have taken all the time there is. */
static jn_status build_part(cli_model *m, bool numeric, extent of)
{
    jn_diags *said = jn_diags_new();
    jn_status status = build_unsaid(m, numeric, of, said);
    bool quiet = jn_diags_errors(said) + jn_diags_warnings(said) == 0;
    bool all = status == JN_OK && needs_all_modes(m, numeric);
    for (int i = 0; status != JN_OK && i < jn_diags_count(said); i++)
        jn_diag_copy(m->diags, jn_diags_get(said, i));
    jn_diags_free(said);
    if (status != JN_OK || (quiet && !all))
        return status;
    jn_junction_free(m->junction);
    m->junction = NULL;
    return all ? build_junction(m, numeric, NULL) : build_unsaid(m, numeric, of, m->diags);
}

/* Those that have been taken already are not taken again. */
static jn_status run_stages(cli_model *m, cli_stage upto, bool numeric)
{
    jn_status status = JN_OK;
    if (upto >= CLI_GRAPH && !m->graph)
        status = jn_graph_read(&m->graph, m->source, m->diags);
    cli_stage_begin(); /* what comes before is short */
    if (status == JN_OK && upto >= CLI_CHECK && !m->junction) {
        static const jn_onoff no_switches[1];
        bool one = upto == CLI_CHECK && m->graph->nswitches == 0;
        status = build_junction(m, numeric, one ? no_switches : NULL);
    }
    if (status == JN_OK && upto >= CLI_IMPLICIT)
        status = jn_implicit_derive(&m->implicit, m->junction, m->diags);
    cli_stage_end();
    return status;
}

static void show_diagnostics(jn_diags *d)
{
    int errors = jn_diags_errors(d), warnings = jn_diags_warnings(d);
    if (errors + warnings == 0)
        return;
    jn_str text;
    jn_str_init(&text);
    jn_diags_sort(d);
    jn_diags_render(&text, d, isatty(STDERR_FILENO) && !getenv("NO_COLOR"));
    jn_str_addf(&text, "%d error%s, %d warning%s\n", errors, errors == 1 ? "" : "s", warnings,
                warnings == 1 ? "" : "s");
    cli_print_error(jn_str_c(&text));
    jn_str_clear(&text);
}

/* What has been said is not said again by a later stage. */
static void forget_diagnostics(cli_model *m)
{
    jn_diags_free(m->diags);
    m->diags = jn_diags_new();
}

/* A table or a sequence that cannot be opened is no fault of the model. */
static bool lacks_a_file(const jn_diags *d)
{
    for (int i = 0; i < jn_diags_count(d); i++)
        if (jn_diags_get(d, i)->severity == JN_ERROR &&
            jn_diags_get(d, i)->code != JN_D_CSV_UNREADABLE)
            return false;
    return jn_diags_errors(d) > 0;
}

int cli_model_report(cli_model *m, jn_status status)
{
    int errors = jn_diags_errors(m->diags);
    bool unreadable = lacks_a_file(m->diags);
    show_diagnostics(m->diags);
    forget_diagnostics(m);
    const char *name = m->source->name;
    if (status == JN_BUG) {
        cli_complain("%s: an invariant of the method failed; please report this model", name);
        return CLI_STOPPED;
    }
    if (status == JN_UNABLE) {
        if (cli_signal())
            cli_complain("%s: %s", name, cli_signal());
        else if (errors == 0)
            cli_complain("%s: the model is beyond what can be computed exactly", name);
        return CLI_STOPPED;
    }
    bool wrong = status != JN_OK || errors > 0;
    return !wrong ? CLI_DONE : unreadable ? CLI_WRONG_USAGE : CLI_WRONG_MODEL;
}

/* No output may take the place of a table. */
static int announce_tables(const cli_model *m, const char *path)
{
    const char *slash = strrchr(path, '/');
    size_t length = slash && slash > path ? (size_t)(slash - path) : 1;
    return cli_files_of_model(m->graph, slash ? jn_arena_strndup(m->arena, path, length) : NULL);
}

int cli_model_load(cli_model *m, const char *path, cli_stage upto, bool numeric)
{
    *m = (cli_model){.arena = jn_arena_new(), .diags = jn_diags_new()};
    int code = read_source(m, path);
    if (code != CLI_DONE || upto == CLI_SOURCE)
        return code;
    code = cli_model_advance(m, upto, numeric);
    return code == CLI_DONE ? announce_tables(m, path) : code;
}

int cli_model_open(cli_model *m, const char *path)
{
    *m = (cli_model){.arena = jn_arena_new(), .diags = jn_diags_new()};
    int code = read_source(m, path);
    if (code != CLI_DONE)
        return code;
    jn_status status = run_stages(m, CLI_GRAPH, false);
    if (status == JN_OK && jn_diags_errors(m->diags) == 0)
        return announce_tables(m, path);
    return cli_model_report(m, status);
}

/* A limit as an option gives it. */
static int read_limit(double *limit, const cli_args *args, const char *option)
{
    const char *text = cli_value(args, option);
    char *end;
    if (!text)
        return CLI_DONE;
    *limit = jn_strtod(text, &end);
    if (end == text || *end || !(*limit >= 0))
        return cli_wrong_usage(args->command, "'--%s %s': a number, 0 or more", option, text);
    return CLI_DONE;
}

int cli_model_open_within(cli_model *m, const cli_args *args)
{
    jn_limits limits = {60, 2000};
    *m = (cli_model){0};
    int code = read_limit(&limits.seconds, args, "max-seconds");
    if (code == CLI_DONE)
        code = read_limit(&limits.megabytes, args, "max-memory");
    if (code == CLI_DONE)
        code = cli_model_open(m, args->operand);
    m->limits = limits;
    if (code == CLI_DONE && args->nrepeated)
        code = run_set_values(m->graph, args);
    return code;
}

int cli_model_load_within(cli_model *m, const cli_args *args, cli_stage upto)
{
    int code = cli_model_open_within(m, args);
    return code == CLI_DONE ? cli_model_advance(m, upto, cli_value(args, "numeric")) : code;
}

bool cli_model_is_beyond(const cli_model *m, const cli_args *args, int code)
{
    return code == CLI_STOPPED && m->graph && !m->junction && cli_is_text_of_all(args) &&
           !cli_signal();
}

int cli_model_advance(cli_model *m, cli_stage upto, bool numeric)
{
    return cli_model_report(m, run_stages(m, upto, numeric));
}

void cli_model_feedback(cli_model *m)
{
    jn_analyse_feedback(m->graph, m->diags);
}

int cli_model_derive(cli_model *m, jn_guard where)
{
    cli_stage_begin();
    jn_status status = jn_implicit_derive_where(&m->implicit, m->junction, where, m->diags);
    cli_stage_end();
    return cli_model_report(m, status);
}

int cli_model_take_mode(cli_model *m, const jn_onoff *mode, bool numeric)
{
    bool one = m->graph->nswitches == 0; /* it is the model itself */
    cli_stage_begin();
    jn_status status =
        one ? build_junction(m, numeric, mode) : build_part(m, numeric, (extent){.mode = mode});
    cli_stage_end();
    return cli_model_report(m, status);
}

int cli_model_take_modes(cli_model *m, const jn_onoff *a, const jn_onoff *b, bool numeric)
{
    int n = m->graph->nswitches;
    signed char *setting = jn_alloc((size_t)n + 1);
    for (int i = 0; i < n; i++)
        setting[i] = a[i] == b[i] ? a[i] : -1;
    cli_stage_begin();
    jn_status status = build_part(m, numeric, (extent){.setting = setting});
    cli_stage_end();
    free(setting);
    return cli_model_report(m, status);
}

int cli_model_settle(cli_model *m, int code, const jn_onoff *mode, bool numeric)
{
    if (code != CLI_STOPPED || !mode || cli_signal())
        return code;
    cli_complain("%s: what is known of all modes is left out; the mode asked for follows",
                 m->source->name);
    jn_implicit_free(m->implicit);
    jn_junction_free(m->junction);
    m->implicit = NULL;
    m->junction = NULL;
    m->alone = true;
    return cli_model_take_mode(m, mode, numeric);
}

void cli_model_clear(cli_model *m)
{
    jn_implicit_free(m->implicit);
    jn_junction_free(m->junction);
    jn_graph_free(m->graph);
    jn_diags_free(m->diags);
    jn_arena_free(m->arena);
}
