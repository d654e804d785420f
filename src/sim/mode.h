/* mode.h: how the table of a mode comes about.
 *
 *     pivots of the guarded elimination ─ columns (mode_columns.c)
 *     S of the mode, closed with the laws ─ equations (mode_equations.c)
 *     both over z: what the run works with ─ mode_table (mode_table.c) */
#ifndef MODE_H
#define MODE_H

#include "sim_internal.h"

/* ---- columns (mode_columns.c) ---------------------------------------------------------------- */

/* The pivots that hold in the mode, into m->pivot_at. */
void jn_mode_pivots(jn_sim *s, mode_table *m);
/* Whether a port gives its effort, so that its flow is its input. */
bool jn_port_gives_effort(const jn_sim *s, const mode_table *m, int port);

/* A family of rows of numbers, one per column of the elimination. The base rows are those of the
 * ports' inputs; every other column follows by its pivot. */
struct rows {
    int width;     /* of what the inputs are made of; behind it the columns themselves */
    srow *base;     /* per port */
    srow *made;     /* per column */
    bool *is_made;
    gather sum;
};

rows *jn_rows_new(const jn_sim *s, int width); /* all base rows 0 */
void jn_rows_free(rows *r, const jn_sim *s);   /* NULL-safe */
/* Refers to columns that nothing determines, at width + column, where it depends on them. */
const srow *jn_rows_of(jn_sim *s, const mode_table *m, rows *r, int col);

/* ---- equations (mode_equations.c) ------------------------------------------------------------ */

typedef struct {
    int np, ni, nd, nr, nu;     /* ports; storages integral and derivative; resistors, sources */
    int *integral, *derivative; /* storages */
    int *place;                 /* of a storage among those of its kind */
    srow *S;                     /* per port: its output over the inputs of the ports */
    srow *Xi, *Xd;               /* states over (w, u) */
    srow *Zi;                    /* Fi·Xi */
    srow *dw;                    /* ẇ over (w, u) */
    srow *dXd;                   /* Ẋd over (w, u, u̇) */
    srow *Din;                   /* inputs of the resistors over (w, u) */
} equations;

/* S of the mode. */
void jn_equations_read(equations *q, jn_sim *s, const mode_table *m);
/* All else; false when it has no unique solution with these values. */
bool jn_equations_close(equations *q, const jn_sim *s, const mode_table *m);
void jn_equations_clear(equations *q);
bool jn_equations_integral(const equations *q, int storage); /* in integral causality */

#endif
