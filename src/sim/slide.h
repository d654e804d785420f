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

struct slide {
    jn_sim *s;
    int n;
    slid on[SLIDE_MOST];
    mode own;        /* stands for the slide as the present mode */
    int nvertices;   /* modes that are mixed: 2 for each surface that moves automata */
    mode **vertex;
    double *weight;
    double **z;      /* their points */
    /* at the point looked at last */
    double *dx, *ds, *x_after, *rate_x, *rate_s, *obs, *dobs;
    double g[SLIDE_MOST]; /* per surface: what should be 0 */
    bool *wanted;         /* observables that the surfaces read */
    dual *col, *dual_x, *dual_s;
    int *state;
    /* y = (x, integrals, supplied, dissipated) over the stretch */
    int ny;
    double *y, *yp, *peak, *rhs;
    collocation *collocation;
    sparse_pattern pattern;
    bool is_running;
    double from, to; /* the last step */
    double node[SLIDE_POINTS]; /* times of the samples */
    double *sample;            /* their points z, one after the other */
    double share_at[SLIDE_POINTS][SLIDE_MOST];
};

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
void jni_mix_powers(slide *d, double *supplied, double *dissipated);

#endif
