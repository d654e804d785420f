/* guards.c: Boolean functions of λ as formulas, node by node of their diagrams. */
#include "question.h"

#include <stdlib.h>

typedef struct {
    question *q;
    jn_guards *space;
    term *lambda;
    int n, cap;
    struct guard_term {
        int node;
        term is;
    } * made;
} translation;

static int first_switch(jn_guards *space, jn_guard g, bool *support)
{
    int i = 0;
    jn_guard_support(support, space, g);
    while (!support[i])
        i++;
    return i;
}

static term translate(translation *t, jn_guard g, bool *support)
{
    logic *l = t->q->l;
    if (jn_guard_is_true(g) || jn_guard_is_false(g))
        return jn_guard_is_true(g) ? jni_true(l) : jni_false(l);
    for (int i = 0; i < t->n; i++)
        if (t->made[i].node == g.node)
            return t->made[i].is;
    int s = first_switch(t->space, g, support);
    term on = translate(t, jn_guard_cofactor(t->space, g, s, true), support);
    term off = translate(t, jn_guard_cofactor(t->space, g, s, false), support);
    JN_GROW(t->made, t->n, t->cap);
    t->made[t->n++] = (struct guard_term){g.node, jni_choose(l, t->lambda[s], on, off)};
    return t->made[t->n - 1].is;
}

term jni_guard_term(question *q, jn_guard g, term *lambda)
{
    translation t = {.q = q, .space = q->j->ring.guards, .lambda = lambda};
    bool *support = jn_alloc((size_t)q->g->nswitches + 1);
    term is = translate(&t, g, support);
    free(t.made);
    free(support);
    return is;
}
