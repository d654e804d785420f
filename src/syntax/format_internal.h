/* format_internal.h: the parts of the formatter. */
#ifndef FORMAT_INTERNAL_H
#define FORMAT_INTERNAL_H

#include "junct/syntax.h"

void jni_format_sum(jn_str *out, const jn_ast_expr *e); /* with brackets around a comparison */
void jni_format_text(jn_str *out, const char *s); /* in quotes */
void jni_format_name(jn_str *out, const jn_ast_name *name);
void jni_format_arguments(jn_str *out, const jn_ast_expr *const *arg, int n); /* in brackets */

#endif
