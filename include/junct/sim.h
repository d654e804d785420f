/* sim.h: running a hybrid model through its modes.
 *
 *     jn_sim *s;
 *     jn_sim_new(&s, graph, &options, d)
 *     while (jn_sim_advance(s, t, &stop) …)      to a time, through every event on the way
 *     jn_sim_value(s, probe)                     any effort, flow, state or signal
 *     jn_sim_restart(s, …), jn_sim_copy(s, …)    again with other values; from here on twice
 *     jn_sim_free(s)
 *
 * A mode's equations are solved for when the mode is first asked for, alone, and kept. Between
 * events a linear mode is followed by its exact solution; other models, and modes that are too
 * stiff for it, by Radau's method. Events are found on the solution itself; the state jumps by
 * conservation. Where neither side of a surface can go on, the run slides along it; where events
 * accumulate, it goes on from their limit if some mode does. See docs/method.md, "Jumps" and
 * "Runs". */
#ifndef JUNCT_SIM_H
#define JUNCT_SIM_H

#include "junct/implicit.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct jn_sim jn_sim;

typedef enum {
    JN_METHOD_AUTO,  /* exact where the model is linear, else Radau's */
    JN_METHOD_EXACT, /* INVALID for a model that is not linear */
    JN_METHOD_RADAU  /* IIA, of order 17, for any model */
} jn_method;

typedef enum {
    JN_EVENT_START, JN_EVENT_TIME, JN_EVENT_STATE, JN_EVENT_SLIDING, JN_EVENT_ZENO,
    JN_EVENT_ASSERT /* a claim of the model has begun not to hold */
} jn_event_kind;
const char *jn_event_kind_name(jn_event_kind k); /* "start", "time", … */

typedef enum { JN_VIA_MYTHICAL, JN_VIA_PINNACLE } jn_via_kind;

/* What happened at one instant. Valid during the call that reports it. */
typedef struct {
    double t;
    jn_event_kind kind;
    const jn_onoff *from, *to;
    int nvia; /* modes passed through, in order */
    const struct jn_via {
        jn_via_kind kind;
        bool forbidden; /* a candidate whose sources disagree */
        const jn_onoff *mode;
        const double *state; /* all p and q there, as jn_sim_state */
    } *via;
    const char *cause;     /* "d: f(d) < 0; s: pwm" */
    const double *impulse; /* per bond: area of its impulse: effort, then flow; NULL: none */
    double energy_lost;
    int nlimits; /* JN_EVENT_ZENO: 1 */
    double limit; /* the time at which events accumulate */
} jn_event;

typedef struct {
    jn_method method;
    /* For Radau's method: errors allowed in each step. 0: 1e-11, and of the absolute one a
     * thousandth of that of the largest value seen. */
    double rtol, atol;
    /* Told of every event, of both sides of it: before_event when it has been reached (the clock
     * stands at it, the values read are those before), on_event when it is over (the values are
     * those after). The start, and what comes of it at once, has only the second, told by
     * jn_sim_new. NULL: not told. */
    void (*before_event)(void *ctx);
    void (*on_event)(const jn_event *e, void *ctx);
    /* Told at every pinnacle, a mode that lasts no time but whose jump counts: the values read are
     * those in it. NULL: not told. */
    void (*on_pinnacle)(void *ctx);
    void *ctx;
    /* Modes played instead of the automata: times ascending, one row of switches each. */
    int nsequence;
    const double *sequence_t;
    const jn_onoff *sequence_mode;
    /* Folder of the model file, for tables; NULL: the working directory. */
    const char *folder;
    /* What nothing determines is an error where a condition reads it, instead of being shared
     * evenly. */
    bool strict;
    /* A claim of the model that does not hold is only counted; else the run stops there. */
    bool keep_going;
    /* Not started: for jn_sim_instant alone. */
    bool idle;
    /* How many megabytes the modes that were met may take; 0: 400. Of those beyond it the ones that
     * were left longest ago are forgotten and made again when they come again, with the same
     * results to the bit. The present one is always there. */
    double modes_megabytes;
    /* How long the run will be, about: what is short beside it need not be looked at closely. 0: as
     * the model says (simulate to); where it says nothing, as far as the first advance goes, which then
     * moves an integrated run within its tolerance. With a span how far single advances go, the times
     * of rows, is of no matter: not one bit of the solution depends on it. */
    double span;
    /* Asked now and then, at least some times in a second; true: the run is to end. NULL: never. */
    bool (*interrupted)(void *ctx);
} jn_sim_options;

/* Energies since the start: supplied = stored + dissipated + lost + residue. */
typedef struct {
    double supplied;   /* by sources, and by modulated storages and transformers */
    double stored;     /* now, less at the start */
    double dissipated; /* in resistors */
    double lost;       /* in jumps */
    double moved;      /* the scale of the residue: supplied, dissipated and lost, each in absolute
                        * value, and the most that was stored or went from storage to storage. What
                        * goes to and fro counts once, however long it does */
} jn_ledger;

/* Why an advance ended before its time. */
typedef enum {
    JN_STOP_NONE,      /* it did not */
    JN_STOP_EVENT,     /* after an event (jn_sim_advance_event) */
    JN_STOP_FORBIDDEN, /* no way out of a forbidden mode */
    JN_STOP_LOOP,      /* switches change for ever at one instant */
    JN_STOP_ZENO,      /* event times accumulate, and no mode goes on from their limit */
    JN_STOP_SINGULAR,  /* a mode without a unique solution */
    JN_STOP_UNDETERMINED, /* a condition on a value that nothing determines in the mode */
    JN_STOP_ASSERT,    /* a claim of the model does not hold */
    JN_STOP_NUMERICS,  /* the integrator gave up, or a value is not finite */
    JN_STOP_SURFACES,  /* several surfaces meet, and no way along them or more than one */
    JN_STOP_INTERRUPTED /* the caller wanted it */
} jn_stop;

typedef struct {
    jn_stop why;
    double t;
    const char *message; /* whole sentence; lives until the next call */
} jn_stopped;

/* The graph must outlive it, and its values may change only where the run restarts. INVALID with
 * diagnostics when values are missing, an expression cannot be run, or the start is forbidden. */
jn_status jn_sim_new(jn_sim **out, const jn_graph *g, const jn_sim_options *o,
                     jn_diags *d) JN_CHECKED;
void jn_sim_free(jn_sim *s); /* NULL-safe */

/* Reads the tables of a model as a run does, for what is wrong with them; folder as in the options. */
jn_status jn_sim_check_tables(const jn_graph *g, const char *folder, jn_diags *d) JN_CHECKED;

/* Where a run begins. What is NULL is as the model has it. */
typedef struct {
    const double *state;    /* all p and q, as jn_sim_state */
    const double *integral; /* of every int(…), as jn_sim_integrals */
    const double *discrete; /* of every discrete variable, as jn_sim_discretes */
    const int *automaton;   /* the state of every switch, as jn_sim_automata; of those with times of
                             * their own (pwm, "on at") only if they have none up to the start */
} jn_sim_start;

/* Begins again at t = 0 with the values that the graph has now (jn_graph_set), to the last bit as a
 * new run would. Nothing is parsed, no table is read again, and the modes' structures stay known unless a
 * ratio of a TF or GY has changed. Options and callbacks stay, probes and meters as well; sources that were set
 * by hand are the model's again. from: NULL, all as the model has it. INVALID as jn_sim_new; then
 * nothing but another restart, or jn_sim_free, may follow. */
jn_status jn_sim_restart(jn_sim *s, const jn_sim_start *from, jn_diags *d) JN_CHECKED;

/* A second run that stands where s does, and from here on is a run of its own: whatever is done to
 * one does not reach the other. Both go on in the same way to the last bit; the stretch that s is on
 * ends here. The copy tells `tells` of its events (before_event, on_event, on_pinnacle, interrupted
 * and ctx of it; NULL: nobody), all other options are those of s. It has no probes yet. Not from
 * within a callback of s. */
jn_sim *jn_sim_copy(jn_sim *s, const jn_sim_options *tells);

/* To time t, through every event on the way (events at t itself included). UNABLE when the run
 * stopped early: *stop says why; everything up to there is good. */
jn_status jn_sim_advance(jn_sim *s, double t, jn_stopped *stop) JN_CHECKED;
/* To the next event, or to t when there is none before. */
jn_status jn_sim_advance_event(jn_sim *s, double t, jn_stopped *stop) JN_CHECKED;

double jn_sim_time(const jn_sim *s);
const jn_onoff *jn_sim_mode(const jn_sim *s);
/* All p and q, in the order of the graph's storages. */
const double *jn_sim_state(const jn_sim *s);
const double *jn_sim_integrals(const jn_sim *s); /* of every int(…) */
const double *jn_sim_discretes(const jn_sim *s); /* of every discrete variable */
const int *jn_sim_automata(const jn_sim *s);     /* per switch: the state its automaton is in */
jn_ledger jn_sim_ledger(const jn_sim *s);
/* What a source, by its number, has given in jumps so far; part of what the ledger says is supplied. */
double jn_sim_jump_work(const jn_sim *s, int source);
/* The residue's size as a share of the energy moved: over the whole run, or between two instants, if
 * that is more. It is rounding, or the run is not right. NaN: energies are too large for doubles. */
double jn_sim_residue(const jn_sim *s);
long jn_sim_events(const jn_sim *s);
int jn_sim_modes_kept(const jn_sim *s); /* in memory, candidates too: see modes_megabytes */
int jn_sim_modes_seen(const jn_sim *s); /* entered: not those left in the instant they came up */
bool jn_sim_is_linear(const jn_sim *s); /* followed exactly */
/* What was read that nothing determines but the least norm: closed switches in parallel, a node that
 * floats. NULL: nothing was. */
typedef struct {
    double t; /* when the first of them was read */
    const jn_onoff *mode; /* and in which mode */
    int n;
    const struct jn_shared_value {
        int bond;
        bool effort; /* else its flow */
    } *value; /* in the order in which they were read first */
} jn_shared;
const jn_shared *jn_sim_shared(const jn_sim *s);

/* Reading: the value of any resolved expression of the graph (an output, a signal, e(x)) now.
 * A probe is made once and read often. */
typedef struct jn_probe jn_probe;
jn_status jn_sim_probe(const jn_probe **out, jn_sim *s, const jn_expr *e) JN_CHECKED;
jn_status jn_sim_probe_bond(const jn_probe **out, jn_sim *s, int bond, bool effort) JN_CHECKED;
/* Of an output by its name, or of anything that an output of the model could be, by its text:
 * "e(C1) - 2*f(L)". INVALID with diagnostics: there are no such names, it is no value, or it would
 * need an integral or a table that the model does not have. */
jn_status jn_sim_probe_text(const jn_probe **out, jn_sim *s, const char *text,
                            jn_diags *d) JN_CHECKED;
double jn_sim_value(jn_sim *s, const jn_probe *p);
/* Of an expression that does not vary, with the values that the graph has; no run is needed. */
double jn_sim_constant(const jn_graph *g, const jn_expr *e);

/* ---- meters: what is true of a value over a span of time ------------------------------------- */

/* A meter watches an expression from where it begins to the present: its integral, the integral of its
 * square, its extrema. All come from the solution itself, stretch by stretch, with kinks and jumps of
 * the expression (if, abs, min, a mode that changes) where they are: nothing is sampled in time, and
 * rows or advances change nothing. mean = integral/(to − from), rms = √(square/(to − from)).
 *
 * A condition can be metered as well: it counts as 1 while it holds and 0 else, so that its mean is
 * the share of the time, and `first` says when it first held. What holds only within an instant, or
 * a value that lasts no time, is not seen.
 *
 *     jn_meter *m;
 *     jn_sim_meter(&m, s, output->expr, JN_METER_INTEGRAL | JN_METER_RANGE)      begins now
 *     jn_sim_advance(s, t, &stop)
 *     jn_reading r = jn_sim_meter_read(s, m);                                     as often as wanted
 *     jn_sim_meter_begin(s, m);                                                   from now on, anew */
typedef struct jn_meter jn_meter; /* belongs to the run */

enum { /* what a meter is asked for; the rest of a reading is 0 */
    JN_METER_INTEGRAL = 1,
    JN_METER_SQUARE = 2,
    JN_METER_RANGE = 4,
    JN_METER_FIRST = 8 /* of a condition */
};

typedef struct {
    double from, to;         /* the span of time */
    double integral, square; /* of the value, and of its square, without impulses */
    double impulse;          /* the area of its impulses in jumps, with their signs; NaN: it is not linear in them */
    double impulses;         /* the sum of their sizes; 0: it has none */
    double min, max;         /* of what lasts; of no time at all: the value now */
    double min_at, max_at;   /* the first times of them */
    double first;            /* when the condition first held; NaN: not yet */
} jn_reading; /* NaN where for some time nothing determined the value */

/* INVALID: JN_METER_FIRST of a value. */
jn_status jn_sim_meter(jn_meter **out, jn_sim *s, const jn_expr *e, unsigned what) JN_CHECKED;
void jn_sim_meter_begin(jn_sim *s, jn_meter *m);
jn_reading jn_sim_meter_read(jn_sim *s, const jn_meter *m);

/* ---- setting ------------------------------------------------------------------------------- */
/* E ẋ = A x + B u in a mode, as the graph has its values; NULL: the present mode. x is what
 * jn_sim_state has. What is not linear has no such equations: INVALID, with diagnostics. */
jn_status jn_sim_matrices(jn_mode_numbers *out, const jn_sim *s, const jn_onoff *m,
                          jn_diags *d) JN_CHECKED;

/* A source's value from now on, in place of what the model says; source: an element. An event. */
jn_status jn_sim_set_input(jn_sim *s, int source, double value, jn_stopped *stop) JN_CHECKED;
/* Turns a switch (by its number) on or off, into the first such state of its automaton. An event;
 * its transitions may turn it back. */
jn_status jn_sim_set_switch(jn_sim *s, int number, bool on, jn_stopped *stop) JN_CHECKED;
/* Puts all p and q somewhere, in the order of jn_sim_state. An event: what does not fit the mode
 * jumps. */
jn_status jn_sim_set_state(jn_sim *s, const double *x, jn_stopped *stop) JN_CHECKED;

/* How often a claim of the model (assert) has begun not to hold. */
long jn_sim_broken(const jn_sim *s, int assertion);

/* ---- one instant --------------------------------------------------------------------------- */

/* Where an instant begins: a mode that lasted until then, the state, what time and inputs are. */
typedef struct {
    /* per automaton: its state until then, NULL where nothing was before, as a model starts; and as
     * the clock leaves it */
    const int *lasting, *left;
    const double *x, *integral, *discrete;
    const double *before, *input; /* per source: until then, and from then on */
    const double *rate_before, *rate; /* per source: how fast it changes then; NULL: not at all */
    const bool *given;            /* per source: it is one of these; else the model says it */
    /* Expressions of time that have these values, whatever the time is. */
    int nknown;
    const struct jn_known {
        const jn_expr *e;
        double value;
    } *known;
    double t;
} jn_instant_from;
/* Settles it, in a run that is made for nothing else (`idle`). UNABLE: *stop says why it does not
 * end; else jn_sim_mode and jn_sim_state are where it ends. */
jn_status jn_sim_instant(jn_sim *s, const jn_instant_from *from, jn_stopped *stop) JN_CHECKED;
/* How many changes it took: how often conditions have moved automata, all that move at once
 * counting as one; what the clock had done before does not count. */
int jn_sim_instant_changes(const jn_sim *s);
/* Whether sources that are tied to each other count as equal: they are apart by a gap, beside the size of what was
 * added up for it. */
bool jn_sim_sources_agree(double gap, double size);

#ifdef __cplusplus
}
#endif

#endif
