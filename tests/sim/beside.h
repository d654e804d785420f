/* beside.h: two runs of one model side by side: the same events, the same values.
 *
 * A run goes to BESIDE_END and is read at rows on the way. What differs is printed, one line for a
 * run that stops, one place for events, one for values. */
#ifndef BESIDE_H
#define BESIDE_H

#include "rig.h"

#define BESIDE_END 2.0

enum { BESIDE_ROWS = 97, BESIDE_OUTPUTS = 24 };

typedef struct {
    rig r;
    bool ran;
    char what[60];
    int noutputs, nrows;
    double row[BESIDE_ROWS][BESIDE_OUTPUTS];
} run;

/* To the end, reading every row or the last one only; asserts that it gets there. */
void beside_run(run *x, const char *what, const char *text, const jn_sim_options *o, bool rows);
/* The same without an assertion: it may stop, then it did not run. False: it cannot begin. */
bool beside_try(run *x, const char *what, const char *text, const jn_sim_options *o, bool rows);
double beside_time(int row);

void beside_events(const run *a, const run *b, double bound);
void beside_rows(const run *a, const run *b, int from, double bound);
/* Both, where both went through. */
void beside_compare(const run *a, const run *b, int from_row, double bound);
void beside_ledger(const run *x);

/* Whether the body comes to its end without a failed assertion, in a process of its own with so
 * many seconds of processor time. */
bool beside_passes(void (*body)(const void *context), const void *context, int seconds);
/* What the body returns, 0 to 127, in such a process; −1: it crashed or never ended. */
int beside_outcome(int (*body)(const void *context), const void *context, int seconds);

#endif
