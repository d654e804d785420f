/* linear.c: expressions that read the model linearly: 3*e(c) - k*f(L)/2 + sin(t). */
#include <stdlib.h>

#include "junct/graph.h"

static bool is_variable(jn_expr_op op)
{
    return op == JN_X_EFFORT || op == JN_X_FLOW || op == JN_X_COMMON_EFFORT ||
           op == JN_X_COMMON_FLOW || op == JN_X_MOMENTUM || op == JN_X_DISPLACEMENT;
}

/* seen: per signal. One that integrates itself leads back to itself. */
static bool reads_model(const jn_graph *g, const jn_expr *e, bool *seen)
{
    if (is_variable(e->op))
        return true;
    if (e->op == JN_X_SIGNAL) {
        bool again = seen[e->index];
        seen[e->index] = true;
        return !again && reads_model(g, g->signal[e->index].expr, seen);
    }
    for (int i = 0; i < e->nargs; i++)
        if (reads_model(g, e->arg[i], seen))
            return true;
    return false;
}

bool jn_expr_reads_model(const jn_graph *g, const jn_expr *e)
{
    bool *seen = jn_alloc((size_t)g->nsignals * sizeof *seen);
    bool reads = reads_model(g, e, seen);
    free(seen);
    return reads;
}

/* ---- constants ----------------------------------------------------------------------------- */

/* Exactly, signals followed; false: it is none, or not rational in the parameters. */
static bool constant_of(jn_ratfun *r, const jn_linear *l, const jn_graph *g, const jn_expr *e)
{
    jn_ratfun a, b;
    switch (e->op) {
    case JN_X_SIGNAL:
        return constant_of(r, l, g, g->signal[e->index].expr);
    case JN_X_NEG:
        if (!constant_of(&a, l, g, e->arg[0]))
            return false;
        *r = jn_ratfun_neg(g->field, a);
        return true;
    case JN_X_ADD:
    case JN_X_SUB:
    case JN_X_MUL:
    case JN_X_DIV:
        if (!constant_of(&a, l, g, e->arg[0]) || !constant_of(&b, l, g, e->arg[1]))
            return false;
        if (e->op == JN_X_DIV)
            return jn_ratfun_div(r, g->field, a, b) == JN_OK;
        *r = e->op == JN_X_ADD   ? jn_ratfun_add(g->field, a, b)
             : e->op == JN_X_SUB ? jn_ratfun_sub(g->field, a, b)
                                 : jn_ratfun_mul(g->field, a, b);
        return true;
    default:
        return (l->symbol && l->symbol(r, l->ctx, e)) || jn_expr_ratfun(r, g->field, e) == JN_OK;
    }
}

/* ---- sums ---------------------------------------------------------------------------------- */

/* What reads the same variable is one term. */
static void add_term(jn_linear *to, const jn_graph *g, struct jn_linear_term t)
{
    for (int i = 0; i < to->n; i++) {
        struct jn_linear_term *old = &to->term[i];
        if (old->bond == t.bond && old->storage == t.storage && old->effort == t.effort) {
            old->c = jn_ratfun_add(g->field, old->c, t.c);
            return;
        }
    }
    JN_GROW(to->term, to->n, to->cap);
    to->term[to->n++] = t;
}

static void add_variable(jn_linear *to, const jn_graph *g, const jn_expr *e, jn_ratfun c)
{
    int bond, sign;
    bool effort = e->op == JN_X_EFFORT || e->op == JN_X_COMMON_EFFORT;
    if (e->op == JN_X_EFFORT || e->op == JN_X_FLOW)
        add_term(to, g, (struct jn_linear_term){e->index, -1, effort, c});
    else if (e->op == JN_X_MOMENTUM || e->op == JN_X_DISPLACEMENT)
        add_term(to, g, (struct jn_linear_term){-1, g->element[e->index].number, false, c});
    else
        for (int i = 0; jn_expr_term(&bond, &sign, g, e, i); i++)
            add_term(to, g,
                     (struct jn_linear_term){bond, -1, effort,
                                             sign > 0 ? c : jn_ratfun_neg(g->field, c)});
}

static void add_rest(jn_linear *to, const jn_graph *g, const jn_expr *e)
{
    jn_ratfun c;
    bool constant = constant_of(&c, to, g, e);
    if (!constant)
        to->rest = JN_REST_VARIES;
    else if (!jn_ratfun_is_zero(c) && to->rest == JN_REST_NONE)
        to->rest = JN_REST_CONSTANT;
}

static bool read_into(jn_linear *to, const jn_graph *g, const jn_expr *e, jn_ratfun c);

static bool read_product(jn_linear *to, const jn_graph *g, const jn_expr *e, jn_ratfun c)
{
    jn_ratfun k;
    bool left = e->op == JN_X_MUL && constant_of(&k, to, g, e->arg[0]);
    if (!left && !constant_of(&k, to, g, e->arg[1]))
        return false;
    if (e->op == JN_X_DIV && jn_ratfun_inv(&k, g->field, k) != JN_OK)
        return false;
    return read_into(to, g, e->arg[left], jn_ratfun_mul(g->field, c, k));
}

/* to += c·e */
static bool read_into(jn_linear *to, const jn_graph *g, const jn_expr *e, jn_ratfun c)
{
    jn_field *k = g->field;
    if (!jn_expr_reads_model(g, e)) {
        add_rest(to, g, e);
        return true;
    }
    if (is_variable(e->op)) {
        add_variable(to, g, e, c);
        return true;
    }
    switch (e->op) {
    case JN_X_SIGNAL:
        return read_into(to, g, g->signal[e->index].expr, c);
    case JN_X_PRIOR:
        return read_into(to, g, e->arg[0], c);
    case JN_X_NEG:
        return read_into(to, g, e->arg[0], jn_ratfun_neg(k, c));
    case JN_X_ADD:
    case JN_X_SUB:
        return read_into(to, g, e->arg[0], c) &&
               read_into(to, g, e->arg[1], e->op == JN_X_ADD ? c : jn_ratfun_neg(k, c));
    case JN_X_MUL:
    case JN_X_DIV:
        return read_product(to, g, e, c);
    default:
        return false;
    }
}

bool jn_expr_linear(jn_linear *out, const jn_graph *g, const jn_expr *e)
{
    return jn_expr_linear_in(out, g, e, NULL, NULL);
}

bool jn_expr_linear_in(jn_linear *out, const jn_graph *g, const jn_expr *e,
                       bool (*symbol)(jn_ratfun *r, const void *ctx, const jn_expr *e),
                       const void *ctx)
{
    *out = (jn_linear){.symbol = symbol, .ctx = ctx};
    return read_into(out, g, e, JN_RATFUN_ONE);
}

void jn_linear_clear(jn_linear *l)
{
    free(l->term);
    *l = (jn_linear){0};
}
