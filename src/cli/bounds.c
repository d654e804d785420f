/* bounds.c: what is known of a model whose form of all modes does not fit into the limits.
 *
 * Some switches are left free and the others stay as they start: first one, then twice as many,
 * as long as the time allows. The modes counted there are modes of the model, so what is found
 * among them holds for it as a bound. */
#include <stdlib.h>

#include "cli.h"

enum { SHARE = 4 }; /* of the seconds allowed, for all the attempts */

/* The first n switches free, the others as they start. */
static void set_switches(signed char *setting, const jn_graph *g, int n)
{
    for (int i = 0; i < g->nswitches; i++) {
        const jn_automaton *a = &g->automaton[i];
        bool on = a->nstates == 0 || a->state[a->initial].on;
        setting[i] = i < n ? -1 : on;
    }
}

/* Counts the forbidden modes with n switches free; false when the limits are spent. */
static bool count_among(fmpz_t forbidden, const jn_graph *g, int n, jn_limits limits)
{
    jn_junction *j = NULL;
    jn_diags *unsaid = jn_diags_new();
    signed char *setting = jn_alloc((size_t)g->nswitches + 1);
    set_switches(setting, g, n);
    jn_junction_options options = {
        .numeric = true, .limits = limits, .setting = setting, .no_bonds = true};
    cli_stage_begin();
    bool good = jn_junction_build_with(&j, g, &options, unsaid) == JN_OK;
    cli_stage_end();
    if (good) {
        jn_junction_unlimited(j);
        jn_guard_count(forbidden, j->ring.guards, j->forbidden);
        fmpz_fdiv_q_2exp(forbidden, forbidden, (ulong)(g->nswitches - n));
    }
    jn_junction_free(j);
    jn_diags_free(unsaid);
    free(setting);
    return good;
}

/* The most switches for which the modes could be counted, and the count; −1: not even one mode. */
static int count_modes(fmpz_t forbidden, const jn_graph *g, jn_limits limits)
{
    double until = jn_processor_seconds() + (limits.seconds > 0 ? limits.seconds / SHARE : 60);
    int known = -1, n = 0;
    fmpz_t count;
    fmpz_init(count);
    double used = jn_megabytes_used() + 1; /* the most ever: what is free again counts too */
    if (limits.megabytes > 0 && limits.megabytes < used)
        limits.megabytes = used;
    while (n <= g->nswitches && !cli_signal()) {
        limits.seconds = until - jn_processor_seconds();
        if (limits.seconds <= 0 || !count_among(count, g, n, limits))
            break;
        fmpz_set(forbidden, count);
        known = n;
        if (n == g->nswitches)
            break;
        n = n == 0 ? 1 : 2 * n;
        n = n > g->nswitches ? g->nswitches : n;
    }
    fmpz_clear(count);
    return known;
}

static void add_bounds(jn_str *text, int known, const fmpz_t forbidden)
{
    fmpz_t allowed;
    fmpz_init(allowed);
    fmpz_one(allowed);
    fmpz_mul_2exp(allowed, allowed, (ulong)known);
    fmpz_sub(allowed, allowed, forbidden);
    char *no = fmpz_get_str(NULL, 10, forbidden), *yes = fmpz_get_str(NULL, 10, allowed);
    jn_str_addf(text,
                "  examined    2^%d modes: the first %d switches free, the others as they start\n"
                "  forbidden   at least %s\n"
                "  allowed     at least %s\n",
                known, known, no, yes);
    flint_free(no);
    flint_free(yes);
    fmpz_clear(allowed);
}

static void examine_modes(jn_str *text, const cli_model *m)
{
    fmpz_t forbidden;
    fmpz_init(forbidden);
    jn_str_addf(text, "  modes       2^%d, not all examined\n", m->graph->nswitches);
    int known = count_modes(forbidden, m->graph, m->limits);
    if (known >= 0)
        add_bounds(text, known, forbidden);
    fmpz_clear(forbidden);
}

/* Whoever wants it to end does not wait for the modes. */
int cli_model_bounds(cli_model *m, const char *path)
{
    jn_str text;
    jn_str_init(&text);
    jn_write_summary(&text, m->graph, NULL, cli_width(path));
    if (!cli_signal())
        examine_modes(&text, m);
    int code = cli_output_text(path, &text);
    return code == CLI_DONE ? CLI_STOPPED : code;
}
