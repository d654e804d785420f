/* source.h: the inputs of an exact run as the output of a linear system: see model_source.c. */
#ifndef SOURCE_H
#define SOURCE_H

#include "mode.h"
#include "value.h"

/* Each source's value is a sum of terms t^k·exp(a·t)·cos(b·t + c), and of a linear form of the
 * model's variables. The functions that occur and their derivatives are the states v of a linear
 * generator: u = G·v, v̇ = V·v. Amplitudes change at events only. */
typedef struct generator generator;

/* NULL when some source is not of this kind; *which is then its element. */
generator *jni_generator_new(jn_sim *s, bool with_time, int *which);
/* For a model that is integrated: only the tables of its expressions, and sources fixed by hand.
 * Takes these over from s->gen, if there is one. */
generator *jni_generator_plain(jn_sim *s);
void jni_generator_free(generator *g); /* NULL-safe */
/* What that of a copied run has come to. */
void jni_generator_carry(generator *to, const generator *from);
int jni_generator_size(const generator *g);
const double *jni_generator_V(const generator *g); /* size × size */
const double *jni_generator_G(const generator *g); /* sources × size */
void jni_generator_inputs(double *u, const generator *g, const double *v); /* G·v */
/* The places of the constant 1 and of t in v; −1 unless with_time. */
int jni_generator_one(const generator *g);
int jni_generator_time(const generator *g);
void jni_generator_at(double *v, const generator *g, double t);
/* Fixes a source at a value from now on. */
void jni_generator_set(generator *g, int source, double value);
/* A line that has the value at t: of a run that is idle. */
void jni_generator_set_line(generator *g, int source, double value, double slope, double t);
bool jni_generator_fixed(double *value, const generator *g, int source);
/* What depends on prior values, discrete variables, switches, branches or the point of a table is
 * held until the next event: this brings it up to date, for a mode. */
void jni_generator_renew(generator *g, const view *v, const mode *m);
/* The first time after t at which a table has its next point; infinity: none. */
double jni_generator_next(const generator *g, double t);
/* What a source reads of the model beside its function of time; NULL: nothing. */
const linear_form *jni_generator_feedback(const generator *g, int source, bool flows);
bool jni_generator_has_feedback(const generator *g); /* some source, fixed or not */
/* Whether a source reads what is held between events, or a table. */
bool jni_generator_changes(const generator *g);
/* Whether prior values make a difference between a mode that is asked and one that is followed. */
bool jni_generator_has_prior(const generator *g);
/* Whether a source of prior values can be followed, prior(x) being x itself. */
bool jni_generator_can_flow(const generator *g, int source);

#endif
