/* integrate.c: the engine of models that are not linear.
 *
 * Elements with laws of their own, values and sources that follow the model, integrals of
 * anything: such a model is followed by steps of an integrator. A point z is all observables (bond
 * variables, states, integrals), and behind them how far each may be off.
 *
 * The equations of a mode have the unknowns
 *
 *     y = (x, Din, a, s)
 *
 * x: all storages, whatever their causality; Din: the inputs of the resistors; a: co-states of
 * storages that are not linear, modulated values, and the ports of sources whose expressions read
 * the model; s: integrals. Where they are in y does not depend on the mode, so the values of one
 * mode are a good first guess in the next. With positive laws the equations have index 1.
 *
 * Between events prior(x) reads x: that is the limit of small steps. */
#include "integrate.h"

#include <stdlib.h>
#include <string.h>

/* ---- points -------------------------------------------------------------------------------- */

/* Nothing but zeros says little of a value: what its expression gives there is the first guess. */
static void guess(integrate *n, mode *m, double t, const double *x, const double *integrals)
{
    if (n->has_guess)
        return;
    n->has_guess = true;
    for (int i = 0; i < n->s->model.nx; i++)
        n->w.Y[i] = (dual){x[i], 0};
    for (int k = 0; k < n->s->model.ns; k++)
        n->w.Y[n->k.first_s + k] = (dual){integrals[k], 0};
    const view *v = n->w.at;
    moment at = {.model = &n->s->model,
                 .onoff = m->onoff,
                 .state = v->state,
                 .discrete = v->discrete,
                 .col = n->w.col,
                 .x = n->w.Y,
                 .integral = n->w.Y + n->k.first_s,
                 .t = {t, 0},
                 .prior = v->prior};
    for (int i = 0; i < n->k.nmodulated; i++)
        if (n->k.modulated[i].q.at >= 0) {
            double value = jni_tangent(&at, n->k.modulated[i].q.e).v;
            n->y[n->k.modulated[i].q.at] = isfinite(value) && value != 0 ? value : 1;
        }
}

/* Shares that the equations found. */
static void read_shares(integrate *n)
{
    branches *b = n->s->branches;
    for (int k = 0; k < jni_branches_count(b); k++)
        if (jni_branch_is_free(b, k))
            jni_branch_set(b, k, n->y[n->k.share[k]]);
}

static bool shares_are_good(const integrate *n)
{
    const branches *b = n->s->branches;
    for (int k = 0; k < jni_branches_count(b); k++) {
        double share = n->k.share[k] >= 0 ? n->y[n->k.share[k]] : 0;
        if (jni_branch_is_free(b, k) && !(share >= -SHARE_SLACK && share <= 1 + SHARE_SLACK))
            return false;
    }
    return true;
}

/* What the last mode has left is no good guess here. */
static bool solve_anew(integrate *n, mode *m, double t, const entry *from)
{
    memset(n->yp, 0, (size_t)n->k.n * sizeof *n->yp);
    memset(n->y + n->k.first_r, 0, (size_t)(n->k.first_s - n->k.first_r) * sizeof *n->y);
    n->has_guess = false;
    guess(n, m, t, from->x, from->integral);
    return jni_integrate_solve(n, m, t, from->x, from->integral, BRANCH_JUMPS_HELD);
}

/* Where laws in series bend at once Newton's method goes to and fro between their sides, unless they are held. What is
 * found there says which sides are the right ones. */
static bool solve_held(integrate *n, mode *m, double t, const entry *from)
{
    memset(n->yp, 0, (size_t)n->k.n * sizeof *n->yp);
    memset(n->y + n->k.first_r, 0, (size_t)(n->k.first_s - n->k.first_r) * sizeof *n->y);
    return jni_integrate_solve(n, m, t, from->x, from->integral, BRANCH_HELD);
}

/* With 5*sign(f) of a brake that is not connected, e = 0 says that f is 0, and sign(f) between its
 * ways: one branch after the other is taken to be so. */
static bool solve_between(integrate *n, mode *m, double t, const entry *from)
{
    branches *b = n->s->branches;
    for (int k = 0; k < jni_branches_count(b); k++) {
        if (n->k.share[k] < 0 || jni_branch_is_free(b, k))
            continue;
        jni_branch_free(b, k, true);
        if (solve_anew(n, m, t, from) && shares_are_good(n))
            return true;
        if (k + 1 == jni_branches_count(b))
            break;
        jni_branch_free(b, k, false);
    }
    for (int k = 0; k < jni_branches_count(b); k++)
        jni_branch_free(b, k, n->k.share[k] >= 0);
    if (solve_anew(n, m, t, from) && shares_are_good(n))
        return true;
    for (int k = 0; k < jni_branches_count(b); k++)
        jni_branch_free(b, k, false);
    return false;
}

/* A share that was found in another mode may be none here. */
static void settle_free(integrate *n)
{
    branches *b = n->s->branches;
    for (int k = 0; k < jni_branches_count(b); k++)
        if (jni_branch_is_free(b, k)) {
            jni_branch_free(b, k, false);
            jni_branch_set(b, k, jni_branch_share(b, k) > 0.5);
        }
}

/* A storage whose value follows time or the model needs one above 0: below, it would give back more
 * than it took. */
static void check_storages(integrate *n)
{
    const jn_graph *g = n->s->model.g;
    for (int i = 0; i < n->k.nmodulated; i++) {
        const modulated *v = &n->k.modulated[i];
        if (jn_kind_is_storage(g->element[v->element].kind) && !(v->now.v > 0)) {
            n->s->trouble.broken = v->element;
            n->s->trouble.value = v->now.v;
        }
    }
}

/* The law of its own that is furthest from being kept; −1: there is none. */
static int unkept(integrate *n, mode *m, double t)
{
    const jn_graph *g = n->s->model.g;
    int worst = -1;
    double most = 0;
    jni_residual_at(n, n->y, n->yp);
    jni_residual(n, m, (dual){t, 0}, NULL);
    for (int i = 0; i < n->k.n; i++) {
        int element = jni_unknown_element(n, i);
        double gap = fabs(n->w.F[i].v);
        if (element < 0 || !(g->element[element].nonlinear || g->element[element].modulated))
            continue;
        if (worst < 0 || !(gap <= most)) {
            most = isfinite(gap) ? gap : INFINITY;
            worst = element;
        }
    }
    return worst;
}

/* The smallest and the largest value of storages and resistors, where no sum of doubles holds both. */
static void add_range(jn_str *to, const model *k, const mode *m)
{
    int least = -1, most = -1;
    double low = INFINITY, high = 0;
    for (int i = 0; i < k->nx + k->nr; i++) {
        double value = fabs(i < k->nx ? m->storage[i] : m->resistor[i - k->nx]);
        int element = i < k->nx ? k->g->storage[i] : k->g->resistor[i - k->nx];
        if (value > 0 && value < low) {
            low = value;
            least = element;
        }
        if (value > high && isfinite(value)) {
            high = value;
            most = element;
        }
    }
    if (least >= 0 && most >= 0 && low < LEAST_RATIO * high)
        jn_str_addf(
            to,
            "; '%s' is %g and '%s' is %g: doubles do not hold both, so leave the one out or "
            "choose units in which they are closer",
            k->g->element[least].name, low, k->g->element[most].name, high);
}

static bool fail(integrate *n, mode *m, double t)
{
    int element = unkept(n, m, t);
    jn_str why;
    jn_str_init(&why);
    jn_str_add(&why, "no values were found that satisfy its equations");
    if (element >= 0)
        jn_str_addf(&why, "; look at the law of '%s'", n->s->model.g->element[element].name);
    else
        add_range(&why, &n->s->model, m);
    free(m->reason);
    m->reason = why.s;
    n->w.at = NULL;
    return false;
}

static void was_held(jn_sim *s, const double *size)
{
    integrate *n = jni_integrate(s);
    for (int i = 0; i < s->model.nx; i++)
        n->size.peak[i] = fmax(n->size.peak[i], fabs(size[i]));
}

static bool enter(double *z, double *x_after, jn_sim *s, mode *m, const entry *from)
{
    integrate *n = jni_integrate(s);
    double t = from->at->t;
    jni_note_came(n, t);
    n->came.settles = t == n->came.t ? jni_settling_time(n, m) : 0;
    n->w.at = from->at;
    guess(n, m, t, from->x, from->integral);
    jni_follower_restart(n->follower);
    jni_program_forget_poles(jni_program(m));
    if (!from->at->is_followed || n->flat_mode != m)
        jni_flat_enter(n, m, t, from->x);
    jni_faint_widen(n);
    was_held(s, from->x);
    bool ok = from->at->is_followed &&
              jni_integrate_solve(n, m, t, from->x, from->integral, BRANCH_HELD) &&
              (from->at->keeps_free || shares_are_good(n));
    ok = ok || (jni_integrate_solve(n, m, t, from->x, from->integral, BRANCH_JUMPS_HELD) &&
                (from->at->keeps_free || shares_are_good(n)));
    if (!ok) {
        settle_free(n);
        ok = solve_anew(n, m, t, from) || solve_between(n, m, t, from) || solve_held(n, m, t, from);
    }
    if (ok)
        read_shares(n);
    if (!ok)
        return fail(n, m, t);
    for (int i = 0; i < s->model.nx; i++) /* what does not jump stays to the bit */
        if (fabs(n->y[i] - from->x[i]) <= 4 * DBL_EPSILON * fabs(from->x[i]))
            n->y[i] = from->x[i];
    memcpy(x_after, n->y, (size_t)s->model.nx * sizeof *x_after);
    jni_hold_came(x_after, n, from->x);
    jni_integrate_observe(z, n, m, t, n->y, n->yp, FROM_EQUATIONS);
    jni_note_put(n, m, z, t, from->at);
    n->w.at = NULL;
    check_storages(n);
    return true;
}

static void soften(jn_sim *s, mode *m, double t, const double *off)
{
    integrate *n = jni_integrate(s);
    memset(n->trial, 0, (size_t)n->k.n * sizeof *n->trial);
    jni_copy(n->trial, off, s->model.nx);
    jni_note_steep(n, m, t, n->y, n->yp, n->trial);
    jni_flat_widen(n, m, t, n->y, n->yp);
}

/* Sources of time alone have a derivative that is known. */
static void inputs(double *u, jn_sim *s, mode *m, const double *z)
{
    integrate *n = jni_integrate(s);
    const model *k = &s->model;
    (void)z;
    memcpy(u, n->w.u, (size_t)k->nu * sizeof *u);
    if (m->status != JN_MODE_FORBIDDEN)
        return;
    memset(u + k->nu, 0, (size_t)((INPUT_ORDERS - 1) * k->nu) * sizeof *u);
    moment at = {.model = &s->model,
                 .branches = s->branches,
                 .onoff = m->onoff,
                 .state = n->put.state,
                 .discrete = n->put.discrete,
                 .t = {s->clock.t, 1}};
    for (int i = 0; i < k->nu; i++)
        if (n->k.source[i].at < 0)
            u[k->nu + i] = jni_tangent(&at, n->k.source[i].e).d;
}

static double value(double *noise, jn_sim *s, mode *m, const double *z, int obs)
{
    *noise = z[jni_obs_count(&s->model) + obs];
    (void)m;
    return z[obs];
}

static double form(double *noise, jn_sim *s, mode *m, const double *z, const linear_form *f)
{
    double sum = 0, off = 0;
    int count = jni_obs_count(&s->model);
    for (int i = 0; i < f->n && f->term[i].obs < count; i++) {
        sum += f->term[i].c * z[f->term[i].obs];
        off += fabs(f->term[i].c) * z[count + f->term[i].obs];
    }
    if (noise)
        *noise = off;
    return jni_mode_leaves_open(s, m, f) ? NAN : sum;
}

static void rates(double *x, double *integral, double *obs, const bool *wanted, jn_sim *s, mode *m,
                  const double *z)
{
    integrate *n = jni_integrate(s);
    const model *k = &s->model;
    int bonds = 2 * k->g->nbonds;
    (void)z;
    memcpy(x, n->yp, (size_t)k->nx * sizeof *x);
    memcpy(integral, n->yp + n->k.first_s, (size_t)k->ns * sizeof *integral);
    jni_residual_at(n, n->y, n->yp);
    for (int i = 0; i < n->k.n; i++)
        n->w.Y[i].d = n->yp[i];
    jni_carry(n, m, (dual){n->put.t, 1});
    for (int o = 0; obs && o < jni_obs_count(k); o++) {
        if (!wanted[o])
            continue;
        obs[o] = o < bonds           ? n->w.col[o].d * (o % 2 ? m->solved->flow_sign[o / 2] : 1)
                 : o < bonds + k->nx ? x[o - bonds]
                                     : integral[o - bonds - k->nx];
    }
}

/* ---- impulses, and what is driven without bound -------------------------------------------- */

/* Sums of what the bonds have, each with what its terms amount to. */
static double sum_bonds(double *size, const integrate *n, const mode *m, const linear_form *f)
{
    double sum = 0;
    *size = 0;
    for (int i = 0; i < f->n && f->term[i].obs < 2 * n->s->model.g->nbonds; i++) {
        int obs = f->term[i].obs;
        sum += f->term[i].c * jni_bond_sign(m, obs) * n->w.sum[obs];
        *size += fabs(f->term[i].c) * n->w.size[obs];
    }
    return sum;
}

static double noise_of_relaxed(integrate *n, const mode *m, const linear_form *f)
{
    double noise = 0;
    for (int i = 0; i < f->n && f->term[i].obs < 2 * n->s->model.g->nbonds; i++)
        noise += fabs(f->term[i].c) * jni_relaxed_impulse(n, m, f->term[i].obs);
    return noise;
}

static double impulse(double *noise, jn_sim *s, mode *m, const linear_form *f, const jump *j)
{
    integrate *n = jni_integrate(s);
    const model *k = &s->model;
    const program *p = jni_program(m);
    double size, energy = 2 * s->ledger.most_stored;
    size_t bytes = (size_t)m->solved->ncols * sizeof(double);
    *noise = 0;
    if (jni_mode_leaves_open(s, m, f))
        return 0;
    memset(n->w.sum, 0, bytes);
    memset(n->w.size, 0, bytes);
    for (int i = 0; i < k->nx; i++)
        if (!m->integral[i] && !(j->is_sudden && m->hastens && m->hastens[i] &&
                                 jni_relaxes(n, m, i, j->to[i] - j->from[i]))) {
            n->w.sum[p->in[i]] = j->to[i] - j->from[i];
            n->w.size[p->in[i]] =
                fabs(j->to[i]) + fabs(j->from[i]) +
                NOISE_OF_PAST * (sqrt(energy * fabs(m->storage[i])) + n->size.peak[i]);
        }
    jni_program_sums(p, n->w.sum, n->w.size);
    double area = sum_bonds(&size, n, m, f);
    *noise = fmax(NOISE_OF_JUMP, CLEAR_OF_STEP * jni_integrate_tolerance(n)) * size;
    if (j->is_sudden && m->hastens)
        *noise += noise_of_relaxed(n, m, f);
    return fabs(area) > *noise ? area : 0;
}

/* Of what a source's value may be off by the part NOISE_OF_CONFLICT: near a zero it is known as well as it was at
 * its peak, and as the time is. rate: of the sources. */
static double doubt_of(const jn_sim *s, int source, const double *rate)
{
    const jn_element *x = &s->model.g->element[s->model.g->source[source]];
    int b = x->bond[0];
    double peak = jni_integrate(s)->size.largest[x->kind == JN_SE ? 2 * b : 2 * b + 1];
    return NOISE_OF_PEAK * peak +
           2 * DBL_EPSILON / NOISE_OF_CONFLICT * s->clock.t * fabs(rate[source]);
}

/* What the sources that lost their input are off by, as inputs of the ports. rate: of u; NULL: it is not known. */
static void put_conflict(double *sum, double *size, const jn_sim *s, const mode *m, const double *u,
                         const double *rate)
{
    const model *k = &s->model;
    const program *p = jni_program(m);
    int first = k->nx + k->nr;
    double *given = jni_doubles(m->solved->ncols), *most = jni_doubles(m->solved->ncols);
    for (int i = 0; i < k->nu; i++) {
        int in = p->in[first + i];
        given[in] = m->is_lost[i] ? 0 : u[i];
        most[in] = fabs(given[in]) + (rate && !m->is_lost[i] ? doubt_of(s, i, rate) : 0);
    }
    jni_program_sums(p, given, most);
    for (int i = 0; i < k->nu; i++) {
        if (!m->is_lost[i])
            continue;
        int in = p->in[first + i], out = p->out[first + i], element = k->g->source[i];
        bool tail = k->g->bond[k->g->element[element].bond[0]].tail == element;
        sum[in] = (tail ? 1 : -1) * (u[i] - given[out]);
        size[in] = fabs(u[i]) + most[out] + (rate ? doubt_of(s, i, rate) : 0);
    }
    free(given);
    free(most);
}

/* The first derivative in which sources differ tells what drives them apart. */
static double conflict(double *noise, jn_sim *s, mode *m, const linear_form *f, const double *u)
{
    integrate *n = jni_integrate(s);
    size_t bytes = (size_t)m->solved->ncols * sizeof(double);
    *noise = 0;
    if (m->status != JN_MODE_FORBIDDEN || jni_mode_leaves_open(s, m, f))
        return 0;
    for (int order = 0; order < 2; order++) {
        memset(n->w.sum, 0, bytes);
        memset(n->w.size, 0, bytes);
        put_conflict(n->w.sum, n->w.size, s, m, u + order * s->model.nu,
                     order == 0 ? u + s->model.nu : NULL);
        jni_program_sums(jni_program(m), n->w.sum, n->w.size);
        double size, sum = sum_bonds(&size, n, m, f);
        if (fabs(sum) > NOISE_OF_CONFLICT * size)
            return sum;
    }
    return 0;
}

/* ---- on a stretch -------------------------------------------------------------------------- */

static void keep(jn_sim *s)
{
    integrate *n = jni_integrate(s);
    size_t bytes = (size_t)n->k.n * sizeof(double);
    memcpy(n->kept, n->y, bytes);
    memcpy(n->kept + n->k.n, n->yp, bytes);
    memcpy(n->kept + 2 * n->k.n, n->size.peak, bytes);
}

static void put_back(jn_sim *s)
{
    integrate *n = jni_integrate(s);
    size_t bytes = (size_t)n->k.n * sizeof(double);
    memcpy(n->y, n->kept, bytes);
    memcpy(n->yp, n->kept + n->k.n, bytes);
    memcpy(n->size.peak, n->kept + 2 * n->k.n, bytes);
}

/* What the integrator gives satisfies the algebraic rows as well as it satisfies anything. At an
 * event they should hold to rounding: there, equal efforts are compared. */
static void agree(double *x, integrate *n, mode *m, const double *integral)
{
    n->w.at = NULL;
    if (jni_program(m)->is_dependent &&
        jni_integrate_solve(n, m, n->put.t, x, integral, BRANCH_HELD))
        memcpy(x, n->y, (size_t)n->s->model.nx * sizeof *x);
}

/* Where the step's own do not do: values that satisfy the equations with the states there. */
static bool see_values(double *z, integrate *n, mode *m, double t)
{
    jni_follower_see(z, n->follower, t);
    if (jni_has_values(n, m, t, n->y, n->yp))
        return true;
    n->s->trouble.lawless = unkept(n, m, t);
    return false;
}

/* Where a transformer joins what imposes the same variable on both of its sides, a ratio of 0 leaves no value: that must not
 * be passed by a step. */
static void check_ratios(integrate *n, mode *m, double t)
{
    const jn_graph *g = n->s->model.g;
    double least = INFINITY;
    if (!jni_program(m)->nvarying)
        return;
    jni_residual_at(n, n->follower->y, n->follower->yp);
    jni_carry(n, m, (dual){t, 0});
    if (!jni_program_passes_pole(jni_program(m)))
        return;
    for (int i = 0; i < n->k.nmodulated; i++) {
        const modulated *v = &n->k.modulated[i];
        bool is_ratio =
            g->element[v->element].kind == JN_TF || g->element[v->element].kind == JN_GY;
        if (is_ratio && fabs(v->now.v) < least) {
            least = fabs(v->now.v);
            n->s->trouble.lawless = v->element;
        }
    }
}

/* Here the run comes to stand: all laws must have values. */
static void at(double *z, double *x, double *integral, jn_sim *s, mode *m, double tau)
{
    integrate *n = jni_integrate(s);
    const model *k = &s->model;
    follower *f = n->follower;
    double t = s->course.t0 + tau;
    int states = 2 * k->g->nbonds;
    n->w.at = NULL;
    jni_follower_observe(z, f, t, true, true);
    jni_follower_at(f, t, true);
    bool ok = jni_has_values(n, m, t, f->y, f->yp) || see_values(z, n, m, t);
    memcpy(x, z + states, (size_t)k->nx * sizeof *x);
    memcpy(integral, z + states + k->nx, (size_t)k->ns * sizeof *integral);
    jni_note_put(n, m, z, t, NULL);
    check_storages(n);
    check_ratios(n, m, t);
    agree(x, n, m, integral);
    for (int i = 0; i < k->nx && !ok; i++)
        x[i] = NAN;
    n->energy.driven = jni_driven_energy(n, n->put.z, t);
}

static void see(double *z, jn_sim *s, mode *m, double tau)
{
    integrate *n = jni_integrate(s);
    (void)m;
    n->w.at = NULL;
    jni_follower_see(z, n->follower, s->course.t0 + tau);
}

/* ---- energies ------------------------------------------------------------------------------ */

/* Linear in every mode, with a value that at most switches change. */
static bool is_linear(const model *k, int storage)
{
    const jn_element *x = &k->g->element[k->g->storage[storage]];
    return !x->nonlinear && (!x->modulated || jni_is_switched_element(k, k->g->storage[storage]));
}

static double stored_by(jn_sim *s, mode *m, const double *x, int i)
{
    const model *k = &s->model;
    if (k->g->element[k->g->storage[i]].multiport)
        return 0.5 * x[i] * jni_field_output(m, i, x);
    return is_linear(k, i) ? 0.5 * x[i] * x[i] / m->storage[i]
                           : jni_integrate_energy(jni_integrate(s), i, x[i]);
}

static double stored(jn_sim *s, mode *m, const double *x)
{
    double sum = 0;
    for (int i = 0; i < s->model.nx; i++)
        sum += stored_by(s, m, x, i);
    return sum;
}

static double damping(jn_sim *s, mode *m, const double *z, double t)
{
    integrate *n = jni_integrate(s);
    double sum = 0;
    (void)m;
    for (int i = 0; i < s->model.nx; i++)
        if (n->energy.is_damped[i])
            sum += jni_damping(n, i, z, t);
    return sum;
}

/* What storages that modulation changes hold in state x more than when this was last asked, and
 * what those hold more that the switches have changed. */
static double shift(jn_sim *s, mode *from, mode *m, const double *x)
{
    integrate *n = jni_integrate(s);
    double before = n->energy.driven, sum = 0, switched = 0;
    for (int i = 0; i < s->model.nx; i++) {
        if (n->energy.is_driven[i])
            sum += jni_integrate_energy(n, i, x[i]);
        else if (from && m->own_values)
            switched += stored_by(s, m, x, i) - stored_by(s, from, x, i);
    }
    n->energy.driven = sum;
    return from ? sum - before + switched : 0;
}

/* Steps, factors and patterns are found anew in both, and whatever is found from them. */
static void forget_steps(jn_sim *s)
{
    for (int i = 0; i < s->modes.n; i++) {
        program *p = s->modes.mode[i]->own;
        if (p)
            jni_program_forget_steps(p, s->model.nr);
    }
    jni_follower_forget(jni_integrate(s)->follower);
}

static void carry_sizes(integrate *to, const integrate *from)
{
    const model *m = &from->s->model;
    int n = from->k.n, bonds = 2 * m->g->nbonds;
    jni_copy(to->size.peak, from->size.peak, n);
    jni_copy(to->size.around, from->size.around, n);
    jni_copy(to->size.floor, from->size.floor, n);
    jni_copy(to->size.largest, from->size.largest, bonds);
    jni_copy(to->size.beside, from->size.beside, bonds);
    jni_copy(to->size.tied, from->size.tied, m->nx);
    jni_copy(to->size.at_element, from->size.at_element, m->g->nelements);
}

static void carry_came(struct given_states *to, const struct given_states *from, int nx)
{
    to->t = from->t;
    to->late = from->late;
    to->faded = from->faded;
    jni_copy(to->x, from->x, nx);
    jni_copy(to->off, from->off, nx);
    jni_copy(to->peak, from->peak, nx);
    jni_copy(to->seen, from->seen, nx);
}

/* What laws were like where they were last looked at. */
static void carry_laws(integrate *to, const integrate *from)
{
    const model *m = &from->s->model;
    size_t nr = (size_t)m->nr;
    jni_copy(to->like, from->like, m->nr);
    jni_copy(to->faint, from->faint, m->nr);
    memcpy(to->loses, from->loses, nr * sizeof *to->loses);
    memcpy(to->is_of_others, from->is_of_others, (size_t)from->k.n * sizeof *to->is_of_others);
    memcpy(to->is_read, from->is_read, (size_t)m->nx * sizeof *to->is_read);
    for (int i = 0; i < from->k.nmodulated; i++)
        to->k.modulated[i].now = from->k.modulated[i].now;
    for (int r = 0; r < m->nr; r++)
        jni_flat_carry(&to->flat[r], &from->flat[r], m->pieces[r].n);
}

static void carry_put(integrate *to, const integrate *from)
{
    const model *m = &from->s->model;
    size_t switches = (size_t)m->g->nswitches;
    jni_copy(to->put.z, from->put.z, 2 * jni_obs_count(m));
    to->put.t = from->put.t;
    memcpy(to->put.state, from->put.state, switches * sizeof *to->put.state);
    memcpy(to->put.onoff, from->put.onoff, switches);
    jni_copy(to->put.discrete, from->put.discrete, m->nd);
    to->energy.driven = from->energy.driven;
}

static void carry_poles(jn_sim *to, const jn_sim *from)
{
    for (int i = 0; i < from->modes.n; i++) {
        const mode *m = from->modes.mode[i];
        const program *old = m->own;
        if (!old || !old->nvarying)
            continue;
        const program *p = jni_mode_get(to, m->onoff, m->flows)->own;
        for (int k = 0; p && k < old->nvarying; k++) {
            p->varying[k].least = old->varying[k].least;
            p->varying[k].last = old->varying[k].last;
        }
    }
}

static void carry(jn_sim *to, jn_sim *from)
{
    integrate *n = jni_integrate(to);
    const integrate *old = jni_integrate(from);
    jni_copy(n->y, old->y, n->k.n);
    jni_copy(n->yp, old->yp, n->k.n);
    jni_copy(n->w.u, old->w.u, from->model.nu);
    carry_sizes(n, old);
    carry_came(&n->came, &old->came, from->model.nx);
    carry_laws(n, old);
    carry_put(n, old);
    carry_poles(to, from);
    n->has_guess = old->has_guess;
    n->reads_rates = old->reads_rates;
    jni_follower_carry(n->follower, old->follower);
    forget_steps(from);
}

const engine jni_integrate_engine = {
    .name = "radau",
    .make = jni_program_make,
    .drop = jni_program_drop,
    .size = jni_program_size,
    .enter = enter,
    .inputs = inputs,
    .value = value,
    .form = form,
    .impulse = impulse,
    .conflict = conflict,
    .rates = rates,
    .soften = soften,
    .was_held = was_held,
    .follow = jni_integrate_follow,
    .exit = jni_integrate_exit,
    .keep = keep,
    .put_back = put_back,
    .at = at,
    .series = jni_integrate_series,
    .glance = jni_integrate_glance,
    .see = see,
    .clear_up = jni_noise_clear_up,
    .renew = jni_integrate_renew,
    .energies = jni_integrate_energies,
    .stored = stored,
    .damping = damping,
    .shift = shift,
    .clear = jni_integrate_end,
    .carry = carry,
};
