/* run_tail.c: the last rows of a run, all of them: a picture of what the whole run is too long
 * to show. */
#include <stdlib.h>
#include <string.h>

#include "run.h"

enum { ROOM = 4096 }; /* rows; twice as many are held, and the older half is dropped */

struct run_tail {
    const jn_graph *graph;
    int ntraces;
    const char *const *name;
    const char **unit;
    int n;
    double *t, **value;
    char *mode; /* text of each row's, in equal room */
    /* Of the picture. */
    const double **shown;
    jn_mode_band *band;
};

static char *mode_of(const run_tail *r, int row)
{
    return r->mode + (size_t)row * ((size_t)r->graph->nswitches + 1);
}

run_tail *run_tail_new(const jn_graph *g, int nvalues, const char *const *name)
{
    run_tail *r = jn_alloc(sizeof *r);
    *r = (run_tail){.graph = g, .ntraces = nvalues, .name = name};
    r->t = jn_alloc(2 * ROOM * sizeof *r->t);
    r->mode = jn_alloc(2 * ROOM * ((size_t)g->nswitches + 1));
    r->band = jn_alloc(2 * ROOM * sizeof *r->band);
    r->shown = jn_alloc((size_t)nvalues * sizeof *r->shown);
    r->unit = jn_alloc((size_t)nvalues * sizeof *r->unit);
    r->value = jn_alloc((size_t)nvalues * sizeof *r->value);
    for (int k = 0; k < nvalues; k++) {
        r->unit[k] = run_unit(g, k);
        r->value[k] = jn_alloc(2 * ROOM * sizeof **r->value);
    }
    return r;
}

void run_tail_free(run_tail *r)
{
    if (!r)
        return;
    for (int k = 0; k < r->ntraces; k++)
        free(r->value[k]);
    free(r->value);
    free(r->t);
    free(r->mode);
    free(r->shown);
    free(r->unit);
    free(r->band);
    free(r);
}

static void drop_older_half(run_tail *r)
{
    memmove(r->t, r->t + ROOM, ROOM * sizeof *r->t);
    memmove(r->mode, mode_of(r, ROOM), (size_t)(mode_of(r, ROOM) - r->mode));
    for (int k = 0; k < r->ntraces; k++)
        memmove(r->value[k], r->value[k] + ROOM, ROOM * sizeof **r->value);
    r->n = ROOM;
}

void run_tail_row(run_tail *r, double t, const jn_onoff *mode, const double *value)
{
    if (r->n == 2 * ROOM)
        drop_older_half(r);
    r->t[r->n] = t;
    for (int i = 0; i < r->graph->nswitches; i++)
        mode_of(r, r->n)[i] = mode[i] ? '1' : '0';
    for (int k = 0; k < r->ntraces; k++)
        r->value[k][r->n] = value[k];
    r->n++;
}

static bool changes_at(const run_tail *r, int row)
{
    return row > 0 && strcmp(mode_of(r, row - 1), mode_of(r, row)) != 0;
}

jn_plot run_tail_plot(run_tail *r, int changes)
{
    int from = r->n, nbands = 0;
    while (from > 0 && changes > 0)
        changes -= changes_at(r, --from);
    for (int i = from; i < r->n; i++)
        if (i == from || changes_at(r, i))
            r->band[nbands++] = (jn_mode_band){r->t[i], mode_of(r, i)};
    for (int k = 0; k < r->ntraces; k++)
        r->shown[k] = r->value[k] + from;
    return (jn_plot){
        .npoints = r->n - from,
        .t = r->t + from,
        .ntraces = r->ntraces,
        .name = r->name,
        .unit = r->unit,
        .value = r->shown,
        .nbands = nbands,
        .band = r->band,
        .nswitches = r->graph->nswitches <= JN_PLOT_ROWS ? r->graph->nswitches : JN_PLOT_ROWS,
        .switch_name = r->graph->switch_name,
        .nmore = r->graph->nswitches <= JN_PLOT_ROWS ? 0 : r->graph->nswitches - JN_PLOT_ROWS,
        .changes = nbands - 1};
}
