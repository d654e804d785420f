/* rig.h: a model on the test bench: built from its text, run, its events kept.
 *
 * Only the public interface is used. Modes are texts of digits ("10"), the modes passed through at
 * an event one text as well: "mythical 00, pinnacle 01", with "forbidden" in place of "mythical"
 * where the sources of such a mode disagree. */
#ifndef RIG_H
#define RIG_H

#include "junct.h"
#include "junct/sim.h"
#include "testing.h"

enum { RIG_MODE = 24, RIG_VIA = 400, RIG_CAUSE = 400 };

typedef struct {
    double t, before; /* when it was reported; where the clock stood just before it */
    jn_event_kind kind;
    char from[RIG_MODE], to[RIG_MODE], via[RIG_VIA], cause[RIG_CAUSE];
    double *impulse; /* per bond: effort, then flow; NULL: none */
    double *state;   /* after it; not at the start */
    double lost, limit;
    int nlimits;
} rig_event;

typedef struct {
    jn_arena *arena;
    jn_diags *diags;
    jn_graph *graph;
    jn_sim *sim; /* NULL: it could not be made; rig_errors says why */
    jn_status status;
    jn_stopped stop; /* of the last advance */
    rig_event *event;
    int nevents, cap;
    double before;
    char message[400]; /* of that stop */
} rig;

/* Reads the model and starts the run; options may be NULL, its callbacks are the rig's own. False,
 * without an assertion, when the simulator refuses; a model that cannot be read is a failed
 * assertion. Clear it either way. */
bool rig_new(rig *r, const char *text, const jn_sim_options *options);
void rig_clear(rig *r);
bool rig_example(rig *r, const char *name); /* examples/NAME.hbg */
/* Whether a run to t comes to an end at all, tried in a child process for twenty seconds of work; asserts it.
 * For runs that an integrator might never finish. */
bool rig_ends(const char *text, const jn_sim_options *options, double t);
bool rig_has_error(const rig *r, const char *slug);

/* To time t; asserts that the run did not stop. */
void rig_to(rig *r, double t);
/* To time t or to where it stops; the reason is in r->stop. */
jn_stop rig_try(rig *r, double t);

double rig_output(rig *r, const char *name); /* an output of the model, now */
double rig_state(const rig *r, const char *element);
const char *rig_mode(const rig *r); /* lives until the next call */
double rig_impulse(const rig *r, int event, const char *bond, bool effort);
/* The event numbered i, the start being 0; asserts that there is one and never is NULL. */
const rig_event *rig_at(const rig *r, int i);
/* "t kind from>to (via)" a line, times with three digits; for comparing as a whole. */
void rig_log(jn_str *out, const rig *r);

/* Asserts |got − expected| ≤ bound·scale, and says by how much it was missed. */
void rig_close(double got, long double expected, double scale, double bound, const char *what,
               const char *file, int line);
void rig_close_relative(double got, long double expected, double bound, const char *what,
                        const char *file, int line);
#define CLOSE(got, expected, scale, bound)                                                         \
    rig_close((got), (expected), (scale), (bound), #got, __FILE__, __LINE__)
/* The same relative to the expected value. */
#define CLOSE_REL(got, expected, bound)                                                            \
    rig_close_relative((got), (expected), (bound), #got, __FILE__, __LINE__)

/* Asserts that the ledger adds up to 1e-9 of the energy moved, that what it calls lost is the sum
 * over the events, and stored the difference of ½p²/I and ½q²/C. */
void rig_ledger(const rig *r, const char *file, int line);
#define LEDGER(r) rig_ledger((r), __FILE__, __LINE__)

#endif
