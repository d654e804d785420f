/* run_copy.c: a second run that stands where a run does.
 *
 * What a run has before it begins is made anew, from the same graph and in the same order, so that
 * surfaces, branches and unknowns have the same numbers in both; then what it has come to is
 * carried over, room by room. Solutions are polynomials over a stretch and are not carried over:
 * both runs begin a new stretch at the present. */
#include <stdlib.h>
#include <string.h>

#include "slide.h"

static double *doubled(const double *from, int n)
{
    double *to = jni_doubles(n);
    if (n)
        memcpy(to, from, (size_t)n * sizeof *to);
    return to;
}

static void carry_clock(run_clock *to, const run_clock *from, int switches)
{
    for (int i = 0; i < switches; i++)
        to->schedule[i] = from->schedule[i];
    to->t = from->t;
    to->next_in_sequence = from->next_in_sequence;
}

static void carry_branches(branches *to, const branches *from)
{
    for (int i = 0; i < jni_branches_count(from); i++) {
        jni_branch_set(to, i, jni_branch_share(from, i));
        jni_branch_free(to, i, jni_branch_is_free(from, i));
    }
}

static void carry_watch(watch *to, const watch *from)
{
    for (int i = 0; i < from->nsurfaces; i++) {
        const surface *g = &from->surface[i];
        surface *own = &to->surface[i];
        own->side = g->side;
        own->smooth = g->smooth;
        own->scale = g->scale;
        own->crossed_at = g->crossed_at;
        own->passing = g->passing;
        own->mark = g->mark;
        to->crossed[i] = from->crossed[i];
    }
    to->ncrossed = from->ncrossed;
    to->searches = from->searches;
}

/* The trail of instants at this point of the solution. */
static void carry_trail(jn_sim *to, const jn_sim *from)
{
    const course *c = &from->course;
    size_t n = (size_t)from->model.g->nswitches, g = (size_t)from->watch.nsurfaces;
    int b = jni_branches_count(from->branches);
    to->course.trail = jn_alloc((size_t)c->ntrail * sizeof *to->course.trail);
    to->course.ntrail = to->course.cap_trail = c->ntrail;
    for (int i = 0; i < c->ntrail; i++) {
        struct trail *t = &to->course.trail[i];
        t->events = c->trail[i].events;
        t->state = jn_alloc(n * sizeof *t->state);
        t->crossed = jn_alloc(g);
        memcpy(t->state, c->trail[i].state, n * sizeof *t->state);
        memcpy(t->crossed, c->trail[i].crossed, g);
        t->share = doubled(c->trail[i].share, b);
        t->discrete = doubled(c->trail[i].discrete, from->model.nd);
    }
}

static void carry_course(jn_sim *to, const jn_sim *from)
{
    to->course = from->course;
    to->course.stretch = (stretch){.length = from->course.stretch.length};
    carry_trail(to, from);
}

static void carry_zeno(jn_sim *to, const jn_sim *from)
{
    const model *k = &from->model;
    size_t bytes = (size_t)k->g->nswitches * sizeof(int);
    to->zeno = from->zeno;
    for (int i = 0; i < ZENO_KEPT; i++) {
        if (!from->zeno.x[i])
            continue;
        to->zeno.x[i] = doubled(from->zeno.x[i], k->nx + k->ns);
        to->zeno.state[i] = jn_alloc(bytes);
        memcpy(to->zeno.state[i], from->zeno.state[i], bytes);
    }
}

/* The modes that the run has been in, and what their engine has learned about them. */
static void carry_modes(jn_sim *to, const jn_sim *from)
{
    for (int i = 0; i < from->modes.n; i++) {
        const mode *m = from->modes.mode[i];
        if (!m->entered)
            continue;
        mode *own = jni_mode_get(to, m->onoff, m->flows);
        own->entered = true;
        lessons l;
        jni_mode_learned(&l, m);
        if (own->own && own->engine->teach)
            own->engine->teach(own, &l);
    }
}

/* The steps of both are found anew. */
static void carry_slide(jn_sim *to, const jn_sim *from)
{
    slide *old = from->slide, *d = jni_slide_copy(to, old);
    jni_collocation_free(old->path.collocation);
    old->path.collocation = NULL;
    jni_slide_go(d);
    jni_slide_go(old); /* its shares are found anew as well */
}

static void carry_present(jn_sim *to, const jn_sim *from)
{
    const model *k = &from->model;
    const run_state *now = &from->now;
    size_t n = (size_t)k->g->nswitches;
    memcpy(to->now.x, now->x, (size_t)k->nx * sizeof *now->x);
    memcpy(to->now.integral, now->integral, (size_t)k->ns * sizeof *now->integral);
    memcpy(to->now.discrete, now->discrete, (size_t)k->nd * sizeof *now->discrete);
    memcpy(to->now.state, now->state, n * sizeof *now->state);
    memcpy(to->now.onoff, now->onoff, n);
    if (from->slide)
        carry_slide(to, from);
    else
        to->now.m = jni_mode_get(to, now->m->onoff, now->m->flows);
    jni_reserve_z(to, now->m->nz);
    memcpy(to->now.z, now->z, (size_t)now->m->nz * sizeof *now->z);
}

static void carry(jn_sim *to, jn_sim *from)
{
    const model *k = &from->model;
    for (int i = 0; i < k->steep.n; i++)
        to->model.steep.item[i].near = k->steep.item[i].near;
    memcpy(to->model.early, k->early, (size_t)k->nr);
    memcpy(to->model.is_flat, k->is_flat, (size_t)k->nr * sizeof *k->is_flat);
    carry_clock(&to->clock, &from->clock, k->g->nswitches);
    carry_branches(to->branches, from->branches);
    jni_generator_carry(to->gen, from->gen);
    carry_watch(&to->watch, &from->watch);
    carry_course(to, from);
    carry_zeno(to, from);
    to->ledger = from->ledger;
    to->events = from->events;
    jni_shared_copy(to, from);
    for (int i = 0; i < k->g->nasserts; i++) {
        to->claims.is_broken[i] = from->claims.is_broken[i];
        to->claims.times[i] = from->claims.times[i];
    }
    to->aside.nudge = from->aside.nudge;
    if (from->engine->carry)
        from->engine->carry(to, from);
    carry_modes(to, from);
    carry_present(to, from);
}

jn_sim *jn_sim_copy(jn_sim *s, const jn_sim_options *tells)
{
    const jn_sim_options silent = {0};
    const model *k = &s->model;
    jn_diags *unsaid = jn_diags_new(); /* all of it has been said, and was good */
    jn_sim *to = jn_alloc(sizeof *to);
    jni_close_stretch(s);
    to->structures = jni_structures_share(s->structures);
    to->o = tells ? *tells : silent;
    to->o.method = s->engine->is_exact ? s->o.method : JN_METHOD_RADAU;
    to->o.rtol = s->o.rtol;
    to->o.atol = s->o.atol;
    to->o.nsequence = s->o.nsequence;
    to->o.sequence_t = s->o.sequence_t;
    to->o.sequence_mode = s->o.sequence_mode;
    to->o.folder = s->o.folder;
    to->o.strict = s->o.strict;
    to->o.keep_going |= s->o.keep_going;
    table_data *tables = jn_alloc((size_t)k->g->ntables * sizeof *tables);
    if (k->g->ntables)
        memcpy(tables, k->table, (size_t)k->g->ntables * sizeof *tables);
    if (jni_run_prepare(to, k->g, tables, unsaid) == JN_OK) {
        to->o.method = s->o.method;
        carry(to, s);
    } else {
        jn_sim_free(to);
        to = NULL;
    }
    jn_diags_free(unsaid);
    return to;
}
