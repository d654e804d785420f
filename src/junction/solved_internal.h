/* solved_internal.h: what the files of the solver of single modes share. */
#ifndef SOLVED_INTERNAL_H
#define SOLVED_INTERNAL_H

#include "junction_internal.h"
#include "junct/solved.h"

struct jn_solver {
    const jn_graph *g;
    jn_solver_options o;
    bool *late, *effort_first, *switched; /* copies; NULL: none */
    bool has_switched; /* some ratio differs between modes */
    bool *shorted;     /* per element: a resistor that is 0 in some modes; NULL: none */
    columns c;
    jn_ratfun *ratio;  /* per element: the value of a TF or GY */
    jn_ratfun *values; /* per parameter: what the coefficients must not vanish with */
    jn_vanishing *vanishing;
    jn_plain *fixed; /* what no switch changes, eliminated as far as that goes */
    jn_plain *work;  /* the same with what a mode adds */
    int nvaried;     /* internal columns that are left to the modes */
    int *varied;
    bool *solved; /* room for as many */
    /* The steps of the pivots of `fixed`, which stand at the end in all modes. */
    int nsteps, nterms;
    jn_step *step;
    jn_term *term;
};

/* solved_laws.c: the rows of one element; on: as a plain junction, for a switch that is ON. */
void jni_solver_write_law(jn_solver *k, jn_plain *p, int element, bool on, jn_ratfun ratio);
/* The rows of a port with columns of its own; zero: a resistor that is 0. */
void jni_solver_write_own(jn_solver *k, jn_plain *p, const port *x, bool zero);

/* single.c: the bonds whose effort or flow depends on a column that is free. */
void jni_solved_undetermined(bool *bond, const jn_solved *m);

#endif
