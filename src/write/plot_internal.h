/* plot_internal.h: shared by the files that write plots. */
#ifndef WRITE_PLOT_INTERNAL_H
#define WRITE_PLOT_INTERNAL_H

#include "junct/plot.h"

/* The values of a group of traces lie in [low, high], which is never empty. False when there are
 * none. */
bool jni_plot_range(double *low, double *high, const jn_plot *p, const int *group, int wanted);

double jni_plot_tick(double first, double step, int i); /* where 0 is 0 and not 1e-17 */

/* Numbers at the axis of time are (t - origin) / unit, so that they are short. */
typedef struct {
    double origin, unit;
    int power; /* unit = 10^power */
} jn_plot_clock;
jn_plot_clock jni_plot_clock_of(const jn_plot *p);

/* When a switch is on: pieces of the time from 0 to 1, and how much of each (plot_band.c). Returns
 * how many, at most so many; free them. */
typedef struct {
    double from, to, share;
} jni_lit;
int jni_plot_lit(jni_lit **out, const jn_plot *p, int s, int most);
void jni_plot_band_note(jn_str *out, const jn_plot *p); /* how to read them */

/* A number with the prefix of a thousand that it needs: "20 ms", "1.5 kPa"; without a unit as
 * jni_plot_number. The power of the prefix is that of the largest number on the axis. */
int jni_plot_power(double low, double high);
bool jni_plot_takes_prefix(const char *unit);
void jni_plot_quantity(jn_str *out, double v, int power, const char *unit);

void jni_plot_number(jn_str *out, double v); /* at a tick: 0.5, 2e6 */

enum {
    JN_PLOT_MARKS_MAX = 60 /* events marked by a line; more would hide the traces */
};

#endif
