/* bode_svg.c: a response as a picture: magnitude above, phase below, over the logarithm of the
 * frequency. */
#include <math.h>
#include <stdlib.h>

#include "junct/graph.h"
#include "plot_internal.h"
#include "steady_internal.h"
#include "svg.h"

enum { WIDTH = 720, LEFT = 70, RIGHT = 20, TOP = 50, PANEL = 200, BETWEEN = 16, BOTTOM = 44 };

static const char style[] = JNI_SVG_AXES_STYLE
    ".frame { fill: none; stroke: #333; stroke-width: 0.8; }\n"
    ".grid { stroke: #ccc; stroke-width: 0.6; } .fine { stroke: #eee; stroke-width: 0.6; }\n"
    ".trace { fill: none; stroke-width: 1.4; stroke-linejoin: round; }\n"
    ".mean { stroke-dasharray: 5 3; stroke-width: 1; }\n"
    ".margin { stroke-width: 2.4; } .label { font-size: 10px; stroke: white; stroke-width: 3; "
    "paint-order: stroke; }\n"
    ".fill0 { fill: #0057b7; } .fill1 { fill: #c8102e; } .fill2 { fill: #1a7f37; }\n"
    ".fill3 { fill: #8250df; } .fill4 { fill: #bf5b00; } .fill5 { fill: #00838f; "
    "}\n" JNI_SVG_COLOURS;
enum { COLOURS = 6 };

typedef struct {
    double left, right, top, bottom;
} box;

typedef struct {
    const jn_bode *b;
    double low, high, top; /* of the panel that is drawn */
    double **curve;        /* per value: exact, then averaged (or NULL) */
    int nlabels;           /* in the panel so far */
    box *label;
} panel;

static double x_of(const jn_bode *b, double f)
{
    double from = log10(b->frequency[0]), to = log10(b->frequency[b->nfrequencies - 1]);
    return LEFT + (to > from ? (log10(f) - from) / (to - from) : 0.5) * (WIDTH - LEFT - RIGHT);
}

static double y_of(const panel *p, double v)
{
    return p->top + PANEL * (1 - (v - p->low) / (p->high - p->low));
}

/* 1, 2, … 9 of each decade; numbers at the first of them, in a short range at 2 and 5 as well. */
static void frequency_lines(jn_str *out, const panel *p, bool numbers)
{
    const jn_bode *b = p->b;
    bool few = b->frequency[b->nfrequencies - 1] < 20 * b->frequency[0];
    double last = b->frequency[b->nfrequencies - 1];
    for (int decade = (int)floor(log10(b->frequency[0])); pow(10, decade) <= last * 1.0001;
         decade++)
        for (int i = 1; i <= 9; i++) {
            double f = i * pow(10, decade), x = x_of(b, f);
            if (f < b->frequency[0] * 0.9999 || f > last * 1.0001)
                continue;
            jn_str_addf(out,
                        "<line class=\"%s\" x1=\"%.2f\" x2=\"%.2f\" y1=\"%.2f\" y2=\"%.2f\"/>\n",
                        i == 1 ? "grid" : "fine", x, x, p->top, p->top + PANEL);
            if (numbers && (i == 1 || (few && (i == 2 || i == 5)))) {
                jn_str_addf(out, "<text class=\"tick\" x=\"%.2f\" y=\"%.2f\">", x,
                            p->top + PANEL + 16);
                jn_prefixed_print(out, f, 3);
                jn_str_add(out, "</text>\n");
            }
        }
    if (numbers)
        jn_str_addf(out, "<text class=\"tick\" x=\"%d\" y=\"%.2f\">frequency in Hz</text>\n",
                    (LEFT + WIDTH - RIGHT) / 2, p->top + PANEL + 32);
}

static void value_lines(jn_str *out, const panel *p, double step)
{
    for (double v = ceil(p->low / step) * step; v <= p->high + 1e-9 * step; v += step) {
        double y = y_of(p, v);
        jn_str_addf(out, "<line class=\"grid\" x1=\"%d\" x2=\"%d\" y1=\"%.2f\" y2=\"%.2f\"/>", LEFT,
                    WIDTH - RIGHT, y, y);
        jn_str_addf(out, "<text class=\"value\" x=\"%d\" y=\"%.2f\">%g</text>\n", LEFT - 6, y + 4,
                    fabs(v) < 1e-9 * step ? 0 : v);
    }
}

static void curve(jn_str *out, const panel *p, int value, const double *y, bool mean)
{
    const char *move = "M";
    jn_str_addf(out, "<path class=\"trace %sc%d\" d=\"", mean ? "mean " : "", value % COLOURS);
    for (int f = 0; f < p->b->nfrequencies; f++) {
        if (!isfinite(y[f])) {
            move = "M";
            continue;
        }
        jn_str_addf(out, "%s%.2f %.2f", move, x_of(p->b, p->b->frequency[f]), y_of(p, y[f]));
        move = "L";
    }
    jn_str_add(out, "\"/>\n");
}

/* Ends at multiples of the step, which is such that there are at most eight. */
static double choose_range(panel *p, const double *steps, int nsteps)
{
    double low = INFINITY, high = -INFINITY, step = steps[nsteps - 1];
    for (int i = 0; i < 2 * p->b->nvalues; i++)
        for (int f = 0; p->curve[i] && f < p->b->nfrequencies; f++)
            if (isfinite(p->curve[i][f])) {
                low = fmin(low, p->curve[i][f]);
                high = fmax(high, p->curve[i][f]);
            }
    if (!(low <= high))
        low = high = 0;
    for (int i = nsteps - 1; i >= 0; i--)
        if ((high - low) / steps[i] <= 8)
            step = steps[i];
    p->low = floor(low / step - 1e-9) * step;
    p->high = ceil(high / step + 1e-9) * step;
    return step;
}

/* The phase between two frequencies that were asked for. */
static double phase_near(const jn_bode *b, int v, double at)
{
    int f = 1;
    while (f + 1 < b->nfrequencies && b->frequency[f] < at)
        f++;
    double share = log(at / b->frequency[f - 1]) / log(b->frequency[f] / b->frequency[f - 1]);
    double from = b->phase[(f - 1) * b->nvalues + v], to = b->phase[f * b->nvalues + v];
    return from + share * (to - from);
}

/* ---- labels -------------------------------------------------------------------------------- */

enum { LABEL_HIGH = 12, LETTER = 6, LOOKS = 8 /* at a curve between two frequencies */ };

static bool overlap(const box *a, const box *b)
{
    return a->left < b->right && b->left < a->right && a->top < b->bottom && b->top < a->bottom;
}

/* How much of a curve passes through. */
static int hits_of_curve(const panel *p, const double *y, const box *x)
{
    int hits = 0;
    for (int f = 1; f < p->b->nfrequencies; f++) {
        double x0 = x_of(p->b, p->b->frequency[f - 1]), x1 = x_of(p->b, p->b->frequency[f]);
        if (x1 < x->left || x0 > x->right || !isfinite(y[f - 1] + y[f]))
            continue;
        for (int i = 0; i <= LOOKS; i++) {
            double part = (double)i / LOOKS, at = x0 + part * (x1 - x0);
            double v = y_of(p, y[f - 1] + part * (y[f] - y[f - 1]));
            hits += at > x->left && at < x->right && v > x->top && v < x->bottom;
        }
    }
    return hits;
}

/* What stands in the way of a label: other labels and the frame more than any curve. */
static int hits_of(const panel *p, const box *x)
{
    enum { MUCH = 100000 };
    int hits = 0;
    if (x->left < LEFT || x->right > WIDTH - RIGHT || x->top < p->top || x->bottom > p->top + PANEL)
        hits += MUCH;
    for (int i = 0; i < p->nlabels; i++)
        hits += overlap(x, &p->label[i]) ? MUCH : 0;
    for (int i = 0; i < 2 * p->b->nvalues; i++)
        hits += p->curve[i] ? hits_of_curve(p, p->curve[i], x) : 0;
    return hits;
}

/* Beside the point, on either side, as near to its height as there is room. */
static box place_label(const panel *p, double x, double y, int letters)
{
    enum { STEPS = 12 };
    box best = {0};
    int least = -1;
    for (int k = 0; k <= 2 * STEPS && least != 0; k++)
        for (int side = 0; side < 2 && least != 0; side++) {
            double left = side ? x - 5 - LETTER * letters : x + 5;
            double middle = y + (k % 2 ? 1 : -1) * ((k + 1) / 2) * 0.75 * LABEL_HIGH;
            box at = {left, left + LETTER * letters, middle - 0.5 * LABEL_HIGH,
                      middle + 0.5 * LABEL_HIGH};
            int hits = hits_of(p, &at);
            if (least < 0 || hits < least) {
                least = hits;
                best = at;
            }
        }
    return best;
}

/* From the response to the line that it must not cross: 0 dB, or a turn of -180 degrees. */
static void margin(jn_str *out, panel *p, int v, bool of_phase)
{
    const jn_margins *m = &p->b->margins[v];
    const jn_crossing *c = jn_crossings_tightest(of_phase ? &m->gain : &m->phase);
    if (!c || p->b->nfrequencies < 2)
        return;
    double line =
        of_phase ? 360 * round((phase_near(p->b, v, c->frequency) - c->margin + 180) / 360) - 180
                 : 0;
    double at = of_phase ? line + c->margin : -c->margin, x = x_of(p->b, c->frequency);
    double y0 = y_of(p, fmin(fmax(at, p->low), p->high));
    double y1 = y_of(p, fmin(fmax(line, p->low), p->high));
    jn_str_addf(out, "<line class=\"margin c%d\" x1=\"%.2f\" x2=\"%.2f\" y1=\"%.2f\" y2=\"%.2f\"/>",
                v % COLOURS, x, x, y0, y1);
    char text[32];
    jn_format(text, sizeof text, "%.3g%s", c->margin, of_phase ? "°" : " dB");
    box place = place_label(p, x, 0.5 * (y0 + y1), jn_utf8_width(text));
    jn_str_addf(out, "<text class=\"label fill%d\" x=\"%.2f\" y=\"%.2f\">%s</text>\n", v % COLOURS,
                place.left, place.bottom - 2, text);
    p->label[p->nlabels++] = place;
}

static void draw_panel(jn_str *out, panel *p, const double *steps, int nsteps, const char *label,
                       bool last)
{
    double step = choose_range(p, steps, nsteps);
    value_lines(out, p, step);
    frequency_lines(out, p, last);
    for (int v = 0; v < p->b->nvalues; v++) {
        if (p->curve[2 * v + 1])
            curve(out, p, v, p->curve[2 * v + 1], true);
        curve(out, p, v, p->curve[2 * v], false);
    }
    p->nlabels = 0;
    for (int v = 0; v < p->b->nvalues && p->b->margins; v++)
        margin(out, p, v, last);
    jn_str_addf(out, "<rect class=\"frame\" x=\"%d\" y=\"%.2f\" width=\"%d\" height=\"%d\"/>\n",
                LEFT, p->top, WIDTH - LEFT - RIGHT, PANEL);
    jn_str_addf(out,
                "<text transform=\"translate(16 %.2f) rotate(-90)\" class=\"tick\">%s</text>\n",
                p->top + PANEL / 2, label);
}

static void legend(jn_str *out, const jn_bode *b)
{
    double x = LEFT;
    for (int v = 0; v < b->nvalues; v++) {
        jn_str_addf(out,
                    "<path class=\"trace c%d\" d=\"M%.2f 38l16 0\"/><text x=\"%.2f\" y=\"42\">",
                    v % COLOURS, x, x + 20);
        jni_svg_text(out, b->name[v]);
        jn_str_add(out, "</text>\n");
        x += 36 + 7 * jn_utf8_width(b->name[v]);
    }
    if (b->averaged)
        jn_str_addf(out,
                    "<path class=\"trace mean c0\" d=\"M%.2f 38l16 0\"/>"
                    "<text x=\"%.2f\" y=\"42\">averaged</text>\n",
                    x, x + 20);
}

static double *sizes(const jn_bode *b, const jn_complex *x, int v)
{
    double *y = jn_alloc((size_t)b->nfrequencies * sizeof *y);
    for (int f = 0; f < b->nfrequencies; f++)
        y[f] = 20 * log10(hypot(x[f * b->nvalues + v].re, x[f * b->nvalues + v].im));
    return y;
}

static double *phases(const jn_bode *b, int v)
{
    double *y = jn_alloc((size_t)b->nfrequencies * sizeof *y);
    for (int f = 0; f < b->nfrequencies; f++)
        y[f] = b->phase[f * b->nvalues + v];
    return y;
}

/* Of the averaged model: the turn that is nearest to the exact one. */
static double *averaged_phases(const jn_bode *b, int v)
{
    double *y = phases(b, v);
    for (int f = 0; f < b->nfrequencies; f++) {
        const jn_complex *x = &b->averaged[f * b->nvalues + v];
        double phase = atan2(x->im, x->re) * 180 / JN_PI;
        y[f] = phase + 360 * round((y[f] - phase) / 360);
    }
    return y;
}

void jn_plot_bode(jn_str *svg, const jn_bode *b, const jn_bode_style *s)
{
    static const double decibels[] = {0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100};
    static const double degrees[] = {1, 2, 5, 10, 15, 30, 45, 90, 180, 360, 720};
    panel p = {.b = b, .top = TOP, .curve = jn_alloc(2 * (size_t)b->nvalues * sizeof *p.curve)};
    p.label = jn_alloc((size_t)b->nvalues * sizeof *p.label);
    jni_svg_begin(svg, WIDTH, TOP + 2 * PANEL + BETWEEN + BOTTOM, style);
    jn_str_addf(svg, "<text class=\"title\" x=\"%d\" y=\"20\">", WIDTH / 2);
    jni_svg_text(svg, b->graph->title ? b->graph->title : b->graph->name);
    jn_str_add(svg, ": response to ");
    jni_svg_text(svg, s->from);
    jn_str_add(svg, "</text>\n");
    legend(svg, b);
    for (int part = 0; part < 2; part++) {
        for (int v = 0; v < b->nvalues; v++) {
            p.curve[2 * v] = part ? phases(b, v) : sizes(b, b->response, v);
            p.curve[2 * v + 1] = !b->averaged ? NULL
                                 : part       ? averaged_phases(b, v)
                                              : sizes(b, b->averaged, v);
        }
        if (part)
            draw_panel(svg, &p, degrees, sizeof degrees / sizeof *degrees, "phase in degrees",
                       true);
        else
            draw_panel(svg, &p, decibels, sizeof decibels / sizeof *decibels, "magnitude in dB",
                       false);
        p.top += PANEL + BETWEEN;
        for (int i = 0; i < 2 * b->nvalues; i++)
            free(p.curve[i]);
    }
    jn_str_add(svg, "</svg>\n");
    free(p.curve);
    free(p.label);
}
