/* mode.c: the modes that the user chose: one by its name, or every one in turn. */
#include <stdlib.h>
#include <unistd.h>

#include "cli.h"

enum { MODES_LOG2_MAX = 12 };

int cli_mode_option(jn_onoff **mode, const cli_args *args, const char *option, const jn_graph *g)
{
    const char *text = cli_value(args, option);
    char *why = NULL;
    if (!text)
        return CLI_DONE;
    *mode = jn_alloc((size_t)g->nswitches * sizeof **mode);
    if (jn_mode_parse(*mode, g, text, &why) == JN_OK)
        return CLI_DONE;
    cli_complain("--%s %s: %s", option, text, why);
    free(why);
    free(*mode);
    *mode = NULL;
    return CLI_WRONG_USAGE;
}

int cli_mode_choose(jn_onoff **mode, const cli_args *args, const jn_graph *g)
{
    if (cli_value(args, "all") && g->nswitches > MODES_LOG2_MAX && !cli_value(args, "force")) {
        cli_complain("this model has 2^%d modes: '--all --force' takes them all, '--mode M' one of "
                     "them",
                     g->nswitches);
        return CLI_WRONG_USAGE;
    }
    return cli_mode_option(mode, args, "mode", g);
}

/* ---- every mode ---------------------------------------------------------------------------- */

typedef struct {
    bool (*visit)(const jn_onoff *m, void *context);
    void *context;
    bool shown;
    int every;
    long count;
} walk;

static bool visit(const jn_onoff *m, void *context)
{
    walk *w = context;
    w->count++;
    if (w->shown && w->count % w->every == 0)
        fprintf(stderr, "\r%ld modes", w->count);
    return w->visit(m, w->context) && !cli_signal();
}

int cli_mode_each(const jn_junction *j, int every, bool (*f)(const jn_onoff *m, void *context),
                  void *context)
{
    bool shown = isatty(STDERR_FILENO) && !isatty(STDOUT_FILENO);
    walk w = {.visit = f, .context = context, .shown = shown, .every = every};
    jn_guard_each_mode(j->ring.guards, jn_guard_true(), visit, &w);
    if (w.shown && w.count >= every)
        fputs("\r\033[K", stderr);
    return cli_mode_told(j, w.count);
}

int cli_mode_told(const jn_junction *j, long written)
{
    if (!cli_signal())
        return CLI_DONE;
    cli_complain("%s: only %ld mode%s of 2^%d %s written", cli_signal(), written,
                 written == 1 ? "" : "s", j->graph->nswitches, written == 1 ? "is" : "are");
    return CLI_STOPPED;
}
