/* model_source.c: the inputs as the output of a linear system.
 *
 * A source's value is brought into the form Σ p(t)·exp(a·t)·cos(b·t) + q(t)·exp(a·t)·sin(b·t) with
 * polynomials p, q: one family per pair (a, b). With P = p − i·q and c = a + i·b the family's
 * share of u is Re y_0, where
 *
 *     y_k = P⁽ᵏ⁾(t)·exp(c·t),     ẏ_k = c·y_k + y_{k+1}
 *
 * so V and G hold only a and b, and amplitudes stand in v: a source that is set by hand, or whose
 * `if` takes another branch, changes v and nothing else. The same goes for what is held between
 * events: prior values, discrete variables, switches, and the line between two points of a table.
 *
 * What a source reads of the model linearly is a feedback: it is not part of u, but of the
 * equations of the mode. While a mode is followed, prior(x) is x, so that a source of prior values
 * is a feedback then. */
#include <complex.h>
#include <stdlib.h>
#include <string.h>

#include "model_quasi.h"
#include "run.h"

typedef struct {
    const jn_expr *expr;
    bool fixed; /* by hand: value + slope·t */
    double value, slope;
    bool changes; /* at events: it must be brought up to date */
    bool has_prior;
    bool has_table;
    bool can_flow;           /* prior(x) may be x itself: it is linear then as well */
    linear_form feedback[2]; /* when asked, when followed */
    quasi form; /* the families of every branch, with the amplitudes of the present one */
    int at;     /* their place in v */
} source;

struct generator {
    jn_sim *s;
    model *model;
    int nu;
    source *source;
    bool changes, has_prior, has_table, has_feedback; /* some source does, or has */
    const view *now;     /* what is read while values are brought up to date */
    const bool *is_held; /* meanwhile: of the mode, per branch; NULL: none is */
    bool had_held;       /* when they were brought up to date last */
    bool flows;
    long version;   /* of the branches, as used last */
    int size, time; /* time: place of t in v, the constant 1 behind it; −1 */
    double *V, *G;
    int nlive; /* of a model that is integrated: all expressions that move it */
    const jn_expr **live;
};

/* ---- from expressions ---------------------------------------------------------------------- */

typedef struct {
    generator *g;
    bool every_branch; /* to collect all families */
    bool flows;        /* prior(x) is x */
    linear_form *form; /* for what is read of the model; NULL: nothing may be */
} reading;

static bool read_into(quasi *q, const reading *r, const jn_expr *e, double scale);

/* The same where nothing of the model may be read. */
static bool read_of_time(quasi *q, const reading *r, const jn_expr *e, double scale)
{
    reading plain = *r;
    plain.form = NULL;
    return read_into(q, &plain, e, scale);
}

/* The argument of sin, cos, exp: k·t + c. */
static bool read_linear(double *k, double *c, const reading *r, const jn_expr *e)
{
    quasi q = {0};
    bool ok = read_of_time(&q, r, e, 1);
    *k = *c = 0;
    for (int i = 0; i < q.n && ok; i++) {
        const family *f = &q.f[i];
        ok = f->a == 0 && f->b == 0 && f->degree <= 1;
        if (ok) {
            *c = creal(f->p[0]);
            *k = creal(f->p[1]);
        }
    }
    jni_quasi_clear(&q);
    return ok;
}

static bool read_wave(quasi *q, const reading *r, const jn_expr *e, double scale)
{
    double k, c;
    if (!read_linear(&k, &c, r, e->arg[0]))
        return false;
    if (e->op == JN_X_EXP)
        return jni_quasi_add(q, k, 0, 0, scale * exp(c));
    /* sin x = cos(x − π/2) = Re(−i·exp(i·x)) */
    double complex phase = e->op == JN_X_COS ? 1 : -I;
    double complex amplitude = scale * phase * cexp(I * c);
    return jni_quasi_add(q, 0, k, 0, k == 0 ? creal(amplitude) : amplitude);
}

static bool read_product(quasi *q, const reading *r, const jn_expr *a, const jn_expr *b,
                         double scale)
{
    model *m = r->g->model;
    if (jni_is_constant(m, a))
        return read_into(q, r, b, scale * jni_constant(m, a));
    if (jni_is_constant(m, b))
        return read_into(q, r, a, scale * jni_constant(m, b));
    quasi x = {0}, y = {0};
    bool ok = read_of_time(&x, r, a, scale) && read_of_time(&y, r, b, 1) &&
              jni_quasi_add_product(q, &x, &y);
    jni_quasi_clear(&x);
    jni_quasi_clear(&y);
    return ok;
}

static bool read_power(quasi *q, const reading *r, const jn_expr *e, double scale)
{
    model *m = r->g->model;
    if (!jni_is_constant(m, e->arg[1]))
        return false;
    double n = jni_constant(m, e->arg[1]);
    if (n != floor(n) || n < 1 || n > MOST_POWER)
        return false;
    quasi power = {0}, base = {0};
    bool ok = read_of_time(&base, r, e->arg[0], 1) && jni_quasi_add_scaled(&power, &base, scale);
    for (int i = 1; i < (int)n && ok; i++) {
        quasi next = {0};
        ok = jni_quasi_add_product(&next, &power, &base);
        jni_quasi_clear(&power);
        power = next;
    }
    ok = ok && jni_quasi_add_scaled(q, &power, 1);
    jni_quasi_clear(&power);
    jni_quasi_clear(&base);
    return ok;
}

/* Both ways, by their share. */
static bool read_branch(quasi *q, const reading *r, const jn_expr *e, double scale)
{
    const branches *b = r->g->s->branches;
    int k = jni_branch_of(b, e);
    double share = jni_branch_share(b, k);
    if (!r->every_branch && r->g->is_held && r->g->is_held[k])
        return true; /* a sign that is 0 */
    for (int way = 0; way < 2; way++) {
        double part = r->every_branch ? 1 : way ? share : 1 - share, factor;
        const jn_expr *to = jni_branch_way(b, k, way, &factor);
        if (part == 0)
            continue;
        if (to ? !read_of_time(q, r, to, scale * part * factor)
               : !jni_quasi_add(q, 0, 0, 0, scale * part * factor))
            return false;
    }
    return true;
}

/* Whether all that varies in e is held between events. */
static bool is_held(const reading *r, const jn_expr *e)
{
    switch (e->op) {
    case JN_X_PRIOR:
        return !r->flows || is_held(r, e->arg[0]);
    case JN_X_ON:
    case JN_X_IN:
    case JN_X_DISCRETE:
        return true;
    case JN_X_SIGNAL:
        return is_held(r, r->g->model->g->signal[e->index].expr);
    case JN_X_FLOOR: /* but for what was before, its level is */
        return jni_step_of(r->g->model, e) >= 0;
    case JN_X_INT:
    case JN_X_TABLE:
    case JN_X_IMPULSE:
    case JN_X_WITHIN:
        return false;
    default:
        break;
    }
    if (!e->nargs)
        return !jn_expr_varies(e);
    for (int i = 0; i < e->nargs; i++)
        if (!is_held(r, e->arg[i]))
            return false;
    return true;
}

/* Before anything is known it is nothing. */
static double held_value(const generator *g, const jn_expr *e)
{
    if (!g->now)
        return 0;
    bool reads_past = jni_mentions(g->model, e, JN_X_PRIOR);
    if (reads_past && (!g->now->prior || !g->now->prior->m))
        return 0;
    return jni_evaluate(g->now, e);
}

/* The piece of a table that holds now: a straight line. */
static bool read_table(quasi *q, const generator *g, const jn_expr *e, double scale)
{
    double from = g->now ? g->now->t : 0;
    double value = jni_table_at(g->model, e->index, from);
    double slope = jni_table_slope(g->model, e->index, from);
    return jni_quasi_add(q, 0, 0, 1, scale * slope) &&
           jni_quasi_add(q, 0, 0, 0, scale * (value - slope * from));
}

/* mod(a, b): a − b·level */
static bool read_step(quasi *q, const reading *r, const jn_expr *e, double scale)
{
    const generator *g = r->g;
    int step = jni_step_of(g->model, e);
    if (step < 0 || !jni_is_constant(g->model, e->arg[1]))
        return false;
    double b = jni_constant(g->model, e->arg[1]);
    double level = g->now ? g->now->discrete[jni_step_discrete(g->model, step)] : 0;
    return jni_quasi_add(q, 0, 0, 0, -scale * b * level) && read_into(q, r, e->arg[0], scale);
}

/* a/b */
static bool read_quotient(quasi *q, const reading *r, const jn_expr *a, const jn_expr *b,
                          double scale)
{
    model *m = r->g->model;
    return jni_is_constant(m, b) && read_into(q, r, a, scale / jni_constant(m, b));
}

/* f += scale·e, where e reads the model linearly. */
static bool read_feedback(const reading *r, const jn_expr *e, double scale)
{
    linear_form f;
    if (!r->form || (!r->flows && jni_mentions(r->g->model, e, JN_X_PRIOR)) ||
        !jni_form_of(&f, r->g->model, e))
        return false;
    jni_form_add(r->form, scale, &f);
    jni_form_clear(&f);
    return true;
}

/* q += scale·e; false when e is not such a sum. */
static bool read_into(quasi *q, const reading *r, const jn_expr *e, double scale)
{
    model *m = r->g->model;
    if (jni_is_constant(m, e))
        return jni_quasi_add(q, 0, 0, 0, scale * jni_constant(m, e));
    if (is_held(r, e))
        return jni_quasi_add(q, 0, 0, 0, scale * held_value(r->g, e));
    if (jni_is_branching(e->op))
        return read_branch(q, r, e, scale);
    switch (e->op) {
    case JN_X_TABLE:
        return e->arg[0]->op == JN_X_TIME && read_table(q, r->g, e, scale);
    case JN_X_TIME:
        return jni_quasi_add(q, 0, 0, 1, scale);
    case JN_X_SIGNAL:
        return read_into(q, r, m->g->signal[e->index].expr, scale);
    case JN_X_NEG:
        return read_into(q, r, e->arg[0], -scale);
    case JN_X_ADD:
    case JN_X_SUB:
        return read_into(q, r, e->arg[0], scale) &&
               read_into(q, r, e->arg[1], e->op == JN_X_ADD ? scale : -scale);
    case JN_X_MUL:
        return read_product(q, r, e->arg[0], e->arg[1], scale);
    case JN_X_DIV:
        return read_quotient(q, r, e->arg[0], e->arg[1], scale);
    case JN_X_POW:
        return read_power(q, r, e, scale);
    case JN_X_SIN:
    case JN_X_COS:
    case JN_X_EXP:
        return read_wave(q, r, e, scale);
    case JN_X_MOD:
        return read_step(q, r, e, scale);
    case JN_X_PRIOR:
        return r->flows && read_into(q, r, e->arg[0], scale);
    default:
        return read_feedback(r, e, scale);
    }
}

/* ---- the generator ------------------------------------------------------------------------- */

/* The amplitudes of the present; the families stay. */
static void update(source *u, generator *g)
{
    quasi now = {0};
    linear_form form = {0};
    reading r = {.g = g, .flows = g->flows && u->can_flow, .form = &form};
    if (g->live)
        return;
    if (u->fixed) {
        jni_quasi_add(&now, 0, 0, 0, u->value);
        if (u->slope != 0)
            jni_quasi_add(&now, 0, 0, 1, u->slope);
    } else if (u->expr) {
        read_into(&now, &r, u->expr, 1);
    }
    for (int i = 0; i < u->form.n; i++)
        memset(u->form.f[i].p, 0, sizeof u->form.f[i].p);
    jni_quasi_add_scaled(&u->form, &now, 1);
    jni_quasi_clear(&now);
    jni_form_clear(&form);
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
    for (int k = 0; k < g->nu; k++)
        for (int i = 0; i < g->source[k].form.n; i++)
            g->size += jni_family_size(&g->source[k].form.f[i]);
    g->time = -1;
    if (with_time) {
        g->time = g->size;
        g->size += 2;
    }
    g->V = jn_alloc((size_t)g->size * (size_t)g->size * sizeof *g->V);
    g->G = jn_alloc((size_t)g->nu * (size_t)g->size * sizeof *g->G);
    int at = 0;
    for (int k = 0; k < g->nu; k++) {
        g->source[k].at = at;
        for (int i = 0; i < g->source[k].form.n; i++) {
            place_family(g, &g->source[k].form.f[i], k, at);
            at += jni_family_size(&g->source[k].form.f[i]);
        }
    }
    if (with_time)
        place_family(g, &clock_family, -1, at);
}

/* What a source is made of; false: it is not of this kind. */
static bool read_source(source *u, generator *g)
{
    const model *m = g->model;
    const jn_expr *e = u->expr;
    family *by_hand = jni_quasi_family(&u->form, 0, 0);
    by_hand->degree = g->s->o.idle ? 1 : 0; /* only who asks for instants gives slopes */
    if (!e)
        return true;
    u->has_prior = jni_mentions(m, e, JN_X_PRIOR);
    u->has_table = jni_mentions(m, e, JN_X_TABLE);
    u->changes = u->has_prior || u->has_table || jni_mentions(m, e, JN_X_FLOOR) ||
                 jni_mentions(m, e, JN_X_MOD) || jni_mentions(m, e, JN_X_ON) ||
                 jni_mentions(m, e, JN_X_IN) || jni_mentions(m, e, JN_X_DISCRETE);
    for (int flows = 0; flows < 2; flows++) {
        linear_form form = {0};
        reading all = {g, true, flows, &form};
        bool ok = read_into(&u->form, &all, e, 1);
        if (ok)
            jni_form_add(&u->feedback[flows], 1, &form);
        jni_form_clear(&form);
        if (!ok && !flows)
            return false;
        u->can_flow = ok;
    }
    return true;
}

static void note_kinds(generator *g)
{
    for (int k = 0; k < g->nu; k++) {
        const source *u = &g->source[k];
        g->changes |= u->changes;
        g->has_prior |= u->has_prior;
        g->has_table |= u->has_table;
        g->has_feedback |= u->feedback[0].n || u->feedback[1].n;
    }
}

generator *jni_generator_new(jn_sim *s, bool with_time, int *which)
{
    generator *g = jn_alloc(sizeof *g);
    g->s = s;
    g->model = &s->model;
    g->nu = s->model.nu;
    g->source = jn_alloc((size_t)g->nu * sizeof *g->source);
    for (int k = 0; k < g->nu; k++) {
        g->source[k].expr = s->model.g->element[s->model.g->source[k]].input;
        if (!read_source(&g->source[k], g)) {
            *which = s->model.g->source[k];
            jni_generator_free(g);
            return NULL;
        }
    }
    build(g, with_time);
    note_kinds(g);
    for (int k = 0; k < g->nu; k++)
        update(&g->source[k], g);
    return g;
}

void jni_generator_free(generator *g)
{
    if (!g)
        return;
    for (int k = 0; k < g->nu; k++) {
        jni_quasi_clear(&g->source[k].form);
        jni_form_clear(&g->source[k].feedback[0]);
        jni_form_clear(&g->source[k].feedback[1]);
    }
    free(g->source);
    free(g->live);
    free(g->V);
    free(g->G);
    free(g);
}

int jni_generator_size(const generator *g)
{
    return g->size;
}

const double *jni_generator_V(const generator *g)
{
    return g->V;
}

const double *jni_generator_G(const generator *g)
{
    return g->G;
}

void jni_generator_inputs(double *u, const generator *g, const double *v)
{
    for (int k = 0; k < g->nu; k++) {
        const source *one = &g->source[k];
        u[k] = one->form.n == 1 ? v[one->at] : jni_dot(g->G + k * g->size, v, g->size);
    }
}

int jni_generator_one(const generator *g)
{
    return g->time + 1;
}

int jni_generator_time(const generator *g)
{
    return g->time;
}

void jni_generator_at(double *v, const generator *g, double t)
{
    for (int k = 0; k < g->nu; k++) {
        const quasi *q = &g->source[k].form;
        for (const family *f = q->f, *end = f + q->n; f < end; f++)
            if (f->degree == 0 && f->a == 0 && f->b == 0) {
                *v++ = creal(f->p[0]);
            } else {
                jni_family_at(v, f, t);
                v += jni_family_size(f);
            }
    }
    if (g->time >= 0) {
        v[0] = t;
        v[1] = 1;
    }
}

void jni_generator_set(generator *g, int k, double value)
{
    jni_generator_set_line(g, k, value, 0, 0);
}

void jni_generator_set_line(generator *g, int k, double value, double slope, double t)
{
    g->source[k].fixed = true;
    g->source[k].slope = slope;
    g->source[k].value = value - slope * t;
    update(&g->source[k], g);
}

bool jni_generator_fixed(double *value, const generator *g, int k)
{
    *value = g->source[k].value;
    return g->source[k].fixed;
}

/* Both are made of the same sources, in the same order. */
void jni_generator_carry(generator *to, const generator *from)
{
    for (int k = 0; k < from->nu; k++) {
        const source *u = &from->source[k];
        to->source[k].fixed = u->fixed;
        to->source[k].value = u->value;
        to->source[k].slope = u->slope;
        for (int i = 0; i < u->form.n; i++)
            to->source[k].form.f[i] = u->form.f[i];
    }
    to->flows = from->flows;
    to->version = jni_branches_version(to->s->branches);
    if (from->version != jni_branches_version(from->s->branches) || from->had_held)
        to->version--;
}

void jni_generator_renew(generator *g, const view *v, const mode *m)
{
    bool turned = g->flows != m->flows || g->version != jni_branches_version(g->s->branches) ||
                  g->had_held || m->is_held;
    g->now = v;
    g->is_held = m->is_held;
    g->had_held = m->is_held;
    g->flows = m->flows;
    g->version = jni_branches_version(g->s->branches);
    for (int k = 0; k < g->nu && (g->changes || turned); k++)
        if (g->source[k].changes || turned)
            update(&g->source[k], g);
    g->now = NULL;
    g->is_held = NULL;
}

double jni_generator_next(const generator *g, double t)
{
    double first = INFINITY;
    for (int k = 0; k < g->nu && g->has_table; k++)
        if (g->source[k].has_table && !g->source[k].fixed)
            first = fmin(first, jni_tables_next(g->model, g->source[k].expr, t));
    for (int i = 0; i < g->nlive; i++)
        first = fmin(first, jni_tables_next(g->model, g->live[i], t));
    return first;
}

const linear_form *jni_generator_feedback(const generator *g, int k, bool flows)
{
    const linear_form *f = &g->source[k].feedback[flows && g->source[k].can_flow];
    return !g->source[k].fixed && f->n ? f : NULL;
}

bool jni_generator_changes(const generator *g)
{
    return g->changes;
}

bool jni_generator_has_feedback(const generator *g)
{
    return g->has_feedback;
}

bool jni_generator_has_prior(const generator *g)
{
    for (int k = 0; k < g->nu && g->has_prior; k++)
        if (g->source[k].has_prior && !g->source[k].fixed)
            return true;
    return false;
}

bool jni_generator_can_flow(const generator *g, int k)
{
    return !g->source[k].has_prior || g->source[k].can_flow || g->source[k].fixed;
}

/* ---- of a model that is integrated --------------------------------------------------------- */

static void add_live(generator *g, const jn_expr *e)
{
    if (e)
        g->live[g->nlive++] = e;
}

generator *jni_generator_plain(jn_sim *s)
{
    generator *g = jn_alloc(sizeof *g);
    const generator *old = s->gen;
    const jn_graph *graph = s->model.g;
    g->s = s;
    g->model = &s->model;
    g->nu = s->model.nu;
    g->time = -1;
    g->source = jn_alloc((size_t)g->nu * sizeof *g->source);
    g->live = jn_alloc((size_t)(3 * graph->nelements + s->model.ns) * sizeof *g->live);
    for (int i = 0; i < graph->nelements; i++) {
        add_live(g, graph->element[i].input);
        add_live(g, graph->element[i].modulation);
        add_live(g, graph->element[i].law);
    }
    for (int i = 0; i < s->model.ns; i++)
        add_live(g, s->model.integral[i].of);
    for (int k = 0; k < g->nu && old; k++) {
        g->source[k].fixed = old->source[k].fixed;
        g->source[k].value = old->source[k].value;
    }
    return g;
}
