/* run_meter.c: integrals and extrema of values over a span of a run.
 *
 * On a stretch, whatever is linear in the model is a Chebyshev series: its integral is one of a
 * polynomial, that of its square too, and its extrema are at the ends or where its derivative has a
 * zero. Any other expression is smooth between the points at which one of its comparisons turns
 * (those of `if`, and the ones behind abs, min, max and sign); there the stretch is cut, and each
 * piece is fitted, halved until the fit holds. A condition is 1 or 0 on each piece. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "run.h"

enum {
    MOST_HALVED = 40, /* beyond that it is a jump that no comparison shows: floor, mod */
    MOST_FITS = 50000 /* on one stretch: then nothing is said of the value */
};

/* What may turn on a stretch: left − right of a comparison. */
typedef struct {
    const jn_expr *e;
    bool is_linear;
    linear_form form;
} turn;

typedef struct {
    jn_reading r;
    bool any;     /* there was a stretch: the extrema mean something */
    double scale; /* the largest value that was looked at */
} tally;

struct jn_meter {
    const jn_expr *e;
    unsigned what;
    bool is_condition, is_linear;
    linear_form form;
    int nturns, cap_turns;
    turn *turn;
    tally sum; /* of the stretches that are over */
};

/* ---- making one ---------------------------------------------------------------------------- */

static bool is_comparison(const jn_expr *e)
{
    return e->op >= JN_X_LT && e->op <= JN_X_GT;
}

static void add_turn(jn_meter *m, jn_sim *s, const jn_expr *e)
{
    JN_GROW(m->turn, m->nturns, m->cap_turns);
    turn *to = &m->turn[m->nturns++];
    linear_form right = {0};
    *to = (turn){.e = e};
    to->is_linear =
        jni_form_of(&to->form, &s->model, e->arg[0]) && jni_form_of(&right, &s->model, e->arg[1]);
    if (to->is_linear)
        jni_form_add(&to->form, -1, &right);
    jni_form_clear(&right);
}

static void collect_comparisons(jn_meter *m, jn_sim *s, const jn_expr *condition)
{
    if (is_comparison(condition))
        add_turn(m, s, condition);
    else if (jn_expr_is_condition(condition))
        for (int i = 0; i < condition->nargs; i++)
            collect_comparisons(m, s, condition->arg[i]);
}

static void collect_turns(jn_meter *m, jn_sim *s)
{
    branches *b = jni_branches_new(&s->model);
    jni_branches_collect(b, m->e);
    for (int i = 0; i < jni_branches_count(b); i++)
        collect_comparisons(m, s, jni_branch_condition(b, i));
    if (m->is_condition)
        collect_comparisons(m, s, m->e);
    jni_branches_free(b);
}

static void clear_forms(jn_meter *m)
{
    for (int k = 0; k < m->nturns; k++)
        jni_form_clear(&m->turn[k].form);
    m->nturns = 0;
    jni_form_clear(&m->form);
}

/* With the values that the model has now. */
static void make_forms(jn_meter *m, jn_sim *s)
{
    m->is_linear = !m->is_condition && jni_form_of(&m->form, &s->model, m->e);
    if (!m->is_linear)
        collect_turns(m, s);
}

void jni_meters_renew(jn_sim *s)
{
    for (int i = 0; i < s->meters.n; i++) {
        clear_forms(s->meters.item[i]);
        make_forms(s->meters.item[i], s);
        jn_sim_meter_begin(s, s->meters.item[i]);
    }
}

jn_status jn_sim_meter(jn_meter **out, jn_sim *s, const jn_expr *e, unsigned what)
{
    bool is_condition = jn_expr_is_condition(e);
    if ((what & JN_METER_FIRST) && !is_condition)
        return JN_INVALID;
    jni_close_stretch(s); /* what it reads may not be part of the present one */
    jn_meter *m = jn_alloc(sizeof *m);
    m->e = e;
    m->what = what;
    m->is_condition = is_condition;
    make_forms(m, s);
    JN_GROW(s->meters.item, s->meters.n, s->meters.cap);
    s->meters.item[s->meters.n++] = m;
    jn_sim_meter_begin(s, m);
    if (s->engine->renew)
        s->engine->renew(s);
    *out = m;
    return JN_OK;
}

void jni_meters_clear(jn_sim *s)
{
    for (int i = 0; i < s->meters.n; i++) {
        jn_meter *m = s->meters.item[i];
        clear_forms(m);
        free(m->turn);
        free(m);
    }
    free(s->meters.item);
    s->meters = (meters){0};
}

/* What is not linear in a variable with an impulse has no area that is known. */
static double area_of(const jn_meter *m, jn_sim *s, mode *in, const jump *j)
{
    int n = 2 * s->model.g->nbonds;
    double area = 0, noise;
    if (m->is_linear)
        return in->engine->impulse(&noise, s, in, &m->form, j);
    bool *is_read = jn_alloc((size_t)jni_obs_count(&s->model) * sizeof *is_read);
    jni_mark_read(is_read, &s->model, m->e);
    for (int obs = 0; obs < n; obs++) {
        double a = is_read[obs] ? jni_impulse_of(&noise, s, in, obs, j) : 0;
        area = is_read[obs] && fabs(a) > noise ? NAN : area;
    }
    free(is_read);
    return area;
}

void jni_meters_jump(jn_sim *s, mode *m, const jump *j)
{
    for (int i = 0; i < s->meters.n; i++) {
        jn_meter *x = s->meters.item[i];
        if (x->is_condition)
            continue;
        double area = area_of(x, s, m, j);
        x->sum.r.impulse += area;
        x->sum.r.impulses += fabs(area);
    }
}

void jni_meters_mark_read(bool *is_read, const jn_sim *s)
{
    for (int i = 0; i < s->meters.n; i++)
        jni_mark_read(is_read, &s->model, s->meters.item[i]->e);
}

/* ---- a piece that is a series -------------------------------------------------------------- */

/* Over 0 ≤ τ ≤ length, τ counted from t0. */
typedef struct {
    double a[SERIES_TERMS];
    int n;
    double length, t0;
} piece;

static double u_of(const piece *p, double tau)
{
    return p->length > 0 ? 2 * tau / p->length - 1 : -1;
}

static void widen(tally *to, double value, double t)
{
    if (!to->any || value < to->r.min) {
        to->r.min = value;
        to->r.min_at = t;
    }
    if (!to->any || value > to->r.max) {
        to->r.max = value;
        to->r.max_at = t;
    }
    to->any = true;
}

/* All values of the series are within Σ|a_k| of a_0. */
static bool may_widen(const tally *to, const piece *p)
{
    double reach = 0;
    for (int k = 1; k < p->n; k++)
        reach += fabs(p->a[k]);
    return !to->any || !(p->a[0] + reach <= to->r.max && p->a[0] - reach >= to->r.min);
}

static void add_range(tally *sum, const piece *p, double from, double to)
{
    double d[SERIES_TERMS], zero[SERIES_TERMS], u0 = u_of(p, from), u1 = u_of(p, to);
    if (!may_widen(sum, p))
        return;
    widen(sum, jni_series_at(p->a, p->n, u0), p->t0 + from);
    jni_series_derivative(d, p->a, p->n);
    int count = jni_series_zeros(zero, d, p->n - 1, u0, u1);
    for (int i = 0; i < count; i++)
        widen(sum, jni_series_at(p->a, p->n, zero[i]), p->t0 + 0.5 * p->length * (1 + zero[i]));
    widen(sum, jni_series_at(p->a, p->n, u1), p->t0 + to);
}

/* Gauss's rule of 17 points is exact up to degree 33. */
static double square_integral(const piece *p, double from, double to)
{
    static double x[SERIES_TERMS], w[SERIES_TERMS];
    double sum = 0;
    if (w[0] == 0)
        jni_gauss_rule(x, w, SERIES_TERMS);
    for (int i = 0; i < SERIES_TERMS; i++) {
        double g = jni_series_at(p->a, p->n, u_of(p, from + (to - from) * x[i]));
        sum += w[i] * g * g;
    }
    return sum * (to - from);
}

static void add_piece(tally *sum, unsigned what, const piece *p, double from, double to)
{
    if (what & JN_METER_INTEGRAL)
        sum->r.integral += 0.5 * p->length *
                           (jni_series_integral(p->a, p->n, u_of(p, to)) -
                            (from > 0 ? jni_series_integral(p->a, p->n, u_of(p, from)) : 0));
    if (what & JN_METER_SQUARE)
        sum->r.square += square_integral(p, from, to);
    if ((what & JN_METER_RANGE) && isnan(p->a[0])) {
        sum->r.min = sum->r.max = NAN; /* and so they stay */
        sum->any = true;
    } else if (what & JN_METER_RANGE) {
        add_range(sum, p, from, to);
    }
}

/* ---- the present stretch ------------------------------------------------------------------- */

/* NaN where nothing determines it. */
static void linear_piece(piece *p, jn_sim *s, const linear_form *f)
{
    const course *c = &s->course;
    double noise;
    *p = (piece){.n = c->stretch.n, .length = c->stretch.length, .t0 = c->t0};
    if (!s->now.m->engine->series(p->a, &noise, s, s->now.m, f))
        p->a[0] = NAN;
    p->a[0] += jni_form_constant(s, f, s->now.discrete) + f->ct * (c->t0 + 0.5 * p->length);
    p->a[1] += f->ct * 0.5 * p->length;
    p->n = p->n < 2 ? 2 : p->n;
}

/* The view of a point of the stretch; z has room for it. */
static view glance(jn_sim *s, double *z, double tau)
{
    view v = jni_present(s);
    s->now.m->engine->glance(z, s, s->now.m, tau);
    v.z = z;
    v.t = s->course.t0 + tau;
    return v;
}

typedef struct {
    jn_sim *s;
    const jn_meter *m;
    tally *sum;
    double *z;
    int *fits; /* so far */
} look;

static double value_of(const view *v, const jn_expr *e)
{
    return is_comparison(e) ? jni_evaluate(v, e->arg[0]) - jni_evaluate(v, e->arg[1])
                            : jni_evaluate(v, e);
}

/* How far its value may be off, by rounding: what cancels is as rough as its parts. */
static double noise_between(const look *l, const jn_expr *e, double from, double to)
{
    double noise = 0;
    for (int i = 0; i < 3; i++) {
        view v = glance(l->s, l->z, from + 0.5 * i * (to - from));
        for (int k = 0; k < (is_comparison(e) ? 2 : 1); k++) {
            triple x = jni_evaluate_triple(&v, is_comparison(e) ? e->arg[k] : e);
            noise = fmax(noise, x.noise[FINITE]);
        }
    }
    return noise;
}

/* Fits [from, to]; whether the fit holds. */
static bool fit(piece *p, double *scale, const look *l, const jn_expr *e, double from, double to)
{
    double values[SERIES_TERMS], most = 0, tail = 0;
    if (++*l->fits > MOST_FITS) {
        *p = (piece){.a = {NAN}, .n = 2, .length = to - from};
        return true;
    }
    *p = (piece){.n = SERIES_TERMS, .length = to - from, .t0 = l->s->course.t0 + from};
    for (int i = 0; i < SERIES_TERMS; i++) {
        double u = cos(PI * i / SERIES_DEGREE);
        view v = glance(l->s, l->z, from + 0.5 * (to - from) * (1 + u));
        values[i] = value_of(&v, e);
        most = fmax(most, fabs(values[i]));
    }
    jni_series_fit(p->a, values, SERIES_TERMS);
    for (int k = SERIES_DEGREE - 2; k <= SERIES_DEGREE; k++)
        tail = fmax(tail, fabs(p->a[k]));
    *scale = fmax(*scale, most); /* near a zero rounding is that of what is larger elsewhere */
    return !(tail > 10 * SMOOTH_TAIL * *scale) || !isfinite(most) ||
           tail <= noise_between(l, e, from, to);
}

/* Across a jump, in next to no time: there is nothing between the values on both sides of it. */
static void add_jump(const look *l, double from, double to)
{
    for (int i = 0; i < 2; i++) {
        double tau = i ? to : from;
        view v = glance(l->s, l->z, tau);
        double y = value_of(&v, l->m->e);
        if (l->m->what & JN_METER_INTEGRAL)
            l->sum->r.integral += 0.5 * (to - from) * y;
        if (l->m->what & JN_METER_SQUARE)
            l->sum->r.square += 0.5 * (to - from) * y * y;
        if (l->m->what & JN_METER_RANGE)
            widen(l->sum, y, l->s->course.t0 + tau);
    }
}

static void add_smooth(const look *l, double from, double to, int halved)
{
    piece p;
    if (halved == MOST_HALVED) {
        add_jump(l, from, to);
        return;
    }
    if (fit(&p, &l->sum->scale, l, l->m->e, from, to)) {
        add_piece(l->sum, l->m->what, &p, 0, to - from);
        return;
    }
    double mid = 0.5 * (from + to);
    add_smooth(l, from, mid, halved + 1);
    add_smooth(l, mid, to, halved + 1);
}

/* ---- where comparisons turn ---------------------------------------------------------------- */

typedef struct {
    int n, cap;
    double *tau;
} cuts;

static void add_cut(cuts *c, double tau)
{
    JN_GROW(c->tau, c->n, c->cap);
    c->tau[c->n++] = tau;
}

static void cut_piece(cuts *c, const piece *p, double offset, double end)
{
    double zero[SERIES_TERMS];
    if (isnan(p->a[0]))
        return;
    int count = jni_series_zeros(zero, p->a, p->n, -1, u_of(p, end));
    for (int i = 0; i < count; i++)
        add_cut(c, offset + 0.5 * p->length * (1 + zero[i]));
}

static void cut_sampled(cuts *c, double *scale, const look *l, const jn_expr *e, double from,
                        double to, int halved)
{
    piece p;
    double mid = 0.5 * (from + to);
    if (fit(&p, scale, l, e, from, to) || halved == MOST_HALVED) {
        cut_piece(c, &p, from, to - from);
        return;
    }
    cut_sampled(c, scale, l, e, from, mid, halved + 1);
    cut_sampled(c, scale, l, e, mid, to, halved + 1);
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void find_cuts(cuts *c, const look *l, double tau)
{
    add_cut(c, 0);
    for (int i = 0; i < l->m->nturns; i++) {
        const turn *t = &l->m->turn[i];
        double scale = 0;
        piece p;
        if (t->is_linear) {
            linear_piece(&p, l->s, &t->form);
            cut_piece(c, &p, 0, tau);
        } else {
            cut_sampled(c, &scale, l, t->e, 0, tau, 0);
        }
    }
    add_cut(c, tau);
    qsort(c->tau, (size_t)c->n, sizeof *c->tau, by_size);
}

static bool holds_at(const look *l, double tau)
{
    view v = glance(l->s, l->z, tau);
    return jni_holds(&v, l->m->e);
}

/* Also at the cuts themselves: what is equal, or at its peak, may be so at one point only. */
static void add_condition(const look *l, const cuts *c)
{
    double t0 = l->s->course.t0;
    for (int i = 0; i < c->n; i++) {
        bool looks = (l->m->what & JN_METER_FIRST) && isnan(l->sum->r.first);
        if (looks && holds_at(l, c->tau[i]))
            l->sum->r.first = t0 + c->tau[i];
        if (i + 1 == c->n || c->tau[i + 1] <= c->tau[i])
            continue;
        double length = c->tau[i + 1] - c->tau[i];
        bool holds = holds_at(l, c->tau[i] + 0.5 * length);
        if (looks && holds && isnan(l->sum->r.first))
            l->sum->r.first = t0 + c->tau[i];
        l->sum->r.integral += l->m->what & JN_METER_INTEGRAL && holds ? length : 0;
        l->sum->r.square += l->m->what & JN_METER_SQUARE && holds ? length : 0;
        widen(l->sum, holds, t0 + c->tau[i]);
    }
}

static void add_stretch(tally *sum, const jn_meter *m, jn_sim *s, double tau)
{
    if (m->is_linear) {
        piece p;
        linear_piece(&p, s, &m->form);
        add_piece(sum, m->what, &p, 0, tau);
        return;
    }
    int fits = 0;
    look l = {s, m, sum, jni_doubles(s->now.m->nz), &fits};
    cuts c = {0};
    find_cuts(&c, &l, tau);
    if (m->is_condition)
        add_condition(&l, &c);
    for (int i = 0; i + 1 < c.n && !m->is_condition; i++)
        if (c.tau[i + 1] > c.tau[i])
            add_smooth(&l, c.tau[i], c.tau[i + 1], 0);
    free(c.tau);
    free(l.z);
}

void jni_meters_stretch(jn_sim *s, double tau)
{
    for (int i = 0; i < s->meters.n; i++)
        add_stretch(&s->meters.item[i]->sum, s->meters.item[i], s, tau);
}

/* ---- passing without a stretch ------------------------------------------------------------- */

static double value_now(jn_sim *s, const jn_meter *m)
{
    view v = jni_present(s);
    if (m->is_condition)
        return jni_holds(&v, m->e);
    return m->is_linear ? jni_form_number(&v, &m->form) : jni_evaluate(&v, m->e);
}

/* ---- reading ------------------------------------------------------------------------------- */

void jn_sim_meter_begin(jn_sim *s, jn_meter *m)
{
    jni_close_stretch(s);
    m->sum = (tally){.r = {.from = s->clock.t, .first = NAN}};
}

jn_reading jn_sim_meter_read(jn_sim *s, const jn_meter *m)
{
    tally sum = m->sum;
    if (s->course.following && s->clock.t > s->course.t0)
        add_stretch(&sum, m, s, s->clock.t - s->course.t0);
    sum.r.to = s->clock.t;
    if (!sum.any && (m->what & JN_METER_RANGE))
        widen(&sum, value_now(s, m), s->clock.t);
    view v = jni_present(s);
    if ((m->what & JN_METER_FIRST) && isnan(sum.r.first) && jni_holds(&v, m->e))
        sum.r.first = s->clock.t;
    return sum.r;
}
