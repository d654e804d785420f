/* ratfun_vanish.c: values that are not zero, but are with numbers put in for parameters.
 *
 * An elimination asks this of every number it might divide by, and the answer is nearly always no.
 * So the numerator is first evaluated modulo a prime, parameters without a number at random: what
 * is not zero there is not zero. Only the rest is computed exactly. */
#include <stdlib.h>

#include <flint/fmpz_mpoly_factor.h>
#include <flint/nmod_vec.h>

#include "ratfun_internal.h"

#define PRIME 0x1fffffffffffffffu /* 2^61 − 1 */

/* ---- modulo a prime ------------------------------------------------------------------------ */

/* A residue for a parameter; false where its number has none, or is a function itself. */
static bool residue(ulong *r, int param, jn_field *k, const jn_ratfun *value, int n, nmod_t mod)
{
    if (param >= n || value[param].id < 0) {
        *r = (ulong)(param + 1) * 0x9e3779b97f4a7c15u % mod.n;
        return true;
    }
    const jn_value *v = jn_field_value(k, value[param]);
    if (v->nparams > 0)
        return false;
    ulong below = fmpz_fdiv_ui(fmpq_denref(&v->c), mod.n);
    if (below == 0)
        return false;
    *r = nmod_div(fmpz_fdiv_ui(fmpq_numref(&v->c), mod.n), below, mod);
    return true;
}

static ulong polynomial_at(const fmpz_mpoly_t p, const ulong *at, int n, const fmpz_mpoly_ctx_t ctx,
                           nmod_t mod)
{
    ulong sum = 0, *exp = jn_alloc((size_t)n * sizeof *exp);
    for (slong t = 0; t < p->length; t++) {
        ulong product = fmpz_fdiv_ui(p->coeffs + t, mod.n);
        fmpz_mpoly_get_term_exp_ui(exp, p, t, ctx);
        for (int i = 0; i < n; i++)
            if (exp[i])
                product = nmod_mul(product, nmod_pow_ui(at[i], exp[i], mod), mod);
        sum = nmod_add(sum, product, mod);
    }
    free(exp);
    return sum;
}

/* Certainly not zero with the numbers put in? */
static bool is_surely_nonzero(jn_field *k, jn_ratfun a, const jn_ratfun *value, int n)
{
    const jn_value *v = jn_field_value(k, a);
    nmod_t mod;
    nmod_init(&mod, PRIME);
    ulong *at = jn_alloc((size_t)v->nparams * sizeof *at);
    bool known = true;
    for (int i = 0; i < v->nparams && known; i++)
        known = residue(&at[i], v->param[i], k, value, n, mod);
    bool nonzero = known && polynomial_at(fmpz_mpoly_q_numref(&v->f), at, v->nparams,
                                          jni_field_ctx(k, v->nparams), mod) != 0;
    free(at);
    return nonzero;
}

/* ---- exactly ------------------------------------------------------------------------------- */

/* A polynomial in the parameters of a value, as a value. */
static jn_ratfun polynomial(jn_field *k, const fmpz_mpoly_t p, const int *param, int n)
{
    const fmpz_mpoly_ctx_struct *ctx = jni_field_ctx(k, n);
    fmpz_mpoly_q_t f;
    fmpz_mpoly_q_init(f, ctx);
    fmpz_mpoly_set(fmpz_mpoly_q_numref(f), p, ctx);
    fmpz_mpoly_one(fmpz_mpoly_q_denref(f), ctx);
    jn_ratfun r = jni_field_intern(k, f, param, n);
    fmpz_mpoly_q_clear(f, ctx);
    return r;
}

static jn_ratfun numerator(jn_field *k, jn_ratfun a)
{
    const jn_value *v = jn_field_value(k, a);
    return polynomial(k, fmpz_mpoly_q_numref(&v->f), v->param, v->nparams);
}

bool jn_ratfun_vanishes(jn_field *k, jn_ratfun a, const jn_ratfun *value, int n)
{
    jn_ratfun at;
    if (jn_ratfun_is_const(k, a))
        return jn_ratfun_is_zero(a);
    return !is_surely_nonzero(k, a, value, n) &&
           jn_ratfun_put(&at, k, numerator(k, a), value, n) == JN_OK && jn_ratfun_is_zero(at);
}

/* Larger ones are not worth the time: nobody would read their factors. */
enum { FACTOR_TERMS = 100, FACTOR_DEGREE = 32 };

jn_ratfun jn_ratfun_vanishing_factor(jn_field *k, jn_ratfun a, const jn_ratfun *value, int n)
{
    jn_ratfun whole = numerator(k, a), found = whole;
    int nparams = jn_field_value(k, a)->nparams;
    const int *param = jn_field_value(k, a)->param;
    const fmpz_mpoly_ctx_struct *ctx = jni_field_ctx(k, nparams);
    fmpz_mpoly_t p;
    fmpz_mpoly_factor_t factors;
    fmpz_mpoly_init(p, ctx);
    fmpz_mpoly_factor_init(factors, ctx);
    fmpz_mpoly_set(p, fmpz_mpoly_q_numref(&jn_field_value(k, a)->f), ctx);
    bool split = p->length <= FACTOR_TERMS && fmpz_mpoly_total_degree_fits_si(p, ctx) &&
                 fmpz_mpoly_total_degree_si(p, ctx) <= FACTOR_DEGREE &&
                 fmpz_mpoly_factor(factors, p, ctx);
    for (slong i = 0; split && i < factors->num; i++) {
        jn_ratfun f = polynomial(k, factors->poly + i, param, nparams);
        if (jn_ratfun_vanishes(k, f, value, n)) {
            found = f;
            break;
        }
    }
    fmpz_mpoly_factor_clear(factors, ctx);
    fmpz_mpoly_clear(p, ctx);
    return found;
}
