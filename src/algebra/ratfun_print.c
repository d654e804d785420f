/* ratfun_print.c: values of ℚ(params) as a person writes them.
 *
 * Numerator and denominator are each split into an integer, a monomial and a sum that has
 * neither left in it:  -2*R1*(a + b)/(3*L1).  The sign stands in front when all terms of the
 * numerator have it; a sum of both signs begins with a positive term, so that it is a - b and
 * b - a, never -(a - b). Terms come by degree, then by parameter, which is the order in which
 * they are stored. */
#include <ctype.h>
#include <stdlib.h>

#include "ratfun_internal.h"

typedef struct {
    jn_str *out;
    const char *const *names;
    const int *param;
    int n;
    bool latex;
    const fmpz_mpoly_ctx_struct *ctx;
} printer;

/* sign · coeff · Π x_i^exp_i · sum */
typedef struct {
    bool negative;
    fmpz_t coeff; /* positive */
    ulong *exp;
    fmpz_mpoly_t sum; /* of two or more terms; or 1 */
} product;

/* ---- splitting ----------------------------------------------------------------------------- */

static bool all_negative(const fmpz_mpoly_t p)
{
    for (slong i = 0; i < p->length; i++)
        if (fmpz_sgn(p->coeffs + i) > 0)
            return false;
    return true;
}

static void product_init(product *f, const fmpz_mpoly_t p, int n, const fmpz_mpoly_ctx_t ctx)
{
    fmpz_mpoly_t term;
    fmpz_mpoly_init(term, ctx);
    fmpz_init(f->coeff);
    fmpz_mpoly_init(f->sum, ctx);
    f->exp = jn_alloc((size_t)n * sizeof *f->exp);
    f->negative = all_negative(p);
    fmpz_mpoly_term_content(term, p, ctx);
    fmpz_mpoly_get_term_coeff_fmpz(f->coeff, term, 0, ctx);
    fmpz_mpoly_get_term_exp_ui(f->exp, term, 0, ctx);
    fmpz_mpoly_divides(f->sum, p, term, ctx);
    if (f->negative)
        fmpz_mpoly_neg(f->sum, f->sum, ctx);
    fmpz_mpoly_clear(term, ctx);
}

static void product_clear(product *f, const fmpz_mpoly_ctx_t ctx)
{
    fmpz_clear(f->coeff);
    fmpz_mpoly_clear(f->sum, ctx);
    free(f->exp);
}

static int factors(const product *f, int n)
{
    int count = !fmpz_is_one(f->coeff) + (f->sum->length > 1);
    for (int i = 0; i < n; i++)
        count += f->exp[i] > 0;
    return count;
}

/* ---- writing ------------------------------------------------------------------------------- */

static void print_integer(jn_str *out, const fmpz_t c)
{
    char *s = fmpz_get_str(NULL, 10, c);
    jn_str_add(out, s);
    flint_free(s);
}

static void separate(const printer *p, bool *first)
{
    if (!*first)
        jn_str_add(p->out, p->latex ? " " : "*");
    *first = false;
}

/* Set upright, as several letters: it would run into the factors beside it. */
static bool is_word(const char *name)
{
    return isalpha((unsigned char)name[0]) && isalpha((unsigned char)name[1]);
}

static void print_power(const printer *p, int i, ulong exp)
{
    const char *name = p->names[p->param[i]];
    if (p->latex)
        jn_latex_symbol(p->out, name);
    else
        jn_str_add(p->out, name);
    if (exp > 1)
        jn_str_addf(p->out, p->latex ? "^{%lu}" : "^%lu", exp);
}

/* coeff · Π x_i^exp_i, a coefficient of 1 left out; returns false when nothing was printed. */
static bool print_monomial(const printer *p, const fmpz_t coeff, const ulong *exp)
{
    bool first = true;
    if (!fmpz_is_one(coeff)) {
        separate(p, &first);
        print_integer(p->out, coeff);
    }
    bool word_before = false;
    for (int i = 0; i < p->n; i++)
        if (exp[i] > 0) {
            bool word = is_word(p->names[p->param[i]]), apart = !first && (word || word_before);
            separate(p, &first);
            jn_str_add(p->out, p->latex && apart ? "\\, " : "");
            print_power(p, i, exp[i]);
            word_before = word;
        }
    return !first;
}

/* One term, its sign as an operator unless it is the first, which is positive. */
static void print_term(const printer *p, const fmpz_mpoly_t sum, slong term, bool first, ulong *exp)
{
    fmpz_t coeff;
    fmpz_init(coeff);
    fmpz_mpoly_get_term_coeff_fmpz(coeff, sum, term, p->ctx);
    fmpz_mpoly_get_term_exp_ui(exp, sum, term, p->ctx);
    if (!first)
        jn_str_add(p->out, fmpz_sgn(coeff) < 0 ? " - " : " + ");
    fmpz_abs(coeff, coeff);
    if (!print_monomial(p, coeff, exp))
        jn_str_addc(p->out, '1');
    fmpz_clear(coeff);
}

static void print_sum(const printer *p, const fmpz_mpoly_t sum)
{
    ulong *exp = jn_alloc((size_t)p->n * sizeof *exp);
    slong leader = 0;
    while (fmpz_sgn(sum->coeffs + leader) < 0)
        leader++;
    print_term(p, sum, leader, true, exp);
    for (slong i = 0; i < sum->length; i++)
        if (i != leader)
            print_term(p, sum, i, false, exp);
    free(exp);
}

/* The product without its sign. A sum that is the only factor needs brackets only where
 * something follows or precedes it. */
static void print_product(const printer *p, const product *f, bool alone)
{
    bool brackets = !alone || factors(f, p->n) > 1;
    bool first = !print_monomial(p, f->coeff, f->exp);
    if (f->sum->length > 1) {
        separate(p, &first);
        jn_str_add(p->out, brackets ? "(" : "");
        print_sum(p, f->sum);
        jn_str_add(p->out, brackets ? ")" : "");
    } else if (first)
        jn_str_addc(p->out, '1');
}

static void print_fraction(const printer *p, const product *num, const product *den)
{
    int below = factors(den, p->n);
    if (num->negative)
        jn_str_addc(p->out, '-');
    if (below == 0)
        print_product(p, num, !num->negative);
    else if (p->latex) {
        jn_str_add(p->out, "\\frac{");
        print_product(p, num, true);
        jn_str_add(p->out, "}{");
        print_product(p, den, true);
        jn_str_addc(p->out, '}');
    } else {
        print_product(p, num, false);
        jn_str_add(p->out, below > 1 ? "/(" : "/");
        print_product(p, den, false);
        jn_str_add(p->out, below > 1 ? ")" : "");
    }
}

static void print_constant(jn_str *out, const fmpq_t c, bool latex)
{
    fmpz_t n;
    fmpz_init(n);
    fmpz_abs(n, fmpq_numref(c));
    bool whole = fmpz_is_one(fmpq_denref(c));
    jn_str_add(out, fmpq_sgn(c) < 0 ? "-" : "");
    jn_str_add(out, latex && !whole ? "\\frac{" : "");
    print_integer(out, n);
    if (!whole) {
        jn_str_add(out, latex ? "}{" : "/");
        print_integer(out, fmpq_denref(c));
        jn_str_add(out, latex ? "}" : "");
    }
    fmpz_clear(n);
}

static void print(jn_str *out, jn_field *k, jn_ratfun a, const char *const *names,
                  jn_ratfun_style style, bool as_factor)
{
    const jn_value *v = jn_field_value(k, a);
    bool latex = style == JN_RATFUN_LATEX;
    if (v->nparams == 0) {
        print_constant(out, &v->c, latex);
        return;
    }
    const fmpz_mpoly_ctx_struct *ctx = jni_field_ctx(k, v->nparams);
    printer p = {out, names, v->param, v->nparams, latex, ctx};
    product num, den;
    product_init(&num, fmpz_mpoly_q_numref(&v->f), v->nparams, ctx);
    product_init(&den, fmpz_mpoly_q_denref(&v->f), v->nparams, ctx);
    bool sum =
        num.sum->length > 1 && factors(&num, p.n) == 1 && !num.negative && factors(&den, p.n) == 0;
    jn_str_add(out, sum && as_factor ? "(" : "");
    print_fraction(&p, &num, &den);
    jn_str_add(out, sum && as_factor ? ")" : "");
    product_clear(&den, ctx);
    product_clear(&num, ctx);
}

void jn_ratfun_print(jn_str *out, jn_field *k, jn_ratfun a, const char *const *names,
                     jn_ratfun_style style)
{
    print(out, k, a, names, style, false);
}

void jn_ratfun_print_factor(jn_str *out, jn_field *k, jn_ratfun a, const char *const *names,
                            jn_ratfun_style style)
{
    print(out, k, a, names, style, true);
}

bool jn_ratfun_is_negative(jn_field *k, jn_ratfun a)
{
    const jn_value *v = jn_field_value(k, a);
    return v->nparams ? all_negative(fmpz_mpoly_q_numref(&v->f)) : fmpq_sgn(&v->c) < 0;
}
