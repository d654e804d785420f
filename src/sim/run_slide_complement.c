/* run_slide_complement.c: which of many surfaces are left, and to which side.
 *
 * Where surfaces meet, their rates y = S·α − r depend on the shares of all of them. A surface that is left
 * to its side 1 has α = 1 and y >= 0, to its side 0 α = 0 and y <= 0; one that is slid on has α in
 * between and y = 0. With y = λ − w that is a linear problem of complementarity, of twice the size:
 *
 *     w = −S·α + λ + r >= 0   and   α >= 0,   one of each pair being 0
 *     s = 1 − α        >= 0   and   λ >= 0,   likewise
 *
 * Lemke's method goes from one vertex to the next: with a further variable z0 in all rows, which makes them
 * hold, and is driven out. For frictions, whose S comes from the inverse of masses, it ends at a solution. Where
 * it ends on a ray there may be one all the same; that is for others to try. */
#include <math.h>
#include <stdlib.h>

#include "slide.h"

/* Rows of w and s; columns of these, of α and λ, z0, and the right-hand side. */
typedef struct {
    int m, width;
    int *basis; /* per row: a column */
    double *a;
} tableau;

static double *row_of(const tableau *p, int i)
{
    return p->a + (size_t)i * (size_t)p->width;
}

/* So that no two rows are as good, z0 counts for a bit more in some of them. */
static double covering(int i)
{
    const double irrational = 0.6180339887498949;
    return 1 + 0.1 * fmod(i * irrational, 1);
}

static void set_up(tableau *p, const double *slope, const double *rhs, int n)
{
    p->m = 2 * n;
    p->width = 2 * p->m + 2;
    p->basis = jn_alloc((size_t)p->m * sizeof *p->basis);
    p->a = jni_doubles(p->m * p->width);
    for (int i = 0; i < p->m; i++) {
        double *row = row_of(p, i), *z = row + p->m;
        p->basis[i] = i;
        row[i] = 1;
        row[2 * p->m] = -covering(i);
        row[2 * p->m + 1] = i < n ? rhs[i] : 1;
        for (int j = 0; j < n && i < n; j++)
            z[j] = slope[i * n + j];
        z[i < n ? n + i : i - n] = i < n ? -1 : 1;
    }
}

static void pivot(tableau *p, int row, int column)
{
    double *own = row_of(p, row), scale = 1 / own[column];
    for (int j = 0; j < p->width; j++)
        own[j] *= scale;
    for (int i = 0; i < p->m; i++) {
        double *other = row_of(p, i), by = other[column];
        for (int j = 0; j < p->width && i != row && by != 0; j++)
            other[j] -= by * own[j];
    }
    p->basis[row] = column;
}

/* The row that becomes 0 first as a column grows; −1: none does. */
static int first_row(const tableau *p, int column)
{
    int first = -1;
    double least = INFINITY;
    for (int i = 0; i < p->m; i++) {
        const double *row = row_of(p, i);
        double ratio = row[column] > REGULAR_SHARES ? row[p->width - 1] / row[column] : INFINITY;
        bool ends = isfinite(ratio) && p->basis[i] == 2 * p->m && ratio <= least + NOISE_OF_SHARE;
        if (ratio < least || ends) {
            least = ratio;
            first = i;
        }
    }
    return first;
}

static bool drive_out(tableau *p)
{
    int row = -1, z0 = 2 * p->m;
    double worst = 0;
    for (int i = 0; i < p->m; i++) {
        double ratio = row_of(p, i)[p->width - 1] / covering(i);
        if (ratio < worst) {
            worst = ratio;
            row = i;
        }
    }
    int column = z0;
    for (int steps = 20 * p->m; row >= 0 && steps > 0; steps--) {
        int out = p->basis[row];
        pivot(p, row, column);
        if (out == z0)
            return true;
        column = out < p->m ? out + p->m : out - p->m;
        row = first_row(p, column);
        if (row < 0)
            return false;
    }
    return row < 0;
}

bool jni_shares_complement(double *share, double *left, const double *slope, const double *rhs,
                           int n)
{
    tableau p;
    set_up(&p, slope, rhs, n);
    bool ok = drive_out(&p);
    for (int i = 0; i < n; i++)
        share[i] = left[i] = 0;
    for (int i = 0; i < p.m; i++) {
        int column = p.basis[i], k = column % p.m;
        double value = row_of(&p, i)[p.width - 1];
        if (column >= p.m && k < n)
            share[k] = fmin(fmax(value, 0), 1);
        else if (column >= p.m && column < 2 * p.m)
            left[k - n] += value;
        else if (column < n)
            left[column] -= value;
    }
    free(p.basis);
    free(p.a);
    return ok;
}
