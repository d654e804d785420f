/* run_jump.c: jumps of the state, what they cost and carry, and those that are cut short. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "instant.h"

double jni_impulse_of(double *noise, jn_sim *s, mode *m, int obs, const jump *j)
{
    struct form_term one = {obs, 1};
    return m->engine->impulse(noise, s, m, &(linear_form){.n = 1, .term = &one}, j);
}

static double impulse_at(instant *i, int obs)
{
    double noise;
    return jni_impulse_of(&noise, i->s, i->m, obs, &(jump){.from = i->x, .to = i->x_after});
}

/* The observables of a source's bond: what it gives, and the conjugate. */
static int given_by(const jn_element *x)
{
    return x->kind == JN_SE ? jni_obs_effort(x->bond[0]) : jni_obs_flow(x->bond[0]);
}

static int conjugate_of(const jn_element *x)
{
    return x->kind == JN_SE ? jni_obs_flow(x->bond[0]) : jni_obs_effort(x->bond[0]);
}

/* The jump that the sources alone would make in the mode before. False: there is none. */
static bool jump_before(double *x, instant *i, mode *m)
{
    jn_sim *s = i->s;
    view v = i->prior.at;
    double *z = jni_doubles(m->nz), *after = jni_doubles(s->model.nx);
    v.t = s->clock.t;
    bool ok = m->engine->enter(z, x, s, m, &(entry){i->x, i->integral, &v});
    entry from = {i->x, i->integral, &i->here}; /* and back: an engine is where it was last */
    i->m->engine->enter(i->z, after, s, i->m, &from);
    free(z);
    free(after);
    return ok;
}

/* Which sources drive the jump by their own change: they did so while they changed. The others have
 * changed before, in a mode that did not feel it, and are what they are now. */
static bool *find_drivers(instant *i)
{
    jn_sim *s = i->s;
    const jn_graph *g = s->model.g;
    int nu = s->model.nu;
    mode *m = jni_one_mode(i->prior.at.m);
    bool *drives = jn_alloc((size_t)nu * sizeof *drives);
    bool is_same = m && !memcmp(m->onoff, i->onoff, (size_t)g->nswitches);
    double *x = jni_doubles(s->model.nx), noise;
    bool ok = m && !is_same && jump_before(x, i, m);
    for (int k = 0; k < nu; k++)
        drives[k] =
            is_same || (ok && jni_impulse_of(&noise, s, m, conjugate_of(&g->element[g->source[k]]),
                                             &(jump){.from = i->x, .to = x}) != 0);
    free(x);
    return drives;
}

/* What the sources give during the jump: the area of the conjugate's impulse times the value, that
 * of one whose own change drives it the mean of before and after. One that follows prior values
 * stands for a law of the jump itself, the restitution of an impact: what its impulse takes away is
 * lost. Per source; free it. */
static double *impulsive_work(instant *i)
{
    const jn_graph *g = i->s->model.g;
    bool *drives = find_drivers(i);
    double *work = jni_doubles(i->s->model.nu);
    for (int k = 0; k < i->s->model.nu; k++) {
        const jn_element *x = &g->element[g->source[k]];
        double u = i->u[k],
               before = drives[k] ? jni_observe(&i->prior.at, given_by(x)).part[FINITE] : u;
        double mean = isfinite(before) ? 0.5 * (before + u) : u;
        if (jni_mentions(&i->s->model, x->input, JN_X_PRIOR))
            mean = 0;
        double a = mean * impulse_at(i, conjugate_of(x));
        work[k] = g->bond[x->bond[0]].tail == g->source[k] ? a : -a;
    }
    free(drives);
    return work;
}

/* Adds to what each source has given; returns the sum. */
static double add_work(jn_sim *s, const double *work)
{
    double sum = 0;
    if (!s->jump_work)
        s->jump_work = jni_doubles(s->model.nu);
    for (int k = 0; k < s->model.nu; k++) {
        s->jump_work[k] += work[k];
        sum += work[k];
    }
    return sum;
}

double jn_sim_jump_work(const jn_sim *s, int source)
{
    return s->jump_work ? s->jump_work[source] : 0;
}

static void add_areas(instant *i)
{
    if (!i->s->o.on_event)
        return;
    int n = 2 * i->s->model.g->nbonds;
    if (!i->log.area)
        i->log.area = jni_doubles(n);
    if (!i->log.jumped)
        memset(i->log.area, 0, (size_t)n * sizeof *i->log.area);
    for (int b = 0; b < n; b++)
        i->log.area[b] += impulse_at(i, b);
}

/* An integral grows by the impulse's area of what it integrates. */
static void jump_integrals(instant *i)
{
    const model *k = &i->s->model;
    jump j = {.from = i->x, .to = i->x_after};
    double noise;
    for (int n = 0; n < k->ns; n++)
        i->integral[n] += i->m->engine->impulse(&noise, i->s, i->m, &k->integral[n].form, &j);
}

/* Whether the energy that the state would change by is more than a part of what there is. Mostly it stays. */
static bool changes_by(const instant *i, double part)
{
    double change = 0, size = 0;
    int nx = i->s->model.nx, same = 0;
    while (same < nx && i->x_after[same] == i->x[same])
        same++;
    if (same == nx)
        return false;
    for (int k = 0; k < nx; k++) {
        double unit = fabs(i->m->storage[k]), d = i->x_after[k] - i->x[k];
        change += d * d / unit;
        size += (i->x[k] * i->x[k] + i->x_after[k] * i->x_after[k]) / unit;
    }
    return change > part * (size + NOISE_OF_PAST * i->s->ledger.most_stored);
}

bool jni_instant_jumps(const instant *i)
{
    return changes_by(i, NOISE_OF_ENERGY);
}

bool jni_instant_is_slight(const instant *i)
{
    return !changes_by(i, SAME_STATE);
}

static bool has_law_of_jump(const instant *i)
{
    const jn_graph *g = i->s->model.g;
    for (int k = 0; k < i->s->model.nu; k++)
        if (jni_mentions(&i->s->model, g->element[g->source[k]].input, JN_X_PRIOR))
            return true;
    return false;
}

/* Some of it is no jump: a leak that comes early takes its current from a coil in no time. The sources went on
 * meanwhile, and have given what is gained. */
static bool hastens(const instant *i)
{
    for (int k = 0; k < i->s->model.nx && i->m->hastens; k++)
        if (i->m->hastens[k] && i->x_after[k] != i->x[k])
            return true;
    return false;
}

jn_status jni_instant_book(instant *i, jn_stopped *stop)
{
    jn_sim *s = i->s;
    double before = i->m->engine->stored(s, i->m, i->x);
    double after = i->m->engine->stored(s, i->m, i->x_after);
    double *of_source = impulsive_work(i), work = add_work(s, of_source);
    free(of_source);
    if (hastens(i))
        work = fmax(work, after - before);
    double lost = before + work - after;
    double scale = fabs(before) + fabs(after) + fabs(work);
    double moved = fmax(s->ledger.most_stored, s->ledger.sum.moved);
    bool gains = lost < -GAIN_OF_JUMP * scale && scale > NOISE_OF_ENERGY * moved &&
                 scale > DBL_EPSILON * DBL_EPSILON;
    if (gains && !s->model.has_active && !i->m->own_values && !has_law_of_jump(i))
        return jni_stop(stop, s, JN_STOP_NUMERICS, "the jump at t = %.17g would gain the energy %g",
                        s->clock.t, -lost);
    i->log.lost += lost;
    s->ledger.sum.supplied += work;
    s->ledger.sum.lost += lost;
    s->ledger.sum.moved += scale;
    add_areas(i);
    jump_integrals(i);
    jni_meters_jump(s, i->m, &(jump){.from = i->x, .to = i->x_after});
    i->log.jumped = true;
    i->seen.version++;
    return JN_OK;
}

/* ---- aborted projections ------------------------------------------------------------------- */

/* Whether some condition on within(x) holds so far along the jump. */
static bool within_holds(instant *i, double theta)
{
    const jn_graph *g = i->s->model.g;
    i->here.theta = theta;
    for (int k = 0; k < g->nswitches; k++)
        for (int l = 0; l < g->automaton[k].ntransitions; l++) {
            const jn_transition *t = &g->automaton[k].transition[l];
            if (t->from == i->state[k] && jni_mentions(&i->s->model, t->when, JN_X_WITHIN) &&
                jni_holds(&i->here, t->when))
                return true;
        }
    return false;
}

/* How far the jump into the candidate gets before a condition on within(x) holds: 1 is all of
 * it. */
static double projection_reach(instant *i)
{
    enum { STEPS = 64 };
    double near = 0, far = 1;
    if (within_holds(i, 0))
        return 0;
    for (int k = 1; k <= STEPS; k++) {
        far = (double)k / STEPS;
        if (within_holds(i, far))
            break;
        near = far;
    }
    if (near >= 1)
        return 1;
    for (;;) {
        double mid = 0.5 * (near + far);
        if (mid <= near || mid >= far)
            return far;
        if (within_holds(i, mid))
            far = mid;
        else
            near = mid;
    }
}

/* At its very start nothing of a jump has happened: then there is nothing to keep. */
bool jni_instant_abort(instant *i)
{
    if (!i->s->watch.has.within || !i->here.jump.from)
        return false;
    double theta = projection_reach(i);
    i->here.theta = theta;
    if (theta >= 1)
        return false;
    for (int k = 0; k < i->s->model.nx; k++)
        i->x_after[k] = i->x[k] + theta * (i->x_after[k] - i->x[k]);
    return theta > 0;
}

jn_status jni_instant_keep_part(instant *i, jn_stopped *stop)
{
    jn_status st = jni_instant_book(i, stop);
    memcpy(i->x, i->x_after, (size_t)i->s->model.nx * sizeof *i->x);
    return st;
}
