/* verify_plane.c: where instants end, over a plane of two states, in SVG. What never settles is
 * hatched. */
#include <stdlib.h>

#include "junct/plot.h"
#include "junct/write_verify.h"
#include "svg.h"
#include "verify_internal.h"

enum { LEFT = 78, TOP = 46, SIZE = 420, BELOW = 58, KEY = 230, ROW = 24 };

static const char *const colour[] = {"#9ecae1", "#fdd0a2", "#c7e9c0", "#dadaeb", "#fcbba1",
                                     "#d9d9d9", "#a1d99b", "#bcbddc", "#fee391", "#c6dbef"};

static const char *fill_of(int cell)
{
    int n = (int)(sizeof colour / sizeof *colour);
    return cell == JN_PLANE_LOOP    ? "url(#loop)"
           : cell == JN_PLANE_DEAD  ? "#c0392b"
           : cell == JN_PLANE_OTHER ? "#fff"
                                    : colour[cell % n];
}

static double at_x(const jn_plane *p, double x)
{
    return LEFT + SIZE * (x - p->x_low) / (p->x_high - p->x_low);
}

static double at_y(const jn_plane *p, double y)
{
    return TOP + SIZE * (p->y_high - y) / (p->y_high - p->y_low);
}

/* Cells of one kind that follow each other in a row are one rectangle. */
static void draw_cells(jn_str *out, const jn_plane *p)
{
    double w = (double)SIZE / p->nx, h = (double)SIZE / p->ny;
    jn_str_add(out, "<g shape-rendering=\"crispEdges\">\n"); /* no seams between rows */
    for (int row = 0; row < p->ny; row++)
        for (int first = 0, end; first < p->nx; first = end) {
            const int *cell = p->cell + row * p->nx;
            for (end = first; end < p->nx && cell[end] == cell[first];)
                end++;
            jn_str_addf(
                out, "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" fill=\"%s\"/>\n",
                LEFT + first * w, TOP + (p->ny - 1 - row) * h, (end - first) * w + 0.3, h + 0.3,
                fill_of(cell[first]));
        }
    jn_str_add(out, "</g>\n");
}

static void draw_axis(jn_str *out, const jn_plane *p, bool vertical)
{
    double first, step, low = vertical ? p->y_low : p->x_low,
                        high = vertical ? p->y_high : p->x_high;
    int n = jn_plot_ticks(&first, &step, low, high, 5);
    jn_str name;
    jn_str_init(&name);
    jni_print_state_name(&name, p->graph, vertical ? p->y : p->x);
    for (int i = 0; i < n; i++) {
        double v = first + i * step;
        if (vertical)
            jn_str_addf(out,
                        "<path d=\"M%d %.1fh-5\"/><text x=\"%d\" y=\"%.1f\" "
                        "text-anchor=\"end\">%.4g</text>\n",
                        LEFT, at_y(p, v), LEFT - 9, at_y(p, v) + 4, v);
        else
            jn_str_addf(out,
                        "<path d=\"M%.1f %dv5\"/><text x=\"%.1f\" y=\"%d\" "
                        "text-anchor=\"middle\">%.4g</text>\n",
                        at_x(p, v), TOP + SIZE, at_x(p, v), TOP + SIZE + 19, v);
    }
    if (vertical)
        jn_str_addf(out, "<text x=\"%d\" y=\"%d\">", LEFT - 60, TOP - 10);
    else
        jn_str_addf(out, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">", LEFT + SIZE / 2,
                    TOP + SIZE + 42);
    jni_svg_text(out, jn_str_c(&name));
    jn_str_add(out, "</text>\n");
    jn_str_clear(&name);
}

static bool occurs(const jn_plane *p, int cell)
{
    for (int i = 0; i < p->nx * p->ny; i++)
        if (p->cell[i] == cell)
            return true;
    return false;
}

/* What a cell says. */
static void add_meaning(jn_str *out, const jn_plane *p, int cell)
{
    static const char *const words[] = {"", "never settles", "ends in a conflict of sources",
                                        "a run stops here"};
    if (cell < 0) {
        jn_str_add(out, words[-cell]);
        return;
    }
    jn_str_add(out, "ends in mode ");
    jn_mode_print(out, p->graph, p->mode + cell * p->graph->nswitches);
}

static void draw_key(jn_str *out, const jn_plane *p)
{
    int row = 0;
    for (int cell = JN_PLANE_OTHER; cell < p->nmodes; cell++) {
        if (!occurs(p, cell))
            continue;
        int y = TOP + row++ * ROW;
        jn_str_addf(out,
                    "<rect x=\"%d\" y=\"%d\" width=\"22\" height=\"15\" fill=\"%s\" "
                    "stroke=\"#333\"/><text x=\"%d\" y=\"%d\">",
                    LEFT + SIZE + 20, y, fill_of(cell), LEFT + SIZE + 50, y + 12);
        add_meaning(out, p, cell);
        jn_str_add(out, "</text>\n");
    }
    int y = TOP + row * ROW;
    jn_str_addf(out,
                "<circle cx=\"%d\" cy=\"%d\" r=\"4\" fill=\"#000\"/><text x=\"%d\" y=\"%d\">"
                "the witness</text>\n",
                LEFT + SIZE + 31, y + 7, LEFT + SIZE + 50, y + 12);
}

void jn_verify_plane(jn_str *out, const jn_plane *p)
{
    const jn_graph *g = p->graph;
    jni_svg_begin(out, LEFT + SIZE + KEY, TOP + SIZE + BELOW,
                  ".paper { fill: white; } text { font: 13px Helvetica, Arial, 'Liberation Sans', "
                  "sans-serif; } "
                  "path { stroke: #333; fill: none; }");
    jn_str_add(out, "<defs><pattern id=\"loop\" width=\"7\" height=\"7\" "
                    "patternUnits=\"userSpaceOnUse\"><rect width=\"7\" height=\"7\" fill=\"#fff\"/>"
                    "<path d=\"M-1 8L8 -1M-1 1L1 -1M6 8L8 6\" style=\"stroke:#c0392b;"
                    "stroke-width:1.4\"/></pattern></defs>\n");
    jn_str_addf(out, "<text x=\"%d\" y=\"20\" font-size=\"15\">", LEFT);
    jni_svg_text(out, g->title ? g->title : g->name);
    jn_str_add(out, "</text>\n");
    draw_cells(out, p);
    jn_str_addf(out, "<path d=\"M%d %dh%dv%dh-%dz\"/>\n", LEFT, TOP, SIZE, SIZE, SIZE);
    draw_axis(out, p, false);
    draw_axis(out, p, true);
    jn_str_addf(out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"4\" fill=\"#000\"/>\n", at_x(p, p->x_at),
                at_y(p, p->y_at));
    draw_key(out, p);
    jn_str_add(out, "</svg>\n");
}

/* ---- in LaTeX ------------------------------------------------------------------------------- */

/* Millimetres of a side, and of what stands beside it. */
enum { SIDE = 80, GAP = 4, LINE = 6 };

static void add_colour(jn_str *out, int cell)
{
    int n = (int)(sizeof colour / sizeof *colour);
    const char *hex = cell == JN_PLANE_DEAD ? "#c0392b" : cell < 0 ? "#ffffff" : colour[cell % n];
    unsigned rgb = (unsigned)strtoul(hex + 1, NULL, 16);
    jn_str_addf(out, "{rgb,255:red,%u;green,%u;blue,%u}", rgb >> 16, rgb >> 8 & 255, rgb & 255);
}

/* A rectangle in millimetres, filled as its cell; what never settles is hatched. */
static void add_box(jn_str *out, int cell, double x, double y, double w, double h)
{
    jn_str_add(out, "\\fill[fill=");
    add_colour(out, cell);
    jn_str_addf(out, "] (%.2f,%.2f) rectangle ++(%.2f,%.2f);\n", x, y, w, h);
}

static void hatch(jn_str *out, double x, double y, double w, double h)
{
    enum { APART = 2 };
    jn_str_addf(out, "\\begin{scope}\\clip (%.2f,%.2f) rectangle ++(%.2f,%.2f);\n", x, y, w, h);
    for (double at = APART * (int)((x - y - h) / APART); at < x + w - y; at += APART)
        jn_str_addf(out, "\\draw[red!70!black, line width=0.3pt] (%.2f,%.2f) -- ++(%.2f,%.2f);\n",
                    at + y, y, h, h);
    jn_str_add(out, "\\end{scope}\n");
}

static void tikz_cells(jn_str *out, const jn_plane *p)
{
    double w = (double)SIDE / p->nx, h = (double)SIDE / p->ny;
    for (int row = 0; row < p->ny; row++)
        for (int first = 0, end; first < p->nx; first = end) {
            const int *cell = p->cell + row * p->nx;
            for (end = first; end < p->nx && cell[end] == cell[first];)
                end++;
            add_box(out, cell[first], first * w, row * h, (end - first) * w + 0.05, h + 0.05);
            if (cell[first] == JN_PLANE_LOOP)
                hatch(out, first * w, row * h, (end - first) * w, h);
        }
}

static void tikz_axis(jn_str *out, const jn_plane *p, bool vertical)
{
    double first, step, low = vertical ? p->y_low : p->x_low,
                        high = vertical ? p->y_high : p->x_high;
    int n = jn_plot_ticks(&first, &step, low, high, 5);
    jn_str name;
    jn_str_init(&name);
    jni_print_state_name(&name, p->graph, vertical ? p->y : p->x);
    for (int i = 0; i < n; i++) {
        double v = first + i * step, at = SIDE * (v - low) / (high - low);
        if (vertical)
            jn_str_addf(out, "\\draw (0,%.2f) -- ++(-1.2,0) node[left] {$%.4g$};\n", at, v);
        else
            jn_str_addf(out, "\\draw (%.2f,0) -- ++(0,-1.2) node[below] {$%.4g$};\n", at, v);
    }
    jn_str_addf(
        out, vertical ? "\\node[left] at (0,%d) {\\strut " : "\\node[below] at (%d,-6) {\\strut ",
        vertical ? SIDE + 4 : SIDE / 2);
    jn_latex_text(out, jn_str_c(&name));
    jn_str_add(out, "};\n");
    jn_str_clear(&name);
}

static void tikz_key(jn_str *out, const jn_plane *p)
{
    double y = SIDE - LINE;
    for (int cell = JN_PLANE_OTHER; cell < p->nmodes; cell++) {
        if (!occurs(p, cell))
            continue;
        add_box(out, cell, SIDE + GAP, y, LINE, LINE - 2);
        if (cell == JN_PLANE_LOOP)
            hatch(out, SIDE + GAP, y, LINE, LINE - 2);
        jn_str_addf(out, "\\draw (%d,%.2f) rectangle ++(%d,%d) node[right, yshift=-2mm] {",
                    SIDE + GAP, y, LINE, LINE - 2);
        add_meaning(out, p, cell);
        jn_str_add(out, "};\n");
        y -= LINE;
    }
    jn_str_addf(out, "\\fill (%d,%.2f) circle (0.8) node[right, xshift=3mm] {the witness};\n",
                SIDE + GAP + LINE / 2, y + 2);
}

void jn_verify_plane_tikz(jn_str *out, const jn_plane *p)
{
    jn_str_add(out, "\\begin{tikzpicture}[x=1mm, y=1mm, font=\\footnotesize]\n");
    tikz_cells(out, p);
    jn_str_addf(out, "\\draw (0,0) rectangle (%d,%d);\n", SIDE, SIDE);
    tikz_axis(out, p, false);
    tikz_axis(out, p, true);
    jn_str_addf(out, "\\fill (%.2f,%.2f) circle (0.8);\n",
                SIDE * (p->x_at - p->x_low) / (p->x_high - p->x_low),
                SIDE * (p->y_at - p->y_low) / (p->y_high - p->y_low));
    tikz_key(out, p);
    jn_str_add(out, "\\end{tikzpicture}\n");
}
