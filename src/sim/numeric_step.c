/* numeric_step.c: step by step through a mode.
 *
 * Radau's method (collocate.c), SUNDIALS' IDA, or a method of fixed step: each gives its steps as
 * polynomials. A stretch that is given up halfway (something is too wild to be followed that far)
 * leaves the rest of the step to the next one; only an event begins anew. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "numeric.h"

follower *jn_follower_new(numeric *n)
{
    follower *f = jn_alloc(sizeof *f);
    size_t bytes = (size_t)n->n * sizeof(double);
    double **each[] = {&f->y0, &f->yp0, &f->y1, &f->yp1, &f->y, &f->yp, &f->x, &f->s};
    for (size_t i = 0; i < sizeof each / sizeof *each; i++)
        *each[i] = jn_alloc(bytes);
    f->differential = jn_alloc((size_t)n->n * sizeof *f->differential);
    f->n = n;
    return f;
}

void jn_follower_free(follower *f)
{
    if (!f)
        return;
    double *each[] = {f->y0, f->yp0, f->y1, f->yp1, f->y, f->yp, f->x, f->s};
    for (size_t i = 0; i < sizeof each / sizeof *each; i++)
        free(each[i]);
    free(f->differential);
    jn_dae_free(f->dae);
    jn_collocation_free(f->collocation);
    free(f);
}

void jn_follower_restart(follower *f)
{
    f->is_running = false;
}

/* Relative to each unknown, but not to less than a thousandth of the largest it has been. */
void jn_follower_tolerance(void *ctx, const double *y, double *tol)
{
    const numeric *n = ((follower *)ctx)->n;
    const jn_sim_options *o = &n->s->o;
    double rtol = jn_numeric_tolerance(n), highest = 0;
    for (int i = 0; i < n->n; i++)
        highest = fmax(highest, n->peak[i]);
    double least = highest > 0 ? 1e-6 * highest : 1;
    for (int i = 0; i < n->n; i++) {
        double floor = 1e-3 * fmax(n->peak[i], least);
        tol[i] = rtol * fmax(fabs(y[i]), o->atol > 0 ? 0 : floor) + o->atol;
    }
}

static bool is_ida(const follower *f)
{
    return f->n->s->o.method == JN_METHOD_IDA;
}

static bool is_fixed(const follower *f)
{
    jn_method method = f->n->s->o.method;
    return method == JN_METHOD_RK4 || method == JN_METHOD_EULER;
}

/* Values for which prior(x) is x. They may not move the state. */
static bool start(follower *f, mode_table *m, double wanted)
{
    numeric *n = f->n;
    jn_sim *s = n->s;
    f->m = m;
    n->prior = NULL;
    if (!jn_numeric_solve(n, m, s->t, s->x, s->s)) {
        n->why = "the equations of the mode have no solution that could be found";
        return false;
    }
    for (int i = 0; i < s->N; i++)
        if (fabs(n->y[i] - s->x[i]) > 1e-9 * n->peak[i]) {
            n->why = "a source that follows prior values moves the state while the mode goes on";
            return false;
        }
    jn_numeric_observe(s->z, n, m, s->t, n->y, n->yp);
    memcpy(f->y1, n->y, (size_t)n->n * sizeof *n->y);
    memcpy(f->yp1, n->yp, (size_t)n->n * sizeof *n->yp);
    f->from = f->to = s->t;
    f->longest = fmax(f->longest, fmax(wanted, 1e-9 * fabs(s->t)));
    f->is_running = is_fixed(f) || (is_ida(f) ? jn_ida_start(f) : jn_radau_start(f));
    n->why = "the integrator could not be started";
    return f->is_running;
}

static bool step(follower *f)
{
    numeric *n = f->n;
    n->why = "the integrator finds no way on";
    if (is_fixed(f)) {
        f->from = f->to;
        return jn_fixed_step(f);
    }
    if (f->to > f->from) { /* what the end of a step is like counts once the run has come to it */
        jn_follower_at(f, f->to, false);
        for (int i = 0; i < n->n; i++)
            n->peak[i] = fmax(n->peak[i], fabs(f->y[i]));
    }
    f->from = f->to;
    if (is_ida(f))
        return jn_dae_step(f->dae, &f->to);
    bool ok = jn_collocation_step(f->collocation, &f->to, n->s->until);
    if (!ok)
        jn_radau_explain(f);
    return ok;
}

void jn_follower_at(follower *f, double t, bool with_rates)
{
    double *yp = with_rates ? f->yp : NULL;
    if (is_fixed(f))
        jn_fixed_at(f, t);
    else if (is_ida(f))
        jn_dae_at(f->dae, t, f->y, yp);
    else
        jn_collocation_at(f->collocation, t, f->y, yp);
}

/* The rate of a dependent storage is that of the polynomial. Through points that are very close
 * together that is mostly rounding: there, and where expressions read it, it is taken from the
 * equations. */
static bool needs_rates(const follower *f)
{
    bool is_short = f->to - f->from < 1e-5 * f->longest;
    return !is_fixed(f) && (f->n->reads_rates || (f->m->program->is_dependent && is_short));
}

void jn_follower_observe(double *z, follower *f, double t)
{
    numeric *n = f->n;
    jn_follower_at(f, t, f->m->program->is_dependent);
    if (needs_rates(f) && jn_numeric_solve(n, f->m, t, f->y, f->y + n->first_s))
        jn_numeric_observe(z, n, f->m, t, n->y, n->yp);
    else
        jn_numeric_observe(z, n, f->m, t, f->y, f->yp);
}

double jn_follower_step(follower *f, mode_table *m, double wanted)
{
    double now = f->n->s->t;
    if (!f->is_running && !start(f, m, wanted))
        return now;
    /* what is left of the last step may be nothing but rounding, unless something is due there */
    bool is_short = f->to - now <= 1e-9 * (f->to - f->from) && f->to < f->n->s->until;
    bool is_over = is_short || f->to <= nextafter(now, INFINITY);
    if (is_over && !step(f)) {
        f->is_running = false;
        return now;
    }
    return f->to;
}
