/* plot_latex.c: a plot for a document with pgfplots: axes for each group of traces, the modes as
 * bands at their foot. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "junct/ratfun.h"
#include "plot_internal.h"

enum {
    COLUMNS = 160,      /* to which traces are thinned: TeX is slow */
    BAND_LETTERS = 130, /* that fit the strip of modes */
    LEGEND_LETTERS = 80,
    TICKS = 6,
    AXES_TOGETHER = 4, /* that fit on one page */
    LEGEND_LINE = 7    /* the width of a line in the legend, in letters */
};

static const char *const colour[] = {"blue!75!black", "red!80!black",    "green!45!black",
                                     "violet",        "orange!80!black", "teal"};
enum { COLOURS = sizeof colour / sizeof colour[0] };

typedef struct {
    const jn_plot *p;
    const int *group;
    int wanted; /* the group of these axes */
    bool is_last;
    jn_plot_clock clock;
} axes;

static double x_of(const axes *a, double t)
{
    return (t - a->clock.origin) / a->clock.unit;
}

static void add_trace(jn_str *out, const axes *a, int trace)
{
    const jn_plot *p = a->p;
    int *index, n = jn_plot_thin(&index, p, trace, COLUMNS);
    jn_str_addf(out, "\\addplot[color=%s,thick%s,unbounded coords=jump] coordinates {",
                colour[trace % COLOURS], trace < COLOURS ? "" : ",dashed");
    for (int i = 0; i < n; i++) {
        double v = p->value[trace][index[i]];
        jn_str_addf(out, "%s(%.9g,", i % 8 ? "" : "\n", x_of(a, p->t[index[i]]));
        if (isfinite(v))
            jn_str_addf(out, "%.9g)", v);
        else
            jn_str_add(out, "nan)");
    }
    jn_str_add(out, "\n};\n\\addlegendentry{$");
    jn_latex_symbol(out, p->name[trace]);
    jn_str_addc(out, '$');
    if (p->unit && p->unit[trace]) {
        jn_str_add(out, " in ");
        jn_latex_text(out, p->unit[trace]);
    }
    jn_str_add(out, "}\n");
    free(index);
}

/* The part of the axes' width at which a time lies. */
static double share(const jn_plot *p, double t)
{
    double span = p->t[p->npoints - 1] - p->t[0];
    return span > 0 ? (t - p->t[0]) / span : 0.5;
}

static void add_events(jn_str *out, const jn_plot *p)
{
    for (int i = 1; i < p->nbands && p->nbands <= JN_PLOT_MARKS_MAX; i++) {
        double x = share(p, p->band[i].from);
        jn_str_addf(out, "\\draw[black!45,dotted] (rel axis cs:%.6f,0) -- (rel axis cs:%.6f,1);\n",
                    x, x);
    }
}

/* A strip below the last axes. */
static void add_bands(jn_str *out, const jn_plot *p)
{
    static const char *const shade[JN_PLOT_SHADES] = {"blue!15",   "orange!25", "green!18",
                                                      "violet!18", "yellow!35", "teal!18"};
    int *number = jn_plot_mode_shades(p);
    for (int i = 0; i < p->nbands && p->nbands <= JN_PLOT_BANDS_MAX; i++) {
        double from = share(p, p->band[i].from);
        double to = i + 1 < p->nbands ? share(p, p->band[i + 1].from) : 1;
        jn_str_addf(out,
                    "\\fill[%s] (rel axis cs:%.6f,-0.10) rectangle (rel axis cs:%.6f,-0.02);\n",
                    shade[number[i]], from, to);
        if ((to - from) * BAND_LETTERS > (double)strlen(p->band[i].mode) + 1)
            jn_str_addf(out, "\\node[font=\\tiny] at (rel axis cs:%.6f,-0.06) {%s};\n",
                        (from + to) / 2, p->band[i].mode);
    }
    free(number);
}

/* ---- axes ---------------------------------------------------------------------------------- */

/* So many names of traces fit beside each other. */
static int legend_columns(const axes *a)
{
    int n = 0, widest = 1;
    for (int i = 0; i < a->p->ntraces; i++) {
        const char *unit = a->p->unit ? a->p->unit[i] : NULL;
        int width = jn_utf8_width(a->p->name[i]) + (unit ? 4 + jn_utf8_width(unit) : 0);
        if (a->group[i] != a->wanted)
            continue;
        n++;
        widest = width > widest ? width : widest;
    }
    int fit = LEGEND_LETTERS / (widest + LEGEND_LINE);
    return fit < 1 ? 1 : fit < n ? fit : n;
}

static void add_time_label(jn_str *out, const jn_plot_clock *c)
{
    jn_str_add(out, ",xlabel={$");
    if (c->origin != 0)
        jn_str_addf(out, c->power ? "(t - %.9g)" : "t - %.9g", c->origin);
    else
        jn_str_addc(out, 't');
    if (c->power)
        jn_str_addf(out, "\\,/\\,10^{%d}", c->power);
    jn_str_add(out, "$}");
}

/* Only the last axes have numbers below them. */
static void add_options(jn_str *out, const axes *a)
{
    const jn_plot *p = a->p;
    double low, high;
    jn_plot_range(&low, &high, p, a->group, a->wanted);
    double margin = 0.04 * (high - low), first, step;
    int n = jn_plot_ticks(&first, &step, low - margin, high + margin, TICKS);
    jn_str_addf(out, "[traces,xmin=%.9g,xmax=%.9g,ymin=%.9g,ymax=%.9g,legend columns=%d",
                x_of(a, p->t[0]), x_of(a, p->t[p->npoints - 1]), low - margin, high + margin,
                legend_columns(a));
    jn_str_add(out, ",ytick={");
    for (int i = 0; i < n; i++)
        jn_str_addf(out, "%s%.9g", i ? "," : "", jn_plot_tick(first, step, i));
    jn_str_addc(out, '}');
    if (!a->is_last)
        jn_str_add(out, ",xticklabels={}");
    else if (p->nbands)
        jn_str_add(out, ",xticklabel style={yshift=-5mm}");
    if (a->is_last)
        add_time_label(out, &a->clock);
    jn_str_add(out, "]\n");
}

static void add_axes(jn_str *out, const axes *a)
{
    jn_str_add(out, "\\begin{tikzpicture}[trim axis left,trim axis right]\n\\begin{axis}");
    add_options(out, a);
    add_events(out, a->p);
    for (int i = 0; i < a->p->ntraces; i++)
        if (a->group[i] == a->wanted)
            add_trace(out, a, i);
    if (a->is_last)
        add_bands(out, a->p);
    jn_str_add(out, "\\end{axis}\n\\end{tikzpicture}\\par\n");
}

void jn_plot_latex(jn_str *out, const jn_plot *p)
{
    if (p->npoints == 0 || !(p->t[p->npoints - 1] > p->t[0]))
        return; /* no time went by */
    int *group = jn_alloc((size_t)p->ntraces * sizeof *group);
    int n = jn_plot_group(group, p);
    axes a = {.p = p, .group = group, .clock = jn_plot_clock_of(p)};
    bool together = n <= AXES_TOGETHER;
    jn_str_add(out, together ? "\\begin{minipage}{\\linewidth}\\centering\n" : "\\begin{center}\n");
    for (a.wanted = 0; a.wanted < n; a.wanted++) {
        a.is_last = a.wanted + 1 == n;
        add_axes(out, &a);
    }
    jn_str_add(out, together ? "\\end{minipage}\\par\n" : "\\end{center}\n");
    free(group);
}
