/* names.c: a table of names, found by hash. */
#include <stdlib.h>
#include <string.h>

#include "graph_internal.h"

enum {
    CANDIDATES = 1000, /* at most so many names are compared with a misspelled one */
    SLIPS = 3          /* names that differ more in length are not alike */
};

void jni_names_clear(name_table *t)
{
    free(t->entry);
    free(t->slot);
    *t = (name_table){0};
}

/* FNV-1a */
static uint32_t hash(const char *s)
{
    uint32_t h = 2166136261u;
    for (; *s; s++)
        h = (h ^ (unsigned char)*s) * 16777619u;
    return h;
}

/* The slot that holds the text, or the free one where it belongs. */
static int *slot_of(const name_table *t, const char *text)
{
    uint32_t mask = (uint32_t)t->nslots - 1;
    uint32_t i = hash(text) & mask;
    while (t->slot[i] && strcmp(t->entry[t->slot[i] - 1].text, text) != 0)
        i = (i + 1) & mask;
    return &t->slot[i];
}

const name_entry *jni_names_find(const name_table *t, const char *text)
{
    if (t->n == 0)
        return NULL;
    int i = *slot_of(t, text);
    return i ? &t->entry[i - 1] : NULL;
}

static void make_room(name_table *t)
{
    JN_GROW(t->entry, t->n, t->cap);
    if (2 * (t->n + 1) <= t->nslots)
        return;
    t->nslots = t->nslots ? 2 * t->nslots : 64;
    free(t->slot);
    t->slot = jn_alloc((size_t)t->nslots * sizeof *t->slot);
    for (int i = 0; i < t->n; i++)
        *slot_of(t, t->entry[i].text) = i + 1;
}

void jni_names_add(name_table *t, const char *text, name_kind kind, int index, jn_place place)
{
    make_room(t);
    int *slot = slot_of(t, text);
    t->entry[t->n] = (name_entry){text, kind, index, place};
    *slot = ++t->n;
}

const char *jni_names_closest(const name_table *t, const char *prefix, const char *text,
                              unsigned kinds)
{
    size_t skip = strlen(prefix);
    long len = (long)strlen(text);
    const char **list = jn_alloc(CANDIDATES * sizeof *list);
    int n = 0;
    for (int i = 0; i < t->n && n < CANDIDATES; i++) {
        const name_entry *e = &t->entry[i];
        if (!(e->kind & kinds) || strncmp(e->text, prefix, skip) != 0)
            continue;
        long difference = (long)strlen(e->text + skip) - len;
        if (labs(difference) <= SLIPS)
            list[n++] = e->text + skip;
    }
    const char *found = jn_closest(text, list, n);
    free(list);
    return found;
}
