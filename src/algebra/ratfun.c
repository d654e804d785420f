/* ratfun.c: arithmetic in ℚ(params).
 *
 * The elimination is mostly ±1, so the order of trying is: zero and one; a result remembered;
 * two rationals; a rational and a fraction (in the fraction's own variables); and only then
 * two fractions, written in the union of their variables. Subtraction and division go through
 * −b and 1/b, which every value remembers, so that there are but two operations. */
#include <math.h>
#include <stdlib.h>

#include "ratfun_internal.h"

/* A product of polynomials may take this many times the limit in products of terms: more
 * would hardly come out below the limit, and would not come out soon. */
#define WORK_PER_TERM 64.0

/* ---- building ------------------------------------------------------------------------------ */

jn_ratfun jn_ratfun_int(jn_field *k, long c)
{
    fmpq_t q;
    fmpq_init(q);
    fmpq_set_si(q, c, 1);
    jn_ratfun r = jni_field_intern_const(k, q);
    fmpq_clear(q);
    return r;
}

jn_ratfun jn_ratfun_fmpq(jn_field *k, const fmpq_t c)
{
    return jni_field_intern_const(k, c);
}

jn_ratfun jn_ratfun_param(jn_field *k, int p)
{
    const fmpz_mpoly_ctx_struct *ctx = jni_field_ctx(k, 1);
    fmpz_mpoly_q_t f;
    fmpz_mpoly_q_init(f, ctx);
    fmpz_mpoly_q_gen(f, 0, ctx);
    jn_ratfun r = jni_field_intern(k, f, &p, 1);
    fmpz_mpoly_q_clear(f, ctx);
    return r;
}

/* ---- one argument -------------------------------------------------------------------------- */

typedef void (*const_map)(fmpq_t, const fmpq_t);
typedef void (*fraction_map)(fmpz_mpoly_q_t, const fmpz_mpoly_q_t, const fmpz_mpoly_ctx_t);

static jn_ratfun map(jn_field *k, jn_ratfun a, const_map map_const, fraction_map map_fraction)
{
    const jn_value *v = jn_field_value(k, a);
    jn_ratfun r;
    if (v->nparams == 0) {
        fmpq_t c;
        fmpq_init(c);
        map_const(c, &v->c);
        r = jni_field_intern_const(k, c);
        fmpq_clear(c);
    } else {
        const fmpz_mpoly_ctx_struct *ctx = jni_field_ctx(k, v->nparams);
        fmpz_mpoly_q_t f;
        fmpz_mpoly_q_init(f, ctx);
        map_fraction(f, &v->f, ctx);
        r = jni_field_intern(k, f, v->param, v->nparams);
        fmpz_mpoly_q_clear(f, ctx);
    }
    return r;
}

jn_ratfun jn_ratfun_neg(jn_field *k, jn_ratfun a)
{
    if (!k->failed && jn_field_value(k, a)->neg < 0) {
        jn_ratfun r = map(k, a, fmpq_neg, fmpz_mpoly_q_neg);
        k->value[a.id].neg = r.id;
        k->value[r.id].neg = a.id;
    }
    return k->failed ? JN_RATFUN_ZERO : (jn_ratfun){jn_field_value(k, a)->neg};
}

jn_status jn_ratfun_inv(jn_ratfun *r, jn_field *k, jn_ratfun a)
{
    if (!k->failed && a.id == 0)
        return JN_INVALID;
    if (!k->failed && jn_field_value(k, a)->inv < 0) {
        jn_ratfun b = map(k, a, fmpq_inv, fmpz_mpoly_q_inv);
        k->value[a.id].inv = b.id;
        k->value[b.id].inv = a.id;
    }
    *r = k->failed ? JN_RATFUN_ZERO : (jn_ratfun){jn_field_value(k, a)->inv};
    return k->failed ? JN_UNABLE : JN_OK;
}

/* ---- two arguments ------------------------------------------------------------------------- */

static jn_ratfun constants(jn_field *k, jn_ratfun_op op, const fmpq_t a, const fmpq_t b)
{
    fmpq_t c;
    fmpq_init(c);
    if (op == JN_RATFUN_ADD)
        fmpq_add(c, a, b);
    else
        fmpq_mul(c, a, b);
    jn_ratfun r = jni_field_intern_const(k, c);
    fmpq_clear(c);
    return r;
}

static jn_ratfun with_constant(jn_field *k, jn_ratfun_op op, const jn_value *v, const fmpq_t c)
{
    const fmpz_mpoly_ctx_struct *ctx = jni_field_ctx(k, v->nparams);
    fmpz_mpoly_q_t f;
    fmpz_mpoly_q_init(f, ctx);
    if (op == JN_RATFUN_ADD)
        fmpz_mpoly_q_add_fmpq(f, &v->f, c, ctx);
    else
        fmpz_mpoly_q_mul_fmpq(f, &v->f, c, ctx);
    jn_ratfun r = jni_field_intern(k, f, v->param, v->nparams);
    fmpz_mpoly_q_clear(f, ctx);
    return r;
}

/* Whether the products of terms in a op b are too many to try. */
static bool too_much(const jn_field *k, jn_ratfun_op op, const jn_value *a, const jn_value *b)
{
    double an = (double)a->f.num.length, ad = (double)a->f.den.length;
    double bn = (double)b->f.num.length, bd = (double)b->f.den.length;
    double work = ad * bd + (op == JN_RATFUN_ADD ? an * bd + bn * ad : an * bn);
    return work > WORK_PER_TERM * (double)k->limit;
}

/* The union of two ascending lists; returns its length. */
static int merge(int *all, const jn_value *a, const jn_value *b)
{
    int n = 0, i = 0, j = 0;
    while (i < a->nparams || j < b->nparams) {
        if (j == b->nparams || (i < a->nparams && a->param[i] < b->param[j]))
            all[n++] = a->param[i++];
        else {
            if (i < a->nparams && a->param[i] == b->param[j])
                i++;
            all[n++] = b->param[j++];
        }
    }
    return n;
}

/* v as a fraction in the n parameters of all, which contain its own: v itself, or room. */
static const fmpz_mpoly_q_struct *widen(fmpz_mpoly_q_t room, jn_field *k, const jn_value *v,
                                        const int *all, int n)
{
    if (v->nparams == n)
        return &v->f;
    int *to = jn_alloc((size_t)v->nparams * sizeof *to);
    for (int i = 0, j = 0; i < v->nparams; i++) {
        while (all[j] != v->param[i])
            j++;
        to[i] = j;
    }
    jni_field_rename(room, &v->f, to, jni_field_ctx(k, v->nparams), jni_field_ctx(k, n));
    free(to);
    return room;
}

static jn_ratfun fractions(jn_field *k, jn_ratfun_op op, const jn_value *a, const jn_value *b)
{
    if (too_much(k, op, a, b))
        return jni_field_fail(k);
    int *all = jn_alloc((size_t)(a->nparams + b->nparams) * sizeof *all);
    int n = merge(all, a, b);
    const fmpz_mpoly_ctx_struct *ctx = jni_field_ctx(k, n);
    fmpz_mpoly_q_t f, room_a, room_b;
    fmpz_mpoly_q_init(f, ctx);
    fmpz_mpoly_q_init(room_a, ctx);
    fmpz_mpoly_q_init(room_b, ctx);
    const fmpz_mpoly_q_struct *wide_a = widen(room_a, k, a, all, n);
    const fmpz_mpoly_q_struct *wide_b = widen(room_b, k, b, all, n);
    if (op == JN_RATFUN_ADD)
        fmpz_mpoly_q_add(f, wide_a, wide_b, ctx);
    else
        fmpz_mpoly_q_mul(f, wide_a, wide_b, ctx);
    jn_ratfun r = jni_field_intern(k, f, all, n);
    fmpz_mpoly_q_clear(room_b, ctx);
    fmpz_mpoly_q_clear(room_a, ctx);
    fmpz_mpoly_q_clear(f, ctx);
    free(all);
    return r;
}

static jn_ratfun operate(jn_field *k, jn_ratfun_op op, jn_ratfun a, jn_ratfun b)
{
    if (a.id > b.id) { /* both operations commute */
        jn_ratfun t = a;
        a = b;
        b = t;
    }
    jn_memo *m = jni_field_memo(k, op, a, b);
    if (m->op == (int)op && m->a == a.id && m->b == b.id)
        return (jn_ratfun){m->r};
    const jn_value *x = jn_field_value(k, a), *y = jn_field_value(k, b);
    jn_ratfun r = x->nparams && y->nparams ? fractions(k, op, x, y)
                  : x->nparams             ? with_constant(k, op, x, &y->c)
                  : y->nparams             ? with_constant(k, op, y, &x->c)
                                           : constants(k, op, &x->c, &y->c);
    *m = (jn_memo){(int)op, a.id, b.id, r.id};
    return r;
}

jn_ratfun jn_ratfun_add(jn_field *k, jn_ratfun a, jn_ratfun b)
{
    if (k->failed)
        return JN_RATFUN_ZERO;
    if (a.id == 0)
        return b;
    if (b.id == 0)
        return a;
    return operate(k, JN_RATFUN_ADD, a, b);
}

jn_ratfun jn_ratfun_sub(jn_field *k, jn_ratfun a, jn_ratfun b)
{
    return a.id == b.id ? JN_RATFUN_ZERO : jn_ratfun_add(k, a, jn_ratfun_neg(k, b));
}

jn_ratfun jn_ratfun_mul(jn_field *k, jn_ratfun a, jn_ratfun b)
{
    if (k->failed || a.id == 0 || b.id == 0)
        return JN_RATFUN_ZERO;
    if (a.id == 1)
        return b;
    if (b.id == 1)
        return a;
    return operate(k, JN_RATFUN_MUL, a, b);
}

jn_status jn_ratfun_div(jn_ratfun *r, jn_field *k, jn_ratfun a, jn_ratfun b)
{
    jn_ratfun inverse;
    jn_status status = jn_ratfun_inv(&inverse, k, b);
    if (status == JN_INVALID)
        return status;
    *r = jn_ratfun_mul(k, a, inverse);
    return k->failed ? JN_UNABLE : JN_OK;
}

/* ---- powers -------------------------------------------------------------------------------- */

/* Bits, or the degree: what grows n-fold in a power. */
static bool power_too_large(jn_field *k, jn_ratfun a, unsigned long n)
{
    const jn_value *v = jn_field_value(k, a);
    if (v->nparams == 0)
        return (double)(fmpq_height_bits(&v->c) - 1) * (double)n > JN_RATFUN_BITS;
    const fmpz_mpoly_ctx_struct *ctx = jni_field_ctx(k, v->nparams);
    slong num = fmpz_mpoly_total_degree_si(fmpz_mpoly_q_numref(&v->f), ctx);
    slong den = fmpz_mpoly_total_degree_si(fmpz_mpoly_q_denref(&v->f), ctx);
    return (double)(num > den ? num : den) * (double)n > JN_RATFUN_DEGREE;
}

jn_status jn_ratfun_pow(jn_ratfun *r, jn_field *k, jn_ratfun a, long n)
{
    unsigned long m = n < 0 ? 0ul - (unsigned long)n : (unsigned long)n;
    jn_ratfun base = a, power = JN_RATFUN_ONE;
    if (n < 0) {
        jn_status status = jn_ratfun_inv(&base, k, a);
        if (status == JN_INVALID)
            return status;
    }
    if (!k->failed && power_too_large(k, base, m))
        jni_field_fail(k);
    for (; m && !k->failed; m >>= 1) {
        if (m & 1)
            power = jn_ratfun_mul(k, power, base);
        if (m > 1)
            base = jn_ratfun_mul(k, base, base);
    }
    *r = k->failed ? JN_RATFUN_ZERO : power;
    return k->failed ? JN_UNABLE : JN_OK;
}

/* ---- asking -------------------------------------------------------------------------------- */

bool jn_ratfun_is_const(jn_field *k, jn_ratfun a)
{
    return jn_field_value(k, a)->nparams == 0;
}

bool jn_ratfun_get_fmpq(fmpq_t c, jn_field *k, jn_ratfun a)
{
    if (!jn_ratfun_is_const(k, a))
        return false;
    fmpq_set(c, &jn_field_value(k, a)->c);
    return true;
}

double jn_ratfun_get_d(jn_field *k, jn_ratfun a)
{
    return jn_ratfun_is_const(k, a) ? jn_number_get_d(&jn_field_value(k, a)->c) : NAN;
}

long jn_ratfun_terms(jn_field *k, jn_ratfun a)
{
    const jn_value *v = jn_field_value(k, a);
    return v->nparams ? v->f.num.length + v->f.den.length : a.id ? 2 : 1;
}

int jn_ratfun_params(const int **p, jn_field *k, jn_ratfun a)
{
    const jn_value *v = jn_field_value(k, a);
    *p = v->param;
    return v->nparams;
}
