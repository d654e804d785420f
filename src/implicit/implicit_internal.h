/* implicit_internal.h: what both ways to the implicit equation share. */
#ifndef IMPLICIT_INTERNAL_H
#define IMPLICIT_INTERNAL_H

#include "junct/implicit.h"

/* The states and pseudo-states that a junction structure has. */
void jn_implicit_start(jn_implicit *f, const jn_junction *j);
/* Per row of S the factor of its element's law: from x to z for a storage, from Dout to Din for a
 * resistor. The caller frees it, even when it fails. */
jn_status jn_implicit_laws(jn_ratfun **law, const jn_junction *j, jn_diags *d);
jn_status jn_implicit_check_blocks(const jn_implicit *f, jn_diags *d);

/* single.c: of a junction structure that is of one mode. */
jn_status jn_implicit_derive_single(jn_implicit **out, const jn_junction *j, jn_diags *d);

#endif
