/* junction.h: causality, Λ(λ), S(λ) and forbidden modes.
 *
 * In every mode the junction structure relates the variables of its ports (sources, storages,
 * resistors) linearly. One guarded elimination solves that relation for one variable of every
 * port, its output, in all modes at once: see src/junction/junction.c.
 *
 *     Λ(λ) (Ẋi, Zd, Dout) = S(λ) (Zi, Ẋd, Din, U)
 *
 * Everything here is right in the allowed modes. In the forbidden ones Λ and S are a convention:
 * 0 in a state's guard and 1 in the pseudo-state's, unless that alone would make a guard depend
 * on a switch. */
#ifndef JUNCT_JUNCTION_H
#define JUNCT_JUNCTION_H

#include "junct/eliminate.h"
#include "junct/graph.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The two roles of an element in dynamic causality, and the only one of the others. */
typedef enum {
    JN_STATE,     /* I, C in integral causality: output Ẋi, input Zi */
    JN_PSEUDO,    /* I, C in derivative causality: output Zd, input Ẋd */
    JN_FLOW_IN,   /* R in resistance causality: it receives its flow; output f, input e */
    JN_EFFORT_IN, /* R in conductance causality: output e, input f */
    JN_INPUT      /* a source: input U */
} jn_form;
const char *jn_form_name(jn_form f); /* "state", "pseudo", "flow-in", "effort-in", "input" */

typedef struct {
    int element;
    jn_form form;
} jn_variable; /* a row or a column */

/* Why modes are forbidden: there, the value of one source is fixed by others,
 * source = Σ coefficient·term (nothing: 0). */
typedef struct {
    jn_guard guard;
    int source; /* element */
    int nterms;
    struct jn_reason_term {
        int source;
        jn_ratfun coefficient;
    } *term;
} jn_reason;

/* A bond's causal stroke. In the modes of `tail` the tail element imposes the effort (the stroke
 * stands at the head); in those of `head` the head does. In allowed modes one of them holds,
 * except where a redundant loop leaves the bond undetermined. */
typedef struct {
    jn_guard tail, head;
} jn_stroke;

typedef struct jn_junction {
    const jn_graph *graph; /* must outlive it */
    jn_ring ring;          /* guards: owned; field: the graph's */
    bool numeric;
    /* Of one mode only, which is then the reference: every guard is true or false, and there is no
     * guarded elimination. */
    bool single;
    jn_limits limits;
    signed char *setting; /* per switch, as in the options it was built with; NULL: all are free */

    jn_guard forbidden, allowed;
    /* The modes in which the values given in the model are special: something that is divided by
     * is zero with them. Symbolic results hold there for other values only; numeric ones have
     * none. */
    jn_guard special;
    /* Where no mode is allowed, but with the values given some are: the structure with them, and what is
     * to be said of it. NULL elsewhere. */
    struct jn_junction *with_values;
    jn_diags *of_values;
    int nreasons;
    jn_reason *reason;

    int nrows; /* of Λ and S: state and pseudo of storages, then resistors */
    jn_variable *row;
    jn_guard *Lambda;
    int ncols; /* as the rows, then one per source */
    jn_variable *col;
    jn_matrix S;

    /* Per storage, resistor and source, by number in its class: the modes of integral causality,
     * of resistance causality, and those in which a source imposes its value; as computed, in
     * forbidden modes too. */
    jn_guard *integral, *resistance, *imposed;

    /* The reference mode: most storages in integral causality, then most switches ON. */
    jn_onoff *reference;

    /* Of the bonds; NULL where they are not asked for. */
    jn_stroke *stroke;       /* per bond */
    jn_guard *undetermined;  /* per bond: the modes in which a redundant loop leaves it open */

    /* The elimination itself; NULL in a structure of one mode. Column 2b is the effort of bond b,
     * 2b+1 its flow times flow_sign[b] (−1 where an I, C or R is the bond's tail); those of a port
     * are port_effort and port_flow of its element, power counted into I, C, R. The rest are
     * partial sums at junctions with many bonds. Pivots from first_port_pivot on are the ports',
     * the earlier ones internal. */
    jn_elimination *elimination;
    int first_port_pivot;
    int *flow_sign;
    int *port_effort, *port_flow; /* per element; −1 where it is no port */
} jn_junction;

/* numeric: parameters that have a number are replaced by it from the start; everything is then
 * plain rationals as far as they go. Adds warnings (a switch that changes nothing, a redundant
 * loop, special values) and the error that no mode is allowed, with which it still returns JN_OK.
 * Without that error no mode may be allowed all the same: with the values given some are, and a
 * numeric structure has them. */
jn_status jn_junction_build(jn_junction **out, const jn_graph *g, bool numeric,
                            jn_diags *d) JN_CHECKED;
/* The same in one mode only, by a plain elimination (solved.h): nearly in proportion to the size of
 * the model, however many modes there are. Causality, S and strokes are those that the structure of
 * all modes has there. A forbidden mode is no error, unless the model has no other. What only all
 * modes can tell is not said: whether a switch is idle, whether a loop is redundant in all of them.
 * Without switches it is all there is to know. */
jn_status jn_junction_build_mode(jn_junction **out, const jn_graph *g, bool numeric,
                                 const jn_onoff *m, jn_diags *d) JN_CHECKED;
/* The same within limits, and for a part of the modes. */
typedef struct {
    bool numeric;
    jn_limits limits; /* of this stage, and once more of the next; zeroed: none */
    /* Per switch: 0 or 1 where it stays OFF or ON, anything else where it is free. NULL: all are
     * free. The results are then functions of the free ones, right where the others are as given,
     * and switches that change nothing are no cause for a warning. */
    const signed char *setting;
    /* Strokes and undetermined bonds are not asked for: of an arm with many cells they would take
     * more than all the rest. */
    bool no_bonds;
} jn_junction_options;
jn_status jn_junction_build_with(jn_junction **out, const jn_graph *g,
                                 const jn_junction_options *options, jn_diags *d) JN_CHECKED;
/* One mode with such options. Its limits are those of the form of all modes, should that be needed to
 * tell what a resistor with a choice has in the reference mode; the setting is not looked at. */
jn_status jn_junction_build_mode_with(jn_junction **out, const jn_graph *g,
                                      const jn_junction_options *options, const jn_onoff *m,
                                      jn_diags *d) JN_CHECKED;
/* No limits any longer: what is there may be read and written at leisure. */
void jn_junction_unlimited(jn_junction *j);
/* The diagnostic of a space or field that has failed; JN_OK when none has. what: that is not known
 * now, with its verb ("the equations were"). */
jn_status jn_junction_check_limits(const jn_junction *j, const char *what, jn_diags *d) JN_CHECKED;
void jn_junction_free(jn_junction *j); /* NULL-safe */

/* The modes in which an elimination over this structure divided by what is zero with the values
 * given; a warning for each factor goes to d (NULL: none). */
jn_guard jn_junction_special(const jn_junction *j, const jn_elimination *e, jn_diags *d);

/* The same for a plain elimination in the mode of a structure that is single: what it divided by. */
jn_guard jn_junction_special_values(const jn_junction *j, const jn_ratfun *divisor, int n,
                                    jn_diags *d);

/* A value as a function of λ, with numbers where the structure has them; of a structure of one mode
 * that mode's. INVALID: a number divides by zero. */
jn_status jn_junction_value(jn_guarded *out, const jn_junction *j, jn_value v) JN_CHECKED;
/* The modes in which the value of an element is zero. */
jn_guard jn_junction_zero(const jn_junction *j, int element);
/* A condition of on(…), and, or, not as a guard. */
jn_guard jn_junction_condition(const jn_junction *j, const jn_expr *c);

bool jn_junction_is_forbidden(const jn_junction *j, const jn_onoff *m);
/* The reason that holds in a forbidden mode; NULL in an allowed one. */
const jn_reason *jn_junction_reason(const jn_junction *j, const jn_onoff *m);
/* "G = V", "V = 0", "V2 = 2*V1". */
void jn_reason_print(jn_str *out, const jn_junction *j, const jn_reason *r);
void jn_reason_text(jn_str *out, const jn_graph *g, const jn_reason *r);
/* Whether an element's causality is the same in all allowed modes. */
bool jn_junction_is_static(const jn_junction *j, int element);
/* idle[s]: switch s makes no difference to Λ, S or the forbidden modes. */
void jn_junction_idle_switches(bool *idle, const jn_junction *j);

/* A mode from what a user writes: "100" in the order of declaration, or "s1=1,s2=0" (all must be
 * named). INVALID with a message in *why (free it) otherwise. */
jn_status jn_mode_parse(jn_onoff *m, const jn_graph *g, const char *text, char **why) JN_CHECKED;
/* "100" */
void jn_mode_print(jn_str *out, const jn_graph *g, const jn_onoff *m);

#ifdef __cplusplus
}
#endif

#endif
