/* exact.h: a linear mode, followed by its exact solution.
 *
 *     z = (w, s, v)
 *
 * w: the independent combinations E·x of the mode, s: the integrals, v: the generator of the
 * inputs, so that u = G·v and v̇ = V·v. Hence ż = A·z, and the solution is exp(A·τ)·z. */
#ifndef EXACT_H
#define EXACT_H

#include "run.h"

/* ---- equations (exact_equations.c) --------------------------------------------------------- */

/* What is known: w, integrals s, inputs u, their rates u̇, one behind the other. */
typedef struct {
    int np, ni, nd, nr, nfb, ns, nu; /* ports; storages integral and derivative; resistors; sources
                                        with a feedback; integrals; sources */
    int *integral, *derivative;      /* storages */
    int *place;                      /* of a storage among those of its kind */
    int *fb_of;                      /* per source: its place among those with a feedback; −1 */
    int *fb;                         /* the sources with one */
    rows *unit;                      /* over the inputs of ports */
    srow *S;                         /* per port: its output over the inputs of the ports */
    srow *Xi, *Xd, *D;               /* states; inputs of resistors, then values of those sources */
    srow *Zi;                        /* Fi·Xi */
    srow *own;                       /* the unknown Xi: x but for what other ports of a field add */
    srow *dw, *ds, *dXd;             /* rates */
} equations;

/* S of the mode. */
void jni_equations_read(equations *q, jn_sim *s, mode *m);
/* All else; false when it has no unique solution, m->reason. */
bool jni_equations_close(equations *q, jn_sim *s, mode *m);
void jni_equations_clear(equations *q, jn_sim *s, mode *m);
bool jni_equations_integral(const equations *q, int storage); /* in integral causality */

/* x_i = Σ_k a_ik·x_k + b_i: solved together are those i with some a_ik; the others are b_i. In the
 * end b is the solution. False: there is none, or more than one. */
bool jni_solve_coupled(srow *a, srow *b, int n, int width);

/* ---- a mode (exact_mode.c) ----------------------------------------------------------------- */

typedef struct panel panel;

typedef struct exact_mode {
    int n;         /* independent states */
    double *unit;  /* per independent state: 1/√value, which makes it the root of an energy */
    sparse w_of_x; /* n × nx: the rows of E */
    sparse x_of_z; /* nx × nz */
    sparse A;      /* nz × nz */
    sparse effort, flow; /* of the sources and resistors that have power, over z: see exact.c */
    int nsuppliers;      /* so many of them are sources */
    int moving;          /* the rest of z is constant: all inputs may be */
    srow *lost;          /* per source that lost its input: what the others make it, over u */
    rows *finite, *impulse, *infinite; /* of the columns, made on demand */
    int nforms, cap_forms;             /* linear forms over z, made on demand */
    struct exact_form {
        const linear_form *f;
        srow row;
        double past; /* how far off it may be for each root of energy: see noise_of */
        bool is_open;
    } * form;
    int form_slots, *form_slot; /* hash */
    const struct exact_form *last_form; /* asked for last: mostly it is asked for again */
    panel **panel;              /* by level, made on demand */
    double first_length;        /* of level 0; 0: not known yet */
    int level;                  /* used last */
    int wait, patience;         /* before the next longer panel is tried again */
    int expanded;               /* stretches made without a panel */
    struct implicit *implicit;  /* for long ones of many states, made on demand */
} exact_mode;

static inline exact_mode *jni_exact(const mode *m)
{
    return m->own;
}

void jni_exact_make(jn_sim *s, mode *m);
void jni_exact_drop(jn_sim *s, mode *m);
size_t jni_exact_size(const jn_sim *s, const mode *m);
/* A linear form without its constants over z, and its past; NULL: nothing determines it. */
const struct exact_form *jni_exact_known(jn_sim *s, mode *m, const linear_form *f);
const srow *jni_exact_form(jn_sim *s, mode *m, const linear_form *f);
const struct exact_form *jni_exact_of(jn_sim *s, mode *m, const linear_form *f); /* with none of what stays open */
void jni_exact_observable(srow *r, jn_sim *s, mode *m, int obs); /* likewise, a new row */

/* ---- propagation (exact_panel.c) ----------------------------------------------------------- */

/* A stretch from z that is accurate, about as long as wanted if it can be. */
void jni_panel_stretch(stretch *p, jn_sim *s, mode *m, const double *z, double wanted);
/* How fast the fastest goes. */
double jni_panel_rate(mode *m, const jn_sim *s);
void jni_panels_free(exact_mode *m);
size_t jni_panels_size(const exact_mode *m);
void jni_stretch_at(double *z, const stretch *p, double tau);
/* Two numbers that are computed at once; they lie wherever doubles may. */
typedef double pair
    __attribute__((vector_size(2 * sizeof(double)), aligned(sizeof(double)), may_alias));
void jni_stretch_at_two(pair *z, const stretch *p, pair tau); /* likewise, at two points */

/* ---- long stretches of many states (exact_implicit.c) ---------------------------------------- */

/* False: there is none of that length. */
bool jni_implicit_stretch(stretch *p, exact_mode *m, double length, const double *z);
/* What such a stretch takes, and factoring what it needs, in operations. */
double jni_implicit_flops(double *factors, exact_mode *m);
void jni_implicit_free(struct implicit *k); /* NULL-safe */
size_t jni_implicit_size(const struct implicit *k);

/* ---- rounding (exact_noise.c) -------------------------------------------------------------- */

typedef struct {
    const mode *followed, *entered; /* the stretch is of the first; of_z of the second */
    bool is_due, has_x;             /* a stretch has led on since; of_x is there */
    double t, led;                  /* of the instant; how long the stretch was that led there */
    double *of_x, *of_z, *of_integral;
    double *at_x, *since; /* per state: what it was then, and when that was */
    double *late_x;       /* likewise: how far it goes in the rounding of the time */
    double *along; /* per z: what may come of it along the stretch that begins now; has_along: it is there */
    bool has_along;
    int cap_z, cap_along;
} rounding;

void jni_rounding_clear(rounding *r);
void jni_rounding_carry(rounding *r, jn_sim *s, const rounding *from); /* to a copy of the run */
void jni_rounding_follow(rounding *r, jn_sim *s, mode *m); /* a stretch of it begins */
/* A mode is entered with the state that the stretch has led to. */
void jni_rounding_enter(rounding *r, jn_sim *s, const mode *m);
/* What jumps by no more than rounding does not jump: x_after, from x into a mode in which it is z. */
void jni_rounding_hold(double *x_after, const rounding *r, const mode *m, const double *z,
                       const double *x);
/* How far that lets a sum over z be off; 0: nothing has led there. */
double jni_rounding_of(const rounding *r, const jn_sim *s, const mode *m, const srow *row);
/* Likewise, of an input, and of a sum within a while h of the stretch that begins now. */
double jni_rounding_of_input(const jn_sim *s, const exact_mode *e, int col, const double *z);
double jni_rounding_along(rounding *r, const jn_sim *s, const mode *m, const srow *row, double h);

#endif
