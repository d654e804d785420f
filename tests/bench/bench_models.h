/* bench_models.h: families of switched networks that grow with a number n, as model text. */
#ifndef BENCH_MODELS_H
#define BENCH_MODELS_H

#include "junct.h"

enum { BENCH_SIZES = 3 };

typedef struct {
    const char *name;
    void (*write)(jn_str *out, int n);
    bool (*is_on)(int s, int n); /* the position of switch number s in a mode that is allowed */
    int size[BENCH_SIZES];
} bench_family;

extern const bench_family bench_families[]; /* ended by one without a name */

#endif
