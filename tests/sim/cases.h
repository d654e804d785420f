/* cases.h: running the models of tests/sim/cases, each in a process of its own.
 *
 * A model that crashes or never ends fails its own test and no other: a body runs in a child that
 * gets twenty seconds of processor time, and its failures are printed as they are found. */
#ifndef CASES_H
#define CASES_H

#include "rig.h"

typedef long double real;

/* Runs the body in a child with each method in turn (alone: with the model's own choice only) and
 * asserts that it came to its end without a failed assertion. */
typedef void case_body(jn_method method);
void case_alone(case_body *body);
void case_both(case_body *body);

/* A test `name` whose body follows; it is run with the model's own method, or with Radau's too. */
#define ALONE(name)                                                                                \
    static void name##_body(jn_method method);                                                     \
    static void name(void)                                                                         \
    {                                                                                              \
        case_alone(name##_body);                                                                   \
    }                                                                                              \
    static void name##_body(jn_method method)
#define BOTH(name)                                                                                 \
    static void name##_body(jn_method method);                                                     \
    static void name(void)                                                                         \
    {                                                                                              \
        case_both(name##_body);                                                                    \
    }                                                                                              \
    static void name##_body(jn_method method)

/* tests/sim/cases/NAME.hbg, with the first `old` in it replaced (NULL: nothing); asserts that it can
 * be run. */
bool case_open(rig *r, const char *name, jn_method method);
bool case_open_with(rig *r, const char *name, const char *old, const char *new, jn_method method);

/* What may be asked of a value: rounding of an exact run, or the integrator's tolerance. */
double case_bound(const rig *r);
int case_count(const rig *r, jn_event_kind kind);
/* The only event of a kind; asserts that it is the only one. */
const rig_event *case_only(const rig *r, jn_event_kind kind);
/* Asserts one event: where, from, to, via. */
void case_event(const rig *r, int i, real t, const char *from, const char *to, const char *via);

/* A failed assertion that says where it is at once. */
#define CHECK(condition) case_check((condition), #condition, __FILE__, __LINE__)
void case_check(bool holds, const char *text, const char *file, int line);

/* Runge and Kutta's method of order 4, fixed steps. */
typedef void case_rates(real *dx, real t, const real *x, const void *context);
void case_follow(real *x, int n, case_rates *rates, const void *context, real from, real to,
                 int steps);

#endif
