/* trace.h: what a run leaves: the trace of its outputs and the list of its events.
 *
 *     jn_trace *t;
 *     jn_trace_open(&t, "x.csv", &columns, &why)
 *     jn_trace_row(t, time, mode, values)          as often as there are rows
 *     jn_trace_close(t, &why)
 *
 * Rows are streamed: memory does not grow with the run. A file is written under a temporary name
 * beside it and takes its own when it is closed, complete; devices and pipes are written in place.
 * Three forms, chosen by the end of the name:
 *
 * .csv, or any other: comma-separated values. Columns t, mode (one digit for each switch in the
 *     order of declaration, as in 100; empty without switches), then the values, with the fewest
 *     digits that read back as exactly the same double. Or, where asked for, a column of its own
 *     for each switch, called after it, instead of mode.
 * .npy: an array of records for NumPy: numpy.load("x.npy")["speed"]. Field t and the values are
 *     doubles, field mode is a byte string such as b"100".
 * .mat: a file of level 4 for Octave, MATLAB, SciPy: matrix `data` has a row for each name in the
 *     lines of the character matrix `names`, and a column for each row of the trace. Instead of
 *     the mode there is one row mode(NAME), 0 or 1, for each switch. */
#ifndef JUNCT_TRACE_H
#define JUNCT_TRACE_H

#include "junct/sim.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- numbers ------------------------------------------------------------------------------- */

/* Prints doubles with the fewest digits that read back exactly. */
typedef struct jn_decimals jn_decimals;
jn_decimals *jn_decimals_new(void);
void jn_decimals_free(jn_decimals *p); /* NULL-safe */
/* At most JN_DECIMAL_MAX bytes at out may be written to; returns how many of them are the
 * number: -1.5, 0.001, 2e-7, inf. There is no end mark. */
#define JN_DECIMAL_MAX 32
int jn_decimals_print(char *out, const jn_decimals *p, double x);

/* ---- a file that takes its name when it is complete ---------------------------------------- */

/* Large buffer; a failure is remembered, and what comes after it is dropped. */
typedef struct jn_sink jn_sink;
/* path "-": standard output. INVALID when it cannot be opened; the reason is appended to why. */
jn_status jn_sink_open(jn_sink **out, const char *path, jn_str *why) JN_CHECKED;
/* Room for n bytes, of which the first `used` become part of the file when it says so. */
char *jn_sink_room(jn_sink *s, size_t n);
void jn_sink_used(jn_sink *s, size_t used);
void jn_sink_put(jn_sink *s, const void *bytes, size_t n);
void jn_sink_flush(jn_sink *s);
uint64_t jn_sink_written(const jn_sink *s); /* bytes so far; after a failure those in the file */
bool jn_sink_failed(const jn_sink *s);
void jn_sink_fail(jn_sink *s, int error); /* errno */
bool jn_sink_is_file(const jn_sink *s); /* no pipe or device: what was written can be changed */
const char *jn_sink_temporary(const jn_sink *s); /* the name of such a file until it is closed */
/* What follows is rows of so many bytes, or with 0 lines of text: what there is of them is of use even
 * when something stops the writing, and is cut to whole ones then. Their number, when it is known,
 * goes to an offset of the file: in 32 bits, or as text with a few characters behind it and then
 * blanks, as if it had JN_COUNT_DIGITS digits. */
#define JN_COUNT_DIGITS 20 /* of any 64-bit number */
void jn_sink_rows(jn_sink *s, size_t row);
void jn_sink_count_at(jn_sink *s, uint64_t offset, const char *behind); /* NULL: 32 bits */
/* For a signal handler that ends the program: rows are written and the file takes its name; any
 * other file is removed. Nothing may be done with s afterwards. */
void jn_sink_abandon(jn_sink *s);
/* Gives the file its name, and frees s. UNABLE when something could not be written: the reason is
 * appended to why (nothing if the reader of a pipe went away), and a regular file keeps its
 * temporary name, which is told as well, so that nothing that was written is lost. */
jn_status jn_sink_close(jn_sink *s, jn_str *why) JN_CHECKED;
/* Removes what was written, and frees s; NULL-safe. */
void jn_sink_discard(jn_sink *s);

/* ---- the trace ----------------------------------------------------------------------------- */

typedef struct {
    int nswitches;
    const char *const *switch_name;
    int nvalues;
    const char *const *value_name;
    bool mode_columns; /* CSV: a column of 0 and 1 for each switch, not one for the mode */
} jn_columns;

typedef struct jn_trace jn_trace;
jn_status jn_trace_open(jn_trace **out, const char *path, const jn_columns *c,
                        jn_str *why) JN_CHECKED;
/* False when nothing can be written any more. */
bool jn_trace_row(jn_trace *t, double time, const jn_onoff *mode, const double *value);
uint64_t jn_trace_rows(const jn_trace *t);
jn_sink *jn_trace_sink(jn_trace *t);
jn_status jn_trace_close(jn_trace *t, jn_str *why) JN_CHECKED; /* frees t */
void jn_trace_discard(jn_trace *t);                            /* NULL-safe */

/* ---- the events ---------------------------------------------------------------------------- */

/* CSV with the columns t, kind, from, to, switches, via, cause, impulse areas, energy lost:
 *     switches       those that changed: "s=1; d=0"
 *     via            the modes passed through at this instant: "mythical 11 (forbidden); pinnacle
 * 01" impulse areas  "b3.e=-0.25; b7.f=2", of every bond that has one */
typedef struct jn_event_log jn_event_log;
/* The graph must outlive it. */
jn_status jn_event_log_open(jn_event_log **out, const char *path, const jn_graph *g,
                            jn_str *why) JN_CHECKED;
bool jn_event_log_add(jn_event_log *l, const jn_event *e);
jn_sink *jn_event_log_sink(jn_event_log *l);
jn_status jn_event_log_close(jn_event_log *l, jn_str *why) JN_CHECKED;
void jn_event_log_discard(jn_event_log *l); /* NULL-safe */

#ifdef __cplusplus
}
#endif

#endif
