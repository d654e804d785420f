/* listing.c: modes and matrices in the form that was asked for, of all modes at once, of one, or
 * of every one in turn. */
#include <stdlib.h>
#include <string.h>

#include "cli.h"

enum { PROGRESS_EVERY = 256 };

static const char *const forms[] = {"json", "csv", "latex", "octave"};
enum { NFORMS = sizeof forms / sizeof forms[0] };

/* ---- options --------------------------------------------------------------------------------- */

const char *cli_form(const cli_args *args)
{
    for (int i = 0; i < NFORMS; i++)
        if (cli_value(args, forms[i]))
            return forms[i];
    return "text";
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
    return CLI_DONE;
}

/* ---- the listing ----------------------------------------------------------------------------- */

typedef struct {
    const jn_writer *writer;
    jn_listing *listing;
    cli_output *output;
} walk;

static bool write_mode(const jn_onoff *m, void *context)
{
    walk *w = context;
    w->writer->mode(w->listing, m);
    return cli_output_put(w->output, &w->listing->out);
}

static int write_listing(const jn_writer *writer, jn_listing *l, const jn_onoff *mode,
                         const char *path)
{
    cli_output o;
    int walked = CLI_DONE;
    if (cli_output_open(&o, path) == CLI_DONE) {
        writer->begin(l);
        if (mode)
            writer->mode(l, mode);
        else if (l->by_mode && cli_output_put(&o, &l->out))
            walked = cli_mode_each(l->junction, PROGRESS_EVERY, write_mode, &(walk){writer, l, &o});
        writer->end(l);
        cli_output_put(&o, &l->out);
    }
    int code = cli_output_close(&o);
    return walked != CLI_DONE ? walked : code;
}

/* The equation of one mode where only that one is written; JSON has those of all modes as well. */
static int derive(cli_model *m, const jn_onoff *mode, const char *form)
{
    bool one = mode && strcmp(form, "json") != 0;
    return cli_model_derive(m,
                            one ? jn_guard_mode(m->junction->ring.guards, mode) : jn_guard_true());
}

static int write_results(const cli_args *args, cli_model *m, jn_write_what what)
{
    const char *path = cli_value(args, "output");
    jn_onoff *mode = NULL;
    int code = cli_mode_choose(&mode, args, m->graph);
    if (code == CLI_DONE && what == JN_WRITE_MATRICES)
        code = derive(m, mode, cli_form(args));
    if (code == CLI_DONE) {
        jn_listing l;
        jn_listing_init(&l, m->junction, m->implicit);
        l.by_mode = mode || cli_value(args, "all");
        l.assume_allowed = cli_value(args, "assume-allowed");
        l.width = cli_width(path);
        code = write_listing(jn_writer_find(what, cli_form(args)), &l, mode, path);
        jn_listing_clear(&l);
    }
    free(mode);
    return code;
}

int cli_list(const cli_args *args, jn_write_what what)
{
    int code = cli_check_write_options(args);
    if (code != CLI_DONE)
        return code;
    cli_model m;
    code = cli_model_load(&m, args->operand, CLI_JUNCTION, cli_value(args, "numeric"));
    if (code == CLI_DONE)
        code = write_results(args, &m, what);
    cli_model_clear(&m);
    return code;
}
