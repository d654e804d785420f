/* bench_picture.c: curves of measurements, as SVG.
 *
 * Both axes are logarithmic: a power of the size is a straight line, and its slope is the exponent,
 * which stands at the end of each curve. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"

enum { CHARTS = 8, CURVES = 12, POINTS = 16 };
enum { WIDTH = 760, HEIGHT = 420, LEFT = 70, RIGHT = 230, TOP = 20, BOTTOM = 50 };

typedef struct {
    const char *name;
    int n;
    double x[POINTS], y[POINTS];
} curve;

static struct chart {
    const char *name, *x, *y;
    int n;
    curve curve[CURVES];
} charts[CHARTS];

static struct chart *chart_of(const char *name)
{
    int i = 0;
    while (i < CHARTS - 1 && charts[i].name && strcmp(charts[i].name, name) != 0)
        i++;
    charts[i].name = name;
    return &charts[i];
}

void bench_axes(const char *chart, const char *x, const char *y)
{
    struct chart *c = chart_of(chart);
    c->x = x;
    c->y = y;
}

void bench_point(const char *chart, const char *name, double x, double y)
{
    struct chart *c = chart_of(chart);
    int i = 0;
    while (i < c->n && strcmp(c->curve[i].name, name) != 0)
        i++;
    if (i == CURVES || !(x > 0 && y > 0))
        return;
    if (i == c->n)
        c->curve[c->n++].name = name;
    curve *to = &c->curve[i];
    if (to->n == POINTS)
        return;
    to->x[to->n] = x;
    to->y[to->n++] = y;
}

/* ---- a picture ----------------------------------------------------------------------------- */

typedef struct {
    FILE *f;
    int x0, x1, y0, y1; /* powers of ten at the ends of the axes */
} frame;

static double across(const frame *f, double x)
{
    return LEFT + (log10(x) - f->x0) / (f->x1 - f->x0) * (WIDTH - LEFT - RIGHT);
}

static double down(const frame *f, double y)
{
    return HEIGHT - BOTTOM - (log10(y) - f->y0) / (f->y1 - f->y0) * (HEIGHT - TOP - BOTTOM);
}

static void fit(frame *f, const struct chart *c)
{
    double least[2] = {INFINITY, INFINITY}, most[2] = {0, 0};
    for (int i = 0; i < c->n; i++)
        for (int k = 0; k < c->curve[i].n; k++) {
            least[0] = fmin(least[0], c->curve[i].x[k]);
            most[0] = fmax(most[0], c->curve[i].x[k]);
            least[1] = fmin(least[1], c->curve[i].y[k]);
            most[1] = fmax(most[1], c->curve[i].y[k]);
        }
    f->x0 = (int)floor(log10(least[0]));
    f->x1 = (int)ceil(log10(most[0]) + 1e-9);
    f->y0 = (int)floor(log10(least[1]));
    f->y1 = (int)ceil(log10(most[1]) + 1e-9);
}

static void draw_axes(const frame *f, const struct chart *c)
{
    for (int p = f->x0; p <= f->x1; p++) {
        double x = across(f, pow(10, p));
        fprintf(f->f, "<path d='M%.1f %d V%d' stroke='#ddd'/>\n", x, TOP, HEIGHT - BOTTOM);
        fprintf(f->f, "<text x='%.1f' y='%d' text-anchor='middle'>%g</text>\n", x,
                HEIGHT - BOTTOM + 18, pow(10, p));
    }
    for (int p = f->y0; p <= f->y1; p++) {
        double y = down(f, pow(10, p));
        fprintf(f->f, "<path d='M%d %.1f H%d' stroke='#ddd'/>\n", LEFT, y, WIDTH - RIGHT);
        fprintf(f->f, "<text x='%d' y='%.1f' text-anchor='end'>%g</text>\n", LEFT - 8, y + 4,
                pow(10, p));
    }
    fprintf(f->f, "<text x='%d' y='%d' text-anchor='middle'>%s</text>\n",
            (LEFT + WIDTH - RIGHT) / 2, HEIGHT - 10, c->x);
    fprintf(f->f, "<text transform='translate(16 %d) rotate(-90)' text-anchor='middle'>%s</text>\n",
            (TOP + HEIGHT - BOTTOM) / 2, c->y);
}

/* The exponent between the last two points. */
static double slope(const curve *c)
{
    int n = c->n;
    return n < 2 ? NAN : log(c->y[n - 1] / c->y[n - 2]) / log(c->x[n - 1] / c->x[n - 2]);
}

static void draw_curve(const frame *f, const curve *c, const char *colour, double label)
{
    fprintf(f->f, "<polyline fill='none' stroke='%s' stroke-width='2' points='", colour);
    for (int k = 0; k < c->n; k++)
        fprintf(f->f, "%.1f,%.1f ", across(f, c->x[k]), down(f, c->y[k]));
    fprintf(f->f, "'/>\n");
    for (int k = 0; k < c->n; k++)
        fprintf(f->f, "<circle cx='%.1f' cy='%.1f' r='3' fill='%s'/>\n", across(f, c->x[k]),
                down(f, c->y[k]), colour);
    double x = across(f, c->x[c->n - 1]), y = down(f, c->y[c->n - 1]);
    fprintf(f->f, "<path d='M%.1f %.1f L%d %.1f' stroke='%s' stroke-width='0.5'/>\n", x, y,
            WIDTH - RIGHT + 8, label, colour);
    fprintf(f->f, "<text x='%d' y='%.1f' fill='%s'>%s", WIDTH - RIGHT + 12, label + 4, colour,
            c->name);
    if (isfinite(slope(c)))
        fprintf(f->f, ", n<tspan dy='-4' font-size='9'>%.1f</tspan>", slope(c));
    fprintf(f->f, "</text>\n");
}

/* Names in the order in which the curves end, from above. */
static int by_end(const void *a, const void *b)
{
    const curve *p = a, *q = b;
    double x = p->y[p->n - 1], y = q->y[q->n - 1];
    return (x < y) - (x > y);
}

static void draw(FILE *file, struct chart *c)
{
    static const char *const colours[] = {"#4269d0", "#c2410c", "#3a8a3f", "#a463f2", "#0e7490",
                                          "#be185d", "#57534e", "#a16207", "#1f2937"};
    enum { NCOLOURS = sizeof colours / sizeof colours[0], APART = 20 };
    frame f = {.f = file};
    fit(&f, c);
    fprintf(file,
            "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 %d %d' width='%d' height='%d' "
            "font-family='sans-serif' font-size='12'>\n<rect width='100%%' height='100%%' "
            "fill='white'/>\n",
            WIDTH, HEIGHT, WIDTH, HEIGHT);
    draw_axes(&f, c);
    qsort(c->curve, (size_t)c->n, sizeof *c->curve, by_end);
    double label = -INFINITY;
    for (int i = 0; i < c->n; i++) {
        label = fmax(label + APART, down(&f, c->curve[i].y[c->curve[i].n - 1]));
        label = fmin(label, HEIGHT - BOTTOM - APART * (c->n - 1 - i));
        draw_curve(&f, &c->curve[i], colours[i % NCOLOURS], label);
    }
    fprintf(file, "</svg>\n");
}

void bench_pictures(const char *folder)
{
    for (int i = 0; i < CHARTS && charts[i].name; i++) {
        char path[400];
        snprintf(path, sizeof path, "%s/%s.svg", folder, charts[i].name);
        FILE *file = charts[i].n ? fopen(path, "w") : NULL;
        if (!file)
            continue;
        draw(file, &charts[i]);
        fclose(file);
    }
}
