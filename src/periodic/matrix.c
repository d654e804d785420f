/* matrix.c: dense matrices of doubles, row by row; small ones are the rule. */
#include <stdlib.h>
#include <string.h>

#include "periodic_internal.h"

static void multiply(double complex *c, const double complex *a, const double complex *b, int n)
{
    memset(c, 0, (size_t)n * (size_t)n * sizeof *c);
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++) {
            double complex x = a[i * n + k];
            if (x == 0)
                continue;
            for (int j = 0; j < n; j++)
                c[i * n + j] += x * b[k * n + j];
        }
}

/* Scales rows and columns by powers of 2 until they are of about one size. */
static void balance(double complex *A, double *d, int n)
{
    for (int i = 0; i < n; i++)
        d[i] = 1;
    for (int turn = 0; turn < 20; turn++) {
        bool changed = false;
        for (int i = 0; i < n; i++) {
            double row = 0, column = 0;
            for (int k = 0; k < n; k++) {
                row += k == i ? 0 : cabs(A[i * n + k]);
                column += k == i ? 0 : cabs(A[k * n + i]);
            }
            if (row == 0 || column == 0)
                continue;
            double f = exp2(round(0.5 * log2(row / column)));
            if (f == 1)
                continue;
            changed = true;
            d[i] *= f;
            for (int k = 0; k < n; k++) {
                A[i * n + k] /= f;
                A[k * n + i] *= f;
            }
        }
        if (!changed)
            return;
    }
}

static double norm_of(const double complex *A, int n)
{
    double largest = 0;
    for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int k = 0; k < n; k++)
            sum += cabs(A[i * n + k]);
        largest = fmax(largest, sum);
    }
    return largest;
}

/* By Taylor's series of exp(A/2^s) − 1, and then squaring: 1 is left out so that what is slow beside
 * something fast keeps its digits. */
static void expm_balanced(double complex *A, int n)
{
    enum { DEGREE = 14 };
    size_t bytes = (size_t)n * (size_t)n * sizeof *A;
    double complex *sum = jn_alloc(bytes), *term = jn_alloc(bytes), *next = jn_alloc(bytes);
    int s = 0;
    frexp(norm_of(A, n), &s);
    s = s + 2 > 0 ? s + 2 : 0;
    for (int i = 0; i < n * n; i++)
        term[i] = sum[i] = A[i] = A[i] * ldexp(1, -s);
    for (int k = 2; k <= DEGREE; k++) {
        multiply(next, term, A, n);
        for (int i = 0; i < n * n; i++) {
            term[i] = next[i] / k;
            sum[i] += term[i];
        }
    }
    for (int k = 0; k < s; k++) {
        multiply(next, sum, sum, n);
        for (int i = 0; i < n * n; i++)
            sum[i] = 2 * sum[i] + next[i];
    }
    memcpy(A, sum, bytes);
    for (int i = 0; i < n; i++)
        A[i * n + i] += 1;
    free(sum);
    free(term);
    free(next);
}

void jni_expm(double complex *A, int n)
{
    double *d = jni_room(n);
    balance(A, d, n);
    expm_balanced(A, n);
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++)
            A[i * n + k] *= d[i] / d[k];
    free(d);
}

static void swap_rows(double complex *A, int n, int a, int b)
{
    for (int k = 0; k < n && a != b; k++) {
        double complex x = A[a * n + k];
        A[a * n + k] = A[b * n + k];
        A[b * n + k] = x;
    }
}

bool jni_solve_complex(double complex *A, double complex *b, int n)
{
    for (int p = 0; p < n; p++) {
        int best = p;
        for (int i = p + 1; i < n; i++)
            if (cabs(A[i * n + p]) > cabs(A[best * n + p]))
                best = i;
        if (cabs(A[best * n + p]) == 0)
            return false;
        swap_rows(A, n, p, best);
        double complex x = b[p];
        b[p] = b[best];
        b[best] = x;
        for (int i = p + 1; i < n; i++) {
            double complex f = A[i * n + p] / A[p * n + p];
            for (int k = p; k < n && f != 0; k++)
                A[i * n + k] -= f * A[p * n + k];
            b[i] -= f * b[p];
        }
    }
    for (int p = n - 1; p >= 0; p--) {
        for (int k = p + 1; k < n; k++)
            b[p] -= A[p * n + k] * b[k];
        b[p] /= A[p * n + p];
    }
    return true;
}

/* ---- systems that may leave something open -------------------------------------------------- */

typedef struct {
    double *A, *b;
    int n, *column; /* the columns in the order in which they are taken */
} elimination;

/* Brings the largest entry that is left to the place of the next pivot; returns its size. */
static double choose_pivot(elimination *e, int p)
{
    int n = e->n, row = p, col = p;
    for (int i = p; i < n; i++)
        for (int k = p; k < n; k++)
            if (fabs(e->A[i * n + e->column[k]]) > fabs(e->A[row * n + e->column[col]])) {
                row = i;
                col = k;
            }
    int c = e->column[col];
    e->column[col] = e->column[p];
    e->column[p] = c;
    for (int k = 0; k < n && row != p; k++) {
        double x = e->A[row * n + k];
        e->A[row * n + k] = e->A[p * n + k];
        e->A[p * n + k] = x;
    }
    double x = e->b[row];
    e->b[row] = e->b[p];
    e->b[p] = x;
    return fabs(e->A[p * n + c]);
}

static void clear_below(elimination *e, int p)
{
    int n = e->n, c = e->column[p];
    for (int i = p + 1; i < n; i++) {
        double f = e->A[i * n + c] / e->A[p * n + c];
        for (int k = 0; k < n && f != 0; k++)
            e->A[i * n + k] -= f * e->A[p * n + k];
        e->b[i] -= f * e->b[p];
    }
}

static void back_substitute(elimination *e, int rank)
{
    double *x = jni_room(e->n);
    for (int p = rank - 1; p >= 0; p--) {
        double sum = e->b[p];
        for (int k = p + 1; k < rank; k++)
            sum -= e->A[p * e->n + e->column[k]] * x[e->column[k]];
        x[e->column[p]] = sum / e->A[p * e->n + e->column[p]];
    }
    memcpy(e->b, x, (size_t)e->n * sizeof *x);
    free(x);
}

basic_solution jni_solve_basic(double *A, double *b, int n, double rounding)
{
    elimination e = {A, b, n, jn_alloc((size_t)n * sizeof *e.column)};
    basic_solution to = {.open = n, .smallest = INFINITY};
    int rank = 0;
    for (int i = 0; i < n; i++)
        e.column[i] = i;
    for (; rank < n; rank++) {
        double pivot = choose_pivot(&e, rank);
        if (!(pivot > rounding))
            break;
        to.smallest = fmin(to.smallest, pivot);
        clear_below(&e, rank);
    }
    to.open = n - rank;
    for (int i = rank; i < n; i++)
        to.unmet = fmax(to.unmet, fabs(b[i]));
    back_substitute(&e, rank);
    free(e.column);
    return to;
}

/* ---- eigenvalues --------------------------------------------------------------------------- */

static int by_size(const void *a, const void *b)
{
    const jn_complex *x = a, *y = b;
    double sx = hypot(x->re, x->im), sy = hypot(y->re, y->im);
    if (fabs(sx - sy) > 1e-12 * fmax(sx, sy))
        return sx < sy ? 1 : -1;
    return x->im < y->im ? 1 : x->im > y->im ? -1 : 0;
}

/* Of a matrix of two rows: the mean of the diagonal, and what is to be added and taken away. */
static void eigenvalues_of_two(jn_complex *to, const double *A)
{
    double mean = 0.5 * (A[0] + A[3]), half = 0.5 * (A[0] - A[3]);
    double square = half * half + A[1] * A[2], root = sqrt(fabs(square));
    if (square < 0) {
        to[0] = (jn_complex){mean, root};
        to[1] = (jn_complex){mean, -root};
        return;
    }
    double larger =
        mean + (mean < 0 ? -root : root); /* the other by the determinant: no digits lost */
    to[0] = (jn_complex){larger, 0};
    to[1] = (jn_complex){larger != 0 ? (A[0] * A[3] - A[1] * A[2]) / larger : 0, 0};
}

/* LAPACK is loaded only where it is needed. */
jn_status jni_eigenvalues(jn_complex *to, const double *A, int n)
{
    if (n == 1)
        to[0] = (jn_complex){A[0], 0};
    if (n == 2)
        eigenvalues_of_two(to, A);
    if (n <= 2)
        return JN_OK;
    size_t bytes = (size_t)n * (size_t)n * sizeof *A;
    double *copy = jn_alloc(bytes);
    memcpy(copy, A, bytes);
    jn_status st = jn_lapack_eig(to, copy, n);
    free(copy);
    if (st == JN_OK)
        qsort(to, (size_t)n, sizeof *to, by_size);
    return st;
}
