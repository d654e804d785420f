/* tikz.c: a drawing as a tikzpicture, in a report or as a document of its own.
 *
 * Coordinates are the drawing's, with y upwards. A comment before each bond names it and its
 * elements; strokes say at which end they stand. */
#include <math.h>
#include <string.h>

#include "draw_internal.h"
#include "report_parts.h"

/* Text is set at 10 points unless the picture must shrink further to fit on a page. */
static const double natural = 10.0 / JN_DRAW_SIZE;
enum { FRAME_WIDTH = 450, FRAME_HEIGHT = 600 };

double jn_drawing_tikz_scale(const jn_drawing *d)
{
    return fmin(natural, fmin(FRAME_WIDTH / d->width, FRAME_HEIGHT / d->height));
}

static void add_point(jn_str *out, jn_point p)
{
    jn_str_addf(out, "(%.2f,%.2f)", p.x, -p.y);
}

static void add_segment(jn_str *out, const char *style, jn_segment s)
{
    jn_str_addf(out, "\\draw[%s] ", style);
    add_point(out, s.from);
    jn_str_add(out, " -- ");
    add_point(out, s.to);
    jn_str_addc(out, ';');
}

/* A name in a comment: it ends with the line. */
static void add_comment(jn_str *out, const char *s)
{
    for (; *s; s++)
        jn_str_addc(out, (unsigned char)*s < ' ' ? ' ' : *s);
}

/* ---- bonds --------------------------------------------------------------------------------- */

static void add_stroke(jn_str *out, const jn_drawn_bond *b, bool at_head, jn_drawn_stroke look)
{
    if (look == JN_DRAWN_NONE)
        return;
    jn_str style;
    jn_str_init(&style);
    jn_str_addf(&style, "stroke%s%s", look == JN_DRAWN_DASHED ? ",dynamic" : "",
                b->off ? ",off" : "");
    add_segment(out, jn_str_c(&style), jn_drawn_bar(b, at_head));
    jn_str_addf(out, " %% stroke %s\n", at_head ? "head" : "tail");
    jn_str_clear(&style);
}

static void add_bond(jn_str *out, const jn_drawing *d, int bond)
{
    const jn_graph *g = d->graph;
    const jn_drawn_bond *b = &d->bond[bond];
    jn_str_add(out, "% bond ");
    add_comment(out, g->bond[bond].name);
    jn_str_add(out, ": ");
    add_comment(out, g->element[g->bond[bond].tail].name);
    jn_str_add(out, " -> ");
    add_comment(out, g->element[g->bond[bond].head].name);
    jn_str_addf(out, "\n\\draw[bond%s%s] ", b->undetermined ? ",undetermined" : "",
                b->off ? ",off" : "");
    for (int i = 0; i < b->npoints; i++) {
        jn_str_add(out, i ? " -- " : "");
        add_point(out, b->point[i]);
    }
    jn_str_add(out, ";\n");
    add_segment(out, b->off ? "bond,off" : "bond", jn_drawn_barb(b));
    jn_str_addc(out, '\n');
    add_stroke(out, b, false, b->tail);
    add_stroke(out, b, true, b->head);
    if (b->label) {
        jn_str_add(out, "\\node[label] at ");
        add_point(
            out, (jn_point){(b->label_box.left + b->label_box.right) / 2, b->label_box.bottom - 3});
        jn_str_add(out, " {$");
        jn_latex_symbol(out, b->label);
        jn_str_add(out, "$};\n");
    }
}

/* ---- elements ------------------------------------------------------------------------------ */

static void add_below(jn_str *out, const jn_drawn_element *e, jn_drawn_text t)
{
    if (!e->below && !e->lambda)
        return;
    jn_str_addf(out, "\\node[below text%s] at ", e->off ? ",off" : "");
    add_point(out, (jn_point){t.x, t.baseline_below});
    jn_str_add(out, " {");
    if (e->lambda) {
        jn_str_add(out, "$\\lambda_{");
        jn_latex_symbol(out, e->lambda);
        jn_str_addc(out, '}');
        if (e->state)
            jn_str_addf(out, "=%c", e->state);
        jn_str_addc(out, '$');
    } else {
        jn_latex_text(out, e->below);
    }
    jn_str_add(out, "};\n");
}

static void add_element(jn_str *out, const jn_drawing *d, int element)
{
    const jn_drawn_element *e = &d->element[element];
    jn_drawn_text t = jn_drawn_text_of(e);
    if (e->in != element)
        return;
    jn_str_addf(out, "\\node[element%s] at ", e->off ? ",off" : "");
    add_point(out, (jn_point){t.x, t.baseline});
    jn_str_addf(out, " {%s", e->kind);
    if (e->name) {
        jn_str_add(out, "\\,:\\,$");
        if (e->off)
            jn_str_add(out, e->name); /* the 0 of a null source is a number */
        else
            jn_latex_symbol(out, e->name);
        jn_str_addc(out, '$');
    }
    jn_str_add(out, "};\n");
    add_below(out, e, t);
}

static void add_fold(jn_str *out, const jn_fold *f)
{
    jn_box l = jni_fold_label(f);
    jn_str_add(out, "\\draw[fold] ");
    add_point(out, (jn_point){f->box.left, f->box.top});
    jn_str_add(out, " rectangle ");
    add_point(out, (jn_point){f->box.right, f->box.bottom});
    jn_str_add(out, ";\n\\node[fold text] at ");
    add_point(out, (jn_point){l.left, l.bottom - 3});
    jn_str_add(out, " {");
    jn_latex_text(out, f->label);
    jn_str_add(out, "};\n");
}

static void add_picture(jn_str *out, const jn_drawing *d, double scale)
{
    jn_str_addf(out, "\\begin{tikzpicture}[bond graph,scale=%.4f]\n", scale);
    jn_str_addf(out, "\\useasboundingbox (0,0) rectangle (%.2f,%.2f);\n", d->width, -d->height);
    for (int f = 0; f < d->nfolds; f++)
        add_fold(out, &d->fold[f]);
    for (int b = 0; b < d->graph->nbonds; b++)
        if (jni_bond_is_drawn(d, b))
            add_bond(out, d, b);
    for (int e = 0; e < d->graph->nelements; e++)
        add_element(out, d, e);
    jn_str_add(out, "\\end{tikzpicture}%\n");
}

void jn_drawing_tikz(jn_str *out, const jn_drawing *d, bool standalone)
{
    if (!standalone) {
        add_picture(out, d, jn_drawing_tikz_scale(d));
        return;
    }
    jn_str_add(out, "\\documentclass{article}\n");
    jn_str_addf(out, "\\usepackage[paperwidth=%.2fbp,paperheight=%.2fbp,margin=0pt]{geometry}\n",
                natural * d->width, natural * d->height + 1);
    jn_str_add(out, jni_part_fonts);
    jn_str_add(out, jni_part_drawing);
    jn_str_add(out, "\\pagestyle{empty}\\parindent=0pt\\topskip=0pt\n\\begin{document}\n");
    add_picture(out, d, natural);
    jn_str_add(out, "\\end{document}\n");
}
