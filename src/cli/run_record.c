/* run_record.c: the rows of a run that a picture needs.
 *
 * When there is no more room the rows are thinned as the picture will be: of each of its columns
 * and each trace the first, the last, the least and the greatest stay. Modes are kept one by one as
 * long as they are few; beside that, the time that each switch is on is summed up in columns, which
 * double their width when the run goes on beyond the last. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "run.h"

enum {
    COLUMNS = 2000,     /* of the picture */
    ROOM = 4 * COLUMNS, /* rows for each trace */
    BANDS_MAX = 200,    /* modes one after the other that a picture can show */
    SHARES = 1260       /* columns of time; at the end between half and all of them are used */
};

struct run_record {
    const jn_graph *graph;
    int ntraces;
    int *column; /* of the values, per trace */
    const char **name, **unit;
    int n, cap;
    double *t, **value;
    int nbands; /* changes of the mode */
    jn_mode_band *band;
    char *mode; /* theirs: the text of each, in equal room */
    long changes;
    jn_onoff *last; /* mode, */
    double since;   /* and from when on */
    double width;   /* of a column of time; 0: no time has gone by */
    float *share;   /* SHARES for each switch that is shown */
    jn_arena *texts;
};

/* ---- choosing ------------------------------------------------------------------------------ */

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

static int rows_of_switches(const run_record *r)
{
    return r->graph->nswitches < JN_PLOT_ROWS ? r->graph->nswitches : JN_PLOT_ROWS;
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
    r->unit = jn_alloc((size_t)r->ntraces * sizeof *r->unit);
    for (int i = 0; i < r->ntraces; i++) {
        r->name[i] = name[r->column[i]];
        r->unit[i] = run_unit(g, r->column[i]);
        r->value[i] = jn_alloc((size_t)r->cap * sizeof **r->value);
    }
    r->band = jn_alloc(BANDS_MAX * sizeof *r->band);
    r->mode = jn_alloc(BANDS_MAX * ((size_t)g->nswitches + 1));
    r->share = jn_alloc((size_t)rows_of_switches(r) * SHARES * sizeof *r->share + 1);
    r->last = jn_alloc((size_t)g->nswitches + 1);
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
    free(r->unit);
    free(r->column);
    free(r->band);
    free(r->mode);
    free(r->share);
    free(r->last);
    jn_arena_free(r->texts);
    free(r);
}

/* ---- rows ---------------------------------------------------------------------------------- */

static jn_plot plot_of(const run_record *r)
{
    return (jn_plot){.title = r->graph->title ? r->graph->title : r->graph->name,
                     .npoints = r->n,
                     .t = r->t,
                     .ntraces = r->ntraces,
                     .name = r->name,
                     .unit = r->unit,
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

static char *mode_of(const run_record *r, int band)
{
    return r->mode + (size_t)band * ((size_t)r->graph->nswitches + 1);
}

/* Two columns become one. */
static void widen_columns(run_record *r)
{
    for (int s = 0; s < rows_of_switches(r); s++) {
        float *share = r->share + (size_t)s * SHARES;
        for (int c = 0; c < SHARES; c++)
            share[c] = 2 * c < SHARES ? (share[2 * c] + share[2 * c + 1]) / 2 : 0;
    }
    r->width *= 2;
}

/* The time that the last mode lasted. */
static void add_time(run_record *r, double to)
{
    double from = r->since - r->t[0];
    to -= r->t[0];
    if (!(to > from))
        return;
    if (r->width == 0)
        r->width = to / SHARES;
    while (to > SHARES * r->width * (1 + 1e-12))
        widen_columns(r);
    for (int c = (int)(from / r->width); c < SHARES && c * r->width < to; c++) {
        double share = (fmin(to, (c + 1) * r->width) - fmax(from, c * r->width)) / r->width;
        for (int s = 0; s < rows_of_switches(r); s++)
            if (r->last[s])
                r->share[(size_t)s * SHARES + (size_t)c] += (float)share;
    }
}

static void add_band(run_record *r, double t, const jn_onoff *mode)
{
    size_t width = (size_t)r->graph->nswitches;
    bool first = r->changes == 0 && r->nbands == 0;
    if (width == 0 || (!first && memcmp(r->last, mode, width) == 0))
        return;
    if (!first)
        add_time(r, t);
    memcpy(r->last, mode, width);
    r->since = t;
    r->changes += !first;
    if (r->nbands == BANDS_MAX)
        return;
    r->band[r->nbands].from = t;
    for (size_t i = 0; i < width; i++)
        mode_of(r, r->nbands)[i] = mode[i] ? '1' : '0';
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

/* ---- the picture --------------------------------------------------------------------------- */

/* The columns that the run filled, one switch after the other, in an arena of the record. */
static const float *filled_columns(run_record *r, int n)
{
    int nrows = rows_of_switches(r);
    float *share = jn_arena_alloc(r->texts, (size_t)(nrows * n) * sizeof *share + 1);
    for (int s = 0; s < nrows; s++)
        memcpy(share + (size_t)(s * n), r->share + (size_t)s * SHARES, (size_t)n * sizeof *share);
    return share;
}

jn_plot run_record_plot(run_record *r)
{
    double end = r->n ? r->t[r->n - 1] : 0;
    jn_plot p = plot_of(r);
    if (r->graph->nswitches && r->n) {
        add_time(r, end);
        r->since = end;
    }
    while (r->nbands > 1 && r->band[r->nbands - 1].from >= end)
        r->nbands--;
    for (int i = 0; i < r->nbands; i++)
        r->band[i].mode = mode_of(r, i);
    p.nswitches = rows_of_switches(r);
    p.switch_name = r->graph->switch_name;
    p.nmore = r->graph->nswitches - p.nswitches;
    p.changes = r->changes;
    if (r->changes < BANDS_MAX) {
        p.nbands = r->nbands;
        p.band = r->band;
    } else if (r->width > 0) {
        p.ncolumns = (int)ceil((end - r->t[0]) / r->width - 1e-9);
        p.share = filled_columns(r, p.ncolumns);
    }
    return p;
}

long run_record_changes(const run_record *r)
{
    return r->changes;
}

int run_record_write(run_record *r, const char *path)
{
    jn_plot p = run_record_plot(r);
    jn_str text;
    jn_str_init(&text);
    jn_plot_svg(&text, &p);
    return cli_output_text(path, &text);
}
