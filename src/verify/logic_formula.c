/* logic_formula.c: formulas, and comparisons of linear forms. */
#include <stdlib.h>

#include "logic_internal.h"

static Z3_ast constant(logic *l, const fmpq_t c)
{
    char *text = fmpq_get_str(NULL, 10, c);
    Z3_ast a = z3.mk_numeral(l->c, text, l->reals);
    flint_free(text);
    return a;
}

/* Without its constant. */
static Z3_ast sum(logic *l, const linear *f)
{
    Z3_ast *a = jn_alloc((size_t)f->n * sizeof *a);
    for (int i = 0; i < f->n; i++) {
        unknown *u = &l->unknown[f->part[i].unknown];
        const fmpq *c = &f->part[i].c;
        u->is_used = true;
        a[i] = fmpq_is_one(c) ? u->formula
                              : z3.mk_mul(l->c, 2, (Z3_ast[]){constant(l, c), u->formula});
    }
    Z3_ast all = f->n == 1 ? a[0] : z3.mk_add(l->c, (unsigned)f->n, a);
    free(a);
    return all;
}

static Z3_ast ast(logic *l, term a)
{
    if (a->formula)
        return a->formula;
    linear f;
    jni_logic_resolve(&f, l, &a->of);
    Z3_ast known = constant(l, &f.constant), all = known;
    if (f.n)
        all = sum(l, &f);
    if (f.n && !fmpq_is_zero(&f.constant))
        all = z3.mk_add(l->c, 2, (Z3_ast[]){all, known});
    jni_linear_clear(&f);
    return all;
}

/* Scaled so that its first coefficient is 1, which sign it had, and what the sum is compared with. */
static int normalise(linear *f, fmpq_t with)
{
    fmpq_t c;
    fmpq_init(c);
    int sign = fmpq_sgn(&f->part[0].c);
    fmpq_inv(c, &f->part[0].c);
    jni_linear_scale(f, c);
    fmpq_neg(with, &f->constant);
    fmpq_clear(c);
    return sign;
}

/* f > 0, or f = 0: the same sum is one term of Z3, whatever it is compared with. */
term jni_logic_compare(logic *l, linear *f, bool equal)
{
    term r;
    if (!f->n) {
        r = (equal ? fmpq_is_zero(&f->constant) : fmpq_sgn(&f->constant) > 0) ? l->yes : l->no;
    } else {
        fmpq_t with;
        fmpq_init(with);
        int sign = normalise(f, with);
        Z3_ast k = constant(l, with), n = sum(l, f);
        term less = jni_logic_boolean(l, z3.mk_lt(l->c, n, k)),
             more = jni_logic_boolean(l, z3.mk_lt(l->c, k, n));
        r = equal ? jni_and(l, jni_not(l, less), jni_not(l, more)) : sign > 0 ? more : less;
        fmpq_clear(with);
    }
    jni_linear_clear(f);
    return r;
}

term jni_true(logic *l)
{
    return l->yes;
}

term jni_false(logic *l)
{
    return l->no;
}

bool jni_is_true(const logic *l, term a)
{
    return a == l->yes;
}

bool jni_is_false(const logic *l, term a)
{
    return a == l->no;
}

term jni_bool(logic *l)
{
    return jni_logic_boolean(l, z3.mk_fresh_const(l->c, "b", l->bools));
}

term jni_real(logic *l)
{
    return jni_logic_new_unknown(l, z3.mk_fresh_const(l->c, "r", l->reals));
}

term jni_number(logic *l, const fmpq_t c)
{
    linear f;
    jni_linear_init(&f);
    fmpq_set(&f.constant, c);
    return jni_logic_number_of(l, &f);
}

term jni_zero(logic *l)
{
    return l->zero;
}

term jni_not(logic *l, term a)
{
    return a == l->yes  ? l->no
           : a == l->no ? l->yes
                        : jni_logic_boolean(l, z3.mk_not(l->c, a->formula));
}

term jni_and(logic *l, term a, term b)
{
    if (a == l->no || b == l->yes || a == b)
        return a;
    if (a == l->yes || b == l->no)
        return b;
    return jni_logic_boolean(l, z3.mk_and(l->c, 2, (Z3_ast[]){a->formula, b->formula}));
}

term jni_or(logic *l, term a, term b)
{
    if (a == l->yes || b == l->no || a == b)
        return a;
    if (a == l->no || b == l->yes)
        return b;
    return jni_logic_boolean(l, z3.mk_or(l->c, 2, (Z3_ast[]){a->formula, b->formula}));
}

term jni_implies(logic *l, term a, term b)
{
    return jni_or(l, jni_not(l, a), b);
}

term jni_iff(logic *l, term a, term b)
{
    if (a == b)
        return l->yes;
    if (a == l->yes || b == l->yes)
        return a == l->yes ? b : a;
    if (a == l->no || b == l->no)
        return jni_not(l, a == l->no ? b : a);
    return jni_logic_boolean(l, z3.mk_iff(l->c, a->formula, b->formula));
}

term jni_choose(logic *l, term when, term a, term b)
{
    if (a == b || when == l->yes)
        return a;
    if (when == l->no)
        return b;
    Z3_ast one = z3.mk_ite(l->c, when->formula, ast(l, a), ast(l, b));
    if (a->formula)
        return jni_logic_boolean(l, one);
    term *at = jni_logic_place_of(l, one);
    if (!*at) { /* not to be solved for: that would forget which of both it is */
        *at = jni_logic_new_unknown(l, one);
        l->unknown[l->nunknowns - 1].is_used = true;
    }
    return *at;
}

term jni_add(logic *l, term a, term b)
{
    linear f;
    jni_logic_combine(&f, l, a, 1, b);
    return jni_logic_number_of(l, &f);
}

term jni_scale(logic *l, const fmpq_t c, term a)
{
    if (fmpq_is_zero(c))
        return l->zero;
    linear f;
    jni_logic_resolve(&f, l, &a->of);
    jni_linear_scale(&f, c);
    return jni_logic_number_of(l, &f);
}

term jni_less(logic *l, term a, term b)
{
    linear f;
    jni_logic_combine(&f, l, b, -1, a);
    return jni_logic_compare(l, &f, false);
}

term jni_equal(logic *l, term a, term b)
{
    linear f;
    jni_logic_combine(&f, l, a, -1, b);
    return jni_logic_compare(l, &f, true);
}
