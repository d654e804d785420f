/* analyse.h: what each mode can do, and what all modes have in common.
 *
 * One mode, E ẋ = A x + B u, is analysed exactly, twice where that makes sense: over ℚ(params)
 * ("generic": true for all values but exceptional ones) and at the values given in the model.
 * Only poles and zeros are rounded; whether a mode is stable never rests on them.
 *
 *     jn_analysis *a = jn_analysis_new(implicit) the outputs; what is shared by all modes
 *     jn_mode_analysis m;
 *     jn_mode_analysis_init(&m)
 *     jn_analyse_mode(&m, a, onoff)              one mode, as often as one likes
 *     jn_passage t;    jn_analyse_passage(&t, …) from one mode to another
 *     jn_across *c;    jn_analyse_across(&c, a)  all modes at once, none enumerated
 *
 * Null results: a question that does not apply (no outputs, values missing) or whose exact answer
 * would be too long has no answer; `known` flags and JN_UNKNOWN say so. */
#ifndef JUNCT_ANALYSE_H
#define JUNCT_ANALYSE_H

#include "junct/dense.h"
#include "junct/implicit.h"
#include "junct/lapack.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum { JN_UNKNOWN = -1, JN_NO = 0, JN_YES = 1 } jn_answer;

/* A polynomial in s, lowest power first. */
typedef struct {
    int degree; /* −1: not known */
    jn_ratfun *c;
} jn_poly;

/* Σ coefficient·state + Σ coefficient·input. */
typedef struct {
    jn_ratfun *x; /* per storage */
    jn_ratfun *u; /* per source */
} jn_combination;

/* ---- the model ----------------------------------------------------------------------------- */

typedef struct jn_analysis {
    const jn_implicit *implicit; /* must outlive it */
    const jn_graph *graph;
    jn_field *field;
    int s; /* the parameter number of the Laplace variable s, in transfer functions */
    /* Constants in outputs that are no rational numbers, as "pi": symbols that follow s. */
    int nconstants, cap_constants;
    const char **constant;
    jn_ratfun *constant_value; /* the nearest double as a fraction; id < 0: unknown */
    const char *const *names; /* of the parameters, then of s and the constants */
    /* The outputs that are linear in e, f, p, q; the others are only counted. */
    int noutputs, nskipped;
    const int *output;  /* numbers in graph->output */
    /* The sources that read the model linearly, by number: they are part of E and A. With them the
     * criteria of causal paths, which know no signals, are not asked. */
    int nfed;
    const int *fed;
    jn_ratfun *generic; /* per parameter: a number that stands for it in random evaluations */
    /* The structure with numbers where the values given are special in some mode, else NULL: there
     * the answers at the values do not follow from the symbolic equation. */
    jn_junction *with_values;
    jn_arena *arena;
} jn_analysis;

jn_analysis *jn_analysis_new(const jn_implicit *f);
void jn_analysis_free(jn_analysis *a); /* NULL-safe */

/* ---- one mode ------------------------------------------------------------------------------ */

/* Can every state be reached from the inputs (or seen in the outputs)? Answered three times. */
typedef struct {
    jn_answer exact; /* R-controllable, R-observable: all finite modes */
    /* C-controllable, C-observable: the infinite ones as well, rank [E B] = n. */
    jn_answer complete;
    int rank;       /* of the controllability (observability) matrix; −1: not known */
    bool certified; /* false: the rank was seen at random values only, and may be larger */
    int ncombinations;
    /* Controllability: combinations of the states that no input changes. Observability: directions
     * of the state that no output shows. */
    jn_combination *combination;
} jn_reachability;

/* The criterion of bond graphs: by causal paths and by causality alone. */
typedef struct {
    jn_answer holds;
    int nunreached; /* storages without a causal path from a source (to an output) */
    int *unreached; /* numbers of storages */
    int nintegral;  /* states that stay integral under derivative causality, sources (detectors)
                       dualised: poles at zero that cannot be moved (seen) */
} jn_structural;

/* A pencil over one field of coefficients. x = V z + Σ U_k u^(k), ż = J z + Bz u, and z is x at
 * the storages `state` when u is zero. */
typedef struct {
    bool known; /* false: values missing, or too long to be written out: see `why` */
    const char *why;
    bool regular; /* det(sE − A) is not the zero polynomial; nothing below is known otherwise */
    int order;    /* independent states: the degree of det(sE − A), the finite eigenvalues */
    int index;    /* of the pencil; 0: E is invertible */
    int nblocks;  /* nilpotent blocks of the Weierstrass form, one per chain of infinite ones */
    int *block;   /* their sizes, largest first */
    int *state;   /* order entries: numbers of storages */
    jn_algebra algebra;
    jn_dense V, P, J, Bz; /* P: z of any x, so that V·P projects on the consistent states */
    jn_dense *U;          /* index entries */
    /* The reduced equation ẋs = M xs + Σ N_k u^(k), xs: x at `state`; M is J. index + 1 entries. */
    jn_dense *N;
    jn_poly charpoly; /* det(sE − A) made monic */
    jn_reachability control, observe;
    /* Outputs: y = C xs + Σ D_k u^(k); index + 1 entries. */
    bool outputs;
    jn_dense C, *D;
    /* Invariant zeros: the finite s at which the rank of [sE − A, −B; Cx + sCd, Du] is below what
     * it is elsewhere; the roots of `zeros`, the product of the invariant factors, monic. rank:
     * that of G(s) for nearly all s. */
    bool zeros_known;
    jn_poly zeros;
    int rank;
    /* G(s), by output and input, in lowest terms; gain G(0), id < 0 where it is infinite; at values
     * also its numerator. */
    bool transfer_known;
    jn_ratfun *transfer, *gain;
    jn_poly *numerator;
    /* The jump into the mode: x⁺ = Π x⁻ + Σ U_k u^(k), Π = V·P. Energy lost: ½ (x⁻, u)ᵀ Q (x⁻, u)
     * for an index ≤ 1; for a higher one ½ x⁻ᵀ Q x⁻, and only where all inputs are zero. */
    jn_dense jump; /* k is NULL: too long */
    bool loss_known;
    jn_dense loss;
} jn_dynamics;

typedef struct {
    double re, im;
    double frequency, damping; /* |s|, −re/|s|; at s = 0 the damping is 0 */
} jn_pole;

/* How many roots lie where; exact. */
typedef struct {
    int left, axis, right;
} jn_halves;

typedef struct {
    int nfactors; /* those that are not 1, each a divisor of the next */
    jn_poly *factor;
} jn_smith;

/* The area of the impulse on a bond at the jump into a mode, as a function of x⁻ and u. */
typedef struct {
    int bond;
    bool effort; /* else of the flow, counted along the bond */
    jn_combination area;
} jn_impulse;

/* Those that are not zero whatever x⁻ and u; bonds in a redundant loop are left out. */
typedef struct {
    bool known; /* index ≤ 1: with a higher one there are derivatives of impulses as well */
    int n;
    jn_impulse *impulse; /* by bond, the effort first */
} jn_impulses;

/* In modes in which the values given are special (see jn_junction.special) `valued` comes from the
 * equation with numbers. A mode that only they allow is analysed with them alone, `equation` too. */
typedef struct {
    jn_mode equation; /* status, reason, E, A, B, causality */
    jn_mode_status status_at_values; /* as in `equation` but for special values */
    /* Numbers in graph->output: the outputs, and the linear ones that are none in this mode,
     * because they read a bond that a redundant loop leaves undetermined, if only at the values. */
    int noutputs, nopen;
    int *output, *open;
    jn_dynamics generic, valued;
    jn_structural control, observe;
    /* Only with `valued`: */
    jn_answer stable; /* all finite poles have negative real part */
    jn_halves halves;
    int npoles;
    jn_pole *pole;
    bool smith_known;
    jn_smith smith; /* of sE − A over ℚ[s] */
    int ninvariant; /* invariant zeros, rounded */
    jn_pole *invariant;
    /* Zeros of each transfer function; [output·ninputs + input]. */
    int *nzeros;
    jn_pole **zero;
    jn_impulses impulses;
} jn_mode_analysis;

void jn_mode_analysis_init(jn_mode_analysis *m);
void jn_mode_analysis_clear(jn_mode_analysis *m);
/* May be called again on the same object. */
void jn_analyse_mode(jn_mode_analysis *out, const jn_analysis *a, const jn_onoff *m);
/* The dynamics that answers first: the generic one where it is known. */
const jn_dynamics *jn_mode_dynamics(const jn_mode_analysis *m);
/* What a storage depends on in the mode, x_i = Σ … over states and inputs: a row each of V and
 * U_0. False when it is a state of its own. */
bool jn_mode_dependence(jn_combination *c, const jn_mode_analysis *m, const jn_analysis *a,
                        int storage);
void jn_combination_clear(jn_combination *c);
/* Why the criterion and the exact answer differ, in a sentence; NULL where they do not. */
const char *jn_reachability_differs(const jn_mode_analysis *m, bool control);

/* Exact numbers of roots of a polynomial over ℚ in the open left half plane, on the imaginary axis
 * and in the open right half plane. False when a coefficient is no number. */
bool jn_poly_halves(jn_halves *h, jn_field *k, const jn_poly *p);
/* The roots, rounded; exact zeros and purely imaginary ones come out as such. */
jn_status jn_poly_roots(jn_pole *root, jn_field *k, const jn_poly *p) JN_CHECKED;

/* ---- from one mode to another -------------------------------------------------------------- */

typedef struct {
    jn_mode_status from, to;
    bool known;        /* both modes allowed and regular, and short enough */
    const char *why;   /* both are allowed, but it is not known: the reason */
    bool steady;       /* an index is above 1: answered for inputs that do not change just then */
    bool impulse_free; /* from every consistent state, whatever the inputs */
    int nconditions;   /* else free of impulses exactly where all of these are zero */
    jn_combination *condition;
} jn_passage;

void jn_passage_clear(jn_passage *t);
void jn_analyse_passage(jn_passage *out, const jn_analysis *a, const jn_onoff *from,
                        const jn_onoff *to);
/* The same for two modes that have been analysed. */
void jn_passage_between(jn_passage *out, const jn_mode_analysis *from, const jn_mode_analysis *to);

/* ---- across modes -------------------------------------------------------------------------- */

typedef struct { /* a set of switches of which at most one may be on (off) */
    bool on;
    int n;
    int *sw;
} jn_exclusive;

typedef struct {
    int first, second; /* one is on exactly when the other is off */
} jn_complementary;

/* The classes of modes that agree in something; listed for up to JN_CLASSES_MODES modes, if their
 * matrices are not too large. */
#define JN_CLASSES_MODES 4096
typedef struct {
    bool known;
    fmpz_t count;
    int nlisted; /* entries of `of`: 0, or one per mode by its binary number */
    int *of;     /* the class of a mode; −1: forbidden or singular */
} jn_classes;

typedef struct jn_across {
    const jn_analysis *analysis;
    jn_guard good; /* allowed and not singular: what all guards below are restricted to */
    /* Order: modes[k] has exactly min_order + k independent states (the storages in integral
     * causality: see `generic_order`). Not known where a source that reads the model binds storages
     * in derivative causality: see jn_implicit.binds. */
    bool orders_known;
    int min_order, norders;
    jn_guard *modes;
    jn_guard *dependent; /* per storage: derivative causality */
    /* A state without a causal path from any source: uncontrollable whatever the values. */
    jn_guard *unreached; /* per storage */
    jn_guard some_unreached;
    /* A state without a causal path to any output: unobservable whatever the values. Of the modes
     * in which some output is determined. */
    bool outputs_known;   /* false: there are none, what they read is too much to follow, or a
                           * source reads the model */
    jn_guard *unobserved; /* per storage */
    jn_guard some_unobserved;
    /* Asymptotic stability for positive I, C, R; decided where one of the two holds. Modes in which
     * the values given are special stay undecided. */
    bool stability_decided; /* false: an element is negative, modulated or non-linear, or a source
                             * reads the model */
    jn_guard stable, unstable;
    jn_guard pole_at_zero; /* det A = 0 */
    jn_guard lossless;     /* a part without any resistor */
    jn_classes equations;  /* modes with the same E, A and B */
    jn_classes dynamics;   /* modes with the same E and A */
    /* Sanity. */
    bool *idle;                         /* per switch: makes no difference */
    bool *storage_alone, *source_alone; /* connected to nothing in any mode */
    int *always; /* per switch: 1, 0: its only allowed position; −1: both occur */
    int nexclusive;
    jn_exclusive *exclusive;
    int ncomplementary;
    jn_complementary *complementary;
} jn_across;

jn_status jn_analyse_across(jn_across **out, const jn_analysis *a) JN_CHECKED;
void jn_across_free(jn_across *c); /* NULL-safe */

/* A warning for each source that reads the model in a way that is not linear: the equations have it as
 * an input, so the feedback is not part of what is said of them. */
void jn_analyse_feedback(const jn_graph *g, jn_diags *d);

#ifdef __cplusplus
}
#endif

#endif
