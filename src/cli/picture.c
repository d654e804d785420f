/* picture.c: a picture in SVG to the form that its file name asks for; PNG and PDF by rsvg-convert.
 */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli.h"

enum { NOT_FOUND = 127 };

static const char *ending_of(const char *path)
{
    const char *dot = strrchr(path, '.'), *slash = strrchr(path, '/');
    return dot && (!slash || dot > slash) ? dot : "";
}

static bool is_converted(const char *ending)
{
    return strcmp(ending, ".png") == 0 || strcmp(ending, ".pdf") == 0;
}

int cli_picture_check(const cli_args *args, const char *option)
{
    const char *path = cli_value(args, option);
    if (!path || strcmp(path, "-") == 0)
        return CLI_DONE;
    const char *ending = ending_of(path);
    if (!*ending || strcmp(ending, ".svg") == 0 ||
        is_converted(ending)) /* none says nothing else */
        return CLI_DONE;
    return cli_wrong_usage(args->command, "'--%s %s': the name must end in .svg, .png or .pdf",
                           option, path);
}

/* ---- converting ---------------------------------------------------------------------------- */

/* The child: the picture on its standard input. PNG has two dots for a point, for today's screens.
 */
static void become_converter(int in, const char *form, const char *path)
{
    dup2(in, STDIN_FILENO);
    execlp("rsvg-convert", "rsvg-convert", "--format", form, "--zoom",
           strcmp(form, "png") == 0 ? "2" : "1", "--output", path, (char *)NULL);
    _exit(errno == ENOENT ? NOT_FOUND : 1);
}

static bool send(int to, const char *s, size_t n)
{
    while (n > 0) {
        ssize_t written = write(to, s, n);
        if (written <= 0)
            return false;
        s += written;
        n -= (size_t)written;
    }
    return true;
}

/* Its exit code, or −1. */
static int convert(const jn_str *svg, const char *form, const char *path)
{
    int pipes[2], status;
    if (pipe(pipes) != 0)
        return -1;
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        close(pipes[1]);
        become_converter(pipes[0], form, path);
    }
    close(pipes[0]);
    void (*before)(int) = signal(SIGPIPE, SIG_IGN);
    bool sent = child > 0 && send(pipes[1], svg->s, svg->len);
    close(pipes[1]);
    signal(SIGPIPE, before);
    bool ended = child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status);
    return !ended ? -1 : WEXITSTATUS(status) || sent ? WEXITSTATUS(status) : -1;
}

int cli_picture_write(const char *path, jn_str *svg)
{
    const char *ending = path ? ending_of(path) : "";
    if (!is_converted(ending))
        return cli_output_text(path, svg);
    int code = convert(svg, ending + 1, path);
    jn_str_clear(svg);
    if (code == NOT_FOUND)
        cli_complain("no %s: rsvg-convert is not installed (Debian, Ubuntu: apt-get install "
                     "librsvg2-bin); .svg needs nothing",
                     path);
    else if (code != 0)
        cli_complain("rsvg-convert could not write %s", path);
    return code == 0 ? CLI_DONE : CLI_STOPPED;
}
