/* run_chatter.c: what is crossed to and fro ever faster, though the solution does not turn there at once.
 *
 * A relay that acts on the second derivative of what it compares, as a switch before a coil does on the voltage of the
 * capacitor behind it, lets g = left − right swing to and fro across 0 in arcs. Damping makes each arc shorter than the
 * last: by a fixed part, so that they accumulate, or by ever less, so that there is no limit in time but ever more of them
 * in a while. In either case ġ comes to 0 together with g, and the run goes on as the swings tend to: it slides along
 * g = 0 and ġ = 0 with the share at which g̈ = 0 (Filippov's solution again: run_slide_mix.c). The swings that are passed
 * over have to be small: the part of itself that one loses is about what ġ is beside the largest that it could be. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "instant.h"
#include "slide.h"

/* What automata did in the last instant, or the reverse of it: the same number for the same. */
static unsigned moved(const jn_sim *s, const struct trail *was, bool reversed)
{
    unsigned sum = 0;
    for (int k = 0; k < s->model.g->nswitches; k++) {
        unsigned from = (unsigned)was->state[k], to = (unsigned)s->now.state[k];
        if (from != to)
            sum += 2654435761u * (unsigned)(k + 1) + 40503u * (reversed ? to : from) +
                   69069u * (reversed ? from : to);
    }
    return sum;
}

static void note(passing *p, const jn_sim *s, const struct trail *was, int side)
{
    double t = s->clock.t;
    if (p->n && p->side != -side)
        p->n = 0;
    p->is_undone = p->n && p->moved == moved(s, was, true);
    p->moved = moved(s, was, false);
    memmove(p->t, p->t + 1, (PASSINGS - 1) * sizeof *p->t);
    p->t[PASSINGS - 1] = t;
    p->side = (signed char)side;
    p->n = p->n < PASSINGS ? p->n + 1 : PASSINGS;
}

/* To and fro: how long that took last. */
static double turn_of(const passing *p)
{
    return p->t[4] - p->t[2];
}

/* How large it is beside the turn before, where that becomes less since there are turns to compare; else 1. */
static double shrinks_by(passing *p)
{
    double ratio = p->n == PASSINGS ? turn_of(p) / (p->t[2] - p->t[0]) : 1;
    if (!(ratio < 1))
        p->longest = 0;
    else if (p->longest == 0) {
        p->longest = p->noted = turn_of(p);
        p->rate = INFINITY;
        p->is_steady = false;
    }
    return fmin(ratio, 1);
}

/* Whether swings die down at one rate in time: those that come to a cycle do not. */
static bool dies_down(passing *p, double ratio)
{
    double turn = turn_of(p), rate = (1 - ratio) / turn;
    if (turn <= p->noted / CHATTER_APART) {
        p->is_steady = rate >= p->rate / CHATTER_APART;
        p->noted = turn;
        p->rate = rate;
    }
    return p->is_steady && turn <= p->longest * CHATTER_SHRUNK;
}

/* Whether what is left of the swings counts no more. */
static bool is_over(const jn_sim *s, passing *p)
{
    double ratio = shrinks_by(p);
    if (ratio == 1)
        return false;
    bool is_exact = s->engine->is_exact, is_steady = dies_down(p, ratio);
    double left = turn_of(p) * ratio / (1 - ratio);
    bool ends = left <= (is_exact ? ZENO_INTERVAL : ZENO_SLIDING) * fabs(s->clock.t);
    bool is_small = 1 - ratio <= (is_exact ? CHATTER_LOSS : CHATTER_LOSS_OF_STEPS);
    return turn_of(p) <= p->longest * CHATTER_SHRUNK && (ends || (is_small && is_steady));
}

/* The only surface that was crossed; −1: there were others. */
static int only_one(const jn_sim *s, const struct trail *t)
{
    int found = -1;
    for (int i = 0; i < s->watch.nsurfaces; i++) {
        if (!t->crossed[i])
            continue;
        if (found >= 0 || t->crossed[i] == ON_SURFACE)
            return -1;
        found = i;
    }
    return found;
}

/* ġ by the ways on both sides: it is the same where they act on its derivative alone. */
static bool is_of_second_order(slide *d, int number, const double *x, const double *integral)
{
    slid *p = &d->on[number];
    double rate[2], swing = p->swing;
    bool ok = true;
    p->swing = 0;
    for (int side = 0; side < 2 && ok; side++) {
        p->share = side;
        ok = jni_mix_prepare(d) && jni_mix(d, d->s->clock.t, x, integral);
        rate[side] = d->mix.g[number];
    }
    p->swing = swing;
    return ok && fabs(rate[1] - rate[0]) <= SAME_SWING * fabs(rate[0] + rate[1]);
}

/* A slide on what the last instant moved, beside all that the run slides on already; false: that is no single surface
 * more, or none to swing across. */
static bool read_slide(slide *d, int before)
{
    if (!jni_slide_read(d, 0, 1) || d->n != before + 1)
        return false;
    const slid *p = &d->on[before];
    return p->swing > 0 && !p->nlevels;
}

static bool slides_on_all(slide *d, const double *x, const double *integral)
{
    bool ok = jni_slide_pattern(d, x, integral);
    for (int i = 0; i < d->n; i++)
        ok = ok && d->on[i].fixed < 0;
    return ok;
}

/* Whether the run can slide there; leaves nothing behind. */
static bool can_slide(jn_sim *s)
{
    int b = jni_branches_count(s->branches);
    double *share = jni_doubles(b), *x = jni_doubles(s->model.nx);
    bool *is_free = jn_alloc((size_t)b * sizeof *is_free);
    slide *d = s->slide ? jni_slide_copy(s, s->slide) : jni_slide_new(s);
    int before = d->n;
    for (int i = 0; i < b; i++) {
        share[i] = jni_branch_share(s->branches, i);
        is_free[i] = jni_branch_is_free(s->branches, i);
    }
    bool ok = read_slide(d, before) && is_of_second_order(d, before, s->now.x, s->now.integral) &&
              slides_on_all(d, s->now.x, s->now.integral) &&
              jni_mix_jump(d, x, s->now.x, s->now.integral) && jni_same_state(s, x, s->now.x);
    for (int i = 0; i < b; i++) {
        jni_branch_set(s->branches, i, share[i]);
        jni_branch_free(s->branches, i, is_free[i]);
    }
    jni_slide_drop(d);
    free(share);
    free(is_free);
    free(x);
    return ok;
}

jn_status jni_chatter_check(jn_sim *s, jn_stopped *stop)
{
    const course *c = &s->course;
    int number = c->ntrail == 1 ? only_one(s, &c->trail[0]) : -1;
    if (number < 0 || (s->slide && jni_slide_has(s->slide, number)))
        return JN_OK;
    surface *g = &s->watch.surface[number];
    passing *p = &g->passing;
    note(p, s, &c->trail[0], c->trail[0].crossed[number]);
    if (!is_over(s, p) || !p->is_undone ||
        (p->refused > 0 && turn_of(p) > p->refused / CHATTER_APART))
        return JN_OK;
    g->swing = turn_of(p);
    bool ok = can_slide(s);
    p->refused = ok ? 0 : turn_of(p);
    p->n = 0;
    jn_status st = ok ? jni_slide_begin(s, 0, stop) : JN_OK;
    g->swing = 0;
    return st;
}
