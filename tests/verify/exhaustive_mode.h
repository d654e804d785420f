/* exhaustive_mode.h: one mode of a small model, eliminated by itself. */
#ifndef EXHAUSTIVE_MODE_H
#define EXHAUSTIVE_MODE_H

#include "junct.h"

/* What is given: the state from which the mode is entered, the inputs, the rates of the inputs. */
typedef struct {
    int nx, nu, n; /* n = nx + 2·nu */
} given_size;

/* Every row has given_size.n coefficients; two rows a bond, effort and flow. */
typedef struct {
    bool is_able;     /* all that is read is determined */
    bool is_forbidden;
    fmpq *after;      /* nx rows: the state after the jump */
    fmpq *rate;       /* nx rows: of the states */
    fmpq *finite, *impulse, *conflict;
} exhaustive_mode;

/* agree: sources that had to give way say what they have to: they are there, and what passes them is open. */
void exhaustive_mode_find(exhaustive_mode *out, const jn_graph *g, const jn_onoff *onoff, bool agree);
void exhaustive_mode_clear(exhaustive_mode *m, const jn_graph *g);

#endif
