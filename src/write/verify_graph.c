/* verify_graph.c: which modes can follow which at an instant, in SVG and as a tikzpicture.
 *
 * The modes that occur stand on a circle, in the order of their digits; an arrow leads from the mode
 * that was left to the one in which the instant ended. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "draw_internal.h"
#include "junct/write_verify.h"
#include "svg.h"

enum { MARGIN = 30, HEAD = 56, BOX_HEIGHT = 22, DIGIT = 9, SPACE = 46, KEY = 34 };

typedef struct {
    const jn_verification *v;
    int n;
    const jn_onoff **mode; /* those that occur, ascending */
    double radius, box, middle_x, middle_y;
} picture;

static int find(const picture *p, const jn_onoff *m)
{
    for (int i = 0; i < p->n; i++)
        if (!memcmp(p->mode[i], m, (size_t)p->v->graph->nswitches))
            return i;
    return -1;
}

/* Keeps the list in order. */
static void note(picture *p, const jn_onoff *m)
{
    size_t n = (size_t)p->v->graph->nswitches;
    int at = p->n;
    if (find(p, m) >= 0)
        return;
    while (at > 0 && memcmp(p->mode[at - 1], m, n) > 0) {
        p->mode[at] = p->mode[at - 1];
        at--;
    }
    p->mode[at] = m;
    p->n++;
}

static jn_point place(const picture *p, int i)
{
    double angle = 2 * JN_PI * i / (p->n ? p->n : 1) - JN_PI / 2;
    return (jn_point){p->middle_x + p->radius * cos(angle), p->middle_y + p->radius * sin(angle)};
}

/* From box to box, bent towards the middle, so that there and back are two lines. */
static void draw_arrow(jn_str *out, const picture *p, int from, int to)
{
    jn_point a = place(p, from), b = place(p, to);
    double dx = b.x - a.x, dy = b.y - a.y, length = hypot(dx, dy), bend = 0.12 * length;
    jn_point c = {(a.x + b.x) / 2 - bend * dy / length, (a.y + b.y) / 2 + bend * dx / length};
    double ex = b.x - c.x, ey = b.y - c.y;
    double reach = fmin((p->box / 2 + 3) / fmax(fabs(ex), 1e-9),
                        (BOX_HEIGHT / 2.0 + 3) / fmax(fabs(ey), 1e-9));
    jn_str_addf(out, "<path d=\"M%.1f %.1fQ%.1f %.1f %.1f %.1f\" marker-end=\"url(#to)\"/>\n", a.x,
                a.y, c.x, c.y, b.x - reach * ex, b.y - reach * ey);
}

static void draw_mode(jn_str *out, const picture *p, int i)
{
    jn_point at = place(p, i);
    jn_str_addf(out,
                "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%d\" rx=\"4\" fill=\"#fff\" "
                "stroke=\"#333\"/><text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">",
                at.x - p->box / 2, at.y - BOX_HEIGHT / 2.0, p->box, BOX_HEIGHT, at.x, at.y + 5);
    jn_mode_print(out, p->v->graph, p->mode[i]);
    jn_str_add(out, "</text>\n");
}

static void draw_words(jn_str *out, double y, int size, const char *text)
{
    jn_str_addf(out, "<text class=\"words\" x=\"%d\" y=\"%.0f\" font-size=\"%d\">", MARGIN, y,
                size);
    jni_svg_text(out, text);
    jn_str_add(out, "</text>\n");
}

#define WIDE 1.25 /* the font may be another one */

static const char *legend(const picture *p)
{
    bool is_all = !p->v->successors_why;
    return p->n     ? is_all ? "arrow: an instant may lead from the one mode to the other"
                             : "arrow: an instant may lead from the one mode to the other (there may "
                               "be more)"
           : is_all ? "no instant leads from one mode to another"
                    : "no instant that leads from one mode to another was found; there may be some";
}

static void draw(jn_str *out, picture *p)
{
    const jn_graph *g = p->v->graph;
    jn_str digits;
    jn_str_init(&digits);
    jn_str_add(&digits, "modes as");
    for (int k = 0; k < g->nswitches; k++)
        jn_str_addf(&digits, " %s", g->switch_name[k]);
    p->box = DIGIT * (g->nswitches > 2 ? g->nswitches : 2) + 14;
    p->radius = fmax(70, p->n * fmax(SPACE, p->box + 10) / (2 * JN_PI));
    double width = 2 * (MARGIN + p->radius) + p->box;
    width = fmax(width, 2 * MARGIN + WIDE * jni_draw_text_width(jn_str_c(&digits), 12));
    width = fmax(width, 2 * MARGIN + WIDE * jni_draw_text_width(g->title ? g->title : g->name, 14));
    width = fmax(width, 2 * MARGIN + WIDE * jni_draw_text_width(legend(p), 12));
    p->middle_x = width / 2;
    p->middle_y = HEAD + BOX_HEIGHT + p->radius;
    double height = p->middle_y + p->radius + BOX_HEIGHT + KEY;
    jni_svg_begin(
        out, width, height,
        ".paper { fill: white; } text { font: 14px monospace; } path { fill: none; stroke: #36c; } "
        ".words { font-family: Helvetica, Arial, 'Liberation Sans', sans-serif; }");
    jn_str_add(out,
               "<defs><marker id=\"to\" orient=\"auto\" markerWidth=\"9\" markerHeight=\"9\" "
               "refX=\"7\" refY=\"4\"><path d=\"M0 0L8 4L0 8z\" style=\"fill:#36c;stroke:none\""
               "/></marker></defs>\n");
    draw_words(out, 22, 14, g->title ? g->title : g->name);
    draw_words(out, 40, 12, jn_str_c(&digits));
    for (int i = 0; i < p->v->nsuccessors; i++)
        draw_arrow(out, p, find(p, p->v->successor[i].from), find(p, p->v->successor[i].to));
    for (int i = 0; i < p->n; i++)
        draw_mode(out, p, i);
    draw_words(out, height - 12, 12, legend(p));
    jn_str_add(out, "</svg>\n");
    jn_str_clear(&digits);
}

/* On a circle that fits a page, the first mode on top. */
static void draw_tikz(jn_str *out, const picture *p)
{
    const double most = 6, least = 1.8, apart = 2; /* cm */
    double radius = fmin(most, fmax(least, p->n * apart / (2 * JN_PI)));
    jn_str_add(out, "\\begin{tikzpicture}[every node/.style={draw,rounded corners=1pt,"
                    "font=\\ttfamily\\scriptsize,inner sep=2pt}]\n");
    for (int i = 0; i < p->n; i++) {
        jn_str_addf(out, "\\node (m%d) at (%.2f:%.2fcm) {", i, 90 - 360.0 * i / p->n, radius);
        jn_mode_print(out, p->v->graph, p->mode[i]);
        jn_str_add(out, "};\n");
    }
    for (int i = 0; i < p->v->nsuccessors; i++)
        jn_str_addf(out, "\\draw[->] (m%d) to[bend right=12] (m%d);\n",
                    find(p, p->v->successor[i].from), find(p, p->v->successor[i].to));
    jn_str_add(out, "\\end{tikzpicture}%\n");
}

static void find_modes(picture *p)
{
    const jn_verification *v = p->v;
    p->mode = jn_alloc((size_t)(2 * v->nsuccessors + 1) * sizeof *p->mode);
    for (int i = 0; i < v->nsuccessors; i++) {
        note(p, v->successor[i].from);
        note(p, v->successor[i].to);
    }
}

void jn_verify_graph(jn_str *out, const jn_verification *v)
{
    picture p = {.v = v};
    find_modes(&p);
    draw(out, &p);
    free(p.mode);
}

void jn_verify_graph_tikz(jn_str *out, const jn_verification *v)
{
    picture p = {.v = v};
    find_modes(&p);
    draw_tikz(out, &p);
    free(p.mode);
}
