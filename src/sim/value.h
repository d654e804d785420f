/* value.h: what expressions and conditions are worth at an instant, and which way they go.
 *
 * Around a jump a value is a triple: what a conflict of sources drives without bound, the area of
 * its impulse, its finite part. Each part carries a bound of its own error. Sums and multiples work
 * part by part; a comparison is decided by the first part in which the sides differ by more than
 * their errors. */
#ifndef VALUE_H
#define VALUE_H

#include "model.h"

struct mode;

enum { CONFLICT, IMPULSE, FINITE, PARTS };

typedef struct {
    double part[PARTS];
    double noise[PARTS]; /* at most so far off */
} triple;

/* The states before and after a jump into a mode at an instant. */
typedef struct {
    const double *from, *to;
    bool is_sudden; /* without what moves fast, and not at once: see `hastens` of a mode */
} jump;

/* Where expressions read from. */
typedef struct view {
    jn_sim *s;
    struct mode *m; /* NULL: nothing but constants and time is known */
    const double *z;
    const int *state;       /* of the automata */
    const double *discrete; /* variables */
    double t;
    jump jump;                /* into m at this instant; {NULL}: none */
    const double *u;          /* forbidden mode: the sources' values and derivatives; else NULL */
    const struct view *prior; /* what prior(x) reads; NULL: x itself */
    jump committed;           /* the last jump that counts at this instant, and its mode */
    struct mode *committed_in;
    double theta;             /* how far along the jump within(x) reads: 0 before, 1 after */
    /* Per surface: on which side of it the run has just come to be, −1 or 1; 0: see for yourself.
     * NULL: none. It decides what is within rounding of the surface. */
    const signed char *side;
    bool fresh; /* for an automaton that has just moved: what is within rounding does not hold */
    bool side_once; /* nor by a side that the run has come to: that has moved it already */
    bool is_followed; /* the mode is followed there, and not only asked: all ways stay as they are held */
    const struct slide *slid; /* along whose surfaces the run slides: there g is 0; NULL: none */
    long point; /* its number: see jni_watch_move; 0: it has none */
    bool keeps_free; /* branches between their ways stay so in what is entered, with any shares */
    bool *asked; /* per surface of the slide: notes whose sides decide something; NULL: nobody asks */
} view;

/* At a time in a mode; there is no more to it. Field by field: compilers clear as much as that by an instruction that takes
 * longer than all that is read from it. */
static inline void jni_view_begin(view *v, jn_sim *s, struct mode *m, const double *z, double t)
{
    v->s = s;
    v->m = m;
    v->z = z;
    v->state = NULL;
    v->discrete = NULL;
    v->t = t;
    v->jump.from = v->jump.to = NULL;
    v->jump.is_sudden = false;
    v->u = NULL;
    v->prior = NULL;
    v->committed.from = v->committed.to = NULL;
    v->committed.is_sudden = false;
    v->committed_in = NULL;
    v->theta = 0;
    v->side = NULL;
    v->fresh = v->side_once = v->is_followed = v->keeps_free = false;
    v->slid = NULL;
    v->point = 0;
    v->asked = NULL;
}

/* ---- values (value_evaluate.c) ------------------------------------------------------------- */

triple jni_evaluate_triple(const view *v, const jn_expr *e);
/* The finite part alone; ±∞ where there is more. NaN: nothing determines it. */
double jni_evaluate(const view *v, const jn_expr *e);
triple jni_observe(const view *v, int obs);
void jni_form_read(triple *r, const view *v, const linear_form *f);
double jni_form_number(const view *v, const linear_form *f); /* the finite part alone */
/* The sign of the first part that is clear of its noise; 0: none is. */
int jni_triple_sign(const triple *x, int *part);

/* A condition on a value that nothing determines is unknown, unless its other parts decide it. */
typedef enum { NO, YES, UNKNOWN } verdict;
/* *rank: the part (CONFLICT first) by which it was decided. */
verdict jni_truth(const view *v, const jn_expr *condition, int *rank);
bool jni_holds(const view *v, const jn_expr *condition); /* for certain */
bool jni_holds_by_sign(jn_expr_op op, int sign); /* a comparison, by that of left − right */
/* Where automata slide they are in both of their states: `wanted` if that is so in one of them. */
verdict jni_truth_somewhere(const view *v, const jn_expr *condition, verdict wanted, int *rank);
/* Whether what an expression reads is not what it is at the present, by more than rounding. If it is 0 then and now,
 * it need not go on to the same side. */
bool jni_reads_another(const view *v, const jn_expr *e);
/* The innermost part of an expression or condition that has no value; NULL: it has one. */
const jn_expr *jni_without_value(const view *v, const jn_expr *e);

/* ---- values in a while (value_range.c) ----------------------------------------------------- */

typedef struct {
    double low, high;
} range;

/* Between which values an expression of time alone stays from one time to another, or a bit beyond; infinite:
 * not known. */
range jni_range(const view *v, double from, double to, const jn_expr *e);
/* About where it first leaves a range; infinity: it does not. */
double jni_range_leaves(const view *v, double from, double to, const jn_expr *e, range within);
/* The last double before its first pole, of 1/(t − t₀) or steeper; infinity: it has none. */
double jni_range_pole(const view *v, double from, double to, const jn_expr *e);

/* ---- values with a derivative (value_tangent.c) -------------------------------------------- */

/* A value, and its derivative along whatever direction is being looked at. */
typedef struct {
    double v, d;
} dual;

static inline dual jni_minus(dual a, dual b)
{
    return (dual){a.v - b.v, a.d - b.d};
}
static inline dual jni_times(dual a, dual b)
{
    return (dual){a.v * b.v, a.d * b.v + a.v * b.d};
}
static inline dual jni_scaled(dual a, double c)
{
    return (dual){c * a.v, c * a.d};
}

/* Where an expression reads from. */
typedef struct moment {
    model *model;
    const branches *branches; /* which way expressions take; NULL: see for yourself */
    const jn_onoff *onoff;    /* which switches are ON; NULL: not known */
    const int *state;         /* of the automata; NULL: not known */
    const double *discrete;   /* variables; NULL: not known */
    dual t;
    const dual *col;          /* efforts and flows of bonds, 2b and 2b+1; NULL: only time is known */
    const int *flow_sign;     /* per bond: of its flow there; NULL: 1 */
    const dual *x, *integral; /* of storages, and integrals */
    const dual *shares;  /* of branches that are free, by their place; NULL: none is */
    const int *share_at; /* per branch: its place */
    const bool *is_held; /* per branch: a sign of what the mode keeps at 0; NULL: none is */
    const view *prior; /* NULL: prior(x) is x itself */
    enum branching {
        BRANCH_HELD,       /* as settled; roots and powers go on below zero, since a step looks
                              beyond the place where a law takes another way */
        BRANCH_JUMPS_HELD, /* only `if` and sign; abs, min and max as they are, unless the law is the
                              same whichever way is held */
        BRANCH_ROUNDED,    /* as expressions stand, but roots and powers as in those */
        BRANCH_FREE        /* as expressions stand */
    } branching;
    bool every_way; /* derivatives go through all ways, whichever is taken */
    bool rounds;    /* in place of a derivative: how far rounding within the expression may put its value off */
} moment;

dual jni_tangent(const moment *m, const jn_expr *e);
/* A function of one or two numbers, JN_X_NEG … JN_X_MAX, as it stands. */
dual jni_function(jn_expr_op op, dual a, dual b);

#endif
