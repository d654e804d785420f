/* run_slide_instant.c: an instant while the run slides.
 *
 * The slide itself is the candidate: the modes on all sides of its surfaces, with whatever time or a
 * transition has changed elsewhere. It is one as long as they all jump alike, stay on the surfaces,
 * and have shares; surfaces on which there is none are left on the side that the shares point to.
 * So conditions read the mean at an instant as they do in between, and what happens elsewhere does
 * not end a slide. */
#include <math.h>
#include <stdlib.h>

#include "instant.h"
#include "slide.h"

/* ---- life ---------------------------------------------------------------------------------- */

/* g at a point of a slide, as it is. */
static triple gap_of(const slide *d, const double *z, const slid *p)
{
    const double *weight = z + SLIDE_MOST, *at_ = weight + d->mix.n;
    triple sum = {{0}, {0}};
    for (int v = 0; v < d->mix.n; v++) {
        mode *m = d->mix.vertex[v];
        view one = {.s = d->s,
                    .m = m,
                    .z = at_,
                    .state = d->state,
                    .discrete = d->discrete,
                    .t = d->s->clock.t};
        triple x = jni_surface_value(&one, &d->s->watch.surface[p->surface]);
        sum.part[FINITE] += weight[v] * x.part[FINITE];
        sum.noise[FINITE] += fabs(weight[v]) * x.noise[FINITE];
        at_ += m->nz;
    }
    return sum;
}

static void release(slide *d, int i)
{
    free(d->on[i].flip);
    free(d->on[i].turn);
    free(d->on[i].level);
    d->on[i] = d->on[--d->n];
    d->on[d->n] = (slid){0};
}

/* What a surface has left to move; branches that follow automata are settled anew. */
static void release_flip(slide *d, slid *p, int k)
{
    const model *m = &d->s->model;
    p->flip[k] = p->flip[--p->nflips];
    for (int n = 0; n < p->nturns; n++) {
        const jn_expr *c = jni_branch_condition(d->s->branches, p->turn[n].branch);
        if (!jni_mentions(m, c, JN_X_ON) && !jni_mentions(m, c, JN_X_IN))
            continue;
        jni_branch_set(d->s->branches, p->turn[n].branch, p->turn[n].share[p->side]);
        p->turn[n--] = p->turn[--p->nturns];
    }
}

/* An automaton that has left both of its states does not slide any more; nor does one that was drawn
 * along, and has moved by itself. */
static void release_moved(slide *d, const bool *fresh)
{
    for (int i = 0; i < d->n;) {
        slid *p = &d->on[i];
        for (int k = p->nflips - 1; k >= 0; k--) {
            const struct slide_flip *f = &p->flip[k];
            int state = d->state[f->automaton];
            if ((state != f->state[0] && state != f->state[1]) ||
                (f->is_drawn && fresh[f->automaton]))
                release_flip(d, p, k);
        }
        if (p->nflips || p->nturns || p->nlevels)
            i++;
        else
            release(d, i);
    }
}

void jni_slide_resume(instant *i)
{
    if (i->slide)
        return;
    i->slide = i->waiting;
    i->waiting = NULL;
}

void jni_slide_enlist(instant *i)
{
    jn_sim *s = i->s;
    jni_slide_drop(i->waiting);
    i->waiting = NULL;
    i->slide = s->slide ? jni_slide_copy(s, s->slide) : NULL;
    for (int k = 0; i->slide && k < i->slide->n; k++)
        i->slide->on[k].g = gap_of(s->slide, s->now.z, &s->slide->on[k]).part[FINITE];
}

void jni_slide_resign(instant *i)
{
    if (!i->slide)
        return;
    i->slide->next = i->s->instants.retired;
    i->s->instants.retired = i->slide;
    i->slide = NULL;
}

/* It is over: all is on the side on which it is said to be, unless it is seen to be elsewhere. */
static bool dissolve(instant *i)
{
    watch *w = &i->s->watch;
    int n = i->slide->n, number[SLIDE_MOST];
    for (int k = 0; k < n; k++) {
        number[k] = i->slide->on[k].surface;
        i->slide->on[k].fixed = i->slide->on[k].side;
    }
    jni_slide_drop_fixed(i->slide);
    for (int k = 0; k < n; k++)
        w->crossed[number[k]] = w->surface[number[k]].side = 0;
    jni_slide_resign(i);
    return false;
}

static bool is_in_conflict(const slide *d)
{
    for (int v = 0; v < d->mix.n; v++)
        if (d->mix.vertex[v]->status == JN_MODE_FORBIDDEN)
            return true;
    return false;
}

/* Whether something elsewhere jumps in the candidate: all of its modes make the same of the state. */
static bool jumps(instant *i)
{
    double *x = jni_doubles(i->s->model.nx);
    bool any = jni_mix_jump(i->slide, x, i->x, i->integral) && !jni_same_state(i->s, x, i->x);
    free(x);
    return any;
}

/* A candidate in which sources are in conflict elsewhere, or a current is cut off, may last no time: that is no matter
 * of the slide. When it is over, the slide goes on. */
static bool interrupt(instant *i)
{
    i->waiting = jni_slide_copy(i->s, i->slide);
    for (int k = 0; k < i->slide->n; k++)
        i->waiting->on[k].g = i->slide->on[k].g;
    return dissolve(i);
}

/* ---- the candidate ------------------------------------------------------------------------- */

/* What a branch does on either side of a surface, with all else as it is. */
static verdict on_side(const view *v, const slid *p, const jn_expr *condition, int side)
{
    const jn_sim *s = v->s;
    const jn_graph *g = s->model.g;
    int rank, *state = jn_alloc((size_t)g->nswitches * sizeof *state);
    signed char *sides = jn_alloc((size_t)s->watch.nsurfaces);
    view at = *v;
    for (int k = 0; k < g->nswitches; k++)
        state[k] = v->state[k];
    for (int k = 0; k < s->watch.nsurfaces; k++)
        sides[k] = v->side[k];
    for (int k = 0; k < p->nflips; k++)
        state[p->flip[k].automaton] = p->flip[k].state[side];
    sides[p->surface] = side ? 1 : -1;
    at.state = state;
    at.side = sides;
    verdict found = jni_truth(&at, condition, &rank);
    free(state);
    free(sides);
    return found;
}

static void remove_turn(slid *p, int branch)
{
    for (int k = 0; k < p->nturns; k++)
        if (p->turn[k].branch == branch)
            p->turn[k--] = p->turn[--p->nturns];
}

/* Branches on more than a surface come to turn with it, or cease to. True: one has. */
static bool turns_change(slide *d, const view *v)
{
    branches *b = d->s->branches;
    bool changed = false;
    for (int i = 0; i < d->n; i++)
        for (int k = 0; k < jni_branches_count(b); k++) {
            const jn_expr *c = jni_branch_condition(b, k);
            slid *p = &d->on[i];
            if (c->op != JN_X_AND && c->op != JN_X_OR && c->op != JN_X_NOT)
                continue;
            verdict below = on_side(v, p, c, 0), above = on_side(v, p, c, 1);
            bool turned = jni_slide_turns(d, k), turns = below != above;
            if (below == UNKNOWN || above == UNKNOWN || turned == turns)
                continue;
            changed = true;
            if (turns)
                jni_slide_turn(p, k, below, above, 1);
            else
                remove_turn(p, k);
        }
    return changed;
}

/* Whether it is still on its surfaces, as far as that can be told. */
static bool stays(const slide *d, const double *z)
{
    for (int i = 0; i < d->n; i++) {
        const slid *p = &d->on[i];
        triple g = gap_of(d, z, p);
        if (!p->is_algebraic && !(fabs(g.part[FINITE] - p->g) <= 2 * g.noise[FINITE]))
            return false;
    }
    return true;
}

/* Where not all surfaces have a share: those that do. */
static bool narrow(instant *i)
{
    slide *d = i->slide;
    double *x = jni_doubles(i->s->model.nx);
    bool ok = jni_mix_jump(d, x, i->x, i->integral) && jni_slide_pattern(d, x, i->integral);
    free(x);
    if (!ok)
        return false;
    jni_slide_drop_fixed(d);
    return d->n > 0;
}

/* prior(x) may read the last one. */
static slide *own_slide(instant *i)
{
    if (i->prior.at.m == &i->slide->own) {
        slide *d = jni_slide_copy(i->s, i->slide);
        jni_slide_resign(i);
        i->slide = d;
    }
    i->slide->state = i->state;
    i->slide->discrete = i->discrete;
    i->slide->prior = &i->prior.at;
    i->slide->flows = false;
    for (int k = 0; k < i->s->model.g->nswitches; k++)
        i->slide->own.onoff[k] = i->s->model.g->automaton[k].state[i->state[k]].on;
    release_moved(i->slide, i->firing.fresh);
    return i->slide;
}

bool jni_slide_candidate(instant *i)
{
    int most = 2 * (jni_branches_count(i->s->branches) + i->s->model.steps.n + SLIDE_MOST) + 1;
    slide *d = own_slide(i);
    for (int tries = 0; tries <= most && d->n; tries++) {
        bool kinked;
        if (!jni_mix_prepare(d))
            return is_in_conflict(d) ? interrupt(i) : dissolve(i);
        if (!jni_instant_enter(i, &d->own)) {
            if (jumps(i))
                return interrupt(i);
            if (!narrow(i))
                break;
            continue;
        }
        if (!stays(d, i->z) || jni_kinks_step(d, &i->here, i->x_after, i->integral, &kinked))
            break;
        if (!kinked && !turns_change(d, &i->here) && !jni_instant_settle_ways(i))
            return true;
    }
    return dissolve(i);
}

/* ---- transitions --------------------------------------------------------------------------- */

bool jni_slide_has_level(const slide *d, int discrete)
{
    for (int i = 0; i < d->n; i++)
        for (int k = 0; k < d->on[i].nlevels; k++)
            if (d->on[i].level[k].discrete == discrete)
                return true;
    return false;
}

/* Of an automaton that slides: out of either of its states, but not to the other, unless it was drawn
 * along. */
const jn_transition *jni_slide_fires(instant *i, int k, bool renewed, int *rank)
{
    struct slide_flip *flip;
    slid *p = jni_slide_flips(i->slide, k, &flip);
    if (!p)
        return jni_instant_fires(i, k, i->state[k], -1, renewed, rank);
    const jn_transition *best = NULL;
    const signed char *crossed = i->here.side;
    size_t n = (size_t)i->s->watch.nsurfaces;
    signed char *sides = jn_alloc(n);
    for (size_t g = 0; g < n; g++)
        sides[g] = crossed[g];
    i->here.side = sides;
    for (int side = 0; side < 2; side++) {
        int one;
        sides[p->surface] = side ? -1 : 1; /* where it goes from there */
        const jn_transition *t = jni_instant_fires(
            i, k, flip->state[side], flip->is_drawn ? -1 : flip->state[1 - side], renewed, &one);
        if (t && (!best || one < *rank)) {
            best = t;
            *rank = one;
        }
    }
    i->here.side = crossed;
    free(sides);
    return best;
}
