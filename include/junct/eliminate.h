/* eliminate.h: Gaussian elimination in all modes at once.
 *
 * The rows are linear equations Σ a_j(λ)·x_j = 0 with guarded coefficients. A pivot holds only
 * in the modes where its coefficient is not zero; in the other modes the row stays available.
 * After jn_eliminate the column is solved for, in the modes returned, by pivots: rows with
 * coefficient 1 there, valid under their guard. No mode is ever enumerated. */
#ifndef JUNCT_ELIMINATE_H
#define JUNCT_ELIMINATE_H

#include "junct/guarded.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct jn_elimination jn_elimination;

typedef struct {
    int col;
    jn_guard guard; /* where it holds */
    int row;        /* x_col + Σ … = 0 under guard, of no meaning elsewhere: see jn_elimination_row */
} jn_pivot;

jn_elimination *jn_elimination_new(jn_ring ring, int ncols);
void jn_elimination_free(jn_elimination *e); /* NULL-safe */

/* The numbers of the parameters, which must outlive the elimination: a coefficient that vanishes
 * with them is divided by only where there is no other, and is noted. Where none is noted, the
 * results with numbers put in are those of an elimination with numbers. */
void jn_elimination_values(jn_elimination *e, const jn_ratfun *value, int n);
/* Per column: those of a higher rank are to be solved for later. A row serves a column rather than
 * one with columns of a higher rank: so what belongs together is settled among itself first, and
 * knows the modes of its own switches only. The array is the caller's; NULL: all alike, as at first. */
void jn_elimination_ranks(jn_elimination *e, const int *rank);
/* What was divided by though it vanishes, each with the modes; guards may overlap. Returns how
 * many there are, *c points into the elimination. */
int jn_elimination_vanishing(const jn_case **c, const jn_elimination *e);

/* Adds an equation; the row's content moves into the elimination. A passive row is never chosen
 * as a pivot, only updated. Returns its number. */
int jn_elimination_add(jn_elimination *e, jn_row *row, bool passive);
/* One that holds in some modes only; its coefficients elsewhere do not matter. */
void jn_elimination_add_where(jn_elimination *e, jn_row *row, jn_guard where);
/* A row as it stands: a passive one, or a pivot's, whose entries count under its guard only. */
const jn_row *jn_elimination_row(const jn_elimination *e, int row);
/* The row of a pivot, zero outside its guard. It costs what the guard is long for every entry. */
void jn_elimination_pivot_row(jn_row *row, const jn_elimination *e, const jn_pivot *p);

/* Solves for one column in the modes of `need`, removing it there from all other rows. Pivots
 * found with `keep_solved` are updated by every later pivot, so that in the end they are solved in
 * terms of columns that are not; the others stay as they were found. Returns the modes in which
 * it could be done. */
jn_guard jn_eliminate(jn_elimination *e, int col, jn_guard need, bool keep_solved);
/* Solves for all the columns of a set, in an order that keeps the rows short; unsolved[i] gets
 * the modes in which cols[i] could not be solved for: there it stands in no row any more. */
void jn_eliminate_all(jn_elimination *e, const int *cols, int ncols, jn_guard *unsolved);
/* Whether the column could be solved for in mode m. */
bool jn_eliminate_possible(const jn_elimination *e, int col, const jn_onoff *m);

int jn_elimination_pivots(const jn_elimination *e);
const jn_pivot *jn_elimination_pivot(const jn_elimination *e, int i);

#ifdef __cplusplus
}
#endif

#endif
