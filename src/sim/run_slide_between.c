/* run_slide_between.c: branches whose own way decides their condition.
 *
 * Where the sides of a condition depend at once on the way that is taken, with no storage in
 * between, neither way may agree with it. Then the share of both at which the sides are equal is
 * the solution: found here by halving, or by the integrator together with its other unknowns. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "instant.h"
#include "slide.h"

/* ---- branches whose own way decides their condition ---------------------------------------- */

static bool holds_above(const jn_expr *c)
{
    return c->op == JN_X_GT || c->op == JN_X_GE;
}

/* g of a branch's condition, above 0 where it holds, and how far it may be off. */
static double gap_of(double *noise, jn_sim *s, mode *m, const entry *from, double *z, double *x,
                     int branch)
{
    const jn_expr *c = jni_branch_condition(s->branches, branch);
    view v = *from->at;
    v.m = m;
    v.z = z;
    v.jump = (jump){.from = NULL};
    if (!m->engine->enter(z, x, s, m, from))
        return NAN;
    triple a = jni_evaluate_triple(&v, c->arg[0]), b = jni_evaluate_triple(&v, c->arg[1]);
    double gap = jni_evaluate(&v, c->arg[0]) - jni_evaluate(&v, c->arg[1]);
    *noise = a.noise[FINITE] + b.noise[FINITE];
    return holds_above(c) ? gap : -gap;
}

/* Those that have been found between their ways: an engine lets go of all of them where it finds no values. */
static void free_found(branches *b, const bool *found)
{
    for (int k = 0; k < jni_branches_count(b); k++)
        if (found[k] && !jni_branch_is_free(b, k)) {
            jni_branch_set_all(b, k, 0.5);
            jni_branch_free(b, k, true);
        }
}

static double gap_at(jn_sim *s, mode *m, const entry *from, double *z, double *x, int k,
                     double share, const bool *found, double *noise)
{
    free_found(s->branches, found);
    jni_branch_set_all(s->branches, k, share);
    return gap_of(noise, s, m, from, z, x, k);
}

/* Whether the run has just come to where a condition holds, 1, or does not, −1; 0: to neither. */
static int came_to(const view *v, const jn_expr *condition)
{
    const comparison *c = jni_watched(v->s, condition);
    int side = c && c->other < 0 && v->side ? v->side[c->surface] : 0;
    return !side || side == ON_SURFACE ? 0 : side * c->sign * (holds_above(condition) ? 1 : -1);
}

/* The share at which the sides of a condition meet, if neither way agrees with it. */
static bool balance(jn_sim *s, mode *m, const entry *from, double *z, double *x, int k, bool *found)
{
    bool *is_found = &found[k];
    double keep = jni_branch_share(s->branches, k), low = 0, high = 1, n0, n1, unused;
    double g0 = gap_at(s, m, from, z, x, k, 0, found, &n0);
    double g1 = gap_at(s, m, from, z, x, k, 1, found, &n1);
    int came = came_to(from->at, jni_branch_condition(s->branches, k));
    /* what is within rounding agrees only if the run does not come from there */
    bool agrees0 = came > 0 ? g0 < -n0 : g0 <= (came < 0 ? n0 : 0);
    bool agrees1 = came < 0 ? g1 > n1 : g1 >= (came > 0 ? -n1 : 0);
    *is_found = !agrees0 && !agrees1;
    if (!*is_found) {
        jni_branch_set_all(s->branches, k, agrees0 ? 0 : agrees1 ? 1 : keep);
        return true;
    }
    if (!s->engine->is_exact) { /* its equations find the share */
        free_found(s->branches, found);
        return true;
    }
    for (int i = 0; i < 200 && high - low > 1e-15; i++) {
        double mid = i % 3 == 2 ? 0.5 * (low + high) : low + (high - low) * g0 / (g0 - g1);
        if (!(mid > low && mid < high))
            mid = 0.5 * (low + high);
        double g = gap_at(s, m, from, z, x, k, mid, found, &unused);
        if (isnan(g))
            return false;
        if (g == 0)
            break;
        if (g > 0) {
            low = mid;
            g0 = g;
        } else {
            high = mid;
            g1 = g;
        }
    }
    return true;
}

/* Whether it says nothing in the mode, or the law that it is of is already known to be between two other pieces. */
static bool is_out_of_play(const jn_sim *s, const mode *m, int branch)
{
    const branches *b = s->branches;
    if (jni_branch_place(b, branch) < BRANCH_OF_PIECES)
        return false;
    bool out = !jni_branch_matters_in(s, m, branch);
    for (int k = 0; k < jni_branches_count(b); k++)
        out |= jni_branch_is_free(b, k) && jni_branch_place(b, k) == BRANCH_OF_INVERSE &&
               jni_branch_law(b, k) == jni_branch_law(b, branch);
    return out;
}

/* The knots of an inverse are in order: what is not above one of them is not above those that follow. So a knot is
 * looked at with those after it not reached, and not at all unless those before it are passed. */
static bool is_reached(branches *b, int branch)
{
    if (jni_branch_place(b, branch) != BRANCH_OF_INVERSE)
        return true;
    bool reached = true;
    for (int k = 0; k < jni_branches_count(b); k++) {
        bool is_of_law = jni_branch_law(b, k) == jni_branch_law(b, branch) &&
                         jni_branch_place(b, k) == BRANCH_OF_INVERSE;
        if (is_of_law && k < branch)
            reached = reached && jni_branch_share(b, k) == 1;
        else if (is_of_law && k > branch)
            jni_branch_set(b, k, 0);
    }
    if (!reached)
        jni_branch_set(b, branch, 0);
    return reached;
}

/* All those found are to be so together; *moved: not all of them are. */
static void settle_found(jn_sim *s, mode *m, const entry *from, double *z, double *x, bool *found,
                         bool *moved)
{
    branches *b = s->branches;
    if (s->engine->is_exact)
        return;
    free_found(b, found);
    bool known = m->engine->enter(z, x, s, m, from);
    for (int k = 0; k < jni_branches_count(b); k++) {
        *moved |= found[k] && !(known && jni_branch_is_free(b, k));
        found[k] = found[k] && (!known || jni_branch_is_free(b, k));
    }
}

/* Each of them once. *any: one is between its ways; *moved: a share is another one. */
static bool balance_all(jn_sim *s, mode *m, const entry *from, double *z, double *x, bool *found,
                        bool *any, bool *moved)
{
    const branches *b = s->branches;
    bool ok = true;
    *moved = false;
    for (int k = 0; k < jni_branches_count(b) && ok; k++) {
        double before = jni_branch_share(b, k);
        bool is_turned;
        if (found[k] || !jni_branch_is_simple(b, k) || jni_branch_is_free(b, k) ||
            jni_branch_leader(b, k, &is_turned) != k || is_out_of_play(s, m, k) ||
            !is_reached(s->branches, k))
            continue;
        ok = balance(s, m, from, z, x, k, found);
        *any |= found[k];
        *moved |= jni_branch_share(b, k) != before;
    }
    if (ok)
        settle_found(s, m, from, z, x, found, moved);
    return ok;
}

bool jni_slide_between(jn_sim *s, mode *m, const entry *from)
{
    double *z = jni_doubles(m->nz), *x = jni_doubles(s->model.nx);
    bool *found = jn_alloc((size_t)jni_branches_count(s->branches) * sizeof *found);
    bool ok = true, any = false, moved = true;
    for (int round = 0; round < 8 && ok && moved; round++)
        ok = balance_all(s, m, from, z, x, found, &any, &moved);
    free(found);
    free(z);
    free(x);
    ok =
        ok && (any || !moved); /* else there are ways that agree with their conditions, only just */
    if (!ok)
        jni_mode_fail(m, "an expression takes one way and the other in turn");
    return ok;
}

static jn_status give_up(slide *d, const char *why, jn_stopped *stop)
{
    jn_status st = jni_slide_stop(d, why, stop);
    jni_slide_drop(d);
    return st;
}

/* ---- while the run slides -------------------------------------------------------------------- */

bool jni_slide_note_free(slide *d)
{
    branches *b = d->s->branches;
    bool is_turned;
    d->nfree = 0;
    for (int k = 0; k < jni_branches_count(b); k++) {
        if (!jni_branch_is_free(b, k) || jni_branch_leader(b, k, &is_turned) != k ||
            jni_slide_turns(d, k))
            continue;
        d->is_full |= d->nfree == MOST_FREE;
        if (d->is_full)
            return false;
        d->free[d->nfree++] = (struct slide_free){k, jni_branch_share(b, k)};
    }
    return true;
}

void jni_slide_keep_free(slide *d)
{
    branches *b = d->s->branches;
    for (int i = 0; i < d->nfree; i++) {
        if (jni_branch_is_free(b, d->free[i].branch))
            continue;
        jni_branch_set_all(b, d->free[i].branch, 0.5);
        jni_branch_free(b, d->free[i].branch, true);
    }
}

/* A branch is between its ways no more. */
static void take_way(jn_sim *s, int branch, bool holds)
{
    const jn_expr *c = jni_branch_condition(s->branches, branch);
    const comparison *w = jni_watched(s, c);
    jni_branch_free(s->branches, branch, false);
    jni_branch_set_all(s->branches, branch, holds);
    if (w) {
        bool above = holds_above(c) == holds;
        s->watch.crossed[w->surface] = (signed char)((above ? 1 : -1) * w->sign);
        s->watch.ncrossed++;
    }
}

void jni_slide_release(slide *d, int number)
{
    take_way(d->s, d->free[number].branch, d->free[number].share > 0.5);
    d->free[number] = d->free[--d->nfree];
}

bool jni_slide_release_free(slide *d)
{
    bool any = false;
    for (int i = d->nfree - 1; i >= 0; i--) {
        double share = d->free[i].share;
        if (share >= -SHARE_SLACK && share <= 1 + SHARE_SLACK)
            continue;
        jni_slide_release(d, i);
        any = true;
    }
    return any;
}

/* Branches that an instant left between their ways. */
jn_status jni_slide_adopt(jn_sim *s, jn_stopped *stop)
{
    const branches *b = s->branches;
    slide *d = NULL;
    for (int k = 0; k < jni_branches_count(b); k++) {
        double share = jni_branch_share(b, k);
        if (share == 0 || share == 1 || jni_branch_is_free(b, k) ||
            (s->slide && jni_slide_turns(s->slide, k)))
            continue;
        if (!d)
            d = s->slide ? jni_slide_copy(s, s->slide) : jni_slide_new(s);
        const comparison *c = jni_watched(s, jni_branch_condition(b, k));
        slid *p = c ? jni_slide_on(d, c->surface) : NULL;
        if (!p)
            return give_up(d, "too many expressions are between two ways", stop);
        int holds = (holds_above(jni_branch_condition(b, k)) == (c->sign > 0));
        p->is_algebraic = true;
        p->share = holds ? share : 1 - share;
        jni_slide_turn(p, k, 0, 1, holds);
    }
    if (!d)
        return JN_OK;
    jni_slide_free(s);
    if (!jni_slide_go(d))
        return give_up(d, "no share of both ways keeps to the surface", stop);
    jni_slide_tell(d, s->now.onoff, "neither way can be taken");
    return JN_OK;
}

jn_status jni_leave_between(jn_sim *s, jn_stopped *stop)
{
    branches *b = s->branches;
    int worst = -1;
    for (int k = 0; k < jni_branches_count(b); k++) {
        double off = jni_branch_is_free(b, k) ? fabs(jni_branch_share(b, k) - 0.5) : -1;
        if (off >= 0 && (worst < 0 || off > fabs(jni_branch_share(b, worst) - 0.5)))
            worst = k;
    }
    if (worst >= 0)
        take_way(s, worst, jni_branch_share(b, worst) > 0.5);
    return jni_instant_settle(s, stop);
}
