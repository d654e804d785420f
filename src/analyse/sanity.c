/* sanity.c: what a model's author would like to know was not meant: parts that nothing connects,
 * switches that never matter, positions of switches that exclude each other. */
#include <stdlib.h>

#include "analyse_internal.h"

static void find_alone(jn_across *c)
{
    const jn_junction *j = c->analysis->implicit->junction;
    const jn_graph *g = j->graph;
    bool *joined = jn_alloc((size_t)g->nelements * sizeof *joined);
    for (int i = 0; i < j->nrows; i++)
        for (int k = 0; k < j->S.row[i].n; k++) {
            joined[j->row[i].element] = true;
            joined[j->col[j->S.row[i].e[k].col].element] = true;
        }
    c->storage_alone = jn_alloc((size_t)g->nstorages * sizeof *c->storage_alone);
    c->source_alone = jn_alloc((size_t)g->nsources * sizeof *c->source_alone);
    for (int i = 0; i < g->nstorages; i++)
        c->storage_alone[i] = !joined[g->storage[i]];
    for (int i = 0; i < g->nsources; i++)
        c->source_alone[i] = !joined[g->source[i]];
    free(joined);
}

/* ---- switches that exclude each other ------------------------------------------------------ */

/* Whether two switches can never both be in a position in an allowed mode. */
static bool excludes(const jn_across *c, int s, int t, bool on)
{
    const jn_junction *j = c->analysis->implicit->junction;
    jn_guards *g = j->ring.guards;
    jn_guard both = jn_guard_cofactor(g, jn_guard_cofactor(g, j->allowed, s, on), t, on);
    return jn_guard_is_false(both);
}

static void find_always(jn_across *c)
{
    const jn_junction *j = c->analysis->implicit->junction;
    jn_guards *g = j->ring.guards;
    int n = jn_guards_size(g);
    c->always = jn_alloc((size_t)n * sizeof *c->always);
    for (int s = 0; s < n; s++) {
        bool on = !jn_guard_is_false(jn_guard_cofactor(g, j->allowed, s, true));
        bool off = !jn_guard_is_false(jn_guard_cofactor(g, j->allowed, s, false));
        c->always[s] = on == off ? -1 : on;
    }
}

/* excluded[s·n + t]: never both on (off). Only switches that the forbidden modes depend on. */
static bool *find_pairs(const jn_across *c, bool on)
{
    const jn_junction *j = c->analysis->implicit->junction;
    size_t n = (size_t)j->graph->nswitches;
    bool *pair = jn_alloc(n * n * sizeof *pair);
    bool *member = jn_alloc(n * sizeof *member);
    jn_guard_support(member, j->ring.guards, j->forbidden);
    for (size_t s = 0; s < n; s++)
        for (size_t t = s + 1; t < n; t++)
            if (member[s] && member[t] && c->always[s] < 0 && c->always[t] < 0)
                pair[s * n + t] = pair[t * n + s] = excludes(c, (int)s, (int)t, on);
    free(member);
    return pair;
}

/* Adds to the set every switch that excludes all its members, in order. */
static void grow_set(jn_exclusive *x, const bool *pair, int n)
{
    for (int t = 0; t < n; t++) {
        bool fits = true;
        for (int k = 0; k < x->n && fits; k++)
            fits = x->sw[k] != t && pair[x->sw[k] * n + t];
        if (fits)
            x->sw[x->n++] = t;
    }
}

/* Sets of which at most one is on (off) at a time, such that every excluded pair is in one. */
static void find_exclusive(jn_across *c, bool on)
{
    int n = c->analysis->graph->nswitches;
    bool *pair = find_pairs(c, on);
    bool *covered = jn_alloc((size_t)n * (size_t)n * sizeof *covered);
    for (int s = 0; s < n; s++)
        for (int t = s + 1; t < n; t++) {
            if (!pair[s * n + t] || covered[s * n + t])
                continue;
            jn_exclusive x = {.on = on, .n = 2, .sw = jn_alloc((size_t)n * sizeof *x.sw)};
            x.sw[0] = s;
            x.sw[1] = t;
            grow_set(&x, pair, n);
            for (int a = 0; a < x.n; a++)
                for (int b = 0; b < x.n; b++)
                    covered[x.sw[a] * n + x.sw[b]] = true;
            c->exclusive =
                jn_realloc(c->exclusive, (size_t)(c->nexclusive + 1) * sizeof *c->exclusive);
            c->exclusive[c->nexclusive++] = x;
        }
    free(pair);
    free(covered);
}

static bool in_set(const jn_across *c, int s, int t, bool on)
{
    for (int i = 0; i < c->nexclusive; i++) {
        bool has_s = false, has_t = false;
        for (int k = 0; k < c->exclusive[i].n && c->exclusive[i].on == on; k++) {
            has_s |= c->exclusive[i].sw[k] == s;
            has_t |= c->exclusive[i].sw[k] == t;
        }
        if (has_s && has_t)
            return true;
    }
    return false;
}

/* Never both on and never both off. */
static void find_complementary(jn_across *c)
{
    int n = c->analysis->graph->nswitches;
    for (int s = 0; s < n; s++)
        for (int t = s + 1; t < n; t++) {
            if (!in_set(c, s, t, true) || !in_set(c, s, t, false))
                continue;
            c->complementary = jn_realloc(c->complementary, (size_t)(c->ncomplementary + 1) *
                                                                sizeof *c->complementary);
            c->complementary[c->ncomplementary++] = (jn_complementary){s, t};
        }
}

void jni_across_sanity(jn_across *c)
{
    const jn_junction *j = c->analysis->implicit->junction;
    c->idle = jn_alloc((size_t)j->graph->nswitches * sizeof *c->idle);
    jn_junction_idle_switches(c->idle, j);
    find_alone(c);
    find_always(c);
    find_exclusive(c, true);
    find_exclusive(c, false);
    find_complementary(c);
}
