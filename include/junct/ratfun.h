/* ratfun.h: the field ℚ(p1, p2, …) of rational functions of the parameters, exact.
 *
 * Every value is kept once, in lowest terms with a fixed sign, so that two values are equal
 * when their numbers are. A value only knows the parameters that occur in it: a model with
 * thousands of parameters costs no more per operation than a small one. Constants are plain
 * rationals.
 *
 * Ownership: a jn_ratfun is a plain value and lives as long as its field. */
#ifndef JUNCT_RATFUN_H
#define JUNCT_RATFUN_H

#include <flint/fmpq.h>

#include "junct/base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct jn_field jn_field;

typedef struct {
    int id; /* 0 is zero, 1 is one */
} jn_ratfun;

#define JN_RATFUN_ZERO ((jn_ratfun){0})
#define JN_RATFUN_ONE ((jn_ratfun){1})

jn_field *jn_field_new(void);
void jn_field_free(jn_field *k); /* NULL-safe */
/* A value with more terms than this (numerator and denominator together) makes the field
 * fail: results are zero from then on, and jn_field_failed() says so. Default: 200,000. So do
 * coefficients of more than a million bits, degrees above a million, a product that would
 * have far too many terms on the way, and 2 GiB of values. */
void jn_field_limit(jn_field *k, long terms);
bool jn_field_failed(const jn_field *k);

/* ---- building ------------------------------------------------------------------------------ */

jn_ratfun jn_ratfun_int(jn_field *k, long c);
jn_ratfun jn_ratfun_fmpq(jn_field *k, const fmpq_t c);
jn_ratfun jn_ratfun_param(jn_field *k, int p); /* the parameter number p >= 0 */

jn_ratfun jn_ratfun_neg(jn_field *k, jn_ratfun a);
jn_ratfun jn_ratfun_add(jn_field *k, jn_ratfun a, jn_ratfun b);
jn_ratfun jn_ratfun_sub(jn_field *k, jn_ratfun a, jn_ratfun b);
jn_ratfun jn_ratfun_mul(jn_field *k, jn_ratfun a, jn_ratfun b);
/* INVALID, and *r left alone, for a division by zero; UNABLE, and *r zero, in a field that has
 * failed. */
jn_status jn_ratfun_inv(jn_ratfun *r, jn_field *k, jn_ratfun a) JN_CHECKED;
jn_status jn_ratfun_div(jn_ratfun *r, jn_field *k, jn_ratfun a, jn_ratfun b) JN_CHECKED;
jn_status jn_ratfun_pow(jn_ratfun *r, jn_field *k, jn_ratfun a, long n) JN_CHECKED;
/* a with value[p] put in for every parameter p < n (value[p].id < 0: p stays a symbol).
 * INVALID where the denominator vanishes. */
jn_status jn_ratfun_put(jn_ratfun *r, jn_field *k, jn_ratfun a, const jn_ratfun *value,
                        int n) JN_CHECKED;

/* Whether a is zero with value[p] put in as above; only its numerator is looked at. */
bool jn_ratfun_vanishes(jn_field *k, jn_ratfun a, const jn_ratfun *value, int n);
/* Of an a that vanishes, and is not zero itself: a factor of its numerator that does. */
jn_ratfun jn_ratfun_vanishing_factor(jn_field *k, jn_ratfun a, const jn_ratfun *value, int n);

/* ---- asking -------------------------------------------------------------------------------- */

static inline bool jn_ratfun_equal(jn_ratfun a, jn_ratfun b)
{
    return a.id == b.id;
}
static inline bool jn_ratfun_is_zero(jn_ratfun a)
{
    return a.id == 0;
}
static inline bool jn_ratfun_is_one(jn_ratfun a)
{
    return a.id == 1;
}
bool jn_ratfun_is_const(jn_field *k, jn_ratfun a);
/* The rational itself; false when a is not constant. */
bool jn_ratfun_get_fmpq(fmpq_t c, jn_field *k, jn_ratfun a);
double jn_ratfun_get_d(jn_field *k, jn_ratfun a); /* constants only, correctly rounded; else NaN */
/* The value with value[p] for parameter p, and in *slope its derivative where each parameter
 * changes at the rate change[p]. In doubles; infinite or NaN where the denominator vanishes. */
double jn_ratfun_eval_d(double *slope, jn_field *k, jn_ratfun a, const double *value,
                        const double *change);
long jn_ratfun_terms(jn_field *k, jn_ratfun a);   /* of numerator and denominator together */
/* The parameters that occur, ascending; returns how many, *p points into the field. */
int jn_ratfun_params(const int **p, jn_field *k, jn_ratfun a);

/* ---- exact numbers ------------------------------------------------------------------------- */

/* 12, 0.1, .5, 2., 1e-3, 1.5E+2, without a sign: exact. INVALID, and c left alone, when it is
 * not a number or when it would need more than JN_NUMBER_DIGITS digits (1e999999999). */
#define JN_NUMBER_DIGITS 10000
jn_status jn_number_parse(fmpq_t c, const char *s, size_t len) JN_CHECKED;
/* The nearest double, ties to even; infinite beyond the largest, subnormal and zero below. */
double jn_number_get_d(const fmpq_t c);

/* ---- printing ------------------------------------------------------------------------------ */

typedef enum {
    JN_RATFUN_TEXT,  /* -R1/L1, (a*b + 1)/(2*c), a^2 */
    JN_RATFUN_LATEX, /* -\frac{R_1}{L_1} */
    JN_RATFUN_OCTAVE /* as text; names made into identifiers by the caller */
} jn_ratfun_style;

/* names[p] is the parameter as the user named it; for LaTeX it is set as a symbol with a
 * subscript and escaped here. */
void jn_ratfun_print(jn_str *out, jn_field *k, jn_ratfun a, const char *const *names,
                     jn_ratfun_style style);
/* The same as a factor of a product: in brackets when it is a sum. */
void jn_ratfun_print_factor(jn_str *out, jn_field *k, jn_ratfun a, const char *const *names,
                            jn_ratfun_style style);
/* Whether it prints with a leading minus sign. */
bool jn_ratfun_is_negative(jn_field *k, jn_ratfun a);
/* A name in LaTeX: L1 becomes L_{1}, R_load R_{\mathrm{load}}, c[3].C c_{3}.C, all escaped. */
void jn_latex_symbol(jn_str *out, const char *name);
/* Text in LaTeX outside mathematics, escaped. */
void jn_latex_text(jn_str *out, const char *text);

#ifdef __cplusplus
}
#endif

#endif
