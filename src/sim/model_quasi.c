/* model_quasi.c: sums of t^k·exp(a·t)·cos(b·t), and their products. */
#include "model_quasi.h"

#include <math.h>
#include <stdlib.h>

void jni_quasi_clear(quasi *q)
{
    free(q->f);
    *q = (quasi){0};
}

family *jni_quasi_family(quasi *q, double a, double b)
{
    for (int i = 0; i < q->n; i++)
        if (q->f[i].a == a && q->f[i].b == b)
            return &q->f[i];
    JN_GROW(q->f, q->n, q->cap);
    q->f[q->n] = (family){.a = a, .b = b};
    return &q->f[q->n++];
}

bool jni_quasi_add(quasi *q, double a, double b, int k, double complex c)
{
    if (k > MOST_POWER)
        return false;
    if (b < 0) {
        b = -b;
        c = conj(c);
    }
    family *f = jni_quasi_family(q, a, b);
    f->p[k] += b == 0 ? creal(c) : c;
    if (k > f->degree)
        f->degree = k;
    return true;
}

bool jni_quasi_add_scaled(quasi *q, const quasi *other, double scale)
{
    for (int i = 0; i < other->n; i++)
        for (int k = 0; k <= other->f[i].degree; k++)
            if (!jni_quasi_add(q, other->f[i].a, other->f[i].b, k, scale * other->f[i].p[k]))
                return false;
    return true;
}

/* Re(x)·Re(y) = (Re(x·y) + Re(x·conj y))/2 */
bool jni_quasi_add_product(quasi *q, const quasi *x, const quasi *y)
{
    for (int i = 0; i < x->n; i++)
        for (int j = 0; j < y->n; j++)
            for (int k = 0; k <= x->f[i].degree; k++)
                for (int l = 0; l <= y->f[j].degree; l++) {
                    const family *f = &x->f[i], *g = &y->f[j];
                    double complex a = 0.5 * f->p[k] * g->p[l];
                    double complex b = 0.5 * f->p[k] * conj(g->p[l]);
                    /* also where they are zero: with other branches they need not be */
                    if (!jni_quasi_add(q, f->a + g->a, f->b + g->b, k + l, a) ||
                        !jni_quasi_add(q, f->a + g->a, f->b - g->b, k + l, b))
                        return false;
                }
    return true;
}

int jni_family_size(const family *f)
{
    return (f->degree + 1) * (f->b == 0 ? 1 : 2);
}

/* P⁽ᵏ⁾(t) by Horner's rule on the differentiated coefficients. */
static double complex derivative(const family *f, int k, double t)
{
    double complex sum = 0;
    for (int i = f->degree; i >= k; i--) {
        double factor = 1;
        for (int j = 0; j < k; j++)
            factor *= i - j;
        sum = sum * t + factor * f->p[i];
    }
    return sum;
}

void jni_family_at(double *v, const family *f, double t)
{
    double complex wave = exp(f->a * t) * (cos(f->b * t) + I * sin(f->b * t));
    for (int d = 0; d <= f->degree; d++) {
        double complex y = derivative(f, d, t) * wave;
        *v++ = creal(y);
        if (f->b != 0)
            *v++ = cimag(y);
    }
}
