/* plot_internal.h: shared by the files that write plots. */
#ifndef WRITE_PLOT_INTERNAL_H
#define WRITE_PLOT_INTERNAL_H

#include "junct/plot.h"

/* The values of a group of traces lie in [low, high], which is never empty. False when there are
 * none. */
bool jn_plot_range(double *low, double *high, const jn_plot *p, const int *group, int wanted);

double jn_plot_tick(double first, double step, int i); /* where 0 is 0 and not 1e-17 */

/* Numbers at the axis of time are (t - origin) / unit, so that they are short. */
typedef struct {
    double origin, unit;
    int power; /* unit = 10^power */
} jn_plot_clock;
jn_plot_clock jn_plot_clock_of(const jn_plot *p);

/* Bands of the same mode have the same shade: its number per band; free it. */
enum { JN_PLOT_SHADES = 6 };
int *jn_plot_mode_shades(const jn_plot *p);

void jn_plot_number(jn_str *out, double v); /* at a tick: 0.5, 2e6 */

enum {
    JN_PLOT_MARKS_MAX = 60, /* events marked by a line; more would hide the traces */
    JN_PLOT_BANDS_MAX = 400
};

#endif
