/* chart.c: curves, dots, bars and maps of colours, in SVG. */
#include "junct/chart.h"

#include <math.h>
#include <stdlib.h>

#include "junct/unit.h"
#include "plot_internal.h"
#include "svg.h"

enum {
    WIDTH = 720,
    LEFT = 76,
    RIGHT = 24,
    RIGHT_OF_MAP = 96, /* with the scale of its colours */
    TOP = 34,
    PANEL = 230,
    TALL = 340, /* of a panel that is alone, and of maps */
    ABOVE = 20, /* a panel: its label */
    BETWEEN = 18,
    BOTTOM = 48,
    LEGEND_LINE = 15,
    TICKS = 6,
    LOOKS = 12
};

static const char style[] = JNI_SVG_AXES_STYLE
    ".label { font-weight: bold; }\n"
    ".note { fill: #555; text-anchor: end; }\n"
    ".frame { fill: none; stroke: #333; stroke-width: 0.8; }\n"
    ".grid { stroke: #ddd; stroke-width: 0.6; }\n"
    ".line { fill: none; stroke-width: 1.4; stroke-linejoin: round; }\n"
    ".dots { fill: none; stroke-width: 1.3; stroke-linecap: round; }\n"
    ".bars { fill: #9dbfe8; stroke: #0057b7; stroke-width: 0.6; }\n" JNI_SVG_COLOURS
    ".cell { shape-rendering: crispEdges; }\n"
    ".again { stroke-dasharray: 7 3; }\n";

/* ---- axes ---------------------------------------------------------------------------------- */

typedef struct {
    double low, high; /* of values, or of their logarithms */
    bool is_log;
    double from, to; /* on the page */
} scale;

static double inner(const scale *s, double v)
{
    return s->is_log ? log10(v) : v;
}

static double place(const scale *s, double v)
{
    return s->from + (s->to - s->from) * (inner(s, v) - s->low) / (s->high - s->low);
}

static void widen(scale *s, double v)
{
    double x = inner(s, v);
    if (!isfinite(x))
        return;
    s->low = fmin(s->low, x);
    s->high = fmax(s->high, x);
}

/* Never empty, with some room at its ends. */
static void settle(scale *s, double room)
{
    if (s->low > s->high)
        s->low = s->high = 0;
    double span = s->high - s->low, most = fmax(fabs(s->low), fabs(s->high));
    if (!(span > 1e-12 * most)) { /* a constant: rounding is not shown as a course */
        span = most > 0 ? 0.2 * most : 2;
        s->low -= 0.5 * span;
        s->high += 0.5 * span;
        return;
    }
    s->low -= room * span;
    s->high += room * span;
}

/* Ticks of a logarithmic axis: decades, and where there are few of them 2 and 5. */
static int log_ticks(double *tick, int most, const scale *s)
{
    static const double steps[] = {1, 2, 5};
    int n = 0, fine = s->high - s->low < 2.5 ? 3 : 1;
    int skip = (int)((s->high - s->low) / 10) + 1;
    for (int k = (int)floor(s->low); k <= (int)ceil(s->high); k++)
        for (int i = 0; i < fine && n < most; i++) {
            double x = k + log10(steps[i]);
            if (x >= s->low - 1e-9 && x <= s->high + 1e-9 && k % skip == 0)
                tick[n++] = pow(10, k) * steps[i];
        }
    return n;
}

enum { TICKS_MOST = 64 };

static int ticks_of(double *tick, const scale *s)
{
    double first, step;
    int n = s->is_log ? log_ticks(tick, TICKS_MOST, s) : 0;
    if (n >= 2)
        return n;
    if (s->is_log) { /* less than an octave: as it comes */
        n = jn_plot_ticks(&first, &step, pow(10, s->low), pow(10, s->high), TICKS);
    } else {
        n = jn_plot_ticks(&first, &step, s->low, s->high, TICKS);
    }
    for (int i = 0; i < n && i < TICKS_MOST; i++)
        tick[i] = jni_plot_tick(first, step, i);
    return n < TICKS_MOST ? n : TICKS_MOST;
}

static void add_text(jn_str *out, const char *class, double x, double y, const char *text)
{
    jn_str_addf(out, "<text class=\"%s\" x=\"%.2f\" y=\"%.2f\">", class, x, y);
    jni_svg_text(out, text);
    jn_str_add(out, "</text>\n");
}

static void add_number(jn_str *out, const char *class, double x, double y, double v, bool prefixed)
{
    jn_str_addf(out, "<text class=\"%s\" x=\"%.2f\" y=\"%.2f\">", class, x, y);
    if (prefixed)
        jn_prefixed_print(out, v, 6);
    else
        jni_plot_number(out, v);
    jn_str_add(out, "</text>\n");
}

bool jn_chart_takes_prefixes(const double *x, int n)
{
    for (int i = 0; i < n; i++)
        if (x[i] != 0 && (fabs(x[i]) < 0.99e-3 || fabs(x[i]) > 0.99e5))
            return true;
    return false;
}

static void add_line(jn_str *out, double x1, double y1, double x2, double y2)
{
    jn_str_addf(out, "<line class=\"grid\" x1=\"%.2f\" x2=\"%.2f\" y1=\"%.2f\" y2=\"%.2f\"/>\n", x1,
                x2, y1, y2);
}

static void add_grid(jn_str *out, const scale *x, const scale *y, bool lines)
{
    double tick[TICKS_MOST];
    int n = ticks_of(tick, y);
    bool prefixed = jn_chart_takes_prefixes(tick, n);
    for (int i = 0; i < n; i++) {
        double at = place(y, tick[i]);
        if (lines)
            add_line(out, x->from, at, x->to, at);
        add_number(out, "value", x->from - 6, at + 4, tick[i], prefixed);
    }
    n = ticks_of(tick, x);
    for (int i = 0; i < n && lines; i++)
        add_line(out, place(x, tick[i]), y->from, place(x, tick[i]), y->to);
}

static void add_frame(jn_str *out, const scale *x, const scale *y)
{
    jn_str_addf(out,
                "<rect class=\"frame\" x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\"/>\n",
                x->from, y->to, x->to - x->from, y->from - y->to);
}

static void add_x_labels(jn_str *out, const jn_chart *c, const scale *x, double y)
{
    double tick[TICKS_MOST];
    int n = ticks_of(tick, x);
    bool prefixed = jn_chart_takes_prefixes(tick, n);
    for (int i = 0; i < n; i++)
        add_number(out, "tick", place(x, tick[i]), y + 15, tick[i], prefixed);
    add_text(out, "tick", 0.5 * (x->from + x->to), y + 32, c->x_label);
}

/* ---- series -------------------------------------------------------------------------------- */

static const char *look_of(int i)
{
    static const char *const look[LOOKS] = {"c0",       "c1",       "c2",       "c3",
                                            "c4",       "c5",       "c0 again", "c1 again",
                                            "c2 again", "c3 again", "c4 again", "c5 again"};
    return look[i % LOOKS];
}

static void add_curve(jn_str *out, const jn_chart_series *s, int i, const scale *x, const scale *y)
{
    bool dots = s->look == JN_CHART_DOTS, gap = true;
    jn_str_addf(out, "<path class=\"%s %s\" d=\"", dots ? "dots" : "line", look_of(i));
    for (int k = 0; k < s->n; k++) {
        double px = place(x, s->x[k]), py = place(y, s->y[k]);
        bool here = isfinite(px) && isfinite(py);
        if (here)
            jn_str_addf(out, dots ? "M%.2f %.2fh0" : gap ? "M%.2f %.2f" : "L%.2f %.2f", px, py);
        gap = !here;
    }
    jn_str_add(out, "\"/>\n");
    for (int k = 0; k < s->n && !dots; k++) { /* a point without neighbours would not be seen */
        bool left = k > 0 && isfinite(s->y[k - 1]), right = k + 1 < s->n && isfinite(s->y[k + 1]);
        if (!left && !right && isfinite(place(y, s->y[k])) && isfinite(place(x, s->x[k])))
            jn_str_addf(out, "<path class=\"dots %s\" d=\"M%.2f %.2fh0\"/>\n", look_of(i),
                        place(x, s->x[k]), place(y, s->y[k]));
    }
}

static void add_bars(jn_str *out, const jn_chart_series *s, const scale *x, const scale *y)
{
    for (int k = 0; k < s->n; k++) {
        double from = place(x, s->x[k]), to = place(x, s->x[k + 1]), top = place(y, s->y[k]);
        jn_str_addf(out,
                    "<rect class=\"bars\" x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\"/>\n",
                    from, top, to - from, place(y, 0) - top);
    }
}

/* The place of the next name in the legend, which begins a new line where it does not fit. */
static void next_in_legend(double *x, int *line, double width)
{
    if (*line < 0 || *x + width > WIDTH - RIGHT) {
        *x = LEFT;
        ++*line;
    }
    *x += width;
}

static double width_in_legend(const jn_chart_series *s)
{
    return 36 + 6.5 * jn_utf8_width(s->name);
}

/* Returns its lines; out: NULL, nothing is written. */
static int add_legend(jn_str *out, const jn_chart_panel *p, double top)
{
    double end = LEFT;
    int line = -1;
    for (int i = 0; i < p->nseries; i++) {
        const jn_chart_series *s = &p->series[i];
        if (!s->name)
            continue;
        next_in_legend(&end, &line, width_in_legend(s));
        double x = end - width_in_legend(s), y = top + LEGEND_LINE * line;
        if (!out)
            continue;
        jn_str_addf(out, "<path class=\"line %s\" d=\"M%.2f %.2fl16 0\"/>", look_of(i), x, y + 6);
        add_text(out, "key", x + 20, y + 10, s->name);
    }
    return line + 1;
}

static void add_series(jn_str *out, const jn_chart_panel *p, const scale *x, double top,
                       double height)
{
    scale y = {.low = INFINITY, .high = -INFINITY, .from = top + height, .to = top};
    bool bars = false;
    for (int i = 0; i < p->nseries; i++) {
        bars = bars || p->series[i].look == JN_CHART_BARS;
        for (int k = 0; k < p->series[i].n; k++)
            widen(&y, p->series[i].y[k]);
    }
    if (bars)
        y.low = fmin(y.low, 0);
    settle(&y, 0.04);
    if (bars)
        y.low = 0;
    add_grid(out, x, &y, true);
    for (int i = 0; i < p->nseries; i++)
        if (p->series[i].look == JN_CHART_BARS)
            add_bars(out, &p->series[i], x, &y);
        else
            add_curve(out, &p->series[i], i, x, &y);
    add_frame(out, x, &y);
}

/* ---- maps ---------------------------------------------------------------------------------- */

/* From dark blue over green to yellow, evenly in what the eye sees. */
static void colour_of(char *out, size_t size, double share)
{
    static const unsigned char key[][3] = {{68, 1, 84},    {71, 45, 123},  {59, 82, 139},
                                           {44, 114, 142}, {33, 145, 140}, {40, 174, 128},
                                           {94, 201, 98},  {173, 220, 48}, {253, 231, 37}};
    enum { LAST = sizeof key / sizeof key[0] - 1 };
    double at = fmin(fmax(share, 0), 1) * LAST;
    int k = at >= LAST ? LAST - 1 : (int)at;
    double f = at - k;
    jn_format(out, size, "#%02x%02x%02x", (unsigned)(key[k][0] + f * (key[k + 1][0] - key[k][0])),
              (unsigned)(key[k][1] + f * (key[k + 1][1] - key[k][1])),
              (unsigned)(key[k][2] + f * (key[k + 1][2] - key[k][2])));
}

/* On the page, halfway to the neighbours; at the ends as far as on the other side. */
static double *edges_of(const double *v, int n, const scale *s)
{
    double *edge = jn_alloc((size_t)(n + 1) * sizeof *edge);
    for (int i = 1; i < n; i++)
        edge[i] = 0.5 * (place(s, v[i - 1]) + place(s, v[i]));
    edge[0] = n > 1 ? 2 * place(s, v[0]) - edge[1] : s->from;
    edge[n] = n > 1 ? 2 * place(s, v[n - 1]) - edge[n - 1] : s->to;
    return edge;
}

/* Room for half a cell at each end. */
static void settle_cells(scale *s, int n)
{
    settle(s, n > 1 ? 0.5 / (n - 1) : 0);
}

static void add_colour_scale(jn_str *out, const scale *z, double x, double top)
{
    enum { STEPS = 64 };
    char colour[8];
    for (int i = 0; i < STEPS; i++) {
        double h = (double)TALL / STEPS;
        colour_of(colour, sizeof colour, (i + 0.5) / STEPS);
        jn_str_addf(out,
                    "<rect class=\"cell\" x=\"%.2f\" y=\"%.2f\" width=\"14\" height=\"%.2f\" "
                    "fill=\"%s\"/>\n",
                    x, top + TALL - (i + 1) * h, h + 0.3, colour);
    }
    double tick[TICKS_MOST];
    scale bar = *z;
    bar.from = top + TALL;
    bar.to = top;
    int n = ticks_of(tick, &bar);
    bool prefixed = jn_chart_takes_prefixes(tick, n);
    for (int i = 0; i < n; i++)
        add_number(out, "left", x + 19, place(&bar, tick[i]) + 4, tick[i], prefixed);
}

static void add_map(jn_str *out, const jn_chart_panel *p, const scale *x, double top)
{
    scale y = {
        .low = INFINITY, .high = -INFINITY, .is_log = p->y_log, .from = top + TALL, .to = top};
    scale z = {.low = INFINITY, .high = -INFINITY};
    char colour[8];
    for (int k = 0; k < p->ny; k++)
        widen(&y, p->y[k]);
    settle_cells(&y, p->ny);
    for (int i = 0; i < p->nx * p->ny; i++)
        widen(&z, p->z[i]);
    settle(&z, 0);
    double *ex = edges_of(p->x, p->nx, x), *ey = edges_of(p->y, p->ny, &y);
    for (int i = 0; i < p->nx; i++)
        for (int k = 0; k < p->ny; k++) {
            double v = p->z[i * p->ny + k];
            colour_of(colour, sizeof colour, (v - z.low) / (z.high - z.low));
            jn_str_addf(out,
                        "<rect class=\"cell\" x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" "
                        "fill=\"%s\"/>\n",
                        ex[i], ey[k + 1], ex[i + 1] - ex[i] + 0.3, ey[k] - ey[k + 1] + 0.3,
                        isfinite(v) ? colour : "#e4e4e4");
        }
    free(ex);
    free(ey);
    add_grid(out, x, &y, false);
    add_frame(out, x, &y);
    add_colour_scale(out, &z, x->to + 16, top);
    jn_str_addf(out, "<text class=\"tick\" transform=\"translate(16 %.2f) rotate(-90)\">",
                top + TALL / 2.0);
    jni_svg_text(out, p->y_label ? p->y_label : "");
    jn_str_add(out, "</text>\n");
}

/* ---- the whole ----------------------------------------------------------------------------- */

static double inner_height(const jn_chart *c, const jn_chart_panel *p)
{
    return p->z || (c->npanels == 1 && p->series[0].look != JN_CHART_BARS) ? TALL : PANEL;
}

static double height_of(const jn_chart *c, const jn_chart_panel *p)
{
    return ABOVE + LEGEND_LINE * add_legend(NULL, p, 0) + inner_height(c, p) + BETWEEN;
}

static scale x_scale(const jn_chart *c, bool map)
{
    scale x = {.low = INFINITY, .high = -INFINITY, .is_log = c->x_log, .from = LEFT};
    int cells = 0;
    for (int i = 0; i < c->npanels; i++) {
        const jn_chart_panel *p = &c->panel[i];
        cells = p->z ? p->nx : cells;
        for (int k = 0; k < p->nx && p->z; k++)
            widen(&x, p->x[k]);
        for (int s = 0; s < p->nseries; s++)
            for (int k = 0; k < p->series[s].n + (p->series[s].look == JN_CHART_BARS); k++)
                widen(&x, p->series[s].x[k]);
    }
    x.to = WIDTH - (map ? RIGHT_OF_MAP : RIGHT);
    if (map)
        settle_cells(&x, cells);
    else
        settle(&x, 0.01);
    return x;
}

/* Its panels from `top` on; returns where the next begins. */
static double add_chart(jn_str *out, const jn_chart *c, double top)
{
    bool map = false;
    for (int i = 0; i < c->npanels; i++)
        map = map || c->panel[i].z;
    scale x = x_scale(c, map);
    for (int i = 0; i < c->npanels; i++) {
        const jn_chart_panel *p = &c->panel[i];
        add_text(out, "label", LEFT, top + 12, p->label);
        if (p->note)
            add_text(out, "note", x.to, top + 12, p->note);
        add_legend(out, p, top + ABOVE);
        double inside = top + ABOVE + LEGEND_LINE * add_legend(NULL, p, 0);
        if (p->z)
            add_map(out, p, &x, inside);
        else
            add_series(out, p, &x, inside, inner_height(c, p));
        top += height_of(c, p);
    }
    add_x_labels(out, c, &x, top - BETWEEN);
    return top + BOTTOM - BETWEEN;
}

void jn_charts_svg(jn_str *out, const jn_chart *c, int n)
{
    double height = 0, top = TOP;
    for (int k = 0; k < n; k++) {
        height += BOTTOM - BETWEEN;
        for (int i = 0; i < c[k].npanels; i++)
            height += height_of(&c[k], &c[k].panel[i]);
    }
    jni_svg_begin(out, WIDTH, TOP + height, style);
    if (n && c->title)
        add_text(out, "title", WIDTH / 2.0, 20, c->title);
    for (int k = 0; k < n; k++)
        top = add_chart(out, &c[k], top);
    jn_str_add(out, "</svg>\n");
}

void jn_chart_svg(jn_str *out, const jn_chart *c)
{
    jn_charts_svg(out, c, 1);
}
