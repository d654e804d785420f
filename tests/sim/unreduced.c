/* unreduced.c: Radau's collocation and vanishing implicit Euler steps. */
#include "unreduced.h"

#include <flint/flint.h>
#if __FLINT_RELEASE >= 30000
#include <flint/arb_mat.h>
#else
#include <arb_mat.h>
#endif
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- numbers ------------------------------------------------------------------------------- */

enum { PRECISION = 1000 };

static void put_real(arb_t b, ur_real x)
{
    double high = (double)x, low = (double)(x - high);
    arb_t c;
    arb_init(c);
    arb_set_d(b, high);
    arb_set_d(c, low);
    arb_add(b, b, c, PRECISION);
    arb_clear(c);
}

static ur_real get_real(const arb_t b)
{
    arb_t c;
    arb_init(c);
    double high = arf_get_d(arb_midref(b), ARF_RND_NEAR);
    arb_set_d(c, high);
    arb_sub(c, b, c, PRECISION);
    ur_real x = (ur_real)high + arf_get_d(arb_midref(c), ARF_RND_NEAR);
    arb_clear(c);
    return x;
}

static ur_real real_of(const fmpq_t q)
{
    arb_t b;
    arb_init(b);
    arb_set_fmpq(b, q, PRECISION);
    ur_real x = get_real(b);
    arb_clear(b);
    return x;
}

static fmpq *copy_matrix(const jn_ratfun *from, jn_field *field, int size)
{
    fmpq *to = _fmpq_vec_init(size);
    for (int i = 0; i < size; i++)
        if (!jn_ratfun_get_fmpq(to + i, field, from[i]))
            abort();
    return to;
}

static ur_real *rounded(const fmpq *from, int size)
{
    ur_real *to = jn_alloc(sizeof *to * (size_t)size + 1);
    for (int i = 0; i < size; i++)
        to[i] = real_of(from + i);
    return to;
}

/* ---- the mode ------------------------------------------------------------------------------ */

void ur_mode_init(ur_mode *m, const jn_implicit *f, const jn_onoff *onoff)
{
    jn_field *field = f->junction->graph->field;
    jn_mode mode;
    jn_mode_init(&mode);
    jn_implicit_mode(&mode, f, onoff);
    *m = (ur_mode){.status = mode.status, .n = mode.n, .ninputs = mode.ninputs};
    if (mode.status == JN_MODE_OK) {
        m->E = copy_matrix(mode.E, field, m->n * m->n);
        m->A = copy_matrix(mode.A, field, m->n * m->n);
        m->B = copy_matrix(mode.B, field, m->n * m->ninputs);
        m->e = rounded(m->E, m->n * m->n);
        m->a = rounded(m->A, m->n * m->n);
        m->b = rounded(m->B, m->n * m->ninputs);
    }
    jn_mode_clear(&mode);
}

void ur_mode_clear(ur_mode *m)
{
    if (m->status == JN_MODE_OK) {
        _fmpq_vec_clear(m->E, m->n * m->n);
        _fmpq_vec_clear(m->A, m->n * m->n);
        _fmpq_vec_clear(m->B, m->n * m->ninputs);
    }
    free(m->e);
    free(m->a);
    free(m->b);
    free(m->lu);
    free(m->pivot);
}

/* ---- Radau's nodes ------------------------------------------------------------------------- */

/* The polynomial whose zeros they are, P_s − P_{s−1} of Legendre, on [−1, 1]. */
static ur_real radau_polynomial(ur_real z)
{
    ur_real p = z, before = 1;
    for (int k = 2; k <= UR_STAGES; k++) {
        ur_real next = ((2 * k - 1) * z * p - (k - 1) * before) / k;
        before = p;
        p = next;
    }
    return p - before;
}

/* Ascending in (0, 1], the last one 1; found by bisection between the signs on a fine grid. */
static void radau_nodes(ur_real *c)
{
    const int grid = 1000;
    int found = 0;
    for (int k = 0; k < grid - 1 && found < UR_STAGES - 1; k++) {
        ur_real lo = -1 + 2.0L * k / grid, hi = -1 + 2.0L * (k + 1) / grid;
        bool below = radau_polynomial(lo) < 0;
        if ((radau_polynomial(hi) < 0) == below)
            continue;
        for (int i = 0; i < 80; i++) {
            ur_real mid = (lo + hi) / 2;
            if ((radau_polynomial(mid) < 0) == below)
                lo = mid;
            else
                hi = mid;
        }
        c[found++] = (1 + lo) / 2;
    }
    c[UR_STAGES - 1] = 1;
}

/* a[i][j] is the integral from 0 to c_i of the polynomial that is 1 at c_j and 0 at the others. */
static void radau_matrix(ur_real a[UR_STAGES][UR_STAGES], const ur_real *c)
{
    for (int j = 0; j < UR_STAGES; j++) {
        ur_real poly[UR_STAGES] = {1}; /* lowest power first */
        int degree = 0;
        for (int k = 0; k < UR_STAGES; k++) {
            if (k == j)
                continue;
            ur_real scale = 1 / (c[j] - c[k]);
            for (int d = ++degree; d >= 0; d--)
                poly[d] = ((d > 0 ? poly[d - 1] : 0) - (d < degree ? c[k] * poly[d] : 0)) * scale;
        }
        for (int i = 0; i < UR_STAGES; i++) {
            a[i][j] = 0;
            for (int d = degree; d >= 0; d--)
                a[i][j] = (a[i][j] + poly[d] / (d + 1)) * c[i];
        }
    }
}

/* ---- a step -------------------------------------------------------------------------------- */

static void factor(ur_real *lu, int *pivot, int n)
{
    for (int k = 0; k < n; k++) {
        int best = k;
        for (int i = k + 1; i < n; i++)
            if (fabsl(lu[i * n + k]) > fabsl(lu[best * n + k]))
                best = i;
        pivot[k] = best;
        for (int j = 0; j < n && best != k; j++) {
            ur_real t = lu[k * n + j];
            lu[k * n + j] = lu[best * n + j];
            lu[best * n + j] = t;
        }
        for (int i = k + 1; i < n; i++) {
            ur_real l = lu[i * n + k] /= lu[k * n + k];
            for (int j = k + 1; j < n && l != 0; j++)
                lu[i * n + j] -= l * lu[k * n + j];
        }
    }
}

static void solve(ur_real *y, const ur_real *lu, const int *pivot, int n)
{
    for (int k = 0; k < n; k++) {
        ur_real t = y[pivot[k]];
        y[pivot[k]] = y[k];
        y[k] = t;
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++)
            y[i] -= lu[i * n + j] * y[j];
    for (int i = n - 1; i >= 0; i--) {
        for (int j = i + 1; j < n; j++)
            y[i] -= lu[i * n + j] * y[j];
        y[i] /= lu[i * n + i];
    }
}

/* The derivatives at all nodes together: E·k_i − h·A·Σ a_ij·k_j = A·x + B·u(t + c_i·h). */
static void prepare(ur_mode *m, ur_real h, ur_real a[UR_STAGES][UR_STAGES])
{
    int n = m->n, size = n * UR_STAGES;
    if (m->lu && m->h == h)
        return;
    m->lu = jn_realloc(m->lu, sizeof *m->lu * (size_t)(size * size) + 1);
    m->pivot = jn_realloc(m->pivot, sizeof *m->pivot * (size_t)size + 1);
    m->h = h;
    for (int r = 0; r < size; r++)
        for (int c = 0; c < size; c++) {
            int i = r / n, j = c / n, at = r % n * n + c % n;
            m->lu[r * size + c] = (i == j ? m->e[at] : 0) - h * a[i][j] * m->a[at];
        }
    factor(m->lu, m->pivot, size);
}

static void multiply_add(ur_real *y, const ur_real *matrix, const ur_real *x, int nrows, int ncols)
{
    for (int i = 0; i < nrows; i++)
        for (int j = 0; j < ncols; j++)
            y[i] += matrix[i * ncols + j] * x[j];
}

void ur_step(ur_real *x, ur_mode *m, ur_real t, ur_real h, ur_inputs inputs, const void *context,
             ur_real (*stage)[UR_STATES])
{
    static ur_real c[UR_STAGES], a[UR_STAGES][UR_STAGES];
    if (c[0] == 0) {
        radau_nodes(c);
        radau_matrix(a, c);
    }
    int n = m->n;
    ur_real k[UR_STAGES * UR_STATES] = {0}, u[UR_INPUTS];
    prepare(m, h, a);
    for (int i = 0; i < UR_STAGES; i++) {
        inputs(u, t + c[i] * h, context);
        multiply_add(k + i * n, m->a, x, n, n);
        multiply_add(k + i * n, m->b, u, n, m->ninputs);
    }
    solve(k, m->lu, m->pivot, n * UR_STAGES);
    ur_real at[UR_STAGES][UR_STATES];
    for (int i = 0; i < UR_STAGES; i++)
        for (int r = 0; r < n; r++) {
            at[i][r] = x[r];
            for (int j = 0; j < UR_STAGES; j++)
                at[i][r] += h * a[i][j] * k[j * n + r];
        }
    if (stage)
        memcpy(stage, at, sizeof at);
    memcpy(x, at[UR_STAGES - 1], sizeof *x * (size_t)n);
}

/* ---- a jump -------------------------------------------------------------------------------- */

/* One step of implicit Euler, (E − hA)·y = E·x + h·B·u, in place. */
static bool euler(arb_mat_t x, const arb_mat_t E, const arb_mat_t A, const arb_mat_t drive, slong h)
{
    slong n = arb_mat_nrows(x);
    arb_mat_t left, right;
    arb_mat_init(left, n, n);
    arb_mat_init(right, n, 1);
    arb_mat_scalar_mul_2exp_si(left, A, h);
    arb_mat_sub(left, E, left, PRECISION);
    arb_mat_mul(right, E, x, PRECISION);
    arb_mat_add(right, right, drive, PRECISION);
    bool regular = arb_mat_solve(x, left, right, PRECISION);
    arb_mat_clear(left);
    arb_mat_clear(right);
    return regular;
}

bool ur_jump(ur_real *x, const ur_mode *m, ur_real t, ur_inputs inputs, const void *context)
{
    const slong h = -200; /* a power of two */
    int n = m->n;
    ur_real u[UR_INPUTS], drive[UR_STATES] = {0};
    arb_mat_t E, A, d, y;
    arb_mat_init(E, n, n);
    arb_mat_init(A, n, n);
    arb_mat_init(d, n, 1);
    arb_mat_init(y, n, 1);
    inputs(u, t, context);
    multiply_add(drive, m->b, u, n, m->ninputs);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            arb_set_fmpq(arb_mat_entry(E, i, j), m->E + i * n + j, PRECISION);
            arb_set_fmpq(arb_mat_entry(A, i, j), m->A + i * n + j, PRECISION);
        }
        put_real(arb_mat_entry(d, i, 0), drive[i]);
        put_real(arb_mat_entry(y, i, 0), x[i]);
    }
    arb_mat_scalar_mul_2exp_si(d, d, h);
    bool regular = true;
    for (int k = 0; k < 2 && regular; k++)
        regular = euler(y, E, A, d, h);
    for (int i = 0; i < n && regular; i++)
        x[i] = get_real(arb_mat_entry(y, i, 0));
    arb_mat_clear(E);
    arb_mat_clear(A);
    arb_mat_clear(d);
    arb_mat_clear(y);
    return regular;
}
