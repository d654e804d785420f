/* linear.c: linear forms over numbered unknowns. */
#include "linear.h"

#include <stdlib.h>

void jni_linear_init(linear *f)
{
    *f = (linear){0};
    fmpq_init(&f->constant);
}

void jni_linear_clear(linear *f)
{
    for (int i = 0; i < f->n; i++)
        fmpq_clear(&f->part[i].c);
    free(f->part);
    fmpq_clear(&f->constant);
}

void jni_linear_unknown(linear *f, int unknown)
{
    f->n = 1;
    f->part = jn_alloc(sizeof *f->part);
    f->part[0].unknown = unknown;
    fmpq_init(&f->part[0].c);
    fmpq_one(&f->part[0].c);
}

static void append(linear *f, int unknown, const fmpq_t a, const fmpq_t c, const fmpq_t b)
{
    struct linear_part *p = &f->part[f->n];
    p->unknown = unknown;
    fmpq_init(&p->c);
    if (b)
        fmpq_mul(&p->c, c, b);
    if (a)
        fmpq_add(&p->c, &p->c, a);
    if (fmpq_is_zero(&p->c))
        fmpq_clear(&p->c);
    else
        f->n++;
}

void jni_linear_combine(linear *out, const linear *a, const fmpq_t c, const linear *b)
{
    jni_linear_init(out);
    if (a->n + b->n)
        out->part = jn_alloc((size_t)(a->n + b->n) * sizeof *out->part);
    int i = 0, k = 0;
    while (i < a->n || k < b->n) {
        bool of_a = k == b->n || (i < a->n && a->part[i].unknown <= b->part[k].unknown);
        bool of_b = i == a->n || (k < b->n && b->part[k].unknown <= a->part[i].unknown);
        append(out, of_a ? a->part[i].unknown : b->part[k].unknown, of_a ? &a->part[i].c : NULL, c,
               of_b ? &b->part[k].c : NULL);
        i += of_a;
        k += of_b;
    }
    fmpq_mul(&out->constant, c, &b->constant);
    fmpq_add(&out->constant, &out->constant, &a->constant);
}

void jni_linear_scale(linear *f, const fmpq_t c)
{
    for (int i = 0; i < f->n; i++)
        fmpq_mul(&f->part[i].c, &f->part[i].c, c);
    fmpq_mul(&f->constant, &f->constant, c);
}

bool jni_linear_equal(const linear *a, const linear *b)
{
    if (a->n != b->n || !fmpq_equal(&a->constant, &b->constant))
        return false;
    for (int i = 0; i < a->n; i++)
        if (a->part[i].unknown != b->part[i].unknown || !fmpq_equal(&a->part[i].c, &b->part[i].c))
            return false;
    return true;
}

static unsigned mix(unsigned h, const fmpq_t c)
{
    enum { PRIME = 65521 };
    h = h * 31 + (unsigned)fmpz_fdiv_ui(fmpq_numref(c), PRIME);
    return h * 31 + (unsigned)fmpz_fdiv_ui(fmpq_denref(c), PRIME);
}

unsigned jni_linear_hash(const linear *f)
{
    unsigned h = mix(17, &f->constant);
    for (int i = 0; i < f->n; i++)
        h = mix(h * 1000003U + (unsigned)f->part[i].unknown, &f->part[i].c);
    return h;
}
