/* str.c: growing text. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "junct/base.h"

static void reserve(jn_str *t, size_t more)
{
    if (t->len + more + 1 <= t->cap)
        return;
    t->cap = 2 * t->cap > t->len + more + 1 ? 2 * t->cap : t->len + more + 64;
    t->s = jn_realloc(t->s, t->cap);
}

void jn_str_init(jn_str *t)
{
    *t = (jn_str){0};
}

void jn_str_clear(jn_str *t)
{
    free(t->s);
    *t = (jn_str){0};
}

void jn_str_reset(jn_str *t)
{
    t->len = 0;
    if (t->s)
        t->s[0] = 0;
}

void jn_str_addn(jn_str *t, const char *s, size_t n)
{
    reserve(t, n);
    if (n)
        memcpy(t->s + t->len, s, n);
    t->len += n;
    t->s[t->len] = 0;
}

void jn_str_add(jn_str *t, const char *s)
{
    jn_str_addn(t, s, strlen(s));
}

void jn_str_addc(jn_str *t, char c)
{
    jn_str_addn(t, &c, 1);
}

void jn_str_fill(jn_str *t, char c, int n)
{
    if (n <= 0)
        return;
    reserve(t, (size_t)n);
    memset(t->s + t->len, c, (size_t)n);
    t->len += (size_t)n;
    t->s[t->len] = 0;
}

void jn_str_vaddf(jn_str *t, const char *fmt, va_list args)
{
    va_list again;
    va_copy(again, args);
    int n = jn_vformat(NULL, 0, fmt, args);
    reserve(t, (size_t)n);
    jn_vformat(t->s + t->len, (size_t)n + 1, fmt, again);
    t->len += (size_t)n;
    va_end(again);
}

void jn_str_addf(jn_str *t, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    jn_str_vaddf(t, fmt, args);
    va_end(args);
}

const char *jn_str_c(const jn_str *t)
{
    return t->s ? t->s : "";
}
