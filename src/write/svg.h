/* svg.h: what pictures in SVG have in common. */
#ifndef WRITE_SVG_H
#define WRITE_SVG_H

#include "junct/diag.h"

/* Text, escaped; bytes that are no printable UTF-8 become '?'. */
void jni_svg_text(jn_str *out, const char *s);
/* A white page of so many points, and a style sheet. */
void jni_svg_begin(jn_str *out, double width, double height, const char *style);

/* Of plots: paper, titles and the numbers at the axes; the colours of curves. */
#define JNI_SVG_AXES_STYLE \
    ".paper { fill: white; }\n" \
    "text { font-family: Helvetica, Arial, 'Liberation Sans', sans-serif; font-size: 11px; }\n" \
    ".title { font-size: 14px; text-anchor: middle; }\n" \
    ".tick { text-anchor: middle; fill: #333; }\n" \
    ".value { text-anchor: end; fill: #333; }\n"
#define JNI_SVG_COLOURS \
    ".c0 { stroke: #0057b7; } .c1 { stroke: #c8102e; } .c2 { stroke: #1a7f37; }\n" \
    ".c3 { stroke: #8250df; } .c4 { stroke: #bf5b00; } .c5 { stroke: #00838f; }\n"

#endif
