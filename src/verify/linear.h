/* linear.h: linear forms over numbered unknowns, with exact coefficients. */
#ifndef LINEAR_H
#define LINEAR_H

#include <flint/fmpq.h>

#include "junct/base.h"

/* Σ c·unknown + constant: unknowns ascending, no c is 0. */
typedef struct {
    int n;
    struct linear_part {
        int unknown;
        fmpq c;
    } * part;
    fmpq constant;
} linear;

void jni_linear_init(linear *f); /* 0 */
void jni_linear_clear(linear *f);
void jni_linear_unknown(linear *f, int unknown); /* an initialised one becomes it */
void jni_linear_combine(linear *out, const linear *a, const fmpq_t c, const linear *b); /* a + c·b; anew */
void jni_linear_scale(linear *f, const fmpq_t c);                                       /* c ≠ 0 */
bool jni_linear_equal(const linear *a, const linear *b);
unsigned jni_linear_hash(const linear *f);

#endif
