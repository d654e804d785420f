/* jobs.h: what was added to CUnit's registry, run by several processes at once.
 *
 * A job is a suite, or one test of the suite "checks" (a script). Each runs in a process of its
 * own, forked when its turn comes, so that a crash fails its own suite only. What a job prints is
 * shown when it has ended, whole; with one worker, as it comes. */
#ifndef TEST_JOBS_H
#define TEST_JOBS_H

#include <stdbool.h>

/* Runs all of the registry with that many workers and prints CUnit's summary over all of them.
 * True when something ran and nothing failed. */
bool test_run_jobs(int workers);

#endif
