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
#include "junct/sim.h"
#include "junct/verify.h"
#include "junct/write.h"

#ifdef __cplusplus
extern "C" {
#endif

#define JN_REPORT_FORBIDDEN "!" /* stands after a forbidden mode */

/* The area of an impulse on an element's bond. */
typedef struct {
    const char *element;
    char variable; /* 'e' or 'f' */
    double area;
} jn_report_impulse;

/* An event of a run, as text; or all events of a run that are alike. */
typedef struct {
    double t;              /* of the first of them */
    long times;            /* how many there are */
    const char *kind;      /* "time", "state", … */
    const char *from, *to; /* modes */
    const char *via;       /* modes passed through, or "" */
    const char *cause;
    double lost;   /* energy, in all of them */
    int nimpulses; /* in the first of them */
    const jn_report_impulse *impulse;
    double kick; /* the energy these would bring to storages at rest */
} jn_report_event;

/* A simulation, for the report. Nothing is owned. */
typedef struct {
    double reached; /* the time at its end */
    long events;
    int modes; /* entered */
    bool linear;
    jn_ledger ledger;
    const char *sequence;  /* the file its modes come from; NULL: the automata act */
    const char *stopped;   /* why it ended early; NULL: it did not */
    const jn_plot *plot;   /* all of it */
    const jn_plot *detail; /* the last mode changes of very many; NULL: none */
    int traces;            /* outputs or states there are; the plot may have fewer */
    int nevents;           /* those given: the first of them, */
    const jn_report_event *event;
    int nchanges; /* and if there are more, one of each sort */
    const jn_report_event *change;
    long more_changes; /* sorts not among these: their events */
} jn_report_run;

/* What a report is made of; nothing is owned. */
typedef struct {
    const jn_junction *junction;
    const jn_implicit *implicit;
    const jn_source *source;     /* the model file; NULL: no listing */
    const jn_drawing *drawing;   /* of all modes; NULL: none */
    const char *picture;         /* Markdown: the drawing's file, "chopper.svg" */
    const jn_analysis *analysis; /* NULL: no section on the modes' properties */
    const jn_onoff *mode;        /* this mode; NULL: the reference mode, or all if they are few */
    const jn_report_run *run;    /* NULL: the model was not run, */
    const char *not_run;         /* for this reason; NULL: no section on simulation */
    const jn_verification *switching; /* NULL: no section on what is proved about switching */
    const char *switching_picture;    /* Markdown: the file of the graph of modes; NULL: none */
    const struct jn_report_plane {    /* where instants end around what is refuted; NULL: nowhere */
        const jn_plane *is;
        const jn_witness *around;
    } *plane;
    const char *plane_picture; /* Markdown: its file */
    const char *run_picture;     /* Markdown: the plot's file, and that of the detail */
    const char *detail_picture;
    bool errata;                 /* also where the published form of the method is corrected */
    int nset; /* values that differ from those in the model file: "R1=2" */
    const char *const *set;
} jn_report;

typedef enum { JN_REPORT_LATEX, JN_REPORT_MARKDOWN } jn_report_form;

enum {
    JN_REPORT_ALL_MODES = 16, /* so many modes are written out one by one */
    JN_REPORT_DIGITS = 8      /* events name the modes of models with so many switches */
};

/* Whether a drawing can be read at the size of a page; else a report in LaTeX only names its file. */
bool jn_report_has_room(const jn_drawing *d);
void jn_report_write(jn_str *out, const jn_report *r, jn_report_form form);

#ifdef __cplusplus
}
#endif

#endif
