/* run_instant.c: what happens at one instant.
 *
 * From the state x_s:
 *
 *   1. candidate mode m; x⁺ = the jump of x_s into m; all values and impulses there.
 *   2. Some transition fires on these values, prior ones being as committed last: new candidate,
 *      x_s as it was. m was mythical. What reads nothing but prior values waits: they are not its.
 *   3. None fires: x_s := x⁺, and prior values are renewed. Some transition fires now: new
 *      candidate. m was a pinnacle: its jump counts.
 *   4. None fires: go on in m.
 *
 * First things first: in a candidate that is in conflict or needs an impulse, finite values are
 * those of a jump that may never happen. Transitions that a conflict decides go alone; without any,
 * those that an impulse decides; only then the others.
 *
 * A condition on within(x) stops a jump where it first holds: the state there counts, and the
 * candidate is left.
 *
 * A forbidden candidate is not yet an error: its sources disagree, which drives some variables
 * without bound, and a transition may fire on that. The same automaton states with the same x_s
 * twice, and the same of them moved by then: the loop never ends. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "instant.h"
#include "slide.h"
#include "tangent.h"

/* ---- life ---------------------------------------------------------------------------------- */

instant *jni_instant_new(jn_sim *s)
{
    const model *k = &s->model;
    size_t n = (size_t)k->g->nswitches;
    instant *i = jn_alloc(sizeof *i);
    i->s = s;
    i->state = jn_alloc(n * sizeof *i->state);
    i->forced = jn_alloc(n * sizeof *i->forced);
    i->firing.fresh = jn_alloc(n * sizeof *i->firing.fresh);
    i->firing.due = jn_alloc(n * sizeof *i->firing.due);
    i->firing.rank = jn_alloc(n * sizeof *i->firing.rank);
    i->firing.once = jn_alloc(n * sizeof *i->firing.once);
    i->onoff = jn_alloc(n);
    i->left = jn_alloc(n);
    i->x = jni_doubles(k->nx);
    i->x_after = jni_doubles(k->nx);
    i->integral = jni_doubles(k->ns);
    i->discrete = jni_doubles(k->nd);
    i->slack.x = jni_doubles(k->nx);
    i->u = jni_doubles(INPUT_ORDERS * k->nu);
    i->prior.from = jni_doubles(k->nx);
    i->prior.to = jni_doubles(k->nx);
    i->prior.discrete = jni_doubles(k->nd);
    i->prior.state = jn_alloc(n * sizeof *i->prior.state);
    return i;
}

void jni_instant_free(instant *i)
{
    if (!i)
        return;
    free(i->state);
    free(i->forced);
    free(i->firing.fresh);
    free(i->firing.due);
    free(i->firing.rank);
    free(i->firing.once);
    free(i->onoff);
    free(i->left);
    free(i->x);
    free(i->x_after);
    free(i->z);
    free(i->integral);
    free(i->discrete);
    free(i->slack.x);
    free(i->u);
    free(i->prior.z);
    free(i->prior.from);
    free(i->prior.to);
    free(i->prior.discrete);
    free(i->prior.state);
    free(i->seen.item);
    jni_slide_drop(i->waiting);
    jni_log_clear(&i->log);
    free(i);
}

static void begin(instant *i)
{
    jn_sim *s = i->s;
    const model *k = &s->model;
    int n = k->g->nswitches;
    jni_copy_ints(i->state, s->now.state, n);
    jni_copy_ints(i->forced, s->now.state, n);
    jni_copy_ints(i->prior.state, s->now.state, n);
    memset(i->firing.fresh, 0, (size_t)n * sizeof *i->firing.fresh);
    memset(i->firing.once, 0, (size_t)n * sizeof *i->firing.once);
    jni_copy(i->x, s->now.x, k->nx);
    jni_copy(i->integral, s->now.integral, k->ns);
    jni_copy(i->discrete, s->now.discrete, k->nd);
    jni_copy(i->prior.discrete, s->now.discrete, k->nd);
    jni_view_begin(&i->prior.at, s, s->now.m, s->now.z, s->clock.t);
    i->prior.at.state = s->now.state;
    i->prior.at.discrete = i->prior.discrete;
    i->prior.at.slid = s->slide;
    i->prior.is_own = false;
    i->seen.n = i->seen.version = i->seen.changes = 0;
    i->firing.side_once = i->firing.is_chosen = false;
    i->first_pass = true;
    i->slack.is_there = i->slack.is_settled = i->slack.is_taken = false;
    jni_slide_enlist(i);
    jni_log_begin(&i->log);
}

/* ---- candidates ---------------------------------------------------------------------------- */

/* Settles the branches by what is seen in the candidate; true: something changed. */
static bool settle_branches(instant *i)
{
    branches *b = i->s->branches;
    bool changed = false;
    for (int k = 0; k < jni_branches_count(b); k++) {
        if (i->slide && jni_slide_turns(i->slide, k))
            continue;
        if (jni_instant_leaves(i, k))
            continue;
        double before = jni_branch_share(b, k);
        double share = jni_settled_share(&i->here, jni_branch_condition(b, k), before);
        changed |= share != before;
        jni_branch_set(b, k, share);
    }
    return changed;
}

/* Likewise by time alone: the way that time goes, by the very sum by which the moment was found; the other
 * way by what is clear. The same place as the end of this step and of the next one is two sums, and they round
 * differently. */
static int side_in_time(const view *v, const comparison *c, const surface *g)
{
    double held = jni_form_constant(v->s, &g->form, v->discrete), moved = g->form.ct * v->t;
    double sum = c->sign * (held + moved);
    int side = sum >= 0 ? 1 : -1;
    bool comes_by_time = side * c->sign * g->form.ct > 0;
    double noise = NOISE_OF_SUM * (fabs(g->form.c0) + fabs(held) + fabs(moved));
    return comes_by_time || fabs(sum) > noise ? side : 0;
}

/* On which side of the end of a step the candidate is: by what is clear, or as it has come to be; 0:
 * within rounding, and it stays as it is. */
static int side_of_end(const view *v, const jn_expr *end)
{
    const comparison *c = jni_watched(v->s, end);
    const surface *g = &v->s->watch.surface[c->surface];
    if (g->kind == SURFACE_TIME)
        return side_in_time(v, c, g);
    triple x = jni_surface_value(v, g);
    int part, side = jni_triple_sign(&x, &part);
    if (!side && v->side && v->side[c->surface] != ON_SURFACE)
        side = v->side[c->surface];
    return side * c->sign;
}

/* Goes up or down to the step that the argument is on; true: something changed. */
static bool settle_steps(instant *i)
{
    const model *k = &i->s->model;
    bool changed = false;
    for (int n = 0; n < k->steps.n; n++) {
        if (i->slide && jni_slide_has_level(i->slide, jni_step_discrete(k, n)))
            continue;
        double *level = &i->discrete[jni_step_discrete(k, n)], before = *level;
        int up = side_of_end(&i->here, k->steps.item[n].reaches_next);
        int down = up > 0 ? 0 : side_of_end(&i->here, k->steps.item[n].reaches_own);
        if (up <= 0 && down >= 0)
            continue;
        triple a = jni_evaluate_triple(&i->here, k->steps.item[n].argument);
        double step = floor(a.part[FINITE] + a.noise[FINITE]);
        *level = up > 0 ? fmax(before + 1, step) : fmin(before - 1, step);
        changed |= *level != before;
    }
    return changed;
}

static void reserve_z(instant *i, int nz)
{
    if (i->z && nz <= i->cap_z) /* a model without states has room as well, for none */
        return;
    i->cap_z = nz;
    i->z = jn_realloc(i->z, (size_t)nz * sizeof *i->z);
}

/* The view of the candidate. */
static void look(instant *i)
{
    view *v = &i->here;
    jni_view_begin(v, i->s, i->m, i->z, i->s->clock.t);
    v->state = i->state;
    v->discrete = i->discrete;
    v->prior = &i->prior.at;
    v->side = i->s->watch.crossed;
    v->side_once = i->firing.side_once;
    v->slid = i->slide;
    v->point = jni_watch_move(&i->s->watch);
}

static void set_onoff(instant *i)
{
    const jn_graph *g = i->s->model.g;
    for (int k = 0; k < g->nswitches; k++)
        i->onoff[k] = g->automaton[k].state[i->state[k]].on;
}

/* What a leak that is served early makes of a coil at once; that comes first. */
static bool is_settled(const instant *i)
{
    for (int k = 0; k < i->s->model.nx && i->m->hastens && i->here.jump.from; k++)
        if (i->m->hastens[k] && i->x_after[k] != i->x[k])
            return true;
    return false;
}

static void note_slack(instant *i)
{
    int nx = i->s->model.nx;
    bool moves = false, settled = is_settled(i);
    for (int k = 0; k < nx && !moves; k++)
        moves = fabs(i->x_after[k] - i->x[k]) > 4 * DBL_EPSILON * fabs(i->x[k]);
    if ((i->slack.is_there && i->slack.is_settled >= settled) || !moves ||
        !jni_instant_is_slight(i))
        return;
    i->slack.is_there = true;
    i->slack.is_settled = settled;
    jni_copy(i->slack.x, i->x_after, nx);
}

/* With the switches as they have been set. */
static bool enter_set(instant *i, mode *m)
{
    jn_sim *s = i->s;
    entry from = {i->x, i->integral, &i->here};
    i->m = m;
    reserve_z(i, m->nz);
    look(i);
    if (!i->m->engine->enter(i->z, i->x_after, s, i->m, &from))
        return false;
    i->m->engine->inputs(i->u, s, i->m, i->z);
    if (i->m->status == JN_MODE_FORBIDDEN)
        i->here.u = i->u;
    if (jni_instant_jumps(i))
        i->here.jump = (jump){.from = i->x, .to = i->x_after};
    if (i->seen.changes > 1) /* what changes for ever comes by again */
        note_slack(i);
    return true;
}

bool jni_instant_enter(instant *i, mode *m)
{
    set_onoff(i);
    return enter_set(i, m);
}

bool jni_instant_settle_ways(instant *i)
{
    return settle_branches(i) || settle_steps(i);
}

/* False: the candidate has no solution. */
static bool enter(instant *i)
{
    jn_sim *s = i->s;
    int most = 2 * (jni_branches_count(s->branches) + s->model.steps.n) + 1;
    jni_slide_resume(i);
    if (i->slide && jni_slide_candidate(i))
        return true;
    set_onoff(i);
    mode *m = i->m = jni_mode_get(s, i->onoff, false);
    if (m->status == JN_MODE_SINGULAR)
        return false;
    for (int tries = 0; tries <= most; tries++) {
        if (!enter_set(i, m)) {
            m = jni_mode_given(s, m);
            if (!m || m->status == JN_MODE_SINGULAR)
                return false;
            continue;
        }
        if (!jni_instant_settle_ways(i))
            return true;
    }
    return jni_slide_between(s, m, &(entry){i->x, i->integral, &i->here}) && enter_set(i, m);
}

/* ---- committing ---------------------------------------------------------------------------- */

static void renew_prior(instant *i)
{
    committed *p = &i->prior;
    const model *k = &i->s->model;
    if (!p->z || p->cap_z < i->m->nz) {
        p->cap_z = i->m->nz;
        p->z = jn_realloc(p->z, (size_t)i->m->nz * sizeof *p->z);
    }
    jni_copy(p->z, i->z, i->m->nz);
    jni_copy(p->discrete, i->discrete, k->nd);
    jni_copy_ints(p->state, i->state, k->g->nswitches);
    mode *jumped_in = p->at.committed_in;
    jni_view_begin(&p->at, i->s, i->m, p->z, i->s->clock.t);
    p->at.state = p->state;
    p->at.discrete = p->discrete;
    p->at.committed.from = p->from;
    p->at.committed.to = p->to;
    p->at.committed_in = jumped_in;
    p->is_own = true;
}

/* x_s := x⁺, and what was is now prior. */
static jn_status commit(instant *i, jn_stopped *stop)
{
    jn_sim *s = i->s;
    int nx = s->model.nx;
    mode *before = jni_one_mode(i->prior.at.m);
    if (!s->ledger.is_begun)
        s->ledger.stored_at_start = i->m->engine->stored(s, i->m, i->x);
    s->ledger.is_begun = true;
    jni_chain_enter(s, i->m, i->z, i->here.jump.from);
    s->ledger.sum.supplied += i->m->engine->shift(s, before, i->m, i->x);
    i->prior.at.committed_in = NULL;
    if (i->here.jump.from) {
        jn_status st = jni_instant_book(i, stop);
        if (st != JN_OK)
            return st;
        jni_copy(i->prior.from, i->x, nx);
        jni_copy(i->prior.to, i->x_after, nx);
        i->prior.at.committed_in = i->m;
        jni_copy(i->x, i->x_after, nx);
        entry from = {i->x, i->integral, &i->here};
        i->here.jump = (jump){.from = NULL};
        i->here.point = jni_watch_move(&s->watch);
        if (!i->m->engine->enter(i->z, i->x_after, s, i->m, &from))
            return jni_stop(stop, s, JN_STOP_SINGULAR, "after the jump at t = %.17g: %s",
                            s->clock.t, i->m->reason);
    } else {
        jni_copy(i->x, i->x_after, nx);
    }
    renew_prior(i);
    i->here.committed = i->prior.at.committed;
    i->here.committed_in = i->prior.at.committed_in;
    return JN_OK;
}

/* The values that count for no time, for who wants to see them. */
static void show_pinnacle(instant *i)
{
    jn_sim *s = i->s;
    if (!s->o.on_pinnacle)
        return;
    jni_instants_tell(s); /* those before it */
    if (!i->log.is_begun)
        jni_tell_before(s);
    i->log.is_begun = true;
    run_state now = s->now;
    s->now = jni_instant_outcome(i);
    s->now.state = i->prior.state;
    s->o.on_pinnacle(s->o.ctx);
    s->now = now;
}

/* ---- an instant ---------------------------------------------------------------------------- */

/* −1: all have one. */
static int source_without_value(const instant *i)
{
    for (int k = 0; k < i->s->model.nu; k++)
        if (!isfinite(i->u[k]))
            return k;
    return -1;
}

static jn_status stop_singular(instant *i, jn_stopped *stop)
{
    jn_str name;
    jn_str_init(&name);
    jn_mode_print(&name, i->s->model.g, i->onoff);
    jn_status st =
        jni_stop(stop, i->s, JN_STOP_SINGULAR, "%s%s%st = %.17g: %s", name.len ? "mode " : "",
                 jn_str_c(&name), name.len ? ", entered at " : "at ", i->s->clock.t,
                 i->m->reason ? i->m->reason : "it has no solution");
    jn_str_clear(&name);
    return st;
}

/* A diode that turns on since its voltage was crossed, and off by its current, meets the same voltage again, which
 * is 0 in that mode: what was crossed in another has no more to say. Where that is all that keeps the loop going,
 * the instant is settled without it; if the solution then goes to that side after all, the watch sees it at once, and
 * the loop is one. False: it is not, or the state has changed since. */
static bool try_again(instant *i)
{
    jn_sim *s = i->s;
    bool is_tried = s->instants.left_out_at == s->clock.t;
    if (is_tried || i->firing.side_once || i->slide || i->waiting || i->log.jumped ||
        i->seen.version)
        return false;
    begin(i);
    i->firing.side_once = true;
    s->instants.left_out_at = s->clock.t;
    return true;
}

/* A coil that is cut off with 1e-15 of the current it had makes no impulse that would turn a diode on, and the diode that
 * its voltage turns on sees that current flow backwards: so little is none. Where a coil goes from one diode to another, a
 * leak between them takes its current from the coil first, and not from the diode: what has settled counts. */
static bool take_slack(instant *i)
{
    if (!i->slack.is_there || i->slack.is_taken || i->slide || i->waiting)
        return false;
    jni_copy(i->x, i->slack.x, i->s->model.nx);
    i->slack.is_taken = true;
    i->seen.version++;
    return true;
}

static jn_status check_candidate(instant *i, jn_stopped *stop)
{
    const jn_graph *g = i->s->model.g;
    if (i->seen.changes > MOST_CHANGES ||
        (jni_instant_seen(i) && !try_again(i) && !jni_instant_choose(i, NULL) && !take_slack(i)))
        return jni_log_loop(i, stop);
    if (jni_interrupted(i->s))
        return jni_stop(stop, i->s, JN_STOP_INTERRUPTED, "interrupted");
    if (!enter(i))
        return stop_singular(i, stop);
    int lost = source_without_value(i);
    return lost < 0 ? JN_OK
                    : jni_stop(stop, i->s, JN_STOP_NUMERICS,
                               "the source '%s' has no finite value at t = %.17g",
                               g->element[g->source[lost]].name, i->s->clock.t);
}

static bool is_present(const instant *i)
{
    return i->s->now.m && jni_same_mode(i->onoff, i->s->now.onoff, i->s->model.g->nswitches);
}

/* Finds the mode to go on in. */
static jn_status settle(instant *i, jn_stopped *stop)
{
    for (;;) {
        jn_status st = check_candidate(i, stop);
        if (st != JN_OK)
            return st;
        bool is_new = !i->first_pass || !is_present(i);
        i->first_pass = false;
        bool aborted = jni_instant_abort(i);
        if (jni_instant_fire(i, false)) {
            if (is_new)
                jni_log_via(i, aborted ? JN_VIA_PINNACLE : JN_VIA_MYTHICAL);
            st = aborted ? jni_instant_keep_part(i, stop) : JN_OK;
            if (st != JN_OK)
                return st;
            continue;
        }
        if (i->m->status == JN_MODE_FORBIDDEN)
            return jni_stop(stop, i->s, JN_STOP_FORBIDDEN,
                            "at t = %.17g the sources are in conflict: %s", i->s->clock.t,
                            i->m->reason);
        i->firing.is_asked = !i->here.jump.from && !i->slide && !i->firing.unknown;
        st = commit(i, stop);
        if (st != JN_OK)
            return st;
        if (!jni_instant_fire(i, true))
            return i->firing.unknown ? jni_log_unknown(i, stop) : JN_OK;
        jni_copy(i->x_after, i->x, i->s->model.nx);
        if (is_new)
            jni_log_via(i, JN_VIA_PINNACLE);
        if (is_new && !aborted) /* a jump that is cut short ends in no mode, where it has values */
            show_pinnacle(i);
    }
}

/* What was crossed to one side, and reads values that the instant has changed since, may go on to the other. */
static void open_sides(const instant *i)
{
    watch *w = &i->s->watch;
    for (int k = 0; k < w->nsurfaces && w->ncrossed; k++)
        if (w->crossed[k] && w->surface[k].kind == SURFACE_SAMPLED &&
            jni_reads_another(&i->here, w->surface[k].e))
            w->crossed[k] = ON_SURFACE;
}

/* Makes the outcome the present. */
static jn_status adopt(instant *i, jn_stopped *stop)
{
    jn_sim *s = i->s;
    const model *k = &s->model;
    slide *d = i->slide;
    open_sides(i);
    jni_slide_free(s);
    i->slide = NULL;
    jni_copy_ints(s->now.state, i->state, k->g->nswitches);
    memcpy(s->now.onoff, i->onoff, (size_t)k->g->nswitches);
    jni_copy(s->now.x, i->x, k->nx);
    jni_copy(s->now.integral, i->integral, k->ns);
    jni_copy(s->now.discrete, i->discrete, k->nd);
    jni_reserve_z(s, i->m->nz);
    jni_copy(s->now.z, i->z, i->m->nz);
    s->now.m = i->m;
    i->m->entered = true;
    jni_ledger_instant(s);
    s->course.following = false;
    return d ? jni_slide_stay(d, stop) : jni_flow(s, stop);
}

/* Also between two states in which the switch is the same. */
static bool automata_moved(const instant *i, const int *old_state)
{
    const int *before = old_state ? old_state : i->s->now.state;
    return !jni_same_ints(before, i->state, i->s->model.g->nswitches);
}

/* One that has nothing to tell. Those that have stand before it, in order. */
static instant *next_instant(jn_sim *s)
{
    if (s->instants.last->log.is_pending) {
        s->instants.pending++;
        if (s->instants.pending == s->instants.n) {
            JN_GROW(s->instants.item, s->instants.n, s->instants.cap);
            s->instants.item[s->instants.n++] = jni_instant_new(s);
        }
        s->instants.last = s->instants.item[s->instants.pending];
    }
    return s->instants.last;
}

jn_status jni_instant_run(jn_sim *s, jn_event_kind kind, const int *old_state, jn_stopped *stop)
{
    instant *i = next_instant(s);
    begin(i);
    jni_chain_begin(s, old_state);
    jn_status st = settle(i, stop);
    if (st != JN_OK) {
        jni_slide_resign(i);
        return st;
    }
    bool starts = kind == JN_EVENT_START;
    bool changes =
        i->log.jumped || automata_moved(i, old_state) ||
        memcmp(i->discrete, s->now.discrete, (size_t)s->model.g->ndiscretes * sizeof(double)) != 0;
    memcpy(i->left, starts ? i->onoff : s->now.onoff, (size_t)s->model.g->nswitches);
    i->log.is_pending = changes || starts;
    i->log.kind = kind;
    i->log.has_old = old_state;
    s->events += changes && !starts;
    st = adopt(i, stop);
    if (st == JN_OK)
        jni_chain_end(s);
    return st == JN_OK ? jni_slide_adopt(s, stop) : st;
}

/* All that has moved since then, in any of the instants. */
static void mark_moved(instant *i, int since)
{
    const course *c = &i->s->course;
    for (int k = 0; k < i->s->model.g->nswitches; k++)
        for (int e = since; e < c->ntrail; e++)
            i->firing.fresh[k] |= c->trail[e].state[k] != i->state[k];
}

/* What instants since then came to is not told, if it has not been told yet: something else takes their place.
 * Gives the states that it leads away from. */
static const int *take_back(jn_sim *s, int since)
{
    const course *c = &s->course;
    int first = jni_first_untold(s, since, c->ntrail);
    if (first == c->ntrail)
        return s->now.state;
    for (int k = s->instants.pending; k >= 0 && s->events > c->trail[first].events; k--) {
        instant_log *l = &s->instants.item[k]->log;
        s->events -= l->is_pending;
        l->is_pending = false;
    }
    return c->trail[first].state;
}

jn_status jni_instant_choose_way(jn_sim *s, int since, bool *found, jn_stopped *stop)
{
    const struct trail *first = &s->course.trail[since];
    const jn_graph *g = s->model.g;
    *found = false;
    if (s->slide)
        return JN_OK;
    instant *i = next_instant(s);
    begin(i);
    mark_moved(i, since);
    *found = jni_instant_choose(i, first->state);
    if (!*found)
        return JN_OK;
    const int *left = take_back(s, since);
    jni_instant_tell_way(i, left);
    jni_chain_miss(s, "the run goes on in another way than it came");
    jn_status st = settle(i, stop);
    if (st != JN_OK)
        return st;
    for (int k = 0; k < g->nswitches; k++)
        i->left[k] = g->automaton[k].state[left[k]].on;
    i->log.is_pending = automata_moved(i, left);
    i->log.kind = JN_EVENT_STATE;
    i->log.has_old = false;
    s->events += i->log.is_pending;
    s->course.ntrail = 0;
    st = adopt(i, stop);
    return st == JN_OK ? jni_slide_adopt(s, stop) : st;
}

/* Its modes were forgotten: it stays where it was, but what its point was, the new engine does not
 * know. */
static void stay(jn_sim *s)
{
    s->now.m = jni_mode_get(s, s->now.onoff, false);
    jni_reserve_z(s, s->now.m->nz);
    for (int k = 0; k < s->now.m->nz; k++)
        s->now.z[k] = NAN;
}

/* The automata have moved where no stretch led: that is an event as well. */
static void note_moved(instant *i)
{
    jn_sim *s = i->s;
    memcpy(i->left, s->now.onoff, (size_t)s->model.g->nswitches);
    i->log.is_pending = true;
    i->log.kind = JN_EVENT_STATE;
    i->log.has_old = false;
    s->events++;
}

static jn_status settle_present(jn_sim *s, bool tells, jn_stopped *stop)
{
    instant *i = next_instant(s);
    begin(i);
    jni_chain_miss(s, "the run goes on in another way than it came");
    jn_status st = settle(i, stop);
    if (st == JN_OK && tells && automata_moved(i, NULL))
        note_moved(i);
    if (st == JN_OK)
        st = adopt(i, stop);
    jni_slide_resign(i);
    if (st != JN_OK && !s->now.m)
        stay(s);
    return st == JN_OK ? jni_slide_adopt(s, stop) : st;
}

jn_status jni_instant_settle(jn_sim *s, jn_stopped *stop)
{
    return settle_present(s, false, stop);
}

jn_status jni_instant_settle_anew(jn_sim *s, jn_stopped *stop)
{
    jn_status st = settle_present(s, true, stop);
    if (st == JN_OK)
        jni_instants_tell(s);
    return st;
}
