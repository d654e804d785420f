/* draw_crop.c: takes out of a layout what nothing stands in: strips from side to side that are
 * higher than a bond needs, and the room on its sides. */
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "graphviz.h"

enum { STRIP = 38 }; /* that stays */

/* ---- strips -------------------------------------------------------------------------------- */

typedef struct {
    double top, bottom; /* nothing stands between them */
} strip;

static int compare_tops(const void *a, const void *b)
{
    double x = ((const strip *)a)->top, y = ((const strip *)b)->top;
    return (x > y) - (x < y);
}

/* From the top down; returns how many. */
static int find_strips(strip *s, const jn_layout *l, const jn_layout_task *t)
{
    strip *box = jn_alloc((size_t)t->nboxes * sizeof *box);
    for (int i = 0; i < t->nboxes; i++) {
        double h = t->height[i] / 2;
        box[i] = (strip){l->centre[i].y - h, l->centre[i].y + h};
    }
    qsort(box, (size_t)t->nboxes, sizeof *box, compare_tops);
    int n = 0;
    double bottom = t->nboxes ? box[0].bottom : 0;
    for (int i = 1; i < t->nboxes; i++) {
        if (box[i].top - bottom > STRIP)
            s[n++] = (strip){bottom, box[i].top};
        bottom = fmax(bottom, box[i].bottom);
    }
    free(box);
    return n;
}

/* Where a height comes to lie. */
static double squeezed(double y, const strip *s, int n)
{
    double out = 0;
    for (int i = 0; i < n && y > s[i].top; i++) {
        double height = s[i].bottom - s[i].top;
        out += (height - STRIP) * fmin(1, (y - s[i].top) / height);
    }
    return y - out;
}

static void squeeze(jn_layout *l, const jn_layout_task *t)
{
    strip *s = jn_alloc((size_t)t->nboxes * sizeof *s);
    int n = find_strips(s, l, t);
    for (int i = 0; i < t->nboxes; i++)
        l->centre[i].y = squeezed(l->centre[i].y, s, n);
    for (int i = 0; i < t->nlines; i++)
        for (int k = 0; k < l->npoints[i]; k++)
            l->point[i][k].y = squeezed(l->point[i][k].y, s, n);
    free(s);
}

/* ---- sides --------------------------------------------------------------------------------- */

static void include(jn_box *all, jn_box b)
{
    *all = (jn_box){fmin(all->left, b.left), fmin(all->top, b.top), fmax(all->right, b.right),
                    fmax(all->bottom, b.bottom)};
}

static jn_box bounds(const jn_layout *l, const jn_layout_task *t)
{
    jn_box all = {DBL_MAX, DBL_MAX, -DBL_MAX, -DBL_MAX};
    for (int i = 0; i < t->nboxes; i++) {
        jn_point c = l->centre[i];
        double w = t->width[i] / 2, h = t->height[i] / 2;
        include(&all, (jn_box){c.x - w, c.y - h, c.x + w, c.y + h});
    }
    for (int i = 0; i < t->nlines; i++)
        for (int k = 0; k < l->npoints[i]; k++) {
            jn_point p = l->point[i][k];
            include(&all, (jn_box){p.x, p.y, p.x, p.y});
        }
    return all;
}

void jni_layout_crop(jn_layout *l, const jn_layout_task *t)
{
    squeeze(l, t);
    jn_box all = bounds(l, t);
    for (int i = 0; i < t->nboxes; i++)
        l->centre[i] = (jn_point){l->centre[i].x - all.left, l->centre[i].y - all.top};
    for (int i = 0; i < t->nlines; i++)
        for (int k = 0; k < l->npoints[i]; k++)
            l->point[i][k] = (jn_point){l->point[i][k].x - all.left, l->point[i][k].y - all.top};
    l->width = all.right - all.left;
    l->height = all.bottom - all.top;
}

void jni_layout_mirror(jn_layout *l, const jn_layout_task *t)
{
    for (int i = 0; i < t->nboxes; i++)
        l->centre[i].y = l->height - l->centre[i].y;
    for (int i = 0; i < t->nlines; i++)
        for (int k = 0; k < l->npoints[i]; k++)
            l->point[i][k].y = l->height - l->point[i][k].y;
}
