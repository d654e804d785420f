/* across.c: what all modes have in common, as functions of the switches.
 *
 * Nothing here looks at modes one by one. The equations of all modes are there as guarded
 * matrices; a question whose answer in a mode follows from the entries that are not zero there is
 * answered by the same reasoning on guards, with "and" for both, "or" for either, and fixpoints
 * for chains. At any mode the guards are what the reasoning gives in that mode. */
#include <stdlib.h>

#include "../algebra/guard_internal.h"
#include "analyse_internal.h"

static jn_guards *guards_of(const jn_across *c)
{
    return c->analysis->implicit->junction->ring.guards;
}

/* ---- order --------------------------------------------------------------------------------- */

enum { LEVEL_NODES = 200000 }; /* diagrams larger than this are given up */

typedef struct {
    jn_guard guard;
    int position; /* of the switch tested first */
} dynamic;

/* Diagrams of "k of the last guards hold" are parts of those with one guard more in front. */
static int compare_last_first(const void *a, const void *b)
{
    return ((const dynamic *)b)->position - ((const dynamic *)a)->position;
}

/* The guards of the storages that change their causality; returns how many, and in *always how
 * many are integral in all modes. */
static int list_dynamic(dynamic *d, int *always, const jn_across *c)
{
    const jn_junction *j = c->analysis->implicit->junction;
    jn_guards *g = guards_of(c);
    int n = 0;
    *always = 0;
    for (int i = 0; i < j->graph->nstorages; i++) {
        if (jn_guard_implies(g, c->good, j->integral[i]))
            ++*always;
        else if (!jn_guard_disjoint(g, c->good, j->integral[i]))
            d[n++] =
                (dynamic){j->integral[i], jni_guards_position(g, jni_guard_top(g, j->integral[i]))};
    }
    qsort(d, (size_t)n, sizeof *d, compare_last_first);
    return n;
}

/* level[k]: exactly k of the guards hold. False when a diagram grows too large. */
static bool count_levels(jn_guard *level, jn_guards *g, const dynamic *d, int n)
{
    level[0] = jn_guard_true();
    for (int k = 1; k <= n; k++)
        level[k] = jn_guard_false();
    for (int i = 0; i < n; i++) {
        for (int k = i + 1; k >= 0; k--)
            level[k] = jn_guard_ite(g, d[i].guard, k ? level[k - 1] : jn_guard_false(), level[k]);
        if (jn_guards_failed(g) || jn_guard_nodes(g, level[(i + 1) / 2]) > LEVEL_NODES)
            return false;
    }
    return true;
}

static void find_orders(jn_across *c)
{
    jn_guards *g = guards_of(c);
    int storages = c->analysis->graph->nstorages;
    dynamic *d = jn_alloc((size_t)storages * sizeof *d);
    int always, n = list_dynamic(d, &always, c);
    jn_guard *level = jn_alloc((size_t)(n + 1) * sizeof *level);
    c->orders_known = !c->analysis->implicit->binds && count_levels(level, g, d, n);
    c->modes = level;
    c->min_order = always;
    int first = n + 1, last = -1;
    for (int k = 0; k <= n && c->orders_known; k++) {
        level[k] = jn_guard_and(g, level[k], c->good);
        if (jn_guard_is_false(level[k]))
            continue;
        first = first <= n ? first : k;
        last = k;
    }
    for (int k = first; k <= last; k++)
        level[k - first] = level[k];
    c->norders = last >= first ? last - first + 1 : 0;
    c->min_order += c->norders ? first : 0;
    free(d);
}

static void find_dependent(jn_across *c)
{
    const jn_junction *j = c->analysis->implicit->junction;
    int n = j->graph->nstorages;
    c->dependent = jn_alloc((size_t)n * sizeof *c->dependent);
    for (int i = 0; i < n; i++)
        c->dependent[i] = jn_guard_minus(guards_of(c), c->good, j->integral[i]);
}

/* ---- the whole ----------------------------------------------------------------------------- */

jn_status jn_analyse_across(jn_across **out, const jn_analysis *a)
{
    jn_across *c = jn_alloc(sizeof *c);
    *out = NULL;
    c->analysis = a;
    c->good = jn_guard_minus(guards_of(c), a->implicit->junction->allowed, a->implicit->singular);
    fmpz_init(c->equations.count);
    fmpz_init(c->dynamics.count);
    find_orders(c);
    find_dependent(c);
    jni_across_paths(c);
    jni_across_observed(c);
    jni_across_stability(c);
    jni_across_classes(c);
    jni_across_sanity(c);
    if (jn_guards_failed(guards_of(c)) || jn_field_failed(a->field)) {
        jn_across_free(c);
        return JN_UNABLE;
    }
    *out = c;
    return JN_OK;
}

void jn_across_free(jn_across *c)
{
    if (!c)
        return;
    for (int i = 0; i < c->nexclusive; i++)
        free(c->exclusive[i].sw);
    free(c->modes);
    free(c->dependent);
    free(c->unreached);
    free(c->unobserved);
    free(c->equations.of);
    free(c->dynamics.of);
    free(c->idle);
    free(c->storage_alone);
    free(c->source_alone);
    free(c->always);
    free(c->exclusive);
    free(c->complementary);
    fmpz_clear(c->equations.count);
    fmpz_clear(c->dynamics.count);
    free(c);
}
