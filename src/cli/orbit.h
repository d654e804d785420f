/* orbit.h: what `junct steady` and `junct bode` share. */
#ifndef CLI_ORBIT_H
#define CLI_ORBIT_H

#include "junct/write_periodic.h"
#include "run.h"

/* The options that say which orbit is meant, and how it is run. */
/* clang-format off */
#define ORBIT_OPTIONS \
    {"period", 0, "T", "the period of the clock, instead of the one found in the model"}, \
    {"times", 0, "K", "the orbit closes after K periods of the clock, default 1"}, \
    {"free", 0, NULL, "an oscillation without a clock: its period is found as well"}, \
    {"settle", 0, "T", "run this long before the search; default 20 periods, free: the model's run"}, \
    CLI_OPTION_SET, \
    {"method", 0, "M", "auto, exact or radau"}, \
    {"rtol", 0, "X", "relative tolerance of radau"}, \
    {"atol", 0, "X", "absolute tolerance of radau"}, \
    {"max-seconds", 0, "S", "end the search after S seconds of processor time"}
/* clang-format on */

typedef struct {
    run_plan plan;
    run guard; /* its limit of time */
    jn_steady_options o;
} orbit_plan;

/* Reads the options; returns the exit code. Clear it in any case. */
int orbit_plan_read(orbit_plan *p, const cli_args *args);
void orbit_plan_clear(orbit_plan *p);
/* Says why there is no result; returns the exit code. */
int orbit_told(const jn_steady *o, jn_status status);

#endif
