/* constants.c: constants in outputs that are no rational numbers, as π in 30/pi*f(J).
 *
 * Such an output is linear all the same. The constant stands in its coefficients as one more
 * symbol of the field, after the parameters and s, with its own text as name. Sums, products and
 * quotients of constants are taken apart, so that 2*pi and pi/180 have one symbol in common.
 *
 * Where numbers are wanted, for zeros and ranks, the nearest double stands for the constant. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyse_internal.h"

static bool is_arithmetic(jn_expr_op op)
{
    return op == JN_X_NEG || op == JN_X_ADD || op == JN_X_SUB || op == JN_X_MUL || op == JN_X_DIV;
}

static bool is_rational(const jn_analysis *a, const jn_expr *e)
{
    jn_ratfun v;
    return jn_expr_ratfun(&v, a->field, e) == JN_OK;
}

/* The number of a constant among those that were listed; −1: it is none of them. */
static int find(const jn_analysis *a, const jn_expr *e)
{
    int found = -1;
    jn_str text;
    jn_str_init(&text);
    jn_expr_print(&text, a->graph, e);
    for (int i = 0; i < a->nconstants && found < 0; i++)
        if (strcmp(a->constant[i], jn_str_c(&text)) == 0)
            found = i;
    jn_str_clear(&text);
    return found;
}

static double number_of(const jn_analysis *a, const jn_expr *e)
{
    double x = e->nargs > 0 ? number_of(a, e->arg[0]) : NAN;
    double y = e->nargs > 1 ? number_of(a, e->arg[1]) : NAN;
    switch (e->op) {
    case JN_X_NUMBER:
        return jn_ratfun_get_d(a->field, e->number);
    case JN_X_PI:
        return JN_PI;
    case JN_X_NEG:
        return -x;
    case JN_X_ADD:
        return x + y;
    case JN_X_SUB:
        return x - y;
    case JN_X_MUL:
        return x * y;
    case JN_X_DIV:
        return x / y;
    case JN_X_POW:
        return pow(x, y);
    case JN_X_SQRT:
        return sqrt(x);
    case JN_X_SIN:
        return sin(x);
    case JN_X_COS:
        return cos(x);
    case JN_X_TAN:
        return tan(x);
    case JN_X_EXP:
        return exp(x);
    case JN_X_LOG:
        return log(x);
    default: /* it stays a symbol */
        return NAN;
    }
}

static jn_ratfun rational_of(const jn_analysis *a, double x)
{
    jn_ratfun r = {-1};
    fmpq_t q;
    int exponent;
    if (!isfinite(x))
        return r;
    double mantissa = ldexp(frexp(x, &exponent), 53);
    fmpq_init(q);
    fmpq_set_si(q, (slong)mantissa, 1);
    if (exponent >= 53)
        fmpq_mul_2exp(q, q, (ulong)(exponent - 53));
    else
        fmpq_div_2exp(q, q, (ulong)(53 - exponent));
    r = jn_ratfun_fmpq(a->field, q);
    fmpq_clear(q);
    return r;
}

static void add(jn_analysis *a, const jn_expr *e)
{
    jn_str text;
    jn_str_init(&text);
    jn_expr_print(&text, a->graph, e);
    JN_GROW(a->constant, a->nconstants, a->cap_constants);
    a->constant_value =
        jn_realloc(a->constant_value, (size_t)a->cap_constants * sizeof *a->constant_value);
    a->constant_value[a->nconstants] = rational_of(a, number_of(a, e));
    a->constant[a->nconstants++] = jn_arena_strndup(a->arena, jn_str_c(&text), text.len);
    jn_str_clear(&text);
}

static void list_below(jn_analysis *a, const jn_expr *e)
{
    if (e->op == JN_X_SIGNAL) {
        list_below(a, a->graph->signal[e->index].expr);
        return;
    }
    bool constant = !jn_expr_varies(e);
    if (constant && is_rational(a, e))
        return;
    if (constant && !is_arithmetic(e->op)) {
        if (find(a, e) < 0)
            add(a, e);
        return;
    }
    for (int i = 0; i < e->nargs && is_arithmetic(e->op); i++)
        list_below(a, e->arg[i]);
}

void jni_output_constants(jn_analysis *a)
{
    for (int i = 0; i < a->graph->noutputs; i++)
        list_below(a, a->graph->output[i].expr);
}

bool jni_output_constant(jn_ratfun *v, const void *analysis, const jn_expr *e)
{
    const jn_analysis *a = analysis;
    int i = jn_expr_varies(e) ? -1 : find(a, e);
    if (i >= 0)
        *v = jn_ratfun_param(a->field, a->s + 1 + i);
    return i >= 0;
}

jn_status jni_put_constants(jn_ratfun *v, const jn_analysis *a)
{
    int n = a->s + 1 + a->nconstants;
    if (a->nconstants == 0 || jn_ratfun_is_const(a->field, *v))
        return JN_OK;
    const jn_ratfun none = {-1};
    jn_ratfun *value = jn_alloc((size_t)n * sizeof *value);
    for (int i = 0; i < n; i++)
        value[i] = i <= a->s ? none : a->constant_value[i - a->s - 1];
    jn_status s = jn_ratfun_put(v, a->field, *v, value, n);
    free(value);
    return s;
}
