/* instant.h: what is known while one instant is being settled: see run_instant.c. */
#ifndef INSTANT_H
#define INSTANT_H

#include "run.h"

/* What is told of an instant. */
typedef struct {
    int nvia, cap_via;
    struct jn_via *via;
    double **via_state;  /* their states */
    jn_onoff **via_mode; /* and switches */
    int nfired, cap_fired;
    const jn_transition **fired;
    int *fired_at;
    double lost;
    double *area; /* per bond: effort, flow; NULL unless asked for */
    bool jumped;
    /* It is told when it is known what comes of it: a slide takes its place. */
    bool is_pending, has_old, is_begun; /* begun: what was before it has been told */
    jn_event_kind kind;
} instant_log;

/* What has been committed: what prior(x) reads. */
typedef struct {
    view at;
    double *z;
    int cap_z;
    bool is_own;          /* it reads z */
    double *from, *to;    /* the last jump */
    double *discrete;
    int *state;
} committed;

/* The candidates met so far: states of the automata and whether they have moved, and the number of the
 * x_s they met. */
typedef struct {
    int n, cap;
    int *item; /* (switches + 1) ints each */
    int version, changes; /* of x_s; of the automata */
} candidates_seen;

/* What the transitions say in a candidate. */
typedef struct {
    const jn_transition **due; /* per automaton: what fires, and how it was decided */
    int *rank;
    bool *fresh; /* per automaton: a condition has moved it at this instant */
    bool *once;  /* per automaton: it has set something without moving */
    bool is_asked; /* and nothing fired: what reads no past says the same again */
    bool side_once; /* what was crossed moves an automaton once: see try_again */
    bool is_chosen; /* a way on has been looked for: see run_choose.c */
    const jn_transition *unknown; /* one that cannot be decided in the candidate; NULL: none */
    int unknown_at;
} firing;

struct instant {
    jn_sim *s;
    int *state;      /* of the automata, as the candidate has them */
    int *forced;     /* as time left them */
    jn_onoff *onoff; /* the candidate */
    jn_onoff *left;  /* the mode before the instant */
    mode *m;
    double *x, *x_after, *z, *integral, *discrete;
    int cap_z;
    struct {
        double *x; /* the state as a candidate left it, by hardly more than rounding */
        bool is_there, is_settled, is_taken;
    } slack;
    double *u; /* INPUT_ORDERS × sources: their values and derivatives */
    view here;
    committed prior;
    candidates_seen seen;
    firing firing;
    bool first_pass;
    instant_log log;
    slide *slide; /* the candidate is one; NULL: it is not */
    slide *waiting; /* interrupted by a candidate that is forbidden, or jumps: the next may go on with it */
};

/* ---- candidates (run_instant.c) ------------------------------------------------------------ */

/* Enters a candidate once, with branches and steps as they stand; false: it has no solution. */
bool jni_instant_enter(instant *i, mode *m);
/* Settles branches and steps by what is seen there; true: something changed. */
bool jni_instant_settle_ways(instant *i);
/* The first transition of an automaton out of a state, but not to another (−1: to any), that fires
 * with the best rank; NULL: none. renewed: prior values are this candidate's. */
const jn_transition *jni_instant_fires(instant *i, int k, int state, int not_to, bool renewed,
                                       int *rank);

/* ---- transitions (run_fire.c) -------------------------------------------------------------- */

/* Lets every automaton take its transition; false: none fires. renewed: as above. */
bool jni_instant_fire(instant *i, bool renewed);
/* Whether a candidate like this one has been met at the same x_s; else it has been now. */
bool jni_instant_seen(instant *i);

/* ---- a way on that rounding hides (run_choose.c) -------------------------------------------- */

/* Puts those that have moved into the states of a mode to go on in; false: none is found. since: the states that
 * they began with, NULL: those of the present. */
bool jni_instant_choose(instant *i, const int *since);
/* Whatever led nowhere is not told; of each automaton that has moved from there, how it would. */
void jni_instant_tell_way(instant *i, const int *from);

/* ---- on a kink (run_kinks.c) --------------------------------------------------------------- */

/* Which way a branch takes where its condition is as in the view; on a kink it stays as it is. */
double jni_settled_share(const view *v, const jn_expr *condition, double share);
/* Whether a condition that holds would not on other sides of the kinks that the candidate is on: then
 * it waits, and course.waits says so. */
/* Whether a branch is of the inverse of a law which the candidate does not invert: then it stays as it is. */
bool jni_instant_leaves(const instant *i, int branch);
bool jni_instant_waits(instant *i, const jn_expr *when);

/* ---- while it slides (run_slide_instant.c) -------------------------------------------------- */

void jni_slide_enlist(instant *i); /* the slide of the present, as the first candidate */
void jni_slide_resign(instant *i); /* the candidate is a slide no more */
void jni_slide_resume(instant *i); /* the one that waits is the candidate again */
/* Enters the slide as a candidate; false: it is none any more. */
bool jni_slide_candidate(instant *i);
const jn_transition *jni_slide_fires(instant *i, int k, bool renewed, int *rank);
bool jni_slide_has_level(const slide *d, int discrete);
bool jni_slide_turns(const slide *d, int branch);
/* The slide that an instant ends with becomes the present, and goes on. */
jn_status jni_slide_stay(slide *d, jn_stopped *stop);

/* ---- jumps (run_jump.c) -------------------------------------------------------------------- */

/* Whether the state would change by more than rounding. */
bool jni_instant_jumps(const instant *i);
/* Whether it would change by so little that an impulse may not be seen. */
bool jni_instant_is_slight(const instant *i);
/* Books the jump from x_s to x⁺. That of a passive network never gains energy. */
jn_status jni_instant_book(instant *i, jn_stopped *stop);
/* Stops the jump where a condition on within(x) first holds: x⁺ is then the state there. */
bool jni_instant_abort(instant *i);
/* The part of an aborted jump that happened. */
jn_status jni_instant_keep_part(instant *i, jn_stopped *stop);

/* ---- what is told of it (run_log.c) -------------------------------------------------------- */

void jni_log_begin(instant_log *l);
void jni_log_clear(instant_log *l);
void jni_log_fired(instant *i, int at, const jn_transition *t);
void jni_log_via(instant *i, jn_via_kind kind);
run_state jni_instant_outcome(const instant *i); /* as the present would be */
/* Stop the run: the switches change for ever; a condition cannot be decided. */
jn_status jni_log_loop(instant *i, jn_stopped *stop);
jn_status jni_log_unknown(const instant *i, jn_stopped *stop);

#endif
