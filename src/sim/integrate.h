/* integrate.h: models that are not linear, followed step by step; see integrate.c. */
#ifndef INTEGRATE_H
#define INTEGRATE_H

#include "integrate_collocate.h"
#include "run.h"

/* ---- the columns of a mode (integrate_program.c) ------------------------------------------- */

/* Every variable of the junction structure from the ports' inputs, one after another. */
typedef struct program {
    int *in, *out;     /* per port: the columns of its input and output */
    bool is_dependent; /* some storage is in derivative causality */
    enum { NOT_KNOWN, NO_RATES, WATCHES_RATES } rates; /* of those, in what comparisons read */
    int nsteps, cap_steps;
    struct program_step {
        int col, first, end; /* col = Σ products */
    } * step;
    int nproducts, cap_products;
    struct program_product {
        int col, varying; /* varying: which of them is the factor; −1: c */
        double c;
    } * product;
    int nvarying, cap_varying;
    struct program_varying {
        jn_ratfun f;
        dual now;
        double least, last; /* the smallest size it has had; at the end of a stretch before: 0: not known */
    } * varying;
    struct structure *structure; /* of the mode's equations, once it was needed */
    bool is_followed;            /* the run has been in the mode, and not only asked it */
    bool *is_nothing; /* where nothing in the equations bends: per column, 0 in this mode whatever happens */
    struct in_series {
        bool is_found;
        int other; /* another one that jumps as well + 1; 0: there is none */
        int n, cap;
        struct one_in_series {
            int r;
            double s;
        } * item;
    } * series;       /* per resistor: see integrate_series.c; NULL: not asked yet */
    char *pieces;     /* per resistor: see jni_flat_by_pieces; NULL: not asked yet */
    enum { FADES_OR_NOT, FADES_FAST, FADES_SLOWLY } fades; /* see integrate_fade.c */
    struct chained *chained; /* see integrate_chained.c; NULL: not found yet */
} program;

void jni_program_make(jn_sim *s, mode *m);
void jni_program_drop(jn_sim *s, mode *m);
size_t jni_program_size(const jn_sim *s, const mode *m); /* bytes, about */
static inline program *jni_program(const mode *m)
{
    return m->own;
}
/* The factors that vary, at these values of the parameters. */
void jni_program_vary(program *p, const model *k, const double *param, const double *change);
/* Whether one of them has passed a pole since this was last asked, as the inverse of a ratio does that becomes 0. */
bool jni_program_passes_pole(program *p);
void jni_program_forget_poles(program *p);
/* What was found of the mode while it was followed: it is found anew. */
void jni_program_forget_steps(program *p, int nr);
/* The inputs are in col; fills in the rest. */
void jni_program_run(const program *p, dual *col);
/* The same without derivatives; size: what the terms of each sum amount to. */
void jni_program_sums(const program *p, double *sum, double *size);

/* ---- the unknowns (integrate.c) ------------------------------------------------------------ */

/* Something given by an expression: an unknown of its own where that reads the model. */
typedef struct {
    const jn_expr *e;
    int at; /* −1: known at every time */
} quantity;

typedef struct {
    int element, param;
    quantity q;
    dual now;
} modulated;

/* Which unknown of y is what; where they are does not depend on the mode. */
typedef struct {
    int n; /* unknowns y: x, Din, auxiliaries, integrals */
    bool bends; /* slopes of the equations differ from point to point */
    int first_r, first_a, first_s;
    quantity *source; /* its unknown is the input of its port */
    int nmodulated;
    modulated *modulated;
    int *value_of; /* per storage and resistor: its modulated value; −1: constant */
    int *co_state; /* per storage: the unknown f of an I, e of a C; −1: x over a constant */
    int *share;    /* per branch: the unknown share of those that may be free; −1: none */
} unknowns;

/* Arguments and results of the equations. */
typedef struct {
    const view *at;     /* automata and discrete variables, and what prior(x) reads; NULL: x */
    enum branching branching;
    bool every_way, drifts, rounds; /* see moment; drifts: sources go with time as well */
    double *param, *change; /* by parameter, for jni_program_vary */
    dual *col, *jump;       /* columns */
    dual *Y, *Yp, *F;
    double *u;              /* the sources' values, as used last */
    double *sum, *size;     /* per column */
} workspace;

typedef struct follower follower;
typedef struct sampler sampler;

typedef struct integrate {
    jn_sim *s;
    unknowns k;
    workspace w;
    /* the present solution */
    double *y, *yp;
    struct {
        double *peak;       /* per unknown: the largest there was */
        double *around;     /* likewise: what counts beside it */
        double *floor;      /* likewise: what is little of it and of that */
        double *largest;    /* per bond variable: the largest there was */
        double *beside;     /* likewise: what counts beside it */
        double *tied;       /* per storage: how large those are that it is tied to, as its state; when a
                               point was last looked at */
        double *at_element; /* per element: the largest of one kind at its bonds */
    } size;
    double *like;       /* per resistor that is not linear: de/df where it was last looked at */
    bool *loses;       /* likewise: what it was given was known too badly for it */
    struct given_states { /* where the run came to an instant last: see integrate_noise.c */
        double t, late;  /* late: how far that may be off */
        double settles;  /* how long the mode that was entered last takes to */
        double faded;    /* until when errors have faded since */
        double *x, *off; /* per storage: its state, and how far that is off */
        double *peak, *seen; /* likewise: the largest there was, as far as errors of that time have not
                                faded; and in all, by then */
    } came;
    bool has_guess;
    bool reads_rates; /* an auxiliary depends on the rate of a dependent storage, */
    bool *is_read;    /* per storage: on this one's */
    double *kept;     /* y, yp, peak at the start of the stretch */
    double *rhs, *trial; /* of Newton's method */
    struct flat {
        bool is_inverted, by_pieces;
        bool has_row; /* it stands inverted in the equations, and not only in those of others */
        double part, near, size; /* δ, x₀, X */
        double *near_on;         /* x₀ per piece of a law that has some */
        double beyond, span;     /* how far its inverse goes where the law has come to its end */
        double last;             /* what it gave in series with others when it was asked last */
    } * flat;         /* per resistor: see integrate_flat.c */
    const mode *flat_mode; /* in which; NULL: none that is there for sure */
    double *faint;    /* likewise: the slope that is added to a law; see integrate_faint.c */
    bool *is_of_others; /* per unknown: that of such a law in the mode that is followed */
    double *look;     /* all observables, and how far they may be off */
    struct {          /* where the state was last put: */
        double *z, t; /* all observables */
        int *state;   /* of the automata */
        double *discrete;
        jn_onoff *onoff;
    } put;
    struct {
        bool *is_driven;  /* per storage: modulation changes what it holds */
        bool *is_damped;  /* likewise: its law takes power for good */
        bool *is_partner; /* likewise: of those that exchange energy with the others */
        double driven;    /* the energy of the driven, when the state was last put somewhere */
    } energy;
    follower *follower;
    sampler *sampler;
    jn_str explanation;
} integrate;

static inline integrate *jni_integrate(const jn_sim *s)
{
    return s->own;
}
void jni_integrate_end(jn_sim *s); /* frees s->own; begun by jni_integrate_begin (integrate_create.c) */
double jni_integrate_tolerance(const integrate *n); /* relative */

/* ---- the residual (integrate_residual.c) --------------------------------------------------- */

/* w.F from w.Y, w.Yp. x_before: the equations of a jump from there instead of motion. */
void jni_residual(integrate *n, mode *m, dual t, const double *x_before);
/* Adds to the rows of linear laws what sources add up to in them, term by term: where two cancel, the rounding of both
 * is left. After a residual; drifts: as they were found in it with w.drifts. */
void jni_add_sources(double *size, integrate *n, const mode *m, bool drifts);
/* Lays y and yp into Y and Yp with no derivative. */
void jni_residual_at(integrate *n, const double *y, const double *yp);
/* Lays a change of every unknown into Y, by as much as given, NULL: by nothing. Their signs are
 * mixed in several ways, since in any one of them changes may cancel. */
enum { MIXTURES = 4 };
void jni_residual_disturb(integrate *n, const double *by, int mixture);
/* Every column from Y and Yp. */
moment jni_carry(integrate *n, mode *m, dual t);
/* Whether all laws have values at these: as they stand, whatever has been settled. */
bool jni_has_values(integrate *n, mode *m, double t, const double *y, const double *yp);
/* Where y and yp are from, for how far observables may be off; BY_ITSELF: from the equations, wherever the run
 * has come from. */
typedef enum { NOT_ASKED, BY_ITSELF, FROM_EQUATIONS, FROM_STEP } knowledge;
/* All observables at y, yp, and how far they may be off behind them. */
void jni_integrate_observe(double *z, integrate *n, mode *m, double t, const double *y,
                           const double *yp, knowledge how);
/* The element whose equation an unknown stands for; −1: that of an integral. */
int jni_unknown_element(const integrate *n, int unknown);

/* ---- how far that may be off (integrate_noise.c) ------------------------------------------- */

/* Whether a resistor's law is e = R·f, whatever happens; what it makes of what it is given in this mode, of
 * one that bends as it was when it was last looked at; and how large what it gives is by that. */
bool jni_is_linear_resistor(const integrate *n, int r);
double jni_slope_like(const integrate *n, const mode *m, int r);
double jni_input_size(const integrate *n, const mode *m, int r, double slope);
/* The largest effort and flow. What begins at nothing is no measure: all there was counts. */
void jni_find_most(double most[2], const integrate *n);
/* Whether a resistor may be served early. What a flat law is served early for is that it is inverted then
 * (integrate_flat.c), and that it is already. One that stays the same somewhere has no one value there when it is. */
bool jni_can_be_early(const jn_sim *s, const mode *m, int r);
/* Per observable, at what Y, Yp and the columns are now; these have the derivatives of sources by t. */
void jni_find_noise(double *noise, integrate *n, mode *m, const moment *at, knowledge how);
/* Whether some of those observables are known so badly that it says nothing of them; and all with no more noise than
 * that. */
bool jni_noise_is_vague(const integrate *n, const double *noise, const int *which, int count);
void jni_noise_clear_up(double *z, jn_sim *s);
/* Notes how far states are off where the run has come to an instant. */
void jni_note_came(integrate *n, double t);
/* What is cut off there and is no more than a small part of that does not jump. */
void jni_hold_came(double *x_after, const integrate *n, const double *x);

/* ---- what settles at once (integrate_settle.c) ---------------------------------------------- */

/* Whether a storage that is hastened changes by what the others around it make it, in no time; else a leak would have
 * to take all that it holds. */
bool jni_relaxes(const integrate *n, const mode *m, int storage, double change);
/* How large the impulse at an observable may be that comes of resistors which are served early: it is none. */
double jni_relaxed_impulse(integrate *n, const mode *m, int obs);
/* Whether all that a resistor may be beside settles in next to no time: it is a leak, or next to nothing. One that is
 * lost while all begins at nothing need not be. */
bool jni_settles_soon(const integrate *n, bool is_leak, double slope);
/* How long what is hastened takes to get to where the mode has it. */
double jni_settling_time(integrate *n, const mode *m);

/* ---- resistors that give to each other (integrate_chained.c) -------------------------------- */

typedef struct chained chained;
void jni_chained_free(chained *c); /* NULL-safe */
size_t jni_chained_bytes(const chained *c);
/* Their sizes, from those of all else. */
void jni_size_chained(integrate *n, mode *m, double t);

/* ---- how that fades (integrate_fade.c) ----------------------------------------------------- */

/* What is left of those errors, at a time of the mode that is followed. */
void jni_fade(integrate *n, mode *m, double t);
/* Whether the run is at its start, where all begins at nothing: no size tells what is little. */
bool jni_has_just_begun(const integrate *n);
/* Whether anything is known so badly, beside the largest of its kind, that events depend on it. */
bool jni_noise_matters(const integrate *n);
/* The largest that a state was, as far as errors of that time have not faded. */
double jni_lasting_peak(const integrate *n, int storage);
/* How much of such a step may be one stretch: no more than what they do not fade much on. */
double jni_fade_length(integrate *n, mode *m, double length);

/* ---- roots and powers (integrate_steep.c) -------------------------------------------------- */

/* Notes where their arguments are as good as 0, from a point of the solution and what its unknowns
 * are asked to be known to. */
void jni_note_steep(integrate *n, mode *m, double t, const double *y, const double *yp,
                    const double *tol);

/* ---- laws whose slope fades (integrate_faint.c) -------------------------------------------- */

/* What is added to those, by how large things have been; true: it is more than before. */
bool jni_faint_widen(integrate *n);
/* The unknowns that they read in a mode: n->is_of_others. */
void jni_faint_find(integrate *n, const mode *m);

/* ---- laws without slope at 0 (integrate_flat.c) -------------------------------------------- */

/* Which of them have to be inverted in a mode, from about the values in n->y and the states. */
void jni_flat_enter(integrate *n, mode *m, double t, const double *x_before);
/* What is added to those, at the end of a step. */
void jni_flat_widen(integrate *n, mode *m, double t, const double *y, const double *yp);
/* Any law of a resistor for a value of its own variable, which changes at a rate. */
dual jni_law_at(integrate *n, const mode *m, const moment *at, const jn_element *x, dual value);
/* Whether it has come to its end and is asked to go further; with the rates of unknowns in Y and the columns. */
bool jni_flat_ends(const integrate *n, const moment *at, int r);
/* What the shares of its steps change, in every way. */
double jni_flat_shares(const integrate *n, int r, const moment *at);
void jni_flat_clear(integrate *n);
void jni_flat_carry(struct flat *to, const struct flat *from, int pieces); /* of a law of so many */
/* What its inverse gives to another one in series with it. */
dual jni_flat_inverse(integrate *n, const mode *m, int r, const moment *at, dual given);
/* The row of one that has: its unknown − what the law says, of what it is given. */
dual jni_flat_row(integrate *n, const mode *m, int r, const moment *at, dual given);

/* ---- in series (integrate_series.c) -------------------------------------------------------- */

/* The resistors that are given what an inverse says, and nothing else. */
const struct in_series *jni_in_series(const integrate *n, const mode *m, int r);
void jni_in_series_free(program *p, int nr);
/* What they give for it, and its slope; and what the inverse is given together with them. */
dual jni_series_gives(integrate *n, const mode *m, const struct in_series *all, const moment *at,
                      double x);
dual jni_series_given(const integrate *n, const struct in_series *all, dual given);

/* ---- consistent values (integrate_solve.c) ------------------------------------------------- */

/* y and yp of the mode after the jump from x. False: there are none to be found. Where the mode is
 * only asked, BRANCH_JUMPS_HELD: Newton's method gets over a kink, not over a jump. Where it is
 * followed, BRANCH_HELD: the very equations that are followed. */
bool jni_integrate_solve(integrate *n, mode *m, double t, const double *x, const double *integrals,
                         enum branching branching);

/* n->yp from n->y. */
bool jni_integrate_rates(integrate *n, mode *m, double t);
/* y alone, by the rates as they are in n->yp; guess: where to begin. */
bool jni_integrate_jump(integrate *n, mode *m, double t, const double *x, const double *integrals,
                        const double *guess);

/* ---- derivatives of the equations (integrate_pattern.c, integrate_jacobian.c) --------------- */

/* Which unknowns each equation may read, whatever has been settled; t and n->y: where to look. */
void jni_find_pattern(sparse_pattern *p, integrate *n, mode *m, double t);

typedef struct structure structure;
structure *jni_slopes_of(integrate *n, mode *m, double t); /* the mode's own */
void jni_structure_free(structure *k);                        /* NULL-safe */
const sparse_pattern *jni_structure_pattern(const structure *k);
linear_system *jni_structure_system(structure *k);
size_t jni_structure_bytes(const structure *k); /* about */
/* Unknowns of one group stand in no equation together. */
int jni_structure_groups(const structure *k);
int jni_structure_group(const structure *k, int unknown);
/* Entry by entry of the pattern, at what Y and Yp are now, as they come out: of the rows of motion, */
void jni_structure_slopes(structure *k, integrate *n, mode *m, double t, double *by_y,
                          double *by_yp);
/* and of those of a jump. */
void jni_structure_jump(structure *k, integrate *n, mode *m, double t, const double *x_before,
                        double *by_y);
/* See collocation_problem. */
bool jni_structure_jacobian(structure *k, integrate *n, mode *m, double t, const double *y,
                            const double *yp, double *by_y, double *by_yp);
static inline bool jni_is_dependent(const integrate *n, const mode *m, int unknown)
{
    return unknown < n->s->model.nx && !m->integral[unknown];
}

/* ---- what lasts but a short while (integrate_brief.c) -------------------------------------- */

/* How far a step from t may go, at most h, whose nodes lie at these parts of it. */
double jni_brief_limit(jn_sim *s, double t, double h, const double *node);
/* The last double before a pole of one, within h; infinity: there is none. */
double jni_brief_pole(int *element, jn_sim *s, double t, double h);

/* ---- energies (integrate_energy.c) --------------------------------------------------------- */

double jni_integrate_energy(integrate *n, int storage, double x); /* all else as put last */
/* Puts the state at a point of a mode; at: with these automata and discrete variables, NULL: those of the present. */
void jni_note_put(integrate *n, const mode *m, const double *z, double t, const view *at);
bool jni_is_driven(const model *m, int storage);
double jni_driven_energy(integrate *n, const double *z, double t);
/* The power that its law takes because it reads the rate of its state. */
double jni_damping(integrate *n, int storage, const double *z, double t);

/* ---- steps (integrate_radau.c) ------------------------------------------------------------- */

struct follower {
    integrate *n;
    mode *m;
    bool is_running;
    double from, to; /* the last step */
    double longest;  /* time that was asked for at once */
    double *y, *yp;  /* somewhere in it */
    bool is_scaled;          /* by what sources will make of the states: */
    double *before, *given;  /* their peaks before that, and their rates then */
    collocation *collocation;
};

follower *jni_follower_new(integrate *n);
void jni_follower_free(follower *f); /* NULL-safe */
void jni_follower_tolerance(follower *f, const double *y, double *tol); /* per unknown, at y */
void jni_follower_restart(follower *f);
void jni_follower_forget(follower *f); /* the same, with nothing left of its steps */
void jni_follower_carry(follower *to, const follower *from); /* what is left then */
/* A mode goes, and the pattern of its equations. How long steps were stays: it decides the next. */
void jni_follower_leave(follower *f, const mode *m);
/* One step of the method, or the rest of the last one: its end. Not after now when it failed. */
double jni_follower_step(follower *f, mode *m, double wanted);
/* All observables at a time within it: as the step has them, or as the equations say from the states
 * there. Or f->y, and f->yp if asked for. */
void jni_follower_observe(double *z, follower *f, double t, bool with_noise, bool with_rates);
void jni_follower_see(double *z, follower *f, double t);
void jni_follower_at(follower *f, double t, bool with_rates);

/* ---- what a step gives (integrate_stretch.c) ----------------------------------------------- */

sampler *jni_sampler_new(integrate *n);
void jni_sampler_free(sampler *p); /* NULL-safe */
bool jni_integrate_follow(stretch *p, jn_sim *s, mode *m, double wanted);
bool jni_integrate_series(double *a, double *noise, jn_sim *s, mode *m, const linear_form *f);
void jni_integrate_glance(double *z, jn_sim *s, mode *m, double tau);
void jni_integrate_renew(jn_sim *s);
double jni_integrate_exit(jn_sim *s, mode *m, double end);
energies jni_integrate_energies(jn_sim *s, mode *m, double tau);

#endif
