/* exhaustive.h: what a small model can do at an instant, by going through all cases.
 *
 * For checking proofs. It shares nothing with them but the model that was read: every mode is
 * eliminated by itself, and an instant is gone through as docs/method.md says, step by step, once for
 * every cell of the space of states and inputs in which the conditions have the same signs (cells.h).
 *
 * It knows constant sources and sources that are only bounded, plain elements with positive values,
 * conditions linear in the model's variables with abs, prior, and, or, not, on; clocks. */
#ifndef EXHAUSTIVE_H
#define EXHAUSTIVE_H

#include "junct.h"

typedef enum { EXHAUSTIVE_HOLDS, EXHAUSTIVE_FAILS, EXHAUSTIVE_UNDECIDED } exhaustive_verdict;

typedef struct {
    bool is_able; /* else the model has something that it does not know */
    const char *why;
    exhaustive_verdict settling, dead_ends, races;
    int changes; /* of the longest cascade */
    int nasserts;
    exhaustive_verdict *assertion;
    bool is_vacuous; /* no mode lasts */
    bool agrees;     /* in some mode sources are tied to each other, constants that agree */
    long cells;      /* that were looked at */
} exhaustive_answer;

typedef struct {
    int most_changes; /* beyond it is undecided */
    long most_asked;  /* linear programs */
    bool races;
} exhaustive_options;

void exhaustive_ask(exhaustive_answer *out, const jn_graph *g, const exhaustive_options *o);
void exhaustive_clear(exhaustive_answer *a);

#endif
