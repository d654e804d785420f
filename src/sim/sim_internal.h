/* sim_internal.h: what the files of the simulation stage share.
 *
 * Quantities. Everything a condition, signal or output can read comes down to observables: the
 * effort or flow of a bond, the state of a storage, an integral. Observables have numbers
 * (observe.c). In a mode each of them is a linear function of
 *
 *     z = (w, s, v)
 *
 * w: the independent combinations E·x of the mode, s: the integrals, v: the generator of the
 * inputs (sources.c), so that u = G·v and v̇ = V·v. */
#ifndef SIM_INTERNAL_H
#define SIM_INTERNAL_H

#include <math.h>

#include "junct/sim.h"

/* ---- observables (observe.c) ------------------------------------------------------------------------ */

typedef struct {
    int nbonds, nstorages, nintegrals;
} observables;

int obs_effort(const observables *o, int bond);
int obs_flow(const observables *o, int bond);
int obs_state(const observables *o, int storage);
int obs_integral(const observables *o, int k);
int obs_count(const observables *o);

/* c0 + ct·t + Σ c_i·observable_i */
typedef struct {
    double c0, ct;
    int n, cap;
    struct form_term {
        int obs;
        double c;
    } *term;
} linear_form;

void form_clear(linear_form *f);
/* The expression as a linear form; false when it is not linear. prior(x) counts as x. */
bool form_of(linear_form *f, const jn_sim *s, const jn_expr *e);

/* ---- inputs (sources.c) ------------------------------------------------------------------------------ */

/* Each source's value is a sum of t^k·exp(a·t)·(cos, sin)(b·t); the functions that occur, and their
 * derivatives, are the states v of a linear generator. `if` branches of a source are settled at
 * events and held in between. */
typedef struct generator generator;

/* INVALID-free: returns false when some source is not of this kind; *which is it. */
bool generator_new(generator **out, const jn_sim *s, int *which);
void generator_free(generator *g);
int generator_size(const generator *g);
const double *generator_V(const generator *g); /* nv × nv */
const double *generator_G(const generator *g); /* sources × nv */
void generator_at(double *v, const generator *g, double t);
/* Fixes a source at a value from now on. */
void generator_set(generator *g, int source, double value);
/* The conditions of the sources' branches, and settling them by their present truth. Returns
 * whether a branch changed. */
int generator_conditions(const jn_expr *const **condition, const generator *g);
bool generator_settle(generator *g, int condition, bool truth);

/* ---- one mode (mode_table.c) -------------------------------------------------------------------------- */

typedef struct panel panel;

typedef struct {
    jn_onoff *onoff;
    jn_mode_status status;
    int n;  /* independent states */
    int nz; /* n + integrals + generator */
    double *w_of_x; /* n × N: the rows of E */
    double *x_of_w; /* N × n */
    double *x_of_u; /* N × m */
    double *A;      /* nz × nz: ż = A·z */
    /* port inputs in terms of (w, u, u̇); columns of the elimination resolved on demand */
    double *port_in;
    double **col_row;    /* per column: over (w, u, u̇), NULL: not asked for yet */
    double **obs_row;    /* per observable: over z */
    double **impulse_row; /* per observable: over Δx */
    double **col_impulse;
    double *infinite;    /* forbidden: per source that lost its input, … */
    int npanels;
    panel **panel;
    int level; /* of the panel used last */
    double *weight; /* per storage in integral causality: scale of its state */
    void *power;    /* the ledger's rows of this mode */
} mode_table;

/* The table of a mode, made when it is first asked for. NULL when it cannot be made. */
mode_table *mode_table_get(jn_sim *s, const jn_onoff *m);
void mode_tables_free(jn_sim *s);
/* The observable's row over z. */
const double *mode_row(jn_sim *s, mode_table *m, int obs);
/* Its impulse over a jump: row over Δx (all storages). */
const double *mode_impulse(jn_sim *s, mode_table *m, int obs);

#endif
