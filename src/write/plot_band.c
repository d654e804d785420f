/* plot_band.c: the switches over time, a row each: when they are on.
 *
 * Where a switch turns faster than a picture can show, a row of bars would be an aliasing pattern of
 * the two grids. So time is divided into columns, and a column is as dark as the part of it in which
 * the switch is on: what is seen is the duty cycle. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plot_internal.h"

enum {
    SHADES = 20,       /* that are told apart */
    TURNS = 10,        /* of a switch in a column, where it turns so often */
    LEAST_COLUMNS = 24 /* however often it turns */
};

/* The part of the whole time at which a time lies. */
static double part_at(const jn_plot *p, double t)
{
    double span = p->t[p->npoints - 1] - p->t[0];
    double x = span > 0 ? (t - p->t[0]) / span : 0;
    return x < 0 ? 0 : x > 1 ? 1 : x;
}

/* One more piece, or a longer last one. */
static void add_piece(jni_lit *lit, int *n, double from, double to, double share)
{
    if (share <= 0 || to <= from)
        return;
    if (*n && lit[*n - 1].to >= from - 1e-12 && lit[*n - 1].share == share)
        lit[*n - 1].to = to;
    else
        lit[(*n)++] = (jni_lit){from, to, share};
}

/* A little is never nothing. */
static double shade_of(double share)
{
    double shade = round(SHADES * share) / SHADES;
    return share > 1e-6 ? fmax(shade, 1.0 / SHADES) : 0;
}

static int lit_by_columns(jni_lit *lit, const jn_plot *p, int s)
{
    int n = 0;
    for (int c = 0; c < p->ncolumns; c++) {
        double share = shade_of(p->share[s * p->ncolumns + c]);
        add_piece(lit, &n, (double)c / p->ncolumns, (c + 1.0) / p->ncolumns, fmin(1, share));
    }
    return n;
}

static int lit_by_bands(jni_lit *lit, const jn_plot *p, int s)
{
    int n = 0;
    for (int i = 0; i < p->nbands; i++) {
        double to = i + 1 < p->nbands ? part_at(p, p->band[i + 1].from) : 1;
        bool on = (int)strlen(p->band[i].mode) > s && p->band[i].mode[s] == '1';
        add_piece(lit, &n, part_at(p, p->band[i].from), to, on ? 1 : 0);
    }
    return n;
}

/* The same as the parts of so many columns that are lit. */
static int gather(jni_lit *lit, int n, int columns)
{
    double *share = jn_alloc((size_t)columns * sizeof *share);
    for (int i = 0; i < n; i++)
        for (int c = (int)(lit[i].from * columns); c < columns && c < lit[i].to * columns; c++)
            share[c] +=
                lit[i].share * (fmin(lit[i].to * columns, c + 1) - fmax(lit[i].from * columns, c));
    n = 0;
    for (int c = 0; c < columns; c++)
        add_piece(lit, &n, (double)c / columns, (c + 1.0) / columns, fmin(1, shade_of(share[c])));
    free(share);
    return n;
}

/* Bars that are about as wide as the columns they are shared out to make a pattern that is in
 * neither of them: then columns hold several. */
static int columns_of(const jn_plot *p, int s, int most)
{
    double turns = 0;
    for (int c = 1; c < p->ncolumns; c++)
        turns += fabs(p->share[s * p->ncolumns + c] - p->share[s * p->ncolumns + c - 1]);
    if (turns <= most / 3.0)
        return most;
    int columns = (int)(turns / TURNS);
    return columns < LEAST_COLUMNS ? LEAST_COLUMNS : columns < most ? columns : most;
}

int jni_plot_lit(jni_lit **out, const jn_plot *p, int s, int most)
{
    *out = jn_alloc((size_t)(p->share ? p->ncolumns : p->nbands) * sizeof **out + 1);
    int n = p->share ? lit_by_columns(*out, p, s) : lit_by_bands(*out, p, s);
    int columns = p->share ? columns_of(p, s, most) : most;
    return n > columns ? gather(*out, n, columns) : n;
}

void jni_plot_band_note(jn_str *out, const jn_plot *p)
{
    jn_str_add(out, "filled where a switch is on");
    if (p->share)
        jn_str_addf(out, "; %ld changes, more than can be told apart: as dark as its share of time",
                    p->changes);
    if (p->nmore)
        jn_str_addf(out, "; %d more switches", p->nmore);
}
