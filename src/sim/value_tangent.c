/* numeric_tangent.c: the value of an expression together with its derivative.
 *
 * The same rules as evaluate.c, on pairs: Newton's method and the integrator get exact Jacobians,
 * and rates that are zero come out as zero. Branches are held between events, as they have been
 * settled, so that what is integrated is smooth. */
#include <math.h>

#include "numeric.h"

static dual times(dual a, dual b)
{
    return (dual){a.v * b.v, a.d * b.v + a.v * b.d};
}

static dual scaled(dual a, double c)
{
    return (dual){c * a.v, c * a.d};
}

/* The chain rule, but what does not move has no slope, even where that would be infinite. */
static dual through(double value, double slope, dual a)
{
    return (dual){value, a.d == 0 ? 0 : slope * a.d};
}

static dual power(const moment *m, dual a, dual b)
{
    if (m->branching != BRANCH_FREE && a.v < 0 && b.v != floor(b.v)) {
        dual other = power(m, (dual){-a.v, -a.d}, b);
        return (dual){-other.v, -other.d};
    }
    double value = pow(a.v, b.v);
    double slope = a.d == 0 ? 0 : a.d * b.v * pow(a.v, b.v - 1);
    return (dual){value, b.d == 0 ? slope : slope + b.d * value * log(a.v)};
}

static dual table_at(const jn_sim *s, int table, dual t)
{
    double value = jn_table_at(s, table, t.v), next = jn_table_next(s, table, t.v), slope = 0;
    if (isfinite(next) && t.v >= s->table_data[table].t[0])
        slope = (jn_table_at(s, table, next) - value) / (next - t.v);
    return through(value, slope, t);
}

static dual bond_flow(const moment *m, int bond)
{
    return scaled(m->col[2 * bond + 1], m->s->j->flow_sign[bond]);
}

static dual common(const moment *m, const jn_expr *e)
{
    int bond, sign;
    dual sum = {0, 0};
    for (int i = 0; jn_expr_term(&bond, &sign, m->s->g, e, i); i++) {
        dual a = e->op == JN_X_COMMON_EFFORT ? m->col[2 * bond] : bond_flow(m, bond);
        sum.v += sign * a.v;
        sum.d += sign * a.d;
    }
    return sum;
}

static dual prior_of(const moment *m, const jn_expr *e)
{
    if (!m->prior)
        return jn_tangent(m, e);
    return (dual){m->prior->m ? jn_evaluate(m->prior, e) : 0, 0}; /* nothing was before the start */
}

static dual leaf(const moment *m, const jn_expr *e)
{
    switch (e->op) {
    case JN_X_TIME:
        return m->t;
    case JN_X_SIGNAL:
        return jn_tangent(m, m->s->g->signal[e->index].expr);
    case JN_X_EFFORT:
        return m->col[2 * e->index];
    case JN_X_FLOW:
        return bond_flow(m, e->index);
    case JN_X_COMMON_EFFORT:
    case JN_X_COMMON_FLOW:
        return common(m, e);
    case JN_X_MOMENTUM:
    case JN_X_DISPLACEMENT:
        return m->x[m->s->g->element[e->index].number];
    case JN_X_INT:
        return m->integral[e->index];
    case JN_X_TABLE:
        return table_at(m->s, e->index, jn_tangent(m, e->arg[0]));
    case JN_X_PRIOR:
        return prior_of(m, e->arg[0]);
    case JN_X_WITHIN:
        return jn_tangent(m, e->arg[0]);
    case JN_X_IMPULSE: /* there is none between events */
        return (dual){0, 0};
    default:
        return (dual){jn_evaluate(&(view){.s = (jn_sim *)m->s}, e), 0};
    }
}

static dual root(const moment *m, dual a)
{
    double value = sqrt(m->branching != BRANCH_FREE ? fabs(a.v) : a.v);
    return through(m->branching != BRANCH_FREE ? copysign(value, a.v) : value, 0.5 / value, a);
}

static dual one_argument(const moment *m, jn_expr_op op, dual a)
{
    switch (op) {
    case JN_X_NEG:
        return scaled(a, -1);
    case JN_X_SIN:
        return through(sin(a.v), cos(a.v), a);
    case JN_X_COS:
        return through(cos(a.v), -sin(a.v), a);
    case JN_X_TAN:
        return through(tan(a.v), 1 + tan(a.v) * tan(a.v), a);
    case JN_X_EXP:
        return through(exp(a.v), exp(a.v), a);
    case JN_X_LOG:
        return through(log(a.v), 1 / a.v, a);
    case JN_X_SQRT:
        return root(m, a);
    case JN_X_ABS:
        return a.v < 0 ? scaled(a, -1) : a;
    case JN_X_ATAN:
        return through(atan(a.v), 1 / (1 + a.v * a.v), a);
    case JN_X_TANH:
        return through(tanh(a.v), 1 - tanh(a.v) * tanh(a.v), a);
    case JN_X_FLOOR:
        return (dual){floor(a.v), 0};
    default: /* JN_X_SIGN */
        return (dual){(a.v > 0) - (a.v < 0), 0};
    }
}

static dual two_arguments(const moment *m, jn_expr_op op, dual a, dual b)
{
    switch (op) {
    case JN_X_ADD:
        return (dual){a.v + b.v, a.d + b.d};
    case JN_X_SUB:
        return (dual){a.v - b.v, a.d - b.d};
    case JN_X_MUL:
        return times(a, b);
    case JN_X_DIV:
        return (dual){a.v / b.v, (a.d - a.v / b.v * b.d) / b.v};
    case JN_X_POW:
        return power(m, a, b);
    case JN_X_ATAN2: {
        double square = a.v * a.v + b.v * b.v;
        return (dual){atan2(a.v, b.v), (b.v * a.d - a.v * b.d) / square};
    }
    case JN_X_MOD:
        return (dual){a.v - b.v * floor(a.v / b.v), a.d - floor(a.v / b.v) * b.d};
    case JN_X_MIN:
        return a.v <= b.v ? a : b;
    default: /* JN_X_MAX */
        return a.v >= b.v ? a : b;
    }
}

/* ---- branches -------------------------------------------------------------------------------- */

static bool holds(const moment *m, const jn_expr *c)
{
    if (c->op == JN_X_NOT)
        return !holds(m, c->arg[0]);
    if (c->op == JN_X_AND || c->op == JN_X_OR)
        return holds(m, c->arg[c->op == JN_X_AND ? (holds(m, c->arg[0]) ? 1 : 0)
                                                 : (holds(m, c->arg[0]) ? 0 : 1)]);
    if (c->op == JN_X_ON)
        return jn_holds(&(view){.s = (jn_sim *)m->s}, c);
    double a = jn_tangent(m, c->arg[0]).v, b = jn_tangent(m, c->arg[1]).v;
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

/* Some value of theirs, and a derivative wherever one of them has one. */
static dual all_ways(const moment *m, const jn_expr *e, int share)
{
    dual sum = {0, share >= 0 ? m->x[share].d : 0};
    for (int i = e->op == JN_X_IF; i < e->nargs; i++) {
        dual a = jn_tangent(m, e->arg[i]);
        sum = (dual){a.v, sum.d + a.d};
    }
    return sum;
}

/* Between both ways, by their share. */
static dual between(const moment *m, const jn_expr *e, dual share)
{
    dual one = {1, 0}, minus_one = {-1, 0}, rest = {1 - share.v, -share.d};
    bool is_sign = e->op == JN_X_SIGN;
    dual a = times(share, is_sign ? one : jn_tangent(m, e->arg[1]));
    dual b = times(rest, is_sign ? minus_one : jn_tangent(m, e->arg[2]));
    return (dual){a.v + b.v, a.d + b.d};
}

static dual branching(const moment *m, const jn_expr *e, int k)
{
    const branches *b = jn_generator_branches(m->s->gen);
    const numeric *n = m->s->numeric;
    double scale;
    if (m->every_way)
        return all_ways(m, e, n->share[k]);
    if (n->slide[k])
        return between(m, e, m->x[n->share[k]]);
    const jn_expr *way = jn_branch_taken(b, k, &scale);
    return way ? scaled(jn_tangent(m, way), scale) : (dual){scale, 0};
}

/* Which branch decides what it is; −1: its arguments do. */
static int deciding(const moment *m, const jn_expr *e)
{
    bool jumps = e->op == JN_X_IF || e->op == JN_X_SIGN;
    if (!jn_is_branching(e->op) || m->branching == BRANCH_FREE ||
        (m->branching == BRANCH_JUMPS_HELD && !jumps))
        return -1;
    return jn_branch_of(jn_generator_branches(m->s->gen), e);
}

dual jn_tangent(const moment *m, const jn_expr *e)
{
    int branch = deciding(m, e);
    if (branch >= 0)
        return branching(m, e, branch);
    if (e->op == JN_X_IF)
        return jn_tangent(m, e->arg[holds(m, e->arg[0]) ? 1 : 2]);
    if (e->op >= JN_X_NEG && e->op <= JN_X_MAX) {
        dual a = jn_tangent(m, e->arg[0]);
        return e->nargs == 1 ? one_argument(m, e->op, a)
                             : two_arguments(m, e->op, a, jn_tangent(m, e->arg[1]));
    }
    return leaf(m, e);
}

bool jn_reads_model(const jn_sim *s, const jn_expr *e)
{
    static const jn_expr_op reading[] = {JN_X_EFFORT,      JN_X_FLOW,     JN_X_COMMON_EFFORT,
                                         JN_X_COMMON_FLOW, JN_X_MOMENTUM, JN_X_DISPLACEMENT,
                                         JN_X_INT,         JN_X_ON};
    for (size_t i = 0; i < sizeof reading / sizeof *reading; i++)
        if (jn_mentions(s, e, reading[i]))
            return true;
    return false;
}
