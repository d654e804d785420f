/* run_slide_mean.c: what expressions and conditions are worth while a run slides.
 *
 * A run that slides is on both sides of its surfaces in turn, faster than anything else happens.
 * Whatever is read there, by a condition, an output, a discrete variable, a claim, a meter, is the
 * mean: the value on each side with its share. So what int(x) grows by is x, of a product of two
 * variables too. With k surfaces there are 2^k corners, each with the product of its shares; a
 * corner is a view like any other, of one of the modes, on whose sides comparisons of what is slid
 * on are decided. Surfaces that make no difference to what is read are left out: a corner notes which
 * sides it was asked for, and terms of a sum are looked at one by one.
 *
 * Which state an automaton is in has no mean: one that slides is in both of its states, and a
 * condition that reads them fires when it holds in one of them. */
#include <stdlib.h>
#include <string.h>

#include "slide.h"

/* ---- corners ------------------------------------------------------------------------------- */

/* How all stands in one corner. */
typedef struct {
    view at;
    double weight;
    int *state;
    double *discrete;
    signed char *side;
    int n, most, item[MOST_OF_CORNER]; /* the surfaces whose sides make corners */
    bool *asked;                       /* per surface of the slide: it is one of them */
} corner;

static bool moves_what_is_read(const slid *p)
{
    return p->nflips || p->nlevels;
}

static corner corner_new(const view *v)
{
    const jn_sim *s = v->s;
    const slide *d = v->m->own;
    corner c = {.at = *v, .most = MOST_OF_CORNER};
    c.state = jn_alloc((size_t)s->model.g->nswitches * sizeof *c.state);
    c.discrete = jni_doubles(s->model.nd);
    c.side = jn_alloc((size_t)s->watch.nsurfaces);
    c.asked = jn_alloc((size_t)d->n * sizeof *c.asked);
    for (int i = 0; i < d->n; i++)
        c.asked[i] = moves_what_is_read(&d->on[i]);
    return c;
}

static void corner_clear(corner *c)
{
    free(c->state);
    free(c->discrete);
    free(c->side);
    free(c->asked);
}

/* The surfaces that were asked for so far; false: they are too many. */
static bool list_asked(corner *c, const slide *d)
{
    c->n = 0;
    for (int i = 0; i < d->n; i++) {
        if (c->asked[i] && c->n == c->most)
            return false;
        if (c->asked[i])
            c->item[c->n++] = i;
    }
    return true;
}

static bool has_grown(const corner *c, const slide *d)
{
    int n = 0;
    for (int i = 0; i < d->n; i++)
        n += c->asked[i];
    return n > c->n;
}

static void put_on_side(corner *c, const slid *p, int side)
{
    for (int k = 0; k < p->nflips; k++)
        c->state[p->flip[k].automaton] = p->flip[k].state[side];
    for (int k = 0; k < p->nlevels; k++)
        c->discrete[p->level[k].discrete] = p->level[k].level[side];
    c->side[p->surface] = side ? 1 : -1;
}

/* The mode of a vertex, and its point within that of the slide. */
static void take_vertex(corner *c, const slide *d, const view *v, int vertex)
{
    const double *z = v->z + SLIDE_MOST + d->mix.n;
    for (int k = 0; k < vertex; k++)
        z += d->mix.vertex[k]->nz;
    c->at.m = d->mix.vertex[vertex];
    c->at.z = z;
}

static void take_corner(corner *c, const slide *d, const view *v, int number)
{
    const jn_sim *s = d->s;
    int vertex = 0, bit = 1;
    memcpy(c->state, v->state, (size_t)s->model.g->nswitches * sizeof *c->state);
    memcpy(c->discrete, v->discrete, (size_t)s->model.nd * sizeof *c->discrete);
    if (v->side)
        memcpy(c->side, v->side, (size_t)s->watch.nsurfaces);
    c->weight = 1;
    for (int i = 0; i < d->n; i++)
        put_on_side(c, &d->on[i], 0);
    for (int k = 0; k < c->n; k++) {
        const slid *p = &d->on[c->item[k]];
        int side = number >> k & 1;
        put_on_side(c, p, side);
        c->weight *= side ? v->z[c->item[k]] : 1 - v->z[c->item[k]];
        if (p->nflips) {
            vertex += side * bit;
            bit *= 2;
        }
    }
    take_vertex(c, d, v, vertex);
    c->at.state = c->state;
    c->at.discrete = c->discrete;
    c->at.side = c->side;
    c->at.asked = c->asked;
}

/* Over all corners; false: they are too many, or another surface makes a difference as well. */
static bool add_corners(triple *sum, double *most, corner *c, const slide *d, const view *v,
                        const jn_expr *e)
{
    *sum = (triple){{0}, {0}};
    *most = 0;
    for (int k = 0; k < 1 << c->n; k++) {
        take_corner(c, d, v, k);
        if (c->weight == 0)
            continue;
        triple one = jni_evaluate_triple(&c->at, e);
        if (has_grown(c, d))
            return false;
        *most = fmax(*most, fabs(one.part[FINITE]));
        for (int p = 0; p < PARTS; p++) {
            sum->part[p] += c->weight * one.part[p];
            sum->noise[p] += fabs(c->weight) * one.noise[p];
        }
    }
    return true;
}

/* False: there are too many. */
static bool over_corners(triple *sum, double *highest, const view *v, const jn_expr *e, int most)
{
    const slide *d = v->m->own;
    corner c = corner_new(v);
    c.most = most;
    bool ok = list_asked(&c, d);
    while (ok && !add_corners(sum, highest, &c, d, v, e))
        ok = list_asked(&c, d);
    corner_clear(&c);
    return ok;
}

/* The mean of a sum is that of its terms. */
static triple mean_of_terms(const view *v, const jn_expr *e)
{
    triple a = jni_evaluate_triple(v, e->arg[0]), b = jni_evaluate_triple(v, e->arg[1]);
    double sign = e->op == JN_X_ADD ? 1 : -1;
    for (int p = 0; p < PARTS; p++) {
        a.part[p] += sign * b.part[p];
        a.noise[p] += b.noise[p];
    }
    return a;
}

triple jni_slide_mean(const view *v, const jn_expr *e)
{
    triple sum;
    double highest;
    bool is_sum = e->op == JN_X_ADD || e->op == JN_X_SUB;
    if (e->op == JN_X_SIGNAL)
        return jni_evaluate_triple(v, v->s->model.g->signal[e->index].expr);
    if (over_corners(&sum, &highest, v, e, is_sum ? MOST_OF_SUM : MOST_OF_CORNER))
        sum.noise[FINITE] += NOISE_OF_STEP * STEP_RTOL * fabs(sum.part[FINITE]);
    else if (is_sum)
        sum = mean_of_terms(v, e);
    else
        sum = (triple){.part[FINITE] = NAN};
    return sum;
}

double jni_slide_most(const view *v, const jn_expr *e)
{
    triple sum;
    double highest;
    return over_corners(&sum, &highest, v, e, MOST_OF_CORNER) ? highest : 0;
}

/* ---- conditions ---------------------------------------------------------------------------- */

verdict jni_truth_somewhere(const view *v, const jn_expr *condition, verdict wanted, int *rank)
{
    const model *m = &v->s->model;
    verdict found = jni_truth(v, condition, rank);
    if (!v->m || !v->m->engine->mean || found == wanted)
        return found;
    if (!jni_mentions(m, condition, JN_X_ON) && !jni_mentions(m, condition, JN_X_IN))
        return found;
    const slide *d = v->m->own;
    corner c = corner_new(v);
    for (int k = 0; list_asked(&c, d) && k < 1 << c.n && found != wanted; k++) {
        view at = *v;
        take_corner(&c, d, v, k);
        at.state = c.state;
        verdict one = jni_truth(&at, condition, rank);
        found = one == wanted || one == UNKNOWN ? one : found;
    }
    corner_clear(&c);
    return found;
}

bool jni_slide_has(const slide *d, int number)
{
    for (int i = 0; i < d->n; i++)
        if (d->on[i].surface == number || d->on[i].twin == number)
            return true;
    return false;
}

/* A comparison that nobody watches may lie on a surface all the same. */
bool jni_slide_side(int *side, const view *v, const jn_expr *left, const jn_expr *right)
{
    const slide *d = v->slid;
    for (int i = 0; d && i < d->n; i++) {
        int number = d->on[i].surface;
        int sign = jni_surface_lies(v->s, number, left, right);
        if (sign) {
            int known = v->side && v->side[number] != ON_SURFACE ? v->side[number] : 0;
            *side = sign * known;
            if (v->asked)
                v->asked[i] = true;
            return true;
        }
    }
    return false;
}

slid *jni_slide_flips(slide *d, int automaton, struct slide_flip **flip)
{
    for (int i = 0; i < d->n; i++)
        for (int k = 0; k < d->on[i].nflips; k++)
            if (d->on[i].flip[k].automaton == automaton) {
                *flip = &d->on[i].flip[k];
                return &d->on[i];
            }
    return NULL;
}

int jni_slide_other_state(const slide *d, int automaton, int state)
{
    struct slide_flip *flip;
    if (!jni_slide_flips((slide *)d, automaton, &flip))
        return -1;
    return flip->state[flip->state[0] == state];
}
