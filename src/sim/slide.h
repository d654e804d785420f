/* slide.h: sliding along surfaces: see run_slide.c. */
#ifndef SLIDE_H
#define SLIDE_H

#include "integrate_collocate.h"
#include "run.h"

enum {
    SLIDE_MOST = 64,     /* surfaces */
    MOST_FREE = 16,      /* branches that an engine keeps between their ways meanwhile */
    MOST_DOUBLING = 8,   /* surfaces that move automata: each doubles the modes that are mixed */
    MOST_OF_CORNER = 12, /* those that what is read may depend on, other than as a sum ... */
    MOST_OF_SUM = 6,     /* ... whose terms are looked at one by one if it depends on more */
    SLIDE_POINTS = 13
};

/* A surface that is slid on, or may be. Side 0: g < 0; side 1: g > 0. */
typedef struct {
    int surface, twin; /* twin: it is that of two; −1: it is not */
    double swing;      /* the ways act on g̈ alone, and g swung across 0 to and fro in that time; 0: they act on ġ */
    double fades;      /* then: how fast these swings died down */
    bool is_let;       /* then: nothing brings it back, since other surfaces say how fast it moves */
    bool is_algebraic; /* g depends on the share at once: g = 0 is its equation, else ġ = 0 */
    double share;      /* of side 1 */
    int fixed;         /* 0, 1: not slid on, but on that side; −1: slid on */
    bool is_tried;     /* the rates say which side: none, where it stays on the surface anyway */
    int side;          /* on which the automata are said to be as long as it lasts; −1: not yet */
    double g;          /* as it was before an instant: what its rounding has come to */
    int nflips, cap_flips;
    struct slide_flip {
        int automaton, state[2];
        bool is_drawn; /* by what comes of the others, as a diode by a transistor */
    } * flip;
    int nturns, cap_turns;
    struct slide_turn {
        int branch;
        double share[2];
    } * turn;
    int nlevels, cap_levels;
    struct slide_level {
        int discrete;
        double level[2];
    } * level; /* of floor and mod */
} slid;

/* Shares that solve their equations, where there are many: see run_slide_shares.c. */
typedef struct {
    int nnull; /* directions in which they are open, each of length 1, perpendicular */
    double null[SLIDE_MOST][SLIDE_MOST];
    double most; /* the least that the largest |2α − 1| can be: beyond 1 there are no shares */
    signed char leaving[SLIDE_MOST]; /* the surfaces that make it that, and their sides, −1 or 1 */
    signed char held[SLIDE_MOST];    /* by the bounds of their shares, −1 or 1 */
} share_set;

/* The equations of the shares that are looked for, straightened: what depends on a share does so
 * straight in between, unless shares multiply or laws bend. */
typedef struct {
    int n, open[SLIDE_MOST];
    double slope[SLIDE_MOST * SLIDE_MOST]; /* rows of size 1 */
    double size[SLIDE_MOST];               /* what they were */
} straight;

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
    double gap[SLIDE_MOST];        /* per surface: left − right, its kinks as they are held */
    straight last;                /* of the last point that was solved for; n = 0: none was */
    share_set shares;              /* at which all of g is 0; as to those that are looked for */
    bool *wanted;                  /* observables that the surfaces read */
    dual *col, *dual_x, *dual_s;
    int *state;       /* of the automata, on the sides of one mode */
    double *discrete; /* variables there */
    jn_onoff *onoff;  /* room for one mode's switches */
    signed char *side; /* per surface, of one corner: see jni_slide_mean */
} slide_mix;

/* y = (x, integrals, supplied, dissipated) over the stretch. */
typedef struct {
    int n;
    double *y, *yp, *peak;
    double *tol, *trial;
    double *spread; /* how far rates are off by what all y may be off by */
    double *off; /* how fast it would go off the surface: its rate is known to the rounding of that */
    collocation *collocation;
    sparse_pattern pattern;
    bool is_running;
    double from, to; /* the last step */
    double lasted;   /* the one before */
    double began;    /* when it was started */
    double last;     /* tables are on the line that they are on then; infinity: on that of the time */
    double *sample;  /* points z at the nodes of an interpolation, one after the other */
    double share_at[SLIDE_POINTS][SLIDE_MOST + 1 + MOST_FREE]; /* see share_of */
    int leaver; /* which of these leaves [0, 1] first */
} slide_path;

struct slide {
    jn_sim *s;
    int n;
    bool is_full; /* there would be more */
    slid on[SLIDE_MOST];
    int nfree;
    struct slide_free {
        int branch;
        double share; /* the outermost in all modes */
    } free[MOST_FREE];
    mode own; /* stands for the slide as a mode */
    /* Where it stands: in the present, or in a candidate of an instant. */
    int *state;
    double *discrete;
    const view *prior;
    bool flows; /* prior(x) is x itself */
    slide *next; /* of those that are over */
    slide_mix mix;
    slide_path path;
};

/* ---- the slide (run_slide.c) --------------------------------------------------------------- */

slide *jni_slide_new(jn_sim *s); /* it stands in the present */
slide *jni_slide_copy(jn_sim *s, const slide *from); /* its surfaces; in any run of the model */
void jni_slide_let_off(slide *d); /* the run leaves it */
void jni_slide_drop(slide *d); /* frees it */
void jni_slide_take(slide *d); /* the present stands in it; it is the run's from now on */
/* Makes the slide the present mode, at the shares that keep to all of its surfaces; false: there are
 * none. */
bool jni_slide_go(slide *d);
void jni_slide_point(double *z, const slide *d); /* the shares, the weights, the points */
/* Takes away the surfaces that are not slid on; what they move is on their side. */
void jni_slide_drop_fixed(slide *d);
void jni_slide_tell(const slide *d, const jn_onoff *from, const char *what); /* as an event */
/* Stops the run, with the surfaces. */
jn_status jni_slide_stop(slide *d, const char *why, jn_stopped *stop);
const char *jni_slide_trouble(const slide *d); /* why it has no shares */

/* ---- what is read (run_slide_mean.c) -------------------------------------------------------- */

triple jni_slide_mean(const view *v, const jn_expr *e);
/* The largest size of an expression on any of the sides. */
double jni_slide_most(const view *v, const jn_expr *e);
/* The surface that moves an automaton, and how; NULL: none. */
slid *jni_slide_flips(slide *d, int automaton, struct slide_flip **flip);

/* ---- kinks of what is slid on (run_slide_kinks.c) ------------------------------------------- */

/* Settles them by what is seen in a view; true: something changed. */
bool jni_kinks_settle(slide *d, const view *v);
/* The same at a point that was mixed last; true: some surface has stepped away from there. */
bool jni_kinks_step(slide *d, const view *v, const double *x, const double *integral, bool *changed);

/* ---- which surfaces, and what they move (run_slide_pattern.c) ------------------------------- */

slid *jni_slide_on(slide *d, int surface); /* found or added; NULL: there are too many */
/* A branch whose share is `after` on a side of the surface, and `before` on the other. */
void jni_slide_turn(slid *p, int branch, double before, double after, int side);
bool jni_slide_turns(const slide *d, int branch);
/* ---- branches that an engine keeps between their ways (run_slide_between.c) ------------------- */

bool jni_slide_note_free(slide *d); /* those of the present; false: there are too many */
void jni_slide_keep_free(slide *d); /* so they are to stay, in whatever is tried */
/* Those whose share has come to be none take their ways; false: there are none. */
bool jni_slide_release_free(slide *d);
void jni_slide_release(slide *d, int number); /* one of them; the run crosses its surface */
/* All that instants of the trail have moved; false: not all of it by a surface. */
bool jni_slide_read(slide *d, int since, int end);
/* Which of them are slid on, from a point on, and the sides of the others; false: none can be. */
bool jni_slide_pattern(slide *d, const double *x, const double *integral);

/* ---- several modes at once (run_slide_mix.c) ----------------------------------------------- */

/* The modes of the surfaces that are slid on, and room for them; after every change of these, or of
 * where the slide stands. False: one of them has no solution. */
bool jni_mix_prepare(slide *d);
void jni_mix_clear(slide *d);
bool jni_same_state(const jn_sim *s, const double *a, const double *b); /* to rounding */
/* Laws that are steep there are softened in all of them, by how far states may be off. */
void jni_mix_soften(slide *d, double t, const double *x, const double *integral, const double *off);
/* The jump into all of them, which has to be one; false: it is not. */
bool jni_mix_jump(slide *d, double *x_after, const double *x, const double *integral);
/* After it: whether all that is drawn along can be told from means. What its conditions compare on one
 * side is then 0 on the other, as current and voltage of a diode are. */
bool jni_mix_knows_drawn(slide *d);
/* The mean of the modes at a point by the shares as they stand: rates in d->dx, d->ds, what should be
 * zero in d->g. False: a mode has no solution there. */
bool jni_mix(slide *d, double t, const double *x, const double *integral);
/* After it: the side of a surface all of whose modes keep it at 0, and those of the other do not; −1: none. */
int jni_mix_held_side(const slide *d, int number);
/* Whether a surface that turns nothing but ways makes no difference: they are the same on it, as those of a kink
 * are. */
bool jni_mix_is_same(slide *d, int number, double t, const double *x, const double *integral);
/* Whether the ways do not act on ġ, which is next to 0, but on g̈: then that is what is to be 0. */
bool jni_mix_bends(slide *d, int number, double swing, double t, const double *x,
                   const double *integral);
/* The shares at which all of d->g is zero, from where they stand. */
bool jni_mix_solve(slide *d, double t, const double *x, const double *integral);
/* After it: its equations, from differences of shares by `width`. False: there are none. */
bool jni_mix_straighten(straight *q, slide *d, double t, const double *x, const double *integral,
                        double width);
/* Right-hand sides of these: S·share − rhs is d->g by their sizes. */
void jni_mix_right_side(double *rhs, const slide *d, const straight *q);
/* Shares within [0, 1], each at 0 where its row of S·share − rhs is below 0, at 1 where that is above 0. `left`:
 * these rows. False: none are found. */
bool jni_shares_complement(double *share, double *left, const double *slope, const double *rhs,
                           int n);
/* The shares at which S·share = rhs that have the least norm, by what is on either side of 1/2, within
 * [0, 1]; or within as little more as possible. Rows of S are of size 1. */
void jni_shares_solve(double *share, share_set *q, const double *slope, const double *rhs, int n);
/* Where shares are open: marks the bond variables that depend on how. */
void jni_slide_mark_shared(slide *d, double t, const double *x, const double *integral);
/* Power of the sources and into the resistors, there. */
void jni_mix_powers(slide *d, double t, double *supplied, double *dissipated);

#endif
