/* workers.c: every mode in turn, by several processes.
 *
 * The modes are dealt out in batches, one worker after the other. A worker is a copy of the
 * program (fork) with all results in its memory: the tables of guards and values grow while they
 * are read, so threads would have to wait for each other. It writes the text of its batches into a
 * pipe of its own; the program takes them in turn, so that the output is the same as without
 * workers.
 *
 * The workers are a process group of their own, so that signals from a terminal reach the program
 * alone: it takes no further batch then, and ends them. Should it have no time for that, the group
 * is killed (signals.c). Should it be killed outright itself, the next write into a pipe that
 * nobody reads ends them. */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli.h"

enum { JOBS_MAX = 256 };
enum {
    FEW_LOG2 = 5,
    ENDLESS_LOG2 = 62
}; /* modes that need no workers, and that none could count */

int cli_jobs_option(int *jobs, const cli_args *args)
{
    const char *text = cli_value(args, "jobs");
    char *end;
    *jobs = 1;
    if (!text)
        return CLI_DONE;
    long n = strtol(text, &end, 10);
    if (end == text || *end || n < 1 || n > JOBS_MAX)
        return cli_wrong_usage(args->command, "'--jobs %s': a number from 1 to %d", text, JOBS_MAX);
    *jobs = (int)n;
    return CLI_DONE;
}

/* ---- a worker ------------------------------------------------------------------------------ */

typedef struct {
    const cli_modes *modes;
    int jobs, number; /* of this worker */
    int to;           /* its pipe */
    long count;       /* modes passed */
} worker;

bool cli_write_all(int to, const void *data, size_t n)
{
    const char *p = data;
    while (n) {
        ssize_t done = write(to, p, n);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return false;
        p += done;
        n -= (size_t)done;
    }
    return true;
}

static bool send_batch(worker *w)
{
    jn_str *text = w->modes->text;
    size_t n = text->len;
    bool sent = cli_write_all(w->to, &n, sizeof n) && cli_write_all(w->to, text->s, n);
    jn_str_reset(text);
    return sent;
}

static bool work_on(const jn_onoff *m, void *context)
{
    worker *w = context;
    long at = w->count++;
    if (at / w->modes->batch % w->jobs != w->number)
        return true;
    *w->modes->written = at;
    w->modes->write(m, w->modes->context);
    return (at + 1) % w->modes->batch != 0 || send_batch(w);
}

static void be_worker(worker w)
{
    cli_forget_signals();
    jn_str_reset(w.modes->text);
    jn_guard_each_mode(w.modes->junction->ring.guards, jn_guard_true(), work_on, &w);
    bool good = !w.modes->text->len || send_batch(&w);
    _exit(good ? 0 : 1);
}

/* ---- the program --------------------------------------------------------------------------- */

typedef struct {
    int n;
    pid_t pid[JOBS_MAX];
    int from[JOBS_MAX];
} crew;

/* False when the system does not give as many processes. */
static bool start_crew(crew *c, const cli_modes *modes, int jobs)
{
    while (c->n < jobs) {
        int ends[2];
        if (pipe(ends) != 0)
            return false;
        pid_t pid = fork();
        if (pid == 0) {
            setpgid(0, c->n ? c->pid[0] : 0);
            close(ends[0]);
            for (int i = 0; i < c->n; i++)
                close(c->from[i]);
            be_worker((worker){modes, jobs, c->n, ends[1], 0});
        }
        close(ends[1]);
        if (pid < 0) {
            close(ends[0]);
            return false;
        }
        c->pid[c->n] = pid;
        c->from[c->n++] = ends[0];
        setpgid(pid, c->pid[0]); /* whoever is first, it or we */
        cli_watch_child(c->pid[0]);
    }
    return true;
}

/* Waits for all workers; false when one did not end well. */
static bool dismiss_crew(crew *c, bool early)
{
    bool good = true;
    for (int i = 0; i < c->n; i++) {
        close(c->from[i]);
        if (early)
            kill(c->pid[i], SIGTERM);
    }
    for (int i = 0; i < c->n; i++) {
        int status = -1;
        while (waitpid(c->pid[i], &status, 0) < 0 && errno == EINTR)
            continue;
        good = good && WIFEXITED(status) && WEXITSTATUS(status) == 0;
    }
    cli_watch_child(0);
    return good;
}

bool cli_read_all(int from, void *data, size_t n)
{
    char *p = data;
    while (n) {
        ssize_t got = read(from, p, n);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        p += got;
        n -= (size_t)got;
    }
    return true;
}

static bool read_batch(jn_str *text, int from)
{
    size_t n;
    if (!cli_read_all(from, &n, sizeof n))
        return false;
    char *data = jn_alloc(n + 1);
    bool good = cli_read_all(from, data, n);
    jn_str_addn(text, data, n);
    free(data);
    return good;
}

typedef enum { ALL_WRITTEN, ASKED_TO_STOP, READER_GONE, WORKER_LOST, NO_WORKER } ending;

static ending collect(crew *c, const cli_modes *modes, cli_output *o)
{
    long total = 1l << modes->junction->graph->nswitches;
    if (c->n == 0)
        return NO_WORKER;
    for (long batch = 0; batch * modes->batch < total; batch++) {
        if (cli_signal())
            return ASKED_TO_STOP;
        if (!read_batch(modes->text, c->from[batch % c->n]))
            return WORKER_LOST;
        if (!cli_output_put(o, modes->text))
            return READER_GONE;
        *modes->written = (batch + 1) * modes->batch;
    }
    return ALL_WRITTEN;
}

static ending write_by_crew(const cli_modes *modes, int jobs, cli_output *o)
{
    crew c = {.n = 0};
    ending end = start_crew(&c, modes, jobs) ? collect(&c, modes, o) : NO_WORKER;
    bool ended = dismiss_crew(&c, end != ALL_WRITTEN);
    return end == ALL_WRITTEN && !ended ? WORKER_LOST : end;
}

/* ---- both ways ----------------------------------------------------------------------------- */

typedef struct {
    const cli_modes *modes;
    cli_output *output;
} turn;

static bool write_mode(const jn_onoff *m, void *context)
{
    turn *t = context;
    t->modes->write(m, t->modes->context);
    return cli_output_put(t->output, t->modes->text);
}

int cli_modes_write(const cli_modes *modes, int jobs, cli_output *o)
{
    int n = modes->junction->graph->nswitches;
    bool few = n < FEW_LOG2, endless = n >= ENDLESS_LOG2;
    if (!cli_output_put(o, modes->text))
        return CLI_DONE;
    if (jobs == 1 || few || endless)
        return cli_mode_each(modes->junction, modes->every, write_mode, &(turn){modes, o});
    ending end = write_by_crew(modes, jobs, o);
    if (end == ASKED_TO_STOP)
        return cli_mode_told(modes->junction, *modes->written);
    if (end == WORKER_LOST || end == NO_WORKER) {
        cli_complain(end == WORKER_LOST ? "a worker process ended early"
                                        : "no more processes can be started");
        cli_output_discard(o);
    }
    return CLI_DONE;
}
