/* engine.c: what the stretches of all engines have in common. */
#include "engine.h"

#include <stdlib.h>

void jni_stretch_clear(stretch *p)
{
    free(p->q);
    *p = (stretch){0};
}

void jni_stretch_reserve(stretch *s, int nz)
{
    if (!s->q || s->cap < SERIES_TERMS * nz) {
        s->cap = SERIES_TERMS * nz;
        s->q = jn_realloc(s->q, (size_t)s->cap * sizeof *s->q);
    }
    s->nz = s->moving = nz;
    s->n = SERIES_TERMS;
    s->share = 1;
}

void jni_stretch_series(double *a, const stretch *p, int column)
{
    for (int k = 0; k < p->n; k++)
        a[k] = k < jni_stretch_terms(p, column) ? p->q[k * p->nz + column] : 0;
}
