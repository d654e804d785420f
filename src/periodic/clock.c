/* clock.c: the period of a model, from what depends on time in it.
 *
 * Modulations repeat with their period; sin, cos, tan and mod of k·t + c with theirs; a comparison of
 * time with a number changes once, and so do min(t, 1) and `on at T`: after that it stands still. What
 * depends on time in any other way is not periodic, as far as can be seen. A discrete variable that holds a time
 * (turns.c) counts as t: how long ago it was, t - t0 > 1u, does not depend on time itself. What is integrated is read by
 * itself: a signal may read its own integral. */
#include <stdlib.h>

#include "periodic_internal.h"

typedef struct {
    clock_of_model *to;
    jn_sim *s;
    const jn_graph *g;
    double list[2]; /* periods met that have no common multiple */
} reader;

static double number_of(jn_sim *s, const jn_expr *e)
{
    const jn_probe *p;
    return jn_sim_probe(&p, s, e) == JN_OK ? jn_sim_value(s, p) : NAN;
}

/* ---- common multiples ---------------------------------------------------------------------- */

bool jni_fraction(double x, long *p, long *q)
{
    enum { MOST = 100000 };
    long p0 = 0, q0 = 1, p1 = 1, q1 = 0;
    double rest = x;
    for (int i = 0; i < 40; i++) {
        if (fabs(rest) > 1e9)
            return false;
        long a = (long)floor(rest);
        long p2 = a * p1 + p0, q2 = a * q1 + q0;
        if (q2 > MOST)
            return false;
        p0 = p1;
        q0 = q1;
        p1 = p2;
        q1 = q2;
        if (fabs((double)p1 / (double)q1 - x) <= 1e-12 * x) {
            *p = p1;
            *q = q1;
            return *p > 0;
        }
        rest = 1 / (rest - (double)a);
    }
    return false;
}

/* The period becomes a multiple of another one, that of `from`. exact: NULL: it is known as a double
 * only. */
static void add_period(reader *r, double period, const fmpq *exact, const jn_expr *from)
{
    clock_of_model *c = r->to;
    long p, q;
    if (!(period > 0) || !isfinite(period))
        return;
    if (c->period == 0) {
        c->period = period;
        c->from = from;
        c->is_exact = exact != NULL;
        if (exact)
            fmpq_set(c->exact, exact);
        return;
    }
    if (!jni_fraction(c->period / period, &p, &q)) {
        c->has_conflict = true;
        c->conflict[0] = c->period;
        c->conflict[1] = period;
        c->against = from;
        return;
    }
    if (!c->is_exact && exact) { /* q·period_1 = p·period_2 */
        fmpq_mul_si(c->exact, exact, p);
        c->is_exact = true;
    } else if (c->is_exact) {
        fmpq_mul_si(c->exact, c->exact, q);
    }
    c->period = c->is_exact ? jn_number_get_d(c->exact) : c->period * (double)q;
}

/* ---- expressions --------------------------------------------------------------------------- */

static const jn_expr *plain(const jn_graph *g, const jn_expr *e)
{
    while (e->op == JN_X_SIGNAL || e->op == JN_X_PRIOR)
        e = e->op == JN_X_SIGNAL ? g->signal[e->index].expr : e->arg[0];
    return e;
}

static bool is_kept_time(const jn_graph *g, const jn_expr *e)
{
    return e->op == JN_X_DISCRETE && jni_is_time(g, e->index);
}

static jn_look finds_kept_time(const jn_expr *e, void *graph)
{
    return is_kept_time(graph, e) ? JN_LOOK_FOUND : JN_LOOK_ON;
}

static bool mentions_kept_time(const jn_graph *g, const jn_expr *e)
{
    return jn_expr_find(g, e, finds_kept_time, (void *)g);
}

static bool mentions_time(const jn_graph *g, const jn_expr *e)
{
    return jn_expr_mentions(g, e, JN_X_TIME) || mentions_kept_time(g, e);
}

/* k·t + c */
static bool linear_in_time(double *k, double *c, const reader *r, const jn_expr *e)
{
    double k1 = 0, c1 = 0, k2 = 0, c2 = 0;
    e = plain(r->g, e);
    if (e->op == JN_X_TIME || is_kept_time(r->g, e)) {
        *k = 1;
        *c = 0;
        return true;
    }
    if (!jn_expr_varies(e)) {
        *k = 0;
        *c = number_of(r->s, e);
        return isfinite(*c);
    }
    if (e->op == JN_X_INT || e->nargs < 1 || e->nargs > 2 ||
        !linear_in_time(&k1, &c1, r, e->arg[0]) ||
        (e->nargs == 2 && !linear_in_time(&k2, &c2, r, e->arg[1])))
        return false;
    switch (e->op) {
    case JN_X_NEG:
        *k = -k1;
        *c = -c1;
        return true;
    case JN_X_ADD:
    case JN_X_SUB:
        *k = e->op == JN_X_ADD ? k1 + k2 : k1 - k2;
        *c = e->op == JN_X_ADD ? c1 + c2 : c1 - c2;
        return true;
    case JN_X_MUL:
        *k = k1 * c2 + k2 * c1;
        *c = c1 * c2;
        return k1 == 0 || k2 == 0;
    case JN_X_DIV:
        *k = k1 / c2;
        *c = c1 / c2;
        return k2 == 0 && c2 != 0;
    default:
        return false;
    }
}

/* a − b = k·t + c for two sides of a comparison or of min and max. */
static bool difference(double *k, double *c, const reader *r, const jn_expr *e)
{
    double k1, c1, k2, c2;
    if (mentions_kept_time(r->g, e) || !linear_in_time(&k1, &c1, r, e->arg[0]) ||
        !linear_in_time(&k2, &c2, r, e->arg[1]))
        return false;
    *k = k1 - k2;
    *c = c1 - c2;
    if (*k != 0)
        r->to->after = fmax(r->to->after, -*c / *k);
    return true;
}

static void read_expr(reader *r, const jn_expr *e);

static void read_args(reader *r, const jn_expr *e)
{
    for (int i = 0; i < e->nargs; i++)
        read_expr(r, e->arg[i]);
}

static void blame(reader *r, const jn_expr *e)
{
    if (!r->to->aperiodic)
        r->to->aperiodic = e;
}

static bool is_comparison(const jn_expr *e)
{
    return e->op >= JN_X_LT && e->op <= JN_X_GT;
}

/* The way that an `if` takes in the end, where its condition is one of time. */
static const jn_expr *lasting_way(const reader *r, const jn_expr *e)
{
    const jn_expr *when = e->arg[0];
    double k, c;
    if (!is_comparison(when) || !difference(&k, &c, r, when))
        return NULL;
    double sign = k != 0 ? k : c;
    bool holds = when->op == JN_X_LT   ? sign < 0
                 : when->op == JN_X_LE ? k < 0 || (k == 0 && c <= 0)
                 : when->op == JN_X_GT ? sign > 0
                 : when->op == JN_X_GE ? k > 0 || (k == 0 && c >= 0)
                                       : k == 0 && c == 0;
    return e->arg[holds ? 1 : 2];
}

static void read_wave(reader *r, const jn_expr *e)
{
    double k, c, unit = e->op == JN_X_TAN ? PI : 2 * PI;
    const jn_expr *arg = e->arg[0];
    if (e->op == JN_X_MOD) {
        double k2;
        if (!linear_in_time(&k2, &unit, r, e->arg[1]) || k2 != 0) {
            blame(r, e);
            return;
        }
    }
    if (linear_in_time(&k, &c, r, arg))
        add_period(r, k != 0 ? fabs(unit / k) : 0, NULL, e);
    else
        read_args(r, e);
}

/* How long ago something was, or a comparison of that. */
static bool is_duration(const reader *r, const jn_expr *e)
{
    double k1, c, k2 = 0;
    bool has_sides = is_comparison(e) || e->op == JN_X_MIN || e->op == JN_X_MAX;
    return mentions_kept_time(r->g, e) && linear_in_time(&k1, &c, r, has_sides ? e->arg[0] : e) &&
           (!has_sides || linear_in_time(&k2, &c, r, e->arg[1])) && k1 == k2;
}

static void read_of_time(reader *r, const jn_expr *e)
{
    double k, c;
    const jn_expr *way;
    if (is_duration(r, e))
        return;
    switch (e->op) {
    case JN_X_TIME:
    case JN_X_DISCRETE:
    case JN_X_TABLE:
        blame(r, e);
        return;
    case JN_X_SIN:
    case JN_X_COS:
    case JN_X_TAN:
    case JN_X_MOD:
        read_wave(r, e);
        return;
    case JN_X_MIN:
    case JN_X_MAX:
        if (difference(&k, &c, r, e) && k != 0)
            read_expr(r, e->arg[(k > 0) == (e->op == JN_X_MIN)]);
        else
            read_args(r, e);
        return;
    case JN_X_IF:
        way = lasting_way(r, e);
        if (way)
            read_expr(r, way);
        else
            read_args(r, e);
        return;
    default:
        if (!is_comparison(e) || !difference(&k, &c, r, e))
            read_args(r, e);
    }
}

static void read_expr(reader *r, const jn_expr *e)
{
    e = plain(r->g, e);
    if (mentions_time(r->g, e))
        read_of_time(r, e);
}

/* ---- the model ----------------------------------------------------------------------------- */

static bool rational(fmpq_t x, const jn_graph *g, const jn_expr *e)
{
    jn_ratfun f;
    return jn_expr_ratfun(&f, g->field, e) == JN_OK &&
           jn_ratfun_put(&f, g->field, f, g->param_value, g->nparams) == JN_OK &&
           jn_ratfun_get_fmpq(x, g->field, f);
}

/* A period of the model begins with that of its first modulation. */
static void read_modulation(reader *r, const jn_automaton *a, bool is_first)
{
    clock_of_model *c = r->to;
    fmpq_t period;
    fmpq_init(period);
    bool exact = rational(period, r->g, a->pwm_period);
    add_period(r, number_of(r->s, a->pwm_period), exact ? period : NULL, a->pwm_period);
    if (is_first && a->pwm_phase) {
        c->start = number_of(r->s, a->pwm_phase);
        if (!rational(c->exact_start, r->g, a->pwm_phase))
            c->is_exact = false;
    }
    fmpq_clear(period);
    read_expr(r, a->pwm_duty);
}

static void read_automata(reader *r)
{
    bool any = false;
    for (int i = 0; i < r->g->nswitches; i++) {
        const jn_automaton *a = &r->g->automaton[i];
        if (a->pwm_period)
            read_modulation(r, a, !any);
        any |= a->pwm_period != NULL;
        for (int k = 0; k < a->ntimes; k++)
            r->to->after = fmax(r->to->after, number_of(r->s, a->timed[k].at));
        for (int k = 0; k < a->ntransitions; k++) {
            read_expr(r, a->transition[k].when);
            for (int n = 0; n < a->transition[k].nsets; n++)
                if (!jni_is_time(r->g, a->transition[k].set[n].discrete))
                    read_expr(r, a->transition[k].set[n].value);
        }
    }
}

void jni_clock_find(clock_of_model *c, jn_sim *s, const jn_graph *g)
{
    *c = (clock_of_model){0};
    reader r = {c, s, g, {0, 0}};
    fmpq_init(c->exact);
    fmpq_init(c->exact_start);
    read_automata(&r);
    for (int i = 0; i < g->nelements; i++) {
        const jn_expr *each[] = {g->element[i].input, g->element[i].modulation, g->element[i].law};
        for (size_t k = 0; k < sizeof each / sizeof *each; k++)
            if (each[k])
                read_expr(&r, each[k]);
    }
    const jn_expr **integrand = jni_reads_integrands(g);
    for (int i = 0; i < g->nintegrals; i++)
        if (integrand[i])
            read_expr(&r, integrand[i]);
    free(integrand);
}

void jni_clock_give(clock_of_model *c, double period)
{
    double ratio = c->period > 0 ? period / c->period : 0;
    bool is_multiple = ratio > 0.5 && fabs(ratio - round(ratio)) <= 1e-13 * ratio;
    c->is_exact = c->is_exact && is_multiple;
    c->is_doubtful = c->aperiodic || c->has_conflict || (c->period > 0 && !is_multiple);
    if (c->is_exact)
        fmpq_mul_si(c->exact, c->exact, (long)round(ratio));
    c->period = c->is_exact ? jn_number_get_d(c->exact) : period;
    c->aperiodic = NULL;
    c->has_conflict = false;
}

void jni_clock_clear(clock_of_model *c)
{
    fmpq_clear(c->exact);
    fmpq_clear(c->exact_start);
}

double jni_clock_time(const clock_of_model *c, long k)
{
    if (!c->is_exact)
        return c->start + (double)k * c->period;
    fmpq_t t;
    fmpq_init(t);
    fmpq_mul_si(t, c->exact, k);
    fmpq_add(t, t, c->exact_start);
    double x = jn_number_get_d(t);
    fmpq_clear(t);
    return x;
}
