/* converter.h: circuits with one switch and one diode, as models and as references.
 *
 * The model's diode knows only its own voltage and current. The reference (reference.h) knows the
 * course of a period: the switch is on for its first half, then the diode conducts until its
 * current has gone, then nothing does. */
#ifndef CONVERTER_H
#define CONVERTER_H

#include "junct/base.h"
#include "reference.h"

typedef struct {
    const char *body; /* of the model; its parameters are the two numbers */
    int period_us, load;
    real period;
    ref_mode on, off, dry;  /* of all p and q, in the order of the model's storages */
    ref_condition current;  /* of the conducting diode */
    ref_condition blocking; /* minus the voltage of the blocking diode, while the switch is off */
} converter;

converter converter_buck(int period_us, int load);
converter converter_boost(int period_us, int load);
/* With both off, its two coils carry one current. */
converter converter_cuk(int period_us, int load);

void converter_model(jn_str *text, const converter *c);

/* The first half of a period, and the second, which begins at time t; the times of the diode's
 * events go to when[], at most CONVERTER_EVENTS; returns how many. */
enum { CONVERTER_EVENTS = 16 };
void converter_charge(real *x, const converter *c);
int converter_freewheel(real *x, const converter *c, real t, real *when);

#endif
