/* follow.h: going over a run again, and what is small beside it.
 *
 * A mark is a run as it stands; one can come back to it as often as one likes, with other numbers in
 * it. Between two events the solution can be looked at anywhere. Where a run is followed exactly, what
 * happens to a small deviation is known as well: a chain of linear systems, one for each stretch, with
 * the jump and the shift in time of each event between them. */
#ifndef JUNCT_FOLLOW_H
#define JUNCT_FOLLOW_H

#include "junct/sim.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- coming back --------------------------------------------------------------------------- */

/* All numbers that a run carries on: p and q of all storages, integrals, discrete variables, and of
 * each modulation whose duty the model varies the time ON of the present period. */
typedef struct {
    int n, nstates, nintegrals, ndiscretes, nwidths;
} jn_numbers;

jn_numbers jn_sim_numbers(const jn_sim *s);
void jn_sim_read(double *y, const jn_sim *s);
/* Between which values they may be: of a time ON, 0 and the period; else −∞ and ∞. */
void jn_sim_limits(double *low, double *high, const jn_sim *s);
/* How large they are when all energy there was is in one of them; of what is no state, 0. */
void jn_sim_sizes(double *y, const jn_sim *s);

typedef struct jn_mark jn_mark;
jn_mark *jn_sim_mark(const jn_sim *s);
void jn_mark_free(jn_mark *m); /* NULL-safe */
/* Back to the mark, with the numbers y (NULL: those it was made with); states that are not independent
 * in its mode follow the others. An event: what fires there does. The mark may be that of another run of
 * the same graph, also with other values. */
jn_status jn_sim_return(jn_sim *s, const jn_mark *m, const double *y, jn_stopped *stop) JN_CHECKED;

/* ---- looking ------------------------------------------------------------------------------- */

/* Told of every piece of the solution when it has been passed, to whoever asked for it; during the
 * call it can be looked at. */
typedef struct {
    void (*passed)(void *ctx, double from, double to);
    void *ctx;
} jn_listener;
void jn_sim_listen(jn_sim *s, const jn_listener *l); /* NULL: no more. Kept, not copied */
/* Tells of what has been passed since the last event. */
void jn_sim_flush(jn_sim *s);
/* The values of probes at a time within the piece. */
void jn_sim_peek(double *value, jn_sim *s, const jn_probe *const *probe, int nprobes, double t);
/* All p and q, then the integrals. */
void jn_sim_peek_state(double *y, jn_sim *s, double t);
bool jn_sim_slides(const jn_sim *s);
/* The rates of all numbers now; of what changes at events only, 0. */
void jn_sim_rates(double *rate, jn_sim *s);
int jn_sim_order(const jn_sim *s); /* independent states of the present mode */

/* ---- what is small beside it --------------------------------------------------------------- */

/* A disturbance of one source, û(t), or of one duty cycle; and the values that are looked at. */
typedef struct {
    int source; /* number of a source; −1: none */
    int nvalues;
    const jn_probe *const *value;
} jn_disturbance;

/* A mode, for deviations of its solution: ζ are those of all p, q and integrals, w their independent
 * combinations, û the disturbance and û′ its rate.
 *     ẇ = A·w + B·(û, û′)     w = in·ζ at its start     ζ = out·w + out_u·(û, û′)
 *     y = C·w + D·(û, û′) */
typedef struct {
    int n, nzeta, nvalues;
    double *A, *B, *in, *out, *out_u, *C, *D;
} jn_linearised;

typedef struct jn_link {
    double t; /* when it begins, or happens */
    /* A stretch: */
    double length;
    const jn_linearised *mode;
    const void *id; /* one for each mode */
    /* An event, where mode is NULL: ζ⁺ = J·ζ⁻ + J_u·(û, û′) + shift·δt for an event that comes δt
     * later; δt = −normal·ζ⁻ − normal_u·(û, û′) unless it is given by the clock. y changes by −step·δt
     * over all time. */
    double *J, *J_u, *shift, *step;
    double *normal, normal_u[2]; /* NULL: the clock's */
    int edge; /* the switch whose modulation has an edge OFF there; −1: none; −2: it is not alone */
    double *x; /* all p, q and integrals where it begins, or before it */
    double rate; /* of an event with a normal, or of a time that a condition decides: of the sides' difference */
    int surface; /* its number; −1: none decides */
    bool is_shared; /* by more than one surface */
    int nentered;
    const void **entered; /* the ids of the modes that it jumps into, one after the other */
    bool *jumps;          /* and in which of them the state changes */
    signed char *moved;   /* per switch: it has an edge of its modulation there, 1 ON, −1 OFF; 0: none */
} jn_link;

typedef struct jn_chain jn_chain;
/* Records from now on. what: NULL: nothing but deviations. */
jn_chain *jn_sim_chain(jn_sim *s, const jn_disturbance *what);
/* Why the chain does not tell all: "the run slides"; NULL: it does. */
const char *jn_chain_missing(const jn_chain *c);
int jn_chain_links(const jn_chain *c);
const jn_link *jn_chain_link(const jn_chain *c, int i);
void jn_chain_restart(jn_chain *c); /* forgets its links */
void jn_chain_free(jn_chain *c);    /* NULL-safe; before the run */
/* A mode as it is asked for; NULL: it has no solution, or is not followed exactly. Lives as long as
 * the chain. */
const jn_linearised *jn_chain_mode(jn_chain *c, const jn_onoff *mode);
bool jn_probe_is_linear(const jn_probe *p);

/* What stands in a link for a run of the same graph whose values may be others: to be differentiated by a value.
 *     a stretch:  ż = A·z with z = (w, integrals, v), v the inputs' generator, w = in·x at its start,
 *                 x = out·z, y = C·z + c·(1, t); and v where it begins
 *     an event:   where x⁻ jumps to, the difference of the sides of the condition that decides, and per
 *                 switch when its edge comes, but for whole periods */
typedef struct {
    int nw, nz, nx, nintegrals, nvalues, nswitches;
    double *A, *in, *out, *C, *c, *v;
    double *after, *surface, *edge;
} jn_local;
int jn_chain_local_size(const jn_chain *c); /* of all links together */
/* value: those of the chain, in the other run. False: something is not known this way. */
bool jn_chain_local(double *out, const jn_chain *c, jn_sim *other, const jn_probe *const *value);
/* Where link i stands in such numbers. */
jn_local jn_chain_local_of(double *numbers, const jn_chain *c, int i);

/* ---- disturbing it ------------------------------------------------------------------------- */

/* From now on: one edge OFF of a modulation comes later, or where the model is integrated,
 * amplitude·cos(ω·t + phase) is added to a source. */
typedef struct {
    int pwm;  /* number of a switch; −1: none */
    int edge; /* 0: the next one */
    double later;
    int source; /* number of a source; −1: none */
    double amplitude, omega, phase;
} jn_nudge;
void jn_sim_nudge(jn_sim *s, const jn_nudge *n); /* NULL: none */

#ifdef __cplusplus
}
#endif

#endif
