/* signals.c: being asked to end, in one place for all commands.
 *
 * A signal leaves a note. Stages of the library see it as a limit (jn_interrupt), loops over modes
 * and rows look at it, and then the command ends as usual: what was computed is written, exit code
 * 3. But some computations do not look for seconds. So the note also starts a clock: when it runs
 * out the handler itself ends the program, with the rows that are in memory, without files that
 * nobody could use. */
#define _XOPEN_SOURCE 700 /* setitimer */
#include <signal.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "cli.h"

enum {
    GRACE = 700000, /* microseconds to notice a signal */
    PATIENCE = 1,   /* seconds before a second one counts */
    WATCHED_MAX = 8
};

static volatile sig_atomic_t caught;
static volatile sig_atomic_t in_stage; /* the library is at work, and may be interrupted */
static struct timespec caught_at;      /* written once, by the first signal */
static jn_sink *volatile watched[WATCHED_MAX];
static volatile pid_t child;
static char folder[4096]; /* "": none */

/* ---- what is there to be cleared away ------------------------------------------------------ */

void cli_watch(jn_sink *s)
{
    for (int i = 0; i < WATCHED_MAX; i++)
        if (!watched[i]) {
            watched[i] = s;
            return;
        }
}

void cli_unwatch(const jn_sink *s)
{
    for (int i = 0; i < WATCHED_MAX; i++)
        if (watched[i] == s)
            watched[i] = NULL;
}

void cli_watch_child(pid_t pid)
{
    child = pid;
}

bool cli_watch_folder(const char *path)
{
    folder[0] = 0;
    if (path && strlen(path) >= sizeof folder)
        return false;
    if (path)
        memcpy(folder, path, strlen(path) + 1);
    return true;
}

/* The names that cli_latex uses, and pdflatex beside them. */
void cli_remove_folder(void)
{
    static const char *const names[] = {
        CLI_LATEX_JOB ".tex", CLI_LATEX_JOB ".pdf", CLI_LATEX_JOB ".aux", CLI_LATEX_JOB ".log",
        CLI_LATEX_JOB ".out", CLI_LATEX_JOB ".toc", "texput.log",         "missfont.log"};
    char path[sizeof folder + 32];
    size_t n = strlen(folder);
    if (n == 0)
        return;
    memcpy(path, folder, n + 1);
    path[n] = '/';
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        memcpy(path + n + 1, names[i], strlen(names[i]) + 1);
        unlink(path);
    }
    rmdir(folder);
    folder[0] = 0;
}

/* ---- the end ------------------------------------------------------------------------------- */

static const char *name_of(int number)
{
    switch (number) {
    case SIGINT:
        return "interrupted (SIGINT)";
    case SIGTERM:
        return "asked to end (SIGTERM)";
    default:
        return "the terminal went away (SIGHUP)";
    }
}

static void say(const char *text)
{
    ssize_t ignored = write(STDERR_FILENO, text, strlen(text));
    (void)ignored;
}

/* Nothing here but calls that are allowed in a signal handler. */
static void clear_away(void)
{
    if (child > 0)
        kill(-child, SIGKILL);
    for (int i = 0; i < WATCHED_MAX; i++)
        if (watched[i])
            jn_sink_abandon(watched[i]);
    cli_remove_folder();
}

static void end_now(int number)
{
    (void)number;
    clear_away();
    say("junct: ");
    say(name_of(caught));
    say(" in the middle of a computation; whole rows are written, other results are not\n");
    _exit(CLI_STOPPED);
}

static void start_clock(void)
{
    struct itimerval clock = {.it_value = {.tv_usec = GRACE}};
    setitimer(ITIMER_REAL, &clock, NULL);
}

/* One request may arrive twice: timeout(1) signals its child and then the child's whole group. But
 * who asks again later means it. */
static void note_signal(int number)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (!caught) {
        caught_at = now;
        caught = number;
        if (in_stage)
            jn_interrupt();
        start_clock();
    } else if (now.tv_sec - caught_at.tv_sec > PATIENCE) {
        end_now(number);
    }
}

static void out_of_memory(size_t bytes)
{
    (void)bytes;
    clear_away();
    say("junct: out of memory\n");
    _exit(CLI_STOPPED);
}

/* ---- asking -------------------------------------------------------------------------------- */

static void handle(int number, void (*handler)(int))
{
    struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    sigaddset(&action.sa_mask, SIGINT);
    sigaddset(&action.sa_mask, SIGTERM);
    sigaddset(&action.sa_mask, SIGHUP);
    sigaddset(&action.sa_mask, SIGALRM);
    sigaction(number, &action, NULL);
}

/* What was ignored from the start stays so: nohup(1) and a shell's background jobs mean it. */
void cli_catch_signals(void)
{
    static const int ends[] = {SIGINT, SIGTERM, SIGHUP};
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        struct sigaction before;
        if (sigaction(ends[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
            handle(ends[i], note_signal);
    }
    handle(SIGALRM, end_now);
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
    cli_memory(out_of_memory);
}

void cli_forget_signals(void)
{
    static const int number[] = {SIGINT, SIGTERM, SIGHUP, SIGALRM, SIGPIPE};
    for (size_t i = 0; i < sizeof number / sizeof number[0]; i++) {
        struct sigaction now;
        bool caught_here = sigaction(number[i], NULL, &now) == 0 && now.sa_handler != SIG_IGN;
        if (caught_here || number[i] == SIGPIPE)
            signal(number[i], SIG_DFL);
    }
    for (int i = 0; i < WATCHED_MAX; i++)
        watched[i] = NULL;
    child = 0;
    folder[0] = 0;
}

/* Whoever looks is about to end: the clock begins anew, for what is still to be written. */
const char *cli_signal(void)
{
    if (!caught)
        return NULL;
    start_clock();
    return name_of(caught);
}

void cli_stage_begin(void)
{
    in_stage = 1;
    if (caught)
        jn_interrupt();
}

void cli_stage_end(void)
{
    in_stage = 0;
    jn_interrupt_clear();
}
