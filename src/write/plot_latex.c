/* plot_latex.c: a plot for a document with pgfplots: axes for each group of traces, the modes as
 * rows at their foot. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "junct/ratfun.h"
#include "plot_internal.h"

enum {
    COLUMNS = 480, /* to which traces are thinned: about as many as lines fit side by side */
    ROW_PIECES = 240,
    AXES_MM = 38, /* height of the axes, as in the style `traces` */
    LEGEND_LETTERS = 80,
    TICKS = 6,
    TIME_TICKS = 10,
    AXES_TOGETHER = 4, /* that fit on one page */
    LEGEND_LINE = 7    /* the width of a line in the legend, in letters */
};

#define LINE_MM 0.05 /* by which a trace may be off: a fifth of a line's width */

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

/* The slopes of the lines from a point that pass the points after it closely enough. */
typedef struct {
    double least, most;
} cone;

static bool narrow(cone *c, double dt, double dv, double close)
{
    if (!(dt > 0) || !isfinite(dv))
        return false;
    bool inside = dv / dt >= c->least && dv / dt <= c->most;
    c->least = fmax(c->least, (dv - close) / dt);
    c->most = fmin(c->most, (dv + close) / dt);
    return inside;
}

/* Leaves out what a straight line shows as well: TeX is slow. Returns how many stay. */
static int straighten(int *index, int n, const axes *a, int trace)
{
    const double *t = a->p->t, *v = a->p->value[trace];
    double low, high;
    jni_plot_range(&low, &high, a->p, a->group, a->wanted);
    double close = (high - low) * LINE_MM / AXES_MM;
    int kept = n > 0;
    cone c = {-INFINITY, INFINITY};
    for (int i = 1; i < n; i++) {
        int from = index[kept - 1], last = index[i - 1];
        if (narrow(&c, t[index[i]] - t[from], v[index[i]] - v[from], close))
            continue;
        if (last > from)
            index[kept++] = last;
        c = (cone){-INFINITY, INFINITY};
        from = index[kept - 1];
        if (!narrow(&c, t[index[i]] - t[from], v[index[i]] - v[from], close))
            index[kept++] = index[i];
    }
    if (n > 0 && index[kept - 1] < index[n - 1])
        index[kept++] = index[n - 1];
    return kept;
}

static void add_trace(jn_str *out, const axes *a, int trace)
{
    const jn_plot *p = a->p;
    int *index, n = jn_plot_thin(&index, p, trace, COLUMNS);
    n = straighten(index, n, a, trace);
    jn_str_addf(out,
                "\\addplot[color=%s,thick%s,line join=round,unbounded coords=jump] coordinates {",
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

/* Rows below the last axes, a switch each; heights are parts of that of the axes. */
static const double ROW = 0.085, ROW_GAP = 0.015;

static double row_top(int s)
{
    return -0.03 - s * ROW;
}

static void add_row(jn_str *out, const jn_plot *p, int s)
{
    double top = row_top(s), bottom = top - ROW + ROW_GAP;
    jni_lit *lit;
    int n = jni_plot_lit(&lit, p, s, ROW_PIECES);
    jn_str_addf(out, "\\node[left,font=\\scriptsize] at (rel axis cs:0,%.4f) {$",
                (top + bottom) / 2);
    jn_latex_symbol(out, p->switch_name[s]);
    jn_str_addf(out, "$};\n\\fill[black!8] (rel axis cs:0,%.4f) rectangle (rel axis cs:1,%.4f);\n",
                top, bottom);
    for (int i = 0; i < n; i++)
        jn_str_addf(
            out, "\\fill[teal!%.0f] (rel axis cs:%.5f,%.4f) rectangle (rel axis cs:%.5f,%.4f);\n",
            10 + 70 * lit[i].share, lit[i].from, top, lit[i].to, bottom);
    free(lit);
}

static void add_switches(jn_str *out, const jn_plot *p)
{
    for (int s = 0; s < p->nswitches; s++)
        add_row(out, p, s);
    jn_str_addf(out, "\\node[right,font=\\scriptsize,inner sep=0pt] at (rel axis cs:0,%.4f) {",
                row_top(p->nswitches) - 0.05);
    jni_plot_band_note(out, p);
    jn_str_add(out, "};\n");
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
    static const char *const prefix[] = {"f", "p", "n", "\\mu ", "m", "", "k", "M", "G", "T"};
    jn_str_add(out, ",xlabel={$");
    if (c->origin != 0)
        jn_str_addf(out, "t - %.9g\\,\\mathrm{s}", c->origin);
    else
        jn_str_addc(out, 't');
    jn_str_addf(out, "$ in $\\mathrm{%ss}$}", prefix[(c->power + 15) / 3]);
}

/* With labels of our own: TeX's arithmetic has five digits, and shows 19.450001. */
static void add_time_ticks(jn_str *out, const axes *a)
{
    const jn_plot *p = a->p;
    double first, step;
    int n =
        jn_plot_ticks(&first, &step, x_of(a, p->t[0]), x_of(a, p->t[p->npoints - 1]), TIME_TICKS);
    for (int labels = 0; labels < 2; labels++) {
        jn_str_add(out, labels ? ",xticklabels={" : ",xtick={");
        for (int i = 0; i < n && (!labels || a->is_last); i++)
            jn_str_addf(out, labels ? "%s$%.9g$" : "%s%.9g", i ? "," : "",
                        jni_plot_tick(first, step, i));
        jn_str_addc(out, '}');
    }
}

/* Only the last axes have numbers below them. */
static void add_options(jn_str *out, const axes *a)
{
    const jn_plot *p = a->p;
    double low, high;
    jni_plot_range(&low, &high, p, a->group, a->wanted);
    double margin = 0.04 * (high - low), first, step;
    int n = jn_plot_ticks(&first, &step, low - margin, high + margin, TICKS);
    jn_str_addf(out, "[traces,xmin=%.9g,xmax=%.9g,ymin=%.9g,ymax=%.9g,legend columns=%d",
                x_of(a, p->t[0]), x_of(a, p->t[p->npoints - 1]), low - margin, high + margin,
                legend_columns(a));
    jn_str_add(out, ",ytick={");
    for (int i = 0; i < n; i++)
        jn_str_addf(out, "%s%.9g", i ? "," : "", jni_plot_tick(first, step, i));
    jn_str_addc(out, '}');
    add_time_ticks(out, a);
    if (a->is_last && p->nswitches)
        jn_str_addf(out, ",xticklabel style={yshift=-%.1fmm}",
                    AXES_MM * (ROW * p->nswitches + 0.13));
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
    if (a->is_last && a->p->nswitches)
        add_switches(out, a->p);
    jn_str_add(out, "\\end{axis}\n\\end{tikzpicture}\\par\n");
}

void jn_plot_latex(jn_str *out, const jn_plot *p)
{
    if (p->npoints == 0 || !(p->t[p->npoints - 1] > p->t[0]))
        return; /* no time went by */
    int *group = jn_alloc((size_t)p->ntraces * sizeof *group);
    int n = jn_plot_group(group, p);
    axes a = {.p = p, .group = group, .clock = jni_plot_clock_of(p)};
    bool together = n <= AXES_TOGETHER;
    jn_str_add(out, together ? "\\begin{minipage}{\\linewidth}\\centering\n" : "\\begin{center}\n");
    for (a.wanted = 0; a.wanted < n; a.wanted++) {
        a.is_last = a.wanted + 1 == n;
        add_axes(out, &a);
    }
    jn_str_add(out, together ? "\\end{minipage}\\par\n" : "\\end{center}\n");
    free(group);
}
