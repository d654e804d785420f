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

static void draw_key(jn_str *out, const jn_plane *p)
{
    static const char *const words[] = {"", "never settles", "ends in a conflict of sources",
                                        "a run stops here"};
    int row = 0;
    for (int cell = JN_PLANE_OTHER; cell < p->nmodes; cell++) {
        if (!occurs(p, cell))
            continue;
        int y = TOP + row++ * ROW;
        jn_str_addf(out,
                    "<rect x=\"%d\" y=\"%d\" width=\"22\" height=\"15\" fill=\"%s\" "
                    "stroke=\"#333\"/><text x=\"%d\" y=\"%d\">",
                    LEFT + SIZE + 20, y, fill_of(cell), LEFT + SIZE + 50, y + 12);
        if (cell >= 0) {
            jn_str_add(out, "ends in mode ");
            jn_mode_print(out, p->graph, p->mode + cell * p->graph->nswitches);
        } else {
            jn_str_add(out, words[-cell]);
        }
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
