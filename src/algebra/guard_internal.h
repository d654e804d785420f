/* guard_internal.h: what the files behind guard.h and formula.h share.
 *
 * Only guard.c knows the BDD library. The operators work on plain node numbers, 0 and 1 being
 * the constants; the others walk a diagram by jn_guard_top, _low and _high. */
#ifndef JUNCT_GUARD_INTERNAL_H
#define JUNCT_GUARD_INTERNAL_H

#include "junct/guard.h"

/* The switch tested at the root of a, or n for a constant; and the two branches there. */
int jn_guard_top(const jn_guards *g, jn_guard a);
jn_guard jn_guard_low(jn_guard a);
jn_guard jn_guard_high(jn_guard a);
int jn_guards_at(const jn_guards *g, int k);             /* the switch tested k-th */
int jn_guards_position(const jn_guards *g, int s);       /* k with order[k] = s; n for s = n */
jn_guard jn_guard_literal(jn_guards *g, int s, bool on); /* λs or its negation */

/* Guards made between enter and leave are given up at leave, all but the one kept: for
 * computations that go through many. Scopes nest. */
int jn_guards_enter(jn_guards *g);
jn_guard jn_guards_leave(jn_guards *g, int mark, jn_guard kept);

/* ---- nodes, for the operators ---------------------------------------------------------------
 *
 * Making a node may collect those that nobody holds. */

int jn_node_at(int node); /* the position it tests; INT_MAX for a constant */
int jn_node_low(int node);
int jn_node_high(int node);
int jn_node_make(int at, int low, int high);
void jn_node_hold(int node);
void jn_node_release(int node);
bool jn_nodes_ran_out(void); /* results are wrong from here on; end the operation */
/* Every operation ends with one of these: the first makes its result a guard. */
jn_guard jn_guards_hand_out(jn_guards *g, int node);
void jn_guards_check_limit(jn_guards *g);

/* ---- results of operations ----------------------------------------------------------------- */

typedef struct {
    int f, g, h; /* the arguments; f = 0: a free place */
    int result;
} jn_cached;

typedef struct {
    int size; /* a power of two, or 0 */
    int overwritten;
    jn_cached *entry;
} jn_cache; /* zeroed: empty */

jn_cache *jn_guards_cache(jn_guards *g);
void jn_cache_clear(jn_cache *c);
void jn_cache_forget(jn_cache *c);                        /* the results, not the room */
int jn_cache_get(const jn_cache *c, int f, int g, int h); /* −1: not known */
void jn_cache_put(jn_cache *c, int f, int g, int h, int result);

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
