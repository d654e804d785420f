/* guard_cache.c: the results of operations on guards.
 *
 * A result may be overwritten by another that falls on the same place. An operation takes time
 * proportional to the size of its diagrams only as long as that is rare, so the table doubles
 * when it has happened for half of its places. Most results are never asked for again, though, and
 * a table that is larger than the processor's own memory is slow: beyond LOCAL_SIZE it grows only
 * where many of the questions are answered by it. */
#include <stdlib.h>
#include <string.h>

#include "guard_internal.h"

enum { FIRST_SIZE = 1 << 12, LOCAL_SIZE = 1 << 16, LARGEST_SIZE = 1 << 22 };

void jni_cache_clear(jn_cache *c)
{
    free(c->entry);
    *c = (jn_cache){0};
}

void jni_cache_forget(jn_cache *c)
{
    if (c->size)
        memset(c->entry, 0, (size_t)c->size * sizeof *c->entry);
}

static jn_cached *place_of(const jn_cache *c, int f, int g, int h)
{
    uint64_t key = (uint64_t)f * 0x9E3779B97F4A7C15u;
    key = (key ^ (uint64_t)(uint32_t)g) * 0xBF58476D1CE4E5B9u;
    key = (key ^ key >> 29 ^ (uint64_t)(uint32_t)h) * 0x94D049BB133111EBu;
    return &c->entry[key >> 32 & (uint64_t)(c->size - 1)];
}

int jni_cache_get(jn_cache *c, int f, int g, int h)
{
    if (c->size == 0)
        return -1;
    const jn_cached *e = place_of(c, f, g, h);
    bool known = e->f == f && e->g == g && e->h == h;
    c->asked++;
    c->known += known;
    return known ? e->result : -1;
}

static void enlarge(jn_cache *c)
{
    jn_cache old = *c;
    c->size = old.size ? 2 * old.size : FIRST_SIZE;
    c->entry = jn_alloc((size_t)c->size * sizeof *c->entry);
    for (int i = 0; i < old.size; i++) {
        const jn_cached *e = &old.entry[i];
        if (e->f)
            *place_of(c, e->f, e->g, e->h) = *e;
    }
    free(old.entry);
}

static bool is_worthwhile(const jn_cache *c)
{
    const double many = 0.4;
    if (c->size >= LARGEST_SIZE)
        return false;
    return c->size < LOCAL_SIZE || (double)c->known > many * (double)c->asked;
}

void jni_cache_put(jn_cache *c, int f, int g, int h, int result)
{
    if (c->size == 0 || c->overwritten > c->size / 2) {
        if (is_worthwhile(c))
            enlarge(c);
        c->overwritten = 0;
        c->asked = c->known = 0;
    }
    jn_cached *e = place_of(c, f, g, h);
    c->overwritten += e->f != 0;
    *e = (jn_cached){f, g, h, result};
}
