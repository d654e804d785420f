/* periodic.h: periodic operation: orbits, their stability, and responses around them.
 *
 *     jn_steady *o;
 *     jn_steady_find(&o, graph, &options, d)
 *     … o->output[0].mean, o->multiplier, o->mode …
 *     jn_steady_free(o)
 *
 * The map of one period, x ↦ P(x), is the run itself; an orbit is found by Newton's method on
 * P(x) = x. The Jacobian of P is a product: of the propagators of the stretches, and of the jump and
 * saltation at each event between them. Means, harmonics and energies are integrals of the series
 * that the stretches are, not sums of samples. See docs/method.md, "Periodic operation". */
#ifndef JUNCT_PERIODIC_H
#define JUNCT_PERIODIC_H

#include "junct/implicit.h"
#include "junct/lapack.h"
#include "junct/sim.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- the orbit ----------------------------------------------------------------------------- */

typedef struct {
    jn_method method;
    double rtol, atol;  /* as in jn_sim_options */
    const char *folder; /* likewise */
    bool (*interrupted)(void *ctx);
    void *ctx;
    double period; /* of the clock; 0: found from the model */
    int times;     /* the orbit closes after so many of them; 0: 1 */
    bool is_free;  /* no clock: the period is an unknown as well */
    double settle; /* the time that is run before Newton's method; 0: 20 periods. Free: that of the
                    * model's `simulate to` */
    int nharmonics; /* 0: 10 */
    int nvalues;    /* what is measured; 0: the model's outputs, and without any the states */
    const jn_expr *const *value;
    const char *const *name;
} jn_steady_options;

typedef enum {
    JN_STEADY_FOUND,
    JN_STEADY_NONE, /* no orbit was found: `message` says what happened */
    JN_STEADY_STOPPED /* the run itself ended: likewise */
} jn_steady_status;

typedef enum {
    JN_ORBIT_STABLE,
    JN_ORBIT_FOLD,           /* a multiplier beyond +1 */
    JN_ORBIT_FLIP,           /* beyond −1: the period doubles */
    JN_ORBIT_NEIMARK_SACKER, /* a pair beyond the unit circle */
    JN_ORBIT_NEUTRAL,        /* one on the circle, to rounding: neighbours neither come nor go */
    JN_ORBIT_UNKNOWN         /* the multipliers are not known */
} jn_verdict;
const char *jn_verdict_name(jn_verdict v); /* "stable", "flip", … */

/* What is measured over one period, without impulses: y(t) = mean + Σ amplitude_h·cos(h·2π·t/period + phase_h). */
typedef struct {
    const char *name, *unit; /* unit: NULL: not known */
    double mean, rms, min, max, t_min, t_max;
    double impulse; /* area of the impulses that it has in jumps, over one period; NaN: it has some, of no known area */
    double impulses; /* the sum of their sizes; 0: it has none */
    bool drifts; /* it does not have the period of the orbit: nothing is measured, all is NaN */
    double *amplitude, *phase; /* nharmonics of each, from h = 1 */
    double thd; /* √(what all harmonics from h = 2 on have of the power / that of h = 1) */
} jn_steady_value;

/* A mode of the orbit, and when; times from its start. */
typedef struct {
    const jn_onoff *mode;
    double from, to;
    bool slides; /* along a surface: the mode is the one that it is mostly in */
} jn_steady_mode;

/* Mean power of a source (given, also in jumps) or a resistor (taken). */
typedef struct {
    int element;
    double power;
} jn_steady_power;

/* The values of an orbit along a piece of it, for pictures: n points, both ends included. */
typedef struct {
    int n;
    double *t, *value; /* value: n × nvalues */
    const jn_onoff *mode;
} jn_steady_piece;

typedef struct jn_steady {
    const jn_graph *graph;
    jn_steady_status status;
    char *message; /* what happened on the way; NULL: nothing to be said */
    double period; /* of the orbit: `times` periods of the clock */
    double clock;  /* of the clock; 0: free */
    int times;
    bool is_free, is_exact; /* exact: followed exactly */
    int nstates;
    double *start; /* all p and q at its start, in the order of the graph's storages */
    int nintegrals, ndiscretes;
    double *integral, *discrete; /* likewise */
    double start_time;   /* on the clock of the run, which sources of time refer to */
    double offset;       /* the first such time from 0 on; of a free orbit, which has none, 0 */
    double residue;      /* how far one period misses its start, in parts of the states' sizes */
    int newton_steps;
    int nmodes;
    jn_steady_mode *mode;
    int norder; /* independent states at its start */
    int nmultipliers;
    jn_complex *multiplier; /* largest first; a free orbit's own, 1, is left out */
    double multiplier_error; /* at most; 0: to rounding */
    jn_verdict verdict;
    int nvalues, nharmonics;
    jn_steady_value *value;
    jn_ledger energy; /* over one period */
    int npowers;
    jn_steady_power *power; /* sources, then resistors */
    int npieces;
    jn_steady_piece *piece;
} jn_steady;

/* INVALID with diagnostics where the model cannot be run, is not periodic as asked, or a value cannot
 * be read; *out is then NULL. UNABLE where no orbit was found or the run stopped: *out says so. */
jn_status jn_steady_find(jn_steady **out, const jn_graph *g, const jn_steady_options *o,
                         jn_diags *d) JN_CHECKED;
void jn_steady_free(jn_steady *o); /* NULL-safe */

/* ---- responses ----------------------------------------------------------------------------- */

typedef struct {
    jn_steady_options orbit;
    const jn_onoff *mode; /* around the equilibrium of a mode; NULL: around the orbit */
    int source;           /* an element, whose value is perturbed; −1: */
    int pwm;              /* the switch whose duty cycle is, read as each period begins; −1 */
    int nfrequencies;
    const double *frequency; /* in cycles per unit of time, ascending */
    bool margins;            /* each response is the gain around a loop: find its margins */
} jn_bode_options;

/* Margins of a response that is the gain around a loop (with the sign of negative feedback left out): how
 * far it is from −1 wherever its size is 1, and wherever its phase is −180°, between the first and the
 * last frequency. They are found on the response itself, not on the points that were asked for. */
typedef struct {
    double frequency, margin;
} jn_crossing;
typedef struct {
    int n;
    jn_crossing *at; /* by frequency */
} jn_crossings;
typedef struct {
    jn_crossings gain;  /* its size is 1: the phase margin in degrees, −180 … 180 */
    jn_crossings phase; /* its phase is −180°: the gain margin in dB */
} jn_margins;
/* The one with the smallest margin either way; NULL: there is none. */
const jn_crossing *jn_crossings_tightest(const jn_crossings *c);

typedef struct {
    const jn_graph *graph;
    jn_steady *orbit; /* NULL: a mode */
    char *message;       /* NULL: nothing to be said */
    int nvalues;         /* as in the orbit's options */
    const char **name;
    int nfrequencies;
    double *frequency;
    jn_complex *response; /* nfrequencies × nvalues */
    double *phase;        /* likewise, in degrees, followed from each frequency to the next */
    jn_margins *margins;  /* nvalues; NULL: not asked for */
    double error;         /* of its derivatives, at most; 0: to rounding */
    jn_complex *averaged; /* likewise, of the averaged model; NULL: it has none */
    char *why_not_averaged; /* NULL: it has one */
    /* Of the averaged model, where the durations are fractions of the period: ẋ = mean_A·x + mean_B·u
     * over the parameters; one row per storage, one column per storage or source. NULL: not known. */
    jn_ratfun *mean_A, *mean_B;
    char *shares; /* "1/2 of 10, 1/2 of 01" */
    double *deviation;    /* nvalues: largest |averaged − exact| as a part of the largest |exact| */
} jn_bode;

/* As jn_steady_find; UNABLE also where the response could not be found, `message`. */
jn_status jn_bode_find(jn_bode **out, const jn_graph *g, const jn_bode_options *o,
                       jn_diags *d) JN_CHECKED;
void jn_bode_free(jn_bode *b); /* NULL-safe */

/* ---- sensitivities ------------------------------------------------------------------------- */

/* How a slope was found: by the linearisation along the orbit; the same, but by differences of runs of one period for
 * what the value does within it; by differences between orbits, of what moves the clock; not at all. */
typedef enum { JN_SLOPE_NONE, JN_SLOPE_LINEARISED, JN_SLOPE_PERIODS, JN_SLOPE_ORBITS } jn_slope_way;

/* What the means of an orbit do when a parameter, an element's value or a source changes. */
typedef struct {
    jn_steady *orbit;
    int n;
    const char **name;
    double *at;    /* n: the values themselves */
    jn_slope_way *way; /* n */
    double *slope; /* n × nvalues: ∂ mean / ∂ value */
    double *error; /* likewise: how far it may be off */
    char *message; /* NULL: nothing to be said */
} jn_sensitivity;

/* As jn_steady_find. The graph's values are changed and put back. */
jn_status jn_sensitivity_find(jn_sensitivity **out, jn_graph *g, const jn_steady_options *o,
                              jn_diags *d) JN_CHECKED;
void jn_sensitivity_free(jn_sensitivity *s); /* NULL-safe */

#ifdef __cplusplus
}
#endif

#endif
