/* trial.h: one random model carried through the library and, mode by mode, the oracle. */
#ifndef TRIAL_H
#define TRIAL_H

#include "junct.h"
#include "oracle.h"

enum { TRIAL_SWITCHES = 8 };

typedef struct {
    /* the library's */
    jn_str text;
    jn_arena *arena;
    jn_diags *diags;
    jn_graph *graph;
    jn_junction *junction;
    jn_implicit *implicit;
    bool numeric;
    /* the numbers that stand for the graph's parameters, and for values seen so far */
    jn_ratfun *param_value;
    struct trial_number {
        bool known, finite;
        fmpq_t value;
    } * number;
    int nnumbers;
    /* the oracle's */
    const model *model;
    int nswitches, nmodes;
    oracle *oracle; /* by mode; mode k has switch 0 in its most significant digit */
    bool conductance[MODEL_ELEMENTS]; /* what resistors wish: see oracle.h */

    const char *test;
    int index; /* of the model within its test */
    bool failed;
} trial;

/* Reads the model, builds its junction structure, asks the oracle about every mode. False when
 * the library refuses it or reads something else, which has then been reported. Clear it either
 * way. */
bool trial_run(trial *t, const model *m, bool numeric, test_rng *r, const char *test, int index);
bool trial_derive(trial *t); /* the implicit equation as well */
void trial_clear(trial *t);

void trial_mode(jn_onoff *mode, const trial *t, int k);
/* Reports a disagreement in mode k (−1: in none), with all that is needed to see it again. Always
 * false. */
bool trial_fails(trial *t, int k, const char *fmt, ...) JN_PRINTF(3, 4);

/* A value of the library as a number; false when a denominator vanishes for these numbers. */
bool trial_number_of(fmpq_t v, trial *t, jn_ratfun a);
bool trial_is(trial *t, jn_ratfun a, const fmpq_t expected);
bool trial_is_si(trial *t, jn_ratfun a, slong expected);

/* How many models a test takes: JUNCT_MODELS times as many as usual. */
int trial_models(int usual);

/* What a suite has seen; the totals are printed when it is over. */
typedef struct {
    int models, modes, forbidden, singular;
} trial_tally;
void trial_count(trial_tally *y, const trial *t);
void trial_tally_print(const char *suite, const trial_tally *y);

/* A test over random models: each is made, carried through the library and the oracle, and checked;
 * the first that disagrees ends it. */
typedef struct {
    const char *test;
    bool numeric;
    uint64_t stream; /* of random numbers: that of the first model; the next one has the next */
    int usual;       /* models */
    void (*make)(model *m, test_rng *r, int index); /* NULL: model_random_of */
    bool (*check)(trial *t, test_rng *r);
    trial_tally *tally;
} trial_plan;
void trial_each(const trial_plan *p);

#endif
