/* run.c: running the program as a user does. */
#include "run.h"

#include <glob.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static char folder[] = "/tmp/junct-test-XXXXXX";
static bool made;

const char *run_folder(void)
{
    if (!made && !mkdtemp(folder))
        abort();
    made = true;
    return folder;
}

void run_remove_folder(void)
{
    char command[128];
    sprintf(command, "rm -rf '%s'", run_folder());
    if (system(command) != 0)
        abort();
    strcpy(folder, "/tmp/junct-test-XXXXXX");
    made = false;
}

void run_write_file(const char *name, const char *text, size_t len)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", run_folder(), name);
    FILE *f = fopen(path, "wb");
    if (!f || fwrite(text, 1, len, f) != len || fclose(f) != 0)
        abort();
}

static char *read_back(const char *name)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", run_folder(), name);
    return test_read_file(path);
}

outcome run(const char *arguments, ...)
{
    char line[4096], command[8192];
    va_list args;
    va_start(args, arguments);
    vsnprintf(line, sizeof line, arguments, args);
    va_end(args);
    snprintf(command, sizeof command, "{ '%s' %s; } >'%s/out' 2>'%s/err'", getenv("JUNCT"), line,
             run_folder(), run_folder());
    unsetenv("COLUMNS");
    int status = system(command);
    return (outcome){WIFEXITED(status) ? WEXITSTATUS(status) : -1, read_back("out"),
                     read_back("err")};
}

static bool has_something(const char *pattern)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", run_folder(), pattern);
    glob_t found;
    struct stat file;
    bool has =
        glob(path, 0, NULL, &found) == 0 && stat(found.gl_pathv[0], &file) == 0 && file.st_size > 0;
    globfree(&found);
    return has;
}

outcome run_and_signal(const char *sign, const int *signals, int ignored, const char *arguments,
                       ...)
{
    char line[4096], command[8192];
    va_list args;
    va_start(args, arguments);
    vsnprintf(line, sizeof line, arguments, args);
    va_end(args);
    snprintf(command, sizeof command, "exec '%s' %s >'%s/out' 2>'%s/err'", getenv("JUNCT"), line,
             run_folder(), run_folder());
    pid_t child = fork();
    if (child == 0) {
        signal(SIGINT, SIG_DFL); /* whatever the tests were started with */
        signal(SIGHUP, SIG_DFL);
        if (ignored)
            signal(ignored, SIG_IGN);
        execl("/bin/sh", "sh", "-c", command, (char *)NULL);
        _exit(127);
    }
    int status = -1;
    bool ended = child < 0;
    while (!ended && !has_something(sign)) {
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
        ended = waitpid(child, &status, WNOHANG) != 0;
    }
    if (!ended) {
        for (int i = 0; signals[i]; i++)
            kill(child, signals[i]);
        waitpid(child, &status, 0);
    }
    return (outcome){WIFEXITED(status) ? WEXITSTATUS(status) : -1, read_back("out"),
                     read_back("err")};
}

void outcome_clear(outcome *o)
{
    free(o->out);
    free(o->err);
}

void run_refused(const char *file, int line, int code, const char *said, const char *arguments)
{
    outcome o = run("%s", arguments);
    bool good = o.code == code && o.out[0] == 0 && strstr(o.err, said);
    if (!good)
        printf("\n%s:%d: junct %s: exit code %d\n---- out:\n%s\n---- err:\n%s\n----\n", file, line,
               arguments, o.code, o.out, o.err);
    CU_assertImplementation(good, (unsigned)line, "the program refuses", file, "", CU_FALSE);
    outcome_clear(&o);
}
