/* field.c: the store of ℚ(params), where every value is kept once.
 *
 * A value is a number into a table; equal values have equal numbers. So the elimination above
 * compares, copies and remembers integers, and polynomials are touched only when a product or
 * a sum is really new.
 *
 * Two things make this work. Every fraction is canonical: coprime over ℤ, the denominator's
 * leading coefficient positive (fmpz_mpoly_q sees to that). And a value only knows the
 * parameters that occur in it, in ascending order: -R1/L1 is a fraction in two variables in
 * any model. Contexts depend on nothing but the number of variables. The term order (by
 * degree, then by variable) is not disturbed by parameters that come or go, so the sign of a
 * leading coefficient does not depend on how a value was computed. */
#include <stdlib.h>
#include <string.h>

#include "ratfun_internal.h"

enum { FIRST_SLOTS = 256, FIRST_MEMO = 1024, LAST_MEMO = 1 << 18 };

#define DEFAULT_LIMIT 200000l
#define MEMORY_LIMIT ((size_t)2 << 30) /* bytes, all values together */

jn_ratfun jni_field_fail(jn_field *k)
{
    k->failed = true;
    return JN_RATFUN_ZERO;
}

bool jn_field_failed(const jn_field *k)
{
    return k->failed;
}

void jn_field_limit(jn_field *k, long terms)
{
    k->limit = terms;
}

const fmpz_mpoly_ctx_struct *jni_field_ctx(jn_field *k, int n)
{
    if (n >= k->nctx) {
        int more = n + 8;
        k->ctx = jn_realloc(k->ctx, (size_t)more * sizeof *k->ctx);
        memset(k->ctx + k->nctx, 0, (size_t)(more - k->nctx) * sizeof *k->ctx);
        k->nctx = more;
    }
    if (!k->ctx[n]) {
        k->ctx[n] = jn_alloc(sizeof *k->ctx[n]);
        fmpz_mpoly_ctx_init(k->ctx[n], n, ORD_DEGLEX);
    }
    return k->ctx[n];
}

/* Renaming keeps the order of the variables, hence that of the terms: nothing is sorted. */
static void rename_poly(fmpz_mpoly_t r, const fmpz_mpoly_t p, const int *to,
                        const fmpz_mpoly_ctx_t from, const fmpz_mpoly_ctx_t into)
{
    slong n = fmpz_mpoly_ctx_nvars(from);
    ulong *exp = jn_alloc((size_t)n * sizeof *exp);
    ulong *renamed = jn_alloc((size_t)fmpz_mpoly_ctx_nvars(into) * sizeof *renamed);
    fmpz_mpoly_zero(r, into);
    for (slong i = 0; i < p->length; i++) {
        fmpz_mpoly_get_term_exp_ui(exp, p, i, from);
        for (slong v = 0; v < n; v++)
            if (to[v] >= 0)
                renamed[to[v]] = exp[v];
        fmpz_mpoly_push_term_fmpz_ui(r, p->coeffs + i, renamed, into);
    }
    free(renamed);
    free(exp);
}

void jni_field_rename(fmpz_mpoly_q_t r, const fmpz_mpoly_q_t f, const int *to,
                      const fmpz_mpoly_ctx_t from, const fmpz_mpoly_ctx_t into)
{
    rename_poly(fmpz_mpoly_q_numref(r), fmpz_mpoly_q_numref(f), to, from, into);
    rename_poly(fmpz_mpoly_q_denref(r), fmpz_mpoly_q_denref(f), to, from, into);
}

/* ---- hashes: of what a value is, not of how it is stored ----------------------------------- */

static uint64_t mix(uint64_t h, uint64_t x)
{
    h = (h ^ x) * 0x9E3779B97F4A7C15u;
    return h ^ (h >> 29);
}

static uint64_t mix_fmpz(uint64_t h, const fmpz_t x)
{
    const ulong prime = 0xFFFFFFFFFFFFFFC5u;
    return mix(h, fmpz_fdiv_ui(x, prime));
}

static uint64_t hash_const(const fmpq_t c)
{
    return mix_fmpz(mix_fmpz(1, fmpq_numref(c)), fmpq_denref(c));
}

static uint64_t mix_poly(uint64_t h, const fmpz_mpoly_t p, ulong *exp, const fmpz_mpoly_ctx_t ctx)
{
    int nvars = (int)fmpz_mpoly_ctx_nvars(ctx);
    for (slong i = 0; i < p->length; i++) {
        h = mix_fmpz(h, p->coeffs + i);
        fmpz_mpoly_get_term_exp_ui(exp, p, i, ctx);
        for (int v = 0; v < nvars; v++)
            h = mix(h, exp[v]);
    }
    return mix(h, (uint64_t)p->length);
}

static uint64_t hash_fraction(const fmpz_mpoly_q_t f, const int *param, int n,
                              const fmpz_mpoly_ctx_t ctx)
{
    ulong *exp = jn_alloc((size_t)n * sizeof *exp);
    uint64_t h = 2;
    for (int v = 0; v < n; v++)
        h = mix(h, (uint64_t)param[v]);
    h = mix_poly(h, fmpz_mpoly_q_numref(f), exp, ctx);
    h = mix_poly(h, fmpz_mpoly_q_denref(f), exp, ctx);
    free(exp);
    return h;
}

/* ---- the table ----------------------------------------------------------------------------- */

static void rehash(jn_field *k, int nslots)
{
    k->slot = jn_realloc(k->slot, (size_t)nslots * sizeof *k->slot);
    k->nslots = nslots;
    memset(k->slot, -1, (size_t)nslots * sizeof *k->slot);
    for (int id = 0; id < k->n; id++) {
        size_t s = k->value[id].hash & (size_t)(nslots - 1);
        while (k->slot[s] >= 0)
            s = (s + 1) & (size_t)(nslots - 1);
        k->slot[s] = id;
    }
}

/* The value c (param == NULL) or f; returns its slot, which holds −1 when it is new. */
static int *find(jn_field *k, uint64_t hash, const fmpq *c, const fmpz_mpoly_q_struct *f,
                 const int *param, int n)
{
    size_t s = hash & (size_t)(k->nslots - 1);
    for (; k->slot[s] >= 0; s = (s + 1) & (size_t)(k->nslots - 1)) {
        const jn_value *v = &k->value[k->slot[s]];
        if (v->hash != hash || v->nparams != n)
            continue;
        if (n == 0 ? fmpq_equal(&v->c, c)
                   : memcmp(v->param, param, (size_t)n * sizeof *param) == 0 &&
                         fmpz_mpoly_q_equal(&v->f, f, k->ctx[n]))
            break;
    }
    return &k->slot[s];
}

/* Room for one more value, entered at the slot. */
static jn_value *enter(jn_field *k, int *slot, uint64_t hash)
{
    JN_GROW(k->value, k->n, k->cap);
    jn_value *v = &k->value[k->n];
    *v = (jn_value){.hash = hash, .neg = -1, .inv = -1};
    *slot = k->n++;
    k->bytes += sizeof *v;
    if (2 * k->n > k->nslots)
        rehash(k, 2 * k->nslots);
    return v;
}

jn_ratfun jni_field_intern_const(jn_field *k, const fmpq_t c)
{
    if (k->failed || jn_interrupted() || fmpq_height_bits(c) > JN_RATFUN_BITS)
        return jni_field_fail(k);
    uint64_t hash = hash_const(c);
    int *slot = find(k, hash, c, NULL, NULL, 0);
    if (*slot >= 0)
        return (jn_ratfun){*slot};
    int id = k->n;
    jn_value *v = enter(k, slot, hash);
    fmpq_init(&v->c);
    fmpq_set(&v->c, c);
    k->bytes += fmpq_height_bits(c) / 4;
    return (jn_ratfun){id};
}

static bool poly_within(const jn_field *k, const fmpz_mpoly_t p, const fmpz_mpoly_ctx_t ctx)
{
    return p->length <= k->limit && labs(fmpz_mpoly_max_bits(p)) <= JN_RATFUN_BITS &&
           fmpz_mpoly_total_degree_fits_si(p, ctx) &&
           fmpz_mpoly_total_degree_si(p, ctx) <= JN_RATFUN_DEGREE;
}

static size_t poly_bytes(const fmpz_mpoly_t p, const fmpz_mpoly_ctx_t ctx)
{
    size_t term = sizeof(fmpz) + sizeof(ulong) * (size_t)mpoly_words_per_exp(p->bits, ctx->minfo);
    return (size_t)p->length * (term + (size_t)labs(fmpz_mpoly_max_bits(p)) / 8);
}

/* A fraction in which all of its parameters occur. */
static jn_ratfun intern_tight(jn_field *k, const fmpz_mpoly_q_t f, const int *param, int n)
{
    const fmpz_mpoly_ctx_struct *ctx = jni_field_ctx(k, n);
    const fmpz_mpoly_struct *num = fmpz_mpoly_q_numref(f), *den = fmpz_mpoly_q_denref(f);
    if (!poly_within(k, num, ctx) || !poly_within(k, den, ctx) ||
        num->length + den->length > k->limit)
        return jni_field_fail(k);
    uint64_t hash = hash_fraction(f, param, n, ctx);
    int *slot = find(k, hash, NULL, f, param, n);
    if (*slot >= 0)
        return (jn_ratfun){*slot};
    k->bytes += poly_bytes(num, ctx) + poly_bytes(den, ctx) + (size_t)n * sizeof *param;
    if (k->bytes > MEMORY_LIMIT)
        return jni_field_fail(k);
    int id = k->n;
    jn_value *v = enter(k, slot, hash);
    v->nparams = n;
    v->param = jn_arena_dup(k->arena, param, (size_t)n * sizeof *param);
    fmpz_mpoly_q_init(&v->f, ctx);
    fmpz_mpoly_q_set(&v->f, f, ctx);
    return (jn_ratfun){id};
}

/* The same fraction in its m < n parameters alone; used[v] tells which they are. */
static jn_ratfun intern_shrunk(jn_field *k, const fmpz_mpoly_q_t f, const int *param, int n,
                               const int *used, int m)
{
    const fmpz_mpoly_ctx_struct *wide = jni_field_ctx(k, n), *ctx = jni_field_ctx(k, m);
    int *to = jn_alloc((size_t)n * sizeof *to);
    int *left = jn_alloc((size_t)m * sizeof *left);
    for (int v = 0, w = 0; v < n; v++) {
        to[v] = used[v] ? w : -1;
        if (used[v])
            left[w++] = param[v];
    }
    fmpz_mpoly_q_t g;
    fmpz_mpoly_q_init(g, ctx);
    jni_field_rename(g, f, to, wide, ctx);
    jn_ratfun r = intern_tight(k, g, left, m);
    fmpz_mpoly_q_clear(g, ctx);
    free(left);
    free(to);
    return r;
}

static jn_ratfun intern_as_const(jn_field *k, const fmpz_mpoly_q_t f, const fmpz_mpoly_ctx_t ctx)
{
    fmpq_t c;
    fmpq_init(c);
    fmpz_mpoly_get_fmpz(fmpq_numref(c), fmpz_mpoly_q_numref(f), ctx);
    fmpz_mpoly_get_fmpz(fmpq_denref(c), fmpz_mpoly_q_denref(f), ctx);
    jn_ratfun r = jni_field_intern_const(k, c);
    fmpq_clear(c);
    return r;
}

jn_ratfun jni_field_intern(jn_field *k, const fmpz_mpoly_q_t f, const int *param, int n)
{
    const fmpz_mpoly_ctx_struct *ctx = jni_field_ctx(k, n);
    if (k->failed || jn_interrupted())
        return jni_field_fail(k);
    int *used = jn_alloc((size_t)n * sizeof *used);
    fmpz_mpoly_q_used_vars(used, f, ctx);
    int m = 0;
    for (int v = 0; v < n; v++)
        m += used[v] != 0;
    jn_ratfun r = m == n ? intern_tight(k, f, param, n)
                  : m    ? intern_shrunk(k, f, param, n, used, m)
                         : intern_as_const(k, f, ctx);
    free(used);
    return r;
}

/* ---- earlier results ----------------------------------------------------------------------- */

jn_memo *jni_field_memo(jn_field *k, jn_ratfun_op op, jn_ratfun a, jn_ratfun b)
{
    /* It grows with the number of values; what it knew is soon known again. */
    if (k->n > k->nmemo && k->nmemo < LAST_MEMO) {
        free(k->memo);
        k->nmemo *= 4;
        k->memo = jn_alloc((size_t)k->nmemo * sizeof *k->memo);
    }
    uint64_t h = mix(mix((uint64_t)op, (uint64_t)a.id), (uint64_t)b.id);
    return &k->memo[(h >> 7) & (uint64_t)(k->nmemo - 1)];
}

/* ---- fields -------------------------------------------------------------------------------- */

jn_field *jn_field_new(void)
{
    jn_field *k = jn_alloc(sizeof *k);
    k->limit = DEFAULT_LIMIT;
    k->arena = jn_arena_new();
    k->nmemo = FIRST_MEMO;
    k->memo = jn_alloc((size_t)k->nmemo * sizeof *k->memo);
    rehash(k, FIRST_SLOTS);
    jn_ratfun_int(k, 0);
    jn_ratfun_int(k, 1);
    return k;
}

void jn_field_free(jn_field *k)
{
    if (!k)
        return;
    for (int id = 0; id < k->n; id++) {
        jn_value *v = &k->value[id];
        if (v->nparams)
            fmpz_mpoly_q_clear(&v->f, k->ctx[v->nparams]);
        else
            fmpq_clear(&v->c);
    }
    for (int n = 0; n < k->nctx; n++) {
        if (k->ctx[n])
            fmpz_mpoly_ctx_clear(k->ctx[n]);
        free(k->ctx[n]);
    }
    jn_arena_free(k->arena);
    free(k->ctx);
    free(k->memo);
    free(k->slot);
    free(k->value);
    free(k);
}
