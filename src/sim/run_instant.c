/* iterate.c: what happens at one instant.
 *
 * From the state x_s:
 *
 *   1. candidate mode m; x⁺ = the jump of x_s into m; all values and impulses there.
 *   2. Some transition fires on these values: new candidate, x_s as it was. m was mythical.
 *   3. None fires: x_s := x⁺, and prior values are renewed. Some transition fires now, those that
 *      read prior values among them: new candidate. m was a pinnacle: its jump counts.
 *   4. None fires: go on in m.
 *
 * A condition on within(x) stops a jump where it first holds: the state there counts, and the
 * candidate is left.
 *
 * A forbidden candidate is not yet an error: its sources disagree, which drives some variables
 * without bound, and a transition may fire on that. The same automaton states with the same x_s
 * twice: the loop never ends. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "instant.h"

/* ---- candidates ------------------------------------------------------------------------------ */

/* u = G·v; in a forbidden mode also u̇ = G·V·v, … */
static void read_inputs(instant *i)
{
    const jn_sim *s = i->s;
    int orders = i->m->status == JN_MODE_FORBIDDEN ? INPUT_ORDERS : 1;
    const double *G = jn_generator_G(s->gen), *V = jn_generator_V(s->gen);
    double *v = i->v, *next = i->v + s->nv;
    memcpy(v, s->v, (size_t)s->nv * sizeof *v);
    for (int order = 0;; order++) {
        for (int k = 0; k < s->m; k++)
            i->u[order * s->m + k] = jn_reals_dot(G + k * s->nv, v, s->nv);
        if (order + 1 == orders)
            return;
        for (int l = 0; l < s->nv; l++)
            next[l] = jn_reals_dot(V + l * s->nv, v, s->nv);
        memcpy(v, next, (size_t)s->nv * sizeof *v);
    }
}

static void sources_now(instant *i)
{
    jn_sim *s = i->s;
    if (s->numeric) {
        jn_numeric_prior(s, &i->prior);
        return;
    }
    jn_generator_renew(s->gen, &i->prior, s->t);
    jn_generator_at(s->v, s->gen, s->t);
    read_inputs(i);
}

/* Settles the branches of the sources by what is seen in the candidate; true: something changed. */
static bool settle_branches(instant *i)
{
    const branches *b = jn_generator_branches(i->s->gen);
    bool changed = false;
    if (i->s->numeric)
        return jn_numeric_settle(i->s, &i->here);
    for (int k = 0; k < jn_branches_count(b); k++) {
        bool truth = jn_holds(&i->here, jn_branch_condition(b, k));
        changed |= jn_generator_settle(i->s->gen, k, truth);
    }
    if (changed) {
        i->s->turns = i->s->t - i->s->turn_t <= 1e-9 * fabs(i->s->t) ? i->s->turns + 1 : 0;
        i->s->turn_t = i->s->t;
    }
    return changed;
}

static void reserve_z(instant *i, int nz)
{
    if (i->z && nz <= i->cap_z) /* a model without states has room as well, for none */
        return;
    i->cap_z = nz;
    i->z = jn_realloc(i->z, (size_t)nz * sizeof *i->z);
    i->prior_z = jn_realloc(i->prior_z, (size_t)nz * sizeof *i->prior_z);
    if (i->prior_is_own)
        i->prior.z = i->prior_z;
}

static void enter(instant *i)
{
    jn_sim *s = i->s;
    const jn_graph *g = s->g;
    for (int k = 0; k < g->nswitches; k++)
        i->onoff[k] = g->automaton[k].state[i->state[k]].on;
    i->m = jn_mode_table_get(s, i->onoff);
    if (i->m->status == JN_MODE_SINGULAR)
        return;
    int most =
        s->numeric ? jn_numeric_most_turns(s) : jn_branches_count(jn_generator_branches(s->gen));
    for (int tries = 0; tries <= most; tries++) {
        sources_now(i);
        reserve_z(i, i->m->nz);
        jn_mode_table_enter(i->z, i->x_after, s, i->m, i->x, i->integrals, s->v);
        if (i->m->status == JN_MODE_SINGULAR)
            return;
        if (s->numeric)
            jn_numeric_inputs(i->u, s);
        i->here = (view){.s = s, .m = i->m, .z = i->z, .t = s->t, .from = i->x, .to = i->x_after};
        i->here.u = i->m->status == JN_MODE_FORBIDDEN ? i->u : NULL;
        i->here.prior = &i->prior;
        if (!settle_branches(i))
            break;
    }
}

/* ---- transitions ----------------------------------------------------------------------------- */

/* Lets every automaton take its first transition whose condition holds, all together. Those that
 * read prior values have their turn when these have been renewed. What has just moved does not move
 * on by rounding: the current of a diode that turns on begins at zero, on one side or the other. */
static bool fire(instant *i, bool renewed)
{
    const jn_graph *g = i->s->g;
    bool any = false;
    i->unknown = NULL;
    if (i->s->o.nsequence)
        return false;
    for (int k = 0; k < g->nswitches; k++) {
        const jn_automaton *a = &g->automaton[k];
        for (int l = 0; l < a->ntransitions; l++) {
            const jn_transition *t = &a->transition[l];
            if (t->from != i->state[k] || (!renewed && i->s->reads[k][l].prior))
                continue;
            i->here.steady = i->fresh[k];
            verdict holds = jn_truth(&i->here, t->when);
            i->here.steady = false;
            if (holds == UNKNOWN) {
                i->unknown = t;
                i->unknown_at = k;
            }
            if (holds != YES)
                continue;
            i->state[k] = t->to;
            i->fresh[k] = true;
            jn_instant_fired(i, k, t);
            any = true;
            break;
        }
    }
    return any;
}

/* ---- the loop that never ends ---------------------------------------------------------------- */

static bool seen_before(instant *i)
{
    int n = i->s->g->nswitches, width = n + 1;
    for (int k = 0; k < i->nseen; k++) {
        const int *e = i->seen + (size_t)k * (size_t)width;
        if (e[n] == i->version && !memcmp(e, i->state, (size_t)n * sizeof *e))
            return true;
    }
    if (i->nseen == i->cap_seen) {
        i->cap_seen = i->cap_seen ? 2 * i->cap_seen : 8;
        i->seen = jn_realloc(i->seen, (size_t)i->cap_seen * (size_t)width * sizeof *i->seen);
    }
    int *e = i->seen + (size_t)i->nseen++ * (size_t)width;
    memcpy(e, i->state, (size_t)n * sizeof *e);
    e[n] = i->version;
    return false;
}

/* x_s := x⁺, and what was is now prior. */
static jn_status commit(instant *i, jn_stopped *stop)
{
    jn_sim *s = i->s;
    if (s->numeric)
        s->ledger.supplied += jn_numeric_shift(s, i->x);
    jn_status st = jn_instant_jumps(i) ? jn_instant_book(i, stop) : JN_OK;
    if (st != JN_OK)
        return st;
    memcpy(i->x, i->x_after, (size_t)s->N * sizeof *i->x);
    jn_mode_table_enter(i->z, i->x_after, s, i->m, i->x, i->integrals, s->v);
    if (s->numeric)
        jn_numeric_shift(s, i->x);
    memcpy(i->prior_z, i->z, (size_t)i->m->nz * sizeof *i->prior_z);
    i->prior = (view){.s = s, .m = i->m, .z = i->prior_z, .t = s->t};
    i->prior_is_own = true;
    i->here.from = i->here.to = NULL;
    return JN_OK;
}

/* ---- an instant ------------------------------------------------------------------------------ */

instant *jn_instant_new(jn_sim *s)
{
    size_t n = (size_t)s->g->nswitches, N = (size_t)s->N;
    instant *i = jn_alloc(sizeof *i);
    i->s = s;
    i->state = jn_alloc(n * sizeof *i->state);
    i->forced = jn_alloc(n * sizeof *i->forced);
    i->fresh = jn_alloc(n * sizeof *i->fresh);
    i->onoff = jn_alloc(n);
    i->x = jn_alloc(N * sizeof *i->x);
    i->x_after = jn_alloc(N * sizeof *i->x_after);
    i->integrals = jn_alloc((size_t)s->ni * sizeof *i->integrals);
    i->u = jn_alloc(INPUT_ORDERS * (size_t)s->m * sizeof *i->u);
    i->v = jn_alloc(2 * (size_t)s->nv * sizeof *i->v);
    return i;
}

void jn_instant_free(instant *i)
{
    if (!i)
        return;
    free(i->state);
    free(i->forced);
    free(i->fresh);
    free(i->onoff);
    free(i->x);
    free(i->x_after);
    free(i->z);
    free(i->integrals);
    free(i->u);
    free(i->v);
    free(i->prior_z);
    free(i->seen);
    free(i->via);
    free(i->fired);
    free(i->fired_at);
    free(i->area);
    free(i);
}

static void begin(instant *i)
{
    jn_sim *s = i->s;
    size_t n = (size_t)s->g->nswitches;
    memcpy(i->state, s->state, n * sizeof *i->state);
    memcpy(i->forced, s->state, n * sizeof *i->forced);
    memset(i->fresh, 0, n * sizeof *i->fresh);
    memcpy(i->x, s->x, (size_t)s->N * sizeof *i->x);
    memcpy(i->integrals, s->s, (size_t)s->ni * sizeof *i->integrals);
    i->prior = jn_present(s);
    if (s->numeric)
        jn_numeric_begin_instant(s);
    i->nseen = i->version = i->nvia = i->nfired = 0;
    i->first_pass = true;
    i->prior_is_own = i->jumped = false;
    i->lost = 0;
}

/* −1: all have one. */
static int source_without_value(const instant *i)
{
    for (int k = 0; k < i->s->m; k++)
        if (!isfinite(i->u[k]))
            return k;
    return -1;
}

/* Finds the mode to go on in. */
static jn_status settle(instant *i, jn_stopped *stop)
{
    jn_sim *s = i->s;
    for (;;) {
        if (seen_before(i))
            return jn_instant_loop(i, stop);
        enter(i);
        if (i->m->status == JN_MODE_SINGULAR)
            return jn_stop_run(stop, s, JN_STOP_SINGULAR, "the mode entered at t = %.17g: %s", s->t,
                               i->m->reason);
        int lost = source_without_value(i);
        if (lost >= 0)
            return jn_stop_run(stop, s, JN_STOP_NUMERICS,
                               "the source '%s' has no finite value at t = %.17g",
                               s->g->element[s->g->source[lost]].name, s->t);
        bool is_new = !i->first_pass || i->m != s->now;
        i->here.followed = !is_new && !s->slide;
        i->first_pass = false;
        bool aborted = jn_instant_abort(i);
        if (fire(i, false)) {
            if (is_new)
                jn_instant_via(i, aborted ? JN_VIA_PINNACLE : JN_VIA_MYTHICAL);
            jn_status st = aborted ? jn_instant_keep_part(i, stop) : JN_OK;
            if (st != JN_OK)
                return st;
            continue;
        }
        if (i->m->status == JN_MODE_FORBIDDEN)
            return jn_stop_run(stop, s, JN_STOP_FORBIDDEN,
                               "at t = %.17g the sources are in conflict: %s", s->t, i->m->reason);
        jn_status st = commit(i, stop);
        if (st != JN_OK)
            return st;
        if (!fire(i, true))
            return i->unknown ? jn_instant_unknown(i, stop) : JN_OK;
        if (is_new)
            jn_instant_via(i, JN_VIA_PINNACLE);
    }
}

/* Makes the outcome the present. */
static void adopt(instant *i)
{
    jn_sim *s = i->s;
    s->now = i->m;
    s->now->entered = true;
    memcpy(s->state, i->state, (size_t)s->g->nswitches * sizeof *s->state);
    memcpy(s->mode, i->onoff, (size_t)s->g->nswitches);
    memcpy(s->x, i->x, (size_t)s->N * sizeof *s->x);
    memcpy(s->s, i->integrals, (size_t)s->ni * sizeof *s->s);
    jn_reserve_z(s, i->m->nz);
    memcpy(s->z, i->z, (size_t)i->m->nz * sizeof *s->z);
    s->most_stored = fmax(s->most_stored, jn_stored_energy(s, s->x));
    s->following = false;
    if (s->numeric)
        jn_conditions_note(s);
}

/* Also between two states in which the switch is the same. */
static bool automata_moved(const instant *i, const int *old_state)
{
    const int *before = old_state ? old_state : i->s->state;
    return memcmp(before, i->state, (size_t)i->s->g->nswitches * sizeof *before) != 0;
}

jn_status jn_iterate(jn_sim *s, jn_event_kind kind, const int *old_state, jn_stopped *stop)
{
    instant *i = s->instant;
    begin(i);
    jn_status st = settle(i, stop);
    if (st != JN_OK)
        return st;
    const mode_table *from = s->now;
    bool starts = kind == JN_EVENT_START;
    bool changes = i->m != from || i->jumped || automata_moved(i, old_state);
    if (changes && !starts && s->o.before_event)
        s->o.before_event(s->o.ctx);
    adopt(i);
    s->events += changes && !starts;
    if (changes || starts)
        jn_instant_tell(i, kind, from ? from->onoff : s->mode, old_state);
    jn_slide_free(s); /* whatever happened, it is over */
    return JN_OK;
}
