/* numeric_residual.c: how far a mode's equations are from holding.
 *
 * One row for each unknown of y = (x, Din, auxiliaries, integrals), in the same places:
 *
 *     storage in integral causality    ẋ − output            (a jump: Δx − output of the jump)
 *     in derivative causality          its law
 *     its co-state, if an unknown      its law, or co-state − output
 *     resistor                         its law
 *     source or value                  itself − its expression
 *     integral                         ṡ − integrand         (a jump: its row is 0)
 *
 * All on pairs of value and derivative: one call gives one column of a Jacobian. */
#include <math.h>
#include <string.h>

#include "numeric.h"

static dual minus(dual a, dual b)
{
    return (dual){a.v - b.v, a.d - b.d};
}

static dual times(dual a, dual b)
{
    return (dual){a.v * b.v, a.d * b.v + a.v * b.d};
}

/* ---- before the junction structure ----------------------------------------------------------- */

static dual quantity_now(const numeric *n, const quantity *q, const moment *at)
{
    return q->at >= 0 ? n->Y[q->at] : jn_tangent(at, q->e);
}

static void set_modulated(numeric *n, mode_table *m, const moment *at)
{
    for (int i = 0; i < n->nmodulated; i++) {
        modulated *x = &n->modulated[i];
        x->now = quantity_now(n, &x->q, at);
        n->param[x->param] = x->now.v;
        n->change[x->param] = x->now.d;
    }
    jn_program_vary(m->program, n->s, n->param, n->change);
}

static void set_inputs(numeric *n, const mode_table *m, const moment *at)
{
    const jn_sim *s = n->s;
    const program *p = m->program;
    for (int i = 0; i < s->N; i++) {
        dual *to = &n->col[p->in[i]];
        if (!p->integral[i])
            *to = n->Yp[i];
        else if (n->co_state[i] >= 0)
            *to = n->Y[n->co_state[i]];
        else
            *to = (dual){n->Y[i].v / s->storage[i], n->Y[i].d / s->storage[i]};
    }
    for (int r = 0; r < s->nr; r++)
        n->col[p->in[s->N + r]] = n->Y[n->first_r + r];
    for (int k = 0; k < s->m; k++) {
        double fixed;
        dual u = jn_generator_fixed(&fixed, s->gen, k) ? (dual){fixed, 0}
                                                       : quantity_now(n, &n->source[k], at);
        n->u[k] = u.v;
        n->col[p->in[s->N + s->nr + k]] = m->is_lost[k] ? (dual){0, 0} : u;
    }
}

/* What the dependent storages' jumps give at the others. */
static void run_jump(numeric *n, const program *p, const double *x_before)
{
    const jn_sim *s = n->s;
    for (int i = 0; i < jn_port_count(s); i++)
        n->jump[p->in[i]] = (dual){0, 0};
    for (int i = 0; i < s->N; i++)
        if (!p->integral[i])
            n->jump[p->in[i]] = (dual){n->Y[i].v - x_before[i], n->Y[i].d};
    jn_program_run(p, n->jump);
}

/* ---- after it -------------------------------------------------------------------------------- */

static dual storage_law(const numeric *n, int i, dual co_state, const moment *at)
{
    const jn_element *x = &n->s->g->element[n->s->g->storage[i]];
    if (x->nonlinear) {
        bool of_state = x->law_of == 'p' || x->law_of == 'q';
        return minus(of_state ? n->Y[i] : co_state, jn_tangent(at, x->law));
    }
    if (n->value_of[i] >= 0)
        return minus(n->Y[i], times(n->modulated[n->value_of[i]].now, co_state));
    double value = n->s->storage[i];
    return minus(co_state, (dual){n->Y[i].v / value, n->Y[i].d / value});
}

static dual resistor_law(const numeric *n, int r, const moment *at)
{
    const jn_sim *s = n->s;
    int element = s->g->resistor[r], value = n->value_of[s->N + r];
    const jn_element *x = &s->g->element[element];
    dual e = n->col[s->j->port_effort[element]], f = n->col[s->j->port_flow[element]];
    if (x->nonlinear)
        return minus(x->law_of == 'e' ? e : f, jn_tangent(at, x->law));
    return minus(e, times(value >= 0 ? n->modulated[value].now : (dual){s->resistor[r], 0}, f));
}

static void storage_rows(numeric *n, const program *p, const moment *at, const double *x_before)
{
    for (int i = 0; i < n->s->N; i++) {
        dual out = n->col[p->out[i]];
        int z = n->co_state[i];
        if (!p->integral[i]) {
            n->F[i] = storage_law(n, i, out, at);
            if (z >= 0)
                n->F[z] = minus(n->Y[z], out);
            continue;
        }
        if (x_before)
            n->F[i] = minus((dual){n->Y[i].v - x_before[i], n->Y[i].d}, n->jump[p->out[i]]);
        else
            n->F[i] = minus(n->Yp[i], out);
        if (z >= 0)
            n->F[z] = storage_law(n, i, n->Y[z], at);
    }
}

static void quantity_row(numeric *n, const quantity *q, const moment *at)
{
    if (q->at >= 0)
        n->F[q->at] = minus(n->Y[q->at], jn_tangent(at, q->e));
}

static dual apart(const numeric *n, const moment *at, int branch)
{
    const jn_expr *c = jn_branch_condition(jn_generator_branches(n->s->gen), branch);
    return minus(jn_tangent(at, c->arg[0]), jn_tangent(at, c->arg[1]));
}

/* A share is what has been settled, or such that the condition's sides stay as they are. */
static void share_rows(numeric *n, const moment *at)
{
    const branches *b = jn_generator_branches(n->s->gen);
    for (int k = 0; k < jn_branches_count(b); k++) {
        int row = n->share[k];
        if (row < 0)
            continue;
        dual share = n->Y[row], gap = {0, 0};
        bool is_held = n->slide[k] == SLIDES_BY_RATE && n->is_solving;
        if (n->every_way || (n->slide[k] && !is_held))
            gap = apart(n, at, k);
        if (n->every_way)
            n->F[row] = (dual){0, share.d + gap.d};
        else if (n->slide[k] && !is_held)
            n->F[row] = (dual){gap.v - n->surface[k], gap.d};
        else
            n->F[row] = (dual){share.v - (is_held ? n->held[k] : jn_branch_truth(b, k)), share.d};
    }
}

/* Every column from Y and Yp. */
static moment carry(numeric *n, mode_table *m, dual t)
{
    moment at = {.s = n->s,
                 .x = n->Y,
                 .integral = n->Y + n->first_s,
                 .t = t,
                 .prior = n->prior,
                 .branching = n->branching,
                 .every_way = n->every_way};
    set_modulated(n, m, &at);
    set_inputs(n, m, &at);
    jn_program_run(m->program, n->col);
    at.col = n->col;
    return at;
}

void jn_residual(numeric *n, mode_table *m, dual t, const double *x_before)
{
    const jn_sim *s = n->s;
    moment at = carry(n, m, t);
    if (x_before)
        run_jump(n, m->program, x_before);
    storage_rows(n, m->program, &at, x_before);
    for (int r = 0; r < s->nr; r++)
        n->F[n->first_r + r] = resistor_law(n, r, &at);
    for (int i = 0; i < n->nmodulated; i++)
        quantity_row(n, &n->modulated[i].q, &at);
    for (int k = 0; k < s->m; k++)
        quantity_row(n, &n->source[k], &at);
    share_rows(n, &at);
    for (int k = 0; k < s->ni; k++) {
        int row = n->first_s + k;
        n->F[row] =
            x_before ? (dual){0, n->Y[row].d} : minus(n->Yp[row], jn_tangent(&at, s->integral[k]));
    }
}

dual jn_branch_apart(numeric *n, mode_table *m, dual t, int branch)
{
    moment at = carry(n, m, t);
    return apart(n, &at, branch);
}

void jn_residual_at(numeric *n, const double *y, const double *yp)
{
    for (int i = 0; i < n->n; i++) {
        n->Y[i] = (dual){y[i], 0};
        n->Yp[i] = (dual){yp[i], 0};
    }
}

static bool is_finite_at(numeric *n, mode_table *m, double t)
{
    jn_residual(n, m, (dual){t, 0}, NULL);
    for (int i = 0; i < n->n; i++)
        if (!isfinite(n->F[i].v))
            return false;
    return true;
}

/* What is as good as zero may be on either side of it. */
bool jn_numeric_has_values(numeric *n, mode_table *m, double t, const double *y, const double *yp)
{
    n->branching = BRANCH_FREE;
    jn_residual_at(n, y, yp);
    bool ok = is_finite_at(n, m, t);
    for (int i = 0; i < n->n && !ok; i++)
        if (fabs(y[i]) <= 1e-9 * n->peak[i])
            n->Y[i].v = fabs(y[i]);
    ok = ok || is_finite_at(n, m, t);
    n->branching = BRANCH_HELD;
    return ok;
}

void jn_numeric_observe(double *z, numeric *n, mode_table *m, double t, const double *y,
                        const double *yp)
{
    const jn_sim *s = n->s;
    int columns = 2 * s->g->nbonds;
    jn_residual_at(n, y, yp);
    carry(n, m, (dual){t, 0});
    for (int c = 0; c < columns; c++)
        z[c] = m->program->open[c] ? 0 : n->col[c].v * (c % 2 ? s->j->flow_sign[c / 2] : 1);
    memcpy(z + columns, y, (size_t)s->N * sizeof *z);
    memcpy(z + columns + s->N, y + n->first_s, (size_t)s->ni * sizeof *z);
}
