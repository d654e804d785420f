/* model_place.c: where an expression stands in a list, however long that is. */
#include <stdint.h>
#include <stdlib.h>

#include "model.h"

static struct expr_place *slot_of(const expr_places *t, const jn_expr *e)
{
    uint64_t h = (uint64_t)(uintptr_t)e * 0x9E3779B97F4A7C15u >> 20;
    struct expr_place *slot;
    while ((slot = &t->slot[h & (uint64_t)(t->nslots - 1)])->e && slot->e != e)
        h++;
    return slot;
}

int jni_place_of(const expr_places *t, const jn_expr *e)
{
    const struct expr_place *slot = t->nslots ? slot_of(t, e) : NULL;
    return slot && slot->e ? slot->place : -1;
}

static void grow(expr_places *t)
{
    expr_places old = *t;
    t->nslots = old.nslots ? 2 * old.nslots : 16;
    t->slot = jn_alloc((size_t)t->nslots * sizeof *t->slot);
    for (int i = 0; i < old.nslots; i++)
        if (old.slot[i].e)
            *slot_of(t, old.slot[i].e) = old.slot[i];
    free(old.slot);
}

void jni_place_put(expr_places *t, const jn_expr *e, int place)
{
    if (2 * t->n >= t->nslots)
        grow(t);
    struct expr_place *slot = slot_of(t, e);
    t->n += !slot->e;
    *slot = (struct expr_place){e, place};
}

void jni_places_clear(expr_places *t)
{
    free(t->slot);
    *t = (expr_places){0};
}
