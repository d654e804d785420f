/* condition.c: whether conditions hold at a point.
 *
 * A comparison is decided by the first part in which its sides differ; see value.c. */
#include "question.h"

static term part_differs(question *q, term part)
{
    return part ? jni_not(q->l, jni_equal(q->l, part, jni_zero(q->l))) : jni_false(q->l);
}

static truth compare_way(const view *v, const jn_expr *c, const way *apart)
{
    question *q = v->q;
    logic *l = q->l;
    signs s = jni_signs_of(q, apart);
    bool less = c->op == JN_X_LT || c->op == JN_X_LE, equal = c->op == JN_X_EQ;
    bool includes = c->op == JN_X_LE || c->op == JN_X_GE || equal;
    term towards = equal ? jni_false(l) : less ? s.negative : s.positive;
    term away = equal ? jni_or(l, s.negative, s.positive) : less ? s.positive : s.negative;
    term still = jni_expr_reads_model(q, c) ? jni_and(l, s.zero, jni_not(l, v->fresh)) : s.zero;
    truth r;
    r.yes = includes ? jni_or(l, towards, still) : towards;
    r.no = includes ? away : jni_or(l, away, still);
    r.conflict = jni_or(l, part_differs(q, apart->part[CONFLICT]),
                        part_differs(q, apart->part[CONFLICT_SLOW]));
    r.impulse = jni_or(l, r.conflict,
                       jni_or(l, part_differs(q, apart->part[IMPULSE]),
                              part_differs(q, apart->part[IMPULSE_SLOW])));
    return r;
}

static truth compare(const view *v, const jn_expr *c)
{
    question *q = v->q;
    logic *l = q->l;
    value a = jni_value_of(v, c->arg[0]), b = jni_value_of(v, c->arg[1]);
    truth r = {jni_false(l), jni_false(l), jni_false(l), jni_false(l)};
    for (int i = 0; i < a.n; i++)
        for (int k = 0; k < b.n; k++) {
            way apart = jni_minus_way(q, a.way[i], b.way[k]);
            term when = jni_and(l, a.way[i].when, b.way[k].when);
            truth one = compare_way(v, c, &apart);
            r.yes = jni_or(l, r.yes, jni_and(l, when, one.yes));
            r.no = jni_or(l, r.no, jni_and(l, when, one.no));
            r.conflict = jni_or(l, r.conflict, jni_and(l, when, one.conflict));
            r.impulse = jni_or(l, r.impulse, jni_and(l, when, one.impulse));
        }
    if (jn_expr_mentions(q->g, c, JN_X_IMPULSE))
        r.impulse = jni_true(l);
    return r;
}

static truth plainly(question *q, term yes)
{
    return (truth){yes, jni_not(q->l, yes), jni_false(q->l), jni_false(q->l)};
}

static truth both(const view *v, const jn_expr *c)
{
    logic *l = v->q->l;
    truth a = jni_truth_of(v, c->arg[0]), b = jni_truth_of(v, c->arg[1]), r;
    bool is_or = c->op == JN_X_OR;
    r.yes = is_or ? jni_or(l, a.yes, b.yes) : jni_and(l, a.yes, b.yes);
    r.no = is_or ? jni_and(l, a.no, b.no) : jni_or(l, a.no, b.no);
    r.conflict = jni_or(l, a.conflict, b.conflict);
    r.impulse = jni_or(l, a.impulse, b.impulse);
    if (is_or) { /* where one holds, it decides */
        term only_a = jni_and(l, a.yes, b.no), only_b = jni_and(l, a.no, b.yes);
        r.conflict =
            jni_choose(l, only_a, a.conflict, jni_choose(l, only_b, b.conflict, r.conflict));
        r.impulse = jni_choose(l, only_a, a.impulse, jni_choose(l, only_b, b.impulse, r.impulse));
    }
    return r;
}

static term lambda_at(const view *v, int k)
{
    if (v->when)
        return jni_choose(v->q->l, v->when, lambda_at(v->yes, k), lambda_at(v->no, k));
    return v->lambda[k];
}

static term state_at(const view *v, int k, int state)
{
    if (v->when)
        return jni_choose(v->q->l, v->when, state_at(v->yes, k, state), state_at(v->no, k, state));
    return v->state[k][state];
}

truth jni_truth_of(const view *v, const jn_expr *c)
{
    question *q = v->q;
    truth a;
    switch (c->op) {
    case JN_X_NOT:
        a = jni_truth_of(v, c->arg[0]);
        return (truth){a.no, a.yes, a.conflict, a.impulse};
    case JN_X_AND:
    case JN_X_OR:
        return both(v, c);
    case JN_X_ON:
        return plainly(q, lambda_at(v, q->g->element[c->index].number));
    case JN_X_IN:
        return plainly(q, state_at(v, c->index, c->state));
    default:
        return compare(v, c);
    }
}
