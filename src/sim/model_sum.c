/* model_sum.c: sums of bond variables within expressions that are not linear.
 *
 * A circuit without a ground determines e(a) − e(b), but neither of them: in abs(e(a) − e(b)) the
 * difference is one value, not two. So is the effort across an open junction, a sum over its bonds. */
#include <stdlib.h>

#include "model.h"

static bool is_sum(const jn_expr *e)
{
    switch (e->op) {
    case JN_X_COMMON_EFFORT:
    case JN_X_COMMON_FLOW:
    case JN_X_SIGNAL:
    case JN_X_NEG:
    case JN_X_ADD:
    case JN_X_SUB:
    case JN_X_MUL:
    case JN_X_DIV:
        return true;
    default:
        return false;
    }
}

/* NULL: it is none, or reads prior values, which are not those of now. */
static linear_form *new_sum(model *m, const jn_expr *e)
{
    linear_form *f = jn_alloc(sizeof *f);
    if (!jni_mentions(m, e, JN_X_PRIOR) && jni_form_of(f, m, e) && f->n > 1)
        return f;
    jni_form_clear(f);
    free(f);
    return NULL;
}

const linear_form *jni_sum_of(model *m, const jn_expr *e)
{
    if (!is_sum(e))
        return NULL;
    int place = jni_place_of(&m->sums.at, e);
    if (place < 0) {
        JN_GROW(m->sums.item, m->sums.n, m->sums.cap);
        place = m->sums.n++;
        m->sums.item[place] = new_sum(m, e);
        jni_place_put(&m->sums.at, e, place);
    }
    return m->sums.item[place];
}

void jni_sums_clear(model *m)
{
    for (int i = 0; i < m->sums.n; i++) {
        if (m->sums.item[i])
            jni_form_clear(m->sums.item[i]);
        free(m->sums.item[i]);
    }
    free(m->sums.item);
    jni_places_clear(&m->sums.at);
}
