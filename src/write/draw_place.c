/* draw_place.c: where the parts of a drawing stand, in the layout that draw_choose.c takes.
 *
 * Bonds are straight where nothing is in their way and follow the route found by Graphviz
 * elsewhere. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "draw_internal.h"
#include "graphviz.h"

enum {
    MARGIN = 8,
    ROUND = 5, /* a junction's bonds begin on an ellipse that much wider than its box */
    ROUND_MAX = 70,
    FEW_BONDS = 6, /* with more, the ellipse grows */
    APART = 14,    /* between bonds that join the same elements */
    STROKES_APART = 12,
    FRAME = 6,  /* between the parts of a fold and its frame */
    SHORT = 18, /* the least line before a turn */
};

/* ---- boxes --------------------------------------------------------------------------------- */

static jn_point centre_of(jn_box b)
{
    return (jn_point){(b.left + b.right) / 2, (b.top + b.bottom) / 2};
}

/* The margin at the top: frames have room for their labels there. */
static double top_of(const jn_drawing *d)
{
    return MARGIN + (d->nfolds ? FRAME + JNI_FOLD_LABEL : 0);
}

/* A layout has a box for each element that has one; in their order. */
static void place_boxes(jn_drawing *d, const jn_layout *l)
{
    double top = top_of(d);
    d->width = l->width + 2 * MARGIN;
    d->height = l->height + MARGIN + top;
    for (int i = 0, box = 0; i < d->graph->nelements; i++) {
        if (d->element[i].in != i) {
            d->element[i].box = d->element[d->element[i].in].box;
            continue;
        }
        jn_point c = {l->centre[box].x + MARGIN, l->centre[box].y + top};
        double w, h;
        box++;
        jni_draw_box_size(&w, &h, d, i);
        d->element[i].box = (jn_box){c.x - w / 2, c.y - h / 2, c.x + w / 2, c.y + h / 2};
    }
}

/* ---- bonds --------------------------------------------------------------------------------- */

/* How far outside of a junction's box its bonds begin. */
static double round_of(const jn_drawing *d, int element)
{
    const jn_element *e = &d->graph->element[element];
    int drawn = 0;
    for (int i = 0; i < e->nbonds; i++)
        drawn += jni_bond_is_drawn(d, e->bond[i]);
    if (jn_kind_is_port(e->kind))
        return 0;
    return drawn <= FEW_BONDS ? ROUND : fmin(ROUND + 2.5 * (drawn - FEW_BONDS), ROUND_MAX);
}

/* Where the line from a point of an element towards another point begins: at its box, for a
 * junction at an ellipse around that, on which many bonds find room. */
static jn_point edge_point(const jn_drawing *d, int element, jn_point c, jn_point towards)
{
    jn_box box = jni_box_grown(d->element[element].box, JN_DRAW_CLEAR);
    double dx = towards.x - c.x, dy = towards.y - c.y, t = 0;
    double a = (box.right - box.left) / 2, b = (box.bottom - box.top) / 2;
    if (fabs(dx) * b > fabs(dy) * a)
        t = a / fabs(dx);
    else if (fabs(dy) > 0)
        t = b / fabs(dy);
    double r = round_of(d, element);
    if (r > 0 && hypot(dx, dy) > 0)
        t = fmax(t, 1 / hypot(dx / (a + r), dy / (b + r)));
    return (jn_point){c.x + t * dx, c.y + t * dy};
}

static bool joins(const jn_drawing *d, const jn_bond *b, int this_box, int that_box)
{
    return d->element[b->tail].in == this_box && d->element[b->head].in == that_box;
}

/* How many bonds before this one join the same boxes, and how many there are. */
static int rank_among(int *count, const jn_drawing *d, int bond)
{
    const jn_graph *g = d->graph;
    const jn_bond *b = &g->bond[bond];
    int tail = d->element[b->tail].in, head = d->element[b->head].in, rank = 0;
    const jn_multiport *f = g->element[tail].multiport;
    *count = 0;
    for (int port = 0; port < (f ? f->nports : 1); port++) {
        const jn_element *e = &g->element[f ? f->element[port] : tail];
        for (int i = 0; i < e->nbonds; i++) {
            const jn_bond *o = &g->bond[e->bond[i]];
            bool same = jni_bond_is_drawn(d, e->bond[i]) &&
                        (joins(d, o, tail, head) || joins(d, o, head, tail));
            rank += same && e->bond[i] < bond;
            *count += same;
        }
    }
    return rank;
}

/* The two elements' centres; shifted sideways where several bonds join them. */
static void bond_ends(jn_point *tail, jn_point *head, const jn_drawing *d, int bond)
{
    const jn_bond *b = &d->graph->bond[bond];
    int count, rank = rank_among(&count, d, bond);
    *tail = centre_of(d->element[b->tail].box);
    *head = centre_of(d->element[b->head].box);
    double dx = head->x - tail->x, dy = head->y - tail->y, length = hypot(dx, dy);
    double aside = length > 0 ? APART * (rank - (count - 1) / 2.0) / length : 0;
    if (d->element[b->tail].in >
        d->element[b->head].in) /* the same side, whichever way the bond goes */
        aside = -aside;
    *tail = (jn_point){tail->x - aside * dy, tail->y + aside * dx};
    *head = (jn_point){head->x - aside * dy, head->y + aside * dx};
}

static bool is_free(const jn_drawing *d, int bond, jn_point from, jn_point to)
{
    const jn_bond *b = &d->graph->bond[bond];
    for (int i = 0; i < d->graph->nelements; i++)
        if (d->element[i].in == i && !jni_draw_ends_in(d, b, i) &&
            jni_line_meets(from, to, d->element[i].box))
            return false;
    return true;
}

/* A turn right beside an end is left out where that is in nobody's way: a stroke and an arrow need
 * some line. Not beside a junction with many bonds, around which they are spread later. */
static int without_short_ends(const jn_drawing *d, int bond, jn_point *p, int n, jn_point tail,
                              jn_point head)
{
    const jn_bond *b = &d->graph->bond[bond];
    if (round_of(d, b->tail) > ROUND || round_of(d, b->head) > ROUND)
        return n;
    if (n > 2 && hypot(p[1].x - p[0].x, p[1].y - p[0].y) < SHORT &&
        is_free(d, bond, tail, n > 3 ? p[2] : head)) {
        memmove(p + 1, p + 2, (size_t)(n - 2) * sizeof *p);
        n--;
    }
    if (n > 2 && hypot(p[n - 1].x - p[n - 2].x, p[n - 1].y - p[n - 2].y) < SHORT &&
        is_free(d, bond, n > 3 ? p[n - 3] : tail, head)) {
        p[n - 2] = p[n - 1];
        n--;
    }
    return n;
}

/* A route may turn inside of the ellipse from which bonds begin: the turn goes outside. */
static jn_point outside(jn_point turn, jn_point centre, jn_point edge)
{
    double r = hypot(turn.x - centre.x, turn.y - centre.y);
    double least = hypot(edge.x - centre.x, edge.y - centre.y) + SHORT;
    double by = r > 0 && r < least ? least / r : 1;
    return (jn_point){centre.x + by * (turn.x - centre.x), centre.y + by * (turn.y - centre.y)};
}

/* Straight if possible, else along Graphviz's route, whose ends are moved to where ours are. */
static void place_bond(jn_drawing *d, int bond, const jn_layout *l, int line)
{
    const jn_bond *b = &d->graph->bond[bond];
    jn_drawn_bond *x = &d->bond[bond];
    jn_point tail, head;
    bond_ends(&tail, &head, d, bond);
    bool straight = !l->routed && !(l->fixed && l->fixed[line]) && is_free(d, bond, tail, head);
    int inner = straight || l->npoints[line] < 2 ? 0 : l->npoints[line] - 2;
    jn_point *p = jn_arena_alloc(d->arena, (size_t)(inner + 2) * sizeof *p);
    for (int i = 1; i <= inner; i++)
        p[i] = (jn_point){l->point[line][i].x + MARGIN, l->point[line][i].y + top_of(d)};
    for (int before = -1; before != inner;) { /* an end turns when the point beside it goes */
        before = inner;
        p[0] = edge_point(d, b->tail, tail, inner ? p[1] : head);
        p[inner + 1] = edge_point(d, b->head, head, inner ? p[inner] : tail);
        inner = without_short_ends(d, bond, p, inner + 2, tail, head) - 2;
    }
    if (inner) {
        p[1] = outside(p[1], tail, p[0]);
        p[inner] = outside(p[inner], head, p[inner + 1]);
    }
    x->npoints = inner + 2;
    x->point = p;
}

/* ---- bonds that meet ----------------------------------------------------------------------- */

typedef struct {
    int bond;
    bool at_head;
    double angle; /* at which it leaves the junction */
} leaving;

static int compare_angles(const void *a, const void *b)
{
    double x = ((const leaving *)a)->angle, y = ((const leaving *)b)->angle;
    return (x > y) - (x < y);
}

/* Moves neighbours apart, by half of what is missing each, until nothing moves any more. */
static bool spread_angles(leaving *l, int n, double apart)
{
    const double round = 2 * JN_PI;
    bool any = false, moved = true;
    for (int pass = 0; pass < 100 && moved; pass++) {
        moved = false;
        for (int i = 0; i < n; i++) {
            leaving *a = &l[i], *b = &l[(i + 1) % n];
            double missing = apart - (b->angle - a->angle + (i + 1 == n ? round : 0));
            if (missing < 1e-3)
                continue;
            a->angle -= missing / 2;
            b->angle += missing / 2;
            any = moved = true;
        }
    }
    return any;
}

static void move_end(jn_drawing *d, int element, jn_point c, const leaving *l)
{
    jn_drawn_bond *x = &d->bond[l->bond];
    jn_point *p = jn_arena_alloc(d->arena, (size_t)x->npoints * sizeof *p);
    memcpy(p, x->point, (size_t)x->npoints * sizeof *p);
    jn_point towards = {c.x + cos(l->angle), c.y + sin(l->angle)};
    p[l->at_head ? x->npoints - 1 : 0] = edge_point(d, element, c, towards);
    x->point = p;
}

/* The bonds that leave a junction and the angles at which they do, all the way round; returns how
 * many there are. */
static int find_leaving(leaving *l, double *radius, const jn_drawing *d, int element, jn_point c)
{
    const jn_element *e = &d->graph->element[element];
    int n = 0;
    *radius = 0;
    for (int i = 0; i < e->nbonds; i++) {
        if (!jni_bond_is_drawn(d, e->bond[i]))
            continue;
        const jn_drawn_bond *x = &d->bond[e->bond[i]];
        bool at_head = d->graph->bond[e->bond[i]].head == element;
        jn_point p = x->point[at_head ? x->npoints - 1 : 0];
        l[n++] = (leaving){e->bond[i], at_head, atan2(p.y - c.y, p.x - c.x)};
        *radius += hypot(p.x - c.x, p.y - c.y);
    }
    *radius /= n ? n : 1;
    qsort(l, (size_t)n, sizeof *l, compare_angles);
    return n;
}

/* Strokes of bonds that leave a junction side by side would run into each other. */
static void spread_bonds(jn_drawing *d, int element)
{
    jn_point c = centre_of(d->element[element].box);
    leaving *l = jn_alloc((size_t)d->graph->element[element].nbonds * sizeof *l + 1);
    double radius;
    int n = find_leaving(l, &radius, d, element, c);
    double apart = n > 1 && radius > 0 ? fmin(STROKES_APART / radius, 2 * JN_PI / n) : 0;
    if (n > 1 && radius > 0 && spread_angles(l, n, apart))
        for (int i = 0; i < n; i++)
            move_end(d, element, c, &l[i]);
    free(l);
}

/* ---- labels -------------------------------------------------------------------------------- */

static bool label_is_free(const jn_drawing *d, int bond, jn_box box)
{
    const jn_graph *g = d->graph;
    for (int i = 0; i < g->nelements; i++)
        if (jni_boxes_meet(box, d->element[i].box))
            return false;
    for (int f = 0; f < d->nfolds; f++)
        if (jni_boxes_meet(box, jni_fold_label(&d->fold[f])))
            return false;
    for (int b = 0; b < g->nbonds; b++) {
        const jn_drawn_bond *x = &d->bond[b];
        if (b < bond && x->label && jni_boxes_meet(box, x->label_box))
            return false;
        for (int i = 0; i + 1 < x->npoints; i++)
            if (jni_line_meets(x->point[i], x->point[i + 1], box))
                return false;
    }
    return true;
}

/* Beside the bond's longest part, at the first place that is free: its middle, further along, on
 * the other side, further away. */
static void place_label(jn_drawing *d, int bond)
{
    jn_drawn_bond *x = &d->bond[bond];
    int longest = 0;
    double length = 0;
    for (int i = 0; i + 1 < x->npoints; i++) {
        double n = hypot(x->point[i + 1].x - x->point[i].x, x->point[i + 1].y - x->point[i].y);
        if (n > length) {
            length = n;
            longest = i;
        }
    }
    jn_point a = x->point[longest], b = x->point[longest + 1];
    double w = jni_draw_text_width(x->label, JN_DRAW_SIZE_BELOW) / 2 + 1, h = 6;
    double ux = length > 0 ? (b.x - a.x) / length : 1, uy = length > 0 ? (b.y - a.y) / length : 0;
    static const double along[] = {0.5, 0.35, 0.65, 0.2, 0.8};
    for (int away = 4; away <= 32; away += 7)
        for (int k = 0; k < 10; k++) {
            double side = k < 5 ? 1 : -1, s = along[k % 5];
            double off = away + fabs(uy) * w + fabs(ux) * h;
            jn_point c = {a.x + s * (b.x - a.x) + side * off * uy,
                          a.y + s * (b.y - a.y) - side * off * ux};
            x->label_box = (jn_box){c.x - w, c.y - h, c.x + w, c.y + h};
            if (label_is_free(d, bond, x->label_box))
                return;
        }
}

/* Room for labels beside the outermost bonds. */
static void widen(jn_drawing *d)
{
    for (int b = 0; b < d->graph->nbonds; b++) {
        const jn_drawn_bond *x = &d->bond[b];
        if (x->label) {
            d->width = fmax(d->width, x->label_box.right + MARGIN);
            d->height = fmax(d->height, x->label_box.bottom + MARGIN);
        }
    }
    for (int f = 0; f < d->nfolds; f++)
        d->width = fmax(d->width, d->fold[f].box.right + 2);
}

/* ---- the whole ----------------------------------------------------------------------------- */

/* Around the first part of each fold: its boxes and the bonds between them. */
static void place_frames(jn_drawing *d)
{
    for (int f = 0; f < d->nfolds; f++) {
        jn_fold *x = &d->fold[f];
        jn_box all = d->element[x->element[0]].box;
        for (int i = 0; i < x->nelements; i++)
            all = jni_box_of_both(all, d->element[x->element[i]].box);
        for (int i = 0; i < x->nbonds; i++) {
            const jn_bond *b = &d->graph->bond[x->bond[i]];
            const jn_drawn_bond *y = &d->bond[x->bond[i]];
            bool inside = d->element[b->tail].fold == f && d->element[b->head].fold == f;
            for (int k = 0; k < y->npoints && inside; k++)
                all = jni_box_of_both(
                    all, (jn_box){y->point[k].x, y->point[k].y, y->point[k].x, y->point[k].y});
        }
        x->box = jni_box_grown(all, FRAME);
        x->box.top -= JNI_FOLD_LABEL;
        x->box.right =
            fmax(x->box.right,
                 x->box.left + jni_draw_text_width(x->label, JN_DRAW_SIZE_BELOW) + 2 * FRAME);
    }
}

void jni_draw_place_all(jn_drawing *d, const jn_layout *l)
{
    place_boxes(d, l);
    for (int b = 0, line = 0; b < d->graph->nbonds; b++)
        if (jni_bond_is_drawn(d, b))
            place_bond(d, b, l, line++);
    for (int i = 0; i < d->graph->nelements; i++)
        if (d->element[i].in == i && round_of(d, i) > 0)
            spread_bonds(d, i);
    for (int b = 0; b < d->graph->nbonds; b++) {
        d->bond[b].npoints = d->bond[d->bond[b].as].npoints;
        d->bond[b].point = d->bond[d->bond[b].as].point;
    }
    place_frames(d);
}

/* What the layout keeps free: the text, and around a junction with many bonds their beginnings. */
static void box_with_room(double *width, double *height, const jn_drawing *d, int element)
{
    double more = 2 * fmax(0, round_of(d, element) - ROUND);
    int fold = d->element[element].fold;
    jni_draw_box_size(width, height, d, element);
    *width += more;
    *height += more;
    if (fold >= 0 && d->fold[fold].nelements == 1) { /* no layers inside: the frame itself */
        double label = jni_draw_text_width(d->fold[fold].label, JN_DRAW_SIZE_BELOW);
        *width = fmax(*width, 2 * label - *width) + 2 * FRAME;
        *height += 2 * (FRAME + JNI_FOLD_LABEL);
    }
}

/* Names of bonds, and of the ports of fields: where both, "b7 (a)". */
static const char *label_of(const jn_drawing *d, int bond, bool bond_names)
{
    const jn_bond *b = &d->graph->bond[bond];
    const jn_element *tail = &d->graph->element[b->tail], *head = &d->graph->element[b->head];
    const jn_element *port = head->multiport ? head : tail->multiport ? tail : NULL;
    bool named = b->named || bond_names;
    if (!port)
        return named ? b->name : NULL;
    const char *name = jni_draw_port_name(port);
    return named ? jn_arena_printf(d->arena, "%s (%s)", b->name, name) : name;
}

static void place_labels(jn_drawing *d, bool bond_names)
{
    for (int b = 0; b < d->graph->nbonds; b++) {
        d->bond[b].label = jni_bond_is_drawn(d, b) ? label_of(d, b, bond_names) : NULL;
        if (d->bond[b].label)
            place_label(d, b);
    }
    widen(d);
}

/* The boxes and lines of what is drawn. */
typedef struct {
    jn_layout_task task;
    double *size;
    int *ends, *box, *group;
} outline;

static void outline_init(outline *x, const jn_drawing *d)
{
    const jn_graph *g = d->graph;
    x->size = jn_alloc(2 * (size_t)g->nelements * sizeof *x->size);
    x->ends = jn_alloc(2 * (size_t)g->nbonds * sizeof *x->ends);
    x->box = jn_alloc((size_t)g->nelements * sizeof *x->box);
    x->group = jn_alloc((size_t)g->nelements * sizeof *x->group);
    double *width = x->size, *height = x->size + g->nelements;
    int *tail = x->ends, *head = x->ends + g->nbonds, nboxes = 0, nlines = 0;
    for (int i = 0; i < g->nelements; i++)
        if (d->element[i].in == i) {
            x->group[nboxes] = d->element[i].fold;
            box_with_room(&width[nboxes], &height[nboxes], d, i);
            x->box[i] = nboxes++;
        }
    for (int b = 0; b < g->nbonds; b++)
        if (jni_bond_is_drawn(d, b)) {
            tail[nlines] = x->box[d->element[g->bond[b].tail].in];
            head[nlines++] = x->box[d->element[g->bond[b].head].in];
        }
    x->task = (jn_layout_task){nboxes, width, height, nlines, tail, head, x->group, 0, -1};
}

static void outline_clear(outline *x)
{
    free(x->size);
    free(x->ends);
    free(x->box);
    free(x->group);
}

jn_status jni_draw_place(jn_drawing *d, bool bond_names)
{
    outline x;
    outline_init(&x, d);
    jn_status status = jni_draw_choose(d, &x.task);
    if (status == JN_OK)
        place_labels(d, bond_names);
    outline_clear(&x);
    return status;
}
