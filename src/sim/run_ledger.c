/* run_ledger.c: where the energy goes: supplied = stored + dissipated + lost in jumps. */
#include <math.h>

#include "run.h"
#include "slide.h"

double jni_stored(jn_sim *s, const double *x)
{
    return s->now.m->engine->stored(s, s->now.m, x);
}

/* Returns what was exchanged. The sum's `moved` is all of it in absolute value. */
static double add_stretch(jn_ledger *l, jn_sim *s, double tau)
{
    energies e = s->now.m->engine->energies(s, s->now.m, tau);
    l->supplied += e.supplied;
    l->dissipated += e.dissipated;
    l->moved += fabs(e.supplied) + fabs(e.dissipated) + fabs(e.exchanged);
    return e.exchanged;
}

void jni_ledger_close(ledger *l, jn_sim *s, double tau)
{
    l->exchanged += add_stretch(&l->sum, s, tau);
    l->low = fmin(l->low, l->exchanged);
    l->high = fmax(l->high, l->exchanged);
}

/* The scale of a residue between two ledgers. What goes to and fro does not add up: an oscillation that
 * drifts would else look the better the longer it lasts. Only rounding adds up with it. */
static double scale_of(const ledger *k, const jn_ledger *a, const jn_ledger *b)
{
    return fabs(b->supplied - a->supplied) + fabs(b->dissipated - a->dissipated) +
           fabs(b->lost - a->lost) + fmax(k->most_stored, k->high - k->low) +
           ROUNDED_OF_GROSS * (b->moved - a->moved);
}

static double residue_of(const jn_ledger *l)
{
    return l->supplied - l->stored - l->dissipated - l->lost;
}

void jni_ledger_held(jn_sim *s, const double *rate, double lasted)
{
    double sum = 0;
    for (int i = 0; i < s->model.nx; i++) {
        double x = rate[i] * lasted, value = fabs(s->model.storage[i]);
        if (value > 0) /* else it varies, or has a law */
            sum += 0.5 * x * x / value;
    }
    s->ledger.held = fmax(s->ledger.held, sum);
}

/* What storages could have taken up since the start from so large an effort and flow, or what has been held at rest. */
static double possible_with(const jn_sim *s, const double most[2])
{
    const model *k = &s->model;
    double sum = s->ledger.held;
    for (int i = 0; i < k->nx; i++) {
        bool is_inertia = k->g->element[k->g->storage[i]].kind == JN_I;
        double x = most[is_inertia ? 0 : 1] * s->clock.t, value = fabs(s->now.m->storage[i]);
        if (value > 0) /* else it varies, or has a law */
            sum += 0.5 * x * x / value;
    }
    return sum;
}

static void take_larger(double *most, jn_sim *s, int col)
{
    double noise, value = fabs(jni_value_at(&noise, s, s->now.m, s->now.z, col));
    if (isfinite(value) && value > most[col % 2]) {
        most[col % 2] = value;
        s->ledger.largest[col % 2] = col;
    }
}

/* At least so much is possible: with the variables that were the largest when all were looked at. */
static double surely_possible(jn_sim *s)
{
    double most[2] = {0};
    for (int i = 0; i < 2 && s->model.g->nbonds; i++)
        take_larger(most, s, s->ledger.largest[i] ? s->ledger.largest[i] : i);
    return possible_with(s, most);
}

/* What the efforts and flows of now could have stored since the start. Where all is at rest nothing
 * but rounding moves energy, and only beside this it can be told that it is. */
static double possible(jn_sim *s)
{
    const model *k = &s->model;
    view v = jni_present(s);
    double most[2] = {0};
    for (int c = 0; c < 2 * k->g->nbonds; c++)
        take_larger(most, s, c);
    for (int r = 0; s->slide && r < k->nr; r++) { /* a friction that holds: what it could do */
        const jn_element *x = &k->g->element[k->g->resistor[r]];
        if (x->nonlinear) {
            double *largest = &most[x->law_of == 'e' ? 0 : 1];
            *largest = fmax(*largest, jni_slide_most(&v, x->law));
        }
    }
    return possible_with(s, most);
}

/* The largest share so far, as long as that residue is more than rounding of all that has moved by now: where a
 * run begins at nothing, states are known beside what will be, and the energies of its first instants are not. */
static double worst_beside(const ledger *k, double moved)
{
    return k->worst_change > DBL_EPSILON * moved ? k->worst : 0;
}

/* A fault late in a long run counts beside what has happened since the instant before. One that the run has
 * hardly left is not the one before yet: in between there is nothing but the rounding of the stretch. */
void jni_ledger_instant(jn_sim *s)
{
    ledger *k = &s->ledger;
    double passed = s->clock.t - k->last_t;
    double stored = jni_stored(s, s->now.x);
    if (stored > k->most_stored)
        jni_watch_move(&s->watch);
    k->most_stored = fmax(k->most_stored, stored);
    k->sum.stored = stored - k->stored_at_start;
    if (passed > 0 && passed < SAME_TIME * s->course.span)
        return;
    double change = fabs(residue_of(&k->sum) - residue_of(&k->last));
    double scale = scale_of(k, &k->last, &k->sum);
    double worst = worst_beside(k, k->sum.moved);
    if (change > DBL_EPSILON * k->sum.moved && change > worst * scale &&
        change > worst * (scale + REST_OF_POSSIBLE * surely_possible(s))) {
        double share = change / (scale + REST_OF_POSSIBLE * possible(s));
        if (share > worst) {
            k->worst = share;
            k->worst_change = change;
        }
    }
    k->last = k->sum;
    k->last_t = s->clock.t;
}

/* Power into a resistor now. */
static double power_into(jn_sim *s, int r)
{
    const jn_graph *g = s->model.g;
    int element = g->resistor[r], b = g->element[element].bond[0];
    view v = jni_present(s);
    double p = jni_observe(&v, jni_obs_effort(b)).part[FINITE] *
               jni_observe(&v, jni_obs_flow(b)).part[FINITE];
    return g->bond[b].head == element ? p : -p;
}

/* What storages would hold at the largest effort and flow of now: where a law that jumps stands still the flow is nothing
 * but rounding, and so is what it seems to give. */
static double could_hold(jn_sim *s)
{
    const model *k = &s->model;
    double most[2] = {0}, sum = 0;
    for (int c = 0; c < 2 * k->g->nbonds; c++)
        take_larger(most, s, c);
    for (int i = 0; i < k->nx; i++) {
        double one = most[k->g->element[k->g->storage[i]].kind == JN_I];
        sum += fabs(k->storage[i]) * one * one;
    }
    return isfinite(sum) ? sum : 0;
}

/* Laws come before what is linear. */
int jni_ledger_gainer(jn_sim *s)
{
    const jn_graph *g = s->model.g;
    int worst = -1;
    double least = INFINITY;
    double gain = -s->ledger.sum.dissipated;
    const jn_ledger none = {0};
    if (!s->model.is_passive || !(gain > 0) ||
        !(gain > GAIN_OF_LAW * scale_of(&s->ledger, &none, &s->ledger.sum)) ||
        !(gain > REST_OF_POSSIBLE * possible(s)) || !(gain > ROUNDED_REST * could_hold(s)))
        return -1;
    for (int r = 0; r < s->model.nr; r++) {
        bool has_law = g->element[g->resistor[r]].nonlinear;
        double p = has_law ? power_into(s, r) : INFINITY;
        if (worst < 0 || p < least) {
            worst = g->resistor[r];
            least = p;
        }
    }
    return worst;
}

/* Roots of Legendre's polynomial by Newton's method. */
void jni_gauss_rule(double *at, double *w, int n)
{
    for (int i = 0; i < n; i++) {
        double x = cos(PI * (i + 0.75) / (n + 0.5)), slope = 1;
        for (int k = 0; k < 100; k++) {
            double p0 = 1, p1 = x;
            for (int j = 2; j <= n; j++) {
                double p2 = ((2 * j - 1) * x * p1 - (j - 1) * p0) / j;
                p0 = p1;
                p1 = p2;
            }
            slope = n * (x * p1 - p0) / (x * x - 1);
            double step = p1 / slope;
            x -= step;
            if (fabs(step) < 1e-16)
                break;
        }
        at[i] = 0.5 * (1 - x);
        w[i] = 1 / ((1 - x * x) * slope * slope);
    }
}

jn_ledger jn_sim_ledger(const jn_sim *cs)
{
    jn_sim *s = (jn_sim *)cs;
    ledger k = s->ledger;
    if (s->course.following && s->clock.t > s->course.t0)
        jni_ledger_close(&k, s, s->clock.t - s->course.t0);
    double stored = jni_stored(s, s->now.x);
    k.most_stored = fmax(k.most_stored, stored);
    k.sum.stored = stored - k.stored_at_start;
    k.sum.moved = scale_of(&k, &(jn_ledger){0}, &k.sum);
    return k.sum;
}

double jn_sim_residue(const jn_sim *cs)
{
    jn_sim *s = (jn_sim *)cs;
    jn_ledger l = jn_sim_ledger(s);
    double residue = fabs(residue_of(&l));
    if (!isfinite(residue))
        return NAN;
    double share = residue > 0 ? residue / (l.moved + REST_OF_POSSIBLE * possible(s)) : 0;
    return fmax(share, worst_beside(&s->ledger, l.moved));
}
