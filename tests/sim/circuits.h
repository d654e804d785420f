/* circuits.h: random rectifiers and converters, and what may be put into them that is hardly there. */
#ifndef CIRCUITS_H
#define CIRCUITS_H

#include "junct.h"
#include "testing.h"

enum { CIRCUIT_NODES = 16, CIRCUIT_BRANCHES = 24, CIRCUIT_SWITCHES = 8 };

typedef struct {
    test_rng *rng;
    jn_str text;
    int nnodes, nbranches, nswitches;
    int switched[CIRCUIT_SWITCHES][2]; /* between which nodes */
    int added;
    double end;
    bool is_dual; /* efforts are flows: see circuits.c */
} circuit;

typedef enum {
    LEAKS_EVERYWHERE, /* a resistor from every node to the ground */
    LEAKS_HERE_AND_THERE,
    LEAKS_OF_ALL_SIZES, /* within a factor of 100 */
    LEAKS_AS_LAWS,
    LEAKS_ACROSS, /* every switch */
    SNUBBERS,     /* likewise, of a resistor and a capacitor */
    WIRES,        /* a resistor in every branch */
    CIRCUIT_VARIANTS
} circuit_variant;

/* A new circuit; with an end, and nothing to measure yet. */
void circuit_begin(circuit *c, test_rng *r, bool is_dual);
/* Leaks of so much, or wires of one by so much. Returns what part of all values that is. */
double circuit_add(circuit *c, circuit_variant v, double size);
/* Outputs: the currents of all branches. Those of switches may be shared by them in any way, as by the diodes of a
 * bridge that all conduct. */
void circuit_end(circuit *c);
void circuit_clear(circuit *c);

#endif
