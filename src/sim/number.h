/* number.h: matrices and series of doubles, as a run needs them. */
#ifndef NUMBER_H
#define NUMBER_H

#include <complex.h>
#include <string.h>

#include "../base/pi.h"
#include "number_row.h"

/* ---- dense matrices, row by row (number_dense.c) ------------------------------------------- */

void jni_dense_mul(double *c, const double *a, const double *b, int n, int k,
                   int m); /* n×k · k×m */
/* x := A⁻¹·b for n × m right-hand sides; A is overwritten. False: singular. */
bool jni_dense_solve(double *a, double *b, int n, int m);
/* Likewise, and to the last digits also where the values of A are far apart. */
bool jni_dense_solve_well(double *a, double *b, int n, int m);

/* A sum of products with twice the digits of a double. */
typedef struct {
    double high, low;
} long_sum;

void jni_long_add(long_sum *s, double a, double b); /* s += a·b */

/* Four sums side by side: each addition need not wait for the one before. */
static inline double jni_dot(const double *a, const double *b, int n)
{
    int i = 0;
    if (n < 4) {
        double few = 0;
        if (n > 0)
            few += a[0] * b[0];
        if (n > 1)
            few += a[1] * b[1];
        if (n > 2)
            few += a[2] * b[2];
        return few;
    }
    double sum[4] = {0};
    for (; i + 4 <= n; i += 4)
        for (int k = 0; k < 4; k++)
            sum[k] += a[i + k] * b[i + k];
    for (; i < n; i++)
        sum[0] += a[i] * b[i];
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

/* For few that have just been written: a call of memcmp or memcpy takes longer. */
static inline bool jni_same_ints(const int *a, const int *b, int n)
{
    for (int i = 0; i < n; i++)
        if (a[i] != b[i])
            return false;
    return true;
}

static inline void jni_copy_ints(int *to, const int *from, int n)
{
    if (n >= 4) {
        memcpy(to, from, (size_t)n * sizeof *to);
        return;
    }
    if (n > 0)
        to[0] = from[0];
    if (n > 1)
        to[1] = from[1];
    if (n > 2)
        to[2] = from[2];
}

/* Likewise: models have few states, and mostly no integrals or discrete variables at all. */
static inline void jni_copy(double *to, const double *from, int n)
{
    if (n >= 4) {
        memcpy(to, from, (size_t)n * sizeof *to);
        return;
    }
    if (n > 0)
        to[0] = from[0];
    if (n > 1)
        to[1] = from[1];
    if (n > 2)
        to[2] = from[2];
}

static inline double *jni_doubles(int n)
{
    return jn_alloc((size_t)n * sizeof(double));
}

/* ---- sparse systems: the fence around KLU (number_lu.c) ------------------------------------ */

/* Where a square matrix may have entries: column by column, row[start[j]] … of column j. */
typedef struct {
    int n;
    int *start, *row;
} sparse_pattern;

typedef struct sparse_lu sparse_lu;
/* Room for the factors of `count` matrices of one pattern, which must outlive it. */
sparse_lu *jni_lu_new(const sparse_pattern *p, int count);
void jni_lu_free(sparse_lu *lu); /* NULL-safe */
/* False: singular. */
bool jni_lu_factor(sparse_lu *lu, int which, double complex *value);
bool jni_lu_solve(sparse_lu *lu, int which, double complex *b);
bool jni_lu_factor_real(sparse_lu *lu, double *value);
bool jni_lu_solve_real(sparse_lu *lu, double *b, int count); /* right-hand sides one by one */

size_t jni_lu_bytes(const sparse_lu *lu); /* NULL-safe */
double jni_lu_flops(const sparse_lu *lu); /* of real numbers, for one matrix, as the pattern lets expect; 0: not known */
double jni_lu_solve_flops(const sparse_lu *lu);

/* ---- equations of one pattern (number_system.c) -------------------------------------------- */

typedef struct linear_system linear_system;
linear_system *jni_system_new(const sparse_pattern *p); /* which must outlive it */
void jni_system_free(linear_system *k);                 /* NULL-safe */
/* b := A⁻¹·b, A entry by entry of the pattern, which is overwritten. Rows may be in different units.
 * False: singular. */
bool jni_system_solve(linear_system *k, double *value, double *b);
size_t jni_system_bytes(const linear_system *k);

/* ---- sizes through an inverse (number_inverse.c) ------------------------------------------- */

typedef struct inverse_size inverse_size;
inverse_size *jni_inverse_size_new(const sparse_pattern *p, double *value); /* NULL: singular */
void jni_inverse_size_free(inverse_size *k);                                /* NULL-safe */
size_t jni_inverse_size_bytes(const inverse_size *k);
/* to: |A⁻¹|·v; of large matrices no more than twice that, and no less than half of what its terms come to when each has a
 * sign of its own; v >= 0. */
void jni_inverse_size_of(double *to, const inverse_size *k, const double *v);

/* ---- Chebyshev series (number_series.c) ---------------------------------------------------- */

enum { SERIES_DEGREE = 16, SERIES_TERMS = SERIES_DEGREE + 1 };

double jni_series_at(const double *a, int n, double u);       /* Σ a_k T_k(u), −1 ≤ u ≤ 1 */
double jni_series_slope(const double *a, int n, double u);    /* d/du */
double jni_series_integral(const double *a, int n, double u); /* from −1 to u */
/* Coefficients from the values at cos(π·i/(n−1)), i = 0 … n−1; 1 < n <= SERIES_TERMS. */
void jni_series_fit(double *a, const double *values, int n);
void jni_series_derivative(double *d, const double *a, int n); /* d/du: n − 1 coefficients */
/* All zeros in from < u < to, ascending; returns how many, fewer than n. Where it touches zero within
 * rounding there may be two, or one. */
int jni_series_zeros(double *zero, const double *a, int n, double from, double to);

/* Where a series over [0, length] changes sign. */
typedef struct {
    const double *a;
    int n;
    double length, from, end; /* look at from < τ <= end */
    int start;                /* the side it comes from, −1 or 1 */
    double noise;             /* values no larger than this may be rounding */
    double t0;                /* results are as fine as doubles near t0 + τ */
} crossing;

/* The smallest τ at which it is beyond zero, to go on there until it is clear of rounding; −1:
 * none. *clear (NULL: not asked for): from when on it is that. */
double jni_series_crossing(const crossing *c, double *clear);
/* Where a share first leaves [0, 1]; −1: nowhere. */
double jni_series_exit(const crossing *share);
/* The smallest τ at which it is clear of rounding, and on which side; −1: none. */
double jni_series_leave(const crossing *c, int *side);

#endif
