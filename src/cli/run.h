/* run.h: what the parts of `junct simulate` share, some of them with `junct report`.
 *
 *     run_setup.c     options, --set, the method and the times
 *     run_sequence.c  a sequence of modes from its file
 *     run.c           the run itself: rows and events as they come
 *     run_shown.c     a run for a report or a page
 *     run_record.c    rows kept for a picture of the whole run
 *     run_tail.c      rows kept for a picture of its end
 *     run_looks.c     what a picture has between the rows
 *     run_progress.c  the progress bar */
#ifndef CLI_RUN_H
#define CLI_RUN_H

#include "cli.h"
#include "junct/plot.h"
#include "junct/sim.h"
#include "junct/trace.h"

/* ---- times --------------------------------------------------------------------------------- */

/* Output times k·DT up to T, computed, never summed. Where DT = p/q with numbers a double can hold,
 * k·p/q is the double nearest to the exact time, the one a user would write. */
typedef struct {
    double to, every;
    double p, q; /* q = 0: not known */
} run_times;

void run_times_every(run_times *t, const fmpq_t every);
double run_time(const run_times *t, uint64_t k); /* not beyond the end */

/* ---- what was asked for -------------------------------------------------------------------- */

/* The options that say what is run. */
/* clang-format off */
#define RUN_OPTIONS \
    {"to", 0, "T", "the end of the run, instead of the model's"}, \
    {"every", 0, "DT", "the time between rows, instead of the model's; without either, T/1000"}, \
    CLI_OPTION_SET, \
    {"sequence", 0, "FILE", "play the modes of a CSV file: t, and 0 or 1 for each switch"}
/* clang-format on */

typedef struct {
    jn_sim_options sim;
    run_times times;
    bool has_to, has_every; /* given as options; else the model must say */
    double *sequence_t;
    jn_onoff *sequence_mode;
    char *folder;
} run_plan;

/* Reads the options; returns the exit code. Clear the plan in any case. */
int run_plan_read(run_plan *p, const cli_args *args);
/* Those of the method and its tolerances alone; likewise. */
int run_plan_read_method(run_plan *p, const cli_args *args);
void run_plan_clear(run_plan *p);
/* A positive number, untouched when the option is not given; returns the exit code. */
int run_positive_option(double *x, const cli_args *args, const char *option);
/* --set: other values for parameters, elements and sources. */
int run_set_values(jn_graph *g, const cli_args *args);
/* The folder of a model file, for its tables; free it. NULL: the working directory. */
char *run_folder(const char *path);
/* What the options leave to the model, its values being set: the end and the step where these are
 * rational; and --sequence, which is read for the model's switches. */
int run_plan_complete(run_plan *p, cli_model *m, const cli_args *args);
int run_plan_sequence(run_plan *p, cli_model *m, const char *path);
/* An end and a step that are not rational (2*pi), with the evaluation of the simulation. */
int run_plan_finish_times(run_plan *p, jn_sim *s, const jn_graph *g);

/* ---- rows for a picture -------------------------------------------------------------------- */

/* Keeps what a picture needs of the rows, however many there are. */
typedef struct run_record run_record;
/* choice: names separated by commas, NULL: all. NULL, and said on standard error, when there is
 * no such name. */
run_record *run_record_new(const jn_graph *g, int nvalues, const char *const *name,
                           const char *choice);
void run_record_free(run_record *r); /* NULL-safe */
void run_record_row(run_record *r, double t, const jn_onoff *mode, const double *value);
long run_record_changes(const run_record *r);          /* of the mode */
jn_plot run_record_plot(run_record *r);                /* of all rows; the record keeps its data */
int run_record_write(run_record *r, const char *path); /* returns the exit code */

/* The last rows, all of them. */
typedef struct run_tail run_tail;
run_tail *run_tail_new(const jn_graph *g, int nvalues, const char *const *name);
void run_tail_free(run_tail *r); /* NULL-safe */
void run_tail_row(run_tail *r, double t, const jn_onoff *mode, const double *value);
/* From one of the last changes of the mode on; the tail keeps its data. */
jn_plot run_tail_plot(run_tail *r, int changes);

/* Looks between the rows, so that no ripple is lost or taken for a slower one. */
typedef struct run_looks run_looks;
run_looks *run_looks_new(const run_times *times, int nstates, int nvalues); /* NULL: none */
void run_looks_free(run_looks *l);                                          /* NULL-safe */
int run_looks_count(const run_looks *l); /* between two rows; NULL: 0 */
/* The time of the next one, the i-th between two rows. */
double run_looks_time(run_looks *l, double from, double to, int i);
void run_looks_take(run_looks *l, double t, const double *value);
/* A row comes. Returns how many looks were taken before it, to be had until the next is taken, and
 * whether they are more than what a straight line between the rows says. */
int run_looks_row(bool *bent, run_looks *l, double t, const double *value);
const double *run_looks_get(const run_looks *l, int i, double *t);

/* ---- the run ------------------------------------------------------------------------------- */

typedef struct {
    jn_sim *sim;
    const jn_graph *graph;
    run_times times;
    int nvalues;
    const char **name;
    const jn_probe **probe; /* NULL: the values are the states */
    double *value;
    bool *said; /* per value: that it is not determined everywhere */
    jn_trace *trace; /* NULL, as each of these: none */
    bool uniform;    /* no rows of events in the trace */
    jn_event_log *log;
    run_record *record;
    run_tail *tail;
    run_looks *looks; /* for these two */
    bool any_row;
    double last_row;
    bool at_event; /* its first row is written */
    bool pinnacles;   /* rows for them */
    bool strict;      /* an output that nothing determines ends it */
    double seconds;   /* of processor time that it may take; 0: any */
    unsigned asked;   /* how often it was asked whether it should end */
    bool is_late;     /* that time is over */
    bool progress;
    bool stopped; /* early */
    char *reason; /* why; NULL: a file could not be written, which is said when it is closed */
} run;

/* The columns of the trace: the outputs, else the states. */
void run_init(run *r, const jn_graph *g);
const char *run_unit(const jn_graph *g, int column); /* of an output, else of a state; NULL: not known */
void run_clear(run *r);
/* Told of events, for jn_sim_options; ctx is the run. The second needs the log: to describe events
 * costs more than to have them. */
void run_before_event(void *ctx);
void run_on_event(const jn_event *e, void *ctx);
void run_on_pinnacle(void *ctx);
bool run_interrupted(void *ctx); /* a signal came, or the time is over */
int run_read_seconds(run *r, const cli_args *args); /* --max-seconds; returns the exit code */
/* Makes the probes; INVALID when an output cannot be read. */
jn_status run_make_probes(run *r);
/* Until the end, or until something ends it: then r->reason says why. */
void run_all(run *r);

/* For a report or a page, which a model has even if it cannot be run: then *why_not is the reason,
 * free it. The first reads the options, the second makes the simulation (tables that cannot be read
 * are said, and end the command); each returns the exit code. */
int run_shown_plan(run_plan *p, char **why_not, cli_model *m, const cli_args *args);
int run_shown_new(run *r, char **why_not, run_plan *p, cli_model *m);
/* What a run says of its end, without the time where this is t: it is told before. Free it. */
char *run_reason(const char *message, double t);
void run_say_stopped(const run *r); /* that it ended early, if it did */

/* ---- progress ------------------------------------------------------------------------------ */

void run_show_progress(const run *r);
void run_hide_progress(void);

#endif
