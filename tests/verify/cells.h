/* cells.h: all cells into which linear forms cut a space of rational numbers, one after the other.
 *
 * A computation asks for signs of affine forms in unknown numbers. Whoever drives it repeats it until
 * every combination of signs that is possible has been met:
 *
 *     do { cells_begin(c); …the computation…; } while (cells_next(c));
 *
 * Whether a combination is possible is decided exactly: by the transposition theorem of Motzkin, with
 * a simplex method over the rationals. */
#ifndef CELLS_H
#define CELLS_H

#include <flint/fmpq.h>
#include <stdbool.h>

typedef struct cells cells;

cells *cells_new(int unknowns);
void cells_free(cells *c);
int cells_width(const cells *c); /* of a form: one coefficient an unknown, and the constant last */

void cells_begin(cells *c);
/* True: there is another cell, or another choice. */
bool cells_next(cells *c);
/* −1, 0 or 1: in this cell. */
int cells_sign(cells *c, const fmpq *form);
/* The cell lies where the form is 0; not negative. When there is nothing left, the cell is empty: then
 * all signs are 0, and what is computed means nothing. */
void cells_require_zero(cells *c, const fmpq *form);
void cells_require_not_negative(cells *c, const fmpq *form);
void cells_give_up(cells *c); /* makes it empty */
bool cells_is_empty(const cells *c);
/* One of 0 … n − 1, each in its turn. */
int cells_choose(cells *c, int n);
long cells_asked(const cells *c); /* linear programs solved so far */

#endif
