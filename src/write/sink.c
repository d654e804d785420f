/* sink.c: a stream of bytes into a file that takes its name when it is complete. */
#define _XOPEN_SOURCE 700 /* realpath */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "junct/trace.h"

enum { BUFFER_SIZE = 1 << 20 };

struct jn_sink {
    int fd;
    char *name;               /* for messages */
    char *target, *temporary; /* NULL: written in place */
    bool standard_output;
    int error;        /* errno of the first failure; 0: none */
    uint64_t flushed; /* bytes that have been written */
    char *buffer;
    size_t used, size;
};

static void sink_free(jn_sink *s)
{
    free(s->name);
    free(s->target);
    free(s->temporary);
    free(s->buffer);
    free(s);
}

/* ---- opening --------------------------------------------------------------------------------- */

static mode_t usual_permissions(const char *target)
{
    struct stat s;
    if (stat(target, &s) == 0)
        return s.st_mode & 0777;
    mode_t mask = umask(0);
    umask(mask);
    return 0666 & ~mask;
}

/* A link to an open file that is in no folder any more (/dev/stdout may be one) has nothing that
 * could take its place. */
static bool has_name(const char *path)
{
    char *behind = realpath(path, NULL);
    free(behind);
    return behind != NULL;
}

static void open_temporary(jn_sink *s, const char *path)
{
    s->target = realpath(path, NULL); /* behind a symbolic link */
    if (!s->target)
        s->target = strdup(path);
    jn_str name;
    jn_str_init(&name);
    jn_str_addf(&name, "%s.XXXXXX", s->target);
    s->temporary = name.s;
    s->fd = mkstemp(s->temporary);
    if (s->fd >= 0)
        fchmod(s->fd, usual_permissions(s->target));
}

jn_status jn_sink_open(jn_sink **out, const char *path, jn_str *why)
{
    struct stat at;
    jn_sink *s = jn_alloc(sizeof *s);
    s->standard_output = strcmp(path, "-") == 0;
    s->name = strdup(s->standard_output ? "standard output" : path);
    if (s->standard_output)
        s->fd = STDOUT_FILENO;
    else if (stat(path, &at) == 0 && (!S_ISREG(at.st_mode) || !has_name(path)))
        s->fd = open(path, O_WRONLY);
    else
        open_temporary(s, path);
    if (s->fd < 0) {
        jn_str_addf(why, "cannot write %s: %s", path, strerror(errno));
        sink_free(s);
        *out = NULL;
        return JN_INVALID;
    }
    s->size = BUFFER_SIZE;
    s->buffer = jn_alloc(s->size);
    *out = s;
    return JN_OK;
}

/* ---- writing --------------------------------------------------------------------------------- */

static void write_all(jn_sink *s, const char *bytes, size_t n)
{
    while (n > 0 && !s->error) {
        ssize_t written = write(s->fd, bytes, n);
        if (written > 0) {
            s->flushed += (uint64_t)written;
            bytes += written;
            n -= (size_t)written;
        } else if (written < 0 && errno != EINTR) {
            s->error = errno;
        }
    }
}

void jn_sink_flush(jn_sink *s)
{
    write_all(s, s->buffer, s->used);
    s->used = 0;
}

char *jn_sink_room(jn_sink *s, size_t n)
{
    if (s->size - s->used < n)
        jn_sink_flush(s);
    if (s->size < n) {
        s->buffer = jn_realloc(s->buffer, n);
        s->size = n;
    }
    return s->buffer + s->used;
}

void jn_sink_used(jn_sink *s, size_t used)
{
    s->used += used;
}

void jn_sink_put(jn_sink *s, const void *bytes, size_t n)
{
    memcpy(jn_sink_room(s, n), bytes, n);
    jn_sink_used(s, n);
}

uint64_t jn_sink_written(const jn_sink *s)
{
    return s->flushed + s->used;
}

void jn_sink_fail(jn_sink *s, int error)
{
    if (!s->error)
        s->error = error;
}

bool jn_sink_failed(const jn_sink *s)
{
    return s->error != 0;
}

bool jn_sink_is_file(const jn_sink *s)
{
    return s->temporary != NULL;
}

const char *jn_sink_temporary(const jn_sink *s)
{
    return s->temporary;
}

/* Also after a failure: what has been written is to be usable. */
void jn_sink_rewrite(jn_sink *s, uint64_t offset, const void *bytes, size_t n)
{
    if (pwrite(s->fd, bytes, n, (off_t)offset) != (ssize_t)n)
        jn_sink_fail(s, errno);
}

/* ---- closing --------------------------------------------------------------------------------- */

/* Some file systems find out only here that they are full. */
static void finish(jn_sink *s)
{
    jn_sink_flush(s);
    if (s->temporary && !s->error && fsync(s->fd) != 0 && errno != EINVAL && errno != EROFS)
        s->error = errno;
    if (!s->standard_output && close(s->fd) != 0)
        jn_sink_fail(s, errno);
    if (s->temporary && !s->error && rename(s->temporary, s->target) != 0)
        s->error = errno;
}

jn_status jn_sink_close(jn_sink *s, jn_str *why)
{
    finish(s);
    int error = s->error;
    if (error && error != EPIPE)
        jn_str_addf(why, "cannot write %s: %s", s->name, strerror(error));
    if (error && s->temporary)
        jn_str_addf(why, "; what could be written is in %s", s->temporary);
    sink_free(s);
    return error ? JN_UNABLE : JN_OK;
}

void jn_sink_discard(jn_sink *s)
{
    if (!s)
        return;
    if (!s->standard_output)
        close(s->fd);
    if (s->temporary)
        unlink(s->temporary);
    sink_free(s);
}
