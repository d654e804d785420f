/* steady_internal.h: shared by the writers of orbits and responses. */
#ifndef STEADY_INTERNAL_H
#define STEADY_INTERNAL_H

#include "junct/unit.h"
#include "junct/write_periodic.h"

void jni_write_steady_text(jn_str *out, const jn_steady *o, const jn_steady_style *s);
/* "10"; with many switches as in jn_mode_print */
void jni_steady_mode_digits(jn_str *out, const jn_steady *o, const jn_steady_mode *m);
/* What a resistor takes of what all sources give; false: no load is named, or no source gives anything. */
bool jni_steady_efficiency(double *x, const jn_steady *o, int load);
/* With the fewest digits that read back exactly. */
void jni_add_number(jn_str *out, double x);
void jni_json_number(jn_str *out, double x); /* null where it is none */
/* name = [x[0]; x[step]; …]; */
void jni_octave_vector(jn_str *out, const char *name, const double *x, int n, int step);
void jni_octave_text(jn_str *out, const char *s);

#endif
