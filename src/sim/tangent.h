/* tangent.h: what becomes of a small deviation along a run that is followed exactly.
 *
 *     exact_linear.c   one mode, as a linear system for deviations
 *     tangent.c        the chain of stretches and events, as the run passes them
 *     tangent_values.c what stands in its links when values are others */
#ifndef TANGENT_H
#define TANGENT_H

#include "exact.h"

/* ---- one mode (exact_linear.c) ------------------------------------------------------------- */

jn_linearised *jni_linear_new(jn_sim *s, mode *m, const jn_disturbance *what);
void jni_linear_free(jn_linearised *l); /* NULL-safe */
/* Adds a linear form to a row over w and one over (û, û′) of a source; −1: none. */
void jni_linear_form(double *over_w, double *over_u, jn_sim *s, mode *m, const jn_linearised *l,
                     const linear_form *f, int source);

/* ---- the chain (tangent.c) ----------------------------------------------------------------- */

/* So much of the present stretch has been passed. */
void jni_chain_stretch(jn_sim *s, double tau);
/* An instant begins: the present is what was before it. old_state: of the automata, before time moved
 * them; NULL: it did not. */
void jni_chain_begin(jn_sim *s, const int *old_state);
/* The jump into a mode counts; z: the point there. jumps: the state changes by more than rounding. */
void jni_chain_enter(jn_sim *s, mode *m, const double *z, bool jumps);
/* The instant is over: the present is what is after it. */
void jni_chain_end(jn_sim *s);
/* What the impulses of a jump into m, from where to where, add to the integrals. */
void jni_add_impulses(double *to, jn_sim *s, mode *m, const double *from);
jn_sim *jni_chain_run(const jn_chain *c); /* that it was made for */
void jni_chain_miss(jn_sim *s, const char *why); /* something that it does not know of happened */

#endif
