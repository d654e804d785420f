/* fragments.h: one feature each, to be bonded to a bus.
 *
 * The bus is a capacitor with a leak, driven by a wave: junction `bus`. A fragment has names of its
 * own; whatever fragments do to each other they do through the bus. */
#ifndef FRAGMENTS_H
#define FRAGMENTS_H

#include <stdbool.h>

typedef struct {
    const char *name, *text, *outputs;
    bool linear; /* it can be followed exactly */
} fragment;

extern const char fragment_core[];
extern const fragment fragments[];
extern const int nfragments;

#endif
