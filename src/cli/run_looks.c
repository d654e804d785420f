/* run_looks.c: looks at a run between its rows, for its picture.
 *
 * Rows come in equal steps. What ripples faster than they come would be drawn as something slower
 * that is not there, or as nothing at all. So a picture also has values from between them, at times
 * that are no grid: a ripple fills its band. Where a straight line between the rows says as much,
 * they are left out, so that a slow run has its rows and nothing else. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "run.h"

enum {
    LOOKS = 20000,  /* in a whole run of few states, rows included */
    LOOKS_MAX = 40, /* between two rows */
    STATES = 20     /* with so many more, a look takes twice as long: half as many are taken */
};

#define STRAIGHT 5e-3 /* the part of a trace's range by which a line may be off */
#define NOISE 1e-9    /* the part of its values that is no range */

struct run_looks {
    int most, nvalues;
    int n;         /* taken since the last row */
    uint64_t ever; /* taken at all: the next step of the sequence of times */
    double *t, *value;
    double row_t, *row; /* the last row; NaN: none so far */
    double *low, *high; /* of all rows and looks so far */
};

run_looks *run_looks_new(const run_times *times, int nstates, int nvalues)
{
    double rows = ceil(times->to / times->every);
    double most = LOOKS / (1 + (double)nstates / STATES) / rows;
    if (!(most >= 1))
        return NULL;
    run_looks *l = jn_alloc(sizeof *l);
    l->most = most < LOOKS_MAX ? (int)most : LOOKS_MAX;
    l->nvalues = nvalues;
    l->row_t = NAN;
    size_t n = (size_t)nvalues;
    l->t = jn_alloc((size_t)l->most * sizeof *l->t);
    l->value = jn_alloc((size_t)l->most * n * sizeof *l->value);
    l->row = jn_alloc(n * sizeof *l->row);
    l->low = jn_alloc(n * sizeof *l->low);
    l->high = jn_alloc(n * sizeof *l->high);
    for (int k = 0; k < nvalues; k++) {
        l->low[k] = INFINITY;
        l->high[k] = -INFINITY;
    }
    return l;
}

void run_looks_free(run_looks *l)
{
    if (!l)
        return;
    free(l->t);
    free(l->value);
    free(l->row);
    free(l->low);
    free(l->high);
    free(l);
}

int run_looks_count(const run_looks *l)
{
    return l ? l->most : 0;
}

/* Multiples of the golden section fill the interval most evenly of all and have no period. */
double run_looks_time(run_looks *l, double from, double to, int i)
{
    static const double golden = 0.6180339887498949;
    double within = fmod((double)(++l->ever) * golden, 1);
    return from + (to - from) * (i + within) / l->most;
}

static void widen(run_looks *l, const double *value)
{
    for (int k = 0; k < l->nvalues; k++)
        if (isfinite(value[k])) {
            l->low[k] = fmin(l->low[k], value[k]);
            l->high[k] = fmax(l->high[k], value[k]);
        }
}

void run_looks_take(run_looks *l, double t, const double *value)
{
    if (l->n == l->most)
        return;
    l->t[l->n] = t;
    memcpy(l->value + (size_t)l->n * (size_t)l->nvalues, value, (size_t)l->nvalues * sizeof *value);
    l->n++;
    widen(l, value);
}

const double *run_looks_get(const run_looks *l, int i, double *t)
{
    *t = l->t[i];
    return l->value + (size_t)i * (size_t)l->nvalues;
}

/* Whether a line from the last row to this one passes by a look. */
static bool leaves_line(const run_looks *l, int i, double t, const double *value)
{
    double at, part;
    const double *seen = run_looks_get(l, i, &at);
    part = t > l->row_t ? (at - l->row_t) / (t - l->row_t) : 0;
    for (int k = 0; k < l->nvalues; k++) {
        double size = fmax(fabs(l->low[k]), fabs(l->high[k]));
        double most = fmax(STRAIGHT * (l->high[k] - l->low[k]), NOISE * size);
        double line = l->row[k] + part * (value[k] - l->row[k]);
        if (!(fabs(seen[k] - line) <= most) && isfinite(line))
            return true;
    }
    return false;
}

int run_looks_row(bool *bent, run_looks *l, double t, const double *value)
{
    int n = l->n;
    *bent = false;
    widen(l, value);
    for (int i = 0; i < n && !*bent; i++)
        *bent = leaves_line(l, i, t, value);
    l->n = 0;
    l->row_t = t;
    memcpy(l->row, value, (size_t)l->nvalues * sizeof *value);
    return n;
}
