/* value_tangent.c: the value of an expression together with its derivative.
 *
 * The same rules as value_evaluate.c, on pairs: Newton's method and the integrator get exact
 * Jacobians, and rates that are zero come out as zero. Branches are held between events, as they
 * have been settled, so that what is integrated is smooth. */
#include <math.h>

#include "run.h"

/* The chain rule, but what does not move has no slope, even where that would be infinite. */
static dual through(double value, double slope, dual a)
{
    return (dual){value, a.d == 0 ? 0 : slope * a.d};
}

/* Where a step looks beyond the place where a law takes another way, roots and powers go on below
 * zero as odd functions. Those that are infinitely steep at 0 are rounded off there,
 *
 *     x^p → x·(x² + ε²)^((p − 1)/2)
 *
 * with ε small beside what x is otherwise. */
static dual steep(dual a, double p, double near)
{
    double square = a.v * a.v + near * near, root = pow(square, 0.5 * (p - 1));
    return (dual){a.v * root, a.d * root * (p * a.v * a.v + near * near) / square};
}

static dual power(dual a, dual b, bool goes_on, double near)
{
    if (goes_on && b.d == 0 && b.v > 0 && b.v < 1 && near > 0)
        return steep(a, b.v, near);
    if (goes_on && a.v < 0 && b.v != floor(b.v)) {
        dual other = power((dual){-a.v, -a.d}, b, false, 0);
        return (dual){-other.v, -other.d};
    }
    double value = pow(a.v, b.v);
    double slope = a.d == 0 ? 0 : a.d * b.v * pow(a.v, b.v - 1);
    return (dual){value, b.d == 0 ? slope : slope + b.d * value * log(a.v)};
}

static dual root(dual a, bool goes_on, double near)
{
    if (goes_on && near > 0)
        return steep(a, 0.5, near);
    double value = sqrt(goes_on ? fabs(a.v) : a.v);
    return through(goes_on ? copysign(value, a.v) : value, 0.5 / value, a);
}

/* A guess may be far beyond what doubles hold, as where a diode is thought to take all of 325 V: from there it goes on straight,
 * and leads back. */
static dual exponential(dual a, bool goes_on)
{
    const double most = 690;
    if (!goes_on || !(a.v > most))
        return through(exp(a.v), exp(a.v), a);
    return through(exp(most) * (1 + a.v - most), exp(most), a);
}

static dual one_argument(jn_expr_op op, dual a, bool goes_on, double near)
{
    switch (op) {
    case JN_X_NEG:
        return jni_scaled(a, -1);
    case JN_X_SIN:
        return through(sin(a.v), cos(a.v), a);
    case JN_X_COS:
        return through(cos(a.v), -sin(a.v), a);
    case JN_X_TAN:
        return through(tan(a.v), 1 + tan(a.v) * tan(a.v), a);
    case JN_X_EXP:
        return exponential(a, goes_on);
    case JN_X_LOG:
        return through(log(a.v), 1 / a.v, a);
    case JN_X_SQRT:
        return root(a, goes_on, near);
    case JN_X_ATAN:
        return through(atan(a.v), 1 / (1 + a.v * a.v), a);
    case JN_X_TANH:
        return through(tanh(a.v), 1 - tanh(a.v) * tanh(a.v), a);
    case JN_X_FLOOR:
        return (dual){floor(a.v), 0};
    case JN_X_ABS:
        return a.v < 0 ? jni_scaled(a, -1) : a;
    default: /* JN_X_SIGN */
        return (dual){(a.v > 0) - (a.v < 0), 0};
    }
}

static bool moves(dual a, dual b)
{
    return a.d != 0 || b.d != 0;
}

static dual two_arguments(jn_expr_op op, dual a, dual b, bool goes_on, double near)
{
    double square = a.v * a.v + b.v * b.v;
    switch (op) {
    case JN_X_ADD:
        return (dual){a.v + b.v, a.d + b.d};
    case JN_X_SUB:
        return jni_minus(a, b);
    case JN_X_MUL:
        return jni_times(a, b);
    case JN_X_DIV:
        return (dual){a.v / b.v, moves(a, b) ? (a.d - a.v / b.v * b.d) / b.v : 0};
    case JN_X_POW:
        return power(a, b, goes_on, near);
    case JN_X_ATAN2:
        return (dual){atan2(a.v, b.v), moves(a, b) ? (b.v * a.d - a.v * b.d) / square : 0};
    case JN_X_MOD:
        return (dual){a.v - b.v * floor(a.v / b.v), moves(a, b) ? a.d - floor(a.v / b.v) * b.d : 0};
    case JN_X_MIN:
        return a.v <= b.v ? a : b;
    default: /* JN_X_MAX */
        return a.v >= b.v ? a : b;
    }
}

static bool has_two(jn_expr_op op)
{
    return op == JN_X_ADD || op == JN_X_SUB || op == JN_X_MUL || op == JN_X_DIV || op == JN_X_POW ||
           op == JN_X_ATAN2 || op == JN_X_MOD || op == JN_X_MIN || op == JN_X_MAX;
}

dual jni_function(jn_expr_op op, dual a, dual b)
{
    return has_two(op) ? two_arguments(op, a, b, false, 0) : one_argument(op, a, false, 0);
}

/* ---- what is read -------------------------------------------------------------------------- */

static dual nothing(void)
{
    return (dual){NAN, 0};
}

static dual bond_flow(const moment *m, int bond)
{
    return jni_scaled(m->col[2 * bond + 1], m->flow_sign ? m->flow_sign[bond] : 1);
}

static dual common(const moment *m, const jn_expr *e)
{
    int bond, sign;
    dual sum = {0, 0};
    for (int i = 0; jn_expr_term(&bond, &sign, m->model->g, e, i); i++) {
        dual a = e->op == JN_X_COMMON_EFFORT ? m->col[2 * bond] : bond_flow(m, bond);
        sum.v += sign * a.v;
        sum.d += sign * a.d;
    }
    return sum;
}

static dual table_at(const model *m, int table, dual t)
{
    return through(jni_table_at(m, table, t.v), jni_table_slope(m, table, t.v), t);
}

static dual prior_of(const moment *m, const jn_expr *e)
{
    if (!m->prior)
        return jni_tangent(m, e);
    double x = jni_evaluate(m->prior, e);
    bool is_start = !m->prior->m; /* discrete variables have values before it, the model has none */
    return (dual){is_start && isnan(x) ? 0 : x, 0};
}

/* Of the model's variables. */
static dual variable(const moment *m, const jn_expr *e)
{
    if (!m->col)
        return nothing();
    switch (e->op) {
    case JN_X_EFFORT:
        return m->col[2 * e->index];
    case JN_X_FLOW:
        return bond_flow(m, e->index);
    case JN_X_COMMON_EFFORT:
    case JN_X_COMMON_FLOW:
        return common(m, e);
    default:
        return nothing();
    }
}

static dual leaf(const moment *m, const jn_expr *e)
{
    model *k = m->model;
    switch (e->op) {
    case JN_X_NUMBER:
        return (dual){jni_number_of(k, e->number), 0};
    case JN_X_PARAM:
        return (dual){jni_number_of(k, k->g->param[e->index].value), 0};
    case JN_X_PI:
        return (dual){PI, 0};
    case JN_X_TIME:
        return m->t;
    case JN_X_DISCRETE:
        return m->discrete ? (dual){m->discrete[e->index], 0} : nothing();
    case JN_X_SIGNAL:
        return jni_tangent(m, k->g->signal[e->index].expr);
    case JN_X_MOMENTUM:
    case JN_X_DISPLACEMENT:
        return m->x ? m->x[k->g->element[e->index].number] : nothing();
    case JN_X_INT:
        return m->integral ? m->integral[e->index] : nothing();
    case JN_X_TABLE:
        return table_at(k, e->index, jni_tangent(m, e->arg[0]));
    case JN_X_PRIOR:
        return prior_of(m, e->arg[0]);
    case JN_X_WITHIN:
        return jni_tangent(m, e->arg[0]);
    case JN_X_IMPULSE: /* there is none between events */
        return (dual){0, 0};
    default:
        return variable(m, e);
    }
}

/* ---- branches ------------------------------------------------------------------------------ */

static bool holds(const moment *m, const jn_expr *c)
{
    switch (c->op) {
    case JN_X_NOT:
        return !holds(m, c->arg[0]);
    case JN_X_AND:
        return holds(m, c->arg[0]) && holds(m, c->arg[1]);
    case JN_X_OR:
        return holds(m, c->arg[0]) || holds(m, c->arg[1]);
    case JN_X_ON:
        return m->onoff && m->onoff[m->model->g->element[c->index].number];
    case JN_X_IN:
        return m->state && m->state[c->index] == c->state;
    default:
        break;
    }
    double a = jni_tangent(m, c->arg[0]).v, b = jni_tangent(m, c->arg[1]).v;
    switch (c->op) {
    case JN_X_LT:
        return a < b;
    case JN_X_LE:
        return a <= b;
    case JN_X_GE:
        return a >= b;
    case JN_X_GT:
        return a > b;
    default: /* JN_X_EQ */
        return a == b;
    }
}

/* Some value of theirs, and a derivative wherever one of them has one; k: the branch that decides, −1: there is
 * none. */
static dual all_ways(const moment *m, const jn_expr *e, int k)
{
    bool has_place = k >= 0 && m->shares && m->share_at[k] >= 0, is_turned;
    dual sum = {0, 0};
    if (has_place)
        sum.d = m->shares[m->share_at[k]].d +
                m->shares[m->share_at[jni_branch_leader(m->branches, k, &is_turned)]].d;
    for (int i = e->op == JN_X_IF; i < e->nargs; i++) {
        dual a = jni_tangent(m, e->arg[i]);
        sum = (dual){a.v, sum.d + a.d};
    }
    return sum;
}

static dual way(const moment *m, int k, bool truth)
{
    double scale;
    const jn_expr *to = jni_branch_way(m->branches, k, truth, &scale);
    return to ? jni_scaled(jni_tangent(m, to), scale) : (dual){scale, 0};
}

static dual between(const moment *m, int k, dual share)
{
    dual a = jni_times(share, way(m, k, true));
    dual b = jni_times((dual){1 - share.v, -share.d}, way(m, k, false));
    return (dual){a.v + b.v, a.d + b.d};
}

/* The share that is found for all that turn together. */
static dual free_share(const moment *m, int k)
{
    bool is_turned;
    dual share = m->shares[m->share_at[jni_branch_leader(m->branches, k, &is_turned)]];
    return is_turned ? (dual){1 - share.v, -share.d} : share;
}

/* As settled: one way, the other, or between both by their share. */
static dual branching(const moment *m, int k)
{
    double share = jni_branch_share(m->branches, k);
    if (m->is_held && m->is_held[k])
        return (dual){0, 0};
    if (m->shares && jni_branch_is_free(m->branches, k))
        return between(m, k, free_share(m, k));
    if (share == 0 || share == 1)
        return way(m, k, share == 1);
    return between(m, k, (dual){share, 0});
}

/* Which branch decides what it is; −1: its arguments do. */
static int deciding(const moment *m, const jn_expr *e)
{
    bool jumps = e->op == JN_X_IF || e->op == JN_X_SIGN;
    if (!jni_is_branching(e->op) || !m->branches || m->branching >= BRANCH_ROUNDED)
        return -1;
    int k = jni_branch_of(m->branches, e);
    bool is_free = m->branching == BRANCH_JUMPS_HELD && !jumps;
    return is_free && !(k >= 0 && jni_branch_is_seamless(m->branches, k)) ? -1 : k;
}

/* Where the argument of a root or power is as good as 0. */
static double near_zero(const moment *m, const jn_expr *e)
{
    int i = jni_place_of(&m->model->steep.at, e);
    return i < 0 ? 0 : m->model->steep.item[i].near;
}

/* floor or mod on the step that the run is on. */
static dual on_step(const moment *m, const jn_expr *e, int step)
{
    double level = m->discrete[jni_step_discrete(m->model, step)];
    if (e->op == JN_X_FLOOR)
        return (dual){level, 0};
    return jni_minus(jni_tangent(m, e->arg[0]), jni_scaled(jni_tangent(m, e->arg[1]), level));
}

/* Of 1.001² − 1 rounding leaves no more than of 1. */
static dual rounded(dual now, dual by_a, dual by_b)
{
    return (dual){now.v, fabs(by_a.d) + fabs(by_b.d) + DBL_EPSILON * fabs(now.v)};
}

static dual computed(const moment *m, const jn_expr *e, bool goes_on)
{
    dual a = jni_tangent(m, e->arg[0]), b = {0, 0};
    double near = goes_on && (e->op == JN_X_SQRT || e->op == JN_X_POW) ? near_zero(m, e) : 0;
    if (e->nargs == 1) {
        dual now = one_argument(e->op, a, goes_on, near);
        return m->rounds && e->op != JN_X_NEG ? rounded(now, now, b) : now;
    }
    b = jni_tangent(m, e->arg[1]);
    dual now = two_arguments(e->op, a, b, goes_on, near);
    return m->rounds ? rounded(now, two_arguments(e->op, a, (dual){b.v, 0}, goes_on, near),
                               two_arguments(e->op, (dual){a.v, 0}, b, goes_on, near))
                     : now;
}

dual jni_tangent(const moment *m, const jn_expr *e)
{
    if (m->discrete && (e->op == JN_X_FLOOR || e->op == JN_X_MOD)) {
        int step = jni_step_of(m->model, e);
        if (step >= 0)
            return on_step(m, e, step);
    }
    int branch = deciding(m, e);
    bool goes_on = m->branches && m->branching != BRANCH_FREE;
    if (m->every_way && (branch >= 0 || jni_is_branching(e->op)))
        return all_ways(m, e, branch);
    if (branch >= 0)
        return branching(m, branch);
    if (e->op == JN_X_IF)
        return jni_tangent(m, e->arg[holds(m, e->arg[0]) ? 1 : 2]);
    if (e->op < JN_X_NEG || e->op > JN_X_MAX)
        return leaf(m, e);
    return computed(m, e, goes_on);
}
