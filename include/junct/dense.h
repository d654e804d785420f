/* dense.h: small dense matrices over ℚ(params), for one mode at a time.
 *
 * A matrix is either symbolic (entries are values of the field) or numeric (plain rationals, held
 * by FLINT): which, says its algebra. What is computed is the same; the numeric one is faster by
 * orders of magnitude.
 *
 * Failure: symbolic results can grow without bound, so an algebra has a budget of work. Once it
 * is spent every result is zero and means nothing; jn_algebra.spent says so, and one asks at the
 * end. */
#ifndef JUNCT_DENSE_H
#define JUNCT_DENSE_H

#include <flint/fmpq_mat.h>

#include "junct/ratfun.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    jn_field *field;
    bool numeric;
    long budget; /* terms that may still be handled; symbolic only */
    bool spent;
} jn_algebra;

#define JN_ALGEBRA_BUDGET 1000000l

/* A new budget, for the next question. */
void jn_algebra_renew(jn_algebra *k, long budget);

/* Values of the field; charged to the budget where the algebra is symbolic. */
jn_ratfun jn_algebra_mul(jn_algebra *k, jn_ratfun a, jn_ratfun b);
jn_ratfun jn_algebra_add(jn_algebra *k, jn_ratfun a, jn_ratfun b);

typedef struct {
    int nrows, ncols;
    jn_algebra *k;
    fmpq_mat_t q; /* numeric */
    jn_ratfun *a; /* symbolic; row by row */
} jn_dense;

/* Zero. Every matrix below is initialised by the caller, with the right size, unless it says
 * that the function does so. */
void jn_dense_init(jn_dense *m, int nrows, int ncols, jn_algebra *k);
void jn_dense_clear(jn_dense *m);
void jn_dense_swap(jn_dense *a, jn_dense *b);
void jn_dense_identity(jn_dense *m);

jn_ratfun jn_dense_get(const jn_dense *m, int i, int j);
/* Numeric: v must be a constant. */
void jn_dense_set(jn_dense *m, int i, int j, jn_ratfun v);
bool jn_dense_is_zero_at(const jn_dense *m, int i, int j);
bool jn_dense_is_zero(const jn_dense *m);
/* m[i0 + i, j0 + j] := a[i, j] */
void jn_dense_put(jn_dense *m, int i0, int j0, const jn_dense *a);
/* r := the block of a that begins at (i0, j0) and has the size of r */
void jn_dense_take(jn_dense *r, const jn_dense *a, int i0, int j0);
/* r := the rows (columns) of a with the numbers given, as many as r has. */
void jn_dense_rows(jn_dense *r, const jn_dense *a, const int *row);
void jn_dense_cols(jn_dense *r, const jn_dense *a, const int *col);

/* A result may not be one of the arguments, but for add, sub and neg. */
void jn_dense_add(jn_dense *r, const jn_dense *a, const jn_dense *b);
void jn_dense_sub(jn_dense *r, const jn_dense *a, const jn_dense *b);
void jn_dense_neg(jn_dense *r, const jn_dense *a);
void jn_dense_mul(jn_dense *r, const jn_dense *a, const jn_dense *b);
void jn_dense_addmul(jn_dense *r, const jn_dense *a, const jn_dense *b); /* r := r + a·b */
void jn_dense_transpose(jn_dense *r, const jn_dense *a);

/* Reduced row echelon form in place; returns the rank, pivot[i] is the column of row i's leading
 * one (room for min(nrows, ncols); NULL: not wanted). */
int jn_dense_rref(jn_dense *m, int *pivot);
/* X := A⁻¹·B; false when A is singular. */
bool jn_dense_solve(jn_dense *x, const jn_dense *a, const jn_dense *b);
/* Initialises r: a basis of the right kernel, one column each, with a one in the column's own
 * free variable. */
void jn_dense_kernel(jn_dense *r, const jn_dense *a);
/* Initialises r: a basis of the column space that has an identity in some rows, which go to row[]
 * (room for the rank; NULL: not wanted). */
void jn_dense_image(jn_dense *r, const jn_dense *a, int *row);

#ifdef __cplusplus
}
#endif

#endif
