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
 * of ports that share a bond. */
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
    const jn_graph *g;
    jn_ring ring;
    jn_elimination *elim;
    int ncols;
    int nports;
    port *port;    /* in the order in which they are served */
    int *port_at;  /* per column: the port it belongs to, −1 for internal bonds */
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

/* columns.c: columns and ports. late: per source, it is served after the storages; NULL: none. */
void jn_place_columns(columns *c, const jn_graph *g, const bool *late);
void jn_columns_clear(columns *c);

/* order.c: the order in which guards test the switches, along the graph. */
int *jn_switch_order(const jn_graph *g); /* free() it; NULL without switches */

/* laws.c: the rows of all junctions, TF and GY, into the elimination. */
jn_status jn_write_laws(builder *b, jn_diags *d);

/* ports.c: internal bonds first, then every port in turn. */
void jn_solve_internal(builder *b);
jn_status jn_solve_ports(builder *b);
/* The role an element plays when the junction structure's output is its effort, or its flow. */
jn_form jn_form_of_output(jn_kind kind, bool effort);
/* The variable a port should have as the junction structure's output: the effort? */
bool jn_wants_effort(jn_kind kind);

/* forbidden.c: why modes are forbidden. */
void jn_find_reasons(builder *b);

/* structure.c: Λ(λ) and S(λ). */
void jn_assemble(builder *b);

/* loops.c: bonds that redundant loops leave undetermined. */
void jn_find_undetermined(builder *b);

/* strokes.c: the causal strokes of all bonds in all allowed modes. */
void jn_assign_strokes(builder *b);

#endif
