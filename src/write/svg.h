/* svg.h: what pictures in SVG have in common. */
#ifndef WRITE_SVG_H
#define WRITE_SVG_H

#include "junct/diag.h"

/* Text, escaped; bytes that are no printable UTF-8 become '?'. */
void jni_svg_text(jn_str *out, const char *s);
/* A white page of so many points, and a style sheet. */
void jni_svg_begin(jn_str *out, double width, double height, const char *style);

#endif
