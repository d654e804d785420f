/* chart.h: values over values as a picture in SVG: curves, dots, bars, and maps of colours.
 *
 * Panels stand one above the other over a common x axis. Nothing is owned. */
#ifndef JUNCT_CHART_H
#define JUNCT_CHART_H

#include "junct/base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum { JN_CHART_LINE, JN_CHART_DOTS, JN_CHART_BARS } jn_chart_look;

typedef struct {
    const char *name; /* in the legend; NULL: not there */
    jn_chart_look look;
    int n;
    const double *x, *y; /* what is not finite leaves a gap. Bars: x has n + 1 edges */
} jn_chart_series;

typedef struct {
    const char *label; /* of what goes upwards, or of a map's colours */
    int nseries;
    const jn_chart_series *series;
    /* A map: z[i·ny + k] at x[i], y[k], both ascending; NULL: none. */
    int nx, ny;
    const double *x, *y, *z;
    const char *y_label; /* of a map */
    bool y_log;
    const char *note; /* a line below the label: "mean 12.0, deviation 0.3"; NULL: none */
} jn_chart_panel;

typedef struct {
    const char *title, *x_label; /* title: NULL, none */
    bool x_log;
    int npanels;
    const jn_chart_panel *panel;
} jn_chart;

void jn_chart_svg(jn_str *out, const jn_chart *c);
/* Whether the numbers of an axis or a legend are written with prefixes, 50u: some are very small or large. */
bool jn_chart_takes_prefixes(const double *x, int n);
/* One below the other, each with its x axis; the title is that of the first. */
void jn_charts_svg(jn_str *out, const jn_chart *c, int n);

#ifdef __cplusplus
}
#endif

#endif
