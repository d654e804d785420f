/* integrate_pattern.c: which unknowns each of a mode's equations reads.
 *
 * A derivative that is not a number is sent through the equations: it arrives wherever a path leads, even
 * where the slope is zero at the moment. To send one for each unknown would take a pass through all
 * equations each. So blocks of unknowns are sent first, and halved as long as they are more than one; blocks
 * that can have no row in common, as far as is known, go together. Equations that read few unknowns near
 * each other take some passes per halving that way, however many there are. */
#include <math.h>
#include <stdlib.h>

#include "integrate.h"

enum { FIRST_BLOCKS = 16 };

/* Unknowns side by side, and the rows that may read them. */
typedef struct {
    int first, end;
    int nrows, *row;
    bool is_done;
} block;

typedef struct {
    integrate *n;
    mode *m;
    double t;
    int nblocks;
    block *block;
    bool *taken; /* rows, by what is sent together */
} search;

/* ---- sending ------------------------------------------------------------------------------- */

static void send(const search *w, const block *b, double change)
{
    for (int j = b->first; j < b->end; j++) {
        w->n->w.Y[j].d = change;
        if (jni_is_dependent(w->n, w->m, j))
            w->n->w.Yp[j].d = change;
    }
}

/* Takes the block into what is sent together, if none of its rows is taken. */
static bool joins(const search *w, const block *b)
{
    for (int i = 0; i < b->nrows; i++)
        if (w->taken[b->row[i]])
            return false;
    for (int i = 0; i < b->nrows; i++)
        w->taken[b->row[i]] = true;
    send(w, b, NAN);
    return true;
}

static void receive(const search *w, block *b)
{
    int left = 0;
    for (int i = 0; i < b->nrows; i++)
        if (w->n->w.F[b->row[i]].d != 0)
            b->row[left++] = b->row[i];
    b->nrows = left;
    b->is_done = true;
    send(w, b, 0);
}

/* The rows of all blocks, as few passes as that takes. */
static void look(const search *w)
{
    int *joined = jn_alloc((size_t)w->nblocks * sizeof *joined);
    for (int done = 0; done < w->nblocks;) {
        int count = 0;
        for (int i = 0; i < w->n->k.n; i++)
            w->taken[i] = false;
        for (int i = 0; i < w->nblocks; i++)
            if (!w->block[i].is_done && joins(w, &w->block[i]))
                joined[count++] = i;
        jni_residual(w->n, w->m, (dual){w->t, 0}, NULL);
        for (int i = 0; i < count; i++)
            receive(w, &w->block[joined[i]]);
        done += count;
    }
    free(joined);
}

/* ---- blocks -------------------------------------------------------------------------------- */

static block make_block(int first, int end, const int *row, int nrows)
{
    block b = {.first = first, .end = end, .nrows = nrows};
    b.row = jn_alloc((size_t)nrows * sizeof *b.row);
    for (int i = 0; i < nrows; i++)
        b.row[i] = row ? row[i] : i;
    return b;
}

static void free_blocks(block *b, int count)
{
    for (int i = 0; i < count; i++)
        free(b[i].row);
    free(b);
}

static void begin(search *w)
{
    int n = w->n->k.n, count = n < FIRST_BLOCKS ? n : FIRST_BLOCKS;
    w->block = jn_alloc((size_t)count * sizeof *w->block);
    w->nblocks = count;
    for (int i = 0; i < count; i++)
        w->block[i] =
            make_block((int)((long)n * i / count), (int)((long)n * (i + 1) / count), NULL, n);
}

/* False: they are of one unknown each. */
static bool halve(search *w)
{
    int count = 0;
    block *old = w->block, *half = jn_alloc(2 * (size_t)w->nblocks * sizeof *half);
    for (int i = 0; i < w->nblocks; i++) {
        int middle = (old[i].first + old[i].end + 1) / 2;
        half[count++] = make_block(old[i].first, middle, old[i].row, old[i].nrows);
        if (middle < old[i].end)
            half[count++] = make_block(middle, old[i].end, old[i].row, old[i].nrows);
    }
    bool goes_on = count > w->nblocks;
    w->block = half;
    free_blocks(old, w->nblocks);
    w->nblocks = count;
    return goes_on;
}

/* ---- the pattern --------------------------------------------------------------------------- */

/* One column after another, each with its diagonal. */
static void write_down(sparse_pattern *p, const search *w)
{
    int cap = 0, count = 0;
    for (int j = 0; j < p->n; j++) {
        const block *b = &w->block[j];
        bool has_own = false;
        p->start[j] = count;
        for (int i = 0; i <= b->nrows; i++) {
            int row = i < b->nrows ? b->row[i] : p->n;
            if (!has_own && row >= j) {
                JN_GROW(p->row, count, cap);
                p->row[count++] = j;
                has_own = true;
            }
            if (row == j || row == p->n)
                continue;
            JN_GROW(p->row, count, cap);
            p->row[count++] = row;
        }
    }
    p->start[p->n] = count;
}

void jni_find_pattern(sparse_pattern *p, integrate *n, mode *m, double t)
{
    search w = {.n = n, .m = m, .t = t};
    const view *at = n->w.at;
    enum branching branching = n->w.branching;
    w.taken = jn_alloc((size_t)n->k.n * sizeof *w.taken);
    p->n = n->k.n;
    p->start = jn_alloc((size_t)(n->k.n + 1) * sizeof *p->start);
    n->w.at = NULL; /* prior(x) is x in motion */
    n->w.branching = BRANCH_HELD;
    n->w.every_way = true;
    jni_residual_at(n, n->y, n->yp);
    begin(&w);
    do
        look(&w);
    while (w.nblocks < n->k.n && halve(&w));
    write_down(p, &w);
    free_blocks(w.block, w.nblocks);
    free(w.taken);
    n->w.every_way = false;
    n->w.branching = branching;
    n->w.at = at;
}
