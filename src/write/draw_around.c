/* draw_around.c: a layout as bond graphs are drawn by hand.
 *
 * The junctions make layers from left to right; the elements that are bonded to them by one bond,
 * the leaves, stand above and below them. A junction without a bond from its left keeps one leaf
 * that feeds it there, one without a bond to its right one that it feeds. */
#include <math.h>
#include <stdlib.h>

#include "graphviz.h"

enum {
    GAP = 36,        /* between a junction and its leaves: a bond must fit in */
    BESIDE = 14,     /* between leaves */
    LEAVES_MAX = 60, /* of one junction: more make too large a circle */
    STEP = 4         /* by which an arc grows until its leaves have room */
};

typedef struct {
    const jn_layout_task *task;
    int *hub;               /* per box: that it stands around; −1: it is part of the layers */
    jn_point *offset;       /* of such a leaf from its hub */
    double *width, *height; /* per box: with what stands around it */
    bool *widened;          /* per box: something does */
} around;

/* ---- leaves -------------------------------------------------------------------------------- */

/* Those with one line, to a box that has more; of the lines of each hub the first that comes from
 * its left or goes to its right stays, where the layers have none. */
static void find_leaves(around *a)
{
    const jn_layout_task *t = a->task;
    int *degree = jn_alloc((size_t)t->nboxes * sizeof *degree);
    bool *fed = jn_alloc((size_t)t->nboxes), *feeds = jn_alloc((size_t)t->nboxes);
    for (int i = 0; i < t->nlines; i++) {
        degree[t->tail[i]]++;
        degree[t->head[i]]++;
    }
    for (int i = 0; i < t->nboxes; i++)
        a->hub[i] = -1;
    for (int i = 0; i < t->nlines; i++)
        if (degree[t->tail[i]] > 1 && degree[t->head[i]] > 1)
            feeds[t->tail[i]] = fed[t->head[i]] = true;
    for (int i = 0; i < t->nlines; i++) {
        int tail = t->tail[i], head = t->head[i];
        if (degree[tail] == 1 && degree[head] > 1 && fed[head])
            a->hub[tail] = head;
        else if (degree[head] == 1 && degree[tail] > 1 && feeds[tail])
            a->hub[head] = tail;
        else
            feeds[tail] = fed[head] = true;
    }
    free(degree);
    free(fed);
    free(feeds);
}

/* ---- arcs ---------------------------------------------------------------------------------- */

static double angle_of(int i, int n)
{
    double first = n == 2 ? 60 : n == 3 ? 42 : 28; /* degrees, from the left */
    return JN_PI / 180 * (n == 1 ? 90 : first + (180 - 2 * first) * i / (n - 1));
}

/* Whether two boxes with centres so far apart leave room between them. */
static bool are_apart(const jn_layout_task *t, int i, int k, double dx, double dy, double gap)
{
    return fabs(dx) >= (t->width[i] + t->width[k]) / 2 + gap ||
           fabs(dy) >= (t->height[i] + t->height[k]) / 2 + gap;
}

static bool fits(const around *a, int hub, const int *leaf, int n)
{
    for (int i = 0; i < n; i++) {
        jn_point p = a->offset[leaf[i]];
        if (!are_apart(a->task, hub, leaf[i], p.x, p.y, GAP))
            return false;
        if (i > 0 && !are_apart(a->task, leaf[i - 1], leaf[i], p.x - a->offset[leaf[i - 1]].x,
                                p.y - a->offset[leaf[i - 1]].y, BESIDE))
            return false;
    }
    return true;
}

/* Leaves from left to right on the smallest arc on which they have room. */
static void place_arc(around *a, int hub, const int *leaf, int n, bool above)
{
    double radius = GAP;
    do {
        radius += STEP;
        for (int i = 0; i < n; i++) {
            double angle = angle_of(i, n);
            a->offset[leaf[i]] =
                (jn_point){-radius * cos(angle), (above ? -radius : radius) * sin(angle)};
        }
    } while (!fits(a, hub, leaf, n));
}

/* The first half above, the rest below. */
static void place_leaves(around *a, int hub, const int *leaf, int n)
{
    int above = (n + 1) / 2;
    place_arc(a, hub, leaf, above, true);
    place_arc(a, hub, leaf + above, n - above, false);
    for (int i = 0; i < n; i++) {
        double w = 2 * fabs(a->offset[leaf[i]].x) + a->task->width[leaf[i]];
        double h = 2 * fabs(a->offset[leaf[i]].y) + a->task->height[leaf[i]];
        a->width[hub] = fmax(a->width[hub], w);
        a->height[hub] = fmax(a->height[hub], h);
    }
    a->widened[hub] = n > 0;
}

/* Leaves in the order of their hubs, file order within each. */
static void place_all_leaves(around *a)
{
    const jn_layout_task *t = a->task;
    int *first = jn_alloc(((size_t)t->nboxes + 1) * sizeof *first);
    int *leaf = jn_alloc((size_t)t->nboxes * sizeof *leaf);
    int *used = jn_alloc((size_t)t->nboxes * sizeof *used);
    for (int i = 0; i < t->nboxes; i++)
        if (a->hub[i] >= 0)
            first[a->hub[i] + 1]++;
    for (int i = 0; i < t->nboxes; i++)
        first[i + 1] += first[i];
    for (int i = 0; i < t->nboxes; i++)
        if (a->hub[i] >= 0)
            leaf[first[a->hub[i]] + used[a->hub[i]]++] = i;
    for (int i = 0; i < t->nboxes; i++)
        place_leaves(a, i, leaf + first[i], used[i]);
    free(first);
    free(leaf);
    free(used);
}

static bool is_crowded(const around *a)
{
    int *count = jn_alloc((size_t)a->task->nboxes * sizeof *count);
    bool crowded = false;
    for (int i = 0; i < a->task->nboxes; i++)
        if (a->hub[i] >= 0)
            crowded = ++count[a->hub[i]] > LEAVES_MAX || crowded;
    free(count);
    return crowded;
}

/* ---- layers -------------------------------------------------------------------------------- */

/* A route ends where it meets a hub with leaves, and goes on to its centre. */
static void take_route(jn_layout *out, jn_arena *arena, const around *a, int line, int n,
                       const jn_point *route)
{
    const jn_layout_task *t = a->task;
    bool before = n > 0 && a->widened[t->tail[line]], after = n > 0 && a->widened[t->head[line]];
    jn_point *p = jn_arena_alloc(arena, (size_t)(n + 2) * sizeof *p);
    int k = 0;
    if (before)
        p[k++] = out->centre[t->tail[line]];
    for (int i = 0; i < n; i++)
        p[k++] = route[i];
    if (after)
        p[k++] = out->centre[t->head[line]];
    out->npoints[line] = k;
    out->point[line] = p;
}

/* The boxes and lines that are part of the layers, with numbers of their own. */
typedef struct {
    jn_layout_task task;
    int *number, *line; /* per box and line of the whole: its number here, −1: none */
    double *size;
    int *ends, *group;
} layers;

static void layers_init(layers *x, const around *a)
{
    const jn_layout_task *t = a->task;
    x->number = jn_alloc((size_t)t->nboxes * sizeof *x->number);
    x->line = jn_alloc((size_t)t->nlines * sizeof *x->line);
    x->size = jn_alloc(2 * (size_t)t->nboxes * sizeof *x->size);
    x->ends = jn_alloc(2 * (size_t)t->nlines * sizeof *x->ends);
    x->group = jn_alloc((size_t)t->nboxes * sizeof *x->group);
    double *width = x->size, *height = x->size + t->nboxes;
    int *tail = x->ends, *head = x->ends + t->nlines, nboxes = 0, nlines = 0;
    for (int i = 0; i < t->nboxes; i++) {
        x->number[i] = a->hub[i] < 0 ? nboxes : -1;
        if (a->hub[i] >= 0)
            continue;
        x->group[nboxes] = t->group ? t->group[i] : -1;
        width[nboxes] = a->width[i];
        height[nboxes++] = a->height[i];
    }
    for (int i = 0; i < t->nlines; i++) {
        bool inside = a->hub[t->tail[i]] < 0 && a->hub[t->head[i]] < 0;
        x->line[i] = inside ? nlines : -1;
        if (!inside)
            continue;
        tail[nlines] = x->number[t->tail[i]];
        head[nlines++] = x->number[t->head[i]];
    }
    int apart = t->apart < 0 ? -1 : x->number[t->apart];
    x->task =
        (jn_layout_task){nboxes, width, height, nlines, tail, head, x->group, t->variant, apart};
}

static void layers_clear(layers *x)
{
    free(x->number);
    free(x->line);
    free(x->size);
    free(x->ends);
    free(x->group);
}

static void combine(jn_layout *out, jn_arena *arena, const around *a, const layers *x,
                    const jn_layout *found)
{
    const jn_layout_task *t = a->task;
    *out = (jn_layout){.width = found->width, .height = found->height};
    out->centre = jn_arena_alloc(arena, (size_t)t->nboxes * sizeof *out->centre);
    out->npoints = jn_arena_alloc(arena, (size_t)t->nlines * sizeof *out->npoints);
    out->point = jn_arena_alloc(arena, (size_t)t->nlines * sizeof *out->point);
    for (int i = 0; i < t->nboxes; i++) {
        bool leaf = a->hub[i] >= 0;
        jn_point c = found->centre[x->number[leaf ? a->hub[i] : i]];
        out->centre[i] = leaf ? (jn_point){c.x + a->offset[i].x, c.y + a->offset[i].y} : c;
    }
    for (int i = 0; i < t->nlines; i++)
        if (x->line[i] >= 0)
            take_route(out, arena, a, i, found->npoints[x->line[i]], found->point[x->line[i]]);
}

static jn_status place_around(jn_layout *out, jn_arena *arena, around *a)
{
    layers x;
    jn_layout found = {0};
    place_all_leaves(a);
    layers_init(&x, a);
    jn_status status = jni_layout_find(&found, arena, &x.task, JN_LAYOUT_LAYERED);
    if (status == JN_OK)
        combine(out, arena, a, &x, &found);
    layers_clear(&x);
    return status;
}

jn_status jni_layout_around(jn_layout *out, jn_arena *arena, const jn_layout_task *t)
{
    size_t n = (size_t)t->nboxes;
    around a = {.task = t};
    a.hub = jn_alloc(n * sizeof *a.hub);
    a.offset = jn_alloc(n * sizeof *a.offset);
    a.width = jn_alloc(n * sizeof *a.width);
    a.height = jn_alloc(n * sizeof *a.height);
    a.widened = jn_alloc(n);
    for (int i = 0; i < t->nboxes; i++) {
        a.width[i] = t->width[i];
        a.height[i] = t->height[i];
    }
    find_leaves(&a);
    jn_status status = is_crowded(&a) ? JN_UNABLE : place_around(out, arena, &a);
    free(a.hub);
    free(a.offset);
    free(a.width);
    free(a.height);
    free(a.widened);
    return status;
}
