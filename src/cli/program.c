/* program.c: programs of others, pdflatex and rsvg-convert: they have a limit of time, and end with
 * us. */
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cli.h"

enum { SECONDS_MAX = 120, TICK = 5000000 /* ns */ };

/* Its exit code; −1 when it did not end by itself: then that is said. */
static int wait_for(pid_t pid, const char *name, const char *otherwise)
{
    time_t start = time(NULL);
    int status = 0;
    while (waitpid(pid, &status, WNOHANG) == 0) {
        const char *why = cli_signal();
        if (why || time(NULL) - start > SECONDS_MAX) {
            kill(-pid, SIGKILL);
            waitpid(pid, &status, 0);
            if (why)
                cli_complain("%s: %s", why, otherwise);
            else
                cli_complain("%s does not end (%d s): %s", name, SECONDS_MAX, otherwise);
            return -1;
        }
        nanosleep(&(struct timespec){.tv_nsec = TICK}, NULL);
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

int cli_run_program(const char *name, void (*become)(const void *ctx), const void *ctx,
                    const char *otherwise)
{
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0) {
        setpgid(0, 0); /* what it may start ends with it */
        signal(SIGPIPE, SIG_DFL);
        signal(SIGXFSZ, SIG_DFL);
        become(ctx);
        _exit(errno == ENOENT ? CLI_NOT_FOUND : 1);
    }
    if (pid < 0) {
        cli_complain("cannot start %s: %s", name, strerror(errno));
        return -1;
    }
    setpgid(pid, pid);
    cli_watch_child(pid);
    int code = wait_for(pid, name, otherwise);
    cli_watch_child(0);
    return code;
}
