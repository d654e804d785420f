/* evaluate.c: the value of an expression in a mode at an instant.
 *
 * A variable that has an impulse at the instant reads ±∞, by the sign of its area; so does one
 * that a conflict of sources drives without bound. prior(x) reads the view before, impulse(x) the
 * area itself. */
#include <math.h>

#include "sim_internal.h"

/* Where states are only known to a tolerance, so are jumps: small ones are none to a condition. */
static double seen_impulse(const view *v, int obs)
{
    double area = jn_mode_table_impulse(v->s, v->m, obs, v->from, v->to);
    bool is_clear = !v->s->numeric || area == 0 || jn_numeric_is_clear(v, obs);
    return is_clear ? area : 0;
}

static double observe(const view *v, int obs)
{
    if (v->from) {
        double area = seen_impulse(v, obs);
        if (area != 0)
            return area > 0 ? INFINITY : -INFINITY;
    }
    if (v->u) {
        double direction = jn_mode_table_infinite(v->s, v->m, obs, v->u);
        if (direction != 0)
            return direction > 0 ? INFINITY : -INFINITY;
    }
    return jn_observed(v->s, v->m, obs, v->z);
}

/* Sums over the bonds of a junction, by `read`. */
static double common(const view *v, const jn_expr *e, double (*read)(const view *v, int obs))
{
    int bond, sign;
    double sum = 0;
    for (int i = 0; jn_expr_term(&bond, &sign, v->s->g, e, i); i++)
        sum += sign * read(v, e->op == JN_X_COMMON_EFFORT ? jn_obs_effort(v->s, bond)
                                                          : jn_obs_flow(v->s, bond));
    return sum;
}

static double impulse_of(const view *v, int obs)
{
    return v->from ? seen_impulse(v, obs) : 0;
}

/* The impulse's area of an expression that is linear in bond variables. */
static double impulse_area(const view *v, const jn_expr *e)
{
    linear_form f;
    double area = 0;
    if (!jn_form_of(&f, v->s, e))
        return NAN;
    for (int i = 0; i < f.n; i++)
        area += f.term[i].c * impulse_of(v, f.term[i].obs);
    jn_form_clear(&f);
    return area;
}

/* Along a jump a value goes straight from what it was to what it will be. */
static double within_jump(const view *v, const jn_expr *e)
{
    view after = *v;
    after.from = after.to = NULL;
    double b = jn_evaluate(&after, e);
    if (!v->from || !v->prior || !v->prior->m)
        return b;
    double a = jn_evaluate(v->prior, e);
    return a + v->theta * (b - a);
}

static double leaf(const view *v, const jn_expr *e)
{
    jn_sim *s = v->s;
    switch (e->op) {
    case JN_X_NUMBER:
        return jn_number_of(s, e->number);
    case JN_X_PARAM:
        return jn_number_of(s, s->g->param[e->index].value);
    case JN_X_TIME:
        return v->t;
    case JN_X_PI:
        return 3.14159265358979323846;
    case JN_X_SIGNAL:
        return jn_evaluate(v, s->g->signal[e->index].expr);
    case JN_X_EFFORT:
        return observe(v, jn_obs_effort(s, e->index));
    case JN_X_FLOW:
        return observe(v, jn_obs_flow(s, e->index));
    case JN_X_COMMON_EFFORT:
    case JN_X_COMMON_FLOW:
        return common(v, e, observe);
    case JN_X_MOMENTUM:
    case JN_X_DISPLACEMENT:
        return observe(v, jn_obs_state(s, s->g->element[e->index].number));
    case JN_X_INT:
        return observe(v, jn_obs_integral(s, e->index));
    case JN_X_PRIOR:
        return jn_evaluate(v->prior && v->prior->m ? v->prior : v, e->arg[0]);
    case JN_X_WITHIN:
        return within_jump(v, e->arg[0]);
    case JN_X_IMPULSE:
        return impulse_area(v, e->arg[0]);
    default:
        return NAN;
    }
}

static double one_argument(jn_expr_op op, double a)
{
    switch (op) {
    case JN_X_NEG:
        return -a;
    case JN_X_SIN:
        return sin(a);
    case JN_X_COS:
        return cos(a);
    case JN_X_TAN:
        return tan(a);
    case JN_X_EXP:
        return exp(a);
    case JN_X_LOG:
        return log(a);
    case JN_X_SQRT:
        return sqrt(a);
    case JN_X_ABS:
        return fabs(a);
    case JN_X_ATAN:
        return atan(a);
    case JN_X_TANH:
        return tanh(a);
    case JN_X_FLOOR:
        return floor(a);
    default: /* JN_X_SIGN */
        return (a > 0) - (a < 0);
    }
}

static double two_arguments(jn_expr_op op, double a, double b)
{
    switch (op) {
    case JN_X_ADD:
        return a + b;
    case JN_X_SUB:
        return a - b;
    case JN_X_MUL:
        return a * b;
    case JN_X_DIV:
        return a / b;
    case JN_X_POW:
        return pow(a, b);
    case JN_X_ATAN2:
        return atan2(a, b);
    case JN_X_MOD:
        return a - b * floor(a / b);
    case JN_X_MIN:
        return fmin(a, b);
    default: /* JN_X_MAX */
        return fmax(a, b);
    }
}

double jn_evaluate(const view *v, const jn_expr *e)
{
    switch (e->op) {
    case JN_X_IF:
        return jn_evaluate(v, e->arg[jn_holds(v, e->arg[0]) ? 1 : 2]);
    case JN_X_TABLE:
        return jn_table_at(v->s, e->index, jn_evaluate(v, e->arg[0]));
    case JN_X_ADD:
    case JN_X_SUB:
    case JN_X_MUL:
    case JN_X_DIV:
    case JN_X_POW:
    case JN_X_ATAN2:
    case JN_X_MOD:
    case JN_X_MIN:
    case JN_X_MAX:
        return two_arguments(e->op, jn_evaluate(v, e->arg[0]), jn_evaluate(v, e->arg[1]));
    case JN_X_NEG:
    case JN_X_SIN:
    case JN_X_COS:
    case JN_X_TAN:
    case JN_X_EXP:
    case JN_X_LOG:
    case JN_X_SQRT:
    case JN_X_ABS:
    case JN_X_SIGN:
    case JN_X_ATAN:
    case JN_X_TANH:
    case JN_X_FLOOR:
        return one_argument(e->op, jn_evaluate(v, e->arg[0]));
    default:
        return leaf(v, e);
    }
}

static verdict compare(const view *v, const jn_expr *c)
{
    double a = jn_evaluate(v, c->arg[0]), b = jn_evaluate(v, c->arg[1]);
    double margin = jn_margin(v->s, c, a, b);
    if (isnan(a) || isnan(b))
        return UNKNOWN;
    verdict followed;
    if (v->m && isfinite(a) && isfinite(b) && jn_verdict_as_followed(&followed, v, c))
        return followed;
    if (margin > 0) { /* small beside a and b, not beside their difference */
        a -= b;
        b = 0;
    }
    switch (c->op) {
    case JN_X_LT:
        return a < b - margin;
    case JN_X_LE:
        return a <= b + margin;
    case JN_X_GE:
        return a >= b - margin;
    case JN_X_GT:
        return a > b + margin;
    default: /* JN_X_EQ: a crossing is met on its far side, so nearly equal is equal */
        return a == b || fabs(a - b) <= 1e-12 * (fabs(a) + fabs(b)) + margin;
    }
}

verdict jn_truth(const view *v, const jn_expr *c)
{
    verdict a, b, decides = c->op == JN_X_OR;
    switch (c->op) {
    case JN_X_NOT:
        a = jn_truth(v, c->arg[0]);
        return a == UNKNOWN ? a : !a;
    case JN_X_AND:
    case JN_X_OR:
        a = jn_truth(v, c->arg[0]);
        if (a == decides)
            return a;
        b = jn_truth(v, c->arg[1]);
        return b == decides || a != UNKNOWN ? b : a;
    case JN_X_ON:
        return v->m->onoff[v->s->g->element[c->index].number];
    default:
        return compare(v, c);
    }
}

bool jn_holds(const view *v, const jn_expr *condition)
{
    return jn_truth(v, condition) == YES;
}

const jn_expr *jn_without_value(const view *v, const jn_expr *e)
{
    const jn_expr *within = NULL;
    if (jn_expr_is_condition(e) ? jn_truth(v, e) != UNKNOWN : !isnan(jn_evaluate(v, e)))
        return NULL;
    for (int i = 0; i < e->nargs && !within; i++)
        within = jn_without_value(v, e->arg[i]);
    return within ? within : e;
}
