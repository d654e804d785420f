/* limits.c: time and memory of the process.
 *
 * Processor time and not the time on the wall: a busy machine changes no answer. Memory is the
 * largest the process has been, which the system knows at no cost. */
#include <sys/resource.h>
#include <time.h>

#include "junct/limits.h"

double jn_processor_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

double jn_megabytes_used(void)
{
    struct rusage u;
    getrusage(RUSAGE_SELF, &u);
    return (double)u.ru_maxrss / 1024; /* the system counts in kilobytes */
}

void jn_budget_start(jn_budget *b, const jn_limits *l)
{
    *b = (jn_budget){0};
    if (!l)
        return;
    b->limits = *l;
    b->until = jn_processor_seconds() + l->seconds;
}

jn_spent jn_budget_check(const jn_budget *b)
{
    if (b->limits.seconds > 0 && jn_processor_seconds() > b->until)
        return JN_SECONDS_SPENT;
    if (b->limits.megabytes > 0 && jn_megabytes_used() > b->limits.megabytes)
        return JN_MEGABYTES_SPENT;
    return JN_WITHIN;
}
