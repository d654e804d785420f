/* model_passive.c: whether all that takes up power in a model does so whatever it is given. */
#include <stdlib.h>

#include "value.h"

enum { DECADES = 12 };

bool jni_reads_only(const model *m, const jn_expr *law, int own, int other)
{
    static const jn_expr_op not_own[] = {JN_X_TIME,  JN_X_ON,    JN_X_IN,
                                         JN_X_PRIOR, JN_X_TABLE, JN_X_DISCRETE};
    int count = jni_obs_count(m) + m->nd;
    bool *is_read = jn_alloc((size_t)count * sizeof *is_read), ok = true;
    jni_mark_read(is_read, m, law);
    for (int i = 0; i < count; i++)
        ok = ok && (!is_read[i] || i == own || i == other);
    for (size_t i = 0; i < sizeof not_own / sizeof *not_own; i++)
        ok = ok && !jni_mentions(m, law, not_own[i]);
    free(is_read);
    return ok;
}

/* Where a law is asked: over 24 decades on either side, i = 0, 1, …; false: that was all. */
static bool sample(double *value, int i, int each)
{
    int k = i / 2 - DECADES * each;
    *value = (i % 2 ? 1 : -1) * pow(10, (double)k / each);
    return k <= DECADES * each;
}

/* Where it has no value it is not asked. */
static bool is_passive_law(model *m, const jn_element *x)
{
    int own = jni_law_reads(x);
    if (!jni_reads_only(m, x->law, own, own))
        return false;
    dual *col = jn_alloc(2 * (size_t)m->g->nbonds * sizeof *col);
    moment at = {.model = m, .col = col};
    bool ok = true;
    double value;
    for (int i = 0; ok && sample(&value, i, 4); i++) {
        col[own] = (dual){value, 0};
        ok = !(jni_tangent(&at, x->law).v * value < 0);
    }
    free(col);
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
static bool is_passive_damper(model *m, int storage)
{
    const jn_element *x = &m->g->element[m->g->storage[storage]];
    if (!jni_reads_only(m, x->law, rate_of(x), jni_obs_state(m, storage)))
        return false;
    dual *col = jn_alloc((2 * (size_t)m->g->nbonds + (size_t)m->nx) * sizeof *col);
    dual *state = col + 2 * m->g->nbonds;
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
    free(col);
    return ok;
}

bool jni_is_passive(model *m)
{
    for (int r = 0; r < m->nr; r++) {
        const jn_element *x = &m->g->element[m->g->resistor[r]];
        if (x->modulated || (x->nonlinear ? !is_passive_law(m, x) : m->resistor[r] < 0))
            return false;
    }
    for (int i = 0; i < m->nx; i++)
        if (jni_is_damped(m, i) && !is_passive_damper(m, i))
            return false;
    return true;
}
