/* model_observe.c: what can be read of a model, and expressions that are linear in it.
 *
 * Observables by number: the effort of bond b is 2b, its flow 2b + 1 (as the columns of the
 * elimination); then the states of the storages, the integrals, the discrete variables. */
#include <stdlib.h>

#include "model.h"
#include "value.h"

static int obs_of_term(const jn_expr *e, int bond)
{
    return e->op == JN_X_COMMON_EFFORT ? jni_obs_effort(bond) : jni_obs_flow(bond);
}

static void mark_common(bool *is_read, const model *m, const jn_expr *e)
{
    int bond, sign;
    for (int i = 0; jn_expr_term(&bond, &sign, m->g, e, i); i++)
        is_read[obs_of_term(e, bond)] = true;
}

void jni_mark_read(bool *is_read, const model *m, const jn_expr *e)
{
    switch (e->op) {
    case JN_X_EFFORT:
        is_read[jni_obs_effort(e->index)] = true;
        break;
    case JN_X_FLOW:
        is_read[jni_obs_flow(e->index)] = true;
        break;
    case JN_X_COMMON_EFFORT:
    case JN_X_COMMON_FLOW:
        mark_common(is_read, m, e);
        break;
    case JN_X_MOMENTUM:
    case JN_X_DISPLACEMENT:
        is_read[jni_obs_state(m, m->g->element[e->index].number)] = true;
        break;
    case JN_X_INT:
        is_read[jni_obs_integral(m, e->index)] = true;
        return;
    case JN_X_SIGNAL:
        jni_mark_read(is_read, m, m->g->signal[e->index].expr);
        break;
    default:
        break;
    }
    for (int i = 0; i < e->nargs; i++)
        jni_mark_read(is_read, m, e->arg[i]);
}

/* ---- what expressions read ----------------------------------------------------------------- */

bool jni_mentions(const model *m, const jn_expr *e, jn_expr_op op)
{
    return jn_expr_mentions(m->g, e, op);
}

static jn_look reads(const jn_expr *e, void *with)
{
    (void)with;
    switch (e->op) {
    case JN_X_EFFORT:
    case JN_X_FLOW:
    case JN_X_COMMON_EFFORT:
    case JN_X_COMMON_FLOW:
    case JN_X_MOMENTUM:
    case JN_X_DISPLACEMENT:
    case JN_X_INT:
        return JN_LOOK_FOUND;
    default:
        return JN_LOOK_ON;
    }
}

bool jni_reads_model(const model *m, const jn_expr *e)
{
    return jn_expr_find(m->g, e, reads, NULL);
}

static jn_look reads_now(const jn_expr *e, void *with)
{
    return e->op == JN_X_PRIOR ? JN_LOOK_NOT_BELOW : reads(e, with);
}

bool jni_reads_only_past(const model *m, const jn_expr *e)
{
    return jni_mentions(m, e, JN_X_PRIOR) && !jn_expr_find(m->g, e, reads_now, NULL);
}

/* Whether nothing in it varies but what `allowed` names. */
static bool varies_only_by(const model *m, const jn_expr *e, jn_expr_op allowed)
{
    if (e->op == allowed)
        return true;
    switch (e->op) {
    case JN_X_SIGNAL:
        return varies_only_by(m, m->g->signal[e->index].expr, allowed);
    case JN_X_INT:
    case JN_X_TABLE:
    case JN_X_IMPULSE:
    case JN_X_ON:
    case JN_X_IN:
    case JN_X_DISCRETE:
        return false;
    default:
        break;
    }
    if (!e->nargs)
        return !jn_expr_varies(e);
    for (int i = 0; i < e->nargs; i++)
        if (!varies_only_by(m, e->arg[i], allowed))
            return false;
    return true;
}

bool jni_is_constant(const model *m, const jn_expr *e)
{
    return varies_only_by(m, e, JN_X_NUMBER);
}

bool jni_is_switched(const model *m, const jn_expr *e)
{
    return varies_only_by(m, e, JN_X_ON);
}

/* ---- linear forms -------------------------------------------------------------------------- */

void jni_form_clear(linear_form *f)
{
    free(f->term);
    *f = (linear_form){0};
}

static void add_term(linear_form *f, int obs, double c)
{
    int at = 0;
    if (c == 0)
        return;
    while (at < f->n && f->term[at].obs < obs)
        at++;
    if (at < f->n && f->term[at].obs == obs) {
        f->term[at].c += c;
        return;
    }
    JN_GROW(f->term, f->n, f->cap);
    for (int i = f->n++; i > at; i--)
        f->term[i] = f->term[i - 1];
    f->term[at] = (struct form_term){obs, c};
}

void jni_form_add(linear_form *f, double c, const linear_form *g)
{
    f->c0 += c * g->c0;
    f->ct += c * g->ct;
    for (int i = 0; i < g->n; i++)
        add_term(f, g->term[i].obs, c * g->term[i].c);
}

/* What adds up to nothing is not there. */
static void drop_zeros(linear_form *f)
{
    int n = 0;
    for (int i = 0; i < f->n; i++)
        if (f->term[i].c != 0)
            f->term[n++] = f->term[i];
    f->n = n;
}

static bool add_scaled(linear_form *f, model *m, const jn_expr *e, double c);

/* The common variable of a junction; of an OFF X1 the effort across it, of an X0 the flow. */
static void add_common(linear_form *f, const model *m, const jn_expr *e, double c)
{
    int bond, sign;
    for (int i = 0; jn_expr_term(&bond, &sign, m->g, e, i); i++)
        add_term(f, obs_of_term(e, bond), sign * c);
}

static bool add_product(linear_form *f, model *m, const jn_expr *e, double c)
{
    bool left = jni_is_constant(m, e->arg[0]), right = jni_is_constant(m, e->arg[1]);
    if (e->op == JN_X_DIV)
        return right && add_scaled(f, m, e->arg[0], c / jni_constant(m, e->arg[1]));
    if (right)
        return add_scaled(f, m, e->arg[0], c * jni_constant(m, e->arg[1]));
    return left && add_scaled(f, m, e->arg[1], c * jni_constant(m, e->arg[0]));
}

/* A single observable; −1: it is none. */
static int observable(const model *m, const jn_expr *e)
{
    switch (e->op) {
    case JN_X_EFFORT:
        return jni_obs_effort(e->index);
    case JN_X_FLOW:
        return jni_obs_flow(e->index);
    case JN_X_MOMENTUM:
    case JN_X_DISPLACEMENT:
        return jni_obs_state(m, m->g->element[e->index].number);
    case JN_X_INT:
        return jni_obs_integral(m, e->index);
    case JN_X_DISCRETE:
        return jni_obs_discrete(m, e->index);
    default:
        return -1;
    }
}

/* floor: its level. mod: a − b·level. */
static bool add_step(linear_form *f, model *m, const jn_expr *e, double c)
{
    int step = jni_step_of(m, e);
    if (step < 0 || (e->op == JN_X_MOD && !jni_is_constant(m, e->arg[1])))
        return false;
    double b = e->op == JN_X_MOD ? -jni_constant(m, e->arg[1]) : 1;
    add_term(f, jni_obs_discrete(m, jni_step_discrete(m, step)), c * b);
    return e->op == JN_X_FLOOR || add_scaled(f, m, e->arg[0], c);
}

/* f += c·e */
static bool add_scaled(linear_form *f, model *m, const jn_expr *e, double c)
{
    int obs = observable(m, e);
    if (obs >= 0) {
        add_term(f, obs, c);
        return true;
    }
    if (jni_is_constant(m, e)) {
        f->c0 += c * jni_constant(m, e);
        return true;
    }
    switch (e->op) {
    case JN_X_TIME:
        f->ct += c;
        return true;
    case JN_X_SIGNAL:
        return add_scaled(f, m, m->g->signal[e->index].expr, c);
    case JN_X_COMMON_EFFORT:
    case JN_X_COMMON_FLOW:
        add_common(f, m, e, c);
        return true;
    case JN_X_NEG:
        return add_scaled(f, m, e->arg[0], -c);
    case JN_X_ADD:
        return add_scaled(f, m, e->arg[0], c) && add_scaled(f, m, e->arg[1], c);
    case JN_X_SUB:
        return add_scaled(f, m, e->arg[0], c) && add_scaled(f, m, e->arg[1], -c);
    case JN_X_MUL:
    case JN_X_DIV:
        return add_product(f, m, e, c);
    case JN_X_PRIOR:
        return add_scaled(f, m, e->arg[0], c);
    case JN_X_FLOOR:
    case JN_X_MOD:
        return add_step(f, m, e, c);
    default:
        return false;
    }
}

bool jni_form_of(linear_form *f, model *m, const jn_expr *e)
{
    *f = (linear_form){0};
    bool linear = add_scaled(f, m, e, 1);
    if (linear)
        drop_zeros(f);
    else
        jni_form_clear(f);
    return linear;
}

/* ---- variables that are one ---------------------------------------------------------------- */

static int root_of(const int *common, int obs)
{
    while (common[obs] != obs)
        obs = common[obs];
    return obs;
}

static void join(int *common, int a, int b)
{
    a = root_of(common, a);
    b = root_of(common, b);
    common[a > b ? a : b] = a > b ? b : a;
}

/* Of junctions without a switch: what one with a switch does to its bonds depends on the source that
 * may detach itself from it. */
void jni_common_find(model *m)
{
    const jn_graph *g = m->g;
    m->common = jn_alloc(2 * (size_t)g->nbonds * sizeof *m->common);
    for (int i = 0; i < 2 * g->nbonds; i++)
        m->common[i] = i;
    for (int i = 0; i < g->nelements; i++) {
        const jn_element *x = &g->element[i];
        if (x->kind != JN_0 && x->kind != JN_1)
            continue;
        for (int k = 1; k < x->nbonds; k++)
            join(m->common, 2 * x->bond[0] + (x->kind == JN_1), 2 * x->bond[k] + (x->kind == JN_1));
    }
    for (int i = 0; i < 2 * g->nbonds; i++)
        m->common[i] = m->common[m->common[i]];
}

void jni_form_reduce(linear_form *to, const model *m, const linear_form *f)
{
    *to = (linear_form){.c0 = f->c0, .ct = f->ct};
    for (int i = 0; i < f->n; i++) {
        int obs = f->term[i].obs;
        add_term(to, obs < 2 * m->g->nbonds ? m->common[obs] : obs, f->term[i].c);
    }
    drop_zeros(to);
}
