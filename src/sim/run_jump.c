/* instant_jump.c: jumps of the state, what they cost and carry, and those that are cut short. */
#include <math.h>
#include <string.h>

#include "instant.h"

/* What the sources give during the jump: value times area of the conjugate's impulse. */
static double impulsive_work(instant *i)
{
    const jn_graph *g = i->s->g;
    double work = 0;
    for (int k = 0; k < i->s->m; k++) {
        const jn_element *x = &g->element[g->source[k]];
        int b = x->bond[0];
        int obs = x->kind == JN_SE ? jn_obs_flow(i->s, b) : jn_obs_effort(i->s, b);
        double a = i->u[k] * jn_mode_table_impulse(i->s, i->m, obs, i->x, i->x_after);
        work += g->bond[b].tail == g->source[k] ? a : -a;
    }
    return work;
}

static void add_areas(instant *i)
{
    if (!i->s->o.on_event)
        return;
    size_t n = 2 * (size_t)i->s->g->nbonds;
    if (!i->area)
        i->area = jn_alloc(n * sizeof *i->area);
    if (!i->jumped)
        memset(i->area, 0, n * sizeof *i->area);
    for (int b = 0; b < 2 * i->s->g->nbonds; b++)
        i->area[b] += jn_mode_table_impulse(i->s, i->m, b, i->x, i->x_after);
}

/* An integral grows by the impulse's area of what it integrates. */
static void jump_integrals(instant *i)
{
    for (int k = 0; k < i->s->ni; k++) {
        const linear_form *f = &i->s->integrand[k];
        for (int l = 0; l < f->n; l++)
            i->integrals[k] +=
                f->term[l].c * jn_mode_table_impulse(i->s, i->m, f->term[l].obs, i->x, i->x_after);
    }
}

bool jn_instant_jumps(const instant *i)
{
    double change = 0, size = 0;
    for (int k = 0; k < i->s->N; k++) {
        double unit = i->s->storage[k], d = i->x_after[k] - i->x[k];
        change += d * d / unit;
        size += (i->x[k] * i->x[k] + i->x_after[k] * i->x_after[k]) / unit;
    }
    return change > 1e-24 * (size + 1e-2 * i->s->most_stored);
}

jn_status jn_instant_book(instant *i, jn_stopped *stop)
{
    jn_sim *s = i->s;
    double before = jn_stored_energy(s, i->x), after = jn_stored_energy(s, i->x_after);
    double work = impulsive_work(i), lost = before + work - after;
    double scale = before + after + fabs(work);
    if (lost < -1e-9 * scale && !s->has_active)
        return jn_stop_run(stop, s, JN_STOP_NUMERICS,
                           "the jump at t = %.17g would gain the energy %g", s->t, -lost);
    i->lost += lost;
    s->ledger.supplied += work;
    s->ledger.lost += lost;
    s->ledger.moved += scale;
    add_areas(i);
    jump_integrals(i);
    i->jumped = true;
    i->version++;
    return JN_OK;
}

/* ---- aborted projections --------------------------------------------------------------------- */

/* Whether some condition on within(x) holds so far along the jump. */
static bool within_holds(instant *i, double theta)
{
    const jn_graph *g = i->s->g;
    i->here.theta = theta;
    for (int k = 0; k < g->nswitches; k++)
        for (int l = 0; l < g->automaton[k].ntransitions; l++) {
            const jn_transition *t = &g->automaton[k].transition[l];
            if (t->from == i->state[k] && i->s->reads[k][l].within && jn_holds(&i->here, t->when))
                return true;
        }
    return false;
}

/* How far the jump into the candidate gets before a condition on within(x) holds: 1 is all of
 * it. */
static double projection_reach(instant *i)
{
    enum { STEPS = 64 };
    double near = 0, far = 1;
    if (within_holds(i, 0))
        return 0;
    for (int k = 1; k <= STEPS; k++) {
        far = (double)k / STEPS;
        if (within_holds(i, far))
            break;
        near = far;
    }
    if (near >= 1)
        return 1;
    for (;;) {
        double mid = 0.5 * (near + far);
        if (mid <= near || mid >= far)
            return far;
        if (within_holds(i, mid))
            far = mid;
        else
            near = mid;
    }
}

bool jn_instant_abort(instant *i)
{
    if (!i->s->has_within || !jn_instant_jumps(i))
        return false;
    double theta = projection_reach(i);
    i->here.theta = theta;
    if (theta >= 1)
        return false;
    for (int k = 0; k < i->s->N; k++)
        i->x_after[k] = i->x[k] + theta * (i->x_after[k] - i->x[k]);
    return true;
}

jn_status jn_instant_keep_part(instant *i, jn_stopped *stop)
{
    jn_status st = jn_instant_book(i, stop);
    memcpy(i->x, i->x_after, (size_t)i->s->N * sizeof *i->x);
    return st;
}
