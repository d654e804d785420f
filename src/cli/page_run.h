/* page_run.h: the run of a model for `junct page`.
 *
 *     page_run.c    the run: what happens, and when
 *     page_keep.c   what is kept of it, within limits that do not grow with the run */
#ifndef CLI_PAGE_RUN_H
#define CLI_PAGE_RUN_H

#include "junct/html.h"
#include "run.h"

/* ---- what is kept -------------------------------------------------------------------------- */

typedef struct {
    const jn_graph *graph;
    jn_arena *texts;
    double to; /* the end, as planned */
    /* rows: thinned when there are too many */
    int ntraces, nrows, cap;
    double *t, **value;
    long rows;
    /* modes: each one with its time, and the time each switch is on in each column of the run */
    int nchanges, change_cap;
    bool too_many;
    double *change_t;
    jn_onoff *change_mode;
    jn_onoff *last; /* NULL: none yet */
    double since;   /* the last mode holds */
    float *duty;
    /* events and instants */
    int nevents, event_cap;
    jn_html_event *event;
    int nframes, frame_cap;
    jn_html_frame *frame;
} page_keep;

enum {
    PAGE_NUMBERS = 600000,   /* of the rows, a time counting as two: below 4 MB in the page */
    PAGE_CHANGES = 50000,    /* of the mode, one by one */
    PAGE_COLUMNS = 2000,     /* of time, when there are more */
    PAGE_EVENTS = 500,       /* in the list */
    PAGE_SHOWN = 120000,     /* powers and energies, over all instants */
    PAGE_INSTANTS_MIN = 60,  /* but so many instants at least, */
    PAGE_INSTANTS_MAX = 1200 /* and at most */
};

void page_keep_init(page_keep *k, const jn_graph *g, int ntraces);
void page_keep_clear(page_keep *k);
void page_keep_row(page_keep *k, double t, const double *value);
void page_keep_mode(page_keep *k, double t, const jn_onoff *mode);
void page_keep_event(page_keep *k, const jn_event *e);
/* The instant's powers and energies are filled in by the caller. */
void page_keep_frame(page_keep *k, jn_html_frame f);
void page_keep_end(page_keep *k, double t); /* no more comes */

/* ---- the run ------------------------------------------------------------------------------- */

typedef struct page_run page_run;
/* Runs the model if it says for how long, or the options do. Returns the exit code; that it cannot
 * be run, or stops early, is said in the page. */
int page_run_new(page_run **out, cli_model *m, const cli_args *args);
void page_run_free(page_run *r); /* NULL-safe */
/* Puts it into a page; it lives as long as r. */
void page_run_give(jn_html *page, page_run *r);
bool page_run_stopped(const page_run *r);

#endif
