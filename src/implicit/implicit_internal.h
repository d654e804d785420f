/* implicit_internal.h: what both ways to the implicit equation share. */
#ifndef IMPLICIT_INTERNAL_H
#define IMPLICIT_INTERNAL_H

#include "junct/implicit.h"

/* The states and pseudo-states that a junction structure has. */
void jni_implicit_start(jn_implicit *f, const jn_junction *j);
/* laws.c: F and R. */
jn_status jni_implicit_laws(jn_implicit *f, const jn_junction *j, jn_diags *d);
/* The value in a row of F or R that has this column alone, the same in all modes, and not zero; NULL: it is
 * more than that. */
const jn_guarded *jni_law_alone(const jn_row *row, int number);
jn_status jni_implicit_check_blocks(const jn_implicit *f, jn_diags *d);

/* feedback.c: what a source reads, as a row over the columns of S in the modes of `where`; *open:
 * those in which it reads what nothing determines. */
jn_status jni_feedback_row(jn_row *out, jn_guard *open, const jn_implicit *f, int source,
                           jn_guard where, jn_diags *d) JN_CHECKED;

/* The same for the row itself: whether the source binds (see jn_implicit). */
bool jni_feedback_binds(const jn_row *row, const jn_implicit *f, int source);

/* single.c: of a junction structure that is of one mode. */
jn_status jni_implicit_derive_single(jn_implicit **out, const jn_junction *j, jn_diags *d);

/* What is to be eliminated, as columns of S: Din, and the sources that are fed, reading the model linearly. cols
 * has room for all columns behind those of x; returns how many there are. */
int jni_implicit_unknowns(int *cols, const bool *fed, const jn_implicit *f);

#endif
