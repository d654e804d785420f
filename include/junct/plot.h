/* plot.h: traces over time as a picture: SVG, or pgfplots in a report, from the same data.
 *
 * A trace may have millions of points: a picture of so many columns needs at most six of each
 * column, the first, the last, the least and the greatest and both sides of a jump, and no peak is lost. Traces whose
 * sizes or units differ get axes of their own, one above the other. */
#ifndef JUNCT_PLOT_H
#define JUNCT_PLOT_H

#include "junct/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One mode, from a time on. */
typedef struct {
    double from;
    const char *mode; /* "100" */
} jn_mode_band;

enum { JN_PLOT_ROWS = 24 }; /* switches that fit below a picture */

/* What is to be plotted. Nothing is owned. */
typedef struct {
    const char *title; /* may be NULL */
    int npoints;
    const double *t; /* not descending; the same time twice at an event */
    int ntraces;
    const char *const *name;
    const char *const *unit;    /* per trace, NULL where it is not known; NULL: of none */
    const double *const *value; /* per trace; values that are not finite leave a gap */
    int nbands;                 /* 0: no modes are shown */
    const jn_mode_band *band;   /* by time; each ends where the next begins */
    int nswitches;              /* that get a row of their own below the traces */
    const char *const *switch_name;
    int nmore;    /* switches that get none */
    long changes; /* of the mode, in all */
    /* When these are more than a picture can tell apart: the part of each of so many equal columns
     * of time in which a switch is on, switch by switch. NULL: the bands say it. */
    int ncolumns;
    const float *share;
} jn_plot;

/* ---- from the data to the picture ---------------------------------------------------------- */

/* Points of a trace that are drawn: indices, ascending. columns: those of the picture. Returns how
 * many; *index is to be freed. */
int jn_plot_thin(int **index, const jn_plot *p, int trace, int columns);

/* Which axes a trace belongs to: group[trace], from 0; returns how many there are. Traces of about
 * the same size share axes. */
int jn_plot_group(int *group, const jn_plot *p);

/* Round numbers that divide [low, high] into about n parts: the first and the step. Returns how
 * many there are. */
int jn_plot_ticks(double *first, double *step, double low, double high, int n);

/* ---- writing ------------------------------------------------------------------------------- */

void jn_plot_svg(jn_str *out, const jn_plot *p);
/* Dots on a terminal of that many columns, one trace below the other. */
void jn_plot_text(jn_str *out, const jn_plot *p, int width);
/* tikzpictures for a document with pgfplots, one for each group of traces. Their style `traces` is
 * in reports/parts/preamble.tex. */
void jn_plot_latex(jn_str *out, const jn_plot *p);

#ifdef __cplusplus
}
#endif

#endif
