/* bench_ida.c: the same converter by IDA of SUNDIALS, a peer that integrates with steps.
 *
 * It gets what a person would give it: the equations of the three modes by hand, the times of the
 * switch, and the current of the diode as a root to look for; it is begun again after every event
 * with consistent rates. Where its headers are not, there is no such row. */
#include "bench_ida.h"

#if !__has_include(<ida/ida.h>)

bool bench_has_ida(void)
{
    return false;
}

double bench_ida_charge(const converter *c, int periods, double rtol)
{
    (void)c, (void)periods, (void)rtol;
    return 0;
}

#else

#include <ida/ida.h>
#include <math.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

bool bench_has_ida(void)
{
    return true;
}

typedef struct {
    SUNContext context;
    void *ida;
    N_Vector x, rate;
    SUNMatrix matrix;
    SUNLinearSolver solver;
    const converter *c;
    const ref_mode *mode;
} peer;

/* A·x + b of the mode. */
static double rate_of(const ref_mode *m, const double *x, int i)
{
    double sum = (double)m->b[i];
    for (int j = 0; j < m->n; j++)
        sum += (double)m->a[i][j] * x[j];
    return sum;
}

static int residual(double t, N_Vector x, N_Vector rate, N_Vector out, void *data)
{
    const peer *p = data;
    (void)t;
    for (int i = 0; i < p->mode->n; i++)
        N_VGetArrayPointer(out)[i] =
            N_VGetArrayPointer(rate)[i] - rate_of(p->mode, N_VGetArrayPointer(x), i);
    return 0;
}

static int diode_current(double t, N_Vector x, N_Vector rate, double *out, void *data)
{
    const peer *p = data;
    real state[REF_STATES];
    (void)t, (void)rate;
    for (int i = 0; i < p->mode->n; i++)
        state[i] = N_VGetArrayPointer(x)[i];
    out[0] = (double)p->c->current(state);
    return 0;
}

static bool begin(peer *p, const converter *c, double rtol)
{
    int n = c->on.n;
    *p = (peer){.c = c, .mode = &c->on};
    if (SUNContext_Create(NULL, &p->context) != 0)
        return false;
    p->ida = IDACreate(p->context);
    p->x = N_VNew_Serial(n, p->context);
    p->rate = N_VNew_Serial(n, p->context);
    p->matrix = SUNDenseMatrix(n, n, p->context);
    p->solver = SUNLinSol_Dense(p->x, p->matrix, p->context);
    N_VConst(0, p->x);
    N_VConst(0, p->rate);
    return IDAInit(p->ida, residual, 0, p->x, p->rate) == 0 &&
           IDASStolerances(p->ida, rtol, 1e-12) == 0 && IDASetUserData(p->ida, p) == 0 &&
           IDASetLinearSolver(p->ida, p->solver, p->matrix) == 0 &&
           IDASetMaxNumSteps(p->ida, 1000000) == 0;
}

static void end(peer *p)
{
    SUNLinSolFree(p->solver);
    SUNMatDestroy(p->matrix);
    N_VDestroy(p->x);
    N_VDestroy(p->rate);
    IDAFree(&p->ida);
    SUNContext_Free(&p->context);
}

/* In a mode from *t to the end, or to where the diode's current has gone. */
static bool follow(peer *p, const ref_mode *m, double *t, double to, bool until_dry)
{
    p->mode = m;
    for (int i = 0; i < m->n; i++)
        N_VGetArrayPointer(p->rate)[i] = rate_of(m, N_VGetArrayPointer(p->x), i);
    int falling = -1;
    if (IDAReInit(p->ida, *t, p->x, p->rate) != 0 || IDASetStopTime(p->ida, to) != 0 ||
        IDARootInit(p->ida, until_dry ? 1 : 0, until_dry ? diode_current : NULL) != 0 ||
        (until_dry && IDASetRootDirection(p->ida, &falling) != 0))
        return false;
    int status = IDASolve(p->ida, to, t, p->x, p->rate, IDA_NORMAL);
    if (status == IDA_ROOT_RETURN)
        N_VGetArrayPointer(p->x)[0] = 0; /* the blocked coil */
    return status == IDA_ROOT_RETURN || status == IDA_TSTOP_RETURN || status == IDA_SUCCESS;
}

double bench_ida_charge(const converter *c, int periods, double rtol)
{
    peer p;
    double period = (double)c->period, t = 0, charge = NAN;
    bool ok = begin(&p, c, rtol);
    for (int k = 0; ok && k < periods; k++) {
        double half = (k + 0.5) * period, last = (k + 1) * period;
        ok = follow(&p, &c->on, &t, half, false) && follow(&p, &c->off, &t, last, true) &&
             (t >= last || follow(&p, &c->dry, &t, last, false));
    }
    if (ok)
        charge = N_VGetArrayPointer(p.x)[c->on.n - 1];
    end(&p);
    return charge;
}

#endif
