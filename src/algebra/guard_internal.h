/* guard_internal.h: what the files behind guard.h and formula.h share.
 *
 * Only guard.c knows the BDD library; the others walk a diagram by jn_guard_top, _low and
 * _high. */
#ifndef JUNCT_GUARD_INTERNAL_H
#define JUNCT_GUARD_INTERNAL_H

#include "junct/guard.h"

/* The switch tested at the root of a, or n for a constant; and the two branches there. */
int jn_guard_top(const jn_guards *g, jn_guard a);
jn_guard jn_guard_low(jn_guard a);
jn_guard jn_guard_high(jn_guard a);
int jn_guards_position(const jn_guards *g, int s);       /* k with order[k] = s; n for s = n */
jn_guard jn_guard_literal(jn_guards *g, int s, bool on); /* λs or its negation */

/* Guards made between enter and leave are given up at leave, all but the one kept: for
 * computations that go through many. Scopes nest. */
int jn_guards_enter(jn_guards *g);
jn_guard jn_guards_leave(jn_guards *g, int mark, jn_guard kept);

/* ---- maps from node numbers, pairs of them and pointers ------------------------------------ */

typedef struct {
    int n, cap;
    uint64_t *key;
    void **value; /* NULL: a free place */
} jn_keymap;      /* zeroed: empty */

void jn_keymap_clear(jn_keymap *m);
void *jn_keymap_get(const jn_keymap *m, uint64_t key); /* NULL: not there */
void jn_keymap_put(jn_keymap *m, uint64_t key, void *value);

#endif
