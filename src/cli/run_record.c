/* run_record.c: the rows of a run that a picture needs.
 *
 * When there is no more room the rows are thinned as the picture will be: of each of its columns
 * and each trace the first, the last, the least and the greatest stay. Of the modes, one that
 * begins in each column stays. */
#include <stdlib.h>
#include <string.h>

#include "junct/plot.h"
#include "run.h"

enum { COLUMNS = 2000, ROOM = 4 * COLUMNS }; /* of the picture; rows for each trace */

struct run_record {
    const jn_graph *graph;
    int ntraces;
    int *column; /* of the values, per trace */
    const char **name;
    int n, cap;
    double *t, **value;
    int nbands;        /* changes of the mode: */
    double *band_from; /* their times, */
    jn_onoff *band;    /* and a row of switches each */
    jn_arena *texts;
};

/* ---- choosing -------------------------------------------------------------------------------- */

static bool choose(run_record *r, const char *word, size_t length, int nvalues,
                   const char *const *name)
{
    for (int i = 0; i < nvalues; i++)
        if (strlen(name[i]) == length && memcmp(name[i], word, length) == 0) {
            r->column[r->ntraces++] = i;
            return true;
        }
    char *missing = jn_arena_strndup(r->texts, word, length);
    const char *closest = jn_closest(missing, name, nvalues);
    cli_complain("there is no output '%s' to be plotted%s%s%s", missing,
                 closest ? "; did you mean '" : "", closest ? closest : "", closest ? "'?" : "");
    return false;
}

static bool choose_all(run_record *r, const char *choice, int nvalues, const char *const *name)
{
    for (int i = 0; !choice && i < nvalues; i++)
        r->column[r->ntraces++] = i;
    while (choice && *choice) {
        size_t length = strcspn(choice, ",");
        if (r->ntraces == nvalues || !choose(r, choice, length, nvalues, name))
            return false;
        choice += length + (choice[length] == ',');
    }
    return true;
}

run_record *run_record_new(const jn_graph *g, int nvalues, const char *const *name,
                           const char *choice)
{
    run_record *r = jn_alloc(sizeof *r);
    r->graph = g;
    r->texts = jn_arena_new();
    r->column = jn_alloc((size_t)nvalues * sizeof *r->column);
    if (!choose_all(r, choice, nvalues, name)) {
        run_record_free(r);
        return NULL;
    }
    r->cap = 2 * ROOM * (r->ntraces + 1);
    r->t = jn_alloc((size_t)r->cap * sizeof *r->t);
    r->name = jn_alloc((size_t)r->ntraces * sizeof *r->name);
    r->value = jn_alloc((size_t)r->ntraces * sizeof *r->value);
    for (int i = 0; i < r->ntraces; i++) {
        r->name[i] = name[r->column[i]];
        r->value[i] = jn_alloc((size_t)r->cap * sizeof **r->value);
    }
    r->band_from = jn_alloc(ROOM * sizeof *r->band_from);
    r->band = jn_alloc(ROOM * (size_t)g->nswitches);
    return r;
}

void run_record_free(run_record *r)
{
    if (!r)
        return;
    for (int i = 0; r->value && i < r->ntraces; i++)
        free(r->value[i]);
    free(r->value);
    free(r->t);
    free(r->name);
    free(r->column);
    free(r->band_from);
    free(r->band);
    jn_arena_free(r->texts);
    free(r);
}

/* ---- rows ------------------------------------------------------------------------------------ */

static jn_plot plot_of(const run_record *r)
{
    return (jn_plot){.title = r->graph->title ? r->graph->title : r->graph->name,
                     .npoints = r->n,
                     .t = r->t,
                     .ntraces = r->ntraces,
                     .name = r->name,
                     .value = (const double *const *)r->value};
}

static void keep_rows(run_record *r, const bool *keep)
{
    int n = 0;
    for (int i = 0; i < r->n; i++) {
        if (!keep[i])
            continue;
        r->t[n] = r->t[i];
        for (int k = 0; k < r->ntraces; k++)
            r->value[k][n] = r->value[k][i];
        n++;
    }
    r->n = n;
}

static void thin(run_record *r)
{
    jn_plot p = plot_of(r);
    bool *keep = jn_alloc((size_t)r->n);
    for (int k = 0; k < r->ntraces; k++) {
        int *index, n = jn_plot_thin(&index, &p, k, COLUMNS);
        for (int i = 0; i < n; i++)
            keep[index[i]] = true;
        free(index);
    }
    keep_rows(r, keep);
    free(keep);
}

static void thin_bands(run_record *r, double now)
{
    size_t width = (size_t)r->graph->nswitches;
    double apart = (now - r->t[0]) / COLUMNS;
    int n = 0;
    for (int i = 0; i < r->nbands; i++) {
        if (n > 0 && r->band_from[i] - r->band_from[n - 1] < apart)
            continue;
        r->band_from[n] = r->band_from[i];
        memmove(r->band + (size_t)n * width, r->band + (size_t)i * width, width);
        n++;
    }
    r->nbands = n;
}

static void add_band(run_record *r, double t, const jn_onoff *mode)
{
    size_t width = (size_t)r->graph->nswitches;
    if (width == 0 ||
        (r->nbands > 0 && memcmp(r->band + (size_t)(r->nbands - 1) * width, mode, width) == 0))
        return;
    if (r->nbands == ROOM)
        thin_bands(r, t);
    if (r->nbands == ROOM) /* all at one instant */
        r->nbands--;
    r->band_from[r->nbands] = t;
    memcpy(r->band + (size_t)r->nbands * width, mode, width);
    r->nbands++;
}

void run_record_row(run_record *r, double t, const jn_onoff *mode, const double *value)
{
    if (r->n == r->cap)
        thin(r);
    r->t[r->n] = t;
    for (int k = 0; k < r->ntraces; k++)
        r->value[k][r->n] = value[r->column[k]];
    r->n++;
    add_band(r, t, mode);
}

/* ---- the picture ----------------------------------------------------------------------------- */

int run_record_write(run_record *r, const char *path)
{
    jn_plot p = plot_of(r);
    jn_str text;
    jn_str_init(&text);
    if (r->n > 0)
        thin_bands(r, r->t[r->n - 1]);
    jn_mode_band *band = jn_alloc((size_t)r->nbands * sizeof *band);
    for (int i = 0; i < r->nbands; i++) {
        jn_str_reset(&text);
        jn_mode_print(&text, r->graph, r->band + (size_t)i * (size_t)r->graph->nswitches);
        band[i] = (jn_mode_band){r->band_from[i], jn_arena_strndup(r->texts, text.s, text.len)};
    }
    p.nbands = r->nbands;
    p.band = band;
    jn_str_reset(&text);
    jn_plot_svg(&text, &p);
    free(band);
    return cli_output_text(path, &text);
}
