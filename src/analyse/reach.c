/* reach.c: guarded reachability: where in λ does a chain of couplings lead from here to there?
 *
 * reached_i = seed_i ∨ ⋁_j (coupling_ij ∧ reached_j), the least solution, found by passing on
 * whatever grows. With seeds from B and couplings from E and A these are the causal paths from
 * the sources; with the resistors for seeds and S for couplings, the parts that dissipate. */
#include <stdlib.h>

#include "reach.h"

void jni_reach_init(jn_reach *r, jn_ring ring, int n)
{
    *r = (jn_reach){.ring = ring, .n = n};
    r->reached = jn_alloc((size_t)n * sizeof *r->reached);
    r->from = jn_alloc((size_t)n * sizeof *r->from);
    for (int i = 0; i < n; i++)
        r->reached[i] = jn_guard_false();
}

void jni_reach_clear(jn_reach *r)
{
    for (int i = 0; i < r->n; i++)
        free(r->from[i].to);
    free(r->from);
    free(r->reached);
}

void jni_reach_seed(jn_reach *r, int i, jn_guard g)
{
    r->reached[i] = jn_guard_or(r->ring.guards, r->reached[i], g);
}

void jni_reach_couple(jn_reach *r, int from, int to, jn_guard g)
{
    if (from == to)
        return;
    struct jn_couplings *c = &r->from[from];
    for (int k = 0; k < c->n; k++)
        if (c->to[k].node == to) {
            c->to[k].guard = jn_guard_or(r->ring.guards, c->to[k].guard, g);
            return;
        }
    JN_GROW(c->to, c->n, c->cap);
    c->to[c->n].node = to;
    c->to[c->n++].guard = g;
}

void jni_reach_solve(jn_reach *r)
{
    jn_guards *g = r->ring.guards;
    size_t room = (size_t)r->n + 1;
    int *queue = jn_alloc(room * sizeof *queue), head = 0, tail = 0;
    bool *waiting = jn_alloc(room * sizeof *waiting);
    for (int i = 0; i < r->n; i++)
        if (!jn_guard_is_false(r->reached[i])) {
            queue[tail++] = i;
            waiting[i] = true;
        }
    while (head != tail && !jn_guards_failed(g)) {
        int i = queue[head];
        head = (head + 1) % (int)room;
        waiting[i] = false;
        for (int k = 0; k < r->from[i].n; k++) {
            int to = r->from[i].to[k].node;
            jn_guard grown = jn_guard_or(g, r->reached[to],
                                         jn_guard_and(g, r->from[i].to[k].guard, r->reached[i]));
            if (jn_guard_equal(grown, r->reached[to]))
                continue;
            r->reached[to] = grown;
            if (!waiting[to]) {
                waiting[to] = true;
                queue[tail] = to;
                tail = (tail + 1) % (int)room;
            }
        }
    }
    free(queue);
    free(waiting);
}

/* ---- causal paths from the sources --------------------------------------------------------- */

static int number_of(const jn_implicit *f, int x)
{
    return f->junction->graph->element[f->x[x].element].number;
}

static void couple_matrix(jn_reach *r, const jn_implicit *f, const jn_matrix *m)
{
    for (int i = 0; i < m->nrows; i++)
        for (int k = 0; k < m->row[i].n; k++)
            jni_reach_couple(r, number_of(f, m->row[i].e[k].col), number_of(f, i),
                             jn_guarded_support(&m->row[i].e[k].value, r->ring));
}

void jni_across_paths(jn_across *c)
{
    const jn_implicit *f = c->analysis->implicit;
    const jn_junction *j = f->junction;
    jn_guards *g = j->ring.guards;
    int n = j->graph->nstorages;
    jn_reach r;
    jni_reach_init(&r, j->ring, n);
    for (int i = 0; i < f->n; i++)
        for (int k = 0; k < f->B.row[i].n; k++)
            jni_reach_seed(&r, number_of(f, i),
                           jn_guarded_support(&f->B.row[i].e[k].value, j->ring));
    couple_matrix(&r, f, &f->E);
    couple_matrix(&r, f, &f->A);
    jni_reach_solve(&r);
    c->unreached = jn_alloc((size_t)n * sizeof *c->unreached);
    c->some_unreached = jn_guard_false();
    for (int i = 0; i < n; i++) {
        jn_guard state = jn_guard_and(g, c->good, j->integral[i]);
        c->unreached[i] = jn_guard_minus(g, state, r.reached[i]);
        c->some_unreached = jn_guard_or(g, c->some_unreached, c->unreached[i]);
    }
    jni_reach_clear(&r);
}
