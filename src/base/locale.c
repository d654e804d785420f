/* locale.c: numbers are written and read with a point, whatever the program that uses the library
 * has chosen for itself. Only the calling thread is concerned, and only for the moment. */
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>

#include "junct/base.h"

/* It costs no memory, and is never given back. */
static locale_t plain(void)
{
    static locale_t c;
    if (!c)
        c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    return c;
}

jn_locale jn_locale_enter(void)
{
    locale_t c = plain();
    return (jn_locale){c ? (void *)uselocale(c) : NULL};
}

void jn_locale_leave(jn_locale before)
{
    if (before.handle)
        uselocale((locale_t)before.handle);
}

int jn_vformat(char *out, size_t size, const char *fmt, va_list args)
{
    jn_locale before = jn_locale_enter();
    int n = vsnprintf(out, size, fmt, args);
    jn_locale_leave(before);
    return n;
}

int jn_format(char *out, size_t size, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    int n = jn_vformat(out, size, fmt, args);
    va_end(args);
    return n;
}

double jn_strtod(const char *s, char **end)
{
    jn_locale before = jn_locale_enter();
    double x = strtod(s, end);
    jn_locale_leave(before);
    return x;
}
