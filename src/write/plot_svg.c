/* plot_svg.c: a plot as SVG: axes one above the other, the modes as bands below them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plot_internal.h"
#include "svg.h"

enum {
    WIDTH = 720,
    LEFT = 70,
    RIGHT = 20,
    TOP = 30,
    PANEL = 190, /* height of one group's axes */
    BETWEEN = 20,
    LEGEND_LINE = 14,
    BANDS = 16,    /* height of the strip of modes */
    BAND_KEY = 13, /* of the line that says what its digits are */
    BOTTOM = 44,
    COLUMNS = 700, /* to which traces are thinned */
    TICKS = 6
};

static const char style[] =
    ".paper { fill: white; }\n"
    "text { font-family: Helvetica, Arial, 'Liberation Sans', sans-serif; font-size: 11px; }\n"
    ".title { font-size: 14px; text-anchor: middle; }\n"
    ".tick { text-anchor: middle; fill: #333; }\n"
    ".value { text-anchor: end; fill: #333; }\n"
    ".mode { text-anchor: middle; font-size: 8px; fill: #333; }\n"
    ".key { font-size: 9px; fill: #333; }\n"
    ".frame { fill: none; stroke: #333; stroke-width: 0.8; }\n"
    ".grid { stroke: #ddd; stroke-width: 0.6; }\n"
    ".event { stroke: #888; stroke-width: 0.6; stroke-dasharray: 2 3; }\n"
    ".trace { fill: none; stroke-width: 1.3; stroke-linejoin: round; }\n"
    ".c0 { stroke: #0057b7; } .c1 { stroke: #c8102e; } .c2 { stroke: #1a7f37; }\n"
    ".c3 { stroke: #8250df; } .c4 { stroke: #bf5b00; } .c5 { stroke: #00838f; }\n"
    ".again { stroke-dasharray: 7 3; }\n"
    ".s0 { fill: #dbe9ff; } .s1 { fill: #ffe3c2; } .s2 { fill: #d9f2d9; }\n"
    ".s3 { fill: #f0dcff; } .s4 { fill: #fff5bf; } .s5 { fill: #d8f1f3; }\n";
/* When the colours are used up, dashed. */
static const char *const look[] = {"c0",       "c1",       "c2",       "c3",
                                   "c4",       "c5",       "c0 again", "c1 again",
                                   "c2 again", "c3 again", "c4 again", "c5 again"};
enum { LOOKS = sizeof look / sizeof look[0] };

typedef struct {
    const jn_plot *p;
    const int *group;
    double low, high; /* values of the axes being written */
    double top;       /* their place */
} axes;

static double x_of(const jn_plot *p, double t)
{
    double from = p->t[0], span = p->t[p->npoints - 1] - from;
    return LEFT + (span > 0 ? (t - from) / span : 0.5) * (WIDTH - LEFT - RIGHT);
}

static double y_of(const axes *a, double v)
{
    return a->top + PANEL * (1 - (v - a->low) / (a->high - a->low));
}

/* ---- the parts ----------------------------------------------------------------------------- */

static void add_value_ticks(jn_str *out, const axes *a)
{
    double first, step;
    int n = jn_plot_ticks(&first, &step, a->low, a->high, TICKS);
    for (int i = 0; i < n; i++) {
        double v = jn_plot_tick(first, step, i), y = y_of(a, v);
        jn_str_addf(out, "<line class=\"grid\" x1=\"%d\" x2=\"%d\" y1=\"%.2f\" y2=\"%.2f\"/>", LEFT,
                    WIDTH - RIGHT, y, y);
        jn_str_addf(out, "<text class=\"value\" x=\"%d\" y=\"%.2f\">", LEFT - 6, y + 4);
        jn_plot_number(out, v);
        jn_str_add(out, "</text>\n");
    }
}

/* Round times in [from, to], as the clock shows them: the first, the step; returns how many. */
static int time_ticks(double *first, double *step, const jn_plot *p, const jn_plot_clock *c)
{
    return jn_plot_ticks(first, step, (p->t[0] - c->origin) / c->unit,
                         (p->t[p->npoints - 1] - c->origin) / c->unit, TICKS);
}

static void add_time_ticks(jn_str *out, const jn_plot *p, double top, double bottom)
{
    jn_plot_clock c = jn_plot_clock_of(p);
    double first, step;
    int n = time_ticks(&first, &step, p, &c);
    for (int i = 0; i < n; i++) {
        double x = x_of(p, c.origin + c.unit * jn_plot_tick(first, step, i));
        jn_str_addf(out, "<line class=\"grid\" x1=\"%.2f\" x2=\"%.2f\" y1=\"%.2f\" y2=\"%.2f\"/>",
                    x, x, top, bottom);
    }
}

static void add_time_labels(jn_str *out, const jn_plot *p, double y)
{
    jn_plot_clock c = jn_plot_clock_of(p);
    double first, step;
    int n = time_ticks(&first, &step, p, &c);
    for (int i = 0; i < n; i++) {
        double t = jn_plot_tick(first, step, i);
        jn_str_addf(out, "<text class=\"tick\" x=\"%.2f\" y=\"%.2f\">%.6g</text>\n",
                    x_of(p, c.origin + c.unit * t), y, t);
    }
    jn_str_addf(out, "<text class=\"tick\" x=\"%d\" y=\"%.2f\">", (LEFT + WIDTH - RIGHT) / 2,
                y + 15);
    if (c.origin != 0)
        jn_str_addf(out, c.power ? "(t - %.9g)" : "t - %.9g", c.origin);
    else
        jn_str_addc(out, 't');
    if (c.power)
        jn_str_addf(out, " / 1e%d", c.power);
    jn_str_add(out, "</text>\n");
}

static void add_events(jn_str *out, const axes *a)
{
    if (a->p->nbands > JN_PLOT_MARKS_MAX)
        return;
    for (int i = 1; i < a->p->nbands; i++)
        jn_str_addf(
            out, "<line class=\"event\" x1=\"%.2f\" x2=\"%.2f\" y1=\"%.2f\" y2=\"%.2f\"/>\n",
            x_of(a->p, a->p->band[i].from), x_of(a->p, a->p->band[i].from), a->top, a->top + PANEL);
}

static void add_trace(jn_str *out, const axes *a, int trace)
{
    int *index, n = jn_plot_thin(&index, a->p, trace, COLUMNS);
    const double *v = a->p->value[trace];
    const char *move = "M";
    jn_str_addf(out, "<path class=\"trace %s\" data-trace=\"", look[trace % LOOKS]);
    jn_svg_text(out, a->p->name[trace]);
    jn_str_add(out, "\" d=\"");
    for (int i = 0; i < n; i++) {
        if (!isfinite(v[index[i]])) {
            move = "M";
            continue;
        }
        jn_str_addf(out, "%s%.2f %.2f", move, x_of(a->p, a->p->t[index[i]]), y_of(a, v[index[i]]));
        move = "L";
    }
    jn_str_add(out, "\"/>\n");
    free(index);
}

static const char *unit_of(const jn_plot *p, int trace)
{
    return p->unit ? p->unit[trace] : NULL;
}

/* Of a trace in the legend: "i in A". */
static double width_in_legend(const jn_plot *p, int trace)
{
    const char *unit = unit_of(p, trace);
    return 36 + 7 * jn_utf8_width(p->name[trace]) + (unit ? 18 + 7 * jn_utf8_width(unit) : 0);
}

/* The place of the next trace in the legend, which begins a new line where it does not fit. */
static void next_in_legend(double *x, int *line, double width)
{
    if (*line < 0 || *x + width > WIDTH - RIGHT) {
        *x = LEFT;
        ++*line;
    }
    *x += width;
}

static int legend_lines(const jn_plot *p, const int *group, int wanted)
{
    double x = LEFT;
    int line = -1;
    for (int i = 0; i < p->ntraces; i++)
        if (group[i] == wanted)
            next_in_legend(&x, &line, width_in_legend(p, i));
    return line + 1;
}

static void add_legend(jn_str *out, const axes *a, int wanted)
{
    double end = LEFT, top = a->top - LEGEND_LINE * legend_lines(a->p, a->group, wanted);
    int line = -1;
    for (int i = 0; i < a->p->ntraces; i++) {
        if (a->group[i] != wanted)
            continue;
        double width = width_in_legend(a->p, i);
        next_in_legend(&end, &line, width);
        double x = end - width, y = top + LEGEND_LINE * line;
        jn_str_addf(out, "<path class=\"trace %s\" d=\"M%.2f %.2fl16 0\"/>", look[i % LOOKS], x,
                    y + 6);
        jn_str_addf(out, "<text x=\"%.2f\" y=\"%.2f\">", x + 20, y + 10);
        jn_svg_text(out, a->p->name[i]);
        if (unit_of(a->p, i)) {
            jn_str_add(out, " in ");
            jn_svg_text(out, unit_of(a->p, i));
        }
        jn_str_add(out, "</text>\n");
    }
}

static void add_panel(jn_str *out, axes *a, int wanted)
{
    jn_plot_range(&a->low, &a->high, a->p, a->group, wanted);
    double room = (a->high - a->low) * 0.04;
    a->low -= room;
    a->high += room;
    add_value_ticks(out, a);
    add_time_ticks(out, a->p, a->top, a->top + PANEL);
    add_events(out, a);
    for (int i = 0; i < a->p->ntraces; i++)
        if (a->group[i] == wanted)
            add_trace(out, a, i);
    jn_str_addf(out, "<rect class=\"frame\" x=\"%d\" y=\"%.2f\" width=\"%d\" height=\"%d\"/>\n",
                LEFT, a->top, WIDTH - LEFT - RIGHT, PANEL);
    add_legend(out, a, wanted);
}

static void add_bands(jn_str *out, const jn_plot *p, double y)
{
    if (p->nbands > JN_PLOT_BANDS_MAX)
        return;
    int *shade = jn_plot_mode_shades(p);
    for (int i = 0; i < p->nbands; i++) {
        double from = x_of(p, p->band[i].from);
        double to = x_of(p, i + 1 < p->nbands ? p->band[i + 1].from : p->t[p->npoints - 1]);
        jn_str_addf(out, "<rect class=\"s%d\" x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%d\">",
                    shade[i], from, y, to - from, BANDS);
        jn_str_addf(out, "<title>%s from t = %.9g</title></rect>\n", p->band[i].mode,
                    p->band[i].from);
        if (to - from > 5.2 * (double)strlen(p->band[i].mode) + 3)
            jn_str_addf(out, "<text class=\"mode\" x=\"%.2f\" y=\"%.2f\">%s</text>\n",
                        (from + to) / 2, y + BANDS - 4, p->band[i].mode);
    }
    free(shade);
}

/* A mode in which some switches turn faster than can be shown has stars for them. */
static void add_band_key(jn_str *out, const jn_plot *p, double y)
{
    bool stars = false;
    for (int i = 0; i < p->nbands; i++)
        stars = stars || strchr(p->band[i].mode, '*');
    jn_str_addf(out, "<text class=\"key\" x=\"%d\" y=\"%.2f\">modes as ", LEFT, y);
    jn_svg_text(out, p->digits);
    jn_str_addf(out, "%s</text>\n", stars ? "; * turns faster than can be shown" : "");
}

static double band_height(const jn_plot *p)
{
    if (!p->nbands)
        return 0;
    return BANDS + 6 + (p->digits ? BAND_KEY : 0);
}

void jn_plot_svg(jn_str *out, const jn_plot *p)
{
    int *group = jn_alloc((size_t)p->ntraces * sizeof *group);
    int ngroups = p->npoints ? jn_plot_group(group, p) : 0;
    double bands = band_height(p);
    double bottom = TOP;
    for (int g = 0; g < ngroups; g++)
        bottom += (g ? BETWEEN : 0) + LEGEND_LINE * legend_lines(p, group, g) + PANEL;
    jn_svg_begin(out, WIDTH, bottom + bands + BOTTOM, style);
    if (p->title) {
        jn_str_addf(out, "<text class=\"title\" x=\"%d\" y=\"18\">", WIDTH / 2);
        jn_svg_text(out, p->title);
        jn_str_add(out, "</text>\n");
    }
    axes a = {.p = p, .group = group, .top = TOP};
    for (int g = 0; g < ngroups; g++, a.top += PANEL + BETWEEN) {
        a.top += LEGEND_LINE * legend_lines(p, group, g);
        add_panel(out, &a, g);
    }
    if (ngroups) {
        add_bands(out, p, bottom + 6);
        if (p->nbands && p->digits)
            add_band_key(out, p, bottom + bands - 2);
        add_time_labels(out, p, bottom + bands + 16);
    }
    jn_str_add(out, "</svg>\n");
    free(group);
}
