/* sources.c: the inputs as the output of a linear system.
 *
 * A source's value is brought into the form Σ p(t)·exp(a·t)·cos(b·t) + q(t)·exp(a·t)·sin(b·t) with
 * polynomials p, q: one family per pair (a, b). With P = p − i·q and c = a + i·b the family's
 * share of u is Re y_0, where
 *
 *     y_k = P⁽ᵏ⁾(t)·exp(c·t),     ẏ_k = c·y_k + y_{k+1}
 *
 * so V and G hold only a and b, and amplitudes stand in v: a source that is set by hand, or whose
 * `if` takes another branch, changes v and nothing else. The same goes for what is held between
 * events: prior values, and the line between two points of a table. */
#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "quasi.h"
#include "sim_internal.h"

typedef struct {
    const jn_expr *expr;
    bool fixed;                /* by hand, at this value */
    bool has_prior, has_table; /* these occur */
    double value;
    quasi form; /* the families of every branch, with the amplitudes of the present one */
} source;

struct generator {
    const jn_sim *s;
    int m;
    source *source;
    branches *branches;
    const view *prior; /* what prior(…) reads while values are brought up to date */
    double now;        /* the time then */
    int size, time;    /* time: place of t in v, the constant 1 behind it; −1 */
    double *V, *G;
    int nlive; /* of a model followed numerically: all expressions that move it */
    const jn_expr **live;
};

/* ---- from expressions ------------------------------------------------------------------------ */

/* The present truth of a branch; −1: take both (to collect all families). */
typedef struct {
    generator *g;
    bool every_branch;
} reading;

static bool read_into(quasi *q, const reading *r, const jn_expr *e, double scale);

/* The argument of sin, cos, exp: k·t + c. */
static bool read_linear(double *k, double *c, const reading *r, const jn_expr *e)
{
    quasi q = {0};
    bool ok = read_into(&q, r, e, 1);
    *k = *c = 0;
    for (int i = 0; i < q.n && ok; i++) {
        const family *f = &q.f[i];
        ok = f->a == 0 && f->b == 0 && f->degree <= 1;
        if (ok) {
            *c = creal(f->p[0]);
            *k = creal(f->p[1]);
        }
    }
    jn_quasi_clear(&q);
    return ok;
}

static bool read_wave(quasi *q, const reading *r, const jn_expr *e, double scale)
{
    double k, c;
    if (!read_linear(&k, &c, r, e->arg[0]))
        return false;
    if (e->op == JN_X_EXP)
        return jn_quasi_add(q, k, 0, 0, scale * exp(c));
    /* sin x = cos(x − π/2) = Re(−i·exp(i·x)) */
    double complex phase = e->op == JN_X_COS ? 1 : -I;
    double complex amplitude = scale * phase * cexp(I * c);
    return jn_quasi_add(q, 0, k, 0, k == 0 ? creal(amplitude) : amplitude);
}

static bool read_product(quasi *q, const reading *r, const jn_expr *a, const jn_expr *b,
                         double scale)
{
    quasi x = {0}, y = {0};
    bool ok =
        read_into(&x, r, a, scale) && read_into(&y, r, b, 1) && jn_quasi_add_product(q, &x, &y);
    jn_quasi_clear(&x);
    jn_quasi_clear(&y);
    return ok;
}

static bool read_power(quasi *q, const reading *r, const jn_expr *e, double scale)
{
    const view constants = {.s = (jn_sim *)r->g->s};
    if (!jn_is_constant(r->g->s, e->arg[1]))
        return false;
    double n = jn_evaluate(&constants, e->arg[1]);
    if (n != floor(n) || n < 1 || n > MOST_POWER)
        return false;
    quasi power = {0}, base = {0};
    bool ok = read_into(&base, r, e->arg[0], 1) && jn_quasi_add_scaled(&power, &base, scale);
    for (int i = 1; i < (int)n && ok; i++) {
        quasi next = {0};
        ok = jn_quasi_add_product(&next, &power, &base);
        jn_quasi_clear(&power);
        power = next;
    }
    ok = ok && jn_quasi_add_scaled(q, &power, 1);
    jn_quasi_clear(&power);
    jn_quasi_clear(&base);
    return ok;
}

static bool read_branch(quasi *q, const reading *r, const jn_expr *e, double scale)
{
    int k = jn_branch_add(r->g->branches, e);
    double taken;
    if (!r->every_branch) {
        const jn_expr *way = jn_branch_taken(r->g->branches, k, &taken);
        return way ? read_into(q, r, way, scale * taken) : jn_quasi_add(q, 0, 0, 0, scale * taken);
    }
    if (e->op == JN_X_SIGN)
        return jn_quasi_add(q, 0, 0, 0, scale);
    for (int i = e->op == JN_X_IF; i < e->nargs; i++)
        if (!read_into(q, r, e->arg[i], scale))
            return false;
    return true;
}

/* Whether everything that varies in e stands inside prior(…). */
static bool is_held(const jn_sim *s, const jn_expr *e)
{
    if (jn_is_constant(s, e) || e->op == JN_X_PRIOR)
        return true;
    if (e->op == JN_X_SIGNAL)
        return is_held(s, s->g->signal[e->index].expr);
    if (e->op == JN_X_INT || e->op == JN_X_TABLE)
        return false;
    for (int i = 0; i < e->nargs; i++)
        if (!is_held(s, e->arg[i]))
            return false;
    return e->nargs > 0;
}

static double held_value(const generator *g, const jn_expr *e)
{
    const view v = {.s = (jn_sim *)g->s, .t = g->now, .prior = g->prior};
    return g->prior && g->prior->m ? jn_evaluate(&v, e) : 0; /* nothing was before the start */
}

/* The piece of a table that holds now: a straight line. */
static bool read_table(quasi *q, const generator *g, const jn_expr *e, double scale)
{
    double from = g->now, to = jn_table_next(g->s, e->index, from);
    double value = jn_table_at(g->s, e->index, from), slope = 0;
    if (isfinite(to) && from >= g->s->table_data[e->index].t[0])
        slope = (jn_table_at(g->s, e->index, to) - value) / (to - from);
    return jn_quasi_add(q, 0, 0, 1, scale * slope) &&
           jn_quasi_add(q, 0, 0, 0, scale * (value - slope * from));
}

/* q += scale·e; false when e is not such a sum. */
static bool read_into(quasi *q, const reading *r, const jn_expr *e, double scale)
{
    const jn_graph *g = r->g->s->g;
    const view constants = {.s = (jn_sim *)r->g->s};
    if (jn_is_constant(r->g->s, e))
        return jn_quasi_add(q, 0, 0, 0, scale * jn_evaluate(&constants, e));
    if (is_held(r->g->s, e))
        return jn_quasi_add(q, 0, 0, 0, scale * held_value(r->g, e));
    switch (e->op) {
    case JN_X_TABLE:
        return e->arg[0]->op == JN_X_TIME && read_table(q, r->g, e, scale);
    case JN_X_TIME:
        return jn_quasi_add(q, 0, 0, 1, scale);
    case JN_X_SIGNAL:
        return read_into(q, r, g->signal[e->index].expr, scale);
    case JN_X_NEG:
        return read_into(q, r, e->arg[0], -scale);
    case JN_X_ADD:
        return read_into(q, r, e->arg[0], scale) && read_into(q, r, e->arg[1], scale);
    case JN_X_SUB:
        return read_into(q, r, e->arg[0], scale) && read_into(q, r, e->arg[1], -scale);
    case JN_X_MUL:
        return read_product(q, r, e->arg[0], e->arg[1], scale);
    case JN_X_DIV:
        return jn_is_constant(r->g->s, e->arg[1]) &&
               read_into(q, r, e->arg[0], scale / jn_evaluate(&constants, e->arg[1]));
    case JN_X_POW:
        return read_power(q, r, e, scale);
    case JN_X_SIN:
    case JN_X_COS:
    case JN_X_EXP:
        return read_wave(q, r, e, scale);
    case JN_X_IF:
    case JN_X_ABS:
    case JN_X_SIGN:
    case JN_X_MIN:
    case JN_X_MAX:
        return read_branch(q, r, e, scale);
    default:
        return false;
    }
}

/* ---- the generator --------------------------------------------------------------------------- */

/* The amplitudes of the present branches; the families stay. */
static void update(source *u, generator *g)
{
    quasi now = {0};
    reading r = {g, false};
    if (g->live)
        return;
    if (u->fixed)
        jn_quasi_add(&now, 0, 0, 0, u->value);
    else if (u->expr)
        read_into(&now, &r, u->expr, 1);
    for (int i = 0; i < u->form.n; i++)
        memset(u->form.f[i].p, 0, sizeof u->form.f[i].p);
    jn_quasi_add_scaled(&u->form, &now, 1);
    jn_quasi_clear(&now);
}

static void place_family(generator *g, const family *f, int row, int at)
{
    int step = f->b == 0 ? 1 : 2;
    if (row >= 0)
        g->G[row * g->size + at] = 1;
    for (int k = 0; k <= f->degree; k++, at += step) {
        for (int part = 0; part < step; part++) { /* re, im */
            double *row_of = g->V + (at + part) * g->size + at;
            row_of[part] = f->a;
            if (step == 2)
                row_of[1 - part] = part ? f->b : -f->b;
            if (k < f->degree)
                row_of[step + part] = 1;
        }
    }
}

static const family clock_family = {.degree = 1};

static void build(generator *g, bool with_time)
{
    for (int k = 0; k < g->m; k++)
        for (int i = 0; i < g->source[k].form.n; i++)
            g->size += jn_family_size(&g->source[k].form.f[i]);
    g->time = -1;
    if (with_time) {
        g->time = g->size;
        g->size += 2;
    }
    g->V = jn_alloc((size_t)g->size * (size_t)g->size * sizeof *g->V);
    g->G = jn_alloc((size_t)g->m * (size_t)g->size * sizeof *g->G);
    int at = 0;
    for (int k = 0; k < g->m; k++)
        for (int i = 0; i < g->source[k].form.n; i++) {
            place_family(g, &g->source[k].form.f[i], k, at);
            at += jn_family_size(&g->source[k].form.f[i]);
        }
    if (with_time)
        place_family(g, &clock_family, -1, at);
}

generator *jn_generator_new(const jn_sim *s, bool with_time, int *which)
{
    generator *g = jn_alloc(sizeof *g);
    reading all = {g, true};
    g->s = s;
    g->branches = jn_branches_new(s);
    g->m = s->m;
    g->source = jn_alloc((size_t)s->m * sizeof *g->source);
    for (int k = 0; k < s->m; k++) {
        source *u = &g->source[k];
        u->expr = s->g->element[s->g->source[k]].input;
        jn_quasi_family(&u->form, 0, 0);
        if (u->expr && !read_into(&u->form, &all, u->expr, 1)) {
            *which = s->g->source[k];
            jn_generator_free(g);
            return NULL;
        }
        u->has_prior = u->expr && jn_mentions(s, u->expr, JN_X_PRIOR);
        u->has_table = u->expr && jn_mentions(s, u->expr, JN_X_TABLE);
    }
    build(g, with_time);
    for (int k = 0; k < s->m; k++)
        update(&g->source[k], g);
    return g;
}

void jn_generator_free(generator *g)
{
    if (!g)
        return;
    for (int k = 0; k < g->m; k++)
        jn_quasi_clear(&g->source[k].form);
    free(g->source);
    free(g->live);
    jn_branches_free(g->branches);
    free(g->V);
    free(g->G);
    free(g);
}

int jn_generator_size(const generator *g)
{
    return g->size;
}

const double *jn_generator_V(const generator *g)
{
    return g->V;
}

const double *jn_generator_G(const generator *g)
{
    return g->G;
}

int jn_generator_one(const generator *g)
{
    return g->time + 1;
}

int jn_generator_time(const generator *g)
{
    return g->time;
}

void jn_generator_at(double *v, const generator *g, double t)
{
    for (int k = 0; k < g->m; k++)
        for (int i = 0; i < g->source[k].form.n; i++) {
            const family *f = &g->source[k].form.f[i];
            if (f->a == 0 && f->b == 0 && f->degree == 0) {
                *v++ = creal(f->p[0]);
                continue;
            }
            double complex wave = exp(f->a * t) * (cos(f->b * t) + I * sin(f->b * t));
            for (int d = 0; d <= f->degree; d++) {
                double complex y = jn_family_derivative(f, d, t) * wave;
                *v++ = creal(y);
                if (f->b != 0)
                    *v++ = cimag(y);
            }
        }
    if (g->time >= 0) {
        v[0] = t;
        v[1] = 1;
    }
}

void jn_generator_set(generator *g, int k, double value)
{
    g->source[k].fixed = true;
    g->source[k].value = value;
    update(&g->source[k], g);
}

branches *jn_generator_branches(const generator *g)
{
    return g->branches;
}

bool jn_generator_settle(generator *g, int branch, bool truth)
{
    if (!jn_branch_settle(g->branches, branch, truth))
        return false;
    for (int k = 0; k < g->m; k++)
        update(&g->source[k], g);
    return true;
}

void jn_generator_renew(generator *g, const view *prior, double t)
{
    g->prior = prior;
    g->now = t;
    for (int k = 0; k < g->m; k++)
        if (g->source[k].has_prior || g->source[k].has_table)
            update(&g->source[k], g);
    g->prior = NULL;
}

static double next_in(const generator *g, const jn_expr *e, double t)
{
    double first = INFINITY;
    if (e->op == JN_X_TABLE && e->arg[0]->op == JN_X_TIME)
        return jn_table_next(g->s, e->index, t);
    if (e->op == JN_X_SIGNAL)
        return next_in(g, g->s->g->signal[e->index].expr, t);
    for (int i = 0; i < e->nargs && e->op != JN_X_INT; i++) /* integrands are live themselves */
        first = fmin(first, next_in(g, e->arg[i], t));
    return first;
}

double jn_generator_next(const generator *g, double t)
{
    double first = INFINITY;
    for (int k = 0; k < g->m; k++)
        if (g->source[k].has_table && !g->source[k].fixed)
            first = fmin(first, next_in(g, g->source[k].expr, t));
    for (int i = 0; i < g->nlive; i++)
        first = fmin(first, next_in(g, g->live[i], t));
    return first;
}

int jn_generator_held(const generator *g, const mode_table *m)
{
    int nw = m->nz - g->size; /* states and integrals */
    for (int k = 0; k < g->m; k++) {
        if (!g->source[k].has_prior || g->source[k].fixed)
            continue;
        for (int l = 0; l < m->A.start[nw]; l++) {
            int at = m->A.col[l] - nw;
            if (at >= 0 && g->G[k * g->size + at] != 0)
                return g->s->g->source[k];
        }
    }
    return -1;
}

/* ---- of a model followed numerically --------------------------------------------------------- */

static void add_live(generator *g, const jn_expr *e)
{
    if (!e)
        return;
    g->live[g->nlive++] = e;
    jn_branches_collect(g->branches, e);
}

generator *jn_generator_of_branches(const jn_sim *s)
{
    generator *g = jn_alloc(sizeof *g);
    const generator *old = s->gen;
    g->s = s;
    g->branches = jn_branches_new(s);
    g->m = s->m;
    g->time = -1;
    g->source = jn_alloc((size_t)s->m * sizeof *g->source);
    g->live = jn_alloc((size_t)(3 * s->g->nelements + s->ni) * sizeof *g->live);
    for (int i = 0; i < s->g->nelements; i++) {
        add_live(g, s->g->element[i].input);
        add_live(g, s->g->element[i].modulation);
        add_live(g, s->g->element[i].law);
    }
    for (int i = 0; i < s->ni; i++)
        add_live(g, s->integral[i]);
    for (int k = 0; k < g->m && old; k++) {
        g->source[k].fixed = old->source[k].fixed;
        g->source[k].value = old->source[k].value;
    }
    if (old)
        jn_branches_take_over(g->branches, old->branches);
    return g;
}

bool jn_generator_fixed(double *value, const generator *g, int k)
{
    *value = g->source[k].value;
    return g->source[k].fixed;
}
