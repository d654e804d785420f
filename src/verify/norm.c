/* norm.c: what nothing determines.
 *
 * It has the least norm in controlled junctions: the finite solution is stationary against every change n that no port
 * sees, Σ c_k·c_k(n) = 0, which holds if the form on the left is a combination of the laws. Its multipliers are the
 * variables of one more family. */
#include "question.h"

/* Per bond end: what the laws of the element there contribute to the columns of e and f. */
typedef struct {
    question *q;
    term *lambda;
    term *e, *f;   /* per bond: sums over its ends */
    bool *is_open; /* per bond: a port is at one end, whose variables are given */
    const bonds *v;
} adjoint;

static void contribute(adjoint *a, bool effort, int bond, term c)
{
    term *to = effort ? a->e : a->f;
    to[bond] = jni_add(a->q->l, to[bond], c);
}

/* Multipliers of a junction's laws: one of the sum, and those of the common variable, which add up
 * to nothing. */
static void adjoint_junction(adjoint *a, int element, term on)
{
    question *q = a->q;
    const jn_element *x = &q->g->element[element];
    bool zero = x->kind == JN_0 || x->kind == JN_X0;
    term of_sum = jni_real(q->l), total = jni_zero(q->l), off = jni_not(q->l, on);
    for (int i = 0; i < x->nbonds; i++) {
        int b = x->bond[i];
        bool let_go = jn_graph_lets_go(q->g, element, b);
        term equal = jni_real(q->l);
        term summed = q->g->bond[b].head == element ? of_sum : jni_minus(q, jni_zero(q->l), of_sum);
        term only = let_go ? jni_real(q->l) : jni_zero(q->l); /* of the sum's variable, when OFF */
        if (let_go)
            jni_zero_if(q, off, equal);
        contribute(a, zero, b, equal);
        contribute(a, !zero, b, jni_either(q, on, summed, only));
        total = jni_add(q->l, total, equal);
    }
    jni_zero_if(q, on, total);
}

static void adjoint_ratio(adjoint *a, bool left_effort, int left, bool right_effort, int right,
                          jn_ratfun c)
{
    term m = jni_real(a->q->l);
    contribute(a, left_effort, left, m);
    contribute(a, right_effort, right, jni_times(a->q, jn_ratfun_neg(a->q->g->field, c), m));
}

static void adjoint_two_port(adjoint *a, int element)
{
    question *q = a->q;
    const jn_element *x = &q->g->element[element];
    int in = x->bond[0], out = x->bond[1];
    jn_ratfun c = jni_only_number(q, jn_graph_value(q->g, element));
    bool tf = x->kind == JN_TF;
    if (c.id < 0) { /* not one number: what it contributes may be anything */
        for (int i = 0; i < 4; i++)
            contribute(a, i % 2, i < 2 ? in : out, jni_real(q->l));
        return;
    }
    adjoint_ratio(a, true, in, tf, out, c);
    adjoint_ratio(a, !tf, out, false, in, c);
}

/* − c_k·c_k(n), to be met by the laws. */
static void adjoint_norm(adjoint *a, int k)
{
    question *q = a->q;
    int element = q->g->sw[k], bond, sign;
    if (q->g->element[element].kind == JN_BOOLEAN)
        return;
    bool is_x1 = q->g->element[element].kind == JN_X1;
    for (int flow = 0; flow < 2; flow++) {
        jn_expr e = {.op = flow ? JN_X_COMMON_FLOW : JN_X_COMMON_EFFORT, .index = element};
        bool when_on = is_x1 == (flow == 1);
        term on = when_on ? a->lambda[k] : jni_not(q->l, a->lambda[k]), c = jni_zero(q->l);
        for (int i = 0; jn_expr_term(&bond, &sign, q->g, &e, i); i++) {
            term one = flow ? a->v->f[bond] : a->v->e[bond];
            c = sign > 0 ? jni_add(q->l, c, one) : jni_minus(q, c, one);
        }
        for (int i = 0; jn_expr_term(&bond, &sign, q->g, &e, i); i++) {
            term one = sign > 0 ? jni_minus(q, jni_zero(q->l), c) : c;
            contribute(a, !flow, bond, jni_either(q, on, one, jni_zero(q->l)));
        }
    }
}

void jni_least_norm(question *q, const bonds *v, term *lambda)
{
    const jn_graph *g = q->g;
    if (!q->floats)
        return;
    adjoint a = {
        q, lambda, jni_terms(q, g->nbonds), jni_terms(q, g->nbonds), jni_room(q, (size_t)g->nbonds),
        v};
    for (int b = 0; b < g->nbonds; b++)
        a.e[b] = a.f[b] = jni_zero(q->l);
    for (int i = 0; i < g->nelements; i++) {
        const jn_element *x = &g->element[i];
        if (x->kind == JN_0 || x->kind == JN_1)
            adjoint_junction(&a, i, jni_true(q->l));
        else if (x->kind == JN_X0 || x->kind == JN_X1)
            adjoint_junction(&a, i, lambda[x->number]);
        else if (x->kind == JN_TF || x->kind == JN_GY)
            adjoint_two_port(&a, i);
        else if (jn_kind_is_port(x->kind))
            a.is_open[x->bond[0]] = true;
    }
    for (int k = 0; k < g->nswitches; k++)
        adjoint_norm(&a, k);
    term agreed = jni_guard_term(q, q->agreed, lambda);
    for (int k = 0; k < g->nsources; k++) { /* what passes sources that agree is not given */
        const jn_element *x = &g->element[g->source[k]];
        jni_zero_if(q, agreed, x->kind == JN_SE ? a.f[x->bond[0]] : a.e[x->bond[0]]);
    }
    for (int b = 0; b < g->nbonds; b++)
        if (!a.is_open[b]) {
            jni_zero_if(q, jni_true(q->l), a.e[b]);
            jni_zero_if(q, jni_true(q->l), a.f[b]);
        }
}
