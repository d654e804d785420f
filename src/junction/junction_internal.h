/* junction_internal.h: what the files of the junction stage share. */
#ifndef JUNCTION_INTERNAL_H
#define JUNCTION_INTERNAL_H

#include "junct/junction.h"

/* A port: a 1-port element and the columns of its two variables, power counted into I, C, R. */
typedef struct {
    int element;
    int effort, flow; /* columns */
} port;

/* The columns of the elimination: 2b and 2b+1 are the effort and the flow of bond b, then come those
 * of ports that share a bond, and of resistors that are 0 in some modes. */
typedef struct {
    int ncols;
    int nports;
    port *port;    /* in the order in which they are served */
    int *port_at;  /* per column: the port it belongs to, −1 for internal bonds */
    int *flow_sign;               /* per bond */
    int *port_effort, *port_flow; /* per element; −1 where it is no port */
} columns;

typedef struct {
    jn_junction *j; /* what is being built */
    jn_graph *spread;  /* the model's graph with trees for big junctions; NULL: there are none */
    const jn_graph *g; /* that one, or the model's: the first bonds and elements are the model's */
    const jn_junction_options *options;
    jn_ring ring;
    jn_elimination *elim;
    int ncols;
    int nports;
    port *port;    /* in the order in which they are served */
    int *port_at;  /* per column: the port it belongs to, −1 for internal bonds */
    const jn_onoff *only; /* a single mode; NULL: all */
    bool *shorted; /* per element: a resistor that is 0 in some modes; NULL: none */
    jn_guard *unsolved; /* per column of a bond: the modes in which the elimination left it free */
} builder;

/* Columns of a bond's variables; a port's are those of its bond, except where two ports share one. */
static inline int effort_col(int bond)
{
    return 2 * bond;
}
static inline int flow_col(int bond)
{
    return 2 * bond + 1;
}

/* columns.c: columns and ports. late: per source, it is served after the storages; early: per
 * resistor, before them; first: per resistor, before the others; shorted: per element, a resistor
 * that is 0 in some modes; NULL: none. */
void jni_place_columns(columns *c, const jn_graph *g, const bool *late, const bool *early,
                       const signed char *first, const bool *shorted);
void jni_columns_clear(columns *c);
/* What is not known of a mode when it was asked to stop. */
#define JN_MODE_WAS "the causality of the mode was"

/* shorted.c: per element, whether it is a resistor that may be 0 in some mode, with numbers or in
 * symbols; switched: per element, its value differs between modes in a way that the graph does not
 * tell, NULL: none. The result is freed by the caller; NULL: there are none. */
bool *jni_shorted_somewhere(const jn_graph *g, bool numeric, const bool *switched);
jn_guard jni_shorted_guard(const jn_junction *j, int element);
bool jni_shorted_in(const jn_graph *g, int element, bool numeric, const jn_onoff *m);

/* spread.c: the graph with balanced trees for junctions of many bonds; NULL where it has none. */
jn_graph *jni_spread(const jn_graph *g);
void jni_spread_free(jn_graph *g); /* NULL-safe */

/* laws.c: the modes in which a switch is ON. */
jn_guard jni_switch_on(const builder *b, int number);

/* order.c: the order in which guards test the switches, along the graph. */
int *jni_switch_order(const jn_graph *g); /* free() it; NULL without switches */
/* All elements along the graph, each after those that are reached through it. free() it. */
int *jni_elements_ends_first(const jn_graph *g);

/* laws.c: the rows of all junctions, TF and GY, into the elimination. */
jn_status jni_write_laws(builder *b, jn_diags *d);

/* ports.c: internal bonds first, then every port in turn. */
void jni_solve_internal(builder *b);
jn_status jni_solve_ports(builder *b);
/* The role an element plays when the junction structure's output is its effort, or its flow. */
jn_form jni_form_of_output(jn_kind kind, bool effort);
/* The variable a port should have as the junction structure's output: the effort? */
bool jni_wants_effort(jn_kind kind);

/* forbidden.c: why modes are forbidden. */
void jni_find_reasons(builder *b);

/* structure.c: Λ(λ) and S(λ). */
void jni_assemble(builder *b);

/* loops.c: bonds that redundant loops leave undetermined. */
void jni_find_undetermined(builder *b);
/* Whether some bond may be so in all allowed modes: one of them is asked. */
bool jni_may_have_loops(const builder *b);

/* strokes.c: the causal strokes of all bonds in all allowed modes. */
void jni_assign_strokes(builder *b);

/* junction.c: the parts of a structure that all its ways of building have. */
void jni_junction_start(jn_junction *j, const jn_graph *g, bool numeric, const int *order);
void jni_complain_of_reasons(const jn_junction *j, jn_diags *d);
/* The structure with the values given (NULL: there is none) and what was said of it become part of j,
 * where some mode is allowed with them; else both are freed, and it is false. */
bool jni_junction_keep_values(jn_junction *j, jn_junction *with_values, jn_diags *said);
void jni_warn_loops(const jn_junction *j, jn_diags *d);

/* special.c: the modes in which a resistor is 0 with the values given, but not for others. */
jn_guard jni_special_resistors(const jn_junction *j, jn_diags *d);

/* reference.c: whether a resistor's effort comes first, as in the reference mode of all modes. The
 * result, one flag per resistor, is freed by the caller. */
jn_status jni_reference_resistors(bool **effort_first, const jn_graph *g,
                                 const jn_junction_options *options, const jn_onoff *m,
                                 jn_diags *d);

#endif
