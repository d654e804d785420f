/* guarded.h: values that depend on the mode, and sparse matrices of them.
 *
 * A guarded value is a function of λ: finitely many values of ℚ(params), none of them zero,
 * each under a guard; the guards are disjoint; where none holds the value is 0. Values are
 * distinct and sorted by number, so that equal functions are equal lists. */
#ifndef JUNCT_GUARDED_H
#define JUNCT_GUARDED_H

#include "junct/guard.h"
#include "junct/ratfun.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What the coefficients are made of. Neither is owned. */
typedef struct {
    jn_guards *guards;
    jn_field *field;
} jn_ring;

typedef struct {
    jn_guard guard;
    jn_ratfun value;
} jn_case;

typedef struct {
    int n;      /* 0: the value 0 */
    jn_case *c; /* owned */
} jn_guarded;

/* ---- values --------------------------------------------------------------------------------
 * A result may be one of the arguments. Every result argument must be initialised. */

void jn_guarded_init(jn_guarded *v); /* 0 */
void jn_guarded_clear(jn_guarded *v);
void jn_guarded_set(jn_guarded *r, const jn_guarded *a);
void jn_guarded_set_case(jn_guarded *r, jn_guard g, jn_ratfun value); /* value under g, else 0 */
void jn_guarded_neg(jn_guarded *r, const jn_guarded *a, jn_ring ring);
void jn_guarded_add(jn_guarded *r, const jn_guarded *a, const jn_guarded *b, jn_ring ring);
void jn_guarded_mul(jn_guarded *r, const jn_guarded *a, const jn_guarded *b, jn_ring ring);
void jn_guarded_scale(jn_guarded *r, const jn_guarded *a, jn_ratfun c, jn_ring ring);
/* 1/a where a is not zero, 0 elsewhere. */
void jn_guarded_inv(jn_guarded *r, const jn_guarded *a, jn_ring ring);
void jn_guarded_restrict(jn_guarded *r, const jn_guarded *a, jn_guard g, jn_ring ring); /* a under g, else 0 */
/* Drops the cases that hold nowhere in g. The others keep their guards: outside g the value is then
 * of no meaning. */
void jn_guarded_confine(jn_guarded *v, jn_guard g, jn_ring ring);
/* The same values with guards as they are shown: see jn_guard_tidy. A guard that agrees with
 * `prefer` wherever care holds becomes just that (false: no preference). */
void jn_guarded_tidy(jn_guarded *r, const jn_guarded *a, jn_guard care, jn_guard prefer,
                     jn_ring ring);

bool jn_guarded_is_zero(const jn_guarded *a);
jn_guard jn_guarded_support(const jn_guarded *a, jn_ring ring); /* where it is not zero */
jn_ratfun jn_guarded_at(const jn_guarded *a, const jn_onoff *m, jn_ring ring);

/* ---- sparse matrices ----------------------------------------------------------------------- */

typedef struct {
    int col;
    jn_guarded value; /* never 0 */
} jn_entry;

typedef struct {
    int n, cap;
    jn_entry *e; /* by column, ascending */
} jn_row;

typedef struct {
    int nrows, ncols;
    jn_row *row;
} jn_matrix;

void jn_row_init(jn_row *r);
void jn_row_clear(jn_row *r);
void jn_row_copy(jn_row *to, const jn_row *from);
const jn_guarded *jn_row_get(const jn_row *r, int col); /* NULL where it is 0 */
/* Adds v to the entry of a column. */
void jn_row_add(jn_row *r, int col, const jn_guarded *v, jn_ring ring);
/* r := r − c·p. */
void jn_row_submul(jn_row *r, const jn_guarded *c, const jn_row *p, jn_ring ring);
void jn_row_restrict(jn_row *r, jn_guard g, jn_ring ring);

void jn_matrix_init(jn_matrix *m, int nrows, int ncols);
void jn_matrix_clear(jn_matrix *m);
const jn_guarded *jn_matrix_get(const jn_matrix *m, int i, int j); /* NULL where it is 0 */
void jn_matrix_add(jn_matrix *m, int i, int j, const jn_guarded *v, jn_ring ring);
/* prefer: one guard per row. */
void jn_matrix_tidy(jn_matrix *m, jn_guard care, const jn_guard *prefer, jn_ring ring);
int jn_matrix_entries(const jn_matrix *m);

#ifdef __cplusplus
}
#endif

#endif
