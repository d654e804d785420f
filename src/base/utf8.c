/* utf8.c: characters: whether bytes are one, whether it may be shown, how much room it takes.
 *
 * Texts reach terminals, pictures and pages of people who did not write them: file names, titles,
 * comments. So what is shown is free of control characters, of those that turn the direction of
 * writing round, and of those that XML does not allow; '?' stands in their place. */
#include <string.h>

#include "junct/base.h"
#include "junct/diag.h"

int jn_utf8_length(const char *s, const char *end)
{
    const unsigned char *p = (const unsigned char *)s;
    if (*p < 0x80)
        return *p >= ' ' && *p != 0x7F;
    int n = *p >= 0xC2 && *p < 0xE0 ? 2 : (*p & 0xF0) == 0xE0 ? 3 : *p >= 0xF0 && *p < 0xF5 ? 4 : 0;
    if (n == 0 || end - s < n)
        return 0;
    for (int i = 1; i < n; i++)
        if ((p[i] & 0xC0) != 0x80)
            return 0;
    /* too long for their value, surrogates, beyond U+10FFFF, control characters U+0080 … */
    if ((p[0] == 0xE0 && p[1] < 0xA0) || (p[0] == 0xED && p[1] > 0x9F) ||
        (p[0] == 0xF0 && p[1] < 0x90) || (p[0] == 0xF4 && p[1] > 0x8F) ||
        (p[0] == 0xC2 && p[1] < 0xA0))
        return 0;
    return n;
}

/* The number of a well-formed character of n bytes. */
static unsigned code_point(const char *s, int n)
{
    static const unsigned char lead[] = {0, 0x7F, 0x1F, 0x0F, 0x07};
    unsigned code = (unsigned char)s[0] & lead[n];
    for (int i = 1; i < n; i++)
        code = code << 6 | ((unsigned char)s[i] & 0x3F);
    return code;
}

/* Marks of direction; ends of lines and paragraphs; the byte order mark; U+xFFFE and U+xFFFF. */
static bool is_hidden(unsigned code)
{
    return code == 0x061C || code == 0x200E || code == 0x200F ||
           (code >= 0x2028 && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069) ||
           code == 0xFEFF || (code & 0xFFFE) == 0xFFFE;
}

int jn_utf8_shown(const char *s, const char *end)
{
    int n = jn_utf8_length(s, end);
    return n > 0 && !is_hidden(code_point(s, n)) ? n : 0;
}

/* One mark for a character, however many bytes it has; the bytes of none get one each. */
static int step_over(const char *s, const char *end)
{
    int n = jn_utf8_length(s, end);
    return n ? n : 1;
}

void jn_str_add_shown(jn_str *t, const char *s, size_t len)
{
    const char *end = s + len;
    while (s < end) {
        int n = jn_utf8_shown(s, end);
        if (n)
            jn_str_addn(t, s, (size_t)n);
        else
            jn_str_addc(t, '?');
        s += n ? n : step_over(s, end);
    }
}

char *jn_arena_shown(jn_arena *a, const char *s, size_t len)
{
    jn_str text;
    jn_str_init(&text);
    jn_str_add_shown(&text, s, len);
    char *copy = jn_arena_strndup(a, jn_str_c(&text), text.len);
    jn_str_clear(&text);
    return copy;
}

/* Combining marks (U+0300 … U+036F) take no room of their own; everything else that the
 * tool prints takes one column. */
int jn_utf8_width(const char *s)
{
    int width = 0;
    for (const unsigned char *p = (const unsigned char *)s; *p; p++) {
        if ((*p & 0xC0) == 0x80)
            continue;
        bool combining = *p == 0xCC || (*p == 0xCD && p[1] >= 0x80 && p[1] <= 0xAF);
        width += !combining;
    }
    return width;
}
