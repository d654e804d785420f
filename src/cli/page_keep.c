/* page_keep.c: of a run, what its page shows. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "page_run.h"

void page_keep_init(page_keep *k, const jn_graph *g, int ntraces)
{
    *k = (page_keep){.graph = g, .texts = jn_arena_new(), .ntraces = ntraces};
    k->value = jn_alloc((size_t)ntraces * sizeof *k->value + 1);
    k->duty = jn_alloc((size_t)g->nswitches * PAGE_COLUMNS * sizeof *k->duty + 1);
}

void page_keep_clear(page_keep *k)
{
    for (int i = 0; i < k->ntraces; i++)
        free(k->value[i]);
    free(k->value);
    free(k->t);
    free(k->change_t);
    free(k->change_mode);
    free(k->last);
    free(k->duty);
    free(k->event);
    free(k->frame);
    jn_arena_free(k->texts);
}

/* ---- rows ---------------------------------------------------------------------------------- */

static int rows_max(const page_keep *k)
{
    return PAGE_NUMBERS / (k->ntraces + 2);
}

static void keep_rows(page_keep *k, const bool *keep)
{
    int n = 0;
    for (int i = 0; i < k->nrows; i++) {
        if (!keep[i])
            continue;
        k->t[n] = k->t[i];
        for (int c = 0; c < k->ntraces; c++)
            k->value[c][n] = k->value[c][i];
        n++;
    }
    k->nrows = n;
}

/* Of each column what a picture needs of each trace, at most six rows: three quarters of the room at
 * most. */
static void thin(page_keep *k)
{
    int columns = rows_max(k) / (8 * (k->ntraces + 1)) + 1;
    jn_plot p = {.npoints = k->nrows,
                 .t = k->t,
                 .ntraces = k->ntraces,
                 .value = (const double *const *)k->value};
    bool *keep = jn_alloc((size_t)k->nrows);
    for (int c = 0; c < k->ntraces; c++) {
        int *index, n = jn_plot_thin(&index, &p, c, columns);
        for (int i = 0; i < n; i++)
            keep[index[i]] = true;
        free(index);
    }
    keep_rows(k, keep);
    free(keep);
}

static void make_room(page_keep *k)
{
    if (k->nrows < k->cap)
        return;
    k->cap = k->cap ? 2 * k->cap : 1024;
    k->t = jn_realloc(k->t, (size_t)k->cap * sizeof *k->t);
    for (int c = 0; c < k->ntraces; c++)
        k->value[c] = jn_realloc(k->value[c], (size_t)k->cap * sizeof **k->value);
}

void page_keep_row(page_keep *k, double t, const double *value)
{
    if (k->nrows >= rows_max(k))
        thin(k);
    make_room(k);
    k->t[k->nrows] = t;
    for (int c = 0; c < k->ntraces; c++)
        k->value[c][k->nrows] = value[c];
    k->nrows++;
    k->rows++;
}

/* ---- modes --------------------------------------------------------------------------------- */

/* The time from..to of one mode, shared out over the columns. */
static void add_duty(page_keep *k, double from, double to)
{
    double width = k->to / PAGE_COLUMNS;
    int first = (int)(from / width), last = (int)(to / width);
    for (int c = first; c <= last && c < PAGE_COLUMNS; c++) {
        double share = (fmin(to, (c + 1) * width) - fmax(from, c * width)) / width;
        for (int s = 0; s < k->graph->nswitches; s++)
            if (k->last[s])
                k->duty[s * PAGE_COLUMNS + c] += (float)share;
    }
}

static void keep_change(page_keep *k, double t, const jn_onoff *mode)
{
    size_t n = (size_t)k->graph->nswitches;
    if (k->nchanges == PAGE_CHANGES)
        k->too_many = true;
    if (k->too_many)
        return;
    if (k->nchanges == k->change_cap) {
        k->change_cap = k->change_cap ? 2 * k->change_cap : 256;
        k->change_t = jn_realloc(k->change_t, (size_t)k->change_cap * sizeof *k->change_t);
        k->change_mode = jn_realloc(k->change_mode, (size_t)k->change_cap * n);
    }
    k->change_t[k->nchanges] = t;
    memcpy(k->change_mode + (size_t)k->nchanges * n, mode, n);
    k->nchanges++;
}

void page_keep_mode(page_keep *k, double t, const jn_onoff *mode)
{
    size_t n = (size_t)k->graph->nswitches;
    if (n == 0 || (k->last && memcmp(k->last, mode, n) == 0))
        return;
    if (k->last)
        add_duty(k, k->since, t);
    else
        k->last = jn_alloc(n);
    memcpy(k->last, mode, n);
    k->since = t;
    keep_change(k, t, mode);
}

void page_keep_end(page_keep *k, double t)
{
    if (k->last)
        add_duty(k, k->since, t);
}

/* ---- events and instants ------------------------------------------------------------------- */

static const char *mode_text(page_keep *k, const jn_onoff *mode)
{
    char *text = jn_arena_alloc(k->texts, (size_t)k->graph->nswitches + 1);
    for (int s = 0; s < k->graph->nswitches; s++)
        text[s] = mode[s] ? '1' : '0';
    return text;
}

/* The start is an event only where something happens at it. */
static bool happens(const page_keep *k, const jn_event *e)
{
    size_t n = (size_t)k->graph->nswitches;
    return e->kind != JN_EVENT_START || e->nvia > 0 || e->energy_lost != 0 ||
           (e->from && memcmp(e->from, e->to, n) != 0);
}

void page_keep_event(page_keep *k, const jn_event *e)
{
    if (k->nevents == PAGE_EVENTS || !happens(k, e))
        return;
    struct jn_html_via *via = jn_arena_alloc(k->texts, (size_t)e->nvia * sizeof *via + 1);
    for (int i = 0; i < e->nvia; i++)
        via[i] = (struct jn_html_via){.mode = mode_text(k, e->via[i].mode),
                                      .pinnacle = e->via[i].kind == JN_VIA_PINNACLE,
                                      .forbidden = e->via[i].forbidden};
    JN_GROW(k->event, k->nevents, k->event_cap);
    k->event[k->nevents++] =
        (jn_html_event){.t = e->t,
                        .kind = jn_event_kind_name(e->kind),
                        .cause = jn_arena_printf(k->texts, "%s", e->cause ? e->cause : ""),
                        .from = e->from ? mode_text(k, e->from) : NULL,
                        .to = mode_text(k, e->to),
                        .nvia = e->nvia,
                        .via = via,
                        .lost = e->energy_lost};
}

void page_keep_frame(page_keep *k, jn_html_frame f)
{
    size_t bonds = (size_t)k->graph->nbonds, storages = (size_t)k->graph->nstorages;
    f.mode = jn_arena_dup(k->texts, f.mode, (size_t)k->graph->nswitches);
    f.power = jn_arena_dup(k->texts, f.power, bonds * sizeof *f.power);
    f.energy = jn_arena_dup(k->texts, f.energy, storages * sizeof *f.energy);
    JN_GROW(k->frame, k->nframes, k->frame_cap);
    k->frame[k->nframes++] = f;
}
