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
 * causality, and through it efforts and flows.
 *
 * Most storages and resistors depend on no other of their kind: only those that do are solved for
 * together, all else is summed up row by row. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mode.h"

/* ---- the junction structure ------------------------------------------------------------------ */

static srow *rows_alloc(int n)
{
    return jn_alloc((size_t)n * sizeof(srow));
}

static void rows_clear(srow *r, int n)
{
    for (int i = 0; i < n && r; i++)
        jn_srow_clear(&r[i]);
    free(r);
}

void jn_equations_read(equations *q, jn_sim *s, const mode_table *m)
{
    *q = (equations){.np = jn_port_count(s), .nr = s->nr, .nu = s->m};
    q->S = rows_alloc(q->np);
    q->integral = jn_alloc((size_t)s->N * sizeof *q->integral);
    q->derivative = jn_alloc((size_t)s->N * sizeof *q->derivative);
    q->place = jn_alloc((size_t)s->N * sizeof *q->place);
    rows *unit = jn_rows_new(s, q->np);
    gather sum;
    jn_gather_init(&sum, unit->sum.width);
    for (int p = 0; p < q->np; p++) {
        jn_gather_put(&sum, p, 1);
        jn_gather_take(&unit->base[p], &sum);
    }
    for (int p = 0; p < q->np; p++) {
        int element = jn_port_element(s, p);
        bool effort = jn_port_gives_effort(s, m, p);
        int out = effort ? s->j->port_effort[element] : s->j->port_flow[element];
        const srow *r = jn_rows_of(s, m, unit, out);
        for (int l = 0; l < r->n; l++) /* an output that nothing determines has no value */
            jn_gather_put(&sum, r->col[l] < q->np ? r->col[l] : 0,
                          r->col[l] < q->np ? r->a[l] : NAN);
        jn_gather_take(&q->S[p], &sum);
        if (p >= s->N)
            continue;
        bool integral = effort == (s->g->element[element].kind == JN_I);
        int *list = integral ? q->integral : q->derivative;
        int *n = integral ? &q->ni : &q->nd;
        q->place[p] = *n;
        list[(*n)++] = p;
    }
    jn_gather_clear(&sum);
    jn_rows_free(unit, s);
}

void jn_equations_clear(equations *q)
{
    rows_clear(q->S, q->np);
    rows_clear(q->Xi, q->ni);
    rows_clear(q->Zi, q->ni);
    rows_clear(q->Xd, q->nd);
    rows_clear(q->dw, q->ni);
    rows_clear(q->dXd, q->nd);
    rows_clear(q->Din, q->nr);
    free(q->integral);
    free(q->derivative);
    free(q->place);
}

bool jn_equations_integral(const equations *q, int storage)
{
    int place = q->place[storage];
    return place < q->ni && q->integral[place] == storage;
}

/* What kind of input a column of S is, and its number among these. */
typedef enum { INTEGRAL, DERIVATIVE, RESISTOR, SOURCE } input_kind;

static input_kind kind_of(const equations *q, int col, int *number)
{
    int storages = q->ni + q->nd;
    if (col >= storages) {
        bool resistor = col < storages + q->nr;
        *number = col - storages - (resistor ? 0 : q->nr);
        return resistor ? RESISTOR : SOURCE;
    }
    *number = q->place[col];
    return jn_equations_integral(q, col) ? INTEGRAL : DERIVATIVE;
}

/* ---- systems of equations -------------------------------------------------------------------- */

/* x_i = Σ_k a_ik·x_k + b_i: solved together are those i with some a_ik; the others are b_i. */
typedef struct {
    int n, width;
    srow *a; /* n, columns k */
    srow *b; /* n, of width; in the end the solution */
} coupled;

/* The right-hand side of i, with what is known of the others. */
static void put_known(gather *sum, const coupled *c, int i, const int *number)
{
    jn_gather_add(sum, 1, &c->b[i]);
    for (int l = 0; l < c->a[i].n; l++)
        if (number[c->a[i].col[l]] < 0)
            jn_gather_add(sum, c->a[i].a[l], &c->b[c->a[i].col[l]]);
}

static bool solve(coupled *c)
{
    int count = 0, *number = jn_alloc((size_t)c->n * sizeof *number);
    for (int i = 0; i < c->n; i++)
        number[i] = c->a[i].n ? count++ : -1;
    size_t size = (size_t)count, wide = (size_t)c->width;
    double *M = jn_alloc(size * size * sizeof *M), *rhs = jn_alloc(size * wide * sizeof *rhs);
    gather sum;
    srow r;
    jn_gather_init(&sum, c->width);
    for (int i = 0; i < c->n; i++) {
        if (number[i] < 0)
            continue;
        size_t at = (size_t)number[i];
        M[at * size + at] = 1;
        for (int l = 0; l < c->a[i].n; l++)
            if (number[c->a[i].col[l]] >= 0)
                M[at * size + (size_t)number[c->a[i].col[l]]] -= c->a[i].a[l];
        put_known(&sum, c, i, number);
        jn_gather_take(&r, &sum);
        for (int l = 0; l < r.n; l++)
            rhs[at * wide + (size_t)r.col[l]] = r.a[l];
        jn_srow_clear(&r);
    }
    bool ok = jn_reals_solve(M, rhs, count, c->width);
    for (int i = 0; i < c->n && ok; i++) {
        if (number[i] < 0)
            continue;
        jn_srow_clear(&c->b[i]);
        for (int k = 0; k < c->width; k++)
            jn_gather_put(&sum, k, rhs[(size_t)number[i] * wide + (size_t)k]);
        jn_gather_take(&c->b[i], &sum);
    }
    jn_gather_clear(&sum);
    free(M);
    free(rhs);
    free(number);
    return ok;
}

/* ---- closing --------------------------------------------------------------------------------- */

/* Din over (Zi, u): Din = L·(S31·Zi + S33·Din + S34·u), where L leads from Dout to Din. */
static bool solve_resistors(srow *H, const equations *q, const jn_sim *s, const mode_table *m)
{
    coupled c = {q->nr, q->ni + q->nu, rows_alloc(q->nr), H};
    gather a, b;
    jn_gather_init(&a, q->nr);
    jn_gather_init(&b, c.width);
    for (int i = 0; i < q->nr; i++) {
        int port = s->N + i, number;
        const srow *S = &q->S[port];
        double R = s->resistor[i], L = jn_port_gives_effort(s, m, port) ? 1 / R : R;
        for (int l = 0; l < S->n; l++) {
            input_kind kind = kind_of(q, S->col[l], &number);
            if (kind == RESISTOR)
                jn_gather_put(&a, number, L * S->a[l]);
            else if (kind != DERIVATIVE)
                jn_gather_put(&b, kind == SOURCE ? q->ni + number : number, L * S->a[l]);
        }
        jn_gather_take(&c.a[i], &a);
        jn_gather_take(&c.b[i], &b);
    }
    bool ok = solve(&c);
    rows_clear(c.a, q->nr);
    jn_gather_clear(&a);
    jn_gather_clear(&b);
    return ok;
}

/* Adds what storage d in derivative causality, as it depends on Xi and u, gives to a row of S. */
static void put_dependent(gather *a, gather *b, double c, const equations *q, const jn_sim *s,
                          int d)
{
    const srow *S = &q->S[q->derivative[d]];
    c *= s->storage[q->derivative[d]];
    for (int l = 0; l < S->n; l++) {
        int number;
        input_kind kind = kind_of(q, S->col[l], &number);
        if (kind == INTEGRAL)
            jn_gather_put(a, number, c * S->a[l] / s->storage[S->col[l]]);
        else if (kind == SOURCE)
            jn_gather_put(b, q->ni + number, c * S->a[l]);
    }
}

/* Xi over (w, u): Xi = w + S12·Xd. */
static bool solve_states(equations *q, const jn_sim *s)
{
    coupled c = {q->ni, q->ni + q->nu, rows_alloc(q->ni), q->Xi};
    gather a, b;
    jn_gather_init(&a, q->ni);
    jn_gather_init(&b, c.width);
    for (int i = 0; i < q->ni; i++) {
        const srow *S = &q->S[q->integral[i]];
        jn_gather_put(&b, i, 1);
        for (int l = 0; l < S->n; l++) {
            int number;
            if (kind_of(q, S->col[l], &number) == DERIVATIVE)
                put_dependent(&a, &b, S->a[l], q, s, number);
        }
        jn_gather_take(&c.a[i], &a);
        jn_gather_take(&c.b[i], &b);
    }
    bool ok = solve(&c);
    rows_clear(c.a, q->ni);
    jn_gather_clear(&a);
    jn_gather_clear(&b);
    return ok;
}

/* sum += what a port receives through S: from the integral storages, the sources and, if told,
 * the resistors. */
static void receive(gather *sum, const equations *q, int port, bool resistors)
{
    const srow *S = &q->S[port];
    for (int l = 0; l < S->n; l++) {
        int number;
        input_kind kind = kind_of(q, S->col[l], &number);
        if (kind == INTEGRAL)
            jn_gather_add(sum, S->a[l], &q->Zi[number]);
        else if (kind == SOURCE)
            jn_gather_put(sum, q->ni + number, S->a[l]);
        else if (kind == RESISTOR && resistors)
            jn_gather_add(sum, S->a[l], &q->Din[number]);
    }
}

static void close_states(equations *q, const jn_sim *s, gather *sum)
{
    for (int i = 0; i < q->ni; i++) {
        const srow *Xi = &q->Xi[i];
        for (int l = 0; l < Xi->n; l++)
            jn_gather_put(sum, Xi->col[l], Xi->a[l] / s->storage[q->integral[i]]);
        jn_gather_take(&q->Zi[i], sum);
    }
    for (int d = 0; d < q->nd; d++) {
        receive(sum, q, q->derivative[d], false);
        jn_gather_take(&q->Xd[d], sum);
        for (int l = 0; l < q->Xd[d].n; l++)
            q->Xd[d].a[l] *= s->storage[q->derivative[d]];
    }
}

static void close_resistors(equations *q, const srow *H, gather *sum)
{
    for (int r = 0; r < q->nr; r++) {
        for (int l = 0; l < H[r].n; l++)
            if (H[r].col[l] < q->ni)
                jn_gather_add(sum, H[r].a[l], &q->Zi[H[r].col[l]]);
            else
                jn_gather_put(sum, H[r].col[l], H[r].a[l]);
        jn_gather_take(&q->Din[r], sum);
    }
}

static void close_dynamics(equations *q, gather *sum)
{
    for (int i = 0; i < q->ni; i++) {
        receive(sum, q, q->integral[i], true);
        jn_gather_take(&q->dw[i], sum);
    }
}

/* Ẋd over (w, u, u̇). */
static void differentiate_dependent(equations *q, gather *sum)
{
    for (int d = 0; d < q->nd; d++) {
        const srow *Xd = &q->Xd[d];
        for (int l = 0; l < Xd->n; l++)
            if (Xd->col[l] < q->ni)
                jn_gather_add(sum, Xd->a[l], &q->dw[Xd->col[l]]);
            else
                jn_gather_put(sum, Xd->col[l] + q->nu, Xd->a[l]);
        jn_gather_take(&q->dXd[d], sum);
    }
}

bool jn_equations_close(equations *q, const jn_sim *s, const mode_table *m)
{
    srow *H = rows_alloc(q->nr);
    q->Xi = rows_alloc(q->ni);
    q->Zi = rows_alloc(q->ni);
    q->Xd = rows_alloc(q->nd);
    q->dw = rows_alloc(q->ni);
    q->dXd = rows_alloc(q->nd);
    q->Din = rows_alloc(q->nr);
    bool ok = solve_resistors(H, q, s, m) && solve_states(q, s);
    gather sum;
    jn_gather_init(&sum, q->ni + 2 * q->nu);
    if (ok) {
        close_states(q, s, &sum);
        close_resistors(q, H, &sum);
        close_dynamics(q, &sum);
        differentiate_dependent(q, &sum);
    }
    jn_gather_clear(&sum);
    rows_clear(H, q->nr);
    return ok;
}
