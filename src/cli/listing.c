/* listing.c: modes and matrices in the form that was asked for, of all modes at once, of one, or
 * of every one in turn. */
#include <stdlib.h>
#include <string.h>

#include "cli.h"

enum { PROGRESS_EVERY = 256 };

static const char *const forms[] = {"json", "csv", "latex", "octave"};
enum { NFORMS = sizeof forms / sizeof forms[0] };

/* ---- options ------------------------------------------------------------------------------- */

const char *cli_form(const cli_args *args)
{
    for (int i = 0; i < NFORMS; i++)
        if (cli_value(args, forms[i]))
            return forms[i];
    return "text";
}

bool cli_is_text_of_all(const cli_args *args)
{
    return strcmp(cli_form(args), "text") == 0 && !cli_value(args, "mode") &&
           !cli_value(args, "all") && !cli_value(args, "from");
}

int cli_check_write_options(const cli_args *args)
{
    const char *form = cli_form(args);
    for (int i = 0; i < NFORMS; i++)
        if (cli_value(args, forms[i]) && strcmp(form, forms[i]) != 0)
            return cli_wrong_usage(args->command, "choose one of '--%s' and '--%s'", form,
                                   forms[i]);
    if (cli_value(args, "mode") && cli_value(args, "all"))
        return cli_wrong_usage(args->command, "choose one of '--mode' and '--all'");
    if (cli_value(args, "force") && !cli_value(args, "all"))
        return cli_wrong_usage(args->command, "'--force' belongs to '--all'");
    if (cli_value(args, "jobs") && !cli_value(args, "all"))
        return cli_wrong_usage(args->command, "'--jobs' belongs to '--all'");
    return CLI_DONE;
}

/* ---- the listing --------------------------------------------------------------------------- */

typedef struct {
    const jn_writer *writer;
    jn_listing *listing;
} walk;

static void write_mode(const jn_onoff *m, void *context)
{
    walk *w = context;
    w->writer->mode(w->listing, m);
}

static int write_modes(const jn_writer *writer, jn_listing *l, int jobs, cli_output *o)
{
    walk w = {writer, l};
    cli_modes all = {l->junction, PROGRESS_EVERY, JN_MODES_TABLE, write_mode,
                     &w,          &l->out,        &l->written};
    return cli_modes_write(&all, jobs, o);
}

static int write_listing(const jn_writer *writer, jn_listing *l, const jn_onoff *mode, int jobs,
                         const char *path)
{
    cli_output o;
    int walked = CLI_DONE;
    if (cli_output_open(&o, path) == CLI_DONE) {
        writer->begin(l);
        if (mode)
            writer->mode(l, mode);
        else if (l->by_mode)
            walked = write_modes(writer, l, jobs, &o);
        writer->end(l);
        cli_output_put(&o, &l->out);
    }
    int code = cli_output_close(&o);
    return walked != CLI_DONE ? walked : code;
}

/* Whether what is written of a mode tells nothing of others: JSON has the formulas of all modes as
 * well. */
static bool concerns_one_mode(const char *form)
{
    return strcmp(form, "json") != 0;
}

static int take_stages(const cli_args *args, cli_model *m, jn_write_what what, const jn_onoff *mode)
{
    bool numeric = cli_value(args, "numeric"), derives = what == JN_WRITE_MATRICES;
    bool one = mode && concerns_one_mode(cli_form(args));
    if (derives)
        cli_model_feedback(m);
    int code =
        one ? cli_model_take_mode(m, mode, numeric) : cli_model_advance(m, CLI_JUNCTION, numeric);
    if (code == CLI_DONE && derives)
        code = cli_model_derive(m, jn_guard_true());
    if (code == CLI_DONE || one)
        return code;
    code = cli_model_settle(m, code, mode, numeric);
    return code == CLI_DONE && derives ? cli_model_derive(m, jn_guard_true()) : code;
}

static int write_results(const cli_args *args, cli_model *m, jn_write_what what)
{
    const char *path = cli_value(args, "output");
    jn_onoff *mode = NULL;
    int jobs, code = cli_jobs_option(&jobs, args);
    if (code == CLI_DONE)
        code = cli_mode_choose(&mode, args, m->graph);
    if (code == CLI_DONE)
        code = take_stages(args, m, what, mode);
    if (code == CLI_DONE) {
        jn_listing l;
        jn_junction_unlimited(m->junction);
        jn_listing_init(&l, m->junction, m->implicit);
        l.by_mode = mode || cli_value(args, "all");
        l.one_mode = mode;
        l.assume_allowed = cli_value(args, "assume-allowed");
        l.width = cli_width(path);
        code = write_listing(jn_writer_find(what, cli_form(args)), &l, mode, jobs, path);
        jn_listing_clear(&l);
    }
    free(mode);
    return code == CLI_DONE && m->alone ? CLI_STOPPED : code;
}

int cli_list(const cli_args *args, jn_write_what what)
{
    int code = cli_check_write_options(args);
    if (code != CLI_DONE)
        return code;
    cli_model m;
    code = cli_model_open_within(&m, args);
    if (code == CLI_DONE)
        code = write_results(args, &m, what);
    if (cli_model_is_beyond(&m, args, code))
        code = cli_model_bounds(&m, cli_value(args, "output"));
    cli_model_clear(&m);
    return code;
}
