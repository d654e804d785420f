/* plot.c: from traces to what a picture shows of them. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plot_internal.h"

/* ---- thinning ------------------------------------------------------------------------------ */

enum { KEPT = 6 }; /* points of a column, at most */

/* The column of the picture that a point falls into. */
static int column_of(const jn_plot *p, int i, int columns)
{
    double span = p->t[p->npoints - 1] - p->t[0];
    int c = span > 0 ? (int)((p->t[i] - p->t[0]) / span * columns) : 0;
    return c < 0 ? 0 : c < columns ? c : columns - 1;
}

/* The point after the greatest jump in a column; the first point if there is none. */
static int find_jump(const jn_plot *p, const double *v, int from, int to)
{
    int after = from;
    double size = 0;
    for (int i = from + 1; i < to; i++)
        if (p->t[i] == p->t[i - 1] && fabs(v[i] - v[i - 1]) > size) {
            after = i;
            size = fabs(v[i] - v[i - 1]);
        }
    return after;
}

static int compare_ints(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

/* The first, least, greatest and last point of a column and both sides of its greatest jump, in
 * order and each once. A point without a finite value is kept: it is a gap. */
static int keep_column(int *index, int n, const jn_plot *p, const double *v, int from, int to)
{
    int least = from, greatest = from, jump = find_jump(p, v, from, to);
    for (int i = from; i < to; i++) {
        if (!isfinite(v[i]) || !isfinite(v[least]) || v[i] < v[least])
            least = i;
        if (!isfinite(v[greatest]) || v[i] > v[greatest])
            greatest = i;
    }
    int keep[KEPT] = {from, least, greatest, jump > from ? jump - 1 : jump, jump, to - 1};
    qsort(keep, KEPT, sizeof *keep, compare_ints);
    for (int k = 0; k < KEPT; k++)
        if (n == 0 || keep[k] > index[n - 1])
            index[n++] = keep[k];
    return n;
}

int jn_plot_thin(int **index, const jn_plot *p, int trace, int columns)
{
    int n = 0, from = 0;
    size_t most = KEPT * (size_t)columns;
    most = (size_t)p->npoints < most ? (size_t)p->npoints : most;
    *index = jn_alloc((most + KEPT) * sizeof **index);
    while (from < p->npoints) {
        int to = from + 1, c = column_of(p, from, columns);
        while (to < p->npoints && column_of(p, to, columns) == c)
            to++;
        n = keep_column(*index, n, p, p->value[trace], from, to);
        from = to;
    }
    return n;
}

/* ---- axes ---------------------------------------------------------------------------------- */

enum {
    SAME_SCALE = 8, /* the smallest trace of some axes is no smaller than this part, */
    SAME_SPAN = 40  /* and none moves less than this part of them */
};

typedef struct {
    double low, high;   /* values */
    double least, most; /* sizes of the traces, but for those that are zero */
    double least_span;  /* of those that move */
} extent;

static extent extent_of(const jn_plot *p, int trace)
{
    extent x = {.low = INFINITY, .high = -INFINITY, .least_span = INFINITY};
    for (int i = 0; i < p->npoints; i++) {
        double v = p->value[trace][i];
        x.low = isfinite(v) ? fmin(x.low, v) : x.low;
        x.high = isfinite(v) ? fmax(x.high, v) : x.high;
    }
    if (x.low > x.high)
        x.low = x.high = 0;
    x.least = x.most = fmax(fabs(x.low), fabs(x.high));
    if (x.high - x.low > 1e-9 * x.most)
        x.least_span = x.high - x.low;
    return x;
}

static extent join(extent a, extent b)
{
    return (extent){.low = fmin(a.low, b.low),
                    .high = fmax(a.high, b.high),
                    .least = a.most == 0   ? b.least
                             : b.most == 0 ? a.least
                                           : fmin(a.least, b.least),
                    .most = fmax(a.most, b.most),
                    .least_span = fmin(a.least_span, b.least_span)};
}

static bool is_readable(const extent *x)
{
    return x->most <= SAME_SCALE * x->least && x->high - x->low <= SAME_SPAN * x->least_span;
}

static bool same_unit(const jn_plot *p, int a, int b)
{
    const char *u = p->unit ? p->unit[a] : NULL, *v = p->unit ? p->unit[b] : NULL;
    return (!u && !v) || (u && v && strcmp(u, v) == 0);
}

/* The first trace of some axes, of those before n. */
static int first_of(const int *group, int n, int axes)
{
    int i = 0;
    while (i < n && group[i] != axes)
        i++;
    return i;
}

int jn_plot_group(int *group, const jn_plot *p)
{
    int n = 0;
    extent *axes = jn_alloc((size_t)p->ntraces * sizeof *axes);
    for (int i = 0; i < p->ntraces; i++) {
        extent x = extent_of(p, i), both = x;
        int g = 0;
        for (; g < n; g++) {
            both = join(axes[g], x);
            if (is_readable(&both) && same_unit(p, first_of(group, i, g), i))
                break;
        }
        axes[g] = g < n ? both : x;
        n += g == n;
        group[i] = g;
    }
    free(axes);
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

double jni_plot_tick(double first, double step, int i)
{
    double v = first + i * step;
    return fabs(v) < 1e-9 * step ? 0 : v;
}

/* Hours and microseconds are read best in thousands, and a short time late in a run from a round
 * number on. */
jn_plot_clock jni_plot_clock_of(const jn_plot *p)
{
    jn_plot_clock c = {.unit = 1};
    double first = p->t[0], last = p->t[p->npoints - 1], span = last - first;
    double largest = fmax(fabs(first), fabs(last));
    if (!(span > 0))
        return c;
    if (span < largest / 50) {
        double round = pow(10, ceil(log10(span)));
        c.origin = floor(first / round) * round;
        largest = last - c.origin;
    }
    if (largest < 1 || largest >= 1e4)
        c.power = jni_plot_power(0, largest);
    c.unit = pow(10, c.power);
    return c;
}

bool jni_plot_range(double *low, double *high, const jn_plot *p, const int *group, int wanted)
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

/* ---- numbers ------------------------------------------------------------------------------- */

static const char *const prefix[] = {"f", "p", "n", "\xC2\xB5", "m", "", "k", "M", "G", "T"};
enum { LEAST_POWER = -15, MOST_POWER = 12 };

int jni_plot_power(double low, double high)
{
    double most = fmax(fabs(low), fabs(high));
    int power = most > 0 && isfinite(most) ? 3 * (int)floor(log10(most) / 3 + 1e-9) : 0;
    return power < LEAST_POWER ? LEAST_POWER : power > MOST_POWER ? MOST_POWER : power;
}

/* Kilograms have no further prefix, nor has a unit with one or made of several. */
bool jni_plot_takes_prefix(const char *unit)
{
    static const char *const units[] = {"s",  "V",  "A",  "W", "J", "N", "m",
                                        "Pa", "Hz", "Wb", "C", "H", "F"};
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
        if (strcmp(unit, units[i]) == 0)
            return true;
    return false;
}

void jni_plot_quantity(jn_str *out, double v, int power, const char *unit)
{
    if (!unit || !jni_plot_takes_prefix(unit)) {
        jni_plot_number(out, v);
        if (unit)
            jn_str_addf(out, " %s", unit);
        return;
    }
    jni_plot_number(out, v / pow(10, power));
    jn_str_addf(out, " %s%s", prefix[(power - LEAST_POWER) / 3], unit);
}

void jni_plot_number(jn_str *out, double v)
{
    char text[32];
    jn_format(text, sizeof text, "%.6g", v);
    char *e = strchr(text, 'e');
    if (e)
        *e = '\0';
    jn_str_add(out, text);
    if (e)
        jn_str_addf(out, "e%ld", strtol(e + 1, NULL, 10));
}
