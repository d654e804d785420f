/* plain.h: Gaussian elimination over ℚ(params) in one mode, sparse.
 *
 * The rows are linear equations Σ a_j·x_j = 0. The counterpart of eliminate.h without guards: what
 * is asked of one mode only costs what that mode costs, nearly in proportion to the entries. */
#ifndef JUNCT_PLAIN_H
#define JUNCT_PLAIN_H

#include "junct/ratfun.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct jn_term {
    int col;
    jn_ratfun c;
} jn_term;

/* Which coefficients vanish with values put in for parameters; each is asked about once. */
typedef struct jn_vanishing jn_vanishing;
/* value[p].id < 0: the parameter stays a symbol. The array must outlive it. */
jn_vanishing *jn_vanishing_new(jn_field *k, const jn_ratfun *value, int n);
void jn_vanishing_free(jn_vanishing *v); /* NULL-safe */
bool jn_vanishing_at(jn_vanishing *v, jn_ratfun a);

typedef struct jn_plain jn_plain;

/* A coefficient that vanishes is divided by only where there is no other, and is noted; NULL: none
 * does. Neither argument is owned. */
jn_plain *jn_plain_new(jn_field *k, int ncols, jn_vanishing *v);
void jn_plain_free(jn_plain *p); /* NULL-safe */
/* The same rows and pivots, in the memory that p has already. */
void jn_plain_copy(jn_plain *p, const jn_plain *from);

/* A new row, empty; its number. A passive row is never chosen as a pivot, only updated. */
int jn_plain_row(jn_plain *p, bool passive);
int jn_plain_rows(const jn_plain *p); /* how many there are */
/* Adds c·x_col to a row. */
void jn_plain_add(jn_plain *p, int row, int col, jn_ratfun c);
/* The entries of a row, in no particular order: how many, and one of them. */
int jn_plain_entries(const jn_plain *p, int row);
jn_term jn_plain_entry(const jn_plain *p, int row, int i);
/* The rows in which a column stands, in no particular order, but for pivots that are not updated. */
int jn_plain_rows_with(const jn_plain *p, int col);
int jn_plain_row_with(const jn_plain *p, int col, int i);
long jn_plain_size(const jn_plain *p); /* the entries of all rows */

/* Solves for a column, and removes it from all other rows. False: no row can serve. A pivot found
 * with `keep_solved` is updated by every later one, so that in the end it is solved in terms of
 * columns that are not; the others stay as they were found. */
bool jn_plain_solve(jn_plain *p, int col, bool keep_solved);
/* Solves a row, the pivot of one column so far, for another one that stands in it, and removes that
 * from all other rows: found with `keep_solved`, all of them still tell their columns in terms of
 * columns that have no pivot. The list of pivots stays as it was. */
void jn_plain_exchange(jn_plain *p, int row, int col);
/* Solves for the columns of a set in an order that keeps the rows short. What no row can serve
 * stands in no row any more. With `patient` a column for which one would have to divide by what
 * vanishes is left as it is. solved[i] tells which were. */
void jn_plain_solve_all(jn_plain *p, const int *cols, int ncols, bool patient, bool *solved);

int jn_plain_pivots(const jn_plain *p);
/* Pivot i: its column and its row, whose coefficient of the column is 1. */
int jn_plain_pivot(const jn_plain *p, int i, int *row);
/* What was divided by though it vanishes. */
int jn_plain_vanishing(const jn_ratfun **c, const jn_plain *p);

#ifdef __cplusplus
}
#endif

#endif
