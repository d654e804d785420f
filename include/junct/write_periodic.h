/* write_periodic.h: orbits and responses as text, JSON, CSV, Octave, and pictures. */
#ifndef JUNCT_WRITE_PERIODIC_H
#define JUNCT_WRITE_PERIODIC_H

#include "junct/periodic.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    int load; /* the resistor whose power is the useful one; −1: none is named */
} jn_steady_style;

/* form: "text", "json", "csv" or "octave". */
void jn_write_steady(jn_str *out, const jn_steady *o, const char *form, const jn_steady_style *s);
/* Its values over one or more periods, with the modes below. */
void jn_plot_steady(jn_str *svg, const jn_steady *o, int periods);

typedef struct {
    const char *from; /* what is disturbed, as it was asked for */
} jn_bode_style;

void jn_write_bode(jn_str *out, const jn_bode *b, const char *form, const jn_bode_style *s);
/* Magnitude in dB and phase in degrees over the logarithm of the frequency; the averaged model
 * dashed. */
void jn_plot_bode(jn_str *svg, const jn_bode *b, const jn_bode_style *s);

/* form: "text", "json" or "csv". */
void jn_write_sensitivity(jn_str *out, const jn_sensitivity *s, const char *form);

#ifdef __cplusplus
}
#endif

#endif
