/* draw_dot.c: a drawing in the language of Graphviz, to be laid out or styled there.
 *
 * A causal stroke is the arrow head "tee"; the half-arrow is "lnormal" behind it. The elements'
 * places are given in points: neato -n keeps them. */
#include "draw_internal.h"

static void add_quoted(jn_str *out, const char *s)
{
    for (; *s; s++) {
        if (*s == '"' || *s == '\\')
            jn_str_addc(out, '\\');
        jn_str_addc(out, (unsigned char)*s < ' ' ? ' ' : *s);
    }
}

/* The node of an element; that of a field has its name. */
static void add_node(jn_str *out, const jn_graph *g, int element)
{
    const jn_element *e = &g->element[element];
    jn_str_addc(out, '"');
    add_quoted(out, e->multiport ? e->multiport->name : e->name);
    jn_str_addc(out, '"');
}

static void add_element(jn_str *out, const jn_drawing *d, int element)
{
    const jn_drawn_element *e = &d->element[element];
    if (e->in != element)
        return;
    jn_str_add(out, "  ");
    add_node(out, d->graph, element);
    jn_str_addf(out, " [label=\"%s", e->kind);
    if (e->name) {
        jn_str_add(out, " : ");
        add_quoted(out, e->name);
    }
    if (e->below || e->lambda) {
        jn_str_add(out, e->lambda ? "\\n\xCE\xBB " : "\\n");
        add_quoted(out, e->lambda ? e->lambda : e->below);
    }
    if (e->state)
        jn_str_addf(out, " = %c", e->state);
    jn_str_addf(out, "\", pos=\"%.2f,%.2f\"%s];\n", (e->box.left + e->box.right) / 2,
                d->height - (e->box.top + e->box.bottom) / 2, e->off ? ", fontcolor=gray60" : "");
}

static const char *stroke_arrow(jn_drawn_stroke look)
{
    switch (look) {
    case JN_DRAWN_SOLID:
        return "tee";
    case JN_DRAWN_DASHED:
        return "otee"; /* drawn as a tee; the name tells it from a solid one */
    default:
        return "";
    }
}

static void add_bond(jn_str *out, const jn_drawing *d, int bond)
{
    const jn_bond *b = &d->graph->bond[bond];
    const jn_drawn_bond *x = &d->bond[bond];
    jn_str_add(out, "  ");
    add_node(out, d->graph, b->tail);
    jn_str_add(out, " -> ");
    add_node(out, d->graph, b->head);
    jn_str_addf(out, " [arrowhead=%slvee, arrowtail=%s", stroke_arrow(x->head),
                x->tail == JN_DRAWN_NONE ? "none" : stroke_arrow(x->tail));
    if (x->label) {
        jn_str_add(out, ", label=\"");
        add_quoted(out, x->label);
        jn_str_addc(out, '"');
    }
    jn_str_addf(out, "%s%s];\n", x->undetermined ? ", style=dotted" : "",
                x->off ? ", color=gray60" : "");
}

static void add_fold(jn_str *out, const jn_drawing *d, int fold)
{
    const jn_fold *f = &d->fold[fold];
    jn_str_addf(out, "  subgraph cluster%d {\n    label=\"", fold);
    add_quoted(out, f->label);
    jn_str_add(out, "\";\n");
    for (int i = 0; i < f->nelements; i++) {
        jn_str_add(out, "    ");
        add_node(out, d->graph, f->element[i]);
        jn_str_add(out, ";\n");
    }
    jn_str_add(out, "  }\n");
}

void jn_drawing_dot(jn_str *out, const jn_drawing *d)
{
    jn_str_add(out, "digraph \"");
    add_quoted(out, d->graph->name);
    jn_str_add(out, "\" {\n  rankdir=LR;\n  node [shape=plaintext, fontname=Helvetica];\n"
                    "  edge [dir=both, fontname=Helvetica, fontsize=10];\n");
    for (int e = 0; e < d->graph->nelements; e++)
        add_element(out, d, e);
    for (int f = 0; f < d->nfolds; f++)
        add_fold(out, d, f);
    for (int b = 0; b < d->graph->nbonds; b++)
        if (jni_bond_is_drawn(d, b))
            add_bond(out, d, b);
    jn_str_add(out, "}\n");
}
