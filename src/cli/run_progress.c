/* run_progress.c: the progress bar of a run, and the signals that end it. */
#include <signal.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "run.h"

/* ---- signals --------------------------------------------------------------------------------- */

enum { GRACE = 10, PATIENCE = 1 }; /* seconds to notice a signal; before a second one counts */

static volatile sig_atomic_t caught;
static struct timespec caught_at; /* written once, by the first signal */

/* Should the run not come to look at the note, the alarm ends it; and so does who asks again. But
 * one request may arrive twice: timeout(1) signals its child and then the child's whole group. */
static void note_signal(int number)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (!caught) {
        caught_at = now;
        caught = number;
        alarm(GRACE);
    } else if (now.tv_sec - caught_at.tv_sec > PATIENCE) {
        signal(number, SIG_DFL);
        raise(number);
    }
}

/* What was ignored from the start stays so: nohup(1) and a shell's background jobs mean it. */
void run_catch_signals(void)
{
    static const int ends[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction action = {.sa_handler = note_signal, .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++)
        sigaddset(&action.sa_mask, ends[i]);
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        struct sigaction before;
        if (sigaction(ends[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
            sigaction(ends[i], &action, NULL);
    }
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
}

const char *run_signal(void)
{
    if (caught)
        alarm(0);
    switch (caught) {
    case 0:
        return NULL;
    case SIGINT:
        return "interrupted (SIGINT)";
    case SIGTERM:
        return "asked to end (SIGTERM)";
    default:
        return "the terminal went away (SIGHUP)";
    }
}

/* ---- progress -------------------------------------------------------------------------------- */

enum { BAR_WIDTH = 30, MILLISECONDS = 100 }; /* between two pictures */

static double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Events per second are those since the last picture. */
void run_show_progress(const run *r)
{
    static double last;
    static long last_events;
    double now = seconds_now(), t = jn_sim_time(r->sim), share = t / r->times.to;
    long events = jn_sim_events(r->sim);
    if (last == 0) {
        last = now;
        return;
    }
    if (now - last < 1e-3 * MILLISECONDS)
        return;
    char bar[BAR_WIDTH + 1];
    int filled = (int)(share * BAR_WIDTH);
    memset(bar, '#', BAR_WIDTH);
    memset(bar + filled, '.', (size_t)(BAR_WIDTH - filled));
    bar[BAR_WIDTH] = 0;
    fprintf(stderr, "\r[%s] %3d %%  t = %.6g of %.6g  %ld events, %.3g/s\033[K", bar,
            (int)(100 * share), t, r->times.to, events,
            (double)(events - last_events) / (now - last));
    last = now;
    last_events = events;
}

void run_hide_progress(void)
{
    fputs("\r\033[K", stderr);
}
