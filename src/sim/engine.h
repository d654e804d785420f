/* engine.h: what it is to follow a mode. Two engines: exact.c, integrate.c; and run_slide_engine.c,
 * which follows several modes at once by either of them. All that is above this table does not know
 * which one it has.
 *
 * z is a point of the solution in a mode, in the engine's own terms: all values of the model follow
 * from it. */
#ifndef ENGINE_H
#define ENGINE_H

#include "mode.h"
#include "value.h"

/* The solution over one stretch of time. */
typedef struct {
    double length;
    int nz, moving; /* the series behind those that move are constant: they have one coefficient */
    int n;          /* coefficients, at most SERIES_TERMS */
    double *q;      /* n × nz Chebyshev coefficients over 0 ≤ τ ≤ length */
    double share;   /* its length as a share of the longest that always holds */
    int cap;
} stretch;

void jni_stretch_clear(stretch *p);
void jni_stretch_reserve(stretch *p, int nz); /* room for that many series */
void jni_stretch_series(double *a, const stretch *p, int column);
static inline int jni_stretch_terms(const stretch *p, int column) /* coefficients of one series */
{
    return column < p->moving ? p->n : 1;
}

/* Where a candidate mode is entered from. */
typedef struct {
    const double *x, *integral; /* states before the jump */
    const view *at;             /* automata, discrete variables, time, and what prior(x) reads */
} entry;

typedef struct {
    double supplied, dissipated;
    double exchanged; /* what some storages took up that the others may have given; 0: it is seen from
                       * what is stored */
} energies;

typedef struct engine {
    const char *name;
    bool is_exact;
    /* Its part of a mode; where there is none, the mode's status says so. */
    void (*make)(jn_sim *s, mode *m);
    void (*drop)(jn_sim *s, mode *m);
    /* The jump into a mode: the point and the state after it. False: there is none, m->reason. */
    bool (*enter)(double *z, double *x_after, jn_sim *s, mode *m, const entry *from);
    /* The sources' values where a mode was entered last, and their derivatives as far as the engine
     * knows them, one behind the other (INPUT_ORDERS; 0 where it does not). */
    void (*inputs)(double *u, jn_sim *s, mode *m, const double *z);
    /* What a point says: one observable, and how far it may be off, with none of what stays open in the mode (see
     * jni_value_at); of a form, NaN: nothing determines it. How far is not asked where noise is NULL. */
    double (*value)(double *noise, jn_sim *s, mode *m, const double *z, int obs);
    double (*form)(double *noise, jn_sim *s, mode *m, const double *z, const linear_form *f);
    /* An expression at a point of several modes at once; NULL: as it is written. */
    triple (*mean)(const view *v, const jn_expr *e);
    /* The area of an impulse, and what a conflict of sources drives, of a sum of bond variables (the rest of the
     * form has neither); 0: nothing determines it. */
    double (*impulse)(double *noise, jn_sim *s, mode *m, const linear_form *f, const jump *j);
    double (*conflict)(double *noise, jn_sim *s, mode *m, const linear_form *f, const double *u);
    /* Rates of all states and integrals, and of the observables that are wanted (with none of what stays open), at
     * the point that was entered last. */
    void (*rates)(double *x, double *integral, double *obs, const bool *wanted, jn_sim *s, mode *m,
                  const double *z);
    /* At the point that was entered last: laws that are infinitely steep somewhere are no steeper than what states
     * are known to lets them be. NULL: there are none. */
    void (*soften)(jn_sim *s, mode *m, double t, const double *off);
    /* States were held at rest that would have become as large as that: they are known to its rounding. NULL: that is
     * no matter. */
    void (*was_held)(jn_sim *s, const double *size);
    /* A stretch from the present on, about as long as wanted; false: there is no way on, and
     * s->trouble.why says why. */
    bool (*follow)(stretch *p, jn_sim *s, mode *m, double wanted);
    /* The first point of the stretch at which a share that the engine finds leaves [0, 1], −1: none;
     * NULL: it finds none. */
    double (*exit)(jn_sim *s, mode *m, double end);
    /* What reading points of a stretch may leave behind, guesses and how large things have been: kept
     * as it is, and put back to that, so that it does not matter which points were read. NULL:
     * nothing. */
    void (*keep)(jn_sim *s);
    void (*put_back)(jn_sim *s);
    /* A point of the stretch that is being followed, and the states there. */
    void (*at)(double *z, double *x, double *integral, jn_sim *s, mode *m, double tau);
    /* On the stretch: the series of a linear form without its part of time alone; false: nothing
     * determines it. *noise: how far it may be off, at its end. */
    bool (*series)(double *a, double *noise, jn_sim *s, mode *m, const linear_form *f);
    /* All that conditions and meters read, at a point of the stretch: a z for `value`. */
    void (*glance)(double *z, jn_sim *s, mode *m, double tau);
    /* A point of the stretch as an instant there would see it; NULL: as it is glanced at, to
     * rounding. */
    void (*see)(double *z, jn_sim *s, mode *m, double tau);
    /* Bounds of noise become no more than HIDDEN_IN_NOISE of the largest value of their kind. NULL: none ever is more. */
    void (*clear_up)(double *z, jn_sim *s);
    /* Meters read more than before, from the next stretch on; NULL: all can be read anyway. */
    void (*renew)(jn_sim *s);
    /* What was done from 0 to tau of the stretch. */
    energies (*energies)(jn_sim *s, mode *m, double tau);
    double (*stored)(jn_sim *s, mode *m, const double *x); /* energy */
    /* The power at a point that storages take and do not store, since their laws read rates; NULL: none. */
    double (*damping)(jn_sim *s, mode *m, const double *z, double t);
    /* What a change of mode, or of values, does to what storages hold without a jump: from outside.
     * from: the mode before; NULL: none. */
    double (*shift)(jn_sim *s, mode *from, mode *m, const double *x);
    void (*clear)(jn_sim *s); /* s->own */
    /* What it has learned, in a copy of the run; both begin a new stretch. NULL: nothing. */
    void (*carry)(jn_sim *to, jn_sim *from);
    /* What it has learned about a mode, so that one that is made again goes on as this would. NULL:
     * nothing. */
    void (*learned)(lessons *l, const mode *m);
    void (*teach)(mode *m, const lessons *l);
    /* Bytes of m->own, about. All that it knows of a mode must be found again to the bit. */
    size_t (*size)(const jn_sim *s, const mode *m);
} engine;

enum { INPUT_ORDERS = 4 };

/* One observable; NaN: nothing determines it (value_evaluate.c). */
double jni_value_at(double *noise, jn_sim *s, mode *m, const double *z, int obs);
/* The impulse's area of one bond variable (run_jump.c). */
double jni_impulse_of(double *noise, jn_sim *s, mode *m, int obs, const jump *j);

void jni_integrate_begin(jn_sim *s); /* what it has of its own, s->own */
void jni_integrate_start(jn_sim *s); /* when the states at the start are known */
/* The states of storages that are given e or f, in the mode that is first. Returns the element that has none; −1:
 * all have. */
int jni_integrate_initial(jn_sim *s, mode *m);
/* Whether a mode that is followed exactly depends on a source. */
bool jni_exact_depends(const jn_sim *s, const mode *m, int source);

/* Of a slide, the mode on one of its sides; else the mode itself. */
mode *jni_one_mode(mode *m);
/* Serves early what is like a resistor that is; the mode: in which that one is lost. */
void jni_serve_alike(jn_sim *s, const mode *m, int r);
/* Whether the law of a resistor is inverted piece by piece in a mode (integrate_flat.c). */
bool jni_flat_by_pieces(const struct jn_sim *s, const mode *m, int r);

extern const engine jni_exact_engine, jni_integrate_engine, jni_slide_engine;

#endif
