/* plain_internal.h: how the rows of a plain elimination are held.
 *
 * Every entry is known to its row and to its column, each with its place in the other: so it is
 * found by whichever list is shorter and removed at once. A junction with 50,000 bonds is a row and
 * a column of that length, and neither is ever walked to change one entry. The lists of all rows,
 * and those of all columns, lie in one array each: copying a system is copying a few arrays. */
#ifndef PLAIN_INTERNAL_H
#define PLAIN_INTERNAL_H

#include "junct/plain.h"

typedef enum { OPEN, PASSIVE, SOLVED, FROZEN } row_role; /* FROZEN: a pivot that is not updated */

typedef struct { /* a list within the common array */
    int start, n, cap;
} span;

typedef struct {
    int col, at; /* its column, and its place there */
    jn_ratfun value;
} cell;

typedef struct {
    int row, at;
} spot;

typedef struct {
    int col, row;
} plain_pivot;

struct jn_plain {
    jn_field *k;
    jn_vanishing *vanishing;
    jn_ratfun minus_one;
    int ncols;
    span *col; /* spots: where the column stands in rows that are not frozen */
    int nspots, cap_spots;
    spot *spot;
    int nrows, cap_rows;
    struct line {
        span cells;
        row_role role;
    } * row;
    int ncells, cap_cells;
    cell *cell;
    long nentries; /* cells in use */
    int npivots, cap_pivots;
    plain_pivot *pivot;
    int ndivided, cap_divided;
    jn_ratfun *divided; /* that vanish */
    int cap_targets;
    struct target {
        int row, at;
        jn_ratfun factor;
    } * target; /* the rows that multiples of a pivot are added to */
    int cap_places;
    int *place; /* per row: see note_places; all 0 in between */
};

static inline cell *jn_plain_cells(const jn_plain *p, int row)
{
    return p->cell + p->row[row].cells.start;
}

static inline spot *jn_plain_spots(const jn_plain *p, int col)
{
    return p->spot + p->col[col].start;
}

/* The best open row for a column: short, few terms to divide by, and what vanishes last. Looks at
 * the first `most` rows only. −1: none. */
typedef struct {
    int row;
    bool vanishes;
} plain_choice;
plain_choice jni_plain_choose(const jn_plain *p, int col, int most);
void jni_plain_take(jn_plain *p, int col, plain_choice c, bool keep_solved);

#endif
