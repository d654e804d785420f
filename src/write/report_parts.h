/* report_parts.h: the parts of LaTeX documents kept in reports/parts, as text.
 *
 * The Makefile turns each file there into a string of C. */
#ifndef WRITE_REPORT_PARTS_H
#define WRITE_REPORT_PARTS_H

extern const char jni_part_fonts[];    /* encodings and fonts; amsmath */
extern const char jni_part_drawing[];  /* tikz, styles of bonds and elements */
extern const char jni_part_preamble[]; /* of a report: packages and commands */

#endif
