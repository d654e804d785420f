/* analyse_subject.h: a random model under analysis, and what is compared with brute force in files
 * of its own. */
#ifndef ANALYSE_SUBJECT_H
#define ANALYSE_SUBJECT_H

#include "junct.h"
#include "oracle.h"

enum { SWITCHES = 8 };

typedef struct {
    const char *test;
    int index;
    model m;
    bool numeric; /* values are put in; else parameters stay, with their generic numbers at the end
                   */
    jn_str text;
    jn_arena *arena;
    jn_diags *diags;
    jn_graph *graph;
    jn_junction *junction;
    jn_implicit *implicit;
    jn_analysis *analysis;
    jn_across *across;
    jn_ratfun *value; /* per parameter, and for s; id < 0: none */
    /* what is read: of a state each, or efforts and flows of ports */
    int noutputs;
    bool states_read;
    struct {
        int element;
        bool effort;
    } output[4];
    jn_onoff mode[SWITCHES];
} subject;

/* False: the library refuses the model; clear it all the same. */
bool subject_init(subject *x, const char *test, int index, uint64_t stream, bool numeric);
void subject_clear(subject *x);
/* Reports a failure with all it takes to see it again; false. */
bool subject_fails(const subject *x, const char *what);
/* A result as a number; false where its denominator vanishes. */
bool subject_number(fmpq_t c, const subject *x, jn_ratfun v);

/* Subtracts factor·(what couples a port to the others of its field) from a row of laws, whose
 * columns are e and f of the ports. */
void subject_links(fmpq_mat_t laws, slong row, const subject *x, const oracle *o, int element,
                   slong factor);

/* analyse_zeros.c: invariant zeros as the common factor of the minors of all laws at once. */
bool check_zeros(const subject *x, const oracle *o, const jn_dynamics *d);
/* analyse_impulses.c: impulses from the laws of all elements and bonds. E, A, B of the mode. */
bool check_impulses(const subject *x, const oracle *o, const jn_mode_analysis *m,
                    const fmpq_mat_t E, const fmpq_mat_t A, const fmpq_mat_t B);

#endif
