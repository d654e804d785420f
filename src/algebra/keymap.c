/* keymap.c: a hash table with open addressing, at most half full. */
#include <stdlib.h>

#include "guard_internal.h"

void jni_keymap_clear(jn_keymap *m)
{
    free(m->key);
    free(m->value);
    *m = (jn_keymap){0};
}

/* The place of key: where it stands or would stand. */
static int place_of(const jn_keymap *m, uint64_t key)
{
    uint64_t h = key * 0x9E3779B97F4A7C15u;
    int i = (int)((h >> 32) & (uint64_t)(m->cap - 1));
    while (m->value[i] && m->key[i] != key)
        i = (i + 1) & (m->cap - 1);
    return i;
}

void *jni_keymap_get(const jn_keymap *m, uint64_t key)
{
    return m->n ? m->value[place_of(m, key)] : NULL;
}

static void enlarge(jn_keymap *m)
{
    jn_keymap old = *m;
    m->cap = old.cap ? 2 * old.cap : 64;
    m->key = jn_alloc((size_t)m->cap * sizeof *m->key);
    m->value = jn_alloc((size_t)m->cap * sizeof *m->value);
    for (int i = 0; i < old.cap; i++) {
        if (!old.value[i])
            continue;
        int at = place_of(m, old.key[i]);
        m->key[at] = old.key[i];
        m->value[at] = old.value[i];
    }
    free(old.key);
    free(old.value);
}

void jni_keymap_put(jn_keymap *m, uint64_t key, void *value)
{
    if (2 * m->n >= m->cap)
        enlarge(m);
    int at = place_of(m, key);
    m->n += !m->value[at];
    m->key[at] = key;
    m->value[at] = value;
}
