/* model_passive.c: whether all that takes up power in a model does so whatever it is given. */
#include <stdlib.h>

#include "value.h"

enum { DECADES = 12 };

/* Of an expression: whether it reads what is none of two observables. */
typedef struct {
    const model *m;
    int own, other;
} allowed;

static bool is_allowed(const allowed *a, int obs)
{
    return obs == a->own || obs == a->other;
}

static bool is_allowed_sum(const allowed *a, const jn_expr *e)
{
    int bond, sign;
    bool ok = true;
    for (int i = 0; jn_expr_term(&bond, &sign, a->m->g, e, i); i++)
        ok = ok &&
             is_allowed(a, e->op == JN_X_COMMON_EFFORT ? jni_obs_effort(bond) : jni_obs_flow(bond));
    return ok;
}

static jn_look reads_other(const jn_expr *e, void *with)
{
    const allowed *a = with;
    bool ok = true;
    switch (e->op) {
    case JN_X_EFFORT:
        ok = is_allowed(a, jni_obs_effort(e->index));
        break;
    case JN_X_FLOW:
        ok = is_allowed(a, jni_obs_flow(e->index));
        break;
    case JN_X_COMMON_EFFORT:
    case JN_X_COMMON_FLOW:
        ok = is_allowed_sum(a, e);
        break;
    case JN_X_MOMENTUM:
    case JN_X_DISPLACEMENT:
        ok = is_allowed(a, jni_obs_state(a->m, a->m->g->element[e->index].number));
        break;
    case JN_X_INT:
    case JN_X_TIME:
    case JN_X_ON:
    case JN_X_IN:
    case JN_X_PRIOR:
    case JN_X_TABLE:
    case JN_X_DISCRETE:
        ok = false;
        break;
    default:
        break;
    }
    return ok ? JN_LOOK_ON : JN_LOOK_FOUND;
}

bool jni_reads_only(const model *m, const jn_expr *law, int own, int other)
{
    allowed a = {m, own, other};
    return !jn_expr_find(m->g, law, reads_other, &a);
}

/* Where a law is asked: over 24 decades on either side, i = 0, 1, …; false: that was all. */
static bool sample(double *value, int i, int each)
{
    int k = i / 2 - DECADES * each;
    *value = (i % 2 ? 1 : -1) * pow(10, (double)k / each);
    return k <= DECADES * each;
}

/* Where it has no value it is not asked; col: room for bond variables. */
static bool is_passive_law(model *m, const jn_element *x, dual *col)
{
    int own = jni_law_reads(x);
    if (!jni_reads_only(m, x->law, own, own))
        return false;
    moment at = {.model = m, .col = col};
    bool ok = true;
    double value;
    for (int i = 0; ok && sample(&value, i, 4); i++) {
        col[own] = (dual){value, 0};
        ok = !(jni_tangent(&at, x->law).v * value < 0);
    }
    return ok;
}

/* ---- storages ------------------------------------------------------------------------------ */

static int rate_of(const jn_element *x)
{
    return x->kind == JN_C ? jni_obs_flow(x->bond[0]) : jni_obs_effort(x->bond[0]);
}

bool jni_is_damped(const model *m, int storage)
{
    const jn_element *x = &m->g->element[m->g->storage[storage]];
    if (!x->nonlinear || x->law_of == 'p' || x->law_of == 'q')
        return false;
    bool *is_read = jn_alloc((size_t)(jni_obs_count(m) + m->nd) * sizeof *is_read);
    jni_mark_read(is_read, m, x->law);
    bool reads = is_read[rate_of(x)];
    free(is_read);
    return reads;
}

/* Of what it gives beyond what it would at rest. */
static bool is_passive_damper(model *m, int storage, dual *col, dual *state)
{
    const jn_element *x = &m->g->element[m->g->storage[storage]];
    if (!jni_reads_only(m, x->law, rate_of(x), jni_obs_state(m, storage)))
        return false;
    moment at = {.model = m, .col = col, .x = state};
    bool ok = true;
    double x0, rate;
    for (int i = 0; ok && sample(&x0, i, 1); i++) {
        state[storage] = (dual){x0, 0};
        col[rate_of(x)] = (dual){0, 0};
        double rest = jni_tangent(&at, x->law).v;
        for (int k = 0; ok && sample(&rate, k, 1); k++) {
            col[rate_of(x)] = (dual){rate, 0};
            double more = jni_tangent(&at, x->law).v - rest;
            ok = !(more * rate < 0) || fabs(more) <= 1e-12 * fabs(rest);
        }
    }
    return ok;
}

bool jni_is_passive(model *m)
{
    dual *col = jn_alloc((2 * (size_t)m->g->nbonds + (size_t)m->nx) * sizeof *col);
    bool ok = true;
    for (int r = 0; r < m->nr && ok; r++) {
        const jn_element *x = &m->g->element[m->g->resistor[r]];
        ok = !x->modulated && (x->nonlinear ? is_passive_law(m, x, col) : !(m->resistor[r] < 0));
    }
    for (int i = 0; i < m->nx && ok; i++)
        ok = !jni_is_damped(m, i) || is_passive_damper(m, i, col, col + 2 * m->g->nbonds);
    free(col);
    return ok;
}
