/* numeric.h: models that are not linear, followed step by step; see numeric.c. */
#ifndef NUMERIC_H
#define NUMERIC_H

#include "collocate.h"
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
    enum branching {
        BRANCH_HELD,       /* as settled; roots and powers go on below zero, since a step looks
                              beyond the place where a law takes another way */
        BRANCH_JUMPS_HELD, /* only `if` and sign; abs, min and max as they are */
        BRANCH_FREE        /* as expressions stand */
    } branching;
    bool every_way; /* derivatives go through all ways, whichever is taken */
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
    struct structure *structure; /* of the mode's equations, made when they are first followed */
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
    enum branching branching; /* see moment */
    bool every_way;
    /* per branch: its share of the way it takes when its condition holds, an unknown where the other
     * way may be far from it (−1: none). It slides where that share keeps it on the surface between
     * both: see numeric_slide.c. */
    int nbranches;
    int *share;
    enum { SLIDES_NOT, SLIDES_ALGEBRAIC, SLIDES_BY_RATE } *slide;
    double *held;    /* SLIDES_BY_RATE: the share, while consistent values are looked for */
    bool is_solving; /* they are */
    double *surface; /* where it slides: left − right of its condition */
    int *turns;      /* how often it has changed at this instant */

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
    double *largest;    /* per bond variable: that it has been */
    double *grain;      /* per observable: its error may be as large, here or on the stretch */
    double *sum, *size; /* per column */
    const char *why;    /* the last failure */
    jn_str explanation;
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
/* Grains at least as large as the columns of n->col ask for, or some times that. */
void jn_numeric_raise_grains(numeric *n, const mode_table *m, double times);

/* ---- the residual (numeric_residual.c) ------------------------------------------------------- */

/* n->F from n->Y, n->Yp. x_before: the equations of a jump from there instead of motion. */
void jn_residual(numeric *n, mode_table *m, dual t, const double *x_before);
/* Lays y and yp into Y and Yp with no derivative. */
void jn_residual_at(numeric *n, const double *y, const double *yp);
/* Whether all laws have values at these: as they stand, whatever has been settled. */
bool jn_numeric_has_values(numeric *n, mode_table *m, double t, const double *y, const double *yp);
/* Left − right of a branch's condition, at Y, Yp. */
dual jn_branch_apart(numeric *n, mode_table *m, dual t, int branch);
/* All observables at y, yp; also n->col. */
void jn_numeric_observe(double *z, numeric *n, mode_table *m, double t, const double *y,
                        const double *yp);

/* ---- consistent values (numeric_solve.c) ----------------------------------------------------- */

/* y and yp of the mode after the jump from x: n->y, n->yp. False: there are none to be found. */
bool jn_numeric_solve(numeric *n, mode_table *m, double t, const double *x,
                      const double *integrals);
/* How fast the sides of a branch's condition move apart, at these. */
double jn_branch_apart_rate(numeric *n, mode_table *m, double t, int branch);

/* ---- expressions that jump (numeric_slide.c) ------------------------------------------------- */

#define SHARE_SLACK 1e-9 /* as far may a share be beyond 0 and 1 */
bool jn_branch_can_slide(const jn_sim *s, const branches *b, int k);
/* Where jn_numeric_solve found nothing: with another choice of what slides. */
bool jn_numeric_solve_otherwise(numeric *n, mode_table *m, double t, const double *x,
                                const double *integrals);

/* ---- the Jacobian (numeric_jacobian.c) ------------------------------------------------------- */

typedef struct structure structure;
/* t and n->y: where to look at the equations. */
structure *jn_structure_new(numeric *n, mode_table *m, double t);
void jn_structure_free(structure *k); /* NULL-safe */
const sparse_pattern *jn_structure_pattern(const structure *k);
/* See collocation_problem. */
bool jn_structure_jacobian(const structure *k, numeric *n, mode_table *m, double t,
                           const double *y, const double *yp, double *by_y, double *by_yp);

/* ---- steps (numeric_step.c) ------------------------------------------------------------------ */

struct follower {
    numeric *n;
    mode_table *m;
    bool is_running;
    double from, to; /* the last step */
    double longest;  /* time that was asked for at once */
    double *y, *yp;  /* somewhere in it */
    collocation *collocation;
    /* IDA */
    struct dae *dae;
    bool is_reduced;    /* what it is given */
    bool *differential; /* per unknown */
    /* methods of fixed step */
    double *y0, *yp0, *y1, *yp1; /* both ends of the last one */
    double *x, *s;               /* of a stage */
};

follower *jn_follower_new(numeric *n);
void jn_follower_free(follower *f); /* NULL-safe */
void jn_follower_restart(follower *f);
/* One step of the method, or the rest of the last one: its end. Not after now when it failed. */
double jn_follower_step(follower *f, mode_table *m, double wanted);
/* All observables at a time within it; or f->y, and f->yp if asked for. */
void jn_follower_observe(double *z, follower *f, double t);
void jn_follower_at(follower *f, double t, bool with_rates);
void jn_follower_tolerance(void *ctx, const double *y, double *tol);

/* Each method (numeric_radau.c, numeric_ida.c, numeric_fixed.c). */
bool jn_radau_start(follower *f);
void jn_radau_explain(follower *f); /* why its step failed: n->why */
bool jn_ida_start(follower *f);
bool jn_fixed_step(follower *f);
void jn_fixed_at(follower *f, double t);

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
