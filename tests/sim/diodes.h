/* diodes.h: what ideal diodes may do in a run.
 *
 * A diode that is ON carries no current backwards and has no voltage, one that is OFF has no voltage forwards and
 * carries nothing. That is read in every row, in the mode of that row. */
#ifndef DIODES_H
#define DIODES_H

#include "rig.h"

enum { DIODE_MOST = 12, DIODE_ROWS = 200 };

typedef struct {
    const char *name;
    int number; /* among the switches */
    const jn_probe *current, *voltage;
} diode;

/* What is read of a run; a switch that no automaton moves is no diode. */
typedef struct {
    rig *r;
    int ndiodes, nrows;
    diode diode[DIODE_MOST];
    struct {
        double t;
        double current[DIODE_MOST], voltage[DIODE_MOST];
        bool on[DIODE_MOST];
    } row[DIODE_ROWS];
} diode_record;

void diodes_begin(diode_record *x, rig *r);
/* Whether the run gets to the end, read at rows on the way. */
bool diodes_read(diode_record *x, double end);

/* Whether the laws hold in every row, and whether energies add up; the first place where they do not is printed. */
bool diodes_hold(const diode_record *x);
bool diodes_balance(const rig *r);

#endif
