/* sweep.h: what the parts of `junct sweep` share.
 *
 *     cmd_sweep.c    options, and what is asked
 *     sweep_table.c  the rows in their file, which can be gone on with
 *     sweep_crew.c   worker processes
 *     sweep_plot.c   the table as a picture */
#ifndef CLI_SWEEP_H
#define CLI_SWEEP_H

#include "cli.h"
#include "junct/sweep.h"

/* ---- the table ----------------------------------------------------------------------------- */

/* Rows go to NAME.part, whole and in order; when all are there, it takes its name. NAME.part.id says
 * which question it is an answer to, so that the same command goes on where it was. Standard output,
 * and what is no plain file, is written to at once. */
typedef struct sweep_table sweep_table;

/* path: NULL or "-" for standard output. anew: what is there is not gone on with. NULL, and said,
 * when it cannot be opened; *code. */
sweep_table *sweep_table_open(int *code, const char *path, const jn_sweep *s, bool anew);
uint64_t sweep_table_rows(const sweep_table *t); /* whole ones that are in it */
/* Calls f for each row that was there when it was opened, without its end of line. */
void sweep_table_each(const sweep_table *t, void (*f)(const char *line, void *ctx), void *ctx);
/* Adds rows and empties the text; false after a failure. */
bool sweep_table_put(sweep_table *t, jn_str *text);
/* complete: all rows are there. Says what is to be said; returns the exit code. */
int sweep_table_close(sweep_table *t, bool complete, uint64_t rows);

/* ---- who computes -------------------------------------------------------------------------- */

/* Rows in order, as they come; returns false to end early. */
typedef bool sweep_take(jn_str *text, uint64_t done, void *ctx);

typedef enum { SWEEP_DONE, SWEEP_STOPPED, SWEEP_ENDED_BY_TAKER, SWEEP_NO_WORKERS } sweep_end;

/* One that deals out the rows of a sweep from `first` on, and gives their texts to `take`. */
typedef struct sweep_crew {
    sweep_end (*work)(const struct sweep_crew *c, jn_sweep *s, uint64_t first, sweep_take *take,
                      void *ctx);
    int jobs;
    bool is_boss; /* false: it only computes for another; nothing is printed or written */
} sweep_crew;

sweep_end sweep_by_processes(const sweep_crew *c, jn_sweep *s, uint64_t first, sweep_take *take,
                             void *ctx);

/* A process of its own that computes batches, one at a time. */
typedef struct {
    pid_t pid; /* 0: none */
    int to, from;
    bool busy;
    jn_batch batch;
    long rows; /* since it was started */
} sweep_worker;

/* The others' pipes are closed in the new process. False: the system gives no more. */
bool sweep_worker_start(sweep_worker *w, jn_sweep *s, const sweep_worker *others, int n);
bool sweep_worker_give(sweep_worker *w, jn_batch b);  /* false: it is gone */
bool sweep_worker_fetch(sweep_worker *w, jn_str *text); /* waits; false: it is gone */
void sweep_worker_stop(sweep_worker *w, bool at_once);
/* How many rows one computes before another takes its place: memory that libraries keep goes with it. */
enum { SWEEP_WORKER_ROWS = 20000 };

/* ---- the picture --------------------------------------------------------------------------- */

typedef struct sweep_plot sweep_plot;
/* kind: NULL, what suits; else "curve", "map", "scatter", "histogram". NULL, and said: it cannot. */
sweep_plot *sweep_plot_new(const jn_sweep *s, const char *title, const char *kind);
void sweep_plot_free(sweep_plot *p); /* NULL-safe */
void sweep_plot_line(const char *line, void *plot); /* a row of the table */
int sweep_plot_write(sweep_plot *p, const char *path); /* returns the exit code */

/* The command, its rows computed by a crew. Returns the exit code. */
int sweep_command(const cli_args *args, sweep_crew crew);

#endif
