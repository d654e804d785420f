/* turns.c: numbers of a run that need not come back as they were.
 *
 *  - An angle: an integral that is read only inside sin, cos, tan or mod. A whole turn makes no difference.
 *  - A time: a discrete variable that is only ever set to t, perhaps later by a constant: when a timer began. What
 *    is read of it is how long ago that was (clock.c holds it to that), so that after one period it is later by the
 *    period. */
#include <stdlib.h>

#include "periodic_internal.h"

/* ---- times --------------------------------------------------------------------------------- */

static const jn_expr *plain(const jn_graph *g, const jn_expr *e)
{
    while (e->op == JN_X_SIGNAL)
        e = g->signal[e->index].expr;
    return e;
}

/* t, t + c, t - c */
static bool is_later_than_now(const jn_graph *g, const jn_expr *e)
{
    e = plain(g, e);
    if (e->op == JN_X_TIME)
        return true;
    if (e->op == JN_X_ADD && !jn_expr_varies(e->arg[0]))
        return is_later_than_now(g, e->arg[1]);
    return (e->op == JN_X_ADD || e->op == JN_X_SUB) && !jn_expr_varies(e->arg[1]) &&
           is_later_than_now(g, e->arg[0]);
}

bool jni_is_time(const jn_graph *g, int discrete)
{
    bool is_set = false;
    for (int i = 0; i < g->nswitches; i++)
        for (int k = 0; k < g->automaton[i].ntransitions; k++) {
            const jn_transition *t = &g->automaton[i].transition[k];
            for (int n = 0; n < t->nsets; n++) {
                if (t->set[n].discrete != discrete)
                    continue;
                is_set = true;
                if (!is_later_than_now(g, t->set[n].value))
                    return false;
            }
        }
    return is_set;
}

/* ---- angles -------------------------------------------------------------------------------- */

typedef struct {
    jn_sim *s;
    const jn_graph *g;
    int integral;
    double unit;   /* of a turn; 0: none was met */
    bool is_plain; /* it is read as it is, too */
} reading;

static double number_of(const reading *r, const jn_expr *e)
{
    const jn_probe *p;
    return jn_sim_probe(&p, r->s, e) == JN_OK ? jn_sim_value(r->s, p) : NAN;
}

static jn_look is_integral(const jn_expr *e, void *number)
{
    return e->op == JN_X_INT && e->index == *(const int *)number ? JN_LOOK_FOUND : JN_LOOK_ON;
}

static bool mentions(const reading *r, const jn_expr *e)
{
    int number = r->integral;
    return jn_expr_find(r->g, e, is_integral, &number);
}

/* What it is multiplied by in e; NaN: it is not read linearly. */
static double factor_of(const reading *r, const jn_expr *e)
{
    e = plain(r->g, e);
    if (!mentions(r, e))
        return 0;
    switch (e->op) {
    case JN_X_INT:
        return 1;
    case JN_X_NEG:
        return -factor_of(r, e->arg[0]);
    case JN_X_ADD:
        return factor_of(r, e->arg[0]) + factor_of(r, e->arg[1]);
    case JN_X_SUB:
        return factor_of(r, e->arg[0]) - factor_of(r, e->arg[1]);
    case JN_X_MUL:
        for (int i = 0; i < 2; i++)
            if (!jn_expr_varies(e->arg[i]))
                return number_of(r, e->arg[i]) * factor_of(r, e->arg[1 - i]);
        return NAN;
    case JN_X_DIV:
        return jn_expr_varies(e->arg[1]) ? NAN : factor_of(r, e->arg[0]) / number_of(r, e->arg[1]);
    default:
        return NAN;
    }
}

/* The unit becomes one that is a whole number of both. */
static void add_unit(reading *r, double unit)
{
    long p, q = 1;
    bool fits =
        isfinite(unit) && unit > 0 && (r->unit == 0 || jni_fraction(r->unit / unit, &p, &q));
    r->is_plain |= !fits;
    if (fits)
        r->unit = r->unit == 0 ? unit : r->unit * (double)q;
}

static void read_expr(reading *r, const jn_expr *e)
{
    if (!e || !mentions(r, e))
        return;
    e = plain(r->g, e);
    bool is_wave = e->op == JN_X_SIN || e->op == JN_X_COS || e->op == JN_X_TAN;
    if (e->op == JN_X_INT)
        r->is_plain = true;
    else if (is_wave)
        add_unit(r, (e->op == JN_X_TAN ? PI : 2 * PI) / fabs(factor_of(r, e->arg[0])));
    else if (e->op == JN_X_MOD && !jn_expr_varies(e->arg[1]))
        add_unit(r, number_of(r, e->arg[1]) / fabs(factor_of(r, e->arg[0])));
    else
        for (int i = 0; i < e->nargs; i++)
            read_expr(r, e->arg[i]);
}

static void read_automaton(reading *r, const jn_automaton *a)
{
    read_expr(r, a->pwm_duty);
    for (int k = 0; k < a->ntransitions; k++) {
        read_expr(r, a->transition[k].when);
        for (int n = 0; n < a->transition[k].nsets; n++)
            read_expr(r, a->transition[k].set[n].value);
    }
}

/* The unit of the turns of an integral; 0: it is no angle. */
static double turn_of(jn_sim *s, const jn_graph *g, const jn_expr *const *integrand, int integral)
{
    reading r = {.s = s, .g = g, .integral = integral};
    for (int i = 0; i < g->nelements; i++) {
        read_expr(&r, g->element[i].input);
        read_expr(&r, g->element[i].modulation);
        read_expr(&r, g->element[i].law);
    }
    for (int i = 0; i < g->nswitches; i++)
        read_automaton(&r, &g->automaton[i]);
    for (int i = 0; i < g->nintegrals; i++)
        read_expr(&r, integrand[i]);
    return r.is_plain ? 0 : r.unit;
}

/* ---- all of them --------------------------------------------------------------------------- */

void jni_turns_find(double *turn, jn_sim *s, const jn_graph *g, const jn_numbers *c)
{
    const jn_expr **integrand = jni_reads_integrands(g);
    for (int i = 0; i < g->nintegrals && i < c->nintegrals; i++)
        turn[c->nstates + i] = turn_of(s, g, integrand, i);
    for (int i = 0; i < g->ndiscretes && i < c->ndiscretes; i++)
        if (jni_is_time(g, i))
            turn[c->nstates + c->nintegrals + i] = TURNS_WITH_TIME;
    free(integrand);
}

double jni_turned(double turn, double change, double length)
{
    return turn == TURNS_WITH_TIME ? change - length
           : turn > 0              ? change - turn * round(change / turn)
                                   : change;
}
