/* slide.h: sliding along surfaces: see run_slide.c. */
#ifndef SLIDE_H
#define SLIDE_H

#include "integrate_collocate.h"
#include "run.h"

/* A surface that is slid on, or may be. Side 0: g < 0; side 1: g > 0. */
typedef struct {
    int surface;
    bool is_algebraic; /* g depends on the share at once: g = 0 is its equation, else ġ = 0 */
    double share;      /* of side 1 */
    int fixed;         /* 0, 1: not slid on, but on that side; −1: slid on */
    int nflips, cap_flips;
    struct slide_flip {
        int automaton, state[2];
    } * flip;
    int nturns, cap_turns;
    struct slide_turn {
        int branch;
        double share[2];
    } * turn;
} slid;

enum { SLIDE_MOST = 6, SLIDE_POINTS = 13 };

/* The modes that are mixed, and what they say at the point looked at last. */
typedef struct {
    int n; /* 2 for each surface that moves automata */
    mode **vertex;
    double *weight;
    double **z; /* their points */
    double *dx, *ds;               /* rates of the mean */
    double *rate;                  /* of each mode: see rates_of */
    double *x_after, *obs, *dobs;  /* of one mode */
    double g[SLIDE_MOST];          /* per surface: what should be 0 */
    bool *wanted;                  /* observables that the surfaces read */
    dual *col, *dual_x, *dual_s;
    int *state; /* of the automata, on the sides of one mode */
} slide_mix;

/* y = (x, integrals, supplied, dissipated) over the stretch. */
typedef struct {
    int n;
    double *y, *yp, *peak;
    collocation *collocation;
    sparse_pattern pattern;
    bool is_running;
    double from, to; /* the last step */
    double *sample;  /* points z at the nodes of an interpolation, one after the other */
    double share_at[SLIDE_POINTS][SLIDE_MOST];
} slide_path;

struct slide {
    jn_sim *s;
    int n;
    slid on[SLIDE_MOST];
    mode own; /* stands for the slide as the present mode */
    slide_mix mix;
    slide_path path;
};

/* ---- the slide (run_slide.c) --------------------------------------------------------------- */

slide *jni_slide_new(jn_sim *s);
/* Makes the slide the present mode, at the shares that keep to all of its surfaces; false: there are
 * none. */
bool jni_slide_go(slide *d);
void jni_slide_point(double *z, const slide *d); /* the shares, the weights, the points */
void jni_slide_tell(const slide *d, const jn_onoff *from, const char *what); /* as an event */
/* Stops the run, with the surfaces. */
jn_status jni_slide_stop(slide *d, const char *why, jn_stopped *stop);

/* ---- which surfaces, and what they move (run_slide_pattern.c) ------------------------------- */

slid *jni_slide_on(slide *d, int surface); /* found or added; NULL: there are too many */
/* A branch whose share is `after` on a side of the surface, and `before` on the other. */
void jni_slide_turn(slid *p, int branch, double before, double after, int side);
/* All that instants of the trail have moved; false: not all of it by a surface. */
bool jni_slide_read(slide *d, int since);
/* Which of them are slid on, from the present on, and the sides of the others; false: none can be. */
bool jni_slide_pattern(slide *d);

/* ---- several modes at once (run_slide_mix.c) ----------------------------------------------- */

/* Room for the modes of the surfaces that are slid on; after every change of these. */
void jni_mix_prepare(slide *d);
void jni_mix_clear(slide *d);
/* The mean of the modes at a point by the shares as they stand: rates in d->dx, d->ds, what should be
 * zero in d->g. False: a mode has no solution there. */
bool jni_mix(slide *d, double t, const double *x, const double *integral);
/* The shares at which all of d->g is zero, from where they stand. */
bool jni_mix_solve(slide *d, double t, const double *x, const double *integral);
/* Power of the sources and into the resistors, there. */
void jni_mix_powers(slide *d, double t, double *supplied, double *dissipated);

#endif
