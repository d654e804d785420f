/* mode_equations.c: the equations of one mode, closed.
 *
 * With Zi = Fi·Xi, Zd = Fd·Xd, Din = L·Dout the junction structure of the mode becomes
 *
 *     w  = Xi − S12·Xd                    (the rows of E: conserved in a jump, continuous in u)
 *     Xi = M⁻¹·(w + T·u),   M = I − S12·Fd⁻¹·S21·Fi,   T = S12·Fd⁻¹·S24
 *     Xd = Fd⁻¹·(S21·Fi·Xi + S24·u)
 *     ẇ  = (S11 + S13·Hz)·Fi·Xi + (S14 + S13·Hu)·u,    Din = Hz·Zi + Hu·u
 *
 * so no derivative of u enters the state. It does enter Ẋd, the input of a storage in derivative
 * causality, and through it efforts and flows. */
#include <stdlib.h>
#include <string.h>

#include "mode.h"

/* ---- the junction structure ------------------------------------------------------------------ */

double jn_equations_S(const equations *q, int row, int col)
{
    return q->S[(size_t)row * (size_t)q->np + (size_t)col];
}

void jn_equations_read(equations *q, jn_sim *s, const mode_table *m)
{
    size_t np = (size_t)jn_port_count(s);
    *q = (equations){.np = (int)np, .nr = s->nr, .nu = s->m};
    q->S = jn_alloc(np * np * sizeof *q->S);
    q->integral = jn_alloc((size_t)s->N * sizeof *q->integral);
    q->derivative = jn_alloc((size_t)s->N * sizeof *q->derivative);
    rows *unit = jn_rows_new(s, q->np);
    for (size_t p = 0; p < np; p++)
        unit->base[p * np + p] = 1;
    for (int p = 0; p < q->np; p++) {
        int element = jn_port_element(s, p);
        bool effort = jn_port_gives_effort(s, m, p);
        int out = effort ? s->j->port_effort[element] : s->j->port_flow[element];
        memcpy(q->S + (size_t)p * np, jn_rows_of(s, m, unit, out), np * sizeof *q->S);
        if (p < s->N && effort == (s->g->element[element].kind == JN_I))
            q->integral[q->ni++] = p;
        else if (p < s->N)
            q->derivative[q->nd++] = p;
    }
    jn_rows_free(unit, s);
}

void jn_equations_clear(equations *q)
{
    free(q->S);
    free(q->integral);
    free(q->derivative);
    free(q->Xi);
    free(q->Xd);
    free(q->dw);
    free(q->dXd);
    free(q->Din);
}

/* ---- closing --------------------------------------------------------------------------------- */

static int first_resistor(const equations *q)
{
    return q->ni + q->nd;
}

static int first_source(const equations *q)
{
    return q->ni + q->nd + q->nr;
}

/* Din over (Zi, u): (1 − L·S33)⁻¹·L·(S31, S34), where L leads from Dout to Din. */
static bool solve_resistors(double *H, const equations *q, const jn_sim *s, const mode_table *m)
{
    int nr = q->nr, wide = q->ni + q->nu, r0 = first_resistor(q), u0 = first_source(q);
    double *M = jn_alloc((size_t)nr * (size_t)nr * sizeof *M);
    for (int i = 0; i < nr; i++) {
        double R = s->resistor[i], L = jn_port_gives_effort(s, m, r0 + i) ? 1 / R : R;
        for (int k = 0; k < nr; k++)
            M[i * nr + k] = (i == k) - L * jn_equations_S(q, r0 + i, r0 + k);
        for (int k = 0; k < q->ni; k++)
            H[i * wide + k] = L * jn_equations_S(q, r0 + i, q->integral[k]);
        for (int k = 0; k < q->nu; k++)
            H[i * wide + q->ni + k] = L * jn_equations_S(q, r0 + i, u0 + k);
    }
    bool ok = jn_reals_solve(M, H, nr, wide);
    free(M);
    return ok;
}

/* Xi over (w, u): M⁻¹ applied to (1, T). */
static bool solve_states(equations *q, const jn_sim *s)
{
    int ni = q->ni, wide = ni + q->nu, u0 = first_source(q);
    double *M = jn_alloc((size_t)ni * (size_t)ni * sizeof *M), *Xi = q->Xi;
    for (int i = 0; i < ni; i++) {
        M[i * ni + i] = Xi[i * wide + i] = 1;
        for (int d = 0; d < q->nd; d++) {
            int p = q->derivative[d];
            double a = jn_equations_S(q, q->integral[i], p) * s->storage[p];
            for (int k = 0; k < ni && a != 0; k++)
                M[i * ni + k] -=
                    a * jn_equations_S(q, p, q->integral[k]) / s->storage[q->integral[k]];
            for (int k = 0; k < q->nu && a != 0; k++)
                Xi[i * wide + ni + k] += a * jn_equations_S(q, p, u0 + k);
        }
    }
    bool ok = jn_reals_solve(M, Xi, ni, wide);
    free(M);
    return ok;
}

/* row += a·other */
static void add_scaled(double *row, double a, const double *other, int n)
{
    for (int k = 0; k < n && a != 0; k++)
        row[k] += a * other[k];
}

/* row += what a port receives through S from the integral storages and the sources. */
static void add_inputs(double *row, const equations *q, int port, const double *Zi)
{
    int wide = q->ni + q->nu;
    for (int i = 0; i < q->ni; i++)
        add_scaled(row, jn_equations_S(q, port, q->integral[i]), Zi + i * wide, wide);
    for (int k = 0; k < q->nu; k++)
        row[q->ni + k] += jn_equations_S(q, port, first_source(q) + k);
}

static void close_dependent(equations *q, const jn_sim *s, const double *Zi)
{
    int wide = q->ni + q->nu;
    for (int d = 0; d < q->nd; d++) {
        double *row = q->Xd + d * wide;
        add_inputs(row, q, q->derivative[d], Zi);
        for (int k = 0; k < wide; k++)
            row[k] *= s->storage[q->derivative[d]];
    }
}

static void close_resistors(equations *q, const double *H, const double *Zi)
{
    int ni = q->ni, wide = ni + q->nu;
    for (int r = 0; r < q->nr; r++) {
        double *row = q->Din + r * wide;
        for (int i = 0; i < ni; i++)
            add_scaled(row, H[r * wide + i], Zi + i * wide, wide);
        for (int k = ni; k < wide; k++)
            row[k] += H[r * wide + k];
    }
}

static void close_dynamics(equations *q, const double *Zi)
{
    int wide = q->ni + q->nu;
    for (int i = 0; i < q->ni; i++) {
        double *row = q->dw + i * wide;
        add_inputs(row, q, q->integral[i], Zi);
        for (int r = 0; r < q->nr; r++)
            add_scaled(row, jn_equations_S(q, q->integral[i], first_resistor(q) + r),
                       q->Din + r * wide, wide);
    }
}

/* Ẋd over (w, u, u̇). */
static void differentiate_dependent(equations *q)
{
    int ni = q->ni, wide = ni + q->nu, full = wide + q->nu;
    for (int d = 0; d < q->nd; d++) {
        const double *Xd = q->Xd + d * wide;
        double *row = q->dXd + d * full;
        for (int i = 0; i < ni; i++)
            add_scaled(row, Xd[i], q->dw + i * wide, wide);
        for (int k = 0; k < q->nu; k++)
            row[wide + k] = Xd[ni + k];
    }
}

bool jn_equations_close(equations *q, const jn_sim *s, const mode_table *m)
{
    size_t ni = (size_t)q->ni, nd = (size_t)q->nd, nr = (size_t)q->nr, nu = (size_t)q->nu;
    size_t wide = ni + nu, full = wide + nu;
    q->Xi = jn_alloc(ni * wide * sizeof(double));
    q->Xd = jn_alloc(nd * wide * sizeof(double));
    q->dw = jn_alloc(ni * wide * sizeof(double));
    q->dXd = jn_alloc(nd * full * sizeof(double));
    q->Din = jn_alloc(nr * wide * sizeof(double));
    double *H = jn_alloc(nr * wide * sizeof *H), *Zi = jn_alloc(ni * wide * sizeof *Zi);
    bool ok = solve_resistors(H, q, s, m) && solve_states(q, s);
    if (ok) {
        for (size_t i = 0; i < ni; i++)
            for (size_t k = 0; k < wide; k++)
                Zi[i * wide + k] = q->Xi[i * wide + k] / s->storage[q->integral[i]];
        close_dependent(q, s, Zi);
        close_resistors(q, H, Zi);
        close_dynamics(q, Zi);
        differentiate_dependent(q);
    }
    free(H);
    free(Zi);
    return ok;
}
