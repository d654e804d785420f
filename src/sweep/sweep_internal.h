/* sweep_internal.h: what the files of the sweep stage share.
 *
 *     sweep.c           a question, and its rows
 *     axis.c            what is varied: values in order, or drawn at random
 *     measure.c         what is asked: expressions over leaves, as mean(uC) is one
 *     answer_run.c      the leaves of a run
 *     answer_steady.c   of a periodic orbit
 *     answer_analyse.c  of a mode
 *     table.c           rows as text
 *     deal.c            which worker computes what */
#ifndef SWEEP_INTERNAL_H
#define SWEEP_INTERNAL_H

#include <time.h>

#include "junct/sweep.h"
#include "junct/trace.h"

/* ---- what is varied (axis.c) --------------------------------------------------------------- */

typedef struct {
    const char *name;   /* as written: "R1", "p0(L)" */
    const char *target; /* "R1", "L" */
    enum { SETS_VALUE, SETS_STATE, SETS_START } sets; /* a value; p0 or q0; f0 or e0 */
    enum { DRAWN_NOT, DRAWN_UNIFORM, DRAWN_NORMAL } drawn;
    double a, b; /* of a draw: from and to, or mean and deviation */
    bool is_log;
    int count;
    double *value; /* in the arena */
    jn_place place;
} axis;

enum { AXIS_MOST = 1000000 }; /* values of one */

/* False: wrong, and reported. */
bool jni_axis_read(axis *a, jn_arena *arena, const char *text, jn_diags *d);
/* The value of the axis numbered k in a sample. */
double jni_axis_draw(const axis *a, uint64_t seed, uint64_t sample, int k);
/* Gives the graph a value, the decimal that is printed for it; NULL, or why not. */
const char *jni_axis_set(const axis *a, jn_graph *g, const jn_decimals *p, double value);

/* ---- what is asked (measure.c) ------------------------------------------------------------- */

typedef enum {
    LEAF_MEAN, LEAF_RMS, LEAF_MIN, LEAF_MAX, LEAF_FIRST, /* of an expression over time */
    LEAF_FINAL,     /* of an expression, at the end */
    LEAF_CONSTANT,  /* of an expression of parameters */
    LEAF_COUNT_EVENTS, LEAF_COUNT_MODES, LEAF_COUNT_SWITCH,
    LEAF_SUPPLIED, LEAF_STORED, LEAF_DISSIPATED, LEAF_LOST,
    LEAF_PERIOD, LEAF_MULTIPLIER, LEAF_MULTIPLIERS, /* of an orbit: the largest in size; all */
    LEAF_STABLE,                                    /* of an orbit or a mode */
    LEAF_ORDER, LEAF_ABSCISSA, LEAF_POLES           /* of a mode: the largest real part; all */
} leaf_kind;

/* Something an answer has to find for each row. */
typedef struct {
    leaf_kind kind;
    const jn_expr *e; /* of the first rows of the list above */
    int metered;      /* which of the expressions that are metered; −1: none */
    int sw;           /* LEAF_COUNT_SWITCH */
} leaf;

/* An expression that is measured over time, however many leaves ask something about it. */
typedef struct {
    const jn_expr *e;
    const char *text;
    unsigned what; /* JN_METER_… */
} metered;

typedef struct node node;

typedef struct {
    const char *name;
    const node *tree; /* NULL: a list, see `list` */
    int list;         /* a leaf of many columns; −1: none */
    int ncolumns;
} measure;

typedef struct {
    int nleaves, cap_leaves;
    leaf *leaf;
    int nmetered, cap_metered;
    metered *metered;
    int nmeasures;
    measure *measure;
} measures;

/* False: wrong, and reported. */
bool jni_measures_read(measures *m, jn_arena *arena, const jn_graph *g,
                       const jn_sweep_question *q, jn_diags *d);
void jni_measures_clear(measures *m);
/* From the leaves' values; NaN where one is not known. Sets *undefined where what is known makes no number: sqrt(-1),
 * 1/0. */
double jni_measure_value(const node *tree, const double *found, bool *undefined);

/* ---- answers ------------------------------------------------------------------------------- */

/* What a row has: the value of each leaf (NaN: not known), or the list of one that has many. */
typedef struct {
    double *leaf;
    double *list; /* of the one list there may be: pairs of re and im */
    int nlist;    /* pairs that there is room for */
    double *each; /* of each_period */
    jn_str status;
    bool is_partial; /* the status is that of single measures: what is there holds */
    bool interrupted;
} answer;

typedef struct {
    jn_status (*begin)(jn_sweep *s, jn_diags *d); /* reports what is wrong with the question */
    void (*row)(answer *to, jn_sweep *s);         /* the graph has its values */
    void (*end)(jn_sweep *s);
} answerer;

extern const answerer jni_answer_run, jni_answer_steady, jni_answer_analyse;

/* ---- the sweep (sweep.c) ------------------------------------------------------------------- */

struct jn_sweep {
    jn_arena *arena;
    jn_graph *g;
    jn_sweep_question q; /* its texts are copies in the arena */
    int naxes;
    axis *axis;
    uint64_t rows, samples;
    measures measures;
    int ncolumns;
    const char **column;
    const answerer *answerer;
    void *own; /* the answerer's */
    answer answer;
    jn_decimals *decimals;
    double *row; /* for its text */
    clock_t started; /* the present row, in processor time */
    const char *fingerprint;
};

/* Whether the row is to end: someone wants it, or its time is over. A callback; ctx is the sweep. */
bool jni_sweep_interrupted(void *ctx);
bool jni_sweep_is_late(const jn_sweep *s);
/* A value that is measured has impulses in jumps, of an area that is known or NaN: what the status has to say. Span: the
 * time that is measured. */
void jni_sweep_tell_impulses(answer *to, const metered *m, double area, double integral,
                             double span);
/* The first diagnostic, as one line. */
void jni_sweep_why(jn_str *out, const jn_diags *d);
/* What is varied, in a row. */
void jni_sweep_values(double *value, const jn_sweep *s, uint64_t row);
/* Gives them to the graph; NULL, or why that is not possible. */
const char *jni_sweep_set(jn_sweep *s, const double *value);
/* The first row, to see what is wrong whatever the values are, and what there is to warn of. */
jn_status jni_sweep_try(jn_sweep *s, jn_status (*answer_first)(jn_sweep *s, jn_diags *d),
                        jn_diags *d);
const char *jni_fingerprint_of(const jn_sweep *s);

#endif
