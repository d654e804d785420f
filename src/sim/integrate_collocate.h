/* integrate_collocate.h: implicit differential equations by collocation; see integrate_collocate.c. */
#ifndef INTEGRATE_COLLOCATE_H
#define INTEGRATE_COLLOCATE_H

#include <complex.h>

#include "junct/sim.h"
#include "number_rule.h"

/* ---- collocation (integrate_collocate.c) --------------------------------------------------- */

/* F(t, y, y') = 0 */
typedef struct {
    void *ctx;
    int n;
    /* Each returns false where the equations have no value. jacobian: dF/dy and dF/dy', entry by
     * entry of the pattern. */
    bool (*residual)(void *ctx, double t, const double *y, const double *yp, double *F);
    bool (*jacobian)(void *ctx, double t, const double *y, const double *yp, double *by_y,
                     double *by_yp);
    /* The error that each unknown may have. */
    void (*tolerance)(void *ctx, const double *y, double *tol);
    bool bends; /* slopes are not the same everywhere */
    /* Where it bends: what tolerances are of values that are not small, and which values of each are. */
    double rtol;
    const double *floor;
    /* Likewise, per unknown: its own row says nothing of it, and others do. */
    const bool *is_of_others;
    /* How far the rows may be off without any unknown being so; NULL: they are not. */
    void (*drift)(void *ctx, double t, const double *y, const double *yp, double *off);
    /* Whether it may be asked for less than `tolerance` says of what others hold: not where a leak of 1e12 is an unknown
     * of its own, whose 1e-21 A are no measure. */
    bool (*may_settle)(void *ctx);
    /* Where it bends: brings those of y that no rate stands in for to where the equations want them. */
    void (*settle)(void *ctx, double t, double *y);
    jn_sim *s; /* whose caller may want it to end */
} collocation_problem;

typedef struct collocation collocation;
collocation *jni_collocation_new(const collocation_problem *p);
void jni_collocation_free(collocation *c); /* NULL-safe */
/* From consistent y, yp. The pattern must live until another one is started with, or it is left.
 * ahead: how long a step is worth trying at first. */
void jni_collocation_start(collocation *c, const sparse_pattern *p, double t, const double *y,
                           const double *yp, double ahead);
/* About how far each unknown gets within h from there, counting what holds it back; false: not known. */
bool jni_collocation_ahead(double *moved, collocation *c, const sparse_pattern *p, double t,
                           const double *y, const double *yp, double h);
/* The pattern goes; what steps were like stays. */
void jni_collocation_leave(collocation *c, const sparse_pattern *p);
/* One step, not beyond `stop`; *t is its end. */
bool jni_collocation_step(collocation *c, double *t, double stop);
/* The equations have changed a little since the last step: the next one begins where they hold. */
void jni_collocation_unsettle(collocation *c);
/* After a step that failed: the unknown whose equation has no value, or that was hardest to find. */
int jni_collocation_suspect(const collocation *c);
double jni_collocation_blame(const collocation *c, int unknown); /* how hard it was */
/* What the polynomial of the last step leaves out between its nodes; not less than what was asked for of it,
 * or could be. */
double jni_collocation_error(const collocation *c, int unknown);
/* Anywhere within the last step; yp may be NULL. */
void jni_collocation_at(const collocation *c, double t, double *y, double *yp);

#endif
