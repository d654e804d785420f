/* model_brief.c: terms of time alone, which may last but a short while.
 *
 * A pulse between two nodes of a step is seen by none of them: see integrate_brief.c. What is a line in t lasts. */
#include "model.h"

static bool is_line(model *m, const jn_expr *e)
{
    linear_form f;
    bool ok = jni_form_of(&f, m, e);
    if (ok)
        jni_form_clear(&f);
    return ok;
}

enum { LOOK_BACK = 16 }; /* so many terms before it may be the same */

static void add_term(model *m, const jn_expr *e, const jn_expr *whole, int element)
{
    bool moves = jni_mentions(m, e, JN_X_TIME);
    for (int i = m->brief.n; moves && i-- > 0 && i >= m->brief.n - LOOK_BACK;)
        moves = m->brief.item[i].e != e;
    if (!moves || is_line(m, e))
        return;
    JN_GROW(m->brief.item, m->brief.n, m->brief.cap);
    m->brief.item[m->brief.n++] = (struct brief){e, whole, element};
}

/* The terms of an expression of time, each on its own, since a pulse may be little beside a sine; and all of it, since
 * two steps make a pulse. */
static void add_terms(model *m, const jn_expr *e, const jn_expr *whole, int element)
{
    if (e->op == JN_X_SIGNAL)
        add_terms(m, m->g->signal[e->index].expr, whole, element);
    else if (e->op == JN_X_ADD || e->op == JN_X_SUB || e->op == JN_X_NEG)
        for (int i = 0; i < e->nargs; i++)
            add_terms(m, e->arg[i], whole, element);
    else
        add_term(m, e, whole, element);
}

/* The largest parts of an expression that read time alone. What a condition reads is watched as such. */
static void collect(model *m, const jn_expr *e, int element)
{
    if (jn_expr_is_condition(e) || e->op == JN_X_INT)
        return;
    if (!jni_reads_model(m, e)) {
        add_term(m, e, e, element);
        add_terms(m, e, e, element);
        return;
    }
    if (e->op == JN_X_SIGNAL)
        collect(m, m->g->signal[e->index].expr, element);
    for (int i = 0; i < e->nargs; i++)
        collect(m, e->arg[i], element);
}

void jni_briefs_find(model *m)
{
    for (int i = 0; i < m->g->nelements; i++) {
        const jn_element *x = &m->g->element[i];
        const jn_expr *each[] = {x->input, x->modulation, x->law};
        for (size_t k = 0; k < sizeof each / sizeof *each; k++)
            if (each[k])
                collect(m, each[k], i);
    }
    for (int i = 0; i < m->ns; i++)
        collect(m, m->integral[i].of, -1);
}
