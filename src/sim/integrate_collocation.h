/* integrate_collocation.h: a step of Radau's method, as its two files share it.
 *
 *     integrate_collocate.c        the steps
 *     integrate_collocate_known.c  the slopes of the equations, and how well unknowns can be known */
#ifndef INTEGRATE_COLLOCATION_H
#define INTEGRATE_COLLOCATION_H

#include "integrate_collocate.h"

enum { MIDDLE = NODES / 2 };

struct collocation {
    collocation_problem p;
    radau_rule r;
    const sparse_pattern *pattern;
    sparse_lu *lu;
    double complex *matrix; /* by entry of the pattern */
    double complex *rhs;
    double *tol;
    double *Y;      /* nodes × n: the start, the stages */
    double *moved;  /* likewise, since the start */
    double *F;      /* stages × n */
    double *change; /* likewise */
    double *yp;     /* at a stage */
    double *rate;   /* y' at the start of the first step */
    struct {
        bool is_there;
        double from, h; /* where it begins, and how long it is */
        double *a;      /* nodes × n: coefficients over it */
    } last;             /* step */
    double *trial;      /* its a, of the step that is being tried */
    double t;           /* where the next step starts */
    double next;        /* and how long it is to be; 0: not known */
    double factored;    /* the h of the factors; 0: none */
    double contraction; /* of Newton's method, at its first improvement */
    struct {
        double *known;     /* per unknown: how far it may be off though the equations hold */
        double *in_middle; /* likewise, in the middle of the step */
        double *held;      /* likewise: what rounding of all rows makes of it, once that has settled */
        double *settled;   /* likewise: ... what is asked for */
    } off;
    struct slopes {
        double *by_y, *by_yp;   /* the Jacobian, by entry of the pattern */
        double *drift;          /* per row: what rounding of the time makes of it */
        double *own, *rounding; /* per row */
        double *rate;           /* per row: how much faster rounding of the time makes it */
        double *all;            /* of doubles alone, of the rows with rates as well */
    } start, middle;            /* of a step: see find_slopes */
    bool is_lax;                /* see asked_of */
    bool is_unsettled;          /* the equations are no longer those of the step before */
    int suspect;                /* see jni_collocation_suspect */
    int crept; /* steps in a row that were hardly longer than rounding of the time */
};

/* ---- how well unknowns can be known (integrate_collocate_known.c) --------------------------- */

/* The Jacobian at a point, with what rounding does to the rows; false: the equations have none there. */
bool jni_slopes_at(struct slopes *s, collocation *c, double t, const double *Y);
/* From that: of the rows that no rate stands in, how far rounding of the unknowns moves them, and their slopes by
 * their own unknowns. */
void jni_slopes_weigh(struct slopes *s, const collocation *c, const double *Y, double h);
/* How far unknowns may be off, from the factors for a step of length h; is_new: the slopes are. */
void jni_known_find(collocation *c, double h, bool is_new);
double jni_known_at(const collocation *c, int stage, int unknown);

#endif
