/* expression.c: looking at expressions, and numbers that they are. */
#include <math.h>

#include "question.h"

/* ---- looking at expressions ---------------------------------------------------------------- */

static bool is_reading(jn_expr_op op)
{
    return (op >= JN_X_EFFORT && op <= JN_X_DISPLACEMENT) || op == JN_X_INT;
}

/* Leaving out what stands below an operation. */
static jn_look reads(const jn_expr *e, void *hidden)
{
    return e->op == *(const jn_expr_op *)hidden ? JN_LOOK_NOT_BELOW
           : is_reading(e->op)                  ? JN_LOOK_FOUND
                                                : JN_LOOK_ON;
}

static bool reads_but(const question *q, const jn_expr *e, jn_expr_op hidden)
{
    return jn_expr_find(q->g, e, reads, &hidden);
}

bool jni_expr_reads_model(const question *q, const jn_expr *e)
{
    return reads_but(q, e, JN_X_PI);
}

bool jni_expr_reads_only_past(const question *q, const jn_expr *e)
{
    return jn_expr_mentions(q->g, e, JN_X_PRIOR) && !reads_but(q, e, JN_X_PRIOR);
}

bool jni_expr_is_logic(const question *q, const jn_expr *e)
{
    if (e->op == JN_X_ON || e->op == JN_X_IN)
        return true;
    if (e->op != JN_X_AND && e->op != JN_X_OR && e->op != JN_X_NOT)
        return false;
    for (int i = 0; i < e->nargs; i++)
        if (!jni_expr_is_logic(q, e->arg[i]))
            return false;
    return true;
}

/* Whether nothing but time decides it. */
bool jni_expr_is_of_time(const question *q, const jn_expr *e)
{
    return !jni_expr_reads_model(q, e) && !jn_expr_mentions(q->g, e, JN_X_DISCRETE) &&
           !jn_expr_mentions(q->g, e, JN_X_ON) && !jn_expr_mentions(q->g, e, JN_X_IN);
}

const jn_expr *jni_only_part(question *q, const jn_expr *e)
{
    if (e->op == JN_X_SIGNAL)
        return jni_only_part(q, q->g->signal[e->index].expr);
    if (e->op == JN_X_NEG)
        return jni_only_part(q, e->arg[0]);
    if (e->op != JN_X_ADD && e->op != JN_X_SUB && e->op != JN_X_MUL && e->op != JN_X_DIV)
        return e;
    bool left = jni_expr_constant(q, e->arg[0]).id >= 0;
    bool right = jni_expr_constant(q, e->arg[1]).id >= 0;
    if (left == right || (left && e->op == JN_X_DIV))
        return NULL;
    return jni_only_part(q, e->arg[left]);
}

bool jni_is_wave(question *q, const jn_expr *e)
{
    const jn_expr *t = e->op == JN_X_SIN || e->op == JN_X_COS ? jni_only_part(q, e->arg[0]) : NULL;
    return t && t->op == JN_X_TIME;
}

/* ---- constants ----------------------------------------------------------------------------- */

static jn_ratfun not_one(void)
{
    return (jn_ratfun){-1};
}

/* The double itself, exactly. */
jn_ratfun jni_of_double(question *q, double v)
{
    int exponent;
    fmpq_t r;
    if (!isfinite(v))
        return not_one();
    fmpq_init(r);
    fmpz_set_d(fmpq_numref(r), ldexp(frexp(v, &exponent), 53));
    exponent -= 53;
    if (exponent >= 0)
        fmpq_mul_2exp(r, r, (flint_bitcnt_t)exponent);
    else
        fmpq_div_2exp(r, r, (flint_bitcnt_t)-exponent);
    jn_ratfun c = jn_ratfun_fmpq(q->g->field, r);
    fmpq_clear(r);
    return c;
}

/* Functions of numbers are worth what a run makes of them: the nearest double. */
static double function(jn_expr_op op, double a, double b)
{
    switch (op) {
    case JN_X_POW:
        return pow(a, b);
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
    case JN_X_ATAN:
        return atan(a);
    case JN_X_TANH:
        return tanh(a);
    case JN_X_FLOOR:
        return floor(a);
    case JN_X_ATAN2:
        return atan2(a, b);
    case JN_X_MOD:
        return a - b * floor(a / b);
    default:
        return NAN;
    }
}

jn_ratfun jni_function_of(question *q, jn_expr_op op, jn_ratfun a, jn_ratfun b)
{
    jn_field *k = q->g->field;
    fmpq_t n;
    fmpq_init(n);
    jn_ratfun r = not_one();
    bool whole = op == JN_X_POW && jn_ratfun_get_fmpq(n, k, b) && fmpz_is_one(fmpq_denref(n)) &&
                 fmpz_cmpabs(fmpq_numref(n), (fmpz[]){64}) <= 0;
    if (!whole || jn_ratfun_pow(&r, k, a, fmpz_get_si(fmpq_numref(n))) != JN_OK)
        r = jni_of_double(q, function(op, jn_ratfun_get_d(k, a), jn_ratfun_get_d(k, b)));
    fmpq_clear(n);
    return r;
}
