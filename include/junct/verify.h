/* verify.h: proofs about switching.
 *
 * At one instant switches may make each other change, and the papers' principle of divergence of
 * time asks that this always comes to an end. What a run finds out if it happens to pass there is
 * proved here, or refuted with a state to look at, for all states, inputs and modes at once. See
 * docs/verify.md, and docs/method.md, "Proofs about switching". */
#ifndef JUNCT_VERIFY_H
#define JUNCT_VERIFY_H

#include "junct/sim.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum { JN_PROVED, JN_REFUTED, JN_OPEN } jn_proof;
const char *jn_proof_name(jn_proof v); /* "proved", "refuted", "open" */

/* What fires in a candidate. */
typedef struct {
    int automaton, transition;
} jn_fired;

/* A state from which something happens, in exact numbers, and what happens. */
typedef struct {
    int nx, ns, nd, nu, nswitches;
    fmpq *x, *integral, *discrete; /* as the instant begins */
    fmpq *input;  /* per source: as the instant begins */
    fmpq *before; /* per source: in the mode that lasted until then */
    fmpq *rate, *rate_before; /* per source: how fast it changes from then on, and until then */
    fmpq_t t;
    bool is_start; /* it is the model's own start: nothing was before */
    bool against_flow; /* the flow of the mode that lasted does not take the state there: something else has to */
    int *start;   /* per automaton: its state in the mode that lasted */
    int ntimes;   /* functions of time that are read, sin(100*pi*t), each with a value of its own */
    struct jn_time_value {
        const jn_expr *e;
        fmpq_t value;
    } *time;
    bool *is_free; /* per source: a bound is all that is known of it */
    bool *follows; /* per source: the model says what it is, by what it reads */
    int nsteps;   /* candidates, in order */
    struct jn_witness_step {
        int *state;     /* per automaton */
        jn_onoff *mode;
        bool commits;   /* its jump counts; else it was only asked */
        int nfired;     /* what fires there: 0 in the last one of an instant that ends */
        jn_fired *fired;
        fmpq *x;        /* as it is entered */
    } *step;
    int cycle;      /* the step to which the last one returns; −1: it does not */
    bool shrinks;   /* only the automata return; the state is `factor` times what it was */
    fmpq_t factor;
    /* Within these ends the same happens, all else being as it is. */
    int nranges;
    struct jn_witness_range {
        int number; /* of a storage; from nx on: of a source, less nx */
        bool has_low, has_high, low_included, high_included;
        fmpq_t low, high;
    } *range;
    int nvalues; /* of a claim that fails: what it compares, as a run has it where the instant ends */
    struct jn_witness_value {
        const jn_expr *e;
        double value;
    } *value;
    bool is_dead;     /* where it ends sources are in conflict */
    bool is_replayed; /* a run does the same */
    char *replay;     /* what it did, in words */
} jn_witness;
void jn_witness_free(jn_witness *w); /* NULL-safe */

typedef struct {
    jn_proof verdict;
    char *why;           /* open: the reason */
    jn_place place;      /* of the reason, or of what is found */
    jn_witness *witness; /* refuted; open: one that a run does not confirm, or NULL */
} jn_finding;

/* Something that never happens. */
typedef struct {
    enum { JN_NEVER_CONDITION, JN_NEVER_MODE, JN_NEVER_SWITCH } kind;
    int automaton, transition;
    jn_onoff *mode;
    jn_place place;
} jn_never;

typedef struct {
    const jn_graph *graph;
    jn_finding settling;
    int changes;       /* proved: no cascade is longer */
    int changes_found; /* proved: one is as long as this; less than changes where there was not time enough */
    jn_finding dead_ends;
    jn_finding races;
    jn_onoff *race_end; /* refuted: where taking one after the other ends */
    char *race_differs; /* and in what that differs: "n = 5 instead of 1" */
    bool never_known;   /* else never_why */
    char *never_why;
    int nnever;
    jn_never *never;
    int nasserts;
    jn_finding *assertion; /* per assert of the graph */
    /* Which modes can follow which at an instant: pairs from, to; only if asked for. */
    bool has_successors;
    char *successors_why; /* not all of them are known */
    int nsuccessors;
    struct jn_successor {
        jn_onoff *from, *to;
    } *successor;
    bool is_vacuous; /* no mode lasts, within the bounds: nothing is proved */
    /* What is not linear, and stands for anything. */
    int nvague;
    struct jn_vague {
        jn_place place;
        char *why;
    } *vague;
    double seconds; /* of processor time */
} jn_verification;

typedef struct {
    double seconds;     /* of processor time; 0: any */
    int most_changes;   /* of a cascade; 0: 40 */
    bool successors;    /* which modes can follow which */
    bool only_settling; /* no races, and not what never happens */
    const char *folder; /* of the model file, for tables */
} jn_verify_options;

/* The junction structure is numeric. INVALID, with diagnostics: values are missing, or the bounds
 * contradict each other. UNABLE: Z3 is not installed. */
jn_status jn_verify(jn_verification **out, const jn_junction *j, const jn_verify_options *o,
                    jn_diags *d) JN_CHECKED;
void jn_verification_free(jn_verification *v); /* NULL-safe */

/* ---- a plane of states --------------------------------------------------------------------- */

/* Where instants end, over two states; the others, the inputs and the mode that lasts as in a
 * witness. */
typedef struct {
    const jn_graph *graph;
    int x, y; /* storages */
    double x_low, x_high, y_low, y_high, x_at, y_at; /* the witness stands at x_at, y_at */
    int nx, ny;
    int *cell;      /* ny × nx, row by row: a mode's number, or one of these: */
    enum { JN_PLANE_LOOP = -1, JN_PLANE_DEAD = -2, JN_PLANE_OTHER = -3 } unused;
    int nmodes;
    jn_onoff *mode; /* nmodes × switches */
} jn_plane;
/* By the run's own iteration, point by point. `state`: in place of the witness's; NULL: as there. */
jn_status jn_plane_new(jn_plane **out, const jn_graph *g, const jn_witness *w, const fmpq *state,
                       int x, int y, const char *folder, jn_diags *d) JN_CHECKED;
void jn_plane_free(jn_plane *p); /* NULL-safe */
/* A plane worth looking at: of the first thing that is refuted, two states that may vary. False: there is
 * none. */
bool jn_plane_choose(const jn_witness **w, int *x, int *y, const jn_verification *v);

/* ---- a model that begins there --------------------------------------------------------------- */

typedef struct {
    bool ends;          /* the instant of the witness ends (a race); else a run must stop in it */
    int claim;          /* 1 + the number of the assert that is refuted; 0: the instant itself is at fault */
    const char *folder; /* of the model file, for tables */
} jn_case_options;
/* The model's text, changed so that a run begins where the witness stands: initial values, states of
 * automata, inputs, and values that were set. `says`: how a run of it stops at once; or, where the
 * status is UNABLE, why there is no such text. INVALID, with diagnostics: the source is no model. */
jn_status jn_verify_case(jn_str *out, jn_str *says, const jn_graph *g, const jn_source *source,
                         const jn_witness *w, const jn_case_options *o, jn_diags *d) JN_CHECKED;

/* The worst verdict of all. */
jn_proof jn_verification_verdict(const jn_verification *v);

#ifdef __cplusplus
}
#endif

#endif
