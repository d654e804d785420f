/* integrate_residual.c: how far a mode's equations are from holding.
 *
 * One row for each unknown of y = (x, Din, auxiliaries, integrals), in the same places:
 *
 *     storage in integral causality    ẋ − output            (a jump: Δx − output of the jump)
 *     in derivative causality          its law
 *     its co-state, if an unknown      its law, or co-state − output
 *     resistor                         its law
 *     value                            itself − its expression
 *     source that reads the model      what it imposes − its expression
 *     integral                         ṡ − integrand         (a jump: its row is 0)
 *
 * All on pairs of value and derivative: one call gives one column of a Jacobian. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "integrate.h"

/* ---- before the junction structure --------------------------------------------------------- */

static dual quantity_now(const integrate *n, const quantity *q, const moment *at)
{
    return q->at >= 0 ? n->w.Y[q->at] : jni_tangent(at, q->e);
}

static dual disturbed(dual u, const integrate *n, int source, const moment *at)
{
    return jni_minus(u, jni_scaled(jni_nudge_source(n->s, source, at->t), -1));
}

/* What is late has its disturbance in its own row. */
static dual source_now(const integrate *n, int i, const moment *at)
{
    const quantity *q = &n->k.source[i];
    double fixed;
    if (!n->w.every_way && jni_generator_fixed(&fixed, n->s->gen, i))
        return (dual){fixed, 0};
    dual u = quantity_now(n, q, at);
    if (q->at < 0 && n->w.drifts)
        u.d = fabs(u.d) + fabs(u.v);
    return q->at >= 0 ? u : disturbed(u, n, i, at);
}

static void set_modulated(integrate *n, mode *m, const moment *at)
{
    for (int i = 0; i < n->k.nmodulated; i++) {
        modulated *x = &n->k.modulated[i];
        x->now = quantity_now(n, &x->q, at);
        n->w.param[x->param] = x->now.v;
        n->w.change[x->param] = x->now.d;
    }
    jni_program_vary(jni_program(m), &n->s->model, n->w.param, n->w.change);
}

/* z = F·x of a port of a field. */
static dual field_output(const integrate *n, const srow *F)
{
    dual z = {0, 0};
    for (int k = 0; k < F->n; k++)
        z = jni_minus(z, jni_scaled(n->w.Y[F->col[k]], -F->a[k]));
    return z;
}

static bool is_field_port(const model *k, int element)
{
    return k->g->element[element].multiport != NULL;
}

static void set_inputs(integrate *n, const mode *m, const moment *at)
{
    const model *k = &n->s->model;
    const program *p = jni_program(m);
    for (int i = 0; i < k->nx; i++) {
        dual *to = &n->w.col[p->in[i]];
        if (!m->integral[i])
            *to = n->w.Yp[i];
        else if (n->k.co_state[i] >= 0)
            *to = n->w.Y[n->k.co_state[i]];
        else if (is_field_port(k, k->g->storage[i]))
            *to = field_output(n, &m->F[i]);
        else
            *to = jni_scaled(n->w.Y[i], 1 / m->storage[i]);
    }
    for (int r = 0; r < k->nr; r++)
        n->w.col[p->in[k->nx + r]] = n->w.Y[n->k.first_r + r];
    for (int i = 0; i < k->nu; i++) {
        dual u = source_now(n, i, at);
        n->w.u[i] = u.v;
        n->w.col[p->in[k->nx + k->nr + i]] = m->is_lost[i] ? (dual){0, 0} : u;
    }
}

/* What the dependent storages' jumps give at the others. */
static void run_jump(integrate *n, const mode *m, const double *x_before)
{
    const model *k = &n->s->model;
    const program *p = jni_program(m);
    for (int i = 0; i < jni_port_count(k); i++)
        n->w.jump[p->in[i]] = (dual){0, 0};
    for (int i = 0; i < k->nx; i++)
        if (!m->integral[i])
            n->w.jump[p->in[i]] = (dual){n->w.Y[i].v - x_before[i], n->w.Y[i].d};
    jni_program_run(p, n->w.jump);
}

/* ---- after it ------------------------------------------------------------------------------ */

static dual storage_law(const integrate *n, const mode *m, int i, dual co_state, const moment *at)
{
    const jn_graph *g = n->s->model.g;
    const jn_element *x = &g->element[g->storage[i]];
    if (x->nonlinear) {
        bool of_state = x->law_of == 'p' || x->law_of == 'q';
        return jni_minus(of_state ? n->w.Y[i] : co_state, jni_tangent(at, x->law));
    }
    if (x->multiport)
        return jni_minus(co_state, field_output(n, &m->F[i]));
    if (n->k.value_of[i] >= 0)
        return jni_minus(n->w.Y[i], jni_times(n->k.modulated[n->k.value_of[i]].now, co_state));
    return jni_minus(co_state, jni_scaled(n->w.Y[i], 1 / m->storage[i]));
}

static dual resistor_law(integrate *n, const mode *m, int r, const moment *at)
{
    const model *k = &n->s->model;
    int element = k->g->resistor[r], value = n->k.value_of[k->nx + r];
    const jn_element *x = &k->g->element[element];
    dual e = n->w.col[m->solved->port_effort[element]], f = n->w.col[m->solved->port_flow[element]];
    if (x->nonlinear) {
        dual given = x->law_of == 'e' ? e : f;
        if (n->flat[r].is_inverted && n->flat[r].has_row && !at->every_way)
            return jni_flat_row(n, m, r, at, given);
        dual own = x->law_of == 'e' ? f : e, gap = jni_minus(given, jni_tangent(at, x->law));
        if (n->flat[r].is_inverted) /* as each of its pieces may be held */
            gap.d += jni_flat_shares(n, r, at);
        return n->faint[r] > 0 ? jni_minus(gap, jni_scaled(own, n->faint[r])) : gap;
    }
    if (x->multiport) {
        const srow *row = &m->R[r];
        for (int c = 0; c < row->n; c++) {
            int other = k->g->resistor[row->col[c]];
            e = jni_minus(e, jni_scaled(n->w.col[m->solved->port_flow[other]], row->a[c]));
        }
        return e;
    }
    dual R = value >= 0 ? n->k.modulated[value].now : (dual){m->resistor[r], 0};
    return jni_minus(e, jni_times(R, f));
}

static void storage_rows(integrate *n, const mode *m, const moment *at, const double *x_before)
{
    const program *p = jni_program(m);
    dual *F = n->w.F;
    for (int i = 0; i < n->s->model.nx; i++) {
        dual out = n->w.col[p->out[i]];
        int z = n->k.co_state[i];
        if (!m->integral[i]) {
            F[i] = storage_law(n, m, i, out, at);
            if (z >= 0)
                F[z] = jni_minus(n->w.Y[z], out);
            continue;
        }
        if (x_before)
            F[i] = jni_minus((dual){n->w.Y[i].v - x_before[i], n->w.Y[i].d}, n->w.jump[p->out[i]]);
        else
            F[i] = jni_minus(n->w.Yp[i], out);
        if (z >= 0)
            F[z] = storage_law(n, m, i, n->w.Y[z], at);
    }
}

/* Where a source comes late its port may be given what it does not impose. */
static void source_row(integrate *n, const mode *m, int i, const moment *at)
{
    const model *k = &n->s->model;
    const quantity *q = &n->k.source[i];
    int element = k->g->source[i];
    double fixed;
    if (q->at < 0)
        return;
    if (!n->w.every_way && jni_generator_fixed(&fixed, n->s->gen, i)) {
        n->w.F[q->at] = (dual){n->w.Y[q->at].v - fixed, n->w.Y[q->at].d};
        return;
    }
    bool is_se = k->g->element[element].kind == JN_SE;
    bool imposes = m->is_lost[i] || m->solved->gives_effort[element] != is_se;
    dual value =
        imposes ? n->w.Y[q->at]
                : n->w.col[is_se ? m->solved->port_effort[element] : m->solved->port_flow[element]];
    n->w.u[i] = value.v;
    n->w.F[q->at] = jni_minus(value, disturbed(jni_tangent(at, q->e), n, i, at));
}

static dual led(dual share, bool is_turned)
{
    return is_turned ? (dual){1 - share.v, -share.d} : share;
}

/* The share of a branch is what has been settled; where it is free, such that the sides of its
 * condition are equal. */
static void share_rows(integrate *n, const moment *at)
{
    const branches *b = n->s->branches;
    for (int k = 0; k < jni_branches_count(b); k++) {
        int row = n->k.share[k];
        if (row < 0)
            continue;
        const jn_expr *c = jni_branch_condition(b, k);
        dual gap = {0, 0}, share = n->w.Y[row];
        if (n->w.every_way || jni_branch_is_free(b, k))
            gap = jni_minus(jni_tangent(at, c->arg[0]), jni_tangent(at, c->arg[1]));
        bool is_turned;
        int leader = jni_branch_leader(b, k, &is_turned);
        if (n->w.every_way)
            n->w.F[row] = (dual){0, share.d + gap.d + n->w.Y[n->k.share[leader]].d};
        else if (jni_branch_is_free(b, k) && leader != k)
            n->w.F[row] = jni_minus(share, led(n->w.Y[n->k.share[leader]], is_turned));
        else if (jni_branch_is_free(b, k))
            n->w.F[row] = gap;
        else
            n->w.F[row] = (dual){share.v - jni_branch_share(b, k), share.d};
    }
}

moment jni_carry(integrate *n, mode *m, dual t)
{
    const view *v = n->w.at;
    jn_sim *s = n->s;
    moment at = {.model = &s->model,
                 .branches = s->branches,
                 .onoff = m->onoff,
                 .state = v ? v->state : s->now.state,
                 .discrete = v ? v->discrete : s->now.discrete,
                 .flow_sign = m->solved->flow_sign,
                 .x = n->w.Y,
                 .integral = n->w.Y + n->k.first_s,
                 .t = t,
                 .shares = n->w.Y,
                 .share_at = n->k.share,
                 .is_held = m->is_held,
                 .prior = v ? v->prior : NULL,
                 .branching = n->w.branching,
                 .every_way = n->w.every_way,
                 .rounds = n->w.rounds};
    set_modulated(n, m, &at);
    set_inputs(n, m, &at);
    jni_program_run(jni_program(m), n->w.col);
    at.col = n->w.col;
    return at;
}

void jni_residual(integrate *n, mode *m, dual t, const double *x_before)
{
    const model *k = &n->s->model;
    dual *F = n->w.F;
    moment at = jni_carry(n, m, t);
    if (x_before)
        run_jump(n, m, x_before);
    storage_rows(n, m, &at, x_before);
    for (int r = 0; r < k->nr; r++)
        F[n->k.first_r + r] = resistor_law(n, m, r, &at);
    for (int i = 0; i < n->k.nmodulated; i++) {
        const quantity *q = &n->k.modulated[i].q;
        if (q->at >= 0)
            F[q->at] = jni_minus(n->w.Y[q->at], jni_tangent(&at, q->e));
    }
    for (int i = 0; i < k->nu; i++)
        source_row(n, m, i, &at);
    share_rows(n, &at);
    for (int i = 0; i < k->ns; i++) {
        int row = n->k.first_s + i;
        F[row] = x_before ? (dual){0, n->w.Y[row].d}
                          : jni_minus(n->w.Yp[row], jni_tangent(&at, k->integral[i].of));
    }
}

void jni_residual_at(integrate *n, const double *y, const double *yp)
{
    for (int i = 0; i < n->k.n; i++) {
        n->w.Y[i] = (dual){y[i], 0};
        n->w.Yp[i] = (dual){yp[i], 0};
    }
}

void jni_residual_disturb(integrate *n, const double *by, int mixture)
{
    uint32_t random = 1 + (uint32_t)mixture;
    for (int i = 0; i < n->k.n; i++) {
        random = random * 1664525u + 1013904223u;
        n->w.Y[i].d = !by ? 0 : random >> 31 ? by[i] : -by[i];
    }
}

static bool is_finite_at(integrate *n, mode *m, double t)
{
    jni_residual(n, m, (dual){t, 0}, NULL);
    for (int i = 0; i < n->k.n; i++)
        if (!isfinite(n->w.F[i].v))
            return false;
    return true;
}

/* What is as good as zero may be on either side of it. */
bool jni_has_values(integrate *n, mode *m, double t, const double *y, const double *yp)
{
    n->w.branching = BRANCH_FREE;
    jni_residual_at(n, y, yp);
    bool ok = is_finite_at(n, m, t);
    if (!ok)
        jni_follower_tolerance(n->follower, y, n->trial);
    for (int i = 0; i < n->k.n && !ok; i++)
        if (fabs(y[i]) <= fmax(1e-9 * n->size.peak[i], n->trial[i]))
            n->w.Y[i].v = fabs(y[i]);
    ok = ok || is_finite_at(n, m, t);
    n->w.branching = BRANCH_HELD;
    return ok;
}

void jni_add_sources(double *size, integrate *n, const mode *m, bool drifts)
{
    const model *k = &n->s->model;
    const program *p = jni_program(m);
    size_t bytes = (size_t)m->solved->ncols * sizeof(double);
    double *most = n->w.size;
    memset(n->w.sum, 0, bytes);
    memset(most, 0, bytes);
    for (int i = 0; i < k->nu; i++) {
        int in = p->in[k->nx + k->nr + i];
        double u = fabs(drifts ? n->w.col[in].d : n->w.col[in].v);
        most[in] = n->k.source[i].at < 0 && isfinite(u) ? u : 0;
    }
    jni_program_sums(p, n->w.sum, most);
    for (int r = 0; r < k->nr; r++) {
        int element = k->g->resistor[r];
        const jn_element *x = &k->g->element[element];
        if (!x->nonlinear && !x->multiport && n->k.value_of[k->nx + r] < 0)
            size[n->k.first_r + r] += most[m->solved->port_effort[element]] +
                                      fabs(m->resistor[r]) * most[m->solved->port_flow[element]];
    }
}

/* ---- what is seen -------------------------------------------------------------------------- */

void jni_integrate_observe(double *z, integrate *n, mode *m, double t, const double *y,
                           const double *yp, knowledge how)
{
    const model *k = &n->s->model;
    int bonds = 2 * k->g->nbonds;
    if (how != NOT_ASKED)
        jni_slopes_of(n, m, t); /* noise wants it, and it is found in the same workspace */
    jni_residual_at(n, y, yp);
    moment at = jni_carry(n, m, (dual){t, 1});
    for (int c = 0; c < bonds; c++)
        z[c] = n->w.col[c].v * (c % 2 ? m->solved->flow_sign[c / 2] : 1);
    memcpy(z + bonds, y, (size_t)k->nx * sizeof *z);
    memcpy(z + bonds + k->nx, y + n->k.first_s, (size_t)k->ns * sizeof *z);
    if (how != NOT_ASKED)
        jni_find_noise(z + jni_obs_count(k), n, m, &at, how);
}

int jni_unknown_element(const integrate *n, int unknown)
{
    const jn_graph *g = n->s->model.g;
    if (unknown < n->s->model.nx)
        return g->storage[unknown];
    if (unknown < n->k.first_a)
        return g->resistor[unknown - n->k.first_r];
    for (int i = 0; i < n->s->model.nx; i++)
        if (n->k.co_state[i] == unknown)
            return g->storage[i];
    for (int i = 0; i < n->k.nmodulated; i++)
        if (n->k.modulated[i].q.at == unknown)
            return n->k.modulated[i].element;
    for (int i = 0; i < n->s->model.nu; i++)
        if (n->k.source[i].at == unknown)
            return g->source[i];
    return -1;
}
