/* solved_internal.h: what the files of the solver of single modes share. */
#ifndef SOLVED_INTERNAL_H
#define SOLVED_INTERNAL_H

#include "junction_internal.h"
#include "junct/solved.h"

/* A switch as a port: in a mode either its effort or its flow is 0. A bond of a detachable source that
 * its junction lets go is one more. */
typedef struct {
    int sw;               /* the switch */
    int when_on, when_off; /* the column that is 0 then; the other one follows */
} gate;

typedef struct tableau tableau;

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
    /* Where modes follow each other: then `fixed` has all rows, `varied` what is free in all modes. */
    int ngates;
    gate *gate;
    tableau *tableau; /* NULL: each mode is eliminated anew */
};

/* solved.c */
bool jni_solver_wants_effort(const jn_solver *k, int element);
/* Notes what a port gives, and whether that makes the mode forbidden. */
void jni_solved_note_port(jn_solved *out, const jn_solver *k, int element, bool effort);

/* solved_laws.c: the rows of one element; on: as a plain junction, for a switch that is ON. */
void jni_solver_write_law(jn_solver *k, jn_plain *p, int element, bool on, jn_ratfun ratio);
/* Of a switch, for all modes: `g` is its gate; those of bonds that it lets go follow it. Returns how
 * many gates there are. */
int jni_solver_write_gates(jn_solver *k, jn_plain *p, const gate *g);
/* Makes them, at columns from *ncols on. */
int jni_solver_make_gates(gate *g, const jn_graph *graph, int sw, int *ncols);
/* The rows of a port with columns of its own; zero: a resistor that is 0. */
void jni_solver_write_own(jn_solver *k, jn_plain *p, const port *x, bool zero);

/* tableau.c. It takes the rows of k->fixed that are not solved, and must go before them. NULL: the
 * model's modes are better eliminated one by one. */
tableau *jni_tableau_new(jn_solver *k);
void jni_tableau_free(tableau *t); /* NULL-safe */
/* The steps of a mode, but for those that all modes have in common. BUG: a port has neither its
 * effort nor its flow. */
jn_status jni_tableau_mode(jn_solved *out, tableau *t, const jn_onoff *m);

/* single.c: the bonds whose effort or flow depends on a column that is free. */
void jni_solved_undetermined(bool *bond, const jn_solved *m);

#endif
