/* run_kinks.c: what is decided where the run is on a kink.
 *
 * Dry friction at rest is on the kink of its law: what it bears is any force up to its limit, and is
 * known only when the run goes on, one way or along the kink. Until then its branch is read as it stood,
 * on one side or the other. A condition that reads a force there may hold on one side and not on the
 * other: it fires only if it holds on all sides of all kinks together, and in between. Else it waits; the
 * instant that follows at once, when a stretch leads away or a slide along it, knows (decide in run.c). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "instant.h"

enum { KINKS_AT_ONCE = 5 }; /* more are not tried together */
enum { BETWEEN_SIDES = 4 }; /* points at which what is not linear is looked at */

/* Whether the view is within rounding of the surface of a branch, on no side of it. */
static bool is_on_kink(const view *v, const jn_expr *condition)
{
    const comparison *c = jni_watched(v->s, condition);
    int part;
    if (!c || c->reads_past || c->other >= 0)
        return false;
    triple x = jni_surface_value(v, &v->s->watch.surface[c->surface]);
    bool known = v->side && v->side[c->surface] && v->side[c->surface] != ON_SURFACE;
    return !jni_triple_sign(&x, &part) && !known &&
           v->s->watch.surface[c->surface].kind != SURFACE_TIME;
}

double jni_settled_share(const view *v, const jn_expr *condition, double share)
{
    int part;
    if (is_on_kink(v, condition))
        return share;
    verdict holds = jni_truth(v, condition, &part);
    return holds == UNKNOWN ? share : holds == YES;
}

/* ---- waiting ------------------------------------------------------------------------------- */

/* The kinks that the candidate is on: surfaces of expressions that jump there. */
typedef struct {
    int n, surface[KINKS_AT_ONCE];
} kinks;

/* Whether it is known by now on which side of a surface the run goes on. What an instant has come to
 * is not: the next may lead back, and then the run slides. */
static bool is_side_known(const instant *i, int number)
{
    int side = i->here.side[number];
    return i->s->course.is_decided && side && side != ON_SURFACE;
}

bool jni_instant_leaves(const instant *i, int branch)
{
    return !i->slide && jni_branch_place(i->s->branches, branch) == BRANCH_OF_INVERSE &&
           !jni_branch_matters_in(i->s, i->m, branch);
}

static kinks find_kinks(const instant *i)
{
    const branches *b = i->s->branches;
    kinks found = {0};
    for (int k = 0; k < jni_branches_count(b) && found.n < KINKS_AT_ONCE; k++) {
        const comparison *c = jni_watched(i->s, jni_branch_condition(b, k));
        int part, l = 0;
        if (!jni_branch_jumps(b, k) || jni_branch_is_seamless(b, k) || !c || c->reads_past ||
            c->other >= 0 || (i->slide && jni_slide_has(i->slide, c->surface)) ||
            jni_instant_leaves(i, k))
            continue;
        const surface *g = &i->s->watch.surface[c->surface];
        triple x = jni_surface_value(&i->here, g);
        bool passes = !g->reads_model; /* time goes on, whatever the run does */
        if (passes || jni_triple_sign(&x, &part) || is_side_known(i, c->surface))
            continue;
        while (l < found.n && found.surface[l] != c->surface)
            l++;
        if (l == found.n)
            found.surface[found.n++] = c->surface;
    }
    return found;
}

/* All that turns on a surface takes so much of the way above it, and the rest of the one below. */
static void mix_ways(jn_sim *s, int number, double above)
{
    for (int k = 0; k < jni_branches_count(s->branches); k++) {
        const jn_expr *e = jni_branch_condition(s->branches, k);
        const comparison *c = jni_watched(s, e);
        if (!c || c->surface != number || c->other >= 0)
            continue;
        bool holds_above = (e->op == JN_X_GT || e->op == JN_X_GE) == (c->sign > 0);
        jni_branch_set(s->branches, k, holds_above ? above : 1 - above);
    }
}

void jni_ways_turn(jn_sim *s, int number, int side)
{
    mix_ways(s, number, side > 0);
}

/* The laws of the kinks at some of their values: bit l of `sides` says on which side of surface l, and `part` how far
 * towards it: 1: all the way. */
typedef struct {
    int sides;
    double part;
} corner;

/* What a condition says there. *lies: on which side of its surface a comparison is. */
static verdict asked_at(instant *i, const jn_expr *when, verdict wanted, const kinks *q, corner at,
                        int *lies)
{
    jn_sim *s = i->s;
    view here = i->here;
    size_t n = (size_t)s->watch.nsurfaces;
    signed char *side = jn_alloc(n);
    const comparison *c = jni_watched(s, when);
    verdict found = UNKNOWN;
    int rank;
    if (s->course.is_decided) /* else what the run has just crossed it may come back to */
        memcpy(side, here.side, n);
    for (int l = 0; l < q->n; l++) {
        bool above = at.sides >> l & 1;
        side[q->surface[l]] = above ? 1 : -1;
        mix_ways(s, q->surface[l], above ? at.part : 1 - at.part);
    }
    if (jni_instant_enter(i, i->m)) {
        i->here.fresh = here.fresh;
        i->here.side = side;
        found = jni_truth_somewhere(&i->here, when, wanted, &rank);
        triple x = {{0}, {0}};
        if (c)
            x = jni_surface_value(&i->here, &s->watch.surface[c->surface]);
        *lies = jni_triple_sign(&x, &rank);
    }
    i->here = here;
    free(side);
    return found;
}

/* Whether it says so on all sides of all kinks, and a comparison is on one side of its surface there: |x| > 1 holds
 * where x is −2 or 2, and not in between. */
static bool says_on_sides(instant *i, const jn_expr *when, verdict wanted, const kinks *q,
                          double part)
{
    const comparison *c = jni_watched(i->s, when);
    int first = 0, lies = 0;
    for (int sides = 0; sides < 1 << q->n; sides++) {
        if (asked_at(i, when, wanted, q, (corner){sides, part}, &lies) != wanted)
            return false;
        if (sides && c && c->other >= 0 && lies != first)
            return false;
        first = lies;
    }
    return true;
}

/* Whether a condition says so whatever the laws on the kinks come to between their sides. What is linear in them is
 * decided by the sides, each comparison by itself: one of e > 1 and e < −1 may hold on each, and neither where the law
 * settles. What is not linear is looked at in between as well. */
static bool says_throughout(instant *i, const jn_expr *when, verdict wanted, const kinks *q)
{
    if (when->op == JN_X_NOT)
        return says_throughout(i, when->arg[0], wanted == YES ? NO : YES, q);
    if (when->op == JN_X_AND || when->op == JN_X_OR) {
        bool needs_both = (when->op == JN_X_AND) == (wanted == YES);
        bool first = says_throughout(i, when->arg[0], wanted, q);
        return first == needs_both ? says_throughout(i, when->arg[1], wanted, q) : first;
    }
    const comparison *c = jni_watched(i->s, when);
    bool is_linear = !c || i->s->watch.surface[c->surface].kind != SURFACE_SAMPLED;
    bool ok = says_on_sides(i, when, wanted, q, 1);
    for (int k = 1; k <= BETWEEN_SIDES && ok && !is_linear; k++)
        ok = says_on_sides(i, when, wanted, q, 1 - 0.5 * k / BETWEEN_SIDES);
    return ok;
}

/* A friction at rest is on the kink of its law: what it will bear is known only when the run goes
 * on, one way or along it. What holds on some of these ways only does not fire yet: an instant
 * follows at once, which knows. */
bool jni_instant_waits(instant *i, const jn_expr *when)
{
    branches *b = i->s->branches;
    kinks q = find_kinks(i);
    if (!q.n)
        return false;
    int nb = jni_branches_count(b);
    double *share = jni_doubles(nb);
    for (int k = 0; k < nb; k++)
        share[k] = jni_branch_share(b, k);
    bool depends = !says_on_sides(i, when, YES, &q, 1) || !says_throughout(i, when, YES, &q);
    for (int k = 0; k < nb; k++)
        jni_branch_set(b, k, share[k]);
    free(share);
    view here = i->here;
    jni_instant_enter(i, i->m);
    i->here = here;
    i->s->course.waits |= depends;
    return depends;
}
