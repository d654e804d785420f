/* byhand.h: networks of diodes whose equations are written by hand, followed by Runge and Kutta.
 *
 * A network says, for what is ON, how its states move and how far each diode is from its next change; it
 * knows nothing of junctions. Where a margin has become negative within a step, that instant is found by
 * bisection and the diode changes. */
#ifndef BYHAND_H
#define BYHAND_H

#include "cases.h"

enum { BYHAND_STATES = 8, BYHAND_DIODES = 6, BYHAND_CHANGES = 200 };

typedef struct {
    int nstates, ndiodes;
    const char *diode[BYHAND_DIODES];
    void (*rates)(real *dx, real t, const real *x, const bool *on);
    /* Of diode k, not negative while it stays as it is: its current, or its voltage backwards. */
    real (*margin)(int k, real t, const real *x, const bool *on);
} byhand_net;

typedef struct {
    real t;
    bool on[BYHAND_DIODES]; /* from then on */
} byhand_change;

typedef struct {
    const byhand_net *net;
    real t, step, x[BYHAND_STATES];
    bool on[BYHAND_DIODES];
    int nchanges; /* those at one instant are one */
    byhand_change change[BYHAND_CHANGES];
} byhand;

void byhand_to(byhand *h, real t);

/* Asserts that after t = 0 the run's switches have changed as those by hand, and when. */
void byhand_changes(const byhand *h, const rig *r, double bound);

#endif
