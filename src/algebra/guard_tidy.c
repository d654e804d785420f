/* guard_tidy.c: a guard as it is shown.
 *
 * Where care does not hold the value is free. So the guard is one of an interval [least, most],
 * and it can do without a switch v exactly when ∃v least implies ∀v most; then the interval
 * shrinks to those two. What a does not depend on goes first, all at once; then the switches
 * one after another, the last declared first. */
#include <stdlib.h>

#include "guard_internal.h"

typedef struct {
    jn_guard least, most;
} interval;

/* Narrows to functions that do not depend on the members, if there are such. */
static bool drop(jn_guards *g, interval *i, const bool *member)
{
    interval without = {jn_guard_exists(g, i->least, member), jn_guard_forall(g, i->most, member)};
    bool possible = jn_guard_implies(g, without.least, without.most);
    if (possible)
        *i = without;
    return possible;
}

static bool can_drop(jn_guards *g, interval i, int s)
{
    return jn_guard_implies(g, jn_guard_cofactor(g, i.least, s, true),
                            jn_guard_cofactor(g, i.most, s, false)) &&
           jn_guard_implies(g, jn_guard_cofactor(g, i.least, s, false),
                            jn_guard_cofactor(g, i.most, s, true));
}

static void drop_each(jn_guards *g, interval *i)
{
    int n = jn_guards_size(g);
    bool *in_least = jn_alloc((size_t)n + 1), *in_most = jn_alloc((size_t)n + 1);
    jn_guard_support(in_least, g, i->least);
    jn_guard_support(in_most, g, i->most);
    for (int s = n - 1; s >= 0; s--) {
        if ((!in_least[s] && !in_most[s]) || !can_drop(g, *i, s))
            continue;
        i->least = jn_guard_or(g, jn_guard_cofactor(g, i->least, s, false),
                               jn_guard_cofactor(g, i->least, s, true));
        i->most = jn_guard_and(g, jn_guard_cofactor(g, i->most, s, false),
                               jn_guard_cofactor(g, i->most, s, true));
    }
    free(in_least);
    free(in_most);
}

jn_guard jn_guard_tidy(jn_guards *g, jn_guard a, jn_guard care, jn_guard taken)
{
    if (jn_guard_is_true(care) || jn_guard_is_false(a))
        return a;
    int n = jn_guards_size(g), mark = jni_guards_enter(g);
    interval i;
    i.least = jn_guard_and(g, a, care);
    i.most = jn_guard_or(g, i.least, jn_guard_not(g, jn_guard_or(g, care, taken)));
    bool *outside = jn_alloc((size_t)n + 1);
    jn_guard_support(outside, g, a);
    for (int s = 0; s < n; s++)
        outside[s] = !outside[s];
    drop(g, &i, outside); /* always possible unless taken stands in the way */
    drop_each(g, &i);
    free(outside);
    return jni_guards_leave(g, mark, i.least);
}
