/* reads.c: which numbers of a run anything depends on.
 *
 * What moves the model is read from its sources, modulated values and laws, its duty cycles and the
 * conditions of its switches; an integral or a discrete variable that none of them reads, not even by
 * way of another one, only counts. One that reads itself, the integral of a filter, has a value of its own to come to,
 * and is part of the orbit for that. This is told by the expressions alone: what a controller reads may be
 * without effect for a while, and still decide in the end. */
#include <stdlib.h>

#include "periodic_internal.h"

typedef struct {
    const jn_graph *g;
    const jn_expr **integrand;
    bool *discrete;
} reading;

static void read_expr(reading *r, const jn_expr *e);

static void read_transitions(reading *r, const jn_automaton *a, int discrete)
{
    for (int i = 0; i < a->ntransitions; i++) {
        const jn_transition *t = &a->transition[i];
        if (discrete < 0)
            read_expr(r, t->when);
        for (int n = 0; n < t->nsets; n++)
            if (t->set[n].discrete == discrete)
                read_expr(r, t->set[n].value);
    }
}

static void read_discrete(reading *r, int number)
{
    if (r->discrete[number])
        return;
    r->discrete[number] = true;
    for (int i = 0; i < r->g->nswitches; i++)
        read_transitions(r, &r->g->automaton[i], number);
}

static void read_expr(reading *r, const jn_expr *e)
{
    if (!e)
        return;
    if (e->op == JN_X_SIGNAL)
        read_expr(r, r->g->signal[e->index].expr);
    if (e->op == JN_X_DISCRETE)
        read_discrete(r, e->index);
    if (e->op == JN_X_INT) {
        if (!r->integrand[e->index]) {
            r->integrand[e->index] = e->arg[0];
            read_expr(r, e->arg[0]);
        }
        return;
    }
    for (int i = 0; i < e->nargs; i++)
        read_expr(r, e->arg[i]);
}

static void read_model(reading *r)
{
    const jn_graph *g = r->g;
    for (int i = 0; i < g->nelements; i++) {
        read_expr(r, g->element[i].input);
        read_expr(r, g->element[i].modulation);
        read_expr(r, g->element[i].law);
    }
    for (int i = 0; i < g->nswitches; i++) {
        read_expr(r, g->automaton[i].pwm_duty);
        read_transitions(r, &g->automaton[i], -1);
    }
}

/* Whether what is integrated depends on the integral, also by way of others. */
static bool depends_on(const jn_graph *g, const jn_expr *e, int integral, bool *seen)
{
    if (e->op == JN_X_SIGNAL)
        return depends_on(g, g->signal[e->index].expr, integral, seen);
    if (e->op == JN_X_INT && e->index == integral)
        return true;
    if (e->op == JN_X_INT && seen[e->index])
        return false;
    if (e->op == JN_X_INT)
        seen[e->index] = true;
    for (int i = 0; i < (e->op == JN_X_INT ? 1 : e->nargs); i++)
        if (depends_on(g, e->arg[i], integral, seen))
            return true;
    return false;
}

/* Of what is only looked at, the integrals that read themselves. */
static void read_filters(reading *r, const jn_expr *e, bool *met)
{
    if (e->op == JN_X_INT) {
        if (met[e->index])
            return;
        met[e->index] = true;
        bool *seen = jn_alloc((size_t)r->g->nintegrals * sizeof *seen);
        if (depends_on(r->g, e->arg[0], e->index, seen))
            read_expr(r, e);
        free(seen);
    }
    if (e->op == JN_X_SIGNAL)
        read_filters(r, r->g->signal[e->index].expr, met);
    for (int i = 0; i < (e->op == JN_X_INT ? 1 : e->nargs); i++)
        read_filters(r, e->arg[i], met);
}

static void read_views(reading *r)
{
    bool *met = jn_alloc((size_t)r->g->nintegrals * sizeof *met + 1);
    for (int i = 0; i < r->g->noutputs; i++)
        read_filters(r, r->g->output[i].expr, met);
    for (int i = 0; i < r->g->nsignals; i++)
        read_filters(r, r->g->signal[i].expr, met);
    free(met);
}

const jn_expr **jni_reads_integrands(const jn_graph *g)
{
    reading r = {g, jn_alloc((size_t)g->nintegrals * sizeof *r.integrand),
                 jn_alloc((size_t)g->ndiscretes * sizeof *r.discrete)};
    read_model(&r);
    free(r.discrete);
    return r.integrand;
}

void jni_reads_find(bool *is_read, const jn_graph *g, const jn_numbers *c)
{
    reading r = {g, jn_alloc((size_t)g->nintegrals * sizeof *r.integrand),
                 is_read + c->nstates + c->nintegrals};
    for (int i = 0; i < c->n; i++)
        is_read[i] = i < c->nstates || i >= c->n - c->nwidths;
    read_model(&r);
    read_views(&r);
    for (int i = 0; i < c->nintegrals; i++)
        is_read[c->nstates + i] = r.integrand[i] != NULL;
    free(r.integrand);
}

/* ---- how a number is read ------------------------------------------------------------------ */

static bool mentions(const jn_graph *g, const jn_expr *e, jn_expr_op op, int index)
{
    if (e->op == op && e->index == index)
        return true;
    if (e->op == JN_X_SIGNAL)
        return mentions(g, g->signal[e->index].expr, op, index);
    for (int i = 0; i < (e->op == JN_X_INT ? 1 : e->nargs); i++)
        if (mentions(g, e->arg[i], op, index))
            return true;
    return false;
}

/* Whether the expression goes one way as the number does, or turns once: what is beyond the turn stays there. */
static bool turns_once(const jn_graph *g, const jn_expr *e, jn_expr_op op, int index)
{
    static const jn_expr_op turning[] = {JN_X_POW, JN_X_SIN,   JN_X_COS,   JN_X_TAN, JN_X_FLOOR,
                                         JN_X_MOD, JN_X_ATAN2, JN_X_TABLE, JN_X_EQ};
    if (!e || !mentions(g, e, op, index) || (e->op == op && e->index == index))
        return true;
    if (e->op == JN_X_SIGNAL)
        return turns_once(g, g->signal[e->index].expr, op, index);
    for (size_t i = 0; i < sizeof turning / sizeof *turning; i++)
        if (e->op == turning[i])
            return false;
    int mentioning = 0;
    for (int i = 0; i < (e->op == JN_X_INT ? 1 : e->nargs); i++) {
        mentioning += mentions(g, e->arg[i], op, index);
        if (!turns_once(g, e->arg[i], op, index))
            return false;
    }
    return mentioning < 2 || (e->op != JN_X_MUL && e->op != JN_X_DIV);
}

static bool transitions_turn_once(const jn_graph *g, const jn_automaton *a, jn_expr_op op,
                                  int index)
{
    for (int i = 0; i < a->ntransitions; i++) {
        const jn_transition *t = &a->transition[i];
        if (!turns_once(g, t->when, op, index))
            return false;
        for (int n = 0; n < t->nsets; n++)
            if (!turns_once(g, t->set[n].value, op, index))
                return false;
    }
    return true;
}

bool jni_reads_turn_once(const jn_graph *g, const jn_numbers *c, int number)
{
    bool is_integral = number < c->nstates + c->nintegrals;
    jn_expr_op op = is_integral ? JN_X_INT : JN_X_DISCRETE;
    int index = number - c->nstates - (is_integral ? 0 : c->nintegrals);
    bool ok = number < c->nstates + c->nintegrals + c->ndiscretes;
    if (index < 0)
        return true;
    for (int i = 0; i < g->nelements && ok; i++)
        ok = turns_once(g, g->element[i].input, op, index) &&
             turns_once(g, g->element[i].modulation, op, index) &&
             turns_once(g, g->element[i].law, op, index);
    for (int i = 0; i < g->nswitches && ok; i++)
        ok = turns_once(g, g->automaton[i].pwm_duty, op, index) &&
             transitions_turn_once(g, &g->automaton[i], op, index);
    return ok;
}

static jn_look is_beyond_states(const jn_expr *e, void *context)
{
    (void)context;
    bool is =
        e->op == JN_X_TIME || e->op == JN_X_TABLE || e->op == JN_X_INT || e->op == JN_X_DISCRETE;
    return is ? JN_LOOK_FOUND : JN_LOOK_ON;
}

bool jni_reads_beyond_states(const jn_graph *g, const jn_expr *e)
{
    return jn_expr_find(g, e, is_beyond_states, NULL);
}
