/* plot_svg.c: a plot as SVG: axes one above the other, the switches as rows below them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plot_internal.h"
#include "svg.h"

enum {
    WIDTH = 720,
    LEFT = 70,
    RIGHT = 28,
    TOP = 30,
    PANEL = 190, /* height of one group's axes */
    BETWEEN = 20,
    LEGEND_LINE = 14,
    ROW = 11, /* of a switch, and the room between two */
    ROW_GAP = 2,
    NAME_LETTERS = 14, /* of a switch, beside its row */
    BAND_KEY = 13,     /* height of the line that says how to read them */
    BOTTOM = 44,
    COLUMNS = 700, /* to which traces are thinned */
    TICKS = 6
};

static const char style[] = JNI_SVG_AXES_STYLE
    ".switch { text-anchor: end; font-size: 8px; fill: #333; }\n"
    ".off { fill: #eceff2; } .on { fill: #2b6b4f; }\n"
    ".key { font-size: 9px; fill: #333; }\n"
    ".frame { fill: none; stroke: #333; stroke-width: 0.8; }\n"
    ".grid { stroke: #ddd; stroke-width: 0.6; }\n"
    ".event { stroke: #888; stroke-width: 0.6; stroke-dasharray: 2 3; }\n"
    ".trace { fill: none; stroke-width: 1.3; stroke-linejoin: round; }\n" JNI_SVG_COLOURS
    ".again { stroke-dasharray: 7 3; }\n";
/* When the colours are used up, dashed. */
static const char *const look[] = {"c0",       "c1",       "c2",       "c3",
                                   "c4",       "c5",       "c0 again", "c1 again",
                                   "c2 again", "c3 again", "c4 again", "c5 again"};
enum { LOOKS = sizeof look / sizeof look[0] };

typedef struct {
    const jn_plot *p;
    const int *group;
    double low, high; /* values of the axes being written */
    const char *unit; /* of them; NULL: not known */
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
    bool beside = a->unit && jni_plot_takes_prefix(a->unit);
    if (a->unit && !beside) { /* above the axis: beside each number it would not fit */
        jn_str_addf(out, "<text class=\"value\" x=\"%d\" y=\"%.2f\">", LEFT - 6, a->top - 8);
        jni_svg_text(out, a->unit);
        jn_str_add(out, "</text>\n");
    }
    for (int i = 0; i < n; i++) {
        double v = jni_plot_tick(first, step, i), y = y_of(a, v);
        jn_str_addf(out, "<line class=\"grid\" x1=\"%d\" x2=\"%d\" y1=\"%.2f\" y2=\"%.2f\"/>", LEFT,
                    WIDTH - RIGHT, y, y);
        jn_str_addf(out, "<text class=\"value\" x=\"%d\" y=\"%.2f\">", LEFT - 6, y + 4);
        jni_plot_quantity(out, v, jni_plot_power(a->low, a->high), beside ? a->unit : NULL);
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
    jn_plot_clock c = jni_plot_clock_of(p);
    double first, step;
    int n = time_ticks(&first, &step, p, &c);
    for (int i = 0; i < n; i++) {
        double x = x_of(p, c.origin + c.unit * jni_plot_tick(first, step, i));
        jn_str_addf(out, "<line class=\"grid\" x1=\"%.2f\" x2=\"%.2f\" y1=\"%.2f\" y2=\"%.2f\"/>",
                    x, x, top, bottom);
    }
}

static void add_time_labels(jn_str *out, const jn_plot *p, double y)
{
    jn_plot_clock c = jni_plot_clock_of(p);
    double first, step;
    int n = time_ticks(&first, &step, p, &c);
    for (int i = 0; i < n; i++) {
        double t = jni_plot_tick(first, step, i);
        jn_str_addf(out, "<text class=\"tick\" x=\"%.2f\" y=\"%.2f\">",
                    x_of(p, c.origin + c.unit * t), y);
        jni_plot_quantity(out, c.unit * t, c.power, "s");
        jn_str_add(out, "</text>\n");
    }
    jn_str_addf(out, "<text class=\"tick\" x=\"%d\" y=\"%.2f\">", (LEFT + WIDTH - RIGHT) / 2,
                y + 15);
    if (c.origin != 0)
        jn_str_addf(out, "t \xE2\x88\x92 %.9g s", c.origin);
    else
        jn_str_addc(out, 't');
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
    jni_svg_text(out, a->p->name[trace]);
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

static double width_in_legend(const jn_plot *p, int trace)
{
    return 36 + 7 * jn_utf8_width(p->name[trace]);
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
        jni_svg_text(out, a->p->name[i]);
        jn_str_add(out, "</text>\n");
    }
}

static void add_panel(jn_str *out, axes *a, int wanted)
{
    jni_plot_range(&a->low, &a->high, a->p, a->group, wanted);
    double room = (a->high - a->low) * 0.04;
    a->low -= room;
    a->high += room;
    for (int i = 0; i < a->p->ntraces; i++)
        if (a->group[i] == wanted)
            a->unit = unit_of(a->p, i);
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

/* ---- switches ------------------------------------------------------------------------------ */

static void add_switch_name(jn_str *out, const char *name, double y)
{
    int letters = 0;
    const char *end = name;
    for (; *end && letters < NAME_LETTERS; letters++)
        do
            end++;
        while ((*end & 0xC0) == 0x80);
    jn_str shown;
    jn_str_init(&shown);
    jn_str_addf(&shown, "%.*s%s", (int)(end - name), name, *end ? "\xE2\x80\xA6" : "");
    jn_str_addf(out, "<text class=\"switch\" x=\"%d\" y=\"%.2f\">", LEFT - 4, y);
    jni_svg_text(out, jn_str_c(&shown));
    jn_str_add(out, "</text>");
    jn_str_clear(&shown);
}

static void add_row(jn_str *out, const jn_plot *p, int s, double y)
{
    const double width = WIDTH - LEFT - RIGHT;
    jni_lit *lit;
    int n = jni_plot_lit(&lit, p, s, WIDTH);
    jn_str_add(out, "<g class=\"row\"><title>");
    jni_svg_text(out, p->switch_name[s]);
    jn_str_add(out, "</title>");
    add_switch_name(out, p->switch_name[s], y + ROW - 2.5);
    jn_str_addf(out, "<rect class=\"off\" x=\"%d\" y=\"%.2f\" width=\"%.2f\" height=\"%d\"/>", LEFT,
                y, width, ROW - ROW_GAP);
    for (int i = 0; i < n; i++) {
        jn_str_addf(out, "<rect class=\"on\" x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%d\"",
                    LEFT + width * lit[i].from, y, width * (lit[i].to - lit[i].from),
                    ROW - ROW_GAP);
        if (lit[i].share < 1)
            jn_str_addf(out, " fill-opacity=\"%.2f\"", lit[i].share);
        jn_str_add(out, "/>");
    }
    jn_str_add(out, "</g>\n");
    free(lit);
}

static void add_switches(jn_str *out, const jn_plot *p, double y)
{
    for (int s = 0; s < p->nswitches; s++)
        add_row(out, p, s, y + s * ROW);
    jn_str_addf(out, "<text class=\"key\" x=\"%d\" y=\"%.2f\">", LEFT, y + p->nswitches * ROW + 9);
    jni_plot_band_note(out, p);
    jn_str_add(out, "</text>\n");
}

static double band_height(const jn_plot *p)
{
    return p->nswitches ? 6 + p->nswitches * ROW + BAND_KEY : 0;
}

void jn_plot_svg(jn_str *out, const jn_plot *p)
{
    int *group = jn_alloc((size_t)p->ntraces * sizeof *group);
    int ngroups = p->npoints ? jn_plot_group(group, p) : 0;
    double bands = band_height(p);
    double bottom = TOP;
    for (int g = 0; g < ngroups; g++)
        bottom += (g ? BETWEEN : 0) + LEGEND_LINE * legend_lines(p, group, g) + PANEL;
    jni_svg_begin(out, WIDTH, bottom + bands + BOTTOM, style);
    if (p->title) {
        jn_str_addf(out, "<text class=\"title\" x=\"%d\" y=\"18\">", WIDTH / 2);
        jni_svg_text(out, p->title);
        jn_str_add(out, "</text>\n");
    }
    axes a = {.p = p, .group = group, .top = TOP};
    for (int g = 0; g < ngroups; g++, a.top += PANEL + BETWEEN) {
        a.top += LEGEND_LINE * legend_lines(p, group, g);
        add_panel(out, &a, g);
    }
    if (ngroups) {
        if (p->nswitches)
            add_switches(out, p, bottom + 6);
        add_time_labels(out, p, bottom + bands + 16);
    }
    jn_str_add(out, "</svg>\n");
    free(group);
}
