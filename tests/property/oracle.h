/* oracle.h: what the library computes for all modes at once, computed for one mode by plain
 * dense elimination over ℚ.
 *
 * Nothing here uses guards, Λ or the formulas of the implicit equation: the laws of the elements
 * are written down for one mode, with numbers, and solved. */
#ifndef ORACLE_H
#define ORACLE_H

#include <flint/fmpq_mat.h>

#include "junct/guard.h"
#include "random_model.h"

/* Equations Σ a_j x_j = 0, as far as they are solved: row i is solved for column pivot[i]. */
typedef struct {
    fmpq_mat_t a;
    int nrows;
    int *pivot; /* −1: not yet */
} tableau;

void tableau_init(tableau *t, int max_rows, int ncols);
void tableau_clear(tableau *t);
/* A new equation, all zero; set coefficients with tableau_set. Returns its number. */
int tableau_row(tableau *t);
void tableau_set(tableau *t, int row, int col, slong c);
void tableau_set_fmpq(tableau *t, int row, int col, const fmpq_t c);
/* Solves a row that is not yet solved for a column and removes the column from all others;
 * −1 when no such row has it, else the row. */
int tableau_solve(tableau *t, int col);

/* One mode. Ports are numbered in the order of the elements: sources, storages and R alike. */
typedef struct {
    int nports;
    int port[MODEL_ELEMENTS];    /* element of a port */
    int port_of[MODEL_ELEMENTS]; /* port of an element, or −1 */

    /* Which variable of the port the junction structure determines. */
    bool effort_out[MODEL_ELEMENTS]; /* by port */
    fmpq_mat_t S;                    /* outputs in terms of the inputs, both by port */
    bool forbidden;                  /* a source did not get what it wants */
    bool undetermined[MODEL_BONDS];  /* the ports' variables do not say what its e and f are */

    /* The relation between the ports' variables itself: one row per port; columns 2k and 2k + 1
     * are effort and flow of port k. */
    fmpq_mat_t relation;
} oracle;

/* An R wishes its flow for output (resistance causality), except where conductance[element] says
 * that it wishes its effort; NULL: nowhere. */
void oracle_init(oracle *o, const model *m, bool numeric, const jn_onoff *mode,
                 const bool *conductance);
void oracle_clear(oracle *o);

/* Sources: imposes its value. Storages: in integral causality. R: in resistance causality. */
bool oracle_as_wished(const oracle *o, const model *m, int element);
int oracle_integral(const oracle *o, const model *m); /* how many storages */
/* The most storages that can be integral while all sources impose their values, by trying. */
int oracle_most_integral(const oracle *o, const model *m);

/* E, A, B with one row per storage, from all the equations of the mode at once. False: they have
 * no unique solution. For allowed modes only. The matrices are initialised here. */
bool oracle_equations(fmpq_mat_t E, fmpq_mat_t A, fmpq_mat_t B, const oracle *o, const model *m,
                      bool numeric, const jn_onoff *mode);

/* The same of a model whose sources read it, which may be written in many ways: the equations over
 * (ẋ, x, u), in reduced form. */
bool oracle_space(fmpq_mat_t space, const oracle *o, const model *m, bool numeric,
                  const jn_onoff *mode);

/* ---- shared by the oracle's files ---------------------------------------------------------- */

/* Columns of the laws: effort and flow of every bond, then of every port. */
int oracle_bond_col(int bond, bool flow);
int oracle_port_col(const model *m, int port, bool flow);
/* An R that is 0 in the mode, with all that it shares with others in a field: its bond has no
 * effort, and the port no flow. */
bool oracle_is_shorted(const model *m, int element, bool numeric, const jn_onoff *mode);
/* The laws of junctions, TF, GY, and how the ports hang on their bonds. */
void oracle_laws(tableau *t, const model *m, bool numeric, const jn_onoff *mode);
int oracle_law_count(const model *m);

#endif
