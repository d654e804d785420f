/* svg.c: a drawing as SVG.
 *
 * Everything that has a meaning carries it: class and data attributes name elements, bonds and
 * the ends of strokes, for style sheets and for programs. */
#include "draw_internal.h"
#include "svg.h"

void jni_svg_text(jn_str *out, const char *s)
{
    const char *end = s;
    while (*end)
        end++;
    while (*s) {
        int n = jn_utf8_length(s, end);
        if (jn_utf8_shown(s, end) == 0)
            jn_str_add(out, "?");
        else if (*s == '&')
            jn_str_add(out, "&amp;");
        else if (*s == '<')
            jn_str_add(out, "&lt;");
        else if (*s == '>')
            jn_str_add(out, "&gt;");
        else if (*s == '"')
            jn_str_add(out, "&quot;");
        else
            jn_str_addn(out, s, (size_t)n);
        s += n ? n : 1;
    }
}

void jni_svg_begin(jn_str *out, double width, double height, const char *style)
{
    jn_str_addf(out,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" "
                "viewBox=\"0 0 %.2f %.2f\">\n<style>\n%s</style>\n"
                "<rect class=\"paper\" width=\"100%%\" height=\"100%%\"/>\n",
                width * 4 / 3, height * 4 / 3, width, height, style);
}

static const char style[] =
    ".paper { fill: white; }\n"
    "text { font-family: Helvetica, Arial, 'Liberation Sans', sans-serif; text-anchor: middle;\n"
    "  fill: black; }\n"
    ".below { fill: #444; }\n"
    ".label { fill: #06c; }\n"
    ".bond path, .bond line { fill: none; stroke: black; stroke-width: 1.1; }\n"
    ".bond .stroke { stroke-width: 1.8; }\n"
    ".bond .dashed { stroke-dasharray: 2.4 1.8; }\n"
    ".bond.undetermined path { stroke-dasharray: 1.2 3; }\n"
    ".fold rect { fill: #f3f6fa; stroke: #8a97a6; }\n"
    ".fold text { fill: #44546a; text-anchor: start; }\n"
    ".off text { fill: #999; }\n"
    ".bond.off path, .bond.off line { stroke: #999; }\n";

/* ---- bonds --------------------------------------------------------------------------------- */

static void add_segment(jn_str *out, jn_segment s)
{
    jn_str_addf(out, " x1=\"%.2f\" y1=\"%.2f\" x2=\"%.2f\" y2=\"%.2f\"", s.from.x, s.from.y, s.to.x,
                s.to.y);
}

static void add_stroke(jn_str *out, const jn_drawn_bond *b, bool at_head, jn_drawn_stroke look)
{
    if (look == JN_DRAWN_NONE)
        return;
    jn_str_addf(out, "<line class=\"stroke %s\" data-end=\"%s\"",
                look == JN_DRAWN_DASHED ? "dashed" : "solid", at_head ? "head" : "tail");
    add_segment(out, jn_drawn_bar(b, at_head));
    jn_str_add(out, "/>");
}

static void add_bond(jn_str *out, const jn_drawing *d, int bond)
{
    const jn_drawn_bond *b = &d->bond[bond];
    jn_str_addf(out, "<g class=\"bond%s%s\" data-bond=\"", b->off ? " off" : "",
                b->undetermined ? " undetermined" : "");
    jni_svg_text(out, d->graph->bond[bond].name);
    jn_str_add(out, "\"><path d=\"");
    for (int i = 0; i < b->npoints; i++)
        jn_str_addf(out, "%s%.2f %.2f", i ? " L" : "M", b->point[i].x, b->point[i].y);
    jn_str_add(out, "\"/><line class=\"barb\"");
    add_segment(out, jn_drawn_barb(b));
    jn_str_add(out, "/>");
    add_stroke(out, b, false, b->tail);
    add_stroke(out, b, true, b->head);
    if (b->label) {
        jn_str_addf(out, "<text class=\"label\" x=\"%.2f\" y=\"%.2f\" font-size=\"%.0f\">",
                    (b->label_box.left + b->label_box.right) / 2, b->label_box.bottom - 3,
                    JN_DRAW_SIZE_BELOW);
        jni_svg_text(out, b->label);
        jn_str_add(out, "</text>");
    }
    jn_str_add(out, "</g>\n");
}

/* ---- elements ------------------------------------------------------------------------------ */

static void add_below(jn_str *out, const jn_drawn_element *e, jn_drawn_text t)
{
    if (!e->below && !e->lambda)
        return;
    jn_str_addf(out, "<text class=\"below\" x=\"%.2f\" y=\"%.2f\" font-size=\"%.0f\">", t.x,
                t.baseline_below, t.size_below);
    if (e->lambda)
        jn_str_addf(out, "\xCE\xBB<tspan dy=\"2\" font-size=\"%.0f\">", t.size_below - 1);
    jni_svg_text(out, e->lambda ? e->lambda : e->below);
    if (e->lambda)
        jn_str_add(out, "</tspan>");
    if (e->state)
        jn_str_addf(out, "<tspan dx=\"3\" dy=\"-2\">= %c</tspan>", e->state);
    jn_str_add(out, "</text>");
}

static void add_element(jn_str *out, const jn_drawing *d, int element)
{
    const jn_drawn_element *e = &d->element[element];
    const jn_element *of = &d->graph->element[element];
    jn_drawn_text t = jn_drawn_text_of(e);
    if (e->in != element)
        return;
    jn_str_addf(out, "<g class=\"element%s\" data-element=\"", e->off ? " off" : "");
    jni_svg_text(out, of->multiport ? of->multiport->name : of->name);
    jn_str_addf(out, "\" data-box=\"%.2f %.2f %.2f %.2f\">", e->box.left, e->box.top, e->box.right,
                e->box.bottom);
    jn_str_addf(out, "<text x=\"%.2f\" y=\"%.2f\" font-size=\"%.0f\">", t.x, t.baseline, t.size);
    jni_svg_text(out, e->kind);
    if (e->name) {
        jn_str_add(out, " : ");
        jni_svg_text(out, e->name);
    }
    jn_str_add(out, "</text>");
    add_below(out, e, t);
    jn_str_add(out, "</g>\n");
}

static void add_fold(jn_str *out, const jn_fold *f)
{
    jn_box l = jni_fold_label(f);
    jn_str_addf(out,
                "<g class=\"fold\" data-count=\"%d\"><rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" "
                "height=\"%.2f\" rx=\"6\"/><text x=\"%.2f\" y=\"%.2f\" font-size=\"%.0f\">",
                f->count, f->box.left, f->box.top, f->box.right - f->box.left,
                f->box.bottom - f->box.top, l.left, l.bottom - 3, JN_DRAW_SIZE_BELOW);
    jni_svg_text(out, f->label);
    jn_str_add(out, "</text></g>\n");
}

void jn_drawing_svg(jn_str *out, const jn_drawing *d)
{
    jni_svg_begin(out, d->width, d->height, style);
    jn_str_add(out, "<title>");
    jni_svg_text(out, d->graph->title ? d->graph->title : d->graph->name);
    jn_str_add(out, "</title>\n");
    for (int f = 0; f < d->nfolds; f++)
        add_fold(out, &d->fold[f]);
    for (int b = 0; b < d->graph->nbonds; b++)
        if (jni_bond_is_drawn(d, b))
            add_bond(out, d, b);
    for (int e = 0; e < d->graph->nelements; e++)
        add_element(out, d, e);
    jn_str_add(out, "</svg>\n");
}
