/* ratfun_internal.h: the store behind jn_field, shared by field.c and the ratfun_*.c files.
 *
 * The fence around fmpz_mpoly_q: Calcium has it for FLINT 2, FLINT itself from 3 on. */
#ifndef JUNCT_RATFUN_INTERNAL_H
#define JUNCT_RATFUN_INTERNAL_H

#include "junct/ratfun.h"

#include <flint/fmpz_mpoly.h>
#if __FLINT_RELEASE >= 30000
#include <flint/fmpz_mpoly_q.h>
#else
#include <calcium/fmpz_mpoly_q.h>
#endif

/* No coefficient may have more bits than this, and no monomial a higher degree: a tower of
 * powers in a model must end in a message, not in swapping. */
#define JN_RATFUN_BITS (1l << 20)
#define JN_RATFUN_DEGREE (1l << 20)

typedef struct {
    uint64_t hash;
    const int *param; /* the parameters that occur, ascending; in the field's arena */
    int nparams;      /* 0: a constant */
    int neg, inv;     /* the numbers of −v and 1/v; −1 until someone asks */
    union {
        fmpq c;                /* a constant, canonical */
        fmpz_mpoly_q_struct f; /* otherwise; variable i is param[i]; canonical */
    };
} jn_value;

typedef enum { JN_RATFUN_ADD, JN_RATFUN_MUL } jn_ratfun_op;

/* An earlier result, r = a op b with a <= b. */
typedef struct {
    int op, a, b, r;
} jn_memo;

struct jn_field {
    jn_value *value; /* by number */
    int n, cap;
    int *slot; /* hash table of numbers, −1 where free */
    int nslots;
    jn_memo *memo; /* direct-mapped: a newer result replaces an older one */
    int nmemo;
    fmpz_mpoly_ctx_struct **ctx; /* by the number of variables; made when first needed */
    int nctx;
    jn_arena *arena;
    size_t bytes; /* what the values take, about */
    long limit;
    bool failed;
};

static inline const jn_value *jn_field_value(const jn_field *k, jn_ratfun a)
{
    return &k->value[a.id];
}

/* Fails for good; returns zero. */
jn_ratfun jni_field_fail(jn_field *k);
/* Polynomials in n > 0 variables, terms by degree, then by variable. */
const fmpz_mpoly_ctx_struct *jni_field_ctx(jn_field *k, int n);
/* f with its variable v as variable to[v], ascending; a negative to[v] does not occur in f. */
void jni_field_rename(fmpz_mpoly_q_t r, const fmpz_mpoly_q_t f, const int *to,
                     const fmpz_mpoly_ctx_t from, const fmpz_mpoly_ctx_t into);
/* The number of a value, old or new; the argument is copied. Pointers to a jn_value end here.
 * The first takes a canonical fraction in n > 0 variables that need not all occur. */
jn_ratfun jni_field_intern(jn_field *k, const fmpz_mpoly_q_t f, const int *param, int n);
jn_ratfun jni_field_intern_const(jn_field *k, const fmpq_t c);
/* Where the result of an operation is, or will be, remembered. */
jn_memo *jni_field_memo(jn_field *k, jn_ratfun_op op, jn_ratfun a, jn_ratfun b);

#endif
