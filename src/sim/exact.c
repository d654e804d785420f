/* exact.c: the engine of linear modes. Between events the solution is known to rounding. */
#include "exact.h"

#include <stdlib.h>
#include <string.h>

/* What belongs to a run: single observables as forms, rules of quadrature, room. */
typedef struct {
    linear_form *unit; /* per observable, made on demand */
    struct form_term *term;
    double *rule[SERIES_TERMS + 1]; /* Gauss's, by number of points: points, then weights */
    double *room;
    int cap;
    double *largest;          /* per integral: what it has been; NULL: none was looked at yet */
    double *kept;             /* likewise, at the start of the stretch */
    double most_stored, root; /* the energy that there has been, and √(2·that) */
    rounding rounding;
} exact_run;

static exact_run *run_of(jn_sim *s)
{
    if (!s->own)
        s->own = jn_alloc(sizeof(exact_run));
    return s->own;
}

static void clear(jn_sim *s)
{
    exact_run *r = s->own;
    if (!r)
        return;
    for (int i = 0; i <= SERIES_TERMS; i++)
        free(r->rule[i]);
    free(r->unit);
    free(r->term);
    free(r->room);
    free(r->largest);
    free(r->kept);
    jni_rounding_clear(&r->rounding);
    free(r);
    s->own = NULL;
}

static double *room_for(jn_sim *s, int n)
{
    exact_run *r = run_of(s);
    if (!r->room || r->cap < n) {
        r->cap = n;
        r->room = jn_realloc(r->room, (size_t)n * sizeof *r->room);
    }
    return r->room;
}

static const linear_form *unit_form(jn_sim *s, int obs)
{
    exact_run *r = run_of(s);
    size_t n = (size_t)jni_obs_count(&s->model);
    if (!r->unit) {
        r->unit = jn_alloc(n * sizeof *r->unit);
        r->term = jn_alloc(n * sizeof *r->term);
    }
    r->term[obs] = (struct form_term){obs, 1};
    r->unit[obs] = (linear_form){.n = 1, .term = &r->term[obs]};
    return &r->unit[obs];
}

/* ---- points -------------------------------------------------------------------------------- */

static void state_of(double *x, double *integral, const jn_sim *s, const mode *m, const double *z)
{
    const exact_mode *e = jni_exact(m);
    jni_sparse_mul(x, &e->x_of_z, z);
    if (integral)
        jni_copy(integral, z + e->n, s->model.ns);
}

/* An integral that is small now is known as well as it was when it was large. */
static void keep_largest(jn_sim *s, const double *integral)
{
    exact_run *r = run_of(s);
    if (!r->largest && s->model.ns)
        r->largest = jni_doubles(s->model.ns);
    for (int i = 0; i < s->model.ns; i++)
        r->largest[i] = fmax(r->largest[i], fabs(integral[i]));
}

static void keep(jn_sim *s)
{
    exact_run *r = run_of(s);
    if (!r->kept && s->model.ns)
        r->kept = jni_doubles(s->model.ns);
    if (r->largest && r->kept)
        memcpy(r->kept, r->largest, (size_t)s->model.ns * sizeof *r->kept);
}

static void put_back(jn_sim *s)
{
    exact_run *r = run_of(s);
    if (r->largest)
        memcpy(r->largest, r->kept, (size_t)s->model.ns * sizeof *r->kept);
}

static bool enter(double *z, double *x_after, jn_sim *s, mode *m, const entry *from)
{
    const exact_mode *e = jni_exact(m);
    keep_largest(s, from->integral);
    jni_rounding_enter(&run_of(s)->rounding, s, m);
    jni_generator_renew(s->gen, from->at, m);
    jni_sparse_mul(z, &e->w_of_x, from->x);
    jni_copy(z + e->n, from->integral, s->model.ns);
    jni_generator_at(z + e->n + s->model.ns, s->gen, from->at->t);
    state_of(x_after, NULL, s, m, z);
    jni_rounding_hold(x_after, &run_of(s)->rounding, m, z, from->x);
    return true;
}

static double noise_of_inputs(const jn_sim *s, const exact_mode *e, const srow *r, const double *z)
{
    double sum = 0;
    int first = e->n + s->model.ns;
    for (int i = r->n; e->moving > first && i-- > 0 && r->col[i] >= first;)
        if (r->col[i] < e->moving)
            sum += fabs(r->a[i]) * jni_rounding_of_input(s, e, r->col[i], z);
    return sum;
}

/* The largest root of energy that a state may have been. */
static double largest_root(jn_sim *s)
{
    exact_run *r = run_of(s);
    if (r->most_stored != s->ledger.most_stored) {
        r->most_stored = s->ledger.most_stored;
        r->root = 2 * r->most_stored > 0 ? sqrt(2 * r->most_stored) : 0;
    }
    return r->root;
}

/* How far a sum over z may be off, given what its terms amount to. */
static double noise_of(jn_sim *s, const mode *m, const struct exact_form *f, const double *z,
                       double size)
{
    const exact_mode *e = jni_exact(m);
    const double *largest = run_of(s)->largest;
    const srow *r = &f->row;
    for (int i = 0; largest && i < r->n && r->col[i] < e->n + s->model.ns; i++)
        if (r->col[i] >= e->n)
            size += fabs(r->a[i]) * largest[r->col[i] - e->n];
    return NOISE_OF_SUM * (size + NOISE_OF_PAST * largest_root(s) * f->past) +
           noise_of_inputs(s, e, r, z) + jni_rounding_of(&run_of(s)->rounding, s, m, r);
}

static double form(double *noise, jn_sim *s, mode *m, const double *z, const linear_form *f)
{
    const struct exact_form *known = jni_exact_known(s, m, f);
    double sum = 0, size = 0;
    if (noise)
        *noise = 0;
    if (!known)
        return NAN;
    const srow *r = &known->row;
    for (int i = 0; i < r->n; i++) {
        double term = r->a[i] * z[r->col[i]];
        sum += term;
        size += fabs(term);
    }
    if (noise && r->n)
        *noise = fmax(noise_of(s, m, known, z, size), NOISE_OF_ANY);
    return sum;
}

static double value(double *noise, jn_sim *s, mode *m, const double *z, int obs)
{
    return form(noise, s, m, z, unit_form(s, obs));
}

/* u and its derivatives; a source that reads the model has its value from there. */
static void inputs(double *u, jn_sim *s, mode *m, const double *z)
{
    const exact_mode *e = jni_exact(m);
    const jn_graph *g = s->model.g;
    int nv = jni_generator_size(s->gen), nu = s->model.nu;
    int orders = m->status == JN_MODE_FORBIDDEN ? INPUT_ORDERS : 1;
    const double *V = jni_generator_V(s->gen), *v = z + e->n + s->model.ns;
    double *room = orders > 1 ? room_for(s, 2 * nv) : NULL;
    jni_generator_inputs(u, s->gen, v);
    for (int order = 1; order < orders; order++) {
        double *next = room + order % 2 * nv;
        for (int l = 0; l < nv; l++)
            next[l] = jni_dot(V + l * nv, v, nv);
        v = next;
        jni_generator_inputs(u + order * nu, s->gen, v);
    }
    if (!jni_generator_has_feedback(s->gen))
        return;
    for (int k = 0; k < nu; k++)
        if (!m->is_lost[k] && jni_generator_feedback(s->gen, k, m->flows)) {
            const jn_element *x = &g->element[g->source[k]];
            double noise;
            u[k] = value(&noise, s, m, z,
                         x->kind == JN_SE ? jni_obs_effort(x->bond[0]) : jni_obs_flow(x->bond[0]));
        }
}

static void rates(double *x, double *integral, double *obs, const bool *wanted, jn_sim *s, mode *m,
                  const double *z)
{
    const exact_mode *e = jni_exact(m);
    double *dz = jni_doubles(m->nz);
    jni_sparse_mul(dz, &e->A, z);
    state_of(x, integral, s, m, dz);
    for (int o = 0; obs && o < jni_obs_count(&s->model); o++) {
        if (!wanted[o])
            continue;
        const srow *r = jni_exact_form(s, m, unit_form(s, o));
        obs[o] = r ? 0 : NAN;
        for (int i = 0; r && i < r->n; i++)
            obs[o] += r->a[i] * dz[r->col[i]];
    }
    free(dz);
}

bool jni_exact_depends(const jn_sim *s, const mode *m, int source)
{
    const exact_mode *e = jni_exact(m);
    int nv = jni_generator_size(s->gen), first = e->n + s->model.ns;
    const double *G = jni_generator_G(s->gen) + source * nv;
    for (int l = 0; l < e->A.start[first]; l++)
        if (e->A.col[l] >= first && G[e->A.col[l] - first] != 0)
            return true;
    return false;
}

/* ---- impulses, and what is driven without bound -------------------------------------------- */

/* Of one row; *size: what its terms amount to. */
static double area_of(double *size, const jn_sim *s, const mode *m, const srow *r, const jump *j)
{
    double area = 0, energy = 2 * s->ledger.most_stored;
    *size = 0;
    for (int l = 0; l < r->n && r->col[l] < s->model.nx; l++) {
        int i = r->col[l];
        area += r->a[l] * (j->to[i] - j->from[i]);
        *size += fabs(r->a[l]) * (fabs(j->to[i]) + fabs(j->from[i]) +
                                  NOISE_OF_PAST * sqrt(energy * fabs(m->storage[i])));
    }
    return area;
}

/* Each of the variables is known to its own rounding, however much of them cancels. */
static double impulse(double *noise, jn_sim *s, mode *m, const linear_form *f, const jump *j)
{
    double area = 0, size;
    int bonds = 2 * s->model.g->nbonds;
    *noise = 0;
    if (jni_mode_leaves_open(s, m, f))
        return 0;
    for (int i = 0; i < f->n && f->term[i].obs < bonds; i++) {
        int obs = f->term[i].obs;
        double c = f->term[i].c * jni_bond_sign(m, obs);
        area += c * area_of(&size, s, m, jni_rows_of(s, m, jni_exact(m)->impulse, obs), j);
        *noise += NOISE_OF_JUMP * fabs(c) * size;
    }
    return fabs(area) > *noise ? area : 0;
}

/* How far an input may be off since the time is: V at its zero is what rounding has made of it. */
static double off_by_time(const jn_sim *s, const double *rate, int source)
{
    return rate ? 2 * DBL_EPSILON * s->clock.t * fabs(rate[source]) : 0;
}

/* What the sources that lost their input are off by, carried to a variable; exactly zero where it
 * is only rounding. rate: of u; NULL: it is not known. */
static double drive(const jn_sim *s, const mode *m, const srow *r, const double *u,
                    const double *rate)
{
    const jn_graph *g = s->model.g;
    const exact_mode *e = jni_exact(m);
    double sum = 0, scale = 0, noise = 0;
    for (int l = 0; l < r->n; l++) {
        int k = r->col[l];
        double delta = u[k], size = fabs(u[k]), off = off_by_time(s, rate, k);
        for (int i = 0; i < e->lost[k].n; i++) {
            double other = e->lost[k].a[i] * u[e->lost[k].col[i]];
            delta -= other;
            size += fabs(other);
            off += fabs(e->lost[k].a[i]) * off_by_time(s, rate, e->lost[k].col[i]);
        }
        /* positive along the bond's arrow where the source is its tail */
        int element = g->source[k];
        if (g->bond[g->element[element].bond[0]].head == element)
            delta = -delta;
        sum += r->a[l] * delta;
        scale += fabs(r->a[l]) * size;
        noise += fabs(r->a[l]) * off;
    }
    return fabs(sum) > NOISE_OF_CONFLICT * scale + noise ? sum : 0;
}

/* The bond variables of a form as one row. */
static void sum_rows(srow *r, jn_sim *s, const mode *m, rows *of, const linear_form *f)
{
    int bonds = 2 * s->model.g->nbonds, n = 0;
    for (; n < f->n && f->term[n].obs < bonds; n++) /* those first, one sum at a time */
        jni_rows_of(s, m, of, f->term[n].obs);
    for (int i = 0; i < n; i++)
        jni_gather_add(&of->sum, f->term[i].c * jni_bond_sign(m, f->term[i].obs),
                       jni_rows_of(s, m, of, f->term[i].obs));
    jni_gather_take(r, &of->sum);
    while (r->n && r->col[r->n - 1] >= of->width) /* open, but for rounding */
        r->n--;
}

/* Where sources agree at this very instant, as when one overtakes another, the first derivative in
 * which they differ tells what drives them apart. */
static double conflict(double *noise, jn_sim *s, mode *m, const linear_form *f, const double *u)
{
    *noise = 0;
    if (m->status != JN_MODE_FORBIDDEN || jni_mode_leaves_open(s, m, f))
        return 0;
    srow r;
    double direction = 0;
    sum_rows(&r, s, m, jni_exact(m)->infinite, f);
    for (int order = 0; order < INPUT_ORDERS && direction == 0; order++) {
        const double *now = u + order * s->model.nu;
        direction = drive(s, m, &r, now, order + 1 < INPUT_ORDERS ? now + s->model.nu : NULL);
    }
    jni_srow_clear(&r);
    return direction;
}

/* ---- stretches ----------------------------------------------------------------------------- */

static bool follow(stretch *p, jn_sim *s, mode *m, double wanted)
{
    s->trouble.is_too_stiff = jni_panel_rate(m, s) * wanted > STIFFEST;
    s->trouble.why = "the mode is too stiff to be followed exactly; leave the method to choose";
    if (s->trouble.is_too_stiff)
        return false;
    jni_panel_stretch(p, s, m, s->now.z, wanted);
    jni_rounding_follow(&run_of(s)->rounding, s, m);
    return p->length > 0;
}

/* The inputs, if they move, are those of the clock: the rounding of long times must not add up. */
static void at(double *z, double *x, double *integral, jn_sim *s, mode *m, double tau)
{
    const exact_mode *e = jni_exact(m);
    int inputs_at = e->n + s->model.ns;
    jni_stretch_at(z, &s->course.stretch, tau);
    if (e->moving > inputs_at)
        jni_generator_at(z + inputs_at, s->gen, s->course.t0 + tau);
    state_of(x, integral, s, m, z);
    keep_largest(s, integral);
}

static void glance(double *z, jn_sim *s, mode *m, double tau)
{
    (void)m;
    jni_stretch_at(z, &s->course.stretch, tau);
}

/* A rate is a sum of A·z in which large terms may cancel, and what they leave grows with time. */
static double noise_of_rate(const exact_mode *e, const srow *r, const double *z)
{
    double size = 0;
    for (int k = 0; k < r->n; k++) {
        int i = r->col[k];
        for (int l = e->A.start[i]; l < e->A.start[i + 1]; l++)
            size += fabs(r->a[k] * e->A.a[l] * z[e->A.col[l]]);
    }
    return NOISE_OF_RATE * size;
}

/* Where a series begins at nothing, what it becomes first is made of what is off there. */
static double noise_along(jn_sim *s, mode *m, const srow *r, double noise)
{
    const double clear = 1e3;
    const stretch *p = &s->course.stretch;
    double start = 0;
    for (int i = 0; i < r->n; i++)
        start += r->a[i] * s->now.z[r->col[i]];
    if (fabs(start) > clear * noise)
        return 0;
    return jni_rounding_along(&run_of(s)->rounding, s, m, r,
                              fmin(p->length, 1 / jni_panel_rate(m, s)));
}

/* The coefficients of a row from the second on, over its first terms; adds up what all these amount to. It is
 * inlined where their number is known. */
static inline double sum_moving(double *a, double size, const stretch *p, const srow *r, int terms)
{
    const double *q = p->q;
    for (int k = 1; k < p->n; k++) {
        double sum = 0;
        q += p->nz;
        for (int i = 0; i < terms; i++) {
            double term = r->a[i] * q[r->col[i]];
            sum += term;
            size += fabs(term);
        }
        a[k] = sum;
    }
    return size;
}

/* All coefficients of a row, and what they amount to. */
static double sum_row(double *a, const stretch *p, const srow *r)
{
    double size = 0;
    int moving = r->n;
    a[0] = 0;
    for (int i = 0; i < r->n; i++) {
        double term = r->a[i] * p->q[r->col[i]];
        a[0] += term;
        size += fabs(term);
    }
    while (moving > 0 && r->col[moving - 1] >= p->moving)
        moving--;
    return moving == 1   ? sum_moving(a, size, p, r, 1)
           : moving == 2 ? sum_moving(a, size, p, r, 2)
                         : sum_moving(a, size, p, r, moving);
}

static bool series(double *a, double *noise, jn_sim *s, mode *m, const linear_form *f)
{
    const stretch *p = &s->course.stretch;
    const struct exact_form *known = jni_exact_known(s, m, f);
    *noise = 0;
    if (!known)
        return false;
    const srow *r = &known->row;
    double size = sum_row(a, p, r);
    if (r->n) {
        *noise = noise_of(s, m, known, s->now.z, size) +
                 p->length * noise_of_rate(jni_exact(m), r, s->now.z);
        *noise += noise_along(s, m, r, *noise);
    }
    return true;
}

/* ---- energies ------------------------------------------------------------------------------ */

static double stored(jn_sim *s, mode *m, const double *x)
{
    double sum = 0;
    for (int i = 0; i < s->model.nx; i++)
        sum += 0.5 * x[i] * (m->F ? jni_field_output(m, i, x) : x[i] / m->storage[i]);
    return sum;
}

/* Values that switches change keep the state: what it then holds more came from outside. */
static double shift(jn_sim *s, mode *from, mode *m, const double *x)
{
    return from && m->own_values ? stored(s, m, x) - stored(s, from, x) : 0;
}

/* Over a share of the longest stretch that always holds, powers are sums of (6·share)^k/k! or less,
 * so a rule of n points errs by (n!)⁴·(6·share)²ⁿ/((2n + 1)·(2n)!³): less than 1e-17 up to the
 * shares given here. SERIES_TERMS are exact for the product of any two series. */
static int points_for(double share)
{
    static const double up_to[] = {0,    0,    7e-5, 2.7e-3, 0.017, 0.057, 0.13,
                                   0.23, 0.38, 0.55, 0.76,   0.99,  1.25};
    for (int n = 2; n < (int)(sizeof up_to / sizeof *up_to); n++)
        if (share <= up_to[n])
            return n;
    return SERIES_TERMS;
}

static const double *rule_of(jn_sim *s, int n)
{
    double **r = &run_of(s)->rule[n];
    if (!*r) {
        *r = jni_doubles(2 * n);
        jni_gauss_rule(*r, *r + n, n);
    }
    return *r;
}

/* Effort and flow of a port over z; the flow so that their product is what a source supplies and a
 * resistor dissipates. False: there is no power. */
static bool make_port(srow *effort, srow *flow, jn_sim *s, mode *m, int element, bool supplies)
{
    const jn_graph *g = s->model.g;
    int bond = g->element[element].bond[0];
    bool into = g->bond[bond].head == element;
    jni_exact_observable(effort, s, m, jni_obs_effort(bond));
    jni_exact_observable(flow, s, m, jni_obs_flow(bond));
    for (int l = 0; l < flow->n && into == supplies; l++)
        flow->a[l] = -flow->a[l];
    return effort->n > 0 && flow->n > 0;
}

/* Of sources, then resistors: those that have power. */
static void make_ports(jn_sim *s, mode *m)
{
    const model *k = &s->model;
    exact_mode *e = jni_exact(m);
    int count = k->nu + k->nr, n = 0;
    srow *effort = jn_alloc((size_t)count * sizeof *effort);
    srow *flow = jn_alloc((size_t)count * sizeof *flow);
    for (int i = 0; i < count; i++) {
        int element = i < k->nu ? k->g->source[i] : k->g->resistor[i - k->nu];
        if (make_port(&effort[n], &flow[n], s, m, element, i < k->nu)) {
            e->nsuppliers += i < k->nu;
            n++;
        } else {
            jni_srow_clear(&effort[n]);
            jni_srow_clear(&flow[n]);
        }
    }
    jni_sparse_of(&e->effort, effort, n, m->nz + m->floating.nnull + 1);
    jni_sparse_of(&e->flow, flow, n, m->nz + m->floating.nnull + 1);
    for (int i = 0; i < n; i++) {
        jni_srow_clear(&effort[i]);
        jni_srow_clear(&flow[i]);
    }
    free(effort);
    free(flow);
}

static inline pair row_at(const sparse *m, int row, const pair *z)
{
    pair sum = {0};
    for (int k = m->start[row]; k < m->start[row + 1]; k++)
        sum += m->a[k] * z[m->col[k]];
    return sum;
}

/* What sources supply and resistors dissipate at two points. */
static void powers_at(pair *supplied, pair *dissipated, const pair *z, const exact_mode *e)
{
    pair power[2] = {{0}, {0}};
    for (int i = 0; i < e->effort.nrows; i++)
        power[i >= e->nsuppliers] += row_at(&e->effort, i, z) * row_at(&e->flow, i, z);
    *supplied = power[0];
    *dissipated = power[1];
}

/* Efforts and flows are polynomials along a stretch: their powers are integrated by a rule that is
 * exact for the product, not from the change of what is stored; so the sum is a check. */
static energies energies_of(jn_sim *s, mode *m, double tau)
{
    exact_mode *e = jni_exact(m);
    const stretch *p = &s->course.stretch;
    int n = points_for(p->share * tau / p->length);
    const double *at = rule_of(s, n), *weight = at + n;
    energies sum = {0};
    if (!e->effort.start)
        make_ports(s, m);
    int wide = m->nz + m->floating.nnull + 1;
    pair *z = (pair *)room_for(s, 2 * wide);
    memset(z + m->nz, 0, (size_t)(wide - m->nz) * sizeof *z);
    for (int i = 0; i < n; i += 2) {
        pair supplied, dissipated, two = {at[i], i + 1 < n ? at[i + 1] : at[i]};
        jni_stretch_at_two(z, p, tau * two);
        powers_at(&supplied, &dissipated, z, e);
        for (int l = 0; l < 2 && i + l < n; l++) {
            sum.supplied += tau * weight[i + l] * supplied[l];
            sum.dissipated += tau * weight[i + l] * dissipated[l];
        }
    }
    return sum;
}

/* Both know their integrals equally well. */
static void carry(jn_sim *to, jn_sim *from)
{
    const double *largest = run_of(from)->largest;
    if (largest)
        keep_largest(to, largest);
}

/* Which lengths have held, and when longer ones are tried. */
static void learned(lessons *l, const mode *m)
{
    const exact_mode *e = jni_exact(m);
    *l = (lessons){e->first_length, e->level, e->wait, e->patience, e->expanded};
}

static void teach(mode *m, const lessons *l)
{
    exact_mode *e = jni_exact(m);
    e->first_length = l->length;
    e->level = l->level;
    e->wait = l->wait;
    e->patience = l->patience;
    e->expanded = l->expanded;
}

const engine jni_exact_engine = {
    .name = "exact",
    .is_exact = true,
    .make = jni_exact_make,
    .drop = jni_exact_drop,
    .enter = enter,
    .inputs = inputs,
    .value = value,
    .form = form,
    .impulse = impulse,
    .conflict = conflict,
    .rates = rates,
    .follow = follow,
    .keep = keep,
    .put_back = put_back,
    .at = at,
    .series = series,
    .glance = glance,
    .energies = energies_of,
    .stored = stored,
    .shift = shift,
    .clear = clear,
    .carry = carry,
    .learned = learned,
    .teach = teach,
    .size = jni_exact_size,
};
