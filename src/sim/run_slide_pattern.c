/* run_slide_pattern.c: which surfaces are slid on, and what they move.
 *
 * Automata and branches that the same surface moves go together; that they came to stand as they
 * stood before, at one point of the solution, has shown that there is a slide (run.c), and says how
 * they stand on either side. Which of the surfaces that meet there are slid on, and on which side
 * of the others the run is, is found by trying: all at once, then all combinations. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "instant.h"
#include "slide.h"

/* ---- which surfaces, and what they move ---------------------------------------------------- */

slid *jni_slide_on(slide *d, int number)
{
    for (int i = 0; i < d->n; i++)
        if (d->on[i].surface == number)
            return &d->on[i];
    if (d->n == SLIDE_MOST)
        return NULL;
    slid *p = &d->on[d->n++];
    p->surface = number;
    p->fixed = -1;
    p->share = 0.5;
    return p;
}

static void add_flip(slid *p, int automaton, int before, int after, int side)
{
    for (int i = 0; i < p->nflips; i++)
        if (p->flip[i].automaton == automaton) {
            p->flip[i].state[side] = after;
            return;
        }
    JN_GROW(p->flip, p->nflips, p->cap_flips);
    struct slide_flip *f = &p->flip[p->nflips++];
    f->automaton = automaton;
    f->state[side] = after;
    f->state[1 - side] = before;
}

void jni_slide_turn(slid *p, int branch, double before, double after, int side)
{
    for (int i = 0; i < p->nturns; i++)
        if (p->turn[i].branch == branch) {
            p->turn[i].share[side] = after;
            return;
        }
    JN_GROW(p->turn, p->nturns, p->cap_turns);
    struct slide_turn *t = &p->turn[p->nturns++];
    t->branch = branch;
    t->share[side] = after;
    t->share[1 - side] = before;
}

static bool is_in(const int_list *list, int number)
{
    for (int i = 0; i < list->n; i++)
        if (list->item[i] == number)
            return true;
    return false;
}

/* Whether a condition has a comparison on the surface. */
static bool lies_on(const jn_sim *s, const jn_expr *c, int number)
{
    const comparison *k = jni_watched(s, c);
    if (k)
        return k->surface == number || k->other == number;
    for (int i = 0; i < c->nargs; i++)
        if (lies_on(s, c->arg[i], number))
            return true;
    return false;
}

/* The surface among those crossed that moved an automaton out of a state; −1: none. */
static int mover(const jn_sim *s, const signed char *crossed, int automaton, int state)
{
    for (int g = 0; g < s->watch.nsurfaces; g++)
        if (crossed[g] && crossed[g] != ON_SURFACE &&
            is_in(&s->watch.of_state[automaton][state], g))
            return g;
    return -1;
}

/* Whether a condition reads how an automaton stands. */
static bool reads_automaton(const jn_graph *g, const jn_expr *c, int automaton)
{
    if (c->op == JN_X_ON)
        return g->element[c->index].number == automaton;
    if (c->op == JN_X_IN)
        return c->index == automaton;
    for (int i = 0; i < c->nargs; i++)
        if (reads_automaton(g, c->arg[i], automaton))
            return true;
    return false;
}

/* The surface that turned a branch in an instant: one that its condition lies on, or that moved an
 * automaton which it reads; −1: none. */
static int turner(const jn_sim *s, const struct trail *t, const int *state, int branch)
{
    const jn_expr *c = jni_branch_condition(s->branches, branch);
    for (int g = 0; g < s->watch.nsurfaces; g++)
        if (t->crossed[g] && t->crossed[g] != ON_SURFACE && lies_on(s, c, g))
            return g;
    for (int k = 0; k < s->model.g->nswitches; k++)
        if (t->state[k] != state[k] && reads_automaton(s->model.g, c, k))
            return mover(s, t->crossed, k, t->state[k]);
    return -1;
}

/* What one instant of the trail changed; the next entry, or the present, is how it ended. */
static bool read_change(slide *d, const struct trail *t, const int *state, const double *share)
{
    jn_sim *s = d->s;
    bool ok = true;
    for (int k = 0; k < s->model.g->nswitches; k++) {
        if (t->state[k] == state[k])
            continue;
        int g = mover(s, t->crossed, k, t->state[k]);
        slid *p = g >= 0 ? jni_slide_on(d, g) : NULL;
        ok = ok && p;
        if (p)
            add_flip(p, k, t->state[k], state[k], t->crossed[g] > 0);
    }
    for (int k = 0; k < jni_branches_count(s->branches); k++) {
        if (t->share[k] == share[k])
            continue;
        int g = turner(s, t, state, k);
        slid *p = g >= 0 ? jni_slide_on(d, g) : NULL;
        ok = ok && p;
        if (p)
            jni_slide_turn(p, k, t->share[k], share[k], t->crossed[g] > 0);
    }
    return ok;
}

bool jni_slide_read(slide *d, int since)
{
    jn_sim *s = d->s;
    course *c = &s->course;
    int b = jni_branches_count(s->branches);
    double *now = jni_doubles(b);
    bool ok = true;
    for (int k = 0; k < b; k++)
        now[k] = jni_branch_share(s->branches, k);
    for (int e = since; e < c->ntrail; e++) {
        bool last = e + 1 == c->ntrail;
        ok = read_change(d, &c->trail[e], last ? s->now.state : c->trail[e + 1].state,
                         last ? now : c->trail[e + 1].share) &&
             ok;
    }
    free(now);
    return ok && d->n;
}

/* ---- which of them are slid on ------------------------------------------------------------- */

/* Whether all that is fixed is on its side to stay, and all shares are shares. */
static bool is_consistent(slide *d)
{
    for (int i = 0; i < d->n; i++) {
        slid *p = &d->on[i];
        double scale = 1e-9 * fabs(d->mix.g[i]);
        if (p->fixed < 0 && !(p->share >= -SHARE_SLACK && p->share <= 1 + SHARE_SLACK))
            return false;
        if (p->fixed == 0 && d->mix.g[i] > scale)
            return false;
        if (p->fixed == 1 && d->mix.g[i] < -scale)
            return false;
    }
    return true;
}

static bool try_pattern(slide *d)
{
    jn_sim *s = d->s;
    for (int i = 0; i < d->n; i++)
        if (d->on[i].fixed < 0)
            d->on[i].share = 0.5;
    jni_mix_prepare(d);
    return jni_mix_solve(d, s->clock.t, s->now.x, s->now.integral) && is_consistent(d);
}

/* All at once; then those whose share is none on the side it points to; then all combinations. */
bool jni_slide_pattern(slide *d)
{
    long combinations = 1;
    for (int i = 0; i < d->n; i++)
        d->on[i].fixed = -1;
    for (int tries = 0; tries <= d->n; tries++) {
        bool changed = false;
        if (try_pattern(d))
            return true;
        for (int i = 0; i < d->n; i++)
            if (d->on[i].fixed < 0 &&
                (d->on[i].share < -SHARE_SLACK || d->on[i].share > 1 + SHARE_SLACK)) {
                d->on[i].fixed = d->on[i].share > 0.5;
                changed = true;
            }
        if (!changed)
            break;
    }
    for (int i = 0; i < d->n; i++)
        combinations *= 3;
    for (long c = 0; c < combinations; c++) {
        long rest = c;
        for (int i = 0; i < d->n; i++, rest /= 3)
            d->on[i].fixed = (int)(rest % 3) - 1;
        if (try_pattern(d))
            return true;
    }
    return false;
}
