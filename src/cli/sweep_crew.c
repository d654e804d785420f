/* sweep_crew.c: the rows of a sweep, computed by worker processes.
 *
 * A worker is a copy of the program (fork) with the model in its memory. It reads a batch from a pipe,
 * computes it, and writes the text of its rows into another. Whoever is free gets the next batch
 * (jn_deal); the rows leave in order. A worker that dies takes nothing with it: its rows are computed
 * again by others, one by one, and one that kills whoever computes it is said to be lost.
 *
 * Should the program be killed outright, its workers read the end of their pipes and end as well. */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sweep.h"

enum { MOST_DEATHS = 200 }; /* of workers: then it is not the rows */

/* ---- a worker ------------------------------------------------------------------------------ */

static void be_worker(jn_sweep *s, int from, int to)
{
    jn_batch b;
    jn_str text;
    bool good = true;
    jn_str_init(&text);
    cli_forget_signals();
    while (good && cli_read_all(from, &b, sizeof b)) {
        jn_str_reset(&text);
        for (int i = 0; i < b.count && good; i++)
            good = jn_sweep_row_text(&text, s, b.first + (uint64_t)i);
        size_t n = text.len;
        good = good && cli_write_all(to, &n, sizeof n) && cli_write_all(to, jn_str_c(&text), n);
    }
    _exit(good ? 0 : 1);
}

bool sweep_worker_start(sweep_worker *w, jn_sweep *s, const sweep_worker *others, int n)
{
    int down[2], up[2];
    *w = (sweep_worker){0};
    if (pipe(down) != 0)
        return false;
    if (pipe(up) != 0) {
        close(down[0]);
        close(down[1]);
        return false;
    }
    pid_t pid = fork();
    if (pid == 0) {
        close(down[1]);
        close(up[0]);
        for (int i = 0; i < n; i++)
            if (others[i].pid) {
                close(others[i].to);
                close(others[i].from);
            }
        be_worker(s, down[0], up[1]);
    }
    close(down[0]);
    close(up[1]);
    if (pid < 0) {
        close(down[1]);
        close(up[0]);
        return false;
    }
    *w = (sweep_worker){.pid = pid, .to = down[1], .from = up[0]};
    return true;
}

bool sweep_worker_give(sweep_worker *w, jn_batch b)
{
    w->batch = b;
    w->busy = true;
    w->rows += b.count;
    return cli_write_all(w->to, &b, sizeof b);
}

bool sweep_worker_fetch(sweep_worker *w, jn_str *text)
{
    size_t n;
    if (!cli_read_all(w->from, &n, sizeof n))
        return false;
    char *data = jn_alloc(n + 1);
    bool good = cli_read_all(w->from, data, n);
    jn_str_addn(text, data, n);
    free(data);
    w->busy = !good;
    return good;
}

void sweep_worker_stop(sweep_worker *w, bool at_once)
{
    if (!w->pid)
        return;
    close(w->to);
    close(w->from);
    if (at_once)
        kill(w->pid, SIGTERM);
    while (waitpid(w->pid, NULL, 0) < 0 && errno == EINTR)
        continue;
    *w = (sweep_worker){0};
}

/* ---- the program --------------------------------------------------------------------------- */

typedef struct {
    jn_sweep *s;
    jn_deal *deal;
    int n;
    sweep_worker *worker;
    struct pollfd *poll;
    int deaths;
} crew;

/* A worker that died while it computed a batch. */
static void bury(crew *c, sweep_worker *w)
{
    jn_batch b = w->batch;
    bool busy = w->busy;
    sweep_worker_stop(w, true);
    c->deaths++;
    if (!busy || !jn_deal_lost(c->deal, b))
        return;
    jn_str text;
    jn_str_init(&text);
    jn_sweep_row_lost(&text, c->s, b.first, "the process that computed it ended early");
    jn_deal_return(c->deal, b, jn_str_c(&text), text.len);
    jn_str_clear(&text);
}

/* Everybody gets something to do, if there is any. False: no process can be started. */
static bool deal_out(crew *c)
{
    jn_batch b;
    int alive = 0;
    for (int i = 0; i < c->n; i++) {
        sweep_worker *w = &c->worker[i];
        if (!w->busy && w->pid && w->rows >= SWEEP_WORKER_ROWS)
            sweep_worker_stop(w, false);
        if (!w->busy && jn_deal_take(c->deal, &b)) {
            if (!w->pid && !sweep_worker_start(w, c->s, c->worker, c->n)) {
                jn_deal_lost(c->deal, b);
                continue;
            }
            if (!sweep_worker_give(w, b))
                bury(c, w);
        }
        alive += w->busy;
    }
    return alive > 0 && c->deaths < MOST_DEATHS;
}

static void collect(crew *c)
{
    jn_str text;
    jn_str_init(&text);
    for (int i = 0; i < c->n; i++)
        c->poll[i] =
            (struct pollfd){.fd = c->worker[i].busy ? c->worker[i].from : -1, .events = POLLIN};
    int ready = poll(c->poll, (nfds_t)c->n, 200);
    for (int i = 0; i < c->n && ready > 0; i++) {
        sweep_worker *w = &c->worker[i];
        if (!w->busy || !c->poll[i].revents)
            continue;
        jn_batch b = w->batch;
        jn_str_reset(&text);
        if (sweep_worker_fetch(w, &text))
            jn_deal_return(c->deal, b, jn_str_c(&text), text.len);
        else
            bury(c, w);
    }
    jn_str_clear(&text);
}

static sweep_end deal_all(crew *c, sweep_take *take, void *ctx)
{
    jn_str text;
    jn_str_init(&text);
    sweep_end end = SWEEP_DONE;
    while (end == SWEEP_DONE && !jn_deal_is_over(c->deal)) {
        if (cli_signal())
            end = SWEEP_STOPPED;
        else if (!deal_out(c))
            end = SWEEP_NO_WORKERS;
        else
            collect(c);
        while (jn_deal_next(c->deal, &text))
            continue;
        if (!take(&text, jn_deal_done(c->deal), ctx))
            end = SWEEP_ENDED_BY_TAKER;
    }
    jn_str_clear(&text);
    return end;
}

static sweep_end by_crew(int jobs, jn_sweep *s, uint64_t first, sweep_take *take, void *ctx)
{
    crew c = {.s = s, .n = jobs, .deal = jn_deal_new(first, jn_sweep_rows(s), jobs)};
    c.worker = jn_alloc((size_t)jobs * sizeof *c.worker);
    c.poll = jn_alloc((size_t)jobs * sizeof *c.poll);
    sweep_end end = deal_all(&c, take, ctx);
    for (int i = 0; i < jobs; i++)
        sweep_worker_stop(&c.worker[i], end != SWEEP_DONE);
    free(c.poll);
    free(c.worker);
    jn_deal_free(c.deal);
    return end;
}

/* Few rows by one: no process is needed. */
static sweep_end alone(jn_sweep *s, uint64_t first, sweep_take *take, void *ctx)
{
    jn_str text;
    jn_str_init(&text);
    sweep_end end = SWEEP_DONE;
    for (uint64_t i = first; i < jn_sweep_rows(s) && end == SWEEP_DONE; i++) {
        if (cli_signal() || !jn_sweep_row_text(&text, s, i))
            end = SWEEP_STOPPED;
        else if (!take(&text, i + 1, ctx))
            end = SWEEP_ENDED_BY_TAKER;
    }
    jn_str_clear(&text);
    return end;
}

sweep_end sweep_by_processes(const sweep_crew *c, jn_sweep *s, uint64_t first, sweep_take *take,
                             void *ctx)
{
    uint64_t left = jn_sweep_rows(s) - first;
    if (c->jobs == 1 && left <= SWEEP_WORKER_ROWS)
        return alone(s, first, take, ctx);
    int jobs = left < (uint64_t)c->jobs ? (int)left : c->jobs;
    return jobs ? by_crew(jobs, s, first, take, ctx) : SWEEP_DONE;
}
