/* sweep_plot.c: the table of a sweep as a picture.
 *
 *     one name varied        a curve for each measure
 *     two                    a family of curves, or a map of colours
 *     at random              histograms, or dots over what was drawn
 *     each period            dots: the diagram in which periods double */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "junct/chart.h"
#include "junct/unit.h"
#include "sweep.h"

enum { MOST_VALUES = 50000000, CURVES_MOST = 24, PANELS_MOST = 12 };

typedef enum { PLOT_CURVE, PLOT_MAP, PLOT_SCATTER, PLOT_HISTOGRAM } plot_kind;

struct sweep_plot {
    const jn_sweep *s;
    const char *title;
    plot_kind kind;
    int ncolumns, nvaried;
    uint64_t rows, cap;
    double *value; /* rows × columns */
    jn_arena *arena;
};

/* ---- which picture ------------------------------------------------------------------------- */

static int grid_axes(const jn_sweep *s, int *axis)
{
    int n = 0;
    for (int i = 0; i < jn_sweep_nvaried(s); i++)
        if (jn_sweep_axis_of(s, i).count != 0 && n < 3)
            axis[n++] = i;
    return n;
}

static bool choose(sweep_plot *p, const char *kind)
{
    static const char *const names[] = {"curve", "map", "scatter", "histogram"};
    int axis[3], first, grid = grid_axes(p->s, axis), drawn = p->nvaried - grid;
    int each = jn_sweep_each_period(p->s, &first);
    p->kind = drawn ? PLOT_HISTOGRAM : grid > 2 || each ? PLOT_SCATTER : PLOT_CURVE;
    if (!kind)
        return true;
    int i = 0;
    while (i < 4 && strcmp(kind, names[i]) != 0)
        i++;
    p->kind = (plot_kind)i;
    if (i == 4)
        cli_complain("--plot-kind %s: curve, map, scatter or histogram", kind);
    else if (p->kind == PLOT_MAP && (grid != 2 || drawn))
        cli_complain("a map needs two names that are varied, and none at random");
    else if (p->kind == PLOT_CURVE && (grid < 1 || grid > 2 || drawn))
        cli_complain("curves need one or two names that are varied, and none at random");
    else
        return true;
    return false;
}

sweep_plot *sweep_plot_new(const jn_sweep *s, const char *title, const char *kind)
{
    sweep_plot *p = jn_alloc(sizeof *p);
    *p = (sweep_plot){.s = s,
                      .title = title,
                      .ncolumns = jn_sweep_columns(s),
                      .nvaried = jn_sweep_nvaried(s),
                      .arena = jn_arena_new()};
    bool fits = jn_sweep_rows(s) <= MOST_VALUES / (uint64_t)p->ncolumns;
    if (!fits)
        cli_complain("%llu rows are too many for a picture", (unsigned long long)jn_sweep_rows(s));
    if (fits && choose(p, kind))
        return p;
    sweep_plot_free(p);
    return NULL;
}

void sweep_plot_free(sweep_plot *p)
{
    if (!p)
        return;
    free(p->value);
    jn_arena_free(p->arena);
    free(p);
}

/* ---- its data ------------------------------------------------------------------------------ */

/* "12,1.5,,3,ok": numbers up to the status, nothing where there is none. */
void sweep_plot_line(const char *line, void *plot)
{
    sweep_plot *p = plot;
    if (p->rows == p->cap) {
        p->cap = p->cap ? 2 * p->cap : 256;
        p->value = jn_realloc(p->value, (size_t)p->cap * (size_t)p->ncolumns * sizeof *p->value);
    }
    double *to = p->value + (size_t)p->rows++ * (size_t)p->ncolumns;
    const char *at = strchr(line, ',');
    for (int i = 0; i < p->ncolumns; i++) {
        char *end;
        to[i] = NAN;
        if (!at)
            continue;
        double x = jn_strtod(at + 1, &end);
        if (end > at + 1)
            to[i] = x;
        at = strchr(end, ',');
    }
}

static double value_at(const sweep_plot *p, uint64_t row, int column)
{
    return p->value[row * (uint64_t)p->ncolumns + (uint64_t)column];
}

static double *column_of(const sweep_plot *p, int column, uint64_t from, uint64_t step, uint64_t n)
{
    double *v = jn_arena_alloc(p->arena, (size_t)n * sizeof *v);
    for (uint64_t i = 0; i < n; i++)
        v[i] = value_at(p, from + i * step, column);
    return v;
}

/* ---- curves -------------------------------------------------------------------------------- */

static jn_chart_series *one_curve(const sweep_plot *p, int x, int y, int *n)
{
    jn_chart_series *s = jn_arena_alloc(p->arena, sizeof *s);
    *s = (jn_chart_series){.n = (int)p->rows,
                           .x = column_of(p, x, 0, 1, p->rows),
                           .y = column_of(p, y, 0, 1, p->rows)};
    *n = 1;
    return s;
}

/* "L = 50u" */
static const char *name_of_curve(const sweep_plot *p, const jn_sweep_axis *a, int k)
{
    jn_str text;
    jn_str_init(&text);
    jn_str_addf(&text, "%s = ", a->name);
    if (jn_chart_takes_prefixes(a->value, a->count))
        jn_prefixed_print(&text, a->value[k], 4);
    else
        jn_str_addf(&text, "%.4g", a->value[k]);
    const char *name = jn_arena_strndup(p->arena, text.s, text.len);
    jn_str_clear(&text);
    return name;
}

/* One for each value of the axis with fewer. */
static jn_chart_series *family(const sweep_plot *p, int x, int other, int y, int *n)
{
    jn_sweep_axis a = jn_sweep_axis_of(p->s, x), b = jn_sweep_axis_of(p->s, other);
    bool x_first = x < other; /* then its values are b.count rows apart */
    *n = b.count;
    jn_chart_series *s = jn_arena_alloc(p->arena, (size_t)b.count * sizeof *s);
    for (int k = 0; k < b.count; k++) {
        uint64_t from = x_first ? (uint64_t)k : (uint64_t)k * (uint64_t)a.count;
        uint64_t step = x_first ? (uint64_t)b.count : 1;
        s[k] = (jn_chart_series){.name = name_of_curve(p, &b, k),
                                 .n = a.count,
                                 .x = column_of(p, x, from, step, (uint64_t)a.count),
                                 .y = column_of(p, y, from, step, (uint64_t)a.count)};
    }
    return s;
}

static int x_axis(const sweep_plot *p, int *other)
{
    int axis[3], n = grid_axes(p->s, axis);
    *other = -1;
    if (n < 2)
        return n ? axis[0] : 0;
    bool swap = jn_sweep_axis_of(p->s, axis[1]).count > jn_sweep_axis_of(p->s, axis[0]).count;
    *other = axis[!swap];
    return axis[swap];
}

static bool fill_curves(sweep_plot *p, jn_chart *c, jn_chart_panel *panel, int *npanels)
{
    int other, x = x_axis(p, &other);
    if (other >= 0 && jn_sweep_axis_of(p->s, other).count > CURVES_MOST) {
        cli_complain("%d curves cannot be told apart: try --plot-kind map",
                     jn_sweep_axis_of(p->s, other).count);
        return false;
    }
    c->x_label = jn_sweep_column(p->s, x);
    c->x_log = jn_sweep_axis_of(p->s, x).is_log;
    for (int y = p->nvaried; y < p->ncolumns && *npanels < PANELS_MOST; y++) {
        jn_chart_panel *to = &panel[(*npanels)++];
        *to = (jn_chart_panel){.label = jn_sweep_column(p->s, y)};
        to->series =
            other < 0 ? one_curve(p, x, y, &to->nseries) : family(p, x, other, y, &to->nseries);
    }
    return true;
}

/* ---- maps ---------------------------------------------------------------------------------- */

static int by_value(const void *a, const void *b)
{
    double x = **(const double *const *)a, y = **(const double *const *)b;
    return (x > y) - (x < y);
}

/* The places of the values of an axis in ascending order. */
static int *ascending(const sweep_plot *p, const jn_sweep_axis *a)
{
    const double **list = jn_alloc((size_t)a->count * sizeof *list);
    int *order = jn_arena_alloc(p->arena, (size_t)a->count * sizeof *order);
    for (int i = 0; i < a->count; i++)
        list[i] = &a->value[i];
    qsort(list, (size_t)a->count, sizeof *list, by_value);
    for (int i = 0; i < a->count; i++)
        order[i] = (int)(list[i] - a->value);
    free(list);
    return order;
}

static double *in_order(const sweep_plot *p, const jn_sweep_axis *a, const int *order)
{
    double *v = jn_arena_alloc(p->arena, (size_t)a->count * sizeof *v);
    for (int i = 0; i < a->count; i++)
        v[i] = a->value[order[i]];
    return v;
}

static void fill_maps(sweep_plot *p, jn_chart *c, jn_chart_panel *panel, int *npanels)
{
    int axis[3] = {0};
    grid_axes(p->s, axis);
    jn_sweep_axis a = jn_sweep_axis_of(p->s, axis[0]), b = jn_sweep_axis_of(p->s, axis[1]);
    int *ia = ascending(p, &a), *ib = ascending(p, &b);
    c->x_label = a.name;
    c->x_log = a.is_log;
    for (int m = p->nvaried; m < p->ncolumns && *npanels < PANELS_MOST; m++) {
        double *z = jn_arena_alloc(p->arena, (size_t)a.count * (size_t)b.count * sizeof *z);
        for (int i = 0; i < a.count; i++)
            for (int k = 0; k < b.count; k++)
                z[i * b.count + k] =
                    value_at(p, (uint64_t)ia[i] * (uint64_t)b.count + (uint64_t)ib[k], m);
        panel[(*npanels)++] = (jn_chart_panel){.label = jn_sweep_column(p->s, m),
                                               .nx = a.count,
                                               .ny = b.count,
                                               .x = in_order(p, &a, ia),
                                               .y = in_order(p, &b, ib),
                                               .z = z,
                                               .y_label = b.name,
                                               .y_log = b.is_log};
    }
}

/* ---- dots ---------------------------------------------------------------------------------- */

/* Columns of each period are one cloud of dots. */
static jn_chart_series *cloud(const sweep_plot *p, int x, int first, int n)
{
    uint64_t all = p->rows * (uint64_t)n;
    double *px = jn_arena_alloc(p->arena, (size_t)all * sizeof *px);
    double *py = jn_arena_alloc(p->arena, (size_t)all * sizeof *py);
    for (uint64_t i = 0; i < all; i++) {
        px[i] = value_at(p, i / (uint64_t)n, x);
        py[i] = value_at(p, i / (uint64_t)n, first + (int)(i % (uint64_t)n));
    }
    jn_chart_series *s = jn_arena_alloc(p->arena, sizeof *s);
    *s = (jn_chart_series){.look = JN_CHART_DOTS, .n = (int)all, .x = px, .y = py};
    return s;
}

static const char *without_number(const sweep_plot *p, const char *name)
{
    const char *at = strrchr(name, '@');
    size_t n = at && at > name ? (size_t)(at - name) - 1 : strlen(name);
    return jn_arena_printf(p->arena, "%.*s at the start of each period", (int)n, name);
}

static void fill_dots(sweep_plot *p, jn_chart *c, jn_chart_panel *panel, int *npanels)
{
    int first, each = jn_sweep_each_period(p->s, &first);
    c->x_label = jn_sweep_column(p->s, 0);
    c->x_log = jn_sweep_axis_of(p->s, 0).is_log;
    for (int y = p->nvaried; y < first && *npanels < PANELS_MOST; y++)
        panel[(*npanels)++] = (jn_chart_panel){
            .label = jn_sweep_column(p->s, y), .nseries = 1, .series = cloud(p, 0, y, 1)};
    if (each)
        panel[(*npanels)++] =
            (jn_chart_panel){.label = without_number(p, jn_sweep_column(p->s, first)),
                             .nseries = 1,
                             .series = cloud(p, 0, first, each)};
}

/* ---- histograms ---------------------------------------------------------------------------- */

static const char *describe(const sweep_plot *p, const double *v, uint64_t n, uint64_t missing)
{
    double mean = 0, square = 0;
    for (uint64_t i = 0; i < n; i++)
        mean += v[i] / (double)n;
    for (uint64_t i = 0; i < n; i++)
        square += (v[i] - mean) * (v[i] - mean) / (n > 1 ? (double)(n - 1) : 1);
    const char *text = jn_arena_printf(p->arena, "%llu runs, mean %.5g, deviation %.3g",
                                       (unsigned long long)n, mean, sqrt(square));
    return missing ? jn_arena_printf(p->arena, "%s; %llu without a value", text,
                                     (unsigned long long)missing)
                   : text;
}

static void count_bars(jn_chart_series *s, const double *v, uint64_t n, double low, double high)
{
    double *edge = (double *)s->x, *bar = (double *)s->y;
    for (int i = 0; i <= s->n; i++)
        edge[i] = low + (high - low) * i / s->n;
    for (uint64_t i = 0; i < n; i++) {
        int k = high > low ? (int)((v[i] - low) / (high - low) * s->n) : 0;
        bar[k < s->n ? k : s->n - 1]++;
    }
}

static jn_chart_panel histogram(const sweep_plot *p, int column)
{
    double *v = column_of(p, column, 0, 1, p->rows), low = INFINITY, high = -INFINITY;
    uint64_t n = 0;
    for (uint64_t i = 0; i < p->rows; i++)
        if (isfinite(v[i])) {
            low = fmin(low, v[i]);
            high = fmax(high, v[i]);
            v[n++] = v[i];
        }
    if (!n)
        low = high = 0;
    if (!(high - low > 1e-12 * fabs(high)))
        low -= 0.5, high += 0.5;
    int bars = n < 20 ? 5 : (int)fmin(60, ceil(2 * cbrt((double)n)));
    jn_chart_series *s = jn_arena_alloc(p->arena, sizeof *s);
    *s = (jn_chart_series){.look = JN_CHART_BARS, .n = bars};
    s->x = jn_arena_alloc(p->arena, (size_t)(bars + 1) * sizeof(double));
    s->y = jn_arena_alloc(p->arena, (size_t)bars * sizeof(double));
    count_bars(s, v, n, low, high);
    return (jn_chart_panel){
        .label = "runs", .nseries = 1, .series = s, .note = describe(p, v, n, p->rows - n)};
}

/* Each has an x axis of its own, so that each is a picture: one below the other. */
static void write_histograms(jn_str *svg, sweep_plot *p)
{
    int n = p->ncolumns - p->nvaried;
    jn_chart *c = jn_arena_alloc(p->arena, (size_t)n * sizeof *c);
    for (int i = 0; i < n; i++) {
        jn_chart_panel *panel = jn_arena_alloc(p->arena, sizeof *panel);
        *panel = histogram(p, p->nvaried + i);
        c[i] = (jn_chart){.title = i ? NULL : p->title,
                          .x_label = jn_sweep_column(p->s, p->nvaried + i),
                          .npanels = 1,
                          .panel = panel};
    }
    jn_charts_svg(svg, c, n < PANELS_MOST ? n : PANELS_MOST);
}

/* ---- the whole ----------------------------------------------------------------------------- */

int sweep_plot_write(sweep_plot *p, const char *path)
{
    jn_chart_panel panel[PANELS_MOST + 1];
    jn_chart c = {.title = p->title, .panel = panel};
    jn_str svg;
    jn_str_init(&svg);
    bool good = true;
    if (p->kind == PLOT_HISTOGRAM) {
        write_histograms(&svg, p);
        return cli_picture_write(path, &svg);
    }
    if (p->kind == PLOT_CURVE)
        good = fill_curves(p, &c, panel, &c.npanels);
    else if (p->kind == PLOT_MAP)
        fill_maps(p, &c, panel, &c.npanels);
    else
        fill_dots(p, &c, panel, &c.npanels);
    if (good)
        jn_chart_svg(&svg, &c);
    return good ? cli_picture_write(path, &svg) : CLI_WRONG_USAGE;
}
