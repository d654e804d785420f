/* plot.c: from traces to what a picture shows of them. */
#include <math.h>
#include <stdlib.h>

#include "plot_internal.h"

/* ---- thinning -------------------------------------------------------------------------------- */

/* The column of the picture that a point falls into. */
static int column_of(const jn_plot *p, int i, int columns)
{
    double span = p->t[p->npoints - 1] - p->t[0];
    int c = span > 0 ? (int)((p->t[i] - p->t[0]) / span * columns) : 0;
    return c < 0 ? 0 : c < columns ? c : columns - 1;
}

/* The first, least, greatest and last point of a column, in order and each once. A point without
 * a finite value is kept: it is a gap. */
static int keep_column(int *index, int n, const double *v, int from, int to)
{
    int least = from, greatest = from;
    for (int i = from; i < to; i++) {
        if (!isfinite(v[i]) || !isfinite(v[least]) || v[i] < v[least])
            least = i;
        if (!isfinite(v[greatest]) || v[i] > v[greatest])
            greatest = i;
    }
    int keep[] = {from, least < greatest ? least : greatest, least < greatest ? greatest : least,
                  to - 1};
    for (int k = 0; k < 4; k++)
        if (n == 0 || keep[k] > index[n - 1])
            index[n++] = keep[k];
    return n;
}

int jn_plot_thin(int **index, const jn_plot *p, int trace, int columns)
{
    int n = 0, from = 0;
    size_t most =
        (size_t)p->npoints < 4 * (size_t)columns ? (size_t)p->npoints : 4 * (size_t)columns;
    *index = jn_alloc((most + 4) * sizeof **index);
    while (from < p->npoints) {
        int to = from + 1, c = column_of(p, from, columns);
        while (to < p->npoints && column_of(p, to, columns) == c)
            to++;
        n = keep_column(*index, n, p->value[trace], from, to);
        from = to;
    }
    return n;
}

/* ---- axes ------------------------------------------------------------------------------------ */

static double size_of(const jn_plot *p, int trace)
{
    double size = 0;
    for (int i = 0; i < p->npoints; i++) {
        double v = fabs(p->value[trace][i]);
        if (isfinite(v) && v > size)
            size = v;
    }
    return size;
}

enum { SAME_SCALE = 8 }; /* the smallest trace of some axes is no smaller than this part */

int jn_plot_group(int *group, const jn_plot *p)
{
    int n = 0;
    double *least = jn_alloc((size_t)p->ntraces * sizeof *least);
    double *most = jn_alloc((size_t)p->ntraces * sizeof *most);
    for (int i = 0; i < p->ntraces; i++) {
        double size = size_of(p, i);
        int g = 0;
        while (g < n && size > 0 && (size > SAME_SCALE * least[g] || size * SAME_SCALE < most[g]))
            g++;
        if (g == n) {
            least[n] = most[n] = size > 0 ? size : 1;
            n++;
        }
        if (size > 0) {
            least[g] = fmin(least[g], size);
            most[g] = fmax(most[g], size);
        }
        group[i] = g;
    }
    free(least);
    free(most);
    return n;
}

int jn_plot_ticks(double *first, double *step, double low, double high, int n)
{
    static const double round[] = {1, 2, 5, 10};
    double rough = (high - low) / n;
    if (!(rough > 0) || !isfinite(rough)) {
        *first = low;
        *step = 1;
        return 1;
    }
    double power = pow(10, floor(log10(rough)));
    int k = 0;
    while (k < 3 && round[k] * power < rough * 0.999)
        k++;
    *step = round[k] * power;
    *first = ceil(low / *step - 1e-9) * *step;
    return (int)floor((high - *first) / *step + 1e-9) + 1;
}

bool jn_plot_range(double *low, double *high, const jn_plot *p, const int *group, int wanted)
{
    bool some = false;
    for (int k = 0; k < p->ntraces; k++)
        for (int i = 0; i < p->npoints && group[k] == wanted; i++) {
            double v = p->value[k][i];
            if (!isfinite(v))
                continue;
            *low = some ? fmin(*low, v) : v;
            *high = some ? fmax(*high, v) : v;
            some = true;
        }
    if (!some)
        *low = *high = 0;
    if (*high - *low <= 1e-12 * fmax(fabs(*low), fabs(*high))) { /* a constant */
        double by = *low == 0 ? 1 : fabs(*low) / 10;
        *low -= by;
        *high += by;
    }
    return some;
}

int jn_plot_mode_shade(const jn_plot *p, int band)
{
    static const int shades = JN_PLOT_SHADES;
    unsigned hash = 0;
    for (const char *s = p->band[band].mode; *s; s++)
        hash = hash * 2 + (unsigned)(*s == '1');
    return (int)(hash % (unsigned)shades);
}
