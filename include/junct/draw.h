/* draw.h: the causal bond graph as a picture.
 *
 * A drawing is plain geometry: boxes of text and lines between them, laid out once by Graphviz.
 * Without folds the layout depends on the bond graph alone, so that the pictures of all modes of a
 * model can be laid over each other. The writers only set what stands here.
 *
 * Lengths are points (1/72 inch); x goes to the right, y downwards, from the top left corner. */
#ifndef JUNCT_DRAW_H
#define JUNCT_DRAW_H

#include "junct/junction.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    double x, y;
} jn_point;

typedef struct {
    double left, top, right, bottom;
} jn_box;

/* An element: "I : L1" and below it, smaller, its value; a junction's name or its λ. The ports of a
 * field stand in one box, that of the first: "I : M" and its matrix. Of parts that are folded, only
 * the first is drawn, the others' elements stand in its boxes. */
typedef struct {
    int in;           /* the element in whose box it stands: itself, unless it is one of these */
    int fold;         /* the one it belongs to; −1: none */
    jn_box box;       /* all of its text */
    const char *kind; /* "I", "0", "X1"; in a mode in which a switch is OFF its null source: "Se" */
    const char *name; /* "L1"; "0" for a null source; NULL: only the kind is shown */
    const char *below;  /* NULL: nothing */
    const char *own;    /* the same of this element alone, where below speaks for folded parts */
    const char *lambda; /* the switch, shown below as λ with this name; NULL: not a switch */
    char state; /* '0', '1': the switch's λ in the mode drawn; 0: all modes, or not a switch */
    bool off;   /* drawn in grey */
} jn_drawn_element;

typedef enum {
    JN_DRAWN_NONE,
    JN_DRAWN_SOLID, /* a causal stroke, in the mode drawn or in the reference mode */
    JN_DRAWN_DASHED /* a causal stroke of other modes */
} jn_drawn_stroke;

/* A bond: a polyline from the edge of its tail's box to that of its head's, the half-arrow at the
 * end. A stroke at an end means that the element there receives the effort. */
typedef struct {
    int as; /* the bond that is drawn for it: itself, or that of the first of folded parts */
    int npoints;
    const jn_point *point;
    jn_drawn_stroke tail, head;
    bool undetermined; /* drawn dotted: a redundant loop leaves its causality open */
    bool off;          /* an OFF junction is at one of its ends */
    const char *label; /* its name, the port of a field that it leads to; NULL: nothing to be said */
    jn_box label_box;
} jn_drawn_bond;

/* Parts of the graph that repeat each other, drawn once in a frame: instances of a submodel, turns of
 * a loop, that are bonded to the same elements outside in the same way; in a mode, those whose switches
 * and strokes stand alike. */
typedef struct {
    int count; /* of parts */
    int nelements, nbonds;    /* of one part */
    const int *element, *bond; /* count × nelements, count × nbonds; alike in alike places */
    const char *label;         /* "64 × k = 1 … 64" */
    jn_box box;                /* the frame, with the label on top */
} jn_fold;

typedef struct {
    jn_arena *arena;
    const jn_graph *graph; /* must outlive it */
    const char *mode;      /* "100"; NULL: all modes in one picture */
    bool forbidden;        /* the mode drawn has no causality: no strokes are drawn */
    double width, height;
    jn_drawn_element *element; /* as in the graph */
    jn_drawn_bond *bond;
    int nfolds;
    jn_fold *fold;
} jn_drawing;

/* What stands below an element. */
typedef enum {
    JN_VALUES_WRITTEN, /* its value as in the model */
    JN_VALUES_SYMBOLS, /* its value over the parameters, where it is more than its own symbol */
    JN_VALUES_NONE
} jn_draw_values;

typedef struct {
    bool bond_names; /* of all bonds; else only of those that were given one */
    jn_draw_values values;
    bool unfold; /* every part drawn, however often it is repeated */
} jn_draw_options;

/* mode NULL: all modes, a solid stroke for the reference mode and a dashed one at the other end
 * where another mode turns it. UNABLE when Graphviz cannot lay it out. */
jn_status jn_drawing_new(jn_drawing **out, const jn_junction *j, const jn_onoff *mode) JN_CHECKED;
jn_status jn_drawing_make(jn_drawing **out, const jn_junction *j, const jn_onoff *mode,
                          const jn_draw_options *o) JN_CHECKED;
void jn_drawing_free(jn_drawing *d); /* NULL-safe */

/* Pairs of boxes (elements, labels) that overlap, and bonds that run through a box that is not
 * theirs. */
int jn_drawing_overlaps(const jn_drawing *d);
int jn_drawing_hidden(const jn_drawing *d);
/* Pairs of bonds that cross, and pairs of switches above or beside each other against the order of
 * the model. */
int jn_drawing_crossings(const jn_drawing *d);
int jn_drawing_inversions(const jn_drawing *d);

/* ---- writing ------------------------------------------------------------------------------- */

/* A bar across the end of a line and the barb of its half-arrow, for the writers. */
typedef struct {
    jn_point from, to;
} jn_segment;
jn_segment jn_drawn_bar(const jn_drawn_bond *b, bool at_head);
jn_segment jn_drawn_barb(const jn_drawn_bond *b);
/* Where the upper and the lower line of an element's text have their baselines, and their sizes. */
typedef struct {
    double x, baseline, baseline_below, size, size_below;
} jn_drawn_text;
jn_drawn_text jn_drawn_text_of(const jn_drawn_element *e);

void jn_drawing_svg(jn_str *out, const jn_drawing *d);
/* A tikzpicture no wider than \linewidth allows; standalone: a document of its own. */
/* The scale at which it is drawn, 1 for natural size: below about 0.3 it is hard to read. */
double jn_drawing_tikz_scale(const jn_drawing *d);
void jn_drawing_tikz(jn_str *out, const jn_drawing *d, bool standalone);
/* For Graphviz: elements at their places, strokes as arrow heads. */
void jn_drawing_dot(jn_str *out, const jn_drawing *d);

#ifdef __cplusplus
}
#endif

#endif
