/* diag.h: what the person in front of the model is told.
 *
 * The library never prints. Every stage appends to a list; the caller renders it. The text
 * of every message stands in diag_codes.h, once. */
#ifndef JUNCT_DIAG_H
#define JUNCT_DIAG_H

#include "junct/base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum { JN_WARNING, JN_ERROR } jn_severity;

/* JN_D_NAME_UNKNOWN and so on, from the list. */
typedef enum {
#define X(code, severity, slug, message, advice) JN_D_##code,
#include "junct/diag_codes.h"
#undef X
    JN_D_COUNT
} jn_code;

typedef struct jn_diags jn_diags;

typedef struct {
    jn_code code;
    jn_severity severity;
    jn_place place;
    const char *message; /* one line, formatted */
    const char *advice;  /* what to do about it, or NULL */
    int nnotes, more_notes; /* those below, and those that were only counted */
    const struct jn_note {
        jn_place place;
        const char *message;
    } *notes; /* "first declared here" */
} jn_diag;

jn_diags *jn_diags_new(void);
void jn_diags_free(jn_diags *d); /* NULL-safe */

/* Appends one; the arguments fill the message's conversions, then the advice's. Of errors and
 * of warnings, those after the first JN_DIAGS_MAX are only counted. Bytes in an argument that
 * are no printable UTF-8 become '?'. A source named by a place must outlive the list. */
#define JN_DIAGS_MAX 100
void jn_diag_add(jn_diags *d, jn_code code, jn_place place, ...);
/* A note on the one added last; those after the first JN_NOTES_MAX are only counted. */
#define JN_NOTES_MAX 16
void jn_diag_note(jn_diags *d, jn_place place, const char *fmt, ...) JN_PRINTF(3, 4);

/* Appends a copy of one from another list, notes and all. */
void jn_diag_copy(jn_diags *d, const jn_diag *from);

int jn_diags_count(const jn_diags *d); /* stored */
const jn_diag *jn_diags_get(const jn_diags *d, int i);
int jn_diags_errors(const jn_diags *d);   /* all that were added */
int jn_diags_warnings(const jn_diags *d);
/* By place: stable, those without a place last. */
void jn_diags_sort(jn_diags *d);

const char *jn_code_slug(jn_code code); /* "name-unknown": stable, for scripts and the manual */
const char *jn_code_message(jn_code code); /* the format, for the list in the manual */
const char *jn_code_advice(jn_code code);
jn_severity jn_code_severity(jn_code code);

/* file:line:column: error: message [slug], the source line, a caret, advice, notes. */
void jn_diags_render(jn_str *out, const jn_diags *d, bool colour);

/* "Did you mean …?": the word of the list that is nearest to the one written, when it is near
 * enough for a slip of the finger; else NULL. A wrong case is always one. */
const char *jn_closest(const char *word, const char *const *list, int n);

/* The bytes of the printable UTF-8 character at s < end; 0 when there is none (malformed, or a
 * control character). */
int jn_utf8_length(const char *s, const char *end);
/* The same, and 0 for marks of direction and others that nobody should see (jn_str_add_shown). */
int jn_utf8_shown(const char *s, const char *end);

#ifdef __cplusplus
}
#endif

#endif
