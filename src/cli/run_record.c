/* run_record.c: the rows of a run that a picture needs.
 *
 * When there is no more room the rows are thinned as the picture will be: of each of its columns
 * and each trace the first, the last, the least and the greatest stay. Modes that begin in one
 * column become one: 1*0 stands for 100 and 110 in turn. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "run.h"

enum {
    COLUMNS = 2000,     /* of the picture */
    ROOM = 4 * COLUMNS, /* rows for each trace */
    BANDS_MAX = 200,    /* modes one after the other that a picture can show; */
    BAND_COLUMNS = 100  /* of more, so many */
};

struct run_record {
    const jn_graph *graph;
    int ntraces;
    int *column; /* of the values, per trace */
    const char **name, **unit;
    const char *digits; /* of a mode: the switches' names */
    int n, cap;
    double *t, **value;
    int nbands; /* changes of the mode */
    jn_mode_band *band;
    char *mode; /* theirs: the text of each, in equal room */
    long changes;
    jn_onoff *last; /* mode */
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

enum { DIGITS_MAX = 90 }; /* letters of their names that fit below a picture */

static const char *name_digits(run_record *r)
{
    jn_str names;
    jn_str_init(&names);
    for (int s = 0; s < r->graph->nswitches; s++)
        jn_str_addf(&names, "%s%s", s ? " " : "", r->graph->switch_name[s]);
    const char *text = names.len && names.len <= DIGITS_MAX
                           ? jn_arena_strndup(r->texts, names.s, names.len)
                           : NULL;
    jn_str_clear(&names);
    return text;
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
    r->digits = name_digits(r);
    for (int i = 0; i < r->ntraces; i++) {
        r->name[i] = name[r->column[i]];
        r->unit[i] = run_unit(g, r->column[i]);
        r->value[i] = jn_alloc((size_t)r->cap * sizeof **r->value);
    }
    r->band = jn_alloc(ROOM * sizeof *r->band);
    r->mode = jn_alloc(ROOM * ((size_t)g->nswitches + 1));
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
                     .digits = r->digits,
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

/* A switch that differs is neither on nor off. */
static void merge_mode(char *into, const char *mode)
{
    for (; *into; into++, mode++)
        if (*into != *mode)
            *into = '*';
}

/* The mode that stands at place n, unless it is the one before; returns how many there are. */
static int keep_mode(run_record *r, int n)
{
    bool same = n > 0 && strcmp(mode_of(r, n - 1), mode_of(r, n)) == 0;
    return same ? n : n + 1;
}

/* Whether a mode begins in a column and is over within the width of one. */
static bool is_short(const run_record *r, int band, double now, double apart, double column)
{
    double from = r->band[band].from;
    double to = band + 1 < r->nbands ? r->band[band + 1].from : now;
    return floor((from - r->t[0]) / apart) <= column && to - from < apart;
}

static void thin_bands(run_record *r, double now, int columns)
{
    double apart = (now - r->t[0]) / columns;
    int n = 0;
    for (int i = 0, next; i < r->nbands; i = next) {
        double column = floor((r->band[i].from - r->t[0]) / apart);
        memmove(mode_of(r, n), mode_of(r, i), (size_t)r->graph->nswitches + 1);
        r->band[n].from = r->band[i].from;
        for (next = i + 1; next < r->nbands && is_short(r, next, now, apart, column); next++)
            merge_mode(mode_of(r, n), mode_of(r, next));
        n = keep_mode(r, n);
    }
    r->nbands = n;
}

static void add_band(run_record *r, double t, const jn_onoff *mode)
{
    size_t width = (size_t)r->graph->nswitches;
    if (width == 0 || (r->nbands > 0 && memcmp(r->last, mode, width) == 0))
        return;
    memcpy(r->last, mode, width);
    r->changes += r->nbands > 0;
    if (r->nbands == ROOM)
        thin_bands(r, t, COLUMNS);
    if (r->nbands == ROOM) /* all at one instant */
        r->nbands--;
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

jn_plot run_record_plot(run_record *r)
{
    double end = r->n ? r->t[r->n - 1] : 0;
    if (r->changes > BANDS_MAX)
        thin_bands(r, end, BAND_COLUMNS);
    while (r->nbands > 1 && r->band[r->nbands - 1].from >= end)
        r->nbands--;
    for (int i = 0; i < r->nbands; i++)
        r->band[i].mode = mode_of(r, i);
    jn_plot p = plot_of(r);
    p.nbands = r->nbands;
    p.band = r->band;
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
