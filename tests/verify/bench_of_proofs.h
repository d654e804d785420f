/* bench_of_proofs.h: a model from its text, verified. */
#ifndef BENCH_OF_PROOFS_H
#define BENCH_OF_PROOFS_H

#include "junct.h"
#include "testing.h"

typedef struct {
    jn_arena *arena;
    jn_diags *diags;
    jn_graph *graph;
    jn_junction *junction;
    jn_verification *v; /* NULL: it could not be asked; diags say why */
} proof_rig;

/* In two steps, or in one. */
void proof_read(proof_rig *r, const char *text);
void proof_ask(proof_rig *r, const jn_verify_options *options);
/* options: NULL for the usual ones. A model that cannot be read is a failed assertion. */
void proof_new(proof_rig *r, const char *text, const jn_verify_options *options);
void proof_example(proof_rig *r, const char *name, const char *set); /* "vth=0", or NULL */
void proof_clear(proof_rig *r);
bool proof_has_error(const proof_rig *r, const char *slug);

#endif
