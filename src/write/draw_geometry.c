/* draw_geometry.c: boxes, lines and the marks at their ends. */
#include <math.h>

#include "draw_internal.h"

/* Bonds nearer to each other than that touch: half of a stroke. */
static const double NEAR = 5;

/* ---- boxes and lines ----------------------------------------------------------------------- */

jn_box jni_box_grown(jn_box b, double by)
{
    return (jn_box){b.left - by, b.top - by, b.right + by, b.bottom + by};
}

bool jni_boxes_meet(jn_box a, jn_box b)
{
    return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}

jn_box jni_box_of_both(jn_box a, jn_box b)
{
    return (jn_box){fmin(a.left, b.left), fmin(a.top, b.top), fmax(a.right, b.right),
                    fmax(a.bottom, b.bottom)};
}

/* Cuts the part [*from, *to] of the way down to where start + t·step lies between lo and hi. */
static void clip(double *from, double *to, double start, double step, double lo, double hi)
{
    if (fabs(step) < 1e-12) {
        if (start <= lo || start >= hi)
            *to = -1;
        return;
    }
    double a = (lo - start) / step, b = (hi - start) / step;
    *from = fmax(*from, fmin(a, b));
    *to = fmin(*to, fmax(a, b));
}

bool jni_line_meets(jn_point a, jn_point b, jn_box box)
{
    double from = 0, to = 1;
    clip(&from, &to, a.x, b.x - a.x, box.left, box.right);
    clip(&from, &to, a.y, b.y - a.y, box.top, box.bottom);
    return from < to;
}

/* ---- marks --------------------------------------------------------------------------------- */

enum { BAR = 5, BARB = 9 }; /* half a stroke's length; a barb's */

/* The end of a bond and the unit vector that points out of it. */
static jn_point end_of(jn_point *direction, const jn_drawn_bond *b, bool at_head)
{
    int last = b->npoints - 1;
    jn_point end = b->point[at_head ? last : 0], before = b->point[at_head ? last - 1 : 1];
    double dx = end.x - before.x, dy = end.y - before.y, length = hypot(dx, dy);
    *direction = length > 0 ? (jn_point){dx / length, dy / length} : (jn_point){1, 0};
    return end;
}

jn_segment jn_drawn_bar(const jn_drawn_bond *b, bool at_head)
{
    jn_point u, p = end_of(&u, b, at_head);
    return (jn_segment){{p.x - BAR * u.y, p.y + BAR * u.x}, {p.x + BAR * u.y, p.y - BAR * u.x}};
}

/* On the right of the way to the head: below a bond that goes to the right. */
jn_segment jn_drawn_barb(const jn_drawn_bond *b)
{
    const double c = 0.80, s = 0.60; /* of the angle */
    jn_point u, p = end_of(&u, b, true);
    return (jn_segment){p, {p.x - BARB * (c * u.x + s * u.y), p.y - BARB * (c * u.y - s * u.x)}};
}

/* ---- what is in the way -------------------------------------------------------------------- */

bool jni_draw_ends_in(const jn_drawing *d, const jn_bond *b, int element)
{
    int in = d->element[element].in;
    return d->element[b->tail].in == in || d->element[b->head].in == in;
}

/* Elements in a frame that do not belong there. */
static int strangers(const jn_drawing *d, int fold)
{
    int count = 0;
    for (int i = 0; i < d->graph->nelements; i++)
        count += d->element[i].in == i && d->element[i].fold != fold &&
                 jni_boxes_meet(d->element[i].box, d->fold[fold].box);
    return count;
}

int jn_drawing_overlaps(const jn_drawing *d)
{
    const jn_graph *g = d->graph;
    int count = 0;
    for (int i = 0; i < g->nelements; i++)
        for (int k = i + 1; k < g->nelements; k++)
            count += d->element[i].in != d->element[k].in &&
                     jni_boxes_meet(d->element[i].box, d->element[k].box);
    for (int b = 0; b < g->nbonds; b++) {
        if (!d->bond[b].label || !jni_bond_is_drawn(d, b))
            continue;
        for (int i = 0; i < g->nelements; i++)
            count += jni_boxes_meet(d->bond[b].label_box, d->element[i].box);
        for (int c = b + 1; c < g->nbonds; c++)
            count += d->bond[c].label && jni_bond_is_drawn(d, c) &&
                     jni_boxes_meet(d->bond[b].label_box, d->bond[c].label_box);
    }
    for (int f = 0; f < d->nfolds; f++)
        count += strangers(d, f);
    return count;
}

static bool meets(const jn_drawn_bond *b, jn_box box)
{
    for (int i = 0; i + 1 < b->npoints; i++)
        if (jni_line_meets(b->point[i], b->point[i + 1], box))
            return true;
    return false;
}

int jn_drawing_hidden(const jn_drawing *d)
{
    const jn_graph *g = d->graph;
    int count = 0;
    for (int b = 0; b < g->nbonds; b++)
        for (int i = 0; i < g->nelements && jni_bond_is_drawn(d, b); i++)
            if (!jni_draw_ends_in(d, &g->bond[b], i))
                count += meets(&d->bond[b], d->element[i].box);
    return count;
}

/* ---- what is in order ---------------------------------------------------------------------- */

/* On which side of the line from a to b the point lies. */
static double side_of(jn_point a, jn_point b, jn_point p)
{
    return (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x);
}

static bool segments_cross(jn_point a, jn_point b, jn_point c, jn_point d)
{
    return side_of(a, b, c) * side_of(a, b, d) < 0 && side_of(c, d, a) * side_of(c, d, b) < 0;
}

static double distance_to(jn_point p, jn_point a, jn_point b)
{
    double dx = b.x - a.x, dy = b.y - a.y, length = dx * dx + dy * dy;
    double s = length > 0 ? ((p.x - a.x) * dx + (p.y - a.y) * dy) / length : 0;
    s = fmax(0, fmin(1, s));
    return hypot(p.x - a.x - s * dx, p.y - a.y - s * dy);
}

/* A bond that ends right beside another one looks as if it ended there. */
static bool segments_touch(jn_point a, jn_point b, jn_point c, jn_point d)
{
    return distance_to(a, c, d) < NEAR || distance_to(b, c, d) < NEAR ||
           distance_to(c, a, b) < NEAR || distance_to(d, a, b) < NEAR;
}

static bool bonds_cross(const jn_drawn_bond *x, const jn_drawn_bond *y, bool apart)
{
    for (int i = 0; i + 1 < x->npoints; i++)
        for (int k = 0; k + 1 < y->npoints; k++) {
            jn_point a = x->point[i], b = x->point[i + 1], c = y->point[k], d = y->point[k + 1];
            if (segments_cross(a, b, c, d) || (apart && segments_touch(a, b, c, d)))
                return true;
        }
    return false;
}

/* Whether they have no box in common: those that do come near each other there. */
static bool are_apart(const jn_drawing *d, int b, int c)
{
    const jn_bond *x = &d->graph->bond[b], *y = &d->graph->bond[c];
    return !jni_draw_ends_in(d, x, y->tail) && !jni_draw_ends_in(d, x, y->head);
}

int jn_drawing_crossings(const jn_drawing *d)
{
    int count = 0;
    for (int b = 0; b < d->graph->nbonds; b++)
        for (int c = b + 1; c < d->graph->nbonds && jni_bond_is_drawn(d, b); c++)
            count += jni_bond_is_drawn(d, c) &&
                     bonds_cross(&d->bond[b], &d->bond[c], are_apart(d, b, c));
    return count;
}

/* One above or left of the other; those that are neither have no order. */
static bool is_inverted(jn_box first, jn_box second)
{
    if (first.left < second.right && second.left < first.right)
        return first.top > second.bottom;
    return first.top < second.bottom && second.top < first.bottom && first.left > second.right;
}

int jn_drawing_inversions(const jn_drawing *d)
{
    const jn_graph *g = d->graph;
    int count = 0;
    for (int i = 0; i < g->nswitches; i++)
        for (int k = i + 1; k < g->nswitches; k++)
            count += is_inverted(d->element[g->sw[i]].box, d->element[g->sw[k]].box);
    return count;
}
