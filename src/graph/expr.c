/* expr.c: questions about expressions. */
#include "graph_internal.h"

bool jn_expr_is_condition(const jn_expr *e)
{
    return e->op >= JN_X_LT;
}

bool jn_expr_same(const jn_expr *a, const jn_expr *b)
{
    if (a == b)
        return true;
    if (a->op != b->op || a->index != b->index || a->nargs != b->nargs || a->state != b->state ||
        (a->op == JN_X_NUMBER && !jn_ratfun_equal(a->number, b->number)))
        return false;
    for (int i = 0; i < a->nargs; i++)
        if (!jn_expr_same(a->arg[i], b->arg[i]))
            return false;
    return true;
}

bool jn_expr_varies(const jn_expr *e)
{
    switch (e->op) {
    case JN_X_TIME:
    case JN_X_SIGNAL:
    case JN_X_DISCRETE:
    case JN_X_EFFORT:
    case JN_X_FLOW:
    case JN_X_COMMON_EFFORT:
    case JN_X_COMMON_FLOW:
    case JN_X_MOMENTUM:
    case JN_X_DISPLACEMENT:
    case JN_X_INT:
    case JN_X_TABLE:
    case JN_X_PRIOR:
    case JN_X_WITHIN:
    case JN_X_IMPULSE:
    case JN_X_ON:
    case JN_X_IN:
        return true;
    default:
        break;
    }
    for (int i = 0; i < e->nargs; i++)
        if (jn_expr_varies(e->arg[i]))
            return true;
    return false;
}

/* ---- looking for a part -------------------------------------------------------------------- */

bool jn_expr_find(const jn_graph *g, const jn_expr *e, jn_look look(const jn_expr *e, void *with),
                  void *with)
{
    jn_look seen = look(e, with);
    if (seen != JN_LOOK_ON || e->op == JN_X_INT)
        return seen == JN_LOOK_FOUND;
    if (e->op == JN_X_SIGNAL)
        return jn_expr_find(g, g->signal[e->index].expr, look, with);
    for (int i = 0; i < e->nargs; i++)
        if (jn_expr_find(g, e->arg[i], look, with))
            return true;
    return false;
}

static jn_look is_operation(const jn_expr *e, void *with)
{
    return e->op == *(const jn_expr_op *)with ? JN_LOOK_FOUND : JN_LOOK_ON;
}

bool jn_expr_mentions(const jn_graph *g, const jn_expr *e, jn_expr_op op)
{
    return jn_expr_find(g, e, is_operation, &op);
}

/* ---- the exact value ----------------------------------------------------------------------- */

/* a^n for a whole number n that is known. */
static jn_status power(jn_ratfun *r, jn_field *k, jn_ratfun a, jn_ratfun exponent)
{
    jn_status status = JN_UNABLE;
    fmpq_t n;
    fmpq_init(n);
    if (jn_ratfun_get_fmpq(n, k, exponent) && fmpz_is_one(fmpq_denref(n)) &&
        fmpz_fits_si(fmpq_numref(n)))
        status = jn_ratfun_pow(r, k, a, fmpz_get_si(fmpq_numref(n)));
    fmpq_clear(n);
    return status;
}

static jn_status combine(jn_ratfun *r, jn_field *k, jn_expr_op op, jn_ratfun x, jn_ratfun y)
{
    switch (op) {
    case JN_X_NEG:
        *r = jn_ratfun_neg(k, x);
        return JN_OK;
    case JN_X_ADD:
        *r = jn_ratfun_add(k, x, y);
        return JN_OK;
    case JN_X_SUB:
        *r = jn_ratfun_sub(k, x, y);
        return JN_OK;
    case JN_X_MUL:
        *r = jn_ratfun_mul(k, x, y);
        return JN_OK;
    case JN_X_DIV:
        return jn_ratfun_div(r, k, x, y);
    case JN_X_POW:
        return power(r, k, x, y);
    default:
        return JN_UNABLE;
    }
}

jn_status jn_expr_ratfun_at(jn_ratfun *r, jn_field *k, const jn_expr *e, const jn_expr **where)
{
    *where = e;
    if (e->op == JN_X_NUMBER) {
        *r = e->number;
        return JN_OK;
    }
    if (e->op == JN_X_PARAM) {
        *r = jn_ratfun_param(k, e->index);
        return JN_OK;
    }
    if (e->op < JN_X_NEG || e->op > JN_X_POW)
        return JN_UNABLE;
    jn_ratfun arg[2] = {JN_RATFUN_ZERO, JN_RATFUN_ZERO};
    for (int i = 0; i < e->nargs; i++) {
        jn_status status = jn_expr_ratfun_at(&arg[i], k, e->arg[i], where);
        if (status)
            return status;
    }
    *where = e;
    jn_status status = combine(r, k, e->op, arg[0], arg[1]);
    return jn_field_failed(k) ? JN_UNABLE : status;
}

jn_status jn_expr_ratfun(jn_ratfun *r, jn_field *k, const jn_expr *e)
{
    const jn_expr *where;
    return jn_expr_ratfun_at(r, k, e, &where);
}

bool jn_expr_term(int *bond, int *sign, const jn_graph *g, const jn_expr *e, int i)
{
    const jn_element *x = &g->element[e->index];
    bool efforts_common = x->kind == JN_0 || x->kind == JN_X0;
    if (efforts_common == (e->op == JN_X_COMMON_EFFORT)) {
        *bond = jn_graph_leading_bond(g, e->index);
        *sign = 1;
        return i == 0;
    }
    if (i >= x->nbonds)
        return false;
    *bond = x->bond[i];
    *sign = g->bond[x->bond[i]].tail == e->index ? 1 : -1;
    return true;
}
