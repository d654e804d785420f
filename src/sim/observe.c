/* observe.c: what can be read of a model, and expressions that are linear in it.
 *
 * Observables by number: the effort of bond b is 2b, its flow 2b + 1 (as the columns of the
 * elimination); then the states of the storages, then the integrals. */
#include <stdlib.h>

#include "numeric.h"

int jn_obs_effort(const jn_sim *s, int bond)
{
    (void)s;
    return 2 * bond;
}

int jn_obs_flow(const jn_sim *s, int bond)
{
    (void)s;
    return 2 * bond + 1;
}

int jn_obs_state(const jn_sim *s, int storage)
{
    return 2 * s->g->nbonds + storage;
}

int jn_obs_integral(const jn_sim *s, int k)
{
    return 2 * s->g->nbonds + s->N + k;
}

int jn_obs_count(const jn_sim *s)
{
    return 2 * s->g->nbonds + s->N + s->ni;
}

double jn_observed(jn_sim *s, mode_table *m, int obs, const double *z)
{
    if (m->program)
        return obs < 2 * s->g->nbonds && m->program->open[obs] ? NAN : z[obs];
    const double *row = jn_mode_table_row(s, m, obs);
    double sum = 0;
    for (int i = 0; i < m->nz; i++)
        sum += row[i] * z[i];
    return sum;
}

static int obs_of_term(const jn_sim *s, const jn_expr *e, int bond)
{
    return e->op == JN_X_COMMON_EFFORT ? jn_obs_effort(s, bond) : jn_obs_flow(s, bond);
}

static void mark_common(bool *is_read, const jn_sim *s, const jn_expr *e)
{
    int bond, sign;
    for (int i = 0; jn_expr_term(&bond, &sign, s->g, e, i); i++)
        is_read[obs_of_term(s, e, bond)] = true;
}

void jn_mark_read(bool *is_read, const jn_sim *s, const jn_expr *e)
{
    switch (e->op) {
    case JN_X_EFFORT:
        is_read[jn_obs_effort(s, e->index)] = true;
        break;
    case JN_X_FLOW:
        is_read[jn_obs_flow(s, e->index)] = true;
        break;
    case JN_X_COMMON_EFFORT:
    case JN_X_COMMON_FLOW:
        mark_common(is_read, s, e);
        break;
    case JN_X_MOMENTUM:
    case JN_X_DISPLACEMENT:
        is_read[jn_obs_state(s, s->g->element[e->index].number)] = true;
        break;
    case JN_X_INT:
        is_read[jn_obs_integral(s, e->index)] = true;
        return;
    case JN_X_SIGNAL:
        jn_mark_read(is_read, s, s->g->signal[e->index].expr);
        break;
    default:
        break;
    }
    for (int i = 0; i < e->nargs; i++)
        jn_mark_read(is_read, s, e->arg[i]);
}

/* ---- linear forms ---------------------------------------------------------------------------- */

void jn_form_clear(linear_form *f)
{
    free(f->term);
    *f = (linear_form){0};
}

static void add_term(linear_form *f, int obs, double c)
{
    if (c == 0)
        return;
    for (int i = 0; i < f->n; i++)
        if (f->term[i].obs == obs) {
            f->term[i].c += c;
            return;
        }
    JN_GROW(f->term, f->n, f->cap);
    f->term[f->n++] = (struct form_term){obs, c};
}

static bool add_scaled(linear_form *f, const jn_sim *s, const jn_expr *e, double c);

/* The common variable of a junction; of an OFF X1 the effort across it, of an X0 the flow. */
static void add_common(linear_form *f, const jn_sim *s, const jn_expr *e, double c)
{
    int bond, sign;
    for (int i = 0; jn_expr_term(&bond, &sign, s->g, e, i); i++)
        add_term(f, obs_of_term(s, e, bond), sign * c);
}

bool jn_is_constant(const jn_sim *s, const jn_expr *e)
{
    if (!jn_expr_varies(e))
        return true;
    switch (e->op) {
    case JN_X_SIGNAL:
        return jn_is_constant(s, s->g->signal[e->index].expr);
    case JN_X_INT:
    case JN_X_TABLE:
    case JN_X_IMPULSE:
        return false;
    default:
        break;
    }
    for (int i = 0; i < e->nargs; i++)
        if (!jn_is_constant(s, e->arg[i]))
            return false;
    return e->nargs > 0;
}

static bool add_product(linear_form *f, const jn_sim *s, const jn_expr *e, double c)
{
    const view constants = {.s = (jn_sim *)s};
    bool left = jn_is_constant(s, e->arg[0]), right = jn_is_constant(s, e->arg[1]);
    if (e->op == JN_X_DIV)
        return right && add_scaled(f, s, e->arg[0], c / jn_evaluate(&constants, e->arg[1]));
    if (right)
        return add_scaled(f, s, e->arg[0], c * jn_evaluate(&constants, e->arg[1]));
    return left && add_scaled(f, s, e->arg[1], c * jn_evaluate(&constants, e->arg[0]));
}

/* f += c·e */
static bool add_scaled(linear_form *f, const jn_sim *s, const jn_expr *e, double c)
{
    if (jn_is_constant(s, e)) {
        f->c0 += c * jn_evaluate(&(view){.s = (jn_sim *)s}, e);
        return true;
    }
    switch (e->op) {
    case JN_X_TIME:
        f->ct += c;
        return true;
    case JN_X_SIGNAL:
        return add_scaled(f, s, s->g->signal[e->index].expr, c);
    case JN_X_EFFORT:
        add_term(f, jn_obs_effort(s, e->index), c);
        return true;
    case JN_X_FLOW:
        add_term(f, jn_obs_flow(s, e->index), c);
        return true;
    case JN_X_COMMON_EFFORT:
    case JN_X_COMMON_FLOW:
        add_common(f, s, e, c);
        return true;
    case JN_X_MOMENTUM:
    case JN_X_DISPLACEMENT:
        add_term(f, jn_obs_state(s, s->g->element[e->index].number), c);
        return true;
    case JN_X_INT:
        add_term(f, jn_obs_integral(s, e->index), c);
        return true;
    case JN_X_NEG:
        return add_scaled(f, s, e->arg[0], -c);
    case JN_X_ADD:
        return add_scaled(f, s, e->arg[0], c) && add_scaled(f, s, e->arg[1], c);
    case JN_X_SUB:
        return add_scaled(f, s, e->arg[0], c) && add_scaled(f, s, e->arg[1], -c);
    case JN_X_MUL:
    case JN_X_DIV:
        return add_product(f, s, e, c);
    case JN_X_PRIOR:
        return add_scaled(f, s, e->arg[0], c);
    default:
        return false;
    }
}

bool jn_form_of(linear_form *f, const jn_sim *s, const jn_expr *e)
{
    *f = (linear_form){0};
    bool linear = add_scaled(f, s, e, 1);
    if (!linear)
        jn_form_clear(f);
    return linear;
}
