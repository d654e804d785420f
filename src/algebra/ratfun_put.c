/* ratfun_put.c: values put in for parameters.
 *
 * With rationals for all its parameters, a polynomial of degree d_i in parameter i is an
 * integer sum over a known denominator, so that no fraction is reduced on the way:
 *
 *     p(n_1/d_1, …) = Σ c Π n_i^e_i d_i^(deg_i − e_i)  /  Π d_i^deg_i
 *
 * Anything else is computed term by term in the field, which also keeps its limits. */
#include <stdlib.h>

#include "ratfun_internal.h"

/* What is put in for one value: a copy of its shape (the table may move), and a value for each
 * of its parameters. */
typedef struct {
    jn_field *k;
    const fmpz_mpoly_ctx_struct *ctx;
    int n;
    jn_ratfun *put; /* for parameter i; itself where it stays a symbol */
    ulong *exp;
} scene;

/* ---- rationals only ------------------------------------------------------------------------ */

static void add_term(fmpz_t sum, const fmpz_mpoly_t p, slong term, const slong *degree, scene *s)
{
    fmpz_t product, power;
    fmpz_init(product);
    fmpz_init(power);
    fmpz_mpoly_get_term_coeff_fmpz(product, p, term, s->ctx);
    fmpz_mpoly_get_term_exp_ui(s->exp, p, term, s->ctx);
    for (int i = 0; i < s->n; i++) {
        const fmpq *x = &jn_field_value(s->k, s->put[i])->c;
        fmpz_pow_ui(power, fmpq_numref(x), s->exp[i]);
        fmpz_mul(product, product, power);
        fmpz_pow_ui(power, fmpq_denref(x), (ulong)degree[i] - s->exp[i]);
        fmpz_mul(product, product, power);
    }
    fmpz_add(sum, sum, product);
    fmpz_clear(power);
    fmpz_clear(product);
}

static jn_ratfun at_rationals(const fmpz_mpoly_t p, scene *s)
{
    slong *degree = jn_alloc((size_t)s->n * sizeof *degree);
    fmpz_mpoly_degrees_si(degree, p, s->ctx);
    double bits = 0;
    for (int i = 0; i < s->n; i++)
        bits +=
            (double)degree[i] * (double)(fmpq_height_bits(&jn_field_value(s->k, s->put[i])->c) - 1);
    jn_ratfun r = JN_RATFUN_ZERO;
    if (bits > 2.0 * JN_RATFUN_BITS)
        jni_field_fail(s->k);
    else {
        fmpq_t c;
        fmpz_t power;
        fmpq_init(c);
        fmpz_init(power);
        for (slong t = 0; t < p->length; t++)
            add_term(fmpq_numref(c), p, t, degree, s);
        for (int i = 0; i < s->n; i++) {
            fmpz_pow_ui(power, fmpq_denref(&jn_field_value(s->k, s->put[i])->c), (ulong)degree[i]);
            fmpz_mul(fmpq_denref(c), fmpq_denref(c), power);
        }
        fmpq_canonicalise(c);
        r = jni_field_intern_const(s->k, c);
        fmpz_clear(power);
        fmpq_clear(c);
    }
    free(degree);
    return r;
}

/* ---- anything ------------------------------------------------------------------------------ */

static jn_ratfun term_at(const fmpz_mpoly_t p, slong term, scene *s)
{
    fmpq_t c;
    fmpq_init(c);
    fmpz_mpoly_get_term_coeff_fmpz(fmpq_numref(c), p, term, s->ctx);
    jn_ratfun r = jni_field_intern_const(s->k, c);
    fmpq_clear(c);
    fmpz_mpoly_get_term_exp_ui(s->exp, p, term, s->ctx);
    for (int i = 0; i < s->n; i++) {
        jn_ratfun power;
        if (jn_ratfun_pow(&power, s->k, s->put[i], (long)s->exp[i]) != JN_OK)
            return JN_RATFUN_ZERO;
        r = jn_ratfun_mul(s->k, r, power);
    }
    return r;
}

/* Halves rather than one after another: the sums stay small for as long as they can. */
static jn_ratfun terms_at(const fmpz_mpoly_t p, slong from, slong to, scene *s)
{
    if (from == to)
        return JN_RATFUN_ZERO;
    if (to - from == 1)
        return term_at(p, from, s);
    slong middle = from + (to - from) / 2;
    jn_ratfun first = terms_at(p, from, middle, s);
    return jn_ratfun_add(s->k, first, terms_at(p, middle, to, s));
}

/* ---- both ---------------------------------------------------------------------------------- */

/* The two polynomials are copied: what follows makes values, and the table may move. */
static jn_status fraction_at(jn_ratfun *r, const jn_value *v, bool rational, scene *s)
{
    fmpz_mpoly_q_t f;
    fmpz_mpoly_q_init(f, s->ctx);
    fmpz_mpoly_q_set(f, &v->f, s->ctx);
    const fmpz_mpoly_struct *part[2] = {fmpz_mpoly_q_numref(f), fmpz_mpoly_q_denref(f)};
    jn_ratfun at[2];
    for (int i = 0; i < 2; i++)
        at[i] = rational ? at_rationals(part[i], s) : terms_at(part[i], 0, part[i]->length, s);
    fmpz_mpoly_q_clear(f, s->ctx);
    return jn_ratfun_div(r, s->k, at[0], at[1]);
}

jn_status jn_ratfun_put(jn_ratfun *r, jn_field *k, jn_ratfun a, const jn_ratfun *value, int n)
{
    const int *param;
    int nparams = jn_ratfun_params(&param, k, a);
    bool rational = true, changed = false;
    jn_ratfun *put = jn_alloc((size_t)nparams * sizeof *put);
    for (int i = 0; i < nparams; i++) {
        bool given = param[i] < n && value[param[i]].id >= 0;
        put[i] = given ? value[param[i]] : jn_ratfun_param(k, param[i]);
        rational = rational && jn_ratfun_is_const(k, put[i]);
        changed = changed || given;
    }
    jn_status status = JN_OK;
    if (changed && !k->failed) {
        scene s = {k, jni_field_ctx(k, nparams), nparams, put, NULL};
        s.exp = jn_alloc((size_t)nparams * sizeof *s.exp);
        status = fraction_at(r, jn_field_value(k, a), rational, &s);
        free(s.exp);
    } else {
        *r = k->failed ? JN_RATFUN_ZERO : a;
        status = k->failed ? JN_UNABLE : JN_OK;
    }
    free(put);
    return status;
}
