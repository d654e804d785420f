/* patience.h: how long one input may take. It is processor time, since the machine may be busy: the
 * clock of libFuzzer's -timeout is left to inputs that wait for ever.
 *
 * ASKED_AFTER: whoever is at work is asked to end (jn_interrupt), as Ctrl-C does. A run may have any
 * length, so this is no finding. ENDED_AFTER: one that is still at work is a finding. */
#ifndef TESTS_FUZZ_PATIENCE_H
#define TESTS_FUZZ_PATIENCE_H

#include <signal.h>
#include <stdlib.h>
#include <sys/time.h>

#include "junct/base.h"

enum { ASKED_AFTER = 5, ENDED_AFTER = 20 }; /* seconds, with sanitizers and all */

static void patience_ends(int signal)
{
    (void)signal;
    if (jn_interrupted())
        abort(); /* libFuzzer then keeps the input */
    jn_interrupt();
}

/* At the begin of each input. */
static void begin_patience(void)
{
    struct itimerval clock = {.it_value.tv_sec = ASKED_AFTER,
                              .it_interval.tv_sec = ENDED_AFTER - ASKED_AFTER};
    struct sigaction on = {.sa_handler = patience_ends, .sa_flags = SA_RESTART};
    jn_interrupt_clear();
    sigaction(SIGPROF, &on, NULL);
    setitimer(ITIMER_PROF, &clock, NULL);
}

#endif
