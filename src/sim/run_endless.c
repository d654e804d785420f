/* run_endless.c: instants that follow each other without end.
 *
 * At one point of the solution the automata and branches may come to stand as they stood before: then neither side
 * of what is crossed can go on, and the run slides. Other instants crowd within no time to speak of, though each is
 * another one: they end in rest, or stop the run with what is to blame. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "instant.h"
#include "slide.h"

void jni_trail_forget(jn_sim *s)
{
    s->course.ntrail = 0;
}

/* How automata and branches stand, and what is being crossed. */
void jni_trail_add(jn_sim *s)
{
    course *c = &s->course;
    size_t n = (size_t)s->model.g->nswitches, b = (size_t)jni_branches_count(s->branches);
    if (c->ntrail == c->cap_trail) {
        int cap = c->cap_trail ? 2 * c->cap_trail : 4;
        c->trail = jn_realloc(c->trail, (size_t)cap * sizeof *c->trail);
        for (int i = c->cap_trail; i < cap; i++) {
            c->trail[i].state = jn_alloc(n * sizeof(int));
            c->trail[i].share = jn_alloc(b * sizeof(double));
            c->trail[i].discrete = jni_doubles(s->model.nd);
            c->trail[i].crossed = jn_alloc((size_t)s->watch.nsurfaces);
        }
        c->cap_trail = cap;
    }
    struct trail *to = &c->trail[c->ntrail++];
    to->events = s->events;
    jni_copy_ints(to->state, s->now.state, s->model.g->nswitches);
    jni_copy(to->discrete, s->now.discrete, s->model.nd);
    for (size_t k = 0; k < b; k++)
        to->share[k] = jni_branch_share(s->branches, (int)k);
    memcpy(to->crossed, s->watch.crossed, (size_t)s->watch.nsurfaces);
}

static bool stands_as(const jn_sim *s, const struct trail *t)
{
    if (!jni_same_ints(t->state, s->now.state, s->model.g->nswitches))
        return false;
    for (int k = 0; k < s->model.nd; k++)
        if (t->discrete[k] != s->now.discrete[k] && !s->watch.is_tally[k])
            return false;
    for (int k = 0; k < jni_branches_count(s->branches); k++)
        if (t->share[k] != jni_branch_share(s->branches, k) &&
            !jni_branch_is_free(s->branches, k) && jni_branch_matters(s, k) &&
            !(s->slide && jni_slide_turns(s->slide, k)))
            return false;
    return true;
}

/* After an instant: whether all stands as it stood before, so that neither side goes on. */
jn_status jni_trail_check(jn_sim *s, jn_stopped *stop)
{
    enum { LONGEST = 200 };
    course *c = &s->course;
    int n = c->ntrail;
    if (s->instants.last->log.jumped) {
        jni_trail_forget(s);
        return JN_OK;
    }
    if (n && stands_as(s, &c->trail[n - 1])) { /* nothing came of it */
        c->ntrail--;
        return JN_OK;
    }
    for (int k = n - 2; k >= 0; k--)
        if (stands_as(s, &c->trail[k])) {
            bool found;
            jn_status st = jni_instant_choose_way(s, k, &found, stop);
            return found || st != JN_OK ? st : jni_slide_begin(s, k, stop);
        }
    if (n < LONGEST)
        return JN_OK;
    return jni_stop(stop, s, JN_STOP_LOOP,
                    "switches change for ever at t = %.17g, each time in another way", s->clock.t);
}

/* ---- a crowd of instants ---------------------------------------------------------------------- */

/* Whether the mode gives a resistor the variable that its law gives. */
static bool is_inverted(const jn_sim *s, int element)
{
    const mode *m = jni_one_mode(s->now.m);
    bool is_given_effort = m && m->solved && m->solved->gives_effort[element];
    return m && m->solved && (s->model.g->element[element].law_of == 'e') == is_given_effort;
}

/* Whether an expression is a constant times a node of it. */
static bool is_multiple_of(const model *m, const jn_expr *e, const jn_expr *node)
{
    if (e == node)
        return true;
    if (e->op == JN_X_MUL)
        return (jni_is_constant(m, e->arg[0]) && is_multiple_of(m, e->arg[1], node)) ||
               (jni_is_constant(m, e->arg[1]) && is_multiple_of(m, e->arg[0], node));
    return e->op == JN_X_NEG && is_multiple_of(m, e->arg[0], node);
}

/* The law of a resistor whose own variable has just been crossed, or has not been left; −1: there is none. */
static int law_at_fault(const jn_sim *s)
{
    for (int i = 0; i < s->watch.nsurfaces; i++) {
        const surface *g = &s->watch.surface[i];
        for (int k = 0; k < g->turns.n && g->crossed_at == s->clock.t; k++) {
            const jn_expr *node = jni_branch_node(s->branches, g->turns.item[k]);
            int law = jni_branch_law(s->branches, g->turns.item[k]);
            int element = law >= 0 ? s->model.g->resistor[law] : -1;
            bool jumps = element >= 0 && node->op == JN_X_SIGN &&
                         is_multiple_of(&s->model, s->model.g->element[element].law, node);
            if (jumps && is_inverted(s, element))
                return element;
        }
    }
    return -1;
}

/* Events that nothing is seen to cross at follow each other: the last bounces of a ball whose height is known to
 * 1e-12. */
static bool rests_unseen(jn_sim *s, long before)
{
    course *c = &s->course;
    bool is_missed = c->is_missed;
    c->is_missed = false;
    if (s->events == before)
        return false;
    c->nmissed += is_missed ? 2 : c->nmissed > 0 ? -1 : 0;
    if (c->nmissed < MOST_UNSEEN)
        return false;
    c->nmissed = 0;
    return jni_zeno_rest(s, s->clock.t, true);
}

/* Instants without end within no time to speak of, though each is another one. */
jn_status jni_crowd_check(jn_sim *s, long before, jn_stopped *stop)
{
    course *c = &s->course;
    if (rests_unseen(s, before))
        return JN_OK;
    if (s->clock.t - c->crowd_t > CROWD_SPAN * fabs(s->clock.t)) {
        c->crowd_t = s->clock.t;
        c->crowd = 0;
    }
    c->crowd += s->events > before ? CROWD_OF_EVENT : 1; /* one that nothing comes of is cheap */
    if (c->crowd < MOST_CROWD)
        return JN_OK;
    bool has_begun = c->span > 0; /* else nobody is there yet who could be told */
    if (has_begun && jni_zeno_rest(s, c->crowd_t, false)) {
        c->crowd = 0;
        return JN_OK;
    }
    int law = law_at_fault(s);
    if (law >= 0)
        return jni_stop(
            stop, s, JN_STOP_LOOP,
            "at t = %.15g the law of '%s' jumps where storages give what it jumps in; let it "
            "rise a little instead, as sign(f) + f/1000000 does",
            s->clock.t, s->model.g->element[law].name);
    jn_str names;
    jn_str_init(&names);
    jni_surfaces_print(&names, s, c->crowd_t);
    jn_status st = jni_stop(stop, s, JN_STOP_LOOP,
                            "events follow each other without end at t = %.15g: give the "
                            "conditions that change there a hysteresis: %s",
                            s->clock.t, jn_str_c(&names));
    jn_str_clear(&names);
    return st;
}
