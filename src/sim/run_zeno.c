/* run_zeno.c: events that accumulate.
 *
 * Intervals between events that shrink like a geometric series end at a time that can be named, and
 * so do the states at those events: Aitken's extrapolation. If some mode of those passed through
 * goes on from there, for a bouncing ball the one in contact at rest, the run goes on in it. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "instant.h"

/* The latest is the last. */
void jni_zeno_note(jn_sim *s)
{
    zeno *z = &s->zeno;
    const model *k = &s->model;
    int last = ZENO_KEPT - 1;
    double *x = z->x[0];
    int *state = z->state[0];
    memmove(z->t, z->t + 1, (size_t)last * sizeof *z->t);
    memmove(z->x, z->x + 1, (size_t)last * sizeof *z->x);
    memmove(z->state, z->state + 1, (size_t)last * sizeof *z->state);
    z->x[last] = x ? x : jni_doubles(k->nx + k->ns);
    z->state[last] = state ? state : jn_alloc((size_t)k->g->nswitches * sizeof *state);
    z->t[last] = s->clock.t;
    jni_copy(z->x[last], s->now.x, k->nx);
    jni_copy(z->x[last] + k->nx, s->now.integral, k->ns);
    jni_copy_ints(z->state[last], s->now.state, k->g->nswitches);
    z->n = z->n < ZENO_KEPT ? z->n + 1 : ZENO_KEPT;
}

/* Within which part of the time events accumulate. */
static double nearness(const jn_sim *s)
{
    return s->now.m->engine->is_exact ? ZENO_INTERVAL : ZENO_SLIDING;
}

double jni_zeno_interval(const jn_sim *s)
{
    const zeno *z = &s->zeno;
    return z->n < 2 ? INFINITY : z->t[ZENO_KEPT - 1] - z->t[ZENO_KEPT - 2];
}

/* Whether the automata went through the last turn as through the one before: an event that has nothing to do
 * with the others may well fall such that times look like those of a series. */
static bool repeats(const zeno *z, int turn, int nswitches)
{
    for (int i = ZENO_KEPT - 1; i >= ZENO_KEPT - 2 * turn; i--)
        if (memcmp(z->state[i], z->state[i - turn], (size_t)nswitches * sizeof *z->state[i]) != 0)
            return false;
    return true;
}

/* How many events make one turn, such that turns shrink like a geometric series; 0: none does. *scatter: what their
 * ratios differ by; *blurs: it grows, so that it is rounding. */
static int turn_of(const zeno *z, int nswitches, double *ratio, double *scatter, bool *blurs)
{
    int last = ZENO_KEPT - 1;
    for (int p = 1; 4 * p < z->n; p++) {
        bool shrinks = repeats(z, p, nswitches);
        double rate[3];
        for (int k = 0; k < 3 && shrinks; k++) {
            int i = last - k * p;
            double now = z->t[i] - z->t[i - p], before = z->t[i - p] - z->t[i - 2 * p];
            rate[k] = now / before;
            shrinks = rate[k] > 0 && rate[k] < ZENO_RATIO;
        }
        if (!shrinks)
            continue;
        double now = fabs(rate[0] - rate[1]), before = fabs(rate[1] - rate[2]);
        *ratio = rate[0];
        *scatter = now;
        *blurs = now > ZENO_BLUR && now > 2 * before;
        if (now < 0.05 && before < 0.05)
            return p;
    }
    return 0;
}

/* Of three values one turn apart, the limit. Where they do not move, they are there. */
static double limit_of(double a, double b, double c)
{
    double first = b - a, second = c - b, bend = second - first;
    double scale = fabs(a) + fabs(b) + fabs(c);
    if (fabs(bend) <= 1e-14 * scale || fabs(second) <= 1e-15 * scale)
        return c;
    return c - second * second / bend;
}

/* What the energy so far could have made of a state. */
static double past_size(const jn_sim *s, int i)
{
    return sqrt(fmax(2 * s->ledger.most_stored, 0) * fabs(s->model.storage[i]));
}

/* The state where events accumulate; what comes close to 0 comes to it, and what is 0 as well as it is known: by how
 * turns differ from a series. */
static void limit_state(double *x, jn_sim *s, int turn)
{
    const zeno *z = &s->zeno;
    const model *k = &s->model;
    int last = ZENO_KEPT - 1;
    for (int i = 0; i < k->nx + k->ns; i++) {
        double a = z->x[last - 2 * turn][i], b = z->x[last - turn][i], c = z->x[last][i];
        x[i] = limit_of(a, b, c);
        double earliest = z->x[last - 3 * turn][i];
        double off = fmax(fabs(x[i] - limit_of(earliest, a, b)), z->due.scatter * fabs(b - a));
        double past = i < k->nx ? past_size(s, i) : 0;
        double nothing = fmax(ZENO_NOISE * fmax(fabs(c), fabs(earliest)), ZENO_PAST * past);
        if (fabs(x[i]) <= fmax(nothing, ZENO_UNSURE * off))
            x[i] = 0;
    }
}

/* Where a parabola through its values at the last turns leads. */
static double parabola(const zeno *z, int turn, int i, double t)
{
    int last = ZENO_KEPT - 1;
    double sum = 0;
    for (int k = 0; k < 3; k++) {
        double term = z->x[last - k * turn][i];
        for (int j = 0; j < 3; j++)
            if (j != k)
                term *=
                    (t - z->t[last - j * turn]) / (z->t[last - k * turn] - z->t[last - j * turn]);
        sum += term;
    }
    return sum;
}

/* What takes no part in the events goes on as if there were none, from turn to turn as beyond the
 * last: it is where it has come to, which is known better than what is extrapolated. Gives in `alone`
 * the state as if the others had stood still since the last event. */
static void take_bystanders(double *x, double *alone, jn_sim *s, int turn)
{
    const model *k = &s->model;
    const double *last = s->zeno.x[ZENO_KEPT - 1];
    for (int i = 0; i < k->nx + k->ns; i++) {
        double now = i < k->nx ? s->now.x[i] : s->now.integral[i - k->nx];
        double off = now - parabola(&s->zeno, turn, i, s->clock.t);
        bool is_bystander = now != last[i] && fabs(off) <= ZENO_BYSTANDER * fabs(now - last[i]);
        alone[i] = is_bystander ? now : last[i];
        x[i] = is_bystander ? now : x[i];
    }
}

/* A surface at some state and integrals, in the mode of the last event. */
static triple gap_at(jn_sim *s, const surface *g, const double *x)
{
    mode *m = s->now.m;
    double *z = jni_doubles(m->nz), *after = jni_doubles(s->model.nx);
    view v = jni_present(s);
    triple gap = {{0}, {0}};
    v.z = z;
    gap.part[FINITE] = NAN;
    if (m->engine->enter(z, after, s, m, &(entry){x, x + s->model.nx, &v}))
        gap = jni_surface_value(&v, g);
    free(z);
    free(after);
    return gap;
}

/* Moves what has moved, and by so much at most, until the surface is met. */
static void meet(jn_sim *s, const surface *g, double *x, double gap, const double *moved)
{
    int n = s->model.nx + s->model.ns;
    double *slope = jni_doubles(n), sum = 0;
    for (int i = 0; i < n; i++) {
        double keep = x[i];
        if (moved[i] == 0)
            continue;
        x[i] += moved[i];
        slope[i] = gap_at(s, g, x).part[FINITE] - gap; /* by as much as it has moved */
        x[i] = keep;
        sum += slope[i] * slope[i];
    }
    for (int i = 0; i < n && sum > 0; i++)
        x[i] -= gap * slope[i] / sum * moved[i];
    free(slope);
}

/* Which automata moved in the last turn; free the list. */
static bool *moved_in_turn(const jn_sim *s, int turn)
{
    const zeno *z = &s->zeno;
    int last = ZENO_KEPT - 1, n = s->model.g->nswitches;
    bool *moved = jn_alloc((size_t)n * sizeof *moved);
    for (int k = 0; k < n; k++) {
        moved[k] = s->instants.last->firing.fresh[k];
        for (int e = 0; e < turn; e++)
            moved[k] |= z->state[last - e][k] != z->state[last - turn][k];
    }
    return moved;
}

/* Which automata read what has been crossed since a time, or moved last, by what is crossed nowhere; free the list. */
static bool *concerned_since(const jn_sim *s, double since)
{
    const watch *w = &s->watch;
    int n = s->model.g->nswitches;
    bool *concerned = jn_alloc((size_t)n * sizeof *concerned);
    for (int k = 0; k < n; k++) {
        const int_list *list = &w->of_state[k][s->now.state[k]];
        concerned[k] = s->instants.last->firing.fresh[k];
        for (int i = 0; i < list->n; i++)
            concerned[k] |= w->surface[list->item[i]].crossed_at >= since;
    }
    return concerned;
}

/* Likewise in the last turn, and those that moved in it. One may have moved to and fro within each event, as the contact of
 * a ball that bounces, and another event come last. */
static bool *concerned_in_turn(const jn_sim *s, int turn)
{
    bool *moved = moved_in_turn(s, turn);
    bool *concerned = concerned_since(s, nextafter(s->zeno.t[ZENO_KEPT - 1 - turn], INFINITY));
    for (int k = 0; k < s->model.g->nswitches; k++)
        concerned[k] |= moved[k];
    free(moved);
    return concerned;
}

/* Which surfaces take part in what accumulates: those that were crossed in the last turn, and those that the automata
 * read which moved in it; free the list. */
static bool *taking_part(const jn_sim *s, int turn)
{
    const watch *w = &s->watch;
    bool *part = jn_alloc((size_t)w->nsurfaces * sizeof *part), *moved = moved_in_turn(s, turn);
    for (int i = 0; i < w->nsurfaces; i++)
        part[i] = w->surface[i].crossed_at > s->zeno.t[ZENO_KEPT - 1 - turn];
    for (int k = 0; k < s->model.g->nswitches; k++) {
        const int_list *read = &w->of_state[k][s->now.state[k]];
        for (int i = 0; moved[k] && i < read->n; i++)
            part[read->item[i]] = true;
    }
    free(moved);
    return part;
}

/* What is compared and takes part comes to be equal, if it comes as close: a ball has the speed of the table that it
 * comes to rest on. */
static void meet_surfaces(jn_sim *s, double *x, int turn)
{
    enum { ROUNDS = 3 };
    const zeno *z = &s->zeno;
    const double *earliest = z->x[ZENO_KEPT - 1 - 3 * turn];
    int n = s->model.nx + s->model.ns;
    double *moved = jni_doubles(n);
    bool *part = taking_part(s, turn);
    for (int i = 0; i < n; i++)
        moved[i] = fabs(earliest[i] - x[i]);
    for (int round = 0; round < ROUNDS; round++)
        for (int k = 0; k < s->watch.nsurfaces; k++) {
            const surface *g = &s->watch.surface[k];
            if (!part[k] || (g->kind != SURFACE_LINEAR && g->kind != SURFACE_SAMPLED))
                continue;
            triple gap = gap_at(s, g, x);
            double before = fabs(gap_at(s, g, earliest).part[FINITE]);
            double size = gap.noise[FINITE] / NOISE_OF_SUM, off = fabs(gap.part[FINITE]);
            bool is_met =
                off <= gap.noise[FINITE]; /* what slopes there are would be rounding, too */
            if (!is_met && off <= fmax(ZENO_NOISE * before, ZENO_PAST * size))
                meet(s, g, x, gap.part[FINITE], moved);
        }
    for (int i = 0; i < n; i++) /* what rounding leaves of it is none */
        if (fabs(x[i]) <= 8 * DBL_EPSILON * moved[i])
            x[i] = 0;
    free(part);
    free(moved);
}

static bool lists(const int_list *l, int item)
{
    for (int i = 0; i < l->n; i++)
        if (l->item[i] == item)
            return true;
    return false;
}

/* What took part in events that accumulate: automata, and what has been crossed since a time. */
typedef struct {
    const bool *automaton;
    double since;
} participants;

/* Whether what is crossed next matters only to automata that took no part, as a controller elsewhere, or to none: a
 * friction that comes to stand, or sticks from now on. Where no automaton took part what has been crossed before is it
 * that accumulates. */
static bool is_elsewhere(const jn_sim *s, const participants *p)
{
    const watch *w = &s->watch;
    int n = s->model.g->nswitches;
    bool any = false;
    for (int k = 0; k < n; k++)
        any |= p->automaton[k];
    for (int i = 0; i < w->nsurfaces; i++) {
        if (w->crossed[i] && !any && w->surface[i].crossed_at > p->since)
            return false;
        for (int k = 0; k < n && w->crossed[i]; k++)
            if (p->automaton[k] && lists(&w->of_state[k][s->now.state[k]], i))
                return false;
    }
    return true;
}

/* Whether the run can go on from the present with these automata: nothing fires, and no surface is
 * left at once to where something would. */
static bool goes_on(jn_sim *s, double interval, const participants *p)
{
    jn_stopped stop;
    view v = jni_present(s); /* what was before: the mode as it was, at the limit */
    double *x = jni_doubles(s->model.nx);
    bool known =
        s->now.m->engine->enter &&
        s->now.m->engine->enter(s->now.z, x, s, s->now.m, &(entry){s->now.x, s->now.integral, &v});
    free(x);
    if (!known)
        return false;
    int n = s->model.g->nswitches, *state = jn_alloc((size_t)n * sizeof *state);
    memcpy(state, s->now.state, (size_t)n * sizeof *state);
    bool ok = jni_instant_settle(s, &stop) == JN_OK &&
              !memcmp(state, s->now.state, (size_t)n * sizeof *state);
    free(state);
    if (!ok)
        return false;
    for (int i = 0; i < s->watch.nsurfaces; i++) /* what has come to rest on a surface may stay */
        s->watch.surface[i].side = 0;
    jni_watch_forget(s);
    jni_watch_note(s);
    double end = 100 * interval;
    s->course.t0 = s->clock.t;
    s->course.until = INFINITY;
    s->course.following = false;
    if (!s->now.m->engine->follow(&s->course.stretch, s, s->now.m, end))
        return false;
    end = fmin(end, s->course.stretch.length);
    ok = jni_watch_search(s, &end, NULL) < 0 || is_elsewhere(s, p);
    jni_watch_forget(s);
    return ok;
}

static void restore(jn_sim *s, double t, const double *x, const int *state)
{
    const model *k = &s->model;
    s->clock.t = t;
    memcpy(s->now.x, x, (size_t)k->nx * sizeof *x);
    memcpy(s->now.integral, x + k->nx, (size_t)k->ns * sizeof *x);
    memcpy(s->now.state, state, (size_t)k->g->nswitches * sizeof *state);
}

/* All ways in which the automata that took part may stand, from those of `first` on. */
static bool try_states(jn_sim *s, const int *first, const participants *p, double t,
                       const double *x, double interval)
{
    enum { MOST = 256 };
    const jn_graph *g = s->model.g;
    int n = g->nswitches, count = 0;
    int *moving = jn_alloc((size_t)n * sizeof *moving),
        *state = jn_alloc((size_t)n * sizeof *state);
    long combinations = 1;
    for (int k = 0; k < n; k++)
        if (p->automaton[k] && combinations * g->automaton[k].nstates <= MOST) {
            moving[count++] = k;
            combinations *= g->automaton[k].nstates;
        }
    bool found = false;
    for (long c = 0; c < combinations && !found; c++) {
        long rest = c;
        memcpy(state, first, (size_t)n * sizeof *state);
        for (int i = 0; i < count; i++) { /* first as it stands */
            int states = g->automaton[moving[i]].nstates;
            state[moving[i]] = (int)((state[moving[i]] + rest) % states);
            rest /= states;
        }
        restore(s, t, x, state);
        found = goes_on(s, interval, p);
        if (!found)
            jni_slide_quit(s); /* it has come of this try */
    }
    free(moving);
    free(state);
    return found;
}

bool jni_zeno_may_coast(jn_sim *s, double *end)
{
    struct zeno_due *due = &s->zeno.due;
    bool *part = taking_part(s, due->turn);
    double other = jni_watch_search(s, end, part);
    free(part);
    jni_watch_forget(s);
    if (other < 0)
        return true;
    if (due->limit - s->clock.t > ZENO_NEAREST * nearness(s) * fabs(s->clock.t)) {
        due->turn = 0;
        return false;
    }
    due->limit = s->clock.t + other;
    *end = other;
    return true;
}

static void tell(jn_sim *s, const jn_onoff *from, double limit)
{
    jn_event e = {.t = s->clock.t,
                  .kind = JN_EVENT_ZENO,
                  .from = from,
                  .to = s->now.onoff,
                  .cause = "event times accumulate",
                  .nlimits = 1,
                  .limit = limit};
    if (s->o.on_event)
        s->o.on_event(&e, s->o.ctx);
}

double jni_zeno_limit(const jn_sim *s)
{
    return s->zeno.due.turn ? s->zeno.due.limit : INFINITY;
}

/* What the events lose that are passed over. What the others would have been given since the last event is
 * not counted. */
static void book(jn_sim *s, const double *x, const double *alone)
{
    jn_ledger *l = &s->ledger.sum;
    l->supplied -= jni_stored(s, s->now.x) - jni_stored(s, alone);
    l->lost += jni_stored(s, alone) - jni_stored(s, x);
}

/* At the limit, in the mode of the last event. */
static void stand_at(jn_sim *s, const double *x, const int *state)
{
    view v = jni_present(s);
    double *after = jni_doubles(s->model.nx);
    restore(s, s->clock.t, x, state);
    jni_set_onoff(s);
    jni_reserve_z(s, s->now.m->nz);
    s->now.m->engine->enter(s->now.z, after, s, s->now.m, &(entry){s->now.x, s->now.integral, &v});
    jni_watch_move(&s->watch);
    free(after);
}

/* None of the modes that were tried goes on: whatever one of them slid along, the run does not. */
static void stand_back(jn_sim *s, const jn_onoff *from, const double *x, const int *state)
{
    jni_slide_free(s);
    s->now.m = jni_mode_get(s, from, false);
    stand_at(s, x, state);
}

/* The state at the limit, on the surfaces that are met there. */
static void arrive(double *x, jn_sim *s, int turn)
{
    double *alone = jni_doubles(s->model.nx + s->model.ns);
    limit_state(x, s, turn);
    take_bystanders(x, alone, s, turn);
    meet_surfaces(s, x, turn);
    book(s, x, alone);
    stand_at(s, x, s->zeno.state[ZENO_KEPT - 1]);
    free(alone);
}

static void go_beyond(jn_sim *s)
{
    s->events++;
    s->zeno.n = 0;
}

/* Also what seemed to take no part, if it is within rounding of what there was. */
static void still(double *x, jn_sim *s)
{
    double before = jni_stored(s, x);
    for (int i = 0; i < s->model.nx; i++)
        if (fabs(x[i]) <= ZENO_PAST * past_size(s, i))
            x[i] = 0;
    s->ledger.sum.lost += before - jni_stored(s, x);
}

/* In some mode of those that took part, from the limit. */
static bool go_on_from(jn_sim *s, double *x, int turn, double limit)
{
    const int *state = s->zeno.state[ZENO_KEPT - 1];
    bool *concerned = concerned_in_turn(s, turn);
    participants all = {concerned, s->zeno.t[ZENO_KEPT - 1 - turn]};
    bool found = try_states(s, state, &all, limit, x, s->zeno.due.interval);
    if (!found) {
        still(x, s);
        found = try_states(s, state, &all, limit, x, s->zeno.due.interval);
    }
    free(concerned);
    return found;
}

static jn_status stop_at(jn_sim *s, double limit, double since, jn_stopped *stop)
{
    jn_str names;
    jn_str_init(&names);
    jni_surfaces_print(&names, s, since);
    jn_status st = jni_stop(stop, s, JN_STOP_ZENO,
                            "event times accumulate (Zeno): after %ld events the limit is t = "
                            "%.15g, and no mode goes on from there: %s",
                            s->events, limit, jn_str_c(&names));
    jn_str_clear(&names);
    return st;
}

jn_status jni_zeno_pass(jn_sim *s, jn_stopped *stop)
{
    const model *k = &s->model;
    int turn = s->zeno.due.turn;
    double limit = s->zeno.due.limit;
    double since = s->zeno.t[ZENO_KEPT - 1 - turn];
    s->zeno.due.turn = 0;
    jni_instants_tell(s);
    double *x = jni_doubles(k->nx + k->ns);
    jn_onoff *from = jn_alloc((size_t)k->g->nswitches);
    memcpy(from, s->now.onoff, (size_t)k->g->nswitches);
    arrive(x, s, turn);
    if (s->o.before_event)
        s->o.before_event(s->o.ctx);
    bool found = go_on_from(s, x, turn, limit);
    if (found) {
        go_beyond(s);
    } else {
        stand_back(s, from, x, s->zeno.state[ZENO_KEPT - 1]);
    }
    tell(s, from, limit);
    s->course.following = false;
    s->course.ntrail = 0;
    free(x);
    free(from);
    return found ? JN_OK : stop_at(s, limit, since, stop);
}

/* ---- too small to be seen ------------------------------------------------------------------ */

/* The present, but what is within rounding of what there was is nothing; where events are lost in rounding also what
 * the last of them left. */
static void state_at_rest(double *x, const jn_sim *s, bool is_lost)
{
    const model *k = &s->model;
    const instant *last = s->instants.last;
    jni_copy(x, s->now.x, k->nx);
    jni_copy(x + k->nx, s->now.integral, k->ns);
    for (int i = 0; i < k->nx; i++) {
        double past = past_size(s, i), jumped = 0;
        if (is_lost && last->log.jumped)
            jumped = fmin(2 * fabs(last->prior.to[i] - last->prior.from[i]), ZENO_UNSEEN * past);
        if (fabs(x[i]) <= fmax(ZENO_PAST * past, jumped))
            x[i] = 0;
    }
}

/* Stands in the state, in another mode than before, if the run can go on so. */
static bool rest(jn_sim *s, const double *x, const participants *p)
{
    size_t bytes = (size_t)s->model.g->nswitches * sizeof(int);
    int *state = jn_alloc(bytes);
    memcpy(state, s->now.state, bytes);
    bool found = try_states(s, state, p, s->clock.t, x, CROWD_SPAN * fabs(s->clock.t)) &&
                 memcmp(state, s->now.state, bytes) != 0;
    if (!found)
        memcpy(s->now.state, state, bytes);
    free(state);
    return found;
}

bool jni_zeno_rest(jn_sim *s, double since, bool is_lost)
{
    const model *k = &s->model;
    int n = k->nx + k->ns;
    if (s->slide)
        return false;
    double *x = jni_doubles(2 * n), *keep = x + n;
    bool *concerned = concerned_since(s, since);
    jn_onoff *from = jn_alloc((size_t)k->g->nswitches);
    jni_copy(keep, s->now.x, k->nx);
    jni_copy(keep + k->nx, s->now.integral, k->ns);
    memcpy(from, s->now.onoff, (size_t)k->g->nswitches);
    state_at_rest(x, s, is_lost);
    jni_instants_tell(s);
    if (s->o.before_event)
        s->o.before_event(s->o.ctx);
    bool found = rest(s, x, &(participants){concerned, nextafter(since, -INFINITY)});
    if (found) {
        s->ledger.sum.lost += jni_stored(s, keep) - jni_stored(s, x);
        go_beyond(s);
        tell(s, from, s->clock.t);
    } else {
        stand_back(s, from, keep, s->now.state);
    }
    s->course.following = false;
    s->course.ntrail = 0;
    free(concerned);
    free(from);
    free(x);
    return found;
}

void jni_zeno_check(jn_sim *s)
{
    zeno *z = &s->zeno;
    double ratio, scatter;
    bool blurs;
    int last = ZENO_KEPT - 1, turn = turn_of(z, s->model.g->nswitches, &ratio, &scatter, &blurs);
    if (!turn)
        return;
    double interval = z->t[last] - z->t[last - turn];
    double left = interval * ratio / (1 - ratio);
    double near = blurs ? fmax(ZENO_BLURRED, nearness(s)) : nearness(s);
    if (left <= near * fabs(s->clock.t) && s->clock.t + left <= jni_clock_next(s))
        z->due = (struct zeno_due){turn, s->clock.t + left, interval,
                                   scatter / ((1 - ratio) * (1 - ratio))};
}
