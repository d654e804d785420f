/* interrupt.c: being asked to stop.
 *
 * The request is one note for the whole process, and all that a signal handler has to do. Long
 * computations read it where they look at their limits: to them it is one more limit that is
 * reached, so they end as they do then, with JN_UNABLE and all of their memory given back. */
#include <signal.h>

#include "junct/base.h"

static volatile sig_atomic_t asked;

void jn_interrupt(void)
{
    asked = 1;
}

void jn_interrupt_clear(void)
{
    asked = 0;
}

bool jn_interrupted(void)
{
    return asked != 0;
}
