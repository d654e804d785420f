/* source.c: the text of a model file, and places in it. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "junct/base.h"

const jn_source *jn_source_of(jn_arena *a, const char *name, const char *text, size_t len)
{
    jn_source *s = jn_arena_alloc(a, sizeof *s);
    s->name = jn_arena_strndup(a, name, strlen(name));
    s->text = jn_arena_strndup(a, text, len);
    s->len = len;
    return s;
}

/* Reads to the end, but not past the limit: a device that never ends is refused, too. */
static const char *read_all(jn_str *text, FILE *file)
{
    char chunk[1 << 16];
    size_t n;
    while ((n = fread(chunk, 1, sizeof chunk, file)) > 0) {
        jn_str_addn(text, chunk, n);
        if (text->len > JN_SOURCE_MAX)
            return "it is larger than 64 MiB";
    }
    if (ferror(file))
        return strerror(errno);
    if (text->len && memchr(text->s, 0, text->len))
        return "it holds a NUL byte: this is not a text file";
    return NULL;
}

jn_status jn_source_read(const jn_source **out, jn_arena *a, const char *path, const char **why)
{
    bool standard_input = strcmp(path, "-") == 0;
    const char *name = standard_input ? "<stdin>" : path;
    errno = 0;
    FILE *file = standard_input ? stdin : fopen(path, "rb");
    const char *reason = NULL;
    jn_str text;
    jn_str_init(&text);
    if (!file)
        reason = strerror(errno);
    else
        reason = read_all(&text, file);
    if (reason)
        *why = jn_arena_printf(a, "cannot read %s: %s", name, reason);
    else
        *out = jn_source_of(a, name, jn_str_c(&text), text.len);
    if (file && !standard_input)
        fclose(file);
    jn_str_clear(&text);
    return reason ? JN_INVALID : JN_OK;
}

void jn_place_line(int *line, int *column, jn_place p)
{
    *line = *column = 1;
    for (size_t i = 0; i < p.offset && i < p.source->len; i++) {
        unsigned char c = (unsigned char)p.source->text[i];
        if (c == '\n') {
            ++*line;
            *column = 1;
        } else if ((c & 0xC0) != 0x80) {
            ++*column;
        }
    }
}

jn_place jn_place_join(jn_place first, jn_place last)
{
    size_t end = last.offset + last.length;
    if (end > first.offset)
        first.length = end - first.offset;
    return first;
}
