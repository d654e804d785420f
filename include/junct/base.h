/* base.h: memory, text and source files, below every stage.
 *
 * Out of memory aborts with one message, as FLINT does: no function here fails. */
#ifndef JUNCT_BASE_H
#define JUNCT_BASE_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "junct/status.h"

#ifdef __cplusplus
extern "C" {
#endif

#define JN_PI 3.14159265358979323846

/* ---- memory -------------------------------------------------------------------------------- */

void *jn_alloc(size_t bytes);             /* zeroed; free() releases it */
void *jn_realloc(void *p, size_t bytes);  /* new bytes are not zeroed */

char *jn_strdup(const char *s);

/* Another allocator than the C library's, and what happens when it fails: `exhausted` is told how
 * many bytes were asked for, and must not return. NULL members are as before: calloc, realloc, and a
 * message with abort(). Set it before anything else is called; what was allocated is released with
 * free() in any case. FLINT and GMP have functions of their own for this. */
typedef struct {
    void *(*calloc)(size_t count, size_t bytes);
    void *(*realloc)(void *p, size_t bytes);
    void (*exhausted)(size_t bytes);
} jn_memory;
void jn_memory_set(const jn_memory *m); /* copied; NULL: back to the beginning */
void jn_memory_exhausted(size_t bytes);  /* does not return */

/* Room for one more item in a growing array: doubles *cap when count has reached it.
 *     JN_GROW(items, n, cap); items[n++] = ...; */
#define JN_GROW(items, count, cap)                                                               \
    ((items) = jn_array_more((items), (size_t)(count), &(cap), sizeof *(items)))
void *jn_array_more(void *items, size_t count, int *cap, size_t item_size);

/* An arena: plain data that lives and dies together. */
typedef struct jn_arena jn_arena;
jn_arena *jn_arena_new(void);
void jn_arena_free(jn_arena *a); /* NULL-safe */
void *jn_arena_alloc(jn_arena *a, size_t bytes); /* zeroed, aligned for any type */
char *jn_arena_strndup(jn_arena *a, const char *s, size_t n);
char *jn_arena_printf(jn_arena *a, const char *fmt, ...) JN_PRINTF(2, 3);
void *jn_arena_dup(jn_arena *a, const void *p, size_t bytes);

/* ---- being asked to stop ------------------------------------------------------------------- */

/* Asks every computation of the process to end: stages that are at work return JN_UNABLE soon, with
 * the diagnostic `interrupted`. Safe in a signal handler. It holds until it is cleared. */
void jn_interrupt(void);
void jn_interrupt_clear(void);
bool jn_interrupted(void);

/* ---- growing text -------------------------------------------------------------------------- */

typedef struct {
    char *s; /* always terminated once something was appended; NULL when empty */
    size_t len, cap;
} jn_str;

void jn_str_init(jn_str *t);
void jn_str_clear(jn_str *t);
void jn_str_reset(jn_str *t); /* empty, keeps the memory */
void jn_str_add(jn_str *t, const char *s);
void jn_str_addn(jn_str *t, const char *s, size_t n);
void jn_str_addc(jn_str *t, char c);
void jn_str_fill(jn_str *t, char c, int n); /* n times c; nothing for n <= 0 */
void jn_str_addf(jn_str *t, const char *fmt, ...) JN_PRINTF(2, 3);
void jn_str_vaddf(jn_str *t, const char *fmt, va_list args);
const char *jn_str_c(const jn_str *t); /* never NULL */
int jn_utf8_width(const char *s);      /* columns on a terminal: code points that take room */
/* Text of any origin, fit to be shown: '?' for control characters, marks of direction, bytes that are
 * no character. */
void jn_str_add_shown(jn_str *t, const char *s, size_t len);
char *jn_arena_shown(jn_arena *a, const char *s, size_t len);

/* The same in ASCII: λ is lambda, a letter with a dot above dp; anything that has no spelling, '?'. */
void jn_str_add_ascii(jn_str *t, const char *s);

/* ---- numbers as text ----------------------------------------------------------------------- */

/* snprintf and strtod with a point before the decimals, whatever the locale. All texts of the library
 * are made by these. */
int jn_format(char *out, size_t size, const char *fmt, ...) JN_PRINTF(3, 4);
int jn_vformat(char *out, size_t size, const char *fmt, va_list args);
double jn_strtod(const char *s, char **end);

/* Around calls of other libraries that print or read numbers. */
typedef struct {
    void *handle;
} jn_locale;
jn_locale jn_locale_enter(void);
void jn_locale_leave(jn_locale before);

/* ---- source text --------------------------------------------------------------------------- */

/* The text of one model file. Lines and columns count from 1; columns count characters
 * (UTF-8 code points), so that a caret stands where a person sees it. */
typedef struct {
    const char *name; /* as given by the user; "<stdin>" for standard input */
    const char *text; /* terminated; may hold any byte but NUL */
    size_t len;
} jn_source;

typedef struct {
    const jn_source *source; /* NULL: no place in a file */
    size_t offset, length;   /* bytes */
} jn_place;

#define JN_SOURCE_MAX (64u << 20) /* bytes a model file may have */

/* Reads a file ("-" is standard input). INVALID when it cannot be read, is larger than
 * JN_SOURCE_MAX or holds a NUL byte; *why is then a message in the arena. */
jn_status jn_source_read(const jn_source **out, jn_arena *a, const char *path,
                         const char **why) JN_CHECKED;
const jn_source *jn_source_of(jn_arena *a, const char *name, const char *text, size_t len);
void jn_place_line(int *line, int *column, jn_place p);
jn_place jn_place_join(jn_place first, jn_place last); /* from the start of one to the end of the other */

#ifdef __cplusplus
}
#endif

#endif
