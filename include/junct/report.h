/* report.h: everything about a model in one document, as LaTeX or Markdown.
 *
 * A report is a list of parts, most of them pages (page.h); both forms walk the same parts. What
 * would be too long to be read (matrices of large models, thousands of modes) is shortened, and
 * the report says what to ask for the rest. */
#ifndef JUNCT_REPORT_H
#define JUNCT_REPORT_H

#include "junct/analyse.h"
#include "junct/draw.h"
#include "junct/plot.h"
#include "junct/write.h"

/* An event of a run, as text. */
typedef struct {
    double t;
    const char *kind;      /* "time", "state", … */
    const char *from, *to; /* modes */
    const char *via;       /* modes passed through, or "" */
    const char *cause;
    double lost; /* energy */
} jn_report_event;

/* A simulation, for the report. Nothing is owned. */
typedef struct {
    const jn_plot *plot;
    int nevents; /* those given; the first of them are printed */
    const jn_report_event *event;
    const char *summary; /* sentences: method, end, energies */
} jn_report_run;

/* What a report is made of; nothing is owned. */
typedef struct {
    const jn_junction *junction;
    const jn_implicit *implicit;
    const jn_source *source;     /* the model file; NULL: no listing */
    const jn_drawing *drawing;   /* of all modes; NULL: none */
    const char *picture;         /* Markdown: the drawing's file, "boost.svg" */
    const jn_analysis *analysis; /* NULL: no section on the modes' properties */
    const jn_onoff *mode;        /* this mode; NULL: the reference mode, or all if they are few */
    const jn_report_run *run;    /* NULL: no section on simulation */
    const char *run_picture;     /* Markdown: the plot's file */
} jn_report;

typedef enum { JN_REPORT_LATEX, JN_REPORT_MARKDOWN } jn_report_form;

enum { JN_REPORT_ALL_MODES = 16 }; /* so many modes are written out one by one */

void jn_report_write(jn_str *out, const jn_report *r, jn_report_form form);

#endif
