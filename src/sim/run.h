/* run.h: a run, as the files of its room share it.
 *
 *     run_create.c   from a graph to its start
 *     run_clock.c    what happens at given times
 *     run_surface.c  what is compared with what; run_tally.c what only notes
 *     run_watch.c    when that changes next; run_missed.c what holds though it did not; run_hidden.c what cannot be known
 *     run_instant.c  what happens at one instant: what fires in run_fire.c, jumps in run_jump.c, what waits in
 *                    run_kinks.c, what is told in run_log.c; run_choose.c a way on that rounding hides
 *     run_slide.c    along surfaces on which neither side can go on
 *     run_chatter.c  along those that it swings across ever faster
 *     run_zeno.c     events that accumulate
 *     run_ledger.c   where the energy goes
 *     run_meter.c    integrals and extrema of values
 *     run.c          from one instant to the next; in which mode in run_flow.c
 *     run_endless.c  instants that follow each other without end
 *     run_probe.c    reading and setting from outside
 *     run_copy.c     a second run that stands where a run does
 *     run_assert.c   claims of the model
 *     run_replay.c   one instant from anywhere
 *     run_keep.c     coming back to where it was; looking at what has been passed */
#ifndef RUN_H
#define RUN_H

#include "engine.h"
#include "mode_structure.h"
#include "junct/follow.h"
#include "source.h"

typedef struct slide slide;

/* ---- the clock (run_clock.c) --------------------------------------------------------------- */

typedef struct {
    double t;                           /* of the next change; infinity: none */
    long k;                             /* of a modulation: the number of its next edge */
    double period, width, phase, scale; /* the first three times 1/scale */
    bool varies;                        /* its duty does: width is that of the present period */
} schedule;

typedef struct {
    double t;
    schedule *schedule; /* per switch */
    int next_in_sequence;
    int *old_state; /* of the automata, before time moved them */
} run_clock;

void jni_clock_start(jn_sim *s);
/* The first time after now at which something is due by the clock; infinity: none. */
double jni_clock_next(const jn_sim *s);
/* Puts the automata whose time has come into their new states. Returns a switch whose duty cycle is
 * not a number, −1: none. */
int jni_clock_apply(jn_sim *s);
/* Back to a schedule of this run, or of one with other values: edges then have the times of these. */
void jni_clock_return(jn_sim *s, const schedule *to);
/* Whether the duty of a modulation is no function of time alone: then it is carried on until its period
 * ends. */
bool jni_clock_carries(const jn_sim *s, int number);
/* The time ON of the present period of a modulation whose duty varies. */
double jni_clock_width(const jn_sim *s, int number);
/* When the first period of a modulation begins, or its time ON ends; whether that depends on the period. */
double jni_clock_edge(const jn_sim *s, int number, bool on);
bool jni_clock_varies(const jn_sim *s, int number);
/* Beyond 0 and the period it is the one or the other. When its change is due follows at once; whether the switch
 * is ON, of all modulations, only with the second call: a mode must be there for that. */
void jni_clock_set_width(jn_sim *s, int number, double width);
void jni_clock_turn(jn_sim *s);

/* ---- the present --------------------------------------------------------------------------- */

typedef struct {
    double *x, *integral, *discrete;
    int *state;      /* of every automaton */
    jn_onoff *onoff; /* the mode's switches */
    mode *m;
    double *z; /* the point of it */
    int cap_z;
} run_state;

/* The view of the present instant. */
view jni_present(jn_sim *s);
void jni_reserve_z(jn_sim *s, int nz); /* room in s->now.z */
void jni_set_onoff(jn_sim *s);         /* from the states of the automata */

/* ---- conditions (run_surface.c, run_watch.c) ----------------------------------------------- */

typedef struct {
    int n, cap;
    int *item;
} int_list;

enum { PASSINGS = 5 };

/* How a surface has been crossed to and fro: see run_chatter.c. */
typedef struct {
    int n;
    double t[PASSINGS]; /* the last times */
    signed char side;   /* to which the last was */
    unsigned moved;     /* what automata did then */
    bool is_undone;     /* and that was the reverse of what they had done before */
    double longest;     /* turn since they have become shorter; 0: they do not */
    double noted, rate; /* one of them, and how fast they became shorter then */
    bool is_steady;     /* as fast as before */
    double refused;     /* the last that led to no slide; 0: none */
} passing;

/* Where g = left − right of comparisons is 0. However it is written, here or there, one surface is
 * one: x > y, y < x, x − y > 0. */
typedef struct {
    enum { SURFACE_TIME, SURFACE_LINEAR, SURFACE_SAMPLED, SURFACE_INSTANT } kind; /* INSTANT: read
                                                            at instants only: impulses, within(…) */
    linear_form form;      /* g, where it is linear */
    linear_form shape;     /* likewise, reduced to variables that are not one */
    const jn_expr *e;      /* a comparison on it; g = its left − right, unless it is linear */
    bool reads_model;      /* more than time */
    signed char side;      /* where the run is, as seen last: −1, 1; 0: within rounding of it */
    triple noted;          /* g, as seen last at the present, and the number of that point */
    long noted_at;
    double smooth, scale;  /* SAMPLED: the length over which it was smooth last, the largest value */
    passing passing;
    double swing;          /* how long it takes to swing to and fro across, where a slide is to replace that; else 0 */
    double crossed_at;     /* when an instant last saw it crossed; −1: never */
    double found_noise;    /* how well the stretch knew it on which its last crossing was found */
    int mark;              /* of the last search that came by */
    bool is_sole;          /* which came by for its branches alone */
    int_list turns;        /* the branches on it */
    bool bounds_step;      /* it is an end of a step */
    int_list kinks, inner; /* what it is made of may have kinks: see watch.kinks; their surfaces */
} surface;

/* A comparison: sides as those of a surface, perhaps turned round. */
typedef struct {
    const jn_expr *e;
    int surface, sign;
    int other, other_sign; /* |x| < c: the surface of −x and c; −1: none */
    bool reads_past;       /* prior(…), within(…) or impulse(…): at an instant it is no sum of now */
} comparison;

enum { ON_SURFACE = 2, WATCH_LISTS = 16 };

typedef struct {
    int nsurfaces, cap_surfaces;
    surface *surface;
    int ncomparisons, cap_comparisons;
    comparison *comparison;
    int nslots, *slot;    /* hash of comparisons: number + 1 */
    int_list **of_state;  /* per switch and state: the surfaces of its transitions */
    enum { READS_NO_PAST, READS_PAST, READS_ONLY_PAST } **past; /* per switch and transition: prior(…),
                                                                 * within(…), impulse(…) */
    int_list of_branches; /* of the branches and steps of sources and laws */
    int_list of_asserts; /* of the claims of the model */
    branches *kinks;      /* if, abs, … in what is compared: held while the run slides on it */
    struct {
        bool past, within; /* some transition reads the past; some condition within(…) */
        bool time;         /* some surface is crossed by time alone */
        bool sampled;      /* some surface of a transition is sampled */
    } has;
    bool *is_tally;       /* per discrete variable: nothing that moves the run reads it */
    int searches;
    long point; /* of the present */
    bool *is_read;      /* per bond variable: by something that the last search watched */
    bool reads_sampled; /* likewise: by an expression that is not linear, and may read all */
    struct watch_list { /* what is watched where the automata are in these states, while nothing slides */
        bool is_made;
        int *state;
        int_list surfaces, sole; /* sole: per surface, whether it is watched for its branches alone */
    } list[WATCH_LISTS], *last; /* by a hash of the states; the one that was asked for last */
    /* Per surface: the side on which the run comes to be next, −1 or 1; ON_SURFACE: it has come to
     * rest on it; 0: it does not come by. */
    signed char *crossed;
    int ncrossed;
    struct watch_due { /* while it is searched for: which surfaces are crossed, and where */
        int surface, to;
        double tau, clear; /* from `clear` on there is no doubt */
        double noise;      /* how well the stretch knows it */
        bool is_confirmed; /* an instant would see it there */
        bool is_doubtful;  /* see below */
        bool passes;       /* it is within rounding of the surface now, and gets to the other side */
    } * due;
    bool is_doubtful; /* the last search saw something leave its surface to where it was seen last: it may have been on
                         the other side, and too close to tell */
    bool passes; /* one of those that are crossed first does */
} watch;

void jni_watch_init(jn_sim *s);
void jni_watch_clear(jn_sim *s);
void jni_tallies_find(jn_sim *s); /* watch.is_tally (run_tally.c) */
/* Whether it makes a difference in the present mode which way a branch takes; whether anything does that
 * turns on a surface. */
bool jni_branch_matters(const jn_sim *s, int branch);
bool jni_branch_matters_in(const jn_sim *s, const mode *m, int branch); /* in one mode */
bool jni_turns_matter(const jn_sim *s, const surface *g);
/* A comparison that is watched; NULL: it is not. */
const comparison *jni_watched(const jn_sim *s, const jn_expr *e);
/* The first time after now at which a comparison of time alone changes; infinity: none. */
double jni_watch_next_time(const jn_sim *s);
/* Notes on which sides of all that is watched the present is. */
void jni_watch_note(jn_sim *s);
/* Looks along the present stretch, to *end at most: the first point at which some surface is
 * crossed, 0: the run leaves one at once; −1: none. watch.crossed says which, and to which side.
 * May shorten *end, where a comparison is too wild to be followed that far. */
double jni_watch_search(jn_sim *s, double *end, const bool *passed_over);
void jni_watch_forget(jn_sim *s); /* what is crossed */
/* Points at which the run may come to be are numbered, so that no surface is read twice at one of them: gives the number
 * of the next, or of the same one that is known better or less well from now on. */
static inline long jni_watch_move(watch *w)
{
    return ++w->point;
}
/* On which side of a surface the ways are taken that turn on it; 0: none does, or not all are on one. */
int jni_ways_side(const jn_sim *s, const surface *g);
void jni_ways_turn(jn_sim *s, int number, int side); /* to that side, of a surface (run_kinks.c) */
/* The value of g at a view. */
triple jni_surface_value(const view *v, const surface *g);
void jni_surface_read(triple *x, const view *v, const surface *g); /* likewise */
/* How left − right (NULL: 0) lies on a surface: 1, −1; 0: it does not. */
int jni_surface_lies(jn_sim *s, int number, const jn_expr *left, const jn_expr *right);
/* What of a form does not follow the state between events: its constant, and discrete variables. */
double jni_form_constant(const jn_sim *s, const linear_form *f, const double *discrete);

/* ---- what is being followed (run.c) -------------------------------------------------------- */

typedef struct {
    stretch stretch;
    bool following;
    double t0, end; /* from t0, up to `end` of it */
    double cross;   /* something crosses there; −1: nothing does */
    double until;   /* the time event ahead */
    double span;    /* how long the run will be, about; 0: not known yet */
    bool is_vague;  /* something that is watched on it is hardly known: see run_hidden.c */
    bool is_brief;  /* shorter than it might be: what does not leave a surface on it has not come to rest */
    bool is_hidden; /* so that a condition has not been decided for long */
    double hidden_since; /* −1: all are decided */
    bool leaves;    /* that is a share which leaves [0, 1] */
    bool waits;     /* a transition waits for what comes of a kink that the run is on */
    bool is_decided; /* that is known */
    /* Instants at one point of the solution: the automata and branches as they stood after each, and
     * what was crossed; for what comes back. */
    double crowd_t; /* since when instants have followed each other closely, and how many */
    int crowd;
    bool is_missed; /* what waits at the end of the stretch is crossed nowhere; twice how many more such events than
                       half of the others there have been */
    int nmissed;
    double trail_t, trail_span; /* when they began, and how long there had been nothing */
    int ntrail, cap_trail;
    struct trail {
        long events; /* of the run, before it */
        int *state;
        double *share, *discrete;
        signed char *crossed;
    } * trail;
} course;

/* ---- energies (run_ledger.c) --------------------------------------------------------------- */

typedef struct {
    jn_ledger sum; /* up to t0 of the stretch that is being followed; `moved`: all in absolute value */
    bool is_begun;          /* since the first mode that counts: */
    double stored_at_start; /* before any jump, as the values of storages are there */
    double most_stored; /* so far: sets what counts as rounding */
    double held;        /* what storages would have taken up that a slide held at rest meanwhile */
    double exchanged, low, high; /* between storages, where the run is integrated: net, and its range */
    jn_ledger last; /* at the instant before */
    double last_t;
    double worst, worst_change; /* the largest share of a residue between two instants, and that residue */
    int largest[2]; /* the bond variables that were when last looked at: of an effort, of a flow */
} ledger;

void jni_ledger_close(ledger *l, jn_sim *s, double tau); /* what the stretch does from 0 to tau */
void jni_ledger_instant(jn_sim *s);
/* Storages have been held at rest for so long that would have changed at these rates. */
void jni_ledger_held(jn_sim *s, const double *rate, double lasted);
double jni_stored(jn_sim *s, const double *x);
/* Where resistors that are passive have given energy: the one to blame; −1: they have not. */
int jni_ledger_gainer(jn_sim *s);
/* Gauss's rule of n points on [0, 1]. */
void jni_gauss_rule(double *x, double *w, int n);

/* ---- meters (run_meter.c) ------------------------------------------------------------------ */

typedef struct {
    int n, cap;
    jn_meter **item;
} meters;

void jni_meters_stretch(jn_sim *s, double tau); /* what the present stretch does from 0 to tau */
void jni_meters_jump(jn_sim *s, mode *m, const jump *j); /* the impulses of what is metered */
void jni_meters_mark_read(bool *is_read, const jn_sim *s); /* the observables that they need */
void jni_meters_renew(jn_sim *s); /* the model has other values, and begins again */
void jni_meters_clear(jn_sim *s);

/* ---- instants (run_instant.c) -------------------------------------------------------------- */

typedef struct instant instant;
instant *jni_instant_new(jn_sim *s);
void jni_instant_free(instant *i); /* NULL-safe */
/* Around all that happens at one point of the solution (run_log.c): what is told of it comes from
 * the present as it is when the run arrives there, and from what the event before led to. */
void jni_arrive(jn_sim *s);
void jni_depart(jn_sim *s);
void jni_instants_tell(jn_sim *s); /* all that waits */
/* The first of n entries of the trail, from one on, whose instant waits; n: all have been told. */
int jni_first_untold(const jn_sim *s, int since, int n);
void jni_tell_before(jn_sim *s);   /* the values before the next event */
/* after: what the next one comes from; NULL: none comes at this point. */
void jni_tell_event(jn_sim *s, const jn_event *e, const run_state *after);
/* Settles what happens at the present instant; automata that time has moved are in s->now.state
 * already, old_state is as they were (NULL: none was). watch.crossed: on which sides of surfaces
 * the run has come to be. */
jn_status jni_instant_run(jn_sim *s, jn_event_kind kind, const int *old_state, jn_stopped *stop);
/* The same without an event. */
jn_status jni_instant_settle(jn_sim *s, jn_stopped *stop);
/* Likewise, in modes whose equations are others than they were; what moves for that is told. */
jn_status jni_instant_settle_anew(jn_sim *s, jn_stopped *stop);
/* Where the instants of the trail have led back to what was before one of them, and only rounding keeps them
 * going: the mode to go on in, as one event. *found: there is one. */
jn_status jni_instant_choose_way(jn_sim *s, int since, bool *found, jn_stopped *stop);

/* ---- sliding (run_slide.c) ----------------------------------------------------------------- */

/* After an instant: begins to slide where what was crossed is crossed to and fro ever faster (run_chatter.c). */
jn_status jni_chatter_check(jn_sim *s, jn_stopped *stop);
/* Adds the names of what was crossed since a time. */
void jni_surfaces_print(jn_str *out, const jn_sim *s, double since);
/* Begins to slide on what was crossed since an entry of the trail; UNABLE: stopped, with names. */
jn_status jni_slide_begin(jn_sim *s, int since, jn_stopped *stop);
void jni_slide_free(jn_sim *s);    /* it is over */
void jni_slide_quit(jn_sim *s);    /* likewise: the run stands on one side of all its surfaces */
void jni_slides_forget(jn_sim *s); /* those that are over */
jn_status jni_slide_leave(jn_sim *s, jn_stopped *stop);
/* Where the slide keeps the run on the kink of a law as well, that is slid on too (run_slide_rest.c). *found: there
 * is such a kink. */
jn_status jni_slide_rest(jn_sim *s, bool *found, jn_stopped *stop);
/* Tells that the slide along which the run arrived is over, or is another one. */
void jni_slide_tell_end(jn_sim *s);
bool jni_slide_has(const slide *d, int number); /* of a surface */
bool jni_slide_reads(const slide *d, int branch); /* whether it matters in one of its modes */
int jni_slide_count(const slide *d);            /* of its surfaces, and the number of one of them */
int jni_slide_surface(const slide *d, int i);
double jni_slide_next_time(const slide *d, double t); /* of a table in what is slid on */
bool jni_slide_shares(const slide *d, int obs); /* a bond variable is known by least norm only */
/* The state in which an automaton that slides is as well; −1: it does not slide. */
int jni_slide_other_state(const slide *d, int automaton, int state);
/* Whether left − right (NULL: 0) is slid on, and its sign in a corner of the slide, else 0. */
bool jni_slide_side(int *side, const view *v, const jn_expr *left, const jn_expr *right);
/* Where branches go to and fro within an instant, because the sides of their conditions depend on
 * the way that is taken: the shares at which these are equal. False: there are none. */
bool jni_slide_between(jn_sim *s, mode *m, const entry *from);
/* Goes on with the ways that shares which an engine found have come to. */
jn_status jni_leave_between(jn_sim *s, jn_stopped *stop);
/* Begins to slide where an instant left branches between their ways. */
jn_status jni_slide_adopt(jn_sim *s, jn_stopped *stop);

/* Where on the stretch something fires, for certain, that is crossed nowhere (run_missed.c); −1: nothing does. */
double jni_missed(jn_sim *s, double end);

/* Whether up to a point of the stretch an automaton has waited for long, or would go, only because what it compares is
 * hardly known (run_hidden.c); then s->trouble.why says so. */
bool jni_is_hidden(jn_sim *s, double tau);

/* ---- accumulation (run_zeno.c) ------------------------------------------------------------- */

enum { ZENO_KEPT = 16 };

typedef struct {
    double t[ZENO_KEPT];  /* of the latest events */
    double *x[ZENO_KEPT]; /* states and integrals after them */
    int *state[ZENO_KEPT];
    int n;
    struct zeno_due {
        int turn; /* 0: they do not accumulate */
        double limit, interval;
        double scatter; /* a limit is known to this part of what it moved in the turn before the last */
    } due;
} zeno;

void jni_zeno_note(jn_sim *s);
void jni_zeno_check(jn_sim *s);         /* whether they do */
double jni_zeno_limit(const jn_sim *s); /* where events accumulate that the run is at; infinity: none */
/* Whether the stretch may lead there, up to its end, over the events that accumulate. Not where something that takes
 * no part happens before: that comes first; where it is as good as at the limit it is the end, and the limit. */
bool jni_zeno_may_coast(jn_sim *s, double *end);
/* Goes on beyond it, or stops there. */
jn_status jni_zeno_pass(jn_sim *s, jn_stopped *stop);
/* What is crossed again and again since a time does not get clear of rounding, as the bounces of a ball that gives back
 * a hundredth: goes on in a mode in which it rests. False: there is none. Lost: nor is it seen being crossed, so that what
 * the last jump changed was rounding. */
bool jni_zeno_rest(jn_sim *s, double since, bool is_lost);
double jni_zeno_interval(const jn_sim *s); /* between the last two events; infinity: none */

/* ---- what has been passed (run_keep.c) ----------------------------------------------------- */

void jni_keep_passed(jn_sim *s, double tau); /* so much of the present stretch */

/* ---- disturbances (run_keep.c) ------------------------------------------------------------- */

/* What is added to a source's value. */
dual jni_nudge_source(const jn_sim *s, int number, dual t);
/* How much later the next edge OFF of a modulation comes; once asked, it is over. */
double jni_nudge_edge(jn_sim *s, int number);

/* ---- the run (run.c) ----------------------------------------------------------------------- */

/* Those that have something to tell wait, in order, until it is known what comes of them. */
typedef struct {
    instant *last; /* the one that is being settled, or was last; item[pending] */
    int pending, n, cap;
    instant **item;
    long told; /* events of the run: those after it wait */
    double left_out_at; /* when the last was settled without what was crossed: see try_again; −1: never */
    bool as_written;    /* whatever repeats itself is told, even if only rounding keeps it going */
    /* While the run is at one point of the solution: what the next event comes from, the slide it
     * came along (NULL: none), and those that are over. */
    bool is_arrived;
    bool is_departing; /* what is told now is the last of this point */
    run_state before;
    const slide *slid;
    slide *retired;
} instant_queue;

/* Why there is no way on. */
typedef struct {
    jn_str message;    /* of the last stop */
    const char *why;   /* of an engine */
    bool is_too_stiff; /* for the exact engine: that is why */
    int lost;          /* a resistor whose effort or flow is lost in rounding; −1: none */
    bool is_leak;      /* ... near 0 as well: its law is not flat there beside what there is */
    int broken;        /* an element that does not keep what it promises; −1: none */
    int lawless;       /* one whose law has no value where the run comes to stand; −1: not known */
    double value;      /* what it has come to, if it is a storage */
} trouble;

typedef struct {
    int n;
    jn_probe **item;
} probes;

typedef struct {
    jn_shared told;
    int cap;
    struct jn_shared_value *value;
    jn_onoff *mode;
    bool *is_noted; /* per bond variable; NULL: none was read */
} shared_values;
void jni_shared_note(const view *v, int obs);
void jni_shared_copy(jn_sim *to, const jn_sim *from);
void jni_shared_clear(jn_sim *s);

struct jn_sim {
    model model;
    jn_sim_options o;
    const engine *engine;
    void *own; /* the engine's */
    generator *gen;
    branches *branches; /* of all expressions that move the model */
    structures *structures; /* of modes */
    mode_cache modes;
    run_clock clock;
    run_state now;
    watch watch;
    course course;
    ledger ledger;
    double *jump_work; /* per source: what it has given in jumps, however often the run came back; NULL: nothing */
    instant_queue instants;
    slide *slide; /* NULL: none */
    zeno zeno;
    long events;
    shared_values shared; /* what was read that is known by least norm only */
    jn_str cause;    /* of the last event */
    trouble trouble;
    probes probes;
    struct claims {
        bool *is_broken; /* per assert */
        long *times;
    } claims;
    struct given { /* expressions that have a value of their own: see jn_sim_instant */
        int n;
        const struct jn_known *item;
    } given;
    meters meters;
    struct aside { /* who looks on, or disturbs */
        const jn_listener *listener; /* NULL: none */
        jn_chain *chain;             /* NULL: none: see tangent.h */
        jn_nudge nudge;
    } aside;
};

/* Claims of the model (run_assert.c): counts those that do not hold any more, or stops. */
void jni_asserts_init(jn_sim *s);
void jni_asserts_clear(jn_sim *s);
jn_status jni_asserts_check(jn_sim *s, jn_stopped *stop);
/* The value that an expression is given; NULL: none. */
const double *jni_known(const jn_sim *s, const jn_expr *e);


jn_status jni_stop(jn_stopped *stop, jn_sim *s, jn_stop why, const char *fmt, ...) JN_PRINTF(4, 5);
/* Of a time that may be followed, what is short beside the run. */
double jni_short_while(const jn_sim *s, double wanted);
/* Whether the caller wants the run to end. */
bool jni_interrupted(jn_sim *s);
/* Stops where an element does not keep what it promises. */
jn_status jni_check_promises(jn_sim *s, jn_stopped *stop);
/* Whether the run has hardly left the point of the solution at which it was at t. */
bool jni_is_same_point(const jn_sim *s, double t);
/* At one point of the solution (run_endless.c): how all stands, before an instant; after it, whether it stands as it
 * stood before, so that neither side goes on. */
void jni_trail_forget(jn_sim *s);
void jni_trail_add(jn_sim *s);
jn_status jni_trail_check(jn_sim *s, jn_stopped *stop);
/* After an instant, before which there had been so many events: instants without end within no time to speak of. */
jn_status jni_crowd_check(jn_sim *s, long before, jn_stopped *stop);
/* Gives up the stretch that is being followed; what it did so far is booked. */
void jni_close_stretch(jn_sim *s);
/* After an instant that no stretch led to: what comes of it at once. */
jn_status jni_settle_on(jn_sim *s, jn_stopped *stop);
/* From the mode as it was asked to the mode as it is followed, where prior(x) is x itself. */
jn_status jni_flow(jn_sim *s, jn_stopped *stop);
void jni_probe_free(jn_probe *p);
void jni_probes_renew(jn_sim *s); /* values have changed */
/* All that a run has before it begins; its options are known. Takes over the tables; NULL: they are
 * read. */
jn_status jni_run_prepare(jn_sim *s, const jn_graph *g, table_data *tables, jn_diags *d) JN_CHECKED;
double jni_probe_value(const view *v, const jn_probe *p);
const linear_form *jni_probe_form(const jn_probe *p); /* NULL: it is not linear */
/* Where a message about a run that cannot start belongs. */
jn_place jni_blamed(const jn_sim *s);
/* The equations of modes have changed, or are another engine's from now on. */
void jni_forget_modes(jn_sim *s, const engine *e);
/* Whether some mode stands on what sources are as the model has them. */
bool jni_sources_meet(const jn_sim *s);

#endif
