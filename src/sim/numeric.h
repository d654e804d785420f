/* numeric.h: models that are not linear, followed step by step; see numeric.c. */
#ifndef NUMERIC_H
#define NUMERIC_H

#include "sim_internal.h"

/* ---- numbers with a derivative (numeric_tangent.c) ------------------------------------------- */

/* A value, and its derivative along whatever direction is being looked at. */
typedef struct {
    double v, d;
} dual;

/* Where an expression reads from. */
typedef struct {
    const jn_sim *s;
    const dual *col;          /* by column of the elimination; NULL: only time is known */
    const dual *x, *integral; /* likewise */
    dual t;
    const view *prior; /* NULL: prior(x) is x itself */
} moment;

dual jn_tangent(const moment *m, const jn_expr *e);
/* Whether an expression reads anything but time and constants. */
bool jn_reads_model(const jn_sim *s, const jn_expr *e);

/* ---- the columns of a mode (numeric_program.c) ----------------------------------------------- */

/* Every variable of the junction structure from the ports' inputs, one after another. */
typedef struct program {
    int *in, *out;     /* per port: the columns of its input and output */
    bool *integral;    /* per storage */
    bool *open;        /* per column: a redundant loop leaves it open */
    bool is_dependent; /* some storage is in derivative causality */
    int nsteps, cap_steps;
    struct program_step {
        int col, first, end; /* col = −Σ products */
    } * step;
    int nproducts, cap_products;
    struct program_product {
        int col, varying; /* varying: which of them is the factor; −1: c */
        double c;
    } * product;
    int nvarying, cap_varying;
    struct program_varying {
        jn_ratfun f;
        dual now;
    } * varying;
} program;

program *jn_program_new(jn_sim *s, const mode_table *m);
void jn_program_free(program *p); /* NULL-safe */
int jn_program_columns(const jn_sim *s);
/* The factors that vary, at these values of the parameters. */
void jn_program_vary(program *p, const jn_sim *s, const double *param, const double *change);
/* The inputs are in col; fills in the rest. */
void jn_program_run(const program *p, dual *col);
/* The same without derivatives; size: what the terms of each sum amount to. */
void jn_program_sums(const program *p, double *sum, double *size);

/* ---- the unknowns (numeric.c) ---------------------------------------------------------------- */

/* Something given by an expression: an unknown of its own where that reads the model. */
typedef struct {
    const jn_expr *e;
    int at; /* −1: known at every time */
} quantity;

typedef struct {
    int element, param;
    quantity q;
    dual now;
} modulated;

typedef struct follower follower;
typedef struct sampler sampler;
struct dae;

typedef struct numeric {
    jn_sim *s;
    int n; /* unknowns y: x, Din, auxiliaries, integrals */
    int first_r, first_a, first_s;
    quantity *source;
    int nmodulated;
    modulated *modulated;
    int *value_of; /* per storage and resistor: its modulated value; −1: constant */
    int *co_state; /* per storage: the unknown f of an I, e of a C; −1: x over a constant */
    double *param, *change; /* by parameter, for jn_program_vary */
    dual *col, *jump;       /* columns */
    dual *Y, *Yp, *F;       /* arguments and result of the residual */
    double *u;              /* the sources' values, as used last */
    double *matrix, *rhs, *trial;
    const view *prior; /* during an instant; NULL: prior(x) is x */
    bool has_guess;

    /* the present solution */
    double *y, *yp;
    double *peak;     /* per unknown: the largest there was */
    bool reads_rates; /* an auxiliary depends on the rate of a dependent storage */
    double *z;        /* all observables when the state was last put somewhere */
    double z_t;
    bool *is_driven; /* per storage: modulation changes what it holds */
    double driven;   /* the energy of those, by then */
    follower *follower;
    sampler *sampler;
    double *grain;      /* per observable: its error may be as large, here or on the stretch */
    double *sum, *size; /* per column */
    const char *why;    /* the last failure */
} numeric;

numeric *jn_numeric_new(jn_sim *s);
void jn_numeric_free(numeric *n); /* NULL-safe */

/* As the functions of mode_table.c without `numeric`. */
void jn_numeric_enter(double *z, double *x_after, const jn_sim *s, mode_table *m, const double *x,
                      const double *integrals);
double jn_numeric_impulse(const jn_sim *s, const mode_table *m, int obs, const double *from,
                          const double *to);
double jn_numeric_infinite(const jn_sim *s, const mode_table *m, int obs, const double *u);
void jn_numeric_state(double *x, const jn_sim *s, mode_table *m, const double *z);

double jn_numeric_tolerance(const numeric *n); /* relative */
/* Whether a storage's energy changes by more than what flows into it; the energy of all such. */
bool jn_numeric_is_driven(const jn_sim *s, int storage);
double jn_numeric_driven_energy(numeric *n, const double *z, double t);
/* n->grain by the columns of n->col, at least. */
void jn_numeric_raise_grains(numeric *n, const mode_table *m);

/* ---- the residual (numeric_residual.c) ------------------------------------------------------- */

/* n->F from n->Y, n->Yp. x_before: the equations of a jump from there instead of motion. */
void jn_residual(numeric *n, mode_table *m, dual t, const double *x_before);
/* Lays y and yp into Y and Yp with no derivative. */
void jn_residual_at(numeric *n, const double *y, const double *yp);
/* All observables at y, yp; also n->col. */
void jn_numeric_observe(double *z, numeric *n, mode_table *m, double t, const double *y,
                        const double *yp);

/* ---- consistent values (numeric_solve.c) ----------------------------------------------------- */

/* y and yp of the mode after the jump from x: n->y, n->yp. False: there are none to be found. */
bool jn_numeric_solve(numeric *n, mode_table *m, double t, const double *x,
                      const double *integrals);

/* ---- steps (numeric_step.c) ------------------------------------------------------------------ */

follower *jn_follower_new(numeric *n);
void jn_follower_free(follower *f); /* NULL-safe */
void jn_follower_restart(follower *f);
/* One step of the method, or the rest of the last one: its end. Not after now when it failed. */
double jn_follower_step(follower *f, mode_table *m, double wanted);
/* All observables at a time within it. */
void jn_follower_observe(double *z, follower *f, double t);

/* ---- what a step gives (numeric_stretch.c) --------------------------------------------------- */

sampler *jn_sampler_new(numeric *n);
void jn_sampler_free(sampler *p); /* NULL-safe */
/* Of length 0 when the step failed. */
void jn_numeric_stretch(stretch *p, jn_sim *s, mode_table *m, double wanted);

/* ---- SUNDIALS IDA (dae.c) -------------------------------------------------------------------- */

typedef struct {
    void *ctx;
    int n;
    /* Each returns false where the equations have no value. jacobian: dF/dy + c·dF/dy', column by
     * column. */
    bool (*residual)(void *ctx, double t, const double *y, const double *yp, double *F);
    bool (*jacobian)(void *ctx, double t, double c, const double *y, const double *yp, double *J);
    /* The error that each unknown may have. */
    void (*tolerance)(void *ctx, const double *y, double *tol);
} dae_problem;

typedef struct dae dae;
dae *jn_dae_new(const dae_problem *p); /* NULL: no memory for it */
void jn_dae_free(dae *d);              /* NULL-safe */
/* From consistent y, yp. differential: per unknown. stop: a time not to be passed (may be
 * infinite); ahead: a time towards which it goes. */
bool jn_dae_start(dae *d, double t, const double *y, const double *yp, const bool *differential,
                  double stop, double ahead);
/* One internal step; *t is its end. */
bool jn_dae_step(dae *d, double *t);
/* Anywhere within the last step; yp may be NULL. */
void jn_dae_at(dae *d, double t, double *y, double *yp);

#endif
