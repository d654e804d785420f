/* analyse_internal.h: what the files of the analysis share. */
#ifndef ANALYSE_INTERNAL_H
#define ANALYSE_INTERNAL_H

#include <flint/fmpq_poly.h>

#include "junct/analyse.h"

typedef struct {
    jn_dense E, A, B; /* n×n, n×n, n×ninputs */
} jn_pencil;

/* split.c, wong.c: order, index, V, P, J, Bz, U of a pencil. split takes the short way that nearly
 * all modes allow, wong the general one; both fill the same fields. split returns false, and has
 * done nothing, where the short way is barred. */
bool jni_pencil_split(jn_dynamics *d, const jn_pencil *p, const bool *integral);
void jni_pencil_wong(jn_dynamics *d, const jn_pencil *p);
/* Replaces a space by {x : outer·x is in inner·space} until its dimension stays; returns in how
 * many steps it changed. The basis ends with an identity in the rows row[]; NULL: not wanted. The
 * matrices may have any size. */
int jni_wong_limit(jn_dense *space, const jn_dense *outer, const jn_dense *inner, int *row);

/* charpoly.c: det(sI − J), monic. Degree −1 when the algebra's budget was spent. */
void jni_charpoly(jn_poly *p, const jn_dense *J);
void jni_poly_clear(jn_poly *p);
bool jni_poly_get(fmpq_poly_t q, jn_field *k, const jn_poly *p); /* false: not all numbers */
void jni_poly_set(jn_poly *p, jn_field *k, const fmpq_poly_t q);

/* roots.c: those of a polynomial whose halves are known, and the eigenvalues of a numeric J in
 * double precision. */
jn_status jni_roots_counted(jn_pole *root, jn_field *k, const jn_poly *p,
                           const jn_halves *halves) JN_CHECKED;
jn_status jni_poles(jn_pole *root, const jn_dense *J, const jn_poly *charpoly,
                         const jn_halves *halves) JN_CHECKED;

/* routh.c: how many roots lie right of the imaginary axis; −1: not known. None may lie on the axis, nor
 * two of them opposite to each other. */
int jni_routh(const fmpz_poly_t p);

/* smith.c: the invariant factors of sI − J over ℚ[s]. */
bool jni_smith_of(jn_smith *f, const jn_dense *J, const jn_poly *charpoly);

/* control.c. The dimension of what the columns of B generate under J, with random numbers for the
 * parameters and modulo a prime: a lower bound of it. −1: none found. a may be NULL for numbers. */
int jni_krylov_rank(const jn_dense *J, const jn_dense *B, const jn_analysis *a);
void jni_controllability(jn_reachability *r, const jn_dynamics *d, const jn_pencil *p,
                        const jn_analysis *a);
void jni_observability(jn_reachability *r, const jn_dynamics *d, const jn_pencil *p,
                      const jn_dense *Cx, const jn_analysis *a);

/* ports.c: efforts and flows of bonds in one mode, in terms of the inputs of the ports: storages
 * (z, or ẋ in derivative causality), then resistors, then sources. */
typedef struct {
    int size;       /* inputs: nstorages + nresistors + nsources */
    int width;      /* of a row: the inputs, then what redundant loops leave open */
    int ncols;      /* columns of the junction structure */
    jn_ratfun **of; /* per column: its coefficients; NULL: not asked for */
} jn_ports;
/* wanted: per column. For modes that are ok. */
void jni_ports_solve(jn_ports *p, const jn_junction *j, const jn_onoff *m, const bool *wanted);
void jni_ports_clear(jn_ports *p);
/* Whether something open is left in a row. */
bool jni_ports_is_open(const jn_ports *p, const jn_ratfun *row);
/* One entry of S in a mode; elements in the form they have there. */
jn_ratfun jni_structure_at(const jn_junction *j, const jn_onoff *m, int row, int col);
/* The row of S that an element has in the mode; −1: none (a source). */
int jni_structure_row(const jn_junction *j, const jn_mode *mode, int element);

/* outputs.c: y = Cx x + Cd ẋ + D u of the mode, and structurally. */
typedef struct {
    int n;                 /* outputs that no redundant loop leaves open */
    int *number;           /* in graph->output */
    int nopen, *open;      /* the others */
    jn_ratfun *x, *dx, *u; /* n×nstorages, n×nstorages, n×nsources */
    jn_ratfun *z; /* n×nstorages: the part of the storages' inputs alone, for causal paths */
    bool *reads;  /* n×(nstorages + nresistors): whose input or state stands in it directly */
} jn_outputs;
/* constants.c: the constants of all outputs that are not rational, and the symbol of one of them. */
void jni_output_constants(jn_analysis *a);
bool jni_output_constant(jn_ratfun *v, const void *analysis, const jn_expr *e); /* false: it is none */

/* Numbers for the constants in a value. */
jn_status jni_put_constants(jn_ratfun *v, const jn_analysis *a) JN_CHECKED;

bool jni_outputs_linear(const jn_analysis *a, const jn_expr *e);
void jni_outputs_of(jn_outputs *o, const jn_analysis *a, const jn_onoff *m, const jn_mode *mode);
void jni_outputs_clear(jn_outputs *o);
/* Leaves in both those that are in both; the others are open. */
void jni_outputs_common(jn_outputs *a, jn_outputs *b, const jn_graph *g);
/* The columns of the junction's elimination that an output reads, in all modes, are added to row,
 * and to state, per storage, what it reads of p or q, as a multiple of z. */
void jni_output_row(jn_row *row, jn_ratfun *state, const jn_analysis *a, int output);

/* feedback.c: puts in what the sources read that stand behind the outputs, and drops their rows. False:
 * too long. */
bool jni_close_outputs(jn_outputs *o, const jn_analysis *a, jn_algebra *k);

/* transfer.c: C, D, transfer matrix and gain of y = Cx x + Cd ẋ + Du u. */
typedef struct {
    jn_dense Cx, Cd, Du;
} jn_readout;
void jni_dynamics_outputs(jn_dynamics *d, const jn_readout *y, const jn_analysis *a);

/* zeros.c: invariant zeros and the rank of G(s). */
void jni_dynamics_zeros(jn_dynamics *d, const jn_pencil *p, const jn_readout *y);

/* jump.c: Π and the energy lost. F: z = F·x of the storages; NULL: not known. */
void jni_dynamics_jump(jn_dynamics *d, const jn_dense *F);

/* impulse.c: the impulses on all bonds. value: as for the dynamics. */
void jni_impulses_of(jn_impulses *out, const jn_dynamics *d, const jn_mode *mode,
                    const jn_analysis *a, const jn_onoff *m, const jn_ratfun *value);
void jni_impulses_clear(jn_impulses *p);

/* structural.c: causal paths and derivative causality. */
void jni_structural_of(jn_mode_analysis *m, const jn_analysis *a, const jn_onoff *onoff,
                      const jn_outputs *o);

/* dynamics.c: one pencil over one algebra. value: numbers for the parameters, or NULL. */
void jni_dynamics_of(jn_dynamics *d, const jn_mode *equation, const jn_outputs *o,
                    const jn_analysis *a, const jn_ratfun *value, bool numeric);
/* Nothing is known, and why. */
void jni_dynamics_unknown(jn_dynamics *d, const char *why);
void jni_dynamics_clear(jn_dynamics *d);

/* across: reach.c, observe.c, stability.c, classes.c, sanity.c */
void jni_across_paths(jn_across *c);
void jni_across_observed(jn_across *c);
void jni_across_stability(jn_across *c);
void jni_across_classes(jn_across *c);
void jni_across_sanity(jn_across *c);

#endif
