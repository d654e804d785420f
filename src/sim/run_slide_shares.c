/* run_slide_shares.c: which of the shares that solve their equations are taken.
 *
 * The equations S·α = r say that no surface is left. Where the surfaces depend on each other, as the
 * speeds of three frictions around a loop do, S is singular: what the rates are is known, and so is
 * the motion; how the frictions share what they hold is not. With β = 2α − 1, each in [−1, 1],
 *
 *     β = β0 + N·c,     SN = 0,  NᵀN = 1,  Nᵀβ0 = 0
 *
 * and that with the least norm within the box is taken: c is the point of |β0 + N·c| <= 1 that is
 * nearest to 0. Both c and the sets of bounds that hold it are small: they are gone through.
 *
 * Whether there is any such β does not depend on c. By duality the least that the largest |β_i| can
 * be is the largest |w·β0| of all w with Σ|w_i| = 1 that are perpendicular to N, and those of least
 * support will do. Such a w is a motion that the surfaces allow: its part w_i is how fast surface i is
 * left, times what holds it. Where w·β0 comes to 1 the hold is at its end, and all surfaces of w are
 * left together. One that depends on no other is a w of its own. */
#include <math.h>
#include <string.h>

#include "slide.h"

/* ---- all solutions ------------------------------------------------------------------------- */

/* Rows and columns of [S | r] in the order of their pivots. */
typedef struct {
    int n, rank;
    int col[SLIDE_MOST];
    double a[SLIDE_MOST][SLIDE_MOST + 1];
} reduced;

static void swap_rows(reduced *e, int i, int j)
{
    double keep[SLIDE_MOST + 1];
    memcpy(keep, e->a[i], sizeof keep);
    memcpy(e->a[i], e->a[j], sizeof keep);
    memcpy(e->a[j], keep, sizeof keep);
}

static void swap_columns(reduced *e, int i, int j)
{
    int col = e->col[i];
    e->col[i] = e->col[j];
    e->col[j] = col;
    for (int k = 0; k < e->n; k++) {
        double keep = e->a[k][i];
        e->a[k][i] = e->a[k][j];
        e->a[k][j] = keep;
    }
}

/* Gauss and Jordan, the largest pivot first. */
static void reduce(reduced *e)
{
    for (int k = 0; k < e->n; k++)
        e->col[k] = k;
    for (e->rank = 0; e->rank < e->n; e->rank++) {
        int at = e->rank, row = at, col = at;
        for (int i = at; i < e->n; i++)
            for (int j = at; j < e->n; j++)
                if (fabs(e->a[i][j]) > fabs(e->a[row][col])) {
                    row = i;
                    col = j;
                }
        if (!(fabs(e->a[row][col]) > REGULAR_SHARES))
            return;
        swap_rows(e, at, row);
        swap_columns(e, at, col);
        for (int j = e->n; j >= at; j--)
            e->a[at][j] /= e->a[at][at];
        for (int i = 0; i < e->n; i++)
            for (int j = e->n; j >= at && i != at; j--)
                e->a[i][j] -= e->a[i][at] * e->a[at][j];
    }
}

static double dot(const double *a, const double *b, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

static void add_times(double *a, double c, const double *b, int n)
{
    for (int i = 0; i < n; i++)
        a[i] += c * b[i];
}

/* N, each direction made perpendicular to those before it. */
static void find_null(share_set *q, const reduced *e)
{
    q->nnull = 0;
    for (int f = e->rank; f < e->n; f++) {
        double *v = q->null[q->nnull];
        memset(v, 0, sizeof q->null[0]);
        v[e->col[f]] = 1;
        for (int p = 0; p < e->rank; p++)
            v[e->col[p]] = -e->a[p][f];
        for (int k = 0; k < q->nnull; k++)
            add_times(v, -dot(v, q->null[k], e->n), q->null[k], e->n);
        double length = sqrt(dot(v, v, e->n));
        for (int i = 0; i < e->n; i++)
            v[i] /= length;
        q->nnull++;
    }
}

/* ---- how much is left ---------------------------------------------------------------------- */

/* The w on nnull + 1 surfaces that is perpendicular to N; false: there are several. */
static bool motion_on(double *w, const share_set *q, const int *item)
{
    reduced e = {.n = q->nnull + 1};
    share_set all;
    double sum = 0;
    for (int j = 0; j < q->nnull; j++)
        for (int i = 0; i < e.n; i++)
            e.a[j][i] = q->null[j][item[i]];
    reduce(&e);
    find_null(&all, &e);
    memset(w, 0, SLIDE_MOST * sizeof *w);
    for (int i = 0; i < e.n; i++)
        sum += fabs(all.null[0][i]);
    for (int i = 0; i < e.n; i++)
        if (fabs(all.null[0][i]) > REGULAR_SHARES)
            w[item[i]] = all.null[0][i] / sum;
    return all.nnull == 1;
}

/* The next choice of `size` out of n; false: that was the last. */
static bool next_choice(int *item, int size, int n)
{
    int i = size - 1;
    while (i >= 0 && item[i] == n - size + i)
        i--;
    if (i < 0)
        return false;
    item[i]++;
    for (i++; i < size; i++)
        item[i] = item[i - 1] + 1;
    return true;
}

static void find_most(share_set *q, const double *beta, int n)
{
    int item[SLIDE_MOST], size = q->nnull + 1;
    double w[SLIDE_MOST];
    q->most = 0;
    memset(q->leaving, 0, sizeof q->leaving);
    memset(q->held, 0, sizeof q->held);
    for (int i = 0; i < size; i++)
        item[i] = i;
    do {
        double power = size <= n && motion_on(w, q, item) ? dot(w, beta, n) : 0;
        if (fabs(power) <= q->most)
            continue;
        q->most = fabs(power);
        for (int i = 0; i < n; i++)
            q->leaving[i] = (signed char)(w[i] * power > 0 ? 1 : w[i] * power < 0 ? -1 : 0);
    } while (next_choice(item, size, n));
}

/* ---- the least norm ------------------------------------------------------------------------ */

/* The solution nearest to β0 that is at some bounds: per surface −1, 1, or 0: at none. Infinite: it is
 * not held there; else by how much it is out of the box. */
static double held_at(double *beta, const share_set *q, const double *least, int n, double bound,
                      const int *at)
{
    int held[SLIDE_MOST] = {0}, m = 0;
    double out = 0;
    reduced gram = {0};
    for (int i = 0; i < n; i++)
        if (at[i])
            held[m++] = i;
    for (int i = 0; i < m; i++) {
        gram.a[i][m] = at[held[i]] * bound - least[held[i]];
        for (int j = 0; j < m; j++)
            for (int k = 0; k < q->nnull; k++)
                gram.a[i][j] += q->null[k][held[i]] * q->null[k][held[j]];
    }
    gram.n = m;
    reduce(&gram);
    if (gram.rank < m)
        return INFINITY;
    memcpy(beta, least, (size_t)n * sizeof *beta);
    for (int p = 0; p < m; p++) {
        int i = held[gram.col[p]];
        double force = gram.a[p][m];
        if (!(force * at[i] <= 0)) /* it must be the bound that keeps it */
            return INFINITY;
        for (int k = 0; k < q->nnull; k++)
            add_times(beta, force * q->null[k][i], q->null[k], n);
    }
    for (int i = 0; i < n; i++)
        out = fmax(out, fabs(beta[i]) - bound);
    return out;
}

/* As many bounds as there are directions can hold it. */
static void find_least(double *beta, share_set *q, int n)
{
    double least[SLIDE_MOST], one[SLIDE_MOST], best = INFINITY, bound = fmax(1, q->most);
    memcpy(least, beta, sizeof least);
    long patterns = 1;
    for (int i = 0; i < n; i++)
        patterns *= 3;
    for (long p = 0; p < patterns && best > NOISE_OF_SHARE; p++) {
        int at[SLIDE_MOST], count = 0;
        long rest = p;
        for (int i = 0; i < n; i++, rest /= 3) {
            at[i] = (int[]){0, 1, -1}[rest % 3];
            count += at[i] != 0;
        }
        double out = count <= q->nnull ? held_at(one, q, least, n, bound, at) : INFINITY;
        if (out < best) {
            best = out;
            memcpy(beta, one, (size_t)n * sizeof *beta);
            for (int i = 0; i < n; i++)
                q->held[i] = (signed char)at[i];
        }
    }
}

/* ---- the shares ---------------------------------------------------------------------------- */

void jni_shares_solve(double *share, share_set *q, const double *slope, const double *rhs, int n)
{
    reduced e = {.n = n};
    double beta[SLIDE_MOST] = {0};
    for (int i = 0; i < n; i++) {
        memcpy(e.a[i], slope + i * n, (size_t)n * sizeof *slope);
        e.a[i][n] = rhs[i];
    }
    reduce(&e);
    find_null(q, &e);
    for (int p = 0; p < e.rank; p++)
        beta[e.col[p]] = e.a[p][n];
    for (int i = 0; i < n; i++)
        beta[i] = 2 * beta[i] - 1;
    for (int k = 0; k < q->nnull; k++)
        add_times(beta, -dot(beta, q->null[k], n), q->null[k], n);
    find_most(q, beta, n);
    if (q->nnull)
        find_least(beta, q, n);
    for (int i = 0; i < n; i++)
        share[i] = 0.5 * (1 + beta[i]);
}
