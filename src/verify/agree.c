/* agree.c: sources that are tied to each other, and whether they are in conflict.
 *
 * A mode is forbidden where the junction structure makes the value of one source a combination of
 * others. Whether that is a conflict depends on their values. Constants that satisfy the relation,
 * as equal drops of two diodes side by side or a source of 0 at a junction that is 0, are in none, and
 * a run goes on: what passes the sources is then open, and has the least norm. A source that
 * may change, with time or within its bound, agrees with others for a moment at most: that is a conflict.
 * A run judges by the same rule (sim/mode.c). */
#include "question.h"

#include <math.h>

#include "junct/sim.h"

/* The value of a source that keeps it for good; NaN: it may have another. */
static double constant_of(question *q, int element)
{
    const jn_element *x = &q->g->element[element];
    if (q->is_free[x->number])
        return NAN;
    jn_ratfun c = jni_expr_constant(q, x->input);
    return c.id < 0 ? NAN : jn_ratfun_get_d(q->g->field, c);
}

static bool agree(question *q, const jn_reason *r)
{
    double gap = constant_of(q, r->source), size = fabs(gap);
    for (int i = 0; i < r->nterms; i++) {
        jn_ratfun c = jni_known_number(q, r->term[i].coefficient);
        double part =
            c.id < 0 ? NAN : jn_ratfun_get_d(q->g->field, c) * constant_of(q, r->term[i].source);
        gap -= part;
        size += fabs(part);
    }
    return jn_sim_sources_agree(gap, size);
}

void jni_find_agreeing(question *q)
{
    jn_guards *guards = q->j->ring.guards;
    jn_guard agreed = jn_guard_false(), apart = jn_guard_false();
    for (int i = 0; i < q->j->nreasons; i++) {
        const jn_reason *r = &q->j->reason[i];
        jn_guard *to = agree(q, r) ? &agreed : &apart;
        *to = jn_guard_or(guards, *to, r->guard);
    }
    q->agreed = jn_guard_and(guards, agreed, jn_guard_not(guards, apart));
    q->allowed = jn_guard_or(guards, q->j->allowed, q->agreed);
    q->gives_way = jni_room(q, (size_t)q->g->nsources * sizeof *q->gives_way + 1);
    for (int k = 0; k < q->g->nsources; k++) {
        jn_guard off = jn_guard_not(guards, q->j->imposed[k]);
        q->gives_way[k] = jn_guard_and(guards, off, jn_guard_not(guards, q->agreed));
    }
}

/* Whether a source has one value as long as nobody gives it another. */
static bool is_constant(question *q, int element)
{
    return jni_expr_constant(q, q->g->element[element].input).id >= 0;
}

/* What the sources of a reason are apart by, from their inputs; NULL: one of them moves on anyway. */
static term gap_of(question *q, const jn_reason *r, term *input)
{
    term gap = input[q->g->element[r->source].number];
    if (!is_constant(q, r->source))
        return NULL;
    for (int i = 0; i < r->nterms; i++) {
        int other = r->term[i].source;
        jn_ratfun c = jni_known_number(q, r->term[i].coefficient);
        if (c.id < 0 || !is_constant(q, other))
            return NULL;
        gap = jni_minus(q, gap, jni_times(q, c, input[q->g->element[other].number]));
    }
    return gap;
}

term jni_apart(const view *v)
{
    question *q = v->q;
    logic *l = q->l;
    term some = jni_false(l), zero = jni_zero(l);
    for (int i = 0; i < q->j->nreasons; i++) {
        const jn_reason *r = &q->j->reason[i];
        term gap = gap_of(q, r, v->input), slow = v->slow ? gap_of(q, r, v->slow->input) : zero;
        term same = gap && slow ? jni_and(l, jni_equal(l, gap, zero), jni_equal(l, slow, zero))
                                : jni_false(l);
        term here = jni_guard_term(q, r->guard, v->lambda);
        some = jni_or(l, some, jni_and(l, here, jni_not(l, same)));
    }
    return some;
}
