/* draw_choose.c: which layout a drawing takes.
 *
 * Layers from left to right read best, with the elements in them or around their junctions, in
 * several rows if need be; a dense graph is better off with springs. All are tried, and the best
 * one is taken: see cost(). */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "draw_internal.h"

enum {
    PAGE_WIDTH = 500,
    PAGE_HEIGHT = 680,
    COMPARED_MAX =
        200, /* bonds; with more, crossings are not counted, nor other beginnings tried */
    OTHERS_MAX = 20000, /* bonds, times other layers that are tried */
    LAYERED_MAX = 1500, /* elements; with more, layers take too long, */
    AROUND_MAX = 3000,  /* of which half or more are leaves in most models */
};

static int turns(const jn_drawing *d)
{
    int count = 0;
    for (int b = 0; b < d->graph->nbonds; b++)
        count += jni_bond_is_drawn(d, b) ? d->bond[b].npoints - 2 : 0;
    return count;
}

/* How far the drawing must shrink to fit on a page, and more for every bond that runs through a
 * text, for bonds that cross or turn and switches that are out of order. */
static double cost(const jn_drawing *d)
{
    double size = fmax(d->width / PAGE_WIDTH, d->height / PAGE_HEIGHT);
    double unclear = (double)(jn_drawing_hidden(d) + jn_drawing_overlaps(d));
    double n = d->graph->nbonds + 1, value = (1 + size) * (1 + 50 * unclear / n);
    if (d->graph->nbonds <= COMPARED_MAX)
        value *= 1 + (4 * jn_drawing_crossings(d) + jn_drawing_inversions(d) + 0.3 * turns(d)) / n;
    return value;
}

typedef enum { AROUND, LAYERED, SPRINGS, NCANDIDATES } candidate;

/* Power flows from left to right in layers. */
static const double preference[NCANDIDATES] = {0.35, 0.5, 1};

static jn_status find_layout(jn_layout *l, jn_arena *a, const jn_layout_task *t, candidate c)
{
    if (c == SPRINGS)
        return jni_layout_find(l, a, t, JN_LAYOUT_SPRINGS);
    if (t->nboxes > (c == AROUND ? AROUND_MAX : LAYERED_MAX))
        return JN_UNABLE;
    jn_status status =
        c == AROUND ? jni_layout_around(l, a, t) : jni_layout_find(l, a, t, JN_LAYOUT_LAYERED);
    if (status == JN_OK) {
        jni_layout_crop(l, t);
        jni_layout_fold(l, a, t, PAGE_WIDTH, PAGE_HEIGHT);
        jni_layout_crop(l, t);
    }
    return status;
}

/* The best layout so far, and what it costs. */
typedef struct {
    jn_drawing *d;
    const jn_layout_task *task;
    jn_layout layout;
    double least;
    int crossings; /* counted where bonds are few */
} contest;

static void compare(contest *x, const jn_layout *l, double preferred)
{
    jni_draw_place_all(x->d, l);
    double value = preferred * cost(x->d);
    if (value < x->least * (1 - 1e-9)) {
        x->least = value;
        x->layout = *l;
        x->crossings = x->task->nlines <= COMPARED_MAX ? jn_drawing_crossings(x->d) : 0;
    }
}

static jn_layout copy_of(const jn_layout *l, jn_arena *a, const jn_layout_task *t)
{
    jn_layout c = *l;
    c.centre = jn_arena_alloc(a, (size_t)t->nboxes * sizeof *c.centre);
    c.point = jn_arena_alloc(a, (size_t)t->nlines * sizeof *c.point);
    memcpy(c.centre, l->centre, (size_t)t->nboxes * sizeof *c.centre);
    for (int i = 0; i < t->nlines; i++) {
        size_t size = (size_t)l->npoints[i] * sizeof **c.point;
        c.point[i] = jn_arena_alloc(a, size + 1);
        if (size)
            memcpy(c.point[i], l->point[i], size);
    }
    return c;
}

/* The routes of turned lines lead from their heads to their tails: they are turned back. */
static void turn_back(jn_layout *l, const jn_layout_task *t, const bool *turned)
{
    for (int i = 0; i < t->nlines; i++)
        for (int k = 0, n = l->npoints[i]; turned[i] && k < n / 2; k++) {
            jn_point p = l->point[i][k];
            l->point[i][k] = l->point[i][n - 1 - k];
            l->point[i][n - 1 - k] = p;
        }
}

/* turned: the lines that are turned in the task, NULL: none.
 * As it is and upside down, its bonds straight where they can be or all along their routes. */
static jn_status enter(contest *x, candidate c, const jn_layout_task *t, const bool *turned)
{
    jn_layout layout = {0};
    jn_status status = find_layout(&layout, x->d->arena, t, c);
    if (status != JN_OK)
        return status;
    if (turned)
        turn_back(&layout, t, turned);
    compare(x, &layout, preference[c]);
    if (c == SPRINGS || t->nlines > COMPARED_MAX)
        return JN_OK;
    layout.routed = true;
    compare(x, &layout, preference[c]);
    layout = copy_of(&layout, x->d->arena, t);
    jni_layout_mirror(&layout, t);
    compare(x, &layout, preference[c]);
    layout.routed = false;
    compare(x, &layout, preference[c]);
    return JN_OK;
}

/* From several beginnings. */
static void try_variants(contest *x, candidate c)
{
    jn_layout_task other = *x->task;
    bool once = c == SPRINGS || other.nlines > COMPARED_MAX;
    for (other.variant = 0; other.variant < (once ? 1 : JN_LAYOUT_VARIANTS); other.variant++)
        if (enter(x, c, &other, NULL) != JN_OK)
            break;
}

/* ---- other layers -------------------------------------------------------------------------- */

/* In layers two rails that both feed two legs stand side by side on the left, and what hangs between the legs
 * is shut in. With one rail to the right of the legs nothing need cross. So where bonds still do, the lines
 * out of one box are turned, and those after them as far as nothing else leads in; and boxes may
 * stand a layer further away, so that others find room between. */

static bool only_turned_lead_to(const jn_layout_task *t, int box, const bool *turned)
{
    int in = 0;
    for (int i = 0; i < t->nlines; i++) {
        if (t->head[i] == box && !turned[i])
            return false;
        in += t->head[i] == box;
    }
    return in > 0;
}

/* Returns how many lines are turned; those into the box are as well. */
static int find_turned(bool *turned, const jn_layout_task *t, int box)
{
    int count = 0;
    bool more = true;
    memset(turned, 0, (size_t)t->nlines * sizeof *turned);
    while (more) {
        more = false;
        for (int i = 0; i < t->nlines; i++) {
            if (turned[i])
                continue;
            turned[i] = t->tail[i] == box || t->head[i] == box ||
                        only_turned_lead_to(t, t->tail[i], turned);
            more = more || turned[i];
            count += turned[i];
        }
    }
    return count;
}

/* Where lines spread out or come together; leaves do not count. */
static bool is_fork(const jn_layout_task *t, int box)
{
    int lines = 0;
    for (int i = 0; i < t->nlines; i++)
        lines += t->tail[i] == box || t->head[i] == box;
    return lines > 2;
}

/* The task with some lines turned. */
typedef struct {
    jn_layout_task task;
    bool *turned;
    int *tail, *head;
} turning;

static void turn_at(turning *y, const jn_layout_task *t, int box)
{
    y->task = *t;
    if (2 * find_turned(y->turned, t, box) > t->nlines) /* power should flow to the right */
        memset(y->turned, 0, (size_t)t->nlines * sizeof *y->turned);
    for (int i = 0; i < t->nlines; i++) {
        y->tail[i] = y->turned[i] ? t->head[i] : t->tail[i];
        y->head[i] = y->turned[i] ? t->tail[i] : t->head[i];
    }
    y->task.tail = y->tail;
    y->task.head = y->head;
}

static void try_apart(contest *x, turning *y, int *left)
{
    for (int box = -1; box<x->task->nboxes && * left> 0; box++)
        if (box < 0 || is_fork(x->task, box)) {
            y->task.apart = box;
            if (enter(x, AROUND, &y->task, y->turned) != JN_OK)
                return;
            --*left;
        }
}

static void try_other_layers(contest *x)
{
    const jn_layout_task *t = x->task;
    turning y = {.turned = jn_alloc((size_t)t->nlines * sizeof *y.turned)};
    y.tail = jn_alloc((size_t)t->nlines * sizeof *y.tail);
    y.head = jn_alloc((size_t)t->nlines * sizeof *y.head);
    int left = OTHERS_MAX / (t->nlines + 1);
    for (int box = -1; box < t->nboxes && left > 0; box++)
        if (box < 0 || is_fork(t, box)) {
            turn_at(&y, t, box);
            try_apart(x, &y, &left);
        }
    free(y.turned);
    free(y.tail);
    free(y.head);
}

jn_status jni_draw_choose(jn_drawing *d, const jn_layout_task *t)
{
    contest x = {.d = d, .task = t, .least = DBL_MAX};
    for (int c = 0; c < NCANDIDATES; c++)
        try_variants(&x, (candidate)c);
    if (x.least == DBL_MAX)
        return JN_UNABLE;
    if (x.crossings > 0)
        try_other_layers(&x);
    jni_draw_place_all(d, &x.layout);
    return JN_OK;
}
