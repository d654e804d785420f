/* stops.c: whether the arrows of a stop agree with its gap.
 *
 * A stop closes where f(x) < 0, and the gap is used up then: so while it is open, the gap has to
 * shrink where f(x) is negative. With the arrows the wrong way round the body passes, and is held
 * back when it returns. Which way the gap goes is known where it is made of integrals of flows:
 * its rate and f(x) are sums over the same speeds, those of 1-junctions, and are compared speed by
 * speed. Where they have none in common, nothing is said. */
#include <stdlib.h>

#include "graph_internal.h"

typedef struct {
    const jn_graph *g;
    int *speed;      /* per bond: the first of those that have its flow in common */
    jn_ratfun *rate; /* per bond, the first of its speed: that of the gap, and of f(x) */
    jn_ratfun *flow;
} comparison;

/* Bonds that meet at a 1-junction have one flow. */
static void find_speeds(comparison *c)
{
    const jn_graph *g = c->g;
    for (int i = 0; i < g->nbonds; i++)
        c->speed[i] = i;
    for (bool more = true; more;) {
        more = false;
        for (int i = 0; i < g->nelements; i++)
            for (int k = 1; g->element[i].kind == JN_1 && k < g->element[i].nbonds; k++) {
                int *a = &c->speed[g->element[i].bond[k - 1]],
                    *b = &c->speed[g->element[i].bond[k]];
                more = more || *a != *b;
                *a = *b = *a < *b ? *a : *b;
            }
    }
}

static void add_flow(jn_ratfun *to, const comparison *c, int bond, jn_ratfun factor)
{
    jn_ratfun *sum = &to[c->speed[bond]];
    *sum = jn_ratfun_add(c->g->field, *sum, factor);
}

/* factor·(what is integrated); false: it reads more than flows. */
static bool add_integrand(const comparison *c, const jn_expr *e, jn_ratfun factor)
{
    jn_linear l;
    bool good = jn_expr_linear(&l, c->g, e);
    for (int i = 0; i < l.n && good; i++) {
        good = l.term[i].bond >= 0 && !l.term[i].effort;
        if (good)
            add_flow(c->rate, c, l.term[i].bond, jn_ratfun_mul(c->g->field, factor, l.term[i].c));
    }
    jn_linear_clear(&l);
    return good;
}

static bool add_rate(const comparison *c, const jn_expr *e, jn_ratfun factor);

/* A product, or a quotient, with one factor that does not vary. */
static bool add_scaled(const comparison *c, const jn_expr *e, jn_ratfun factor)
{
    jn_field *k = c->g->field;
    int varies = jn_expr_varies(e->arg[1]) ? 1 : 0;
    jn_ratfun by;
    if (jn_expr_ratfun(&by, k, e->arg[1 - varies]) != JN_OK || (e->op == JN_X_DIV && varies))
        return false;
    if (e->op == JN_X_DIV && jn_ratfun_inv(&by, k, by) != JN_OK)
        return false;
    return add_rate(c, e->arg[varies], jn_ratfun_mul(k, factor, by));
}

/* factor·(the rate of e); false: it is not known. */
static bool add_rate(const comparison *c, const jn_expr *e, jn_ratfun factor)
{
    jn_ratfun minus = jn_ratfun_neg(c->g->field, factor);
    if (!jn_expr_varies(e))
        return true;
    switch (e->op) {
    case JN_X_SIGNAL:
        return add_rate(c, c->g->signal[e->index].expr, factor);
    case JN_X_NEG:
        return add_rate(c, e->arg[0], minus);
    case JN_X_ADD:
    case JN_X_SUB:
        return add_rate(c, e->arg[0], factor) &&
               add_rate(c, e->arg[1], e->op == JN_X_ADD ? factor : minus);
    case JN_X_MUL:
    case JN_X_DIV:
        return add_scaled(c, e, factor);
    case JN_X_INT:
        return add_integrand(c, e->arg[0], factor);
    default:
        return false;
    }
}

static int sign_of(const jn_graph *g, jn_ratfun r)
{
    jn_ratfun number;
    if (jn_ratfun_put(&number, g->field, r, g->param_value, g->nparams) == JN_OK)
        r = number;
    return jn_ratfun_is_zero(r) ? 0 : jn_ratfun_is_negative(g->field, r) ? -1 : 1;
}

/* Whether the gap grows while f(x) is negative, as far as they have speeds in common. */
static bool is_turned(comparison *c, const jn_expr *flow, const jn_expr *gap)
{
    const jn_graph *g = c->g;
    int bond, sign, against = 0, along = 0;
    for (int i = 0; i < g->nbonds; i++)
        c->rate[i] = c->flow[i] = JN_RATFUN_ZERO;
    for (int i = 0; jn_expr_term(&bond, &sign, g, flow, i); i++)
        add_flow(c->flow, c, bond, jn_ratfun_int(g->field, sign));
    if (!add_rate(c, gap, JN_RATFUN_ONE))
        return false;
    for (int i = 0; i < g->nbonds; i++) {
        int product = sign_of(g, c->rate[i]) * sign_of(g, c->flow[i]);
        along += product > 0;
        against += product < 0;
    }
    return against && !along;
}

/* "f(x) < 0 and gap <= 0", as the law of a stop is spelt out. */
static void check_stop(builder *b, comparison *c, const jn_automaton *a)
{
    for (int i = 0; i < a->ntransitions; i++) {
        const jn_expr *when = a->transition[i].when;
        if (!when || when->op != JN_X_AND)
            continue;
        const char *name = b->g->element[a->element].name;
        if (is_turned(c, when->arg[0]->arg[0], when->arg[1]->arg[0]))
            REPORT(b, JN_D_STOP_TURNED, a->place, name, name, name);
    }
}

void jni_build_check_stops(builder *b)
{
    const jn_graph *g = b->g;
    comparison c = {.g = g};
    for (int i = 0; i < g->nswitches; i++) {
        if (!g->automaton[i].is_stop)
            continue;
        if (!c.speed) {
            c.speed = jn_alloc((size_t)g->nbonds * sizeof *c.speed);
            c.rate = jn_alloc((size_t)g->nbonds * sizeof *c.rate);
            c.flow = jn_alloc((size_t)g->nbonds * sizeof *c.flow);
            find_speeds(&c);
        }
        check_stop(b, &c, &g->automaton[i]);
    }
    free(c.speed);
    free(c.rate);
    free(c.flow);
}
