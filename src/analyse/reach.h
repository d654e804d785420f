/* reach.h: guarded reachability; see reach.c. */
#ifndef REACH_H
#define REACH_H

#include "analyse_internal.h"

typedef struct {
    jn_ring ring;
    int n;             /* nodes */
    jn_guard *reached; /* per node */
    struct jn_couplings {
        int n, cap;
        struct jn_coupling {
            int node;
            jn_guard guard;
        } * to;
    } * from;
} jn_reach;

void jni_reach_init(jn_reach *r, jn_ring ring, int n);
void jni_reach_clear(jn_reach *r);
void jni_reach_seed(jn_reach *r, int i, jn_guard g);
void jni_reach_couple(jn_reach *r, int from, int to, jn_guard g);
void jni_reach_solve(jn_reach *r);

#endif
