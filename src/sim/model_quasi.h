/* model_quasi.h: quasi-polynomials, what the sources of an exact run are made of.
 *
 * With P = p − i·q and c = a + i·b a family is Re P(t)·exp(c·t), which is
 * p(t)·exp(a·t)·cos(b·t) + q(t)·exp(a·t)·sin(b·t). */
#ifndef MODEL_QUASI_H
#define MODEL_QUASI_H

#include <complex.h>

#include "junct/base.h"

enum { MOST_POWER = 12 };

typedef struct {
    double a, b;
    int degree;
    double complex p[MOST_POWER + 1]; /* coefficients of P */
} family;

typedef struct {
    int n, cap;
    family *f;
} quasi; /* a sum of families, a and b distinct, b >= 0 */

void jni_quasi_clear(quasi *q);
family *jni_quasi_family(quasi *q, double a, double b); /* made where there is none yet */
/* Adds Re(c·t^k·exp((a + i·b)·t)). False, here and below: the power is too high. */
bool jni_quasi_add(quasi *q, double a, double b, int k, double complex c);
bool jni_quasi_add_scaled(quasi *q, const quasi *other, double scale);
bool jni_quasi_add_product(quasi *q, const quasi *x, const quasi *y);

/* How many real functions a family and its derivatives are. */
int jni_family_size(const family *f);
void jni_family_at(double *v, const family *f, double t); /* their values */

#endif
