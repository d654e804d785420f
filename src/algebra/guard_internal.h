/* guard_internal.h: what the files behind guard.h and formula.h share.
 *
 * The operators work on plain node numbers, 0 and 1 being the constants; the others walk a diagram
 * by jni_guard_top, _low and _high. */
#ifndef JUNCT_GUARD_INTERNAL_H
#define JUNCT_GUARD_INTERNAL_H

#include "junct/guard.h"

/* The switch tested at the root of a, or n for a constant; and the two branches there. */
int jni_guard_top(const jn_guards *g, jn_guard a);
jn_guard jni_guard_low(const jn_guards *g, jn_guard a);
jn_guard jni_guard_high(const jn_guards *g, jn_guard a);
int jni_guards_at(const jn_guards *g, int k);             /* the switch tested k-th */
int jni_guards_position(const jn_guards *g, int s);       /* k with order[k] = s; n for s = n */
jn_guard jni_guard_literal(jn_guards *g, int s, bool on); /* λs or its negation */

/* Guards made between enter and leave are given up at leave, all but the one kept: for
 * computations that go through many. Scopes nest. */
int jni_guards_enter(jn_guards *g);
jn_guard jni_guards_leave(jn_guards *g, int mark, jn_guard kept);

/* ---- results of operations ----------------------------------------------------------------- */

typedef struct {
    int f, g, h; /* the arguments; f = 0: a free place */
    int result;
} jn_cached;

typedef struct {
    int size; /* a power of two, or 0 */
    int overwritten;
    long asked, known; /* since it was last considered to be too small */
    jn_cached *entry;
} jn_cache; /* zeroed: empty */

void jni_cache_clear(jn_cache *c);
void jni_cache_forget(jn_cache *c);                        /* the results, not the room */
int jni_cache_get(jn_cache *c, int f, int g, int h); /* −1: not known */
void jni_cache_put(jn_cache *c, int f, int g, int h, int result);

/* ---- nodes: guard_nodes.c ------------------------------------------------------------------- */

typedef struct {
    int at;        /* the position it tests; INT_MAX for a constant, and for a place that is free */
    int low, high; /* its branches; a constant's are the constant itself */
    int next;      /* in the list of its place in the hash table, or of free places; 0: the last */
} jni_node;

typedef struct {
    int n, cap; /* places; cap is a power of two */
    jni_node *node;
    int *held;  /* per node: how often it was handed out */
    int *seen;  /* per node: the last walk that met it */
    int *first; /* per place in the hash table: the first node of its list, 0: none */
    int free;   /* the first free place below n; 0: none */
    int walk;   /* the number of the last one */
    int used;   /* nodes, without the constants */
    int limit;  /* how many there may be */
    int collect_at;
    bool released; /* some are held no longer since the last collection */
    jn_budget budget;
    jn_spent spent;       /* within an operation: results are wrong from here on */
    int made, operations; /* since the last look at the clock */
    long made_ever;
    jn_cache cache;
} jni_nodes;

/* A look at the clock is taken after so many operations, and nodes made within one. */
enum { JNI_OPERATIONS_BETWEEN = 1024, JNI_NODES_BETWEEN = 1 << 16 };

void jni_nodes_init(jni_nodes *t, int limit);
void jni_nodes_clear(jni_nodes *t);
int jni_node_make(jni_nodes *t, int at, int low, int high);
void jni_nodes_look_at_clock(jni_nodes *t);
void jni_nodes_collect(jni_nodes *t); /* not within an operation */
/* How many nodes a diagram has; tested (NULL: not wanted): the positions become true. */
int jni_nodes_walk(jni_nodes *t, int root, bool *tested);

/* Asked at every step of an operation. Somebody who wants it to end is a limit like any other. */
static inline bool jni_nodes_ran_out(jni_nodes *t)
{
    if (t->spent == JN_WITHIN && jn_interrupted())
        t->spent = JN_STOP_ASKED;
    return t->spent != JN_WITHIN;
}

jni_nodes *jni_guards_nodes(jn_guards *g);
/* The same limits of time and memory, counted from the same moment. */
void jni_guards_share_budget(jn_guards *g, const jn_guards *with);
/* Every operation ends with this: it makes the result a guard. */
jn_guard jni_guards_hand_out(jn_guards *g, int node);

/* ---- maps from node numbers, pairs of them and pointers ------------------------------------ */

typedef struct {
    int n, cap;
    uint64_t *key;
    void **value; /* NULL: a free place */
} jn_keymap;      /* zeroed: empty */

void jni_keymap_clear(jn_keymap *m);
void *jni_keymap_get(const jn_keymap *m, uint64_t key); /* NULL: not there */
void jni_keymap_put(jn_keymap *m, uint64_t key, void *value);

#endif
