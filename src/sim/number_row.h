/* number_row.h: rows of numbers of which most are 0, how they are summed up, and matrices of them.
 *
 * The variables of a mode depend on few states and sources each, however many there are. */
#ifndef NUMBER_ROW_H
#define NUMBER_ROW_H

#include "junct/base.h"

/* The entries that are not 0, columns ascending. */
typedef struct {
    int n;
    int *col; /* within the memory of a: rows are made by the thousand */
    double *a;
} srow;

void jni_srow_alloc(srow *r, int n); /* room for so many, n = 0 so far */
void jni_srow_clear(srow *r);

/* A row that is being summed up. */
typedef struct {
    int width, n;
    double *sum;     /* by column */
    double *size;    /* likewise: of the absolute values */
    int *touched;    /* n columns, in any order */
    bool *is_touched;
} gather;

void jni_gather_init(gather *g, int width);
void jni_gather_clear(gather *g);
void jni_gather_put(gather *g, int col, double a);            /* += a there */
void jni_gather_add(gather *g, double c, const srow *r);       /* += c·r */
void jni_gather_take(srow *r, gather *g); /* the sum becomes a new row; then it is 0 again */

/* Row i has the entries start[i] … start[i + 1] − 1. */
typedef struct {
    int nrows, ncols;
    int *start, *col;
    double *a;
} sparse;

void jni_sparse_of(sparse *m, const srow *r, int nrows, int ncols);
void jni_sparse_clear(sparse *m);
int jni_sparse_count(const sparse *m);
double jni_sparse_norm1(const sparse *m);                         /* the largest sum of a column */
void jni_sparse_mul(double *y, const sparse *m, const double *x); /* y := M·x */
/* The same with a dense matrix of so many columns in place of x, row by row. */
void jni_sparse_mul_dense(double *y, const sparse *m, const double *x, int ncols);
void jni_sparse_row(double *out, const sparse *m, int i); /* all of it, zeros too */

#endif
