/* collocate.h: implicit differential equations by collocation; see collocate.c. */
#ifndef COLLOCATE_H
#define COLLOCATE_H

#include <complex.h>

#include "junct/base.h"

/* ---- sparse matrices (sparse.c) -------------------------------------------------------------- */

/* Where a square matrix may have entries: column by column, row[start[j]] … of column j. */
typedef struct {
    int n;
    int *start, *row;
} sparse_pattern;

typedef struct sparse_lu sparse_lu;
/* Room for the factors of `count` matrices of one pattern, which must outlive it. */
sparse_lu *jn_sparse_new(const sparse_pattern *p, int count);
void jn_sparse_free(sparse_lu *lu); /* NULL-safe */
bool jn_sparse_factor(sparse_lu *lu, int which, double complex *value); /* false: singular */
bool jn_sparse_solve(sparse_lu *lu, int which, double complex *b);

/* ---- the method's numbers (radau_rule.c) ----------------------------------------------------- */

enum { STAGES = 9, NODES = STAGES + 1, SYSTEMS = (STAGES + 1) / 2 };

typedef struct {
    double c[NODES]; /* c[0] = 0: the start */
    double D[STAGES][STAGES];
    double complex mu[SYSTEMS];           /* one of each pair */
    double complex to[SYSTEMS][STAGES];   /* rows of T⁻¹ */
    double complex from[STAGES][SYSTEMS]; /* columns of T, doubled for a pair */
    double fit[NODES * NODES];            /* from values at the nodes to Chebyshev coefficients */
} radau_rule;

bool jn_radau_rule_find(radau_rule *r); /* false: the eigenvalues of D were not found */

/* ---- collocation (collocate.c) --------------------------------------------------------------- */

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
} collocation_problem;

typedef struct collocation collocation;
collocation *jn_collocation_new(const collocation_problem *p);
void jn_collocation_free(collocation *c); /* NULL-safe */
/* From consistent y, yp. The pattern must live as long as the equations are the same. ahead: how
 * long a step is worth trying at first. */
void jn_collocation_start(collocation *c, const sparse_pattern *p, double t, const double *y,
                          const double *yp, double ahead);
/* One step, not beyond `stop`; *t is its end. */
bool jn_collocation_step(collocation *c, double *t, double stop);
/* After a step that failed: the unknown whose equation has no value, or that was hardest to find. */
int jn_collocation_suspect(const collocation *c);
/* Anywhere within the last step; yp may be NULL. */
void jn_collocation_at(const collocation *c, double t, double *y, double *yp);

#endif
