/* run_choose.c: a way on where rounding lets switches change for ever.
 *
 * When the current of a bridge passes from two diodes to two others, all that they compare is 0 at that
 * instant. Which of them conduct then is not said by values but by how these go on, and transitions that
 * are taken together, one candidate after the other, may go round it for ever: all ON, all OFF, all ON.
 * So where an instant comes back to where it was, or several at one point of the solution do, the modes of
 * those that have moved are tried one by one. A mode is one to go on in where nothing fires by what is clear
 * of rounding, nor by the first derivative of what is not:
 *
 *     |g| within rounding:   the side of ġ, as this mode has it
 *     ġ = 0 as well:         neither side, and nothing fires by that
 *
 * The first with the fewest changes is taken. It may be one in which all is clear, as where a diode has cut off
 * the current that was within rounding. But where no comparison is in any of those tried, none is taken: then
 * the switches do change for ever. And where two modes drive the solution back to the surface between
 * them, none of them is found, and the run slides. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "instant.h"

enum { MOST_CHOSEN = 8 }; /* automata that are tried together */

typedef struct {
    instant *i;
    int n, automaton[MOST_CHOSEN], state[MOST_CHOSEN][2]; /* the first: as it stood before */
    signed char *side;                                    /* per surface */
    bool *wanted;                        /* observables, and their rates in the candidate */
    double *x, *integral, *rate, *share; /* share: of branches, as they stood */
    bool is_close;                       /* in one of the candidates something is within rounding */
    bool is_open;                        /* whose rate is not known */
} choice;

/* ---- what may be chosen -------------------------------------------------------------------- */

/* The other of two states; −1: there are more, or something is set on the way, or the past is read, of which a
 * candidate knows nothing. */
static int other_state(const jn_sim *s, int automaton, int state)
{
    const jn_automaton *a = &s->model.g->automaton[automaton];
    for (int l = 0; l < a->ntransitions; l++)
        if (a->transition[l].nsets || s->watch.past[automaton][l] != READS_NO_PAST)
            return -1;
    return a->nstates == 2 ? 1 - state : -1;
}

static bool add(choice *c, int automaton, int state)
{
    int other = other_state(c->i->s, automaton, state);
    for (int l = 0; l < c->n; l++)
        if (c->automaton[l] == automaton)
            return true;
    if (c->n == MOST_CHOSEN || other < 0)
        return false;
    c->automaton[c->n] = automaton;
    c->state[c->n][0] = state;
    c->state[c->n++][1] = other;
    return true;
}

static choice *choice_new(instant *i)
{
    const jn_sim *s = i->s;
    int obs = jni_obs_count(&s->model) + s->model.nd;
    choice *c = jn_alloc(sizeof *c);
    c->i = i;
    c->side = jn_alloc((size_t)s->watch.nsurfaces);
    c->wanted = jn_alloc((size_t)obs * sizeof *c->wanted);
    c->x = jni_doubles(s->model.nx);
    c->integral = jni_doubles(s->model.ns);
    c->rate = jni_doubles(obs);
    c->share = jni_doubles(jni_branches_count(s->branches));
    for (int k = 0; k < jni_branches_count(s->branches); k++)
        c->share[k] = jni_branch_share(s->branches, k);
    for (int g = 0; g < s->watch.nsurfaces; g++)
        for (int l = 0; l < s->watch.surface[g].form.n; l++)
            c->wanted[s->watch.surface[g].form.term[l].obs] = true;
    return c;
}

static void choice_free(choice *c)
{
    free(c->side);
    free(c->wanted);
    free(c->x);
    free(c->integral);
    free(c->rate);
    free(c->share);
    free(c);
}

static void put_shares(const choice *c)
{
    branches *b = c->i->s->branches;
    for (int k = 0; k < jni_branches_count(b); k++)
        jni_branch_set(b, k, c->share[k]);
}

/* ---- one candidate ------------------------------------------------------------------------- */

/* The sign of ġ of a linear surface; 0: not clear of what its terms may be off by. */
static int way_of(const choice *c, const linear_form *f)
{
    double sum = f->ct, size = fabs(f->ct);
    int count = jni_obs_count(&c->i->s->model);
    for (int l = 0; l < f->n && f->term[l].obs < count; l++) {
        sum += f->term[l].c * c->rate[f->term[l].obs];
        size += fabs(f->term[l].c * c->rate[f->term[l].obs]);
    }
    return fabs(sum) > RATE_OF_CHOICE * size ? (sum > 0) - (sum < 0) : 0;
}

/* On which side of a surface the candidate goes on; 0: its value says it. */
static signed char side_of(choice *c, const surface *g)
{
    int part;
    if (g->kind == SURFACE_TIME)
        return 0;
    triple x = jni_surface_value(&c->i->here, g);
    int side = jni_triple_sign(&x, &part);
    bool is_clear =
        side && (part != FINITE ||
                 fabs(x.part[FINITE]) > fmax(CLEAR_OF_LOOP * x.noise[FINITE], g->found_noise));
    if (is_clear || isnan(x.part[FINITE]))
        return 0;
    c->is_open |= g->kind != SURFACE_LINEAR;
    c->is_close |= x.noise[FINITE] > 0;
    int way = way_of(c, &g->form);
    return (signed char)(way ? way : ON_SURFACE);
}

static void find_rates(choice *c)
{
    instant *i = c->i;
    i->m->engine->rates(c->x, c->integral, c->rate, c->wanted, i->s, i->m, i->z);
}

/* The automaton that leaves the candidate; −1: none does. */
static int leaver(choice *c)
{
    instant *i = c->i;
    jn_sim *s = i->s;
    c->is_open = false;
    memset(c->side, 0, (size_t)s->watch.nsurfaces);
    find_rates(c);
    for (int k = 0; k < s->model.g->nswitches; k++) {
        const int_list *list = &s->watch.of_state[k][i->state[k]];
        for (int l = 0; l < list->n; l++)
            c->side[list->item[l]] = side_of(c, &s->watch.surface[list->item[l]]);
    }
    i->here.side = c->side;
    for (int k = 0; k < s->model.g->nswitches; k++) {
        int rank;
        if (jni_instant_fires(i, k, i->state[k], -1, false, &rank))
            return k;
    }
    return -1;
}

/* What stands on a kink takes the way to which it goes from there; whether one was turned. */
static bool turn_ways(choice *c)
{
    jn_sim *s = c->i->s;
    choice kept = *c;
    bool turned = false;
    find_rates(c);
    for (int l = 0; l < s->watch.of_branches.n; l++) {
        int number = s->watch.of_branches.item[l];
        const surface *g = &s->watch.surface[number];
        int side = g->turns.n ? side_of(c, g) : 0;
        if (side != 1 && side != -1)
            continue;
        if (jni_ways_side(s, g) == -side) {
            jni_ways_turn(s, number, side);
            turned = true;
        }
    }
    *c = kept;
    return turned;
}

/* With the ways that fit its values, and where these are on a kink their rates. */
static bool take_ways(choice *c, mode *m)
{
    instant *i = c->i;
    const jn_sim *s = i->s;
    int most = 2 * (jni_branches_count(s->branches) + s->model.steps.n) + 1;
    for (int tries = 0; tries <= most; tries++) {
        if (!jni_instant_enter(i, m) || i->here.jump.from)
            return false;
        if (!jni_instant_settle_ways(i) && !turn_ways(c))
            return true;
    }
    return false;
}

/* Whether the state would stay, and all else has a value. */
static bool stands(choice *c)
{
    instant *i = c->i;
    jn_sim *s = i->s;
    jn_onoff *onoff = jn_alloc((size_t)s->model.g->nswitches);
    for (int k = 0; k < s->model.g->nswitches; k++)
        onoff[k] = s->model.g->automaton[k].state[i->state[k]].on;
    mode *m = jni_mode_get(s, onoff, false);
    free(onoff);
    put_shares(c);
    return m->status == JN_MODE_OK && take_ways(c, m);
}

/* ---- all of them --------------------------------------------------------------------------- */

static int count_bits(unsigned bits)
{
    int n = 0;
    for (; bits; bits &= bits - 1)
        n++;
    return n;
}

static void put(choice *c, unsigned which)
{
    for (int l = 0; l < c->n; l++)
        c->i->state[c->automaton[l]] = c->state[l][which >> l & 1];
}

/* Tries those with so many changes. One that is left by an automaton which was not among them has that join
 * them; then all begins again. */
static bool try_changes(choice *c, int changes, bool *grown)
{
    for (unsigned which = 0; which < 1u << c->n && !*grown; which++) {
        if (count_bits(which) != changes)
            continue;
        put(c, which);
        if (!stands(c))
            continue;
        int k = leaver(c);
        if (k < 0 && c->is_close && !c->is_open)
            return true;
        int before = c->n;
        *grown = k >= 0 && add(c, k, c->i->state[k]) && c->n > before;
    }
    return false;
}

static bool try_all(choice *c)
{
    bool found = false, grown = true;
    while (grown && !found) {
        grown = false;
        for (int changes = 0; changes <= c->n && !found && !grown; changes++)
            found = try_changes(c, changes, &grown);
    }
    return found;
}

void jni_instant_tell_way(instant *i, const int *from)
{
    const jn_graph *g = i->s->model.g;
    i->log.nfired = i->log.nvia = 0;
    for (int k = 0; k < g->nswitches; k++) {
        const jn_automaton *a = &g->automaton[k];
        for (int t = 0; t < a->ntransitions && i->state[k] != from[k]; t++)
            if (a->transition[t].from == from[k] && a->transition[t].to == i->state[k]) {
                jni_log_fired(i, k, &a->transition[t]);
                break;
            }
    }
}

static bool choose(choice *c)
{
    instant *i = c->i;
    jn_sim *s = i->s;
    size_t n = (size_t)s->model.g->nswitches;
    int *before = jn_alloc(n * sizeof *before);
    bool *fresh = jn_alloc(n * sizeof *fresh);
    memcpy(before, i->state, n * sizeof *before);
    memcpy(fresh, i->firing.fresh, n * sizeof *fresh);
    for (size_t k = 0; k < n; k++) /* what is within rounding moves none of them */
        i->firing.fresh[k] = true;
    bool found = c->n && try_all(c);
    if (found) {
        memcpy(s->watch.crossed, c->side, (size_t)s->watch.nsurfaces * sizeof *c->side);
        s->watch.ncrossed = s->watch.nsurfaces;
    } else {
        memcpy(i->state, before, n * sizeof *before);
        memcpy(i->firing.fresh, fresh, n * sizeof *fresh);
        put_shares(c);
    }
    free(before);
    free(fresh);
    return found;
}

bool jni_instant_choose(instant *i, const int *since)
{
    jn_sim *s = i->s;
    if (i->firing.is_chosen || s->instants.as_written || i->slide || i->waiting || i->log.jumped ||
        i->seen.version || s->o.nsequence)
        return false;
    choice *c = choice_new(i);
    bool ok = true;
    for (int k = 0; k < s->model.g->nswitches && ok; k++)
        if (since ? since[k] != i->state[k] || i->firing.fresh[k] : i->firing.fresh[k])
            ok = add(c, k, since ? since[k] : s->now.state[k]);
    i->firing.is_chosen = true;
    ok = ok && choose(c);
    if (ok && !since)
        jni_instant_tell_way(i, s->now.state);
    choice_free(c);
    return ok;
}
