/* numeric_slide.c: expressions that jump, in models that are integrated.
 *
 * sign(a) and if(a > b, …) jump where their sides meet. Where the solution points away from that
 * surface on both sides of it, it crosses; where both sides point at it, it stays: dry friction
 * holds, a relay chatters without end. The expression then takes a value between both ways, by a
 * share α that is an unknown of the equations, and a − b = constant is the equation for it:
 * Filippov's solution, as in slide.c, and as many surfaces at once as there are.
 *
 * Where the sides depend on the share at once (no storage is in between), that equation holds for
 * values: SLIDES_ALGEBRAIC. Otherwise it says how the share must be to keep the rate of a − b at
 * zero: SLIDES_BY_RATE. Either ends when the share leaves [0, 1]. */
#include <math.h>
#include <string.h>

#include "numeric.h"

enum { MOST_TURNS = 3 };

static int orientation(const jn_expr *c)
{
    return c->op == JN_X_GT || c->op == JN_X_GE ? 1 : -1;
}

bool jn_branch_can_slide(const jn_sim *s, const branches *b, int k)
{
    const jn_expr *node = jn_branch_node(b, k), *c = jn_branch_condition(b, k);
    bool simple = c->op == JN_X_LT || c->op == JN_X_LE || c->op == JN_X_GE || c->op == JN_X_GT;
    bool jumps = node->op == JN_X_SIGN || node->op == JN_X_IF;
    return jumps && simple && jn_reads_model(s, c);
}

void jn_numeric_begin_instant(jn_sim *s)
{
    memset(s->numeric->turns, 0, (size_t)s->numeric->nbranches * sizeof *s->numeric->turns);
}

/* ---- one branch ------------------------------------------------------------------------------ */

/* The sides of a condition, apart, and how close they must be to be on the surface. */
static double sides_apart(const view *v, const jn_expr *c, double *margin)
{
    double a = jn_evaluate(v, c->arg[0]), b = jn_evaluate(v, c->arg[1]);
    *margin = jn_margin(v->s, c, a, b);
    return a - b;
}

static void begin_slide(numeric *n, int k, bool by_rate, double surface)
{
    n->slide[k] = by_rate ? SLIDES_BY_RATE : SLIDES_ALGEBRAIC;
    n->surface[k] = by_rate ? surface : 0;
    n->held[k] = n->y[n->share[k]] = 0.5;
}

/* A slide goes on while its share is one and nothing has thrown the state off the surface. */
static bool check_slide(jn_sim *s, const view *v, int k)
{
    numeric *n = s->numeric;
    const jn_expr *c = jn_branch_condition(jn_generator_branches(s->gen), k);
    double share = n->slide[k] == SLIDES_BY_RATE ? n->held[k] : n->y[n->share[k]], margin;
    double off = fabs(sides_apart(v, c, &margin) - n->surface[k]);
    bool is_off = off > 8 * margin + fabs(n->surface[k]);
    if (share >= -SHARE_SLACK && share <= 1 + SHARE_SLACK && !is_off)
        return false;
    n->slide[k] = SLIDES_NOT;
    n->turns[k] = MOST_TURNS; /* not again at this instant */
    jn_generator_settle(s->gen, k, is_off ? jn_holds(v, c) : share > 0.5);
    return true;
}

/* Takes the other way. The second time at one instant it slides: neither way leads off. */
static void turn(jn_sim *s, int k, bool by_rate, double surface)
{
    numeric *n = s->numeric;
    if (n->share[k] >= 0 && n->turns[k] == 1) {
        n->turns[k] = MOST_TURNS;
        begin_slide(n, k, by_rate, surface);
        return;
    }
    n->turns[k]++;
    jn_generator_settle(s->gen, k, !jn_branch_truth(jn_generator_branches(s->gen), k));
}

/* Whether the sides are as close as they can be told apart, and *rate: how fast they come to be on
 * the side where the condition holds. */
static bool is_on_surface(jn_sim *s, const view *v, int k, double *apart, double *rate)
{
    const jn_expr *c = jn_branch_condition(jn_generator_branches(s->gen), k);
    double margin, late = nextafter(s->t, INFINITY) - s->t; /* events are no closer in time */
    *apart = sides_apart(v, c, &margin);
    *rate = 0;
    if (v->m->status != JN_MODE_OK || s->numeric->share[k] < 0)
        return false;
    *rate = orientation(c) * jn_branch_apart_rate(s->numeric, v->m, s->t, k);
    return fabs(*apart) <= 4 * margin + 8 * fabs(*rate) * late;
}

/* ---- a mode in which things are different ---------------------------------------------------- */

/* What slid where it could not move may be moved here, or the other way round: with 5*sign(f) of a
 * brake that is not connected, e = 0 says that f is. */
bool jn_numeric_solve_otherwise(numeric *n, mode_table *m, double t, const double *x,
                                const double *integrals)
{
    bool any = false;
    for (int k = 0; k < n->nbranches; k++) {
        any |= n->slide[k] != SLIDES_NOT;
        n->slide[k] = SLIDES_NOT;
    }
    if (any && jn_numeric_solve(n, m, t, x, integrals))
        return true;
    for (int k = 0; k < n->nbranches; k++) {
        if (n->share[k] < 0)
            continue;
        begin_slide(n, k, false, 0);
        memset(n->yp, 0, (size_t)n->n * sizeof *n->yp);
        if (jn_numeric_solve(n, m, t, x, integrals) && n->y[n->share[k]] >= -SHARE_SLACK &&
            n->y[n->share[k]] <= 1 + SHARE_SLACK)
            return true;
        n->slide[k] = SLIDES_NOT;
    }
    return false;
}

/* ---- all of them ----------------------------------------------------------------------------- */

/* By its condition; but one that was turned because the other way led back stays so. */
static bool settle_by_condition(jn_sim *s, const view *v, int k)
{
    numeric *n = s->numeric;
    const branches *b = jn_generator_branches(s->gen);
    double apart, rate;
    if (n->turns[k] >= MOST_TURNS ||
        jn_holds(v, jn_branch_condition(b, k)) == jn_branch_truth(b, k) ||
        (n->turns[k] && is_on_surface(s, v, k, &apart, &rate)))
        return false;
    turn(s, k, false, 0);
    return true;
}

/* On the surface: by where the way that is taken leads. */
static bool settle_by_rate(jn_sim *s, const view *v, int k)
{
    numeric *n = s->numeric;
    double apart, rate;
    if (n->slide[k] || n->turns[k] >= MOST_TURNS || !is_on_surface(s, v, k, &apart, &rate))
        return false;
    if (jn_branch_truth(jn_generator_branches(s->gen), k) ? rate >= 0 : rate <= 0)
        return false;
    turn(s, k, true, apart);
    return true;
}

bool jn_numeric_settle(jn_sim *s, const view *v)
{
    numeric *n = s->numeric;
    bool changed = false;
    for (int k = 0; k < n->nbranches; k++)
        changed |= n->slide[k] ? check_slide(s, v, k) : settle_by_condition(s, v, k);
    for (int k = 0; k < n->nbranches && !changed; k++)
        changed = settle_by_rate(s, v, k);
    return changed;
}

int jn_numeric_most_turns(const jn_sim *s)
{
    return MOST_TURNS * s->numeric->nbranches + 1;
}

bool jn_numeric_ignores(const jn_sim *s, const jn_expr *comparison)
{
    const branches *b = jn_generator_branches(s->gen);
    for (int k = 0; k < s->numeric->nbranches; k++)
        if (s->numeric->slide[k] && jn_branch_condition(b, k) == comparison)
            return true;
    return false;
}
