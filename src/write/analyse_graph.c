/* analyse_graph.c: the modes of a model as a graph, in SVG.
 *
 * Modes with the same number of switches on stand in one row, all off at the top; an edge turns
 * one switch. A forbidden mode is struck out and has dotted edges. Where entering a mode over an
 * edge needs impulses in general, the edge is red and has an arrow head at that end. */
#include <math.h>
#include <stdlib.h>

#include "analyse_internal.h"
#include "draw_internal.h"
#include "svg.h"

enum {
    ROW = 90,
    MARGIN = 30,
    HEAD = 52, /* the model, and what the digits stand for */
    BOX_HEIGHT = 24,
    DIGIT = 9,
    KEY_LINE = 20, /* of the legend */
    KEY_LINES = 3,
    KEY_WIDTH = 350
};

typedef struct {
    const jn_analysis *a;
    int nswitches, nmodes;
    double box, width; /* of a mode; of the picture */
    jn_mode_analysis *mode;
    double *x, *y; /* the middle of each mode */
} picture;

static int count_on(int mode)
{
    int n = 0;
    for (; mode; mode >>= 1)
        n += mode & 1;
    return n;
}

static void number_to_mode(jn_onoff *m, int n, int number)
{
    for (int s = 0; s < n; s++)
        m[s] = (number >> (n - 1 - s)) & 1;
}

/* ---- layout -------------------------------------------------------------------------------- */

/* "modes as s1 s2 clutch" */
static void add_digits(jn_str *out, const jn_graph *g)
{
    jn_str_add(out, "modes as");
    for (int s = 0; s < g->nswitches; s++)
        jn_str_addf(out, " %s", g->element[g->sw[s]].name);
}

static double head_width(const picture *p)
{
    const jn_graph *g = p->a->graph;
    jn_str digits;
    jn_str_init(&digits);
    add_digits(&digits, g);
    double width = fmax(jni_draw_text_width(digits.s, 12),
                        jni_draw_text_width(g->title ? g->title : g->name, 14));
    jn_str_clear(&digits);
    return width + 2 * MARGIN;
}

static void lay_out(picture *p)
{
    int *in_row = jn_alloc((size_t)(p->nswitches + 1) * sizeof *in_row);
    int *placed = jn_alloc((size_t)(p->nswitches + 1) * sizeof *placed);
    int widest = 1;
    for (int m = 0; m < p->nmodes; m++) {
        int row = count_on(m);
        in_row[row]++;
        widest = in_row[row] > widest ? in_row[row] : widest;
    }
    p->box = DIGIT * (p->nswitches > 2 ? p->nswitches : 2) + 14;
    double pitch = p->box + 24;
    p->width = fmax(2 * MARGIN + widest * pitch, fmax(KEY_WIDTH, head_width(p)));
    for (int m = p->nmodes - 1; m >= 0; m--) { /* 100 before 010 */
        int row = count_on(m);
        p->x[m] = p->width / 2 + (placed[row]++ - (in_row[row] - 1) / 2.0) * pitch;
        p->y[m] = HEAD + BOX_HEIGHT / 2.0 + row * ROW;
    }
    free(in_row);
    free(placed);
}

/* ---- drawing ------------------------------------------------------------------------------- */

static bool is_ok(const picture *p, int m)
{
    return p->mode[m].equation.status == JN_MODE_OK;
}

static bool needs_impulse(const picture *p, int from, int to)
{
    jn_passage t;
    jn_passage_between(&t, &p->mode[from], &p->mode[to]);
    bool needs = t.known && !t.impulse_free;
    jn_passage_clear(&t);
    return needs;
}

/* upper has one switch less on than lower. */
static void draw_edge(jn_str *out, const picture *p, int upper, int lower)
{
    const char *style = " stroke=\"#888\"";
    bool down = false, up = false;
    if (is_ok(p, upper) && is_ok(p, lower)) {
        down = needs_impulse(p, upper, lower);
        up = needs_impulse(p, lower, upper);
        style = down || up ? " stroke=\"#c00\" stroke-width=\"1.5\"" : style;
    } else {
        style = " stroke=\"#ccc\" stroke-dasharray=\"2 3\"";
    }
    jn_str_addf(out, "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"%s%s%s/>\n", p->x[upper],
                p->y[upper] + BOX_HEIGHT / 2.0, p->x[lower], p->y[lower] - BOX_HEIGHT / 2.0, style,
                down ? " marker-end=\"url(#impulse)\"" : "",
                up ? " marker-start=\"url(#impulse)\"" : "");
}

static void draw_mode(jn_str *out, const picture *p, int m)
{
    const jn_graph *g = p->a->graph;
    jn_onoff *onoff = jn_alloc((size_t)p->nswitches * sizeof *onoff);
    const jn_mode_analysis *r = &p->mode[m];
    number_to_mode(onoff, p->nswitches, m);
    double left = p->x[m] - p->box / 2, top = p->y[m] - BOX_HEIGHT / 2.0;
    jn_str_addf(out,
                "<g><title>%s%s</title><rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%d\" "
                "rx=\"4\" fill=\"%s\" stroke=\"#333\"/>",
                jn_mode_status_name(r->equation.status),
                r->stable == JN_YES  ? ", stable"
                : r->stable == JN_NO ? ", not stable"
                                     : "",
                left, top, p->box, BOX_HEIGHT, is_ok(p, m) ? "#fff" : "#eee");
    jn_str_addf(out, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">", p->x[m], p->y[m] + 5);
    jn_mode_print(out, g, onoff);
    jn_str_add(out, "</text>");
    if (!is_ok(p, m))
        jn_str_addf(out, "<path d=\"M%.1f %.1fL%.1f %.1fM%.1f %.1fL%.1f %.1f\" stroke=\"#c00\"/>",
                    left, top, left + p->box, top + BOX_HEIGHT, left, top + BOX_HEIGHT,
                    left + p->box, top);
    jn_str_add(out, "</g>\n");
    free(onoff);
}

static void draw_head(jn_str *out, const picture *p)
{
    const jn_graph *g = p->a->graph;
    jn_str digits;
    jn_str_init(&digits);
    add_digits(&digits, g);
    jn_str_addf(out, "<text class=\"words\" x=\"%d\" y=\"20\" font-size=\"14\">", MARGIN);
    jni_svg_text(out, g->title ? g->title : g->name);
    jn_str_addf(out, "</text>\n<text class=\"words\" x=\"%d\" y=\"38\" font-size=\"12\">", MARGIN);
    jni_svg_text(out, digits.s);
    jn_str_add(out, "</text>\n");
    jn_str_clear(&digits);
}

static void draw_key(jn_str *out, double y)
{
    static const struct {
        const char *line, *text;
    } key[KEY_LINES] = {
        {"stroke=\"#888\"", "one switch turned"},
        {"stroke=\"#c00\" stroke-width=\"1.5\" marker-end=\"url(#impulse)\"",
         "entering needs impulses in general"},
        {"stroke=\"#ccc\" stroke-dasharray=\"2 3\"", "to a mode without equations, crossed out"},
    };
    for (int i = 0; i < KEY_LINES; i++, y += KEY_LINE) {
        jn_str_addf(out, "<path d=\"M%d %.1fh36\" %s/>", MARGIN, y, key[i].line);
        jn_str_addf(out, "<text class=\"words\" x=\"%d\" y=\"%.1f\" font-size=\"12\">%s</text>\n",
                    MARGIN + 46, y + 4, key[i].text);
    }
}

static void draw(jn_str *out, const picture *p)
{
    double rows = HEAD + BOX_HEIGHT + p->nswitches * ROW;
    double height = rows + MARGIN + KEY_LINES * KEY_LINE;
    jn_str_addf(out,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" "
                "viewBox=\"0 0 %.0f %.0f\" font-family=\"monospace\" font-size=\"14\">\n",
                p->width, height, p->width, height);
    jn_str_add(out,
               "<style>.words { font-family: Helvetica, Arial, 'Liberation Sans', sans-serif; }"
               "</style>\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n");
    draw_head(out, p);
    jn_str_add(out, "<defs><marker id=\"impulse\" orient=\"auto-start-reverse\" markerWidth=\"8\" "
                    "markerHeight=\"8\" refX=\"8\" refY=\"4\"><path d=\"M0 0L8 4L0 8z\" "
                    "fill=\"#c00\"/></marker></defs>\n");
    for (int m = 0; m < p->nmodes; m++)
        for (int s = 0; s < p->nswitches; s++)
            if (!((m >> s) & 1))
                draw_edge(out, p, m, m | 1 << s);
    for (int m = 0; m < p->nmodes; m++)
        draw_mode(out, p, m);
    draw_key(out, rows + MARGIN);
    jn_str_add(out, "</svg>\n");
}

jn_status jn_write_mode_graph(jn_str *out, const jn_analysis *a)
{
    int n = a->graph->nswitches;
    if (n >= 20 || 1 << n > JN_MODE_GRAPH_MAX)
        return JN_UNABLE;
    picture p = {.a = a, .nswitches = n, .nmodes = 1 << n};
    jn_onoff *m = jn_alloc((size_t)n * sizeof *m);
    p.mode = jn_alloc((size_t)p.nmodes * sizeof *p.mode);
    p.x = jn_alloc((size_t)p.nmodes * sizeof *p.x);
    p.y = jn_alloc((size_t)p.nmodes * sizeof *p.y);
    for (int k = 0; k < p.nmodes; k++) {
        number_to_mode(m, n, k);
        jn_mode_analysis_init(&p.mode[k]);
        jn_analyse_mode(&p.mode[k], a, m);
    }
    lay_out(&p);
    draw(out, &p);
    for (int k = 0; k < p.nmodes; k++)
        jn_mode_analysis_clear(&p.mode[k]);
    free(p.mode);
    free(p.x);
    free(p.y);
    free(m);
    return JN_OK;
}
