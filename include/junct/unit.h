/* unit.h: SI prefixes and units, and numbers that carry them.
 *
 * A unit is a product of powers of m, kg, s, A and K, times an exact factor: 1 mbar is 100 of the
 * coherent unit of pressure, 1 rpm is π/30 of that of angular velocity. An angle has no unit. */
#ifndef JUNCT_UNIT_H
#define JUNCT_UNIT_H

#include <flint/fmpq.h>

#include "junct/base.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { JN_UNIT_BASES = 5 };

typedef struct {
    signed char power[JN_UNIT_BASES]; /* of m, kg, s, A, K */
    bool prefixed;                    /* it was written with a prefix in front */
    short ten, pi;
    long over, under; /* the factor is over/under · 10^ten · π^pi */
} jn_unit;

/* The length of the prefix that a text begins with, one of f p n u µ m k M G T; 0: none. */
size_t jn_prefix_scan(int *ten, const char *s, size_t len);
/* A number with so many digits and the prefix of a thousand that it needs, as in a model: 50u, 1.5k. */
void jn_prefixed_print(jn_str *out, double x, int digits);
/* The length of the unit that a text begins with, "kOhm", "rad/s", "kg*m^2", without any space in
 * it; 0: none. */
size_t jn_unit_scan(jn_unit *u, const char *s, size_t len);
/* A number with perhaps a prefix, and perhaps a unit: "100u", "4.7uF", "24 V", "1500 rpm". The value
 * is that in coherent units but for the power of π; *has_unit (may be NULL). INVALID: it is none,
 * or has too many digits. */
jn_status jn_quantity_parse(fmpq_t value, jn_unit *u, bool *has_unit, const char *s,
                            size_t len) JN_CHECKED;
/* [+-]number[/number], each perhaps with a prefix, without a unit: "-1/3", "100u". */
jn_status jn_ratio_parse(fmpq_t value, const char *s, size_t len) JN_CHECKED;

bool jn_unit_same(const jn_unit *a, const jn_unit *b); /* the factors do not count */
jn_unit jn_unit_none(void);
/* a·b^power; the factors are left out. */
jn_unit jn_unit_times(const jn_unit *a, const jn_unit *b, int power);
/* The coherent unit, by its usual name: "V", "N*m", "m^3/s"; "1" for none. */
void jn_unit_print(jn_str *out, const jn_unit *u);
/* The words that are units, i = 0, 1, …, then NULL: for advice. */
const char *jn_unit_word(int i);

#ifdef __cplusplus
}
#endif

#endif
