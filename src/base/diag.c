/* diag.c: the list of diagnostics. How one looks on the screen is in diag_render.c. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "junct/diag.h"

static const struct {
    jn_severity severity;
    const char *slug, *message, *advice, *both;
} code_table[JN_D_COUNT] = {
#define X(code, severity, slug, message, advice)                                                   \
    [JN_D_##code] = {JN_##severity, slug, message, advice, message advice},
#include "junct/diag_codes.h"
#undef X
};

/* A diagnostic and its notes; the notes grow while it is the last one. */
typedef struct {
    jn_diag diag;
    struct jn_note *notes;
    int notes_cap;
    int order; /* of arrival: sorting keeps it among equals */
} entry;

struct jn_diags {
    jn_arena *arena;
    entry *items;
    int n, cap;
    int count[2];      /* by severity: all that were added */
    bool last_dropped; /* the one added last was only counted: so are its notes */
};

jn_diags *jn_diags_new(void)
{
    jn_diags *d = jn_alloc(sizeof *d);
    d->arena = jn_arena_new();
    return d;
}

void jn_diags_free(jn_diags *d)
{
    if (!d)
        return;
    for (int i = 0; i < d->n; i++)
        free(d->items[i].notes);
    free(d->items);
    jn_arena_free(d->arena);
    free(d);
}

/* ---- adding -------------------------------------------------------------------------------- */

/* The message's arguments come first, then the advice's. A va_list cannot be resumed after
 * vsnprintf, so both are formatted as one text, which is cut where the message alone ends. */
static void format_texts(jn_diags *d, jn_diag *diag, va_list args)
{
    va_list again;
    va_copy(again, args);
    int message = jn_vformat(NULL, 0, code_table[diag->code].message, again);
    va_end(again);
    jn_str both;
    jn_str_init(&both);
    jn_str_vaddf(&both, code_table[diag->code].both, args);
    /* Arguments may come from any file: what is printed must not move the cursor. */
    diag->message = jn_arena_shown(d->arena, both.s, (size_t)message);
    if (both.s[message])
        diag->advice = jn_arena_shown(d->arena, both.s + message, both.len - (size_t)message);
    jn_str_clear(&both);
}

void jn_diag_add(jn_diags *d, jn_code code, jn_place place, ...)
{
    jn_severity severity = code_table[code].severity;
    d->last_dropped = ++d->count[severity] > JN_DIAGS_MAX;
    if (d->last_dropped)
        return;
    JN_GROW(d->items, d->n, d->cap);
    entry *e = &d->items[d->n];
    *e = (entry){.diag = {.code = code, .severity = severity, .place = place}, .order = d->n};
    d->n++;
    va_list args;
    va_start(args, place);
    format_texts(d, &e->diag, args);
    va_end(args);
}

void jn_diag_note(jn_diags *d, jn_place place, const char *fmt, ...)
{
    if (d->n == 0 || d->last_dropped)
        return;
    entry *e = &d->items[d->n - 1];
    if (e->diag.nnotes == JN_NOTES_MAX) {
        e->diag.more_notes++;
        return;
    }
    JN_GROW(e->notes, e->diag.nnotes, e->notes_cap);
    jn_str text;
    jn_str_init(&text);
    va_list args;
    va_start(args, fmt);
    jn_str_vaddf(&text, fmt, args);
    va_end(args);
    char *message = jn_arena_shown(d->arena, text.s, text.len);
    jn_str_clear(&text);
    e->notes[e->diag.nnotes++] = (struct jn_note){place, message};
    e->diag.notes = e->notes;
}

static const char *copy_text(jn_diags *d, const char *s)
{
    return s ? jn_arena_strndup(d->arena, s, strlen(s)) : NULL;
}

void jn_diag_copy(jn_diags *d, const jn_diag *from)
{
    d->last_dropped = ++d->count[from->severity] > JN_DIAGS_MAX;
    if (d->last_dropped)
        return;
    JN_GROW(d->items, d->n, d->cap);
    entry *e = &d->items[d->n];
    *e = (entry){.diag = *from, .order = d->n};
    d->n++;
    e->diag.message = copy_text(d, from->message);
    e->diag.advice = copy_text(d, from->advice);
    e->diag.nnotes = 0;
    e->diag.notes = NULL;
    for (int i = 0; i < from->nnotes; i++)
        jn_diag_note(d, from->notes[i].place, "%s", from->notes[i].message);
}

/* ---- asking -------------------------------------------------------------------------------- */

int jn_diags_count(const jn_diags *d)
{
    return d->n;
}

const jn_diag *jn_diags_get(const jn_diags *d, int i)
{
    return &d->items[i].diag;
}

int jn_diags_errors(const jn_diags *d)
{
    return d->count[JN_ERROR];
}

int jn_diags_warnings(const jn_diags *d)
{
    return d->count[JN_WARNING];
}

static int by_place(const void *x, const void *y)
{
    const entry *a = x, *b = y;
    bool a_placed = a->diag.place.source, b_placed = b->diag.place.source;
    if (a_placed != b_placed)
        return b_placed - a_placed;
    size_t i = a->diag.place.offset, j = b->diag.place.offset;
    if (a_placed && i != j)
        return i < j ? -1 : 1;
    return a->order - b->order;
}

void jn_diags_sort(jn_diags *d)
{
    if (d->n)
        qsort(d->items, (size_t)d->n, sizeof *d->items, by_place);
    d->last_dropped = true; /* the last of the list is no longer the one added last */
}

const char *jn_code_slug(jn_code code)
{
    return code_table[code].slug;
}

const char *jn_code_message(jn_code code)
{
    return code_table[code].message;
}

const char *jn_code_advice(jn_code code)
{
    return code_table[code].advice;
}

jn_severity jn_code_severity(jn_code code)
{
    return code_table[code].severity;
}
