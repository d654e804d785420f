/* run.h: running the program as a user does. */
#ifndef RUN_H
#define RUN_H

#include "testing.h"

typedef struct {
    int code;        /* the exit code */
    char *out, *err; /* what it printed */
} outcome;

/* The program ($JUNCT) with arguments as in a shell, %s for each further string. */
outcome run(const char *arguments, ...);
void outcome_clear(outcome *o);
/* The program, sent the signals (0 ends them) as soon as a file that matches `sign` in the folder
 * has something in it. `ignored` (or 0) is a signal it was started without. */
outcome run_and_signal(const char *sign, const int *signals, int ignored, const char *arguments,
                       ...);
/* A folder of the tests' own, removed at the end of the suite, and a file in it. */
const char *run_folder(void);
void run_remove_folder(void);
void run_write_file(const char *name, const char *text, size_t len);

/* Exit code, empty standard output and a part of standard error. */
void run_refused(const char *file, int line, int code, const char *said, const char *arguments);
#define REFUSED(code, said, arguments) run_refused(__FILE__, __LINE__, (code), (said), (arguments))

#endif
