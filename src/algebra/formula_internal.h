/* formula_internal.h: what the files behind formula.h share.
 *
 * A guard goes through these steps, one file each:
 *     decompose.c      AND, OR, XOR over disjoint switches; what has none of them is prime
 *     gates.c          pairs of switches that a prime function sees through one gate only
 *     isop.c           a prime function as an irredundant sum of products
 *     formula.c        puts them together, and names long shared parts
 *     formula_build.c  the formula objects themselves
 *     formula_print.c  text and LaTeX */
#ifndef JUNCT_FORMULA_INTERNAL_H
#define JUNCT_FORMULA_INTERNAL_H

#include "junct/formula.h"
#include "guard_internal.h"

/* ---- formula objects ----------------------------------------------------------------------
 *
 * Every jn_formula is the first member of one of these. Objects are immutable and may be
 * shared: a formula is a directed graph, whose written length can be far above its size.
 * Except in jn_formula_not's results, NOT stands only before switches and XOR. */

typedef struct jn_item {
    jn_formula f;
    int literals;             /* its written length, at most JN_MANY_LITERALS */
    int first;                /* the smallest switch in it */
    bool split;               /* a case distinction: as a part it is better named */
    struct jn_item *negation; /* once it was asked for */
} jn_item;

enum { JN_MANY_LITERALS = 1 << 28 };

typedef struct jn_cover jn_cover;

struct jn_formulas {
    jn_guards *g;
    jn_arena *arena;
    jn_item *constant[2];
    jn_item **literal;  /* 2s: λs, 2s + 1: its negation; made on demand */
    jn_keymap decs;     /* node → jn_dec */
    jn_keymap items;    /* node → jn_item, without names */
    jn_keymap branches; /* node → jn_item, as a branch of a case distinction */
    jn_keymap covers;   /* pair of nodes → jn_cover */
    jn_keymap shown;    /* node → jn_formula */
    jn_keymap names;    /* jn_item → the jn_item that names it */
    const jn_formula **let;
    int nlets, caplets;
};

jn_item *jni_item_of(const jn_formula *f);
jn_item *jni_item_constant(jn_formulas *F, bool value);
jn_item *jni_item_literal(jn_formulas *F, int s, bool on);
jn_item *jni_item_name(jn_formulas *F, int let);
jn_item *jni_item_not(jn_formulas *F, jn_item *a);
/* AND, OR or XOR of n items: flattened, sorted by their switches. */
jn_item *jni_item_join(jn_formulas *F, jn_formula_op op, jn_item *const *part, int n);
jn_item *jni_item_join2(jn_formulas *F, jn_formula_op op, jn_item *a, jn_item *b);
/* An object like a with other parts, in the same order. */
jn_item *jni_item_with_parts(jn_formulas *F, const jn_item *a, jn_item *const *part);
/* a with by[s] in place of each switch s where by[s] is not NULL. */
jn_item *jni_item_substitute(jn_formulas *F, jn_item *a, jn_item *const *by);
bool jni_item_is_literal(const jn_item *a); /* a switch, its negation, or a name */

/* ---- decomposition ------------------------------------------------------------------------- */

typedef enum {
    JN_DEC_CONST,
    JN_DEC_LITERAL,
    JN_DEC_AND,
    JN_DEC_OR,
    JN_DEC_XOR,
    JN_DEC_PRIME
} jn_dec_kind;

typedef struct {
    jn_dec_kind kind;
    jn_guard f;
    bool inverted; /* XOR: f is the negation of the XOR of its parts, each 0 when all is OFF */
    int n;
    const jn_guard *part; /* AND, OR, XOR: the finest parts, with disjoint supports, by node */
} jn_dec;

const jn_dec *jni_decompose(jn_formulas *F, jn_guard f);

/* ---- gates --------------------------------------------------------------------------------- */

/* Finds disjoint pairs {u, v} of switches such that f depends on them only through one
 * two-input gate. The result has u, the smaller, in place of the gate; by[u] is the gate as a
 * formula. False when there is no such pair, or f is too large to look. */
bool jni_gates_merge(jn_guard *merged, jn_item **by, jn_formulas *F, jn_guard f);

/* ---- covers -------------------------------------------------------------------------------- */

/* An irredundant set of products whose sum lies between two functions. The switch tested is
 * the smallest the cover depends on: products that hold it OFF, ON, and that do without. */
struct jn_cover {
    jn_guard function;
    int products, literals;
    int s; /* −1: no product, or the empty one */
    const jn_cover *off, *on, *without;
};

/* A cover between least and most; NULL when it would be long or is too large to look for. */
const jn_cover *jni_cover_between(jn_formulas *F, jn_guard least, jn_guard most);
/* The cover as a sum of products; negated: as the product of sums of the negation. Two products
 * that differ only in the sense of two switches become one with an XOR. */
jn_item *jni_cover_formula(jn_formulas *F, const jn_cover *c, bool negated);

#endif
