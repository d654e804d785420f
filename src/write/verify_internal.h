/* verify_internal.h: shared by the writers of proofs. */
#ifndef VERIFY_INTERNAL_H
#define VERIFY_INTERNAL_H

#include "junct/verify.h"

void jni_print_exact(jn_str *out, const fmpq_t c);                            /* "-1/3" */
/* Of what a range is about: a storage's state or a source. */
void jni_print_varied_name(jn_str *out, const jn_graph *g, int number);
void jni_print_state_name(jn_str *out, const jn_graph *g, int storage);       /* "p(L1)" */
void jni_print_never(jn_str *out, const jn_graph *g, const jn_never *n);      /* "the switch s" */

#endif
