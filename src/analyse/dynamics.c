/* dynamics.c: everything about one pencil over one field of coefficients. */
#include <stdlib.h>

#include "analyse_internal.h"

/* ---- filling ------------------------------------------------------------------------------- */

/* Values with numbers put in for parameters; false where one divides by zero or, for a numeric
 * algebra, is no number then. */
static bool fill(jn_dense *m, const jn_ratfun *from, const jn_analysis *a, const jn_ratfun *value)
{
    for (int i = 0; i < m->nrows; i++)
        for (int j = 0; j < m->ncols; j++) {
            jn_ratfun v = from[(size_t)i * (size_t)m->ncols + (size_t)j];
            if (value && jn_ratfun_put(&v, a->field, v, value, a->graph->nparams) != JN_OK)
                return false;
            if (m->k->numeric && jni_put_constants(&v, a) != JN_OK)
                return false;
            if (m->k->numeric && !jn_ratfun_is_const(a->field, v))
                return false;
            jn_dense_set(m, i, j, v);
        }
    return true;
}

/* ---- the reduced equation ------------------------------------------------------------------ */

/* xs = z + Σ Us_k u^(k) gives ẋs = J xs + (Bz − J Us_0) u + (Us_0 − J Us_1) u̇ + … */
static void reduce(jn_dynamics *d)
{
    int r = d->order, m = d->Bz.ncols;
    d->N = jn_alloc((size_t)(d->index + 1) * sizeof *d->N);
    for (int k = 0; k <= d->index; k++)
        jn_dense_init(&d->N[k], r, m, d->V.k);
    jn_dense_put(&d->N[0], 0, 0, &d->Bz);
    for (int k = 0; k < d->index; k++) {
        jn_dense Us, t;
        jn_dense_init(&Us, r, m, d->V.k);
        jn_dense_init(&t, r, m, d->V.k);
        jn_dense_rows(&Us, &d->U[k], d->state);
        jn_dense_mul(&t, &d->J, &Us);
        jn_dense_sub(&d->N[k], &d->N[k], &t);
        jn_dense_add(&d->N[k + 1], &d->N[k + 1], &Us);
        jn_dense_clear(&Us);
        jn_dense_clear(&t);
    }
}

/* ---- all of it ----------------------------------------------------------------------------- */

static const char *const too_long = "the coefficients grow too long to be written out";

static void split(jn_dynamics *d, const jn_pencil *p, const bool *integral)
{
    if (!jni_pencil_split(d, p, integral) && !d->algebra.spent)
        jni_pencil_wong(d, p);
    if (d->regular && !d->algebra.spent)
        reduce(d);
    d->known = !d->algebra.spent;
    if (!d->known) {
        d->regular = false;
        d->why = too_long;
    }
}

static bool fill_readout(jn_readout *y, const jn_outputs *o, const jn_analysis *a,
                         const jn_ratfun *value)
{
    return fill(&y->Cx, o->x, a, value) && fill(&y->Cd, o->dx, a, value) &&
           fill(&y->Du, o->u, a, value);
}

static void answer_outputs(jn_dynamics *d, const jn_pencil *p, const jn_outputs *o,
                           const jn_analysis *a, const jn_ratfun *value)
{
    jn_readout y;
    jn_dense_init(&y.Cx, o->n, p->E.nrows, &d->algebra);
    jn_dense_init(&y.Cd, o->n, p->E.nrows, &d->algebra);
    jn_dense_init(&y.Du, o->n, p->B.ncols, &d->algebra);
    if (fill_readout(&y, o, a, value))
        jni_dynamics_outputs(d, &y, a);
    if (d->outputs) {
        jni_observability(&d->observe, d, p, jn_dense_is_zero(&y.Cd) ? &y.Cx : NULL, a);
        jni_dynamics_zeros(d, p, &y);
    }
    jn_dense_clear(&y.Cx);
    jn_dense_clear(&y.Cd);
    jn_dense_clear(&y.Du);
}

static void answer(jn_dynamics *d, const jn_pencil *p, const jn_mode *equation, const jn_outputs *o,
                   const jn_analysis *a, const jn_ratfun *value)
{
    jn_algebra_renew(&d->algebra, JN_ALGEBRA_BUDGET);
    jni_charpoly(&d->charpoly, &d->J);
    jn_algebra_renew(&d->algebra, JN_ALGEBRA_BUDGET);
    jni_controllability(&d->control, d, p, a);
    if (o->n > 0)
        answer_outputs(d, p, o, a, value);
    jn_dense F;
    jn_dense_init(&F, p->E.nrows, p->E.nrows, &d->algebra);
    bool has_loss = !a->implicit->binds && fill(&F, equation->F, a, value);
    jni_dynamics_jump(d, has_loss ? &F : NULL);
    jn_dense_clear(&F);
}

void jni_dynamics_unknown(jn_dynamics *d, const char *why)
{
    *d = (jn_dynamics){.why = why};
    d->charpoly.degree = d->zeros.degree = -1;
    d->control = d->observe =
        (jn_reachability){.exact = JN_UNKNOWN, .complete = JN_UNKNOWN, .rank = -1};
}

void jni_dynamics_of(jn_dynamics *d, const jn_mode *equation, const jn_outputs *o,
                     const jn_analysis *a, const jn_ratfun *value, bool numeric)
{
    int n = equation->n, nu = equation->ninputs;
    jn_pencil p;
    jni_dynamics_unknown(d, NULL);
    d->algebra = (jn_algebra){.field = a->field, .numeric = numeric};
    jn_algebra_renew(&d->algebra, JN_ALGEBRA_BUDGET);
    jn_dense_init(&p.E, n, n, &d->algebra);
    jn_dense_init(&p.A, n, n, &d->algebra);
    jn_dense_init(&p.B, n, nu, &d->algebra);
    if (!fill(&p.E, equation->E, a, value) || !fill(&p.A, equation->A, a, value) ||
        !fill(&p.B, equation->B, a, value))
        d->why = "values are missing, or divide by zero";
    else
        split(d, &p, equation->integral);
    if (d->regular)
        answer(d, &p, equation, o, a, value);
    jn_dense_clear(&p.E);
    jn_dense_clear(&p.A);
    jn_dense_clear(&p.B);
}

/* ---- clearing ------------------------------------------------------------------------------ */

void jn_combination_clear(jn_combination *c)
{
    free(c->x);
    free(c->u);
    *c = (jn_combination){0};
}

static void clear_reachability(jn_reachability *r)
{
    for (int i = 0; i < r->ncombinations; i++)
        jn_combination_clear(&r->combination[i]);
    free(r->combination);
}

void jni_dynamics_clear(jn_dynamics *d)
{
    int entries = d->numerator ? d->C.nrows * d->Bz.ncols : 0;
    for (int e = 0; e < entries; e++)
        jni_poly_clear(&d->numerator[e]);
    for (int k = 0; k < d->index && d->U; k++)
        jn_dense_clear(&d->U[k]);
    for (int k = 0; k <= d->index; k++) {
        if (d->N)
            jn_dense_clear(&d->N[k]);
        if (d->D)
            jn_dense_clear(&d->D[k]);
    }
    jn_dense *const matrix[] = {&d->V, &d->P, &d->J, &d->Bz, &d->C, &d->jump, &d->loss};
    for (size_t i = 0; i < sizeof matrix / sizeof matrix[0]; i++)
        jn_dense_clear(matrix[i]);
    clear_reachability(&d->control);
    clear_reachability(&d->observe);
    jni_poly_clear(&d->charpoly);
    jni_poly_clear(&d->zeros);
    free(d->U);
    free(d->N);
    free(d->D);
    free(d->block);
    free(d->state);
    free(d->transfer);
    free(d->gain);
    free(d->numerator);
    *d = (jn_dynamics){0};
}
