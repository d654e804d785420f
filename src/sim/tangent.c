/* tangent.c: the chain of what happens to a small deviation ζ of all p, q and integrals.
 *
 * On a stretch it follows the mode's own equations. At an event the jump maps it by J; and where the
 * event is a crossing of a surface g = 0, a solution beside this one meets it δt later,
 * δt = −(∂g/∂x·ζ)/ġ: for so long it went on as before, at rate f⁻, and missed the rate f⁺ after.
 * Hence the saltation ζ⁺ = J·ζ⁻ + (J·f⁻ − f⁺)·δt.
 *
 * Several instants at one time are one event, as long as the first of them decides when. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tangent.h"

typedef struct {
    mode *of;
    jn_linearised *linear;
} known_mode;

struct jn_chain {
    jn_sim *s;
    jn_disturbance what;
    const char *missing;
    int n, cap;
    jn_link *link;
    int nmodes, cap_modes;
    known_mode *mode;
    int nz; /* of ζ */
    /* the event that is being recorded: */
    double *carried; /* d/dt of what the solution before it would jump to */
    double *y;       /* values before */
    double *x;       /* where the next stretch begins */
    bool is_event;   /* the last link is one, and nothing has been passed since */
};

/* ---- life ---------------------------------------------------------------------------------- */

jn_chain *jn_sim_chain(jn_sim *s, const jn_disturbance *what)
{
    jn_chain *c = jn_alloc(sizeof *c);
    const model *k = &s->model;
    c->s = s;
    c->what = what ? *what : (jn_disturbance){.source = -1};
    c->nz = k->nx + k->ns;
    c->carried = jni_doubles(c->nz);
    c->y = jni_doubles(c->what.nvalues);
    c->x = jni_doubles(c->nz);
    s->aside.chain = c;
    jn_chain_restart(c);
    return c;
}

static void clear_link(jn_link *l)
{
    free(l->J);
    free(l->J_u);
    free(l->shift);
    free(l->step);
    free(l->normal);
    free(l->x);
    free(l->entered);
    free(l->jumps);
    free(l->moved);
}

static bool duty_reads_model(const jn_sim *s)
{
    return jn_sim_numbers(s).nwidths > 0;
}

/* All p, q and integrals of the present. */
static void read_state(double *x, const jn_sim *s)
{
    memcpy(x, s->now.x, (size_t)s->model.nx * sizeof *x);
    memcpy(x + s->model.nx, s->now.integral, (size_t)s->model.ns * sizeof *x);
}

static double *copy_state(const double *x, int n)
{
    double *to = jni_doubles(n);
    memcpy(to, x, (size_t)n * sizeof *to);
    return to;
}

void jn_chain_restart(jn_chain *c)
{
    jn_sim *s = c->s;
    for (int i = 0; i < c->n; i++)
        clear_link(&c->link[i]);
    c->n = 0;
    c->is_event = false;
    read_state(c->x, s);
    c->missing = !s->engine->is_exact              ? "the model is integrated"
                 : jni_generator_has_prior(s->gen) ? "a source follows prior values"
                 : s->model.nd > 0                 ? "the model has discrete variables"
                 : s->watch.has.within             ? "a condition reads within(…)"
                 : duty_reads_model(s)             ? "a duty cycle reads the model"
                                                   : NULL;
}

void jn_chain_free(jn_chain *c)
{
    if (!c)
        return;
    for (int i = 0; i < c->n; i++)
        clear_link(&c->link[i]);
    for (int i = 0; i < c->nmodes; i++)
        jni_linear_free(c->mode[i].linear);
    free(c->link);
    free(c->mode);
    free(c->carried);
    free(c->y);
    free(c->x);
    c->s->aside.chain = NULL;
    free(c);
}

jn_sim *jni_chain_run(const jn_chain *c)
{
    return c->s;
}

const char *jn_chain_missing(const jn_chain *c)
{
    return c->missing;
}

int jn_chain_links(const jn_chain *c)
{
    return c->n;
}

const jn_link *jn_chain_link(const jn_chain *c, int i)
{
    return &c->link[i];
}

void jni_chain_miss(jn_sim *s, const char *why)
{
    if (s->aside.chain && !s->aside.chain->missing)
        s->aside.chain->missing = why;
}

static const jn_linearised *linear_of(jn_chain *c, mode *m)
{
    for (int i = 0; i < c->nmodes; i++)
        if (c->mode[i].of == m)
            return c->mode[i].linear;
    JN_GROW(c->mode, c->nmodes, c->cap_modes);
    c->mode[c->nmodes] = (known_mode){m, jni_linear_new(c->s, m, &c->what)};
    return c->mode[c->nmodes++].linear;
}

const jn_linearised *jn_chain_mode(jn_chain *c, const jn_onoff *onoff)
{
    mode *m = c->s->engine->is_exact ? jni_mode_get(c->s, onoff, false) : NULL;
    return m && m->status == JN_MODE_OK ? linear_of(c, m) : NULL;
}

/* ---- stretches ----------------------------------------------------------------------------- */

void jni_chain_stretch(jn_sim *s, double tau)
{
    jn_chain *c = s->aside.chain;
    if (s->slide)
        jni_chain_miss(s, "the run slides");
    if (!s->now.m->engine->is_exact)
        jni_chain_miss(s, "the model is integrated");
    if (c->missing)
        return;
    c->is_event = false;
    jn_link *last = c->n ? &c->link[c->n - 1] : NULL;
    if (last && last->mode && last->id == s->now.m) { /* one mode may be several stretches */
        last->length += tau;
        return;
    }
    JN_GROW(c->link, c->n, c->cap);
    c->link[c->n++] = (jn_link){.t = s->course.t0,
                                .length = tau,
                                .mode = linear_of(c, s->now.m),
                                .id = s->now.m,
                                .edge = -1,
                                .surface = -1,
                                .x = copy_state(c->x, c->nz)};
}

/* ---- the surface --------------------------------------------------------------------------- */

/* A surface at the point before the event: its gradient over (w, s), its rate, and what the
 * disturbance does to it. */
typedef struct {
    double *by_w, by_u[2], rate;
} slope;

static void slope_of_form(slope *to, jn_chain *c, mode *m, const linear_form *f, const double *dz)
{
    const jn_linearised *l = linear_of(c, m);
    const srow *r = jni_exact_form(c->s, m, f);
    to->rate = f->ct;
    for (int i = 0; r && i < r->n; i++)
        to->rate += r->a[i] * dz[r->col[i]];
    jni_linear_form(to->by_w, to->by_u, c->s, m, l, f, c->what.source);
}

/* The sides' difference, somewhere near the present. */
static double beside(jn_sim *s, const surface *g, int i, double h, double dt)
{
    view v = jni_present(s);
    double *z = jni_doubles(s->now.m->nz);
    memcpy(z, s->now.z, (size_t)s->now.m->nz * sizeof *z);
    if (i >= 0)
        z[i] += h;
    v.z = z;
    v.t += dt;
    double value = jni_surface_value(&v, g).part[FINITE];
    free(z);
    return value;
}

/* Its derivative by z_i, or by time with i < 0: differences of the fourth order. */
static double derivative(jn_sim *s, const surface *g, int i, double h)
{
    double d[3];
    for (int k = 1; k <= 2; k++)
        d[k] = i < 0 ? beside(s, g, -1, 0, k * h) - beside(s, g, -1, 0, -k * h)
                     : beside(s, g, i, k * h, 0) - beside(s, g, i, -k * h, 0);
    return (8 * d[1] - d[2]) / (12 * h);
}

/* Over a small part of the time in which it is smooth. */
static double rate_in_time(jn_sim *s, const surface *g)
{
    double length = s->course.stretch.length;
    return derivative(s, g, -1, 1e-4 * (g->smooth > 0 ? fmin(g->smooth, length) : length));
}

static void slope_by_differences(slope *to, jn_chain *c, const surface *g, const double *dz)
{
    jn_sim *s = c->s;
    int n = linear_of(c, s->now.m)->n;
    to->rate = rate_in_time(s, g);
    for (int i = 0; i < s->now.m->nz; i++) {
        double size = fabs(s->now.z[i]), h = 1e-3 * (size > 0 ? size : 1);
        double by = derivative(s, g, i, h);
        to->rate += by * dz[i];
        if (i < n)
            to->by_w[i] = by;
    }
    if (c->what.source >= 0)
        jni_chain_miss(s, "a condition is not linear");
}

/* Over ζ, and over the rate at which it is crossed. */
static double *normal_of(double *by_u, double *rate, jn_chain *c, const surface *g,
                         const double *dz)
{
    mode *m = c->s->now.m;
    const jn_linearised *l = linear_of(c, m);
    slope to = {.by_w = jni_doubles(l->n)};
    if (g->kind == SURFACE_LINEAR)
        slope_of_form(&to, c, m, &g->form, dz);
    else
        slope_by_differences(&to, c, g, dz);
    double *normal = jni_doubles(c->nz);
    for (int i = 0; i < l->n; i++)
        for (int k = 0; k < c->nz; k++)
            normal[k] += to.by_w[i] * l->in[i * c->nz + k] / to.rate;
    for (int k = 0; k < 2; k++)
        by_u[k] = to.by_u[k] / to.rate;
    *rate = to.rate;
    if (to.rate == 0)
        jni_chain_miss(c->s, "a surface is touched, not crossed");
    free(to.by_w);
    return normal;
}

/* Surfaces that are met at one time, but not always, leave a kink. */
static bool same_time(const jn_chain *c, const double *a, const double *b)
{
    const double *x = c->s->now.x;
    double difference = 0, size = 0;
    for (int i = 0; i < c->nz; i++) {
        double unit = i < c->s->model.nx ? fmax(fabs(x[i]), 1e-300) : 1;
        difference = fmax(difference, fabs(a[i] - b[i]) * unit);
        size = fmax(size, (fabs(a[i]) + fabs(b[i])) * unit);
    }
    return difference <= 1e-9 * size;
}

/* The first of those that are crossed decides. */
static void decide(jn_link *l, int number, double rate)
{
    l->is_shared = l->surface >= 0;
    if (l->is_shared)
        return;
    l->surface = number;
    l->rate = rate;
}

static void find_normal(jn_chain *c, jn_link *l, const double *dz)
{
    watch *w = &c->s->watch;
    bool clocked = false;
    for (int i = 0; i < w->nsurfaces && !c->missing; i++) {
        double by_u[2], rate;
        const surface *g = &w->surface[i];
        if (!w->crossed[i] || (g->kind != SURFACE_LINEAR && g->kind != SURFACE_SAMPLED))
            continue;
        if (!g->reads_model) { /* a time that no deviation moves */
            clocked = true;
            decide(l, i, rate_in_time(c->s, g));
            continue;
        }
        double *normal = normal_of(by_u, &rate, c, g, dz);
        decide(l, i, rate);
        if (l->normal && !same_time(c, l->normal, normal))
            jni_chain_miss(c->s, "two surfaces are crossed at once");
        if (l->normal) {
            free(normal);
            continue;
        }
        l->normal = normal;
        memcpy(l->normal_u, by_u, sizeof by_u);
    }
    if (clocked && l->normal)
        jni_chain_miss(c->s, "a crossing and a time meet");
}

/* ---- events -------------------------------------------------------------------------------- */

static void identity(double *a, int n)
{
    memset(a, 0, (size_t)n * (size_t)n * sizeof *a);
    for (int i = 0; i < n; i++)
        a[i * n + i] = 1;
}

/* −1: none, −2: more than one switch follows the clock there. */
static int edge_off(const jn_sim *s, const int *old_state)
{
    const jn_graph *g = s->model.g;
    int found = -1, moved = 0;
    for (int i = 0; i < g->nswitches; i++) {
        const jn_automaton *a = &g->automaton[i];
        if (s->now.state[i] == old_state[i])
            continue;
        moved++;
        if (a->pwm_period && !a->state[s->now.state[i]].on)
            found = i;
    }
    return moved > 1 && found >= 0 ? -2 : found;
}

static void note_moved(jn_link *l, const jn_sim *s, const int *old_state)
{
    const jn_graph *g = s->model.g;
    l->moved = jn_alloc((size_t)g->nswitches + 1);
    for (int i = 0; i < g->nswitches && old_state; i++)
        if (s->now.state[i] != old_state[i] && g->automaton[i].pwm_period)
            l->moved[i] = g->automaton[i].state[s->now.state[i]].on ? 1 : -1;
}

static void rates_now(double *f, jn_sim *s)
{
    s->now.m->engine->rates(f, f + s->model.nx, NULL, NULL, s, s->now.m, s->now.z);
}

static void begin_event(jn_chain *c, const int *old_state)
{
    jn_sim *s = c->s;
    mode *m = s->now.m;
    JN_GROW(c->link, c->n, c->cap);
    jn_link *l = &c->link[c->n++];
    *l = (jn_link){
        .t = s->clock.t, .id = m, .edge = old_state ? edge_off(s, old_state) : -1, .surface = -1};
    l->x = jni_doubles(c->nz);
    read_state(l->x, s);
    note_moved(l, s, old_state);
    l->J = jni_doubles(c->nz * c->nz);
    l->J_u = jni_doubles(2 * c->nz);
    l->shift = jni_doubles(c->nz);
    l->step = jni_doubles(c->what.nvalues);
    identity(l->J, c->nz);
    rates_now(c->carried, s);
    view v = jni_present(s);
    for (int i = 0; i < c->what.nvalues; i++)
        c->y[i] = jni_probe_value(&v, c->what.value[i]);
    if (!old_state) {
        double *dz = jni_doubles(m->nz);
        jni_sparse_mul(dz, &jni_exact(m)->A, s->now.z);
        find_normal(c, l, dz);
        free(dz);
    }
}

void jni_chain_begin(jn_sim *s, const int *old_state)
{
    jn_chain *c = s->aside.chain;
    if (!c)
        return;
    if (s->slide)
        jni_chain_miss(s, "the run slides");
    if (!s->now.m || !s->now.m->engine->is_exact)
        jni_chain_miss(s, "the model is integrated");
    if (c->missing)
        return;
    if (!c->is_event)
        begin_event(c, old_state);
    else if (old_state && c->link[c->n - 1].normal)
        jni_chain_miss(s, "a crossing and the clock meet");
    c->is_event = true;
}

/* What the impulses of a jump add to the integrals. */
void jni_add_impulses(double *to, jn_sim *s, mode *m, const double *from)
{
    const model *k = &s->model;
    for (int n = 0; n < k->ns; n++) {
        const linear_form *f = &k->integral[n].form;
        for (int t = 0; t < f->n; t++) {
            int obs = f->term[t].obs;
            const srow *r =
                obs < 2 * k->g->nbonds ? jni_rows_of(s, m, jni_exact(m)->impulse, obs) : NULL;
            for (int e = 0; r && e < r->n && r->col[e] < k->nx; e++)
                to[k->nx + n] += f->term[t].c * jni_bond_sign(m, obs) * r->a[e] *
                                 (to[r->col[e]] - from[r->col[e]]);
        }
    }
}

/* The jump of one column: to = out·in·from, and what the impulses add to the integrals. */
static void jump_column(double *to, jn_sim *s, mode *m, const jn_linearised *l, const double *from,
                        const double *input, bool jumps)
{
    double *w = jni_doubles(l->n);
    for (int i = 0; i < l->n; i++)
        w[i] = jni_dot(l->in + i * l->nzeta, from, l->nzeta);
    for (int i = 0; i < l->nzeta; i++)
        to[i] = jni_dot(l->out + i * l->n, w, l->n) + (input ? input[i] : 0);
    if (jumps)
        jni_add_impulses(to, s, m, from);
    free(w);
}

/* What the inputs' own change does to the state that is jumped to. */
static void input_rates(double *to, jn_sim *s, mode *m, const double *z)
{
    const exact_mode *e = jni_exact(m);
    double *dz = jni_doubles(m->nz), *x = jni_doubles(s->model.nx);
    jni_sparse_mul(dz, &e->A, z);
    memset(dz, 0, (size_t)(e->n + s->model.ns) * sizeof *dz);
    jni_sparse_mul(x, &e->x_of_z, dz);
    memcpy(to, x, (size_t)s->model.nx * sizeof *to);
    free(dz);
    free(x);
}

static void note_entered(jn_link *l, const mode *m, bool jumps)
{
    size_t n = (size_t)l->nentered + 1;
    l->entered = jn_realloc(l->entered, n * sizeof *l->entered);
    l->jumps = jn_realloc(l->jumps, n * sizeof *l->jumps);
    l->entered[l->nentered] = m;
    l->jumps[l->nentered++] = jumps;
}

void jni_chain_enter(jn_sim *s, mode *m, const double *z, bool jumps)
{
    jn_chain *c = s->aside.chain;
    if (!c || c->missing || !c->is_event)
        return;
    jn_link *l = &c->link[c->n - 1];
    const jn_linearised *of = linear_of(c, m);
    int n = c->nz;
    double *from = jni_doubles(n), *to = jni_doubles(n), *input = jni_doubles(n);
    for (int k = 0; k < n + 2; k++) { /* the columns of J, then those of J_u */
        double *a = k < n ? l->J + k : l->J_u + (k - n);
        int step = k < n ? n : 2;
        for (int i = 0; i < n; i++) {
            from[i] = a[i * step];
            input[i] = k < n ? 0 : of->out_u[2 * i + k - n];
        }
        jump_column(to, s, m, of, from, input, jumps);
        for (int i = 0; i < n; i++)
            a[i * step] = to[i];
    }
    note_entered(l, m, jumps);
    memset(input, 0, (size_t)n * sizeof *input);
    input_rates(input, s, m, z);
    memcpy(from, c->carried, (size_t)n * sizeof *from);
    jump_column(c->carried, s, m, of, from, input, jumps);
    free(from);
    free(to);
    free(input);
}

void jni_chain_end(jn_sim *s)
{
    jn_chain *c = s->aside.chain;
    if (!c || c->missing || !c->is_event)
        return;
    jn_link *l = &c->link[c->n - 1];
    rates_now(l->shift, s);
    read_state(c->x, s);
    for (int i = 0; i < c->nz; i++)
        l->shift[i] = c->carried[i] - l->shift[i];
    view v = jni_present(s);
    for (int i = 0; i < c->what.nvalues; i++)
        l->step[i] = jni_probe_value(&v, c->what.value[i]) - c->y[i];
}
