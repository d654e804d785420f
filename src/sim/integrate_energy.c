/* integrate_energy.c: what storages hold whose laws are not linear.
 *
 * A law e = φ(q) of a C (or f = φ(p) of an I) stores ∫φ; a law q = ψ(e) stores q·e − ∫ψ. A law
 * e = φ(q, q̇) that reads its own rate stores what it would at rest, ∫φ(q, 0)dq; what it takes beyond
 * that, (φ(q, q̇) − φ(q, 0))·q̇, is dissipated. A modulated value stores x²/2 over it, and what its change
 * does to that is supplied from outside; likewise for a law that reads more than the element's own
 * variables. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "integrate.h"

static bool is_of_state(const jn_element *x)
{
    return x->law_of == 'p' || x->law_of == 'q';
}

/* ---- a law by itself ----------------------------------------------------------------------- */

/* All else that the law reads is as in z. */
typedef struct {
    const jn_element *x;
    moment at;
    dual *own;  /* the variable that the law is a function of */
    dual *rate; /* of the state */
} law_view;

static law_view look(integrate *n, int storage, const double *z, double t)
{
    jn_sim *s = n->s;
    model *k = &s->model;
    const jn_element *x = &k->g->element[k->g->storage[storage]];
    int columns = 2 * k->g->nbonds, bond = x->bond[0];
    for (int c = 0; c < columns; c++)
        n->w.jump[c] = (dual){z[c], 0};
    for (int i = 0; i < k->nx; i++)
        n->w.Y[i] = (dual){z[columns + i], 0};
    for (int i = 0; i < k->ns; i++)
        n->w.Y[n->k.first_s + i] = (dual){z[columns + k->nx + i], 0};
    dual *effort = &n->w.jump[2 * bond], *flow = effort + 1;
    dual *own = &n->w.Y[storage];
    if (is_of_state(x))
        own = x->kind == JN_C ? effort : flow;
    return (law_view){x,
                      {.model = k,
                       .onoff = n->put.onoff,
                       .state = n->put.state,
                       .discrete = n->put.discrete,
                       .col = n->w.jump,
                       .x = n->w.Y,
                       .integral = n->w.Y + n->k.first_s,
                       .t = {t, 0},
                       .branching = BRANCH_FREE},
                      own,
                      x->kind == JN_C ? flow : effort};
}

static dual law_at(const law_view *v, double own)
{
    *v->own = (dual){own, 1};
    return jni_tangent(&v->at, v->x->law);
}

enum { GAUSS = 5 };
static const double node[GAUSS] = {0.04691007703066800, 0.23076534494715845, 0.5,
                                   0.76923465505284155, 0.95308992296933200};

/* Gauss's rule of five points. */
static double rule(const law_view *v, double low, double high)
{
    static const double weight[GAUSS] = {0.11846344252809454, 0.23931433524968324,
                                         0.28444444444444444, 0.23931433524968324,
                                         0.11846344252809454};
    double sum = 0;
    for (int k = 0; k < GAUSS; k++)
        sum += weight[k] * law_at(v, low + (high - low) * node[k]).v;
    return (high - low) * sum;
}

/* How far the law is at an end (0, 1) from what its values at the nodes let one expect there; 0: not so far that it must
 * have a kink beyond the last of them, which the rule does not see. */
static double surprise(const law_view *v, double low, double high, int end)
{
    double there = law_at(v, end ? high : low).v, most = fabs(there), expected = 0;
    for (int k = 0; k < GAUSS; k++) {
        double part = law_at(v, low + (high - low) * node[k]).v;
        most = fmax(most, fabs(part));
        for (int l = 0; l < GAUSS; l++)
            part *= l == k ? 1 : (end - node[l]) / (node[k] - node[l]);
        expected += part;
    }
    double off = fabs(there - expected);
    return off > 1e-5 * most ? off * fabs(high - low) : 0;
}

/* Halved where the halves say something else than the whole: at the kinks of a law. */
static double integral(const law_view *v, double low, double high, double whole, double error)
{
    double mid = 0.5 * (low + high), left = rule(v, low, mid), right = rule(v, mid, high);
    bool is_short = fabs(high - low) <= 1e-12 * fabs(high);
    bool agree = !(fabs(left + right - whole) > error) && !(surprise(v, low, high, 0) > error) &&
                 !(surprise(v, low, high, 1) > error);
    if (is_short || agree)
        return left + right;
    return integral(v, low, mid, left, error) + integral(v, mid, high, right, error);
}

/* On pieces that shrink towards 0, where a law may have a root. */
static double integral_to(const law_view *v, double end)
{
    enum { PIECES = 40 };
    double sum = 0, size = 0, high = end;
    for (int i = 0; i < PIECES; i++) {
        double low = i < PIECES - 1 ? 0.75 * high : 0, whole = rule(v, low, high);
        size += fabs(whole);
        sum += integral(v, low, high, whole, 1e-14 * size);
        high = low;
    }
    return sum;
}

/* Away from a point, on one side of it, in steps that grow: two neighbours between which the law passes a value. False:
 * it does not where it is defined. */
static bool bracket(double *low, double *high, const law_view *v, double value, double from,
                    int side)
{
    const double least = 1e-30, most = 1e30, grows = 4;
    double last = NAN;
    for (double far = 0; far<most; far = far> 0 ? grows * far : least) {
        double at = from + side * far, gap = law_at(v, at).v - value;
        if (isfinite(last) && isfinite(gap) && (gap >= 0) != (last >= 0)) {
            *low = from + side * (far > least ? far / grows : 0);
            *high = at;
            return true;
        }
        last = gap;
    }
    return false;
}

/* Where Newton's method leaves the domain of the law, or finds no slope to follow. */
static double solve_by_halves(const law_view *v, double value, double from)
{
    double low, high;
    if (!bracket(&low, &high, v, value, from, 1) && !bracket(&low, &high, v, value, from, -1))
        return NAN;
    bool below = law_at(v, low).v < value;
    for (;;) {
        double mid = 0.5 * (low + high);
        if (mid == low || mid == high)
            break;
        *((law_at(v, mid).v < value) == below ? &low : &high) = mid;
    }
    dual there = law_at(v, high);
    bool jumps = fabs(there.v - law_at(v, low).v) > 1e-9 * (fabs(value) + fabs(there.d * high));
    return jumps ? NAN : high;
}

/* The own variable at which the law has a given value, by Newton's method, halved where it would
 * make things worse. NaN: not found. */
static double newton_law(const law_view *v, double value, double from)
{
    double at = from;
    dual now = law_at(v, at);
    for (int k = 0; k < 200; k++) {
        double gap = value - now.v, step = gap / now.d;
        if (gap == 0)
            return at;
        if (!isfinite(step))
            step = at != 0 ? 0.1 * at : 1e-3;
        bool is_last = fabs(step) <= 1e-15 * fabs(at);
        for (int half = 0; half < 60; half++, step *= 0.5) {
            dual then = law_at(v, at + step);
            if (isfinite(then.v) && (fabs(value - then.v) < fabs(gap) || now.d == 0)) {
                at += step;
                now = then;
                break;
            }
            is_last |= half == 59;
        }
        if (is_last)
            return fabs(value - now.v) <= 1e-9 * (fabs(value) + fabs(now.d * at)) ? at : NAN;
    }
    return NAN;
}

static double solve_law(const law_view *v, double value, double from)
{
    double at = newton_law(v, value, from);
    return isfinite(at) ? at : solve_by_halves(v, value, from);
}

/* ---- energies ------------------------------------------------------------------------------ */

/* The value of a storage that is linear, perhaps modulated, in the present mode. */
static double linear_value(const integrate *n, const law_view *v, int storage)
{
    const jn_sim *s = n->s;
    if (v->x->modulated && !jni_is_switched_element(&s->model, s->model.g->storage[storage]))
        return jni_tangent(&v->at, v->x->modulation).v;
    return s->now.m && s->now.m->storage ? s->now.m->storage[storage] : s->model.storage[storage];
}

static double energy_at(integrate *n, int storage, double x, const double *z, double t)
{
    law_view v = look(n, storage, z, t);
    if (v.x->nonlinear && !is_of_state(v.x)) {
        *v.rate = (dual){0, 0};
        return integral_to(&v, x);
    }
    if (v.x->nonlinear) {
        double own = solve_law(&v, x, v.own->v);
        return x * own - integral_to(&v, own);
    }
    return 0.5 * x * x / linear_value(n, &v, storage);
}

double jni_integrate_energy(integrate *n, int storage, double x)
{
    return energy_at(n, storage, x, n->put.z, n->put.t);
}

double jni_damping(integrate *n, int storage, const double *z, double t)
{
    law_view v = look(n, storage, z, t);
    int bond = v.x->bond[0];
    double rate = v.rate->v, into = z[2 * bond] * z[2 * bond + 1];
    *v.rate = (dual){0, 0};
    return into - law_at(&v, v.own->v).v * rate;
}

void jni_note_put(integrate *n, const mode *m, const double *z, double t, const view *at)
{
    const jn_sim *s = n->s;
    size_t switches = (size_t)s->model.g->nswitches;
    if (z != n->put.z)
        jni_copy(n->put.z, z, jni_obs_count(&s->model));
    n->put.t = t;
    memcpy(n->put.state, at && at->state ? at->state : s->now.state,
           switches * sizeof *n->put.state);
    memcpy(n->put.onoff, m ? m->onoff : s->now.onoff, switches);
    jni_copy(n->put.discrete, at && at->discrete ? at->discrete : s->now.discrete, s->model.nd);
}

/* Whether an expression reads nothing but the element's own variables. */
static bool is_autonomous(const jn_element *x, int element, const jn_expr *e)
{
    bool own = true;
    if (e->op == JN_X_EFFORT || e->op == JN_X_FLOW)
        own = e->index == x->bond[0];
    else if (e->op == JN_X_MOMENTUM || e->op == JN_X_DISPLACEMENT)
        own = e->index == element;
    else if (e->nargs == 0 || e->op == JN_X_INT)
        own = !jn_expr_varies(e);
    for (int i = 0; i < e->nargs && own; i++)
        own = is_autonomous(x, element, e->arg[i]);
    return own;
}

bool jni_is_driven(const model *m, int storage)
{
    int element = m->g->storage[storage];
    const jn_element *x = &m->g->element[element];
    if (jni_is_switched_element(m, element))
        return false;
    return x->modulated || (x->nonlinear && !is_autonomous(x, element, x->law));
}

double jni_driven_energy(integrate *n, const double *z, double t)
{
    double sum = 0;
    for (int i = 0; i < n->s->model.nx; i++)
        if (n->energy.is_driven[i])
            sum += energy_at(n, i, z[jni_obs_state(&n->s->model, i)], z, t);
    return sum;
}

/* ---- the start ----------------------------------------------------------------------------- */

/* The state for a given effort or flow. */
static double state_for(integrate *n, int storage, double value)
{
    law_view v = look(n, storage, n->put.z, n->s->clock.t);
    if (v.x->nonlinear)
        return is_of_state(v.x) ? law_at(&v, value).v : solve_law(&v, value, 0);
    return value * linear_value(n, &v, storage);
}

/* Once for all storages that are given one, as far as the point says what their values read. Returns whether
 * a state is another one than before. */
static bool find_initial(integrate *n)
{
    jn_sim *s = n->s;
    model *k = &s->model;
    bool changed = false;
    for (int i = 0; i < k->nx; i++) {
        const jn_element *x = &k->g->element[k->g->storage[i]];
        if (!x->initial || x->initial_is_state || x->multiport)
            continue;
        double now = state_for(n, i, jni_constant(k, x->initial));
        changed |= !(fabs(now - s->now.x[i]) <= 4 * DBL_EPSILON * fabs(now));
        s->now.x[i] = n->put.z[jni_obs_state(k, i)] = now;
    }
    return changed;
}

/* The efforts and flows of the mode with these states; false: it has none. */
static bool look_into(integrate *n, mode *m)
{
    jn_sim *s = n->s;
    view v = jni_present(s);
    v.m = m;
    double *z = jni_doubles(m->nz), *x = jni_doubles(s->model.nx);
    bool ok = m->status == JN_MODE_OK &&
              m->engine->enter(z, x, s, m, &(entry){s->now.x, s->now.integral, &v});
    if (ok) /* the point has the states after a jump */
        jni_copy(n->put.z + jni_obs_state(&s->model, 0), s->now.x, s->model.nx);
    free(z);
    free(x);
    return ok;
}

/* A value may read other states, and what the mode makes of all of them: they are found in turns. */
int jni_integrate_initial(jn_sim *s, mode *m)
{
    enum { TURNS = 100 };
    integrate *n = jni_integrate(s);
    bool changed = true;
    for (int k = 0; k < TURNS && changed; k++)
        changed = find_initial(n) && look_into(n, m);
    for (int i = 0; i < s->model.nx; i++)
        if (!isfinite(s->now.x[i]))
            return s->model.g->storage[i];
    return -1;
}

/* What a storage would be if it were linear: it sets what counts as small. */
static double likeness(integrate *n, int storage)
{
    law_view v = look(n, storage, n->put.z, n->s->clock.t);
    double value = n->s->model.storage[storage];
    if (v.x->nonlinear) {
        double slope = fabs(law_at(&v, v.own->v).d);
        value = is_of_state(v.x) ? slope : 1 / slope;
    } else if (v.x->modulated) {
        value = fabs(linear_value(n, &v, storage));
    }
    return isfinite(value) && value != 0 ? value : 1;
}

void jni_integrate_start(jn_sim *s)
{
    integrate *n = jni_integrate(s);
    model *k = &s->model;
    int states = jni_obs_state(k, 0);
    jni_copy(n->put.z + states, s->now.x, k->nx);
    jni_copy(n->put.z + states + k->nx, s->now.integral, k->ns);
    jni_note_put(n, NULL, n->put.z, s->clock.t, NULL);
    for (int i = 0; i < k->nx; i++)
        k->storage[i] = likeness(n, i);
    n->energy.driven = jni_driven_energy(n, n->put.z, s->clock.t);
}
