/* mode_structure.h: the junction structures of the modes that were met, by how their switches
 * stand, which sources come late and which resistors early. See mode_structure.c. */
#ifndef MODE_STRUCTURE_H
#define MODE_STRUCTURE_H

#include "mode.h"

typedef struct structures structures;

structures *jni_structures_new(void);
structures *jni_structures_share(structures *k); /* one more owner */
void jni_structures_release(structures *k);      /* NULL-safe */
/* Those that hold for a model as its values are now: k itself, or empty ones in its place. */
structures *jni_structures_fit(structures *k, model *m);
/* The steps of a mode; NULL: it cannot be solved. They are there until they have been left as often as
 * they were asked for, and then until jni_structures_trim. *is_late, the same as late, lives as long
 * as k. follow: modes are made from each other, which pays where making one costs more than going
 * through its steps. */
const jn_solved *jni_structure_of(structures *k, model *m, const bool *late, bool follow,
                                  const jn_onoff *onoff, const bool **is_late);
void jni_structure_leave(structures *k, const jn_solved *m, const bool *is_late);
void jni_structures_trim(structures *k);
size_t jni_structure_size(const jn_solved *m); /* bytes, about */

#endif
