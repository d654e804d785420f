/* memory.c: allocation that cannot fail, and arenas. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "junct/base.h"

static void complain_and_abort(size_t bytes)
{
    (void)bytes;
    fputs("junct: out of memory\n", stderr);
    abort();
}

static const jn_memory usual = {calloc, realloc, complain_and_abort};
static jn_memory memory = {calloc, realloc, complain_and_abort};

void jn_memory_set(const jn_memory *m)
{
    memory = usual;
    if (m && m->calloc)
        memory.calloc = m->calloc;
    if (m && m->realloc)
        memory.realloc = m->realloc;
    if (m && m->exhausted)
        memory.exhausted = m->exhausted;
}

void jn_memory_exhausted(size_t bytes)
{
    memory.exhausted(bytes);
    abort();
}

static void *checked(void *p, size_t bytes)
{
    if (!p)
        jn_memory_exhausted(bytes);
    return p;
}

void *jn_alloc(size_t bytes)
{
    return checked(memory.calloc(1, bytes ? bytes : 1), bytes);
}

void *jn_realloc(void *p, size_t bytes)
{
    return checked(memory.realloc(p, bytes ? bytes : 1), bytes);
}

char *jn_strdup(const char *s)
{
    size_t n = strlen(s) + 1;
    return memcpy(jn_alloc(n), s, n);
}

void *jn_array_more(void *items, size_t count, int *cap, size_t item_size)
{
    if (count < (size_t)*cap)
        return items;
    *cap = *cap ? 2 * *cap : 8;
    return jn_realloc(items, (size_t)*cap * item_size);
}

/* ---- arenas: a list of blocks, the newest first -------------------------------------------- */

enum { BLOCK_SIZE = 16 << 10 };

typedef struct block {
    struct block *next;
    size_t used, size;
    max_align_t data[];
} block;

struct jn_arena {
    block *newest;
};

jn_arena *jn_arena_new(void)
{
    return jn_alloc(sizeof(jn_arena));
}

void jn_arena_free(jn_arena *a)
{
    if (!a)
        return;
    for (block *b = a->newest, *next; b; b = next) {
        next = b->next;
        free(b);
    }
    free(a);
}

void *jn_arena_alloc(jn_arena *a, size_t bytes)
{
    const size_t unit = sizeof(max_align_t);
    bytes = (bytes + unit - 1) / unit * unit;
    block *b = a->newest;
    if (!b || b->size - b->used < bytes) {
        size_t size = bytes > BLOCK_SIZE ? bytes : BLOCK_SIZE;
        b = jn_alloc(sizeof(block) + size);
        b->size = size;
        /* A block for one large item goes behind the one that still has room. */
        if (a->newest && bytes > BLOCK_SIZE / 4) {
            b->next = a->newest->next;
            a->newest->next = b;
        } else {
            b->next = a->newest;
            a->newest = b;
        }
    }
    void *p = (char *)b->data + b->used;
    b->used += bytes;
    return p;
}

void *jn_arena_dup(jn_arena *a, const void *p, size_t bytes)
{
    void *copy = jn_arena_alloc(a, bytes);
    if (bytes)
        memcpy(copy, p, bytes);
    return copy;
}

char *jn_arena_strndup(jn_arena *a, const char *s, size_t n)
{
    char *copy = jn_arena_alloc(a, n + 1);
    memcpy(copy, s, n);
    return copy;
}

char *jn_arena_printf(jn_arena *a, const char *fmt, ...)
{
    va_list args, again;
    va_start(args, fmt);
    va_copy(again, args);
    int n = jn_vformat(NULL, 0, fmt, args);
    char *s = jn_arena_alloc(a, (size_t)n + 1);
    jn_vformat(s, (size_t)n + 1, fmt, again);
    va_end(again);
    va_end(args);
    return s;
}
