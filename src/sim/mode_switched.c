/* mode_switched.c: values that switches change: R r = if(on(hot), 2, 1). In a mode they are
 * constant. */
#include <stdlib.h>
#include <string.h>

#include "run.h"

/* ---- exactly, for ratios ------------------------------------------------------------------- */

static bool holds(const model *m, const jn_expr *c, const jn_onoff *on, bool *out)
{
    bool a = false, b = false;
    switch (c->op) {
    case JN_X_ON:
        *out = on[m->g->element[c->index].number];
        return true;
    case JN_X_NOT:
        *out = holds(m, c->arg[0], on, &a) && !a;
        return holds(m, c->arg[0], on, &a);
    case JN_X_AND:
    case JN_X_OR:
        if (!holds(m, c->arg[0], on, &a) || !holds(m, c->arg[1], on, &b))
            return false;
        *out = c->op == JN_X_AND ? a && b : a || b;
        return true;
    default:
        return false;
    }
}

static bool leaf(jn_ratfun *r, model *m, const jn_expr *e)
{
    if (e->op == JN_X_PARAM) {
        *r = m->g->param[e->index].value;
        return r->id >= 0;
    }
    return jn_expr_ratfun(r, m->g->field, e) == JN_OK;
}

bool jni_switched_value(jn_ratfun *r, model *m, const jn_expr *e, const jn_onoff *on)
{
    jn_field *k = m->g->field;
    jn_ratfun a = JN_RATFUN_ZERO, b = JN_RATFUN_ZERO;
    bool is_true;
    switch (e->op) {
    case JN_X_IF:
        return holds(m, e->arg[0], on, &is_true) &&
               jni_switched_value(r, m, e->arg[is_true ? 1 : 2], on);
    case JN_X_SIGNAL:
        return jni_switched_value(r, m, m->g->signal[e->index].expr, on);
    case JN_X_NEG:
    case JN_X_ADD:
    case JN_X_SUB:
    case JN_X_MUL:
    case JN_X_DIV:
        break;
    default:
        return leaf(r, m, e);
    }
    if (!jni_switched_value(&a, m, e->arg[0], on) ||
        (e->nargs > 1 && !jni_switched_value(&b, m, e->arg[1], on)))
        return false;
    switch (e->op) {
    case JN_X_NEG:
        *r = jn_ratfun_neg(k, a);
        return true;
    case JN_X_ADD:
        *r = jn_ratfun_add(k, a, b);
        return true;
    case JN_X_SUB:
        *r = jn_ratfun_sub(k, a, b);
        return true;
    case JN_X_MUL:
        *r = jn_ratfun_mul(k, a, b);
        return true;
    default:
        return jn_ratfun_div(r, k, a, b) == JN_OK;
    }
}

bool jni_is_switched_element(const model *m, int element)
{
    const jn_element *x = &m->g->element[element];
    if (!x->modulated || !jni_is_switched(m, x->modulation))
        return false;
    if (x->kind != JN_TF && x->kind != JN_GY)
        return true;
    jn_ratfun r;
    jn_onoff *on = jn_alloc((size_t)m->g->nswitches);
    bool exact = jni_switched_value(&r, (model *)m, x->modulation, on);
    free(on);
    return exact;
}

/* ---- as numbers, for storages and resistors ------------------------------------------------ */

static void put(double *to, model *m, const mode *in, int element)
{
    if (jni_has_choice(m, element))
        *to = jni_number_in(m, element, in->onoff);
}

static bool has_switched(const model *m)
{
    for (int i = 0; i < m->nx + m->nr; i++)
        if (jni_is_switched_element(m, jni_port_element(m, i)))
            return true;
    for (int i = 0; i < m->g->nmultiports; i++) {
        const jn_multiport *f = &m->g->multiport[i];
        for (int k = 0; k < f->nports * f->nports; k++)
            if (f->entry[k].ncases)
                return true;
    }
    return false;
}

void jni_switched_values(mode *to, model *m)
{
    to->storage = m->storage;
    to->resistor = m->resistor;
    to->own_values = has_switched(m);
    if (!to->own_values)
        return;
    to->storage = jni_doubles(m->nx);
    to->resistor = jni_doubles(m->nr);
    memcpy(to->storage, m->storage, (size_t)m->nx * sizeof *to->storage);
    memcpy(to->resistor, m->resistor, (size_t)m->nr * sizeof *to->resistor);
    for (int i = 0; i < m->nx; i++)
        put(&to->storage[i], m, to, m->g->storage[i]);
    for (int i = 0; i < m->nr; i++)
        put(&to->resistor[i], m, to, m->g->resistor[i]);
}
