/* draw_internal.h: shared by the files that make a drawing. */
#ifndef WRITE_DRAW_INTERNAL_H
#define WRITE_DRAW_INTERNAL_H

#include "junct/draw.h"

#include "graphviz.h"

/* Sizes of type, and the space around a box that lines keep clear of. */
#define JN_DRAW_SIZE 14.0
#define JN_DRAW_SIZE_BELOW 10.0
#define JN_DRAW_CLEAR 3.0
#define JNI_FOLD_LABEL 13.0 /* the height of a frame's label */

/* The width of a text of that size; a little more than Helvetica needs, for the fonts that may
 * stand in for it. */
double jni_draw_text_width(const char *s, double size);

/* What stands in the boxes, in all modes; and the widest it is in any mode. */
void jni_draw_texts(jn_drawing *d, jn_draw_values v);
const char *jni_draw_port_name(const jn_element *port); /* of a field: "a" */
void jni_draw_box_size(double *width, double *height, const jn_drawing *d, int element);
/* Parts that repeat each other, when strokes and texts are set; a name in them gets a k where the
 * parts differ. */
void jni_draw_fold(jn_drawing *d);
jn_box jni_fold_label(const jn_fold *f); /* where its label stands */
static inline bool jni_bond_is_drawn(const jn_drawing *d, int bond)
{
    return d->bond[bond].as == bond;
}
/* Boxes, bonds and labels to their places. */
jn_status jni_draw_place(jn_drawing *d, bool bond_names) JN_CHECKED;
/* The best of several layouts, and boxes and bonds as a layout has them. */
jn_status jni_draw_choose(jn_drawing *d, const jn_layout_task *t) JN_CHECKED;
void jni_draw_place_all(jn_drawing *d, const jn_layout *l);

/* ---- geometry ------------------------------------------------------------------------------ */

bool jni_boxes_meet(jn_box a, jn_box b);
jn_box jni_box_of_both(jn_box a, jn_box b);
/* Whether the line from a to b enters the box. */
bool jni_line_meets(jn_point a, jn_point b, jn_box box);
jn_box jni_box_grown(jn_box b, double by);
/* Whether the bond begins or ends at the box in which the element stands. */
bool jni_draw_ends_in(const jn_drawing *d, const jn_bond *b, int element);

#endif
