/* logic.h: formulas over Booleans and reals, and a solver that decides whether they can hold.
 *
 * The only place that knows Z3, which is loaded when the first logic is made. Numbers are exact.
 * A term lives as long as its logic. */
#ifndef LOGIC_H
#define LOGIC_H

#include <flint/fmpq.h>

#include "junct/base.h"

typedef struct logic logic;
typedef struct jni_term *term; /* a Boolean, or a real number */

typedef enum { LOGIC_NO, LOGIC_YES, LOGIC_UNKNOWN } answer;

/* NULL: Z3 is not installed. `until`: processor seconds at which it gives up, 0: never. */
logic *jni_logic_new(double until);
void jni_logic_free(logic *l); /* NULL-safe */
bool jni_logic_is_late(const logic *l);
void jni_logic_interrupt(logic *l); /* what it is at, or does next, has no answer */
void jni_logic_take_time(logic *l, double until);      /* as much as there is, after all */
void jni_logic_hurry(logic *l, double seconds); /* not longer than this from now on */

/* ---- terms --------------------------------------------------------------------------------- */

term jni_true(logic *l);
term jni_false(logic *l);
bool jni_is_true(const logic *l, term a);
bool jni_is_false(const logic *l, term a);
term jni_bool(logic *l); /* a new one */
term jni_real(logic *l);
term jni_number(logic *l, const fmpq_t c);
term jni_zero(logic *l);

term jni_not(logic *l, term a);
term jni_and(logic *l, term a, term b);
term jni_or(logic *l, term a, term b);
term jni_implies(logic *l, term a, term b);
term jni_iff(logic *l, term a, term b);
term jni_choose(logic *l, term when, term a, term b); /* Booleans or reals */
term jni_add(logic *l, term a, term b);
term jni_scale(logic *l, const fmpq_t c, term a);
term jni_less(logic *l, term a, term b);
term jni_equal(logic *l, term a, term b); /* reals */

/* ---- asking -------------------------------------------------------------------------------- */

void jni_assert(logic *l, term a);
/* Of reals. Solved for one of its unknowns, where that stands in no formula yet: so what holds without
 * condition is best asserted first. */
void jni_assert_equal(logic *l, term a, term b);
void jni_push(logic *l);
void jni_pop(logic *l);
answer jni_ask(logic *l);
/* After YES: what makes it hold. Gone when the scope ends, unless it was read or held before; then it stays
 * until the next YES. */
bool jni_hold(logic *l); /* false: it is lost, and what is read is 0 */
bool jni_told(logic *l, term a);
void jni_told_number(fmpq_t out, logic *l, term a);

#endif
