/* mode_table.c: what the run needs to know of one mode, in numbers.
 *
 * The junction structure of the mode comes from the guarded elimination: the pivots that hold
 * here. With Zi = Fi·Xi, Zd = Fd·Xd, Din = L·Dout it is closed to
 *
 *     w  = Xi − S12·Xd                    (the rows of E: conserved in a jump, continuous in u)
 *     Xi = M⁻¹·(w + T·u),   M = I − S12·Fd⁻¹·S21·Fi,   T = S12·Fd⁻¹·S24
 *     Xd = Fd⁻¹·(S21·Fi·Xi + S24·u)
 *     ẇ  = (S11 + S13·Hz)·Fi·Xi + (S14 + S13·Hu)·u,    Din = Hz·Zi + Hu·u
 *
 * so no derivative of u enters the state. It does enter Ẋd, the input of a storage in derivative
 * causality, and through it efforts and flows.
 *
 * A column of the elimination is then a row of numbers over (w, u, u̇), found by following the
 * pivots. Two more families follow the same pivots: impulses (all inputs 0 but Ẋd = ΔXd), and in
 * a forbidden mode the unbounded inputs of the sources that lost theirs. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "numeric.h"

/* ---- ports ----------------------------------------------------------------------------------- */

int jn_port_count(const jn_sim *s)
{
    return s->N + s->nr + s->m;
}

int jn_port_element(const jn_sim *s, int p)
{
    if (p < s->N)
        return s->g->storage[p];
    if (p < s->N + s->nr)
        return s->g->resistor[p - s->N];
    return s->g->source[p - s->N - s->nr];
}

double jn_number_of(jn_sim *s, jn_ratfun a)
{
    if (a.id >= s->nnumbers) {
        int n = 2 * a.id + 64;
        s->number = jn_realloc(s->number, (size_t)n * sizeof *s->number);
        for (int i = s->nnumbers; i < n; i++)
            s->number[i] = NAN;
        s->nnumbers = n;
    }
    if (isnan(s->number[a.id]))
        s->number[a.id] = jn_ratfun_get_d(s->j->ring.field, a);
    return s->number[a.id];
}

/* ---- columns as rows of numbers -------------------------------------------------------------- */

/* A family of rows, one per column of the elimination. The base rows are those of the ports'
 * inputs; every other column follows by its pivot. */
struct rows {
    int width;
    double *base;  /* ports × width */
    double **made; /* per column; NULL: not yet */
};

static rows *rows_new(const jn_sim *s, int width)
{
    rows *r = jn_alloc(sizeof *r);
    int ncols = 2 * s->g->nbonds + 2 * jn_port_count(s);
    r->width = width;
    r->base = jn_alloc((size_t)jn_port_count(s) * (size_t)width * sizeof *r->base);
    r->made = jn_alloc((size_t)ncols * sizeof *r->made);
    return r;
}

static void rows_free(rows *r, const jn_sim *s)
{
    if (!r)
        return;
    int ncols = 2 * s->g->nbonds + 2 * jn_port_count(s);
    for (int c = 0; c < ncols; c++)
        free(r->made[c]);
    free(r->made);
    free(r->base);
    free(r);
}

/* Per column: the port whose variable it is, −1 for internal bonds. */
static const int *ports_of_columns(jn_sim *s)
{
    if (!s->column_port) {
        int ncols = 2 * s->g->nbonds + 2 * jn_port_count(s);
        s->column_port = jn_alloc((size_t)ncols * sizeof *s->column_port);
        for (int c = 0; c < ncols; c++)
            s->column_port[c] = -1;
        for (int p = 0; p < jn_port_count(s); p++) {
            int element = jn_port_element(s, p);
            s->column_port[s->j->port_effort[element]] = p;
            s->column_port[s->j->port_flow[element]] = p;
        }
    }
    return s->column_port;
}

static const double *column_row(jn_sim *s, const mode_table *m, rows *r, int col)
{
    if (r->made[col])
        return r->made[col];
    double *row = r->made[col] = jn_alloc((size_t)r->width * sizeof *row);
    int pivot = m->pivot_at[col], port = ports_of_columns(s)[col];
    if (pivot < 0) {
        /* a port's input, or a variable that nothing determines */
        for (int k = 0; k < r->width; k++)
            row[k] = port < 0 ? NAN : r->base[(size_t)port * (size_t)r->width + (size_t)k];
        return row;
    }
    const jn_row *e =
        jn_elimination_row(s->j->elimination, jn_elimination_pivot(s->j->elimination, pivot)->row);
    for (int i = 0; i < e->n; i++) {
        if (e->e[i].col == col)
            continue;
        double c = jn_number_of(s, jn_guarded_at(&e->e[i].value, m->onoff, s->j->ring));
        if (c == 0)
            continue;
        const double *other = column_row(s, m, r, e->e[i].col);
        for (int k = 0; k < r->width; k++)
            row[k] -= c * other[k];
    }
    return row;
}

static void find_pivots(jn_sim *s, mode_table *m)
{
    int ncols = 2 * s->g->nbonds + 2 * jn_port_count(s);
    m->pivot_at = jn_alloc((size_t)ncols * sizeof *m->pivot_at);
    for (int c = 0; c < ncols; c++)
        m->pivot_at[c] = -1;
    for (int i = 0; i < jn_elimination_pivots(s->j->elimination); i++) {
        const jn_pivot *p = jn_elimination_pivot(s->j->elimination, i);
        if (jn_guard_at(s->j->ring.guards, p->guard, m->onoff))
            m->pivot_at[p->col] = i;
    }
}

/* ---- the blocks of S ------------------------------------------------------------------------- */

typedef struct {
    int ni, nd, nr, m;          /* integral, derivative, resistors, sources */
    int *integral, *derivative; /* storages */
    double *S;                  /* ports × ports */
    int np;
} blocks;

static double at(const blocks *b, int row, int col)
{
    return b->S[(size_t)row * (size_t)b->np + (size_t)col];
}

static void read_structure(blocks *b, jn_sim *s, const mode_table *m)
{
    b->np = jn_port_count(s);
    b->nr = s->nr;
    b->m = s->m;
    b->S = jn_alloc((size_t)b->np * (size_t)b->np * sizeof *b->S);
    b->integral = jn_alloc((size_t)s->N * sizeof *b->integral);
    b->derivative = jn_alloc((size_t)s->N * sizeof *b->derivative);
    rows *unit = rows_new(s, b->np);
    for (int p = 0; p < b->np; p++)
        unit->base[(size_t)p * (size_t)b->np + (size_t)p] = 1;
    for (int p = 0; p < b->np; p++) {
        int element = jn_port_element(s, p);
        jn_kind kind = s->g->element[element].kind;
        bool effort_out = m->pivot_at[s->j->port_effort[element]] >= 0;
        int out = effort_out ? s->j->port_effort[element] : s->j->port_flow[element];
        memcpy(b->S + (size_t)p * (size_t)b->np, column_row(s, m, unit, out),
               (size_t)b->np * sizeof *b->S);
        if (p < s->N) {
            if (effort_out == (kind == JN_I))
                b->integral[b->ni++] = p;
            else
                b->derivative[b->nd++] = p;
        }
    }
    rows_free(unit, s);
}

static bool is_effort_out(const jn_sim *s, const mode_table *m, int port)
{
    return m->pivot_at[s->j->port_effort[jn_port_element(s, port)]] >= 0;
}

/* From Dout to Din. */
static double resistor_law(const jn_sim *s, const mode_table *m, int r)
{
    return is_effort_out(s, m, s->N + r) ? 1 / s->resistor[r] : s->resistor[r];
}

/* Hz (nr × ni) and Hu (nr × m) of Din = Hz·Zi + Hu·u. */
static bool solve_resistors(double *Hz, double *Hu, const blocks *b, const jn_sim *s,
                            const mode_table *m)
{
    int nr = b->nr, wide = b->ni + b->m;
    double *lhs = jn_alloc((size_t)nr * (size_t)nr * sizeof *lhs);
    double *rhs = jn_alloc((size_t)nr * (size_t)wide * sizeof *rhs);
    for (int i = 0; i < nr; i++) {
        double L = resistor_law(s, m, i);
        for (int k = 0; k < nr; k++)
            lhs[i * nr + k] = (i == k) - L * at(b, s->N + i, s->N + k);
        for (int k = 0; k < b->ni; k++)
            rhs[i * wide + k] = L * at(b, s->N + i, b->integral[k]);
        for (int k = 0; k < b->m; k++)
            rhs[i * wide + b->ni + k] = L * at(b, s->N + i, s->N + nr + k);
    }
    bool ok = jn_reals_solve(lhs, rhs, nr, wide);
    for (int i = 0; i < nr; i++) {
        memcpy(Hz + i * b->ni, rhs + i * wide, (size_t)b->ni * sizeof *Hz);
        memcpy(Hu + i * b->m, rhs + i * wide + b->ni, (size_t)b->m * sizeof *Hu);
    }
    free(lhs);
    free(rhs);
    return ok;
}

/* ---- closing the equations ------------------------------------------------------------------- */

typedef struct {
    double *Xi;  /* ni × (ni + m): Xi over (w, u) */
    double *Xd;  /* nd × (ni + m) */
    double *dw;  /* ni × (ni + m): ẇ over (w, u) */
    double *dXi; /* ni × (ni + 2m): Ẋi over (w, u, u̇) */
    double *dXd; /* nd × (ni + 2m) */
    double *Din; /* nr × (ni + m) */
} closed;

/* M⁻¹ applied to (I, T): Xi over (w, u). */
static bool solve_states(double *Xi, const blocks *b, const jn_sim *s)
{
    int ni = b->ni, wide = ni + b->m;
    double *M = jn_alloc((size_t)ni * (size_t)ni * sizeof *M);
    for (int i = 0; i < ni; i++) {
        M[i * ni + i] = Xi[i * wide + i] = 1;
        for (int d = 0; d < b->nd; d++) {
            double a = at(b, b->integral[i], b->derivative[d]) * s->storage[b->derivative[d]];
            if (a == 0)
                continue;
            for (int k = 0; k < ni; k++)
                M[i * ni + k] -=
                    a * at(b, b->derivative[d], b->integral[k]) / s->storage[b->integral[k]];
            for (int k = 0; k < b->m; k++)
                Xi[i * wide + ni + k] += a * at(b, b->derivative[d], s->N + s->nr + k);
        }
    }
    bool ok = jn_reals_solve(M, Xi, ni, wide);
    free(M);
    return ok;
}

static void close_dependent(closed *c, const blocks *b, const jn_sim *s)
{
    int ni = b->ni, wide = ni + b->m;
    for (int d = 0; d < b->nd; d++) {
        int p = b->derivative[d];
        double *row = c->Xd + d * wide;
        for (int i = 0; i < ni; i++) {
            double a = at(b, p, b->integral[i]) / s->storage[b->integral[i]];
            for (int k = 0; k < wide && a != 0; k++)
                row[k] += a * c->Xi[i * wide + k];
        }
        for (int k = 0; k < b->m; k++)
            row[ni + k] += at(b, p, s->N + s->nr + k);
        for (int k = 0; k < wide; k++)
            row[k] *= s->storage[p];
    }
}

static void close_flow(closed *c, const blocks *b, const jn_sim *s, const double *Hz,
                       const double *Hu)
{
    int ni = b->ni, wide = ni + b->m;
    for (int r = 0; r < b->nr; r++) {
        double *row = c->Din + r * wide;
        for (int i = 0; i < ni; i++) {
            double a = Hz[r * ni + i] / s->storage[b->integral[i]];
            for (int k = 0; k < wide && a != 0; k++)
                row[k] += a * c->Xi[i * wide + k];
        }
        for (int k = 0; k < b->m; k++)
            row[ni + k] += Hu[r * b->m + k];
    }
    for (int i = 0; i < ni; i++) {
        double *row = c->dw + i * wide;
        int p = b->integral[i];
        for (int l = 0; l < ni; l++) {
            double a = at(b, p, b->integral[l]) / s->storage[b->integral[l]];
            for (int k = 0; k < wide && a != 0; k++)
                row[k] += a * c->Xi[l * wide + k];
        }
        for (int r = 0; r < b->nr; r++) {
            double a = at(b, p, s->N + r);
            for (int k = 0; k < wide && a != 0; k++)
                row[k] += a * c->Din[r * wide + k];
        }
        for (int k = 0; k < b->m; k++)
            row[ni + k] += at(b, p, s->N + s->nr + k);
    }
}

/* d/dt of a row over (w, u): over (w, u, u̇). */
static void differentiate(double *out, const double *row, const closed *c, const blocks *b)
{
    int ni = b->ni, wide = ni + b->m;
    for (int i = 0; i < ni; i++)
        for (int k = 0; k < wide && row[i] != 0; k++)
            out[k] += row[i] * c->dw[i * wide + k];
    for (int k = 0; k < b->m; k++)
        out[wide + k] += row[ni + k];
}

static void close_derivatives(closed *c, const blocks *b)
{
    int wide = b->ni + b->m, full = wide + b->m;
    for (int i = 0; i < b->ni; i++)
        differentiate(c->dXi + i * full, c->Xi + i * wide, c, b);
    for (int d = 0; d < b->nd; d++)
        differentiate(c->dXd + d * full, c->Xd + d * wide, c, b);
}

static bool close_equations(closed *c, const blocks *b, const jn_sim *s, const mode_table *m)
{
    size_t ni = (size_t)b->ni, nd = (size_t)b->nd, nr = (size_t)b->nr, nu = (size_t)b->m;
    size_t wide = ni + nu, full = wide + nu;
    c->Xi = jn_alloc(ni * wide * sizeof(double));
    c->Xd = jn_alloc(nd * wide * sizeof(double));
    c->dw = jn_alloc(ni * wide * sizeof(double));
    c->dXi = jn_alloc(ni * full * sizeof(double));
    c->dXd = jn_alloc(nd * full * sizeof(double));
    c->Din = jn_alloc(nr * wide * sizeof(double));
    double *Hz = jn_alloc(nr * ni * sizeof(double)), *Hu = jn_alloc(nr * nu * sizeof(double));
    bool ok = solve_resistors(Hz, Hu, b, s, m) && solve_states(c->Xi, b, s);
    if (ok) {
        close_dependent(c, b, s);
        close_flow(c, b, s, Hz, Hu);
        close_derivatives(c, b);
    }
    free(Hz);
    free(Hu);
    return ok;
}

static void closed_free(closed *c)
{
    free(c->Xi);
    free(c->Xd);
    free(c->dw);
    free(c->dXi);
    free(c->dXd);
    free(c->Din);
}

/* ---- the three families' base rows ----------------------------------------------------------- */

static void base_rows(mode_table *m, jn_sim *s, const blocks *b, const closed *c)
{
    int wide = b->ni + b->m, full = wide + b->m;
    m->finite = rows_new(s, full);
    m->impulse = rows_new(s, s->N);
    double *f = m->finite->base;
    for (int i = 0; i < b->ni; i++)
        for (int k = 0; k < wide; k++)
            f[b->integral[i] * full + k] = c->Xi[i * wide + k] / s->storage[b->integral[i]];
    for (int d = 0; d < b->nd; d++) {
        memcpy(f + b->derivative[d] * full, c->dXd + d * full, (size_t)full * sizeof *f);
        m->impulse->base[b->derivative[d] * s->N + b->derivative[d]] = 1;
    }
    for (int r = 0; r < b->nr; r++)
        memcpy(f + (s->N + r) * full, c->Din + r * wide, (size_t)wide * sizeof *f);
    for (int k = 0; k < b->m; k++)
        if (!m->is_lost[k])
            f[(s->N + s->nr + k) * full + b->ni + k] = 1;
    if (m->status != JN_MODE_FORBIDDEN)
        return;
    m->infinite = rows_new(s, s->m);
    for (int k = 0; k < b->m; k++)
        if (m->is_lost[k])
            m->infinite->base[(s->N + s->nr + k) * s->m + k] = 1;
}

/* The sources that lost their input, and what the others make of their values. */
static void find_lost(mode_table *m, jn_sim *s, blocks *b)
{
    m->is_lost = jn_alloc((size_t)s->m * sizeof *m->is_lost);
    m->lost = jn_alloc((size_t)s->m * (size_t)s->m * sizeof *m->lost);
    for (int k = 0; k < s->m; k++) {
        int p = s->N + s->nr + k;
        bool effort_out = is_effort_out(s, m, p);
        m->is_lost[k] = effort_out == (s->g->element[jn_port_element(s, p)].kind == JN_SE);
        for (int i = 0; i < s->m && m->is_lost[k]; i++)
            m->lost[k * s->m + i] = at(b, p, s->N + s->nr + i);
    }
    /* what a source that lost its input gives now is its conjugate, taken as zero */
    for (int p = 0; p < b->np; p++)
        for (int k = 0; k < s->m; k++)
            if (m->is_lost[k])
                b->S[(size_t)p * (size_t)b->np + (size_t)(s->N + s->nr + k)] = 0;
}

/* ---- over z ---------------------------------------------------------------------------------- */

/* A row over (w, u, u̇) becomes one over z. */
static void to_z(double *out, const double *row, int width, const mode_table *m, const jn_sim *s)
{
    const double *G = jn_generator_G(s->gen), *V = jn_generator_V(s->gen);
    int nv = s->nv, v0 = m->n + s->ni;
    memcpy(out, row, (size_t)m->n * sizeof *out);
    for (int k = 0; k < s->m; k++) {
        double cu = row[m->n + k], cd = width > m->n + s->m ? row[m->n + s->m + k] : 0;
        for (int i = 0; i < nv; i++) {
            out[v0 + i] += cu * G[k * nv + i];
            for (int l = 0; l < nv && cd != 0; l++)
                out[v0 + l] += cd * G[k * nv + i] * V[i * nv + l];
        }
    }
}

static void make_state_maps(mode_table *m, const jn_sim *s, const blocks *b, const closed *c)
{
    int wide = b->ni + b->m;
    double *row = jn_alloc((size_t)m->nz * sizeof *row);
    m->w_of_x = jn_alloc((size_t)m->n * (size_t)s->N * sizeof *m->w_of_x);
    m->x_of_w = jn_alloc((size_t)s->N * (size_t)m->n * sizeof *m->x_of_w);
    m->x_of_v = jn_alloc((size_t)s->N * (size_t)s->nv * sizeof *m->x_of_v);
    for (int i = 0; i < b->ni; i++) {
        m->w_of_x[i * s->N + b->integral[i]] = 1;
        for (int d = 0; d < b->nd; d++)
            m->w_of_x[i * s->N + b->derivative[d]] = -at(b, b->integral[i], b->derivative[d]);
    }
    for (int i = 0; i < b->ni + b->nd; i++) {
        int p = i < b->ni ? b->integral[i] : b->derivative[i - b->ni];
        const double *from = i < b->ni ? c->Xi + i * wide : c->Xd + (i - b->ni) * wide;
        memset(row, 0, (size_t)m->nz * sizeof *row);
        to_z(row, from, wide, m, s);
        memcpy(m->x_of_w + p * m->n, row, (size_t)m->n * sizeof *row);
        memcpy(m->x_of_v + p * s->nv, row + m->n + s->ni, (size_t)s->nv * sizeof *row);
    }
    free(row);
}

/* ż = A·z */
static void make_dynamics(mode_table *m, jn_sim *s, const blocks *b, const closed *c)
{
    int wide = b->ni + b->m, nz = m->nz, v0 = m->n + s->ni;
    const double *V = jn_generator_V(s->gen);
    m->A = jn_alloc((size_t)nz * (size_t)nz * sizeof *m->A);
    for (int i = 0; i < m->n; i++)
        to_z(m->A + i * nz, c->dw + i * wide, wide, m, s);
    for (int i = 0; i < s->nv; i++)
        memcpy(m->A + (v0 + i) * nz + v0, V + i * s->nv, (size_t)s->nv * sizeof *V);
    for (int k = 0; k < s->ni; k++) {
        const linear_form *f = &s->integrand[k];
        double *to = m->A + (m->n + k) * nz;
        for (int i = 0; i < f->n; i++) {
            const double *row = jn_mode_table_row(s, m, f->term[i].obs);
            for (int l = 0; l < nz; l++)
                to[l] += f->term[i].c * row[l];
        }
        to[v0 + jn_generator_one(s->gen)] += f->c0;
        to[v0 + jn_generator_time(s->gen)] += f->ct;
    }
}

/* ---- making and finding tables --------------------------------------------------------------- */

static void set_status(mode_table *m, const jn_sim *s)
{
    jn_str why;
    jn_str_init(&why);
    if (jn_junction_is_forbidden(s->j, m->onoff)) {
        m->status = JN_MODE_FORBIDDEN;
        jn_reason_print(&why, s->j, jn_junction_reason(s->j, m->onoff));
        m->reason = why.s;
    }
}

/* All observables are z: see numeric.c. */
static void make_numeric(mode_table *m, jn_sim *s)
{
    m->n = jn_obs_count(s) - s->ni;
    m->nz = jn_obs_count(s);
    m->program = jn_program_new(s, m);
    m->is_lost = jn_alloc((size_t)s->m * sizeof *m->is_lost);
    for (int k = 0; k < s->m; k++)
        m->is_lost[k] =
            is_effort_out(s, m, s->N + s->nr + k) == (s->g->element[s->g->source[k]].kind == JN_SE);
}

static void make_linear(mode_table *m, jn_sim *s)
{
    blocks b = {0};
    closed c = {0};
    read_structure(&b, s, m);
    find_lost(m, s, &b);
    m->n = b.ni;
    m->nz = b.ni + s->ni + s->nv;
    m->independent = jn_alloc((size_t)b.ni * sizeof *m->independent);
    memcpy(m->independent, b.integral, (size_t)b.ni * sizeof *b.integral);
    m->unit = jn_alloc((size_t)b.ni * sizeof *m->unit);
    for (int i = 0; i < b.ni; i++)
        m->unit[i] = 1 / sqrt(fabs(s->storage[b.integral[i]]));
    if (close_equations(&c, &b, s, m)) {
        base_rows(m, s, &b, &c);
        make_state_maps(m, s, &b, &c);
        make_dynamics(m, s, &b, &c);
    } else {
        jn_str why;
        jn_str_init(&why);
        jn_str_add(&why, "its equations have no unique solution with these values");
        free(m->reason);
        m->reason = why.s;
        m->status = JN_MODE_SINGULAR;
    }
    closed_free(&c);
    free(b.S);
    free(b.integral);
    free(b.derivative);
}

static mode_table *mode_new(jn_sim *s, const jn_onoff *onoff)
{
    mode_table *m = jn_alloc(sizeof *m);
    m->onoff = jn_alloc((size_t)s->g->nswitches);
    memcpy(m->onoff, onoff, (size_t)s->g->nswitches);
    m->obs_row = jn_alloc((size_t)jn_obs_count(s) * sizeof *m->obs_row);
    set_status(m, s);
    find_pivots(s, m);
    if (s->numeric)
        make_numeric(m, s);
    else
        make_linear(m, s);
    return m;
}

void jn_mode_table_free(mode_table *m, const jn_sim *s)
{
    if (!m)
        return;
    jn_panels_free(m);
    jn_program_free(m->program);
    rows_free(m->finite, s);
    rows_free(m->impulse, s);
    rows_free(m->infinite, s);
    for (int i = 0; i < jn_obs_count(s); i++)
        free(m->obs_row[i]);
    free(m->obs_row);
    free(m->independent);
    free(m->unit);
    free(m->w_of_x);
    free(m->x_of_w);
    free(m->x_of_v);
    free(m->A);
    free(m->lost);
    free(m->is_lost);
    free(m->pivot_at);
    free(m->reason);
    free(m->onoff);
    free(m);
}

void jn_mode_tables_clear(jn_sim *s)
{
    for (int i = 0; i < s->ntables; i++)
        jn_mode_table_free(s->table[i], s);
    free(s->table);
    free(s->bucket);
    s->table = NULL;
    s->bucket = NULL;
    s->ntables = s->cap_tables = s->nbuckets = 0;
}

static uint64_t hash_mode(const jn_onoff *m, int n)
{
    uint64_t h = 14695981039346656037u;
    for (int i = 0; i < n; i++)
        h = (h ^ m[i]) * 1099511628211u;
    return h ^ (h >> 29);
}

static void rehash(jn_sim *s)
{
    s->nbuckets = s->nbuckets ? 2 * s->nbuckets : 64;
    free(s->bucket);
    s->bucket = jn_alloc((size_t)s->nbuckets * sizeof *s->bucket);
    for (int i = 0; i < s->ntables; i++) {
        uint64_t h = hash_mode(s->table[i]->onoff, s->g->nswitches);
        while (s->bucket[h & (uint64_t)(s->nbuckets - 1)])
            h++;
        s->bucket[h & (uint64_t)(s->nbuckets - 1)] = i + 1;
    }
}

mode_table *jn_mode_table_get(jn_sim *s, const jn_onoff *onoff)
{
    if (2 * (s->ntables + 1) > s->nbuckets)
        rehash(s);
    uint64_t h = hash_mode(onoff, s->g->nswitches);
    int *slot;
    while (*(slot = &s->bucket[h & (uint64_t)(s->nbuckets - 1)])) {
        mode_table *m = s->table[*slot - 1];
        if (!memcmp(m->onoff, onoff, (size_t)s->g->nswitches))
            return m;
        h++;
    }
    JN_GROW(s->table, s->ntables, s->cap_tables);
    s->table[s->ntables++] = mode_new(s, onoff);
    *slot = s->ntables;
    return s->table[s->ntables - 1];
}

/* ---- reading --------------------------------------------------------------------------------- */

const double *jn_mode_table_row(jn_sim *s, mode_table *m, int obs)
{
    if (m->obs_row[obs])
        return m->obs_row[obs];
    double *row = m->obs_row[obs] = jn_alloc((size_t)m->nz * sizeof *row);
    int nb = s->g->nbonds;
    if (m->direct) {
        row[obs] = 1;
    } else if (s->numeric) {
        row[obs] = obs < 2 * nb && m->program->open[obs] ? NAN : 1;
    } else if (obs < 2 * nb) {
        to_z(row, column_row(s, m, m->finite, obs), m->n + 2 * s->m, m, s);
        if (obs % 2 && s->j->flow_sign[obs / 2] < 0)
            for (int i = 0; i < m->nz; i++)
                row[i] = -row[i];
    } else if (obs < 2 * nb + s->N) {
        int p = obs - 2 * nb;
        memcpy(row, m->x_of_w + p * m->n, (size_t)m->n * sizeof *row);
        memcpy(row + m->n + s->ni, m->x_of_v + p * s->nv, (size_t)s->nv * sizeof *row);
    } else {
        row[m->n + obs - 2 * nb - s->N] = 1;
    }
    return row;
}

static double bond_sign(const jn_sim *s, int obs)
{
    return obs % 2 && s->j->flow_sign[obs / 2] < 0 ? -1 : 1;
}

double jn_mode_table_impulse(jn_sim *s, mode_table *m, int obs, const double *from,
                             const double *to)
{
    if (obs >= 2 * s->g->nbonds)
        return 0;
    if (s->numeric)
        return jn_numeric_impulse(s, m, obs, from, to);
    const double *row = column_row(s, m, m->impulse, obs);
    double area = 0, scale = 0;
    for (int i = 0; i < s->N; i++) {
        area += row[i] * (to[i] - from[i]);
        if (row[i] != 0) /* what is small beside the largest state there was is rounding */
            scale += fabs(row[i]) * (fabs(to[i]) + fabs(from[i]) +
                                     1e-2 * sqrt(2 * s->most_stored * fabs(s->storage[i])));
    }
    return fabs(area) > 1e-11 * scale ? bond_sign(s, obs) * area : 0;
}

double jn_mode_table_infinite(jn_sim *s, mode_table *m, int obs, const double *u)
{
    if (m->status != JN_MODE_FORBIDDEN || obs >= 2 * s->g->nbonds)
        return 0;
    if (s->numeric)
        return jn_numeric_infinite(s, m, obs, u);
    const double *row = column_row(s, m, m->infinite, obs);
    double sum = 0, scale = 0;
    for (int k = 0; k < s->m; k++) {
        if (!m->is_lost[k] || row[k] == 0)
            continue;
        double delta = u[k], size = fabs(u[k]);
        for (int i = 0; i < s->m; i++) {
            delta -= m->lost[k * s->m + i] * u[i];
            size += fabs(m->lost[k * s->m + i] * u[i]);
        }
        /* positive along the bond's arrow where the source is its tail */
        int element = s->g->source[k];
        if (s->g->bond[s->g->element[element].bond[0]].head == element)
            delta = -delta;
        sum += row[k] * delta;
        scale += fabs(row[k]) * size;
    }
    return fabs(sum) > 1e-12 * scale ? bond_sign(s, obs) * sum : 0;
}

void jn_mode_table_state(double *x, const jn_sim *s, mode_table *m, const double *z)
{
    const double *v = z + m->n + s->ni;
    if (m->direct) {
        memcpy(x, z + jn_obs_state(s, 0), (size_t)s->N * sizeof *x);
        return;
    }
    if (s->numeric) {
        jn_numeric_state(x, s, m, z);
        return;
    }
    for (int i = 0; i < s->N; i++) {
        double sum = 0;
        for (int k = 0; k < m->n; k++)
            sum += m->x_of_w[i * m->n + k] * z[k];
        for (int k = 0; k < s->nv; k++)
            sum += m->x_of_v[i * s->nv + k] * v[k];
        x[i] = sum;
    }
}

void jn_mode_table_enter(double *z, double *x_after, const jn_sim *s, mode_table *m,
                         const double *x, const double *integrals, const double *v)
{
    if (s->numeric) {
        jn_numeric_enter(z, x_after, s, m, x, integrals);
        return;
    }
    for (int i = 0; i < m->n; i++) {
        double sum = 0;
        for (int k = 0; k < s->N; k++)
            sum += m->w_of_x[i * s->N + k] * x[k];
        z[i] = sum;
    }
    memcpy(z + m->n, integrals, (size_t)s->ni * sizeof *z);
    memcpy(z + m->n + s->ni, v, (size_t)s->nv * sizeof *z);
    jn_mode_table_state(x_after, s, m, z);
}
