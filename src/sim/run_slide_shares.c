/* run_slide_shares.c: which of the shares that solve their equations are taken.
 *
 * The equations S·α = r say that no surface is left. Where the surfaces depend on each other, as the
 * speeds of three frictions around a loop do, S is singular: what the rates are is known, and so is
 * the motion; how the frictions share what they hold is not. With β = 2α − 1, each in [−1, 1],
 *
 *     β = β0 + N·c,     SN = 0,  NᵀN = 1,  Nᵀβ0 = 0
 *
 * and that with the least norm within the box is taken: c is the point of |β0 + N·c| <= 1 that is
 * nearest to 0. Bounds that are exceeded are added one by one, and those that hold no more are dropped
 * (Goldfarb and Idnani's method).
 *
 * Whether there is any such β does not depend on c. By duality the least that the largest |β_i| can
 * be is the largest w·β0 of all w with Σ|w_i| = 1 that are perpendicular to N: a linear program. Such a
 * w is a motion that the surfaces allow: its part w_i is how fast surface i is left, times what holds
 * it. Where w·β0 comes to 1 the hold is at its end, and all surfaces of w are left together. One that
 * depends on no other is a w of its own. */
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

/* max Σ β_i·(u_i − v_i) with Σ u_i + v_i = 1, N·(u − v) = 0, u, v >= 0. Most of the right-hand side is 0; so that
 * no step of the simplex method stands still, it is made a bit more in `apart`. */
typedef struct {
    int rows, columns;
    int basis[SLIDE_MOST + 1]; /* a column; from `columns` on: what a row lacks */
    double a[SLIDE_MOST + 1][2 * SLIDE_MOST], rhs[SLIDE_MOST + 1], apart[SLIDE_MOST + 1];
    double cost[2 * SLIDE_MOST];
} program;

static void set_program(program *p, const share_set *q, const double *beta, int n)
{
    const double apart = 1e-9, irrational = 0.6180339887498949;
    memset(p, 0, sizeof *p);
    p->rows = q->nnull + 1;
    p->columns = 2 * n;
    for (int j = 0; j < 2 * n; j++) {
        double sign = j < n ? 1 : -1;
        p->a[0][j] = 1;
        for (int k = 0; k < q->nnull; k++)
            p->a[k + 1][j] = sign * q->null[k][j % n];
        p->cost[j] = sign * beta[j % n];
    }
    for (int i = 0; i < p->rows; i++) {
        p->basis[i] = p->columns + i;
        p->rhs[i] = i == 0;
        p->apart[i] = p->rhs[i] + apart * (1 + fmod(i * irrational, 1));
    }
}

/* What one unit of a column would bring: first of what rows lack, then of what is wanted. */
static double gain(const program *p, int j, bool lacks)
{
    double sum = lacks ? 0 : p->cost[j];
    for (int i = 0; i < p->rows; i++) {
        bool is_lack = p->basis[i] >= p->columns;
        sum += lacks ? is_lack * p->a[i][j] : is_lack ? 0 : -p->cost[p->basis[i]] * p->a[i][j];
    }
    return sum;
}

static int entering(const program *p, bool lacks)
{
    int best = -1;
    double most = REGULAR_SHARES;
    for (int j = 0; j < p->columns; j++) {
        double one = gain(p, j, lacks);
        if (one > most) {
            most = one;
            best = j;
        }
    }
    return best;
}

/* A row that lacks something no more goes first. */
static int leaving(const program *p, int j, bool lacks)
{
    int best = -1;
    double least = INFINITY;
    for (int i = 0; i < p->rows; i++) {
        bool is_lack = p->basis[i] >= p->columns;
        double ratio = !lacks && is_lack && fabs(p->a[i][j]) > REGULAR_SHARES ? 0
                       : p->a[i][j] > REGULAR_SHARES ? p->apart[i] / p->a[i][j]
                                                     : INFINITY;
        if (ratio < least) {
            least = ratio;
            best = i;
        }
    }
    return best;
}

static void pivot(program *p, int row, int column)
{
    double scale = 1 / p->a[row][column];
    for (int j = 0; j < p->columns; j++)
        p->a[row][j] *= scale;
    p->rhs[row] *= scale;
    p->apart[row] *= scale;
    for (int i = 0; i < p->rows; i++) {
        double by = p->a[i][column];
        if (i == row || by == 0)
            continue;
        for (int j = 0; j < p->columns; j++)
            p->a[i][j] -= by * p->a[row][j];
        p->rhs[i] -= by * p->rhs[row];
        p->apart[i] -= by * p->apart[row];
    }
    p->basis[row] = column;
}

static void run_program(program *p, bool lacks)
{
    for (int steps = 20 * (p->rows + p->columns); steps > 0; steps--) {
        int column = entering(p, lacks), row = column < 0 ? -1 : leaving(p, column, lacks);
        if (row < 0)
            return;
        pivot(p, row, column);
    }
}

/* w, of which there may be none. */
static void find_motion(double *w, const share_set *q, const double *beta, int n)
{
    program p;
    double lack = 0;
    set_program(&p, q, beta, n);
    run_program(&p, true);
    run_program(&p, false);
    memset(w, 0, SLIDE_MOST * sizeof *w);
    for (int i = 0; i < p.rows; i++) {
        int j = p.basis[i];
        if (j >= p.columns)
            lack = fmax(lack, fabs(p.rhs[i]));
        else
            w[j % n] += j < n ? p.rhs[i] : -p.rhs[i];
    }
    if (lack > REGULAR_SHARES)
        memset(w, 0, SLIDE_MOST * sizeof *w);
}

static void find_most(share_set *q, const double *beta, int n)
{
    double w[SLIDE_MOST] = {0};
    int outermost = 0;
    for (int i = 0; i < n; i++)
        if (fabs(beta[i]) > fabs(beta[outermost]))
            outermost = i;
    if (q->nnull)
        find_motion(w, q, beta, n);
    else
        w[outermost] = beta[outermost] < 0 ? -1 : 1;
    q->most = fabs(dot(w, beta, n));
    memset(q->leaving, 0, sizeof q->leaving);
    memset(q->held, 0, sizeof q->held);
    for (int i = 0; i < n; i++)
        q->leaving[i] = (signed char)(w[i] > REGULAR_SHARES ? 1 : w[i] < -REGULAR_SHARES ? -1 : 0);
}

/* ---- the least norm ------------------------------------------------------------------------ */

/* The bounds that hold β, and by what force. */
typedef struct {
    int n, item[SLIDE_MOST];
    double sign[SLIDE_MOST], force[SLIDE_MOST];
} bounds;

static double along_null(const share_set *q, int i, int j)
{
    double sum = 0;
    for (int k = 0; k < q->nnull; k++)
        sum += q->null[k][i] * q->null[k][j];
    return sum;
}

/* Solves G·x = rhs, G the products of the bounds that hold. False: one of them depends on the others. */
static bool solve_gram(double *x, const bounds *h, const share_set *q, const double *rhs)
{
    reduced gram = {.n = h->n};
    for (int i = 0; i < h->n; i++) {
        gram.a[i][h->n] = rhs[i];
        for (int j = 0; j < h->n; j++)
            gram.a[i][j] = h->sign[i] * h->sign[j] * along_null(q, h->item[i], h->item[j]);
    }
    reduce(&gram);
    for (int p = 0; p < gram.rank; p++)
        x[gram.col[p]] = gram.a[p][h->n];
    return gram.rank == h->n;
}

/* β as the bounds hold it. */
static void hold(double *beta, const bounds *h, const share_set *q, const double *least, int n)
{
    memcpy(beta, least, (size_t)n * sizeof *beta);
    for (int p = 0; p < h->n; p++)
        for (int k = 0; k < q->nnull; k++)
            add_times(beta, -h->force[p] * h->sign[p] * q->null[k][h->item[p]], q->null[k], n);
}

/* The bound that is exceeded most; −1: none is. */
static int exceeded(const bounds *h, const double *beta, int n, double bound)
{
    int worst = -1;
    double most = NOISE_OF_SHARE;
    for (int i = 0; i < n; i++) {
        bool is_held = false;
        for (int p = 0; p < h->n; p++)
            is_held |= h->item[p] == i;
        if (!is_held && fabs(beta[i]) - bound > most) {
            most = fabs(beta[i]) - bound;
            worst = i;
        }
    }
    return worst;
}

static void let_go(bounds *h, int place)
{
    h->n--;
    h->item[place] = h->item[h->n];
    h->sign[place] = h->sign[h->n];
    h->force[place] = h->force[h->n];
}

/* Adds a bound: it takes over force until it holds, and those whose force it takes away are dropped. */
static bool add_bound(bounds *h, const share_set *q, const double *least, double *beta, int i,
                      double bound, int n)
{
    double sign = beta[i] > 0 ? 1 : -1, own = 0;
    for (;;) {
        double by[SLIDE_MOST] = {0}, rhs[SLIDE_MOST], left = along_null(q, i, i), room = INFINITY;
        int first = -1;
        for (int p = 0; p < h->n; p++)
            rhs[p] = sign * h->sign[p] * along_null(q, i, h->item[p]);
        if (!solve_gram(by, h, q, rhs))
            return false;
        for (int p = 0; p < h->n; p++) {
            left -= by[p] * rhs[p];
            if (by[p] > 0 && h->force[p] / by[p] < room) {
                room = h->force[p] / by[p];
                first = p;
            }
        }
        double step = left > REGULAR_SHARES ? (sign * beta[i] - bound) / left : INFINITY;
        bool is_whole = step <= room;
        step = fmin(step, room);
        if (isinf(step))
            return false;
        for (int p = 0; p < h->n; p++)
            h->force[p] -= step * by[p];
        own += step;
        if (!is_whole)
            let_go(h, first);
        h->item[h->n] = i;
        h->sign[h->n] = sign;
        h->force[h->n] = own;
        h->n++;
        hold(beta, h, q, least, n);
        if (is_whole)
            return true;
        h->n--;
    }
}

/* To rounding: the forces anew, from the bounds that they hold. */
static void sharpen(bounds *h, const share_set *q, const double *least, double bound)
{
    double rhs[SLIDE_MOST], force[SLIDE_MOST];
    for (int p = 0; p < h->n; p++)
        rhs[p] = h->sign[p] * least[h->item[p]] - bound;
    if (solve_gram(force, h, q, rhs))
        memcpy(h->force, force, (size_t)h->n * sizeof *force);
}

static void find_least(double *beta, share_set *q, int n)
{
    double least[SLIDE_MOST], bound = fmax(1, q->most);
    bounds h = {0};
    memcpy(least, beta, (size_t)n * sizeof *beta);
    for (int tries = 0; tries < 4 * n; tries++) {
        int i = exceeded(&h, beta, n, bound);
        if (i < 0 || !add_bound(&h, q, least, beta, i, bound, n))
            break;
        sharpen(&h, q, least, bound);
        hold(beta, &h, q, least, n);
    }
    for (int p = 0; p < h.n; p++)
        q->held[h.item[p]] = (signed char)h.sign[p];
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
