/* draw.c: a drawing of the bond graph: texts, places, causal strokes.
 *
 * A stroke stands at the end of a bond whose element receives the effort. Without a mode, the
 * strokes of the reference mode are solid, and a dashed one at the other end says that some mode
 * turns it round. In one mode, an OFF controlled junction is the null source that it is then: an
 * X1 imposes f = 0 on each of its bonds, an X0 e = 0. */
#include <stdlib.h>

#include "draw_internal.h"

/* ---- strokes ------------------------------------------------------------------------------- */

/* The end at which the stroke stands in a mode is that of the element which does not impose the
 * effort. */
static void set_strokes_of_mode(jn_drawn_bond *b, const jn_junction *j, int bond, const jn_onoff *m)
{
    jn_guards *g = j->ring.guards;
    const jn_stroke *s = &j->stroke[bond];
    if (jn_guard_at(g, j->undetermined[bond], m))
        b->undetermined = true;
    else if (jn_guard_at(g, s->tail, m))
        b->head = JN_DRAWN_SOLID;
    else if (jn_guard_at(g, s->head, m))
        b->tail = JN_DRAWN_SOLID;
}

static void set_strokes_of_all(jn_drawn_bond *b, const jn_junction *j, int bond)
{
    jn_guards *g = j->ring.guards;
    const jn_stroke *s = &j->stroke[bond];
    set_strokes_of_mode(b, j, bond, j->reference);
    b->undetermined = jn_guard_implies(g, j->allowed, j->undetermined[bond]);
    if (b->head == JN_DRAWN_NONE && !jn_guard_disjoint(g, s->tail, j->allowed))
        b->head = JN_DRAWN_DASHED;
    if (b->tail == JN_DRAWN_NONE && !jn_guard_disjoint(g, s->head, j->allowed))
        b->tail = JN_DRAWN_DASHED;
}

static void set_strokes(jn_drawing *d, const jn_junction *j, const jn_onoff *mode)
{
    for (int i = 0; i < d->graph->nbonds && !d->forbidden; i++)
        if (mode)
            set_strokes_of_mode(&d->bond[i], j, i, mode);
        else
            set_strokes_of_all(&d->bond[i], j, i);
}

/* ---- one mode ------------------------------------------------------------------------------ */

static void set_mode(jn_drawing *d, const jn_junction *j, const jn_onoff *mode)
{
    const jn_graph *g = d->graph;
    jn_str text;
    jn_str_init(&text);
    jn_mode_print(&text, g, mode);
    d->mode = jn_arena_strndup(d->arena, jn_str_c(&text), text.len);
    jn_str_clear(&text);
    d->forbidden = jn_junction_is_forbidden(j, mode);
    for (int s = 0; s < g->nswitches; s++) {
        jn_drawn_element *x = &d->element[g->sw[s]];
        x->state = mode[s] ? '1' : '0';
        x->off = !mode[s];
        if (g->element[g->sw[s]].kind == JN_BOOLEAN)
            continue;
        if (x->off) {
            x->kind = g->element[g->sw[s]].kind == JN_X1 ? "Sf" : "Se";
            x->name = "0";
        }
    }
    for (int b = 0; b < g->nbonds; b++)
        d->bond[b].off = d->element[g->bond[b].tail].off || d->element[g->bond[b].head].off;
}

/* ---- the drawing --------------------------------------------------------------------------- */

jn_status jn_drawing_new(jn_drawing **out, const jn_junction *j, const jn_onoff *mode)
{
    return jn_drawing_make(out, j, mode, &(jn_draw_options){0});
}

jn_status jn_drawing_make(jn_drawing **out, const jn_junction *j, const jn_onoff *mode,
                          const jn_draw_options *o)
{
    jn_arena *a = jn_arena_new();
    jn_drawing *d = jn_arena_alloc(a, sizeof *d);
    d->arena = a;
    d->graph = j->graph;
    d->element = jn_arena_alloc(a, (size_t)j->graph->nelements * sizeof *d->element);
    d->bond = jn_arena_alloc(a, (size_t)j->graph->nbonds * sizeof *d->bond);
    for (int i = 0; i < j->graph->nelements; i++)
        d->element[i].fold = -1;
    for (int b = 0; b < j->graph->nbonds; b++)
        d->bond[b].as = b;
    jni_draw_texts(d, o->values);
    if (mode)
        set_mode(d, j, mode);
    set_strokes(d, j, mode);
    if (!o->unfold)
        jni_draw_fold(d);
    jn_status status = jni_draw_place(d, o->bond_names);
    if (status != JN_OK) {
        jn_drawing_free(d);
        d = NULL;
    }
    *out = d;
    return status;
}

void jn_drawing_free(jn_drawing *d)
{
    if (d)
        jn_arena_free(d->arena);
}
