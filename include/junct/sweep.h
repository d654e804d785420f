/* sweep.h: one question to a model, asked for many values.
 *
 *     const char *vary[] = {"R1=1:100:20", "L=log:1u:1m:7"}, *measure[] = {"mean(uC)", "max(uC)"};
 *     jn_sweep_question q = {.nvary = 2, .vary = vary, .nmeasures = 2, .measure = measure};
 *     jn_sweep *s;
 *     jn_sweep_new(&s, graph, &q, d)
 *     for (uint64_t i = 0; i < jn_sweep_rows(s); i++)
 *         jn_sweep_row(s, i, value, &status)      any row, in any order, as often as wanted
 *     jn_sweep_free(s)
 *
 * A row depends on its number and the question alone, random draws included: whoever computes it, in
 * whichever process and order, gets the same. What cannot be answered for some values is no error: the
 * row says so in its status. The graph is read once; its values are those of the row computed last. */
#ifndef JUNCT_SWEEP_H
#define JUNCT_SWEEP_H

#include "junct/sim.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
    JN_SWEEP_RUN,    /* a run from 0 to an end */
    JN_SWEEP_STEADY, /* the periodic orbit */
    JN_SWEEP_ANALYSE /* poles of one mode */
} jn_sweep_kind;

/* Nothing is kept of it but copies. */
typedef struct {
    /* "NAME=FROM:TO:COUNT", "NAME=log:FROM:TO:COUNT", "NAME=1,2,5", "NAME=uniform(a,b)",
     * "NAME=normal(mean,deviation)"; NAME: a parameter, an element with a value of its own, a source, or
     * "p0(L)", "f0(L)", "q0(C)", "e0(C)" for what a storage starts from. Several make a grid, the last
     * one fastest; those with random draws are drawn together, `samples` times at each point of the
     * grid (the same draws at each). */
    int nvary;
    const char *const *vary;
    /* "mean(uC)", "ripple = max(uC) - min(uC)": see docs/sweep.md. Outputs go by their names, and any
     * expression of the model may stand in their place. */
    int nmeasures;
    const char *const *measure;
    jn_sweep_kind kind;
    uint64_t samples, seed; /* samples 0: there must be no random draws */
    double to;              /* the end of a run; 0: the model's */
    double from;            /* where measures begin */
    /* An expression that is read at the start of each of the last `periods` periods of a run, each in a
     * column of its own; NULL: none. period 0: that of the model's pwm. */
    const char *each_period;
    int periods;
    double period;
    int times;             /* JN_SWEEP_STEADY: the orbit closes after so many periods; 0: 1 */
    bool is_free;          /* likewise: an oscillation without a clock */
    const jn_onoff *mode;  /* JN_SWEEP_ANALYSE: which mode; NULL: that of the start */
    double seconds;        /* of processor time that a row may take; 0: any */
    jn_sim_options sim;    /* method, tolerances, folder, sequence; interrupted is asked, the other
                            * callbacks are not */
} jn_sweep_question;

typedef struct jn_sweep jn_sweep;

#define JN_SWEEP_MAX_ROWS 1000000000000 /* a question with more is refused */

/* INVALID with diagnostics, placed in the texts of the question, when something in it is wrong; UNABLE
 * after jn_interrupt. The graph must outlive it, and belongs to it until then. */
jn_status jn_sweep_new(jn_sweep **out, jn_graph *g, const jn_sweep_question *q,
                       jn_diags *d) JN_CHECKED;
void jn_sweep_free(jn_sweep *s); /* NULL-safe */

uint64_t jn_sweep_rows(const jn_sweep *s);
/* Columns: what is varied, in the order given, then the measures. */
int jn_sweep_columns(const jn_sweep *s);
int jn_sweep_nvaried(const jn_sweep *s);
const char *jn_sweep_column(const jn_sweep *s, int column);

/* What is varied, for pictures. */
typedef struct {
    const char *name;
    int count;       /* of its values; 0: drawn at random */
    bool is_log;     /* evenly in the logarithm */
    const double *value; /* count of them */
} jn_sweep_axis;
jn_sweep_axis jn_sweep_axis_of(const jn_sweep *s, int varied);
/* The columns of each_period: the first and how many; 0: none. */
int jn_sweep_each_period(const jn_sweep *s, int *first);

/* The values of a row, one per column; NaN where there is none. *status: "ok", else why not in words;
 * lives until the next call. False: it was interrupted, and the row is not known. */
bool jn_sweep_row(jn_sweep *s, uint64_t row, double *value, const char **status);

/* ---- as a table ---------------------------------------------------------------------------- */

/* CSV: "run,R1,mean(uC),status" and rows like it, with the fewest digits that read back exactly and
 * nothing where a value is NaN. */
void jn_sweep_header(jn_str *out, const jn_sweep *s);
bool jn_sweep_row_text(jn_str *out, jn_sweep *s, uint64_t row); /* false: interrupted */
/* A row that nobody could compute, with that status. */
void jn_sweep_row_lost(jn_str *out, jn_sweep *s, uint64_t row, const char *status);

/* Digits that tell this question from others: of the model's text, the question and this version. */
const char *jn_sweep_fingerprint(const jn_sweep *s);

/* ---- by several workers -------------------------------------------------------------------- */

/* Who computes what: rows are dealt out in batches, to whoever is free; their texts come back in any
 * order and leave in that of the rows. What is out or waiting is bounded, so that memory does not
 * grow. A batch that a worker took to its grave is dealt again, row by row; a row that is lost twice
 * is given up. Knows nothing of processes: `junct sweep -j` and junct-sweep-mpi deal by it. */
typedef struct jn_deal jn_deal;

typedef struct {
    uint64_t first;
    int64_t count;
} jn_batch;

jn_deal *jn_deal_new(uint64_t first, uint64_t rows, int workers); /* from a row on */
void jn_deal_free(jn_deal *d);                                     /* NULL-safe */
/* The next batch; false: none for now (until something is returned), or none at all. */
bool jn_deal_take(jn_deal *d, jn_batch *b);
void jn_deal_return(jn_deal *d, jn_batch b, const char *text, size_t len);
/* A batch that did not come back. True: its only row was lost twice, return a text for it. */
bool jn_deal_lost(jn_deal *d, jn_batch b);
/* The texts that are due, in the order of rows; false: the next one is not here yet. */
bool jn_deal_next(jn_deal *d, jn_str *text);
uint64_t jn_deal_done(const jn_deal *d); /* rows that have left */
bool jn_deal_is_over(const jn_deal *d);

#ifdef __cplusplus
}
#endif

#endif
