/* graphviz.h: the fence around Graphviz: boxes and lines in, places out. */
#ifndef WRITE_GRAPHVIZ_H
#define WRITE_GRAPHVIZ_H

#include "junct/draw.h"

typedef struct {
    int nboxes;
    const double *width, *height; /* per box, points */
    int nlines;
    const int *tail, *head; /* per line: boxes */
    const int *group;       /* per box: those of one group stand together; −1: of none; NULL: no groups */
    unsigned variant;       /* jn_layout_variant, or'ed: what layers are told to begin with */
    int apart;              /* a box that keeps a layer between it and those it is joined to; −1: none */
} jn_layout_task;

/* Graphviz improves the order in its layers from where it begins, so that other beginnings have
 * other ends. */
typedef enum {
    JN_LAYOUT_BOXES_BACK = 1, /* boxes from the last to the first */
    JN_LAYOUT_LINES_BACK = 2,
    JN_LAYOUT_IN_ORDER = 4, /* the lines of a box stay in their order */
    JN_LAYOUT_SIDEWAYS = 8, /* lines leave on the right and come from the left */
    JN_LAYOUT_VARIANTS = 16
} jn_layout_variant;

/* A layered layout from left to right, or one that lets springs settle. */
typedef enum { JN_LAYOUT_LAYERED, JN_LAYOUT_SPRINGS } jn_layout_engine;

typedef struct {
    double width, height;
    jn_point *centre; /* per box */
    int *npoints;     /* per line */
    jn_point **point;
    bool *fixed; /* per line: it must follow these points; NULL: none must */
    bool routed; /* all lines do */
} jn_layout;

/* The result lives in the arena. UNABLE when Graphviz fails or its plugins are missing. */
jn_status jni_layout_find(jn_layout *out, jn_arena *a, const jn_layout_task *t,
                         jn_layout_engine engine) JN_CHECKED;
/* The same in layers, boxes with one line above and below the box they hang on. UNABLE also when
 * those are very many. */
jn_status jni_layout_around(jn_layout *out, jn_arena *a, const jn_layout_task *t) JN_CHECKED;
/* Upside down. */
void jni_layout_mirror(jn_layout *l, const jn_layout_task *t);
/* Takes out what nothing stands in: high strips, and room on the sides. */
void jni_layout_crop(jn_layout *l, const jn_layout_task *t);
/* Breaks one that is too wide for a page of that shape into rows, where few lines must be broken;
 * every other row goes from right to left. */
void jni_layout_fold(jn_layout *l, jn_arena *a, const jn_layout_task *t, double page_width,
                    double page_height);

#endif
