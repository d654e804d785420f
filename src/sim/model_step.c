/* model_step.c: floor and mod, which go up and down in steps.
 *
 * Which step they are on is settled at events and held in between, as a discrete variable that
 * nobody wrote: a level n with n <= a < n + 1, where a is the argument of floor; mod(a, b) is
 * a − b·n with the level of a/b. So what is followed in between is smooth, a source that goes up
 * in steps is exact, and both ends of a step are watched as conditions are. */
#include <stdlib.h>

#include "model.h"

static jn_expr *node(model *m, jn_expr_op op, const jn_expr *left, const jn_expr *right)
{
    jn_expr *e = jn_arena_alloc(m->arena, sizeof *e);
    const jn_expr **arg = jn_arena_alloc(m->arena, 2 * sizeof *arg);
    arg[0] = left;
    arg[1] = right;
    *e = (jn_expr){.op = op, .place = left->place, .nargs = 2, .arg = arg};
    e->size = 1 + left->size + right->size;
    e->depth = 1 + (left->depth > right->depth ? left->depth : right->depth);
    return e;
}

static jn_expr *leaf(model *m, jn_expr_op op, int index, const jn_expr *near)
{
    jn_expr *e = jn_arena_alloc(m->arena, sizeof *e);
    *e = (jn_expr){.op = op, .place = near->place, .index = index, .size = 1, .depth = 1};
    return e;
}

/* However often it is written. −1: it is none. */
int jni_step_of(const model *m, const jn_expr *e)
{
    int known = jni_place_of(&m->steps.at, e);
    if (known >= 0)
        return known;
    for (int i = 0; i < m->steps.n; i++)
        if (jn_expr_same(m->steps.item[i].node, e))
            return i;
    return -1;
}

int jni_step_discrete(const model *m, int step)
{
    return m->g->ndiscretes + step;
}

static void add(model *m, const jn_expr *e)
{
    JN_GROW(m->steps.item, m->steps.n, m->steps.cap);
    struct step *to = &m->steps.item[m->steps.n++];
    const jn_expr *level = leaf(m, JN_X_DISCRETE, jni_step_discrete(m, m->steps.n - 1), e);
    jn_expr *one = leaf(m, JN_X_NUMBER, 0, e);
    one->number = jn_ratfun_int(m->g->field, 1);
    to->node = e;
    to->argument = e->op == JN_X_MOD ? node(m, JN_X_DIV, e->arg[0], e->arg[1]) : e->arg[0];
    to->reaches_next = node(m, JN_X_GE, node(m, JN_X_SUB, to->argument, one), level);
    to->reaches_own = node(m, JN_X_GE, to->argument, level);
}

static void collect(model *m, const jn_expr *e)
{
    if (!e)
        return;
    if (e->op == JN_X_SIGNAL)
        collect(m, m->g->signal[e->index].expr);
    for (int i = 0; i < e->nargs && e->op != JN_X_INT; i++)
        collect(m, e->arg[i]);
    bool steps = e->op == JN_X_FLOOR || e->op == JN_X_MOD;
    if (!steps || jni_is_constant(m, e))
        return;
    if (jni_step_of(m, e) < 0)
        add(m, e);
    jni_place_put(&m->steps.at, e, jni_step_of(m, e));
}

void jni_steps_find(model *m)
{
    const jn_graph *g = m->g;
    for (int i = 0; i < g->nelements; i++) {
        collect(m, g->element[i].input);
        collect(m, g->element[i].modulation);
        collect(m, g->element[i].law);
    }
    for (int i = 0; i < g->nswitches; i++)
        for (int k = 0; k < g->automaton[i].ntransitions; k++)
            collect(m, g->automaton[i].transition[k].when);
    for (int i = 0; i < g->nasserts; i++)
        collect(m, g->assertion[i].condition);
    for (int i = 0; i < m->ns; i++)
        collect(m, m->integral[i].of);
    m->nd = g->ndiscretes + m->steps.n;
}
