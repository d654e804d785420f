/* listing.c: modes and matrices in the form that was asked for, of all modes at once, of one, or
 * of every one in turn. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"

enum { MODES_LOG2_MAX = 12, PROGRESS_EVERY = 256 };

static const char *const forms[] = {"json", "csv", "latex", "octave"};
enum { NFORMS = sizeof forms / sizeof forms[0] };

/* ---- options --------------------------------------------------------------------------------- */

static const char *chosen_form(const cli_args *args)
{
    for (int i = 0; i < NFORMS; i++)
        if (cli_value(args, forms[i]))
            return forms[i];
    return "text";
}

int cli_check_write_options(const cli_args *args)
{
    const char *form = chosen_form(args);
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

/* ---- every mode ------------------------------------------------------------------------------ */

typedef struct {
    const jn_writer *writer;
    jn_listing *listing;
    cli_output *output;
    bool progress;
    long count;
} walk;

static void show_progress(const walk *w)
{
    if (w->progress && w->count % PROGRESS_EVERY == 0)
        fprintf(stderr, "\r%ld modes", w->count);
}

static bool write_mode(const jn_onoff *m, void *context)
{
    walk *w = context;
    w->writer->mode(w->listing, m);
    w->count++;
    show_progress(w);
    return cli_output_put(w->output, &w->listing->out);
}

static void write_all_modes(const jn_writer *writer, jn_listing *l, cli_output *o)
{
    bool shown = isatty(STDERR_FILENO) && !isatty(STDOUT_FILENO);
    walk w = {.writer = writer, .listing = l, .output = o, .progress = shown};
    jn_guard_each_mode(l->junction->ring.guards, jn_guard_true(), write_mode, &w);
    if (w.progress && w.count >= PROGRESS_EVERY)
        fputs("\r\033[K", stderr);
}

/* ---- the command ----------------------------------------------------------------------------- */

/* The mode of --mode, if there is one, goes to *mode. */
static int choose_modes(jn_onoff **mode, const cli_args *args, const jn_graph *g)
{
    const char *text = cli_value(args, "mode");
    if (cli_value(args, "all") && g->nswitches > MODES_LOG2_MAX && !cli_value(args, "force")) {
        cli_complain("this model has 2^%d modes: '--all --force' writes them all, "
                     "'--mode M' one of them",
                     g->nswitches);
        return CLI_WRONG_USAGE;
    }
    return text ? cli_mode_parse(mode, g, text) : CLI_DONE;
}

static int write_listing(const jn_writer *writer, jn_listing *l, const jn_onoff *mode,
                         const char *path)
{
    cli_output o;
    if (cli_output_open(&o, path) == CLI_DONE) {
        writer->begin(l);
        if (mode)
            writer->mode(l, mode);
        else if (l->by_mode && cli_output_put(&o, &l->out))
            write_all_modes(writer, l, &o);
        writer->end(l);
        cli_output_put(&o, &l->out);
    }
    return cli_output_close(&o);
}

int cli_write(const cli_args *args, const cli_model *m, jn_write_what what)
{
    const char *path = cli_value(args, "output");
    jn_onoff *mode = NULL;
    int code = choose_modes(&mode, args, m->graph);
    if (code == CLI_DONE) {
        jn_listing l;
        jn_listing_init(&l, m->junction, m->implicit);
        l.by_mode = mode || cli_value(args, "all");
        l.assume_allowed = cli_value(args, "assume-allowed");
        l.width = cli_width(path);
        code = write_listing(jn_writer_find(what, chosen_form(args)), &l, mode, path);
        jn_listing_clear(&l);
    }
    free(mode);
    return code;
}
