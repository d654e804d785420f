/* output.c: where results go.
 *
 * A file named with -o is written under a temporary name beside it and renamed when it is
 * complete: nobody ever reads half a result, and a failure leaves the old file as it was.
 * Devices and pipes are written in place. */
#define _XOPEN_SOURCE 700 /* realpath */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli.h"

enum { DEFAULT_WIDTH = 100, MIN_WIDTH = 40, MAX_WIDTH = 1000 };

/* The temporary file, for the signal handler. */
static char *temporary;

static void remove_temporary(int signal_number)
{
    if (temporary)
        unlink(temporary);
    signal(signal_number, SIG_DFL);
    raise(signal_number);
}

static int fail(cli_output *o, const char *what)
{
    cli_complain("cannot %s %s: %s", what, o->name, strerror(errno));
    return o->code = CLI_STOPPED;
}

/* The mode an existing file has, else what the umask leaves. */
static mode_t wanted_permissions(const char *target)
{
    struct stat s;
    if (stat(target, &s) == 0)
        return s.st_mode & 0777;
    mode_t mask = umask(0);
    umask(mask);
    return 0666 & ~mask;
}

static int open_temporary(cli_output *o)
{
    jn_str name;
    jn_str_init(&name);
    jn_str_addf(&name, "%s.XXXXXX", o->target);
    int fd = mkstemp(name.s);
    if (fd < 0) {
        jn_str_clear(&name);
        return fail(o, "write");
    }
    temporary = name.s;
    signal(SIGINT, remove_temporary);
    signal(SIGTERM, remove_temporary);
    signal(SIGHUP, remove_temporary);
    fchmod(fd, wanted_permissions(o->target));
    o->file = fdopen(fd, "w");
    return CLI_DONE;
}

int cli_output_open(cli_output *o, const char *path)
{
    struct stat s;
    *o = (cli_output){.name = path};
    if (!path || strcmp(path, "-") == 0) {
        o->name = "standard output";
        o->file = stdout;
        return CLI_DONE;
    }
    if (stat(path, &s) == 0 && !S_ISREG(s.st_mode)) {
        o->file = fopen(path, "w");
        return o->file ? CLI_DONE : fail(o, "write");
    }
    o->target = realpath(path, NULL); /* behind a symbolic link */
    if (!o->target)
        o->target = strdup(path);
    return open_temporary(o);
}

/* A reader that has gone away (head, less) is no reason to complain. */
static bool failed(cli_output *o)
{
    if (o->code == CLI_DONE) {
        if (errno != EPIPE)
            fail(o, "write");
        o->code = CLI_STOPPED;
    }
    return false;
}

bool cli_output_put(cli_output *o, jn_str *text)
{
    if (o->code == CLI_DONE && text->len && fwrite(text->s, 1, text->len, o->file) != text->len)
        failed(o);
    jn_str_reset(text);
    return o->code == CLI_DONE;
}

int cli_output_close(cli_output *o)
{
    if (o->file && fflush(o->file) != 0)
        failed(o);
    if (o->file && o->file != stdout && fclose(o->file) != 0)
        failed(o);
    if (temporary && o->code == CLI_DONE && rename(temporary, o->target) != 0)
        fail(o, "write");
    if (temporary && o->code != CLI_DONE)
        unlink(temporary);
    free(temporary);
    temporary = NULL;
    free(o->target);
    return o->code;
}

int cli_output_text(const char *path, jn_str *text)
{
    cli_output o;
    if (cli_output_open(&o, path) == CLI_DONE)
        cli_output_put(&o, text);
    jn_str_clear(text);
    return cli_output_close(&o);
}

int cli_width(const char *output_path)
{
    struct winsize size;
    const char *columns = getenv("COLUMNS");
    int width = columns ? atoi(columns) : 0;
    if (output_path)
        return DEFAULT_WIDTH;
    if (width <= 0 && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0)
        width = size.ws_col;
    if (width <= 0)
        return DEFAULT_WIDTH;
    return width < MIN_WIDTH ? MIN_WIDTH : width > MAX_WIDTH ? MAX_WIDTH : width;
}
