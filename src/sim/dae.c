/* dae.c: the fence around SUNDIALS IDA.
 *
 * IDA does not make values consistent: it is started from values that are. Its own root finding is
 * not used either, since events are found on the polynomial that a step gives. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <ida/ida.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

#include "numeric.h"

struct dae {
    dae_problem p;
    SUNContext context;
    void *ida;
    SUNMatrix matrix;
    SUNLinearSolver solver;
    N_Vector y, yp, id;
    bool is_set_up;
    double ahead;
};

/* ---- what IDA calls -------------------------------------------------------------------------- */

static int residual(double t, N_Vector y, N_Vector yp, N_Vector F, void *ctx)
{
    const dae *d = ctx;
    bool ok = d->p.residual(d->p.ctx, t, N_VGetArrayPointer(y), N_VGetArrayPointer(yp),
                            N_VGetArrayPointer(F));
    return ok ? 0 : 1; /* 1: with a shorter step it may work */
}

static int jacobian(double t, double c, N_Vector y, N_Vector yp, N_Vector F, SUNMatrix J, void *ctx,
                    N_Vector t1, N_Vector t2, N_Vector t3)
{
    const dae *d = ctx;
    (void)F, (void)t1, (void)t2, (void)t3;
    bool ok = d->p.jacobian(d->p.ctx, t, c, N_VGetArrayPointer(y), N_VGetArrayPointer(yp),
                            SUNDenseMatrix_Data(J));
    return ok ? 0 : 1;
}

static int weights(N_Vector y, N_Vector w, void *ctx)
{
    const dae *d = ctx;
    double *to = N_VGetArrayPointer(w);
    d->p.tolerance(d->p.ctx, N_VGetArrayPointer(y), to);
    for (int i = 0; i < d->p.n; i++) {
        if (!(to[i] > 0))
            return -1;
        to[i] = 1 / to[i];
    }
    return 0;
}

static void say_nothing(int code, const char *module, const char *function, char *message,
                        void *ctx)
{
    (void)code, (void)module, (void)function, (void)message, (void)ctx;
}

/* ---- life ------------------------------------------------------------------------------------ */

dae *jn_dae_new(const dae_problem *p)
{
    dae *d = jn_alloc(sizeof *d);
    d->p = *p;
    if (SUNContext_Create(NULL, &d->context)) {
        free(d);
        return NULL;
    }
    d->y = N_VNew_Serial(p->n, d->context);
    d->yp = N_VNew_Serial(p->n, d->context);
    d->id = N_VNew_Serial(p->n, d->context);
    d->matrix = SUNDenseMatrix(p->n, p->n, d->context);
    d->solver = SUNLinSol_Dense(d->y, d->matrix, d->context);
    d->ida = IDACreate(d->context);
    if (!d->y || !d->yp || !d->id || !d->matrix || !d->solver || !d->ida) {
        jn_dae_free(d);
        return NULL;
    }
    return d;
}

void jn_dae_free(dae *d)
{
    if (!d)
        return;
    if (d->ida)
        IDAFree(&d->ida);
    if (d->solver)
        SUNLinSolFree(d->solver);
    if (d->matrix)
        SUNMatDestroy(d->matrix);
    N_Vector each[] = {d->y, d->yp, d->id};
    for (size_t i = 0; i < sizeof each / sizeof *each; i++)
        if (each[i])
            N_VDestroy(each[i]);
    SUNContext_Free(&d->context);
    free(d);
}

/* ---- a run ----------------------------------------------------------------------------------- */

static bool set_up(dae *d, double t)
{
    if (d->is_set_up)
        return IDAReInit(d->ida, t, d->y, d->yp) == IDA_SUCCESS;
    d->is_set_up = true;
    return IDAInit(d->ida, residual, t, d->y, d->yp) == IDA_SUCCESS &&
           IDASetErrHandlerFn(d->ida, say_nothing, NULL) == IDA_SUCCESS &&
           IDASetUserData(d->ida, d) == IDA_SUCCESS &&
           IDAWFtolerances(d->ida, weights) == IDA_SUCCESS &&
           IDASetLinearSolver(d->ida, d->solver, d->matrix) == IDA_SUCCESS &&
           IDASetJacFn(d->ida, jacobian) == IDA_SUCCESS &&
           IDASetNonlinConvCoef(d->ida, 0.01) == IDA_SUCCESS;
}

/* As IDA would choose it, but not so short that time stands still: where something starts from
 * zero, hardly any error of it is allowed. */
static double first_step(dae *d, double t)
{
    double *tol = N_VGetArrayPointer(d->id), sum = 0; /* id is set afterwards */
    d->p.tolerance(d->p.ctx, N_VGetArrayPointer(d->y), tol);
    for (int i = 0; i < d->p.n; i++) {
        double ratio = N_VGetArrayPointer(d->yp)[i] / tol[i];
        sum += ratio * ratio / d->p.n;
    }
    double h = fmin(1e-3 * d->ahead, 0.5 / sqrt(sum));
    return fmax(h, fmax(1e-10 * d->ahead, 1e-12 * fabs(t)));
}

bool jn_dae_start(dae *d, double t, const double *y, const double *yp, const bool *differential,
                  double stop, double ahead)
{
    size_t bytes = (size_t)d->p.n * sizeof(double);
    memcpy(N_VGetArrayPointer(d->y), y, bytes);
    memcpy(N_VGetArrayPointer(d->yp), yp, bytes);
    d->ahead = ahead - t;
    double h = first_step(d, t);
    for (int i = 0; i < d->p.n; i++)
        N_VGetArrayPointer(d->id)[i] = differential[i];
    return set_up(d, t) && IDASetInitStep(d->ida, fmin(h, stop - t)) == IDA_SUCCESS &&
           IDASetId(d->ida, d->id) == IDA_SUCCESS &&
           IDASetStopTime(d->ida, fmin(stop, DBL_MAX)) == IDA_SUCCESS;
}

bool jn_dae_step(dae *d, double *t)
{
    double reached;
    int flag = IDASolve(d->ida, *t + d->ahead, &reached, d->y, d->yp, IDA_ONE_STEP);
    if (flag != IDA_SUCCESS && flag != IDA_TSTOP_RETURN)
        return false;
    bool moved = reached > *t;
    *t = reached;
    return moved;
}

void jn_dae_at(dae *d, double t, double *y, double *yp)
{
    size_t bytes = (size_t)d->p.n * sizeof(double);
    if (IDAGetDky(d->ida, t, 0, d->y) == IDA_SUCCESS)
        memcpy(y, N_VGetArrayPointer(d->y), bytes);
    if (yp && IDAGetDky(d->ida, t, 1, d->yp) == IDA_SUCCESS)
        memcpy(yp, N_VGetArrayPointer(d->yp), bytes);
}
