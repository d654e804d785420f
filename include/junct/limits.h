/* limits.h: how much time and memory a computation over all modes may take. */
#ifndef JUNCT_LIMITS_H
#define JUNCT_LIMITS_H

#include "junct/base.h"

typedef struct {
    double seconds;   /* of processor time; 0: any */
    double megabytes; /* of the process, at its largest; 0: any */
} jn_limits;

typedef enum {
    JN_WITHIN,
    JN_NODES_SPENT,
    JN_SECONDS_SPENT,
    JN_MEGABYTES_SPENT,
    JN_STOP_ASKED /* jn_interrupt: patience is spent */
} jn_spent;

/* Limits as they stand from now on. Zeroed: none. */
typedef struct {
    jn_limits limits;
    double until; /* processor time of the process */
} jn_budget;

void jn_budget_start(jn_budget *b, const jn_limits *l); /* NULL: none */
jn_spent jn_budget_check(const jn_budget *b);
double jn_processor_seconds(void); /* of the process, so far */
double jn_megabytes_used(void);    /* of the process, at its largest so far */

#endif
