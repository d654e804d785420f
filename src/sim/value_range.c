/* value_range.c: between which values an expression of time stays in a while.
 *
 * Each operation takes ranges to a range that holds all it can come to: never too small but for rounding, perhaps
 * too large, since the same t may stand in both operands. Halving the while makes it better. So a pulse that lies
 * between two samples is seen, however short it is. */
#include <math.h>

#include "value.h"
#include "run.h"

static const range anything = {-INFINITY, INFINITY};

static range point(double x)
{
    return isnan(x) ? anything : (range){x, x};
}

/* What has no value somewhere may be anything. */
static range between(double a, double b)
{
    return isnan(a) || isnan(b) ? anything : (range){fmin(a, b), fmax(a, b)};
}

static range hull(range a, range b)
{
    return (range){fmin(a.low, b.low), fmax(a.high, b.high)};
}

static bool is_bounded(range a)
{
    return isfinite(a.low) && isfinite(a.high);
}

/* ---- arithmetic ---------------------------------------------------------------------------- */

static range corners(double f(double, double), range a, range b)
{
    range low = between(f(a.low, b.low), f(a.low, b.high));
    range high = between(f(a.high, b.low), f(a.high, b.high));
    return hull(low, high);
}

static double times(double a, double b)
{
    return a == 0 || b == 0 ? 0 : a * b; /* also of what grows without bound */
}

static double over(double a, double b)
{
    return a / b;
}

static bool has_zero(range a)
{
    return a.low <= 0 && a.high >= 0;
}

static range quotient(range a, range b)
{
    return has_zero(b) || !is_bounded(a) || !is_bounded(b) ? anything : corners(over, a, b);
}

static range absolute(range a)
{
    double most = fmax(fabs(a.low), fabs(a.high));
    return has_zero(a) ? (range){0, most} : (range){fmin(fabs(a.low), fabs(a.high)), most};
}

static range power(range a, range b)
{
    bool is_number = b.low == b.high, is_whole = is_number && b.low == floor(b.low);
    if (!is_bounded(b))
        return anything;
    if (is_whole && b.low >= 0) {
        if (fmod(b.low, 2) == 0)
            a = absolute(a);
        return between(pow(a.low, b.low), pow(a.high, b.low));
    }
    return a.low < 0 || (a.low == 0 && b.low < 0) ? anything : corners(pow, a, b);
}

/* ---- functions ----------------------------------------------------------------------------- */

/* cos has its highest values at whole numbers of turns, its lowest ones half a turn later. */
static range cosine(range a)
{
    const double turn = 2 * PI;
    range r;
    if (!is_bounded(a) || a.high - a.low >= turn)
        return (range){-1, 1};
    r = between(cos(a.low), cos(a.high));
    if (floor(a.high / turn) > floor(a.low / turn))
        r.high = 1;
    if (floor(a.high / turn + 0.5) > floor(a.low / turn + 0.5))
        r.low = -1;
    return r;
}

static range sine(range a)
{
    return cosine((range){a.low - PI / 2, a.high - PI / 2});
}

static range tangent(range a)
{
    bool has_pole = !is_bounded(a) || floor(a.high / PI + 0.5) > floor(a.low / PI + 0.5);
    return has_pole ? anything : between(tan(a.low), tan(a.high));
}

static range remainder_of(range a, range b)
{
    if (b.low != b.high || b.low == 0 || !is_bounded(a))
        return anything;
    double k = floor(a.low / b.low);
    if (k == floor(a.high / b.low))
        return (range){a.low - b.low * k, a.high - b.low * k};
    return between(0, b.low);
}

static range direction(range y, range x)
{
    return x.low > 0 && is_bounded(x) && is_bounded(y) ? corners(atan2, y, x) : (range){-PI, PI};
}

static double sign_of(double x)
{
    return (x > 0) - (x < 0);
}

static range one_argument(jn_expr_op op, range a)
{
    switch (op) {
    case JN_X_NEG:
        return (range){-a.high, -a.low};
    case JN_X_ABS:
        return absolute(a);
    case JN_X_SIN:
        return sine(a);
    case JN_X_COS:
        return cosine(a);
    case JN_X_TAN:
        return tangent(a);
    case JN_X_EXP:
        return between(exp(a.low), exp(a.high));
    case JN_X_LOG:
        return a.low > 0 ? between(log(a.low), log(a.high)) : anything;
    case JN_X_SQRT:
        return a.low >= 0 ? between(sqrt(a.low), sqrt(a.high)) : anything;
    case JN_X_SIGN:
        return between(sign_of(a.low), sign_of(a.high));
    case JN_X_ATAN:
        return between(atan(a.low), atan(a.high));
    case JN_X_TANH:
        return between(tanh(a.low), tanh(a.high));
    case JN_X_FLOOR:
        return between(floor(a.low), floor(a.high));
    default:
        return anything;
    }
}

static range two_arguments(jn_expr_op op, range a, range b)
{
    switch (op) {
    case JN_X_ADD:
        return between(a.low + b.low, a.high + b.high);
    case JN_X_SUB:
        return between(a.low - b.high, a.high - b.low);
    case JN_X_MUL:
        return corners(times, a, b);
    case JN_X_DIV:
        return quotient(a, b);
    case JN_X_POW:
        return power(a, b);
    case JN_X_ATAN2:
        return direction(a, b);
    case JN_X_MOD:
        return remainder_of(a, b);
    case JN_X_MIN:
        return (range){fmin(a.low, b.low), fmin(a.high, b.high)};
    case JN_X_MAX:
        return (range){fmax(a.low, b.low), fmax(a.high, b.high)};
    default:
        return anything;
    }
}

/* Lines between points: the ends, and the points that lie between them. */
static range of_table(const model *m, int table, range at)
{
    const table_data *d = &m->table[table];
    if (!is_bounded(at))
        return anything;
    range r = between(jni_table_at(m, table, at.low), jni_table_at(m, table, at.high));
    int low = 0, high = d->n;
    while (low < high) {
        int middle = (low + high) / 2;
        if (d->t[middle] < at.low)
            low = middle + 1;
        else
            high = middle;
    }
    for (int i = low; i < d->n && d->t[i] <= at.high; i++)
        r = hull(r, point(d->value[i]));
    return r;
}

/* ---- conditions ---------------------------------------------------------------------------- */

static verdict truth_within(const view *v, double from, double to, const jn_expr *c)
{
    if (c->op == JN_X_AND || c->op == JN_X_OR) {
        verdict decides = c->op == JN_X_OR ? YES : NO;
        verdict a = truth_within(v, from, to, c->arg[0]), b = truth_within(v, from, to, c->arg[1]);
        return a == decides || b == decides ? decides : a == b ? a : UNKNOWN;
    }
    if (c->op == JN_X_NOT) {
        verdict a = truth_within(v, from, to, c->arg[0]);
        return a == UNKNOWN ? a : a == YES ? NO : YES;
    }
    if (c->op < JN_X_LT || c->op > JN_X_GT || c->op == JN_X_EQ)
        return UNKNOWN;
    range a = jni_range(v, from, to, c->arg[0]), b = jni_range(v, from, to, c->arg[1]);
    bool greater = c->op == JN_X_GT || c->op == JN_X_GE;
    return a.low > b.high ? (greater ? YES : NO) : a.high < b.low ? (greater ? NO : YES) : UNKNOWN;
}

static range chosen(const view *v, double from, double to, const jn_expr *e)
{
    verdict holds = truth_within(v, from, to, e->arg[0]);
    if (holds != UNKNOWN)
        return jni_range(v, from, to, e->arg[holds == YES ? 1 : 2]);
    return hull(jni_range(v, from, to, e->arg[1]), jni_range(v, from, to, e->arg[2]));
}

range jni_range(const view *v, double from, double to, const jn_expr *e)
{
    const model *m = &v->s->model;
    switch (e->op) {
    case JN_X_TIME:
        return (range){from, to};
    case JN_X_SIGNAL:
        return jni_range(v, from, to, m->g->signal[e->index].expr);
    case JN_X_PRIOR:
        return jni_range(v, from, to, e->arg[0]);
    case JN_X_IF:
        return chosen(v, from, to, e);
    case JN_X_TABLE:
        return of_table(m, e->index, jni_range(v, from, to, e->arg[0]));
    default:
        break;
    }
    if (e->op < JN_X_NEG || e->op > JN_X_MAX)
        return e->nargs ? anything : point(jni_evaluate(v, e));
    range a = jni_range(v, from, to, e->arg[0]);
    return e->nargs == 1 ? one_argument(e->op, a)
                         : two_arguments(e->op, a, jni_range(v, from, to, e->arg[1]));
}

/* ---- where it leaves a range --------------------------------------------------------------- */

typedef struct {
    view v;
    const jn_expr *e;
    range within;
    double least; /* parts that are not longer are told by their middle */
    int left;     /* so many are looked at yet */
} way_out;

static bool is_within(range a, range b)
{
    return a.low >= b.low && a.high <= b.high;
}

/* The beginning of the first part of [from, to] that leaves; INFINITY: none does. */
static double first_part(way_out *w, double from, double to)
{
    double middle = from + 0.5 * (to - from);
    if (w->left-- <= 0 || is_within(jni_range(&w->v, from, to, w->e), w->within))
        return INFINITY;
    bool is_end = !(middle > from && middle < to) || to - from <= w->least * 0x1p-34;
    if (is_end || to - from <= w->least) {
        w->v.t = middle;
        double x = jni_evaluate(&w->v, w->e);
        if (x < w->within.low || x > w->within.high)
            return from;
        if (is_end)
            return INFINITY;
    }
    double first = first_part(w, from, middle);
    return isfinite(first) ? first : first_part(w, middle, to);
}

double jni_range_leaves(const view *v, double from, double to, const jn_expr *e, range within)
{
    enum { MOST_PARTS = 3000 };
    way_out w = {.v = *v, .e = e, .within = within, .least = (to - from) / 64, .left = MOST_PARTS};
    return first_part(&w, from, to);
}

/* ---- poles --------------------------------------------------------------------------------- */

static double size_at(way_out *w, double t)
{
    w->v.t = t;
    return fabs(jni_evaluate(&w->v, w->e));
}

/* Whether it grows like 1/distance, or faster, from one side of a point on: the run cannot get past that. Of a
 * log or a root its integral is finite. */
static bool grows_to(way_out *w, double t, double direction)
{
    const double near = 16, far = 1600,
                 grows = 50; /* units in the last place of t; beside far/near = 100 */
    double unit = direction * (nextafter(fabs(t), INFINITY) - fabs(t));
    double size = size_at(w, t + near * unit);
    return isfinite(size) && size > grows * size_at(w, t + far * unit);
}

static double pole_within(way_out *w, double from, double to)
{
    double middle = from + 0.5 * (to - from);
    if (w->left-- <= 0 || is_bounded(jni_range(&w->v, from, to, w->e)))
        return INFINITY;
    if (!(middle > from && middle < to))
        return grows_to(w, from, -1) || grows_to(w, from, 1) ? from : INFINITY;
    double first = pole_within(w, from, middle);
    return isfinite(first) ? first : pole_within(w, middle, to);
}

double jni_range_pole(const view *v, double from, double to, const jn_expr *e)
{
    enum { MOST_PARTS = 3000 };
    way_out w = {.v = *v, .e = e, .left = MOST_PARTS};
    return pole_within(&w, from, to);
}
