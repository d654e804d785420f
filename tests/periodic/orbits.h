/* orbits.h: models whose orbits are looked for, and what the tests of orbits share. */
#ifndef ORBITS_H
#define ORBITS_H

#include "sim/rig.h"

/* A model that is read, and its orbit. */
typedef struct {
    jn_arena *arena;
    jn_diags *diags;
    jn_graph *graph;
    jn_steady *orbit;
    jn_status status;
} orbit;

void orbit_read(orbit *o, const char *text); /* asserts that it can be read */
/* Finds it; options may be NULL. */
void orbit_find(orbit *o, const char *text, const jn_steady_options *options);
void orbit_clear(orbit *o);
const jn_steady_value *orbit_value(const orbit *o, const char *name); /* asserts that there is one */
/* The response of one output at one frequency. from: a source's name, or the switch of a duty. */
jn_complex orbit_response(const char *text, const char *from, bool duty, const char *to, double f,
                          const jn_steady_options *options);

/* Converters of 24 V with a period of 100 us and an ideal diode; coil L in H, load in ohm. */
typedef enum { BUCK, BOOST, BUCK_BOOST, CUK, CONVERTERS } converter_kind;
/* duty: as it would be written. */
void orbit_converter(jn_str *text, converter_kind kind, const char *duty, double L, double load);

#endif
