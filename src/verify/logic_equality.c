/* logic_equality.c: unknowns that equalities have solved.
 *
 * What holds without condition need not reach the solver: an equality is solved for an unknown that no formula has yet,
 * and every number is written in those that are left. */
#include <stdlib.h>

#include "logic_internal.h"

static int first_solved(const logic *l, const linear *f)
{
    for (int i = 0; i < f->n; i++)
        if (l->unknown[f->part[i].unknown].is)
            return i;
    return -1;
}

/* A number, in unknowns that are not solved. */
void jni_logic_resolve(linear *out, const logic *l, const linear *f)
{
    fmpq_t c;
    linear nothing;
    jni_linear_init(&nothing);
    fmpq_init(c);
    jni_linear_combine(out, f, c, &nothing);
    for (int i; (i = first_solved(l, out)) >= 0;) {
        linear without;
        linear *is = l->unknown[out->part[i].unknown].is, alone;
        jni_linear_init(&alone);
        jni_linear_unknown(&alone, out->part[i].unknown);
        fmpq_neg(c, &out->part[i].c);
        jni_linear_combine(&without, out, c, &alone);
        jni_linear_clear(out);
        jni_linear_clear(&alone);
        fmpq_neg(c, c);
        jni_linear_combine(out, &without, c, is);
        jni_linear_clear(&without);
    }
    fmpq_clear(c);
}

/* a + c·b */
void jni_logic_combine(linear *out, const logic *l, term a, slong c, term b)
{
    linear f, g;
    fmpq_t k;
    fmpq_init(k);
    fmpq_set_si(k, c, 1);
    jni_logic_resolve(&f, l, &a->of);
    jni_logic_resolve(&g, l, &b->of);
    jni_linear_combine(out, &f, k, &g);
    jni_linear_clear(&f);
    jni_linear_clear(&g);
    fmpq_clear(k);
}

/* f = 0 is solved for the newest unknown that no formula has yet, and that ends with this scope. */
bool jni_logic_solve(logic *l, linear *f)
{
    int i = f->n - 1;
    while (i >= 0 && (l->unknown[f->part[i].unknown].is_used ||
                      l->unknown[f->part[i].unknown].scope != l->scope[l->nscopes - 1].id))
        i--;
    if (i < 0)
        return false;
    int which = f->part[i].unknown;
    linear alone, *is = jn_alloc(sizeof *is);
    fmpq_t c;
    fmpq_init(c);
    jni_linear_init(&alone);
    jni_linear_unknown(&alone, which);
    fmpq_inv(c, &f->part[i].c);
    fmpq_neg(c, c);
    jni_linear_scale(f, c);
    fmpq_one(c);
    jni_linear_combine(is, f, c, &alone);
    jni_linear_clear(&alone);
    fmpq_clear(c);
    l->unknown[which].is = is;
    JN_GROW(l->solved, l->nsolved, l->cap_solved);
    l->solved[l->nsolved++] = which;
    return true;
}

void jni_logic_begin_scope(logic *l)
{
    JN_GROW(l->scope, l->nscopes, l->cap_scopes);
    l->scope[l->nscopes++] = (scope){l->last_scope++, l->nsolved};
}

void jni_logic_end_scope(logic *l)
{
    for (int last = l->scope[--l->nscopes].nsolved; l->nsolved > last;) {
        unknown *u = &l->unknown[l->solved[--l->nsolved]];
        jni_linear_clear(u->is);
        free(u->is);
        u->is = NULL;
    }
}
