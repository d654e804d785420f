/* solved.h: the junction structure of one mode.
 *
 * In a mode the junction structure is a list of steps: each gives one variable of a bond or a port
 * as a combination of inputs of ports and of variables that earlier steps have given. It comes from
 * a plain sparse elimination, nearly in proportion to the size of the model and whatever the number
 * of modes. junction.h has the same for all modes at once, as functions of λ; in every mode both
 * agree. See src/junction/solved.c. */
#ifndef JUNCT_SOLVED_H
#define JUNCT_SOLVED_H

#include "junct/junction.h"
#include "junct/plain.h"

#ifdef __cplusplus
extern "C" {
#endif

/* All of it may be zero. The arrays need not outlive jn_solver_new; ctx must outlive the solver. */
typedef struct {
    /* Parameters that have a number are replaced by it. A modulated TF or GY keeps its symbol, and
     * nothing is divided by what vanishes where a modulation passes through 0, if that can be
     * avoided. */
    bool numeric;
    /* Per source, by number: its value follows from the model. So it is served after the storages,
     * as resistors are, and never makes a mode forbidden. NULL: none. */
    const bool *late;
    /* Per resistor, by number: where both are possible its effort is the junction structure's
     * output, and not its flow. NULL: none. */
    const bool *effort_first;
    /* Per resistor, by number: above 0, and up to 4, it is served before those with less, so that it has its way
     * where one of them must give in. NULL: none. */
    const signed char *first;
    /* Per resistor, by number: it is served before the storages, which then may depend on each other
     * as if it were not there. NULL: none. */
    const bool *early;
    /* The value of a TF, GY or R in a mode, where that depends on switches in a way that the graph's
     * cases do not tell. NULL, or a result with id < 0: the graph's own. */
    jn_ratfun (*value)(void *ctx, int element, const jn_onoff *m);
    const bool *switched; /* per element: `value` differs between modes; NULL: none */
    void *ctx;
    /* Many modes will be asked for, one after the other: each is made from the last, at the cost of the
     * switches that differ. What comes out depends on the mode alone. See src/junction/tableau.c. */
    bool follow;
} jn_solver_options;

/* What no switch changes is eliminated once, here. The graph must outlive it. */
typedef struct jn_solver jn_solver;
/* options: NULL for none. INVALID: the number of a TF or GY divides by zero. UNABLE: a limit. */
jn_status jn_solver_new(jn_solver **out, const jn_graph *g, const jn_solver_options *options,
                        jn_diags *d) JN_CHECKED;
void jn_solver_free(jn_solver *k); /* NULL-safe */
/* One that gives resistors the causality they have in a junction structure, with numbers if it has
 * them. */
jn_status jn_solver_of(jn_solver **out, const jn_junction *j, jn_diags *d) JN_CHECKED;

/* x_col = Σ c·x_term.col, the terms first … end − 1. They are inputs of ports, columns that are
 * free, or columns of earlier steps. Steps of ports come first, and have inputs only: these are the
 * rows of S. */
typedef struct jn_step {
    int col, first, end;
} jn_step;

typedef struct jn_solved {
    const jn_graph *graph;
    jn_onoff *mode;
    bool forbidden;
    int nreasons;
    jn_reason *reason; /* as in jn_junction, in the order of sources; the guard is true */
    /* Columns: 2b is the effort of bond b, 2b+1 its flow times flow_sign[b] (−1 where an I, C or R
     * is the bond's tail). Those of a port are port_effort and port_flow of its element, −1 where
     * it is none, power counted into I, C, R; where two ports share a bond, those of the head
     * follow after the bonds', and so do those of a resistor that is 0 in some modes: in such a
     * mode the bond has e = 0, and the port no flow. As in jn_junction. Behind those, where modes
     * follow each other, there may be two columns for each switch. */
    int ncols;
    const int *flow_sign, *port_effort, *port_flow; /* the solver's */
    bool *gives_effort; /* per element that is a port: the junction structure's output is its
                           effort, its input then the flow; else the reverse */
    bool *is_free;      /* per column: nothing determines it */
    int nshorted, *shorted; /* resistors that are 0 in this mode */
    int nsteps, nterms;
    jn_step *step;
    jn_term *term;
    /* What was divided by though it vanishes with the values given in the model: the results hold
     * for other values only. None in a numeric solver. */
    int nvanishing;
    jn_ratfun *vanishing;
} jn_solved;

/* The caller owns the result; the solver must outlive it. UNABLE: a limit. BUG: a port has neither
 * its effort nor its flow. */
jn_status jn_solver_mode(jn_solved **out, jn_solver *k, const jn_onoff *m) JN_CHECKED;
void jn_solved_free(jn_solved *m); /* NULL-safe */

#ifdef __cplusplus
}
#endif

#endif
