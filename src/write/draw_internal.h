/* draw_internal.h: shared by the files that make a drawing. */
#ifndef WRITE_DRAW_INTERNAL_H
#define WRITE_DRAW_INTERNAL_H

#include "junct/draw.h"

/* Sizes of type, and the space around a box that lines keep clear of. */
#define JN_DRAW_SIZE 14.0
#define JN_DRAW_SIZE_BELOW 10.0
#define JN_DRAW_CLEAR 3.0

/* The width of a text of that size; a little more than Helvetica needs, for the fonts that may
 * stand in for it. */
double jn_draw_text_width(const char *s, double size);

/* What stands in the boxes, in all modes; and the widest it is in any mode. */
void jn_draw_texts(jn_drawing *d, jn_draw_values v);
const char *jn_draw_port_name(const jn_element *port); /* of a field: "a" */
void jn_draw_box_size(double *width, double *height, const jn_drawing *d, int element);
/* Boxes, bonds and labels to their places. */
jn_status jn_draw_place(jn_drawing *d, bool bond_names) JN_CHECKED;

/* ---- geometry ------------------------------------------------------------------------------ */

bool jn_boxes_meet(jn_box a, jn_box b);
/* Whether the line from a to b enters the box. */
bool jn_line_meets(jn_point a, jn_point b, jn_box box);
jn_box jn_box_grown(jn_box b, double by);
/* Whether the bond begins or ends at the box in which the element stands. */
bool jn_draw_ends_in(const jn_drawing *d, const jn_bond *b, int element);

#endif
