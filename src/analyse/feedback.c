/* feedback.c: sources that read the model.
 *
 * Se u = 3*e(c) closes a loop through a source. E, A and B have u as an input like any other, so
 * that what is said of them (poles, stability, controllability) is said of the open loop. */
#include "junct/analyse.h"

/* Whether a variable of a bond or a state stands in it; signals are followed. What was before the
 * last event is a number until the next. */
static bool reads_model(const jn_graph *g, const jn_expr *e)
{
    switch (e->op) {
    case JN_X_EFFORT:
    case JN_X_FLOW:
    case JN_X_COMMON_EFFORT:
    case JN_X_COMMON_FLOW:
    case JN_X_MOMENTUM:
    case JN_X_DISPLACEMENT:
        return true;
    case JN_X_PRIOR:
        return false;
    case JN_X_SIGNAL:
        return reads_model(g, g->signal[e->index].expr);
    default:
        for (int i = 0; i < e->nargs; i++)
            if (reads_model(g, e->arg[i]))
                return true;
        return false;
    }
}

void jn_analyse_feedback(const jn_graph *g, jn_diags *d)
{
    for (int i = 0; i < g->nsources; i++) {
        const jn_element *x = &g->element[g->source[i]];
        if (x->input && reads_model(g, x->input))
            jn_diag_add(d, JN_D_FEEDBACK, x->place, x->name);
    }
}
