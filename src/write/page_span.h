/* page_span.h: the spans of a line, in one notation or another. */
#ifndef WRITE_PAGE_SPAN_H
#define WRITE_PAGE_SPAN_H

#include "junct/page.h"

/* What differs between notations. */
typedef struct {
    jn_ratfun_style ratfun;
    jn_formula_style formula;
    const char *minus, *plus; /* between terms; the first has a bare '-' */
    const char *times;        /* between a factor and a symbol */
    void (*text)(jn_str *out, const jn_span *s); /* JN_SPAN_TEXT and JN_SPAN_MATH */
    void (*symbol)(jn_str *out, jn_symbol s);
    /* The condition of a case, behind its factor, if that is written. */
    void (*condition)(jn_str *out, const jn_page *p, const jn_formula *guard, bool has_factor);
    bool bare_condition; /* 1 under a condition is written as the condition */
} jni_notation;

void jni_span(jn_str *out, const jn_page *p, const jn_span *s, const jni_notation *n);
/* One case of a value; alone: there is no other. */
void jni_span_case(jn_str *out, const jn_page *p, jn_page_case c, bool first, bool alone,
                   const jni_notation *n);

#endif
