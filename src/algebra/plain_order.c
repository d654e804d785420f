/* plain_order.c: solving for many columns, in Markowitz's order.
 *
 * The column with the fewest fill-ins goes first. Its cost changes as others go: a heap keeps the
 * costs, brought up to date where a pivot has touched a column and again when it is taken. For a
 * column that stands in very many rows only some are looked at: it is late in any case. */
#include <limits.h>
#include <stdlib.h>

#include "column_heap.h"
#include "plain_internal.h"

enum { ROWS_LOOKED_AT = 32 };

/* (shortest row − 1)·(rows − 1) bounds the fill-in. What divides by what vanishes comes last. */
static long markowitz(const jn_plain *p, int col)
{
    const long vanishing = 1L << 41;
    plain_choice c = jni_plain_choose(p, col, ROWS_LOOKED_AT);
    if (c.row < 0)
        return p->col[col].n;
    long cost = (long)(p->row[c.row].cells.n - 1) * (p->col[col].n - 1);
    return c.vanishes ? cost + vanishing : cost;
}

/* The columns beside a new pivot have new costs. */
static void renew(const jn_plain *p, jni_column_heap *h, const int *place)
{
    int row = p->pivot[p->npivots - 1].row;
    for (int i = 0; i < p->row[row].cells.n; i++) {
        int col = jn_plain_cells(p, row)[i].col;
        if (place[col])
            jni_column_push(h, (jni_task){markowitz(p, col), col});
    }
}

void jn_plain_solve_all(jn_plain *p, const int *cols, int ncols, bool patient, bool *solved)
{
    int *place = jn_alloc((size_t)p->ncols * sizeof *place); /* in cols, from 1; 0: not, or done */
    jni_column_heap h = {0};
    for (int i = 0; i < ncols; i++) {
        solved[i] = false;
        place[cols[i]] = i + 1;
        jni_column_push(&h, (jni_task){markowitz(p, cols[i]), cols[i]});
    }
    while (h.n) {
        jni_task t = jni_column_pop(&h);
        if (!place[t.col])
            continue;
        long now = markowitz(p, t.col);
        if (now > t.cost) {
            jni_column_push(&h, (jni_task){now, t.col});
            continue;
        }
        plain_choice c = jni_plain_choose(p, t.col, INT_MAX);
        if (c.row >= 0 && c.vanishes && patient)
            continue;
        if (c.row >= 0)
            jni_plain_take(p, t.col, c, false);
        solved[place[t.col] - 1] = c.row >= 0;
        place[t.col] = 0;
        if (c.row >= 0)
            renew(p, &h, place);
    }
    free(h.t);
    free(place);
}
