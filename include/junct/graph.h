/* graph.h: the bond graph of a model: elements and bonds by number, checked.
 *
 * Submodels are flattened ("c[3].C0"), loops unrolled, names resolved. What the structural
 * stages need is plain: kinds, incidences, values in ℚ(params). What simulation needs
 * (automata, signals, laws) is resolved and checked as well.
 *
 * Numbers: elements and bonds are numbered in file order, as flattened. Storages (I, C),
 * resistors, sources and switches also have numbers of their own within their class. A switch that
 * belongs to no junction is an element JN_BOOLEAN without bonds; these come last. */
#ifndef JUNCT_GRAPH_H
#define JUNCT_GRAPH_H

#include "junct/expr.h"
#include "junct/guard.h"
#include "junct/syntax.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A symbol of ℚ(params). An element with a number for its value is a parameter itself. */
typedef struct {
    const char *name;
    jn_place place;
    int element;          /* whose symbol it is; −1: declared by "param" */
    const jn_expr *given; /* what was written after '='; NULL: nothing */
    jn_ratfun value;      /* a constant; id < 0 when it has none */
    bool used;
} jn_param;

/* What the variables of a part of the model are: gives them their units. */
typedef enum {
    JN_DOMAIN_UNKNOWN, /* nothing was said */
    JN_DOMAIN_NONE,    /* said to be none */
    JN_DOMAIN_ELECTRICAL,
    JN_DOMAIN_TRANSLATIONAL,
    JN_DOMAIN_ROTATIONAL,
    JN_DOMAIN_HYDRAULIC,
    JN_DOMAIN_THERMAL /* pseudo: temperature and heat flow, whose product is no power */
} jn_domain;

/* One of the values that switches give an element. */
typedef struct {
    const jn_expr *when; /* of on(…), and, or, not only; NULL: always */
    jn_ratfun value;     /* over the parameters */
} jn_value_case;

/* A value that is known exactly: one for all modes (ncases 0), or that of the only case that holds. */
typedef struct {
    jn_ratfun one;
    int ncases;
    const jn_value_case *cases;
} jn_value;

typedef struct {
    jn_kind kind;
    const char *name;
    jn_place place;
    jn_domain domain; /* of its bonds; unknown for TF and GY, which join two */
    int number; /* within its class (see jn_graph); −1 for 0, 1, TF, GY */
    int nbonds;
    const int *bond;      /* in file order; TF and GY: [0] in, [1] out */
    const jn_expr *given; /* the value as it was written; NULL: none, or a law */
    jn_ratfun value;      /* I C R TF GY: over the parameters */
    const jn_expr *input; /* Se Sf: the source's value, or NULL when only symbolic */
    /* The value changes in time, or is not rational in the parameters (sqrt(2)*k): value is
     * then a symbol of its own that stands for it. */
    bool modulated;
    const jn_expr *modulation;
    /* A modulated value that depends on switches and parameters only, "if(on(hot), 2, k)": in every
     * mode exactly one of the cases holds. 0: it is none of these, or there are too many. */
    int ncases;
    const jn_value_case *cases;
    /* A non-linear law gives law_of ('e', 'f', 'p', 'q') as an expression of the rest; value is
     * a symbol of its own that stands for the ratio of the law's two variables. */
    bool nonlinear;
    char law_of;
    const jn_expr *law;
    const jn_expr *initial; /* I: p0 or f0; C: q0 or e0; NULL: zero */
    bool initial_is_state;  /* p0, q0 */
    int priority;           /* higher gets integral causality first; default 0 */
    bool detachable;
    const struct jn_multiport *multiport; /* the I-, C- or R-field whose port it is; NULL: none */
    int port;                             /* which one of it */
} jn_element;

/* A field, "I M(a, b) = [2, 1; 1, 3]": its ports are elements of their own, M.a and M.b, that a
 * matrix couples. The value of an element is its entry of the diagonal. */
typedef struct jn_multiport {
    jn_kind kind;
    const char *name;
    jn_place place;
    int nports;
    const int *element;
    const jn_value *entry; /* nports × nports, row by row */
    const jn_expr *const *given; /* likewise, as they were written; NULL each: symbols only */
} jn_multiport;

typedef struct {
    const char *name; /* as given, else "b1", "b2", … (never a name that is taken) */
    bool named;
    int tail, head; /* elements; power is positive from tail to head */
    jn_place place;
    jn_domain domain;
} jn_bond;

/* The states and transitions of one controlled junction. */
typedef struct {
    const char *name;
    bool on;
} jn_state;

/* What a transition does to a discrete variable. All values are read before any is set. */
typedef struct {
    int discrete;
    const jn_expr *value;
    jn_place place;
} jn_set;

/* One that leads from a state to itself sets something. */
typedef struct {
    int from, to;
    const jn_expr *when;
    jn_place place;
    int nsets;
    const jn_set *set;
} jn_transition;

typedef struct {
    int element;
    bool given; /* by a switch or automaton statement; else it stays ON */
    jn_place place;
    int nstates, initial;
    const jn_state *state;
    int ntransitions;
    const jn_transition *transition;
    /* "on at T", "off at T": times in the order written */
    int ntimes;
    const struct jn_timed {
        const jn_expr *at;
        int to;
        jn_place place;
    } * timed;
    /* pwm(period, duty, phase); NULL otherwise */
    const jn_expr *pwm_period, *pwm_duty, *pwm_phase;
    bool is_stop; /* the ready-made law */
} jn_automaton;

typedef struct {
    const char *name;
    const jn_expr *expr;
    jn_place place;
    const char *unit; /* of an output, as given or as it follows; NULL: not known */
} jn_signal; /* also an output */

/* A value that only transitions change. */
typedef struct {
    const char *name;
    const jn_expr *initial; /* does not vary */
    jn_place place;
} jn_discrete;

/* What is claimed to hold in every mode that lasts. */
typedef struct {
    const jn_expr *condition;
    const char *text; /* as given, else the condition as it was written */
    jn_place place;
} jn_assert;

/* What may be taken for granted: low <= x <= high. Neither low nor high varies. */
typedef struct {
    const jn_expr *x;
    const jn_expr *low, *high; /* NULL: none; there is one at least */
    jn_place place;
} jn_bound;

typedef struct {
    const char *file, *column;
    bool over_time; /* the column `t`; else over the file's first column */
    jn_place place;
} jn_table;

typedef struct jn_graph {
    bool has_domains; /* some domain statement was given: units mean something */
    jn_arena *arena;
    jn_field *field;          /* ℚ(params), owned by the graph */
    const char *name, *title; /* title may be NULL */
    int nelements;
    jn_element *element;
    int nbonds;
    jn_bond *bond;
    int nparams; /* those declared by "param" first, then the elements' own symbols */
    jn_param *param;
    jn_ratfun *param_value; /* param[i].value once more, for jn_ratfun_put */
    const char *const *param_name;
    const int *param_order; /* the declared ones, each after those its value needs */
    /* by class, in file order: numbers of elements */
    int nstorages, nresistors, nsources, nswitches;
    const int *storage, *resistor, *source, *sw;
    int nmultiports;
    const jn_multiport *multiport; /* in file order */
    const char *const *switch_name;
    jn_automaton *automaton; /* one per switch */
    int nsignals, noutputs, ntables, nintegrals, ndiscretes;
    const jn_signal *signal, *output;
    const int *signal_order; /* each after the signals it needs at the same instant */
    const jn_table *table;
    const jn_discrete *discrete;
    int nasserts, nbounds;
    const jn_assert *assertion;
    const jn_bound *bound;
    const jn_expr *to, *every; /* simulate; NULL: not given */
} jn_graph;

/* Builds and checks. On INVALID *out is NULL and the diagnostics hold at least one error; on
 * JN_OK they may hold warnings. Limits (elements, bonds, nesting, loop counts) end in UNABLE or
 * INVALID with a diagnostic, never in a crash. The graph keeps no pointer into the tree, but its
 * places point to the source. */
#define JN_GRAPH_MAX_ELEMENTS 200000
#define JN_GRAPH_MAX_BONDS 1000000
#define JN_GRAPH_MAX_STATEMENTS 2000000 /* after flattening */
#define JN_GRAPH_MAX_NESTING 64         /* of loops and submodels in each other */
#define JN_GRAPH_MAX_STATES 1000        /* of one automaton */
#define JN_GRAPH_MAX_PORTS 64           /* of one field */
#define JN_GRAPH_MAX_CASES 256          /* of one value */
jn_status jn_graph_build(jn_graph **out, const jn_ast_block *model, const jn_source *source,
                         jn_diags *d) JN_CHECKED;
void jn_graph_free(jn_graph *g); /* NULL-safe */

/* The model with its ready-made laws ("switch d diode") spelt out, in the arena; the other statements
 * are those of the model itself. INVALID, with diagnostics, when it is wrong. */
jn_status jn_graph_expand(jn_ast_block *out, jn_arena *a, const jn_ast_block *model,
                          const jn_source *source, jn_diags *d) JN_CHECKED;

/* From a source text in one go: parse and build. */
jn_status jn_graph_read(jn_graph **out, const jn_source *source, jn_diags *d) JN_CHECKED;

/* A value such as an output of the model might have, "e(C1) - 2*f(L)", resolved as if it stood at the
 * end of the file; in the graph's arena. The source must outlive the graph. INVALID with
 * diagnostics, also where it would add an integral or a table to the model. */
jn_status jn_graph_expr(const jn_expr **out, const jn_graph *g, const jn_source *source,
                        jn_diags *d) JN_CHECKED;
/* The same of a tree that was parsed from the source, or of a part of it: a value or a condition. */
jn_status jn_graph_resolve(const jn_expr **out, const jn_graph *g, const jn_ast_expr *tree,
                           const jn_source *source, jn_diags *d) JN_CHECKED;

/* ---- units --------------------------------------------------------------------------------- */

const char *jn_domain_name(jn_domain d);
/* The unit of a variable, 'e' 'f' 'p' 'q', or of a value, 'I' 'C' 'R', as it is usually written:
 * "rad/s"; NULL: the domain has none. */
const char *jn_domain_unit(jn_unit *u, jn_domain d, char what);
/* The unit of an element's value (of a source: of its effort or flow), in the arena; NULL: not known,
 * or a plain number. */
const char *jn_graph_value_unit(const jn_graph *g, int element);
/* The unit of a symbol of the equations, an entry of a field included; of what a state, a row or a
 * column stands for, 'e' 'f' 'p' 'q' of the element; NULL: not known, or a plain number. */
const char *jn_graph_param_unit(const jn_graph *g, int param);
const char *jn_graph_variable_unit(const jn_graph *g, int element, char what);
/* The unit of energies, which is "J" where every bond carries power; NULL: not known. */
const char *jn_graph_energy_unit(const jn_graph *g);
/* Whether an expression is made of numbers without units, "1/3.5": it has the unit of its place. */
bool jn_expr_is_plain(const jn_expr *e);
/* Whether a unit is written in an expression, or as the value of a parameter that it reads. */
bool jn_graph_carries_unit(const jn_graph *g, const jn_expr *e);
/* The unit of an expression, where it follows from domains and written units; plain numbers in it
 * count as factors without one. NULL: it does not follow. */
const char *jn_graph_unit(const jn_graph *g, const jn_expr *e);

/* The matrix of a field as it was written, "[2, 1; 1, 3] H", with the unit that its domain gives plain
 * numbers; nothing where it was not. */
void jn_graph_print_matrix(jn_str *out, const jn_graph *g, const jn_multiport *f);

/* ---- questions ----------------------------------------------------------------------------- */

bool jn_kind_is_storage(jn_kind k);
bool jn_kind_is_source(jn_kind k);
bool jn_kind_is_switch(jn_kind k); /* X0, X1, and Booleans of their own */
bool jn_kind_is_port(jn_kind k);   /* 1-port elements: sources, storages, R */
int jn_graph_find(const jn_graph *g, const char *element); /* −1: none of that name */
int jn_graph_find_bond(const jn_graph *g, const char *name);

/* Whether a junction that turns OFF lets the source at this bond go: a detachable one that would
 * impose the common variable. */
bool jn_graph_lets_go(const jn_graph *g, int junction, int bond);
/* The bond whose variable stands for the common one of a junction: one that is not let go. */
int jn_graph_leading_bond(const jn_graph *g, int junction);

/* The element's value with every parameter that has a number put in. INVALID when it divides by
 * zero there. */
jn_status jn_graph_number(jn_ratfun *r, const jn_graph *g, int element) JN_CHECKED;
/* Says why a value of the element has no number, by the status that its computation had: it divides by
 * zero, or it was given up. Returns the status. */
jn_status jn_graph_report_number(jn_status s, const jn_graph *g, int element, jn_diags *d);
/* Whether a condition of on(…), and, or, not holds in a mode. */
bool jn_graph_holds(const jn_graph *g, const jn_expr *condition, const jn_onoff *m);
jn_value jn_graph_value(const jn_graph *g, int element);
/* What couples two elements: the value itself where they are the same, else the entry of their field;
 * 0 where they have none in common. */
jn_value jn_graph_between(const jn_graph *g, int a, int b);
jn_ratfun jn_graph_value_in(const jn_graph *g, jn_value v, const jn_onoff *m); /* in a mode */
/* The parameters that stand in an element's value and have no number; 0: all known. The first
 * missing one goes to *missing (may be NULL). */
int jn_graph_missing_values(int *missing, const jn_graph *g);
/* Gives a number to a parameter, to an element's own symbol, or to a source; parameters that
 * depend on it follow. INVALID, and nothing changed, when there is none of that name or when
 * an element cannot have the value it would get; *why is then a message in the graph's arena. */
jn_status jn_graph_set(jn_graph *g, const char *name, const fmpq_t value,
                       const char **why) JN_CHECKED;
/* The same from a text, as a file may have it: "-1/3", "10k", "10 kOhm"; a unit has to fit. */
jn_status jn_graph_set_text(jn_graph *g, const char *name, const char *text,
                            const char **why) JN_CHECKED;
/* The first field (a matrix of storages or resistors that no switch chooses) that would give energy with the values the
 * graph has, or of storages is singular; NULL: none. */
const char *jn_graph_bad_field(const jn_graph *g, bool *is_singular);
/* The parameter or source that may have been meant by a name; NULL: none is near. */
const char *jn_graph_closest_value(const jn_graph *g, const char *name);
/* Gives a storage another start: its state, p0 or q0, or else its f0 or e0. INVALID, with a message:
 * there is none of that name. */
jn_status jn_graph_set_initial(jn_graph *g, const char *name, bool is_state, const fmpq_t value,
                               const char **why) JN_CHECKED;
/* Names of all parameters and of all switches, for printing. */
const char *const *jn_graph_param_names(const jn_graph *g);
const char *const *jn_graph_switch_names(const jn_graph *g);

#ifdef __cplusplus
}
#endif

#endif
