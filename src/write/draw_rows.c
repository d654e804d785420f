/* draw_rows.c: a wide layout in rows.
 *
 * A long chain fits on no page. It is cut between two layers, where few lines run, and goes on in
 * the next row from the side on which the last one ended: the lines that were cut turn round
 * there. A layout that has no such places stays as it is. */
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "graphviz.h"

enum {
    CUT_MAX = 3, /* lines that a cut may break */
    ROWS_MAX = 40,
    ROW_GAP = 26,   /* between rows */
    TURN = 16,      /* of a line beside its row, */
    TURN_APART = 12 /* and further out for each further line */
};

typedef struct {
    jn_layout *layout;
    const jn_layout_task *task;
    int nrows;
    double cut[ROWS_MAX + 1]; /* row r is between cut[r] and cut[r + 1] */
    double shift[ROWS_MAX];   /* downwards */
    double width;             /* of the widest */
} rows;

/* ---- cutting ------------------------------------------------------------------------------- */

/* More than may be cut where a group would be broken. */
static int lines_across(const jn_layout *l, const jn_layout_task *t, double x)
{
    int count = 0;
    for (int i = 0; t->group && i < t->nboxes; i++)
        for (int k = i + 1; k < t->nboxes && t->group[i] >= 0; k++)
            if (t->group[k] == t->group[i] && (l->centre[i].x < x) != (l->centre[k].x < x))
                return CUT_MAX + 1;
    for (int i = 0; i < t->nlines; i++)
        count += (l->centre[t->tail[i]].x < x) != (l->centre[t->head[i]].x < x);
    return count;
}

static int compare_edges(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The places between boxes, from left to right; returns how many. */
static int find_gaps(double *gap, const jn_layout *l, const jn_layout_task *t)
{
    double(*side)[2] = jn_alloc((size_t)t->nboxes * sizeof *side);
    for (int i = 0; i < t->nboxes; i++) {
        side[i][0] = l->centre[i].x - t->width[i] / 2;
        side[i][1] = l->centre[i].x + t->width[i] / 2;
    }
    qsort(side, (size_t)t->nboxes, sizeof *side, compare_edges);
    int n = 0;
    double right = t->nboxes ? side[0][1] : 0;
    for (int i = 1; i < t->nboxes; i++) {
        if (side[i][0] > right)
            gap[n++] = (right + side[i][0]) / 2;
        right = fmax(right, side[i][1]);
    }
    free(side);
    return n;
}

/* The gap that breaks fewest lines, of those near a place; −1: none. */
static double best_gap(const rows *r, const double *gap, int n, double near, double within)
{
    double best = -1, least = DBL_MAX;
    for (int i = 0; i < n; i++) {
        double far = fabs(gap[i] - near);
        if (far > within || gap[i] <= r->cut[r->nrows - 1])
            continue;
        int across = lines_across(r->layout, r->task, gap[i]);
        if (across <= CUT_MAX && across + far / within < least) {
            least = across + far / within;
            best = gap[i];
        }
    }
    return best;
}

static int row_of(const rows *r, double x)
{
    int row = 0;
    while (row + 1 < r->nrows && x >= r->cut[row + 1])
        row++;
    return row;
}

/* Cuts into about so many rows; false when a line would go over more than two of them. */
static bool cut(rows *r, int wanted)
{
    const jn_layout_task *t = r->task;
    double *gap = jn_alloc((size_t)t->nboxes * sizeof *gap), row = r->layout->width / wanted;
    int n = find_gaps(gap, r->layout, t);
    r->nrows = 1;
    for (int i = 1; i < wanted; i++) {
        double at = best_gap(r, gap, n, i * row, row / 3);
        if (at >= 0)
            r->cut[r->nrows++] = at;
    }
    r->cut[r->nrows] = r->layout->width;
    free(gap);
    for (int i = 0; i < t->nlines; i++) {
        int from = row_of(r, r->layout->centre[t->tail[i]].x);
        int to = row_of(r, r->layout->centre[t->head[i]].x);
        if (abs(from - to) > 1)
            return false;
    }
    return r->nrows > 1;
}

/* ---- moving -------------------------------------------------------------------------------- */

static void find_tops(rows *r)
{
    const jn_layout *l = r->layout;
    double low[ROWS_MAX], high[ROWS_MAX], top = 0;
    for (int i = 0; i < ROWS_MAX; i++) {
        high[i] = DBL_MAX;
        low[i] = -DBL_MAX;
    }
    for (int i = 0; i < r->nrows; i++)
        r->width = fmax(r->width, r->cut[i + 1] - r->cut[i]);
    for (int i = 0; i < r->task->nboxes; i++) {
        int row = row_of(r, l->centre[i].x);
        high[row] = fmin(high[row], l->centre[i].y - r->task->height[i] / 2);
        low[row] = fmax(low[row], l->centre[i].y + r->task->height[i] / 2);
    }
    for (int i = 0; i < r->nrows; i++) {
        r->shift[i] = top - high[i];
        top += low[i] - high[i] + ROW_GAP;
    }
}

static jn_point moved(const rows *r, int row, jn_point p)
{
    double x = p.x - r->cut[row];
    return (jn_point){row % 2 ? r->width - x : x, p.y + r->shift[row]};
}

/* A line that was cut goes out of its row, down, and into the next one. */
static void turn(rows *r, jn_arena *a, int line, int row, int rank)
{
    double out = TURN + TURN_APART * rank, side = row % 2 ? -out : r->width + out;
    jn_point *p = jn_arena_alloc(a, 4 * sizeof *p);
    p[0] = r->layout->centre[r->task->tail[line]];
    p[3] = r->layout->centre[r->task->head[line]];
    p[1] = (jn_point){side, p[0].y};
    p[2] = (jn_point){side, p[3].y};
    r->layout->point[line] = p;
    r->layout->npoints[line] = 4;
    r->layout->fixed[line] = true;
}

static void move_lines(rows *r, jn_arena *a, const int *row)
{
    const jn_layout_task *t = r->task;
    int turned[ROWS_MAX] = {0};
    r->layout->fixed = jn_arena_alloc(a, (size_t)t->nlines);
    for (int i = 0; i < t->nlines; i++) {
        int from = row[t->tail[i]], to = row[t->head[i]], upper = from < to ? from : to;
        if (from != to)
            turn(r, a, i, upper, turned[upper]++);
        for (int k = 0; from == to && k < r->layout->npoints[i]; k++)
            r->layout->point[i][k] = moved(r, from, r->layout->point[i][k]);
    }
}

void jni_layout_fold(jn_layout *l, jn_arena *a, const jn_layout_task *t, double page_width,
                     double page_height)
{
    rows r = {.layout = l, .task = t};
    int wanted = (int)lround(sqrt(l->width / page_width * page_height / l->height));
    if (l->width <= 2 * page_width || wanted < 2 || !cut(&r, wanted < ROWS_MAX ? wanted : ROWS_MAX))
        return;
    find_tops(&r);
    int *row = jn_alloc((size_t)t->nboxes * sizeof *row);
    for (int i = 0; i < t->nboxes; i++)
        row[i] = row_of(&r, l->centre[i].x);
    for (int i = 0; i < t->nboxes; i++)
        l->centre[i] = moved(&r, row[i], l->centre[i]);
    move_lines(&r, a, row);
    free(row);
}
