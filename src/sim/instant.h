/* instant.h: what is known while one instant is being settled: see iterate.c. */
#ifndef INSTANT_H
#define INSTANT_H

#include "sim_internal.h"

struct instant {
    jn_sim *s;
    int *state;      /* of the automata, as the candidate has them */
    int *forced;     /* as time left them */
    bool *fresh;     /* per automaton: a condition has moved it at this instant */
    jn_onoff *onoff; /* the candidate */
    mode_table *m;
    double *x, *x_after, *z, *integrals;
    double *u; /* INPUT_ORDERS × sources: their values and derivatives */
    double *v; /* room for two states of the generator */
    view here;
    double *prior_z;
    int cap_z; /* of z and prior_z */
    view prior;
    bool prior_is_own; /* it reads prior_z */
    /* what was seen: states and the number of the x_s they met */
    int nseen, cap_seen;
    int *seen; /* (switches + 1) ints each */
    int version;
    /* the log */
    int nvia, cap_via;
    struct jn_via *via;
    bool first_pass;
    const jn_transition *unknown; /* one that cannot be decided in the candidate; NULL: none */
    int unknown_at;
    int nfired, cap_fired;
    const jn_transition **fired;
    int *fired_at;
    double lost;
    double *area; /* per bond: effort, flow; NULL unless asked for */
    bool jumped;
};

/* ---- jumps (instant_jump.c) ------------------------------------------------------------------ */

/* Whether the state would change by more than rounding. */
bool jn_instant_jumps(const instant *i);
/* Books the jump from x_s to x⁺. That of a passive network never gains energy. */
jn_status jn_instant_book(instant *i, jn_stopped *stop);
/* Stops the jump where a condition on within(x) first holds: x⁺ is then the state there. */
bool jn_instant_abort(instant *i);
/* The part of an aborted jump that happened. */
jn_status jn_instant_keep_part(instant *i, jn_stopped *stop);

/* ---- what is told of it (instant_log.c) ------------------------------------------------------ */

void jn_instant_fired(instant *i, int at, const jn_transition *t);
void jn_instant_via(instant *i, jn_via_kind kind);
void jn_instant_tell(instant *i, jn_event_kind kind, const jn_onoff *from, const int *old_state);
/* Stop the run: the switches change for ever; a condition cannot be decided. */
jn_status jn_instant_loop(instant *i, jn_stopped *stop);
jn_status jn_instant_unknown(const instant *i, jn_stopped *stop);

#endif
