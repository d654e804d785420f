/* formula.h: a guard as a formula that a person can read.
 *
 * A guard is decomposed into AND, OR and XOR over disjoint sets of switches as far as that
 * goes; what is left becomes an irredundant sum of products or product of sums, whichever is
 * shorter; a formula that would still be long names its parts (let). The cost follows the
 * diagram, never 2^n: an AND of 64 ORs comes out as just that. */
#ifndef JUNCT_FORMULA_H
#define JUNCT_FORMULA_H

#include "junct/guard.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
    JN_FORMULA_CONST,  /* value 0 or 1 */
    JN_FORMULA_SWITCH, /* value: the switch's number */
    JN_FORMULA_NAME,   /* value: the number of a let, from 0 */
    JN_FORMULA_NOT,    /* one part */
    JN_FORMULA_AND,    /* two or more parts */
    JN_FORMULA_OR,
    JN_FORMULA_XOR
} jn_formula_op;

typedef struct jn_formula {
    jn_formula_op op;
    int value;
    int nparts;
    const struct jn_formula **part;
} jn_formula;

/* Formulas that are shown together and share their lets. Freed with its arena's owner:
 * jn_formulas_free releases everything. Equal guards give the same formula object. */
typedef struct jn_formulas jn_formulas;
jn_formulas *jn_formulas_new(jn_guards *g);
void jn_formulas_free(jn_formulas *f); /* NULL-safe */

const jn_formula *jn_formula_of(jn_formulas *f, jn_guard a);
/* The shortest found among the functions that agree with a wherever care holds. */
const jn_formula *jn_formula_of_care(jn_formulas *f, jn_guard a, jn_guard care);
const jn_formula *jn_formula_not(jn_formulas *f, const jn_formula *a); /* pushes no NOT inside */

int jn_formulas_lets(const jn_formulas *f); /* in order: each uses only earlier ones */
const jn_formula *jn_formulas_let(const jn_formulas *f, int i);
int jn_formula_literals(const jn_formula *a); /* its length: switches and names in it */

typedef enum {
    JN_FORMULA_TEXT, /* s1 ^ s2, !(a & b) | c; lets are _1, _2, … */
    JN_FORMULA_LATEX /* \lambda_{s1} \oplus \lambda_{s2}, \overline{a \wedge b} \vee c */
} jn_formula_style;

/* names[s] is the switch as the user named it. For LaTeX they are escaped here. */
void jn_formula_print(jn_str *out, const jn_formula *a, const char *const *names,
                      jn_formula_style style);
/* The same with brackets around it when its operator binds less tightly than AND. */
void jn_formula_print_factor(jn_str *out, const jn_formula *a, const char *const *names,
                             jn_formula_style style);

#ifdef __cplusplus
}
#endif

#endif
