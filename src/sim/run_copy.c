/* run_copy.c: a second run that stands where a run does.
 *
 * What a run has before it begins is made anew, from the same graph and in the same order, so that
 * surfaces, branches and unknowns have the same numbers in both; then what it has come to is
 * carried over, room by room: all that decides how it goes on. Steps and patterns of the integrator are not
 * carried over: both runs begin a new stretch at the present. */
#include <stdlib.h>
#include <string.h>

#include "instant.h"
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

static void carry_watch(watch *to, const watch *from, int bonds)
{
    for (int i = 0; i < from->nsurfaces; i++) {
        const surface *g = &from->surface[i];
        surface *own = &to->surface[i];
        own->side = g->side;
        own->smooth = g->smooth;
        own->scale = g->scale;
        own->crossed_at = g->crossed_at;
        own->found_noise = g->found_noise;
        own->passing = g->passing;
        own->swing = g->swing;
        own->mark = g->mark;
        to->crossed[i] = from->crossed[i];
    }
    to->ncrossed = from->ncrossed;
    to->searches = from->searches;
    to->is_doubtful = from->is_doubtful;
    to->reads_sampled = from->reads_sampled;
    memcpy(to->is_read, from->is_read, 2 * (size_t)bonds * sizeof *to->is_read);
    carry_branches(to->kinks, from->kinks);
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

/* The last stretch is over, and tells yet how well it knew where it led to. */
static void carry_course(jn_sim *to, const jn_sim *from)
{
    const stretch *old = &from->course.stretch;
    to->course = from->course;
    to->course.stretch.q = NULL;
    to->course.stretch.cap = 0;
    jni_stretch_reserve(&to->course.stretch, old->nz);
    jni_copy(to->course.stretch.q, old->q, old->n * old->nz);
    carry_trail(to, from);
}

/* What is asked of the last instant when it is over: what has moved and jumped at it. */
static void carry_instant(jn_sim *to, const jn_sim *from)
{
    instant *own = to->instants.last;
    const instant *last = from->instants.last;
    int nx = from->model.nx;
    memcpy(own->firing.fresh, last->firing.fresh,
           (size_t)from->model.g->nswitches * sizeof *own->firing.fresh);
    own->firing.side_once = last->firing.side_once;
    own->log.jumped = last->log.jumped;
    jni_copy(own->prior.from, last->prior.from, nx);
    jni_copy(own->prior.to, last->prior.to, nx);
    to->instants.left_out_at = from->instants.left_out_at;
}

static void carry_trouble(trouble *to, const trouble *from)
{
    to->is_too_stiff = from->is_too_stiff;
    to->lost = from->lost;
    to->is_leak = from->is_leak;
    to->broken = from->broken;
    to->lawless = from->lawless;
    to->value = from->value;
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

/* The steps of both are found anew, from the shares of the original: solved for once more they would be others
 * by a rounding. */
static void carry_slide(jn_sim *to, const jn_sim *from)
{
    slide *old = from->slide, *d = jni_slide_copy(to, old);
    jni_slide_go(d);
    for (int i = 0; i < d->n; i++)
        d->on[i].share = old->on[i].share;
    jni_mix(d, from->clock.t, from->now.x, from->now.integral);
    jni_copy(d->path.tol, old->path.tol, d->path.n);
    jni_collocation_free(old->path.collocation);
    old->path.collocation = NULL;
    old->path.is_running = false;
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

/* What was found out about the model when it began, and since. */
static void carry_model(model *to, const model *from)
{
    jni_copy(to->storage, from->storage, from->nx);
    jni_copy(to->resistor, from->resistor, from->nr);
    for (int i = 0; i < from->steep.n; i++)
        to->steep.item[i].near = from->steep.item[i].near;
    memcpy(to->early, from->early, (size_t)from->nr);
    memcpy(to->is_flat, from->is_flat, (size_t)from->nr * sizeof *from->is_flat);
}

static void carry(jn_sim *to, jn_sim *from)
{
    const model *k = &from->model;
    carry_model(&to->model, k);
    carry_clock(&to->clock, &from->clock, k->g->nswitches);
    carry_branches(to->branches, from->branches);
    jni_generator_carry(to->gen, from->gen);
    carry_watch(&to->watch, &from->watch, k->g->nbonds);
    carry_course(to, from);
    carry_instant(to, from);
    carry_trouble(&to->trouble, &from->trouble);
    carry_zeno(to, from);
    if (from->jump_work)
        to->jump_work = doubled(from->jump_work, k->nu);
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
    if (from->slide && from->engine->carry) /* again: it has been used since */
        from->engine->carry(to, from);
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
