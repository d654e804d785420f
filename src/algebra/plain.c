/* plain.c: Gaussian elimination over ℚ(params), sparse and without guards.
 *
 * To solve for a column, a row in which it stands becomes its pivot: divided by the coefficient it
 * reads x + … = 0, and a multiple of it removes x from every other row. Coefficients are mostly ±1,
 * which cost no arithmetic.
 *
 * A coefficient may vanish with values that parameters have, or take on the way, as the ratio of a
 * modulated transformer that passes through zero. Such a pivot is the last choice. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "plain_internal.h"

/* ---- coefficients that vanish -------------------------------------------------------------- */

enum { VANISHES = 1, REMAINS = -1 };

struct jn_vanishing {
    jn_field *k;
    const jn_ratfun *value;
    int n;
    int nverdicts;
    signed char *verdict; /* by number of a coefficient; 0: not yet asked */
};

jn_vanishing *jn_vanishing_new(jn_field *k, const jn_ratfun *value, int n)
{
    jn_vanishing *v = jn_alloc(sizeof *v);
    *v = (jn_vanishing){.k = k, .value = value, .n = n};
    return v;
}

void jn_vanishing_free(jn_vanishing *v)
{
    if (!v)
        return;
    free(v->verdict);
    free(v);
}

bool jn_vanishing_at(jn_vanishing *v, jn_ratfun a)
{
    if (a.id >= v->nverdicts) {
        int n = 2 * a.id + 64;
        v->verdict = jn_realloc(v->verdict, (size_t)n);
        memset(v->verdict + v->nverdicts, 0, (size_t)(n - v->nverdicts));
        v->nverdicts = n;
    }
    signed char *verdict = &v->verdict[a.id];
    if (*verdict == 0)
        *verdict = jn_ratfun_vanishes(v->k, a, v->value, v->n) ? VANISHES : REMAINS;
    return *verdict == VANISHES;
}

/* ---- memory -------------------------------------------------------------------------------- */

jn_plain *jn_plain_new(jn_field *k, int ncols, jn_vanishing *v)
{
    jn_plain *p = jn_alloc(sizeof *p);
    p->k = k;
    p->vanishing = v;
    p->minus_one = jn_ratfun_int(k, -1);
    p->ncols = ncols;
    p->col = jn_alloc((size_t)ncols * sizeof *p->col);
    JN_GROW(p->spot, 0, p->cap_spots); /* so that there is an array even for nothing */
    JN_GROW(p->cell, 0, p->cap_cells);
    return p;
}

void jn_plain_free(jn_plain *p)
{
    if (!p)
        return;
    free(p->col);
    free(p->spot);
    free(p->row);
    free(p->cell);
    free(p->pivot);
    free(p->divided);
    free(p->target);
    free(p->place);
    free(p);
}

static void *copy_array(void *to, int *cap, const void *from, int n, size_t size)
{
    if (*cap < n) {
        to = jn_realloc(to, (size_t)n * size);
        *cap = n;
    }
    if (n)
        memcpy(to, from, (size_t)n * size);
    return to;
}

#define COPY(items, count, room)                                                                   \
    (p->items = copy_array(p->items, &p->room, from->items, from->count, sizeof *p->items),        \
     p->count = from->count)

void jn_plain_copy(jn_plain *p, const jn_plain *from)
{
    memcpy(p->col, from->col, (size_t)p->ncols * sizeof *p->col);
    COPY(spot, nspots, cap_spots);
    COPY(row, nrows, cap_rows);
    COPY(cell, ncells, cap_cells);
    COPY(pivot, npivots, cap_pivots);
    COPY(divided, ndivided, cap_divided);
    p->nentries = from->nentries;
}

/* Room in an array that lists share: one that has outgrown its place moves to the end. */
static void reserve(void **pool, int *n, int *cap, span *s, size_t size)
{
    if (s->n < s->cap)
        return;
    int more = s->cap ? 2 * s->cap : 4;
    if (*n + more > *cap) {
        *cap = 2 * *cap + more;
        *pool = jn_realloc(*pool, (size_t)*cap * size);
    }
    char *bytes = *pool;
    if (s->n)
        memcpy(bytes + (size_t)*n * size, bytes + (size_t)s->start * size, (size_t)s->n * size);
    s->start = *n;
    s->cap = more;
    *n += more;
}

/* ---- entries ------------------------------------------------------------------------------- */

static void insert(jn_plain *p, int row, int col, jn_ratfun value)
{
    span *cells = &p->row[row].cells, *spots = &p->col[col];
    void *pool = p->cell;
    reserve(&pool, &p->ncells, &p->cap_cells, cells, sizeof *p->cell);
    p->cell = pool;
    pool = p->spot;
    reserve(&pool, &p->nspots, &p->cap_spots, spots, sizeof *p->spot);
    p->spot = pool;
    p->cell[cells->start + cells->n] = (cell){col, spots->n, value};
    p->spot[spots->start + spots->n++] = (spot){row, cells->n++};
    p->nentries++;
}

/* Takes an entry out of its column's list; the last of the list moves to its place. */
static void forget(jn_plain *p, const cell *x)
{
    spot *spots = jn_plain_spots(p, x->col);
    spot last = spots[--p->col[x->col].n];
    spots[x->at] = last;
    jn_plain_cells(p, last.row)[last.at].at = x->at;
}

static void drop(jn_plain *p, int row, int i)
{
    cell *cells = jn_plain_cells(p, row);
    forget(p, &cells[i]);
    int last = --p->row[row].cells.n;
    p->nentries--;
    if (i == last)
        return;
    cells[i] = cells[last];
    jn_plain_spots(p, cells[i].col)[cells[i].at].at = i;
}

/* The place of a column in a row, −1: none; by the shorter of the two lists. */
static int find(const jn_plain *p, int row, int col)
{
    int in_row = p->row[row].cells.n, in_col = p->col[col].n;
    if (in_row <= in_col) {
        const cell *cells = jn_plain_cells(p, row);
        for (int i = 0; i < in_row; i++)
            if (cells[i].col == col)
                return i;
    } else {
        const spot *spots = jn_plain_spots(p, col);
        for (int i = 0; i < in_col; i++)
            if (spots[i].row == row)
                return spots[i].at;
    }
    return -1;
}

int jn_plain_row(jn_plain *p, bool passive)
{
    JN_GROW(p->row, p->nrows, p->cap_rows);
    p->row[p->nrows] = (struct line){.role = passive ? PASSIVE : OPEN};
    return p->nrows++;
}

int jn_plain_rows(const jn_plain *p)
{
    return p->nrows;
}

/* To the entry at place i of a row, −1: there is none yet. */
static void add_at(jn_plain *p, int row, int i, int col, jn_ratfun c)
{
    if (jn_ratfun_is_zero(c))
        return;
    if (i < 0) {
        insert(p, row, col, c);
        return;
    }
    jn_ratfun *value = &jn_plain_cells(p, row)[i].value;
    *value = jn_ratfun_add(p->k, *value, c);
    if (jn_ratfun_is_zero(*value))
        drop(p, row, i);
}

void jn_plain_add(jn_plain *p, int row, int col, jn_ratfun c)
{
    add_at(p, row, find(p, row, col), col, c);
}

int jn_plain_entries(const jn_plain *p, int row)
{
    return p->row[row].cells.n;
}

jn_term jn_plain_entry(const jn_plain *p, int row, int i)
{
    const cell *x = &jn_plain_cells(p, row)[i];
    return (jn_term){x->col, x->value};
}

int jn_plain_rows_with(const jn_plain *p, int col)
{
    return p->col[col].n;
}

int jn_plain_row_with(const jn_plain *p, int col, int i)
{
    return jn_plain_spots(p, col)[i].row;
}

long jn_plain_size(const jn_plain *p)
{
    return p->nentries;
}

int jn_plain_pivots(const jn_plain *p)
{
    return p->npivots;
}

int jn_plain_pivot(const jn_plain *p, int i, int *row)
{
    *row = p->pivot[i].row;
    return p->pivot[i].col;
}

int jn_plain_vanishing(const jn_ratfun **c, const jn_plain *p)
{
    *c = p->divided;
    return p->ndivided;
}

/* ---- pivoting ------------------------------------------------------------------------------ */

static bool is_unit(const jn_plain *p, jn_ratfun a)
{
    return jn_ratfun_is_one(a) || jn_ratfun_equal(a, p->minus_one);
}

static jn_ratfun times(const jn_plain *p, jn_ratfun a, jn_ratfun b)
{
    if (jn_ratfun_equal(a, p->minus_one))
        return jn_ratfun_neg(p->k, b);
    if (jn_ratfun_equal(b, p->minus_one))
        return jn_ratfun_neg(p->k, a);
    return jn_ratfun_mul(p->k, a, b);
}

plain_choice jni_plain_choose(const jn_plain *p, int col, int most)
{
    const long vanishing = 1L << 41;
    plain_choice best = {-1, false};
    long least = LONG_MAX;
    const spot *spots = jn_plain_spots(p, col);
    for (int i = 0; i < p->col[col].n && i < most; i++) {
        const struct line *l = &p->row[spots[i].row];
        if (l->role != OPEN || l->cells.n >= least)
            continue;
        jn_ratfun c = p->cell[l->cells.start + spots[i].at].value;
        bool unit = is_unit(p, c);
        bool vanishes = !unit && p->vanishing && jn_vanishing_at(p->vanishing, c);
        long cost = l->cells.n + (unit ? 1 : jn_ratfun_terms(p->k, c) - 1);
        cost += vanishes ? vanishing : 0;
        if (cost < least) {
            least = cost;
            best = (plain_choice){spots[i].row, vanishes};
        }
    }
    return best;
}

/* Divides a row by one of its coefficients. */
static void normalise(jn_plain *p, int row, int col)
{
    cell *cells = jn_plain_cells(p, row);
    int n = p->row[row].cells.n;
    jn_ratfun c = cells[find(p, row, col)].value, inverse = JN_RATFUN_ZERO;
    if (jn_ratfun_is_one(c) || jn_ratfun_inv(&inverse, p->k, c) != JN_OK)
        return;
    for (int i = 0; i < n; i++)
        cells[i].value = times(p, cells[i].value, inverse);
}

/* A frozen row stands in no column's list. */
static void freeze(jn_plain *p, int row)
{
    const cell *cells = jn_plain_cells(p, row);
    for (int i = 0; i < p->row[row].cells.n; i++)
        forget(p, &cells[i]);
    p->row[row].role = FROZEN;
}

/* Notes where a column stands in its rows, from 1, or takes the notes back. */
static void note_places(jn_plain *p, int col, bool take_back)
{
    const spot *spots = jn_plain_spots(p, col);
    for (int i = 0; i < p->col[col].n; i++)
        p->place[spots[i].row] = take_back ? 0 : spots[i].at + 1;
}

/* Adds an entry of the pivot, times their factors, to all target rows. Where those are about as many as
 * the column has, its places are noted first: looking in one row after the other would cost the length of
 * the column for each. */
static void add_to_targets(jn_plain *p, int n, cell x)
{
    bool noted = p->col[x.col].n <= 4 * n;
    if (noted)
        note_places(p, x.col, false);
    for (int i = 0; i < n; i++) {
        const struct target *t = &p->target[i];
        int at = noted ? p->place[t->row] - 1 : find(p, t->row, x.col);
        add_at(p, t->row, at, x.col, times(p, t->factor, x.value));
        p->place[t->row] = 0;
    }
    if (noted)
        note_places(p, x.col, true);
}

/* The rows from which a column is to be removed, without it; but not its own. Returns how many. */
static int find_targets(jn_plain *p, int row, int col)
{
    int n = 0;
    while (p->cap_targets < p->col[col].n)
        JN_GROW(p->target, p->cap_targets, p->cap_targets);
    for (int i = 0; i < p->col[col].n; i++) {
        spot s = jn_plain_spots(p, col)[i];
        jn_ratfun c = jn_plain_cells(p, s.row)[s.at].value;
        if (s.row != row)
            p->target[n++] = (struct target){s.row, s.at, jn_ratfun_neg(p->k, c)};
    }
    for (int i = 0; i < n; i++)
        drop(p, p->target[i].row, p->target[i].at);
    return n;
}

void jn_plain_exchange(jn_plain *p, int row, int col)
{
    normalise(p, row, col);
    int n = find_targets(p, row, col);
    if (!n)
        return;
    if (p->cap_places < p->nrows) {
        free(p->place);
        p->cap_places = p->cap_rows;
        p->place = jn_alloc((size_t)p->cap_places * sizeof *p->place);
    }
    for (int i = 0; i < p->row[row].cells.n; i++) {
        cell x = jn_plain_cells(p, row)[i];
        if (x.col != col)
            add_to_targets(p, n, x);
    }
}

void jni_plain_take(jn_plain *p, int col, plain_choice c, bool keep_solved)
{
    if (c.vanishes) {
        JN_GROW(p->divided, p->ndivided, p->cap_divided);
        p->divided[p->ndivided++] = jn_plain_cells(p, c.row)[find(p, c.row, col)].value;
    }
    jn_plain_exchange(p, c.row, col);
    if (keep_solved)
        p->row[c.row].role = SOLVED;
    else
        freeze(p, c.row);
    JN_GROW(p->pivot, p->npivots, p->cap_pivots);
    p->pivot[p->npivots++] = (plain_pivot){col, c.row};
}

bool jn_plain_solve(jn_plain *p, int col, bool keep_solved)
{
    plain_choice c = jni_plain_choose(p, col, INT_MAX);
    if (c.row < 0)
        return false;
    jni_plain_take(p, col, c, keep_solved);
    return true;
}
