/* forbidden.c: why modes are forbidden.
 *
 * Where a source did not get the variable it wants, the junction structure's output is the very
 * variable that the source imposes, and its row says what it would have to be: a combination of
 * other sources' values. The row's coefficients may differ from mode to mode; each combination of
 * them is one reason with the guard under which it holds. */
#include <stdlib.h>

#include "junction_internal.h"

typedef struct {
    builder *b;
    int source;
    const jn_row *row;
    int col; /* of the source's own variable */
    int nterms;
    struct jn_reason_term *term; /* so far, as deep as the recursion is */
} search;

static bool same_relation(const jn_reason *r, const search *s)
{
    if (r->source != s->source || r->nterms != s->nterms)
        return false;
    for (int i = 0; i < s->nterms; i++)
        if (r->term[i].source != s->term[i].source ||
            !jn_ratfun_equal(r->term[i].coefficient, s->term[i].coefficient))
            return false;
    return true;
}

static void note_reason(const search *s, jn_guard g)
{
    jn_junction *j = s->b->j;
    for (int i = 0; i < j->nreasons; i++)
        if (same_relation(&j->reason[i], s)) {
            j->reason[i].guard = jn_guard_or(s->b->ring.guards, j->reason[i].guard, g);
            return;
        }
    j->reason = jn_realloc(j->reason, (size_t)(j->nreasons + 1) * sizeof *j->reason);
    jn_reason *r = &j->reason[j->nreasons++];
    *r = (jn_reason){g, s->source, s->nterms, NULL};
    r->term = jn_alloc((size_t)s->nterms * sizeof *r->term);
    for (int i = 0; i < s->nterms; i++)
        r->term[i] = s->term[i];
}

/* Splits the guard by the values of the row's k-th coefficient and goes on with the next. */
static void split(search *s, int k, jn_guard g)
{
    jn_guards *guards = s->b->ring.guards;
    if (jn_guard_is_false(g))
        return;
    if (k == s->row->n) {
        note_reason(s, g);
        return;
    }
    const jn_entry *e = &s->row->e[k];
    if (e->col == s->col) {
        split(s, k + 1, g);
        return;
    }
    for (int i = 0; i < e->value.n; i++) {
        jn_guard here = jn_guard_and(guards, g, e->value.c[i].guard);
        if (jn_guard_is_false(here))
            continue;
        s->term[s->nterms++] =
            (struct jn_reason_term){s->b->port[s->b->port_at[e->col]].element,
                                    jn_ratfun_neg(s->b->ring.field, e->value.c[i].value)};
        split(s, k + 1, here);
        s->nterms--;
        g = jn_guard_minus(guards, g, here);
    }
    split(s, k + 1, g);
}

void jni_find_reasons(builder *b)
{
    for (int i = b->j->first_port_pivot; i < jn_elimination_pivots(b->elim); i++) {
        const jn_pivot *pv = jn_elimination_pivot(b->elim, i);
        const port *p = &b->port[b->port_at[pv->col]];
        const jn_element *x = &b->g->element[p->element];
        if (!jn_kind_is_source(x->kind))
            continue;
        if ((pv->col == p->effort) == jni_wants_effort(x->kind))
            continue;
        const jn_row *row = jn_elimination_row(b->elim, pv->row);
        search s = {b, p->element, row, pv->col, 0, NULL};
        s.term = jn_alloc((size_t)row->n * sizeof *s.term);
        split(&s, 0, pv->guard);
        free(s.term);
    }
}
