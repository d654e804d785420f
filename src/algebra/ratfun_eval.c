/* ratfun_eval.c: a value in doubles, together with its derivative along a direction. */
#include <stdlib.h>

#include "ratfun_internal.h"

/* A number and how fast it changes. */
typedef struct {
    double v, d;
} rate;

static rate product(rate a, rate b)
{
    return (rate){a.v * b.v, a.d * b.v + a.v * b.d};
}

static rate polynomial_at(const fmpz_mpoly_t p, const rate *x, int n, ulong *exp,
                          const fmpz_mpoly_ctx_t ctx)
{
    rate sum = {0, 0};
    fmpz_t c;
    fmpz_init(c);
    for (slong term = 0; term < p->length; term++) {
        fmpz_mpoly_get_term_coeff_fmpz(c, p, term, ctx);
        fmpz_mpoly_get_term_exp_ui(exp, p, term, ctx);
        rate t = {fmpz_get_d(c), 0};
        for (int i = 0; i < n; i++)
            for (ulong e = 0; e < exp[i]; e++)
                t = product(t, x[i]);
        sum.v += t.v;
        sum.d += t.d;
    }
    fmpz_clear(c);
    return sum;
}

double jn_ratfun_eval_d(double *slope, jn_field *k, jn_ratfun a, const double *value,
                        const double *change)
{
    const int *param;
    int n = jn_ratfun_params(&param, k, a);
    *slope = 0;
    if (n == 0)
        return jn_ratfun_get_d(k, a);
    rate *x = jn_alloc((size_t)n * sizeof *x);
    ulong *exp = jn_alloc((size_t)n * sizeof *exp);
    for (int i = 0; i < n; i++)
        x[i] = (rate){value[param[i]], change[param[i]]};
    const fmpz_mpoly_ctx_struct *ctx = jni_field_ctx(k, n);
    const fmpz_mpoly_q_struct *f = &jn_field_value(k, a)->f;
    rate p = polynomial_at(fmpz_mpoly_q_numref(f), x, n, exp, ctx);
    rate q = polynomial_at(fmpz_mpoly_q_denref(f), x, n, exp, ctx);
    free(exp);
    free(x);
    *slope = (p.d - p.v / q.v * q.d) / q.v;
    return p.v / q.v;
}
