/* model_passive.c: whether all resistors of a model take up power, whatever they are given. */
#include <stdlib.h>

#include "value.h"

/* Whether a law reads nothing but the other variable of its own bond. */
static bool reads_own_only(const model *m, const jn_expr *law, int own)
{
    static const jn_expr_op other[] = {JN_X_TIME,  JN_X_ON,    JN_X_IN,
                                       JN_X_PRIOR, JN_X_TABLE, JN_X_DISCRETE};
    int count = jni_obs_count(m) + m->nd;
    bool *is_read = jn_alloc((size_t)count * sizeof *is_read), ok = true;
    jni_mark_read(is_read, m, law);
    for (int i = 0; i < count; i++)
        ok = ok && (!is_read[i] || i == own);
    for (size_t i = 0; i < sizeof other / sizeof *other; i++)
        ok = ok && !jni_mentions(m, law, other[i]);
    free(is_read);
    return ok;
}

/* By what a law gives over 24 decades on either side; where it has no value it is not asked. */
static bool is_passive_law(model *m, const jn_element *x)
{
    enum { DECADES = 12, EACH = 4 };
    int own = jni_law_reads(x);
    if (!reads_own_only(m, x->law, own))
        return false;
    dual *col = jn_alloc(2 * (size_t)m->g->nbonds * sizeof *col);
    moment at = {.model = m, .col = col};
    bool ok = true;
    for (int i = -DECADES * EACH; i <= DECADES * EACH && ok; i++)
        for (int side = -1; side <= 1; side += 2) {
            double value = side * pow(10, (double)i / EACH);
            col[own] = (dual){value, 0};
            ok = ok && !(jni_tangent(&at, x->law).v * value < 0);
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
    return true;
}
