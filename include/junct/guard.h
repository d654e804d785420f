/* guard.h: Boolean functions of the switches λ1 … λn.
 *
 * A guard says in which modes something holds. It is held as a binary decision diagram, so
 * that equal functions are the same node, and a question about 2^128 modes costs what the
 * diagram costs.
 *
 * Ownership: a guard is a plain value and lives as long as its space; nothing is released
 * one by one. Several spaces may be alive; all of them belong to one thread.
 *
 * Failure: a space that outgrows a limit (nodes, time, memory) fails. From then on every result is
 * meaningless and jn_guards_failed() says so: a stage asks once, at its end or in its outer
 * loop, and returns JN_UNABLE. */
#ifndef JUNCT_GUARD_H
#define JUNCT_GUARD_H

#include <flint/fmpz.h>

#include "junct/limits.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct jn_guards jn_guards; /* the space of functions of n switches */

typedef struct {
    int node;
} jn_guard;

/* A mode: one byte per switch, 0 or 1, in the order of declaration. */
typedef uint8_t jn_onoff;

/* order[k] is the switch that is tested k-th in the diagrams (a permutation of 0 … n−1), or
 * NULL for the order of declaration. Good orders go along the bond graph. */
jn_guards *jn_guards_new(int nswitches, const int *order);
void jn_guards_free(jn_guards *g); /* NULL-safe */
int jn_guards_size(const jn_guards *g); /* number of switches */
bool jn_guards_failed(const jn_guards *g);
void jn_guards_limit(jn_guards *g, int nodes); /* default: 64 million */
/* Limits of time and memory that count from now on; NULL: none, as at first. Once they are spent the
 * space fails like one with too many nodes; jn_guards_spent says which it was. */
void jn_guards_within(jn_guards *g, const jn_limits *l);
jn_spent jn_guards_spent(const jn_guards *g);
/* How many nodes have been made so far, those given up included: a measure of the work done that is
 * the same on every machine. */
long jn_guards_made(const jn_guards *g);

/* ---- building ------------------------------------------------------------------------------ */

jn_guard jn_guard_true(void);
jn_guard jn_guard_false(void);
jn_guard jn_guard_switch(jn_guards *g, int s); /* λs */
jn_guard jn_guard_not(jn_guards *g, jn_guard a);
jn_guard jn_guard_and(jn_guards *g, jn_guard a, jn_guard b);
jn_guard jn_guard_or(jn_guards *g, jn_guard a, jn_guard b);
jn_guard jn_guard_xor(jn_guards *g, jn_guard a, jn_guard b);
jn_guard jn_guard_minus(jn_guards *g, jn_guard a, jn_guard b); /* a and not b */
jn_guard jn_guard_ite(jn_guards *g, jn_guard c, jn_guard t, jn_guard e);
jn_guard jn_guard_cofactor(jn_guards *g, jn_guard a, int s, bool on); /* a with λs fixed */
/* Quantification over a set of switches; member[s] tells whether s is in it. */
jn_guard jn_guard_exists(jn_guards *g, jn_guard a, const bool *member);
jn_guard jn_guard_forall(jn_guards *g, jn_guard a, const bool *member);
/* Exactly the mode m. */
jn_guard jn_guard_mode(jn_guards *g, const jn_onoff *m);
/* Some function that agrees with a wherever care holds, usually a smaller diagram. */
jn_guard jn_guard_simplify(jn_guards *g, jn_guard a, jn_guard care);

/* A function that agrees with a wherever care holds and depends on as few switches as can be
 * had by dropping them one after another; elsewhere it is false as far as that allows. With
 * care = "not forbidden" this is how guards are shown: the forbidden modes count as 0 unless
 * that alone would make the guard depend on a switch. Where taken is not false, the result
 * stays clear of taken outside care (so that the guards of several cases stay disjoint). */
jn_guard jn_guard_tidy(jn_guards *g, jn_guard a, jn_guard care, jn_guard taken);

/* ---- asking -------------------------------------------------------------------------------- */

bool jn_guard_equal(jn_guard a, jn_guard b);
bool jn_guard_is_true(jn_guard a);
bool jn_guard_is_false(jn_guard a);
bool jn_guard_implies(jn_guards *g, jn_guard a, jn_guard b);
bool jn_guard_disjoint(jn_guards *g, jn_guard a, jn_guard b);
bool jn_guard_at(jn_guards *g, jn_guard a, const jn_onoff *m); /* the value in mode m */
void jn_guard_support(bool *member, jn_guards *g, jn_guard a);  /* member: n entries, overwritten */
void jn_guard_count(fmpz_t count, jn_guards *g, jn_guard a); /* number of modes, exact */
int jn_guard_nodes(jn_guards *g, jn_guard a); /* size of the diagram */
/* Sorts guards by the switch that each tests first, the one that comes late in the diagrams before
 * the others: taken together in this order, what has been done stays as it is. */
void jn_guards_sort(jn_guard *list, int n, const jn_guards *g);

/* Writes the mode of a with the most switches ON; among those the one that is greatest in the
 * order of declaration (so 100 before 010). False when a is false. */
bool jn_guard_best_mode(jn_onoff *m, jn_guards *g, jn_guard a);

/* Calls visit for every mode of a, in binary counting order with the switch declared first
 * most significant, until visit returns false. */
void jn_guard_each_mode(jn_guards *g, jn_guard a, bool (*visit)(const jn_onoff *m, void *ctx),
                        void *ctx);

#ifdef __cplusplus
}
#endif

#endif
