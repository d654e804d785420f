/* periodic_internal.h: what the files of this stage share.
 *
 *     matrix.c    small dense matrices: exponentials, solutions, eigenvalues
 *     clock.c     the period, from the model
 *     map.c       the run of one period as a map, and its Jacobian
 *     reads.c     which of its numbers anything depends on
 *     turns.c     which of them need not come back as they were: angles, and times
 *     newton.c    Newton's method on that map
 *     confirm.c   whether what closes is an orbit of the run
 *     orbit.c     the search for an orbit; what is said of it in orbit_told.c
 *     family.c    oscillations that nothing draws anywhere
 *     multipliers.c   what becomes of a deviation
 *     steady.c    what is told of one
 *     recur.c     of an oscillation without a clock: where it comes back to
 *     measure.c   what is measured along an orbit
 *     bode.c      responses in a mode, or around an orbit: by its chain (respond_chain.c), by
 *                 differences (respond_differences.c); averaged (average.c, average_symbols.c)
 *     margins.c   what a response does between the frequencies that were asked for
 *     sensitivity.c   what means do when a value changes
 *     value_chain.c   what it does within one period, by the chain of the orbit */
#ifndef PERIODIC_INTERNAL_H
#define PERIODIC_INTERNAL_H

#include <complex.h>
#include <math.h>

#include "junct/follow.h"
#include "junct/periodic.h"
#include "../base/pi.h"

static inline double *jni_room(int n)
{
    return jn_alloc((size_t)n * sizeof(double));
}

/* ---- matrices (matrix.c), row by row ------------------------------------------------------- */

/* A := exp(A) */
void jni_expm(double complex *A, int n);
/* A solution of A·x = b: */
typedef struct {
    int open;        /* directions that A does not determine: x is 0 there */
    double smallest; /* pivot of those it does */
    double unmet;    /* the largest right-hand side of the equations that say nothing of x */
} basic_solution;
/* In place of b; A is overwritten. What is left of A within `rounding` of 0 is no equation. */
basic_solution jni_solve_basic(double *A, double *b, int n, double rounding);
/* The same for complex numbers; false: singular. */
bool jni_solve_complex(double complex *A, double complex *b, int n);
/* Largest first. UNABLE: they were not found. */
jn_status jni_eigenvalues(jn_complex *to, const double *A, int n);

/* ---- the clock (clock.c) ------------------------------------------------------------------- */

typedef struct {
    double period;     /* 0: nothing depends on time */
    double start;      /* a time at which a period begins */
    double after;      /* when all that happens once is over */
    fmpq_t exact, exact_start;
    bool is_exact;     /* these two are the same */
    const jn_expr *aperiodic; /* something that never comes again; NULL: nothing */
    bool has_conflict; /* periods without a common multiple */
    bool is_doubtful;  /* given by hand, and not what the model shows */
    double conflict[2];
    const jn_expr *from, *against; /* what gave the first period, and one that is in conflict with it */
} clock_of_model;

void jni_clock_find(clock_of_model *c, jn_sim *s, const jn_graph *g);
void jni_clock_give(clock_of_model *c, double period); /* by hand */
void jni_clock_clear(clock_of_model *c);
double jni_clock_time(const clock_of_model *c, long k); /* when period k begins */
/* x = p/q with the smallest q, to rounding; false: there is none of a moderate size. */
bool jni_fraction(double x, long *p, long *q);

/* ---- measuring (measure.c) ----------------------------------------------------------------- */

enum { PIECE_NODES = 33 };

typedef struct {
    double from, to; /* on the clock of the run */
    jn_onoff *mode;
    bool slides;
    double *start;   /* p, q, integrals */
    double *value;   /* PIECE_NODES × nprobes, at the points of Clenshaw and Curtis */
} piece;

typedef struct {
    jn_sim *s;
    const jn_graph *g;
    int nprobes;
    const jn_probe **probe;
    double *largest;     /* per probe: of all that was seen of it */
    int nstates;
    int n, cap;
    piece *piece;
    int nmeters;
    jn_meter **meter;    /* of the run */
    jn_reading *reading; /* of each, over the last period */
    double *jump_work;   /* per source: what it gave in jumps, likewise */
} measure;

void jni_measure_init(measure *m, jn_sim *s, const jn_graph *g);
jn_status jni_measure_probe(measure *m, const jn_expr *e);
jn_status jni_measure_bond(measure *m, int bond, bool effort);
jn_status jni_measure_meter(measure *m, const jn_expr *e); /* from now on */
void jni_measure_passed(measure *m, double from, double to);
void jni_measure_restart(measure *m);
void jni_measure_finish(measure *m);
void jni_measure_drop_short(measure *m);
void jni_measure_clear(measure *m);
/* ∫ y·exp(−i·ω·(t − t0)) dt over all pieces. */
double complex jni_measure_wave(const measure *m, int probe, double omega, double t0);
double jni_measure_product(const measure *m, int a, int b); /* ∫ a·b dt */
/* The value at a point of a piece, 0 ≤ share ≤ 1. */
double jni_piece_at(const piece *p, int nprobes, int probe, double share);

/* ---- the map of a period (map.c) ----------------------------------------------------------- */

typedef struct {
    jn_sim *s;
    const jn_graph *g;
    jn_numbers c;
    jn_mark *mark;
    double t0, t1;
    double *scale; /* of each number */
    double *turn;  /* of each number: what makes no difference to it (turns.c) */
    jn_chain *chain;
    measure *measure; /* NULL: nothing is measured */
    const jn_nudge *nudge; /* NULL: none */
    jn_listener listener;
    jn_str modes;  /* passed through, in order */
    double *peak, *low, *high;
    jn_stopped stop;
    jn_ledger before, after; /* the last run */
    double length;           /* and how long it was */
    int order;               /* independent states where it began */
    bool has_kink; /* the last Jacobian: some smallest change takes another way; its columns are NaN */
    bool *is_read; /* per number: something depends on it */
    bool *counts;  /* and is felt where the map was linearised last: it takes part in the orbit */
} orbit_map;

void jni_map_init(orbit_map *m, jn_sim *s, const jn_graph *g);
void jni_map_clear(orbit_map *m);
/* A period begins here. */
void jni_map_mark(orbit_map *m, double length);
/* From t0 to t1, without coming back to the mark: y0 is where the run stands. */
jn_status jni_map_go_on(orbit_map *m, double *y0, double *y1);
/* y1 = P(y0). */
jn_status jni_map_run(orbit_map *m, const double *y0, double *y1);
/* y1 − y0 of a number, but for what makes no difference to it. */
double jni_map_change(const orbit_map *m, const double *y0, const double *y1, int i);
/* The rates of all numbers where the run is; of a time, how much longer ago it is then. */
void jni_map_rates(double *rate, const orbit_map *m);
/* The largest change, in parts of their scales. */
double jni_map_distance(const orbit_map *m, const double *y0, const double *y1);
void jni_map_scale(orbit_map *m); /* by what was seen in the last run */
/* J = ∂P/∂y at y0, and y1; how far it may be off. By the chain where that knows all. */
jn_status jni_map_jacobian(orbit_map *m, const double *y0, double *y1, double *J, double *error);
/* ∂F/∂ε of something that a run says, by differences of the sixth order; error: how far it may be off,
 * in parts of the sizes (0: it does not count). eval: false where the run takes another way or stops. */
typedef bool (*jni_vary)(double *out, double epsilon, void *ctx);
bool jni_differentiate(double *out, double *error, int n, const double *size, jni_vary eval,
                       void *ctx);
/* The same by one step; off: what the fourth order says otherwise. */
bool jni_differentiate_by(double *out, double *off, int n, jni_vary eval, void *ctx, double step);

/* Of the numbers of a run, by the model's expressions: the unit of an angle's turns, or that it is a time; else 0. */
#define TURNS_WITH_TIME (-1.0)
void jni_turns_find(double *turn, jn_sim *s, const jn_graph *g, const jn_numbers *c);
bool jni_is_time(const jn_graph *g, int discrete);
/* A change over so long a time, without the turns in it. */
double jni_turned(double turn, double change, double length);
/* Of the numbers of a run, by the model's expressions alone. */
void jni_reads_find(bool *is_read, const jn_graph *g, const jn_numbers *c);
/* Whether all that reads a number turns once at the most as it grows, as n > 5 and min(n, 3) do: not mod(n, 2). */
bool jni_reads_turn_once(const jn_graph *g, const jn_numbers *c, int number);
/* Whether an output reads time, integrals or discrete variables: it need not have the period of the states. */
bool jni_reads_beyond_states(const jn_graph *g, const jn_expr *e);
/* What is integrated by those that are read; NULL each: it is not. Free the list. */
const jn_expr **jni_reads_integrands(const jn_graph *g);

/* ---- recurrence (recur.c) ------------------------------------------------------------------ */

/* The time after which the run comes back to where it stands, within `most`; 0: it does not, −1: it
 * is at rest. The run is left somewhere. */
double jni_recurrence(orbit_map *m, double most);

/* ---- orbits (newton.c, orbit.c, steady.c) -------------------------------------------------- */

typedef struct {
    const jn_graph *g;
    const jn_steady_options *o;
    jn_sim *sim;
    orbit_map map;
    measure measure; /* the values, then efforts and flows of sources and resistors */
    clock_of_model clock;
    jn_expr *own; /* without outputs: the states */
    const char **own_name;
    int times, nvalues;
    double *y, *y1, *J; /* a point of the orbit, where it comes to, its Jacobian */
    double aside; /* how much later than the clock's period it begins */
    double residue, error;
    double unsure; /* how far a state may be off, in parts of its size */
    double pivot;  /* the smallest of Newton's last matrix */
    int open;      /* directions in which a deviation comes back as it was */
    int steps;
    bool found;
    bool closes_once; /* but not again */
    bool kinked;      /* it closes where the map has no Jacobian */
    bool is_not_drawn;   /* there is such a family, but the run is not on one of its orbits */
    bool is_one_of_many; /* a free orbit of a family, and the run is on it */
    bool slides; /* all the time: what is known is what the run shows */
    bool *drifts;   /* per value: it does not have the period of the orbit; NULL: all have */
    int never_back; /* a number that grows and is read by what turns again and again, + 1; 0: none */
    jn_str message;
} search;

/* A run as the options say, its map of a period and what is measured along it. */
jn_status jni_period_begin(jn_sim **s, orbit_map *map, measure *m, const jn_graph *g,
                           const jn_steady_options *o, jn_diags *d);
void jni_period_end(jn_sim *s, orbit_map *map, measure *m); /* NULL: there is none */
/* in_mode: no orbit is wanted, so that none need be there. */
jn_status jni_search_begin(search *q, const jn_graph *g, const jn_steady_options *o, bool in_mode,
                           jn_diags *d);
/* Newton's method from q->y over q->map, which is marked; what is found goes to q->y. T: the period, where
 * that is an unknown; NULL: it is not. False: it did not converge. */
#define CLOSED 1e-9 /* what is claimed to be an orbit */
#define SURE 1e-5   /* and how well it must be determined */
bool jni_newton(search *q, double *T);
/* Whether the run closes by itself from the mark on, where the map has no Jacobian; then it is at q->y. */
bool jni_closes_at_kink(search *q);
/* Newton's method, and whether the run stays where it leads (confirm.c): its automata come back too, it closes again, and what
 * does not come back is not felt however far it grows. Where that is not so but the run goes somewhere, it is
 * followed there, marked anew, and looked again. */
bool jni_newton_confirmed(search *q, double *T);
bool jni_kink_confirmed(search *q);
/* The same of a free oscillation that is one of many (family.c): only the one that the run is on counts. */
bool jni_family_confirmed(search *q, double *T);
/* A free orbit that was found may be several turns: the last one that comes back alone is it. */
void jni_shorten_free(search *q);
/* Whether the run from the mark on comes back by itself after about T, which is refined, and the orbit is one of many: J is
 * at q->J then. */
bool jni_closes_in_family(search *q, double *T);
/* Whether q->J, that of a free orbit, has more than the one multiplier 1 along it, as far as it is known. */
bool jni_is_one_of_many(const search *q);
void jni_multipliers_of(jn_steady *o, const search *q); /* and the verdict */
/* How far a period may end from where another one ended: what is integrated takes other steps. */
double jni_accuracy(const search *q);
/* When so many orbits are over, from the mark on. */
double jni_search_after(const search *q, int orbits);
/* Runs over so many orbits, from q->y to q->y1; what is measured is measured over all of them. */
bool jni_run_over(search *q, int orbits);
const jn_expr *jni_search_value(const search *q, int i);
const char *jni_value_name(const search *q, int i);
/* The values of a search, measured in another run of its graph. */
jn_status jni_measure_like(measure *m, const search *q);
/* Only the orbit itself is metered, not the way to it. */
jn_status jni_search_add_meters(search *q);
/* What was found is measured, unless the run itself showed it, and what there is to say about it goes into q->message; it
 * may turn out to be none. (orbit_told.c) */
jn_status jni_tell_orbit(search *q);
void jni_tell_singular(search *q); /* a multiplier that is 1 leaves something open */
void jni_tell_failure(search *q);  /* why nothing was found */
/* UNABLE: nothing was found, q->message; the run may have stopped, q->map.stop. */
jn_status jni_search_run(search *q);
void jni_search_end(search *q);
/* The result, also of a search without one. */
jn_steady *jni_steady_of(search *q);

/* ---- responses (bode.c, respond_chain.c, respond_differences.c, average.c) ----------------- */

typedef struct response {
    jn_bode *to;
    const jn_bode_options *o;
    search q;
    bool integrate; /* it would be known if the model were integrated */
    const jn_linearised *linear; /* of the mode; NULL: around the orbit */
    /* How it is found: n × nvalues; false: it could not be. */
    bool (*at)(jn_complex *to, struct response *r, const double *frequency, int n);
    bool is_cheap;
} response;

/* Whether the chain of the orbit tells all; else why. */
bool jni_chain_tells(response *r, const char **why);
bool jni_respond_chain(jn_complex *to, response *r, const double *frequency, int n);
/* By differences of runs of one period. */
bool jni_respond_differences(jn_complex *to, response *r, const double *frequency, int n);
/* Phases from one frequency to the next, and margins (margins.c); false: it could not be found. */
bool jni_respond_between(response *r, bool margins);
/* What one period makes of a change: of a value, the numbers at its end and ∫ y dt; and of each number at its
 * start, ∫ y dt. */
typedef struct {
    double *map, *integral; /* n, nvalues */
    double *by_y;           /* n × nvalues */
} slopes;
/* By the chain, of a source that gives more by 1 (−1: none); false: it does not tell all. */
bool jni_chain_slopes(slopes *to, search *q, int source);
/* By the chain in q->map, of a value that grows by all of itself; nothing is said of by_y. eval: its links
 * (jn_chain_local) with value·(1 + ε); step: of ε. False: they are not known so. */
bool jni_value_slopes(slopes *to, search *q, double step, jni_vary eval, void *ctx);
/* The averaged model, from the same chain. */
void jni_respond_average(response *r);
/* The same over the parameters, where the durations are fractions. */
void jni_respond_symbols(response *r);
/* The number of a disturbed source; −1: none. */
int jni_disturbed_source(const response *r);
/* When the period of the modulation began whose edge OFF comes at t. */
double jni_period_start(const response *r, double t);
double jni_period_of(const response *r); /* of that modulation */

#endif
