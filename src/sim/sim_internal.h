/* sim_internal.h: what the files of the simulation stage share.
 *
 * Everything a condition, signal or output can read comes down to observables: the effort or flow
 * of a bond, the state of a storage, an integral. In a mode each of them is a linear function of
 *
 *     z = (w, s, v)
 *
 * w: the independent combinations E·x of the mode, s: the integrals, v: the generator of the
 * inputs, so that u = G·v and v̇ = V·v. Hence ż = A·z, and the solution is exp(A·τ)·z. */
#ifndef SIM_INTERNAL_H
#define SIM_INTERNAL_H

#include <math.h>

#include "junct/sim.h"
#include "row.h"

/* ---- observables and linear forms (observe.c) ------------------------------------------------ */

int jn_obs_effort(const jn_sim *s, int bond);
int jn_obs_flow(const jn_sim *s, int bond);
int jn_obs_state(const jn_sim *s, int storage);
int jn_obs_integral(const jn_sim *s, int k);
int jn_obs_count(const jn_sim *s);

struct mode_table;
/* The value of an observable where z is. NaN where a redundant loop leaves it open. */
double jn_observed(jn_sim *s, struct mode_table *m, int obs, const double *z);
/* Marks the observables that an expression reads. */
void jn_mark_read(bool *is_read, const jn_sim *s, const jn_expr *e);

/* c0 + ct·t + Σ c_i·observable_i */
typedef struct {
    double c0, ct;
    int n, cap;
    struct form_term {
        int obs;
        double c;
    } * term;
} linear_form;

/* Whether an expression has one value throughout, that of the signals it reads included. */
bool jn_is_constant(const jn_sim *s, const jn_expr *e);
void jn_form_clear(linear_form *f);
/* The expression as a linear form; false when it is not linear. prior(x) counts as x. */
bool jn_form_of(linear_form *f, const jn_sim *s, const jn_expr *e);

/* ---- expressions that branch (branches.c) ---------------------------------------------------- */

typedef struct branches branches;
branches *jn_branches_new(const jn_sim *s);
void jn_branches_free(branches *b); /* NULL-safe */
bool jn_is_branching(jn_expr_op op);
/* Those of an expression and of the signals it reads. */
void jn_branches_collect(branches *b, const jn_expr *e);
/* The first branch of a node, added unless it is there; −1: it is not there. */
int jn_branch_add(branches *b, const jn_expr *node);
int jn_branch_of(const branches *b, const jn_expr *node);
int jn_branches_count(const branches *b);
const jn_expr *jn_branch_node(const branches *b, int i);
const jn_expr *jn_branch_condition(const branches *b, int i);
bool jn_branch_truth(const branches *b, int i);
bool jn_branch_settle(branches *b, int i, bool truth); /* true: it changed */
void jn_branches_take_over(branches *b, const branches *old);
/* What a node is as settled, given its first branch: scale times the result; NULL: 1. */
const jn_expr *jn_branch_taken(const branches *b, int i, double *scale);

/* ---- inputs (sources.c) ---------------------------------------------------------------------- */

/* Each source's value is a sum of terms t^k·exp(a·t)·cos(b·t + c). The functions that occur and
 * their derivatives are the states v of a linear generator. Branches of a source are settled at
 * events and held in between. */
typedef struct generator generator;
struct view;

/* NULL when some source is not of this kind; *which is then its element. */
generator *jn_generator_new(const jn_sim *s, bool with_time, int *which);
void jn_generator_free(generator *g); /* NULL-safe */
int jn_generator_size(const generator *g);
const double *jn_generator_V(const generator *g); /* size × size */
const double *jn_generator_G(const generator *g); /* sources × size */
/* The places of the constant 1 and of t in v; −1 unless with_time. */
int jn_generator_one(const generator *g);
int jn_generator_time(const generator *g);
void jn_generator_at(double *v, const generator *g, double t);
/* Fixes a source at a value from now on. */
void jn_generator_set(generator *g, int source, double value);
/* What depends on prior values, or on the point of a table, is held until the next event: this
 * brings it up to date. */
void jn_generator_renew(generator *g, const struct view *prior, double t);
/* The first time after t at which a table has its next point; infinity: none. */
double jn_generator_next(const generator *g, double t);
/* Whether a source is held at prior values: its element, −1 where none of those that the mode
 * depends on is. */
int jn_generator_held(const generator *g, const struct mode_table *m);
/* Which ways its expressions take; settling one returns whether it changed. */
branches *jn_generator_branches(const generator *g);
bool jn_generator_settle(generator *g, int branch, bool truth);
/* For a model that is followed numerically: only the branches and tables of all expressions that
 * move it, and the sources fixed by hand. Takes these over from s->gen, if there is one. */
generator *jn_generator_of_branches(const jn_sim *s);
bool jn_generator_fixed(double *value, const generator *g, int source);

/* ---- matrices of doubles (reals.c) ----------------------------------------------------------- */

void jn_reals_mul(double *c, const double *a, const double *b, int n, int k, int m); /* n×k · k×m */
/* x := A⁻¹·b for n × m right-hand sides; A is overwritten. False: singular. */
bool jn_reals_solve(double *a, double *b, int n, int m);

/* Four sums side by side: each addition need not wait for the one before. */
static inline double jn_reals_dot(const double *a, const double *b, int n)
{
    double sum[4] = {0};
    int i = 0;
    for (; i + 4 <= n; i += 4)
        for (int k = 0; k < 4; k++)
            sum[k] += a[i + k] * b[i + k];
    for (; i < n; i++)
        sum[0] += a[i] * b[i];
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

/* ---- one mode (mode_table.c) ----------------------------------------------------------------- */

typedef struct panel panel;
typedef struct rows rows;

typedef struct mode_table {
    jn_onoff *onoff;
    bool entered; /* the run has been in it: more than a candidate */
    jn_mode_status status;
    char *reason;  /* unless ok */
    int n;         /* independent states */
    int nz;        /* n + integrals + generator */
    double *unit;  /* per independent state: 1/√value, which makes it the root of an energy */
    sparse w_of_x; /* n × N: the rows of E */
    sparse x_of_z; /* N × nz */
    sparse A;      /* nz × nz */
    sparse effort, flow; /* of the bonds of sources and resistors over z: see ledger.c */
    int moving;    /* the rest of z is constant: all inputs may be */
    srow *lost;    /* per source that lost its input: what the others make it, over u */
    bool *is_lost; /* per source */
    int *pivot_at; /* per column of the elimination: the pivot that holds here, −1: none */
    rows *finite, *impulse, *infinite; /* of the columns, made on demand */
    double **obs_row;                  /* per observable over z, made on demand */
    bool direct;                       /* z holds all observables themselves: a slide's */
    panel **panel;                     /* by level, made on demand */
    double first_length;               /* of level 0; 0: not known yet */
    int level;                         /* used last */
    int wait, patience;                /* before the next longer panel is tried again */
    int expanded;                      /* stretches made without a panel */
    struct program *program; /* of a model followed numerically; all else above but the lists of
                                columns and sources is then empty */
} mode_table;

/* Ports by number: storages, resistors, sources, as the graph numbers them. */
int jn_port_count(const jn_sim *s);
int jn_port_element(const jn_sim *s, int port);

/* The table of a mode, made when it is first asked for. */
mode_table *jn_mode_table_get(jn_sim *s, const jn_onoff *m);
void jn_mode_table_free(mode_table *m, const jn_sim *s); /* NULL-safe */
void jn_mode_tables_clear(jn_sim *s);                    /* forgets all of them */

/* An observable over z. NaN where a redundant loop leaves it open. */
const double *jn_mode_table_row(jn_sim *s, mode_table *m, int obs);
void jn_mode_table_srow(srow *r, jn_sim *s, mode_table *m, int obs); /* of an exact run */
/* The area of its impulse when the state jumps by dx, exactly zero where it is only rounding. */
double jn_mode_table_impulse(jn_sim *s, mode_table *m, int obs, const double *from,
                             const double *to);
/* In a forbidden mode: the direction in which it is driven without bound (0: it is not). u: the
 * sources' values and their first derivatives, one behind the other. */
enum { INPUT_ORDERS = 4 };
double jn_mode_table_infinite(jn_sim *s, mode_table *m, int obs, const double *u);
/* x of the mode, after the jump from x; also w and the rest of z. */
void jn_mode_table_enter(double *z, double *x_after, const jn_sim *s, mode_table *m,
                         const double *x, const double *integrals, const double *v);
void jn_mode_table_state(double *x, const jn_sim *s, mode_table *m, const double *z);

/* ---- propagation (panel.c) ------------------------------------------------------------------- */

enum { PANEL_DEGREE = 16, PANEL_POINTS = PANEL_DEGREE + 1 };

/* The solution over one stretch of time, as a polynomial: z(τ) for 0 ≤ τ ≤ length. */
typedef struct {
    double length;
    int nz, moving; /* the series behind those that move are constant */
    int n;          /* coefficients, at most PANEL_POINTS */
    double *q;      /* n × nz Chebyshev coefficients */
    double share;   /* its length as a share of the longest that always holds */
    int cap;
} stretch;

void jn_stretch_clear(stretch *p);
void jn_stretch_reserve(stretch *p, int nz); /* room for that many series */
/* A stretch from z that is accurate, about as long as wanted if it can be. */
void jn_stretch_make(stretch *p, jn_sim *s, mode_table *m, const double *z, double wanted);
void jn_stretch_at(double *z, const stretch *p, double tau);
/* Chebyshev coefficients of a linear function of z. */
void jn_stretch_series(double *a, const stretch *p, const double *row);
void jn_panels_free(mode_table *m);

/* ---- series (series.c) ----------------------------------------------------------------------- */

double jn_series_at(const double *a, int n, double u);    /* Σ a_k T_k(u), −1 ≤ u ≤ 1 */
double jn_series_slope(const double *a, int n, double u); /* d/du */
/* Coefficients from the values at cos(π·i/(n−1)), i = 0 … n−1; 1 < n <= PANEL_POINTS. */
void jn_series_fit(double *a, const double *values, int n);
/* A change of side of the series over [0, length]: side(g) is g > 0 when strict, else g >= 0. */
typedef struct {
    const double *a;
    int n;
    double length, end; /* look at 0 < τ <= end */
    bool strict, start; /* start: the side at τ = 0 */
    double noise;       /* values no larger than this may be rounding */
    double t0;          /* results are as fine as doubles near t0 + τ */
    double clear;       /* found: up to here it is within rounding */
} crossing;

/* The smallest τ on the other side; −1: none; CROSSING_UNSURE: it is within rounding all along. */
#define CROSSING_UNSURE (-2.0)
double jn_series_crossing(crossing *c);

/* ---- evaluation (evaluate.c) ----------------------------------------------------------------- */

/* Where expressions read from. */
typedef struct view {
    jn_sim *s;
    mode_table *m;
    const double *z;
    double t;
    /* a jump into this mode at this instant: states before and after, NULL: none */
    const double *from, *to;
    const double *u;          /* forbidden mode: see jn_mode_table_infinite */
    const struct view *prior; /* what prior(x) reads; NULL: the same */
    double theta;             /* how far along the jump within(x) reads: 0 before, 1 after */
    bool steady;              /* `<` and `>` must be clear of rounding */
    bool followed;            /* those that are still within rounding, as they have been followed, do
                                 not hold */
} view;

double jn_evaluate(const view *v, const jn_expr *e);
/* A condition on a value that nothing determines in the mode is unknown, unless its other parts
 * decide it. */
typedef enum { NO, YES, UNKNOWN } verdict;
verdict jn_truth(const view *v, const jn_expr *condition);
bool jn_holds(const view *v, const jn_expr *condition); /* for certain */
/* The innermost part of an expression or condition that has no value; NULL: it has one. */
const jn_expr *jn_without_value(const view *v, const jn_expr *e);

/* ---- conditions (conditions.c) --------------------------------------------------------------- */

/* A comparison that can make a transition fire, or a source take another branch. */
typedef struct {
    const jn_expr *e;
    enum { ATOM_LINEAR, ATOM_TIME, ATOM_SAMPLED, ATOM_INSTANT } kind; /* INSTANT: impulses only */
    linear_form form; /* left − right, where it is linear */
    int sign;    /* −1: with −x in place of an absolute value |x|, whose other half it is */
    bool strict; /* see crossing */
    bool reads_model; /* more than time */
    bool reads_prior;
    double clear_from; /* ATOM_LINEAR: the time from which it is clear of rounding */
    /* ATOM_SAMPLED: the length over which it was smooth last, and the largest value seen */
    double smooth, scale;
    /* of a run that is not exact: the side it was seen on last, and how often a stretch has shown
     * it to change since then, but a look at it has not */
    bool side;
    int misses;
} atom;

typedef struct {
    int n, cap;
    int *item;
} int_list;

/* Whether an operation occurs in an expression or in the signals it reads. */
bool jn_mentions(const jn_sim *s, const jn_expr *e, jn_expr_op op);
void jn_conditions_init(jn_sim *s);
void jn_conditions_clear(jn_sim *s);
/* The first time after now at which a comparison of time alone changes; infinity: none. */
double jn_next_atom_time(const jn_sim *s);
/* The first crossing of a watched comparison within (0, end] of the present stretch, −1: none.
 * May shorten *end, where a comparison is too wild to be followed that far. */
double jn_first_crossing(jn_sim *s, double *end);
/* How close the sides a, b of a comparison must be to count as equal: 0 where the run is exact. */
double jn_margin(const jn_sim *s, const jn_expr *comparison, double a, double b);
/* The verdict on a comparison by the very sum that is followed in time, so that both agree to the
 * last digit; false: it is not followed as a sum. */
bool jn_verdict_as_followed(verdict *out, const view *v, const jn_expr *comparison);
/* In a run that is not exact: notes on which sides all that is watched is now. */
void jn_conditions_note(jn_sim *s);

/* ---- time events (timing.c) ------------------------------------------------------------------ */

typedef struct {
    double t;                           /* of the next change; infinity: none */
    long k;                             /* of a modulation: the number of its next edge */
    double period, width, phase, scale; /* the first three times 1/scale */
    bool varies;                        /* its duty does: width is that of the present period */
} schedule;

void jn_timing_init(jn_sim *s);
double jn_next_scheduled(const jn_sim *s);
/* Puts the automata whose time has come into their new states. Returns a switch whose duty cycle is
 * not a number, −1: none. */
int jn_apply_schedule(jn_sim *s);

/* ---- tables (table.c) ------------------------------------------------------------------------ */

typedef struct {
    int n;
    const double *t, *value;
} table_data;

jn_status jn_tables_read(jn_sim *s, jn_diags *d) JN_CHECKED;
double jn_table_at(const jn_sim *s, int table, double t);
/* The first point of the table after t; infinity: none. Between points it is linear. */
double jn_table_next(const jn_sim *s, int table, double t);

/* ---- events (iterate.c) ---------------------------------------------------------------------- */

typedef struct instant instant;
instant *jn_instant_new(jn_sim *s);
void jn_instant_free(instant *i); /* NULL-safe */
/* Settles what happens at the present instant; automata that time has moved are in s->state
 * already, old_state is as they were. */
jn_status jn_iterate(jn_sim *s, jn_event_kind kind, const int *old_state, jn_stopped *stop);

/* ---- energies (ledger.c) --------------------------------------------------------------------- */

double jn_stored_energy(const jn_sim *s, const double *x);
/* Books what the present stretch does from 0 to tau. */
void jn_ledger_add(jn_ledger *l, jn_sim *s, double tau);

/* ---- models that are not linear (numeric.c) -------------------------------------------------- */

struct numeric;

/* What prior(x) reads while values are looked for, at an instant. */
void jn_numeric_prior(jn_sim *s, const view *prior);
/* The sources' values in the mode that was entered last. */
void jn_numeric_inputs(double *u, const jn_sim *s);
/* The state of a storage whose e (of a C) or f (of an I) is given, at the start. */
double jn_numeric_initial(jn_sim *s, int storage, double value);
void jn_numeric_begin(jn_sim *s); /* when all of them are known */
double jn_numeric_energy(const jn_sim *s, int storage, double x);
/* On the present stretch: all observables at a point; those that comparisons read; the series of
 * one of these; and what is done from 0 to tau. */
void jn_numeric_at(double *z, jn_sim *s, double tau);
void jn_numeric_glance(double *z, const jn_sim *s, double tau);
void jn_numeric_series(double *a, const jn_sim *s, int obs);
void jn_numeric_energies(double *supplied, double *dissipated, double *exchanged, jn_sim *s,
                         double tau);
/* What storages that modulation changes hold in state x more than when this was last asked. */
double jn_numeric_shift(const jn_sim *s, const double *x);
/* Whether an impulse is more than the error that states may have. */
bool jn_numeric_is_clear(const view *v, int obs);
/* How far an observable may be off, and as a part of a value; to be taken from a point of the
 * stretch, or from where it is largest on the stretch. */
double jn_numeric_grain(const jn_sim *s, int obs);
double jn_numeric_unit(const jn_sim *s);
void jn_numeric_grains_at(jn_sim *s, double tau);
void jn_numeric_grains_anywhere(jn_sim *s);
/* Settles the branches by what is seen in a candidate; true: something changed. It comes to rest
 * after so many times, counted from the beginning of the instant. */
void jn_numeric_begin_instant(jn_sim *s);
bool jn_numeric_settle(jn_sim *s, const view *v);
int jn_numeric_most_turns(const jn_sim *s);
/* The first point of the present stretch at which a branch stops to slide, −1: none. */
double jn_numeric_exit(const jn_sim *s, double end);
/* Whether a comparison is one that a branch slides on. */
bool jn_numeric_ignores(const jn_sim *s, const jn_expr *comparison);
/* Why the last stretch has no length. */
const char *jn_numeric_why(const jn_sim *s);
/* Makes a run numeric that was exact so far. */
jn_status jn_numeric_take_over(jn_sim *s, jn_stopped *stop) JN_CHECKED;

/* ---- sliding between two modes (slide.c) ----------------------------------------------------- */

typedef struct slide slide;
/* Begins one between the present mode and another; false: it would not stay on the surface. */
bool jn_slide_begin(jn_sim *s, mode_table *other, const int *other_state);
void jn_slide_free(jn_sim *s);
void jn_slide_stretch(stretch *p, jn_sim *s, double wanted);
/* The first point of the present stretch at which it ends, −1: none. */
double jn_slide_exit(jn_sim *s, double end);
bool jn_slide_is_over(const jn_sim *s); /* at the end of the stretch */
void jn_slide_leave(jn_sim *s);
bool jn_slide_ignores(const jn_sim *s, const atom *a);
void jn_slide_energies(double *supplied, double *dissipated, const jn_sim *s, double tau);

/* ---- the run (run.c) ------------------------------------------------------------------------- */

struct jn_sim {
    const jn_graph *g;
    jn_junction *j;
    jn_sim_options o;
    jn_arena *arena;
    int N, m, nr, ni, nv;       /* storages, sources, resistors, integrals, generator states */
    double *storage, *resistor; /* values */
    generator *gen;
    struct numeric *numeric;  /* NULL: followed exactly */
    const jn_expr **integral; /* what is integrated */
    linear_form *integrand;   /* where it is linear */
    bool *integral_known;
    table_data *table_data;
    double *number; /* ratfuns as doubles, by id; NaN: not yet */
    int nnumbers;

    /* now */
    double t;
    double *x, *s, *v, *z;
    int cap_z;
    jn_onoff *mode;
    int *state; /* of every automaton */
    int *old_state;
    mode_table *now;

    /* modes seen */
    int ntables, cap_tables, nbuckets;
    mode_table **table;
    int *bucket;      /* hash of modes: index + 1 */
    int *column_port; /* per column of the elimination: its port, −1: internal */

    /* what can happen */
    int natoms, cap_atoms;
    int natom_slots, *atom_slot; /* hash of comparisons: their first atom + 1 */
    atom *atom;
    int_list **watch; /* per switch and state: the atoms of its transitions */
    struct reads {
        bool prior, within;
    } * *reads;            /* per switch and transition: what its condition mentions */
    int_list branch_watch; /* of the sources' branches */
    schedule *schedule;    /* per switch */
    int next_in_sequence;

    /* the stretch that is being followed: from t0, up to `end`, where at `cross` something crosses
     */
    stretch stretch;
    bool following;
    double t0, end, cross;
    bool unsure; /* something may have crossed within rounding: look at all conditions at its end */
    double caution; /* how far to look ahead after a crossing that nothing came of; 0: no matter */
    double until;   /* the time event ahead of it */

    jn_ledger ledger; /* up to t0 of the stretch that is being followed */
    double stored_at_start;
    double most_stored;            /* so far: sets what counts as rounding */
    void *rules[PANEL_POINTS + 1]; /* of quadrature, by number of points */
    bool has_within;               /* some condition reads within(…) */
    bool has_active;               /* some resistor is negative: jumps and runs may gain energy */
    double *powers; /* of quadrature: z, efforts and flows at one point */
    int cap_powers;
    instant *instant;
    long events;
    double recent[8];    /* times of the latest events */
    const atom *crossed; /* what the present stretch runs into */
    slide *slide;        /* NULL: none */
    int *chatter_state;  /* of the automata before the latest event */
    int chatter;         /* how often the mode went straight back to the one before */
    mode_table *chatter_from;
    double chatter_t;
    int turns; /* how often a branch of a source has changed, one time soon after the other */
    double turn_t;
    jn_str message, cause;
    int nprobes;
    jn_probe **probe;
};

double jn_number_of(jn_sim *s, jn_ratfun a);
void jn_probe_free(jn_probe *p);
jn_status jn_stop_run(jn_stopped *stop, jn_sim *s, jn_stop why, const char *fmt, ...)
    JN_PRINTF(4, 5);
void jn_reserve_z(jn_sim *s, int nz); /* room in s->z */
/* The view of the present instant. */
view jn_present(jn_sim *s);

#endif
