/* memory.c: running out of memory is told once, whichever library asked for it.
 *
 * FLINT and GMP end the program with messages of their own, half of them to standard output; so
 * they get functions that end it as ours do. */
#include <stdlib.h>

#include <flint/flint.h>

#include "cli.h"

static void *checked(void *p, size_t bytes)
{
    if (!p && bytes)
        jn_memory_exhausted(bytes);
    return p;
}

static void *take(size_t bytes)
{
    return checked(malloc(bytes), bytes);
}

static void *take_zeroed(size_t count, size_t bytes)
{
    return checked(calloc(count, bytes), count * bytes);
}

static void *retake(void *p, size_t bytes)
{
    return checked(realloc(p, bytes), bytes);
}

static void *retake_sized(void *p, size_t before, size_t bytes)
{
    (void)before;
    return retake(p, bytes);
}

static void give_sized(void *p, size_t bytes)
{
    (void)bytes;
    free(p);
}

void cli_memory(void (*exhausted)(size_t bytes))
{
    jn_memory_set(&(jn_memory){.exhausted = exhausted});
    mp_set_memory_functions(take, retake_sized, give_sized);
    __flint_set_memory_functions(take, take_zeroed, retake, free);
}
