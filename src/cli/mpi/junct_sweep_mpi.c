/* junct_sweep_mpi.c: junct sweep with MPI, a program of its own.
 *
 *     mpirun -n 64 junct-sweep-mpi FILE --vary … -o table.csv
 *
 * Rank 0 deals the rows (jn_deal) and writes the table; the other ranks compute, each in a process of
 * its own below it, so that a computation that dies does not take the rank, and with it the job, along.
 * A rank says that it is ready, gets a batch, sends the text of its rows back, and gets the next.
 *
 * MPI does not say when a rank is lost; mostly the whole job ends then, and the table can be gone on
 * with. Where it does not end: when there is nothing left to deal and a batch has not come back for
 * much longer than any other took, it is dealt again. What comes back late is not looked at. */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <flint/flint.h>

#include "sweep.h"

/* In place of a batch, its count: the end; and an end without MPI's, which would wait for a rank that is
 * lost. */
enum { THE_END = 0, ABRUPT_END = -1 };
enum { TAG_READY = 1, TAG_BATCH, TAG_ROWS, TAG_FAILED };
enum { FINGERPRINT = 32, OUTCOME_ROWS = 0, OUTCOME_LOST = 1 };
enum { POLL_MICROSECONDS = 200, PATIENCE = 30, TIMES_LONGEST = 10 };

/* What comes back, before the text. */
typedef struct {
    jn_batch batch;
    int outcome;
    unsigned long long length;
} reply;

static double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Waiting without taking the processor from those who compute. */
static bool has_message(int from, MPI_Status *status)
{
    int there = 0;
    MPI_Iprobe(from, MPI_ANY_TAG, MPI_COMM_WORLD, &there, status);
    if (!there)
        nanosleep(&(struct timespec){0, 1000L * POLL_MICROSECONDS}, NULL);
    return there;
}

/* ---- those who compute --------------------------------------------------------------------- */

/* False: the process that computed it died. */
static bool compute(sweep_worker *w, jn_sweep *s, jn_batch b, jn_str *text)
{
    if (w->pid && w->rows >= SWEEP_WORKER_ROWS)
        sweep_worker_stop(w, false);
    if (!w->pid && !sweep_worker_start(w, s, NULL, 0))
        return false;
    if (sweep_worker_give(w, b) && sweep_worker_fetch(w, text))
        return true;
    sweep_worker_stop(w, true);
    return false;
}

static void serve(jn_sweep *s)
{
    char fingerprint[FINGERPRINT] = "";
    sweep_worker w = {0};
    MPI_Status status;
    jn_batch b;
    jn_str text;
    jn_str_init(&text);
    strncpy(fingerprint, jn_sweep_fingerprint(s), FINGERPRINT - 1);
    MPI_Send(fingerprint, FINGERPRINT, MPI_CHAR, 0, TAG_READY, MPI_COMM_WORLD);
    for (;;) {
        while (!has_message(0, &status))
            continue;
        MPI_Recv(&b, sizeof b, MPI_BYTE, 0, TAG_BATCH, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (b.count <= 0)
            break;
        jn_str_reset(&text);
        bool good = compute(&w, s, b, &text);
        reply r = {b, good ? OUTCOME_ROWS : OUTCOME_LOST, good ? text.len : 0};
        MPI_Send(&r, sizeof r, MPI_BYTE, 0, TAG_ROWS, MPI_COMM_WORLD);
        if (good)
            MPI_Send(jn_str_c(&text), (int)text.len, MPI_BYTE, 0, TAG_ROWS, MPI_COMM_WORLD);
    }
    sweep_worker_stop(&w, false);
    jn_str_clear(&text);
    if (b.count == ABRUPT_END)
        _exit(CLI_DONE);
}

/* ---- the one who deals --------------------------------------------------------------------- */

typedef enum { RANK_STARTING, RANK_IDLE, RANK_BUSY, RANK_GONE } rank_state;

typedef struct {
    rank_state state;
    jn_batch batch;
    double since;
    bool was_lost; /* it did not answer; else it ended by itself */
} rank_note;

typedef struct {
    jn_sweep *s;
    jn_deal *deal;
    int n; /* ranks, 0 among them */
    rank_note *rank;
    double longest, patience;
} boss;

static void give_up_row(boss *b, jn_batch batch)
{
    jn_str text;
    jn_str_init(&text);
    jn_sweep_row_lost(&text, b->s, batch.first, "the process that computed it ended early");
    jn_deal_return(b->deal, batch, jn_str_c(&text), text.len);
    jn_str_clear(&text);
}

static void take_reply(boss *b, int from)
{
    rank_note *k = &b->rank[from];
    reply r;
    MPI_Recv(&r, sizeof r, MPI_BYTE, from, TAG_ROWS, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    char *text = jn_alloc((size_t)r.length + 1);
    if (r.outcome == OUTCOME_ROWS)
        MPI_Recv(text, (int)r.length, MPI_BYTE, from, TAG_ROWS, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (k->state == RANK_BUSY && r.batch.first == k->batch.first) {
        double took = seconds_now() - k->since;
        b->longest = took > b->longest ? took : b->longest;
    }
    k->state = RANK_IDLE; /* also one that was given up: it lives */
    if (r.outcome == OUTCOME_ROWS)
        jn_deal_return(b->deal, r.batch, text, (size_t)r.length);
    else if (jn_deal_lost(b->deal, r.batch))
        give_up_row(b, r.batch);
    free(text);
}

static void welcome(boss *b, int from)
{
    char fingerprint[FINGERPRINT];
    MPI_Recv(fingerprint, FINGERPRINT, MPI_CHAR, from, TAG_READY, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
    b->rank[from].state = RANK_IDLE;
    if (strcmp(fingerprint, jn_sweep_fingerprint(b->s))) {
        cli_complain("rank %d has read another model, and is left out", from);
        MPI_Send(&(jn_batch){0}, sizeof(jn_batch), MPI_BYTE, from, TAG_BATCH, MPI_COMM_WORLD);
        b->rank[from].state = RANK_GONE;
    }
}

static void receive(boss *b)
{
    MPI_Status status;
    int code;
    if (!has_message(MPI_ANY_SOURCE, &status))
        return;
    if (status.MPI_TAG == TAG_READY)
        welcome(b, status.MPI_SOURCE);
    else if (status.MPI_TAG == TAG_ROWS)
        take_reply(b, status.MPI_SOURCE);
    else {
        MPI_Recv(&code, 1, MPI_INT, status.MPI_SOURCE, TAG_FAILED, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
        cli_complain("rank %d cannot take part: exit code %d", status.MPI_SOURCE, code);
        b->rank[status.MPI_SOURCE].state = RANK_GONE;
    }
}

static void give(boss *b, int to, jn_batch batch)
{
    b->rank[to] = (rank_note){.state = RANK_BUSY, .batch = batch, .since = seconds_now()};
    MPI_Send(&batch, sizeof batch, MPI_BYTE, to, TAG_BATCH, MPI_COMM_WORLD);
}

/* Nothing can be dealt, and one has been away for very long: it is dealt again. */
static void miss_late_ones(boss *b)
{
    double now = seconds_now(), limit = TIMES_LONGEST * b->longest;
    limit = limit > b->patience ? limit : b->patience;
    for (int i = 1; i < b->n; i++)
        if (b->rank[i].state == RANK_BUSY && now - b->rank[i].since > limit) {
            cli_complain("rank %d does not answer: its rows are computed by others", i);
            b->rank[i].state = RANK_GONE;
            b->rank[i].was_lost = true;
            if (jn_deal_lost(b->deal, b->rank[i].batch))
                give_up_row(b, b->rank[i].batch);
        }
}

/* False: there is nobody who could compute. */
static bool deal_out(boss *b)
{
    jn_batch batch;
    int there = 0;
    bool idle = false;
    for (int i = 1; i < b->n; i++) {
        if (b->rank[i].state == RANK_IDLE && jn_deal_take(b->deal, &batch))
            give(b, i, batch);
        idle = idle || b->rank[i].state == RANK_IDLE;
        there += b->rank[i].state != RANK_GONE;
    }
    if (idle)
        miss_late_ones(b);
    return there > 0;
}

static sweep_end deal_all(boss *b, sweep_take *take, void *ctx)
{
    sweep_end end = SWEEP_DONE;
    jn_str text;
    jn_str_init(&text);
    while (end == SWEEP_DONE && !jn_deal_is_over(b->deal)) {
        if (cli_signal())
            end = SWEEP_STOPPED;
        else if (!deal_out(b))
            end = SWEEP_NO_WORKERS;
        else
            receive(b);
        while (jn_deal_next(b->deal, &text))
            continue;
        if (!take(&text, jn_deal_done(b->deal), ctx))
            end = SWEEP_ENDED_BY_TAKER;
    }
    jn_str_clear(&text);
    return end;
}

/* Whether all ranks took part to the end, so that MPI can be ended as it should. */
static bool all_answered = true;
static bool others_told;

/* Those who are still at work on what others have done already are waited for. */
static void await(boss *b, int i)
{
    while ((b->rank[i].state == RANK_STARTING || b->rank[i].state == RANK_BUSY) && !cli_signal())
        receive(b);
    if (b->rank[i].state != RANK_IDLE)
        all_answered = false;
}

static void dismiss(boss *b)
{
    for (int i = 1; i < b->n; i++)
        if (b->rank[i].state != RANK_GONE)
            await(b, i);
        else if (b->rank[i].was_lost)
            all_answered = false;
    jn_batch last = {.count = all_answered ? THE_END : ABRUPT_END};
    for (int i = 1; i < b->n; i++)
        if (b->rank[i].state == RANK_IDLE)
            MPI_Send(&last, sizeof last, MPI_BYTE, i, TAG_BATCH, MPI_COMM_WORLD);
}

static sweep_end work(const sweep_crew *c, jn_sweep *s, uint64_t first, sweep_take *take, void *ctx)
{
    const char *patience = getenv("JUNCT_MPI_PATIENCE");
    if (!c->is_boss) {
        serve(s);
        others_told = true;
        return SWEEP_DONE;
    }
    boss b = {.s = s, .n = c->jobs, .patience = patience ? jn_strtod(patience, NULL) : PATIENCE};
    b.rank = jn_alloc((size_t)b.n * sizeof *b.rank);
    b.deal = jn_deal_new(first, jn_sweep_rows(s), b.n);
    sweep_end end = deal_all(&b, take, ctx);
    if (end == SWEEP_DONE)
        dismiss(&b); /* else MPI_Abort ends them */
    jn_deal_free(b.deal);
    free(b.rank);
    return end;
}

/* ---- the program --------------------------------------------------------------------------- */

static int run(int argc, char *argv[], int rank, int ranks)
{
    cli_args args;
    sweep_crew crew = {
        .work = ranks > 1 ? work : sweep_by_processes, .jobs = ranks, .is_boss = rank == 0};
    if (!cli_parse(&args, &cmd_sweep, argc - 1, argv + 1))
        return CLI_WRONG_USAGE;
    if (args.help) {
        jn_str text;
        jn_str_init(&text);
        cli_command_help(&text, &cmd_sweep);
        return rank == 0 ? cli_output_text(NULL, &text) : (jn_str_clear(&text), CLI_DONE);
    }
    if (cli_value(&args, "jobs"))
        return cli_wrong_usage(&cmd_sweep, "the ranks share the work: '--jobs' is not for MPI");
    if (ranks > 1 && !strcmp(args.operand, "-"))
        return cli_wrong_usage(&cmd_sweep, "every rank reads the model: name a file");
    int code = cli_files_of_options(&args);
    return code == CLI_DONE ? sweep_command(&args, crew) : code;
}

int main(int argc, char *argv[])
{
    int rank, ranks;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    cli_catch_signals();
    cli_choose_characters();
    if (rank && !freopen("/dev/null", "w", stderr)) /* rank 0 says it all */
        return CLI_STOPPED;
    int code = run(argc, argv, rank, ranks);
    cli_files_clear();
    flint_cleanup_master();
    fflush(NULL);
    if (ranks > 1 && rank == 0 && code != CLI_DONE)
        MPI_Abort(MPI_COMM_WORLD, code);
    if (ranks > 1 && rank == 0 && !all_answered)
        _exit(code);
    if (rank && !others_told) {
        MPI_Send(&code, 1, MPI_INT, 0, TAG_FAILED, MPI_COMM_WORLD);
        code = CLI_DONE; /* said by rank 0 */
    }
    MPI_Finalize();
    return code;
}
