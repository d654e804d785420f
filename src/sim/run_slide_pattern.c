/* run_slide_pattern.c: which surfaces are slid on, and what they move.
 *
 * Automata and branches that the same surface moves go together; that they came to stand as they
 * stood before, at one point of the solution, has shown that there is a slide (run.c), and says how
 * they stand on either side. Which of the surfaces that meet there are slid on, and on which side
 * of the others the run is, is a problem of complementarity (run_slide_complement.c); what is found
 * is tried, and counts only if all rates and shares agree with it. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "instant.h"
#include "slide.h"

/* ---- which surfaces, and what they move ---------------------------------------------------- */

slid *jni_slide_on(slide *d, int number)
{
    for (int i = 0; i < d->n; i++)
        if (d->on[i].surface == number || d->on[i].twin == number)
            return &d->on[i];
    if (d->n == SLIDE_MOST) {
        d->is_full = true;
        return NULL;
    }
    slid *p = &d->on[d->n++];
    p->surface = number;
    p->swing = d->s->watch.surface[number].swing;
    p->fades = SWING_FADES * d->s->watch.surface[number].passing.rate;
    p->twin = p->side = -1;
    p->fixed = -1;
    p->share = 0.5;
    return p;
}

/* Each surface that moves automata doubles the modes. */
static bool has_room(slide *d, const slid *p)
{
    int n = 0;
    for (int i = 0; i < d->n; i++)
        n += d->on[i].nflips > 0;
    d->is_full |= !p->nflips && n == MOST_DOUBLING;
    return p->nflips || n < MOST_DOUBLING;
}

static void add_flip(slid *p, int automaton, int before, int after, int side, bool is_drawn)
{
    for (int i = 0; i < p->nflips; i++)
        if (p->flip[i].automaton == automaton) {
            p->flip[i].state[side] = after;
            return;
        }
    JN_GROW(p->flip, p->nflips, p->cap_flips);
    struct slide_flip *f = &p->flip[p->nflips++];
    f->automaton = automaton;
    f->is_drawn = is_drawn;
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

bool jni_slide_turns(const slide *d, int branch)
{
    for (int i = 0; i < d->n; i++)
        for (int k = 0; k < d->on[i].nturns; k++)
            if (d->on[i].turn[k].branch == branch)
                return true;
    return false;
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

static bool follows(const jn_graph *g, int automaton, int state, int other)
{
    const jn_automaton *a = &g->automaton[automaton];
    for (int k = 0; k < a->ntransitions; k++)
        if (a->transition[k].from == state && reads_automaton(g, a->transition[k].when, other))
            return true;
    return false;
}

/* One instant of the trail, and how all stood when it had ended. */
typedef struct {
    const struct trail *was;
    const int *state;
    const double *share, *discrete;
} change;

/* The surface that moved an automaton: one of its own, or that of an automaton which it follows; −1:
 * none. At most so many in a row. */
static int mover(const jn_sim *s, const change *c, int automaton, int most)
{
    const jn_graph *g = s->model.g;
    const signed char *crossed = c->was->crossed;
    int state = c->was->state[automaton], found = -1;
    for (int n = 0; n < s->watch.nsurfaces; n++)
        if (crossed[n] && crossed[n] != ON_SURFACE &&
            is_in(&s->watch.of_state[automaton][state], n))
            return n;
    for (int k = 0; k < g->nswitches && found < 0 && most > 0; k++)
        if (k != automaton && c->was->state[k] != c->state[k] && follows(g, automaton, state, k))
            found = mover(s, c, k, most - 1);
    return found;
}

/* Where a single surface was crossed, whatever moved was moved by that: a diode that takes over from a
 * transistor reads nothing of it, but what comes of it. −1: there were several. */
static int only_crossed(const jn_sim *s, const change *c)
{
    int found = -1;
    for (int n = 0; n < s->watch.nsurfaces; n++) {
        if (!c->was->crossed[n] || c->was->crossed[n] == ON_SURFACE)
            continue;
        if (found >= 0)
            return -1;
        found = n;
    }
    return found;
}

/* The surface that turned a branch in an instant: one that its condition lies on, or that moved an
 * automaton which it reads; −1: none. */
static int turner(const jn_sim *s, const change *c, int branch)
{
    const jn_expr *e = jni_branch_condition(s->branches, branch);
    for (int g = 0; g < s->watch.nsurfaces; g++)
        if (c->was->crossed[g] && c->was->crossed[g] != ON_SURFACE && lies_on(s, e, g))
            return g;
    for (int k = 0; k < s->model.g->nswitches; k++)
        if (c->was->state[k] != c->state[k] && reads_automaton(s->model.g, e, k))
            return mover(s, c, k, s->model.g->nswitches);
    return -1;
}

/* The edge of a step is the end of the one below and the beginning of the one above. */
static slid *edge_of(slide *d, int step)
{
    const struct step *e = &d->s->model.steps.item[step];
    slid *p = jni_slide_on(d, jni_watched(d->s, e->reaches_own)->surface);
    if (p)
        p->twin = jni_watched(d->s, e->reaches_next)->surface;
    return p;
}

static bool read_step(slide *d, const change *c, int step)
{
    int at = jni_step_discrete(&d->s->model, step);
    double before = c->was->discrete[at], after = c->discrete[at];
    slid *p = fabs(after - before) == 1 ? edge_of(d, step) : NULL;
    if (!p)
        return false;
    for (int k = 0; k < p->nlevels; k++)
        if (p->level[k].discrete == at)
            return true;
    JN_GROW(p->level, p->nlevels, p->cap_levels);
    p->level[p->nlevels++] = (struct slide_level){at, {fmin(before, after), fmax(before, after)}};
    return true;
}

/* What one instant of the trail changed. */
static bool read_change(slide *d, const change *c)
{
    jn_sim *s = d->s;
    const struct trail *t = c->was;
    bool ok = true;
    for (int k = 0; k < s->model.g->nswitches; k++) {
        if (t->state[k] == c->state[k])
            continue;
        int g = mover(s, c, k, s->model.g->nswitches);
        bool is_drawn = g < 0;
        g = is_drawn ? only_crossed(s, c) : g;
        slid *p = g >= 0 ? jni_slide_on(d, g) : NULL;
        ok = ok && p && has_room(d, p);
        if (ok)
            add_flip(p, k, t->state[k], c->state[k], t->crossed[g] > 0, is_drawn);
    }
    for (int k = 0; k < jni_branches_count(s->branches); k++) {
        if (t->share[k] == c->share[k] || jni_slide_turns(d, k) ||
            jni_branch_is_free(s->branches, k) || !jni_branch_matters(s, k))
            continue;
        int g = turner(s, c, k);
        slid *p = g >= 0 ? jni_slide_on(d, g) : NULL;
        ok = ok && p;
        if (p)
            jni_slide_turn(p, k, t->share[k], c->share[k], t->crossed[g] > 0);
    }
    for (int k = 0; k < s->model.steps.n; k++) {
        int at = jni_step_discrete(&s->model, k);
        ok = (t->discrete[at] == c->discrete[at] || read_step(d, c, k)) && ok;
    }
    return ok;
}

bool jni_slide_read(slide *d, int since, int end)
{
    jn_sim *s = d->s;
    course *c = &s->course;
    int b = jni_branches_count(s->branches);
    double *now = jni_doubles(b);
    bool ok = true;
    for (int k = 0; k < b; k++)
        now[k] = jni_branch_share(s->branches, k);
    for (int e = since; e < end; e++) {
        const struct trail *next = e + 1 < end ? &c->trail[e + 1] : NULL;
        change one = {&c->trail[e], next ? next->state : s->now.state, next ? next->share : now,
                      next ? next->discrete : s->now.discrete};
        ok = read_change(d, &one) && ok;
    }
    free(now);
    return ok && d->n && jni_slide_note_free(d);
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

static bool try_pattern(slide *d, const double *x, const double *integral)
{
    for (int i = 0; i < d->n; i++) {
        d->on[i].is_tried = true;
        if (d->on[i].fixed < 0)
            d->on[i].share = 0.5;
    }
    return jni_mix_prepare(d) && jni_mix_solve(d, d->s->clock.t, x, integral) && is_consistent(d);
}

/* By the rates as they depend on all shares at once: at a solution every surface is slid on, or left to the side to
 * which its rate leads. Where shares multiply, their slopes change: so it is done again from what was found. */
static bool by_complement(slide *d, const double *x, const double *integral)
{
    enum { ROUNDS = 4 };
    straight *q = jn_alloc(sizeof *q);
    double share[SLIDE_MOST], left[SLIDE_MOST], rhs[SLIDE_MOST];
    bool found = false, ok = true;
    for (int i = 0; i < d->n; i++)
        share[i] = 0.5;
    for (int round = 0; round < ROUNDS && ok && !found; round++) {
        for (int i = 0; i < d->n; i++) {
            d->on[i].fixed = -1;
            d->on[i].share = share[i];
        }
        ok = jni_mix_prepare(d) && jni_mix(d, d->s->clock.t, x, integral) &&
             jni_mix_straighten(q, d, d->s->clock.t, x, integral, 0.5);
        if (!ok)
            break;
        jni_mix_right_side(rhs, d, q);
        ok = jni_shares_complement(share, left, q->slope, rhs, q->n);
        for (int i = 0; i < d->n && ok; i++)
            d->on[i].fixed = fabs(left[i]) <= REGULAR_SHARES ? -1 : left[i] > 0;
        found = ok && try_pattern(d, x, integral);
    }
    free(q);
    return found;
}

/* Those whose share is none on the side it points to, one round after the other. */
static bool by_shares(slide *d, const double *x, const double *integral)
{
    for (int i = 0; i < d->n; i++)
        d->on[i].fixed = -1;
    for (int tries = 0; tries <= d->n; tries++) {
        bool changed = false;
        if (try_pattern(d, x, integral))
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
    return false;
}

static bool by_trying(slide *d, const double *x, const double *integral)
{
    enum { MOST = 6 };
    long combinations = 1;
    for (int i = 0; i < d->n; i++)
        combinations *= d->n <= MOST ? 3 : 0;
    for (long c = 0; c < combinations; c++) {
        long rest = c;
        for (int i = 0; i < d->n; i++, rest /= 3)
            d->on[i].fixed = (int)(rest % 3) - 1;
        if (try_pattern(d, x, integral))
            return true;
    }
    return false;
}

/* All at once; then as their rates depend on all shares; then one by one, and a few in all combinations. */
bool jni_slide_pattern(slide *d, const double *x, const double *integral)
{
    for (int i = 0; i < d->n; i++)
        d->on[i].fixed = -1;
    return try_pattern(d, x, integral) || by_complement(d, x, integral) ||
           by_shares(d, x, integral) || by_trying(d, x, integral);
}
