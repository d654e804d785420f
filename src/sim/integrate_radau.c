/* numeric_radau.c: a mode's equations as Radau's method is given them: as they stand. */
#include <math.h>
#include <string.h>

#include "numeric.h"

static bool residual(void *ctx, double t, const double *y, const double *yp, double *F)
{
    follower *f = ctx;
    numeric *n = f->n;
    jn_residual_at(n, y, yp);
    jn_residual(n, f->m, (dual){t, 0}, NULL);
    bool ok = true;
    for (int i = 0; i < n->n; i++) {
        F[i] = n->F[i].v;
        ok = ok && isfinite(F[i]);
    }
    return ok;
}

static bool jacobian(void *ctx, double t, const double *y, const double *yp, double *by_y,
                     double *by_yp)
{
    follower *f = ctx;
    return jn_structure_jacobian(f->m->program->structure, f->n, f->m, t, y, yp, by_y, by_yp);
}

/* How far things stay about as they are. */
static double first_step(const follower *f)
{
    const numeric *n = f->n;
    double h = f->longest;
    for (int i = 0; i < n->n; i++)
        if (n->yp[i] != 0 && n->peak[i] > 0)
            h = fmin(h, fmax(n->peak[i] / fabs(n->yp[i]), 1e-6 * f->longest));
    return h;
}

bool jn_radau_start(follower *f)
{
    numeric *n = f->n;
    const jn_sim *s = n->s;
    program *p = f->m->program;
    if (!p->structure)
        p->structure = jn_structure_new(n, f->m, s->t);
    if (!f->collocation) {
        collocation_problem q = {f, n->n, residual, jacobian, jn_follower_tolerance};
        f->collocation = jn_collocation_new(&q);
    }
    for (int i = 0; i < n->n; i++)
        n->peak[i] = fmax(n->peak[i], 1e-2 * f->longest * fabs(n->yp[i]));
    if (f->collocation)
        jn_collocation_start(f->collocation, jn_structure_pattern(p->structure), s->t, n->y, n->yp,
                             first_step(f));
    return f->collocation;
}

/* The element whose equation an unknown stands for; −1: that of an integral or a branch. */
static int element_of(const numeric *n, int unknown)
{
    const jn_graph *g = n->s->g;
    if (unknown < n->s->N)
        return g->storage[unknown];
    if (unknown < n->first_a)
        return g->resistor[unknown - n->first_r];
    for (int i = 0; i < n->s->N; i++)
        if (n->co_state[i] == unknown)
            return g->storage[i];
    for (int i = 0; i < n->nmodulated; i++)
        if (n->modulated[i].q.at == unknown)
            return n->modulated[i].element;
    for (int k = 0; k < n->s->m; k++)
        if (n->source[k].at == unknown)
            return g->source[k];
    return -1;
}

void jn_radau_explain(follower *f)
{
    numeric *n = f->n;
    int element = element_of(n, jn_collocation_suspect(f->collocation));
    jn_str_reset(&n->explanation);
    jn_str_add(&n->explanation, "the integrator finds no way on");
    if (element >= 0)
        jn_str_addf(&n->explanation,
                    "; look at '%s': has its law a value there, and is it not so steep that it "
                    "should be written for its other variable?",
                    n->s->g->element[element].name);
    n->why = jn_str_c(&n->explanation);
}
