/* html.h: a model as one HTML file to play with in a browser.
 *
 * The file holds everything: style, program, a library for plots, and the model as JSON. The page
 * evaluates the guarded form itself, so that every mode is there however many there are. See
 * src/page for what it does with it. */
#ifndef JUNCT_HTML_H
#define JUNCT_HTML_H

#include "junct/draw.h"
#include "junct/implicit.h"
#include "junct/plot.h"
#include "junct/sim.h"

#ifdef __cplusplus
extern "C" {
#endif

/* An event of the run, its texts made. */
typedef struct {
    double t;
    const char *kind, *cause;
    const char *from, *to; /* modes, "100"; from is NULL at the start */
    int nvia;
    const struct jn_html_via {
        const char *mode;
        bool pinnacle, forbidden;
    } *via;
    double lost;
} jn_html_event;

/* What the graph shows at one instant of the run. */
typedef struct {
    double t;
    const jn_onoff *mode;
    const float *power;  /* per bond, along its arrow; NaN: nothing determines it */
    const float *energy; /* per storage; NaN where its law is not linear */
    jn_ledger ledger;
} jn_html_frame;

/* A run of the model. Nothing is owned. */
typedef struct {
    double from, to;        /* the times it covers */
    const char *stopped;    /* why it ended early; NULL: it did not */
    bool linear;            /* followed exactly */
    int modes;              /* entered */
    long events, rows;      /* of the run; fewer may be kept here */
    const jn_plot *trace;   /* rows; several with the same t at an event; bands are not looked at */
    const char *const *unit; /* per trace; NULL: not known */
    int nevents;            /* kept, the first ones */
    const jn_html_event *event;
    int nframes;
    const jn_html_frame *frame;
    /* The modes one after the other, each from a time on; or, when there are too many (0), the share
     * of each column of time in which a switch is on: ncolumns for the first switch, and so on. */
    int nchanges;
    const double *change_t;
    const jn_onoff *change_mode;
    int ncolumns;
    const float *duty;
} jn_html_run;

typedef struct {
    const jn_implicit *implicit;
    const jn_source *source;   /* the model's text; NULL: not shown */
    const jn_drawing *drawing; /* of all modes */
    const jn_html_run *run;    /* NULL: it was not run */
    const char *not_run;       /* why not; NULL: nobody asked */
} jn_html;

void jn_html_write(jn_str *out, const jn_html *h);
/* The data of the page alone, as JSON. */
void jn_html_data(jn_str *out, const jn_html *h);

#ifdef __cplusplus
}
#endif

#endif
