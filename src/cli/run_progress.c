/* run_progress.c: the progress bar of a run. */
#include <string.h>
#include <time.h>

#include "run.h"

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
